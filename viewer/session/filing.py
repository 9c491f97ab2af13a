"""The file that a scene comes from: what changed since, saving it, and going back to it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from collision import AABB, Scene
from collision.files import write_bytes
from viewer.session.arranging import Arranging
from viewer.session.editing import alike

#: The ending of the files that scenes are saved in; other kinds are only read.
SAVED = ".toml"


class Conflict(ValueError):  # noqa: N818 (the name is what it says)
    """Saving would overwrite what somebody else wrote; `overwrite` does it all the same."""


class Filing(Arranging):
    """The layer of a session that saves the scene, and tells whether there is something to save."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        super().__init__(scene, size, view, extent)
        self._path: Path | None = None
        self._kept = scene
        self._digest = b""
        self._text: str | None = None
        #: How shapes were written that saving took out of the file: undone, they come back with their comments.
        self._taken_out: dict[str, str] = {}
        self._over = False
        self._judged: tuple[Scene, Scene, bool] | None = None

    @property
    def path(self) -> Path | None:
        """The file that the scene comes from, and that it is saved in if that is a ``.toml`` file."""
        return self._path

    @property
    def dirty(self) -> bool:
        """Whether the scene is another one than in its file; hiding something does not make it so."""
        scene, kept = self._scene, self._kept
        if self._judged is None or self._judged[0] is not scene or self._judged[1] is not kept:
            self._judged = scene, kept, not alike(scene, kept, self._selected)
        return self._judged[2]

    @property
    def heading(self) -> str:
        """What the scene is called: by its title, or else by its file."""
        return self._scene.title or (self._path.name if self._path else "")

    @property
    def saves_over(self) -> bool:
        """Whether the scene has a file that it can be saved in: a ``.toml`` file that is no template."""
        return self._over

    def comes_from(self, path: str | os.PathLike[str], *, template: bool = False) -> None:
        """Take note that the scene, as it is now, is that in a file; a template, such as an example, stays as it is."""
        self._path, self._kept = Path(path), self._scene
        self._over = self._path.suffix.lower() == SAVED and not template
        data = _read(self._path)
        self._digest, self._taken_out = _digest(data), {}
        self._text = data.decode("utf-8") if data is not None and self._path.suffix.lower() == SAVED else None
        self._touch()

    def save(self, *, overwrite: bool = False) -> None:
        """Write the scene into its file, whole or not at all; what did not change in it stays as it is written there.

        Parameters
        ----------
        overwrite : bool
            Whether to write it also where the file has changed since it was read.

        Raises
        ------
        ValueError
            If it comes from no file or one that cannot be saved over, or the file cannot be written.
        Conflict
            If the file has changed since it was read.
        """
        if self._path is None:
            raise ValueError("this scene comes from no file: save it as a new one")
        if not self._over:
            what = "it is an example" if self._path.suffix.lower() == SAVED else f"it is no {SAVED} file"
            raise ValueError(f"{self._path.name} cannot be saved over, as {what}: save the scene as a new file")
        data = _read(self._path)
        if not overwrite and _digest(data) != self._digest:
            fate = "was deleted" if data is None else "has changed on disk"
            raise Conflict(f"{self._path.name} {fate} since it was read")
        self._write(self._path)

    def save_as(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the scene into another file, which then is the one that it comes from.

        Parameters
        ----------
        path : path-like
            A ``.toml`` file; the ending may be left out.
        overwrite : bool
            Whether the file may be there already.

        Raises
        ------
        ValueError
            If the path is none of a ``.toml`` file, or it cannot be written.
        Conflict
            If there is such a file.
        """
        name = os.fspath(path).strip()
        if not name:
            raise ValueError(f"a name of a {SAVED} file is wanted, got nothing")
        target = Path(name).expanduser()
        if not target.suffix:
            target = target.with_suffix(SAVED)
        if target.suffix.lower() != SAVED:
            raise ValueError(f"scenes are saved as {SAVED} files, got {target.name}")
        if not target.parent.is_dir():
            raise ValueError(f"there is no folder {target.parent}")
        if target.is_dir():
            raise ValueError(f"{target} is a folder")
        if target == self._path and self._over:
            self.save(overwrite=overwrite)
            return
        if target.exists() and not overwrite:
            raise Conflict(f"there is a file {target.name} already")
        self._write(target)

    def revert(self) -> None:
        """Read the scene from its file again, as one step of the history.

        Raises
        ------
        ValueError
            If it comes from no file, or that cannot be read.
        """
        if self._path is None:
            raise ValueError("this scene comes from no file, so there is nothing to return to")
        from viewer.loading import read

        scene = read(self._path).scene
        self.cancel()
        hidden = [name for name in self._scene.hidden if name in scene]
        self._commit(self._scene, scene.replaced(hidden=hidden))
        self.comes_from(self._path, template=not self._over)

    def _write(self, path: Path) -> None:
        from collision.scenefile import SceneFileError, dump_scene, tables_of, updated_text

        self.cancel()
        scene = self._scene.replaced(hidden=())
        text = dump_scene(scene) if self._text is None else updated_text(self._text, scene, self._taken_out)
        gone = self._kept.shapes.keys() - scene.shapes.keys()
        try:
            data = text.encode("utf-8")
            write_bytes(path, data)
        except OSError as error:
            raise ValueError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from error
        except UnicodeEncodeError as error:
            raise SceneFileError(str(path), []) from error
        if self._text is not None and gone:
            self._taken_out |= tables_of(self._text, gone)
        self._path, self._kept, self._text, self._digest, self._over = path, self._scene, text, _digest(data), True
        self._touch()


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error


def _digest(data: bytes | None) -> bytes:
    return b"" if data is None else hashlib.sha256(data).digest()
