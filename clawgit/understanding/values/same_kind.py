"""Whether one part of a statement can stand in another's place, by what both look like. Pure."""

from __future__ import annotations

import re

from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.understanding.forms.function_words import PLACING, PREPOSITION
from clawgit.understanding.values.asserted_text import STRONG

_DONE = re.compile(r"(?i)^\w{2,}[^\We]ed\b")  # `painted`, not `red`
_DONE_BY = re.compile(rf"(?i)\S (?:{PREPOSITION}|of) ")
_WHERE = re.compile(rf"(?i)^(?:{PLACING}|by|with|from|under|near|behind)\s")
_ARTICLE = re.compile(rf"(?i)^(?:(?:{PLACING}|with|from)\s)?(?:the|an?|my|your|his|her|our|their)\s")


def is_alike(old: str, new: str) -> bool:
    """Say whether one can stand for the other where nothing but the value is said: they are also built alike."""
    if _is_bare(new) and not _is_bare(old):
        return False  # `8080` for `port 9090`: what it is of would go along
    return can_replace(old, new) and all(_has_both(form, old, new) for form in (_DONE, _DONE_BY, _WHERE))


def can_replace(old: str, new: str) -> bool:
    """Say whether both are of one kind, both names or neither, both with an article or neither."""
    return not _of_other_kind(old, new) and _is_name(old) == _is_name(new) and _has_both(_ARTICLE, old, new)


def _has_both(form: re.Pattern[str], old: str, new: str) -> bool:
    return (form.search(old) is None) == (form.search(new) is None)


def _is_bare(text: str) -> bool:
    """Say whether a text is a day, an amount or the like, and no more."""
    return any(value.kind in STRONG and value.text == text.strip() for value in values_in(text))


def _is_name(text: str) -> bool:
    """Say whether a text is one name; scripts without capitals do not tell."""
    return text.isascii() and any(
        value.kind is ValueKind.NAME and value.text == text.strip() for value in values_in(f"= {text}")
    )


def _of_other_kind(old: str, new: str) -> bool:
    """Say whether one is a day, an amount or the like, and the other is none."""
    one, other = ({value.kind for value in values_in(text)} & STRONG for text in (old, new))
    return bool(one or other) and one.isdisjoint(other)
