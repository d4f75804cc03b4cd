"""A question finds its words in the endings of its language, and in German compounds.

Mutants seen to fail here: English endings for every language, no compounds, parts without the s between them,
no Arabic word behind its article, prefixes of the question's word kept, Arabic of no language.
"""

from __future__ import annotations

import pytest

from clawgit.recall.search import Query, search

DAY = "memory/2026-03-18.md"
GERMAN = ("Das Haus steht am Ufer und hat einen Garten.", "Die Rechnung kam mit der Post und blieb liegen.")


@pytest.mark.parametrize(
    ("line", "question"),
    [
        pytest.param("Die alten Häuser wurden verkauft.", "Wann wurde das Haus verkauft?", id="de plural"),
        pytest.param("Er hat die Kette geölt.", "Wer hat die Fahrradkette gepflegt?", id="de whole to part"),
        pytest.param("Die Fahrradkette ist neu.", "Was ist mit der Kette?", id="de part to whole"),
        pytest.param("Die Frist der Kündigung endet im Mai.", "Wie lang ist die Kündigungsfrist?", id="de s"),
        pytest.param("Compró dos bicicletas usadas.", "¿Dónde está la bicicleta?", id="es plural"),
        pytest.param("Les chevaux mangent le foin.", "Que font les chevaux qui mangeaient ?", id="fr verb"),
        pytest.param("Бабушка любит яблоки и чай.", "Кто ел яблоко?", id="ru plural"),
        pytest.param("Η γιαγιά πήρε τα βιβλία και έφυγε.", "Πού είναι το βιβλίο;", id="el plural"),
        pytest.param("وجدنا بالمفتاح خدوشا كثيرة.", "اين مفتاح؟", id="ar in the key"),
        pytest.param("ذهب أخي والمحاسب إلى السوق.", "من محاسب؟", id="ar and the accountant"),
        pytest.param("مفتاح المخزن أزرق.", "ما لون الحلقة للمفتاح؟", id="ar for the key"),
        pytest.param("وصلت المدرّسة مبكرة.", "متى جاءت مدرسة؟", id="ar vowel signs"),
        pytest.param("Bisikletler ve kitaplar satıldı.", "Bisiklet kaça gitti?", id="tr plural"),
    ],
)
def test_a_word_is_found_in_another_form(room, line: str, question: str) -> None:
    texts = ("A note about the boiler.", *GERMAN, line)
    notes = "".join(f"## {at}\n\n- {text}\n\n" for at, text in enumerate(texts))
    room.write(DAY, notes)

    found = search(room.history, Query(question, min_score=0.2), room.now)

    assert line in found.results[0].snippet


def test_what_is_left_of_a_foreign_word_is_no_part_of_a_compound(room) -> None:
    """Seen: `staging` found `dienstags`, which has its stem."""
    room.write(DAY, "- Die Werkstatt ist dienstags zu und freitags auf.\n- Das Krafttraining ist am Abend.\n")

    assert search(room.history, Query("staging"), room.now).results == ()
    assert search(room.history, Query("training"), room.now).results


def test_a_word_that_no_line_holds_any_more_finds_nothing(room) -> None:
    room.write(DAY, "- Die Fahrradkette ist neu und der Rest ist alt.\n")
    wanted = Query("Was ist mit der Kette?")
    assert search(room.history, wanted, room.now).results

    room.write(DAY, "- Der Regen ist kalt und der Wind ist stark.\n")

    assert not search(room.history, wanted, room.now).results


TONES = ["Má nấu phở mỗi chủ nhật.", "Mạ vàng cho chiếc nhẫn.", "Mã số thuế của công ty."]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        pytest.param("mã ở đâu?", TONES[2], id="with its marks"),
        pytest.param("mạ ở đâu?", TONES[1], id="another mark, another word"),
        pytest.param("nau pho chu nhat", TONES[0], id="typed without marks"),
    ],
)
def test_marks_tell_vietnamese_words_apart(room, question: str, first: str) -> None:
    room.write(DAY, "".join(f"## {at}\n\n- {text}\n\n" for at, text in enumerate(TONES)))

    found = search(room.history, Query(question), room.now)

    assert first in found.results[0].snippet


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("El seguro del coche vence el 14 de mayo.", "when does the car insurance end?"),
        ("Der Tresor im Büro hat die Nummer 4711.", "what is the number of the safe"),
        ("Die Autoversicherung läuft bei der Adler und kostet 40 Euro.", "assurance de la voiture"),
        ("Mi madre vive en Cádiz con mi tía.", "Which town does my mother live in?"),
        ("The dentist said to wear the night guard.", "Was hat der Zahnarzt gesagt?"),
        ("Il contratto d'affitto scade a giugno.", "Wann endet der Mietvertrag?"),
    ],
)
def test_everyday_words_of_one_language_find_those_of_another(room, line: str, question: str) -> None:
    """Mutants: nothing is found; a word of every day is taken for a slip of the pen (`plumber` for plum)."""
    room.write("MEMORY.md", "- Tomasz painted it plum.\n- The kiln is grey.\n")
    room.write("notes/paper.md", f"{line}\n")

    found = search(room.history, Query(question), room.now)

    assert (found.results[0].snippet, found.notes) == (line, ("Also searched in other languages.",))
    assert not search(room.history, Query("who is our plumber"), room.now).results


def test_where_a_question_is_answered_in_its_own_language_no_other_is_searched(room) -> None:
    """Mutant: `gift` finds the German poison beside the present that answers."""
    room.write(
        "MEMORY.md", "- The gift for Nora is a kite.\n- Das Geschenk für Nora und Emil liegt im Keller.\n"
    )

    found = search(room.history, Query("what is the gift for Nora"), room.now)

    assert (found.notes, "kite" in found.results[0].snippet) == ((), True)


def test_a_file_beside_memory_that_answers_does_not_keep_memory_in_another_language_silent(room) -> None:
    """Seen: an expired price list in the asker's language was the only answer."""
    room.write("MEMORY.md", "- The rent is 890 € a month.\n- The kiln is grey.\n")
    room.write("old/2024.md", "# 2024\n\nLe loyer : 870 €.\n")

    found = search(room.history, Query("quel est le loyer ?"), room.now)

    assert {each.path for each in found.results} >= {"MEMORY.md", "old/2024.md"}
    room.write("MEMORY.md", "- Le loyer est de 890 €.\n- Das Lager kostet Miete.\n")
    assert search(room.history, Query("quel est le loyer ?"), room.now).notes == ()


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("Der Tresor im Büro hat die Nummer 4711.", "nummer van de kluis in het kantoor"),
        ("Der Tresor im Büro hat die Nummer 4711.", "Wat is het nummer van de kluis?"),
        ("Der Mietvertrag läuft am 30. Juni 2028 aus.", "tot wanneer loopt het huurcontract?"),
        ("Bake recipe 4 for 24 minutes.", "hoe lang moet recept 4 in de oven"),
    ],
)
def test_what_only_asks_in_a_language_without_a_list_is_no_name(room, line: str, question: str) -> None:
    """Mutants: every word of such a language tells as much as another; `het` does not show Dutch; an English `van` is a word of every day."""
    room.write(
        "MEMORY.md", "- Mevrouw De Smet wants tulips on 4 December.\n- Our supplier is Van den Berghe.\n"
    )
    room.write("notes/paper.md", f"{line}\n")

    found = search(room.history, Query(question), room.now)

    assert (found.results[0].snippet, found.notes) == (line, ("Also searched in other languages.",))
    assert not any(
        "De Smet" in each.snippet for each in found.results if each.score > found.results[0].score / 2
    )


def test_short_words_of_a_language_with_a_list_tell_as_much_as_long_ones(room) -> None:
    """Mutant: one word of another language makes an English question one of that."""
    room.write("MEMORY.md", "- The rug of the arts room is blue.\n- The arts room has a long blue table.\n")

    found = search(room.history, Query("where is the rug of the arts room"), room.now)

    assert "rug" in found.results[0].snippet
    assert found.results[0].score > 0.9


def test_two_words_of_a_question_are_one_in_memory(room) -> None:
    """Mutant: only words as they are typed."""
    room.write("memory/notes.md", "- make rollback SVC=checkout\n- Jonas fell on his back.\n")

    (first, *_) = search(room.history, Query("how do I roll back"), room.now).results

    assert "rollback" in first.snippet


@pytest.mark.parametrize("line", ["Adresse: Deichstrasse 8.", "Die Belege reichen nicht."])
def test_letters_in_the_middle_of_a_word_are_no_part_of_a_compound(room, line: str) -> None:
    """Seen: the oak's price brought a street at the dyke. Mutant: any word with the letters is a compound."""
    room.change({"MEMORY.md": "- Der Tisch ist aus Räuchereiche.\n", "notes/a.md": f"{line}\n"})

    texts = [hit.snippet for hit in search(room.history, Query("wie teuer ist die Eiche"), room.now).results]

    assert "Räuchereiche" in texts[0]
    assert line not in "\n".join(texts)


@pytest.mark.parametrize(
    ("question", "denial"),
    [
        ("waar mag femke niet tegen?", "niet verkopen"),
        ("cosa non mangia Femke?", "non vendere"),
        ("vad äter Femke inte?", "inte till salu"),
        ("was darf Femke nicht?", "nicht zu verkaufen"),
    ],
    ids=["nl", "it", "sv", "de"],
)
def test_a_small_word_of_denial_answers_no_question(room, question: str, denial: str) -> None:
    """Seen: the bicycles that are "niet verkopen", as the only hit beside a question about an allergy."""
    room.write(DAY, f"- Femke is allergic to nuts.\n\n## Bikes\n\n- Fongers: {denial}\n")

    found = search(room.history, Query(question), room.now).results

    assert not any("Fongers" in each.snippet.split("\n")[each.best_at] for each in found)
