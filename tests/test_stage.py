"""Pictures of drawables, compared with what `collision` says is to be seen, and with pictures made another way."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import pyvista as pv
from scipy.spatial.transform import Rotation

from collision import AABB, Camera, Capsule, ConvexHull, Cylinder, OrientedBox, Point, Ray, Sphere, contains, raycast
from tests.helpers import red_pixels
from viewer.camera.camera import Viewport
from viewer.records.drawables import (
    Arrow,
    Drawable,
    Ground,
    Label,
    Marker,
    Panel,
    Patch,
    Role,
    Row,
    ShapeFlags,
    Solid,
    SolidShape,
    Stroke,
)
from viewer.records.theme import LIGHT, PAINTED
from viewer.stage.solids.meshes import MeshLayer
from viewer.stage.stage import Stage

SIZE = (320, 240)
IMAGE = npt.NDArray[np.uint8]

NEAR = Camera((4.0, -5.0, 3.0), view_angle=60.0)
PARALLEL = Camera((4.0, -5.0, 3.0), parallel_height=6.0)
TURNED = Rotation.from_euler("xyz", [20.0, 35.0, 50.0], degrees=True).as_matrix()

SHAPES: dict[str, SolidShape] = {
    "sphere": Sphere([[0.5, -1.0, 0.5], [-1.5, 1.0, 0.0]], [1.2, 0.4]),
    "capsule": Capsule([[-1.0, -1.0, -0.5]], [[1.2, 0.4, 1.0]], [0.6]),
    "end on": Capsule([[2.0, -2.5, 1.5]], [[-2.0, 2.5, -1.5]], [0.7]),
    "ball of no length": Capsule([[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]], [0.9]),
    "box": AABB([[-1.0, -0.5, -0.2]], [[1.3, 0.8, 0.9]]),
    "flat box": AABB([[-1.0, -0.5, 0.3]], [[1.3, 0.8, 0.3]]),
    "oriented box": OrientedBox([[0.2, 0.1, 0.3]], [TURNED], [[1.3, 0.7, 0.3]]),
    "cylinder": Cylinder([[-0.6, -0.8, -0.3]], [[0.8, 0.4, 0.9]], [0.7]),
    "hull": ConvexHull(
        [[[-1.0, -0.8, -0.3], [1.2, -0.6, -0.3], [0.9, 0.9, -0.2], [-0.9, 0.7, 0.1], [0.1, -0.2, 1.3], [0.4, 0.6, 1.0]]]
    ),
    "grown hull": ConvexHull([[[-0.7, -0.6, 0.0], [0.8, -0.3, -0.2], [0.1, 0.9, 0.2], [0.2, 0.0, 0.9]]], [0.4]),
    "polygon": ConvexHull([[[-1.0, -0.6, 0.1], [0.8, -0.8, 0.3], [1.2, 0.5, 0.3], [-0.2, 1.1, 0.1]]]),
    "thin disk": Cylinder([[0.2, 0.1, 0.3]], [[0.2, 0.1, 0.31]], [1.2]),
}


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage.offscreen(SIZE) as own:
        yield own


def solid(shape: Sphere | Capsule | AABB | OrientedBox, flags: int | Sequence[int] = ShapeFlags.FREE) -> Solid:
    return Solid.of(shape, np.broadcast_to(np.asarray(flags, dtype=np.uint8), shape.batch_shape).copy())


def picture(stage: Stage, drawables: Sequence[Drawable], camera: Camera = NEAR) -> IMAGE:
    stage.draw(drawables, camera)
    return stage.image()


def covered(image: IMAGE) -> npt.NDArray[np.bool_]:
    return np.abs(image.astype(int) - LIGHT.background).max(axis=2) > 6


def differing(a: IMAGE, b: IMAGE, by: int = 30) -> float:
    return float((np.abs(a.astype(int) - b).max(axis=2) > by).mean())


def near_color(image: IMAGE, color: tuple[int, int, int], by: int = 25) -> npt.NDArray[np.bool_]:
    return np.abs(image.astype(int) - color).max(axis=2) <= by


def pixel(camera: Camera, *point: float) -> tuple[int, int]:
    """Return row and column of a point in an image."""
    x, y = Viewport(camera, SIZE).project([point])[0][0]
    return SIZE[1] - 1 - int(y), int(x)


def seen(shape: SolidShape, camera: Camera) -> npt.NDArray[np.bool_]:
    """Ask `raycast` which pixels of a picture show a shape."""
    view = Viewport(camera, SIZE)
    x, y = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1])[::-1] + 0.5)
    corners = [view.ray(a, b) for a, b in ((0, 0), (SIZE[0], 0), (0, SIZE[1]))]
    s, t = (x / SIZE[0])[..., None], (y / SIZE[1])[..., None]

    def between(values: list[Any]) -> npt.NDArray[np.float64]:
        return np.asarray(values[0] + s * (values[1] - values[0]) + t * (values[2] - values[0]))

    # Directions run evenly over the picture once they are all as long along the view.
    direction = between([ray.direction / (ray.direction @ view.forward) for ray in corners])
    rays = Ray(between([ray.origin for ray in corners])[:, :, None], direction[:, :, None])
    return np.asarray(raycast(rays, shape.flattened()).hit.any(axis=-1))


def inner(mask: npt.NDArray[np.bool_], by: int = 1) -> npt.NDArray[np.bool_]:
    """Take a rim away from a mask."""
    for _ in range(by):
        padded = np.pad(mask, 1)
        mask = mask & padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return mask


@pytest.mark.parametrize("camera", [NEAR, PARALLEL], ids=["perspective", "parallel"])
@pytest.mark.parametrize("mesh", [False, True], ids=["impostors", "meshes"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_solid_covers_the_pixels_that_rays_hit(stage: Stage, name: str, mesh: bool, camera: Camera) -> None:
    expected = seen(SHAPES[name], camera)
    assert 300 < expected.sum() < 0.7 * expected.size
    if mesh:
        with Stage.offscreen(SIZE, mesh=True) as other:
            found = covered(picture(other, [solid(SHAPES[name])], camera))
        # A ball of flat pieces is a little smaller than the ball.
        assert not (inner(expected, 2) & ~found).any()
    else:
        found = covered(picture(stage, [solid(SHAPES[name])], camera))
        assert not (inner(expected) & ~found).any()
    assert not (inner(~expected) & found).any()


@pytest.mark.parametrize("name", ["sphere", "capsule"])
def test_a_solid_is_whole_when_the_eye_is_near(stage: Stage, name: str) -> None:
    near = Camera((1.3, -2.4, 1.1), view_angle=110.0)
    expected, found = seen(SHAPES[name], near), covered(picture(stage, [solid(SHAPES[name])], near))
    assert not (inner(expected) & ~found).any()
    assert not (inner(~expected) & found).any()


def test_a_ball_is_seen_when_its_center_is_not(stage: Stage) -> None:
    ball, camera = Sphere([[0, 0, 0]], [1]), Camera((0, -3, 1.6), (0, 0, 1.6), (0, 0, 1), view_angle=30.0)
    expected, found = seen(ball, camera), covered(picture(stage, [solid(ball)], camera))
    assert 100 < inner(expected).sum() == (inner(expected) & found).sum()


def near_by(capsule: Capsule, seed: int) -> Camera:
    """Return a camera that stands a little off a capsule, anywhere about it, and looks at some point of it."""
    rng = np.random.default_rng(seed)
    start, end, radius = capsule.start[0], capsule.end[0], float(capsule.radius[0])
    away = rng.normal(size=3)
    away *= radius * (1.0 + 10.0 ** rng.uniform(-2.0, 0.5)) / np.linalg.norm(away)
    outside = (end if (end - start) @ away > 0.0 else start) + away  # beyond its end, or beside it
    if rng.integers(2):
        along = (end - start) / np.linalg.norm(end - start)
        outside = start + rng.uniform() * (end - start) + away - (away @ along) * along * 0.999
    target = start + rng.uniform(-0.2, 1.2) * (end - start) + 0.5 * radius * rng.normal(size=3)
    parallel = float(rng.uniform(2.0, 6.0)) if rng.integers(4) == 0 else None
    if parallel is not None:
        outside += 10.0 * (outside - target)
    return Camera(outside, target, view_angle=rng.uniform(30.0, 110.0), parallel_height=parallel)


@pytest.mark.parametrize("seed", range(40))
def test_a_capsule_is_whole_from_everywhere(stage: Stage, seed: int) -> None:
    """Also from beside its round end, within the box around it; and from inside there is nothing of it to be seen."""
    capsule = (SHAPES["capsule"], SHAPES["end on"], Capsule([[0, 0, 0]], [[0, 0, 1e-7]], [1]))[seed % 3]
    assert isinstance(capsule, Capsule)
    camera = near_by(capsule, seed)
    inside = bool(contains(capsule, Point(camera.position))[0]) and camera.parallel_height is None
    expected, found = seen(capsule, camera), covered(picture(stage, [solid(capsule)], camera))
    if inside:
        assert not found.any()
    else:
        assert not (inner(expected) & ~found).any()
        assert not (inner(~expected) & found).any()


@pytest.mark.parametrize("half", [5.0, 500.0])
def test_a_long_capsule_seen_nearly_along_its_axis_has_two_round_ends(stage: Stage, half: float) -> None:
    rod = Capsule([[-half, 0, 0]], [[half, 0, 0]], [0.1])
    camera = Camera((half + 4, 0.04, 0.02), (-half, 0, 0), parallel_height=0.4)
    expected, found = seen(rod, camera), covered(picture(stage, [solid(rod)], camera))
    assert 300 < expected.sum() < 0.7 * expected.size
    assert not (inner(expected) & ~found).any()
    assert not (inner(~expected) & found).any()


@pytest.mark.parametrize("far", [30.0, 3e4])
@pytest.mark.parametrize("name", ["sphere", "capsule", "box", "oriented box"])
def test_what_the_camera_looks_at_is_whole_however_far_something_else_is(stage: Stage, name: str, far: float) -> None:
    # It is behind what is looked at, and reaches behind the eye.
    floor = AABB([[-far, -far, -3.0]], [[far, far, -2.9]])
    alone, both = (picture(stage, list(map(solid, shapes))) for shapes in ([SHAPES[name]], [SHAPES[name], floor]))
    own = inner(covered(alone))
    assert own.sum() > 300
    assert np.abs(alone[own].astype(int) - both[own]).max() <= 3


def test_meshes_without_anything_to_draw_are_not_drawn() -> None:
    assert not any(actor.GetVisibility() for actor in MeshLayer(LIGHT).actors)


def test_meshes_look_like_impostors(stage: Stage) -> None:
    solids = [solid(shape, n % 4) for n, shape in enumerate(SHAPES.values())]
    expected = picture(stage, solids)
    with Stage.offscreen(SIZE, mesh=True) as other:
        assert differing(picture(other, solids), expected) < 0.01


@pytest.mark.parametrize("size", [1e-6, 1e6], ids=str)
def test_size_does_not_matter(stage: Stage, size: float) -> None:
    shapes = list(SHAPES.values())[:3]
    expected = picture(stage, [solid(shape) for shape in shapes])
    scaled = Sphere(shapes[0].center * size, shapes[0].radius * size)  # type: ignore[union-attr]
    others = [Capsule(s.start * size, s.end * size, s.radius * size) for s in shapes[1:] if isinstance(s, Capsule)]
    camera = Camera(tuple(size * x for x in NEAR.position), view_angle=60.0)  # type: ignore[arg-type]
    assert differing(picture(stage, [solid(shape) for shape in (scaled, *others)], camera), expected) < 1e-3


def test_far_from_the_origin_the_picture_is_the_same(stage: Stage) -> None:
    far = np.array([1e6, -2e6, 5e5])
    marks: list[Drawable] = [Marker(np.array([[0.0, 0.0, 1.5]]), Role.CONTACT)]
    expected = picture(stage, [solid(shape) for shape in SHAPES.values()] + marks)
    camera = Camera(tuple(far + NEAR.position), tuple(far), view_angle=60.0)
    moved = [solid(shape.translated(far)) for shape in SHAPES.values()]
    marks = [Marker(far + np.array([[0.0, 0.0, 1.5]]), Role.CONTACT)]
    assert differing(picture(stage, moved + marks, camera), expected) < 2e-3


def test_what_collides_is_red_and_hatched(stage: Stage) -> None:
    ball = Sphere([[0.0, 0.0, 0.0]], 2.0)
    pictures = {flags: picture(stage, [solid(ball, flags)]).astype(float) for flags in PAINTED}
    middle = {s: image[90:150, 130:190] for s, image in pictures.items()}
    for flags, image in middle.items():
        clearly_red = red_pixels(image) / image[..., 0].size
        assert clearly_red > 0.4 if flags & ShapeFlags.HIT else clearly_red == 0.0
        # Stripes make gray values jump from one pixel to the next; a smooth shade does not.
        jumps = np.abs(np.diff(image.mean(axis=-1), axis=1)) > 8
        assert jumps.mean() > 0.2 if flags & ShapeFlags.HIT else jumps.any() == bool(flags)
    # Of what touches, the stripes are fine: most of it has the plain fill.
    gray = [middle[flags].mean(axis=-1) for flags in (ShapeFlags.HIT, ShapeFlags.TOUCHING)]
    wide, fine = ((np.abs(image - image.max()) > 0.6 * np.ptp(image)).mean() for image in gray)
    assert fine < 0.7 * wide


@pytest.mark.parametrize("mesh", [False, True], ids=["impostors", "mesh"])
@pytest.mark.parametrize("angle", [0.0, 90.0, -45.0])
def test_the_theme_says_which_way_and_how_wide_the_hatching_is(angle: float, mesh: bool) -> None:
    turned = OrientedBox([[0.0, 0.0, 0.0]], np.eye(3), [[2.0, 2.0, 2.0]])
    for shape in (SHAPES["sphere"], Capsule([[0, 0, -1.0]], [[0, 0, 1.0]], 1.5), turned):
        drawn = []
        for width in (0.3, 0.6):
            theme = replace(LIGHT, hatch_angle=angle, hatch_width=width, hatch_period=16.0)
            with Stage.offscreen(SIZE, theme, mesh=mesh) as stage:
                image = picture(stage, [solid(shape, ShapeFlags.HIT)], Camera((0.0, -9.0, 0.0))).astype(float)
            drawn.append(image[inner(covered(image), 6)].mean())
            part = image[100:140, 140:180].mean(axis=-1)
            # How much it changes one pixel to the right, up, and along either diagonal: least along the stripes.
            steps = {0.0: part[1:] - part[:-1], 90.0: part[:, 1:] - part[:, :-1], -45.0: part[1:, :-1] - part[:-1, 1:]}
            steps[45.0] = part[1:, 1:] - part[:-1, :-1]
            changes = {way: np.abs(step).mean() for way, step in steps.items()}
            assert min(changes, key=lambda way: changes[way]) == angle, (changes, shape)
        assert drawn[1] < drawn[0] - 3.0  # wider stripes, which are darker


@pytest.mark.parametrize("flags", [*PAINTED, ShapeFlags.FADED | ShapeFlags.HIT], ids=str)
@pytest.mark.parametrize("mesh", [False, True], ids=["impostors", "mesh"])
def test_what_is_hovered_has_a_bright_rim_and_keeps_its_look(mesh: bool, flags: ShapeFlags) -> None:
    shapes = [SHAPES[name] for name in ("sphere", "capsule", "oriented box")]
    with Stage.offscreen(SIZE, mesh=mesh) as stage:
        for shape in shapes:
            plain, hovered = (picture(stage, [solid(shape, s)]) for s in (flags, flags | ShapeFlags.HOVERED))
            assert not near_color(plain, LIGHT.accent, 80).any()
            body = covered(plain)
            rim = body & ~inner(body, 2)
            assert near_color(hovered, LIGHT.accent, 80)[rim].mean() > 0.4
            if shape is not SHAPES["oriented box"] and not flags & ShapeFlags.FADED:  # of which one sees other edges
                assert (hovered == plain)[inner(covered(hovered), 7)].all()


@pytest.mark.parametrize("mesh", [False, True], ids=["impostors", "mesh"])
def test_what_is_faded_is_paler_and_what_collides_is_hatched_still(mesh: bool) -> None:
    ball = Sphere([[0.0, 0.0, 0.0]], 2.0)
    middle = np.s_[90:150, 130:190]
    with Stage.offscreen(SIZE, mesh=mesh) as stage:
        for flags in PAINTED:
            plain, faded = (
                picture(stage, [solid(ball, s)])[middle].astype(float) for s in (flags, flags | ShapeFlags.FADED)
            )
            away = [np.abs(image - LIGHT.background).mean() for image in (plain, faded)]
            assert 0.1 < away[1] / away[0] < 0.7
            jumps = np.abs(np.diff(faded.mean(axis=-1), axis=1)) > 4
            assert jumps.mean() > 0.15 if flags & ShapeFlags.HIT else jumps.any() == bool(flags)


def test_one_array_paints_many(stage: Stage) -> None:
    balls = Sphere([[-1.5, 0.0, 0.0], [1.5, 0.0, 0.0]], 0.8)
    calm = picture(stage, [solid(balls, [0, 0])])
    half = picture(stage, [solid(balls, [0, 1])])
    left, right = pixel(NEAR, -1.5, 0, 0), pixel(NEAR, 1.5, 0, 0)
    assert (half[left] == calm[left]).all()
    assert half[right][0] > half[right][2] + 80
    assert (picture(stage, [solid(balls, [0, 0])]) == calm).all()


def test_drawing_again_makes_no_new_actors(stage: Stage) -> None:
    shapes = [SHAPES["sphere"], SHAPES["capsule"], SHAPES["oriented box"]]
    picture(stage, [solid(shape) for shape in shapes])
    before = [*stage._renderer.GetActors()]
    moved = [shape.translated([0.0, 0.0, 0.5]) for shape in shapes]
    image = picture(stage, [solid(shape, ShapeFlags.HIT) for shape in moved])
    assert [*stage._renderer.GetActors()] == before
    with Stage.offscreen(SIZE) as other:
        assert (picture(other, [solid(shape, ShapeFlags.HIT) for shape in moved]) == image).all()


def test_more_and_fewer_solids(stage: Stage) -> None:
    few, many = [solid(SHAPES["capsule"])], [solid(SHAPES["capsule"]), solid(SHAPES["box"]), solid(SHAPES["sphere"])]
    first = picture(stage, few)
    second = picture(stage, many)
    assert covered(second).sum() > covered(first).sum()
    assert (picture(stage, few) == first).all()
    assert not covered(picture(stage, [])).any()


@pytest.mark.parametrize(
    "shape",
    [
        Sphere([[0.0, 0.0, 0.0]], 0.0),
        Capsule([[-1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]], 0.0),
        Capsule([[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]], 0.0),
        AABB([[-1.0, 0.0, 0.0]], [[1.0, 0.0, 0.0]]),
        AABB([[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]),
    ],
)
def test_solids_without_a_surface_are_seen(stage: Stage, shape: Sphere | Capsule | AABB) -> None:
    style = LIGHT.styles[Role.HIT]
    assert near_color(picture(stage, [solid(shape, ShapeFlags.HIT)]), style.color).sum() > 20


@pytest.mark.parametrize("camera", [NEAR, PARALLEL, Camera((0, 0, 9), up=(0, 1, 0), view_angle=12.5)])
def test_the_camera_is_read_back(stage: Stage, camera: Camera) -> None:
    stage.draw([], camera)
    found = stage.camera
    for name in ("position", "target", "up"):
        np.testing.assert_allclose(getattr(found, name), getattr(camera, name), rtol=1e-12, atol=1e-12)
    assert found.parallel_height == camera.parallel_height
    assert found.view_angle == pytest.approx(camera.view_angle)
    stage.draw([])
    assert stage.camera == found


@pytest.mark.parametrize("camera", [NEAR, PARALLEL, Camera((12.0, -15.0, 9.0), view_angle=60.0)])
def test_a_marker_is_where_it_should_be_and_as_large(stage: Stage, camera: Camera) -> None:
    image = picture(stage, [Marker(np.array([[0.4, 0.3, 0.2]]), Role.NEAREST)], camera)
    mask = near_color(image, LIGHT.styles[Role.NEAREST].color)
    x, y = Viewport(camera, SIZE).project([[0.4, 0.3, 0.2]])[0][0]
    rows, columns = np.nonzero(mask)
    assert columns.mean() + 0.5 == pytest.approx(x, abs=0.6)
    assert SIZE[1] - rows.mean() - 0.5 == pytest.approx(y, abs=0.6)
    assert 15 <= mask.sum() <= 35


def test_marks_inside_solids_are_seen_if_they_matter(stage: Stage) -> None:
    ball = solid(Sphere([[0.0, 0.0, 0.0]], 1.0))
    center, origin = pixel(NEAR, 0, 0, 0), np.zeros((1, 3))
    plain = picture(stage, [ball])[center].astype(int)
    on_top = picture(stage, [ball, Marker(origin, Role.CONTACT)])[center].astype(int)
    ghost = picture(stage, [ball, Marker(origin, Role.FREE)])[center].astype(int)
    before = picture(stage, [ball, Marker(np.array([[0.4 * x for x in NEAR.position]]), Role.FREE)])[center].astype(int)
    assert np.abs(on_top - LIGHT.styles[Role.CONTACT].color).max() < 10
    assert np.abs(before - LIGHT.styles[Role.FREE].color).max() < 10
    opacity = LIGHT.styles[Role.FREE].ghost
    blended = opacity * np.array(LIGHT.styles[Role.FREE].color) + (1 - opacity) * plain
    assert np.abs(ghost - blended).max() < 6


def test_an_endless_line_spoils_nothing(stage: Stage) -> None:
    ball = solid(Sphere([[0.0, 0.0, 0.0]], 1.0), ShapeFlags.HIT)
    expected = picture(stage, [ball])
    for reach in (1e3, 1e9):
        along = np.array([[3.0, -2.0, -1.0]])
        line = Stroke(
            np.array([[0.0, 0.0, 1.3]]) - reach * along, np.array([[0.0, 0.0, 1.3]]) + reach * along, Role.FREE
        )
        image = picture(stage, [ball, line])
        changed = np.abs(image.astype(int) - expected).max(axis=2) > 12
        assert 100 < changed.sum() < 0.05 * changed.size
        assert differing(image[140:, :], expected[140:, :]) < 0.03


def test_every_kind_of_mark_is_drawn(stage: Stage) -> None:
    start, end = np.array([[-1.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.5]])
    corners = np.array([[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]]])
    marks: dict[Role, Drawable] = {
        Role.SELECTED: Stroke(start, end, Role.SELECTED),
        Role.NORMAL: Arrow(start, end, Role.NORMAL),
        Role.AXIS_Z: Patch(corners, Role.AXIS_Z),
    }
    for role, mark in marks.items():
        image = picture(stage, [mark])
        assert near_color(image, LIGHT.styles[role].color, by=60).sum() > 40
    fill = LIGHT.styles[Role.AXIS_Z].fill
    middle = (1 - fill) * np.array(LIGHT.background) + fill * np.array(LIGHT.styles[Role.AXIS_Z].color)
    assert np.abs(image[pixel(NEAR, 0, 0, 0)] - middle).max() < 4


def test_a_dashed_line_has_gaps(stage: Stage) -> None:
    start, end = np.array([[-2.0, 0.0, 0.0]]), np.array([[2.0, 0.0, 0.0]])
    full = covered(picture(stage, [Stroke(start, end, Role.NEAREST)])).sum()
    broken = covered(picture(stage, [Stroke(start, end, Role.EXTENSION)])).sum()
    assert 0.3 * full < broken < 0.9 * full


def test_the_ground_is_a_fading_grid_with_small_axes(stage: Stage) -> None:
    image = picture(stage, [Ground(-0.5, 0.5, (0.0, 0.0), 4.0)])
    share = covered(image).mean()
    assert 0.015 < share < 0.5
    corner = image[-100:, -100:]
    for role in (Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z):
        assert near_color(corner, LIGHT.styles[role].color, by=50).any()
    assert not covered(picture(stage, [])).any()


def test_panels_and_labels_are_written(stage: Stage) -> None:
    rows = (
        Row("colliding", ShapeFlags.HIT),
        Row("normal", Role.NORMAL),
        Row("−0.5\ta – b"),
        Row("costs 5$ or 6$ → 日本"),
    )
    image = picture(stage, [Panel("upper-left", rows, "Title")])
    # Much of the panel is plate, some of it ink, some of it the swatches' colors.
    panel = image[8:100, 8:150]
    assert near_color(panel, LIGHT.plate, by=2).mean() > 0.4
    assert 0.02 < near_color(panel, LIGHT.text, by=110).mean() < 0.3
    assert near_color(panel, LIGHT.styles[Role.NORMAL].color, by=60).any()
    assert not covered(image[:, 200:]).any()
    named = picture(stage, [Label(np.zeros(3), "here")])
    around = named[90:130, 150:220]
    assert near_color(around, LIGHT.text, by=60).any()


@pytest.mark.parametrize("lighting", ["light kit", "none"])
def test_a_scene_joins_a_users_own_plot(lighting: str) -> None:
    plotter = pv.Plotter(off_screen=True, window_size=list(SIZE), lighting=lighting)
    plotter.set_background("white")
    plotter.add_mesh(pv.Cube(center=(0, 0, -1), x_length=9, y_length=9, z_length=0.1), color="lime", lighting=False)
    stage = Stage(plotter)
    stage.draw([solid(Sphere([[0.0, 0.0, 0.5]], 1.0), ShapeFlags.HIT), Marker(np.zeros((1, 3)), Role.CONTACT)], NEAR)
    image = stage.image()
    assert near_color(image, (0, 255, 0)).mean() > 0.1
    assert near_color(image, LIGHT.styles[Role.CONTACT].color).any()
    red, green, blue = np.moveaxis(image.astype(int), -1, 0)
    assert ((red > 110) & (red > 2 * green) & (red > 2 * blue)).sum() > 1000
    stage.close()


def test_what_a_user_adds_and_moves_later_is_not_cut_off() -> None:
    stage = Stage(pv.Plotter(off_screen=True, window_size=list(SIZE), lighting="none"))
    camera = Camera((0.0, 0.0, 10.0), up=(0.0, 1.0, 0.0))
    ball = Solid.of(Sphere([[0.0, 0.0, 0.0]], 1.0), np.zeros(1, np.uint8))
    stage.draw([ball], camera)
    stage.prepare()
    near, far = stage.plotter.camera.clipping_range
    assert near == pytest.approx(9.0 * 0.99)
    assert far == pytest.approx(11.0 * 1.01)
    added = stage.plotter.add_mesh(pv.Sphere(radius=0.5, center=(0.0, 0.0, -20.0)), reset_camera=False)
    seen = stage.camera
    for height, depth in ((0.0, 30.5), (-5.0, 35.5), (20.0, 11.0)):
        added.position = (0.0, 0.0, height)
        stage.prepare()
        assert stage.plotter.camera.clipping_range[1] == pytest.approx(1.01 * depth, rel=1e-3)
        assert stage.camera == seen  # how far it sees is no part of it
    stage.plotter.remove_actor(added, reset_camera=False)
    stage.prepare()
    assert stage.plotter.camera.clipping_range == (near, far)
    # What is drawn again stays where it is; where someone else moved the camera, it is put back.
    stage.plotter.camera.position = (0.0, 0.0, 20.0)
    assert stage.camera.position == (0.0, 0.0, 20.0)
    stage.draw([ball], camera)
    assert stage.camera == camera
    stage.close()


def test_a_scene_can_be_exported(tmp_path: Path) -> None:
    plotter = pv.Plotter(off_screen=True, window_size=list(SIZE), lighting="none")
    with Stage(plotter, mesh=True) as stage:
        picture(stage, [solid(shape) for shape in SHAPES.values()])
        plotter.export_gltf(tmp_path / "scene.gltf")
    assert (tmp_path / "scene.gltf").stat().st_size > 10_000


@pytest.mark.parametrize("size", [(1, 1), (33, 57), (640, 100)])
def test_a_picture_has_the_size_that_was_asked_for(size: tuple[int, int]) -> None:
    with Stage.offscreen(size) as stage:
        assert stage.size == size
        panel = Panel("upper-left", (Row("a" * 60),) * 10, "Title")
        image = picture(stage, [solid(SHAPES["sphere"]), panel, Panel("center", (Row("b"),)), Ground(0, 1, (0, 0), 5)])
        assert image.shape == (size[1], size[0], 3)


@pytest.mark.parametrize("size", [(0, 10), (10, -1), (10.5, 10), (10, 10, 10), (10, 100_000)])
def test_an_impossible_size_is_refused(size: Any) -> None:
    with pytest.raises(ValueError, match="two whole numbers from 1 to 16384"):
        Stage.offscreen(size)


@pytest.mark.parametrize(
    "shown", [Panel("upper-left", (Row("a row"),)), Label(np.zeros(3), "here"), Ground(0, 1, (0, 0), 5)]
)
def test_an_error_while_drawing_is_raised_and_leaves_nothing_behind(stage: Stage, shown: Drawable) -> None:
    assert covered(picture(stage, [shown])).any()
    with pytest.raises(ValueError, match="points must be"):
        picture(stage, [Label(np.zeros(2), "nowhere")])
    assert not covered(picture(stage, [])).any()


def test_a_picture_of_nothing_at_another_size_is_empty() -> None:
    with Stage.offscreen(SIZE) as stage:
        assert covered(picture(stage, [Panel("upper-left", (Row("a row"),))])).any()
        stage.plotter.render_window.SetSize(*(4 * side for side in SIZE))
        assert not covered(picture(stage, [])).any()


def test_a_closed_stage_says_so() -> None:
    stage = Stage.offscreen(SIZE)
    stage.close()
    with pytest.raises(RuntimeError, match="closed"):
        stage.render()


def test_two_processes_make_the_same_picture() -> None:
    code = "from tests.test_stage import digest; print(digest())"
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == f"{digest()}\n"


def digest() -> str:
    """Draw a picture, and return a digest of it."""
    drawables: list[Drawable] = [solid(shape, n % 4) for n, shape in enumerate(SHAPES.values())]
    drawables += [Ground(-1.0, 0.5, (0.0, 0.0), 4.0), Label(np.zeros(3), "A"), Label(np.zeros(3), "B")]
    drawables += [Panel("upper-left", (Row("text", ShapeFlags.HIT),)), Marker(np.zeros((1, 3)), Role.CONTACT)]
    with Stage.offscreen(SIZE) as stage:
        return hashlib.sha256(picture(stage, drawables).tobytes()).hexdigest()


@pytest.mark.parametrize(("size", "fine"), [((3840, 2160), 2), ((4097, 2304), 1), ((7680, 4320), 1), ((8192, 64), 2)])
def test_a_very_large_picture_takes_no_more_memory_than_its_pixels_need(size: tuple[int, int], fine: int) -> None:
    stage = Stage.offscreen(size)
    try:
        drawn = stage.plotter.render_window.GetSize()
        assert [side // own for side, own in zip(drawn, size, strict=True)] == [fine, fine]
        assert stage.smooth == (fine == 1)
    finally:
        stage.close()
