"""What a picture without a window is to be like: one record, for single pictures and for animations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypedDict, Unpack

from collision import Camera, Scene
from viewer.records.sizes import DEFAULT, checked_scale, checked_size
from viewer.records.words import counted

if TYPE_CHECKING:
    from viewer.records.theme import Theme

#: So many names are listed at most.
_SOME = 8


class PictureKeywords(TypedDict, total=False):
    """The options of `PictureOptions` as the keyword arguments of a function."""

    size: tuple[int, int]
    view: str | None
    camera: Camera | None
    theme: Theme | str | None
    mesh: bool
    transparent: bool
    panels: bool
    parallel: bool
    scale: float
    focus: tuple[str, str] | None


@dataclass(frozen=True)
class PictureOptions:
    """What a picture is to be like.

    Parameters
    ----------
    size : tuple of 2 ints
        Width and height in pixels.
    view : str, optional
        ``iso``, ``x``, ``y``, ``z``, ``-x``, ``-y`` or ``-z``: look from there at the whole scene.
    camera : Camera, optional
        Where to take the picture from. Without it and without a view, the scene's own camera, or one that frames it.
    theme : str or Theme, optional
        The colours: ``light``, ``dark``, ``colour-blind``, ``colour-blind-dark``, or a theme of one's own.
    mesh : bool
        Draw triangles instead of exact surfaces, for drivers that lack these.
    transparent : bool
        Leave the background out: the picture has a fourth channel, which says how opaque each pixel is.
    panels : bool
        Draw the texts around the picture: table, legend, caption and the strip of the time. Labels stay without them.
    parallel : bool
        See the scene in a parallel projection: equal sizes look equal, near or far.
    scale : float
        How many times as large as usual all text is, from 0.5 to 4.
    focus : tuple of 2 str, optional
        The names of two shapes to look at from near; all others are faded.

    Raises
    ------
    ValueError
        If one of them is none of what it can be.

    Examples
    --------
    >>> PictureOptions(scale=1.5).look.font_size
    22.5
    """

    size: tuple[int, int] = DEFAULT
    view: str | None = None
    camera: Camera | None = None
    theme: Theme | str | None = None
    mesh: bool = False
    transparent: bool = False
    panels: bool = True
    parallel: bool = False
    scale: float = 1.0
    focus: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", checked_size(self.size))
        if self.view is not None and self.camera is not None:
            raise ValueError("give a view or a camera, not both")
        if self.camera is not None and not isinstance(self.camera, Camera):
            raise ValueError(f"camera must be a collision.Camera, got {self.camera!r}")
        checked_scale(self.scale)
        if self.focus is not None and not _are_two_names(self.focus):
            raise ValueError(f"focus must be the names of two shapes, got {self.focus!r}")

    @property
    def look(self) -> Theme:
        """The theme, with its text as large as it is to be."""
        from viewer.records.theme import read_theme, scaled

        return scaled(read_theme(self.theme or "light"), self.scale)


def read_options(**options: Unpack[PictureKeywords]) -> PictureOptions:
    """Return what the keyword arguments of a function say a picture is to be like."""
    known = list(PictureKeywords.__annotations__)
    for name in options:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.65)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise TypeError(f"there is no option {name!r} of a picture; {hint}")
    return PictureOptions(**options)


def _are_two_names(pair: object) -> bool:
    if isinstance(pair, str) or not isinstance(pair, Sequence):
        return False
    return len(pair) == 2 and all(isinstance(name, str) for name in pair)


def checked_focus(scene: Scene, pair: tuple[str, str]) -> tuple[str, str]:
    """Return the names of two shapes of a scene to look at."""
    try:
        a, b = (single_name(scene, name) for name in pair)
    except ValueError as error:
        raise ValueError(f"focus: {error}") from error
    if a == b:
        raise ValueError(f"focus must be the names of two shapes, got {a!r} twice")
    return a, b


def single_name(scene: Scene, name: str) -> str:
    """Return a name if it is that of a single shape; the error says what was most likely meant."""
    if name not in scene:
        entry = name.partition("[")[0]
        shape = scene.shapes.get(entry)
        if shape is not None:
            count = counted(len(scene.element_numbers(entry)), "element")
            hint = f"{entry!r} is a batch of {count}" if shape.batch_shape else f"did you mean {entry!r}?"
        else:
            near = get_close_matches(name, list(scene), n=1, cutoff=0.65)
            some = ", ".join(list(scene)[:_SOME])
            hint = f"did you mean {near[0]!r}?" if near else f"it has {some}{', ...' if len(scene) > _SOME else ''}"
        raise ValueError(f"there is no shape named {name!r} in the scene; {hint}")
    numbers = scene.element_numbers(name)
    if len(numbers) != 1:
        hint = f"; name one of them, such as {scene.element_name(numbers[0])!r}" if numbers else ""
        raise ValueError(f"{name!r} is a batch of {counted(len(numbers), 'element')}{hint}")
    return name
