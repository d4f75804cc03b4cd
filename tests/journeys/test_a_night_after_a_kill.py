"""A message over the socket, a kill, another start, and the night: nothing is lost, and the miner's slot runs once."""

from __future__ import annotations

import json
import signal
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from running_service import until

from clawgit.runner.run_due_jobs import is_at_work

if TYPE_CHECKING:
    from collections.abc import Callable

SAID = "I can't stand cilantro."


@pytest.fixture
def told(forked, room) -> Callable[..., Any]:
    """Return what a command says in JSON at a time that is rehearsed."""

    def ask(*words: str, now: datetime) -> Any:
        done = forked(room.root, "--rehearse", "--now", now.isoformat(), *words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


@pytest.mark.rest
def test_a_message_before_a_kill_is_mined_once_and_told_in_the_morning(start_service, told, room) -> None:
    room.write("CONFIG.md", '```yaml\ntimezone: UTC\ncron_memory_miner: "02:30"\n```\n')
    room.keep("operator")
    running = start_service()
    kept = running.client().ask("message.in", workspace="main", actor="operator", text=SAID, role="user")
    assert kept["result"]["outcome"] == "stored"
    running.end(signal.SIGKILL)
    again = start_service()
    assert again.client().ask("health")["result"]["ok"]
    assert again.end() == 0
    until(lambda: not is_at_work(room.history.state))  # a job of the one that was killed goes on

    today = datetime.now(UTC).replace(microsecond=0)
    told(
        "runner", "once", now=today
    )  # sees each job for the first time: nothing was due since the service came
    night = (today + timedelta(days=1)).replace(hour=2, minute=31, second=0)
    for minutes in (0, 1, 30):
        told("runner", "once", now=night + timedelta(minutes=minutes))
    morning = night.replace(hour=7, minute=31)
    told("runner", "once", now=morning)

    mined = [run for run in told("runs", now=morning) if run["agent"] == "memory-miner"]
    assert [run["outcome"] for run in mined] == ["applied"]
    assert SAID in room.read("MEMORY.md")
    jobs = {each["job"]: each for each in told("status", now=morning)["runner"]["jobs"]}
    assert (jobs["memory-miner"]["last"]["state"], jobs["memory-miner"]["failures"]) == ("done", 0)
    digest = told("digest", "--date", str(morning.date()), now=morning)
    assert SAID in json.dumps(digest)
