"""What is shown of pairs: the two that are selected, what is near, all that collide, and what the broad phase kept."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, product

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
    Scene,
    Segment,
    Shape,
    Show,
    Sphere,
    all_normals,
    closest_points,
    manifold,
    signed_distance,
)
from tests.helpers import seen_labels, shape_of
from tests.strategies import PAIRS, Kind, coincident, on_a_lattice, sharing_a_point
from viewer.camera.lines import as_seen
from viewer.layout.page import Page
from viewer.layout.strip import Strip, place_strip
from viewer.picture.broad_phase import MOST
from viewer.picture.pairs import MOST_GAPS, MOST_TEXTS, closeup_of
from viewer.picture.present import present
from viewer.picture.shows import NORMAL_LENGTH
from viewer.records.drawables import (
    Arrow,
    Drawable,
    Ghost,
    Label,
    Marker,
    Panel,
    Role,
    Row,
    SeeThrough,
    ShapeFlags,
    Stroke,
    Timeline,
)
from viewer.records.theme import DARK, LIGHT, THEMES
from viewer.records.words import number
from viewer.session import Session, Toggles

SHAPES: dict[str, Shape] = {
    "ball": Sphere([0, 0, 1], 1),
    "arm": Capsule([1, 0, 1], [4, 0, 2], 0.5),
    "crate": OrientedBox([4, 1.2, 1], np.eye(3), [1, 1, 1]),
    "far": AABB([-4, -2, 0], [-3, -1, 1]),
    "P": Point([0, -3, 0.5]),
}


def session_of(shapes: dict[str, Shape] | Scene = SHAPES, *names: str, **toggles: bool) -> Session:
    session = Session(shapes if isinstance(shapes, Scene) else Scene(shapes))
    session.select_many(names)
    for name, wanted in toggles.items():
        if getattr(session.settings.toggles, name) != wanted:
            session.settings.toggle(name)
    return session


def strokes(drawables: tuple[Drawable, ...], role: Role) -> list[tuple[list[float], list[float]]]:
    return [
        (a.tolist(), b.tolist())
        for d in drawables
        if isinstance(d, Stroke) and d.role is role
        for a, b in zip(d.start, d.end, strict=True)
    ]


def arrows(drawables: tuple[Drawable, ...]) -> list[Arrow]:
    return [d for d in drawables if isinstance(d, Arrow) and d.role is Role.NORMAL]


def texts(drawables: tuple[Drawable, ...]) -> list[str]:
    """Return the texts of marks; that of the point P is its name."""
    return [d.text for d in drawables if isinstance(d, Label) and d.role is Role.TEXT and d.text != "P"]


def table(session: Session) -> list[Row]:
    """Return the rows of the table of pairs, and those of the card of what is selected."""
    panels = [d for d in present(session) if isinstance(d, Panel)]
    shown = [d for d in panels if d.corner == "upper-left"] + [
        d for d in panels if d.corner == "upper-right" and d.title
    ]
    return [row for panel in shown for row in panel.rows]


def lines(session: Session) -> list[str]:
    return [row.text for row in table(session)]


# -- a pair ------------------------------------------------------------------------------------------------------------


def test_normals_are_in_proportion_to_a_small_picture() -> None:
    lengths = {}
    for size in ((200, 150), (640, 480), (1280, 960)):
        scene = Scene({"ball": Sphere([0, 0, 0], 1), "other": Sphere([1.5, 0, 0], 1)})
        session = Session(scene, size=size)
        session.key("v")
        (arrow,) = arrows(present(session))
        arrow = as_seen(arrow, session.viewport)
        assert isinstance(arrow, Arrow)
        pixels, _ = session.viewport.project(np.concatenate([arrow.start, arrow.end]))
        lengths[size] = float(np.linalg.norm(pixels[1] - pixels[0]))
    assert lengths[200, 150] == pytest.approx(150 / 480 * lengths[640, 480], rel=0.1)
    assert lengths[1280, 960] == pytest.approx(lengths[640, 480], rel=0.1)


def test_a_still_picture_has_no_words_for_who_plays_or_edits() -> None:
    for still, wanted in ((False, "no shapes yet: a adds one"), (True, "no shapes")):
        drawn = present(Session(Scene({})), still=still)
        assert wanted in [row.text for panel in drawn if isinstance(panel, Panel) for row in panel.rows]
    motion = Motion("ball", times=[0, 1], offsets=[[0, 0, 0], [1, 0, 0]])
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[motion]))
    for still in (False, True):
        (strip,) = (drawn for drawn in present(session, still=still) if isinstance(drawn, Timeline))
        page = Page((640, 480), 1.0, 15.0, lambda text, size, bold: 0.5 * size * len(text))
        laid = place_strip(Strip.of(strip, page), page)
        assert laid.runs[0].text.startswith("at 0" if still else "paused 0")


@pytest.mark.parametrize(("a", "b"), list(combinations(SHAPES, 2)))
def test_the_selected_pair_is_shown_as_it_is(a: str, b: str) -> None:
    session = session_of(SHAPES, a, b)
    drawables = present(session)
    found = closest_points(SHAPES[a], SHAPES[b])
    assert strokes(drawables, Role.WITNESS) == [(found.on_a.tolist(), found.on_b.tolist())]
    (arrow,) = arrows(drawables)
    along = (arrow.end - arrow.start)[0]
    assert np.allclose(along / np.linalg.norm(along), found.normal, atol=1e-12)
    arrow = as_seen(arrow, session.viewport)
    assert isinstance(arrow, Arrow)
    pixels, _ = session.viewport.project(np.concatenate([arrow.start, arrow.end]))
    assert np.linalg.norm(pixels[1] - pixels[0]) < 1.5 * NORMAL_LENGTH * session.viewport.scale
    depth = -float(found.signed_distance)
    (text,) = texts(drawables)
    assert text == (f"depth {depth:.3g}" if depth > 0 else f"distance {-depth:.3g}")


SOLIDS: list[Shape] = [
    Sphere([0.1, 0.2, 0.3], 1),
    Capsule([-1, 0.3, 0], [1, 0.5, 0.4], 0.6),
    AABB([-1, -1, -1], [1, 0.5, 0.7]),
    OrientedBox([0.2, 0, 0], [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]], [1, 0.5, 0.7]),
]


@pytest.mark.parametrize(("a", "b"), list(product(SOLIDS, repeat=2)))
def test_the_ghost_just_touches_what_it_was_pushed_out_of(a: Shape, b: Shape) -> None:
    b = b.translated([0.3, -0.2, 0.5])
    session = session_of({"a": a, "b": b}, "a", "b")
    assert not any(isinstance(d, Ghost) for d in present(session)), "it is off at first"
    session.settings.toggle("ghost")
    (ghost,) = (d for d in present(session) if isinstance(d, Ghost))
    there = shape_of(ghost)
    assert type(there) is type(b)
    assert abs(float(signed_distance(a, there))) < 1e-12
    moved = there.bounds().center - b.bounds().center
    assert np.linalg.norm(moved) == pytest.approx(-float(signed_distance(a, b)), abs=1e-12)


def test_the_last_step_of_an_explanation_shows_the_ghost() -> None:
    session = session_of({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)}, "a", "b")
    session.explaining.explain("a", "b", "contact")
    while session.explaining.step + 1 < len(session.explaining.explanation.steps):
        assert not any(isinstance(d, Ghost) for d in present(session))
        session.explaining.turn_step(1)
    (ghost,) = (d for d in present(session) if isinstance(d, Ghost))
    assert shape_of(ghost) == Sphere([2, 0, 0], 1)


def ghosts_of(shapes: dict[str, Shape]) -> tuple[Drawable, ...]:
    """Return what is drawn of two selected shapes, with the ghost."""
    session = session_of(shapes, *shapes)
    session.settings.toggle("ghost")
    return present(session)


def test_thin_shapes_have_a_ghost_of_strokes_and_dots() -> None:
    ball = Sphere([0, 0, 0], 1)
    drawables = ghosts_of({"ball": ball, "edge": Segment([0, 0.5, -3], [0, 0.5, 3])})
    assert strokes(drawables, Role.GHOST) == [([0.0, 1.0, -3.0], [0.0, 1.0, 3.0])]
    drawables = ghosts_of({"ball": ball, "P": Point([0, 0, 0.5])})
    assert [d.points.tolist() for d in drawables if isinstance(d, Marker) and d.role is Role.GHOST] == [[[0, 0, 1]]]


def test_one_that_is_selected_is_compared_with_its_nearest_also_during_a_drag() -> None:
    session = session_of(SHAPES, "far", labels=True)
    assert "nearest: ball, distance 2.16" in lines(session)
    assert len(strokes(present(session), Role.WITNESS)) == 1
    gizmo = session.manipulation.tool.gizmo
    assert gizmo is not None
    (x, y), _ = (part[0] for part in session.viewport.project(SHAPES["far"].bounds().center[None]))
    assert session.press(float(x), float(y))
    session.move(float(x) + 60.0, float(y))
    assert session.manipulation.tool.dragging
    found = session.scene.nearest("far")
    assert found is not None
    near = f"distance {float(found.points.signed_distance):.3g}"
    assert any(near in line for line in lines(session))
    assert near != "distance 2.16"
    assert texts(present(session)) == [near]
    assert strokes(present(session), Role.WITNESS) == [(found.points.on_b.tolist(), found.points.on_a.tolist())]


def test_nothing_is_drawn_of_pairs_without_a_selection() -> None:
    drawables = present(session_of(SHAPES))
    assert not arrows(drawables)
    assert not strokes(drawables, Role.WITNESS)
    assert not any(isinstance(d, Ghost | SeeThrough) for d in drawables)


def test_batches_and_more_than_two_are_no_pair() -> None:
    crowd: dict[str, Shape] = {**SHAPES, "crowd": Sphere([[9, 0, 0], [9.5, 0, 0]], 1)}
    assert session_of(crowd, "ball", "crowd").selection.pair is None
    assert session_of(crowd, "ball", "crowd[1]").selection.pair == ("ball", "crowd[1]")
    assert session_of(crowd, "ball", "arm", "far").selection.pair is None
    assert session_of(crowd, "ball").selection.pair is None
    assert "sphere, capsule, aabb" in lines(session_of(crowd, "ball", "arm", "far"))


@pytest.mark.parametrize("size", [0.8461, 84610.0, 8.461e9])
def test_a_number_has_the_same_digits_wherever_it_stands(size: float) -> None:
    scene = {"a": Sphere([0, 0, 0], size), "b": Sphere([1.5 * size, 0, 0], size)}
    told = lines(session_of(scene, "a", "b"))
    depth = number(0.5 * size)
    assert f"parted by\t{number(0.5 * size, digits=6)}\t0\t0" in told
    assert told[-1] == f"reported: they overlap, by {depth}"


def test_the_card_says_what_there_is_to_know_of_a_pair_and_why_it_is_reported_or_not() -> None:
    assert lines(session_of(SHAPES, "ball", "arm"))[-7:] == [
        "sphere, capsule",
        "distance\t\N{MINUS SIGN}0.5",
        "normal\t1\t0\t0",
        "on ball\t1\t0\t1",
        "on arm\t0.5\t0\t1",
        "parted by\t0.5\t0\t0",
        "reported: they overlap, by 0.5",
    ]
    assert lines(session_of(SHAPES, "ball", "far"))[-1] == "not reported: apart in the broad phase, along x by 2"
    ignoring = Scene(SHAPES, ignored=[("a*", "ball")])
    assert lines(session_of(ignoring, "ball", "arm"))[-1] == "not reported: the scene ignores 'a*' with 'ball'"
    session = session_of(SHAPES, "ball", "far", distances=True)
    session.settings.set_margin(3)
    assert lines(session)[-1] == "reported: they are 2.16 apart, within the margin 3"


# -- answers that are not the only ones --------------------------------------------------------------------------------

BALL = Sphere([0, 0, 0], 1)

AMBIGUOUS: dict[str, tuple[Shape, Shape, int, int]] = {  # how many arrows, and how many curves
    "every direction is as short": (BALL, Sphere([0, 0, 0], 2), 6, 3),
    "a circle of directions is as short": (BALL, Capsule([0, 0, -2], [0, 0, 2], 0.5), 4, 1),
    "2 directions are as short": (Capsule([-1, 0, 0], [1, 0, 0], 0.3), Capsule([0, -1, 0], [0, 1, 0], 0.3), 2, 0),
    "6 directions are as short": (AABB([-1, -1, -1], [1, 1, 1]), BALL, 6, 0),
    "an arc of directions is as short": (AABB([0, 0, 0], [1, 1, 1]), AABB([1, 1, 0], [2, 2, 1]), 2, 1),
    "a range of directions is as short": (AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 1]), 3, 1),
}


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_ambiguous_answers_are_shown_as_such(text: str) -> None:
    a, b, count, curves = AMBIGUOUS[text]
    session = session_of({"a": a, "b": b}, "a", "b")
    assert text in lines(session)
    drawables = present(session)
    (arrow,) = arrows(drawables)
    along = arrow.end - arrow.start
    units = along / np.linalg.norm(along, axis=1, keepdims=True)
    assert len(units) == count
    assert np.allclose(units, all_normals(a, b).corners, atol=1e-12)
    around = [d for d in drawables if isinstance(d, Stroke) and d.role is Role.NORMAL]
    assert len(around) == curves
    length = np.linalg.norm(along[0])
    for curve in around:
        assert np.allclose(np.linalg.norm(curve.start - arrow.start[0], axis=1), length)
        assert np.array_equal(curve.start[1:], curve.end[:-1])


def test_an_answer_that_is_the_only_one_is_one_arrow() -> None:
    session = session_of({"a": BALL, "b": Sphere([1, 0, 0], 1)}, "a", "b")
    assert not any("short" in line for line in lines(session))
    assert [len(arrow.start) for arrow in arrows(present(session))] == [1]


# -- what is near, and all that collide --------------------------------------------------------------------------------


def test_contacts_and_normals_of_all_that_collide() -> None:
    session = session_of(SHAPES, contacts=True, normals=True)
    contacts = session.scene.contacts()
    drawables = present(session)
    dots = [d.points for d in drawables if isinstance(d, Marker) and d.role is Role.CONTACT]
    assert np.array_equal(np.concatenate(dots), contacts.point)
    (arrow,) = arrows(drawables)
    along = arrow.end - arrow.start
    assert np.allclose(along / np.linalg.norm(along, axis=1, keepdims=True), contacts.normal)


def test_contacts_have_their_corners_marked() -> None:
    """Those of all pairs of kinds at once; balls have none."""
    floor = AABB([-9, -9, -1], [9, 9, 0])
    crates = AABB([[-4, 0, -0.1], [4, 0, -0.1]], [[-3, 1, 1], [5, 1, 1]])
    rods = Capsule([-1, 0, 0.5], [1, 0, 0.5], 0.5), Capsule([-1, 4, 0.5], [1, 4, 0.5], 0.5)
    shapes = {"floor": floor, "crates": crates, "rod": rods[0], "other": rods[1], "ball": Sphere([0, -4, 0.5], 1)}
    patches = [manifold(floor, shape) for shape in (crates[0], crates[1], *rods)]
    wanted = [point for patch in patches for point in patch.point[: int(patch.count)].tolist()]
    assert len(wanted) == 12
    drawables = present(session_of(shapes, contacts=True))
    (dots,) = (d.points for d in drawables if isinstance(d, Marker) and d.role is Role.LYING)
    assert sorted(dots.tolist()) == sorted(wanted)
    (dots,) = (
        d.points
        for d in present(session_of(shapes, "rod", contacts=True))
        if isinstance(d, Marker) and d.role is Role.LYING
    )
    assert sorted(dots.tolist()) == sorted(patches[2].point[:2].tolist())
    assert not [d for d in present(session_of(shapes, "ball", contacts=True)) if getattr(d, "role", None) is Role.LYING]


def test_with_a_selection_only_its_own_contacts() -> None:
    drawables = present(session_of(SHAPES, "crate", contacts=True))
    (dots,) = (d for d in drawables if isinstance(d, Marker) and d.role is Role.CONTACT)
    assert len(dots.points) == 1


def test_distances_are_of_what_is_within_the_margin() -> None:
    session = session_of(SHAPES, distances=True)
    for margin in (0.5, 2.1, 3.0):
        session.settings.set_margin(margin)
        near = {
            f"{float(d):.3g}".replace("-", "\N{MINUS SIGN}")
            for a, b in combinations(SHAPES, 2)
            if (d := signed_distance(SHAPES[a], SHAPES[b])) <= margin
        }
        assert set(texts(present(session))) == near
        assert lines(session)[0] == f"{len(near)} pairs within {margin:g}, colliding: 2"
    assert len(near) > 5
    session.settings.toggle("normals")
    assert [len(arrow.start) for arrow in arrows(present(session))] == [len(near)]


def test_distances_of_the_selection_are_its_own() -> None:
    session = session_of(SHAPES, "P", distances=True)
    session.settings.set_margin(3.0)
    own = {
        f"{float(d):.3g}" for name in SHAPES if name != "P" and (d := signed_distance(SHAPES[name], SHAPES["P"])) <= 3
    }
    # The nearest is told from the others, and told once.
    assert sorted(texts(present(session))) == sorted(["distance " + min(own), max(own)])


def test_very_many_distances_are_cut_to_the_nearest() -> None:
    grid = np.stack(np.meshgrid(*3 * [np.arange(7.0)]), axis=-1).reshape(-1, 3)
    session = session_of({"grid": Sphere(grid, 0.4)}, distances=True)
    session.settings.set_margin(0.3)
    drawables = present(session)
    assert len(strokes(drawables, Role.WITNESS)) == MOST_GAPS
    assert len(texts(drawables)) == MOST_TEXTS


def test_the_margin_goes_by_round_lengths() -> None:
    session = session_of({"a": Sphere([0, 0, 0], 1), "b": Sphere([98, 0, 0], 1)})
    assert session.settings.margin == 5.0
    margins = []
    for _ in range(4):
        session.settings.change_margin(1)
        margins.append(session.settings.margin)
    assert margins == [10.0, 20.0, 50.0, 100.0]
    session.settings.change_margin(-9)
    assert session.settings.margin == 0.1
    session.settings.set_margin(0.03)
    session.settings.change_margin(1)
    assert session.settings.margin == 0.05
    session.settings.set_margin(0)
    session.settings.change_margin(-1)
    assert session.settings.margin == 0.5
    session.settings.change_margin(-1000)
    assert session.settings.margin == 1e-60
    with pytest.raises(ValueError, match="set_margin: margin must be zero or more"):
        session.settings.set_margin(-1)


# -- the broad phase ---------------------------------------------------------------------------------------------------


def test_the_pairs_that_the_broad_phase_kept_are_told_apart() -> None:
    shapes: dict[str, Shape] = {
        "a": Sphere([0, 0, 0], 1),
        "b": Sphere([1.5, 1.5, 0], 1),  # their boxes overlap, they do not
        "c": Sphere([-1, 0, 0], 1),
        "d": Sphere([-3, 0, 0], 1),  # it touches c
        "line": Line([0, 0, 9], [1, 0, 0]),  # it has no box
    }
    session = session_of(shapes, boxes=True)
    drawables = present(session)
    assert strokes(drawables, Role.KEPT) == [([0, 0, 0], [1.5, 1.5, 0])]
    assert strokes(drawables, Role.KEPT_HIT) == [([0, 0, 0], [-1, 0, 0])]
    assert strokes(drawables, Role.KEPT_TOUCHING) == [([-1, 0, 0], [-3, 0, 0])]
    boxes = strokes(drawables, Role.BOX)
    assert len(boxes) == 4 * 12
    corners = np.array(boxes).reshape(4, -1, 3)
    assert corners[0].min(axis=0).tolist() == [-1, -1, -1]
    assert corners[0].max(axis=0).tolist() == [1, 1, 1]
    assert lines(session)[-1] == "boxes overlap: 3 pairs, colliding: 1, touching: 1"


def test_of_very_many_boxes_only_some_are_drawn() -> None:
    grid = np.stack(np.meshgrid(*3 * [np.arange(9.0)]), axis=-1).reshape(-1, 3)
    session = session_of({"grid": Sphere(grid, 0.6)}, "grid[0]", boxes=True)
    drawables = present(session)
    assert len(strokes(drawables, Role.KEPT_HIT)) == 3
    assert len(strokes(drawables, Role.BOX)) <= 12 * MOST
    session.deselect()
    assert len(strokes(present(session), Role.KEPT_HIT) + strokes(present(session), Role.KEPT)) <= MOST


# -- the table of pairs ------------------------------------------------------------------------------------------------


def row_of_balls(count: int) -> Scene:
    """Return balls in a row, each a little deeper in the next than the one before: ball k and k + 1 by 0.01 k."""
    places = np.cumsum([0.0, *(2.0 - 0.01 * np.arange(1, count))])
    return Scene({f"b{k}": Sphere([x, 0, 0], 1) for k, x in enumerate(places)})


def marked(session: Session) -> list[str]:
    return [
        row.text
        for row in table(session)
        if isinstance(row.swatch, ShapeFlags) and row.swatch & ShapeFlags.SELECTED and "\t" in row.text
    ]


def test_the_walk_goes_from_the_deepest_pair_round_and_round() -> None:
    session = session_of(row_of_balls(5))
    seen = []
    for _ in range(5):
        session.selection.walk_pairs(1)
        seen.append(session.selection.pair)
        assert len(marked(session)) == 1
    assert seen == [("b3", "b4"), ("b2", "b3"), ("b1", "b2"), ("b0", "b1"), ("b3", "b4")]
    session.selection.walk_pairs(-1)
    assert session.selection.pair == ("b0", "b1")


def test_each_step_frames_the_pair() -> None:
    session = session_of(row_of_balls(9))
    session.selection.walk_pairs(-1)
    x, y = session.viewport.size
    for name in ("b0", "b1"):
        pixels, _ = session.viewport.project(session.scene[name].bounds().center)
        assert (np.abs(pixels - [x / 2, y / 2]) < [x / 3, y / 3]).all()


def test_the_table_shows_the_row_that_is_walked_to() -> None:
    session = session_of(row_of_balls(60))
    session.selection.walk_pairs(-1)
    assert marked(session) == ["b0\tb1\t\N{MINUS SIGN}0.01"]
    assert any(line.endswith("59 of 59, deepest first") for line in lines(session))
    for _ in range(30):
        session.selection.walk_pairs(-1)
    assert marked(session) == ["b30\tb31\t\N{MINUS SIGN}0.31"]
    assert len(session.selection.pair_rows.contacts) <= 9


def test_the_walk_survives_edits() -> None:
    session = session_of(row_of_balls(5))
    session.selection.walk_pairs(1)
    session.selection.walk_pairs(1)
    assert session.selection.pair == ("b2", "b3")
    session.select("b3")
    session.move_selection([0, 0, 50])  # neither pair of b3 is there any more
    session.select_many(["b2", "b3"])
    assert marked(session) == []
    session.selection.walk_pairs(-1)
    assert session.selection.pair == ("b0", "b1")  # what is far apart comes after all others
    session.undo()
    session.deselect()
    session.selection.walk_pairs(-1)
    assert session.selection.pair == ("b1", "b2")  # from the last that was walked to
    session.change(session.scene.without("b1"))
    session.selection.walk_pairs(1)
    assert session.selection.pair == ("b3", "b4")  # that pair is no more
    session.change(Scene({"lonely": BALL}))
    session.selection.walk_pairs(1)
    assert session.selection.pair is None


def test_with_the_distances_the_walk_is_through_what_is_near() -> None:
    session = session_of(SHAPES, distances=True)
    session.settings.set_margin(2.05)
    seen = []
    for _ in range(4):
        session.selection.walk_pairs(1)
        seen.append(session.selection.pair)
    assert seen == [("ball", "arm"), ("arm", "crate"), ("ball", "crate"), ("ball", "P")]
    session.settings.set_margin(0.001)
    session.settings.toggle("distances")
    session.selection.walk_pairs(1)
    assert session.selection.pair == ("ball", "arm")


def test_no_pair_within_the_margin_is_said() -> None:
    session = session_of({"a": BALL, "b": Sphere([9, 0, 0], 1)}, distances=True)
    session.settings.set_margin(2)
    assert lines(session)[0] == "no pair within 2"


# -- themes and toggles ------------------------------------------------------------------------------------------------


def test_the_themes_go_round() -> None:
    session = session_of(SHAPES)
    assert session.settings.theme is LIGHT
    seen = []
    for _ in THEMES:
        session.settings.next_theme()
        seen.append(session.settings.theme)
    assert seen[0] is DARK
    assert seen == [*list(THEMES.values())[1:], LIGHT]
    with pytest.raises(ValueError, match="theme must be light, dark"):
        session.settings.set_theme("pink")


@pytest.mark.parametrize("name", [field.name for field in fields(Toggles)])
def test_every_toggle_makes_a_new_picture(name: str) -> None:
    scene = Scene(SHAPES, shows=[Show("closest_points", "ball", "far")], caption="Five shapes.")
    session = session_of(scene, "ball", "arm")
    before, revision = present(session), session.revision
    session.settings.toggle(name)
    assert session.revision > revision
    after = present(session)

    def kinds(drawables: tuple[Drawable, ...]) -> list[str]:
        return sorted(f"{type(d).__name__} {getattr(d, 'role', '')}" + str(getattr(d, "rows", "")) for d in drawables)

    assert kinds(before) != kinds(after)
    session.settings.toggle(name)
    assert kinds(present(session)) == kinds(before)


def test_without_labels_no_distance_is_written() -> None:
    assert texts(present(session_of(SHAPES, "ball", "arm", labels=False))) == []


@pytest.mark.parametrize(("first", "second"), PAIRS, ids=lambda kind: kind.__name__)
def test_any_two_kinds_can_be_looked_at(first: Kind, second: Kind) -> None:
    rng = np.random.default_rng(3)
    for family in (on_a_lattice, coincident, sharing_a_point):
        one, other = family(first, second, rng)
        shapes = {"a": one.build(first), "b": other.build(second)}
        session = session_of(
            shapes, "a", "b", contacts=True, normals=True, distances=True, boxes=True, see_through=True
        )
        for drawable in present(session):
            if isinstance(drawable, Stroke | Arrow) and drawable.role is not Role.FREE:
                assert np.isfinite(drawable.start).all()
                assert np.isfinite(drawable.end).all()
        parted = signed_distance(shapes["a"], shapes["b"]) > 1e-12 or first is second is HalfSpace
        assert any(("not reported" in line) == parted for line in lines(session) if "reported:" in line)


def test_what_a_show_says_is_not_said_twice() -> None:
    scene = Scene(SHAPES, shows=[Show("contact", "arm", "crate")])
    for first, count in (("arm", 1), ("ball", 2)):
        labels = [each.label for each in seen_labels(session_of(scene, first, "crate"))]
        assert len(texts(labels)) == count


# -- all that is as good -----------------------------------------------------------------------------------------------


def test_normals_of_pairs_show_all_that_are_as_good() -> None:
    balls = {
        "a": Sphere([0, 0, 0], 1),
        "b": Sphere([0, 0, 0], 0.5),
        "c": Sphere([5, 0, 0], 1),
        "d": Sphere([6, 0, 0], 1),
    }
    session = session_of(balls, normals=True)
    (drawn,) = arrows(present(session))
    assert len(drawn.end) == 7, "six of the concentric ones, and one of the others"
    assert len(strokes(present(session), Role.NORMAL)) > 20
    session.select("d")
    (drawn,) = arrows(present(session))
    assert len(drawn.end) == 1
    assert not strokes(present(session), Role.NORMAL)


def test_a_contact_that_a_scene_shows_has_all_its_normals() -> None:
    balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([0, 0, 0], 0.5)}
    drawn = present(session_of(Scene(balls, shows=[Show("contact", "a", "b")])))
    (arrow,) = arrows(drawn)
    assert len(arrow.end) == 6
    assert strokes(drawn, Role.NORMAL)


def test_a_single_selected_shape_says_that_its_way_out_is_one_of_many() -> None:
    session = session_of({"a": Sphere([0, 0, 0], 1), "b": Sphere([0, 0, 0], 0.5), "c": Sphere([9, 0, 0], 0.5)}, "a")
    assert lines(session)[-1] == "every direction is as short"
    session.move_selection([0.2, 0, 0])
    assert lines(session)[-1].startswith("nearest: b")
    session.select("c")
    assert lines(session)[-1].startswith("nearest: a")


@pytest.mark.parametrize("seed", range(4))
def test_a_shape_is_shown_with_the_one_that_the_scene_says_is_nearest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene(
        {
            "balls": Sphere(rng.uniform(-2, 2, (30, 3)), rng.uniform(0.1, 0.5, 30)),
            "post": Capsule([0, 0, -1], [0, 0, 1], 0.3),
        },
        ignored=[("balls[3]", "*")],
    )
    colliding = 0
    for name in scene.element_names:
        nearest, found = scene.nearest(name), closeup_of(scene, (name,))
        if nearest is None:
            assert found is None
            continue
        assert found is not None
        assert (found.a, found.b) == (nearest.name, name)
        assert float(found.contact.signed_distance) == float(nearest.points.signed_distance)
        colliding += float(found.contact.signed_distance) < 0.0
    assert 5 < colliding < 28


def test_no_distance_is_written_twice_at_a_place() -> None:
    rng = np.random.default_rng(3)
    for seed in range(40):
        places = np.random.default_rng(seed).uniform(-4, 4, (4, 3))
        shapes = {f"s{k}": Sphere(place, 1.0) for k, place in enumerate(places)}
        queries = ("closest_points", "contact", "closest_points", "foot")
        pairs = [rng.choice(4, 2, replace=False) for _ in queries]
        shows = [Show(query, f"s{a}", f"s{b}") for query, (a, b) in zip(queries[:3], pairs[:3], strict=True)]
        rod = {"rod": Segment(places[0] + 2, places[1] - 3), "point": Point(places[2] * 2)}
        scene = Scene(
            {**shapes, **rod}, shows=[*shows, Show("foot", "point", "rod"), Show("closest_points", "point", "rod")]
        )
        session = Session(scene)
        session.select_many(["rod", "point"] if seed % 2 else ["s0", "s1"])
        session.settings.set_margin(20.0)
        session.settings.toggle("distances")
        labels = [each.label for each in seen_labels(session) if each.label.value is not None]
        assert len(labels) >= 5
        for a, b in combinations(labels, 2):
            (first, second), _ = session.viewport.project([a.position, b.position])
            same = number(abs(a.value), 9.0) == number(abs(b.value), 9.0)  # type: ignore[arg-type]
            assert not same or np.abs(first - second).max() > 3.0, (a.text, b.text)
