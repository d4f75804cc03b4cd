"""An owner of vectors that a command has started ends with the test."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clawgit.recall.vectors.asking import Owner

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def users_owner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Owner]:
    """Return the owner that commands of this test start and ask."""
    folder = Path(tempfile.mkdtemp(prefix="owner-"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    owner = Owner(folder / "clawgit")
    yield owner
    owner.stop()
    shutil.rmtree(folder)
