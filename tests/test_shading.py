"""Shaders where graphics drivers may differ, or give up: what is undefined in them, and divisions by zero."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import pyvista as pv
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkRenderingCore import vtkActor

from collision import Camera, Capsule, Sphere
from viewer.records.drawables import (
    ALL_FLAGS,
    Drawable,
    Floor,
    Ground,
    Patch,
    Role,
    SeeThrough,
    ShapeFlags,
    Solid,
    Stroke,
)
from viewer.records.theme import DARK, LIGHT
from viewer.stage.solids import impostors
from viewer.stage.solids.impostors import ImpostorLayer
from viewer.stage.solids.meshes import MeshLayer
from viewer.stage.solids.shading import Surface, chosen
from viewer.stage.stage import Stage
from viewer.stage.surfaces import GroundActor

#: OpenGL's number.
GL_BLEND = 3042

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
                stage.draw([Solid(shape, flags)], camera)
                images.append(stage.image().astype(int))
            assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3, (axis, aside)


@pytest.mark.parametrize("height", [6.0, None], ids=["parallel", "perspective"])
def test_round_solids_are_where_their_meshes_are_in_a_view_off_its_middle(height: float | None) -> None:
    """As where a picture is one tile of a larger one, or a plotter has another middle."""
    solids = [
        Solid(Sphere([[1, 0, 0.5]], 0.8), FLAGS[:1]),
        Solid(Capsule([[-2, 0, 0]], [[0, 3, 1]], 0.4), FLAGS[1:2]),
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
            stage.draw([Solid(Sphere([[0, 0, 0]], 1), FLAGS[:1])], CAMERA)
            images.append(stage.image().astype(int))
        assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3
        capsules = Capsule([[0, 0, 0], [0, 5, 0]], [[3, 0, 0], [0, 5, 0.1]], [0.5, 2.0])
        stage.draw([Solid(capsules, FLAGS[:2])], CAMERA)
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


def test_what_is_alike_has_one_shader() -> None:
    """Mesa takes a fiftieth of a second and more to compile each."""
    actors = ImpostorLayer(LIGHT).actors
    shadows, (ball, capsule, box), (clear_ball, clear_capsule, _) = actors[:3], actors[3:6], actors[6:]
    for alike in ((*shadows, GroundActor(LIGHT).actor), (ball, capsule), (clear_ball, clear_capsule)):
        for kind in ("Vertex", "Fragment"):
            codes = [_code(actor, kind) for actor in alike]
            assert all(code == codes[0] for code in codes)
    layer, ground = ImpostorLayer(LIGHT), GroundActor(LIGHT)
    floor = Floor((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    layer.cast((floor, floor), np.zeros(3))
    ground.draw_beside(2)
    several = [_code(actor, "Vertex") for actor in (*layer.actors[:3], ground.actor)]
    assert all(code == several[0] for code in several)
    assert several[0] != _code(shadows[0], "Vertex")
    for other in (box, shadows[0], clear_ball):
        assert _code(other, "Fragment") != _code(ball, "Fragment")


@pytest.mark.parametrize("clear", [False, True], ids=["solid", "see-through"])
def test_many_balls_have_a_shader_of_their_own_and_look_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, clear: bool
) -> None:
    balls = Solid(Sphere([[0, 0, 0], [1, 0.4, 0], [-1, 0, 1], [0, -7.5, 0]], [1, 0.8, 0.3, 0.6]), FLAGS)
    one = Solid(Sphere([[0, 0, 0]], 1), FLAGS[:1])
    rod = Solid(Capsule([[-2, 0, 0]], [[2, 1, 1]], 0.3), FLAGS[:1])
    more: list[Drawable] = [SeeThrough()] if clear else []

    def picture(solid: Solid) -> npt.NDArray[np.uint8]:
        stage.draw([solid, rod, *more], Camera((0.0, -8.0, 0.0)))  # which is in the last ball
        return stage.image()

    few = picture(one), picture(balls)
    with monkeypatch.context() as patch:
        patch.setattr(impostors, "FEW_BALLS", 1)
        written = list[Surface]()
        write = impostors.write_code
        patch.setattr(impostors, "write_code", lambda *given, **more: (written.append(given[2]), write(*given, **more)))
        many = picture(one), picture(balls), picture(one)
    assert written == 2 * [Surface.BALL] + 2 * [Surface.CAPSULE]
    for image, wanted in zip(many, (*few, few[0]), strict=True):
        assert (image == wanted).all()


def test_a_value_of_standings_is_chosen_by_the_flags_that_count() -> None:
    values = {flags: str(int(flags & (ShapeFlags.SELECTED | ShapeFlags.HOVERED))) for flags in ALL_FLAGS}
    lines = [line.strip() for line in chosen(values).splitlines()]
    assert lines == [
        "int counting = flags & 10;",
        "if (counting == 2) { return 2; }",
        "if (counting == 8) { return 8; }",
        "if (counting == 10) { return 10; }",
        "return 0;",
    ]
    assert chosen(dict.fromkeys(ALL_FLAGS, "1.0")) == "  int counting = flags & 0;\n  return 1.0;"


def test_all_of_a_picture_of_its_own_is_weighted_by_its_opacity_and_nothing_in_a_plotter() -> None:
    """Blending takes it for that in the one, and not in the other, where a user's own actors are."""
    with Stage.offscreen((64, 48)) as stage, Stage(pv.Plotter(off_screen=True, window_size=[64, 48])) as other:
        for own, place in ((True, stage), (False, other)):
            many = Solid(Sphere(np.zeros((2, 3)), 1), FLAGS[:2])
            for restyled in (False, True):
                place.restyle(DARK if restyled else LIGHT)
                place.draw([many], CAMERA)
                for renderer in place.plotter.render_window.GetRenderers():
                    for actor in renderer.GetViewProps():
                        if actor.GetShaderProperty().GetNumberOfShaderReplacements():
                            assert ("//VTK::DepthPeeling::Impl" in _code(actor)) == own


def test_what_is_see_through_is_mixed_with_what_is_behind_it_by_its_opacity(stage: Stage) -> None:
    corners = np.array([[[-9, 0, -9], [9, 0, -9], [9, 0, 9], [-9, 0, 9]]], float)
    style = LIGHT.styles[Role.PLANE]
    stage.draw([Patch(corners, Role.PLANE)], Camera((0.0, -8.0, 0.0)))
    part = style.opacity * style.fill
    wanted = part * np.array(style.color) + (1.0 - part) * np.array(LIGHT.background)
    assert 0.1 < part < 0.9
    assert np.abs(stage.image()[40:80, 60:100] - wanted).max() <= 2.0


def test_what_is_opaque_is_drawn_without_blending_and_the_rest_with_it() -> None:
    seen: set[tuple[str, int, bool]] = set()
    along = np.array([[-1.0, 0.0, 2.0]]), np.array([[1.0, 0.0, 2.0]])
    with Stage.offscreen((64, 48)) as stage:
        window = stage.plotter.render_window

        def look(told: Any, what: str, layer: int) -> None:
            told.AddObserver("StartEvent", lambda *_: seen.add((what, layer, window.GetState().GetEnumState(GL_BLEND))))

        for renderer in window.GetRenderers():
            for actor in renderer.GetActors():
                look(actor.GetMapper(), "clear" if actor.GetForceTranslucent() else "opaque", renderer.GetLayer())
        ground = Ground(0.0, 1.0, (0.0, 0.0), 9.0)
        strokes = Stroke(*along, Role.WITNESS), Stroke(*along, Role.FADED)
        stage.draw([Solid(Sphere([[0, 0, 0]], 1), FLAGS[:1]), ground, *strokes], CAMERA)
        stage.render()
        assert window.GetState().GetEnumState(GL_BLEND)
    layers = {layer for _, layer, _ in seen}
    assert len(layers) == 3
    assert seen == {(what, layer, what == "clear") for what in ("opaque", "clear") for layer in layers}


@pytest.mark.parametrize("samples", [0, 8])
def test_what_is_faded_is_seen_in_a_plotter_of_many_samples_too(samples: int) -> None:
    """There VTK finds no layers of what is seen through."""
    images = []
    for balls in ([], [Solid(Sphere([[0, 0, 0]], 1), FLAGS[2:3])]):
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
            stage.draw([Solid(Sphere([[0, 0, 0]], scale), FLAGS[:1])], Camera((0.0, -8.0 * scale, 3.0 * scale)))
            images.append(stage.image().astype(int))
    assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3
    assert (images[0].min(axis=2) < 220).sum() > 1000
