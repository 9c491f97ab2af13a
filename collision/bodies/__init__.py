"""Many poses of one scene: shapes grouped into bodies that move rigidly, and what touches in each of their poses."""
