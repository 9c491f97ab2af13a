"""URDF: links with their collision shapes, and joints, read from the file with the line of every mistake."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from collision.models.meshes import MeshError, MeshReader
from collision.models.model import ImporterError, Joint, JointError, Mimic, Model, Skipped
from collision.models.words import NOT_COMPARED, caption_of, free_name, hulls_note, plain_name
from collision.models.xml import XmlElement, quoted, read_xml, refuse_xacro
from collision.shapes.kinds import Capsule, Cylinder, OrientedBox, Shape, Sphere, out_of_range
from collision.shapes.rotations import matrix_product, turned_about
from collision.shapes.transforms import Transform

#: The elements of URDF that say nothing of where shapes are; of others it is said that they are left out.
_OF_ROBOTS = {"link", "joint", "material", "transmission", "gazebo", "sensor", "ros2_control", "mujoco", "drake"}
_OF_LINKS = {"collision", "visual", "inertial", "contact", "kinematic", "gravity", "surface", "self_filter", "origin",
             "collision_checking", "material", "sensor", "drake"}  # fmt: skip
_OF_JOINTS = {"parent", "child", "origin", "axis", "limit", "mimic", "dynamics", "safety_controller", "calibration",
              "drake"}  # fmt: skip
_OF_COLLISIONS = {"geometry", "origin", "material", "verbose", "contact_coefficients", "surface", "drake"}

#: The elements that are shapes by themselves.
PRIMITIVES = ("box", "sphere", "capsule", "cylinder")

_KINDS = ("fixed", "revolute", "continuous", "prismatic", "floating", "planar")


class LinkPart(NamedTuple):
    """A shape of a link, as it is drawn or compared: its tag, the name of its mesh, and where it is.

    The scale is that of the mesh; of a primitive half of its size along its axes, of a capsule without its caps.
    """

    tag: str
    mesh: str
    scale: tuple[float, ...]
    place: Transform


def read_urdf(path: Path, meshes: MeshReader) -> Model:
    """Return the model in a URDF file."""
    root = _read_root(path)
    robot = _Robot(path, meshes, root)
    try:
        return robot.model()
    except ImporterError:
        raise
    except ValueError as error:
        raise root.error(str(error)) from error


def read_parts(path: Path) -> dict[str, tuple[list[LinkPart], list[LinkPart]]]:
    """Return for each link of a URDF file the shapes that it is drawn as, and those of its <collision>."""
    links = _by_name(_read_root(path), "link")
    return {
        name: (list(map(_part, link.all("visual"))), list(map(_part, link.all("collision"))))
        for name, link in links.items()
    }


def _part(element: XmlElement) -> LinkPart:
    geometry, place = element.one("geometry"), _origin(element)
    if len(geometry.children) != 1:
        raise geometry.error(f"expected one shape, got {', '.join(map(str, geometry.children)) or 'none'}")
    (given,) = geometry.children
    if given.tag != "mesh":
        return LinkPart(plain_name(given.tag), "", _half_sizes(given) if given.tag in PRIMITIVES else (), place)
    return LinkPart("mesh", given.text("filename"), _scale(given), place)


def _scale(mesh: XmlElement) -> tuple[float, ...]:
    scale = tuple(mesh.numbers("scale", 3, (1.0, 1.0, 1.0)))
    if not all(scale):
        raise mesh.error(f"scale must be three numbers other than zero, got {quoted(mesh.text('scale'))}")
    return scale


def _read_root(path: Path) -> XmlElement:
    root = read_xml(path)
    if root.tag != "robot":
        raise root.error("expected <robot>, which holds the links and joints of URDF")
    refuse_xacro(root, "URDF")
    return root


@dataclass
class _Robot:
    """Reads the elements of one file."""

    path: Path
    meshes: MeshReader
    root: XmlElement
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    hulls: dict[str, float] = field(default_factory=dict)

    def model(self) -> Model:
        self._say_unknown(self.root, _OF_ROBOTS)
        elements = _by_name(self.root, "link")
        links = self._links(elements)
        joint_elements = _by_name(self.root, "joint")
        joints = [self._joint(element, elements, joint_elements) for element in joint_elements.values()]
        _check_tree(joints, elements, joint_elements)
        if elements and not any(links.values()):
            visual = sum(1 for element in elements.values() for _ in element.all("visual"))
            more = f"; {visual} <visual> are not looked at" if visual else ""
            self.notes.append(f"no link has a <collision> that is compared{more}")
        if self.hulls:
            self.notes.append(hulls_note(self.hulls))
        kinds = [part.kind for part in self.skipped]
        try:
            return Model.of(
                links,
                joints,
                title=plain_name(self.root.attributes.get("name", "")) or self.path.stem,
                caption=caption_of(self.path.name, self.kinds, kinds, alone=0, any_pair=True),
                skipped=self.skipped,
                notes=self.notes,
            )
        except JointError as error:
            raise joint_elements[error.joint].error(str(error)) from error

    # -- links -------------------------------------------------------------------------------------------------------

    def _links(self, elements: Mapping[str, XmlElement]) -> dict[str, dict[str, Shape]]:
        if not elements:
            self.notes.append(f"line {self.root.line}: {self.root} has no <link>: the model is empty")
        parts = [(link, part) for link, element in elements.items() for part in element.all("collision")]
        given = [part.attributes.get("name", "").strip() for _, part in parts]
        links: dict[str, dict[str, Shape]] = {link: {} for link in elements}
        taken: set[str] = set()
        for link, element in elements.items():
            self._say_unknown(element, _OF_LINKS)
            own = list(element.all("collision"))
            for number, part in enumerate(own):
                name = part.attributes.get("name", "").strip()
                if not name or given.count(name) > 1:
                    name = link if len(own) == 1 else f"{link}/{name or number}"
                plain = free_name(plain_name(name), taken)
                if plain != name:
                    self.notes.append(f"{quoted(name)} is called {plain!r} here")
                taken.add(plain)
                self._say_unknown(part, _OF_COLLISIONS)
                shape = self._shape(part, plain)
                if shape is not None:
                    links[link][plain] = shape
        return links

    def _shape(self, part: XmlElement, name: str) -> Shape | None:
        geometry, place = part.one("geometry"), _origin(part)
        if len(geometry.children) != 1:
            got = ", ".join(str(child) for child in geometry.children) or "none"
            raise geometry.error(f"expected one shape, got {got}")
        (given,) = geometry.children
        match given.tag:
            case "box":
                shape: Shape = OrientedBox(place.position, place.axes, _half_sizes(given))
            case "sphere":
                shape = Sphere(place.position, _half_sizes(given)[0])
            case "capsule" | "cylinder":
                radius, _, half = _half_sizes(given)
                if given.tag == "cylinder" and not half > 0.0:
                    raise given.error(f"length must be above zero, got {quoted(given.attributes['length'])}")
                start, end = place.apply([[0.0, 0.0, -half], [0.0, 0.0, half]])
                shape = Capsule(start, end, radius) if given.tag == "capsule" else Cylinder(start, end, radius)
            case "mesh":
                file, scale = given.text("filename"), _scale(given)
                try:
                    hull = self.meshes.hull(file, scale)
                except MeshError as error:
                    self._leave_out(name, given, reason=str(error))
                    return None
                self.hulls[name] = hull.excess
                shape = hull.shape.transformed(place)
            case _:
                near = difflib.get_close_matches(given.tag, (*PRIMITIVES, "mesh"), n=1)
                if near:
                    raise given.error(f"expected a shape, as <{near[0]}>")
                self._leave_out(name, given)
                return None
        if shape.out_of_range:
            raise part.error(f"{name!r} {out_of_range(shape)}")
        self.kinds.append("hull" if given.tag == "mesh" else given.tag)
        return shape

    def _leave_out(self, name: str, element: XmlElement, more: str = "", reason: str = "") -> None:
        """List what is left out: a shape that is none of ours, or something else for a reason of its own."""
        reason = reason or NOT_COMPARED.format("a", plain_name(element.tag)) + more
        self.skipped.append(Skipped(name, plain_name(element.tag), reason))

    def _say_unknown(self, element: XmlElement, known: set[str]) -> None:
        """List what URDF does not know; what is written almost like something that it knows is a mistake."""
        for child in element.children:
            if child.tag in known:
                continue
            if near := difflib.get_close_matches(child.tag, known, n=1, cutoff=0.75):
                raise child.error(f"{element} has no such element; did you mean <{near[0]}>?")
            reason = f"line {child.line}: URDF has no such element in <{element.tag}>"
            self._leave_out(plain_name(child.attributes.get("name", "") or child.tag), child, reason=reason)

    # -- joints ------------------------------------------------------------------------------------------------------

    def _joint(self, element: XmlElement, links: Mapping[str, XmlElement], joints: Mapping[str, XmlElement]) -> Joint:
        self._say_unknown(element, _OF_JOINTS)
        name, kind = element.text("name").strip(), element.text("type").strip()
        if kind not in _KINDS:
            raise element.error(f"type must be one of {', '.join(_KINDS)}, got {quoted(kind)}")
        ends = []
        for tag in ("parent", "child"):
            end = element.one(tag)
            link = end.text("link").strip()
            if link not in links:
                near = difflib.get_close_matches(link, links, n=1)
                raise end.error(
                    f"there is no link named {quoted(link)}" + (f"; did you mean {near[0]!r}?" if near else "")
                )
            ends.append(link)
        if ends[0] == ends[1]:
            raise element.error(f"expected two links, got {quoted(ends[0])} as parent and child")
        axis = element.first("axis")
        direction = (1.0, 0.0, 0.0) if axis is None else tuple(axis.numbers("xyz", 3))
        moves = kind not in ("fixed", "floating")
        if not any(direction):
            if axis is not None and moves:
                raise axis.error("xyz must be a direction, got zeros")
            direction = (1.0, 0.0, 0.0)
        mimic = element.first("mimic")
        follows = None
        if mimic is not None and moves:
            follows = Mimic(mimic.text("joint").strip(), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
            if follows.joint not in joints:
                why = f"there is no joint named {quoted(follows.joint)}: {name!r} has a value of its own"
                self._leave_out(plain_name(name), mimic, reason=f"line {mimic.line}: {why}")
                follows = None
        return Joint(name, kind, ends[0], ends[1], _origin(element), direction, self._limits(element, kind), follows)

    def _limits(self, element: XmlElement, kind: str) -> tuple[float, float]:
        limit = element.first("limit")
        if kind not in ("revolute", "prismatic"):
            return -math.inf, math.inf
        if limit is None:
            self.notes.append(
                f"line {element.line}: {element} has no <limit>, which {kind} joints need: it has no ends here"
            )
            return -math.inf, math.inf
        lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
        if lower > upper:
            raise limit.error(f"lower must not be above upper, got {lower:g} and {upper:g}")
        return lower, upper


def _check_tree(joints: list[Joint], links: Mapping[str, XmlElement], elements: Mapping[str, XmlElement]) -> None:
    """Say which element keeps the links from being one tree; `Model.of` says the rest."""
    child: dict[str, Joint] = {}
    for joint in joints:
        if joint.child in child:
            taken = f"the link {joint.child!r} is already the child of the joint {child[joint.child].name!r}"
            raise elements[joint.name].error(taken)
        child[joint.child] = joint
    roots = [link for link in links if link not in child]
    if len(roots) > 1:
        raise links[roots[1]].error(f"no joint connects it with the others, which begin with {roots[0]!r}")


def _by_name(root: XmlElement, tag: str) -> dict[str, XmlElement]:
    found: dict[str, XmlElement] = {}
    for element in root.all(tag):
        name = element.text("name").strip()
        if name in found:
            raise element.error(f"this name is taken by the one on line {found[name].line}")
        found[name] = element
    return found


def _sizes(element: XmlElement, key: str, count: int) -> list[float]:
    sizes = element.numbers(key, count)
    if min(sizes) < 0.0:
        raise element.error(f"{key} must be zero or more, got {quoted(element.attributes[key])}")
    return sizes


def _half_sizes(primitive: XmlElement) -> tuple[float, ...]:
    """Return half of the size of a primitive along each of its axes, of a capsule without its caps."""
    if primitive.tag == "box":
        return tuple(0.5 * side for side in _sizes(primitive, "size", 3))
    (radius,) = _sizes(primitive, "radius", 1)
    return radius, radius, radius if primitive.tag == "sphere" else 0.5 * _sizes(primitive, "length", 1)[0]


def _origin(element: XmlElement) -> Transform:
    origin = element.first("origin")
    if origin is None:
        return Transform()
    zero = (0.0, 0.0, 0.0)
    roll, pitch, yaw = (
        turned_about(np.eye(3)[axis], np.array(angle), np.eye(3))
        for axis, angle in enumerate(origin.numbers("rpy", 3, zero))
    )
    position = origin.numbers("xyz", 3, zero)
    try:
        return Transform(position, matrix_product(matrix_product(yaw, pitch), roll))
    except ValueError as error:
        raise origin.error(str(error)) from error
