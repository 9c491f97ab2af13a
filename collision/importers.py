"""MuJoCo's models as scenes, from MJCF and URDF files or compiled, and shapes as geoms.

MuJoCo itself comes with ``pip install ".[robots]"`` in the checkout.
"""

from collision.files.geoms import Skipped, to_geom
from collision.files.mujoco import Model, load_model, read_model
from collision.files.needed import ImporterError

__all__ = ["ImporterError", "Model", "Skipped", "load_model", "read_model", "to_geom"]
