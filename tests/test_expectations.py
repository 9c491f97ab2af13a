"""Promises as values, in scenes that are edited, in scene files, and as they are stated of what holds now."""

from __future__ import annotations

import json
import pickle
import random
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from collision import Expectation, Motion, NameGroup, Point, Ray, Scene, Sphere, current_expectations, judge
from collision.scenefile import (
    SceneFileError,
    dump_scene,
    expectation_lines,
    json_schema,
    parse_scene,
    updated_text,
)
from tests.test_judging import some_scene
from viewer.cli import main

TEXT = """\
title = "A cell"
ignore = [["upper", "laser"]]
open = true

[groups]
arm = ["upper*", "forearm"]   # the arm
world = { include = ["*"], exclude = ["arm", "ball", "laser"] }

[shapes.upper]
kind = "capsule"
start = [0, 0, 0]
end = [0, 0, 1]
radius = 0.1

[shapes.forearm]
kind = "capsule"
start = [0, 0, 1]
end = [0, 1, 1]
radius = 0.1

[shapes.ball]
kind = "sphere"
center = [0, 0, 5]
radius = 1

[shapes.crate]
kind = "box"
center = [3, 0, 0]
size = [1, 1, 1]

[shapes.laser]
kind = "ray"
origin = [0, 0, 9]
direction = [0, 0, -1]

[[motion]]
shape = "ball"
time = [0, 2, 4]
offset = [[0, 0, 0], [0, 0, 1], [0, 0, 0]]

# one moves in the other
[[expect]]
collide = ["upper", "forearm"]   # at the elbow
depth = [0.1, 0.5]
normal = [0, 0, 1]
within = 120
reason = "a joint"

[[expect]]
apart = ["arm", "world"]
clearance = 0.05
during = [0, 1]

[[expect]]
touch = ["ball", "crate"]
tolerance = 1e-6
never = true

[[expect]]
ray = { origin = [0, 0, 8], direction = [0, 0, -1] }
hits = "ball"
distance = 2
without = ["laser"]

[[expect]]
ray = "laser"
hits = "ball"
at = 2

[[expect]]
sweep = "ball"
motion = [1, 0, 0]
hits = ""
without = "laser"

[[expect]]
inside = "ball"
point = [0, 0, 5]
id = "middle"
"""


def promises_of(text: str) -> list[Expectation]:
    return list(parse_scene(text).expectations)


def said_of(text: str) -> str:
    """Return what is said of a text that is no scene; nothing of one that is."""
    try:
        parse_scene(text, "cell.toml")
    except SceneFileError as error:
        return str(error)
    return ""


def test_a_scene_file_says_what_is_promised() -> None:
    scene = parse_scene(TEXT)
    assert scene.open
    assert dict(scene.name_groups) == {
        "arm": NameGroup(["upper*", "forearm"]),
        "world": NameGroup("*", ["arm", "ball", "laser"]),
    }
    assert scene.expectations == (
        Expectation("collide", "upper", "forearm", depth=(0.1, 0.5), normal=[0, 0, 1], within=120, reason="a joint"),
        Expectation("apart", "arm", "world", clearance=0.05, during=[0, 1]),
        Expectation("touch", "ball", "crate", tolerance=1e-6, when="never"),
        Expectation("ray", b="ball", origin=[0, 0, 8], direction=[0, 0, -1], distance=2, without="laser"),
        Expectation("ray", "laser", "ball", at=2),
        Expectation("sweep", "ball", motion=[1, 0, 0], without="laser"),
        Expectation("inside", b="ball", point=[0, 0, 5], id="middle"),
    )


def test_promises_are_written_and_read_back_to_the_last_bit() -> None:
    scene = parse_scene(TEXT)
    assert parse_scene(dump_scene(scene)) == scene
    assert pickle.loads(pickle.dumps(scene)) == scene
    assert hash(pickle.loads(pickle.dumps(scene))) == hash(scene)
    rng = np.random.default_rng(1)
    for _ in range(60):
        some = some_scene(rng).replaced(hidden=())
        said = said_of(dump_scene(some))
        if said:  # of nothing, which no file promises
            assert "nothing could be tested" in said
        else:
            assert parse_scene(dump_scene(some)) == some


def test_parts_of_what_is_promised_make_another_scene() -> None:
    scene = parse_scene(TEXT)
    for other in (
        {"open": False},
        {"expectations": scene.expectations[::-1]},
        {"name_groups": {"arm": "upper*", "world": "*"}},
    ):
        assert scene.replaced(**other) != scene
        assert scene.replaced(**other).shapes is scene.shapes
    with pytest.raises(TypeError, match="open must be True or False"):
        scene.replaced(open=1)
    with pytest.raises(TypeError, match="expectations must be made of Expectation"):
        scene.replaced(expectations=["apart"])


def test_ids_stay_when_a_file_is_put_in_another_order() -> None:
    head, *tables = re.split(r"(?m)^(?=\[\[expect\]\])", TEXT)
    ids = {promise.id: promise for promise in promises_of(TEXT)}
    assert len(ids) == len(tables)
    for seed in range(20):
        random.Random(seed).shuffle(tables)
        text = head + "\n".join(tables)
        assert {promise.id: promise for promise in promises_of(text)} == ids
        lines = text.split("\n")
        for name, line in expectation_lines(text).items():
            assert lines[line - 1] == "[[expect]]"
            assert tomllib.loads("\n".join(lines[line : line + 2]))  # the two keys that are told apart
            assert name in ids


def test_two_promises_of_one_id_are_named_with_both_lines() -> None:
    again = '\n[[expect]]\napart = ["arm", "world"]\nduring = [0, 1]\n'
    with pytest.raises(SceneFileError) as caught:
        parse_scene(TEXT + again, "cell.toml")
    first, last = TEXT.split("\n").index('apart = ["arm", "world"]'), TEXT.count("\n") + 2
    assert str(caught.value).startswith(f"cell.toml:{last}: expect 8: ")
    assert f"as on line {first}; give one of them an id of its own" in str(caught.value)


WRONG = [
    ("depth = [0.1", "depht = [0.1", 'depht: unknown key; did you mean "depth"?'),
    ("collide =", "colide =", 'colide: unknown key; did you mean "collide"?'),
    ("clearance = 0.05", "clearance = -1", "clearance: expected zero or more"),
    ("at = 2\n", "clearance = 2\n", "ray takes no clearance; it takes ray, hits, distance, without, at"),
    (
        "clearance = 0.05",
        "depth = 1",
        "apart takes no depth; it takes apart, clearance, always, ever, never, at, during",
    ),
    ("distance = 2", "distance = [3, 2]", "distance: expected the lower number first, got [3, 2]"),
    ("never = true", "never = true\nalways = true", "expected one of always, ever and never"),
    ("never = true", "never = false", "expected true (or leave the key out), got false"),
    ("never = true", "at = 30", "at: expected a time of the motion, 0 to 4, got 30.0"),
    ("during = [0, 1]", "during = [1]", "during: expected two times, such as [2, 3.5], got [1]"),
    ('hits = "ball"\n', "", 'hits: missing; hits says what is hit first, by its name, or "" for nothing'),
    ('hits = "ball"\n', 'hits = "bal"\n', 'there is no shape and no group named "bal"; did you mean "ball"?'),
    ('["arm", "world"]', '["arm", "wrld"]', 'apart[1]: there is no shape and no group named "wrld"'),
    ('["arm", "world"]', '["upper", "upper"]', "there is no pair of two shapes between"),
    ('["upper*", "forearm"]', '["world"]', "groups.arm: the group holds itself: arm -> world -> arm"),
    ('["upper*", "forearm"]', '["forarm"]', 'groups.arm.include[0]: there is no shape and no group named "forarm"'),
    ('["upper*", "forearm"]', "3", "groups.arm: expected a list of names and patterns"),
    ("arm = [", "ball = [", 'groups.ball: there is a shape named "ball", too'),
    ("arm = [", '"a*" = [', "the name of a group must be text without the characters"),
    ("exclude =", "exclud =", 'exclud: unknown key; did you mean "exclude"?'),
    ('exclude = ["arm", "ball", "laser"]', 'exclude = ["*"]', "groups.world: no shape is left in it"),
    ('ray = "laser"', 'ray = "ball"', 'ray: expected the name of a single ray, got "ball"'),
    ("ray = { origin", "ray = { orign", 'ray.orign: unknown key; did you mean "origin"?'),
    ("motion = [1, 0, 0]\n", "", "motion: missing; it says which way is swept"),
    ('id = "middle"', 'id = "nothing-else"', "is the id of what no promise is about"),
    ("open = true", "open = 3", "open: expected true or false, got 3"),
    ('collide = ["upper", "forearm"]', 'collide = ["upper", "laser"]', "the scene ignores all pairs"),
    ('reason = "a joint"', 'apart = ["upper", "ball"]', "expected one promise, got 2: collide, apart"),
    ('collide = ["upper", "forearm"]', 'id = "x"', "it takes one of collide, apart, touch, ray, sweep, inside"),
]


@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[new.strip() or old.strip() for old, new, _ in WRONG])
def test_mistakes_are_said_with_file_line_and_key(old: str, new: str, said: str) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    with pytest.raises(SceneFileError) as caught:
        parse_scene(text, "cell.toml")
    first = str(caught.value).split("\n")[0]
    assert said in str(caught.value)
    place = re.match(r"cell\.toml:(\d+): (expect \d+|groups|open)", first)
    assert place is not None, first
    changed = TEXT[: TEXT.index(old)].count("\n") + 1
    assert changed - 6 <= int(place[1]) <= changed + 2


VALUES = [
    "3",
    "-1",
    "nan",
    '"x"',
    '""',
    "true",
    "[]",
    "[1, 2]",
    '["ball", "crate"]',
    "{}",
    "{ a = 1 }",
    "1e999",
    "[[1]]",
]


def test_one_bracket_too_few_is_told() -> None:
    head = TEXT.partition("# one moves")[0]
    assert "stands in two brackets, [[expect]]" in said_of(head + '[expect]\napart = ["arm", "world"]\n')


def test_whatever_a_promise_is_changed_to_there_is_no_traceback() -> None:
    rng = random.Random(4)
    begin = TEXT.index("[[expect]]")
    lines = re.finditer(r"(?m)^(\w+) = (.*)$", TEXT)
    spots = [line for line in lines if line.start() > begin or line[1] in ("arm", "world", "open")]
    keys = [*{spot[1] for spot in spots}, "ever", "always", "fraction", "x"]
    wrong = 0
    for _ in range(200):
        spot = rng.choice(spots)
        change = rng.choice(
            [f"{spot[1]} = {rng.choice([*VALUES, '2020-01-01'])}", f"{rng.choice(keys)} = {spot[2]}", ""]
        )
        said = said_of(TEXT[: spot.start()] + change + TEXT[spot.end() :])
        wrong += bool(said)
        assert not said or all(re.match(r"cell\.toml:\d+:|    ", line) for line in said.split("\n")), said
    assert wrong > 100


def test_promises_follow_names() -> None:
    scene = parse_scene(TEXT)
    renamed = scene.renamed("upper", "shoulder").renamed("ball", "big ball")
    assert renamed.name_groups["arm"].include == ("shoulder", "forearm")
    assert renamed.name_groups["world"].exclude == ("arm", "big ball", "laser")
    assert [promise.id for promise in renamed.expectations[:3]] == [
        "collide shoulder forearm", "apart arm world during 0 to 1", "touch big ball crate never",
    ]  # fmt: skip
    assert [judge(one).verdicts[k].ok for one in (scene, renamed) for k in range(7)] == [True] * 14
    left = scene.without("forearm", "laser")
    assert left.name_groups["arm"].include == ("upper*",)
    assert [promise.kind for promise in left.expectations] == ["apart", "touch", "ray", "sweep", "inside"]
    assert left.expectations[2].without == ()
    assert [promise.timed for promise in scene.without("crate").expectations] == [False, False, True, False, False]
    assert not any(promise.timed for promise in scene.without("ball").expectations)  # nothing moves any more
    assert "arm" not in scene.without("upper", "forearm").name_groups
    crowd = Scene(
        {"crowd": Sphere([[0, 0, 0], [4, 0, 0], [8, 0, 0]], 1), "a": Point([0, 0, 0])},
        expectations=[Expectation("touch", "crowd[2]", "a", id="mine"), Expectation("apart", "crowd", "crowd")],
    )
    assert crowd.without("crowd[1]").expectations[0] == Expectation("touch", "crowd[1]", "a", id="mine")
    assert len(crowd.without("crowd[1]", "crowd[2]").expectations) == 0
    for one in (renamed, left, scene.without("ball"), scene.without("upper", "forearm")):
        assert parse_scene(dump_scene(one)) == one


def test_texts_keep_their_comments_when_promises_change() -> None:
    scene = parse_scene(TEXT)
    more = scene.replaced(expectations=(*scene.expectations, Expectation("apart", "ball", "crate", clearance=1)))
    added = updated_text(TEXT, more)
    assert added.startswith(TEXT)
    assert parse_scene(added) == more
    changed = scene.renamed("forearm", "lower arm").replaced(open=False)
    text = updated_text(TEXT, changed)
    assert parse_scene(text) == changed
    for comment in ("# the arm", "# one moves in the other", "# at the elbow"):
        assert comment in text
    assert parse_scene(updated_text(TEXT, scene.replaced(name_groups={}, expectations=()))).expectations == ()
    bare = TEXT[: TEXT.index("# one moves")].replace("[groups]", "[unused]").partition("[unused]")
    plain = bare[0] + "[shapes" + bare[2].partition("[shapes")[2]
    both = parse_scene(plain).replaced(name_groups=scene.name_groups, expectations=scene.expectations)
    assert parse_scene(updated_text(plain, both)) == both


def test_the_schema_knows_all_keys_of_promises() -> None:
    schema = json_schema()
    assert {"expect", "groups", "open"} <= schema["properties"].keys()
    table = schema["$defs"]["ExpectTable"]
    assert table["additionalProperties"] is False
    assert {"collide", "apart", "touch", "ray", "sweep", "inside", "always", "during", "reason", "id"} <= table[
        "properties"
    ].keys()
    assert all("description" in key for key in table["properties"].values())
    assert json.loads(json.dumps(schema)) == schema


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kind": "near", "a": "x", "b": "y"}, "kind must be one of"),
        ({"kind": "apart", "a": "x"}, "apart needs a name for b"),
        ({"kind": "apart", "a": "x", "b": "y", "depth": 1}, "apart takes no depth"),
        ({"kind": "ray", "b": "y", "origin": [0, 0, 0]}, "or an origin and a direction"),
        ({"kind": "ray", "a": "r", "distance": 1}, "has no distance"),
        ({"kind": "sweep", "a": "x", "b": "y"}, "sweep needs a motion"),
        ({"kind": "inside", "a": "x", "b": "y", "point": [0, 0, 0]}, "and not both"),
        ({"kind": "collide", "a": "x", "b": "y", "depth": [2, 1]}, "the lower one first"),
        ({"kind": "collide", "a": "x", "b": "y", "normal": [0, 0, 0]}, "not the zero vector"),
        ({"kind": "collide", "a": "x", "b": "y", "at": 1, "during": [0, 1]}, "either at or during"),
        ({"kind": "collide", "a": "x", "b": "y", "at": 1, "when": "always"}, "is a moment"),
        ({"kind": "collide", "a": "x", "b": "y", "within": 181}, "0 to 180 degrees"),
        ({"kind": "collide", "a": "x", "b": "y", "id": "a\nb"}, "one line"),
        ({"kind": "touch", "a": "x", "b": "y", "tolerance": float("nan")}, "finite number"),
    ],
)
def test_promises_that_cannot_be_are_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Expectation(**given)  # type: ignore[arg-type]


def test_what_holds_now_is_stated_and_holds() -> None:
    rng = np.random.default_rng(6)
    for number in range(12):
        scene = some_scene(rng).replaced(expectations=(), open=False)
        if number % 3 == 0:
            way = Motion(next(iter(scene)), [0, 1, 2], rng.uniform(-2.0, 2.0, (3, 3)))
            scene = scene.replaced(motion=[way])
        found = current_expectations(scene, margin=0.5)
        if not judge(
            scene.replaced(expectations=[Expectation("ray", origin=[0, 0, 0], direction=[0, 0, 1])])
        ).counts.pairs:
            continue
        assert found
        judged = judge(scene.replaced(expectations=found))
        assert judged.ok, judged.broken
        assert all(promise.stated for promise in found)
        again = scene.replaced(expectations=found)
        assert current_expectations(again, margin=0.5) == found


def test_what_people_promised_is_not_stated_again() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([1, 1, 0], 1)})
    mine = scene.replaced(expectations=[Expectation("collide", "a", "*")])
    assert [promise.names for promise in current_expectations(mine)] == [("b", "c")]
    assert len(current_expectations(scene)) == 3


def test_the_command_states_what_holds_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cell.toml"
    path.write_text(TEXT.partition("# one moves")[0] + "# the end\n", encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    assert main(["expect", str(path)]) == 0
    stated = capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == before
    assert 'collide = ["upper", "forearm"]' in stated
    assert main(["expect", str(path), "--write"]) == 0
    assert "written" in capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    assert text.startswith(before.partition("# the end")[0])
    assert judge(parse_scene(text)).ok
    assert main(["expect", str(path), "--write"]) == 0
    assert "already" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == text
    path.write_text(text.replace('id = "now:', 'id = "mine:'), encoding="utf-8")
    assert main(["expect", str(path), "--write"]) == 0
    assert capsys.readouterr().out == f"{path}: nothing to add that the scene does not promise already\n"
    assert main(["expect", "first"]) == 0
    nothing = "first.toml: the scene already promises what holds for pairs that collide or are "
    assert capsys.readouterr() == ("", f"{nothing}nearest\n")
    assert main(["expect", "first", "--margin", "1"]) == 0
    assert capsys.readouterr() == ("", f"{nothing}within 1\n")
    assert main(["expect", "first", "--write"]) == 2
    assert "is an example, which stays as it is" in capsys.readouterr().err
    alone = tmp_path / "alone.toml"
    alone.write_text('[shapes.a]\nkind = "point"\nposition = [0, 0, 0]\n', encoding="utf-8")
    assert main(["expect", str(alone)]) == 2
    assert "only one shape" in capsys.readouterr().err


def test_a_ray_of_the_scene_does_not_hit_itself() -> None:
    scene = Scene({"laser": Ray([0, 0, 0], [1, 0, 0]), "wall": Sphere([5, 0, 0], 1)}, open=True)
    scene = scene.replaced(expectations=[Expectation("ray", "laser", "wall", distance=4)])
    assert judge(scene).ok
