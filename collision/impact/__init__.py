"""Times of impact: when moving shapes first touch, along straight lines and turning."""
