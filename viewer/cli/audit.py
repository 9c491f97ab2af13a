"""The command that compares a robot's collision shapes with what is drawn: as text for people, and as JSON."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from viewer.cli.errors import ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    PLAIN,
    Flag,
    FormatOption,
    OptionalSize,
    OutputOption,
    PackageOption,
    PictureFlags,
    check_output,
    number,
    package_of,
    read_by,
    read_word,
    writing,
)
from viewer.cli.output import JSON_VERSION, Table, compile_notice, print_rich, to_json
from viewer.records.words import counted, millimetres, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collision.importers import HullAudit, LinkAudit
    from viewer.studio.options import PictureKeywords

#: The edge of what is outside is cut along lines as short as this part of the robot's size.
_CUTS = 300

_Robot = Annotated[Path, read_by(lambda text: Path(read_word(text)), help="A .urdf model, or an .xml file with one.")]
_Millimetres = Annotated[
    float | None, number(float, "a finite number, zero or more", lambda found: 0.0 <= found < math.inf)
]


def audit(
    robot: _Robot,
    /,
    *,
    output: OutputOption = None,
    most: _Millimetres = None,
    size: OptionalSize = None,
    picture: PictureFlags = PLAIN,
    format: FormatOption = "text",
    strict: Flag = False,
    package: PackageOption = (),
) -> ExitCode:
    """Say of each link of a robot how far its visual meshes reach out of its collision shapes, and what these add.

    No point of a link is further outside than it says, to 0.1 mm, and the share of the surface is right to 1 %. Links
    that only fixed joints connect count as one body. "beyond" is how far the shapes of the body reach out of the convex
    hull of all that is drawn of it, at most; what they fill within that hull does not count. Of collision meshes it is
    said how much larger their hulls are, and how many holes these fill. The unit of URDF is the metre.

    Parameters
    ----------
    output
        A .png file: a picture of what is drawn, inside of the collision shapes in grey and outside of them in red.
    most
        Exit with code 10 if a link is further outside than so many millimetres.
    strict
        Exit with code 4 if a link that is drawn is not audited; a link that is too far outside comes first.
    """
    if output is None and (size is not None or picture != PLAIN):
        raise MistakeError("options of pictures need a picture: give its file, such as --output audit.png")
    packages = dict(map(package_of, package))
    if output is None:
        found = _found(robot, packages)
    else:
        check_output(output, "a picture", ".png")
        found = _drawn(robot, packages, output, picture.keywords(size or DEFAULT_SIZE))
    if format == "json":
        print(_json(robot, found))
    else:
        _print(found)
        if output is not None:
            print(output)
    if most is not None and any(1e3 * link.depth > most for link in found):
        return ExitCode.BROKEN
    if strict and any(link.reason and link.drawn for link in found):
        print(f"{robot.name}: not all that is drawn is audited, and --strict requires it", file=sys.stderr)
        return ExitCode.NOTHING_TESTED
    return ExitCode.FINE


def _drawn(robot: Path, packages: dict[str, Path], path: Path, wanted: PictureKeywords) -> list[LinkAudit]:
    """Return what is found, and write its picture."""
    from collision.importers import load_model
    from viewer.studio.options import PictureOptions
    from viewer.studio.pictures import take_audited

    with mistakes():
        model = load_model(robot, packages=packages)
    bounds = model.scene.bounds()
    size = 1.0 if bounds is None else 2.0 * float(bounds.half_extents.max())
    found = _found(robot, packages, size / _CUTS)
    with compile_notice(), writing(path):
        take_audited(model, found, path, PictureOptions(**wanted))
    return found


def _found(robot: Path, packages: dict[str, Path], fineness: float | None = None) -> list[LinkAudit]:
    """Return what is found, and show on a terminal how far the work is."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    from collision.importers import audit_model

    with Progress(console=Console(file=sys.stderr), transient=True, disable=not sys.stderr.isatty()) as shown:
        task = shown.add_task("auditing")

        def show(link: str, done: int, count: int) -> None:
            shown.update(task, description=f"auditing {escape(link)}", completed=done, total=count)

        with mistakes():
            return audit_model(robot, packages=packages, progress=show, fineness=fineness)


def _print(found: Sequence[LinkAudit]) -> None:
    audited = sorted((link for link in found if not link.reason), key=lambda link: -link.depth)
    if audited:
        header = ("link", "outside", "of its surface", "farthest point (m)", "beyond")
        rows = (
            (link.link, millimetres(link.depth), percent(*link.share), _point(link), _beyond(link)) for link in audited
        )
        print_rich(Table(header, rows, right=(1, 2, 4)))
    hulls = {hull: link.link for link in reversed(found) for hull in reversed(link.hulls)}
    if hulls:
        head = ("mesh", "of", "corners", "around it", "volume", "solids", "holes filled")
        listed = sorted(
            hulls, key=lambda hull: hull.volume / hull.mesh_volume if hull.mesh_volume else 0.0, reverse=True
        )
        print_rich(
            Table(head, ((Path(hull.mesh).name, hulls[hull], *_hull(hull)) for hull in listed), right=(2, 3, 4, 5, 6))
        )
    reasons: dict[str, list[str]] = {}
    for link in found:
        if link.reason:
            reasons.setdefault(link.reason, []).append(link.link)
    for reason, names in reasons.items():
        print_rich(f"not audited: {', '.join(names)}: {reason}")
    told = f"{len(audited)} of {counted(len(found), 'link')} audited"
    if audited and audited[0].share[1] > 0.0:
        told += f"; {audited[0].link} is farthest outside, by {millimetres(audited[0].depth)}"
    elif audited:
        told += "; no link is outside"
    print_rich(f"{told}.")


def _beyond(link: LinkAudit) -> str:
    return "unknown" if link.beyond is None else millimetres(link.beyond[1])


def _hull(hull: HullAudit) -> tuple[str, ...]:
    """Return the corners of a hull, how far it is around that of the mesh, and what it adds to the mesh."""
    around = millimetres(hull.excess) if hull.excess else "exact"
    ratio = f"x {hull.volume / hull.mesh_volume:.2f}" if hull.mesh_volume else "not closed"
    return str(hull.corners), around, ratio, str(hull.solids), "unknown" if hull.holes is None else str(hull.holes)


def _point(link: LinkAudit) -> str:
    return "" if link.point is None else "  ".join(f"{value:7.4f}" for value in link.point)


def _json(robot: Path, found: Sequence[LinkAudit]) -> str:
    """Return what is found as JSON; the keys are stable, and lengths are in metres."""
    links = [
        {
            **{name: value for name, value in asdict(replace(link, surface=())).items() if name != "surface"},
            "share": _bounds(link.share),
            "beyond": _bounds(link.beyond),
            "hulls": [hull._asdict() for hull in link.hulls],
            "audited": not link.reason,
        }
        for link in found
    ]
    return to_json({"version": JSON_VERSION, "robot": str(robot), "links": links})


def _bounds(found: tuple[float, float] | None) -> dict[str, float] | None:
    return found and dict(zip(("least", "most"), found, strict=True))
