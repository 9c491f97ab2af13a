"""The command that writes JSON schemas."""

from __future__ import annotations

from typing import Literal

from viewer.cli.errors import ExitCode
from viewer.cli.options import OutputOption, check_output, writing
from viewer.cli.output import to_json


def schema(what: Literal["scene", "results", "explanation"] = "scene", /, *, output: OutputOption = None) -> ExitCode:
    """Write a JSON schema: by default that of scene files, with which an editor can help to write them.

    Parameters
    ----------
    what
        Of scene files, of the results that "test --format json" writes, or of what "explain --format json" writes.
    output
        The file to write; by default stdout.
    """
    if what == "results":
        from viewer.verdicts.results import results_schema as json_schema
    elif what == "explanation":
        from collision import Explanation

        json_schema = Explanation.json_schema
    else:
        from collision.scenefile import json_schema
    text = to_json(json_schema())
    if output is None:
        print(text)
        return ExitCode.FINE
    check_output(output, "a schema", ".json")
    from collision.inner import write_text

    with writing(output):
        write_text(output, text + "\n")
    print(output)
    return ExitCode.FINE
