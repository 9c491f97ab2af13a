"""The keys: one table, which the session obeys and the help panel shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from viewer.camera import Direction

if TYPE_CHECKING:
    from viewer.session import Session

Command: TypeAlias = "Callable[[Session], object]"

#: How much farther, or less far, a nudge goes with Shift or with Ctrl.
FAR, FINE = 10.0, 0.1


class Binding(NamedTuple):
    """One row of the help, and the keys that it is about; the mouse has rows without keys."""

    keys: str
    what: str
    commands: Mapping[str, Command] = MappingProxyType({})


def _nudge(direction: Direction, factor: float) -> Command:
    return lambda session: session.nudge(direction, factor)


def _nudges(directions: Mapping[str, Direction]) -> dict[str, Command]:
    factors = {"": 1.0, "shift+": FAR, "ctrl+": FINE}
    return {m + key: _nudge(where, factor) for key, where in directions.items() for m, factor in factors.items()}


def _look(view: str) -> Command:
    return lambda session: session.look(view)


def _toggle(name: str) -> Command:
    return lambda session: session.toggle(name)


#: Every key, in the order of the help.
BINDINGS: tuple[Binding, ...] = (
    Binding("click", "select a shape; beside all shapes: deselect"),
    Binding("drag a handle", "move along an axis, in a plane, or in the plane of the view"),
    Binding("click an end dot", "the handles then move that end alone; the middle: all of it"),
    Binding("drag elsewhere", "turn the view; Shift or middle button: shift it; wheel: zoom"),
    Binding("Tab, Shift+Tab", "next, previous shape", {"tab": lambda s: s.walk(1), "shift+tab": lambda s: s.walk(-1)}),
    Binding(
        "arrows",
        "nudge along the axes nearest to right and up; Shift: far, Ctrl: fine",
        _nudges({"left": "left", "right": "right", "up": "up", "down": "down"}),
    ),
    Binding("Page up, Page down", "nudge away, nearer", _nudges({"page up": "away", "page down": "near"})),
    Binding("Esc", "drop what is being dragged; deselect", {"escape": lambda s: s.escape()}),
    Binding("Ctrl+Z", "undo", {"ctrl+z": lambda s: s.undo()}),
    Binding("Ctrl+Shift+Z, Ctrl+Y", "redo", {"ctrl+shift+z": lambda s: s.redo(), "ctrl+y": lambda s: s.redo()}),
    Binding("f", "frame the selection, or everything", {"f": lambda s: s.frame_selection()}),
    Binding("r", "return to the first view", {"r": lambda s: s.reset_view()}),
    Binding(
        "i x y z, 1 2 3 4",
        "isometric view, view along x, y, z; Shift: from the other side",
        {key: _look(view) for key, view in zip("ixyz1234", ("iso", "x", "y", "z") * 2, strict=True)}
        | {f"shift+{axis}": _look(f"-{axis}") for axis in "xyz"},
    ),
    Binding("p", "perspective or parallel", {"p": lambda s: s.switch_projection()}),
    Binding(
        "t, l, g, n",
        "table, legend, ground, labels",
        {k: _toggle(n) for k, n in zip("tlgn", ("hud", "legend", "grid", "labels"), strict=True)},
    ),
    Binding("h", "these keys", {"h": _toggle("help")}),
    Binding("q", "close the window", {"q": lambda s: s.close()}),
)

#: What each key or chord does.
COMMANDS: Mapping[str, Command] = MappingProxyType({key: do for row in BINDINGS for key, do in row.commands.items()})

#: The rows of the help.
KEY_HELP: Mapping[str, str] = MappingProxyType({row.keys: row.what for row in BINDINGS})

#: What window systems call keys that have a plainer name.
_ALIASES = {
    "prior": "page up",
    "next": "page down",
    "iso_left_tab": "tab",
    "kp_prior": "page up",
    "kp_next": "page down",
}


def chord(symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> str:
    """Return the name of a key with its modifiers, as the table has it.

    Parameters
    ----------
    symbol : str
        The key as a window system names it: ``x``, ``X``, ``Left``, ``Prior``, ``Escape`` ...

    Examples
    --------
    >>> chord("Z", shift=True, ctrl=True), chord("Prior"), chord("KP_Left")
    ('ctrl+shift+z', 'page up', 'left')
    """
    name = symbol.lower()
    name = _ALIASES.get(name, name).removeprefix("kp_")
    held = [modifier for modifier, down in (("ctrl+", ctrl), ("alt+", alt), ("shift+", shift)) if down]
    return "".join(held) + name
