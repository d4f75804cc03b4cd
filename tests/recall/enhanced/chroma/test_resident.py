"""Where the service runs, the process that owns the vectors stays for longer, and ends with it.

Mutants that these tests caught: it does not look whether a service runs, it outlives the service.
"""

from __future__ import annotations

import os
import time

import pytest
from running_service import until
from vector_room import digest_of, serving, worker_pid

from clawgit.operations.status import folder_of
from clawgit.recall.vectors.owner_client import Owner

NAMES = [f"note {number}" for number in range(30)]


@pytest.fixture
def asked(vectors):
    """Return vectors that are asked where the service listens."""
    vectors.owner = Owner(folder_of(os.environ), idle_seconds=0.5)
    vectors.fill(*NAMES)
    yield vectors
    vectors.owner.stop()


def test_while_the_service_runs_what_holds_them_stays_though_nobody_asks(asked, start_service) -> None:
    running = start_service()
    asked.settle()
    holding = worker_pid(asked.owner)
    time.sleep(2)

    assert worker_pid(asked.owner) == holding
    assert asked.owner.path.stat().st_mode & 0o777 == 0o600
    assert asked.find("note 7", 1)[0][0] == digest_of("note 7")
    assert running.client().ask("vectors.about", store=asked.store)["error"]["code"] == -32601


def test_a_service_that_begins_finds_them_held_by_what_a_command_started(asked, start_service) -> None:
    asked.owner.idle_seconds = 20
    asked.settle()
    alone = worker_pid(asked.owner)

    start_service()

    assert asked.find("note 7", 1)[0][0] == digest_of("note 7")
    assert worker_pid(asked.owner) == alone


def test_when_the_service_ends_what_holds_them_ends_and_the_next_question_starts_it(
    asked, start_service
) -> None:
    running = start_service()
    asked.settle()

    assert running.end() == 0
    assert serving(asked.owner) == []
    assert asked.chroma().with_name(asked.chroma().name + ".closed").exists()
    assert asked.find("note 7", 1)[0][0] == digest_of("note 7")


def test_a_service_that_is_killed_leaves_nobody_behind(asked, start_service) -> None:
    running = start_service()
    asked.settle()

    running.end(9)

    until(lambda: serving(asked.owner) == [])
    assert asked.stands_in_chroma()
