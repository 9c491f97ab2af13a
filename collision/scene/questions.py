"""Questions to the whole of a scene: what touches, what is nearest, what a ray or a moving shape meets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from collision.base.fields import ArrayLike, IntArray, read_margin, read_whole
from collision.queries.casts import read_limits
from collision.queries.distances import ClosestPoints, closest_points
from collision.scene.answers import Contacts, FirstContacts, Nearest, SceneHit, SceneHits, SceneSweep
from collision.scene.base import Parts, read_names
from collision.scene.elements import volumes_of
from collision.scene.ignored import half_spaces
from collision.scene.pairs import SceneRows, records, touching
from collision.scene.walks import first_hits, hits_of_pairs, nearest
from collision.scene.world import QueryShapes, World, near
from collision.shapes.kinds import HalfSpace, Ray, Shape
from collision.shapes.rows import core_rows
from collision.shapes.transforms import Transform

#: So many candidates are looked at together.
_BLOCK = 1 << 16


#: Near the largest number there may be no answer.
_quiet = np.errstate(over="ignore", invalid="ignore")


class Questions(Parts):
    """The queries of a scene."""

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
        margin = read_margin(margin, "contacts")
        if isinstance(of, Shape):
            found = contacts_of(self._world, of.flattened(), margin)
            if not of.batch_shape:
                found.pairs[:, 0] = -1
            return found
        return self._world.near(margin) if of is None else self._world.near_of(self.element_numbers(of), margin)

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
    def contacts_with(self, other: Questions, *, margin: float = 0.0) -> Contacts:
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
        if not isinstance(other, Questions):
            raise TypeError(f"contacts_with takes a Scene, got {type(other).__name__}")
        return contacts_between(self._world, other._world, read_margin(margin, "contacts_with"))

    @_quiet
    def nearest(self, shape: str | Shape, *, k: int | None = None, without: str | Iterable[str] = ()) -> Nearest | None:
        """Return the element nearest to a shape (the deepest, among those that overlap it); None if there is none.

        Of several at the same signed distance it is the one with the lowest number. Ignored pairs are left out. All
        elements within a distance are what `contacts` has with a margin.

        Parameters
        ----------
        shape : str or Shape
            A shape of the scene: an entry or an element. Or one that is not in the scene. Of a batch of either, each
            is answered for, on all processors.
        k : int, optional
            How many of the nearest, along a further axis of the answer, the nearest first.
        without : str or iterable of str
            Entries and elements to leave out.

        Returns
        -------
        Nearest or None
            ``.element``, ``.signed_distance``, ``.name``, and ``.points`` with ``.on_a``, ``.on_b`` and ``.normal``.
            For a batch, or with `k`, they are arrays, with -1, no name and NaN where there is none; never None then.

        Raises
        ------
        TypeError
            If `k` is no whole number.
        KeyError
            If a name names nothing.
        ValueError
            If `k` is less than one.

        Notes
        -----
        Distances and points are those of `collision.closest_points`, to the last bit, and as exact. The search is
        branch and bound in a bounding volume hierarchy (Hjaltason and Samet, *Distance Browsing in Spatial Databases*,
        1999).

        Examples
        --------
        >>> from collision import Point, Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.nearest("a").name, scene.nearest(Point([3, 0, 0])).name
        ('b', 'b')
        >>> scene.nearest(Point([3, 0, 0]), without="b").name
        'a'
        >>> found = scene.nearest(Point([[1.5, 0, 0], [4.5, 0, 0]]))
        >>> found.element, found.signed_distance
        (array([0, 1]), array([ 0.5, -0.5]))
        >>> scene.nearest(Point([2, 0, 0]), k=3).signed_distance
        array([ 1.,  2., nan])
        """
        if k is None and not axes_of(self._world, shape):
            best = self.nearest_element(shape, without=without)
            if best is None:
                return None
            own = shape if isinstance(shape, Shape) else self._world.shape(self.element_numbers(shape)[0])
            points = closest_points(own, self.element(best))
            return Nearest(best, points.signed_distance, self.element_name, lambda: points)
        return nearest_of(leaving_out(self._world, without), self._query_shapes(shape), read_count(k, "nearest"))

    def nearest_element(self, shape: str | Shape, *, without: str | Iterable[str] = ()) -> int | None:
        """Return the number of the element that `nearest` finds for a single shape; None if there is none.

        Parameters
        ----------
        shape : str or Shape
            An entry of one element or an element; or a single shape that is not in the scene. Of many it is
            ``nearest(...).element``.
        without : str or iterable of str
            Entries and elements to leave out.

        Returns
        -------
        int or None
            The lowest number of those at the same signed distance.

        Raises
        ------
        KeyError
            If a name names nothing.
        ValueError
            If a name is that of a batch of other than one element, or the shape is a batch.

        Notes
        -----
        Distances are compared as `collision.signed_distance` has them, to the last bit; the method is that of
        `nearest`.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
        >>> scene.nearest_element("a")
        1
        """
        single = single_of(self._world, shape, "nearest_element")
        found = int(nearest_of(leaving_out(self._world, without), single, 1).element[0])
        return None if found < 0 else found

    @_quiet
    def sweep(
        self,
        shape: str | Shape,
        *,
        motion: ArrayLike | None = None,
        start: Transform | None = None,
        end: Transform | None = None,
        pivot: ArrayLike | None = None,
        without: str | Iterable[str] = (),
    ) -> SceneSweep:
        """Return the first element that a shape touches when it moves, turning or not, while all others rest.

        What is in touch at the start is the first, at fraction 0, also if the shape moves away from it; see
        `collision.sweep`. Of several at the same time it is the one with the lowest number. Ignored pairs are left out.

        Parameters
        ----------
        shape : str or Shape
            A shape of the scene: an entry or an element. Or one that is not in the scene. Of a batch of either each
            moves alone, while the others rest where they are.
        motion : array_like, shape (..., 3), optional
            The whole way that it goes, straight on. Batch axes broadcast with those of the shape.
        start, end : Transform, optional
            Its placements, instead of a motion: from where and to where it goes and turns; see `collision.sweep`.
        pivot : array_like, shape (..., 3), optional
            The point of it that goes straight and that it turns about; the origin of its coordinates without it.
        without : str or iterable of str
            Entries and elements to leave out.

        Returns
        -------
        SceneSweep
            ``.element``, ``.name``, ``.fraction``, ``.point``, ``.normal`` and ``.hit``, with the joint batch axes.

        Raises
        ------
        KeyError
            If a name names nothing.
        TypeError
            If there is not either a motion or an end, a pivot without an end, or a placement is no Transform.
        ValueError
            If the motion or the pivot is not finite or not (..., 3), scales differ, or batch axes do not broadcast; if
            what reaches to infinity turns against an element that does too.

        Notes
        -----
        Numbers are those of `collision.sweep`, as exact as there and by its method. Candidates are the elements whose
        boxes the moving bounds meet, found in the bounding volume hierarchy of `colliding_pairs`.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "near": Sphere([6, 0, 0], 1), "far": Sphere([12, 0, 0], 1)})
        >>> hit = scene.sweep("ball", motion=[8, 0, 0])
        >>> hit.name, hit.fraction, hit.point
        ('near', 0.5, array([5., 0., 0.]))
        >>> scene.sweep("ball", motion=[[8, 0, 0], [0, 8, 0], [4, 0, 0]]).fraction
        array([0.5, nan, 1. ])
        """
        from collision.scene.sweeps import first_swept, read_way  # and with it all that turns

        moving = self._query_shapes(shape)
        return first_swept(leaving_out(self._world, without), moving, *read_way(moving, motion, start, end, pivot))

    def _query_shapes(self, shape: str | Shape) -> QueryShapes:
        """Return the shapes that a query is about."""
        if isinstance(shape, Shape):
            return QueryShapes.outside(shape)
        return QueryShapes.elements(self._world, self.element_numbers(shape), self[shape])

    def raycast(
        self,
        ray: Ray,
        *,
        max_distance: ArrayLike = np.inf,
        any_hit: bool = False,
        without: str | Iterable[str] = (),
    ) -> SceneHit:
        """Return the first element that each of one or many rays hits.

        Rays walk through the scene from near to far, many of them on all processors.

        Parameters
        ----------
        ray : Ray
            One ray or a batch.
        max_distance : array_like, shape (...)
            How far the rays go; what they hit there still counts. One number, or one for each ray.
        any_hit : bool
            Whether any element will do that is hit, in place of the first: for questions such as whether one place is
            seen from another, which this answers sooner. Which of several it is, is not said.
        without : str or iterable of str
            Entries and elements to leave out, such as the one that shoots.

        Returns
        -------
        SceneHit
            ``.element``, ``.enter``, ``.point``, ``.normal``, with the batch axes of the rays, ``.name`` and ``.hit``.
            A ray that starts inside an element, or on its surface, hits it at once, whichever way it goes. Of several
            elements at the same distance it is the one with the lowest number.

        Raises
        ------
        TypeError
            If that is no ray, or `any_hit` is neither True nor False.
        KeyError
            If there is no shape of a name to leave out.
        ValueError
            If a distance is negative or NaN, or there is not one for each ray.

        Notes
        -----
        Numbers are those of `collision.raycast`, to the last bit, and as exact. The walk through the bounding volume
        hierarchy goes from near to far; boxes are tested as slabs (Kay and Kajiya, "Ray tracing complex scenes", 1986).

        Examples
        --------
        >>> from collision import Ray, Scene, Sphere
        >>> scene = Scene({"near": Sphere([2, 0, 0], 1), "far": Sphere([5, 0, 0], 1)})
        >>> hit = scene.raycast(Ray([0, 0, 0], [1, 0, 0]))
        >>> hit.name, hit.enter
        ('near', 1.0)
        >>> scene.raycast(Ray([[0, 0, 0], [9, 0, 0]], [-1, 0, 0])).element
        array([-1,  1])

        Whether one place is seen from another:

        >>> eye, place = np.array([0.0, 0.0, 0.0]), np.array([3.5, 0.0, 0.0])
        >>> scene.raycast(Ray(eye, place - eye), max_distance=np.linalg.norm(place - eye), any_hit=True).hit
        True
        """
        return first_or_any(leaving_out(self._world, without), check_ray(ray, "Scene.raycast"), max_distance, any_hit)

    @_quiet
    def raycast_all(
        self, ray: Ray, *, max_distance: ArrayLike = np.inf, without: str | Iterable[str] = ()
    ) -> SceneHits:
        """Return all elements that each of one or many rays hits, in order along each.

        Parameters
        ----------
        ray : Ray
            One ray or a batch.
        max_distance : array_like, shape (...)
            How far the rays go; what they hit there still counts. One number, or one for each ray.
        without : str or iterable of str
            Entries and elements to leave out.

        Returns
        -------
        SceneHits
            One row a hit: ``.ray``, ``.element``, ``.enter``, ``.exit``, ``.point``, ``.normal``, ``.name``.

        Raises
        ------
        TypeError
            If that is no ray.
        KeyError
            If there is no shape of a name to leave out.
        ValueError
            If a distance is negative or NaN, or there is not one for each ray.

        Notes
        -----
        Numbers are those of `collision.raycast`, to the last bit, and as exact; the method is that of `raycast`.

        Examples
        --------
        >>> from collision import Ray, Scene, Sphere
        >>> scene = Scene({"far": Sphere([5, 0, 0], 1), "near": Sphere([2, 0, 0], 1)})
        >>> hits = scene.raycast_all(Ray([[0, 0, 0], [0, 0, 3]], [1, 0, 0]))
        >>> hits.ray, hits.name, hits.enter
        (array([0, 0]), array(['near', 'far'], dtype=object), array([1., 4.]))
        """
        return all_hits(leaving_out(self._world, without), check_ray(ray, "Scene.raycast_all"), max_distance)


# -- who asks ---------------------------------------------------------------------------------------------------------


def read_count(count: int | None, query: str) -> int | None:
    """Check how many are to be found: a whole number of one or more, or None."""
    return None if count is None else read_whole(count, f"{query}: k", least=1)


def axes_of(world: World, shape: str | Shape) -> tuple[int, ...]:
    """Return the batch axes of a shape, or of an entry or an element by its name."""
    if isinstance(shape, Shape):
        return shape.batch_shape
    world.elements.numbers(shape)  # which refuses unknown names
    entry = world.elements.shapes.get(shape)
    return () if entry is None else entry.batch_shape


def single_of(world: World, shape: str | Shape, query: str) -> QueryShapes:
    """Return a single shape, by its name or as it is."""
    if isinstance(shape, Shape):
        if shape.batch_shape:
            axes = " by ".join(map(str, shape.batch_shape))
            raise ValueError(f"{query} takes a single shape, got a batch of {axes}; ask for each of them")
        return QueryShapes.outside(shape)
    numbers = world.elements.numbers(shape)
    if len(numbers) != 1:
        hint = f"; name one of them, such as {world.elements.name(numbers[0])!r}" if numbers else ""
        raise ValueError(f"{query}: {shape!r} is a batch of {len(numbers)} elements{hint}")
    return QueryShapes.elements(world, numbers, world.shape(numbers[0]))


def leaving_out(world: World, names: str | Iterable[str]) -> World:
    """Return a world without some entries and elements."""
    if type(names) is tuple and not names:
        return world
    listed = [n for name in read_names(names, "without") for n in world.elements.numbers(name)]
    return world.leaving_out(listed) if listed else world


# -- pairs ------------------------------------------------------------------------------------------------------------


def first_contacts(world: World, margin: float, most: int) -> FirstContacts:
    """Return the first pairs that touch or are no more than a margin apart, and how many there are."""
    parts, left, total = [Contacts.none()], most, 0
    for found in _in_order(world, world.candidates(margin), margin):
        total += len(found)
        if left > 0:
            parts.append(found._rows(slice(left)))
            left -= len(parts[-1])
    contacts = Contacts._joined(parts)
    colliding = world.keys(touching(world.rows, contacts.pairs))
    return FirstContacts(contacts, np.isin(world.keys(contacts.pairs), colliding), total)


def has_contact(world: World, margin: float) -> bool:
    """Tell whether any pair touches or is no more than a margin apart; where many do, few are looked at."""
    if any(len(found) for found in _in_order(world, world.candidates_at_rest(margin, some=True), margin)):
        return True
    return any(len(found) for found in _in_order(world, world.candidates(margin), margin))


def _in_order(world: World, pairs: IntArray, margin: float) -> Iterator[Contacts]:
    for start in range(0, len(pairs), _BLOCK):
        yield world.near_among(pairs[start : start + _BLOCK], margin)


def nearest_of(world: World, query: QueryShapes, most: int | None) -> Nearest:
    """Return the nearest element to each of some shapes, or so many of the nearest along a further axis."""
    count, shapes = len(query.shapes), SceneRows(core_rows([query.shapes]))
    number, gap = nearest(shapes, query.numbers, most or 1, world.memory, world.ignored.table)
    number[query.hidden], gap[query.hidden] = -1, np.nan
    axes = query.batch_shape if most is None else (*query.batch_shape, most)

    def points() -> ClosestPoints:
        rows = np.repeat(np.arange(count), most or 1)
        vectors = np.full((3, number.size, 3), np.nan)
        given = np.flatnonzero(number.ravel() >= 0)
        found = records(shapes, world.rows, np.stack([rows[given], number.ravel()[given]], axis=1))
        vectors[:, given] = found.on_a, found.on_b, found.normal
        return ClosestPoints(gap.reshape(axes), *vectors.reshape(3, *axes, 3))

    return Nearest(number.reshape(axes), gap.reshape(axes), world.elements.names_of, points)


def contacts_of(world: World, shapes: Shape, margin: float) -> Contacts:
    """Return the pairs of some shapes from outside and elements that touch or are no more than a margin apart.

    The first of a pair is the row of a shape in its flat batch.
    """
    pairs = world.met_by(volumes_of(shapes), margin)
    pairs = world.from_keys(np.sort(world.keys(pairs)))
    return near(SceneRows(core_rows([shapes])), world.rows, pairs, margin)


def contacts_between(one: World, other: World, margin: float) -> Contacts:
    """Return the pairs of elements of two worlds that touch or are no more than a margin apart, but of half-spaces."""
    found, spaces = [Contacts.none()], half_spaces(other.elements)
    for members in one.groups:
        part = contacts_of(other, members.shape, margin)
        if isinstance(members.shape, HalfSpace):
            part = part._rows(~spaces[part.pairs[:, 1]])
        part.pairs[:, 0] = members.elements[part.pairs[:, 0]]
        found.append(part)
    joined = Contacts._joined(found)
    return joined._rows(np.lexsort((joined.pairs[:, 1], joined.pairs[:, 0])))


# -- rays -------------------------------------------------------------------------------------------------------------


def check_ray(ray: object, query: str) -> Ray:
    """Return a ray, and refuse any other object."""
    if not isinstance(ray, Ray):
        raise TypeError(f"{query} takes a Ray, got {type(ray).__name__}")
    return ray


def first_or_any(world: World, ray: Ray, max_distance: ArrayLike, any_hit: bool) -> SceneHit:
    """Return the first element that each of one or many rays hits, or any that it hits."""
    if not isinstance(any_hit, (bool, np.bool_)):
        raise TypeError(f"Scene.raycast: any_hit must be True or False, got {any_hit!r}")
    lead, rays = ray.batch_shape, SceneRows(core_rows([ray]))
    limits = read_limits(max_distance, lead, "Scene.raycast")
    with np.errstate(over="ignore", invalid="ignore"):  # near the largest number there may be no answer
        element, hits = first_hits(rays, limits.ravel(), world.memory, bool(any_hit))
    if not lead:
        number = int(element[0])
        name = world.elements.name(number) if number >= 0 else ""
        return SceneHit(number, name, float(hits.enter[0]), hits.point[0], hits.normal[0])
    names, vectors = world.elements.names_of(element), (hits.point.reshape(*lead, 3), hits.normal.reshape(*lead, 3))
    return SceneHit(element.reshape(lead), names.reshape(lead), hits.enter.reshape(lead), *vectors)


def all_hits(world: World, ray: Ray, max_distance: ArrayLike) -> SceneHits:
    """Return all elements that one or many rays hit, in order along each."""
    rays, limits = ray.flattened(), read_limits(max_distance, ray.batch_shape, "Scene.raycast_all").ravel()
    pairs = world.met_by(volumes_of(rays), 0.0)
    which, element = pairs.T
    enter, leave, point, normal = hits_of_pairs(SceneRows(core_rows([rays])), limits, world.rows, pairs)
    kept = np.flatnonzero(~np.isnan(enter))
    kept = kept[np.lexsort((element[kept], enter[kept], which[kept]))]
    return SceneHits(which[kept], element[kept], enter[kept], leave[kept], point[kept], normal[kept], world.elements)
