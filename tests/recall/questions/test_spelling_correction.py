"""Words that no unit holds meet the nearest that one does.

Mutants seen to fail here: no bound on the likeness, common words corrected, words that are known corrected, the
first letter never let go, stems compared instead of words, no families.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.recall.questions.question import SpellingChange, corrected
from clawgit.recall.questions.read_question import read_question
from clawgit.text.words.terms import index_terms

NOW = datetime(2026, 3, 19, tzinfo=UTC)
NOTES = """
support supports supporting group adoption camped coche European database passport quarterly report boiler pottery posit neat cache wear
회의실 비밀번호 집주인 워크숍 数据库 年会
"""
INDEX = dict.fromkeys(index_terms(NOTES).split(), 2) | {"the": 9, "statu": 1}


def ask(text: str) -> tuple[set[str], tuple[SpellingChange, ...]]:
    def beginning(start: str) -> list[tuple[str, int]]:
        return [(word, units) for word, units in INDEX.items() if word.startswith(start)]

    question, corrections = corrected(read_question(text, NOW), INDEX, beginning)
    return set(question.words), corrections


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("suport", "support", id="left out"),
        pytest.param("suppport", "support", id="doubled"),
        pytest.param("supprot", "support", id="swapped"),
        pytest.param("sapport", "support", id="another letter"),
        pytest.param("psasport", "passport", id="at the start"),
        pytest.param("qassport", "passport", id="the first letter"),
        pytest.param("quartely", "quarter", id="in the ending"),
        pytest.param("databse", "databas", id="stem"),
        pytest.param("adopion", "adopt", id="a letter off the word, three off its stem"),
        pytest.param("cgmped", "camp", id="without a vowel to stem by"),
        pytest.param("Europe", "european", id="of one family"),
        pytest.param("databank", "databas", id="the same beginning"),
        pytest.param("年识", "年", id="Chinese, by character"),
    ],
)
def test_what_was_meant_is_looked_for_as_well(typed: str, meant: str) -> None:
    words, corrections = ask(f"{typed} 8443")

    assert meant in words
    assert [correction.typed for correction in corrections] == [typed]


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("support", id="known"),
        pytest.param("negative", id="common, though neat is near"),
        pytest.param("status", id="common, though a stem is near"),
        pytest.param("cat", id="too short"),
        pytest.param("kubernetes", id="nothing near"),
        pytest.param("sup8rt", id="no word"),
        pytest.param("数据", id="known pair"),
        pytest.param("워크샵", id="a part is known"),
        pytest.param("yesterday", id="a day"),
        pytest.param("Theo", id="a name, though `the` is near"),
        pytest.param("Waar", id="Dutch for where, though `wear` is near"),
        pytest.param("hoch", id="four letters, of which the first is another one than of `coche`"),
    ],
)
def test_other_words_stay_as_they_are(typed: str) -> None:
    assert ask(typed)[1] == ()


@given(st.text())
def test_no_text_makes_it_fail(text: str) -> None:
    before = set(read_question(text, NOW).words)
    assert before <= ask(text)[0]
