"""Every branch of every kernel is reached by a named case: seen in the bytecode, while it is explained."""

from __future__ import annotations

import ast
import dis
import importlib
import linecache
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

import collision
from collision import explain
from collision.explaining import cases
from collision.explaining import trace as tracing
from collision.explaining.cases import all_cases
from collision.explaining.cases.case import Case

COLLISION = Path(collision.__file__).parent

#: Files that have kernels, and why no case has to reach their branches.
NOT_EXPLAINED_FILES: dict[str, str] = {
    "broadphase/blocks.py": "how boxes are rounded and laid out; what is read of them is explained",
    "broadphase/tree.py": "how a tree is built; what a search does in it is explained",
    "broadphase/walk.py": "in which order blocks of a tree are looked into; which of them are, is explained",
    "kernels/cylinder": "which direction parts a cylinder from another core; explanations say what is found, not how",
    "kernels/frames.py": "what constructors make of directions and rotations",
    "kernels/hull.py": "which direction parts a hull from another core; explanations say what is found, not how",
    "kernels/loops.py": "goes from pair to pair, and stores what the kernel of a pair returns",
    "kernels/nearness.py": "in which boxes of a tree to look first; the answer is the same whatever comes first",
    "kernels/support_search.py": "how nearest points of cylinders and of hulls are searched",
    "models/covers.py": "how a hull of few corners is laid around a mesh",
    "poses/": "many poses at once: decided quickly where that is certain, and handed on to the kernels of pairs",
    "scene/": "all pairs of a scene at once, by the kernels of pairs and the search that are explained",
    "shapes/bounding.py": "the sphere around points is no question about a pair",
    "shapes/operands.py": "what constructors refuse",
    "shapes/rotations.py": "what constructors make of a rotation",
}

#: The other files with kernels, which are explained.
FILES: tuple[str, ...] = tuple(
    name
    for path in sorted(COLLISION.rglob("*.py"))
    if "@kernel" in path.read_text(encoding="utf-8")
    and not (name := path.relative_to(COLLISION).as_posix()).startswith(tuple(NOT_EXPLAINED_FILES))
)

#: Kernels of these files that no explanation runs, and why.
NOT_EXPLAINED: dict[str, str] = {
    "range_between": "how near pairs come over time is not explained",
    **dict.fromkeys(("_swept_box", "swept", "_box"), "boxes around all positions are shown as they are"),
    "linear_corners": "bounds are computed when a scene is made, not by a query",
    "encode": "writes the rows of a scene's shapes",
    "half_space_bound": "bounds say in which boxes to look first",
    "store_bounds": "bounds are computed when a scene is made, not by a query",
    "posed_linear": "where one of many poses takes a shape is no question about a pair",
    "separate_any": "what is asked of two cores of a scene in any order; an explanation is of a pair in order",
    **dict.fromkeys(
        ("pairs_of_few", "_store_blocks", "_finite"),
        "finds for small scenes what the search through a tree would, which is explained",
    ),
    **dict.fromkeys(
        ("met", "store_met"), "what has no end is compared with the box of the other, not with those of a tree"
    ),
}

#: Branches that no case reaches: kernel, line as written, and why.
NOT_REACHED: dict[tuple[str, str], str] = {
    (
        "half_space_meets",
        "return a.x <= b.x and not dot(sub(Vec3(x, y, z), side.point), n) > side.margin",
    ): "only blocks of a tree have boxes that are empty",
    ("_pairs_of_leaves", "if total < look.capacity:"): "an explanation counts pairs, and keeps none",
    ("search", "if not touch or t > 2.0:"): "a way that ends in a touch does so before its end, or at it",
    (
        "look",
        "elif gap > best.gap:",
    ): "aside of a normal along which there is no gap there is one; of a hundred thousand hard pairs none has less",
    (
        "level",
        "if not into > 0.0 or dot(one.normal, other.normal) < _OPPOSITE:",
    ): "two normals of one touch are not opposite, but of cores without thickness, of which no example is known",
    (
        "level",
        "return Choice(scale(between, 1.0 / long), gap / long) if gap > other.gap * long else other",
    ): "along a sum the gap is no smaller than along both together",
    (
        "advance",
        "return min(last, 1.0), t == 1.0 or last <= 1.0, normal  # the end of the way decides what is beyond it",
    ): "a gap of rounding at the very end counts as a touch before",
    (
        "_glide",
        "if not (forth >= 0.0 or back >= 0.0):",
    ): "a graze that a sweep forth misses and one back finds, by rounding, is not known",
    ("_glide", "begin, end = begin if forth >= 0.0 else end, end if back >= 0.0 else begin"): "the same",
    ("sine_cosine", "if turns == 3:"): "no way between two places turns by more than half a turn",
    ("rotated", "if sine == 0.0 and cosine == 1.0:"): "of the angles up to half a turn, zero alone has a sine of zero",
    ("bent", "if rate == 0.0:"): "who asks has seen that it turns",
    ("_clear", "if not at_near > 0.0:"): "a step is sought for a gap that is above all rounding",
    ("search", "for count in range(MAX_STEPS):"): "ten thousand steps take seconds as Python",
    (
        "search",
        "near = TOUCH * extent if count < PATIENT_STEPS else max(TOUCH * extent, NEAR_TOUCH * least_speed(bounds))",
    ): "a thousand steps take seconds as Python",
    ("search", "if after == time:"): "a step is longer than the last bit of the time, where there is a gap",
    ("_intervals", "while time < asked.stop:"): "the time that is asked for is longer than nothing",
    (
        "linear_gain",
        "return start if line.lo == 0.0 and start > TOUCH * norm(sub(line.origin, at)) else 0.0",
    ): "only bounds on distances between two times look along other directions than the normal",
    ("_walk", "while time < until:"): "a piece of time is longer than nothing",
    ("_end", "for _ in range(_STEPS):"): "each of sixty steps at least halves what is left, where a line grazes too",
    (
        "_end",
        "if slope == 0.0 or abs(surface.gap) <= 0.25 * ROUNDING * size:",
    ): "where a line is level with the surface, at the one point in which it touches, no end of an interval is sought",
    (
        "clip_linear",
        "if level or product == 0.0:",
    ): "lengths whose squares are above zero have a product above zero; those whose are not are zero",
    (
        "clip_linear",
        "first, last = (first if first < touch else touch), (last if last > touch else touch)",
    ): "an end of an interval is on its side of the nearest point, but for rounding, of which no example is known",
    (
        "_common",
        "if last < first <= last + tolerance:",
    ): "what lies on each other misses each other by rounding at most",
    ("with_deepest", "if count < MAX_POINTS:"): "of eight corners one is as deep as the closest points, to rounding",
    (
        "with_deepest",
        "for j in range(slot + 1, out.before + count):  # it comes last, in place of the farthest",
    ): "the same",
    (
        "_next",
        "if side.turned == 0.0 and turned > 3.0:  # the first one, by rounding",
    ): "no side of an example is square to the first direction",
    (
        "point_linear",
        "if distance <= ROUNDING * reach or distance == 0.0:",
    ): "a distance of zero is never more than the rounding of a reach, unless that is no number",
    (
        "half_space_gain",
        "return 0.0 if largest(cross(m, sub(own, seen))) == 0.0 else math.inf",
    ): "from where a plane is seen to tip its points are bent without end, and nothing more is asked there",
    (
        "_better",
        "if abs(other) > gain * sine and sine > ROUNDING * norm(d) and leads_out(across, tolerance, over, under):",
    ): "a piece that is parallel to an edge but for rounding is beside the edge, not beside a corner",
}


class Jump(NamedTuple):
    """A conditional jump: of which code, where in it, and on which line."""

    file: str
    kernel: str
    first_line: int
    offset: int
    line: int

    @property
    def text(self) -> str:
        """The line as written."""
        return linecache.getline(self.file, self.line).strip()


def kernels_in(path: Path) -> Iterator[CodeType]:
    """Yield the code of each kernel of a file, also of those that are made by functions."""
    source = path.read_text(encoding="utf-8")
    names = {
        (node.name, node.decorator_list[0].lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "kernel" for d in node.decorator_list)
    }
    codes = [compile(source, str(path), "exec")]
    while codes:
        code = codes.pop()
        codes.extend(part for part in code.co_consts if isinstance(part, CodeType))
        if (code.co_name, code.co_firstlineno) in names:
            yield code


def jumps_of(code: CodeType) -> Iterator[Jump]:
    """Yield the conditional jumps of a kernel; a long one is where what makes it long stands before it."""
    line, start = code.co_firstlineno, -1
    for step in dis.get_instructions(code):
        line = step.positions.lineno if step.positions and step.positions.lineno else line
        start = step.offset if start < 0 else start
        if step.opname == "EXTENDED_ARG":
            continue
        if ("JUMP" in step.opname and "_IF_" in step.opname) or step.opname == "FOR_ITER":
            yield Jump(code.co_filename, code.co_name, code.co_firstlineno, start, line)
        start = -1


class Watcher(tracing.Tracer):
    """A tracer that also notes where each instruction led."""

    led: defaultdict[tuple[str, int, int], set[int]]
    open: dict[tuple[str, int], list[int]]

    def is_open(self, code: CodeType) -> bool:
        """Tell whether a kernel has a jump that has not led both ways yet; without one, watching it is of no use."""
        place = code.co_filename, code.co_firstlineno
        left = [offset for offset in self.open.get(place, ()) if len(self.led[*place, offset]) < 2]
        if place in self.open:
            self.open[place] = left
        return bool(left)

    def enter(self, frame: FrameType, event: str, value: Any) -> Callable[..., Any] | None:
        follow: Callable[..., Any] | None = super().enter(frame, event, value)
        code = frame.f_code
        if not self.is_open(code):
            return follow
        frame.f_trace_opcodes, last = True, -1

        def watch(frame: FrameType, event: str, value: Any) -> Any:
            nonlocal follow, last
            if event == "opcode":
                self.led[code.co_filename, code.co_firstlineno, last].add(frame.f_lasti)
                last = frame.f_lasti
            elif follow is not None:
                follow = follow(frame, event, value)
            return watch

        return watch


@pytest.fixture(scope="module")
def led() -> dict[tuple[str, int, int], set[int]]:
    """Where each instruction of each kernel led, over all cases: by file, first line and place."""
    found: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
    open_ones: dict[tuple[str, int], list[int]] = {}
    for code in (code for name in FILES for code in kernels_in(COLLISION / name)):
        open_ones[code.co_filename, code.co_firstlineno] = [jump.offset for jump in jumps_of(code)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Watcher, "led", found, raising=False)
        patch.setattr(Watcher, "open", open_ones, raising=False)
        patch.setattr(tracing, "Tracer", Watcher)
        for case in all_cases().values():
            explain(case.query, *case.given, **case.more)
    return found


def test_every_branch_is_reached_by_a_case(led: dict[tuple[str, int, int], set[int]]) -> None:
    missing, excused = [], set()
    for path in (COLLISION / name for name in FILES):
        for jump in (jump for code in kernels_in(path) for jump in jumps_of(code)):
            ways = len(led.get((jump.file, jump.first_line, jump.offset), ()))
            if ways > 1:
                continue
            excuse = (jump.kernel, jump.text)
            if jump.kernel in NOT_EXPLAINED or excuse in NOT_REACHED:
                excused.add(jump.kernel if jump.kernel in NOT_EXPLAINED else excuse)
                continue
            missing.append(f"{path.relative_to(COLLISION)}:{jump.line} {jump.kernel}: {ways} of 2 ways: {jump.text}")
    assert not missing, "\n".join(["no case reaches", *missing])
    assert excused == {*NOT_EXPLAINED, *NOT_REACHED}, "an excuse that is not needed"


def test_files_that_are_not_explained_have_kernels() -> None:
    for start in NOT_EXPLAINED_FILES:
        named = [path for path in COLLISION.rglob("*.py") if path.relative_to(COLLISION).as_posix().startswith(start)]
        assert any(next(kernels_in(path), None) for path in named), start


def test_cases_say_what_is_to_be_seen() -> None:
    for name, case in all_cases().items():
        assert name == name.strip(), name
        assert case.says.endswith("."), name


def test_no_two_cases_have_one_name() -> None:
    groups = [
        {*group}
        for module in pkgutil.iter_modules(cases.__path__)
        for group in vars(importlib.import_module(f"{cases.__name__}.{module.name}")).values()
        if isinstance(group, dict) and group and all(isinstance(case, Case) for case in group.values())
    ]
    explanation = all_cases()
    assert set().union(*groups) == {*explanation}
    for one, other in combinations(groups, 2):  # of two that share names, the one is a part of the other
        assert one <= other or other <= one or not one & other, one & other
