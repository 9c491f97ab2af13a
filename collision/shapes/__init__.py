"""Shapes and what transforms them, as checked values that may carry batch axes."""
