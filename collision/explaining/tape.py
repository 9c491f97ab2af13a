"""Explanations on tape: their numbers as what they are computed of, so that other numbers can be put in.

While an explanation is told, the numbers of its shapes are `Noted`: each is a float, with the same bits and the same
way through all branches, and what kernels and explainers compute of it is one, too. A tape has what was computed, once
for all explanations on it; of each explanation there is what was compared, and how that came out, and its texts and
formulas have places of the tape for their numbers. It can be played with other numbers, anywhere that has IEEE
arithmetic: as long as all comparisons come out as they did, the texts and formulas are those that Python would tell,
to the last bit.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial, reduce
from types import CodeType, FrameType, ModuleType
from typing import Any, TypeAlias
from unittest.mock import patch

import numpy as np

from collision.explaining import pairs
from collision.explaining.records import MarkRole, Step
from collision.explaining.text import numbered
from collision.kernels.loops import NO_STRIDES, BatchElement
from collision.shapes.kinds import Point, Segment, Shape

#: A comparison, the places of its two sides, and whether it held.
Check: TypeAlias = tuple[str, int, int, bool]

#: A mark on a tape: its role, and the places of each field of its shape.
NotedMark: TypeAlias = tuple[MarkRole, list[list[int]]]

#: The formats that numbers on a tape can have.
_DIGITS = re.compile(r"(?:\.(\d+))?g")

#: Operations that give the same bits everywhere, and comparisons.
_OPERATIONS: Mapping[str, Callable[..., float]] = {
    "+": float.__add__,
    "-": float.__sub__,
    "*": float.__mul__,
    "/": float.__truediv__,
    "neg": float.__neg__,
    "abs": float.__abs__,
    "sqrt": math.sqrt,
    "sign": math.copysign,
    "max": lambda a, b: b if b > a else a,  # as Python has it: of two that are equal, the first
    "min": lambda a, b: b if b < a else a,
}
_COMPARISONS: Mapping[str, Callable[..., bool]] = {
    "<": float.__lt__,
    "<=": float.__le__,
    ">": float.__gt__,
    ">=": float.__ge__,
    "==": float.__eq__,
    "!=": float.__ne__,
}


class Tape:
    """What is computed while explanations are told.

    Attributes
    ----------
    steps : list of tuple
        What each place has: ``("given", name, number)``, one of the numbers of a shape's fields; ``("=", value)``; or
        an operation and the places of what it takes.
    """

    def __init__(self) -> None:
        self.steps: list[tuple[Any, ...]] = []
        self._places: dict[tuple[Any, ...], int] = {}
        self._checks: dict[tuple[str, int, int], bool] = {}
        self._drawing = set[CodeType]()
        self._made: dict[int, tuple[Shape, list[list[int]]]] = {}

    @contextmanager
    def recording(self, shapes: Mapping[str, Shape]) -> Iterator[list[Check]]:
        """Record what is computed of shapes while one explanation is told; what was compared is known at the end.

        The explanation must have been told before: nothing can be compiled meanwhile.
        """
        self._checks, self._drawing, self._made = {}, _drawing(), {}
        checks = list[Check]()
        with _noting(self, shapes):
            yield checks
        checks += [(*check, held) for check, held in self._checks.items()]

    def place(self, *step: Any) -> int:
        """Return the place of a step; the same step has one place."""
        key = (step[0], repr(step[1])) if step[0] == "=" else step  # minus zero is another number
        if key not in self._places:
            self._places[key] = len(self.steps)
            self.steps.append(step)
        return self._places[key]

    def compute(self, operation: str, *sides: float) -> Noted:
        """Return what an operation gives."""
        value = _OPERATIONS[operation](*map(_plain, sides))
        return Noted(value, self, self.place(operation, *map(self._side, sides)))

    def compare(self, comparison: str, *sides: float) -> bool:
        """Return how a comparison comes out."""
        held = _COMPARISONS[comparison](*map(_plain, sides))
        a, b = map(self._side, sides)
        if a != b and not self._draws():
            self._checks[comparison, a, b] = held
        return held

    def marks(self, step: Step) -> dict[str, NotedMark]:
        """Return the points and the segments of the step just recorded: by label the role, and the places of fields.

        Marks are left out of which not all numbers are on the tape.
        """
        known = (
            (mark, self._made.get(id(mark.shape))) for mark in step.marks if isinstance(mark.shape, Point | Segment)
        )
        return {mark.label: (mark.role, made[1]) for mark, made in known if made is not None}

    def same(self, name: str, numbers: Iterable[float]) -> list[Check]:
        """Return what holds while the numbers of a shape are these."""
        return [("==", self.place("given", name, k), self.place("=", x), True) for k, x in enumerate(numbers)]

    def played(self, checks: Sequence[Check], numbers: Mapping[str, Sequence[float]]) -> Callable[[int], float] | None:
        """Return what gives the number at a place for other numbers of shapes; None if a comparison is another."""
        known: dict[int, float] = {}

        def at(place: int) -> float:
            if place not in known:
                operation, *sides = self.steps[place]
                if operation == "given":
                    known[place] = numbers[sides[0]][sides[1]]
                elif operation == "=":
                    return float(sides[0])
                else:
                    known[place] = _OPERATIONS[operation](*map(at, sides))
                if math.isnan(known[place]):
                    raise ArithmeticError
            return known[place]

        try:
            return at if all(_COMPARISONS[sign](at(a), at(b)) == held for sign, a, b, held in checks) else None
        except (ArithmeticError, ValueError):
            return None

    def _side(self, value: float) -> int:
        """Return the place of a number."""
        return value.place if isinstance(value, Noted) else self.place("=", _plain(value))

    def _draws(self) -> bool:
        """Return whether only something to look at is made."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code not in self._drawing:
            frame = frame.f_back
        return frame is not None


class Noted(float):
    """A number on a tape."""

    tape: Tape
    place: int

    def __new__(cls, value: float, tape: Tape, place: int) -> Noted:
        """Return a number at a place of a tape."""
        made = super().__new__(cls, value)
        made.tape, made.place = tape, place
        return made

    def __bool__(self) -> bool:
        return self.tape.compare("!=", self, 0.0)

    def __neg__(self) -> Noted:
        return self.tape.compute("neg", self)

    def __abs__(self) -> Noted:
        return self.tape.compute("abs", self)

    def __format__(self, form: str) -> str:
        """Return it as a text, in which after its digits stands what `numbered` makes."""
        text, known = format(_plain(self), form), _DIGITS.fullmatch(form)
        if known is None:  # none that pages can write: what has it does not follow
            return text
        digits, e, power = text.partition("e")
        return f"{digits}{numbered(self.place, int(known[1] or 6), text)}{e}{power}"

    def __hash__(self) -> int:
        """Return the same for all, so that a set compares them: a tape knows comparisons, and no hashes."""
        return 0


def _plain(value: float) -> float:
    """Return a number that is on no tape."""
    return float.__pos__(value) if isinstance(value, float) else float(value)


def _operator(sign: str, *, turned: bool = False, compared: bool = False) -> Callable[[Noted, Any], Any]:
    def noted(one: Noted, other: Any) -> Any:
        if not isinstance(other, float | int) or isinstance(other, np.floating):
            return NotImplemented
        sides = (other, one) if turned else (one, other)
        return one.tape.compare(sign, *sides) if compared else one.tape.compute(sign, *sides)

    return noted


for _name, _sign in {"add": "+", "sub": "-", "mul": "*", "truediv": "/"}.items():
    setattr(Noted, f"__{_name}__", _operator(_sign))
    setattr(Noted, f"__r{_name}__", _operator(_sign, turned=True))
for _name, _sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    setattr(Noted, f"__{_name}__", _operator(_sign, compared=True))


def _modules() -> list[ModuleType]:
    """Return the modules of kernels and of explanations that are there."""
    ours = (f"{__package__}.", BatchElement.__module__.rpartition(".")[0] + ".")
    return [module for name, module in list(sys.modules.items()) if name.startswith(ours) and name != __name__]


def _drawing() -> set[CodeType]:
    """Return the code of what draws plots and marks alone: what it compares changes no text."""
    found = set[CodeType]()
    for module in _modules():
        owners = [module, *(each for each in vars(module).values() if isinstance(each, type))]
        for function in (part for owner in owners for part in vars(owner).values()):
            code = getattr(function, "fget", None) or getattr(function, "func", None) or function
            returned = str(getattr(code, "__annotations__", {}).get("return", ""))
            if re.search("Plot|Mark|WayPoint", returned) and not re.search("Step|Value|Formula", returned):
                found.add(code.__code__)
    return found


@contextmanager
def _noting(tape: Tape, shapes: Mapping[str, Shape]) -> Iterator[None]:
    """Have kernels and explainers take the numbers of what is given from a tape, and compute on it."""
    names = {id(shape): name for name, shape in shapes.items()}
    fields = {
        id(vars(shape)[field]): (name, range(start, end))
        for name, shape in shapes.items()
        for field, start, end, _ in shape.layout.parts
    }
    read = Shape._read
    usual, known, root, sign = pairs.memory_of, pairs.numbers_of, math.sqrt, math.copysign

    def memory_of(shape: Shape) -> BatchElement:
        owner = names.get(id(shape))
        if owner is None:
            return usual(shape)
        starts = {field: start for field, start, _, _ in shape.layout.parts}
        table: Any = tuple(
            [
                Noted(x, tape, tape.place("given", owner, starts[given] + k))
                for k, x in enumerate(np.ravel(getattr(shape, given)).tolist())
            ]
            if isinstance(given, str)
            else np.ravel(given).tolist()
            for given in shape.layout.given
        )
        return BatchElement(table, NO_STRIDES, 0)

    def numbers_of(given: Any) -> Any:
        def noted(part: Any) -> Any:
            return list(map(noted, part)) if isinstance(part, list) else Noted(part, tape, tape.place("=", part))

        return noted(known(given))

    def extreme(usual: Callable[..., Any], operation: str) -> Callable[..., Any]:
        def found(*given: Any, **more: Any) -> Any:
            several = list(given[0] if len(given) == 1 else given)
            if more or not any(isinstance(x, Noted) for x in several):
                return usual(*([several] if len(given) == 1 else several), **more)
            return reduce(partial(tape.compute, operation), several)

        return found

    def sqrt(x: float) -> float:
        return tape.compute("sqrt", x) if isinstance(x, Noted) else root(x)

    def copysign(x: float, y: float) -> float:
        return tape.compute("sign", x, y) if isinstance(x, Noted) or isinstance(y, Noted) else sign(x, y)

    def places(given: Any) -> list[int] | None:
        if id(given) in fields:
            owner, numbers = fields[id(given)]
            return [tape.place("given", owner, k) for k in numbers]
        if isinstance(given, list | tuple):
            parts = [places(part) for part in given]
            return None if None in parts else [place for part in parts for place in part or ()]
        if isinstance(given, Noted):
            return [given.place]
        return [tape.place("=", float(given))] if isinstance(given, float | int) and given in (0.0, 1.0) else None

    def keep(shape: Shape, given: Iterable[Any]) -> None:
        found = [places(part) for part in given]
        if None not in found:
            tape._made[id(shape)] = shape, [part for part in found if part is not None]

    def made(shape: Shape, *given: Any) -> None:
        read(shape, *given)
        keep(shape, given)

    for shape in shapes.values():
        keep(shape, shape.values().values())
    with ExitStack() as stack:
        stack.enter_context(patch.object(Shape, "_read", made))
        stack.enter_context(patch.multiple(math, sqrt=sqrt, copysign=copysign))
        for module in _modules():
            for name, own, other in (("memory_of", usual, memory_of), ("numbers_of", known, numbers_of)):
                if getattr(module, name, None) is own:
                    stack.enter_context(patch.object(module, name, other))
            for name, function in (("max", extreme(max, "max")), ("min", extreme(min, "min"))):
                stack.enter_context(patch.object(module, name, function, create=True))
        yield
