"""Puts a scene, its picture, the kernels and the modules of this folder into one HTML file."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Collection, Mapping, Sequence
from html import escape
from importlib import resources
from io import BytesIO
from pathlib import Path
from string import Template
from typing import Any

from collision import Camera, Scene, Shape
from collision.wasm import page_module
from viewer.files.movies import Image
from viewer.page.facts import scene_facts
from viewer.picture.present import present
from viewer.records.drawables import Ground, Shadows, Timeline
from viewer.records.protocol import origin_of, to_json
from viewer.records.theme import Theme
from viewer.session import Session

#: The modules in the order in which each finds what it imports.
MODULES = (
    *("data", "vectors", "joints", "world", "document", "shaders", "hulls", "stage", "marks", "handles"),
    *("labels", "words", "panels", "copies", "hands", "page"),
)

#: The size at which a picture is kept that is seen where nothing may run.
KEPT_SIZE = (800, 500)

#: The longest page that other documents hold, reports and notebooks, in characters.
LONGEST = 3_000_000

#: What modules say to each other, as in one script each finds the other's names; and what is for readers alone.
_BETWEEN = re.compile(
    r"^import [^;]*;\n|^export (?=const|class|function|async)|^ *//[^\n]*\n|^ */\*\*.*?\*/\n|^ +",
    re.MULTILINE | re.DOTALL,
)

#: What the picture has where none can be drawn.
NO_PICTURE = 'data-none=""'

_FOLDER = Path(__file__).parent


def page_html(scene: Scene, facts: Mapping[str, Any], image: Image | None) -> str:
    """Return the text of the file of a scene: what a page knows of it, and its picture where there is one."""
    title = scene.title or "A scene"
    return Template(part("page.html")).substitute(
        title=escape(title),
        style=still_css(facts),
        still=NO_PICTURE if image is None else f'src="{data_url(image)}"',
        alt=escape(f"{title}. {scene.caption}" if scene.caption else title),
        code=packed_text(script([type(shape) for shape in scene.shapes.values()]) + "main();"),
        scene=packed_text(to_text(facts)),
    )


def page_facts(
    scene: Scene, camera: Camera, size: tuple[int, int], themes: Mapping[str, Theme], *, times: Sequence[float] = ()
) -> dict[str, Any]:
    """Return what ``mount`` of `script` takes to show a scene, seen by a camera in a picture of some size at first.

    A reader can go to each of some `times` of a motion, beside those that travel anyway.
    """
    bare = Session(scene.replaced(shows=()), size=size)
    bare.view.set_camera(camera)
    drawn = present(bare, still=True)
    # All else follows from the shapes, in the browser.
    records = [record for record in drawn if isinstance(record, Ground | Shadows | Timeline)]
    picture = {**json.loads(to_json(records)), "origin": origin_of(drawn).tolist()}
    return {**scene_facts(scene, bare.viewport, themes, times), "picture": picture}


def to_text(facts: Mapping[str, Any]) -> str:
    """Return facts as JSON; numbers keep all their bits."""
    return json.dumps(facts, separators=(",", ":"), allow_nan=False)


def script(kinds: Collection[type[Shape]] | None = None) -> str:
    """Return what pages have in common as one JavaScript module, for shapes of some kinds, or of any.

    It exports ``mount`` and ``main``.
    """
    kernels, tables = page_module(kinds)
    loader = resources.files("collision.wasm").joinpath("collision.mjs").read_text(encoding="utf-8")
    parts = {
        **{"KERNELS": packed_text(kernels), "TABLES": tables},
        **{"STYLE": part("page.css"), "PANELS": part("panels.html")},
    }
    known = [f"const {name} = {json.dumps(part, separators=(',', ':'))};" for name, part in parts.items()]
    code = [_BETWEEN.sub("", loader), *map(joinable, MODULES)]
    return "\n".join([*known, *code, "export { main, mount };\n"])


def data_url(image: Image) -> str:
    """Return a picture as WebP, in text."""
    from PIL import Image as Pillow

    buffer = BytesIO()
    Pillow.fromarray(image).resize(KEPT_SIZE, Pillow.Resampling.LANCZOS).save(buffer, "WEBP", quality=50, method=6)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def still_css(facts: Mapping[str, Any]) -> str:
    """Return how the picture of a scene is laid out until the scene is alive, in the colours of its themes."""
    first, *rest = [";".join(map(":".join, theme["css"].items())) for theme in facts["themes"].values()]
    dark = (f"@media (prefers-color-scheme:dark){{:root{{{colors}}}}}" for colors in rest)
    return "".join([part("still.css"), f":root{{{first}}}", *dark])


def packed_text(content: str | bytes) -> str:
    """Return what `unpacked` of `data.mjs` reads: text that no HTML can be hidden in."""
    content = content.encode("utf-8") if isinstance(content, str) else content
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode("ascii")


def joinable(name: str) -> str:
    """Return a module as one script can have it together with others."""
    return _BETWEEN.sub("", part(f"{name}.mjs"))


def part(name: str) -> str:
    """Return the text of a file of this folder."""
    return (_FOLDER / name).read_text(encoding="utf-8")
