"""What was said again is a mention, unless it means another day by now."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.memory.corrections.correction_log import Correction
from clawgit.memory.entries.entries import Tag
from clawgit.memory.trust import OPERATOR
from clawgit.understanding.facts.select_facts import FactCandidate, PlannedEntry, gather

FIRST, LATER = date(2026, 3, 18), date(2026, 3, 25)


@pytest.mark.parametrize(
    ("statement", "tag", "on", "new", "mentions"),
    [
        pytest.param("User prefers tea.", Tag.KNOWLEDGE, LATER, 0, 1, id="it holds always"),
        pytest.param("Decided to ship next Friday.", Tag.DECISION, LATER, 1, 0, id="next Friday is another one"),
        pytest.param("Decided to ship next Friday.", Tag.DECISION, FIRST, 0, 1, id="the same Friday"),
        pytest.param("User ran ten miles.", Tag.EVENT, LATER, 1, 0, id="it happened again"),
        pytest.param("用户决定下周搬家。", Tag.DECISION, LATER, 1, 0, id="next week, Chinese"),
        pytest.param("다음 주에 배포하기로 했다.", Tag.DECISION, LATER, 1, 0, id="next week, Korean"),
    ],
)  # fmt: skip
def test_a_day_that_is_meant_from_another_day_is_another_one(
    statement: str, tag: Tag, on: date, new: int, mentions: int
) -> None:
    """Mutant: only events are of a day."""
    standing = PlannedEntry(statement, FIRST.isoformat(), "aaaaaa")
    candidate = FactCandidate("chat:x", statement, statement, tag, on, "another session", OPERATOR)

    gathered = gather([candidate], [standing])

    assert (len(gathered.new), len(gathered.mentions)) == (new, mentions)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        pytest.param(["The port is 8443.", "The port is 9000, not 8443."], ["The port is 9000, not 8443."], id="set right since"),
        pytest.param(["The port is 9000, not 8443.", "The port is 8443."], ["The port is 8443."], id="changed back since"),
        pytest.param(["The API listens on 8443.", "The port is 9000, not 8443."], ["The API listens on 8443.", "The port is 9000, not 8443."], id="another thing"),
        pytest.param(["Room 4 is for yoga.", "Room 5 is for yoga."], ["Room 4 is for yoga.", "Room 5 is for yoga."], id="a number that names"),
        pytest.param(["The sync is on Monday.", "The sync is on Tuesday."], ["The sync is on Tuesday."], id="another day"),
    ],
)  # fmt: skip
def test_what_is_set_right_in_the_same_talk_is_not_kept(said: list[str], kept: list[str]) -> None:
    candidates = [
        FactCandidate(f"chat:{number}", each, each, Tag.KNOWLEDGE, FIRST, "a session", OPERATOR)
        for number, each in enumerate(said)
    ]

    assert [each.statement for each in gather(candidates, []).new] == kept


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("The port is 8443.", "The port is 9000.", id="another value"),
        pytest.param("User is allergic to nuts.", "User is allergic to milk.", id="two allergies"),
        pytest.param("User takes 2 pills at noon.", "User takes 3 pills at noon.", id="two numbers"),
    ],
)
def test_an_addition_waits_for_no_answer(old: str, new: str) -> None:
    """Mutant: what differs from an entry wants its place, and is asked."""
    candidate = FactCandidate("chat:x", new, new, Tag.KNOWLEDGE, FIRST, "a session", OPERATOR)

    gathered = gather([candidate], [PlannedEntry(old, "2026-03-01", "aaaaaa")])

    assert ([each.statement for each in gathered.new], gathered.superseded) == ([new], [])


@pytest.mark.parametrize(
    ("known", "again"),
    [
        pytest.param("User prefers tea over coffee.", 'User: "I prefer tea over coffee."', id="a quotation"),
        pytest.param('User: "My sister is called Maria."', "User's sister is called Maria.", id="of a quotation"),
        pytest.param("用户住在上海。", 'User: "我住在上海。"', id="Chinese"),
    ],
)  # fmt: skip
def test_a_known_fact_that_he_says_again_is_a_mention_by_whoever_read_it(known: str, again: str) -> None:
    """Mutant: his words beside what a model made of them are another statement."""
    candidate = FactCandidate("chat:x", again, again, Tag.KNOWLEDGE, LATER, "a session", OPERATOR)

    gathered = gather([candidate], [PlannedEntry(known, "2026-03-01", "aaaaaa")])

    assert (len(gathered.new), len(gathered.mentions)) == (0, 1)


@pytest.mark.parametrize(
    ("new", "superseded", "mentions"),
    [
        pytest.param("The recycling bin is the blue one.", 1, 0, id="one word"),
        pytest.param("The recycling bin is the yellow one.", 0, 1, id="the same words"),
    ],
)
def test_an_edit_that_names_its_entry_is_one_however_alike(new: str, superseded: int, mentions: int) -> None:
    """Mutant: a line that looks like the entry that it is to replace is taken for its repetition."""
    old = PlannedEntry("The recycling bin is the yellow one.", "2026-03-01", "aaaaaa")
    candidate = FactCandidate("chat:x", new, new, Tag.KNOWLEDGE, FIRST, "a session", OPERATOR, entry="aaaaaa")

    gathered = gather([candidate], [old])

    assert (len(gathered.superseded), len(gathered.mentions)) == (superseded, mentions)


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        pytest.param("The summer concert is on 6 June.", 1, id="a day, where the hall was corrected"),
        pytest.param("The summer concert is in the Minoritensaal.", 0, id="the old hall"),
    ],
)
def test_a_correction_of_one_value_speaks_not_against_another_kind(statement: str, kept: int) -> None:
    correction = Correction(
        "aaaaaa",
        "2026-03-20",
        said="The summer concert is in the Minoritensaal.",
        correct="The summer concert is in the Stiegenkirche.",
    )
    candidate = FactCandidate("chat:x", statement, statement, Tag.KNOWLEDGE, LATER, "a session", OPERATOR)

    assert len(gather([candidate], [], [correction]).new) == kept
