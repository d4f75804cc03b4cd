"""A transcript that names no conversation is known by what it holds, whatever its file is called by now."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from clawgit.capture.messages.incoming_message import Rules
from clawgit.capture.messages.message import MessageQuery
from clawgit.capture.transcripts.importing import Imported, Importer
from clawgit.capture.transcripts.transcript_source import Wish

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
RULES = Rules(operator_ids=("import:ada",))
TALK = ("When is the review?", "The review is on Wednesday.", "No, it's on Thursday.", "Noted.")


def lines(*texts: str, timed: bool = False, ids: bool = False) -> bytes:
    """Return messages of Ada and her agent in turns, a minute apart, with ids of the program's own."""
    found = []
    for number, text in enumerate(texts):
        line = {"role": ("user", "assistant")[number % 2], "sender": "ada", "text": text}
        line |= {"at": (NOW + timedelta(minutes=number)).isoformat()} if timed else {}
        line |= {"id": number} if ids else {}
        found.append(json.dumps(line).encode() + b"\n")
    return b"".join(found)


@pytest.fixture
def bring_in(store, tmp_path):
    """Return a function that writes a file and imports it."""

    def write(name: str, data: bytes | None = None, **wish: object) -> Imported:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if data is not None:
            path.write_bytes(data)
        return Importer(store, RULES, NOW).read(path, Wish(**wish))

    return write


def talks(store) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for message in store.since(0, 9999)[0]:
        found.setdefault(message.conversation, []).append(message.text)
    return found


FORMS = {
    "untimed": {},
    "timed": {"timed": True},
    "with ids": {"ids": True},
    "both": {"timed": True, "ids": True},
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_copy_is_the_same_conversation(store, bring_in, form) -> None:
    """Mutant: the conversation is the file's name."""
    bring_in("talk.jsonl", lines(*TALK, **form))

    copied = bring_in("copy.jsonl", lines(*TALK, **form))

    assert (copied.outcomes, copied.known_as) == ({"repeated": 4}, "talk")
    assert talks(store) == {"talk": list(TALK)}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_renamed_file_that_grew_is_read_on(store, bring_in, form) -> None:
    bring_in("talk.jsonl", lines(*TALK, **form))

    grown = bring_in("2026-03.jsonl", lines(*TALK, "And the room?", "Room 4.", **form))
    again = bring_in("2026-03.jsonl")
    more = bring_in("2026-03.jsonl", lines(*TALK, "And the room?", "Room 4.", "Thanks.", **form))

    assert grown.outcomes == {"repeated": 4, "stored": 2}
    assert (again.outcomes, more.outcomes) == ({}, {"stored": 1})
    assert talks(store) == {"talk": [*TALK, "And the room?", "Room 4.", "Thanks."]}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_an_earlier_state_of_it_is_known(store, bring_in, form) -> None:
    bring_in("talk.jsonl", lines(*TALK, **form))

    assert bring_in("backup.jsonl", lines(*TALK[:2], **form)).outcomes == {"repeated": 2}
    assert list(talks(store)) == ["talk"]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_talks_that_merely_begin_alike_stay_apart(store, bring_in, form) -> None:
    """Mutants: the first message alone tells; what is shared is enough."""
    first, second = (*TALK[:2], "One."), (*TALK[:2], "Two.", "More.")
    bring_in("one.jsonl", lines(*first, **form))

    other = bring_in("two.jsonl", lines(*second, **form))

    assert (other.outcomes, other.known_as) == ({"stored": 4}, "")
    assert talks(store) == {"one": list(first), "two": list(second)}


def test_a_greeting_without_a_time_does_not_tell_a_talk(store, bring_in) -> None:
    """Mutant: whatever a talk holds, a longer one that begins so is that talk."""
    bring_in("one.jsonl", lines("Hi", "Hello! How can I help?"))

    bring_in("two.jsonl", lines("Hi", "Hello! How can I help?", "What is 2+2?"))

    assert talks(store)["two"] == ["Hi", "Hello! How can I help?", "What is 2+2?"]


def test_a_greeting_with_its_time_does(store, bring_in) -> None:
    bring_in("one.jsonl", lines("Hi", timed=True))

    assert bring_in("two.jsonl", lines("Hi", "Hello!", timed=True)).outcomes == {"repeated": 1, "stored": 1}


def test_talks_that_part_later_are_whole_each(store, bring_in) -> None:
    """Mutant: a file that was taken for another's copy is read on where it ended."""
    bring_in("one.jsonl", lines("Hi", "Hello!"))
    assert bring_in("two.jsonl", lines("Hi", "Hello!")).known_as == "one"
    bring_in("one.jsonl", lines("Hi", "Hello!", "One.", "Yes."))

    bring_in("two.jsonl", lines("Hi", "Hello!", "Two.", "No."))

    assert talks(store) == {"one": ["Hi", "Hello!", "One.", "Yes."], "two": ["Hi", "Hello!", "Two.", "No."]}


def test_the_same_words_at_another_time_are_another_talk(store, bring_in) -> None:
    said = lines(*TALK, timed=True)
    bring_in("monday.jsonl", said)

    bring_in("tuesday.jsonl", said.replace(b"2026-03-19", b"2026-03-20"))

    assert list(talks(store)) == ["monday", "tuesday"]


def test_the_same_words_of_somebody_else_are_another_talk(store, bring_in) -> None:
    bring_in("one.jsonl", lines(*TALK, ids=True))

    bring_in("two.jsonl", lines(*TALK, ids=True).replace(b'"user"', b'"tool"'))

    assert list(talks(store)) == ["one", "two"]


def test_other_words_under_the_same_ids_are_another_talk(store, bring_in) -> None:
    bring_in("one.jsonl", lines(*TALK, ids=True))

    bring_in("two.jsonl", lines("Good morning.", "Good morning!", ids=True))

    assert list(talks(store)) == ["one", "two"]


def test_parts_in_any_order_are_one_talk(store, bring_in) -> None:
    """A program that writes all there is each day: the third day first, then the first, then the fourth."""
    every = [f"{text} ({day})" for day in range(4) for text in TALK]
    bring_in("day-3.jsonl", lines(*every[:12], timed=True))
    bring_in("day-1.jsonl", lines(*every[:4], timed=True))
    bring_in("day-4.jsonl", lines(*every, timed=True))

    assert talks(store) == {"day-3": every}


def test_an_import_that_was_interrupted_goes_on_under_another_name(store, bring_in) -> None:
    whole = lines(*TALK, timed=True)
    bring_in("talk.jsonl", whole[:-20])

    assert bring_in("renamed.jsonl", whole).outcomes == {"repeated": 3, "stored": 1}


def test_a_conversation_that_is_named_is_another(store, bring_in) -> None:
    """Mutant: what the operator says counts less than what is alike."""
    bring_in("talk.jsonl", lines(*TALK))

    bring_in("talk.jsonl", conversation="42", again=True)

    assert list(talks(store)) == ["talk", "42"]


def test_a_conversation_that_was_named_is_known(store, bring_in) -> None:
    bring_in("talk.jsonl", lines(*TALK), conversation="42")

    assert bring_in("talk.jsonl", again=True).known_as == "42"


def test_a_talk_of_another_channel_is_another(store, bring_in) -> None:
    bring_in("talk.jsonl", lines(*TALK), channel="telegram")

    bring_in("copy.jsonl", lines(*TALK))

    assert {message.channel for message in store.log(MessageQuery())} == {"telegram", "import"}


def test_the_operators_claim_finds_a_copy(store, bring_in) -> None:
    bring_in("talk.jsonl", lines(*TALK).replace(b'"ada"', b'""'))

    claimed = bring_in("copy.jsonl", lines(*TALK).replace(b'"ada"', b'""'), by_operator=True)

    assert claimed.outcomes == {"claimed": 2, "repeated": 2}


def test_lines_that_name_their_conversation_are_left_to_it(store, bring_in) -> None:
    said = lines(*TALK).replace(b'{"role"', b'{"conversation": "7", "role"')
    bring_in("talk.jsonl", said)

    assert bring_in("copy.jsonl", said).known_as == ""
    assert list(talks(store)) == ["7"]


def test_a_session_of_openclaw_without_its_first_line_is_known(store, bring_in) -> None:
    said = b"".join(
        json.dumps({"type": "message", "id": f"m{n}", "message": {"role": "user", "content": text}}).encode()
        + b"\n"
        for n, text in enumerate(TALK)
    )
    bring_in("s.jsonl", said)

    assert bring_in("s-copy.jsonl", said).known_as == "s"
