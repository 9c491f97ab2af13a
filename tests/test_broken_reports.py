"""Reports of broken promises: a page that needs nothing else, all escaped, and small scenes that break alike."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import viewer
from collision import AABB, Capsule, Expectation, HalfSpace, Line, Motion, Ray, Scene, Shape, Sphere, judge
from collision.scenefile import dump_scene, parse_scene
from tests.test_judging import some_scene
from viewer.broken.findings import finding_of, part_of
from viewer.broken.minimal import minimal_scene
from viewer.broken.pictures import Photographer
from viewer.broken.report import Finding, ScenePart, html_report
from viewer.broken.writing import picture_names, write_report

NASTY = ['<b>"x"&', "<img src=x onerror=alert(1)>"]


class Page(HTMLParser):
    """Every tag of a page with what it says, ids and links; that tags are closed in their order."""

    EMPTY = ("meta", "link", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags for key, value in attributes.items() if key == name and value]


def nasty_parts(photographer: Photographer | None = None) -> list[ScenePart]:
    a, b = NASTY
    promises = [
        Expectation("apart", a, b, reason="</pre><script>alert(2)</script>"),
        Expectation("collide", a, b, id="</title><script>"),
    ]
    scene = Scene({a: Sphere([0, 0, 0], 1), b: Sphere([1, 0, 0], 1)}, expectations=promises, title="<i>")
    path = "scenes/<script>alert(0)</script>.toml"
    part = part_of(path, scene, judge(scene), lines={promises[0].id: 12}, photographer=photographer)
    known = part.findings[0]._replace(state="known", notes=("accepted: <u>",), command="collision-viewer '<s>'")
    wrong = ScenePart("b.toml", message="b.toml:3: <nothing>", left_out=("mesh <hand>",))
    return [ScenePart("quiet.toml"), part, part._replace(findings=(known,)), wrong]


@pytest.fixture(scope="module")
def parts() -> list[ScenePart]:
    with Photographer((400, 200)) as photographer:
        return nasty_parts(photographer)


def test_all_is_escaped_and_nothing_comes_from_elsewhere(parts: list[ScenePart]) -> None:
    text = html_report(parts)
    page = Page(text)
    assert not {"script", "b>", "i", "u", "s", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert not any(key.startswith("on") for _, attributes in page.tags for key in attributes)
    assert all(source.startswith("data:image/png;base64,") for source in page.all("src"))
    assert all(link.startswith("#") or link == "data:," for link in page.all("href"))
    assert not re.search(r"url\(|@import|https?:", text)
    for words in (*NASTY, "</pre><script>alert(2)</script>", "mesh <hand>", "b.toml:3: <nothing>", "accepted: <u>"):
        assert words in page.text


def test_every_link_leads_somewhere_and_every_picture_says_what_it_shows(parts: list[ScenePart]) -> None:
    page = Page(html_report(parts))
    ids = page.all("id")
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in page.all("href") if link != "data:,"} <= set(ids)
    pictures = [attributes for tag, attributes in page.tags if tag == "img"]
    assert len(pictures) == 2
    for picture in pictures:
        assert (picture["width"], picture["height"]) == ("400", "200")
        assert f"Expected: {NASTY[0]} and {NASTY[1]} do not touch. Actual: " in (picture["alt"] or "")


def test_an_entry_says_all_that_is_needed(parts: list[ScenePart]) -> None:
    text = Page(html_report(parts)).text
    assert "1 promise broken" in text
    assert "toml:12" in text
    assert "collision-viewer test 'scenes/<script>alert(0)</script>.toml' --only" in text
    assert "[[expect]]" in text
    assert f"moving {NASTY[1]} by [1, 0, 0]" in text
    assert "2 shapes, 1 pair tested" in text


def test_what_is_wrong_comes_first(parts: list[ScenePart]) -> None:
    ids = [name for name in Page(html_report(parts)).all("id") if name.startswith("scene-")]
    assert ids == ["scene-2", "scene-4", "scene-1", "scene-3"]


@pytest.mark.parametrize(
    ("some", "title"),
    [
        ([], "Nothing was tested"),
        ([ScenePart("a.toml")], "Nothing was tested"),
        ([ScenePart("a.toml", message="no")], "1 scene not tested"),
        ([ScenePart("a.toml", findings=(Finding("x", "held", "", ""),))], "All promises hold"),
    ],
)
def test_a_report_over_nothing_says_so(some: list[ScenePart], title: str) -> None:
    assert f"<title>{title}</title>" in html_report(some)


def test_a_report_is_a_file_or_a_folder_and_whole(
    parts: list[ScenePart], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert write_report(parts, tmp_path / "report.html").stat().st_size > 10_000
    folder = tmp_path / "out" / "report"
    index = write_report(parts, folder)
    page = Page(index.read_text(encoding="utf-8"))
    assert sorted(page.all("src")) == sorted(f"pictures/{file.name}" for file in (folder / "pictures").iterdir())
    assert len(page.all("src")) == 2
    before = index.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("viewer.broken.writing.write_text", full)
        for target in (folder, tmp_path / "other", tmp_path / "other.html"):
            with pytest.raises(OSError, match="No space"):
                write_report(parts[:1], target)
    assert index.read_bytes() == before
    assert write_report(parts[:1], folder) == index
    assert not (folder / "pictures").exists() or not list((folder / "pictures").iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "report.html"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report"]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for target in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(FileExistsError, match="report"):
            write_report([], target)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_names_of_pictures_are_plain_and_of_one_file_each() -> None:
    findings = tuple(Finding(name, "broken", "", "", picture=b"p") for name in ("a/../b", "A b", "a b", "\N{SNOWMAN}"))
    names = picture_names([ScenePart("x/<y>.toml", findings=findings), ScenePart("x/y.toml", findings=findings)])
    assert len({name.lower() for name in names.values()}) == 8
    assert all(re.fullmatch(r"[\w-]+\.png", name, re.ASCII) for name in names.values())


# -- small scenes ------------------------------------------------------------------------------------------------------


def check_alike(scene: Scene) -> int:
    count = 0
    for verdict in judge(scene).broken:
        if verdict.pair is None:
            continue
        small = minimal_scene(scene, verdict)
        assert small is not None, verdict
        assert len(small) <= 3
        found = judge(parse_scene(dump_scene(small))).verdicts[0]
        assert not found.ok
        for name in ("signed_distance", "distance", "fraction"):
            if name in verdict.values:
                assert found.values[name] == pytest.approx(verdict.values[name], rel=1e-6)
        count += 1
    return count


def test_small_scenes_break_the_same_promises() -> None:
    assert sum(check_alike(some_scene(np.random.default_rng(seed))) for seed in range(60)) > 50


def test_small_scenes_move_alike() -> None:
    arm = viewer.as_scene("robot_arm")
    promises = [Expectation("apart", "*arm*", "wall"), Expectation("apart", "*", "*", clearance=0.05)]
    assert check_alike(arm.replaced(expectations=promises, open=True)) == 2
    crowd = Sphere([[0, 0, 0], [3, 0, 0], [6, 0, 0]], 0.5)
    turn = Motion("cr*", times=[0, 1], rotations=np.array([[0, 0, 0, 1], [0, 0, 0.6, 0.8]]))
    scene = Scene({"crowd": crowd, "post": Capsule([1, -2.5, -1], [1, -2.5, 1], 0.5)}, motion=[turn])
    assert check_alike(scene.replaced(expectations=[Expectation("apart", "crowd", "post", clearance=0.5)])) == 1


def test_small_scenes_of_rays_ways_and_insides() -> None:
    shapes: dict[str, Shape] = {
        "laser": Ray([0, 0, 1], [1, 0, 0]),
        "arm": Capsule([0, 2, 0.5], [0, 2, 1.5], 0.2),
        "block": AABB([2, -1, 0], [2.5, 3, 2]),
        "aim": AABB([4, -1, 0], [5, 3, 2]),
        "far": Sphere([50, 0, 0], 1),
    }
    promises = [
        Expectation("ray", "laser", "aim", without=("far",)),
        Expectation("ray", b="aim", origin=(0, 0, 1), direction=(1, 0, 0), without=("laser",)),
        Expectation("sweep", "arm", "aim", motion=(5, 0, 0), without=("laser",)),
        Expectation("inside", "far", "block"),
        Expectation("inside", b="block", point=(9, 9, 9)),
    ]
    assert check_alike(Scene(shapes, expectations=promises, open=True)) == 5


def test_a_finding_without_a_scene_has_no_picture() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)}, expectations=[Expectation("apart", "a", "b")])
    finding = finding_of(None, judge(scene).verdicts[0], path="a.toml", line=3)
    assert (finding.state, finding.place, finding.picture, finding.scene) == ("broken", "a.toml:3", None, "")


@pytest.mark.filterwarnings("error")
def test_what_overlaps_without_end_has_a_picture_and_a_small_scene() -> None:
    shapes = {"wall": HalfSpace([0, 0, 0], [0, 0, 1]), "line": Line([3, 0, 1], [0, 1, 2])}
    promises = [Expectation(kind, *shapes) for kind in ("apart", "touch")]  # type: ignore[arg-type]
    promises.append(Expectation("collide", *shapes, when="never"))
    scene = Scene(shapes, expectations=promises)
    found = judge(scene)
    assert len(found.broken) == len(promises)
    with Photographer((300, 150)) as photographer:
        for verdict in found.broken:
            layout = photographer.layout(scene, verdict)
            assert layout is not None
            assert np.isfinite(layout.camera.position).all()
    for finding in part_of("endless.toml", scene, found).findings:
        assert not judge(parse_scene(finding.scene)).ok


@pytest.mark.parametrize("more", [{"at": 3.0}, {"during": (2.5, 3.5)}, {"during": (0.5, 3.0)}], ids=str)
@pytest.mark.parametrize("moving", ["b", "far"])
def test_a_small_scene_keeps_time(moving: str, more: dict[str, Any]) -> None:
    shapes = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "far": Sphere([0, 0, 20], 1)}
    motions = [Motion(moving, [0, 2], [[0, 0, 0], [0, 0.5, 0]]), Motion("far", [0, 4], [[0, 0, 0], [1, 0, 0]])]
    promises = [Expectation("apart", "a", "b", **more)]
    if "at" in more:
        promises.append(Expectation("ray", "", "b", origin=[-5, 0, 0], direction=[1, 0, 0], **more))
    scene = Scene(shapes, motion=motions, expectations=promises)
    for verdict in judge(scene).broken:
        small = minimal_scene(scene, verdict)
        assert small is not None
        again = judge(parse_scene(dump_scene(small))).broken
        assert again[0].values == pytest.approx(verdict.values)
        assert "far" not in small


def test_a_touch_is_mended_by_less_than_can_be_written() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([2, 0, 0], 1)}, expectations=[Expectation("apart", "a", "b")])
    text = Page(html_report([part_of("balls.toml", scene, judge(scene))])).text
    assert "parting the two" in text
    assert "[0, 0, 0]" not in text
    assert re.search(r"depth\s*0\b", text) is None
    deep = scene.moved("b", [-0.5, 0, 0])
    assert "moving b by [0.5, 0, 0]" in Page(html_report([part_of("balls.toml", deep, judge(deep))])).text
