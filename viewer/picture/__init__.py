"""From a session to what is to be seen: records of what a picture shows, and the theme that says how it looks."""
