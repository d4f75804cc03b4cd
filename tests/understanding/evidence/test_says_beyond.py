"""Whether a message is about an entry, and says of it what the entry does not."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.agents.door.meant_entries import contradicted_words
from clawgit.understanding.evidence.own_sentences import denied, denies
from clawgit.understanding.evidence.says_beyond import (
    ANSWERS,
    NAMES,
    TOUCHES,
    Heard,
    bearing,
    brings_value,
    has_given_way,
    is_of_outsider,
    is_of_somebody_else,
    is_taken_up,
    says_again,
    says_beyond,
    shared_words,
    telling_sentences,
    words_shared,
)

ON = date(2026, 3, 8)
BOARD = "Board meetings are in Zurich."
TURN = "Train options for the board meetings: 07:34 or 09:02."


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("said", "before", "answer", "rank"),
    [
        pytest.param("the board meetings were fun", "", "", NAMES, id="two words of it"),
        pytest.param("not Zurich, it's Basel", "", "Basel is booked.", ANSWERS, id="a denial of its name, and another"),
        pytest.param("Zurich or Basel, it's Basel", "", "Timer set.", None, id="the agent takes nothing up"),
        pytest.param("Nicht mehr Zurich, das ist jetzt der Saal in Basel", "", "", ANSWERS, id="a German denial of its name"),
        pytest.param("isn't there this year, it's Basel", TURN, "", ANSWERS, id="the turn before names it"),
        pytest.param("isn't there this year, it's Basel", "", "Board meetings: Basel.", ANSWERS, id="the answer names it"),
        pytest.param("isn't there this year, it's Basel", "Zurich it is.", "", ANSWERS, id="the turn before has its value"),
        pytest.param("rent is due on the 1st", "", "Board meetings: 4 of them.", None, id="an answer about something else"),
        pytest.param("bring the folders along", TURN, "", None, id="no value of its kind"),
        pytest.param("not this year", TURN, "", TOUCHES, id="a denial"),
        pytest.param("fine", TURN, "", None, id="nothing is told"),
        pytest.param("the board is fun", "", "", None, id="one word"),
        pytest.param("the board is fun", "", "Glad that the board is.", TOUCHES, id="one word that the answer takes up"),
        pytest.param("convert 12 miles", "", "", None, id="nothing of it"),
    ],
)  # fmt: skip
def test_how_a_message_bears_on_an_entry(said: str, before: str, answer: str, rank: int | None) -> None:
    """Mutants: a turn's words are enough; an answer is nothing; any value is news."""
    found = bearing(Heard(said, before, answer, ON), BOARD, is_best=True)

    assert (found.rank if found else None) == rank


def test_a_part_of_a_word_with_a_hyphen_is_shared() -> None:
    """Mutant: `VAT-return` is about `VAT-return` alone."""
    assert words_shared("VAT-return: quarterly, next one on 30 November", "VAT is due on the 28th") == {"vat"}
    assert words_shared("VAT-return: quarterly", "our VAT-return is late") >= {"vat", "return"}


@pytest.mark.parametrize(
    ("said", "is_meant"),
    [
        ("The interview is 45 minutes, not 20 minutes.", False),
        ("The meeting is 45 minutes, not 20 minutes.", False),
        ("the canary runs 45 minutes, not 20", True),
    ],
)
def test_the_old_value_alone_names_no_line_where_the_message_names_something_else(
    said: str, is_meant: bool
) -> None:
    """Seen: the interview's minutes were offered for the pasta's."""
    found = bearing(Heard(said, "", "", ON), "Canary runs for 20 minutes.", is_best=True)

    assert (found is not None) is is_meant


@pytest.mark.parametrize(
    ("said", "before", "statement"),
    [
        ("Our flour supplier is Kruse now, not Mehlig.", "The alarm is checked every March.; Noted.", "The alarm is checked every March."),
        ("Heute kommt Ole nicht, er ist krank.", "The bell for Herr Kaya costs 12 euros.", "The bell for Herr Kaya costs 12 euros."),
        ("I was wrong about the ultrasound machine, it's not coming, they cancelled the order", "", "Mme Rochat comes on Tuesdays."),
        ("the fitness room is closed because of the flood, they cancelled everything", "", "The practice is closed on 24 December"),
        ("Nora is not here any more, she moved out in October", "", "Nora: invoice 5590 due on 2 May"),
        ("We decided to move the CI to Buildkite.", "Our vet is Dr. Keller.; Noted.", "Our vet is Dr. Keller."),
        ("Deniz gets 26 days of holiday from next year.", "We go skiing in February.; Noted.", "We go skiing in February."),
        ("The staging database is moving to 5433 next week", "", "The staging port is 8080."),
    ],
)  # fmt: skip
def test_what_names_a_subject_of_its_own_is_not_about_a_line_that_shares_a_verb_or_a_person(
    said: str, before: str, statement: str
) -> None:
    """Seen: whatever was said behind `Noted.` stood beside the line that was remembered before."""
    heard = Heard(said, before, "", ON, is_flagged=True)

    assert bearing(heard, statement, is_best=True, is_only="Nora" not in said) is None


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Die Rechnung 5590 ist am 12. Mai fällig, nicht am 2.", "Nora: invoice 5590 due on 2 May"),
        ("invoice 6843 has been paid", "Nora: invoice 6843 due on 11 June"),
        ("my landlord raised the rent to 910", "Studio rent is 840 a month."),
        ("the landlord wrote, rent is 910 now", "Studio rent is 840 a month."),
    ],
)
def test_a_long_number_or_a_noun_with_another_value_says_which_line_is_meant(
    said: str, statement: str
) -> None:
    """Mutants: the number of an invoice is a value as any other; who raised the rent is what the message is about."""
    assert bearing(Heard(said, "", "", ON), statement, is_best=True) is not None


def test_that_something_is_new_is_nothing_in_common() -> None:
    heard = Heard("Tomasz has a new phone number, +49 341 5550777.", "", "Noted, a new number.", ON)

    assert bearing(heard, "The small kiln is waiting for a new element.", is_best=True) is None


def test_one_word_of_a_turn_is_enough_for_the_best_entry_alone() -> None:
    """Mutant: a name in the agent's turn links whatever has it."""
    heard = Heard("it's Basel", "Zurich it is.", "", ON)

    assert bearing(heard, BOARD, is_best=False) is None


CHILDREN = "My son is called Jonas and my daughter is called Mia."
ALLERGIES = "Jonas is allergic to peanuts and Mia can't have lactose."
INVOICE = "Nora: invoice 6843 due on 11 June"


@pytest.mark.parametrize(
    ("said", "before", "answer", "statement"),
    [
        ("Mia geht dienstags in die Kita.", "", "", CHILDREN),
        ("Mia takes the bus on Tuesdays.", "", "Noted, Mia and the bus.", ALLERGIES),
        ("Jonas kicked the ball over the fence", "", "", CHILDREN),
        ("Emil moved from finance to the gallery team", "", "", "Emil keeps item 3 on the shelf."),
        ("the rental contract ends on 31 July 2028, not 30 June 2028", "", "", INVOICE),
        ("we fly on Friday", "", "Friday it is.", "The bins go out on Friday."),
        ("SumUp costs 1.39 percent per sale.", "", "", "Wholesale discount is 30 percent."),
        ("By the way, Redis moved to port 6390.", "", "", "The staging port is 9090."),
        ("Redis moved to port 6390.", "", "", "The staging port is 8080."),
        ("The tutor comes for an hour on Tuesdays.", "", "", "Football practice is one hour on Thursdays."),
        ("Die Fahrt dauert 40 Minuten.", "", "", "Der Kuchen bleibt 55 Minuten im Ofen."),
        (
            "Lena bleibt bis 22. Jänner, nicht 18. Dezember",
            "",
            "",
            "Urlaubssperre: 20. Dezember bis 6. Jänner",
        ),
        ("die trauung beginnt um 13:30 statt 13:00", "", "", "Teambesprechung: jeden ersten Mittwoch, 13:30"),
        (
            "Deniz has asked for holiday from 21 to 31 December.",
            "",
            "",
            "Deniz has 24 days of holiday a year.",
        ),
        ("the fee is 1.180 now, not 900", "", "", "The deposit was 1.180 on Monday"),
    ],
)
def test_a_persons_name_a_month_or_a_unit_is_no_subject(
    said: str, before: str, answer: str, statement: str
) -> None:
    """Mutants: whatever is said of a child stands beside its allergy; June, or percent, is what a line is about."""
    assert bearing(Heard(said, before, answer, ON), statement, is_best=True) is None


@pytest.mark.parametrize(
    "said",
    [
        "It moved to port 9090.",
        "FYI the port is 9090 now.",
        "Moved to port 9090.",
    ],
)
def test_what_a_message_begins_with_is_not_always_a_name(said: str) -> None:
    """Mutants: a pronoun, a word before an article and a verb are names."""
    assert bearing(Heard(said, "", "", ON), "The staging port is 8080.", is_best=True) is not None


RFEM = "Never send raw RFEM files to a client."
HALL = "The concert hall is the Salt Store."
CELLO = "User's son Teo plays the cello."


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("said", "before", "statement"),
    [
        ("Der neue Stundensatz ab Januar ist 104 Euro.", "I sent the client no raw files.", RFEM),
        ("lol ok danke", "", 'When Miriam writes "ok?" she means now.'),
        ("one attachment in a mail", "", "Reminders go to Signal, never by mail."),
        ("nice, that's a good mail", "", "Mail of Brom is no good news."),
        ("Das ist gut so, danke.", "", "Das Büro ist in der Hafengasse."),
        ("Ich bin jetzt auf dem Weg nach Hause.", "", "Ich trinke keinen Kaffee nach 15 Uhr."),
        ("wait for the offer first", "The concert hall: Salt Store, I wrote to them.", HALL),
        ("a limerick of somebody who lives in a cupboard", "", "User's mother lives in Seville."),
        ("Super, sag ihr danke!", "Ida hat heute Schwimmen.", "Ida hat mittwochs Schwimmen."),
        ("I prefer tea.", "", "The operator prefers short answers."),
        ("the clutch was 420 like i said", "", "Marisa doesnt like being called before 9"),
        ("I'd do the dishes first.", "", "The first alarm goes off at six."),
        ("Zuerst den Müll, dann das Altglas.", "", "Zuerst kommt die Miete dran."),
        (
            "forget about the parking, I don't claim it after all",
            "",
            "Goods from Germany: don't forget the C79.",
        ),
        (
            "Vergiss das mit dem Parkplatz.",
            "",
            "Bei Importen den C79 nicht vergessen. Vergiss nie die Frist.",
        ),
    ],
)
def test_light_words_and_a_turn_alone_bear_on_nothing(said: str, before: str, statement: str) -> None:
    """Mutants: `ok` and `danke` are words of an entry; `das ist` is; what the agent said right before is enough."""
    assert bearing(Heard(said, before, "", ON), statement, is_best=True) is None


@pytest.mark.parametrize(
    ("said", "before", "statement"),
    [
        ("Der neue Stundensatz ab Januar ist 104 Euro.", "", "Der Stundensatz ist 96 Euro."),
        ("Ida hat jetzt donnerstags Schwimmen.", "", "Ida hat mittwochs Schwimmen."),
        ("Die Wireguard-Adresse ist 10.8.0.9.", "", "Wireguard-Adresse: 10.8.0.4"),
        ("Frau Zeisig hat verkauft, neu ist Herr Dornkamp.", "", "User's landlady is Frau Zeisig."),
        ("no cello any longer, it's the tuba", "Teo: cello at 15:00.", CELLO),
        ("not any more, she's moved out", "The spare key is with Hedda.", "The spare key is with Hedda."),
        (
            "not any more. it's in the lockbox now",
            "The spare key is with Hedda.",
            "The spare key is with Hedda.",
        ),
        ("52. I put it up in january", "Singing lesson: 45 euros.", "The singing lesson costs 45 euros."),
    ],
)
def test_what_shares_a_telling_word_or_denies_the_turn_bears_on_it(said: str, before: str, statement: str) -> None:  # fmt: skip
    """Mutant: a floor that only two shared words pass."""
    assert bearing(Heard(said, before, "", ON), statement, is_best=True) is not None


@pytest.mark.parametrize(
    ("said", "statement", "is_so"),
    [
        pytest.param("65 from now on", "It costs 60 an hour.", True, id="a number for a number"),
        pytest.param("it's Basel", BOARD, True, id="a name for a name"),
        pytest.param("on fridays", BOARD, False, id="a day for a name"),
        pytest.param("60, as I said", "It costs 60 an hour.", False, id="the same"),
        pytest.param("so always at 4 from now on", "The club begins at 15:30.", True, id="an hour"),
        pytest.param("5 now actually, since he moved", "The club begins at 15:30.", True, id="a bare hour"),
        pytest.param("5 boats now", "The club begins at 15:30.", False, id="a bare count"),
        pytest.param("at 4 places in town", "The club begins at 15:30.", False, id="a count"),
        pytest.param("4 of them came", "The club begins at 15:30.", False, id="a bare number"),
        pytest.param(
            "the Škoda has heated seats", "The family drives a Renault.", True, id="a name with an accent"
        ),
        pytest.param(
            "da ima Brina rada Brit, in Acane ne mara več", "Brina eats Acana.", True, id="no German"
        ),
        pytest.param("da kommt heute Besuch und ein Kuchen", "Brina eats Acana.", False, id="German nouns"),
    ],
)
def test_what_value_a_message_brings(said: str, statement: str, is_so: bool) -> None:
    assert brings_value(said, statement, ON) is is_so


def test_a_bare_number_is_no_subject() -> None:
    assert shared_words("The trip is on May 12.", "convert 12 miles") == 0


@pytest.mark.parametrize(
    ("said", "statement", "is_so"),
    [
        pytest.param("Basel it is", BOARD, True, id="another name"),
        pytest.param("soy from now on", "User drinks oat milk.", True, id="another word"),
        pytest.param("at four", "The pool opens at 9.", True, id="another value"),
        pytest.param("they are not", BOARD, True, id="turned round"),
        pytest.param("the meetings of the board are in Zurich", BOARD, False, id="a repetition"),
        pytest.param("at 9, the pool", "The pool opens at 9:00.", False, id="a value written otherwise"),
        pytest.param(
            "the board meets in Zurich, not in Basel",
            BOARD,
            False,
            id="a repetition that denies another name",
        ),
        pytest.param(
            "the board meets in Bern, not in Zurich", BOARD, True, id="another name that denies the old"
        ),
        pytest.param("not in Bern", BOARD, True, id="a denial alone"),
        pytest.param("On Mondays only.", "We sing from Monday to Friday.", True, id="only one of several"),
        pytest.param("Ben manages Anna now", "Anna manages Ben.", True, id="names turned round"),
        pytest.param(
            "on Tuesdays Anna sings", "Anna sings on Tuesdays.", False, id="other words turned round"
        ),
    ],
)
def test_what_a_message_says_beyond_an_entry(said: str, statement: str, is_so: bool) -> None:
    """Mutants: a denial alone is nothing; a repetition is something."""
    assert says_beyond(said, statement, ON) is is_so


@pytest.mark.parametrize(
    ("said", "statement", "is_so"),
    [
        ("no, el embrague costó 480 €, no 420 €", "| embrague | 480 € |", True),
        ("the clutch costs 420 €, not 480 €", "The clutch: 480 €", False),
        ("the brakes are 480 €, not 420 €", "The clutch: 480 €", False),
        ("the bakery sells no rye on Sunday", "The bakery is not open on Sunday.", False),
        ("Joanna moved the books to the first friday", "Joanna does the books on the last Friday.", False),
    ],
)
def test_what_denies_another_value_than_the_one_of_a_line_says_it_again(
    said: str, statement: str, is_so: bool
) -> None:
    """Seen: the old price stood beside a line that had the new one. Mutants: a denial is news; so is nothing that is denied."""
    assert says_again(said, statement, ON) is is_so


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("It is in Basel.", ["It is in Basel"], id="it is so"),
        pytest.param("Is it in Basel?", [], id="a question"),
        pytest.param("在巴塞尔吗？", [], id="a question in Chinese"),
        pytest.param("does a boat go to Basel", [], id="a question without its mark"),
        pytest.param("If Zurich is too dear we meet in Basel.", [], id="a case"),
        pytest.param("I wish we met in Basel", [], id="a wish"),
        pytest.param("test server is on 9443 now", ["test server is on 9443 now"], id="begins like a task"),
        pytest.param("sorry, it's Basel", ["sorry, it's Basel"], id="politely"),
        pytest.param('haha "I live in Basel and my board is a plank" on the radio', ["haha … on the radio"], id="a quotation"),
        pytest.param("review:\nconst board = 'Basel';\nconst city = board;", [], id="code to look at"),
        pytest.param("The board meets in Basel. Pay 40 euros.\n^ what a scam", [], id="what stands above"),
        pytest.param("write it down: the board meets in Basel", ["write it down: the board meets in Basel"], id="to be noted"),
        ("can you grep the logs for 502s between 03:00 and 03:20", []),
    ],
)  # fmt: skip
def test_what_of_a_message_may_tell_something(text: str, told: list[str]) -> None:
    """Mutants: a question needs its mark; a task tells something; what is quoted counts."""
    assert [each.rstrip(".") for each in telling_sentences(text)] == told


@pytest.mark.parametrize(
    ("said", "answer", "statement"),
    [
        ("trunk's read only, it ships off harbor", "trunk: read only.", "The deploy branch is called trunk."),
        ("The workshop got a new door.", "A door for the workshop, nice.", "The workshop is in Leith."),
    ],
)
def test_one_telling_word_that_the_answer_takes_up_bears_on_the_only_line_with_it(
    said: str, answer: str, statement: str
) -> None:
    """Mutants: without an answer it does; of several lines with that word each is meant."""
    heard = Heard(said, "", answer, ON)

    assert bearing(heard, statement, is_best=True) is not None
    assert bearing(heard._replace(answer=""), statement, is_best=True) is None
    assert bearing(heard, statement, is_best=True, is_only=False) is None


GALLERY = "Galerie Noack takes 40 percent commission."
CONTACT_TURN = "The contact at Hotel Fregehaus is Frau Albrecht. Shall I write to her?"


@pytest.mark.parametrize(
    ("said", "before", "statement"),
    [
        ("The big vase for Galerie Noack cracked on the shelf.", "", GALLERY),
        ("Tomasz and I meet Claire in Rennes on Saturday.", "", "My sister Claire lives in Nantes."),
        ("She left. Herr Castell is the contact now.", CONTACT_TURN, "The plumber is Herr Sobek."),
        ("The course has ten places.", "", "The smith answers before ten on weekdays."),
        ("This week the cleaner comes on Saturday.", "", "Porcelain clay comes from Krüger in Meissen."),
        ("im allergic to latex", "", "Mira is allergic to walnuts."),
        ("I was wrong: Lotte's doctor is Dr. Amini, not Nasri.", "Noted.", "Lotte goes to the school in Grünau."),
    ],
)  # fmt: skip
def test_a_shared_name_title_number_or_verb_alone_is_no_link(said: str, before: str, statement: str) -> None:
    assert bearing(Heard(said, before, "", ON), statement, is_best=True) is None


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Die Galerie Noack nimmt jetzt 45 Prozent, nicht mehr 40.", GALLERY),
        ("Sold: cups for two euros more, 30 euros.", "Cups are sold for 28 euros."),
        ("the rent: they sent the bill, it's 910", "Studio rent is 840 a month."),
        (
            "una cosa bella: Karel ha firmato, lavora alla Dravske, basta Henkel",
            "User's husband Karel works at Henkel.",
        ),
        ("Zala ima novega razrednika, Tilen se piše, Vesna gre", "Zala's class teacher is Vesna."),
    ],
)
def test_a_name_or_word_with_another_value_in_its_place_is_one(said: str, statement: str) -> None:
    """Mutants: whatever shares one word is left alone; all names together are one word, in whatever language."""
    assert bearing(Heard(said, "", "", ON), statement, is_best=True) is not None


@pytest.mark.parametrize(
    ("said", "line", "is_so"),
    [
        pytest.param(
            "My phone number is +49 341 5550199.", "**Phone:** +49 341 5550142", True, id="its label"
        ),
        pytest.param("My phone is broken.", "**Phone:** +49 341 5550142", False, id="no other value"),
        pytest.param("My number plate is L 341.", "**Phone:** +49 341 5550142", False, id="another thing"),
    ],
)
def test_a_line_with_a_label_is_contradicted_by_another_value_for_that(said: str, line: str, is_so: bool) -> None:  # fmt: skip
    assert bool(contradicted_words(Heard(said, "", "", ON), line, is_flagged=True)) is is_so


@pytest.mark.parametrize(
    "line",
    [
        "Betriebsferien vom 23. Dezember bis 6. Januar",
        "Betriebsferien 23. Dezember bis 6. Januar, danach Inventur.",
    ],
)
def test_the_full_stop_of_a_day_ends_no_clause(line: str) -> None:
    """Seen: what was denied was `23`, a number, and the message was linked with no line."""
    said = "Die Betriebsferien beginnen am 22. Dezember, nicht am 23. Dezember."

    assert contradicted_words(Heard(said, "", "", ON), line, is_flagged=False)


@pytest.mark.parametrize("month", ["Jänner", "Feber", "März", "août", "décembre"])
def test_a_month_is_one_in_any_spelling(month: str) -> None:
    """Seen: `22. Jänner` was the number 22, and the 18th of December was not replaced by it."""
    assert brings_value(f"Lena bleibt bis 22. {month}", "Lena bleibt bis 18. Oktober.", ON)


@pytest.mark.parametrize(
    ("said", "answer", "is_so"),
    [
        ("convert 12 miles to normal units", "About 19 km.", False),
        ("make that 21, I decided on sunday", "21 it is.", True),
        ("make that 21, I decided on sunday", "Gut.", True),
        ("the hall is booked from six", "Noted.", True),
        ("loans: three weeks is a joke. two weeks", "14 days on the form.", True),
        ("was kosten 40 Franken", "Rund 43 Euro.", False),
    ],
)
def test_an_answer_that_brings_values_of_its_own_takes_nothing_up(
    said: str, answer: str, is_so: bool
) -> None:
    """Mutant: a number is no subject, so an answer with nothing else may answer anything."""
    assert is_taken_up(Heard(said, "", answer, date(2026, 3, 28))) is is_so


@pytest.mark.parametrize(
    ("before", "said", "statement", "has"),
    [
        ("The Corn Street show opens on 21 November.", "no, the 28th", "Opening hours: Wed-Sat 10-17", False),
        ("The Corn Street show opens on 21 November.", "no, the 28th", "Show opens on 21 November", True),
        ("The Bergmann contact is in Zurich, right?", "no, Basel", "Basel: Lager, 40 Rampen", False),
        ("The Bergmann contact is in Zurich, right?", "no, Basel", "Bergmann AG: contact Frau Keller", True),
        ("The rent is 840.", "the rent went up to 865", "Opening hours: Wed-Sat 10-17", False),
        ("The rent is 840.", "the rent went up to 865", "Rent is 840.", True),
    ],
)
def test_a_bare_answer_is_about_what_has_given_way(before: str, said: str, statement: str, has: bool) -> None:
    """Seen: "no, the 28th" was linked to the opening hours, since the agent had said "opens"."""
    heard = Heard(said, before, "", date(2026, 3, 19))

    assert has_given_way(heard, statement) is has


def test_a_name_that_begins_a_line_gives_way_where_the_turn_before_has_it() -> None:
    """Mutant: only what stands inside of a sentence is a name."""
    heard = Heard("it's Kim now", "I'll ask Tom, he leads the project.", "", ON)

    assert bearing(heard, "Tom leads the project.", is_best=True) is not None
    assert bearing(heard, "Rent is 1,240 euros.", is_best=False) is None


def test_a_day_in_words_is_a_day_where_nothing_is_counted_behind_it() -> None:
    """Mutant: the twenty-second is twenty seconds."""
    turn = "The deadline is 3 June, so I start now."

    for said in ("it's the tenth now", "They pushed it to the twenty-second."):
        assert bearing(Heard(said, turn, "", ON), "The deadline is 3 June.", is_best=True) is not None
    heard = Heard("I'll take the second offer", turn, "", ON)
    assert bearing(heard, "The deadline is 3 June.", is_best=True) is None


@pytest.mark.parametrize(
    ("said", "statement", "is_so"),
    [
        ("Tomasz comes on Friday 13.", "Anselm comes on Tuesdays and Thursdays.", True),
        ("Remember Bea's number: 0117 555 0101", "Anselm's phone number is 0117 496 0999.", True),
        ("Bea has Anselm's number now", "Anselm's phone number is 0117 496 0999.", False),
        ("Kim leads the project now", "Tom leads the project.", False),
        ("my niece Lena plays the flute, not the piano", "Paul Winter plays the viola.", True),
        ("Jonas Kern is allergic to cats", "Oskar is allergic to hazelnuts.", True),
        ("She hurt her hip, so Colin waters the plot", "Vera waters the allotment.", False),
        ("Vell is the accountant now", "The accountant is Brom.", False),
        ("Nora moved to Hamburg", "Nora lives in Leipzig.", False),
        ("The board meets in Basel", "The board meets in Zurich", False),
    ],
)
def test_what_is_told_of_somebody_else(said: str, statement: str, is_so: bool) -> None:
    """Seen: Bea's number was offered as Anselm's, and Tomasz' Friday for Anselm's days."""
    assert is_of_somebody_else(said, statement) is is_so


def test_a_message_with_much_of_its_own_is_no_answer_to_the_turn_before() -> None:
    """Mutants: whatever has a day bears on what was said before it; a short answer in other words does not."""
    windows = "The chestnut windows come on 8 January."
    before = "Noted: the chestnut windows come on 8 January."
    news = "and Nuno said yes, he starts at Grieg in Bergen on 1 March, mother hears it at christmas"

    assert bearing(Heard(news, before, "", ON), windows, is_best=True) is None
    assert (
        bearing(Heard("he rang again, they slip to the 19th", before, "", ON), windows, is_best=True)
        is not None
    )


RENT = "Rent: 850 a month, due on the 1st"


@pytest.mark.parametrize(
    ("said", "before", "statement", "is_of_another"),
    [
        pytest.param("Peter's rent went up to 900", "", RENT, True, id="somebody's thing"),
        pytest.param("my aunt's old landlord wants 900 a month", "", RENT, False, id="no word of the thing"),
        pytest.param("my cousin told me her rent is 900 a month", "", RENT, True, id="told of a cousin"),
        pytest.param("bei meiner Kollegin kostet die Miete 900", "", "Miete: 850", True, id="German"),
        pytest.param("el perro de mi cuñada come mucho", "", "El perro se llama Trasto", True, id="Spanish"),
        pytest.param("gave my bike to my niece, now riding a Tundra", "", "My bike is a Velmora", False, id="he does it"),
        pytest.param("my sister's rent is 900", "", "My sister: rent 850", False, id="the line names her"),
        pytest.param("my friend anna pays rent of 900", "", "Anna: rent 850", False, id="the line has her name"),
        pytest.param("Peter's rent is 900", "How is Peter?", RENT, False, id="the turn before names him"),
        pytest.param("the rent's 900 now", "", RENT, False, id="no owner"),
        pytest.param("my cousin says hi. The rent is 900 now.", "", RENT, False, id="in another sentence"),
        pytest.param("Priya's team joins us there", "", "The standup is on Wednesday.", False, id="nothing in common"),
    ],
)  # fmt: skip
def test_what_is_told_of_somebody_whom_a_line_does_not_name(
    said: str, before: str, statement: str, is_of_another: bool
) -> None:
    """Mutants: any relative in a message; the agent's turn names nobody."""
    heard = Heard(said, before, "", ON)

    assert is_of_outsider(heard, statement) is is_of_another
    if is_of_another:
        assert bearing(heard, statement, is_best=True) is None
        assert contradicted_words(heard, statement, is_flagged=True) == 0


@pytest.mark.parametrize(
    ("said", "line", "rank"),
    [
        (
            "No, Mia's shoes are size 34, not 33",
            "Mia allergic to cashews, EpiPen in the red bag, second one at school",
            None,
        ),
        (
            "Carnet list goes to Bram by 4 December, not 11 December",
            "Tour manager: Bram (from 1 December)",
            None,
        ),
        ("Nein, Emil ist bis zum 14. Dezember weg, nicht bis zum 12.", "Emil keeps item 97 for the money on shelf 12.", None),
        ("No, Emil is away until 14 December, not the 12th", "Emil keeps item 97 for the money on shelf 12.", None),
        ("No, Emil is away until 14 December, not the 12th", "Emil is away until the 12th.", NAMES),
        ("Mia's birthday isn't in June, it's in July", "Mia: invoice 6843 due on 11 June", None),
        ("non, Mia ne vient pas jeudi", "Mia: invoice 6843 due on 11 June", None),
        ("no, Mia's is not the 11th, it's the 12th", "Mia: invoice 6843 due on 11 June", NAMES),
        ("No, Emil's money is on shelf 14, not 12", "Emil keeps item 97 for the money on shelf 12.", NAMES),
        ("No, Gaz is not doing monitors in spring", "Monitors: Gaz Whitlock. LD: Priya Nair.", NAMES),
        ("Le numéro de Luca c'est 079 555 90 10 et pas 80 09", "Luca : 079 555 12 34", TOUCHES),
    ],
)  # fmt: skip
def test_a_name_beside_a_denied_value_that_a_line_lacks(said: str, line: str, rank: int | None) -> None:
    how = bearing(Heard(said, "", "", ON, is_flagged=True), line, is_best=True)

    assert (how and how.rank) == rank


@pytest.mark.parametrize("verb", ["isnt", "Isnt", "wasnt", "doesnt", "didnt", "hasnt", "wouldnt"])
def test_a_denial_without_its_apostrophe_is_one(verb: str) -> None:
    """Seen: `nora isnt allergic to hazelnuts, its walnuts` was heard otherwise than with apostrophes. Mutant: any word with this end denies."""
    assert list(denied(f"nora {verb} allergic to hazelnuts, its walnuts")) == [" allergic to hazelnuts"]
    assert not denies("the vint, the print and the saint are here, its colour is blue")


def test_a_task_states_nothing_of_a_line() -> None:
    """Seen: `remind me on friday to pay invoice 5590` went beside the invoice's line. Mutants: only `remind me to`; a reminder of a fact is a task."""
    fact = "remind me that invoice 5590 is due on 14 May"

    assert telling_sentences("remind me on friday to pay invoice 5590") == []
    assert telling_sentences("remind me tomorrow at 9 to call Emil. The rent is 950.") == ["The rent is 950."]
    assert telling_sentences(fact) == [fact]
