"""What changed between two texts, word by word; scripts written without spaces, character by character."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.text.comparing.similarity import SINGLE, Run, common_runs
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Marks, joiners, selectors and skin tones stay with what they are on: alone they would print elsewhere.
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
_GAP = lazy_pattern(r"[^\S\r\n]+")


class DiffPiece(NamedTuple):
    """A stretch of text that stayed, went or came."""

    kind: Literal["same", "removed", "added"]
    text: str


class _Hunk(NamedTuple):
    """A replacement (either side may be empty) and the text that follows it unchanged."""

    removed: str
    added: str
    same: str


def word_diff(old: str, new: str) -> tuple[DiffPiece, ...]:
    """Return what stayed, went and came, in reading order; a removal is before its replacement.

    Same and removed pieces joined are ``old``, same and added ones ``new``.
    """
    if old == new:
        return (DiffPiece("same", old),) if old else ()
    # Join what only white space within a line keeps apart: `[a b→x y]` reads better than `[a→x] [b→y]`.
    hunks = _word_hunks(tokens(old), tokens(new))
    joined = [_Hunk("", "", "")]
    for hunk in hunks:
        last = joined[-1]
        if not (hunk.removed or hunk.added):
            joined[-1] = last._replace(same=last.same + hunk.same)
        elif not last.same or (all((*last, hunk.removed, hunk.added)) and _GAP.fullmatch(last.same)):
            joined[-1] = _Hunk(
                last.removed + last.same + hunk.removed, last.added + last.same + hunk.added, hunk.same
            )
        else:
            joined.append(hunk)
    return tuple(
        piece
        for removed, added, same in joined
        for piece in (DiffPiece("removed", removed), DiffPiece("added", added), DiffPiece("same", same))
        if piece.text
    )


def tokens(text: str) -> list[str]:
    """Return line ends, other white space in runs, words, and every other character with its marks; nothing is lost."""
    return _TOKEN.findall(text)


def _word_hunks(old: list[str], new: list[str]) -> Iterator[_Hunk]:
    """Align the words first: else two common spaces would outweigh a common word."""
    same = i = j = 0
    for word_old, word_new in (*_common_words(old, new), (len(old), len(new))):
        gap_old, gap_new = old[i:word_old], new[j:word_new]
        if gap_old != gap_new:
            yield _Hunk("", "", "".join(old[same:i]))
            yield from _hunks(gap_old, gap_new)
            same = word_old
        i, j = word_old + 1, word_new + 1
    yield _Hunk("", "", "".join(old[same:]))


def _common_words(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    first = [at for at, token in enumerate(old) if not token.isspace()]
    second = [at for at, token in enumerate(new) if not token.isspace()]
    runs = common_runs([old[at] for at in first], [new[at] for at in second])
    return [(first[run.old + n], second[run.new + n]) for run in runs for n in range(run.length)]


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[_Hunk]:
    i = j = 0
    for run in (*common_runs(old, new), Run(len(old), len(new), 0)):
        after = run.old + run.length
        yield _Hunk("".join(old[i : run.old]), "".join(new[j : run.new]), "".join(old[run.old : after]))
        i, j = after, run.new + run.length
