"""From a session to what is to be seen: a pure function, with every answer from `collision`.

However many shapes a scene has, its solids become at most four drawables, one for each solid kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from collision import (
    AABB,
    Contacts,
    HalfSpace,
    Line,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
    contains,
    crossings,
)
from collision.inner import BoolArray, FloatArray, Group
from viewer.latest import Latest
from viewer.picture.colliding import standings
from viewer.picture.drawables import Drawable, Ground, Label, Marker, Panel, Role, Solidity, Stroke, Timeline
from viewer.picture.ignored import hidden_note, ignored_note, is_hidden
from viewer.picture.names import shape_names
from viewer.picture.pairs import closeup_of, insights
from viewer.picture.panels import (
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
from viewer.picture.planes import planes
from viewer.picture.shows import Mark, show_marks, without_repeats
from viewer.picture.solids import solids
from viewer.picture.specks import dotted, speck_note, specks
from viewer.view.camera import Viewport
from viewer.view.sizes import grid_step

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
    dots, note = dotted_specks(specks(scene, viewport), codes)
    drawables += shapes(scene, codes, viewport)
    drawables += speck_dots(scene, codes, dots)
    rows = table_rows(viewport.size[1])
    closeup = closeup_of(scene, session.selected, contacts)
    pairs, broad_note = insights(session, contacts, closeup)
    marks: list[Drawable] = [*marks_of_shows(scene, viewport), *pairs]
    if toggles.labels:
        # The table says what is selected, and the handles of a single shape are where its name would be.
        alone = session.selection if len(session.selected) == 1 else None
        marks += shape_names(scene, contacts, viewport, rows, alone)
    else:
        marks = [mark for mark in marks if not isinstance(mark, Label)]
    drawables += marks
    panels: list[Panel | Timeline | None] = []
    if toggles.hud:
        notes = (hidden_note(scene), ignored_note(scene), note, broad_note)
        panels.append(collision_panel(session, contacts, closeup, rows, notes))
    panels.append(legend_panel(drawables) if toggles.legend else None)
    if toggles.hud:
        panels.append(caption_panel(scene.caption))
    panels += [
        hint_panel() if toggles.hint and not toggles.help else None,
        status_panel(session.status) if toggles.hud else None,
        notice_panel(session.notice) if session.notice else None,
        keys_panel(session) if toggles.help and session.prompt is None else None,
        prompt_panel(session.prompt, line_room(session)) if session.prompt is not None else None,
        session.timeline,
    ]
    return (*drawables, *session.handles, *session.box_marks, *[panel for panel in panels if panel is not None])


def marks_of_shows(scene: Scene, viewport: Viewport) -> list[Mark]:
    """Return what the shows of a scene draw, without those of shapes that are hidden."""
    if not scene.shows:
        return []
    shows = (show for show in scene.shows if not is_hidden(scene, show.a) and not is_hidden(scene, show.b))
    return without_repeats(mark for show in shows for mark in show_marks(scene, show, viewport))


@Latest
def dotted_specks(small: BoolArray, codes: npt.NDArray[np.uint8]) -> tuple[BoolArray | None, str]:
    """Return which elements are drawn as dots, None where none is, and what is said of them."""
    if not small.any():
        return None, ""
    dots = dotted(small, (codes & Solidity.HIT) > 0)
    return dots if dots.any() else None, speck_note(small, dots)


def speck_note_of(session: Session) -> str:
    """Say how many shapes are too small to be seen in the picture of a session; nothing where there are none."""
    codes = standings(session.scene, contacts_of(session.scene), ())
    return dotted_specks(specks(session.scene, session.viewport), codes)[1]


@Latest
def contacts_of(scene: Scene) -> Contacts:
    """Return the contacts of a scene, computed once for each scene: a scene never changes."""
    return scene.contacts()


def shapes(scene: Scene, codes: npt.NDArray[np.uint8], viewport: Viewport) -> list[Drawable]:
    """Return the scene's own shapes: one solid for each solid kind, markers and strokes for the thin ones."""
    drawables: list[Drawable] = [*solids(scene, codes)]
    # Of solids only what has changed is looked at: the batches of the scene as it is now are not put together.
    if _any_thin(scene.changes.groups):
        for group in scene.groups:
            drawables += _thin(scene, group, codes, viewport)
    return drawables


@Latest
def _any_thin(groups: tuple[Group, ...]) -> bool:
    return any(isinstance(shape, Point | Segment | Ray | Line | HalfSpace) for _, shape in groups)


def _thin(scene: Scene, group: Group, codes: npt.NDArray[np.uint8], viewport: Viewport) -> list[Drawable]:
    elements, shape = group
    own = codes[elements]
    if isinstance(shape, Point):
        return [Marker(shape.position[rows], role) for role, rows in _roles(own)]
    if isinstance(shape, Segment):
        ends = [Marker(np.concatenate([shape.start[r], shape.end[r]]), role) for role, r in _roles(own)]
        return [*_strokes(shape.start, shape.end, own), *ends]
    if isinstance(shape, Ray | Line):
        return _strokes(*clipped(shape, view_ball(scene, viewport)), own)
    if isinstance(shape, HalfSpace):
        return planes(shape, scene.bounds(), own, _roles)
    return []


def speck_dots(scene: Scene, codes: npt.NDArray[np.uint8], dots: BoolArray | None) -> list[Drawable]:
    """Return dots in the place of some solids that are too small to be seen."""
    found: list[Drawable] = []
    if dots is None:
        return found
    for elements, shape in scene.groups:
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
