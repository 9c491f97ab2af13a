"""What is written over a picture: panels, labels, the small axes and the strip of the time."""
