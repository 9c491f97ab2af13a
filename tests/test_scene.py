"""Scenes: a persistent mapping of names, numbered elements, ignored pairs, and queries over all pairs."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import weakref
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Camera,
    Capsule,
    HalfSpace,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Show,
    Sphere,
    candidate_pairs,
    contact,
    intersects,
    touching_intervals,
    why,
)
from collision.broadphase.tree import SORT_THRESHOLD
from collision.shapes.kinds import KINDS
from tests.sampling import batch, one
from tests.test_world import make

BALL, BOX = Sphere([0, 0, 0], 1), AABB([0.5, -1, -1], [2, 1, 1])
CROWD = Sphere([[5, 0, 0], [5.5, 0, 0], [9, 0, 0]], 0.3)
SCENE = Scene(
    {"ball": BALL, "crowd": CROWD, "box": BOX, "grid": Point(np.zeros((2, 3, 3)))},
    ignored=[("ball", "grid"), ("grid", "grid"), ("box", "grid*")],
    shows=[Show("closest_points", "ball", "box", "gap"), Show("contact", "crowd[1]", "crowd[2]")],
    camera=Camera((0, -9, 3)),
    title="All",
    caption="Of it",
)


# -- a persistent mapping --


def test_a_scene_is_a_mapping_in_order() -> None:
    assert list(SCENE) == ["ball", "crowd", "box", "grid"]
    assert len(SCENE) == 4
    assert SCENE["box"] is BOX
    assert SCENE["crowd"] is CROWD
    assert "ball" in SCENE
    assert "bal" not in SCENE
    assert 3 not in SCENE
    with pytest.raises(KeyError, match="there is no shape named 'bal' in the scene"):
        SCENE["bal"]


def test_the_given_mapping_is_copied_and_the_scene_is_read_only() -> None:
    given: dict[str, Shape] = {"a": BALL}
    scene = Scene(given)
    given["b"] = BOX
    assert list(scene) == ["a"]
    with pytest.raises(TypeError):
        scene.shapes["c"] = BALL  # type: ignore[index]
    with pytest.raises(AttributeError):
        scene.title = "x"  # type: ignore[misc]


def test_every_change_leaves_the_scene_it_started_from() -> None:
    before = pickle.dumps(SCENE)
    SCENE.with_shape("new", BALL)
    SCENE.with_shape("crowd[1]", BALL)
    SCENE.without("crowd", "ball")
    SCENE.renamed("crowd", "people")
    SCENE.moved("crowd[0]", [1, 1, 1])
    SCENE.ignoring(("ball", "box"))
    SCENE.replaced(title="")
    assert pickle.dumps(SCENE) == before


def test_changes_share_what_did_not_change() -> None:
    moved = SCENE.moved("ball", [1, 0, 0])
    assert moved["crowd"] is CROWD
    assert moved["box"] is BOX
    assert moved["ball"] == Sphere([1, 0, 0], 1)


def test_equality_goes_by_content_and_order() -> None:
    assert SCENE.moved("ball", [1, 0, 0]).moved("ball", [-1, 0, 0]) == SCENE
    assert hash(SCENE.replaced()) == hash(SCENE)
    assert Scene({"a": BALL, "b": BOX}) != Scene({"b": BOX, "a": BALL})
    for other in (SCENE.replaced(title="None"), SCENE.replaced(shows=[]), SCENE.ignoring(("ball", "box"))):
        assert other != SCENE
    assert SCENE != "scene"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda scene: pickle.loads(pickle.dumps(scene))])
def test_copies_and_pickles_are_equal(again: Any) -> None:
    assert SCENE.element_count == 11  # what is cached must not stand in the way
    assert again(SCENE) == SCENE
    assert again(SCENE).colliding_pairs().tolist() == SCENE.colliding_pairs().tolist()


def test_replacing_keeps_the_place() -> None:
    scene = SCENE.with_shape("ball", BOX)
    assert list(scene) == list(SCENE)
    assert scene["ball"] is BOX
    assert list(SCENE.with_shape("new", BOX)) == [*SCENE, "new"]


def test_shows_and_ignored_pairs_follow_names() -> None:
    renamed = SCENE.renamed("crowd", "people")
    assert list(renamed) == ["ball", "people", "box", "grid"]
    assert renamed.shows[1] == Show("contact", "people[1]", "people[2]")
    assert SCENE.renamed("grid", "dots").ignored == (("ball", "dots"), ("dots", "dots"), ("box", "dots"))
    assert SCENE.without("crowd").shows == SCENE.shows[:1]
    assert SCENE.without("ball").shows == SCENE.shows[1:]
    assert SCENE.without("ball").ignored == SCENE.ignored[1:]
    assert SCENE.renamed("ball", "ball") == SCENE


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda: SCENE.without("bal"), KeyError, "no shape named 'bal'"),
        (lambda: SCENE.without("crowd[9]"), KeyError, r"no shape named 'crowd\[9\]'"),
        (lambda: SCENE.without("grid[0,0]"), ValueError, "'grid' is a grid of .* none can be taken out of it"),
        (lambda: SCENE.renamed("bal", "x"), KeyError, "no shape named 'bal'"),
        (lambda: SCENE.renamed("ball", "box"), ValueError, "already a shape named 'box'"),
        (lambda: SCENE.renamed("ball", "b*"), ValueError, r"without the characters \[ \] \*, got 'b\*'"),
        (lambda: SCENE.moved("bal", [0, 0, 0]), KeyError, "no shape named 'bal'"),
        (lambda: SCENE.moved("ball", [0, 0]), ValueError, r"moved\.offset must be"),
        (lambda: SCENE.with_shape("", BALL), ValueError, "a shape's name must not be empty"),
        (lambda: SCENE.with_shape("x[0]", BALL), ValueError, "must be text without the characters"),
        (lambda: SCENE.renamed("ball", "a\tb"), ValueError, r"other control characters, got 'a\\tb'"),
        (lambda: SCENE.with_shape("x", [0, 0, 0]), TypeError, "entry 'x' must be a shape, got list"),
        (lambda: SCENE.with_shape("crowd[0]", BOX), ValueError, "element of a batch of Sphere must be a single one"),
        (lambda: SCENE.with_shape("crowd[0]", CROWD), ValueError, "element of a batch of Sphere must be a single one"),
        (lambda: Scene({1: BALL}), ValueError, "got 1"),
        (lambda: SCENE.ignoring("ab"), ValueError, r"pairs of names, such as \('arm\*', 'torso'\), got 'ab'"),
        (lambda: SCENE.ignoring(("a",)), ValueError, "pairs of names"),
        (lambda: SCENE.ignoring(("a", "")), ValueError, "pairs of names"),
        (lambda: SCENE.ignoring(("ball", "bal")), ValueError, "ignored pair .* there is no shape named 'bal'"),
        (
            lambda: SCENE.replaced(shows=[Show("bounds", "bal")]),
            ValueError,
            "show bounds: there is no shape named 'bal'",
        ),
        (
            lambda: SCENE.replaced(shows=[Show("contact", "ball", "crowd[3]")]),
            ValueError,
            r"no shape named 'crowd\[3\]'",
        ),
        (
            lambda: SCENE.replaced(shows=[Show("raycast", "ball", "box")]),
            ValueError,
            "show raycast: a must be one of Ray, got Sphere 'ball'",
        ),
        (
            lambda: SCENE.replaced(shows=[Show("foot", "ball", "box")]),
            ValueError,
            "show foot: b must be one of Segment, Capsule, Ray, Line, got AABB 'box'",
        ),
        (lambda: Scene({"r": one(Ray)}, shows=[Show("bounds", "r")]), ValueError, "a must be one of .* got Ray 'r'"),
    ],
)
def test_changes_that_cannot_be_are_refused(change: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        change()


# -- elements --


def test_elements_are_numbered_in_scene_order() -> None:
    names = [
        "ball", "crowd[0]", "crowd[1]", "crowd[2]", "box",
        "grid[0,0]", "grid[0,1]", "grid[0,2]", "grid[1,0]", "grid[1,1]", "grid[1,2]",
    ]  # fmt: skip
    assert SCENE.element_count == len(names)
    assert [SCENE.element_name(number) for number in range(len(names))] == names
    assert [list(SCENE.element_numbers(name)) for name in names] == [[number] for number in range(len(names))]
    assert [SCENE.element(number) for number in range(len(names))] == [SCENE[name] for name in names]
    assert SCENE.element_numbers("grid") == range(5, 11)
    assert SCENE["grid[1, 2]"] == SCENE["grid[1,2]"]


@pytest.mark.parametrize(
    "name", ["crowd[3]", "crowd[-1]", "crowd[0,0]", "crowd[]", "crowd[a]", "ball[0]", "grid[0]", "grid[2,0]", "[0]", ""]
)
def test_names_of_no_element(name: str) -> None:
    assert name not in SCENE
    with pytest.raises(KeyError, match=re.escape(repr(name))):
        SCENE.element_numbers(name)


@pytest.mark.parametrize("number", [-1, 11])
def test_numbers_of_no_element(number: int) -> None:
    with pytest.raises(IndexError, match=f"the scene has elements 0 to 10, got {number}"):
        SCENE.element_name(number)
    for a, b in (([0, number], 1), (1, [0, number])):
        with pytest.raises(IndexError, match=f"the scene has elements 0 to 10, got {number}"):
            SCENE.tested(a, b)
    for ask in (Scene().element_name, Scene().element, lambda number: Scene().tested([], number)):
        with pytest.raises(IndexError, match="the scene has no elements, got 0"):
            ask(0)
    assert Scene().tested([], []).tolist() == []


@pytest.mark.parametrize("number", [1.7, 1.0, np.float64(1.0), "ball", None])
def test_what_is_no_number_of_an_element_is_refused(number: Any) -> None:
    for ask in (SCENE.element_name, SCENE.element):
        with pytest.raises(TypeError, match=rf"^{ask.__name__} takes a number, got {re.escape(repr(number))}"):
            ask(number)
    with pytest.raises(TypeError, match=rf"^tested: a must be whole numbers, got \[{re.escape(repr(number))}\]$"):
        SCENE.tested([number], [0])
    with pytest.raises(TypeError, match=r"^tested: b must be whole numbers"):
        SCENE.tested(0, [[True]])


@pytest.mark.parametrize("sign", list("\n\t\r\0\x1b\x7f\x85\u2028"))
def test_names_are_one_line_without_control_characters(sign: str) -> None:
    with pytest.raises(ValueError, match=r"must be one line, without tabs and other control characters, got 'x.*y'"):
        Scene({f"x{sign}y": BALL})


def test_names_may_hold_all_other_signs() -> None:
    odd = Scene({"été .x ñ": CROWD, " ": BALL, "a.b": BALL})
    assert odd.element_name(1) == "été .x ñ[1]"
    assert odd["été .x ñ[1]"] == CROWD[1]


def test_one_element_of_a_batch_is_moved_and_replaced() -> None:
    moved = SCENE.moved("crowd[1]", [0, 2, 0])
    assert moved["crowd"] == Sphere([[5, 0, 0], [5.5, 2, 0], [9, 0, 0]], 0.3)
    replaced = SCENE.with_shape("grid[1,0]", Point([7, 8, 9]))
    assert replaced["grid[1,0]"] == Point([7, 8, 9])
    assert replaced["grid[1,1]"] == Point([0, 0, 0])


def test_groups_hold_every_element_once() -> None:
    scene = Scene(
        {f"{kind.__name__} {i}": batch(kind, *axes) for kind in KINDS for i, axes in enumerate([(), (3,), (0,)])}
    )
    assert [type(group.shape) for group in scene.groups] == list(KINDS)
    numbers = np.concatenate([group.elements for group in scene.groups])
    assert sorted(numbers) == list(range(scene.element_count))
    for group in scene.groups:
        for number, shape in zip(group.elements, group.shape, strict=True):
            assert shape == scene.element(number)


def test_bounds_hold_what_is_finite() -> None:
    scene = Scene({"ball": BALL, "ray": Ray([0, 0, 9], [0, 0, 1]), "none": batch(Sphere, 0)})
    assert scene.bounds() == AABB([-1, -1, -1], [1, 1, 9])
    assert Scene().bounds() is None
    assert Scene({"none": batch(Sphere, 0)}).bounds() is None


# -- queries over all pairs, against one pair at a time --


def some_scene(seed: int) -> Scene:
    """Return a scene of every kind, singles and batches, about half of it close together."""
    rng = np.random.default_rng(seed)
    shapes: dict[str, Shape] = {}
    for kind in KINDS:
        shapes[kind.__name__] = one(kind).translated(rng.normal(size=3))
        shapes[f"{kind.__name__}s"] = batch(kind, 2, 2, seed=seed).translated(rng.normal(size=(2, 2, 3)))
    order = rng.permutation(len(shapes))
    names = list(shapes)
    return Scene({names[i]: shapes[names[i]] for i in order} | {"nothing": batch(Capsule, 0)})


def all_pairs(scene: Scene) -> list[tuple[int, int]]:
    """Return the pairs of elements that a scene compares: all but those of two half-spaces."""
    spaces = {i for i in range(scene.element_count) if isinstance(scene.element(i), HalfSpace)}
    return [pair for pair in combinations(range(scene.element_count), 2) if not {*pair} <= spaces]


@pytest.mark.parametrize("seed", range(4))
def test_colliding_pairs_are_those_that_intersect_one_by_one(seed: int) -> None:
    scene = some_scene(seed)
    wanted = [pair for pair in all_pairs(scene) if intersects(scene.element(pair[0]), scene.element(pair[1]))]
    assert 0.05 < len(wanted) / len(all_pairs(scene)) < 0.7
    got, near = scene.colliding_pairs(), scene.contacts()
    assert got.dtype.kind == "i"
    assert got.tolist() == near.pairs.tolist() == [list(pair) for pair in wanted]
    records = [contact(scene.element(a), scene.element(b)) for a, b in wanted]
    for part in ("signed_distance", "point", "normal", "on_a", "on_b", "depth"):
        assert getattr(near, part).tobytes() == np.array([getattr(record, part) for record in records]).tobytes()


def test_a_margin_adds_pairs() -> None:
    assert len(some_scene(6).contacts(margin=1.0)) > len(some_scene(6).contacts())
    for margin in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="margin must be zero or more and finite, got"):
            SCENE.contacts(margin=margin)


def test_nearest_leaves_out_what_is_ignored() -> None:
    scene = Scene({"a": BALL, "b": BALL.translated([3, 0, 0]), "c": BALL.translated([9, 0, 0])})
    assert scene.nearest("a").name == "b"
    assert scene.ignoring(("b", "a")).nearest("a").name == "c"
    assert scene.ignoring(("a", "*")).nearest("a") is None
    assert Scene({"a": BALL}).nearest("a") is None
    assert Scene({"crowd": CROWD}).nearest("crowd[0]").name == "crowd[1]"


def test_the_number_of_the_nearest_is_that_to_one_element() -> None:
    with pytest.raises(ValueError, match=r"'crowd' is a batch of 3 elements; name one of them, such as 'crowd\[0\]'"):
        SCENE.nearest_element("crowd")
    with pytest.raises(ValueError, match=r"'none' is a batch of 0 elements$"):
        Scene({"none": batch(Sphere, 0)}).nearest_element("none")
    with pytest.raises(KeyError, match="no shape named 'bal'"):
        SCENE.nearest("bal")


def test_of_several_hits_at_one_distance_the_first_in_the_scene_wins() -> None:
    ray = Ray([0, 0, 0], [1, 0, 0])
    box, ball = AABB([1, -1, -1], [2, 1, 1]), Sphere([2, 0, 0], 1)
    assert Scene({"box": box, "ball": ball}).raycast(ray).name == "box"
    assert Scene({"ball": ball, "box": box}).raycast(ray).name == "ball"


# -- ignored pairs --

ARM = Scene(
    {
        "torso": BALL,
        "arm left": BALL,
        "arm right": BALL,
        "knot": Sphere(np.zeros((3, 3)), 1),
        "a.m": BALL,
    }
)
"""All eight balls on one spot: every pair collides, so that what is missing was ignored."""


def covers(pattern: str, name: str) -> bool:
    """Say in another way than the scene whether a name of an element is covered."""
    entry = name.partition("[")[0]
    regex = "".join(".*" if sign == "*" else re.escape(sign) for sign in pattern)
    return any(re.fullmatch(regex, text) for text in (name, entry))


@pytest.mark.parametrize(
    "ignored",
    [
        [("torso", "arm left")],
        [("arm left", "torso")],
        [("arm*", "torso")],
        [("arm*", "arm*")],
        [("*", "torso")],
        [("*", "*")],
        [("knot", "knot")],
        [("knot[0]", "knot[1]")],
        [("knot[1]", "knot")],
        [("knot[*", "torso")],
        [("*[2]", "*")],
        [("*left", "*right")],
        [("*r*", "knot")],
        [("a.m", "torso")],
        [("torso", "torso")],
        [("torso", "arm left"), ("torso", "arm right"), ("knot", "a.m")],
    ],
    ids=repr,
)
def test_ignored_pairs_are_never_reported(ignored: list[tuple[str, str]]) -> None:
    scene = ARM.ignoring(*ignored)
    names = [ARM.element_name(number) for number in range(ARM.element_count)]
    wanted = [
        [i, j]
        for i, j in all_pairs(ARM)
        if not any(
            (covers(a, names[i]) and covers(b, names[j])) or (covers(b, names[i]) and covers(a, names[j]))
            for a, b in ignored
        )
    ]
    assert scene.colliding_pairs().tolist() == wanted
    assert scene.contacts().pairs.tolist() == wanted
    assert len(wanted) < len(all_pairs(ARM)) or ignored[0] == ("torso", "torso")


def test_an_index_may_have_spaces() -> None:
    grid = Scene({"grid": Sphere(np.zeros((1, 2, 3)), 1), "arm": BALL})
    assert grid.ignoring(("grid[0, 1]", "grid[0,0]")).colliding_pairs().tolist() == [[0, 2], [1, 2]]
    assert grid.ignoring(("grid[0, 1]", "a*")).colliding_pairs().tolist() == [[0, 1], [0, 2]]


def test_names_and_patterns_must_stand_for_something() -> None:
    with pytest.raises(ValueError, match=r"pair \('leg', 'torso'\): there is no shape named 'leg' in the scene$"):
        ARM.ignoring(("leg", "torso"))
    with pytest.raises(ValueError, match=r"there is no shape named 'trso' in the scene; did you mean 'torso'\?$"):
        ARM.ignoring(("knot[0]", "trso"))
    for pattern, meant in (("amr*", "arm*"), ("*lefft", "* left"), ("knt*", "kno*")):
        with pytest.raises(
            ValueError, match=rf"has a name like '{re.escape(pattern)}'; did you mean '{re.escape(meant)}'"
        ):
            ARM.ignoring((pattern, "torso"))
    for pattern in ("leg*", "torso[*", "knot[3*", "*[7]"):
        with pytest.raises(ValueError, match=rf"no shape in the scene has a name like '{re.escape(pattern)}'"):
            ARM.ignoring(("torso", pattern))
    assert Scene({"none": batch(Sphere, 0)}, ignored=[("no*", "*")]).ignored == (("no*", "*"),)


def test_a_pattern_with_many_stars_is_told_at_once() -> None:
    """A pattern that tried all ways to match would never end here."""
    name, stars = "a" * 10_000, "*a" * 200
    scene = Scene({name: BALL, name + "b": BALL, "other": BALL}, ignored=[(stars + "b", "other")])
    assert reported(scene) == [[0, 1], [0, 2]]
    with pytest.raises(ValueError, match="has a name like"):
        scene.ignoring((stars + "c", "*"))


def test_a_name_with_an_index_beyond_all_numbers_is_unknown() -> None:
    for digits in (19, 5000):
        assert f"knot[{'1' * digits}]" not in ARM


def reported(scene: Scene) -> list[list[int]]:
    return scene.colliding_pairs().tolist()


@pytest.mark.parametrize(
    ("ignored", "old", "new", "wanted"),
    [
        ([("arm*", "torso")], "arm left", "wing", [("arm*", "torso"), ("wing", "torso")]),
        ([("torso", "arm*")], "arm left", "wing", [("torso", "arm*"), ("torso", "wing")]),
        ([("arm*", "arm*")], "arm left", "wing", [("arm*", "arm*"), ("arm*", "wing"), ("wing", "wing")]),
        ([("*left", "torso")], "arm left", "wing", [("wing", "torso")]),
        ([("kn*", "kn*")], "knot", "tie", [("tie", "tie")]),
        ([("knot[*", "a.m")], "knot", "tie", [("tie[*", "a.m")]),
        ([("k*[1]", "a.m")], "knot", "tie", [("tie[1]", "a.m")]),
        ([("k*[*", "a.m")], "knot", "tie", [("tie", "a.m")]),
        ([("*", "torso")], "arm left", "wing", [("*", "torso")]),
        ([("arm*", "torso"), ("torso", "arm*")], "a.m", "b", [("arm*", "torso"), ("torso", "arm*")]),
    ],
)
def test_what_a_pattern_covered_stays_ignored_under_another_name(
    ignored: list[tuple[str, str]], old: str, new: str, wanted: list[tuple[str, str]]
) -> None:
    scene = ARM.ignoring(*ignored)
    assert len(reported(scene)) < len(all_pairs(ARM))
    renamed = scene.renamed(old, new)
    assert list(renamed.ignored) == wanted
    assert reported(renamed) == reported(scene)


def test_patterns_go_when_nothing_is_left_that_they_cover() -> None:
    scene = ARM.ignoring(("arm*", "torso"), ("knot[*", "*"))
    assert scene.without("arm left").ignored == scene.ignored
    assert scene.without("arm left", "arm right").ignored == (("knot[*", "*"),)
    assert scene.without("knot").ignored == (("arm*", "torso"),)


def test_ignored_pairs_of_many_single_shapes() -> None:
    balls = Scene({f"ball {i}": BALL for i in range(12)})
    listed = [(f"ball {j}", f"ball {i}") for i, j in all_pairs(balls) if (i + j) % 3]
    wanted = [[i, j] for i, j in all_pairs(balls) if (i + j) % 3 == 0]
    assert balls.ignoring(*listed).colliding_pairs().tolist() == wanted


# -- what to show --


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Show("closest", "a", "b"), r"show\.query must be one of closest_points, contact, .*, got 'closest'"),
        (lambda: Show("contact", "a"), "contact takes two shapes, a and b, got a = 'a', b = ''"),
        (lambda: Show("contact", "", "b"), "contact takes two shapes, a and b, got a = '', b = 'b'"),
        (lambda: Show("bounds", "a", "b"), "bounds takes one shape, a, got a = 'a', b = 'b'"),
        (lambda: Show("bounds", ""), "bounds takes one shape, a, got a = ''"),
        (lambda: Camera((0, 0, 0)), r"camera\.position must differ from camera\.target, got \[0\.0, 0\.0, 0\.0\]"),
        (
            lambda: Camera((0, 0, 5)),
            r"camera\.up must be a direction that is not along the view, got \[0\.0, 0\.0, 1\.0\]",
        ),
        (lambda: Camera((5, 0, 0), up=(0, 0, 0)), r"camera\.up must be a direction"),
        (lambda: Camera((1, 2)), r"camera\.position must be an array of shape \(\.\.\., 3\), got shape \(2,\)"),
        (lambda: Camera(np.zeros((2, 3))), r"camera\.position must be three numbers, got shape \(2, 3\)"),
        (lambda: Camera((1, 2, np.nan)), r"camera\.position must be finite"),
        (lambda: Camera((1, 2, 3), view_angle=0.0), r"camera\.view_angle must be between 0 and 180 degrees, got 0\.0"),
        (lambda: Camera((1, 2, 3), view_angle=np.nan), r"camera\.view_angle must be between"),
        (lambda: Camera((1, 2, 3), parallel_height=0.0), r"camera\.parallel_height must be positive, got 0\.0"),
        (lambda: Camera((1, 2, 3), parallel_height=np.inf), r"camera\.parallel_height must be positive"),
        (lambda: Camera((1, 2, 3), view_angle="wide"), r"camera\.view_angle must be made of real numbers, got 'wide'"),
        (lambda: Camera((1, 2, 3), view_angle=[30, 40]), r"camera\.view_angle must be between .*, got \[30, 40\]"),
        (lambda: Camera((1, 2, 3), parallel_height="9"), r"camera\.parallel_height must be made of real numbers"),
    ],
)
def test_wrong_shows_and_cameras_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("hidden", [[0], [["ball"]], b"ball", ["ball", None]])
def test_what_is_hidden_is_given_by_name(hidden: Any) -> None:
    scene = Scene({"ball": Sphere([0, 0, 0], 1)})
    for hide in (lambda: Scene(scene.shapes, hidden=hidden), lambda: scene.replaced(hidden=hidden)):
        with pytest.raises(TypeError, match=r"^hidden must be a name or names, got (int|list|NoneType) among them$"):
            hide()


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300, 1.7e308])
def test_cameras_of_any_size(size: float) -> None:
    camera = Camera((size, 0, 0), (-size, 0, 0), up=(0, 0, size))
    assert camera.position == (size, 0.0, 0.0)


@pytest.mark.parametrize(
    ("query", "a", "b"),
    [
        ("foot", "point", "segment"),
        ("foot", "sphere", "capsule"),
        ("crossings", "segment", "sphere"),
        ("raycast", "ray", "box"),
        ("closest_points", "ray", "segment"),
        ("bounds", "capsule", ""),
    ],
)
def test_shows_take_the_kinds_that_their_query_takes(query: Any, a: str, b: str) -> None:
    shapes = {"point": Point, "segment": Segment, "ray": Ray, "sphere": Sphere, "capsule": Capsule, "box": OrientedBox}
    scene = Scene({name: one(kind) for name, kind in shapes.items()}, shows=[Show(query, a, b)])
    assert scene.shows[0].query == query


def test_a_shape_that_is_not_in_the_scene_has_pairs_too() -> None:
    scene = Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0]], 1)}, hidden=["crowd[0]"])
    ball = Sphere([0.5, 0, 0], 1)
    assert scene.pairs_of(ball).tolist() == [[-1, 1]] == scene.contacts(of=ball).pairs.tolist()
    assert scene.pairs_of(Sphere([9, 9, 9], 1)).shape == (0, 2)
    assert scene.pairs_of(Sphere([[9, 9, 9], [0.5, 0, 0], [5, 0, 0]], 1)).tolist() == [[1, 1], [2, 2]]


def test_a_scene_goes_with_the_last_that_refers_to_it() -> None:
    """Its memory must not wait for the collector of garbage, which knows nothing of how large it is."""
    scene = Scene({"balls": Sphere([[0, 0, 0], [1, 0, 0]], 1), "wall": AABB([3, -1, -1], [4, 1, 1])})
    moved = scene.moved("wall", [-1, 0, 0]).replaced(hidden=["balls[0]"])
    gone = [weakref.ref(each._elements) for each in (scene, moved)]
    gc.disable()
    try:
        assert len(scene.colliding_pairs()) == len(scene.contacts()) == len(moved.colliding_pairs()) == 1
        assert scene.nearest("wall").name == "balls[1]"
        del scene, moved
        assert [ref() for ref in gone] == [None, None]
    finally:
        gc.enable()


# -- one shape and a scene --


def test_the_nearest_is_found_far_away_and_past_a_corner() -> None:
    """In the first box that is looked at there may be nothing, or something in a corner that is not the nearest."""
    rng = np.random.default_rng(6)
    points = rng.uniform(0, 10, (2 * SORT_THRESHOLD, 3))
    scene = Scene({"points": Point(points)})
    for place in rng.uniform(-10, 20, (100, 3)):
        found = scene.nearest(Point(place))
        assert found is not None
        assert found.element == int(np.argmin(np.linalg.norm(points - place, axis=1)))
    assert scene.nearest(Point([0, 0, 0]), without="points") is None


def test_the_shooter_leaves_itself_out() -> None:
    scene = Scene({"gun": Sphere([0, 0, 0], 1), "target": Sphere([5, 0, 0], 1)})
    ray = Ray([0, 0, 0], [1, 0, 0])
    assert scene.raycast(ray).name == "gun"
    assert scene.raycast(ray, without="gun").name == "target"
    assert scene.raycast(ray, without=["gun", "target"]).name == ""
    assert scene.nearest("gun", without="target") is None
    assert scene.nearest("gun", without=["gun"]).name == "target"  # it is none of its own neighbours anyway
    assert scene.raycast(ray).name == "gun"


def test_of_several_touches_at_once_the_first_in_the_scene_wins() -> None:
    wall = AABB([3, -5, -5], [4, 5, 5])
    for names in (("x", "y"), ("y", "x")):
        scene = Scene({names[0]: wall, names[1]: wall})
        assert scene.sweep(Sphere([0, 0, 0], 1), motion=[8, 0, 0]).name == names[0]


def test_extreme_motions_lose_nothing() -> None:
    scene = Scene(
        {"wall": AABB([1e6, -1, -1], [2e6, 1, 1]), **{f"far {i}": Point([0, 9.0, i]) for i in range(SORT_THRESHOLD)}}
    )
    assert scene.sweep(Point([0, 0, 0]), motion=[1e9, 0, 0]).name == "wall"
    for huge in (1e308, -1e308):
        scene.sweep(Point([huge, 0, 0]), motion=[huge, huge, 0])
        scene.nearest(Point([huge, huge, 0]))
        scene.contacts(of=Sphere([huge, 0, 0], 1e308), margin=1e308)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda s: s.nearest_element(s["balls"]),
            ValueError,
            "takes a single shape, got a batch of 10",
        ),
        (lambda s: s.nearest_element("balls"), ValueError, r": 'balls' is a batch of 10 .* 'balls\[0\]'"),
        (lambda s: s.nearest("balls", k=0), ValueError, "^nearest: k must be at least one, got 0$"),
        (lambda s: s.nearest("balls", k=1.5), TypeError, "^nearest: k must be a whole number, got 1.5$"),
        (
            lambda s: s.sweep("balls", motion=np.ones((3, 3))),
            ValueError,
            r"broadcast together: shape \(10,\), motion \(3",
        ),
        (lambda s: s.contacts_with({}), TypeError, "^contacts_with takes a Scene, got dict$"),
        (lambda s: touching_intervals({}), TypeError, "^touching_intervals takes a Scene, got dict$"),
        (lambda s: why({}, "ball", "post"), TypeError, "^why takes a Scene, got dict$"),
        (lambda s: candidate_pairs({}), TypeError, "^candidate_pairs takes a Scene, got dict$"),
        (lambda s: s.raycast(Ray([0, 0, 0], [1, 0, 0]), any_hit="no"), TypeError, "any_hit must be .*, got 'no'$"),
        (lambda s: s.sweep("bal", motion=[1, 0, 0]), KeyError, "no shape named 'bal'"),
        (lambda s: s.sweep("ball", motion=[1, 0]), ValueError, r"^Scene\.sweep\.motion must be an array of shape"),
        (lambda s: s.contacts(of="bal"), KeyError, "no shape named 'bal'"),
        (lambda s: s.nearest("ball", without="bal"), KeyError, "no shape named 'bal'"),
        (lambda s: s.nearest("ball", without=3), TypeError, "^without must be a name or names, got int$"),
        (lambda s: s.raycast(Ray([0, 0, 0], [1, 0, 0]), without=["bal"]), KeyError, "no shape named 'bal'"),
    ],
)
def test_mistakes_are_named(ask: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask(make(30, 0))


def test_all_names_are_listed() -> None:
    scene = make(30, 0)
    assert list(scene.element_names) == [scene.element_name(e) for e in range(scene.element_count)]
    assert Scene().element_names == ()
    assert all(re.fullmatch(r"\w+(\[[\d,]+\])?", name) for name in scene.element_names)
