"""What is in quotation marks, whoever said it: no statement of who writes it. Pure."""

from __future__ import annotations

import re

from clawgit.text.comparing.similarity import words
from clawgit.text.words.script import HAN_OR_HANGUL

_PAIRS = ('""', "“”", "„“", "«»", "「」", "『』", "《》", "‘’", "''")
_LONGEST = 4000
_TOLD = re.compile(r"\n|[.!?]\s|[。！？]")  # more than one sentence, or a whole one
_NAME_WORDS, _NAME_LETTERS = 2, 6  # what is that short is a name or a way to say it, and stays


def _quoted(pair: str) -> str:
    begin, end = map(re.escape, pair)
    if begin == end:  # an apostrophe and a sign of inches are inside or behind a word
        return rf"(?<![\w]){begin}(?=\S)(?:[^{end}]|(?<=\w){end}(?=\w)){{1,{_LONGEST}}}{end}(?![a-zA-Z])"
    return rf"{begin}[^{begin}{end}]{{1,{_LONGEST}}}{end}"


_QUOTED = re.compile("|".join(map(_quoted, _PAIRS)))


def without_quoted_blocks(text: str) -> str:
    """Return a message without quotations of a line, or of whole sentences: they were brought from elsewhere."""
    return _QUOTED.sub(lambda found: " " if _is_block(text, found) else found.group(), text)


def without_quoted_words(sentence: str) -> str:
    """Return a sentence with a mark in the place of what it quotes; a name in quotation marks stays."""
    return _QUOTED.sub(lambda found: found.group() if _is_name(found.group()) else "…", sentence)


def _is_block(text: str, found: re.Match[str]) -> bool:
    if _is_name(found.group()):
        return False
    before = text[: found.start()].rpartition("\n")[2].strip(" \t>*-")
    behind = text[found.end() :].partition("\n")[0].strip(" \t.,。")
    return _TOLD.search(found.group()) is not None or not (before or behind)


def _is_name(quoted: str) -> bool:
    if HAN_OR_HANGUL.search(quoted):
        return len(quoted) - 2 <= _NAME_LETTERS
    return len(words(quoted)) <= _NAME_WORDS
