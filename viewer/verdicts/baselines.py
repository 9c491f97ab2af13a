"""Pictures of scenes beside those that are kept with the tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from collision.inner import write_bytes
from viewer.records.words import counted
from viewer.verdicts.kept import KeptScenes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collision import Scene, Shape
    from viewer.files.movies import Image
    from viewer.session import Session

#: So many pixels may differ where nothing else is asked for: edges, as renderers draw them.
MOST_PIXELS = 50

#: The width and height of pictures in pixels, where nothing else is asked for.
_SIZE = (800, 600)


class ScenePicture:
    """Draws scenes and compares the pictures with their baselines.

    Parameters
    ----------
    kept : KeptScenes
        Takes the pictures of tests that fail.
    folder : path
        Where the baselines are.
    update : bool
        Whether to write them anew.
    """

    def __init__(self, kept: KeptScenes, folder: Path, update: bool) -> None:
        self._kept, self._folder, self._update = kept, folder, update

    def check(
        self,
        scene: Scene | Mapping[str, Shape] | str | Path | Session,
        name: str,
        *,
        max_pixels: int = MOST_PIXELS,
        **options: Any,
    ) -> None:
        """Assert that a scene looks as in its baseline, ``baseline/<name>.png`` beside the test.

        Parameters
        ----------
        scene : Scene, mapping of str to Shape, path or Session
            What to draw; a session as it is, with its selection and view.
        name : str
            Of the picture.
        max_pixels : int
            How many pixels may differ to the eye, as for ``collision-viewer diff``: edges that renderers draw otherwise
            are not counted, and what fills a small square is always seen.
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
            self._kept.picture(path.stem, image)
            raise AssertionError(f"there is no {path} to compare with; pytest --collision-update makes it: look at it")
        wrong = self._different(path, image, max_pixels)
        if wrong:
            raise AssertionError(
                f"the picture is not as in {path}: {wrong}; if it is as it should be, pytest --collision-update "
                "makes it the one to compare with"
            )

    def _different(self, path: Path, image: Image, most: int) -> str:
        """Say in which way a picture is not as its baseline; nothing where it is, and keep it where it is not."""
        from viewer.files.differences import compare_pictures, read_picture, where

        wanted = read_picture(path)
        if wanted.shape[:2] != image.shape[:2]:
            self._kept.picture(path.stem, image)
            return "it is {1} x {0} pixels, and not {3} x {2}".format(*image.shape[:2], *wanted.shape[:2])
        found = compare_pictures(image, wanted)
        if found.within(most):
            return ""
        self._kept.picture(path.stem, image)
        self._kept.picture(f"{path.stem}-expected", wanted)
        self._kept.picture(f"{path.stem}-difference", found.image)
        return f"{counted(found.count, 'pixel')} differ, {most:,} may: {'; '.join(where(found))}"

    def _write(self, path: Path, image: Image) -> None:
        from viewer.files.movies import png

        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, png(image))


def _drawn(scene: Any, options: dict[str, Any]) -> Image:
    import pytest

    from viewer.session import Session
    from viewer.stage.gl import GLUnavailable
    from viewer.studio.pictures import render, snapshot

    try:
        if isinstance(scene, Session):
            return snapshot(scene, **options)
        return render(scene, **({"size": _SIZE} | options))
    except ModuleNotFoundError as error:
        pytest.fail(f"no picture can be drawn, as {error.name} is not installed: pip install pyvista", pytrace=False)
    except GLUnavailable as error:
        pytest.fail(f"no picture can be drawn here: {error}", pytrace=False)
