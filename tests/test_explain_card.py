"""The card of an explanation: its formulas, what is where on it, what the pointer and the keys do, and its pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    explain,
    signed_distance,
)
from collision.explaining.cases import all_cases
from collision.explaining.html import mathml_row, step_as_html
from collision.explaining.markdown import step_as_markdown
from collision.explaining.text import formula_lines as text_lines
from collision.explaining.text import plain, step_as_text
from collision.inner import Plot, PlotArea, Value, tex_number
from tests.explained import explained_cases
from tests.explanations import made
from tests.helpers import chord, pixel
from tests.slow import deep, some
from viewer import render_step, render_steps
from viewer.files.movies import Image
from viewer.layout.explanation import column_of, place_explanation
from viewer.layout.formulas import TypesetFormula, formula_lines
from viewer.layout.page import Page
from viewer.layout.parts import Path, Placed, Written
from viewer.layout.plots import Look, plot_part, ticks
from viewer.picture.explained import flat_marks, step_marks, step_panel
from viewer.picture.present import present
from viewer.records.drawables import ExplanationPanel, Label, Panel, Role
from viewer.records.events import Pointer, Wheel
from viewer.records.pixels import Rect
from viewer.records.sizes import unit_of
from viewer.records.theme import THEMES
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.formulas import Formulas
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

typeset = Formulas()
SIZES = [(640, 480), (800, 600), (1280, 800), (3840, 2160)]
BALLS = Scene({"ball": Sphere([0, 0, 0], 1), "arm": Sphere([2.3, 0.5, 0.4], 0.7), "far": Sphere([9, 9, 0], 1)})
STEPS = 7


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a session that explains two balls by steps that have everything."""
    monkeypatch.setattr("viewer.session.explaining.explain", made)
    session = Session(BALLS, size=(800, 600))
    session.explaining.explain("ball", "arm")
    return session


@pytest.fixture
def window(session: Session) -> Iterator[App]:
    with Stage.offscreen((800, 600)) as stage:
        yield App(session, stage)


def card_of(session: Session) -> ExplanationPanel:
    (card,) = [drawable for drawable in present(session) if isinstance(drawable, ExplanationPanel)]
    return card


def explained(card: ExplanationPanel, page: Page) -> Placed:
    return place_explanation(card, page, typeset)[0]


def placed(session: Session, size: tuple[int, int] = (800, 600), scale: float = 1.0) -> Placed:
    session.view.resize(size)
    font = scale * session.settings.theme.font_size
    return explained(card_of(session), Page(size, unit_of(size), font, Fonts().width))


def seen(session: Session) -> dict[str, tuple[float, float]]:
    """Return where the pointer finds the parts of a card, by their texts, in a picture drawn at twice its size."""
    width, height = session.viewport.size
    unit, font = 2.0 * unit_of((width, height)), session.settings.theme.font_size
    card = explained(card_of(session), Page((2 * width, 2 * height), unit, font, Fonts().width))
    places = {hit.row.text: hit.rect.middle for hit in card.part.hits}
    return {text: (0.5 * x, 0.5 * y) for text, (x, y) in {**places, "plate": card.plate.middle}.items()}


def ink(fonts: Fonts, text: Written) -> Rect:
    """Return about what is inked of a text."""
    run = text.run
    width = fonts.width(run.text, run.size, run.bold)
    return Rect(run.x + 1.0, run.y, width - 2.0, 0.7 * run.size)


def assert_clear(card: Placed, fonts: Fonts, what: object) -> None:
    """Fail where two texts overlap, or one leaves the card."""
    boxes = [(text.run.text, ink(fonts, text)) for text in card.part.texts if text.run.text]
    for text, box in boxes:
        assert card.plate.covers(box.x, box.y), (what, text)
        assert card.plate.covers(box.x + box.width, box.y + box.height), (what, text)
    for (text, one), (other, another) in combinations(boxes, 2):
        assert not one.overlaps(another), (what, text, other)


# -- formulas ----------------------------------------------------------------------------------------------------------


def signs(line: TypesetFormula) -> str:
    return "".join(run.text for run in line.runs)


def test_a_formula_is_set_in_the_characters_that_it_means() -> None:
    assert signs(typeset(r"\mathbf{w} = \mathbf{q} - \mathbf{p}", 20.0)) == "w=q\N{MINUS SIGN}p"
    assert signs(typeset(r"\|(3,\,-4.5,\,0)\| \leq 1.5 \times 10^{-9}", 20.0)) == "‖(3,−4.5,0)‖≤1.5×10−9"
    assert signs(typeset(r"t = \min(1,\,\max(0,\,s)) < \infty", 20.0)) == "t=min(1,max(0,s))<∞"
    sign, negative, positive = (typeset(tex, 20.0).width for tex in ("-", "b |-0.5|", "b |0.5|"))
    assert negative == pytest.approx(positive + sign, abs=0.5), "a sign has no room about it"
    with pytest.raises(ValueError, match="Unknown symbol"):
        typeset(r"\nonsense", 20.0)


def test_a_formula_that_is_too_wide_is_broken_and_one_part_of_it_made_smaller() -> None:
    room = 240.0
    lines = formula_lines(r"\mathbf{p} = (1.25,\,2.5,\,3.125) + 0.25 (4.125,\,5.25,\,6.5)", 20.0, room, typeset)
    assert [signs(line)[0] for line in lines] == ["p", "+"]
    assert all(line.width <= room for line in lines)
    wide = formula_lines(r"\frac{(1.25,\,2.5,\,3.125) \cdot (4.125,\,5.25,\,6.5)}{2}", 20.0, 1.5 * room, typeset)
    assert all(line.width <= 1.5 * room for line in wide)
    assert 15.0 < max(run.size for line in wide for run in line.runs) < 20.0
    assert len(wide[0].bars) == 1


def test_a_sign_is_no_place_to_break_a_formula_and_an_operator_is_one() -> None:
    lines = formula_lines(r"x = (-1,\,-2,\,-3) - (-4,\,-5,\,-6) - (-7,\,-8,\,-9)", 20.0, 200.0, typeset)
    assert [signs(line) for line in lines] == ["x=(−1,−2,−3)", "−(−4,−5,−6)", "−(−7,−8,−9)"]


def test_a_fraction_that_would_be_too_small_to_read_is_written_with_a_slash() -> None:
    vector = r"(1.234,\,-2.345,\,3.456)"
    tex = rf"0.5 = \frac{{({vector} \times {vector}) \cdot {vector}}}{{\|{vector}\|^2}}"
    lines = formula_lines(tex, 20.0, 300.0, typeset)
    runs = [run for line in lines for run in line.runs]
    assert "".join(run.text for run in runs).count("/") == 1
    assert all(line.width <= 300.0 for line in lines)
    assert {run.size for run in runs if run.y == 0.0} == {19.0}, "hardly smaller"
    assert not [bar for line in lines for bar in line.bars]


# -- nothing overlaps --------------------------------------------------------------------------------------------------


def test_no_texts_of_a_card_overlap_and_none_leaves_it(session: Session) -> None:
    fonts = Fonts()
    for size, scale, step in product(SIZES, (1.0, 1.5), range(STEPS)):
        session.explaining.go_to_step(step)
        card = placed(session, size, scale)
        assert card.plate.x > 0.49 * size[0]
        assert card.plate.y > 0.0
        assert_clear(card, fonts, (size, scale, step))


def test_every_named_case_has_formulas_that_are_known_and_cards_without_overlaps() -> None:
    fonts, cases = Fonts(), some(30, all_cases().values())
    for case in cases:
        explanation = explain(case.query, *case.given, **case.more)
        shapes = [shape for shape in case.given if isinstance(shape, Shape)]
        scene = Scene({f"s{k}": shape for k, shape in enumerate(shapes)})
        for number, step in enumerate(explanation.steps, 1):
            for size in SIZES[:2]:
                space = () if step.space is None else tuple(flat_marks(step.space.marks, scene.bounds()))
                assert step_marks(step, scene.bounds())[: len(step.marks)] or not step.marks
                card = step_panel(step, explanation.summary, number, len(explanation.steps), space)
                assert_clear(
                    explained(card, Page(size, unit_of(size), 15.0, fonts.width)), fonts, (case.says, step.title)
                )


def test_no_panel_and_no_card_cover_each_other(session: Session) -> None:
    session.settings.toggle("bar")
    session.select_many(["ball", "arm"])
    for size in SIZES:
        session.view.resize(size)
        with Stage.offscreen(size) as stage:
            for step in range(STEPS):
                session.explaining.go_to_step(step)
                *plates, column = stage.covered(present(session))
                assert len(plates) >= 4  # the table, the bar, the small axes and the card
                for one, other in combinations(plates, 2):
                    apart = one.right <= other.left or other.right <= one.left
                    assert apart or one.top <= other.bottom or other.top <= one.bottom, (size, step)
                assert column.left <= plates[-1].left


@pytest.mark.parametrize("tex", [r"t = \frac{%d.5 + 10}{%d}", r"x_{%d}^{%d}", r"x^{%d}_{%d}", r"\sqrt{%d}\,/\,%d"])
def test_each_digit_of_a_formula_stands_where_it_is_set(tex: str) -> None:
    """Also where a formula that differs in its digits alone was set before."""
    one = Formulas()
    for numbers in ((12, 34), (90, 71), (55, 55), (9, 1234567890123)):
        formula = one(tex % numbers, 20.0)
        by_height: dict[float, str] = {}
        for run in formula.runs:
            by_height[run.y] = by_height.get(run.y, "") + run.text
        for number in numbers:
            assert any(str(number) in text for text in by_height.values()), (number, by_height)
        assert formula == Formulas()(tex % numbers, 20.0)


def test_a_card_is_seen_in_all_themes(session: Session) -> None:
    session.view.resize((640, 480))
    with Stage.offscreen((640, 480)) as stage:
        for theme in THEMES:
            session.settings.set_theme(theme)
            stage.restyle(session.settings.theme)
            assert letters_seen(session, stage) > 0.03, theme


def letters_seen(session: Session, stage: Stage) -> float:
    """Return which part of a card is letters and lines: where a picture without it differs much."""
    stage.draw(present(session), session.viewport.camera)
    with_card = stage.image().astype(int)
    drawn = [drawable for drawable in present(session) if not isinstance(drawable, ExplanationPanel)]
    stage.draw(drawn, session.viewport.camera)
    inside = np.abs(with_card - stage.image())[20:440, 340:620].max(axis=2)
    return float((inside > 100).mean())


def test_the_pair_is_beside_the_card_whatever_covers_it_before() -> None:
    for size in SIZES:
        session = Session(BALLS, size=size)
        with Stage.offscreen(size) as stage:
            session.view.frame_shapes([session.scene["ball"]])  # in the very middle
            session.explaining.explain("ball", "arm")
            session.cover(stage.covered(present(session)))
        left = size[0] - column_of(Page(size, unit_of(size), session.settings.theme.font_size, Fonts().width))
        for name in ("ball", "arm"):
            x, y = session.viewport.project(session.scene[name].bounds().center)[0]
            assert 0.0 < x < left
            assert 0.0 < y < size[1]


def test_the_view_comes_nearer_only_where_the_pair_is_small() -> None:
    far = Session(Scene({**BALLS.shapes, "moon": Sphere([200, 0, 0], 1)}), size=(800, 600))
    before, near = far.viewport.camera, Session(BALLS, size=(800, 600))
    for session in (far, near):
        session.explaining.explain("ball", "arm")
        across = 4.0 / float(session.viewport.units_per_pixel([0, 0, 0]))  # pixels from end to end, about
        assert across > 0.2 * 600
    assert far.viewport.camera != before
    camera = near.viewport.camera
    near.explaining.end()
    near.explaining.explain("ball", "arm")
    assert near.viewport.camera == camera


def test_closing_it_gives_the_view_back_or_the_room_where_the_user_has_turned_it() -> None:
    size = (960, 720)
    session = Session(BALLS, size=size)

    def left() -> float:
        """Return how far left of the middle the pair is."""
        lower, upper = (np.array(side) for side in ([-1, -1, -1], [3, 1.2, 1.1]))
        return float(480 - session.viewport.project(0.5 * (lower + upper))[0][0])

    with Stage.offscreen(size) as stage:
        pair = [BALLS["ball"], BALLS["arm"]]
        session.view.frame_shapes(pair)
        before = session.viewport.camera
        session.select_many(["ball", "arm"])
        chord(session, "shift+e")
        session.cover(stage.covered(present(session)))
        shown, room = session.viewport.camera, left()
        assert shown != before
        assert room > 60
        session.explaining.explain("ball", "arm", "closest_points")  # another look at the same
        chord(session, "Escape")
        assert session.viewport.camera == before
        session.view.undo()
        assert session.viewport.camera == shown  # a change of the view like others
        session.view.redo()
        chord(session, "shift+e")
        session.view.orbit(40, 10)
        turned, seen = session.viewport, left()
        chord(session, "Escape")
        assert np.allclose(session.viewport.forward, turned.forward)
        assert seen - left() == pytest.approx(min(seen, room), rel=0.05)
        chord(session, "shift+e")
        session.view.orbit(40, 10)
        session.view.frame_shapes(pair)  # in the very middle
        seen = left()
        chord(session, "Escape")
        assert abs(seen - left()) < 0.2 * room


def test_a_view_that_is_returned_to_stays_when_it_is_closed() -> None:
    session = Session(BALLS, size=(960, 720))
    session.view.pan(-200, 0)
    session.view.remember("1")
    before = session.viewport.camera
    for back in (session.view.undo, lambda: session.view.recall("1")):
        session.explaining.explain("ball", "arm")
        assert session.viewport.camera != before
        back()
        session.explaining.end()
        assert session.viewport.camera == before


# -- keys, buttons, the wheel ------------------------------------------------------------------------------------------


def test_keys_open_it_go_from_step_to_step_and_close_it() -> None:
    session = Session(BALLS, size=(800, 600))
    session.select_many(["ball", "arm"])
    assert session.explaining.explanation is None
    chord(session, "shift+e")
    explanation = session.explaining.explanation
    assert explanation is not None
    assert explanation.names == ("ball", "arm")
    for key, place in (("period", 1), ("period", 2), ("comma", 1), ("comma", 0), ("comma", 0)):
        chord(session, key)
        assert session.explaining.step == place
    for _ in range(20):
        chord(session, "period")
    assert session.explaining.step == len(explanation.steps) - 1
    first = explanation.query
    chord(session, "alt+e")
    assert session.explaining.explanation is not None
    assert session.explaining.explanation.query != first
    chord(session, "Escape")
    assert session.explaining.explanation is None
    assert session.selected == ("ball", "arm")
    chord(session, "Escape")
    assert not session.selected


def test_it_is_about_what_is_selected_or_under_the_pointer_or_deepest() -> None:
    session = Session(BALLS, size=(800, 600))
    for chosen, names in ((["arm", "far"], ("arm", "far")), (["far"], ("far", "arm"))):
        session.select_many(chosen)
        session.explaining.explain()
        assert session.explaining.explanation is not None
        assert session.explaining.explanation.names == names
    session.select_many(["ball", "arm"])  # while it is open
    assert session.explaining.explanation is not None
    assert session.explaining.explanation.names == ("ball", "arm")
    session.select_many(["arm"])  # one of the two, to drag it
    assert session.explaining.explanation.names == ("ball", "arm")
    session.delete()
    assert session.explaining.explanation is None
    alone = Session(Scene({"ball": Sphere([0, 0, 0], 1)}))
    chord(alone, "shift+e")
    assert "two shapes" in alone.notice


def test_the_query_that_fits_the_pair_comes_first() -> None:
    slide = Motion("ball", times=[0, 2, 3], offsets=[[0, 0, 0], [4, 0, 0], [4, 0, 1]])
    shapes = {"ball": Sphere([0, 0, 0], 1), "post": Sphere([4, 0, 0], 1), "ray": Ray([0, 0, -4], [0, 0, 1])}
    session = Session(Scene({**shapes, "rod": Capsule([9, 0, 0], [9, 1, 0], 1)}))
    for names, query in ((("ball", "post"), "contact"), (("ball", "ray"), "crossings"), (("ball", "rod"), "contact")):
        session.explaining.explain(*names)
        assert session.explaining.explanation is not None
        assert session.explaining.explanation.query == query
    moving = Session(Scene(shapes, motion=[slide]))
    moving.explaining.explain("ball", "post")
    explanation = moving.explaining.explanation
    assert explanation is not None
    assert explanation.query == "sweep"
    assert explanation.result.fraction == 0.5
    moving.player.scrub(1.9)
    assert moving.explaining.explanation is explanation
    moving.player.scrub(2.5)  # from the next keyframe on, they touch already
    assert moving.explaining.explanation is not None
    assert moving.explaining.explanation.result.fraction == 0.0
    asked = []
    for _ in range(30):
        chord(moving, "alt+e")
        assert moving.explaining.explanation is not None
        asked.append(moving.explaining.explanation.query)
    assert {"sweep", "contact", "why", "touching_intervals"} <= {*asked}
    still = Session(Scene(shapes, motion=[slide]))
    still.explaining.explain("post", "ray")  # neither moves
    assert still.explaining.explanation is not None
    assert still.explaining.explanation.query == "crossings"


def test_all_but_the_pair_stays_faded_when_one_of_it_is_dragged() -> None:
    wall = AABB([-3, 6, -3], [5, 7, 3])
    session = Session(Scene({**BALLS.shapes, "wall": wall}), view="-y", size=(800, 600))
    session.explaining.explain("ball", "arm")
    assert session.explaining.explanation is not None
    faded = session.selection.faded.tolist()
    assert [session.scene.element_name(number) for number in faded] == [
        name for name in session.scene if name not in ("ball", "arm")
    ]
    session.select("arm")
    assert session.explaining.explanation is not None
    assert session.selection.faded.tolist() == faded
    session.explaining.end()
    assert not len(session.selection.faded)


def test_the_order_is_what_the_query_takes() -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1), "P": Point([3, 0, 0])}))
    session.explaining.explain("P", "ball", "signed_distance")
    explanation = session.explaining.explanation
    assert explanation is not None
    assert explanation.result == signed_distance(Point([3, 0, 0]), Sphere([0, 0, 0], 1))


def test_buttons_and_the_wheel_do_what_the_keys_do(window: App) -> None:
    session, stage = window.session, window.stage
    for button, place in (("on", 1), ("on", 2), ("back", 1)):
        stage.send("press", Pointer(*seen(session)[button], "left"))
        stage.send("release", Pointer(*seen(session)[button], "left"))
        assert session.explaining.step == place
    pointer = Pointer(*seen(session)["plate"], None)
    for clicks, place in ((-1.0, 2), (-1.0, 3), (1.0, 2)):
        assert stage.send("wheel", Wheel(pointer, clicks))
        assert session.explaining.step == place
    stage.send("press", Pointer(*seen(session)["close"], "left"))
    assert session.explaining.explanation is None


def test_a_question_hides_the_card_and_the_answer_shows_it_again(session: Session) -> None:
    chord(session, "F10")
    assert not any(isinstance(drawable, ExplanationPanel) for drawable in present(session))
    chord(session, "Escape")
    assert card_of(session).number == 1


# -- hovering ----------------------------------------------------------------------------------------------------------


def hovered(session: Session) -> bool:
    return any(getattr(drawable, "role", None) is Role.HOVERED for drawable in present(session))


def test_the_pointer_on_a_number_lights_its_mark_and_its_points(window: App) -> None:
    session, stage = window.session, window.stage
    session.explaining.go_to_step(1)
    window.refresh()
    rows = {"value t_2": "P", "point t2": "P", r"value \mathbf{w}": "w", "in a formula 2.387": "w"}
    for text, label in rows.items():
        stage.send("move", Pointer(*seen(session)[text], None))
        assert session.explaining.highlighted == label
        assert hovered(session)
    stage.send("move", Pointer(5.0, 300.0, None))
    assert session.explaining.highlighted == ""
    assert not hovered(session)


def test_the_pointer_on_a_mark_lights_its_numbers(window: App) -> None:
    session, stage = window.session, window.stage
    p, q = (np.asarray(session.scene[name].bounds().center) for name in ("ball", "arm"))
    dark = len(placed(session).part.shapes)
    stage.send("move", Pointer(*pixel(session, *(0.5 * p + 0.5 * q)), None))
    assert session.explaining.highlighted == "P"
    assert len(placed(session).part.shapes) == dark + 1  # the row of its number is lit
    stage.send("move", Pointer(*pixel(session, *(0.7 * p + 0.3 * q)), None))
    assert session.explaining.highlighted == "w"
    stage.send("move", Pointer(*pixel(session, *(0.7 * p + 0.3 * q)), "left"))
    assert session.explaining.highlighted == ""


def test_the_pointer_on_a_mark_that_has_no_numbers_lights_nothing(window: App) -> None:
    session, stage = window.session, window.stage
    explanation, (p, q) = (
        session.explaining.explanation,
        (session.scene[name].bounds().center for name in ("ball", "arm")),
    )
    assert explanation is not None
    middle = 0.5 * np.asarray(p) + 0.5 * np.asarray(q)
    for step, label in (explanation.steps[0], "P"), (replace(explanation.steps[0], values=(), plot=None), ""):
        session.explaining.show(replace(explanation, steps=(step,)))
        stage.send("move", Pointer(*pixel(session, *middle), None))
        assert session.explaining.highlighted == label


# -- it follows --------------------------------------------------------------------------------------------------------


def test_a_drag_goes_on_and_everything_follows(window: App) -> None:
    session, stage = window.session, window.stage
    session.explaining.go_to_step(3)
    before = [run.text for run in placed(session).runs]
    start = pixel(session, *session.scene["arm"].bounds().center.tolist())
    stage.send("press", Pointer(start[0] + 6, start[1], "left"))
    stage.send("move", Pointer(start[0] + 6, start[1] - 40, "left"))
    assert session.pending
    explanation = session.explaining.explanation
    assert explanation is not None
    arm = session.scene["arm"]
    assert isinstance(arm, Sphere)
    assert session.explaining.step == 3
    assert [run.text for run in placed(session).runs] != before
    marks = {mark.label: mark.shape for mark in explanation.steps[3].marks}
    assert isinstance(marks["w"], Segment)
    assert np.array_equal(marks["w"].end, arm.center)
    stage.send("release", Pointer(start[0] + 6, start[1] - 40, "left"))
    assert session.explaining.explanation is not None


def test_a_step_stays_by_its_title_where_others_come_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = made("contact", Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1))

    def fewer(query: str, a: Sphere, b: Sphere, *, names: tuple[str, str]) -> object:
        near = float(b.center[0]) < 2.0
        return replace(whole, steps=whole.steps[1:] if near else whole.steps)

    monkeypatch.setattr("viewer.session.explaining.explain", fewer)
    session = Session(BALLS)
    session.explaining.explain("ball", "arm")
    session.explaining.go_to_step(3)
    assert session.explaining.explanation is not None
    title = session.explaining.explanation.steps[3].title
    session.select("arm")
    session.move_selection([-1, 0, 0])
    assert session.explaining.explanation.steps[session.explaining.step].title == title
    assert session.explaining.step == 2


# -- pictures ----------------------------------------------------------------------------------------------------------


def test_a_picture_without_a_window_is_that_of_the_window() -> None:
    session = Session(BALLS, size=(640, 480))
    with Stage.offscreen((640, 480)) as stage:
        app = App(session, stage)
        session.explaining.explain("ball", "arm")
        chord(session, "period")
        session.settings.toggle("bar")
        app.refresh()
        shown, camera = stage.image(), session.viewport.camera
    made_alone = render_step(BALLS, "ball", "arm", step=2, size=(640, 480), camera=camera)
    assert np.array_equal(shown, made_alone)


def test_the_pictures_of_steps_differ_and_are_seen_from_one_place() -> None:
    pictures: list[Image] = list(render_steps(BALLS, "ball", "arm", size=(320, 240)))
    assert len(pictures) >= 4
    for one, other in combinations(pictures, 2):
        assert not np.array_equal(one, other)
    with pytest.raises(ValueError, match=r"the explanation has \d steps, got 99"):
        render_step(BALLS, "ball", "arm", step=99, size=(320, 240))
    with pytest.raises(ValueError, match="did you mean 'ball'"):
        render_step(BALLS, "bal", "arm", size=(320, 240))


def test_marks_have_the_label_and_the_role_that_they_are_given(session: Session) -> None:
    drawn = present(session)
    labels = {drawable.text: drawable.role for drawable in drawn if isinstance(drawable, Label)}
    assert labels["P"] is Role.CONTACT
    assert labels["P'"] is Role.OUTSIDE
    assert labels["normal"] is Role.NORMAL
    assert not any(isinstance(drawable, Panel) and drawable.corner == "upper-right" for drawable in drawn)


def test_round_numbers_of_an_axis_are_within_it_and_not_too_many() -> None:
    rng = np.random.default_rng(5)
    for low, span in zip(rng.normal(0.0, 10.0, 200), 10.0 ** rng.uniform(-6, 6, 200), strict=True):
        for most in (1, 3, 6):
            found = ticks(float(low), float(low + span), most)
            assert len(found) <= most + 1
            assert all(low - 1e-6 * span <= value <= low + span + 1e-6 * span for value in found)


def test_no_axis_strikes_the_name_of_an_area_through() -> None:
    look = Look(Page((400, 400), 1.0, 15.0, Fonts().width))
    plot = Plot("", "t", "", (0.0, 1.0), (-1.0, 1.0), (), (), (PlotArea((0.2, 0.8), (-1.0, 1.0), "core", "arm"),))
    part = plot_part(plot, 300.0, 200.0, look)
    (name,) = [text.run for text in part.texts if text.run.text == "arm"]
    (axis,) = [shape for shape in part.shapes if isinstance(shape, Path) and shape.width == 1.2]
    y = axis.points[0][1]
    assert not name.y <= y <= name.y + 0.75 * name.size


def test_a_card_says_no_sentence_twice() -> None:
    explanation = made("contact", Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1))
    for step in (explanation.steps[0], replace(explanation.steps[0], text=explanation.summary)):
        card = step_panel(step, explanation.summary, 1, 9)
        shown = explained(card, Page((1280, 800), 1.0, 15.0, Fonts().width))
        assert " ".join(run.text for run in shown.runs).count(explanation.summary) == 1


def test_the_second_picture_is_seen_from_where_no_corner_of_a_box_covers_another() -> None:
    turned = OrientedBox([0, 0, 0], Rotation.from_euler("zyx", [30, 20, 10], degrees=True).as_matrix().T, [1, 1, 1])
    scene = Scene({"box": turned, "ball": Sphere([1.6, 1.6, 1.4], 0.5)})
    steps = explain(signed_distance, *scene.shapes.values()).steps
    (step,) = (step for step in steps if step.title == "Nearest points of the cores")
    assert step.space is not None
    box, *dots = flat_marks(step.space.marks, scene.bounds())
    corners = np.unique(np.array(box.lines).reshape(-1, 2).round(6), axis=0)
    apart = np.linalg.norm(corners[:, None] - corners, axis=-1)[~np.eye(len(corners), dtype=bool)]
    assert len(corners) == 8
    assert apart.min() > 0.3
    (one, other) = (mark.dots[0] for mark in dots)
    far = float(np.linalg.norm(np.subtract(one, other)))
    assert far > 0.9 * 1.0721, "the point and where it is clamped to are seen beside each other"


def test_a_card_that_has_a_value_does_not_give_it_again_as_the_result() -> None:
    explanation = explain(signed_distance, AABB([0, 0, 0], [2, 2, 2]), Capsule([3, 1, 1], [3, 1, 4], 0.25))
    assert "0.75" in explanation.summary
    cards = [step_panel(step, explanation.summary, k, 9) for k, step in enumerate(explanation.steps, start=1)]
    with_it = [
        any(isinstance(value.value, float) and abs(value.value) == 0.75 for value in card.values) for card in cards
    ]
    assert any(with_it)
    assert not all(with_it)
    page = Page((1280, 1600), 1.0, 15.0, Fonts().width)
    for card, has in zip(cards, with_it, strict=True):
        written = [text.run.text for text in place_explanation(card, page, typeset)[0].part.texts]
        assert (explanation.summary in " ".join(written)) == (not has), card.title


def stands(text: str, sign: str) -> bool:
    """Say whether a symbol or a number stands in a formula, and not only as a part of another one."""
    return re.search(rf"(?<![\w.\\]){re.escape(sign)}(?![\w.'])", text) is not None


def test_a_value_stands_once_in_each_step() -> None:
    told = 0
    for explanation in some(6, explained_cases().values()):
        for step in explanation.steps:
            rules = step.formulas
            lines = step_as_text(1, step, None, set()).split("\n")[2:]
            text = "\n".join(line for line in lines if line not in {row for rule in rules for row in text_lines(rule)})
            html = "".join(step_as_html(1, step, 2, set()))
            markdown = "\n".join(step_as_markdown(1, step, "", 2, set()))
            card = step_panel(step, explanation.summary, 1, 1)
            for value, row in zip(step.values, card.values, strict=True):
                number = tex_number(value.value)
                twice = any(stands(rule.symbols, value.symbol) and stands(rule.numbers, number) for rule in rules)
                told += twice
                if twice:
                    assert row.listed != "number", (step.title, value)
                    assert f"     {plain(value.symbol)} = " not in text
                    assert f"<dt><math>{mathml_row(value.symbol)}<mo>=</mo>" not in html
                    assert f"- $`{value.symbol} = " not in markdown
                if isinstance(value.value, float) and len(number) > 2:
                    assert not stands(step.text, plain(number).lstrip("-")), (step.title, value)
    assert told > (1000 if deep() else 100)


def test_a_small_card_says_how_many_values_it_leaves_out() -> None:
    values = tuple(Value(letter, 1.5, "", "", "a number that takes a whole line of the card") for letter in "abcdefgh")
    explanation = made("contact", Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1))
    card = step_panel(replace(explanation.steps[5], values=values), "", 1, 1)
    said = []
    for height in range(60, 960, 20):
        texts = {run.text for run in explained(card, Page((1280, height), 1.0, 15.0, Fonts().width)).runs}
        said += [text for text in texts if "value" in text]
    # A picture file has a card, too, and nobody can make it larger.
    assert "8 values that do not fit here" in said
    assert any(text.startswith("… and ") for text in said)


def test_of_a_number_that_a_formula_has_a_card_lists_the_name() -> None:
    explanation = explain(signed_distance, Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
    (step,) = (step for step in explanation.steps if step.title == "Nearest points of the cores")
    shown = explained(step_panel(step, explanation.summary, 2, 3), Page((1280, 960), 1.0, 15.0, Fonts().width))
    written = [run.text for run in shown.runs]
    assert "distance of the points" in written
    assert "= 5" not in written


def test_values_of_every_kind_are_written() -> None:
    values = (Value("a", 1.5), Value("b", False), Value("c", float("inf")), Value("M", ((1.0, 2.0), (3.0, 4.0))))
    session = Session(BALLS)
    explanation = made("contact", Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1))
    card = step_panel(replace(explanation.steps[5], values=values), "", 1, 1)
    shown = explained(card, Page((1280, 960), 1.0, session.settings.theme.font_size, Fonts().width))
    assert {"= 1.5", "= no", "= ∞", "=", "1", "2", "3", "4"} <= {run.text for run in shown.runs}


def test_shapes_of_every_kind_are_drawn_as_marks() -> None:
    shapes = {
        "plane": HalfSpace([0, 0, -2], [0, 0, 1]),
        "ray": Ray([0, 0, 0], [1, 0, 0]),
        "box": AABB([0, 0, 0], [1, 1, 1]),
    }
    with Stage.offscreen((320, 240)) as stage:
        session = Session(Scene({**BALLS.shapes, **shapes}), size=(320, 240))
        session.explaining.explain("ball", "arm")
        stage.draw(present(session), session.viewport.camera)
        assert stage.image().std() > 5.0
