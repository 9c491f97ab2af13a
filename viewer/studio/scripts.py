"""For scripts that draw, such as the examples: one that cannot says so in a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def told_in_a_line() -> Iterator[None]:
    """End a script with a line on stderr, and the exit code 1, where there is no display or nothing can be drawn."""
    try:
        yield
    except RuntimeError as error:
        from viewer.stage.gl import GLUnavailable
        from viewer.studio.app import NoDisplay

        if isinstance(error, NoDisplay | GLUnavailable):
            raise SystemExit(str(error)) from None
        raise
