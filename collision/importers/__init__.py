"""Foreign models as scenes: MJCF and URDF, read by MuJoCo (``pip install ".[robots]"`` in the checkout)."""

from collision.importers.geoms import Skipped
from collision.importers.mujoco import ImporterError, Model, load_model

__all__ = ["ImporterError", "Model", "Skipped", "load_model"]
