"""``python -m viewer``: the same as ``collision-viewer``."""

import gc
import sys

from viewer.ctrl_c import CtrlC

#: What the program tells the shell where it cannot even start; see `viewer.cli.errors.ExitCode`.
_BUG = 70

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
        from viewer.cli import main as run
    except Exception as error:
        from viewer.package_conflicts import cannot_start

        print(f"collision-viewer: {cannot_start(error)}", file=sys.stderr)
        return _BUG
    try:
        code = run(ctrl_c=ctrl_c)
    finally:
        ctrl_c.done()
        gc.freeze()
    ctrl_c.end(code)
    return code


if __name__ == "__main__":
    sys.exit(main())
