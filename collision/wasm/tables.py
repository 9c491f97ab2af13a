"""What a caller of the module has to know, as tables: made from those that the package itself goes by."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeAlias

from collision.base.fields import FloatArray
from collision.broadphase.blocks import BLOCK, FRAME
from collision.broadphase.hierarchy import WIDENING
from collision.broadphase.search import MET, PAIRS
from collision.broadphase.tree import BUILD, CURVE, LEAF, work_size
from collision.broadphase.volumes import KERNELS
from collision.kernels import straight
from collision.kernels.core import ROW, SEARCH_ROWS
from collision.kernels.cores import TOUCH
from collision.kernels.loops import BOUNDS, LOOPS
from collision.kernels.table import ROWS, CoreType
from collision.native import Loop
from collision.queries.casts import HITS
from collision.scene.pairs import SCENE_TOUCHING, memory_size
from collision.shapes.kinds import KINDS, Shape

#: What JSON can hold.
Json: TypeAlias = "str | int | float | list[Json] | dict[str, Json] | None"


def tables(loops: Iterable[Loop]) -> dict[str, Json]:
    """Return what a caller has to know, for JSON: of kinds, cores and their pairs, loops, and a few numbers."""
    return {
        "kinds": {kind.__name__: _kind(kind) for kind in KINDS},
        "cores": [_core(own) for own in CoreType],
        "pairs": {f"{a} {b}": _pair(a, b) for a, b in LOOPS},
        "sweep": {"pairs": straight.LOOP.name, "memory": ROW * SEARCH_ROWS},
        "tree": _tree(),
        "scene": _scene(),
        "loops": {loop.name: {"arguments": [*loop.arguments], "result": loop.result} for loop in loops},
        "touch": TOUCH,
    }


def _kind(kind: type[Shape]) -> Json:
    """Return where the fields of a kind are in a row of its numbers, and which operand of the core each is.

    What has no fixed length is in a row of its own: its operand is its name.
    """
    layout = kind.layout
    spans = {name: [start, end - start] for name, start, end, _ in layout.parts}

    def operand(given: str | FloatArray) -> Json:
        if not isinstance(given, str):
            return _numbers(given)
        start, length = spans[given]
        return start if length else _name(given)

    fields: dict[str, Json] = {_name(name): [*span] for name, span in spans.items() if span[1]}
    operands = [operand(given) for given in layout.given]
    return {"core": int(kind.core_type), "numbers": layout.parts[-1][2], "fields": fields, "operands": operands}


def _name(field: str) -> str:
    """Return the name of a field, of what follows from others as well."""
    return field.removeprefix("_")


def _numbers(constant: FloatArray) -> Json:
    """Return the numbers of a constant; infinity, for which JSON has no number, as a word of JavaScript's."""
    numbers = constant.ravel().tolist()
    return [x if math.isfinite(x) else "Infinity" if x > 0.0 else "-Infinity" for x in numbers]


def _core(own: CoreType) -> Json:
    """Return the name of a core, and of the loops over shapes that have it."""
    return {"name": ROWS[own].name, "bounds": BOUNDS[own].name, "hits": HITS[own].name}


def _pair(a: int, b: int) -> Json:
    """Return the names of the loops over pairs of two cores."""
    made = LOOPS[a, b]
    return {"record": made.record.name, "distance": made.distance.name}


def _tree() -> Json:
    """Return the loops that build a tree and search in it, and how much memory they take."""
    curve: list[Json] = [*CURVE.ravel().tolist()]
    return {
        "build": BUILD.name,
        "pairs": PAIRS.name,
        "met": {kernels.name: MET[kind].name for kind, kernels in KERNELS.items()},
        "leaf": LEAF,
        "block": BLOCK,
        "frame": FRAME,
        "work": [work_size(0), work_size(1) - work_size(0)],
        "widening": WIDENING,
        "curve": curve,
    }


def _scene() -> Json:
    """Return the loop for all pairs of a scene, and how many numbers it needs: always, per candidate, per shape."""
    fixed, many = memory_size(0, 0), 7_000_000  # the sizes of trees are whole there
    each = (memory_size(many, 0) - fixed) / many
    return {"pairs": SCENE_TOUCHING.name, "memory": [fixed, memory_size(0, 1) - fixed, each]}
