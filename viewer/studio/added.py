"""A scene in a plotter of the user's own, among whatever else is in it. PyVista is imported when one is added."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import TYPE_CHECKING, Any

from collision import AABB
from viewer.picture.present import present
from viewer.session import Session
from viewer.studio.pictures import SceneSource, as_scene

if TYPE_CHECKING:
    from pyvista import Plotter

    from viewer.records.theme import Theme
    from viewer.stage.stage import Stage


#: Methods of a plotter that write a file of what is in it.
EXPORTS = ("export_gltf", "export_html", "export_obj", "export_vrml", "export_vtksz", "save_graphic")


def add_scene(
    plotter: Plotter,
    source: SceneSource,
    *,
    hud: bool = False,
    legend: bool = False,
    grid: bool = False,
    labels: bool = True,
    theme: Theme | str | None = None,
    mesh: bool = False,
) -> AddedScene:
    """Add a scene to a plotter of the user's own, beside whatever else is in it.

    Parameters
    ----------
    plotter : pyvista.Plotter
        A camera that is set stays; otherwise the scene's own is taken, or one that frames the scene.
    source : Scene, mapping of str to Shape, or path
        See `as_scene`.
    hud, legend, grid, labels : bool
        Whether to add the table of collisions, the legend, the ground and the texts of shows.
    theme, mesh
        As for `render`.

    Returns
    -------
    AddedScene
        Its `update` shows another scene in the place of this one: for what moves.

    Raises
    ------
    TypeError
        If that is no plotter.

    Notes
    -----
    The plotter's own methods that export (``export_gltf``, ``export_html``, ``export_obj``, ``export_vrml``,
    ``export_vtksz``) find solids as triangles in their colors, dots, lines, arrows, and the grid of the ground. Such
    files have no texts, hatching and shadows. ``save_graphic`` has all of it, as a picture in the file. Around other
    exporters, put `AddedScene.for_export`.

    Examples
    --------
    >>> import pyvista as pv
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "wall": Sphere([4, 0, 0], 1)})
    >>> plotter = pv.Plotter(off_screen=True)
    >>> added = add_scene(plotter, scene)  # doctest: +SKIP
    >>> added.update(scene.moved("ball", [3, 0, 0]))  # doctest: +SKIP
    """
    from viewer.records.theme import read_theme
    from viewer.stage.stage import Stage

    if not hasattr(plotter, "renderer"):
        raise TypeError(f"add_scene takes a pyvista.Plotter, then a scene, got {type(plotter).__name__}")
    stage = Stage(plotter, read_theme(theme or "light"), mesh=mesh)
    added = AddedScene(stage, hud=hud, legend=legend, grid=grid, labels=labels)
    added.update(source)
    for name in EXPORTS:
        if hasattr(plotter, name):
            setattr(plotter, name, _exporting(getattr(plotter, name), added))
    return added


def _exporting(export: Callable[..., Any], added: AddedScene) -> Callable[..., Any]:
    """Return what exports a plot, with a scene in it as exporters can take it."""

    @wraps(export)
    def exporting(*args: Any, **options: Any) -> Any:
        with added.for_export(triangles=export.__name__ != "save_graphic" or not options.get("raster", True)):
            return export(*args, **options)

    return exporting


class AddedScene:
    """A scene in a plotter of the user's own, as `add_scene` returns it.

    Attributes
    ----------
    stage : Stage
        What draws it.
    """

    def __init__(self, stage: Stage, **wanted: bool) -> None:
        self.stage = stage
        self._wanted = wanted
        self._extent: AABB | None = None

    def for_export(self, *, triangles: bool = True) -> AbstractContextManager[None]:
        """Have the scene as exporters can take it, as long as the context lasts.

        Parameters
        ----------
        triangles : bool
            Whether solids are triangles, for files of geometry, or stay as they are, for files that are pictures.

        Returns
        -------
        context manager
            Then all is as before.

        Examples
        --------
        >>> with added.for_export():  # doctest: +SKIP
        ...     plotter.trame.export_html("plot.html")
        """
        return self.stage.for_export(triangles=triangles)

    def update(self, source: SceneSource) -> None:
        """Show another scene in the place of the last one, seen from where the plotter's camera is now.

        Parameters
        ----------
        source : Scene, mapping of str to Shape, or path
            See `as_scene`. ``plotter.render()`` then draws it.
        """
        session = Session(as_scene(source), size=self.stage.size, extent=self._extent)
        self._extent = session.document.extent  # the ground stays while shapes move
        if self.stage.plotter.renderer.camera_set:
            session.view.set_camera(self.stage.camera)
        for name, wanted in self._wanted.items():
            if getattr(session.settings.toggles, name) != wanted:
                session.settings.toggle(name)
        self.stage.draw(present(session), session.viewport.camera)
