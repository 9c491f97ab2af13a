"""One certificate for everything that queries return, for all kinds of shape, thousands of cases at a time.

An answer about two shapes is certified without asking how it was found. For `closest_points` and `contact`:

1. Both witness points are on their shapes' surfaces; of a core without thickness, in it. A step of the radius against
   the normal leads from them to the cores.
2. ``on_b - on_a == signed_distance * normal``.
3. The normal has length one.
4. Between the shapes there is as much room along the normal as the signed distance says: the least product of the
   normal with a point of B, less the largest with one of A. Both come from support functions.
5. No other direction has more room. This is what makes a signed distance below zero the *least* depth; the directions
   that could be better are the normals of the facets of the difference of the two cores, and all of them are tried.

Of shapes that are apart, 1, 2 and 4 alone prove the distance: no points are nearer, and two points are so near.

Every error is relative to the *size* of the pair: the largest absolute coordinate or radius of the operands and of the
witness points, corners of boxes included.

A shape without an end has no support along a normal that leans against it by the least bit, and a normal made of
doubles always does. Such a shape is therefore cut where it is four sizes away from its point or origin, which no
witness point is. What a normal leans counts then as it should: a slope of 1e-15 is an error of 4e-15 of the size. Where
no move parts two shapes (a line that pierces a plane) the signed distance is minus infinity; then both witness points
are one point that both have in common, and no direction is level with all that has no end.

`bodies` has one row for every kind, and a new kind is a new row: it can be a `Body`, or a class of its own with the
same methods. All is computed in NumPy's long doubles, whose rounding is 1e-19 on most machines; tests compare that with
exact rationals. `families` makes the cases: each new kind comes from the `Recipe` that all kinds are built from.

The same rules serve the other queries. A ray or a moving shape has not been in touch before if there is a plane at the
touch that it comes to from its other side: so that it is neither early nor late follows from the point and the normal
that are returned.
"""
