"""The kinds of shape, a file for each core that they are made of."""
