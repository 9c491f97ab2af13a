"""The same questions to many poses over several processes, as an example asks them: with Dask."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from collision import signed_distance

EXAMPLE = Path(__file__).parent.parent / "examples" / "many_poses.py"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def dask() -> Any:
    """Return Dask's arrays, for tests that are skipped where it is not installed."""
    pytest.importorskip("distributed", reason='Dask is not installed: pip install ".[dask]"')
    return pytest.importorskip("dask.array", reason='Dask is not installed: pip install ".[dask]"')


@pytest.mark.deep
def test_two_processes_answer_as_one_call_does(example: dict[str, Any], dask: Any) -> None:
    from distributed import Client, LocalCluster

    joints = example["random_joints"](3000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        asked = example["touching_in_chunks"](dask.from_array(joints, chunks=(500, 4)))
        assert asked.chunks == ((500,) * 6,)
        found = asked.compute()
        assert len(client.scheduler_info()["workers"]) == 2
    assert np.array_equal(found, example["touching"](joints))
    assert 0.1 < found.mean() < 0.9


def test_chunks_that_are_made_where_they_are_used_are_the_same_each_time(example: dict[str, Any], dask: Any) -> None:
    joints = example["joints_in_chunks"](900, 300)
    found = example["touching_in_chunks"](joints).compute(scheduler="synchronous")
    assert np.array_equal(found, example["touching"](joints.compute(scheduler="synchronous")))
    assert set(found.tolist()) == {True, False}


def test_without_dask_it_is_said_how_to_get_it(example: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    with pytest.raises(SystemExit, match=r'this takes Dask; .*: pip install "\.\[dask\]"$'):
        example["growth"](1, 1, [1])


def test_the_growth_is_drawn(example: dict[str, Any], tmp_path: Path) -> None:
    example["draw"]({1: 1e6, 2: 1.9e6}, tmp_path / "growth.png")
    assert np.asarray(Image.open(tmp_path / "growth.png").convert("L")).std() > 5.0


def test_the_dots_are_where_nothing_is(example: dict[str, Any]) -> None:
    scene = example["scene"]()
    dots = scene["dots"]
    assert 300 < len(dots) < 600
    for name in ("table", "crate", "lamp", "ball", "shelf"):
        assert (signed_distance(dots, scene[name]) > 0.0).all()
    assert (signed_distance(dots, example["AROUND"]["floor"]) > 0.0).all()
