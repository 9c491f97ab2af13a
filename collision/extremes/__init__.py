"""The least and the largest distances of shapes that move, and when: with bounds on what may have been missed."""
