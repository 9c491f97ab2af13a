"""The only module that talks to PyVista and VTK: drawables go in, a picture and the user's events come out.

`Stage.draw` puts drawables into VTK's own arrays; what depends on the camera (marks of constant size on the
screen, labels, the small axes, how far the camera sees) is made anew just before a frame, so that it is right however
the camera was moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from collision import Camera
from viewer.camera.camera import Viewport
from viewer.camera.framing import Room
from viewer.layout.arrangement import by_type
from viewer.records.commands import Command
from viewer.records.drawables import (
    Drawable,
    Ghost,
    Ground,
    Panel,
    Row,
    SeeThrough,
    Shadows,
    ShapeFlags,
    Solid,
    Visual,
)
from viewer.records.sizes import fitting, unit_of
from viewer.records.theme import LIGHT, Theme
from viewer.stage import gl
from viewer.stage.events import Event, Handler, Handlers, Kind, Navigator, Wiring
from viewer.stage.extent import clipping_range, others
from viewer.stage.frames import grab
from viewer.stage.ground import GroundActor
from viewer.stage.marks import Marks
from viewer.stage.render_lock import locked
from viewer.stage.renderers import (
    add_layer,
    find_layers,
    in_one_layer,
    lay_above,
    left_out,
    light_up,
)
from viewer.stage.scale import power_for, scaled, scaled_camera
from viewer.stage.sight import Mark, Sight
from viewer.stage.solids.actors import SolidActors, ghostly, solid_ghosts
from viewer.stage.solids.visuals import VisualActors
from viewer.stage.text.overlay import Overlay
from viewer.stage.vtk_camera import WHOLE, aim, camera_of, scale_of, tile_of

if TYPE_CHECKING:
    import pyvista as pv

__all__ = ["Stage"]

_Any = TypeVar("_Any")

#: VTK's numbers for shapes of the cursor.
_ARROW, _HAND = 0, 9

#: Pictures of up to so many pixels (4096 x 2304) are drawn with four for each, which takes 2 GB at most; the edges of
#: larger ones are smoothed as those of the window are.
_FINE = 4096 * 2304


#: The longest side of a picture in pixels: what graphics drivers commonly draw.
_LARGEST = 16384


def checked_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a picture, if it can be one.

    Raises
    ------
    ValueError
        If it is not two whole numbers that are not too large.
    """
    if len(size) != 2 or not all(isinstance(side, int | np.integer) and 1 <= side <= _LARGEST for side in size):
        raise ValueError(f"the size of a picture must be two whole numbers from 1 to {_LARGEST}, got {size!r}")
    return int(size[0]), int(size[1])


def _plotter(size: tuple[int, int], *, off_screen: bool, title: str = "") -> pv.Plotter:
    """Return a plotter without lights, whatever the user's own theme of PyVista says."""
    import pyvista as pv

    return pv.Plotter(
        off_screen=off_screen,
        notebook=False,
        window_size=list(size),
        title=title,
        lighting="none",
        theme=pv.themes.Theme(),
    )


class Stage:
    """A picture of drawables in a PyVista plotter.

    Parameters
    ----------
    plotter : pyvista.Plotter
        Any plotter; what else is in it stays.
    theme : Theme
        What the roles look like.
    mesh : bool
        Whether to draw solids as triangles, for exports (``plotter.export_gltf``), rather than as impostors.

    See Also
    --------
    Stage.offscreen, Stage.window : stages with a plotter of their own.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> from viewer.records.drawables import Solid
    >>> ball = Solid.of(Sphere([[0, 0, 0]], 1), np.zeros(1, np.uint8))
    >>> with Stage.offscreen((160, 120)) as stage:
    ...     stage.draw([ball], Camera((4, -4, 3)))
    ...     stage.image().shape
    (120, 160, 3)
    """

    def __init__(self, plotter: pv.Plotter, theme: Theme = LIGHT, *, mesh: bool = False) -> None:
        self.plotter = plotter
        self.theme = theme
        #: How many of the plotter's pixels a pixel of the picture has, along each side.
        self._oversampling = 1
        #: Whether edges are smoothed in all that is drawn. Where the processor draws, that takes longer than all the
        #: rest, and waits while something is dragged or plays.
        self.smooth = False
        #: Whether pictures follow one another as time passes.
        self.plays = False
        self._waits: bool | None = None
        #: Whether the background is the theme's: in a user's own plotter it is the user's. Or whether there is none.
        self._paper = self._transparent = False
        #: Whether a user's own plotter peels what is see-through.
        self._peels = bool(plotter.renderer.GetUseDepthPeeling())
        self._handlers = Handlers()
        self._wiring: Wiring | None = None
        self._drawables: dict[type, list[Any]] = {}
        self._sight, self._seen = Sight({}), list[Mark]()
        #: By which power of two all that is drawn is scaled, and VTK's camera with it.
        self._power = 0
        #: The camera and the size that all was made for, None where that has to follow them anew; and whether all is
        #: as it was made.
        self._view: Viewport | None = None
        self._tile = WHOLE
        self._made = False
        self._renderer = plotter.renderer
        # VTK would leave out an actor of impostors when all their centers are out of the picture.
        self._renderer.GetCullers().RemoveAllItems()
        light_up(self._renderer)
        self._overlay, self._page = add_layer(self._window), add_layer(self._window)
        self._ground = GroundActor(theme)
        self._renderer.AddActor(self._ground.actor)
        self._solids = SolidActors(self._renderer, theme, mesh=mesh)
        self._ghosts = SolidActors(self._renderer, ghostly(theme), mesh=mesh)
        self._visuals = VisualActors(self._renderer, theme)
        self._marks = Marks(self._renderer, self._overlay)
        self._text = Overlay(self._page, theme)
        self._renderer.AddObserver("StartEvent", lambda *_: self.prepare())

    @classmethod
    @locked
    def offscreen(
        cls,
        size: tuple[int, int] = (1280, 960),
        theme: Theme = LIGHT,
        *,
        mesh: bool = False,
        transparent: bool = False,
    ) -> Self:
        """Return a stage without a window, whose pictures can do without a background.

        It draws at twice the size in both directions where it can, and averages: edges are smooth, and the same
        everywhere that software draws them.

        Raises
        ------
        ValueError
            If the size is not positive, or too large.
        GLUnavailable
            If nothing can be drawn on this machine, with what to do about it.
        """
        width, height = checked_size(size)
        gl.ensure_offscreen()
        oversampling = 2 if width * height <= _FINE else 1
        plotter = _plotter((oversampling * width, oversampling * height), off_screen=True)
        stage = cls._own(plotter, theme, mesh=mesh, transparent=transparent)
        stage._oversampling = oversampling
        stage.smooth = oversampling == 1
        return stage

    @classmethod
    def window(
        cls, size: tuple[int, int] = (1280, 960), title: str = "", theme: Theme = LIGHT, *, mesh: bool = False
    ) -> Self:
        """Return a stage with a window of its own, which `start` opens, no larger than the screen has room for."""
        plotter = _plotter(checked_size(size), off_screen=False, title=title)
        stage = cls._own(plotter, theme, mesh=mesh)
        plotter.window_size = list(fitting(checked_size(size), stage._window.GetScreenSize()))
        stage.smooth = True
        stage.steady()
        stage._listen()
        return stage

    @classmethod
    def _own(cls, plotter: pv.Plotter, theme: Theme, *, mesh: bool, transparent: bool = False) -> Self:
        stage = cls(plotter, theme, mesh=mesh)
        stage._transparent = transparent
        stage._window.SetAlphaBitPlanes(int(transparent))
        stage._window.SetMultiSamples(0)
        stage._renderer.SetUseOIT(False)
        stage._paper = True
        stage._paint_background()
        return stage

    def steady(self) -> None:
        """Have labels stay where they are in the next picture while that is as good, for windows and films."""
        self._text.stay()

    @locked
    def restyle(self, theme: Theme) -> None:
        """Look different from the next picture on. The background of a user's own plotter stays as it is."""
        if theme is self.theme:
            return
        self.theme = theme
        self._paint_background()
        self._ground.restyle(theme)
        self._text.restyle(theme)
        self._solids.restyle(theme)
        self._ghosts.restyle(ghostly(theme))
        self._visuals.restyle(theme)
        self._take_again()

    def _paint_background(self) -> None:
        if self._transparent:
            self._renderer.SetBackground(0.0, 0.0, 0.0)  # `viewer.stage.frames` says why
            self._renderer.SetBackgroundAlpha(0.0)
        elif self._paper:
            self._renderer.SetBackground(*(part / 255.0 for part in self.theme.background))

    @property
    def _window(self) -> Any:
        window = self.plotter.render_window
        if window is None:
            raise RuntimeError("the plotter of this stage is closed")
        return window

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        width, height = self._renderer.GetSize()
        return max(width // self._finer, 1), max(height // self._finer, 1)

    @property
    def camera(self) -> Camera:
        """The camera as it is now, also after the user moved it."""
        return scaled_camera(self._camera, -self._power)

    @camera.setter
    def camera(self, camera: Camera) -> None:
        aim(self._renderer.GetActiveCamera(), scaled_camera(camera, self._power))
        # PyVista would otherwise frame everything itself before the first frame.
        self._renderer.camera_set = True

    @property
    def _finer(self) -> int:
        """How many pixels are drawn, along each side, for one of the picture as it usually is."""
        return self._oversampling * scale_of(self._renderer)

    @property
    def _camera(self) -> Camera:
        """The camera that sees what is drawn, scaled as that is."""
        return tile_of(self._renderer).whole(camera_of(self._renderer.GetActiveCamera()))

    @locked
    def draw(self, drawables: Iterable[Drawable], camera: Camera | None = None) -> None:
        """Take these drawables, and no others, for the next picture. Nothing is rendered yet.

        Parameters
        ----------
        drawables : iterable of Drawable
            What is to be seen.
        camera : Camera, optional
            Where it is seen from; by default the camera stays.
        """
        if camera is not None:
            # What else is in a user's own plotter is as large as it is.
            self._power = power_for(camera) if self._paper else 0
            self.camera = camera
        self._take([scaled(drawable, self._power) for drawable in drawables])

    def _take(self, drawables: Iterable[Drawable]) -> None:
        """Take drawables that are scaled already."""
        self._drawables = by_type(drawables)
        self._sight = Sight(self._drawables)
        floors = tuple(floor for shadows in self._all(Shadows) for floor in shadows.floors)
        self._solids.update(self._all(Solid), see_through=bool(self._all(SeeThrough)), floors=floors)
        self._ghosts.update(solid_ghosts(self._all(Ghost)), self._solids.bounds, see_through=True)
        self._visuals.update(self._all(Visual))
        grounds = self._all(Ground)
        ground = grounds[-1] if grounds else None
        if ground != self._ground.ground:
            self._ground.update(ground)
        self._made = False

    def covered(self, drawables: Iterable[Drawable]) -> list[Room]:
        """Return the parts of the picture where panels and the small axes would cover what is behind them."""
        given = by_type(d for d in drawables if not (isinstance(d, Panel) and d.corner == "center"))
        width, height = self._renderer.GetSize()
        plates = self._text.arrange(given, (width, height), self._unit).covered
        return [Room(p.x / width, p.y / height, (p.x + p.width) / width, (p.y + p.height) / height) for p in plates]

    def panel_at(self, x: float, y: float) -> tuple[bool, Row | None]:
        """Say whether a panel covers a pixel of the picture, and return the row of it that is there.

        An arrow of the small axes is a row, too.
        """
        view = Viewport(self._camera, self._renderer.GetSize())
        finer = self._oversampling
        return self._text.panel_at(self._drawables, view, self._unit, finer * x, finer * y)

    def time_at(self, x: float) -> float | None:
        """Return the time at a place of the strip, the nearest that there is; None where there is no strip."""
        return self._text.time_at(self._drawables, self._renderer.GetSize(), self._unit, self._oversampling * x)

    def part_at(self, drags: Command, x: float) -> float | None:
        """Return the part of the track of a command at which a place is, beyond its ends, too; None where it is not."""
        return self._text.part_at(self._drawables, self._renderer.GetSize(), self._unit, drags, self._oversampling * x)

    def point(self, row: Row | None, takes: bool = False) -> bool:
        """Show that a click does something with a row of a panel, or (None) with none; say whether to draw anew.

        The pointer is a hand over such a row, and over a shape that a press takes.
        """
        shape = _HAND if takes or row is not None else _ARROW
        if self._window.GetCurrentCursor() != shape:
            self._window.SetCurrentCursor(shape)
        if row == self._text.hot:
            return False
        self._text.hot, self._made = row, False
        return True

    @locked
    def render(self) -> None:
        """Draw a frame."""
        window = self._window
        self.prepare()  # before VTK asks for it: an error in its callbacks would only be printed
        # Of all that is drawn below it, the last layer smooths the edges.
        self._overlay.SetUseFXAA(self.smooth and not self._in_haste)
        window.Render()
        gl.confirm(window.GetClassName())

    @property
    def _in_haste(self) -> bool:
        """Whether something is dragged or plays, and the processor draws: then what takes long waits."""
        dragged = self._wiring is not None and self._wiring.dragging
        if not (dragged or self.plays):
            return False
        if self._waits is None:
            facts = self._window.ReportCapabilities().splitlines()
            self._waits = any(gl.is_software(fact) for fact in facts if "renderer string" in fact)
        return self._waits

    def _peel(self) -> None:
        """Say how what is seen through is drawn: layer by layer, so that the nearer covers the farther in each pixel.

        Solids that overlap have no order in which they could be drawn whole; in layers, one sees where one enters the
        other. Each frame takes three to five times as long where the processor draws, so there they come in any order
        while something is dragged, and so do the layers that are left. A user's own plotter may have several samples
        for each pixel; VTK finds no layers then, and would show nothing that is seen through.
        """
        layers = (self._solids.clear or self._ghosts.clear) and self._window.GetMultiSamples() <= 1
        if layers:
            whole = bool(self._all(SeeThrough))
            through = [s.flags if whole else s.flags & ShapeFlags.FADED for s in self._all(Solid)]
            find_layers(self._renderer, sum([len(some) if whole else int(np.count_nonzero(some)) for some in through]))
        self._renderer.SetUseDepthPeeling(self._peels or (layers and not self._in_haste))

    def _settle(self) -> None:
        """Draw again what was drawn in haste."""
        if self.smooth and not self._overlay.GetUseFXAA():
            self.render()

    @locked
    def image(self) -> npt.NDArray[np.uint8]:
        """Draw a frame, and return it as an array of red, green and blue, and where it is transparent, of opacity."""
        self.render()
        return grab(self._window, self._oversampling, transparent=self._transparent)

    @contextmanager
    def for_export(self, *, triangles: bool) -> Iterator[None]:
        """Have all in the plotter as exporters can take it, as long as the context lasts; then it is as before.

        It is in one layer. As triangles, solids are meshes in their colors, and the ground is lines. Texts have no
        triangles, and what shaders draw has none: hatching, shadows.
        """
        with in_one_layer(self._renderer, self._overlay), self._triangles() if triangles else nullcontext():
            yield

    @contextmanager
    def _triangles(self) -> Iterator[None]:
        """Have nothing but triangles and lines in the plotter, as long as the context lasts."""
        own, self._solids = self._solids, SolidActors(self._renderer, self.theme, mesh=True)
        self._take_again()
        self.prepare()
        view = Viewport(self._camera, self._renderer.GetSize())
        plain = self._ground.as_lines(), self._marks.as_geometry(view, self._unit)
        theirs = *own.actors, self._ground.actor, *self._marks.actors
        shown = [actor for actor in theirs if actor.GetVisibility()]
        try:
            for actor in shown:
                actor.VisibilityOff()
            for actor in plain:
                self._renderer.AddViewProp(actor)
            with left_out(self._page):
                yield
        finally:
            for actor in (*plain, *self._solids.actors):
                self._renderer.RemoveViewProp(actor)
            for actor in shown:
                actor.VisibilityOn()
            self._solids = own
            self._take_again()

    def _take_again(self) -> None:
        self._view = None
        self._take([drawable for drawables in self._drawables.values() for drawable in drawables])

    def on(self, kind: Kind, handler: Handler) -> None:
        """Have a function called on events of a kind: press, move, release, wheel, key, resize, camera or close.

        It gets a `Pointer`, a `Wheel`, a `Key`, a `Resized` or, after the user moved the camera, the new
        `collision.Camera`. If it returns True, the event is consumed: neither an earlier handler nor the camera gets
        it. In a user's own plotter, the stage takes over mouse and keys with the first handler.
        """
        self._handlers.add(kind, handler)
        self._listen()

    def send(self, kind: Kind, event: Event) -> bool:
        """Give the handlers an event as if it came from the window; say whether one consumed it."""
        return self._handlers.send(kind, event)

    def name(self, title: str) -> None:
        """Give the window another title."""
        self._window.SetWindowName(title)

    def wake_in(self, milliseconds: int) -> bool:
        """Send a timer event to the handlers after some time, once; while one is due already, no later one.

        False where there is no window, which is never woken.
        """
        if self._wiring is not None:
            self._wiring.wake_in(milliseconds)
        return self._wiring is not None and not self.plotter.off_screen

    def start(self) -> None:
        """Open the window, and return when the user has closed it or `stop` is called; at once where there is none."""
        if not self.plotter.off_screen:
            self.plotter.show(auto_close=False, interactive=True)

    def stop(self) -> None:
        """Have `start` return, as if the user had closed the window."""
        if self.plotter.iren is not None:
            self.plotter.iren.terminate_app()

    @locked
    def close(self) -> None:
        """Close the plotter and free what it holds."""
        self.plotter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _all(self, kind: type[_Any]) -> list[_Any]:
        return self._drawables.get(kind, [])

    def _listen(self) -> None:
        if self._wiring is None and self.plotter.iren is not None:
            navigator = Navigator(lambda: Viewport(self.camera, self.size), self._moved_by_user)
            self._wiring = Wiring(self.plotter.iren.interactor, self._handlers, navigator, self._settle)

    def _moved_by_user(self, camera: Camera) -> None:
        self.camera = camera
        self._handlers.send("camera", camera)
        self.render()

    def prepare(self) -> None:
        """Make all that the next frame needs and that depends on the camera, if it has changed since it was made."""
        renderer, unit, tile = self._renderer, self._unit, tile_of(self._renderer)
        if not tile.width * tile.height:
            return  # VTK draws a part of the picture in which there is nothing of this
        view = Viewport(self._camera, renderer.GetSize())
        part = tile.pixels(view.size)
        moved = view != self._view or tile != self._tile
        if moved:
            self._view, self._tile = view, tile
            self._solids.set_view(view, unit, part)
            self._ghosts.set_view(view, unit, part)
            self._ground.set_view(unit, part)
        if not self._made or moved:
            seen = self._sight.marks(Viewport(view.camera, self.size))
            written, self._seen = self._seen, seen
            same = len(seen) == len(written) and all(new is old for new, old in zip(seen, written, strict=True))
            if not self._made or self._marks.follow or not same:
                self._marks.write([*self._solids.thin, *seen], view, self.theme, unit, self._solids.origin)
            self._text.write(self._drawables, self._sight.labels(view), seen, view, unit)
        self._made = True
        self._peel()
        known = *self._solids.actors, *self._ghosts.actors, *self._marks.actors, self._ground.actor
        bounds = self._solids.bounds, self._ghosts.bounds, self._ground.bounds, others(renderer, known)
        depths = clipping_range(np.concatenate(bounds), self._marks.depths(view, unit), view)
        renderer.GetActiveCamera().SetClippingRange(*depths)
        self._marks.set_view(view, unit, part, depths)
        lay_above(renderer, self._overlay, self._page, part)

    @property
    def _unit(self) -> float:
        return unit_of(self.size) * self._finer
