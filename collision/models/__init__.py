"""Models of robots: links that joints move, read from MuJoCo's files and URDF."""
