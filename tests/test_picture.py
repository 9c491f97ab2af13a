"""What is to be seen of a session: which shapes, in which role, with which texts."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest

from collision import (
    AABB,
    Camera,
    Capsule,
    Contacts,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Show,
    Sphere,
    closest_points,
)
from tests.helpers import seen_labels, seen_marks
from viewer.camera.lines import as_seen
from viewer.picture.names import MANY_POINTS
from viewer.picture.present import present
from viewer.records.drawables import (
    Arrow,
    Core,
    Drawable,
    Ground,
    Label,
    Marker,
    Panel,
    Patch,
    Role,
    ShapeFlags,
    Solid,
    Stroke,
)
from viewer.records.words import number
from viewer.session import Session
from viewer.session.commands import ESSENTIALS
from viewer.session.pair_table import FEWEST_ROWS, TABLE_ROWS

D = TypeVar("D", bound=Drawable)

BALLS = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1), "c": Sphere([9, 0, 0], 1)}


def shown(scene: Scene | dict[str, Any], selection: str | None = None) -> tuple[Drawable, ...]:
    session = Session(scene if isinstance(scene, Scene) else Scene(scene))
    session.select(selection)
    return present(session)


def of(kind: type[D], drawables: tuple[Drawable, ...]) -> list[D]:
    return [drawable for drawable in drawables if isinstance(drawable, kind)]


def texts(drawables: tuple[Drawable, ...]) -> list[str]:
    """Return the texts of shows, and the names of points; the names of shapes have tests of their own."""
    return [label.text for label in of(Label, drawables) if label.role is not Role.NAME]


def rows(drawables: tuple[Drawable, ...], corner: str) -> list[str]:
    return [row.text for panel in of(Panel, drawables) if panel.corner == corner for row in panel.rows]


def marked(scene: Scene | dict[str, Any], *show: Show) -> tuple[Drawable, ...]:
    shapes = scene.shapes if isinstance(scene, Scene) else scene
    return shown(Scene(shapes, shows=show))


def ends(strokes: list[Stroke], role: Role) -> set[tuple[tuple[float, ...], tuple[float, ...]]]:
    return {
        (tuple(a.round(9).tolist()), tuple(b.round(9).tolist()))
        for stroke in strokes
        if stroke.role == role
        for a, b in zip(stroke.start, stroke.end, strict=True)
    }


def points_of(drawables: tuple[Drawable, ...], role: Role) -> list[list[float]]:
    return [p.round(9).tolist() for marker in of(Marker, drawables) if marker.role == role for p in marker.points]


# -- the shapes -------------------------------------------------------------------------------------------------------


def test_any_number_of_shapes_is_one_solid_a_kind() -> None:
    shapes: dict[str, Any] = {}
    for i in range(10):
        x = 5.0 * i
        shapes[f"ball {i}"] = Sphere([x, 0, 0], 1)
        shapes[f"rod {i}"] = Capsule([x, 0, 0], [x, 0, 2], 0.5)
        shapes[f"room {i}"] = AABB([x, 8, 0], [x + 1, 9, 1])
        shapes[f"crate {i}"] = OrientedBox([x, -8, 0], np.eye(3), [1, 1, 1])
    shapes["crowd"] = Sphere(np.random.default_rng(1).normal(size=(30, 3)) * 50, 1)
    solids = of(Solid, shown(shapes))
    assert [solid.core for solid in solids] == [Core.POINT, Core.LINEAR, Core.ALIGNED, Core.BOX]
    assert [len(solid) for solid in solids] == [40, 10, 10, 10]


def test_the_flags_of_every_element_are_its_own() -> None:
    (solid,) = of(Solid, shown(BALLS, "b"))
    assert solid.flags.tolist() == [ShapeFlags.HIT, ShapeFlags.HIT | ShapeFlags.SELECTED, ShapeFlags.FREE]
    (solid,) = of(Solid, shown(BALLS, "c"))
    assert solid.flags.tolist() == [ShapeFlags.HIT, ShapeFlags.HIT, ShapeFlags.SELECTED]


def test_an_entry_that_is_a_batch_is_selected_as_a_whole_or_by_element() -> None:
    crowd = {"crowd": Sphere([[0, 0, 0], [9, 0, 0]], 1), "d": Sphere([20, 0, 0], 1)}
    (whole,) = of(Solid, shown(crowd, "crowd"))
    assert whole.flags.tolist() == [ShapeFlags.SELECTED, ShapeFlags.SELECTED, ShapeFlags.FREE]
    (one,) = of(Solid, shown(crowd, "crowd[1]"))
    assert one.flags.tolist() == [ShapeFlags.FREE, ShapeFlags.SELECTED, ShapeFlags.FREE]


def test_ignored_pairs_are_not_red() -> None:
    (solid,) = of(Solid, shown(Scene(BALLS, ignored=[("a", "b")])))
    assert set(solid.flags.tolist()) == {ShapeFlags.FREE}


def test_what_only_touches_has_a_look_of_its_own_and_what_also_collides_is_red() -> None:
    lying = {"floor": HalfSpace([0, 0, 0], [0, 0, 1]), "crate": AABB([0, 0, 0], [1, 1, 1]), "pin": Point([3, 0, 0])}
    both = {"wall": AABB([4, 0, 1], [5, 1, 2]), "ball": Sphere([6, 0.5, 1.5], 1), "other": Sphere([7, 0.5, 1.5], 0.5)}
    drawables = shown(lying | both)
    boxes, balls = (next(s for s in of(Solid, drawables) if s.core is core) for core in (Core.ALIGNED, Core.POINT))
    assert boxes.flags.tolist() == [ShapeFlags.TOUCHING, ShapeFlags.TOUCHING]
    assert balls.flags.tolist() == [ShapeFlags.HIT, ShapeFlags.HIT]
    assert [mark.role for mark in of(Patch, drawables)] == [Role.PLANE_TOUCHING]
    assert points_of(drawables, Role.TOUCHING) == [[3.0, 0.0, 0.0]]
    head, *listed = rows(drawables, "upper-left")[:5]
    assert head == "1 colliding pair, 3 touching, signed distance"
    assert [row.split("\t")[2] for row in listed] == [number(-0.5), *["touching"] * 3]
    assert rows(drawables, "upper-right") == ["colliding", "touching"]
    alone = shown(lying)
    assert rows(alone, "upper-left")[0] == "2 touching pairs"
    assert rows(alone, "upper-right") == ["touching"]
    assert all(patch.role is Role.PLANE_HIT for patch in of(Patch, shown(lying | {"ball": Sphere([9, 9, 0], 1)})))


def test_thin_shapes_have_the_role_of_their_flags() -> None:
    drawables = shown(
        {
            "wall": AABB([0, 0, 0], [1, 1, 1]),
            "through": Segment([-1, 0.5, 0.5], [2, 0.5, 0.5]),
            "aside": Segment([-1, 5, 0.5], [2, 5, 0.5]),
            "P": Point([0.5, 0.5, 0.9]),
            "Q": Point([0.5, 0.5, 7.0]),
        }
    )
    strokes = of(Stroke, drawables)
    assert ends(strokes, Role.HIT) == {((-1.0, 0.5, 0.5), (2.0, 0.5, 0.5))}
    assert ends(strokes, Role.FREE) == {((-1.0, 5.0, 0.5), (2.0, 5.0, 0.5))}
    # A segment's ends are dots, to grab it by.
    assert points_of(drawables, Role.HIT) == [[0.5, 0.5, 0.9], [-1.0, 0.5, 0.5], [2.0, 0.5, 0.5]]
    assert points_of(drawables, Role.FREE) == [[0.5, 0.5, 7.0], [-1.0, 5.0, 0.5], [2.0, 5.0, 0.5]]


def test_a_selected_segment_keeps_its_own_role_over_the_halo() -> None:
    roles = [s.role for s in of(Stroke, shown({"s": Segment([0, 0, 0], [1, 0, 0])}, "s"))]
    assert roles[:2] == [Role.SELECTED, Role.FREE]


# -- lines and rays ---------------------------------------------------------------------------------------------------

CAMERAS = [
    Camera((0, -10, 3)),
    Camera((6, 5, 9), (1, 1, 0)),
    Camera((0, 0, 20), up=(0, 1, 0), parallel_height=4.0),
    Camera((3, -10, 1), parallel_height=7.0),
]


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("direction", [[1, 0, 0], [0.3, 1, 0.2], [0.1, 0.2, 1], [1, -1, 0.5]])
def test_lines_run_out_of_the_picture(camera: Camera, direction: list[float]) -> None:
    line = Line([0.2, 0.1, 0.3], direction)
    session = Session(Scene({"line": line}, camera=camera), size=(800, 600))
    (stroke,) = of(Stroke, seen_marks(session))
    for end in (stroke.start[0], stroke.end[0]):
        assert closest_points(Point(end), line).signed_distance < 1e-9 * np.abs(end).max()
        (pixel,), (depth,) = session.viewport.project(end[None])
        outside = not (0 <= pixel[0] <= 800 and 0 <= pixel[1] <= 600)
        # Behind the eye, beyond an edge, or so far off that what is left of it is next to its vanishing point.
        assert depth <= 0.0 or outside or depth > 15.0 * np.linalg.norm(np.subtract(camera.position, camera.target))


def test_a_ray_starts_at_its_origin_and_runs_out_of_the_picture() -> None:
    session = Session(Scene({"ray": Ray([1, 0, 0], [1, 0, 0])}, camera=CAMERAS[0]))
    (stroke,) = of(Stroke, seen_marks(session))
    assert stroke.start.tolist() == [[1.0, 0.0, 0.0]]
    assert session.viewport.project(stroke.end)[0][0, 0] > 1280


def test_what_is_far_off_is_still_in_the_view() -> None:
    scene = Scene({"ray": Ray([-5000, 0, 0], [1, 0, 0]), "ball": Sphere([0, 0, 0], 1)}, camera=CAMERAS[0])
    (stroke,) = of(Stroke, seen_marks(Session(scene)))
    assert stroke.start.tolist() == [[-5000, 0, 0]]
    assert stroke.end[0, 0] > 1000.0


def test_a_line_that_collides_is_hit() -> None:
    lines = Line([[0, 0, 0], [0, 5, 0], [0, -5, 0]], [1, 0, 0])
    strokes = of(Stroke, shown({"lines": lines, "ball": Sphere([3, 0, 0], 1)}))
    assert [(s.role, len(s.start)) for s in strokes] == [(Role.FREE, 2), (Role.HIT, 1)]


# -- what a scene asks to be shown ------------------------------------------------------------------------------------


def test_closest_points() -> None:
    drawables = marked(BALLS, Show("closest_points", "b", "c"), Show("closest_points", "a", "b", label="overlap"))
    assert points_of(drawables, Role.WITNESS) == [[2.5, 0, 0], [8, 0, 0], [1, 0, 0], [0.5, 0, 0]]
    assert ends(of(Stroke, drawables), Role.WITNESS) == {((2.5, 0, 0), (8, 0, 0)), ((1, 0, 0), (0.5, 0, 0))}
    assert texts(drawables) == ["distance 5.5", "overlap depth 0.5"]
    assert of(Label, drawables)[0].position.tolist() == [5.25, 0, 0]


def test_closest_points_of_touching_shapes() -> None:
    touching = {"a": Sphere([0.1, 0, 0], 0.1), "b": Sphere([0.4, 0, 0], 0.2)}
    assert texts(marked(touching, Show("closest_points", "a", "b"))) == ["touching"]


def test_a_point_is_its_own_witness_and_bears_its_name() -> None:
    drawables = marked({"P": Point([0, 0, 0]), "Q": Point([3, 4, 0])}, Show("closest_points", "P", "Q"))
    assert points_of(drawables, Role.WITNESS) == []
    assert texts(drawables) == ["distance 5", "P", "Q"]


def test_many_points_are_not_named() -> None:
    points = {f"P{i}": Point([i, 0, 0]) for i in range(MANY_POINTS + 1)}
    assert texts(shown(points)) == []


def test_contact() -> None:
    drawables = marked(BALLS, Show("contact", "a", "b"), Show("contact", "b", "c"))
    assert points_of(drawables, Role.CONTACT) == [[0.75, 0, 0]]
    (arrow,) = of(Arrow, drawables)
    assert arrow.role == Role.NORMAL
    assert arrow.about is not None
    assert arrow.about.tolist() == [[0.75, 0, 0]]
    assert arrow.start.tolist() == [[0, 0, 0]]
    assert (arrow.end - arrow.start)[0, 0] > 0.0
    assert (arrow.end - arrow.start)[0, 1:].tolist() == [0, 0]
    assert texts(drawables) == ["depth 0.5", "no contact, distance 5.5"]


def test_a_contact_of_faces_has_its_corners_marked() -> None:
    floor, crate = AABB([-2, -2, -1], [2, 2, 0]), AABB([0, 0, -0.25], [1, 1, 1])
    drawables = marked({"a": floor, "b": crate}, Show("contact", "a", "b"))
    assert points_of(drawables, Role.LYING) == [[1, 1, -0.125], [0, 1, -0.125], [0, 0, -0.125], [1, 0, -0.125]]
    assert rows(drawables, "upper-right") == ["colliding", "contact point", "normal"]
    assert points_of(marked(BALLS, Show("contact", "a", "b")), Role.LYING) == []


def test_a_normal_has_a_constant_length_in_the_picture() -> None:
    lengths = []
    for distance in (10.0, 40.0):
        camera = Camera((0.75, -distance, 0), target=(0.75, 0, 0))
        session = Session(Scene(BALLS, shows=[Show("contact", "a", "b")], camera=camera))
        (arrow,) = of(Arrow, present(session))
        arrow = as_seen(arrow, session.viewport)
        assert isinstance(arrow, Arrow)
        pixels, _ = session.viewport.project(np.concatenate([arrow.start, arrow.end]))
        lengths.append(np.linalg.norm(pixels[1] - pixels[0]))
    assert lengths[0] == pytest.approx(lengths[1])
    assert lengths[0] > 30.0


def test_crossings_of_a_segment() -> None:
    scene = {"s": Segment([-2, 0, 0], [2, 0, 0]), "ball": Sphere([0, 0, 0.6], 1)}
    drawables = marked(scene, Show("crossings", "s", "ball"))
    assert points_of(drawables, Role.CROSSING) == [[-0.8, 0, 0], [0.8, 0, 0]]
    assert points_of(drawables, Role.NEAREST) == [[0, 0, 0]]
    assert texts(drawables) == ["C", "t = 0", "t = 1", "H", "first, t = 0.3", "t = 0.7"]


@pytest.mark.parametrize(
    ("height", "expected"),
    [
        (0.6, ["C", "side: H", "P', t = −0.8", "P, t = 0.8"]),
        (1.0, ["C", "side: H, tangent, t = 0"]),
        (1.25, ["C", "side: H", "distance 0.25"]),
    ],
)
def test_crossings_of_a_line(height: float, expected: list[str]) -> None:
    scene = {"line": Line([0, 0, 0], [1, 0, 0]), "ball": Sphere([0, 0, height], 1)}
    drawables = marked(scene, Show("crossings", "line", "ball", label="side"))
    assert texts(drawables) == expected
    # H and the center are always joined.
    assert ends(of(Stroke, drawables), Role.NEAREST) == {((0, 0, 0), (0, 0, height))}


def test_a_segment_inside_a_ball_crosses_nothing_and_is_red() -> None:
    scene = {"s": Segment([-0.1, 0, 0], [0.1, 0, 0]), "ball": Sphere([0, 0, 0.1], 1)}
    drawables = marked(scene, Show("crossings", "s", "ball"))
    assert points_of(drawables, Role.CROSSING) == []
    assert texts(drawables) == ["C", "t = 0", "t = 1", "H"]
    assert next(s.role for s in of(Stroke, drawables)) == Role.HIT


def test_raycast() -> None:
    scene = {"ray": Ray([-3, 0, 0], [1, 0, 0]), "ball": Sphere([0, 0, 0], 1), "off": Sphere([0, 9, 0], 1)}
    drawables = marked(scene, Show("raycast", "ray", "ball"), Show("raycast", "ray", "off"))
    assert points_of(drawables, Role.ENTRY) == [[-1, 0, 0]]
    assert "enter: where the ray hits" in rows(drawables, "upper-right")
    (arrow,) = of(Arrow, drawables)
    assert (arrow.end - arrow.start)[0, 0] < 0.0
    assert texts(drawables) == ["enter 2", "no hit"]


def test_a_ray_that_starts_inside() -> None:
    drawables = marked({"ray": Ray([0, 0, 0], [1, 0, 0]), "ball": Sphere([0, 0, 0], 1)}, Show("raycast", "ray", "ball"))
    assert texts(drawables) == ["starts inside"]
    assert of(Arrow, drawables) == []


FOOT_CASES = [
    (-1.0, "X before A, rate −0.5", [0.0, 0.0, 0.0], "distance 2.24 > 0.5"),
    (1.0, "X between A and B, rate 0.5", [1.0, 0.0, 0.0], "distance 2 > 0.5"),
    (3.0, "X after B, rate 1.5", [2.0, 0.0, 0.0], "distance 2.24 > 0.5"),
]


@pytest.mark.parametrize(("x", "where", "nearest", "verdict"), FOOT_CASES)
def test_foot(x: float, where: str, nearest: list[float], verdict: str) -> None:
    scene = {"ball": Sphere([x, 0, 2], 0.5), "s": Segment([0, 0, 0], [2, 0, 0])}
    drawables = marked(scene, Show("foot", "ball", "s"))
    assert texts(drawables) == ["A", "B", "C", where, verdict]
    assert points_of(drawables, Role.FOOT) == [[x, 0, 0]]
    beyond = "between" not in where
    assert points_of(drawables, Role.NEAREST) == ([nearest] if beyond else [])
    extension = {(tuple(nearest), (x, 0.0, 0.0))} if beyond else set()
    assert ends(of(Stroke, drawables), Role.EXTENSION) == extension


def test_the_foot_on_a_capsule_compares_with_both_radii_and_touching_counts() -> None:
    scene = {"ball": Sphere([1, 0, 0.75], 0.5), "c": Capsule([0, 0, 0], [2, 0, 0], 0.25)}
    drawables = marked(scene, Show("foot", "ball", "c", label="grip"))
    assert texts(drawables)[3:] == ["grip: X between A and B, rate 0.5", "distance 0.75 ≤ 0.75"]
    assert ends(of(Stroke, drawables), Role.EXTENSION) == {((0, 0, 0), (2, 0, 0))}  # the axis


def test_the_foot_on_a_line_has_no_ends() -> None:
    scene = {"P": Point([3, 0, 2]), "line": Line([0, 0, 0], [1, 0, 0])}
    assert texts(marked(scene, Show("foot", "P", "line"))) == ["X rate 3", "distance 2", "P"]


def test_shows_that_share_a_segment_name_its_ends_once() -> None:
    scene = {"P": Point([0, 1, 0]), "Q": Point([1, 1, 0]), "s": Segment([0, 0, 0], [1, 0, 0])}
    session = Session(Scene(scene, shows=[Show("foot", "P", "s"), Show("foot", "Q", "s")]))
    assert [each.label.text for each in seen_labels(session)].count("A") == 1


def test_bounds_of_a_batch_enclose_all_of_it() -> None:
    scene = {"chain": Capsule([[0, 0, 0], [2, 0, 0]], [[2, 0, 0], [2, 3, 0]], 0.5)}
    drawables = marked(scene, Show("bounds", "chain", label="box"))
    (edges,) = [s for s in of(Stroke, drawables) if s.role == Role.BOUNDS]
    assert len(edges.start) == 12
    both = np.concatenate([edges.start, edges.end])
    assert both.min(axis=0).tolist() == [-0.5, -0.5, -0.5]
    assert both.max(axis=0).tolist() == [2.5, 3.5, 0.5]
    assert np.count_nonzero(edges.start != edges.end, axis=1).tolist() == [1] * 12
    assert texts(drawables) == ["box"]


def test_the_bounding_sphere_is_three_great_circles() -> None:
    drawables = marked({"rod": Capsule([0, 0, 0], [2, 0, 0], 0.5)}, Show("bounding_sphere", "rod"))
    (circles,) = [s for s in of(Stroke, drawables) if s.role == Role.BOUNDS]
    offsets = np.concatenate([circles.start, circles.end]) - [1, 0, 0]
    assert np.linalg.norm(offsets, axis=1) == pytest.approx(1.5)
    assert [bool(np.any(np.all(np.abs(offsets - axis) < 1e-9, axis=1))) for axis in 1.5 * np.eye(3)] == [True] * 3


def test_of_a_batch_the_nearest_element_speaks() -> None:
    scene = {"crowd": Sphere([[0, 0, 0], [4, 0, 0], [20, 0, 0]], 1), "b": Sphere([7, 0, 0], 1)}
    assert points_of(marked(scene, Show("closest_points", "crowd", "b")), Role.WITNESS) == [[5, 0, 0], [6, 0, 0]]
    rays = {"rays": Ray([[0, 9, 0], [0, 0, 0]], [1, 0, 0]), "crowd": Sphere([[9, 0, 0], [5, 0, 0]], 1)}
    assert points_of(marked(rays, Show("raycast", "rays", "crowd")), Role.ENTRY) == [[4, 0, 0]]


def test_an_empty_batch_shows_nothing() -> None:
    scene = {"none": Sphere(np.zeros((0, 3)), 1), "b": Sphere([7, 0, 0], 1)}
    assert texts(marked(scene, Show("closest_points", "none", "b"))) == []


# -- panels -----------------------------------------------------------------------------------------------------------


def test_the_table_names_colliding_pairs_the_deepest_first() -> None:
    scene = Scene({**BALLS, "d": Sphere([1.5, 0.25, 0], 1)}, title="Four balls", caption="Three of them meet.")
    drawables = shown(scene)
    assert [p.title for p in of(Panel, drawables) if p.corner == "upper-left"] == ["Four balls"]
    table = rows(drawables, "upper-left")
    assert table[0] == "3 colliding pairs, signed distance"
    assert table[1] == "b\td\t−1.75"
    assert [row.split("\t")[:2] for row in table[2:]] == [["a", "b"], ["a", "d"]]
    assert rows(drawables, "lower-left") == ["Three of them meet."]


def test_the_table_is_cut() -> None:
    scene = Scene({"crowd": Sphere(np.zeros((8, 3)) + np.arange(8)[:, None] * 0.01, 1)})
    table = rows(shown(scene), "upper-left")
    assert table[0] == "28 colliding pairs, signed distance"
    assert len(table) == TABLE_ROWS + 2
    assert table[-1] == f"1\N{EN DASH}{TABLE_ROWS} of 28, deepest first"


def test_the_table_is_shorter_in_a_small_picture() -> None:
    scene = Scene({"crowd": Sphere(np.zeros((8, 3)) + np.arange(8)[:, None] * 0.01, 1)})
    counts = [len(rows(present(Session(scene, size=(640, height))), "upper-left")) - 2 for height in (100, 480, 720)]
    assert counts == [FEWEST_ROWS, 3, 5]


def test_the_last_row_is_not_spent_on_saying_that_there_is_one_more() -> None:
    row = {f"ball {i}": Sphere([i, 0, 0], 0.5) for i in range(TABLE_ROWS + 2)}
    table = rows(shown(row), "upper-left")
    assert len(table) == TABLE_ROWS + 2
    assert not any(" of " in line for line in table)


def test_without_collisions_the_panel_says_so() -> None:
    assert rows(shown({"a": BALLS["a"], "c": BALLS["c"]}), "upper-left") == ["no collisions"]


def test_ignored_pairs_are_counted_in_the_picture() -> None:
    table = rows(shown(Scene(BALLS, ignored=[("a", "*")])), "upper-left")
    assert table == ["no collisions", "2 pairs ignored"]  # a with itself is no pair


def test_the_selected_shape_is_described() -> None:
    def card(shapes: dict[str, Any], name: str) -> list[str]:
        panel = next(panel for panel in of(Panel, shown(shapes, name)) if panel.title == name)
        return [row.text for row in panel.rows]

    assert [card(BALLS, "c")[i] for i in (0, -1)] == ["sphere", "nearest: b, distance 5.5"]
    assert [card(BALLS, "a")[i] for i in (0, -1)] == ["sphere", "nearest: b, depth 0.5"]
    assert not any("nearest" in line for line in card({"a": BALLS["a"]}, "a"))
    assert card({"crowd": Sphere([[0, 0, 0], [9, 0, 0]], 1)}, "crowd")[0] == "2 spheres"


def test_the_legend_has_what_is_there_and_no_more() -> None:
    assert rows(shown(BALLS), "upper-right") == ["colliding"]  # all else is obvious
    assert rows(shown({"c": BALLS["c"]}), "upper-right") == []
    hit = marked({"a": BALLS["a"], "b": BALLS["b"]}, Show("contact", "a", "b"))
    assert rows(hit, "upper-right") == ["colliding", "contact point", "normal"]


@pytest.mark.parametrize(
    ("name", "kind"), [("grid", Ground), ("labels", Label), ("hud", "upper-left"), ("legend", "upper-right")]
)
def test_toggles(name: str, kind: type[Drawable] | str) -> None:
    session = Session(Scene(BALLS, shows=[Show("closest_points", "a", "c")]))

    def count() -> int:
        drawables = present(session)
        return len(rows(drawables, kind)) if isinstance(kind, str) else len(of(kind, drawables))

    assert count() > 0
    session.settings.toggle(name)
    assert count() == 0


@pytest.mark.parametrize(("symbol", "shift"), [("h", False), ("question", False), ("question", True)])
def test_the_keys_are_shown_on_demand(symbol: str, shift: bool) -> None:
    session = Session(Scene(BALLS), size=(3840, 2160))
    assert rows(present(session), "center") == []
    session.key(symbol, shift=shift)
    seen = rows(present(session), "center")
    for group, keys in ESSENTIALS.items():
        assert seen[: len(keys) + 1] == [group, *(f"{key}\t{what}" for key, what in keys.items())]
        seen = seen[len(keys) + 1 :]
    assert seen == []
    session.key(symbol, shift=shift)
    assert rows(present(session), "center") == []


def test_the_handles_of_the_selection_are_part_of_the_picture() -> None:
    roles = {arrow.role for arrow in of(Arrow, shown(BALLS, "c"))}
    assert {Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z} <= roles


# -- the rest ---------------------------------------------------------------------------------------------------------


def test_contacts_are_computed_once_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Contacts] = []
    original = Scene.contacts
    monkeypatch.setattr(Scene, "contacts", lambda self, **more: answers.append(original(self, **more)) or answers[-1])
    session = Session(Scene(BALLS))
    session.select("a")
    answers.clear()
    present(session)
    assert len({id(answer) for answer in answers}) == 1


def test_presenting_changes_nothing() -> None:
    session = Session(Scene(BALLS, shows=[Show("contact", "a", "b")]))
    revision = session.revision
    first, second = present(session), present(session)
    assert session.revision == revision
    assert [type(d) for d in first] == [type(d) for d in second]
    assert texts(first) == texts(second)


@pytest.mark.parametrize("scene", [{}, {"line": Line([0, 0, 0], [1, 0, 0])}, {"P": Point([3, 3, 3])}])
def test_scenes_without_a_size_can_be_seen(scene: dict[str, Any]) -> None:
    (ground,) = of(Ground, shown(scene))
    assert ground.spacing > 0.0
    assert ground.half_size > 0.0


@pytest.mark.parametrize("size", [3e-4, 0.7, 1.0, 2.0, 33.0, 5.1e6])
def test_the_squares_of_the_ground_are_round(size: float) -> None:
    (ground,) = of(Ground, shown({"box": AABB([-size, 0, 0], [size, size, size])}))
    digits = f"{ground.spacing:e}".split("e")[0]
    assert float(digits) in (1.0, 2.0, 5.0)
    assert 4 <= 2.0 * size / ground.spacing <= 25
    assert ground.half_size >= size
    assert ground.center[0] / ground.spacing == pytest.approx(round(ground.center[0] / ground.spacing))


@pytest.mark.parametrize(("lower", "floor"), [(0.0, 0.0), (0.4, 0.0), (-0.02, 0.0), (-1.0, -1.0), (7.0, 7.0)])
def test_shapes_stand_on_the_ground(lower: float, floor: float) -> None:
    (ground,) = of(Ground, shown({"box": AABB([0, 0, lower], [1, 1, lower + 1])}))
    assert ground.z == floor


def test_the_ground_stays_while_shapes_move() -> None:
    session = Session(Scene({"a": AABB([0, 0, 0], [1, 1, 1])}))
    before = of(Ground, present(session))
    session.select("a")
    session.move_selection([0.4, 0.3, -0.2])
    assert of(Ground, present(session)) == before


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-1e-18, "0"),
        (1.0, "1"),
        (-2.5, "−2.5"),
        (0.06973, "0.0697"),
        (1234.5, "1,234"),
        (-9999999.4, "−9,999,999"),
        (1e7, "1e7"),
        (1e9, "1e9"),
        (-1.2345e-12, "−1.23e−12"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text
