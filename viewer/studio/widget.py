"""A scene as a widget of a notebook: what hands do there comes to Python, and what Python sets is shown there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from string import Template
from time import monotonic
from typing import Any

import anywidget
import numpy as np
import traitlets

from collision import Scene
from viewer.files.state import alike
from viewer.page.export import packed_text, part, script, to_text
from viewer.page.facts import rows_of
from viewer.records.theme import Theme
from viewer.studio import pages
from viewer.studio.pictures import as_scene

#: Seconds from one message to the browser to the next, at least: of scenes that come faster, the latest is shown.
PACE = 1 / 60

#: What each widget sends to the browser: the code, packed.
_ESM = Template("""\
const packed = Uint8Array.from(atob("$code"), (letter) => letter.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
const code = new Response(stream).blob().then((blob) => new Blob([blob], { type: "text/javascript" }));
const made = code.then((blob) => import(URL.createObjectURL(blob)));
export default { render: async (given) => (await made).default.render(given) };
""")

#: A row of an element, with its number and the moment at which it has these numbers.
Edit = tuple[int, list[float], int]


class SceneWidget(anywidget.AnyWidget):
    """A scene that can be dragged in a notebook; `viewer.widget` makes one.

    Attributes
    ----------
    scene : Scene
        As it is, with what was dragged. Another one that is set is shown; ``observe(function, "scene")`` has a function
        called after each change, also in the middle of a drag.
    """

    _esm = _ESM.substitute(code=packed_text(script() + part("widget.mjs")))

    scene: traitlets.TraitType[Any, Any] = traitlets.TraitType()  # a trait of any kind would take None unread

    _facts = traitlets.Unicode().tag(sync=True)
    _answer = traitlets.Dict().tag(sync=True)
    _moved = traitlets.Dict().tag(sync=True)
    _height = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        scene: Scene,
        *,
        react: Callable[[Scene], Scene] | None = None,
        theme: str | Theme | None = None,
        height: int = pages.HEIGHT,
    ) -> None:
        self._react, self._theme = react, theme
        #: The scene that the browser has, with a number of its own, and the moments of its motion.
        self._base, self._serial, self._times = scene, 0, list[float]()
        #: What the browser has told, while that is followed.
        self._told: dict[str, Any] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._sent = -PACE
        super().__init__(scene=scene, _height=height)

    @traitlets.validate("scene")
    def _read(self, proposal: dict[str, Any]) -> Scene:
        return as_scene(proposal["value"])

    @traitlets.observe("scene")
    def _follow(self, _: object) -> None:
        if self._told is None:
            self._tell_in_time()

    @traitlets.observe("_moved")
    def _hear(self, change: dict[str, Any]) -> None:
        """Follow what hands have done, have it reacted to, and tell the browser what has come of it."""
        told = change["new"]
        if not told or told["serial"] != self._serial:
            return
        self._told, said = told, ""
        try:
            scene = _with_rows(self._base, told["rows"])
            self.scene = scene if self._react is None else self._react(scene)
        except ValueError as error:
            said = str(error)
        finally:
            self._told = None
        self._tell({"view": told["view"], "number": told["number"], "said": said})

    # -- to the browser ------------------------------------------------------------------------------------------------

    def _tell_in_time(self) -> None:
        """Send the scene now, or when the pace allows it."""
        wait = self._sent + PACE - monotonic()
        if wait > 0.0:
            try:
                loop = asyncio.get_running_loop()
            except RuntimeError:  # nobody could wake it
                pass
            else:
                self._timer = self._timer or loop.call_later(wait, self._tell)
                return
        self._tell()

    def _tell(self, answer: dict[str, Any] | None = None) -> None:
        """Send what differs from what the browser has; all of it, where that is another scene."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        edits = _edits(self._base, self.scene, self._times) if self._serial else None
        if edits is None:
            facts, _ = pages.page_facts(self.scene, theme=self._theme, picture=False)
            self._base, self._serial, edits = self.scene, self._serial + 1, []
            self._times = facts["motion"]["times"] if facts["motion"] else []
            self._facts = packed_text(to_text({**facts, "serial": self._serial}))
        self._answer = {"view": "", "number": 0, "said": "", **(answer or {}), "serial": self._serial, "rows": edits}
        self._sent = monotonic()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        if data is not None:
            data["text/html"] = pages.notebook_html(self.scene, theme=self._theme, height=self._height)
        return bundle


def _with_rows(scene: Scene, rows: list[tuple[int, list[float]]]) -> Scene:
    """Return a scene with the numbers, at rest, of what was changed in the browser."""
    for element, row in rows:
        name, old = scene.element_name(element), scene.element(element)
        ends = np.cumsum([own.size for own in old.values().values()])[:-1]
        fields = [part.reshape(own.shape) for part, own in zip(np.split(row, ends), old.values().values(), strict=True)]
        made = type(old)(*fields)
        scene = scene.changed(name, lambda _, made=made: made)  # type: ignore[misc]
    return scene


def _edits(base: Scene, scene: Scene, times: list[float]) -> list[Edit] | None:
    """Return what differs from a scene that the browser has; None where that is more than numbers of shapes."""
    if scene is base:
        return []
    forms = [[(name, type(one), one.batch_shape) for name, one in some.shapes.items()] for some in (base, scene)]
    if forms[0] != forms[1] or scene.hidden != base.hidden or not alike(scene.replaced(shapes=base.shapes), base):
        return None
    if times:
        base, scene = base.at(times[0]), scene.at(times[0])
    found: list[Edit] = []
    for (elements, shape), (_, other) in zip(base.groups, scene.groups, strict=True):
        before, now = rows_of(shape), rows_of(other)
        found += [(int(elements[k]), now[k].tolist(), 0) for k in np.flatnonzero((before != now).any(axis=1))]
    return found
