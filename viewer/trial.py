"""The first picture ever is its own test picture: a copy of the program draws it, and may crash.

To ask a second Python whether OpenGL works (`viewer.gl`) takes a third as long as the picture itself. So where that is
not known yet, the program goes on in a copy of itself, made before anything is imported: a fork takes a millisecond.
The copy first draws a few red pixels, silently. If it ends before they are right, this process, in which nothing has
happened, asks in the usual way, and says what is missing.

Only the program does so, on Linux. A fork of a user's own process, which may have threads, is not safe.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from viewer import gl
from viewer.mesa import compiled_quickly

_Made = TypeVar("_Made")

#: How a copy ends that cannot draw, or draws what is not right, or waits for ever.
_CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP, signal.SIGALRM)

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
    sys.stdout.flush()
    handed_on = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*handed_on, signal.SIGCHLD})
    copy = os.fork()
    try:
        status = _wait(copy) if copy else None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if status is None:
        gl.try_out()
        return None
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    if -code not in _CRASHES or gl.known():  # it was ended, or has drawn and ended for another reason
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    gl.ensure_offscreen()
    return None


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
    return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1


def _wait(copy: int) -> int:
    """Return the status with which a copy ends, and hand on to it what is sent to this process alone."""
    while True:
        got = signal.sigwaitinfo({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD})
        if got.si_signo == signal.SIGCHLD:
            ended, status = os.waitpid(copy, os.WNOHANG)
            if ended:
                return status
        elif got.si_code != _FROM_KERNEL:
            os.kill(copy, got.si_signo)


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
