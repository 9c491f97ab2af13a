"""The command that tests scenes: which it finds, what it says of each, and the code that it ends with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import is_gone
from viewer.cli import ExitCode, main
from viewer.verdicts.collecting import Source, collect, shard_of
from viewer.verdicts.judging import JudgeOptions
from viewer.verdicts.results import Run, missed_by, results_schema
from viewer.verdicts.running import FEW, judge_all

ROOT = Path(__file__).resolve().parent.parent

BALLS = """
[shapes.a]
kind = "sphere"
center = [0, 0, 0]
radius = 1
[shapes.b]
kind = "sphere"
center = [{x}, 0, 0]
radius = 1
[[expect]]
apart = ["a", "b"]
clearance = 0.5
reason = "room for a hand"
"""
GOOD, BAD = BALLS.format(x=3), BALLS.format(x=2.25)
SILENT = BALLS.partition("[[expect]]")[0].format(x=3)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(**files: str) -> None:
    """Write files: in their names a double underscore is a folder, a single one a dot."""
    for name, text in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def results(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    code = main(["test", *words, "--format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["exit_code"] == code
    return found


# -- codes -------------------------------------------------------------------------------------------------------------


def test_each_state_has_its_code_and_the_worst_wins() -> None:
    written(good_toml=GOOD, bad_toml=BAD, silent_toml=SILENT, wrong_toml="[shapes.a]\nkind = 'bal'", bug_py="0")
    assert main(["test", "good.toml"]) == ExitCode.FINE
    assert main(["test", "silent.toml"]) == ExitCode.NOTHING_TESTED
    assert main(["test", "bad.toml"]) == ExitCode.BROKEN
    assert main(["test", "wrong.toml"]) == ExitCode.MISTAKE
    assert main(["test", "missing.toml"]) == ExitCode.MISTAKE
    assert main(["test", "good.toml", "silent.toml"]) == ExitCode.FINE
    assert main(["test", "good.toml", "silent.toml", "--strict"]) == ExitCode.NOTHING_TESTED
    assert main(["test", "good.toml", "silent.toml", "bad.toml"]) == ExitCode.BROKEN
    assert main(["test", "good.toml", "wrong.toml", "bad.toml"]) == ExitCode.MISTAKE


#: A scene in Python that exchanges what judges scenes, in the process in which it is read.
EXCHANGED = """import time
from collision import judge
from viewer.verdicts import judging
def scene():
    def other(scene, **options):
        {body}
        return judge(scene, **options)
    judging.judge = other
    return {{}}
"""


def test_a_bug_is_told_and_the_other_scenes_are_tested(capsys: pytest.CaptureFixture[str]) -> None:
    bug = "if len(scene.expectations) and scene['b'].center[0] < 2.5: 1 / 0"
    written(bug_py=EXCHANGED.format(body=bug), bad_toml=BAD, good_toml=GOOD)
    assert main(["test", "bug.py", "bad.toml", "good.toml"]) == ExitCode.BUG
    out = capsys.readouterr().out
    assert "bad.toml: this is a bug" in out
    assert "ZeroDivisionError" in out
    assert out.endswith(
        "3 scenes: 2 promises held, 0 broken; 1 scene promises that nothing else collides; "
        "1 scene could not be tested; in 1 scene nothing was tested\n"
    )


def test_a_model_with_parts_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mujoco")
    can = (
        '<mujoco><worldbody><geom name="a" size="1"/>'
        '<geom name="can" type="ellipsoid" size="1 1 1"/></worldbody></mujoco>'
    )
    written(good_toml=GOOD, can_xml=can)
    assert main(["test", "good.toml", "can.xml"]) == ExitCode.FINE
    out = capsys.readouterr().out
    assert "can.xml: 1 part left out, and not tested: can\n" in out
    assert out.endswith("in 1 scene nothing was tested; 1 part left out\n")
    assert main(["test", "good.toml", "can.xml", "--strict"]) == ExitCode.NOTHING_TESTED


# -- which scenes ------------------------------------------------------------------------------------------------------


def test_folders_are_searched_for_scenes(capsys: pytest.CaptureFixture[str]) -> None:
    written(
        all__good_toml=GOOD,
        all__deep__bad_scene_toml=BAD,
        all__wrong_scene_toml="=",
        all__broken_toml="[shapes.a]\nkind = \n",
        all__pyproject_toml="[tool.shapes]\nx = 1\n",
        all__notes_txt=GOOD,
    )
    written(**{f"all__{place}__good_toml": GOOD for place in ("_hidden", "node.modules", "venv")})
    Path("all/node.modules").rename("all/node_modules")
    Path("all/venv/pyvenv.cfg").touch()
    found = results(capsys, "all")
    paths = ["all/broken.toml", "all/good.toml", "all/wrong.scene.toml", "all/deep/bad.scene.toml"]
    assert [scene["path"] for scene in found["scenes"]] == paths
    assert [scene["state"] for scene in found["scenes"]] == ["mistake", "held", "mistake", "broken"]
    assert found["scenes"][0]["problems"][0]["line"] == 2
    assert found["counts"]["other_files"] == 1


def test_an_empty_folder_is_not_green(capsys: pytest.CaptureFixture[str]) -> None:
    written(good_toml=GOOD, other__x_txt="")
    assert main(["test", "good.toml", "other"]) == ExitCode.NOTHING_TESTED
    assert "other: there is no scene in this folder\n" in capsys.readouterr().out


def test_patterns_examples_and_each_scene_once(capsys: pytest.CaptureFixture[str]) -> None:
    written(a__one_toml=GOOD, a__b__two_toml=GOOD, a__three_toml=GOOD)
    Path("a/x[1].toml").write_text(GOOD, encoding="utf-8")
    found = collect(["a/*.toml", "a/one.toml", "a", "./a/b/../three.toml", "a/x[1].toml"])
    assert [source.path for source in found.sources] == ["a/one.toml", "a/three.toml", "a/x[1].toml", "a/b/two.toml"]
    assert [source.path for source in collect(["**/t*.toml"]).sources] == ["a/b/two.toml", "a/three.toml"]
    assert main(["test", "a/*.xml"]) == ExitCode.MISTAKE
    assert results(capsys, "first")["scenes"][0]["path"].endswith("first.toml")


def test_a_scene_on_stdin() -> None:
    def run(data: bytes) -> subprocess.CompletedProcess[bytes]:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "viewer", "test", "-"]
        return subprocess.run(command, input=data, env=environment, capture_output=True, check=False)

    done = run(BAD.encode())
    assert done.returncode == ExitCode.BROKEN
    assert done.stdout.startswith(b"<stdin>:10: broken: apart a b\n")
    done = run(b"\xff")
    assert done.returncode == ExitCode.MISTAKE
    assert done.stdout.startswith(b"<stdin>: expected text in UTF-8")


def test_all_shares_together_are_all(capsys: pytest.CaptureFixture[str]) -> None:
    sources = tuple(Source(str(number)) for number in range(10))
    for count in (1, 2, 3, 7, 10):
        shares = [shard_of(sources, number, count) for number in range(1, count + 1)]
        assert sorted(source for share in shares for source in share) == sorted(sources)
    written(a_toml=GOOD, b_toml=GOOD)
    assert [scene["path"] for scene in results(capsys, "a.toml", "b.toml", "--shard", "2/2")["scenes"]] == ["b.toml"]
    assert main(["test", "a.toml", "b.toml", "--shard", "3/3"]) == ExitCode.NOTHING_TESTED
    assert "share 3/3 is empty" in capsys.readouterr().out


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_broken_promise_says_all_that_helps(capsys: pytest.CaptureFixture[str]) -> None:
    written(bad_toml=BAD)
    assert main(["test", "bad.toml"]) == ExitCode.BROKEN
    assert capsys.readouterr().out == (
        "bad.toml:10: broken: apart a b\n"
        "    expected  a and b at least 0.5 apart\n"
        "    actual    a and b are 0.25 apart\n"
        "    numbers   signed distance 0.25, missed by 0.25\n"
        "    because   room for a hand\n"
        "    mend      move b by [0.25, 0, 0], or a the other way: 0.25 far\n"
        "1 scene: 1 promise held, 1 broken; 1 scene promises that nothing else collides\n"
    )


def test_what_holds_is_listed_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    written(good_toml=GOOD)
    assert main(["test", "good.toml"]) == ExitCode.FINE
    assert (
        capsys.readouterr().out == "1 scene: 2 promises held, 0 broken; 1 scene promises that nothing else collides\n"
    )
    assert main(["test", "good.toml", "-v"]) == ExitCode.FINE
    assert capsys.readouterr().out.startswith("good.toml:10: holds: apart a b: a and b are 1 apart\n")


def test_only_some_promises(capsys: pytest.CaptureFixture[str]) -> None:
    named = GOOD + '[[expect]]\nid = "x*y"\napart = ["a", "b"]\n[[expect]]\nid = "xzy"\ntouch = ["a", "b"]\n'
    written(good_toml=named)

    def tested(*patterns: str) -> list[str]:
        words = [word for pattern in patterns for word in ("--only", pattern)]
        scenes = results(capsys, "good.toml", *words)["scenes"]
        return [promise["id"] for promise in scenes[0]["promises"]]

    assert tested("xzy") == ["xzy"]
    assert tested("nothing-else") == ["nothing-else"]
    assert tested("b") == ["apart a b", "x*y", "xzy"]
    assert tested("apart*", "xzy") == ["apart a b", "xzy"]
    assert tested("x*y") == ["x*y", "xzy"]
    assert tested("q") == []
    assert main(["test", "good.toml", "--only", "q"]) == ExitCode.NOTHING_TESTED
    assert "no promise is called q" in capsys.readouterr().out


def test_tolerance_is_allowed() -> None:
    written(bad_toml=BAD)
    assert main(["test", "bad.toml", "--tolerance", "0.25"]) == ExitCode.FINE
    assert main(["test", "bad.toml", "--tolerance", "0.24"]) == ExitCode.BROKEN


def test_pairs_are_listed_up_to_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    crowd = (
        '[shapes.c]\nkind = "point"\nposition = [[0,0,0],[0,0,0],[0,0,0],[0,0,0]]\n[[expect]]\ncollide = ["c", "c"]\n'
    )
    apart = crowd.replace("collide", "apart")
    written(crowd_toml=apart)
    promise = results(capsys, "crowd.toml", "--max-pairs", "2")["scenes"][0]["promises"][0]
    assert (len(promise["clashes"]), promise["count"]) == (2, 6)
    assert main(["test", "crowd.toml"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert out.count("    also ") == 4
    assert "    also      2 more pairs\n" in out


def test_a_miss_is_told_in_scene_units() -> None:
    from collision import Expectation

    assert missed_by(None, -0.5) == 0.5
    assert missed_by(None, None) is None
    assert missed_by(Expectation("touch", "a", "b", tolerance=0.5), -2.0) == 1.5
    assert missed_by(Expectation("collide", "a", "b"), 2.0) == 2.0
    assert missed_by(Expectation("collide", "a", "b", when="never"), -2.0) == 2.0
    assert missed_by(Expectation("apart", "a", "b", when="never"), 2.0) is None
    assert missed_by(Expectation("ray", "a", "b"), 2.0) is None
    assert missed_by(Expectation("collide", "a", "b", depth=1), -0.5) is None


# -- the JSON ----------------------------------------------------------------------------------------------------------


def test_the_json_is_what_its_schema_says(capsys: pytest.CaptureFixture[str]) -> None:
    written(good_toml=GOOD, bad_toml=BAD, silent_toml=SILENT, wrong_toml="x")
    found = results(capsys, "good.toml", "bad.toml", "silent.toml", "wrong.toml", "nowhere.toml")
    assert Run.model_validate(found).model_dump(mode="json") == found
    assert main(["schema", "results"]) == ExitCode.FINE
    assert json.loads(capsys.readouterr().out) == results_schema()
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(found, results_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found | {"version": 2}, results_schema())


def test_no_number_is_infinite_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    space = '[shapes.{}]\nkind = "halfspace"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'
    box = '[shapes.c]\nkind = "line"\npoint = [0, 0, 0]\ndirection = [0, 0, 1]\n[[expect]]\napart = ["a", "c"]\n'
    written(spaces_toml=space.format("a") + box)
    found = results(capsys, "spaces.toml")
    assert found["scenes"][0]["promises"][0]["values"]["signed_distance"] is None
    assert found["scenes"][0]["promises"][0]["clashes"][0]["miss"] is None


# -- many scenes -------------------------------------------------------------------------------------------------------


def many(count: int) -> list[Source]:
    written(good_toml=GOOD, bad_toml=BAD, wrong_toml="x")
    names = ("good.toml", "bad.toml", "wrong.toml")
    return [Source(names[number % 3]) for number in range(count)]


def test_several_processes_find_the_same() -> None:
    sources, told = many(FEW + 30), list[int]()

    def bare(jobs: int) -> list[object]:
        return [
            result.model_copy(update={"seconds": 0.0})
            for result in judge_all(sources, JudgeOptions(), jobs=jobs, progress=told.append)
        ]

    assert bare(3) == bare(1)
    assert sum(told) == 2 * len(sources)


#: How code of a scene can end its process, and what is said then.
ENDINGS = {
    "os._exit(0)": "exit code 0",
    "os._exit(3)": "exit code 3",
    "os.kill(os.getpid(), signal.SIGSEGV)": "SIGSEGV",
    "os.kill(os.getpid(), signal.SIGKILL)": "SIGKILL, perhaps for lack of memory",
}


@pytest.mark.parametrize(("jobs", "count"), [(1, 1), (2, FEW + 40)], ids=["few", "many"])
def test_scenes_that_end_their_process_are_told_and_all_others_are_tested(jobs: int, count: int) -> None:
    endings = list(ENDINGS.items())[: 2 if sys.platform == "win32" else None]
    for number, (code, _) in enumerate(endings):
        Path(f"end{number}.py").write_text(f"import os, signal\ndef scene():\n    {code}\n", encoding="utf-8")
    ending = [Source(f"end{number}.py") for number in range(len(endings))]
    written(good_toml=GOOD)
    every = [*ending, *[Source("good.toml")] * count, *ending]
    found = judge_all(every, JudgeOptions(), jobs=jobs)
    told = [
        ("mistake", f"end{number}.py: ended the process that tested it: {how}")
        for number, (_, how) in enumerate(endings)
    ]
    assert [(result.state, result.message) for result in found] == [*told, *[("held", "")] * count, *told]


@pytest.mark.skipif(sys.platform == "win32", reason="there no process can be copied")
def test_a_copy_that_a_scene_makes_of_its_process_ends() -> None:
    names = [f"copying{number}.py" for number in range(8)]
    for name in names:
        Path(name).write_text("import os\ndef scene():\n    os.fork()\n    return {}\n", encoding="utf-8")
    command = [sys.executable, "-m", "viewer", "test", *names]
    # It reads for as long as anyone can write.
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout.count("states nothing")) == (ExitCode.NOTHING_TESTED, len(names))


def test_the_process_of_a_python_scene_ends_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.verdicts.running._PATIENCE", 60.0)
    written(empty_py="def scene():\n    return {}\n")
    begun = time.monotonic()
    assert [result.state for result in judge_all([Source("empty.py")], JudgeOptions())] == ["nothing"]
    assert time.monotonic() - begun < 30.0


@pytest.mark.parametrize("more", [0, FEW])
def test_a_scene_that_takes_too_long_is_ended_and_all_others_are_tested(
    more: int, capsys: pytest.CaptureFixture[str]
) -> None:
    endless = "import os, time\nopen('process', 'w').write(str(os.getpid()))\ndef scene():\n    time.sleep(600)\n"
    written(endless_py=endless, good_toml=GOOD)
    slow = EXCHANGED.format(body="if scene.title == 'slow': time.sleep(600)")
    written(exchanged_py=slow, slow_toml='title = "slow"\n' + GOOD)
    names = ["endless.py", "good.toml", *([] if more else ["exchanged.py", "slow.toml"])]
    for number in range(more):
        names.append(f"more{number}.toml")
        Path(names[-1]).write_text(GOOD, encoding="utf-8")
    begun = time.monotonic()
    assert main(["test", *names, "--timeout", "1", "--jobs", "2"]) == ExitCode.MISTAKE
    assert time.monotonic() - begun < 20.0
    assert is_gone(int(Path("process").read_text()))
    out = capsys.readouterr().out
    late = ["endless.py"] if more else ["endless.py", "slow.toml"]
    for name in late:
        assert f"{name}: took more than the 1 s that --timeout allows" in out
    assert f"; {len(late)} scene" in out


def test_the_exit_code_of_a_scene_is_not_that_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("end.py").write_text("import os\nos._exit(0)", encoding="utf-8")
    assert main(["test", "end.py"]) == ExitCode.MISTAKE
    assert "end.py: ended the process that tested it: exit code 0\n" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is copied")
def test_a_terminal_shows_how_far_it_is_and_processes_are_copied_before(folder: Path) -> None:
    body = """import pathlib, time, multiprocessing
pathlib.Path(type(multiprocessing.current_process()).__name__).touch()
def scene():
    time.sleep(0.005)
    return {}
"""
    for n in range(FEW + 20):
        Path(f"s{n}.py").write_text(body, encoding="utf-8")
    terminal, other = os.openpty()
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "TERM": "xterm"}
    command = [sys.executable, "-m", "viewer", "test", "s*.py", "--jobs", "2"]
    shown = b""
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=other) as started:
        os.close(other)
        with suppress(OSError), open(terminal, "rb", buffering=0) as stream:  # its end is an error
            while got := stream.read(1 << 16):
                shown += got
    assert started.returncode == ExitCode.NOTHING_TESTED
    assert b"testing scenes" in shown
    assert f"/{FEW + 20}".encode() in shown
    assert {path.name for path in folder.glob("*Process")} == {"ForkProcess"}


def stopped(number: signal.Signals, threads: int, folder: Path) -> tuple[int, bytes, bytes]:
    """Send a signal to a run that has several processes, and return how it ended, and what it wrote."""
    body = """import os, time, multiprocessing
open(f'begun {os.getpid()} {type(multiprocessing.current_process()).__name__}', 'w').close()
def scene():
    time.sleep(0.2)
    return {}
"""
    for n in range(20 * FEW):
        Path(f"s{n}.py").write_text(body, encoding="utf-8")
    command = [sys.executable, "-m", "viewer", "test", "s*.py", "--jobs", "2"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": str(threads)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        deadline = time.monotonic() + 60
        while len(list(folder.glob("begun *"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.1 if number == signal.SIGINT else 0.0)
        started.send_signal(number)
        out, err = started.communicate(timeout=30)
    return started.returncode, out, err


@pytest.mark.skipif(os.name != "posix", reason="signals of a shell")
@pytest.mark.parametrize(
    ("number", "code", "threads"),
    [(signal.SIGINT, 130, 1), (signal.SIGTERM, 143, 1), (signal.SIGTERM, 143, 2)],
    ids=["Ctrl-C", "SIGTERM", "SIGTERM with threads"],
)
def test_a_signal_ends_all_processes(number: signal.Signals, code: int, threads: int, folder: Path) -> None:
    assert stopped(number, threads, folder) == (code, b"", b"")
    begun = [path.name.split() for path in folder.glob("begun *")]
    assert len(begun) >= 2
    if threads == 1 and sys.platform == "linux":  # what has other threads is not copied
        assert "ForkProcess" in {kind for _, _, kind in begun}
    assert all(is_gone(int(pid)) for _, pid, _ in begun)


@pytest.mark.skipif(os.name != "posix", reason="signals of a shell")
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_complains_of_a_run_that_was_killed(threads: int, folder: Path) -> None:
    assert stopped(signal.SIGKILL, threads, folder) == (-signal.SIGKILL, b"", b"")
