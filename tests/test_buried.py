"""What is selected is seen where others hide it: by its outline, and only there."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, Camera, Capsule, HalfSpace, OrientedBox, Scene, Shape, Sphere
from tests.helpers import seen_marks
from viewer.picture.present import present
from viewer.records.drawables import Role, Stroke
from viewer.records.theme import THEMES, Theme
from viewer.session import Session
from viewer.stage.stage import Stage

SIZE = (320, 240)
FRONT = Camera((0, -20, 0), parallel_height=8.0)


def outlines(scene: Scene, *selected: str) -> list[Stroke]:
    session = Session(Scene(scene.shapes, camera=FRONT), size=SIZE)
    session.select_many(selected)
    return [d for d in seen_marks(session) if isinstance(d, Stroke) and d.role is Role.BURIED]


@pytest.mark.parametrize(
    "shape", [Sphere([0, 0, 0], 1), Capsule([-1, 0, 0], [1, 0, 0], 0.4), OrientedBox([0, 0, 0], np.eye(3), [1, 1, 1])]
)
def test_what_is_buried_shows_its_outline(shape: Shape) -> None:
    (found,) = outlines(Scene({"it": shape, "shell": Sphere([0, 0, 0], 3)}), "it")
    lower, upper = shape.corners()
    assert found.start.min(axis=0)[[0, 2]] == pytest.approx(lower[[0, 2]], abs=0.05)
    assert found.start.max(axis=0)[[0, 2]] == pytest.approx(upper[[0, 2]], abs=0.05)


def test_of_what_is_half_hidden_the_hidden_half_shows() -> None:
    scene = Scene({"ball": Sphere([0, 0, 0], 2), "screen": AABB([0, -6, -4], [9, -5, 4])})
    (found,) = outlines(scene, "ball")
    assert found.start[:, 0].min() > -0.2
    assert found.start[:, 0].max() > 1.9


def test_what_is_before_all_or_below_a_half_space_or_one_of_many_has_no_outline() -> None:
    shapes = {
        "ball": Sphere([0, 0, 0], 2),
        "behind": AABB([-9, 5, -4], [9, 6, 4]),
        "floor": HalfSpace([0, 0, 9], [0, 0, 1]),
    }
    assert outlines(Scene(shapes), "ball") == []
    many = {f"ball {k}": Sphere([0, 0, 0], 0.1 * k + 0.1) for k in range(12)}
    assert outlines(Scene(many), *list(many)[:11]) == []
    assert len(outlines(Scene(many), "ball 3")) == 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_outline_is_seen_in_a_picture(theme: Theme) -> None:
    scene = Scene({"nut": Sphere([0, 0, 0], 1), "shell": Sphere([0, 0, 0], 3)}, camera=FRONT)
    session = Session(scene, size=SIZE)
    session.select("nut")
    drawables = present(session)
    with Stage.offscreen(SIZE, theme) as stage:
        stage.draw(drawables, FRONT)
        image = stage.image().astype(int)
    color = theme.styles[Role.BURIED].color
    close = np.abs(image - color).max(axis=-1) < 30
    assert close[85:95, 155:165].any(), "30 pixels above the middle"
    assert close[145:155, 155:165].any(), "and below it"
