"""The table of pairs: scrolled, filtered, sorted and walked through, by names, by keys and by the mouse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from collision import Scene, Sphere, signed_distance
from tests.helpers import chord, write
from tests.test_menus import place_of
from viewer.picture.present import present
from viewer.records.drawables import Panel, Row
from viewer.records.events import Pointer, Wheel
from viewer.session import Session
from viewer.session.pair_table import TABLE_ROWS
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")


def crowd(count: int, seed: int = 0) -> Scene:
    """Return balls that all overlap each other."""
    places = np.random.default_rng(seed).uniform(-1, 1, (count, 3))
    return Scene({f"{'ball' if k % 2 else 'Bead'} {k}": Sphere(place, 2) for k, place in enumerate(places)})


def table(session: Session) -> list[Row]:
    return [row for d in present(session) if isinstance(d, Panel) and d.corner == "upper-left" for row in d.rows]


def listed(session: Session) -> list[tuple[str, ...]]:
    return [tuple(row.text.split("\t")[:2]) for row in table(session) if "\t" in row.text]


def by_depth(scene: Scene) -> list[tuple[str, ...]]:
    return sorted(combinations(scene, 2), key=lambda pair: float(signed_distance(*(scene[name] for name in pair))))


def test_the_table_is_scrolled_to_its_end_and_back() -> None:
    session = Session(crowd(9))
    wanted, seen = by_depth(session.scene), []
    for first in range(len(wanted) - TABLE_ROWS + 1):
        assert listed(session) == wanted[first : first + TABLE_ROWS]
        seen.append(table(session)[-1].text)
        session.selection.scroll_pairs(1)
    assert seen[0] == "1\N{EN DASH}8 of 36, deepest first"
    assert seen[-1] == "29\N{EN DASH}36 of 36, deepest first"
    session.selection.scroll_pairs(99)
    assert listed(session) == wanted[-TABLE_ROWS:]
    session.selection.scroll_pairs(-1)
    assert listed(session) == wanted[-TABLE_ROWS - 1 : -1], "past the end nothing adds up"
    session.selection.scroll_pairs(-99)
    assert listed(session) == wanted[:TABLE_ROWS]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ball", lambda a, b: "ball" in a + b),
        ("BEAD", lambda a, b: "Bead" in a + b),
        ("ball 1", lambda a, b: "ball 1" in a + b),
        ("bead*2", lambda a, b: "Bead 2" in (a, b)),
        ("bead ?", lambda a, b: "Bead" in a + b),
        ("ball, bead", lambda a, b: ("ball" in a) != ("ball" in b)),
        ("bead, bead", lambda a, b: "Bead" in a and "Bead" in b),
        ("[", lambda a, b: False),
        ("", lambda a, b: True),
    ],
)
def test_names_are_filtered(text: str, found: object) -> None:
    assert callable(found)
    session = Session(crowd(7))
    session.selection.filter_pairs(text)
    wanted = [pair for pair in by_depth(session.scene) if found(*pair)]
    assert listed(session) == wanted[:TABLE_ROWS]
    assert len(session.selection.listed) == len(wanted)


def test_a_filter_with_many_stars_is_told_at_once() -> None:
    """A pattern that tried all ways to match would never end here."""
    ball, name = Sphere([0, 0, 0], 1), "a" * 10_000
    session = Session(Scene({name: ball, "ba" * 200 + "b": ball, "c": ball}))
    for end, found in (("?", 3), ("b", 2), ("bb", 0)):
        session.selection.filter_pairs("*a" * 200 + end)
        assert len(session.selection.listed) == found


def test_a_filter_has_no_more_than_two_texts() -> None:
    session = Session(crowd(4))
    with pytest.raises(ValueError, match="a pair has two names: there can be one comma, got 'a, b, c'"):
        session.selection.filter_pairs("a, b, c")
    with pytest.raises(ValueError, match="pairs are sorted by depth or by name, got 'size'"):
        session.selection.sort_pairs("size")  # type: ignore[arg-type]


def test_what_is_typed_filters_at_once_enter_keeps_it_and_escape_lists_all() -> None:
    session = Session(crowd(9))
    chord(session, "ctrl+f")
    write(session, "ball 3")
    assert "ball 3|" in [row.text for row in table(session)]
    assert all("ball 3" in pair for pair in listed(session))
    assert session.key("Return")
    assert session.prompt is None
    assert "8 with 'ball 3'" in [row.text for row in table(session)]
    chord(session, "ctrl+f")
    write(session, "x,y,z")
    assert any("there can be one comma" in row.text for row in table(session))
    assert session.key("Escape")
    assert (session.prompt, session.selection.pair_filter) == (None, "")
    assert listed(session) == by_depth(session.scene)[:TABLE_ROWS]


def test_arrows_and_page_keys_scroll_while_one_types() -> None:
    session = Session(crowd(9))
    chord(session, "ctrl+f")
    wanted = by_depth(session.scene)
    for key, first in (("Down", 1), ("Next", 11), ("Up", 10), ("Prior", 0)):
        assert session.key(key)
        assert listed(session) == wanted[first : first + TABLE_ROWS]


def test_pairs_are_sorted_by_name_numbers_by_their_size() -> None:
    session = Session(crowd(13))
    assert session.key("d")
    assert listed(session)[:6] == [*(("ball 1", f"ball {k}") for k in (3, 5, 7, 9, 11)), ("ball 1", "Bead 2")]
    assert table(session)[-1].text.endswith("of 78, by name")
    session.selection.scroll_pairs(999)
    assert listed(session)[-1] == ("Bead 10", "Bead 12"), "and not before 2"
    assert session.key("d")
    assert listed(session) == by_depth(session.scene)[:TABLE_ROWS]


@pytest.mark.parametrize("order", ["depth", "name"])
@pytest.mark.parametrize("text", ["", "bead"])
@pytest.mark.parametrize("step", [1, -1])
def test_the_walk_is_through_what_is_listed_and_keeps_the_pair_in_view(order: str, text: str, step: int) -> None:
    session = Session(crowd(7))
    session.selection.filter_pairs(text)
    session.selection.sort_pairs(order)  # type: ignore[arg-type]
    wanted: list[tuple[str, ...]] = []
    while not wanted or listed(session)[-1] != wanted[-1]:
        wanted += [pair for pair in listed(session) if pair not in wanted]
        session.selection.scroll_pairs(1)
    session.selection.scroll_pairs(-999)
    assert len(wanted) == len(session.selection.listed)
    for count in range(len(wanted) + 1):
        session.selection.walk_pairs(step)
        assert session.selection.pair == wanted[(count if step > 0 else -1 - count) % len(wanted)]
        assert session.selection.pair in listed(session)
        assert session.selection.pair_rows.selected is not None


def test_a_table_that_is_scrolled_stays_so_until_another_pair_is_selected() -> None:
    session = Session(crowd(9))
    session.selection.walk_pairs(1)
    session.selection.scroll_pairs(20)
    before = listed(session)
    assert session.selection.pair not in before
    session.settings.toggle("legend")
    assert listed(session) == before
    session.selection.show_pair(*before[3])
    assert listed(session) == before, "what is clicked stays under the pointer"
    session.selection.walk_pairs(-1)
    session.selection.walk_pairs(-1)
    session.selection.walk_pairs(-1)
    assert listed(session) == before
    session.selection.walk_pairs(-1)
    assert listed(session)[1:] == before[:-1], "the walk scrolls no further than need be"


def test_a_drag_sorts_anew_and_the_selected_pair_stays_in_view() -> None:
    session = Session(crowd(9))
    session.selection.show_pair(*by_depth(session.scene)[-1])  # type: ignore[misc]
    assert session.selection.pair is not None
    for _ in range(12):
        session.select_many(session.selection.pair)
        session.move_selection([0.0, 0.0, 0.1])
        assert session.selection.pair in listed(session)


def test_names_that_change_are_looked_at_again() -> None:
    session = Session(crowd(5))
    session.selection.filter_pairs("cube")
    assert not listed(session)
    session.select("ball 1")
    session.rename("cube")
    assert len(listed(session)) == 4


def test_nothing_found_is_said() -> None:
    session = Session(crowd(4))
    session.selection.filter_pairs("cube")
    session.selection.walk_pairs(1)
    assert session.notice == "no pair has 'cube' in its names"
    assert session.selection.pair is None


# -- by the mouse ------------------------------------------------------------------------------------------------------


@pytest.fixture
def app() -> Iterator[App]:
    session = Session(crowd(9), size=(640, 480))
    with Stage.offscreen(session.viewport.size) as stage:
        yield App(session, stage)


def test_the_wheel_over_the_table_scrolls_it_and_elsewhere_zooms(app: App) -> None:
    before = app.session.viewport.camera
    wanted = by_depth(app.session.scene)
    x, y = place_of(app, "36 colliding")
    assert app.stage.send("wheel", Wheel(Pointer(x, y), -1.0))
    assert listed(app.session) == wanted[1:4]
    x, y = place_of(app, wanted[2][0] + "\t" + wanted[2][1])
    assert app.stage.send("wheel", Wheel(Pointer(x, y), -2.0))
    assert listed(app.session) == wanted[3:6]
    assert app.stage.send("wheel", Wheel(Pointer(x, y), 1.0))
    assert listed(app.session) == wanted[2:5]
    assert app.session.viewport.camera == before
    assert not app.stage.send("wheel", Wheel(Pointer(320, 100), 1.0)), "the camera is the stage's"


def test_a_click_on_the_head_finds_and_one_on_the_foot_sorts(app: App) -> None:
    app.stage.send("press", Pointer(*place_of(app, "1\N{EN DASH}3 of 36"), "left"))
    assert app.session.selection.pair_order == "name"
    app.stage.send("press", Pointer(*place_of(app, "36 colliding"), "left"))
    write(app.session, "bead")
    app.stage.send("press", Pointer(320, 100, "left"))
    assert (app.session.prompt, app.session.selection.pair_filter) == (None, "bead"), (
        "a click beside the line is as good as Enter"
    )
