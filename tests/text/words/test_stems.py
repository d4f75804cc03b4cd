"""English endings fall where the word stays the same, and only there.

Mutants seen to fail here: no irregular forms, endings cut from the part of a word that must stay, doubled
letters kept, words of `_WHOLE` cut.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.text.words.terms import english_stem, index_terms


@pytest.mark.parametrize(
    "words",
    [
        "paint paints painted painting",
        "run running runs ran",
        "hop hops hopped hopping",
        "hope hopes hoped hoping",
        "city cities",
        "adopt adopted adoption",
        "decide decided deciding",
        "relate related relation",
        "happy happiness",
        "organize organizing organization organizations",
        "child children",
        "buy buys bought buying",
        "add added adding adds",
        "general generally",
        "conditional conditionally",
        "hopeful hopefully hopefulness",
        "proceed proceeds proceeding",
        "day days",
        "tie ties tied tying",
        "agreed agree agrees",
        "bus buses",
        "gas gases",
        "canvas canvases",
        "alias aliases",
        "quiz quizzes",
        "crisis crises",
        "analysis analyses",
        "thief thieves",
        "loaf loaves",
        "allergy allergies allergic",
        "strategy strategies strategic",
        "lethargy lethargic",
    ],
)
def test_forms_of_one_word_meet(words: str) -> None:
    assert len({english_stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    "words",
    [
        "news new",
        "university universe",
        "organ organization",
        "evening even",
        "only on",
        "past paste",
        "internal international",
        "general generation",
        "outing out",
        "gas gases bus",
        "bed bee be",
        "sky ski",
    ],
)
def test_words_that_only_look_alike_stay_apart(words: str) -> None:
    listed = words.split()
    assert len({english_stem(word) for word in listed}) >= 2
    assert english_stem(listed[0]) != english_stem(listed[-1])


@pytest.mark.parametrize(
    ("form", "one", "other"),
    [
        ("lives", "live", "life"),
        ("leaves", "leave", "leaf"),
        ("halves", "halve", "half"),
        ("shelves", "shelve", "shelf"),
        ("bases", "base", "basis"),
        ("axes", "axe", "axis"),
    ],
)
def test_a_form_of_two_words_is_indexed_as_both(form: str, one: str, other: str) -> None:
    assert {english_stem(one), english_stem(other)} <= set(index_terms(form).split())


@pytest.mark.parametrize("word", ["a", "of", "v2", "x86", "utf8"])
def test_short_words_and_those_with_digits_stay(word: str) -> None:
    assert english_stem(word) == word


@given(st.from_regex(r"[a-z]{1,30}", fullmatch=True))
def test_a_stem_is_never_empty_or_longer_by_more_than_an_e(word: str) -> None:
    assert 0 < len(english_stem(word)) <= max(len(word) + 1, 12)
