"""Names for the files of ended sessions: short, safe, from the words of the conversation."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from clawgit.text.words.stems import english_stem
from clawgit.text.words.stopwords import LIGHT, languages_of
from clawgit.text.words.word_lists import words_in

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

LONGEST = 30
WORDS = 3
LOOKED_AT = 5000  # characters of one message
_NOT_SAFE = re.compile(r"[^a-z0-9]+")
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_ADDRESS = re.compile(r"\S*(?:://|[\w-]/[\w-])\S*")  # and paths: their parts are no words of the talk
_NO_SUBJECT = words_in("""
hello hey thanks thank okay sure great good nice fine cool awesome perfect sorry welcome bye morning evening help
please want need like know think make made try work works working look looks see got get going come let use used
using right well maybe today tomorrow yesterday now new next last first back start done yes
""")


def safe_slug(text: str) -> str:
    """Return ``text`` as `[a-z0-9-]` of at most 30 characters, cut at a word where it can be; maybe empty."""
    slug = _NOT_SAFE.sub("-", _plain(text)).strip("-")
    if len(slug) <= LONGEST:
        return slug
    whole_words, dash, _ = slug[: LONGEST + 1].rpartition("-")
    return whole_words if dash else slug[:LONGEST]


def subject_of(said: Sequence[str]) -> str:
    """Return up to three words that a conversation is about, in the order in which they came up; maybe none.

    Those that come back in most messages; where none comes back, those of the first message that has two.
    """
    messages = [_subjects(text[:LOOKED_AT]) for text in said]
    counts = Counter(stem for words in messages for stem in words)
    first_form = {stem: word for words in reversed(messages) for stem, word in words.items()}
    chosen = [stem for stem, count in counts.most_common() if count > 1][:WORDS]
    if not chosen:
        chosen = next((list(words)[:WORDS] for words in messages if len(words) > 1), [])
    order = list(dict.fromkeys(stem for words in messages for stem in words))
    return " ".join(first_form[stem] for stem in sorted(chosen, key=order.index))


def _subjects(text: str) -> dict[str, str]:
    """Return stem → word of what a message can be about, in its order."""
    found: dict[str, str] = {}
    words = _WORD.findall(_plain(_ADDRESS.sub(" ", text)))
    empty = LIGHT.union(_NO_SUBJECT, *languages_of(words))
    for word in words:
        stem = english_stem(word)
        if not {word, stem} & empty:
            found.setdefault(stem, word)
    return found


def _plain(text: str) -> str:
    """Return small letters without their accents."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(char for char in apart if not unicodedata.combining(char)).lower()


def session_path(slug: str, at: datetime, taken: Collection[str]) -> str:
    """Return a path for a session that ended ``at`` that is not in ``taken``; without a slug, its time names it."""
    name = slug or f"{at:%H%M}"
    path, number = f"memory/{at:%Y-%m-%d}-{name}.md", 1
    while path in taken:
        number += 1
        behind = f"-{number}"
        path = f"memory/{at:%Y-%m-%d}-{name[: LONGEST - len(behind)].rstrip('-')}{behind}.md"
    return path
