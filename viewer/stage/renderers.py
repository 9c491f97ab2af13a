"""The renderers of a picture: the scene's own, one above it for marks that nothing covers, and a page above both.

On the page are texts and panels. It has a camera of its own, before which a pixel is as wide and as high as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from vtkmodules.vtkRenderingCore import vtkLight, vtkRenderer

from viewer.stage.vtk_camera import Tile

#: OpenGL's numbers for: colours in proportion to their opacity over what is there, and opacities alike but whole.
_BLENDING = 770, 771, 1, 771

#: Two layers of what is seen through are found at a time, the nearest and the farthest: so often at most, for up to so
#: many solids; and else. Each time all of them are drawn once more, and of many the inner layers are hardly seen.
PEELS, LEAST_PEELS = {200: 4, 1000: 2}, 1


def light_up(renderer: vtkRenderer) -> None:
    """Add a headlight where there is no light: without any VTK computes no normals."""
    if not any(light.GetSwitch() for light in cast(Any, renderer).GetLights()):
        headlight = vtkLight()
        headlight.SetLightTypeToHeadlight()
        renderer.AddLight(headlight)


def add_layer(window: Any) -> vtkRenderer:
    """Return a renderer in a layer of its own above all others of a window, which takes no events."""
    layer: Any = vtkRenderer()
    layer.SetLayer(window.GetNumberOfLayers())
    window.SetNumberOfLayers(window.GetNumberOfLayers() + 1)
    layer.InteractiveOff()
    layer.GetCullers().RemoveAllItems()  # VTK takes what shaders put elsewhere for out of the picture
    # What is see-through comes back to front already; blending it so costs a fraction of what VTK does by default.
    layer.SetUseOIT(False)
    # Where what is below was drawn in layers, VTK leaves another way of blending behind.
    layer.AddObserver("StartEvent", lambda *_: window.GetState().vtkglBlendFuncSeparate(*_BLENDING))
    window.AddRenderer(layer)
    return cast("vtkRenderer", layer)


def find_layers(renderer: Any, count: int) -> None:
    """Say how often a renderer is to find layers of what is seen through, for so many solids."""
    renderer.SetMaximumNumberOfPeels(next((n for most, n in PEELS.items() if count <= most), LEAST_PEELS))
    renderer.SetOcclusionRatio(0.0)


def lay_above(renderer: Any, overlay: Any, page: Any, part: Tile) -> None:
    """Have what is above a renderer be where that is: marks are seen as it sees, and the page as pixels."""
    for layer in (overlay, page):
        layer.SetViewport(*renderer.GetViewport())
    # Not the same camera: where VTK draws a picture in parts, it has one for each layer, and deletes all of them.
    overlay.GetActiveCamera().DeepCopy(renderer.GetActiveCamera())
    see_pixels(page, part)


def see_pixels(page: Any, part: Tile) -> None:
    """Have a renderer see points as pixels, from the lower left corner of the picture on, in a part of it in pixels.

    The camera stays where it is: where VTK draws a picture in parts, it has others, but they all move with one.
    """
    camera = page.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetParallelScale(0.5 * part.height)
    camera.SetWindowCenter(1.0 + 2.0 * part.left / part.width, 1.0 + 2.0 * part.low / part.height)
    camera.SetPosition(0.0, 0.0, 1.0)
    camera.SetFocalPoint(0.0, 0.0, 0.0)
    camera.SetClippingRange(0.5, 1.5)


@contextmanager
def left_out(layer: vtkRenderer) -> Iterator[None]:
    """Have a window without a renderer as long as the context lasts."""
    window: Any = layer.GetRenderWindow()
    window.RemoveRenderer(layer)
    try:
        yield
    finally:
        window.AddRenderer(layer)


@contextmanager
def in_one_layer(renderer: vtkRenderer, overlay: vtkRenderer) -> Iterator[None]:
    """Have a renderer draw what is in the layer above it, too, as long as the context lasts.

    VTK's exporters look at one layer, or crash: that of SVG and PDF files.
    """
    found: Any = overlay.GetViewProps()
    props = list(found)
    with left_out(overlay):
        for prop in props:
            overlay.RemoveViewProp(prop)
            renderer.AddViewProp(prop)
        try:
            yield
        finally:
            for prop in props:
                renderer.RemoveViewProp(prop)
                overlay.AddViewProp(prop)
