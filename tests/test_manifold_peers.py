"""Contact patches beside those of other libraries, where these are installed: MuJoCo, Bullet and coal.

Where shapes lie on each other without a tilt, all give the same points. Where they are tilted, MuJoCo prefers normals
of faces, and measures points of a capsule along normals of their own: they are off by as much as the tilt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.random import Generator
from scipy.spatial.transform import Rotation

from collision import Capsule, HalfSpace, OrientedBox, Shape, manifold
from collision.base.fields import FloatArray


class Placed(NamedTuple):
    """A box (half extents), a capsule (radius, half its length; along its own z) or a plane (across its z)."""

    kind: str
    sizes: tuple[float, ...]
    place: FloatArray
    axes: FloatArray

    @property
    def shape(self) -> Shape:
        if self.kind == "box":
            return OrientedBox(self.place, self.axes, self.sizes)
        if self.kind == "plane":
            return HalfSpace(self.place, self.axes[:, 2])
        step = self.sizes[1] * self.axes[:, 2]
        return Capsule(self.place - step, self.place + step, self.sizes[0])


class Patch(NamedTuple):
    """The middles between the points on both shapes, their signed distances, and the normal (NaN if it is not said)."""

    points: FloatArray
    signed_distance: FloatArray
    normal: FloatArray


Pair = tuple[Placed, Placed]
NO_NORMAL = np.full(3, np.nan)


def ours(a: Placed, b: Placed, **options: float) -> Patch:
    patch = manifold(a.shape, b.shape, **options)
    count = int(patch.count)
    return Patch(patch.point[:count], patch.signed_distance[:count], patch.normal)


# --- how others are asked -------------------------------------------------------------------------


def ask_mujoco(pairs: list[Pair]) -> list[Patch]:
    mujoco: Any = pytest.importorskip("mujoco")
    found = []
    for pair in pairs:
        bodies = "".join(
            f"<body pos='{text(one.place)}' quat='{text(quaternion(one)[[3, 0, 1, 2]])}'>"
            f"{'' if one.kind == 'plane' else '<freejoint/>'}<geom type='{one.kind}' size='{text(one.sizes)}'/></body>"
            for one in pair
        )
        model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        points = np.array([contact.pos for contact in data.contact]).reshape(-1, 3)
        normal = data.contact[0].frame[:3].copy() if len(points) else NO_NORMAL
        # Kinds in an order of its own: the normal may be from B to A.
        turned = len(points) > 0 and data.contact[0].geom[0] == 1
        found.append(Patch(points, np.array([contact.dist for contact in data.contact]), -normal if turned else normal))
    return found


def ask_bullet(pairs: list[Pair]) -> list[Patch]:
    bullet: Any = pytest.importorskip("pybullet")
    client = bullet.connect(bullet.DIRECT)
    found = []
    for pair in pairs:
        bullet.resetSimulation(physicsClientId=client)
        numbers = []
        for one in pair:
            sizes = {"halfExtents": list(one.sizes)}
            if one.kind == "capsule":
                sizes = {"radius": one.sizes[0], "height": 2.0 * one.sizes[1]}  # type: ignore[dict-item]
            kind = bullet.GEOM_BOX if one.kind == "box" else bullet.GEOM_CAPSULE
            form = bullet.createCollisionShape(kind, physicsClientId=client, **sizes)
            numbers.append(bullet.createMultiBody(1.0, form, -1, one.place, quaternion(one), physicsClientId=client))
        bullet.performCollisionDetection(physicsClientId=client)
        contacts = bullet.getContactPoints(*numbers, physicsClientId=client)
        points = np.array([0.5 * np.add(contact[5], contact[6]) for contact in contacts]).reshape(-1, 3)
        found.append(Patch(points, np.array([contact[8] for contact in contacts]), NO_NORMAL))
    bullet.disconnect(client)
    return found


def ask_coal(pairs: list[Pair]) -> list[Patch]:
    coal: Any = pytest.importorskip("coal")
    found = []
    for pair in pairs:
        parts: list[Any] = []
        for one in pair:
            box = one.kind == "box"
            form = coal.Box(*2.0 * np.array(one.sizes)) if box else coal.Capsule(one.sizes[0], 2.0 * one.sizes[1])
            parts += [form, coal.Transform3s(one.axes, one.place)]
        touch, patches = coal.CollisionResult(), coal.ContactPatchResult()
        coal.collide(*parts, coal.CollisionRequest(), touch)
        coal.computeContactPatch(*parts, touch, coal.ContactPatchRequest(), patches)
        patch = patches.getContactPatch(0)
        points = np.array([patch.getPoint(i) for i in range(patch.size())]).reshape(-1, 3)
        found.append(Patch(points, np.full(len(points), patch.penetration_depth), patch.getNormal()))
    return found


def text(values: Any) -> str:
    return " ".join(repr(float(value)) for value in values)


def quaternion(one: Placed) -> FloatArray:
    return np.asarray(Rotation.from_matrix(one.axes).as_quat())


# --- what they are asked --------------------------------------------------------------------------


def box_on_box(tilt: float, rng: Generator) -> Pair:
    lower, upper = rng.uniform(0.5, 1.0, 3), rng.uniform(0.3, 0.8, 3)
    height = lower[2] + upper[2] - rng.uniform(0.01, 0.05)
    place = np.array([*rng.uniform(-0.5, 0.5, 2), height])
    frames = [spun(rng), tilted(tilt, rng) @ spun(rng)]
    return Placed("box", tuple(lower), np.zeros(3), frames[0]), Placed("box", tuple(upper), place, frames[1])


def capsule_on_box(tilt: float, rng: Generator) -> Pair:
    half, radius, length = rng.uniform(1.0, 2.0, 3), float(rng.uniform(0.2, 0.5)), float(rng.uniform(0.2, 0.6))
    lying = tilted(tilt, rng) @ spun(rng) @ Rotation.from_euler("y", 0.5 * np.pi).as_matrix()
    place = np.array([*rng.uniform(-0.2, 0.2, 2), half[2] + radius - rng.uniform(0.01, 0.05)])
    return Placed("box", tuple(half), np.zeros(3), np.eye(3)), Placed("capsule", (radius, length), place, lying)


def capsules_side_by_side(tilt: float, rng: Generator) -> Pair:
    radii, lengths = rng.uniform(0.2, 0.5, 2), rng.uniform(0.5, 1.0, 2)
    axes, around = Rotation.random(rng=rng).as_matrix(), float(rng.uniform(0.0, 7.0))
    aside = (radii.sum() - rng.uniform(0.01, 0.05)) * np.array([np.cos(around), np.sin(around), 0.0])
    aside[2] = rng.uniform(-0.5, 0.5)
    first = Placed("capsule", (radii[0], lengths[0]), np.zeros(3), axes)
    return first, Placed("capsule", (radii[1], lengths[1]), axes @ aside, tilted(tilt, rng) @ axes)


def on_a_plane(upper: Pair, rng: Generator) -> Pair:
    """Return what is on a box on the plane of its upper face instead, all of it turned and moved."""
    box, one = upper
    axes, place = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3)
    plane = Placed("plane", (9.0, 9.0, 1.0), place + axes @ [0.0, 0.0, box.sizes[2]], axes)
    return plane, one._replace(place=place + axes @ one.place, axes=axes @ one.axes)


def box_on_plane(tilt: float, rng: Generator) -> Pair:
    return on_a_plane(box_on_box(tilt, rng), rng)


def capsule_on_plane(tilt: float, rng: Generator) -> Pair:
    return on_a_plane(capsule_on_box(tilt, rng), rng)


def spun(rng: Generator) -> FloatArray:
    return np.asarray(Rotation.from_euler("z", float(rng.uniform(0.0, 7.0))).as_matrix())


def tilted(angle: float, rng: Generator) -> FloatArray:
    axis = rng.normal(size=3)
    return np.asarray(Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix())


def farthest(points: Patch, among: Patch) -> float:
    """Return by how much at most a point, with its signed distance, is none of those among which it is sought."""
    steps = np.linalg.norm(points.points[:, None] - among.points[None], axis=-1)
    depths = np.abs(points.signed_distance[:, None] - among.signed_distance[None])
    return float((steps + depths).min(axis=1, initial=np.inf).max(initial=0.0))


# --- what they answer -----------------------------------------------------------------------------

MAKERS: dict[str, Callable[[float, Generator], Pair]] = {
    "box on box": box_on_box,
    "capsule on box": capsule_on_box,
    "capsule beside capsule": capsules_side_by_side,
    "box on plane": box_on_plane,
    "capsule on plane": capsule_on_plane,
}


def pairs_of(name: str, tilt: float, count: int = 100) -> list[Pair]:
    rng = np.random.default_rng([12, *name.encode()])
    return [MAKERS[name](tilt, rng) for _ in range(count)]


@pytest.mark.parametrize("name", MAKERS)
def test_mujoco_has_the_same_points_of_shapes_that_lie_level(name: str) -> None:
    pairs = pairs_of(name, 0.0)
    for pair, theirs in zip(pairs, ask_mujoco(pairs), strict=True):
        mine = ours(*pair)
        assert len(mine.points) == len(theirs.points)
        assert farthest(theirs, mine) < 1e-14
        assert farthest(mine, theirs) < 1e-14
        np.testing.assert_allclose(mine.normal, theirs.normal, atol=1e-14)


@pytest.mark.parametrize("name", ["box on box", "capsule on box", "box on plane", "capsule on plane"])
@pytest.mark.parametrize("tilt", [1e-6, 1e-3, 0.03])
def test_mujoco_has_nearly_the_same_points_of_shapes_that_are_tilted(name: str, tilt: float) -> None:
    pairs = pairs_of(name, tilt)
    compared = 0
    for pair, theirs in zip(pairs, ask_mujoco(pairs), strict=True):
        mine = ours(*pair)
        if len(mine.points) == len(theirs.points):
            assert farthest(theirs, mine) < 4.0 * tilt
            assert abs(mine.signed_distance.min() - theirs.signed_distance.min()) < 1e-14 or name == "box on box"
            if np.abs(mine.normal - theirs.normal).max() < 1e-12 and name == "box on box":
                assert farthest(theirs, mine) < 1e-13  # and no longer nearly
            compared += 1
    assert compared > 60  # MuJoCo looks at fewer points where it takes edges to touch


def test_mujoco_has_no_other_points_of_boxes_at_any_angle() -> None:
    """Along the same normal, that is; of edges that cross it has one point only, where others overlap too."""
    rng = np.random.default_rng(13)
    pairs: list[Pair] = []
    for _ in range(300):
        sizes, places = rng.uniform(0.3, 1.0, (2, 3)), rng.normal(0.0, 0.7, (2, 3))
        parts = zip(sizes, places, Rotation.random(2, rng=rng).as_matrix(), strict=True)
        a, b = (Placed("box", tuple(size), place, axes) for size, place, axes in parts)
        pairs.append((a, b))
    compared = 0
    for pair, theirs in zip(pairs, ask_mujoco(pairs), strict=True):
        mine = ours(*pair, angle=1.0)
        assert (len(mine.points) > 0) == (len(theirs.points) > 0)
        if np.abs(mine.normal - theirs.normal).max() < 1e-12:
            assert farthest(theirs, mine) < 1e-12
            compared += 1
    assert compared > 130


def test_bullet_has_some_of_the_same_points() -> None:
    """It keeps four at most."""
    pairs = pairs_of("box on box", 0.0)
    for pair, theirs in zip(pairs, ask_bullet(pairs), strict=True):
        mine = ours(*pair)
        assert len(theirs.points) == min(len(mine.points), 4)
        assert farthest(theirs, mine) < 1e-14


def test_coal_has_the_same_points() -> None:
    """To 1e-9, as its depths are found to a tolerance."""
    pairs = pairs_of("box on box", 0.0)
    for pair, theirs in zip(pairs, ask_coal(pairs), strict=True):
        mine = ours(*pair)
        assert len(theirs.points) == len(mine.points)
        assert farthest(theirs, mine) < 1e-9
        np.testing.assert_allclose(mine.normal, theirs.normal, atol=1e-9)
