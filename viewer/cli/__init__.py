"""The command line: ``collision-viewer open | render | check | test | expect | why | ...``."""

from viewer.cli.commands import app, main
from viewer.cli.errors import ExitCode

__all__ = ["ExitCode", "app", "main"]
