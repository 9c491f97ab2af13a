"""The first picture ever is its own test picture: a copy of the program draws it, and may crash.

To ask a second Python whether OpenGL works (`viewer.stage.gl`) takes a third as long as the picture itself. So where
that is not known yet, the program goes on in a copy of itself, made before what draws is imported: a fork takes a
millisecond.
The copy first draws a few red pixels, silently. If it ends before they are right, this process, in which nothing has
happened, asks in the usual way, and says what is missing.

Only the program does so, on Linux. A fork of a user's own process, which may have threads, is not safe.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from viewer.stage import gl
from viewer.stage.mesa import compiled_quickly

_Made = TypeVar("_Made")

#: How Linux is told which signal a process gets when the one that made it ends: PR_SET_PDEATHSIG.
_SIGNAL_AT_ITS_END = 1

#: What Linux says of a signal that the terminal sent: the copy has it, too.
_FROM_KERNEL = 0x80

#: Seconds that the red pixels may take.
_TIMEOUT = 120


def ended_in_copy() -> int | None:
    """Go on in a copy of this process if one is to be tried, and wait for it.

    Returns
    -------
    int or None
        The exit code of the copy. None is to go on: in the copy, where there is none, and after one that could not
        draw.

    Raises
    ------
    GLUnavailable
        If the copy could not draw, as nothing can.
    """
    if not _can_fork() or gl.known():
        return None
    if sys.stdout is not None:  # closed by whoever started the program
        sys.stdout.flush()
    passed = mmap.mmap(-1, 1)  # both processes see it; a note may be kept from being written
    status = _status_of_copy(passed)
    if status is None:
        return None
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    if _crashed(-code) and not passed[0]:
        gl.ensure_offscreen()
        return None
    return _ended_in(-code)  # it was ended, or has drawn and ended for another reason


def proved(make: Callable[[], _Made], draws: Callable[[_Made], bool], *, quickly: bool) -> _Made:
    """Make what draws; in a copy that is on trial, see that it does, or else end as if it had crashed.

    Parameters
    ----------
    make : callable
        Makes it.
    draws : callable
        Has it draw for the first time, and says whether what it has drawn is right.
    quickly : bool
        Whether Mesa then compiles quickly, as for all that is drawn afterwards.
    """
    if not gl.on_trial():
        return make()
    signal.alarm(_TIMEOUT)  # ends the process wherever it waits
    with _silent(), compiled_quickly(quickly):
        made = make()
        right = draws(made)
    signal.alarm(0)
    if not right:
        signal.raise_signal(signal.SIGALRM)
    gl.pass_trial()
    return made


def _can_fork() -> bool:
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:  # a jail without /proc
        return False


def _crashed(number: int) -> bool:
    """Say whether a copy ends in this signal that cannot draw, or draws what is not right, or waits for ever."""
    faults = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE)
    return number in (*faults, signal.SIGABRT, signal.SIGTRAP, signal.SIGALRM)


def _status_of_copy(passed: mmap.mmap) -> int | None:
    """Make a copy and return the status in which it ends; None in the copy, and where there can be no other process.

    The copy writes a one when it has shown that it can draw.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, as by some that start programs, it would never come
    program = os.getpid()
    awaited = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    try:
        copy = os.fork()
        if copy:
            for early in (signal.sigpending() & awaited) - {signal.SIGCHLD}:  # perhaps before there was a copy
                os.kill(copy, early)
            return _wait(copy, awaited)
        _end_with(program)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        before.discard(signal.SIGALRM)
    except OSError:  # no more processes
        return None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    gl.try_out(lambda: passed.write_byte(1))
    return None


def _wait(copy: int, awaited: set[signal.Signals]) -> int:
    """Return the status with which a copy ends, and hand on to it what is sent to this process alone."""
    while True:
        got = signal.sigwaitinfo(awaited)
        if got.si_signo == signal.SIGCHLD:
            ended, status = os.waitpid(copy, os.WNOHANG)
            if ended:
                return status
        elif got.si_code != _FROM_KERNEL or got.si_signo == signal.SIGHUP:  # the leader of a session has that alone
            os.kill(copy, got.si_signo)


def _end_with(program: int) -> None:
    """Have the system end this process with the program, which may be killed: nobody else knows of it."""
    import ctypes

    ctypes.CDLL(None).prctl(_SIGNAL_AT_ITS_END, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != program:
        os.kill(os.getpid(), signal.SIGKILL)


def _ended_in(number: int) -> int:
    """End in a signal; where that cannot be, as in the first process of a container, return a shell's code for it."""
    with suppress(OSError):  # SIGKILL has no handler
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    return 128 + number


@contextmanager
def _silent() -> Iterator[None]:
    """Have nothing written to stderr: drivers and VTK complain there before they crash."""
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)
