"""A step of an explanation in the scene: its marks, each in the role that it has, with its label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from collision import (
    AABB,
    Camera,
    ConvexHull,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Sphere,
)
from collision.inner import Mark, Plot, Step, Value, listed
from viewer.camera.camera import Viewport, three, unit_vector
from viewer.camera.lines import as_seen, label_point, stroke_of
from viewer.picture.planes import planes
from viewer.records.commands import Command
from viewer.records.drawables import (
    MARK_ROLES,
    Arrow,
    Cores,
    Drawable,
    ExplanationPanel,
    FlatMark,
    Label,
    Marker,
    Patch,
    Role,
    StepArea,
    StepCurve,
    StepFormula,
    StepPlot,
    StepPoint,
    StepRow,
    StepSpace,
    StepValue,
    Stroke,
)
from viewer.records.words import with_indices

if TYPE_CHECKING:
    from viewer.session import Session

#: Ways to the eye that look at another space, each nearly along an axis.
_VIEWS = {1: np.array([0.36, -1.0, 0.3]), 0: np.array([1.0, -0.36, 0.3]), 2: np.array([0.3, -0.36, 1.0])}

#: How far the eye is then, in sizes of what is there.
_AWAY = 3.0


def step_marks(step: Step, bounds: AABB | None, highlighted: str = "") -> list[Drawable]:
    """Return what a step draws in the scene; the mark that is highlighted has a halo.

    Parameters
    ----------
    step : Step
        Its marks are in the world.
    bounds : AABB, optional
        The box around the scene.
    highlighted : str
        The label of the mark under the pointer.
    """
    drawables: list[Drawable] = []
    for mark in step.marks:
        if mark.label == highlighted:
            drawables += mark_drawables(mark, bounds, Role.HOVERED)
        drawables += mark_drawables(mark, bounds, MARK_ROLES[mark.role])
        if mark.label:
            drawables.append(mark_label(mark))
    return drawables


def step_card(session: Session) -> ExplanationPanel | None:
    """Return the card of the step that is shown; None where nothing is explained, or something is asked over it."""
    explanation = session.explaining.explanation
    if (
        explanation is None
        or (session.prompt is not None and not session.prompt.place)
        or session.settings.toggles.help
    ):
        return None
    place, count = session.explaining.step, len(explanation.steps)
    step = explanation.steps[place]
    buttons = (
        StepRow(f"{explanation.query}({', '.join(explanation.names)})", does=Command("explaining.next_query")),
        StepRow("back", does=Command("explaining.turn_step", -1), faint=place == 0),
        StepRow("on", does=Command("explaining.turn_step", 1), faint=place == count - 1),
        StepRow("close", does=Command("explaining.end")),
    )
    space = () if step.space is None else tuple(flat_marks(step.space.marks, session.scene.bounds()))
    result = "" if session.lesson.asks else explanation.summary
    return replace(
        step_panel(step, result, place + 1, count, space),
        highlighted=session.explaining.highlighted,
        buttons=buttons,
        scrolls=Command("explaining.turn_step"),
    )


def step_panel(step: Step, summary: str, number: int, count: int, space: tuple[FlatMark, ...] = ()) -> ExplanationPanel:
    """Return what a step says, as plain values; the marks of its other space are given as they are seen."""
    roles = {mark.label: MARK_ROLES[mark.role] for mark in step.marks}
    below: dict[Value, Literal["name", "number"]] = {
        value: "name" if told else "number" for value, told in listed(step, set())
    }
    values = [
        StepValue(v.symbol, _plain(v.value), v.unit, v.mark, roles.get(v.mark), v.means, below.get(v, ""))
        for v in step.values
    ]
    return ExplanationPanel(
        summary,
        step.title,
        step.text,
        number,
        count,
        tuple([StepFormula(formula.symbols, formula.numbers) for formula in step.formulas]),
        tuple(values),
        None if step.plot is None else _plot(step.plot),
        None if step.space is None else StepSpace(step.space.title, space),
        step.article,
    )


def _plain(value: Any) -> Any:
    """Return a value without the names that kernels have for the numbers of a vector."""
    return tuple([_plain(part) for part in value]) if isinstance(value, tuple) else value


def _plot(plot: Plot) -> StepPlot:
    lines = [StepCurve(line.x, line.y, MARK_ROLES[line.role], line.label) for line in plot.lines]
    points = [StepPoint(p.x, p.y, MARK_ROLES[p.role], p.label, p.mark) for p in plot.points]
    areas = [StepArea(a.x, a.y, MARK_ROLES[a.role], a.label, a.mark) for a in plot.areas]
    texts = plot.title, plot.x_label, plot.y_label
    return StepPlot(
        *texts, plot.x_range, plot.y_range, tuple(lines), tuple(points), tuple(areas), plot.rows, plot.square
    )


def flat_marks(marks: Iterable[Mark], bounds: AABB | None) -> Iterator[FlatMark]:
    """Yield marks of another space without perspective, from where one sees what they tell; see `mark_drawables`."""
    marks = list(marks)
    view = _telling(marks)
    axes = np.stack([view.right, view.up], axis=1)
    for mark in marks:
        role, dots, lines = MARK_ROLES[mark.role], np.zeros((0, 2)), np.zeros((0, 4))
        shape = mark.shape.flattened()
        if isinstance(shape, Point):
            dots = shape.position @ axes
        else:
            drawn = [as_seen(d, view) for d in mark_drawables(mark, bounds, role) if isinstance(d, Stroke | Arrow)]
            lines = np.concatenate([lines, *(np.hstack([d.start @ axes, d.end @ axes]) for d in drawn)])
        label = mark_label(mark)
        x, y = ((label.position if label.of is None else label_point(label.of, view)) @ axes).tolist()
        yield FlatMark(
            mark.label,
            role,
            tuple([(x, y) for x, y in dots.tolist()]),
            tuple([(x, y, u, v) for x, y, u, v in lines.tolist()]),
            (x, y),
        )


def _telling(marks: Iterable[Mark]) -> Viewport:
    """Return a view nearly along the axis in which marks reach least far, so that they are seen beside each other.

    A little from the side: three faces of a box are seen, and no corner of it covers another.
    """
    bounds = [mark.shape.flattened().bounds() for mark in marks if mark.shape.bounded]
    corners = np.concatenate([np.zeros((0, 3)), *(np.concatenate([box.lower, box.upper]) for box in bounds)])
    reach = np.ptp(corners, axis=0) if bounds else np.zeros(3)
    axis = min(_VIEWS, key=lambda k: float(reach[k]))
    target = corners.mean(axis=0) if bounds else np.zeros(3)
    eye = target + _AWAY * (float(reach.max()) or 1.0) * unit_vector(_VIEWS[axis])
    return Viewport(Camera(three(eye), three(target)), (1, 1))


def mark_drawables(mark: Mark, bounds: AABB | None, role: Role) -> list[Drawable]:
    """Return a mark as dots, lines, an arrow or a square, that of a half-space as large as the box around a scene."""
    shape = mark.shape.flattened()
    if isinstance(shape, Point):
        return [Marker(shape.position, role)]
    if isinstance(shape, HalfSpace):
        return [d for d in planes(shape, bounds, [(role, np.ones(len(shape), bool))]) if not isinstance(d, Patch)]
    if mark.role == "normal" and isinstance(shape, Segment):
        return [Arrow(shape.start, shape.end, role)]
    return [stroke_of(shape, role)]


def mark_label(mark: Mark) -> Label:
    """Return the label of a mark: above what is round or a box, along a line, and amid all else."""
    shape, text, role = mark.shape.flattened()[0], with_indices(mark.label), MARK_ROLES[mark.role]
    position = shape.core.middle()
    if isinstance(shape, Sphere | Ray | Line):
        return Label(position, text, role, Cores(*Cores.of_shape(shape)))
    if isinstance(shape, AABB | OrientedBox | ConvexHull):
        position = shape.bounds().center + shape.bounds().half_extents * [0.0, 0.0, 1.0]
    return Label(position, text, role)
