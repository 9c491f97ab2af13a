"""Public functions, methods and properties say what they take, return and raise, how exact they are, and why."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import collision
from collision.base.cached import cached_property
from tests.cases import check_each
from tests.reference import sections

#: Methods that have no error of their own to raise.
NEVER_FAIL = {
    "AABB.oriented",
    "CapsuleCollider.capsule_to_local",
    "Contacts.none",
    "Expectation.given",
    "Explanation.as_dict",
    "Explanation.as_text",
    "Explanation.json_schema",
    "Scene.colliding_pairs",
    "Reason.in_words",
    "Shape.flattened",
    "Shape.values",
    "Show.wanted_kinds",
    "TouchingIntervals.merged",
}

#: Methods that return no numbers which they worked out.
NOTHING_COMPUTED = {
    "Contacts.deepest",
    "Contacts.none",
    "Scene.ignoring",
    "Scene.renamed",
    "Scene.replaced",
    "Expectation.given",
    "Explanation.as_markdown",
    "Explanation.as_text",
    "Explanation.json_schema",
    "Scene.element_name",
    "Scene.element_numbers",
    "Scene.tested",
    "Reason.in_words",
    "Show.wanted_kinds",
}

#: Methods that follow a method from elsewhere, or another one's, and name it.
SOURCED = {
    "Scene.at",
    "Motion.displacement",
    "Scene.colliding_pairs",
    "Scene.contacts",
    "Scene.nearest",
    "Scene.raycast",
    "Scene.sweep",
    "Sphere.around",
    "Sphere.from_points",
    "Sphere.union",
}

#: Functions that follow from another one, which says how it is done, and name it.
FOLLOWING = {"contact", "distance", "intersects"}

#: Parameters and sections that a class describes for all of its methods; what is returned only of those that return
#: another object of the class.
SHARED = {
    "CapsuleCollider": ({"transform"}, {"Raises"}),
    "Motion": (set(), {"Raises"}),
    "Scene": ({"shape", "margin", "without", "ray", "max_distance", "names", "name", "element"}, {"Raises", "Returns"}),
    "Shape": (set(), {"Raises"}),
    "Transform": (set(), {"Raises"}),
}

#: How exact a number is.
_ACCURACY = re.compile(r"\b[Ee]xact|rounding|rounded once|last bit|last place|1\.?\d*e-\d")


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


METHODS = dict(methods())
#: Those of them that are called.
CALLED = {name: method for name, method in METHODS.items() if inspect.isfunction(method)}


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


FUNCTIONS = dict(functions())


def test_functions_have_all_sections() -> None:
    check_each(FUNCTIONS, lambda name: has_all(FUNCTIONS[name], ("Parameters", "Returns", "Examples")))
    alone = {
        name: thing
        for name, thing in FUNCTIONS.items()
        if "raised if" not in (sys.modules[thing.__module__].__doc__ or "")
    }
    check_each(alone, lambda name: has_all(alone[name], ("Raises",)))
    rest = {name: thing for name, thing in FUNCTIONS.items() if name not in FOLLOWING}
    check_each(rest, lambda name: has_all(rest[name], ("Notes",)))
    assert FUNCTIONS.keys() >= FOLLOWING


def has_all(thing: Any, titles: Iterable[str]) -> None:
    has = sections(thing)
    assert [title for title in titles if title not in has] == []


def described(thing: Any) -> set[str]:
    """Return the parameters that a docstring describes."""
    names = re.findall(r"^(\S.*?)(?: :|$)", sections(thing).get("Parameters", ""), re.M)
    return set(re.findall(r"\*{0,2}(\w+)", " ".join(names)))


def shared(name: str) -> tuple[set[str], set[str]]:
    """Return the parameters and the sections that the class of a method describes for it."""
    owner = getattr(collision, name.partition(".")[0], None)
    known = (
        [SHARED[base.__name__] for base in inspect.getmro(owner) if base.__name__ in SHARED]
        if inspect.isclass(owner)
        else []
    )
    return known[0] if known else (set(), set())


def test_classes_describe_what_their_methods_share() -> None:
    assert SHARED
    for name, (names, titles) in SHARED.items():
        text = sections(getattr(collision, name))["Notes"]
        lacking = [
            word for word in names - {"name", "element"} if f"`{word}`" not in text and f"``{word}``" not in text
        ]
        assert lacking == []
        assert "raised" in text or not titles
        assert _ACCURACY.search(text)


def test_every_parameter_is_described() -> None:
    lacking = {n: {*parameters(f)} - described(f) - shared(n)[0] for n, f in (FUNCTIONS | CALLED).items()}
    assert {name: missing for name, missing in lacking.items() if missing} == {}


def test_methods_and_properties_say_what_they_are() -> None:
    assert [name for name, method in METHODS.items() if not sections(method)[""].strip()] == []


def test_methods_have_all_sections() -> None:
    check_each(CALLED, lambda name: has_all(CALLED[name], wanted_of(name)))


def wanted_of(name: str) -> list[str]:
    """Return the titles that a method's docstring must have."""
    method = CALLED[name]
    wanted = ["Parameters"] if {*parameters(method)} - shared(name)[0] else []
    changed = ("Self",) if "Returns" in shared(name)[1] else ()
    wanted += ["Returns"] if inspect.signature(method).return_annotation not in (None, "None", *changed) else []
    wanted += ["Raises"] if name not in NEVER_FAIL and "Raises" not in shared(name)[1] else []
    wanted += ["Notes"] if name in SOURCED else []
    return [*wanted, "Examples"]


def test_methods_say_how_exact_they_are() -> None:
    computing = {name: sections(CALLED[name]) for name in sorted(CALLED.keys() - NOTHING_COMPUTED)}
    computing = {name: has for name, has in computing.items() if "Returns" in has}
    assert computing
    told = {name: sections(getattr(collision, name))["Notes"] for name in SHARED}
    texts = {
        n: has["Returns"] + has.get("Notes", "") + told.get(n.partition(".")[0], "") for n, has in computing.items()
    }
    assert [n for n, text in texts.items() if not _ACCURACY.search(text)] == []


def test_exceptions_are_methods() -> None:
    assert (NEVER_FAIL | NOTHING_COMPUTED | SOURCED) - CALLED.keys() == set()
