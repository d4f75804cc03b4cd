"""Where a sentence ends."""

from __future__ import annotations

import pytest

from clawgit.memory.entries.statements import sentences_of


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
    ],
)
def test_a_day_and_a_number_end_none(sentence) -> None:
    assert sentences_of(f"{sentence} Danke!") == (sentence, "Danke!")


@pytest.mark.parametrize(
    "text", ["The port is 8080. Use it.", "Dinner is at 8. bring wine", "Es beginnt am 1. Wir zahlen."]
)
def test_a_number_ends_one(text) -> None:
    assert len(sentences_of(text)) == 2
