"""Sphere against segment.

Where the segment P + t (Q − P) pierces the sphere, t solves a quadratic; the smallest root from 0 to 1 is the first
contact. A ball is solid: a segment that lies wholly inside it has no such root, and collides all the same.

Drag either end. With both ends inside, the crossing points are gone and the pair stays red; with both ends at one
place, the segment is a point and nothing is divided by zero.
"""

from collision import Camera, Scene, Segment, Show, Sphere
from viewer.files.catalogue import title_and_caption

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
        title=TITLE,
        caption=CAPTION,
    )


if __name__ == "__main__":
    import viewer

    viewer.view(scene())
