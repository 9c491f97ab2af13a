"""The broad phase: which pairs can touch at all, from bounds alone.

Works on arrays of lower and upper corners, (n, 3), infinite where a shape is unbounded, and answers with arrays of
indices. Bounds are widened by the rounding that the narrow phase grants to touching shapes, so no touch is lost.
"""

from __future__ import annotations

import numpy as np

from collision.fields import FloatArray, IntArray
from collision.separation import TOUCH

#: How many candidates are looked at in one go: bounds the memory at some 100 MB whatever the scene.
_CHUNK = 2_000_000


def _widened(lower: FloatArray, upper: FloatArray, margin: float) -> tuple[FloatArray, FloatArray]:
    finite_lower = np.where(np.isfinite(lower), np.abs(lower), 0.0)
    finite_upper = np.where(np.isfinite(upper), np.abs(upper), 0.0)
    room = 0.5 * margin + 2.0 * TOUCH * np.maximum(finite_lower, finite_upper).max(axis=1, keepdims=True, initial=0.0)
    return lower - room, upper + room


def candidate_pairs(lower: FloatArray, upper: FloatArray, *, margin: float = 0.0) -> IntArray:
    """Return the pairs of boxes that overlap or are no more than a margin apart along each axis.

    Boxes are sorted by their lower x; each is then compared with those that start before it ends (sweep and prune).

    Parameters
    ----------
    lower, upper : ndarray, shape (n, 3)
        Corners, infinite where a shape is unbounded.
    margin : float
        Zero or more.

    Returns
    -------
    ndarray of int, shape (k, 2)
        i < j, in lexicographic order.

    Examples
    --------
    >>> import numpy as np
    >>> lower = np.array([[0.0, 0, 0], [5, 0, 0], [0.5, 0, 0]])
    >>> candidate_pairs(lower, lower + 1.0)
    array([[0, 2]])
    """
    count = len(lower)
    lower, upper = _widened(lower, upper, margin)
    order = np.argsort(lower[:, 0], kind="stable")
    lower, upper = lower[order], upper[order]
    ends = np.searchsorted(lower[:, 0], upper[:, 0], side="right")
    followers = np.maximum(ends - np.arange(1, count + 1), 0)
    total = np.concatenate([[0], np.cumsum(followers)])
    found = []
    begin = 0
    while begin < count:
        end = max(int(np.searchsorted(total, total[begin] + _CHUNK, side="right")) - 1, begin + 1)
        i = np.repeat(np.arange(begin, end), followers[begin:end])
        j = i + 1 + np.arange(len(i)) - np.repeat(total[begin:end] - total[begin], followers[begin:end])
        keep = np.all((lower[i, 1:] <= upper[j, 1:]) & (lower[j, 1:] <= upper[i, 1:]), axis=1)
        found.append(np.stack([order[i[keep]], order[j[keep]]], axis=1))
        begin = end
    pairs = np.sort(np.concatenate(found), axis=1) if found else np.empty((0, 2), dtype=np.intp)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def ray_candidates(origin: FloatArray, direction: FloatArray, lower: FloatArray, upper: FloatArray) -> IntArray:
    """Return the boxes that a ray may hit, by the slab method, as an array of indices (k,).

    Parameters
    ----------
    origin, direction : ndarray, shape (3,)
        The ray.
    lower, upper : ndarray, shape (n, 3)
        Corners, infinite where a shape is unbounded.

    Examples
    --------
    >>> import numpy as np
    >>> lower = np.array([[2.0, -1, -1], [2, 5, 5]])
    >>> ray_candidates(np.zeros(3), np.array([1.0, 0, 0]), lower, lower + 2.0)
    array([0])
    """
    lower, upper = _widened(lower, upper, 0.0)
    room = 2.0 * TOUCH * np.abs(origin).max(initial=0.0)
    lower, upper = lower - room - origin, upper + room - origin
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = lower / direction, upper / direction
    level = direction == 0.0
    over = np.where((lower <= 0.0) & (upper >= 0.0), -np.inf, np.inf)
    enter = np.where(level, over, np.minimum(first, last)).max(axis=1, initial=0.0)
    leave = np.where(level, np.inf, np.maximum(first, last)).min(axis=1, initial=np.inf)
    # The quotients are rounded too: a box is given up only when it is missed by more than that.
    return np.flatnonzero(enter <= leave * (1.0 + 4.0 * TOUCH))
