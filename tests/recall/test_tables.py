"""A row of a table is found by its cells and the heads of its columns, and is the hit."""

from __future__ import annotations

import pytest

from clawgit.recall.model_lines import hit_line
from clawgit.recall.search import search
from clawgit.recall.search_results import Query

FEES = """# Fees

## Fees (no longer)

| Pupil | per month |
|---|---|
| Lotte Petersen | 124 |
| Yasmin Aydin | 124 |

## Fees

| Pupil | per month | paid until | note |
|---|---|---|---|
| Lotte Petersen | 136 | Jan 2026 | late again |
| Mads Holm | 136 | Mar 2026 | |
| Yasmin Aydin | 204 | Feb 2026 | double lesson before the exam |
| Finn Jansen | 136 | Feb 2026 | |
"""
CONCERT = "# Summer concert\n\n7. Lotte: Twinkle\n8. Yasmin: Bruch\n9. All: paid per month of rehearsal\n"


@pytest.fixture
def tables(room):
    room.write("pupils/fees.md", FEES)
    room.write("concert.md", CONCERT)
    room.keep("operator")
    return room


def hits(room, query: str):
    return search(room.history, Query(query), room.now).results


def test_the_row_with_the_name_below_the_asked_head_is_the_first_hit(tables) -> None:
    """Seen: the order of a concert first, the row sixth. Mutants: no heads above rows; the words of the rows around count for a row."""
    first = hits(tables, "what does Yasmin pay per month")[0]

    assert first.snippet == "| Yasmin Aydin | 204 | Feb 2026 | double lesson before the exam |"
    assert first.titles[-1] == "Pupil | per month | paid until | note"


def test_of_rows_that_answer_as_well_the_one_whose_headings_say_less_is_first(tables) -> None:
    """Seen: the fee of last year first. Mutants: rows of fewer columns count more; the heads of columns count as a heading that narrows."""
    first, second = hits(tables, "Yasmin fee")[:2]

    assert "204" in first.snippet
    assert "124" in second.snippet


def test_rows_and_heads_that_hold_nothing_of_the_question_are_not_shown_below_one_that_does(tables) -> None:
    """Seen: the head and the first rows as a hit, without the row that answers. Mutants: the head stays; all rows stay."""
    shown = "\n".join(hit.snippet for hit in hits(tables, "Yasmin per month") if hit.path == "pupils/fees.md")

    assert shown.count("\n") == 1
    assert "Lotte" not in shown


def test_a_question_for_a_head_alone_shows_the_table(tables) -> None:
    """Mutant: a head is never a hit."""
    assert "| Pupil | per month | paid until | note |\n|---|" in hits(tables, "paid until")[0].snippet


def test_a_line_behind_a_table_is_below_the_heading_and_not_below_the_heads_of_columns(tables) -> None:
    """Mutant: the section of the table goes on to the next heading."""
    tables.write("pupils/fees.md", FEES + "\nThe bassoon costs extra.\n")
    tables.keep("operator")

    assert hits(tables, "bassoon")[0].titles == ("Fees", "Fees")


def test_a_model_reads_the_heading_and_the_heads_of_a_row(tables) -> None:
    """Mutant: the heads hide a heading that says that all below it is old."""
    old = hits(tables, "Yasmin fee")[1]

    assert 'under "Fees (no longer) › Pupil | per month"' in hit_line(old)
