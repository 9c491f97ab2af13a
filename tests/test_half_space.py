"""Half-spaces: what other tests leave out of them, above all what has no depth, since no move parts it."""

from __future__ import annotations

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Transform,
    all_normals,
    candidate_pairs,
    closest_points,
    contact,
    signed_distance,
    sweep,
    touching_intervals,
    why,
)

GROUND = HalfSpace([0, 0, 1], [0, 0, 1])
TURNED = Transform([3, -2, 5], [0.1, -0.7, 0.3, 0.6])

#: Shapes that no move parts from the ground.
ENDLESS: list[Shape] = [
    Line([1, 2, 5], [1, 1, 1]),
    Ray([1, 2, 5], [0, 1, -1]),
    Ray([1, 2, -5], [0, 1, -1]),
    HalfSpace([1, 2, 5], [0, 1, 1]),
    HalfSpace([1, 2, 5], [0, 0, 1]),
    HalfSpace([1, 2, -5], [0, 0, 1]),
]


@pytest.mark.parametrize("shape", ENDLESS, ids=repr)
@pytest.mark.parametrize("turned", [False, True], ids=["level", "turned"])
def test_what_no_move_parts_has_a_point_in_common_and_no_depth(shape: Shape, turned: bool) -> None:
    a, b = (s.transformed(TURNED) if turned else s for s in (shape, GROUND))
    for one, other in ((a, b), (b, a)):
        found = contact(one, other)
        assert found.touching
        assert found.signed_distance == -np.inf
        assert found.depth == np.inf
        assert np.array_equal(found.on_a, found.on_b)
        assert np.linalg.norm(found.normal) == pytest.approx(1.0, abs=1e-15)
        for side in (one, other):
            assert signed_distance(Point(found.point), side) <= 1e-14
        assert all_normals(one, other).kind == "none"
        assert float(sweep(one, other, motion=[0, 0, 100]).fraction) == 0.0


@pytest.mark.parametrize("way", [[1, 0, 0], [0.6, 0.8, 0.0]])
def test_lines_level_to_rounding_keep_their_distance(way: list[float]) -> None:
    line = Line([0, 0, 4], way)
    assert signed_distance(line, GROUND) == 3.0
    a, b = line.transformed(TURNED), GROUND.transformed(TURNED)
    assert float(signed_distance(a, b)) == pytest.approx(3.0, abs=1e-14)
    assert signed_distance(Line([0, 0, 4], [*way[:2], 1e-15]), GROUND) == 3.0
    assert signed_distance(Line([0, 0, 4], [*way[:2], 1e-12]), GROUND) == -np.inf
    assert signed_distance(Ray([0, 0, 4], [*way[:2], 1e-12]), GROUND) == 3.0


def test_a_normal_follows_the_inverse_of_a_scale() -> None:
    slope = HalfSpace([2, 0, 0], [1, 0, 1]).transformed(Transform(scale=[2, 1, 1]))
    assert isinstance(slope, HalfSpace)
    along = np.array([2.0, 0.0, -1.0])  # was (1, 0, -1), in the plane
    assert abs(float(slope.normal @ along)) < 1e-15
    mirrored = GROUND.transformed(Transform(scale=[1, 1, -1]))
    assert mirrored == HalfSpace([0, 0, -1], [0, 0, -1])
    assert HalfSpace([0, 0, 1], [0, 0, 1]).transformed(Transform(scale=[1e-200, 1, 1e200])) == HalfSpace(
        [0, 0, 1e200], [0, 0, 1]
    )
    with pytest.raises(ValueError, match="a HalfSpace cannot follow a scale of zero"):
        GROUND.transformed(Transform(scale=[1, 0, 1]))


ROOM = {
    "floor": HalfSpace([0, 0, 0], [0, 0, 1]),
    "walls": HalfSpace([[-2, 0, 0], [2, 0, 0], [0, -2, 0], [0, 2, 0]], [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]),
    "ball": Sphere([1.5, 0, 0.5], 1),
}


def test_scenes_do_not_compare_half_spaces_with_each_other() -> None:
    scene, touching = Scene(ROOM), [[0, 5], [2, 5]]
    assert np.isneginf(signed_distance(scene["floor"], scene["walls"])).all()
    for now in (scene, scene.moved("walls[3]", [0, 0.5, 0]), scene.with_shape("lamp", Point([0, 0, 1.5]))):
        assert now.colliding_pairs().tolist() == now.contacts().pairs.tolist() == touching
        assert candidate_pairs(now)[:, 0].tolist().count(0) == 1  # the ball
        for name, others in {"floor": [[0, 5]], "walls": [[2, 5]], "walls[2]": [], "ball": touching}.items():
            assert now.pairs_of(name).tolist() == now.contacts(of=name).pairs.tolist() == others
    assert (near := scene.nearest("walls", k=2)) is not None
    assert near.name.tolist() == [["ball", ""]] * 4
    assert scene.nearest("floor", without="ball") is None
    assert scene.sweep("floor", motion=[0, 0, 9], without="ball").name == ""
    assert scene.contacts_with(scene).pairs.tolist() == [[0, 5], [2, 5], [5, 0], [5, 2], [5, 5]]
    assert len(Scene(ROOM, hidden=["ball"]).colliding_pairs()) == 0
    moving = Scene(ROOM, motion=[Motion("floor", times=[0, 1], offsets=[[0, 0, 0], [0, 0, 1]])])
    assert touching_intervals(moving).pairs.tolist() == [[0, 5], [2, 5]]


def test_the_normal_of_a_half_space_is_the_only_way_out_however_it_is_turned() -> None:
    rng = np.random.default_rng(11)
    solids = [Point([0, 0, 0]), Sphere([0, 0, 0], 2), Segment([-1, 0, 1], [1, 1, 0]), Capsule([0, 0, 0], [0, 2, 0], 1)]
    solids += [AABB([-1, -2, -1], [1, 1, 3]), OrientedBox([0, 0, 0], [0.1, -0.7, 0.3, 0.6], [3, 1, 0])]
    for out in [*rng.normal(size=(50, 3)), [0, 2, 1], [2, 2, -1], [1, 1, 1], [1, 0, 1]]:
        space = HalfSpace([1, 1, 1], out)
        space = space.translated(10.0 * space.normal)
        for solid in solids:
            for sign, pair in ((-1.0, (solid, space)), (1.0, (space, solid))):
                found = all_normals(*pair)
                assert found.kind == "one"
                assert found.corners[0] == pytest.approx(sign * space.normal, abs=1e-15)
    ground, steep = HalfSpace([0, 0, 4], [0, 0, 1]), Line([0, 0, 1], [1, 1, 1.7e-15])  # level to rounding
    assert all_normals(ground, steep).corners.tolist() == [[0.0, 0.0, 1.0]]
    assert all_normals(ground, HalfSpace([0, 0, 1], [1.7e-15, 1.7e-15, -1])).corners.tolist() == [[0.0, 0.0, 1.0]]


def test_reasons_claim_neither_boxes_nor_a_depth_that_there_are_not() -> None:
    scene = Scene({"floor": GROUND, "wall": HalfSpace([0, 0, 0], [1, 0, 0]), "ray": Ray([0, 0, 5], [1, 0, 0])})
    scene = scene.with_shape("pole", Line([0, 0, 0], [0, 0, 1]))
    assert why(scene, "floor", "ray").because == "one of them has no end, but they are 4 apart"
    assert why(scene, "floor", "pole").because == "they overlap, and no move parts them"
    said = "both are half-spaces, which a scene does not compare with each other"
    assert (why(scene, "wall", "floor").because, why(scene, "wall", "floor").reported) == (said, False)
    assert why(scene, "wall", "floor").gate == "half-spaces"
    assert why(scene.ignoring(("wall", "*")), "wall", "floor").gate == "rule"


def test_a_zero_in_a_normal_has_no_sign() -> None:
    """Kernels take the cores in one order; in the other the normal is turned round, and its zeros are not."""
    floor, ball = HalfSpace([0, 0, 0], [0, 0, 1]), Sphere([0, 0, 3], 1)
    normals = [closest_points(floor, ball).normal, sweep(floor, ball, motion=[0, 0, 9]).normal]
    normals += [Scene({"floor": floor, "ball": ball}).contacts(margin=9.0).normal[0]]
    turn = Transform(rotation=[0, 0, 1, 1])
    normals += [sweep(floor, ball, end=Transform([0, 0, 9]), b_end=turn).normal]
    for normal in normals:
        assert normal.tolist() == [0.0, 0.0, 1.0]
        assert not np.signbit(normal).any()
