"""Many poses of one scene at once."""
