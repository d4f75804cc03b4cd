"""What states a corrected value in other words is found below its correction, and is in no prompt.

Mutants that these tests caught: corrections only for lines that repeat the corrected sentence, `lives` filed under `life`
alone, the correction of another one's statement, a correction raised by the words around an outdated line.
"""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

from clawgit.context.assemble_context import assemble_context
from clawgit.context.wanted_context import WantedContext
from clawgit.recall.search import search
from clawgit.recall.search_results import Query, Result

FACTS = json.loads((TESTS / "recall" / "corrected_facts.json").read_text("utf-8"))
DAY, TALK = "memory/2026-02-18.md", "memory/2026-02-11-talk.md"
LEDGER = """## 2026-03-01 10:22 <!-- x:4f1c re-embedded:true -->

- trigger: by hand
- said: {entry}
- correct: {right}
- corrects: m:aa11bb
- status: applied
"""


@pytest.fixture(params=FACTS, ids=lambda fact: fact["entry"])
def fact(request, room) -> dict[str, str]:
    """Return a corrected fact; notes say the old value in the operator's words, and the same of somebody else."""
    told = request.param
    room.write("MEMORY.md", f"# Memory\n\n- {told['right']} <!-- m:aa11bb -->\n")
    room.write(DAY, f"# 2026-02-18\n\n- {told['said_again']}\n")
    room.write("memory/2026-02-20.md", f"# 2026-02-20\n\n- {told['of_another']}\n")
    room.write(
        TALK,
        f"# Session\n\nuser: Good morning.\nassistant: Hello.\nuser: {told['said']}\nassistant: Noted.\n",
    )
    room.write("CORRECTIONS.md", LEDGER.format(**told))
    room.keep("operator")
    return told


def found(room, query: str) -> tuple[Result, ...]:
    return search(room.history, Query(query, tokens=1000, guesses=True), room.now).results


def places(results: tuple[Result, ...], text: str) -> list[int]:
    return [at for at, each in enumerate(results) if text in each.snippet and not each.is_correction]


def test_the_correction_comes_before_what_says_the_old_value(room, fact) -> None:
    for query in fact["questions"]:
        results = found(room, query)
        right = [at for at, each in enumerate(results) if each.is_correction]
        old = [at for key in ("said", "said_again") for at in places(results, fact[key])]

        assert right, query
        assert all(right[0] < at for at in old), query


def test_what_is_said_of_another_stays_where_it_was(room, fact) -> None:
    results = found(room, fact["question_of_another"])
    right = [at for at, each in enumerate(results) if each.is_correction]

    (other,) = places(results, fact["of_another"])
    assert all(other < at for at in right)


def test_the_old_value_is_in_no_prompt(room, fact) -> None:
    for query in fact["questions"]:
        text = assemble_context(room.history, WantedContext(query), room.now).text
        lines = [line.removeprefix("- ").removeprefix("user: ") for line in text.splitlines()]

        assert not {fact["entry"], fact["said"], fact["said_again"]}.intersection(lines), query


def test_what_names_the_old_value_in_words_of_another_kind_is_below_the_correction_and_stays(room) -> None:
    """Mutants: nothing is put above such a line; the line goes; a prompt or a search tells it without what is right."""
    room.write("MEMORY.md", "# Memory\n\n- I drive a Skoda. <!-- m:aa11bb -->\n")
    room.write(DAY, "# 2026-02-18\n\n- The make of my car is Volvo, the old good one.\n")
    room.write("CORRECTIONS.md", LEDGER.format(entry="I drive a Volvo.", right="I drive a Skoda."))
    room.keep("operator")

    first, *others = found(room, "which make is my car")
    text = assemble_context(room.history, WantedContext("which make is my car"), room.now).text

    assert first.is_correction
    assert [each.path for each in others][:1] == [DAY]
    assert others[0].told == ("see the correction: I drive a Skoda.",)
    assert "the old good one. (see the correction: I drive a Skoda.)" in text
