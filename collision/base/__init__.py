"""What all of the package stands on: checked fields, arrays, files that are written whole."""
