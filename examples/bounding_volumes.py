"""Bounding volumes.

Five tests of points, spheres and axis-aligned boxes: apart in the back row, colliding in the front row. Touching counts
in every one of them, and each answers with a distance or a depth, not only with yes or no. Try: drag one of
a pair until they part.

Point in box: each coordinate lies between two numbers. Box and box: the intervals overlap on all three axes. Point in
sphere, sphere and sphere: the distance of the centers against the radii. Sphere and box: the center is clamped to the
box, and the distance to that nearest point is compared with the radius.
"""

from collision import AABB, Camera, Expectation, Point, Scene, Shape, Show, Sphere, intersects, signed_distance
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)


def _block(x: float) -> AABB:
    """Return the small box that begins at an x."""
    return AABB([x, -0.9, 0.0], [x + 0.7, -0.1, 0.8])


#: How far the columns of the table are apart, and the rows.
COLUMN, ROW = 2.5, 3.2

BOX = AABB([-0.8, -0.6, 0.0], [0.4, 0.6, 1.2])
BALL = Sphere([-0.2, 0.0, 0.65], 0.65)

#: For each test: its name, the names of its two shapes, the second of them, and the first: apart, and colliding.
TESTS: tuple[tuple[str, tuple[str, str], Shape, Shape, Shape], ...] = (
    ("point-AABB", ("point", "box"), BOX, Point([0.9, -0.6, 0.9]), Point([0.25, -0.4, 0.9])),
    ("AABB-AABB", ("block", "box"), BOX, _block(0.75), _block(0.15)),
    ("point-sphere", ("point", "ball"), BALL, Point([0.9, -0.3, 0.8]), Point([0.1, -0.4, 0.8])),
    ("sphere-sphere", ("marble", "ball"), BALL, Sphere([1.1, -0.2, 0.4], 0.4), Sphere([0.55, -0.3, 0.4], 0.4)),
    ("sphere-AABB", ("marble", "box"), BOX, Sphere([1.1, -0.2, 0.4], 0.4), Sphere([0.6, -0.4, 0.4], 0.4)),
)


def scene() -> Scene:
    shapes: dict[str, Shape] = {}
    shows, expectations = [], []
    for column, (test, names, second, apart, hit) in enumerate(TESTS):
        for row, first in enumerate((apart, hit)):
            number = 1 + column + row * len(TESTS)
            place = [COLUMN * (column - 2), ROW * (0.5 - row), 0.0]
            a, b = (f"{name} {number}" for name in names)
            shapes[a], shapes[b] = first.translated(place), second.translated(place)
            shows.append(Show("closest_points", a, b, label="" if row else test))
            expectations.append(Expectation("collide" if row else "apart", a, b))
    return Scene(
        shapes,
        shows=shows,
        expectations=expectations,
        camera=Camera(position=(0.0, -24.0, 17.9), target=(0.1, 0.6, 0.7), view_angle=20.0),
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    for test, _, second, *firsts in TESTS:
        for first in firsts:
            print(f"{test}: {bool(intersects(first, second)) = }")
            print(f"{test}: {float(signed_distance(first, second).round(3)) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
