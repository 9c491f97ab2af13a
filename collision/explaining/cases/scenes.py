"""Cases of scenes: the broad phase, and each gate that stops a pair."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, HalfSpace, Line, Sphere

_FEW = Scene(
    {
        "a": Sphere([0, 0, 0], 1),
        "b": Sphere([2.125, 0, 0], 1),
        "c": Sphere([1.5, 1.5, 0], 1),
        "d": Sphere([-1, -1, 0], 1),
        "rail": Line([0, 0, 0.5], [1, 0, 0]),
        "beam": Line([0, 0, 5], [1, 0, 0]),
        "ground": HalfSpace([0, 0, -0.5], [0, 0, 1]),
        "pit": HalfSpace([0, 0, -3], [0, 0, 1]),
    },
    ignored=[("a", "d")],
)

_MANY = Scene(
    {
        "crowd": Sphere([[2 * x, 2 * y, 2 * z] for x in range(6) for y in range(6) for z in range(6)], 0.75),
        "box": AABB([-1, -1, -1], [3, 1, 1]),
    }
)

#: Where balls lie in rows; they touch each other, or are a hair apart.
_ROWS = [[x, y, z] for x in range(6) for y in range(6) for z in range(6)]
_TOUCHING = Scene({"crowd": Sphere([[2.0 * x for x in row] for row in _ROWS], 1.0)})
_HAIR = Scene({"crowd": Sphere([[2.0000001 * x for x in row] for row in _ROWS], 1.0)})

#: Balls here and there.
_STREWN = Scene({"crowd": Sphere([[37 * k % 101 / 5, 53 * k % 103 / 5, 71 * k % 107 / 5] for k in range(300)], 1.0)})

SCENES = {
    "few shapes, each with each": Case(
        "candidate_pairs", (Scene({name: _FEW[name] for name in "abcd"}),), "So few boxes need no tree."
    ),
    "some shapes without an end": Case("candidate_pairs", (_FEW,), "Lines and half-spaces walk through the tree."),
    "a crowd of shapes": Case("candidate_pairs", (_MANY,), "From a leaf down to the later ones that it overlaps."),
    "a pair that a rule leaves out": Case("why", (_FEW, "a", "d"), "No geometry is asked."),
    "a pair that is hidden": Case("why", (Scene(_FEW.shapes, hidden=("a",)), "a", "b"), "No geometry is asked."),
    "two half-spaces of a scene": Case("why", (_FEW, "ground", "pit"), "Both would always overlap, or never."),
    "a pair whose boxes are apart": Case("why", (_FEW, "a", "b"), "The broad phase stops it, along one axis."),
    "a pair whose boxes overlap": Case("why", (_FEW, "a", "c"), "The boxes overlap, but the shapes do not touch."),
    "a pair within a margin": Case("why", (_FEW, "a", "b"), "So near to each other counts.", {"margin": 0.25}),
    "a line through the box of a ball": Case("why", (_FEW, "rail", "a"), "It is in all three slabs at once."),
    "a line beside the box of a ball": Case("why", (_FEW, "beam", "a"), "It is level with one slab and beside it."),
    "a ball that reaches the ground": Case("why", (_FEW, "a", "ground"), "The lowest corner of its box does."),
    "a ball above a pit": Case("why", (_FEW, "a", "pit"), "The lowest corner of its box is above it."),
    "a pair of lines": Case("why", (_FEW, "rail", "beam"), "There are no boxes to be asked."),
    "a beam that runs back through a ball": Case(
        "why",
        (Scene({"beam": Line([3, 3.2, 2.4], [-0.6, -0.64, -0.48]), "ball": Sphere([0, 0, 0], 1)}), "beam", "ball"),
        "Of each slab the far side is entered first.",
    ),
    "a ball under a roof": Case(
        "why",
        (Scene({"roof": HalfSpace([0, 0, 1], [0.48, 0.64, -0.6]), "ball": Sphere([0, 0, 0], 1)}), "roof", "ball"),
        "Which corner is farthest in, the signs of the normal say.",
    ),
    "balls strewn about": Case("candidate_pairs", (_STREWN,), "Some leaves overlap of which no boxes do."),
    "balls in rows that touch": Case(
        "why",
        (_TOUCHING, "crowd[0]", "crowd[1]"),
        "In single precision that is not sure, so it is looked at once more.",
    ),
    "balls in rows, a hair apart": Case(
        "why", (_HAIR, "crowd[0]", "crowd[1]"), "In single precision they overlap, and as they are they do not."
    ),
    "balls in rows, and a margin": Case(
        "why", (_HAIR, "crowd[0]", "crowd[1]"), "Boxes are widened by the margin on the way.", {"margin": 0.5}
    ),
    "a pair in one leaf of the tree": Case("why", (_MANY, "crowd[0]", "box"), "They are compared at once."),
    "a pair far from each other in a tree": Case(
        "why", (_MANY, "crowd[0]", "crowd[215]"), "A node above the other is passed over, and the pair with it."
    ),
}
