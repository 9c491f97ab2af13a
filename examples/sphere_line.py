"""Sphere against an infinite line.

A line has no ends, so only the sign of the discriminant counts, never the size of t: a sphere far behind the line's
point is hit like one before it. H is its point nearest to a sphere's center. Try: drag a sphere along the line and off
it.

The line is given by a point and a direction of unit length, so that t is the signed distance along it.
"""

from collision import Camera, Expectation, Line, Scene, Show, Sphere, crossings
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)


def scene() -> Scene:
    shapes = {
        "line": Line([0.0, 0.0, 1.2], [4.0, 1.0, 0.5]),
        "behind": Sphere([-2.6, -0.9, 1.1], 0.9),
        "before": Sphere([2.5, 0.9, 1.8], 1.0),
        "beside": Sphere([0.1, 0.0, 0.2], 0.7),
    }
    return Scene(
        shapes,
        shows=[Show("crossings", "line", name) for name in ("behind", "before", "beside")],
        camera=Camera(position=(1.6, -12.0, 6.0), target=(0.0, 0.2, 1.5)),
        expectations=[
            Expectation("collide", "behind", "line"),
            Expectation("collide", "before", "line"),
            Expectation("apart", "beside", "line"),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    line = scene()["line"]
    behind, before, beside = (scene()[name] for name in ("behind", "before", "beside"))
    print(f"{crossings(line, behind).parameters.round(3).tolist() = }")
    print(f"{crossings(line, before).parameters.round(3).tolist() = }")
    print(f"{int(crossings(line, beside).count) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
