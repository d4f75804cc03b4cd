"""The line that a yes makes: only where the sentence with the value is of that line and of nothing besides."""

from __future__ import annotations

import shlex

import pytest

from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.corrections.write_correction import EntryInFile
from clawgit.memory.entries.entries import Entry
from clawgit.understanding.corrections.correct_by_hand import one_value_changed
from clawgit.understanding.corrections.fitted_line import has_stale_weekday
from clawgit.understanding.corrections.ready_commands import (
    is_plain,
    line_after,
    line_of_yes,
    offered_line,
    remember_command,
)
from clawgit.understanding.evidence.check_edit import Spoken
from clawgit.understanding.evidence.own_sentences import IS_PAST, no_statement
from clawgit.understanding.evidence.said_words import ANY_DAY

GESTOR = "Gestor is **Marisol Otero**, phone 986 555 014."
ROSEMARY = "| rosemary | 13 | 2.20 |"
ALBA = "| Camellia 'Alba Plena' | 35 cm | 42.00 | 3 |"
ABOVE = "# Prices | Plant | Pot | Price € | Stock |"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param(GESTOR, "Our gestor is Brais Couto, phone 986 555 077", id="another name"),
        pytest.param(
            GESTOR, "Marisol called. Our gestor is Brais Couto, phone 986 555 077", id="two sentences"
        ),
        pytest.param("Babbo prende il Ramipril 5 mg alle 8.", "Babbo prende l'Eliquis alle 9 e alle 21, non più alle 8 e alle 20", id="another drug at other hours"),
        pytest.param("Dad takes Ramipril 5 mg at 8.", "Dad takes Eliquis now", id="the values of another name"),
    ],
)  # fmt: skip
def test_no_line_is_ready_where_the_sentence_is_of_something_else(line, message) -> None:
    assert line_of_yes(line, message) == ""


@pytest.mark.parametrize(
    ("line", "message", "ready"),
    [
        ("My badge runs out in march 2027", "my badge runs out in may 2027, not march", "My badge runs out in may 2027"),
        ("wifi box is behind the sofa.", "the wifi box is in the hall cupboard, not behind the sofa", "wifi box is in the hall cupboard."),
        ("the milk is in the fridge door", "the milk is in the freezer not the fridge door", "the milk is in the freezer"),
        ("the juice is in the fridge door", "the milk is in the freezer, not the fridge door", ""),
    ],
)  # fmt: skip
def test_a_sentence_that_repeats_the_line_and_denies_a_part_of_it_makes_the_line(
    line, message, ready
) -> None:
    assert line_of_yes(line, message) == ready


def test_no_line_is_ready_that_keeps_what_the_sentence_denies() -> None:
    """Seen: a yes to `Flour comes on Wednesdays at 5:30`, an hour that nobody had said of that day."""
    line = "Flour comes on Tuesdays at 5:30."
    assert line_of_yes(line, "Flour comes on Wednesdays at 6 now, not Tuesdays at 5:30") == ""
    assert line_of_yes(line, "Flour comes on Wednesdays now, not Tuesdays") != ""


def test_what_is_wanted_besides_is_no_cell_of_a_row() -> None:
    assert line_after(ROSEMARY, "and he wants rosemary too, 3 pots, always", "| herb | pot | € |") == ""


RENT = "The rent is 900 euros."
LANDLORD = "Landlord: Mr Foley, rent €1,450 a month, paid on the 1st."
GYM = "The gym costs 65 euros a month."


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Hartje: min order 150 euro for free shipping.", "Hartje min order is 200 from January"),
        (RENT, "The rent is 950 rather than 900 for new tenants."),
        (RENT, "from May the rent is 950, not 900"),
        ("The loan bike costs 12 euro a day.", "the loan bike is 15 on weekends, not 12"),
        ("The pool opens at 7:00.", "the pool opens at 8 in winter, not 7"),
        (RENT, "No, the rent is 950 as of March, not 900"),
        (RENT, "the rent is 950 if you pay late, not 900"),
        ("El alquiler es de 900 euros.", "el alquiler es de 950 euros desde mayo, no 900"),
        (LANDLORD, "The rent will be 1560 from January."),
        (LANDLORD, "From January the rent is 1560."),
        (LANDLORD, "The rent will be 1560."),
        (RENT, "The rent will be 950."),
    ],
)
def test_no_line_is_ready_that_drops_from_when_or_for_whom_it_holds(line: str, told: str) -> None:
    """Seen: "8 in winter:00", "950 euros desde mayo euros", and that at once; "rent €1560 a month" of what will be so.

    Mutant: `the 1st` is read as a day of January, and so the line says "from January", too.
    """
    assert line_of_yes(line, told) == ""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (RENT, "the rent is 950 from now on"),
        (RENT, "the rent went up from 900 to 950"),
        (RENT, "the rent will be 950 from now on"),
        (RENT, "no, the rent will be 950, not 900"),
        ("The pool opens at 7:00.", "the pool will open at 8:00"),
        ("The rent for new tenants is 900 euros.", "no, the rent is 950 for new tenants, not 900"),
        ("Lenka holt die Kinder um 15 Uhr ab.", "Lenka holt die Kinder jetzt um 16 Uhr ab statt um 15 Uhr"),
    ],
)
def test_what_limits_nothing_or_what_the_line_says_too_keeps_no_line_back(line: str, told: str) -> None:
    assert line_of_yes(line, told) not in ("", line)


@pytest.mark.parametrize(
    "told",
    [
        "They wanted the gym to cost 70 euros a month, but it did not happen.",
        "the gym was going to cost 70 euros a month but that fell through",
    ],
)
def test_a_plan_that_its_sentence_takes_back_makes_no_line(told: str) -> None:
    assert line_of_yes(GYM, told) == ""
    assert no_statement(told) == IS_PAST
    assert no_statement("They wanted the gym to cost 70, but it did not work, it is 75 now.") == ""


def test_a_phone_of_the_name_in_the_line_is_ready() -> None:
    assert line_of_yes(GESTOR, "Marisol Otero's phone is 986 555 077") == GESTOR.replace("014", "077")


def test_the_other_cells_of_a_row_say_which_row_is_meant() -> None:
    message = "No, Camellia Alba Plena 35 cm is 44.00, not 42.00"
    assert line_after(ALBA, message, ABOVE) == ALBA.replace("42.00", "44.00")
    assert line_after(ALBA.replace("35", "25").replace("42", "18"), message, ABOVE) == ""


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("message", "kept"),
    [
        pytest.param("We don't sow on the 10th. The 17th.", "We don't sow on the 10th. The 17th.", id="a value behind"),
        pytest.param("The rent is 950", "The rent is 950", id="a statement"),
        pytest.param("nicht mehr Dr. Seyfried.", "", id="a denied name alone"),
        pytest.param("Not 14 days any more.", "", id="a denied value alone"),
        pytest.param("No longer Dr. Weber on Mondays.", "No longer Dr. Weber on Mondays.", id="a denied name with its day"),
        pytest.param("No onions for Mia.", "No onions for Mia.", id="a denial of something"),
        pytest.param("undo the log retention correction", "", id="a correction to undo"),
        pytest.param("please undo the change to the port 9090.", "", id="a change to undo"),
        pytest.param("nein, mach die Korrektur zum Hausarzt rückgängig", "", id="eine Korrektur"),
        pytest.param("sorry, nimm das letzte zurück", "", id="das letzte"),
        pytest.param("We revert the change every Friday at 5.", "We revert the change every Friday at 5.", id="a change that is told of"),
        pytest.param("Undo is bound to ctrl-z in my editor.", "Undo is bound to ctrl-z in my editor.", id="a key"),
        pytest.param("You keep forgetting my sister's city. It's Graz!", "", id="a complaint"),
        pytest.param("I meant Mira: she is off on Fridays", "Mira: she is off on Fridays", id="a name and who it is"),
    ],
)  # fmt: skip
def test_a_command_to_remember_has_the_value_and_what_it_is_of(message, kept) -> None:
    command = remember_command(message)
    assert shlex.split(command)[2:] == [kept] * bool(kept)


@pytest.mark.parametrize(
    ("line", "message", "turn", "plain"),
    [
        pytest.param("The pool opens at 7:00.", "8:00 since May", "The pool opens at 7:00.", True, id="a yes sets it right"),
        pytest.param("The spare key is with Olga.", "not any more, it's in the shed", "The spare key is with Olga, I think.", True, id="in the turn before"),
        pytest.param("The spare key is with Olga.", "forget the spare key", "", True, id="unwanted"),
        pytest.param("Jana has tennis with Ruth.", "Jana and Ruth want new shoes", "", False, id="two names and no correction"),
        pytest.param("The shop opens at 10:00.", "no, the door opens with the small handle now", "", False, id="one word in common"),
    ],
)  # fmt: skip
def test_a_link_is_plain_where_a_yes_settles_it_or_two_words_are_corrected(
    line, message, turn, plain
) -> None:
    """Seen: three of four links in a digest had one word of the line, or a number."""
    link = Correction("a", "2026-03-19 10:00", message, said=line, turn=turn, status=Status.LINKED)

    assert is_plain(link) is plain


def test_a_secret_is_never_ready_to_be_remembered() -> None:
    """Seen: a password in a command that would put it into the history, were it not refused."""
    said = "the password for the vpn portal is Winter-Haring-2291, put that somewhere safe would you"
    assert remember_command(said) == ""
    assert remember_command("the portal for the vpn is vpn2.example, put that somewhere safe would you")


ENTRY_FEE = "Entrada adulto 11 € (laborables antes de las 17:00: antes 9,50)"


@pytest.mark.parametrize(
    ("line", "message", "turn"),
    [
        (ENTRY_FEE, "no, antes de las 18:00", "El pan hay que pedirlo antes de las 19:00."),
        (ENTRY_FEE, "no, antes de las 18:00", ""),
        ("Check-out is before 10:30.", "no, before 18:00", "Bread has to be ordered before 19:00."),
        ("Children under 14 pay 8 €.", "the insurance ends on the 28th, not the 14th", ""),
        ("Los niños menores de 14 pagan 8 €", "el seguro vence el 28, no el 14", ""),
        ("Cama en compartida 24 € en temporada alta", "Tenemos 22 camas, ya no 24", ""),
    ],
)
def test_no_line_is_ready_where_neither_side_names_its_topic(line: str, message: str, turn: str) -> None:
    """Seen: the hour of the bread was ready for the price of a ticket, and a yes wrote it."""
    assert line_of_yes(line, message, turn) == ""


def test_a_line_is_ready_where_the_turn_before_names_its_topic() -> None:
    bread = "El pan se pide antes de las 19:00"
    assert line_of_yes(bread, "no, antes de las 18:00", "El pan hay que pedirlo antes de las 19:00.") == (
        "El pan se pide antes de las 18:00"
    )


@pytest.mark.parametrize("said", ["no, at 9:40", "nie, o 9:40"])
def test_a_second_word_says_nothing_alone(said: str) -> None:
    """Seen: `clawgit remember 'nie, o 9:40'`, behind words about a lesson."""
    assert remember_command(said) == ""


@pytest.mark.parametrize(
    ("message", "command"),
    [
        ("spring show is 30 April. sorry, 29 April", ""),
        ("Die Miete beträgt 900 Euro. Nein, 950.", ""),
        ("The show is 30 April. 7 pm.", "clawgit remember 'The show is 30 April. 7 pm.'"),
    ],
)
def test_what_a_second_word_corrects_is_not_ready_to_be_remembered(message: str, command: str) -> None:
    """Seen: `clawgit remember 'spring show is 30 April. 29 April'`. Mutant: each value behind a sentence corrects it."""
    assert remember_command(message) == command


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("Hemos cambiado el esmalte del horno: ahora es tenmoku, no celadon", "Hemos cambiado el esmalte"),
        ("Wir haben die Glasur geändert: jetzt Tenmoku, nicht Celadon", "Wir haben die Glasur"),
        ("We've changed the kiln glaze: tenmoku is used, not celadon", "We've changed the kiln glaze"),
    ],
)
def test_what_says_its_topic_before_a_colon_is_remembered_whole(message: str, kept: str) -> None:
    """Seen: `clawgit remember 'ahora es tenmoku, no celadon'`, of what?"""
    assert remember_command(message)[len("clawgit remember ") + 1 :].startswith(kept)


def test_a_quotation_with_another_value_is_no_quotation_any_more() -> None:
    """Seen: `User: "We raise the mug price to 25 euros"` was offered, which he never said."""
    statement = 'User: "We raise the mug price to 24 euros"'
    assert line_after(statement, "No, mugs cost 25 euros.") == "We raise the mug price to 25 euros"


@pytest.mark.parametrize(("old", "new"), [("130", "136"), ("13", "16")])
def test_a_cell_that_is_a_value_gets_the_new_value_alone(old: str, new: str) -> None:
    """Seen: `| Oskar | pays 136 | 2 |` as the line of a yes."""
    message = f"No, Oskar pays {new} per month, not {old}"

    assert line_after(f"| Oskar | {old} | 2 |", message, "| name | fee | room |") == f"| Oskar | {new} | 2 |"


def test_the_number_of_something_else_is_no_line_to_offer() -> None:
    """Seen: an item on shelf 14 was offered on shelf 16. Mutant: a denied number names the line."""
    assert line_after("Mei keeps item 82 for the money on shelf 14.", "Mei's bus is number 16 not 14") == ""


CHOIR = "Choir is on Tuesday at 19:30, for 7 singers."


@pytest.mark.parametrize(
    ("line", "told", "right"),
    [
        (CHOIR, "no wait choir is at 8 not 7 30", CHOIR.replace("19:30", "20:00")),
        (CHOIR, "choir is at 8:15 now", CHOIR.replace("19:30", "20:15")),
        (CHOIR, "choir is for 8 singers, not 7", CHOIR.replace("7 s", "8 s")),
        (CHOIR, "the bake sale is at 8", ""),
        ("Lunch is at 12:30.", "lunch is at 1 now", "Lunch is at 13:00."),
        ("The shop opens at 07:00.", "the shop opens at 6 30 now", "The shop opens at 06:30."),
        ("My shift starts at 4:30, Monday to Friday.", "my shift starts at 5 from now on", "My shift starts at 5:00, Monday to Friday."),
        ("El coro es a las 19:30.", "el coro es a las 8, no a las 7 30", "El coro es a las 20:00."),
    ],
)  # fmt: skip
def test_a_spoken_hour_is_ready_as_the_line_writes_its_own(line: str, told: str, right: str) -> None:
    """Seen: "NEW LINE". Mutants: the morning is nearer; any number that is denied is an hour."""
    assert line_of_yes(line, told) == right


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("Whitcombe comes on 12 Dec.", "Whitcombe comes on the 15th, not the 12th", "Whitcombe comes on 15 Dec."),
        ("Whitcombe comes on Sat 12 Dec.", "Whitcombe comes on the 15th, not the 12th", ""),
        ("| Sat | 12 Dec | Whitcombe |", "Whitcombe comes on the 15th, not the 12th", ""),
        ("za 12 dec 13.00 Whitcombe komt", "Whitcombe comes on the 15th, not the 12th", ""),
        ("Rosa's party is on Saturday 12 December.", "Rosa's party is on Sunday, not Saturday", ""),
        ("Rosa's party is on Saturday 12 December.", "Rosa's party is on Sunday 13 December, not Saturday", ""),
        ("Rosas Fest ist Samstag, den 12. Dezember.", "Rosas Fest ist am 13. Dezember, nicht am 12.", ""),
    ],
)  # fmt: skip
def test_no_line_with_a_stale_weekday_is_made_or_offered(line: str, said: str, right: str) -> None:
    """Seen: a yes made `za 12 dec` to `za 15 dec`, a Tuesday. Mutants: the line is made at once; the yes has the old weekday."""
    held = EntryInFile("", Entry(None, line, None, 0, 1, 1))
    made = [each.statement for each in one_value_changed(Spoken(said, ANY_DAY), [held])]
    assert made in ([], [right])
    assert offered_line(line, said) == right
    assert line_of_yes(line, said) in ("", right)


@pytest.mark.parametrize(
    ("line", "said", "is_stale"),
    [
        ("The launch is on Tuesday, April 14.", "The launch is on Tuesday, April 21.", False),
        ("The launch is on Tuesday, April 14.", "The launch is on April 21.", True),
        ("Das Fest ist Sa 12. Dezember.", "Sage mal, das Fest ist am 19. Dezember.", True),
    ],
)
def test_a_weekday_that_he_says_with_the_new_date_is_no_stale_one(
    line: str, said: str, is_stale: bool
) -> None:
    """Seen: a date a week later was refused. Mutant: `Sage` has the weekday `Sa`."""
    old = "14" if "14" in line else "12"
    new = "21" if "21" in said else "19"

    assert has_stale_weekday(line, line.replace(old, new), said) is is_stale


@pytest.mark.parametrize(
    ("line", "said", "right"),
    [
        ("The dentist is on 8 December at 9:00.", "No, the dentist is on 9 December at 11:00.", "The dentist is on 9 December at 11:00."),
        ("The dentist is on 8 December at 9:00.", "Please correct: the dentist is on 9 December at 11:00.", "The dentist is on 9 December at 11:00."),
        ("Jonas has handball on Wednesdays at 16:30.", "No, Jonas has handball at 17:30, and on Tuesdays, not on Wednesdays.", "Jonas has handball at 17:30, and on Tuesdays."),
        ("Der Zahnarzt ist am 8. Dezember um 9:00 Uhr.", "Der Zahnarzt ist am 9. Dezember um 11:00 Uhr.", "Der Zahnarzt ist am 9. Dezember um 11:00 Uhr."),
        ("The dentist is on 8 December at 9:00.", "Lea's dentist is on 9 December at 11:00.", ""),
        ("The dentist is on 8 December at 9:00.", "The dentist is on Tuesday at 11:00.", ""),
        ("Jonas has handball on Wednesdays at 16:30.", "Jonas had handball on Tuesdays at 17:30.", ""),
        ("Jonas has handball on Wednesdays at 16:30.", "From January on Jonas has handball on Tuesdays at 17:30.", ""),
        ("Jonas has handball on Wednesdays at 16:30.", "Jonas also has handball on Tuesdays at 17:30.", ""),
        ("The dentist appointment is on 8 December at 9:00.", "No, the dentist is at ten, not at nine.", "The dentist appointment is on 8 December at 10:00."),
        ("Grandma Ilse's birthday is on 12 December.", "Grandma's birthday is on the 13th, not on the 12th.", "Grandma Ilse's birthday is on 13 December."),
    ],
)  # fmt: skip
def test_a_sentence_that_says_all_of_a_line_with_other_values_is_its_new_line(line: str, said: str, right: str) -> None:  # fmt: skip
    """Seen: his sentence was the new line, and he had to type it. Mutants: another person's, the past, what is to come."""
    assert line_of_yes(line, said) == right
