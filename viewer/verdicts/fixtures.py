"""The fixtures of the plugin: one writes the scenes of a test that fails, one compares pictures with baselines."""

from __future__ import annotations

import re
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from collision import Judgement, Scene, judge
from collision.inner import write_bytes, write_text
from collision.scenefile import SceneFileError, dump_scene
from collision.testing import BrokenPromiseError, SceneLike, as_scene
from viewer.records.words import counted

if TYPE_CHECKING:
    from viewer.files.movies import Image
    from viewer.session import Session

#: The folder of this run, where no other is to be had.
_RUN: pytest.StashKey[str] = pytest.StashKey()

#: The width and height of pictures of tests that fail and of baselines, in pixels, where nothing else is asked for.
_SIZE, _BASELINE_SIZE = (1000, 750), (800, 600)

#: This share of the pixels may differ where nothing else is asked for: edges, as renderers draw them.
MOST_PIXELS = 1e-4


def folder_of(item: pytest.Item, own: Path | None) -> Path:
    """Return where a test leaves what it leaves."""
    given = item.config.option.collision_output
    if given is None and own is not None:
        return own / "collision"
    if given is None and _RUN not in item.config.stash:
        kept = item.config.cache if item.config.pluginmanager.has_plugin("cacheprovider") else None
        made = tempfile.mkdtemp(prefix="pytest-collision-") if kept is None else kept.mkdir("collision")
        item.config.stash[_RUN] = str(made)
    base = Path(item.config.stash[_RUN]) if given is None else item.config.invocation_params.dir / given
    name = re.sub(r"[^\w.=-]+", "-", item.nodeid.replace("::", "-").replace("/", "-"))
    return base / name[-120:].strip("-.")


class SceneRecorder:
    """Remembers the scenes of a test; called with one, it returns it."""

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
        """Write what is remembered, and yield lines on where it is, and on what could not be had."""
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
        from viewer.verdicts.results import SceneResult

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
        found = SceneResult.of(f"{prefix}scene.toml", judgement)  # in the form of collision-viewer test --format json
        write_text(path, found.model_dump_json(indent=2) + "\n")
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

    try:
        pictures = (picture_of(scene, verdict) for verdict in judgement.broken)
        image = next((picture for picture in pictures if picture is not None), None)
        return render(scene, size=_SIZE) if image is None else image
    except ModuleNotFoundError as error:
        return f"none, as {error.name} is not installed: pip install pyvista"
    except (GLUnavailable, ValueError) as error:
        return f"none: {error}"


def _same_shapes(a: Scene, b: Scene) -> bool:
    return a is b or (a.shapes == b.shapes and a.motion == b.motion)


def _plain(name: str) -> str:
    """Return a name as one of a file."""
    return re.sub(r"[^\w.=-]+", "-", name).strip("-.")


class ScenePicture:
    """Draws scenes and compares the pictures with their baselines."""

    def __init__(self, recorder: SceneRecorder, folder: Path, update: bool) -> None:
        self._recorder, self._folder, self._update = recorder, folder, update

    def check(
        self,
        scene: SceneLike | Session,
        name: str,
        *,
        max_share: float = MOST_PIXELS,
        **options: Any,
    ) -> None:
        """Assert that a scene looks as in its baseline, ``baseline/<name>.png`` beside the test.

        Parameters
        ----------
        scene : Scene, mapping of str to Shape, path or Session
            What to draw; a session as it is, with its selection and view.
        name : str
            Of the picture.
        max_share : float
            Which share of the pixels, from 0 to 1, may differ to the eye: edges that renderers draw otherwise are not
            counted, and what fills a small square is always seen.
        **options
            As for `viewer.render`, of a scene: ``time``, ``size``, ``view``, ``theme`` and others. Pictures are
            800 x 600 unless asked for otherwise.

        Raises
        ------
        AssertionError
            If it does not, or there is no baseline yet. The picture, and the difference, are kept with the test.
        ValueError
            If the name is none of a file.

        Notes
        -----
        With ``--collision-update`` the baseline is written, and nothing compared. On a machine that cannot draw the
        test fails, and says what is missing.
        """
        __tracebackhide__ = True
        if not name or Path(name).name != name or name.startswith("."):
            raise ValueError(f"scene_picture: the name must be one of a file, got {name!r}")
        image, path = _drawn(scene, options), self._folder / f"{name.removesuffix('.png')}.png"
        if self._update:
            self._write(path, image)
            return
        if not path.is_file():
            self._recorder.picture(path.stem, image)
            raise AssertionError(f"there is no {path} to compare with; pytest --collision-update makes it: look at it")
        wrong = self._different(path, image, round(max_share * image.shape[0] * image.shape[1]))
        if wrong:
            raise AssertionError(
                f"the picture is not as in {path}: {wrong}; if it is as it should be, pytest --collision-update "
                "makes it the one to compare with"
            )

    def _different(self, path: Path, image: Image, most: int) -> str:
        """Say in which way a picture differs from its baseline; nothing where it is, and keep it where it is not."""
        from viewer.files.differences import compare_pictures, read_picture, where

        wanted = read_picture(path)
        if wanted.shape[:2] != image.shape[:2]:
            self._recorder.picture(path.stem, image)
            return "it is {1} x {0} pixels, and not {3} x {2}".format(*image.shape[:2], *wanted.shape[:2])
        found = compare_pictures(image, wanted)
        if found.within(most):
            return ""
        self._recorder.picture(path.stem, image)
        self._recorder.picture(f"{path.stem}-expected", wanted)
        self._recorder.picture(f"{path.stem}-difference", found.image)
        return f"{counted(found.count, 'pixel')} differ, {most:,} may: {'; '.join(where(found))}"

    def _write(self, path: Path, image: Image) -> None:
        from viewer.files.movies import png

        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, png(image))


def _drawn(scene: Any, options: dict[str, Any]) -> Image:
    from viewer.session import Session
    from viewer.stage.gl import GLUnavailable
    from viewer.studio.pictures import render, snapshot

    try:
        if isinstance(scene, Session):
            return snapshot(scene, **options)
        return render(scene, **({"size": _BASELINE_SIZE} | options))
    except ModuleNotFoundError as error:
        pytest.fail(f"no picture can be drawn, as {error.name} is not installed: pip install pyvista", pytrace=False)
    except GLUnavailable as error:
        pytest.fail(f"no picture can be drawn here: {error}", pytrace=False)
