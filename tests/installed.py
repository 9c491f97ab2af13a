"""See that what is installed is ready at once: ``python tests/installed.py``.

Run by the Python of an environment in which the package is installed, from elsewhere than the checkout. It needs
nothing of tests, so it is a program and no test.
"""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    """Ask every pair of kinds, and for the module for web pages, and see that nothing is compiled for it."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["COLLISION_CACHE_DIR"] = cache
        from collision import (
            AABB,
            Capsule,
            ConvexHull,
            Cylinder,
            HalfSpace,
            Line,
            OrientedBox,
            Point,
            Ray,
            Segment,
            Sphere,
            closest_points,
            signed_distance,
        )
        from collision.inner import built_library

        start = time.perf_counter()
        shapes = [
            *(Point([0, 0, 9]), Segment([2, 0, 0], [3, 0, 0]), Ray([4, 0, 0], [0, 0, 1]), Line([5, 0, 0], [0, 1, 0])),
            *(Sphere([6, 0, 0], 1), Capsule([8, 0, 0], [8, 0, 1], 0.5), AABB([10, 0, 0], [11, 1, 1])),
            *(OrientedBox([13, 0, 0], [0, 0, 0, 1], [1, 1, 1]), HalfSpace([0, 0, -5], [0, 0, 1])),
            *(Cylinder([16, 0, 0], [16, 0, 1], 0.5), ConvexHull([[18, 0, 0], [19, 0, 0], [18, 1, 0], [18, 0, 1]])),
        ]
        made = 1e3 * (time.perf_counter() - start)
        took = {}
        for a, b in itertools.product(shapes, shapes):
            start = time.perf_counter()
            answer, gap = closest_points(a, b), signed_distance(a, b)
            took[type(a).__name__, type(b).__name__] = 1e3 * (time.perf_counter() - start)
            assert answer.signed_distance == gap
        from collision.wasm import module

        code, tables = module()
        left = [str(path) for path in Path(cache).rglob("*")]
    found = built_library()
    assert found is not None, "there is no library"
    assert not found.left, "the library is that of a checkout"
    assert not left, f"something was compiled: {left}"
    assert not {"numba", "llvmlite"} & {*sys.modules}, "what compiles was imported"
    assert code[:4] == b"\0asm", "the module for web pages is none"
    assert len(tables["kinds"]) == len(shapes), "the module's tables lack a kind of shape"
    worst = max(took, key=took.__getitem__)
    print(f"library for {found.baseline}; {len(code):,} bytes for web pages; shapes {made:.1f} ms; ", end="")
    print(f"first question of {len(took)} pairs: ", end="")
    print(f"{took[worst]:.1f} ms at the most ({' and '.join(worst)}), {sum(took.values()):.1f} ms all")


if __name__ == "__main__":
    main()
