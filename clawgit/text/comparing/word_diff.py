"""Differences of two texts, word by word; in scripts without spaces, character by character."""

from __future__ import annotations

from typing import Literal, NamedTuple

from clawgit.text.comparing.similarity import SINGLE, common_ends, common_places
from clawgit.text.lazy_pattern import lazy_pattern

# Marks, joiners, selectors and skin tones stay with their character: alone they would print elsewhere.
_MARK = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0903"
    "\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0abc-\u0acd\u0b3c-\u0b4d\u0bbe-\u0bcd"
    "\u0c3e-\u0c4d\u0cbc-\u0ccd\u0d3e-\u0d4d\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u200c\u200d\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
    "\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef"
)
_WORD = rf"[^\W{SINGLE}]+(?:[{_MARK}]+[^\W{SINGLE}]*)*"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_EMOJI_JOINED = rf"\u200d[^\s\w{_MARK}]"
_TOKEN = lazy_pattern(rf"\r\n|[\r\n]|[^\S\r\n]+|{_WORD}|{_FLAG}|[\s\S](?:{_EMOJI_JOINED}|[{_MARK}])*")


class DiffPiece(NamedTuple):
    """A stretch of text that is the same, removed or added."""

    kind: Literal["same", "removed", "added"]
    text: str


def word_diff(old: str, new: str) -> tuple[DiffPiece, ...]:
    """Return the pieces in reading order, a removal before its replacement.

    Same and removed pieces joined are ``old``, same and added ones ``new``.
    """
    first = tokens(old)
    second = tokens(new)
    # the words alone are aligned: else two common spaces would outweigh a common word
    words_old = [at for at, token in enumerate(first) if not token.isspace()]
    words_new = [at for at, token in enumerate(second) if not token.isspace()]
    places = common_places(list(map(first.__getitem__, words_old)), list(map(second.__getitem__, words_new)))
    aligned = [(words_old[at], words_new[to]) for at, to in places]
    pieces = []
    same = ""
    i = j = 0
    for word_old, word_new in (*aligned, (len(first), len(second))):
        gap_old, gap_new = first[i:word_old], second[j:word_new]
        head, tail = common_ends(gap_old, gap_new)
        removed = "".join(gap_old[head : len(gap_old) - tail])
        added = "".join(gap_new[head : len(gap_new) - tail])
        same += "".join(gap_old[:head])
        if removed or added:
            pieces += [DiffPiece("same", same), DiffPiece("removed", removed), DiffPiece("added", added)]
            same = ""
        same += "".join(first[word_old - tail : word_old + 1])
        i, j = word_old + 1, word_new + 1
    pieces.append(DiffPiece("same", same))
    return tuple(piece for piece in pieces if piece.text)


def tokens(text: str) -> list[str]:
    """Return line ends, runs of white space, words, and every other character with its marks; nothing is lost."""
    return _TOKEN.findall(text)
