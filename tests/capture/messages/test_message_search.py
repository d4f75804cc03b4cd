"""Candidates for a question, in SQLite and in PostgreSQL.

Mutants that these tests caught: neighbours of another session or channel, a run over a gap, common words looked for one
by one only, the oldest message not left out.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.capture.messages import message_search
from clawgit.capture.messages.message_store import MessageStore
from clawgit.text.words.terms import terms_of

WORD = "".join(f"{number * 7919:x}g" for number in range(4000))
NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)


def at(minute: int) -> datetime:
    return NOW + timedelta(minutes=minute)


def runs(found) -> list[list[str]]:
    return sorted([message.text for message in run] for run in found.runs)


@pytest.mark.rest
def test_a_match_comes_with_what_was_said_right_before_and_after_it(store, said) -> None:
    store.add([said(f"line {n}", sent_at=at(n)) for n in (3, 1, 4, 0, 6, 5, 2)])

    assert runs(store.candidates(["3"])) == [["line 1", "line 2", "line 3", "line 4", "line 5"]]
    assert runs(store.candidates(["0", "6"])) == [
        ["line 0", "line 1", "line 2"],
        ["line 4", "line 5", "line 6"],
    ]
    assert runs(store.candidates(["2", "4"])) == [[f"line {n}" for n in range(7)]]


@pytest.mark.parametrize("told", [{"session": "s2"}, {"channel": "b"}, {"conversation": "b"}], ids=str)
def test_nothing_of_another_talk_stands_beside_a_match(store, said, told) -> None:
    store.add(
        [said("port", sent_at=at(1)), said("elsewhere", sent_at=at(2), **told), said("same", sent_at=at(3))]
    )

    assert all("elsewhere" not in run or len(run) == 1 for run in runs(store.candidates(["port"])))


def test_messages_of_the_days_asked_for_are_candidates_whatever_they_say(store, said) -> None:
    store.add([said("then", sent_at=at(0)), said("later", sent_at=at(60 * 48), conversation="b")])

    assert runs(store.candidates(["port"], (at(-10), at(10)))) == [["then"]]


def test_an_old_message_with_several_common_words_is_found(store, said, monkeypatch) -> None:
    monkeypatch.setattr(message_search, "EACH", 3)
    store.add([said("dance studio", sent_at=at(0))])
    store.add([said(f"{word} {n}", sent_at=at(n)) for n in range(1, 6) for word in ("dance", "studio")])

    assert store.candidates(terms_of("dance studio")).matches[0].text == "dance studio"


def test_what_is_older_than_messages_are_kept_is_no_candidate(opener, said) -> None:
    store = opener.open()
    store.add([said("port, long ago", sent_at=at(0)), said("port", sent_at=at(20))])

    late = MessageStore(store._db, store._workspace, at(10))

    assert runs(late.candidates(["port"])) == [["port"]]
    assert late.get(store.candidates(["ago"]).matches[0].chat_id) is None
    store.close()


def test_a_message_is_found_by_its_sender_and_by_forms_of_its_words(store, said) -> None:
    store.add([said("We painted houses.", sender="Caroline")])

    assert len(store.candidates(["carolin"]).matches) == 1
    assert len(store.candidates(["paint"]).matches) == 1


def test_a_word_without_an_end_is_kept_and_found(store, said) -> None:
    store.add([said(WORD + " port", message_id="1")])

    assert len(store.candidates([WORD]).matches) == len(store.candidates(["port"]).matches) == 1
