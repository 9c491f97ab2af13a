"""The worst moment of a motion: when two shapes are nearest, or deepest in each other, and from where that is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, Token

from viewer.cli.errors import MistakeError
from viewer.cli.options import Size, time_of
from viewer.cli.output import compile_notice

if TYPE_CHECKING:
    from viewer.files.loading import Loaded
    from viewer.studio.options import PictureKeywords


def _read_moment(_type: object, tokens: Sequence[Token]) -> float | Literal["worst"]:
    text = tokens[0].value
    if text == "worst":
        return "worst"
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"must be a time in seconds, or worst, got {text!r}") from None


AtOption = Annotated[
    float | Literal["worst"] | None,
    Parameter(
        converter=_read_moment,
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        help="Draw the scene at this time of its motion, in seconds; by default when it starts. With worst: when the "
        "two shapes of --focus are nearest to each other, or deepest, seen from the side; or else any two.",
    ),
]


def moment_of(loaded: Loaded, at: float | Literal["worst"] | None, focus: tuple[str, str] | None) -> float | None:
    """Return the time that was asked for; None where nothing moves.

    Raises
    ------
    MistakeError
        If there is no such time, or no pair that is tested.
    """
    if at != "worst":
        return time_of(loaded, at)
    if loaded.scene.span is None:
        if focus is None:
            raise MistakeError("--at worst needs a motion, or the two shapes of --focus; the scene has no motion")
        return None
    from collision import extreme_distance

    a, b = focus or ("*", "*")
    try:
        with compile_notice():
            return extreme_distance(loaded.scene, a, b).time
    except ValueError as error:
        raise MistakeError(f"--at worst: {str(error).removeprefix('extreme_distance: ')}") from error


def seen_from_the_side(wanted: PictureKeywords, loaded: Loaded, time: float | None, size: Size) -> PictureKeywords:
    """Return what a picture is to be like that shows where the two shapes of its focus are nearest.

    Raises
    ------
    MistakeError
        If they are nearest nowhere.
    """
    focus = wanted.get("focus")
    if focus is None or wanted.get("view") is not None:
        return wanted
    from viewer.verdicts.pictures import worst_view

    try:
        with compile_notice():
            camera = worst_view(loaded.at(time).scene, *focus, size)
    except ValueError as error:
        raise MistakeError(f"--at worst: {error}") from error
    return {**wanted, "camera": camera}
