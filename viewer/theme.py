"""What a role looks like: colours, sizes, patterns. Pure data; `viewer.stage` is what draws it.

Lengths on the screen are in *units*: a unit is a pixel of a picture 960 pixels high, and grows with the picture, so
that a picture for print has the same proportions as one on the screen.

Red never stands alone: what collides is hatched as well, so that it is told apart in print without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from viewer.drawables import Role, Solidity

#: Red, green and blue, from 0 to 255.
Color: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Style:
    """What the marks of a role look like.

    Parameters
    ----------
    color : tuple of 3 ints
        Red, green and blue, from 0 to 255.
    width : float
        Width of a stroke or of an arrow's shaft, in units.
    size : float
        Diameter of a marker, in units.
    opacity : float
        From 0 to 1.
    fill : float
        Opacity of a patch, from 0 to 1; its border has the stroke's.
    dashed : bool
        Whether strokes are broken into dashes.
    on_top : bool
        Whether the mark is drawn over everything, also where a solid is before it.
    ghost : float
        Opacity, from 0 to 1, of the parts that are hidden by solids. Points and lines inside a box are still seen.
    sign : "dot" or "line" or "arrow" or "patch"
        What stands for the role in a legend.
    """

    color: Color
    width: float = 2.0
    size: float = 11.0
    opacity: float = 1.0
    fill: float = 0.22
    dashed: bool = False
    on_top: bool = False
    ghost: float = 0.0
    sign: Literal["dot", "line", "arrow", "patch"] = "dot"


@dataclass(frozen=True)
class Paint:
    """What a solid looks like.

    Parameters
    ----------
    color : tuple of 3 ints
        Of the surface in full light.
    stripe : tuple of 3 ints, optional
        Of the diagonal hatching; no hatching without it.
    outline : float
        How dark the surface turns towards its outline and at its edges, from 0 (not at all) to 1 (black).
    """

    color: Color
    stripe: Color | None = None
    outline: float = 0.38


@dataclass(frozen=True)
class Light:
    """A soft light from the camera's upper left, and a weaker one from its right.

    Parameters
    ----------
    ambient, key, fill, sky : float
        How much each adds to the brightness: from everywhere, from the upper left, from the right, from above.
    key_direction, fill_direction : tuple of 3 floats
        Where the lights are: to the right, up, and towards the eye.
    """

    ambient: float = 0.57
    key: float = 0.40
    fill: float = 0.07
    sky: float = 0.12
    key_direction: tuple[float, float, float] = (-0.45, 0.65, 0.62)
    fill_direction: tuple[float, float, float] = (0.85, -0.1, 0.5)


@dataclass(frozen=True)
class Theme:
    """A complete look.

    Parameters
    ----------
    styles : mapping of Role to Style
        One for every role.
    paints : mapping of Solidity to Paint
        One for every standing.
    background, text, faint_text, plate, plate_border, grid, halo : tuple of 3 ints
        The picture's background; text, and text that matters less; the plates behind text and their borders; the lines
        of the ground; the ring around markers.
    plate_opacity : float
        From 0 to 1.
    font_size : float
        Height of the text, in units.
    hatch_period : float
        Distance of the hatching's stripes, in units.
    light : Light
        How solids are lit.

    Raises
    ------
    ValueError
        If a role or a standing has no look.

    Examples
    --------
    >>> LIGHT.paints[Solidity.HIT].stripe is None
    False
    >>> LIGHT.styles[Role.EXTENSION].dashed
    True
    """

    styles: Mapping[Role, Style]
    paints: Mapping[Solidity, Paint]
    background: Color
    text: Color
    faint_text: Color
    plate: Color
    plate_border: Color
    grid: Color
    halo: Color
    plate_opacity: float = 0.86
    font_size: float = 15.0
    hatch_period: float = 9.0
    light: Light = field(default_factory=Light)

    def __post_init__(self) -> None:
        lacking = [role.value for role in Role if role not in self.styles]
        lacking += [standing.name for standing in Solidity if standing not in self.paints]
        if lacking:
            raise ValueError(f"a theme must have a look for every role and standing, got none for {', '.join(lacking)}")
        object.__setattr__(self, "styles", MappingProxyType(dict(self.styles)))
        object.__setattr__(self, "paints", MappingProxyType(dict(self.paints)))


_RED: Color = (205, 52, 44)
_AMBER: Color = (214, 138, 12)
_INK: Color = (38, 44, 54)

#: A light, neutral background; calm blue-grey solids, red and hatched where they collide, amber where selected.
LIGHT = Theme(
    styles={
        Role.FREE: Style((66, 92, 128), width=3.0, ghost=0.45, sign="line"),
        Role.HIT: Style(_RED, width=4.0, size=13.0, ghost=0.65, sign="line"),
        # A halo: what is selected is drawn in its own role over it.
        Role.SELECTED: Style((250, 190, 70), width=9.0, size=20.0, ghost=0.5, sign="line"),
        Role.WITNESS: Style((20, 112, 92), width=2.0, size=10.0, on_top=True),
        Role.CONTACT: Style((122, 20, 60), width=2.0, size=11.0, on_top=True),
        Role.NORMAL: Style((96, 52, 160), width=2.6, on_top=True, sign="arrow"),
        Role.ENTRY: Style((122, 20, 60), width=2.0, size=11.0, on_top=True),
        Role.CROSSING: Style((196, 88, 0), width=2.0, size=11.0, on_top=True),
        Role.NEAREST: Style((0, 110, 160), width=2.0, size=11.0, on_top=True),
        Role.FOOT: Style((122, 68, 156), width=2.0, size=11.0, on_top=True),
        Role.EXTENSION: Style((110, 118, 130), width=1.8, dashed=True, on_top=True, sign="line"),
        Role.BOUNDS: Style((84, 96, 116), width=1.8, dashed=True, ghost=0.3, sign="line"),
        Role.AXIS_X: Style((206, 66, 58), width=3.2, size=12.0, on_top=True, sign="arrow"),
        Role.AXIS_Y: Style((62, 142, 72), width=3.2, size=12.0, on_top=True, sign="arrow"),
        Role.AXIS_Z: Style((52, 104, 196), width=3.2, size=12.0, on_top=True, sign="arrow"),
        Role.VIEW_PLANE: Style((96, 104, 118), width=2.0, size=13.0, on_top=True, sign="patch"),
        Role.HANDLE: Style(_AMBER, width=2.0, size=15.0, on_top=True),
        Role.HOT: Style((250, 190, 30), width=4.2, size=17.0, fill=0.5, on_top=True),
        Role.TEXT: Style(_INK, width=1.2, on_top=True, sign="line"),
        Role.NAME: Style(_INK, width=1.2, opacity=0.8, on_top=True, sign="line"),
    },
    paints={
        Solidity.FREE: Paint((170, 190, 212)),
        Solidity.HIT: Paint((226, 82, 70), stripe=(172, 40, 36), outline=0.5),
        Solidity.SELECTED: Paint((244, 190, 92), outline=0.55),
        Solidity.SELECTED_HIT: Paint((226, 82, 70), stripe=(255, 204, 96), outline=0.55),
    },
    background=(247, 247, 245),
    text=_INK,
    faint_text=(104, 112, 124),
    plate=(255, 255, 255),
    plate_border=(214, 217, 222),
    grid=(150, 158, 168),
    halo=(255, 255, 255),
)
