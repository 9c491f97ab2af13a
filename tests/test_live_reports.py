"""Reports in a browser: a click puts what was promised beside what is, and what is moved is judged anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from collision import AABB, Capsule, Expectation, Motion, Scene, Sphere
from collision.scenefile import dump_scene
from collision.wasm import NoCodeError
from tests.browser import assert_drawn, opened
from viewer.cli.commands import main
from viewer.cli.errors import ExitCode
from viewer.verdicts import live

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # all start a browser

#: A lift that comes down too far, and two balls that should touch; the names of one are markup.
LIFT = Scene(
    {"bench": AABB([-1, -1, 0], [1, 1, 0.5]), "lift": Capsule([-0.5, 0, 2], [0.5, 0, 2], 0.25)},
    motion=[Motion("lift", [0, 1, 2.7], [[0, 0, 0], [0, 0, -1.4], [0, 0, 0]])],
    expectations=[
        Expectation("apart", "lift", "bench"),
        Expectation("ray", b="bench", origin=(0, 0, 3), direction=(0, 0, -1)),
    ],
    title="A lift",
)
BALLS = Scene(
    {"<b>one": Sphere([0, 0, 1], 1), "</script><img src=x onerror=alert(1)>": Sphere([2.5, 0, 1], 1)},
    expectations=[Expectation("touch", "<b>one", "</script><img src=x onerror=alert(1)>")],
)


@pytest.fixture
def write(tmp_path: Path) -> Any:
    for name, scene in (("lift", LIFT), ("balls", BALLS)):
        (tmp_path / f"{name}.scene.toml").write_text(dump_scene(scene), "utf-8")

    def written(*options: str) -> Path:
        path = tmp_path / "report.html"
        assert main(["test", str(tmp_path), "--html", str(path), *options]) == ExitCode.BROKEN
        return path

    return written


@pytest.fixture
def report(write: Any, chromium: Browser) -> Iterator[Any]:
    with opened(chromium, write(), size=(1280, 900)) as page:
        yield page


def enliven(page: Any, number: int) -> Any:
    figure = page.locator("figure[data-live]").nth(number)
    figure.get_by_role("button", name="Make it live").click()
    figure.get_by_role("button", name="back to the picture").wait_for()
    return figure


def contacts(page: Any, number: int) -> list[list[float]]:
    """Return the signed distances of what touches in each half of a live figure."""
    found: list[list[float]] = page.evaluate(
        """(number) => [...document.querySelectorAll('figure')][number].pages.map(
            ({ world }) => [...world.contacts.values()].map(({ distance }) => distance))""",
        number,
    )
    return found


def test_the_code_is_in_a_report_once_and_scenes_are_shared(write: Any) -> None:
    text = write().read_text("utf-8")
    assert text.count("data-live=") == 3
    assert text.count(live.live_script()) == 1
    assert text.count('-live-0">') == 2


def test_a_click_shows_the_worst_moment_beside_what_was_promised(report: Any) -> None:
    figure = enliven(report, 1)
    when = report.evaluate("[...document.querySelectorAll('figure')][1].pages.map((page) => page.doc.time)")
    assert when == [1.0, 1.0]  # the moment itself, not one beside it
    assert contacts(report, 1)[1] == LIFT.at(1.0).contacts().signed_distance.tolist()
    assert all(abs(gap) < 1e-9 for gap in contacts(report, 1)[0])
    for half in range(2):
        assert_drawn(report, f"figure >> nth=1 >> canvas >> nth={half}")
    assert not figure.locator("img").is_visible()
    report.evaluate("[...document.querySelectorAll('figure')][1].pages[1].doc.go(0)")
    assert contacts(report, 1)[1] == []
    figure.get_by_role("button", name="worst moment: 1 s").click()
    assert len(contacts(report, 1)[1]) == 1
    figure.get_by_role("button", name="back to the picture").click()
    assert figure.locator("img").is_visible()
    assert figure.locator("canvas").count() == 0


def test_a_live_sweep_shows_where_the_shape_gets(tmp_path: Path, chromium: Browser) -> None:
    sweep = Expectation("sweep", "ball", "wall", motion=(8, 0, 0), fraction=(0.3, 0.4))
    scene = Scene({"ball": Sphere([0, 0, 1], 1), "wall": AABB([6, -2, 0], [7, 2, 3])}, expectations=[sweep])
    (tmp_path / "sweep.scene.toml").write_text(dump_scene(scene), "utf-8")
    path = tmp_path / "report.html"
    assert main(["test", str(tmp_path), "--html", str(path)]) == ExitCode.BROKEN
    with opened(chromium, path, size=(1280, 900)) as page:
        enliven(page, 0)
        page.wait_for_timeout(500)
        for half in range(2):
            seen = assert_drawn(page, f"figure >> nth=0 >> canvas >> nth={half}")
            red, green, blue = np.asarray(seen, dtype=int).reshape(-1, 3).T
            assert (
                np.count_nonzero((red > green + 10) & (green > blue + 30)) > 2000
            )  # the ball where it stops, in yellow


def test_on_a_phone_one_scrolls_from_what_was_promised_to_what_is(write: Any, chromium: Browser) -> None:
    with opened(chromium, write(), size=(390, 844), touch=True) as page:
        figure = enliven(page, 1)
        halves = figure.locator(".seen")
        first, second = (halves.nth(half).bounding_box() for half in range(2))
        assert second["y"] >= first["y"] + first["height"]
        assert first["x"] + first["width"] <= 390
        for half in (1, 0, 1):
            halves.nth(half).scroll_into_view_if_needed()
            page.wait_for_timeout(500)
            assert_drawn(page, f"figure >> nth=1 >> canvas >> nth={half}")


def test_what_is_dragged_is_judged_anew(report: Any) -> None:
    enliven(report, 0)
    before = contacts(report, 0)[0]
    place = report.locator("figure >> nth=0 >> canvas >> nth=1").bounding_box()
    at = "([...center]) => [...document.querySelectorAll('figure')][0].pages[1].view.pixelOf(center).slice(0, 2)"
    (x, y), (u, v) = (report.evaluate(at, center) for center in ([2.5, 0, 1], [1.2, 0, 1]))
    report.mouse.move(place["x"] + x, place["y"] + y)
    report.mouse.down()
    report.mouse.move(place["x"] + 0.5 * (x + u), place["y"] + 0.5 * (y + v))
    report.mouse.move(place["x"] + u, place["y"] + v)
    report.mouse.up()
    promised, actual = contacts(report, 0)
    assert actual[0] < -0.3
    assert promised == before, "the other half stays"


def test_names_are_text(report: Any) -> None:
    enliven(report, 0)
    assert report.locator("figure >> nth=0").get_by_text("</script><img").count() > 0
    assert report.locator("img").count() == 3


def test_where_no_script_runs_there_are_the_pictures_and_no_button(write: Any, chromium: Browser) -> None:
    path = write()
    policy = '<head><meta http-equiv="Content-Security-Policy" content="script-src \'none\'">'
    path.write_text(path.read_text("utf-8").replace("<head>", policy, 1), "utf-8")
    with opened(chromium, path, complaints=True) as page:
        assert page.locator("figure img").count() == 3
        assert page.get_by_role("button").count() == 0


def test_what_a_browser_lacks_leaves_the_picture_and_a_sentence(write: Any, chromium: Browser) -> None:
    path = write()
    policy = '<head><meta http-equiv="Content-Security-Policy" content="script-src \'unsafe-inline\'">'
    path.write_text(path.read_text("utf-8").replace("<head>", policy, 1), "utf-8")
    with opened(chromium, path, complaints=True) as page:
        page.get_by_role("button", name="Make it live").first.click()
        page.get_by_text("WebAssembly, which decides what collides, is refused here").wait_for()
        assert page.locator("figure img").first.is_visible()


def test_a_static_report_has_no_script(write: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = write("--static").read_text("utf-8")
    assert "<script" not in text
    assert text.count("<figure>") == 3
    assert main(["test", str(tmp_path), "--static"]) == ExitCode.MISTAKE
    assert "--html FILE says where" in capsys.readouterr().err


def test_without_kernels_pictures_stay_and_the_report_says_why(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> str:
        raise NoCodeError("there is no collision.wasm")

    monkeypatch.setattr(live, "live_script", missing)
    text = write().read_text("utf-8")
    assert "The pictures cannot be made live: there is no collision.wasm" in text
    assert text.count("<figure>") == 3
    assert "<script" not in text


def test_a_scene_that_is_too_large_keeps_its_pictures(write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LONGEST", 10)
    text = write().read_text("utf-8")
    assert text.count("The scene is too large to be live in a report: 2 shapes") == 2
    assert text.count("<figure>") == 3
