"""How models are told of: names that a scene can hold, and captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import count

from collision.scene.names import CONTROL

#: Why a part is left out; the article comes first.
NOT_COMPARED = "only spheres, capsules, cylinders, boxes, meshes and planes are compared, and {} {} is none of them"

#: Characters that have a meaning in the names of a scene, and what is written instead.
_CHARACTERS = str.maketrans("[]*", "()+")


def plain_name(name: str) -> str:
    """Return a name as a scene can hold it: one line, without the characters that mean something there."""
    return CONTROL.sub("_", name.translate(_CHARACTERS))


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name, with a number behind it where it is taken."""
    return name if name not in taken else next(f"{name}_{i}" for i in count(2) if f"{name}_{i}" not in taken)


def caption_of(source: str, kinds: Sequence[str], skipped: Sequence[str], *, alone: int, any_pair: bool) -> str:
    """Say how many shapes of which kinds a model has, what was left out, and how many collide with nothing."""
    sentences = [f"{_counted(kinds) or 'No shapes'} from {source}."]
    if skipped:
        sentences.append(f"Left out: {_counted(skipped)}.")
    if not any_pair and len(kinds) > 1:
        sentences.append("The model lets no two of them collide.")
    elif alone:
        sentences.append(f"{alone} of them collide{'s' * (alone == 1)} with nothing.")
    return " ".join(sentences)


def hulls_note(excess: Mapping[str, float]) -> str:
    """Say that meshes are compared as hulls, given how far each hull reaches out of that of its mesh at most.

    Examples
    --------
    >>> hulls_note({"arm": 0.0, "hand": 0.0021})
    '2 meshes are compared as their convex hulls, 1 of them as a hull around it, up to 0.0021 larger (hand)'
    """
    one, count = "1 mesh is compared as its convex hull", len(excess)
    many = one if count == 1 else f"{count} meshes are compared as their convex hulls"
    around = [name for name in excess if excess[name] > 0.0]
    if not around:
        return many
    worst = max(around, key=excess.__getitem__)
    return f"{many}, {len(around)} of them as a hull around it, up to {excess[worst]:.2g} larger ({worst})"


def _counted(kinds: Sequence[str]) -> str:
    """Write how many of each kind there are, as ``14 capsules, 1 sphere``."""
    plurals = {"box": "boxes", "mesh": "meshes", "flex": "flexes"}
    return ", ".join(
        f"{n} {kind if n == 1 else plurals.get(kind, kind + 's')}" for kind, n in Counter(kinds).most_common()
    )
