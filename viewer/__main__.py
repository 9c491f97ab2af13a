"""``python -m viewer``: the same as ``collision-viewer``."""

import sys

from viewer.cli import main

if __name__ == "__main__":
    sys.exit(main())
