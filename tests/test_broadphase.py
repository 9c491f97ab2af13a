"""The broad phase against comparing each box with each."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from collision import AABB, HalfSpace, Line, Point, Scene, Sphere, contact
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.broadphase import search
from collision.broadphase.hierarchy import Hierarchy
from collision.broadphase.tree import LEAF, SORT_THRESHOLD
from collision.broadphase.volumes import BoundingBoxes, HalfSpaces, Lines
from collision.kernels.cores import TOUCH
from tests.cases import each

#: From the empty scene over both sides of where the tree begins to many leaves, full and not.
COUNTS = (0, 1, 2, SORT_THRESHOLD, SORT_THRESHOLD + 1, SORT_THRESHOLD + LEAF + 1, 1500)

Boxes = tuple[FloatArray, FloatArray]


def boxes(layout: str, count: int, seed: int = 0) -> Boxes:
    rng = np.random.default_rng(seed)
    middle = rng.random((count, 3)) * max(count, 1) ** (1 / 3)
    half = rng.uniform(0.1, 0.4, (count, 3))
    if layout == "line":
        middle *= [max(count, 1) ** (2 / 3), 0.1, 0.1]
    elif layout == "sizes":
        half[rng.random(count) < 0.02] *= 100.0
    elif layout == "heap":
        middle[:] = 5.0
    elif layout == "far":
        middle += [1e6, -1e6, 1e6]
    elif layout == "unbounded" and count:
        half[:: max(count // 7, 1)] = np.inf
        half[count // 2, 1] = np.inf
    return middle - half, middle + half


LAYOUTS = ("even", "line", "sizes", "heap", "far", "unbounded")


def every_pair(lower: FloatArray, upper: FloatArray, margin: float = 0.0) -> FloatArray:
    apart = (lower[:, None] > upper[None] + margin) | (lower[None] > upper[:, None] + margin)
    return np.argwhere(np.triu(~apart.any(axis=-1), 1))


@each("count", COUNTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_are_those_of_comparing_each_with_each(layout: str, count: int) -> None:
    lower, upper = boxes(layout, count)
    for margin in (0.0, 0.25):
        expected = every_pair(lower, upper, margin)
        pairs = Hierarchy(lower, upper).pairs(margin=margin)
        assert np.array_equal(pairs[np.lexsort(pairs.T[::-1])], expected.reshape(-1, 2))
    if count > SORT_THRESHOLD:
        assert len(expected)


def near_to(hierarchy: Hierarchy, lower: FloatArray, upper: FloatArray) -> IntArray:
    """Return the boxes that one box overlaps, in order."""
    return np.sort(hierarchy.met_by(BoundingBoxes(lower[None], upper[None]))[:, 1])


@each("count", COUNTS[1:])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_boxes_near_one_are_those_of_comparing_it_with_each(layout: str, count: int) -> None:
    lower, upper = boxes(layout, count)
    hierarchy = Hierarchy(lower, upper)
    bounded = np.flatnonzero(np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1))
    for one in bounded[:20]:
        near = near_to(hierarchy, lower[one], upper[one])
        overlapping = np.all((lower <= upper[one]) & (lower[one] <= upper), axis=1)
        overlapping[np.setdiff1d(np.arange(count), bounded)] = True  # what has no end may be anywhere
        assert np.array_equal(near, np.flatnonzero(overlapping))


@each("count", COUNTS[1:])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_box_on_a_ray_is_missed_and_few_others_come_along(layout: str, count: int) -> None:
    lower, upper = boxes(layout, count)
    hierarchy = Hierarchy(lower, upper)
    rng = np.random.default_rng(1)
    finite = np.where(np.isfinite(lower), lower, 0.0)
    bounded = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
    origins, directions, expected = [], [], []
    for _ in range(10):
        origin = finite[rng.integers(count)] + rng.normal(size=3)
        direction = rng.normal(size=3) * rng.integers(0, 2, 3)
        direction[2] += 1e-3
        direction /= np.linalg.norm(direction)
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (lower - origin) / direction, (upper - origin) / direction
        level = (direction == 0.0) & np.ones_like(lower, dtype=bool)
        inside = (lower <= origin) & (origin <= upper)
        enter = np.where(level, np.where(inside, -np.inf, np.inf), np.minimum(a, b)).max(axis=1)
        leave = np.where(level, np.inf, np.maximum(a, b)).min(axis=1)
        sure = np.flatnonzero(np.maximum(enter, 0.0) <= leave)
        room = 1e-6 * (1.0 + np.abs(finite).max())
        maybe = np.flatnonzero(np.maximum(enter, 0.0) <= leave + room)
        origins.append(origin)
        directions.append(direction)
        expected.append((set(sure), {*maybe, *np.flatnonzero(~bounded)}))
    pairs = hierarchy.met_by(Lines(np.array(origins), np.array(directions), np.zeros(len(origins))))
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    for number, (sure, maybe) in enumerate(expected):
        assert sure <= set(pairs[pairs[:, 0] == number, 1]) <= maybe


def assert_met(pairs: IntArray, sure: BoolArray, maybe: BoolArray) -> None:
    """Compare pairs of volumes and boxes with tables: those there must be, and those there may be."""
    met = np.zeros(sure.shape, dtype=bool)
    met[pairs[:, 0], pairs[:, 1]] = True
    assert met.sum() == len(pairs)  # each once
    assert not (sure & ~met).any()
    assert not (met & ~maybe).any()


@each("margin", [0.0, 0.3])
@each("count", COUNTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_boxes_near_many_are_those_of_comparing_each_with_each(layout: str, count: int, margin: float) -> None:
    lower, upper = boxes(layout, count)
    for others in (boxes("even", 40, 3), boxes(layout, 300, 4), boxes("unbounded", 300, 5)):
        apart = (others[0][:, None] > upper[None] + margin) | (lower[None] > others[1][:, None] + margin)
        pairs = Hierarchy(lower, upper).met_by(BoundingBoxes(*others), margin=margin)
        wide = ~(np.isfinite(lower) & np.isfinite(upper)).all(axis=1)
        touching = ~apart.any(axis=-1)
        assert_met(pairs, touching, touching | wide)


def lines(rng: np.random.Generator, count: int, lower: FloatArray) -> Lines:
    """Return lines and rays through boxes and beside them, some along axes."""
    finite = lower[np.isfinite(lower).all(axis=1)]
    origin = finite[rng.integers(len(finite), size=count)] + rng.normal(size=(count, 3)) * [2.0, 0.5, 0.5]
    direction = rng.normal(size=(count, 3))
    direction[::3] = np.eye(3)[rng.integers(3, size=len(direction[::3]))]
    direction[1::3, 0] *= 1e-17
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    return Lines(origin, direction, np.where(rng.random(count) < 0.5, 0.0, -np.inf))


def through(given: Lines, lower: FloatArray, upper: FloatArray, room: float) -> BoolArray:
    """Tell which lines run through which boxes, widened."""
    o, d = given.origin[:, None], given.direction[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (lower - room - o) / d, (upper + room - o) / d
    level, inside = np.broadcast_to(d == 0.0, a.shape), (lower - room <= o) & (o <= upper + room)
    enter = np.where(level, np.where(inside, -np.inf, np.inf), np.minimum(a, b)).max(axis=-1)
    leave = np.where(level, np.inf, np.maximum(a, b)).min(axis=-1)
    return np.asarray(np.maximum(enter, given.start[:, None]) <= leave)


def reached(given: HalfSpaces, lower: FloatArray, upper: FloatArray, room: float) -> BoolArray:
    """Tell which half-spaces reach which boxes."""
    lowest = np.where(given.normal[:, None] > 0.0, lower, upper) - given.point[:, None]
    with np.errstate(invalid="ignore"):
        return np.asarray((lowest * given.normal[:, None]).sum(axis=-1) <= room)


@each("margin", [0.0, 0.3])
@each("count", COUNTS[2:])
@pytest.mark.parametrize("layout", ["even", "line", "sizes", "far"])
def test_what_has_no_end_meets_the_boxes_that_it_runs_through(layout: str, count: int, margin: float) -> None:
    lower, upper = boxes(layout, count)
    rng, room = np.random.default_rng(2), 1e-12 * np.abs(lower).max()
    given = lines(rng, 60, lower)
    pairs = Hierarchy(lower, upper).met_by(given, margin=margin)
    met = through(given, lower, upper, margin)
    assert_met(pairs, met, through(given, lower, upper, margin + room))
    spaces = HalfSpaces(given.origin, given.direction)
    pairs = Hierarchy(lower, upper).met_by(spaces, margin=margin)
    held = reached(spaces, lower, upper, margin)
    assert_met(pairs, held, reached(spaces, lower, upper, margin + room))
    if count > SORT_THRESHOLD:
        assert 0 < met.sum() < 0.5 * met.size
        assert 0.1 * held.size < held.sum() < 0.9 * held.size


@each("margin", [0.0, 0.3])
@pytest.mark.parametrize("count", [47, 60, SORT_THRESHOLD, SORT_THRESHOLD + 1, 900])
def test_pairs_with_what_has_no_end_are_those_of_comparing_each_with_each(count: int, margin: float) -> None:
    lower, upper = boxes("even", count)
    rng = np.random.default_rng(7)
    given, spaces = lines(rng, 40, lower), HalfSpaces(*lines(rng, 5, lower)[:2])
    numbers = rng.permutation(count)
    line_numbers, space_numbers, unknown = numbers[:40], numbers[40:45], numbers[45:47]
    for endless in (line_numbers, space_numbers):
        lower[endless], upper[endless] = -np.inf, np.inf
    upper[unknown, 1] = np.inf
    pairs = Hierarchy(lower, upper, [(line_numbers, given), (space_numbers, spaces)]).pairs(margin=margin)

    def table(room: float) -> BoolArray:
        near = np.zeros((count, count), dtype=bool)
        near[tuple(every_pair(lower, upper, margin).T)] = True
        near |= near.T
        bounded = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
        met = (
            (line_numbers, through(given, lower, upper, room)),
            (space_numbers, reached(spaces, lower, upper, room)),
        )
        for own, table in met:
            near[np.ix_(own, bounded)] = table[:, bounded]
            near[np.ix_(bounded, own)] = table[:, bounded].T
        return np.triu(near, 1)

    assert_met(pairs, table(margin), table(margin + 1e-9))
    assert len(pairs) < 0.5 * 47 * count


#: Boxes that single precision alone would not tell apart, or not hold at all.
HARD: dict[str, tuple[float, float, float]] = {  # how large all is, how far away, and how much sizes differ
    "tiny and huge": (1.0, 0.0, 6.0),
    "far away": (1.0, 1e12, 0.0),
    "tiny and huge, far away": (1.0, 1e9, 4.0),
    "beyond single precision": (1e39, 0.0, 0.0),
    "near the largest number": (1e305, 1e307, 1.0),
    "below single precision": (1e-47, 0.0, 0.0),
    "below the least normal number": (1e-314, 0.0, 0.0),
    "two clusters": (1.0, -1e10, 1.0),
}


def hard_boxes(case: str, count: int) -> Boxes:
    """Return boxes of which many just touch each other, or all but."""
    scale, away, decades = HARD[case]
    rng = np.random.default_rng(11)
    lower = rng.integers(0, 3 * round(count ** (1 / 3)), (count, 3)) * 0.5
    exponent = decades * np.where(rng.random((count, 1)) < 0.05, 1.0, -rng.random((count, 1)))
    half = 0.5 * 10.0**exponent * np.ones(3)
    lower -= half
    upper = lower + 2.0 * half
    if decades == 0.0:  # neighbours share a side, or are apart by the spacing of numbers
        upper = np.where(rng.random(upper.shape) < 0.3, np.nextafter(upper, -np.inf), upper)
    far = np.where(np.arange(count) % 2 == 0, away, -away)[:, None] if away < 0.0 else away
    lower, upper = lower * scale + far, upper * scale + far
    some = rng.integers(0, count, max(count // 20, 1))
    lower[some], upper[some] = lower[some[0]], upper[some[0]]  # coincident ones
    return lower, upper


def overlapping(lower: FloatArray, upper: FloatArray, room: FloatArray) -> BoolArray:
    """Tell which boxes overlap which, each widened by its room."""
    below = (lower - room)[:, None] <= (upper + room)[None]
    return np.asarray((below & below.transpose(1, 0, 2)).all(axis=-1))


@pytest.mark.parametrize("count", [SORT_THRESHOLD - 20, SORT_THRESHOLD + 40, 700])
@pytest.mark.parametrize("case", HARD)
def test_what_single_precision_does_not_tell_apart_is_told_apart(case: str, count: int) -> None:
    lower, upper = hard_boxes(case, count)
    hierarchy = Hierarchy(lower, upper)
    pairs, size = hierarchy.pairs(), np.maximum(abs(lower), abs(upper)).max(axis=1)[:, None]
    found = np.zeros((count, count), dtype=bool)
    found[pairs[:, 0], pairs[:, 1]] = True
    assert found.sum() == len(pairs)
    sure, maybe = overlapping(lower, upper, TOUCH * size), overlapping(lower, upper, 2.5 * TOUCH * size)
    assert not (np.triu(sure, 1) & ~found).any()
    assert not (found & ~maybe).any()
    assert 2 * count < sure.sum() < 0.5 * sure.size
    for one in range(0, count, 50):
        near = set(near_to(hierarchy, lower[one], upper[one]))
        assert set(np.flatnonzero(sure[one])) <= near <= set(np.flatnonzero(maybe[one]))
    others = BoundingBoxes(lower[::7], upper[::7])
    met = np.zeros((len(others.lower), count), dtype=bool)
    met[tuple(hierarchy.met_by(others).T)] = True
    assert not (sure[::7] & ~met).any()
    assert not (met & ~maybe[::7]).any()


@pytest.mark.parametrize(("size", "large"), [(1.0, 1e39), (1e-30, 1e60), (1e-60, 1.0), (1.0, 1e71)])
def test_what_is_larger_than_a_tree_by_more_than_single_precision_holds_meets_every_box_and_no_other(
    size: float, large: float
) -> None:
    count = SORT_THRESHOLD + LEAF + 1
    lower, upper = boxes("even", count)
    hierarchy, around = Hierarchy(lower * size, upper * size), np.array([[-large] * 3, [large] * 3])
    assert np.array_equal(near_to(hierarchy, *around), np.arange(count))
    assert len(hierarchy.pairs(margin=large)) == count * (count - 1) // 2
    assert np.array_equal(np.sort(hierarchy.met_by(BoundingBoxes(*around[:, None]))[:, 1]), np.arange(count))
    balls = {"balls": Sphere(lower * size, 0.1 * size), "one": Sphere([0, 0, 0], size)}
    moved = Scene(balls).with_shape("one", Sphere([0, 0, 0], large))
    assert np.array_equal(moved.pairs_of("one")[:, 0], np.arange(count))
    with np.errstate(over="ignore"):
        assert moved.nearest_element(Sphere([large, 0, 0], size)) == count


@pytest.mark.parametrize("count", [1, SORT_THRESHOLD + 1])
@pytest.mark.parametrize("away", [0.0, 1.0, 1e60, 1e71])
def test_shapes_at_one_point_however_far_away_have_the_pairs_that_there_are(count: int, away: float) -> None:
    place, normal = away * np.array([1.0, -0.5, 0.25]), [0.6, 0.0, 0.8]
    points = Point(np.tile(place, (count, 1)))
    up = np.array([0.0, 0.0, 1.0 + away])
    for side, wanted in ((place + up, count), (place - up, 0)):
        scene = Scene({"points": points, "ground": HalfSpace(side, normal)})
        assert len(scene.colliding_pairs()) == count * (count - 1) // 2 + wanted
    rows = Scene({"points": points}).pairs_of(Line(place, normal))
    assert np.array_equal(rows[:, 1], np.arange(count))


@pytest.mark.parametrize("case", ["tiny and huge", "far away", "beyond single precision", "below single precision"])
def test_lines_meet_what_single_precision_does_not_hold(case: str) -> None:
    lower, upper = hard_boxes(case, 400)
    scale = float((upper - lower).max())
    rng = np.random.default_rng(12)
    goal = 0.5 * lower[::4] + 0.5 * upper[::4]
    direction = rng.normal(size=goal.shape)
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    pairs = Hierarchy(lower, upper).met_by(Lines(goal - direction * scale, direction, np.zeros(len(goal))))
    assert {(k, 4 * k) for k in range(len(goal))} <= set(map(tuple, pairs.tolist()))
    assert len(pairs) < 0.5 * 400 * len(goal)


@pytest.mark.parametrize("count", [2, 9, 40, search.TREE_THRESHOLD, search.TREE_THRESHOLD + 1, SORT_THRESHOLD + 20])
def test_a_scene_of_hard_boxes_has_the_pairs_of_all_its_pairs(count: int) -> None:
    for case in HARD.keys() - {"near the largest number", "below the least normal number"}:  # which no scene takes
        lower, upper = hard_boxes(case, count)
        scene = Scene({"boxes": AABB(lower, upper)})
        i, j = np.triu_indices(len(lower), 1)
        for margin in (0.0, 0.3 * np.ptp(lower), 1e-9 * np.abs(upper).max()):
            touching = contact(AABB(lower[i], upper[i]), AABB(lower[j], upper[j]), margin=margin).touching
            pairs = scene.contacts(margin=margin).pairs if margin else scene.colliding_pairs()
            assert np.array_equal(pairs, np.stack([i, j], axis=1)[touching]), (case, margin)


def test_touching_to_rounding_is_a_pair() -> None:
    lower = np.array([[0.0, 0.0, 0.0], [0.1 + 0.2, 0.0, 0.0]])
    upper = np.array([[0.3, 1.0, 1.0], [1.0, 1.0, 1.0]])
    assert lower[1, 0] > upper[0, 0]
    assert Hierarchy(lower, upper).pairs().tolist() == [[0, 1]]


def test_a_search_that_finds_more_than_it_has_room_for_is_repeated() -> None:
    lower, upper = boxes("heap", 2000)
    hierarchy = Hierarchy(lower, upper)
    assert len(hierarchy.pairs()) == 2000 * 1999 // 2
    assert len(near_to(hierarchy, lower[0], upper[0])) == 2000
    ray = Lines(np.array([[0.0, 5.0, 5.0]]), np.array([[1.0, 0.0, 0.0]]), np.zeros(1))
    assert len(hierarchy.met_by(ray)) == 2000


def test_more_pairs_than_can_be_answered_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    lower, upper = boxes("heap", 1000)
    monkeypatch.setattr(search, "_EACH", 1 << 40)
    with pytest.raises(MemoryError, match=r"there are [0-9,]+ pairs of shapes whose bounds overlap: to look at all"):
        Hierarchy(lower, upper).pairs()


def test_the_first_search_may_be_done_by_several_threads() -> None:
    """None of them makes a tree of its own, in the memory of which another one would search."""
    lower, upper = boxes("even", 3000)
    many = BoundingBoxes(*boxes("even", 20_000, 1))
    wanted = len(Hierarchy(lower, upper).met_by(many))
    for _ in range(10):
        hierarchy = Hierarchy(lower, upper)
        with ThreadPoolExecutor(4) as pool:
            found = [*pool.map(lambda _, own=hierarchy: own.met_by(many), range(4))]
        assert [len(pairs) for pairs in found] == [wanted] * 4
        assert all(pairs.max() < 20_000 for pairs in found)
