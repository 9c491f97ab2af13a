"""Scenes that are edited: what is hidden in them, what is taken out, and what is moved together."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest

from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Scene, Segment, Shape, Show, Sphere

RNG_SEED = 11


def random_scene(rng: np.random.Generator, count: int = 18) -> Scene:
    """Return shapes of all kinds, some in batches, about half of which collide."""

    def vectors(*lead: int) -> np.ndarray:
        return rng.uniform(-2.0, 2.0, (*lead, 3))

    shapes: dict[str, Shape] = {
        "crowd": Sphere(vectors(count), rng.uniform(0.1, 0.6, count)),
        "rods": Capsule(vectors(count), vectors(count), 0.2),
        "grid": Point(vectors(2, 3)),
        "box": OrientedBox(vectors(), np.eye(3), [0.5, 0.4, 0.3]),
        "crate": AABB([-1, -1, -1], [0.5, 0, 0]),
        "edge": Segment(vectors(), vectors()),
        "ray": Ray(vectors(), vectors()),
        "line": Line(vectors(), vectors()),
    }
    return Scene(shapes, ignored=[("rods*", "rods*"), ("crowd[1]", "box")], shows=[Show("bounds", "crowd[3]")])


def some_names(rng: np.random.Generator, scene: Scene, count: int) -> list[str]:
    """Return names of elements, and of an entry or two, none of a grid's elements."""
    numbers = rng.choice(scene.element_count, count, replace=False).tolist()
    names = [scene.element_name(number) for number in numbers]
    return sorted({"grid" if name.startswith("grid") else name for name in names})


# -- hidden ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_what_is_hidden_is_as_if_it_were_not_there(seed: int) -> None:
    rng = np.random.default_rng(seed)
    full = random_scene(rng)
    out = some_names(rng, full, 12)
    hidden, gone = full.replaced(hidden=out), full.without(*out)
    numbers = {number for name in out for number in full.element_numbers(name)}
    left = np.array([number for number in range(full.element_count) if number not in numbers])
    for _ in range(4):  # as it is, and with more and more of it moved
        assert hidden.colliding_pairs().tolist() == left[gone.colliding_pairs()].tolist()
        for margin in (0.0, 0.3):
            expected, found = gone.contacts(margin=margin), hidden.contacts(margin=margin)
            assert found.pairs.tolist() == left[expected.pairs].tolist()
            assert np.array_equal(found.signed_distance, expected.signed_distance)
        nearest = hidden.nearest(hidden.element_name(int(left[0])))
        other = gone.nearest(gone.element_name(0))
        assert nearest is not None
        assert other is not None
        assert nearest.element == left[other.element]
        rays = Ray(rng.uniform(-4, 4, (40, 3)), rng.uniform(-1, 1, (40, 3)))
        met = gone.raycast(rays).element
        assert hidden.raycast(rays).element.tolist() == np.where(met >= 0, left[met], -1).tolist()
        bounds, whole = hidden.bounds(), gone.bounds()
        assert bounds is not None
        assert whole is not None
        assert bounds == whole
        assert sum(len(group.elements) for group in hidden.groups) == len(left)
        moved, offset = rng.integers(len(left), size=3), rng.uniform(-1, 1, 3)
        hidden = hidden.moved([hidden.element_name(int(left[row])) for row in set(moved.tolist())], offset)
        gone = gone.moved([gone.element_name(row) for row in set(moved.tolist())], offset)


def test_the_hidden_scene_has_red_pairs_to_lose() -> None:
    """The test above compares nothing with nothing if there is nothing to hide."""
    lost = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        full = random_scene(rng)
        hidden = full.replaced(hidden=some_names(rng, full, 12))
        lost.append(len(full.colliding_pairs()) - len(hidden.colliding_pairs()))
        assert len(hidden.colliding_pairs()) > 5
    assert min(lost) > 5


def test_a_hidden_shape_has_no_pairs_and_no_nearest_and_keeps_its_number() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([9, 0, 0], 1)}, hidden=["a"])
    assert scene.pairs_of("a").tolist() == []
    assert scene.nearest("a") is None
    assert scene.element_name(1) == "b"
    assert scene["a"] == Sphere([0, 0, 0], 1)
    nearest = scene.nearest("b")
    assert nearest is not None
    assert nearest.name == "c"
    shown = scene.replaced(hidden=())
    assert shown.colliding_pairs().tolist() == [[0, 1]]
    assert (shown.nearest("a") or nearest).name == "b"


def test_hiding_is_part_of_a_scene_and_outlives_every_other_change() -> None:
    rng = np.random.default_rng(RNG_SEED)
    scene = random_scene(rng, 100).replaced(hidden=["box", "crowd[5]"])
    assert scene != random_scene(np.random.default_rng(RNG_SEED), 100)
    assert pickle.loads(pickle.dumps(scene)) == scene
    kept = (
        scene.moved("crowd", [1, 0, 0]),
        scene.moved([scene.element_name(number) for number in range(80)], [1, 0, 0]),
        scene.with_shape("new", Point([0, 0, 0])),
        scene.with_shape("crate", Sphere([0, 0, 0], 1)),
        scene.ignoring(("crate", "edge")),
        scene.replaced(title="other"),
    )
    for changed in kept:
        assert changed.hidden == {"box", "crowd[5]"}
        assert not {changed.element_numbers(name)[0] for name in changed.hidden} & set(changed.contacts().pairs.flat)
    assert scene.renamed("crowd", "people").hidden == {"box", "people[5]"}
    assert scene.without("crowd[2]", "crowd[4]").hidden == {"box", "crowd[3]"}
    assert scene.without("box", "crowd[5]").hidden == frozenset()


def test_names_that_cannot_be_hidden_are_refused() -> None:
    with pytest.raises(ValueError, match="hidden: there is no shape named 'b'"):
        Scene({"a": Point([0, 0, 0])}, hidden=["b"])


# -- taken out ---------------------------------------------------------------------------------------------------------


def test_the_elements_of_a_batch_close_the_gap_and_names_follow() -> None:
    crowd = Sphere([[i, 0, 0] for i in range(5)], [0.1, 0.2, 0.3, 0.4, 0.5])
    scene = Scene(
        {"crowd": crowd, "ball": Sphere([9, 9, 9], 1)},
        ignored=[("crowd[1]", "ball"), ("crowd[4]", "ball"), ("crowd*", "crowd*"), ("crowd", "ball")],
        shows=[Show("contact", "crowd[1]", "ball"), Show("contact", "crowd[3]", "ball"), Show("bounds", "crowd")],
    )
    left = scene.without("crowd[1]", "crowd[0]")
    assert left["crowd"] == Sphere([[2, 0, 0], [3, 0, 0], [4, 0, 0]], [0.3, 0.4, 0.5])
    assert left.ignored == (("crowd[2]", "ball"), ("crowd*", "crowd*"), ("crowd", "ball"))
    assert left.shows == (Show("contact", "crowd[1]", "ball"), Show("bounds", "crowd"))
    none = left.without(*(f"crowd[{i}]" for i in range(3)))
    assert list(none) == ["ball"]
    assert none.ignored == ()
    assert none.shows == ()
    assert scene.without("crowd[2]", "crowd").shapes == {"ball": scene["ball"]}


# -- moved together ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [3, 100])
def test_several_shapes_move_as_each_would(count: int) -> None:
    rng = np.random.default_rng(count)
    scene = random_scene(rng, 80)
    names = [scene.element_name(number) for number in rng.choice(scene.element_count, count, replace=False).tolist()]
    names += ["box", names[0]]
    one_by_one = scene
    for name in dict.fromkeys(names):
        one_by_one = one_by_one.moved(name, [0.5, 0.25, -1.0])
    together = scene.moved(names, [0.5, 0.25, -1.0])
    assert together == one_by_one
    assert together.colliding_pairs().tolist() == one_by_one.colliding_pairs().tolist()


def test_an_element_of_an_entry_that_moves_moves_once() -> None:
    scene = Scene({"crowd": Point(np.zeros((100, 3))), "few": Point(np.zeros((2, 3)))})
    for entry in scene:
        moved = scene.moved([f"{entry}[1]", entry, f"{entry}[0]"], [1, 0, 0])
        assert np.array_equal(moved[entry].values()["position"], scene[entry].values()["position"] + [1, 0, 0])


@pytest.mark.parametrize(
    "made",
    [Point([0, 0, 0]), Sphere([[0, 0, 0]], 1), Sphere(np.zeros((3, 3)), 1), 3],
    ids=["kind", "a batch", "longer batch", "no shape"],
)
@pytest.mark.parametrize("count", [2, 100])
def test_a_change_to_another_kind_or_to_other_batch_axes_is_refused(made: object, count: int) -> None:
    scene = Scene({"ball": Sphere([5, 0, 0], 1), "crowd": Sphere(np.zeros((count, 3)), 1)})
    many = [f"crowd[{i}]" for i in range(count)]
    for names in ("ball", "crowd[1]", [*many, "ball"]):
        with pytest.raises(ValueError, match=r"^changed: the function must make a Sphere with batch axes \(\) "):
            scene.changed(names, lambda shape: made)  # type: ignore[arg-type, return-value]
    if count > 64:  # changed as a whole
        with pytest.raises(ValueError, match=r"^changed: the function must make a Sphere with batch axes \(100,\) "):
            scene.changed("crowd", lambda shape: made)  # type: ignore[arg-type, return-value]


# -- kept for long -----------------------------------------------------------------------------------------------------


def test_a_scene_that_forgot_answers_as_before() -> None:
    rng = np.random.default_rng(RNG_SEED)
    first = random_scene(rng, 60)
    scenes, answers = [first], []
    for number in range(80):  # more than are kept apart, so that the broad phase is built anew on the way
        scene = scenes[-1]
        answers.append((scene.colliding_pairs().tolist(), [group.elements.tolist() for group in scene.groups]))
        scenes.append(scene.moved(scene.element_name(number), rng.uniform(-1, 1, 3)))
        scene.forget(but=scenes[-1])
    for scene, (pairs, groups) in zip(scenes, answers, strict=False):
        assert scene.colliding_pairs().tolist() == pairs
        assert [group.elements.tolist() for group in scene.groups] == groups
    assert first == random_scene(np.random.default_rng(RNG_SEED), 60)


def test_a_scene_forgets_but_what_a_scene_shares() -> None:
    with pytest.raises(TypeError, match=r"^forget takes a Scene, got int$"):
        Scene().forget(but=3)  # type: ignore[arg-type]


def test_scenes_that_forgot_are_small() -> None:
    """Of ten thousand spheres, each move of one keeps what that one needs."""
    rng = np.random.default_rng(1)
    scenes = [Scene({"crowd": Sphere(rng.uniform(0, 100, (10_000, 3)), 0.5)})]
    for number in range(40):
        scenes.append(scenes[-1].moved(f"crowd[{number}]", [1, 0, 0]))
        assert len(scenes[-1].groups) == 1
        assert len(scenes[-1]["crowd"]) == 10_000
    full = len(pickled(scenes[1]))
    for before, after in pairwise(scenes):
        before.forget(but=after)
    assert sum(len(pickled(scene)) for scene in scenes[1:-1]) < 0.5 * full


def pickled(scene: Scene) -> bytes:
    """Return what a scene holds by itself, beyond what all of these share."""
    own = {**scene._world.__dict__, **vars(scene.shapes)}
    return pickle.dumps({name: own[name] for name in own.keys() & {"groups", "_changed"}})


@pytest.mark.parametrize("count", [5, 200])
def test_the_box_around_a_scene_follows_each_change(count: int) -> None:
    rng = np.random.default_rng(RNG_SEED)
    scene = random_scene(rng, count).with_shape("floor", HalfSpace([0, 0, -40], [0, 0, 1]))
    for step in range(60):
        names = some_names(rng, scene, 2)
        scene = scene.moved(names, rng.normal(scale=4.0, size=3))
        if step % 9 == 0:
            scene = scene.replaced(hidden=some_names(rng, scene, 3))
        anew = Scene(dict(scene.shapes), hidden=scene.hidden)
        assert scene.bounds() == anew.bounds()
        shown = [shape for _, shape in scene.groups if not isinstance(shape, HalfSpace)]
        boxes = [shape.bounds() if shape.bounded else Point(shape.core.operands[0]).bounds() for shape in shown]
        assert scene.bounds() == AABB.union(*boxes)


def test_very_many_shapes_are_moved_together_as_each_is_alone() -> None:
    rng = np.random.default_rng(RNG_SEED)
    scene = random_scene(rng, 40)
    alone = Scene({name.replace("[", "_").rstrip("]"): scene[name] for name in scene.element_names if "," not in name})
    calls: list[int] = []

    def shifted(shape: Shape) -> Shape:
        calls.append(1)
        return shape.translated(step)

    step = rng.normal(size=3)
    moved = alone.changed(list(alone), shifted, together=True)
    assert list(moved) == list(alone)
    assert all(moved[name] == alone[name].translated(step) for name in alone)
    assert len(calls) == len({type(shape) for shape in alone.shapes.values()})
    assert alone.moved(list(alone), step).shapes == moved.shapes
