"""A date that changes takes the weekday right before it along, or there is no ready line."""

from __future__ import annotations

import pytest

from clawgit.agents.door.correction_plans import EntryInFile
from clawgit.memory.entries.entries import Entry
from clawgit.understanding.corrections.correct_by_hand import one_value_changed
from clawgit.understanding.corrections.ready_commands import line_of_yes, offered_line
from clawgit.understanding.corrections.weekday_beside_date import with_weekday
from clawgit.understanding.evidence.check_edit import Spoken
from clawgit.understanding.evidence.said_words import ANY_DAY


@pytest.mark.parametrize(
    ("old", "new", "right"),
    [
        ("za 12 dec 13.00", "za 15 dec 13.00", "di 15 dec 13.00"),
        ("Sat 12 Dec: dentist", "Sat 15 Dec: dentist", "Tue 15 Dec: dentist"),
        ("on Saturday, 12 December", "on Saturday, 15 December", "on Tuesday, 15 December"),
        ("Samstag, den 12. Dezember", "Samstag, den 15. Dezember", "Dienstag, den 15. Dezember"),
        ("sábado 12 de diciembre", "sábado 13 de diciembre", "domingo 13 de diciembre"),
        ("| za | 12 dec |", "| za | 13 dec |", "| zo | 13 dec |"),
        ("Sat the 12th", "Sat the 13th", "Sun the 13th"),
        ("za 12 dec 2026", "za 15 dec 2027", "wo 15 dec 2027"),
        ("Sat 12 Dec, Sun 13 Dec", "Sat 12 Dec, Sun 14 Dec", "Sat 12 Dec, Mon 14 Dec"),
        ("za 12 dec", "za 19 dec", "za 19 dec"),
        ("za 12 dec", "di 15 dec", "di 15 dec"),
        ("on 12 dec at 9", "on 15 dec at 9", "on 15 dec at 9"),
        pytest.param("Sam 12 Dec", "Sam 15 Dec", "", id="a name, or a Saturday"),
        pytest.param("di 15 dec 2026", "di 16 dec 2026", "wo 16 dec 2026", id="of the language with small letters"),
        pytest.param("lun 14 dicembre", "lun 16 dicembre", "", id="two languages go on differently"),
        pytest.param("za 12 dec", "za 3 januari", "", id="maybe of the next year"),
        pytest.param("za 28 feb", "za 2 mrt", "", id="maybe a leap year"),
        pytest.param("zo 12 dec 2026", "zo 15 dec 2026", "", id="it was wrong before"),
        pytest.param("Sat the 28th", "Sat the 2nd", "", id="of the next month"),
        pytest.param("Saturday 12 December", "Sunday 12 December", "", id="the date stayed"),
    ],
)  # fmt: skip
def test_a_changed_date_takes_its_weekday_along(old: str, new: str, right: str) -> None:
    """Mutants: the first language that has the word is taken; a year is guessed."""
    assert with_weekday(old, new) == right


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("Whitcombe comes on Sat 12 Dec.", "Whitcombe comes on the 15th, not the 12th", "Whitcombe comes on Tue 15 Dec."),
        ("| Sat | 12 Dec | Whitcombe |", "Whitcombe comes on the 15th, not the 12th", "| Tue | 15 Dec | Whitcombe |"),
        ("za 12 dec 13.00 Whitcombe komt", "Whitcombe comes on the 15th, not the 12th", "di 15 dec 13.00 Whitcombe komt"),
        ("Rosa's party is on Saturday 12 December.", "Rosa's party is on Sunday, not Saturday", ""),
        ("Rosa's party is on Saturday 12 December.", "Rosa's party is on Sunday 13 December, not Saturday", ""),
    ],
)  # fmt: skip
def test_no_line_with_a_stale_weekday_is_made_or_offered(line: str, said: str, right: str) -> None:
    """Seen: a yes made `za 12 dec` to `za 15 dec`, a Tuesday. Mutants: the line is made at once; the yes has the old weekday."""
    held = EntryInFile("", Entry(None, line, None, 0, 1, 1))
    assert one_value_changed(Spoken(said, ANY_DAY), [held]) == []
    assert offered_line(line, said) == right
    assert line_of_yes(line, said) in ("", right)
