"""The benchmarks run to their end, and compare like with like. Nothing here looks at a time."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from collision import closest_points
from tests.benchmarks import __main__ as command
from tests.benchmarks import inputs, numpy_peer, peers, report
from tests.benchmarks.measure import (
    QUICK,
    Disagreement,
    Effort,
    Result,
    Row,
    Task,
    close,
    in_units,
    worst,
)
from tests.slow import some

PEERS = ("coal", "MuJoCo", "PyBullet", "python-fcl")


def seconds(*values: float) -> Result:
    return Result(None, np.array(values))


def tasks(effort: Effort) -> list[Task]:
    return [task for topic in command.TOPICS for task in topic(effort)]


# -- the whole of it ---------------------------------------------------------------------------------------------------


#: What they measure is measured once.
pytestmark = pytest.mark.xdist_group("benchmarks")


@pytest.fixture(scope="module")
def found() -> command.Found:
    return command.measured(some(6, tasks(QUICK)), QUICK)


@pytest.mark.deep
def test_everything_is_measured(found: command.Found) -> None:
    assert found.failures == []
    assert not found.stopped
    assert all(row.ours is not None for row in found.rows)
    assert {row.case for row in found.rows} >= {*inputs.CORES, "mixed", "even", "all in a thin line"}


@pytest.mark.deep
def test_installed_peers_take_part_and_others_are_named(found: command.Found) -> None:
    versions = peers.versions()
    for peer in PEERS:
        rows = [row for row in found.rows if row.peer == peer]
        assert rows
        there = versions[peer] != "not installed"
        assert all((row.theirs is not None) == there for row in rows)
        assert there or all(f"{peer} is not installed" in row.cells() for row in rows)


def test_a_peer_that_is_not_there_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("coal_peer", "mujoco_peer", "bullet_peer", "fcl_peer"):
        monkeypatch.delitem(sys.modules, f"tests.benchmarks.{module}", raising=False)
    for library in ("coal", "mujoco", "pybullet", "fcl"):
        monkeypatch.setitem(sys.modules, library, None)
    chosen = [task for task in tasks(QUICK) if task.name == "one pair from Python, sphere-sphere"]
    rows = command.measured(chosen, QUICK).rows
    assert [row.cells()[1] for row in rows] == [f"{peer} is not installed" for peer in PEERS]


def test_both_tables_have_what_was_measured(found: command.Found, tmp_path: Path) -> None:
    console = Console(width=250, record=True, file=(tmp_path / "terminal.txt").open("w", encoding="utf-8"))
    console.print(report.table(found.rows))
    console.file.close()
    printed, written = console.export_text(), report.markdown(found.rows)
    for row in worst(found.rows):
        for text in (printed, written):
            assert row.work in text
            assert in_units(row.ours.best if row.ours else 0.0, row.goal.unit if row.goal else "s") in text
    assert len({line.count("|") for line in written.splitlines() if line.startswith("|")}) == 1


def test_each_page_gets_its_rows_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = []
    for name in ("LIBRARY", "VIEWER"):
        pages.append(tmp_path / name)
        pages[-1].write_text(getattr(report, name).read_text(encoding="utf-8"), encoding="utf-8")
        monkeypatch.setattr(report, name, pages[-1])
    report.publish([Row("a sum", "", seconds(1.0)), Row("viewer, a frame", "", seconds(2.0))])
    library, viewer = (page.read_text(encoding="utf-8") for page in pages)
    for text, there, elsewhere in ((library, "| a sum |", "| viewer, "), (viewer, "| viewer, a frame |", "| a sum |")):
        measured = text.partition(report.BEGIN)[2].partition(report.END)[0]
        assert there in measured
        assert elsewhere not in measured
        assert "Measured on" in measured
    pages[0].write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="marks"):
        report.put_between_marks("", pages[0])


def test_the_command_writes_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "table.md"
    words = ["--quick", "--only", "one ray", "--markdown", str(page)]
    assert command.app(words, result_action="return_value") == 0
    assert "one ray against 300 shapes" in page.read_text(encoding="utf-8")
    assert "one ray against 300 shapes" in capsys.readouterr().out


# -- measuring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("core", inputs.CORES)
def test_numpy_finds_the_same(core: str) -> None:
    batch = inputs.pairs(core, 3_000, seed=9)
    ours, theirs = closest_points(batch.a, batch.b), numpy_peer.closest_points(batch.a, batch.b)
    assert 0.3 < np.mean(ours.signed_distance < 0.0) < 0.7
    close(ours.signed_distance, theirs[0], 1e-12, core)
    close(ours.normal, theirs[3], 1e-6, core)
    with pytest.raises(Disagreement, match="differ by"):
        close(ours.signed_distance + 1e-9, theirs[0], 1e-12, core)


@pytest.mark.parametrize("make", [inputs.crowd, inputs.giants, inputs.line])
def test_scenes_have_about_as_many_hits(make: object) -> None:
    scene = make(3_000).scene()  # type: ignore[operator]
    assert 0.15 < len(scene.colliding_pairs()) / 3_000 < 0.45
