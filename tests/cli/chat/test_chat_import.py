"""`clawgit chat import` and its neighbours with the transcripts of hosts: what is said about whose words they are.

Mutants that these tests caught: the owner believed in a host's import, a sentence for each message instead of one.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from tests_folder import TESTS

HOSTS = TESTS / "hosts"
HISTORY = str(HOSTS / "openclaw-2026.9.6/main.history.json")
ROLLOUT = str(HOSTS / "codex-0.169.0/rollout-cli.jsonl")
PRINTED = str(HOSTS / "claude-code-2.1.329/print.jsonl")


def trusts(clawgit) -> list[str]:
    return [each["trust"] for each in clawgit("chat", "log", "--json").data if each["role"] == "user"]


def test_the_owner_is_the_operator_where_the_operator_imports(clawgit) -> None:
    done = clawgit("chat", "import", HISTORY, "--json")

    assert trusts(clawgit) == ["operator", "external", "operator", "external"]
    assert done.data[0]["not_the_operators"] == {"OpenClaw says that their sender is not its owner": 1}


def test_the_owner_is_not_the_operator_where_a_host_imports(clawgit) -> None:
    clawgit("chat", "import", HISTORY, actor="host")
    assert set(trusts(clawgit)) == {"external"}


def test_what_a_claim_does_not_reach_is_told_with_its_reason(clawgit) -> None:
    done = clawgit("chat", "import", "--as", "operator", HISTORY, PRINTED)

    assert "1 message counts as external: OpenClaw says that their sender is not its owner." in done.err
    assert "1 message counts as external: Claude Code does not say that a person typed them" in done.err
    assert trusts(clawgit).count("external") == 2


def test_whom_operator_ids_has_and_openclaw_does_not_is_told_what_to_set(clawgit) -> None:
    clawgit("config", "set", "operator_ids", "telegram:666")

    done = clawgit("chat", "import", HISTORY)

    assert "operator_ids has their sender, but OpenClaw says that he is not its owner" in done.err
    assert done.err.count("ownerAllowFrom") == 1


def test_that_a_history_is_not_all_of_it_is_told(clawgit, tmp_path) -> None:
    part = tmp_path / "history.json"
    whole = json.loads(Path(HISTORY).read_text("utf-8"))
    part.write_text(json.dumps(whole | {"hasMore": True}))

    done = clawgit("chat", "import", str(part), "--json")

    assert "is not all of its session: OpenClaw has older messages" in done.err
    assert done.data[0]["has_more"] is True


def test_a_record_of_runs_is_named_and_passed_over(clawgit) -> None:
    runs = next((HOSTS / "openclaw-2026.7.35").glob("*.trajectory.jsonl"))

    done = clawgit("chat", "import", str(runs))

    assert (done.code, done.out) == (0, "")
    assert done.err.count("\n") == 1
    assert "was passed over: it is OpenClaw's record of its runs" in done.err


def test_a_folder_of_sessions_is_imported_twice_with_the_same_result(clawgit, tmp_path) -> None:
    folder = shutil.copytree(HOSTS / "openclaw-2026.7.35", tmp_path / "sessions")
    files = sorted(map(str, folder.glob("*.jsonl*")))

    clawgit("chat", "import", "--as", "operator", *files)
    before = clawgit("chat", "log", "--json").data
    again = clawgit("chat", "import", "--as", "operator", *files, "--json")

    assert sum(each["stored"] for each in again.data) == 0
    assert clawgit("chat", "log", "--json").data == before


@pytest.mark.parametrize("command", ["compact", "prune"])
def test_a_rollout_of_codex_is_not_made_shorter(clawgit, command) -> None:
    done = clawgit("session", command, ROLLOUT)
    assert done.code == 1
    assert "rollout of Codex" in done.err


@pytest.mark.parametrize(
    ("transcript", "words"),
    [(HISTORY, "tea is at four"), (ROLLOUT, "Tabs, not spaces.")],
    ids=["9.6", "Codex"],
)
def test_a_session_ends_from_each_kind_of_transcript(clawgit, room, transcript, words) -> None:
    done = clawgit("session", "end", "--as", "operator", transcript, "--json")
    assert words in (room.root / done.data["path"]).read_text("utf-8")


def added(clawgit, monkeypatch, *messages: dict[str, str]):
    lines = "".join(json.dumps(each) + "\n" for each in messages).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    return clawgit("chat", "add", "--jsonl")


@pytest.mark.parametrize(
    ("message", "why"),
    [
        pytest.param({"text": "Tea."}, "it names no sender", id="no sender"),
        pytest.param(
            {"text": "Tea.", "sender": "4242"}, "operator_ids is empty", id="nobody is the operator"
        ),
    ],
)
def test_it_is_said_once_what_makes_messages_the_operators(clawgit, monkeypatch, message, why) -> None:
    done = added(clawgit, monkeypatch, {"role": "assistant", "text": "Hi."}, message, message)

    assert done.err.count("counts as external") == 1
    assert why in done.err
    assert "`clawgit config set operator_ids " in done.err


def test_of_one_message_by_hand_it_is_said_which_setting_makes_the_sender_you(clawgit) -> None:
    """Seen: `Remember …` of a sender whom nobody listed was only `stored`. Mutant: it is said of lines alone."""
    said = "Remember: rent is paid on the 5th."

    done = clawgit("chat", "add", "--channel", "telegram", "--sender", "4242", said)

    assert done.out.endswith(" stored\n")
    assert "because operator_ids is empty" in done.err
    assert "`clawgit config set operator_ids telegram:4242`" in done.err
    assert clawgit("chat", "add", said).err == ""


def test_where_a_sender_is_known_nothing_is_said(clawgit, room, monkeypatch) -> None:
    room.write("CONFIG.md", "```yaml\noperator_ids: ['cli:4242']\n```\n")
    room.git("commit", "-qam", "settings")

    done = added(clawgit, monkeypatch, {"text": "Tea.", "sender": "4242"}, {"text": "No.", "sender": "666"})

    assert done.err == ""
    assert trusts(clawgit) == ["operator", "external"]


def test_a_file_that_is_no_transcript_is_refused_in_one_line(clawgit, tmp_path) -> None:
    (tmp_path / "shopping.txt").write_text("milk\nbread\n")

    refused = clawgit("chat", "import", str(tmp_path / "shopping.txt"))

    assert refused.code == 1
    assert (refused.out, refused.err.count("\n")) == ("", 1)
    assert "not a transcript" in refused.err
