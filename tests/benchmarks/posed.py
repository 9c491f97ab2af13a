"""Many poses of one scene: a robot of spheres among obstacles, on one core and on all, and worlds of many shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from collision import Bodies, Capsule, OrientedBox, Scene, Sphere
from collision.base.fields import FloatArray
from tests.benchmarks import peers
from tests.benchmarks.measure import Bench, Contestant, Disagreement, Effort, Row, Task, close, faster, within

#: Links of the robot, and its spheres, which they share.
LINKS, SPHERES = 11, 59

#: Obstacles of each of three kinds.
EACH = 10

#: Poses of one call on one core: too few to be shared among threads.
ALONE = 1_000

#: Shapes of a world.
WORLD = 100


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task("poses of a robot on one core", _alone)
    yield Task(f"{effort.poses:,} poses of a robot on all cores", _robot)
    yield Task(f"{effort.worlds:,} worlds of {WORLD} shapes", _worlds)


def robot() -> Bodies:
    """Return a chain of links, each of some spheres, among spheres, capsules and boxes; neighbours are not compared."""
    rng = np.random.default_rng(21)
    counts = np.full(LINKS, SPHERES // LINKS) + (np.arange(LINKS) < SPHERES % LINKS)
    links = {
        f"link {k}": Sphere(rng.uniform(-0.1, 0.1, (n, 3)), rng.uniform(0.03, 0.07, n)) for k, n in enumerate(counts)
    }
    places = rng.normal(size=(3 * EACH, 3))
    places *= rng.uniform(0.9, 1.7, (3 * EACH, 1)) / np.linalg.norm(places, axis=1, keepdims=True)
    balls, rods, boxes = np.split(places, 3)
    half = rng.normal(size=(EACH, 3)) * 0.15
    around = {
        "balls": Sphere(balls, rng.uniform(0.05, 0.2, EACH)),
        "rods": Capsule(rods - half, rods + half, 0.06),
        "boxes": OrientedBox(boxes, rng.normal(size=(EACH, 4)), rng.uniform(0.05, 0.2, (EACH, 3))),
    }
    scene = Scene({**links, **around}, ignored=[(f"link {k}", f"link {k + 1}") for k in range(LINKS - 1)])
    return Bodies(scene, list(links))


def robot_poses(count: int) -> tuple[FloatArray, FloatArray]:
    """Return poses of a chain that bends: links some way along the z axis of the one before, and turned a little."""
    rng = np.random.default_rng(22)
    axes = np.broadcast_to(np.eye(3), (count, 3, 3))
    places, turns, place = np.empty((count, LINKS, 3)), np.empty((count, LINKS, 3, 3)), np.zeros((count, 3))
    for link in range(LINKS):
        axes = axes @ _bends(rng.normal(size=(count, 3)) * 0.5)
        places[:, link], turns[:, link] = place, axes
        place = place + 0.16 * axes[:, :, 2]
    return places, turns


def _bends(vectors: FloatArray) -> FloatArray:
    """Return the rotations (n, 3, 3) about vectors by their lengths."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None]
    x, y, z = (vectors / angle[:, :, 0]).T
    zero = np.zeros(len(vectors))
    cross = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross)


def _alone(bench: Bench) -> Iterable[Row]:
    """Ask for few poses at a time, in one thread; of each what it takes for one."""
    bodies, (places, turns) = robot(), robot_poses(ALONE)
    quaternions = peers.quaternions_of(turns)
    one = 1.0 / ALONE
    contestants = {
        "verdict": Contestant(lambda: bodies.touching(places, turns), one),
        "quaternions": Contestant(lambda: bodies.touching(places, quaternions), one),
        "nearest": Contestant(lambda: bodies.nearest_pair(places, turns), one),
    }
    few = slice(min(bench.effort.sampled // 4, ALONE))
    mujoco = peers.load("MuJoCo")
    if mujoco:
        bench.say("making a model for MuJoCo")
        contestants["MuJoCo"] = Contestant(mujoco.pose_loop(bodies, places[few], quaternions[few]), 1.0 / (few.stop))
    results = bench.race(often=3, **contestants)
    touching, nearest = results["verdict"].answer, results["nearest"].answer
    if not np.array_equal(touching, nearest.signed_distance <= 0.0):
        raise Disagreement("the smallest distances are not those of what touches")
    if mujoco and not np.array_equal(touching[few], results["MuJoCo"].answer):
        raise Disagreement("MuJoCo, poses: others touch")
    work, note = f"a pose of {SPHERES} spheres in {LINKS} bodies, on one core", "MuJoCo is not installed"
    yield Row(work, "touching", results["verdict"], goal=within(1.5e-6), alone=True)
    yield Row(work, "touching, by quaternions", results["quaternions"], goal=within(1.5e-6), alone=True)
    yield Row(work, "nearest pair", results["nearest"], goal=within(4e-6), alone=True)
    yield Row(work, "touching", results["verdict"], "MuJoCo", results.get("MuJoCo"), faster(3.0), note)


def _robot(bench: Bench) -> Iterable[Row]:
    count = bench.effort.poses
    bodies, (places, turns) = robot(), robot_poses(count)
    results = bench.race(
        touching=Contestant(lambda: bodies.touching(places, turns)),
        nearest=Contestant(lambda: bodies.nearest_pair(places, turns)),
    )
    for name, work in (("touching", "touching"), ("nearest", "nearest pair")):
        yield Row(f"{count:,} poses of {SPHERES} spheres in {LINKS} bodies", work, results[name], alone=True)


def _worlds(bench: Bench) -> Iterable[Row]:
    """Ask for many worlds of the same shapes at other places; most have no touch, so that all pairs are looked at."""
    count, rng = bench.effort.worlds, np.random.default_rng(23)
    balls, rods, boxes = WORLD // 2, WORLD // 4, WORLD // 4
    shapes = {
        "balls": Sphere(np.zeros((balls, 3)), rng.uniform(0.1, 0.3, balls)),
        "rods": Capsule(np.zeros((rods, 3)), [0.3, 0.0, 0.0], 0.1),
        "boxes": OrientedBox(np.zeros((boxes, 3)), np.eye(3), rng.uniform(0.05, 0.2, (boxes, 3))),
    }
    bodies = Bodies.one_each(Scene(shapes))
    places, turns = rng.uniform(-12.0, 12.0, (count, WORLD, 3)), rng.normal(size=(count, WORLD, 4))
    few = min(count, bench.effort.sampled // 100)

    def one_by_one() -> list[bool]:
        return [len(bodies.at(places[k], turns[k]).colliding_pairs()) > 0 for k in range(few)]

    results = bench.race(
        ours=Contestant(lambda: bodies.touching(places, turns), 1.0 / count),
        scenes=Contestant(one_by_one, 1.0 / few),
    )
    close(results["ours"].answer[:few].astype(float), np.array(results["scenes"].answer, dtype=float), 0.0, "worlds")
    work = f"a world of {WORLD} shapes, of {count:,}"
    yield Row(work, "touching", results["ours"], goal=within(1e-5), alone=True)
    yield Row(work, "touching", results["ours"], "a scene each", results["scenes"], faster(10.0))
