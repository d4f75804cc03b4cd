"""Forms of sentences: several ways to say one thing, looked for together."""

from __future__ import annotations

import re

from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.word_lists import any_word_of


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
