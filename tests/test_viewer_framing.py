"""Shapes are framed where no panel covers them: as large as they were where none is in the way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collision import AABB, Camera, Capsule, HalfSpace, Scene, Segment, Sphere
from viewer.camera.camera import Viewport
from viewer.camera.framing import GAP, Room, cleared, frame, frame_clear
from viewer.camera.outline import MANY, PIECES, corners, outline
from viewer.camera.planes import squares
from viewer.picture.present import present
from viewer.records.theme import LIGHT
from viewer.session import Session
from viewer.stage.stage import Stage

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (640, 480)
LENS = Camera((1, 0, 0), parallel_height=1.0)

#: As panels are: in the corners.
CORNERED = [Room(0.02, 0.62, 0.45, 0.98), Room(0.7, 0.8, 0.98, 0.98), Room(0.02, 0.02, 0.8, 0.2)]


def outlines(boxes: AABB, camera: Camera, size: tuple[int, int]) -> np.ndarray:
    """Return the outline of every box as a part of the picture: left, bottom, right, top."""
    points = corners(*boxes.flattened().corners())
    pixels, depth = Viewport(camera, size).project(points.reshape(-1, 3))
    assert depth.min() > 0.0
    parts = (pixels / size).reshape(*points.shape[:2], 2)
    return np.concatenate([parts.min(axis=0), parts.max(axis=0)], axis=1)


def met(boxes: AABB, camera: Camera, size: tuple[int, int], rooms: list[Room]) -> bool:
    left, bottom, right, top = outlines(boxes, camera, size).T
    return any(
        bool(np.any((left < room.right) & (right > room.left) & (bottom < room.top) & (top > room.bottom)))
        for room in rooms
    )


places = st.tuples(*[st.floats(-5.0, 5.0)] * 3)
extents = st.tuples(*[st.floats(0.1, 2.0)] * 3)
many_boxes = st.lists(st.tuples(places, extents), min_size=1, max_size=6).map(
    lambda rows: AABB([np.subtract(at, half) for at, half in rows], [np.add(at, half) for at, half in rows])
)


@given(many_boxes, st.sampled_from(["iso", "x", "z", "-y"]), st.booleans(), st.sampled_from([SIZE, (1280, 720)]))
def test_no_panel_in_a_corner_covers_a_shape(boxes: AABB, view: str, parallel: bool, size: tuple[int, int]) -> None:
    camera = frame_clear(boxes, view, size, CORNERED, lens=LENS if parallel else None)
    assert not met(boxes, camera, size, CORNERED)
    found = outlines(boxes, camera, size)
    assert found.min() > 0.0
    assert found.max() < 1.0


@given(many_boxes, st.booleans())
def test_where_nothing_is_in_the_way_shapes_are_as_large_as_ever(boxes: AABB, parallel: bool) -> None:
    lens = LENS if parallel else None
    plain = frame(boxes, "iso", 4 / 3, lens=lens)
    assert frame_clear(boxes, "iso", SIZE, lens=lens) == plain
    away = [Room(0.0, 0.0, 0.05, 0.05), Room(0.95, 0.9, 1.0, 1.0)]  # in the margin
    assert frame_clear(boxes, "iso", SIZE, away, lens=lens) == plain


@given(
    st.tuples(*[st.floats(0.0, 1.0)] * 4),
    st.sampled_from([(3.0, 1.0, 0.5), (1.0, 1.0, 4.0)]),
    st.booleans(),
)
def test_a_box_fills_the_room_that_it_is_given(
    edges: tuple[float, ...], half: tuple[float, ...], parallel: bool
) -> None:
    left, right = sorted(edges[:2])
    bottom, top = sorted(edges[2:])
    assume(right - left > 0.1 and top - bottom > 0.1)
    box = AABB(np.negative(half), half)
    room = Room(left, bottom, right, top)
    camera = frame(box, "iso", 4 / 3, margin=0.0, room=room, lens=LENS if parallel else None)
    ((low_x, low_y, high_x, high_y),) = outlines(box, camera, SIZE)
    assert low_x == pytest.approx(max(low_x, left), abs=1e-6)
    assert low_y == pytest.approx(max(low_y, bottom), abs=1e-6)
    assert high_x == pytest.approx(min(high_x, right), abs=1e-6)
    assert high_y == pytest.approx(min(high_y, top), abs=1e-6)
    filled = max((high_x - low_x) / (right - left), (high_y - low_y) / (top - bottom))
    assert filled == pytest.approx(1.0, abs=1e-6)


def test_shapes_are_made_no_smaller_than_need_be() -> None:
    box = AABB([-1, -1, -1], [1, 1, 1])
    covered = [Room(0.0, 0.0, 0.4, 1.0)]
    ((left, bottom, _, top),) = outlines(box, frame_clear(box, "x", SIZE, covered), SIZE)
    # What bounds the box is its height, as without the panel: it only steps aside.
    assert (bottom, top) == pytest.approx((0.1, 0.9), abs=0.05)
    assert 0.4 < left < 0.4 + 2.0 * GAP


def test_a_panel_beside_the_shapes_costs_little() -> None:
    at = np.linspace(-1.0, 1.0, 9)[:, None] * [0.0, 1.0, 1.0]  # from the lower left of the picture to the upper right
    boxes = AABB(at - 0.1, at + 0.1)
    corner = [Room(0.0, 0.48, 0.48, 1.0)]
    plain = frame(boxes, "x", 1.0)
    assert met(boxes, plain, (600, 600), corner)
    camera = frame_clear(boxes, "x", (600, 600), corner)
    assert not met(boxes, camera, (600, 600), corner)
    # Beside or below the panel alone there is half as much room.
    assert camera.position[0] < 1.25 * plain.position[0]


def test_panels_that_leave_no_room_are_not_minded() -> None:
    box = AABB([-1, -1, -1], [1, 1, 1])
    assert frame_clear(box, "iso", SIZE, [Room(0.1, 0.1, 0.9, 0.9)]) == frame(box, "iso", 4 / 3)
    assert frame_clear(None, "iso", SIZE, CORNERED) == frame(None, "iso", 4 / 3)


def test_where_not_all_can_be_kept_clear_of_the_largest_are() -> None:
    boxes = AABB([[-6, -1, -1], [4, -1, -1]], [[-4, 1, 1], [6, 1, 1]])
    card, strip, line = Room(0.5, 0.25, 0.98, 0.98), Room(0.02, 0.02, 0.98, 0.22), Room(0.2, 0.4, 0.45, 0.75)
    camera = frame_clear(boxes, "-y", SIZE, [line, card, strip])
    assert not met(boxes, camera, SIZE, [card, strip])
    assert camera == frame_clear(boxes, "-y", SIZE, [card, strip]), "the line leaves no room"


def test_a_room_without_a_width_is_refused() -> None:
    with pytest.raises(ValueError, match=r"room must have a width and a height within the margin 0\.1"):
        frame(None, "iso", room=Room(0.0, 0.0, 0.1, 1.0))


def test_very_many_boxes_are_kept_clear_as_well() -> None:
    at = np.random.default_rng(3).uniform(-50.0, 50.0, (20 * MANY, 3))
    crowd = AABB(at - 0.5, at + 0.5)
    camera = frame_clear(crowd, "iso", SIZE, CORNERED)
    assert met(crowd, frame(crowd, "iso", 4 / 3), SIZE, CORNERED)
    assert not met(crowd, camera, SIZE, CORNERED)


@pytest.mark.parametrize("kind", [Segment, Capsule])
def test_the_boxes_along_a_slanting_shape_reach_as_far_as_it_does(kind: type[Segment | Capsule]) -> None:
    radius = {"radius": [0.5, 0.25]} if kind is Capsule else {}
    shape = kind([[0, 0, 0], [1, 1, 1]], [[4, 4, 4], [9, 1, 1]], **radius)
    boxes = outline([shape])
    assert boxes is not None
    assert len(boxes) == 2 * PIECES
    whole, wanted = AABB.union(boxes), AABB.union(shape.bounds())
    assert (whole.lower.tolist(), whole.upper.tolist()) == (wanted.lower.tolist(), wanted.upper.tolist())
    volume = np.prod(boxes.half_extents, axis=-1).sum()
    assert volume < 0.5 * np.prod(shape.bounds().half_extents, axis=-1).sum()


def test_of_many_shapes_each_has_one_box() -> None:
    crowd = Capsule(np.zeros((MANY, 3)), np.ones((MANY, 3)), 0.1)
    boxes = outline([crowd, Sphere([0, 0, 0], 1)])
    assert boxes is not None
    assert len(boxes) == MANY + 1
    assert outline([]) is None


# -- in a picture ------------------------------------------------------------------------------------------------------

#: A tall scene with much to say about it.
TALL = Scene(
    {f"storey {i}": Sphere([0, 0, 0.9 * i], 0.5) for i in range(9)} | {"base": AABB([-2, -2, -1], [2, 2, -0.4])},
    title="A tower of balls that touch each other",
    caption="Each ball stands on the one below it. " * 8,
)


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1280, 720)])
@pytest.mark.parametrize("view", ["iso", "x", "z"])
def test_the_panels_of_a_picture_cover_no_shape(size: tuple[int, int], view: str) -> None:
    with Stage.offscreen(size) as stage:
        session = Session(TALL, size=size, view=view)
        session.cover(stage.covered(present(session)))
        covered = stage.covered(present(session))
        assert len(covered) in (3, 4)  # the table, the caption and the small axes, and the legend if there is room
        boxes = outline(TALL.shapes.values())
        assert boxes is not None
        assert not met(boxes, session.viewport.camera, size, covered)


def test_framing_commands_keep_clear_too() -> None:
    session = Session(TALL, size=SIZE)
    start = session.viewport.camera
    session.cover(CORNERED)
    assert session.viewport.camera != start
    boxes = outline(TALL.shapes.values())
    assert boxes is not None
    for command in (lambda: session.view.look("x"), session.view.frame_all, session.view.reset):
        session.view.set_camera(Camera((50, 0, 0)))
        command()
        assert not met(boxes, session.viewport.camera, SIZE, CORNERED)


def test_a_camera_that_was_chosen_stays() -> None:
    camera = Camera((20, -30, 10), (0, 0, 4))
    own = Session(TALL.replaced(camera=camera), size=(1280, 960))
    own.cover(CORNERED)
    assert own.viewport.camera == camera
    moved = Session(TALL, size=SIZE)
    moved.view.set_camera(camera)
    moved.cover(CORNERED)
    assert moved.viewport.camera == camera


@pytest.mark.parametrize("height", [-3.0, 0.5])
def test_a_plane_near_a_scene_is_seen_with_it(height: float) -> None:
    ball, floor = Sphere([0, 0, 5], 1), HalfSpace([9, -9, height], [0, 0, 1])
    viewport = Session(Scene({"ball": ball, "floor": floor}), size=SIZE).viewport
    (x, y), _ = viewport.project([0, 0, height])
    assert 0 < x < SIZE[0]
    assert 0 < y < SIZE[1]
    alone = Session(Scene({"ball": ball}), size=SIZE).viewport
    far = Session(Scene({"ball": ball, "floor": floor.translated([0, 0, -90])}), size=SIZE).viewport
    assert far.camera == alone.camera  # it would make the ball a dot


def test_planes_alone_are_seen_as_a_whole() -> None:
    scene = Scene({"wall": HalfSpace([-2, 0, 0], [1, 0, 0]), "floor": HalfSpace([0, 0, 0], [0, 0, 1])})
    viewport = Session(scene, size=SIZE).viewport
    for plane in scene.shapes.values():
        square = squares(plane.flattened(), scene.bounds())
        pixels, _ = viewport.project(corners(*square.corners()).reshape(-1, 3))
        assert np.all((pixels > 0) & (pixels < SIZE))


# -- cameras that a scene brings with it ----------------------------------------------------------------------------

BALL = Scene({"ball": Sphere([0, 0, 0], 1.0)}, camera=Camera((0, 0, 5.2), up=(0, 1, 0)))


def test_a_camera_gives_way_to_panels_on_the_same_side_and_only_where_they_cover_a_shape() -> None:
    boxes, camera = outline([BALL["ball"]]), BALL.camera
    assert boxes is not None
    assert camera is not None
    rng, moved = np.random.default_rng(1), 0
    for _ in range(60):
        left, bottom = rng.uniform(0.0, 0.8, 2)
        covered = [Room(left, bottom, left + rng.uniform(0.05, 0.4), bottom + rng.uniform(0.05, 0.4))]
        found = cleared(boxes, camera, SIZE, covered)
        pixels, depth = Viewport(found, SIZE).project(corners(boxes.lower, boxes.upper).reshape(-1, 3))
        (low_x, low_y), (high_x, high_y) = pixels.min(axis=0) / SIZE, pixels.max(axis=0) / SIZE
        (room,) = covered
        clear = high_x <= room.left or low_x >= room.right or high_y <= room.bottom or low_y >= room.top
        if found == camera:
            assert clear
            continue
        moved += 1
        assert clear
        assert depth.min() > 0.0
        assert np.allclose(Viewport(found, SIZE).forward, (0.0, 0.0, -1.0))
    assert 20 < moved < 60


def test_a_camera_that_shows_a_part_stays() -> None:
    boxes = outline([BALL["ball"]])
    for camera in (Camera((0, 0, 2.2), up=(0, 1, 0)), Camera((4, 0, 5.2), (4, 0, 0), up=(0, 1, 0))):
        assert cleared(boxes, camera, SIZE, CORNERED) == camera


def test_a_scene_is_seen_with_its_own_camera_unless_the_picture_is_small() -> None:
    for size, own in (((1280, 960), True), ((640, 480), False), ((1200, 768), True), ((1200, 700), False)):
        session = Session(BALL, size=size)
        assert session.viewport.camera == BALL.camera
        session.cover([Room(0.0, 0.0, 0.5, 1.0)])
        assert (session.viewport.camera == BALL.camera) is own
        session.settings.set_theme(replace(LIGHT, font_size=1.5 * LIGHT.font_size))
        session.view.reset()
        session.cover([Room(0.0, 0.0, 0.5, 1.0)])
        assert session.viewport.camera != BALL.camera, "text that is larger leaves less room"
