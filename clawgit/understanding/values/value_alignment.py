"""A statement said again with other words in one place: which parts gave way to which, word by word. Pure.

English and Chinese. Who it is about aside, the two must be the same around what changed.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing.subjects import subject
from clawgit.text.words.script import HAN
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.forms.function_words import PREPOSITIONS
from clawgit.understanding.values.asserted_text import JUDGEMENTS, LONGEST_VALUE, STOP, bare_end
from clawgit.understanding.values.denials import denied
from clawgit.understanding.values.sentence_frames import form_of, written_out

if TYPE_CHECKING:
    from collections.abc import Sequence

_Block = tuple[str, int, int, int, int]
Pairs = tuple[tuple[str, str], ...]
MOST_TOKENS = 60  # of a statement
ENOUGH_HAN = 3  # characters
ENOUGH = 1  # word that says something: a statement turned into its contrary has at least that in common
_TOKEN = re.compile(
    r"[\u3400-\u9fff]|[^\s\u3400-\u9fff，。！；,.!;]+(?:[.,:][^\s\u3400-\u9fff，。！；,.!;]+)*"
)
_WHO_WORDS = "i you he she it we they my your his her its our their the a an 我 你 您 他 她 们 的"
_LIGHT_WORDS = "now actually also already just is it's that's 现 在 了 也 就 还 是 其 实 换 变 改"
_LIGHT = words_in(f"{_WHO_WORDS} {_LIGHT_WORDS}")  # they say who tells it, and that it is so
_NOT = frozenset({"not", "不", "没"})
_DENYING = _NOT | {"do", "does"}
# One of these stands between what a statement is about and what it says of that.
_GRAMMAR = """
is are am was were be on at in to for by with from within until till after before has have uses use prefer prefers like
likes called named 是 在 叫 用 由 对 喜 住 有 给 到 从 为
"""
_DOING = frozenset(
    map(form_of, ("uses", "prefers", "likes", "has"))
)  # somebody does it with what stands behind
_FORMS = frozenset(map(form_of, _GRAMMAR.split()))


class _Token(NamedTuple):
    text: str
    start: int
    end: int


class _Hunk(NamedTuple):
    """Tokens of the old statement, from one to another, and those in their place."""

    start: int
    end: int
    came: list[str]


def aligned(said: str, message: str) -> Pairs:
    """Return which parts of ``said`` give way to which where the message says it again; none where it does not."""
    old, new = _tokens(said), _tokens(written_out(bare_end(message)))
    if not old or not new or max(len(old), len(new)) > MOST_TOKENS:
        return ()
    was, now = ([form_of(token.text) for token in tokens] for tokens in (old, new))
    blocks = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    same = [old[at].text for tag, a, b, _, _ in blocks if tag == "equal" for at in range(a, b)]
    if _inflects(blocks, old, new):
        return ()
    hunks = _hunks(blocks, [token.text for token in new], len(old))
    if not hunks:
        return ()
    if len(hunks) == 1 and hunks[0].start == hunks[0].end:
        return _denied(said, old, hunks[0], same)
    first = sum(b - a for tag, a, b, _, _ in blocks if tag == "equal" and b <= hunks[0].start)
    is_about = same[:first] if not any(form_of(word) in _DOING for word in same[:first]) else same
    return _exchanged(said, old, hunks) if any(map(_says_something, is_about)) else ()


def _says_something(word: str) -> bool:
    """Say whether a word is one that a statement is about."""
    return (
        form_of(word) not in _FORMS and word.lower() not in _LIGHT and bool(HAN.match(word) or subject(word))
    )


def _inflects(blocks: Sequence[_Block], old: list[_Token], new: list[_Token]) -> bool:
    """Say whether the word behind what changed changes with it: `per gig` and `for two gigs`."""
    return any(
        earlier[0] == "replace" and old[block[1]].text.casefold() != new[block[3]].text.casefold()
        for earlier, block in pairwise(blocks)
        if block[0] == "equal" and form_of(old[block[1]].text) not in _FORMS
    )


def _tokens(text: str) -> list[_Token]:
    return [_Token(match.group(), *match.span()) for match in _TOKEN.finditer(text)]


def _hunks(blocks: Sequence[_Block], new: list[str], length: int) -> list[_Hunk]:
    """Return what the message says otherwise, without words that say who tells it, and what it leaves unsaid."""
    found = []
    for tag, start, end, first, last in blocks:
        came = new[first:last]
        is_light = all(word.lower() in _LIGHT for word in came)
        if tag in ("equal", "delete") or (is_light and (first == 0 or (tag == "insert" and end < length))):
            continue
        if first == 0 and came[-1].lower() in _NOT:
            denial = next(at for at, word in enumerate(came) if word.lower() in _DENYING)
            found.append(_Hunk(end, end, came[denial:]))  # `我不`: who it is, and that it is not so
        else:
            found.append(_Hunk(start, end, came))
    return found


def _denied(said: str, old: list[_Token], hunk: _Hunk, same: list[str]) -> Pairs:
    """Return how a statement is turned into its contrary, where all of it is said again with a `not`."""
    came = [word.lower() for word in hunk.came]
    rest = old[hunk.start :]
    if not came or came[-1] not in _NOT or not rest or not _repeats(said, rest, same):
        return ()
    if HAN.match(rest[0].text):
        gone = said[rest[0].start : rest[:2][-1].end]  # one character could stand anywhere
        return ((gone, came[-1] + gone),)
    gone = said[rest[0].start : rest[:2][-1].end] if rest[0].text.lower() in PREPOSITIONS else rest[0].text
    if came[:-1] == ["do"] or came[:-1] == ["does"]:
        return ((gone, denied(gone)),)
    return ((gone, f"not {gone}"),) if len(came) == 1 else ()


def _repeats(said: str, rest: list[_Token], same: list[str]) -> bool:
    """Say whether the message says all of what stands behind the `not`, as far as that clause goes."""
    stop = STOP.search(said, rest[0].start)
    clause = [token.text for token in rest if stop is None or token.start < stop.start()]
    telling = [word for word in same if _says_something(word)]
    enough = ENOUGH_HAN if HAN.match(rest[0].text) else ENOUGH
    return bool(clause) and same[-len(clause) :] == clause and len(telling) >= enough


def _exchanged(said: str, old: list[_Token], hunks: list[_Hunk]) -> Pairs:
    pairs = []
    for hunk in hunks:
        before = old[: hunk.start]
        if not 0 < len(hunk.came) <= LONGEST_VALUE or not 0 < hunk.end - hunk.start <= LONGEST_VALUE:
            return ()
        if not any(form_of(token.text) in _FORMS for token in before):
            return ()
        gone, came = _widened(said, old, hunk)
        if JUDGEMENTS.search(came):
            return ()
        pairs.append((gone, came))
    is_swap = {gone for gone, _ in pairs} == {came for _, came in pairs}
    return tuple(pairs) if len(pairs) == 1 or is_swap else ()


def _widened(said: str, old: list[_Token], hunk: _Hunk) -> tuple[str, str]:
    """Return what gives way to what; a single Chinese character takes the one beside it along, for it tells little."""
    begin, end = hunk.start, hunk.end
    came = _joined(hunk.came)
    if end - begin == 1 and len(came) == 1 and HAN.match(came) and end < len(old):
        came += old[end].text
        end += 1
    return said[old[begin].start : old[end - 1].end], came


def _joined(parts: list[str]) -> str:
    """Return tokens as a text: with spaces between those of scripts that have them."""
    text = " ".join(parts)
    return re.sub(r"(?<=[\u3400-\u9fff]) | (?=[\u3400-\u9fff])", "", text)
