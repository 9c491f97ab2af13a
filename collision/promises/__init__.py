"""Whether a scene keeps what it promises, and tests of that."""
