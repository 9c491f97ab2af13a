"""Shaders where graphics drivers may differ, or give up: what is undefined in them, and divisions by zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
import pyvista as pv
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkRenderingCore import vtkActor

from collision import AABB, Camera, Capsule, Sphere
from viewer.camera.camera import Viewport
from viewer.records.drawables import (
    Ghost,
    Patch,
    Role,
    ShapeFlags,
    Solid,
)
from viewer.records.theme import LIGHT
from viewer.stage.ground import GroundActor
from viewer.stage.solids.impostors import ImpostorLayer
from viewer.stage.solids.meshes import MeshLayer
from viewer.stage.stage import Stage

CAMERA = Camera((0.0, -8.0, 3.0))
FLAGS = np.array([0, ShapeFlags.HIT, ShapeFlags.FADED, ShapeFlags.SELECTED], np.uint8)

AXES = [np.array([x, y, z]) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) > (0, 0, 0)]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage.offscreen((160, 120)) as own:
        yield own


@pytest.mark.parametrize("height", [3.0, None], ids=["parallel", "perspective"])
def test_a_capsule_seen_along_its_axis_looks_like_its_nearer_end(stage: Stage, height: float | None) -> None:
    flags = np.zeros(1, np.uint8)
    for axis in AXES:
        # The view is along the axis, or, but for rounding, nearly so.
        for aside in (0.0, 1e-8):
            along = axis / np.linalg.norm(axis) + aside * np.array([0.3, -0.8, 0.5])
            camera = Camera(
                tuple(8.0 * axis / np.linalg.norm(axis)),
                up=(0.0, 0.0, 1.0) if axis[:2].any() else (0.0, 1.0, 0.0),
                parallel_height=height,
            )
            images = []
            for shape in (Sphere([along], 0.5), Capsule([-along], [along], 0.5)):
                stage.draw([Solid.of(shape, flags)], camera)
                images.append(stage.image().astype(int))
            assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3, (axis, aside)


@pytest.mark.parametrize("height", [6.0, None], ids=["parallel", "perspective"])
def test_round_solids_are_where_their_meshes_are_in_a_view_off_its_middle(height: float | None) -> None:
    """As where a picture is one tile of a larger one, or a plotter has another middle."""
    solids = [
        Solid.of(Sphere([[1, 0, 0.5]], 0.8), FLAGS[:1]),
        Solid.of(Capsule([[-2, 0, 0]], [[0, 3, 1]], 0.4), FLAGS[1:2]),
    ]
    images = []
    for mesh in (False, True):
        with Stage.offscreen((160, 120), mesh=mesh) as stage:
            for middle in ((0.0, 0.0), (0.4, -0.3)):
                stage.draw(solids, Camera((0.0, -8.0, 3.0), parallel_height=height))
                stage.plotter.renderer.GetActiveCamera().SetWindowCenter(*middle)
                images.append(stage.image().astype(int))
    impostors, moved, meshes, moved_meshes = images
    assert ((np.abs(moved - moved_meshes).max(axis=2) > 40).mean()) < 0.01
    assert ((np.abs(impostors - meshes).max(axis=2) > 40).mean()) < 0.01
    assert ((np.abs(impostors - moved).max(axis=2) > 40).mean()) > 0.1


def test_a_ball_is_round_in_a_plotter_that_stretches_its_axes_and_within_the_bounds_of_what_is_drawn() -> None:
    with Stage(pv.Plotter(off_screen=True, window_size=[160, 120])) as stage:
        images = []
        for stretch in (1.0, 2.0):
            stage.plotter.set_scale(zscale=stretch, render=False)
            stage.draw([Solid.of(Sphere([[0, 0, 0]], 1), FLAGS[:1])], CAMERA)
            images.append(stage.image().astype(int))
        assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3
        capsules = Capsule([[0, 0, 0], [0, 5, 0]], [[3, 0, 0], [0, 5, 0.1]], [0.5, 2.0])
        stage.draw([Solid.of(capsules, FLAGS[:2])], CAMERA)
        stage.render()
        bounds, whole = np.reshape(stage.plotter.bounds, (3, 2)), capsules.bounds()
        assert (bounds[:, 0] <= whole.lower.min(axis=0)).all()
        assert (bounds[:, 1] >= whole.upper.max(axis=0)).all()


def test_pixels_are_compared_before_any_of_them_may_have_ended() -> None:
    """Slopes are undefined beside a fragment that has ended, as some do in VTK's own code, by depth or by a plane."""
    layers = ImpostorLayer(LIGHT), MeshLayer(LIGHT)
    codes = [_code(actor) for actor in (GroundActor(LIGHT).actor, *layers[0].actors, *layers[1].actors)]
    assert any("fwidth" in code["//VTK::UniformFlow::Impl"] for code in codes if "//VTK::UniformFlow::Impl" in code)
    for code in codes:
        for tag, text in code.items():
            assert tag == "//VTK::UniformFlow::Impl" or not re.search(r"fwidth|dFd[xy]", text)


def _code(actor: vtkActor, kind: str = "Fragment") -> dict[str, str]:
    """Return what is put in the place of each of VTK's tags in a shader of an actor."""
    shader = actor.GetShaderProperty()
    found = {}
    for number in range(shader.GetNumberOfShaderReplacements()):
        if shader.GetNthShaderReplacementTypeAsString(number) == kind:
            tag, text = reference(""), reference("")
            shader.GetNthShaderReplacement(number, tag, reference(False), text, reference(False))
            found[str(tag)] = str(text)
    return found


def test_what_is_see_through_is_mixed_with_what_is_behind_it_by_its_opacity(stage: Stage) -> None:
    corners = np.array([[[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]]], float)
    style = LIGHT.styles[Role.PLANE]
    stage.draw([Patch(corners, Role.PLANE)], Camera((0.0, -8.0, 0.0)))
    part = style.opacity * style.fill
    wanted = part * np.array(style.color) + (1.0 - part) * np.array(LIGHT.background)
    assert 0.1 < part < 0.9
    assert np.abs(stage.image()[40:80, 60:100] - wanted).max() <= 2.0


@pytest.mark.parametrize("samples", [0, 8])
def test_what_is_faded_is_seen_in_a_plotter_of_many_samples_too(samples: int) -> None:
    """There VTK finds no layers of what is seen through."""
    images = []
    for balls in ([], [Solid.of(Sphere([[0, 0, 0]], 1), FLAGS[2:3])]):
        plotter = pv.Plotter(off_screen=True, window_size=[160, 120])
        plotter.render_window.SetMultiSamples(samples)
        plotter.add_mesh(pv.Cube(center=(2.5, 0.0, 0.0)), opacity=0.5, color="red")
        with Stage(plotter) as stage:
            stage.draw(balls, CAMERA)
            images.append(stage.image().astype(int))
    without, image = images
    assert (image != without)[:, 55:105].any(axis=2).sum() > 500
    assert all((each[:, 115:].min(axis=2) < 200).sum() > 300 for each in images)


@pytest.mark.parametrize("size", [1e-12, 1e-10, 1e-6, 1e9], ids=str)
def test_a_ball_is_a_ball_in_a_plotter_of_any_size(size: float) -> None:
    """VTK takes a length of zero for 1e-10."""
    images = []
    for scale in (1.0, size):
        with Stage(pv.Plotter(off_screen=True, window_size=[160, 120])) as stage:
            stage.draw([Solid.of(Sphere([[0, 0, 0]], scale), FLAGS[:1])], Camera((0.0, -8.0 * scale, 3.0 * scale)))
            images.append(stage.image().astype(int))
    assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3
    assert (images[0].min(axis=2) < 220).sum() > 1000


@pytest.mark.parametrize("height", [6.0, None], ids=["parallel", "perspective"])
def test_the_rim_of_a_box_is_as_wide_where_two_faces_meet_as_at_its_outline(height: float | None) -> None:
    box = Solid.of(AABB([[-1, -1, -1]], [[1, 1, 1]]), FLAGS[3:])
    with Stage.offscreen((640, 480)) as stage:
        stage.draw([box], Camera((6.0, -6.0, 0.0), parallel_height=height))
        row = stage.image()[240].astype(int)
    amber = (row[:, 0] - row[:, 2] > 120).astype(int)
    starts, ends = np.flatnonzero(np.diff(amber) > 0), np.flatnonzero(np.diff(amber) < 0)
    assert len(starts) == len(ends) == 3
    assert np.ptp(ends - starts) <= 1


def test_a_ghost_is_seen_all_over_a_face_that_lies_in_one_of_its_shape() -> None:
    box = AABB([[-1.013, -1, -1]], [[1.02, 1, 1]])
    camera = Camera((3.1, -6.0, 2.3))
    with Stage.offscreen((320, 240)) as stage:
        stage.draw([Solid.of(box, FLAGS[:1]), Ghost.of(box.translated([0.537, 0.0, 0.0])[0])], camera)
        image = stage.image().astype(int)
    x, z = np.meshgrid(np.linspace(-0.3, 0.8, 60), np.linspace(-0.8, 0.8, 60))
    points = np.stack([x.ravel(), np.full(x.size, -1.0), z.ravel()], axis=1)
    columns, rows = Viewport(camera, (320, 240)).project(points)[0].astype(int).T
    assert np.ptp(image[239 - rows, columns], axis=0).max() <= 2
