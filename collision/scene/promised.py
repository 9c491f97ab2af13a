"""What names in the expectations of a scene stand for: entries, elements, patterns, and groups of all of these."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, IntArray
from collision.scene.elements import Elements
from collision.scene.expectations import PAIR_KINDS, Expectation
from collision.scene.name_groups import NameGroup, cycle_of
from collision.scene.names import meant
from collision.shapes.kinds import Ray, Shape


class BadName(NamedTuple):
    """Something that is wrong with expectations or groups, and where, as a path and in words.

    The path is ``("expectations", number, field)``, or ``("name_groups", name)``, with ``"include"`` or ``"exclude"``
    and the number of a name behind that.
    """

    part: tuple[str | int, ...]
    where: str
    words: str

    @property
    def text(self) -> str:
        """What is wrong, and where."""
        return f"{self.where}: {self.words}"


class PromisedNames:
    """Names, patterns and groups of a scene, and the elements that they stand for; `quote` writes names in messages."""

    def __init__(self, elements: Elements, groups: Mapping[str, NameGroup], quote: Callable[[str], str] = repr) -> None:
        self.elements = elements
        self._groups, self._quote = groups, quote
        self._known: dict[str, BoolArray] = {}

    def mask(self, name: str) -> BoolArray:
        """Tell of every element whether a name, a pattern or a group stands for it."""
        known = self._known.get(name)
        if known is None:
            group = self._groups.get(name)
            known = self._known[name] = self.elements.mask(name) if group is None else self._of(group)
        return known

    def numbers(self, name: str) -> IntArray:
        """Return the numbers of the elements that a name, a pattern or a group stands for."""
        if name not in self._groups and self.elements.find(name) is not None:
            own = self.elements.numbers(name)
            return np.arange(own.start, own.stop)
        return np.flatnonzero(self.mask(name))

    def _of(self, group: NameGroup) -> BoolArray:
        found: BoolArray = np.zeros(self.elements.count, dtype=bool)
        for name in group.include:
            found |= self.mask(name)
        for name in group.exclude:
            found &= ~self.mask(name)
        return found

    def has_pairs(self, a: str, b: str) -> bool:
        """Tell whether there are two different elements, one of each."""
        first, second = self.numbers(a), self.numbers(b)
        return bool(len(first) and len(second) and (len(first) > 1 or len(second) > 1 or first[0] != second[0]))

    def nothing_to_test(self, a: str, b: str, tested: Callable[[IntArray, IntArray], BoolArray]) -> str:
        """Say why no pair between two names can be tested; nothing where one can. `tested` is `Scene.tested`."""
        first, second = self.numbers(a), self.numbers(b)
        names = f"{self._quote(a)} and {self._quote(b)}"
        if not self.has_pairs(a, b):
            return f"there is no pair of two shapes between {names}, so that nothing could be tested"
        if not any(tested(np.array([one]), second).any() for one in first.tolist()):
            return f"the scene ignores all pairs between {names}, or they are hidden, so that nothing could be tested"
        return ""

    def covers(self, name: str) -> bool:
        """Tell whether a name is that of a group, or stands for anything."""
        return name in self._groups or self.elements.covers(name)

    # -- what is wrong ------------------------------------------------------------------------------------------------

    def problems(self, expectations: Iterable[Expectation]) -> Iterator[BadName]:
        """Yield what is wrong with the groups and with some expectations."""
        yield from self._group_problems()
        ids: dict[str, int] = {}
        for number, expectation in enumerate(expectations):
            for part, words in self._name_problems(expectation, number, ids):
                yield BadName(("expectations", number, *part), f"expectation {number + 1}", words)

    def _name_problems(
        self, expectation: Expectation, number: int, ids: dict[str, int]
    ) -> Iterator[tuple[tuple[str | int, ...], str]]:
        for side, name in (("a", expectation.a), ("b", expectation.b)):
            if name and not self.covers(name):
                yield (side,), self.unknown(name)
            elif side == "a" and name and expectation.kind == "ray" and not self._is_ray(name):
                yield (side,), f"expected the name of a single ray, got {self._quote(name)}"
        for name in expectation.without:
            if not self.covers(name):
                yield ("without",), self.unknown(name)
        first = ids.setdefault(expectation.id, number)
        if first != number:
            quoted = self._quote(expectation.id)
            yield ("id", first), f"the id {quoted} is that of an earlier one, too; give one of them another id"

    def _is_ray(self, name: str) -> bool:
        if name in self._groups or self.elements.find(name) is None:
            return False
        numbers = self.elements.numbers(name)
        return len(numbers) == 1 and isinstance(self.elements.shapes[self.elements.locate(numbers[0])[0]], Ray)

    def _group_problems(self) -> Iterator[BadName]:
        cycle = cycle_of(self._groups)
        if cycle:
            words = f"the group holds itself: {' -> '.join(cycle)}"
            yield BadName(("name_groups", cycle[0]), f"group {self._quote(cycle[0])}", words)
            return
        for name, group in self._groups.items():
            for part, words in self._member_problems(name, group):
                yield BadName(("name_groups", name, *part), f"group {self._quote(name)}", words)

    def _member_problems(self, name: str, group: NameGroup) -> Iterator[tuple[tuple[str | int, ...], str]]:
        if name in self.elements.shapes:
            yield (), f"there is a shape named {self._quote(name)}, too; give the group another name"
        unknown = [
            ((part, index), self.unknown(member))
            for part, members in (("include", group.include), ("exclude", group.exclude))
            for index, member in enumerate(members)
            if not self.covers(member)
        ]
        yield from unknown
        if group.exclude and not unknown and not self.mask(name).any() and self._of(NameGroup(group.include)).any():
            yield (), "no shape is left in it; what it includes is excluded"

    def unknown(self, name: str) -> str:
        """Say of a name that it stands for nothing, and what may have been meant."""
        quoted, near = self._quote(name), meant(name, [*self.elements.shapes, *self._groups])
        entry = name.partition("[")[0]
        if "*" in name:
            words = f"no shape has a name like {quoted}"
        elif entry in self.elements.shapes:
            return no_such_element(quoted, self.elements.shapes[entry])
        else:
            words = f"there is no shape and no group named {quoted}"
        return f"{words}; did you mean {self._quote(near)}?" if near else words


def no_such_element(quoted: str, shape: Shape) -> str:
    """Say of an element that its shape does not have it."""
    axes = " by ".join(map(str, shape.batch_shape))
    held = f"its elements are counted {axes}, from 0" if axes else "it is a single shape"
    return f"there is no element {quoted}: {held}"


def followed_promises(
    shapes: Mapping[str, Shape],
    expectations: Iterable[Expectation],
    groups: Mapping[str, NameGroup],
    follow: Callable[[str], tuple[str, ...]],
) -> dict[str, Any]:
    """Return the expectations and groups of a scene with other shapes; `follow` gives the new names for each.

    Groups that are left without a shape go, and so do promises of what is gone, and those left without a pair.
    """
    elements = Elements(shapes)
    kept = _followed_groups(elements, groups, follow)
    names, found = PromisedNames(elements, kept), list[Expectation]()

    def new(name: str) -> tuple[str, ...]:
        if name in groups:
            return (name,) if name in kept else ()
        return follow(name) if name else ("",)

    for expectation in expectations:
        own = "" if expectation.id == expectation.made_id else expectation.id
        sides = list(product(new(expectation.a), new(expectation.b)))
        without = tuple(one for name in expectation.without for one in new(name))
        for a, b in sides if expectation.kind == "apart" else sides[:1]:
            here = replace(expectation, a=a, b=b, without=without, id=own if (a, b) == sides[0] else "")
            if expectation.kind not in PAIR_KINDS or not a or names.has_pairs(a, b):
                found.append(here)
    return {"expectations": _apart_by_id(found), "name_groups": kept}


def _followed_groups(
    elements: Elements, groups: Mapping[str, NameGroup], follow: Callable[[str], tuple[str, ...]]
) -> dict[str, NameGroup]:
    kept: dict[str, NameGroup] = {}
    for name, group in groups.items():
        parts = [
            [new for one in part for new in ((one,) if one in groups else follow(one))]
            for part in (group.include, group.exclude)
        ]
        if parts[0]:
            kept[name] = NameGroup(*parts)
    while gone := [name for name in kept if not PromisedNames(elements, kept).mask(name).any()]:
        kept = {name: _without_groups(group, gone) for name, group in kept.items() if name not in gone}
    return {name: _without_groups(group, groups.keys() - kept.keys()) for name, group in kept.items()}


def _without_groups(group: NameGroup, gone: Container[str]) -> NameGroup:
    """Return a group without the groups in it that are gone; of which nothing else is left, as it is."""
    include, exclude = ([one for one in part if one not in gone] for part in (group.include, group.exclude))
    return NameGroup(include or group.include, exclude)


def _apart_by_id(expectations: Iterable[Expectation]) -> list[Expectation]:
    """Leave out promises that have become the same as earlier ones, and number other ids that have."""
    found: dict[str, Expectation] = {}
    for expectation in expectations:
        name, number = expectation.id, 1
        while name in found and found[name] != replace(expectation, id=name):
            number += 1
            name = f"{expectation.id} ({number})"
        found.setdefault(name, replace(expectation, id=name))
    return list(found.values())
