"""The picture of a broken promise: what was expected beside what is, both seen with one camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from collision import AABB, Camera, Ray, Scene, Verdict
from collision.scenefile import dump_scene, parse_scene
from viewer.camera.camera import Viewport
from viewer.files.movies import Image, png
from viewer.picture.meeting import meeting_curves
from viewer.picture.names import name_label
from viewer.picture.pairs import closeup_marks
from viewer.picture.planes import shadows
from viewer.picture.shapes import shape_drawables
from viewer.picture.shows import NORMAL_LENGTH
from viewer.records.drawables import Arrow, Drawable, Label, Panel, Role, Row, ShapeFlags, SolidShape, Stroke
from viewer.records.ground import ground
from viewer.records.sizes import checked_size, pixel_scale, unit_of
from viewer.records.text import wrapped
from viewer.records.theme import LIGHT, Theme
from viewer.stage.gl import GLUnavailable
from viewer.verdicts.before_after import BeforeAfter, DrawnScene, before_after
from viewer.verdicts.minimal import minimal_scene
from viewer.verdicts.results import PromiseResult, Run, SceneResult
from viewer.verdicts.views import covering, side_view

if TYPE_CHECKING:
    from viewer.stage.stage import Stage

#: Width and height in pixels where nothing else is asked for, and how wide the line between the halves is.
SIZE, DIVIDER = (1200, 500), 2

#: A small picture of the whole is in the corner where the large one is higher than it is by less than this part; its
#: width and height as parts of a half's, and the edge around it in pixels.
_NEAR, _INSET, _EDGE = 0.55, (0.3, 0.3), 2

#: The small picture shows so much of the size of the smaller shape.
_SURROUNDINGS = 2.5

#: So many lines of a caption, at most; and what of the width of the picture they fill, at most.
_LINES, _WIDTH = 4, 0.9

#: The reason why nothing at all can be drawn here, beside those why one picture cannot.
_NO_GL = ""

#: The longest scene file that a report repeats, in characters.
_LONGEST = 20_000


class PlannedPicture(NamedTuple):
    """How the picture of a broken promise is drawn: as it was promised, if that can be shown, and as it is."""

    shown: BeforeAfter
    halves: tuple[DrawnScene, ...]
    camera: Camera
    size: tuple[int, int]
    captions: tuple[Panel, ...]

    @property
    def viewport(self) -> Viewport:
        """How both halves are seen."""
        return Viewport(self.camera, self.size)

    def drawables(self, row: int) -> list[Drawable]:
        """Return what is seen of one of the halves."""
        return [*_drawables(self.halves[row], self.shown, self.viewport), self.captions[row]]


#: Makes the pictures of a scene live, which are drawn as planned.
Enliven: TypeAlias = Callable[[SceneResult, Scene, Mapping[str, PlannedPicture]], SceneResult]


class ReportRenderer:
    """Makes pictures of broken promises, one after another, with what was set up for the first."""

    def __init__(self, size: tuple[int, int] = SIZE, theme: Theme = LIGHT) -> None:
        self._size, self._theme = checked_size(size), theme
        self._stages: dict[tuple[int, int], Stage] = {}

    def __enter__(self) -> ReportRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        while self._stages:
            self._stages.popitem()[1].close()

    def picture(self, scene: Scene, verdict: Verdict) -> Image | None:
        """Return the picture of a verdict on a scene; None where there is nothing to be seen of it."""
        plan = self.plan(scene, verdict)
        return None if plan is None else self.drawn(plan)

    def drawn(self, plan: PlannedPicture) -> Image:
        """Return a picture that is planned."""
        images = [self.half(plan, row) for row in range(len(plan.halves))]
        if len(images) == 1:
            return images[0]
        line = np.full((self._size[1], self._size[0] - 2 * plan.size[0], 3), self._theme.plate_border, dtype=np.uint8)
        return np.concatenate([images[0], line, images[1]], axis=1)

    def plan(self, scene: Scene, verdict: Verdict) -> PlannedPicture | None:
        """Return how the picture of a verdict on a scene is drawn; None where there is nothing to be seen of it."""
        shown = before_after(scene, verdict)
        if shown is None:
            return None
        halves = (shown.actual,) if shown.promised is None else (shown.promised, shown.actual)
        width, height = self._size
        size = ((width - DIVIDER) // 2, height) if len(halves) == 2 else (width, height)
        captions = _captions(verdict, len(halves), size, self._theme)
        top = max(self._covered(panel, size) for panel in captions)
        camera = side_view(shown, size, top)
        cleared = halves[-1]._replace(clear=(*halves[-1].clear, *_in_front(halves[-1], Viewport(camera, size))))
        return PlannedPicture(shown, (*halves[:-1], cleared), camera, size, captions)

    def half(self, plan: PlannedPicture, row: int) -> Image:
        """Return the picture of one half, with a small one of all around it where it is seen from very near."""
        image = self.draw(plan.drawables(row), plan.camera, plan.size)
        whole = _whole(plan)
        if whole is None or row + 1 < len(plan.halves):
            return image
        return self._with_inset(image, plan, whole)

    def draw(self, drawables: Sequence[Drawable], camera: Camera, size: tuple[int, int]) -> Image:
        """Return the picture of some drawables."""
        stage = self._stage(size)
        stage.draw(drawables, camera)
        return stage.image()

    def _with_inset(self, image: Image, plan: PlannedPicture, camera: Camera) -> Image:
        wide, high = size = _inset_size(plan.size)
        view = Viewport(camera, size)
        alone = plan.halves[-1]._replace(marks=(), closeup=None)
        frame = _frame(plan, view)
        small = self.draw([*_drawables(alone, plan.shown, view, named=False), frame], camera, size)
        edged = np.full((high + 2 * _EDGE, wide + 2 * _EDGE, 3), self._theme.plate_border, dtype=np.uint8)
        edged[_EDGE:-_EDGE, _EDGE:-_EDGE] = small
        found = image.copy()
        corner = slice(None, edged.shape[1]) if _is_right(plan) else slice(-edged.shape[1], None)
        found[-edged.shape[0] :, corner] = edged
        return found

    def _covered(self, panel: Panel, size: tuple[int, int]) -> float:
        """Return which part of the height of a picture a caption covers."""
        rooms = self._stage(size).covered([panel])
        return max((1.0 - room.bottom for room in rooms if room.top > 0.9), default=0.0)

    def _stage(self, size: tuple[int, int]) -> Stage:
        if size not in self._stages:
            from viewer.stage.stage import Stage

            self._stages[size] = Stage.offscreen(size, self._theme)
        return self._stages[size]


def picture_of(scene: Scene, verdict: Verdict) -> Image | None:
    """Return the picture of a verdict: what was expected beside what is; None where nothing is to be seen of it.

    The pair is seen at a right angle to its normal, at its worst moment; where no move mends it there is no left half.
    """
    with ReportRenderer() as renderer:
        return renderer.picture(scene, verdict)


def worst_view(scene: Scene, a: str, b: str, size: tuple[int, int]) -> Camera:
    """Return the camera that sees where two shapes of a scene at rest are nearest, as in reports."""
    shown = before_after(scene, Verdict("", False, "", "", pair=(a, b)))
    if shown is None:
        raise ValueError(f"{a} and {b} have no place where they are nearest")
    return side_view(shown, size)


# -- the pictures of a run ---------------------------------------------------------------------------------------------


def illustrated(run: Run, enliven: Enliven | None = None) -> tuple[Run, list[Exception]]:
    """Return a run whose broken promises have pictures and small scenes, and why some have none, each reason once.

    What `viewer.verdicts.live` has to `enliven` pictures is done to each scene.
    """
    failed: dict[str, Exception] = {}
    scenes = []
    with ReportRenderer() as renderer:
        for scene in run.scenes:
            judged = parse_scene(scene.text, scene.path) if scene.text else None
            plans: dict[str, PlannedPicture] = {}
            promises = [
                promise
                if judged is None or promise.state == "held"
                else _with_picture(promise, judged, renderer, failed, plans)
                for promise in scene.promises
            ]
            shown = scene.with_promises(promises)
            if enliven is not None and judged is not None and plans:
                shown = _with_life(shown, judged, plans, failed, enliven)
            scenes.append(shown)
    return run.with_scenes(scenes), list(failed.values())


def _with_picture(
    promise: PromiseResult,
    scene: Scene,
    renderer: ReportRenderer,
    failed: dict[str, Exception],
    plans: dict[str, PlannedPicture],
) -> PromiseResult:
    """Return the record of a promise with its picture, and put how that is drawn with the other `plans`."""
    image, example = b"", ""
    try:
        verdict = promise.verdict(scene)
        small = minimal_scene(scene, verdict)
        example = "" if small is None else dump_scene(small)
        if promise.file and _NO_GL not in failed:
            plan = renderer.plan(scene, verdict)
            if plan is not None:
                image = png(renderer.drawn(plan))
                plans[promise.id] = plan
    except GLUnavailable as error:
        failed[_NO_GL] = error
    except Exception as error:
        failed.setdefault(repr(error), error)
    return promise.model_copy(update={"image": image, "example": example if len(example) <= _LONGEST else ""})


def _with_life(
    result: SceneResult,
    scene: Scene,
    plans: Mapping[str, PlannedPicture],
    failed: dict[str, Exception],
    enliven: Enliven,
) -> SceneResult:
    try:
        return enliven(result, scene, plans)
    except Exception as error:
        failed.setdefault(repr(error), error)
        return result.model_copy(update={"still": f"Its pictures cannot be made live: {error}"})


# -- what is drawn -----------------------------------------------------------------------------------------------------


def _drawables(drawn: DrawnScene, shown: BeforeAfter, viewport: Viewport, *, named: bool = True) -> list[Drawable]:
    """Return what is seen of one half: shapes, marks, and on demand the names of those that it is about."""
    scene, own = drawn.scene, shown.numbers
    flags = np.zeros(scene.element_count, dtype=np.uint8)
    flags[covering(shown, scene, viewport)] |= np.uint8(ShapeFlags.FADED)
    flags[list(own)] |= np.uint8(drawn.flag)
    for name in drawn.clear:
        flags[list(scene.element_numbers(name))] |= np.uint8(ShapeFlags.FADED)
    marks = list(drawn.marks)
    if drawn.closeup is not None:
        pair = Scene(dict(zip("ab", drawn.closeup.shapes, strict=True)))
        marks += meeting_curves(pair, pair.contacts(), np.zeros(2, np.uint8))
        marks += closeup_marks(drawn.closeup, ghost=False, whole=True)
    marks += promised_marks(drawn, viewport)
    below = ground(scene.bounds())
    return [
        below,
        shadows(scene, below),
        *shape_drawables(scene, flags),
        *marks,
        *(name_label(name, scene[name]) for name in shown.names if named),
    ]


def promised_marks(drawn: DrawnScene, viewport: Viewport) -> list[Drawable]:
    """Return the arrow of a direction that was promised, if one was, longer than that of the normal as it is."""
    if drawn.closeup is None or drawn.promised_normal is None:
        return []
    point, normal = drawn.closeup.contact.point, drawn.promised_normal
    length = 1.6 * NORMAL_LENGTH
    tip = point + length * pixel_scale(viewport.size) * viewport.units_per_pixel(point) * normal
    return [Arrow(np.zeros((1, 3)), length * normal[None], Role.GHOST, point[None]), Label(tip, "promised")]


def _captions(verdict: Verdict, count: int, size: tuple[int, int], theme: Theme) -> tuple[Panel, ...]:
    actual = verdict.actual
    if count == 1:
        return (_caption(f"expected: {verdict.expected}", f"actual: {actual}", size, theme),)
    return _caption("expected", verdict.expected, size, theme), _caption("actual", actual, size, theme)


def _caption(title: str, text: str, size: tuple[int, int], theme: Theme) -> Panel:
    """Return what is written over a half: whether it is what was promised or what is, and its words."""
    room = _WIDTH * size[0] / (unit_of(size) * theme.font_size)
    lines = wrapped(text, room)
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], lines[_LINES - 1] + " ..."]
    return Panel("upper-left", tuple(map(Row, lines)), title)


def _frame(plan: PlannedPicture, viewport: Viewport) -> Stroke:
    """Return the rectangle that the large picture shows, as strokes of the small one."""
    half = 0.5 * (plan.camera.parallel_height or 1.0)
    across, up = half * plan.size[0] / plan.size[1] * viewport.right, half * viewport.up
    middle = np.array(plan.camera.target)
    ends = np.stack([middle - across - up, middle + across - up, middle + across + up, middle - across + up])
    return Stroke(ends, np.roll(ends, -1, axis=0), Role.HOT)


def _whole(plan: PlannedPicture) -> Camera | None:
    """Return the camera that sees the smaller of the two whole; None where the picture does so itself."""
    sizes = np.linalg.norm(np.ptp(np.stack([plan.shown.boxes.lower, plan.shown.boxes.upper]), axis=0), axis=-1)
    sizes = sizes[sizes > 0.0]
    height = plan.camera.parallel_height
    if height is None or not len(sizes):
        return None
    whole = AABB.union(plan.shown.boxes)
    wanted = min(_SURROUNDINGS * float(sizes.min()), 1.2 * float(np.linalg.norm(whole.upper - whole.lower)))
    if height >= _NEAR * wanted:
        return None
    middle = plan.shown.points.mean(axis=0)
    away = np.subtract(plan.camera.position, plan.camera.target)
    x, y, z = middle.tolist()
    px, py, pz = (middle + away + 2.0 * wanted * away / np.linalg.norm(away)).tolist()
    return replace(plan.camera, position=(px, py, pz), target=(x, y, z), parallel_height=wanted)


def _in_front(drawn: DrawnScene, viewport: Viewport) -> tuple[str, ...]:
    """Return which of two that overlap is before the other: one sees through it how far that is in it."""
    pair = drawn.closeup
    if pair is None or not pair.signed_distance < 0.0:
        return ()
    point = pair.contact.point
    start = point - float((point - viewport.eye) @ viewport.forward) * viewport.forward
    hit = Scene({"a": pair.shapes[0], "b": pair.shapes[1]}).raycast(Ray(start, viewport.forward))
    first = {"a": pair.a, "b": pair.b}.get(str(hit.name))
    return (first,) if first is not None and isinstance(drawn.scene[first], SolidShape) else ()


def _is_right(plan: PlannedPicture) -> bool:
    """Tell whether it happens in the right half of the picture: the small picture is then in the left corner."""
    points = plan.viewport.project(plan.shown.points)[0]
    return bool(points[:, 0].mean() >= 0.5 * plan.size[0])


def _inset_size(size: tuple[int, int]) -> tuple[int, int]:
    return max(round(_INSET[0] * size[0]), 64), max(round(_INSET[1] * size[1]), 64)
