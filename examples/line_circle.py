"""Points where a line meets a circle.

H is the point of the line nearest to the center C. Where |CH| < r the line enters at P' and leaves at P, as far before
H as behind it; where |CH| = r it touches at H alone; beyond that it misses, and H is still the nearest point. Try: drag
a circle across the line.

Everything lies in the plane z = 0, where spheres are circles. Whether a line touches is decided within the rounding of
the numbers at hand, never by asking two of them to be equal.
"""

from collision import Camera, Expectation, Line, Scene, Show, Sphere, crossings
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)


def scene() -> Scene:
    shapes = {
        "line": Line([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        "secant": Sphere([-3.0, 0.5, 0.0], 1.0),
        "tangent": Sphere([0.0, 1.0, 0.0], 1.0),
        "miss": Sphere([3.0, 1.6, 0.0], 1.0),
    }
    return Scene(
        shapes,
        shows=[Show("crossings", "line", name) for name in ("secant", "tangent", "miss")],
        camera=Camera(position=(0.0, 1.0, 20.0), target=(0.0, 1.0, 0.0), up=(0.0, 1.0, 0.0), parallel_height=7.0),
        expectations=[
            Expectation("collide", "secant", "line", depth=(0.5, 0.5)),
            Expectation("touch", "tangent", "line"),
            Expectation("apart", "miss", "line", clearance=0.6),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    line = scene()["line"]
    secant, tangent, miss = (scene()[name] for name in ("secant", "tangent", "miss"))
    print(f"{crossings(line, secant).points.round(3).tolist() = }")
    print(f"{crossings(line, tangent).points.round(3).tolist() = }")
    print(f"{crossings(line, miss).nearest.round(3).tolist() = }")
    print(f"{int(crossings(line, miss).count) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
