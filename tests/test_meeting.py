"""Where two solids that collide meet, a curve is drawn: on both surfaces, closed, whatever kinds they are of."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial import cKDTree

from collision import (
    AABB,
    Camera,
    Capsule,
    ConvexHull,
    HalfSpace,
    OrientedBox,
    Point,
    Scene,
    Segment,
    Shape,
    Sphere,
    signed_distance,
)
from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.picture.meeting import MOST, meeting_curves
from viewer.picture.present import present
from viewer.records.drawables import Marker, Role, ShapeFlags, Solid, Stroke
from viewer.records.theme import THEMES, Theme
from viewer.session import Session
from viewer.stage.sight import Sight
from viewer.stage.stage import Stage

Random = np.random.Generator

#: Sees all sizes of shapes alike, so near that none is narrow.
NEAR = Viewport(Camera((0, -9, 0), parallel_height=4.0), (640, 480))


def turned(random: Random) -> FloatArray:
    matrix, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return np.asarray(matrix * np.sign(np.linalg.det(matrix)))


def capsule(random: Random, at: FloatArray) -> Shape:
    way = random.normal(size=3)
    return Capsule(at - way, at + way, random.uniform(0.2, 0.6))


def aligned(random: Random, at: FloatArray) -> Shape:
    half = random.uniform(0.1, 1.0, 3)
    return AABB(at - half, at + half)


def floor(random: Random, at: FloatArray) -> Shape:
    normal = random.normal(size=3)
    return HalfSpace(at, normal / np.linalg.norm(normal))


KINDS: dict[str, Callable[[Random, FloatArray], Shape]] = {
    "ball": lambda random, at: Sphere(at, random.uniform(0.3, 1.0)),
    "capsule": capsule,
    "aligned box": aligned,
    "box": lambda random, at: OrientedBox(at, turned(random), random.uniform(0.1, 1.0, 3)),
    "hull": lambda random, at: ConvexHull(at + random.uniform(0.5, 1.2) * random.normal(size=(12, 3))),
    "half-space": floor,
}


def curve(a: Shape, b: Shape, flags: int = 0) -> FloatArray:
    """Return the pieces (n, 2, 3) of the curve in which two shapes meet."""
    scene = Scene({"a": a, "b": b})
    strokes = Sight(meeting_curves(scene, scene.contacts(), np.full(2, flags, np.uint8))).marks(NEAR)
    strokes = [stroke for stroke in strokes if isinstance(stroke, Stroke)]
    return np.concatenate([np.zeros((0, 2, 3)), *[np.stack([s.start, s.end], axis=1) for s in strokes]])


def length(lines: FloatArray) -> float:
    return float(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum())


@pytest.mark.parametrize(("a", "b"), [*itertools.combinations_with_replacement(KINDS, 2)][:-1])
def test_curves_lie_on_both_surfaces_and_are_closed(a: str, b: str) -> None:
    random, drawn = np.random.default_rng(7), 0
    for _ in range(15):
        shapes = KINDS[a](random, np.zeros(3)), KINDS[b](random, 0.7 * random.normal(size=3))
        lines = curve(*shapes)
        if not len(lines):
            continue
        drawn += 1
        points = lines.reshape(-1, 3)
        away = np.abs([signed_distance(Point(points), shape) for shape in shapes]).max(axis=0)
        assert np.quantile(away, 0.95) < 3e-3
        assert away.max() < 0.1
        assert all(len(ends) > 1 for ends in cKDTree(points).query_ball_point(points, 2e-4)), "each end is one of two"
    assert drawn > 4


def test_the_curve_of_two_boxes_has_their_corners() -> None:
    random, drawn = np.random.default_rng(7), 0
    for _ in range(15):
        shapes = aligned(random, np.zeros(3)), aligned(random, 0.7 * random.normal(size=3))
        lines = curve(*shapes)
        drawn += len(lines) > 0
        middle = lines.mean(axis=1)
        assert np.all(np.abs([signed_distance(Point(middle), shape) for shape in shapes]).max(axis=0) < 1e-6)
    assert drawn > 4


def test_while_something_is_dragged_there_are_curves_of_fewer_pairs_and_of_fewer_pieces() -> None:
    centers = 4.0 * np.stack([*np.mgrid[:5, :6], np.zeros((5, 6))], axis=-1).reshape(-1, 3)
    scene = Scene({"balls": Sphere(centers, 0.5), "boxes": AABB(centers, centers + 0.5)})
    contacts, flags = scene.contacts(), np.zeros(60, np.uint8)
    (rest,), (drag,) = (meeting_curves(scene, contacts, flags, haste=haste) for haste in (False, True))
    pairs = [len(np.unique(np.rint(one.start / 4.0), axis=0)) for one in (rest, drag)]
    assert pairs == [30, MOST[1]]
    assert 3 * len(drag.start) < len(rest.start)


@pytest.mark.parametrize("depth", [2e-3, 0.05, 1.0])
def test_a_ball_in_a_floor_has_a_circle_however_deep(depth: float) -> None:
    wanted = 2.0 * np.pi * np.sqrt(depth * (2.0 - depth))
    for below in (HalfSpace([0, 0, 0], [0, 0, 1]), AABB([-50, -50, -1.2], [50, 50, 0])):
        assert length(curve(Sphere([0.3, 0.2, 1.0 - depth], 1.0), below)) == pytest.approx(wanted, rel=0.02)


def test_of_a_box_in_a_floor_and_of_an_arm_in_a_wall_all_is_drawn() -> None:
    for below in (HalfSpace([0, 0, 0], [0, 0, 1]), AABB([-50, -50, -0.3], [50, 50, 0])):
        for depth in (1e-3, 0.2):
            lines = curve(AABB([0, 0, -depth], [2, 1, 1]), below)
            assert length(lines) == pytest.approx(6.0, rel=0.02)
            assert np.ptp(lines.reshape(-1, 3), axis=0) == pytest.approx([2.0, 1.0, 0.0], abs=1e-3)
    arm, wall = Capsule([-3, 0, 0], [3, 0, 0], 0.25), AABB([-0.1, -5, -5], [0.1, 5, 5])
    assert length(curve(arm, wall)) == pytest.approx(4.0 * np.pi * 0.25, rel=0.01)


def test_what_touches_lies_within_or_has_no_surface_has_no_curve() -> None:
    ball = Sphere([0, 0, 0], 1)
    others = [Sphere([2, 0, 0], 1), Sphere([0, 0, 0], 0.5), Point([0, 0, 0]), Segment([-2, 0, 0], [2, 0, 0])]
    others += [Capsule([-2, 0, 0], [2, 0, 0], 0.0), AABB([-2, 0, 0], [2, 0, 0]), Sphere([0.5, 0, 0], 0.0)]
    for other in others:
        assert not len(curve(ball, other)), other
    assert len(curve(ball, Sphere([1, 0, 0], 1)))
    assert not len(curve(ball, Sphere([1, 0, 0], 1), ShapeFlags.FADED))


def test_what_is_as_narrow_as_a_line_has_no_curve() -> None:
    for width, some in ((0.02, False), (0.5, True)):  # in pixels 2.4 and 60
        rod = Capsule([-3, 0, 0], [3, 0, 0], 0.5 * width)
        assert (len(curve(rod, Sphere([0, 0, 0], 1))) > 0) == some


def test_of_very_many_pairs_the_deepest_have_curves() -> None:
    count = 3 * MOST[0]
    at = np.column_stack([np.linspace(0.0, 9.0 * count, count), np.zeros((count, 2))])
    scene = Scene({"a": Sphere(at, 1.0), "b": Sphere(at + np.array([0, 0, 1.0]), np.linspace(0.6, 0.9, count))})
    (stroke,) = meeting_curves(scene, scene.contacts(), np.zeros(2 * count, np.uint8))
    assert len(np.unique(np.rint(stroke.start[:, 0] / 9.0))) == MOST[0]
    assert stroke.start[:, 0].min() > 9.0


def test_a_picture_has_the_curves_of_pairs_that_collide_and_the_legend_no_word_of_them() -> None:
    session = Session(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([3, 0, 0], 1)}))
    curves = [d for d in present(session) if isinstance(d, Stroke | Marker) and d.role is Role.MEETING]
    assert len(curves) == 1
    assert isinstance(curves[0], Stroke)
    assert np.allclose(curves[0].start[:, 0], 0.5, atol=1e-3)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_curve_is_seen_between_two_red_surfaces_but_not_through_them(theme: Theme) -> None:
    red = np.array([ShapeFlags.HIT], np.uint8)
    solids = [Solid.of(Sphere([[x, 0, 0]], 1.0), red) for x in (-0.6, 0.6)]
    lines = curve(Sphere([-0.6, 0, 0], 1.0), Sphere([0.6, 0, 0], 1.0))
    stroke = Stroke(lines[:, 0], lines[:, 1], Role.MEETING)
    with Stage.offscreen((200, 200), theme) as stage:
        images = []
        for drawables in (solids, [*solids, stroke]):
            stage.draw(drawables, Camera((0, -6, 0), parallel_height=4.0))
            images.append(stage.image().astype(int))
        differs = np.abs(images[1] - images[0]).max(axis=-1) > 40
        assert differs[65:135, 97:103].any(axis=1).all()
        assert not differs[:, :95].any()
        stage.draw([*solids, stroke], Camera((-6, 0, 0), parallel_height=4.0))
        hidden = stage.image().astype(int)
        stage.draw(solids, Camera((-6, 0, 0), parallel_height=4.0))
        assert (np.abs(hidden - stage.image()) <= 2).all(), "from the left, the near ball hides it"
