"""Mutants seen to fail here: rows are paired by their place; a cell is named by the first row of the table; a secret is shown."""

from __future__ import annotations

import pytest

from clawgit.history.reading.changed_words import read_word_changes

FEES = (
    "# Fees\n\n| Pupil | per month | paid | note |\n|---|--:|---|---|\n"
    "| Oskar Lind | 136 | Feb | |\n| Emil | 90 | Mar | late |\n"
)
NO_HEAD = FEES.replace("|---|--:|---|---|\n", "")
LEASE = "The lease says many things about the flat, the garden, the cellar, the stairs and the quiet hours that begin at 22:00 and end at 6:00."
KEY = "hunter2Secret99"
PASSWORDS = f"| Site | password |\n|---|---|\n| Bank | {KEY} |\n"


class State:
    def __init__(self, text: str | None) -> None:
        self.text = text

    def read(self, _path: str) -> bytes | None:
        return None if self.text is None else self.text.encode()


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param(
            FEES, FEES.replace("136", "130"), ["f.md: Oskar Lind, per month: 136 → 130"], id="a cell"
        ),
        pytest.param(
            FEES,
            FEES.replace("136 | Feb | |", "1300 | | twice |"),
            [
                "f.md: Oskar Lind, per month: 136 → 1300",
                "f.md: Oskar Lind, paid: Feb → nothing",
                "f.md: Oskar Lind, note: nothing → twice",
            ],
            id="three cells of a row",
        ),
        pytest.param(
            FEES,
            FEES.replace("| Oskar Lind | 136 | Feb | |\n", "").replace("90", "95"),
            ["f.md: Emil, per month: 90 → 95", 'f.md -1: "Oskar Lind | 136 | Feb"'],
            id="a row that went beside one that changed",
        ),
        pytest.param(FEES, f"{FEES}| Karl | 120 |", ['f.md +1: "Karl | 120"'], id="a row that came"),
        pytest.param(
            NO_HEAD, NO_HEAD.replace("136", "130"), ["f.md: Oskar Lind: 136 → 130"], id="rows without a head"
        ),
        pytest.param("Rent: 500\nA\n", "Rent: 520\nA\n", ['f.md: "Rent: 500" → "Rent: 520"'], id="a line"),
        pytest.param("a\r\nb\r\n", "a\nc\n", ['f.md: "b" → "c"'], id="a line, and other line ends"),
        pytest.param(
            LEASE,
            LEASE.replace("22:00", "21:00"),
            [
                'f.md: "…stairs and the quiet hours that begin at 22:00 and end at 6:00."'
                ' → "…stairs and the quiet hours that begin at 21:00 and end at 6:00."'
            ],
            id="a long line",
        ),
        pytest.param("1\n2\n3\n4\n", "5\n6\n7\n8\n", [], id="many lines"),
        pytest.param("a\n", "a\n\n| | |\n", [], id="an empty row"),
        pytest.param(None, "1\n", [], id="a new file"),
        pytest.param("a\n", "a\0b\n", [], id="no text any more"),
        pytest.param(
            PASSWORDS,
            PASSWORDS.replace(KEY, f"{KEY}1"),
            ["f.md: Bank, password: [redacted password] → [redacted password]"],
            id="a secret under its head",
        ),
    ],
)
def test_a_small_edit_is_told_in_its_words(old: str | None, new: str, lines: list[str]) -> None:
    assert [change.line for change in read_word_changes(State(old), State(new), "f.md")] == lines


def test_what_is_no_searched_text_is_not_read() -> None:
    assert read_word_changes(State("a\n"), State("b\n"), "app.py") == []
