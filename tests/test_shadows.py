"""Soft shadows say what floats and what lies: where they are, how dark, and that they follow what moves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from collision import (
    AABB,
    Camera,
    Capsule,
    ConvexHull,
    HalfSpace,
    Line,
    OrientedBox,
    Scene,
    Shape,
    Sphere,
    intersects,
    signed_distance,
    sweep,
)
from tests.drawing import picture_of
from viewer.camera.camera import Viewport
from viewer.picture.planes import shadows
from viewer.picture.present import present
from viewer.records.drawables import Floor, Ground, Shadows, ShapeFlags, Solid
from viewer.records.ground import ground
from viewer.records.theme import LIGHT, THEMES, Theme
from viewer.session import Session
from viewer.stage.stage import Stage

SIZE = (320, 240)
CAMERA = Camera((0.0, -9.0, 5.0), (0.0, 0.0, 0.5))
GROUND = Floor((0.0, 0.0, 0.0), (20.0, 0.0, 0.0), (0.0, 20.0, 0.0))
Image = npt.NDArray[np.int64]


def picture(shape: Shape, *floors: Floor, flags: int = 0, theme: Theme = LIGHT, camera: Camera = CAMERA) -> Image:
    assert isinstance(shape, Sphere | Capsule | AABB | OrientedBox | ConvexHull)
    solid = Solid.of(shape, np.full(len(shape), flags, np.uint8))
    grid = Ground(-0.5, 1.0, (0.0, 0.0), 20.0)
    return picture_of([grid, solid, *([Shadows(floors)] if floors else [])], camera, SIZE, theme)


def darker(shape: Shape, *floors: Floor, camera: Camera = CAMERA, **look: int) -> Image:
    """Return how much darker each pixel is for the shadows."""
    return np.asarray((picture(shape, camera=camera) - picture(shape, *floors, camera=camera, **look)).max(axis=-1))


def at(image: Image, *point: float, camera: Camera = CAMERA) -> int:
    x, y = Viewport(camera, SIZE).project([point])[0][0]
    return int(image[SIZE[1] - 1 - int(y), int(x)])


TURNED = np.linalg.qr(np.array([[1.0, 0.3, 0.2], [0.4, 1.0, -0.6], [0.1, 0.7, 1.0]]))[0]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_ground_is_darker_below_a_solid_in_every_theme(theme: Theme) -> None:
    ball = Sphere([[0, 0, 1.6]], 0.6)
    below = [at(picture(ball, *floors, theme=theme).sum(axis=-1), 0, 0, 0) for floors in ((), (GROUND,))]
    assert below[1] < 0.9 * below[0]


def test_the_higher_the_fainter_and_the_softer() -> None:
    images = [darker(Sphere([[0, 0, height + 0.6]], 0.6), GROUND) for height in (0.0, 1.0, 2.5)]
    depths = [image.max() for image in images]
    assert depths[0] > depths[1] + 10 > depths[2] + 20
    areas = [(image > 1).sum() for image in images]
    assert areas[0] < areas[1] < areas[2]
    assert not darker(Sphere([[0, 0, 20.0]], 0.6), GROUND).any()


@pytest.mark.parametrize(
    "shape",
    [
        Sphere([[0.4, 0.2, 2]], 1.1),
        Capsule([[-1.5, 0, 2]], [[1.2, 1, 3]], 0.4),
        AABB([[-1, -0.5, 1]], [[1.4, 0.5, 2]]),
        OrientedBox([[0, 0, 2.5]], [TURNED], [[1.2, 0.8, 0.3]]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_a_shadow_is_what_is_seen_from_straight_above(shape: Shape) -> None:
    """Within the outline it is dark, well beyond it there is none."""
    low = Floor((0.0, 0.0, -0.5), (20.0, 0.0, 0.0), (0.0, 20.0, 0.0))
    beside = shape.translated([0.0, 3.0, 0.0])  # where nothing hides its shadow: seen at an angle of 45 degrees
    slanted = Camera((0.0, -12.0, 12.0), (0.0, 0.0, 0.0), parallel_height=14.0)
    shade = darker(beside, low, camera=slanted)
    view = Viewport(slanted, SIZE)
    box = beside.bounds()
    x, y = np.meshgrid(np.linspace(box.lower[0, 0] - 0.5, box.upper[0, 0] + 0.5, 40), np.linspace(0.5, 5.5, 60))
    points = np.stack([x.ravel(), y.ravel(), np.full(x.size, -0.5)], axis=1)
    pixels = view.project(points)[0].astype(int)
    seen = np.array([shade[SIZE[1] - 1 - b, a] for a, b in pixels])
    above = np.array([all(_is_above(beside, px + a, py) for a in (-0.2, 0.2)) for px, py in points[:, :2]])
    hidden = np.array([_hides(beside, point, slanted) for point in points])
    assert seen[~hidden & above].min() > 4
    far = signed_distance(Line(points, [0, 0, 1]), beside) > 1.7  # the softest border of these
    assert seen[~hidden & far].max() <= 4


def _is_above(shape: Shape, x: float, y: float) -> bool:
    return bool(np.all(intersects(Line([x, y, 0], [0, 0, 1]), shape)))


def _hides(shape: Shape, point: npt.NDArray[np.float64], camera: Camera) -> bool:
    toward = np.subtract(camera.position, camera.target)
    return bool(np.all(sweep(Sphere(point, 0.25), shape, motion=4.0 * toward).hit))


def test_what_is_below_a_floor_or_faded_has_none() -> None:
    ball = Sphere([[0, 0, 0.8]], 0.6)
    assert darker(ball, GROUND).max() > 20
    faded = int(ShapeFlags.FADED)
    assert not (picture(ball, flags=faded) - picture(ball, GROUND, flags=faded)).any()
    assert not darker(Sphere([[0, 0, -0.8]], 0.6), GROUND).any()
    # From below the ground, none is seen.
    under = Camera((0.0, -9.0, -5.0), (0.0, 0.0, 0.5))
    assert not darker(ball, GROUND, camera=under).any()


def test_a_shadow_ends_where_its_floor_ends() -> None:
    top = Floor((0.0, 0.0, 0.0), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
    shade = darker(Sphere([[1, 0, 1.8]], 0.7), top)
    assert at(shade, 0.7, 0, 0) > 4
    assert at(shade, 1.3, 0, 0) == 0


def test_floors_come_and_go() -> None:
    top = Floor((0.0, 0.0, 0.5), (0.0, -1.0, 0.0), (1.0, 0.0, 0.0))
    ball, grid = Solid.of(Sphere([[1, 0, 2.4]], 0.7), np.zeros(1, np.uint8)), Ground(-0.5, 1.0, (0.0, 0.0), 20.0)
    images = []
    with Stage.offscreen(SIZE) as stage:
        for floors in ((GROUND,), (GROUND, top), (), (top,), (top, GROUND, top)):
            stage.draw([grid, ball, Shadows(floors)], CAMERA)
            images.append(stage.image())
            with Stage.offscreen(SIZE) as fresh:
                fresh.draw([grid, ball, Shadows(floors)], CAMERA)
                assert np.array_equal(images[-1], fresh.image())
    assert all((images[i] != images[j]).any() for i in range(4) for j in range(i))


@pytest.mark.parametrize("far", [0.0, 1e5])
def test_a_shadow_follows_what_moves_and_is_the_same_in_every_run(far: float) -> None:
    crowd, box = Sphere([[far + x, 0, 1] for x in range(-2, 3)], 0.4), AABB([far - 1, 2, 0.2], [far + 1, 3, 1])
    scene = Scene({"crowd": crowd, "box": box})
    session = Session(scene, size=SIZE)
    with Stage.offscreen(SIZE) as stage:
        for moved in (scene, scene.moved("crowd[1]", [0, 1, 1]), scene.moved("crowd[1]", [0, 0.5, 0.4]), scene):
            all_drawables = present(Session(moved, size=SIZE, extent=session.document.extent))
            drawables = [drawable for drawable in all_drawables if isinstance(drawable, Ground | Solid | Shadows)]
            stage.draw(drawables, session.viewport.camera)
            with Stage.offscreen(SIZE) as fresh:
                fresh.draw(drawables, session.viewport.camera)
                assert np.array_equal(stage.image(), fresh.image())


# -- what they fall on -------------------------------------------------------------------------------------------------


def floors_of(shapes: dict[str, Shape]) -> tuple[Floor, ...]:
    scene = Scene(shapes)
    return shadows(scene, ground(scene.bounds())).floors


def test_shadows_fall_on_the_ground_alone_where_nothing_goes_on_for_ever() -> None:
    (floor,) = floors_of({"pan": AABB([-3, -3, -0.2], [3, 3, 0]), "ball": Sphere([0, 0, 2], 0.3)})
    below = ground(Scene({"pan": AABB([-3, -3, -0.2], [3, 3, 0]), "ball": Sphere([0, 0, 2], 0.3)}).bounds())
    assert floor.center == (*below.center, below.z)


def test_a_slope_takes_the_place_of_the_ground() -> None:
    ball: dict[str, Shape] = {"ball": Sphere([0, 0, 2], 1)}
    (slope,) = floors_of({**ball, "slope": HalfSpace([0, 0, 0], [0.5, 0, 1])})
    up = np.cross(slope.u, slope.v)
    assert up / up[2] == pytest.approx([0.5, 0, 1])
    (floor,) = floors_of({**ball, "wall": HalfSpace([3, 0, 0], [-1, 0, 0]), "roof": HalfSpace([0, 0, 9], [0, 0, -1])})
    assert floor.u[0] == floor.v[1] > 0.0


def test_there_are_none_without_the_ground() -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 1], 1)}), size=SIZE)
    assert any(isinstance(d, Shadows) for d in present(session))
    session.settings.toggle("shadows")
    assert not any(isinstance(d, Shadows) for d in present(session))
    session.settings.toggle("shadows")
    session.settings.toggle("grid")
    assert not any(isinstance(d, Shadows) for d in present(session))


def test_a_crowd_of_hulls_looks_as_the_boxes_that_they_are() -> None:
    """Many hulls are one mesh, and so are their shadows; what differs by rounding alone is not scaled by VTK."""
    centers = np.array([[x, y, 0.0] for x in range(0, 30, 3) for y in range(0, 30, 3)], dtype=float)
    floor = Floor((14.0, 14.0, -1.0), (30.0, 0.0, 0.0), (0.0, 30.0, 0.0))
    half, camera = np.full(3, 0.7), Camera((14.0, -20.0, 20.0), (14.0, 12.0, 0.0))
    points = centers[:, None] + half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    boxes = OrientedBox(centers, np.broadcast_to(np.eye(3), (len(centers), 3, 3)), half)
    for flags in (ShapeFlags.HIT, ShapeFlags.FREE):
        drawn = [picture(shape, floor, flags=int(flags), camera=camera) for shape in (ConvexHull(points), boxes)]
        assert (np.abs(drawn[0] - drawn[1]).max(axis=-1) > 24).mean() < 0.01
    assert (np.abs(drawn[0] - picture(boxes, camera=camera)).max(axis=-1) > 24).mean() > 0.01
