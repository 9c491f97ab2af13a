"""The arguments that commands have in common: what help says of them, how they are read, and what they must be."""

from __future__ import annotations

import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cyclopts import ArgumentCollection, Parameter, Token, UnknownOptionError

from viewer.cli.errors import EndedError, MistakeError, mistakes
from viewer.cli.output import compile_notice
from viewer.files import STDIN
from viewer.records.sizes import DEFAULT, LARGEST, SMALLEST, checked_size

if TYPE_CHECKING:
    from collision import Scene
    from collision.importers import Skipped
    from viewer.files.loading import Loaded, ModelOptions
    from viewer.studio.options import PictureKeywords


class Size(NamedTuple):
    """Width and height of a picture in pixels."""

    width: int
    height: int


#: So many pairs are listed, where it is not said how many: more are for programs, which can ask for them.
MAX_PAIRS = 1000

#: So many shapes of a scene are named at most.
_LISTED = 8

DEFAULT_SIZE, MOVIE_SIZE = Size(*DEFAULT), Size(800, 600)


def read_by(read: Callable[[str], object], **more: Any) -> Parameter:
    """Return an argument of one word that a function reads; a ValueError of it says what the word must be."""
    return Parameter(
        converter=lambda _type, tokens: read(tokens[0].value),
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        **more,
    )


def number(kind: type[float | int], words: str, fits: Callable[[float], bool]) -> Parameter:
    """Return an argument that is a number; nothing is rounded, as cyclopts would take 1.5 for 2."""

    def read(text: str) -> float:
        try:
            found = kind(text)
        except ValueError:
            found = math.nan
        if not fits(found):
            raise ValueError(f"must be {words}, got {text!r}")
        return found

    return read_by(read)


def _read_size(text: str) -> Size:
    sides = text.lower().replace("×", "x").split("x")
    wanted = f"must be WIDTHxHEIGHT in pixels, such as 1280x960, got {text!r}"
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() for side in sides):
        raise ValueError(wanted)
    try:
        return Size(*checked_size([int(side) for side in sides]))
    except ValueError:
        raise ValueError(f"{wanted}; each side must be from {SMALLEST} to {LARGEST}") from None


class During(NamedTuple):
    """A part of a motion, in seconds: all of it, where neither end is given."""

    start: float | None = None
    stop: float | None = None

    def __str__(self) -> str:
        return ":".join("" if time is None else f"{time:g}" for time in self)


def _read_during(text: str) -> During:
    start, colon, stop = ("", ":", "") if text == "all" else text.partition(":")
    try:
        if not colon:
            raise ValueError
        return During(*(float(end) if end else None for end in (start, stop)))
    except ValueError:
        raise ValueError(f"must be START:STOP in seconds, such as 3:4.5, 3: or :4.5, or all, got {text!r}") from None


def read_word(text: str) -> str:
    """Return the name of a scene; refuse a word that was meant as an option."""
    if not text:
        raise ValueError("must be a file or the name of an example, got an empty name")
    if text.startswith("-") and text != "-":
        raise UnknownOptionError(token=Token(keyword=text), argument_collection=ArgumentCollection())
    return text


_SCENE = read_by(
    lambda text: Path(STDIN if read_word(text) == "-" else text),
    help="A .toml scene, a .py file with scene(), which is run, an .xml or .urdf model, or the name of an example; - "
    "stands for a .toml scene on stdin.",
)
ScenePath = Annotated[Path, _SCENE]
OptionalScene = Annotated[Path | None, _SCENE]
SizeOption = Annotated[
    Size,
    read_by(
        _read_size,
        show_default=lambda size: f"{size.width}x{size.height}",
        help="Width and height in pixels.",
    ),
]
OptionalSize = Annotated[
    Size | None,
    read_by(_read_size, help="Width and height in pixels; by default 1280x960, of an animation 800x600."),
]
DuringOption = Annotated[During | None, read_by(_read_during)]
Margin = Annotated[float, number(float, "a finite number, zero or more", lambda found: 0.0 <= found < math.inf)]
Seconds = Annotated[float, number(float, "a number of seconds above 0", lambda found: found > 0.0)]
WholeNumber = Annotated[int, number(int, "a whole number, zero or more", lambda found: found >= 0)]
Count = Annotated[int, number(int, "a whole number, 1 or more", lambda found: found >= 1)]
ViewOption = Annotated[
    Literal["iso", "x", "y", "z", "-x", "-y", "-z"] | None,
    Parameter(
        allow_leading_hyphen=True,
        help="Where to look from; by default where the scene's own camera stands, or else iso.",
    ),
]
ThemeOption = Annotated[
    Literal["light", "dark", "colour-blind", "colour-blind-dark"],
    Parameter(help="The colours; the colour-blind ones differ for every kind of colour vision."),
]
ScaleOption = Annotated[float, Parameter(help="How many times as large as usual all text is, from 0.5 to 4.")]
FormatOption = Annotated[
    Literal["text", "json"],
    Parameter(help="The form of what is written to stdout: text for people, or json, and nothing else, for programs."),
]
OutputOption = Annotated[Path | None, Parameter(name=("--output", "-o"))]
FileOption = Annotated[Path | None, Parameter(negative=())]
Patterns = Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)]
PackageOption = Annotated[
    Patterns, Parameter(help="The folder of package://NAME in URDF, as NAME=FOLDER; for several, repeat the option.")
]
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Name = Annotated[str, Parameter(show_default=False)]
QuietFlag = Annotated[
    Flag,
    Parameter(
        name=("--quiet", "-q"), help="Print no answer and no progress, only mistakes and the names of files written."
    ),
]


#: This variable has all drawn as plain meshes, for graphics drivers that cannot draw the quick way.
_DRAW, _MESHES = "COLLISION_DRAW", "meshes"


@Parameter(name="*")
@dataclass(frozen=True)
class PictureFlags:
    """The options that pictures and animations have in common, but for their size."""

    view: ViewOption = None
    theme: ThemeOption = "light"
    parallel: Annotated[Flag, Parameter(help="See it in a parallel projection, without perspective.")] = False
    no_panels: Annotated[
        Flag,
        Parameter(help="Leave out the texts around the picture: table, legend, caption, and the strip of the time."),
    ] = False
    scale: ScaleOption = 1.0
    transparent: Annotated[
        Flag, Parameter(help="Leave the background out: in .png files, and in .apng and .webp animations.")
    ] = False

    def keywords(self, size: Size, focus: tuple[str, str] | None = None) -> PictureKeywords:
        """Return what a picture of a scene, or of two shapes in it, is to be like.

        Raises
        ------
        MistakeError
            If it cannot be like this.
        """
        from viewer.studio.options import PictureKeywords, PictureOptions

        draw = os.environ.get(_DRAW, "")
        if draw not in ("", _MESHES):
            raise MistakeError(f"{_DRAW} must be {_MESHES}, or not set, got {draw!r}")
        wanted = PictureKeywords(
            size=size,
            view=self.view,
            theme=self.theme,
            mesh=draw == _MESHES,
            transparent=self.transparent,
            panels=not self.no_panels,
            parallel=self.parallel,
            scale=self.scale,
            focus=focus,
        )
        with mistakes("--"):
            PictureOptions(**wanted)
        return wanted


PLAIN = PictureFlags()


def _named_value(text: str) -> tuple[str, float]:
    """Read the value of a joint: radians or lengths as they are, degrees with deg behind."""
    name, mark, value = text.rpartition("=")
    try:
        number = float(value.removesuffix("deg"))
        if not (name and mark and math.isfinite(number)) or "_" in value:
            raise ValueError
    except ValueError:
        raise MistakeError(f"--joint must be NAME=VALUE, such as elbow=0.5 or elbow=30deg, got {text!r}") from None
    return name, math.radians(number) if value.endswith("deg") else number


def package_of(text: str) -> tuple[str, Path]:
    """Return the name and the folder of --package; refuse what has not both."""
    name, _, folder = text.partition("=")
    if not (name and folder):
        raise MistakeError(f"--package must be NAME=FOLDER, got {text!r}")
    return name, Path(folder)


@Parameter(name="*")
@dataclass(frozen=True)
class ModelFlags:
    """The options that commands have in common for robot models."""

    joint: Annotated[
        Patterns,
        Parameter(
            help="The value of a joint, as elbow=0.5 (radians, or scene units) or elbow=30deg; for several joints, "
            "repeat the option."
        ),
    ] = ()
    pose: Annotated[Name, Parameter(help="A pose by its name: of the SRDF file, or a keyframe of MJCF.")] = ""
    trajectory: Annotated[
        FileOption,
        Parameter(
            help="Move the joints over time: a .csv file with the columns time and names of joints, or an .npz file "
            "with arrays of these names."
        ),
    ] = None
    srdf: Annotated[
        FileOption, Parameter(help="The SRDF file of the model: pairs that are not compared, and poses with names.")
    ] = None
    package: PackageOption = ()

    def options(self) -> ModelOptions:
        """Return what is wanted of the model; a `MistakeError` says which option cannot be understood."""
        from viewer.files.loading import ModelOptions

        joints, packages = tuple(map(_named_value, self.joint)), tuple(map(package_of, self.package))
        return ModelOptions(joints, self.pose, self.trajectory, self.srdf, packages)


@Parameter(name="*")
@dataclass(frozen=True)
class SeenModelFlags(ModelFlags):
    """The options for robot models of commands that draw them."""

    visual: Annotated[
        Flag,
        Parameter(help="Show the visual shapes of links, too, as pale ghosts: nothing is compared with them."),
    ] = False

    def options(self) -> ModelOptions:
        """Return what is wanted of the model, and if its visual shapes are."""
        return super().options()._replace(visual=self.visual)


UNCHANGED, SEEN = ModelFlags(), SeenModelFlags()


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """Say what of a foreign model was left out, a line for each reason.

    Examples
    --------
    >>> from collision.importers import Skipped
    >>> skipped_lines([Skipped("floor", "plane", "it is infinite"), Skipped("sky", "plane", "it is infinite")])
    ['left out: floor, sky (plane): it is infinite']
    """
    reasons: dict[tuple[str, str], list[str]] = {}
    for part in skipped:
        reasons.setdefault((part.kind, part.reason), []).append(part.name)
    return [f"left out: {', '.join(names)} ({kind}): {reason}" for (kind, reason), names in reasons.items()]


def default_output(loaded: Loaded, suffix: str) -> Path:
    """Return the file that is written where none is named: as the scene is called, in this folder."""
    if is_stdin(loaded.path):
        raise MistakeError(f"a scene on stdin has no name to give to a picture: expected --output FILE{suffix}")
    return Path(loaded.path.with_suffix(suffix).name)


def named(path: Path | str) -> str:
    """Return a path as a message names it."""
    from collision.inner import shown_path  # which takes longer to import than most words to be read

    return shown_path(path)


def numbered(path: Path, each: str) -> Path:
    """Return the name of numbered pictures with a # for each digit, where a %d or %04d stands for them."""
    found = re.findall(r"%0?(\d*)d", path.name)  # as in names that programs in C make
    if not found:
        return path
    if len(found) > 1:
        raise MistakeError(f"{named(path)}: expected one %d for the number of a {each}, got {len(found)}")
    return path.with_name(re.sub(r"%\d*d", "#" * max(int(found[0] or 1), 1), path.name))


def check_output(path: Path, what: str, *endings: str) -> None:
    """Refuse an output file before any work is done for it."""
    from viewer.files.paths import checked_path

    with mistakes():
        checked_path(path, endings, what)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in words that a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise MistakeError(f"{named(path)}: cannot be written: {(error.strerror or str(error)).lower()}") from error


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """Have SIGTERM end what is done as Ctrl-C does, so that nothing half done stays behind."""

    def end(number: int, _: object) -> None:
        raise EndedError(number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def is_stdin(scene: Path) -> bool:
    """Say whether a scene is not in a file, but on stdin."""
    return scene == Path(STDIN)


def stdin_bytes() -> bytes:
    """Return what is on stdin, to its end."""
    if sys.stdin is None:
        raise MistakeError("- is a scene on stdin, and stdin is closed")
    stream = sys.stdin.buffer
    try:
        if os.name == "posix" and isinstance(stream, BufferedReader):
            # Another program that has the same pipe may have it not wait: what has come so far would be taken for all.
            os.set_blocking(stream.fileno(), True)
        text = stream.read()
    except OSError as error:
        raise MistakeError(
            f"- is a scene on stdin, which cannot be read: {(error.strerror or str(error)).lower()}"
        ) from error
    if not text.strip():
        raise MistakeError("- is a scene on stdin, and nothing came: expected the text of a scene file")
    return text


def read_scene(path: Path, model: ModelFlags | None = None, *, quiet: bool = False) -> Loaded:
    """Return the scene of a file or on stdin, and say on stderr what was left out of it."""
    from viewer.files.loading import AS_IT_IS, read, read_text

    with compile_notice():  # a scene in Python may ask queries
        wanted = (model or UNCHANGED).options()
        if is_stdin(path) and wanted != AS_IT_IS:
            raise MistakeError("options of robot models need a file, and - is a scene on stdin")
        loaded = read_text(stdin_bytes(), STDIN) if is_stdin(path) else read(path, wanted)
    if (loaded.skipped or loaded.notes) and not quiet:
        for line in (*skipped_lines(loaded.skipped), *loaded.notes):
            print(f"{loaded.path.name}: {line}", file=sys.stderr)
    return loaded


@contextmanager
def sized(path: Path) -> Iterator[None]:
    """Say of which file the scene is that is too large or too small for any picture."""
    from viewer.camera.framing import SizeError

    try:
        yield
    except SizeError as error:
        raise MistakeError(f"{named(path)}: {error}") from error


def time_of(loaded: Loaded, at: float | None, option: str = "--at") -> float | None:
    """Return the time that was asked for, or else when the motion starts; None where nothing moves."""
    span = loaded.scene.span
    if at is not None and (span is None or not span[0] <= at <= span[1]):
        held = f"the motion lasts from {span[0]:g} to {span[1]:g} s" if span else "the scene has no motion"
        raise MistakeError(f"{option} must be a time of the motion, got {at:g}; {held}")
    return at if at is not None or span is None else span[0]


def named_pair(scene: Scene, path: Path, names: tuple[str, str]) -> tuple[str, str]:
    """Return the names of two shapes of a scene as they were given; refuse what are none."""
    from viewer.studio.options import single_name

    if not all(names):
        some = ", ".join(list(scene)[:_LISTED]) or "no shapes"
        some += f" and {len(scene) - _LISTED} more" if len(scene) > _LISTED else ""
        raise MistakeError(f"{named(path)}: expected the names of two shapes; it has {some}")
    with mistakes(f"{named(path)}: "):
        a, b = (single_name(scene, name) for name in names)
    if a == b:
        raise MistakeError(f"{named(path)}: expected the names of two shapes, got {a!r} twice")
    return a, b


def check_during(loaded: Loaded, during: During) -> None:
    """Refuse what is no part of a scene's motion."""
    for time in during:
        time_of(loaded, time, "--during")
    if during.start is not None and during.stop is not None and during.start > during.stop:
        raise MistakeError(f"--during must be START:STOP, the earlier time first, got {during}")
