"""What a role looks like: colours, sizes, patterns. Pure data; `viewer.stage` is what draws it.

Lengths on the screen are in *units*: a unit is a pixel of a picture 960 pixels high, and grows with the picture, so
that a picture for print has the same proportions as one on the screen.

Red never stands alone: what collides is hatched as well, so that it stands out in print without colour. What only
touches has a calm colour, and fine stripes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from viewer.records.drawables import ALL_FLAGS, Role, ShapeFlags
from viewer.records.sizes import checked_scale

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
    halo : float
        How far a plain ring in the theme's `halo` reaches around strokes, arrows and the borders of patches, in units:
        what is dragged is seen before everything, also before its own colour. Others have a faint one.
    lift : float
        How many units farther it stands before what it marks, where surfaces on both sides of it come nearer to the
        eye. Such a stroke has no ring at all.
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
    halo: float = 0.0
    lift: float = 0.0
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
    stripe_width : float
        How wide its stripes are, as a part of the theme's `hatch_width`.
    outline : float
        How dark the surface turns towards its outline and at its edges, from 0 (not at all) to 1 (black).
    rim : tuple of 3 ints, optional
        Of a bright line there instead.
    opacities : tuple of 3 floats
        Where the solid is seen through: of its surface, of the hatching, and of outline and edges, from 0 to 1.
    """

    color: Color
    stripe: Color | None = None
    stripe_width: float = 1.0
    outline: float = 0.38
    rim: Color | None = None
    opacities: tuple[float, float, float] = (0.25, 0.25, 0.8)


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


#: Roles that look like others, but fainter: a theme does not say how.
FAINT_ROLES: Mapping[Role, Role] = MappingProxyType(
    {Role.AXIS_X_FAINT: Role.AXIS_X, Role.AXIS_Y_FAINT: Role.AXIS_Y, Role.AXIS_Z_FAINT: Role.AXIS_Z}
)
FAINT, FAINT_WIDTH = 0.4, 1.6

#: How far the ring around handles reaches, in units.
HALO = 2.0

#: The flags that a theme has paints for. The paints of all others follow from these.
PAINTED = (ShapeFlags.FREE, ShapeFlags.HIT, ShapeFlags.TOUCHING)

#: What collides, and what is selected, stand out where all is seen through.
HATCHED, CHOSEN = (0.3, 0.7, 0.9), (0.5, 0.5, 0.9)

#: How wide the stripes of what touches are, as a part of those of what collides.
FINE = 0.27

#: How opaque what is faded is, as a part of what is only seen through.
FADED = 0.5


#: Height of the text, in units, where nothing else is asked for.
FONT_SIZE = 15.0


@dataclass(frozen=True)
class Theme:
    """A complete look.

    Parameters
    ----------
    styles : mapping of Role to Style
        One for every role, but for `FAINT_ROLES` and what is hovered.
    paints : mapping of ShapeFlags to Paint
        One for each of `PAINTED`.
    ghost : Paint
        Of a shape where it is not: pushed out, or on its way.
    background, text, faint_text, plate, plate_border, grid, halo, accent, chosen, shadow : tuple of 3 ints
        The picture's background; text, and text that matters less; the plates behind text and their borders; the lines
        of the ground; the ring around markers; the rims of what is under the pointer, and of what is selected; what
        shadows tend to.
    shadow_opacity, plate_opacity : float
        From 0 to 1.
    font_size : float
        Height of the text, in units.
    hatch_period, hatch_width, hatch_angle : float
        Of the hatching: the distance of its stripes, in units; their width, as a part of that; and the way from stripe
        to stripe, in degrees from the right upwards.
    light : Light
        How solids are lit.
    hit_color : str
        What people call the colour of what collides.

    Raises
    ------
    ValueError
        If a role or a flag has no look.

    Examples
    --------
    >>> LIGHT.paints[ShapeFlags.HIT].stripe is None
    False
    >>> LIGHT.styles[Role.EXTENSION].dashed
    True
    """

    styles: Mapping[Role, Style]
    paints: Mapping[ShapeFlags, Paint]
    ghost: Paint
    background: Color
    text: Color
    faint_text: Color
    plate: Color
    plate_border: Color
    grid: Color
    halo: Color
    accent: Color
    chosen: Color
    shadow: Color
    shadow_opacity: float
    plate_opacity: float = 0.86
    font_size: float = FONT_SIZE
    hatch_period: float = 9.0
    hatch_width: float = 0.4
    hatch_angle: float = 45.0
    light: Light = field(default_factory=Light)
    hit_color: str = "red"

    def __post_init__(self) -> None:
        faint = {
            role: replace(self.styles[whole], width=FAINT_WIDTH, opacity=FAINT)
            for role, whole in FAINT_ROLES.items()
            if whole in self.styles
        }
        hovered = Style(self.accent, width=12.0, size=24.0, sign="line")  # a halo, under that of what is selected
        object.__setattr__(self, "styles", {**self.styles, **faint, Role.HOVERED: hovered})
        lacking = [role.value for role in Role if role not in self.styles]
        lacking += [str(flags.name) for flags in PAINTED if flags not in self.paints]
        if lacking:
            raise ValueError(f"a theme must have a look for every role and flag, got none for {', '.join(lacking)}")
        object.__setattr__(self, "styles", MappingProxyType(dict(self.styles)))
        paints = {flags: self._painted(flags) for flags in ALL_FLAGS}
        object.__setattr__(self, "paints", MappingProxyType(paints))

    def _painted(self, flags: ShapeFlags) -> Paint:
        """Return what flags look like: the fill says whether it collides or touches, and the rim all else."""
        paint = self.paints[flags & ShapeFlags.HIT or flags & ShapeFlags.TOUCHING]
        surface, hatching, edges = paint.opacities
        if flags & ShapeFlags.SELECTED:
            surface, hatching, edges = map(max, paint.opacities, CHOSEN)
        part = FADED if flags & ShapeFlags.FADED else 1.0
        paint = replace(paint, opacities=(part * surface, part * hatching, part * edges))
        if flags & (ShapeFlags.SELECTED | ShapeFlags.HOVERED):
            paint = replace(paint, rim=self.accent if flags & ShapeFlags.HOVERED else self.chosen)
        return paint


_RED: Color = (205, 52, 44)
_PLUM: Color = (132, 56, 112)
_AMBER: Color = (214, 138, 12)
_LAMP: Color = (250, 190, 30)
_INK: Color = (38, 44, 54)

#: A light, neutral background; calm blue-grey solids, red and hatched where they collide.
LIGHT = Theme(
    styles={
        Role.FREE: Style((66, 92, 128), width=3.0, ghost=0.45, sign="line"),
        Role.HIT: Style(_RED, width=4.0, size=13.0, ghost=0.65, sign="line"),
        # A halo: what is selected is drawn in its own role over it.
        Role.SELECTED: Style((250, 190, 70), width=9.0, size=20.0, ghost=0.5, sign="line"),
        Role.BURIED: Style((255, 186, 30), width=2.4, on_top=True, sign="line"),
        Role.TOUCHING: Style(_PLUM, width=3.0, size=12.0, ghost=0.5, sign="line"),
        Role.FADED: Style((150, 160, 174), width=1.6, size=9.0, opacity=0.6, fill=0.4, ghost=0.3, sign="patch"),
        Role.PLANE: Style((104, 124, 150), width=1.6, fill=0.14, sign="patch"),
        Role.PLANE_HIT: Style(_RED, width=2.0, fill=0.12, sign="line"),
        Role.PLANE_TOUCHING: Style(_PLUM, width=1.6, fill=0.12, sign="line"),
        Role.WITNESS: Style((20, 112, 92), width=2.0, size=10.0, on_top=True),
        Role.CONTACT: Style((122, 20, 60), width=2.0, size=11.0, on_top=True),
        Role.LYING: Style((122, 20, 60), width=1.5, size=7.0, on_top=True),
        Role.MEETING: Style((255, 238, 232), width=2.4, lift=5.0, sign="line"),
        Role.NORMAL: Style((96, 52, 160), width=2.6, on_top=True, sign="arrow"),
        Role.ENTRY: Style((122, 20, 60), width=2.0, size=11.0, on_top=True),
        Role.CROSSING: Style((196, 88, 0), width=2.0, size=11.0, on_top=True),
        Role.NEAREST: Style((0, 110, 160), width=2.0, size=11.0, on_top=True),
        Role.FOOT: Style((122, 68, 156), width=2.0, size=11.0, on_top=True),
        Role.EXTENSION: Style((110, 118, 130), width=1.8, dashed=True, on_top=True, sign="line"),
        Role.BOUNDS: Style((84, 96, 116), width=1.8, dashed=True, ghost=0.3, sign="line"),
        Role.BOX: Style((128, 138, 154), width=1.4, ghost=0.4, sign="line"),
        Role.KEPT: Style((0, 110, 160), width=2.4, size=9.0, dashed=True, on_top=True, sign="line"),
        Role.KEPT_TOUCHING: Style(_PLUM, width=2.4, size=9.0, on_top=True, sign="line"),
        Role.KEPT_HIT: Style(_RED, width=2.8, size=9.0, on_top=True, sign="line"),
        Role.OUTSIDE: Style((140, 146, 156), width=2.0, size=9.0, on_top=True),
        Role.GHOST: Style((170, 104, 0), width=2.4, size=11.0, fill=0.4, dashed=True, on_top=True, sign="patch"),
        Role.COVERED: Style((196, 194, 186), fill=1.0, sign="patch"),
        Role.UNCOVERED: Style((214, 50, 40), fill=1.0, on_top=True, sign="patch"),
        Role.AXIS_X: Style((206, 66, 58), width=3.2, size=12.0, on_top=True, halo=HALO, sign="arrow"),
        Role.AXIS_Y: Style((62, 142, 72), width=3.2, size=12.0, on_top=True, halo=HALO, sign="arrow"),
        Role.AXIS_Z: Style((52, 104, 196), width=3.2, size=12.0, on_top=True, halo=HALO, sign="arrow"),
        Role.VIEW_PLANE: Style((96, 104, 118), width=2.0, size=13.0, on_top=True, halo=HALO, sign="patch"),
        Role.HANDLE: Style(_AMBER, width=2.0, size=15.0, on_top=True, halo=HALO),
        Role.HOT: Style((250, 190, 30), width=4.2, size=17.0, fill=0.5, on_top=True, halo=HALO),
        Role.TEXT: Style(_INK, width=1.2, on_top=True, sign="line"),
        Role.NAME: Style(_INK, width=1.2, opacity=0.8, on_top=True, sign="line"),
    },
    paints={
        ShapeFlags.FREE: Paint((170, 190, 212)),
        ShapeFlags.HIT: Paint((226, 82, 70), stripe=(172, 40, 36), outline=0.5, opacities=HATCHED),
        ShapeFlags.TOUCHING: Paint((202, 188, 212), stripe=(140, 84, 128), stripe_width=FINE),
    },
    ghost=Paint((244, 190, 92), outline=0.55, opacities=CHOSEN),
    background=(247, 247, 245),
    text=_INK,
    faint_text=(104, 112, 124),
    plate=(255, 255, 255),
    plate_border=(214, 217, 222),
    grid=(150, 158, 168),
    halo=(255, 255, 255),
    accent=(0, 100, 255),
    chosen=(255, 176, 0),
    shadow=(92, 100, 114),
    shadow_opacity=0.55,
)


def _recoloured(theme: Theme, colors: Mapping[Role, Color]) -> dict[Role, Style]:
    """Return the styles of a theme, some of them in other colours."""
    return {role: replace(style, color=colors.get(role, style.color)) for role, style in theme.styles.items()}


_BLACK: Color = (24, 27, 33)
_PALE: Color = (222, 226, 232)

#: A dark, neutral background; the same roles, light where they were dark.
DARK = replace(
    LIGHT,
    styles=_recoloured(
        LIGHT,
        {
            Role.FREE: (140, 170, 212),
            Role.HIT: (255, 104, 92),
            Role.TOUCHING: (222, 152, 206),
            Role.SELECTED: (224, 156, 40),
            Role.FADED: (104, 114, 130),
            Role.PLANE: (150, 166, 190),
            Role.PLANE_HIT: (255, 104, 92),
            Role.PLANE_TOUCHING: (222, 152, 206),
            Role.WITNESS: (88, 214, 178),
            Role.CONTACT: (255, 148, 190),
            Role.LYING: (255, 148, 190),
            Role.NORMAL: (190, 160, 255),
            Role.ENTRY: (255, 148, 190),
            Role.CROSSING: (255, 166, 84),
            Role.NEAREST: (100, 196, 255),
            Role.FOOT: (214, 156, 246),
            Role.EXTENSION: (156, 166, 180),
            Role.BOUNDS: (150, 164, 186),
            Role.BOX: (112, 124, 144),
            Role.KEPT: (100, 196, 255),
            Role.KEPT_TOUCHING: (222, 152, 206),
            Role.KEPT_HIT: (255, 104, 92),
            Role.OUTSIDE: (128, 136, 148),
            Role.GHOST: (236, 176, 72),
            Role.COVERED: (132, 132, 128),
            Role.UNCOVERED: (255, 104, 92),
            Role.AXIS_X: (240, 104, 96),
            Role.AXIS_Y: (104, 196, 116),
            Role.AXIS_Z: (112, 160, 255),
            Role.VIEW_PLANE: (160, 170, 186),
            Role.HANDLE: (236, 164, 44),
            Role.TEXT: _PALE,
            Role.NAME: _PALE,
        },
    ),
    paints={
        ShapeFlags.FREE: Paint((112, 136, 166), outline=0.5),
        ShapeFlags.HIT: Paint((224, 80, 68), stripe=(255, 160, 148), outline=0.55, opacities=HATCHED),
        ShapeFlags.TOUCHING: Paint((120, 98, 136), stripe=(218, 180, 216), stripe_width=FINE, outline=0.5),
    },
    ghost=Paint((226, 166, 62), outline=0.6, opacities=CHOSEN),
    background=_BLACK,
    text=_PALE,
    faint_text=(158, 166, 178),
    plate=(36, 40, 48),
    plate_border=(66, 72, 84),
    grid=(112, 120, 134),
    halo=(14, 16, 20),
    accent=(130, 215, 255),
    chosen=_LAMP,
    shadow=(0, 0, 0),
    shadow_opacity=0.8,
)


def _safe(theme: Theme, *, dark: bool) -> Theme:
    """Return a theme whose colours differ for all kinds of colour vision: vermilion and blue, and what lies between.

    They are those of Okabe and Ito: they differ in lightness as well as in hue.
    """
    vermilion: Color = (238, 110, 30) if dark else (190, 76, 0)
    hit = Paint((226, 96, 12), stripe=(255, 196, 130) if dark else (140, 46, 0), outline=0.55, opacities=HATCHED)
    blue: Color = (110, 180, 236) if dark else (0, 96, 158)
    purple: Color = (226, 150, 196) if dark else (148, 62, 116)
    green: Color = (60, 200, 160) if dark else (0, 110, 82)
    colors = {
        Role.FREE: blue,
        Role.HIT: vermilion,
        Role.PLANE_HIT: vermilion,
        Role.TOUCHING: purple,
        Role.PLANE_TOUCHING: purple,
        Role.KEPT_TOUCHING: purple,
        Role.KEPT_HIT: vermilion,
        Role.UNCOVERED: vermilion,
        Role.KEPT: blue,
        Role.WITNESS: green,
        Role.CONTACT: purple,
        Role.LYING: purple,
        Role.ENTRY: purple,
        Role.NORMAL: (186, 172, 255) if dark else (64, 48, 150),
        Role.CROSSING: vermilion,
        Role.NEAREST: blue,
        Role.FOOT: purple,
        Role.AXIS_X: vermilion,
        Role.AXIS_Y: (96, 232, 190) if dark else (0, 134, 100),
        Role.AXIS_Z: (104, 128, 240) if dark else (24, 46, 132),
    }
    paints = {
        ShapeFlags.FREE: Paint((84, 134, 178) if dark else (150, 196, 230), outline=0.5 if dark else 0.38),
        ShapeFlags.HIT: hit,
        ShapeFlags.TOUCHING: theme.paints[ShapeFlags.TOUCHING],
    }
    ghost = Paint((240, 228, 66), outline=0.6, opacities=CHOSEN)
    accent: Color = (160, 224, 255) if dark else (0, 70, 230)
    styles = _recoloured(theme, colors)
    return replace(theme, styles=styles, paints=paints, ghost=ghost, accent=accent, chosen=_LAMP, hit_color="orange")


#: Light and dark, each also for eyes that do not tell red from green, or blue from yellow.
THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        "light": LIGHT,
        "dark": DARK,
        "colour-blind": _safe(LIGHT, dark=False),
        "colour-blind-dark": _safe(DARK, dark=True),
    }
)


def read_theme(theme: str | Theme) -> Theme:
    """Return a theme by its name in `THEMES`; a theme itself stays as it is.

    Raises
    ------
    ValueError
        If there is no theme of this name.

    Examples
    --------
    >>> read_theme("dark").background
    (24, 27, 33)
    """
    if isinstance(theme, Theme):
        return theme
    if theme not in THEMES:
        raise ValueError(f"theme must be {', '.join(THEMES)} or a Theme, got {theme!r}")
    return THEMES[theme]


def scaled(theme: Theme, scale: float) -> Theme:
    """Return a theme whose text is so many times as large.

    Examples
    --------
    >>> scaled(LIGHT, 2.0).font_size == 2.0 * LIGHT.font_size
    True
    """
    return theme if scale == 1.0 else replace(theme, font_size=theme.font_size * checked_scale(scale))
