"""Pictures without a window: what is in them, that they are the same every time, that files are whole or not there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import viewer
from collision import AABB, Camera, Capsule, OrientedBox, Scene, Segment, Show, Sphere
from tests.helpers import files_in
from viewer.camera.camera import Viewport
from viewer.files.catalogue import find_examples
from viewer.picture.present import present
from viewer.records.drawables import Drawable, Ground
from viewer.session import Session

Pixels = npt.NDArray[np.uint8]

SIZE = (320, 240)

#: Where no panel is and no small axis: red is there only where something collides.
ROWS, COLUMNS = (0.15, 0.82), (0.03, 0.78)

SHAPES = {
    "sphere": Sphere([0, 0, 0.5], 0.5),
    "capsule": Capsule([2, 0, 0.3], [2, 0, 1], 0.3),
    "aabb": AABB([3.5, -0.5, 0], [4.5, 0.5, 1]),
    "box": OrientedBox([6, 0, 0.5], np.eye(3), [0.5, 0.5, 0.5]),
}


def reds(image: Pixels) -> int:
    height, width = image.shape[:2]
    rows, columns = (slice(*(int(end * n) for end in ends)) for ends, n in ((ROWS, height), (COLUMNS, width)))
    red, green, blue = np.moveaxis(image[rows, columns].astype(int), -1, 0)
    return int(np.count_nonzero((red > 130) & (red > 1.9 * green) & (red > 1.9 * blue)))


# -- one picture -------------------------------------------------------------------------------------------------------


def test_pictures_are_the_same_to_the_last_bit(tmp_path: Path) -> None:
    example = find_examples()[0]
    first = viewer.render(example.scene(), tmp_path / "a.png", size=SIZE)
    second = viewer.render(example.path, tmp_path / "b.png", size=SIZE)
    assert np.array_equal(first, second)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_the_file_is_the_array(tmp_path: Path) -> None:
    image = viewer.render(SHAPES, tmp_path / "a.png", size=SIZE)
    assert image.shape == (240, 320, 3)
    assert image.dtype == np.uint8
    with Image.open(tmp_path / "a.png") as file:
        assert np.array_equal(np.asarray(file), image)
    assert files_in(tmp_path) == ["a.png"]


@pytest.mark.parametrize("mesh", [False, True])
def test_nothing_is_red_when_nothing_collides(mesh: bool) -> None:
    assert reds(viewer.render(SHAPES, size=SIZE, mesh=mesh)) == 0


@pytest.mark.parametrize("mesh", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_each_kind_is_red_when_it_collides(name: str, mesh: bool) -> None:
    # A speck inside, seen through nothing: all the red there is, is the shape's own.
    speck = Sphere(SHAPES[name].bounding_sphere().center, 1e-6)
    assert reds(viewer.render({**SHAPES, "speck": speck}, size=(640, 480), mesh=mesh)) > 400


def test_a_small_sphere_that_turns_red_is_noticed() -> None:
    camera = Camera((3, -14, 3), (3, 0, 0.5))
    pebbles = {**SHAPES, "pebble": Sphere([1, 0, 0.1], 0.1), "grain": Sphere([1.3, 0, 0.1], 0.1)}
    assert reds(viewer.render(pebbles, size=SIZE, camera=camera)) == 0
    pebbles["grain"] = Sphere([1.15, 0, 0.1], 0.1)
    assert 5 < reds(viewer.render(pebbles, size=SIZE, camera=camera)) < 120


def test_what_touches_is_not_red_and_what_is_a_little_deeper_is() -> None:
    for place, red in ((0.4, False), (0.3999, True)):
        picture = viewer.render({"a": Sphere([0.1, 0, 0], 0.1), "b": Sphere([place, 0, 0], 0.2)}, size=SIZE)
        assert reds(picture) > 200 if red else reds(picture) == 0


def test_a_segment_that_collides_is_red() -> None:
    ball = Sphere([0, 0, 0], 1)
    inside, outside = Segment([-3, 0, 0], [0, 0, 0]), Segment([-3, 0, 2], [0, 0, 2])
    assert reds(viewer.render({"s": outside, "b": ball}, size=SIZE)) == 0
    assert reds(viewer.render({"s": inside, "b": ball}, size=SIZE)) > 200


def test_views_differ_and_a_camera_is_obeyed() -> None:
    pictures = [viewer.render(SHAPES, size=SIZE, view=view) for view in ("iso", "x", "y", "z", "-x", "-y", "-z")]
    assert len({picture.tobytes() for picture in pictures}) == 7
    camera = Camera((3, -20, 0.5), (3, 0, 0.5))
    own = viewer.render(Scene(SHAPES, camera=camera), size=SIZE)
    assert np.array_equal(own, viewer.render(SHAPES, size=SIZE, camera=camera))
    assert np.array_equal(pictures[0], viewer.render(Scene(SHAPES, camera=camera), size=SIZE, view="iso"))


def test_sources(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from collision import Scene, Sphere\ndef scene(): return Scene({'ball': Sphere([0, 0, 0], 1)})\n"
    )
    (tmp_path / "own.toml").write_text('[shapes.ball]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 1\n')
    ball = {"ball": Sphere([0, 0, 0], 1)}
    pictures = [
        viewer.render(source, size=SIZE)
        for source in (ball, Scene(ball), tmp_path / "own.py", str(tmp_path / "own.toml"))
    ]
    assert len({picture.tobytes() for picture in pictures}) == 1
    assert viewer.as_scene("first").title == "A first scene"


# -- mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "picture.bmp"}, r"picture\.bmp: a picture is written to a \.png file, got \.bmp"),
        ({"path": "picture"}, "got no ending"),
        ({"path": 3}, "the file to write must be a path, got 3"),
        ({"path": "nowhere/picture.png"}, "there is no folder nowhere"),
        ({"size": (0, 10)}, "size of a picture must be two whole numbers of pixels, each from 64 to 8192"),
        ({"size": (63, 100)}, r"got \(63, 100\)"),
        ({"size": (100, 8193)}, r"got \(100, 8193\)"),
        ({"size": (100.0, 100)}, r"got \(100.0, 100\)"),
        ({"size": 100}, "got 100"),
        ({"view": "top"}, "view must be one of iso"),
        ({"view": "x", "camera": Camera((1, 1, 1))}, "a view or a camera, not both"),
    ],
)
def test_a_mistake_is_said_and_writes_nothing(
    arguments: dict[str, object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=words):
        viewer.render(SHAPES, **{"path": "picture.png", "size": SIZE, **arguments})  # type: ignore[arg-type]
    assert files_in(tmp_path) == []


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ValueError, match=r"folder\.png: this is a folder, and a picture is written to a file"):
        viewer.render(SHAPES, tmp_path / "folder.png", size=SIZE)
    assert files_in(tmp_path) == ["folder.png"]


def test_a_scene_is_added_to_a_plotter_only() -> None:
    with pytest.raises(TypeError, match=r"add_scene takes a pyvista\.Plotter, then a scene, got Scene"):
        viewer.add_scene(Scene(SHAPES), SHAPES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (3, "got int"),
        (None, "got None"),
        (b"first", "got bytes"),
        (SHAPES["sphere"], r'got Sphere; a shape needs a name, such as \{"sphere": shape\}'),
        (list(SHAPES.values()), "got list"),
        ("", "the name of a scene is empty"),
    ],
)
def test_what_is_no_scene_is_said(source: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        viewer.render(source)  # type: ignore[arg-type]


def test_a_broken_scene_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text('[shapes.ball]\nkind = "sphere"\ncentre = [0, 0, 0]\nradius = -1\n')
    with pytest.raises(ValueError, match=r"broken\.toml") as caught:
        viewer.render(tmp_path / "broken.toml", tmp_path / "a.png")
    assert "center" in str(caught.value)
    assert "radius" in str(caught.value)
    assert files_in(tmp_path) == ["broken.toml"]


def test_an_old_picture_survives_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.png"
    target.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        viewer.render(SHAPES, target, size=SIZE)
    assert target.read_bytes() == b"old"
    assert files_in(tmp_path) == ["a.png"]


# -- animations --------------------------------------------------------------------------------------------------------


def sliding(count: int) -> Iterator[Scene]:
    for x in np.linspace(0.0, 2.85, count):
        yield Scene({"still": Sphere([0, 0, 0], 1), "moving": Sphere([x, 0, 0], 1)})


@pytest.mark.parametrize("suffix", [".gif", ".webp", ".apng", ".png"])
def test_an_animation_has_every_frame_and_repeats(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"slide{suffix}"
    viewer.render_frames(sliding(4), target, fps=10, size=SIZE, progress=False)
    with Image.open(target) as file:
        assert file.n_frames == 4
        assert file.info.get("loop") == 0
        frames = []
        for number in range(4):
            file.seek(number)
            file.load()  # WebP knows a frame's duration only then
            assert file.info["duration"] == 100
            frames.append(np.asarray(file.convert("RGB")))
    assert [reds(frame) > 200 for frame in frames] == [True, True, True, False]
    assert files_in(tmp_path) == [target.name]


def test_frames_are_all_seen_from_one_place_and_over_one_ground(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def recorded(session: Session, **how: bool) -> tuple[Drawable, ...]:
        drawables = present(session, **how)
        grounds = [drawable for drawable in drawables if isinstance(drawable, Ground)]
        seen.append((session.viewport.camera, *grounds))
        return drawables

    monkeypatch.setattr("viewer.studio.pictures.present", recorded)
    viewer.render_frames(sliding(3), tmp_path / "a.png", size=SIZE, progress=False)
    frames = seen[-3:]  # the first were made to find the camera that keeps the shapes clear of the panels
    assert len(set(frames)) == 1
    camera, ground = frames[0]
    assert ground == seen[0][1]
    pixels, _ = Viewport(camera, SIZE).project([[-1, -1, -1], [4, 1, 1]])
    assert np.all((pixels > 0) & (pixels < SIZE))


@pytest.mark.parametrize("trouble", [KeyboardInterrupt, RuntimeError])
def test_an_animation_that_is_cut_off_leaves_the_old_file(trouble: type[BaseException], tmp_path: Path) -> None:
    target = tmp_path / "a.gif"
    target.write_bytes(b"old")

    def broken() -> Iterator[Scene]:
        yield from sliding(2)
        raise trouble

    with pytest.raises(trouble):
        viewer.render_frames(broken(), target, size=SIZE, progress=False)
    assert target.read_bytes() == b"old"
    assert files_in(tmp_path) == ["a.gif"]


def test_ctrl_c_while_frames_are_drawn_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.gif"
    target.write_bytes(b"old")
    drawn = []

    def interrupted(session: Session, **how: bool) -> tuple[Drawable, ...]:
        drawn.append(session)
        if len(drawn) == 2:
            raise KeyboardInterrupt
        return present(session, **how)

    monkeypatch.setattr("viewer.studio.pictures.present", interrupted)
    with pytest.raises(KeyboardInterrupt):
        viewer.render_frames(sliding(3), target, size=SIZE)
    assert target.read_bytes() == b"old"
    assert files_in(tmp_path) == ["a.gif"]


def test_mistakes_in_an_animation(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"an animation is written to a \.gif, .*, \.mp4 file, got \.mov"):
        viewer.render_frames(sliding(1), tmp_path / "a.mov")
    with pytest.raises(ValueError, match="fps must be above 0"):
        viewer.render_frames(sliding(1), tmp_path / "a.gif", fps=0)
    with pytest.raises(ValueError, match="there is no scene"):
        viewer.render_frames([], tmp_path / "a.gif", size=SIZE, progress=False)
    for scenes in (Scene(SHAPES), SHAPES, "first"):
        with pytest.raises(TypeError, match=r"takes scenes, one for each frame, got a single (Scene|dict|str)"):
            viewer.render_frames(scenes, tmp_path / "a.gif", size=SIZE, progress=False)  # type: ignore[arg-type]
    assert files_in(tmp_path) == []


def test_progress_is_shown_on_terminals_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    viewer.render_frames(list(sliding(2)), tmp_path / "a.gif", size=SIZE)
    assert capsys.readouterr() == ("", ""), "a log has no line of it"


# -- in a plot of the user's own ---------------------------------------------------------------------------------------


def test_a_scene_in_a_users_own_plotter() -> None:
    import pyvista as pv

    plotter = pv.Plotter(off_screen=True, window_size=list(SIZE))
    plotter.add_mesh(pv.Cube(center=(-3, 0, 0)), color="green")
    scene = Scene(SHAPES, shows=[Show("closest_points", "sphere", "capsule")])
    added = viewer.add_scene(plotter, scene)
    calm = added.stage.image()
    assert reds(calm) == 0
    assert np.count_nonzero((calm[..., 1] > 60) & (calm[..., 0] < 40) & (calm[..., 2] < 40)) > 50  # the user's own cube

    camera = added.stage.camera
    added.update(scene.moved("sphere", [1.5, 0, 0]))
    assert reds(added.stage.image()) > 200
    added.update(scene)
    assert np.array_equal(added.stage.image(), calm)
    assert added.stage.camera == camera
    plotter.close()


@pytest.mark.parametrize("way", ["parts", "parallel", "beside", "samples"])
def test_a_plot_that_is_drawn_finer_is_the_same(way: str) -> None:
    import pyvista as pv
    from PIL import Image

    plotter = pv.Plotter(off_screen=True, window_size=[640, 480], shape=(1, 3 if way == "beside" else 1))
    for place in range(3 if way == "beside" else 1):
        plotter.subplot(0, place)
        viewer.add_scene(plotter, SHAPES | {"hit": Sphere([0.5, 0, 0], 1.0)}, hud=True, legend=True, grid=True)
    if way == "parallel":
        plotter.enable_parallel_projection()
    plotter.render()
    coarse = plotter.screenshot(None, return_img=True).astype(int)
    if way == "samples":
        plotter.enable_anti_aliasing("ssaa")
        plotter.render()
    fine = plotter.screenshot(None, return_img=True, scale=1 if way == "samples" else 2)
    off = np.abs(np.asarray(Image.fromarray(fine).resize((640, 480), Image.Resampling.BOX)) - coarse).max(axis=-1)
    # Edges differ, of letters too; stripes that go another way, or texts in another place, would be twice as much.
    assert off.mean() < (1.3 if way == "samples" else 2.2)
    if way != "samples":
        plotter.render()
        assert np.array_equal(plotter.screenshot(None, return_img=True), coarse)
    plotter.close()


def test_a_camera_that_is_set_stays() -> None:
    import pyvista as pv

    plotter = pv.Plotter(off_screen=True, window_size=list(SIZE))
    plotter.camera_position = [(20.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    added = viewer.add_scene(plotter, SHAPES, hud=True, legend=True, grid=True)
    assert added.stage.camera.position == (20.0, 0.0, 0.0)
    plotter.camera_position = [(0.0, 30.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    added.update(SHAPES)
    assert added.stage.camera.position == (0.0, 30.0, 0.0)
    plotter.close()


# -- importing ---------------------------------------------------------------------------------------------------------


def test_importing_the_package_loads_no_renderer() -> None:
    code = (
        "import sys, viewer, viewer.picture.present\n"
        "print([m for m in sys.modules if m in ('pyvista', 'vtkmodules', 'PIL')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
