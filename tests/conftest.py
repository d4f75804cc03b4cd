"""A home of its own for every test, and a fixed day."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the fault loops at full length")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test an empty home and no settings from outside."""
    home = tmp_path_factory.mktemp("home")
    for name in [n for n in os.environ if n.startswith(("GIT_", "CLAWGIT_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return home


@pytest.fixture
def now() -> datetime:
    """Return the day on which the tests play."""
    return NOW


@pytest.fixture
def full_length(request: pytest.FixtureRequest) -> bool:
    """Say whether loops run at full length (`make faults`) or at a tenth."""
    return bool(request.config.getoption("--long"))
