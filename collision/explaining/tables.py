"""What an explanation holds, as JSON holds it, and the schema of that."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from typing import Any, get_args

import numpy as np

from collision.explaining.records import Mark, MarkRole, Plot, Space, Step, Unit, Value
from collision.files.models import KIND_NAMES, SHAPE_TABLES, json_schema
from collision.kernels.vec3 import Vec3
from collision.scene.scene import Scene
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion

#: Parts of the schema.
_TEXT, _TEX = {"type": "string"}, {"type": "string", "description": "TeX"}
_NUMBER = {"type": ["number", "null"], "description": "null where it is not finite"}
_NUMBERS = {"type": "array", "items": _NUMBER}
_SPAN = {**_NUMBERS, "minItems": 2, "maxItems": 2}
_ROLE = {"enum": [*get_args(MarkRole)], "description": "what it stands for, which says how it looks"}
_MARK = {"type": "string", "description": "the label of the mark that shows the same; empty where none does"}

#: The tables in the schema of scene files of what shapes hold.
_HELD = ("TransformTable", "AxisAngle", "Euler", "Matrix")

#: The version of the JSON; it grows when a key changes its meaning or goes, not when one is added.
VERSION = 1


def step_table(step: Step) -> dict[str, Any]:
    """Return a step as JSON holds it."""
    return {
        "title": step.title,
        "text": step.text,
        "kernel": step.kernel or None,
        "article": step.article,
        "formulas": [{"symbols": rule.symbols, "numbers": rule.numbers} for rule in step.formulas],
        "values": [_value(value) for value in step.values],
        "marks": [_mark(mark) for mark in step.marks],
        "plot": None if step.plot is None else _plot(step.plot),
        "space": None if step.space is None else _space(step.space),
    }


def _value(value: Value) -> dict[str, Any]:
    return {**{field.name: getattr(value, field.name) for field in fields(value)}, "value": json_of(value.value)}


def _mark(mark: Mark) -> dict[str, Any]:
    return {"label": mark.label, "role": mark.role, "shape": shape_table(mark.shape)}


def _plot(plot: Plot) -> dict[str, Any]:
    return {key: json_of(value) for key, value in asdict(plot).items()}


def _space(space: Space) -> dict[str, Any]:
    return {"title": space.title, "marks": [_mark(mark) for mark in space.marks]}


def shape_table(shape: Shape) -> dict[str, Any]:
    """Return a shape as a scene file writes it."""
    return {"kind": KIND_NAMES[type(shape)], **{key: json_of(value) for key, value in shape.values().items()}}


def json_of(thing: Any) -> Any:
    """Return what JSON has for a thing: lists for arrays and tuples, objects for records."""
    if isinstance(thing, Shape):
        return shape_table(thing)
    if isinstance(thing, Scene):
        return {"shapes": {name: shape_table(shape) for name, shape in thing.shapes.items()}}
    if isinstance(thing, np.ndarray | np.generic):
        thing = thing.tolist()
    if isinstance(thing, float):
        return thing if math.isfinite(thing) else None
    if thing is None or isinstance(thing, str | int):
        return thing
    if isinstance(thing, Motion):
        return {name: json_of(getattr(thing, name)) for name in ("shape", "times", "offsets", "rotations", "pivot")}
    if isinstance(thing, tuple) and hasattr(thing, "_asdict") and not isinstance(thing, Vec3):
        thing = thing._asdict()
    elif is_dataclass(thing) and not isinstance(thing, type):
        thing = {field.name: getattr(thing, field.name) for field in fields(thing)}
    if isinstance(thing, Mapping):
        return {str(key): json_of(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [json_of(part) for part in thing]
    return {key: json_of(value) for key, value in vars(thing).items() if not key.startswith("_")}


def explanation_schema() -> dict[str, Any]:
    """Return the JSON schema of what `as_dict` returns."""
    scenes = json_schema()
    whole = _record(
        {
            "version": {"const": VERSION, "description": "grows when a key changes its meaning or goes"},
            "query": _TEXT,
            "names": _list(_TEXT),
            "given": {"type": "array", "description": "shapes and scenes as scene files have them"},
            "summary": _TEXT,
            "result": {"description": "what the query returned: numbers, lists, or an object with its fields"},
            "steps": _list(_ref("Step")),
        }
    )
    names = {*_HELD, *(table.__name__ for table in SHAPE_TABLES.values())}
    tables = {name: table for name, table in scenes["$defs"].items() if name in names}
    tables["Shape"] = {**scenes["properties"]["shapes"]["additionalProperties"], "description": "as scene files do"}
    return {
        "$schema": scenes["$schema"],
        "title": "Explanation of collision-viewer",
        "$defs": {**tables, **_small_tables(), "Plot": _plot_table(), "Step": _step_table()},
        **whole,
    }


def _small_tables() -> dict[str, Any]:
    return {
        "Formula": _record({"symbols": _TEX, "numbers": _TEX}),
        "Quantity": {
            "description": "a number, a truth, a vector, or the rows of a matrix",
            "anyOf": [_NUMBER, {"type": "boolean"}, _NUMBERS, {"type": "array", "items": _NUMBERS}],
        },
        "Value": _record(
            {
                "symbol": _TEX,
                "value": _ref("Quantity"),
                "unit": {"enum": [*get_args(Unit)]},
                "mark": _MARK,
                "means": _TEXT,
            }
        ),
        "Mark": _record({"label": _TEXT, "role": _ROLE, "shape": _ref("Shape")}),
        "Space": _record({"title": _TEXT, "marks": _list(_ref("Mark"))}),
    }


def _plot_table() -> dict[str, Any]:
    seen = {"role": _ROLE, "label": _TEXT}
    return _record(
        {
            **dict.fromkeys(("title", "x_label", "y_label"), _TEXT),
            **dict.fromkeys(("x_range", "y_range"), _SPAN),
            "lines": _list(_record({"x": _NUMBERS, "y": _NUMBERS, **seen})),
            "points": _list(_record({"x": _NUMBER, "y": _NUMBER, **seen, "mark": _MARK})),
            "areas": _list(_record({"x": _SPAN, "y": _SPAN, **seen, "mark": _MARK})),
            "rows": _list(_TEXT),
            "square": {"type": "boolean", "description": "whether one unit is as long across as up"},
        }
    )


def _step_table() -> dict[str, Any]:
    return _record(
        {
            "title": _TEXT,
            "text": _TEXT,
            "kernel": {"type": ["string", "null"], "description": "whose values these are; null for an article's"},
            "article": {"type": "boolean", "description": "whether it is computed beside the kernel's way"},
            "formulas": _list(_ref("Formula")),
            "values": _list(_ref("Value")),
            "marks": _list(_ref("Mark")),
            "plot": {"anyOf": [_ref("Plot"), {"type": "null"}]},
            "space": {"anyOf": [_ref("Space"), {"type": "null"}]},
        }
    )


def _record(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}
