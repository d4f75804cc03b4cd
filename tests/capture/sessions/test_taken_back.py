"""Which of the operator's messages a later turn takes back, where several of one talk are asked about at once.

Mutants: the turns of another session are looked through; those before a message are; of a talk without sessions, turns of any time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from clawgit.capture.sessions.taken_back import followed

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)


def told(store, said, *texts: str, session: str, minutes: int = 1) -> list[str]:
    """Keep turns of one session, so many minutes apart, and return their ids."""
    messages = []
    for at, text in enumerate(texts):
        sent_at = NOW + timedelta(minutes=at * minutes)
        messages.append(said(text, session=session, message_id=f"{session}-{at}", sent_at=sent_at))
    return [each.chat_id for each in store.add(messages)]


def gone(store, chat_ids: list[str]) -> list[str]:
    """Return the texts of the messages of which nothing is left."""
    return [store.get(each.chat_id).text for each in followed(store, chat_ids) if not each.text]


def test_of_several_messages_of_a_session_the_one_before_scratch_that_is_taken_back(store, said) -> None:
    mine = told(store, said, "The keys are with Olli.", "Rent is 900.", "Scratch that.", session="s1")
    others = told(store, said, "Lunch is at noon.", session="s2")

    assert gone(store, [*others, *mine[::-1]]) == ["Rent is 900."]


@pytest.mark.parametrize(("minutes", "taken"), [(1, True), (20, True), (25 * 60, False)])
def test_without_a_session_a_message_is_taken_back_within_a_day(store, said, minutes, *, taken) -> None:
    """Seen: after twenty minutes "not plain", and the note of the session said the next day that it was taken back."""
    talk = told(store, said, "Rent is 900.", "Scratch that.", session="", minutes=minutes)

    assert gone(store, talk) == ["Rent is 900."] * taken
