"""A window in a process of its own, and what the two processes tell each other."""
