"""The examples: found once, for the command line, the gallery and the tests alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.files.places import THUMBNAILS, described, example_files, lesson_files

if TYPE_CHECKING:
    from collision import Scene


@dataclass(frozen=True)
class Example:
    """A scene to look at: its name, its file, what it is called and what it teaches."""

    name: str
    path: Path
    title: str
    caption: str

    @property
    def thumbnail(self) -> Path:
        """A small picture of it, which is there unless the examples were copied without their pictures."""
        return self.path.parent / "pictures" / THUMBNAILS / f"{self.path.stem}.png"

    @property
    def lacks(self) -> str:
        """The package that it takes and that is not installed; nothing where it has all that it shows."""
        takes = self.path.suffix == ".xml" or "import mujoco" in self.path.read_text(encoding="utf-8")
        return "mujoco" if takes and find_spec("mujoco") is None else ""

    def scene(self) -> Scene:
        """Return the scene, as `viewer.load` reads it from the file."""
        from viewer.files.loading import load

        return load(self.path)


def find_examples(folder: Path | None = None) -> list[Example]:
    """Return the examples in the order of their names. No example is run for it.

    Parameters
    ----------
    folder : Path, optional
        Where to look; by default where the package has them.

    Raises
    ------
    FileNotFoundError
        If there are none there.

    Examples
    --------
    >>> "knot" in [example.name for example in find_examples()]
    True
    """
    return [_read(path) for path in example_files(folder)]


def find_lessons() -> list[Example]:
    """Return the lessons in the order in which they are best learned. None is run for it."""
    return [replace(_read(path), name=f"lessons/{path.stem}") for path in lesson_files()]


def _read(path: Path) -> Example:
    if path.suffix == ".toml":
        from collision.scenefile import load_scene

        scene = load_scene(path)
        return Example(path.stem, path, scene.title, scene.caption)
    if path.suffix == ".xml":  # a robot model: read here without MuJoCo
        from xml.etree import ElementTree

        root = ElementTree.parse(path).getroot()
        caption = root.find("custom/text[@name='caption']")
        return Example(
            path.stem, path, root.get("model", path.stem), "" if caption is None else caption.get("data", "")
        )
    return Example(path.stem, path, *described(path))
