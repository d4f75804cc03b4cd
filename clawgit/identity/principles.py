"""SOUL.md as principles (paragraphs, list items, quoted rules): how strongly each is worded, and how far two texts differ."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import LIKE, likeness, words
from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern
from clawgit.text.markdown.block_structure import blocks
from clawgit.text.markdown.lines import line_end, split_lines, without_end, without_trailing_comment
from clawgit.text.markdown.merge_lines import hunks
from clawgit.text.words.word_lists import words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_STRONG = words_in(
    "never always must mustn't only every nothing nobody ever strictly"
    " nie niemals immer muss müssen stets jamais toujours doit nunca siempre debe jamás"
)
_STRONG_INSIDE = lazy_pattern("绝不|決不|决不|从不|永远|必须|一定|禁止|절대|항상|반드시|決して|必ず|常に")
_DENYING = words_in(
    "never not no nothing nobody none avoid without mustn't cannot refuse refrain"
    " nie niemals nicht kein keine keinen ohne jamais pas sans nunca sin jamás"
)
_ANSWER = lazy_pattern(r"^\W*no[,.!] ", re.IGNORECASE)  # a reply to an earlier sentence
_DENYING_INSIDE = lazy_pattern("[不没沒别別勿莫禁]|避免|안 |않|말고|마세요|말 것|금지|없|ない|ません")
_SPOKEN = frozenset({"p", "fence", "code_block"})
# Comparisons of pairs in a second; a text that changed more kept none of its principles.
MOST_PAIRS = 250_000


class Force(NamedTuple):
    """The number of words that allow no exception, and of denials."""

    strong: int
    denials: int


def force_of(text: str) -> Force:
    text = _ANSWER.sub("", text)
    spoken_words = words(text)
    strong = sum(map(_STRONG.__contains__, spoken_words)) + len(_STRONG_INSIDE.findall(text))
    denials = sum(word in _DENYING or word.endswith("n't") for word in spoken_words)
    return Force(strong, denials + len(_DENYING_INSIDE.findall(text)))


class Principle(NamedTuple):
    """One statement about the agent; ``line`` counts from 1."""

    section: tuple[str, ...]
    text: str
    line: int

    @property
    def words(self) -> tuple[str, ...]:
        """Return its lower-cased words, the unit of ``distance``."""
        return tuple(words(self.text))


def read_principles(text: bytes) -> list[Principle]:
    """Return the principles in order; without headings, front matter, comments and rules."""
    principles = []
    for block in blocks(text):
        if block.kind in _SPOKEN:
            content = " ".join(map(without_trailing_comment, block.content.strip().splitlines()))
            principles.append(Principle(block.section, content.strip(), block.first + 1))
    return [principle for principle in principles if principle.words]


class DriftKind(Enum):
    """What became of a principle, the worst first."""

    CONTRADICTED = "contradicted"
    REMOVED = "removed"
    SOFTENED = "softened"
    REWORDED = "reworded"
    ADDED = "added"


class PrincipleDrift(NamedTuple):
    """One changed principle; None on the side that lacks it. ``distance`` is 0 (same words) to 1."""

    kind: DriftKind
    old: Principle | None
    new: Principle | None
    distance: float


class Drift(NamedTuple):
    """The differences of two texts, the worst first, and the share of changed words (0 to 1)."""

    principles: tuple[PrincipleDrift, ...] = ()
    distance: float = 0.0


def drift_between(old: bytes, new: bytes) -> Drift:
    """Compare two texts of the soul; a principle that only moved is the same."""
    before = read_principles(old)
    after = read_principles(new)
    gone = _without_equals(before, after)
    come = _without_equals(after, before)
    drift: list[PrincipleDrift] = []
    differing = 0
    for was, now in _reworded(gone, come):
        same = fuzzy.LCSseq.similarity(was.words, now.words)
        differing += len(was.words) + len(now.words) - 2 * same
        share = 1 - 2 * same / (len(was.words) + len(now.words))
        force = force_of(was.text)
        other = force_of(now.text)
        kind = DriftKind.REWORDED
        if (force.denials - other.denials) % 2:
            kind = DriftKind.CONTRADICTED
        elif other.strong < force.strong:
            kind = DriftKind.SOFTENED
        drift.append(PrincipleDrift(kind, was, now, share))
        gone.remove(was)
        come.remove(now)
    drift += [PrincipleDrift(DriftKind.REMOVED, was, None, 1.0) for was in gone]
    drift += [PrincipleDrift(DriftKind.ADDED, None, now, 1.0) for now in come]
    differing += _length(gone) + _length(come)
    order = list(DriftKind)
    drift.sort(key=lambda each: order.index(each.kind))
    return Drift(tuple(drift), differing / max(1, _length(before) + _length(after)))


def _without_equals(principles: Sequence[Principle], others: Sequence[Principle]) -> list[Principle]:
    equals = Counter(map(attrgetter("words"), others))
    rest = []
    for principle in principles:
        if equals[principle.words]:
            equals[principle.words] -= 1
        else:
            rest.append(principle)
    return rest


def _reworded(gone: Sequence[Principle], come: Sequence[Principle]) -> list[tuple[Principle, Principle]]:
    """Pair principles that were only reworded, the most alike first."""
    if len(gone) * len(come) > MOST_PAIRS:
        return []
    alike = [(likeness(was.text, now.text), i, j) for i, was in enumerate(gone) for j, now in enumerate(come)]
    taken_old = set[int]()
    taken_new = set[int]()
    pairs = []
    for like, i, j in sorted(alike, key=lambda each: (-each[0], each[1], each[2])):
        if like >= LIKE and i not in taken_old and j not in taken_new:
            taken_old.add(i)
            taken_new.add(j)
            pairs.append((gone[i], come[j]))
    return pairs


def _length(principles: Iterable[Principle]) -> int:
    return sum(len(principle.words) for principle in principles)


def _end_of_section(lines: Sequence[bytes], heading: bytes) -> int:
    """Return the index after the last text below a heading, or after the last text of all without that heading."""
    stripped = list(map(bytes.strip, lines))
    at = len(lines)
    if heading and heading in stripped:
        at = stripped.index(heading) + 1
        while at < len(lines) and not lines[at].startswith(b"#"):
            at += 1
    while at and not stripped[at - 1]:
        at -= 1
    return at


_HEADING = lazy_bytes_pattern(rb"\s*#{1,6}\s")
_OPENS = lazy_bytes_pattern(rb"\s*(?:[-*+]\s|\d+[.)]\s|#{1,6}\s|>)")


class EditPiece(NamedTuple):
    """Old lines from ``at`` on (counted from 0), and the lines that replace them."""

    at: int
    gone: tuple[bytes, ...]
    come: tuple[bytes, ...]

    @property
    def lines(self) -> list[str]:
        """Return the lines with their signs, without blank ones."""
        lines = []
        for sign, texts in (("-", self.gone), ("+", self.come)):
            for text in texts:
                line = text.decode("utf-8", "replace").strip()
                if line:
                    lines.append(f"{sign} {line}")
        return lines


def line_pieces(old: bytes, new: bytes) -> list[EditPiece]:
    """Return the differences of two texts; neighbouring lines are one piece."""
    before = split_lines(old)
    steps = hunks(before, split_lines(new))
    return [EditPiece(hunk.start, tuple(before[hunk.start : hunk.end]), tuple(hunk.lines)) for hunk in steps]


def edit_pieces(old: bytes, new: bytes) -> list[EditPiece]:
    """Return the differences of two texts, split by principle where possible."""
    return [piece for whole in line_pieces(old, new) for piece in _split(whole)]


def with_pieces(old: bytes, pieces: Iterable[EditPiece]) -> bytes:
    lines = split_lines(old)
    in_order = sorted(pieces, key=lambda each: each.at)
    for piece in in_order[::-1]:  # reversed, so insertions at one place keep their order
        if piece.at == len(lines) and lines and without_end(lines[-1]) == lines[-1]:
            lines[-1] += line_end(old)
        lines[piece.at : piece.at + len(piece.gone)] = piece.come
    return b"".join(lines)


def _split(piece: EditPiece) -> list[EditPiece]:
    gone = _principles(piece.gone)
    come = _principles(piece.come)
    if gone and come and len(gone) != len(come):
        return [piece]
    pieces = []
    at = piece.at
    for number in range(max(len(gone), len(come))):
        old = gone[number] if gone else ()
        pieces.append(EditPiece(at, old, come[number] if come else ()))
        at += len(old)
    return pieces


def _principles(lines: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Group lines: an item, a heading or a line after a blank one begins a group."""
    groups: list[list[bytes]] = []
    for line in lines:
        follows_words = bool(groups) and bool(groups[-1][-1].strip())
        is_filled = bool(groups) and any(each.strip() and not _HEADING.match(each) for each in groups[-1])
        begins = not line.strip() or bool(_OPENS.match(line)) or not follows_words
        if not groups or (begins and is_filled):
            groups.append([])
        groups[-1].append(line)
    if len(groups) > 1 and not any(map(bytes.strip, groups[-1])):
        groups[-2:] = [groups[-2] + groups[-1]]
    return list(map(tuple, groups))


def inserted(lines: list[bytes], new: list[bytes], heading: bytes) -> bytes:
    """Insert lines at the end of their section, or of the text where the section is missing or new."""
    end = line_end(b"".join(lines))
    opens_section = any(line.startswith(b"#") for line in new)
    at = _end_of_section(lines, b"" if opens_section else heading)
    if at and without_end(lines[at - 1]) == lines[at - 1]:
        lines[at - 1] += end
    body = [end] if at and opens_section else []
    for line in new:
        body += [line, end] if line.startswith(b"#") else [line]
    return b"".join([*lines[:at], *body, *lines[at:]])
