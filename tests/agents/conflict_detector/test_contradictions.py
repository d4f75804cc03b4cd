"""Pairs of statements of which rules can tell that both cannot hold, and pairs that are left alone."""

from __future__ import annotations

import json
from datetime import date

import pytest
from tests_folder import TESTS

from clawgit.agents.contradictions import NEGATION, difference, two_names

ON = date(2026, 3, 1)
VECTORS = json.loads((TESTS / "vectors/conflicts.json").read_text("utf-8"))
LEFT = {  # two likings: which exclude each other is for a model to say
    "KT02": "tabs and spaces are two nouns like any other two",
}


def told(case):
    reason = LEFT.get(case["id"])
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    return pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.parametrize("case", [told(case) for case in VECTORS["text_cases"]])
def test_the_pairs_of_the_vectors(case) -> None:
    a, b = case["a"], case["b"]
    assert bool(difference(a, b, ON) or two_names(a, b)) is case["contradict"]


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        ("The CI cache is kept for 7 days.", "The CI cache is kept for 21 days.", "7 days / 21 days"),
        ("Lunch is at 12:30.", "Lunch is at 13:15.", "12:30 / 13:15"),
        ("Rosa is vegetarian.", "Rosa is not vegetarian.", NEGATION),
        ("Der Termin ist am 4. Juli.", "Der Termin ist am 11. Juli.", "4. juli. / 11. juli."),
        ("Ich trinke Kaffee.", "Ich trinke keinen Kaffee.", NEGATION),
        ("客服电话是12345。", "客服电话是54321。", "12345 / 54321"),
        ("她吃素。", "她不吃素。", NEGATION),
        ("Sync is enabled here.", "Sync is disabled here.", "enabled / disabled"),
        ("Rent is 1480 a month.", "The rent is 1520 a month.", "1480 / 1520"),
        ("Rent is 1480 a month, due on the 1st.", "Rent is 1520 a month.", "1480 / 1520"),
        ("Die Miete ist 1480 im Monat.", "Die Miete ist 1520 im Monat.", "1480 / 1520"),
    ],
)
def test_one_value_or_a_not_apart(a: str, b: str, differs: str) -> None:
    assert difference(a, b, ON) == differs
    assert bool(difference(b, a, ON))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The blue team meets on Monday.", "The red team meets on Thursday."),
        ("Customer A pays 40 euros.", "Customer B pays 55 euros."),
        ("The meeting is at 14:00.", "The meeting is at 2 pm."),
        ("The report is due on Friday.", "The report is due on Friday at noon."),
        ("Bought 3 chairs for 90 euros.", "Bought 2 chairs for 60 euros."),
        ("Am 4. Juli war ich beim Zahnarzt.", "Am 11. Juli war ich beim Zahnarzt."),
        ("The next review is next Monday.", "The next review is next Friday."),
        ("Rosa plays the violin.", "Rosa plays the piano."),
        ("Gate 3 opens at 08:30.", "Gate 4 opens at 08:30."),
        ("Room 204 has a beamer.", "Room 311 has a beamer."),
        ("The van needs 30 litres, when full, and oil.", "The van needs 40 litres, when towing."),
        ("Maria approved it.", "Maria approved it on the 3rd."),
        ("周一去游泳。", "周五去游泳。"),
        ("Der Keller ist nicht feucht.", "Der Dachboden ist feucht."),
        ("The port is 8443.", "The port is 8443."),
        ("The review is on Fridays.", "The review is on 12 March."),
        ("Der Termin ist freitags.", "Der Termin ist am 4. Juli."),
        ("User is allergic to peanuts.", "User is allergic to shellfish."),
    ],
)
def test_what_may_both_hold_is_left_alone(a: str, b: str) -> None:
    assert difference(a, b, ON) == difference(b, a, ON) == ""


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("The office is in Berlin.", "The office is in Hamburg.", "Berlin / Hamburg"),
        ("The account manager is Maria Lopez.", "The account manager is Tom Berg.", "Maria Lopez / Tom Berg"),
        ("Ana leads the Apollo project.", "Tom leads the Apollo project.", "Ana / Tom"),
        ("The board meets in Zurich.", "The board meets in Basel.", "Zurich / Basel"),
        ("Board meetings are in Zurich.", "Board meetings are in Basel.", "Zurich / Basel"),
        ("Das Büro ist in Wien.", "Das Büro ist in Graz.", "Wien / Graz"),
        ("La oficina está en Lima.", "La oficina está en Cusco.", "Lima / Cusco"),
        ("他住在北京。", "他住在上海。", "北京 / 上海"),
        ("담당자는 김민수이다.", "담당자는 박지영이다.", "김민수이다 / 박지영이다"),
    ],
)
def test_two_names_for_one_thing(a: str, b: str, names: str) -> None:
    assert two_names(a, b) == names


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User visited Rome.", "User visited Oslo."),
        ("We have friends in Rome.", "We have friends in Oslo."),
        ("User likes Berlin.", "User likes Hamburg."),
        ("Ana is German.", "Ana is Catholic."),
        ("Maria lives in Porto.", "Tom lives in Porto."),
        ("Anna is a treasurer.", "A treasurer is Bert."),
        ("Anna is the treasurer.", "The treasurer is Anna Berg."),
        ("Anna is the treasurer.", "The treasurer is ill."),
        ("Anna is the treasurer.", "The treasurer is Bert."),
        ("Anna leads the choir.", "The choir leads Bert."),
        ("Acme has an office in Rome.", "Acme has an office in Oslo."),
        ("User is allergic to peanuts.", "User is allergic to shellfish."),
        ("她喜欢北京。", "她喜欢上海。"),
    ],
)
def test_names_of_what_there_may_be_two_of(a: str, b: str) -> None:
    assert two_names(a, b) == ""
