"""Where a sentence ends."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.statements import sentences_of, without_order


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Der Termin ist am 3. Mai um 10 Uhr.", id="a month in German"),
        pytest.param("Die Miete ist am 1. fällig.", id="a day alone"),
        pytest.param("Vi mødes den 5. maj.", id="a month in Danish"),
        pytest.param("Er läuft vom 12. bis zum 14. April.", id="from one day to another"),
        pytest.param("We meet at Hauptstr. 5 at noon.", id="a street"),
        pytest.param("Unser Hausarzt ist Dr. Amrani, Tel. 06081 55 21 30.", id="a telephone number"),
        pytest.param("La Sra. Ibáñez llega el jueves.", id="a name in Spanish"),
        pytest.param("L’épouse de M. Ferrari entend mal.", id="a man in French"),
        pytest.param("my doctor is dr. weber, not hr. schulz.", id="a title in small letters"),
        pytest.param("The plumber is J. Miller, tel. 0451 777.", id="an initial"),
        pytest.param("The meeting is at 5 p.m. on Thursday.", id="a time"),
        pytest.param("Die Sitzung ist am Do. um 15 Uhr.", id="a short word before a preposition"),
        pytest.param("Dinner with Dr. med. Weber is on 5 Jan. at 8.", id="a month before a preposition"),
        pytest.param("Steuernr. 12/345 gilt, z. B. beim Finanzamt St. Pauli.", id="a compound"),
        pytest.param("the invoice no. 44 is paid.", id="a number in small letters"),
        pytest.param("Termin bzw. Abgabe ist am 3.12. um 10 Uhr.", id="or"),
    ],
)
def test_a_day_and_a_number_end_none(sentence) -> None:
    assert sentences_of(f"{sentence} Danke!") == (sentence, "Danke!")


@pytest.mark.parametrize(
    "text",
    [
        "The port is 8080. Use it.",
        "Dinner is at 8. bring wine",
        "Es beginnt am 1. Wir zahlen.",
        "the rent is 900. it's due on the 1st",
        "We eat at 5 p.m. Bring wine.",
        "It takes 20 ms. The rest is faster.",
        "It is Bob's. The rent is mine.",
        "no. 44 is right",
    ],
)
def test_a_number_a_time_or_an_answer_ends_one(text) -> None:
    assert len(sentences_of(text)) == 2


@pytest.mark.parametrize(
    "order",
    [
        "merk dir: dass der Müll dienstags kommt",
        "merk dir, das der Müll dienstags kommt",
        "merk dir bitte, daß der Müll dienstags kommt",
    ],
)
def test_a_clause_that_cannot_stand_alone_keeps_its_order(order: str) -> None:
    """Seen: `Dass der Müll dienstags kommt` in memory."""
    assert without_order(order) == order
    assert without_order("merk dir, das Auto ist rot") == "Das Auto ist rot"
