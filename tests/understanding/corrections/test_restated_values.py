"""What the operator says again with another value: heard by what the agent said before it, and by what memory holds.

Mutants that it caught: what a sentence holds of several of is taken for one; a value in what a sentence is about counts;
whose it is in memory is not looked at; what else the message says is not.
"""

from __future__ import annotations

import re

import pytest

from clawgit.memory.corrections.verdicts import Exchange, Held
from clawgit.memory.entries.entries import read_entries
from clawgit.understanding.corrections.multiple_corrections import judge_each
from clawgit.understanding.corrections.restated_values import said_again
from clawgit.understanding.triage.triage_message import triage
from tests.understanding.corrections import exchanges_chinese, exchanges_english, exchanges_korean
from tests.understanding.corrections.exchanges_restated import (
    LEFT_ALONE,
    LEFT_OPEN,
    OF_ANOTHER,
    SAID_OTHERWISE,
    SET_RIGHT,
)
from tests.understanding.triage import triage_messages


def held(*statements: str) -> list[Held]:
    core = "".join(f"- {each} <!-- m:aaaaa{at % 10} -->\n" for at, each in enumerate(statements))
    return [Held("MEMORY.md", entry) for entry in read_entries(core.encode())]


def by_context(entries: list[Held], said: str, told: str, his: tuple[str, ...] = ()) -> list[str]:
    """Return what the entries say that change because of what was said before the message."""
    restated = said_again(said, told)
    verdict = restated and restated.sets_right(entries, his)
    return [now for _, now in verdict.wrong] if verdict else []


def heard(entries: list[Held], said: str, told: str) -> list[str]:
    """Return the same, however the message was heard."""
    signal = triage(told).validator
    if signal is None:
        return by_context(entries, said, told)
    verdicts = judge_each(Exchange(told, signal, (said,)), entries)
    return [now for verdict in verdicts for _, now in verdict.wrong]


@pytest.mark.parametrize(("entry", "said", "told", "now"), SET_RIGHT)
def test_what_is_said_again_with_another_value_is_set_right(entry, said, told, now) -> None:
    assert heard(held(entry), said, told) == [now]
    assert by_context(held(entry), said, told) in ([now], [])


@pytest.mark.parametrize(("entry", "said", "told"), [*LEFT_ALONE, *SAID_OTHERWISE, *OF_ANOTHER])
def test_what_says_nothing_again_sets_nothing_right(entry, said, told) -> None:
    assert by_context(held(entry), said, told) == []


@pytest.mark.parametrize(("entry", "said", "told", "now"), LEFT_OPEN)
def test_what_is_not_heard_is_never_guessed(entry, said, told, now) -> None:
    assert heard(held(entry), said, told) in ([], [now])


@pytest.mark.parametrize(
    ("entry", "told", "now"),
    [
        (
            "Ada's favourite colour is green.",
            "My favourite colour is navy.",
            "Ada's favourite colour is navy.",
        ),
        ("Bob's favourite colour is green.", "My favourite colour is navy.", None),
    ],
)
def test_an_entry_about_the_operator_by_name_is_about_him(entry, told, now) -> None:
    found = by_context(held(entry), "Your favourite colour is green.", told, ("ada",))

    assert found == ([] if now is None else [now])


def test_a_sender_without_a_name_is_nobody() -> None:
    """Transcripts name none."""
    said, told = "你最喜欢的颜色是绿色。", "我最喜欢的颜色是蓝色。"

    assert by_context(held("用户最喜欢的颜色是绿色。"), said, told, ("",)) == ["用户最喜欢的颜色是蓝色。"]


def everyday() -> list[str]:
    """Return what people say to an agent, and what they say to set one right: all that the other tables hold."""
    lists = (vars(triage_messages).items(), *(vars(each).items() for each in OTHERS))
    found = [each for listed in lists for name, every in listed if name.isupper() for each in every]
    return [each if isinstance(each, str) else each[2] for each in found if isinstance(each, str | tuple)]


OTHERS = (exchanges_english, exchanges_chinese, exchanges_korean)
WORLDS = [pytest.param(entries, id=world) for each in OTHERS for world, entries in each.REMEMBERED.items()]


@pytest.mark.parametrize("entries", WORLDS)
def test_everyday_talk_says_nothing_again_of_all_that_is_remembered(entries: tuple[str, ...]) -> None:
    """Whatever is said after an agent that has just told all that it knows."""
    said = "\n".join([*entries, *(re.sub("^Ada's ", "Your ", each) for each in entries)])

    assert [told for told in everyday() if by_context(held(*entries), said, told)] == []


@pytest.mark.parametrize(
    ("said", "told", "is_other"),
    [
        pytest.param("Your wife is called Anna.", "My wife is called Hannah.", True, id="a name in a name"),
        pytest.param("The trip takes 5 days.", "The trip takes 15 days.", True, id="a digit in a number"),
        pytest.param("회의는 3일에 있다.", "회의는 13일에 있다.", True, id="a digit in a Korean day"),
        pytest.param("You live in Bath.", "I live in Bath Spa.", False, id="said more exactly"),
        pytest.param("你住在上海。", "我住在上海市。", False, id="said more exactly, in Chinese"),
    ],
)
def test_a_value_that_stands_in_another_as_a_part_of_a_word_is_another(said, told, is_other) -> None:
    """Mutant: letters that stand in a longer word are the same value, said less exactly."""
    assert (said_again(said, told) is not None) is is_other
