"""The command that draws a scene to a file: a picture, or the animation of its motion."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    MOVIE_SIZE,
    PLAIN,
    SEEN,
    During,
    DuringOption,
    FileOption,
    Name,
    OptionalSize,
    OutputOption,
    PictureFlags,
    QuietFlag,
    ScenePath,
    SeenModelFlags,
    WholeNumber,
    check_during,
    check_output,
    default_output,
    ended_by_signal,
    is_stdin,
    named,
    named_pair,
    numbered,
    read_by,
    read_scene,
    sized,
    time_of,
    writing,
)
from viewer.cli.output import compile_notice
from viewer.records.words import counted

if TYPE_CHECKING:
    from collision import Scene
    from viewer.files.loading import Loaded
    from viewer.files.movies import Image
    from viewer.studio.options import PictureKeywords

#: What an animation is written to, by the end of the file's name; .png is one picture, or numbered ones.
_MOVIES = (".gif", ".webp", ".apng", ".mp4")


def _read_moment(text: str) -> float | Literal["worst"]:
    if text == "worst":
        return "worst"
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"must be a time in seconds, or worst, got {text!r}") from None


AtOption = Annotated[
    float | Literal["worst"] | None,
    read_by(
        _read_moment,
        help="Draw a picture of this time of the motion, in seconds; by default of its start. With worst: of when the "
        "two named shapes are nearest to each other, or deepest, seen from the side; without names, any two.",
    ),
]


def render(
    scene: ScenePath,
    a: Name = "",
    b: Name = "",
    /,
    *,
    output: OutputOption = None,
    at: AtOption = None,
    during: DuringOption = None,
    fps: float | None = None,
    size: OptionalSize = None,
    baseline: FileOption = None,
    max_pixels: WholeNumber = 0,
    picture: PictureFlags = PLAIN,
    model: SeenModelFlags = SEEN,
    quiet: QuietFlag = False,
) -> ExitCode:
    """Draw a scene without a window, to a picture with a list of its colliding pairs, or its motion to an animation.

    Parameters
    ----------
    a
        The name of a shape to look at from near, such as "arm" or "crowd[17]"; all but the two are faded.
    b
        The name of the other one.
    output
        A .png file is a picture, a .gif, .webp, .apng or .mp4 file an animation of the motion; frame-####.png, or
        frame-%04d.png, stands for its frames frame-0001.png and so on. By default the scene's name with .png, in this
        folder.
    during
        Animate this part of the motion, START:STOP in seconds; by default all.
    fps
        Frames a second of an animation, by default 24; of a .gif file at most 50.
    baseline
        An earlier picture to compare the new one with as an eye does: edges that two renderers smooth otherwise are the
        same. Exit with code 10 if they differ, and write NAME-difference.png, with the differing pixels in red.
    max_pixels
        How many pixels may differ; a square of 3 x 3 pixels of a clearly other colour always counts.
    """
    loaded = read_scene(scene, model)
    focus = named_pair(loaded.scene, scene, (a, b)) if a or b else None
    path = numbered(output, "frame") if output else default_output(loaded, ".png")
    moves = path.suffix.lower() in _MOVIES or "#" in path.name
    check_output(path, "a picture or an animation", ".png", *_MOVIES)
    own = {"--at": at, "--baseline": baseline} if moves else {"--during": during, "--fps": fps}
    for option in (option for option, value in own.items() if value is not None):
        kinds = ("a picture", "an animation") if moves else ("an animation", "a picture")
        raise MistakeError(f"{option} is for {kinds[0]}, and {named(path)} is {kinds[1]}")
    wanted = picture.keywords(size or (MOVIE_SIZE if moves else DEFAULT_SIZE), focus)
    if moves:
        return _animate(loaded, path, during or During(), 24.0 if fps is None else fps, wanted, progress=not quiet)
    expected = None if baseline is None else _expected(baseline, path)
    time = _worst_moment(loaded, focus) if at == "worst" else time_of(loaded, at)
    if at == "worst" and picture.view is None and focus is not None:
        from viewer.verdicts.pictures import worst_view

        with compile_notice(), mistakes("--at worst: "):
            wanted["camera"] = worst_view(loaded.at(time).scene, *focus, wanted["size"])
    from viewer.picture.present import note_on_tiny
    from viewer.studio.options import PictureOptions
    from viewer.studio.pictures import take

    with compile_notice(), sized(loaded.path), writing(path):
        image, session = take(loaded, path, PictureOptions(**wanted), time=time)
    if note := note_on_tiny(session):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)
    warn_of_glyphs(loaded)
    if not quiet:
        from viewer.cli.contacts import print_contacts, time_words

        print_contacts(loaded.at(time).scene, when=time_words(loaded, time if at is not None else None))
        if at is None and time is not None:
            word = "-" if is_stdin(scene) else scene
            print(f'The scene moves: "{PROGRAM} check {word}" lists what touches during its motion.')
    print(path)
    return ExitCode.FINE if expected is None else _compared(expected, image, path, max_pixels, quiet=quiet)


def _expected(baseline: Path, path: Path) -> Image:
    """Return the picture that a new one is compared with; refuse to write the new one over it."""
    from viewer.files.differences import read_picture

    if baseline.resolve() == path.resolve():
        raise MistakeError(f"--baseline {named(baseline)}: the new picture would be written over it; give another -o")
    with mistakes("--baseline "):
        return read_picture(baseline)


def _compared(expected: Image, image: Image, path: Path, most: int, *, quiet: bool) -> ExitCode:
    """Say how a picture differs from an expected one, and write the picture of that."""
    from collision.inner import write_bytes
    from viewer.files.differences import compare_pictures, where
    from viewer.files.movies import png

    with mistakes("--baseline: "):
        found = compare_pictures(expected, image)
    if not quiet:
        allowed = f", {most:,} allowed" if most else ""
        print(f"{counted(found.count, 'pixel')} differ{'s' if found.count == 1 else ''}{allowed}")
        for line in where(found):
            print(f"  {line}")
        if found.area and found.count <= most:
            print(f"  not only edges: {len(found.clusters)} of these hold a square of 3x3 pixels of another colour")
    if found.within(most):
        return ExitCode.FINE
    difference = path.with_name(f"{path.stem}-difference.png")
    with writing(difference):
        write_bytes(difference, png(found.image))
    print(difference)
    return ExitCode.BROKEN


def _animate(
    loaded: Loaded, path: Path, during: During, fps: float, wanted: PictureKeywords, *, progress: bool
) -> ExitCode:
    """Write the motion of a scene, and say to which files."""
    from viewer.files.movies import check_fps, names_of

    with mistakes("--"):
        check_fps(path, fps)
    check_during(loaded, during)
    from viewer.picture.present import present
    from viewer.session import Session
    from viewer.studio.pictures import render_motion

    with compile_notice(), sized(loaded.path):  # kernels are compiled before the progress of the drawing is shown
        present(Session(loaded.scene, size=wanted["size"], view=wanted["view"]))
    start, stop = during
    with mistakes(), writing(path), ended_by_signal():
        files = render_motion(loaded, path, fps=fps, start=start, stop=stop, progress=progress, **wanted)
    warn_of_glyphs(loaded)
    print(names_of(files))
    return ExitCode.FINE


def _worst_moment(loaded: Loaded, focus: tuple[str, str] | None) -> float | None:
    """Return when two shapes are nearest, or deepest in each other; None where nothing moves."""
    if loaded.scene.span is None:
        if focus is None:
            raise MistakeError("--at worst needs a motion, or the names of two shapes; the scene has no motion")
        return None
    from collision import extreme_distance

    try:
        with compile_notice():
            return extreme_distance(loaded.scene, *(focus or ("*", "*"))).time
    except ValueError as error:
        raise MistakeError(f"--at worst: {str(error).removeprefix('extreme_distance: ')}") from error


# -- characters that pictures show otherwise than a reader expects -----------------------------------------------------

#: So many of them are named.
_NAMED = 8


def warn_of_glyphs(loaded: Loaded) -> None:
    """Say on stderr which characters of a scene are not drawn as they should be."""
    for note in glyph_notes(loaded.scene):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)


def glyph_notes(scene: Scene) -> Iterator[str]:
    """Say which characters of names, title, caption and labels are drawn as boxes, and which in the wrong order.

    Examples
    --------
    >>> from collision import Point, Scene
    >>> scene = Scene({"Ω": Point([0, 0, 0]), "箱 é": Point([1, 0, 0])}, title="两个点", caption="קיר")
    >>> for note in glyph_notes(scene):
    ...     print(note)
    4 characters that the font lacks are drawn as □: 两 个 点 箱
    3 characters that are read from right to left are drawn from left to right: ק י ר
    """
    texts = (scene.title, scene.caption, *scene.shapes, *(show.label for show in scene.shows))
    special = {character: ord(character) for character in "".join(texts) if not character.isascii()}
    if not special:
        return
    from viewer.stage.text.fonts import missing_glyphs

    missing = missing_glyphs("".join(special))
    if missing:
        yield _note(missing, "that the font lacks", "drawn as □")
    reversed_ = [one for one in special if one not in missing and unicodedata.bidirectional(one) in ("R", "AL")]
    if reversed_:
        are = "is" if len(reversed_) == 1 else "are"
        yield _note(reversed_, f"that {are} read from right to left", "drawn from left to right")


def _note(characters: Sequence[str], which: str, drawn: str) -> str:
    named = [one if one.isprintable() else f"U+{ord(one):04X}" for one in characters[:_NAMED]]
    more = f" and {len(characters) - _NAMED} more" if len(characters) > _NAMED else ""
    are = "is" if len(characters) == 1 else "are"
    return f"{counted(len(characters), 'character')} {which} {are} {drawn}: {' '.join(named)}{more}"
