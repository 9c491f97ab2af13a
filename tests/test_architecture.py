"""The shape of the code: who may import whom, what is public and explained."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import collision
from collision import inner
from tests.cases import check_each

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCES = sorted(path for package in ("collision", "viewer") for path in (ROOT / package).rglob("*.py"))

RENDERERS = ("pyvista", "vtk", "vtkmodules")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(path)))


def in_each(paths: Iterable[Path], check: Callable[[Path], None]) -> None:
    check_each(paths, check, name_of)


@cache
def imports(path: Path) -> frozenset[str]:
    """Return the top-level packages that a file imports, anywhere in it but under ``if TYPE_CHECKING``."""
    found: set[str] = set()
    nodes: list[ast.AST] = [tree_of(path)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            nodes.extend(node.orelse)
            continue
        nodes.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


def test_the_tests_below_look_at_something() -> None:
    assert len(SOURCES) > 30
    assert "pyvista" in imports(ROOT / "viewer" / "stage" / "stage.py")


# -- who imports whom --------------------------------------------------------------------------------------------------


def imports_none(names: Iterable[str]) -> Callable[[Path], None]:
    def check(path: Path) -> None:
        assert not set(names).intersection(imports(path))

    return check


def test_only_the_stage_imports_a_renderer() -> None:
    others = [path for path in SOURCES if not path.is_relative_to(ROOT / "viewer" / "stage")]
    in_each(others, imports_none(RENDERERS))


def test_collision_imports_nothing_of_the_viewer() -> None:
    collisions = [path for path in SOURCES if path.is_relative_to(ROOT / "collision")]
    in_each(collisions, imports_none(("viewer", "rich", "cyclopts", "PIL")))


def test_collision_works_where_no_renderer_can_be_imported() -> None:
    code = f"""
import sys
for name in {(*RENDERERS, "viewer")!r}:
    sys.modules[name] = None  # an import of it fails
import collision, collision.importers, collision.scenefile
scene = collision.scenefile.parse_scene('[shapes.a]\\nkind = "sphere"\\ncenter = [0, 0, 0]\\nradius = 1')
print(collision.signed_distance(scene["a"], collision.Point([3, 0, 0])))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2.0\n", "")


def test_import_linter_is_told_the_same() -> None:
    rules = {contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]}
    for name in ("collision knows nothing of the viewer or of any renderer", "only the stage talks to PyVista and VTK"):
        assert set(RENDERERS) <= set(rules[name]["forbidden_modules"])


@pytest.mark.parametrize("package", ["collision", "viewer"])
def test_no_two_files_of_a_package_import_each_other_in_a_circle(package: str) -> None:
    graph = imported_files(package)
    assert len(graph) > 100
    assert [sorted(names) for names in circles_in(graph)] == []


def test_a_circle_of_files_is_found() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"d"}, "e": {"a"}}
    assert circles_in(graph) == {frozenset("abc"), frozenset("d")}


def imported_files(package: str) -> dict[str, set[str]]:
    """Return for each module of a package those of it that it imports, for type checkers and inside functions too."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in SOURCES}
    graph = {}
    for name in (name for name in names if name.partition(".")[0] == package):
        stub = names[name].with_suffix(".pyi")  # which names what is imported later
        nodes = [node for path in (names[name], stub) if path.exists() for node in nodes_of(path)]
        found = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        for node in (node for node in nodes if isinstance(node, ast.ImportFrom)):
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {part if part in names else str(node.module) for part in parts}
        graph[name] = {other for other in found if other in names and other.partition(".")[0] == package}
    return graph


def circles_in(graph: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Return the largest sets of modules that all reach each other."""
    reached = {name: _reached(graph, name) for name in graph}
    return {
        frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]
    }


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        new = graph[left.pop()] - found
        found |= new
        left.extend(new)
    return found


# -- what is asked of cores --------------------------------------------------------------------------------------------

COLLISION = ROOT / "collision"
ABOVE_KERNELS = [
    path for path in SOURCES if path.is_relative_to(COLLISION) and path.relative_to(COLLISION).parts[0] != "kernels"
]


#: The only functions above the kernels that ask a core for a list, of its corners or its edges. Each has another way
#: where there is none; what is true of every core is asked of it with a function, as `ShapeCore.extremes` takes one.
LISTS = {
    "collision/explaining/containing.py": {"_of_bounded"},
    "collision/explaining/normals.py": {"_ways"},
    "collision/models/deciding.py": {"_corners"},
    "collision/promises/inside.py": {"undecidable", "extreme"},
    "collision/queries/ambiguity.py": {"all_normals"},
    "collision/shapes/kinds.py": {"_smallest"},
}

#: The ways to a list: the questions themselves, also by name, all that is known of a core, and the numbers it is of.
_WAYS = re.compile(r"\b(core|extent|EXTENT)\.(vertices|outline|extent|operands)\b|'(vertices|outline)'")


def test_only_kernels_know_the_corners_of_a_core() -> None:
    above = [path for path in SOURCES if path in ABOVE_KERNELS or path.is_relative_to(ROOT / "viewer")]
    words = re.compile(r"vertices|outline|extent|EXTENT|operands")  # no way is without one; to search trees takes long
    asking = [path for path in above if name_of(path) in LISTS or words.search(path.read_text(encoding="utf-8"))]
    in_each(asking, lambda path: asks_for_lists(tree_of(path), LISTS.get(name_of(path), set())))
    for bad in (
        "shape.core.vertices()",
        "(ask := shape.core.vertices)",
        "getattr(shape.core, 'vertices')()",
        "shape.core.outline().edges",
        "ROWS[shape.core_type].extent.vertices(numbers)",
        "shape.core.operands[3]",
        "box.EXTENT.vertices(numbers)",
    ):
        with pytest.raises(AssertionError):
            asks_for_lists(ast.parse(f"def f(shape): return {bad}"), set())
        with pytest.raises(AssertionError, match="another way"):
            asks_for_lists(ast.parse(f"class A:\n    def f(self, shape): return {bad}"), {"f"})
    with pytest.raises(AssertionError):
        asks_for_lists(ast.parse("def f(shape): return shape.core.middle()"), {"f"})


def asks_for_lists(tree: ast.Module, named: set[str]) -> None:
    """Fail unless the named functions alone, and those of `ShapeCore` itself, ask cores for lists, and for `None`."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name != "ShapeCore"]
    parts = [*(node for node in tree.body if not isinstance(node, ast.ClassDef)), *(n for c in classes for n in c.body)]
    texts = {getattr(node, "name", ast.unparse(node)): ast.unparse(node) for node in parts}
    asking = {name: text for name, text in texts.items() if _WAYS.search(text)}
    assert set(asking) == named
    for name, text in asking.items():
        assert re.search(r"\bis (not )?None\b", text), f"{name} needs another way for cores without corners"


def test_only_kernels_tell_types_of_cores_apart() -> None:
    in_each(ABOVE_KERNELS, lambda path: tells_types_apart(tree_of(path)))
    for bad in ("shape.core_type == CoreType.BOX", "CoreType.BOX in types", "shape.core.type is BOX"):
        with pytest.raises(AssertionError):
            tells_types_apart(ast.parse(bad))


def tells_types_apart(tree: ast.Module) -> None:
    """Fail where a type of core is compared with one, but for their order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is):
            text = ast.unparse(node)
            assert not re.search(r"\.core_type\b|\bcore\.type\b|\bCoreType\.", text), f"line {node.lineno}: {text}"


# -- what is public ----------------------------------------------------------------------------------------------------

PUBLIC = sorted(collision.__all__)


def test_all_is_sorted_and_what_it_names_is_there() -> None:
    for module in (collision, inner):
        assert list(module.__all__) == sorted(set(module.__all__))
        assert [name for name in module.__all__ if not hasattr(module, name)] == []
        with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
            getattr(module, "nonsense")  # noqa: B009


def test_a_name_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys, collision; assert 'numpy' not in sys.modules; assert 'Scene' in dir(collision);"
        "collision.Sphere; assert 'Sphere' in vars(collision); sys.exit('collision.scene.scene' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)
    assert not hasattr(collision, "no_such_name")


def test_check_imports_no_more_than_it_needs_and_starts_no_threads() -> None:
    code = """
import os, sys
sys.argv = ["collision-viewer", "check", "examples/first.toml"]
from viewer.__main__ import main
main()
known = {".".join(name.split(".")[:parts]) for name in sys.modules for parts in (1, 2, 3)}
tasks = "/proc/self/task"
print(*sorted(known), len(os.listdir(tasks)) if os.path.exists(tasks) else 1, "OPENBLAS_NUM_THREADS" in os.environ)
"""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert "2 pairs of 6 shapes collide" in done.stdout
    *known, threads, left = done.stdout.splitlines()[-1].split()
    dear = {"explaining", "timeline", "importers", "testing"}
    dear |= {f"queries.{name}" for name in ("gradients", "manifolds", "sweeps", "turning", "touching")}
    assert not {f"collision.{name}" for name in dear} & {*known}
    assert not {"viewer.stage", "viewer.session", *RENDERERS, "PIL", "tomlkit", "scipy"} & {*known}
    assert not {"viewer.cli.testing", "viewer.cli.explain", "rich"} & {*known}
    assert (threads, left) == ("1", "False")


def test_every_public_class_is_explained() -> None:  # what is called, tests/test_docstrings.py looks at
    check_each([name for name in PUBLIC if inspect.isclass(getattr(collision, name))], _is_explained)


def _is_explained(name: str) -> None:
    value = getattr(collision, name)
    text = inspect.getdoc(value)
    assert text, f"collision.{name} has no docstring"
    if name == "Shape":  # a name for annotations; its kinds have the examples
        return
    if _is_answer(value):  # the query that returns it has the example
        described = set(re.findall(r"^(\w[\w, ]*) :", text.partition("\nAttributes\n----------\n")[2], re.MULTILINE))
        assert {word for words in described for word in words.split(", ")} >= set(_fields(value))
        return
    assert doctest.DocTestParser().get_examples(text), f"collision.{name} has no example that runs"
    assert "\nExamples\n--------\n" in text, f"collision.{name} has no section Examples"
    assert "\nParameters\n----------\n" in text, f"collision.{name} does not describe its parameters"


def _is_answer(value: object) -> bool:
    """Say whether users get this from queries rather than make it."""
    return inspect.isclass(value) and "\nAttributes\n----------\n" in (inspect.getdoc(value) or "")


def _fields(record: Any) -> tuple[str, ...]:
    """Return the public names of what a record holds, be it a named tuple or a dataclass."""
    if dataclasses.is_dataclass(record):
        return tuple(field.name for field in dataclasses.fields(record) if not field.name.startswith("_"))
    return tuple(record._fields)


def test_no_class_of_collision_has_the_name_of_another() -> None:
    nodes = [(path, node) for path in SOURCES for node in nodes_of(path) if isinstance(node, ast.ClassDef)]
    count = Counter(node.name.lstrip("_") for _, node in nodes)
    own = [(path, node.name) for path, node in nodes if path.is_relative_to(COLLISION)]
    assert [f"{name_of(path)}: {name}" for path, name in own if count[name.lstrip("_")] > 1] == []


def test_every_public_method_is_explained() -> None:
    kinds = (FunctionType, classmethod, property)
    classes = [value for value in map(vars(collision).get, PUBLIC) if inspect.isclass(value)]
    methods = [
        (value, name)
        for value in classes
        for name, method in vars(value).items()
        if not name.startswith("_") and isinstance(method, kinds)
    ]
    assert methods
    assert [f"{value.__name__}.{name}" for value, name in methods if not inspect.getdoc(getattr(value, name))] == []


# -- who remembers what ------------------------------------------------------------------------------------------------

#: What the only objects that modules keep are about: what can be drawn on this machine.
KEPT = {"viewer.stage.gl._READINESS"}

VIEWER = [path for path in SOURCES if path.is_relative_to(ROOT / "viewer") and path.name != "__main__.py"]


def test_no_module_of_the_viewer_has_a_cache_or_an_object_that_may_change() -> None:
    in_each(VIEWER, _keeps_nothing)


def _keeps_nothing(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    for name, value in vars(module).items():
        if name.startswith("__") or f"{module.__name__}.{name}" in KEPT:
            continue
        for part in _parts(value):
            made = type(part).__module__.startswith("viewer") and not isinstance(part, type | Enum | tuple)
            frozen = dataclasses.is_dataclass(type(part)) and type(part).__dataclass_params__.frozen
            assert not made or frozen, f"{name} is, or has, an object that lives as long as the module"
    nodes = nodes_of(path)
    caches = {"cache", "lru_cache"}
    # A cache that is an attribute of an object has an owner.
    kept = [node for node in nodes if isinstance(node, ast.Assign)]
    owned = [node.value for node in kept if all(re.match(r"\(?self\.", ast.unparse(to)) for to in node.targets)]
    own = {id(node) for value in owned for node in ast.walk(value)}
    names = [node for node in nodes if isinstance(node, ast.Name) and id(node) not in own]
    assert not caches.intersection(node.id for node in names)
    attributes = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in caches]
    # `config.cache` is pytest's own folder.
    assert all(ast.unparse(node.value).endswith("config") for node in attributes)


def _parts(value: object) -> Iterator[object]:
    """Yield a value, and what is in it if it is a container."""
    yield value
    if isinstance(value, tuple | list | set | frozenset | Mapping):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _parts(part)


def test_no_file_of_the_viewer_uses_a_private_name_of_an_object_of_another() -> None:
    in_each(VIEWER, _uses_no_private_names)


def _uses_no_private_names(path: Path) -> None:
    nodes = nodes_of(path)
    names = [node for node in nodes if isinstance(node, ast.Attribute)]
    own = {node.attr for node in names if isinstance(node.ctx, ast.Store)}
    own |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    own |= {node.target.id for node in nodes if isinstance(node, ast.AnnAssign) and hasattr(node.target, "id")}
    # What Python and its named tuples have with an underscore is for everyone.
    allowed = {"_asdict", "_exit", "_fields", "_make", "_replace"} | own
    for node in names:
        inherited = isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
        private = node.attr.startswith("_") and not node.attr.startswith("__")
        assert inherited or not private or node.attr in allowed, f"{node.attr}, line {node.lineno}"


# -- what is shipped ---------------------------------------------------------------------------------------------------


def test_the_distribution_has_every_package() -> None:
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in SOURCES if path.name == "__init__.py"}
    settings = PROJECT["tool"]["setuptools"]
    assert set(settings["packages"]) == found | {"viewer.examples", "viewer.examples.lessons"}
    assert settings["package-dir"] == {"viewer.examples": "examples"}
    for package in ("collision", "viewer"):
        assert (ROOT / package / "py.typed").is_file()
        assert "py.typed" in settings["package-data"][package]
    assert "*.pyi" in settings["package-data"]["collision"]


def test_every_module_is_in_a_package() -> None:
    folders = {path.parent for path in SOURCES}
    assert [name_of(folder) for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_every_third_party_import_is_declared() -> None:
    distributions = {"PIL": "pillow", "vtkmodules": "vtk", "pydantic_core": "pydantic"}
    extras = PROJECT["project"]["optional-dependencies"]
    declared = [
        *PROJECT["project"]["dependencies"],
        *(line for name in ("compile", "robots", "movies", "scipy", "notebook") for line in extras[name]),
    ]
    names = {re.split(r"[>\[]", requirement)[0] for requirement in declared}
    own = {"collision", "viewer", *sys.stdlib_module_names}
    # What pytest imports, so that it is there.
    plugin = {ROOT / "viewer" / "verdicts" / f"{name}.py" for name in ("fixtures", "plugin", "scenefiles", "stash")}
    used = {name for path in SOURCES for name in imports(path) - ({"pytest"} if path in plugin else set())} - own
    assert {distributions.get(name, name) for name in used} <= names
