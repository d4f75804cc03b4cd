"""Open sessions are found in either store: the latest messages that count, whatever stands between them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.capture.sessions.sessions import SessionQuery, open_sessions

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)


@pytest.fixture
def filled(store, said):
    """Return a store with three sessions, tools' output among what was said."""
    lines = [
        ("a", "", "user", "one"),
        ("b", "s1", "user", "two"),
        *(("a", "", "tool", f"row {number}") for number in range(30)),
        ("b", "s2", "assistant", "three"),
        ("a", "", "assistant", "four"),
        ("a", "", "tool", "last row"),
        ("c", "", "tool", "nobody speaks"),
    ]
    store.add(
        [
            said(
                text, conversation=place, session=session, role=role, sent_at=NOW + timedelta(seconds=number)
            )
            for number, (place, session, role, text) in enumerate(lines)
        ]
    )
    return store


def found(store, *, ended: tuple[str, ...] = (), most: int = 2, **wanted: str):
    sessions = open_sessions(store, SessionQuery(**wanted), most, lambda message: message.text in ended)
    return [(each.conversation, each.session, [m.text for m in each.messages]) for each in sessions]


def test_sessions_come_the_latest_first_with_what_was_said_in_them(filled) -> None:
    """Mutant: the page is cut before tools' output is left out."""
    assert found(filled) == [("a", "", ["one", "four"]), ("b", "s2", ["three"]), ("b", "s1", ["two"])]
    assert found(filled, conversation="b", session="s1") == [("b", "s1", ["two"])]
    assert found(filled, channel="nowhere") == []
    assert found(filled, most=1, conversation="a") == [("a", "", ["four"])]


def test_the_messages_before_are_counted(filled) -> None:
    (session,) = open_sessions(filled, SessionQuery(conversation="a"), 1, lambda message: False)

    assert session.earlier == 1


def test_what_ended_is_no_open_session(filled) -> None:
    assert found(filled, ended=("four", "two")) == [("b", "s2", ["three"])]
    assert found(filled, ended=("one",), conversation="a") == [("a", "", ["four"])]
