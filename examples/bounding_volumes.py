"""Bounding volumes.

Five tests of points, spheres and axis-aligned boxes: apart in the back row, colliding in the front row. Touching counts
in every one of them, and each answers with a distance or a depth, not only with yes or no.

Point in box: each coordinate lies between two numbers. Box and box: the intervals overlap on all three axes. Point in
sphere, sphere and sphere: the distance of the centers against the radii. Sphere and box: the center is clamped to the
box, and the distance to that nearest point is compared with the radius.
"""

from collision import AABB, Camera, Point, Scene, Shape, Show, Sphere
from viewer.catalogue import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: How far the columns of the table are apart.
STEP = 3.0


def _tests() -> dict[str, tuple[tuple[Shape, Shape], tuple[Shape, Shape]]]:
    """Return the two pairs of each test around the origin: apart, colliding."""
    box, ball = AABB([-0.8, -0.6, 0.0], [0.4, 0.6, 1.2]), Sphere([-0.3, 0.0, 0.7], 0.7)
    return {
        "point-AABB": ((Point([0.95, 0.0, 0.6]), box), (Point([0.2, -0.5, 0.9]), box)),
        "AABB-AABB": (
            (AABB([0.75, -0.4, 0.0], [1.35, 0.4, 0.8]), box),
            (AABB([0.1, -0.9, 0.0], [0.9, -0.1, 0.8]), box),
        ),
        "point-sphere": ((Point([0.95, 0.0, 0.7]), ball), (Point([-0.1, -0.5, 0.9]), ball)),
        "sphere-sphere": ((Sphere([1.15, 0.0, 0.45], 0.45), ball), (Sphere([0.5, -0.3, 0.45], 0.45), ball)),
        "sphere-AABB": ((Sphere([1.2, 0.0, 0.5], 0.5), box), (Sphere([0.65, -0.3, 0.5], 0.5), box)),
    }


def scene() -> Scene:
    shapes: dict[str, Shape] = {}
    shows = []
    for column, (test, pairs) in enumerate(_tests().items()):
        for row, (a, b) in zip(("apart", "hit"), pairs, strict=True):
            place = [STEP * (column - 2), 2.0 if row == "apart" else -2.0, 0.0]
            first, second = f"{test} {row} a", f"{test} {row} b"
            shapes[first], shapes[second] = a.translated(place), b.translated(place)
            shows.append(Show("closest_points", first, second, label=test))
    return Scene(
        shapes,
        shows=shows,
        camera=Camera(position=(0.0, -22.0, 16.0), target=(0.2, -0.2, 0.0)),
        title=TITLE,
        caption=CAPTION,
    )


if __name__ == "__main__":
    import viewer

    viewer.view(scene())
