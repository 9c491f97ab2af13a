"""Two pictures compared: what ``collision-viewer diff`` says and writes."""

from __future__ import annotations

from pathlib import Path

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import check_output, writing
from viewer.records.words import counted


def compared(a: Path, b: Path, *, output: Path | None, most: int, threshold: float) -> ExitCode:
    """Print how two pictures differ, and write the picture of it.

    Parameters
    ----------
    a, b : Path
        The two pictures.
    output : Path, optional
        The picture to write.
    most : int
        So many pixels may differ.
    threshold : float
        See `viewer.files.differences.compare_pictures`.
    """
    from collision.inner import write_bytes
    from viewer.files.differences import compare_pictures, read_picture, where
    from viewer.files.movies import png

    if most < 0:
        raise MistakeError(f"--max-pixels must be zero or more, got {most}")
    if output is not None:
        check_output(output, ".png")
    try:
        found = compare_pictures(read_picture(a), read_picture(b), threshold=threshold)
    except ValueError as error:
        text = str(error)
        raise MistakeError(f"--{text}" if text.startswith("threshold") else text) from error
    if output is not None:
        with writing(output):
            write_bytes(output, png(found.image))
    allowed = f", {most:,} allowed" if most else ""
    print(f"{counted(found.count, 'pixel')} differ{'s' if found.count == 1 else ''}{allowed}")
    for line in where(found):
        print(f"  {line}")
    if found.area and found.count <= most:
        print(f"  not only edges: {len(found.clusters)} of these hold a square of 3x3 pixels of another colour")
    if output is not None:
        print(output)
    return ExitCode.FINE if found.within(most) else ExitCode.BROKEN
