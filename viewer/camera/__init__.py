"""Where a scene is seen from: cameras, how they move and frame, what is under the cursor, and sizes in pixels."""
