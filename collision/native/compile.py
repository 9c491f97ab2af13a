"""The names of this package, for modules that ask for them here."""

from collision.native import *  # noqa: F403
