"""Explanations as text, as Markdown and as JSON: nothing of TeX in the one, all of it in the others."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace

import jsonschema
import numpy as np
import pytest

from collision import Explanation, Scene, Sphere, candidate_pairs, explain
from collision.explaining.records import Formula, Plot, PlotPoint, Space, Step, Value
from collision.explaining.tables import VERSION, explanation_schema
from collision.explaining.text import folded, plain
from collision.scenefile import dump_scene
from tests.explained import explained_cases
from tests.slow import deep, some


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return explain("signed_distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2), names=("ball", "a_b [1]"))


def with_step(explanation: Explanation, step: Step) -> Explanation:
    return replace(explanation, steps=(step,))


# -- text --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{a + b}{c}", "(a + b) / c"),
        (r"\frac{-b - \sqrt{b^2 - 4 a c}}{2 a}", "(-b - √(b² - 4 a c)) / (2 a)"),
        (r"\frac{(3,\,4) \cdot (1,\,2)}{5}", "((3, 4) · (1, 2)) / 5"),
        (r"\frac{-1}{-x}", "-1 / -x"),
        (r"\left(\frac{1}{3}\right)^2", "(1 / 3)²"),
        (r"\|\mathbf{w}_2\| \leq r_A", "‖w₂‖ ≤ r_A"),
        (r"1.5 \times 10^{-9} \lt \infty", "1.5 × 10⁻⁹ < ∞"),
        (r"2^{n+1}", "2^(n+1)"),
        (r"\sqrt2 \frac12", "√2 1 / 2"),
        (r"\mathrm{yes}", "yes"),
    ],
)
def test_formulas_in_plain_text(tex: str, text: str) -> None:
    assert plain(tex) == text


def test_no_command_of_tex_is_left_in_the_text_of_any_case() -> None:
    for explanation in some(4, explained_cases().values()):
        rules = (tex for step in explanation.steps for rule in step.formulas for tex in (rule.symbols, rule.numbers))
        symbols = (value.symbol for step in explanation.steps for value in step.values)
        for tex in (*rules, *symbols):
            text = plain(tex)
            words = {re.sub(r"^(math(bf|rm|it)|text)$", "", name) for name in re.findall(r"\\([a-zA-Z]{2,})", tex)}
            assert not re.search(r"[\\{}]", text), tex
            assert not {word for word in words - {"", "min", "max"} if re.search(rf"(?<![a-z]){word}(?![a-z])", text)}


def test_the_text_has_all_that_was_computed(explanation: Explanation) -> None:
    text = str(explanation)
    assert text.startswith("signed_distance: ball and a_b [1] are 2 apart.\n\n1. Shrink to the cores\n")
    assert "\n     5 = ‖(3, 4, 0)‖\n" in text
    assert "\n     r_A = 1 unit (radius of ball)\n" in text
    assert all(f"\n{number}. {step.title}\n" in text for number, step in enumerate(explanation.steps, 1))


def test_sentences_are_broken_where_a_terminal_ends(explanation: Explanation) -> None:
    sentences = [line for line in explanation.as_text(width=40).splitlines() if not line.startswith("     ")]
    assert 30 < max(map(len, sentences)) <= 40
    assert " ".join(explanation.as_text(width=40).split()) == " ".join(str(explanation).split())


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_formulas_are_broken_before_signs_where_a_terminal_ends(width: int) -> None:
    for explanation in explained_cases().values():
        lines = explanation.as_text(width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert "".join("".join(lines).split()) == "".join(str(explanation).split())
        assert not [line for line in lines if line.startswith("     ") and line.endswith(tuple("=+·×/≤"))]


def test_a_formula_is_broken_outside_of_brackets_and_before_a_relation_first() -> None:
    rule = "     0.5 = (1 - 0.25 - 0.25 + 0.125) / (2 - 1 - 0.5 - 0.25)"
    assert folded(rule, 50) == ["     0.5 = (1 - 0.25 - 0.25 + 0.125)", "        / (2 - 1 - 0.5 - 0.25)"]
    assert folded("     (1, 2, 3) + (4, 5, 6) ≤ 7 + 8 + 9", 34) == ["     (1, 2, 3) + (4, 5, 6)", "        ≤ 7 + 8 + 9"]
    assert folded("     " + "9" * 50, 40) == ["     " + "9" * 50]
    assert folded(rule, 100) == [rule]


def test_a_matrix_has_its_columns_below_each_other(explanation: Explanation) -> None:
    matrix = Value(r"\mathbf{M}", ((1.0, -0.5), (0.0, 10.0)), "", "", "world to capsule")
    text = str(with_step(explanation, Step("Turn", "It is turned.", values=(matrix, Value("d", float("inf"))))))
    assert "     M (world to capsule):\n       1  -0.5\n       0    10\n     d = ∞" in text


# -- Markdown ----------------------------------------------------------------------------------------------------------


def test_every_formula_of_every_case_is_set() -> None:
    for explanation in explained_cases().values():
        page = explanation.as_markdown()
        blocks = re.findall(r"^```math\n(.*?)\n```$", page, re.MULTILINE | re.DOTALL)
        plain_blocks = [block.replace("&", "") for block in blocks]
        rules = [rule for step in explanation.steps for rule in step.formulas]
        assert len(blocks) >= len(rules)
        assert all(block.count("{") == block.count("}") for block in blocks)
        assert page.count("$`") == page.count("`$")
        rest = re.sub(r"```math.*?```|\$`.*?`\$", "", page, flags=re.DOTALL)
        assert not re.search(r"\\[a-zA-Z]", rest), "all TeX is within marks"
        for rule in rules:
            assert any(rule.symbols in block and rule.numbers in block for block in plain_blocks), rule


def test_markdown_has_pictures_headings_and_names_that_are_no_markup(explanation: Explanation) -> None:
    page = explanation.as_markdown(pictures=[f"steps-{k}.png" for k in range(len(explanation.steps))])
    assert page.startswith("# signed distance of ball and a\\_b \\[1\\]\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [
        f"{k}. {s.title}" for k, s in enumerate(explanation.steps, 1)
    ]
    assert re.findall(r"\]\((.*?)\)", page) == [f"steps-{k}.png" for k in range(len(explanation.steps))]
    with pytest.raises(ValueError, match="one for each of 4 steps, got 1"):
        explanation.as_markdown(pictures=["one.png"])


def test_a_matrix_is_set_as_one(explanation: Explanation) -> None:
    matrix = Value(r"\mathbf{M}", ((1.0, -0.5), (0.0, 1.5e-9)), "", "", "world to capsule")
    page = with_step(
        explanation, Step("Turn", "It is turned.", values=(Value("a", 1.0), matrix, Value("b", 2.0)))
    ).as_markdown()
    assert "World to capsule:\n\n```math\n\\mathbf{M} = \\begin{bmatrix}\n1 & -0.5 \\\\\n0 & 1.5 \\times" in page
    assert page.index("$`a = 1`$") < page.index("bmatrix") < page.index("$`b = 2`$")


def test_formulas_are_aligned_at_their_first_relation_outside_of_groups(explanation: Explanation) -> None:
    rule = Formula(r"\sqrt{x = 1} \leq y = 2", r"1 \leq 2")
    page = with_step(explanation, Step("Ask", "Is it?", (rule, Formula("n", "n")))).as_markdown()
    assert "\\sqrt{x = 1} &\\leq y = 2 \\\\\n1 &\\leq 2\n" in page
    assert "\\begin{aligned}\n& n\n\\end" in page, "what has no numbers is not said twice"


# -- JSON --------------------------------------------------------------------------------------------------------------


def test_every_case_is_what_the_schema_describes() -> None:
    schema = explanation_schema()
    validator = jsonschema.Draft7Validator(schema)
    validator.check_schema(schema)
    for explanation in [*explained_cases().values()][:: 1 if deep() else 6]:  # a schema is read slowly
        table = json.loads(json.dumps(explanation.as_dict(), allow_nan=False))
        validator.validate(table)
        assert [step["title"] for step in table["steps"]] == [step.title for step in explanation.steps]


def test_the_schema_finds_what_is_wrong(explanation: Explanation) -> None:
    validator = jsonschema.Draft7Validator(explanation_schema())
    for path, wrong in (
        (("version",), VERSION + 1),
        (("steps", 0, "marks", 0, "role"), "nonsense"),
        (("steps", 0, "marks", 0, "shape"), {"kind": "sphere", "center": [0, 0, 0]}),
        (("steps", 0, "values", 0, "unit"), "miles"),
    ):
        table = json.loads(json.dumps(explanation.as_dict()))
        part = table
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = wrong
        assert not validator.is_valid(table), path


def test_numbers_are_whole_or_null(explanation: Explanation) -> None:
    plot = Plot("p", "x", "y", (0.0, 1.0), (0.0, 1.0), points=(PlotPoint(float("nan"), 0.1, "point"),))
    step = Step("s", "t", values=(Value("a", (1 / 3, float("inf"))), Value("b", True)), plot=plot, space=Space("c", ()))
    table = with_step(explanation, step).as_dict()
    assert [value["value"] for value in table["steps"][0]["values"]] == [[1 / 3, None], True]
    assert table["steps"][0]["plot"]["points"][0]["x"] is None
    jsonschema.Draft7Validator(explanation_schema()).validate(json.loads(json.dumps(table, allow_nan=False)))


def test_shapes_are_written_as_in_scene_files(explanation: Explanation) -> None:
    for step in explanation.steps:
        written = tomllib.loads(dump_scene(Scene({f"m{k}": mark.shape for k, mark in enumerate(step.marks)})))
        marks = with_step(explanation, step).as_dict()["steps"][0]["marks"]
        assert {f"m{k}": mark["shape"] for k, mark in enumerate(marks)} == written.get("shapes", {})


def test_what_a_query_returns_is_an_object_with_its_fields() -> None:
    a, b = Sphere([0, 0, 0], 1), Sphere([0, 0, 5], 2)
    assert explain("closest_points", a, b).as_dict()["result"] == {
        "signed_distance": 2.0,
        "on_a": [0.0, 0.0, 1.0],
        "on_b": [0.0, 0.0, 3.0],
        "normal": [0.0, 0.0, 1.0],
    }


def test_what_is_counted_is_whole() -> None:
    explanation = explain(candidate_pairs, Scene({"crowd": Sphere(np.zeros((1420, 3)), 1)}))
    assert explanation.steps[-1].text.startswith("1,007,490 pairs of boxes overlap")
    assert "k = 1007490 (pairs for the narrow phase)" in str(explanation)
