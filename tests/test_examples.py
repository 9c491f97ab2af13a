"""Every example is found, says what it is, can be drawn, and keeps what its text promises."""

from __future__ import annotations

import ast
import re
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import collision
import viewer
from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
    crossings,
    distance,
    foot,
    intersects,
    manifold,
    signed_distance,
    touching_intervals,
)
from tests.cases import check_each
from tests.slow import deep
from viewer.camera.camera import Viewport
from viewer.files.catalogue import Example, find_examples, find_lessons
from viewer.files.loading import read
from viewer.session import Session

#: Models are read by MuJoCo.
KINDS = (".py", ".toml", ".xml") if find_spec("mujoco") is not None else (".py", ".toml")
EXAMPLES = {example.name: example for example in find_examples() if example.path.suffix in KINDS}
PICTURES = Path(__file__).parent.parent / "examples" / "pictures"
SEVEN = {
    "sphere_segment",
    "sphere_line",
    "circle_segment",
    "point_distance",
    "bounding_volumes",
    "knot",
    "capsule_space",
    "line_circle",
}

every_example = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)


def module(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES[name].path))


def pairs(scene: Scene) -> set[tuple[str, str]]:
    return {(scene.element_name(int(i)), scene.element_name(int(j))) for i, j in scene.colliding_pairs()}


# -- all of them -------------------------------------------------------------------------------------------------------


def test_the_scenes_of_the_sources_and_a_first_one_are_there() -> None:
    assert set(EXAMPLES) >= SEVEN | {"first"}


@every_example
def test_says_what_it_is(example: Example) -> None:
    scene = example.scene()
    assert (scene.title, scene.caption) == (example.title, example.caption)
    assert example.title
    assert not example.title.endswith(".")
    assert example.caption.endswith(".")
    assert len(example.caption) < 400  # a picture has no room for more
    assert "Try: " in example.caption
    assert example.name == example.name.lower()


@pytest.mark.parametrize("example", [*EXAMPLES.values(), *find_lessons()], ids=lambda example: example.name)
def test_its_words_are_right_in_every_theme(example: Example) -> None:
    assert not re.search(r"\b(red|orange)\b", example.path.read_text(encoding="utf-8"))  # what collides is hatched


@every_example
def test_all_of_it_is_in_the_picture(example: Example) -> None:
    scene = example.scene()
    if scene.camera is None:
        assert example.path.suffix == ".xml"  # a model is framed when it is drawn
        return
    view = Viewport(scene.camera, (1280, 960))
    for group in scene.groups:
        if not group.shape.bounded:
            continue
        box = group.shape.bounds()
        for corner in (box.lower, box.upper):
            pixels, depth = view.project(corner)
            assert np.all(depth > 0.0)
            assert np.all((pixels > 0.0) & (pixels < view.size))


@every_example
def test_is_drawn_with_red_where_something_collides(example: Example) -> None:
    scene = example.scene()
    image = viewer.render(scene, size=(320, 240), panels=False).astype(int)
    red, green, blue = np.moveaxis(image, -1, 0)
    middle = np.s_[20:180, 20:260]  # the small axes are in a corner
    reds = np.count_nonzero(((red > 140) & (red > 2 * green) & (red > 2 * blue))[middle])
    assert (reds > 20) == bool(len(scene.colliding_pairs()))


@pytest.mark.parametrize(
    "example",
    [e for e in EXAMPLES.values() if e.path.suffix == ".py" and e.name not in ("physics", "level_sets")],
    ids=lambda example: example.name,
)
def test_run_as_a_program_it_opens_a_window(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Scene] = []
    monkeypatch.setattr(viewer, "view", lambda scene, **_: shown.append(scene))
    monkeypatch.setattr("sys.argv", [str(example.path)])
    runpy.run_path(str(example.path), run_name="__main__")
    assert shown == [example.scene()]


@pytest.mark.parametrize("example", [e for e in EXAMPLES.values() if e.path.suffix == ".py"], ids=lambda e: e.name)
def test_run_as_a_program_without_a_display_it_ends_in_a_line(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.studio.app.has_display", lambda: False)
    monkeypatch.setattr("sys.argv", [str(example.path)])
    with pytest.raises(SystemExit, match=r"^there is no display to open a window on"):
        runpy.run_path(str(example.path), run_name="__main__")


def asks_collision(call: str, names: dict[str, Any]) -> bool:
    """Say whether a call in the text is one of a public function of `collision`, or of a method of its objects."""
    functions = [node.func for node in ast.walk(ast.parse(call)) if isinstance(node, ast.Call)]
    public = {node.id for node in functions if isinstance(node, ast.Name)} & {*collision.__all__}
    owners = (ast.unparse(node.value) for node in functions if isinstance(node, ast.Attribute))
    return bool(public) or any(type(eval(owner, names)).__module__.startswith("collision") for owner in owners)


@pytest.mark.parametrize("example", [e for e in EXAMPLES.values() if e.path.suffix == ".py"], ids=lambda e: e.name)
def test_prints_what_it_asked_with_the_calls(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def check(line: str) -> None:
        call, equals, answer = line.rpartition(": ")[2].rpartition(" = ")
        frame = sys._getframe(1)
        names = {**frame.f_globals, **frame.f_locals}
        assert equals, line
        assert repr(eval(call, names)) == answer, line
        assert asks_collision(call, names), line
        asked.append(call)

    monkeypatch.setattr("builtins.print", check)
    module(example.name)["ask"]()
    assert asked


def test_a_folder_without_examples_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no examples in"):
        find_examples(tmp_path)


def test_examples_are_listed_without_being_run(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text('"""A title.\n\nA caption\nin two lines.\n\nMore.\n"""\nraise SystemExit\n')
    (tmp_path / "a.toml").write_text('title = "T"\ncaption = "C."\n[shapes.P]\nkind = "point"\nposition = [0, 0, 0]\n')
    (tmp_path / "_hidden.py").write_text("")
    found = find_examples(tmp_path)
    assert [(e.name, e.title, e.caption) for e in found] == [
        ("a", "T", "C."),
        ("b", "A title", "A caption in two lines."),
    ]


def test_all_of_a_motion_is_in_the_picture() -> None:
    scenes = {name: example.scene() for name, example in EXAMPLES.items()}
    moving = {name: scene for name, scene in scenes.items() if scene.motion}
    assert len(moving) > 2
    check_each(moving, lambda name: stays_in_the_picture(moving[name]))


def stays_in_the_picture(scene: Scene) -> None:
    assert scene.camera is not None
    view = Viewport(scene.camera, (1280, 960))
    assert scene.span is not None
    for time in np.linspace(*scene.span, 25).tolist():
        box = scene.at(time).bounds()
        assert box is not None
        for corner in np.stack(np.meshgrid(*zip(box.lower, box.upper, strict=True)), axis=-1).reshape(-1, 3):
            pixels, _ = view.project(corner[None])
            assert np.all((pixels > 0.0) & (pixels < view.size))


# -- what they promise -------------------------------------------------------------------------------------------------


def test_first() -> None:
    assert pairs(EXAMPLES["first"].scene()) == {("ball", "rod"), ("step", "post")}


def test_sphere_segment_marks_the_smallest_root_of_the_quadratic() -> None:
    scene = EXAMPLES["sphere_segment"].scene()
    segment, sphere = scene["segment"], scene["sphere"]
    assert isinstance(segment, Segment)
    assert isinstance(sphere, Sphere)
    v, x = segment.end - segment.start, segment.start - sphere.center
    roots = np.sort(np.roots([v @ v, 2.0 * (v @ x), x @ x - sphere.radius**2]))
    assert np.all((roots > 0.0) & (roots < 1.0))
    assert crossings(segment, sphere).parameters == pytest.approx(roots, rel=1e-12)
    assert pairs(scene) == {("sphere", "segment")}


def test_sphere_segment_stays_red_with_both_ends_inside_or_at_one_place() -> None:
    scene = EXAMPLES["sphere_segment"].scene()
    middle = scene["sphere"].center
    for segment in (Segment(middle - 0.1, middle + 0.1), Segment(middle, middle)):
        assert pairs(scene.with_shape("segment", segment)) == {("sphere", "segment")}


def test_sphere_line_asks_only_for_the_discriminant() -> None:
    scene = EXAMPLES["sphere_line"].scene()
    line = scene["line"]
    assert pairs(scene) == {("line", "behind"), ("line", "before")}
    assert np.all(crossings(line, scene["behind"]).parameters < 0.0)
    assert np.all(crossings(line, scene["before"]).parameters > 0.0)


def test_circle_segment_has_one_circle_in_each_region() -> None:
    scene = EXAMPLES["circle_segment"].scene()
    for name in ("before", "between", "after"):
        assert str(foot(scene[name], scene["segment"]).region) == name
        assert scene[name].center[2] == 0.0
    assert pairs(scene) == {("segment", "between")}


def test_point_distance_is_the_root_of_the_summed_squares() -> None:
    scene = EXAMPLES["point_distance"].scene()
    p, q = scene["P"], scene["Q"]
    assert isinstance(p, Point)
    assert isinstance(q, Point)
    assert float(distance(p, q)) == pytest.approx(np.sqrt(np.sum((p.position - q.position) ** 2)), rel=1e-15)


def within(a: Any, b: Any) -> bool:
    """Answer as the source does: by comparisons of coordinates and of squared distances alone."""
    match a, b:
        case Point(), AABB():
            return bool(np.all((b.lower <= a.position) & (a.position <= b.upper)))
        case AABB(), AABB():
            return bool(np.all((a.lower <= b.upper) & (b.lower <= a.upper)))
        case Point(), Sphere():
            return bool(np.sum((a.position - b.center) ** 2) <= b.radius**2)
        case Sphere(), Sphere():
            return bool(np.sum((a.center - b.center) ** 2) <= (a.radius + b.radius) ** 2)
        case Sphere(), AABB():
            return bool(np.sum((np.clip(a.center, b.lower, b.upper) - a.center) ** 2) <= a.radius**2)
    raise AssertionError(f"no such test: {a}, {b}")


def test_bounding_volumes_has_each_test_once_apart_and_once_hit() -> None:
    scene = EXAMPLES["bounding_volumes"].scene()
    verdicts: dict[str, list[bool]] = {}
    hits = set()
    for show in scene.shows:
        a, b = scene[show.a], scene[show.b]
        test, verdict = f"{type(a).__name__}-{type(b).__name__}", within(a, b)
        assert verdict or show.label.lower() == test.lower()
        verdicts.setdefault(test, []).append(verdict)
        hits |= {(show.a, show.b)} if verdict else set()
    assert set(verdicts) == {"Point-AABB", "AABB-AABB", "Point-Sphere", "Sphere-Sphere", "Sphere-AABB"}
    assert all(sorted(found) == [False, True] for found in verdicts.values())
    assert pairs(scene) == hits


def test_line_circle_has_two_points_one_and_none() -> None:
    scene = EXAMPLES["line_circle"].scene()
    counts = {name: int(crossings(scene["line"], scene[name]).count) for name in ("secant", "tangent", "miss")}
    assert counts == {"secant": 2, "tangent": 1, "miss": 0}
    found = crossings(scene["line"], scene["secant"])
    assert found.points.mean(axis=0) == pytest.approx(found.nearest)  # H is in the middle between P' and P
    assert pairs(scene) == {("line", "secant"), ("line", "tangent")}


def verdicts(scene: Scene, axis: str, word: str = "") -> bool:
    return bool(intersects(scene[f"{word}sphere {axis}"], scene[f"{word}capsule {axis}"]))


def test_capsule_space_agrees_with_the_world_at_unit_scale() -> None:
    example = module("capsule_space")
    scene = example["scene"](1.0)
    for axis in "xyz":
        ball, capsule = scene[f"sphere {axis}"], scene[f"capsule {axis}"]
        test = example["collider"](axis).sphere_test(example["placement"](axis, 1.0), ball)
        found = foot(ball, capsule)
        assert float(test.near_rate) == pytest.approx(float(found.parameter), rel=1e-12)
        assert float(test.squared_distance) == pytest.approx(float(found.distance) ** 2, rel=1e-12)
        assert bool(test.hit) == verdicts(scene, axis) == verdicts(scene, axis, "usual ")


@pytest.mark.parametrize("scale", [None, 0.5, 2.0])
def test_capsule_space_shows_what_the_usual_test_says_and_what_is_true(scale: float | None) -> None:
    example = module("capsule_space")
    scene = example["scene"](scale)
    for axis in "xyz":
        ball, capsule = scene[f"sphere {axis}"], scene[f"capsule {axis}"]
        assert isinstance(capsule, Capsule)
        truth = float(foot(ball, capsule).distance) <= float(ball.radius + capsule.radius)
        test = example["collider"](axis).sphere_test(example["placement"](axis, scale), ball)
        assert verdicts(scene, axis) == truth
        assert verdicts(scene, axis, "usual ") == bool(test.hit)


def test_capsule_space_misses_a_hit_at_half_scale_and_invents_one_at_twice() -> None:
    scene = module("capsule_space")["scene"]()
    assert [verdicts(scene, axis) for axis in "xyz"] == [True, True, False]
    assert [verdicts(scene, axis, "usual ") for axis in "xyz"] == [False, True, True]
    assert all({a.removesuffix(a[-1]), b.removesuffix(b[-1])} != {"capsule "} for a, b in pairs(scene))
    names = {frozenset(pair) for pair in pairs(scene)}
    assert names == {
        frozenset(f"{word}{kind} {axis}" for kind in ("sphere", "capsule"))
        for word, axis in (("", "x"), ("", "y"), ("usual ", "y"), ("usual ", "z"))
    }


def test_capsule_space_has_a_knob_for_the_scale_of_each_object() -> None:
    loaded = read(EXAMPLES["capsule_space"].path)
    assert loaded.react is not None
    session = Session(loaded.scene, size=(1280, 960))
    session.react_with(loaded.react)
    for axis, side, wanted in (("x", 0.5, "scale 1:"), ("z", -1.0, "scale 1:"), ("y", 99.0, "scale 2.5:")):
        session.select(f"scale {axis}")
        session.move_selection([side, 3.0, 1.0])  # it stays on its ruler
        show = next(show for show in session.scene.shows if show.a == f"capsule {axis}")
        assert show.label == wanted
        knob, ruler = session.scene[f"scale {axis}"], session.scene[f"ruler {axis}"]
        assert float(distance(Point(knob.center), Segment(ruler.start, ruler.end))) == pytest.approx(0.0, abs=1e-15)
    scene = session.scene
    for axis in "xz":  # at scale 1 both tests say the same
        assert verdicts(scene, axis) == verdicts(scene, axis, "usual ")
        pair = [scene[f"usual {kind} {axis}"] for kind in ("sphere", "capsule")]
        own = [scene[f"{kind} {axis}"] for kind in ("sphere", "capsule")]
        assert float(signed_distance(*pair)) == pytest.approx(float(signed_distance(*own)), abs=1e-12)
    session.delete()
    assert "scale y" not in session.scene
    session.undo()
    assert session.scene == scene


def knot_frames(count: int) -> list[Scene]:
    scene = EXAMPLES["knot"].scene()
    assert scene.span is not None
    return [scene.at(time) for time in np.linspace(*scene.span, count, endpoint=False).tolist()]


def test_the_knot_keeps_its_sphere_and_refits_its_box() -> None:
    boxes, spheres, roomier = [], [], []
    for scene in knot_frames(72):
        knot = scene["knot"]
        assert isinstance(knot, Capsule)
        box, around = AABB.union(knot.bounds()), Sphere.union(knot.bounding_sphere())
        boxes.append(box.half_extents)
        spheres.append([*around.center, float(around.radius)])
        roomier.append(4.0 / 3.0 * np.pi * float(around.radius) ** 3 > np.prod(2.0 * box.half_extents))
        ball, marble = scene["ball"], scene["marble"]
        # "The ball is inside both, the marble inside the sphere"
        assert np.all(ball.center - ball.radius > box.lower)
        assert np.all(ball.center + ball.radius < box.upper)
        for inner in (ball, marble):
            assert np.linalg.norm(inner.center - around.center) + inner.radius < around.radius
    assert np.ptp(spheres, axis=0) == pytest.approx(0.0, abs=1e-13 * spheres[0][3])
    assert np.all(np.ptp(boxes, axis=0) > 0.1)
    assert 10 < sum(roomier) < 62  # "now roomier than the box, now not"


def test_the_knot_touches_ball_and_marble_in_few_of_its_frames() -> None:
    counts = {"ball": 0, "marble": 0}
    for scene in knot_frames(72):
        found = pairs(scene)
        assert not any(a.startswith("knot") and b.startswith("knot") for a, b in found)
        for name in counts:
            counts[name] += any(name in pair for pair in found)
    assert all(0 < count < 24 for count in counts.values())
    unfiltered = pairs(EXAMPLES["knot"].scene().replaced(ignored=()))
    assert any(a.startswith("knot") and b.startswith("knot") for a, b in unfiltered)


def test_the_knot_turns_once_and_evenly() -> None:
    scene = EXAMPLES["knot"].scene()
    start, half, end = (scene.at(time)["knot"].start for time in (0.0, 4.5, 9.0))
    assert end == pytest.approx(start, abs=1e-13)
    axis = np.array([0.0, 0.6, 0.8])
    assert half == pytest.approx(2.0 * (start @ axis)[:, None] * axis - start, abs=1e-13)


def test_the_knot_is_written_as_an_animation(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[Scene, str]] = []
    monkeypatch.setattr(viewer, "render_motion", lambda scene, path, **_: written.append((scene, path)))
    monkeypatch.setattr("sys.argv", ["knot.py", "knot.gif"])
    runpy.run_path(str(EXAMPLES["knot"].path), run_name="__main__")
    assert written == [(EXAMPLES["knot"].scene(), "knot.gif")]


def test_the_sweep_finds_what_is_touched_first() -> None:
    example = module("sweep")
    scene = EXAMPLES["sweep"].scene()
    spells = touching_intervals(scene)
    first = int(np.argmin(spells.begin))
    hit = Scene(example["ROW"]).sweep(example["BALL"], motion=example["WAY"])
    assert hit.name == "crate"
    assert {scene.element_name(int(k)) for k in spells.pairs[first]} == {"ball", hit.name}
    assert float(spells.begin[first]) == pytest.approx(float(hit.fraction) * example["SECONDS"], rel=1e-9)
    assert float(signed_distance(scene["ball there"], scene["crate"])) == pytest.approx(0.0, abs=1e-12)
    assert scene["first touch"] == Point(hit.point)
    touched = {scene.element_name(int(k)) for pair in spells.pairs for k in pair}
    assert touched == {"ball", "crate", "post"}


def test_the_rays_make_red_what_they_hit_first() -> None:
    example = module("rays")
    scene, shapes = EXAMPLES["rays"].scene(), Scene(example["SHAPES"])
    hits = shapes.raycast(example["fan"](), max_distance=example["REACH"])
    assert {name for pair in pairs(scene) for name in pair if name in shapes} == set(hits.name[hits.hit])
    assert set(hits.name[hits.hit]) == set(shapes) - {"marble", "lamp"}
    red = {name for pair in pairs(scene) for name in pair if name.startswith("rays")}
    assert red == {f"rays[{k}]" for k in np.flatnonzero(hits.hit)}
    assert 0 < len(red) < example["COUNT"]
    sight = Ray(example["EYE"], scene["marble"].center - example["EYE"])
    assert shapes.raycast(sight).name == "crate"  # the marble is in its shadow


def test_the_robot_reaches_into_the_ball() -> None:
    pytest.importorskip("mujoco")
    scene = EXAMPLES["robot"].scene()
    assert pairs(scene) == {("ball", "hand")}
    kinds = {type(group.shape) for group in scene.groups}
    assert len(kinds) == 4


def test_the_robot_arm_clears_the_wall_on_its_way_there_and_hits_it_on_its_way_back() -> None:
    scene = EXAMPLES["robot_arm"].scene()
    found = touching_intervals(scene)
    spells: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for (i, j), begin, end in zip(found.pairs.tolist(), found.begin.tolist(), found.end.tolist(), strict=True):
        spells.setdefault((scene.element_name(i), scene.element_name(j)), []).append((begin, end))
    assert set(spells) == {("forearm", "wall"), ("forearm tip", "wall"), ("forearm tip", "crate")}
    assert all(len(times) == 1 for times in spells.values())
    ((begin, end),) = spells["forearm tip", "wall"]
    assert 5.0 < begin < end < 6.0
    for time in (
        begin,
        end,
    ):  # the arm swings evenly: it is as far from the wall's middle when it comes as when it goes
        assert abs(90.0 * (6.0 - time) - 45.0) == pytest.approx(90.0 * (end - begin) / 2.0)
    arm = [scene.at(time)["upper arm"] for time in np.linspace(0, 6, 13)]
    forearm = [scene.at(time)["forearm"] for time in np.linspace(0, 6, 13)]
    assert all(a.end == pytest.approx(b.start) for a, b in zip(arm, forearm, strict=True))  # it holds together


def test_physics_agrees_with_mujoco() -> None:
    pytest.importorskip("mujoco")
    example = module("physics")
    pile = example["Pile"](example["scene"]())
    scenes = [pile.step() for _ in range(120 if deep() else 40)]
    assert pile.asked > 300
    assert not any(warning.number for warning in pile._data.warning)  # an unstable simulation begins anew
    # Neither is wrong where a pair only just touches; such pairs are few.
    assert pile.agreed / pile.asked > 0.999
    last = scenes[-1]
    count = len(last.colliding_pairs())
    assert last.caption.startswith(f"{count} pairs touch by our tests, ")
    assert f"both agree on {pile.agreed:,} of {pile.asked:,}." in last.caption
    assert len(last[example["DOTS"]]) >= count
    start = example["scene"]()
    assert all(type(last[name]) is type(start[name]) for name in start)
    assert last["floor"] == start["floor"]
    fallen = [scene["ball 0"].bounds().center[2] for scene in scenes]
    assert fallen[-1] < start["ball 0"].bounds().center[2]
    assert not np.any(np.isnan(fallen))


def test_physics_starts_where_the_scene_has_it() -> None:
    pytest.importorskip("mujoco")
    example = module("physics")
    start = example["scene"]()
    pile = example["Pile"](start)
    assert list(pile.model.scene) == list(start)
    for name, shape in pile.model.scene.shapes.items():
        for key, value in shape.values().items():
            assert value == pytest.approx(start[name].values()[key], abs=1e-9), name
    assert set(pairs(pile.model.scene)) == set(pairs(start))


def test_the_pile_falls_when_it_is_played() -> None:
    pytest.importorskip("mujoco")
    scene = EXAMPLES["physics"].scene()
    assert scene.span is not None
    end = scene.at(scene.span[1])
    fell = [name for name in scene if not name.startswith(("floor", "rim"))]
    assert len(fell) == len(scene.motion) == 45
    heights = {name: (scene[name].bounds().center[2], end[name].bounds().center[2]) for name in fell}
    assert all(after < before for before, after in heights.values())
    # Contacts are soft, so that some sink in a little; a few roll over the rim.
    assert sum(end[name].bounds().lower[2] > -0.02 for name in fell) > 40
    assert len(end.colliding_pairs()) > len(scene.colliding_pairs())


def test_physics_without_mujoco_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    example = module("physics")
    assert not example["scene"]().motion
    with pytest.raises(SystemExit, match=r"takes MuJoCo; get it with: \S+ -m pip install mujoco$"):
        next(example["frames"]())


def test_physics_runs_in_a_window_and_into_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mujoco")
    shown: list[Scene] = []
    monkeypatch.setattr(viewer, "view_frames", lambda scenes, fps: shown.append(next(scenes)))
    monkeypatch.setattr("sys.argv", ["physics.py"])
    runpy.run_path(str(EXAMPLES["physics"].path), run_name="__main__")
    assert len(shown) == 1
    written: list[tuple[int, str]] = []

    def write(scenes: Any, path: str, **_: object) -> None:
        written.append((scenes.gi_frame.f_locals["count"], path))  # to simulate them all takes long

    monkeypatch.setattr(viewer, "render_frames", write)
    monkeypatch.setattr("sys.argv", ["physics.py", "pile.gif"])
    runpy.run_path(str(EXAMPLES["physics"].path), run_name="__main__")
    assert written == [(240, "pile.gif")]
    monkeypatch.undo()
    frames = module("physics")["frames"](3)
    viewer.render_frames(frames, tmp_path / "pile.gif", size=(200, 160), progress=False)
    assert (tmp_path / "pile.gif").stat().st_size


def test_slope_holds_what_lies_on_it() -> None:
    scene = EXAMPLES["slope"].scene()
    assert pairs(EXAMPLES["slope"].scene()) == {("slope", "ball"), ("slope", "crate"), ("slope", "post")}
    assert abs(float(signed_distance(scene["ball"], scene["slope"]))) < 1e-15
    assert int(manifold(scene["slope"], scene["crate"]).count) == 4


def test_dice_are_hulls_with_the_faces_that_dice_have() -> None:
    scene = EXAMPLES["dice"].scene()
    faces = {name: len(shape.polytope.faces) for name, shape in scene.shapes.items() if isinstance(shape, ConvexHull)}
    assert faces == {"ramp": 5, "octahedron": 8, "tetrahedron": 4, "rounded": 6, "icosahedron": 20}
    assert pairs(scene) == {("ramp", "octahedron"), *(("table", name) for name in faces if name != "octahedron")}


def test_level_sets_are_where_the_distance_is_what_they_say() -> None:
    example = module("level_sets")
    scene = example["_shapes"]()
    plane, shell = example["cut"](scene), example["shell"](scene)
    lines = example["lines"](plane)
    for points, levels, cell in ((lines.points, lines["distance"], max(plane.spacing[:2])), (shell.points, 0.6, 0.05)):
        found = scene.nearest(Point(points))
        off = np.abs(found.signed_distance - levels)
        assert off.max() < cell  # at the corners; elsewhere it is a small part of that
        assert np.quantile(off, 0.9) < 0.05 * cell
        assert set(found.name) == {"ball", "rod", "crate", "slab"}
        brute = np.min([signed_distance(Point(points[::97]), shape) for shape in scene.shapes.values()], axis=0)
        np.testing.assert_array_equal(found.signed_distance[::97], brute)
    assert len(np.unique(np.round(lines["distance"], 6))) > 8


def test_level_sets_are_there_when_opened_and_follow_what_is_dragged() -> None:
    example = module("level_sets")
    opened = example["scene"]()
    before = opened["lines"]
    found = example["_shapes"]().nearest(Point(before.start))
    levels = np.asarray(found.signed_distance) / example["STEP"]
    assert np.abs(levels - np.round(levels)).max() < 0.5
    assert np.quantile(np.abs(levels - np.round(levels)), 0.9) < 0.1
    moved = opened.replaced(shapes={**opened.shapes, "ball": opened["ball"].translated([0, 0.4, 0])})
    after = example["react"](moved)
    assert after["lines"] != before
    assert not len(opened.colliding_pairs())


@pytest.mark.deep
def test_level_sets_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "levels.png"
    monkeypatch.setattr(sys, "argv", ["level_sets.py", str(path)])
    runpy.run_path(str(EXAMPLES["level_sets"].path), run_name="__main__")
    made, kept = (np.asarray(Image.open(p).convert("RGB")).astype(int) for p in (path, PICTURES / "level_sets.png"))
    assert made.shape == kept.shape
    assert (np.abs(made - kept).max(axis=2) > 60).mean() < 0.02
    plain = viewer.render(EXAMPLES["level_sets"].scene(), size=(1000, 750)).astype(int)
    assert (np.abs(made - plain).max(axis=2) > 30).mean() > 0.3  # the lines and the shell are in it
