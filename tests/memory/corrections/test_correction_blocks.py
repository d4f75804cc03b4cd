from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import (
    read_corrections,
    with_correction,
    with_entry,
    without_corrections,
)
from clawgit.memory.entries.entries import read_entries

ONE = b"## 2026-03-01 10:22 <!-- x:aaa111 re-embedded:false -->\n\n- said: tea\n- correct: coffee\n- status: applied\n"
TWO = ONE.replace(b"aaa111", b"bbb222").replace(b"coffee", b"cocoa")
LEDGER = b"# CORRECTIONS\n\n" + ONE + b"\n" + TWO


def one(data: bytes):
    return read_corrections(data)[0]


def test_a_dropped_correction_comes_back_at_the_end_byte_for_byte() -> None:
    left = b"# CORRECTIONS\n\n" + TWO

    assert with_correction(left, LEDGER, one(LEDGER)) == left + b"\n" + ONE


def test_an_altered_one_reads_in_its_place_as_before() -> None:
    assert with_correction(LEDGER.replace(b"coffee", b"tea"), LEDGER, one(LEDGER)) == LEDGER


def test_a_correction_comes_back_into_an_empty_file_and_behind_an_open_line() -> None:
    assert with_correction(b"", LEDGER, one(LEDGER)) == ONE
    assert with_correction(b"open", LEDGER, one(LEDGER)) == b"open\n\n" + ONE


def test_one_is_taken_out_and_the_others_stay() -> None:
    assert without_corrections(LEDGER, {"aaa111"}) == b"# CORRECTIONS\n\n" + TWO
    assert without_corrections(LEDGER, {"ccc333"}) == LEDGER


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (b"# M\n\n- a\n- c\n", b"# M\n\n- a\n- b <!-- m:b1 -->\n  more\n- c\n"),
        (b"- c\n", b"- b <!-- m:b1 -->\n  more\n- c\n"),
        (b"", b"- b <!-- m:b1 -->\n  more\n"),
        (b"- new\n- a", b"- new\n- a\n- b <!-- m:b1 -->\n  more\n"),
    ],
)
def test_an_entry_comes_back_between_the_lines_that_stood_around_it(left: bytes, expected: bytes) -> None:
    old = b"# M\n\n- a\n- b <!-- m:b1 -->\n  more\n- c\n"
    entry = next(each for each in read_entries(old) if each.entry_id == "b1")

    assert with_entry(left, old, entry) == expected


NOTED = b"- a\n- b <!-- m:b1 -->\n  <!-- was: c -->\n- d <!-- m:d1 -->\n  <!-- was: c -->\n"


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(NOTED.replace(b"- b <!-- m:b1 -->\n", b""), id="left behind"),
        pytest.param(NOTED.replace(b"- b <!-- m:b1 -->\n  <!-- was: c -->\n", b""), id="another line's"),
    ],
)
def test_an_entry_comes_back_with_one_comment_of_its_earlier_text(left: bytes) -> None:
    """Seen: `sed` deleted a corrected line, and its comment stayed below the line above it."""
    assert with_entry(left, NOTED, read_entries(NOTED)[1]) == NOTED


TABLE = b"| what | when |\n|---|---|\n| review | 3 May |\n"


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        pytest.param(
            b"# M\n\n" + TABLE + b"\n- a\n",
            b"# M\n\n" + TABLE + b"\n- a\n- b <!-- m:b1 -->\n",
            id="an earlier table has the line above it, too",
        ),
        pytest.param(
            b"| who | what |\n|---|---|\n| Ada | x |\n",
            b"| who | what |\n|---|---|\n| Ada | x |\n\n- b <!-- m:b1 -->\n",
            id="the table is new",
        ),
        pytest.param(
            b"```\n|---|---|\nnew\n```\n",
            b"```\n|---|---|\nnew\n```\n\n- b <!-- m:b1 -->\n",
            id="code is new",
        ),
    ],
)
def test_an_entry_comes_back_into_no_table_and_no_code(left: bytes, expected: bytes) -> None:
    """Seen: `|---|---|` of the first table was taken for that of the last, and the corrected lines stayed in the first."""
    old = b"# M\n\n" + TABLE + b"\n- a\n\n## Z\n\n| what | when |\n|---|---|\n- b <!-- m:b1 -->\n"
    entry = next(each for each in read_entries(old) if each.entry_id == "b1")

    assert with_entry(left, old, entry) == expected


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        pytest.param("# M\n\nNew text.\n", "# M\n\n- b <!-- m:b1 -->\n\nNew text.\n", id="above prose"),
        pytest.param("# M\nNew text.\n", "# M\n- b <!-- m:b1 -->\n\nNew text.\n", id="above prose, no gap"),
        pytest.param("New\ntext\n- a\n", "New\ntext\n- a\n- b <!-- m:b1 -->\n", id="in the list"),
        pytest.param("- a\nNew text", "- a\nNew text\n\n- b <!-- m:b1 -->\n", id="behind text of an item"),
        pytest.param(
            "- a\n  - its own\n- z\n", "- a\n  - its own\n- b <!-- m:b1 -->\n- z\n", id="behind nested items"
        ),
        pytest.param("- a\n\n```\nopen\n", "- a\n- b <!-- m:b1 -->\n\n```\nopen\n", id="above open code"),
        pytest.param("```\nopen\n- a\n", "- b <!-- m:b1 -->\n\n```\nopen\n- a\n", id="never in open code"),
        pytest.param("- a\n1. one\n", "- a\n- b <!-- m:b1 -->\n\n1. one\n", id="above a numbered list"),
    ],
)
def test_an_entry_comes_back_as_a_block_of_its_own(left: str, expected: str) -> None:
    """Seen: the agent's sentence below the entry became part of it, with the trust of the corrected words."""
    old = b"# M\n\n- a\n- b <!-- m:b1 -->\n"
    entry = next(each for each in read_entries(old) if each.entry_id == "b1")

    text = with_entry(left.encode(), old, entry)

    assert text.decode() == expected
    assert [each.text for each in read_entries(text) if each.entry_id == "b1"] == ["b"]
