"""The file that a scene comes from: what changed since, saving it, and going back to it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from collision import Scene
from collision.inner import write_bytes
from viewer.files.loading import AS_IT_IS, MODELS, Loaded, ModelOptions
from viewer.files.paths import in_words, is_folder, target_of
from viewer.files.state import FileState, Stamp, alike, settled, stamp_of, state_of
from viewer.session.document import Document
from viewer.session.transform_tool import TransformTool
from viewer.session.view import View

#: The ending of the files that scenes are saved in; other kinds are only read.
SAVED = ".toml"

#: What can be done where saving would overwrite something, or where there is nothing left to save over.
OVERWRITE, WRITE_AGAIN, SAVE_AS = {"o": "overwrite it"}, {"o": "write it again"}, {"a": "save as another file"}
READ_AGAIN = {"r": "read it again; undo brings this back"}


class Conflict(ValueError):  # noqa: N818 (the name is what it says)
    """Somebody else has written or removed what saving would overwrite; `ways` says what can be done about it."""

    def __init__(self, text: str, ways: Mapping[str, str]) -> None:
        super().__init__(text)
        self.ways = ways


class File:
    """The file of a document."""

    def __init__(self, document: Document, view: View, tool: TransformTool) -> None:
        self._document, self._view, self._tool = document, view, tool
        #: The file that the scene comes from, and that it is saved in if that is a ``.toml`` file.
        self.path: Path | None = None
        self._kept = document.scene
        self._wanted = AS_IT_IS
        #: The file of a robot's model, also where its scene has been saved in another.
        self._model: Path | None = None
        #: Of what is known to be in the file, and of what was last told to be there.
        self._digest = self._told = b""
        self._text: str | None = None
        #: How shapes were written that saving took out of the file: undone, they come back with their comments.
        self._taken_out: dict[str, str] = {}
        #: Whether the scene has a file that it can be saved in: a ``.toml`` file that is no template.
        self.saves_over = False
        self._template = False
        #: The stamp of the file that is known, and the one that was last seen.
        self._known: Stamp | None = None
        self._seen: Stamp | None = None
        #: The scene and that of the file, and whether they are others: asked for in every picture.
        self._compared: tuple[Scene, Scene, bool] | None = None

    @property
    def dirty(self) -> bool:
        """Whether the scene is another one than in its file; hiding something does not make it so."""
        scene, kept = self._document.scene, self._kept
        if self._compared is None or self._compared[0] is not scene or self._compared[1] is not kept:
            self._compared = scene, kept, not alike(scene, kept, self._document.selected)
        return self._compared[2]

    @property
    def asks(self) -> bool:
        """Whether to ask before what changed is thrown away: not of an example, which is there to be tried."""
        return self.dirty and not self._template

    @property
    def heading(self) -> str:
        """What the scene is called: by its title, or else by its file."""
        return self._document.scene.title or (self.path.name if self.path else "")

    def beside(self, suffix: str) -> Path:
        """Return a file for what is made of the scene: beside its own, or in this folder where that is an example."""
        own = Path("scene") if self.path is None else self.path
        return Path(own.name).with_suffix(suffix) if self._template else own.with_suffix(suffix)

    def shared(self, scene: Scene) -> Loaded:
        """Return a scene of the session as if it had been read, with the robot in it and how that is opened."""
        model, joints = self._document.settled_model, list[tuple[str, float]]()
        if model is not None:
            own = (joint for joint in model.joints.values() if joint.size == 1 and joint.mimic is None)
            joints = [(joint.name, model.value(joint.name).item()) for joint in own]
        wanted = self._wanted._replace(pose="", joints=tuple(joints))
        return Loaded(scene, self._model or Path("ROBOT.urdf"), wanted=wanted, model=model)

    def comes_from(
        self,
        path: str | os.PathLike[str],
        *,
        template: bool = False,
        state: FileState | None = None,
        wanted: ModelOptions = AS_IT_IS,
    ) -> None:
        """Take note that the scene, as it is now, is that in a file.

        The parts of a robot model belong together: it is locked, so that the mouse does not move one by accident.

        Parameters
        ----------
        path : path-like
            The file.
        template : bool
            Whether the file stays as it is, as an example does.
        state : viewer.files.state.FileState, optional
            What the file was like before the scene was read from it, as `viewer.files.loading.read` returns: what
            changed since is seen. By default, it is what the file is like now.

        wanted : viewer.files.loading.ModelOptions, optional
            The pose and the like of a robot model, which it has again when it is read again.

        Raises
        ------
        ValueError
            If the file cannot be read. Then the scene comes from where it came from before.
        """
        source = Path(path)
        self._take(source, state or _state(source), over=source.suffix.lower() == SAVED and not template)
        self._template, self._wanted = template, wanted
        self._model = source if source.suffix.lower() in MODELS else None
        if source.suffix.lower() in MODELS:
            self._tool.lock()

    def _take(self, source: Path, state: FileState, *, over: bool) -> None:
        with in_words(source, "read"):
            text = state.data.decode("utf-8") if state.data is not None and source.suffix.lower() == SAVED else None
        self.path, self._kept, self.saves_over, self._known = source, self._document.scene, over, settled(state.stamp)
        self._digest = self._told = state.digest
        self._taken_out, self._text = {}, text
        self._document.touch()

    def put(self, scene: Scene) -> bool:
        """Show another scene, as a program computes it, unless something is in hand; tell whether it is shown.

        The history does not know of it, and nobody has to save it: only what changes from now on is changed.
        """
        if self._document.held:
            return False
        empty = not self._document.scene.shapes
        hidden = {*scene.hidden, *(name for name in self._document.hidden if name in scene)}
        self._document.follow(scene.replaced(hidden=hidden) if hidden else scene, settle=True)
        self._kept = self._document.scene  # only what changes from now on is changed
        if empty and scene.shapes:
            self._view.frame_all()
        return True

    def changed_outside(self) -> bool:
        """Look at the file, and tell whether another program has changed it; of each change once.

        Nothing may have come since the last look, as what is being written is not read by halves; a file that is gone
        has not changed, as editors put another in its place.
        """
        if self.path is None:
            return False
        last, self._seen = self._seen, stamp_of(self.path)
        if self._seen in (None, self._known) or self._seen != last:
            return False
        try:
            state = _state(self.path)
        except ValueError:  # not at the moment
            return False
        digest = state.digest
        told, self._told, self._known = self._told, digest, settled(state.stamp)
        return digest != told

    def save(self, *, overwrite: bool = False) -> None:
        """Write the scene into its file, whole or not at all; what did not change stays as it is written there.

        Where the file has changed since it was read, that is a `Conflict`, unless it is to be overwritten.
        """
        if self.path is None:
            raise ValueError("this scene comes from no file: save it as a new one")
        if not self.saves_over:
            what = "it is an example" if self.path.suffix.lower() == SAVED else f"it is no {SAVED} file"
            raise ValueError(f"{self.path.name} cannot be saved over, as {what}: save the scene as a new file")
        state = _state(self.path)
        if not overwrite and state.digest != self._digest:
            raise self._conflict(self.path, gone=state.data is None)
        self._write(self.path)

    def _conflict(self, path: Path, *, gone: bool) -> Conflict:
        if not gone:
            return Conflict(f"{path.name} has changed on disk since it was read", OVERWRITE | READ_AGAIN | SAVE_AS)
        if is_folder(path.parent):
            return Conflict(f"{path.name} was deleted since it was read", WRITE_AGAIN | SAVE_AS)
        return Conflict(f"{path.name} was deleted since it was read, with its folder", SAVE_AS)

    def save_as(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write the scene into another file, which then is the one that it comes from."""
        name = os.fspath(path).strip()
        if not name:
            raise ValueError(f"a name of a {SAVED} file is wanted, got nothing")
        target = target_of(name, SAVED, "a scene")
        if target == self.path and self.saves_over:
            self.save(overwrite=overwrite)
            return
        with in_words(target, "written"):
            taken = target.exists()
        if taken and not overwrite:
            raise Conflict(f"there is a file {target.name} already", OVERWRITE | SAVE_AS)
        self._write(target)

    @property
    def srdf(self) -> Path | None:
        """Where poses of a robot are saved: the SRDF file that it was opened with, or one beside the model."""
        if self._document.settled_model is None or self._model is None:
            return None
        return self._wanted.srdf or (Path(self._model.name) if self._template else self._model).with_suffix(".srdf")

    def save_pose(self, name: str) -> None:
        """Write the pose of a robot under a name into its SRDF file; one that has the name already is replaced."""
        path, model, name = self.srdf, self._document.settled_model, name.strip()
        if path is None or model is None:
            raise ValueError("this scene is no robot with joints")
        if not name:
            raise ValueError("a name of a pose is wanted, got nothing")
        from collision.importers import posed_srdf

        with in_words(path, "read"):
            is_there = path.exists()
        if is_there and path != self._wanted.srdf:
            raise ValueError(f"there is a file {path.name} already: open the robot with --srdf {path.name}")
        try:
            data = posed_srdf(path if is_there else None, name, model)
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from error
        with in_words(path, "written"):
            write_bytes(path, data)
        self._wanted = self._wanted._replace(srdf=path)
        self._kept = self._document.settled
        self._document.touch()

    def revert(self) -> None:
        """Read the scene from its file again, as one step of the history."""
        path = self.path
        if path is None:
            raise ValueError("this scene comes from no file, so there is nothing to return to")
        from viewer.files.loading import read

        loaded = read(path, self._wanted)
        scene = loaded.scene
        self._document.interrupt()
        before = self._document.scene
        hidden = [name for name in self._document.hidden if name in scene]
        self._document.commit(scene.replaced(hidden=hidden), model=loaded.model)
        self._take(path, loaded.state or _state(path), over=self.saves_over)
        done = "ran the code of" if path.suffix.lower() == ".py" else "read"
        then = "it is the same scene" if self._document.scene is before else "undo brings back what was"
        self._document.say(f"{done} {path.name} again; {then}")

    def _write(self, path: Path) -> None:
        from collision.scenefile import dump_scene, tables_of, updated_text

        self._document.interrupt()
        scene = self._document.scene.replaced(hidden=())
        text = dump_scene(scene) if self._text is None else updated_text(self._text, scene, self._taken_out)
        gone = self._kept.shapes.keys() - scene.shapes.keys()
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise ValueError(
                f"{path} cannot be written: UTF-8 cannot hold a character in the scene, {character!r}"
            ) from error
        with in_words(path, "written"):
            write_bytes(path, data)
        if self._text is not None and gone:
            self._taken_out |= tables_of(self._text, gone)
        self.path, self._kept, self._text, self.saves_over = path, self._document.scene, text, True
        self._template, self._wanted = False, AS_IT_IS
        self._digest = self._told = FileState(None, data).digest
        self._known = settled(stamp_of(path))
        self._document.touch()


def _state(path: Path) -> FileState:
    with in_words(path, "read"):
        return state_of(path)
