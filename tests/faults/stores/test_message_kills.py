"""Capture that is killed: what was acknowledged is there, the rest is whole or not there.

Mutants that these tests caught: an acknowledgement before the commit.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import count

import pytest


def capture_until_killed(root, token: str, seconds: float) -> list[str]:
    """Feed `chat add --jsonl` until it is killed; return the ids that it acknowledged."""
    command = [sys.executable, "-m", "clawgit", "-w", str(root), "chat", "add", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        acknowledged: list[str] = []
        end = None
        for number in count():
            process.stdin.write(
                json.dumps({"id": f"{token}-{number}", "text": f"umbrella {number}"}).encode() + b"\n"
            )
            if end is None or time.monotonic() < end:
                acknowledged.append(json.loads(process.stdout.readline())["message_id"])
            end = end or time.monotonic() + seconds
            if time.monotonic() >= end:
                process.kill()
                acknowledged += [
                    json.loads(line)["message_id"] for line in process.stdout if line.endswith(b"\n")
                ]
                return acknowledged
    raise AssertionError


@pytest.mark.smoke
def test_what_was_acknowledged_before_a_kill_is_there(room, full_length) -> None:
    dice = random.Random(7)
    acknowledged: list[str] = []
    for number in range(30 if full_length else 2):
        acknowledged += capture_until_killed(room.root, str(number), dice.random() * 0.2)

    with closing(sqlite3.connect(room.history.state / "messages.db")) as db:
        kept = {row[0] for row in db.execute("SELECT message_id FROM messages")}
        assert set(acknowledged) <= kept
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = db.execute("SELECT COUNT(*) FROM said WHERE said MATCH 'umbrella'").fetchone()
        assert found == (len(kept),)


def test_an_import_that_was_killed_goes_on(room, tmp_path, program, full_length) -> None:
    file = tmp_path / "talk.jsonl"
    total, kills = (20_000, 4) if full_length else (2_000, 2)
    file.write_text(
        "".join(json.dumps({"text": f"message {n}", "sender": "eve"}) + "\n" for n in range(total))
    )
    command = [sys.executable, "-m", "clawgit", "-w", str(room.root), "chat", "import", str(file)]
    for _ in range(kills):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(0.8)
            process.kill()

    done = program(room.root, "chat", "import", str(file), "--json")

    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(room.history.state / "messages.db")) as db:
        texts = [row[0] for row in db.execute("SELECT text FROM messages ORDER BY number")]
    assert texts == [f"message {n}" for n in range(total)]
