"""Models of robots: from URDF, from MuJoCo's files or compiled by it, or of links and joints; and shapes as geoms.

MuJoCo itself comes with ``pip install ".[robots]"`` in the checkout; URDF needs nothing else.
"""

from collision.models.loading import load_model
from collision.models.model import ImporterError, Joint, Mimic, Model, Skipped
from collision.models.mujoco import read_model, to_geom
from collision.models.srdf import DisabledPair, Srdf, read_srdf, with_srdf
from collision.models.trajectories import Trajectory, read_trajectory

__all__ = [
    "DisabledPair",
    "ImporterError",
    "Joint",
    "Mimic",
    "Model",
    "Skipped",
    "Srdf",
    "Trajectory",
    "load_model",
    "read_model",
    "read_srdf",
    "read_trajectory",
    "to_geom",
    "with_srdf",
]
