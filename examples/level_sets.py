"""Level sets of a distance.

How far is every place from the nearest of these shapes? Lines of equal distance say it. Try: drag the ball, and the
lines follow; run python examples/level_sets.py for a shell, too.

The latter opens a window with finer lines and the shell; with a file name, as ``sets.png``, it writes a picture.

The distances of a million and a half places come from two calls of ``scene.nearest(Point(places))``; PyVista finds the
lines and the shell among them. Where two shapes are equally near the lines have corners.
"""

import sys
from typing import TypeAlias

import numpy as np
import pyvista as pv

from collision import AABB, Camera, Capsule, Expectation, OrientedBox, Point, Scene, Sphere, signed_distance
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: What the lines and the shell are, where they are drawn.
DRAWN = (
    "How far is every place from the nearest shape? In the cut through the scene each line joins places of one "
    "distance, from 0.2 to 0.2, and the black ones are the surfaces. The shell below joins all that are 0.6 away."
)

#: A corner of a room.
Corner: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

#: The step from line to line, how far away the shell is, and how many places there are along each side.
STEP, SHELL, PLACES = 0.2, 0.6, 100

#: What the lines are called in the scene, and how many places they are found among there.
LEVELS, COARSE = "lines", [85, 65, 1]

#: The corners of the room around the shapes; the cut is at the height of zero.
LOWER, UPPER = np.array([-4.2, -3.2, -2.0]), np.array([4.2, 3.2, 2.0])


def scene() -> Scene:
    """Return the shapes, with lines of equal distance around them."""
    return react(_shapes())


def react(scene: Scene) -> Scene:
    """Return a scene with the lines around its shapes as they are now: what a window shows after each change."""
    bare = scene.without(LEVELS) if LEVELS in scene else scene
    found = lines(measured(bare, LOWER * [1, 1, 0], UPPER * [1, 1, 0], COARSE))
    first, last = (found.points[found.lines.reshape(-1, 3)[:, k]].astype(np.float64) for k in (1, 2))
    long = np.linalg.norm(last - first, axis=1) > 0.03  # shorter ones would be dots
    drawn = Capsule(first[long], last[long], 0.012)
    return bare.replaced(shapes={**bare.shapes, LEVELS: drawn}, ignored=[(LEVELS, "*")])


def _shapes() -> Scene:
    turn = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
    return Scene(
        {
            "ball": Sphere([-2.3, -0.8, 0.0], 0.7),
            "rod": Capsule([-1.9, 1.6, 0.3], [0.5, 1.4, -0.1], 0.3),
            "crate": OrientedBox([2.2, 0.9, 0.1], turn, [0.8, 0.5, 0.4]),
            "slab": AABB([0.2, -1.8, -0.5], [1.7, -1.0, 0.4]),
        },
        camera=Camera(position=(2.0, -11.0, 9.0), target=(-0.25, -0.2, -0.3)),
        expectations=[
            Expectation("apart", "*", "*", clearance=0.5),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def measured(shapes: Scene, lower: Corner, upper: Corner, sides: list[int]) -> pv.ImageData:
    """Return a grid with the signed distance of each of its points from the nearest shape."""
    spacing = (upper - lower) / np.maximum(np.array(sides) - 1, 1)
    grid = pv.ImageData(dimensions=sides, spacing=np.where(spacing > 0.0, spacing, 1.0), origin=lower)
    nearest = shapes.nearest(Point(grid.points))
    assert nearest is not None
    grid["distance"] = nearest.signed_distance
    return grid


def cut(shapes: Scene) -> pv.ImageData:
    """Return the plane through the shapes, of many places, which keeps the corners of the lines sharp."""
    return measured(shapes, LOWER * [1, 1, 0], UPPER * [1, 1, 0], [8 * PLACES, 6 * PLACES, 1])


def lines(plane: pv.ImageData) -> pv.PolyData:
    """Return the lines of equal distance outside of the shapes."""
    return plane.contour(np.arange(STEP, plane.get_data_range("distance")[1], STEP), scalars="distance")


def shell(shapes: Scene) -> pv.PolyData:
    """Return what is as far away as the shell is, below the cut."""
    lower_half = measured(shapes, LOWER, UPPER * [1, 1, 0], [2 * PLACES, 2 * PLACES, PLACES // 2])
    return lower_half.contour([SHELL], scalars="distance")


def plotter(*, off_screen: bool = False) -> pv.Plotter:
    """Return a plotter with the shapes, the cut and the shell in it."""
    import viewer

    shapes = _shapes()
    plane = cut(shapes)
    plot = pv.Plotter(window_size=[1000, 750], off_screen=off_screen)
    viewer.add_scene(plot, shapes.replaced(caption=DRAWN))
    bands = {"cmap": "Blues_r", "clim": (-1.0, 2.4), "show_scalar_bar": False, "lighting": False}
    plot.add_mesh(plane.threshold(0.0), n_colors=17, opacity=0.55, **bands)
    surfaces = plane.contour([0.0], scalars="distance")
    for drawn, color, radius in ((lines(plane), "#2b5c8a", 0.01), (surfaces, "black", 0.02)):
        plot.add_mesh(drawn.strip().tube(radius=radius), color=color)
    plot.add_mesh(shell(shapes), color="#7fb2d9", opacity=0.5, smooth_shading=True)
    return plot


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    shapes, place = _shapes(), Point([0.0, 0.0, 0.0])
    nearest = shapes.nearest(place)
    assert nearest is not None
    print(f"{shapes.nearest(place).name = }")
    print(f"{float(shapes.nearest(place).signed_distance.round(3)) = }")
    print(f"{float(signed_distance(place, shapes['crate']).round(3)) = }")


if __name__ == "__main__":
    from viewer.studio.app import check_display
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        if len(sys.argv) > 1:
            plotter(off_screen=True).screenshot(sys.argv[1])
        else:
            check_display()
            plotter().show()
