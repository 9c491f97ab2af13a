"""Shapes are checked values: what they refuse, and what they keep."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from collision.base.fields import Field
from collision.shapes.kinds import KINDS
from tests.cases import check_each, each
from tests.sampling import BOUNDED, FIELDS, Kind, batch, one, support

EPS = np.finfo(float).eps
FIELD_NAMES = [(kind, name) for kind, fields in FIELDS.items() for name in fields]
VECTORS = [(kind, name) for kind, name in FIELD_NAMES if np.shape(FIELDS[kind][name]) == (3,)]

#: What a wider float can hold and float64 cannot, where there is a wider one.
TOO_LARGE = [large for large in [np.finfo(np.longdouble).max] if np.isinf(float(large))]

by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def test_every_kind_has_an_example() -> None:
    assert tuple(FIELDS) == KINDS


@by_kind
def test_kinds_are_final(kind: type[Shape]) -> None:
    words = r"^class Mine: the kinds of shape are values, which cannot be subclassed"
    with pytest.raises(TypeError, match=words):
        type("Mine", (kind,), {})
    with pytest.raises(TypeError, match=words):
        type("Mine", (kind, dict), {"core_type": 0})


def test_what_has_no_end_has_no_radius() -> None:
    with pytest.raises(TypeError, match=r"^class Pipe: scenes take what has no end as thin"):
        type("Pipe", (Shape,), {"core_type": 1, "bounded": False, "radius": Field()})


def test_there_are_no_kinds_but_those_of_the_package() -> None:
    with pytest.raises(TypeError, match=r"^class Mine: the kinds of shape are values"):
        type("Mine", (Shape,), {})
    with pytest.raises(TypeError, match="Shape is only their common type"):
        Shape()


# -- what is refused --

NOT_NUMERIC = (
    *("text", b"text", None, 1 + 2j, [1, "2", 3], {"x": 1}, Decimal(1), [Decimal(1)] * 3, object(), 10**400),
    *(np.array([1, 2, 3], dtype=object), np.datetime64("2020-01-01"), np.timedelta64(1, "s")),
)


@pytest.mark.parametrize(("kind", "name"), FIELD_NAMES)
def test_what_is_not_numeric_is_refused_by_name(kind: Kind, name: str) -> None:
    message = rf"^{kind.__name__}\.{name} must be made of real numbers, got "
    check_each(NOT_NUMERIC, lambda wrong: is_refused(kind, name, wrong, message), repr)


def is_refused(kind: Kind, name: str, wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**FIELDS[kind] | {name: wrong})


@pytest.mark.parametrize(("kind", "name"), VECTORS)
def test_vectors_have_three_components(kind: Kind, name: str) -> None:
    message = rf"^{kind.__name__}\.{name} must be an array of shape \(\.\.\., 3\), got shape"
    check_each((0, 2, 4), lambda width: is_refused(kind, name, np.ones((5, width)), message))


@pytest.mark.parametrize(("kind", "name"), FIELD_NAMES)
def test_the_first_value_that_is_not_finite_is_named(kind: Kind, name: str) -> None:
    for wrong in (np.nan, np.inf, -np.inf, *TOO_LARGE):
        value = np.array([np.asarray(FIELDS[kind][name], dtype=np.longdouble)] * 4)
        value[2, ...] = wrong
        value[3, ...] = np.nan
        message = rf"^{kind.__name__}\.{name} must be finite, got .*({float(wrong)}).* at element \[2\]$"
        is_refused(kind, name, value, message)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Sphere([0, 0, 0], -1), r"^Sphere\.radius must be zero or more, got -1\.0$"),
        (lambda: Sphere([0, 0, 0], [1, -2, -3]), r"^Sphere\.radius must be zero or more, got -2\.0 at element \[1\]$"),
        (lambda: Capsule([0, 0, 0], [1, 0, 0], -5e-324), r"^Capsule\.radius must be zero or more, got -5e-324$"),
        (lambda: Ray([0, 0, 0], [0, 0, 0]), r"^Ray\.direction must be a direction, not the zero vector, got"),
        (lambda: Line([0, 0, 0], [[1, 0, 0], [0, -0.0, 0]]), r"^Line\.direction .* at element \[1\]$"),
        (
            lambda: AABB([0, 2, 0], [1, 1, 1]),
            r"^AABB\.lower must not be above AABB\.upper \(\[1\.0, 1\.0, 1\.0\]\), got \[0\.0, 2\.0, 0\.0\]$",
        ),
        (lambda: AABB([[0, 0, 0], [5, 0, 0]], [1, 1, 1]), r"got \[5\.0, 0\.0, 0\.0\] at element \[1\]$"),
        (
            lambda: OrientedBox([0, 0, 0], np.eye(3), [1, -1, 1]),
            r"^OrientedBox\.half_extents must be zero or more on every axis, got \[1\.0, -1\.0, 1\.0\]$",
        ),
        (
            lambda: OrientedBox([0, 0, 0], np.eye(2), [1, 1, 1]),
            r"^OrientedBox\.axes must be quaternions \(\.\.\., 4\) or matrices \(\.\.\., 3, 3\), got shape \(2, 2\)$",
        ),
        (
            lambda: Sphere([[0, 0, 0], [1, 2]], 1),
            r"^Sphere\.center must be made of lists of one length, got \[\[0, 0, 0\], \[1, 2\]\]$",
        ),
        (
            lambda: Sphere(np.array([0, 0, 1], dtype=object), 1),
            r"^Sphere\.center must be made of real numbers, got an array of Python objects; \.astype\(float\) makes",
        ),
        (
            lambda: Sphere(np.ma.array([0.0, 0.0, 1.0], mask=[False, True, False]), 1),
            r"^Sphere\.center must be made of real numbers alone, got a masked array",
        ),
        (lambda: Sphere([0, 0, 0], "1"), r"^Sphere\.radius must be made of real numbers, got '1'$"),
        (
            lambda: Sphere(np.zeros((3, 3)), np.ones(2)),
            r"^Sphere: batch axes do not broadcast together: center \(3,\), radius \(2,\)$",
        ),
    ],
)
def test_messages_say_what_must_be_and_what_came(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    "axes",
    [
        2 * np.eye(3),
        np.diag([1.0, 1.0, -1.0]),
        np.zeros((3, 3)),
        [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]],
        np.ones((3, 3)),
        np.diag([1.0, 1.0, 1.0 + 1e-4]),
        np.full((3, 3), 1e200),
    ],
    ids=["scaled", "mirrored", "zero", "sheared", "flat", "slightly long", "huge"],
)
def test_axes_must_be_a_rotation(axes: Any) -> None:
    with pytest.raises(ValueError, match=r"^OrientedBox\.axes must be a rotation matrix: .*, got \[\["):
        OrientedBox([0, 0, 0], axes, [1, 1, 1])


# -- what is kept --


class Wrapped:
    """An array of another library, of which NumPy can make its own."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype)


def test_truth_values_count_as_numbers() -> None:
    assert Sphere([True, False, True], [True, False]) == Sphere([1, 0, 1], [1, 0])


@pytest.mark.parametrize("axes", [(), (4,), (2, 3)])
@by_kind
def test_any_form_of_array_gives_the_same_shape(kind: Kind, axes: tuple[int, ...], tmp_path: Path) -> None:
    # Whole numbers, which every form below can hold.
    fields = {name: np.round(value) for name, value in batch(kind, *axes).values().items()}
    fields |= {"axes": np.broadcast_to(np.eye(3), (*axes, 3, 3))} if "axes" in fields else {}
    fields |= {"direction": np.ones((*axes, 3))} if "direction" in fields else {}
    wanted = kind(**fields)

    def strided(value: np.ndarray) -> np.ndarray:
        wide = np.repeat(value, 2, axis=-1) if value.ndim else value
        return wide[..., ::2] if value.ndim else wide

    def backwards(value: np.ndarray) -> np.ndarray:
        return np.flip(np.flip(value).copy())

    def stored(value: np.ndarray) -> np.ndarray:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.npy"
        np.save(path, value)
        return np.load(path, mmap_mode="r")

    forms = [
        lambda value: value.tolist(),
        lambda value: value.astype(int),
        lambda value: value.astype(np.float32),
        lambda value: value.astype(">f8"),
        lambda value: np.array(value, order="F"),
        strided,
        backwards,
        stored,
        lambda value: np.broadcast_to(value, value.shape),
        lambda value: value.astype(np.float16),
        lambda value: value.astype(np.longdouble),
        lambda value: [Wrapped(row) for row in value] if value.ndim > 1 else Wrapped(value),
        lambda value: [np.array(number) for number in value] if value.ndim == 1 else value,
        lambda value: tuple(map(tuple, value)) if value.ndim == 2 else value,
    ]
    for form in forms:
        got = kind(**{name: form(value) for name, value in fields.items()})
        assert got == wanted
        for value in got.values().values():
            assert value.dtype == np.float64
            assert value.flags.c_contiguous


@by_kind
def test_fields_are_read_only_copies(kind: Kind) -> None:
    given = {name: np.array(value, dtype=float) for name, value in FIELDS[kind].items()}
    before = {name: value.copy() for name, value in given.items()}
    shape = kind(**given)
    for name, value in shape.values().items():
        assert np.array_equal(given[name], before[name])
        assert given[name].flags.writeable
        assert not np.shares_memory(value, given[name])
        with pytest.raises(ValueError, match="read-only"):
            value[...] = 0.0
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(shape, name, value)


@by_kind
def test_equality_goes_by_kind_and_value(kind: Kind) -> None:
    shape = one(kind)
    assert shape == one(kind)
    assert hash(shape) == hash(one(kind))
    assert shape != one(kind).translated([1e-9, 0, 0])
    assert shape != "shape"
    assert all(shape != one(other) for other in KINDS if other is not kind)
    repeated = kind(**{name: np.asarray(value, dtype=float)[None] for name, value in FIELDS[kind].items()})
    assert shape != repeated  # a batch of one is not a single shape
    assert repeated[0] == shape


def test_zero_has_one_hash_whatever_its_sign() -> None:
    plus, minus = Point([0.0, 0.0, 0.0]), Point([-0.0, 0.0, -0.0])
    assert plus == minus
    assert hash(plus) == hash(minus)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda shape: pickle.loads(pickle.dumps(shape))])
@by_kind
def test_copies_and_pickles_are_equal_and_read_only(kind: Kind, again: Any) -> None:
    for axes in ((), (0,), (2, 3)):
        shape = batch(kind, *axes)
        assert shape.core  # what is cached must not stand in the way
        twin = again(shape)
        assert twin == shape
        assert twin.batch_shape == shape.batch_shape
        for name, value in twin.values().items():
            assert value.tobytes() == shape.values()[name].tobytes()
            assert not value.flags.writeable


def test_corners_of_a_grid_whose_values_are_shared_are_those_of_its_elements() -> None:
    rng = np.random.default_rng(0)
    for columns in range(1, 40):  # of many sizes: memory that was freed too early is soon used for another
        start = rng.normal(size=(columns, 3))
        grid = Capsule(start, start + 1.0, [[0.5], [0.25]])
        expected = [element.corners() for element in grid.flattened()]
        assert np.array_equal(np.stack(grid.corners(), axis=2).reshape(-1, 2, 3), expected)


@by_kind
def test_the_representation_of_one_shape_makes_it_again(kind: Kind) -> None:
    assert eval(repr(one(kind)), {kind.__name__: kind}) == one(kind)
    assert len(repr(batch(kind, 1000))) < 200


# -- batch axes --


def test_fields_broadcast_and_are_stored_as_given() -> None:
    shape = Capsule(np.zeros((4, 1, 3)), [0, 0, 2], np.ones(5))
    assert shape.batch_shape == (4, 5)
    assert [value.shape for value in shape.values().values()] == [(4, 1, 3), (3,), (5,)]
    assert shape.flattened().start.shape == (20, 3)
    assert shape.flattened()[7] == shape[1, 2]


def test_corners_of_boxes_are_compared_as_they_broadcast() -> None:
    rows = 10.0 * np.arange(3).reshape(1, 3, 1, 1) + np.zeros((2, 3, 1, 3))
    assert AABB(rows, 1.0 + rows[:1] + np.zeros((1, 3, 2, 3))).batch_shape == (2, 3, 2)
    many = np.tile([[1.0, 2.0, 3.0]], (200, 1))
    assert AABB(np.zeros(3), many).batch_shape == AABB(-many, np.zeros(3)).batch_shape == (200,)
    last = many.copy()
    last[-1, -1] = 2.5
    for lower, upper in ((many[0], last), (-last, -many[0]), (many, last)):
        with pytest.raises(ValueError, match=r"AABB.lower must not be above AABB.upper"):
            AABB(lower, upper)


@each(
    "index",
    [
        0,
        -1,
        slice(1, None),
        slice(None, None, -2),
        ...,
        (1, 2),
        (..., 2),
        (slice(None), 1),
        (None, 1),
        [3, 0, 3],
        np.array([[0, 1], [2, 3]]),
        np.array([True, False, True, False]),
        np.ones((4, 5), dtype=bool),
        ([0, 1], [2, 3]),
        (),
        np.int64(2),
        np.array(1),
    ],
)
@by_kind
def test_indexing_is_that_of_numpy_on_the_batch_axes(kind: Kind, index: Any) -> None:
    shape = batch(kind, 4, 5)
    rows = np.arange(20).reshape(4, 5)[index]
    picked = shape[index]
    assert picked.batch_shape == np.shape(rows)
    for name, value in picked.values().items():
        core = np.shape(FIELDS[kind][name])
        assert np.array_equal(value, shape.values()[name].reshape(20, *core)[rows])


@by_kind
def test_iterating_gives_the_elements(kind: Kind) -> None:
    shape = batch(kind, 3, 2)
    assert len(shape) == 3
    assert list(shape) == [shape[0], shape[1], shape[2]]
    assert list(shape[1]) == [shape[1, 0], shape[1, 1]]


@by_kind
def test_indices_out_of_range_are_refused(kind: Kind) -> None:
    with pytest.raises(IndexError, match=rf"^{kind.__name__} with batch axes \(2, 3\) has no element 2$"):
        batch(kind, 2, 3)[2]
    with pytest.raises(IndexError, match=r"has no element \(0, 1, 0\)"):
        batch(kind, 2, 3)[0, 1, 0]
    with pytest.raises(IndexError, match=r"batch axes \(\) has no element 0"):
        one(kind)[0]
    with pytest.raises(TypeError, match=f"a single {kind.__name__} has no length"):
        len(one(kind))


@pytest.mark.parametrize("axes", [(0,), (0, 3), (2, 0), (0, 0)])
@by_kind
def test_empty_batches_work(kind: Kind, axes: tuple[int, ...]) -> None:
    shape = batch(kind, *axes)
    assert shape.batch_shape == axes
    assert shape  # a value, not a container
    assert shape.flattened().batch_shape == (0,)
    assert shape.translated([1, 2, 3]).batch_shape == axes
    assert shape == batch(kind, *axes)
    if kind in BOUNDED:
        assert shape.bounds().batch_shape == axes
        assert shape.bounding_sphere().batch_shape == axes


# -- moving --


@pytest.mark.parametrize("axes", [(), (3,)])
@by_kind
def test_translating_moves_places_alone(kind: Kind, axes: tuple[int, ...]) -> None:
    shape = batch(kind, *axes)
    offset = np.array([1.0, -2.0, 0.5])
    moved = shape.translated(offset)
    places = {"position", "start", "end", "origin", "point", "center", "lower", "upper", "points"}
    for name, value in moved.values().items():
        assert np.array_equal(value, shape.values()[name] + (offset if name in places else 0.0))
    assert type(moved) is kind


def test_offsets_broadcast() -> None:
    assert Point([0, 0, 0]).translated(np.ones((2, 1, 3))).batch_shape == (2, 1)
    assert Sphere(np.zeros((5, 3)), 1).translated(np.ones((2, 1, 3))).batch_shape == (2, 5)


def test_bad_offsets_are_refused() -> None:
    ball = Sphere(np.zeros((2, 3)), 1)
    with pytest.raises(ValueError, match=r"^translated\.offset must be finite, got \[nan"):
        ball.translated([np.nan, 0, 0])
    with pytest.raises(
        ValueError, match=r"^translated\.offset must be an array of shape \(\.\.\., 3\), got shape \(2,\)"
    ):
        ball.translated([1, 2])
    with pytest.raises(
        ValueError, match=r"^Sphere\.translated: batch axes do not broadcast .* shape \(2,\), offset \(3,\)"
    ):
        ball.translated(np.zeros((3, 3)))
    with pytest.raises(ValueError, match=r"^Point\.position must be finite, got \[inf, 0\.0, 0\.0\]"):
        Point([1e308, 0, 0]).translated([1e308, 0, 0])


# -- directions --


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-160, 1.0, 3.0, 1e160, 1e308])
@pytest.mark.parametrize("kind", [Ray, Line])
def test_directions_become_unit_at_any_length(kind: Kind, size: float) -> None:
    direction = kind([0, 0, 0], np.array([1.0, -1.0, 0.0]) * size).direction
    assert np.allclose(direction, np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0), rtol=4 * EPS, atol=0.0)


@pytest.mark.parametrize("kind", [Ray, Line])
def test_unit_directions_are_kept_to_the_last_bit(kind: Kind) -> None:
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(20_000, 3)) * 10.0 ** rng.uniform(-200, 200, size=(20_000, 1))
    first = kind([0, 0, 0], vectors)
    assert np.allclose(np.linalg.norm(first.direction, axis=1), 1.0, rtol=4 * EPS, atol=0.0)
    again = kind([0, 0, 0], first.direction)
    assert again.direction.tobytes() == first.direction.tobytes()


# -- bounds --

bounded = pytest.mark.parametrize("kind", BOUNDED, ids=lambda kind: kind.__name__)


@bounded
def test_bounds_are_tight(kind: Kind) -> None:
    for shape in batch(kind, 50):
        box = shape.bounds()
        size = np.abs([box.lower, box.upper]).max()
        assert np.allclose(box.upper, support(shape, np.eye(3)), rtol=0.0, atol=4 * EPS * size)
        assert np.allclose(box.lower, -support(shape, -np.eye(3)), rtol=0.0, atol=4 * EPS * size)


@bounded
def test_bounds_of_a_batch_are_those_of_its_elements(kind: Kind) -> None:
    shape = batch(kind, 2, 3)
    for index in np.ndindex(2, 3):
        assert shape.bounds()[index] == shape[index].bounds()
        assert np.allclose(shape.bounding_sphere()[index].center, shape[index].bounding_sphere().center, rtol=0, atol=0)


@pytest.mark.parametrize("kind", [Ray, Line, HalfSpace])
def test_what_is_infinite_has_no_bounds(kind: Kind) -> None:
    assert not kind.bounded
    for method in (one(kind).bounds, one(kind).bounding_sphere, one(kind).corners):
        with pytest.raises(ValueError, match=rf"^a {kind.__name__} reaches to infinity and has no bound"):
            method()


def test_degenerate_shapes_have_bounds() -> None:
    assert Segment([1, 2, 3], [1, 2, 3]).bounding_sphere() == Sphere([1, 2, 3], 0)
    assert Capsule([1, 2, 3], [1, 2, 3], 2).bounding_sphere() == Sphere([1, 2, 3], 2)
    assert AABB([1, 1, 1], [1, 1, 1]).bounding_sphere() == Sphere([1, 1, 1], 0)
    assert OrientedBox([1, 1, 1], np.eye(3), [0, 0, 0]).bounds() == AABB([1, 1, 1], [1, 1, 1])


def test_large_numbers_do_not_overflow() -> None:
    box = AABB([-1.5e308, 0, 0], [1.5e308, 0, 0])
    assert np.array_equal(box.center, [0, 0, 0])
    assert np.array_equal(box.half_extents, [1.5e308, 0, 0])
    assert box.oriented().bounds() == box
    middle = Segment([-1.5e308, 0, 0], [1.5e308, 0, 0]).bounding_sphere()
    assert np.array_equal(middle.center, [0, 0, 0])


def test_boxes_around_points() -> None:
    points = np.random.default_rng(2).normal(size=(4, 10, 3))
    box = AABB.from_points(points)
    assert box.batch_shape == (4,)
    assert np.array_equal(box.lower, points.min(axis=1))
    assert np.array_equal(box.upper, points.max(axis=1))
    with pytest.raises(ValueError, match=r"AABB\.from_points\.points must be \(\.\.\., n, 3\) with n >= 1, got shape"):
        AABB.from_points(np.zeros((0, 3)))
    with pytest.raises(ValueError, match=r"n >= 1, got shape \(3,\)"):
        AABB.from_points([1, 2, 3])
    with pytest.raises(ValueError, match=r"^AABB\.from_points\.points must be finite, got \[nan"):
        AABB.from_points([[0, 0, 0], [np.nan, 0, 0]])


def test_union_holds_all_elements() -> None:
    boxes = AABB([[0, 0, 0], [5, 0, 0]], [[1, 1, 1], [6, 1, 1]]), AABB([0, -7, 0], [1, 1, 1])
    assert AABB.union(*boxes) == AABB([0, -7, 0], [6, 1, 1])
    assert AABB.union(boxes[1]) == boxes[1]


def test_an_aabb_as_an_oriented_box_is_the_same_box() -> None:
    box = batch(AABB, 20)
    assert np.allclose(box.oriented().bounds().lower, box.lower, rtol=4 * EPS, atol=4 * EPS * np.abs(box.upper).max())
    assert np.array_equal(box.oriented().axes, np.eye(3))
