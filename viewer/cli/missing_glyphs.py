"""Which characters of a scene pictures show otherwise than a reader expects."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from collision import Scene
from viewer.records.words import counted

if TYPE_CHECKING:
    from viewer.files.loading import Loaded

#: So many of them are named.
_NAMED = 8


def warn_of_glyphs(loaded: Loaded) -> None:
    """Say on stderr which characters of a scene are not drawn as they should be."""
    for note in glyph_notes(loaded.scene):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)


def glyph_notes(scene: Scene) -> Iterator[str]:
    """Say which characters of names, title, caption and labels are drawn as boxes, and which in the wrong order.

    Examples
    --------
    >>> from collision import Point
    >>> scene = Scene({"Ω": Point([0, 0, 0]), "箱 é": Point([1, 0, 0])}, title="两个点", caption="קיר")
    >>> for note in glyph_notes(scene):
    ...     print(note)
    4 characters that the font lacks are drawn as □: 两 个 点 箱
    3 characters that are read from right to left are drawn from left to right: ק י ר
    """
    texts = (scene.title, scene.caption, *scene.shapes, *(show.label for show in scene.shows))
    special = {character: ord(character) for character in "".join(texts) if not character.isascii()}
    if not special:
        return
    from viewer.stage.text.fonts import missing_glyphs

    missing = missing_glyphs("".join(special))
    if missing:
        yield _note(missing, "that the font lacks", "drawn as □")
    reversed_ = [one for one in special if one not in missing and unicodedata.bidirectional(one) in ("R", "AL")]
    if reversed_:
        are = "is" if len(reversed_) == 1 else "are"
        yield _note(reversed_, f"that {are} read from right to left", "drawn from left to right")


def _note(characters: Sequence[str], which: str, drawn: str) -> str:
    named = [one if one.isprintable() else f"U+{ord(one):04X}" for one in characters[:_NAMED]]
    more = f" and {len(characters) - _NAMED} more" if len(characters) > _NAMED else ""
    are = "is" if len(characters) == 1 else "are"
    return f"{counted(len(characters), 'character')} {which} {are} {drawn}: {' '.join(named)}{more}"
