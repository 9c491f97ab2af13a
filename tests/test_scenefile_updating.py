"""Scene files that are saved over: the scene to the last bit, and all the rest as its author left it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import AABB, Camera, Capsule, OrientedBox, Point, Scene, Show, Sphere
from collision.scenefile import dump_scene, parse_scene, tables_of, updated_text
from tests.test_scene_editing import random_scene

TEXT = """# A scene that its author is fond of.

title = "Arm and crates"   # short
ignore = [
    ["arm*", "torso"],     # one body
    ["knot", "knot"],
]

[camera]
position = [0, -12, 5]

# -- the body --
[shapes.torso]
kind = "capsule"           # by its ends
start = [0, 0, 0]
end = [0, 0, 2]
radius = 0.5

# the left arm
[shapes."arm left"]        # as an engine has it
kind = "capsule"
axis = "y"                 # lies
height = 2
radius = 0.25              # thin
transform = { position = [1, 0, 1.5], rotation = { axis = "z", angle = 30 }, scale = 1 }

[shapes.crate]
kind = "box"
center = [3, 0, 0.5]
size = [1, 1e0, 1]         # a cube
rotation = { euler = [0, 0, 15] }

[shapes.plate]
radius = 0.125
kind = "sphere"
center = [ 7,
           8, # eight
           9 ]

[shapes.plate2]
kind = "box"
center = [3, 0, 0.5]
half_extents = [1, 1, 0.1]

[shapes.plate2.rotation]   # a table of its own
axis = "x"
angle = 30

[shapes.knot]
kind = "sphere"            # a batch
center = [
    [0, 0, 4],
    [0.5, 0, 4],           # the second
    [1, 0, 4],
]
radius = 0.3

# what is drawn
[[show]]
query = "closest_points"   # first
a = "arm left"
b = "crate"
label = "gap"

[[show]]
query = "contact"
a = "knot[1]"
b = "torso"
# the end
"""

SCENE = parse_scene(TEXT)


def changed_lines(old: str, new: str) -> tuple[list[str], list[str]]:
    """Return the lines that are only in the one and only in the other, in order."""
    from difflib import ndiff

    found = list(ndiff(old.splitlines(), new.splitlines()))
    return tuple([line[2:] for line in found if line.startswith(sign)] for sign in "-+")  # type: ignore[return-value]


def same(a: Scene, b: Scene) -> bool:
    return dump_scene(a) == dump_scene(b)


def test_what_did_not_change_is_not_touched() -> None:
    assert updated_text(TEXT, SCENE) == TEXT
    assert updated_text(TEXT, SCENE.replaced(hidden=["knot"])) == TEXT


@pytest.mark.parametrize(
    ("change", "gone", "new"),
    [
        (
            lambda s: s.moved("torso", [0, 0, 0.25]),
            ["start = [0, 0, 0]", "end = [0, 0, 2]"],
            ["start = [0, 0, 0.25]", "end = [0, 0, 2.25]"],
        ),
        (lambda s: s.moved("plate", [0, 0.5, 0]), ["           8, # eight"], ["           8.5, # eight"]),
        (
            lambda s: s.moved("knot[1]", [0, 1, 0]),
            ["    [0.5, 0, 4],           # the second"],
            ["    [0.5, 1.0, 4],           # the second"],
        ),
        (lambda s: s.moved("crate", [1, 0, 0]), ["center = [3, 0, 0.5]"], ["center = [4.0, 0, 0.5]"]),
        (lambda s: s.moved("plate2", [1, 0, 0]), ["center = [3, 0, 0.5]"], ["center = [4.0, 0, 0.5]"]),
        (
            lambda s: s.with_shape("crate", OrientedBox(s["crate"].center, s["crate"].axes, [0.5, 0.75, 0.5])),
            ["size = [1, 1e0, 1]         # a cube"],
            ["size = [1, 1.5, 1]         # a cube"],
        ),
        (lambda s: s.with_shape("plate", Sphere([7, 8, 9], 2)), ["radius = 0.125"], ["radius = 2.0"]),
        (
            lambda s: s.renamed("torso", "the body"),
            ['    ["arm*", "torso"],     # one body', "[shapes.torso]", 'b = "torso"'],
            ['    ["arm*", "the body"],     # one body', '[shapes."the body"]', 'b = "the body"'],
        ),
        (lambda s: s.renamed("plate2", "p.3"), ["[shapes.plate2]", "[shapes.plate2.rotation]   # a table of its own"],
         ['[shapes."p.3"]', '[shapes."p.3".rotation]   # a table of its own']),
        (
            lambda s: s.without("arm left"),
            ["# the left arm", '[shapes."arm left"]        # as an engine has it', 'kind = "capsule"',
             'axis = "y"                 # lies', "height = 2", "radius = 0.25              # thin",
             'transform = { position = [1, 0, 1.5], rotation = { axis = "z", angle = 30 }, scale = 1 }', "",
             "[[show]]", 'query = "closest_points"   # first', 'a = "arm left"', 'b = "crate"', 'label = "gap"', ""],
            [],
        ),
        (
            lambda s: s.with_shape("dot", Point([1, 2, 3])).with_shape("dot 2", Point([1, 2, 4])),
            [],
            ["[shapes.dot]", 'kind = "point"', "position = [1.0, 2.0, 3.0]", "",
             '[shapes."dot 2"]', 'kind = "point"', "position = [1.0, 2.0, 4.0]", ""],
        ),
        (lambda s: s.replaced(title="Other"), ['title = "Arm and crates"   # short'], ['title = "Other"   # short']),
        (lambda s: s.ignoring(("crate", "plate")), [], ['    ["crate", "plate"],']),
        (
            lambda s: s.replaced(shows=s.shows[1:]),
            ["[[show]]", 'query = "closest_points"   # first', 'a = "arm left"', 'b = "crate"', 'label = "gap"', ""],
            [],
        ),
    ],
)  # fmt: skip
def test_only_what_changed_is_rewritten(change: Callable[[Scene], Scene], gone: list[str], new: list[str]) -> None:
    after = change(SCENE)
    text = updated_text(TEXT, after)
    assert same(parse_scene(text), after)
    found_gone, found_new = changed_lines(TEXT, text)
    gone = [line for line in gone if line != "# what is drawn"]
    assert sorted(filter(None, found_gone)) == sorted(filter(None, gone)) or "# what is drawn" in found_gone
    assert sorted(filter(None, found_new)) == sorted(filter(None, new))


def test_a_form_that_cannot_say_what_changed_becomes_the_one_that_is_stored() -> None:
    after = SCENE.with_shape("arm left", Capsule([0, 0, 0], [1, 2, 3], 0.25))
    text = updated_text(TEXT, after)
    assert same(parse_scene(text), after)
    gone, new = changed_lines(TEXT, text)
    assert [line.split()[0] for line in gone] == ["axis", "height", "transform"]
    assert [line.split()[0] for line in new] == ["start", "end"]
    assert "radius = 0.25              # thin\n" in text
    assert '[shapes."arm left"]        # as an engine has it\n' in text


POST = """[shapes.post]                # the height includes the caps
kind = "capsule"
axis = "z"
center = [0.0, 2.1, 1.2]     # its middle
height = 2.4                 # with caps
radius = 0.35
"""


def post(low: float, high: float, radius: float) -> Capsule:
    return Capsule([0, 2.1, low], [0, 2.1, high], radius)


PLACED = """[shapes.post]
kind = "box"
center = [1, 0, 0]
size = [1, 2, 3]
[shapes.post.transform]      # set up
rotation = { euler = [0, 0, 30] }
position = [0, 0, 0.5]       # on the floor
"""

BALLS = """[shapes.post]
kind = "sphere"
center = [[0, 0, 0], [1, 0, 0]]
radius = 1
transform = { scale = 2 }    # twice
"""


@pytest.mark.parametrize(
    ("text", "change", "gone", "new"),
    [
        (POST, lambda s: s.moved("post", [1, 0, 0]), "center = [0.0, 2.1, 1.2]", "center = [1.0, 2.1, 1.2]"),
        (POST, lambda s: s.with_shape("post", post(0.5, 3.5, 0.35)),
         "center = [0.0, 2.1, 1.2];height = 2.4", "center = [0.0, 2.1, 2.0];height = 3.7"),
        (POST.replace("center = [0.0, 2.1, 1.2]     # its middle\n", ""), lambda s: s.moved("post", [1, 0, 0]),
         "", "center = [1.0, 0.0, 0.0]"),
        (POST.replace("height = 2.4", "height = 3").replace("0.35", "0.5").replace("1.2]", "1.5]"),
         lambda s: s.with_shape("post", post(0.5, 2.5, 0.25)), "height = 3;radius = 0.5", "height = 2.5;radius = 0.25"),
        (POST.replace("2.4", "0.5"), lambda s: s.with_shape("post", post(1.2, 1.2, 0.75)),
         "radius = 0.35", "radius = 0.75"),
        (PLACED, lambda s: s.moved("post", [0, 0.25, 0]), "position = [0, 0, 0.5]", "position = [0, 0.25, 0.5]"),
        (BALLS, lambda s: s.moved("post", [0, 0.25, 0]),
         "transform = { scale = 2 }", "transform = { scale = 2, position = [0.0, 0.25, 0.0]}"),
    ],
)  # fmt: skip
def test_a_form_of_its_own_stays_where_it_can_say_what_changed(
    text: str, change: Callable[[Scene], Scene], gone: str, new: str
) -> None:
    after = change(parse_scene(text))
    written = updated_text(text, after)
    assert same(parse_scene(written), after)
    lines = [
        [re.sub(" +#.*", "", line).replace(",  ", ", ") for line in found] for found in changed_lines(text, written)
    ]
    assert lines == [gone.split(";") if gone else [], new.split(";")]
    assert written.count("#") == text.count("#")


def test_a_box_that_was_turned_gets_axes_in_place_of_a_rotation() -> None:
    for name in ("crate", "plate2"):
        turned = OrientedBox(SCENE[name].values()["center"], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 1, 1])
        after = SCENE.with_shape(name, turned)
        text = updated_text(TEXT, after)
        assert same(parse_scene(text), after)
        assert "axes = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]" in text
        assert text.count("rotation") == TEXT.count("rotation") - 1
        assert text.count("#") >= TEXT.count("#") - 1


def test_another_kind_takes_the_place_of_a_shape() -> None:
    after = SCENE.with_shape("torso", AABB([0, 0, 0], [1, 1, 1]))
    text = updated_text(TEXT, after)
    assert same(parse_scene(text), after)
    assert 'kind = "aabb"           # by its ends' in text


def test_names_can_be_swapped_and_given_again() -> None:
    swapped = SCENE.renamed("torso", "x").renamed("plate", "torso").renamed("x", "plate")
    text = updated_text(TEXT, swapped)
    assert same(parse_scene(text), swapped)
    again = SCENE.without("torso").with_shape("torso", Point([0, 0, 0]))
    assert same(parse_scene(updated_text(TEXT, again)), again)


BALL = 'kind = "sphere"\ncenter = [0, 0, 0]\nradius = 1\n'
DOT = 'kind = "point"\nposition = [0, 0, 1]\n'
INLINE_BALL, INLINE_DOT = ("{ " + keys.strip().replace("\n", ", ") + " }" for keys in (BALL, DOT))


@pytest.mark.parametrize(
    "text",
    [
        "[shapes]\n",
        f"[shapes]\nball = {INLINE_BALL} # inline\ndot = {INLINE_DOT}\n",
        f"shapes = {{ ball = {INLINE_BALL}, dot = {INLINE_DOT} }}\n",
        f"shapes.ball = {INLINE_BALL}\nshapes.dot = {INLINE_DOT}",
        'shapes.ball.kind = "sphere"\nshapes.ball.center = [0, 0, 0]\nshapes.ball.radius = 1\n',
        f"[shapes.ball] # c\n{BALL}\n[shapes.dot]\n{DOT}".replace("\n", "\r\n"),
        f'[shapes."ball"]\n{BALL}[ shapes . dot ]\n{DOT}'.replace('"', "'"),
        f"[shapes.ball]\n{BALL}[camera]\nposition = [9, 9, 9]\n[shapes.far]\ntransform.position = [1, 2, 3]\n{DOT}",
        f'show = [{{ query = "bounds", a = "ball" }}]\n[shapes.ball]\n{BALL}',
        f'[[show]]\nquery = "bounds"\na = "ball"\n[shapes.ball]\n{BALL}transform = {{ scale = [1, 2] }}\n',
        f'[groups]\nall = ["*"] # all\n[groups.balls]\ninclude = ["b*"]\n[shapes.ball]\n{BALL}',
    ],
)
def test_every_layout_holds_every_scene(text: str) -> None:
    before = parse_scene(text)
    for change in (
        lambda s: s.moved(list(s), [0.1, 0, 0]),
        lambda s: s.with_shape("new", Capsule([0, 0, 0], [0, 0, 1], 0.1)),
        lambda s: s.without(list(s)[-1]) if len(s) else s,
        lambda s: s.renamed(next(iter(s)), 'it\'s "new"') if len(s) else s,
        lambda s: s.replaced(title="two\nlines", caption="c", shows=[], camera=Camera((1, 2, 3))),
        lambda s: s.replaced(camera=None, shapes={}, shows=[], ignored=[]),
        lambda s: s.replaced(shapes=dict(reversed(s.shapes.items()))),
        lambda s: s.with_shape("b", Sphere([0, 0, 0], 1)).replaced(shows=[*s.shows, Show("bounds", "b")]),
        lambda s: s.with_shape("b", Sphere([0, 0, 0], 1)).ignoring(("b", "b*")),
    ):
        after = change(before)
        written = updated_text(text, after)
        assert same(parse_scene(written), after)
        if "\r\n" in text and set(after) >= set(before):
            assert "\n" not in written.replace("\r\n", "")


APART = """# top
[shapes.a]     # the first
kind = "sphere"
center = [0, 0, 0]
radius = 1     # one

# --- the others ---

# about b
[shapes.b]
kind = "sphere"
center = [9, 0, 0]
radius = 2     # two

[shapes.c]
kind = "point"
position = [3, 0, 0] # three

# the end
"""


def test_a_new_shape_goes_to_its_place() -> None:
    before = parse_scene(APART)
    dot = Point([5, 5, 5])
    for place in range(4):
        shapes = list(before.shapes.items())
        after = before.replaced(shapes=dict([*shapes[:place], ("dot", dot), *shapes[place:]]))
        text = updated_text(APART, after)
        assert same(parse_scene(text), after)
        gone, new = changed_lines(APART, text)
        assert list(filter(None, gone)) == []
        assert list(filter(None, new)) == ["[shapes.dot]", 'kind = "point"', "position = [5.0, 5.0, 5.0]"]
        assert text.startswith("# top\n")
        assert text.endswith("\n\n# the end\n")


def test_comments_that_stand_by_themselves_stay_where_a_shape_goes() -> None:
    before = parse_scene(APART)
    assert updated_text(APART, before.without("a")) == "# top\n\n# --- the" + APART.partition("# --- the")[2]
    text = updated_text(APART, before.without("a", "b", "c"))
    assert text == "# top\n\n[shapes]\n\n# --- the others ---\n\n# the end\n"
    assert same(parse_scene(text), Scene())
    again = updated_text(text, before, tables_of(APART, before))
    assert same(parse_scene(again), before)
    assert sorted(filter(None, again.split("\n"))) == sorted(filter(None, APART.split("\n")))


@pytest.mark.parametrize("names", ["cba", "bca", "cab", "acb"])
def test_shapes_in_another_order_keep_their_comments(names: str) -> None:
    after = parse_scene(APART).replaced(shapes={name: parse_scene(APART)[name] for name in names})
    text = updated_text(APART, after)
    assert same(parse_scene(text), after)
    assert sorted(filter(None, text.split("\n"))) == sorted(filter(None, APART.split("\n")))
    assert text.startswith("# top\n")


def test_what_was_written_elsewhere_comes_back_also_with_other_values() -> None:
    before = parse_scene(APART)
    less = updated_text(APART, before.without("b"))
    after = before.moved("b", [0, 0.5, 0])
    text = updated_text(less, after, tables_of(APART, ["b"]))
    assert same(parse_scene(text), after)
    assert "# about b\n[shapes.b]\n" in text
    assert "center = [9, 0.5, 0]\nradius = 2     # two" in text
    other = before.without("b").with_shape("b", Point([0, 0, 0]))
    assert "# about b" not in updated_text(less, other, tables_of(APART, ["b"]))


def test_a_renamed_shape_is_the_one_that_is_the_same() -> None:
    before = parse_scene(APART)
    # The place between a and c could be that of either of two; and b takes the name of one that goes.
    text = updated_text(APART, before.with_shape("d", Sphere([1, 2, 3], 4)).without("a", "c").renamed("b", "new"))
    assert "# about b\n[shapes.new]" in text
    text = updated_text(APART, before.without("a").renamed("b", "a"))
    assert "# about b\n[shapes.a]" in text
    assert "# the first" not in text


def test_shapes_and_shows_within_other_tables_get_their_own_and_the_rest_stays() -> None:
    text = (
        "# top\ntitle = 't' # called so\n"
        f"show = [{{ query = 'bounds', a = 'ball' }}, {{ query = 'bounds', a = 'dot' }}]\n"
        f"[shapes] # all\nball = {INLINE_BALL} # round\ndot = {INLINE_DOT} # small\n\n"
        f"[shapes.far] # away\n{DOT}"
    )
    before = parse_scene(text)
    for after in (
        before.renamed("ball", "big"),
        before.without("dot"),
        before.replaced(shapes=dict(reversed(before.shapes.items()))),
        before.replaced(shapes={"new": Point([0, 0, 0]), **before.shapes}),
    ):
        written = updated_text(text, after)
        assert same(parse_scene(written), after)
        wanted = ["# top", "# called so", "# all", "# round", "# away", *(["# small"] if "dot" in after else [])]
        assert [remark for remark in wanted if remark not in written] == []


@pytest.mark.parametrize("text", ["", "# mine\n", "\n\n", "[shapes]\n", "# mine"])
def test_an_empty_text_is_a_scene_that_grows(text: str) -> None:
    assert same(parse_scene(text), Scene())
    assert updated_text(text, Scene()) == text
    for scene in (Scene({"a": Point([1, 2, 3])}, title="x"), Scene({"a": Point([1, 2, 3])}), Scene(title="x")):
        written = updated_text(text, scene)
        assert same(parse_scene(written), scene)
        wanted = dump_scene(scene) if "#" not in text else "# mine\n" + dump_scene(scene)
        assert written.strip() in (wanted.strip(), wanted.replace("# mine\n", "# mine\n\n").strip())


def test_a_mark_at_the_beginning_stays() -> None:
    after = SCENE.moved("torso", [0, 0, 1])
    assert updated_text("\ufeff" + TEXT, after) == "\ufeff" + updated_text(TEXT, after)


def test_comments_in_groups_stay() -> None:
    text = f'[groups]\nall = ["*"] # all\n[groups.balls]\ninclude = ["b*"] # round\n[shapes.ball]\n{BALL}'
    after = parse_scene(text).renamed("ball", "bowl").replaced(name_groups={"all": ["b*"], "balls": ["b*"]})
    written = updated_text(text, after)
    assert same(parse_scene(written), after)
    assert written == text.replace('["*"]', '["b*"]').replace("shapes.ball", "shapes.bowl")


def test_comments_in_a_camera_stay() -> None:
    text = updated_text(
        TEXT.replace("[0, -12, 5]", "[0, -12, 5] # far"), SCENE.replaced(camera=Camera((0, -6, 5), (0, 0, 1)))
    )
    assert re.search(r"position = \[0, -6(\.0)?, 5\] # far\n", text)


def test_a_broken_text_is_written_anew() -> None:
    broken = (
        "# mine\n\n[shapes]\na.kind = 'point' # x\na.position = [0, 0, 0]\nb.kind = 'point'\nb.position = [0, 0, 1]"
    )
    turned = parse_scene(broken).renamed("a", "c")
    assert updated_text(broken, turned) == "# mine\n\n" + dump_scene(turned)
    assert updated_text("[shapes.x", SCENE) == dump_scene(SCENE)
    assert updated_text('[shapes.x]\nkind = "cube"', SCENE) == dump_scene(SCENE)


@pytest.mark.parametrize("seed", range(8))
def test_random_changes_one_after_the_other_keep_every_comment_of_what_stays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene, text = SCENE, TEXT
    for step in range(12):
        names = list(scene)
        name = str(rng.choice(names))
        match rng.integers(6):
            case 0:
                scene = scene.moved(name, rng.uniform(-1, 1, 3))
            case 1:
                scene = scene.renamed(name, f"{name.partition(' ')[0]} {step}")
            case 2 if len(names) > 3:
                scene = scene.without(name)
            case 3:
                scene = scene.with_shape(f"new {step}", Sphere(rng.uniform(-1, 1, 3), rng.uniform()))
            case 4 if scene[name].batch_shape and len(scene[name]) > 1:
                scene = scene.without(f"{name}[0]")
            case _:
                number = int(rng.integers(scene.element_count))
                scene = scene.moved(scene.element_name(number), rng.uniform(-1e-9, 1e9, 3))
        text = updated_text(text, scene)
        assert same(parse_scene(text), scene)
        assert text.startswith("# A scene that its author is fond of.\n\ntitle = ")
        assert "# short" in text
        if "crate" in scene:
            assert "# a cube" in text
        assert not re.search(r"\n\n\n\n", text)


def test_a_large_scene_with_every_kind_is_updated_to_the_bit() -> None:
    scene = random_scene(np.random.default_rng(3), 40)
    text = dump_scene(scene)
    moved = scene.moved([scene.element_name(number) for number in range(0, scene.element_count, 7)], [math.pi, 0, 1e-9])
    assert same(parse_scene(updated_text(text, moved)), moved)


TURNED = """\
[shapes.crate]  # on the floor
kind = "box"
center = [1.2, 0, 0.5]
size = [1, 1, 1]
rotation = { axis = "z", angle = 30 }  # to the door
"""


@pytest.mark.parametrize(
    ("axis", "angle", "written"),
    [
        ([0, 0, 1], 45.0, "75"),
        ([0, 0, 1], -45.0, "-15"),
        ([0, 0, 1], 12.345, "42.345"),
        ([0, 0, 1], 170.0, "200"),
        ([0, 0, -1], 30.0, "0"),
    ],
)
def test_a_box_turned_about_its_axis_keeps_its_angle(axis: list[float], angle: float, written: str) -> None:
    turn = Rotation.from_rotvec(np.radians(angle) * np.array(axis)).as_matrix()
    scene = parse_scene(TURNED)
    crate = scene["crate"]
    assert isinstance(crate, OrientedBox)
    for offset, center in (([0, 0, 0], "[1.2, 0, 0.5]"), ([0, 2, 0], "[1.2, 2.0, 0.5]")):
        after = Scene({"crate": OrientedBox(crate.center + np.array(offset), turn @ crate.axes, crate.half_extents)})
        text = updated_text(TURNED, after)
        assert text == TURNED.replace("angle = 30", f"angle = {written}").replace("[1.2, 0, 0.5]", center)
        found = parse_scene(text)["crate"]
        assert isinstance(found, OrientedBox)
        assert np.abs(found.axes - turn @ crate.axes).max() < 1e-14


def test_a_box_turned_about_another_axis_has_its_axes_written() -> None:
    scene = parse_scene(TURNED)
    crate = scene["crate"]
    assert isinstance(crate, OrientedBox)
    turn = Rotation.from_euler("x", 20, degrees=True).as_matrix()
    after = Scene({"crate": OrientedBox(crate.center, turn @ crate.axes, crate.half_extents)})
    text = updated_text(TURNED, after)
    assert "rotation" not in text
    assert parse_scene(text) == after
