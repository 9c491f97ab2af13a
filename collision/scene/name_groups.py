"""Groups of names: several names, patterns and other groups under one name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from collision.scene.names import check_name


@dataclass(frozen=True)
class NameGroup:
    """Several names under one, at least one of which must be included.

    Parameters
    ----------
    include : str or iterable of str
        Names of entries and elements, patterns, and names of other groups.
    exclude : str or iterable of str
        Those of these names that the group leaves out.

    Examples
    --------
    >>> NameGroup("*", exclude=["arm", "ball"])
    NameGroup(include=('*',), exclude=('arm', 'ball'))
    """

    include: tuple[str, ...]
    exclude: tuple[str, ...] = ()

    def __init__(self, include: str | Iterable[str], exclude: str | Iterable[str] = ()) -> None:
        object.__setattr__(self, "include", read_group_names(include, "NameGroup.include"))
        object.__setattr__(self, "exclude", read_group_names(exclude, "NameGroup.exclude"))
        if not self.include:
            raise ValueError("NameGroup.include must have a name or a pattern in it, got none")


class NameGroups(Mapping[str, NameGroup]):
    """Groups by name: a mapping that is a value, in which the order counts, as in a file."""

    def __init__(self, groups: Mapping[str, NameGroup] = MappingProxyType({})) -> None:
        self._groups = dict(groups)

    def __getitem__(self, name: str) -> NameGroup:
        return self._groups[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __eq__(self, other: object) -> bool:
        return list(self.items()) == list(other.items()) if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._groups.items()))

    def __repr__(self) -> str:
        return repr(self._groups)


def read_groups(value: Any) -> NameGroups:
    """Return groups by name; lists of names, and mappings with include and exclude, become groups."""
    if isinstance(value, NameGroups):
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"name_groups must be a mapping of names to patterns, got {type(value).__name__}")
    found: dict[str, NameGroup] = {}
    for name, members in value.items():
        check_name(name, "the name of a group")
        try:
            if isinstance(members, Mapping):
                found[name] = NameGroup(**members)
            else:
                found[name] = members if isinstance(members, NameGroup) else NameGroup(members)
        except (TypeError, ValueError) as error:
            raise type(error)(f"group {name!r}: {error}") from None
    return NameGroups(found)


def cycle_of(groups: Mapping[str, NameGroup]) -> list[str]:
    """Return the names of groups that are each in the next one, the first again at the end; none if there are none."""
    done: set[str] = set()

    def below(path: list[str]) -> list[str]:
        group = groups[path[-1]]
        for part in (*group.include, *group.exclude):
            if part in path:
                return [*path[path.index(part) :], part]
            if part in groups and part not in done and (found := below([*path, part])):
                return found
        done.add(path[-1])
        return []

    return next(filter(None, (below([name]) for name in groups)), [])


def read_group_names(value: Any, label: str) -> tuple[str, ...]:
    """Return names, of which there may be a single one that stands for itself; `label` leads the error."""
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (value,)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{label} must be names, got {name!r}")
        if not name:
            raise ValueError(f"{label} must be names, got an empty one")
    return names
