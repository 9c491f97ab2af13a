"""Distance of two points.

The root of the summed squares of the differences. Try: drag either point; the text follows.
"""

from collision import Camera, Expectation, Point, Scene, Show, distance
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)


def scene() -> Scene:
    return Scene(
        {"P": Point([-1.5, -1.0, 0.0]), "Q": Point([1.5, 1.0, 0.0])},
        shows=[Show("closest_points", "P", "Q")],
        camera=Camera(position=(0.0, 0.0, 12.0), up=(0.0, 1.0, 0.0), parallel_height=3.4),
        expectations=[
            Expectation("apart", "P", "Q", clearance=3.6),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    P, Q = scene()["P"], scene()["Q"]  # noqa: N806 - as the points are called
    print(f"{float(distance(P, Q)) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
