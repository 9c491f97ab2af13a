"""One pair from Python: by the shortest way, with the answers of batches, from any thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from collision import Sphere, closest_points, contact, intersects, signed_distance
from collision.shapes.kinds import KINDS
from tests.sampling import batch

#: How many shapes of each kind are asked with each of the others.
COUNT = 4


def test_single_pairs_have_the_bits_of_batches_in_both_orders() -> None:
    for first, second in product(KINDS, KINDS):
        a, b = batch(first, COUNT, seed=1), batch(second, COUNT, seed=2)
        many = signed_distance(a, b), intersects(a, b), *closest_points(a, b), *contact(a, b)
        for k in range(COUNT):
            x, y = a[k], b[k]
            one = signed_distance(x, y), intersects(x, y), *closest_points(x, y), *contact(x, y)
            for alone, column in zip(one, many, strict=True):
                assert np.asarray(alone).dtype == column.dtype
                assert np.asarray(alone).tobytes() == column[k].tobytes()


def test_single_answers_are_numbers_of_numpy_and_arrays_of_their_own() -> None:
    a, b = Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1)
    assert type(signed_distance(a, b)).__name__ == "float64"
    assert type(intersects(a, b)).__name__ == "bool"
    kept = closest_points(a, b)
    before = [np.array(value) for value in kept]
    again = closest_points(a, Sphere([0, 5, 0], 1))
    assert all(np.array_equal(now, then) for now, then in zip(kept, before, strict=True))
    assert again.on_b.tolist() == [0.0, 4.0, 0.0]
    kept.on_a[:] = 7.0  # they are the caller's
    assert closest_points(a, b).on_a.tolist() == [1.0, 0.0, 0.0]


def test_threads_that_ask_for_one_pair_each_do_not_disturb_each_other() -> None:
    spheres = [(Sphere([0, 0, 0], 1), Sphere([2.0 + k, 0, 0], 1)) for k in range(8)]

    def ask(k: int) -> bool:
        answers = (closest_points(*spheres[k]) for _ in range(400))
        return all(found.signed_distance == k and found.on_b[0] == 1.0 + k for found in answers)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
