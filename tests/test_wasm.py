"""The loops as WebAssembly give the bits that they give as machine code; the tables of how to call them are true."""

from __future__ import annotations

import ctypes
import itertools
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from collision import (
    ConvexHull,
    HalfSpace,
    Ray,
    Scene,
    Shape,
    Sphere,
    Transform,
    closest_points,
    intersects,
    raycast,
    signed_distance,
    sweep,
)
from collision.base.fields import FloatArray
from collision.broadphase.hierarchy import WIDENING
from collision.broadphase.search import MET, PAIRS, filled
from collision.broadphase.tree import LEAF, build_tree
from collision.broadphase.volumes import BoundingBoxes, HalfSpaces, Lines, Swept, contiguous
from collision.kernels.loops import BOUNDS
from collision.kernels.table import KERNELS, CoreType, taken_as
from collision.native import CACHE_VARIABLE, NONE, address, ahead, linking
from collision.native.library import NoCodeError
from collision.scene.pairs import memory_size
from collision.shapes.kinds import KINDS
from collision.wasm import MODULE, MODULES, TABLES, building, loops, page_module, tables
from collision.wasm import module as module_and_tables
from collision.wasm.building import PAGES
from tests.browser import opened
from tests.cases import check_each
from tests.certificate.families import Kinds, cases
from tests.crowds import LAYOUTS, places
from tests.crowds import shapes as crowd_shapes
from tests.pages import ROOT, WEB_PAGES, blocks, read
from tests.slow import deep
from tests.webassembly import LOADER, Job, asked, asked_in_page, node, put_into, rows, same_bits, write_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Compiled in one process, once.
pytestmark = pytest.mark.xdist_group("wasm")

#: Hard pairs for each kernel, of all kinds that it is for: zero length, flat, touching, parallel, the same, from 1e-6
#: to 1e6 in size, and far from the origin; with ``--deep`` a hundred times as many.
COUNT = 100_000 if deep() else 1_000

#: The modules are to be no larger, in bytes: a page loads one before it shows anything.
LARGEST = dict(zip(MODULES, (255_000, 68_000, 120_000, 110_000, 158_000), strict=True))

TOLD: Any = json.loads(json.dumps(tables(loops())))


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wasm")
    put_into(folder)
    return folder


def ordered_pairs() -> Iterator[Kinds]:
    """Yield any two kinds, the lower core first."""
    for a, b in itertools.combinations_with_replacement(KINDS, 2):
        yield (a, b) if a.core_type <= b.core_type else (b, a)


def title(kinds: Kinds) -> str:
    return " and ".join(kind.__name__ for kind in kinds)


# -- the tables --------------------------------------------------------------------------------------------------------


def told_operands(shapes: Shape) -> tuple[Any, Any, list[FloatArray]]:
    """Return operands and strides of shapes as the tables have them, and the arrays that these are in."""
    told, numbers = TOLD["kinds"][type(shapes).__name__], rows(shapes)
    assert numbers.shape[1] == told["numbers"]
    kept, places, strides = [numbers], [], []
    for operand in told["operands"]:
        if isinstance(operand, int):
            places.append(address(numbers) + 8 * operand)
            strides.append(told["numbers"])
            continue
        beside = shapes.row_table if operand == "numbers" else np.empty(0)
        kept.append(beside if isinstance(operand, str) else np.array([float(number) for number in operand]))
        places.append(address(kept[-1]))
        strides.append(beside.size // len(shapes))
    return (ctypes.c_void_p * len(places))(*places), (ctypes.c_int64 * len(strides))(*strides), kept


def test_operands_are_where_the_tables_say() -> None:
    known = {loop.name: loop for loop in loops()}

    def check(kinds: Kinds) -> None:
        a, b, _ = cases(kinds, 100)
        loop = known[TOLD["pairs"][f"{TOLD['kinds'][kinds[0].__name__]['core']} {kinds[1].core_type:d}"]["record"]]
        first, first_steps, _kept = told_operands(a)
        second, second_steps, _kept_too = told_operands(b)
        count = len(a)
        found = [np.empty(count), np.empty(count), *np.empty((3, count, 3))]
        out = (ctypes.c_void_p * len(found))(*map(address, found))
        loop.run(0, count, False, first, first_steps, None, second, second_steps, None, *NONE, out)
        assert same_bits(joined(found[:1] + found[2:]), joined(closest_points(a, b))).all()

    check_each(ordered_pairs(), check, title)


def test_fields_are_where_the_tables_say() -> None:
    for kind in KINDS:
        shapes = cases((kind, kind), 100).a
        for name, (start, count) in TOLD["kinds"][kind.__name__]["fields"].items():
            own = {field.removeprefix("_"): value for field, value in shapes.kept.items()}[name]
            own = np.broadcast_to(own.reshape(-1, count), (len(shapes), count))
            assert np.array_equal(rows(shapes)[:, start : start + count], own)


def test_every_loop_that_is_named_can_be_called() -> None:
    named = [name for pair in TOLD["pairs"].values() for name in pair.values()]
    named += [TOLD["tree"]["build"], TOLD["tree"]["pairs"], *TOLD["tree"]["met"].values()]
    named += [TOLD["scene"]["pairs"]]
    named += [core[question] for core in TOLD["cores"] for question in ("bounds", "hits")]
    assert len(TOLD["cores"]) == len(CoreType)
    assert set(named) <= TOLD["loops"].keys() == {loop.name for loop in loops()}


#: How `collision.mjs` calls loops: i for an integer, f for a float, capitals for memory of them, S for singles; twice,
#: and three times, for tables.
_PAIR = "i i i FF I I FF I I FF I FF"
_TREE = "S I I F F F"
CALLED = {
    "point_point_record": _PAIR,
    "point_point_distance": f"{_PAIR} f",
    "sweep": f"{_PAIR} i i F F F",
    "hits_point": _PAIR,
    "bounds_point": "i FF I F F",
    "tree": f"i i i i {_TREE} I I f",
    "tree_pairs": f"i i {_TREE} f f I i",
    "tree_lines": f"i i F F F f f {_TREE} I i",
    "scene_touching": "i i I I FFF II I F F I I",
}


def test_loops_take_what_the_loader_gives() -> None:
    """Who changes what a loop takes changes `collision.mjs` and the page, too."""
    letter = {"int64": "i", "float64": "f", "int64*": "I", "float64*": "F", "float32*": "S"}
    letter |= {"int64**": "II", "float64**": "FF", "float64***": "FFF"}
    for name, letters in CALLED.items():
        assert " ".join(letter[kind] for kind in TOLD["loops"][name]["arguments"]) == letters, name


def test_the_memory_that_is_said_is_enough() -> None:
    fixed, each_pair, each_shape = TOLD["scene"]["memory"]
    for count, room in itertools.product((0, 1, 2, 7, 9, 63, 65, 1000, 4097, 100_003), (0, 64, 1000)):
        needed = memory_size(count, room)
        assert needed <= fixed + each_pair * room + each_shape * count <= needed + 100


# -- the module --------------------------------------------------------------------------------------------------------


@pytest.fixture
def nothing_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing in the cache, and nothing that building has left."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(building, "LEFT", tmp_path)


@pytest.mark.usefixtures("nothing_built")
def test_without_a_linker_it_is_said_what_brings_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "wasm_linker", lambda: None)
    with pytest.raises(NoCodeError, match=r'is missing \(wasm-ld\): pip install "\." .*"\.\[compile\]" ziglang brings'):
        module_and_tables()


@pytest.mark.usefixtures("nothing_built")
def test_a_module_that_building_left_is_taken_if_it_is_of_this_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "wasm_linker", lambda: None)
    (tmp_path / MODULE).write_bytes(b"left")
    (tmp_path / TABLES).write_text(json.dumps({"made": "of other code"}), encoding="utf-8")
    with pytest.raises(NoCodeError, match="there is no WebAssembly module"):
        module_and_tables()
    own = building._own_tables()
    (tmp_path / TABLES).write_text(json.dumps(own), encoding="utf-8")
    assert module_and_tables() == (b"left", own)


def test_zig_links_the_same_module(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("wasm-ld") is None:
        pytest.skip("there is no wasm-ld here (Debian's lld)")
    pytest.importorskip("ziglang", reason="the package ziglang, which has a linker, is not installed")
    few = [loop for loop in loops() if loop.name.startswith(("point_point", "bounds_"))]
    code = ahead.code_for(ahead.module_of(few), linking.WASM)
    expected = building._linked(code, few)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert building._linked(code, few) == expected


def test_what_is_made_for_pages_goes_beside_the_loader_in_a_wheel() -> None:
    text = (ROOT / ".build" / "wheels.py").read_text(encoding="utf-8")
    assert f'_FOR_PAGES = (".wasm", "{TABLES}")\n' in text
    assert all(name.endswith(".wasm") for name in MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_small_and_needs_nothing(name: str, module: Path, tmp_path: Path) -> None:
    assert (module / name).stat().st_size <= LARGEST[name]
    script = tmp_path / "look.mjs"
    script.write_text(
        'import fs from "node:fs";\n'
        "const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));\n"
        "console.log(JSON.stringify([WebAssembly.Module.imports(module), WebAssembly.Module.exports(module)]));\n"
    )
    imports, exports = json.loads(node(script, module / name))
    assert imports == []
    known = {"memory": "memory", "__heap_base": "global"}
    code, own = module_and_tables(name)
    assert code == (module / name).read_bytes()
    assert {one["name"]: one["kind"] for one in exports} == known | dict.fromkeys(own["loops"], "function")


@pytest.mark.parametrize("name", PAGES)
def test_a_module_for_pages_says_what_that_with_all_loops_does(name: str, module: Path, tmp_path: Path) -> None:
    (tmp_path / MODULE).write_bytes((module / name).read_bytes())
    code, own_tables = module_and_tables(name)
    (tmp_path / TABLES).write_text(json.dumps(own_tables), encoding="utf-8")
    kinds = [kind for kind in KINDS if BOUNDS[kind.core_type] in PAGES[name]]
    assert page_module(kinds)[0] == code
    jobs, own = [], []
    for a, b in itertools.combinations_with_replacement(kinds, 2):
        one, other, _ = cases((a, b), 50)
        jobs += [Job("records", (one, other))]
        own += [joined(closest_points(one, other))]
    compare(tmp_path, tmp_path, jobs, own)


def joined(arrays: Sequence[Any]) -> FloatArray:
    return np.concatenate([np.asarray(array, dtype=float).ravel() for array in arrays])


def motions(a: Shape, b: Shape, rng: np.random.Generator) -> FloatArray:
    """Return ways that lead to a touch, past it, along it, away, anywhere and nowhere."""
    there = closest_points(a, b)
    way = there.on_b - there.on_a
    count = len(way)
    size = np.abs(rows(a)).max(axis=1, keepdims=True)
    to = way * rng.choice([0.5, 1.0, 1.5, 4.0, -1.0], (count, 1))
    aside = np.cross(there.normal, rng.normal(size=(count, 3))) * size * rng.choice([0.0, 1e-12, 1e-6, 1.0], (count, 1))
    anywhere = rng.normal(size=(count, 3)) * size
    return np.where(rng.random((count, 1)) < 0.2, anywhere, to + aside) * rng.choice([0.0, 1.0, 1.0, 1.0], (count, 1))


def compare(module: Path, folder: Path, jobs: Sequence[Job], own: Sequence[FloatArray]) -> None:
    """Compare what Node.js answers with what machine code does."""
    compare_answers(asked(module, folder, jobs)[0], jobs, own)


def compare_answers(answers: Sequence[FloatArray], jobs: Sequence[Job], own: Sequence[FloatArray]) -> None:
    """Compare answers with those of machine code, and fail with the first number that differs."""
    assert any(expected.size for expected in own)
    for job, answer, expected in zip(jobs, answers, own, strict=True):
        assert answer.size == expected.size
        bad = np.flatnonzero(~same_bits(answer, expected))
        if bad.size:
            one = bad[0]
            raise AssertionError(
                f"{job.question} of {[type(shapes).__name__ for shapes in job.shapes]}: {bad.size} of {answer.size} "
                f"numbers differ, first number {one}: {answer[one]!r} there, {expected[one]!r} here"
            )


def check_kernels(compare: Callable[[Sequence[Job], Sequence[FloatArray]], None], seed: int) -> None:
    """Compare records, distances, verdicts and sweeps of hard pairs, for each kernel."""
    rng = np.random.default_rng(seed)

    def check(kernel: tuple[CoreType, CoreType]) -> None:
        pairs = [
            (a, b)
            for a, b in ordered_pairs()
            if taken_as((CoreType(a.core_type), CoreType(b.core_type)), KERNELS) == kernel
        ]
        jobs, own = [], []
        for kinds in pairs:
            a, b, _ = cases(kinds, COUNT // len(pairs))
            way = motions(a, b, rng)
            jobs += [Job(question, (a, b)) for question in ("records", "distances", "touches")]
            jobs += [Job("sweeps", (a, b), (way,))]
            own += [joined(closest_points(a, b)), joined([signed_distance(a, b)]), joined([intersects(a, b)])]
            own += [joined(sweep(a, b, motion=way)[1:])]
        compare(jobs, own)

    check_each(KERNELS, check, lambda kernel: f"{kernel[0].name} and {kernel[1].name}")


def test_every_kernel_gives_the_same_bits(module: Path, tmp_path: Path) -> None:
    check_kernels(lambda jobs, own: compare(module, tmp_path, jobs, own), 0)


def test_every_kernel_gives_the_same_bits_in_a_browser(module: Path, tmp_path: Path, chromium: Browser) -> None:
    with opened(chromium, write_page(module, tmp_path)) as page:
        check_kernels(lambda jobs, own: compare_answers(asked_in_page(page, tmp_path, jobs), jobs, own), 1)


def test_rays_and_bounds_give_the_same_bits(module: Path, tmp_path: Path) -> None:
    jobs, own = [], []
    for kind in KINDS:
        alike = sum(TOLD["cores"][other.core_type]["hits"] == TOLD["cores"][kind.core_type]["hits"] for other in KINDS)
        rays, shapes, _ = cases((Ray, kind), COUNT // alike)
        hit = raycast(rays, shapes, max_distance=3.0)
        jobs += [Job("hits", (rays, shapes), (None, 3.0))]
        own += [joined([hit.enter, hit.exit, hit.point, hit.normal])]
        if kind.bounded:
            jobs += [Job("bounds", (shapes, rays))]
            own += [joined(shapes.corners())]
    compare(module, tmp_path, jobs, own)


def test_pairs_and_order_are_as_given(module: Path, tmp_path: Path) -> None:
    """Pairs of elements, in both orders of kinds, one shape against many, and one motion for all."""
    rng, jobs, own = np.random.default_rng(1), [], []
    for kinds in ordered_pairs():
        a, b, _ = cases(kinds, 100)
        index = rng.integers(len(a), size=(50, 2))
        way = rng.normal(size=3)
        for x, y in ((a, b), (b, a)):
            first, second, pairs = x[index[:, 0]], y[index[:, 1]], index.astype(float)
            jobs += [Job("records", (x, y), (pairs,)), Job("sweeps", (x, y), (way, pairs)), Job("records", (x[:1], y))]
            own += [joined(closest_points(first, second)), joined(sweep(first, second, motion=way)[1:])]
            own += [joined(closest_points(x[0], y))]
    compare(module, tmp_path, jobs, own)


def test_a_tree_finds_the_same(module: Path, tmp_path: Path) -> None:
    """Pairs and what lines, boxes, boxes in motion and half-spaces meet, in the same order, in misleading scenes."""
    rng, jobs, own = np.random.default_rng(2), [], []
    for layout, count in itertools.product(LAYOUTS, (1, 200, 2500)):
        found = places(layout, rng, count)
        balls, rays = crowd_shapes(Sphere, *found, rng), crowd_shapes(Ray, *places(layout, rng, 40), rng)
        assert isinstance(rays, Ray)
        lower, upper = balls.corners()
        tree, margin = build_tree(lower, upper, WIDENING), float(rng.choice([0.0, 0.3]))
        reach, ends = margin * (1.0 + WIDENING), (rays.origin, rays.origin + 1.0)
        expected = [filled(PAIRS, (0, len(tree.order) // LEAF, *tree.addresses, WIDENING, reach), 64)]
        for volumes in (
            Lines(rays.origin, rays.direction, np.zeros(len(rays))),
            BoundingBoxes(*ends),
            Swept(*ends, rays.direction),
            HalfSpaces(rays.origin, rays.direction),
        ):
            _kept, given = contiguous(volumes)
            expected += [filled(MET[type(volumes)], (0, len(rays), *given, WIDENING, reach, *tree.addresses), 64)]
        jobs += [Job("tree", (balls, rays), (margin,))]
        own += [joined(expected)]
    compare(module, tmp_path, jobs, own)


def test_all_pairs_of_a_scene_are_found_in_one_call(module: Path, tmp_path: Path) -> None:
    rng, jobs, own = np.random.default_rng(3), [], []
    bounded = [kind for kind in KINDS if kind.bounded]
    for layout, count in itertools.product(LAYOUTS, (1, 20, 400 if deep() else 100)):
        batches = [crowd_shapes(kind, *places(layout, rng, count), rng) for kind in rng.permutation(np.array(bounded))]
        jobs += [Job("collidingPairs", batches)]
        own += [joined([Scene({f"{k}": batch for k, batch in enumerate(batches)}).colliding_pairs()])]
    assert sum(pairs.size for pairs in own) > 5_000
    compare(module, tmp_path, jobs, own)


def test_contacts_are_those_of_a_scene(module: Path, tmp_path: Path) -> None:
    """Of hard shapes of any two kinds, with and without a margin; among them are some that only touch."""
    jobs, own, counts = [], [], np.zeros(2, dtype=int)
    for (one, other), margin in zip(ordered_pairs(), itertools.cycle((0.0, 0.1)), strict=False):
        if one is other is HalfSpace:
            continue  # no scene asks for two
        for a, b in ((one, other), (other, one)):
            first, second, _ = cases((a, b), 40)
            found = Scene({"a": first, "b": second}).contacts(margin=margin)
            between = np.flatnonzero((found.pairs[:, 0] < 40) & (found.pairs[:, 1] >= 40))
            parts = [found.signed_distance, found.point, found.normal, found.on_a, found.on_b, found.only_touching]
            every = np.array(list(itertools.product(range(40), repeat=2)), dtype=float)
            jobs += [Job("contacts", (first, second), (every, margin))]
            own += [joined([found.pairs[between] - [0, 40], *(part[between] for part in parts)])]
            counts += len(between), int(found.only_touching[between].sum())
    assert (counts > 300).all(), counts
    compare(module, tmp_path, jobs, own)


def test_a_shape_that_moves_has_the_pairs_of_a_scene(module: Path, tmp_path: Path) -> None:
    rng, jobs, own = np.random.default_rng(4), [], []
    bounded = [kind for kind in KINDS if kind.bounded]
    for layout, kind in itertools.product(LAYOUTS, bounded):
        batches = [crowd_shapes(each, *places(layout, rng, 60), rng) for each in (kind, *bounded)]
        there = crowd_shapes(kind, *places(layout, rng, 10), rng)
        first, *others = batches
        if isinstance(first, ConvexHull):  # its row says where it is, and not which points it has
            there = first[:1].transformed(Transform(there._middle - first._middle[:1]))
        found: list[list[int]] = []
        for place in range(len(there)):
            shapes = {"moved": there[place], "rest": first[1:]} | {f"{k}": batch for k, batch in enumerate(others)}
            found += [Scene(shapes).pairs_of("moved")[:, 1].tolist(), [-1]]
        jobs += [Job("moved", batches, (rows(there),))]
        own += [joined(found)]
    assert sum(found.size for found in own) > 2 * 10 * len(own)
    compare(module, tmp_path, jobs, own)


# -- the page ----------------------------------------------------------------------------------------------------------


def test_the_example_of_the_page_runs(module: Path, tmp_path: Path) -> None:
    page = read(WEB_PAGES)
    (example,) = blocks(page, "js")
    (shown,) = blocks(page, "text")
    script = tmp_path / "example.mjs"
    script.write_text(example, encoding="utf-8")
    for path in (LOADER, *module.iterdir()):
        shutil.copy(path, tmp_path)
    assert node(script, folder=tmp_path) == shown
