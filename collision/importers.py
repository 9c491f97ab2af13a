"""Models of robots: from URDF, from MuJoCo's files or compiled by it, or of links and joints; and shapes as geoms.

MuJoCo itself comes with ``pip install ".[robots]"`` in the checkout; URDF needs nothing else.
"""

from collision.models.auditing import HullAudit, LinkAudit, audit_model
from collision.models.deciding import DecidedPair, PairVerdict, Proof, decide_pairs
from collision.models.loading import load_model
from collision.models.model import ImporterError, Joint, JointValues, Mimic, Model, Skipped, VisualMesh
from collision.models.mujoco import read_model, to_geom
from collision.models.srdf import DisabledPair, Srdf, changed_srdf, posed_srdf, read_srdf, with_srdf
from collision.models.trajectories import Trajectory, read_trajectory

__all__ = [
    "DecidedPair",
    "DisabledPair",
    "HullAudit",
    "ImporterError",
    "Joint",
    "JointValues",
    "LinkAudit",
    "Mimic",
    "Model",
    "PairVerdict",
    "Proof",
    "Skipped",
    "Srdf",
    "Trajectory",
    "VisualMesh",
    "audit_model",
    "changed_srdf",
    "decide_pairs",
    "load_model",
    "posed_srdf",
    "read_model",
    "read_srdf",
    "read_trajectory",
    "to_geom",
    "with_srdf",
]
