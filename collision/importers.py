"""MuJoCo's models as scenes, from MJCF and URDF files or compiled, and shapes as geoms.

MuJoCo itself comes with ``pip install ".[robots]"`` in the checkout.
"""

from collision.models.model import ImporterError, Joint, Mimic, Model, Skipped
from collision.models.mujoco import load_model, read_model, to_geom

__all__ = ["ImporterError", "Joint", "Mimic", "Model", "Skipped", "load_model", "read_model", "to_geom"]
