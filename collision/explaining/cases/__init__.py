"""Named pairs that reach every branch of every kernel: what to explain where somebody wants to see that branch."""

from __future__ import annotations

from collision.explaining.cases.boxes import BOXES, HARD_BOXES
from collision.explaining.cases.case import Case
from collision.explaining.cases.casts import CASTS, HARD_CASTS
from collision.explaining.cases.contacts import CONTACTS, HARD_CONTACTS
from collision.explaining.cases.intervals import INTERVALS
from collision.explaining.cases.linear import LINEARS, POINTS
from collision.explaining.cases.scenes import SCENES
from collision.explaining.cases.sweeps import HARD_SWEEPS, SWEEPS, TURNING


def all_cases() -> dict[str, Case]:
    """Return all cases by name, in the order of the kernels."""
    return {
        **POINTS,
        **LINEARS,
        **BOXES,
        **HARD_BOXES,
        **CONTACTS,
        **HARD_CONTACTS,
        **SCENES,
        **CASTS,
        **HARD_CASTS,
        **SWEEPS,
        **HARD_SWEEPS,
        **TURNING,
        **INTERVALS,
    }
