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
    AABB,
    Bodies,
    Capsule,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
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
from collision.base.fields import FloatArray
from collision.importers import Joint, Model
from collision.kernels.loops import BOUNDS
from collision.models.covers import cover
from collision.native import address, loops_of
from collision.scene.pairs import ONE_CALL
from collision.shapes.bounding import sphere_around
from tests import conftest  # noqa: F401 - which the modules of tests below expect to be there
from tests.corpus import names, stacked
from tests.crowds import crowds
from tests.motions import random_motions
from tests.strategies import KINDS as ALL_KINDS
from tests.strategies import LINE_LIKE, random_pairs
from tests.test_bodies import GROUPS, mixed, some_poses
from tests.test_robust import PAIRWISE, ask_scene, fresh_scene
from tests.turning import random_turnings

#: The pairs of kinds, one for each way in which the two cores with blocks can be read.
KINDS: tuple[tuple[type[Shape], type[Shape]], ...] = (
    (Point, Segment),
    (Sphere, Capsule),
    (Sphere, Ray),
    (Point, Line),
    (Capsule, Capsule),
    (Segment, Ray),
    (Capsule, Line),
    (Line, Ray),
    (Sphere, OrientedBox),
    (Point, AABB),
    (Capsule, OrientedBox),
    (Segment, AABB),
    (Ray, OrientedBox),
    (Line, AABB),
    (OrientedBox, OrientedBox),
    (AABB, OrientedBox),
)


def hard(count: int, seed: int) -> FloatArray:
    """Return four points each, of which the first and the last two are joined by lines that meet in every odd way."""
    rng = np.random.default_rng(seed)
    points = rng.normal(0.0, 1.0, (count, 4, 3))
    part = rng.integers(0, 8, count)
    coarse = np.isin(part, (1, 2))
    points[coarse] = rng.integers(-2, 3, (np.count_nonzero(coarse), 4, 3)) / 2.0  # equal, parallel, crossing, on it
    near = 10.0 ** rng.uniform(-18.0, 0.0, (count, 1)) * rng.normal(0.0, 1.0, (count, 3))
    steps = points[:, 1] - points[:, 0]
    points[part == 3, 3] = (points[:, 2] + steps * rng.uniform(-2.0, 2.0, (count, 1)) + near)[part == 3]  # parallel
    points[part == 4, 2] = (points[:, 0] + steps * rng.uniform(-0.2, 1.2, (count, 1)) + near)[part == 4]  # on the other
    points[part == 5, 2] = points[part == 5, 1]  # end to end
    points[part == 6, 1] = (points[:, 0] + near)[part == 6]  # as short as can be
    points[part == 7] += rng.uniform(-1e8, 1e8, (count, 1, 3))[part == 7]
    scale = np.where(rng.random(count) < 0.3, 10.0 ** rng.uniform(-75.0, 75.0, count), 1.0)
    return np.asarray(points * scale[:, None, None])


def turns(count: int, seed: int) -> FloatArray:
    """Return frames, of which many have parallel axes, and some axes that are nearly so."""
    rng = np.random.default_rng(seed)
    way, other = rng.normal(0.0, 1.0, (2, count, 3))
    part = rng.integers(0, 4, count)
    sharp, near = np.eye(3)[rng.integers(0, 3, (2, count))], 10.0 ** rng.uniform(-18.0, 0.0, (2, count, 1))
    for k in (1, 2):  # about one axis or none, and nearly
        way[part == k], other[part == k] = sharp[0][part == k], sharp[1][part == k] + (k - 1) * other[part == k]
    way[part == 3], other[part == 3] = (sharp + near * (way, other))[:, part == 3]
    x = way / np.linalg.norm(way, axis=-1, keepdims=True)
    z = np.cross(x, other)
    length = np.linalg.norm(z, axis=-1, keepdims=True)
    z = np.where(
        length > 1e-3, z / np.where(length > 1e-3, length, 1.0), np.cross(x, np.roll(x, 1, axis=-1) + sharp[1])
    )
    frames = np.stack([x, np.cross(z, x), z], axis=-1)
    fine = np.abs(np.swapaxes(frames, -1, -2) @ frames - np.eye(3)).max(axis=(-1, -2)) < 1e-12
    frames[~fine] = np.eye(3)
    return np.asarray(frames)


def built(kind: type[Shape], start: FloatArray, end: FloatArray, radius: FloatArray, axes: FloatArray) -> Shape:
    """Return a shape of a kind between points, as far as it has an end."""
    if kind is AABB:
        return AABB(np.minimum(start, end), np.maximum(start, end))
    if kind is OrientedBox:
        return OrientedBox(0.5 * start + 0.5 * end, axes, 0.5 * np.abs(end - start))
    if kind in (Point, Sphere):
        return Point(start) if kind is Point else Sphere(start, radius)
    if kind in (Ray, Line):
        away = np.where((end == start).all(axis=-1, keepdims=True), [0.0, 0.0, 1.0], end - start)
        return Ray(start, away) if kind is Ray else Line(start, away)
    return Segment(start, end) if kind is Segment else Capsule(start, end, radius)


def hard_pair(kinds: tuple[type[Shape], type[Shape]], count: int, seed: int = 1) -> tuple[Shape, Shape]:
    """Return two batches that are hard for each other."""
    points = hard(count, seed)
    radius = np.abs(points[:, 0] - points[:, 3]).max(axis=1) * np.random.default_rng(seed).choice([0.0, 0.3], count)
    axes = turns(count, seed), turns(count, seed + 1)
    axes[1][::3] = axes[0][::3]  # parallel, and nearly where they are rounded
    return built(kinds[0], points[:, 0], points[:, 1], radius, axes[0]), built(
        kinds[1], points[:, 2], points[:, 3], 0.5 * radius, axes[1]
    )


#: Any two kinds.
ORDERED = [*product(ALL_KINDS, ALL_KINDS)]

#: A kind for each core.
CORES = {kind.core_type: kind for kind, _ in ORDERED}.values()


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


def of_many(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask a scene of more shapes than one call takes, and rays for all that they hit."""
    rng = np.random.default_rng(seed)
    many = Scene({"balls": Sphere(rng.uniform(0.0, 20.0, (ONE_CALL + count, 3)), 0.2)})
    rays = Ray(rng.uniform(0.0, 20.0, (count, 3)), rng.normal(size=(count, 3)))
    hits = many.raycast_all(rays)
    yield "many", digest(many.colliding_pairs(), hits.ray, hits.element, hits.enter, hits.exit, hits.point, hits.normal)


def of_bounds(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask for the bounds of every core, infinite ones too."""
    for kind in CORES:
        shapes = stacked([case.a for case in random_pairs(kind, kind, count, seed)]).flattened()
        lower, upper = np.empty((len(shapes), 3)), np.empty((len(shapes), 3))
        BOUNDS[kind.core_type].run(len(shapes), *shapes.operands, address(lower), address(upper))
        yield f"bounds of {kind.__name__}", digest(lower, upper)


def of_poses(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask what bodies touch in many poses."""
    bodies, (places, turns) = Bodies(mixed(), GROUPS), some_poses(np.random.default_rng(seed), 10 * count, spread=4.0)
    yield "poses", digest(*(ask(places, turns) for ask in (bodies.touching, bodies.nearest_pair, bodies.distances)))


def of_spheres(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask for the smallest spheres around shapes."""
    rng = np.random.default_rng(seed)
    yield "spheres", digest(*(sphere_around(rng.normal(size=(size, 3)).round(1)) for size in range(1, count)))


def of_models(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask where the links of a chain of hinges and slides are, and for hulls of few corners around points."""
    rng = np.random.default_rng(seed)
    links: dict[str, dict[str, Shape]] = {f"link {i}": {} for i in range(6)}
    joints = [
        Joint(f"joint {i}", kind, f"link {i}", f"link {i + 1}", axis=rng.normal(size=3), anchor=rng.normal(size=3))
        for i, kind in enumerate(("revolute", "prismatic", "continuous", "planar", "fixed"))
    ]
    model = Model.of(links, joints)
    places = model.forward(rng.normal(size=(count, len(model.q))))
    yield "models", digest(places.position, places.axes)
    yield "covers", digest(*(cover(rng.normal(size=(size, 3)), 8).corners for size in (20, 100)))


if __name__ == "__main__":
    count, seed = map(int, sys.argv[1:])
    answered = (
        *of_pairs(count, seed),
        *of_blocks(count, seed),
        *of_turning(seed),
        *of_scenes(seed),
        *of_many(count, seed),
        *of_bounds(count, seed),
        *of_poses(count, seed),
        *of_models(count, seed),
        *of_spheres(count, seed),
    )
    for title, bits in answered:
        print(title, bits)
    print(*[loop.name for loop in loops_of("collision") if "run" in vars(loop)])
