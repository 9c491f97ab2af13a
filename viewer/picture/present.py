"""From a session to what is to be seen, with every answer from `collision`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from collision import Contacts, contact
from viewer.camera.tiny import dotted, thin_note, tiny_note, unseen
from viewer.picture.bar import bar_of
from viewer.picture.cards import card_panel, is_low
from viewer.picture.explained import step_card, step_marks
from viewer.picture.handles import handle_marks
from viewer.picture.meeting import meeting_curves
from viewer.picture.names import name_labels
from viewer.picture.notes import hidden_note, ignored_count, ignored_note, is_hidden
from viewer.picture.pairs import closeup_of, pair_marks, pushed_out
from viewer.picture.panels import (
    caption_panel,
    collision_panel,
    guide_panel,
    keys_panel,
    legend_panel,
    lesson_panel,
    notice_panel,
    status_panel,
)
from viewer.picture.planes import shadows
from viewer.picture.prompts import prompt_panel
from viewer.picture.shapes import Flags, shape_drawables, shape_flags
from viewer.picture.shows import show_marks
from viewer.picture.sliders import sliders_panel
from viewer.picture.start import start_page
from viewer.picture.timeline import timeline_of
from viewer.picture.visuals import visuals_of
from viewer.records.drawables import Bar, Drawable, Label, Panel, Role, ShapeFlags, Timeline
from viewer.records.ground import ground
from viewer.records.sizes import is_crowded
from viewer.session.pair_table import TABLE_ROWS

if TYPE_CHECKING:
    from viewer.session import Session


def present(session: Session, *, still: bool = False) -> tuple[Drawable, ...]:
    """Return all that is to be seen of a session.

    Parameters
    ----------
    session : Session
        The scene, what is selected, the viewport and the toggles. It is only read.
    still : bool
        Whether the picture is looked at, as a file is, and takes no keys.

    Returns
    -------
    tuple of Drawable
        The ground, the scene's shapes, the marks of its shows and pairs, and the panels.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> from viewer.session import Session
    >>> session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}))
    >>> [type(drawable).__name__ for drawable in present(session)][:3]
    ['Ground', 'Shadows', 'Solid']
    """
    if session.start.shown:
        return (start_page(session), *_messages(session))
    scene, toggles = session.scene, session.settings.toggles
    contacts = scene.contacts()
    if session.lesson.asks:  # what is red, too, is to be predicted
        contacts = contacts.take([])
    under = session.manipulation.pointing.under
    flags = shape_flags(scene, contacts, session.selected, () if under is None else (under.name,))
    flags[session.selection.faded] |= np.uint8(ShapeFlags.FADED)
    explanation = session.explaining.explanation
    closeup = closeup_of(scene, session.selected) if explanation is None else None
    pairs, broad_note = pair_marks(session, contacts, closeup)
    marks = _labelled(session, contacts, _answers(session, pairs))
    below = ground(session.document.extent)
    drawables: list[Drawable] = [below] if toggles.grid else []
    if toggles.grid and toggles.shadows:
        drawables.append(shadows(scene, below))
    meeting = meeting_curves(
        scene, contacts, flags, haste=session.manipulation.tool.dragging or session.joints.dragging
    )
    drawables += [*shape_drawables(scene, flags), *visuals_of(session), *meeting, *marks]
    table = card = None
    if toggles.hud:
        notes = (hidden_note(scene), ignored_note(ignored_count(scene)), _small_note(session, flags), broad_note)
        table = None if session.lesson.asks else collision_panel(session, contacts, notes, still=still)
        card = card_panel(session, closeup, flags) if explanation is None else None
    # In a small picture there is room for one of them.
    legend = toggles.legend and explanation is None and (card is None or not is_low(session))
    explained = legend_panel(drawables, "" if toggles.hud else _small_note(session, flags)) if legend else None
    panels = _panels(session, card, table, explained, still)
    return (*drawables, *handle_marks(session), *panels, *filter(None, [step_card(session)]))


def _labelled(session: Session, contacts: Contacts, marks: list[Drawable]) -> list[Drawable]:
    """Return marks with the names of shapes, or without all texts."""
    scene, under = session.scene, session.manipulation.pointing.under
    if not session.settings.toggles.labels:
        return [mark for mark in marks if not isinstance(mark, Label)]
    explanation = session.explaining.explanation
    about = [] if explanation is None else [name for name in explanation.names if name in scene]
    # The card says what is selected, and the handles of a single shape are where its name would be.
    alone = session.document.active if len(session.selected) == 1 and session.document.active not in about else None
    marks = [*marks, *name_labels(scene, contacts, TABLE_ROWS, alone, about)]
    named = {alone, *(mark.text for mark in marks if isinstance(mark, Label))}
    if under is not None and under.name not in named:
        marks.append(Label(under.point, under.name, Role.NAME))
    return marks


def _small_note(session: Session, flags: Flags) -> str:
    """Say how many shapes are too small or too thin to be seen; nothing where there are none."""
    tiny, thin = np.zeros((2, len(flags)), dtype=bool)
    for elements, shape in session.scene.groups:
        tiny[elements], thin[elements] = unseen(shape, session.viewport)
    dots, lines = (dotted(some, (flags & ShapeFlags.HIT) > 0) for some in (tiny, thin))
    return "; ".join(filter(None, [tiny_note(tiny, dots), thin_note(thin, lines)]))


def note_on_tiny(session: Session) -> str:
    """Say how many shapes are too small or too thin to be seen; nothing where there are none."""
    return _small_note(session, shape_flags(session.scene, session.scene.contacts(), ()))


def _answers(session: Session, pairs: Sequence[Drawable]) -> list[Drawable]:
    """Return the marks of the pair that is looked at and of the scene's shows, or of the step of what is explained."""
    scene, explanation = session.scene, session.explaining.explanation
    if explanation is not None:
        step = explanation.steps[session.explaining.step]
        marks = [*pairs, *step_marks(step, scene.bounds(), session.explaining.highlighted)]
        if step is explanation.steps[-1] and explanation.query in ("contact", "signed_distance"):
            a, b = (scene.element(scene.element_numbers(name)[0]) for name in explanation.names)
            marks += pushed_out(b, contact(a, b))
        return marks
    shows = (show for show in scene.shows if not is_hidden(scene, show.a) and not is_hidden(scene, show.b))
    return [*(mark for show in shows for mark in show_marks(scene, show)), *pairs]


def _panels(
    session: Session, card: Panel | None, table: Panel | None, legend: Panel | None, still: bool
) -> list[Panel | Bar | Timeline]:
    """Return the panels in the order in which they take their places."""
    toggles, manipulation, guide = session.settings.toggles, session.manipulation, session.start.guide
    low = is_low(session) or is_crowded(session.viewport.size, session.settings.scale)
    panels: list[Panel | Bar | Timeline | None] = [
        table,
        sliders_panel(session) if toggles.hud and session.explaining.explanation is None else None,
        card,
        legend,
        caption_panel(session.scene.caption, guide.text)
        if toggles.hud and session.explaining.explanation is None
        else None,
        bar_of(session) if toggles.bar else None,
        lesson_panel(session.lesson.text, session.lesson.onward) if toggles.hud else None,
        # Beside the card of a small picture there is no room for a line.
        None if low and session.explaining.explanation else guide_panel(guide.text, guide.ticked, low=low),
        status_panel(session.joints.status or (*manipulation.tool.status, *filter(None, [manipulation.pointing.offer])))
        if toggles.hud
        else None,
        *_messages(session),
        timeline_of(session, still=still) if toggles.hud else None,
    ]
    return [panel for panel in panels if panel is not None]


def _messages(session: Session) -> list[Panel]:
    """Return what the last command has to say, the keys, and what is asked."""
    prompt, panels = session.prompt, list[Panel]()
    if session.notice:
        panels.append(notice_panel(session.notice))
    if session.settings.toggles.help and prompt is None:
        panels.append(keys_panel())
    if prompt is not None and not (prompt.place and session.settings.toggles.hud):
        panels.append(prompt_panel(session, prompt))
    return panels
