"""Forms of phrases that several tables share, and words that hold a statement together."""

from __future__ import annotations

import re

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import any_word_of, words_in


def any_form(*forms: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return what finds any of some forms, in small letters or large; `(?-i:…)` is a name."""
    return lazy_pattern("|".join(f"(?:{form})" for form in forms), re.IGNORECASE | flags)


def whole_words(listed: str) -> str:
    """Return what finds any of some words, which are between commas, as whole words."""
    return rf"\b{any_word_of(listed)}\b"


def at_first(listed: str) -> str:
    """Return what finds any of some words at the beginning."""
    return "^" + whole_words(listed)


# What was said is not so, or not any more.
DENIES = any_form(
    r"\bnot\b|n['’]t\b|\bno longer\b|\bany ?more\b|\bused to\b|\b(?:left|moved|quit|retired|resigned|gone)\b",
    "[不没沒]|调走|离开|离职|辞职|走了|换了",
    "아니|안 |않|그만뒀|떠났",
)


# Verbs and turns that a statement can do with or without and be about the same, as `subject` has them.
INCIDENTAL = words_in("""
start begin happen run go take come hold held meet use have live listen work call name keep stay lie stand get need
every weekday weekdays daily weekly monthly usually always currently today tonight tomorrow now new
""")
# Who somebody has around him: the family, those he lives and works with, his animals. What is said of one is not said of him.
RELATIVES = """
wife, husband, spouse, partner, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, son, daughter, kid, child, baby, mother,
mom, mum, father, dad, brother, sister, cousin, niece, nephew, aunt, uncle, grandmother, grandma, grandfather, grandpa,
granddaughter, grandson, twin, stepson, stepdaughter, mother-in-law, father-in-law, boss, manager, neighbour, neighbor, flatmate,
roommate, colleague, dog, cat, parrot, horse, hamster, rabbit
"""
