"""Explainers ask kernels for local variables by their names: each name is one that the kernel has."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType

import pytest

import collision
from collision.explaining.trace import trace
from collision.kernels.point import point_point
from collision.kernels.vec3 import Vec3
from tests.cases import check_each

COLLISION = Path(collision.__file__).parent

#: The files that have explainers: those that read records of calls.
EXPLAINERS = [
    path
    for path in sorted((COLLISION / "explaining").glob("*.py"))
    if path.stem != "trace" and "Call" in path.read_text(encoding="utf-8")
]

#: What takes the name of a kernel, and what takes that of a local variable of one.
OF_KERNELS, OF_LOCALS = {"find", "each", "ran", "calls_of"}, {"first", "values_of", "has"}


@cache
def functions() -> dict[str, set[str]]:
    """Return the names of the local variables of all functions of the package that have a name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    codes = [compile(path.read_text(encoding="utf-8"), str(path), "exec") for path in COLLISION.rglob("*.py")]
    while codes:
        code = codes.pop()
        found[code.co_name] |= {*code.co_varnames, *code.co_cellvars}
        codes.extend(part for part in code.co_consts if isinstance(part, CodeType))
    return dict(found)


def wrong_names(source: str) -> Iterator[str]:
    """Yield what explainers ask for and no kernel has: the line, and what is wrong with it."""
    tree = ast.parse(source)
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    named = {text for text in texts if text in functions()}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        known = _calls_in(function)
        for node in ast.walk(function):
            for base, kind, name in _lookups(node):
                if kind == "kernel":
                    if name not in functions():
                        yield f"line {node.lineno}: there is no kernel {name}"
                    continue
                own = known.get(base.id) if isinstance(base, ast.Name) else _kernels_of(base)
                kernels = own or named
                if not any(name in functions().get(kernel, ()) for kernel in kernels):
                    yield f"line {node.lineno}: none of {', '.join(sorted(kernels))} has a local {name}"


def _lookups(node: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
    """Yield the expression that is asked, whether for a kernel or a local, and the name."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        yield node.value, "local", node.slice.value
    if isinstance(node, ast.Compare) and ast.unparse(node.left) == "name":  # in a loop over what was assigned
        yield from ((node.left, "local", right.value) for right in node.comparators if isinstance(right, ast.Constant))
    if not isinstance(node, ast.Call):
        return
    asked, names = node.func, node.args
    if isinstance(asked, ast.Name) and asked.id == "map" and isinstance(names[1], ast.Tuple):
        asked, names = names[0], names[1].elts
    if isinstance(asked, ast.Attribute) and asked.attr in OF_KERNELS | OF_LOCALS:
        for name in names:
            if isinstance(name, ast.Constant):
                yield asked.value, "kernel" if asked.attr in OF_KERNELS else "local", name.value


def _calls_in(function: ast.FunctionDef) -> dict[str, set[str]]:
    """Return the kernels whose calls the variables of a function stand for, as far as that is written there."""
    found: defaultdict[str, list[set[str]]] = defaultdict(list)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id].append(_kernels_of(node.value))
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
            found[node.target.id].append(_kernels_of(node.iter))
    return {name: set().union(*kernels) for name, kernels in found.items() if all(kernels)}


def _kernels_of(value: ast.expr) -> set[str]:
    """Return the kernel whose call, or calls, an expression is; none where it does not say so."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in OF_KERNELS:
        return {name.value for name in value.args if isinstance(name, ast.Constant) and isinstance(name.value, str)}
    return set()


def test_explainers_ask_for_names_that_kernels_have() -> None:
    assert len(EXPLAINERS) > 8
    check_each(EXPLAINERS, _asks_for_known_names, lambda path: path.name)


def _asks_for_known_names(path: Path) -> None:
    assert [*wrong_names(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("right", "wrong", "text"),
    [
        ('call.find("nearest_parameter")', 'call.find("nearest_parametre")', "there is no kernel nearest_parametre"),
        ('call["reach"]', 'call["raech"]', "has a local raech"),
        ('local.first("q")', 'local.first("queue")', "has a local queue"),
        # A name that another kernel has, where it is known which one is asked.
        ('found["depth"]', 'found["foot"]', "none of inside_box has a local foot"),
    ],
)
def test_a_misspelled_name_is_found_before_its_branch_is_explained(right: str, wrong: str, text: str) -> None:
    source = (COLLISION / "explaining" / "point.py").read_text(encoding="utf-8")
    source = source.replace('local["q"]', 'local.first("q")')
    assert right in source
    assert [*wrong_names(source)] == []
    found = [*wrong_names(source.replace(right, wrong))]
    assert any(line.endswith(text) for line in found)


def test_a_record_refuses_a_name_that_its_kernel_does_not_have() -> None:
    call = trace(point_point, Vec3(0.0, 0.0, 0.0), Vec3(3.0, 4.0, 0.0))
    assert (call["distance"], call.has("gap"), call.first("a")) == (5.0, True, Vec3(0.0, 0.0, 0.0))
    for ask in (call.has, call.first, call.values_of, call.__getitem__):
        with pytest.raises(RuntimeError, match="point_point: expected a local variable distnace, it has none of that"):
            ask("distnace")
