"""A file that lacks a bracket or a quote is told where that which is not closed begins."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision.files.toml import unclosed
from collision.scenefile import SceneFileError, parse_scene

#: Texts and comments full of brackets, that open and close nothing.
WHOLE = ['"[\\"{"', "'{\"'", "# ]'\"\n", '"""]\n"[""\n\\""""', "'''\n}''[\n'''''", "\n", "1, ", "a = ", '""', "''"]

#: What is never closed: all behind it is inside.
TEXTS = ['"a # [', "'b {", '"""c\n"]"" \\"""', "'''d\n'}'' "]


@given(st.lists(st.sampled_from([*WHOLE, "[", "{", "close"])), st.sampled_from(["", *TEXTS]))
def test_what_is_open_is_found_whatever_stands_in_texts_and_comments(pieces: list[str], last: str) -> None:
    text, stack = "", list[tuple[str, int]]()
    for piece in pieces:
        if piece == "close":
            if stack:
                text += "]" if stack.pop()[0] == "array" else "}"
        else:
            if piece in "[{":
                stack.append(("array" if piece == "[" else "inline table", text.count("\n") + 1))
            text += piece
        text += " "  # or quotes would be read together
    if last:
        stack.append(("text", text.count("\n") + 1))
    assert unclosed(text + last) == stack


@pytest.mark.parametrize(
    ("text", "at", "what", "begins"),
    [
        ('title = "x"\nignore = [["a", "b"],\n  ["c", "d"],\n', "4:1", "array", 2),
        ('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 1\nradius = 0.5\n', "4:1", "array", 3),
        ('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, # ]\n1,\n\n[shapes.b]\nkind = "point"\n', "6:2", "array", 3),
        ('ignore = [["a", "b"],\n\n["c", "d"\n,\n', "5:1", "array", 3),
        ('title = """abc\ncaption = "x"\n[shapes]\n', "4:1", "text", 1),
        ("\ntitle = '''abc\ncaption = 'x'\n[shapes]", "4:9", "text", 2),
    ],
)
def test_where_it_begins_is_told_with_where_the_parser_stopped(text: str, at: str, what: str, begins: int) -> None:
    with pytest.raises(SceneFileError) as caught:
        parse_scene(text, "s.toml")
    told = f"this is not valid TOML: .+; the {what} that begins on line {begins} is not closed before this\n"
    assert re.match(rf"s\.toml:{at}: {told}", str(caught.value))


@pytest.mark.parametrize(
    "text", ["[shapes.a\nx = 1", "x = [1, 2", 'x = { a = 1\ny = "b', "x = 1 2", 'x = [\n1]\ny = "']
)
def test_nothing_is_told_of_what_begins_on_the_very_line(text: str) -> None:
    with pytest.raises(SceneFileError) as caught:
        parse_scene(text, "s.toml")
    assert "begins" not in str(caught.value)
