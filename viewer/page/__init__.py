"""A scene as one HTML file that is alive: what the browser runs lies here as modules, and Python puts it together."""
