"""What the picture of an audit says: which links are how far outside of their collision shapes, and where most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer.records.drawables import Drawable, Label, Marker, Panel, Role, Row
from viewer.records.words import counted, millimetres, percent

if TYPE_CHECKING:
    from collision.importers import LinkAudit, Model

#: So many links are listed at most.
_LINKS = 10


def audit_marks(model: Model, found: Sequence[LinkAudit]) -> list[Drawable]:
    """Return the table of the links that are farthest outside, and a mark on the point that is."""
    audited = sorted((link for link in found if not link.reason), key=lambda link: -link.depth)
    outside = [link for link in audited if link.share[1] > 0.0]
    rows = [Row("\toutside\tof its surface", faint=True) if outside else Row("no link is outside")]
    rows += [Row(f"{link.link}\t{millimetres(link.depth)}\t{percent(*link.share)}") for link in outside[:_LINKS]]
    if len(outside) > _LINKS:
        rows.append(Row(f"and {counted(len(outside) - _LINKS, 'link')} more"))
    rows.append(Row(f"{len(audited)} of {counted(len(found), 'link')} audited"))
    marks: list[Drawable] = [Panel("upper-left", tuple(rows), model.scene.title, name="table")]
    if outside and outside[0].point is not None:
        places = model.forward(links=[outside[0].link])
        point = places.position[0] + places.axes[0] @ outside[0].point
        marks += [
            Marker(point[None], Role.UNCOVERED),
            Label(point, f"{outside[0].link}: {millimetres(outside[0].depth)}", Role.UNCOVERED),
        ]
    return marks
