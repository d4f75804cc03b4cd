"""What a second word right after a correction makes of its line."""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.understanding.corrections.fitted_line import fitted_line
from clawgit.understanding.corrections.second_word import restores
from clawgit.understanding.evidence.says_beyond import brings_its_own

LINE = "The freeze starts Thursday at 16:00."


@pytest.mark.parametrize(
    ("answer", "is_its_own"),
    [
        ("Noted, Thursday.", False),
        ("Noted. Which day is the review? I forgot.", True),
        ("Noted. The review is on Wednesday then.", True),
    ],
)
def test_what_an_agent_brings_may_be_what_a_second_word_means(answer: str, *, is_its_own: bool) -> None:
    assert brings_its_own("The freeze starts Thursday.", answer) is is_its_own


@pytest.mark.parametrize(
    ("line", "said", "then"),
    [
        ("anhänger: 45 kg stützlast", "anhänger darf 60 kg", "anhänger: 60 kg stützlast"),
        ("wagen: 45 kg, anhänger 50 kg", "der wagen darf 60 kg", ""),
        ("45 kg vorn, 50 kg hinten", "der anhänger darf 60 kg", ""),
        ("eiche 71 euro", "eiche kostet nicht 73 euro", ""),
        ("eiche 71 euro", "kostet eiche 73 euro?", ""),
        ("| eiche | 71 |", "eiche 73", ""),
        ("petit dej de 8h a 10h (dimanche 10h30)", "petit dej 8h30 a 10h30", ""),  # a range
        ("M. Dubois vient le lundi à 8h", "non, à 8h30", "M. Dubois vient le lundi à 8h30"),
        ("Le violon est le mercredi à 16h15", "le violon est le jeudi à 17h, plus le mercredi", ""),
        ("Hannah covers in May", "sorry it's Anna not Hannah", "Anna covers in May"),
        ("Ask for Julie Perrin", "it's Perrier, not Perrin", "Ask for Julie Perrier"),
        ("linge: lundi", "nan le linge c'est mercredi a partir de janvier", ""),  # a plan
        ("Day rate: £320", "my day rate is 380 from January", ""),
        ("Natacion los martes 11:00", "la natacion ahora es el viernes", "Natacion los viernes 11:00"),
        ("Natacion los martes 11:00", "acordate de pagar la natacion el viernes", ""),  # a task
        ("Swimming is on Tuesday at 11:00", "remind me to pay for swimming on Friday", ""),
        ("Schwimmen ist am Dienstag um 11", "denk dran, freitag das Schwimmen zu zahlen", ""),
        ("Il nuoto è martedì alle 11:00", "ricordami di pagare il nuoto venerdì", ""),
        ("A natação é na terça às 11:00", "lembra-me de pagar a natação na sexta", ""),
        (
            "Class 5b has 26 pupils.",
            "5b has 27 pupils now, a new girl came on Monday",
            "",
        ),
        (
            "Tour manager: Bram (from 1 December)",
            "Carnet list goes to Bram by 4 December, not 11 December",
            "",
        ),
        pytest.param(
            "Samstag offen 9–16 Uhr.",
            "samstag haben wir jetzt bis 18 uhr auf",
            "Samstag offen 9–18 Uhr.",
            id="the unit as the line has it",
        ),
    ],
)
def test_fitted_line(line: str, said: str, then: str) -> None:
    assert fitted_line(line, said) == then


DAY = date(2026, 3, 19)
GUESTS = ("Gästezahl 85", "Gästezahl ist jetzt 92")
BART = ("Bart levert op dinsdag.", "Bart levert voortaan op donderdag")
ROLLS = ("La concha cuesta $12 y el cuernito $14.", "la concha ahora cuesta 13 pesos, ya no 12")
SPARE_KEY = ("Der Ersatzschlüssel hängt bei Frau Krause.", "Der Ersatzschlüssel hängt bei Herrn Vogel.")
RENT = ("Le loyer est de 720 € par mois.", "le loyer passe à 760 €, pas 720")
DENTIST = ("Il dentista è il 14 gennaio.", "Il dentista è il 21 gennaio.")
AUDITION = ("Audición: 23 de mayo, aula 4", "la audicion no es el 23, es el 30 de mayo")
ROOMS = (
    "Room 7 costs 65 euros, room 9 costs 80 euros.",
    "Room 7 costs 70 euros, room 9 costs 80 euros.",
)
FEES = ("The fee for adults is 50, for kids 40.", "The fee for adults is 50, for kids 30.")
SWIMS = ("Bart swims on Tuesday, Mara on Friday.", "Bart swims on Thursday, Mara on Friday.")
FREEZE = ("The freeze starts Friday at 16:00.", LINE)
KEY = ("The key is with Tom.", "The key is with Ann.")
SATURDAY = ("On Saturdays the shop closes at 14:00.", "On Saturdays the shop closes at 13:00.")
FLAT = ("The rent is 900 euros.", "The rent is 950 euros.")
MIETE = ("Die Miete beträgt 900 Euro.", "Die Miete beträgt jetzt 950 Euro.")
MARA = ("Mara hat am Dienstag Training.", "Mara hat jetzt am Freitag Training.")
MARTA = ("Marta tiene clase el martes.", "Marta tiene clase el viernes.")
CURSO = ("El curso tiene 12 plazas.", "El curso tiene 14 plazas.")
ANNA = ("Anna works at Siemens.", "Anna now works at Bosch.")
SISTERS = ("Anna works at Siemens.", "Anna and her sister now work at Bosch, not Siemens.")
LENA = ("Lena and Anna come on Tuesday at 19:00.", "Lena and Anna come on Friday at 19:00.")
SISTER = ("My sister lives in Porto.", "my sister moved to Lisbon")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (GUESTS, "die Gästezahl bleibt doch bei 85"),
        (GUESTS, "nein, nicht 92, die Gästezahl bleibt 85"),
        (BART, "nee toch niet, Bart blijft gewoon op dinsdag"),
        (BART, "Bart komt gewoon dinsdag"),
        (RENT, "non en fait le loyer reste à 720 €"),
        (DENTIST, "no aspetta, il dentista resta il 14 gennaio"),
        (SISTER, "no, my sister still lives in Porto"),
        (FLAT, "no, the rent is 900 as before"),
        (SATURDAY, "I was wrong about the Saturday, we still close at 14:00."),
        (AUDITION, "no pará, la audicion sigue el 23"),
        (AUDITION, "para, la audicion sigue siendo el 23"),
        (AUDITION, "esperá, aguantá che, la audición sigue el 23 de mayo"),
        (FLAT, "the rent stays at 900 euros"),
        (FLAT, "the rent is 900 euros, not 950"),
        (MIETE, "nein, die Miete bleibt bei 900 Euro"),
        (CURSO, "el curso se queda en 12 plazas"),
        (CURSO, "perdon el curso si es de 12 plazas"),
        (ANNA, "Anna still works at Siemens"),
        (LENA, "no, still Tuesday"),
        (FLAT, "wait no, 900 euros was right"),
        (MIETE, "nein, 900 Euro war richtig"),
        (FREEZE, "no wait, Friday was right, just called them"),
        (FREEZE, "Actually it is Friday, as before"),
        (FREEZE, "sorry, I was wrong, Friday is right"),
        (FREEZE, "Friday was right"),
        (FREEZE, "Scratch that, the freeze starts Friday."),
        (FREEZE, "The freeze starts Friday at 16:00."),
        (FLAT, "sorry, it was 900 after all"),
        (FLAT, "oops, it was 900"),
        (MIETE, "ach nein, es waren doch 900"),
        (MIETE, "Sorry, 900 stimmt doch."),
        (MARTA, "perdona, sí que era el martes"),
        (MARTA, "disculpa, al final era el martes"),
        (RENT, "pardon, c'était 720 finalement"),
        (SPARE_KEY, "Doch wieder Frau Krause für den Schlüssel"),
    ],
)
def test_a_message_states_what_a_line_said_before(texts: tuple[str, str], said: str) -> None:
    assert restores(said, *texts, DAY)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (GUESTS, "die Stuhlzahl bleibt bei 85"),
        (GUESTS, "die Gästezahl bleibt bei 92"),
        (GUESTS, "bleibt die Gästezahl bei 85?"),
        (GUESTS, "Mama meint, die Gästezahl bleibt bei 85"),
        (GUESTS, "von den 92 Gästen haben 85 zugesagt"),
        (GUESTS, "die Gästezahl ist nicht mehr 85"),
        (BART, "deze week komt Bart op dinsdag"),
        (BART, "Bart levert dinsdag en donderdag"),
        (BART, "Bart levert ook op dinsdag"),
        (BART, "before Tuesday"),
        (ROLLS, "el cuernito sigue en 14"),
        (ROLLS, "no espera, sigue en 12"),
        (SWIMS, "no, Bart swims on Tuesday"),
        (ROLLS, "vendimos 12 conchas"),
        (RENT, "j'aimerais que le loyer reste à 720 €"),
        (RENT, "le loyer du garage reste à 720 €"),
        (SISTER, "my sister flies to Porto"),
        (AUDITION, "la audicion sigue el 30"),
        (AUDITION, "para la audicion somos 23"),
        (SISTER, "my sister"),
        (SISTER, "my sister still lived in Porto"),
        (ROOMS, "Room 9 costs 65 euros."),
        (SWIMS, "never mind, Mara still swims on Tuesday"),
        (FLAT, "never mind the garage, the rent is still 900 euros"),
        (ROOMS, "no, room 9 costs 65 euros"),
        (ROOMS, "Room 8 costs 65 euros."),
        (FEES, "The fee for adults is 40."),
        (FEES, "No, the fee for adults is 40."),
        (SWIMS, "no, Mara swims on Tuesday"),
        (SWIMS, "Bart comes back on Tuesday."),
        (SWIMS, "Bart comes on Tuesday."),
        (FLAT, "The rent was 900 euros."),
        (SWIMS, "no, before Tuesday"),
        (FLAT, "sorry, the rent was 900 euros"),
        (FLAT, "no, 950 euros was right"),
        (FLAT, "it was 900"),
        (FLAT, "sorry, it was 900 last year"),
        (FLAT, "sorry, the phone was 900 after all"),
        (FLAT, "sorry, we had 900 after all"),
        (FLAT, "sorry, 900 people came"),
        (MIETE, "Sorry, 900 stimmt so nicht."),
        (MARTA, "perdona, el vuelo era el martes"),
        (FLAT, "The rent only comes to 900 euros."),
        (FLAT, "I keep 900 euros back."),
        (FLAT, "The garage rent is still 900 euros."),
        (FLAT, "Ed's rent stays at 900 euros"),
        (FLAT, "900 euros of the rent are still open"),
        (MIETE, "Der Rest von 900 Euro kommt."),
        (MIETE, "Nein, der Rest von 900 Euro kommt."),
        (MARA, "Mara kommt am Dienstag zurück."),
        (MARA, "Mara kommt doch am Dienstag zurück."),
        (MARTA, "Marta viene el martes."),
        (CURSO, "todavía quedan 12 plazas en el curso"),
        (CURSO, "hay todavía 12 plazas en el curso"),
        (CURSO, "perdon, si el curso es de 12 plazas"),
        (CURSO, "perdon, avisame si es de 12 plazas"),
        (ANNA, "Siemens keeps Anna."),
        (ANNA, "Anna's sister still works at Siemens."),
        (SISTERS, "Anna's sister works at Siemens."),
        (LENA, "Lena comes on Tuesday at 19:00."),
        (FREEZE, "no, Friday I fly to Rome"),
        (FREEZE, "no, remind me on Friday"),
        (FREEZE, "no, Friday?"),
        (FREEZE, "no Friday"),
        (FREEZE, "no, Friday, and the dentist is on Monday"),
        (FREEZE, "wrong, Tom starts Friday"),
        (FREEZE, "Friday"),
        (FREEZE, "no, Friday, the dentist called"),
        (KEY, "oh no, Tom!"),
    ],
)
def test_a_message_may_have_a_former_value_and_say_something_else(texts: tuple[str, str], said: str) -> None:
    """Mutants: any message with the value; any word may be beside it; light verbs are all one (`paid 585 for the flour`); the value is enough, whichever part has it; no sign is asked for."""
    assert not restores(said, *texts, DAY)


def test_words_that_only_deny_are_no_exchange() -> None:
    """Seen: the correction that they took back was taken for one of them."""
    denial = "Scratch that, it is not train-7 either."

    assert not restores("The CI runner is train-8, not train-7.", "The CI runner is train-8.", denial, DAY)
