"""Pictures of the window: where one is saved, and what it is to be like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from viewer.session.dialog import Dialog, Prompt
from viewer.session.file import OVERWRITE, SAVE_AS, File, in_words, target_of
from viewer.session.updates import Updates

#: What is asked.
TITLE = "Save a picture as"

#: The ending of pictures.
PICTURE = ".png"

#: What can be ticked for a picture, by the keys that do it with Alt.
_OPTIONS = MappingProxyType({"t": "transparent background", "p": "without panels", "d": "double size"})


class PictureWish(NamedTuple):
    """What a picture is to be like: without a background, with panels, and how many times as large as the window."""

    transparent: bool
    panels: bool
    times: int


#: Writes a picture to a file.
Take: TypeAlias = Callable[[Path, PictureWish], object]


class Photos:
    """Asks where to save a picture of what is seen, and has it taken."""

    def __init__(self, file: File, dialog: Dialog, updates: Updates) -> None:
        self._file, self._dialog, self._updates = file, dialog, updates
        self._take: Take | None = None
        #: The options as they were last time.
        self._ticked: frozenset[str] = frozenset()

    @property
    def has_window(self) -> bool:
        """Whether there is a window to take pictures of."""
        return self._take is not None

    def take_pictures(self, take: Take) -> None:
        """Have a function write pictures: it gets a path and a `PictureWish`."""
        self._take = take

    def ask_picture(self) -> None:
        """Ask for the file to save a picture in, and before anything is overwritten.

        Raises
        ------
        ValueError
            If there is no window.
        """
        if self._take is None:
            raise ValueError("there is no window to take a picture of: viewer.snapshot makes one of a session")
        stem = self._file.path.stem if self._file.path is not None else "scene"
        self._ask(stem + PICTURE)

    def _ask(self, name: str) -> None:
        prompt = Prompt(
            TITLE,
            text=name,
            cursor=len(name),
            whole=True,
            options=_OPTIONS,
            ticked=self._ticked,
            answered=self._answered,
        )
        self._dialog.ask(prompt)

    def _answered(self, name: str) -> None:
        self._ticked = self._dialog.ticked
        if not name.strip():
            raise ValueError(f"a name of a {PICTURE} file is wanted, got nothing")
        target = target_of(name.strip(), PICTURE, "pictures")
        with in_words(target, "written"):
            taken = target.exists()
        if not taken:
            self._save(target)
            return

        def decided(key: str) -> None:
            if key == "o":
                self._save(target)
            else:
                self._ask(name)

        self._dialog.ask_choice(f"there is a file {target.name} already", decided, OVERWRITE | SAVE_AS)

    def _save(self, target: Path) -> None:
        ticked = self._ticked
        if self._take is not None:
            with in_words(target, "written"):
                self._take(target, PictureWish("t" in ticked, "p" not in ticked, 2 if "d" in ticked else 1))
        self._updates.say(f"saved {target.name}")
