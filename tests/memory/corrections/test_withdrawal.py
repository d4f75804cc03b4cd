"""A correction that an undo would remove is withdrawn: it stays in the archive, and stands nowhere twice."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    add_correction,
    archive_of,
    keep_corrections,
    read_corrections,
    restored,
    standing,
)

ONE = Correction("4f1c", "2026-03-01 10:22", correct="Thursday.", corrects=("7k2x9d",), status=Status.APPLIED)
TWO = Correction("77aa", "2026-04-02 08:00", correct="Tea.", status=Status.OPEN)
MARCH, APRIL = "Archive/Corrections/2026-03.md", "Archive/Corrections/2026-04.md"
BOTH = add_correction(add_correction(b"# CORRECTIONS\n", ONE), TWO)
ONLY_TWO = add_correction(b"# CORRECTIONS\n", TWO)


def states(texts: dict[str, bytes]) -> dict[tuple[str, str], str]:
    found = ((path, each) for path, text in texts.items() for each in read_corrections(text, path))
    return {(path, each.correction_id): each.status.value for path, each in found}


def test_one_that_the_new_state_lacks_goes_to_the_archive_of_its_month() -> None:
    texts, withdrawn = keep_corrections({LEDGER: BOTH}, {LEDGER: ONLY_TWO}, ())

    assert states(texts) == {(LEDGER, "77aa"): "open", (MARCH, "4f1c"): "withdrawn"}
    assert [each.correction_id for each in withdrawn] == ["4f1c"]
    assert standing(texts)["4f1c"].correct == "Thursday."
    assert standing(texts)["4f1c"].corrects == ("7k2x9d",)


def test_one_that_is_named_is_withdrawn_wherever_it_stands() -> None:
    """Mutant: without the second look, a correction that was archived meanwhile stays in force."""
    archived = {LEDGER: b"# CORRECTIONS\n", MARCH: add_correction(b"", ONE), APRIL: add_correction(b"", TWO)}

    texts, withdrawn = keep_corrections(archived, archived, {"4f1c"})

    assert states(texts) == {(MARCH, "4f1c"): "withdrawn", (APRIL, "77aa"): "open"}
    assert [each.correction_id for each in withdrawn] == ["4f1c"]


def test_one_that_is_back_in_the_ledger_leaves_the_archive() -> None:
    """Mutant: without it, the id stands twice."""
    old, _ = keep_corrections({LEDGER: BOTH}, {LEDGER: ONLY_TWO}, ())

    texts, withdrawn = keep_corrections(old, {**old, LEDGER: BOTH}, ())

    assert states(texts) == {(LEDGER, "4f1c"): "applied", (LEDGER, "77aa"): "open"}
    assert withdrawn == ()
    assert [each.correction_id for each in restored(old, texts)] == ["4f1c"]


def test_what_was_archived_as_withdrawn_never_vanishes_either() -> None:
    old, _ = keep_corrections({LEDGER: BOTH}, {LEDGER: ONLY_TWO}, ())

    texts, withdrawn = keep_corrections(old, {LEDGER: ONLY_TWO, MARCH: b""}, ())

    assert texts[MARCH] == old[MARCH]
    assert withdrawn == ()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_whatever_was_written_below_it_goes_along(end: str) -> None:
    """Mutant: rendered anew, the operator's own note is lost."""
    text = (
        "# C\n\n## 2026-03-01 <!-- x:4f1c -->\n\n* Correct: Thursday.\n* STATUS : applied,\n  since March\n"
        "\nAda said so twice.\n\n- source: mail\n"
    ).replace("\n", end)

    texts, _ = keep_corrections({LEDGER: text.encode()}, {LEDGER: b"# C\n"}, ())

    assert "Ada said so twice." in texts[MARCH].decode()
    assert "- source: mail" in texts[MARCH].decode()
    assert states(texts) == {(MARCH, "4f1c"): "withdrawn"}


def test_one_without_a_state_gets_one() -> None:
    text = b"## some day <!-- x:4f1c -->\n- correct: Thursday.\n"

    texts, _ = keep_corrections({LEDGER: text}, {LEDGER: b""}, ())

    assert states(texts) == {("Archive/Corrections/undated.md", "4f1c"): "withdrawn"}


def test_the_archive_is_that_of_its_month_or_where_it_stands() -> None:
    assert archive_of(ONE) == MARCH
    assert archive_of(Correction("1", "2026-13-01")) == "Archive/Corrections/undated.md"
    assert (
        archive_of(Correction("1", "2026-03-01", path="Archive/Corrections/old.md"))
        == "Archive/Corrections/old.md"
    )
