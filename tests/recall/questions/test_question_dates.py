"""Days that a question names, in eight languages. It is Thursday, 19 March 2026.

Mutants seen to fail here: weeks that begin on Sunday, a weekday that is today,
joined days read as the first alone, no year but this one for a month.
"""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.recall.questions.question_dates import Days, day_fit, days_meant, find_days, with_day

TODAY = date(2026, 3, 19)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did I do today", "2026-03-19", "2026-03-19"),
        ("Yesterday we talked", "2026-03-18", "2026-03-18"),
        ("the day before yesterday", "2026-03-17", "2026-03-17"),
        ("last week", "2026-03-09", "2026-03-15"),
        ("this week", "2026-03-16", "2026-03-22"),
        ("last weekend", "2026-03-14", "2026-03-15"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("last quarter", "2025-10-01", "2025-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("3 days ago", "2026-03-16", "2026-03-16"),
        ("two weeks ago", "2026-03-02", "2026-03-08"),
        ("a month ago", "2026-02-01", "2026-02-28"),
        ("the last 10 days", "2026-03-09", "2026-03-19"),
        ("March last year", "2025-03-01", "2025-03-31"),
        ("last Friday", "2026-03-13", "2026-03-13"),
        ("on Thursday", "2026-03-12", "2026-03-12"),
        ("2026-03-01", "2026-03-01", "2026-03-01"),
        ("in 2026-02", "2026-02-01", "2026-02-28"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("May 5, 2025", "2025-05-05", "2025-05-05"),
        ("5 May 2025", "2025-05-05", "2025-05-05"),
        ("February 2024", "2024-02-01", "2024-02-29"),
        ("2026-02-01..2026-02-10", "2026-02-01", "2026-02-10"),
        ("between 2026-02-10 and 2026-02-01", "2026-02-01", "2026-02-10"),
        ("from March 3 to March 9", "2026-03-03", "2026-03-09"),
        ("어제 회의", "2026-03-18", "2026-03-18"),
        ("지난주", "2026-03-09", "2026-03-15"),
        ("지난주 금요일", "2026-03-13", "2026-03-13"),
        ("지난 금요일", "2026-03-13", "2026-03-13"),
        ("지난달", "2026-02-01", "2026-02-28"),
        ("작년", "2025-01-01", "2025-12-31"),
        ("사흘 전", "2026-03-16", "2026-03-16"),
        ("두 달 전", "2026-01-01", "2026-01-31"),
        ("2025년 11월 5일", "2025-11-05", "2025-11-05"),
        ("昨天", "2026-03-18", "2026-03-18"),
        ("上周五", "2026-03-13", "2026-03-13"),
        ("上个月", "2026-02-01", "2026-02-28"),
        ("去年三月", "2025-03-01", "2025-03-31"),
        ("三天前", "2026-03-16", "2026-03-16"),
        ("2025年11月", "2025-11-01", "2025-11-30"),
        ("2025年十一月二十一日", "2025-11-21", "2025-11-21"),
        ("先週の金曜日", "2026-03-13", "2026-03-13"),
        ("先月", "2026-02-01", "2026-02-28"),
        ("letzte Woche", "2026-03-09", "2026-03-15"),
        ("vor drei Tagen", "2026-03-16", "2026-03-16"),
        ("am 5. März 2026", "2026-03-05", "2026-03-05"),
        ("la semana pasada", "2026-03-09", "2026-03-15"),
        ("hace dos meses", "2026-01-01", "2026-01-31"),
        ("la semaine dernière", "2026-03-09", "2026-03-15"),
        ("il y a 3 jours", "2026-03-16", "2026-03-16"),
        ("qu'avons-nous dit hier soir", "2026-03-18", "2026-03-18"),
        ("semana passada", "2026-03-09", "2026-03-15"),
        ("ontem", "2026-03-18", "2026-03-18"),
    ],
)
def test_days_that_are_named(text: str, first: str, last: str) -> None:
    assert find_days(text, TODAY).days == Days(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in May", "2025-05-01", "2025-05-31"),
        ("in February", "2026-02-01", "2026-02-28"),
        ("on the 5th of May", "2025-05-05", "2025-05-05"),
        ("9月", "2025-09-01", "2025-09-30"),
        ("3월 5일", "2026-03-05", "2026-03-05"),
        ("三月十二号", "2026-03-12", "2026-03-12"),
        ("im Mai", "2025-05-01", "2025-05-31"),
        ("en marzo", "2026-03-01", "2026-03-31"),
        ("on 29 February", "2024-02-29", "2024-02-29"),
    ],
)
def test_a_month_without_its_year_is_the_last_and_may_be_another(text: str, first: str, last: str) -> None:
    assert find_days(text, TODAY).days == Days(
        date.fromisoformat(first), date.fromisoformat(last), any_year=True
    )


@pytest.mark.parametrize(
    "text",
    [
        "may I ask what we march for",
        "port 2026-32",
        "192.168.10.2",
        "2026-02-30",
        "99999 years ago",
        "9999-12-31",
        "was haben wir hier entschieden",
        "我们关于API的决定是什么",
        "",
    ],
)
def test_what_names_no_day(text: str) -> None:
    assert find_days(text, TODAY).days is None


@pytest.mark.parametrize(
    ("on", "fit"),
    [
        pytest.param(None, 0.0, id="without a day"),
        pytest.param("2026-03-09", 1.0, id="the first"),
        pytest.param("2026-03-15", 1.0, id="the last"),
        pytest.param("2026-03-08", 0.0, id="before"),
        pytest.param("2026-03-18", 0.8, id="soon after"),
        pytest.param("2026-03-30", 0.0, id="long after"),
    ],
)
def test_day_fit(on: str | None, fit: float) -> None:
    days = Days(date(2026, 3, 9), date(2026, 3, 15))
    assert day_fit(days, None if on is None else date.fromisoformat(on)) == pytest.approx(fit)


@pytest.mark.parametrize(("on", "fit"), [("2026-02-10", 1.0), ("2024-02-29", 0.9), ("2024-05-29", 0.0)])
def test_a_month_fits_in_every_year_the_last_best(on: str, fit: float) -> None:
    days = Days(date(2026, 2, 1), date(2026, 2, 28), any_year=True)
    assert day_fit(days, date.fromisoformat(on)) == pytest.approx(fit, abs=0.07)


@given(st.text(), st.dates())
def test_no_text_and_no_day_make_it_fail(text: str, today: date) -> None:
    found = find_days(text, today)
    assert all(0 <= start < end <= len(found.text) for start, end in found.spans)


WORDS = [
    "last",
    "next",
    "3",
    "years",
    "days",
    "ago",
    "in",
    "2026",
    "feb",
    "29",
    "30",
    "may",
    "2월",
    "년",
    "전",
    "去年",
    "三",
]
WORDS += ["月", "日", "前", "vor", "hace", "to", "-", "9999", "0", "q4", "hier", "week"]


@given(st.lists(st.sampled_from(WORDS)).map(" ".join), st.dates(), st.dates())
def test_no_order_of_such_words_makes_it_fail(text: str, today: date, on: date) -> None:
    days = find_days(text, today).days
    assert days is None or (days.first <= days.last and 0 <= day_fit(days, on) <= 1)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("20 November", "2025-11-20", "2025-11-20"),
        ("Nov 20", "2025-11-20", "2025-11-20"),
        ("last night", "2026-03-18", "2026-03-18"),
        ("Monday morning", "2026-03-16", "2026-03-16"),
        ("gestern", "2026-03-18", "2026-03-18"),
        ("letzten Freitag", "2026-03-13", "2026-03-13"),
        ("hace dos semanas", "2026-03-02", "2026-03-08"),
        ("昨天", "2026-03-18", "2026-03-18"),
        ("어제", "2026-03-18", "2026-03-18"),
    ],
)
def test_words_for_a_day_alone_are_that_day(words: str, first: str, last: str) -> None:
    days = days_meant(words, date(2026, 3, 19))

    assert days is not None
    assert (days.first.isoformat(), days.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "words",
    ["banana", "the launch on 20 November", "Tuesday last week", "tomorrow", "next week", "", "May I"],
)
def test_words_that_say_more_or_less_than_a_past_day_are_none(words: str) -> None:
    """Mutants: what stands beside the day is not looked at; of two days the first is taken; one to come counts."""
    assert days_meant(words, date(2026, 3, 19)) is None


@pytest.mark.parametrize(
    ("text", "before", "has_day"),
    [
        ("The plumber comes tomorrow at 9", "", True),
        ("Der Gärtner kommt morgen um 9", "Der Gärtner kommt morgen um 8", True),
        ("el fontanero viene mañana", "", True),
        ("on vient demain à 9h", "", True),
        ("The review is next Friday", "", True),
        ("The review is tomorrow", "The review is next Friday", False),
        ("Yoga is on Friday", "", False),
        ("The trip is on 15 March", "", False),
        ("The lease ends on 2028-06-30", "", False),
        ("The port is 9090", "", False),
    ],
)
def test_a_line_gets_its_day_if_it_names_another_as_seen_from_that(
    text: str, before: str, has_day: bool
) -> None:
    assert with_day(text, "2026-03-01: ", before) == "2026-03-01: " * has_day + text
