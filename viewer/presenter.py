"""From a session to what is to be seen: a pure function, with every answer from `collision`.

However many shapes a scene has, its solids become at most four drawables, one for each solid kind.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from collision import (
    AABB,
    Capsule,
    Contacts,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
    contains,
    crossings,
)
from collision.fields import BoolArray, FloatArray
from viewer.camera import Viewport, grid_step
from viewer.drawables import Drawable, Ground, Label, Marker, Role, Solidity, Stroke
from viewer.ignored import hidden_note, ignored_note, is_hidden
from viewer.insight import closeup_of, insights
from viewer.latest import Latest
from viewer.marks import show_marks, without_repeats
from viewer.names import shape_names
from viewer.panels import (
    caption_panel,
    collision_panel,
    hint_panel,
    keys_panel,
    legend_panel,
    line_room,
    notice_panel,
    prompt_panel,
    status_panel,
    table_rows,
)
from viewer.solids import solids
from viewer.specks import dotted, speck_note, specks

if TYPE_CHECKING:
    from viewer.session import Session

#: Lines run at least this far, in sizes of the view: seen at a flat angle they still reach the edge of the picture.
REACH = 20.0

#: The ground reaches this far around a scene, in parts of its size.
GROUND_MARGIN = 0.6


def present(session: Session) -> tuple[Drawable, ...]:
    """Return all that is to be seen of a session.

    Parameters
    ----------
    session : Session
        The scene, what is selected, the viewport and the toggles. It is only read.

    Returns
    -------
    tuple of Drawable
        The ground, the scene's shapes, the marks of its shows, and the panels.
    """
    scene, viewport, toggles = session.scene, session.viewport, session.toggles
    contacts = contacts_of(scene)
    drawables: list[Drawable] = [ground(session.extent)] if toggles.grid else []
    codes = standings(scene, contacts, session.selected)
    small = specks(scene, viewport)
    dots = dotted(small, (codes & Solidity.HIT) > 0)
    drawables += [*shapes(scene, codes, viewport), *speck_dots(scene, codes, dots)]
    shows = (show for show in scene.shows if not is_hidden(scene, show.a) and not is_hidden(scene, show.b))
    marks = without_repeats(mark for show in shows for mark in show_marks(scene, show, viewport))
    rows = table_rows(viewport.size[1])
    # The table says what is selected, and its handles are where its name would be.
    names = shape_names(scene, contacts, viewport, rows, session.selection) if toggles.labels else []
    closeup = closeup_of(scene, session.selected, contacts)
    pairs, broad_note = insights(session, contacts, closeup)
    drawables += [mark for mark in (*marks, *pairs, *names) if toggles.labels or not isinstance(mark, Label)]
    notes = (hidden_note(scene), ignored_note(scene), speck_note(small, dots), broad_note)
    panels = [
        collision_panel(session, contacts, closeup, rows, notes) if toggles.hud else None,
        legend_panel(drawables) if toggles.legend else None,
        caption_panel(scene) if toggles.hud else None,
        hint_panel() if toggles.hint and not toggles.help else None,
        status_panel(session.status) if toggles.hud else None,
        notice_panel(session.notice, line_room(session)) if session.notice else None,
        keys_panel(session) if toggles.help and session.prompt is None else None,
        prompt_panel(session.prompt, line_room(session)) if session.prompt is not None else None,
    ]
    timeline = filter(None, (session.timeline,))
    return (*drawables, *session.handles, *session.box_marks, *filter(None, panels), *timeline)


def speck_note_of(session: Session) -> str:
    """Say how many shapes are too small to be seen in the picture of a session; nothing where there are none."""
    small = specks(session.scene, session.viewport)
    codes = standings(session.scene, contacts_of(session.scene), ())
    return speck_note(small, dotted(small, (codes & Solidity.HIT) > 0))


@Latest
def contacts_of(scene: Scene) -> Contacts:
    """Return the contacts of a scene, computed once for each scene: a scene never changes."""
    return scene.contacts()


def standings(scene: Scene, contacts: Contacts, selected: Iterable[str]) -> npt.NDArray[np.uint8]:
    """Return the `Solidity` code of every element."""
    codes = np.full(scene.element_count, Solidity.FREE, dtype=np.uint8)
    codes[contacts.pairs.ravel()] = Solidity.HIT
    for name in selected:
        numbers = scene.element_numbers(name)
        codes[numbers.start : numbers.stop] |= np.uint8(Solidity.SELECTED)
    return codes


def shapes(scene: Scene, codes: npt.NDArray[np.uint8], viewport: Viewport) -> list[Drawable]:
    """Return the scene's own shapes: one solid for each solid kind, markers and strokes for the thin ones."""
    drawables: list[Drawable] = [*solids(scene, codes)]
    ball = None
    for elements, shape in scene.groups:
        if isinstance(shape, Sphere | Capsule | AABB | OrientedBox):
            continue
        own = codes[elements]
        if isinstance(shape, Point):
            drawables += [Marker(shape.position[rows], role) for role, rows in _roles(own)]
        elif isinstance(shape, Segment):
            drawables += _strokes(shape.start, shape.end, own)
            drawables += [Marker(np.concatenate([shape.start[r], shape.end[r]]), role) for role, r in _roles(own)]
        elif isinstance(shape, Ray | Line):
            ball = view_ball(scene, viewport) if ball is None else ball
            start, end = clipped(shape, ball)
            drawables += _strokes(start, end, own)
    return drawables


def speck_dots(scene: Scene, codes: npt.NDArray[np.uint8], dots: BoolArray) -> list[Drawable]:
    """Return dots in the place of some solids that are too small to be seen."""
    found: list[Drawable] = []
    for elements, shape in scene.groups if dots.any() else ():
        rows = dots[elements]
        if rows.any():
            center = shape[rows].bounds().center
            found += [Marker(center[own], role) for role, own in _roles(codes[elements][rows])]
    return found


def _roles(codes: npt.NDArray[np.uint8]) -> list[tuple[Role, npt.NDArray[np.bool_]]]:
    """Return which of some thin shapes have which role. A selected one has both: its halo, then its own."""
    hit = (codes & Solidity.HIT) > 0
    roles = [(Role.SELECTED, (codes & Solidity.SELECTED) > 0), (Role.FREE, ~hit), (Role.HIT, hit)]
    return [(role, rows) for role, rows in roles if rows.any()]


def _strokes(start: FloatArray, end: FloatArray, codes: npt.NDArray[np.uint8]) -> list[Drawable]:
    seen = ~np.isnan(start[:, 0])
    return [Stroke(start[r & seen], end[r & seen], role) for role, r in _roles(codes) if (r & seen).any()]


def view_ball(scene: Scene, viewport: Viewport) -> Sphere:
    """Return a ball so large that whatever leaves it has left the picture, or all but vanished in the distance."""
    camera = viewport.camera
    size = camera.parallel_height or float(np.linalg.norm(np.subtract(camera.position, camera.target)))
    bounds = scene.bounds()
    corners = [] if bounds is None else [bounds.lower, bounds.upper]
    farthest = max((float(np.linalg.norm(corner - camera.target)) for corner in corners), default=0.0)
    return Sphere(camera.target, REACH * size + farthest)


def clipped(lines: Ray | Line, ball: Sphere) -> tuple[FloatArray, FloatArray]:
    """Return the pieces of rays or lines inside a ball, as start and end points; NaN for those that miss it."""
    found = crossings(lines, ball)
    first, second = found.points[:, 0], found.points[:, 1]
    if isinstance(lines, Line):
        return first, second
    inside = contains(ball, Point(lines.origin))[:, None]
    return np.where(inside, lines.origin, first), np.where(inside, first, second)


@Latest
def ground(bounds: AABB | None) -> Ground:
    """Return a grid below a box whose squares are 1, 2 or 5 times a power of ten wide."""
    box = bounds if bounds is not None and np.any(bounds.half_extents) else AABB([-1, -1, -1], [1, 1, 1])
    size = 2.0 * float(box.half_extents.max())
    spacing = grid_step(bounds)
    x, y = (spacing * np.round(box.center[:2] / spacing)).tolist()
    half = spacing * float(np.ceil(size * (0.5 + GROUND_MARGIN) / spacing))
    lowest = float(box.lower[2])
    # Shapes that stand above z = 0, or only just dip below it, stand on it.
    floor = 0.0 if -0.05 * size <= lowest <= 0.5 * size else lowest
    return Ground(floor, spacing, (x, y), half)
