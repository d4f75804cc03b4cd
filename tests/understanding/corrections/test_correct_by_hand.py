"""What an entry says once somebody has named what was wrong and what is right."""

from __future__ import annotations

import re
import shlex
import sys
from datetime import date
from pathlib import Path

import pytest

from clawgit.memory.corrections.write_correction import EntryInFile
from clawgit.memory.entries.entries import Entry, read_entries
from clawgit.memory.entries.statements import row_saying, row_statements
from clawgit.memory.provenance.readings import denies_value, is_reading
from clawgit.memory.trust import OPERATOR
from clawgit.understanding.corrections.correct_by_hand import (
    CorrectError,
    is_line,
    named,
    no_longer_said,
    one_value_changed,
)
from clawgit.understanding.corrections.ready_commands import (
    as_new,
    line_after,
    line_of_yes,
    link_commands,
    offered_line,
    remember_command,
)
from clawgit.understanding.evidence.check_edit import ProposedEdit, Spoken, ground_of
from clawgit.understanding.evidence.own_sentences import own_sentences
from clawgit.understanding.triage.triage_message import triage

ENTRIES = [
    EntryInFile("MEMORY.md", entry)
    for entry in read_entries(b"- The review is on Wednesday. <!-- m:7k2x9d -->\n")
]


@pytest.mark.parametrize(
    ("wrong", "right", "says"),
    [
        ("Wednesday", "Thursday", "The review is on Thursday."),
        ("The review is on Wednesday.", "The review is on Thursday.", "The review is on Thursday."),
        ("m:7k2x9d", "The review is on Thursday.", "The review is on Thursday."),
        ("Wednesday", "The review is on Thursday.", "The review is on Thursday."),
    ],
    ids=["a word", "the statement", "the id", "a sentence for a word of it"],
)
def test_what_an_entry_says_then(wrong: str, right: str, says: str) -> None:
    assert named(wrong, right, ENTRIES, None).wrong == ((ENTRIES[0], says),)


@pytest.mark.parametrize(
    ("remembered", "wrong", "right", "says"),
    [
        pytest.param("User works at Siemens.", "I work at Siemens.", "I work at Bosch.", 'User: "I work at Bosch."', id="I"),
        pytest.param("User's wife is Greta.", "My wife is Greta.", "My wife is Helene.", 'User: "My wife is Helene."', id="my"),
        pytest.param("用户住在上海。", "我住在上海。", "我住在杭州。", 'User: "我住在杭州。"', id="Chinese"),
        pytest.param('User: "We eat at six."', "We eat at six.", "We eat at eight.", 'User: "We eat at eight."', id="a quotation"),
    ],
)  # fmt: skip
def test_the_operators_own_words_find_the_entry_that_was_made_of_them(remembered, wrong, right, says) -> None:
    """Mutant: only the words of the entry itself name it, and "no entry said otherwise"."""
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {remembered}\n".encode())]

    assert named(wrong, right, entries, None).wrong == ((entries[0], says),)


@pytest.mark.parametrize(
    ("remembered", "wrong", "right", "says"),
    [
        pytest.param("Rent is 980 euros", "rent", "Rent is 1000.", "Rent is 1000.", id="a short sentence"),
        pytest.param("User works at Bosch.", "Bosch", "Bosch in Ulm", "User works at Bosch in Ulm.", id="only a part"),
        pytest.param("Anna plays chess.", "chess", "chess with Anna's brother", "Anna plays chess with Anna's brother.", id="a word of the rest"),
    ],
)  # fmt: skip
def test_the_whole_line_for_a_part_of_it_replaces_the_line(remembered, wrong, right, says) -> None:
    """Mutant: `Nora: Nora: invoice 6843 due on 12 June due on 11 June`."""
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {remembered}\n".encode())]

    assert named(wrong, right, entries, None).wrong == ((entries[0], says),)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("rent", "rent is 1000"),
        ("980", "rent is 1000"),
        ("Rent is", "Rent is 980"),
        ("980 euros", "from May the rent is 1000"),
    ],
    ids=[
        "from its first words",
        "from the line's first words",
        "with a word behind it",
        "a clause for a part",
    ],
)
def test_the_words_around_a_part_are_not_said_twice(wrong: str, right: str) -> None:
    """Seen: `rent is 1000 is 980 euros, due on the 1st`, at once and at 100 %."""
    line = b"- Rent is 980 euros, due on the 1st\n"
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(line)]

    with pytest.raises(CorrectError, match="says again"):
        named(wrong, right, entries, None)


def test_what_an_entry_says_of_another_value_is_not_what_was_named() -> None:
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(b"- User works at Siemens.\n")]

    assert named("I work at Bosch.", "I work at Shell.", entries, None).wrong == ()


def test_a_sentence_that_states_a_value_is_kept_beside_one_that_states_none() -> None:
    """Seen: `clawgit remember 'We moved!'`, without the address."""
    said = "We moved! New address is Industriestraße 18, still Leipzig."

    assert remember_command(said) == f"clawgit remember '{said}'"


def test_a_no_that_is_no_answer_stays() -> None:
    """Seen: `clawgit remember 'need to answer in German any more.'`."""
    said = "No need to answer in German any more."

    assert remember_command(said) == f"clawgit remember '{said}'"


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("old", "told", "lines"),
    [
        ("Der Termin ist am Montag.", "Nein, der Termin ist am Dienstag.", ["Der Termin ist am Dienstag."]),
        ("Das Büro ist in Leipzig.", "Nein, das Büro ist in Dresden.", ["Das Büro ist in Dresden."]),
        ("Das Büro ist in Leipzig.", "Nicht Leipzig, sondern Dresden.", ["Das Büro ist in Dresden."]),
        (
            "The office of Acme is in Berlin.",
            "No, the Acme office is in Munich.",
            ["The office of Acme is in Munich."],
        ),
        ("We met Bob in Rome.", "We met Dan in Rome, not Bob.", ["We met Dan in Rome."]),
        ("We met Bob in Rome.", "It was Dan, not Bob.", ["We met Dan in Rome."]),
        ("Tom drinks tea with Nora.", "It's not Nora, Kim.", ["Tom drinks tea with Kim."]),
        ("Nora lives in Leipzig.", "Nora moved from Leipzig to Dresden.", ["Nora lives in Dresden."]),
        ("My dentist is Dr. Weber.", "My dentist is Dr. Kahn now.", ["My dentist is Dr. Kahn."]),
        ("Our adviser is Mrs. Vogel.", "Our adviser is Mrs. Oz now.", ["Our adviser is Mrs. Oz."]),
        ("Our adviser is Mrs. Vogel.", "No wait, that is the number of Mrs. Oz.", []),
        ("The fee is 65 euros.", "The fee is now 70.", ["The fee is 70 euros."]),
        ("The fee is 65 euros.", "The fee went up to 70 euros. Not 65 any more.", ["The fee is 70 euros."]),
        ("The fee is 65 euros.", "We raised the fee from 65 to 70 euros.", ["The fee is 70 euros."]),
        ("The fee is 65 euros.", "They take a fee from 60 to 70 euros.", []),
        ("Tom's deputy: Anna", "Tom's boss is Bert, not Anna.", []),
        ("The fee is 65 euros.", "They wanted to raise the fee from 65 to 70, but it did not happen.", []),
        ("Ben's boss is Carla.", "The boss is Ben, not Carla.", []),
        (
            "Entrega 15 de diciembre.",
            "La entrega es el 15 de enero, no el 15 de diciembre",
            ["Entrega 15 de enero."],
        ),
        (
            "ITV el 2 de diciembre a las 9:20",
            "La ITV es el 3 de diciembre, no el 2",
            ["ITV el 3 de diciembre a las 9:20"],
        ),
        (
            "The boiler service costs 140 euros a year.",
            "No, the boiler service is 155 euros a year",
            ["The boiler service costs 155 euros a year."],
        ),
        ("Réunion : lundi à 9h15", "Non, la réunion est à 9h45, pas à 9h15", ["Réunion : lundi à 9h45"]),
        ("Pilates costs 18 euros.", "pilates went up, 20 instead of 18", ["Pilates costs 20 euros."]),
        (
            "Mi tarifa es de 0,09 euros por palabra.",
            "Mi tarifa ahora es de 0,11 euros por palabra, no 0,09.",
            ["Mi tarifa es de 0,11 euros por palabra."],
        ),
        ("Anke lives in Rotterdam.", "It's not true that Anke lives in Rotterdam.", []),
        ("Tom works at Siemens.", "That's wrong, Tom never worked at Siemens.", []),
        ("Priya leads the Apollo team.", "No, Tom leads the Apollo team.", []),
        ("Priya leads the Apollo team.", "No, Priya doesn't lead the Apollo team, Tom does.", []),
        (
            "Priya leads the Apollo team.",
            "Not the Apollo team, the Zeus team.",
            ["Priya leads the Zeus team."],
        ),
        ("The port is 9090.", "No, the port is 9090, not 8080.", []),
        ("Wiki läuft auf Port 8010.", "Nein, Wiki läuft auf Port 8010, nicht auf 8000.", []),
        (
            "Wiki läuft auf Port 8000.",
            "Nein, Wiki läuft auf Port 8010, nicht auf 8000.",
            ["Wiki läuft auf Port 8010."],
        ),
        ("Jonas hat am 2. Juli Geburtstag.", "Vergiss, dass Jonas am 2. Juli Geburtstag hat.", []),
        (
            "Jonas hat am 2. Juli Geburtstag.",
            "Jonas hat am 3. Juli Geburtstag.",
            ["Jonas hat am 3. Juli Geburtstag."],
        ),
        ("Anke wohnt in Köln.", "Nein, Anke wohnt in einem Haus.", []),
    ],
)
def test_of_several_names_the_one_that_is_denied_gives_way(old: str, told: str, lines: list[str]) -> None:
    """Mutant: `The office of Munich is in Berlin.`, for Acme is said as well."""
    assert changed_by(old, told) == lines


@pytest.mark.parametrize(
    ("old", "told", "lines"),
    [
        ("The API runs on port 8080.", "Actually, the test API runs on port 9090.", []),
        ("The standup is at 9:30.", "No, tomorrow the standup is at 11:00.", []),
        ("The team meets on Tuesdays.", "No, the design team meets on Wednesdays.", []),
        ("The API runs on port 8080.", "No, the API runs on port 9090.", ["The API runs on port 9090."]),
        ("The API is on port 8080.", "I told you twice, it is 9090, not 8080.", []),
        ("The API is on port 8080.", "It was 9090, not 8080.", ["The API is on port 9090."]),
        (
            "The API is on port 8080.",
            "You forgot that the API is on port 9090, not 8080.",
            ["The API is on port 9090."],
        ),
        ("The deadline is 3 June.", "No, the deadline was moved to 10 June.", ["The deadline is 10 June."]),
        (
            "Der Preis beträgt 900 Euro.",
            "Ab sofort beträgt der Preis 950 Euro.",
            ["Der Preis beträgt 950 Euro."],
        ),
        (
            "Le loyer est de 800 euros.",
            "Désormais le loyer est de 850 euros.",
            ["Le loyer est de 850 euros."],
        ),
        ("房租是1200元。", "从现在起房租是1300元。", ["房租是1300元。"]),
    ],
)
def test_who_says_more_than_another_value_speaks_of_something_else(
    old: str, told: str, lines: list[str]
) -> None:
    """Mutant: the test API's port is the API's."""
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {old}\n".encode())]

    changes = one_value_changed(Spoken(told, date(2026, 3, 19)), entries)

    assert [each.statement for each in changes] == lines


def test_another_numbered_thing_is_not_meant() -> None:
    """Seen: words about item 6 changed item 516, which stands on the same shelf."""
    told = "Nora keeps item 6 on shelf 9, not shelf 6"

    assert changed_by("Nora keeps item 516 for the house on shelf 6.", told) == []
    assert changed_by(
        "Nora keeps item 516 for the house on shelf 6.", told.replace("item 6", "item 516")
    ) == ["Nora keeps item 516 for the house on shelf 9."]


LONG_LINES = [
    ("The deploy window closes at 4 pm.", "deploy window closes at 5 pm, I had that wrong", "4 pm", "5 pm"),
    ("Water warden: Herr Low, plot 12", "The water warden is Herr Tran, not Herr Low", "Low", "Tran"),
    ("Anna is the treasurer.", "The treasurer is Bert now, not Anna.", "Anna", "Bert"),
    ("Cashier: Ann Low; clerk: Joe Dale.", "The clerk is Rita Oz now, not Joe Dale.", "Joe Dale", "Rita Oz"),
    ("The spare bulbs are in the blue box upstairs.", "No, the spare bulbs are in the red box.", "blue", "red"),
    ("The rent is 900 euros.", "Correction for the file: the rent is 950 euros, not 900", "900", "950"),
    ("Main warden: Joe Dale", "No, main warden is Ann Low", "Joe Dale", "Ann Low"),
    ("Rent: 1,140 euros, due on the 3rd of each month", "rent went up to 1,185 euros", "1,140", "1,185"),
    ("Der Elternabend ist in Raum 108.", "Elternabend ist in Raum 112 statt 108", "108", "112"),
    ("Abschlag Strom: 92 Euro im Monat", "der Abschlag für Strom ist von 92 auf 104 Euro gestiegen", "92", "104"),
    ("Auf dem Hof stehen 28 Kühe und 5 Ponys.", "wir haben jetzt 31 Kühe, nicht mehr 28", "28", "31"),
    ("El alquiler del piso es de 780 euros.", "el alquiler del piso ha subido a 815 euros", "780", "815"),
    ("Le loyer du garage est de 95 euros.", "le loyer du garage est passé de 95 à 102 euros", "95", "102"),
    ("staging site: nginx on box2, port 8080, basic auth", "No, the staging site listens on port 9090, not 8080.", "8080", "9090"),
    ("prod database: postgres 15, dump at 02:30, kept 14 days", "Dumps of the prod database are kept 30 days, not 14.", "14", "30"),
    ("car insurance: Allianz, 412 euros a year, until 31 December", "The car insurance is 437 euros a year, not 412.", "412", "437"),
    ("Ana (sister): lives in Porto, birthday 14 June", "Ana lives in Lisbon now, not in Porto.", "Porto", "Lisbon"),
    ("Miete Garage: 85 Euro, am 3. des Monats, bar", "Stimmt nicht, die Miete der Garage ist 95 Euro, nicht 85.", "85", "95"),
    ("Werkstatt: dienstags zu, freitags bis 20 Uhr", "Die Werkstatt ist montags zu, nicht dienstags.", "dienstags", "montags"),
    ("abonnement de sport : 39 euros par mois", "Non, l'abonnement de sport coûte 45 euros par mois, pas 39.", "39", "45"),
    ("la entrega: miércoles por la tarde, con SEUR", "La entrega es el viernes, no el miércoles.", "miércoles", "viernes"),
    ("riunione di progetto: giovedì alle 15, sala Volta", "La riunione di progetto è venerdì, non giovedì.", "giovedì", "venerdì"),
    ("团队例会：每周三下午三点，在望京办公室", "团队例会是每周四，不是每周三。", "周三", "周四"),
    ("定例会議：毎週水曜日 15時、会議室A", "定例会議は木曜日です、水曜日ではありません。", "水", "木"),
    ("팀 회의: 매주 수요일 오후 3시, 강남 사무실", "팀 회의는 목요일이에요, 수요일이 아니라.", "수요일", "목요일"),
]  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("line", "told", "gone", "came"), LONG_LINES)
def test_one_value_of_a_longer_line_is_corrected(line: str, told: str, gone: str, came: str) -> None:
    """Mutants: `not 412` is not the 412 euros; a Chinese word ends at each sign; some languages have no weekdays."""
    assert changed_by(line, told) == [line.replace(gone, came)]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("staging site: nginx on box2, port 8080", "The demo site listens on port 9696, not 8080."),
        ("Printer: HP LaserJet, room 204, toner in cupboard", "The copier is in room 305, not 204."),
        ("Ana: lives in Porto, birthday 14 June", "Ana lives in Faro, not in Porto, and her birthday is 15 June."),
        ("studio rent is 1,240, due on the 1st", "Last year the studio rent was 1,100, not 1,240."),
        ("weekly review: Wednesday, room Kepler", "No, the weekly review is on Thursday this week, not Wednesday."),
        ("The rent is 700.", "The rent goes up to 720."),
        ("The fee is 65 euros.", "Anna's fee went up from 65 to 70 euros."),
        ("The warden is Joe Dale and his deputy is Kim Oz.", "His deputy is Ann Low, not Joe Dale."),
        ("team: 12 people, 412 euros", "The car park has 500 places, not 412."),
        ("The Kita closes at 14:00.", "The meeting is at 15:00, not 14:00."),
        ("The Kita closes at 14:00.", "Das Meeting ist um 15:00, nicht um 14:00."),
        ("We fly on Friday.", "Our call is on Monday, not on Friday."),
        ("Nora swims at 14:00.", "Nora's concert is at 15:00, not 14:00."),
        ("The staging port is 8080.", "The staging proxy listens on 9090, not 8080."),
        ("Die Klingeln aus Messing liegen im Fach 3.", "Die Klingeln liegen im Fach 5."),
        ("Das Werkzeug für Naben liegt in Schublade 2.", "Nein, das Werkzeug liegt in Schublade 4."),
        ("Rent for the flat is 1,240 euros.", "Rent for the studio is 1,300 euros, not 1,240 euros."),
        ("Rent: 1,140 euros, due on the 3rd of each month", "it's due on the 5th"),
        ("Mira: 12 mg in the morning, 20 mg at night", "she takes 30 mg at night now"),
        ("The team plays in green shirts.", "no, the team plays in the rain"),
        ("The team plays in green shirts.", "No, the team plays in red shirts tomorrow"),
        ("Our van is white.", "No, our van is broken"),
        ("Der Saal hat 28 Plätze.", "wir haben 31 Stühle, nicht 28"),
        ("The gate code is 2580.", "the gate code is 2508, hm, it is 2580 after all"),
        ("Ich nehme 5 mg Bisoprolol am Morgen.", "nein, ich nehme 10 mg Ramipril am Morgen"),
        ("The key of the shed is with Tom.", "no, the key of the car is with Tom"),
        ("The kitchen is closed on Sundays.", "oh, the kitchen is cleaned on Sundays"),
        ("Plan A costs 10 euros, plan B costs 20 euros.", "Correction: plan C costs 30 euros"),
        ("We have 12 chairs, 3 tables.", "we have 15 chairs at home"),
        ("The flat has 3 rooms, the house has 6 rooms.", "no, the other house has 8 rooms"),
        ("Die Miete beträgt 900 Euro.", "ihre Miete beträgt jetzt 950 Euro"),
    ],
)  # fmt: skip
def test_what_names_another_thing_or_another_value_corrects_nothing(line: str, told: str) -> None:
    """Mutants: the demo site is the staging site; what holds this week holds for good; of two new values one is lost.

    Seen: whatever had the same old value and no word but `meeting`, or began with the same name, was changed at once; the bells
    of a line gave way to the shelf (`Die Fach 5 aus Messing`).
    """
    assert changed_by(line, told) == []


@pytest.mark.parametrize(
    ("line", "told", "now"),
    [
        ("We meet Paul on Fridays.", "The meeting with Paul is on Mondays, not on Fridays.", "We meet Paul on Mondays."),
        ("The staging port is 8080.", "Staging listens on 9090, not 8080.", "The staging port is 9090."),
        ("Standup is at 14:00.", "Standup starts at 15:00, not 14:00.", "Standup is at 15:00."),
    ],
)  # fmt: skip
def test_a_thing_in_other_words_is_the_same(line: str, told: str, now: str) -> None:
    assert changed_by(line, told) == [now]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "told", "now"),
    [
        ("The dentist is at 3 pm.", "Correction: the dentist is at 4 pm.", "The dentist is at 4 pm."),
        ("Deploys go with helm.", "Correction: Deploys go with kustomize, not helm.", "Deploys go with kustomize."),
        ("Der Zahnarzt ist um 15 Uhr.", "Korrektur: der Zahnarzt ist um 16 Uhr.", "Der Zahnarzt ist um 16 Uhr."),
        ("Il dentista è alle 15:00.", "Correzione: il dentista è alle 16:00.", "Il dentista è alle 16:00."),
        ("El dentista es a las 15:00.", "Corrección: el dentista es a las 16:00.", "El dentista es a las 16:00."),
        ("Le dentiste est à 15:00.", "Correction : le dentiste est à 16:00.", "Le dentiste est à 16:00."),
        ("De tandarts is om 15:00.", "Correctie: de tandarts is om 16:00.", "De tandarts is om 16:00."),
        ("O dentista é às 15:00.", "Correção: o dentista é às 16:00.", "O dentista é às 16:00."),
        ("Okno jest o 15:00.", "Sprostowanie: okno jest o 16:00.", "Okno jest o 16:00."),
        ("Schůzka je v 15:00.", "Oprava: schůzka je v 16:00.", "Schůzka je v 16:00."),
        ("Зустріч о 15:00.", "Виправлення: зустріч о 16:00.", "Зустріч о 16:00."),
        ("牙医预约在下午3点。", "更正：牙医预约在下午4点。", "牙医预约在下午4点。"),
        ("歯医者は15:00です。", "訂正：歯医者は16:00です。", "歯医者は16:00です。"),
        ("치과 예약은 오후 3시.", "정정: 치과 예약은 오후 4시.", "치과 예약은 오후 4시."),
    ],
)  # fmt: skip
def test_a_message_that_calls_itself_a_correction_is_one(line: str, told: str, now: str) -> None:
    """Seen: beside each line it was one more word that the line has not, so that it corrected nothing, in any language.

    Mutants: the word tells something; triage hears it in some languages alone.
    """
    assert changed_by(line, told) == [now]
    assert triage(told).validator is not None


DOUBTED = [
    ("Okno jest o 14:00.", (
        "Nie, okno jest o 15:00, a nie o 14:00?",
        "Jeśli się nie mylę, okno jest o 15:00, a nie o 14:00.",
        "Falk mówi, że okno jest o 15:00, a nie o 14:00.",
        "Chyba okno jest o 15:00, a nie o 14:00.",
        "Okno jest o 15:00, a nie o 14:00. Zgadza się?",
        "Dostałem to od Falka\nSprostowanie: Okno jest o 15:00.",
        "Z naszej wiki\n\nSprostowanie: Okno jest o 15:00.",
        "Sprostowanie: Okno jest o 15:00. Podsumuj to.",
    )),
    ("Schůzka je ve 14:00.", (
        "Pokud vím, schůzka je v 15:00, ne ve 14:00.",
        "Falk říká, že schůzka je v 15:00, ne ve 14:00.",
        "Z naší wiki\nOprava: schůzka je v 15:00.",
    )),
    ("Зустріч о 14:00.", (
        "Якщо я не помиляюся, зустріч о 15:00, а не о 14:00.",
        "Тарас каже, що зустріч о 15:00, а не о 14:00.",
        "Зустріч о 15:00, а не о 14:00. Правда?",
    )),
    ("La reunión es a las 14:00.", (
        "Me llegó esto de Falk\nCorrección: La reunión es a las 15:00.",
        "De nuestra wiki\n\nCorrección: La reunión es a las 15:00.",
        "La reunión es a las 15:00, no a las 14:00. ¿Verdad?",
        "Corrección: La reunión es a las 15:00. Resume esto.",
    )),
]  # fmt: skip


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("The dentist is at 3 pm.", "Correction: the barber is at 4 pm."),
        ("Der Zahnarzt ist um 15 Uhr.", "Korrektur: der Friseur ist um 16 Uhr."),
        ("The dentist is at 3 pm.", "Correction: the dentist is at 4 pm this week."),
        *[(line, said) for line, doubts in DOUBTED for said in doubts],
    ],
)
def test_a_correction_of_something_else_changes_no_line(line: str, told: str) -> None:
    assert changed_by(line, told) == []


@pytest.mark.parametrize(
    ("line", "told", "now"),
    [
        ("Chor ist am Dienstag.", "Chor ist jetzt mittwochs", ["Chor ist am Mittwoch."]),
        ("We fly on 4 July, back 1 August.", "We fly on 11 July, not on the 4th.", ["We fly on 11 July, back 1 August."]),
        ("We fly on 4 July, back 1 August.", "we are back on the 3rd, not the 1st", ["We fly on 4 July, back 3 August."]),
        ("Lena bleibt bis 18. Dezember.", "Lena bleibt bis 22. Jänner, nicht 18. Dezember", ["Lena bleibt bis 22. Jänner."]),
        ("Mein Arzt ist Dr. Low.", "Neuer Arzt: Dr. Ray, nicht mehr Dr. Low, der ist in Rente", []),
        ("Nonna Rosa abita a Lucca, via del Fosso 88", "No, Nonna Rosa abita in via Santa Chiara 12", []),
        ("Bea lives in Lucca, via del Fosso 88", "no, Bea lives in via Santa Chiara 12 now, not via del Fosso", []),
        ("Rounds on Tuesday and Friday at 8:30.", "Friday rounds are at 9:00 now, not 8:30.", []),
        ("Ada is the cook and has the keys.", "the cook is eva, not ada", ["Eva is the cook and has the keys."]),
        ("Ada Lund is the site engineer.", "Ada left. The site engineer is Eva Berg now.", []),
        ("Ada Lund is the site engineer.", "The site engineer is Eva Berg now.", ["Eva Berg is the site engineer."]),
        ("The tutor of Paul is Frau Berg.", "Frau Berg is not Paul's tutor, it's Herr Adam.", []),
        ("School starts in September 2027.", "School starts in 2028, not 2027.", ["School starts in September 2028."]),
        ("The lease of the shed ends on 30 June 2027.", "The lease ends on 31 July 2027, not June.", ["The lease of the shed ends on 31 July 2027."]),
    ],
)  # fmt: skip
def test_a_value_fits_into_its_line_or_changes_nothing(line: str, told: str, now: list[str]) -> None:
    """Seen: `Ada Eva Berg is the engineer.`, `The tutor of Herr Adam is Frau Berg.`, `Mein Arzt ist Rente.`, `abita a Santa Chiara 12, via del Fosso 88`, both days at nine; `am Mittwochs`."""
    assert changed_by(line, told) == now


def changed_by(line: str, told: str) -> list[str]:
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {line}\n".encode())]
    return [each.statement for each in one_value_changed(Spoken(told, date(2026, 3, 19)), entries)]


@pytest.mark.parametrize(
    ("old", "told", "line"),
    [
        ("The port is 8080.", "From now on the port is 9090.", "'The port is 9090.'"),
        ("The port is 8080.", "From now on 9090.", "'The port is 9090.'"),
        ("Anselm comes on Tuesdays.", "anselm is on wednesdays now", "'Anselm comes on Wednesdays.'"),
        ("Anna works at La Poste.", "Anna kommt zu Noël.", '"NEW LINE"'),
        ("Nora Brandt is the bookkeeper.", "Nora is in Oslo.", '"NEW LINE"'),
        (
            "Nora Brandt leads the Harbor team.",
            "The Harbor team is led by Jo Weber now.",
            "'Jo Weber leads the Harbor team.'",
        ),
        (
            "The flat is at Elm Road 12, door 7.",
            "I don't live at Elm Road any more, we moved to Oak Lane 3.",
            "'The flat is at Oak Lane 3, door 7.'",
        ),
        ("The dog gets 180 g of food twice a day.", "The dog is 8 kg.", '"NEW LINE"'),
    ],
)
def test_a_name_is_offered_only_where_all_else_of_the_line_is_said(old: str, told: str, line: str) -> None:
    """Mutant: any other name is, as in `Nora Oslo`."""
    assert as_new(line_after(old, told)) == line


# Written before the rule was.
CONTRASTED = [
    ("Our van is white.", "No, our van is green, not white.", "Our van is green."),
    (
        "Nora is allergic to hazelnuts.",
        "No, Nora is allergic to walnuts, not hazelnuts.",
        "Nora is allergic to walnuts.",
    ),
    (
        "The workshop's wifi is called Celadon-Guest.",
        "No, the workshop's wifi is called Celadon-5G, not Celadon-Guest.",
        "The workshop's wifi is called Celadon-5G.",
    ),
    (
        "The cat sleeps in the kitchen.",
        "Actually the cat sleeps in the cellar, not in the kitchen!",
        "The cat sleeps in the cellar.",
    ),
    ("Unser Auto ist blau.", "Nein, unser Auto ist dunkelgrün, nicht blau.", "Unser Auto ist dunkelgrün."),
    (
        "El perro duerme en la cocina.",
        "No, el perro duerme en el garaje, no en la cocina.",
        "El perro duerme en el garaje.",
    ),
    ("Le vélo est rouge.", "Non, le vélo est vert, pas rouge.", "Le vélo est vert."),
    (
        "O ensaio é às 19h30 na igreja.",
        "ah, afinal o ensaio é às 20h, não às 19h30",
        "O ensaio é às 20h na igreja.",
    ),
    (
        "The mail host is mx1.example.org.",
        "No, the mail host is mx2.example.org, not mx1.example.org.",
        "The mail host is mx2.example.org.",
    ),
]
NOT_CONTRASTED = [
    ("Our car is white.", "No, our van is green, not white."),  # another thing
    ("Emil's van is white.", "No, our van is green, not white."),
    ("Our van is green.", "No, our van is green, not white."),  # says so already
    ("Our van is white.", "It's green, not white."),  # of what?
    ("Our van is white.", "Is our van green, not white?"),
    ("Our van is white.", "If our van is green, not white, call me."),
    ("Our van is white.", "My sister says our van is green, not white."),
    ("Our van is white.", "I wish our van was green, not white."),
    ("Our van is white.", "Our van is not white."),  # and what is it?
    ("Our van is white and the white roof leaks.", "No, our van is green, not white."),  # which one?
    ("Use tabs, not spaces.", "use spaces, not tabs"),  # the two change places
    ("Use port 8080, not 8081.", "use port 8081, not 8080"),
    ("We ship to Norway, not to Sweden.", "no, we ship to Sweden, not to Norway"),
    ("Nora is allergic to hazelnuts.", "Nora is allergic to walnuts, not only hazelnuts."),
    ("Nora is allergic to hazelnuts.", "Nora is allergic to walnuts as well, not just to hazelnuts."),
    ("Nora is allergic to hazelnuts.", "Emil is allergic to walnuts, not hazelnuts."),
    ("Mia ist gegen Haselnüsse allergisch.", "Mia ist nicht gegen Haselnüsse allergisch."),
    ("The cat sleeps in the kitchen.", "The neighbour's cat sleeps in the cellar, not in the kitchen."),
    ("The cat sleeps in the kitchen.", "Tonight the cat sleeps in the cellar, not in the kitchen."),
    ("We moved the desk to the attic.", "Please move the desk to the garage, not to the attic."),
    ("The key is under the mat.", "> The key is in the shed, not under the mat."),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("old", "told", "line"), CONTRASTED)
def test_a_word_that_is_named_and_denied_gives_way_to_the_one_beside_it(
    old: str, told: str, line: str
) -> None:
    entries = [
        EntryInFile("MEMORY.md", entry)
        for entry in read_entries(f"- {old}\n- Rent is due on the 1st.\n".encode())
    ]

    changes = one_value_changed(Spoken(told, date(2026, 3, 19)), entries)

    assert [each.statement for each in changes] == [line]
    assert shlex.split(as_new(line_after(old, told))) == [line]
    assert ground_of(ProposedEdit(old, line), Spoken(told, date(2026, 3, 19))).level == OPERATOR
    assert not is_reading(line, old, [told])


@pytest.mark.parametrize(
    ("old", "told", "now"),
    [
        ("12 February 2027", "19 February, not the 12th", "19 February 2027"),
        ("12 February 2027", "5 March, not 12 February", "5 March 2027"),
        ("12 February 2027", "19 February 2028, not the 12th", "19 February 2028"),
        ("February 12, 2027", "February 19, not the 12th", "February 19, 2027"),
        ("February 12, 2027", "19 February, not the 12th", "19 February 2027"),
        ("30 December 2026", "3 January, not 30 December", "3 January"),
    ],
)
def test_a_new_date_has_the_year_of_the_old_one_if_its_month_is_near(old: str, told: str, now: str) -> None:
    """Seen: "due 12 February 2027" became "due 19 February". Mutant: a January is of the December's year."""
    line = f"The CVRT of the van is due {old}."
    told = f"The CVRT of the van is due {told}"
    (entry,) = read_entries(f"- {line}\n".encode())

    (change,) = one_value_changed(Spoken(told, date(2026, 11, 28)), [EntryInFile("MEMORY.md", entry)])

    assert change.statement == f"The CVRT of the van is due {now}."
    assert shlex.split(as_new(line_after(line, told))) == [change.statement]
    assert not is_reading(change.statement, line, [told])


def test_a_line_that_was_corrected_without_the_year_stays_his_own_word() -> None:
    """Mutant: the fold reads the year into a quote of which an older version left it out."""
    told = "The CVRT of the van is due 19 February, not the 12th"

    assert not is_reading("The CVRT is due 19 February.", "The CVRT is due 12 February 2027.", [told])


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("old", "told"), NOT_CONTRASTED)
def test_a_word_gives_way_to_none_where_the_sentence_may_mean_something_else(old: str, told: str) -> None:
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {old}\n".encode())]

    assert one_value_changed(Spoken(told, date(2026, 3, 19)), entries) == []


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("Nora is allergic to walnuts and pecans.", "No, Nora is allergic to walnuts, not hazelnuts."),
        ("Nora is allergic to all nuts.", "No, Nora is allergic to walnuts, not hazelnuts."),
        ("Nora is allergic to walnuts.", "Tom says Nora is allergic to walnuts, not hazelnuts."),
        ("Nora is allergic to walnuts.", "If Nora is allergic to walnuts, not hazelnuts, tell me."),
    ],
)
def test_another_line_than_he_said_is_not_his_own_word(new: str, told: str) -> None:
    """Mutant: a sentence that exchanges words makes whatever line his."""
    old = "Nora is allergic to hazelnuts."

    assert ground_of(ProposedEdit(old, new), Spoken(told, date(2026, 3, 19))).level != OPERATOR


@pytest.mark.parametrize(
    ("old", "told", "lines"),
    [
        ("Our choir sings in Basel.", "Actually, our choir also sings in Zurich.", []),
        ("Our choir sings in Basel.", "Actually, our choir sings in Zurich too.", []),
        ("Tissot is only reachable Wednesday.", "Tissot isn't only reachable Wednesday, he's reachable Friday too.", []),
        ("We sharpen every 3 months.", "We don't only sharpen every 3 months, we also do every 2 months.", []),
        ("Our choir sings in Basel.", "Actually, our choir sings in Zurich, not in Basel.", ["Our choir sings in Zurich."]),
        ("Lotte ist allergisch gegen Erdnüsse.", "Nein, Lotte ist auch allergisch gegen Bienen.", []),
        ("Le choeur chante à Paris.", "Non, le choeur chante aussi à Lyon.", []),
    ],
)  # fmt: skip
def test_what_holds_as_well_takes_no_place(old: str, told: str, lines: list[str]) -> None:
    """Mutant: the second allergy takes the place of the first."""
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {old}\n".encode())]

    changes = one_value_changed(Spoken(told, date(2026, 3, 19)), entries)

    assert [each.statement for each in changes] == lines


@pytest.mark.parametrize(
    ("told", "is_all"),
    [
        ("oh wait, invoice 6843 is due on 21 June, not 11 June", True),
        ("Sorry, invoice 6843 is due on 21 June, not 11 June.", True),
        ("Hoekstra says invoice 6843 and 6844 are due on 21 June, not 11 June.", False),
    ],
)
def test_a_word_of_surprise_before_a_correction_says_nothing_of_its_own(told: str, is_all: bool) -> None:
    """Mutant: `oh wait` is something that no line says, and the correction waits for the night."""
    held = EntryInFile("MEMORY.md", read_entries(b"- Invoice 6843 of Hoekstra is due on 11 June.\n")[0])

    changes = one_value_changed(Spoken(told, date(2026, 3, 19)), [held])

    assert [each.says_no_more() for each in changes] == [True] * is_all


RENT = "The studio rent is 1,180 euros a month."
PAULA = "Paula can come on Tuesdays."
BLANK = 'clawgit correct x:1 "NEW LINE"'


@pytest.mark.parametrize(
    ("statement", "said", "commands"),
    [
        pytest.param(
            RENT,
            "You have that wrong: the rent is 1,240 euros now, since November.",
            ["clawgit approve x:1"],
            id="one value moves, of a subject that is not all there",
        ),
        pytest.param(
            PAULA,
            "Actually Paula can't do Thursdays.",
            [BLANK, 'clawgit remember "Paula can\'t do Thursdays."'],
            id="a denial moves none",
        ),
        pytest.param(
            RENT,
            "You have that wrong: the lease deposit was 2,000 euros.",
            [BLANK],
            id="a value of something else",
        ),
        pytest.param(PAULA, "No, that's wrong, she does it.", [BLANK], id="nothing that stands by itself"),
        pytest.param(
            PAULA, "Remember: Paula gets 80 euro a day.", [BLANK], id="what was to be remembered is"
        ),
        pytest.param(
            "La cita del dentista es el 3 de febrero.",
            "La cita del cirujano del abuelo es el 9 de enero. ¿Está claro?",
            ["clawgit remember 'La cita del cirujano del abuelo es el 9 de enero.'", BLANK],
            id="another fact in a message that asks too",
        ),
    ],
)
def test_what_is_offered_for_a_linked_line(statement: str, said: str, commands: list[str]) -> None:
    """Mutants: a correction is offered to be remembered with its cue; only languages with verb forms state a fact."""
    assert link_commands("x:1", statement, said) == (*commands, "clawgit reject x:1")


@pytest.mark.parametrize(
    ("old", "told", "line"),
    [
        ("The rent is 900 euros.", "the rent is 950 now", "'The rent is 950 euros.'"),
        ("Die Miete beträgt 900 Euro.", "die Miete ist jetzt 950", "'Die Miete beträgt 950 Euro.'"),
        ("The rent is 900 euros.", "it goes up to 950 in May", '"NEW LINE"'),
        ("The rent is 900 euros.", "the rent is for 2 flats", '"NEW LINE"'),
        (
            "The choir meets on Tuesdays at 19:00 in the hall.",
            "choir is at 20:00 from now on",
            "'The choir meets on Tuesdays at 20:00 in the hall.'",
        ),
        (
            "The pool has 3 lanes of 25 m.",
            "the pool has 4 lanes",
            "'The pool has 4 lanes of 25 m.'",
        ),
        ("The standup is on Mondays.", "not Mondays, Tuesdays", "'The standup is on Tuesdays.'"),
        ("The standup is at 9:00.", "not 9:00 but 10:00, sorry", "'The standup is at 10:00.'"),
        ("Die Probe ist montags.", "nicht montags, dienstags", "'Die Probe ist dienstags.'"),
        ("The standup is on Mondays.", "not Mondays, Tuesdays or Fridays", '"NEW LINE"'),
        ("The shop is open on Mondays.", "we're not open Mondays, Tuesdays", '"NEW LINE"'),
        ("He comes on Mondays.", "not coming, Tuesdays", '"NEW LINE"'),
        (
            "Betriebsferien vom 23. Dezember bis 6. Januar",
            "Die Betriebsferien beginnen am 22. Dezember, nicht am 23. Dezember.",
            "'Betriebsferien vom 22. Dezember bis 6. Januar'",
        ),
    ],
)
def test_the_one_value_of_a_message_takes_the_place_of_the_one_of_its_kind(
    old: str, told: str, line: str
) -> None:
    assert as_new(line_after(old, told)) == line


def test_what_says_nothing_is_not_to_be_remembered() -> None:
    """Seen: `clawgit remember 'by the way.'`."""
    assert remember_command("I am vegan now, by the way.") != "clawgit remember 'by the way.'"


def test_a_mail_whose_head_is_in_one_line_is_not_his_word() -> None:
    """Seen: an offer of a printer's stood beside a line as what the operator said."""
    mail = "From: The printers Subject: Offer 150 posters for 96.00 euros net"

    assert own_sentences(mail) == ()
    assert own_sentences("It is from 2024. Subject: the flat has 80 square metres.") != ()


def test_an_order_to_forget_is_carried_out_on_the_line_that_it_is_about_alone() -> None:
    """Seen: `clawgit forget` of the line that shall stay."""
    said = "Forget the staging port; the production port stays."

    assert link_commands("x:1", "The staging port is 8080.", said)[0].startswith("clawgit forget ")
    assert not any(
        "forget" in each for each in link_commands("x:1", "The production port is 7070.", said)[:1]
    )


RATE = "Day rate FOH: 320 EUR + per diem 35 EUR (since June 2026; before 280)"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("My FOH day rate is 340, not 320.", f"'{RATE.replace('320', '340')}'"),
        ("My FOH day rate is 340 now.", '"NEW LINE"'),
    ],
)
def test_a_bare_number_has_the_unit_of_the_one_that_it_replaces(said: str, line: str) -> None:
    """Seen: `before 340`, ready to paste. Mutant: the only bare number of the line gives way to a bare one."""
    assert as_new(line_after(RATE, said)) == line


def test_a_bare_number_may_be_of_what_has_a_name_for_a_unit() -> None:
    """Seen: `paid in 250 days`, ready to paste. Mutant: what has a unit alone is looked at."""
    old = "The invoice is 200 Swiss francs, paid in 30 days."
    assert as_new(line_after(old, "The invoice is 250.")) == '"NEW LINE"'


ROOMS = "Room 7 costs 65 euros and room 9 costs 80"
BREAKFAST = "Breakfast is from 8 to 10. Room 4 has no TV. Sra. Ibáñez comes on Fridays."
PORTS = "Redis runs on port 6379 and Postgres on port 5432."


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("old", "told", "line"),
    [
        (ROOMS, "no, room 9 costs 85, not 80", "'Room 7 costs 65 euros and room 9 costs 85'"),
        (ROOMS, "no, room 9 costs 85 euros", '"NEW LINE"'),
        (
            "room 7 cuesta 65 euros y room 9 cuesta 80",
            "no, room 9 cuesta 85, no 80",
            "'room 7 cuesta 65 euros y room 9 cuesta 85'",
        ),
        (
            "La chambre 7 coûte 65 euros et la chambre 9 coûte 80.",
            "Non, la chambre 9 coûte 85, pas 80.",
            "'La chambre 7 coûte 65 euros et la chambre 9 coûte 85.'",
        ),
        ("Room 9 costs 80 euros.", "no, 85", '"NEW LINE"'),
        ("Room 9 costs 80 euros.", "room 9 now costs 85, not 80", "'Room 9 costs 85 euros.'"),
        (
            PORTS,
            "Postgres is on port 5433, not 5432.",
            "'Redis runs on port 6379 and Postgres on port 5433.'",
        ),
        ("The staging port is 8080 and the admin port is 8090.", "no, the admin port is 8091", '"NEW LINE"'),
        (
            "El puerto de staging es 8080 y el de admin 8090.",
            "no, el de admin es 8091, no 8090",
            "'El puerto de staging es 8080 y el de admin 8091.'",
        ),
        ("El desayuno es de 8 a 10.", "no, el desayuno es hasta las 11", '"NEW LINE"'),
        (
            "Anna putzt montags und Ben donnerstags.",
            "Nein, Ben putzt freitags, nicht donnerstags.",
            "'Anna putzt montags und Ben freitags.'",
        ),
        ("The plumber is Paco and the electrician is Luis.", "no, the electrician is Pepe", '"NEW LINE"'),
        (
            "the shop opens at 9:30 on saturdays, the rent is 850 a month",
            "we open at 10 on saturdays, not 9:30",
            '"NEW LINE"',
        ),
    ],
)
def test_of_several_values_only_the_one_that_is_named_as_gone_gives_way(
    old: str, told: str, line: str
) -> None:
    """Mutants: any number of a line gives way; the number of a room does; a bare price is no rival of one in euros; what is named as gone is looked for among values of the same kind alone."""
    assert as_new(line_after(old, told)) == line


def test_the_number_of_a_room_is_not_its_price() -> None:
    """Mutant: `room 4 now costs 75, not 70` corrects at once to `Room 75 costs 70 euros.`, the only bare number of the line."""
    spoken = Spoken("room 4 now costs 75, not 70", date(2026, 11, 27))
    held = EntryInFile("", Entry(None, "Room 4 costs 70 euros.", None, 0, 1, 1))
    changes = one_value_changed(spoken, [held])
    assert [each.statement for each in changes] == ["Room 4 costs 75 euros."]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("old", "new", "dropped"),
    [
        (BREAKFAST, "Breakfast is from 8 to 11.", ["Room 4 has no TV. Sra. Ibáñez comes on Fridays"]),
        (BREAKFAST, BREAKFAST.replace("10", "11"), []),
        (ROOMS, "Room 9 costs 85.", ["65 euros", "7", "80"]),
        (ROOMS, "Room 7 costs 65 euros and room 9 costs 85", []),
        ("User is allergic to nuts and shellfish.", "User is allergic to nuts.", ["shellfish"]),
        ("The plumber is Paco, 600 123 456.", "The plumber is Pepe.", ["600 123 456"]),
        ("Ada lives in Rome.", "Ben works at Siemens.", []),
        ("The review is on Wednesday.", "The review is on Thursday at 10.", []),
        ("Flu vaccine (30)", "Flu vaccine (34)", []),
        ("Lunch, 12:30", "Lunch, 13:30", []),
        (
            "Nguyen: insulin at 7:30, allergic to penicillin",
            "Nguyen: insulin at 8:00",
            ["allergic to penicillin"],
        ),
        ("Nguyen: insulin at 7:30, penicillin", "Nguyen: insulin at 8:00, 12:00", ["penicillin"]),
    ],
)
def test_what_a_new_line_no_longer_says_is_told(old: str, new: str, dropped: list[str]) -> None:
    """Seen: "(30" as dropped, though 34 stands there. Mutants: only whole sentences are looked at; what is reworded altogether is told word for word; any new part replaces any old one."""
    assert no_longer_said(old, new) == dropped


@pytest.mark.parametrize(
    ("old", "new"),
    [("Gym Montag", "am Dienstag"), ("Gym Montag", "am Dienstag."), ("The gym is on Monday.", "Tuesday"), ("Rent: 850 euros", "890 euros")],
)  # fmt: skip
def test_a_value_with_small_words_is_not_all_that_a_line_says(old: str, new: str) -> None:
    """Seen: `correct … "am Dienstag"` took the gym out of the line. Mutant: as many words are a line."""
    entries = [EntryInFile("MEMORY.md", Entry("aaaaaa", old, None, 0, 1, 1))]

    assert not is_line(new, old)
    with pytest.raises(CorrectError):
        named(old, new, entries, None)


def test_a_row_says_a_cell_at_a_time_and_keeps_its_padding() -> None:
    """Mutants: the second of two equal cells is meant; an escaped sign ends a cell."""
    row = r"| Rye \| wheat | 4.20 €  | 750 g |"

    assert row_statements(row) == [r"Rye \| wheat: 4.20 €", r"Rye \| wheat: 750 g"]
    assert row_saying(row, r"Rye \| wheat: 4.20 €", r"Rye \| wheat: 4.50 €") == row.replace("4.20", "4.50")
    assert row_saying("| A | 4 | 4 |", "A: 4", "A: 5") == ""
    assert row_statements("no row | here") == ["no row | here"]


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("12 bultos harina", "la harina ya esta en 610 el bulto", ""),
        ("12 bultos harina", "la harina ya esta en 610", ""),
        ("12 sacks of flour", "flour is 610 a sack now", ""),
        ("The baker takes 12 sacks of flour.", "flour is 610 a sack now", ""),
        ("3 cajas huevo", "el huevo cuesta 915 la caja", ""),
        ("4 nuits à Lyon", "Lyon coûte 95 la nuit", ""),
        ("12 zakken meel", "meel is nu 610 per zak", ""),
        ("40 boxes of conchas", "conchas are 2 dollars now", ""),
        ("Fee for 4 lessons", "lessons cost 90", ""),
        ("12 bultos harina", "no, la harina es 14 bultos", "14 bultos harina"),
        ("12 bultos harina", "ya no son 12, son 15", "15 bultos harina"),
        ("2 cajas de leche", "la leche: 3 cajas", "3 cajas de leche"),
        ("31 free", "no, 28 free", "28 free"),
        ("My sister lives here with her two kids, Ed and Mia.", "By the way Mia is 7 now.", ""),
        ("8,900 wishlists on Steam", "wishlists are at 9,150", "9,150 wishlists on Steam"),
        ("The choir has 24 members.", "the choir has 26 now", "The choir has 26 members."),
    ],
)
def test_a_number_takes_the_place_of_a_count_only_where_it_counts_the_same_things(
    line: str, said: str, right: str
) -> None:
    """Seen: 12 sacks of flour became 610, the price of one. Mutants: any number of the message takes the place; a rate (`a sack`) is a count."""
    assert offered_line(line, said) == right
    assert line_of_yes(line, said) in ("", right)


def test_a_value_that_a_message_does_not_have_costs_no_pattern() -> None:
    """Seen: half the time of the validator beside 200 lines. Mutant: each value of each line is a pattern of its own."""
    calls: list[str] = []
    re.purge()
    sys.setprofile(lambda frame, event, _: calls.append(Path(frame.f_code.co_filename).name))
    try:
        assert not denies_value("1007 euros", "the rent isn't 1005 euros")
        assert "_compiler.py" not in calls
        assert denies_value("1005 euros", "the rent isn't 1005 euros")
    finally:
        sys.setprofile(None)
    assert "_compiler.py" in calls
