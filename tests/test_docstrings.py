"""Public functions, methods and properties say what they take, return and raise, how exact they are, and why."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest

import collision

#: Classes whose methods return what their first line says, in files that have no room for more.
SHORT = ("Scene", "Shape")

_SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)


def sections(thing: Any) -> dict[str, str]:
    """Return the sections of a docstring by their titles; the words before them by an empty one."""
    text = inspect.getdoc(thing) or ""
    parts = _SECTION.split(text)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def functions() -> Iterator[tuple[str, Any]]:
    for name in collision.__all__:
        thing = getattr(collision, name)
        if inspect.isfunction(thing):
            yield name, thing


def methods() -> Iterator[tuple[str, Any]]:
    """Yield public methods, class methods and properties where they are defined, once."""
    for name in collision.__all__:
        thing = getattr(collision, name)
        if not inspect.isclass(thing) or name in SHORT:
            continue
        for member, value in vars(thing).items():
            found = getattr(value, "__func__", value)
            if member.startswith("_") or member in getattr(thing, "_fields", ()):
                continue
            if inspect.isfunction(found) or isinstance(value, property | cached_property):
                yield f"{name}.{member}", found


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


@pytest.mark.parametrize("function", dict(functions()).values(), ids=dict(functions()))
def test_functions_have_all_sections(function: Any) -> None:
    found = sections(function)
    assert [t for t in ("Parameters", "Returns", "Raises", "Notes", "Examples") if t not in found] == []


@pytest.mark.parametrize("function", dict(functions()).values(), ids=dict(functions()))
def test_every_parameter_is_described(function: Any) -> None:
    described = set(
        re.findall(r"\*{0,2}(\w+)", " ".join(re.findall(r"^(\S.*?) :", sections(function).get("Parameters", ""), re.M)))
    )
    assert set(parameters(function)) <= described


@pytest.mark.parametrize("method", dict(methods()).values(), ids=dict(methods()))
def test_methods_say_what_they_take_and_return(method: Any) -> None:
    found = sections(method)
    assert found[""].strip()
    if isinstance(method, property | cached_property):
        return
    wanted = ["Returns"] if inspect.signature(method).return_annotation not in (None, "None") else []
    wanted += ["Parameters"] if parameters(method) else []
    assert [title for title in wanted if title not in found] == []
