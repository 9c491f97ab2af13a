"""What a scene promises: which of its shapes collide, stay apart, touch, are hit or are inside, and when."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from collision.base.fields import FloatArray, read_number, to_float
from collision.scene.name_groups import read_group_names
from collision.scene.names import CONTROL

Kind: TypeAlias = Literal["collide", "apart", "touch", "ray", "sweep", "inside"]
When: TypeAlias = Literal["", "always", "ever", "never"]

#: What can be promised.
EXPECTATION_KINDS: tuple[Kind, ...] = get_args(Kind)

#: The kinds that are about pairs of shapes, and so may hold over a time.
PAIR_KINDS = ("collide", "apart", "touch", "inside")

#: The id of the verdict on all pairs that no promise is about.
NOTHING_ELSE = "nothing-else"

#: What the ids of promises begin with that state what held once, so that they can be told from those that people write.
STATED = "now: "

Span: TypeAlias = tuple[float, float]
Vector: TypeAlias = tuple[float, float, float]

_TIMES = ("when", "at", "during")

#: Which fields each kind takes, beside the id and the reason.
TAKES: Mapping[str, tuple[str, ...]] = {
    "collide": ("a", "b", "depth", "normal", "within", *_TIMES),
    "apart": ("a", "b", "clearance", *_TIMES),
    "touch": ("a", "b", "tolerance", "normal", "within", *_TIMES),
    "ray": ("a", "b", "origin", "direction", "distance", "without", "at"),
    "sweep": ("a", "b", "motion", "fraction", "without", "at"),
    "inside": ("a", "b", "point", *_TIMES),
}


@dataclass(frozen=True)
class Expectation:
    """A promise of a scene; a `ValueError` is raised for a kind that does not take a field, or lacks one.

    Parameters
    ----------
    kind : {'collide', 'apart', 'touch', 'ray', 'sweep', 'inside'}
        - collide: of all pairs between a and b at least one collides.
        - apart: every pair between a and b is at least `clearance` apart; without one, they do not touch.
        - touch: those of a and b that are nearest to each other touch, to within `tolerance`.
        - ray: the first shape that a ray hits is of b; where b is empty, it hits none.
        - sweep: the first shape that a touches along `motion`, while all others rest, is of b, or there is none.
        - inside: every element of a, or a point, lies in an element of b.
    a, b : str
        Names of entries or of elements, patterns, or names of groups. For a ray, a is a `Ray` of the scene, or empty.
    depth : float or pair of floats, optional
        How deep those overlap that overlap most: at most, or at least and at most.
    clearance : float
        How far apart, at least.
    tolerance : float, optional
        How far from touching, apart or overlapping; without it, 1e-9 of the largest coordinate or size involved.
    normal : three floats, optional
        A direction; that of the contact, from a to b, is `within` so many degrees of it.
    within : float
        In degrees.
    origin, direction : three floats, optional
        Of a ray that is no shape of the scene.
    distance : float or pair of floats, optional
        Where along the ray it hits: there, to 1e-9 of the size; or between the two.
    motion : three floats, optional
        The way that is swept.
    fraction : float or pair of floats, optional
        Which part of the motion is done at the first touch: this, to 1e-9; or between the two.
    without : str or iterable of str
        Shapes that rays and sweeps pass through.
    point : three floats, optional
        In place of a, for inside.
    when : {'', 'always', 'ever', 'never'}
        All the while, at some time, at no time. Unless given it is 'ever' for collide without a time, else 'always'.
    at : float, optional
        The time at which it holds. Rays and sweeps are those of the beginning, unless a time is given.
    during : pair of floats, optional
        The time in which it holds; without it and `at`, the whole motion.
    reason : str
        Why: it is shown where the promise is broken.
    id : str
        Its name in reports; by default it is made of its kind, its names and its time.

    Examples
    --------
    >>> Expectation("collide", "gripper", "crate", depth=0.02)
    Expectation('collide', 'gripper', 'crate', depth=(0.0, 0.02))
    >>> Expectation("apart", "arm", "world", clearance=0.05, during=(2, 3.5)).id
    'apart arm world during 2 to 3.5'
    """

    kind: Kind
    a: str = ""
    b: str = ""
    depth: Any = None
    clearance: float = 0.0
    tolerance: float | None = None
    normal: Any = None
    within: float = 5.0
    origin: Any = None
    direction: Any = None
    distance: Any = None
    motion: Any = None
    fraction: Any = None
    without: tuple[str, ...] = ()
    point: Any = None
    when: When = ""
    at: float | None = None
    during: Any = None
    reason: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in EXPECTATION_KINDS:
            kinds = ", ".join(EXPECTATION_KINDS)
            raise ValueError(f"expectation: kind must be one of {kinds}, got {self.kind!r}")
        if not isinstance(self.when, str) or self.when not in get_args(When):
            raise ValueError(f"expectation: when must be always, ever, never or empty, got {self.when!r}")
        for name in ("a", "b", "reason", "id"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"expectation: {name} must be text, got {getattr(self, name)!r}")
        self.__dict__["without"] = read_group_names(self.without, "expectation: without")
        for name, read in _NUMBERS.items():
            value = getattr(self, name)
            if value is not None or name in ("clearance", "within"):
                self.__dict__[name] = read(value, f"expectation: {name}")
        for name in self.given():
            if name not in (*TAKES[self.kind], "reason", "id"):
                raise ValueError(f"expectation: {self.kind} takes no {name}; it takes {', '.join(TAKES[self.kind])}")
        self._check_needed()
        if CONTROL.search(self.id):
            raise ValueError(f"expectation: an id must be one line, got {self.id!r}")
        if self.id == NOTHING_ELSE:
            raise ValueError(f"expectation: {NOTHING_ELSE!r} is the id of what no promise is about; take another")
        self.__dict__["id"] = self.id or self.made_id

    def _check_needed(self) -> None:
        """Refuse what lacks a field, and fields that do not go together."""
        needs = f"expectation: {self.kind} needs"
        fields, instead = {
            "ray": ((self.origin, self.direction), "an origin and a direction"),
            "inside": ((self.point,), "a point"),
        }.get(self.kind, ((), ""))
        if all(value is None for value in fields):
            if not self.a:
                raise ValueError(f"{needs} a name for a{f' (or {instead})' if instead else ''}")
        elif self.a or None in fields:
            comma = "," if self.kind == "ray" else ""
            raise ValueError(f"{needs} either a name for a{comma} or {instead}, and not both")
        if not self.b and self.kind in PAIR_KINDS:
            raise ValueError(f"{needs} a name for b")
        if self.kind == "sweep" and self.motion is None:
            raise ValueError(f"{needs} a motion")
        if not self.b and (self.distance or self.fraction):
            field = "distance" if self.distance else "fraction"
            raise ValueError(f"expectation: what {self.kind}s nothing has no {field}")
        for name in ("direction", "normal"):
            if getattr(self, name) is not None and not any(getattr(self, name)):
                raise ValueError(f"expectation: {name} must be a direction, not the zero vector")
        if self.at is not None and self.during is not None:
            raise ValueError("expectation: either at or during, not both")
        if self.at is not None and self.when in ("always", "ever"):
            raise ValueError(
                f"expectation: {self.when} is about a while, at = {self.at:g} is a moment; give one of both"
            )

    def __repr__(self) -> str:
        given = self.given()
        names = [repr(given.pop(name)) for name in ("a", "b") if name in given and (name == "a" or self.a)]
        return f"Expectation({', '.join([repr(self.kind), *names, *(f'{k}={v!r}' for k, v in given.items())])})"

    def given(self) -> dict[str, Any]:
        """Return the fields that are not what they are by default, without the kind; an id unless it is the made one.

        Examples
        --------
        >>> Expectation("touch", "crate", "table", tolerance=1e-6).given()
        {'a': 'crate', 'b': 'table', 'tolerance': 1e-06}
        """
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "kind"}
        defaults = {one.name: one.default for one in fields(self)} | {"id": self.made_id}
        return {name: value for name, value in found.items() if value != defaults[name] and value != ""}

    @property
    def made_id(self) -> str:
        """The id that is made of the kind, the names and the time."""
        parts = [self.kind, self.a]
        if self.origin is not None and self.direction is not None:
            parts.append(f"from {_spaced(self.origin)} along {_spaced(self.direction)}")
        parts += [_spaced(vector) for vector in (self.point, self.motion) if vector is not None]
        parts.append(self.b or ("nothing" if self.kind in ("ray", "sweep") else ""))
        parts.append(self.when)
        if self.at is not None:
            parts.append(f"at {shortest(self.at)}")
        if self.during is not None:
            parts.append(f"during {shortest(self.during[0])} to {shortest(self.during[1])}")
        return " ".join(filter(None, parts))

    @property
    def timed(self) -> bool:
        """Whether it is about a time of a motion that it names."""
        return self.at is not None or self.during is not None

    @property
    def stated(self) -> bool:
        """Whether it states what held once, as `collision.current_expectations` does: its id shows it."""
        return self.id.startswith(STATED)

    @property
    def names(self) -> tuple[str, ...]:
        """All names and patterns in it."""
        return (*filter(None, (self.a, self.b)), *self.without)

    @property
    def quantifier(self) -> str:
        """When it holds: 'always', 'ever' or 'never', as it is given or as it is by default."""
        if self.when:
            return self.when
        return "ever" if self.kind == "collide" and not self.timed else "always"


def _size(value: Any, label: str) -> float:
    number = read_number(value, label)
    if number < 0.0:
        raise ValueError(f"{label} must be zero or more, got {value!r}")
    return number


def _degrees(value: Any, label: str) -> float:
    degrees = _size(value, label)
    if degrees > 180.0:
        raise ValueError(f"{label} must be 0 to 180 degrees, got {degrees:g}")
    return degrees


def _bounds(value: Any, label: str, *, low: float | None = None) -> Span:
    """Read two numbers, or one that is both; where `low` is given, one is the upper and this the lower."""
    ends = to_float(value, label)
    if ends.ndim == 0:
        ends = np.array([ends if low is None else low, ends])
    return _ordered(ends, value, label, "a number or two", least=0.0)


def _while(value: Any, label: str) -> Span:
    return _ordered(to_float(value, label), value, label, "two numbers", least=-math.inf)


def _ordered(ends: FloatArray, value: Any, label: str, words: str, least: float) -> Span:
    if ends.shape != (2,):
        raise ValueError(f"{label} must be {words}, got {value!r}")
    low, high = ends.tolist()
    if not (math.isfinite(low) and math.isfinite(high)) or low > high or low < least:
        rule = "finite and zero or more" if least == 0.0 else "finite"
        raise ValueError(f"{label} must be {rule}, the lower one first, got {value!r}")
    return low, high


def _vector(value: Any, label: str) -> Vector:
    found = to_float(value, label)
    if found.shape != (3,) or not all(map(math.isfinite, found.tolist())):
        raise ValueError(f"{label} must be three finite numbers, got {value!r}")
    x, y, z = found.tolist()
    return x, y, z


#: How the numbers are read that are given, in this order.
_NUMBERS: Mapping[str, Callable[[Any, str], Any]] = {
    "depth": partial(_bounds, low=0.0),
    **dict.fromkeys(("distance", "fraction"), _bounds),
    **dict.fromkeys(("normal", "origin", "direction", "motion", "point"), _vector),
    **dict.fromkeys(("clearance", "tolerance"), _size),
    "within": _degrees,
    "at": read_number,
    "during": _while,
}


def shortest(value: float) -> str:
    """Write a number with as few digits as tell which it is."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def _spaced(vector: Vector) -> str:
    return " ".join(map(shortest, vector))
