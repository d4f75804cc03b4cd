"""A context tells the operator's own words with what was read from them, and drops nothing of his for a reading."""

from __future__ import annotations

import pytest
from readings_made import NEW, OLD, WITH_LINK, WITH_QUOTE, correct, line, link, write

from clawgit.context.assemble_context import assemble_context
from clawgit.context.hits_told import telling
from clawgit.context.receipts import find_receipt, keep_receipt, rebuild_context
from clawgit.context.wanted_context import Context, WantedContext
from clawgit.memory.corrections.correction_log import Status
from clawgit.recall.model_lines import hit_line
from clawgit.recall.search import search
from clawgit.recall.search_results import Query

ASKED = WantedContext("where are board meetings?")


@pytest.fixture
def march(room):
    files = dict.fromkeys(("SOUL.md", "IDENTITY.md", "AGENTS.md", "USER.md"), "")
    room.change(files, actor="operator")
    room.now = room.now.replace(day=8)
    return room


def made(room, wanted: WantedContext = ASKED) -> Context:
    return assemble_context(room.history, wanted, room.now)


def test_a_reading_is_told_as_memory_with_his_words(march) -> None:
    write(march, line(NEW), "we go to Basel with the board")

    (told,) = [row for row in made(march).stable.splitlines() if NEW in row]

    assert told == f'- {NEW} (the operator\'s words, 8 March: "we go to Basel with the board")'


def test_a_correction_that_is_a_reading_is_told_with_his_words(march) -> None:
    correct(march)
    context = keep_receipt(march.history, made(march), ASKED, march.now)

    (told,) = [row for row in context.stable.splitlines() if NEW in row]
    assert told == f"- 2026-03-08: {NEW} ({WITH_QUOTE})"
    assert rebuild_context(march.history, find_receipt(march.history, context.receipt, march.now)).is_same


@pytest.mark.parametrize(
    ("line_text", "quote", "is_told"),
    [
        pytest.param("Ada gets a fixie, budget 700.", "Ada gets a fixie. Budget 700", False, id="the same words"),
        pytest.param("Ada gets a fixie, budget 700.", "Ada gets a fixie. Budget: 700", False, id="with other stops"),
        pytest.param("Ada gets a fixie, budget 700.", "Ada gets a fixie, finally. budget 700", True, id="a word more"),
        pytest.param("Ada gets a fixie, budget 700.", "Ada gets a fixie.", True, id="a part of the line"),
        pytest.param("Ada gets a fixie, budget 700.", "budget 700. Ada, she gets a fixie", True, id="other words"),
    ],
)  # fmt: skip
def test_a_quote_is_told_beside_a_line_that_does_not_say_just_that(
    march, line_text: str, quote: str, is_told: bool
) -> None:
    """Seen: lines of a week told twice, once as their own quotes."""
    write(march, line(line_text), quote)

    (told,) = [row for row in made(march).stable.splitlines() if line_text in row]

    quoted = f': "{quote}"' if is_told else ""
    assert told == f"- {line_text} (the operator's words, 8 March{quoted})"


def test_a_quote_that_a_line_joins_to_what_it_said_is_not_told_again(march) -> None:
    """Mutant: only what a line says before is told beside it."""
    write(march, line("Contact of the hall: Ada."), actor="operator")
    write(march, line("Contact of the hall: Ada is on leave until May."), "Ada is on leave until May")

    (told,) = [row for row in made(march).stable.splitlines() if "leave" in row]

    assert told.endswith("until May. (the operator's words, 8 March; before: Contact of the hall: Ada.)")


def test_in_a_small_context_what_the_others_leave_is_for_what_was_asked_about(room) -> None:
    """Seen: of 300 tokens a third stayed free, and the one correction that was asked about was not in. Mutant: only what the slots of the talk leave."""
    correct(room)
    others = "".join(
        f"- Bill {number} of the hall in Lisbon, for its roof and both doors of the yard, was paid by Ada in cash there.\n"
        for number in range(4)
    )
    write(room, room.read("MEMORY.md") + others, actor="operator")
    room.history.settings = room.history.settings._replace(context_budget_tokens=300)

    context = made(room, WantedContext("what is it with Zurich?"))

    assert f"- 2026-03-08: {NEW} ({WITH_QUOTE})" in context.recalled
    assert "# SOUL.md" in context.stable
    assert context.tokens <= 300


def test_a_line_that_he_seems_to_contradict_is_told_with_what_he_said(march) -> None:
    write(march, line(OLD), actor="operator")
    link(march)

    assert f"- {OLD} ({WITH_LINK})" in made(march).stable


@pytest.mark.parametrize("query", ["where are board meetings?", "what is the rent?", ""])
def test_what_only_touches_a_line_is_told_with_it_whatever_is_asked(march, query: str) -> None:
    """Seen: a session began with the old port, and "deploy to staging please" found nothing. Mutant: only where that is asked."""
    write(march, line(OLD), actor="operator")
    link(march, confidence="low")

    (told,) = [row for row in made(march, WantedContext(query)).stable.splitlines() if OLD in row]

    assert told == f"- {OLD} ({WITH_LINK})"


def test_of_two_words_beside_a_line_the_later_are_told_first(march) -> None:
    """Seen: "14 days (on 18 March: 35; on 23 May: 60)", another line the other way round. Mutant: the surer link first."""
    write(march, line(OLD), actor="operator")
    link(march, at="2026-03-06 09:00", trigger="the board meets in Basel")
    link(march, name="71nm", at="2026-03-07 09:00", trigger="the board is in Bern now", confidence="low")

    (told,) = [row for row in made(march).stable.splitlines() if OLD in row]

    assert told.index("Bern") < told.index("Basel")


def test_what_he_said_since_is_told_with_a_correction_that_stands_for_its_line(march) -> None:
    """Mutant: he corrects a line, then says that he was wrong, and the context has the correction alone."""
    correct(march, NEW, status=Status.APPLIED)
    back = "No, I was wrong: they are in Zurich after all."
    link(march, NEW, trigger=back)

    (told,) = [row for row in made(march).stable.splitlines() if NEW in row]

    assert told == f'- 2026-03-08: {NEW} (the operator said on 9 March: "{back}")'


@pytest.mark.parametrize("query", ["", "when is Hanno's birthday?"])
def test_what_is_remembered_is_told_as_such_where_his_words_are_beside_another_line_too(
    march, query: str
) -> None:
    """Seen: a birthday in MEMORY.md was told as a remark about a concert, and nowhere else."""
    kept = "Hanno's birthday is on 12 March."
    correct(march, NEW, status=Status.APPLIED)
    write(march, line(NEW) + line(kept, "bbb222"), actor="operator")
    link(march, NEW, trigger=f"Don't forget: {kept}")

    context = made(march, WantedContext(query))

    assert f"- {kept}\n" in context.stable + context.recalled


def test_his_older_lines_stay_beside_a_reading(march) -> None:
    """Mutant: an understood correction outdates by value."""
    write(march, f"# 2026-03-07\n\n- {OLD}\n", actor="operator", path="memory/2026-03-07.md")
    correct(march)

    assert f"- {OLD}\n" in made(march).recalled


def test_a_line_that_a_search_finds_is_told_with_his_words(march) -> None:
    write(march, f"# 2026-02-01\n\n- {NEW}\n", "we go to Basel with the board", path="memory/2026-02-01.md")

    assert f'{NEW} (the operator\'s words, 8 March: "we go to Basel with the board")' in made(march).recalled


def test_a_model_that_searches_reads_once_what_a_reading_set_right(room) -> None:
    """Seen: "Before: Board meetings are in Zurich. (…; before: Zurich)"."""
    correct(room)
    found = search(room.history, Query("board meetings"), room.now)

    lines = [hit_line(each) for each in telling(room.history, found.results, room.now)]

    assert f"[CORRECTIONS.md:6] {NEW} ({WITH_QUOTE})" in lines
