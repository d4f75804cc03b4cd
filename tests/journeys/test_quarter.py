"""A quarter of nights with the soul keeper: orders in three languages, contradictions and poison, as planted beforehand."""

from __future__ import annotations

import shutil

import pytest

from benchmarks.quarter.play import BEGIN, Quarter
from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history

SHORT, FEW = 22, 6  # nights and orders where the whole quarter would take too long


@pytest.mark.rest
def test_orders_are_in_the_soul_the_next_morning_and_poison_never_is(tmp_path, full_length: bool) -> None:
    """Mutants: orders without room are dropped; what has only the form of an order is; poison counts as the operator's."""
    root = tmp_path / "workspace"
    adopt(root, BEGIN)
    played = Quarter(open_history(root)) if full_length else Quarter(open_history(root), SHORT, FEW)

    played.play()

    assert played.wrong == []
    assert played.lines_without_why() == []
    shutil.copytree(root, tmp_path / "again", symlinks=True)
    assert played.undo_last(10) == []
    played.history = open_history(tmp_path / "again")
    assert played.undo_some(10) == []
