"""Forty short talks of families, written before the rules were tried on them: what memory, links and the digest have of each afterwards.

No model reads here. A sentence that rules misread is no reason for one more rule; what must never be is that a fact is nowhere,
or that a ready command writes what nobody said.
"""

from __future__ import annotations

import shlex
from datetime import date, timedelta
from typing import NamedTuple

import pytest

from clawgit.agents.door.correction_plans import drop
from clawgit.agents.memory_miner import MemoryMiner
from clawgit.agents.recall_validator import RecallValidator
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.authorship.intent import Intent
from clawgit.memory.corrections.correction_log import Status, read_corrections
from clawgit.memory.corrections.write_correction import EntryInFile
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.operations.not_kept import heard_not_kept
from clawgit.understanding.corrections.correct_by_hand import one_value_changed
from clawgit.understanding.corrections.ready_commands import as_new, line_after, line_proposed, link_commands
from clawgit.understanding.evidence.check_edit import Spoken


class Case(NamedTuple):
    """What memory has, what is said (`a: ` is the agent), and what is true afterwards.

    ``now``: the lines in force (empty: as before); ``linked``: the lines with words beside them; ``heard``: what is kept, or named
    as not kept; ``ready``: the only line that a ready command may write.
    """

    name: str
    memory: tuple[str, ...]
    talk: tuple[str, ...]
    now: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    ready: str = ""


PEANUTS = "My daughter Lotte is allergic to peanuts."
SWIMMING = "My son Emil has swimming on Tuesdays."
DENTIST = "Emil's dentist appointment is on 3 March."
ZAHNARZT = "Der Zahnarzt von Emil ist am 3. März."
RENT = "The rent is 800 euros."
MIETE = "Die Miete ist 1290 Euro."
JUDO = "Lotte hat Judo am Montag."
NUTS = "Nora ist gegen Haselnüsse allergisch."
NUECES = "Nora es alérgica a las avellanas."
CHOIR = "Our choir sings on Wednesday."
TWO = ("Emil wears shoe size 34.", "Nora wears shoe size 29.")
MEETING = "The parents' evening is on 12 May at 19:00."

CASES = (
    # another fact about the same child
    Case("an allergy beside an allergy", (PEANUTS,), ("My daughter Lotte is allergic to walnuts.",), linked=(PEANUTS,)),
    Case("a doctor beside an allergy", (PEANUTS,), ("Lotte has an appointment with Dr. Behrens on 4 March.",), heard=("Dr. Behrens",)),
    Case("a second allergy", (PEANUTS,), ("Lotte is allergic to cats too.",), heard=("cats",)),
    Case("a friend beside an allergy", (PEANUTS,), ("Lotte's best friend is Mathilda Kern.",), heard=("Mathilda",)),
    Case("another hobby", (SWIMMING,), ("Emil plays the cello with Frau Vogt.",), heard=("cello",)),
    Case("an allergy beside an allergy, in German", ("Lotte ist allergisch gegen Erdnüsse.",), ("Lotte ist auch allergisch gegen Bienen.",), heard=("Bienen",)),
    Case("a teacher, in German", (JUDO,), ("Die Lehrerin von Lotte heißt Frau Sommer.",), heard=("Frau Sommer",)),
    Case("another bill", (RENT,), ("The garage is 80 euros.",), heard=("garage",)),
    Case("a bag for the same day", (SWIMMING,), ("Emil has chess on Thursdays.",), heard=("chess",)),
    # a name or a day in passing
    Case("a joke about Mondays", (SWIMMING,), ("Ugh, Mondays. I'd sell Emil for a coffee.",)),
    Case("to be reminded", (SWIMMING,), ("Remind me to buy Emil a cap on Saturday.",)),
    Case("a wish", (SWIMMING,), ("I wish Emil had swimming on Fridays.",)),
    Case("a condition", (SWIMMING,), ("If Emil has swimming on Friday we can eat late.",)),
    Case("a question", (SWIMMING,), ("Is Emil's swimming on Friday now?",)),
    Case("a question behind a statement", (SWIMMING,), ("I'm off on Friday. Does Emil have swimming then?",)),
    Case("to be reminded, in German", (JUDO,), ("Erinner mich am Freitag an das Geschenk für Lotte.",)),
    Case("one who is tired, in German", (JUDO,), ("Boah, ist heute erst Dienstag? Lotte macht mich fertig.",)),
    Case("a bag for another day", (SWIMMING,), ("Emil's swimming bag has to be dry by Saturday.",)),
    Case("no time for chess", (SWIMMING,), ("Tuesday is too much for Emil, we go to Oma on Sunday.",)),
    # corrections
    Case("one value, both named", (RENT,), ("Actually the rent is 900 euros, not 800 euros.",), now=("The rent is 900 euros.",)),
    Case("one value, the day named", (CHOIR,), ("No, our choir sings on Thursday.",), now=("Our choir sings on Thursday.",)),
    Case("an ordinal beside a date", (DENTIST,), ("Emil's dentist appointment is on the 4th, not the 3rd.",), now=("Emil's dentist appointment is on 4 March.",)),
    Case("an ordinal and few words", (DENTIST,), ("The dentist is on the 4th, not the 3rd.",), now=("Emil's dentist appointment is on 4 March.",)),
    Case("an ordinal behind the agent's turn", (DENTIST,), ("a: Emil's dentist appointment is on 3 March.", "Sorry, not the 3rd, the 4th."), now=("Emil's dentist appointment is on 4 March.",)),
    Case("an ordinal alone", (DENTIST,), ("Sorry, not the 3rd, the 4th.",), heard=("not the 3rd",)),
    Case("an ordinal, in German", (ZAHNARZT,), ("Der Zahnarzt von Emil ist am 4., nicht am 3.",), now=("Der Zahnarzt von Emil ist am 4. März.",)),
    Case("an ordinal behind the agent's turn, in German", (ZAHNARZT,), ("a: Der Zahnarzt von Emil ist am 3. März.", "Nein, am 4."), linked=(ZAHNARZT,), ready="Der Zahnarzt von Emil ist am 4. März."),
    Case("the time goes with it", (MEETING,), ("The parents' evening is on the 13th, not the 12th.",), now=("The parents' evening is on 13 May at 19:00.",)),
    Case("a rent before the agent's word", (MIETE,), ("Ach nee, die Miete ist 1390 seit Oktober.", "a: Gut."), linked=(MIETE,), ready="Die Miete ist 1390 Euro."),
    Case("a rent behind the agent's word", (MIETE,), ("a: Gut.", "Ach nee, die Miete ist 1390 seit Oktober."), linked=(MIETE,), ready="Die Miete ist 1390 Euro."),
    Case("a day behind the agent's turn", (SWIMMING,), ("a: Emil has swimming on Tuesday.", "No, Thursdays."), linked=(SWIMMING,), ready="My son Emil has swimming on Thursdays."),
    Case("a day with words about it", (SWIMMING,), ("Emil's swimming moved to Thursdays.",), linked=(SWIMMING,), ready="My son Emil has swimming on Thursdays."),
    Case("a nut for a nut, in German", (NUTS,), ("Nein, Nora ist nicht gegen Haselnüsse allergisch, sondern gegen Walnüsse.",), linked=(NUTS,)),
    Case("a nut for a nut, in Spanish", (NUECES,), ("No, Nora no es alérgica a las avellanas, sino a las nueces.",), linked=(NUECES,)),
    Case("a child for a child, in German", (NUTS,), ("Nein, Nora ist nicht gegen Haselnüsse allergisch, sondern Emil.",), linked=(NUTS,)),
    Case("a nut that is fine", ("Nora is allergic to hazelnuts.",), ("No, Nora isn't allergic to hazelnuts, it's fine.",), linked=("Nora is allergic to hazelnuts.",)),
    # two children with one value each
    Case("one of two sizes", TWO, ("Emil wears shoe size 35 now.",), now=("Emil wears shoe size 35.", TWO[1])),
    Case("one of two sizes, in other words", TWO, ("Nora needs size 30 by now.",), linked=(TWO[1],), ready="Nora wears shoe size 30."),
    Case("a size of nobody's", TWO, ("Size 36 is sold out everywhere.",)),
    # reports, quotations, taking back
    Case("somebody said", (RENT,), ("Anna said: 'the rent is 900 now'",)),
    Case("somebody wrote", (RENT,), ("My landlord wrote that the rent is 900 euros.",)),
    Case("somebody said, in German", (JUDO,), ("Oma sagt, Lotte hat Judo am Freitag.",)),
    Case("taken back", (RENT,), ("The rent is 900 euros now, not 800 euros.", "a: Noted.", "Scratch that."), now=(RENT,)),
    Case("a joke that is owned up to", (PEANUTS,), ("Lotte is allergic to homework.", "a: Oh no.", "Just kidding."), now=(PEANUTS,)),
    # other languages: a value of something is named, whoever reads it
    Case("a rent, in Spanish", (), ("El alquiler del piso es de 940 euros.",), heard=("940",)),
    Case("a day, in French", (), ("La réunion des parents est le 6 mars à 18h30.",), heard=("18h30",)),
    Case("a day, in Portuguese", (), ("A consulta do João é no dia 12 de maio.",), heard=("12 de maio",)),
    Case("an end, in Italian", (), ("Il contratto di Giulia scade il 31 ottobre.",), heard=("31 ottobre",)),
    Case("a rent, in Dutch", (), ("De huur van de garage is 95 euro per maand.",), heard=("95",)),
    Case("a rent, in Vietnamese", (), ("Tiền thuê nhà là 8 triệu đồng một tháng.",), heard=("8 triệu",)),
    Case("a rent, in Chinese", (), ("房租每个月4500块。",), heard=("4500",)),
    Case("a rent, in Japanese", (), ("家賃は月8万5千円です。",), heard=("8万5千円",)),
    Case("a rent, in Korean", (), ("월세는 90만 원이에요.",), heard=("90만",)),
    Case("a task, in Spanish", (), ("Busca un vuelo a Lisboa por menos de 200 euros.",)),
    Case("a sum, in French", (), ("Le loyer est de 900 euros. Combien reste-t-il de 2000 euros ?",)),
    Case("a recipe, in Portuguese", (), ("Misture 200 g de farinha com 3 ovos.",)),
    Case("what the time is, in Italian", (), ("Adesso il treno delle 9:30 è fermo a Lodi.",)),
    Case("what it costs, in Dutch", (), ("Het kost 20 euro.",)),
    Case("a poem, in Vietnamese", (), ("Viết cho tôi một bài thơ 4 câu về mùa thu.",)),
    Case("a recipe, in Chinese", (), ("加200克面粉和3个鸡蛋,烤40分钟。",)),
    Case("a meeting to be made, in Japanese", (), ("会議は3時に入れてください。",)),
    Case("a meeting to be made, in Korean", (), ("회의는 3시에 잡아 주세요.",)),
    # nothing about it is remembered
    Case("a fact about nobody who is remembered", (RENT,), ("Our vet is Dr. Quill in the Gartenstraße.",), heard=("Quill",)),
)  # fmt: skip


@pytest.fixture
def lived(request: pytest.FixtureRequest, room):
    """Return the workspace after the talk of a case, a minute from one message to the next."""
    case: Case = request.param
    lines = "".join(f"- {line}\n" for line in case.memory)
    room.change({"MEMORY.md": f"# MEMORY\n\n{lines}"}, actor="operator")
    room.now += timedelta(hours=2)
    with open_messages(room.history, room.now) as store:
        rules = rules_in_force(room.history, room.now, "operator")
        for at, text in enumerate(case.talk):
            is_agent = text.startswith("a: ")
            heard = IncomingMessage(
                "assistant" if is_agent else "user",
                text.removeprefix("a: "),
                message_id=str(at),
                sent_at=room.now - timedelta(hours=1) + timedelta(minutes=at),
                sender="" if is_agent else "ada",
                by_operator=not is_agent,
            )
            store.add([take_down(heard, rules, room.now)])
    RecallValidator.run_round(room.history, room.now)
    MemoryMiner.run_round(room.history, room.now)
    return case, room


def _ready(commands: list[str]) -> list[str]:
    """Return the lines that commands write in the place of others."""
    words = map(shlex.split, commands)
    return [each[-1] for each in words if each[1] == "correct" and each[-1] != "NEW LINE"]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("lived", CASES, indirect=True, ids=[case.name for case in CASES])
def test_a_talk_leaves_behind(lived) -> None:
    """Mutants: a link hides a fact; a command is offered of any sentence with a value; `the 4th` is no value."""
    case, room = lived
    entries = [parted(entry.text).statement for entry in read_entries(room.read("MEMORY.md").encode())]
    links = [
        each
        for each in read_corrections(room.read("CORRECTIONS.md").encode())
        if each.status is Status.LINKED
    ]
    heard = [each for found in heard_not_kept(room.history, room.now).values() for each in found]
    commands = [each.command for each in heard]
    for each in links:
        line = line_proposed(each)
        commands += link_commands(f"x:{each.correction_id}", each.said, each.trigger, each.turn)
        if line:
            commands.append(f"clawgit correct x {shlex.quote(line)}")

    now = set(case.now or case.memory)
    assert (now - set(entries), (set(case.memory) - now).intersection(entries)) == (set(), set())
    assert set(case.linked) <= {each.said for each in links}
    told = [*entries, *(each.text for each in heard), *commands]
    assert [words for words in case.heard if not any(words in each for each in told)] == []
    assert set(_ready(commands)) == ({case.ready} if case.ready else set())


def _lived_case(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


@pytest.mark.parametrize("lived", [_lived_case("an allergy beside an allergy")], indirect=True)
def test_a_fact_beside_a_line_may_stand_by_it_and_is_named_also_when_the_link_is_rejected(lived) -> None:
    """Mutants: the link's only way is to write over the line; with the link the sentence is gone."""
    case, room = lived
    (link,) = [
        each
        for each in read_corrections(room.read("CORRECTIONS.md").encode())
        if each.status is Status.LINKED
    ]
    name, quoted = f"x:{link.correction_id}", shlex.quote(case.talk[0])

    commands = link_commands(name, link.said, link.trigger)
    drop(room.history, name, Intent("op-1", "operator", room.now))

    remember = f"clawgit remember {quoted}"
    assert commands == (remember, f'clawgit correct {name} "NEW LINE"', f"clawgit reject {name}")
    assert [each.command for found in heard_not_kept(room.history, room.now).values() for each in found] == [
        remember
    ]


@pytest.mark.parametrize("lived", [_lived_case("taken back")], indirect=True)
def test_what_was_taken_back_is_not_named(lived) -> None:
    """Mutants: the sentence and the words that take it back are named as not kept."""
    assert heard_not_kept(lived[1].history, lived[1].now) == {}


@pytest.mark.parametrize(
    ("old", "told"),
    [
        (RENT, "The rent is 900 euros now, not 800 euros."),
        ("The rent is due on 3 May.", "The rent was paid on the 2nd."),
        ("The trip is on 3 May.", "Nora is in the 4th grade."),
        (SWIMMING, "Emil has swimming on Tuesdays and Thursdays."),
        (SWIMMING, "Emil has no swimming on Thursdays."),
        ("Bo works Mon-Thu, off on Fridays.", "no he works on fridays now, he is off on wednesdays"),
    ],
)
def test_a_line_is_offered_of_what_plainly_takes_the_place_of_its_value(old: str, told: str) -> None:
    """Mutants: a value beside light words, a grade, a second day and a denied one are offered."""
    assert as_new(line_after(old, told)) == ("'The rent is 900 euros.'" if old == RENT else '"NEW LINE"')


def test_a_word_that_only_begins_a_sentence_takes_no_names_place() -> None:
    """Seen: a yes to "You need not answer in German any more." made "Always answer in You."."""
    assert (
        as_new(line_after("Always answer in German.", "You need not answer in German any more."))
        == '"NEW LINE"'
    )
    assert (
        as_new(line_after("Anna is the treasurer.", "Bert is the treasurer, not Anna."))
        == "'Bert is the treasurer.'"
    )


def test_of_two_values_that_both_hold_none_gives_way() -> None:
    """Mutant: `Actually, Emil has swimming on Tuesdays and Thursdays.` takes the Tuesdays away."""
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {SWIMMING}\n".encode())]
    told = "Actually, Emil has swimming on Tuesdays and Thursdays."

    assert one_value_changed(Spoken(told, date(2026, 3, 19)), entries) == []
