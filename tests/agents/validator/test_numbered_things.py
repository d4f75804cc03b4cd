"""Things that are called by a word and a number: a message about one of them is nothing to the others."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest

from clawgit.agents.recall_validator import RecallValidator
from clawgit.capture.messages.open_messages import open_messages
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.understanding.corrections.fitted_line import fitted_line, limits
from clawgit.understanding.evidence.numbered_things import numbers_another
from clawgit.understanding.forms.sentence_forms import OF_MANY

MANY = 20
EACH = 17
# a line, and how a correction of it is said: {n} is the thing's number, {v} its value.
TABLES = {
    "items": (
        "{who} keeps item {n} for the house on shelf {v}.",
        ("Actually, item {n} for the house moved to shelf {v}.", "No, item {n} is on shelf {v} now.", "as I said, shelf {v} for item {n}"),
        range(1, 30),
    ),
    "rooms": (
        "Room {n} costs {v} euros a night.",
        ("Actually, room {n} costs {v} euros a night.", "Room {n} is {v} euros now.", "No, it's {v} euros for room {n}."),
        range(60, 100, 5),
    ),
    "appointments": (
        "Appointment {n} with {who} is at {v}:00.",
        ("Actually, appointment {n} is at {v}:00.", "No, appointment {n} moved to {v}:30.", "{v}:00 for appointment {n}, not earlier"),
        range(8, 18),
    ),
    "Plätze": (
        "{who} hat Platz {n} im Lager, Fach {v}.",
        ("Nein, Platz {n} im Lager hat jetzt Fach {v}.", "Übrigens ist Platz {n} jetzt in Fach {v}.", "Fach {v} für Platz {n}"),
        range(1, 30),
    ),
    "Zimmer": (
        "Zimmer {n} kostet {v} Euro pro Nacht.",
        ("Nein, Zimmer {n} kostet {v} Euro pro Nacht.", "Zimmer {n} kostet jetzt {v} Euro.", "Eigentlich sind es {v} Euro für Zimmer {n}."),
        range(60, 100, 5),
    ),
    "Termine": (
        "Termin {n} mit {who} ist um {v} Uhr.",
        ("Nein, Termin {n} ist um {v} Uhr.", "Termin {n} wurde auf {v} Uhr verschoben.", "{v} Uhr für Termin {n}"),
        range(8, 18),
    ),
    "cajas": (
        "{who} guarda la caja {n} en el estante {v}.",
        ("No, la caja {n} está ahora en el estante {v}.", "En realidad la caja {n} pasó al estante {v}.", "el estante {v} para la caja {n}"),
        range(1, 30),
    ),
    "habitaciones": (
        "La habitación {n} cuesta {v} euros por noche.",
        ("No, la habitación {n} cuesta {v} euros.", "La habitación {n} cuesta ahora {v} euros.", "son {v} euros para la habitación {n}"),
        range(60, 100, 5),
    ),
    "citas": (
        "La cita {n} con {who} es a las {v}:00.",
        ("No, la cita {n} es a las {v}:00.", "La cita {n} pasó a las {v}:30.", "a las {v}:00 la cita {n}"),
        range(8, 18),
    ),
    "scatole": (
        "{who} tiene la scatola {n} sullo scaffale {v}.",
        ("No, la scatola {n} ora è sullo scaffale {v}.", "In realtà la scatola {n} è passata allo scaffale {v}.", "scaffale {v} per la scatola {n}"),
        range(1, 30),
    ),
    "camere": (
        "La camera {n} costa {v} euro a notte.",
        ("No, la camera {n} costa {v} euro.", "La camera {n} ora costa {v} euro.", "sono {v} euro per la camera {n}"),
        range(60, 100, 5),
    ),
    "appuntamenti": (
        "L'appuntamento {n} con {who} è alle {v}:00.",
        ("No, l'appuntamento {n} è alle {v}:00.", "L'appuntamento {n} è spostato alle {v}:30.", "alle {v}:00 l'appuntamento {n}"),
        range(8, 18),
    ),
}  # fmt: skip


def generated(name: str) -> tuple[dict[int, str], list[tuple[int, str]]]:
    """Return the lines of a table by the number of their thing, and corrections of some of them with that number."""
    line, ways, values = TABLES[name]
    chance = random.Random(name)
    lines = {}
    for number in range(1, MANY + 1):
        who = chance.choice(("Tomasz", "Nora", "Otto"))
        lines[number] = line.format(n=number, v=chance.choice(values), who=who)
    said = []
    for number in chance.sample(sorted(lines), EACH):
        value = chance.choice(values)
        said.append((number, chance.choice(ways).format(n=number, v=value)))
    return lines, said


@pytest.mark.rest
@pytest.mark.parametrize("name", TABLES)
def test_a_correction_is_put_beside_its_own_line_and_no_other(talk, remembering, name: str) -> None:
    """Mutants: any line that shares a number with the message; whatever a line numbers first or last may be the value."""
    lines, said = generated(name)
    text = "".join(f"- {line}\n" for line in lines.values())
    remembering.change({"MEMORY.md": f"# MEMORY\n\n{text}"}, actor="operator")
    remembering.now += timedelta(hours=2)
    wrong, own = [], 0
    talk.say(*(f"ada: {message}" for _, message in said))
    with open_messages(remembering.history, remembering.now) as store:
        sent = {f"chat:{each.chat_id}": each.text for each in store.since(0, 100)[0]}

    RecallValidator.run_round(remembering.history, remembering.now)

    numbers = {message: number for number, message in said}
    for each in read_corrections(remembering.read("CORRECTIONS.md").encode()):
        message = sent[each.evidence[0]]
        number = numbers[message]
        is_kept = not each.correct or re.search(rf" {number}\b", each.correct)
        if each.said == lines[number] and is_kept:
            own += 1
        else:
            wrong.append((message, each.status.value, each.said))
    assert wrong == []
    assert own > EACH // 2


@pytest.mark.parametrize(
    ("message", "statements", "others"),
    [
        pytest.param("The meeting is in room 8 now.", ["The meeting is in room 7.", "The workshop is in room 8."], [], id="the room changes"),
        pytest.param("Nora's keys are on shelf 3.", ["Nora's keys are on shelf 1."], [], id="the shelf changes"),
        pytest.param("The ticket costs 95 now.", ["The ticket costs 90.", "The child ticket costs 95."], [], id="a verb and its number"),
        pytest.param("The review is on May 14.", ["The review is on May 12."], [], id="a date"),
        pytest.param("Items 18 and 20 are on shelf 4.", ["Item 18 is on shelf 1.", "Item 20 is on shelf 3."], [], id="two of them"),
        pytest.param("Invoice no. 5590 is paid.", ["Invoice 5590 is open.", "Invoice 6843 is open."], [1], id="in other words"),
        pytest.param("Room 9 costs 90 euros.", ["Room 8 costs 80 euros."], [0], id="one that memory has not"),
        pytest.param("Item 30 is on shelf 3.", ["Tomasz keeps item 20 on shelf 3."], [0], id="one that memory has not, at a place of another"),
        pytest.param("Emil moved item 300 to shelf 9", ["Nora keeps item 300 on shelf 11.", "Emil keeps item 43 on shelf 9."], [1], id="one at the place of another"),
        pytest.param("We are in building 3, room 14 now.", ["We are in building 3, room 12.", "Mei is in room 15."], [1], id="a part of the place changes"),
        ("no, room 9 costs 85, not 80", ["Room 7 costs 65 euros and room 9 costs 80.", "Room 4 has no hot water."], [1]),
    ],
)  # fmt: skip
def test_what_is_about_another_numbered_thing(message: str, statements: list[str], others: list[int]) -> None:
    """Mutants: a number that may change is a name; a thing that memory has no line of is the one that it has."""
    assert [at for at, each in enumerate(statements) if numbers_another(message, each, statements)] == others


@pytest.mark.parametrize(
    ("message", "statements", "others"),
    [
        pytest.param("Nora keeps item 6 on shelf 9, not shelf 6", ["Nora keeps item 516 for the house on shelf 6."], [0], id="its shelf changes, so it is a name"),
        pytest.param("Nora painted item 6 blue", ["Nora keeps item 516 at home.", "Nora keeps item 78.", "The meeting is in room 7."], [0, 1], id="all begin alike"),
        pytest.param("Nora keeps item 6 in the attic", ["Nora keeps item 6 at home.", "Nora keeps item 78.", "Emil keeps item 90."], [1, 2], id="one of several of hers"),
        pytest.param("Nora hat Platz 6 jetzt in Fach 9", ["Nora hat Platz 516 im Lager, Fach 6."], [0], id="German"),
        pytest.param("Nora guarda la caja 6 en el estante 9", ["Nora guarda la caja 516 en el estante 6."], [0], id="Spanish"),
        pytest.param("Nora has room 4 now", ["Nora has rooms 4 and 5.", "Nora has rooms 6 and 7."], [1], id="one of two is enough"),
        pytest.param("room 8 now, not 7", ["The class is in room 7.", "The workshop is in room 9."], [1], id="a number that is denied alone"),
        pytest.param("oops typo. KV 318 TZ", ["The plate of the van is KV 381 TZ."], [], id="a plate is a value"),
        pytest.param("Flat B costs 650", ["Flat A costs 600.", "Flat B costs 640.", "Flat 4b is empty."], [0, 2], id="letters"),
        pytest.param("Nora has room 4, not room 6", ["Nora has rooms 6 and 7."], [], id="the denied one"),
        pytest.param("Nora's keys are on shelf 3.", ["Nora's keys are on shelf 1.", "Nora's bike is on shelf 4."], [1], id="the line with more of its words"),
        pytest.param("The ticket costs 97 at weekends", ["The ticket costs 95 at weekends.", "The ticket costs 90 else."], [1], id="the line of that time"),
        pytest.param("item 137 belongs to Emil now, not Jonas", ["Jonas keeps item 137 on a shelf.", "Emil keeps item 139 on a shelf."], [1], id="another of a list's keeper"),
        pytest.param("room 8 is for the meeting now", ["The meeting is in room 7.", "The workshop is in room 8."], [], id="one of a list of other forms"),
        pytest.param("On floor 2 the class is in room 8.", ["On floor 2 the class is in room 7."], [], id="the first number is the same"),
    ],
)  # fmt: skip
def test_words_before_a_number_do_not_make_another_thing_of_it(
    message: str, statements: list[str], others: list[int]
) -> None:
    """Seen: words about item 6 of Nora's stood beside her items 78 and 90. Mutants: without each of the two grounds."""
    assert [at for at, each in enumerate(statements) if numbers_another(message, each, statements)] == others


SHELVES = (
    "Item 120 is on shelf 3.",
    "Tomasz keeps item 38 for the house on shelf 4.",
    "Emil keeps item 55 for the money on shelf 2.",
    "Mei's shoes are size 34.",
    "Tomasz keeps item 9 for the travel on shelf 13.",
)


@pytest.mark.parametrize(
    ("said", "line", "right"),
    [
        ("everything on shelf 3 is now on shelf 4", 0, ""),
        ("all items on shelf 3 are now on shelf 4", 0, ""),
        ("everything on shelf 3 is now on shelf 4", 1, ""),
        ("alle Artikel von shelf 3 sind jetzt auf shelf 4", 0, ""),
        ("item 120 is on shelf 4 now", 0, "Item 120 is on shelf 4."),
        ("Item 9 is on shelf 3, not shelf 13", 4, "Tomasz keeps item 9 for the travel on shelf 3."),
        ("no, item 38 is on shelf 5", 1, "Tomasz keeps item 38 for the house on shelf 5."),
        ("item 38 moved to shelf 3", 1, "Tomasz keeps item 38 for the house on shelf 3."),
        ("the house items are on shelf 3 now", 1, "Tomasz keeps item 38 for the house on shelf 3."),
    ],
)
def test_a_number_behind_one_word_replaces_none_behind_another(said: str, line: int, right: str) -> None:
    """Seen: `all items on shelf 3 are now on shelf 4` made item 4 of item 120. Mutants: any number fits; what is said of all is said of each."""
    assert fitted_line(SHELVES[line], said) == right


@pytest.mark.parametrize(
    ("said", "is_of_many"),
    [
        ("everything on shelf 3 is now on shelf 4", True),
        ("No, all reviews are on Friday, not Monday.", True),
        ("I moved everything to shelf 4", True),
        ("alles von Regal 3 ist jetzt auf Regal 4", True),
        ("jede Miete ist 950", True),
        ("tout ce qui était à 3 est à 4", True),
        ("tous les colis sont à 5 euros", True),
        ("todo lo del estante 3 está en el 4", True),
        ("cada caja cuesta 5", True),
        ("the rent is 950 after all", False),
        ("all in all the rent is 950", False),
        ("All right, the rent is 950", False),
        ("All-hands is on Friday, not Thursday", False),
        ("every Tuesday is the meeting, not every Wednesday", False),
        ("alles klar, die Miete ist 950", False),
        ("alle zwei Wochen ist Müll, nicht alle drei", False),
        ("tous les mardis, pas les lundis", False),
        ("tout de suite, le loyer est de 950", False),
        ("todos los lunes, no los martes", False),
        ("sobre todo, la renta es 950", False),
    ],
)
def test_what_is_said_of_many_is_said_of_no_single_line(said: str, is_of_many: bool) -> None:
    """Mutants: `every Tuesday` is of many; a line that says `all` itself cannot be corrected."""
    assert limits(said, "") >= is_of_many
    assert bool(OF_MANY.search(said)) == is_of_many
    assert fitted_line("All reviews are on Monday.", "All reviews are on Friday, not Monday.")


def test_a_thing_with_which_a_message_begins_is_of_the_lines_that_have_it() -> None:
    """Seen: `item 55 isn't Mei's` stood beside Mei's shoes. Mutants: a thing named later is; also where no line has it."""
    said = "item 55 isn't Mei's, it's Nora's"

    assert numbers_another(said, SHELVES[3], SHELVES)
    assert not numbers_another(said, SHELVES[2], SHELVES)
    assert not numbers_another(said, SHELVES[3], SHELVES[:2])
    assert not numbers_another("Mei gave item 55 to Nora", SHELVES[3], SHELVES)
