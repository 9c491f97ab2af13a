"""What other tests of pages rely on: a page that draws nothing, asks elsewhere or complains does not pass."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import assert_drawn, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # all start a browser

#: Colours from black to yellow, by WebGL.
_DRAWN = """<canvas width=64 height=64></canvas><script>
const gl = document.querySelector("canvas").getContext("webgl2", { preserveDrawingBuffer: true });
gl.enable(gl.SCISSOR_TEST);
for (let k = 0; k < 16; k++) {
  gl.scissor(4 * k, 0, 4, 64);
  gl.clearColor(k / 15, k / 15, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
}
</script>"""


@pytest.fixture
def page_of(chromium: Browser, tmp_path: Path) -> Any:
    def page(text: str) -> Any:
        path = tmp_path / "page.html"
        path.write_text(f"<!doctype html><meta charset=utf-8>{text}", encoding="utf-8")
        return opened(chromium, path)

    return page


def test_what_webgl_draws_is_seen(page_of: Any) -> None:
    with page_of(_DRAWN) as page:
        seen = assert_drawn(page)
    assert seen.getpixel((62, 30)) == (255, 255, 0)


def test_a_canvas_that_is_flat_or_lost_is_found(page_of: Any) -> None:
    with (
        page_of(_DRAWN.replace("k / 15, k / 15, 0", "0, 0, 0")) as page,
        pytest.raises(AssertionError, match="is flat"),
    ):
        assert_drawn(page)
    with page_of(_DRAWN) as page:
        page.evaluate(
            "document.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()"
        )
        with pytest.raises(AssertionError, match="no living WebGL context"):
            assert_drawn(page)


def test_a_page_that_asks_elsewhere_or_complains_is_found(page_of: Any) -> None:
    outside = (
        "<img src='https://example.org/a.png'>",
        "<script>fetch('https://example.org/b').catch(() => 0)</script>",
    )
    for text in (*outside, "<link rel=stylesheet href='beside.css'>"):
        with pytest.raises(AssertionError, match="asks elsewhere"), page_of(text):
            pass
    with pytest.raises(AssertionError, match=r"complains.*nowhere"), page_of("<script>nowhere()</script>"):
        pass
    with pytest.raises(AssertionError, match=r"complains.*beware"), page_of("<script>console.warn('beware')</script>"):
        pass


def test_a_page_within_a_page_is_no_other(page_of: Any) -> None:
    inside = "<p id=said></p><script>said.textContent = 'alive'</script><img src='data:,'>"
    with page_of(f'<iframe sandbox="allow-scripts" srcdoc="{inside}"></iframe>') as page:
        page.frame_locator("iframe").get_by_text("alive").wait_for()
    outside = "<script>fetch('https://example.org').catch(() => 0)</script>"
    with (
        pytest.raises(AssertionError, match="asks elsewhere"),
        page_of(f'<iframe srcdoc="{outside}"></iframe>') as page,
    ):
        page.wait_for_timeout(200)
