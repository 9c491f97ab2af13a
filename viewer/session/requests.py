"""What a session asks of the window that shows it, as data: the window does it, and says what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, TypeAlias

from viewer.files.loading import Loaded


class SavePicture(NamedTuple):
    """A picture is to be written: without a background, with panels, and how many times as large as the window."""

    path: Path
    transparent: bool
    panels: bool
    times: int


class SharePage(NamedTuple):
    """The scene is to be written as a page, as it is and as it is seen."""

    path: Path


class CopyText(NamedTuple):
    """A text is to be copied."""

    text: str


class OpenScene(NamedTuple):
    """Another scene is to be shown: that of a file, which may be an example, or a new one."""

    loaded: Loaded | None
    is_example: bool = False


Request: TypeAlias = SavePicture | SharePage | CopyText | OpenScene
