"""Scene files, and models of other programs: read, checked and written."""
