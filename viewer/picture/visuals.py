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
    meshes = session.joints.visuals
    if not meshes:
        return []
    places = session.joints.visual_places
    transforms = np.concatenate([places.axes, places.position[..., None]], axis=-1)
    return [
        Visual(
            mesh.link,
            mesh.points,
            mesh.triangles.astype(np.int32),
            transform,
            _ROLES[mesh.outside],
        )
        for mesh, transform in zip(meshes, transforms, strict=True)
    ]
