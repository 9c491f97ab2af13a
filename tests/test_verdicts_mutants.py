"""Scene files with something wrong in them, 2,000 of them: a sentence with file and place, never a traceback."""

from __future__ import annotations

import random
import re
import time
import warnings
from pathlib import Path

import pytest

from tests.verdicts import SCENES
from viewer.verdicts.collecting import Source
from viewer.verdicts.judging import JudgeOptions, judge_source

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
TEXTS = [
    path.read_text(encoding="utf-8")
    for path in (*sorted(SCENES.glob("*.scene.toml")), *sorted(EXAMPLES.glob("[!_]*.toml")))
]

#: What is put in the place of a word.
WORDS = [
    *(
        "",
        "0",
        "-1",
        "1e308",
        "1e-320",
        "nan",
        "inf",
        "-inf",
        "true",
        '""',
        '"*"',
        "[]",
        "{}",
        "[[]]",
        "0x" + "f" * 400,
    ),
    *(
        '"a\\u0000b"',
        '"ball"',
        "[1, 2, 3]",
        "1979-05-27",
        "'''",
        '"',
        "[",
        "]",
        "=",
        "\n",
        "#",
        "\\",
        "\ufeff",
        "\x00",
        "ä",
    ),
    *("apart", "collide", "[[expect]]", "[groups]", "at = 1e9", "during = [3, 2]", "never = true", "open = true"),
]


def mutant(number: int) -> str:
    """Return a scene file with one to four changes, always the same for a number."""
    chance = random.Random(number)
    text = chance.choice(TEXTS)
    for _ in range(chance.randint(1, 4)):
        parts = re.split(r"(\w+|\s+)", text)
        place = chance.randrange(len(parts))
        change = chance.randrange(4)
        if change == 0:
            parts[place] = chance.choice(WORDS)
        elif change == 1:
            parts[place] = ""
        elif change == 2:
            parts.insert(place, chance.choice(parts))
        else:
            parts[place] = parts[place][::-1]
        text = "".join(parts)
    return text


def check_mutants(numbers: range) -> set[str]:
    """Test some mutants, and return which states they came to."""
    states = set()
    for number in numbers:
        text = mutant(number)
        begun = time.monotonic()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = judge_source(Source("<stdin>", text.encode("utf-8", "surrogatepass")), JudgeOptions(most=5))
        assert found.state != "bug", f"mutant {number}: {found.message}"
        assert time.monotonic() - begun < 20.0, f"mutant {number}"
        if found.state == "mistake":
            lines = [line for line in found.message.splitlines() if not line.startswith("    ") and line]
            assert all(line.startswith("<stdin>:") for line in lines), f"mutant {number}: {found.message}"
        states.add(found.state)
    return states


def test_two_hundred_mutants() -> None:
    assert check_mutants(range(200)) >= {"held", "broken", "mistake"}


@pytest.mark.deep
def test_two_thousand_mutants() -> None:
    assert check_mutants(range(200, 2000)) == {"held", "broken", "mistake", "nothing"}
