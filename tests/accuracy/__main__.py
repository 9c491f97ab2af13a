"""``python -m tests.accuracy``: measure, and print the tables; ``--publish`` puts them on the page."""

from __future__ import annotations

import argparse
import sys

from tests.accuracy import tables
from tests.accuracy.measure import CERTIFIED, SHARED, certified, hard, ordinary, ours, theirs, worst_of_all
from tests.accuracy.peers import PEERS, version
from tests.corpus import DEEP_ROUNDS, Corpus, Order
from tests.strategies import EXACT_PAIRS


def main() -> int:
    """Measure, print, and write if asked to; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__)
    parser.add_argument(
        "--publish", action="store_true", help="put them into collision/REFERENCE.md (needs all the libraries)"
    )
    write = parser.parse_args().publish
    versions = {name: version(name) for name in PEERS}
    missing = [name for name, known in versions.items() if not known]
    if missing and write:
        print(f"not installed: {', '.join(missing)}; pip install --editable '.[bench]'", file=sys.stderr)
        return 2
    versions = {name: known for name, known in versions.items() if known}
    everyday = {order: _row(order, ordinary(order), versions) for order in SHARED}
    rows = {order: _row(order, hard(order), versions) for order in SHARED}
    worst = {}
    for order in EXACT_PAIRS:
        worst[order] = worst_of_all(order, DEEP_ROUNDS)
        _say(f"{tables.named(order)}: {worst[order]:.2g} at worst")
    found = {order: certified(order) for order in CERTIFIED}
    text = tables.text(everyday, rows, worst, found, versions)
    print(text)
    if write:
        tables.publish(text)
    return 0


def _row(order: Order, corpus: Corpus, versions: dict[str, str]) -> tables.Row:
    row = {"collision": ours(corpus), **{name: theirs(name, corpus) for name in versions}}
    for what in ("distances", "points", "rooms", "angles"):
        cells = (tables.cell(getattr(figure, what), figure.troubles) for figure in row.values())
        _say(f"{tables.named(order)}, {what}: {' | '.join(cells)}")
    return row


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
