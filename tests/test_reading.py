"""Reading changes nothing: what is asked of a session leaves it as it is, and each picture shows it as it is now."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from collision import Motion, Scene, Sphere
from tests.helpers import SHAPES, chord, same
from viewer.picture.present import present
from viewer.records.drawables import ExplanationPanel, ShapeFlags, Solid
from viewer.session import Session

SCENE = Scene(SHAPES)
BALLS = Scene({name: Sphere([3.0 * k, 0, 0], 1.6) for k, name in enumerate("abcd")})
MOVING = BALLS.replaced(motion=[Motion("a", [0, 1], [[0, 0, 0], [0, 0, 9]])])


def explained(session: Session) -> None:
    session.explaining.explain("a", "b")


def another_pair(session: Session) -> None:
    session.explaining.explain("a", "b")
    session.select_many(["c", "d"])


def a_shape_gone(session: Session) -> None:
    session.explaining.explain("a", "b")
    session.select("a")
    session.delete()


def undone(session: Session) -> None:
    a_shape_gone(session)
    session.undo()


def no_longer_explainable(session: Session) -> None:
    session.explaining.explain("a", "b", "sweep")
    session.change(session.resting.replaced(motion=()))


def another_time(session: Session) -> None:
    session.explaining.explain("a", "b")
    session.player.scrub(0.7)


def in_hand(session: Session) -> None:
    session.explaining.explain("a", "b")
    session.select("a")
    for key in ("g", "x", "2"):
        session.key(key)


def walked(session: Session) -> None:
    session.selection.walk_pairs(1)
    session.key("e", shift=True)
    session.selection.walk_pairs(1)


def under_the_pointer(session: Session) -> None:
    session.move(*session.viewport.project(session.scene["a"].bounds().center)[0])


def asked(session: Session) -> None:
    session.select("a")
    session.dialog.ask_number("radius")


WAYS: dict[str, tuple[Scene, Callable[[Session], None]]] = {
    "new": (SCENE, lambda session: None),
    **{
        way.__name__: (MOVING if way in (another_time, no_longer_explainable) else BALLS, way)
        for way in (
            explained,
            another_pair,
            a_shape_gone,
            undone,
            no_longer_explainable,
            another_time,
            in_hand,
            walked,
            under_the_pointer,
            asked,
        )
    },
}


def parts_of(session: Session) -> Iterator[object]:
    """Yield the session, and all its parts."""
    yield session
    parts = [part for name, part in vars(session).items() if not name.startswith("_")]
    for part in (*parts, *(part for part in vars(session.manipulation).values()), session.start.guide):
        if type(part).__module__.startswith("viewer.session"):
            yield part


def read_all(session: Session) -> int:
    """Read every property of a session and its parts, and return how many there are."""
    count = 0
    for part in parts_of(session):
        for name, value in vars(type(part)).items():
            if isinstance(value, property) and not name.startswith("_"):
                count += 1
                try:
                    getattr(part, name)
                except ValueError:  # there is no text where nothing is selected
                    assert not session.selected
    return count


@pytest.mark.parametrize("way", WAYS)
def test_what_is_read_stays_as_it_is(way: str) -> None:
    scene, do = WAYS[way]
    session = Session(scene, size=(800, 600))
    do(session)
    before = session.revision
    assert read_all(session) > 80
    first = present(session)
    second = present(session)
    assert session.revision == before
    assert same(first, second)


def test_the_first_picture_after_another_pair_is_selected_is_about_that_pair() -> None:
    session = Session(BALLS, size=(800, 600))
    session.explaining.explain("a", "b")
    session.select_many(["c", "d"])
    (card,) = (drawable for drawable in present(session) if isinstance(drawable, ExplanationPanel))
    assert card.buttons[0].text.endswith("(c, d)")
    assert session.explaining.explanation is not None
    assert session.explaining.explanation.names == ("c", "d")


def test_what_hides_a_pair_is_faded_in_the_first_picture_already() -> None:
    row = Scene({name: Sphere([0, 3.0 * k, 0], 1.6) for k, name in enumerate("abcd")})
    session = Session(row, size=(800, 600), view="-y")
    session.explaining.explain("a", "b")
    session.select_many(["c", "d"])
    faded = [faded_in(session) for _ in range(2)]
    assert faded == [2, 2]


def faded_in(session: Session) -> int:
    (solid,) = (drawable for drawable in present(session) if isinstance(drawable, Solid))
    return int(np.count_nonzero(solid.flags & ShapeFlags.FADED))


def test_an_explanation_ends_when_its_shape_goes_and_not_when_that_is_read() -> None:
    session = Session(BALLS)
    session.explaining.explain("a", "b")
    session.select("a")
    chord(session, "delete")
    assert not session.explaining.active
    assert session.explaining.explanation is None
