"""Scene files as tests: one for each promise, and one for that nothing else collides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collision import Judgement, Scene, judge
from collision.scenefile import SceneFileError, expectation_lines, load_scene
from collision.testing import BrokenPromiseError, describe
from viewer.verdicts.fixtures import SceneRecorder, folder_of
from viewer.verdicts.results import NOTHING_ELSE
from viewer.verdicts.stash import RECORDER

#: What the test of a file is called that promises nothing.
SILENT = "promises"


class SceneFile(pytest.File):
    """A scene file: its promises are its tests."""

    _scene: Scene
    _judgement: Judgement | None = None

    @property
    def shown(self) -> str:
        """The path as it is written in reports."""
        folder = self.config.invocation_params.dir
        return str(self.path.relative_to(folder) if self.path.is_relative_to(folder) else self.path)

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each promise."""
        try:
            self._scene = load_scene(self.path)
        except SceneFileError as error:
            raise self.CollectError(str(error).replace(str(self.path), self.shown)) from None
        lines = expectation_lines(self.path.read_bytes().decode("utf-8"))
        for promise in self._scene.expectations:
            yield PromiseItem.from_parent(self, name=promise.id, line=lines[promise.id])
        if not self._scene.expectations:
            yield PromiseItem.from_parent(self, name=SILENT, line=1)
        elif not self._scene.open:
            yield PromiseItem.from_parent(self, name=NOTHING_ELSE, line=1)

    @property
    def scene(self) -> Scene:
        """The scene in the file."""
        return self._scene

    @property
    def judgement(self) -> Judgement:
        """All verdicts, found once for all tests of the file."""
        if self._judgement is None:
            self._judgement = judge(self._scene)
        return self._judgement


class PromiseItem(pytest.Item):
    """The test of one promise."""

    parent: SceneFile

    def __init__(self, *, line: int, **more: Any) -> None:
        super().__init__(**more)
        self._line = line

    def runtest(self) -> None:
        """Judge the promise."""
        scene, found = self.parent.scene, self.parent.judgement
        own = tuple(verdict for verdict in found.verdicts if verdict.id == self.name)
        if scene.expectations and not own:
            pytest.skip("no two shapes are left to be tested")
        if not all(verdict.ok for verdict in own) or not own:
            self.stash[RECORDER] = SceneRecorder(folder_of(self, None))
            self.stash[RECORDER](scene)
            raise BrokenPromiseError(scene, Judgement(own, found.counts))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Say where the promise stands, what was expected and what is."""
        if not isinstance(excinfo.value, BrokenPromiseError):
            return super().repr_failure(excinfo, style)
        text = describe(excinfo.value.judgement)
        if self.name == SILENT:
            text += f'; "collision-viewer expect {self.parent.shown} --write" has it promise what holds now'
        return f"{self.parent.shown}:{self._line}: {text}"

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line counted from 0, and the name."""
        return self.path, self._line - 1, self.name
