"""Many questions to a scene at once: the nearest shapes, first hits of rays, two scenes, and lines among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from collision import Line, Point, Ray, Scene
from collision.base.fields import FloatArray
from tests.benchmarks import peers
from tests.benchmarks.inputs import Crowd, crowd
from tests.benchmarks.measure import (
    Bench,
    Contestant,
    Disagreement,
    Effort,
    Row,
    Task,
    at_most,
    close,
    faster,
    within,
)

#: A million points among a thousand shapes, on two processors.
_LIMIT = 0.5

#: How many of the nearest, where several are asked for.
_SOME = 8


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task(f"nearest of {effort.among:,} shapes to {effort.asked:,} points", _nearest)
    yield Task(f"{_SOME} nearest of {effort.among:,} shapes to {effort.rays:,} points", _some_nearest)
    yield Task(f"first hits of {effort.rays:,} rays among {effort.ray_shapes:,} shapes", _rays)
    yield Task(f"contacts of two scenes of {effort.ray_shapes:,} shapes", _scenes)
    yield Task(f"{effort.lines:,} lines among {effort.ray_shapes:,} shapes", _lines)


def _places(shapes: Crowd, count: int) -> FloatArray:
    """Return places in and around shapes."""
    bounds = shapes.scene().bounds()
    assert bounds is not None
    return np.random.default_rng(7).uniform(bounds.lower - 1.0, bounds.upper + 1.0, (count, 3))


def _nearest(bench: Bench) -> Iterable[Row]:
    effort = bench.effort
    bench.say("making shapes")
    shapes = crowd(effort.among)
    scene, places = shapes.scene(), _places(shapes, effort.asked)
    points, few = Point(places), places[: effort.sampled // 10]

    def distances() -> FloatArray:
        found = scene.nearest(points)
        assert found is not None
        return found.signed_distance

    contestants = {"ours": Contestant(distances)}
    fcl = peers.load("python-fcl")
    if fcl:
        contestants["python-fcl"] = Contestant(fcl.nearest_loop(shapes, few), effort.asked / len(few))
    results = bench.race(**contestants)
    if fcl:  # which says nothing of depths
        ours, theirs = results["ours"].answer[: len(few)], np.array(results["python-fcl"].answer)
        close(np.maximum(ours, 0.0), np.maximum(theirs, 0.0), 1e-6, "python-fcl, nearest")
    work = f"nearest of {effort.among:,} shapes to {effort.asked:,} points"
    yield Row(work, "", results["ours"], goal=within(_LIMIT), alone=True)
    note = "python-fcl is not installed"
    yield Row(work, "", results["ours"], "python-fcl", results.get("python-fcl"), faster(10.0), note)


def _some_nearest(bench: Bench) -> Iterable[Row]:
    """Find several of the nearest, and the nearest one alone."""
    effort = bench.effort
    shapes = crowd(effort.among)
    scene, points = shapes.scene(), Point(_places(shapes, effort.rays))

    def distances(count: int) -> FloatArray:
        found = scene.nearest(points, k=count)
        assert found is not None
        return found.signed_distance

    results = bench.race(ours=Contestant(lambda: distances(_SOME)), one=Contestant(lambda: distances(1)))
    close(results["ours"].answer[:, 0], results["one"].answer[:, 0], 0.0, "the nearest one, of several")
    work = f"the {_SOME} nearest of {effort.among:,} shapes to {effort.rays:,} points"
    yield Row(work, "", results["ours"], "the nearest one", results["one"], at_most(float(_SOME)))


def _rays(bench: Bench) -> Iterable[Row]:
    effort = bench.effort
    bench.say("making shapes")
    shapes = crowd(effort.ray_shapes)
    scene, origins = shapes.scene(), _places(shapes, effort.rays)
    rays = Ray(origins, np.random.default_rng(8).normal(size=origins.shape))
    few = rays[: effort.sampled // 10]
    contestants = {"ours": Contestant(lambda: scene.raycast(rays))}
    mujoco = peers.load("MuJoCo")
    if mujoco:
        bench.say("making a model for MuJoCo")
        contestants["MuJoCo"] = Contestant(mujoco.ray_loop(shapes, few), len(rays) / len(few))
    results = bench.race(**contestants)
    if mujoco:
        ours, theirs = results["ours"].answer.enter[: len(few)], np.array(results["MuJoCo"].answer)
        outside = ours != 0.0  # from inside MuJoCo's rays go on to the surface
        if not np.array_equal(np.isnan(ours[outside]), theirs[outside] < 0.0):
            raise Disagreement("MuJoCo, rays: other rays hit")
        both = outside & ~np.isnan(ours)
        close(ours[both], theirs[both], 1e-6, "MuJoCo, rays")
    work = f"first hits of {effort.rays:,} rays among {effort.ray_shapes:,} shapes"
    yield Row(work, "", results["ours"], "MuJoCo", results.get("MuJoCo"), faster(10.0), "MuJoCo is not installed")


def _scenes(bench: Bench) -> Iterable[Row]:
    count = bench.effort.ray_shapes
    bench.say("making shapes")
    one, other = crowd(count), crowd(count, seed=9)
    a, b = one.scene(), other.scene()
    contestants = {"ours": Contestant(lambda: a.contacts_with(b))}
    coal = peers.load("coal")
    if coal:
        contestants["coal"] = Contestant(coal.contacts_of_two(one, other))
    results = bench.race(**contestants)
    if coal:
        found, theirs = len(results["ours"].answer), len(coal.pairs_found(results["coal"].answer))
        if abs(found - theirs) > 1e-3 * found:
            raise Disagreement(f"coal, two scenes: {theirs} contacts, not {found}")
    work = f"contacts of two scenes of {count:,} shapes"
    yield Row(work, "", results["ours"], "coal", results.get("coal"), faster(1.0), "coal is not installed")


def _lines(bench: Bench) -> Iterable[Row]:
    """Find all colliding pairs of a scene with lines in it; and of the scene without them."""
    effort = bench.effort
    bench.say("making shapes")
    shapes, rng = crowd(effort.ray_shapes), np.random.default_rng(10)
    entries = shapes.scene().shapes
    lines = Line(_places(shapes, effort.lines), rng.normal(size=(effort.lines, 3)))
    results = bench.race(
        ours=Contestant(lambda: Scene({**entries, "lines": lines}).colliding_pairs()),
        without=Contestant(lambda: Scene(entries).colliding_pairs()),
    )
    work = f"colliding pairs with {effort.lines:,} lines among {effort.ray_shapes:,} shapes"
    yield Row(work, "", results["ours"], "without the lines", results["without"], at_most(20.0))
