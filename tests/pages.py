"""The pages for readers: which there are, what is in them, and the pieces that are made from the code.

``python -m tests.pages`` renews those pieces: the tables of the reference pages, and the drawings of the plan in
``CONTRIBUTING.md``. They stand between marks such as ``<!-- keys: begin -->`` and
``<!-- keys: end -->``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import grimp

import collision.native
from tests import reference

ROOT = Path(__file__).parent.parent
README, CONTRIBUTING, CHANGELOG = (ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG"))
LIBRARY, VIEWER, EXAMPLES, TESTS = (ROOT / f / "README.md" for f in ("collision", "viewer", "examples", "tests"))
ROBOTS = ROOT / "examples" / "robots" / "README.md"
REFERENCE, VIEWER_REFERENCE = (ROOT / folder / "REFERENCE.md" for folder in ("collision", "viewer"))
MACHINE_CODE, WEB_PAGES = (ROOT / "collision" / folder / "README.md" for folder in ("native", "wasm"))
OF_COLLISION, OF_VIEWER = (LIBRARY, REFERENCE, MACHINE_CODE, WEB_PAGES), (VIEWER, VIEWER_REFERENCE)
PAGES = (README, CONTRIBUTING, CHANGELOG, *OF_COLLISION, *OF_VIEWER, EXAMPLES, ROBOTS, TESTS)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return all that stands in fences of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def section(text: str, title: str) -> str:
    return text.split(f"\n## {title}\n")[1].split("\n## ", maxsplit=1)[0]


def rows(text: str, header: str) -> list[list[str]]:
    """Return the cells of the first table whose first heading this is."""
    table = text.split(f"\n| {header} |")[1].split("\n\n", maxsplit=1)[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line[1:-1])] for line in table.splitlines()[2:]]


# -- what is made from the code ----------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A row of the plan: some modules that belong together."""

    name: str
    modules: tuple[str, ...]


def parts(package: str) -> list[Part]:
    """Return the parts of a package, as the table of its plan has them."""
    plan = section(read(CONTRIBUTING), f"The plan of `{package}`")
    found = [(name, re.findall(r"`([\w/]+)`", modules)) for name, modules, *_ in rows(plan, "Part")]
    return [
        Part(name, tuple(f"{package}/{m}".rstrip("/").replace("/", ".") for m in modules)) for name, modules in found
    ]


def part_imports(package: str) -> dict[str, set[str]]:
    """Return which parts of a package import which others."""
    place = {module: part.name for part in parts(package) for module in part.modules}
    graph = grimp.build_graph(package, exclude_type_checking_imports=True)
    found: dict[str, set[str]] = {part.name: set() for part in parts(package)}
    for module in graph.modules - {package}:
        for other in graph.find_modules_directly_imported_by(module) - {package}:
            found[_at(place, module)].add(_at(place, other))
    return {part: others - {part} for part, others in found.items()}


def _at(place: Mapping[str, str], module: str) -> str:
    """Return the part of a module, or else that of the package that it is in."""
    if not module:
        raise ValueError("a module is in no part of the plan in CONTRIBUTING.md; test_pages.py says which")
    return place[module] if module in place else _at(place, module.rpartition(".")[0])


def direct(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Leave out each arrow from A to C where arrows from A to B and on lead there as well, and none of them back."""
    reached = {part: _reached(part, imports) for part in imports}
    return {
        part: {
            other
            for other in others
            if not any(other in reached[via] and part not in reached[via] for via in others - {other})
        }
        for part, others in imports.items()
    }


def _reached(part: str, imports: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [part]
    while waiting:
        for other in imports[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def drawing(package: str) -> str:
    """Return the plan of a package as a diagram: an arrow from each part to those whose modules it imports."""
    lines = ["```mermaid", "flowchart TD"]
    numbers = {part.name: f"r{number}" for number, part in enumerate(parts(package))}
    lines += [f'    {number}["{name}"]' for name, number in numbers.items()]
    for part, others in direct(part_imports(package)).items():
        lines += [f"    {numbers[part]} --> {number}" for name, number in numbers.items() if name in others]
    return "\n".join([*lines, "```"])


#: By the name of its marks: the page that a piece stands on, and what makes it.
MADE: dict[str, tuple[Path, Callable[[], str]]] = {
    **{name: (REFERENCE, make) for name, make in reference.OF_COLLISION.items()},
    "files of native": (MACHINE_CODE, lambda: reference.modules(collision.native)),
    **{name: (VIEWER_REFERENCE, make) for name, make in reference.OF_VIEWER.items()},
    "plan of collision": (CONTRIBUTING, lambda: drawing("collision")),
    "plan of viewer": (CONTRIBUTING, lambda: drawing("viewer")),
}


def renewed(name: str) -> str:
    """Return the page of a piece with that piece made anew."""
    page, make = MADE[name]
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = read(page).split(begin)
    return f"{before}{begin}\n{make()}\n{end}{rest.split(end)[1]}"


def main() -> None:
    """Make all pieces anew."""
    for name, (page, _) in MADE.items():
        text = renewed(name)
        if text != read(page):
            page.write_text(text, encoding="utf-8")
            print(f"{name_of(page)}: {name}")


if __name__ == "__main__":
    main()
