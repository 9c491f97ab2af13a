"""Circle against segment.

Which point of a segment is nearest to a circle? Before A and after B it is that end, between them it is X, the foot of
the perpendicular from the circle's center; the circle is hit when it is no farther than its radius. Try: drag a circle
past an end, or A on B.

Everything lies in the plane z = 0, where spheres are circles. X leaves the segment in the outer regions, so it is drawn
on the dashed extension, and the nearest point of the segment itself is drawn beside it. A and B may be the same point.
"""

from collision import Camera, Expectation, Scene, Segment, Show, Sphere, foot, intersects
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)


def scene() -> Scene:
    shapes = {
        "segment": Segment([-2.0, -0.5, 0.0], [2.0, 0.5, 0.0]),
        "before": Sphere([-3.4, 0.9, 0.0], 0.8),
        "between": Sphere([0.1, 1.0, 0.0], 1.2),
        "after": Sphere([3.2, -1.0, 0.0], 0.7),
    }
    return Scene(
        shapes,
        shows=[Show("foot", name, "segment") for name in ("before", "between", "after")],
        camera=Camera(position=(0.0, 0.0, 20.0), up=(0.0, 1.0, 0.0), parallel_height=6.6),
        expectations=[
            Expectation("collide", "between", "segment"),
            *(Expectation("apart", name, "segment") for name in ("before", "after")),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    segment = scene()["segment"]
    before, between, after = (scene()[name] for name in ("before", "between", "after"))
    print(f"{str(foot(before, segment).region) = }")
    print(f"{str(foot(between, segment).region) = }")
    print(f"{str(foot(after, segment).region) = }")
    print(f"{float(foot(between, segment).distance.round(3)) = }")
    print(f"{bool(intersects(between, segment)) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
