"""From a session to what is seen: pictures, the window, one in another process, a scene in a user's own plotter."""
