"""What the links of a robot look like, beside the shapes that are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from viewer.records.drawables import Role, Visual

if TYPE_CHECKING:
    from viewer.session import Session


#: What meshes are shown as that are outside of collision shapes, or not, or were not audited.
_ROLES = {True: Role.UNCOVERED, False: Role.COVERED, None: Role.FADED}


def visuals_of(session: Session) -> list[Visual]:
    """Return the visual meshes of links where these are just now; none where they are not shown."""
    model = session.joints.seen
    if model is None or not model.visuals or not session.settings.toggles.visuals:
        return []
    places = model.forward(links=[mesh.link for mesh in model.visuals])
    transforms = np.concatenate([places.axes, places.position[..., None]], axis=-1)
    return [
        Visual(
            mesh.link,
            mesh.points,
            mesh.triangles.astype(np.int32),
            transform,
            _ROLES[mesh.outside],
        )
        for mesh, transform in zip(model.visuals, transforms, strict=True)
    ]
