"""The scene, its elements and names, what it remembers, and the questions to the whole of it."""
