"""Sphere against segment.

A quadratic says where a segment pierces a sphere; its smallest root t from 0 to 1 gives the first contact, P + t (Q −
P). Try: drag both ends of the segment into the ball. It is solid: the crossing points are gone, the hatching stays.

With both ends inside, the crossing points are gone and the pair stays hatched; with both ends at one place, the segment
is a point and nothing is divided by zero.
"""

from collision import Camera, Expectation, Scene, Segment, Show, Sphere, crossings, intersects
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)


def scene() -> Scene:
    shapes = {
        "sphere": Sphere([0.3, 0.0, 1.4], 1.2),
        "segment": Segment([-2.3, -1.3, 0.5], [2.6, 0.5, 2.4]),
    }
    return Scene(
        shapes,
        shows=[Show("crossings", "segment", "sphere")],
        camera=Camera(position=(2.2, -9.5, 4.6), target=(0.15, -0.2, 1.3)),
        expectations=[
            Expectation("collide", "segment", "sphere"),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    segment, sphere = scene()["segment"], scene()["sphere"]
    print(f"{bool(intersects(segment, sphere)) = }")
    print(f"{crossings(segment, sphere).parameters.round(3).tolist() = }")
    print(f"{crossings(segment, sphere).points.round(3).tolist() = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
