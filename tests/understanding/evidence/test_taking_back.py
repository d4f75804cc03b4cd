"""Which of his earlier turns in a conversation a message of the operator's takes back: the one that it names, else the one right before it."""

from __future__ import annotations

import pytest

from clawgit.understanding.evidence.taking_back import taken_by

TALK = (
    "My dentist is Dr. Weber.",
    "The board meets in Basel this year.",
    "Nora ist gegen Haselnüsse allergisch.",
    "合同延长到2029年3月。",
    "우리 회의는 화요일이야.",
    "What's the weather like tomorrow?",
)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param("scratch that", 5, id="the one right before"),
        pytest.param("Oh, forget what I said about the dentist.", 0, id="by its word"),
        pytest.param("I was joking about Basel, sorry.", 1, id="by its value"),
        pytest.param("I take back what I said about the board.", 1, id="taken back"),
        pytest.param("scratch that about Basel please", 1, id="that about"),
        pytest.param("Scratch that, the board still meets in Zurich.", 1, id="named in what holds instead"),
        pytest.param("Vergiss das mit Nora.", 2, id="German"),
        pytest.param("Das mit Basel war nur ein Scherz", 1, id="German, named first"),
        pytest.param("刚才说的合同的话不算", 3, id="Chinese"),
        pytest.param("회의 얘기는 농담이었어", 4, id="Korean"),
        pytest.param("Forget that dentist, the other one is great.", None, id="a person is to be forgotten"),
        pytest.param("don't forget what I said about the dentist", None, id="an order to remember"),
        pytest.param("Never forget that about Nora.", None, id="never"),
        pytest.param("forget about the parking ticket", None, id="nothing that was said"),
        pytest.param("Tim was joking about the review", None, id="somebody else's joke"),
        pytest.param("forget what I said about the parrot", None, id="nothing here says so"),
        pytest.param("never mind, found it", None, id="talk"),
        pytest.param("잊지 마, 회의는 화요일", None, id="Korean order to remember"),
    ],
)
def test_what_a_message_takes_back(text: str, taken: int | None) -> None:
    assert taken_by(text, TALK) == taken


CORRECTIONS = (
    "My flight is at 9:40.",
    "The lunch is on Wednesdays now.",
    "Anselm comes on Fridays instead of Thursdays.",
)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param("no, leave it as it was", 2, id="as it was"),
        pytest.param("lass es, wie es war", None, id="a comma parts it"),
        pytest.param("Lass es bitte wie es war", 2, id="German"),
        pytest.param("actually no, leave Anselm as he was", 2, id="somebody as he was"),
        pytest.param("keep the lunch as it was", 1, id="something as it was"),
        pytest.param("no wait, Thursdays was right after all", 2, id="the value that gave way"),
        pytest.param("Tuesday was right", None, id="another one than that which gave way"),
        pytest.param("was Thursday right?", None, id="a question"),
        pytest.param("the dentist was right", None, id="nobody's value"),
        pytest.param("everything was fine", None, id="talk"),
    ],
)
def test_a_correction_is_set_back_by_plain_words(text: str, taken: int | None) -> None:
    """Seen: "Thursdays was right after all" left the wrong line, and a command that remembers that sentence was offered."""
    assert taken_by(text, CORRECTIONS) == taken
    assert taken_by(text, CORRECTIONS[:1]) is None


RENAMED = (
    "No, the Apollo review is on Thursday, not on Wednesday.",
    "My flight is at 9:40 instead of 10:00.",
    "How are you?",
)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param("Wednesday was right after all", 0, id="what it names as gone"),
        pytest.param("no, the review on Wednesday was right", 0, id="with its word"),
        pytest.param("10:00 was right after all", 1, id="a time"),
        pytest.param("My dinner on Wednesday was fine, by the way.", None, id="something else of that day"),
        pytest.param("The report from Wednesday was right", None, id="something else that is right"),
        pytest.param("leave the review notes as they were", None, id="something else that is left"),
        pytest.param("Wednesday is right", None, id="an answer to another question"),
        pytest.param("Friday is fine.", None, id="an answer to a proposal"),
        pytest.param("Tom says Wednesday was right", None, id="somebody else's view"),
        pytest.param("if Wednesday was right, tell me", None, id="a case"),
        pytest.param("not Wednesday was right", None, id="a denial"),
    ],
)
def test_nothing_else_that_is_right_sets_a_correction_back(text: str, taken: int | None) -> None:
    """Seen: `My dinner on Wednesday was fine` undid the review's move from Wednesday to Thursday. Mutant: any words with the value do."""
    assert taken_by(text, RENAMED) == taken
    unnamed = ("No, the Apollo review is on Thursday.",)
    assert taken_by("Friday is fine.", unnamed) is None
    assert taken_by("Friday is right", unnamed) is None
    assert taken_by("no, Friday was right", unnamed) == 0
