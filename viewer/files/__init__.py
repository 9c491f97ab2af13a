"""What is read and written: scenes from files of any kind, the examples, and movies."""

#: What a scene on stdin is called.
STDIN = "<stdin>"
