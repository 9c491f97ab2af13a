"""Whatever is asked, and however: empty and odd batches, mistakes, many threads, and arrays that stay as they were."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    CapsuleCollider,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Transform,
    all_normals,
    closest_points,
    contact,
    contains,
    crossings,
    explain,
    foot,
    intersects,
    raycast,
    signed_distance,
    sweep,
    sweep_steps,
)
from collision.native import THREAD_GRAIN, in_parts
from collision.scene.world import World
from collision.shapes.kinds import KINDS
from tests.cases import each
from tests.corpus import ORDERED, Order, names
from tests.queries import MOTION, PAIRWISE, answers, same_bits
from tests.sampling import BOUNDED, FIELDS, batch, crossed, one, varied
from tests.slow import deep
from tests.strategies import Kind

by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


# -- batch axes --------------------------------------------------------------------------------------------------------


def test_scenes_of_nothing_and_of_empty_batches_answer() -> None:
    for shapes in ({}, {kind.__name__: batch(kind, 0) for kind in KINDS}, {"grid": batch(Sphere, 3, 0)}):
        scene = Scene(shapes)
        assert scene.element_count == 0
        assert scene.colliding_pairs().shape == (0, 2)
        assert len(scene.contacts(margin=1.0)) == 0
        assert scene.bounds() is None
        assert scene.raycast(Ray([0, 0, 0], [1, 0, 0])).element == -1
        assert scene.sweep(Point([0, 0, 0]), motion=[1, 0, 0]).element == -1
        assert scene.nearest(Point([0, 0, 0])) is None
        assert scene.nearest_element(Line([0, 0, 0], [1, 0, 0])) is None
        for name in shapes:
            assert scene.pairs_of(name).shape == (0, 2)
            assert scene.moved(name, [1, 0, 0]).element_count == 0
            assert scene.element_numbers(name) == range(0)
    hits = Scene({"S": one(Sphere)}).raycast(batch(Ray, 2, 0))
    assert hits.element.shape == hits.name.shape == hits.enter.shape == (2, 0)
    assert hits.point.shape == hits.normal.shape == (2, 0, 3)


# -- containment -------------------------------------------------------------------------------------------------------


@each("size", [1e-100, 1e-6, 1.0, 1e6, 1e100])
@pytest.mark.parametrize("kind", BOUNDED, ids=lambda kind: kind.__name__)
def test_every_shape_is_inside_its_bounds_and_itself(kind: Kind, size: float) -> None:
    shape = varied(kind, 50, seed=3).transformed(Transform(scale=size))
    for outer in (shape, shape.bounds(), shape.bounding_sphere(), AABB.union(shape.bounds())):
        assert np.all(contains(outer, shape))
    assert np.all(contains(Sphere.union(shape.bounding_sphere()), shape))
    ball = shape.bounding_sphere()
    assert not np.any(contains(Sphere(ball.center, 0.999 * ball.radius), shape)[ball.radius > 0.0])


# -- mistakes ----------------------------------------------------------------------------------------------------------


@contextmanager
def refused(error: type[Exception], message: str) -> Iterator[None]:
    """Expect an error of one line, with no other in its traceback."""
    with pytest.raises(error, match=message) as caught:
        yield
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("query", PAIRWISE, ids=lambda query: query.__name__)
def test_queries_name_themselves_in_their_errors(query: Any) -> None:
    with refused(ValueError, rf"^{query.__name__}: batch axes do not broadcast together: a \(3,\), b \(2,\)$"):
        query(batch(Sphere, 3), batch(Capsule, 2))
    for wrong in (None, [0.0, 0.0, 0.0], "ball", Sphere, Transform(), Scene()):
        for side, pair in (("a", (wrong, one(Sphere))), ("b", (one(Sphere), wrong)), ("b", (batch(Sphere, 2), wrong))):
            with refused(TypeError, rf"^{query.__name__} takes two shapes, got {type(wrong).__name__} as {side}$"):
                query(*pair)
    with refused(TypeError, r"got CapsuleCollider as b; its \.in_world\(transform\) is the Capsule$"):
        query(one(Sphere), CapsuleCollider())


SCENE = Scene({"ball": one(Sphere), "crowd": batch(Sphere, 3)})

_NOT_TOGETHER = "batch axes do not broadcast together"


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda: contact(one(Sphere), one(Point), margin=-1),
            ValueError,
            "contact: margin must be zero or more .* -1$",
        ),
        (lambda: contact(one(Sphere), one(Point), margin=np.nan), ValueError, "^contact: margin must be .*, got nan$"),
        (
            lambda: contact(one(Sphere), one(Point), margin="1"),
            ValueError,
            "^contact: margin must be made of .* got '1'$",
        ),
        (lambda: contact(one(Sphere), one(Point), margin=None), ValueError, "^contact: margin must be .*, got None$"),
        (
            lambda: contact(one(Sphere), one(Point), margin=[1, 2]),
            ValueError,
            r"^contact: margin must .* got \[1, 2\]$",
        ),
        (lambda: foot(batch(Point, 3), batch(Segment, 2)), ValueError, rf"^foot: {_NOT_TOGETHER}: a \(3,\), b \(2,\)$"),
        (
            lambda: foot(one(Capsule), one(Segment)),
            TypeError,
            "^foot: the first shape must be a Point or a Sphere, got C",
        ),
        (
            lambda: foot(one(Point), one(Sphere)),
            TypeError,
            "^foot: the second shape must be a Segment, .*, got Sphere$",
        ),
        (lambda: foot(None, one(Line)), TypeError, "^foot: the first shape must be .*, got NoneType$"),
        (lambda: raycast(batch(Ray, 3), batch(Point, 2)), ValueError, rf"^raycast: {_NOT_TOGETHER}: .*\(3,\).*\(2,\)$"),
        (lambda: raycast(one(Line), one(Point)), TypeError, "^raycast: the first argument must be a Ray, got Line$"),
        (lambda: raycast(one(Ray), [1, 2, 3]), TypeError, "^raycast: the second argument must be a shape, got list$"),
        (lambda: crossings(batch(Line, 3), batch(Point, 2)), ValueError, rf"^crossings: {_NOT_TOGETHER}: .*\(3,\)"),
        (
            lambda: crossings(one(Capsule), one(Point)),
            TypeError,
            "^crossings: the first argument must be .* got Capsule$",
        ),
        (
            lambda: crossings(one(Ray), None),
            TypeError,
            "^crossings: the second argument must be a shape, got NoneType$",
        ),
        (lambda: sweep(one(Point), None, motion=MOTION), TypeError, "^sweep takes two shapes, got NoneType as b$"),
        (lambda: sweep(one(Point), one(Point), motion=[1, 2]), ValueError, r"^sweep\.motion must be an array of shape"),
        (
            lambda: sweep(one(Point), one(Point), motion="up"),
            ValueError,
            r"^sweep\.motion must be made of real numbers",
        ),
        (
            lambda: sweep(one(Point), one(Point), motion=[[0, 0, 0], [0, np.inf, 0]]),
            ValueError,
            r"^sweep\.motion must be finite, got \[0\.0, inf, 0\.0\] at element \[1\]$",
        ),
        (
            lambda: sweep(batch(Point, 3), batch(Point, 3), motion=np.zeros((2, 3))),
            ValueError,
            rf"^sweep: {_NOT_TOGETHER}: a \(3,\), b \(3,\), motion \(2,\)$",
        ),
        (lambda: AABB.union(one(AABB), one(Sphere)), TypeError, "^AABB.union takes shapes of that kind .* got Sphere$"),
        (
            lambda: Sphere.union(one(Sphere), None),
            TypeError,
            "^Sphere.union takes shapes of that kind .* got NoneType$",
        ),
        (lambda: AABB.union(batch(AABB, 0)), ValueError, "^AABB.union: there must be at least one element"),
        (lambda: Sphere.union(batch(Sphere, 0)), ValueError, "^Sphere.union: there must be at least one element"),
        (lambda: Sphere.from_points([]), ValueError, r"^Sphere\.from_points\.points must be an array of shape"),
        (
            lambda: Sphere.from_points(np.zeros((4, 0, 3))),
            ValueError,
            r"^Sphere\.from_points\.points must be .* n >= 1",
        ),
        (
            lambda: Sphere.from_points([[[0, 0, 0]], [[0, 0, np.nan]]]),
            ValueError,
            r"^Sphere\.from_points\.points must be finite, got \[0\.0, 0\.0, nan\] at element \[1, 0\]$",
        ),
        (lambda: SCENE.contacts(margin=-0.5), ValueError, r"margin must be zero or more and finite, got -0\.5$"),
        (lambda: SCENE.contacts(margin="wide"), ValueError, "margin must be made of real numbers, got 'wide'$"),
        (lambda: SCENE.raycast(one(Line)), TypeError, "^Scene.raycast takes a Ray, got Line$"),
        (lambda: SCENE.raycast(None), TypeError, "^Scene.raycast takes a Ray, got NoneType$"),
        (
            lambda: SCENE.moved("ball", np.zeros((2, 3))),
            ValueError,
            r"^moved\.offset must be a single vector .*\(2, 3\)$",
        ),
        (lambda: SCENE.moved("crowd", np.zeros((3, 3))), ValueError, r"^moved\.offset must be a single vector"),
        (lambda: SCENE.moved("ball", [0, np.nan, 0]), ValueError, r"^moved\.offset must be finite, got \[0\.0, nan"),
        (lambda: SCENE.nearest(3), TypeError, "^a shape is given by its name in the scene, or as it is, got int$"),
        (lambda: SCENE[None], TypeError, "^a shape is given by its name .*, got NoneType$"),
        (lambda: SCENE.sweep("ball", motion=[1, 0, 0], pivot=[1, 0, 0]), TypeError, "takes a pivot with a placement"),
        (
            lambda: sweep(Point([0, 0, 0]), Point([1, 0, 0]), motion=[1, 0, 0], pivot=[1, 0, 0]),
            TypeError,
            "either a motion or placements, got both$",
        ),
        (lambda: SCENE.pairs_of(["ball"]), TypeError, "^a shape is given by its name .*, got list$"),
        (lambda: SCENE.element("ball"), TypeError, r"^element takes a number, got 'ball'; scene\[name\] takes a name$"),
        (lambda: SCENE.ignoring(3), ValueError, "^ignored must be pairs of names, .*, got 3$"),
        (lambda: SCENE.replaced(shows=[3]), TypeError, "^shows must be made of Show, got int$"),
        (
            lambda: Transform(np.zeros((2, 3))).apply(np.zeros((3, 3))),
            ValueError,
            rf"^Transform\.apply: {_NOT_TOGETHER}: transform \(2,\), points \(3,\)$",
        ),
    ],
)
def test_mistakes_are_told_in_one_line(ask: Any, error: type[Exception], message: str) -> None:
    with refused(error, message):
        ask()


@each("size", [1e-300, 1e-160, 1e160, 1e300, 8e306])
@by_kind
def test_no_finite_size_brings_a_warning(kind: Kind, size: float) -> None:
    sized = {other: one(other).transformed(Transform(scale=size)) for other in KINDS}
    for other in KINDS:  # warnings are errors here
        assert answers(sized[kind], sized[other])
    if kind in BOUNDED:
        assert sized[kind].bounds().batch_shape == sized[kind].bounding_sphere().batch_shape == ()


@each("size", [1e-300, 1e-73, 1e73, 1e160, 1e300])
@by_kind
def test_what_is_out_of_range_is_refused_by_what_it_would_lead_astray(kind: Kind, size: float) -> None:
    shape, ball = one(kind).transformed(Transform(scale=size)), one(Sphere)
    for a, b, name in ((shape, ball, "a"), (ball, shape, "b")):
        words = rf"{name} must have a largest coordinate or size from 1e-72 to 1e72, or zero, got "
        with pytest.raises(ValueError, match=f"^all_normals: {words}"):
            all_normals(a, b)
        with pytest.raises(ValueError, match=f"^sweep_steps: {words}"):
            sweep_steps(a, b, motion=[1, 0, 0])
        with contextlib.suppress(ValueError):
            explain("closest_points", a, b)  # which some can be


@each("size", [1e-72, 1e-70, 1e70, 1e71])
@by_kind
def test_answers_scale_over_the_promised_range(kind: Kind, size: float) -> None:
    scale = Transform(scale=size)
    for other in KINDS:
        first, second = varied(kind, 20, seed=1), varied(other, 20, seed=2)
        plain, sized = (
            closest_points(first, second),
            closest_points(first.transformed(scale), second.transformed(scale)),
        )
        assert np.allclose(sized.signed_distance / size, plain.signed_distance, rtol=0.0, atol=1e-13), other
        endless = sized.signed_distance == -np.inf
        assert np.array_equal(endless, plain.signed_distance == -np.inf)
        gap = sized.on_a + np.where(endless, 0.0, sized.signed_distance)[:, None] * sized.normal - sized.on_b
        assert np.abs(gap).max() <= 1e-13 * np.abs(sized.on_a).max(), other


@pytest.mark.parametrize(
    "shape",
    [
        Sphere([1.5e308, 0, 0], 1e308),
        Capsule([0, 0, 0], [1.5e308, 0, 0], 1e308),
        OrientedBox([1.5e308, 0, 0], np.eye(3), [1e308, 0, 0]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_bounds_too_large_for_a_number_are_refused(shape: Shape) -> None:
    with refused(ValueError, r"^AABB\.\w+ must be finite, got \["):
        shape.bounds()
    assert not contains(AABB([0, 0, 0], [1, 1, 1]), shape)


# -- several threads ---------------------------------------------------------------------------------------------------


def fresh_scene() -> Scene:
    rng = np.random.default_rng(8)
    shapes = {kind.__name__: varied(kind, 12, seed=9) for kind in BOUNDED}
    crowd = Sphere(rng.uniform(-4, 4, (200, 3)), rng.uniform(0.1, 0.5, 200))
    return Scene({**shapes, "ray": one(Ray), "crowd": crowd}).moved("crowd[7]", [0.5, 0.5, 0])


def ask_scene(scene: Scene, margin: float) -> list[Any]:
    near = scene.contacts(margin=margin)
    nearest = scene.nearest("crowd[3]")
    assert nearest is not None
    hits = scene.raycast(Ray([[-9, 0.1, 0.2], [0.3, -9, 0.1]], [[1, 0, 0], [0, 1, 0]]))
    moved = scene.moved("crowd[5]", [margin, 0, 0])
    return [
        *(scene.colliding_pairs(), moved.colliding_pairs(), moved.pairs_of("crowd[5]")),
        *(near.pairs, near.signed_distance, near.point, near.normal, near.depth),
        *(nearest.element, *nearest.points, hits.element, hits.enter, hits.normal),
    ]


def test_many_threads_get_the_answers_of_one() -> None:
    """All start at once on shapes that nobody has asked about, so that what is remembered is made by several."""
    margins = [0.05 * k for k in range(5)]

    def make() -> tuple[list[tuple[Shape, Shape]], Scene]:
        pairs = [(one(a), varied(b, 5) if i % 2 else one(b)) for i, (a, b) in enumerate(ORDERED)]
        return pairs, fresh_scene()

    def ask(asked: tuple[list[tuple[Shape, Shape]], Scene], margin: float) -> list[Any]:
        pairs, scene = asked
        return ask_scene(scene, margin) + [v for pair in pairs for v in answers(*pair).values()]

    wanted = [ask(make(), margin) for margin in margins]
    for _ in range(2 if deep() else 1):
        shared, start = make(), threading.Barrier(len(margins))

        def work(margin: float, shared: Any = shared, start: threading.Barrier = start) -> list[Any]:
            start.wait()
            return ask(shared, margin)

        switch = sys.getswitchinterval()
        sys.setswitchinterval(1e-4)
        try:
            with ThreadPoolExecutor(len(margins)) as pool:
                got = list(pool.map(work, margins))
        finally:
            sys.setswitchinterval(switch)
        for mine, theirs in zip(got, wanted, strict=True):
            assert all(map(same_bits, mine, theirs))


def test_a_question_between_two_steps_of_another_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a thread could do between two steps is done here, when a scene remembers its last contacts."""
    wanted, scene = fresh_scene().contacts(margin=0.1), fresh_scene()
    kept: dict[World, Any] = {}

    def remember(world: World, last: Any) -> None:
        asked_before = world in kept
        kept[world] = last
        if not asked_before:
            assert len(scene.contacts(margin=0.5)) > len(wanted)

    monkeypatch.setattr(World, "_last_near", property(lambda world: kept.get(world, ()), remember))
    assert same_bits(scene.contacts(margin=0.1).pairs, wanted.pairs)
    assert kept


@pytest.mark.parametrize("query", [signed_distance, intersects, closest_points], ids=lambda query: query.__name__)
def test_bulk_work_lets_other_threads_run(query: Any) -> None:
    # Nobody is made to give way in this time: another thread gets on only while a query lets it.
    box = varied(OrientedBox, THREAD_GRAIN - 1)  # one piece of work, done where it was asked for
    query(box[:2], one(OrientedBox))
    steps, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            steps[0] += 1
            time.sleep(0)

    other, switch = threading.Thread(target=count), sys.getswitchinterval()
    other.start()
    sys.setswitchinterval(1000.0)
    try:
        progress = 0
        for _ in range(100):
            before = steps[0]
            query(box, one(OrientedBox))
            progress += steps[0] - before
            if progress > 20:
                break
    finally:
        sys.setswitchinterval(switch)
        stop.set()
        other.join()
    assert progress > 20


def test_large_work_is_done_by_several_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collision.native.threads.processors", lambda: 2)
    with ThreadPoolExecutor(2) as pool:
        monkeypatch.setattr("collision.native.threads._pool", lambda: pool)
        meeting = threading.Barrier(2, timeout=60)

        def work(first: int, last: int) -> range:
            meeting.wait()  # breaks where a second never comes
            return range(first, last)

        parts = in_parts(work, 2 * THREAD_GRAIN)
    assert [k for part in parts for k in part] == list(range(2 * THREAD_GRAIN))


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, MemoryError])
def test_work_that_is_broken_off_writes_to_no_memory_afterwards(
    trouble: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("collision.native.threads.processors", lambda: 2)
    with ThreadPoolExecutor(2) as pool:
        monkeypatch.setattr("collision.native.threads._pool", lambda: pool)
        another, begun, ended = threading.Event(), [0], [0]

        def work(first: int, last: int) -> None:
            if first == 0:
                assert another.wait(60)
                raise trouble
            begun[0] += 1
            another.set()
            time.sleep(0.1)  # is at work when the other breaks off
            ended[0] += 1

        with pytest.raises(trouble):
            in_parts(work, 2 * THREAD_GRAIN)
        assert 1 <= begun[0] == ended[0] < 7


@pytest.mark.parametrize("order", [(Sphere, Capsule), (Capsule, AABB), (Sphere, OrientedBox)], ids=names)
def test_a_million_pairs_have_the_bits_of_few(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collision.native.threads.processors", lambda: 3)
    first, second = varied(order[0], 1 << 20, seed=1), varied(order[1], 1 << 20, seed=2)
    whole = {"d": signed_distance(first, second), "hit": intersects(first, second)}
    whole |= closest_points(first, second)._asdict()
    for start in range(0, 1 << 20, 100_003):
        rows = slice(start, start + 97)
        few = {"d": signed_distance(first[rows], second[rows]), "hit": intersects(first[rows], second[rows])}
        few |= closest_points(first[rows], second[rows])._asdict()
        for name, value in few.items():
            assert same_bits(whole[name][rows], value), name
    assert not np.any(np.isnan(whole["d"]))


# -- nothing changes its arguments, and answers are nobody's memory ----------------------------------------------------


def memory(given: Any) -> list[bytes]:
    """Return the bytes of all arrays in what a function was given."""
    if isinstance(given, np.ndarray):
        return [given.tobytes()]
    if isinstance(given, Shape):
        return [value.tobytes() for value in given.values().values()]
    if isinstance(given, Transform):
        return [value.tobytes() for value in (given.position, given.axes, given.scale, given.matrix)]
    if isinstance(given, CapsuleCollider):
        return [value.tobytes() for value in (given.center, given.height, given.radius)]
    return [part for shape in given.shapes.values() for part in memory(shape)]


def arrays(answer: Any) -> list[np.ndarray]:
    """Return all arrays in an answer, those inside shapes left out."""
    if isinstance(answer, np.ndarray):
        return [answer]
    if isinstance(answer, Mapping):
        answer = list(answer.values())
    if hasattr(answer, "__dataclass_fields__") and not isinstance(answer, Shape):
        answer = list(vars(answer).values())
    return [array for part in answer for array in arrays(part)] if isinstance(answer, tuple | list) else []


_PLACE = Transform([1.0, 2.0, 3.0], [0.0, 0.6, 0.0, 0.8], [2.0, 2.0, 2.0])
_COLLIDER = CapsuleCollider([[0.0, 0.5, 0.0]] * 4, "x", 3.0, 0.5)
_POINTS = np.random.default_rng(1).normal(size=(4, 6, 3))

#: Public functions and methods with what they are given.
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    **{f"{k.__name__}.transformed": (lambda s, t: s.transformed(t), (varied(k, 4), _PLACE)) for k in KINDS},
    **{f"{k.__name__}.translated": (lambda s, v: s.translated(v), (varied(k, 4), np.ones((4, 3)))) for k in KINDS},
    **{f"{k.__name__}[1:]": (lambda s: (s[1:], s[2], s.flattened(), list(s)), (varied(k, 4),)) for k in KINDS},
    **{f"{k.__name__}.bounds": (lambda s: (s.bounds(), s.bounding_sphere()), (varied(k, 4),)) for k in BOUNDED},
    "sweep": (lambda a, b, v: sweep(a, b, motion=v), (varied(AABB, 4), one(Point), np.ones((4, 3)))),
    "sweep back": (lambda a, b, v: sweep(a, b, motion=v), (one(Point), varied(AABB, 4), np.ones((4, 3)))),
    "from_points": (lambda p: (AABB.from_points(p), Sphere.from_points(p)), (_POINTS,)),
    "union": (AABB.union, (varied(AABB, 4), one(AABB))),
    "center": (lambda b: (b.center, b.half_extents, b.oriented()), (varied(AABB, 4),)),
    "transform": (lambda t, p: (t.apply(p), t.turn(p), t @ t, t.inverse_matrix(), repr(t)), (_PLACE, _POINTS)),
    "from_matrix": (Transform.from_matrix, (np.array(_PLACE.matrix),)),
    "collider": (
        lambda c, t, s: (c.capsule_to_local(), c.world_to_capsule(t), c.in_world(t), c.sphere_test(t, s)),
        (_COLLIDER, _PLACE, varied(Sphere, 4)),
    ),
    "scene": (lambda scene: ask_scene(scene, 0.2), (fresh_scene().replaced(ignored=[("ray", "crowd[0]")]),)),
    "moved scene": (lambda scene: ask_scene(scene, 0.2), (fresh_scene(),)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_their_arguments_and_later_answers_alone(name: str) -> None:
    call, given = CALLS[name]
    before = [memory(argument) for argument in given]
    first = arrays(call(*given))
    assert [memory(argument) for argument in given] == before
    kept = [array.copy() for array in first]
    for array in first:
        if array.flags.writeable and array.size:
            array[...] = np.zeros((), dtype=array.dtype)
    assert [memory(argument) for argument in given] == before
    assert all(map(same_bits, arrays(call(*given)), kept))


@by_kind
def test_what_shapes_are_made_of_is_read_only_wherever_they_come_from(kind: Kind) -> None:
    crowd = varied(kind, 3, 4)
    made = [crowd[0, 1], crowd[1], crowd[..., ::-1], crowd.flattened(), crowd.flattened()[5], one(kind).flattened()]
    made += [
        crowd.translated([1, 2, 3]),
        crowd.translated([1, 2, 3])[0, 0],
        crowd.transformed(_PLACE),
        next(iter(crowd)),
    ]
    made += [crossed(kind, 2, 3)[1, 2], Scene({"it": crowd}).moved("it[1,1]", [1, 0, 0])["it"]]
    made += [Scene({"it": crowd})["it[1,1]"], Scene({"it": crowd}).moved("it[1,1]", [1, 0, 0])["it[1,1]"]]
    if kind in BOUNDED:
        made += [crowd.bounds(), crowd.bounding_sphere(), crowd.bounds()[0, 0]]
    for shape in made:
        for name, value in shape.values().items():
            assert not value.flags.writeable, name
            with pytest.raises(ValueError, match="read-only"):
                value[...] = 0.0
    for view in crowd[0, 1].values().values():  # a view of much that others share
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
            view.flags.writeable = True
    assert set(FIELDS[kind]) == set(crowd.values())
    assert all(value.shape[2:] == np.shape(FIELDS[kind][name]) for name, value in crowd.values().items())
