"""The tables of the reference pages, made from signatures, docstrings and the schema of scene files."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import collision
import collision.importers
import collision.native
import collision.scenefile
import collision.testing
from collision.base.cached import cached_property
from collision.native.cache import CacheWarning
from collision.native.library import NoCodeError, WrongLibraryError
from collision.native.loop import NoCompilerError
from collision.scene.expectations import TAKES
from collision.shapes.kinds import KINDS

#: Members of shapes that are for queries and may change, beside those whose docstring says "not for users".
_INNER = {"core", "without_radius", "box"}

_SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w[^\n]*?)(?: : ([^\n]*))?\n((?:    [^\n]*\n|\n)*)", re.MULTILINE)


def sections(thing: Any) -> dict[str, str]:
    """Return the sections of a docstring by their titles; the words before them by an empty one."""
    text = inspect.getdoc(thing) or ""
    parts = _SECTION.split(text)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring in one line."""
    return _line(sections(thing)[""].split("\n\n")[0])


def entries(thing: Any, title: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and text of each entry of a section."""
    for names, kind, text in _ENTRY.findall(sections(thing).get(title, "").strip("\n") + "\n"):
        yield names, kind, _line(text)


def _line(text: str) -> str:
    """Return a text in one line, as it can stand in a cell."""
    text = re.sub(r"\n\s*- ", "<br>", f"\n{text.strip()}").removeprefix("\n").removeprefix("<br>")
    return re.sub(r"\s+", " ", text).replace("``", "`").replace("|", "\\|").strip()


def _code(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *([*row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def call(name: str, function: Any) -> str:
    """Return how a function is called: its parameters without their types."""
    signature = inspect.signature(function)
    kept = [
        parameter.replace(annotation=parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    text = f"`{name}{signature.replace(parameters=kept, return_annotation=signature.empty)}`"
    return text.replace(", /", "").replace("mappingproxy({})", "{}")


def calls(functions: Iterable[tuple[str, Any]]) -> str:
    """Return a table of functions and properties: how each is called, and what it does."""
    return table(
        ["Call", "Description"],
        (
            (call(name, function) if inspect.isfunction(function) else f"`{name}`", summary(function))
            for name, function in functions
        ),
    )


def members(owner: type, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that a class defines, under the name of one of its objects."""
    for member, value in vars(owner).items():
        found = getattr(value, "__func__", value)
        documented = inspect.isfunction(found) or isinstance(value, property | cached_property)
        hidden = member.startswith("_") or member in _INNER or "not for users" in summary(found)
        if documented and not hidden:
            made_by_class = isinstance(value, classmethod | staticmethod)
            yield f"{owner.__name__ if made_by_class or not name else name}.{member}", found


def functions_of(module: Any, *folders: str) -> Iterator[tuple[str, Any]]:
    """Yield the functions among the public names of a module, all of them or those of some folders."""
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isfunction(thing) and (not folders or thing.__module__.startswith(folders)):
            yield name, thing


def fields(classes: Iterable[type], title: str) -> str:
    """Return a table of what classes are made from (``Parameters``) or hold (``Attributes``)."""
    rows: list[tuple[str, str, str]] = []
    for owner in classes:
        first = f"`{owner.__name__}`: {summary(owner)}"
        for names, kind, text in entries(owner, title):
            rows.append((first, _code(names), f"{_line(kind)}. {text}".removeprefix(". ").rstrip()))
            first = ""
    return table(["Class", "Field", "Description"], rows)


def modules(package: Any) -> str:
    """Return a table of the modules of a package, with the first paragraph of each docstring."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = ((name, importlib.import_module(f"{package.__name__}.{name}")) for name in names)
    return table(["File", "Contents"], ((f"`{name}.py`", summary(module)) for name, module in found))


# -- of `collision` ----------------------------------------------------------------------------------------------------

#: What users make by hand, beside shapes.
VALUES = (
    collision.Transform,
    collision.CapsuleCollider,
    collision.Scene,
    collision.Show,
    collision.Camera,
    collision.Motion,
    collision.Expectation,
    collision.NameGroup,
    collision.Bodies,
)
#: The classes of errors and warnings, by the modules that users import them from.
ERRORS = {
    "collision.scenefile": (collision.scenefile.SceneFileError,),
    "collision.importers": (collision.importers.ImporterError,),
    "collision.testing": (collision.testing.BrokenPromiseError,),
    "collision.native.library": (NoCodeError, WrongLibraryError),
    "collision.native.loop": (NoCompilerError,),
    "collision.native": (CacheWarning,),
}


def kinds() -> str:
    rows = []
    for kind in KINDS:
        made_from = "<br>".join(f"{_code(names)}: {text}" for names, _, text in entries(kind, "Parameters"))
        rows.append((f"`{kind.__name__}`", summary(kind), made_from))
    return table(["Kind", "Description", "Fields"], rows)


def shape_members() -> str:
    shared = (pair for owner in collision.Shape.__mro__[:-1] for pair in members(owner, "shape"))
    own = (pair for kind in KINDS for pair in members(kind, kind.__name__))
    placing = (*members(collision.Transform, "transform"), *members(collision.CapsuleCollider, "collider"))
    return calls([*shared, *own, *placing])


def scenes() -> str:
    return calls([*members(collision.Scene, "scene"), *functions_of(collision, "collision.scene.")])


def motions() -> str:
    return calls([*functions_of(collision, "collision.timeline."), *members(collision.Motion, "motion")])


def classes_of_answers() -> list[type]:
    """Return the public classes whose docstrings have attributes."""
    found = (getattr(collision, name) for name in collision.__all__)
    return [thing for thing in found if inspect.isclass(thing) and "Attributes" in sections(thing)]


def promises() -> str:
    """Return a table of the kinds of promise, what holds, and which fields each takes."""
    (text,) = (text for names, _, text in entries(collision.Expectation, "Parameters") if names == "kind")
    held = dict(part.split(": ", maxsplit=1) for part in text.split("<br>"))
    rows = ((f"`{kind}`", held[kind], ", ".join(f"`{name}`" for name in takes)) for kind, takes in TAKES.items())
    return table(["Promise", "Condition", "Fields"], rows)


def errors() -> str:
    rows = (
        (f"`{module}.{error.__name__}`", f"`{error.__base__.__name__}`", summary(error))
        for module, classes in ERRORS.items()
        for error in classes
    )
    return table(["Class", "Base", "Description"], rows)


#: What the tables of a scene file are called, by the definitions of its schema; shapes are named by their kinds.
_TABLES = {
    "TransformTable": "`transform = { ... }` of a shape",
    "AxisAngle": "`rotation = { ... }` about an axis",
    "Euler": "`rotation = { ... }` by Euler angles",
    "Matrix": "`rotation = { ... }` by a matrix",
    "ShowTable": "`[[show]]`",
    "MotionTable": "`[[motion]]`",
    "CameraTable": "`[camera]`",
    "GroupTable": "a table in `[groups]`",
    "ExpectTable": "`[[expect]]`",
    "FreeRayTable": "`ray = { ... }` in `[[expect]]`",
}


def file_keys() -> str:
    """Return a table of all keys of scene files, as the JSON schema describes them."""
    schema = collision.scenefile.json_schema()
    known = {name: part for name, part in schema["$defs"].items() if "kind" in part["properties"]}
    order = [*known, *_TABLES]
    if missing := schema["$defs"].keys() - set(order):
        raise ValueError(f"tables of scene files without a name in tests/reference.py: {sorted(missing)}")
    rows: list[tuple[str, str, str]] = []
    for name, part in [("", schema), *((name, schema["$defs"][name]) for name in order)]:
        called = _TABLES.get(name) or (f'`kind = "{part["properties"]["kind"]["enum"][0]}"`' if name else "the file")
        first = f"{called}: {_line(part['description'])}" if name else called
        for key, value in part["properties"].items():
            if name in known and key in ("kind", "transform"):
                continue
            others = [one for form in part.get("oneOf", ()) for one in form["required"]]
            needed = " (required)" if key in part.get("required", ()) else " (one of these)" if key in others else ""
            words = ", ".join(f"`{word}`" for word in value.get("enum", ()) if isinstance(word, str))
            rows.append(
                (first, f"`{key}`{needed}", _line(value["description"]) + (f" One of {words}." if words else ""))
            )
            first = ""
    return table(["Table", "Key", "Description"], rows)


#: By the name of its marks, what makes each table of ``collision/REFERENCE.md``.
OF_COLLISION: dict[str, Callable[[], str]] = {
    "kinds": kinds,
    "methods of shapes": shape_members,
    "queries of two shapes": lambda: calls(functions_of(collision, "collision.queries.", "collision.explaining.")),
    "scenes": scenes,
    "many poses": lambda: calls(members(collision.Bodies, "bodies")),
    "motions": motions,
    "promises": promises,
    "functions of promises": lambda: calls(functions_of(collision, "collision.promises.")),
    "assertions": lambda: calls(functions_of(collision.testing)),
    "models": lambda: calls(
        [
            *functions_of(collision.importers),
            *members(collision.importers.Joint, "joint"),
            *members(collision.importers.Model, "model"),
        ]
    ),
    "functions of scene files": lambda: calls(functions_of(collision.scenefile)),
    "keys of scene files": file_keys,
    "values": lambda: fields(VALUES, "Parameters"),
    "answers": lambda: fields(classes_of_answers(), "Attributes"),
    "methods of answers": lambda: calls(pair for owner in classes_of_answers() for pair in members(owner)),
    "errors": errors,
}


# -- of `viewer`, which is imported when its tables are made -----------------------------------------------------------


def keys() -> str:
    """Return a table of the keys of the window: those that its help shows."""
    from viewer.session.commands import TABLE, Topic

    return table(["Key", "Action"], [(row.keys, row.what) for row in TABLE if isinstance(row, Topic)])


def commands() -> str:
    """Return a table of the commands and their arguments; options that several have are in tables of their own."""
    from viewer.cli import app
    from viewer.cli.options import ModelFlags, PictureFlags

    shared = {"pictures": _names(PictureFlags), "robot models": _names(ModelFlags)}
    rows: list[tuple[str, str, str]] = []
    for name in (name for name in app if not name.startswith("-")):
        command = app[name]
        first = f"`{name}`: {_line(command.help.partition(chr(10) * 2)[0])}"
        arguments = {one.name: one for one in command.assemble_argument_collection(parse_docstring=True) if one.show}
        taken = {what: names for what, names in shared.items() if names <= arguments.keys()}
        for one in arguments.values():
            if one.name != "SCENE" and not any(one.name in names for names in taken.values()):
                rows.append((first, ", ".join(f"`{word}`" for word in one.names), _explained(one)))
                first = ""
        for what in taken:
            rows.append((first, f"[options of {what}](#options-of-{what.replace(' ', '-')})", ""))
            first = ""
    return table(["Command", "Argument", "Description"], rows)


def exit_codes() -> str:
    """Return a table of what the program tells the shell."""
    from viewer.cli.errors import EXIT_CODES

    return table(["Exit code", "Meaning"], ((f"{code:d}", text) for code, text in EXIT_CODES.items()))


def old_forms() -> str:
    """Return a table of what the command line had once, and what does the same now."""
    from viewer.cli.old_forms import OLD_FORMS

    rows = ((", ".join(f"`{form}`" for form in forms), now) for forms, now in OLD_FORMS.items())
    return table(["Before", "Now"], rows)


def _names(flags: type[Any]) -> set[str]:
    return {f"--{name}".replace("_", "-") for name in flags.__dataclass_fields__}


def picture_options() -> str:
    """Return a table of the options that commands which draw have in common."""
    from viewer.cli.options import PictureFlags

    return _options(PictureFlags)


def model_options() -> str:
    """Return a table of the options that commands have in common for robot models."""
    from viewer.cli.options import ModelFlags

    return _options(ModelFlags)


def _options(flags: type[Any]) -> str:
    from viewer.cli import app

    arguments = {one.name: one for one in app["render"].assemble_argument_collection(parse_docstring=True)}
    options = (f"--{name}".replace("_", "-") for name in flags.__dataclass_fields__)
    return table(["Option", "Description"], ((f"`{name}`", _explained(arguments[name])) for name in options))


def _explained(argument: Any) -> str:
    """Return the help of an argument, with its choices and its default."""
    choices, default = argument.get_choices() or (), argument.field_info.default
    words = [_line(argument.parameter.help or "")]
    if choices:
        words.append(f"{'One of' if len(choices) > 1 else 'Or'} {', '.join(f'`{one}`' for one in choices)}.")
    if not argument.required and default not in (None, False, "", (), inspect.Parameter.empty):
        shown = argument.parameter.show_default
        words.append(f"By default {shown(default) if callable(shown) else default}.")
    return " ".join(word for word in words if word)


def picture_keywords() -> str:
    from viewer.studio.options import PictureOptions

    return fields((PictureOptions,), "Parameters")


def viewer_functions() -> str:
    import viewer

    return calls([*functions_of(viewer), *members(viewer.WindowHandle, "window"), *members(viewer.AddedScene, "added")])


#: By the name of its marks, what makes each table of ``viewer/REFERENCE.md``.
OF_VIEWER: dict[str, Callable[[], str]] = {
    "keys": keys,
    "commands": commands,
    "exit codes": exit_codes,
    "old forms": old_forms,
    "options of pictures": picture_options,
    "options of robot models": model_options,
    "options of pictures in Python": picture_keywords,
    "functions of the viewer": viewer_functions,
}
