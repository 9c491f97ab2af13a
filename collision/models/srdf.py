"""SRDF: which pairs of links are not compared, groups of links, and poses by name."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from xml.sax.saxutils import quoteattr, unescape

from collision.base.fields import ArrayLike
from collision.models.model import Model, Skipped
from collision.models.words import plain_name
from collision.models.xml import MOST_NESTED, XmlElement, quoted, read_xml, refuse_xacro

#: Elements that say nothing of pairs, groups or poses.
_OTHERS = {"virtual_joint", "passive_joint", "end_effector", "gripper", "rotor_params", "specificities",
           "joint_property", "link_sphere_approximation"}  # fmt: skip
#: The group of poses that are saved: SRDF wants one, and here a pose is of all joints.
_GROUP = "all"
_PAIRS = ("disable_collisions", "disable_default_collisions", "enable_collisions")
_KNOWN = ("group", "group_state", *_PAIRS)


class DisabledPair(NamedTuple):
    """Two links that are not compared, why, and the line that says so."""

    link1: str
    link2: str
    reason: str
    line: int


@dataclass(frozen=True)
class Srdf:
    """What an SRDF file says of a model.

    Attributes
    ----------
    disabled : tuple of DisabledPair
        The pairs of links that are not compared.
    groups : mapping of str to tuple of str
        Links by group.
    poses : mapping of str to (mapping of str to array_like)
        Values of joints by the name of the pose; where two groups have one of the same name, ``group/name``.
    skipped : tuple of Skipped
        What does not fit the model, or is not understood.
    says_pairs : bool
        Whether it says of any pair if it is compared; if not, pairs are as the model has them.
    """

    disabled: tuple[DisabledPair, ...]
    groups: Mapping[str, tuple[str, ...]]
    poses: Mapping[str, Mapping[str, ArrayLike]]
    skipped: tuple[Skipped, ...]
    says_pairs: bool = True


def read_srdf(path: str | os.PathLike[str], model: Model) -> Srdf:
    """Return what an SRDF file says of a model; an `ImporterError` names the line of a mistake.

    Parameters
    ----------
    path : path-like
        The file.
    model : Model
        Whose links and joints it names. What the model does not have is listed, and left out.

    Examples
    --------
    >>> import tempfile
    >>> from collision.importers import Joint
    >>> arm = Model.of({"upper": {}, "lower": {}}, [Joint("elbow", "revolute", "upper", "lower")])
    >>> pair = '<disable_collisions link1="upper" link2="lower" reason="Adjacent"/>'
    >>> pose = '<group_state name="home" group="arm"><joint name="elbow" value="0.5"/></group_state>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "arm.srdf")
    ...     _ = file.write_text(f'<robot name="arm">{pair}{pose}</robot>')
    ...     srdf = read_srdf(file, arm)
    >>> srdf.disabled
    (DisabledPair(link1='upper', link2='lower', reason='Adjacent', line=1),)
    >>> arm.at(srdf.poses["home"]).q
    array([0.5])
    """
    root = read_xml(Path(path))
    if root.tag != "robot":
        raise root.error("expected <robot>, which holds what SRDF says")
    refuse_xacro(root, "SRDF")
    return _SrdfFile(root, model).read()


class _SrdfFile:
    """Reads the elements of one file."""

    def __init__(self, root: XmlElement, model: Model) -> None:
        self._root, self._model = root, model
        self._skipped: list[Skipped] = []
        virtual = {joint.attributes.get("name", "").strip() for joint in root.all("virtual_joint")}
        self._virtual = virtual - model.joints.keys()
        self._above = {joint.child: joint.parent for joint in model.joints.values()}

    def read(self) -> Srdf:
        if link := next(self._root.all("link"), None):
            raise link.error("expected SRDF, which says of pairs, groups and poses; links are in URDF")
        pairs = any(child.tag in _PAIRS for child in self._root.children)
        for element in self._root.children:
            if element.tag in _KNOWN or element.tag in _OTHERS:
                continue
            if near := difflib.get_close_matches(element.tag, _KNOWN, n=1, cutoff=0.75):
                raise element.error(f"SRDF has no such element; did you mean <{near[0]}>?")
            self._leave_out(element, "SRDF has no such element")
        groups = self._groups()
        return Srdf(self._disabled(), groups, self._poses(), tuple(self._skipped), pairs)

    def _leave_out(self, element: XmlElement, why: str) -> None:
        name = plain_name(element.attributes.get("name", "") or element.tag)
        self._skipped.append(Skipped(name, plain_name(element.tag), f"{element.file.name}, line {element.line}: {why}"))

    def _known(self, element: XmlElement, key: str, what: str, names: Iterable[str]) -> str:
        """Return a name that the model has; what it has not is listed, and nothing is returned."""
        name = element.text(key).strip()
        if name in names:
            return name
        near = difflib.get_close_matches(name, list(names), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        self._leave_out(element, f"the model has no {what} named {quoted(name)}{hint}")
        return ""

    # -- pairs ---------------------------------------------------------------------------------------------------------

    def _disabled(self) -> tuple[DisabledPair, ...]:
        found: dict[frozenset[str], DisabledPair] = {}
        links = self._model.links
        for element in self._root.all("disable_default_collisions"):
            if link := self._known(element, "link", "link", links):
                pairs = (DisabledPair(link, other, "Default", element.line) for other in links if other != link)
                found.update((frozenset(pair[:2]), pair) for pair in pairs)
        for element in self._root.all("enable_collisions"):
            found.pop(frozenset(self._ends(element)), None)
        for element in self._root.all("disable_collisions"):
            if len(ends := self._ends(element)) == 2:
                reason = element.attributes.get("reason", "").strip()
                known = found.get(frozenset(ends))
                if known is None or (reason == "Never" != known.reason):  # which is the one that can be wrong
                    found[frozenset(ends)] = DisabledPair(ends[0], ends[1], reason, element.line)
        return tuple(found.values())

    def _ends(self, element: XmlElement) -> tuple[str, ...]:
        ends = (self._known(element, key, "link", self._model.links) for key in ("link1", "link2"))
        return tuple(filter(None, ends))

    # -- groups --------------------------------------------------------------------------------------------------------

    def _groups(self) -> Mapping[str, tuple[str, ...]]:
        elements: dict[str, list[XmlElement]] = {}
        for element in self._root.all("group"):
            elements.setdefault(element.text("name").strip(), []).append(element)
        found: dict[str, tuple[str, ...]] = {}
        for name in elements:
            self._find_members(name, elements, found, ())
        return MappingProxyType({name: found[name] for name in elements})

    def _find_members(
        self,
        group: str,
        elements: Mapping[str, list[XmlElement]],
        found: dict[str, tuple[str, ...]],
        within: tuple[str, ...],
    ) -> None:
        """Store the links of a group and of those in it, each group once."""
        if group not in found:
            links = filter(None, self._members(group, elements, found, within))
            found[group] = tuple(dict.fromkeys(links))

    def _members(
        self,
        group: str,
        elements: Mapping[str, list[XmlElement]],
        found: dict[str, tuple[str, ...]],
        within: tuple[str, ...],
    ) -> Iterator[str]:
        joints, links = self._model.joints, self._model.links
        for element in (child for one in elements[group] for child in one.children):
            match element.tag:
                case "link":
                    yield self._known(element, "name", "link", links)
                case "joint":
                    if not self._is_virtual(element) and (name := self._known(element, "name", "joint", joints)):
                        yield joints[name].child
                case "chain":
                    yield from self._chain(element)
                case "group":
                    name = element.text("name").strip()
                    if name in (*within, group):
                        raise element.error(f"the group {group!r} is in itself")
                    if len(within) >= MOST_NESTED:
                        raise element.error(f"no more than {MOST_NESTED} groups lie in each other")
                    if self._known(element, "name", "group", elements):
                        self._find_members(name, elements, found, (*within, group))
                        yield from found[name]
                case _:
                    self._leave_out(element, "SRDF has no such element in <group>")

    def _chain(self, element: XmlElement) -> Iterator[str]:
        """Return the links from the tip up to the base, without the base, base first."""
        base = self._known(element, "base_link", "link", self._model.links)
        link = self._known(element, "tip_link", "link", self._model.links)
        if not (base and link):
            return
        chain = []
        while link != base:
            chain.append(link)
            if link not in self._above:
                self._leave_out(element, f"{chain[0]!r} does not hang on {base!r}")
                return
            link = self._above[link]
        yield from reversed(chain)

    def _is_virtual(self, joint: XmlElement) -> bool:
        """Tell whether a joint only says where the whole robot stands, which moves no link against another."""
        return joint.attributes.get("name", "").strip() in self._virtual

    # -- poses ---------------------------------------------------------------------------------------------------------

    def _poses(self) -> Mapping[str, Mapping[str, ArrayLike]]:
        elements = list(self._root.all("group_state"))
        given = [element.text("name").strip() for element in elements]
        found: dict[str, Mapping[str, ArrayLike]] = {}
        for element, name in zip(elements, given, strict=True):
            key = name if given.count(name) == 1 else f"{element.attributes.get('group', '').strip()}/{name}"
            if key in found:
                raise element.error("this pose is there already")
            found[key] = MappingProxyType(dict(self._values(element)))
        return MappingProxyType(found)

    def _values(self, pose: XmlElement) -> Iterator[tuple[str, ArrayLike]]:
        seen: dict[str, XmlElement] = {}
        for element in pose.children:
            if element.tag != "joint":
                if difflib.get_close_matches(element.tag, ["joint"], cutoff=0.75):
                    raise element.error(f"{pose} has no such element; did you mean <joint>?")
                self._leave_out(element, "SRDF has no such element in <group_state>")
                continue
            if self._is_virtual(element):
                continue
            name = self._known(element, "name", "joint", self._model.joints)
            if not name:
                continue
            if name in seen:
                raise element.error(f"this joint has a value on line {seen[name].line}")
            seen[name], joint = element, self._model.joints[name]
            size = joint.values.stop - joint.values.start
            if not size:
                why = f"it follows {joint.mimic.joint!r}" if joint.mimic else "it is fixed"
                self._leave_out(element, f"{why}, and has no value of its own")
                continue
            value = element.number("value") if joint.size == 1 else tuple(element.numbers("value", size))
            try:
                joint.motion(value)
            except ValueError as error:  # as a quaternion of zeros
                raise element.error(str(error)) from error
            yield name, value


def with_srdf(model: Model, srdf: Srdf) -> Model:
    """Return the model with its poses, groups and pairs as SRDF has them.

    Links that never move to each other are not compared, either; neighbours are, where SRDF does not say otherwise. A
    file that says nothing of pairs leaves them as they are.
    """
    model = replace(
        model, poses=MappingProxyType({**model.poses, **srdf.poses}), skipped=(*model.skipped, *srdf.skipped)
    )
    if not srdf.says_pairs:
        return model
    welds = model.welds
    pairs = {frozenset(pair) for pair in combinations(model.links, 2) if welds[pair[0]] == welds[pair[1]]}
    pairs |= {frozenset(pair[:2]) for pair in srdf.disabled}
    return model.comparing_all_but(pairs)


def changed_srdf(
    path: str | os.PathLike[str],
    srdf: Srdf,
    *,
    add: Iterable[tuple[str, str]] = (),
    remove: Iterable[tuple[str, str]] = (),
) -> bytes:
    """Return the text of an SRDF file with other pairs that never collide; all other lines stay as they are.

    A `ValueError` says which pair cannot be taken out.

    Parameters
    ----------
    path : path-like
        The file.
    srdf : Srdf
        As `read_srdf` returned it.
    add : iterable of (str, str)
        Pairs of links that never collide: they come behind the other pairs, with the reason "Never".
    remove : iterable of (str, str)
        Pairs of links whose lines are taken out.
    """
    text = _text_of(path)
    bare, newline = _without_comments(text), _newline_of(text)
    tag = r"""<disable_collisions\b(?:[^<>"']|"[^"]*"|'[^']*')*?(?:/>|>\s*</disable_collisions\s*>)"""
    elements = list(re.finditer(rf"([ \t]*)({tag})([ \t]*(?:\r\n|\n|\r)?)", bare))
    wrong = {frozenset(pair) for pair in remove}
    gone = [own for own in elements if _attribute(own[2], "reason") == "Never" and _links_of(own[2]) in wrong]
    for pair in srdf.disabled:
        if frozenset(pair[:2]) in wrong - {_links_of(own[2]) for own in gone}:
            raise ValueError(
                f"line {pair.line}: cannot be changed here; take {pair.link1} and {pair.link2} out by hand"
            )
    changes = []
    for own in gone:
        whole = bare[: own.start()][-1:] in ("", "\r", "\n") and own[3].endswith(("\r", "\n"))
        changes.append((*own.span(0 if whole else 2), ""))
    lines = [
        f'<disable_collisions link1={quoteattr(one)} link2={quoteattr(other)} reason="Never"/>' for one, other in add
    ]
    if elements and elements[-1][3].endswith(("\r", "\n")):
        changes.append((*2 * (elements[-1].end(),), "".join(elements[-1][1] + line + newline for line in lines)))
    elif elements:
        changes.append((*2 * (elements[-1].end(2),), "".join(newline + elements[-1][1] + line for line in lines)))
    elif lines:
        changes.append((*2 * (_end_of(bare),), "".join("  " + line + newline for line in lines)))
    for start, stop, new in reversed(changes):
        text = text[:start] + new + text[stop:]
    return text.encode("utf-8")


def _links_of(tag: str) -> frozenset[str]:
    return frozenset((_attribute(tag, "link1"), _attribute(tag, "link2")))


def _newline_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n" if "\n" in text else ""


def _without_comments(text: str) -> str:
    """Return the text with blanks for comments within a line, and signs for others, which belong to no element."""
    return re.sub(r"<!--.*?-->", lambda own: (" " if "\n" not in own[0] else "#") * len(own[0]), text, flags=re.DOTALL)


def _end_of(bare: str) -> int:
    """Return where the last element of a robot ends, in a text without comments."""
    if "</robot" not in bare:
        raise ValueError("expected <robot ...> and </robot>, between which it can be written")
    return bare.rindex("</robot")


def _text_of(path: str | os.PathLike[str]) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"only a file in UTF-8 can be changed: {error.reason} at byte {error.start}") from error


def posed_srdf(path: str | os.PathLike[str] | None, name: str, model: Model) -> bytes:
    """Return the text of an SRDF file with the pose of a model under a name; all other lines stay as they are.

    The pose has the values of all joints. It takes the place of the one that has its name, or comes behind all others.
    A `ValueError` says why it cannot be written.

    Parameters
    ----------
    path : path-like, optional
        The file; without it, a new one that says nothing of pairs.
    name : str
        What `read_srdf` will call the pose.
    model : Model
        In that pose.

    Examples
    --------
    >>> from collision.importers import Joint
    >>> arm = Model.of({"upper": {}, "lower": {}}, [Joint("elbow", "revolute", "upper", "lower")], title="arm")
    >>> print(posed_srdf(None, "bent", arm.at({"elbow": 0.5})).decode())
    <?xml version="1.0"?>
    <robot name="arm">
      <group_state name="bent" group="all">
        <joint name="elbow" value="0.5"/>
      </group_state>
    </robot>
    <BLANKLINE>
    """
    title = quoteattr(model.scene.title or "robot")
    text = f'<?xml version="1.0"?>\n<robot name={title}>\n</robot>\n' if path is None else _text_of(path)
    bare = _without_comments(text)
    pattern = r"[ \t]*(<group_state\b[^<>]*)(?:/>|>.*?</group_state\s*>)[ \t]*(?:\r?\n)?"
    states = list(re.finditer(pattern, bare, re.DOTALL))
    named = [state for state in states if _attribute(state[1], "name") == name]
    if len(named) > 1:
        raise ValueError(f"{len(named)} groups have a pose named {name!r}: give it another name")
    group = _attribute(named[0][1], "group") if named else _GROUP
    indent, newline = "  ", "\r\n" if "\r\n" in text else "\n"
    lines = [f"{indent}<group_state name={quoteattr(name)} group={quoteattr(group)}>"]
    for joint in model.joints.values():
        if joint.size and not joint.mimic:
            value = " ".join(map(repr, model.value(joint.name).tolist()))
            lines.append(f'{2 * indent}<joint name={quoteattr(joint.name)} value="{value}"/>')
    made = newline.join([*lines, f"{indent}</group_state>", ""])
    start, stop = named[0].span() if named else 2 * (states[-1].end() if states else _end_of(bare),)
    begun = newline if start and text[start - 1] not in "\r\n" else ""
    return (text[:start] + begun + made + text[stop:]).encode("utf-8")


def _attribute(tag: str, name: str) -> str:
    """Return the value of an attribute in the text of a tag; nothing where it has none."""
    found = re.search(rf"""\b{name}\s*=\s*("[^"]*"|'[^']*')""", tag)
    return "" if found is None else unescape(found[1][1:-1], {"&quot;": '"', "&apos;": "'"}).strip()
