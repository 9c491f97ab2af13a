"""Ignored pairs are counted as the scene itself leaves them out."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from collision import HalfSpace, Scene, Sphere
from viewer.cli.check import summary
from viewer.picture.notes import half_space_pairs, ignored_count, ignored_note

#: All in one place: every pair that is not ignored collides.
SHAPES = {
    "arm": Sphere([0, 0, 0], 1),
    "arms": Sphere(np.zeros((3, 3)), 1),
    "grid": Sphere(np.zeros((2, 2, 3)), 1),
    "leg": Sphere([0, 0, 0], 1),
    "none": Sphere(np.zeros((0, 3)), 1),
}

names = st.sampled_from(
    ["arm", "arms", "arms[0]", "arms[2]", "grid", "grid[0,1]", "leg", "none", "*", "arm*", "arms[*", "*g", "no*e"]
)


@given(st.lists(st.tuples(names, names), max_size=6))
def test_a_pair_is_counted_once_however_often_it_is_ignored(ignored: list[tuple[str, str]]) -> None:
    scene = Scene(SHAPES, ignored=ignored)
    count = scene.element_count
    assert ignored_count(scene) == count * (count - 1) // 2 - len(scene.colliding_pairs())


def test_moving_a_shape_changes_nothing_and_more_shapes_do() -> None:
    scene = Scene(SHAPES, ignored=[("arms*", "arms*")])
    hidden = scene.replaced(hidden=[*scene])
    steps = {
        scene: 3,
        scene.moved("arms[1]", [9, 0, 0]): 3,
        scene.with_shape("arms", Sphere(np.zeros((4, 3)), 1)): 6,
        scene.ignoring(("arm", "leg")): 4,
        hidden: 3,
        hidden.replaced(shapes=SHAPES | {"arms": Sphere(np.zeros((5, 3)), 1)}): 10,
    }
    for step, count in steps.items():
        assert ignored_count(step) == count


def test_it_is_said_where_there_are_any() -> None:
    scene = Scene({"a": SHAPES["arm"], "b": SHAPES["leg"]})
    assert ignored_note(ignored_count(scene)) == ""
    assert summary(scene, 1) == "1 pair of 2 shapes collides."
    deaf = scene.ignoring(("a", "b"))
    assert ignored_note(ignored_count(deaf)) == "1 pair ignored"
    assert summary(deaf, 0, margin=1.0) == ("No pair of 2 shapes is within 1 of each other; 1 pair ignored.")


def test_it_is_said_that_half_spaces_are_not_compared_with_each_other() -> None:
    floor, walls = HalfSpace([0, 0, 0], [0, 0, 1]), HalfSpace(np.zeros((2, 3)), [[1, 0, 0], [0, 1, 0]])
    room = Scene({"ball": Sphere([9, 9, 9], 1), "floor": floor, "walls": walls})
    assert not len(room.colliding_pairs())
    assert summary(room, 0) == "No pair of 4 shapes collides; 3 pairs of half-spaces are not compared."
    deaf = room.ignoring(("floor", "walls[0]")).ignoring(("ball", "floor"))
    assert summary(deaf, 0).endswith("; 2 pairs ignored; 2 pairs of half-spaces are not compared.")
    assert summary(room.replaced(hidden=["walls[1]"]), 0).endswith("; 1 pair of half-spaces is not compared.")
    assert half_space_pairs(room.without("floor").ignoring(("walls*", "walls*"))) == 0
