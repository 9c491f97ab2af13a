"""What the command that tests scenes writes: the texts that are expected, and that others can read them."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from collision.scenefile import SceneFileError, parse_scene
from tests.verdicts import EXPECTED, SCENES, reports
from viewer.cli import ExitCode, main
from viewer.verdicts.collecting import Source
from viewer.verdicts.comparing import Accepted, compare, read_accepted
from viewer.verdicts.judging import JudgeOptions, judge_source
from viewer.verdicts.results import Run, SceneResult, counts_of, exit_code

TODAY = datetime.date(2026, 6, 1)

PAIR = """
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
"""

ACCEPT = '[[accept]]\nid = "apart a b"\ndepth = 0.25\nreason = "later"\ndate = 2026-01-01\n'


def test_the_reports_are_those_expected() -> None:
    pytest.importorskip("mujoco")
    found = reports()
    assert {path.name for path in EXPECTED.iterdir()} == set(found)
    for name, text in found.items():
        assert text == (EXPECTED / name).read_text(encoding="utf-8"), f"{name}; python -m tests.verdicts renews it"


def test_junit_is_read_by_others() -> None:
    junitparser, xmltodict = pytest.importorskip("junitparser"), pytest.importorskip("xmltodict")
    path = EXPECTED / "report.xml"
    text = (EXPECTED / "report.json").read_text(encoding="utf-8").rpartition("exit code")[0]
    run = Run.model_validate_json(text)
    suites = list(junitparser.JUnitXml.fromfile(str(path)))
    assert [suite.name for suite in suites] == [scene.path for scene in run.scenes]
    for suite, scene in zip(suites, run.scenes, strict=True):
        cases = list(suite)
        assert (suite.tests, suite.failures) == (len(cases), sum(p.state == "broken" for p in scene.promises))
        if scene.promises:
            assert [case.name for case in cases] == [promise.id for promise in scene.promises]
            kinds = {"held": [], "broken": ["failure"], "accepted": ["skipped"]}
            for case, promise in zip(cases, scene.promises, strict=True):
                assert [result._tag for result in case.result] == kinds[promise.state]
                texts = [case.system_out, *(text for result in case.result for text in (result.message, result.text))]
                assert sum(text.count(promise.expected) for text in texts if text) == 1 + (
                    promise.expected == promise.actual
                )
    root = xmltodict.parse(path.read_text(encoding="utf-8"))["testsuites"]
    assert (int(root["@tests"]), int(root["@failures"]), int(root["@errors"]), int(root["@skipped"])) == (12, 3, 2, 3)
    assert [suite["@name"] for suite in root["testsuite"]] == [scene.path for scene in run.scenes]


def test_junit_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(PAIR.format(x=3), encoding="utf-8")
    Path("r.xml").write_text("old", encoding="utf-8")
    Path("r.xml").chmod(0o444)
    for name, said in (("no/r.xml", "there is no folder"), ("r.txt", "is written to a .xml file")):
        assert main(["test", "a.toml", "--junit", name]) == ExitCode.MISTAKE
        assert said in capsys.readouterr().err
    monkeypatch.setattr("collision.inner.write_text", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    assert main(["test", "a.toml", "--junit", "r.xml"]) == ExitCode.MISTAKE
    assert capsys.readouterr().err == "collision-viewer: r.xml: cannot be written: no space left\n"
    assert Path("r.xml").read_text(encoding="utf-8") == "old"


# -- what is known -----------------------------------------------------------------------------------------------------


def result(x: float) -> SceneResult:
    found = judge_source(Source("a.toml", PAIR.format(x=x).encode()), JudgeOptions())
    assert parse_scene(PAIR.format(x=x)).expectations
    return found


def accepted(text: str, folder: Path) -> list[Accepted]:
    path = folder / "accepted.toml"
    path.write_text(text, encoding="utf-8")
    return read_accepted(path)


def run_of(*scenes: SceneResult) -> Run:
    return Run(exit_code=0, counts=counts_of(scenes), scenes=scenes)


@pytest.mark.parametrize(
    ("x", "text", "state", "said"),
    [
        (2.25, ACCEPT, "accepted", ""),
        (2.2500001, ACCEPT, "accepted", ""),
        (2.2, ACCEPT, "broken", "it is missed by 0.3, and accepted up to 0.25"),
        (3.0, ACCEPT, "held", "it is broken no more, and can go"),
        (2.25, ACCEPT + "until = 2026-05-31\n", "broken", "this was accepted until 2026-05-31, which is over"),
        (2.25, ACCEPT + "until = 2026-06-01\n", "accepted", ""),
        (2.25, ACCEPT.replace("depth = 0.25\n", ""), "broken", "it says no depth, as depth = 0.25"),
        (2.25, ACCEPT + 'pair = ["b", "a"]\n', "accepted", ""),
        (2.25, ACCEPT + 'scene = "b.toml"\n', "broken", "no promise of the scenes is called so"),
        (2.25, ACCEPT.replace("apart a b", "other"), "broken", "no promise of the scenes is called so"),
    ],
)
def test_what_is_accepted_does_not_fail_until_it_gets_deeper(
    x: float, text: str, state: str, said: str, tmp_path: Path
) -> None:
    found = compare([result(x)], accepted=accepted(text, tmp_path), today=TODAY)
    assert found.scenes[0].state == state
    assert exit_code(found.scenes) == (10 if state == "broken" else 0)
    assert len(found.notes) == (1 if said else 0)
    assert all(note.endswith(said) for note in found.notes)
    if state == "accepted":
        assert found.scenes[0].promises[0].clashes[0].accepted == "later (2026-01-01)"


def test_a_tolerance_lets_what_is_accepted_get_deeper(tmp_path: Path) -> None:
    known = accepted(ACCEPT, tmp_path)
    assert compare([result(2.2)], accepted=known, tolerance=0.1, today=TODAY).scenes[0].state == "accepted"


def test_what_is_not_listed_is_not_accepted(tmp_path: Path) -> None:
    scene = result(2.25)
    promise = scene.promises[0].model_copy(update={"count": 2})
    cut = scene.model_copy(update={"promises": (promise,)})
    assert compare([cut], accepted=accepted(ACCEPT, tmp_path), today=TODAY).scenes[0].state == "broken"


def test_a_baseline_tells_new_known_and_gone() -> None:
    def lives(now: float, before: float) -> tuple[list[str | None], list[str]]:
        found = compare([result(now)], run_of(result(before)), today=TODAY)
        clashes = [clash for promise in found.scenes[0].promises for clash in promise.clashes]
        assert exit_code(found.scenes) == (10 if clashes else 0)
        return [clash.life for clash in clashes], [gone.id for gone in found.gone]

    assert lives(2.25, 3.0) == (["new"], [])
    assert lives(2.25, 2.3) == (["known"], [])
    assert lives(3.0, 2.25) == ([], ["apart a b"])
    other = result(2.25).model_copy(update={"path": "other.toml"})
    found = compare([result(3.0)], run_of(other), today=TODAY)
    assert found.gone == ()  # it was not tested, so that nobody knows


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x =", "accepted.toml:1:4: this is not valid TOML"),
        ("[[accept]]\nid = 3\n", "accepted.toml:2: accept 1: id: expected the id of a promise in quotes, got 3"),
        (
            ACCEPT + "\n[[accept]]\nid = 'x'\nreason = 'y'\n",
            "accepted.toml:7: accept 2: date: missing; an [[accept]] needs id, reason, date",
        ),
        (ACCEPT + "depht = 1\n", 'accepted.toml:6: accept 1: depht: unknown key; did you mean "depth"?'),
        (
            ACCEPT + 'until = "2026-01-31"\n',
            'accepted.toml:6: accept 1: until: expected a day without quotes, such as 2026-01-31, got "2026-01-31"',
        ),
        (ACCEPT + "foo = 1\n", "accepted.toml:6: accept 1: foo: unknown key; an [[accept]] takes id, "),
        (ACCEPT.replace("apart a b", "nothing-else"), "nothing-else is about all pairs, so say which is accepted"),
        (ACCEPT.replace("0.25", "nan"), "accepted.toml:3: accept 1: depth: expected a number, zero or more, got nan"),
        (
            ACCEPT + "pair = [\n1,\n2]\n",
            'accepted.toml:6: accept 1: pair: expected the names of two shapes, such as ["',
        ),
        (
            "[accept]\nid = 'x'\n",
            "accepted.toml:1: accept: expected a list of tables: the header of each stands in two brackets, [[accept]]",
        ),
        ("accept = 3\n", "accepted.toml:1: accept: expected a list, got 3"),
        ("\naccept = [3]\n", "accepted.toml:2: accept 1: expected a table, got 3"),
        ("excuse = 3\n", "accepted.toml:1: excuse: unknown key; a file of what is accepted takes accept"),
    ],
)
def test_mistakes_in_what_is_accepted(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(SceneFileError) as error:
        accepted(text, tmp_path)
    assert said in str(error.value)


def test_all_that_is_wrong_in_what_is_accepted_is_said_in_the_order_of_its_lines(tmp_path: Path) -> None:
    with pytest.raises(SceneFileError) as error:
        accepted(ACCEPT.replace("0.25", "-1") + "until = 3\n\n[[accept]]\n", tmp_path)
    lines = [line.partition("accepted.toml:")[2].partition(":")[0] for line in str(error.value).splitlines()]
    assert lines == ["3", "6", "8", "8", "8"]


def test_files_of_what_is_known_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(PAIR.format(x=2.25), encoding="utf-8")
    for words in (["--baseline", "a.toml"], ["--baseline", "no.json"], ["--accept", "no.toml"], ["--accept", "."]):
        assert main(["test", "a.toml", *words]) == ExitCode.MISTAKE
        captured = capsys.readouterr()
        assert captured.err.startswith(f"collision-viewer: {words[1]}: ")
        assert captured.out == ""


def test_a_run_is_the_baseline_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(PAIR.format(x=2.25), encoding="utf-8")
    assert main(["test", "a.toml", "--format", "json"]) == ExitCode.BROKEN
    Path("run.json").write_text(capsys.readouterr().out, encoding="utf-8")
    Path("a.toml").write_text(PAIR.format(x=2.125), encoding="utf-8")
    assert main(["test", "a.toml", "--baseline", "run.json"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert "    life      known, deeper than before: missed by 0.25 then\n" in out
    Path("a.toml").write_text(PAIR.format(x=3), encoding="utf-8")
    assert main(["test", "a.toml", "--baseline", "run.json"]) == ExitCode.FINE
    assert "a.toml: gone: apart a b (a and b) is broken no more\n" in capsys.readouterr().out


def test_goldens_are_of_scenes_that_are_there() -> None:
    found: Any = json.loads((EXPECTED / "report.json").read_text(encoding="utf-8").rpartition("exit code")[0])
    names = {path.name for path in SCENES.iterdir()} - {"accepted.toml"}
    assert {scene["path"] for scene in found["scenes"]} == names | {"missing.toml"}
