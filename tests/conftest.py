"""Set up every test run: how hard to look, which tests are slow, and where pictures of failed tests are kept."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from tests import slow

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from playwright.sync_api import Browser

    from tests.windows import Display

settings.register_profile("default", derandomize=True, max_examples=25, deadline=None, print_blob=True)
settings.register_profile("deep", derandomize=False, max_examples=5000, deadline=None, print_blob=True)


#: Scenes that are broken on purpose, and read by tests of their own.
collect_ignore_glob = ["verdicts/scenes/*"]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only in files that have one: to look for them imports the file."""
    collectors = yield
    if ">>>" in file_path.read_text(encoding="utf-8", errors="ignore"):
        return collectors
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="test many times as many random cases (minutes, not seconds)")
    parser.addoption("--failed-pictures", default="failed-pictures", help="the folder for pictures of tests that fail")
    parser.addoption("--write-slow", action="store_true", help="measure tests, and write their list of slow ones")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("deep" if config.getoption("--deep") else "default")
    if config.getoption("--write-slow"):
        config.pluginmanager.register(slow.Measure())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left = [item for item in items if item.get_closest_marker("deep")]
    others = slow.mark(item for item in items if not item.get_closest_marker("deep"))
    left += [] if config.getoption("--write-slow") else others
    if left and not config.getoption("--deep"):
        config.hook.pytest_deselected(items=left)
        gone = set(map(id, left))
        items[:] = [item for item in items if id(item) not in gone]


@pytest.fixture(scope="session")
def display() -> Iterator[Display]:
    """Return a screen for windows: the user's own, or a virtual one."""
    from tests.windows import screen  # which imports much

    with screen() as own:
        yield own


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no frame before a test looks at it: all else of a frame is made as ever, and takes less long."""
    from viewer.stage.stage import Stage  # which imports much

    render, image = Stage.render, Stage.image

    def looked_at(stage: Stage) -> npt.NDArray[np.uint8]:
        render(stage)
        return image(stage)

    monkeypatch.setattr(Stage, "render", Stage.prepare)
    monkeypatch.setattr(Stage, "image", looked_at)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Return a browser; of a module, for while it runs Playwright lets nobody else use `asyncio`."""
    from tests.browser import started  # which imports much

    with started() as own:
        yield own


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the pictures of a test that fails, and say where they are."""
    report = yield
    if report.when == "call" and report.failed and call.excinfo is not None:
        from tests.pictures import keep  # which imports much

        folder = Path(item.config.rootpath, item.config.getoption("--failed-pictures"))
        written = getattr(item, "funcargs", {}).get("tmp_path")
        if kept := keep(folder, item.nodeid, call.excinfo.tb, written):
            report.sections.append(("Pictures", "\n".join(map(str, kept))))
    return report
