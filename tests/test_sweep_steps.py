"""The steps of a sweep, one by one: they end where the sweep does, and never pass the first touch."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from collision import AABB, Capsule, OrientedBox, Sphere, closest_points, sweep, sweep_steps
from collision.shapes.kinds import KINDS
from tests.sampling import batch
from tests.strategies import parted


@pytest.mark.parametrize(("a", "b"), [pair for pair in product(KINDS, KINDS) if parted(pair)])
def test_the_steps_end_where_the_sweep_does_and_never_pass_it(a: type, b: type) -> None:
    rng = np.random.default_rng(5)
    hits = 0
    for seed in range(8):
        first, second = batch(a, 1, seed=seed)[0], batch(b, 1, seed=seed + 50)[0].translated(rng.normal(size=3) * 2)
        near = closest_points(first, second)
        motion = 1.5 * (near.on_b - near.on_a) + 0.1 * rng.normal(size=3)
        answer = sweep(first, second, motion=motion)
        steps = sweep_steps(first, second, motion=motion)
        fractions = [step.fraction for step in steps]
        assert fractions[0] == 0.0
        assert np.all(np.diff(fractions) > 0.0)
        distances = [step.signed_distance for step in steps]
        if answer.hit:
            hits += 1
            assert fractions[-1] == pytest.approx(float(answer.fraction), rel=1e-9, abs=1e-9)
            assert distances[0] <= 0.0 or distances[-1] <= 1e-6 * distances[0]
        else:
            assert fractions[-1] <= 1.0
            assert min(distances) > 0.0
        for step in steps:
            np.testing.assert_allclose(step.on_b, step.on_a + step.signed_distance * step.normal, atol=1e-9)
            assert step.closing == pytest.approx(float(step.normal @ motion))
    if {a, b} & {AABB, OrientedBox, Sphere, Capsule}:
        assert hits > 0


def test_only_single_shapes_have_steps() -> None:
    ball = Sphere([0, 0, 0], 1)
    with pytest.raises(ValueError, match="takes single shapes"):
        sweep_steps(batch(Sphere, 3), ball, motion=[1, 0, 0])
    with pytest.raises(ValueError, match="takes single shapes"):
        sweep_steps(ball, ball, motion=np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"sweep_steps\.motion must be"):
        sweep_steps(ball, ball, motion=[1, 0])
    with pytest.raises(TypeError, match="takes two shapes, got int"):
        sweep_steps(ball, 3, motion=[1, 0, 0])  # type: ignore[arg-type]
