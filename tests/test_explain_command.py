"""``collision-viewer explain``: the trace on the terminal, pages, pictures and JSON; and what it says of mistakes."""

from __future__ import annotations

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import get_args

import jsonschema
import numpy as np
import pytest
from PIL import Image

from collision import AABB, Explanation, Motion, Scene, Segment, Sphere, sweep
from collision.explaining.asking import explain_in
from collision.inner import ASKED, names_of
from collision.scenefile import save_scene
from viewer.cli import ExitCode, main
from viewer.cli.explain import Query
from viewer.files.movies import Movie

SCENE = Scene(
    {
        "ball": Sphere([0, 0, 1], 1),
        "rod": Segment([3, 0, 1], [3, 3, 1]),
        "beads": Sphere([[5, 0, 1], [6, 0, 1]], 0.25),
        "wall": AABB([8, -1, 0], [9, 1, 2]),
    },
    motion=[Motion("ball", [0, 2, 3], offsets=[[0, 0, 0], [4, 5, 0], [4, 5, 3]])],
)
SMALL = ("--size", "320x240")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    save_scene(SCENE, "scene.toml")
    return tmp_path


def explanation(*names: str, query: str, time: float | None = 0.0) -> Explanation:
    return explain_in(SCENE, query, *names, time=time)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["explain", *words]) == ExitCode.FINE
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: pytest.CaptureFixture[str], words: str) -> str:
    assert main(["explain", *shlex.split(words)]) == ExitCode.MISTAKE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, "one line, and no traceback"
    return err


# -- what is said ------------------------------------------------------------------------------------------------------


def test_the_terminal_has_the_trace_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "scene.toml", "ball", "rod", "--query", "signed_distance")
    assert out == f"{explanation('ball', 'rod', query='signed_distance')}\n"
    assert out.startswith("signed_distance: ball and rod are 2 apart.\n\n1. The article: inner and cross product\n")


def test_choices_are_the_queries_that_a_scene_can_be_asked() -> None:
    assert set(get_args(Query)) == set(ASKED)


@pytest.mark.parametrize("query", ASKED)
def test_every_query_is_told_of_some_scene(query: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = {"crossings": ("rod", "ball"), "foot": ("ball", "rod"), "raycast": ("ray", "ball")}
    pair = pairs.get(query, ("ball", "wall"))
    if query == "raycast":
        (folder / "scene.toml").write_text(
            '[shapes.ray]\nkind = "ray"\norigin = [0, 0, 0]\ndirection = [1, 0, 0]\n'
            '[shapes.ball]\nkind = "sphere"\ncenter = [4, 0, 0]\nradius = 1\n'
        )
    names = pair if names_of(query) else ()
    out = run(capsys, "scene.toml", *names, "--query", query)
    assert out.startswith(f"{query}: ")
    assert "\n1. " in out


def test_without_a_query_it_is_the_one_that_fits_the_kinds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "scene.toml", "ball", "rod").startswith("crossings: ")
    assert run(capsys, "scene.toml", "rod", "wall").startswith("crossings: ")
    assert run(capsys, "scene.toml", "ball", "wall").startswith("contact: ")


def test_in_a_scene_of_two_shapes_no_names_are_needed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_scene(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}), "two.toml")
    assert run(capsys, "two.toml", "--query", "distance").startswith("distance: a and b are 1 apart.")


def test_elements_of_batches_have_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "beads[1] and wall are 1.75 apart" in run(capsys, "scene.toml", "beads[1]", "wall", "--query", "distance")


def test_of_a_motion_it_is_the_time_that_was_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "scene.toml", "ball", "wall", "--query", "distance", "--at", "2")
    assert out == f"{explanation('ball', 'wall', query='distance', time=2.0)}\n"
    assert out != run(capsys, "scene.toml", "ball", "wall", "--query", "distance")


# -- sweeps ------------------------------------------------------------------------------------------------------------


def test_a_sweep_takes_the_way_of_the_motion() -> None:
    ball, rod = SCENE["ball"], SCENE["rod"]
    first = sweep(ball, rod, motion=[4, 5, 0])
    assert first.hit
    assert explanation("ball", "rod", query="sweep", time=None).result.fraction == first.fraction
    assert explanation("ball", "rod", query="sweep", time=1.0).result.fraction == first.fraction
    second = explanation("ball", "rod", query="sweep", time=2.5)
    assert not second.result.hit
    assert np.array_equal(second.given[0].center, [4, 5, 1]), "it begins where the keyframe before has it"


def test_a_sweep_is_the_first_way_that_leads_to_a_touch() -> None:
    slide = Motion("ball", [0, 1, 2], offsets=[[0, 0, 0], [0, 3, 0], [6, 3, 0]])
    scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([6, 3, 0], 1)}, motion=[slide])
    assert explain_in(scene, "sweep", "ball", "post").result.fraction == pytest.approx(4 / 6)
    assert not explain_in(scene, "sweep", "ball", "post", time=0.5).result.hit


def test_both_of_a_sweep_may_move_and_turn() -> None:
    quarter = Motion("rod", [0, 1], rotations=[[0, 0, 0, 1], [0, 0, 0.5**0.5, 0.5**0.5]], pivot=[0, 0, 0])
    rise = Motion("post", [0, 1], offsets=[[0, 0, -9], [0, 0, -9]])
    shapes = {"rod": Segment([0, 0, 0], [5, 0, 0]), "post": Sphere([0, 3, 0], 1), "low": Sphere([0, 3, 9], 1)}
    scene = Scene(shapes, motion=[quarter, rise.of("low"), Motion("post", [0, 1], offsets=[[0, 0, 0], [0, 1, 0]])])
    for other in ("post", "low"):
        result = explain_in(scene, "sweep", "rod", other).result
        at = scene.at(float(result.fraction))
        assert result.hit
        assert explain_in(at.replaced(motion=[]), "distance", "rod", other).result == pytest.approx(0, abs=1e-9)
    twice = scene.replaced(motion=[quarter, quarter])
    with pytest.raises(ValueError, match=r"'rod' takes 2 motions, .*: explain touching_intervals"):
        explain_in(twice, "sweep", "rod", "post")
    assert explain_in(twice, "touching_intervals", "rod", "post").steps
    with pytest.raises(ValueError, match="neither 'post' nor 'low' moves"):
        explain_in(scene.replaced(motion=[quarter]), "sweep", "post", "low")


def test_a_turn_that_is_moved_straight_on_is_one_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collision.explaining.asking.explain", lambda _, *given, names, **more: (given, more))
    turn = Motion("rod", [0, 2], rotations=[[0, 0, 0, 1], [0, 0, 0.6, 0.8]], pivot=[1, 2, 0])
    slide = Motion("rod", [0, 2], offsets=[[0, 0, 0], [1, 4, 0.5]])
    tilted = Motion("rod", [0, 2], rotations=[[0, 0.6, 0, 0.8]] * 2, offsets=[[0, 1, 3]] * 2, pivot=[1, 0, 0])
    shapes = {"rod": Segment([0, 0, 0], [5, 0, 0]), "post": Sphere([0, 3, 0], 1)}
    for motion in ([turn, slide], [tilted, turn, slide], [slide, tilted], [turn]):
        scene = Scene(shapes, motion=motion)
        (rod, _), more = explain_in(scene, "sweep", "rod", "post")  # type: ignore[misc]
        for part in (0.0, 0.3, 0.5, 1.0):
            place = more["start"].toward(more["end"], part, pivot=more["pivot"])
            there, known = rod.transformed(place), scene.at(2.0 * part)["rod"]
            assert np.allclose([there.start, there.end], [known.start, known.end], rtol=0.0, atol=1e-12)
    for motion in ([slide, turn], [turn, tilted]):
        with pytest.raises(ValueError, match="moved otherwise than straight on"):
            explain_in(Scene(shapes, motion=motion), "sweep", "rod", "post")


# -- files -------------------------------------------------------------------------------------------------------------


def test_json_is_what_the_schema_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "explanation"]) == ExitCode.FINE
    schema = json.loads(capsys.readouterr().out)
    printed = run(capsys, "scene.toml", "ball", "rod", "--query", "foot", "--format", "json")
    assert run(capsys, "scene.toml", "ball", "rod", "--query", "foot", "-o", "foot.json") == "foot.json\n"
    assert Path("foot.json").read_text(encoding="utf-8") == printed
    jsonschema.Draft7Validator(schema).validate(json.loads(printed))
    assert json.loads(printed)["names"] == ["ball", "rod"]


def test_a_page_is_markdown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "scene.toml", "ball", "rod", "--query", "foot", "-o", "steps.md") == "steps.md\n"
    assert Path("steps.md").read_text(encoding="utf-8") == explanation("ball", "rod", query="foot").as_markdown()
    assert [path.name for path in folder.iterdir() if path.suffix == ".png"] == []


def test_pictures_are_beside_a_page_where_they_are_wanted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "scene.toml", "ball", "rod", "--query", "distance", "-o", "steps.md", "--pictures", *SMALL)
    named = re.findall(r"\]\((.*?)\)", Path("steps.md").read_text(encoding="utf-8"))
    assert len(named) == len(explanation("ball", "rod", query="distance").steps)
    assert sorted(named) == sorted(path.name for path in folder.iterdir() if path.suffix == ".png")


def test_pictures_are_numbered_and_each_shows_its_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("scene.toml", "ball", "wall", "--query", "distance", *SMALL)
    count = len(explanation("ball", "wall", query="distance").steps)
    assert count > 1
    assert run(capsys, *words, "-o", "step-%02d.png") == f"{count} files: step-01.png to step-{count:02d}.png\n"
    paths = sorted(path.name for path in folder.iterdir() if path.suffix == ".png")
    assert paths == [f"step-{number:02d}.png" for number in range(1, count + 1)]
    images = [np.asarray(Image.open(path).convert("RGB")) for path in paths]
    assert {image.shape for image in images} == {(240, 320, 3)}
    assert all(np.any(a != b) for a, b in pairwise(images)), "no two steps look the same"


def test_what_is_shown_in_turn_shows_each_step_as_long(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "scene.toml", "ball", "wall", "--query", "distance", "-o", "steps.gif", "--fps", "0.5", *SMALL)
    with Image.open("steps.gif") as film:
        assert getattr(film, "n_frames", 1) == len(explanation("ball", "wall", query="distance").steps)
        assert film.info["duration"] == 2000


def test_what_is_cut_off_leaves_the_old_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = folder / "steps.md"
    old.write_text("old", encoding="utf-8")

    def fail(_: Movie) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Movie, "write", fail)
    words = ["scene.toml", "ball", "rod", "--query", "distance", "-o", "steps.md", "--pictures", *SMALL]
    assert main(["explain", *words]) == ExitCode.MISTAKE
    assert old.read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["scene.toml", "steps.md"]


# -- mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("", "SCENE is missing"),
        ("scene.toml", "scene.toml: expected the names of two shapes; it has ball, rod, beads, wall"),
        ("scene.toml ball", "scene.toml: expected the names of two shapes; it has ball"),
        ("scene.toml ball bal", "scene.toml: there is no shape named 'bal' in the scene; did you mean 'ball'?"),
        ("lessons/broad_phase bar", "collision-viewer: lessons/broad_phase: expected the names of two shapes; it has"),
        ("lessons/broad_phase bar", "step, post, wheel and 5 more"),
        ("scene.toml ball ball", "scene.toml: expected the names of two shapes, got 'ball' twice"),
        ("scene.toml ball beads", "'beads' is a batch of 2 elements"),
        ("scene.toml ball beads[7]", "'beads' is a batch of 2 elements"),
        ("scene.toml ball rod --query fooot", "got 'fooot'; did you mean foot?"),
        (
            "scene.toml ball wall --query foot",
            "foot: the second shape must be a Segment, Capsule, Ray or Line, got AABB",
        ),
        ("scene.toml ball rod --query crossings", "it takes them in the other order: 'rod' 'ball'"),
        ("scene.toml rod wall --query sweep", "sweep: neither 'rod' nor 'wall' moves in this scene"),
        ("scene.toml ball rod --query candidate_pairs", "is about the whole scene, and takes no names, got ball rod"),
        ("scene.toml ball rod --at 9", "--at must be a time of the motion, got 9; the motion lasts from 0 to 3 s"),
        ("scene.toml ball rod -o steps.txt", "an explanation is written to a .md, .json, .gif"),
        ("scene.toml ball rod -o steps", "an explanation is written to a .md, .json, .gif"),
        ("scene.toml ball rod -o nowhere/steps.md", "there is no folder nowhere"),
        ("scene.toml ball rod -o a#.gif", "numbered files, with a # for each digit, are .png files"),
        ("scene.toml ball rod -o steps.gif --fps 0", "--fps must be above 0 and at most 1000, got 0"),
        ("scene.toml ball rod -o steps.gif --fps 60", "--fps must be at most 50 for a .gif file, got 60"),
        ("scene.toml ball rod -o steps.gif --pictures", "--pictures puts pictures beside a page, a .md file"),
        ("scene.toml ball rod --pictures", "--pictures puts pictures beside a page: give its name"),
        ("scene.toml ball rod -o steps.gif --scale 9", "--scale must be a number from 0.5 to 4"),
        ("scene.toml a b -o .", "this is a folder, and an explanation is written to a file"),
        ("scene.toml a b -o step-%d-%d.png", "expected one %d for the number of a step, got 2"),
        ("nowhere.toml a b", "nowhere.toml: there is no such file"),
    ],
)
def test_mistakes(words: str, text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert text in refused(capsys, words)
    assert [path.name for path in folder.iterdir()] == ["scene.toml"]
