"""Where the service runs it owns the vectors, by the same program as one that a command starts.

Mutants that these tests caught: the service leaves them to the one that is there, the process that holds them outlives it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from running_service import until
from vector_room import digest_of, serving, worker_pid

from clawgit.operations.standing import folder_of
from clawgit.recall.vectors.owner_client import Owner

NAMES = [f"note {number}" for number in range(30)]


@pytest.fixture
def asked(vectors):
    """Return vectors that are asked where the service listens."""
    vectors.owner = Owner(folder_of(os.environ), idle_seconds=20)
    vectors.fill(*NAMES)
    yield vectors
    vectors.owner.stop()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_the_service_owns_them_and_no_other_process_is_started_for_them(asked, start_service) -> None:
    running = start_service()
    until(asked.owner.path.exists)

    assert asked.find("note 7", 1)[0][0] == digest_of("note 7")
    assert parent_of(worker_pid(asked.owner)) == running.pid
    assert len(serving(asked.owner)) == 1
    assert running.client().ask("vectors.about", store=asked.store)["error"]["code"] == -32601


def test_a_service_takes_over_from_one_that_was_started_for_them_alone(asked, start_service) -> None:
    asked.settle()
    alone = worker_pid(asked.owner)

    running = start_service()
    until(lambda: alone not in serving(asked.owner))
    until(lambda: asked.find("note 7", 1) and parent_of(worker_pid(asked.owner)) == running.pid)

    assert asked.stands_in_chroma()


def test_when_the_service_ends_what_holds_them_ends_and_is_started_alone(asked, start_service) -> None:
    running = start_service()
    until(asked.owner.path.exists)
    asked.settle()

    assert running.end() == 0
    assert serving(asked.owner) == []
    assert asked.chroma().with_name(asked.chroma().name + ".closed").exists()
    assert asked.find("note 7", 1)[0][0] == digest_of("note 7")
    assert parent_of(worker_pid(asked.owner)) != running.pid


def test_a_service_that_is_killed_leaves_nobody_behind(asked, start_service) -> None:
    running = start_service()
    until(asked.owner.path.exists)
    asked.settle()

    running.end(9)

    assert asked.stands_in_chroma()
    until(lambda: len(serving(asked.owner)) == 1)
