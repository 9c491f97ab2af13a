"""What a key, a menu or a click has a session do, as data: a name, and what the method of that name is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, Union

#: What a command may be given: values that are written and read back without loss.
Plain: TypeAlias = Union[str, float, int, bool, "tuple[Plain, ...]", None]


@dataclass(frozen=True, init=False)
class Command:
    """A method of a part of a session, by its name, and the arguments to call it with.

    `viewer.session.Session.do` does what it says. Two that do the same are equal.

    Parameters
    ----------
    name : str
        The part and its method, such as ``view.orbit``.
    *arguments : str, float, int, bool, None or tuples of these
        What the method is given.

    Raises
    ------
    TypeError
        If an argument is of another type.

    Examples
    --------
    >>> Command("view.orbit", 40.0, 0.0)
    Command('view.orbit', 40.0, 0.0)
    >>> Command("view.orbit", 40.0).followed_by(0.0) == Command("view.orbit", 40.0, 0.0)
    True
    """

    name: str
    arguments: tuple[Plain, ...]

    def __init__(self, name: str, *arguments: Plain) -> None:
        for argument in arguments:
            _check(name, argument)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "arguments", arguments)

    def __repr__(self) -> str:
        return f"Command({', '.join(map(repr, (self.name, *self.arguments)))})"

    def followed_by(self, *arguments: Plain) -> Command:
        """Return the command with further arguments after those that it has."""
        return Command(self.name, *self.arguments, *arguments)


def _check(name: str, argument: object) -> None:
    if isinstance(argument, tuple):
        for part in argument:
            _check(name, part)
    elif not (argument is None or isinstance(argument, str | float | int)):
        raise TypeError(f"{name} takes text, numbers, None and tuples of these, got {argument!r}")
