"""How Mesa compiles shaders where the processor draws: quickly, for a picture or a few; well, for windows and movies.

Mesa's llvmpipe has LLVM compile each shader when it is first drawn with. For a picture most of that is LLVM's search
for better code: without it the first picture ever takes two thirds of the time, its bytes are the same, and the frame
takes as long as before, or up to a third longer where pixels are many. Mesa keeps both kinds of code, each under keys
of its own, so that later pictures find theirs. Other drivers do not know the variable.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

#: The variable that Mesa reads once, when a process draws for the first time, and what leaves the search out.
VARIABLE, _QUICKLY = "GALLIVM_PERF", "nopt"

#: Up to so many pixels compiling quickly pays; each is drawn as four.
MOST_PIXELS = 1920 * 1080


@contextmanager
def compiled_quickly(wanted: bool = True) -> Iterator[None]:
    """Have Mesa compile quickly in this process if what it draws first is drawn in here.

    The environment is as before afterwards: programs that are started by this one decide for themselves. Where the user
    has set the variable, that counts.

    Parameters
    ----------
    wanted : bool
        Whether to do anything.
    """
    if not wanted or VARIABLE in os.environ:
        yield
        return
    os.environ[VARIABLE] = _QUICKLY
    try:
        yield
    finally:
        os.environ.pop(VARIABLE, None)


def quick(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for a process that draws little, in which Mesa compiles quickly.

    Examples
    --------
    >>> quick({}), quick({"GALLIVM_PERF": ""})
    ({'GALLIVM_PERF': 'nopt'}, {'GALLIVM_PERF': ''})
    """
    return {VARIABLE: _QUICKLY, **environment}
