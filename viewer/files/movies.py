"""Frames that become one file, or a file each: GIF, WebP, animated PNG, numbered PNGs, and MP4.

Frames are packed, without loss, until there are all; only then is anything written, whole or not at all.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from numbers import Real
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.inner import write_bytes
from viewer.files.paths import checked_path

if TYPE_CHECKING:
    from PIL import Image as Pillow

Image: TypeAlias = npt.NDArray[np.uint8]

#: What Pillow calls the animations that it writes, by suffix.
ANIMATIONS: Mapping[str, str] = {".gif": "GIF", ".webp": "WEBP", ".apng": "PNG", ".png": "PNG"}

#: Those of them that can leave their background out.
TRANSPARENT = (".webp", ".apng", ".png")

#: How long a frame of a GIF can be shown, in seconds: players make a tenth of less, and the file holds little more.
GIF_SECONDS = (0.02, 600.0)

#: From so many frames the colors of a GIF are chosen.
_SAMPLES = 6

_NUMBER = re.compile(r"#+")


def names_of(files: Sequence[Path]) -> str:
    """Say which files were written: the only one, or how many, with the first and the last."""
    return str(files[0]) if len(files) == 1 else f"{len(files)} files: {files[0]} to {files[-1]}"


class Movie:
    """Frames on their way to a file.

    Those of a GIF are shown for hundredths of a second, some for one more, so that none is off by more than half of
    one.
    """

    def __init__(self, path: str | PathLike[str], fps: float) -> None:
        self.path = checked_path(path, (*ANIMATIONS, ".mp4"), "an animation")
        suffix = self.path.suffix.lower()
        if "#" in self.path.name and suffix != ".png":
            raise ValueError(f"{path}: numbered files, with a # for each digit, are .png files, got {suffix}")
        check_fps(self.path, fps)
        if suffix == ".mp4" and not (find_spec("imageio") and find_spec("imageio_ffmpeg")):
            raise ValueError(
                f'{self.path}: an .mp4 file needs imageio, which `pip install ".[movies]"` in the checkout '
                f'installs (or `pip install "imageio[ffmpeg]"`); .gif, .webp and .png files need nothing more'
            )
        self.fps = fps
        self._frames: list[bytes] = []

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, image: Image) -> None:
        """Take a frame (height, width, 3), or of four channels where it is transparent."""
        self._frames.append(png(image, quick=True))

    def write(self) -> None:
        """Write what there is to write, whole or not at all."""
        if not self._frames:
            raise ValueError(f"{self.path}: there is no scene to make an animation of")
        if "#" in self.path.name:
            self._write_numbered()
        elif self.path.suffix.lower() == ".mp4":
            self._write_film()
        else:
            write_bytes(self.path, self._animation(ANIMATIONS[self.path.suffix.lower()]))

    def numbered(self, number: int) -> Path:
        """Return the path of one of the files, counted from one."""
        name = _NUMBER.sub(lambda signs: f"{number:0{len(signs[0])}d}", self.path.name, count=1)
        return self.path.with_name(name)

    @property
    def files(self) -> list[Path]:
        """What is written: the file, or numbered ones in their order."""
        return [self.numbered(number) for number in range(1, len(self) + 1)] if "#" in self.path.name else [self.path]

    def _write_numbered(self) -> None:
        # All are there before the first takes the place of an old one.
        with tempfile.TemporaryDirectory(dir=self.path.parent, prefix=".frames-") as folder:
            fresh = [Path(folder, f"{number}.png") for number in range(len(self))]
            for path, image in zip(fresh, self._images(), strict=True):
                path.write_bytes(png(np.asarray(image)))
            for number, path in enumerate(fresh, start=1):
                path.replace(self.numbered(number))

    def _write_film(self) -> None:
        from imageio import v2

        with tempfile.TemporaryDirectory() as folder:
            film = Path(folder, "film.mp4")
            options: dict[str, Any] = {
                "codec": "libx264",
                "quality": 8,
                "macro_block_size": 1,
                "pixelformat": "yuv420p",
            }
            writer: Any
            with v2.get_writer(film, format="FFMPEG", fps=self.fps, **options) as writer:
                for image in self._images():
                    frame = np.asarray(image)
                    writer.append_data(frame[: frame.shape[0] // 2 * 2, : frame.shape[1] // 2 * 2])  # even sides
            write_bytes(self.path, film.read_bytes())

    def _animation(self, file_format: str) -> bytes:
        palette: Pillow.Image | None = None
        options: dict[str, Any] = {}
        if file_format == "GIF":
            # One palette for all frames, from some of them: colours that change from frame to frame would flicker.
            some = self._frames[:: max(len(self) // _SAMPLES, 1)]
            joint = _pillow().fromarray(np.concatenate([np.asarray(_opened(frame)) for frame in some]))
            palette = joint.quantize(256, method=_pillow().Quantize.MEDIANCUT)
        elif file_format == "WEBP":
            options["lossless"] = True
        frames = _Unpacked(self._frames, palette)
        if len(self) > 1:
            durations = _durations(len(self), self.fps, file_format)
            options |= {"save_all": True, "append_images": frames.rest(), "duration": durations, "loop": 0}
        buffer = BytesIO()
        next(iter(frames)).save(buffer, format=file_format, **options)
        return buffer.getvalue()

    def _images(self) -> Iterator[Pillow.Image]:
        return map(_opened, self._frames)


class _Unpacked:
    """Frames that are unpacked one by one, whenever they are gone through: Pillow does so more than once."""

    def __init__(self, frames: list[bytes], palette: Pillow.Image | None = None) -> None:
        self._frames, self._palette = frames, palette

    def rest(self) -> _Unpacked:
        """Return all frames but the first."""
        return _Unpacked(self._frames[1:], self._palette)

    def __iter__(self) -> Iterator[Pillow.Image]:
        for frame in self._frames:
            image = _opened(frame)
            if self._palette is None:
                yield image
            else:
                yield image.quantize(palette=self._palette, dither=_pillow().Dither.NONE)


def _durations(count: int, fps: float, file_format: str) -> list[float]:
    """Return the milliseconds of each frame: where a file knows whole units only, they are spread over the frames."""
    if file_format == "PNG":
        return [round(1000.0 / fps, 3)] * count
    unit = 10 if file_format == "GIF" else 1
    ends = [round(1000.0 * number / (fps * unit)) for number in range(count + 1)]
    return [float(unit * (stop - start)) for start, stop in pairwise(ends)]


def _opened(frame: bytes) -> Pillow.Image:
    image: Pillow.Image = _pillow().open(BytesIO(frame))
    image.load()
    return image


def _pillow() -> ModuleType:
    """Return Pillow, imported when a picture is made and not before."""
    from PIL import Image

    return Image


def png(image: Image, *, quick: bool = False) -> bytes:
    """Return a picture (height, width, 3 or 4) as a PNG file; quickly, it is a little larger."""
    buffer = BytesIO()
    _pillow().fromarray(image).save(buffer, format="PNG", compress_level=1 if quick else 6)
    return buffer.getvalue()


def check_fps(path: Path, fps: float) -> None:
    """Refuse so many frames a second as no file of this kind is shown with."""
    if not isinstance(fps, Real):
        raise TypeError(f"fps must be a number, got {fps!r}")
    if not 0.0 < fps <= 1000.0:
        raise ValueError(f"fps must be above 0 and at most 1000, got {fps:g}")
    least, most = (1.0 / seconds for seconds in reversed(GIF_SECONDS))
    if path.suffix.lower() == ".gif" and fps > most:
        raise ValueError(
            f"fps must be at most {most:g} for a .gif file, got {fps:g}: players show none of its frames for less "
            f"than {GIF_SECONDS[0]:g} s; .webp, .apng and .mp4 files can have more"
        )
    if path.suffix.lower() == ".gif" and fps < least:
        raise ValueError(f"fps must be at least 1/{GIF_SECONDS[1]:g} for a .gif file, got {fps:g}")
