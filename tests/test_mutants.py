"""Scene files with random damage through `check`: an answer, or a message that names the file and the place."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from viewer.cli import ExitCode, main

ROOT = Path(__file__).parent.parent

#: Scenes that together have all that a scene file can have.
SEEDS = sorted(path for path in (ROOT / "examples").glob("*.toml") if path.stat().st_size < 6000)

#: What is put into the place of something else.
PIECES = (
    "", "[", "]", "{", "}", '"', "'", "=", ",", ".", "#", "\n", "\\", "\x00", "-", "1e308", "-1e308", "nan", "inf",
    "1e-320", "0x" + "f" * 400, "9" * 500, "true", "[[]]", "[1, 2]", '"*"', "1979-05-27", "é", "\ud83d\ude00".encode(
        "utf-16", "surrogatepass").decode("utf-16"), "[[expect]]", "[shapes.x]", "[[motion]]", "radius = -1", "a.b = 1",
)  # fmt: skip

_TOKEN = re.compile(r'"[^"\n]*"|[\w.+-]+|\S|\n')


def mutant(number: int) -> str:
    chance = random.Random(number)
    text = chance.choice(SEEDS).read_text(encoding="utf-8")
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        tokens = list(_TOKEN.finditer(text))
        one, other = chance.choice(tokens), chance.choice(tokens)
        kind = chance.randrange(5)
        new = (chance.choice(PIECES), other[0], one[0] * 2, "", one[0][: len(one[0]) // 2])[kind]
        text = text[: one.start()] + new + text[one.end() :]
    return text


def test_damaged_scenes_are_answered_or_told_with_file_and_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    path, refused = tmp_path / "mutant.toml", 0
    count = 5000 if request.config.getoption("--deep") else 120
    for number in range(count):
        path.write_bytes(mutant(number).encode("utf-8", "surrogatepass"))
        code = main(["check", str(path)])
        err = capsys.readouterr().err
        assert code in (ExitCode.FINE, ExitCode.BROKEN, ExitCode.NOTHING_TESTED, ExitCode.MISTAKE), (number, err)
        assert "Traceback" not in err, number
        if code == ExitCode.MISTAKE:
            refused += 1
            assert err.startswith("collision-viewer: "), (number, err)
            assert re.search(r"mutant\.toml(:\d+){0,2}: ", err), (number, err)
            assert re.search(r"mutant\.toml:\d+(:\d+)?: |: shapes: missing", err), (number, err)
    assert 0.3 * count < refused < count
