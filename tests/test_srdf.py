"""SRDF beside a model: pairs, groups, poses; and what does not fit."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from collision import Sphere
from collision.importers import ImporterError, Joint, Mimic, Model, Srdf, load_model, read_srdf, with_srdf

Read = Callable[[str], Srdf]


def arm() -> Model:
    """Return five links, the last two welded, all of them balls that overlap."""
    joints = [
        Joint("ab", "revolute", "a", "b"),
        Joint("bc", "prismatic", "b", "c"),
        Joint("cd", "revolute", "c", "d", mimic=Mimic("ab")),
        Joint("de", "fixed", "d", "e"),
    ]
    return Model.of({name: {f"ball {name}": Sphere([0, 0, 0], 1)} for name in "abcde"}, joints)


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(text: str) -> Srdf:
        file = tmp_path / "arm.srdf"
        file.write_text(text if text.startswith("<robots") or not text else f'<robot name="arm">{text}</robot>')
        return read_srdf(file, arm())

    return read


def compared(model: Model) -> set[str]:
    scene = model.scene
    return {"".join(scene.element_name(i)[-1] for i in pair) for pair in scene.colliding_pairs().tolist()}


def test_pairs_are_those_that_srdf_leaves(read: Read) -> None:
    assert compared(arm()) == {"ac", "ad", "ae", "bd", "be"}
    off = '<disable_collisions link1="{}" link2="{}" reason="Never"/>'.format
    srdf = read(off("a", "c") + "\n" + off("d", "a") + off("a", "d"))
    assert [pair[:4] for pair in srdf.disabled] == [("a", "c", "Never", 1), ("d", "a", "Never", 2)]
    assert compared(with_srdf(arm(), srdf)) == {"ab", "ae", "bc", "bd", "be", "cd", "ce"}


def test_default_pairs_can_be_switched_off_and_single_ones_on(read: Read) -> None:
    srdf = read('<disable_default_collisions link="a"/><enable_collisions link1="c" link2="a"/>')
    assert compared(with_srdf(arm(), srdf)) == {"ac", "bc", "bd", "be", "cd", "ce"}


def test_groups_are_links_however_they_are_written(read: Read) -> None:
    srdf = read(
        '<group name="all"><group name="hand"/><chain base_link="a" tip_link="c"/></group>'
        '<group name="hand"><joint name="cd"/><link name="e"/></group><group name="all"><link name="a"/></group>'
    )
    assert dict(srdf.groups) == {"all": ("d", "e", "b", "c", "a"), "hand": ("d", "e")}


def test_poses_have_names(read: Read) -> None:
    pose = '<group_state name="{}" group="{}"><joint name="ab" value="{}"/></group_state>'.format
    srdf = read(pose("home", "arm", 0.5) + pose("up", "arm", 1) + pose("up", "hand", 2))
    assert {name: dict(values) for name, values in srdf.poses.items()} == {
        "home": {"ab": 0.5},
        "arm/up": {"ab": 1.0},
        "hand/up": {"ab": 2.0},
    }
    assert with_srdf(arm(), srdf).at(srdf.poses["home"]).q.tolist() == [0.5, 0]


def test_where_the_whole_robot_stands_is_no_part_that_is_left_out(read: Read) -> None:
    stands = '<virtual_joint name="world" type="floating" parent_frame="odom" child_link="a"/>'
    pose = (
        '<group_state name="home" group="all"><joint name="world" value="0 0 1 0 0 0 1"/><joint name="ab" value="1"/>'
    )
    srdf = read(f'<group name="all"><joint name="world"/><joint name="ab"/></group>{stands}{pose}</group_state>')
    assert srdf.skipped == ()
    assert srdf.groups["all"] == ("b",)
    assert dict(srdf.poses["home"]) == {"ab": 1.0}


def test_what_does_not_fit_the_model_is_listed_with_its_line(read: Read) -> None:
    srdf = read("""
        <disable_collisions link1="a" link2="z"/><virtual_joint name="world"/>
        <group name="g"><joint name="abc"/><chain base_link="c" tip_link="b"/><group name="h"/><magnet/></group>
        <group_state name="home"><joint name="cd" value="1"/><joint name="de" value="1"/><eff/></group_state>
        <magnets/>""")
    assert [f"{part.name}|{part.kind}|{part.reason}" for part in srdf.skipped] == [
        "magnets|magnets|arm.srdf, line 5: SRDF has no such element",
        "abc|joint|arm.srdf, line 3: the model has no joint named 'abc'; did you mean 'bc'?",
        "chain|chain|arm.srdf, line 3: 'b' does not hang on 'c'",
        "h|group|arm.srdf, line 3: the model has no group named 'h'",
        "magnet|magnet|arm.srdf, line 3: SRDF has no such element in <group>",
        "disable_collisions|disable_collisions|arm.srdf, line 2: the model has no link named 'z'",
        "cd|joint|arm.srdf, line 4: it follows 'ab', and has no value of its own",
        "de|joint|arm.srdf, line 4: it is fixed, and has no value of its own",
        "eff|eff|arm.srdf, line 4: SRDF has no such element in <group_state>",
    ]
    assert with_srdf(arm(), srdf).skipped == srdf.skipped


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no element found"),
        (
            '<link name="a"/>',
            ":1: <link name='a'>: expected SRDF, which says of pairs, groups and poses; links are in URDF",
        ),
        ("<robots/>", ":1: <robots>: expected <robot>, which holds what SRDF says"),
        ("<disable_colision/>", ":1: <disable_colision>: SRDF has no such element; did you mean <disable_collisions>?"),
        ('<disable_collisions link1="a"/>', ":1: <disable_collisions>: expected the attribute link2, got link1"),
        ('<group name="g"><group name="g"/></group>', "the group 'g' is in itself"),
        ('<group_state name="p"/><group_state name="p"/>', "this pose is there already"),
        (
            '<group_state name="p"><joint name="ab" value="x"/></group_state>',
            ":1: <joint name='ab'>: value must be a number, got 'x'",
        ),
        (
            '<group_state name="p"><joint name="ab" value="1"/>\n<joint name="ab" value="1"/></group_state>',
            ":2: <joint name='ab'>: this joint has a value on line 1",
        ),
        ('<group_state name="p"><jont name="ab"/></group_state>', ":1: <jont name='ab'>: .* did you mean <joint>?"),
        ('<group_state name="p"><joint name="ab" value="${pi}"/></group_state>', "SRDF that xacro has expanded, got"),
    ],
)
def test_mistakes_are_told_with_their_line(read: Read, text: str, message: str) -> None:
    with pytest.raises(ImporterError, match=message):
        read(text)


def test_a_model_is_read_with_its_srdf(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text('<robot name="arm"><link name="a"/></robot>')
    (tmp_path / "arm.srdf").write_text('<robot name="arm"><group_state name="home"/></robot>')
    assert list(load_model(tmp_path / "arm.urdf", srdf=tmp_path / "arm.srdf").poses) == ["home"]
    with pytest.raises(ImporterError, match=r"gone\.srdf: no such file"):
        load_model(tmp_path / "arm.urdf", srdf=tmp_path / "gone.srdf")


def test_groups_in_groups_are_read_once_and_not_too_deep(read: Read) -> None:
    twice = "".join(f'<group name="g{i}"><group name="g{i + 1}"/><group name="g{i + 1}"/></group>' for i in range(60))
    srdf = read(f'{twice}<group name="g60"><link name="a"/><link name="nobody"/></group>')
    assert set(srdf.groups.values()) == {("a",)}
    assert [part.name for part in srdf.skipped] == ["nobody"]
    deep = "".join(f'<group name="g{i}"><group name="g{i + 1}"/></group>' for i in range(3000))
    with pytest.raises(ImporterError, match=r"arm\.srdf:1: <group name='g101'>: no more than 100 groups lie in each"):
        read(f'{deep}<group name="g3000"/>')


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "arm.srdf"
    os.mkfifo(pipe)
    with pytest.raises(ImporterError, match=r"arm\.srdf: expected a regular file, got a pipe"):
        read_srdf(pipe, arm())
