"""Questions about days: what is told a day later is found, and a month is told of by all of its days.

Mutants seen to fail here: only lines of the days themselves are looked at; the latest days alone; headings by themselves;
words that only ask ("what happened") count.
"""

from __future__ import annotations

from collections import Counter

import pytest

from clawgit.recall.search import Query, search

REPAIRED = "Sam: I repaired the bicycle yesterday, changed a tyre and the chain before the winter."


@pytest.fixture
def busy(room):
    """Write thirty days of talk, and one three months later."""
    for day in range(1, 31):
        lines = "".join(
            f"Sam: item{10 * day + at} done\nEvan: fine then, thing{10 * day + at}\n" for at in range(10)
        )
        room.write(f"memory/2025-09-{day:02}.md", f"# 2025-09-{day:02}\n\n## Session\n\n{lines}")
    room.write(
        "memory/2025-12-05.md", f"# 2025-12-05\n\n## Session\n\nEvan: Hello there\n{REPAIRED}\nEvan: Nice\n"
    )
    return room


@pytest.fixture
def november(room):
    for day in range(1, 25):
        written = f"# 2025-11-{day:02}\n\n## Morning\n\n- Boiler {day}.\n- Letter {day}.\n\n## Evening\n\nWalk {day}.\n"
        room.write(f"memory/2025-11-{day:02}.md", written)
    return room


@pytest.mark.parametrize("day", ["December 4, 2025", "December 5, 2025", "2025-12-02"])
def test_what_is_told_a_day_later_is_found(busy, day: str) -> None:
    wanted = Query(f"What was Sam doing on {day}?", most=100, min_score=0.0)

    found = search(busy.history, wanted, busy.now).results

    assert any(REPAIRED in hit.snippet for hit in found[:2])


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("Friday", "On Fridays we close at 15:00."),
        ("what time on Friday do we stop?", "On Fridays we close at 15:00."),
        ("wann schließen wir am Freitag?", "Am Freitag um drei machen wir zu."),
    ],
)
def test_a_day_of_the_week_is_a_word_as_well(room, query: str, line: str) -> None:
    """Mutant: it is the last such day, and nothing else."""
    room.append("MEMORY.md", f"- The kiln is grey.\n- {line}\n")

    found = search(room.history, Query(query, min_score=0.0), room.now).results

    assert [hit.snippet for hit in found][:1] == [f"- {line}"]


def test_the_day_of_a_correction_is_no_answer(room) -> None:
    """Seen: for `samstag offen` the tablets came first, corrected that day, with the score of another line. Mutant: any line of that day."""
    room.append(
        "MEMORY.md", "- Jonte helps on Wednesdays\n- The kiln is grey.\n- Tablets: 20 mg <!-- m:aa11bb -->\n"
    )
    correction = (
        "- said: Tablets: 10 mg\n- correct: Tablets: 20 mg\n- corrects: m:aa11bb\n- status: applied\n"
    )
    room.write(
        "CORRECTIONS.md", f"# CORRECTIONS\n\n## {room.now:%Y-%m-%d %H:%M} <!-- x:cc22dd -->\n\n{correction}"
    )
    room.keep("operator")

    found = search(room.history, Query("are we open on Wednesday", guesses=True), room.now).results

    assert [hit.is_correction for hit in found][:1] == [False]


def test_a_month_is_told_of_by_its_days(november) -> None:
    found = search(november.history, Query("what happened in November 2025"), november.now)

    days = Counter(hit.path for hit in found.results)
    assert (len(days), set(days.values())) == (20, {1})
    assert found.confidence == "high"
    assert not [hit for hit in found.results if hit.snippet.split("\n")[-1].startswith("#")]


def test_no_line_is_shown_twice(november) -> None:
    wanted = Query("what happened in November 2025, Boiler and Letter and Walk in the Morning", most=100)

    found = search(november.history, wanted, november.now).results

    lines = Counter((hit.path, line) for hit in found for line in range(hit.first, hit.last + 1))
    assert set(lines.values()) == {1}
