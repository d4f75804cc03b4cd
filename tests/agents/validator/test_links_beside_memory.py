"""Links with files beside memory: the operator's words stand beside the line that they contradict, and end with it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.door.correction_plans import accept, correct
from clawgit.agents.door.linkable import links_in
from clawgit.agents.recall_validator import RecallValidator
from clawgit.history.authorship.intent import Intent
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.understanding.corrections.correct_by_hand import CorrectError
from clawgit.understanding.corrections.ready_commands import link_commands

pytestmark = pytest.mark.rest

GLAZE = "projects/glaze.md"
LINE = "The workshop uses the celadon glaze."
PROSE = f"""\
# Glazes

{LINE}
Tenmoku runs if it is too thick.

- The big kiln fires at 1240 degrees.
- Celadon is a family of glazes from China.
"""
SAID = "No, the workshop chose the tenmoku glaze, not celadon."


@pytest.fixture
def workshop(talk, remembering):
    remembering.change({GLAZE: PROSE, "notes/gongfang.txt": "陶艺课的老师是李梅。\n"}, actor="host")
    remembering.now += timedelta(hours=2)
    return talk


def heard(talk, *lines: str) -> list[tuple[str, str]]:
    talk.say(*lines)
    RecallValidator.run_round(talk.room.history, talk.room.now)
    return [(link.beside, link.said) for link in talk.links()]


@pytest.mark.parametrize(
    ("message", "place", "line"),
    [
        pytest.param(SAID, GLAZE, LINE, id="a thing denied"),
        pytest.param("Actually the big kiln only fires at 1260 degrees on Sundays.", GLAZE, "The big kiln fires at 1240 degrees.", id="a condition"),
        pytest.param("不对，陶艺课的老师是王芳，不是李梅。", "notes/gongfang.txt", "陶艺课的老师是李梅。", id="a text file"),
    ],
)  # fmt: skip
def test_a_line_that_a_message_contradicts_is_linked(workshop, message: str, place: str, line: str) -> None:
    before = workshop.room.read(GLAZE)

    assert heard(workshop, f"ada: {message}") == [(place, line)]

    assert workshop.room.read(GLAZE) == before


@pytest.mark.parametrize(
    "message",
    [
        "Celadon is my favourite glaze colour, honestly.",
        "Does the workshop use the celadon glaze?",
        "The workshop uses the celadon glaze.",
        "No, the kettle is broken, not the stove.",
        "The kiln was not on today.",
    ],
)
def test_prose_that_shares_words_with_a_message_is_not_linked(workshop, message: str) -> None:
    """Mutants: one word is enough; a message without a cue or another value is one."""
    assert heard(workshop, f"ada: {message}") == []


def test_nobody_elses_words_are_linked_with_a_line(workshop) -> None:
    assert heard(workshop, f"bob: {SAID}") == []


def test_a_line_of_which_one_value_plainly_changes_is_set_right_by_the_job(workshop) -> None:
    """Mutant: only what the command line hears."""
    assert heard(workshop, "ada: Actually the big kiln fires at 1260 degrees.") == []

    assert workshop.room.read(GLAZE) == PROSE.replace("1240", "1260")


def test_an_entry_that_says_as_much_is_linked_in_the_place_of_a_line(workshop) -> None:
    room = workshop.room
    room.change({"MEMORY.md": f"# MEMORY\n\n- {LINE} <!-- m:dddddd -->\n"}, actor="operator")
    room.now += timedelta(hours=2)

    assert heard(workshop, f"ada: {SAID}") == [("", LINE)]


def test_what_he_orders_to_remember_stands_beside_the_old_line(workshop) -> None:
    """Mutant: the new entry itself, which the message only repeats, takes the place of the line."""
    room = workshop.room
    room.change({"notes/hetong.md": "工作室的合同2028年3月到期。\n"}, actor="host")
    room.change({"MEMORY.md": "# MEMORY\n\n- 工作室的合同延长到2029年3月。\n"}, actor="operator")
    room.now += timedelta(hours=2)

    links = heard(workshop, "ada: 请记住：工作室的合同延长到2029年3月。")

    assert links == [("notes/hetong.md", "工作室的合同2028年3月到期。")]


def test_search_tells_the_words_beside_the_line(workshop) -> None:
    heard(workshop, f"ada: {SAID}")

    results = search(workshop.room.history, Query("which glaze does the workshop use"), workshop.room.now)

    (hit,) = [each for each in results.results if each.path == GLAZE and LINE in each.snippet]
    assert hit.told == (f'the operator said on 19 March: "{SAID}"',)


@pytest.mark.parametrize("is_by_link", [True, False])
def test_a_link_ends_when_its_line_is_set_right(workshop, is_by_link: bool) -> None:
    """Mutants: a line beside memory keeps its link; MEMORY.md has a new line, and the file says the old."""
    room = workshop.room
    heard(workshop, f"ada: {SAID}")
    (link,) = links_in(room.history)
    old = f"x:{link.correction_id}" if is_by_link else LINE

    correct(room.history, old, "The workshop uses the tenmoku glaze.", Intent("op-9", "operator", room.now))

    assert links_in(room.history) == []
    assert room.read(GLAZE) == PROSE.replace(LINE, "The workshop uses the tenmoku glaze.")
    assert "tenmoku" not in room.read("MEMORY.md")


def test_a_link_ends_with_its_line(workshop) -> None:
    room = workshop.room
    heard(workshop, f"ada: {SAID}")

    room.change({GLAZE: PROSE.replace(LINE, "The workshop uses the tenmoku glaze.")}, actor="operator")

    assert links_in(room.history) == []


LEMON = "| Lemon 'Verna' | 22 cm | 14.00 |"
PRICES = (
    f"# Prices\n\n| Plant | Pot | Price € |\n|---|---|---|\n{LEMON}\n| Orange 'Navelina' | 22 cm | 13.50 |\n"
)


def test_a_later_value_of_the_same_talk_ends_the_link_that_has_another_one_ready(workshop) -> None:
    """Mutants: the first value can still be had by a yes; a row that nobody has any more becomes an entry."""
    room = workshop.room
    room.change({"prices/plants.md": PRICES}, actor="operator")
    room.now += timedelta(hours=2)
    heard(workshop, "ada: the lemons are 15.50 now, not 14")
    (first,) = workshop.links()

    assert heard(workshop, "agent: Updated: Lemon Verna 15.50 €.", "ada: hmm no wait, 15. put 15") == [
        ("prices/plants.md", LEMON)
    ]

    (second,) = workshop.links()
    intent = Intent("op-9", "operator", room.now)
    with pytest.raises(CorrectError, match="has ended"):
        accept(room.history, f"x:{first.correction_id}", intent)
    room.change({"prices/plants.md": PRICES.replace("14.00", "15.50")}, actor="operator")
    with pytest.raises(CorrectError, match="no row that can be changed"):
        correct(room.history, f"x:{second.correction_id}", LEMON.replace("14.00", "15.00"), intent)


def test_a_later_value_of_another_kind_ends_no_link(workshop) -> None:
    """Seen: `the stand-up is at 9:45` ended what was said of the team in the same line. Mutant: any value of the line is meant."""
    room = workshop.room
    room.change({"prices/plants.md": PRICES}, actor="operator")
    room.now += timedelta(hours=2)

    heard(workshop, "ada: the lemons are 15.50 now, not 14")
    heard(workshop, "agent: Lemon Verna is 15.50.", "ada: no, the lemons come on Tuesday, not Monday")

    assert "the lemons are 15.50 now, not 14" in {each.trigger for each in workshop.links()}


@pytest.mark.parametrize(
    ("line", "his", "later"),
    [
        ("Kasia earns 14.50 an hour.", "Kasia earns 15 an hour.", "Brais thinks Kasia earns 16 an hour now."),
        ("The staging port is 9092.", "The staging port is 9098 from May.", "The staging port is 9099 in the test of Brais."),
    ],
)  # fmt: skip
def test_a_later_value_that_makes_no_line_ends_no_link(workshop, line: str, his: str, later: str) -> None:
    """Seen: what somebody else thinks took the yes from his own word."""
    workshop.room.change({"notes/plain.md": f"# Notes\n\n- {line}\n"}, actor="operator")
    workshop.room.now += timedelta(hours=2)

    heard(workshop, f"ada: {his}")
    assert [each.trigger for each in workshop.links()] == [his]
    heard(workshop, f"ada: {later}")

    assert his in {each.trigger for each in workshop.links()}


USER = """\
# USER.md

- **Name:** Ada
- **Phone:** +49 341 5550142
- **Timezone:** Europe/Berlin
- Works from 9 to 15, afternoons belong to Lotte.
"""
PHONE = "**Phone:** +49 341 5550142"


@pytest.fixture
def known(talk, remembering):
    remembering.change({"USER.md": USER}, actor="operator")
    remembering.now += timedelta(hours=2)
    return talk


@pytest.mark.parametrize(
    ("message", "line"),
    [
        pytest.param("My phone number is +49 341 5550199 now.", PHONE, id="a label"),
        pytest.param("My timezone is Europe/Lisbon now.", "**Timezone:** Europe/Berlin", id="a place"),
        pytest.param("I work from 8 to 14 now, the afternoons belong to Lotte.", "Works from 9 to 15, afternoons belong to Lotte.", id="a sentence"),
    ],
)  # fmt: skip
def test_a_line_of_user_md_that_he_contradicts_is_linked(known, message: str, line: str) -> None:
    assert heard(known, f"ada: {message}") == [("USER.md", line)]

    assert known.room.read("USER.md") == USER


@pytest.mark.parametrize(
    "message",
    [
        "Tomasz has a new phone number, +49 341 5550777.",
        "I'm in Lisbon until Sunday, so plan the calls in Lisbon time.",
        "My phone is broken.",
        "If my timezone was Europe/Lisbon I would sleep longer.",
        "The trains to Berlin run from 8 to 14 now.",
    ],
)
def test_what_is_said_of_others_or_for_a_week_is_no_word_on_user_md(known, message: str) -> None:
    """Mutants: whoever's number it is; a word without another value."""
    assert heard(known, f"ada: {message}") == []


@pytest.mark.parametrize(
    ("turn", "message", "linked"),
    [
        pytest.param("Ash is 980 € per m3 at Bois Jura.", "that's the old price, Didier said 1040", [("prices.md", "| Ash | m3 | 980 € | Bois Jura |")], id="a row"),
        pytest.param("Bo is off on Fridays.", "no he works on fridays now, he is off on wednesdays", [("USER.md", "Bo works Mon-Thu, off on Fridays.")], id="of somebody in USER.md"),
        pytest.param("Which rate?", "VAT is 20 % for Lacroix and only at the end, not 10 %", [("customers/lacroix.md", "VAT 10 %")], id="named like the file"),
    ],
)  # fmt: skip
def test_an_answer_is_beside_the_line_of_which_it_is(talk, remembering, turn, message, linked) -> None:
    """Seen: words stood beside the line of another customer, and beside none of a table."""
    remembering.change({"prices.md": "# Prices\n\n| Wood | Unit | Price | Supplier |\n|---|---|---|---|\n| Ash | m3 | 980 € | Bois Jura |\n"}, actor="operator")  # fmt: skip
    remembering.change({"USER.md": "# USER\n\nBo works Mon-Thu, off on Fridays.\n"}, actor="operator")
    remembering.change({"customers/lacroix.md": "# Lacroix\n\n- VAT 10 %\n"}, actor="operator")
    remembering.change({"customers/besson.md": "# Besson\n\n- a sideboard\n"}, actor="operator")
    remembering.now += timedelta(hours=2)

    assert heard(talk, f"agent: {turn}", f"ada: {message}") == linked


@pytest.mark.parametrize("way", ["yes", "link", "line"])
def test_his_yes_puts_the_new_line_into_user_md(known, way: str) -> None:
    """Mutants: MEMORY.md has a new line, and every prompt the old one; another line of the file changes."""
    room = known.room
    heard(known, "ada: My phone number is +49 341 5550199 now.")
    (link,) = links_in(room.history)
    memory = room.read("MEMORY.md")
    old = f"x:{link.correction_id}"
    (command, _) = link_commands(old, link.said, link.trigger)
    intent = Intent("op-9", "operator", room.now)

    if way == "yes":
        accept(room.history, old, intent)
    else:
        correct(room.history, PHONE if way == "line" else old, "**Phone:** +49 341 5550199", intent)

    assert command == f"clawgit approve x:{link.correction_id}"
    assert room.read("USER.md") == USER.replace("5550142", "5550199")
    assert (room.read("MEMORY.md"), links_in(room.history)) == (memory, [])


@pytest.mark.parametrize(
    ("path", "line", "message"),
    [
        pytest.param("runbooks/deploy.md", "Wait 15 minutes, look at the board of the errors.", "The canary wait is 30 minutes, not 15, Priya insisted.", id="the value denied and one word"),
        pytest.param("notes/reunion-2026-02-20.md", "Budget cloud : 3 200 € par mois, plafond dur.", "Le budget cloud passe à 3 600 € par mois, et non 3 200 €.", id="a note of a day beside memory"),
        pytest.param("notes/ideas.md", "pgbouncer pool size is 40 in prod (transaction mode)", "the pgbouncer pool is 60 since the load test", id="half of a short line"),
    ],
)  # fmt: skip
def test_the_line_that_has_the_old_value_is_linked_and_no_entry_that_shares_a_word(
    workshop, path: str, line: str, message: str
) -> None:
    """Mutants: a word in common alone links the entry; two numbers are read in `3 600`; old notes are not looked at."""
    entries = "# Memory\n\n- Priya reviews everything in auth.\n- Error budget is 0.1 % per month.\n"
    workshop.room.change({"MEMORY.md": entries, path: f"# Notes\n\n- {line}\n"}, actor="host")
    workshop.room.now += timedelta(hours=2)

    assert heard(workshop, f"ada: {message}") == [(path, line)]


@pytest.mark.parametrize(
    ("before", "linked"),
    [
        ("agent: Pancakes: milk 500 ml, eggs 3, flour 200 g.", [("recipes/pancakes.md", "milk 500 ml, eggs 3, flour 200 g")]),
        ("agent: Good morning.", []),
    ],
)  # fmt: skip
def test_of_two_lines_with_the_old_value_the_one_spoken_of_is_linked(
    workshop, before: str, linked: list[tuple[str, str]]
) -> None:
    """Mutant: of two that fit as well, the first is taken."""
    recipes = {
        "recipes/cake.md": "# Cake\n\n- yoghurt 1, sugar 2, eggs 3\n",
        "recipes/pancakes.md": "# Pancakes\n\n- milk 500 ml, eggs 3, flour 200 g\n",
    }
    workshop.room.change(recipes, actor="host")
    workshop.room.now += timedelta(hours=2)

    assert heard(workshop, before, "ada: my mother takes 4 eggs, not 3") == linked


def test_a_value_told_again_with_a_word_of_its_line_is_linked(workshop) -> None:
    """Mutant: a message that shares a word with a line is no answer about it."""
    line = "Flights Ryanair SCQ–DUB 18 dic 11:25, back 22 dic 18:40."
    workshop.room.change({"projects/dublin.md": f"# Dublin\n\n- {line}\n"}, actor="host")
    workshop.room.now += timedelta(hours=2)

    assert heard(workshop, "agent: 18 dic 11:25, Santiago.", "ada: Ryanair lo ha movido a las 12:50") == [
        ("projects/dublin.md", line)
    ]


@pytest.mark.parametrize(
    ("memory", "message", "line"),
    [
        pytest.param("- Babbo prende il Ramipril 5 mg alle 8 di mattina.\n- Babbo takes Eliquis 2.5 mg twice a day, at 8 and 20.\n", "Babbo prende l'Eliquis alle 9 e alle 21, non più alle 8 e alle 20", "Babbo takes Eliquis 2.5 mg twice a day, at 8 and 20.", id="a name and a value"),
        pytest.param("- Il furgone è in revisione il 14 dicembre da Officina Neri.\n- The alarm code of the workshop is 7719.\n", "Il codice dell'allarme non è più 7719 ma 2286", "The alarm code of the workshop is 7719.", id="a long number"),
        pytest.param("- l'Hotel Aurora vuole la consegna dal retro, via Nosadella 8.\n\n| Cliente | Cosa | Consegna |\n|---|---|---|\n| Hotel Aurora | 12 sedie | 20 dicembre |\n", "la consegna all'Hotel Aurora la facciamo il 18 dicembre, non il 20", "| Hotel Aurora | 12 sedie | 20 dicembre |", id="a row"),
    ],
)  # fmt: skip
def test_the_line_with_the_old_value_and_the_name_is_linked_in_any_language(
    workshop, memory: str, message: str, line: str
) -> None:
    """Seen: words about one drug stood beside another, which the language of the line had in common with them."""
    workshop.room.change({"MEMORY.md": f"# Memory\n\n{memory}"}, actor="operator")
    workshop.room.now += timedelta(hours=2)

    assert [each for _, each in heard(workshop, f"ada: {message}")] == [line]
