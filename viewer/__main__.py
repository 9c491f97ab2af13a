"""``python -m viewer``: the same as ``collision-viewer``."""

import gc
import sys

from viewer.ctrl_c import CtrlC

#: What the program tells the shell where it cannot even start, or cannot draw; see `viewer.cli.errors.ExitCode`.
_BUG, _NO_PICTURE = 70, 3

#: The commands that draw without a window.
_DRAWING = (["render"], ["animate"])

#: So many new objects are looked through for garbage at once: imports make many, and hardly any garbage. Those of a
#: picture are fewer. Where the program ends, Python would look through all of them twice, unless they are frozen.
_OBJECTS = 200_000


def main() -> int:
    """Run the command line and return the exit code.

    What it is made of is imported in here: an import that fails is told in a sentence, and ends in a code of this
    program. Python's own would be 1.
    """
    ctrl_c = CtrlC()
    ctrl_c.take()
    gc.set_threshold(_OBJECTS)
    try:
        # A scene on stdin can be read once: not by a copy that may crash, and then by this process.
        code = _ended_in_copy() if sys.argv[1:2] in _DRAWING and "-" not in sys.argv else None
        if code is not None:
            ctrl_c.done()
            gc.freeze()
            return code
        from viewer.cli import main as run
    except Exception as error:
        from viewer.rivals import cannot_start

        print(f"collision-viewer: {cannot_start(error)}", file=sys.stderr)
        return _BUG
    try:
        code = run(ctrl_c=ctrl_c)
    finally:
        ctrl_c.done()
        gc.freeze()
    ctrl_c.end(code)
    return code


def _ended_in_copy() -> int | None:
    """Return the exit code of a copy of this process that has drawn; None to go on."""
    from viewer.cli.options import one_blas_thread
    from viewer.stage.gl import GLUnavailable
    from viewer.stage.trial import ended_in_copy

    if not any(word.endswith(".py") for word in sys.argv[1:]):  # which may multiply large matrices
        one_blas_thread()
    try:
        return ended_in_copy()
    except GLUnavailable as error:
        print(f"collision-viewer: {error}", file=sys.stderr)
        return _NO_PICTURE


if __name__ == "__main__":
    sys.exit(main())
