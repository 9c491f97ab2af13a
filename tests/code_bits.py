"""``python -m tests.code_bits COUNT SEED``: what all loops answer to COUNT hard pairs of any two kinds, as digests.

Run with different values of `COLLISION_CODE`, it must print the same. The last line lists the loops that have run.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any

import numpy as np

from collision import (
    Bodies,
    Camera,
    Motion,
    Ray,
    Scene,
    Shape,
    all_normals,
    closest_points,
    crossings,
    manifold,
    pose_gradient,
    raycast,
    signed_distance,
    sweep,
    touching_intervals,
)
from collision.bounding import sphere_around
from collision.native import loops_of
from tests import conftest  # noqa: F401 - which the modules of tests below expect to be there
from tests.corpus import ORDERED, names, stacked
from tests.crowds import crowds
from tests.motions import random_motions
from tests.strategies import LINE_LIKE, random_pairs
from tests.test_blocks import KINDS, hard_pair
from tests.test_bodies import GROUPS, mixed, some_poses
from tests.test_robust import PAIRWISE, ask_scene, fresh_scene
from tests.turning import random_turnings
from viewer.picture.drawables import Marker, Patch, Role, Stroke
from viewer.picture.theme import LIGHT
from viewer.stage.marks.layers import layers
from viewer.view.camera import Viewport

#: A kind for each core.
CORES = {kind.rank: kind for kind, _ in ORDERED}.values()


def numbers(answer: Any) -> Iterator[bytes]:
    """Yield the bits of all numbers of an answer; for what is no number any pattern of bits will do."""
    if isinstance(answer, Shape):
        yield from numbers(answer.values())
    elif isinstance(answer, dict):
        yield from numbers(list(answer.values()))
    elif isinstance(answer, tuple | list):
        for part in answer:
            yield from numbers(part)
    elif isinstance(answer, np.ndarray | np.generic | float | int):
        values = np.array(answer)
        if values.dtype.kind == "f":
            values[np.isnan(values)] = np.nan
        yield values.tobytes()
    elif is_dataclass(answer):
        for field in fields(answer):
            yield from numbers(getattr(answer, field.name))
    else:
        assert answer is None or isinstance(answer, str), f"the bits of {type(answer)} are not known"
        yield repr(answer).encode()


def digest(*answers: Any) -> str:
    """Return a digest of the bits of answers."""
    return hashlib.sha256(b"".join(part for answer in answers for part in numbers(answer))).hexdigest()[:16]


def of_pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask all queries of hard pairs, in batches and one by one."""
    for order in ORDERED:
        cases = random_pairs(*order, count, seed)
        a, b = stacked([case.a for case in cases]), stacked([case.b for case in cases])
        asked: list[Any] = [query(a, b) for query in PAIRWISE]
        asked += [query(case.a, case.b) for case in cases[:20] for query in PAIRWISE]
        asked += [sweep(a, b, motion=[1.0, -2.0, 0.5]), manifold(a, b), pose_gradient(a, b)]
        asked += [all_normals(case.a, case.b) for case in cases[:3]]
        if order[0] is Ray:
            asked.append(raycast(a, b))
        if issubclass(order[0], LINE_LIKE):
            asked.append(crossings(a, b))
        yield names(order), digest(*asked)


def of_blocks(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask of so many hard pairs at once that they are answered in blocks, where there are loops for that."""
    for kinds in KINDS:
        with np.errstate(all="ignore"):
            a, b = hard_pair(kinds, 100 * count, seed)
            yield f"in blocks, {names(kinds)}", digest(closest_points(a, b), signed_distance(a, b))


def of_turning(seed: int) -> Iterator[tuple[str, str]]:
    """Ask when shapes that turn touch: once, and in a scene."""
    orders = ORDERED if seed else [*product(CORES, CORES)]
    for order in orders:
        asked: list[Any] = []
        if any(kind.bounded for kind in order):
            cases = [each for each in random_turnings(*order, 1, seed) if each.other is None][:2]
            ways = [{"start": each.way.start, "end": each.way.end, "pivot": each.way.pivot} for each in cases]
            asked += [sweep(each.a, each.b, **way) for each, way in zip(cases, ways, strict=True)]
        for each in random_motions(*order, 3, seed):
            for turn in (None, [[0, 0, 0, 1], [0, 1, 2, 3]]):
                way = Motion("a", [0, 1], [np.zeros(3), each.motion], turn)
                asked.append(touching_intervals(Scene({"a": each.a, "b": each.b}, motion=[way])))
        yield f"turning {names(order)}", digest(*asked)


def of_scenes(seed: int) -> Iterator[tuple[str, str]]:
    """Ask scenes of all kinds for pairs, contacts, the nearest, and rays."""
    for margin in (0.0, 0.1):
        yield f"scene, margin {margin}", digest(*ask_scene(fresh_scene(), margin))
    for name, scene in crowds(seed):
        bounded = scene.replaced(
            shapes={entry: shape for entry, shape in scene.shapes.items() if shape.bounded}, ignored=[], hidden=[]
        )
        asked = [scene.nearest(entry) for entry in scene.shapes if entry not in scene.hidden]
        asked += [
            bounded.colliding_pairs(),
            bounded.moved("ball", [0.2, 0, 0]).pairs_of("ball"),
            bounded.sweep("Sphere[2]", motion=[1, 2, 3]),
            scene.contacts().signed_distance,
        ]
        yield name, digest(scene.colliding_pairs(), *asked)


def of_poses(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask what bodies touch in many poses."""
    bodies, (places, turns) = Bodies(mixed(), GROUPS), some_poses(np.random.default_rng(seed), 10 * count, spread=4.0)
    yield "poses", digest(*(ask(places, turns) for ask in (bodies.touching, bodies.nearest_pair, bodies.distances)))


def of_spheres(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask for the smallest spheres around shapes."""
    rng = np.random.default_rng(seed)
    yield "spheres", digest(*(sphere_around(rng.normal(size=(size, 3)).round(1)) for size in range(1, count)))


def of_marks(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Draw lines, dots and patches as triangles."""
    rng = np.random.default_rng(seed)
    view = Viewport(Camera((0, 0, 5), up=(0, 1, 0)), (640, 480))
    for k in range(count):
        points = rng.normal(size=(5, 3)) * 4.0
        marks = [
            Marker(points, Role.CONTACT),
            Stroke(points[:4], points[1:], Role.NEAREST),
            Patch(points[None, :4], Role.CONTACT),
        ]
        yield f"marks {k}", digest(*layers(marks, view, LIGHT, 1.0))


if __name__ == "__main__":
    count, seed = map(int, sys.argv[1:])
    answered = (
        *of_pairs(count, seed),
        *of_blocks(count, seed),
        *of_turning(seed),
        *of_scenes(seed),
        *of_poses(count, seed),
        *of_spheres(count, seed),
    )
    for title, bits in (*answered, *of_marks(count, seed)):
        print(title, bits)
    print(*[loop.name for loop in loops_of("collision", "viewer.stage.marks") if "run" in vars(loop)])
