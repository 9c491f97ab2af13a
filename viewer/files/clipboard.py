"""The clipboard of the desktop, by what is there: a program for it, or Tk; else the terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

#: What takes a text for the clipboard. This file does, too: under X11 whoever copies has to stay and hand out the text,
#: so a process of its own does, with Tk, until something else is copied.
_PROGRAMS = (
    ("pbcopy",),
    ("clip.exe",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    (sys.executable, "-I", __file__),
)

#: Seconds for a program to take a text.
_PATIENCE = 5.0


def copy(text: str) -> str:
    """Put a text on the clipboard, or else write it to the terminal; say in words which."""
    if any(_taken(program, text) for program in _PROGRAMS if shutil.which(program[0])):
        return "copied"
    print(text, flush=True)
    return "there is no clipboard here (xclip, xsel, wl-copy or Tk would do): the text is in the terminal"


def _taken(program: tuple[str, ...], text: str) -> bool:
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(program, input=text.encode(), stdout=quiet, stderr=quiet, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _hand_out() -> None:
    """Own the clipboard in a second process; the first ends as soon as it does, or with an error."""
    text = sys.stdin.buffer.read().decode()
    ready, tell = os.pipe()
    if os.fork():
        os.close(tell)
        raise SystemExit(0 if os.read(ready, 1) else 1)
    import tkinter

    root = tkinter.Tk()
    root.withdraw()
    for kind in ("STRING", "UTF8_STRING"):
        root.selection_handle(_part_of(text), selection="CLIPBOARD", type=kind)
    root.selection_own(selection="CLIPBOARD", command=root.destroy)
    root.update()
    os.write(tell, b"+")
    root.mainloop()


def _part_of(text: str) -> Callable[[str, str], str]:
    return lambda first, count: text[int(first) : int(first) + int(count)]


if __name__ == "__main__":
    _hand_out()
