"""Files of many tables: read at once where they are alike, to the same scene and with the same errors."""

from __future__ import annotations

import re

import pytest

from collision import Scene
from collision.files import reading
from collision.scenefile import SceneFileError, dump_scene, parse_scene

PLAIN = {
    "point": "position = [{i}, 0.1, 0]",
    "segment": "start = [{i}, 0, 0]\nend = [{i}, 0.3, 1]",
    "ray": "origin = [{i}, 0, 0]\ndirection = [1, 0.7, {i}]",
    "line": "point = [{i}, 0, 0]\ndirection = [0.3, 2, {i}]",
    "sphere": "center = [{i}, 0, 0]\nradius = 0.{i}",
    "capsule": "start = [{i}, 0, 0]\nend = [{i}, 0.3, 1]\nradius = 1",
    "aabb": "lower = [{i}, 0, 0]\nupper = [{i}.7, 1, 1]",
    "box": "center = [{i}, 0, 0]\nhalf_extents = [1, 2, 0.{i}1]",
    "halfspace": "point = [{i}, 0, 0]\nnormal = [0.1, 3, {i}]",
}

#: What is not plain, and stays where it is among the others.
OTHERS = {
    "collider": 'kind = "capsule"\naxis = "y"\nheight = 3\nradius = 0.7\ncenter = [1, 2, 3]',
    "batch": 'kind = "sphere"\ncenter = [[0, 0, 0], [1, 0, 0]]\nradius = 1',
    "sized": 'kind = "box"\ncenter = [0, 0, 0]\nsize = [1, 2, 3]',
    "turned": 'kind = "box"\ncenter = [0, 0, 0]\nsize = [1, 2, 3]\nrotation = { axis = "z", angle = 30 }',
    "placed": 'kind = "sphere"\ncenter = [0, 0, 0]\nradius = 1\ntransform = { position = [1, 2, 3] }',
}


def written(first: int, stop: int) -> str:
    """Return a file with tables of all kinds, mixed."""
    tables = []
    for i in range(first, stop):
        tables += [f'[shapes.{kind}{i}]\nkind = "{kind}"\n{keys.format(i=i)}' for kind, keys in PLAIN.items()]
        if i == (first + stop) // 2:
            tables += [f"[shapes.{name}]\n{keys}" for name, keys in OTHERS.items()]
    return "\n".join(tables) + "\n"


def one_by_one(monkeypatch: pytest.MonkeyPatch, text: str) -> Scene:
    with monkeypatch.context() as patch:
        patch.setattr(reading, "CROWD", 10**9)
        return parse_scene(text)


def test_many_tables_are_read_to_the_same_scene_in_the_same_order(monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(0, 120)
    found, wanted = parse_scene(text), one_by_one(monkeypatch, text)
    assert list(found) == list(wanted)
    assert found == wanted
    assert dump_scene(found) == dump_scene(wanted)
    assert len(reading._crowd({f"p{i}": {"kind": "point", "position": [i, 0, 0]} for i in range(100)})) == 100


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("radius = 0.77", "radius = -1"),
        ("radius = 0.77", "radius = nan"),
        ("radius = 0.77", 'radius = "1"'),
        ("radius = 0.77", "radius = true"),
        ("radius = 0.77", "radius = [[1], 2]"),
        ("radius = 0.77", "radius = 1" + "0" * 400),
        ("radius = 0.77", "radius = 1\nradios = 2"),
        ("position = [77, 0.1, 0]", "position = [77, 0.1]"),
        ("position = [77, 0.1, 0]", "position = [77, 0.1, [0]]"),
        ("position = [77, 0.1, 0]", ""),
        ("normal = [0.1, 3, 77]", "normal = [0, 0, 0]"),
        ("upper = [77.7, 1, 1]", "upper = [7, 1, 1]"),
        ('kind = "ray"\norigin = [77', 'kind = "rat"\norigin = [77'),
        ('kind = "ray"\norigin = [77', 'kind = ["ray"]\norigin = [77'),
        ("[shapes.line77]", '[shapes."line[77]"]'),
    ],
)
def test_a_mistake_among_many_is_told_as_among_few(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    text = written(60, 80)
    assert text.count(old) == 1
    text = text.replace(old, new)
    with pytest.raises(SceneFileError) as wanted:
        one_by_one(monkeypatch, text)
    with pytest.raises(SceneFileError) as found:
        parse_scene(text)
    assert str(found.value) == str(wanted.value)
    assert re.match(r"<text>:\d+: shapes\.", str(found.value))


def test_twenty_thousand_tables_are_read() -> None:
    text = "".join(
        f'[shapes.s{i}]\nkind = "sphere"\ncenter = [{3 * (i % 200)}, {i}, 0]\nradius = 1\n' for i in range(20_000)
    )
    assert len(parse_scene(text)) == 20_000


@pytest.mark.parametrize("begin", ["", "[", "[[", "title = 'x'\n[shapes.a]\nb.c = { d = 1, "])
def test_a_key_of_very_many_parts_is_refused_at_once(begin: str) -> None:
    text = begin + "a." * 20_000 + "a = 1\n"
    with pytest.raises(SceneFileError, match=r"<text>:[13]: a key has more than 200 parts with dots between"):
        parse_scene(text)


def test_dots_in_texts_are_no_key() -> None:
    dots = "a." * 300
    assert parse_scene(f'caption = "{dots}" # {dots}\n[shapes]').caption == dots
