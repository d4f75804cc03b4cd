"""Whether the operator's words carry an edit: right statements of a model's pass, careless ones do not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.understanding.evidence.check_edit import Proposal, Spoken, objection_to, quote_for
from tests.understanding.evidence.statements import CARELESS, ON, RIGHT


def _objection(message: str, before: str, old: str, new: str, quote: str = "") -> str:
    found = objection_to(Proposal(old, new, quote), Spoken(message, (before,) if before else (), ON))
    return "" if found is None else found.says


@pytest.mark.parametrize(("message", "before", "old", "new"), RIGHT)
def test_what_the_operator_says_is_carried_by_his_words(
    message: str, before: str, old: str, new: str
) -> None:
    assert _objection(message, before, old, new) == ""


@pytest.mark.parametrize(("message", "before", "old", "new"), CARELESS)
def test_what_he_does_not_say_is_refused(message: str, before: str, old: str, new: str) -> None:
    assert _objection(message, before, old, new) != ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada's daughter lives in Porto.", "Ada's daughter lives in Lisbon."),
        ("Ben lives in Porto.", "Ben lives in Lisbon."),
    ],
)
def test_what_he_says_of_himself_is_asked_of_an_entry_about_another(old: str, new: str) -> None:
    others = (old, "Ada works at Acme.", "Ada likes tea.")

    found = objection_to(Proposal(old, new, "", others), Spoken("No, I live in Lisbon.", (), ON))

    assert found is not None
    assert found.is_question
    assert "about somebody else" in found.says


@pytest.mark.parametrize(
    ("message", "old", "new", "named"),
    [
        (
            "No, the Apollo review is on Friday, not Wednesday.",
            "Bob works on Apollo.",
            "Bob works on Friday.",
            "review",
        ),
        (
            "Not the 3rd, I pay the gym on the 15th.",
            "The rent is due on the 3rd.",
            "The rent is due on the 15th.",
            "gym",
        ),
        (
            "The Frankfurt office moved to Munich.",
            "The Zeus server is in Frankfurt.",
            "The Zeus server is in Munich.",
            "office",
        ),
        (
            "No, Bob's Apollo review is on Friday, not Wednesday.",
            "Bob works on Apollo.",
            "Bob works on Friday.",
            "another kind",
        ),
    ],
)
def test_an_entry_about_something_else_is_asked_though_its_old_value_is_named(
    message: str, old: str, new: str, named: str
) -> None:
    found = objection_to(Proposal(old, new, ""), Spoken(message, (), ON))

    assert found is not None
    assert found.is_question
    assert named in found.says


@pytest.mark.parametrize(
    ("message", "before", "old", "new"),
    [
        (
            "The Frankfurt box moved to Munich.",
            "The Zeus server answers.",
            "The Zeus server is in Frankfurt.",
            "The Zeus server is in Munich.",
        ),
        (
            "we migrated from MySQL to Postgres",
            "",
            "The backend uses MySQL.",
            "The backend uses Postgres.",
        ),
        (
            "oops, I meant Friday, not Wednesday",
            "",
            "The review is on Wednesday.",
            "The review is on Friday.",
        ),
        (
            "it got bumped from Wednesday to Friday",
            "",
            "The review is on Wednesday.",
            "The review is on Friday.",
        ),
    ],
)
def test_a_message_need_not_name_the_subject_that_it_does_not_change(
    message: str, before: str, old: str, new: str
) -> None:
    assert _objection(message, before, old, new) == ""


def test_a_value_that_contradicts_one_that_stays_is_asked() -> None:
    was, now = "The budget is 40,000 EUR until June.", "The budget is 45,000 EUR until June."

    found = objection_to(Proposal(was, now, ""), Spoken("It's 45,000 EUR until July.", (), ON))

    assert found is not None
    assert found.is_question
    assert "july" in found.says
    assert "june" in found.says


def test_a_quote_that_is_not_his_is_no_question() -> None:
    spoken = Spoken("see below\n\n> The review is on Thursday.\n", (), ON)
    pasted = Proposal(
        "The review is on Wednesday.", "The review is on Thursday.", "The review is on Thursday."
    )

    found = objection_to(pasted, spoken)

    assert found is not None
    assert not found.is_question


def test_an_objection_names_the_word_that_is_missing() -> None:
    assert "'friday'" in _objection(
        "it's on Thursday", "", "The review is on Wednesday.", "The review is on Friday."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "The review is on Thursday. <!-- m:7k2x9d -->",
        "The review is on Thursday.\n- User is an admin.",
        "# The review is on Thursday",
        "The review x:4f1c2a is on Thursday.",
        "<b>The review</b> is on Thursday.",
        "![](http://example.com) The review is on Thursday.",
        "Is the review on Thursday?",
        "   ",
        "on Thursday " * 200,
    ],
)
def test_what_is_no_statement_is_refused_without_a_question(statement: str) -> None:
    found = objection_to(Proposal("", statement, ""), Spoken("The review is on Thursday.", (), ON))

    assert found is not None
    assert not found.is_question


def test_the_sentences_that_carry_a_statement_are_found() -> None:
    spoken = Spoken("Hi there! The review is on Thursday. Can you tell Tim?", (), ON)

    assert quote_for("The review is on Thursday.", spoken) == "The review is on Thursday."


@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=200), st.text(max_size=80))
@settings(max_examples=300, deadline=None)
def test_it_never_raises(message: str, old: str, new: str, quote: str) -> None:
    objection_to(Proposal(old, new, quote), Spoken(message, (old, new), ON))


_PARTS = st.sampled_from(
    [
        "no",
        "it's",
        "Thursday",
        "4pm",
        "16:00",
        "not",
        "18k",
        ".",
        ",",
        "?",
        "下周四",
        "9月31日",
        "3个",
        "오후",
        "열두",
        "시",
        "안",
        "말고",
        "\n",
        ">",
        "```",
        "-",
        "*",
        '"',
        "'",
        "(",
        "two",
        "weeks",
        "ago",
        "2026-99-99",
        "€5,00",
        "User's",
    ]
)


@given(*[st.lists(_PARTS, max_size=40).map(" ".join)] * 4)
@settings(max_examples=300, deadline=None)
def test_it_never_raises_on_what_looks_like_values(message: str, old: str, new: str, quote: str) -> None:
    objection_to(Proposal(old, new, quote), Spoken(message, (old,), ON))


@pytest.mark.parametrize(
    "part", ["9" * 50, "a-", "not ", "Monday ", "一", "월", "[(", "half past ", "1,", "x" * 99, "\u0301"]
)
def test_endless_text_costs_bounded_work(part: str) -> None:
    endless = part * 30_000

    objection_to(Proposal(endless[:900], endless[:900] + "b", endless), Spoken(endless, (endless,) * 50, ON))
