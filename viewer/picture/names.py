"""The names of shapes: which are written into a picture. A stage finds where one sees each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision import Contacts, Point, Scene, Shape
from collision.inner import BoolArray
from viewer.records.drawables import Cores, Label, Role

#: All shapes are named in a scene of so few, and all but the elements of batches in one of so few entries; else those
#: that collide.
FEW = 12

#: Of more shapes that collide than this, only those of the deepest pairs are named: as many pairs as the table has.
MANY = 24

#: Points are named, unless there are more than this: a point is too small to tell what it is.
MANY_POINTS = 24


def name_labels(
    scene: Scene,
    contacts: Contacts,
    pairs: int,
    unnamed: str | None = None,
    also: Sequence[str] = (),
) -> list[Label]:
    """Return the names of points, and of all shapes or of those that collide.

    Parameters
    ----------
    scene : Scene
        The shapes.
    contacts : Contacts
        Who collides.
    pairs : int
        Of how many pairs, the deepest, the shapes are named where very many collide.
    unnamed : str, optional
        A shape to leave out, unless it is a point.
    also : sequence of str, optional
        Shapes that are named in any scene.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "behind": Sphere([0, 0, -4], 1)})
    >>> [label.text for label in name_labels(scene, scene.contacts(), 8)]
    ['ball', 'behind']
    """
    wanted = _wanted(scene, contacts, pairs)
    for name in also:
        wanted[scene.element_numbers(name)] = True
    named = _to_name(scene, wanted, unnamed)
    shapes = ((scene.element_name(element), scene.element(element)) for element in named)
    return [
        *_of_points(scene, wanted),
        *(name_label(name, shape) for name, shape in shapes),
    ]


def name_label(name: str, shape: Shape) -> Label:
    """Return the name of a single shape, which a stage writes where most is seen of it."""
    of = None if isinstance(shape, Point) else Cores(*Cores.of_shape(shape))
    return Label(shape.core.middle(), name, Role.NAME, of)


def _of_points(scene: Scene, wanted: BoolArray) -> list[Label]:
    """Return the names of those points that are entries of their own; of very many, of the wanted ones."""
    points = next((elements for elements, shape in scene.groups if isinstance(shape, Point)), np.zeros(0, int))
    names = ((number, scene.element_name(number)) for number in points.tolist())
    single = {number: name for number, name in names if "[" not in name}
    if len(single) > MANY_POINTS:
        single = {number: name for number, name in single.items() if wanted[number]}
    return [Label(scene.element(number).core.middle(), name) for number, name in single.items()]


def _wanted(scene: Scene, contacts: Contacts, pairs: int) -> BoolArray:
    """Tell of every element whether it is named."""
    wanted = np.full(scene.element_count, scene.element_count <= FEW)
    if len(scene) <= FEW:
        first = ((scene.element_numbers(name).start, name) for name in scene if len(scene.element_numbers(name)))
        wanted[[number for number, name in first if scene.element_name(number) == name]] = True
    colliding = contacts.pairs
    # So few elements have no more pairs than this.
    if 2 * len(colliding) > MANY * (MANY - 1) or len(np.unique(colliding)) > MANY:
        colliding = colliding[contacts.deepest(pairs)]
    wanted[colliding.ravel()] = True
    return wanted


def _to_name(scene: Scene, wanted: BoolArray, unnamed: str | None) -> list[int]:
    """Return the wanted elements that are no points, in the order of the batches, but for one."""
    numbers = scene.element_numbers(unnamed) if unnamed is not None else range(0)
    left_out = numbers[0] if len(numbers) == 1 and scene.element_name(numbers[0]) == unnamed else None
    groups = (elements for elements, shape in scene.groups if not isinstance(shape, Point))
    return [element for elements in groups for element in elements[wanted[elements]].tolist() if element != left_out]
