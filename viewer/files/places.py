"""Where the examples and the lessons lie, and what their files say of themselves; none of them is run for it."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

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


def example_files(folder: Path | None = None) -> list[Path]:
    """Return the files of the examples, in the order of their names, without a look into any of them."""
    folders = FOLDERS if folder is None else (folder,)
    for place in folders:
        paths = [path for suffix in ("py", "toml", "xml") for path in place.glob(f"[!_]*.{suffix}")]
        if paths:
            return sorted(paths, key=lambda path: (path.stem, path.suffix))
    raise FileNotFoundError(f"no examples in {' or '.join(map(str, folders))}")


def lesson_files() -> list[Path]:
    """Return the files of the lessons, in the order of the page that lists them."""
    folder = next((place / "lessons" for place in FOLDERS if (place / "lessons").is_dir()), None)
    return [] if folder is None else [folder / f"{name}.py" for name in LESSONS]


def thumbnail_of(name: str) -> Path:
    """Return where the small picture of an example is, or of a lesson: ``lessons/`` and its name."""
    folder, _, stem = name.rpartition("/")
    places = [place / folder / "pictures" / THUMBNAILS / f"{stem}.png" for place in FOLDERS]
    return next((place for place in places if place.exists()), places[-1])


def described(path: Path) -> tuple[str, str]:
    """Return the title and the caption of a scene in Python, from the docstring of its file."""
    return title_and_caption(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def title_and_caption(docstring: str | None) -> tuple[str, str]:
    """Split a module's docstring: the first line is the title, the paragraph after it the caption."""
    paragraphs = inspect.cleandoc(docstring or "").split("\n\n")
    title = paragraphs[0].replace("\n", " ").removesuffix(".")
    return title, " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""
