"""How exact the answers are, measured; and how exact those of other libraries are, on the same pairs.

``python -m tests.accuracy`` measures everything and prints the tables of ``collision/REFERENCE.md``; with
``--publish`` it puts them there. `tests/test_accuracy.py` checks that what is published there still holds.
"""
