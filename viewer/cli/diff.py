"""The command that compares two pictures."""

from __future__ import annotations

from pathlib import Path

from viewer.cli.errors import ExitCode, MistakeError, mistakes
from viewer.cli.options import OutputOption, WholeNumber, check_output, writing
from viewer.records.words import counted


def diff(
    a: Path,
    b: Path,
    /,
    *,
    output: OutputOption = None,
    max_pixels: WholeNumber = 0,
    threshold: float = 0.2,
) -> ExitCode:
    """Compare two pictures as an eye does: edges that two renderers smooth otherwise are the same.

    The exit code is 10 if they differ. A square of 3 x 3 pixels that is of a clearly other colour always counts,
    whatever --max-pixels allows.

    Parameters
    ----------
    a
        The expected picture.
    b
        The picture to compare with it, of the same size.
    output
        A picture to write, .png: the first one, faded, with the differing pixels in red.
    max_pixels
        So many pixels may differ.
    threshold
        Which part of the largest distance between two colours does not count, from 0 to 1.
    """
    from collision.inner import write_bytes
    from viewer.files.differences import compare_pictures, read_picture, where
    from viewer.files.movies import png

    if max_pixels < 0:
        raise MistakeError(f"--max-pixels must be zero or more, got {max_pixels}")
    if not 0.0 <= threshold <= 1.0:
        raise MistakeError(f"--threshold must be from 0 to 1, got {threshold:g}")
    if output is not None:
        check_output(output, ".png")
    with mistakes():
        found = compare_pictures(read_picture(a), read_picture(b), threshold=threshold)
    if output is not None:
        with writing(output):
            write_bytes(output, png(found.image))
    allowed = f", {max_pixels:,} allowed" if max_pixels else ""
    print(f"{counted(found.count, 'pixel')} differ{'s' if found.count == 1 else ''}{allowed}")
    for line in where(found):
        print(f"  {line}")
    if found.area and found.count <= max_pixels:
        print(f"  not only edges: {len(found.clusters)} of these hold a square of 3x3 pixels of another colour")
    if output is not None:
        print(output)
    return ExitCode.FINE if found.within(max_pixels) else ExitCode.BROKEN
