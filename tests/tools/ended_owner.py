"""An owner of vectors that a command has started serves all tests, which have workspaces of their own, and ends with them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clawgit.recall.vectors.owner_client import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def owner_of_all() -> Iterator[Owner]:
    """Return an owner that is started by the first test that needs it; a start takes longer than most tests."""
    folder = Path(tempfile.mkdtemp(prefix="owner-"))
    owner = Owner(folder / "clawgit")
    yield owner
    owner.stop()
    shutil.rmtree(folder)


@pytest.fixture
def users_owner(monkeypatch: pytest.MonkeyPatch, owner_of_all: Owner) -> Owner:
    """Return the owner that commands of this test start and ask."""
    monkeypatch.setenv("XDG_STATE_HOME", str(owner_of_all.folder.parent))
    return owner_of_all
