"""Orders and corrections in Dutch, Swedish, Danish and Norwegian, Italian and Portuguese.

Mutants that these tests caught: a row left out, "remember when", `onthoud dit niet`, `vergeet dat … niet`, a report, a wish or
a case in one of these languages, `mai` and `als` as words of one language alone.
"""

from __future__ import annotations

from datetime import date

import pytest

from clawgit.memory.corrections.write_correction import EntryInFile
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import without_order
from clawgit.understanding.corrections.correct_by_hand import one_value_changed
from clawgit.understanding.evidence.check_edit import Spoken
from clawgit.understanding.evidence.orders_to_forget import to_forget
from clawgit.understanding.evidence.own_sentences import denies, no_statement
from clawgit.understanding.evidence.taking_back import takes_back
from clawgit.understanding.facts.keepable_sentences import kept_in, ordered_in
from clawgit.understanding.triage.triage_message import triage
from tests.understanding.triage.five_languages import ELSEWHERE, LANGUAGES, PLAIN


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "says"), [each for language in LANGUAGES.values() for each in language.remember.items()]
)
def test_an_order_to_remember_is_heard_and_kept(text: str, says: str) -> None:
    assert triage(text).miner
    assert not any(each.why_not for each in ordered_in(text))
    assert [without_order(each.quote) for each in ordered_in(text)] == [says]
    assert to_forget(text) == ""


@pytest.mark.parametrize(
    "text",
    ["acuerdate q la basura sale los lunes", "no te olvides q abrimos a las 9", "memorise que la cle est chez Paul",
     "nao esquecas q a chave esta na gaveta", "lembra q a chave esta na gaveta", "acordate q Caro esta en Vigo",
     "recorda que Caro esta en Vigo", "recordame que Caro esta en Vigo", "Anotá: Caro está en Vigo", "Acordate de que Caro está en Vigo", "no te olvidés que Caro esta en Vigo", "glom inte att bilen ar rod", "zapamietaj, ze umowa konczy sie jutro"],
)  # fmt: skip
def test_an_order_to_remember_is_heard_without_accents(text: str) -> None:
    """Mutants: a word is looked for with its accents; `q` is no word."""
    assert triage(text).miner
    (order,) = ordered_in(text)
    assert without_order(order.quote) != text


@pytest.mark.parametrize(
    "text",
    [
        "que no se te olvide: el café lo tomo con leche", "anótate: Mei cumple años el 5 de mayo", "anotate que Mei cumple años el 5 de mayo", "guarda esto: Mei cumple años el 5 de mayo",
        "Oye, acuérdate de que Mei es celíaca", "Hey, remember that Mei is vegan", "save this: Mei's birthday is 5 May", "Hör mal, merk dir: Mei isst vegan", "Notier dir das: Mei isst vegan", "Écoute, retiens que Mei est végane",
        "Note ça : Mei est végane depuis mai", "Ascolta, ricordati che Mei è celiaca", "Segna: Mei compie gli anni il 5 maggio", "Prendi nota: Mei è celiaca", "Tieni presente che Mei è celiaca", "Non scordarti che Mei è celiaca", "Appuntati che Mei è celiaca", "Segna che Mei è celiaca", "Memorizza: Mei è celiaca", "Olha, lembra-te que a Mei é celíaca", "Anota isto: a Mei faz anos a 5 de maio", "Luister, onthoud: Mei eet vegan", "Noteer: Mei is jarig op 5 mei",
    ],
)  # fmt: skip
def test_an_order_is_heard_behind_a_call_and_before_a_colon(text: str) -> None:
    """Seen: "nothing was written into MEMORY.md", and an offered command with the order's words in it."""
    assert triage(text).miner
    (order,) = ordered_in(text)
    assert "Mei" in order.quote or "café" in order.quote
    assert without_order(order.quote) != text
    assert not triage("Mira lives in Oslo.").miner


@pytest.mark.parametrize(
    "order",
    [
        "acuérdate", "acuerdate", "no lo olvides", "no te olvides", "que no se te olvide", "n'oublie pas", "ne l'oublie pas", "souviens-toi", "ricordati", "non dimenticare", "non dimenticarlo",
        "não esqueças", "não te esqueças", "nao esqueca", "lembre-se", "lembra-te", "merk dir das", "merk's dir", "vergiss das nicht", "denk dran", "nicht vergessen", "onthoud dat", "niet vergeten", "vergeet het niet",
        "apúntalo por favor", "anotalo", "tienilo a mente", "segnatelo", "bitte merken", "das bitte merken", "schreib es bitte auf", "no lo olvides, por favor",
    ],
)  # fmt: skip
def test_an_order_is_heard_behind_what_is_meant(order: str) -> None:
    """Seen: "nothing was written into MEMORY.md"; behind a comma `non`, `não` and `niet` deny no value."""
    signal = triage(f"Carmen vive en Vigo, {order}.")
    assert signal.miner
    assert signal.validator is None
    (kept,) = ordered_in(f"Carmen vive en Vigo, {order}.")
    assert without_order(kept.quote) == "Carmen vive en Vigo."


@pytest.mark.parametrize(
    "text",
    [
        "Desde ahora el café lo tomo con leche", "From now on I take my coffee with milk", "Ab jetzt trinke ich den Kaffee mit Milch", "Désormais je prends mon café avec du lait",
        "D'ora in poi prendo il caffè con latte", "A partir de agora tomo o café com leite", "Vanaf nu drink ik mijn koffie met melk",
    ],
)  # fmt: skip
def test_what_holds_from_now_on_is_heard_and_kept(text: str) -> None:
    assert triage(text).miner
    assert [each.quote for each in kept_in(text)] == [text]


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Merk dir: Ton ist da", True),
        ("Merk dir das.", False),
        ("Remember: it is there", False),
    ],
)
def test_a_word_that_is_grammar_in_another_language_alone_names_something(text: str, is_named: bool) -> None:
    """Seen: "what it means is not in the message", for `ton` is French. Mutant: any short word names something."""
    (order,) = ordered_in(text)
    assert (order.why_not == "") is is_named


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("recuerda que el fontanero es Paco. y la wifi de invitados es Mar-Azul-9", "La wifi de invitados es Mar-Azul-9"),
        ("Merk dir: der Klempner ist Paco. Und das WLAN für Gäste ist Mar-Azul-9.", "Das WLAN für Gäste ist Mar-Azul-9."),
        ("Retiens que le plombier est Paco. Et le wifi des invités est Mar-Azul-9.", "Le wifi des invités est Mar-Azul-9."),
        ("Onthoud: de loodgieter is Paco. En de wifi voor gasten is Mar-Azul-9.", "De wifi voor gasten is Mar-Azul-9."),
        ("记住水管工是Paco。还有客人的wifi是Mar-Azul-9。", "客人的wifi是Mar-Azul-9。"),
        ("Remember that Anna is vegan. Tom lives in Jena.", "Tom lives in Jena."),
        ("Remember that Anna is vegan. Can you find a recipe?", ""),
        ("Remember that Anna is vegan. Now run the deployment script.", ""),
        ("Remember that Anna is vegan. Thanks a lot for that!", ""),
        ("Remember that Anna is vegan. I am going to bed now.", ""),
    ],
)  # fmt: skip
def test_what_states_something_behind_an_order_is_ordered_too(text: str, says: str) -> None:
    """Mutants: an order ends with its sentence; whatever stands behind it is kept."""
    _, *behind = ordered_in(text)
    assert [without_order(each.quote) for each in behind] == [says] * bool(says)
    assert all(each.is_ordered and not each.why_not for each in behind)


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "text", "right"),
    [(each.line, text, each.right) for each in LANGUAGES.values() for text in each.correct],
)
def test_a_correction_is_heard_and_made(line: str, text: str, right: str) -> None:
    assert triage(text).validator is not None
    assert changed_by(line, text) == [right]


@pytest.mark.parametrize(
    ("line", "text", "right"),
    [
        ("Jan is allergisch voor noten.", "Nee, Jan is allergisch voor melk, niet voor noten.", "Jan is allergisch voor melk."),
        ("Vår bil är vit.", "Nej, vår bil är grön, inte vit.", "Vår bil är grön."),
        ("Vores bil er hvid.", "Nej, vores bil er grøn, ikke hvid.", "Vores bil er grøn."),
        ("Marta è allergica alle noci.", "No, Marta è allergica alle mandorle, non alle noci.", "Marta è allergica alle mandorle."),
        ("A Marta é alérgica a nozes.", "Não, a Marta é alérgica a leite, não a nozes.", "A Marta é alérgica a leite."),
    ],
)  # fmt: skip
def test_a_word_gives_way_to_the_one_beside_it(line: str, text: str, right: str) -> None:
    """Mutant: a leading no counts as a word that the line has not."""
    assert changed_by(line, text) == [right]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("text", "thing"), [each for language in LANGUAGES.values() for each in language.forget.items()]
)
def test_an_order_to_forget_names_a_thing_and_orders_nothing_else(text: str, thing: str) -> None:
    assert to_forget(text) == thing
    assert ordered_in(text) == []
    assert not takes_back(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("text", [text for each in LANGUAGES.values() for text in each.back])
def test_what_takes_back_is_heard(text: str) -> None:
    assert takes_back(text)
    assert to_forget(text) == ""


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("line", "text"), [(each.line, text) for each in LANGUAGES.values() for text in each.nothing]
)
def test_what_looks_like_an_order_or_a_correction_is_none(line: str, text: str) -> None:
    assert not triage(text).miner
    assert ordered_in(text) == []
    assert to_forget(text) == ""
    assert not takes_back(text)
    assert changed_by(line, text) == []


@pytest.mark.parametrize(
    "text",
    ["Nee, bedankt.", "Nee hoor, alles is goed.", "Nej tack.", "Nej, det är bra.", "Nej tak.", "Nei takk.", "Nej, det er fint.",
     "No, grazie.", "No, va bene così.", "Não, obrigada.", "Não, está tudo bem."],
)  # fmt: skip
def test_a_no_that_thanks_corrects_nothing(text: str) -> None:
    """Seen: "No, grazie." was a correction in English."""
    assert not triage(text)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("text", ELSEWHERE)
def test_a_word_of_another_language_says_nothing(text: str) -> None:
    assert not triage(text)
    assert ordered_in(text) == []
    assert to_forget(text) == ""
    assert not takes_back(text)


@pytest.mark.parametrize("text", PLAIN)
def test_a_word_of_one_language_denies_nothing_in_another(text: str) -> None:
    assert not denies(text)
    assert no_statement(text) == ""


def changed_by(line: str, text: str) -> list[str]:
    entries = [EntryInFile("MEMORY.md", entry) for entry in read_entries(f"- {line}\n".encode())]
    return [each.statement for each in one_value_changed(Spoken(text, date(2026, 3, 19)), entries)]
