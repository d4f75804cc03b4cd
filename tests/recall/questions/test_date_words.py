"""What tells a time: words of time, and numbers before a unit of it; not the same letters in a name."""

from __future__ import annotations

import pytest

from clawgit.recall.questions.question_dates import tells_time
from clawgit.text.words.terms import index_terms


@pytest.mark.parametrize(
    "text",
    [
        "It is on Friday",
        "Back in 2023",
        "At 14:30",
        "The call is at 9:30am",
        "Doors open at 5pm",
        "截止日期是3月3日",
        "会议在9点半",
        "三月五日见",
        "周五下午",
        "마감은 5월 21일이에요",
        "회의는 16시예요",
        "오후 3시에 만나요",
    ],
)
def test_a_time_is_told(text: str) -> None:
    assert tells_time(index_terms(text).split())


@pytest.mark.parametrize(
    "text", ["明月项目的预算是900元", "重点是质量", "有一点累", "The budget is 900", "포트는 8443이에요"]
)
def test_a_number_or_a_name_is_no_time(text: str) -> None:
    """Mutant: 年月日时点 wherever they stand."""
    assert not tells_time(index_terms(text).split())


@pytest.mark.parametrize(
    "text", ["2026-11-21: My flight is delayed.", "[2011-11-11] The boiler code is 4471."]
)
def test_the_date_that_a_line_begins_with_is_no_time_that_it_tells(text: str) -> None:
    assert not tells_time(index_terms(text).split())
    assert tells_time(index_terms(f"{text} It was on Friday.").split())
