"""How likely an answer holds what was asked for.

Mutants seen to fail here: the coverage of the best line alone, no lead over the others, a list of three taken for a rest of
twenty, whole questions read as look-ups, the length of lines and what no line holds left out, short questions in Chinese judged by coverage alone.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clawgit.recall.index.line_units import traits_of
from clawgit.recall.index.places import Corpus, IndexedLine
from clawgit.recall.questions.read_question import read_question
from clawgit.recall.ranking.ranking import rank
from clawgit.recall.ranking.results import probability
from clawgit.recall.search_results import HIGH, LOW, MEDIUM, in_words
from clawgit.text.words.terms import index_terms

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
QUESTION = "Which dentist did Clara recommend for the crown?"
ANSWER = "Clara recommends the dentist Dr. Sato for the crown."
BESIDE = "The dentist is closed."
OTHERS = [f"Note {n} on the kayak and the lake." for n in range(40)]


def sure(question: str, texts: list[str], mean_length: float = 8.0) -> float:
    lines = [IndexedLine(n, n, 0, index_terms(text), traits_of(text)) for n, text in enumerate(texts)]
    read = read_question(question, NOW)
    held = [set(line.terms.split()) for line in lines]
    seen = {word: n for word in read.words if (n := sum(word in terms for terms in held))}
    corpus = Corpus(400, mean_length, seen)
    return probability(rank(read, lines, corpus), read, corpus)


def test_a_line_that_answers_and_stands_out_is_sure() -> None:
    assert in_words(sure(QUESTION, [*OTHERS, ANSWER])) == HIGH


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(OTHERS, id="nothing holds a word of it"),
        pytest.param([*OTHERS, *[BESIDE] * 30], id="many lines hold one word of it"),
    ],
)
def test_what_only_resembles_the_question_is_no_answer(texts: list[str]) -> None:
    assert in_words(sure(QUESTION, texts)) == LOW


def test_a_lead_counts_for_more_than_words() -> None:
    """The same line is less sure where twenty others hold as much."""
    beside = "Clara recommends a dentist."

    assert sure(QUESTION, [*OTHERS, beside]) > sure(QUESTION, [*OTHERS, *[beside] * 30]) + 0.2


def test_many_lines_may_answer_alike() -> None:
    assert in_words(sure(QUESTION, [ANSWER] * 40)) == MEDIUM


def test_a_word_is_looked_up_and_not_answered() -> None:
    assert in_words(sure("dentist", [BESIDE] * 40)) == HIGH
    assert in_words(sure("dentist opera", [BESIDE] * 40)) != HIGH


def test_where_lines_are_long_the_same_words_say_less() -> None:
    assert sure(QUESTION, [*OTHERS, BESIDE], mean_length=60.0) < sure(QUESTION, [*OTHERS, BESIDE]) - 0.1


def test_words_that_no_line_holds_make_it_less_sure() -> None:
    words = ["We recommend it.", "Clara sleeps.", "A crown of gold."]

    assert sure(QUESTION, [*OTHERS, BESIDE, *words]) > sure(QUESTION, [*OTHERS, BESIDE]) + 0.15


def test_a_short_question_in_chinese_is_no_look_up() -> None:
    """Three words in six characters: by coverage alone a line that holds one of them was a guess."""
    lines = ["冬天靠火道取暖。", "房间很大。", "加热很慢。"]

    assert in_words(sure("房间在冬天怎么加热？", [*OTHERS, *lines])) != LOW
