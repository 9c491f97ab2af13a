"""Public functions, methods and properties say what they do, take and return, with an example.

What holds for all queries is said once, by `collision`; what holds for all methods of a class, by the class.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

import collision
from collision.base.cached import cached_property
from tests.cases import check_each
from tests.reference import sections, summary

#: Parameters that `collision` describes for all queries of two shapes: the shapes, and where the answer goes.
OF_QUERIES = {"a", "b", "shape", "out"}

#: Parameters that a class describes for all of its methods.
OF_CLASSES: dict[str, set[str]] = {
    "CapsuleCollider": {"transform"},
    "Motion": set(),
    "Scene": {"shape", "margin", "without", "ray", "max_distance", "names", "name", "element"},
    "Shape": set(),
    "Transform": set(),
}

#: How exact a number is.
_ACCURACY = re.compile(r"\b[Ee]xact|rounding|rounded once|last bit|last place|1\.?\d*e-\d")

#: How a summary begins that says itself what is returned.
_RETURNS = re.compile(r"(Return|Tell|Yield)\b")


def functions() -> Iterator[tuple[str, Any]]:
    for name in collision.__all__:
        thing = getattr(collision, name)
        if inspect.isfunction(thing):
            yield name, thing


def methods() -> Iterator[tuple[str, Any]]:
    """Yield public methods, class methods and properties, once, by the class of `collision` that defines them."""
    seen = set()
    for name in collision.__all__:
        thing = getattr(collision, name)
        for owner in thing.__mro__ if inspect.isclass(thing) else ():
            if not owner.__module__.startswith("collision.") or owner in seen:
                continue
            seen.add(owner)
            for member, value in vars(owner).items():
                if member.startswith("_") or member in getattr(owner, "_fields", ()):
                    continue
                function = getattr(value, "__func__", value)
                if inspect.isfunction(function) or isinstance(value, property | cached_property):
                    yield f"{owner.__name__}.{member}", function


FUNCTIONS = dict(functions())
METHODS = dict(methods())
#: All that users call.
CALLED = FUNCTIONS | {name: method for name, method in METHODS.items() if inspect.isfunction(method)}


def parameters(function: Any) -> set[str]:
    return {name for name in inspect.signature(function).parameters if name not in ("self", "cls")}


def described(thing: Any) -> set[str]:
    """Return the parameters that a docstring describes."""
    names = re.findall(r"^(\S.*?)(?: :|$)", sections(thing).get("Parameters", ""), re.M)
    return set(re.findall(r"\*{0,2}(\w+)", " ".join(names)))


def shared(name: str) -> set[str]:
    """Return the parameters that need no words at a function or method, as its class or `collision` describes them."""
    if name in FUNCTIONS:
        return OF_QUERIES if FUNCTIONS[name].__module__.startswith("collision.queries.") else set()
    owner = getattr(collision, name.partition(".")[0], object)
    return next((OF_CLASSES[base.__name__] for base in owner.__mro__ if base.__name__ in OF_CLASSES), set())


def test_all_have_a_summary() -> None:
    assert [name for name, thing in (FUNCTIONS | METHODS).items() if not summary(thing).endswith(".")] == []


def test_all_that_is_called_says_what_it_returns() -> None:
    def check(name: str) -> None:
        returns = inspect.signature(CALLED[name]).return_annotation not in (None, "None", "Self")
        assert not returns or "Returns" in sections(CALLED[name]) or _RETURNS.match(summary(CALLED[name]))

    check_each(CALLED, check)


def test_all_that_is_called_has_an_example() -> None:
    def check(name: str) -> None:
        assert ">>> " in sections(CALLED[name]).get("Examples", "")

    check_each(CALLED, check)


def test_every_parameter_is_described() -> None:
    lacking = {name: parameters(thing) - described(thing) - shared(name) for name, thing in CALLED.items()}
    assert {name: missing for name, missing in lacking.items() if missing} == {}


def test_no_parameter_is_described_that_is_not_there() -> None:
    extra = {name: described(thing) - parameters(thing) for name, thing in CALLED.items()}
    assert {name: names for name, names in extra.items() if names} == {}


def says_what_is_shared(text: str, names: Iterable[str]) -> None:
    assert [name for name in names if f"`{name}`" not in text] == []
    assert "raised" in text
    assert _ACCURACY.search(text)


def test_what_holds_for_all_queries_is_said_once() -> None:
    says_what_is_shared(collision.__doc__ or "", {"out"})


def test_classes_describe_what_their_methods_share() -> None:
    def check(name: str) -> None:
        says_what_is_shared(sections(getattr(collision, name))["Notes"], OF_CLASSES[name] - {"name", "element"})

    check_each(OF_CLASSES, check)
