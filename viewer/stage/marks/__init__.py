"""Marks: dots, strokes, arrows and patches, as triangles that face the camera."""
