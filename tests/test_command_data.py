"""Commands are data: all that a session can be told by keys, menus and clicks is a name and plain arguments."""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass
from operator import attrgetter

import pytest

from tests.cases import check_each
from tests.helpers import MOVING, parts_of, sessions
from viewer.picture.present import present
from viewer.records.commands import Command
from viewer.session import Session
from viewer.session.commands import BINDINGS
from viewer.session.session import METHODS
from viewer.stage.text.triad import AXES


def test_a_command_is_a_value() -> None:
    turn = Command("view.orbit", 40.0, 0.0)
    assert turn == Command("view.orbit", 40.0, 0.0)
    assert len({turn, Command("view.orbit", 40.0, 0.0), Command("view.orbit", 0.0, 40.0)}) == 2
    assert turn != Command("view.pan", 40.0, 0.0)
    with pytest.raises(AttributeError):
        turn.name = "view.pan"  # type: ignore[misc]


@pytest.mark.parametrize("argument", [print, [1.0], ("x", print), MOVING])
def test_a_command_takes_plain_arguments_only(argument: object) -> None:
    with pytest.raises(TypeError, match=r"view.orbit takes text, numbers, None and tuples of these, got"):
        Command("view.orbit", argument)  # type: ignore[arg-type]


def test_every_command_of_keys_and_of_pictures_can_be_given() -> None:
    found = {binding.command for binding in BINDINGS.values()} | {row.does for row in AXES if row.does is not None}
    scrolls = set()
    for session in sessions():
        for part in (part for drawable in present(session) for part in parts_of(drawable)):
            followed = [getattr(part, name, None) for name in ("scrolls", "scrubs")] if is_dataclass(part) else []
            scrolls |= {*filter(None, followed)}
            if isinstance(part, Command):
                found.add(part)
    assert len(scrolls) >= 3
    found = found - scrolls | {command.followed_by(1) for command in scrolls}
    check_each(sorted(found, key=repr), _can_be_called, repr)
    assert {command.name for command in found} <= set(METHODS)


def _can_be_called(command: Command) -> None:
    inspect.signature(METHODS[command.name].call).bind(None, *command.arguments)


def test_the_name_of_each_command_is_where_its_method_is() -> None:
    session = Session(MOVING)
    for name, method in METHODS.items():
        found = attrgetter(name.removeprefix("session."))(session)
        assert found.__func__ is method.call, name


def test_a_command_that_a_session_has_not_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match=r"a session has no command 'view.fly'"):
        Session(MOVING).do(Command("view.fly"))
    with pytest.raises(TypeError, match="orbit"):
        Session(MOVING).do(Command("view.orbit"))
