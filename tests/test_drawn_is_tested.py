"""What is drawn is what is tested: samples of the rendered surface lie on the shape that queries are asked about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt
import pytest
from scipy.spatial import KDTree
from scipy.spatial.transform import Rotation
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkFloatArray
from vtkmodules.vtkRenderingCore import vtkActor

from collision import (
    AABB,
    Capsule,
    CapsuleCollider,
    ConvexHull,
    Cylinder,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Transform,
    raycast,
    signed_distance,
)
from tests.helpers import seen_marks
from viewer.picture.present import present
from viewer.records.drawables import Marker, Stroke
from viewer.session import Session
from viewer.stage.solids.meshes import ROUNDNESS
from viewer.stage.stage import Stage

FloatArray = npt.NDArray[np.float64]
Maker = Callable[[np.random.Generator], Shape]

SIZE = (240, 180)
#: Vertices and depths are stored in single precision, relative to the middle of the picture: a few of its steps.
SINGLE = 2e-6

AXES: tuple[Literal["x", "y", "z"], ...] = ("x", "y", "z")


def _transform(rng: np.random.Generator, *, even: bool) -> Transform:
    """Return a random transform, mirrored half of the time, far from the origin now and then."""
    scale = rng.uniform(0.3, 3.0, size=1 if even else 3) * rng.choice([-1.0, 1.0], size=1 if even else 3)
    place = rng.normal(size=3) * rng.choice([1.0, 1000.0])
    return Transform(place, Rotation.random(rng=rng), np.broadcast_to(scale, 3).copy())


def _sphere(rng: np.random.Generator) -> Shape:
    return Sphere(rng.normal(size=3), rng.uniform(0.2, 1.0)).transformed(_transform(rng, even=True))


def _capsule(rng: np.random.Generator) -> Shape:
    start = rng.normal(size=3)
    shape = Capsule(start, start + rng.normal(size=3), rng.uniform(0.2, 0.6))
    return shape.transformed(_transform(rng, even=True))


def _collider(rng: np.random.Generator) -> Shape:
    """Make one by axis and height: it follows a scale that differs between axes."""
    collider = CapsuleCollider(rng.normal(size=3), AXES[rng.integers(3)], rng.uniform(0.5, 3.0), 0.4)
    return collider.in_world(_transform(rng, even=False))


def _refitted(rng: np.random.Generator) -> Shape:
    lower = rng.normal(size=3)
    return AABB(lower, lower + rng.uniform(0.3, 1.5, size=3)).transformed(_transform(rng, even=False))


def _box(rng: np.random.Generator) -> Shape:
    """Make one whose own axes lie along those of the scale: it follows one that differs between them."""
    box = OrientedBox(rng.normal(size=3), np.eye(3), rng.uniform(0.2, 1.2, size=3))
    return box.transformed(_transform(rng, even=False))


def _turned_box(rng: np.random.Generator) -> Shape:
    box = OrientedBox(rng.normal(size=3), Rotation.random(rng=rng).as_matrix(), rng.uniform(0.2, 1.2, size=3))
    return box.transformed(_transform(rng, even=True))


def _cylinder(rng: np.random.Generator) -> Shape:
    """Make a drum, a thin disk or a rod."""
    start, way = rng.normal(size=3), rng.normal(size=3)
    length, radius = ((1.5, 0.6), (0.06, 1.0), (3.0, 0.15))[rng.integers(3)]
    cylinder = Cylinder(start, start + length * way / np.linalg.norm(way), radius)
    return cylinder.transformed(_transform(rng, even=True))


def _hull(rng: np.random.Generator) -> Shape:
    """Make one of a few corners or of many, or a polygon; scaled as sizes are and then turned as things are."""
    count, flat = ((6, 1.0), (40, 1.0), (7, 0.0))[rng.integers(3)]
    hull = ConvexHull(rng.normal(size=(count, 3)) * [1.0, 1.0, flat]).transformed(_transform(rng, even=False))
    return hull.transformed(Transform(rng.normal(size=3), Rotation.random(rng=rng)))


def _grown_hull(rng: np.random.Generator) -> Shape:
    hull = ConvexHull(rng.normal(size=(8, 3)), rng.uniform(0.2, 0.8))
    return hull.transformed(Transform(rng.normal(size=3), Rotation.random(rng=rng)))


SOLIDS: dict[str, Maker] = {
    "sphere": _sphere,
    "capsule": _capsule,
    "scaled collider": _collider,
    "refitted box": _refitted,
    "scaled box": _box,
    "turned box": _turned_box,
    "cylinder": _cylinder,
    "hull": _hull,
    "grown hull": _grown_hull,
}
CASES = [(name, seed) for name, seed in product(SOLIDS, range(3))]


@pytest.fixture(scope="module")
def impostors() -> Iterator[Stage]:
    with Stage.offscreen(SIZE) as own:
        yield own


@pytest.fixture(scope="module")
def meshes() -> Iterator[Stage]:
    with Stage.offscreen(SIZE, mesh=True) as own:
        yield own


def made(name: str, seed: int) -> tuple[Shape, float]:
    """Return a shape, and its largest extent."""
    shape = SOLIDS[name](np.random.default_rng([77, list(SOLIDS).index(name), seed]))
    return shape, 2.0 * float(shape.bounds().half_extents.max())


def grown(shape: Shape) -> float:
    """Return how far the triangles that stand for the round edges of a hull may be below them."""
    return 0.008 * float(shape.radius) if isinstance(shape, ConvexHull) else 0.0


def drawn(stage: Stage, shape: Shape, *, parallel: bool = False) -> Session:
    """Draw a scene of a shape alone."""
    session = Session(Scene({"it": shape}), size=SIZE)
    if parallel:
        session.view.switch_projection()
    for name in ("hud", "legend", "grid", "labels"):
        session.settings.toggle(name)
    stage.draw(present(session), session.viewport.camera)
    stage.render()
    return session


# -- the path of meshes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_every_triangle_lies_on_the_tested_shape(meshes: Stage, name: str, seed: int) -> None:
    shape, size = made(name, seed)
    drawn(meshes, shape)
    points = _sampled(_triangles(meshes), np.random.default_rng(seed))
    assert len(points) > 1000
    # A flat piece of a ball cuts in by what half a step of longitude and of latitude leave of the radius.
    flat = 1.0 - np.cos(np.pi / ROUNDNESS) ** 2
    sagitta = flat * float(shape.radius) if isinstance(shape, Sphere | Capsule | Cylinder) else 0.0
    sagitta = max(sagitta, grown(shape))
    off = np.asarray(signed_distance(shape, Point(points)))
    assert off.max() <= SINGLE * size
    assert off.min() >= -sagitta - SINGLE * size


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_no_part_of_the_tested_shape_is_undrawn(meshes: Stage, name: str, seed: int) -> None:
    """Rays from all around meet a triangle where they meet the shape: near enough there is a sample."""
    shape, size = made(name, seed)
    drawn(meshes, shape)
    points = _sampled(_triangles(meshes), np.random.default_rng(seed), many=40)
    outward = np.random.default_rng(seed).normal(size=(60, 3))
    middle = shape.bounds().center
    hits = raycast(Ray(middle + 4.0 * size * outward / np.linalg.norm(outward, axis=1)[:, None], -outward), shape)
    assert hits.hit.all()
    nearest, _ = KDTree(points).query(hits.point)
    assert np.max(nearest) <= 0.15 * size


def _triangles(stage: Stage) -> FloatArray:
    """Return the triangles of the solids that VTK was handed, in the world, (n, 3, 3)."""
    found = [np.zeros((0, 3, 3))]
    actors = stage.plotter.renderer.GetActors()
    for index in range(actors.GetNumberOfItems()):
        actor = actors.GetItemAsObject(index)
        data = actor.GetMapper().GetInput() if actor.GetVisibility() else None
        if data is None or not data.GetNumberOfPolys() or data.GetPointData().GetArray("flags") is None:
            continue
        corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        found.append((vtk_to_numpy(data.GetPoints().GetData()).astype(float) + _place(actor))[corners])
    return np.concatenate(found)


def _place(actor: vtkActor) -> FloatArray:
    matrix = np.array([[actor.GetMatrix().GetElement(i, j) for j in range(4)] for i in range(4)])
    assert np.array_equal(matrix[:3, :3], np.eye(3))
    return np.asarray(matrix[:3, 3])


def _sampled(triangles: FloatArray, rng: np.random.Generator, many: int = 4) -> FloatArray:
    """Return the corners, the middles and some points of each triangle; more where there are few triangles."""
    many = max(many, 2000 // max(len(triangles), 1))
    weights = rng.dirichlet(np.ones(3), size=(len(triangles), many))
    inside = np.einsum("nmk,nkc->nmc", weights, triangles).reshape(-1, 3)
    return np.concatenate([triangles.reshape(-1, 3), triangles.mean(axis=1), inside])


# -- the path of impostors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parallel", [False, True], ids=["perspective", "parallel"])
@pytest.mark.parametrize(("name", "seed"), CASES)
def test_every_pixel_lies_on_the_tested_shape(impostors: Stage, name: str, seed: int, parallel: bool) -> None:
    shape, size = made(name, seed)
    session = drawn(impostors, shape, parallel=parallel)
    points, step = _seen_points(impostors, session)
    assert len(points) > 1000
    off = np.abs(np.asarray(signed_distance(shape, Point(points))))
    # A depth is known to a step of its buffer, a pixel's place to its middle: its rim belongs to the shape or not.
    assert np.quantile(off, 0.95) <= 4.0 * step + 50.0 * SINGLE * size + grown(shape)
    rim = 2.0 * session.viewport.units_per_pixel(shape.bounds().center)
    assert off.max() <= rim + 4.0 * step + 50.0 * SINGLE * size


def _seen_points(stage: Stage, session: Session) -> tuple[FloatArray, float]:
    """Return the points of the world that the depth buffer holds, and how far apart two of its depths are there."""
    window = stage.plotter.render_window
    assert window is not None
    others = [r for r in window.GetRenderers() if r is not stage.plotter.renderer]
    for renderer in others:  # what is laid over the picture clears its depths
        renderer.DrawOff()
    stage.render()
    width, height = window.GetSize()
    buffer = vtkFloatArray()
    window.GetZbufferData(0, 0, width - 1, height - 1, buffer)
    for renderer in others:
        renderer.DrawOn()
    depth = vtk_to_numpy(buffer).reshape(height, width).astype(float)
    rows, columns = np.nonzero(depth < 1.0)
    z, viewport = depth[rows, columns], session.viewport
    near, far = stage.plotter.renderer.GetActiveCamera().GetClippingRange()
    rays = viewport.ray((columns + 0.5) * SIZE[0] / width, (rows + 0.5) * SIZE[1] / height)
    if viewport.camera.parallel_height is None:
        along = near * far / (far - z * (far - near))
        step = float((along**2).max() * (far - near) / (near * far)) * 2.0**-24
    else:
        along = near + z * (far - near)
        step = (far - near) * 2.0**-24
    forward = rays.direction @ viewport.forward
    return rays.origin + (along / forward)[:, None] * rays.direction, step


# -- what has no surface -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [Point, Segment, Ray, Line], ids=lambda kind: kind.__name__)
def test_dots_and_strokes_lie_on_the_tested_shape(kind: type[Shape], seed: int) -> None:
    rng = np.random.default_rng([78, seed])
    fields = [rng.normal(size=3) for _ in range(1 if kind is Point else 2)]
    shape = kind(*fields).transformed(_transform(rng, even=False))
    session = Session(Scene({"it": shape, "ball": Sphere(np.asarray(shape.core.operands[0]), 1.0)}), size=SIZE)
    points = []
    for mark in seen_marks(session):
        if isinstance(mark, Marker):
            points.append(mark.points)
        elif isinstance(mark, Stroke):
            shares = np.linspace(0.0, 1.0, 9)[:, None, None]
            points.append((mark.start + shares * (mark.end - mark.start)).reshape(-1, 3))
    samples = np.concatenate(points)
    assert np.abs(np.asarray(signed_distance(shape, Point(samples)))).max() <= 1e-12 * np.abs(samples).max()
    if isinstance(shape, Segment):
        for end in (shape.start, shape.end):
            assert np.abs(samples - end).max(axis=1).min() == 0.0
