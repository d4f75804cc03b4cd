"""Asking the owner of the vectors, without Chroma: it is started all the same.

Mutants that these tests caught: the log only grows; what it says last is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clawgit.recall.vectors.owner_client import MOST_LOGGED, Owner

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("length", "starts_anew"),
    [pytest.param(MOST_LOGGED, False, id="not too long"), pytest.param(MOST_LOGGED + 1, True, id="too long")],
)
def test_the_owners_log_begins_anew_when_it_is_too_long(tmp_path: Path, length: int, starts_anew: bool):
    log, old = tmp_path / "vectors.log", tmp_path / "vectors.log.old"
    log.write_bytes(b"x" * length)
    old.write_bytes(b"of the time before")

    assert Owner(tmp_path, idle_seconds=5).ask("stop") is True

    assert (log.stat().st_size < length) == starts_anew
    assert old.read_bytes() == (b"x" * length if starts_anew else b"of the time before")
