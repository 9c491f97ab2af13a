"""XML as URDF and SRDF need it: elements with the lines that they are on; what could do harm is refused."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from collision.base.files import not_regular, shown_path
from collision.models.model import ImporterError
from collision.scene.names import CONTROL

#: No robot is larger: bytes of a file, elements of it, and how deep they lie in each other.
MOST_BYTES, MOST_ELEMENTS, MOST_NESTED = 1 << 26, 1_000_000, 100

#: The longest text of a file that an error quotes.
_LONGEST = 60

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

#: What only xacro understands.
_XACRO = re.compile(r"\$[{(]")


@dataclass(eq=False)
class XmlElement:
    """An element: its tag, its attributes, the elements in it, and where it is."""

    tag: str
    attributes: dict[str, str]
    file: Path
    line: int
    children: list[XmlElement] = field(default_factory=list)

    def __str__(self) -> str:
        name = f" name={quoted(self.attributes['name'])}" if "name" in self.attributes else ""
        return f"<{_printable(self.tag)}{name}>"

    def error(self, text: str) -> ImporterError:
        """Return an error that names the file, the line and the element."""
        return ImporterError(f"{shown_path(self.file)}:{self.line}: {self}: {text}")

    def all(self, tag: str) -> Iterator[XmlElement]:
        """Yield the elements in this one that have a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> XmlElement | None:
        """Return the element in this one that has a tag, or none; a second one is refused."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise found[1].error(f"{self} has one <{tag}> at most; the first is on line {found[0].line}")
        return found[0] if found else None

    def one(self, tag: str) -> XmlElement:
        """Return the element in this one that has a tag."""
        found = self.first(tag)
        if found is None:
            raise self.error(f"expected a <{tag}> in it, got {_listed(child.tag for child in self.children)}")
        return found

    def text(self, key: str) -> str:
        """Return an attribute that has to be there, and must not be empty."""
        if not self.attributes.get(key, "").strip():
            got = "an empty one" if key in self.attributes else _listed(self.attributes)
            raise self.error(f"expected the attribute {key}, got {got}")
        return self.attributes[key]

    def numbers(self, key: str, count: int, default: tuple[float, ...] | None = None) -> list[float]:
        """Return an attribute made of so many finite numbers; one that is written almost so is a mistake."""
        if default is not None and key not in self.attributes:
            if near := difflib.get_close_matches(key, self.attributes, n=1, cutoff=0.65):
                raise self.error(f"it has no attribute {_printable(near[0])}; did you mean {key}?")
            return list(default)
        text = self.text(key)
        words = text.split()
        if len(words) != count or not all(map(NUMBER.fullmatch, words)):
            wanted = "a number" if count == 1 else f"{count} numbers"
            raise self.error(f"{key} must be {wanted}, got {quoted(text)}")
        numbers = [float(word) for word in words]
        if not all(map(math.isfinite, numbers)):
            raise self.error(f"{key} must be finite, got {quoted(text)}")
        return numbers

    def number(self, key: str, default: float | None = None) -> float:
        """Return an attribute that is one finite number."""
        return self.numbers(key, 1, None if default is None else (default,))[0]


def quoted(text: str) -> str:
    """Return some text of a file as an error quotes it: in one line, and not too long."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return repr(_printable(short))


def _printable(text: str) -> str:
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _listed(names: Iterator[str] | dict[str, str]) -> str:
    return ", ".join(map(_printable, list(names)[:8])) or "none"


def root_tag(path: Path) -> str:
    """Return the tag of the first element in a file, or nothing where there is none."""
    try:
        return _XmlFile(path, only_root=True).read().tag
    except ImporterError:
        return ""


def read_xml(path: Path) -> XmlElement:
    """Return the element that holds all others of a file.

    An `ImporterError` says where the file is no XML. What declares a document type is refused, with the entities that
    only such a declaration can define: nothing is read from elsewhere, and nothing grows.
    """
    return _XmlFile(path).read()


def refuse_xacro(root: XmlElement, what: str) -> None:
    """Refuse what only xacro understands, in a file of URDF or SRDF."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        used = next((value for value in element.attributes.values() if _XACRO.search(value)), None)
        if element.tag.startswith("xacro:") or (used is not None and element.tag not in ("gazebo", "plugin")):
            got = f"got {quoted(used)}" if used is not None else "got an element of xacro"
            ending = f".{what.lower()}"
            name = element.file.name.removesuffix(".xacro").removesuffix(ending)
            how = f"xacro {element.file.name} > {name}.expanded{ending}"
            raise element.error(f"expected {what} that xacro has expanded, {got}; expand it with: {how}")
        if element.tag not in ("gazebo", "ros2_control", "transmission"):
            waiting += reversed(element.children)


class _RootFound(Exception):  # noqa: N818 (it is no error)
    """The first element is there, and no more is asked for."""


class _XmlFile:
    """Reads a file once, element by element."""

    def __init__(self, path: Path, *, only_root: bool = False) -> None:
        self._path, self._only_root, self._count = path, only_root, 0
        self._root: XmlElement | None = None
        self._open: list[XmlElement] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = lambda tag: self._open.pop()
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def read(self) -> XmlElement:
        try:
            if words := not_regular(self._path.stat()):
                raise ImporterError(f"{shown_path(self._path)}: {words}")
            with self._path.open("rb") as file:
                for _ in range(MOST_BYTES >> 16):
                    if not (block := file.read(1 << 16)):
                        break
                    self._parser.Parse(block, False)
                else:
                    raise self._error(f"the file is larger than {MOST_BYTES >> 20} MiB, which no model is")
            self._parser.Parse(b"", True)
        except _RootFound:
            pass
        except expat.ExpatError as error:
            raise self._error(f"it is no valid XML: {expat.ErrorString(error.code)}") from error
        except ImporterError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise self._error(f"it is no valid XML: {error}") from error
        except OSError as error:
            raise ImporterError(f"{shown_path(self._path)}: {(error.strerror or str(error)).lower()}") from error
        if self._root is None:
            raise self._error("it is no valid XML: no element found")
        return self._root

    def _error(self, text: str) -> ImporterError:
        return ImporterError(f"{shown_path(self._path)}:{self._parser.CurrentLineNumber}: {text}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = XmlElement(tag, attributes, self._path, self._parser.CurrentLineNumber)
        self._count += 1
        if self._count > MOST_ELEMENTS or len(self._open) >= MOST_NESTED:
            limits = f"{MOST_ELEMENTS:,} elements, and {MOST_NESTED} in each other"
            raise element.error(f"a model has no more than {limits}")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        if self._only_root:
            raise _RootFound

    def _refuse_doctype(self, *declared: object) -> None:
        raise self._error("expected no document type: <!DOCTYPE ...> and its entities are not read")
