"""The pairs of a scene that collide, as commands list them: a table, and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.cli.options import MAX_PAIRS
from viewer.cli.output import Table, compile_notice, print_rich
from viewer.records.words import counted, plain

if TYPE_CHECKING:
    from collision import Contacts, FirstContacts, Scene
    from collision.inner import FloatArray
    from viewer.files.loading import Loaded


def contact_table(scene: Scene, contacts: Contacts, *, signed: bool = False) -> Table:
    """Return contacts as a table, with signed distances (for contacts with a margin) or depths; touches as such."""
    gaps = contacts.signed_distance if signed else contacts.depth
    amounts = ["touching" if one else plain(gap, 0.0) for gap, one in zip(gaps, contacts.only_touching, strict=True)]
    points, normals = _columns(contacts.point), _columns(contacts.normal)
    rows = (
        (scene.element_name(int(a)), scene.element_name(int(b)), amount, point, normal)
        for (a, b), amount, point, normal in zip(contacts.pairs, amounts, points, normals, strict=True)
    )
    header = ("A", "B", "signed distance" if signed else "depth", "contact point", "normal A to B")
    return Table(header, rows, right=(2,))


def time_words(loaded: Loaded, at: float | None) -> str:
    """Return the words for a time of a motion, at which contacts are listed; none for a scene without motion."""
    if loaded.scene.span is None:
        return ""
    return f" at the start (t = {loaded.scene.span[0]:g})" if at is None else f" at {at:g} s"


def summary(scene: Scene, pairs: int, margin: float = 0.0, when: str = "", touching: int = 0) -> str:
    """Say in one sentence how many pairs were found, and how many of them only touch.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)})
    >>> summary(scene, 1)
    '1 pair of 2 shapes collides.'
    >>> summary(scene, 1, touching=1), summary(scene, 3, touching=1)
    ('1 pair of 2 shapes touches.', '3 pairs of 2 shapes collide, 1 of them only touches.')
    >>> summary(scene.ignoring(("a", "b")), 0)
    'No pair of 2 shapes collides; 1 pair ignored.'
    >>> summary(scene.without("a"), 0)
    'Nothing can collide: the scene has only 1 shape.'
    """
    from viewer.picture.notes import half_space_pairs, half_spaces_note, ignored_count, ignored_note

    shapes = scene.element_count
    if shapes < 2:
        return f"Nothing can collide: the scene has {'only 1 shape' if shapes else 'no shapes'}."
    among = f"{counted(pairs, 'pair') if pairs else 'No pair'} of {counted(shapes, 'shape')}"
    many = pairs > 1
    near = f"{'are' if many else 'is'} within {margin:g} of each other"
    alone = 0 < touching == pairs
    found = near if margin else ("touch" if many else "touches") if alone else "collide" if many else "collides"
    only = f", {touching} of them only touch{'es' if touching == 1 else ''}" if touching and not alone else ""
    notes = filter(None, (ignored_note(ignored_count(scene)), half_spaces_note(half_space_pairs(scene))))
    return "; ".join([f"{among} {found}{when}{'' if margin else only}", *notes]) + "."


def print_contacts(scene: Scene, margin: float = 0.0, when: str = "", most: int = MAX_PAIRS) -> FirstContacts:
    """Print the pairs that collide, so many at most, and when that is; return them, and how many there are."""
    with compile_notice():
        found = scene.first_contacts(most, margin=margin)
    if len(found.contacts):
        print_rich(contact_table(scene, found.contacts, signed=margin > 0.0))
    print_left(found.total, len(found.contacts), "pair")
    print_rich(summary(scene, found.total, margin, when, found.only_touching))
    return found


def print_left(count: int, shown: int, what: str) -> None:
    """Say how many pairs, or times, are not listed."""
    if count > shown:
        print_rich(f"... and {counted(count - shown, f'more {what}')}: --max-pairs sets how many are listed.")


def _columns(vectors: FloatArray) -> list[str]:
    """Write vectors with their numbers in columns, so that they can be compared by eye."""
    texts = []
    for row in vectors.tolist():
        # Beside the largest coordinate, a tiny one is rounding: it is shown as zero.
        noise = 1e-9 * max(map(abs, row))
        texts.append([plain(0.0 if abs(value) < noise else value, 0.0) for value in row])
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in texts]
