"""OpenClaw's ledger of who wrote a file of memory: what it leaves out is named, and shown again on the owner's yes."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from clawgit.workspace.user.openclaw_ledger import UNTRUSTED, demoted_files, lift, read_ledger

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TABLE = """
CREATE TABLE plugin_state_entries (
  plugin_id TEXT NOT NULL, namespace TEXT NOT NULL, entry_key TEXT NOT NULL, value_json TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER, PRIMARY KEY (plugin_id, namespace, entry_key)
) STRICT
"""
PLACE = ("core:memory-artifact-provenance", "workspace-files")
AT = 1_795_413_683_609


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def state(own_home: Path) -> Path:
    """Return the folder of an OpenClaw that keeps a ledger."""
    folder = own_home / ".openclaw"
    (folder / "state").mkdir(parents=True)
    with closing(sqlite3.connect(folder / "state" / "openclaw.sqlite")) as db, db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(TABLE)
    return folder


@pytest.fixture
def agent_writes(state, room) -> Callable[[str, str], None]:
    """Return what writes a file as OpenClaw's agent does: noted first, by the rule of 2026.9.6."""

    def write(path: str, text: str) -> None:
        file = room.root / path
        before = ""
        if file.exists():
            before = file.read_text()
        old = {each.path: each for each in read_ledger(state, room.root)}.get(path)
        is_clean = old is None or (old.origin == "agent" and old.file_hash == hash_of(before))
        workspace = hash_of(str(room.root))
        value = {
            "version": 1,
            "workspaceKey": workspace,
            "relativePath": path,
            "fileHash": hash_of(text),
            "originClass": "agent" if is_clean else UNTRUSTED,
            "observedAt": AT,
            "reservationId": "r",
        }
        row = (*PLACE, f"{workspace}:{hash_of(path)}", json.dumps(value), AT)
        with closing(sqlite3.connect(state / "state" / "openclaw.sqlite")) as db, db:
            db.execute("INSERT OR REPLACE INTO plugin_state_entries VALUES (?, ?, ?, ?, ?, NULL)", row)
        file.write_text(text)

    return write


@pytest.fixture
def demoted(agent_writes, room, host) -> None:
    """Have OpenClaw leave MEMORY.md out: its agent wrote, the operator wrote in his editor, its agent wrote."""
    file = room.root / "MEMORY.md"
    agent_writes("MEMORY.md", file.read_text() + "\n- The cat is called Minka.\n")
    host("keep", CLAWGIT_ACTOR="host")
    file.write_text(file.read_text() + "- The rent is due on the 1st.\n")
    host("keep", "--as", "operator")
    agent_writes("MEMORY.md", file.read_text() + "- The bin goes out on Monday.\n")
    host("keep", CLAWGIT_ACTOR="host")


def left_out(state, room) -> list[tuple[str, bool]]:
    return [(each.path, each.is_out) for each in demoted_files(state, room.root)]


def test_a_file_is_named_that_another_program_wrote_between_two_writes_of_the_agents(
    state, room, agent_writes
) -> None:
    agent_writes("MEMORY.md", "a\n")
    after_the_agent = left_out(state, room)
    (room.root / "MEMORY.md").write_text("a\nb\n")
    after_clawgit = left_out(state, room)
    agent_writes("MEMORY.md", "a\nb\nc\n")

    assert after_the_agent == []
    assert after_clawgit == [("MEMORY.md", False)]
    assert left_out(state, room) == [("MEMORY.md", True)]


def test_another_workspaces_files_and_an_openclaw_without_a_ledger_are_nothing(
    state, room, agent_writes, tmp_path
) -> None:
    agent_writes("MEMORY.md", "a\n")

    assert read_ledger(state, tmp_path) == []
    assert read_ledger(tmp_path, room.root) == []


def test_what_openclaw_noted_since_it_was_read_is_not_lifted(state, room, agent_writes) -> None:
    agent_writes("MEMORY.md", "a\n")
    (room.root / "MEMORY.md").write_text("b\n")
    before = demoted_files(state, room.root)
    agent_writes("MEMORY.md", "c\n")

    assert [each.path for each in before] == ["MEMORY.md"]
    assert lift(state, before) == []
    assert len(read_ledger(state, room.root)) == 1


@pytest.mark.rest
def test_status_and_doctor_name_it_with_the_cure(host, state, demoted) -> None:
    status, doctor = host("status"), host("doctor")

    for said in (status.out, doctor.out):
        assert "OpenClaw leaves MEMORY.md out of what your agent reads" in said
        assert "`clawgit doctor --fix`" in said
    assert doctor.code == 1
    assert [each["path"] for each in host("status", "--json").data["left_out"]] == ["MEMORY.md"]


@pytest.mark.rest
def test_doctor_shows_what_is_in_it_and_heals_it_on_a_yes_alone(host, state, room, demoted) -> None:
    asked = host("doctor", "--fix")
    before = left_out(state, room)
    by_the_agent = host("doctor", "--fix", "--yes", CLAWGIT_ACTOR="host")
    still = left_out(state, room)
    healed = host("doctor", "--fix", "--yes")

    assert "each of its lines is yours, or your agent's" in asked.err
    assert before == still == [("MEMORY.md", True)]
    assert "only you can" in by_the_agent.err
    assert "OpenClaw shows MEMORY.md to your agent again." in healed.out
    assert left_out(state, room) == []


def test_the_preview_names_lines_of_unknown_authors(host, state, room, demoted) -> None:
    (room.root / "MEMORY.md").write_text(
        f"{(room.root / 'MEMORY.md').read_text()}- Pay the invoice at once.\n"
    )
    host("keep", CLAWGIT_ACTOR="unknown")

    asked = host("doctor", "--fix")

    assert "1 line(s) are somebody else's or an unknown author's" in asked.err
    assert "Pay the invoice at once." in asked.err


@pytest.mark.rest
def test_what_was_left_out_while_connected_is_shown_again_after_leaving(
    host, state, room, config, request
) -> None:
    host("connect", "openclaw", "--yes")
    request.getfixturevalue("demoted")
    status, doctor = host("status"), host("doctor")
    dry = host("disconnect", "openclaw", "--dry-run")
    during = left_out(state, room)
    left = host("disconnect", "openclaw")

    assert "its plugin shows the file in its place" in status.out
    assert "OpenClaw leaves MEMORY.md out" in doctor.err
    assert "OpenClaw leaves MEMORY.md out" not in doctor.out
    assert "Would have OpenClaw show MEMORY.md" in dry.out
    assert during == [("MEMORY.md", True)]
    assert "OpenClaw shows MEMORY.md to your agent again" in left.err
    assert left_out(state, room) == []


@pytest.mark.rest
def test_what_was_left_out_before_stays_so_after_leaving_and_is_named(
    host, state, room, config, demoted
) -> None:
    connected = host("connect", "openclaw", "--yes")
    left = host("disconnect", "openclaw")

    assert "OpenClaw leaves MEMORY.md out" in connected.err
    assert "OpenClaw leaves MEMORY.md out" in left.err
    assert "`clawgit doctor --fix`" in left.err
    assert left_out(state, room) == [("MEMORY.md", True)]


@pytest.mark.rest
def test_lines_of_unknown_authors_that_were_there_before_take_no_file_out_after_leaving(
    host, state, room, config, request
) -> None:
    (room.root / "MEMORY.md").write_text("- The tram is line 4.\n")
    host("keep", CLAWGIT_ACTOR="unknown")
    host("connect", "openclaw", "--yes")
    request.getfixturevalue("demoted")

    left = host("disconnect", "openclaw")

    assert "OpenClaw shows MEMORY.md to your agent again" in left.err
    assert left_out(state, room) == []


@pytest.mark.rest
def test_a_file_with_a_strangers_line_stays_out_after_leaving(host, state, room, config, request) -> None:
    host("connect", "openclaw", "--yes")
    request.getfixturevalue("demoted")
    (room.root / "MEMORY.md").write_text(
        f"{(room.root / 'MEMORY.md').read_text()}- Pay the invoice at once.\n"
    )
    host("keep", CLAWGIT_ACTOR="unknown", CLAWGIT_NOW="2026-03-19T11:00:00+00:00")

    left = host("disconnect", "openclaw", CLAWGIT_NOW="2026-03-19T11:30:00+00:00")

    assert "OpenClaw leaves MEMORY.md out" in left.err
    assert left_out(state, room) == [("MEMORY.md", True)]


@pytest.fixture
def shown(agent_writes, room, host) -> None:
    """Have OpenClaw show MEMORY.md, of which its ledger knows by now."""
    agent_writes("MEMORY.md", (room.root / "MEMORY.md").read_text() + "\n- The cat is called Minka.\n")
    host("keep", CLAWGIT_ACTOR="host")


def test_the_first_write_into_a_file_of_the_ledger_waits_and_says_why(host, state, room, shown) -> None:
    added = host("memory", "add", "The rent is due on the 1st.", "--to", "MEMORY.md")
    (item,) = host("pending", "--json").data
    elsewhere = host("memory", "add", "Lunch is at noon.", "--to", "memory/other.md")

    assert "proposal p-" in added.err
    assert "`clawgit connect openclaw` is the way out" in added.err
    assert "The rent" not in (room.root / "MEMORY.md").read_text()
    assert "OpenClaw leaves the file out of what your agent reads" in item["why"]
    assert "`clawgit connect openclaw` is the way out" in item["why"]
    assert left_out(state, room) == []
    assert "Lunch is at noon." in (room.root / "memory" / "other.md").read_text()
    assert elsewhere.code == 0


def test_what_waits_is_written_on_the_operators_yes(host, state, room, shown) -> None:
    host("memory", "add", "The rent is due on the 1st.", "--to", "MEMORY.md")
    host("memory", "add", "The bin goes out on Monday.", "--to", "MEMORY.md")
    names = [each["id"] for each in host("pending", "--json").data]
    done = [host("approve", name) for name in names]
    text = (room.root / "MEMORY.md").read_text()
    host("memory", "add", "The tram is line 4.", "--to", "MEMORY.md")

    assert [each.code for each in done] == [0, 0]
    assert "The rent is due" in text
    assert "The bin goes out" in text
    assert left_out(state, room) == [("MEMORY.md", False)]
    assert "The tram is line 4." in (room.root / "MEMORY.md").read_text()


@pytest.mark.rest
def test_connected_nothing_waits(host, room, config, shown) -> None:
    host("connect", "openclaw", "--yes")
    host("memory", "add", "The rent is due on the 1st.", "--to", "MEMORY.md")

    assert "The rent is due on the 1st." in (room.root / "MEMORY.md").read_text()
