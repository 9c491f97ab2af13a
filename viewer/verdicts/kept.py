"""What a test leaves when it fails: the picture of its scene, the scene as a file, and the verdicts on it."""

from __future__ import annotations

import re
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from collision import Judgement, Scene, judge
from collision.inner import write_bytes, write_text
from collision.scenefile import SceneFileError, dump_scene
from collision.testing import BrokenPromiseError, SceneLike, as_scene

if TYPE_CHECKING:
    from viewer.files.movies import Image

#: The folder of this run, where no other is to be had.
_RUN: pytest.StashKey[str] = pytest.StashKey()

#: The width and height of pictures, in pixels.
_SIZE = (1000, 750)


def folder_of(item: pytest.Item, own: Path | None) -> Path:
    """Return where a test leaves what it leaves.

    Parameters
    ----------
    item : pytest.Item
        The test.
    own : path, optional
        The test's own folder for temporary files.
    """
    given = item.config.option.collision_output
    if given is None and own is not None:
        return own / "collision"
    if given is None and _RUN not in item.config.stash:
        item.config.stash[_RUN] = tempfile.mkdtemp(prefix="pytest-collision-")
    base = Path(item.config.stash[_RUN]) if given is None else item.config.invocation_params.dir / given
    name = re.sub(r"[^\w.=-]+", "-", item.nodeid.replace("::", "-").replace("/", "-"))
    return base / name[-120:].strip("-.")


class KeptScenes:
    """Remembers the scenes of a test; called with one, it returns it.

    Parameters
    ----------
    folder : path
        Where to leave things when the test fails; it is made then.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._scenes: dict[str, Scene] = {}
        self._images: dict[str, Image] = {}

    def __call__(self, scene: SceneLike, name: str = "") -> Scene:
        """Remember a scene.

        Parameters
        ----------
        scene : Scene, mapping of str to Shape, or path
            Of a scene file, where it is a path.
        name : str
            What to call its files, where there are several; they are counted otherwise.

        Returns
        -------
        Scene
            The same.
        """
        found = as_scene(scene)
        self._scenes[_plain(name) or str(len(self._scenes) + 1)] = found
        return found

    def picture(self, name: str, image: Image) -> None:
        """Remember a picture."""
        self._images[_plain(name)] = image

    def leave(self, error: BaseException) -> Iterator[str]:
        """Write what is remembered, and yield lines on where it is, and on what could not be had.

        Parameters
        ----------
        error : BaseException
            What the test failed by.
        """
        broken = error if isinstance(error, BrokenPromiseError) else None
        scenes = dict(self._scenes)
        if broken is not None and not any(_same_shapes(broken.scene, scene) for scene in scenes.values()):
            scenes["failed"] = broken.scene
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for name, image in self._images.items():
                yield f"picture: {self._write_picture(f'{name}.png', image)}"
            for name, scene in scenes.items():
                yield from self._leave_scene("" if len(scenes) == 1 else f"{name}-", scene, broken)
        except OSError as problem:
            yield f"{self.folder}: cannot be written: {(problem.strerror or str(problem)).lower()}"
        except Exception:  # a run of tests is not to end for it
            yield f"this is a bug of collision-viewer; please report these lines:\n{traceback.format_exc()}"

    def _leave_scene(self, prefix: str, scene: Scene, broken: BrokenPromiseError | None) -> Iterator[str]:
        judgement = None
        if broken is not None and _same_shapes(broken.scene, scene):
            scene, judgement = broken.scene, broken.judgement
        judgement = judgement or judge(scene)
        yield self._picture_line(f"{prefix}picture.png", scene, judgement)
        try:
            text = dump_scene(scene)
        except SceneFileError as error:
            yield f"scene: no file holds it: {error}"
        else:
            write_text(self.folder / f"{prefix}scene.toml", text)
            yield f"scene: {self.folder / f'{prefix}scene.toml'}"
        path = self.folder / f"{prefix}verdicts.json"
        write_text(path, as_json(judgement, f"{prefix}scene.toml"))
        yield f"verdicts: {path}"

    def _picture_line(self, file: str, scene: Scene, judgement: Judgement) -> str:
        image = drawn(scene, judgement)
        return f"picture: {image if isinstance(image, str) else self._write_picture(file, image)}"

    def _write_picture(self, file: str, image: Image) -> Path:
        from viewer.files.movies import png

        write_bytes(self.folder / file, png(image))
        return self.folder / file


def drawn(scene: Scene, judgement: Judgement) -> Image | str:
    """Return the picture of the first broken promise of a scene, or of the scene; or say why there is none."""
    from viewer.stage.gl import GLUnavailable
    from viewer.studio.pictures import render
    from viewer.verdicts.pictures import picture_of

    worst = next((verdict for verdict in judgement.broken if verdict.pair), None)
    try:
        image = None if worst is None else picture_of(scene, worst)
        return render(scene, size=_SIZE) if image is None else image
    except ModuleNotFoundError as error:
        return f"none, as {error.name} is not installed: pip install pyvista"
    except (GLUnavailable, ValueError) as error:
        return f"none: {error}"


def as_json(judgement: Judgement, path: str) -> str:
    """Return verdicts in the form that ``collision-viewer test --format json`` has for a scene.

    Parameters
    ----------
    judgement : Judgement
        All verdicts.
    path : str
        The file of the scene.
    """
    from viewer.verdicts.judging import promise_of, state_of
    from viewer.verdicts.results import SceneResult

    promises = tuple(map(promise_of, judgement.verdicts))
    found = SceneResult(path=path, state=state_of(promises), promises=promises, **judgement.counts._asdict())
    return found.model_dump_json(indent=2) + "\n"


def _same_shapes(a: Scene, b: Scene) -> bool:
    return a is b or (a.shapes == b.shapes and a.motion == b.motion)


def _plain(name: str) -> str:
    """Return a name as one of a file."""
    return re.sub(r"[^\w.=-]+", "-", name).strip("-.")
