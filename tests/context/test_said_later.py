"""What he said later of what a question finds stands beside the line that answers it."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import NamedTuple

import pytest

from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.context.assemble_context import assemble_context
from clawgit.context.said_later import (
    AnsweringLine,
    is_later,
    rivals_first,
    statements_of_best,
    with_later_words,
)
from clawgit.context.session_talk import with_answers
from clawgit.context.wanted_context import WantedContext
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.recall.search import search
from clawgit.recall.search_results import Beside, Hits, Query, Result

pytestmark = pytest.mark.rest

LINE = "- The bee club meets at the Gasthaus Zum Hirschen."
QUERY = "Where does the bee club meet?"
CLUB = "user: the club ran late, forty people"
MOVED = "user: we meet at the Weidinger now, back room"


@pytest.fixture
def club(room):
    """Return a workspace that has the line since today, and what writes a note of a day that many days away."""
    room.append("MEMORY.md", LINE, actor="operator")
    began = room.now

    def note(*lines: str, days: int = 3, actor: str = "operator") -> None:
        day = began + timedelta(days=days)
        room.now = max(room.now, day + timedelta(hours=1))
        for line in lines:
            room.append(f"memory/{day.date().isoformat()}.md", f"{line}\n", actor=actor)

    return note


def beside(room, query: str = QUERY, part: str = "") -> str:
    """Return the line as a model reads it."""
    text = assemble_context(room.history, WantedContext(query, part=part), room.now).text
    return next(line for line in text.splitlines() if line.startswith(LINE))


def test_a_later_turn_of_the_same_talk_stands_beside_the_line(room, club) -> None:
    """Mutants: only the turn that has the words; only links; below, somewhere in the prompt."""
    club(CLUB, "assistant: Forty people.", MOVED)

    assert "the operator said on" in beside(room)
    assert MOVED.removeprefix("user: ") in beside(room)
    assert "forty" not in beside(room)


def test_a_turn_has_the_day_of_the_heading_above_it(room, club) -> None:
    """Seen: what was said on the 3rd stood there as said on the 4th, the last day of its session's note."""
    day = (room.now + timedelta(days=2)).date()
    club(f"## {day}\n", CLUB, MOVED)

    assert f"the operator said on {day.day} {day:%B}:" in beside(room)


@pytest.mark.parametrize(
    ("lines", "written"),
    [
        pytest.param((CLUB, MOVED), {"days": -3}, id="older than the line"),
        pytest.param((CLUB, MOVED), {"actor": "host"}, id="the agent wrote it"),
        pytest.param((CLUB, MOVED.replace("user", "assistant")), {}, id="the agent said it"),
        pytest.param((CLUB, "user: they were nice and it was late"), {}, id="no other place"),
        pytest.param((CLUB, "user: never write to Nora on Sundays"), {}, id="no word of it"),
        pytest.param((CLUB, "user: is it at the Weidinger?"), {}, id="a question"),
        pytest.param((CLUB, "user: if it rains we meet at the Weidinger"), {}, id="a case"),
        pytest.param((CLUB, MOVED, "user: forget that, it was a joke"), {}, id="taken back"),
    ],
)
def test_nothing_else_does(room, club, lines: tuple[str, ...], written: dict) -> None:
    """Mutants: any day; anybody's line; any words; what was asked or taken back."""
    club(*lines, **written)

    assert beside(room) == LINE


@pytest.mark.parametrize("turns", [0, 5])
def test_a_value_alone_is_of_what_was_said_right_before(room, club, turns: int) -> None:
    """Mutants: words in common alone; the whole note."""
    line = "- The bee club begins at 19:00."
    room.append("MEMORY.md", line, actor="operator")
    club("user: the bee club was late", *["user: ok", "assistant: ok"] * turns, "user: it's 20:30 now")

    text = assemble_context(room.history, WantedContext("When does the bee club begin?"), room.now).text
    assert ("20:30" in next(each for each in text.splitlines() if each.startswith(line))) == (not turns)


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        pytest.param("20:30, sorry", True, id="hardly a word of its own"),
        pytest.param(
            "my train left the central station at 20:30, full of tourists", False, id="its own topic"
        ),
    ],
)
def test_a_value_in_a_turn_with_words_of_its_own_is_of_something_else(
    room, club, said: str, is_told: bool
) -> None:
    """Seen: `April fool: they announced palm trees in the Veldstraat` beside the lake of the holidays. Mutant: any value of that kind."""
    line = "- The bee club begins at 19:00."
    room.append("MEMORY.md", line, actor="operator")
    club("user: the bee club was late", "assistant: ok", "user: fine", f"user: {said}")

    text = assemble_context(room.history, WantedContext("When does the bee club begin?"), room.now).text
    assert (said in next(each for each in text.splitlines() if each.startswith(line))) is is_told


def test_a_person_his_agents_search_and_the_prompt_have_the_same_words_beside_a_line(
    room, club, clawgit
) -> None:
    """Seen: words that the prompt had beside a line were far below it in a search, or not there. Mutant: a rule of its own for each."""
    club(CLUB, "user: the tram to Lyon was late, the bee on it too", MOVED.replace("we", "the club"))

    quotes = set(re.findall(r'"[^"]+"', beside(room)))
    assert len(quotes) == 2
    for actor in ("operator", "host"):
        found = clawgit("search", QUERY, actor=actor).out
        assert set(re.findall(r'"[^"]+"', found)) == quotes


def test_words_that_have_the_number_of_another_line_are_not_about_this_one() -> None:
    """Seen: below invoice 6843 stood what was said of invoice 5590. Mutant: as many common words are enough."""
    text = "- Nora: invoice 5590 due on 9 May\n- Nora: invoice 6843 due on 11 June\n"
    hit = Result("MEMORY.md", 2, 2, 1.0, "- Nora: invoice 6843 due on 11 June", "memory", "T1", best=2)
    line = AnsweringLine(hit, "invoice 6843", (text.encode(),), ())

    assert not line.is_meant_by("Invoice 5590 is due on 9 May", date(2026, 3, 19))
    assert line.is_meant_by("The invoice is due on 12 June", date(2026, 3, 19))


@pytest.mark.parametrize(
    ("sentence", "is_meant"),
    [
        ("item 24 of the house is on shelf 2, not 7", False),
        ("Nora keeps item 6 on shelf 9", False),
        ("Nora keeps item 240 on shelf 9", True),
        ("Nora took the item for the travel to shelf 9", True),
    ],
)
def test_words_about_another_item_are_beside_none(sentence: str, is_meant: bool) -> None:
    """Seen: three other items below item 240. Mutants: a denied value is enough; words in common are."""
    text = "- Nora keeps item 240 for the travel on shelf 7.\n- Nora keeps item 6 for the house on shelf 6.\n"
    best = text.partition("\n")[0]
    hit = Result("MEMORY.md", 1, 1, 1.0, best, "memory", "T1", best=1)
    line = AnsweringLine(hit, "item 240 travel", (text.encode(),), ())

    assert line.is_meant_by(sentence, date(2026, 3, 19)) is is_meant


@pytest.mark.parametrize(
    ("line", "said", "is_rival"),
    [
        ("Mei's phone is 0151 2345678, and she hates calls before 10", "die miete ist jetzt 980 euro", False),
        ("Mei's phone is 0151 2345678, and she hates calls before 10", "not before 11", True),
        ("Mei's phone: 0151 2345678", "die nummer ist jetzt 0151 777888", True),
    ],
)
def test_words_of_a_subject_of_their_own_are_beside_what_the_question_asks(
    line: str, said: str, *, is_rival: bool
) -> None:
    """Seen: the rent stood beside a telephone number, for the hour in the same line. Mutants: any part of the line; a part without a value."""
    hit = Result("MEMORY.md", 1, 1, 1.0, f"- {line}", "memory", "T1", best=1)

    answering = AnsweringLine(hit, "mei phone", (line.encode(),), ())

    assert answering.may_give_way(said, date(2026, 3, 19)) is is_rival


def test_two_words_in_common_need_no_other_value(room, club) -> None:
    """Mutants: one word; only what has a value or a name."""
    club(CLUB, "user: the bee club is in the open air since the flood", "user: the club is fun")

    assert '"the bee club is in the open air since the flood"' in beside(room)
    assert "fun" not in beside(room)


@pytest.mark.parametrize(
    ("quoted", "is_told"),
    [
        pytest.param("the boiler burst last night.", True, id="a part of it is beside the line"),
        pytest.param("the cook is ill", False, id="something else is"),
    ],
)
def test_of_a_message_that_is_beside_a_line_in_part_the_sentence_that_answers(
    room, club, quoted: str, is_told: bool
) -> None:
    """Mutants: a turn of which a part is told is told; one word in common is enough for any."""
    club(CLUB, MOVED, "user: the boiler burst last night. So we pay for a club in the open air")
    link = Beside(0, f'the operator said on 22 March: "{quoted}"')
    question = Query(QUERY)
    hits = search(room.history, question, room.now)
    linked = [each._replace(beside=(link,)) for each in hits.results]
    with open_trusts(room.history) as trusts:
        hits = hits._replace(results=tuple(linked))
        shown = with_later_words(hits, (), QUERY, room.now.date(), trusts)

    line = next(each for each in shown.results if each.path == "MEMORY.md")
    assert ("open air" in "".join(line.later)) is is_told
    assert "boiler" not in "".join(line.later)


@pytest.mark.parametrize(
    ("said", "is_shown"), [("it's 20:30 now", True), ("tåget går 7:40, inte 7:20", False)]
)
def test_a_value_beside_another_of_its_kind_is_of_something_else_for_a_person(
    room, club, clawgit, said: str, is_shown: bool
) -> None:
    """Mutant: whatever has a value of that kind, and was said beside what answers, stands below the line."""
    line = "- The bee club begins at 19:00."
    room.append("MEMORY.md", line, actor="operator")
    club("user: the bee club begins when all are there", f"user: {said}")

    found = clawgit("search", "When does the bee club begin?", "--all").out.partition("\n\n")[0]
    assert line in found
    assert (f'"{said}"' in found) == is_shown


def test_of_a_long_turn_the_sentence_that_answers(room, club) -> None:
    """Mutants: the beginning of the turn; all of it."""
    ends = "The bee club meets at the Weidinger now. Mind the stairs."
    club(f"user: Good morning. {'I slept badly and the tram was late again today. ' * 6}{ends}")

    assert '"The bee club meets at the Weidinger now. Mind the stairs."' in beside(room)
    assert "slept" not in beside(room)


def test_the_part_that_stays_the_same_hangs_on_no_question(room, club) -> None:
    """Mutant: also in the stable part."""
    club(CLUB, MOVED)

    assert beside(room, part="stable") == LINE


def test_three_at_most_the_newest_first(room, club) -> None:
    """Mutants: all of them; two; in the order in which they were found."""
    club("user: the bee club is at the Linde", days=1)
    club("user: the bee club is at the Krug", days=2)
    club("user: the bee club is at the Weidinger", days=4)
    club("user: the bee club is at the Adler", days=6)

    shown = beside(room)

    assert shown.count("the operator said on") == 3
    assert shown.index("Adler") < shown.index("Weidinger") < shown.index("Krug")


def test_what_has_another_value_for_one_of_the_lines_own_comes_first() -> None:
    """Seen: three newer sentences about the choir, and not the weekday that was asked for. Mutants: the order of worth; any day."""
    quotes = [
        "the choir sings today, the 30th",
        "the choir is at the hall",
        "after easter we sing wednesdays",
    ]

    first, *others = rivals_first(
        [("", each) for each in quotes], "The choir is on Tuesday", date(2026, 3, 20)
    )

    assert first == ("", quotes[2])
    assert [text for _, text in others] == quotes[:2]


@pytest.mark.parametrize("is_archived", [False, True])
def test_later_words_on_a_correction_stand_beside_the_line_that_it_made(
    room, club, clawgit, is_archived: bool
) -> None:
    """Seen: the line stood bare, since a search finds its correction in its place."""
    clawgit("correct", LINE[2:], LINE[2:].replace("Gasthaus Zum Hirschen", "Café Krug"))
    if is_archived:
        clawgit("corrections", "archive", "--now", "2027-04-15")
    club(CLUB, MOVED, days=401)

    text = assemble_context(room.history, WantedContext(QUERY), room.now).text
    (line,) = [each for each in text.splitlines() if "The bee club meets at the Café" in each]
    assert line.startswith("- The bee club") is is_archived
    assert MOVED.removeprefix("user: ") in line


def test_a_fragment_behind_an_order_is_of_what_was_ordered(room, clawgit) -> None:
    """Seen: `actually we moved it to Friday`, said of a lunch, beside a holiday, too."""
    room.now = datetime.fromisoformat("2026-11-30T18:00:00+00:00")
    for text in (
        "I'm on holiday from 19 December to 4 January, please remember",
        "Remember the team lunch is on Wednesday 16 December",
        "actually we moved it to Friday",
        "ok",
    ):
        clawgit("chat", "add", text)

    moved = "moved it to Friday"
    for query, is_told in (("when am I on holiday", False), ("when is the team lunch", True)):
        text = assemble_context(room.history, WantedContext(query), room.now).text
        subject = query.split()[-1]
        line = next(each for each in text.splitlines() if each.startswith("- ") and subject in each)
        assert (moved in line) is is_told


def test_a_note_tells_nothing_that_was_undone_or_forgotten(room, clawgit) -> None:
    """Seen: the day after, the prompt still had it among the notes of the last days."""
    kept = clawgit("chat", "add", "Remember that M. Keller pays in cash").out
    lines = "user: Remember that M. Keller pays in cash\nuser: I had soup today\n"
    room.append(f"memory/{room.now.date()}.md", lines, actor="operator")
    query = WantedContext("what is on today?")

    clawgit("undo", re.search(r"m:\w+", kept)[0])

    text = assemble_context(room.history, query, room.now).text
    assert "soup" in text
    assert "Keller pays" not in text


DEPLOYS = "- The deploy of the shop to production happens on Friday at noon."


@pytest.mark.parametrize(("day", "is_told"), [("Friday", False), ("Thursday", True)])
def test_the_line_said_again_stands_beside_it_only_with_another_value(room, club, day, is_told) -> None:
    """Mutants: most words of a line are a repetition, whatever differs; a repetition stands beside it."""
    said = f"the deploy of the shop to production happens on {day} at noon"
    room.append("MEMORY.md", DEPLOYS, actor="operator")
    club(f"user: {said}", days=4)

    text = assemble_context(room.history, WantedContext("When is the deploy of the shop?"), room.now).text
    shown = next(each for each in text.splitlines() if each.startswith(DEPLOYS))
    assert (f'"{said}"' in shown) is is_told


WORK = "- Mira works at a bakery in Brno."


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        pytest.param("Mira hat den Laden verlassen, sie ist nun in der Bibliothek", True, id="the name"),
        pytest.param("the bus to Brno was full of people", False, id="a word that the question has not"),
    ],
)
def test_half_of_what_line_and_question_share_needs_no_other_value_for_a_model(
    room, club, said: str, is_told: bool
) -> None:
    """Seen: in another language a message shares only the name. Mutants: two words in any case; any word of the line."""
    room.append("MEMORY.md", WORK, actor="operator")
    club("user: Mira works a lot", f"user: {said}")

    text = assemble_context(room.history, WantedContext("Where does Mira work?"), room.now).text
    assert (said in next(each for each in text.splitlines() if each.startswith(WORK))) is is_told


KEY = "- The spare key of the studio is with Hedda upstairs."


@pytest.mark.parametrize(
    ("kept", "is_told"),
    [
        pytest.param("The spare key is with Marit by now", True, id="of the same thing"),
        pytest.param("Marit has the studio of Odo by now", False, id="one word in common"),
    ],
)
def test_what_memory_holds_as_a_later_line_stands_beside_the_earlier_one(
    room, club, kept: str, is_told: bool
) -> None:
    """Seen: the line of March eight lines above that of May, and nothing beside it. Mutants: what memory has is left out; or is told beside any line."""
    room.append("MEMORY.md", KEY, actor="operator")
    club(f"user: {kept}", days=4)
    room.append("MEMORY.md", f"- {kept}", actor="operator")

    query = "Where is the spare key of the studio?"
    text = assemble_context(room.history, WantedContext(query), room.now).text
    shown = next(each for each in text.splitlines() if each.startswith(KEY))
    assert (f'"{kept}"' in shown) is is_told


@pytest.mark.parametrize(
    ("quoted", "is_told"),
    [
        pytest.param("it is in the lockbox by the bins", True, id="the words beside the line name it"),
        pytest.param("Hedda has moved out", False, id="they do not"),
    ],
)
def test_what_names_only_the_words_beside_a_line_stands_beside_it_too(
    room, club, quoted: str, is_told: bool
) -> None:
    """Mutant: only words of the line and the question count, so that a second change is told nowhere near."""
    room.append("MEMORY.md", KEY, actor="operator")
    said = "the lockbox was broken open last night and the locksmith charged a lot, so Marit keeps it"
    club("user: the spare key of the studio is no longer upstairs", f"user: {said}")
    query = "Where is the spare key of the studio?"
    hits = search(room.history, Query(query), room.now)
    link = Beside(0, f'the operator said on 20 March: "{quoted}"')
    linked = [each._replace(beside=(link._replace(at=each.best_at),)) for each in hits.results]
    with open_trusts(room.history) as trusts:
        shown = with_later_words(hits._replace(results=tuple(linked)), (), query, room.now.date(), trusts)

    line = next(each for each in shown.results if each.path == "MEMORY.md")
    assert (said in "".join(line.later)) is is_told


@pytest.mark.parametrize(("session", "is_told"), [("agent:main:main", True), ("agent:main:cron:news", False)])
def test_what_he_said_goes_beside_a_turn_of_his_where_he_listens(
    room, club, session: str, is_told: bool
) -> None:
    """Mutant: whoever listens is told it."""
    turn = "user: the kiln club meets at the Krug"
    club(turn, days=2)
    club("user: the kiln club is at the Adler", days=4)
    room.now += timedelta(days=30)  # no note of the last days

    wanted = WantedContext("where does the kiln club meet?", session)
    text = assemble_context(room.history, wanted, room.now).text

    line = next(line for line in text.splitlines() if line.startswith(turn))
    assert ("Adler" in line) is is_told


REMINDER = "assistant: Reminder: the wax delivery is on 27 May, somebody has to sign."
CRATES = "user: the wax delivery arrives at the yard, in crates"


@pytest.mark.parametrize(
    ("answer", "is_told"),
    [
        pytest.param("user: 28th, the 27th is a holiday", True, id="another day"),
        pytest.param("user: thanks for thinking of it", False, id="nothing else"),
        pytest.param("assistant: 28th, the 27th is a holiday", False, id="the agent's own"),
    ],
)
def test_below_what_the_agent_said_is_what_he_answered(room, club, answer: str, is_told: bool) -> None:
    """Mutants: the agent's line alone; whatever comes behind it."""
    club(CRATES, days=1)
    club("user: the kiln is warm", "", REMINDER, "", answer)
    room.now += timedelta(days=30)  # no note of the last days

    text = assemble_context(
        room.history, WantedContext("When does the wax delivery arrive at the yard?"), room.now
    ).text

    shown = text[text.index(REMINDER) :]
    assert (answer in shown.splitlines()[:2]) is is_told


def test_an_answer_of_a_word_has_the_question_that_it_answers(room, club) -> None:
    """Seen: "quarter", right after "Still the half tablet in the evening?", was left out: without it, it says nothing."""
    question = "assistant: That's good! Still the half tablet in the evening?"
    club("user: Mika was at the vet, blood is better", "", question, "", "user: quarter")
    path = f"memory/{(room.now - timedelta(hours=1)).date().isoformat()}.md"
    data = room.read(path).encode()
    at = data.splitlines().index(b"user: quarter") + 1
    hit = Result(path, at, at, 0.8, "user: quarter", "memory", "T2")

    with open_trusts(room.history) as trusts:
        lines = with_answers(Hits((hit,), texts={path: data}), room.now.date(), trusts).results

    assert [each.snippet for each in lines] == [question, "user: quarter"]


def test_what_he_takes_back_is_not_below_it(room, club) -> None:
    """Mutant: whatever he answered."""
    club(
        "user: the kiln is warm",
        "",
        REMINDER,
        "",
        "user: on the 28th",
        "",
        "user: forget that, it was a joke",
    )
    room.now += timedelta(days=30)

    text = assemble_context(
        room.history, WantedContext("When does the wax delivery arrive at the yard?"), room.now
    ).text

    assert "28th" not in text


@pytest.mark.parametrize(
    ("at", "since", "later"),
    [
        pytest.param("2026-03-10T08:30:00+00:00", "2026-03-10T10:00:00+02:00", True, id="another zone"),
        pytest.param("2026-03-10T08:30:00+00:00", "2026-03-10T09:00:00+00:00", False, id="before"),
        pytest.param("2026-03-10", "2026-03-10T09:00:00+00:00", True, id="a day"),
        pytest.param("2026-03-09", "2026-03-10T09:00:00+00:00", False, id="the day before"),
    ],
)
def test_times_are_compared_as_times(at: str, since: str, later: bool) -> None:
    """Mutant: as text."""
    assert is_later(at, since) is later


@pytest.mark.parametrize("is_kept", [True, False], ids=["a message, too", "the note alone"])
def test_a_turn_above_another_one_of_the_same_note_is_not_told_as_later(room, club, clawgit, is_kept: bool) -> None:  # fmt: skip
    """Seen: `dentist to friday 10h (you said on 3 March: "I'm at the dentist thursday 14h")`: the day is one, and nothing said which is later."""
    first = "I am at the dentist on Thursday at 14:00"
    last = "the dentist moved me to Friday at 10:00"
    if is_kept:
        clawgit("chat", "add", first)
        clawgit("chat", "add", last)
    club(f"user: {first}", "assistant: Noted.", f"user: {last}", days=0)

    found = clawgit("search", "when is the dentist Friday or Thursday", "--all").out
    context = assemble_context(room.history, WantedContext("When is the dentist, Friday or Thursday?"), room.now).text  # fmt: skip

    for text in (found, context):
        assert last in text
        assert f'said on 19 March: "{first}"' not in text


def test_the_head_of_a_table_gets_no_later_words() -> None:
    """Seen: "| Job | Price |" answered "was kostet", in other languages, as well as a row."""
    head = Result(
        "prices.md", 3, 4, 0.9, "| Job  | Price |\n|---|---|", "extra", "T1", titles=("Prices", "Job | Price")
    )
    row = head._replace(first=5, last=5, best=5, score=0.8, snippet="| Small service | 59 € |")
    hits = [each._replace(since="2026-03-01T00:00:00+00:00") for each in (head._replace(best=3), row)]

    assert statements_of_best(Hits(tuple(hits))) == ["| Small service | 59 € |"]


MIRA = "- Mira: 58 kg, visits on Mondays"
NORA = "- Nora: insulin of 14 units"


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        pytest.param("No, Nora gets 16 units, not 14", False, id="another line has more of its words"),
        pytest.param("it is 57 by now", True, id="no line has a word of it"),
        pytest.param("59 units, not 58", True, id="it has the line's value"),
        pytest.param("Nora gets 16. Mira has 57 now", True, id="one of its sentences is about it"),
        pytest.param("sry looked again. no, 57", True, id="one of its sentences is bare"),
        pytest.param("my sister has 60 kg", False, id="about somebody else"),
        pytest.param(
            "the insulin is 57 instead of 58.5 in May", False, id="only another line has a word of it"
        ),
    ],
)
def test_a_turn_stands_beside_no_line_if_another_has_more_of_its_words(
    room, club, said: str, is_told: bool
) -> None:
    """Seen: one patient's insulin stood beside another's weight, for both have a number. Mutant: any other value."""
    room.append("MEMORY.md", f"{MIRA}\n{NORA}", actor="operator")
    club("user: Mira was weighed, in kg", f"user: {said}")

    text = assemble_context(room.history, WantedContext("How many kg does Mira have?"), room.now).text
    assert (said in next(each for each in text.splitlines() if each.startswith(MIRA))) is is_told


def test_the_price_of_another_plant_stands_beside_no_line_of_its_list(room, club) -> None:
    """Seen: `rozanne kostet 7,20 im verkauf` beside Caradonna, with two words of the question. Mutants: lines of MEMORY.md alone; those words count for one line only."""
    room.append("memory/plants.md", "- Salvia Caradonna, 4.50\n- Geranium Rozanne, 6.90\n", actor="operator")
    said = "rozanne costs 7.20 in the shop"
    club("user: caradonna sold well in the shop", f"user: {said}")

    for plant, is_told in (("Salvia Caradonna", False), ("Geranium Rozanne", True)):
        query = f"what does {plant.lower()} cost in the shop"
        text = assemble_context(room.history, WantedContext(query), room.now).text
        assert (said in next(each for each in text.splitlines() if each.startswith(f"- {plant}"))) is is_told


def test_what_names_another_thing_stands_beside_no_line_that_shares_a_noun() -> None:
    """Seen: the port of Redis stood beside the staging port, once that had been corrected."""
    hit = Result("MEMORY.md", 1, 1, 1.0, "- The staging port is 9090.", "memory", "T1", best=1)
    line = AnsweringLine(hit, "staging port", (), ())

    assert not line.is_meant_by("Redis moved to port 6390", date(2026, 3, 19))
    assert line.is_meant_by("The port moved to 6390", date(2026, 3, 19))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(
            "mi madre ya no vive en Sevilla, se ha mudado a Murcia", id="everyday words of another language"
        ),
        pytest.param(
            "Picked up papers at half seven, Seville is done, she liked Murcia more", id="its own name"
        ),
    ],
)
def test_a_message_that_has_words_of_the_line_alone_stands_beside_it(room, said: str) -> None:
    """Mutants: the words of the question; as written."""
    line = "- User's mother lives in Seville."
    room.append("MEMORY.md", f"{line}\n- The cat is called Pixel.", actor="operator")
    room.now += timedelta(days=1)
    with open_messages(room.history, room.now) as store:
        for text in (said, "ok", "the cat sleeps"):
            heard = IncomingMessage("user", text, sent_at=room.now, by_operator=True)
            store.add([take_down(heard, rules_in_force(room.history, room.now, "operator"), room.now)])

    text = assemble_context(room.history, WantedContext("Where does my mother live?"), room.now).text
    assert said in next(each for each in text.splitlines() if each.startswith(line))


CHOIR = "Choir rehearsal is on Tuesday at 19:30 in the parish hall."
CODE = "pls remember the gate code at the parish hall is 4412"


@pytest.mark.parametrize(
    ("line", "said", "query"),
    [
        pytest.param(
            CHOIR,
            CODE,
            "rehearsal",
            id="a secret",
        ),
        pytest.param(
            "My shift starts at 4:30, Monday to Friday.",
            "do not forget that i owe pilar a shift",
            "when does my shift start",
            id="an order with its own line",
        ),
    ],
)
def test_words_that_are_done_with_stand_beside_no_other_line(
    room, clawgit, line: str, said: str, query: str
) -> None:
    """Seen: a refused code beside the choir, a shift that is owed beside the hours of work, the old price beside the new one."""
    room.append("MEMORY.md", f"- {CHOIR}\n- {line}", actor="operator")
    for text in (CODE, said, "keep in mind marisa doesnt like calls", "ok thanks"):
        clawgit("chat", "add", text)

    prompt = assemble_context(room.history, WantedContext(query), room.now).text
    for text in (prompt, clawgit("search", query).out):
        assert f'"{said}"' not in text
    assert "4412" not in prompt


@pytest.mark.parametrize(
    "said",
    [
        "the fitting is at 11 instead of 10",
        "we meet the tailor on friday at 10",
        "jaja ya me canse, son las 11 y sigo aqui",
    ],
)
def test_what_names_another_topic_stands_beside_no_line_without_a_word_of_it(room, club, said: str) -> None:
    """Seen: the fitting of a dress at 11 instead of 10 beside 85 guests; a tired "son las 11" beside the rent. Mutant: any value in a turn that says little."""
    guests = "- Guests: 85"
    room.append("MEMORY.md", guests, actor="operator")
    club("user: the guests were many", f"user: {said}")

    text = assemble_context(room.history, WantedContext("How many guests are there?"), room.now).text
    line = next(each for each in text.splitlines() if each.startswith(guests))
    assert said not in line


class Turn(NamedTuple):
    """A message as a search finds it."""

    chat_id: str
    text: str
    sent_at: datetime
