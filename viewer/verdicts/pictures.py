"""The picture of a broken promise: what was expected beside what is, both seen with one camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision import AABB, Camera, Ray, Scene, Verdict
from viewer.camera.camera import Viewport
from viewer.files.movies import Image
from viewer.records.drawables import Drawable, Panel, SolidShape
from viewer.records.sizes import checked_size
from viewer.records.theme import LIGHT, Theme
from viewer.verdicts.drawing import caption, half_drawables, window_frame
from viewer.verdicts.records import Half, Subject
from viewer.verdicts.subject import subject_of
from viewer.verdicts.views import Sight, side_view

if TYPE_CHECKING:
    from viewer.stage.stage import Stage

#: Width and height in pixels where nothing else is asked for, and how wide the line between the halves is.
SIZE, DIVIDER = (1200, 500), 2

#: A small picture of the whole is in the corner where the large one is higher than it is by less than this part; its
#: width and height as parts of a half's, and the edge around it in pixels.
_NEAR, _INSET, _EDGE = 0.55, (0.3, 0.3), 2

#: The small picture shows so much of the size of the smaller shape.
_SURROUNDINGS = 2.5


class Layout(NamedTuple):
    """How the picture of a broken promise is made.

    Attributes
    ----------
    subject : Subject
        What it is of.
    halves : tuple of Half
        What is promised, if that can be shown, and what is.
    camera : Camera
        Where both are seen from.
    size : tuple of 2 ints
        Of a half, in pixels.
    captions : tuple of Panel
        What is written over each half.
    """

    subject: Subject
    halves: tuple[Half, ...]
    camera: Camera
    size: tuple[int, int]
    captions: tuple[Panel, ...]

    def drawables(self, row: int) -> list[Drawable]:
        """Return what is seen of one of the halves."""
        half = self.halves[row]
        shown = half_drawables(half, self.subject.names, self.subject.points, Viewport(self.camera, self.size))
        return [*shown, self.captions[row]]


class Photographer:
    """Makes pictures of broken promises, one after another, with what was set up for the first.

    Parameters
    ----------
    size : tuple of 2 ints
        Width and height of each picture, in pixels.
    theme : Theme
        The colours.

    See Also
    --------
    picture_of : for a single picture.

    Examples
    --------
    >>> from collision import Expectation, Sphere, judge
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)}
    >>> scene = Scene(balls, expectations=[Expectation("apart", "a", "b", clearance=0.1)])
    >>> with Photographer((400, 200)) as photographer:  # doctest: +SKIP
    ...     photographer.picture(scene, judge(scene).verdicts[0]).shape
    (200, 400, 3)
    """

    def __init__(self, size: tuple[int, int] = SIZE, theme: Theme = LIGHT) -> None:
        self._size, self._theme = checked_size(size), theme
        self._stages: dict[tuple[int, int], Stage] = {}

    def __enter__(self) -> Photographer:
        return self

    def __exit__(self, *_: object) -> None:
        while self._stages:
            self._stages.popitem()[1].close()

    def picture(self, scene: Scene, verdict: Verdict) -> Image | None:
        """Return the picture of a verdict on a scene; None where there is nothing to be seen of it.

        Parameters
        ----------
        scene : Scene
            The scene that was judged.
        verdict : Verdict
            What was found.
        """
        layout = self.layout(scene, verdict)
        if layout is None:
            return None
        images = [self.half(layout, row) for row in range(len(layout.halves))]
        if len(images) == 1:
            return images[0]
        line = np.full((self._size[1], self._size[0] - 2 * layout.size[0], 3), self._theme.plate_border, dtype=np.uint8)
        return np.concatenate([images[0], line, images[1]], axis=1)

    def layout(self, scene: Scene, verdict: Verdict) -> Layout | None:
        """Return how the picture of a verdict on a scene is made; None where there is nothing to be seen of it."""
        subject = subject_of(scene, verdict)
        if subject is None:
            return None
        halves = (subject.actual,) if subject.promised is None else (subject.promised, subject.actual)
        width, height = self._size
        size = ((width - DIVIDER) // 2, height) if len(halves) == 2 else (width, height)
        captions = _captions(verdict, len(halves), size, self._theme)
        top = max(self._covered(panel, size) for panel in captions)
        camera = side_view(subject.actual.scene, _sight(subject), size, top)
        cleared = halves[-1]._replace(clear=halves[-1].clear or _in_front(halves[-1], Viewport(camera, size)))
        return Layout(subject, (*halves[:-1], cleared), camera, size, captions)

    def half(self, layout: Layout, row: int) -> Image:
        """Return the picture of one half, with a small one of all around it where it is seen from very near."""
        image = self.draw(layout.drawables(row), layout.camera, layout.size)
        whole = _whole(layout)
        if whole is None or row + 1 < len(layout.halves):
            return image
        return self._with_inset(image, layout, whole)

    def draw(self, drawables: Sequence[Drawable], camera: Camera, size: tuple[int, int]) -> Image:
        """Return the picture of some drawables."""
        stage = self._stage(size)
        stage.draw(drawables, camera)
        return stage.image()

    def _with_inset(self, image: Image, layout: Layout, camera: Camera) -> Image:
        size = _inset_size(layout.size)
        view = Viewport(camera, size)
        half = layout.halves[-1]._replace(marks=(), closeup=None)
        shown = half_drawables(half, layout.subject.names, layout.subject.points, view, named=False)
        frame = window_frame(layout.camera.parallel_height or 1.0, view, np.array(layout.camera.target), layout.size)
        small = self.draw([*shown, frame], camera, size)
        wide, high = size
        edged = np.full((high + 2 * _EDGE, wide + 2 * _EDGE, 3), self._theme.plate_border, dtype=np.uint8)
        edged[_EDGE:-_EDGE, _EDGE:-_EDGE] = small
        found = image.copy()
        corner = slice(None, edged.shape[1]) if _is_right(layout) else slice(-edged.shape[1], None)
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


def picture_of(scene: Scene, verdict: Verdict, size: tuple[int, int] = SIZE, theme: Theme = LIGHT) -> Image | None:
    """Return the picture of a verdict: what was expected beside what is; None where there is nothing to be seen of it.

    For many, use a `Photographer`.

    Parameters
    ----------
    scene : Scene
        The scene that was judged.
    verdict : Verdict
        One of its verdicts.
    size : tuple of 2 ints
        Width and height in pixels.
    theme : Theme
        The colours.

    Returns
    -------
    ndarray of uint8, shape (height, width, 3), or None
        The pair of the verdict at its worst moment, seen at a right angle to its normal, what hides it faded. On the
        left the second of the pair is moved as the verdict says that mends it; where no move is known there is one
        picture alone.

    Raises
    ------
    GLUnavailable
        If nothing can be drawn on this machine.
    """
    with Photographer(size, theme) as photographer:
        return photographer.picture(scene, verdict)


def worst_view(scene: Scene, a: str, b: str, size: tuple[int, int]) -> Camera:
    """Return the camera that sees where two shapes of a scene at rest are nearest, as pictures of broken promises do.

    Parameters
    ----------
    scene : Scene
        At rest.
    a, b : str
        The names of two single shapes.
    size : tuple of 2 ints
        Of the picture, in pixels.

    Raises
    ------
    ValueError
        If the distance of the two is not finite.
    """
    subject = subject_of(scene, Verdict("", False, "", "", pair=(a, b)))
    if subject is None:
        raise ValueError(f"{a} and {b} have no place where they are nearest")
    return side_view(subject.actual.scene, _sight(subject), size)


def _sight(subject: Subject) -> Sight:
    scene = subject.actual.scene
    own = tuple(int(number) for name in subject.names for number in scene.element_numbers(name))
    return Sight(subject.across, subject.points, subject.boxes, subject.length, own)


def _captions(verdict: Verdict, count: int, size: tuple[int, int], theme: Theme) -> tuple[Panel, ...]:
    actual = verdict.actual
    if count == 1:
        return (caption(f"expected: {verdict.expected}", f"actual: {actual}", size, theme),)
    return caption("expected", verdict.expected, size, theme), caption("actual", actual, size, theme)


def _whole(layout: Layout) -> Camera | None:
    """Return the camera that sees the smaller of the two whole; None where the picture does so itself."""
    sight = _sight(layout.subject)
    sizes = np.linalg.norm(np.ptp(np.stack([sight.boxes.lower, sight.boxes.upper]), axis=0), axis=-1)
    sizes = sizes[sizes > 0.0]
    height = layout.camera.parallel_height
    if height is None or not len(sizes):
        return None
    whole = AABB.union(sight.boxes)
    wanted = min(_SURROUNDINGS * float(sizes.min()), 1.2 * float(np.linalg.norm(whole.upper - whole.lower)))
    if height >= _NEAR * wanted:
        return None
    middle = sight.points.mean(axis=0)
    away = np.subtract(layout.camera.position, layout.camera.target)
    x, y, z = middle.tolist()
    px, py, pz = (middle + away + 2.0 * wanted * away / np.linalg.norm(away)).tolist()
    return replace(layout.camera, position=(px, py, pz), target=(x, y, z), parallel_height=wanted)


def _in_front(half: Half, viewport: Viewport) -> tuple[str, ...]:
    """Return which of two that overlap is before the other: one sees through it how far that is in it."""
    pair = half.closeup
    if pair is None or not pair.signed_distance < 0.0:
        return ()
    point = pair.contact.point
    start = point - float((point - viewport.eye) @ viewport.forward) * viewport.forward
    hit = Scene({"a": pair.shapes[0], "b": pair.shapes[1]}).raycast(Ray(start, viewport.forward))
    first = {"a": pair.a, "b": pair.b}.get(str(hit.name))
    return (first,) if first is not None and isinstance(half.scene[first], SolidShape) else ()


def _is_right(layout: Layout) -> bool:
    """Tell whether it happens in the right half of the picture: the small picture is then in the left corner."""
    points = Viewport(layout.camera, layout.size).project(layout.subject.points)[0]
    return bool(points[:, 0].mean() >= 0.5 * layout.size[0])


def _inset_size(size: tuple[int, int]) -> tuple[int, int]:
    return max(round(_INSET[0] * size[0]), 64), max(round(_INSET[1] * size[1]), 64)
