"""Questions to the whole of a scene: what is nearest, what a ray or a moving shape meets."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision.base.fields import ArrayLike
from collision.queries.distances import closest_points
from collision.scene.answers import Nearest, SceneHit, SceneHits, SceneSweep
from collision.scene.asking import Asked, axes_of, leaving_out, read_count, single_of
from collision.scene.nearest import nearest_of
from collision.scene.pair_queries import PairQueries
from collision.scene.rays import all_hits, check_ray, first_or_any
from collision.shapes.kinds import Ray, Shape
from collision.shapes.transforms import Transform

#: Near the largest number there may be no answer.
_quiet = np.errstate(over="ignore", invalid="ignore")


class Questions(PairQueries):
    """The queries of a scene."""

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
        return nearest_of(leaving_out(self._world, without), self._asked(shape), read_count(k, "nearest"))

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
        asked = single_of(self._world, shape, "nearest_element")
        found = int(nearest_of(leaving_out(self._world, without), asked, 1).element[0])
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
        from collision.scene.sweeping import first_swept, read_way  # and with it all that turns

        asked = self._asked(shape)
        return first_swept(leaving_out(self._world, without), asked, *read_way(asked, motion, start, end, pivot))

    def _asked(self, shape: str | Shape) -> Asked:
        """Return the shapes that a query is about."""
        if isinstance(shape, Shape):
            return Asked.strangers(shape)
        return Asked.elements(self._world, self.element_numbers(shape), self[shape])

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
