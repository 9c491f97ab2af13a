"""What pytest gets where this project is installed: fixtures, options, and scene files that are tests."""
