from __future__ import annotations

import pytest

from clawgit.memory.corrections.corrected_entries import (
    KnownCorrection,
    correction_pieces,
    is_heard,
    set_right,
)
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status, render_correction
from clawgit.memory.provenance.pieces import Seen


def known(
    status: Status = Status.APPLIED, *, correct: str = "Acme uses REST.", heard: bool = True
) -> KnownCorrection:
    correction = Correction("4f1c", "2026-03-01 10:22", correct=correct, corrects=("aaa111",), status=status)
    return KnownCorrection(correction, "c0ffee", "operator", (), heard)


@pytest.mark.parametrize(
    ("text", "correction", "right"),
    [
        pytest.param("2026-03-01: Acme uses REST. #knowledge", known(), True, id="it says so"),
        pytest.param("Acme uses GraphQL.", known(), False, id="it still says the old"),
        pytest.param("Acme is on REST now.", known(), True, id="the correction's commit made it read so"),
        pytest.param("Acme uses REST.", known(Status.WITHDRAWN), False, id="withdrawn"),
        pytest.param("Acme uses REST.", known(Status.LOGGED), False, id="only logged"),
        pytest.param("Acme uses REST.", known(Status.OPEN), False, id="open"),
        pytest.param("Acme uses REST.", known(heard=False), False, id="a host's"),
        pytest.param("Acme uses GraphQL.", known(correct=""), False, id="nobody said what is right"),
        pytest.param("Acme uses GraphQL.", known(correct="..."), False, id="dots are no words"),
        pytest.param(
            "Acme has nobody in Bern.", known(correct="No"), False, id="a part of a word is no word"
        ),
        pytest.param("Acme 用 REST。", known(correct="用 REST"), True, id="words of a script without spaces"),
    ],
)
def test_what_an_applied_correction_set_right(text: str, correction: KnownCorrection, right: bool) -> None:
    seen = [Seen("aaa111", "words", "c0ffee", "2026-03-01", words="Acme is on REST now.")]

    assert (set_right(text, [correction], seen) is not None) == right


@pytest.mark.parametrize(
    ("told", "heard"),
    [
        pytest.param([("a", "operator")], True, id="the operator's"),
        pytest.param([("a", "recall-validator")], True, id="an agent's, first"),
        pytest.param([("a", "host")], False, id="a host's"),
        pytest.param([("b", "operator"), ("a", "organizer")], True, id="an agent changes the operator's"),
        pytest.param([("b", "operator"), ("a", "host")], False, id="a host changes the operator's"),
        pytest.param(
            [("b", "operator"), ("c", "host"), ("a", "organizer")],
            False,
            id="an agent changes what a host changed",
        ),
        pytest.param([("c", "host"), ("a", "operator")], True, id="the operator changes what a host wrote"),
        pytest.param([("a", "operator"), ("b", "host"), ("a", "operator")], True, id="put back"),
        pytest.param([("a", "operator"), ("b", "host")], True, id="another branch's words"),
        pytest.param([], False, id="nobody's"),
    ],
)
def test_whose_words_a_correction_has(told: list[tuple[str, str]], heard: bool) -> None:
    assert is_heard("a", told) is heard


def test_a_correction_is_one_piece_with_all_its_lines() -> None:
    ledger = b"# Corrections\n\n" + render_correction(known().correction)

    ((piece, correction),) = correction_pieces(ledger, LEDGER).items()

    assert piece.entry_id == "x:4f1c"
    assert correction.corrects == ("aaa111",)
    assert "corrects: m:aaa111" in piece.words
    assert "status: applied" in piece.words
