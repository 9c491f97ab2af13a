"""Motions: time passes, and shapes move along their keyframes."""

from __future__ import annotations

from viewer.session.handling import Handling


class Playing(Handling):
    """The layer of a session that plays motions."""
