"""The text of a scene file in blocks, one for each header with the comments right above it, and changes inside of one.

What a block says about its comments: those right above a header are about its table, and so are those among its keys.
Those that stand by themselves, after an empty line, are about nobody: they stay where the table is taken out.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import tomlkit

from collision.files.toml import Path, key_lines


class Block(NamedTuple):
    """A header, with the comments right above it, and what follows up to the next one; where the header leads.

    The text before the first header leads nowhere, and neither do comments of a table that was taken out.
    """

    path: Path
    text: str


def cut(text: str) -> Iterator[Block]:
    r"""Cut a text into blocks, the first of which is what stands before the first header.

    Examples
    --------
    >>> for block in cut("# top\n\n# a\n[shapes.a]\nradius = 1\n\n[camera]\n"):
    ...     print(block)
    Block(path=(), text='# top\n\n')
    Block(path=('shapes', 'a'), text='# a\n[shapes.a]\nradius = 1\n\n')
    Block(path=('camera',), text='[camera]\n')
    """
    data, lines = tomllib.loads(text), text.split("\n")
    starts: dict[int, Path] = {}
    for path, number in key_lines(text).items():
        if lines[number - 1].lstrip().startswith("[") and isinstance(_value(data, path), dict):
            first = number - 1
            while first and lines[first - 1].lstrip().startswith("#"):
                first -= 1
            # Comments at the very top are about the file, not about what happens to come first.
            starts[first or number - 1] = path
    if 0 in starts:
        yield Block((), "")
    starts.setdefault(0, ())
    ends = [*sorted(starts)[1:], len(lines)]
    for first, end in zip(sorted(starts), ends, strict=True):
        yield Block(starts[first], "\n".join(lines[first:end]) + ("\n" if end < len(lines) else ""))


def _value(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


def fresh(path: Path, header: str, lines: Iterable[str]) -> Block:
    """Return a new block, with an empty line behind it."""
    return Block(path, "\n".join([header, *lines, "", ""]))


def joined(blocks: Iterable[Block]) -> str:
    """Return the text of blocks."""
    return "".join(block.text for block in blocks)


def closed(block: Block) -> Block:
    """Return a block with an empty line behind it, if there is something in it."""
    text = block.text
    if not text.strip() or re.search(r"\n[ \t\r]*\n$", text):
        return block
    return Block(block.path, text + "\n" * (not text.endswith("\n")) + "\n")


def parted(text: str) -> tuple[str, str]:
    r"""Part a block from the comments that stand by themselves behind it.

    Examples
    --------
    >>> parted("[a]\nx = 1 # own\n# too\n\n# -- the others --\n\n")
    ('[a]\nx = 1 # own\n# too\n\n', '# -- the others --\n\n')
    """
    lines = text.split("\n")
    end = _end_of_keys(lines)
    while end < len(lines) and lines[end].strip():
        end += 1
    while end < len(lines) and not lines[end].strip():
        end += 1
    own, rest = "\n".join(lines[:end]), "\n".join(lines[end:])
    return (f"{own}\n", rest) if rest else (text, "")


def _end_of_keys(lines: list[str]) -> int:
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def edited(text: str, change: Callable[[Any], object]) -> str:
    """Return a block after a change to what it holds; the empty lines and comments at its end stay there."""
    lines = text.split("\n")
    end = _end_of_keys(lines)
    body, tail = "\n".join(lines[:end]), "\n".join(lines[end:])
    document = tomlkit.parse(body + "\n")
    change(document)
    changed = tomlkit.dumps(document)
    if not body:  # nothing but comments: they stay in front
        above = tail.rstrip("\n") + "\n\n" if tail.strip() else tail
        return f"{above}{changed.strip()}\n\n"
    return changed + tail if end < len(lines) else changed.removesuffix("\n")


def with_header(text: str, path: str) -> str:
    """Return a block with its header leading elsewhere."""
    header = re.compile(r"^([ \t]*\[)(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|[^\]\"'])*(\])", re.MULTILINE)
    return header.sub(lambda match: match[1] + path + match[2], text, count=1)
