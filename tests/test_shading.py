"""Shaders where graphics drivers may differ, or give up: what is undefined in them, and divisions by zero."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from vtkmodules.vtkCommonCore import reference
from vtkmodules.vtkRenderingCore import vtkActor

from collision import Camera, Capsule, Sphere
from viewer.picture.drawables import Solid
from viewer.picture.theme import LIGHT
from viewer.stage import Stage
from viewer.stage.solids.impostors import ImpostorLayer
from viewer.stage.solids.meshes import MeshLayer
from viewer.stage.surfaces import GroundActor

AXES = [np.array([x, y, z]) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) > (0, 0, 0)]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with Stage.offscreen((160, 120)) as own:
        yield own


@pytest.mark.parametrize("height", [3.0, None], ids=["parallel", "perspective"])
def test_a_capsule_seen_along_its_axis_looks_like_its_nearer_end(stage: Stage, height: float | None) -> None:
    standing = np.zeros(1, np.uint8)
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
                stage.draw([Solid(shape, standing)], camera)
                images.append(stage.image().astype(int))
            assert (np.abs(images[1] - images[0]).max(axis=2) > 24).sum() <= 3, (axis, aside)


def test_pixels_are_compared_before_any_of_them_may_have_ended() -> None:
    """Slopes are undefined beside a fragment that has ended, as some do in VTK's own code, by depth or by a plane."""
    layers = ImpostorLayer(LIGHT), MeshLayer(LIGHT)
    codes = [_fragment_code(actor) for actor in (GroundActor(LIGHT).actor, *layers[0].actors, *layers[1].actors)]
    assert any("fwidth" in code["//VTK::UniformFlow::Impl"] for code in codes if "//VTK::UniformFlow::Impl" in code)
    for code in codes:
        for tag, text in code.items():
            assert tag == "//VTK::UniformFlow::Impl" or not re.search(r"fwidth|dFd[xy]", text)


def _fragment_code(actor: vtkActor) -> dict[str, str]:
    """Return what is put in the place of each of VTK's tags in the fragment shader of an actor."""
    shader = actor.GetShaderProperty()
    found = {}
    for number in range(shader.GetNumberOfShaderReplacements()):
        if shader.GetNthShaderReplacementTypeAsString(number) == "Fragment":
            tag, text = reference(""), reference("")
            shader.GetNthShaderReplacement(number, tag, reference(False), text, reference(False))
            found[str(tag)] = str(text)
    return found
