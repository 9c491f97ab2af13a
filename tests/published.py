"""Whether the published pictures are those that are drawn today: ``python -m tests.published``.

Pictures are equal to the last bit wherever the same versions draw them; ``examples/pictures/drawn_with.json`` names the
versions. With others they may differ at the edges of shapes and letters, not in what is seen. With ``--renew`` all are
made anew, and that file with them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageSequence

from viewer.stage.gl import probe

EXAMPLES = Path(__file__).parent.parent / "examples"

#: What makes the pictures of a folder, and that folder.
MAKERS = {EXAMPLES / "_gallery.py": EXAMPLES / "pictures", EXAMPLES / "lessons" / "_build.py": EXAMPLES / "lessons"}

#: Says which versions drew the pictures.
DRAWN_WITH = EXAMPLES / "pictures" / "drawn_with.json"

#: The packages that decide what a picture looks like.
PACKAGES = ("vtk", "pyvista", "numpy", "pillow", "matplotlib")

#: Where other versions drew a picture, this part of its pixels may differ, as edges do, by more than so much of 255.
#: The dark and the bright stripes of a hatching differ by more.
EDGES, CLEAR = 0.005, 24

#: The endings of pictures.
ENDINGS = (".png", ".webp")


def drawn_with() -> dict[str, str]:
    """Return the versions of all that draws on this machine."""
    return {**{name: version(name) for name in PACKAGES}, "OpenGL": probe().renderer}


def stale(made: Path, kept: Path, *, exact: bool) -> Iterator[str]:
    """Yield a line for each picture in a folder that is missing from another, or is another one there.

    Parameters
    ----------
    made : Path
        The folder of what was made just now.
    kept : Path
        That of what is published.
    exact : bool
        Whether the same versions drew both.
    """
    for path in sorted(path for path in made.rglob("*") if path.suffix in ENDINGS):
        published = kept / path.relative_to(made)
        problem = _difference(path, published, exact=exact) if published.exists() else "it is not published"
        if problem:
            yield f"{published.relative_to(EXAMPLES.parent)}: {problem}"


def _difference(made: Path, kept: Path, *, exact: bool) -> str:
    """Say how a picture, or a frame of a film, differs from the one that is published; nothing where none does."""
    new, old = _frames(made), _frames(kept)
    if [frame.shape for frame in new] != [frame.shape for frame in old]:
        return f"it has {len(new)} frames of {new[0].shape}, the published one has {len(old)} of {old[0].shape}"
    for a, b in zip(old, new, strict=True):
        off = np.abs(a.astype(int) - b).max(axis=2) > (0 if exact else CLEAR)
        if off.mean() > (0.0 if exact else EDGES):
            rows, columns = np.nonzero(off)
            return f"{len(rows)} pixels differ, from ({columns.min()}, {rows.min()}) to ({columns.max()}, {rows.max()})"
    return ""


def _frames(path: Path) -> list[npt.NDArray[np.uint8]]:
    with Image.open(path) as film:
        return [np.asarray(frame.convert("RGBA")) for frame in ImageSequence.Iterator(film)]


def main(*, renew: bool) -> int:
    """Make all pictures, and compare them with those that are published, or take their place."""
    with TemporaryDirectory() as folder:
        made = {maker: kept if renew else Path(folder, maker.stem) for maker, kept in MAKERS.items()}
        makers = [subprocess.Popen([sys.executable, str(maker), str(into)]) for maker, into in made.items()]
        if max(maker.wait() for maker in makers):
            return 1
        if renew:
            DRAWN_WITH.write_text(json.dumps(drawn_with(), indent=2) + "\n", encoding="utf-8")
            return 0
        exact = json.loads(DRAWN_WITH.read_text(encoding="utf-8")) == drawn_with()
        problems = [line for maker, kept in MAKERS.items() for line in stale(made[maker], kept, exact=exact)]
    count = len([path for kept in MAKERS.values() for path in kept.rglob("*") if path.suffix in ENDINGS])
    print(*problems, sep="\n", end="\n" * bool(problems))
    drawn = "the same versions drew" if exact else "other versions drew"
    print(f"{len(problems)} of {count} published pictures are stale; {drawn} them")
    if problems:
        print("look at the change; `python -m tests.published --renew` makes them anew")
    return int(bool(problems))


if __name__ == "__main__":
    parser = ArgumentParser(description="Compare the published pictures with those that are drawn today.")
    parser.add_argument("--renew", action="store_true", help="make them anew")
    sys.exit(main(renew=parser.parse_args().renew))
