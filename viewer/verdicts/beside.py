"""Processes beside this one. In one of them a scene may do what ends it: exit, crash, use up all memory."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from viewer.files.loading import runs_code
from viewer.verdicts.collecting import Source
from viewer.verdicts.judging import Judged, Wish, judge_source
from viewer.verdicts.results import SceneResult, State

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext
    from multiprocessing.process import BaseProcess

#: Seconds that a process may take to end when all is done: a scene may have left threads in it.
_PATIENCE = 1.0

#: Python's own process that cleans up after this one, if that is killed, warns that there was something to clean up.
_QUIET = "ignore:resource_tracker:UserWarning"

#: What ends a run, in the first process.
_ENDING = (signal.SIGINT, signal.SIGTERM)


class Beside:
    """A process that tests one scene after another. A scene that ends it is told, and the next one has a new process.

    Parameters
    ----------
    wish : Wish
        How scenes are to be tested.
    """

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._running: tuple[BaseProcess, Connection[Any, Any]] | None = None

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._running is None:
            return
        process, pipe = self._running
        if kind is not None:
            process.terminate()
        with suppress(OSError):
            pipe.send(None)
        pipe.close()
        process.join(_PATIENCE)
        process.kill()

    def start(self) -> tuple[BaseProcess, Connection[Any, Any]]:
        """Start the process, unless there is one; return it, and the pipe that leads to it."""
        if self._running is None:
            how = context()
            pipe, other = how.Pipe()
            process = how.Process(target=_serve, args=(other, self._wish, list(sys.path)))
            with ending_later(how):
                process.start()
            other.close()
            self._running = process, pipe
        return self._running

    def judge(self, source: Source) -> Judged:
        """Return what came of a scene, which may have ended the process."""
        process, pipe = self.start()
        with suppress(EOFError, OSError):
            pipe.send(source)
            wait([pipe, process.sentinel])
            if pipe.poll():
                return received(source, pipe.recv_bytes())
        process.join()
        pipe.close()
        self._running = None
        return _failed(source, f"ended the process that tested it: {_how(process.exitcode or 0)}")


def _failed(source: Source, why: str) -> Judged:
    state: State = "mistake" if runs_code(source.path) else "bug"
    return Judged(SceneResult(path=source.path, state=state, message=f"{source.path}: {why}"))


def _how(code: int) -> str:
    """Say how a process has ended: its exit code, or the signal."""
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:  # one without a name
        name = f"signal {-code}"
    return name + (", perhaps for lack of memory" if name == "SIGKILL" else "")


def _serve(pipe: Connection[Any, Any], wish: Wish, path: list[str]) -> None:
    """Test what comes until None does, in the other process, which may have a copy of the pipe's other end."""
    begin(path)
    while (source := _next(pipe)) is not None:
        pipe.send_bytes(judge_here(source, wish))


def _next(pipe: Connection[Any, Any]) -> Source | None:
    """Return what is to be tested next; nothing where the first process is gone, of which nobody is to be told."""
    try:
        source: Source | None = pipe.recv()
    except (EOFError, ConnectionResetError):
        return None
    return source


def judge_here(source: Source, wish: Wish) -> bytes:
    """Return what came of a scene as JSON: reading that runs no code of the scene's.

    A copy that the scene has made of this process ends instead, as there is one answer.
    """
    own = os.getpid()
    result, scene = judge_source(source, wish)
    if os.getpid() != own:
        os._exit(0)
    return json.dumps([result.model_dump(), scene]).encode("ascii")  # not by pydantic: a path may be no UTF-8


def received(source: Source, sent: bytes) -> Judged:
    """Return what another process has found of a scene."""
    try:
        result, scene = json.loads(sent)
        return Judged(SceneResult.model_validate(result), str(scene))
    except ValueError:
        return _failed(source, "the process that tested it sent something else than verdicts")


def context() -> ForkContext | ForkServerContext | SpawnContext:
    """Return how other processes begin: as copies of this one, which have imported all, or else as a new Python.

    A copy takes milliseconds where a new Python takes half a second. What has other threads must not be copied: what
    they hold would be held for ever.
    """
    ways = multiprocessing.get_all_start_methods()
    if sys.platform == "linux" and "fork" in ways and _has_one_thread():
        return multiprocessing.get_context("fork")
    if _QUIET not in sys.warnoptions:
        sys.warnoptions.append(_QUIET)
    if "forkserver" in ways:
        return multiprocessing.get_context("forkserver")
    return multiprocessing.get_context("spawn")


def _has_one_thread() -> bool:
    """Tell whether this process has no threads beside the first one, be they Python's or of a library."""
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # a jail without /proc
        return False


@contextmanager
def ending_later(how: ForkContext | ForkServerContext | SpawnContext) -> Iterator[None]:
    """Have no copy that a block starts take a signal for its own before `begin` has run in it."""
    if how.get_start_method() != "fork":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(path: list[str]) -> None:
    """Prepare another process: Ctrl-C is for the first one to see, and it ends when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    sys.path[:] = path
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
