"""A step of an explanation in the scene: its marks, each in the role that it has, with its label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
)
from collision.inner import FloatArray, Mark, Plot, Step, Value, listed
from viewer.camera.camera import Viewport, unit_vector
from viewer.camera.outline import EDGES, corners_of
from viewer.picture.planes import planes
from viewer.picture.shapes import clipped, view_ball
from viewer.records.commands import Command
from viewer.records.drawables import (
    MARK_ROLES,
    Arrow,
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

#: Straight pieces of a circle.
_PIECES = 48

_TURN = np.linspace(0.0, 2.0 * np.pi, _PIECES + 1)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)

#: Ways to the eye that look at another space, each nearly along an axis.
_VIEWS = {1: np.array([0.36, -1.0, 0.3]), 0: np.array([1.0, -0.36, 0.3]), 2: np.array([0.3, -0.36, 1.0])}


def step_marks(step: Step, scene: Scene, viewport: Viewport, highlighted: str = "") -> list[Drawable]:
    """Return what a step draws in the scene; the mark that is highlighted has a halo.

    Parameters
    ----------
    step : Step
        Its marks are in the world.
    scene : Scene
        What has no end is drawn as far as it and the picture reach.
    viewport : Viewport
        How it is seen.
    highlighted : str
        The label of the mark under the pointer.
    """
    drawables: list[Drawable] = []
    for mark in step.marks:
        shape = mark.shape
        if mark.label == highlighted:
            drawables += mark_drawables(mark, scene, viewport, Role.HOVERED)
        drawables += mark_drawables(mark, scene, viewport, MARK_ROLES[mark.role])
        at = label_place(shape, scene, viewport)
        if at is not None and mark.label:
            drawables.append(Label(at, with_indices(mark.label), MARK_ROLES[mark.role]))
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
    space = () if step.space is None else tuple(flat_marks(step.space.marks, session.scene, session.viewport))
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


def flat_marks(marks: Iterable[Mark], scene: Scene, viewport: Viewport) -> Iterator[FlatMark]:
    """Yield marks of another space without perspective, seen from where what they tell is seen.

    `viewport` says how large the picture is, and how far the camera is away.
    """
    marks = list(marks)
    viewport = _telling(marks, viewport)
    axes = np.stack([viewport.right, viewport.up], axis=1)
    for mark in marks:
        role, dots, lines = MARK_ROLES[mark.role], np.zeros((0, 2)), np.zeros((0, 4))
        shape = mark.shape.flattened()
        if isinstance(shape, Point):
            dots = shape.position @ axes
        else:
            drawn = [d for d in mark_drawables(mark, scene, viewport, role) if isinstance(d, Stroke | Arrow)]
            lines = np.concatenate([lines, *(np.hstack([d.start @ axes, d.end @ axes]) for d in drawn)])
        at = label_place(shape, scene, viewport)
        place = None if at is None else (float(at @ axes[:, 0]), float(at @ axes[:, 1]))
        yield FlatMark(
            mark.label,
            role,
            tuple([(x, y) for x, y in dots.tolist()]),
            tuple([(x, y, u, v) for x, y, u, v in lines.tolist()]),
            place,
        )


def _telling(marks: Iterable[Mark], viewport: Viewport) -> Viewport:
    """Return a view nearly along the axis in which marks reach least far, so that they are seen beside each other.

    A little from the side: three faces of a box are seen, and no corner of it covers another.
    """
    bounds = [mark.shape.flattened().bounds() for mark in marks if mark.shape.bounded]
    corners = np.concatenate([np.zeros((0, 3)), *(np.concatenate([box.lower, box.upper]) for box in bounds)])
    reach = np.ptp(corners, axis=0) if bounds else np.zeros(3)
    axis = min(_VIEWS, key=lambda k: float(reach[k]))
    target = np.array(viewport.camera.target)
    far = float(np.linalg.norm(target - viewport.eye))
    eye = target + far * unit_vector(_VIEWS[axis])
    return replace(viewport, camera=replace(viewport.camera, position=tuple(eye.tolist()), up=(0.0, 0.0, 1.0)))


def mark_drawables(mark: Mark, scene: Scene, viewport: Viewport, role: Role) -> list[Drawable]:
    """Return a mark as dots, lines, an arrow or a square."""
    shape = mark.shape.flattened()
    if isinstance(shape, Point):
        return [Marker(shape.position, role)]
    if isinstance(shape, HalfSpace):
        return [
            d for d in planes(shape, scene.bounds(), [(role, np.ones(len(shape), bool))]) if not isinstance(d, Patch)
        ]
    start, end = lines_of(shape, scene, viewport)
    return [(Arrow if mark.role == "normal" and isinstance(shape, Segment) else Stroke)(start, end, role)]


def lines_of(shape: Shape, scene: Scene, viewport: Viewport) -> tuple[FloatArray, FloatArray]:
    """Return the lines that a flat batch of shapes is drawn with: their starts and ends (n, 3)."""
    if isinstance(shape, Segment):
        return shape.start, shape.end
    if isinstance(shape, Ray | Line):
        start, end = clipped(shape, view_ball(scene, viewport))
        seen = ~np.isnan(start[:, 0])
        return start[seen], end[seen]
    if isinstance(shape, AABB | OrientedBox):
        ends = corners_of(shape)[EDGES]
        return ends[:, 0].reshape(-1, 3), ends[:, 1].reshape(-1, 3)
    paths = [path for k in range(len(shape)) for path in _paths(shape[k], viewport)]
    starts, ends = zip(*((path[:-1], path[1:]) for path in paths), strict=True)
    return np.concatenate(starts), np.concatenate(ends)


def _paths(shape: Shape, viewport: Viewport) -> list[FloatArray]:
    """Return the outline of a single round solid, as it is seen, as paths (n, 3)."""
    if isinstance(shape, Sphere):
        return [_circle(shape.center, float(shape.radius), viewport.right, viewport.up)]
    if isinstance(shape, Capsule):
        return [*_around(shape, viewport)]
    raise TypeError(f"a mark of a {type(shape).__name__} cannot be drawn")


def _circle(center: FloatArray, radius: float, right: FloatArray, up: FloatArray) -> FloatArray:
    return np.asarray(center + radius * (_CIRCLE @ np.stack([right, up])))


def _around(capsule: Capsule, viewport: Viewport) -> list[FloatArray]:
    """Return both end circles of a capsule and the lines that touch them, as they are seen."""
    radius = float(capsule.radius)
    circles = [_circle(end, radius, viewport.right, viewport.up) for end in (capsule.start, capsule.end)]
    aside = np.cross(capsule.end - capsule.start, viewport.forward)
    length = float(np.linalg.norm(aside))
    if length > 0.0:
        offset = radius / length * aside
        circles += [np.stack([capsule.start + way, capsule.end + way]) for way in (offset, -offset)]
    return circles


def label_place(shape: Shape, scene: Scene, viewport: Viewport) -> FloatArray | None:
    """Return where the label of a mark belongs; None where nothing of it is seen."""
    shape = shape.flattened()[0]
    if isinstance(shape, Point):
        return np.asarray(shape.position)
    if isinstance(shape, HalfSpace | Ray | Line):
        if isinstance(shape, HalfSpace):
            return shape.core.middle()
        start, end = clipped(shape[None], view_ball(scene, viewport))
        origin = shape.core.middle()
        way = end[0] - start[0]
        reach = 0.2 * viewport.size[1] * float(viewport.units_per_pixel(origin))
        length = float(np.linalg.norm(way))
        return None if not length > 0.0 else np.asarray(origin + min(reach, 0.5 * length) / length * way)
    if isinstance(shape, Sphere):
        return np.asarray(shape.center + float(shape.radius) * viewport.up)
    if isinstance(shape, AABB | OrientedBox):
        return np.asarray(shape.bounds().center + shape.bounds().half_extents * [0.0, 0.0, 1.0])
    assert isinstance(shape, Segment | Capsule)
    return 0.5 * np.asarray(shape.start) + 0.5 * np.asarray(shape.end)
