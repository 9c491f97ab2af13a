"""What the plugin of pytest keeps of a test; light, as pytest imports it in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from viewer.verdicts.fixtures import SceneRecorder

#: The scenes of a test, which are written if it fails.
RECORDER: pytest.StashKey[SceneRecorder] = pytest.StashKey()
