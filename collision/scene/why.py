"""Why a pair of a scene is reported as colliding, or not: at which gate it was stopped, and by how much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from collision.base.fields import FloatArray, IntArray, read_margin
from collision.queries.distances import contact
from collision.scene.elements import Elements, hierarchy_of
from collision.scene.scene import Scene, check_scene, world_of
from collision.shapes.kinds import HalfSpace, Shape

#: What decides about a pair.
Gate: TypeAlias = Literal["hidden", "rule", "half-spaces", "broad phase", "narrow phase"]

_AXES: tuple[Literal["x", "y", "z"], ...] = ("x", "y", "z")


@dataclass(frozen=True)
class Reason:
    """Why a pair is reported, or not; as text, a sentence.

    Attributes
    ----------
    a, b : str
        The names of the two shapes.
    reported : bool
        Whether the pair is among ``scene.contacts(margin=margin)``.
    gate : {'hidden', 'rule', 'half-spaces', 'broad phase', 'narrow phase'}
        The reason: that one is hidden, a rule of the scene, that both are half-spaces, or a phase of the search.
    hidden : tuple of str
        Those of the two that are hidden.
    rule : tuple of 2 str, or None
        The first of the scene's ignored pairs that covers the two.
    axis : {'x', 'y', 'z'} or None
        Along which the boxes around the shapes are farthest apart, or overlap the least; None where one has no end.
    box_gap : float
        How far they are apart along it; negative where they overlap.
    signed_distance : float
        Of the shapes themselves.
    margin : float
        The margin of the question.
    """

    a: str
    b: str
    reported: bool
    gate: Gate
    hidden: tuple[str, ...]
    rule: tuple[str, str] | None
    axis: Literal["x", "y", "z"] | None
    box_gap: float
    signed_distance: float
    margin: float

    def __str__(self) -> str:
        return f"{self.a} and {self.b} are {'' if self.reported else 'not '}reported: {self.because}."

    @property
    def because(self) -> str:
        """What decided, in words."""
        return self.in_words("{:.4g}".format)

    def in_words(self, write: Callable[[float], str]) -> str:
        """Return what decided, in words, with numbers by `write`.

        Parameters
        ----------
        write : callable
            Takes a number and returns the text for it.

        Examples
        --------
        >>> from collision import Scene, Sphere, why
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([2.12, 0, 0], 1)})
        >>> why(scene, "a", "b").in_words("{:.1f}".format)
        'apart in the broad phase, along x by 0.1'
        """
        limit = f", more than the margin {write(self.margin)}" if self.margin else ""
        if self.hidden:
            return f"{' and '.join(self.hidden)} {'is' if len(self.hidden) == 1 else 'are'} hidden"
        if self.rule is not None:
            return f"the scene ignores {self.rule[0]!r} with {self.rule[1]!r}"
        if self.gate == "half-spaces":
            return "both are half-spaces, which a scene does not compare with each other"
        if self.gate == "broad phase":
            if self.axis is not None:
                return f"apart in the broad phase, along {self.axis} by {write(self.box_gap)}{limit}"
            unbounded = "the one without an end does not reach the box around the other"
            return f"apart in the broad phase: {unbounded}, they are {write(self.signed_distance)} apart{limit}"
        if not self.reported:
            boxes = "the boxes around them overlap" if self.axis else "one of them has no end"
            return f"{boxes}, but they are {write(self.signed_distance)} apart{limit}"
        if self.signed_distance == -np.inf:
            return "they overlap, and no move parts them"
        if self.signed_distance < 0.0:
            return f"they overlap, by {write(-self.signed_distance)}"
        within = f", within the margin {write(self.margin)}"
        return f"they are {write(self.signed_distance)} apart{within}" if self.margin else "they touch"


def why(scene: Scene, a: str, b: str, *, margin: float = 0.0) -> Reason:
    """Return why a pair of shapes is among the contacts of a scene, or why it is not, as a `Reason`.

    Parameters
    ----------
    scene : Scene
        Has the shapes and the pairs to ignore.
    a, b : str
        Two different single shapes: entries without batch axes, or elements.
    margin : float
        As for `Scene.contacts`.

    Examples
    --------
    >>> from collision import Scene, Sphere, why
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([2.12, 0, 0], 1)})
    >>> print(why(scene, "a", "b"))
    a and b are not reported: apart in the broad phase, along x by 0.12.
    >>> print(why(scene.ignoring(("a", "*")), "a", "b"))
    a and b are not reported: the scene ignores 'a' with '*'.
    """
    margin = read_margin(margin, "why")
    one, other = _single(check_scene(scene, "why"), a), _single(scene, b)
    if one == other:
        raise ValueError(f"why takes two different shapes, got {a!r} and {b!r}, which are the same")
    shapes = scene.element(one), scene.element(other)
    (lower_a, upper_a), (lower_b, upper_b) = map(_corners, shapes)
    gaps = np.maximum(lower_b - upper_a, lower_a - upper_b)
    widest = int(np.argmax(gaps))
    pair = Elements({"a": shapes[0], "b": shapes[1]})
    near = len(hierarchy_of(pair).pairs(margin=margin)) > 0
    found = contact(*shapes, margin=margin)
    names = scene.element_name(one), scene.element_name(other)
    mask = world_of(scene).hidden
    hidden = tuple(n for n, number in zip(names, (one, other), strict=True) if mask is not None and mask[number])
    rule = _rule(scene, one, other)
    passed: Gate = "narrow phase" if near else "broad phase"
    if all(isinstance(shape, HalfSpace) for shape in shapes):
        passed = "half-spaces"
    gate: Gate = "hidden" if hidden else "rule" if rule is not None else passed
    reported = gate == "narrow phase" and bool(found.touching)
    axis = _AXES[widest] if np.isfinite(gaps[widest]) else None
    distance = float(found.signed_distance)
    return Reason(*names, reported, gate, hidden, rule, axis, float(gaps[widest]), distance, margin)


def candidate_pairs(scene: Scene, *, margin: float = 0.0) -> IntArray:
    """Return the pairs (k, 2) that the broad phase keeps: all that the narrow phase has to look at.

    They are those of boxes that overlap, rounded outwards; of a line, a ray or a half-space the boxes that it reaches,
    and all others without an end.

    Parameters
    ----------
    scene : Scene
        What is hidden in it, and the pairs that it ignores, are left out.
    margin : float
        As for `Scene.contacts`.

    Examples
    --------
    >>> from collision import Scene, Sphere, candidate_pairs
    >>> scene = Scene({"balls": Sphere([[0, 0, 0], [1.5, 1.5, 0], [9, 0, 0]], 1)})
    >>> candidate_pairs(scene), scene.colliding_pairs()
    (array([[0, 1]]), array([], shape=(0, 2), dtype=int64))
    """
    margin = read_margin(margin, "candidate_pairs")
    return world_of(check_scene(scene, "candidate_pairs")).candidates(margin)


def _single(scene: Scene, name: str) -> int:
    """Return the number of a single shape."""
    numbers = scene.element_numbers(name)
    if len(numbers) != 1:
        hint = f"; name one of them, such as {scene.element_name(numbers[0])!r}" if numbers else ""
        raise ValueError(f"why: {name!r} is a batch of {len(numbers)} elements{hint}")
    return numbers[0]


def _corners(shape: Shape) -> tuple[FloatArray, FloatArray]:
    return shape.corners() if shape.bounded else (np.full(3, -np.inf), np.full(3, np.inf))


def _rule(scene: Scene, one: int, other: int) -> tuple[str, str] | None:
    """Return the first of the ignored pairs that covers two elements."""
    # Without a rule, or one that covers them, nothing needs the names of all elements.
    if not scene.ignored or scene.tested(np.array([one]), np.array([other]))[0]:
        return None
    elements = world_of(scene).elements
    for rule in scene.ignored:
        a, b = (elements.mask(name) for name in rule)
        if (a[one] and b[other]) or (a[other] and b[one]):
            return rule
    return None
