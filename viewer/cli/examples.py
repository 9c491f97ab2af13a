"""The command that lists the examples and the lessons."""

from __future__ import annotations

import sys

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError
from viewer.cli.options import FormatOption
from viewer.cli.output import print_rich, to_json


def examples(*, format: FormatOption = "text") -> ExitCode:
    """List the examples and the lessons; each name stands for its scene in the other commands."""
    from viewer.files.catalogue import find_examples, find_lessons

    try:
        found = [*find_examples(), *find_lessons()]
    except FileNotFoundError as error:
        raise MistakeError(str(error)) from error
    if format == "json":
        print(to_json([{**vars(example), "path": str(example.path)} for example in found]))
        return ExitCode.FINE
    from rich.padding import Padding
    from rich.text import Text

    for example in found:
        print_rich(Text.assemble((example.name, "bold"), f": {example.title}"))
        lines = [example.caption, ""]
        if example.lacks:
            how = f"{sys.executable} -m pip install {example.lacks}"
            lines.insert(0, f"(takes {example.lacks}, which is not installed: {how})")
        print_rich(*(Padding(Text(line), (0, 0, 0, 4), expand=False) if line else "" for line in lines))
    print_rich(Text(f"Try: {PROGRAM} open {found[0].name}"))
    return ExitCode.FINE
