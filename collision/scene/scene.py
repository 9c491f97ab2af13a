"""A scene: shapes by name, the pairs to ignore, and what to show of it.

A `Scene` is a value. Every change returns a new scene that shares all that did not change, so keeping the old one is a
free undo. An entry may be a batch; its elements are named ``crowd[17]`` and numbered with all other elements in scene
order, and queries over the whole scene answer with those numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from collision.scene.answers import Changes, Contacts, Nearest, SceneHit, SceneHits, SceneSweep
from collision.scene.base import read_parts, read_shapes, written
from collision.scene.editing import Editing
from collision.scene.elements import Elements, Group
from collision.scene.expectations import Expectation
from collision.scene.name_groups import NameGroup, NameGroups
from collision.scene.questions import Questions
from collision.scene.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.scene.world import World
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion

__all__ = [
    "SHOW_QUERIES",
    "Camera",
    "Changes",
    "Contacts",
    "Group",
    "Nearest",
    "Scene",
    "SceneHit",
    "SceneHits",
    "SceneSweep",
    "Show",
    "ShowQuery",
    "check_scene",
]


#: The parts of a scene that has none.
_EMPTY: Mapping[str, Any] = MappingProxyType(
    {
        "ignored": (),
        "shows": (),
        "motion": (),
        "hidden": (),
        "camera": None,
        "title": "",
        "caption": "",
        "expectations": (),
        "name_groups": NameGroups(),
        "open": False,
    }
)

_NO_TEXT, _NO_GROUPS = _EMPTY["title"], _EMPTY["name_groups"]
_NOTHING: Any = _EMPTY["shows"]  # of no type, as it stands for things of many


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Scene(Editing, Questions):
    """Shapes by name.

    Parameters
    ----------
    shapes : mapping of str to Shape
        Entries, in the order they are numbered. An entry with batch axes holds many elements.
    ignored : iterable of pairs of str
        Pairs that are never reported. Each name is an entry, an element, or a pattern in which ``*`` stands for
        anything; it must stand for something. Pairs of two half-spaces never are, as walls and floors overlap for ever,
        wherever they are; `collision.signed_distance` and the other queries of pairs answer of them as of all others.
    shows : iterable of Show
        Queries whose answers are drawn.
    motion : iterable of Motion
        How shapes move, in the order in which it is carried out; `at` is the scene at a time.
    camera : Camera, optional
        Without one, the picture frames the scene.
    title, caption : str
        What the scene is called, and what it teaches.
    hidden : iterable of str
        Names of entries or elements that are set aside: they keep their places and numbers, but no query over the whole
        scene finds them, and `groups` and `bounds` leave them out.

    Raises
    ------
    TypeError
        If there is no mapping, an entry is no shape, or another part is of a wrong type.
    ValueError
        If a name is empty or has a bracket or a control character in it, or a show, a motion, a pair to ignore or what
        is hidden names nothing; if an expectation or a group does, if a group holds itself, or two ids are the same; if
        the largest coordinate or size of a shape is less than 1e-72, but not zero, or more than 1e72.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1), "c": Sphere([9, 0, 0], 1)})
    >>> scene.colliding_pairs()
    array([[0, 1]])
    >>> scene.moved("b", [5, 0, 0]).colliding_pairs()
    array([], shape=(0, 2), dtype=int64)
    """

    shapes: Mapping[str, Shape]
    ignored: tuple[tuple[str, str], ...] = ()
    shows: tuple[Show, ...] = ()
    motion: tuple[Motion, ...] = ()
    camera: Camera | None = None
    title: str = ""
    caption: str = ""
    hidden: frozenset[str] = frozenset()
    expectations: tuple[Expectation, ...] = ()
    name_groups: Mapping[str, NameGroup] = _NO_GROUPS
    open: bool = False
    _elements: Elements = field(init=False, repr=False)
    _world: World = field(init=False, repr=False)

    def __init__(
        self,
        shapes: Mapping[str, Shape] = MappingProxyType({}),
        *,
        ignored: Iterable[tuple[str, str]] = (),
        shows: Iterable[Show] = (),
        motion: Iterable[Motion] = (),
        camera: Camera | None = None,
        title: str = "",
        caption: str = "",
        hidden: Iterable[str] = (),
        expectations: Iterable[Expectation] = (),
        name_groups: Mapping[str, Any] = _NO_GROUPS,
        open: bool = False,
    ) -> None:
        attributes = self.__dict__
        no_lists = ignored is _NOTHING and shows is _NOTHING and motion is _NOTHING and expectations is _NOTHING
        no_texts = title is _NO_TEXT and caption is _NO_TEXT and name_groups is _NO_GROUPS
        if no_lists and no_texts and hidden is _NOTHING and camera is None and open is False:
            # What was not given is there already, as the class's own.
            attributes["shapes"] = known = read_shapes(shapes)
            attributes["_elements"] = elements = Elements(known)
            attributes["_world"] = World(elements, ())
            return
        given = ignored, shows, motion, hidden, camera, title, caption, expectations, name_groups, open
        parts = {name: part for name, part in zip(_EMPTY, given, strict=True) if part is not _EMPTY[name]}
        attributes |= read_parts({"shapes": shapes, **parts})
        wanted = attributes.pop("hidden", self.hidden)
        self._number()
        self._check_names()
        self._hide(wanted)

    def _number(self) -> None:
        """Give numbers to the elements, by which all else goes."""
        attributes = self.__dict__
        attributes["_elements"] = elements = Elements(self.shapes)
        attributes["_world"] = World(elements, self.ignored)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return list(self.shapes.items()) == list(other.shapes.items()) and self._extras() == other._extras()

    def __hash__(self) -> int:
        return hash((tuple(self.shapes.items()), tuple(self._extras().values())))

    def __repr__(self) -> str:
        return written(self.shapes, self._extras())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (dict(self.shapes), self._extras())


def check_scene(scene: object, query: str) -> Scene:
    """Return a scene, and refuse any other object."""
    if not isinstance(scene, Scene):
        raise TypeError(f"{query} takes a Scene, got {type(scene).__name__}")
    return scene


def _restored(shapes: Mapping[str, Shape], extras: Mapping[str, Any]) -> Scene:
    """Make a scene from its pickle."""
    return Scene(shapes, **extras)
