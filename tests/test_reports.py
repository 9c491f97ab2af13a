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
from viewer.verdicts.collecting import Source
from viewer.verdicts.html import html_report
from viewer.verdicts.judging import JudgeOptions, judge_source
from viewer.verdicts.minimal import minimal_scene
from viewer.verdicts.pictures import PlannedPicture, ReportRenderer, illustrated
from viewer.verdicts.results import LeftOut, PromiseResult, Run, SceneResult, counts_of
from viewer.verdicts.writing import named, write_report

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


def run_of(*results: SceneResult) -> Run:
    return Run(exit_code=0, counts=counts_of(results), scenes=results)


def judged(path: str, scene: Scene) -> SceneResult:
    return judge_source(Source(path, dump_scene(scene).encode("utf-8")), JudgeOptions(pictured=True))


def nasty_run() -> Run:
    a, b = NASTY
    promises = [
        Expectation("apart", a, b, reason="</pre><script>alert(2)</script>"),
        Expectation("collide", a, b, id="</title><script>"),
    ]
    scene = Scene({a: Sphere([0, 0, 0], 1), b: Sphere([1, 0, 0], 1)}, expectations=promises, title="<i>")
    result = judged("scenes/<script>alert(0)</script>.toml", scene)
    broken = result.promises[0]
    clash = broken.clashes[0].model_copy(update={"accepted": "<u>"})
    accepted = broken.model_copy(update={"state": "accepted", "clashes": (clash,)})
    left_out = (LeftOut(name="<hand>", kind="mesh", reason="meshes are"),)
    quiet = SceneResult(path="quiet.toml", state="held")
    wrong = SceneResult(path="b.toml", state="mistake", message="b.toml:3: <nothing>", left_out=left_out)
    known = result.model_copy(update={"promises": (accepted,), "state": "accepted"})
    return named(run_of(quiet, result, known, wrong), None)


@pytest.fixture(scope="module")
def report() -> Run:
    run, failed = illustrated(nasty_run())
    assert failed == []
    return run


def test_all_is_escaped_and_nothing_comes_from_elsewhere(report: Run) -> None:
    text = html_report(report)
    page = Page(text)
    assert not {"script", "b>", "i", "u", "s", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert not any(key.startswith("on") for _, attributes in page.tags for key in attributes)
    assert all(source.startswith("data:image/png;base64,") for source in page.all("src"))
    assert all(link.startswith("#") or link == "data:," for link in page.all("href"))
    assert not re.search(r"url\(|@import|https?:", text)
    for words in (*NASTY, "</pre><script>alert(2)</script>", "mesh <hand>", "b.toml:3: <nothing>", "<u>"):
        assert words in page.text


def test_every_link_leads_somewhere_and_every_picture_says_what_it_shows(
    report: Run,
) -> None:
    page = Page(html_report(report))
    ids = page.all("id")
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in page.all("href") if link != "data:,"} <= set(ids)
    pictures = [attributes for tag, attributes in page.tags if tag == "img"]
    assert len(pictures) == 2
    for picture in pictures:
        assert (picture["width"], picture["height"]) == ("1200", "500")
        assert f"Expected: {NASTY[0]} and {NASTY[1]} do not touch. Actual: " in (picture["alt"] or "")


def test_an_entry_says_all_that_is_needed(report: Run) -> None:
    text = Page(html_report(report)).text
    assert "1 promise broken" in text
    assert re.search(r"toml:\d+", text)
    assert "collision-viewer test 'scenes/<script>alert(0)</script>.toml' --only" in text
    assert "[[expect]]" in text
    assert f"move {NASTY[1]} by [1, 0, 0]" in text
    assert "2 shapes, 1 pair tested" in text


def test_what_is_wrong_comes_first(report: Run) -> None:
    ids = [name for name in Page(html_report(report)).all("id") if name.startswith("scene-")]
    assert ids == ["scene-2", "scene-4", "scene-1", "scene-3"]


@pytest.mark.parametrize(
    ("some", "title"),
    [
        ([], "Nothing was tested"),
        ([SceneResult(path="a.toml", state="held")], "Nothing was tested"),
        ([SceneResult(path="a.toml", state="mistake", message="no")], "1 scene not tested"),
        (
            [
                SceneResult(
                    path="a.toml",
                    state="held",
                    promises=(PromiseResult(id="x", kind="apart", state="held", expected="", actual=""),),
                )
            ],
            "All promises hold",
        ),
    ],
)
def test_a_report_over_nothing_says_so(some: list[SceneResult], title: str) -> None:
    assert f"<title>{title}</title>" in html_report(run_of(*some))


def test_a_report_is_a_file_or_a_folder_and_whole(report: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert write_report(report, tmp_path / "report.html").stat().st_size > 10_000
    folder = tmp_path / "out" / "report"
    index = write_report(report, folder)
    page = Page(index.read_text(encoding="utf-8"))
    assert sorted(page.all("src")) == sorted(f"pictures/{file.name}" for file in (folder / "pictures").iterdir())
    assert len(page.all("src")) == 2
    before = index.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr("viewer.verdicts.writing.write_text", full)
        broken.setattr("viewer.files.folders.write_bytes", full)
        for target in (folder, tmp_path / "other", tmp_path / "other.html"):
            with pytest.raises(OSError, match="No space"):
                write_report(run_of(), target)
    assert index.read_bytes() == before
    assert write_report(run_of(), folder) == index
    assert not (folder / "pictures").exists() or not list((folder / "pictures").iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "report.html"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report"]


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    for target in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(FileExistsError, match="report"):
            write_report(run_of(), target)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_names_of_pictures_are_plain_and_of_one_file_each() -> None:
    promises = tuple(
        PromiseResult(id=name, kind="apart", state="broken", expected="", actual="", a="a", b="b")
        for name in ("a/../b", "A b", "a b", "\N{SNOWMAN}")
    )
    some = [SceneResult(path=path, state="broken", promises=promises) for path in ("x/<y>.toml", "x/y.toml")]
    names = [Path(promise.picture or "").name for _, promise in named(run_of(*some), Path("out")).promises("broken")]
    assert len({name.lower() for name in names}) == 8
    assert all(re.fullmatch(r"[\w-]+\.png", name, re.ASCII) for name in names)


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


def test_without_a_scene_there_is_neither_picture_nor_small_scene() -> None:
    run = nasty_run()
    run = run.with_scenes(scene.model_copy(update={"text": ""}) for scene in run.scenes)
    assert illustrated(run) == (run, [])
    assert "promise broken" in html_report(run)


def test_what_fails_while_drawing_costs_one_picture_and_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run = nasty_run()
    drawn = ReportRenderer.drawn
    calls: list[PlannedPicture] = []

    def failing(self: ReportRenderer, plan: PlannedPicture) -> Any:
        calls.append(plan)
        if len(calls) == 1:
            raise RuntimeError("no colour left")
        return drawn(self, plan)

    monkeypatch.setattr(ReportRenderer, "drawn", failing)
    run, failed = illustrated(run)
    assert [str(error) for error in failed] == ["no colour left"]
    broken = [promise for _, promise in run.promises("broken", "accepted")]
    assert [bool(promise.image) for promise in broken] == [False, True]
    assert all(promise.example for promise in broken)


@pytest.mark.filterwarnings("error")
def test_what_overlaps_without_end_has_a_picture_and_a_small_scene() -> None:
    shapes = {"wall": HalfSpace([0, 0, 0], [0, 0, 1]), "line": Line([3, 0, 1], [0, 1, 2])}
    promises = [Expectation(kind, *shapes) for kind in ("apart", "touch")]  # type: ignore[arg-type]
    promises.append(Expectation("collide", *shapes, when="never"))
    scene = Scene(shapes, expectations=promises)
    found = judge(scene)
    assert len(found.broken) == len(promises)
    with ReportRenderer((300, 150)) as renderer:
        for verdict in found.broken:
            plan = renderer.plan(scene, verdict)
            assert plan is not None
            assert np.isfinite(plan.camera.position).all()
    run, failed = illustrated(named(run_of(judged("endless.toml", scene)), None))
    assert failed == []
    for _, promise in run.promises("broken"):
        assert not judge(parse_scene(promise.example)).ok


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
    text = Page(html_report(run_of(judged("balls.toml", scene)))).text
    assert "part the two" in text
    assert "[0, 0, 0]" not in text
    deep = scene.moved("b", [-0.5, 0, 0])
    assert "move b by [0.5, 0, 0]" in Page(html_report(run_of(judged("balls.toml", deep)))).text
