"""A scene as a page, in a browser: what it says is what Python says, and it needs nothing from elsewhere."""

from __future__ import annotations

import base64
import io
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import viewer
from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
    contact,
    raycast,
)
from collision.importers import Joint, Model, load_model
from collision.scenefile import load_scene
from tests import browser, phones, published
from tests.browser import settle
from tests.slow import deep, one_in
from viewer.cli.commands import main
from viewer.cli.errors import ExitCode
from viewer.cli.options import ModelFlags
from viewer.files.catalogue import find_examples
from viewer.files.loading import Loaded, read
from viewer.page import export
from viewer.page.facts import robot_facts, rows_of
from viewer.stage.gl import GLUnavailable
from viewer.studio import pages

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

EXAMPLES = [example.name for example in find_examples()]

#: Two octahedra beside each other, of numbers that are added exactly.
GEMS = 0.5 * np.concatenate([np.eye(3), -np.eye(3)]) + np.array([[[-1.75, 1, 0.5]], [[-1.25, 1.25, 0.75]]])

#: Every kind, and what of it is told apart: overlaps, a touch, an ignored pair, a batch, and names that are markup.
KINDS = Scene(
    {
        "floor": HalfSpace([0, 0, 0], [0, 0, 1]),
        "</script><img src=x onerror=alert(1)>": Sphere([0, 0, 0.4], 0.5),
        "touching": Sphere([3, 0, 0.5], 0.5),
        "rod": Capsule([-0.3, -1, 0.6], [0.9, 1, 1.1], 0.2),
        "box": OrientedBox([1.2, 0.4, 0.5], [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]], [0.5, 0.4, 0.5]),
        "can": Cylinder([2.4, -0.6, 0.3], [2.6, 0.3, 0.8], 0.4),
        "aligned": AABB([1.5, 0, 0.2], [2.6, 1, 1]),
        "gem": ConvexHull([[0.5, -1, 0.5], [1.5, -1.25, 0.5], [1, -0.25, 0.5], [1, -0.75, 1.5], [1, -0.75, 0.75]]),
        "soft": ConvexHull([[2, -2, 0.5], [2.5, -2, 0.5], [2, -1.5, 0.5], [2, -2, 1]], 0.25),
        "gems": ConvexHull(GEMS),
        "point": Point([1.2, 0.4, 0.5]),
        "edge": Segment([-1, -1, 0.5], [2, 2, 0.9]),
        "ray": Ray([-3, 0, 0.5], [1, 0, 0]),
        "line": Line([0, 4, 0.6], [0, 1, 0]),
        "crowd": Sphere(np.linspace([-2, -2, 0.2], [-1, 2, 0.7], 6).reshape(2, 3, 3), 0.35),
    },
    ignored=[("floor", "crowd"), ("ray", "line")],
    title="All <b>kinds</b>",
)


@pytest.fixture
def without_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no picture drawn, which takes longer than all the rest."""

    def refuse(*_: object) -> None:
        raise GLUnavailable("nothing can be drawn")

    monkeypatch.setattr(pages, "take", refuse)


Opened = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Opened]:
    """Return what writes a scene as a page and opens it, with the options of `tests.browser.opened`."""
    with ExitStack() as open_pages:

        def open_page(source: Any, *, change: Callable[[str], str] = str, alive: bool = True, **options: Any) -> Any:
            options = {"density": 0.5, **options}  # to draw all pixels takes long, and few tests look at them
            path = tmp_path / "page.html"
            pages.export_loaded(source, path) if isinstance(source, Loaded) else viewer.export_html(source, path)
            path.write_text(change(path.read_text("utf-8")), "utf-8")
            page = open_pages.enter_context(browser.opened(chromium, path, complaints=not alive, **options))
            if alive:
                page.wait_for_function("window.page", timeout=30_000)
                settle(page)
            return page

        yield open_page


CONTACTS = """() => [...page.world.contacts.values()].sort((a, b) => a.i - b.i || a.j - b.j)
    .map(({i, j, distance, touching, onA, onB, normal}) => [i, j, distance, touching, ...onA, ...onB, ...normal])"""


def check_contacts(page: Any, scene: Scene) -> None:
    """Check that a page says the same of all pairs as Python does, to the last bit."""
    told = page.evaluate(CONTACTS)
    found = scene.contacts()
    assert [row[:2] for row in told] == found.pairs.tolist()
    numbers = np.array([[*row[2:3], *row[4:]] for row in told], dtype=float).reshape(-1, 10)
    expected = np.concatenate([found.signed_distance[:, None], found.on_a, found.on_b, found.normal], axis=1)
    assert np.array_equal(numbers, expected)
    assert [row[3] for row in told] == found.only_touching.tolist()


@pytest.mark.parametrize("name", one_in(9, EXAMPLES))
@pytest.mark.usefixtures("without_picture")
def test_pairs_of_every_example_are_those_of_python(name: str, opened: Opened) -> None:
    scene = viewer.as_scene(name)
    check_contacts(opened(scene), scene if scene.span is None else scene.at(scene.span[0]))


@pytest.mark.usefixtures("without_picture")
def test_names_are_text_and_every_kind_is_judged(opened: Opened) -> None:
    page = opened(KINDS)
    check_contacts(page, KINDS)
    assert page.title() == KINDS.title
    assert page.locator("img:not(main > img)").count() == 0
    assert page.locator("#rows").get_by_text("</script><img").count() > 0
    assert page.get_by_text("7 pairs ignored").is_visible()


def row_of(scene: Scene, number: int) -> list[float]:
    """Return the numbers of an element as a page has them."""
    found: list[float] = rows_of(scene.element(number)[None])[0].tolist()
    return found


def elements(scene: Scene) -> list[tuple[str, Any]]:
    """Return all elements with their names: one number for a batch is as good as one for each of it."""
    return [(name, scene.element(number)) for number, name in enumerate(scene.element_names)]


def colors(page: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return red, green and blue of every pixel of the canvas."""
    address = page.evaluate("() => { page.draw(1); return page.stage.canvas.toDataURL('image/png'); }")
    drawn = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB")
    return np.asarray(drawn, dtype=np.int64).reshape(-1, 3)


def red_pixels(page: Any) -> int:
    red, green, blue = colors(page).T
    return int(np.count_nonzero((red > 130) & (green < 0.55 * red) & (blue < 0.55 * red)))


@pytest.mark.parametrize("parallel", [False, True], ids=["perspective", "parallel"])
@pytest.mark.usefixtures("without_picture")
def test_solids_cover_the_pixels_that_rays_hit(opened: Opened, parallel: bool) -> None:
    scene = Scene(
        {
            "can": Cylinder([0, 0, 0], [0.5, -0.4, 1.6], 0.8),
            "disk": Cylinder([-1, 0, 1.2], [-1.02, 0, 1.25], 1.1),
            "pill": Capsule([1, 0.2, 0.5], [2.4, -0.4, 1.5], 0.4),
            "box": AABB([-2.2, -0.6, -0.5], [-0.5, 0.5, 0.4]),
            "hull": ConvexHull([[0, -0.7, 0.4], [1, -2, 0.3], [-0.6, -1.9, 0.2], [0.2, -1.6, 1.6], [0.4, -1.4, -0.6]]),
        }
    )
    assert scene.contacts().pairs.tolist() == [[0, 1], [0, 2], [0, 3], [0, 4]]  # so all are red
    page = opened(scene, density=1)
    if parallel:
        page.evaluate("page.look(page.view.with({ parallel_height: 6 }))")
        settle(page)
    width, height = page.evaluate("[page.view.width, page.view.height]")
    red, green, blue = np.moveaxis(colors(page).reshape(height, width, 3), -1, 0)
    drawn = (red > 1.5 * green) & (red > 1.5 * blue)
    x, y = (steps.ravel() for steps in np.meshgrid(np.arange(3, width - 3, 5), np.arange(3, height - 3, 5)))
    ask = "pixels => pixels.map(([x, y]) => page.view.ray(x + 0.5, y + 0.5))"
    rays = np.array(page.evaluate(ask, np.stack([x, y], axis=1).tolist()))
    hit = np.zeros(len(x), dtype=bool)
    for _, shape in elements(scene):
        hit |= np.asarray(raycast(Ray(rays[:, 0], rays[:, 1]), shape).hit)
    around = np.stack([drawn[y + j, x + i] for i in (-2, 0, 2) for j in (-2, 0, 2)])
    clear = (around == around[0]).all(axis=0)  # beside an outline a pixel is of both
    assert 300 < np.count_nonzero(hit & clear) < 0.7 * len(x)
    assert np.array_equal(drawn[y, x][clear], hit[clear])


@pytest.mark.usefixtures("without_picture")
def test_shadows_fall_beside_what_stands_on_a_floor_and_not_on_it(opened: Opened) -> None:
    page = opened(read("dice"), density=1)
    shadowed = colors(page)
    page.evaluate("page.stage.floors = []")
    plain = colors(page)
    changed = np.abs(plain - shadowed).max(axis=1) > 24
    red = (plain[:, :1] > 1.5 * plain[:, 1:]).all(axis=1)
    assert np.count_nonzero(changed & ~red) > 1000
    assert np.count_nonzero(changed & red) < 0.005 * np.count_nonzero(red)  # at outlines a pixel is of both


@pytest.mark.usefixtures("without_picture")
def test_a_drag_turns_rows_and_pixels_red(opened: Opened) -> None:
    scene = Scene({"ball": Sphere([0, 0, 0.5], 0.5), "crate": AABB([2, -0.5, 0], [3, 0.5, 1])})
    page = opened(scene)
    assert page.locator("#count").inner_text() == "no collisions"
    assert red_pixels(page) == 0
    assert len(np.unique(colors(page), axis=0)) > 50  # the canvas is not flat
    x, y = page.evaluate("page.view.pixelOf([0, 0, 0.5]).slice(0, 2)")
    u, v = page.evaluate("page.view.pixelOf([1.8, 0, 0.5]).slice(0, 2)")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(0.5 * x + 0.5 * u, 0.5 * y + 0.5 * v)
    page.mouse.move(u, v)
    settle(page)
    assert page.locator("#count").inner_text() == "1 colliding pair"
    assert page.locator("#rows tbody tr").count() == 1
    page.mouse.up()
    assert red_pixels(page) > 2000
    center = page.evaluate("page.world.row(0)")[:3]
    assert center[2] == 0.5  # what stands on the ground stays there
    check_contacts(page, scene.with_shape("ball", Sphere(center, 0.5)))
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")  # its handles are red, too
    settle(page)
    assert page.locator("#count").inner_text() == "no collisions"
    assert red_pixels(page) == 0


@pytest.mark.usefixtures("without_picture")
def test_many_moves_leave_the_pairs_that_python_finds(opened: Opened) -> None:
    rng = np.random.default_rng(7)
    scene, page = KINDS, None
    page = opened(scene)
    for _ in range(40 if deep() else 12):
        name = str(rng.choice([name for name in scene.shapes if not scene[name].batch_shape]))
        shape = scene[name].translated(rng.uniform(-1, 1, 3))
        scene = scene.with_shape(name, shape)
        number = scene.element_numbers(name)[0]
        page.evaluate("([element, row]) => page.doc.change([[element, row]])", [number, row_of(scene, number)])
        check_contacts(page, scene)


@pytest.mark.usefixtures("without_picture")
def test_what_is_copied_is_the_scene_as_it_is(opened: Opened, tmp_path: Path) -> None:
    page = opened(KINDS)
    moved = KINDS.with_shape("box", KINDS["box"].translated([0.1, 0.2, 0.3])).moved("crowd[1,2]", [0, 0, 1.1])
    for name, offset in (("gem", [0.25, 0.5, 0]), ("soft", [0, 0, 0.5]), ("gems[1]", [0, -0.5, 0.25])):
        moved = moved.moved(name, offset)
    changed = [moved.element_numbers(name)[0] for name in ("box", "crowd[1,2]", "gem", "soft", "gems[1]")]
    rows = [(number, row_of(moved, number)) for number in changed]
    page.evaluate("rows => page.doc.change(rows)", rows)
    for button in ("Copy as TOML", "Copy as Python", "Copy link"):
        page.get_by_text("Take along").click()
        page.get_by_text(button).click()
        settle(page)
        text = page.evaluate("page.copied")
        if button == "Copy as TOML":
            (tmp_path / "copied.toml").write_text(text, "utf-8")
            assert elements(load_scene(tmp_path / "copied.toml")) == elements(moved)
        elif button == "Copy as Python":
            names: dict[str, Any] = {}
            exec(text, names)
            assert elements(names["scene"]) == elements(moved)
        else:
            again = page.context.new_page()
            again.goto(text)
            again.wait_for_function("window.page")
            check_contacts(again, moved)


@pytest.mark.usefixtures("without_picture")
def test_a_hull_is_turned_dragged_and_told_of(opened: Opened, tmp_path: Path) -> None:
    scene = Scene({"gem": KINDS["gem"], "soft": KINDS["soft"], "ball": Sphere([-1, 0, 0.5], 0.5)})
    page = opened(scene)
    x, y = page.evaluate("page.view.pixelOf(page.world.row(0).slice(1, 4)).slice(0, 2)")
    soft = scene["soft"]
    rim = np.add([2.5, -2, 0.5], 0.2 * np.array(page.evaluate("page.view.right"))).tolist()
    sight = page.evaluate("at => page.view.ray(...page.view.pixelOf(at).slice(0, 2))", rim)
    assert not raycast(Ray(*sight), soft.without_radius).hit  # so it passes through the round edges alone
    assert page.evaluate("at => page.hands.target(page.view.pixelOf(at))?.element", rim) == 1
    page.mouse.click(x, y)
    settle(page)
    card = page.locator("#card")
    assert card.locator("h2").inner_text().startswith("gem")
    assert "4 corners, 4 faces" in card.inner_text()
    assert [one.inner_text() for one in card.locator("legend").all()] == ["center", "rotation", "radius"]
    page.evaluate("page.turn(2, Math.PI / 6)")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y + 10)
    page.mouse.move(x - 60, y + 10)
    page.mouse.up()
    settle(page)
    numbers = page.evaluate("page.world.row(0)")
    gem = scene["gem"]
    assert isinstance(gem, ConvexHull)
    points = (gem.points - row_of(scene, 0)[1:4]) @ np.array(numbers[4:]).reshape(3, 3).T + numbers[1:4]
    page.evaluate("page.at('toml').click()")
    (tmp_path / "copied.toml").write_text(page.evaluate("page.copied"), "utf-8")
    copied = load_scene(tmp_path / "copied.toml")["gem"]
    assert isinstance(copied, ConvexHull)
    assert np.abs(points - gem.points).max() > 0.1
    assert np.allclose(copied.points, points, rtol=0, atol=1e-14)
    moved = scene.with_shape("gem", copied).contacts(margin=10.0)
    ask = "[0, 1].map(k => page.contactOf(k, 2 - (k === 0))).map(found => found.distance)"
    found = {tuple(pair): gap for pair, gap in zip(moved.pairs.tolist(), moved.signed_distance, strict=True)}
    assert np.allclose(page.evaluate(ask), [found[0, 1], found[1, 2]], rtol=0, atol=1e-14)


@pytest.mark.usefixtures("without_picture")
def test_a_copied_scene_that_moves_has_its_change_once(opened: Opened, tmp_path: Path) -> None:
    motion = Motion("b*", times=[1, 3], offsets=[[3, 0, 0], [0, 0, 4]])
    shapes = {"ball": Sphere([1, 0, 0], 1), "balls": Sphere([[8, 0, 0], [8, 4, 0]], 1), "stone": Sphere([4, 0, 0], 1)}
    page = opened(Scene(shapes, motion=[motion]))
    for moment in (0, 30, 60):
        page.evaluate("moment => page.doc.go(moment)", moment)
        change = """element => {
            const row = page.doc.row(element);
            row[1] += 0.25;
            page.doc.change([[element, row]]);
        }"""
        for element in (0, 2):
            page.evaluate(change, element)
        page.evaluate("page.at('toml').click()")
        (tmp_path / "copied.toml").write_text(page.evaluate("page.copied"), "utf-8")
        copied = load_scene(tmp_path / "copied.toml").at(page.evaluate("page.doc.time"))
        for element in range(4):
            expected = page.evaluate("element => page.doc.row(element)", element)
            shape = copied.element(element)
            assert np.allclose([*shape.center, shape.radius], expected, rtol=0, atol=1e-12)


@pytest.mark.usefixtures("without_picture")
def test_a_change_of_what_turns_is_carried_to_where_it_rests(opened: Opened, tmp_path: Path) -> None:
    turned, tilted = [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], [[0, 0, 0, 1], [0.6, 0, 0, 0.8]]
    away = [[0, 0, 0], [0, 0, 1]]
    shapes = {
        "orbiter": Sphere([2, 0, 0], 0.5),
        "arm": Capsule([0, 0, 0], [1, 0, 0.5], 0.2),
        "crate": OrientedBox([0, 3, 0], [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]], [0.5, 0.3, 0.2]),
        "top": OrientedBox([5, 3, 0], np.eye(3), [0.5, 0.3, 0.2]),
        "pointer": Ray([4, 0, 0], [1, 0, 0]),
        "tray": AABB([-3, -1, 0], [-2, 1, 1]),
    }
    motion = [
        *(Motion(name, [0, 1], away, turned, pivot=[1, 1, 0]) for name in ("orbiter", "arm", "crate", "tray")),
        *(Motion(name, [0, 1], away, turned) for name in ("top", "pointer")),
        *(Motion(name, [0, 1], rotations=tilted) for name in ("arm", "top")),
        Motion("crate", [0, 1], rotations=tilted, pivot=[0, 0, 3]),
    ]
    page = opened(Scene(shapes, motion=motion))
    page.evaluate("page.doc.go(20)")
    for element, name in enumerate(shapes):
        page.evaluate(
            """element => {
                const row = page.doc.row(element), { fields } = page.doc.shape(element);
                for (const [name, [start]] of Object.entries(fields)) {
                    if (["center", "start", "end", "origin", "lower", "upper"].includes(name)) row[start + 1] += 0.25;
                    if (name === "start") row[start] += 0.1;
                    if (name === "radius") row[start] += 0.1;
                }
                page.doc.change([[element, row]]);
            }""",
            element,
        )
        if name in ("crate", "top"):
            page.evaluate("element => page.select([element])", element)
            page.evaluate("page.turn(0, 0.5)")
    page.evaluate("page.at('toml').click()")
    (tmp_path / "copied.toml").write_text(page.evaluate("page.copied"), "utf-8")
    copied = load_scene(tmp_path / "copied.toml")
    for moment in (20, 0, 30):
        page.evaluate("moment => page.doc.go(moment)", moment)
        then = copied.at(page.evaluate("page.doc.time"))
        for element, name in enumerate(shapes):
            expected = page.evaluate("element => page.doc.row(element)", element)
            found = np.concatenate([value.ravel() for value in then.element(element).values().values()])
            assert np.allclose(found, expected, rtol=0, atol=1e-9), (name, moment)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("script-src 'unsafe-inline'", "WebAssembly"),
        ("script-src 'none'", "comes alive where scripts may run"),
    ],
)
def test_what_is_refused_leaves_the_picture_and_a_sentence(policy: str, words: str, opened: Opened) -> None:
    head = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = opened({"a": Sphere([0, 0, 0], 1)}, change=lambda text: text.replace("<head>", head, 1), alive=False)
    page.get_by_text(words).wait_for()
    assert page.locator("main > img").is_visible()
    assert page.evaluate("document.querySelector('main > img').naturalWidth") == export.KEPT_SIZE[0]
    assert not page.locator("#pairs").is_visible()


@pytest.mark.usefixtures("without_picture")
def test_without_webgl_there_is_a_sentence(opened: Opened) -> None:
    refuse = "<head><script>HTMLCanvasElement.prototype.getContext = () => null</script>"
    page = opened({"a": Sphere([0, 0, 0], 1)}, change=lambda text: text.replace("<head>", refuse, 1), alive=False)
    page.get_by_text("WebGL 2").wait_for()
    assert not page.locator("#pairs").is_visible()


@pytest.mark.usefixtures("without_picture")
def test_a_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "first.html"
    assert main(["export", "first", "-o", str(path)]) == ExitCode.FINE
    out, err = capsys.readouterr()
    assert out.strip() == str(path)
    assert "without a picture" in err
    text = path.read_text("utf-8")
    scene = text.partition('id="scene">')[2].partition("<")[0]
    assert len(scene) < 30_000
    assert len(text) - len(scene) < 110_000  # and a picture of some 20,000
    assert main(["export", "first", "-o", str(tmp_path / "first.pdf")]) == ExitCode.MISTAKE
    assert "a page is written to a .html" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"written to a \.html"):
        viewer.export_html("first", tmp_path / "first.txt")


@pytest.mark.usefixtures("without_picture")
def test_a_page_that_cannot_be_written_is_named_by_the_path_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "first.html"

    def refused(fresh: Path, *_: object) -> None:
        raise FileNotFoundError(2, "No such file or directory", str(fresh))

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(FileNotFoundError, match=rf"No such file or directory: '{path}'$"):
        viewer.export_html("first", path)
    assert list(tmp_path.iterdir()) == []


def test_no_two_modules_have_a_name_in_common() -> None:
    folder = Path(export.__file__).parent
    texts = [(folder / f"{name}.mjs").read_text("utf-8") for name in export.MODULES]
    made = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function\*?) (\[[^\]]*\]|\w+)", re.MULTILINE)
    found = [group for text in texts for group in made.findall(text)]
    names = [name for group in found for name in re.findall(r"\w+", group)]
    assert len(names) > 100
    assert len(names) == len(set(names))


#: A box that leans, a capsule and a ball: all that handles do.
HANDLED = Scene(
    {
        "box": OrientedBox([0, 0, 0.5], [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]], [0.5, 0.4, 0.5]),
        "ball": Sphere([2, 0, 0.5], 0.5),
        "rod": Capsule([-2, -0.4, 0.3], [-2, 0.6, 1.1], 0.2),
        "crate": AABB([-0.5, 1.5, 0], [0.5, 2.5, 1]),
    }
)


def handle(page: Any, number: int) -> list[float]:
    """Return the pixel of the end of a handle; of a ring, of a place that faces the eye, and where it crosses none."""
    return page.evaluate(
        """number => {
            const { points, near } = page.handles[number];
            return page.view.pixelOf(near ? points.filter(near)[5] : points.at(-1)).slice(0, 2);
        }""",
        number,
    )


def drag(page: Any, start: list[float], way: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for part in (0.3, 0.7, 1.0):
        page.mouse.move(start[0] + part * way[0], start[1] + part * way[1])
    page.mouse.up()
    settle(page)


def now(page: Any, name: str) -> dict[str, Any]:
    """Return the fields of a shape as they are in the page."""
    return page.evaluate(
        """name => {
            const element = page.world.names.indexOf(name), row = page.world.row(element);
            const fields = Object.entries(page.doc.shape(element).fields);
            return Object.fromEntries(fields.map(([key, [start, length]]) => [key, row.slice(start, start + length)]));
        }""",
        name,
    )


def select(page: Any, name: str, key: str) -> None:
    page.evaluate("name => page.select([page.world.names.indexOf(name)])", name)
    page.locator("canvas").press(key)
    settle(page)


@pytest.mark.usefixtures("without_picture")
def test_handles_move_turn_and_size(opened: Opened) -> None:
    page = opened(HANDLED)
    select(page, "box", "s")
    before = now(page, "box")
    drag(page, handle(page, 0), (60, 0))
    after = now(page, "box")
    assert after["half_extents"][0] != before["half_extents"][0]
    assert after["half_extents"][1:] == before["half_extents"][1:]
    far = [np.array(box["center"]) - np.array(box["axes"])[::3] * box["half_extents"][0] for box in (before, after)]
    assert np.allclose(*far, atol=1e-12)  # the other side stays
    page.keyboard.press("Control+z")
    assert now(page, "box") == before

    select(page, "box", "r")
    drag(page, handle(page, 2), (30, 20))
    turned = np.array(now(page, "box")["axes"]).reshape(3, 3)
    assert now(page, "box")["center"] == before["center"]
    assert not np.allclose(turned.ravel(), before["axes"])
    assert np.allclose(turned.T @ turned, np.eye(3), atol=1e-12)
    assert np.allclose(turned[:, 2], [0, 0, 1])  # the ring about z

    select(page, "box", "g")
    drag(page, handle(page, 2), (0, -50))
    x, y, z = now(page, "box")["center"]
    assert (x, y) == tuple(before["center"][:2])
    assert z > before["center"][2]

    for name, key in (("ball", "radius"), ("rod", "radius"), ("rod", "start"), ("crate", "upper")):
        select(page, name, "s")
        before = now(page, name)
        drag(page, handle(page, 1 if key == "start" else 0), (25, 0))
        after = now(page, name)
        assert [field for field in before if before[field] != after[field]] == [key]


def touch(page: Any, *steps: list[tuple[float, float]]) -> None:
    """Put fingers down, move them, and lift them, as a screen tells it."""
    session = page.context.new_cdp_session(page)
    for number, fingers in enumerate(steps):
        kind = "touchMove" if number else "touchStart"
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(fingers)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    settle(page)


@pytest.mark.usefixtures("without_picture")
def test_fingers_drag_turn_and_zoom(opened: Opened) -> None:
    page = opened(HANDLED, size=(390, 844), touch=True)
    camera = page.evaluate("page.view.camera")
    x, y = page.evaluate("page.view.pixelOf([2, 0, 0.5])")[:2]
    touch(page, [(x, y)], [(x - 10, y - 10)], [(x - 30, y - 30)])
    assert now(page, "ball")["center"][:2] != [2, 0]
    assert now(page, "ball")["center"][2] == 0.5
    shifted = page.evaluate("page.view.camera")  # as the card would cover the ball
    ways = [np.subtract(seen["target"], seen["position"]) for seen in (camera, shifted)]
    assert np.allclose(*ways, atol=1e-9)

    moved = now(page, "ball")
    x, y = page.evaluate(f"page.view.pixelOf({moved['center']})")[:2]
    touch(page, [(x + 4, y - 4)], [(x, y + 10)], [(x + 5, y + 30)])  # where its arrows begin
    again = now(page, "ball")
    assert all(a != b for a, b in zip(again["center"][:2], moved["center"][:2], strict=True))
    assert again["center"][2] == moved["center"][2]
    moved = again
    camera = page.evaluate("page.view.camera")
    empty = page.evaluate("page.room(0)")
    u, v = 30, empty[1] + 30
    touch(page, [(u, v)], [(u + 20, v)], [(u + 60, v + 10)])
    turned = page.evaluate("page.view.camera")
    assert turned["position"] != camera["position"]
    assert turned["target"] == camera["target"]
    size = page.evaluate("page.view.pixelAt(page.view.camera.target)")
    touch(page, [(150, 400), (240, 400)], [(130, 400), (260, 400)], [(90, 400), (300, 400)])
    assert page.evaluate("page.view.pixelAt(page.view.camera.target)") < 0.7 * size
    assert now(page, "ball") == moved


@pytest.mark.usefixtures("without_picture")
def test_a_finger_takes_the_solid_under_it_and_names_have_lines_to_what_they_are_of(opened: Opened) -> None:
    shapes = {"crate": OrientedBox([0, 0, 0], np.eye(3), [1, 1, 1]), "way": Segment([0, 0, 0.75], [4, 0, 0.75])}
    page = opened(Scene(shapes), size=(390, 844), touch=True)
    # As deep in the crate, in pixels, as a finger is wide: half of it is near to a line on the crate.
    high = page.evaluate("1 - 24 * page.view.pixelAt([0.5, 0, 1]) * Math.abs(page.view.forward[2])")
    page.evaluate("high => page.doc.change([[1, [0, 0, high, 4, 0, high]]])", high)
    x, y = page.evaluate("high => page.view.pixelOf([0.5, 0, high])", high)[:2]
    touch(page, [(x + 4, y)], [(x + 10, y + 10)], [(x + 20, y + 30)])
    assert now(page, "crate")["center"] != [0, 0, 0]
    assert now(page, "way")["start"] == [0, 0, high]
    page.evaluate("page.doc.undo(), page.select([]), page.fit()")
    settle(page)
    x, y = page.evaluate("high => page.view.pixelOf([3, 0, high])", high)[:2]
    touch(page, [(x + 12, y)], [(x + 20, y + 10)], [(x + 30, y + 30)])
    assert now(page, "way")["start"] != [0, 0, high]
    assert page.evaluate("getComputedStyle(page.at('panels')).touchAction") == "pan-x pan-y"
    lines = page.evaluate("""() => {
        page.labels.show([{ pixel: [150, 300], text: "far", name: false }], [[135, 285, 165, 315]], []);
        return page.at("labels").querySelector("path").getAttribute("d");
    }""")
    (u, v), (left, top) = (map(float, end.split()) for end in lines.removeprefix("M").split("L"))
    assert (u, v) == (150, 300)
    assert np.hypot(left - u, top - v) > 20


@pytest.mark.usefixtures("without_picture")
def test_what_a_finger_dropped_is_not_behind_its_card(opened: Opened) -> None:
    page = opened("first", size=(390, 844), touch=True)
    marble = page.evaluate("page.world.names.indexOf('marble')")
    x, y = page.evaluate(f"page.anchor({marble})")[:2]
    touch(page, [(x, y)], [(x - 10, y + 20)], [(x - 60, y + 120)])
    card = page.evaluate("page.at('card').getBoundingClientRect().top")
    low = page.evaluate(f"Math.max(...page.corners([{marble}]).map((point) => page.view.pixelOf(point)[1]))")
    assert y + 120 > card > low


#: Boxes of what can be pressed, and of panels, in pixels.
BOXES = """selector => [...page.root.querySelectorAll(selector)].map((one) => one.getBoundingClientRect())
    .filter(({ width }) => width).map(({ left, top, right, bottom }) => [left, top, right, bottom])"""


@pytest.mark.parametrize("selected", [False, True])
@pytest.mark.usefixtures("without_picture")
def test_on_a_phone_nothing_overlaps_and_fingers_find_it(opened: Opened, selected: bool) -> None:
    page = opened("first", size=(390, 844), touch=True)
    if selected:
        page.evaluate("page.click(0)")
        settle(page)
    panels = page.evaluate(BOXES, ".panel:not(.quiet)")
    assert len(panels) >= 3
    for k, (left, top, right, bottom) in enumerate(panels):
        assert min(left, top) >= 0
        assert right <= 390
        assert bottom <= 844
        assert all(bottom <= other[1] or other[3] <= top for other in panels[k + 1 :])
    for left, top, right, bottom in page.evaluate(BOXES, ".panel button, summary, .panel input"):
        assert min(right - left, bottom - top) >= 40
    if not selected:
        pixels = np.array(page.evaluate("page.subject().map((point) => page.view.pixelOf(point))"))
        low, high = pixels[:, :2].min(axis=0), pixels[:, :2].max(axis=0)
        left, top, right, bottom = page.evaluate("page.room(0)")
        assert (low >= (left, top)).all()
        assert (high <= (right, bottom)).all()
        assert max((high - low) / (right - left, bottom - top)) > 0.8


@pytest.mark.usefixtures("without_picture")
def test_out_of_sight_the_graphics_card_is_given_back(opened: Opened) -> None:
    page = opened("first")
    page.evaluate("document.body.append(Object.assign(document.createElement('div'), {style: 'height: 3000px'}))")
    page.evaluate("scrollTo(0, 2500)")
    page.wait_for_function("page.stage.lost")
    assert len(page.evaluate("page.at('held').style.backgroundImage")) > 10_000
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function("!page.stage.lost && page.at('held').hidden")
    browser.assert_drawn(page)
    assert red_pixels(page) > 1000


@pytest.mark.usefixtures("without_picture")
def test_nearest_and_picks_among_many_are_those_of_python(opened: Opened) -> None:
    rng = np.random.default_rng(3)
    scene = Scene(
        {
            "balls": Sphere(rng.uniform(-9, 9, (150, 3)), 0.2),
            "rods": Capsule(rng.uniform(-9, 9, (150, 3)), rng.uniform(-9, 9, (150, 3)), 0.05),
            "plane": HalfSpace([0, 0, -12], [0, 0, 1]),
        },
    )
    page = opened(scene)
    shapes = [scene.element(number) for number in range(301)]
    for element in (0, 7, 150, 299, 300):
        told = page.evaluate("element => page.world.nearest(element).distance", element)
        assert told == min(
            float(contact(shapes[element], other).signed_distance) for other in shapes if other is not shapes[element]
        )
    eye, target = np.array([0.0, -30.0, 4.0]), rng.uniform(-6, 6, (30, 3))
    ways = (target - eye) / np.linalg.norm(target - eye, axis=1, keepdims=True)
    pick = "([eye, way]) => page.world.pick(eye, way, () => 0, 1, () => true)"
    for way in ways:
        told = page.evaluate(pick, [eye.tolist(), way.tolist()])
        enter = np.array([float(raycast(Ray(eye, way), shape).enter) for shape in shapes])
        assert (told is None) == bool(np.isnan(enter).all())
        if told is not None:
            assert told["element"] == int(np.nanargmin(enter))


@pytest.mark.usefixtures("without_picture")
def test_numbers_are_typed_and_what_is_none_is_said(opened: Opened) -> None:
    page = opened(HANDLED)
    page.evaluate("page.click(page.world.names.indexOf('box'))")
    settle(page)
    heads = {}
    for element, name in enumerate(HANDLED):
        page.evaluate("element => page.select([element])", element)
        settle(page)
        heads[name] = page.get_by_role("heading", name=name).locator("small").inner_text()
    assert heads == {"box": "box", "ball": "sphere", "rod": "capsule", "crate": "aabb"}
    page.evaluate("page.select([page.world.names.indexOf('box')])")
    settle(page)
    field = page.get_by_role("textbox", name="size x")
    for text, words in (
        ("-1", "expected zero or more, got -1"),
        ("two", "expected a number, got two"),
        ("", "nothing"),
    ):
        field.fill(text)
        field.press("Enter")
        assert words in page.get_by_role("alert").inner_text()
        assert field.input_value() == text  # so that it can be mended
        assert field.get_attribute("aria-invalid") == "true"
        assert now(page, "box")["half_extents"] == [0.5, 0.4, 0.5]
    field.press("Escape")
    assert field.input_value() == "1"
    assert page.get_by_role("alert").inner_text() == ""
    field.fill("1,5")
    field.press("Tab")
    assert now(page, "box")["half_extents"] == [0.75, 0.4, 0.5]
    page.get_by_role("textbox", name="rotation z in degrees").fill("90")
    page.keyboard.press("Enter")
    assert np.allclose(now(page, "box")["axes"], [0, -1, 0, 1, 0, 0, 0, 0, 1], atol=1e-12)
    for button in ("Undo", "Undo"):
        page.get_by_role("button", name=button).click()
    assert now(page, "box")["half_extents"] == [0.5, 0.4, 0.5]
    page.get_by_role("button", name="Redo").click()
    assert now(page, "box")["half_extents"] == [0.75, 0.4, 0.5]


@pytest.mark.usefixtures("without_picture")
def test_all_can_be_done_by_keys(opened: Opened) -> None:
    page = opened(HANDLED)
    page.keyboard.press("n")
    assert page.evaluate("[...page.selected]") == [0]
    before = now(page, "box")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    after = now(page, "box")
    assert after["center"][2] > before["center"][2]
    assert after["center"][:2] != before["center"][:2]
    page.keyboard.press("Shift+ArrowLeft")
    assert now(page, "box")["axes"] != after["axes"]
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert now(page, "box") == before
    page.keyboard.press("Control+y")
    assert now(page, "box") != before
    page.keyboard.press("Escape")
    assert page.evaluate("page.selected.size") == 0
    camera = page.evaluate("page.view.camera.position")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("+")
    assert page.evaluate("page.view.camera.position") != camera


@pytest.mark.usefixtures("without_picture")
def test_the_table_is_sorted_and_filtered_and_frames_a_pair(opened: Opened) -> None:
    page = opened(KINDS)
    first = page.locator("#rows tbody tr td:first-child")
    page.get_by_role("button", name="A", exact=True).click()
    names = first.all_inner_texts()
    assert names == sorted(names)
    page.get_by_role("button", name="A", exact=True).click()
    assert first.all_inner_texts() == sorted(names, reverse=True)
    page.get_by_placeholder("a name").fill("ROD")
    settle(page)
    rows = page.locator("#rows tbody tr")
    assert 0 < rows.count() < len(names)
    assert all("rod" in row for row in rows.all_inner_texts())
    rows.first.get_by_role("button").first.press("Enter")
    settle(page)
    assert rows.first.get_attribute("aria-selected") == "true"
    i, j = page.evaluate("page.pair")
    flags = page.evaluate("[...page.flags]")
    faded = {element for element in page.evaluate("page.world.elements") if flags[element] & 4}
    assert faded == set(page.evaluate("page.world.elements")) - {i, j}
    center = page.evaluate("(([i, j]) => page.view.pixelOf(page.contactOf(i, j).onA))(page.pair)")
    assert 200 < center[0] < 800
    assert 100 < center[1] < 600
    page.get_by_role("button", name="Show all again").click()
    settle(page)
    assert not any(flag & 4 for flag in page.evaluate("[...page.flags]"))


@pytest.mark.usefixtures("without_picture")
def test_a_motion_plays_and_its_strip_says_whose_intervals_are_shown(opened: Opened) -> None:
    page = opened("robot_arm")
    scene = viewer.as_scene("robot_arm")
    assert scene.span is not None
    page.locator("canvas").press(" ")
    page.wait_for_function("page.doc.moment > 3")
    page.get_by_role("button", name="Pause").click()
    moment = page.evaluate("page.doc.moment")
    settle(page)
    assert page.evaluate("page.doc.moment") == moment
    page.get_by_role("slider", name="The moment").press("End")
    settle(page)
    assert page.evaluate("page.doc.time") == scene.span[1]
    check_contacts(page, scene.at(scene.span[1]))
    assert not page.locator("#stale").is_visible()
    page.evaluate("page.select([page.world.elements[0]])")
    page.locator("canvas").press("ArrowRight")
    settle(page)
    assert page.get_by_text("intervals are those of the file").is_visible()


@pytest.mark.usefixtures("without_picture")
def test_the_strip_tells_touching_from_colliding(opened: Opened) -> None:
    shapes = {
        "floor": AABB([-2, -2, -1], [20, 2, 0]),
        "crate": AABB([0, -1, 0], [2, 1, 2]),
        "post": Sphere([6, 0, 1], 1),
    }
    page = opened(Scene(shapes, motion=[Motion("crate", [0, 10], [[0, 0, 0], [10, 0, 0]])]))
    said = page.eval_on_selector_all("#intervals li", "rows => rows.map(row => row.title)")
    assert said == ["3 to 7 s", "0 to 10 s, touching", "0 to 10 s, touching"]
    style = "bars => bars.map(bar => getComputedStyle(bar).backgroundImage)"
    looks = page.eval_on_selector_all("#intervals b", style)
    assert looks[1] == looks[2] != looks[0]
    assert all("gradient" in look for look in looks)


#: An arm that turns and slides, whose right finger follows the left one, with poses and pairs that are not compared.
PICKER = load_model(published.EXAMPLES / "robots/picker.urdf", srdf=published.EXAMPLES / "robots/picker.srdf")


def check_pose(page: Any, model: Model) -> None:
    """Check that a page has all shapes of a model where it has them, and finds the same pairs."""
    rows = page.evaluate("page.world.elements.map((element) => page.world.row(element))")
    for numbers, shape in model.scene.groups:
        assert np.allclose([rows[number] for number in numbers], rows_of(shape), rtol=0, atol=1e-12)
    assert [row[:2] for row in page.evaluate(CONTACTS)] == model.scene.contacts().pairs.tolist()


def angles(page: Any) -> dict[str, float]:
    """Return the values of all joints in a page."""
    return page.evaluate("Object.fromEntries(page.doc.joints.all.map((one) => [one.name, page.doc.joints.value(one)]))")


@pytest.mark.usefixtures("without_picture")
def test_joints_put_links_where_python_puts_them(opened: Opened) -> None:
    reach = PICKER.at(PICKER.poses["reach"])
    page = opened(reach)
    check_contacts(page, reach.scene)
    rng, touching = np.random.default_rng(4), 0
    for _ in range(20):
        limits = {name: PICKER.joints[name].limits for name in ("shoulder", "elbow", "wrist", "grip")}
        q = {name: float(rng.uniform(*ends)) for name, ends in limits.items()} | {"turn": float(rng.normal())}
        page.evaluate("q => page.doc.change(Object.entries(q).map(([name, value]) => [name, [value]]))", q)
        check_pose(page, reach.at(q))
        touching += len(reach.at(q).scene.contacts()) > 0
        assert angles(page) == pytest.approx({**q, "grip_mirrored": q["grip"]}, rel=0, abs=1e-15)
    assert 0 < touching < 20
    page.get_by_role("button", name="Reset").click()
    check_contacts(page, reach.scene)  # to the last bit
    page.keyboard.press("Control+z")
    check_pose(page, reach.at(q))


@pytest.mark.usefixtures("without_picture")
def test_sliders_numbers_and_poses_move_joints_within_their_limits(opened: Opened) -> None:
    page = opened(PICKER)
    slider, elbow = page.get_by_role("slider", name="elbow"), page.get_by_role("textbox", name="elbow in degrees")
    slider.press("End")
    settle(page)
    assert angles(page)["elbow"] == 2.8
    assert (elbow.input_value(), slider.get_attribute("aria-valuetext")) == ("160.43", "160.4\u00b0")
    check_pose(page, PICKER.at({"elbow": 2.8}))
    x, y, width, height = page.evaluate(f"({BOXES})('[aria-label=shoulder]')[0]")
    drag(page, [0.5 * (x + width), 0.5 * (y + height)], (-500, 0))
    assert angles(page)["shoulder"] == -1.2
    page.keyboard.press("Control+z")
    assert angles(page) == {name: 2.8 if name == "elbow" else 0 for name in PICKER.joints}
    for text, words in (
        ("200", "elbow: expected 0\u00b0 to 160.4\u00b0, got 200"),
        ("two", "expected a number, got two"),
    ):
        elbow.fill(text)
        elbow.press("Enter")
        assert words in page.get_by_role("alert").inner_text()
        assert angles(page)["elbow"] == 2.8
    elbow.fill("30")
    elbow.press("Enter")
    assert page.get_by_role("alert").inner_text() == ""
    assert angles(page)["elbow"] == pytest.approx(np.radians(30), rel=1e-15)
    page.get_by_role("textbox", name="grip").fill("0.05")
    page.keyboard.press("Enter")
    settle(page)
    assert page.get_by_text("follows grip").locator("xpath=following-sibling::output").inner_text() == "0.05"
    folded = page.get_by_role("button", name="folded")
    folded.click()
    settle(page)
    assert folded.get_attribute("aria-pressed") == "true"
    check_pose(page, PICKER.at({"grip": 0.05, **PICKER.poses["folded"]}))
    page.get_by_role("button", name="6 joints").press("Enter")
    settle(page)
    assert not slider.is_visible()


@pytest.mark.usefixtures("without_picture")
def test_the_name_of_a_joint_is_one_line_and_its_value_is_whole(opened: Opened) -> None:
    name = "gripper_right_fingertip_joint"
    turn = Joint(name, "prismatic", "base", "tip", axis=[1, 0, 0], limits=(-1, 1))
    page = opened(Model.of({"base": {"base": Sphere([0, 0, 0], 1)}, "tip": {"tip": Sphere([3, 0, 0], 1)}}, [turn]))
    page.evaluate(f"page.doc.change([['{name}', [-0.011459]]])")
    settle(page)
    label, value = page.locator("#joints li > span"), page.get_by_role("textbox", name=name)
    assert (label.inner_text(), label.get_attribute("title"), value.input_value()) == (name, name, "-0.011459")
    assert label.evaluate("one => one.clientHeight < 2 * parseFloat(getComputedStyle(one).fontSize)")
    assert label.evaluate("one => one.scrollWidth > one.clientWidth")  # it ends in an ellipsis
    assert value.evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.usefixtures("without_picture")
def test_joints_along_a_trajectory_are_told_at_each_time(opened: Opened, tmp_path: Path) -> None:
    way = tmp_path / "way.csv"
    way.write_text("time,elbow,grip\n0,0,0\n2,2,0.06\n", encoding="utf-8")
    page = opened(read(published.EXAMPLES / "robots/picker.urdf", ModelFlags(trajectory=way).options()))
    line = page.locator("#joints li")
    told = "[...page.root.querySelectorAll('#joints li')].map((one) => one.textContent)"
    assert page.evaluate(told)[2:] == ["elbow0", "wrist0", "grip0", "grip_mirrored0"]
    page.evaluate("page.doc.go(page.doc.times.length >> 1)")
    settle(page)
    assert page.evaluate(told)[2:] == ["elbow57.3", "wrist0", "grip0.03", "grip_mirrored0.03"]
    assert line.nth(2).get_by_role("slider").is_disabled()
    assert not page.get_by_role("button", name="Reset").is_visible()
    rows = page.evaluate("page.world.elements.map((element) => page.world.row(element))")
    for numbers, shape in PICKER.at({"elbow": 1, "grip": 0.03}).scene.groups:
        assert np.allclose([rows[number] for number in numbers], rows_of(shape), rtol=0, atol=1e-12)


@pytest.mark.usefixtures("without_picture")
def test_links_of_hulls_are_dragged_and_pairs_are_found_by_their_links(opened: Opened) -> None:
    corners = [[0.1, 0.2, 0], [1, 0, 0], [1, 0.3, 0], [1, 0, 0.4]]
    hand = {f"part/{number}": ConvexHull([[x + number / 2, y, z] for x, y, z in corners]) for number in (0, 1)}
    links = {"base": {"base": Sphere([0, 0, 0], 0.3), "crate": Sphere([0, 1, 0], 0.4)}, "<b>hand": hand}
    turn = Joint("<b>turn", "revolute", "base", "<b>hand", axis=[0, 0, 1], limits=(0, 2))
    robot = Model.of(links, [turn], ignored=[("base", "*"), ("part/*", "part/*")])
    page = opened(robot)
    x, y = page.evaluate("page.anchor(page.world.names.indexOf('part/1'))")[:2]
    drag(page, [x, y], (-30, -150))
    value = angles(page)["<b>turn"]
    assert 0.2 < value <= 2
    check_pose(page, robot.at({"<b>turn": value}))
    page.evaluate("page.doc.change([['<b>turn', [1.5]]])")
    check_pose(page, robot.at({"<b>turn": 1.5}))
    names = "[...page.root.querySelectorAll('#list tbody tr')].map((row) => [0, 1].map((k) => row.cells[k].innerText))"
    page.evaluate("page.table.isOpen = true; page.table.search.value = 'HAND'; page.table.show()")
    assert sorted(page.evaluate(names)) == [["crate", "part/0"], ["crate", "part/1"]]
    assert page.locator("#list tbody button").nth(1).get_attribute("title").endswith(", of the link <b>hand")
    page.evaluate("page.table.search.value = 'base'; page.table.show()")
    assert len(page.evaluate(names)) == 2


@pytest.mark.usefixtures("without_picture")
def test_hulls_without_a_surface_are_seen_and_taken(opened: Opened) -> None:
    corners = {"dot": [[0, 0, 0], [0, 0, 0]], "stick": [[1, 0, 0], [1.5, 0, 0.5], [2, 0, 1]], "ball": [[0, 2, 0]]}
    scene = Scene({name: ConvexHull(points, name == "ball") for name, points in corners.items()})
    page = opened(scene)
    drawn = page.evaluate("page.marks.filter(({ is }) => is === 'Marker').flatMap(({ points }) => points)")
    assert {tuple(point) for point in drawn} == {(0, 0, 0), (1, 0, 0), (2, 0, 1)}
    for number, name in enumerate(corners):
        x, y = page.evaluate("number => page.anchor(number)", number)[:2]
        page.mouse.click(x, y)
        settle(page)
        assert page.evaluate("[...page.selected].map((element) => page.world.names[element])") == [name]


@pytest.mark.parametrize("fingers", [False, True])
@pytest.mark.usefixtures("without_picture")
def test_a_drag_turns_a_link_about_its_joint(opened: Opened, fingers: bool) -> None:
    page = opened(
        PICKER.at({"shoulder": 0.3, "grip": 0.02}), size=(390, 844) if fingers else (1000, 700), touch=fingers
    )
    page.evaluate("page.fit()")
    settle(page)

    def pull(name: str, *way: float) -> dict[str, float]:
        x, y = page.evaluate("name => page.anchor(page.world.names.indexOf(name))", name)[:2]
        if fingers:
            touch(page, [(x, y)], [(x + 0.3 * way[0], y + 0.3 * way[1])], [(x + way[0], y + way[1])])
        else:
            drag(page, [x, y], way)
        return angles(page)

    before = angles(page)
    for name, joint in (("forearm", "elbow"), ("upper_arm", "shoulder"), ("turret", "turn"), ("right_finger", "grip")):
        after = pull(name, 20, 30)
        assert {one for one in after if after[one] != before[one]} - {"grip_mirrored"} == {joint}
        least, most = PICKER.joints[joint].limits
        assert least <= after[joint] <= most
        check_pose(page, PICKER.at({name: value for name, value in after.items() if name != "grip_mirrored"}))
        before = after
    camera = page.evaluate("page.view.camera.position")
    assert pull("base", 25, 12) == before  # nothing moves it
    assert page.evaluate("page.view.camera.position") != camera
    page.evaluate("page.click(page.world.names.indexOf('forearm'))")
    settle(page)
    assert page.locator("#joints [aria-current=true]").inner_text().startswith("elbow")
    page.locator("canvas").press("ArrowRight")
    page.locator("canvas").press("Shift+ArrowRight")
    assert angles(page) == before  # links are rigid


@pytest.mark.usefixtures("without_picture")
def test_a_pose_is_taken_along(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arm = tmp_path / "the arm.urdf"
    arm.write_bytes((published.EXAMPLES / "robots/picker.urdf").read_bytes())
    monkeypatch.chdir(tmp_path)
    page = opened(read(arm.name, ModelFlags(joint=("turn=0.5",)).options()))
    q = {"elbow": float(np.radians(150)), "wrist": 1.234567890123}
    page.evaluate("q => page.doc.change(Object.entries(q).map(([name, value]) => [name, [value]]))", q)
    expected = load_model(arm, q={"turn": 0.5, **q})
    copied = {}
    for button in ("Copy as command", "Copy as Python", "Copy link"):
        page.get_by_text("Take along").click()
        page.get_by_text(button).click()
        settle(page)
        copied[button] = page.evaluate("page.copied")
    assert "--joint elbow=150deg --joint wrist=1.234567890123" in copied["Copy as command"]
    program, command, *words = shlex.split(copied["Copy as command"])
    assert (program, command) == ("collision-viewer", "open")
    flags = ModelFlags(joint=tuple(words[2::2]))
    assert set(words[1::2]) == {"--joint"}
    assert np.allclose(read(words[0], flags.options()).model.q, expected.q, rtol=0, atol=1e-15)
    names: dict[str, Any] = {}
    exec(copied["Copy as Python"], names)
    assert names["robot"].q.tolist() == expected.q.tolist()
    again = page.context.new_page()
    again.goto(copied["Copy link"])
    again.wait_for_function("window.page")
    check_pose(again, expected)
    for fragment, words in (
        ('[["knee",0,1]]', "nothing there is called knee"),
        ('[["elbow",0,"x"]]', "elbow: expected finite numbers"),
        ('[["elbow",0,1,2]]', "elbow: expected 1 number, got 2"),
    ):
        again.evaluate("text => { location.hash = '#edits=' + encodeURIComponent(text); }", fragment)
        again.get_by_text(words).wait_for(timeout=5000)
    check_pose(again, expected)


@pytest.mark.usefixtures("without_picture")
def test_beside_a_robot_shapes_are_moved_as_ever(opened: Opened, tmp_path: Path) -> None:
    scene = Scene({"crate": Sphere([0.6, 0, 0.4], 0.2), **PICKER.scene.shapes}, ignored=PICKER.scene.ignored)
    page = opened(Loaded(scene, tmp_path, model=PICKER))
    page.evaluate("page.select(page.world.elements)")
    page.locator("canvas").press("PageUp")
    page.evaluate("page.doc.change([['elbow', [1]], ['shoulder', [1.2]]])")
    moved = PICKER.at({"elbow": 1, "shoulder": 1.2})
    lifted = np.array([0.6, 0, 0.4 + page.evaluate("page.grid / 5")])
    assert np.allclose(now(page, "crate")["center"], lifted, rtol=0, atol=1e-12)
    expected = scene.replaced(shapes={"crate": Sphere(lifted, 0.2), **moved.scene.shapes}).contacts().pairs.tolist()
    assert [row[:2] for row in page.evaluate(CONTACTS)] == expected
    assert any(0 in pair for pair in expected)
    page.evaluate("page.at('link').click()")
    again = page.context.new_page()
    again.goto(page.evaluate("page.copied"))
    again.wait_for_function("window.page")
    assert [row[:2] for row in again.evaluate(CONTACTS)] == expected


def test_an_aligned_box_on_a_link_is_refused() -> None:
    joint = Joint("turn", "continuous", "base", "arm", axis=[0, 0, 1])
    arm = Model.of({"base": {}, "arm": {"crate": AABB([0, 0, 0], [1, 1, 1])}}, [joint])
    with pytest.raises(ValueError, match="'crate' is an AABB, which does not turn with its link: make it an OrientedB"):
        robot_facts(arm.scene, arm)


@pytest.mark.usefixtures("without_picture")
def test_the_saved_picture_is_what_is_seen(opened: Opened, tmp_path: Path) -> None:
    page = opened("first", density=1)
    page.get_by_text("Take along").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    download.value.save_as(tmp_path / "saved.png")
    saved = Image.open(tmp_path / "saved.png").convert("RGB")
    assert saved.width == 2 * 1000
    colors = np.asarray(saved, dtype=np.int64).reshape(-1, 3)
    assert np.count_nonzero((colors[:, 0] > 130) & (colors[:, 1] < 0.55 * colors[:, 0])) > 10_000


@pytest.mark.usefixtures("without_picture")
def test_shows_follow_a_drag(opened: Opened) -> None:
    page = opened("first")
    text = page.locator("#labels .text", has_text="distance 0.654")
    assert text.is_visible()
    page.evaluate("page.select([page.world.names.indexOf('marble')])")
    page.locator("canvas").press("ArrowLeft")
    page.keyboard.press("Escape")
    settle(page)
    assert not text.is_visible()
    assert page.locator("#labels .text:visible", has_text="distance").count() == 1


@pytest.mark.usefixtures("without_picture")
def test_in_a_document_the_wheel_scrolls_until_a_scene_is_clicked(opened: Opened) -> None:
    page = opened(HANDLED)
    page.evaluate("page.alone = false")
    seen = page.evaluate("page.view.distance")
    page.mouse.move(500, 350)
    page.mouse.wheel(0, 100)
    page.wait_for_timeout(100)
    assert page.evaluate("page.view.distance") == seen
    page.mouse.click(500, 350)
    page.mouse.wheel(0, 100)
    page.wait_for_function("seen => page.view.distance > 1.1 * seen", arg=seen)


@pytest.mark.usefixtures("without_picture")
def test_in_a_document_one_finger_scrolls_past_a_scene_and_two_turn_it(opened: Opened) -> None:
    page = opened(HANDLED, size=(390, 844), touch=True)
    page.evaluate("""() => {
        page.at("page").classList.remove("alone");
        page.alone = false;
        document.body.append(Object.assign(document.createElement("div"), {style: "height: 3000px"}));
    }""")
    camera = page.evaluate("page.view.camera")
    x, y = page.evaluate("page.view.pixelOf([2, 0, 0.5])")[:2]
    touch(page, [(x, y)], [(x, y - 10)], [(x, y - 60)])
    assert now(page, "ball")["center"] != [2, 0, 0.5]
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("Escape")
    camera = page.evaluate("page.view.camera")
    top = page.evaluate("page.room(0)")[1] + 40
    touch(page, [(40, top), (90, top)], [(60, top), (110, top)], [(120, top), (170, top)])
    turned = page.evaluate("page.view.camera")
    assert turned["position"] != camera["position"]
    for _ in range(10):  # a browser that is busy takes a finger's first moves for a tap
        touch(page, *[[(30, top + 300 - step)] for step in range(0, 240, 20)])
        if page.evaluate("scrollY > 50"):
            break
        page.wait_for_timeout(200)
    assert page.evaluate("scrollY") > 50
    assert page.evaluate("page.view.camera") == turned


@pytest.mark.usefixtures("without_picture")
def test_far_from_the_origin_a_scene_is_drawn_and_small_numbers_are_read(opened: Opened) -> None:
    far = [1e15, 0.001, 0.0]
    shapes = {
        "ball": Sphere(np.add(far, [0, 0, 1]), 0.75),
        "crate": AABB(np.add(far, [2, -1, 0]), np.add(far, [4, 1, 2])),
    }
    page = opened(Scene(shapes))
    shown = np.array(page.evaluate("page.subject().map((point) => page.view.pixelOf(point))"))
    assert np.ptp(shown[:, 1]) > 200
    assert len(np.unique(colors(page), axis=0)) > 50
    page.evaluate("page.click(0)")
    settle(page)
    assert [page.get_by_role("textbox", name=f"center {axis}").input_value() for axis in "xyz"] == [
        "1000000000000000",
        "0.001",
        "1",
    ]


@pytest.mark.usefixtures("without_picture")
def test_a_line_that_runs_past_the_eye_keeps_its_colour(opened: Opened) -> None:
    page = opened(KINDS, density=1)
    for finer in (1, 2):
        page.evaluate("finer => page.draw(finer)", finer)
        seen = page.evaluate("page.stage.canvas.toDataURL('image/png')").partition(",")[2]
        drawn = Image.open(io.BytesIO(base64.b64decode(seen))).convert("RGB")
        for point in ([0, 7, 0.6], [0, -1.5, 0.6], [4.5, 0, 0.5]):
            x, y = page.evaluate("point => page.view.pixelOf(point).slice(0, 2)", point)
            left, top = round(finer * x) - 4, round(finer * y) - 4
            around = np.asarray(drawn.crop((left, top, left + 9, top + 9)), dtype=int).reshape(-1, 3)
            red = np.count_nonzero((around[:, 0] > 150) & (around[:, 1:] < 90).all(axis=1))
            assert red >= 16, f"at {point} it is {red} red pixels wide and long"


def test_the_pictures_of_phones_are_what_phones_show(chromium: Any, tmp_path: Path) -> None:
    phones.draw(chromium, tmp_path)
    stale = list(published.stale(tmp_path, phones.PICTURES, exact=False))
    assert not stale, f"{stale}; look at the change; `python -m tests.phones` draws them anew"


@pytest.mark.usefixtures("without_picture")
def test_scenes_of_every_size_are_drawn_alike(opened: Opened) -> None:
    def seen(size: float) -> np.ndarray[Any, np.dtype[np.int64]]:
        shapes = {
            "box": AABB([0, 0, 0], np.multiply(size, [1, 2, 1])),
            "ball": Sphere(np.multiply(size, [1.5, 0, 1]), 0.75 * size),
            "line": Line(np.multiply(size, [0, 0, 1.5]), [0, 1, 0]),
            "floor": HalfSpace(np.multiply(size, [0, 0, -0.5]), [0, 0, 1]),
        }
        return colors(opened(Scene(shapes)))

    usual = seen(1.0)
    assert len(np.unique(usual, axis=0)) > 50
    for size in (1e-60, 1e-9, 1e60):
        assert np.mean(np.abs(usual - seen(size)).max(axis=1) > 24) < 0.002, size


@pytest.mark.usefixtures("without_picture")
def test_a_link_with_axes_that_turn_nothing_is_refused(opened: Opened) -> None:
    page = opened(KINDS)
    page.evaluate("""() => {
        const element = page.world.names.indexOf("box");
        const row = page.doc.row(element);
        row[3] *= 1.5;
        location.hash = `#edits=${encodeURIComponent(JSON.stringify([[element, 0, ...row]]))}`;
    }""")
    page.get_by_text("the link is broken: box: axes: expected three axes of a rotation").wait_for()
    check_contacts(page, KINDS)
