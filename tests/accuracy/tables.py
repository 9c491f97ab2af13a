"""The tables of ``collision/REFERENCE.md``: written from what was measured, and read back by the test."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from textwrap import fill

from collision.shapes.kinds import KINDS
from tests.accuracy.measure import CERTIFIED, CLEAR, ORDINARY, SHARED, Certified, Figure, Worst
from tests.accuracy.peers import CRASHED, NEVER
from tests.certificate.report import COUNT
from tests.corpus import DEEP_ROUNDS, Order
from tests.strategies import EXACT, EXACT_PAIRS, FAMILIES

PAGE = Path(__file__).parent.parent.parent / "collision" / "REFERENCE.md"
BEGIN, END = "<!-- accuracy: begin -->", "<!-- accuracy: end -->"

Row = dict[str, Figure]


def rounded_up(error: float) -> str:
    """Return an error to one digit, rounded up; from the size itself on, how much more does not matter."""
    if not error < 1.0:
        return "> 1"
    if error == 0.0:
        return "0"
    power = math.floor(math.log10(error))
    digit = math.ceil(error / 10.0**power - 1e-9)
    return f"{digit}e{power:03d}".replace("e-0", "e-") if digit < 10 else rounded_up(10.0 ** (power + 1))


def named(order: Order) -> str:
    return f"{order[0].__name__}, {order[1].__name__}"


def cell(worst: Worst, troubles: Counter[str]) -> str:
    """Return the worst errors apart and overlapping, and why there was no answer at all, if ever."""
    lost = [word for word in (NEVER, CRASHED) if troubles[word]]
    return ", ".join(map(rounded_up, worst)) + "".join(f"; {word}" for word in lost)


def compared(rows: dict[Order, Row], versions: dict[str, str], what: str = "distances") -> list[str]:
    """Return the table of all pairs of kinds that other libraries have too, for one field of the figures."""
    heads = ["Pair", "collision", *(f"{name} {version}" for name, version in versions.items())]
    lines = [heads, ["---"] * len(heads)]
    for order in SHARED:
        cells = (cell(getattr(figure, what), figure.troubles) for figure in rows[order].values())
        lines.append([named(order), *cells])
    return [f"| {' | '.join(line)} |" for line in lines]


def verdicts(rows: dict[Order, Row], versions: dict[str, str]) -> list[str]:
    """Return the table of what went wrong among the hard pairs."""
    names = ["collision", *versions]
    totals = {name: [rows[order][name] for order in SHARED] for name in names}
    troubles = {name: sum((figure.troubles for figure in totals[name]), Counter()) for name in names}
    lines = [["Hard pairs", *names], ["---"] * (len(names) + 1)]
    lines.append(["asked", *(str(sum(figure.asked for figure in totals[name])) for name in names)])
    lines.append(["wrong verdicts", *(str(sum(figure.wrong for figure in totals[name])) for name in names)])
    lines += [[word, *(str(troubles[name][word]) for name in names)] for word in (NEVER, CRASHED)]
    return [f"| {' | '.join(line)} |" for line in lines]


def matrix(worst: dict[Order, float]) -> list[str]:
    """Return the table of our worst errors over the hard pairs of every two kinds."""
    names = [kind.__name__ for kind in EXACT]
    lines = [["", *names], ["---"] * (len(names) + 1)]
    for row in EXACT:
        cells = [rounded_up(worst[row, column]) if (row, column) in worst else "" for column in EXACT]
        lines.append([row.__name__, *cells])
    return [f"| {' | '.join(line)} |" for line in lines]


def certificates(found: dict[Order, Certified]) -> list[str]:
    """Return the table of kinds whose answers are certified, beside all others."""
    beside = [kind for kind in KINDS if kind not in EXACT]
    heads = [f"{kind.__name__}, {what}" for kind in beside for what in Certified._fields]
    lines = [["", *heads], ["---"] * (len(heads) + 1)]
    for row in KINDS:
        cells = [found.get((row, kind), found.get((kind, row))) for kind in beside]
        lines.append([row.__name__, *(rounded_up(error) for cell in cells if cell for error in cell)])
    return [f"| {' | '.join(line)} |" for line in lines]


def text(
    everyday: dict[Order, Row],
    rows: dict[Order, Row],
    worst: dict[Order, float],
    found: dict[Order, Certified],
    versions: dict[str, str],
) -> str:
    """Return what stands on the page between the two marks."""
    every = DEEP_ROUNDS * len(FAMILIES)
    parts: list[str | list[str]] = [
        f"Signed distances of everyday pairs, {ORDINARY} of each two kinds: sizes and coordinates about 1, half of "
        "them overlapping.",
        compared(everyday, versions),
        "Signed distances of hard pairs, some 200 of each two kinds: touching, parallel, coincident, thin, tiny, huge, "
        "of very different sizes, far from the origin; but all have volume, since not every library takes shapes that "
        "have none.",
        compared(rows, versions),
        f"Wrong verdicts (touching or not) are counted where shapes are apart or overlap by more than {CLEAR:.0e} of "
        "the size. When a library has crashed or not returned on three pairs of two kinds, it gets no more of them.",
        verdicts(rows, versions),
        "Witness points of everyday pairs: how far a point is from its surface, or how far the distance "
        "of the two points is from the distance or depth of the shapes.",
        compared(everyday, versions, "points"),
        "Witness points of hard pairs:",
        compared(rows, versions, "points"),
        "Normals of everyday pairs: the angle to the exact normal, in radians. Where a library gives no "
        "normal, its points imply one.",
        compared(everyday, versions, "angles"),
        "Normals of hard pairs. A small gap has a vague direction, so the figure says by how much the "
        "shapes are less far apart along the normal than along the best direction, as a part of the "
        "size.",
        compared(rows, versions, "rooms"),
        f"Signed distances of all pairs of kinds that `collision` has, the worst of {every:,} hard pairs of each, "
        f"{every * len(EXACT_PAIRS):,} in all, shapes without volume among them:",
        matrix(worst),
        *certified_text(found),
    ]
    return "\n\n".join("\n".join(part) if isinstance(part, list) else fill(part, 120) for part in parts)


def certified_text(found: dict[Order, Certified]) -> list[str | list[str]]:
    """Return what is said of certified pairs, and the table of them."""
    return [
        f"Cylinders and hulls beside all kinds, the worst of {COUNT:,} hard pairs of each in both orders, "
        f"{COUNT * len(CERTIFIED):,} in all. A distance is off by as much as the room along the normal, or along a "
        "better direction, differs from it; points are off their surfaces, or not as far from each other as is said.",
        certificates(found),
    ]


# --- on the page ----------------------------------------------------------------------------------


def published() -> str:
    """Return what stands on the page between the two marks."""
    return PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip()


def publish(measured: str) -> None:
    """Put it there."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{measured}\n\n{END}{after}", encoding="utf-8")


def parsed(table: list[str]) -> dict[str, dict[str, str]]:
    """Return the cells of a table by the names of row and column; a version is no part of a name."""
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table)
    names = [re.sub(r" [\d.]+$", "", head) for head in heads]
    return {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in rows}


def published_tables() -> list[dict[str, dict[str, str]]]:
    """Return all tables that are published, in the order of `text`."""
    blocks = [block.splitlines() for block in published().split("\n\n")]
    return [parsed(block) for block in blocks if block[0].startswith("|")]


def limits(cell: str) -> tuple[float, float]:
    """Return the two figures of a cell."""
    apart, overlapping = (word.strip() for word in cell.partition(";")[0].split(","))
    return limit(apart), limit(overlapping)


def limit(word: str) -> float:
    return math.inf if word.startswith(">") else float(word)
