"""Make all pictures of the pages anew: ``python examples/_gallery.py``, or with the name of a folder, into that.

The examples are drawn as they are, and the viewer's modes by a session that is driven as a window drives it. The robot
needs gymnasium and MuJoCo, the pile MuJoCo, and other people's robots the folder of those of the package
example-robot-data in EXAMPLE_ROBOT_DATA; without them, their old pictures stay.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image
from rich.console import Console
from rich.progress import track

import viewer
from collision import AABB, Capsule, Expectation, Motion, Scene, Sphere, judge
from viewer.cli.audit import audit
from viewer.cli.options import Size
from viewer.cli.pairs import pairs
from viewer.files.catalogue import Example
from viewer.files.loading import ModelOptions, read
from viewer.files.places import THUMBNAIL, THUMBNAILS
from viewer.picture.present import present
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.verdicts.pictures import picture_of

HERE = Path(__file__).parent
SIZE = (960, 720)

#: Frames a second of a film.
FPS = 6


class Mode(NamedTuple):
    """A picture of what the window can do: what is in it, and what the user does there."""

    scene: str | Scene
    drive: Callable[[Session], object]


def _keys(*symbols: str) -> Callable[[Session], object]:
    """Press keys, as a user would; a shape's name in brackets selects it."""

    def drive(session: Session) -> None:
        for symbol in symbols:
            if symbol.startswith("["):
                session.select(symbol[1:-1])
            else:
                *held, bare = symbol.split("+")
                assert session.key(bare, **dict.fromkeys(held, True)), symbol

    return drive


def _boxing(session: Session) -> None:
    session.press(330, 90, ctrl=True)
    session.move(890, 560, ctrl=True)


def _turning_two(session: Session) -> None:
    session.select_many(["post", "step"])
    _keys("r", "x", "3", "0")(session)


def _comparing(session: Session) -> None:
    session.select_many(["ball", "post"])


def _playing(session: Session) -> None:
    session.select("forearm tip")
    session.player.scrub(5.4)


def _nested() -> Scene:
    """Return shapes whose shortest way apart is not the only one."""
    return Scene(
        {
            "shell": Sphere([-2.2, 0, 1], 1.0),
            "core": Sphere([-2.2, 0, 1], 0.5),
            "rod": Capsule([0.4, 0, 1], [2.6, 0, 1], 0.5),
            "bead": Sphere([1.5, 0, 1], 0.7),
        },
        title="More than one way out",
    )


#: By the name of the picture.
MODES: dict[str, Mode] = {
    "move": Mode("first", _keys("[ball]", "g", "x", "0", ".", "4")),
    "turn": Mode("first", _keys("[crate]", "r", "z", "2", "0")),
    "resize": Mode("first", _keys("[post]", "s", "Escape")),
    "group": Mode("first", _turning_two),
    "box": Mode("first", _boxing),
    "menu": Mode("first", _keys("[post]", "F10", "e")),
    "question": Mode("first", _keys("[post]", "F2")),
    "hidden": Mode("first", _keys("[rod]", "ctrl+h", "[post]")),
    "parallel": Mode("first", _keys("[crate]", "p", "z")),
    "pair": Mode("first", _keys("bracketright")),
    "apart": Mode("first", _comparing),
    "near": Mode("first", _keys("[marble]", "m", "plus", "plus")),
    "broad_phase": Mode("first", _keys("o", "w")),
    "normals": Mode("first", _keys("c", "v", "w")),
    "ambiguous": Mode(_nested(), _keys("bracketright", "v", "w")),
    "dark": Mode("first", _keys("[rod]", "shift+t")),
    "colour_blind": Mode("first", _keys("[rod]", "shift+t", "shift+t")),
    "colour_blind_dark": Mode("first", _keys("[rod]", "shift+t", "shift+t", "shift+t")),
    "motion": Mode("robot_arm", _playing),
    "keys": Mode("first", _keys("h")),
    "explain": Mode("first", _keys("bracketright", "shift+e", "period", "period")),
    "explain_line": Mode("line_circle", _keys("shift+e", "period", "period")),
}


def main(folder: Path) -> None:
    """Make the pictures one by one."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / THUMBNAILS).mkdir(exist_ok=True)
    jobs = list(_jobs(folder))
    for make in track(jobs, "drawing", console=Console(stderr=True), transient=True):
        make()


def _false_never(robot: Path, picture: Path) -> None:
    """Draw two links of which a published SRDF file says that they never collide, as the report on it does."""
    srdf = robot.parents[1] / "srdf" / "panda.srdf"
    with TemporaryDirectory() as folder:
        pairs(robot, srdf=srdf, html=Path(folder, "report"), static=True, quiet=True)
        picture.write_bytes(Path(folder, "report/pictures/panda-collision-panda-link3-panda-hand.png").read_bytes())


def _audited(robot: Path, picture: Path) -> None:
    """Draw what a robot's collision shapes leave out, as the command does."""
    with redirect_stdout(StringIO()):
        audit(robot, output=picture, size=Size(*SIZE))


def _jobs(folder: Path) -> Iterator[Callable[[], object]]:
    for example in viewer.find_examples():
        if example.path.suffix == ".xml" and find_spec("mujoco") is None:
            continue
        yield lambda e=example: thumbnail(e, folder / THUMBNAILS)
        if example.name in ("physics", "level_sets"):
            continue
        if example.scene().motion:
            yield lambda e=example: film(e.path, folder / f"{e.name}.webp")
        else:
            yield lambda e=example: viewer.render(e.path, folder / f"{e.name}.png")
    arm, srdf = HERE / "robots" / "picker.urdf", HERE / "robots" / "picker.srdf"
    posed = ModelOptions(srdf=srdf, pose="reach")
    yield lambda: viewer.render(read(arm, posed).scene, folder / "robot_reach.png")
    moved = ModelOptions(srdf=srdf, trajectory=HERE / "robots" / "pick.csv")
    yield lambda: film(read(arm, moved).scene, folder / "robot_pick.webp")
    if public := os.environ.get("EXAMPLE_ROBOT_DATA"):
        talos = next(Path(public).rglob("talos_reduced.urdf"))
        known = ModelOptions(srdf=talos.parents[1] / "srdf" / "talos.srdf")
        yield lambda: viewer.render(read(talos, known).scene, folder / "robot_talos.png", size=SIZE)
        so101 = next(Path(public).rglob("so101.urdf"))
        yield lambda: viewer.render(so101, folder / "robot_so101.png", size=SIZE)
        yield lambda: _false_never(next(Path(public).rglob("panda_collision.urdf")), folder / "robot_never.png")
        yield lambda: _audited(next(Path(public).rglob("a1.urdf")), folder / "robot_audit.png")
    yield lambda: level_sets(folder)
    yield lambda: broken(folder)
    for name in MODES:
        yield lambda name=name: picture(name, folder)
    if find_spec("mujoco") is not None:
        yield lambda: viewer.render(_pile(), folder / "physics.png", size=(1000, 750))
        if find_spec("gymnasium") is not None:
            robots = Path(str(import_module("gymnasium").__file__)).parent / "envs" / "mujoco" / "assets"
            yield lambda: viewer.render(robots / "humanoidstandup.xml", folder / "humanoidstandup.png")


def thumbnail(example: Example, folder: Path) -> None:
    """Make the small picture of an example on the first page of the window."""
    session = Session(example.scene(), size=THUMBNAIL)
    for what in ("hud", "legend", "labels", "grid"):
        session.settings.toggle(what)
    if session.scene.span is not None:
        session.player.scrub(sum(session.scene.span) / 2)
    session.view.frame_all()
    Image.fromarray(viewer.snapshot(session, transparent=True, panels=False)).quantize(64).save(
        folder / example.thumbnail.name, optimize=True
    )


def picture(name: str, folder: Path) -> Session:
    """Make the picture of one mode, and return the session that it is of."""
    mode = MODES[name]
    with Stage.offscreen(SIZE) as stage:
        session = Session(viewer.as_scene(mode.scene), size=SIZE)
        session.cover(stage.covered(present(session)))
        mode.drive(session)
        session.cover(stage.covered(present(session)))
    viewer.snapshot(session, folder / f"mode_{name}.png")
    return session


def broken(folder: Path) -> None:
    """Make the picture of a broken promise."""
    shapes = {
        "table": AABB([-1, -0.6, 0], [1.2, 0.6, 0.7]),
        "crate": AABB([0.15, -0.25, 0.7], [0.65, 0.25, 1.2]),
        "gripper": Capsule([-0.3, 0, 0.95], [-0.3, 0, 1.7], 0.15),
    }
    reach = Motion("gripper", times=[0, 2, 4], offsets=[[0, 0, 0], [0.4, 0, 0.1], [0, 0, 0]])
    promise = Expectation("apart", "gripper", "crate", clearance=0.05)
    scene = Scene(shapes, motion=[reach], expectations=[promise], open=True)
    image = picture_of(scene, judge(scene).verdicts[0])
    assert image is not None
    Image.fromarray(image).save(folder / "broken.png", optimize=True)


def film(source: Path | Scene, path: Path) -> None:
    """Make the film of a motion, small enough for a page: drawn twice as large, and packed with loss."""
    with TemporaryDirectory() as folder:
        viewer.render_motion(source, Path(folder, "####.png"), size=SIZE, fps=FPS, progress=False)
        frames = [Image.open(frame).convert("RGB").reduce(2) for frame in sorted(Path(folder).iterdir())]
    options = {"save_all": True, "append_images": frames[1:], "duration": round(1000 / FPS), "loop": 0}
    frames[0].save(path, quality=70, method=4, **options)


def level_sets(folder: Path) -> None:
    """Make the picture of the example that draws with PyVista."""
    sys.path.insert(0, str(HERE))
    try:
        plotter = import_module("level_sets").plotter(off_screen=True)
    finally:
        sys.path.remove(str(HERE))
    plotter.screenshot(folder / "level_sets.png")
    plotter.close()


def _pile() -> Scene:
    """Return the pile of the example while the last shapes still fall."""
    sys.path.insert(0, str(HERE))
    try:
        frames = import_module("physics").frames
    finally:
        sys.path.remove(str(HERE))
    return next(islice(frames(), 25, None))


if __name__ == "__main__":
    parser = ArgumentParser(description="Make the pictures of the examples anew.")
    parser.add_argument("folder", type=Path, nargs="?", default=HERE / "pictures", help="where to")
    main(parser.parse_args().folder)
