"""All scenes of a run, judged in other processes: a scene may exit or crash in one, or take too long and be ended."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from collision.inner import on_compile
from viewer.files.loading import runs_code
from viewer.records.words import counted
from viewer.verdicts.collecting import Collected, Source
from viewer.verdicts.comparing import Comparison
from viewer.verdicts.judging import JudgeOptions, judge_source
from viewer.verdicts.results import Run, SceneResult, State, counts_of, exit_code

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkContext, ForkServerContext, SpawnContext
    from multiprocessing.process import BaseProcess

#: So many scenes are tested before another process is worth its start, which takes up to a second.
FEW = 50

#: So many scenes a process has at once: the next is there when one is done.
_AHEAD = 2

#: Seconds that a process may take to end when all is done: a scene may have left threads in it.
_PATIENCE = 1.0

#: More seconds than this nobody waits for: systems cannot count them all.
_LONGEST = 1e6

#: What a process says beside verdicts: that it is there, and that it compiles kernels, which no scene is to pay for.
_UP, _COMPILING = b"up", b"compiling"

#: Python's own process that cleans up after this one, if that is killed, warns that there was something to clean up.
_QUIET = "ignore:resource_tracker:UserWarning"

#: What ends a run, in the first process.
_ENDING = (signal.SIGINT, signal.SIGTERM)


def judge_all(
    sources: Sequence[Source],
    options: JudgeOptions,
    *,
    jobs: int = 1,
    timeout: float = math.inf,
    progress: Callable[[int], object] = lambda count: None,
) -> list[SceneResult]:
    """Return what came of some scenes, in their order; of one that takes more than so many seconds, that it does.

    `progress` is called with the number of scenes done in each step; at first, when all processes are there, with 0.
    """
    found: dict[int, SceneResult] = {}
    waiting = deque(enumerate(sources))
    with ExitStack() as stack:
        # While this process has no threads, and can be copied.
        count = min(jobs if len(sources) > FEW else 1, len(sources))
        workers = [stack.enter_context(Worker(options, timeout)) for _ in range(count)]
        progress(0)
        while waiting or any(worker.given for worker in workers):
            for worker in workers:
                while waiting and len(worker.given) < _AHEAD:
                    worker.give(*waiting.popleft())
            for worker in _ready(workers):
                for number, result in worker.take():
                    found[number] = result
                    progress(1)
    return [_writable(found[number]) for number in range(len(sources))]


def _writable(result: SceneResult) -> SceneResult:
    """Return a result whose path can stand in every report: a file name may hold bytes that are no text."""
    if result.path.isprintable():
        return result
    escaped = result.path.encode("utf-8", "backslashreplace").decode()
    return result.model_copy(update={"path": escaped, "message": result.message.replace(result.path, escaped)})


def _late(source: Source, timeout: float) -> SceneResult:
    message = f"{source.path}: took more than the {timeout:g} s that --timeout allows"
    return SceneResult(path=source.path, state="mistake", message=message, seconds=timeout)


def _ready(workers: Sequence[Worker]) -> list[Worker]:
    """Return those of some processes that have done something, have ended or take too long, once there are any."""
    busy = [worker for worker in workers if worker.given]
    by_handle: dict[Any, Worker] = {handle: worker for worker in busy for handle in worker.handles}
    left = max(min(worker.deadline for worker in busy) - time.monotonic(), 0.0)
    ready = [by_handle[handle] for handle in wait(list(by_handle), left if left < _LONGEST else None)]
    return list(dict.fromkeys(ready)) or [worker for worker in busy if worker.deadline <= time.monotonic()]


class Worker:
    """A process that judges scenes in the order in which they come; after a scene that ends it, a new process.

    A scene that takes too long is ended with its process.

    It ends with this one: at its end, when Ctrl-C stops it, and if it is killed.
    """

    def __init__(self, options: JudgeOptions, timeout: float) -> None:
        self._options, self._timeout = options, timeout
        self.given: deque[tuple[int, Source]] = deque()
        self._start()

    def _start(self) -> None:
        how = context()
        self._is_up, self.deadline = False, math.inf
        self._pipe: Connection[Any, Any]
        self._pipe, other = how.Pipe()
        self._process: BaseProcess = how.Process(target=_serve, args=(other, self._options, list(sys.path)))
        with ending_later(how):
            self._process.start()
        other.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._process.terminate()
        with suppress(OSError):
            self._pipe.send(None)
        self._pipe.close()
        self._process.join(_PATIENCE)
        self._process.kill()

    @property
    def handles(self) -> tuple[Connection[Any, Any], int]:
        """What to wait for: an answer, or the end of the process."""
        return self._pipe, self._process.sentinel

    def give(self, number: int, source: Source) -> None:
        """Have the scene of a number judged after those that were given before."""
        if not self.given and self._is_up:
            self.deadline = time.monotonic() + self._timeout
        self.given.append((number, source))
        with suppress(OSError):  # it has ended, which `take` finds out
            self._pipe.send(source)

    def take(self) -> Iterator[tuple[int, SceneResult]]:
        """Yield the number of the first scene that was given, and what came of it; nothing where it only has begun."""
        late = time.monotonic() >= self.deadline
        with suppress(EOFError, OSError):
            if self._pipe.poll():
                sent = self._pipe.recv_bytes()
                self.deadline = time.monotonic() + self._timeout
                if sent == _COMPILING:
                    for call in on_compile:
                        call("")
                elif self._is_up:
                    number, source = self.given.popleft()
                    yield number, received(source, sent)
                else:
                    self._is_up = True
                return
        number, source = self.given.popleft()
        late = late and self._process.is_alive()
        if late:
            self._process.kill()
        self._process.join()
        self._pipe.close()
        ending = _how(self._process.exitcode or 0)
        self._start()
        for _, other in self.given:
            self._pipe.send(other)
        ended = _failed(source, f"ended the process that tested it: {ending}")
        yield number, _late(source, self._timeout) if late else ended


def _failed(source: Source, why: str) -> SceneResult:
    state: State = "mistake" if runs_code(source.path) else "bug"
    return SceneResult(path=source.path, state=state, message=f"{source.path}: {why}")


def _how(code: int) -> str:
    """Say how a process has ended: its exit code, or the signal."""
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:  # one without a name
        name = f"signal {-code}"
    return name + (", perhaps for lack of memory" if name == "SIGKILL" else "")


def _serve(pipe: Connection[Any, Any], options: JudgeOptions, path: list[str]) -> None:
    """Test what comes until None does, in the other process, which may have a copy of the pipe's other end."""
    begin(path)
    on_compile[:] = [lambda name: pipe.send_bytes(_COMPILING)]
    pipe.send_bytes(_UP)
    while (source := _next(pipe)) is not None:
        pipe.send_bytes(judge_here(source, options))


def _next(pipe: Connection[Any, Any]) -> Source | None:
    """Return the next scene to test; None where the first process is gone."""
    try:
        source: Source | None = pipe.recv()
    except (EOFError, ConnectionResetError):
        return None
    return source


def judge_here(source: Source, options: JudgeOptions) -> bytes:
    """Return what came of a scene as JSON: reading that runs no code of the scene's.

    A copy that the scene has made of this process ends instead, as there is one answer.
    """
    own = os.getpid()
    result = judge_source(source, options)
    if os.getpid() != own:
        os._exit(0)
    # Not by pydantic: a path may be no UTF-8.
    return json.dumps({**result.model_dump(), "text": result.text, "again": result.again}).encode("ascii")


def received(source: Source, sent: bytes) -> SceneResult:
    """Return what another process has found of a scene."""
    try:
        return SceneResult.model_validate(json.loads(sent))
    except ValueError:
        return _failed(source, "the process that tested it sent something else than verdicts")


def context() -> ForkContext | ForkServerContext | SpawnContext:
    """Return how other processes begin: as copies of this one, which have imported all, or else as a new Python.

    A copy takes milliseconds where a new Python takes half a second. What has other threads must not be copied: what
    they hold would be held for ever.
    """
    methods = multiprocessing.get_all_start_methods()
    if sys.platform == "linux" and "fork" in methods and _has_one_thread():
        return multiprocessing.get_context("fork")
    if _QUIET not in sys.warnoptions:
        sys.warnoptions.append(_QUIET)
    if "forkserver" in methods:
        server = multiprocessing.get_context("forkserver")
        server.set_forkserver_preload([__name__])
        return server
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


# -- the record of a run -----------------------------------------------------------------------------------------------


def run_record(
    comparison: Comparison,
    collected: Collected,
    options: JudgeOptions,
    *,
    strict: bool = False,
    shard: str | None = None,
) -> Run:
    """Return the record of a run."""
    scenes, gone = comparison.scenes, comparison.gone
    empty = [f"{folder}: there is no scene in this folder" for folder in collected.empty]
    if shard is not None and collected.sources and not scenes:
        empty.append(f"share {shard} is empty, of {counted(len(collected.sources), 'scene')} in all")
    if shard is None:  # in another share there may be one
        empty += [
            f"--only {pattern}: no promise of any scene has this id or name" for pattern in _unmatched(scenes, options)
        ]
    passed = [f"{path}: may be a scene, and was not tested: name it to test it" for path in collected.passed]
    return Run(
        exit_code=exit_code(scenes, strict=strict, empty=bool(empty or (strict and passed))),
        tolerance=options.tolerance,
        strict=strict,
        only=options.only,
        shard=shard,
        counts=counts_of(scenes, len(gone), collected.other_files),
        scenes=scenes,
        gone=gone,
        untested=(*empty, *passed) if strict else tuple(empty),
        notes=comparison.notes if strict else (*comparison.notes, *passed),
    )


def _unmatched(scenes: Iterable[SceneResult], options: JudgeOptions) -> list[str]:
    """Return what of several patterns fits nothing; that of a single one is said of each scene."""
    tested = [scene for scene in scenes if scene.state not in ("mistake", "bug")]
    if len(options.only) < 2 or not tested:
        return []
    return [pattern for pattern in options.only if all(pattern in scene.unmatched for scene in tested)]
