"""What the operator said earlier in this very conversation, which no note has yet."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.context.assemble_context import assemble_context
from clawgit.context.receipts import find_receipt, keep_receipt, rebuild_context
from clawgit.context.wanted_context import Context, WantedContext

SESSION = "agent:main:main"
MILL = "the retreat will be at the old mill"
NOTE = "memory/2026-03-15.md"
QUERY = "where is the retreat?"


@pytest.fixture
def talking(room):
    """Return what lets messages be heard, a minute apart, in a workspace with an older note."""
    room.append(NOTE, "- The retreat will be at the lake house.", actor="operator")

    def talk(*lines: tuple[str, str], session: str = SESSION, his: bool = True) -> None:
        rules = rules_in_force(room.history, room.now, "operator")
        with open_messages(room.history, room.now) as store:
            for number, (role, text) in enumerate(lines):
                at = room.now - timedelta(minutes=30 - number)
                heard = IncomingMessage(
                    role, text, session=session, sent_at=at, by_operator=his and role == "user"
                )
                store.add([take_down(heard, rules, room.now)])

    return talk


def made(room, query: str = QUERY, session: str = SESSION, **wanted: str) -> Context:
    return assemble_context(room.history, WantedContext(query, session, **wanted), room.now)


def test_what_was_said_minutes_ago_comes_before_an_older_note(room, talking) -> None:
    """Mutant: only notes are recalled."""
    talking(("user", MILL))

    text = made(room).recalled

    assert 0 < text.index(f"user: {MILL}") < text.index("lake house")


@pytest.mark.parametrize(
    "message", ["et jamais le vieux moulin, je déteste", "Remember that the retreat is at the old mill."]
)
def test_the_newest_message_is_not_told_as_said_earlier(room, talking, message: str) -> None:
    """Seen: his order of this very turn as something said before. Mutant: it is known again only as it is searched for."""
    talking(("user", message))

    assert "earlier in this conversation" not in made(room, message).recalled


PRINTED = (
    'Traceback (most recent call last):\n  File "pay.py", line 3\nPaymentError: the retreat was declined'
)


@pytest.mark.parametrize(
    "printed",
    [
        pytest.param(PRINTED, id="traceback"),
        pytest.param("2026-11-24 10:22:31 ERROR pay: the retreat was declined", id="log"),
        pytest.param("```\nnpm ERR! the retreat was declined\n```", id="fence"),
        pytest.param("> the retreat was declined", id="mail"),
    ],
)
@pytest.mark.parametrize("words", [MILL, "看看这个", "schau mal bitte"])
def test_what_he_pasted_is_not_told_as_his_words(room, talking, printed: str, words: str) -> None:
    """Mutant: the whole message is told."""
    talking(("user", f"{words}\n{printed}"), ("assistant", "One moment."))

    text = made(room).text

    assert "declined" not in text
    assert (f"user: {MILL}" in text) is (words == MILL)


@pytest.mark.parametrize("day", ["2026-03-19", "2026-03-02"])
def test_of_a_note_in_which_a_message_is_one_line_what_he_pasted_is_not_told(room, talking, day: str) -> None:
    """Seen: a contract as his words, in the notes of the last days and on day nine. Mutants: only of the last days; only what was found."""
    printed = "\n".join(f"> The retreat at the mill number {number} was declined." for number in range(9))
    talking(("user", f"{MILL}\n\n{printed}"), session="agent:main:other")
    line = f"user: {MILL} {printed}".replace("\n", " ")
    room.append(f"memory/{day}-mill.md", f"# Session: mill\n\n{line}\n", actor="operator")
    wanted = WantedContext("was the retreat at the mill declined?")

    context = keep_receipt(room.history, assemble_context(room.history, wanted, room.now), wanted, room.now)

    assert f"user: {MILL}\n" in context.recalled
    assert "was declined" not in context.recalled
    assert rebuild_context(room.history, find_receipt(room.history, context.receipt, room.now)).is_same


@pytest.mark.parametrize("session", [SESSION, ""])
def test_what_he_said_in_another_conversation_is_told_once_with_its_day(room, talking, session: str) -> None:
    """Mutants: only notes are recalled, which keep the last turns; a note that has it is told besides; the agent's turns are his."""
    asked = ("user", "is the retreat at the old mill?")
    talking(
        ("user", MILL), ("assistant", "The retreat, the old mill, noted."), asked, session="agent:main:other"
    )

    text = made(room, session=session).recalled
    assert text.count("old mill") == 1
    assert f'(the operator said on 19 March: "{MILL}")' in text.partition("lake house")[2]

    room.append("memory/2026-03-19.md", f"user: {MILL}", actor="operator")
    assert "earlier conversations" not in made(room, session=session).recalled


def test_what_he_said_alone_is_not_told_to_others(room, talking) -> None:
    """Mutant: whoever listens is told it."""
    talking(("user", MILL), session="agent:main:other")

    assert MILL not in made(room, session="agent:main:group:club").text
    assert MILL not in made(room, session="agent:main:cron:news").text


def test_a_strangers_turn_is_not_told(room, talking) -> None:
    talking(("user", MILL), his=False)

    assert MILL not in made(room).text


def test_what_he_took_back_is_not_told(room, talking) -> None:
    """Mutant: the turn after is not looked at."""
    talking(("user", MILL), ("assistant", "Noted: the old mill."), ("user", "scratch that"))

    text = made(room).text

    assert "mill" not in text
    assert "scratch" not in text


def test_the_newest_message_is_no_memory_of_itself(room, talking) -> None:
    talking(("user", MILL), ("user", QUERY))

    assert made(room).recalled.count(QUERY) == 0


def test_an_answer_has_the_question_that_it_answers(room, talking) -> None:
    """Mutant: only the operator's turns are told."""
    asked = ("assistant", "A retreat, nice! Who does the cooking?")
    talking(("user", "hello"), asked, ("user", "Molen Vits, as ever"), ("assistant", "Good."))

    text = made(room, "who does the cooking at the retreat?").recalled

    assert "assistant: Who does the cooking?\nuser: Molen Vits, as ever" in text
    assert "nice" not in text


def test_what_memory_says_above_is_not_said_again(room, talking) -> None:
    room.change({"MEMORY.md": f"# Memory\n\n- {MILL}\n"}, actor="operator")
    talking(("user", MILL))

    assert made(room).text.count(MILL) == 1


def test_a_receipt_has_the_words_that_no_commit_holds(room, talking) -> None:
    talking(("user", MILL))
    kept = keep_receipt(room.history, made(room), WantedContext(QUERY, SESSION), room.now)

    rebuilt = rebuild_context(room.history, find_receipt(room.history, kept.receipt, room.now))

    assert rebuilt.is_same
    assert MILL in rebuilt.recalled


def test_an_earlier_day_has_no_conversation(room, talking) -> None:
    talking(("user", MILL))
    commit_id = room.head()

    assert (
        MILL
        not in assemble_context(
            room.history, WantedContext(QUERY, SESSION), room.now, commit_id=commit_id
        ).text
    )


def test_what_was_said_on_an_earlier_day_has_its_day(room, talking) -> None:
    """Mutant: no day; "tomorrow" would be the day after today."""
    talking(("user", "the plumber for the retreat comes tomorrow at 9"))
    query = WantedContext("when does the plumber come?", SESSION)

    today = assemble_context(room.history, query, room.now).recalled
    later = assemble_context(room.history, query, room.now + timedelta(days=3)).recalled

    day = room.now.date().isoformat()
    assert "comes tomorrow at 9\n" in today
    assert f"user: the plumber for the retreat comes tomorrow at 9 (said on {day})" in later


def test_a_receipt_of_a_line_with_its_day_is_rebuilt(room, talking) -> None:
    talking(("user", MILL))
    later = room.now + timedelta(days=3)
    wanted = WantedContext(QUERY, SESSION)

    kept = keep_receipt(room.history, assemble_context(room.history, wanted, later), wanted, later)
    rebuilt = rebuild_context(room.history, find_receipt(room.history, kept.receipt, later))

    assert rebuilt.is_same
    assert "(said on " in rebuilt.recalled


def test_where_a_session_goes_on_without_a_message_his_last_words_in_it_are_told(room, talking) -> None:
    """Mutants: what was said last counts as asked, and is left out; his questions are told; so is what another session said."""
    talking(
        ("user", MILL),
        ("assistant", "Noted."),
        ("user", QUERY),
        ("assistant", "At the mill."),
        ("user", "ok"),
    )
    talking(("user", "the retreat has a sauna"), session="agent:main:other")

    text = made(room, "").recalled

    assert f"## earlier in this conversation\n\nuser: {MILL}\n" in text
    assert QUERY not in text
    assert "user: ok" not in text
    assert "sauna" not in text.partition("## earlier in this conversation")[2].partition("##")[0]


@pytest.mark.parametrize(
    ("lines", "is_beside"),
    [
        pytest.param((("user", "oops, LX 204 PB"),), True, id="in his next turn"),
        pytest.param((("user", "oops, is it LX 204 PB?"),), False, id="a question"),
        pytest.param((("assistant", "oops, LX 204 PB"),), False, id="in the agent's"),
        pytest.param((("user", "oops, LX 204 PB"), ("user", "scratch that")), False, id="taken back"),
        pytest.param(
            (("user", "good morning"), ("assistant", "Good morning."), ("user", "oops, LX 204 PB")),
            False,
            id="behind something else",
        ),
    ],
)
def test_what_he_says_right_behind_a_turn_that_answers_is_beside_the_line(
    room, talking, lines: tuple[tuple[str, str], ...], is_beside: bool
) -> None:
    """It has no word of the question, and is of the next day's session. Mutants: the session alone; every turn behind."""
    line = "- The plate of the van is KV 381 TZ."
    room.append("MEMORY.md", line, actor="operator")
    room.now += timedelta(days=1)
    talking(("user", "I wrote the plate of the van down, KV 381 TZ"), ("assistant", "Noted."), session="one")
    room.now += timedelta(days=1)
    talking(*lines, session="two")

    text = made(room, "what is the plate of the van?", session="").text

    shown = next(each for each in text.splitlines() if each.startswith(line))
    assert ("LX 204 PB" in shown) is is_beside


@pytest.mark.parametrize(
    ("said", "his", "is_beside"),
    [
        pytest.param(
            "Petra and Milan go to Doctor Holm now, in Lyon too", True, True, id="two words of the line"
        ),
        pytest.param("Oslo is cold in May", True, False, id="none"),
        pytest.param("Petra and Milan go to Doctor Holm now, in Lyon too", False, False, id="a stranger's"),
    ],
)
def test_what_he_says_in_words_of_the_line_and_none_of_the_question_is_beside_it(
    room, talking, said: str, his: bool, is_beside: bool
) -> None:
    """Mutants: only what the words of the question find; whoever says it."""
    line = "- The dentist of Petra and Milan is Doctor Rask in Lyon."
    room.append("MEMORY.md", line, actor="operator")
    room.now += timedelta(days=1)
    talking(*[("user", f"the kiln is warm, {number} hours now") for number in range(12)], session="two")
    talking(("user", said), session="one", his=his)

    text = made(room, "who is our dentist?", session="").text

    shown = next(each for each in text.splitlines() if each.startswith(line))
    assert (said in shown) is is_beside


@pytest.mark.parametrize(
    ("before", "is_beside"),
    [
        pytest.param("hm the flyer of Petra says 60", True, id="behind words of the line"),
        pytest.param("hm the kiln is too warm", False, id="behind something else"),
    ],
)
def test_what_he_says_right_behind_words_of_the_line_is_beside_it(
    room, talking, before: str, is_beside: bool
) -> None:
    """Seen: `hm the flyer says 60`, `That is what you gave me.`, `65. all of them`: no word of the question. Mutant: only turns with words of the line."""
    line = "- The workshop costs 60, it is on the flyer of Petra."
    room.append("MEMORY.md", line, actor="operator")
    room.now += timedelta(days=1)
    talking(*[("user", f"the glaze is warm, {number} hours now") for number in range(12)], session="two")
    room.now += timedelta(days=1)
    said = (("user", before), ("assistant", "You gave me that."), ("user", "65. all of them"))
    talking(*said, session="one")

    text = made(room, "what do I charge for a workshop?", session="").text

    shown = next(each for each in text.splitlines() if each.startswith(line))
    assert ("65. all of them" in shown) is is_beside
