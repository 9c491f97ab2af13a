"""Cases of scenes: the broad phase, and each gate that stops a pair."""

from __future__ import annotations

from collision.explaining.cases.case import candidate_pairs, why
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
    "few shapes, each with each": candidate_pairs(
        "So few boxes need no tree.", Scene({name: _FEW[name] for name in "abcd"})
    ),
    "some shapes without an end": candidate_pairs("Lines and half-spaces walk through the tree.", _FEW),
    "a crowd of shapes": candidate_pairs("From a leaf down to the later ones that it overlaps.", _MANY),
    "a pair that a rule leaves out": why("No geometry is asked.", _FEW, "a", "d"),
    "a pair that is hidden": why("No geometry is asked.", Scene(_FEW.shapes, hidden=("a",)), "a", "b"),
    "two half-spaces of a scene": why("Both would always overlap, or never.", _FEW, "ground", "pit"),
    "a pair whose boxes are apart": why("The broad phase stops it, along one axis.", _FEW, "a", "b"),
    "a pair whose boxes overlap": why("The boxes overlap, but the shapes do not touch.", _FEW, "a", "c"),
    "a pair within a margin": why("So near to each other counts.", _FEW, "a", "b", margin=0.25),
    "a line through the box of a ball": why("It is in all three slabs at once.", _FEW, "rail", "a"),
    "a line beside the box of a ball": why("It is level with one slab and beside it.", _FEW, "beam", "a"),
    "a ball that reaches the ground": why("The lowest corner of its box does.", _FEW, "a", "ground"),
    "a ball above a pit": why("The lowest corner of its box is above it.", _FEW, "a", "pit"),
    "a pair of lines": why("There are no boxes to be asked.", _FEW, "rail", "beam"),
    "a beam that runs back through a ball": why(
        "Of each slab the far side is entered first.",
        Scene({"beam": Line([3, 3.2, 2.4], [-0.6, -0.64, -0.48]), "ball": Sphere([0, 0, 0], 1)}),
        "beam",
        "ball",
    ),
    "a ball under a roof": why(
        "Which corner is farthest in, the signs of the normal say.",
        Scene({"roof": HalfSpace([0, 0, 1], [0.48, 0.64, -0.6]), "ball": Sphere([0, 0, 0], 1)}),
        "roof",
        "ball",
    ),
    "balls strewn about": candidate_pairs("Some leaves overlap of which no boxes do.", _STREWN),
    "balls in rows that touch": why(
        "In single precision that is not sure, so it is looked at once more.", _TOUCHING, "crowd[0]", "crowd[1]"
    ),
    "balls in rows, a hair apart": why(
        "In single precision they overlap, and as they are they do not.", _HAIR, "crowd[0]", "crowd[1]"
    ),
    "balls in rows, and a margin": why(
        "Boxes are widened by the margin on the way.", _HAIR, "crowd[0]", "crowd[1]", margin=0.5
    ),
    "a pair in one leaf of the tree": why("They are compared at once.", _MANY, "crowd[0]", "box"),
    "a pair far from each other in a tree": why(
        "A node above the other is passed over, and the pair with it.", _MANY, "crowd[0]", "crowd[215]"
    ),
}
