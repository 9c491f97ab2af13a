"""What changes while a scene is looked at: the scene, the selection, the view, the drag in hand, and what is shown.

A session is driven by commands, from a window's events or from Python; nothing here knows of a window. A picture is a
function of it, and `revision` tells when there is a new one to make.

The class is a chain of layers, each in a file of its own, that know only those beneath them: `base`, `showing`,
`looking`, `editing`, `pairing`, `arranging`, `filing`, `boxing`, `handling`, `phrasing`,
`ends`, `playing`, `asking`, `choosing`.
"""

from __future__ import annotations

from collections.abc import Mapping

from collision import AABB, Scene
from viewer.session.asking import Prompt
from viewer.session.choosing import Choosing
from viewer.session.keys import COMMANDS, KEY_HELP, WHILE_TYPING, chord, typed
from viewer.session.showing import Toggles
from viewer.view.camera import Viewport

__all__ = ["Prompt", "Session", "Toggles"]


class Session(Choosing):
    """A scene being looked at and worked on.

    Parameters
    ----------
    scene : Scene
        What to show.
    size : tuple of 2 ints
        Width and height of the picture in pixels.
    view : str, optional
        A name from `viewer.view.camera.VIEWS`; by default the scene's own camera, or ``iso`` when it has none.
    extent : AABB, optional
        What the first view frames and the ground lies under, until the scene outgrows it; by default the bounds of the
        scene.

    Raises
    ------
    TypeError
        If that is no scene.
    ValueError
        If the view is unknown or the size is not positive.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> session = Session(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}))
    >>> session.select("b")
    >>> session.move_selection([-3.5, 0, 0])
    >>> len(session.scene.colliding_pairs())
    1
    >>> session.undo()
    >>> len(session.scene.colliding_pairs())
    0
    """

    def __init__(
        self, scene: Scene, *, size: tuple[int, int] = (1280, 960), view: str | None = None, extent: AABB | None = None
    ) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"Session takes a Scene, got {scene!r}; viewer.as_scene makes one of a file or of shapes")
        super().__init__(scene, size, view, extent)
        # What covers a picture is asked of this session, which has to be whole by then.
        self._viewport = Viewport(self._opening_camera(), size)

    @property
    def key_help(self) -> Mapping[str, str]:
        """What each key does, for the help panel."""
        return KEY_HELP

    def key(
        self, symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False, text: str | None = None
    ) -> bool:
        """Do what a key stands for; False when it stands for nothing.

        While something is asked, every key goes there. What a command cannot do, it says in `notice`.

        Parameters
        ----------
        symbol : str
            The key as a window system names it: ``x``, ``X``, ``Left``, ``Prior``, ``Escape`` ...
        shift, ctrl, alt : bool
            Which keys are held with it.
        text : str, optional
            The sign that it types, if the window system says so.
        """
        if self.toggles.help and self.prompt is None and chord(symbol) in ("escape", "page up", "page down"):
            if chord(symbol) == "escape":
                self.toggle("help")
            else:
                self.turn_help(back=chord(symbol) == "page up")
            return True
        before = (self.resting, self.viewport.camera, self.pending)
        known = self._do_key(symbol, typed(symbol, shift=shift) if text is None else text, shift, ctrl, alt)
        # The keys cover the middle of the picture: they give way to what is done there.
        if self.toggles.help and (self.resting, self.viewport.camera, self.pending) != before:
            self.toggle("help")
        return known

    def press(self, x: float, y: float, *, ctrl: bool = False) -> bool:  # noqa: D102 (said below)
        if self.toggles.help and self.prompt is None:
            self.toggle("help")
        return super().press(x, y, ctrl=ctrl)

    def _do_key(self, symbol: str, sign: str, shift: bool, ctrl: bool, alt: bool) -> bool:
        name = chord(symbol)
        if self.prompt is not None:
            self._reply(name, "" if ctrl or alt else sign, ctrl=ctrl)
            return True
        taken = self.type_key(symbol, shift=shift, ctrl=ctrl, alt=alt)
        if not self.refusing:  # why it is refused stands there to the end of the phrase
            self.say("")
        if taken:
            return True
        name = chord(symbol, shift=shift, ctrl=ctrl, alt=alt)
        command = COMMANDS.get(name)
        if self.typing and name not in WHILE_TYPING and (command is not None or sign):
            what = "there is only one number to type" if self.past_the_only else "a number is being typed"
            self.say(f"{what}: Enter takes it, Esc drops it")
            return True
        if command is None:
            return False
        self.do(command)
        return True

    def _reply(self, name: str, sign: str, *, ctrl: bool) -> None:
        """Give a key to the question that waits."""
        asked = self.prompt
        if asked is None:
            return
        if name == "escape":
            self.dismiss()
        elif asked.choices:
            if sign.lower() in asked.choices:
                self.answer(sign.lower())
        elif name in ("return", "enter"):
            self.answer(asked.text)
        else:
            self._write_prompt(asked.typed(name, sign, ctrl=ctrl))
