"""Show which shapes of a scene collide: in a window, in a picture, in an animation or in a plot of your own.

Examples
--------
>>> from collision import Capsule, Scene, Sphere
>>> import viewer
>>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "arm": Capsule([1, 0, -1], [1, 0, 2], 0.3)})
>>> viewer.render(scene, "picture.png")  # doctest: +SKIP
>>> viewer.view(scene)  # doctest: +SKIP
"""

from viewer.catalogue import Example, find_examples
from viewer.pictures import AddedScene, SceneSource, add_scene, as_scene, render, render_frames
from viewer.size import DEFAULT

__all__ = [
    "AddedScene",
    "Example",
    "SceneSource",
    "add_scene",
    "as_scene",
    "find_examples",
    "render",
    "render_frames",
    "view",
]


def view(source: SceneSource, *, size: tuple[int, int] = DEFAULT, view: str | None = None) -> None:
    """Open a window on a scene, and return when it is closed.

    Click a shape to select it, drag its handles to move it, and press ``h`` for the keys.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to show: a scene, shapes by name, the path of a scene file or a model, or the name of an example.
    size : tuple of 2 ints
        Width and height of the window in pixels.
    view : str, optional
        ``iso``, ``x``, ``y``, ``z``, ``-x``, ``-y`` or ``-z``: look from there at the whole scene.

    Raises
    ------
    ValueError
        If the source is no scene, the view is none, or a side is not from 64 to 8192 pixels.
    RuntimeError
        If there is no display; the message says what to use instead.
    """
    from viewer.app import run

    run(as_scene(source), size=size, view=view)
