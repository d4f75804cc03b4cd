"""Values and their kinds, as they are written."""

from __future__ import annotations

import pytest

from clawgit.text.comparing.value_kinds import values_in


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it starts at half past nine", [("TIME", "half past nine")]),
        ("about 135 euros per night", [("FREQUENCY", "per night"), ("AMOUNT", "about 135 euros")]),
        ("between 30 and 60 seconds", [("DURATION", "between 30 and 60 seconds")]),
        ("from 5 to 8 May", [("DATE", "5 to 8 May")]),
        ("Ada lives in Europe/Berlin", [("NAME", "Europe/Berlin")]),
        ("The database is PostgreSQL 16.", [("NAME", "PostgreSQL 16")]),
        ("Then I asked", []),
        ("Ada Lund leads it. The Harbor team", [("NAME", "Ada Lund"), ("NAME", "Harbor")]),
        ("no, April", []),
        ("call 138-0000-1111", [("GROUPED", "138-0000-1111")]),
        ("电话是+49 30 1234567。", [("GROUPED", "+49 30 1234567")]),
        ("(030) 123 4567, or +4930123456", [("GROUPED", "(030) 123 4567"), ("GROUPED", "+4930123456")]),
        ("지민 번호는 010-1234-5678이다", [("GROUPED", "010-1234-5678")]),
        ("the plan 2023-2025", [("GROUPED", "2023-2025")]),
        ("from 10-20 to 2026-03-19", [("DATE", "2026-03-19"), ("NUMBER", "10")]),
        ("seat 14C", [("PLATE", "14C")]),
        ("from train-7 to train-8.1", [("PLATE", "train-7"), ("PLATE", "train-8.1")]),
        ("see docs/train-7.md, x-1-2", []),
        ("五千欧元", [("AMOUNT", "五千欧元")]),
        ("一个小时左右", [("DURATION", "一个小时左右")]),
        ("새벽 3시", [("TIME", "새벽 3시")]),
        ("备份在14:45运行", [("TIME", "14:45")]),
        ("백업은 14:45에 실행돼요", [("TIME", "14:45")]),
        ("サーバーはポート8080です", [("NUMBER", "8080")]),
        ("端口8080上", [("NUMBER", "8080")]),
        ("版本v1.2.3在10.2.0.14上", [("VERSION", "v1.2.3"), ("VERSION", "10.2.0.14")]),
        ("在2026-03-04发给a@b.com吧", [("MAIL", "a@b.com"), ("DATE", "2026-03-04")]),
        ("고양이 두 마리", [("MEASURE", "두 마리")]),
        (
            "Der Termin ist am Dienstag um 14:30 Uhr",
            [("WEEKDAY", "Dienstag"), ("TIME", "14:30 Uhr"), ("NAME", "Termin")],
        ),
        ("am 5. März, nicht am 3.", [("DATE", "5. März"), ("ORDINAL", "3")]),
        ("täglich um halb neun", [("TIME", "halb neun"), ("FREQUENCY", "täglich")]),
        (
            "I am 3. It lasts drei Tage oder 3 Wochen",
            [("DURATION", "3 Wochen"), ("NUMBER", "3"), ("NAME", "Tage")],
        ),
    ],
)
def test_values_are_found_with_what_belongs_to_them(text: str, found: list[tuple[str, str]]) -> None:
    assert [(value.kind.name, value.text) for value in values_in(text)] == found
