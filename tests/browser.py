"""Pages in a real browser: Chromium, without a screen, driven by Playwright, with software OpenGL.

A page is opened from disk, as a user does. What it asks for elsewhere, and what it complains of, fails the test.
"""

from __future__ import annotations

import io
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

#: The names of Chromium on different systems; any will do.
NAMES = ("chromium", "chromium-browser", "google-chrome")

#: Without the first, Chromium has no WebGL on machines without a graphics card, and tests would be green on nothing.
OPTIONS = ("--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--ignore-gpu-blocklist")


@contextmanager
def started() -> Iterator[Browser]:
    """Start the browser, and end it; the test is skipped where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"there is no browser here ({', '.join(NAMES)})")
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright, which drives browsers, is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=OPTIONS)
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser,
    path: Path,
    *,
    size: tuple[int, int] = (1000, 700),
    touch: bool = False,
    scheme: Literal["light", "dark"] = "light",
    fragment: str = "",
    density: float = 1.0,
    complaints: bool = False,
    beside: bool = False,
) -> Iterator[Page]:
    """Open a file in a window of its own, in pixels; `touch` makes it a phone's, and `fragment` ends its address.

    `density` is how many pixels are drawn along a side of each of the size: half of one, where nobody counts them.

    When it closes the page must have asked nobody for anything, but for what lies `beside` it where that is said, and,
    unless `complaints` are expected, have raised nothing and written no errors or warnings to the console. Inside,
    ``page.complaints`` has those so far.
    """
    address, asked, said = path.resolve().as_uri(), list[str](), list[str]()

    def ask(request: Request) -> None:
        own = request.url.partition("#")[0] == address or request.url.startswith(("data:", "blob:", "about:"))
        own = own or (beside and request.url.startswith(address.rpartition("/")[0] + "/"))
        if not own:
            asked.append(request.url)

    with _page(browser, touch, density) as page:
        heard: list[tuple[Any, str, Callable[[Any], object]]] = [
            (page.context, "request", ask),
            (page, "pageerror", lambda error: said.append(str(error))),
            (page, "console", lambda message: message.type in ("error", "warning") and said.append(message.text)),
            (page, "websocket", lambda socket: asked.append(socket.url)),
        ]
        for source, event, hear in heard:
            source.on(event, hear)
        page.complaints = said
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{address}{'#' if fragment else ''}{fragment}")
        yield page
        page.goto("about:blank")
        for source, event, hear in heard:
            source.remove_listener(event, hear)
    assert not asked, f"the page asks elsewhere: {asked}"
    assert complaints or not said, f"the page complains: {said}"


@contextmanager
def _page(browser: Browser, touch: bool, density: float) -> Iterator[Any]:
    """Return an empty page, which is kept for the next test unless this one fails: to make one takes long."""
    pages = vars(browser).setdefault("kept_pages", defaultdict(list))[touch, density]
    if pages:
        page = pages.pop()
    else:
        page = browser.new_context(
            has_touch=touch, is_mobile=touch, device_scale_factor=density, offline=True
        ).new_page()
    yield page
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.mouse.move(-1, -1)  # nothing of the next lies under the pointer
    pages.append(page)


def settle(page: Page) -> None:
    """Wait until all is drawn that was to be drawn."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def picture(page: Page, selector: str = "canvas") -> Image.Image:
    """Return what is seen of an element."""
    return Image.open(io.BytesIO(page.locator(selector).first.screenshot())).convert("RGB")


def assert_drawn(page: Page, selector: str = "canvas") -> Image.Image:
    """Return what a canvas shows; its WebGL context must be alive, and its picture not flat."""
    lost = page.locator(selector).first.evaluate("canvas => canvas.getContext('webgl2')?.isContextLost() ?? true")
    assert not lost, "the canvas has no living WebGL context"
    seen = picture(page, selector)
    colors = seen.getcolors(seen.width * seen.height) or []
    assert len(colors) > 8, f"the canvas is flat: it has {len(colors)} colours"
    return seen
