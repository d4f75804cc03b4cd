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
