"""Which elements of a scene touch, or are near to each other, to shapes from outside, or to those of another scene."""

from __future__ import annotations

import numpy as np

from collision.base.fields import IntArray, read_margin, read_whole
from collision.scene.answers import Contacts
from collision.scene.base import Parts
from collision.scene.listing import FirstContacts, first_contacts, has_contact
from collision.scene.nearest import contacts_between, contacts_of
from collision.shapes.kinds import Shape


class PairQueries(Parts):
    """The queries of a scene that answer with pairs."""

    def colliding_pairs(self) -> IntArray:
        """Return the pairs of elements that intersect, ignored ones left out, and those of two half-spaces.

        Returns
        -------
        ndarray of int, shape (k, 2)
            Element numbers, i < j, in lexicographic order. Touching counts.

        Notes
        -----
        Verdicts are those of `collision.intersects`, to the last bit: what is no farther apart than rounding (1.8e-15
        of the largest coordinate or radius involved) touches. Candidates come from a bounding volume hierarchy over a
        space-filling curve (Lauterbach et al., *Fast BVH Construction on GPUs*, 2009), with boxes that are widened by
        as much, so that no touch is lost.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0], [7, 0, 0]], 1)}).colliding_pairs()
        array([[0, 1],
               [2, 3]])
        """
        return self._world.touching().copy()

    def pairs_of(self, shape: str | Shape) -> IntArray:
        """Return the pairs of `colliding_pairs` that an entry, or one element, has a part in.

        After a move it costs what the moved elements cost, however many others there are.

        Parameters
        ----------
        shape : str or Shape
            An entry or an element. Or a shape that is not in the scene, or a batch of them: the elements that they
            touch. In the pairs it comes first, with the number -1; of a batch each with its place in it, counted
            through the batch axes in C order.

        Returns
        -------
        ndarray of int, shape (k, 2)
            In lexicographic order.

        Raises
        ------
        KeyError
            If there is no such shape.

        Notes
        -----
        Verdicts are those of `collision.intersects`, to the last bit; candidates are found as for `colliding_pairs`.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]], 1)})
        >>> scene.moved("crowd[3]", [-5, 0, 0]).pairs_of("crowd[3]")
        array([[0, 3],
               [1, 3]])
        >>> scene.pairs_of(Sphere([7.5, 0, 0], 1))
        array([[-1,  3]])
        """
        if isinstance(shape, Shape):
            return self.contacts(of=shape).pairs.copy()
        return self._world.touching_of(self.element_numbers(shape))

    def contacts(self, *, margin: float = 0.0, of: str | Shape | None = None) -> Contacts:
        """Return what there is to know of every pair that touches or is no more than a margin apart.

        Parameters
        ----------
        margin : float
            Zero or more, in scene units.
        of : str or Shape, optional
            An entry or an element: only the pairs that it has a part in, at the cost of what it is near to. Or a shape
            that is not in the scene, or a batch of them: their pairs with all elements. In these it comes first, with
            the number -1; of a batch each with its place in it, counted through the batch axes in C order.

        Returns
        -------
        Contacts
            ``.pairs``, ``.signed_distance``, ``.point``, ``.normal``, ``.on_a``, ``.on_b``, ``.depth``, one row a pair,
            in lexicographic order of the pairs. With a margin it has all that is within that distance.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If the margin is negative or not finite.

        Notes
        -----
        Numbers are those of `collision.contact`, to the last bit: distances, witness points and normals hold together
        to 1e-14 of the size of the pair. Candidates are found as for `colliding_pairs`.

        Examples
        --------
        >>> from collision import Point, Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> found = scene.contacts(of=Point([2, 0, 0]), margin=1)
        >>> found.pairs, found.signed_distance
        (array([[-1,  0]]), array([1.]))
        >>> scene.contacts(of=Point([[2, 0, 0], [4.5, 0, 0], [4, 0, 0]]), margin=0.5).pairs
        array([[1, 1],
               [2, 1]])
        """
        room = read_margin(margin, "contacts")
        if isinstance(of, Shape):
            found = contacts_of(self._world, of.flattened(), room)
            if not of.batch_shape:
                found.pairs[:, 0] = -1
            return found
        return self._world.near(room) if of is None else self._world.near_of(self.element_numbers(of), room)

    def first_contacts(self, most: int, *, margin: float = 0.0) -> FirstContacts:
        """Return the first contacts, and how many there are, in little memory however many that is.

        Parameters
        ----------
        most : int
            How many at most, zero or more.
        margin : float
            Zero or more, in scene units.

        Returns
        -------
        FirstContacts
            ``.contacts``, the first of those that `contacts` returns; ``.colliding``, which of them intersect; and
            ``.total``, how many there are in all.

        Raises
        ------
        MemoryError
            If there are so many pairs whose bounds overlap that not even their numbers fit into memory.
        TypeError
            If `most` is no whole number.
        ValueError
            If it is negative, or the margin is negative or not finite.

        Notes
        -----
        Numbers are those of `contacts`, to the last bit.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> heap = Scene({"heap": Sphere([[0, 0, 0]] * 100, 1)})
        >>> found = heap.first_contacts(2)
        >>> found.contacts.pairs, found.total
        (array([[0, 1],
               [0, 2]]), 4950)
        """
        count = read_whole(most, "first_contacts: most")
        return first_contacts(self._world, read_margin(margin, "first_contacts"), count)

    def has_contact(self, *, margin: float = 0.0) -> bool:
        """Tell whether any pair touches or is no more than a margin apart; the search ends with the first that is.

        Parameters
        ----------
        margin : float
            Zero or more, in scene units.

        Returns
        -------
        bool

        Raises
        ------
        MemoryError
            If none of those that are looked at first is, and there are too many for the memory.
        ValueError
            If the margin is negative or not finite.

        Notes
        -----
        The verdict is that of `contacts`, to the last bit.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.has_contact(), scene.has_contact(margin=3)
        (False, True)
        """
        return has_contact(self._world, read_margin(margin, "has_contact"))

    @np.errstate(over="ignore", invalid="ignore")  # near the largest number there may be no answer
    def contacts_with(self, other: PairQueries, *, margin: float = 0.0) -> Contacts:
        """Return what there is to know of every element of this scene and one of another that touch or are near.

        Pairs that one of the scenes ignores are of its elements alone, so none is ignored here; what is hidden is left
        out, and so are pairs of two half-spaces.

        Parameters
        ----------
        other : Scene
            The other one; it may be the same.
        margin : float
            Zero or more, in scene units.

        Returns
        -------
        Contacts
            As from `contacts`; the first element of a pair is of this scene, the second of the other, and normals point
            from the first to the second.

        Raises
        ------
        TypeError
            If that is no scene.
        ValueError
            If the margin is negative or not finite.

        Notes
        -----
        Numbers are those of `collision.contact`, to the last bit; candidates are found as for `colliding_pairs`.

        Examples
        --------
        >>> from collision import AABB, Scene, Sphere
        >>> robot, room = Scene({"hand": Sphere([0, 0, 1], 1)}), Scene({"floor": AABB([-9, -9, -1], [9, 9, 0.25])})
        >>> found = robot.contacts_with(room)
        >>> found.pairs, found.depth
        (array([[0, 0]]), array([0.25]))
        """
        if not isinstance(other, PairQueries):
            raise TypeError(f"contacts_with takes a Scene, got {type(other).__name__}")
        return contacts_between(self._world, other._world, read_margin(margin, "contacts_with"))
