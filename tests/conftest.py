"""Set up every test run: how hard to look for failures."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("default", derandomize=True, max_examples=150, deadline=None, print_blob=True)
settings.register_profile("deep", derandomize=False, max_examples=5000, deadline=None, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="test many times as many random cases (minutes, not seconds)")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("deep" if config.getoption("--deep") else "default")
