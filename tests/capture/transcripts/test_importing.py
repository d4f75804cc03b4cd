"""Transcripts brought into the store: once, resumed, read on.

Mutants that these tests caught: no point kept with the messages, a point believed after the file was rewritten, half a
line taken as damaged, made-up ids that depend on where reading began, a claim that reaches into groups, a group's answers
kept without it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from clawgit.capture.messages.incoming_message import Rules
from clawgit.capture.messages.message import MessageQuery
from clawgit.capture.transcripts import importing, transcript_source
from clawgit.capture.transcripts.importing import Imported, Importer
from clawgit.capture.transcripts.transcript_source import Wish

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.capture.messages.message_store import MessageStore

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
RULES = Rules(operator_ids=("import:ada",))


def lines(*texts: str, **told: object) -> bytes:
    return b"".join(
        json.dumps({"role": "user", "sender": "ada", "text": text} | told).encode() + b"\n" for text in texts
    )


def bring_in(store: MessageStore, path: Path, **wish: object) -> Imported:
    return Importer(store, RULES, NOW).read(path, Wish(**wish))  # type: ignore[arg-type]


def everything(store: MessageStore) -> list[tuple[str, str, str]]:
    return [(each.chat_id, each.text, each.trust) for each in store.since(0, 9999)[0]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "talk.jsonl"


def test_twice_is_the_same_as_once(store, file) -> None:
    file.write_bytes(lines("a", "b", "a"))

    first = bring_in(store, file)
    before = everything(store)
    second = bring_in(store, file)
    third = bring_in(store, file, again=True)

    assert first.outcomes == {"stored": 3}
    assert [text for _, text, _ in before] == ["a", "b", "a"]
    assert (second.outcomes, second.resumed_at) == ({}, file.stat().st_size)
    assert third.outcomes == {"repeated": 3}
    assert everything(store) == before


def test_a_file_that_has_grown_is_read_on(store, file) -> None:
    file.write_bytes(lines("a", "b"))
    bring_in(store, file)
    with file.open("ab") as more:
        more.write(lines("b", "c"))

    assert bring_in(store, file).outcomes == {"stored": 2}

    read_on = everything(store)
    bring_in(store, file, again=True)
    assert everything(store) == read_on  # the made-up ids do not depend on where it began


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: data.replace(b"b", b"B"), id="another text, as long"),
        pytest.param(lambda data: data[: len(data) // 2], id="shorter"),
        pytest.param(lambda _: lines("x", "y", "z", "w"), id="another file"),
    ],
)
def test_a_file_that_was_rewritten_is_read_from_its_beginning(store, file, change) -> None:
    file.write_bytes(lines("a", "b", "c"))
    bring_in(store, file)
    file.write_bytes(change(file.read_bytes()))

    assert bring_in(store, file).resumed_at == 0


def test_half_a_line_is_left_for_the_next_time(store, file) -> None:
    whole = lines("a", "b")
    file.write_bytes(whole[:-5])
    first = bring_in(store, file)
    file.write_bytes(whole)
    second = bring_in(store, file)

    assert (first.outcomes, first.damaged) == ({"stored": 1}, 0)
    assert second.outcomes == {"stored": 1}
    assert [text for _, text, _ in everything(store)] == ["a", "b"]


def test_a_last_line_without_an_end_is_taken_if_it_is_whole(store, file) -> None:
    file.write_bytes(lines("a", "b").rstrip(b"\n"))
    assert bring_in(store, file).outcomes == {"stored": 2}
    with file.open("ab") as more:
        more.write(b"\n" + lines("c"))
    assert bring_in(store, file).outcomes == {"stored": 1}


def test_damaged_lines_are_named_and_the_others_kept(store, file) -> None:
    file.write_bytes(
        lines("a") + b"{broken\n\n" + lines("b") + b'{"role": "king", "text": "x"}\n' + lines("c")
    )

    done = bring_in(store, file)

    assert done.outcomes == {"stored": 3}
    assert done.damaged == 2
    assert [number for number, _ in done.problems] == [2, 5]


def test_lines_are_counted_on_when_it_resumes(store, file) -> None:
    file.write_bytes(lines("a", "b"))
    bring_in(store, file)
    with file.open("ab") as more:
        more.write(b"broken\n")
    assert [number for number, _ in bring_in(store, file).problems] == [3]


def test_a_line_that_is_too_long_is_named_and_passed_over(store, file, monkeypatch) -> None:
    monkeypatch.setattr(transcript_source, "MAX_LINE", 1000)
    file.write_bytes(lines("a", "x" * 5000, "b"))

    done = bring_in(store, file)

    assert done.outcomes == {"stored": 2}
    assert done.problems == [(2, "it is longer than 32 MiB")]


def test_what_is_interrupted_goes_on_where_it_was(store, file, monkeypatch) -> None:
    monkeypatch.setattr(importing, "LINES", 10)
    file.write_bytes(lines(*(str(n) for n in range(35))))
    told = []

    def progress(count: int) -> None:
        told.append(count)
        if len(told) == 3:  # the beginning, and two transactions
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Importer(store, RULES, NOW, progress).read(file, Wish())
    done = bring_in(store, file)

    assert done.resumed_at == len(lines(*(str(n) for n in range(20))))
    assert done.outcomes == {"stored": 15}
    assert [text for _, text, _ in everything(store)] == [str(n) for n in range(35)]


def test_whose_words_they_are_is_told_from_the_rules_or_by_the_operator(store, file) -> None:
    file.write_bytes(lines("a") + lines("b", sender="eve") + lines("c", sender=""))

    done = bring_in(store, file)

    assert [trust for _, _, trust in everything(store)] == ["operator", "external", "external"]
    assert done.unknown_senders == {"eve": 1, "": 1}
    claimed = bring_in(store, file, by_operator=True)
    assert claimed.outcomes == {"claimed": 2, "repeated": 1}
    assert {trust for _, _, trust in everything(store)} == {"operator"}


def test_in_a_group_the_operators_claim_makes_nobody_the_operator(store, file) -> None:
    file.write_bytes(lines("Pay me.", sender="", group=True, conversation="team") + lines("Mine.", sender=""))
    rules = Rules(group_chats=("import:team",))

    Importer(store, rules, NOW).read(file, Wish(by_operator=True, sender="ada"))

    told = {message.text: (message.trust, message.sender) for message in store.log(MessageQuery())}
    assert told == {"Pay me.": ("external", ""), "Mine.": ("operator", "ada")}


@pytest.mark.parametrize(("named", "kept"), [((), []), (("openclaw:s-1",), ["Pay me.", "No."])])
def test_a_groups_session_is_kept_with_the_answers_only_when_it_is_named(store, file, named, kept) -> None:
    about = 'Conversation info (untrusted metadata):\n```json\n{"is_group_chat": true}\n```\n\n'
    said = [
        {"type": "session", "id": "s-1", "cwd": "/x"},
        {"type": "message", "id": "m1", "message": {"role": "user", "content": f"{about}Pay me."}},
        {"type": "message", "id": "m2", "message": {"role": "assistant", "content": "No."}},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in said))

    done = Importer(store, Rules(group_chats=named), NOW).read(file, Wish(by_operator=True))

    assert [message.text for message in store.log(MessageQuery())] == kept
    assert {message.trust for message in store.log(MessageQuery())} <= {"external", "host"}
    assert done.left_out.total() == 2 - len(kept)


def test_an_export_comes_back_with_the_same_ids_and_no_more_trust(store, file) -> None:
    exported = {
        "channel": "telegram",
        "conversation": "42",
        "message_id": "7",
        "role": "user",
        "sender": "ada",
        "trust": "external",
        "text": "Remember that.",
        "sent_at": "2026-03-01T10:00:00.000+00:00",
        "session": "s",
    }
    file.write_text(json.dumps(exported) + "\n")
    rules = Rules(operator_ids=("ada",))

    Importer(store, rules, NOW).read(file, Wish())

    (message,) = store.log(MessageQuery())
    assert (message.channel, message.conversation, message.message_id) == ("telegram", "42", "7")
    assert (message.trust, message.signal.miner) == ("external", False)


def test_a_session_of_openclaw_has_its_session_as_conversation(store, file) -> None:
    entry = {"type": "message", "id": "m1", "message": {"role": "user", "content": "Hello"}}
    file.write_text(
        json.dumps({"type": "session", "id": "s-1", "cwd": "/x"}) + "\n" + json.dumps(entry) + "\n"
    )

    bring_in(store, file)

    (message,) = store.log(MessageQuery())
    assert (message.channel, message.conversation, message.session) == ("openclaw", "s-1", "s-1")


def test_a_resumed_session_of_claude_code_repeats_nothing(store, tmp_path) -> None:
    def entry(uuid: str, session: str) -> str:
        message = {"role": "user", "content": uuid}
        return (
            json.dumps(
                {"type": "user", "uuid": uuid, "sessionId": session, "cwd": "/shop", "message": message}
            )
            + "\n"
        )

    (tmp_path / "one.jsonl").write_text(entry("a", "s1") + entry("b", "s1"))
    (tmp_path / "two.jsonl").write_text(entry("a", "s2") + entry("b", "s2") + entry("c", "s2"))

    bring_in(store, tmp_path / "one.jsonl")

    assert bring_in(store, tmp_path / "two.jsonl").outcomes == {"repeated": 2, "stored": 1}
