"""A verdict is green only where all that was asked for was tested and holds, whatever files and scenes do."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from collision import Expectation, HalfSpace, Line, Motion, Scene, Sphere, judge
from collision.scenefile import save_scene
from viewer.cli import ExitCode, main
from viewer.files.differences import read_picture
from viewer.verdicts.collecting import Source
from viewer.verdicts.github import command
from viewer.verdicts.judging import JudgeOptions, judge_source

ROOT = Path(__file__).resolve().parent.parent

APART = Expectation("apart", "a", "b")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def balls(file: str, at: float = 3.0, *promises: Expectation) -> str:
    """Write a file of two balls, the second somewhere along the x-axis."""
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    shapes = {"a": Sphere([0, 0, 0], 1), "b": Sphere([at, 0, 0], 1)}
    save_scene(Scene(shapes, expectations=promises or [APART]), file)
    return file


# -- what is promised --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "promise",
    [
        Expectation("touch", "a", "b", when="never"),
        Expectation("inside", "a", "b", when="never"),
        Expectation("collide", "a", "b", when="never", depth=(0.1, 0.5)),
        Expectation("collide", "a", "b", when="never", normal=[0, 0, 1]),
    ],
    ids=lambda promise: promise.kind,
)
def test_that_something_is_never_so_is_no_leave_to_collide(promise: Expectation) -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)}, expectations=[promise])
    kept, other = judge(scene).verdicts
    assert kept.ok
    assert (other.id, other.ok) == ("nothing-else", False)
    assert judge(scene.replaced(open=True)).ok


@pytest.mark.parametrize(
    "promise",
    [Expectation("collide", "a", "b", when="never", during=(0, 1)), Expectation("apart", "a", "b", during=(0, 1))],
    ids=lambda promise: promise.kind,
)
def test_what_never_collides_in_a_while_may_not_collide_in_another(promise: Expectation) -> None:
    moving = Motion("b", [0, 1, 2], [[0, 0, 0], [0, 0, 0], [-2, 0, 0]])
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}, motion=[moving], expectations=[promise])
    assert [verdict.ok for verdict in judge(scene).verdicts] == [True, False]
    whole = scene.replaced(expectations=[Expectation("collide", "a", "b", when="never")])
    assert [verdict.ok for verdict in judge(whole).verdicts] == [False, True]  # told once


# -- what is tested ----------------------------------------------------------------------------------------------------


def test_each_of_several_patterns_has_to_fit_something(capsys: pytest.CaptureFixture[str]) -> None:
    balls("good.toml")
    assert main(["test", "good.toml", "--only", "apart*", "--only", "apert*"]) == ExitCode.NOTHING_TESTED
    assert "--only apert*: no promise of any scene has this id or name" in capsys.readouterr().out
    balls("other.toml", 3.0, Expectation("apart", "a", "b", id="mine"))
    assert main(["test", "good.toml", "other.toml", "--only", "apart*", "--only", "mine"]) == ExitCode.FINE
    shared = ["test", "good.toml", "other.toml", "--only", "apart*", "--only", "mine", "--shard", "1/2"]
    assert main(shared) == ExitCode.FINE  # the other share has it


def test_links_to_folders_are_followed_once(capsys: pytest.CaptureFixture[str]) -> None:
    balls("elsewhere/bad.scene.toml", 1.0)
    balls("scenes/good.toml")
    balls("beside.toml", 1.0)
    os.symlink("../elsewhere", "scenes/shared", target_is_directory=True)
    os.symlink("../elsewhere", "scenes/shared too", target_is_directory=True)
    os.symlink(".", "scenes/itself", target_is_directory=True)
    os.symlink("..", "scenes/all", target_is_directory=True)
    assert main(["test", "scenes"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert "scenes/shared/bad.scene.toml:" in out
    assert "beside" not in out
    assert out.splitlines()[-1].startswith("2 scenes: ")


@pytest.mark.parametrize(
    "start", ["['shapes'.a]", "\ufeff[shapes.a]", '"shapes".a.x = 1', "[['expect']]", '[["expect"]]']
)
def test_what_is_written_unusually_is_a_scene(start: str, capsys: pytest.CaptureFixture[str]) -> None:
    balls("scenes/good.toml")
    Path("scenes/other.toml").write_text(f"{start}\nradius = 1", encoding="utf-8")
    assert main(["test", "scenes"]) == ExitCode.MISTAKE
    assert "2 scenes" in capsys.readouterr().out


def test_what_overlaps_without_end_is_deeper_than_what_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = {"a": Line([0, 0, -5], [0, 0, 1]), "b": HalfSpace([0, 0, 0], [0, 0, 1])}
    save_scene(Scene(shapes, expectations=[APART]), "endless.toml")
    entry = '[[accept]]\nid = "apart a b"\nreason = "later"\ndate = 2026-01-01\n'
    Path("accept.toml").write_text(f"{entry}depth = 0.01\n", encoding="utf-8")
    words = ["test", "endless.toml", "--accept", "accept.toml"]
    assert main(words) == ExitCode.BROKEN
    assert "by how much it is missed is no number, and accepted up to 0.01" in capsys.readouterr().out
    Path("accept.toml").write_text(entry, encoding="utf-8")
    assert main(words) == ExitCode.FINE


@pytest.mark.parametrize("way", ["folder", "only", "strict"])
def test_a_page_does_not_say_that_all_holds_where_not_all_was_tested(way: str) -> None:
    balls("good.toml")
    Path("empty").mkdir()
    more = {
        "folder": ["empty"],
        "only": ["--only", "apart*", "--only", "apert*"],
        "strict": ["--strict", "cans.xml"],
    }[way]
    if way == "strict":
        pytest.importorskip("mujoco")
        can = '<geom name="can" type="ellipsoid" size="1 1 1" pos="9 0 0"/><geom name="ball" size="1"/>'
        Path("cans.xml").write_text(f"<mujoco><worldbody>{can}</worldbody></mujoco>", encoding="utf-8")
    assert main(["test", "good.toml", *more, "--html", "page.html"]) == ExitCode.NOTHING_TESTED
    page = Path("page.html").read_text(encoding="utf-8")
    assert "not tested</title>" in page
    assert "All promises hold" not in page


def test_of_what_the_baseline_does_not_list_nobody_knows_whether_it_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    balls_in_a_row = Sphere([[1.5 * k, 0.0, 0.0] for k in range(6)], 1)
    save_scene(Scene({"s": balls_in_a_row}, expectations=[Expectation("apart", "s", "s")]), "row.toml")
    for most, known, note in ((2, 2, True), (5, 5, False)):
        capsys.readouterr()
        main(["test", "row.toml", "--format", "json", "--max-pairs", str(most)])
        Path("run.json").write_text(capsys.readouterr().out, encoding="utf-8")
        assert main(["test", "row.toml", "--baseline", "run.json"]) == ExitCode.BROKEN
        out = capsys.readouterr().out
        assert out.endswith(f"1 broken; 1 scene promises that nothing else collides; {known} known\n")
        assert ("it is not known of all pairs whether they are new" in out) == note


@pytest.mark.parametrize("name", ["cell.TOML", "Cell.Scene.Toml"])
def test_endings_may_be_written_large(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    balls("scenes/good.toml")
    Path("scenes", name).write_text(Path("scenes/good.toml").read_text(encoding="utf-8").replace("3.0", "1.0"))
    assert main(["test", "scenes"]) == ExitCode.BROKEN
    assert f"scenes/{name}:" in capsys.readouterr().out


# -- scenes in Python --------------------------------------------------------------------------------------------------

SCENE = """from collision import Expectation, Scene, Sphere
{top}
def scene():
    {body}
    shapes = {{"a": Sphere([0, 0, 0], 1), "b": Sphere([{at}, 0, 0], 1)}}
    return Scene(shapes, expectations=[Expectation("apart", "a", "b")])
"""


def python(file: str, top: str = "", body: str = "pass", at: str = "3") -> str:
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text(SCENE.format(top=top, body=body, at=at), encoding="utf-8")
    return file


def test_scenes_with_helpers_of_the_same_name_have_each_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    for name, far in (("one", 3.0), ("two", 1.0)):
        python(f"{name}/cell.py", "from helper import FAR", at="FAR")
        Path(f"{name}/helper.py").write_text(f"FAR = {far}", encoding="utf-8")
    assert main(["test", "one/cell.py"]) == ExitCode.FINE
    assert main(["test", "one/cell.py", "two/cell.py"]) == ExitCode.BROKEN
    assert "two/cell.py: broken: apart a b" in capsys.readouterr().out
    Path("one/helper.py").write_text("FAR = 1.25", encoding="utf-8")
    assert main(["test", "one/cell.py"]) == ExitCode.BROKEN  # what was edited is read again


def test_a_scene_that_goes_to_another_folder_takes_nobody_along() -> None:
    python("away.py", "import os, tempfile", "os.chdir(tempfile.gettempdir())")
    balls("good.toml")
    assert main(["test", "away.py", "good.toml", "--junit", "junit.xml"]) == ExitCode.FINE
    assert Path("junit.xml").exists()


def test_json_is_alone_on_stdout_whatever_a_scene_starts() -> None:
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(1)']); print(2)"
    python("loud.py", "import os", f"{program}; os.write(1, b'3')")
    command = [sys.executable, "-m", "viewer", "test", "loud.py", "--format", "json"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=100)
    assert json.loads(done.stdout)["exit_code"] == done.returncode == ExitCode.FINE
    assert sorted("".join(done.stderr.split())) == ["1", "2", "3"]


def test_a_scene_without_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> object:
        raise MemoryError

    balls("large.toml")
    monkeypatch.setattr("viewer.verdicts.judging.judge", full)
    found = judge_source(Source("large.toml"), JudgeOptions())
    assert (found.state, found.message) == ("mistake", "large.toml: out of memory: the scene is too large")


# -- what is written ---------------------------------------------------------------------------------------------------


def test_a_text_report_has_no_lines_and_no_colours_of_the_scenes_own(capsys: pytest.CaptureFixture[str]) -> None:
    reason = "one\n::error::two \x1b[31m\x07"
    balls("nasty.toml", 1.0, Expectation("apart", "a", "b", reason=reason))
    assert main(["test", "nasty.toml"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert r"    because   one ::error::two \x1b[31m\x07" in out.splitlines()
    assert not any(line.lstrip().startswith("::") for line in out.splitlines())


def test_no_scene_is_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("model.xml").write_text("<mujoco/>", encoding="utf-8")
    assert main(["test", "model.xml", "--junit", "./model.xml"]) == ExitCode.MISTAKE
    assert "this is a scene to be tested" in capsys.readouterr().err
    assert Path("model.xml").read_text(encoding="utf-8") == "<mujoco/>"


def test_what_was_found_is_told_also_where_a_file_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    balls("bad.toml", 1.0)
    monkeypatch.setattr("collision.inner.write_text", full)
    monkeypatch.setattr("viewer.verdicts.writing.write_text", full)
    words = ["test", "bad.toml", "--junit", "junit.xml", "--html", "page.html"]
    assert main(words) == ExitCode.MISTAKE
    out, err = capsys.readouterr()
    assert "bad.toml:" in out
    assert out.splitlines()[-1].startswith("1 scene: ")
    assert err.count("no space left on device") == 2
    main([*words, "--format", "json"])
    assert json.loads(capsys.readouterr().out)["exit_code"] == ExitCode.MISTAKE


def test_a_closed_stdin_and_the_json_of_other_commands_are_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["test", "-"]) == ExitCode.MISTAKE
    assert "stdin is closed" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["test", "-"]) == ExitCode.MISTAKE
    assert "nothing came" in capsys.readouterr().err
    assert main(["test", "good.toml", "--json"]) == ExitCode.MISTAKE
    assert "--json is now: --format json" in capsys.readouterr().err


# -- nothing is passed by in silence -----------------------------------------------------------------------------------

GOOD = """
[shapes.a]
kind = "sphere"
center = [0, 0, 0]
radius = 1
[shapes.b]
kind = "sphere"
center = [5, 0, 0]
radius = 1
[[expect]]
apart = ["a", "b"]
"""


def shut(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """Have a folder that cannot be read, for whoever may read all as well."""
    listed = os.scandir

    def scandir(path: str = ".") -> Any:
        if os.path.basename(os.fspath(path).rstrip("/")) == folder:
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)


@pytest.mark.parametrize("words", [["outer"], ["outer/**/*.toml"], ["outer/*/*.toml"], ["outer/good", "outer/shut"]])
def test_a_folder_that_cannot_be_read_is_a_mistake_and_all_else_is_tested(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("good", "shut"):
        Path("outer", name).mkdir(parents=True)
        Path("outer", name, "cell.toml").write_text(GOOD, encoding="utf-8")
    shut(monkeypatch, "shut")
    assert main(["test", *words]) == ExitCode.MISTAKE
    out = capsys.readouterr().out
    assert "outer/shut: this folder cannot be read: permission denied" in out
    assert "2 promises held" in out
    assert "1 scene could not be tested" in out
    assert main(["test", "outer/good/*.toml"]) == ExitCode.FINE


@pytest.mark.parametrize("data", [GOOD.encode("utf-16"), GOOD.replace("\n", "\r").encode(), b"# caf\xe9\n"])
def test_a_file_that_could_be_a_scene_is_not_passed_by(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cells").mkdir()
    Path("cells/good.toml").write_text(GOOD, encoding="utf-8")
    Path("cells/cell.toml").write_bytes(data)
    assert main(["test", "cells"]) == ExitCode.MISTAKE
    assert "cells/cell.toml" in capsys.readouterr().out


def test_python_scenes_and_models_in_folders_are_named_and_strict_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cells").mkdir()
    Path("cells/good.toml").write_text(GOOD, encoding="utf-8")
    Path("cells/arms.py").write_text("raise SystemExit\ndef scene():\n    pass\n", encoding="utf-8")
    Path("cells/robot.xml").write_text("<mujoco/>", encoding="utf-8")
    Path("cells/helper.py").write_text("def helped():\n    pass\n", encoding="utf-8")
    for words, code in (([], ExitCode.FINE), (["--strict"], ExitCode.NOTHING_TESTED)):
        assert main(["test", "cells", *words]) == code
        out = capsys.readouterr().out
        for name in ("arms.py", "robot.xml"):
            assert f"cells/{name}: may be a scene, and was not tested" in out
        assert "helper" not in out


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_a_file_name_that_is_no_text_costs_no_report(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    os.mkdir(b"cells")
    for name, text in ((b"cells/\xff.toml", GOOD.replace("5", "1")), (b"cells/\xfe.toml", GOOD + "x = [")):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    assert main(["test", "cells", "--format", form, "--junit", "found.xml"]) == ExitCode.MISTAKE
    for text in (capsys.readouterr().out, Path("found.xml").read_text(encoding="utf-8")):
        assert "udcff.toml" in text
        assert "udcfe.toml" in text


@pytest.mark.skipif(sys.platform != "linux", reason="has pipes and devices in its file system")
@pytest.mark.parametrize("name", ["zero.toml", "pipe.toml", "zero.py", "pipe.py", "pipe.urdf", "zero.xml"])
def test_what_has_no_end_is_no_scene(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkdir("cells")
    if name.startswith("pipe"):
        os.mkfifo(f"cells/{name}")
    else:
        os.symlink("/dev/zero", f"cells/{name}")
    words = ["cells"] if name.endswith(".toml") else []
    assert main(["test", f"cells/{name}", *words]) == ExitCode.MISTAKE
    assert f"{name}: expected a regular file, got a pipe, a socket or a device" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="has pipes in its file system")
def test_a_pipe_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "a.png")
    with pytest.raises(ValueError, match="expected a regular file"):
        read_picture(tmp_path / "a.png")


def test_of_very_many_mistakes_the_first_hundred_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "many.toml"
    file.write_text("[shapes]\n" + "".join(f's{n} = {{ kind = "sphare" }}\n' for n in range(300)), encoding="utf-8")
    for words in (["test", str(file)], ["check", str(file)], ["test", str(file), "--format", "github"]):
        assert main(words) == ExitCode.MISTAKE
        said = "".join(capsys.readouterr())
        assert "... and 200 more mistakes" in said
        assert len(said.splitlines()) < 104


def test_names_do_nothing_to_annotations_and_summaries() -> None:
    assert command("error", "a\x1b[31m\nb\u202e") == r"::error::a\x1b[31m%0Ab\u202e"
