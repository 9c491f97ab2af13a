"""Keep the pictures of tests that fail, where they can be looked at: ``failed-pictures`` in this folder, or in CI."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType

import numpy as np
from PIL import Image

#: Files that are pictures, as tests write them.
ENDINGS = {".png", ".gif", ".webp"}

#: A longer side than this is no picture's.
LARGEST = 8192


def keep(folder: Path, test: str, trace: TracebackType | None, written: Path | None) -> list[Path]:
    """Keep all pictures that a failed test had in its variables, and those that it wrote.

    Parameters
    ----------
    folder : Path
        Where to.
    test : str
        The name of the test, which the files are named after.
    trace : traceback, optional
        Where the test failed.
    written : Path, optional
        The folder that the test wrote to.
    """
    place = folder / re.sub(r"[^\w.-]+", "_", test.removeprefix("tests/"))[:120]
    kept = []
    for name, image in _images(trace):
        place.mkdir(parents=True, exist_ok=True)
        kept.append(place / f"{name}.png")
        Image.fromarray(image).save(kept[-1])
    for path in sorted(written.rglob("*")) if written is not None and written.is_dir() else ():
        if path.suffix in ENDINGS and path.is_file():
            place.mkdir(parents=True, exist_ok=True)
            kept.append(place / path.name)
            shutil.copyfile(path, kept[-1])
    return kept


def _images(trace: TracebackType | None) -> Iterator[tuple[str, np.ndarray]]:
    while trace is not None:
        variables: Mapping[str, object] = trace.tb_frame.f_locals
        for name, value in list(variables.items()):
            if isinstance(value, np.ndarray) and value.dtype == np.uint8 and value.ndim == 3:
                height, width, channels = value.shape
                if channels in (3, 4) and 8 <= height <= LARGEST and 8 <= width <= LARGEST:
                    yield name, np.ascontiguousarray(value)
        trace = trace.tb_next
