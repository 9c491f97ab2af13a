"""Puts a scene, its picture, the kernels and the modules of this folder into one HTML file."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from html import escape
from importlib import resources
from io import BytesIO
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from collision import Scene
from collision.inner import write_bytes
from collision.wasm import module
from viewer.files.movies import Image, checked_path
from viewer.page.facts import scene_facts
from viewer.picture.present import present
from viewer.records.drawables import Bar, Panel
from viewer.records.protocol import to_json
from viewer.records.theme import DARK, LIGHT, Theme, read_theme
from viewer.session import Session
from viewer.studio.options import PictureOptions
from viewer.studio.pictures import SceneSource, as_scene, take

#: The modules in the order in which each finds what it imports.
MODULES = (
    *("data", "vectors", "world", "document", "shaders", "stage", "marks"),
    *("labels", "words", "panels", "copies", "hands", "page"),
)

#: The size of the picture that lies under the canvas, as it is drawn and as it is kept, and how many colours it has.
STILL_SIZE, KEPT_SIZE, STILL_COLOURS = (1280, 800), (960, 600), 32

#: What modules say to each other, as in one script each finds the other's names; and what is for readers alone.
_BETWEEN = re.compile(
    r"^import [^;]*;\n|^export (?=const|class|function|async)|^ *//[^\n]*\n|^ */\*\*.*?\*/\n|^ +",
    re.MULTILINE | re.DOTALL,
)

#: What the picture has where none can be drawn.
_NO_PICTURE = 'data-none=""'

_FOLDER = Path(__file__).parent


def export_html(source: SceneSource, path: str | PathLike[str], *, theme: str | Theme | None = None) -> bool:
    """Write a scene as one HTML file, in which it can be dragged, measured and played, without a network.

    The file is written whole or not at all.

    Parameters
    ----------
    source : Scene, mapping of str to Shape, or path
        What to show; see `as_scene`.
    path : path
        An ``.html`` file.
    theme : str or Theme, optional
        ``light``, ``dark``, ``colour-blind``, ``colour-blind-dark``, or one's own; by default light or dark, as the
        reader's machine has it.

    Returns
    -------
    bool
        Whether a picture lies under it, for where no script may run: not where this machine cannot draw.

    Raises
    ------
    ValueError
        If the source is no scene, the path's suffix is another, or the theme is none.
    RuntimeError
        If there is no WebAssembly module; the message says how to make it.

    Examples
    --------
    >>> from collision import Sphere
    >>> export_html({"ball": Sphere([0, 0, 0], 1)}, "ball.html")  # doctest: +SKIP
    """
    target = checked_path(path, (".html", ".htm"), "a page")
    text = page_html(source, theme=theme)
    write_bytes(target, text.encode("utf-8"))
    return _NO_PICTURE not in text


def page_html(source: SceneSource, *, theme: str | Theme | None = None) -> str:
    """Return the text of the file that `export_html` writes."""
    scene = as_scene(source)
    facts, image = page_facts(scene, theme=theme)
    title = scene.title or "A scene"
    return Template(_read("page.html")).substitute(
        title=escape(title),
        style=still_css(facts),
        still=_NO_PICTURE if image is None else f'src="{data_url(image)}"',
        alt=escape(f"{title}. {scene.caption}" if scene.caption else title),
        code=packed_text(script() + "main();"),
        scene=packed_text(to_text(facts)),
    )


def page_facts(scene: Scene, *, theme: str | Theme | None = None) -> tuple[dict[str, Any], Image | None]:
    """Return what ``mount`` of `script` takes to show a scene, and its picture; none where this machine cannot draw."""
    themes = {"light": LIGHT, "dark": DARK} if theme is None else {"": read_theme(theme)}
    image, session = _still(scene, next(iter(themes.values())))
    bare = Session(scene.replaced(shows=()), size=STILL_SIZE)
    bare.view.set_camera(session.viewport.camera)
    records = [record for record in present(bare, still=True) if not isinstance(record, Bar | Panel)]
    return {**scene_facts(scene, session.viewport, themes), "picture": json.loads(to_json(records))}, image


def to_text(facts: Mapping[str, Any]) -> str:
    """Return facts as JSON; numbers keep all their bits."""
    return json.dumps(facts, separators=(",", ":"), allow_nan=False)


def script() -> str:
    """Return what all pages have in common as one JavaScript module: it exports ``mount`` and ``main``."""
    kernels, tables = module()
    loader = resources.files("collision.wasm").joinpath("collision.mjs").read_text(encoding="utf-8")
    parts = {
        **{"KERNELS": packed_text(kernels), "TABLES": tables},
        **{"STYLE": _read("page.css"), "PANELS": _read("panels.html")},
    }
    known = [f"const {name} = {json.dumps(part, separators=(',', ':'))};" for name, part in parts.items()]
    code = [_BETWEEN.sub("", text) for text in (loader, *(_read(f"{name}.mjs") for name in MODULES))]
    return "\n".join([*known, *code, "export { main, mount };\n"])


def _still(scene: Scene, look: Theme) -> tuple[Image | None, Session]:
    """Return the picture of a scene and how it is seen; no picture where this machine cannot draw."""
    from viewer.stage.gl import GLUnavailable

    try:
        return take(scene, None, PictureOptions(STILL_SIZE, theme=look))
    except GLUnavailable:
        return None, Session(scene, size=STILL_SIZE)


def data_url(image: Image) -> str:
    """Return a picture as a PNG of few colours, in text."""
    from PIL import Image as Pillow

    small = Pillow.fromarray(image).resize(KEPT_SIZE, Pillow.Resampling.LANCZOS)
    few = small.quantize(STILL_COLOURS, dither=Pillow.Dither.NONE)
    buffer = BytesIO()
    few.save(buffer, format="PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def still_css(facts: Mapping[str, Any]) -> str:
    """Return how the picture of a scene is laid out until the scene is alive, in the colours of its themes."""
    first, *rest = [";".join(map(":".join, theme["css"].items())) for theme in facts["themes"].values()]
    dark = (f"@media (prefers-color-scheme:dark){{:root{{{colors}}}}}" for colors in rest)
    return "".join([_read("still.css"), f":root{{{first}}}", *dark])


def packed_text(content: str | bytes) -> str:
    """Return what `unpacked` of `data.mjs` reads: text that no HTML can be hidden in."""
    content = content.encode("utf-8") if isinstance(content, str) else content
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
