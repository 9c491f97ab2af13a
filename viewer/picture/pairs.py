"""What is shown of pairs: of the two that are selected, of what is near the selection, and of all that collide.

Everything drawn here is an answer of `collision`. However many pairs there are, each kind of mark is one drawable.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from collision import (
    Contact,
    Contacts,
    Manifold,
    Normals,
    Point,
    Scene,
    Segment,
    Shape,
    Sphere,
    all_normals,
    contact,
    manifold,
)
from collision.inner import IntArray, joined
from viewer.camera.elements import numbers_of
from viewer.picture.broad_phase import box_marks, broad_phase
from viewer.picture.shows import NORMAL_LENGTH, between, corner_marks, dots, normal_marks, stroke
from viewer.records.drawables import Arrow, Drawable, Ghost, Label, Marker, Role, SeeThrough, SolidShape, Stroke
from viewer.records.words import gap, number, size_of

if TYPE_CHECKING:
    from viewer.session import Session

#: Of more pairs than this, only the nearest (or deepest) have their distance drawn, and of so many it is written.
MOST_GAPS, MOST_TEXTS = 200, 12


#: Kinds that touch others at one point only.
_ROUND: set[type[Shape]] = {Point, Sphere}

#: What more elements than this are near to is picked from all that is near.
_MANY = 64


def pair_marks(session: Session, contacts: Contacts, closeup: Closeup | None) -> tuple[list[Drawable], str]:
    """Return what is shown of pairs, and a note on the broad phase where that is shown.

    Parameters
    ----------
    session : Session
        What is selected, and what is to be shown.
    contacts : Contacts
        Of its scene.
    closeup : Closeup, optional
        The pair that is looked at.
    """
    scene, toggles = session.scene, session.settings.toggles
    marks: list[Drawable] = [SeeThrough()] if toggles.see_through else []
    selected, note = numbers_of(scene, session.selected), ""
    if toggles.boxes:
        boxes = broad_phase(scene, contacts)
        marks, note = [*marks, *box_marks(boxes, selected)], boxes.note
    listed = _of(contacts, selected) if toggles.contacts or toggles.normals else None
    near = _near(scene, session.selected, selected, session.settings.margin) if toggles.distances else None
    if toggles.normals:
        marks += normals_of(scene, listed if near is None else near)
    if toggles.contacts and listed is not None and len(listed):
        marks += [*corner_marks(*patches_of(scene, listed)), Marker(listed.point, Role.CONTACT)]
    if near is not None:
        marks += gap_marks(_without(scene, near, closeup))
    if closeup is not None:
        marks += closeup_marks(closeup, ghost=toggles.ghost, whole=session.selection.pair is not None)
    return marks, note


def patches_of(scene: Scene, contacts: Contacts) -> list[Manifold]:
    """Return the contact patches of pairs, in batches by kinds; of very many pairs, those of the deepest."""
    pairs = [(scene.element(a), scene.element(b)) for a, b in contacts.pairs[contacts.deepest(MOST_GAPS)].tolist()]
    by_kinds: dict[tuple[type[Shape], type[Shape]], list[tuple[Shape, Shape]]] = {}
    for a, b in pairs:
        if not {type(a), type(b)} & _ROUND:
            by_kinds.setdefault((type(a), type(b)), []).append((a, b))
    columns = ((kinds, zip(*some, strict=True)) for kinds, some in by_kinds.items())
    return [manifold(*(joined(kind, list(shapes)) for kind, shapes in zip(*parts, strict=True))) for parts in columns]


def _of(contacts: Contacts, elements: IntArray) -> Contacts:
    """Return the contacts that some elements have a part in; all, without any."""
    return contacts.take(np.isin(contacts.pairs, elements).any(axis=1)) if len(elements) else contacts


def _near(scene: Scene, names: tuple[str, ...], elements: IntArray, margin: float) -> Contacts:
    """Return what is no more than a margin apart and has a part in the selection; without one, all that is."""
    if len(names) == 1 and len(elements) <= _MANY:
        return scene.contacts(margin=margin, of=names[0])
    return _of(scene.contacts(margin=margin), elements)


def _without(scene: Scene, contacts: Contacts, closeup: Closeup | None) -> Contacts:
    """Return contacts without the pair that has marks of its own."""
    if closeup is None:
        return contacts
    pair = sorted(scene.element_numbers(name)[0] for name in (closeup.a, closeup.b))
    return contacts.take((contacts.pairs != pair).any(axis=1))


class Closeup:
    """Two single shapes that are looked at: the pushed one is B."""

    def __init__(self, a: str, b: str, shapes: tuple[Shape, Shape]) -> None:
        self.a, self.b, self.shapes = a, b, shapes
        #: How far apart they are, and where they are nearest, or deepest in each other.
        self.contact: Contact = contact(*shapes)
        self.signed_distance = float(self.contact.signed_distance)
        #: How far apart they are, in words.
        self.distance = gap(self.signed_distance, size_of(self.contact.on_a, self.contact.on_b))

    @cached_property
    def normals(self) -> Normals:
        """All directions in which they part by the shortest move."""
        return all_normals(*self.shapes)


def closeup_of(scene: Scene, selected: tuple[str, ...]) -> Closeup | None:
    """Return the pair that a selection is about: its two shapes, or its one and the nearest to it.

    Parameters
    ----------
    scene : Scene
        The shapes.
    selected : tuple of str
        Names of some of them.

    Examples
    --------
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([4, 0, 0], 1), "c": Sphere([9, 0, 0], 1)})
    >>> closeup_of(scene, ("a", "c")).a, closeup_of(scene, ("c",)).a, closeup_of(scene, ())
    ('a', 'b', None)
    """
    if len(selected) not in (1, 2):
        return None
    first, last = scene.element_numbers(selected[0]), scene.element_numbers(selected[-1])
    if len(first) != 1 or len(last) != 1:
        return None
    a, b = first[0], last[0]
    if len(selected) == 1:
        nearest = scene.nearest_element(selected[0])
        if nearest is None:
            return None
        a = nearest
    return Closeup(scene.element_name(a), scene.element_name(b), (scene.element(a), scene.element(b)))


def closeup_marks(closeup: Closeup, *, ghost: bool, whole: bool) -> list[Drawable]:
    """Return the witness points of two shapes, their distance, and the ghost of B pushed out of A.

    Parameters
    ----------
    closeup : Closeup
        The two.
    ghost : bool
        Whether to draw the ghost.
    whole : bool
        Whether to draw the normals too.
    """
    (a, b), touch = closeup.shapes, closeup.contact
    marks: list[Drawable] = [*between(a, touch.on_a, b, touch.on_b)]
    if ghost:
        marks += pushed_out(b, touch)
    if whole:
        marks += normal_marks(touch.point, closeup.normals)
    marks.append(Label(touch.point, closeup.distance, value=closeup.signed_distance))
    return marks


def pushed_out(shape: Shape, touch: Contact) -> list[Drawable]:
    """Return shape B as it would be pushed out of A; nothing where they do not overlap, or no move parts them."""
    if not 0.0 < touch.depth < np.inf:
        return []
    ghost = shape.translated(touch.depth * touch.normal)
    if isinstance(ghost, SolidShape):
        return [Ghost.of(ghost)]
    if isinstance(ghost, Point):
        return [dots(Role.GHOST, ghost.position)]
    return [stroke(Role.GHOST, ghost.start, ghost.end)] if isinstance(ghost, Segment) else []


def normals_text(normals: Normals) -> str:
    """Say what there is to choose from; nothing where the normal is the only one.

    Examples
    --------
    >>> ball = Sphere([0, 0, 0], 1)
    >>> normals_text(all_normals(ball, ball)), normals_text(all_normals(ball, Sphere([1, 0, 0], 1)))
    ('every direction is as short', '')
    """
    texts = {
        "none": "no move parts them",
        "several": f"{len(normals.corners)} directions are as short",
        "arc": "an arc of directions is as short",
        "circle": "a circle of directions is as short",
        "patch": "a range of directions is as short",
        "sphere": "every direction is as short",
    }
    return texts.get(normals.kind, "")


def normals_of(scene: Scene, contacts: Contacts | None) -> Iterator[Drawable]:
    """Yield the normals of all these pairs; of a few, all that are as good."""
    if contacts is None or not len(contacts):
        return
    if len(contacts) <= MOST_TEXTS:
        pairs = zip(contacts.pairs.tolist(), contacts.point, strict=True)
        sets = [(point, all_normals(scene.element(a), scene.element(b))) for (a, b), point in pairs]
        marks = [mark for point, normals in sets for mark in normal_marks(point, normals)]
        for kind in (Arrow, Stroke):
            some = [mark for mark in marks if isinstance(mark, kind)]
            if some:
                start, end, about = (
                    np.concatenate([getattr(mark, name) for mark in some]) for name in ("start", "end", "about")
                )
                yield kind(start, end, Role.NORMAL, about)
        return
    tips = NORMAL_LENGTH * contacts.normal
    yield Arrow(np.zeros(tips.shape), tips, Role.NORMAL, contacts.point)


def gap_marks(near: Contacts) -> Iterator[Drawable]:
    """Yield the witness points and the signed distances of pairs; of very many, those of the nearest."""
    order = near.deepest(MOST_GAPS)
    if not len(order):
        return
    yield Stroke(near.on_a[order], near.on_b[order], Role.WITNESS)
    yield Marker(np.concatenate([near.on_a[order], near.on_b[order]]), Role.WITNESS)
    scale = size_of(near.point[order])
    for row in order[:MOST_TEXTS]:
        value = float(near.signed_distance[row])
        yield Label(near.point[row], number(value, scale), value=value)
