"""The broad phase as it is seen: the boxes that it compares, and the pairs of them that it kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision import AABB, Contacts, Scene, candidate_pairs
from collision.inner import BoolArray, FloatArray, IntArray
from viewer.camera.lines import stroke_of
from viewer.records.drawables import Drawable, Marker, Role, Stroke
from viewer.records.words import counted

#: Of more boxes, or pairs, than this, only those that the selection has a part in are drawn, or as many of them.
MOST = 400


class BroadPhase(NamedTuple):
    """The pairs that the broad phase kept, which of them collide and which only touch, and the boxes of all elements.

    Boxes are NaN for what is hidden, and for what has no end.
    """

    pairs: IntArray
    collide: BoolArray
    touch: BoolArray
    lower: FloatArray
    upper: FloatArray

    @property
    def note(self) -> str:
        """What came of it, in words."""
        hit, touching = int(np.count_nonzero(self.collide)), int(np.count_nonzero(self.touch))
        touches = f", touching: {touching:,}" if touching else ""
        return f"boxes overlap: {counted(len(self.pairs), 'pair')}, colliding: {hit:,}{touches}"


def broad_phase(scene: Scene, contacts: Contacts) -> BroadPhase:
    """Return what the broad phase made of a scene.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"balls": Sphere([[0, 0, 0], [1.5, 1.5, 0], [1.5, 0, 0], [3.5, 0, 0]], 1)})
    >>> broad_phase(scene, scene.contacts()).note
    'boxes overlap: 5 pairs, colliding: 2, touching: 1'
    """
    pairs = candidate_pairs(scene)
    lower, upper = np.full((2, scene.element_count, 3), np.nan)
    for elements, shape in scene.groups:
        if shape.bounded:
            lower[elements], upper[elements] = shape.corners()
    hit, touching = contacts.pairs[~contacts.only_touching], contacts.pairs[contacts.only_touching]
    keys, hit, touching = (some[:, 0] * scene.element_count + some[:, 1] for some in (pairs, hit, touching))
    return BroadPhase(pairs, np.isin(keys, hit), np.isin(keys, touching), lower, upper)


def box_marks(broad: BroadPhase, selected: IntArray) -> list[Drawable]:
    """Return the boxes, and for each pair that was kept a line between their middles.

    Parameters
    ----------
    broad : BroadPhase
        What there is to see.
    selected : ndarray of int
        The elements to draw where there are too many.
    """
    pairs, collide, touch = broad.pairs, broad.collide, broad.touch
    if len(pairs) > MOST and len(selected):
        rows = np.isin(pairs, selected).any(axis=1)
        pairs, collide, touch = pairs[rows], collide[rows], touch[rows]
    pairs, collide, touch = pairs[:MOST], collide[:MOST], touch[:MOST]
    drawn = np.arange(len(broad.lower))
    if len(drawn) > MOST:
        drawn = np.union1d(np.unique(pairs), selected)[:MOST]
    boxes = drawn[np.isfinite(broad.lower[drawn]).all(axis=1)]
    marks: list[Drawable] = [stroke_of(AABB(broad.lower[boxes], broad.upper[boxes]), Role.BOX)] if len(boxes) else []
    middle = 0.5 * broad.lower + 0.5 * broad.upper
    pairs_seen = np.isfinite(middle[pairs]).all(axis=(1, 2))
    for role, chosen in ((Role.KEPT, ~(collide | touch)), (Role.KEPT_TOUCHING, touch), (Role.KEPT_HIT, collide)):
        rows = chosen & pairs_seen
        if rows.any():
            start, end = middle[pairs[rows, 0]], middle[pairs[rows, 1]]
            marks += [Stroke(start, end, role), Marker(np.concatenate([start, end]), role)]
    return marks
