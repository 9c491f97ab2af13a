"""The pictures of pages on phones: ``python -m tests.phones`` draws them anew.

Other versions of the browser, and other fonts, may draw edges and letters a little differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image

import viewer
from collision.importers import load_model
from tests.browser import opened, picture, started
from tests.published import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROBOT = EXAMPLES / "robots" / "picker.urdf"
PICTURES = EXAMPLES / "pictures"

#: Takes the slider to where the arm's hand is in the crate.
AT_THE_CRATE = "slider => { slider.value = slider.max * 0.66; slider.dispatchEvent(new Event('input')); }"

#: The size of a phone's screen in pixels, and of the gap between the two.
SIZE, GAP = (390, 844), 30


def draw(browser: Browser, folder: Path) -> None:
    """Draw a shape selected on one phone, and a motion on the other, which is set to dark colours; and a robot."""
    first, arm = EXAMPLES / "first.toml", EXAMPLES / "robot_arm.toml"
    both = Image.new("RGB", (2 * SIZE[0] + GAP, SIZE[1]), "white")
    both.paste(_seen(browser, first, "light", lambda page: page.get_by_text("colliding pairs").click()))
    to_crate = _seen(browser, arm, "dark", lambda page: page.locator("#scrub").evaluate(AT_THE_CRATE))
    both.paste(to_crate, (SIZE[0] + GAP, 0))
    both.save(folder / "phones.png")
    robot = load_model(ROBOT, srdf=ROBOT.with_suffix(".srdf"))
    pose = {"turn": 0.7, "shoulder": 0.5, "elbow": 2.79, "wrist": 2.0, "grip": 0.04}
    _seen(browser, robot, "light", lambda page: _pose(page, pose)).save(folder / "robot_page.png", optimize=True)


def _pose(page: Any, pose: Mapping[str, float]) -> None:
    page.evaluate("q => page.doc.change(Object.entries(q).map(([name, value]) => [name, [value]]))", pose)
    page.get_by_role("button", name="See all").click()


def _seen(browser: Browser, source: Any, scheme: Literal["light", "dark"], act: Callable[[Any], object]) -> Image.Image:
    """Return what a phone shows of a scene when something was done to it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "scene.html")
        viewer.export_html(source, path)
        with opened(browser, path, size=SIZE, touch=True, scheme=scheme) as page:
            page.wait_for_function("window.page")
            act(page)
            page.wait_for_timeout(500)
            return picture(page, "html")


if __name__ == "__main__":
    with started() as browser:
        draw(browser, PICTURES)
