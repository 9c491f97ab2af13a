r"""Whether formulas with numbers in place are true: TeX is read, and computed with ranges of numbers.

A number of four digits stands for all that are rounded to it. A relation is wrong where none of what both sides may be
fulfils it.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

_TOKEN = re.compile(r"\s*(\\(?:[a-zA-Z]+|.)|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[-+*/^_(){}\[\]=<>,|])|\s+(?=\s)|\s*$")
_SKIPPED = frozenset({r"\;", r"\left", r"\right", r"\quad", r"\,", r"\ "})
_RELATIONS = {"=": "=", r"\leq": "<=", r"\lt": "<", "<": "<", ">": ">", r"\gt": ">", r"\geq": ">=", r"\approx": "~"}


class UnreadError(Exception):
    """A formula has something in it that is no number, such as the symbol of a constant."""


class Range(NamedTuple):
    """All numbers from low to high."""

    low: float
    high: float

    @classmethod
    def shown(cls, text: str) -> Range:
        """Return the numbers that are rounded to a text of four digits."""
        value = float(text)
        if 0.0 < abs(value) < 1e-290:
            raise UnreadError("too small")
        half = 0.0 if value == 0.0 else 0.5000001 * 10.0 ** (math.floor(math.log10(abs(value))) - 3)
        return cls(value - half, value + half)


#: A range, or the ranges of a vector's parts.
Number = Any


def _of_all(of: Callable[[float, float], float], a: Range, b: Range) -> Range:
    ends = [of(x, y) for x in a for y in b]
    if any(0.0 < abs(end) < 1e-290 for end in ends):
        raise UnreadError("too small")
    return Range(-math.inf, math.inf) if any(map(math.isnan, ends)) else Range(min(ends), max(ends))


def _plus(a: Number, b: Number) -> Number:
    if isinstance(a, Range) != isinstance(b, Range):
        raise UnreadError("a number and a vector are added")
    if isinstance(a, Range):
        return Range(a.low + b.low, a.high + b.high)
    return [_plus(x, y) for x, y in zip(a, b, strict=True)]


def _minus(a: Number) -> Number:
    return Range(-a.high, -a.low) if isinstance(a, Range) else [_minus(x) for x in a]


def _times(a: Number, b: Number) -> Number:
    if isinstance(a, Range) and isinstance(b, Range):
        return _of_all(operator.mul, a, b)
    if isinstance(a, Range):
        return [_times(a, x) for x in b]
    if isinstance(b, Range):
        return [_times(x, b) for x in a]
    total = Range(0.0, 0.0)
    for x, y in zip(a, b, strict=True):
        total = _plus(total, _times(x, y))
    return total


def _cross(a: Number, b: Number) -> Number:
    def part(i: int, j: int) -> Number:
        return _plus(_times(a[i], b[j]), _minus(_times(a[j], b[i])))

    return [part(1, 2), part(2, 0), part(0, 1)]


def _over(a: Number, b: Range) -> Number:
    if b.low <= 0.0 <= b.high:
        return Range(-math.inf, math.inf) if isinstance(a, Range) else [Range(-math.inf, math.inf) for _ in a]
    return _times(a, Range(1.0 / b.high, 1.0 / b.low))


def _squared(a: Number) -> Range:
    if not isinstance(a, Range):
        total = Range(0.0, 0.0)
        for x in a:
            total = _plus(total, _squared(x))
        return total
    ends = sorted((abs(a.low), abs(a.high)))
    return Range(0.0 if a.low <= 0.0 <= a.high else ends[0] * ends[0], ends[1] * ends[1])


def _root(a: Range) -> Range:
    return Range(math.sqrt(max(a.low, 0.0)), math.sqrt(max(a.high, 0.0)))


def _length(a: Number) -> Range:
    squares = _squared(a)
    if math.isinf(squares.high) or squares.high == 0.0 or squares.low == 0.0:  # lost, too small or too large
        sizes = [max(abs(x.low), abs(x.high)) for x in ([a] if isinstance(a, Range) else a)]
        least = max([0.0] + [min(abs(x.low), abs(x.high)) for x in ([a] if isinstance(a, Range) else a)
                             if not x.low <= 0.0 <= x.high])  # fmt: skip
        return Range(least, math.hypot(*sizes))
    return _root(squares)


def _picked(pick: Callable[..., float], parts: list[Number]) -> Number:
    if not isinstance(parts[0], Range):
        return [_picked(pick, list(each)) for each in zip(*parts, strict=True)]
    return Range(pick(part.low for part in parts), pick(part.high for part in parts))


class Reader:
    """Reads a formula from left to right: sums of products of factors."""

    def __init__(self, tex: str) -> None:
        self.tokens: list[str] = []
        self.bars = False
        self.largest = 0.0
        place = 0
        while place < len(tex):
            found = _TOKEN.match(tex, place)
            if not found or found.end() == place:
                raise UnreadError(tex[place:].split(maxsplit=1)[0])
            place = found.end()
            token = found[1]
            if token and token not in _SKIPPED:
                self.tokens.append(token)

    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, wanted: str = "") -> str:
        if not self.tokens or (wanted and self.tokens[0] != wanted):
            raise UnreadError(f"{wanted} is missing before {self.tokens}")
        return self.tokens.pop(0)

    def relations(self) -> list[tuple[Number, str, Number]]:
        """Return the relations of a chain, each with both sides."""
        found, left = [], self.sum()
        while self.next() in _RELATIONS:
            sign = _RELATIONS[self.take()]
            right = self.sum()
            found.append((left, sign, right))
            left = right
        if self.tokens:
            raise UnreadError(f"{self.tokens} is left")
        return found

    def sum(self) -> Number:
        sign = self.take() if self.next() in ("-", "+") else "+"
        total = self.product()
        total = _minus(total) if sign == "-" else total
        while self.next() in ("+", "-"):
            sign = self.take()
            part = self.product()
            total = _plus(total, _minus(part) if sign == "-" else part)
        return total

    def product(self) -> Number:
        total = self.power()
        while self.next() and self.next() not in ("+", "-", ")", "}", "]", ",", *_RELATIONS):
            if self.bars and self.next() in ("|", r"\|"):
                break
            if self.next() == r"\times":
                self.take()
                if self.tokens[:3] == ["10", "^", "{"]:
                    raise UnreadError("a power of ten that follows no number")
                total = _cross(total, self.power())
                continue
            if self.next() == r"\cdot":
                self.take()
            total = _times(total, self.power())
        return total

    def power(self) -> Number:
        base = self.factor()
        if self.next() == "^":
            self.take()
            if self.take() != "2":
                raise UnreadError("another power than 2")
            return _squared(base)
        return base

    def factor(self) -> Number:
        token = self.take()
        if re.fullmatch(r"\d.*", token):
            return self.number(token)
        if token == "-":
            return _minus(self.factor())
        if token in ("(", "{", "["):
            return self.group({"(": ")", "{": "}", "[": "]"}[token])
        if token == r"\frac":
            return _over(self.factor(), self.factor())
        if token == r"\sqrt":
            return _root(self.factor())
        if token in ("|", r"\|"):
            self.bars, before = True, self.bars
            inside = self.sum()
            self.take(token)
            self.bars = before
            return _length(inside)
        if token in (r"\min", r"\max"):
            self.take("(")
            parts = self.parts(")")
            return _picked(min if token == r"\min" else max, parts)
        if token == r"\infty":
            return Range(math.inf, math.inf)
        if token == r"\epsilon":
            return Range.shown("2.220446e-16")
        raise UnreadError(f"{token} is no number")

    def number(self, digits: str) -> Range:
        if self.tokens[:4] == [r"\times", "10", "^", "{"]:
            del self.tokens[:4]
            power = self.take()
            power = power + self.take() if power == "-" else power
            self.take("}")
            digits = f"{digits}e{power}"
        self.largest = max(self.largest, float(digits))
        return Range.shown(digits)

    def parts(self, end: str) -> list[Number]:
        parts = [self.sum()]
        while self.next() == ",":
            self.take()
            parts.append(self.sum())
        self.take(end)
        return parts

    def group(self, end: str) -> Number:
        parts = self.parts(end)
        return parts[0] if len(parts) == 1 else parts


def may_hold(left: Number, sign: str, right: Number, room: float) -> bool:
    """Say whether some numbers of both sides fulfil a relation, with a room for rounding."""
    if not isinstance(left, Range) or not isinstance(right, Range):
        if isinstance(left, Range) or isinstance(right, Range):
            raise UnreadError("a vector is compared with a number")
        return all(may_hold(x, sign, y, room) for x, y in zip(left, right, strict=True))
    if sign == "~":  # as the text says, to rounding, of numbers that need not be in the formula
        return True
    less, more = left.low <= right.high + room, left.high >= right.low - room
    return {"<": less, "<=": less, ">": more, ">=": more}.get(sign, less and more)


def is_true(numbers: str, rounding: float, size: float = 0.0) -> bool:
    """Say whether a formula with numbers in place may be true; raise `UnreadError` where it has more in it.

    Of the largest number in it, or of a size if that is larger, such a part is room for rounding.
    """
    reader = Reader(numbers)
    relations = reader.relations()
    return all(may_hold(*relation, rounding * max(reader.largest, size)) for relation in relations)
