"""Which of his earlier turns in a conversation a message of the operator's takes back: the one that it names, else the one right before it."""

from __future__ import annotations

import pytest

from clawgit.understanding.corrections.ready_commands import remember_command
from clawgit.understanding.evidence.check_edit import unfit
from clawgit.understanding.evidence.orders_to_forget import (
    declines_before,
    forgets_itself,
    is_unwanted,
    only_asks_to_forget,
    to_forget,
)
from clawgit.understanding.evidence.taking_back import behind_opening, names_it, taken_by
from clawgit.understanding.facts.keepable_sentences import quoted_in

TALK = (
    "My dentist is Dr. Weber.",
    "The board meets in Basel this year.",
    "Nora ist gegen Haselnüsse allergisch.",
    "合同延长到2029年3月。",
    "우리 회의는 화요일이야.",
    "What's the weather like tomorrow?",
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param("scratch that", None, id="the one right before only asks"),
        pytest.param("Forget what I said.", 5, id="a question is to be forgotten"),
        pytest.param("oops forget what I just said", 5, id="with a sigh"),
        pytest.param("Oh, forget what I said about the dentist.", 0, id="by its word"),
        pytest.param("I was joking about Basel, sorry.", 1, id="by its value"),
        pytest.param("I take back what I said about the board.", 1, id="taken back"),
        pytest.param("scratch that about Basel please", 1, id="that about"),
        pytest.param("scratch that about A. Weber", 0, id="with an initial"),
        pytest.param("Scratch that, the board still meets in Zurich.", 1, id="named in what holds instead"),
        pytest.param("Vergiss das mit Nora.", 2, id="German"),
        pytest.param("Forget that dentist, the other one is great.", None, id="a person is to be forgotten"),
        pytest.param("don't forget what I said about the dentist", None, id="an order to remember"),
        pytest.param("Never forget that about Nora.", None, id="never"),
        pytest.param("Please forget that dentist again.", 0, id="pointed at, by its word"),
        pytest.param("Forget that number again.", None, id="pointed at, and nothing that was said is one"),
        pytest.param("forget about the parking ticket", None, id="nothing that was said"),
        pytest.param("Tim was joking about the review", None, id="somebody else's joke"),
        pytest.param("forget what I said about the parrot", None, id="nothing here says so"),
        pytest.param("never mind, found it", None, id="talk"),
        pytest.param("잊지 마, 회의는 화요일", None, id="Korean order to remember"),
        pytest.param("don't keep that about Lena", None, id="not to be kept, and nothing here says so"),
        pytest.param("Don't remember that Nora moved to Bremen.", None, id="it tells what is not to be kept"),
        pytest.param("Nora moved to Bremen. Don't keep that about Nora.", None, id="it told it before"),
        pytest.param("don't keep it", 5, id="not to be kept, and nothing named"),
        pytest.param(
            "don't keep that about the dentist in Bremen", None, id="no turn says all that it names"
        ),
    ],
)
def test_what_a_message_takes_back(text: str, taken: int | None) -> None:
    assert taken_by(text, TALK) == taken


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "said",
    [
        "Nimm das bitte zurück.",
        "Nehmen Sie das zurück.",
        "Take that back, please.",
        "Please take back what I said.",
        "Mach das rückgängig.",
        "Mach es bitte wieder rückgängig.",
        "Undo that.",
        "deshaz eso",
        "Anula lo que acabo de decir.",
        "Retiro lo dicho.",
        "Annule ça.",
        "annule ca",
        "Je retire ce que j'ai dit.",
        "Annulla quello che ho detto.",
        "Annullalo.",
        "Dimentica quello che ti ho detto.",
        "Desfaz isso, por favor.",
        "Retiro o que disse.",
        "Maak dat ongedaan.",
        "Ik neem dat terug.",
        "Olvida lo que dije.",
        "Oublie ce que je viens de dire.",
        "Esquece o que eu disse.",
        "Vergeet wat ik net zei.",
        "Vergiss bitte, was ich gesagt habe.",
        "Glöm vad jag sa.",
        "Zapomnij, co powiedziałem.",
        "忘了我刚才说的",
        "방금 한 말 잊어줘",
        "さっき言ったことは忘れて",
    ],
)
def test_what_only_takes_back_means_his_statement_right_before_and_is_nothing_to_remember(said: str) -> None:
    """Seen: it undid nothing, `clawgit remember` was offered for it, a model's quote of it was learned, and "Undo that." took it back."""
    assert taken_by(said, TALK[:3]) == 2
    assert taken_by("Undo that.", [*TALK[:3], said]) is None
    assert taken_by("Undo that.", [said]) is None
    assert remember_command(said) == ""
    assert quoted_in(said, said) == []
    assert unfit(said) == "The statement only takes something back."


@pytest.mark.parametrize(
    "said",
    [
        "nah was joking",
        "lol was kidding",
        "no was just kidding",
        "nah was joking, he doesnt owe me anything",
        "nan je plaisantais",
        "mdr je rigole",
        "haha c'était pour rire",
        "jaja era una broma",
        "en fait oublie ça",
        "finalement oublie ça",
        "ah non laisse tomber",
        "non en fait oublie",
        "forget that last one",
        "actually forget the last one",
        "ok forget that last message",
        "eigentlich vergiss das wieder",
        "doch lieber vergiss das",
        "vergiss das letzte",
        "mejor olvídalo",
        "al final olvídalo",
    ],
)
def test_words_without_meaning_before_a_known_order_change_nothing(said: str) -> None:
    """Seen: the line stayed, and of some the answer was `stored` alone. Mutant: fewer openings."""
    assert taken_by(said, TALK[:3]) == 2
    assert to_forget(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "Tom was joking",
        "nah Emil was joking about the rent",
        "was he joking?",
        "der Film war ein Witz",
        "Paul plaisantait hier",
        "finalement oublie pas le pain",
        "ah non j'ai laissé tomber mon téléphone",
        "finalement on a oublié ça",
        "eigentlich hat Tom es vergessen",
        "al final Ana olvidó eso",
        "don't forget that last one",
        "never forget the last one on the left",
        "forget that last one was blue",
        "forget that last one? what did you remember",
    ],
)
def test_what_others_forget_or_joke_about_takes_back_nothing(said: str) -> None:
    assert taken_by(said, TALK[:3]) is None


@pytest.mark.parametrize(
    "said",
    [
        "forget that, I was tired",
        "vergiss das, war Quatsch",
        "dimenticalo, mi sono sbagliato",
    ],
)
def test_a_reason_behind_what_takes_back_changes_nothing(said: str) -> None:
    """Mutant: no comma parts the reason."""
    assert taken_by(said, TALK[:3]) == 2


@pytest.mark.parametrize(
    "said", ["Take that box back to the shop.", "Nimm das Paket zurück.", "I'll take it back to Anna."]
)
def test_what_takes_a_thing_back_takes_back_nothing_that_was_said(said: str) -> None:
    assert taken_by(said, TALK[:3]) is None


CORRECTIONS = (
    "My flight is at 9:40.",
    "The lunch is on Wednesdays now.",
    "Anselm comes on Fridays instead of Thursdays.",
)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param("no, leave it as it was", 2, id="as it was"),
        pytest.param("lass es, wie es war", None, id="a comma parts it"),
        pytest.param("Lass es bitte wie es war", 2, id="German"),
        pytest.param("nee das stimmt nicht, bleibt wie es war", 2, id="untrue, German"),
        pytest.param("no, eso no es cierto, queda como estaba", 2, id="untrue, Spanish"),
        pytest.param("nee doch nicht", 2, id="not after all"),
        pytest.param("nee, toch niet", 2, id="not after all, Dutch"),
        pytest.param("nee doch nicht, Anselm kommt", None, id="not after all, and more"),
        pytest.param("das bleibt nicht wie es war", None, id="does not stay"),
        pytest.param("leave Anselm as he was", None, id="something named"),
        pytest.param("Thursdays was right after all", 2, id="a value that he denied"),
        pytest.param("was Thursday right?", None, id="a question"),
        pytest.param("the dentist was right", None, id="nobody's value"),
        pytest.param("everything was fine", None, id="talk"),
    ],
)
def test_a_correction_is_set_back_by_plain_words(text: str, taken: int | None) -> None:
    assert taken_by(text, CORRECTIONS) == taken
    assert taken_by(text, CORRECTIONS[:1]) is None


TWO_CHANGES = ("No, the rent is 950, not 900.", "No, the deposit is 350, not 300.")


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("The rent was right before, leave it as it was.", 0),
        ("I was wrong about the rent, leave it as it was", 0),
        ("Leave it as it was, the rent was right.", 0),
        ("I was wrong about the deposit, leave it as it was", 1),
        ("900 was right, leave it as it was", 0),
        ("I was wrong, leave it as it was.", 1),
        ("I changed my mind, leave it as it was.", 1),
        ("leave it as it was, Anna called", 1),
        ("I was wrong about the car, leave it as it was", None),
        ("The garden was nice, leave it as it was.", None),
        ("890 was right, leave it as it was", None),
        ("The rent and the deposit were right before, leave them as they were.", None),
        ("If the rent was right before, leave it as it was", None),
        ("Was the rent right, shall I leave it as it was?", None),
    ],
)
def test_what_is_set_back_by_its_name_is_the_one_correction_about_it(text: str, taken: int | None) -> None:
    """Seen: `the rent was right before, leave it as it was` undid the deposit. Mutants: the last one is meant; of two, the later."""
    assert taken_by(text, TWO_CHANGES) == taken
    assert (
        taken_by("The rent was right, leave it as it was", (*TWO_CHANGES, "No, the rent is 960, not 950."))
        is None
    )
    assert taken_by("The rent was right, leave it as it was", (*TWO_CHANGES, "The rent is paid.")) == 0


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Die Miete stimmte doch, lass sie wie sie war.", ("Nein, die Miete ist 950, nicht 900.", "Nein, die Kaution ist 350, nicht 300.")),
        ("Bei der Miete habe ich mich geirrt, lass es wie es war", ("Nein, die Miete ist 950, nicht 900.", "Nein, die Kaution ist 350, nicht 300.")),
        ("Je me suis trompé pour le loyer, laisse comme c'était", ("Non, le loyer est de 950, pas 900.", "Non, la caution est de 350, pas 300.")),
        ("Le loyer était juste avant, laisse-le comme il était.", ("Non, le loyer est de 950, pas 900.", "Non, la caution est de 350, pas 300.")),
        ("Me equivoqué con el alquiler, déjalo como estaba.", ("No, el alquiler es 950, no 900.", "No, la fianza es 350, no 300.")),
    ],
)  # fmt: skip
def test_what_is_set_back_by_its_name_in_other_languages(text: str, turns: tuple[str, ...]) -> None:
    """Mutant: a name is heard in English alone."""
    assert taken_by(text, turns) == 0
    assert taken_by(text, turns[1:]) is None


def test_words_of_a_change_are_set_back_only_right_behind() -> None:
    """Seen: the new rent, heard without a cue of a correction, stayed beside the old one."""
    change = "el alquiler ahora son 985"

    assert taken_by("no, dejalo como estaba", ["My flight is at 9:40.", change]) == 1
    assert taken_by("no, dejalo como estaba", [change, "My flight is at 9:40."]) is None


@pytest.mark.parametrize(
    "text",
    ["undo my last correction", "Reviens sur ma dernière correction.", "deshaz mi ultima correccion", "Mach meine letzte Korrektur rückgängig.",
     "annulla la mia ultima correzione", "desfaz a minha última correção", "maak mijn laatste correctie ongedaan"],
)  # fmt: skip
def test_the_last_correction_is_meant_only_right_behind_it(text: str) -> None:
    """Mutant: an order to undo is a correction."""
    assert taken_by(text, ["The lunch is at noon.", "No, the port is 9090, not 8080."]) == 1
    assert taken_by(text, ["No, the port is 9090, not 8080.", "I like the new office a lot."]) is None
    assert remember_command(text) == ""


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("don't save this file", None),
        ("Don't keep this door open.", None),
        ("don't keep that about the invoice file", None),
        ("don't keep the bikes about the shed", None),
    ],
)
def test_what_is_not_to_be_kept_has_to_be_named(said: str, taken: int | None) -> None:
    """Seen: the bikes left memory, for `keep` was in both; the invoice, for it has a `file`. Mutants: one shared word is enough; the verb counts."""
    turns = ["We keep the bikes in the shed, its door is shut.", "The invoice file is red.", "It rains."]

    assert taken_by(said, turns) == taken


def test_a_day_is_what_was_said_of_it() -> None:
    """Seen: "forget what I said about Saturdays" took nothing back, and offered to forget the shop's hours."""
    order = "actually forget what I said about Saturdays"

    assert names_it(order, "We have a stall on Saturdays.")
    assert not names_it(order, "We have a stall on Sundays.")


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("please don't keep that, it's private", True),
        ("Actually don't remember that.", True),
        ("das bitte nicht speichern", True),
        ("No guardes eso, por favor.", True),
        ("forget that about her", True),
        ("don't write it in the config", False),
        ("don't log it as a bug", False),
        ("don't note it on the list", False),
        ("Don't save that, use the other file", False),
        ("no guardes el barco en el garaje", False),
        ("don't keep that branch", False),
    ],
)
def test_an_order_about_another_thing_is_none_about_the_turn_before(said: str, is_so: bool) -> None:
    """Seen: "don't write it in the config" offered the line about the port."""
    assert declines_before(said) is is_so


def test_who_takes_back_in_two_clauses_is_not_meant_by_them() -> None:
    """Seen: "scratch that" brought back what "no wait, forget that, scratch that" had taken out, two turns before."""
    turns = ["The shop opens at 9, not 8.", "no wait, forget that, scratch that"]

    assert taken_by("scratch that", turns) is None
    assert taken_by("scratch that", [*turns, "The shop opens at 9:40."]) == 2


def test_a_turn_that_took_something_back_is_not_meant_by_its_own_words() -> None:
    """Seen: "scratch that" in both undid the undo of the dentist. Mutant: every turn with a word of it may be meant."""
    turns = ("The rent is 860 euros, not 840.", "scratch that about the dentist", "How are you?")

    assert taken_by("No, scratch that, the rent is 870 euros.", turns) == 0


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("Olli is moving out. Forget that, that's private.", True),
        ("Lina has a boyfriend now. hm, forget that please, it's private", True),
        ("The PIN is 4411. forget that, and the number too", True),
        ("The PIN is 4411. forget that, don't write it anywhere", True),
        ("We should stop with Bougard. hm no, forget that, keep them, the gut is good", True),
        ("My wife is called Anna. Forget that, it is Hanna.", False),
        ("The review is on Monday. Scratch that, Tuesday.", False),
        ("Volleyball is on Wednesdays now, no wait, forget that, Fridays.", False),
        ("Dinner with Joe is at 3. Forget that, Thursday", False),
        ("Olli is very ill. Forget that, 8 weeks", False),
        ("Olli is very ill. Forget that. It's private.", True),
        ("no wait. actually no, forget that", False),
        ("ok thanks, forget that", False),
        ("The account stuff in the mail smells, ignore it.", False),
        ("The old van is broken, forget it.", False),
        ("我太太生病了，忘了吧", True),
        ("算了，忘了吧", False),
        ("word " * 30 + ". Forget that.", False),
    ],
)
def test_a_message_that_forgets_itself_brings_nothing_instead(said: str, is_so: bool) -> None:
    assert bool(forgets_itself(said)) is is_so


@pytest.mark.parametrize(
    "said", ["Olli is moving out. Forget that.", "The review is on Monday. Scratch that, Tuesday."]
)
def test_who_takes_back_what_he_just_said_does_not_mean_the_turn_before(said: str) -> None:
    """Mutant: whatever takes back means the turn before."""
    assert taken_by(said, ["Remember: the key is under the pot."]) is None
    assert taken_by("ok thanks. forget that", ["Remember: the key is under the pot."]) == 0


def test_an_order_to_forget_is_taken_back_by_what_stays() -> None:
    """Seen: the message that was to be forgotten was named as taken back."""
    talk = ("Remember that Emil is on call in December.", "Forget that Emil is on call in December.")

    assert taken_by("Scratch that, Emil stays on call.", talk) == 1


def test_who_says_what_does_not_hold_does_not_take_back_what_is_about_something_else() -> None:
    """Mutant: an order to forget a number is undone, and the number is back."""
    said = "Scratch that, the spare key is not in the blue tin any more."

    assert taken_by(said, ["Please forget Paul's phone number."]) is None
    assert taken_by(said, ["Remember: the spare key is in the tin.", "Thanks, that helped."]) == 0


@pytest.mark.parametrize(
    ("said", "unwanted", "is_only"),
    [
        ("No wait, forget the thing with Emil and Lina completely, everywhere", "Emil and Lina", True),
        ("Forget the rent and use 900 euros instead", "rent", False),
    ],
)
def test_what_is_to_be_forgotten_is_named_without_what_stands_around_it(
    said: str, unwanted: str, is_only: bool
) -> None:
    assert (to_forget(said), only_asks_to_forget(said)) == (unwanted, is_only)


@pytest.mark.parametrize(
    ("said", "is_a_veto"),
    [
        ("9032. and no you may not put it in the mail to her", False),
        ("please don't put that in the report", False),
        ("don't keep it in the fridge", False),
        ("don't remember that in the future", True),
        ("My PIN is 4512, don't store it in the system", True),
        ("don't save this to the long-term memory", True),
        ("please don't save that at the moment", True),
        ("don't put this in the knowledge base", True),
        ("don't save that in the calendar", True),
        ("don't put that in your notes", True),
        ("do not save it to the daily notes", True),
        ("you must not write this down", True),
    ],
)
def test_what_shall_not_stand_in_another_text_is_kept_all_the_same(said: str, is_a_veto: bool) -> None:
    """Seen: an order not to store something "in the system" or "in the future" was none."""
    assert is_unwanted(said) is is_a_veto


SUPPLIER = "Remember: our rose supplier is Van den Berghe, phone 09 224 11 22"


@pytest.mark.parametrize(
    ("said", "turn", "is_taken"),
    [
        ("forget the phone number of Van den Berghe", SUPPLIER, False),
        ("forget what I said about the phone number of Van den Berghe", SUPPLIER, False),
        ("forget what I said about Van den Berghe", SUPPLIER, True),
        ("forget that our rose supplier is Van den Berghe", SUPPLIER, False),
        ("forget that our rose supplier is Van den Berghe", "Our rose supplier is Van den Berghe.", True),
        ("forget the phone number of Van den Berghe", "Supplier: Van den Berghe, phone 4402", False),
        ("Forget the dentist.", "My dentist is Dr. Kern and his nurse is Anna Blau.", False),
        ("Forget Anna's phone number.", "Anna can come on Friday, her phone number is 0171 555", False),
        ("Forget Teo's number.", "Teo's phone number is 338 555 4471, save it.", True),
        ("Forget the deploy window.", "The deploy window is Thursday 14:00.", True),
        ("Vergeet het nummer van Jan.", "Jan woont in Gent en zijn nummer is 0471 22 33 44", False),
        ("Oublie le numéro de Léa.", "Le numéro de Léa est 06 12 34 56", True),
    ],
)
def test_who_names_a_part_of_a_sentence_does_not_take_back_all_of_it(said, turn, *, is_taken) -> None:
    """Mutants: whatever has a word of the order goes; each clause of what he `said about` somebody has to be named."""
    assert (taken_by(said, [turn]) is not None) is is_taken


SHOP = (
    "The hourly rate is 62 now, not 55.",
    "The van's date is 19 February, not the 12th.",
    "take that back, the rent is 1500 after all",
    "Remember that Papa sits on the left.",
)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param("take that back, the van date was right", 1, id="a thing named"),
        pytest.param("take that back, the dentist is on Friday", None, id="a thing that no turn has"),
        pytest.param("vergiss das mit Papas Auto", None, id="of two words one"),
        pytest.param("vergiss das, was ich über das Auto gesagt habe", None, id="a thing behind it"),
        pytest.param("take that back", 3, id="the last turn, and none that takes back, too"),
        pytest.param("take back the thing about the van", 1, id="the thing about"),
        pytest.param("scratch that, it's on the right", 3, id="no thing named"),
        pytest.param("take that back, I was only testing", 3, id="a reason"),
    ],
)
def test_what_is_named_is_taken_back_or_nothing(text: str, taken: int | None) -> None:
    """Seen: an unrelated sentence went, three times in three first hours."""
    assert taken_by(text, SHOP) == taken


DROPPED = (
    "the flour is 610 now",
    "der Fotograf kostet 2.100",
    "contributie wordt 118",
    "l'affitto adesso è 690 €",
    "lol",
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("leave the flour thing, it's not decided", 0),
        ("das mit dem Fotografen lassen wir", 1),
        ("vergiss das mit dem Fotograf, es bleibt bei 1.900", 1),
        ("nimm das mit dem Fotografen bitte zurück", 1),
        ("laat dat van de contributie maar, dat is pas in januari", 2),
        ("lascia perdere quella cosa dell'affitto", 3),
        ("das mit dem Zelt stimmt nicht, bleibt wie es war", None),
        ("das mit dem Fotografen stimmt nicht", None),
        ("das mit dem Zelt stimmt nicht, vergiss es", None),
        ("the tent thing isn't right, scratch that", None),
        ("don't forget the flour thing", None),
        ("leave the flour in the car", None),
        ("das mit dem Zelt lassen wir", None),
        ("lassen wir das mit dem Fotografen?", None),
        ("lascia perdere la spesa", None),
        ("drop the flour idea", 0),
        ("please leave what I said about the flour", 0),
        ("laat dat van de contributie maar zitten", 2),
        ("Drop the flour off at the garage.", None),
        ("Leave the flour thing on my desk.", None),
        ("Die Sache mit dem Fotografen ist erledigt.", None),
        ("Lass das mit dem Fotografen besprechen.", None),
        ("das mit dem Fotografen lassen wir so", None),
        ("Laat het met de contributie weten.", None),
        ("Ik laat dat van de contributie over aan Bart.", None),
        ("no olvide lo de contributie", None),
    ],
)
def test_a_matter_to_be_dropped_is_the_last_turn_about_it(text: str, taken: int | None) -> None:
    """Mutants: one word names nothing; the turn right before is meant."""
    assert taken_by(text, DROPPED) == taken


@pytest.mark.parametrize(
    ("said", "unwanted"),
    [
        ("the alarm keypad thing, forget it", "alarm keypad"),
        ("That alarm keypad story, forget about it.", "alarm keypad"),
        ("das mit dem Alarm, vergiss es", "Alarm"),
        ("le truc de l'alarme, oublie ça", "alarme"),
        ("lo de la alarma, olvídalo", "alarma"),
        ("the alarm keypad is 4711, forget it", ""),
        ("the alarm keypad thing, don't forget it", ""),
        ("If the alarm keypad thing rings, forget it", ""),
        ("Emil asked about the alarm keypad thing, he said forget it", ""),
        ("das mit dem Alarm stimmt nicht, vergiss es", ""),
        ("the alarm keypad thing, forget it?", ""),
    ],
)
def test_a_thing_named_before_the_order_is_to_be_forgotten(said: str, unwanted: str) -> None:
    """Seen: `the alarm keypad thing, forget it` was a statement. Mutants: any words before are a thing; only English."""
    assert to_forget(said) == unwanted
    assert only_asks_to_forget(said) == bool(unwanted)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("its 7 april sorry", "its 7 april"),
        ("Its february 13 actually", "Its february 13"),
        ("I am late, sorry", ""),
        ("7 April, wrong", ""),
    ],
)
def test_an_apology_behind_a_bare_value_opens_a_correction(text: str, value: str) -> None:
    """Mutants: behind any sentence; a word that denies what is before it."""
    assert behind_opening(text) == value
