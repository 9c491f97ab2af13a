"""The plugin of pytest: options, fixtures, and scene files as tests.

pytest imports this in every run, so that nothing else of this project is imported before it is used.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from viewer.verdicts import SCENE_FILES
from viewer.verdicts.stash import RECORDER

if TYPE_CHECKING:
    from viewer.verdicts.fixtures import ScenePicture, SceneRecorder


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("collision-viewer", "scenes and their pictures")
    group.addoption(
        "--collision-output",
        metavar="DIR",
        help="the folder for what tests of scenes leave when they fail: pictures, scene files, verdicts; by default "
        "that of the test's own temporary files",
    )
    group.addoption(
        "--collision-update",
        action="store_true",
        help="have scene_picture.check write its baselines anew, instead of comparing with them",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the promises of a scene file as tests."""
    if not file_path.name.lower().endswith(SCENE_FILES):
        return None
    from viewer.verdicts.scenefiles import SceneFile

    return SceneFile.from_parent(parent, path=file_path)


@pytest.fixture
def collision_scene(request: pytest.FixtureRequest) -> SceneRecorder:
    """Remember scenes: if the test fails, their pictures, files and verdicts are kept, and the report names them."""
    return _recorder(request)


@pytest.fixture
def scene_picture(request: pytest.FixtureRequest) -> ScenePicture:
    """Compare pictures of scenes with those that are kept beside the test, in its folder ``baseline``."""
    from viewer.verdicts.fixtures import ScenePicture

    return ScenePicture(
        _recorder(request), request.path.parent / "baseline", bool(request.config.option.collision_update)
    )


def _recorder(request: pytest.FixtureRequest) -> SceneRecorder:
    """Return what remembers the scenes of a test: one for all of its fixtures."""
    if RECORDER not in request.node.stash:
        from viewer.verdicts.fixtures import SceneRecorder, folder_of

        # Without pytest's own temporary folders there is one of this run.
        own = request.getfixturevalue("tmp_path") if request.config.pluginmanager.has_plugin("tmpdir") else None
        request.node.stash[RECORDER] = SceneRecorder(folder_of(request.node, own))
    recorder: SceneRecorder = request.node.stash[RECORDER]
    return recorder


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Write the scenes of a test that failed, and say where."""
    outcome = yield
    report = outcome.get_result()
    if call.when == "call" and report.failed and RECORDER in item.stash and call.excinfo is not None:
        report.sections.append(("collision-viewer", "\n".join(item.stash[RECORDER].leave(call.excinfo.value))))
