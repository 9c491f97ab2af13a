"""Set up every test run: a cache of compiled kernels that knows when it is stale, and how hard to look for failures."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("default", derandomize=True, max_examples=150, deadline=None, print_blob=True)
settings.register_profile("deep", derandomize=False, max_examples=5000, deadline=None, print_blob=True)


def _cache_kernels_by_source() -> None:
    """Give each version of the sources a cache of its own: a cached kernel does not notice edits in other files.

    This must happen before anything imports Numba, so it happens when this file is read.
    """
    sources = sorted((Path(__file__).parent.parent / "collision").rglob("*.py"))
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    user = str(os.getuid()) if hasattr(os, "getuid") else ""
    default = Path(tempfile.gettempdir()) / f"collision-kernels-{user}"
    os.environ["NUMBA_CACHE_DIR"] = str(Path(os.environ.get("NUMBA_CACHE_DIR", default)) / digest)


_cache_kernels_by_source()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="test many times as many random cases (minutes, not seconds)")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("deep" if config.getoption("--deep") else "default")
