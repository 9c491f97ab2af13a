"""What tests of sessions and windows have in common: scenes, keys, texts, panels, red pixels; and other processes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from collision import AABB, Capsule, Line, Motion, OrientedBox, Point, Ray, Scene, Segment, Shape, Sphere
from viewer.layout.page import Page
from viewer.layout.strip import Strip
from viewer.picture.present import present
from viewer.records.drawables import Core, Cores, Panel, Timeline
from viewer.records.sizes import unit_of
from viewer.session import Session
from viewer.session.commands import BINDINGS
from viewer.stage.sight import Mark, SeenLabel, Sight

SIZE = (800, 600)

#: One shape of nearly every kind and a batch, with gaps between them all.
SHAPES: dict[str, Shape] = {
    "ball": Sphere([0, 0, 0], 1),
    "box": AABB([2, -1, -1], [4, 1, 1]),
    "arm": Capsule([-4, 0, 0], [-4, 0, 2], 0.4),
    "edge": Segment([0, -4, 0], [2, -4, 1]),
    "ray": Ray([-4, -4, 0], [0, -1, 0.5]),
    "line": Line([0, 4, 0], [1, 0, 0]),
    "P": Point([-2, -3, 0]),
    "crowd": Sphere([[8, 0, 0], [8, 3, 0], [8, 6, 0]], [0.5, 0.5, 0.5]),
}

#: The axes of a box that is turned about z.
AXES = np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1.0]])

#: Two balls on the ground.
BALLS = Scene({"a": Sphere([0, 0, 1], 1), "b": Sphere([8, 0, 1], 1)})


def type_keys(session: Session, *keys: str) -> None:
    """Press keys that all mean something, one after another."""
    for key in keys:
        assert session.key(key), key


def free_key() -> str:
    """Return a letter that no command has, alone or with a modifier: one that few keyboards have when all are taken."""
    taken = {keys.rpartition("+")[2] for keys in BINDINGS}
    return next(letter for letter in (*ascii_lowercase, "eacute") if letter not in taken)


def chord(session: Session, text: str) -> None:
    """Press keys together, such as ``ctrl+z``."""
    *held, symbol = text.split("+")
    assert session.key(symbol, **dict.fromkeys(held, True))


def write(session: Session, text: str) -> None:
    """Type a text into what is asked."""
    for character in text:
        session.key(character, text=character)


def files_in(folder: Path) -> list[str]:
    """Return the names of the files in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())


def pixel(session: Session, *point: float) -> tuple[float, float]:
    """Return where a point is in the picture of a session."""
    x, y = session.viewport.project(np.array(point))[0]
    return float(x), float(y)


def panel(session: Session, corner: str) -> Panel:
    """Return the first panel in a corner of the picture of a session."""
    return next(d for d in present(session) if isinstance(d, Panel) and d.corner == corner)


def seen_marks(session: Session) -> list[Mark]:
    """Return the marks of a session's picture as they are seen from where it is looked at."""
    return Sight(present(session)).marks(session.viewport)


def seen_labels(session: Session) -> list[SeenLabel]:
    """Return the labels of a session's picture where they stand in its view."""
    return Sight(present(session)).labels(session.viewport)


def red_pixels(image: np.ndarray) -> int:
    """Count what is clearly red: the amber of a selection and the brown of shaded amber are not."""
    red, green, blue = np.moveaxis(image.astype(int), -1, 0)
    return int(np.sum((red > 110) & (red > 2 * green) & (red > 2 * blue)))


def is_gone(process: int) -> bool:
    """Say whether a process has ended, or does so soon; whoever is to be told may not have been yet."""
    for _ in range(1000):
        try:
            state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def shape_of(cores: Cores) -> Shape:
    """Return the only shape of a record."""
    (row,), (radius,) = cores.rows, cores.radii
    match cores.core:
        case Core.POINT:
            return Sphere(row, radius)
        case Core.LINEAR:
            return Capsule(row[:3], row[6:9], radius)
        case Core.ALIGNED:
            return AABB(row[12:15], row[15:])
        case Core.BOX:
            return OrientedBox(row[:3], row[3:12].reshape(3, 3).T, row[15:])


#: A scene with a motion and a caption.
MOVING = Scene(SHAPES, motion=[Motion("ball", [0, 1], [[0, 0, 0], [0, 0, 3]])], caption="What is seen.")


def sessions() -> Iterator[Session]:
    """Yield sessions whose pictures have every kind of panel between them."""
    plain, explained, asked, helped, opened = (Session(MOVING, size=(1280, 960)) for _ in range(5))
    for session in (plain, explained, asked, helped, opened):
        session.settings.toggle("bar")
        session.start.may_open = True
    plain.settings.toggle("distances")
    plain.settings.set_margin(99.0)
    plain.select("ball")
    plain.start.guide.begin()
    yield plain
    explained.explaining.explain("ball", "box")
    yield explained
    asked.dialog.ask_menu("Edit")
    yield asked
    asked.dialog.ask_save_as()
    yield asked
    helped.settings.toggle("help")
    yield helped
    opened.start.show_page()
    yield opened


def parts_of(value: object) -> Iterator[object]:
    """Yield a value and all that is in it."""
    yield value
    if isinstance(value, str | bytes | np.ndarray | Shape):
        return
    if is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, field.name) for field in fields(value)]
    elif isinstance(value, Mapping):
        inner = [*value.keys(), *value.values()]
    else:
        inner = [*value] if isinstance(value, tuple | list | frozenset) else []
    for part in inner:
        yield from parts_of(part)


def same(one: object, two: object) -> bool:
    """Tell whether two drawables, or parts of them, are the same."""
    if type(one) is not type(two):
        return False
    if isinstance(one, np.ndarray):
        return np.array_equal(one, two, equal_nan=one.dtype.kind == "f")  # type: ignore[arg-type]
    if isinstance(one, tuple | list):
        return len(one) == len(two) and all(map(same, one, two))  # type: ignore[arg-type]
    if is_dataclass(one) and not isinstance(one, Shape):
        return all(same(getattr(one, field.name), getattr(two, field.name)) for field in fields(one) if field.compare)
    return one == two


def strip_of(session: Session) -> Strip:
    """Return where the strip of the time is in a picture of a session."""
    (timeline,) = (drawable for drawable in present(session) if isinstance(drawable, Timeline))
    size, font = session.viewport.size, session.settings.theme.font_size
    return Strip.of(timeline, Page(size, unit_of(size), font, lambda text, height, bold: height * len(text)))
