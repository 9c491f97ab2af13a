"""The command that writes JSON schemas."""

from __future__ import annotations

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import Flag, OutputOption, check_output, writing
from viewer.cli.output import to_json


def schema(*, output: OutputOption = None, results: Flag = False, explanation: Flag = False) -> ExitCode:
    """Write the JSON schema of scene files, with which an editor can help to write them.

    Parameters
    ----------
    output
        The file to write; by default stdout.
    results
        Write the schema of the output of "test --format json".
    explanation
        Write the schema of the output of "explain --json".
    """
    from collision.scenefile import json_schema

    if results and explanation:
        raise MistakeError("expected --results or --explanation, got both")
    if results:
        from viewer.verdicts.results import results_schema as json_schema
    if explanation:
        from collision import Explanation

        json_schema = Explanation.json_schema
    text = to_json(json_schema())
    if output is None:
        print(text)
        return ExitCode.FINE
    check_output(output, ".json")
    from collision.inner import write_text

    with writing(output):
        write_text(output, text + "\n")
    print(output)
    return ExitCode.FINE
