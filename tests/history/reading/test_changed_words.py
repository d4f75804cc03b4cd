"""Mutants seen to fail here: a secret is shown, also one that only the head of its column tells; a realigned table is an edit in words."""

from __future__ import annotations

import pytest

from clawgit.history.reading.changed_words import read_word_changes

FEES = (
    "# Fees\n\n| Pupil | per month | paid | note |\n|---|--:|---|---|\n"
    "| Oskar Lind | 136 | Feb | |\n| Emil | 90 | Mar | late |\n"
)
LEASE = "The lease says many things about the flat, the garden, the cellar, the stairs and the quiet hours that begin at 22:00 and end at 6:00."
KEY = "hunter2Secret99"
PASSWORDS = f"| Site | password |\n|---|---|\n| Bank | {KEY} |\n"

WORDS_TOLD = "| Site | Password | PIN |\n|---|---|---|\n| Shop | rosen-77 | 4482 |\n"
BODY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdz\n"
BLOCK = f"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA{BODY * 9}{BODY[1:]}-----END OPENSSH PRIVATE KEY-----\n"


class State:
    def __init__(self, text: str | None) -> None:
        self.text = text

    def read(self, _path: str) -> bytes | None:
        return None if self.text is None else self.text.encode()


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param(
            FEES,
            FEES.replace("136 | Feb | |", "1300 | | twice |"),
            ['f.md: "Oskar Lind | 136 | Feb" → "Oskar Lind | 1300 | | twice"'],
            id="a row",
        ),
        pytest.param(
            FEES,
            FEES.replace("| Oskar Lind | 136 | Feb | |\n", "").replace("90", "95"),
            [
                'f.md -1: "Oskar Lind | 136 | Feb"',
                'f.md: "Emil | 90 | Mar | late" → "Emil | 95 | Mar | late"',
            ],
            id="a row that went beside one that changed",
        ),
        pytest.param(FEES, f"{FEES}| Karl | 120 |", ['f.md +1: "Karl | 120"'], id="a row that came"),
        pytest.param("Rent: 500\nA\n", "Rent: 520\nA\n", ['f.md: "Rent: 500" → "Rent: 520"'], id="a line"),
        pytest.param("a\r\nb\r\n", "a\nc\n", ['f.md: "b" → "c"'], id="a line, and other line ends"),
        pytest.param(
            LEASE,
            LEASE.replace("22:00", "21:00"),
            [
                'f.md: "…and the quiet hours that begin at 22:00 and end at 6:00."'
                ' → "…and the quiet hours that begin at 21:00 and end at 6:00."'
            ],
            id="a long line",
        ),
        pytest.param(
            "one\n\ntwo\n",
            "1\n\n2\n",
            ['f.md: "one" → "1"', 'f.md: "two" → "2"'],
            id="two lines in their places",
        ),
        pytest.param(
            "| A | B |\n|---|---|\n| x | 1 |\n",
            "| A  | B  |\n|----|----|\n| x  | 1  |\n",
            [],
            id="a table with other white space",
        ),
        pytest.param(
            "| A | B |\n|---|---|\n| x | 1 |\n",
            "| A | B | C |\n|---|---|---|\n| x | 1 | 2 |\n",
            ['f.md: "A | B" → "A | B | C"', 'f.md: "x | 1" → "x | 1 | 2"'],
            id="a column that came",
        ),
        pytest.param(
            "| Item | Qty |\n|---|---|\n| Nails | 6 |\n\n| Item | EUR |\n|---|---|\n| Nails | 5 |\n",
            "| Item | Qty |\n|---|---|\n| Nails | 6 |\n\n| Item | EUR |\n|---|---|\n| Nails | 6 |\n",
            ['f.md: "Nails | 5" → "Nails | 6"'],
            id="the second of two tables",
        ),
        pytest.param(
            "| Day | Who |\n|---|---|\n| Mon | Anna |\n\n| Day | EUR |\n|---|---|\n",
            "| Day | Who |\n|---|---|\n\n| Day | EUR |\n|---|---|\n| Mon | 6 |\n",
            ['f.md -1: "Mon | Anna"', 'f.md +1: "Mon | 6"'],
            id="rows of two tables",
        ),
        pytest.param(
            "| Day | What |\n|---|---|\n| 1 May | Dentist |\n| 1 May | Bus |\n| 2 May | Sea |\n",
            "| Day | What |\n|---|---|\n| 1 May | Bus |\n| 2 May | Sea |\n| 1 May | Wash |\n",
            ['f.md -1: "1 May | Dentist"', 'f.md +1: "1 May | Wash"'],
            id="several rows of a name",
        ),
        pytest.param("| | 1 |\n", "| | 2 |\n", ['f.md: "1" → "2"'], id="a row without a name"),
        pytest.param(
            "| A | PIN |\n|---|---|\n| x | 1 |\n\n| A | B |\n|---|---|\n| x | 4482 |\n\nEnd\n",
            "| A | PIN |\n|---|---|\n| x | 4482 |\n\n| A | B |\n|---|---|\n| x | 4482 |\n\nEnds\n",
            None,
            id="a row that stands in another table, too",
        ),
        pytest.param("1\n2\n3\n4\n", "5\n6\n7\n8\n", None, id="many lines"),
        pytest.param("a\n", "a\n\n| | |\n", [], id="an empty row"),
        pytest.param(None, "1\n", [], id="a new file"),
        pytest.param("a\n", "a\0b\n", None, id="no text any more"),
        pytest.param(
            PASSWORDS,
            PASSWORDS.replace(KEY, f"{KEY}1"),
            None,
            id="a secret under its head",
        ),
        pytest.param(
            WORDS_TOLD,
            WORDS_TOLD.replace("rosen-77", "tulpen-8").replace("4482", "4491"),
            None,
            id="a secret that only its head tells",
        ),
        pytest.param(
            WORDS_TOLD,
            f"{WORDS_TOLD}| Club | rosen-99 | 1234 |\n",
            None,
            id="a row with a secret that came",
        ),
        pytest.param(
            "Password:\n  Krokodil7!gelb\n",
            "Password:\n  Krokodil8!rot\n",
            None,
            id="a secret under the line that names it",
        ),
        pytest.param(BLOCK, BLOCK.replace(f"\n{BODY[1:]}", f"\n9{BODY[1:]}"), None, id="a line of a key"),
        pytest.param(
            "Wifi token ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8: desk\n",
            "Wifi token ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8: box\n",
            None,
            id="a line beside a secret in it",
        ),
    ],
)
def test_a_small_edit_is_told_in_its_words(old: str | None, new: str, lines: list[str] | None) -> None:
    changes = read_word_changes(State(old), State(new), "f.md")

    if changes is not None:
        changes = [change.line for change in changes]
    assert changes == lines


@pytest.mark.parametrize(
    ("first", "last", "lines"),
    [
        pytest.param(FEES, FEES.replace("136", "130"), 1, id="so"),
        pytest.param(FEES, FEES.replace("136 | Feb", "130 | Mar"), 0, id="and the row was changed again"),
        pytest.param(FEES, FEES.replace("| 136 |", "|  130  |"), 1, id="so, with other white space"),
        pytest.param(FEES, FEES, 0, id="taken back"),
        pytest.param(FEES, FEES.replace("136", "128"), 0, id="changed again"),
        pytest.param(FEES.replace("136", "130"), FEES.replace("136", "130"), 0, id="so before"),
    ],
)
def test_only_what_is_so_now_and_was_not_is_told_of_two_states(first: str, last: str, lines: int) -> None:
    since = (State(first), State(last))

    changes = read_word_changes(State(FEES), State(FEES.replace("136", "130")), "f.md", since)

    assert changes is not None
    assert len(changes) == lines


def test_of_memory_the_lines_that_are_no_entries_are_told() -> None:
    """Mutant: an entry, which has a row of its own, is told again, or a line within it."""
    old = "# Memory\n\n- Nora: tea.\n  <!-- before: milk. -->\n\n| Kiln | 3 May |\n"
    states = State(old), State(old.replace("tea", "water").replace("milk", "tea").replace("3", "4"))

    (change,) = read_word_changes(*states, "MEMORY.md") or ()

    assert change.line == 'MEMORY.md: "Kiln | 3 May" → "Kiln | 4 May"'
    assert len(read_word_changes(*states, "notes.md") or ()) == 3


def test_what_is_no_searched_text_is_not_read() -> None:
    assert read_word_changes(State("a\n"), State("b\n"), "app.py") is None
