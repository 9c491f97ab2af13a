"""What is measured: pairs of shapes, of which about half overlap, and scenes with about 0.3 hits a shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from collision import Capsule, OrientedBox, Scene, Shape, Sphere
from collision.base.fields import FloatArray

#: The six pairs of cores: a point, a linear piece or a box on either side. The third number is how far apart the
#: centers are, chosen for about half of the pairs to overlap.
CORES: dict[str, tuple[type[Shape], type[Shape], float]] = {
    "sphere-sphere": (Sphere, Sphere, 0.42),
    "sphere-capsule": (Sphere, Capsule, 0.5),
    "sphere-box": (Sphere, OrientedBox, 0.5),
    "capsule-capsule": (Capsule, Capsule, 0.55),
    "capsule-box": (Capsule, OrientedBox, 0.6),
    "box-box": (OrientedBox, OrientedBox, 0.6),
}


class Pair(NamedTuple):
    """Two batches of the same length."""

    a: Shape
    b: Shape

    def some(self, count: int) -> Pair:
        """Return the first pairs of them."""
        return Pair(self.a[:count], self.b[:count])


def pairs(core: str, count: int, seed: int = 1) -> Pair:
    """Return random pairs of a core."""
    rng = np.random.default_rng(seed)
    first, second, spread = CORES[core]
    centers = rng.uniform(-10.0, 10.0, (count, 3))
    return Pair(_shapes(first, centers, rng), _shapes(second, centers + rng.normal(0.0, spread, (count, 3)), rng))


def _shapes(kind: type[Shape], centers: FloatArray, rng: np.random.Generator, scale: FloatArray | float = 1.0) -> Shape:
    """Return one shape of a kind around each center, all of about the same size: 0.2 to 0.6 times the scale."""
    n = len(centers)
    scale = np.broadcast_to(scale, n)
    if kind is Sphere:
        return Sphere(centers, scale * rng.uniform(0.2, 0.5, n))
    if kind is Capsule:
        half = 0.5 * scale[:, None] * _directions(n, rng) * rng.uniform(0.2, 0.8, (n, 1))
        return Capsule(centers - half, centers + half, scale * rng.uniform(0.15, 0.35, n))
    axes = Rotation.from_quat(rng.normal(size=(n, 4))).as_matrix() if n else np.zeros((0, 3, 3))
    return OrientedBox(centers, axes, scale[:, None] * rng.uniform(0.15, 0.45, (n, 3)))


def _directions(n: int, rng: np.random.Generator) -> FloatArray:
    d = rng.normal(size=(n, 3))
    unit: FloatArray = d / np.linalg.norm(d, axis=1, keepdims=True)
    return unit


class Crowd(NamedTuple):
    """The shapes of a scene: spheres, capsules and rotated boxes in equal parts, about 0.3 hits a shape."""

    spheres: Shape
    capsules: Shape
    boxes: Shape

    @property
    def total(self) -> int:
        """The number of shapes."""
        return sum(map(len, self))

    def scene(self) -> Scene:
        """Make the scene anew from plain arrays, every check included."""
        return self.maker()()

    def maker(self) -> Callable[[], Scene]:
        """Return what does it; the arrays are at hand."""
        spheres, capsules, boxes = (tuple(batch.values().values()) for batch in self)

        def scene() -> Scene:
            return Scene({"spheres": Sphere(*spheres), "capsules": Capsule(*capsules), "boxes": OrientedBox(*boxes)})

        return scene

    def shape(self, element: int) -> Shape:
        """Return one shape by its number."""
        for batch in self:
            if element < len(batch):
                return batch[element]
            element -= len(batch)
        raise IndexError(element)


def crowd(count: int, seed: int = 2) -> Crowd:
    """Return shapes of about the same size, evenly spread in a cube."""
    rng = np.random.default_rng(seed)
    return _crowd(rng.uniform(0.0, 1.4 * count ** (1 / 3), (count, 3)), np.ones(count), rng)


def giants(count: int, seed: int = 3) -> Crowd:
    """Return shapes in a cube, every hundredth of which is a hundred times larger."""
    rng = np.random.default_rng(seed)
    scale = np.where(rng.permutation(count) % 100 == 0, 100.0, 1.0)
    large = np.count_nonzero(scale > 1.0)
    # Hits grow with the cube of the sum of two sizes; so the cube must, to have as many hits a shape as the others.
    volume = large**2 * 200.0**3 + 2 * large * (count - large) * 101.0**3 + (count - large) ** 2 * 2.0**3
    return _crowd(rng.uniform(0.0, 0.7 * (volume / count) ** (1 / 3), (count, 3)), scale, rng)


def line(count: int, seed: int = 4) -> Crowd:
    """Return shapes in one thin line."""
    rng = np.random.default_rng(seed)
    centers = np.stack([rng.uniform(0.0, 3.5 * count, count), *rng.normal(0.0, 0.05, (2, count))], axis=1)
    return _crowd(centers, np.ones(count), rng)


def _crowd(centers: FloatArray, scale: FloatArray, rng: np.random.Generator) -> Crowd:
    third = len(centers) // 3
    parts = np.split(np.arange(len(centers)), [len(centers) - 2 * third, len(centers) - third])
    kinds: tuple[type[Shape], ...] = (Sphere, Capsule, OrientedBox)
    return Crowd(*(_shapes(kind, centers[part], rng, scale[part]) for kind, part in zip(kinds, parts, strict=True)))
