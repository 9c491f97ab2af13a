"""The arguments that commands of the command line have in common: how they are read, and what help says of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from cyclopts import Parameter, Token

from viewer.view.sizes import DEFAULT, LARGEST, SMALLEST, checked_size


class Size(NamedTuple):
    """Width and height of a picture in pixels."""

    width: int
    height: int


DEFAULT_SIZE, MOVIE_SIZE = Size(*DEFAULT), Size(800, 600)


def _read_size(_type: object, tokens: Sequence[Token]) -> Size:
    text = tokens[0].value
    sides = text.lower().replace("×", "x").split("x")
    wanted = f"must be WIDTHxHEIGHT in pixels, such as 1280x960, got {text!r}"
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() for side in sides):
        raise ValueError(wanted)
    try:
        return Size(*checked_size([int(side) for side in sides]))
    except ValueError:
        raise ValueError(f"{wanted}; each side must be from {SMALLEST} to {LARGEST}") from None


def _read_scene(_type: object, tokens: Sequence[Token]) -> Path:
    if not tokens[0].value:
        raise ValueError("SCENE must be a file or the name of an example, got an empty name")
    return Path(tokens[0].value)


ScenePath = Annotated[
    Path,
    Parameter(
        converter=_read_scene,
        n_tokens=1,
        accepts_keys=False,
        help="A .toml scene, a .py file with scene(), an .xml or .urdf model, or the name of an example.",
    ),
]
SizeOption = Annotated[
    Size,
    Parameter(
        converter=_read_size,
        n_tokens=1,
        accepts_keys=False,
        allow_leading_hyphen=True,
        show_default=lambda size: f"{size.width}x{size.height}",
        help="Width and height in pixels.",
    ),
]
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
OutputOption = Annotated[Path | None, Parameter(name=("--output", "-o"))]
Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
