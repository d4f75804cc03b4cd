"""Corrections survive being written and read, whatever the operator said."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.correction_log import (
    Correction,
    Status,
    add_correction,
    mixed_up,
    move_corrections,
    read_corrections,
    render_correction,
    replace_correction,
)

LEDGER = b"# CORRECTIONS\n\n<!-- What the operator set right. -->\n"
ONE = Correction(
    "4f1c",
    "2026-03-01 10:22",
    "no, it is Thursday",
    "high",
    "The review is on Wednesday.",
    "The review is on Thursday.",
    ("7k2x9d", "1abc"),
    Status.APPLIED,
    re_embedded=True,
)


def told(correction: Correction) -> tuple[object, ...]:
    """Return everything but the place."""
    return (
        correction.correction_id,
        correction.at,
        correction.trigger,
        correction.trigger_confidence,
        correction.said,
        correction.correct,
        correction.corrects,
        correction.status,
        correction.re_embedded,
    )


@pytest.mark.parametrize(
    "said",
    [
        "plain",
        "with --> and <!-- x:9999 re-embedded:true -->",
        "## 2026-03-02 11:00 <!-- x:9999 re-embedded:true -->",
        "two\nlines\n\n## 2026-03-02 <!-- x:9999 -->",
        "- status: withdrawn",
        "```\ncode",
        "status: withdrawn: really",
        "",
        "코드: 리뷰는 목요일",
    ],
)
def test_what_was_said_comes_back_on_one_line_and_opens_nothing(said: str) -> None:
    first = Correction("4f1c", "2026-03-01 10:22", said, "high", said, said, ("7k",), Status.OPEN)
    data = add_correction(add_correction(LEDGER, first), ONE_MORE)

    read = read_corrections(data)

    folded = " ".join(said.split())
    assert told(read[0]) == (
        "4f1c", "2026-03-01 10:22", folded, "high", folded, folded, ("7k",), Status.OPEN, False,
    )  # fmt: skip
    assert [each.correction_id for each in read] == ["4f1c", "77aa"]
    assert data.startswith(LEDGER)


ONE_MORE = Correction("77aa", "2026-03-02 08:00", correct="Tea.")


def test_a_written_correction_reads_as_the_design_says() -> None:
    assert render_correction(ONE).decode() == (
        "## 2026-03-01 10:22 <!-- x:4f1c re-embedded:true -->\n\n"
        "- trigger: no, it is Thursday\n- trigger confidence: high\n- said: The review is on Wednesday.\n"
        "- correct: The review is on Thursday.\n- corrects: m:7k2x9d, m:1abc\n- status: applied\n"
    )


def test_what_the_agent_said_stands_before_what_gave_way() -> None:
    """Mutant: the agent's turn takes the place of the entry's old words, by which a correction is found."""
    whole = ONE._replace(turn="I put the review in for Wednesday.")

    data = render_correction(whole)

    fields = b"- said: I put the review in for Wednesday.\n- before: The review is on Wednesday.\n- correct: "
    assert fields in data
    (read,) = read_corrections(data)
    assert (told(read), read.turn) == (told(ONE), whole.turn)
    assert render_correction(read) == data


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"```\n## 2026-03-01 <!-- x:4f1c -->\n- correct: no\n```\n", id="in a code fence"),
        pytest.param(b"- a\n\n  ## 2026-03-01 <!-- x:4f1c -->\n", id="inside a list item"),
        pytest.param(b"### 2026-03-01 <!-- x:4f1c -->\n", id="another level"),
        pytest.param(b"## 2026-03-01 <!-- m:4f1c -->\n", id="another kind of id"),
        pytest.param(b"<!--\n## 2026-03-01 <!-- x:4f1c -->\n", id="in a comment"),
    ],
)
def test_what_only_looks_like_a_correction_is_none(data: bytes) -> None:
    assert read_corrections(data) == []


def test_a_hand_written_one_with_crlf_and_a_wrapped_item_is_read() -> None:
    data = b"## 2026-03-01 <!-- x:4f1c -->\r\n* Correct: It is\r\n  Thursday.\r\n* corrects: m:7k\r\n"

    (read,) = read_corrections(data)

    assert (read.correct, read.corrects, read.re_embedded) == ("It is Thursday.", ("7k",), False)
    assert read.status is Status.LOGGED
    assert read.holds


def test_the_first_of_two_with_one_id_counts() -> None:
    data = render_correction(ONE) + b"\n" + render_correction(Correction("4f1c", "2027-01-01", correct="No."))

    assert [told(each) for each in read_corrections(data)] == [told(ONE)]


def test_two_that_a_merge_put_together_say_nothing_and_are_named() -> None:
    """Mutants: the first of two values counts for the second's heading; a heading without lines is a correction that says nothing."""
    head = b"## 2026-03-01 10:22 <!-- x:%s re-embedded:true -->\n"
    mixed = b"- said: 29.\n- correct: 30.\n- correct: 28.\n- status: applied\n"
    whole = render_correction(ONE)
    ledger = LEDGER + b"\n" + head % b"1aaa" + head % b"2bbb" + b"\n" + mixed + b"\n" + whole

    assert [told(each) for each in read_corrections(ledger)] == [told(ONE)]
    assert mixed_up(ledger) == (5, 6)
    assert mixed_up(LEDGER + whole) == ()


def test_replacing_one_leaves_the_rest_byte_for_byte() -> None:
    data = add_correction(add_correction(LEDGER, ONE_MORE), ONE) + b"\n\nA note below.\n"
    better = Correction("77aa", "2026-03-02 08:00", correct="Coffee.", status=Status.APPLIED)

    replaced = replace_correction(data, better)

    assert replaced == data.replace(render_correction(ONE_MORE), render_correction(better))


def test_withdrawn_ones_move_to_the_archive() -> None:
    withdrawn = ONE._replace(status=Status.WITHDRAWN)
    data = add_correction(add_correction(LEDGER, withdrawn), ONE_MORE)

    ledger, archive = move_corrections(data, b"", ["4f1c"])

    assert [each.correction_id for each in read_corrections(ledger)] == ["77aa"]
    (moved,) = read_corrections(archive)
    assert told(moved) == (*told(ONE)[:7], Status.WITHDRAWN, True)
    assert not moved.holds
