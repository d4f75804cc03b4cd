"""A value that the agent just said, another from the operator: the entry that holds the first in other words."""

from __future__ import annotations

import pytest

from clawgit.memory.corrections.verdicts import Exchange, Held
from clawgit.memory.entries.entries import read_entries
from clawgit.understanding.corrections.judge_message import judge

REMEMBERED = """\
- The rent for the office is 1,850 euros. <!-- m:aaaaaa -->
- Standup is at 9:30 every weekday. <!-- m:bbbbbb -->
- Mail for the accountant: petra@kontor.example <!-- m:cccccc -->
- The cat gets 60 g of dry food twice a day. <!-- m:dddddd -->
- Dinner with Anna is at 19:30. <!-- m:eeeeee -->
- The staging port is 8080. <!-- m:ffffff -->
- 每周三下午三点开周会。 <!-- m:gggggg -->
- 월세는 65만원이다. <!-- m:hhhhhh -->
"""


def changed(said: str, told: str) -> list[str]:
    """Return what the entries say that change."""
    entries = [Held("MEMORY.md", entry) for entry in read_entries(REMEMBERED.encode())]
    return [now for _, now in judge(Exchange(told, "medium", (said,)), entries).wrong]


@pytest.mark.parametrize(
    ("said", "told", "now"),
    [
        ("The office rent is 1,850 euros, due on the 1st.", "Actually it's 1,920 now, they raised it in January", "The rent for the office is 1,920 euros."),
        ("Your standup starts at 9:30, so you have forty minutes left.", "no it's at 9:45 since last month", "Standup is at 9:45 every weekday."),
        ("I'd send it to petra@kontor.example.", "no, the address is p.lang@kontor.example, the old one bounces", "Mail for the accountant: p.lang@kontor.example"),
        ("The cat gets 60 g twice a day.", "sorry, that's wrong - 45 g twice a day, the vet said she's too fat", "The cat gets 45 g of dry food twice a day."),
        ("周会在每周三下午三点，我先帮你准备材料。", "不对，周会是周四下午三点", "每周四下午三点开周会。"),
        ("월세는 65만원입니다.", "올해부터 70만원으로 올랐어", "월세는 70만원이다."),
    ],
)  # fmt: skip
def test_the_value_alone_is_exchanged(said: str, told: str, now: str) -> None:
    assert changed(said, told) == [now]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        pytest.param("Dinner with Tom is at 19:30.", "no, it's at 20:00", id="somebody else's"),
        pytest.param("The Berlin standup starts at 9:30.", "no, it's at 9:45", id="of a place that the entry does not name"),
        pytest.param("The production port is 8080.", "no, it's 9090", id="another thing of one kind, with the same value"),
        pytest.param("The cat gets 60 g twice a day.", "no, 45 g, or 50 g on Sundays", id="two values"),
        pytest.param("The cat gets 60 g twice a day.", "Is it 45 g?", id="a question"),
        pytest.param("The cat gets 60 g twice a day.", "the dog gets 45 g", id="of another"),
        pytest.param("The cat gets 60 g, the kitten 30 g.", "no, 45 g", id="of two, one gives way"),
        pytest.param("The office rent is 1,850 euros.", 'From the letter: "actually it is 1,920 now" - that is not us', id="quoted"),
        pytest.param("The office rent is 1,850 euros.", "I think it's 1,920", id="not sure"),
        pytest.param("The office rent is 1,850 euros.", "No, it's 3 km away", id="a value of another kind"),
    ],
)  # fmt: skip
def test_what_is_not_surely_that_entry_stays(said: str, told: str) -> None:
    """Mutants: names left out of account; both may say something else; several values."""
    assert changed(said, told) == []
