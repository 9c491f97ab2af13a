"""A shape that follows another, in a real window on a virtual screen."""

from __future__ import annotations

from tests.test_window import PROGRAM, arrow_tip
from tests.windows import MARKS, Display, opened_window

pytestmark = MARKS

#: The arm stays as far from the ball as it is at first.
FOLLOWING = PROGRAM.replace("watch=say", "watch=say, react=react").replace(
    "left = run(",
    """
def react(scene):
    x, y, z = scene["ball"].center
    return scene.with_shape("arm", Capsule([x - 3, y, z - 1], [x - 3, y, z + 1], 0.4))

left = run(""",
)


def test_a_shape_follows_another_that_is_dragged_and_goes_back_with_it(display: Display) -> None:
    with opened_window(display, FOLLOWING) as window:
        window.click(window.pixel(0, 0, 1))
        window.wait(lambda said: said["selection"] == "ball", "the ball is selected")
        window.to(arrow_tip(window, 0))
        window.xdotool("mousedown", 1)
        window.wait(lambda said: said["dragging"], "a handle is in hand")
        window.to(arrow_tip(window, 0, moved=0.4))
        window.to(arrow_tip(window, 0, moved=0.8))
        said = window.wait(lambda said: abs(said["ball"][0] - 0.8) < 0.05, "the ball is under the cursor")
        assert said["dragging"]
        assert said["arm"]["start"] == [said["ball"][0] - 3.0, 0.0, -1.0]
        window.xdotool("mouseup", 1)
        window.wait(lambda said: not said["dragging"], "the handle is let go")
        window.xdotool("key", "ctrl+z")
        said = window.wait(lambda said: said["ball"] == [0.0, 0.0, 0.0], "the drag is taken back")
        assert said["arm"]["start"] == [-3.0, 0.0, -1.0]
