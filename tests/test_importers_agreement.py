"""Imported models against MuJoCo's own contacts and distances: on real robots, and on worlds made to try every rule."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from collision import OrientedBox, Scene, signed_distance
from collision.importers import Model, load_model
from tests.slow import deep

mujoco = pytest.importorskip("mujoco", reason='needs the robots extra: pip install ".[robots]"')
gymnasium = pytest.importorskip("gymnasium", reason='needs the test extra: pip install ".[test]"')

ROBOTS = Path(str(files("gymnasium"))) / "envs" / "mujoco" / "assets"

#: Pairs whose signed distance is nearer to zero than this (in meters; robots are about one) may go either way.
BAND = 1e-9

Rng = np.random.Generator
Pair = tuple[str, str]
Pairs = dict[Pair, float]


@pytest.fixture(autouse=True)
def _quiet_oracle() -> Iterator[None]:
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: None)
    yield
    mujoco.set_mju_user_warning(before)


class Oracle:
    """MuJoCo itself: the model is compiled here once more, and geoms go by the names in the file."""

    def __init__(self, file: Path) -> None:
        self.model = mujoco.MjModel.from_xml_path(str(file))
        self.data = mujoco.MjData(self.model)
        bodies = [self.model.body(i).name for i in self.model.geom_bodyid]
        starts = self.model.body_geomadr[self.model.geom_bodyid]
        self.names = [self.model.geom(i).name or f"{bodies[i]}/geom{i - starts[i]}" for i in range(self.model.ngeom)]

    def pose(self, qpos: Any) -> None:
        self.data.qpos[:] = qpos
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_collision(self.model, self.data)

    def contacts(self, known: set[str]) -> Pairs:
        """Return the deepest contact of each pair of known geoms."""
        deepest: Pairs = {}
        for (i, j), dist in zip(self.data.contact.geom.tolist(), self.data.contact.dist.tolist(), strict=True):
            a, b = sorted((self.names[i], self.names[j]))
            if i != j and {a, b} <= known:
                deepest[a, b] = min(dist, deepest.get((a, b), np.inf))
        return deepest

    def distance(self, a: str, b: str) -> float:
        i, j = self.names.index(a), self.names.index(b)
        return float(mujoco.mj_geomDistance(self.model, self.data, i, j, 1e3, None))

    def random_pose(self, rng: Rng) -> Any:
        """Return any angles, joint limits or not, and any place for what floats."""
        joints = mujoco.mjtJoint
        qpos = self.model.qpos0.copy()
        for kind, start in zip(self.model.jnt_type, self.model.jnt_qposadr, strict=True):
            if kind == joints.mjJNT_FREE:
                qpos[start : start + 7] += rng.normal(size=7)
            elif kind == joints.mjJNT_BALL:
                qpos[start : start + 4] += rng.normal(size=4)
            else:
                qpos[start] += rng.uniform(-np.pi, np.pi) if kind == joints.mjJNT_HINGE else rng.uniform(-0.5, 0.5)
        return qpos


class Tally(NamedTuple):
    """What was compared: pairs in all, those that collide, those within the band, and the largest difference."""

    pairs: int = 0
    hits: int = 0
    near: int = 0
    difference: float = 0.0

    def plus(self, other: "Tally") -> "Tally":
        difference = max(self.difference, other.difference)
        return Tally(self.pairs + other.pairs, self.hits + other.hits, self.near + other.near, difference)


def named(scene: Scene, pairs: Any) -> list[Pair]:
    names = [sorted((scene.element_name(i), scene.element_name(j))) for i, j in pairs.tolist()]
    return [(a, b) for a, b in names]


def compare(model: Model, oracle: Oracle) -> Tally:
    """Assert that the same pairs collide, and as deeply where both measure alike (boxes do not)."""
    scene = model.scene
    contacts = scene.contacts(margin=BAND)
    ours = dict(zip(named(scene, contacts.pairs), contacts.signed_distance.tolist(), strict=True))
    theirs = oracle.contacts(set(scene))
    near = {pair for found in (ours, theirs) for pair, dist in found.items() if abs(dist) < BAND}
    hits = set(named(scene, scene.colliding_pairs())) - near
    assert hits == {pair for pair, dist in theirs.items() if dist <= 0.0} - near
    round_ = {pair for pair in hits if not any(isinstance(scene[name], OrientedBox) for name in pair)}
    difference = max((abs(ours[pair] - theirs[pair]) for pair in round_), default=0.0)
    return Tally(len(scene) * (len(scene) - 1) // 2, len(hits), len(near), difference)


def compare_poses(file: Path, count: int, seed: int) -> Tally:
    """Compare the initial pose and many random ones."""
    model, oracle, rng = load_model(file), Oracle(file), np.random.default_rng(seed)
    tally = Tally()
    for number in range(count):
        qpos = oracle.random_pose(rng) if number else oracle.model.qpos0
        oracle.pose(qpos)
        tally = tally.plus(compare(model.at(qpos), oracle))
    return tally


def report(record: Callable[[str, object], None], what: str, tally: Tally) -> None:
    text = f"{tally.pairs} pairs compared, {tally.hits} collide, {tally.near} within {BAND} of touching left out"
    record(what, f"{text}, signed distances differ by at most {tally.difference:.1e}")
    print(f"{what}: {text}, signed distances differ by at most {tally.difference:.1e}")


# -- robots -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["humanoid", "humanoidstandup", "hopper"])
def test_robots_collide_with_themselves_as_in_mujoco(name: str, record_property: Callable[[str, object], None]) -> None:
    tally = compare_poses(ROBOTS / f"{name}.xml", 100, seed=17)
    report(record_property, name, tally)
    assert tally.pairs > 500
    assert 0.01 < tally.hits / tally.pairs < 0.5
    assert tally.near < tally.pairs / 1000
    assert tally.difference < 1e-14


def test_the_ant_collides_as_in_mujoco(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    # As shipped, its geoms affect the floor alone; with bits that match, the legs meet each other.
    shipped = compare_poses(ROBOTS / "ant.xml", 100, seed=18)
    report(record_property, "ant as shipped", shipped)
    assert shipped.pairs == 100 * 91
    assert 0 < shipped.hits < 1000
    file = tmp_path / "ant.xml"
    text = (ROBOTS / "ant.xml").read_text(encoding="utf-8")
    file.write_text(text.replace('conaffinity="0"', 'conaffinity="1"'), encoding="utf-8")
    tally = compare_poses(file, 300, seed=19)
    report(record_property, "ant with matching bits", tally)
    assert tally.pairs == 300 * 91
    assert 0.05 < tally.hits / tally.pairs < 0.5
    assert tally.difference < 1e-14


def test_every_robot_that_gymnasium_ships_agrees(record_property: Callable[[str, object], None]) -> None:
    robots, total = sorted(ROBOTS.glob("*.xml")), Tally()
    for file in robots:
        total = total.plus(compare_poses(file, 20, seed=20))
    assert len(robots) >= 8
    report(record_property, f"{len(robots)} robots", total)
    assert total.pairs > 10_000


def test_loading_says_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # MuJoCo has something to say of some of them, and would write it to stderr and to a log in the working directory.
    monkeypatch.chdir(tmp_path)
    mujoco.set_mju_user_warning(None)
    for file in ROBOTS.glob("*.xml"):
        load_model(file)
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(mujoco.__version__ < "4", reason="mj_geomDistance was approximate for deep overlaps before")
@pytest.mark.parametrize("name", ["humanoid", "ant"])
def test_distances_of_all_pairs_are_mujocos(name: str, record_property: Callable[[str, object], None]) -> None:
    # Filtered pairs and pairs far apart included: this is about where the shapes are.
    model, oracle, rng = load_model(ROBOTS / f"{name}.xml"), Oracle(ROBOTS / f"{name}.xml"), np.random.default_rng(21)
    differences = []
    for _ in range(10):
        qpos = oracle.random_pose(rng)
        oracle.pose(qpos)
        scene = model.at(qpos).scene
        differences += [
            abs(float(signed_distance(scene[a], scene[b])) - oracle.distance(a, b)) for a, b in combinations(scene, 2)
        ]
    record_property("distances compared", len(differences))
    print(f"{name}: {len(differences)} distances compared, largest difference {max(differences):.1e}")
    assert len(differences) > 700
    assert max(differences) < 1e-14


# -- made-up worlds ---------------------------------------------------------------------------------------------------


def numbers(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)


def litter(rng: Rng, count: int) -> str:
    """Write a world of loose spheres, capsules and turned boxes."""
    sizes = {"sphere": (1, 0.5), "capsule": (2, 0.4), "box": (3, 0.5)}
    bodies = []
    for i in range(count):
        kind = str(rng.choice(list(sizes)))
        how_many, largest = sizes[kind]
        place = f'pos="{numbers(rng.uniform(-1.2, 1.2, 3))}" quat="{numbers(rng.normal(size=4))}"'
        geom = f'<geom name="{kind}{i}" type="{kind}" size="{numbers(rng.uniform(0.05, largest, how_many))}"/>'
        bodies.append(f"<body {place}><freejoint/>{geom}</body>")
    return f"<mujoco><worldbody>{''.join(bodies)}</worldbody></mujoco>"


def test_loose_boxes_capsules_and_spheres_collide_as_in_mujoco(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    rng, file, tally = np.random.default_rng(22), tmp_path / "litter.xml", Tally()
    for _ in range(40):
        file.write_text(litter(rng, 20), encoding="utf-8")
        tally = tally.plus(compare_poses(file, 1, seed=0))
    report(record_property, "loose shapes", tally)
    assert tally.pairs == 40 * 190
    assert 0.03 < tally.hits / tally.pairs < 0.5
    assert tally.difference < 1e-14


def branches(rng: Rng, names: Iterator[int], depth: int) -> str:
    """Write a random tree of bodies; each geom is so large that it overlaps all others: only rules part them."""
    number = next(names)
    kinds = ["", "<joint/>", "<joint type='ball'/>"]
    kinds += ["<freejoint/>", "mocap"] if depth == 0 else []
    kind = str(rng.choice(kinds))
    geoms = "".join(
        f'<geom name="g{number}_{k}" size="100" mass="1" contype="{rng.integers(0, 4)}" '
        f'conaffinity="{rng.integers(0, 4)}"/>'
        for k in range(rng.integers(1, 4))
    )
    children = "".join(branches(rng, names, depth + 1) for _ in range(rng.integers(0, 3) if depth < 3 else 0))
    mocap = 'mocap="true"' if kind == "mocap" else ""
    return f'<body name="b{number}" {mocap}>{"" if mocap else kind}{geoms}{children}</body>'


def rules(rng: Rng) -> str:
    """Write a random world, with excludes and pairs, and with or without the filter of parents."""
    trees = "".join(branches(rng, names, 0) for names in [iter(range(1000))] for _ in range(rng.integers(1, 4)))
    trees += '<geom name="w" size="100"/>' if rng.random() < 0.5 else ""
    bodies = [part.split('"')[0] for part in trees.split('<body name="')[1:]] + ["world"]
    geoms = [part.split('"')[0] for part in trees.split('<geom name="')[1:]]
    chosen = {tuple(rng.choice(bodies, 2, replace=False)) for _ in range(4) if len(bodies) > 1}
    excludes = {frozenset(pair): f"<exclude body1='{pair[0]}' body2='{pair[1]}'/>" for pair in sorted(chosen)}
    chosen = {tuple(rng.choice(geoms, 2, replace=False)) for _ in range(3) if len(geoms) > 1}
    explicit = {frozenset(pair): f"<pair geom1='{pair[0]}' geom2='{pair[1]}'/>" for pair in sorted(chosen)}
    contact = "".join([*excludes.values(), *explicit.values()])
    flag = rng.choice(["enable", "disable"])
    option = f"<option><flag filterparent='{flag}'/></option>"
    return f"<mujoco>{option}<worldbody>{trees}</worldbody><contact>{contact}</contact></mujoco>"


def test_filters_are_mujocos(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    rng, file, tally = np.random.default_rng(23), tmp_path / "rules.xml", Tally()
    for _ in range(150 if deep() else 50):
        file.write_text(rules(rng), encoding="utf-8")
        tally = tally.plus(compare_poses(file, 1, seed=0))
    report(record_property, "filters", tally)
    assert tally.pairs > 3_000
    assert 0.1 < tally.hits / tally.pairs < 0.9
