"""How the broad phase decides: the boxes around shapes, the nodes of the tree that were opened, all gates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.broadphase.blocks import widened_box
from collision.broadphase.hierarchy import WIDENING, Hierarchy
from collision.broadphase.search import PAIRS, boxes_overlap
from collision.broadphase.tree import LEAF, TreeMemory
from collision.broadphase.volumes import KERNELS, Lines
from collision.explaining import separation
from collision.explaining.bars import AXES, PlotBar, bar_plot, legs
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import listed, memory_of
from collision.explaining.records import Mark, MarkRole, Step, Value, at_most, formula
from collision.explaining.trace import Call, trace
from collision.kernels.loops import BOUNDS
from collision.kernels.vec3 import Vec3, along
from collision.queries.distances import contact
from collision.scene.elements import Elements, hierarchy_of, volumes_of
from collision.scene.scene import Scene
from collision.scene.why import Reason
from collision.shapes.kinds import AABB, Point, Segment, Shape

_AROUND_TWO = "The boxes around the two"

#: So many names are listed.
_NAMES = 6


class _Broad(NamedTuple):
    """What `candidate_pairs` searches: the shapes that are not hidden, by kind, and the boxes around them."""

    scene: Scene
    numbers: IntArray
    lower: FloatArray
    upper: FloatArray
    hierarchy: Hierarchy

    @property
    def has_tree(self) -> bool:
        """Whether the tree has more than a leaf, in which boxes are compared each with each."""
        return self.hierarchy.count > LEAF or len(self.hierarchy.wide) > 0

    def name(self, k: int) -> str:
        """Return the name of a box's shape."""
        return self.scene.element_name(int(self.numbers[k]))

    def boxes(self, which: IntArray) -> AABB | None:
        """Return some boxes as shapes, without those that have no end."""
        bounded = which[~np.isin(which, self.hierarchy.wide)]
        return AABB(self.lower[bounded], self.upper[bounded]) if len(bounded) else None


def _broad(scene: Scene) -> _Broad:
    groups = scene.groups
    elements = Elements({f"kind {k}": group.shape for k, group in enumerate(groups)})
    numbers = np.concatenate([np.empty(0, dtype=np.int64), *(group.elements for group in groups)])
    return _Broad(scene, numbers, elements.cores.lower, elements.cores.upper, hierarchy_of(elements))


def explained(asked: Question) -> Explanation:
    """Return the explanation of `candidate_pairs` or of `why`."""
    broad, margin, result = _broad(asked.given[0]), float(asked.more.get("margin", 0.0)), asked.result
    if asked.query == "why":
        return _why(asked, broad, margin)
    steps = [_around(broad, margin)]
    steps += [_tree(broad), _walked(broad, _first_leaf(broad, result), margin)] if broad.has_tree else []
    steps.append(_kept(broad, result))
    said = f"Of {_pairs_of(len(broad.numbers)):,} pairs the broad phase keeps {len(result):,}."
    return asked.answered(steps, said, ())


def _pairs_of(count: int) -> int:
    return count * (count - 1) // 2


# --- all pairs ------------------------------------------------------------------------------------


def _around(broad: _Broad, margin: float) -> Step:
    """Return the step that puts a box around each shape."""
    count, wide = len(broad.numbers), len(broad.hierarchy.wide)
    text = (
        "Around each shape lies a box along the world's axes, wider by what rounding may do. Shapes whose boxes do not "
        "overlap cannot touch, and boxes take six comparisons."
    )
    if wide:
        text += " What has no end has no box either, and is taken as it is."
    if margin:
        text += " With a margin, boxes count that are no farther apart than that."
    values = [
        Value("n", count, "", "boxes", "shapes"),
        Value("n (n - 1) / 2", _pairs_of(count), "", "", "pairs of them"),
        Value("m", margin, "length", "", "margin"),
    ]
    boxes = broad.boxes(np.arange(count))
    marks = () if boxes is None else (Mark("boxes", "guide", boxes),)
    return Step("A box around each shape", text, (), tuple(values), marks, kernel="widened_box")


def _tree(broad: _Broad) -> Step:
    """Return the step that puts boxes around boxes."""
    hierarchy = broad.hierarchy
    if len(hierarchy.wide) == hierarchy.count:
        return Step("The tree", "No shape has a box, so there is no tree: each is compared with each.")
    tree = hierarchy.tree
    levels = int(tree.starts[0])
    counts = [int(tree.starts[level + 2] - tree.starts[level + 1]) for level in range(levels)]
    text = (
        "Along a curve that fills space, neighbours are eight to a leaf, eight leaves to a node, and so on, each with "
        f"a box around it. {hierarchy.count - len(hierarchy.wide)} boxes make "
        f"{counts[0]} {'leaf' if counts[0] == 1 else 'leaves'}."
    )
    values = [Value(f"n_{level}", count, "", "", "leaves" if not level else f"nodes of level {level}")
              for level, count in enumerate(counts)]  # fmt: skip
    bars = [PlotBar(levels - 1 - level, 0.0, count, "core") for level, count in enumerate(counts)]
    rows = ["leaves" if not level else f"level {level}" for level in reversed(range(levels))]
    marks = []
    if levels > 1:
        marks.append(Mark("leaves", "guide", AABB(*boxes_of(tree, 0, range(counts[0])))))
    return Step("The tree", text, (), tuple(values), tuple(marks), bar_plot("Nodes of each level", "nodes", rows, bars))


def _first_leaf(broad: _Broad, pairs: IntArray) -> int:
    """Return the leaf from which the first pair is found; the first one where there is none."""
    hierarchy = broad.hierarchy
    for pair in pairs[:64]:
        boxes = [int(np.flatnonzero(broad.numbers == number)[0]) for number in pair]
        if not np.isin(boxes, hierarchy.wide).any():
            return min(leaf_of(hierarchy.tree, number) for number in boxes)
    return 0


def _walked(broad: _Broad, leaf: int, margin: float) -> Step:
    """Return the step that goes through the tree from one leaf."""
    if len(broad.hierarchy.wide) == broad.hierarchy.count:
        return Step("Down the tree", "There is no tree to go down.")
    return _walk_step(broad, walk_from(broad.hierarchy.tree, leaf, WIDENING, margin), "")


def _walk_step(broad: _Broad, walk: TreeWalk, more: str) -> Step:
    """Return the step that shows which nodes were opened from a leaf."""
    held = [broad.name(k) for k in walk.held]
    some = ", ".join(held[:_NAMES]) + (" and more" if len(held) > _NAMES else "")
    text = (
        f"From the leaf with {some} the search goes down the tree, and opens a node or a leaf only if its box "
        f"overlaps that of this leaf: {walk.opened_count} are opened, {walk.passed_count} passed over with all that is "
        f"in them. What comes before the leaf has been there already.{more}"
    )
    if not walk.by_level:
        text = f"All boxes are in one leaf ({some}), and there each is compared with the others.{more}"
    marks = [Mark("the leaf", "point", AABB(*walk.own))] if walk.own is not None else []
    marks += [Mark(label, role, AABB(*boxes)) for label, role, boxes in walk.shown]
    levels = [level for level, _, _ in walk.by_level]
    bars = []
    for row, (_, opened, passed) in enumerate(walk.by_level):
        bars.append(PlotBar(row, 0.0, opened, "chosen", "", "opened" if opened else ""))
        bars.append(PlotBar(row, opened, opened + passed, "other", "", "passed over" if passed else ""))
    rows = ["leaves" if level == 0 else f"level {level}" for level in levels]
    values = [
        Value("o", walk.opened_count, "", "opened", "nodes and leaves that were opened"),
        Value("p", walk.passed_count, "", "passed over", "nodes and leaves that were passed over"),
        Value("k", walk.found, "", "", "pairs found from this leaf"),
    ]
    plot = bar_plot("Opened, and passed over", "nodes", rows, bars) if rows else None
    return Step("Down the tree", text, (), tuple(values), tuple(marks), plot, kernel="pairs_of_tree")


def _kept(broad: _Broad, pairs: IntArray) -> Step:
    """Return the step that says what is left."""
    count = len(broad.numbers)
    how = "" if broad.has_tree else f"So few boxes are compared each with each, which takes {_pairs_of(count)} looks. "
    text = how + f"{len(pairs):,} pairs of boxes overlap and are left for the narrow phase, without ignored ones."
    names = [f"{broad.scene.element_name(int(a))} and {broad.scene.element_name(int(b))}" for a, b in pairs[:_NAMES]]
    if names:
        text += f" Among them: {'; '.join(names)}." if len(pairs) > len(names) else f" These are: {'; '.join(names)}."
    kept = np.flatnonzero(np.isin(broad.numbers, pairs))
    boxes = broad.boxes(kept), broad.boxes(np.setdiff1d(np.arange(count), kept))
    marks = [] if boxes[0] is None else [Mark("kept", "chosen", boxes[0])]
    marks += [] if boxes[1] is None else [Mark("left out", "other", boxes[1])]
    values = (
        Value("k", len(pairs), "", "kept", "pairs for the narrow phase"),
        Value("n", _pairs_of(count), "", "", "pairs in all"),
    )
    return Step("What is left", text, (), values, tuple(marks), kernel="candidate_pairs")


# --- one pair -------------------------------------------------------------------------------------


def _why(asked: Question, broad: _Broad, margin: float) -> Explanation:
    """Return the explanation of `why`: gate by gate, up to the one that stopped the pair."""
    reason: Reason = asked.result
    names = reason.a, reason.b
    shapes = broad.scene[reason.a], broad.scene[reason.b]
    steps = [_gates(reason)]
    if reason.gate in ("broad phase", "narrow phase"):
        steps += _through_boxes(broad, shapes, names, margin, asked)
    if reason.gate == "narrow phase":
        found = contact(*shapes, margin=margin)
        steps += separation.explained(Question("contact", shapes, {"margin": margin}, names, found)).steps
    return asked.answered(steps, str(reason), names)


def _gates(reason: Reason) -> Step:
    """Return the step of what stops a pair before any numbers."""
    values = (
        Value(r"\mathrm{hidden}", bool(reason.hidden), "", "", "whether one of the two is hidden"),
        Value(r"\mathrm{rule}", reason.rule is not None, "", "", "whether the scene ignores the pair"),
        Value(r"\mathrm{planes}", reason.gate == "half-spaces", "", "", "whether both are half-spaces"),
    )
    if reason.gate in ("hidden", "rule", "half-spaces"):
        text = f"No geometry is asked: {reason.because}."
    else:
        text = "Neither shape is hidden, no rule ignores the pair, and they are not both half-spaces: geometry decides."
    return Step("Gates before geometry", text, (), values, kernel="why")


def _through_boxes(
    broad: _Broad, shapes: tuple[Shape, Shape], names: tuple[str, str], margin: float, asked: Question
) -> list[Step]:
    """Return the steps of the broad phase for a pair."""
    numbers = [broad.scene.element_numbers(name)[0] for name in names]
    boxes = [int(np.flatnonzero(broad.numbers == number)[0]) for number in numbers]
    if not all(shape.bounded for shape in shapes):
        return [_without_a_box(shapes, names, margin, asked)]
    steps = []
    if broad.has_tree:
        tree = broad.hierarchy.tree
        leaves = [leaf_of(tree, number) for number in boxes]
        walk = walk_from(tree, min(leaves), WIDENING, margin)
        steps.append(_walk_step(broad, walk, _met(walk, leaves, names)))
    return [*steps, _boxes(shapes, names, margin, asked)]


def _met(walk: TreeWalk, leaves: list[int], names: tuple[str, str]) -> str:
    """Return whether a walk came to the leaf of the other shape."""
    if leaves[0] == leaves[1]:
        return f" {names[0]} and {names[1]} are in the same leaf, so they are compared at once."
    other = names[leaves.index(max(leaves))]
    if max(leaves) in walk.leaves:
        return f" The leaf of {other} is among those opened, so what is in it is compared box by box."
    return f" That of {other} is not among those opened: a node above it was passed over, and the pair with it."


def _corners_of(shape: Shape) -> tuple[Any, Any]:
    """Return the corners of a single shape's bounds, computed as Python."""
    core, lower, upper = memory_of(shape), [0.0] * 3, [0.0] * 3
    BOUNDS[shape.core_type].function(1, core.table, core.strides, lower, upper)
    return lower, upper


def _boxes(shapes: tuple[Shape, Shape], names: tuple[str, str], margin: float, asked: Question) -> Step:
    """Return the step that compares the boxes of a pair."""
    corners = [_corners_of(shape) for shape in shapes]
    boxes = [trace(widened_box, *pair, 0, WIDENING).result for pair in corners]
    reach = margin * (1.0 + WIDENING)
    passed = bool(trace(boxes_overlap, *boxes, reach).result)
    asked.confirm([passed], [asked.result.gate == "narrow phase"])
    spans = [[(box.lower[k], box.upper[k]) for box in boxes] for k in range(3)]
    ends = [(min(one[1], other[1]), max(one[0], other[0])) for one, other in spans]
    shown = legs(*([span[side] for span in spans] for side in (0, 1)))
    limit, values, bars, rules, marks = Value("m", reach, "length", "", "margin"), [], [], [], []
    for k, (axis, (first, last)) in enumerate(zip(AXES, ends, strict=True)):
        label, far = f"gap along {axis}", last - first > reach
        gap = Value(f"g_{axis}", last - first, "length", label, "gap, negative where they overlap")
        values.append(gap)
        rules.append(formula(f"<g> {at_most(not far)} <m>", g=gap, m=limit))
        marks.append(Mark(label, "gap" if far else "other", Segment(*shown[k])))
        for lane, (span, name) in enumerate(zip(spans[k], names, strict=True)):
            bars.append(PlotBar(k, *span, "core", name, f"box of {name}", 2 * lane, 3))
        bars.append(PlotBar(k, first, last, "chosen" if far else "other", "", label, 1, 3))
    apart = [axis for axis, (first, last) in zip(AXES, ends, strict=True) if last - first > reach]
    if apart:
        text = f"The boxes are apart along {listed(apart)}, so the shapes cannot touch: here the pair is stopped."
    else:
        text = (
            "The boxes overlap along all axes, or are no farther apart than the margin: the shapes themselves decide."
        )
    for name, corner in zip(names, corners, strict=True):
        marks.append(Mark(f"box of {name}", "chosen" if passed else "other", AABB(*corner)))
    plot = bar_plot("Intervals of the boxes", "coordinate", AXES, bars)
    return Step(_AROUND_TWO, text, tuple(rules), (*values, limit), tuple(marks), plot, kernel="boxes_overlap")


# --- the tree, read back from the search ----------------------------------------------------------


#: Boxes by their corners, (n, 3) each.
_Corners = tuple[FloatArray, FloatArray]


class TreeWalk(NamedTuple):
    """A walk from a leaf down to the later ones."""

    held: list[int]  # the numbers of the boxes in the leaf
    own: _Corners | None  # the box around the leaf; nothing where that is the whole tree
    by_level: list[tuple[int, int, int]]  # from the top: a level, how many nodes were opened and how many passed over
    shown: list[tuple[str, MarkRole, _Corners]]  # the boxes of nodes: a label, a role, and corners
    leaves: frozenset[int]  # those that were opened
    found: int  # how many pairs were found

    @property
    def opened_count(self) -> int:
        """How many nodes and leaves were opened."""
        return sum(opened for _, opened, _ in self.by_level)

    @property
    def passed_count(self) -> int:
        """How many were passed over, each with all that is in it."""
        return sum(passed for _, _, passed in self.by_level)


def leaf_of(tree: TreeMemory, number: int) -> int:
    """Return the leaf that a box is in."""
    return int(np.flatnonzero(tree.order == number)[0]) // LEAF


def walk_from(tree: TreeMemory, leaf: int, widening: float, margin: float) -> TreeWalk:
    """Run the search from a leaf as Python, and return where it went."""
    found: Any = np.empty(0, dtype=np.int64)
    memory = (tree.blocks.ravel(), tree.order, tree.starts, tree.frame, tree.lower.ravel(), tree.upper.ravel())
    root = trace(PAIRS.function, leaf, leaf + 1, *memory, widening, margin * (1.0 + widening), found, 0)
    call = root.find("pairs_of_tree")
    levels, starts = int(tree.starts[0]), tree.starts
    visited: list[set[int]] = [set() for _ in range(levels)]
    for block in call.each("_later"):
        visited[block.first("level")].add(int(block.first("node")))
    visited[0] = {int(leaf.first("other")) for leaf in call.each("_pairs_with")}
    held = [int(number) for number in tree.order[LEAF * leaf : LEAF * (leaf + 1)] if number >= 0]
    own = boxes_of(tree, 0, [leaf]) if levels > 1 else None
    by_level, opened, passed = [], [], []
    for level in range(levels - 2, -1, -1):
        below = {LEAF * node + lane for node in visited[level + 1] for lane in range(LEAF)}
        there = {node for node in below if node < starts[level + 2] - starts[level + 1]}
        later = {node for node in there if (node + 1) * LEAF**level > leaf + 1}
        by_level.append((level, len(visited[level]), len(later - visited[level])))
        opened.append(boxes_of(tree, level, sorted(visited[level])))
        passed.append(boxes_of(tree, level, sorted(later - visited[level])))
    shown = _joined("opened", "chosen", opened) + _joined("passed over", "other", passed)
    return TreeWalk(held, own, by_level, shown, frozenset(visited[0]), int(root.result))


def _joined(label: str, role: MarkRole, parts: list[_Corners]) -> list[tuple[str, MarkRole, _Corners]]:
    """Return the boxes of all levels under one label, if there are any."""
    if not any(len(lower) for lower, _ in parts):
        return []
    return [
        (label, role, (np.concatenate([lower for lower, _ in parts]), np.concatenate([upper for _, upper in parts])))
    ]


def boxes_of(tree: TreeMemory, level: int, nodes: Sequence[int]) -> _Corners:
    """Return the boxes around some blocks of a level, which the level above has."""
    if not nodes:
        return np.empty((0, 3)), np.empty((0, 3))
    start = tree.starts[level + 2]
    found = np.array([tree.blocks[start + node // LEAF, :, node % LEAF] for node in nodes], dtype=np.float64)
    found = found * tree.frame[4]
    return found[:, :3] + tree.frame[:3], found[:, 3:] + tree.frame[:3]


# --- what has no end ------------------------------------------------------------------------------


#: A line that is level with a slab enters it never, as good as: beyond this there is nothing to be shown.
_FOR_EVER = 1e100

_Named = tuple[str, Shape]


def _without_a_box(shapes: tuple[Shape, Shape], names: tuple[str, str], margin: float, asked: Question) -> Step:
    """Return the step of the broad phase for a pair in which at least one shape has no end."""
    pairs: list[_Named] = list(zip(names, shapes, strict=True))
    bounded = [pair for pair in pairs if pair[1].bounded]
    if not bounded:
        text = f"{names[0]} and {names[1]} have no end, so no box says anything: the shapes themselves decide."
        reached = asked.result.gate == "narrow phase"
        return Step(_AROUND_TWO, text, (), (Value(r"\mathrm{reached}", reached),), kernel="pairs")
    (line,) = (pair for pair in pairs if not pair[1].bounded)
    (boxed,) = bounded
    volumes = volumes_of(line[1].flattened())
    kernels = KERNELS[type(volumes)]
    arrays: list[Any] = [values.ravel().tolist() for values in volumes]
    arrays += [[]] * (3 - len(arrays))
    reach = margin * (1.0 + WIDENING)
    volume = trace(kernels.read, *arrays, 0, WIDENING, reach).result
    corners: Any = [values.tolist() for values in boxed[1].corners()]
    lower, upper = corners
    call = trace(kernels.meets, volume, widened_box(lower, upper, 0, WIDENING))
    asked.confirm([bool(call.result)], [asked.result.gate == "narrow phase"])
    role: MarkRole = "chosen" if call.result else "other"
    box = Mark(f"box of {boxed[0]}", role, AABB(*corners))
    if isinstance(volumes, Lines):
        return _line_and_box(call, line[0], boxed[0], (Vec3(*arrays[0]), Vec3(*arrays[1])), box)
    return _plane_and_box(call, line[0], boxed[0], box)


def _line_and_box(call: Call, line: str, boxed: str, course: tuple[Vec3, Vec3], box: Mark) -> Step:
    slabs = call.find("course_in_box")
    enter, leave = slabs.result
    inside = enter <= leave
    first = Value("t_1", enter, "length", "last slab entered", "when the last of the three slabs is entered")
    last = Value("t_2", leave, "length", "first slab left", "when the first of them is left")
    text = f"{line} has no end and no box. It is in the box of {boxed} while it is in all three slabs of it at once: "
    text += "it enters the last before it leaves the first, so the shapes themselves decide."
    if not call.result:
        level = max(abs(enter), abs(leave)) >= _FOR_EVER
        missed = "it is level with one and beside it" if level else "it leaves one before it enters another"
        text = f"{text.partition(': ')[0]}: {missed}, which stops the pair."
    rule = formula(rf"<a> {at_most(inside)} <b>", a=first, b=last)
    origin, direction = course
    marks = [box]
    for value in (first, last):
        t = enter if value is first else leave
        if abs(t) < _FOR_EVER:
            marks.append(Mark(value.mark, "point", Point(along(origin, t, direction))))
    if inside and max(abs(enter), abs(leave)) < _FOR_EVER:
        ends = (along(origin, t, direction) for t in (enter, leave))
        marks.append(Mark("in the box", "gap", Segment(*ends)))
    return Step(_AROUND_TWO, text, (rule,), (first, last), tuple(marks), kernel="line_meets")


def _plane_and_box(call: Call, plane: str, boxed: str, box: Mark) -> Step:
    side, corner = call.first("side"), Vec3(call["x"], call["y"], call["z"])
    c = Value(r"\mathbf{c}", corner, "length", "lowest corner", f"corner of the box of {boxed} that is farthest in")
    p = Value(r"\mathbf{p}", side.point, "length", "", f"point of the plane of {plane}")
    n = Value(r"\mathbf{n}", side.normal, "", "", f"normal of {plane}")
    allowed = Value("m", side.margin, "length", "", "what counts as touching: the margin, and rounding")
    rule = formula(rf"<n> \cdot (<c> - <p>) {at_most(call.result)} <m>", n=n, c=c, p=p, m=allowed)
    text = f"{plane} has no end and no box. The corner of the box of {boxed} that is farthest in is "
    text += "in it, so the shapes themselves decide." if call.result else "not in it, which stops the pair."
    marks = (box, Mark("lowest corner", "point", Point(corner)))
    return Step(_AROUND_TWO, text, (rule,), (c, p, n, allowed), marks, kernel="half_space_meets")
