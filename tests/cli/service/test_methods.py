"""What answers a request keeps nothing of the workspace when it is done."""

from __future__ import annotations

import gc
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pygit2
import pytest

from clawgit.cli.service.methods import methods
from clawgit.cli.service.workings import reconcile_quiet
from clawgit.history.git.repository import History
from clawgit.recall.ranking.ranking import WeighedQuestion
from clawgit.service.requests import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

OPENED = (History, pygit2.Repository, WeighedQuestion)


@contextmanager
def without_a_collector() -> Iterator[list[object]]:
    """Give a list that holds, in the end, what was opened meanwhile and is still there."""
    left: list[object] = []
    gc.collect()
    gc.disable()
    before = {id(each) for each in gc.get_objects() if isinstance(each, OPENED)}
    try:
        yield left
        left += [each for each in gc.get_objects() if isinstance(each, OPENED) and id(each) not in before]
    finally:
        gc.enable()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("message.in", {"text": "Remember: tea, not coffee.", "role": "user", "channel": "main"}),
        ("memory.search", {"query": "what do I drink?"}),
        ("context", {"query": "what do I drink?"}),
        ("status", {}),
        ("turn.end", {}),
    ],
)
def test_what_was_opened_for_a_request_is_gone_with_it(room, method, params) -> None:
    """Mutants: a history or a question holds itself, and waits with all it has read for the collector."""
    answer = methods(os.environ)[method].answer
    later = (
        time.monotonic() + 3600
    )  # as if it had just come then: no answer is late, however busy the machine is
    request = Request(1, method, str(room.root), "host", params, arrived=later)
    answer(request)

    with without_a_collector() as left:
        answer(request)

    assert left == []


def test_what_was_opened_to_reconcile_is_gone_with_it(room) -> None:
    reconcile_quiet(room.root, os.environ)
    (room.root / "notes.md").write_text("- tea\n")

    with without_a_collector() as left:
        kept = reconcile_quiet(room.root, os.environ)

    assert kept[0] == ("notes.md",)
    assert left == []
