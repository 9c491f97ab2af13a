"""An explanation as plain text, for terminals."""

from __future__ import annotations

from collision.explaining.records import Explanation, Quantity, Step, Value


def as_text(told: Explanation) -> str:
    """Return an explanation as plain text."""
    parts = [f"{told.query}: {told.summary}"]
    parts += [_step(number, step) for number, step in enumerate(told.steps, 1)]
    return "\n\n".join(parts)


def _step(number: int, step: Step) -> str:
    aside = " (the article's way)" if step.article else ""
    lines = [f"{number}. {step.title}{aside}", f"   {step.text}"]
    lines += [f"   {_value(value)}" for value in step.values]
    return "\n".join(lines)


def _value(value: Value) -> str:
    unit = {"length": " units", "length²": " units²", "degrees": "°", "": ""}[value.unit]
    means = f"  {value.means}" if value.means else ""
    return f"{value.symbol} = {_number(value.value)}{unit}{means}"


def _number(value: Quantity) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "(" + ", ".join(_number(part) for part in value) + ")"
    return f"{value + 0.0:.6g}"
