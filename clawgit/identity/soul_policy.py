"""Who may change what in the soul without the operator's yes, and which part of an edit only adds."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from clawgit.identity.principles import DriftKind, EditPiece, drift_between, line_pieces, with_pieces
from clawgit.text.comparing.similarity import likeness
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.block_structure import (
    CONTAINERS,
    Block,
    blocks,
    ends_open,
    front_matter_lines,
    parse_markdown,
)
from clawgit.text.markdown.lines import line_end, split_lines, without_end
from clawgit.text.words.tokens import count_pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

REWORDED_LIKENESS = 60
MOST_HUNKS = 64  # each costs a parse; a larger edit with one harmful hunk waits as a whole
OPERATOR, HOST = "operator", "host"
OUTSIDERS = (HOST, "unknown", "runner")  # every other actor is the operator or one of clawgit's agents
EXTERNAL = "external"
SMALL_TOKENS = 120  # that one change of a worker may add to a file of the soul: a principle or two
MOST_TOUCHED = 3  # principles that one change of a worker may reword or remove
_HINT = lazy_pattern(r"_[^_]*_|\([^)]*\)")
_NAME = lazy_pattern(r"(?i)(?:[-*+]\s+)?(?:\*\*name:\*\*|\*\*name\*\*:|name:)(.*)")
# An empty field; and hints, headings, rules.
_FIELD = r"(?:[-*+]\s+)?(?:\*\*[^*:]{1,40}:\*\*|\*\*[^*:]{1,40}\*\*:|[\w /'’-]{1,40}:)\s*(?:_?\([^)]*\)_?)?"
BLANK_FIELD = lazy_pattern(_FIELD)
_BLANK = lazy_pattern(
    rf"{_FIELD}"
    r"|_[^_]*_|\([^)]*\)|#{1,6}\s.*|-{3,}|(?i:fill this in)\b.*|"
)


def additions_only(old: bytes, new: bytes) -> bytes:
    """Return ``old`` plus those insertions of ``new`` that leave every block of ``old`` as it was.

    Left out: what replaces, moves or rewords a line, continues a paragraph or list item, puts old lines under
    another heading, or hides them (front matter, an open fence or comment, a link's new target).
    Equal lines may be paired in several ways; only one is tried, so it may leave out more than needed.
    """
    base = _with_final_end(old, new)
    if base == new:
        return new
    pure = _insertions(base, new)
    if _is_harmless(base, pure):
        return with_pieces(base, pure) if pure else old
    accepted: list[EditPiece] = []
    for piece in pure if len(pure) <= MOST_HUNKS else ():
        if _is_harmless(base, [*accepted, piece]):
            accepted.append(piece)
    return with_pieces(base, accepted) if accepted else old


def is_addition(old: bytes, new: bytes) -> bool:
    """Say whether ``new`` is ``old`` plus harmless insertions only."""
    return additions_only(old, new) == new


def _with_final_end(old: bytes, new: bytes) -> bytes:
    """Return ``old`` with its last line ended, unless ``new`` ends in that open line too."""
    lines = split_lines(old)
    open_ended = bool(lines) and without_end(lines[-1]) == lines[-1]
    if open_ended and lines[-1] not in split_lines(new)[-1:]:
        return old + line_end(new)
    return old


def _insertions(old: bytes, new: bytes) -> list[EditPiece]:
    pieces = line_pieces(old, new)
    lost = [line.decode("utf-8", "replace") for piece in pieces for line in piece.gone if line.strip()]
    pure = []
    for piece in pieces:
        come = [line.decode("utf-8", "replace") for line in piece.come if line.strip()]
        is_reworded = any(likeness(*pair) >= REWORDED_LIKENESS for pair in product(lost, come))  # or moved
        if not piece.gone and not is_reworded:
            pure.append(piece)
    return pure


def _is_harmless(old: bytes, pieces: Sequence[EditPiece]) -> bool:
    if not pieces:
        return True
    new = with_pieces(old, pieces)
    new_blocks = blocks(new)
    lines = split_lines(new)
    added: set[int] = set()
    for piece in pieces:
        start = piece.at + len(added)
        added.update(range(start, start + len(piece.come)))
    moved = sorted(set(range(len(lines))) - added)
    filled = {number for number in added if lines[number].strip()}
    count = front_matter_lines(old)
    if count != front_matter_lines(new) or split_lines(old)[:count] != lines[:count]:
        return False
    if count == 0 and new.startswith(b"---") and not old.startswith(b"---"):
        return False  # still text, but the next `---` below would make it front matter
    colons = (b":", "：".encode())
    for this, following in pairwise(number for number, line in enumerate(lines) if line.strip()):
        # an added line right before an old one: "Never do this:"
        if this in added and following not in added and lines[this].rstrip().endswith(colons):
            return False
    return (
        parse_markdown(old).links == parse_markdown(new).links
        and _all_stand(blocks(old), new_blocks, moved, filled)
        and not any(_hides(block) for block in new_blocks if block.first in added)
        and (ends_open(old) or not ends_open(new))
    )


def _all_stand(old: Sequence[Block], new: Sequence[Block], moved: list[int], filled: set[int]) -> bool:
    """Say whether every old block is a block of ``new``, at its moved lines, with nothing put inside."""
    standing = set(new)
    for block in old:
        last = moved[block.first]
        if block.last > block.first:
            last = moved[block.last - 1] + 1
        there = block._replace(first=moved[block.first], last=last)
        is_filled = block.kind in CONTAINERS and filled & set(range(there.first, there.last))
        if there not in standing or is_filled:
            return False
    return True


def _hides(block: Block) -> bool:
    content = block.content.strip()
    return block.kind == "html_block" and not (content.startswith("<!--") and content.endswith("-->"))


class SoulPolicy(Enum):
    """The setting `soul_policy`."""

    EVOLVE = "evolve"
    REVIEW = "review"
    LOCKED = "locked"


class SoulEdit(NamedTuple):
    """One file of the soul (or a standing file) before and after (None: no file), the actor, and the trust of the edit's ground."""

    actor: str
    trust: str
    old: bytes | None
    new: bytes | None
    is_standing: bool = False
    is_form: bool = False  # the blank form of a first conversation without a name: a host may fill its fields


class Ban(Enum):
    """Why an edit is refused: locked soul, left to the operator, or never allowed."""

    LOCKED = "locked"
    ASKS = "asks"
    REWRITES = "rewrites"
    CORRECTED = "corrected"


class Objection(NamedTuple):
    """Why an edit is not made; ``principle`` is the one that must not change."""

    why: Ban
    principle: str = ""


def objection(
    edit: SoulEdit, policy: SoulPolicy, corrected: frozenset[tuple[str, ...]] = frozenset()
) -> Objection | None:
    """Return why the actor may not make the edit, or None; ``corrected`` are words of principles.

    An agent makes small additions on the operator's word, no large rewrite. It keeps a principle that came from a
    correction, unless a newer word of the operator's reverses it. A host and unknown people may add to the soul; a host
    maintains the standing files.
    """
    if edit.old == edit.new:
        return None
    if policy is SoulPolicy.LOCKED:
        return Objection(Ban.LOCKED)
    if edit.actor == OPERATOR:
        return None
    if edit.actor not in OUTSIDERS and (reason := _large_or_corrected(edit, corrected)):
        return reason
    return Objection(Ban.ASKS) if policy is SoulPolicy.REVIEW or not _may_stay(edit) else None


def part_that_stays(edit: SoulEdit, policy: SoulPolicy) -> bytes | None:
    """Return what stays of a host's edit without the operator's yes (None: no file): all, its additions, or nothing of it."""
    if objection(edit, policy) is None:
        return edit.new
    is_parted = policy is SoulPolicy.EVOLVE and edit.trust != EXTERNAL
    if not is_parted or edit.old is None or edit.new is None:
        return edit.old
    return additions_only(edit.old, edit.new)


def over_budget(old: bytes | None, new: bytes | None, limit: int) -> int:
    """Return the tokens of ``new`` if above ``limit`` and above ``old``'s, else 0."""
    tokens = 0 if new is None else _tokens(new)
    return tokens if tokens > limit and tokens > _tokens(old or b"") else 0


def _may_stay(edit: SoulEdit) -> bool:
    old, new = edit.old, edit.new
    if edit.actor == HOST and edit.is_standing:
        return edit.trust != EXTERNAL
    if new is None:
        return False
    if edit.is_form and edit.trust != EXTERNAL and fills_blanks(old or b"", new):
        return True
    if edit.actor in OUTSIDERS:
        is_new_file = old is None and edit.actor == HOST
        return edit.trust != EXTERNAL and (is_new_file or is_addition(old or b"", new))
    small = _tokens(new) - _tokens(old or b"") <= SMALL_TOKENS
    return edit.trust == OPERATOR and is_addition(old or b"", new) and small


def _large_or_corrected(edit: SoulEdit, corrected: frozenset[tuple[str, ...]]) -> Objection | None:
    if edit.is_standing or edit.old is None:
        return None
    drift = drift_between(edit.old, edit.new or b"").principles
    touched = [each for each in drift if each.kind is not DriftKind.ADDED]
    if len(touched) > MOST_TOUCHED or edit.new is None:
        return Objection(Ban.REWRITES)
    for each in touched:
        is_turned = each.kind is DriftKind.CONTRADICTED and edit.trust == OPERATOR
        if each.old is not None and each.old.words in corrected and not is_turned:
            return Objection(Ban.CORRECTED, each.old.text)
    return None


def fills_blanks(old: bytes, new: bytes) -> bool:
    """Say whether an edit removes only blank fields, hints and headings from a form."""
    left = Counter(map(str.strip, new.decode("utf-8", "replace").splitlines()))
    for line in old.decode("utf-8", "replace").splitlines():
        if left[line.strip()]:
            left[line.strip()] -= 1
        elif not _BLANK.fullmatch(line.strip()):
            return False
    return True


def name_in(identity: bytes) -> str:
    """Return the agent's name in IDENTITY.md; empty where there is only a hint."""
    lines = identity.decode("utf-8", "replace").splitlines()
    for line, below in pairwise((*lines, "")):
        named = _NAME.fullmatch(line.strip())
        if named is not None:
            continued = below if below.startswith((" ", "\t")) else ""
            values = map(str.strip, (named[1], continued))
            return next((value for value in values if value and _HINT.fullmatch(value) is None), "")
    return ""


def _tokens(data: bytes) -> int:
    return count_pieces(data.decode("utf-8", "replace"))
