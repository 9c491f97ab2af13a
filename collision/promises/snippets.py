"""What holds in a scene now, as the text of a test: the shapes that matter, and assertions with numbers."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from collision.base.fields import FloatArray
from collision.promises.checking import judge
from collision.promises.current import current_expectations, rounded
from collision.promises.shrinking import DIRECTIONS, short_directions
from collision.scene.expectations import Expectation
from collision.scene.scene import Scene, check_scene, movers_of
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion
from collision.timeline.extremes import extreme_distance

#: More pairs than this are no minimal test.
MAX_PAIRS = 20

#: So many characters a number of a direction has at most, with what stands around it, where it is written as stored.
_LONG = 9

#: Which assertion is for each kind of expectation.
_ASSERTIONS = {"collide": "assert_collides", "apart": "assert_apart", "touch": "assert_touches"}


def snippet(
    scene: Scene,
    a: str = "",
    b: str = "",
    *,
    at: float | None = None,
    moving: bool = False,
    during: tuple[float, float] | None = None,
    note: str = "",
) -> str:
    """Return the Python text of a test that states the contacts and distances of a scene now, and passes.

    Numbers of shapes have all digits that they need; what is asserted is that of `collision.current_expectations`. A
    `KeyError` is raised if there is no such shape, and a `ValueError` if a name is that of several shapes, there is no
    pair, too many collide, or of a pair nothing can be said.

    Parameters
    ----------
    scene : Scene
        Of any size; the test has the shapes that matter alone, each under a name of its own.
    a, b : str
        The names of two shapes. Without them, the test is about the pairs that collide, or else about the nearest two.
    at : float, optional
        The time of the motion at which the shapes are taken; without it, the start.
    moving : bool
        Whether the test has the motion, and is about all of it.
    during : pair of floats, optional
        The part of the motion that it is about.
    note : str
        The docstring of the test.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.75, 0, 0], 1), "c": Sphere([9, 0, 0], 1)}
    >>> print(snippet(Scene(balls)))
    from collision import Scene, Sphere
    from collision.testing import assert_collides
    <BLANKLINE>
    <BLANKLINE>
    def test_a_and_b():
        scene = Scene(
            {
                "a": Sphere(center=[0.0, 0.0, 0.0], radius=1.0),
                "b": Sphere(center=[1.75, 0.0, 0.0], radius=1.0),
            }
        )
        assert_collides(scene, "a", "b", depth=(0.25, 0.25))
    <BLANKLINE>
    """
    check_scene(scene, "snippet")
    if moving or during is not None:
        if scene.span is None:
            raise ValueError("the scene has no motion")
    elif scene.span is not None:
        scene = scene.at(scene.span[0] if at is None else at)
    pairs = [_pair(scene, a, b)] if a or b else stated_pairs(scene)
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    alone = reduced(scene, names)
    own = dict(zip(names, alone, strict=True))
    found = [one for first, second in pairs for one in _holding(alone, own[first], own[second], during)]
    return _text(alone, found, f"test_{'_and_'.join(alone)}" if len(alone) == 2 else "test_pairs", note)


def reduced(scene: Scene, names: Iterable[str]) -> Scene:
    """Return a scene of some single shapes alone, each under a name of its own, with what moves them.

    A `KeyError` is raised if there is no such shape.

    Examples
    --------
    >>> from collision import Sphere
    >>> reduced(Scene({"crowd": Sphere([[0, 0, 0], [5, 0, 0]], 1)}), ["crowd[1]"])
    Scene({'crowd 1': Sphere(center=[5.0, 0.0, 0.0], radius=1.0)})
    """
    shapes: dict[str, Shape] = {}
    motion: list[Motion] = []
    for name in names:
        own = " ".join(re.findall(r"[^\[\],]+", name)).replace("  ", " ")
        while own in shapes:
            own += " too"
        shapes[own] = scene[name]
        (number,) = scene.element_numbers(name)
        motion += movers_of(scene).motions_of(number, own, scene)
    return Scene(shapes, motion=motion)


def _pair(scene: Scene, a: str, b: str) -> tuple[str, str]:
    if not a or not b:
        raise ValueError("a pair has two names, a and b")
    for name in (a, b):
        if scene[name].batch_shape:  # a KeyError says which names there are
            raise ValueError(f"{name!r} is the name of several shapes; name one of them, such as {name}[0]")
    if a == b:
        raise ValueError(f"a pair is of two shapes, got {a!r} twice")
    return a, b


def stated_pairs(scene: Scene) -> list[tuple[str, str]]:
    """Return the pairs of a scene that a test of it is about: those that collide at any time, or else the nearest two.

    A `ValueError` is raised if there is no pair, or too many collide.

    Examples
    --------
    >>> from collision import Sphere
    >>> stated_pairs(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([9, 0, 0], 1)}))
    [('a', 'b')]
    """
    found = [one for one in current_expectations(scene.replaced(expectations=())) if not one.timed]
    found = [one for one in found if one.kind != "apart"] or found[:1]
    if not found:
        raise ValueError("there are no two shapes to say anything about")
    if len(found) > MAX_PAIRS:
        raise ValueError(f"{len(found):,} pairs collide, which is no minimal test; name two shapes")
    return [(one.a, one.b) for one in found]


def _holding(scene: Scene, a: str, b: str, during: tuple[float, float] | None) -> list[Expectation]:
    """Return what holds of a pair, in numbers that are rounded outwards."""
    both = Scene({a: scene[a], b: scene[b]}, motion=[move for move in scene.motion if move.shape in (a, b)])
    if during is None or both.span is None:
        found = [one for one in current_expectations(both) if not one.timed]
    else:
        gap = extreme_distance(both, a, b, start=during[0], stop=during[1]).signed_distance
        found = []
        if gap > 0.0:
            found = [Expectation("apart", a, b, clearance=rounded(gap, down=True), during=during)]
        elif np.isfinite(gap):
            depth = (rounded(-gap, down=True), rounded(-gap, down=False)) if gap else None
            found = [Expectation("collide", a, b, depth=depth, when="ever", during=during)]
    found = [one for one in found if _holds(both, one)] or [
        one for kind in ("collide", "apart") if _holds(both, one := Expectation(kind, a, b, during=during))
    ]
    if not found:
        raise ValueError(f"nothing can be said of {a} and {b}")
    return found


def _holds(scene: Scene, expectation: Expectation) -> bool:
    return judge(scene.replaced(expectations=[expectation], open=True)).ok


# -- the text ----------------------------------------------------------------------------------------------------------


def _text(scene: Scene, expectations: list[Expectation], name: str, note: str) -> str:
    kinds = {type(shape).__name__ for shape in scene.shapes.values()}
    names = sorted({"Scene", *kinds, *(["Motion"] if scene.motion else [])})
    motion = [f"            {_constructor(motion)}," for motion in scene.motion]
    lines = [
        f"from collision import {', '.join(names)}",
        f"from collision.testing import {', '.join(sorted({_ASSERTIONS[one.kind] for one in expectations}))}",
        "",
        "",
        f"def {_identifier(name)}():",
        *([f'    """{_plain(note)}"""'] if note else []),
        "    scene = Scene(",
        "        {",
        *(f"            {_quoted(name)}: {_shape(shape)}," for name, shape in scene.shapes.items()),
        *(["        },", "        motion=[", *motion, "        ],"] if motion else ["        }"]),
        "    )",
        *(f"    {_assertion(one)}" for one in expectations),
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: Shape) -> str:
    """Write a single shape."""
    values = shape.values()

    def stored(name: str, value: FloatArray) -> FloatArray:
        return type(shape)(**(values | {name: value})).values()[name]

    texts = {name: str(value.tolist()) for name, value in values.items()}
    texts |= {name: _direction(values[name], partial(stored, name)) for name in DIRECTIONS & texts.keys()}
    return f"{type(shape).__name__}({', '.join(f'{name}={text}' for name, text in texts.items())})"


def _direction(value: FloatArray, stored: Callable[[FloatArray], FloatArray]) -> str:
    """Write a direction or rotations, which are stored with unit length: by short numbers of which the same is stored.

    A matrix stays one where its numbers are short.
    """
    text = str(value.tolist())
    if len(text) <= _LONG * value.size:
        return text
    short = (one for one in short_directions(value) if np.array_equal(stored(one), value))
    return next((str(one.tolist()) for one in short), text)


def _constructor(motion: Motion) -> str:
    parts = [_quoted(motion.shape), f"times={motion.times.tolist()}"]
    if np.any(motion.offsets) or not motion.turns:
        parts.append(f"offsets={motion.offsets.tolist()}")
    if motion.turns:
        rotations = _direction(motion.rotations, lambda turns: Motion("a", motion.times, rotations=turns).rotations)
        parts.append(f"rotations={rotations}")
    if motion.turns and motion.pivot is not None:
        parts.append(f"pivot={motion.pivot.tolist()}")
    return f"Motion({', '.join(parts)})"


def _assertion(expectation: Expectation) -> str:
    names = ["scene", _quoted(expectation.a), _quoted(expectation.b)]
    fields = [
        f"{name}={_quoted(value) if isinstance(value, str) else repr(value)}"
        for name, value in expectation.given().items()
        if name not in ("a", "b", "id", "reason")
    ]
    return f"{_ASSERTIONS[expectation.kind]}({', '.join(names + fields)})"


def _quoted(text: str) -> str:
    """Write a text in Python, in double quotes as formatters have it."""
    return repr(text) if '"' in text or "\\" in repr(text) else f'"{text}"'


def _plain(text: str) -> str:
    """Write a text as one line that ends no docstring."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())


def _identifier(text: str) -> str:
    word = re.sub(r"\W+", "_", text).strip("_")
    return f"{word}_" if keyword.iskeyword(word) else word
