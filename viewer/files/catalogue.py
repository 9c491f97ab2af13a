"""The examples: found once, for the command line, the gallery and the tests alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collision import Scene

_VIEWER = Path(__file__).resolve().parent.parent

#: Where the examples lie: inside the package when it is installed, beside it in a checkout.
FOLDERS = (_VIEWER / "examples", _VIEWER.parent / "examples")

#: The folder of the small pictures in that of the pictures, and their size in pixels.
THUMBNAILS, THUMBNAIL = "small", (288, 192)


#: The lessons, in the order in which a newcomer walks them.
LESSONS = (
    *("circle_segment", "boxes_spheres", "line_circle", "sphere_line", "two_segments"),
    *("capsule_space", "segment_box", "two_boxes", "moving_ball", "broad_phase"),
)


def thumbnail_of(name: str) -> Path:
    """Return where the small picture of an example is, or of a lesson: ``lessons/`` and its name."""
    folder, _, stem = name.rpartition("/")
    places = [place / folder / "pictures" / THUMBNAILS / f"{stem}.png" for place in FOLDERS]
    return next((place for place in places if place.exists()), places[-1])


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
        """The package that it takes and that is not installed; nothing where it can be seen."""
        return "mujoco" if self.path.suffix == ".xml" and find_spec("mujoco") is None else ""

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


def example_files(folder: Path | None = None) -> list[Path]:
    """Return the files of the examples, in the order of their names, without a look into any of them."""
    folders = FOLDERS if folder is None else (folder,)
    for place in folders:
        paths = [path for suffix in ("py", "toml", "xml") for path in place.glob(f"[!_]*.{suffix}")]
        if paths:
            return sorted(paths, key=lambda path: (path.stem, path.suffix))
    raise FileNotFoundError(f"no examples in {' or '.join(map(str, folders))}")


def find_lessons() -> list[Example]:
    """Return the lessons in the order in which they are best learned. None is run for it."""
    return [replace(_read(path), name=f"lessons/{path.stem}") for path in lesson_files()]


def lesson_files() -> list[Path]:
    """Return the files of the lessons, in the order of the page that lists them."""
    folder = next((place / "lessons" for place in FOLDERS if (place / "lessons").is_dir()), None)
    return [] if folder is None else [folder / f"{name}.py" for name in LESSONS]


def title_and_caption(docstring: str | None) -> tuple[str, str]:
    """Split a module's docstring: the first line is the title, the paragraph after it the caption."""
    import inspect

    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    title = paragraphs[0].replace("\n", " ").removesuffix(".")
    return title, " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""


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
    import ast

    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"), str(path)))
    return Example(path.stem, path, *title_and_caption(docstring))
