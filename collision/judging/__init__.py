"""Whether a scene keeps what it promises: a verdict for each promise, and one on all other pairs."""
