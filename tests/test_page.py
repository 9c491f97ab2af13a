"""A scene as a page, in a browser: what it says is what Python says, and it needs nothing from elsewhere."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import viewer
from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Scene, Segment, Sphere
from collision.scenefile import load_scene
from tests.browser import started
from viewer.cli.commands import main
from viewer.cli.errors import ExitCode
from viewer.files.catalogue import find_examples
from viewer.page.export import KEPT_SIZE
from viewer.stage.gl import GLUnavailable
from viewer.studio import pages

#: One browser for all.
pytestmark = pytest.mark.xdist_group("page")

EXAMPLES = [example.name for example in find_examples()]

#: Every kind, and what of it is told apart: overlaps, a touch, an ignored pair, a batch, and names that are markup.
KINDS = Scene(
    {
        "floor": HalfSpace([0, 0, 0], [0, 0, 1]),
        "</script><img src=x onerror=alert(1)>": Sphere([0, 0, 0.4], 0.5),
        "touching": Sphere([3, 0, 0.5], 0.5),
        "rod": Capsule([-0.3, -1, 0.6], [0.9, 1, 1.1], 0.2),
        "box": OrientedBox([1.2, 0.4, 0.5], [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]], [0.5, 0.4, 0.5]),
        "aligned": AABB([1.5, 0, 0.2], [2.6, 1, 1]),
        "point": Point([1.2, 0.4, 0.5]),
        "edge": Segment([-1, -1, 0.5], [2, 2, 0.9]),
        "ray": Ray([-3, 0, 0.5], [1, 0, 0]),
        "line": Line([0, 4, 0.6], [0, 1, 0]),
        "crowd": Sphere(np.linspace([-2, -2, 0.2], [-1, 2, 0.7], 6).reshape(2, 3, 3), 0.35),
    },
    ignored=[("floor", "crowd"), ("ray", "line")],
    title="All <b>kinds</b>",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as running:
        yield running


@pytest.fixture
def without_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no picture drawn, which takes longer than all the rest."""

    def refuse(*_: object) -> None:
        raise GLUnavailable("nothing can be drawn")

    monkeypatch.setattr(pages, "take", refuse)


Opened = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Return what writes a scene as a page and opens it; in the end, nothing may have been asked for elsewhere."""
    contexts, wrong, asked = list[Any](), list[str](), list[str]()

    def open_page(source: Any, *, change: Callable[[str], str] = str, alive: bool = True, **options: Any) -> Any:
        path = tmp_path / "page.html"
        viewer.export_html(source, path)
        path.write_text(change(path.read_text("utf-8")), "utf-8")
        context = browser.new_context(viewport={"width": 1000, "height": 700}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        if alive:
            page.wait_for_function("window.page", timeout=15_000)
            page.wait_for_timeout(200)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong
    assert not [url for url in asked if not url.startswith(("file:", "data:"))]


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


@pytest.mark.parametrize("name", EXAMPLES)
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
    page.wait_for_timeout(300)
    assert page.locator("#count").inner_text() == "1 colliding pair"
    assert page.locator("#rows tbody tr").count() == 1
    page.mouse.up()
    assert red_pixels(page) > 2000
    center = page.evaluate("page.world.row(0)")[:3]
    assert center[2] == 0.5  # what stands on the ground stays there
    check_contacts(page, scene.with_shape("ball", Sphere(center, 0.5)))
    page.keyboard.press("Control+z")
    page.wait_for_timeout(200)
    assert page.locator("#count").inner_text() == "no collisions"
    assert red_pixels(page) == 0


@pytest.mark.usefixtures("without_picture")
def test_many_moves_leave_the_pairs_that_python_finds(opened: Opened) -> None:
    rng = np.random.default_rng(7)
    scene, page = KINDS, None
    page = opened(scene)
    for _ in range(40):
        name = str(rng.choice([name for name in scene.shapes if name != "crowd"]))
        shape = scene[name].translated(rng.uniform(-1, 1, 3))
        scene = scene.with_shape(name, shape)
        row = np.concatenate([value.ravel() for value in shape.values().values()]).tolist()
        page.evaluate("([element, row]) => page.change([[element, row]])", [scene.element_numbers(name)[0], row])
        check_contacts(page, scene)


@pytest.mark.usefixtures("without_picture")
def test_what_is_copied_is_the_scene_as_it_is(opened: Opened, tmp_path: Path) -> None:
    page = opened(KINDS)
    moved = KINDS.with_shape("box", KINDS["box"].translated([0.1, 0.2, 0.3])).moved("crowd[1,2]", [0, 0, 1.1])
    rows = [
        (moved.element_numbers(name)[0], np.concatenate([v.ravel() for v in moved[name].values().values()]).tolist())
        for name in ("box", "crowd[1,2]")
    ]
    page.evaluate("rows => page.change(rows)", rows)
    for button in ("Copy as TOML", "Copy as Python", "Copy link"):
        page.get_by_text("Take along").click()
        page.get_by_text(button).click()
        page.wait_for_timeout(200)
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
    assert page.evaluate("document.querySelector('main > img').naturalWidth") == KEPT_SIZE[0]
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
    assert len(path.read_bytes()) < 150_000
    assert main(["export", "first", "-o", str(tmp_path / "first.pdf")]) == ExitCode.MISTAKE
    assert "a page is written to a .html" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"written to a \.html"):
        viewer.export_html("first", tmp_path / "first.txt")
