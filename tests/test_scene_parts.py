"""What a scene is made of, and what it says of parts that it cannot be made of; how it is written out."""

from __future__ import annotations

import pickle
import re
import warnings
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    CapsuleCollider,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Show,
    Sphere,
    crossings,
    raycast,
    sweep,
)

BALL = Sphere([0, 0, 0], 1)
SCENE = Scene({"ball": BALL, "crowd": Sphere([[5, 0, 0], [6, 0, 0]], 1)}, title="Some")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Scene([BALL]), r"^Scene takes a mapping of names to shapes, such as \{'ball': .*\}, got list$"),
        (lambda: Scene(BALL), r"^Scene takes a mapping of names to shapes, .*, got Sphere$"),
        (lambda: Scene(None), r"^Scene takes a mapping of names to shapes, .*, got NoneType$"),
        (lambda: Scene({"a": 3}), "^scene entry 'a' must be a shape, got int$"),
        (lambda: Scene({"a": CapsuleCollider()}), r"got CapsuleCollider; its \.in_world\(transform\) is the Capsule$"),
        (lambda: SCENE.replaced(shows=Show("bounds", "ball")), r"^shows must be a list of Show, got Show; one alone"),
        (lambda: SCENE.replaced(shows=3), "^shows must be a list of Show, got int$"),
        (lambda: SCENE.replaced(shows=["ball"]), "^shows must be made of Show, got str$"),
        (
            lambda: SCENE.replaced(motion=Motion("ball", [0, 1], [[0, 0, 0]] * 2)),
            "^motion must be a list of Motion, got Motion; one alone",
        ),
        (lambda: SCENE.replaced(motion=[None]), "^motion must be made of Motion, got NoneType$"),
        (lambda: SCENE.replaced(camera=3), "^camera must be a Camera or None, got int$"),
        (lambda: SCENE.replaced(title=3), "^title must be text, got int$"),
        (lambda: SCENE.replaced(caption=None), "^caption must be text, got NoneType$"),
        (lambda: SCENE.replaced(hidden=3), "^hidden must be a name or names, got int$"),
        (lambda: SCENE.replaced(ignored=3), "^ignored must be pairs of names, .*, got 3$"),
        (lambda: SCENE.replaced(shape=3), "^a scene has no 'shape'; did you mean 'shapes'\\?$"),
        (lambda: SCENE.replaced(xyz=3), "^a scene has no 'xyz'; it has shapes, ignored, shows, motion"),
        (lambda: SCENE.moved(3, [0, 0, 0]), "^names must be a name or names, got int$"),
        (lambda: SCENE.element("a"), r"^element takes a number, got 'a'; scene\[name\] takes a name$"),
        (lambda: Show("bounds", 3), "^show: a must be the name of a shape, got 3$"),
        (lambda: Show("contact", "a", None), "^show: b must be the name of a shape, got None$"),
        (lambda: Show("bounds", "a", label=1), "^show: label must be text, got 1$"),
    ],
)
def test_a_part_of_another_type_is_refused_in_a_sentence(wrong: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        wrong()
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            lambda: SCENE.replaced(ignored=("ball", "crowd")),
            r"one pair alone stands in a list: \[\('ball', 'crowd'\)\]$",
        ),
        (
            lambda: SCENE.replaced(hidden="bal"),
            "^hidden: there is no shape named 'bal' in the scene; did you mean 'ball'",
        ),
        (lambda: SCENE.replaced(shows=[Show("bounds", "bal")]), "^show bounds: there is no .*; did you mean 'ball'"),
        (lambda: Show([], "a"), r"^show\.query must be one of .*, got \[\]$"),
    ],
)
def test_a_part_that_cannot_be_is_refused_in_a_sentence(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()


# -- as text -----------------------------------------------------------------------------------------------------------


def test_a_scene_is_written_as_it_is_made() -> None:
    assert repr(Scene({"ball": BALL})) == "Scene({'ball': Sphere(center=[0.0, 0.0, 0.0], radius=1.0)})"
    assert repr(SCENE).endswith("radius=1.0)}, title='Some')")
    assert repr(SCENE.replaced(hidden=["ball"])).endswith("title='Some', hidden=frozenset({'ball'}))")


def test_a_moved_scene_is_written_as_one_made_so() -> None:
    moved = SCENE.moved("ball", [1, 0, 0])
    assert repr(moved) == repr(Scene({"ball": Sphere([1, 0, 0], 1), "crowd": SCENE["crowd"]}, title="Some"))
    assert repr(moved.shapes) == repr({"ball": Sphere([1, 0, 0], 1), "crowd": SCENE["crowd"]})


def test_of_a_large_scene_the_first_entries_are_written() -> None:
    text = repr(Scene({f"p{i}": Point([i, 0, 0]) for i in range(3000)}))
    assert "'p7': Point(position=[7.0, 0.0, 0.0]), ... 2,992 more})" in text
    assert "p8" not in text


# -- what else is a value ----------------------------------------------------------------------------------------------


def test_colliders_are_values_too() -> None:
    one, same = CapsuleCollider([0, 0, 0], "x", 2, 0.5), CapsuleCollider([0, -0.0, 0], "x", 2.0, 0.5)
    assert one == same
    assert hash(one) == hash(same)
    assert one == pickle.loads(pickle.dumps(one))
    for other in (
        CapsuleCollider([1, 0, 0], "x", 2, 0.5),
        CapsuleCollider([0, 0, 0], "y", 2, 0.5),
        CapsuleCollider([0, 0, 0], "x", 3, 0.5),
        CapsuleCollider([0, 0, 0], "x", 2, 0.25),
        "collider",
    ):
        assert one != other
    assert one.batch_shape == ()
    assert CapsuleCollider(np.zeros((4, 1, 3)), "x", [2, 3]).batch_shape == (4, 2)
    assert not pickle.loads(pickle.dumps(one)).center.flags.writeable


@pytest.mark.parametrize("size", [1e-320, 1e-200, 9e-73, 1.1e72, 1e160, 1.7e308])
def test_a_shape_out_of_range_makes_no_scene(size: float) -> None:
    """Too large or too small is a shape by its largest coordinate or size; zero and what is small beside it is fine."""
    near: dict[str, Shape] = {
        "point": Point([0, size, 0]),
        "segment": Segment([0, 0, 0], [0, 0, -size]),
        "line": Line([size, 0, 0], [1, 0, 0]),
        "sphere": Sphere([0, 0, 0], size),
        "box": OrientedBox([0, 0, 0], np.eye(3), [0, size, 0]),
        "space": HalfSpace([0, 0, size], [0, 0, 1]),
    }
    words = rf"must have a largest coordinate or size from 1e-72 to 1e72, or zero, got {size!r}"
    scene = Scene({name: shape.translated([1, 0, 0]) for name, shape in near.items()} if size < 1 else {})
    for name, shape in near.items():
        with pytest.raises(ValueError, match=f"^shape '{name}' {re.escape(words)}"):
            Scene({name: shape})
        with pytest.raises(ValueError, match=f"^shape 'new' {re.escape(words)}"):
            scene.with_shape("new", shape)
    if size < 1:
        for name, shape in near.items():
            with pytest.raises(ValueError, match=f"^shape '{name}' {re.escape(words)}"):
                scene.with_shape(name, shape)
    batch = Sphere([[0, 0, 0], [0, 0, 1]], [[1], [size], [1]])
    with pytest.raises(ValueError, match=rf"got {re.escape(repr(size))} at element \[1, 0\]$"):
        Scene({"batch": batch})
    assert Scene({"picked": batch[0], "one": batch[2, 1]}).element_count == 3
    with pytest.raises(ValueError, match=r"^shape 'picked'"):
        Scene({"picked": batch[1]})


def test_what_moves_out_of_range_is_refused_too() -> None:
    scene = Scene({"ball": Sphere([[0, 0, 0], [4, 0, 0]], 1), "P": Point([0, 0, 0])})
    for names in ("ball", "ball[1]", ["ball", "P"]):
        with pytest.raises(ValueError, match=r"^shape '(ball\[[01]\]|P)' must have a largest .* got 1e\+73$"):
            scene.moved(names, [1e73, 0, 0])
    with pytest.raises(ValueError, match=r"^shape 'P' must have a largest .* got 1e-73$"):
        scene.moved("P", [1e-73, 0, 0])
    assert scene.moved("ball", [1e-73, 0, 0])["ball"] == scene["ball"].translated([1e-73, 0, 0])


def test_a_point_may_move_through_the_origin() -> None:
    shapes = {"P": Point([0, 0, 0]), **{f"{number}": Point([number, 0, 0]) for number in range(70)}}
    for name in ("P", "*"):
        scene = Scene(shapes, motion=[Motion(name, [0, 1], [[0, 0, 0], [1, 0, 0]])])
        assert scene.at(1e-80)["P"] == Point([1e-80, 0, 0])


@pytest.mark.parametrize("count", [1, 70])
def test_what_its_motion_takes_out_of_range_is_refused_at_that_time(count: int) -> None:
    crowd = Sphere(np.full((count, 3), 5e71), 1)
    scene = Scene({"crowd": crowd}, motion=[Motion("crowd", [0, 1], [[0, 0, 0], [1e72, 0, 0]])])
    assert scene.at(0.5).colliding_pairs().shape == (count * (count - 1) // 2, 2)
    with pytest.raises(ValueError, match=r"^shape 'crowd(\[0\])?' must have a largest .* got 1\.49*8e\+72"):
        scene.at(1)


def test_a_scene_makes_a_dictionary_of_its_entries() -> None:
    shapes = {"P": Point([0, 0, 0]), "crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)}
    scene = Scene(shapes).moved("crowd[1]", [0, 0, 2])
    assert list(scene.keys()) == ["P", "crowd"]
    assert dict(scene) == dict(scene.items()) == {**shapes, "crowd": Sphere([[0, 0, 0], [4, 0, 2]], 1)}


# -- the ends of the range ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-70, 1e-40, 1e40, 5e71])
@pytest.mark.parametrize("count", [3, 200])
def test_no_question_warns_however_large_or_small(size: float, count: int) -> None:
    rng = np.random.default_rng(5)
    crowd = Sphere(0.9 * size * rng.uniform(-1, 1, (count, 3)), 0.1 * size)
    box = OrientedBox([-0.9 * size, 0, 0], [0, 0, 1, 2], [0.05 * size] * 3)
    rod = Capsule([-size, size, 0], [size, -size, size], 0.0)
    ray = Ray([-size, size, -size], [1, -1, 0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        first = Scene({"crowd": crowd, "box": box, "rod": rod, "room": AABB([-size] * 3, [size] * 3), "ray": ray})
        for scene in (first, first.moved("box", [0.1 * size, 0, 0])):
            scene.colliding_pairs()
            scene.bounds()
            for margin in (0.0, size):
                scene.contacts(margin=margin)
                scene.contacts(margin=margin, of="box")
                scene.contacts(margin=margin, of=rod)
            for shape in ("box", "rod", "ray", Point([size, size, size]), rod):
                scene.pairs_of("rod")
                scene.nearest(shape, without="room")
                scene.sweep(shape, motion=[-size, size, size], without="room")
            scene.raycast(ray, without="room")
            scene.raycast(Ray([[size, 0, 0], [0, 0, 0]], [-1, 0, 0]))
        for shape in (crowd, box, rod):
            raycast(ray, shape)
            crossings(ray, shape)
            sweep(rod, shape, motion=[-size, size, size])
            sweep(shape, rod, motion=[-size, size, size])
