"""The picture of pages on two phones: ``python -m tests.phones`` draws it anew.

Other versions of the browser, and other fonts, may draw edges and letters a little differently.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PIL import Image

import viewer
from tests.browser import opened, picture, started
from tests.published import EXAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCENES = {name: EXAMPLES / f"{name}.toml" for name in ("first", "robot_arm")}
PUBLISHED = EXAMPLES / "pictures" / "phones.png"

#: Takes the slider to where the arm's hand is in the crate.
AT_THE_CRATE = "slider => { slider.value = slider.max * 0.66; slider.dispatchEvent(new Event('input')); }"

#: The size of a phone's screen in pixels, and of the gap between the two.
SIZE, GAP = (390, 844), 30


def draw(browser: Browser, path: Path) -> None:
    """Draw a shape selected on one phone, and a motion on the other, which is set to dark colours."""
    both = Image.new("RGB", (2 * SIZE[0] + GAP, SIZE[1]), "white")
    with TemporaryDirectory() as folder:
        for number, name in enumerate(SCENES):
            page_file = Path(folder, f"{name}.html")
            viewer.export_html(SCENES[name], page_file)
            with opened(browser, page_file, size=SIZE, touch=True, scheme="dark" if number else "light") as page:
                page.locator("canvas").wait_for()
                if name == "first":
                    page.get_by_text("colliding pairs").click()
                else:
                    page.locator("#scrub").evaluate(AT_THE_CRATE)
                page.wait_for_timeout(500)
                both.paste(picture(page, "html"), (number * (SIZE[0] + GAP), 0))
    both.save(path)


if __name__ == "__main__":
    with started() as browser:
        draw(browser, PUBLISHED)
