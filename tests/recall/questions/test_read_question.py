"""What a question asks for, in the words of the index.

Mutants seen to fail here: no stop words of one language, stop words of every language at once, particles kept in a
Han run, relative days kept as words, "when" asked in English alone.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_folder import TESTS

from clawgit.recall.questions.read_question import MOST_TERMS, read_question
from clawgit.text.words.terms import index_terms, terms_of

if TYPE_CHECKING:
    from clawgit.recall.questions.question import Question

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
VECTORS = json.loads((TESTS / "vectors" / "query_expansion.json").read_text("utf-8"))


def read(text: str) -> Question:
    return read_question(text, NOW)


def keywords(text: str) -> set[str]:
    question = read(text)
    return {word for term in question.terms for word in (term.shown.lower(), *term.words)}


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["id"])
def test_keywords_of_the_vectors(case: dict[str, Any]) -> None:
    found = keywords(case["query"])

    assert [w for w in case["must_include"] if w not in found and not set(terms_of(w)) <= found] == []
    assert [word for word in case["must_exclude"] if word in found] == []


@pytest.mark.parametrize("case", VECTORS["expand_cases"], ids=lambda case: case["query"])
def test_what_is_asked_of_the_index_of_the_vectors(case: dict[str, Any]) -> None:
    wanted = case.get("keywords_include") or [
        word for word in case.get("expanded_contains", []) if word != "OR"
    ]

    found = keywords(case["query"])

    assert [word for word in wanted if not {word, *terms_of(word)} & found] == []
    assert found or not wanted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("When did Ada paint the sunrise?", "ada paint sunris", id="English"),
        pytest.param(
            "Was haben wir letzte Woche über die Datenbank entschieden?", "datenbank entschieden", id="German"
        ),
        pytest.param("An welchem Tag ist der Bericht fällig?", "tag bericht fallig", id="German dative"),
        pytest.param("the die is cast", "die cast", id="English words that German stops at"),
        pytest.param("Dan's car", "dan car", id="whose it is, and a French word"),
        pytest.param("Which colour is Dan’s car?", "colour dan car", id="the same as phones write it"),
        pytest.param("Les's port", "les port", id="whose it is, and an English word"),
        pytest.param("who's there, and what's its port", "port", id="what is no name"),
        pytest.param("Ali favourite tea", "ali favourit tea", id="a name, or a Spanish word"),
        pytest.param("Wo ist die Miete", "miet", id="no name among others of its language"),
        pytest.param("the IT budget of the US office", "it budget us offic", id="abbreviations"),
        pytest.param("WHAT IS THE PORT", "port", id="shouted"),
        pytest.param("AI 정책", "ai 정책", id="capitals beside Korean"),
        pytest.param("IT政策", "it 政策", id="capitals beside Chinese"),
        pytest.param("IT", "it", id="an abbreviation alone"),
        pytest.param("what happened last week", "happen", id="relative days go"),
        pytest.param("上周我们和客户开会说了什么", "客户 户开 开会", id="Chinese"),
        pytest.param("我的目的", "目的", id="a word that holds a particle"),
        pytest.param("회의실 비밀번호가 뭐였지?", "회의 의실 비밀 밀번 번호", id="Korean"),
        pytest.param("指輪について教えて", "指輪", id="Japanese"),
        pytest.param("où est la base de données", "base donne", id="French"),
        pytest.param(
            "c'est quoi les horaires du lundi", "horair lundi", id="French, one word cut short before another"
        ),
        pytest.param("où est-ce qu’il a mis l’échelle", "estc mis echell", id="French as phones write it"),
        pytest.param("onde está o contrato", "contrato", id="Portuguese"),
        pytest.param("متى وصلت السفينة إلى الميناء؟", "وصلت السفينة الميناء", id="Arabic"),
        pytest.param("the of and", "", id="nothing to ask for"),
    ],
)
def test_words_to_look_for(text: str, words: str) -> None:
    assert [term.words[0] for term in read(text).terms] == words.split()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Wie hoch ist das Monatsbudget von Turm?", ["Monatsbudget", "Turm"]),
        ("What is the monthly budget of Falcon?", ["Falcon"]),
        ("Falcon budget", []),
        ("THE FALCON BUDGET", []),
    ],
    ids=["German", "English", "the first word", "shouted"],
)
def test_what_a_question_names_weighs_more(text: str, names: list[str]) -> None:
    assert [term.shown for term in read(text).terms if term.weight > 1] == names


def test_the_same_question_on_another_day_is_about_other_days() -> None:
    """Mutant: what was read of a text is remembered by the text alone."""
    today, next_day = (read_question("What happened yesterday?", NOW + timedelta(days)) for days in (0, 1))

    assert [each.days and each.days.first.day for each in (today, next_day)] == [18, 19]


def test_other_forms_of_a_word_are_looked_for_as_well() -> None:
    assert "config" in read("the configuration").words
    assert "configur" in read("the config").words


def test_a_written_date_is_a_light_word_and_its_day() -> None:
    question = read("what happened on 2026-03-01")
    assert question.days is not None
    assert [(term.dated, term.weight < 0.5) for term in question.terms if "2026" in term.shown] == [
        (True, True)
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("opening hours on Saturday", "saturday"),
        ("horário de sábado", "sabado"),
        ("Freitag geöffnet?", "freitag"),
    ],
)
def test_a_weekday_is_a_word_of_the_question_and_a_day(text: str, word: str) -> None:
    """Mutants: it counts as little as a date; with its mark it is no word."""
    question = read(text)
    assert question.days is not None
    assert [(term.words[0], term.weight, term.dated) for term in question.terms if word in term.words] == [
        (word, 0.7, True)
    ]
    assert word in question.telling


def test_last_saturday_is_a_day_and_a_light_word() -> None:
    assert [(term.dated, term.weight < 0.5) for term in read("last Saturday").terms] == [(True, True)]


@pytest.mark.parametrize(
    "text",
    ["When did it start?", "how long have they known each other", "on which day was it", "什么时候发布的", "언제 시작했지",
     "いつ始まった", "Wann war das?", "quand est-ce que", "cuándo fue", "quando foi", "what year was the trip"],
)  # fmt: skip
def test_a_question_for_a_time(text: str) -> None:
    assert read(text).asks_when


@pytest.mark.parametrize("text", ["who was there when it started", "what did she say", "谁来了", "누가 왔지"])
def test_no_question_for_a_time(text: str) -> None:
    assert not read(text).asks_when


def test_words_that_follow_one_another_are_phrases() -> None:
    assert ("support", "group") in read("the LGBTQ support group").phrases


def test_of_a_long_message_the_first_words_are_asked_for() -> None:
    assert len(read(" ".join(f"word{n}" for n in range(1000))).terms) == MOST_TERMS


@pytest.mark.parametrize(
    "greeting",
    ["Good morning! ", "Good morning, Quill! ", "Hi there, ", "Thanks! Hello, ", "Guten Morgen! ", "Buongiorno! ", "Buenos días, ",
     "Bonjour Léo, ", "Dzień dobry. ", "Добрый день! ", "早上好，", "안녕하세요! "],
)  # fmt: skip
def test_a_greeting_before_a_question_is_not_looked_for(greeting: str) -> None:
    """Mutants: no greeting is known; a name behind it is looked for; what stands behind is gone, too."""
    asked = "who fired the kiln on 22 November?"
    assert read(greeting + asked).terms == read(asked).terms
    assert read(greeting + asked).days == read(asked).days
    assert read(greeting + "when was it?").asks_when


@pytest.mark.parametrize(
    "text", ["Good morning", "Thanks!", "good morning bread recipe", "hello world program: where is it"]
)
def test_a_greeting_that_is_all_or_part_of_what_is_asked_for_stays(text: str) -> None:
    """Mutants: a greeting alone leaves nothing; one without a stop behind it goes."""
    assert index_terms(text).split()[0] in read(text).words


@given(st.text())
def test_no_text_makes_it_fail_and_the_text_itself_holds_what_it_asks_for(text: str) -> None:
    question = read(text)
    held = set(index_terms(text).split())
    assert all(term.words and all(term.words) for term in question.terms)
    assert all(term.words[0] in held for term in question.terms if not term.gram)
