"""A plotter of a user's own exports the scene that was added to it, and is as it was afterwards."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv

import viewer
from collision import AABB, Capsule, Scene, Sphere
from tests.helpers import red_pixels
from tests.slow import one_in
from viewer.stage.solids.meshes import ROUNDNESS

SCENE = Scene(
    {"ball": Sphere([0, 0, 1], 1), "rod": Capsule([0.5, 0, 1], [3, 0, 1], 0.4), "box": AABB([4, 0, 0], [5, 1, 1])}
)


#: Corners of a ball as triangles: rings from pole to pole, the equator twice.
BALL_CORNERS = 2 * (ROUNDNESS // 4 + 1) * ROUNDNESS


@pytest.fixture
def plotter() -> Iterator[pv.Plotter]:
    own = pv.Plotter(off_screen=True, window_size=[320, 240])
    own.add_mesh(pv.Cone(center=(0, 3, 1)), color="green")
    viewer.add_scene(own, SCENE, grid=True, hud=True)
    own.show(auto_close=False)
    own.render()
    yield own
    own.close()


def test_a_model_has_the_solids_in_their_colours_and_the_ground(plotter: pv.Plotter, tmp_path: Path) -> None:
    before = plotter.screenshot(return_img=True)
    path = tmp_path / "scene.gltf"
    plotter.export_gltf(str(path))
    model = json.loads(path.read_text())
    parts = [part for mesh in model["meshes"] for part in mesh["primitives"]]
    counts = [model["accessors"][part["attributes"]["POSITION"]]["count"] for part in parts]
    colored = [_colors(model, part["attributes"]["COLOR_0"]) for part in parts if "COLOR_0" in part["attributes"]]
    assert any(part.get("mode") == 1 for part in parts), "the lines of the ground"
    assert sum(counts) > 2000
    reds = [colors for colors in colored if ((colors[:, 0] > 200) & (colors[:, 1] < 100)).mean() > 0.9]
    assert [len(colors) for colors in reds] == [2 * BALL_CORNERS]  # the ball and the rod
    plotter.render()
    assert np.array_equal(plotter.screenshot(return_img=True), before)


def _colors(model: dict[str, list[dict[str, int]]], number: int) -> np.ndarray:
    accessor = model["accessors"][number]
    view = model["bufferViews"][accessor["bufferView"]]
    data = base64.b64decode(str(model["buffers"][view["buffer"]]["uri"]).partition(",")[2])
    raw = data[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    kind = np.uint8 if accessor["componentType"] == 5121 else np.float32
    colors = np.frombuffer(raw, kind).reshape(accessor["count"], -1)
    return colors if kind is np.uint8 else 255 * colors


@pytest.mark.parametrize("name", ["scene.obj", "scene.wrl"])
def test_other_models_have_the_solids_too(plotter: pv.Plotter, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    (plotter.export_obj if path.suffix == ".obj" else plotter.export_vrml)(str(path))
    assert path.stat().st_size > 100_000


def test_other_exporters_find_triangles_as_long_as_they_ask_for_them() -> None:
    own = pv.Plotter(off_screen=True, window_size=[320, 240])
    added = viewer.add_scene(own, SCENE)

    def points() -> int:
        actors = [actor for actor in own.renderer.GetActors() if actor.GetVisibility()]
        return sum(actor.GetMapper().GetInput().GetNumberOfPoints() for actor in actors)

    with added.for_export():  # makes the marks, as a first frame would
        pass
    few = points()
    with added.for_export():
        assert points() > few + 1000
    assert points() == few
    own.close()


@pytest.mark.parametrize(("name", "raster"), one_in(2, [("scene.svg", True), ("scene.pdf", False)]))
def test_a_drawing_is_written_and_nothing_crashes(tmp_path: Path, name: str, raster: bool) -> None:
    """In a process of its own: VTK's exporter crashes where texts are in a layer above the plot."""
    path = tmp_path / name
    lines = [
        "import pyvista as pv, viewer",
        "plotter = pv.Plotter(off_screen=True, window_size=[320, 240])",
        "viewer.add_scene(plotter, 'first', hud=True, grid=True)",
        "plotter.show(auto_close=False)",
        f"plotter.save_graphic({str(path)!r}, raster={raster})",
        "plotter.render()",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, capture_output=True, timeout=120)
    assert path.stat().st_size > 10_000
    if raster and path.suffix == ".svg":
        picture = tmp_path / "inside.png"
        picture.write_bytes(base64.b64decode(path.read_text().partition("base64,")[2].partition('"')[0]))
        assert red_pixels(np.asarray(pv.read_texture(str(picture)).to_array())) > 1000
