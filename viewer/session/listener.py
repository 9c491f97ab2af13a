"""Who hears of the mouse and of the keys: a list of listeners, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from viewer.records.events import Key, Pointer


def _pass_on(_: object) -> bool:
    return False


class Listener(NamedTuple):
    """Somebody who hears of what the mouse and the keys do; each returns whether that was meant for them.

    `cancel` puts back what is in hand, and returns whether something was.
    """

    what: str
    press: Callable[[Pointer], bool] = _pass_on
    move: Callable[[Pointer], bool] = _pass_on
    release: Callable[[Pointer], bool] = _pass_on
    key: Callable[[Key], bool] = _pass_on
    cancel: Callable[[], bool] = lambda: False
