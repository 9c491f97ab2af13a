"""Which characters of a scene the font of pictures lacks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from collision import Scene
from viewer.picture.words import counted

if TYPE_CHECKING:
    from viewer.files.loading import Loaded

#: So many of them are named.
_NAMED = 8


def tell_of_lacking(loaded: Loaded) -> None:
    """Say on stderr which characters of a scene the font lacks."""
    if note := lacking_note(loaded.scene):
        print(f"{loaded.path.name}: {note}", file=sys.stderr)


def lacking_note(scene: Scene) -> str:
    """Say which characters of names, title, caption and labels are drawn as boxes; nothing where there are none.

    Examples
    --------
    >>> from collision import Point
    >>> lacking_note(Scene({"Ω": Point([0, 0, 0]), "箱 é": Point([1, 0, 0])}, title="两个点"))
    '4 characters that the font lacks are drawn as □: 两 个 点 箱'
    """
    texts = (scene.title, scene.caption, *scene.shapes, *(show.label for show in scene.shows))
    strange = {character: ord(character) for character in "".join(texts) if not character.isascii()}
    if not strange:
        return ""
    from viewer.stage.text.fonts import characters_of, font_file

    known = characters_of(font_file(bold=False))
    lacking = [character for character, number in strange.items() if number not in known]
    if not lacking:
        return ""
    named = [one if one.isprintable() else f"U+{ord(one):04X}" for one in lacking[:_NAMED]]
    more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
    are = "is" if len(lacking) == 1 else "are"
    return f"{counted(len(lacking), 'character')} that the font lacks {are} drawn as □: {' '.join(named)}{more}"
