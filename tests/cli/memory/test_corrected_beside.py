"""A line of a file beside memory that is corrected, and then corrected again or typed over: what holds is said last."""

from __future__ import annotations

import pytest

NOTES = "notes/fees.md"
LINE = "Private lesson: {} euros an hour."
TEXT = "# Fees\n\n- Private lesson: {} euros an hour.\n- Enrolment: 30 euros a year.\n"


@pytest.fixture
def fees(room):
    room.write(NOTES, TEXT.format(24))
    room.keep("operator")
    return room


def told(clawgit) -> tuple[str, str]:
    """Return the first line of a search, and the corrections of a prompt."""
    hits = clawgit("memory", "search", "how much is a private lesson", "--json").data["results"]
    prompt = clawgit("context", "--query", "how much is a private lesson").out
    return hits[0]["snippet"].split("\n")[0], prompt.partition("# Corrections")[2].partition("\n# ")[0]


@pytest.mark.parametrize("value", [pytest.param(27, id="another value"), pytest.param(24, id="back")])
def test_the_latest_of_several_corrections_of_one_line_holds(clawgit, fees, value: int) -> None:
    """Seen: each stayed in force, on one day the first came first, and back to the first value the true line was hidden."""
    clawgit("correct", LINE.format(24), LINE.format(25))

    said = clawgit("correct", LINE.format(25), LINE.format(value))

    assert "comes first" not in said.err
    first, corrections = told(clawgit)
    assert first.removeprefix("- ") == LINE.format(value)
    assert LINE.format(value) in corrections
    assert corrections.count("Private lesson") == 1


def test_a_value_that_went_to_and_fro_is_corrected_each_time(clawgit, fees) -> None:
    """Seen: `It already says that.` of the third, by the first of these corrections, which was over."""
    for day, (old, new) in enumerate([(24, 25), (25, 24), (24, 25), (25, 24)], 20):
        environment = {"CLAWGIT_NOW": f"2026-03-{day}T09:00:00", "CLAWGIT_REHEARSE": "1"}
        assert clawgit("correct", LINE.format(old), LINE.format(new), environment=environment).code == 0

    first, corrections = told(clawgit)

    assert fees.read(NOTES) == TEXT.format(24)
    assert first.removeprefix("- ") == LINE.format(24)
    assert corrections.count("Private lesson") == 1


@pytest.mark.parametrize(("actor", "holds"), [("operator", "28"), ("host", "25"), ("unknown", "25")])
def test_only_the_operators_own_words_in_the_line_end_its_correction(clawgit, fees, actor, holds) -> None:
    """Seen: the correction came first for good. Mutant: anybody's words end it."""
    clawgit("correct", LINE.format(24), LINE.format(25))
    fees.write(NOTES, TEXT.format(28))
    fees.keep(actor)

    first, corrections = told(clawgit)

    assert first.removeprefix("- ") == LINE.format(holds)
    assert (LINE.format(25) in corrections) == (holds == "25")


def test_another_line_of_the_file_ends_nothing(clawgit, fees) -> None:
    clawgit("correct", LINE.format(24), LINE.format(25))
    fees.write(NOTES, TEXT.format(25).replace("30 euros", "35 euros"))
    fees.keep("operator")

    assert told(clawgit)[0].removeprefix("- ") == LINE.format(25)
    assert LINE.format(25) in told(clawgit)[1]
