"""The days beside the day of an entry get their dates."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.understanding.facts.first_person import as_remembered, with_days

ON = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("Yesterday, User went to Rome.", "On 2026-02-28, User went to Rome."),
        ("User flies to Rome tomorrow morning.", "User flies to Rome on 2026-03-02 in the morning."),
        ("User is away until tomorrow.", "User is away until 2026-03-02."),
        ("Today is the anniversary.", "2026-03-01 is the anniversary."),
        ("User came the day before yesterday.", "User came the day before 2026-02-28."),
        ("Yesterday's build is gone.", "Yesterday's build is gone."),
        ("User moves next Friday.", "User moves next Friday."),
        ("昨天用户签了合同。", "2026-02-28 用户签了合同。"),
        ("用户明天飞里斯本。", "用户 2026-03-02 飞里斯本。"),
        ("사용자는 어제 계약했어요.", "사용자는 2026-02-28 계약했어요."),
        ("오늘날 모두 그렇다.", "오늘날 모두 그렇다."),
    ],
)
def test_a_word_that_names_one_day_becomes_its_date(said: str, dated: str) -> None:
    assert with_days(said, ON) == dated


def test_in_a_quotation_no_word_is_changed() -> None:
    """Mutant: the days are named before it is known whether the words stay a quotation."""
    assert as_remembered("We launched it today!", on=ON) == 'User: "We launched it today!"'
    assert as_remembered("昨天我签了合同。", on=ON) == "2026-02-28 用户签了合同。"
