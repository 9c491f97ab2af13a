"""How many pairs of links of robots are decided, and how long that takes: the table of examples/robots.

    python -m tests.benchmarks.decided ROBOT.urdf [ROBOT.urdf ...]

Times are those of this process, of one core: other programs that run beside it do not count. Robots of others are not
part of the project, so this is run by hand.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from collision.importers import decide_pairs, load_model

_VERDICTS = ("never", "always", "sometimes", "touching", "open")


def main(paths: list[str]) -> None:
    """Print a row of the table for each robot, and one for all."""
    print(f"| Robot | Shapes | Pairs | {' | '.join(_VERDICTS)} | Decided | CPU seconds |")
    print("| --- " * (len(_VERDICTS) + 5) + "|")
    total, spent = Counter[str](), 0.0
    for path in paths:
        model = load_model(path)
        begun = time.process_time()
        count = Counter(pair.verdict for pair in decide_pairs(model))
        seconds = time.process_time() - begun
        total, spent = total + count, spent + seconds
        _print_row(f"`{Path(path).name}`", str(len(model.scene)), count, seconds)
    _print_row("all", "", total, spent)


def _print_row(name: str, shapes: str, count: Counter[str], seconds: float) -> None:
    pairs = count.total()
    decided = f"{100.0 * (pairs - count['open']) / pairs:.1f} %" if pairs else ""
    each = " | ".join(str(count[verdict]) for verdict in _VERDICTS)
    print(f"| {name} | {shapes} | {pairs} | {each} | {decided} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
