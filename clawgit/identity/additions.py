"""The part of an edit that only adds: what was there says and means what it did before."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import likeness
from clawgit.text.markdown.block_structure import front_matter_lines, parse_markdown
from clawgit.text.markdown.blocks import CONTAINERS, Block, blocks, ends_open
from clawgit.text.markdown.lines import line_end, split_lines, without_end

if TYPE_CHECKING:
    from collections.abc import Sequence

REWORDED_LIKENESS = 60
MOST_HUNKS = 64  # each costs a parse; an edit with more, one of them harmful, waits whole


class _Hunk(NamedTuple):
    at: int
    lines: tuple[bytes, ...]


class _Reading(NamedTuple):
    """What a text means to a reader of Markdown."""

    blocks: tuple[Block, ...]
    links: dict[str, str]
    ends_open: bool


def additions_only(old: bytes, new: bytes) -> bytes:
    """Return ``old`` plus those insertions of ``new`` that leave every block of ``old`` as it was.

    Left out: what replaces, moves or rewords a line, continues a paragraph or list item, puts old lines under
    another heading, or hides them (front matter, an open fence or comment, a link's new target).
    Where equal lines can be paired in several ways one is tried: it may leave out what another would keep.
    """
    base = _with_final_end(old, new)
    pure, _ = _hunks(base, new)
    if _is_harmless(base, pure):
        return _merged(base, pure) if pure else old
    accepted: list[_Hunk] = []
    for hunk in pure if len(pure) <= MOST_HUNKS else ():
        if _is_harmless(base, [*accepted, hunk]):
            accepted.append(hunk)
    return _merged(base, accepted) if accepted else old


def is_addition(old: bytes, new: bytes) -> bool:
    """Say whether ``new`` is ``old`` plus harmless insertions and nothing else."""
    base = _with_final_end(old, new)
    pure, all_pure = _hunks(base, new)
    return old == new or (all_pure and _is_harmless(base, pure))


def _with_final_end(old: bytes, new: bytes) -> bytes:
    """Return ``old`` with its last line ended, as lines after it require; unchanged where ``new`` keeps it open."""
    lines = split_lines(old)
    open_ended = bool(lines) and without_end(lines[-1]) == lines[-1]
    if not open_ended or lines[-1] in split_lines(new)[-1:]:
        return old
    return old + line_end(new)


def _hunks(old: bytes, new: bytes) -> tuple[list[_Hunk], bool]:
    """Return the pure insertions, and whether there is nothing else."""
    before = split_lines(old)
    after = split_lines(new)
    inserted: list[_Hunk] = []
    lost: list[bytes] = []
    replaced_at: set[int] = set()
    for op in fuzzy.Indel.opcodes(before, after):
        if op.tag == "insert":
            inserted.append(_Hunk(op.src_start, tuple(after[op.dest_start : op.dest_end])))
        elif op.tag != "equal":
            lost += before[op.src_start : op.src_end]
            replaced_at |= {op.src_start, op.src_end}
        if op.tag == "replace":
            inserted.append(_Hunk(op.src_start, tuple(after[op.dest_start : op.dest_end])))
    pure = [hunk for hunk in inserted if hunk.at not in replaced_at and not _rewords(hunk, lost)]
    return pure, not lost and len(pure) == len(inserted)


def _rewords(hunk: _Hunk, lost: Sequence[bytes]) -> bool:
    """Say whether a line of ``hunk`` is one of the ``lost`` lines, moved or said in other words."""
    gone = [line.decode("utf-8", "replace") for line in lost if line.strip()]
    said = [line.decode("utf-8", "replace") for line in hunk.lines if line.strip()]
    return any(likeness(a, b) >= REWORDED_LIKENESS for a in gone for b in said)


def _merged(old: bytes, hunks: Sequence[_Hunk]) -> bytes:
    lines = split_lines(old)
    for hunk in reversed(hunks):
        lines[hunk.at : hunk.at] = hunk.lines
    return b"".join(lines)


def _is_harmless(old: bytes, hunks: Sequence[_Hunk]) -> bool:
    if not hunks:
        return True
    was = _read(old)
    new = _merged(old, hunks)
    now = _read(new)
    added = _added_lines(hunks)
    moved = _places(len(split_lines(old)), added)
    return (
        _same_front_matter(old, new)
        and was.links == now.links
        and not _announces(split_lines(new), added)
        and _all_stand(was.blocks, now.blocks, moved, _filled(new, added))
        and not any(_hides(block) for block in now.blocks if block.first in added)
        and (was.ends_open or not now.ends_open)
    )


@lru_cache(maxsize=2)
def _read(text: bytes) -> _Reading:
    return _Reading(tuple(blocks(text)), parse_markdown(text).links, ends_open(text))


def _added_lines(hunks: Sequence[_Hunk]) -> set[int]:
    added: set[int] = set()
    for hunk in hunks:
        start = hunk.at + len(added)
        added |= set(range(start, start + len(hunk.lines)))
    return added


def _places(old_count: int, added: set[int]) -> list[int]:
    return [number for number in range(old_count + len(added)) if number not in added]


def _filled(new: bytes, added: set[int]) -> set[int]:
    lines = split_lines(new)
    return {number for number in added if lines[number].strip()}


def _same_front_matter(old: bytes, new: bytes) -> bool:
    count = front_matter_lines(old)
    if count == 0 and new.startswith(b"---") and not old.startswith(b"---"):
        return False  # not yet, but the next rule below would close it
    return count == front_matter_lines(new) and split_lines(old)[:count] == split_lines(new)[:count]


def _announces(lines: list[bytes], added: set[int]) -> bool:
    """Say whether an added line ends in a colon right before an old one: "Never do this:"."""
    meant = [number for number, line in enumerate(lines) if line.strip()]
    return any(
        this in added and following not in added and lines[this].rstrip().endswith((b":", "：".encode()))
        for this, following in pairwise(meant)
    )


def _all_stand(old: Sequence[Block], new: Sequence[Block], moved: list[int], filled: set[int]) -> bool:
    """Say whether every old block is a block of ``new``, at its lines, in its place, with nothing put inside."""
    standing = set(new)
    return all(
        (there := _moved(block, moved)) in standing
        and not (block.kind in CONTAINERS and filled & set(range(there.first, there.last)))
        for block in old
    )


def _moved(block: Block, moved: list[int]) -> Block:
    if block.last <= block.first:
        return block._replace(first=moved[block.first], last=moved[block.first])
    return block._replace(first=moved[block.first], last=moved[block.last - 1] + 1)


def _hides(block: Block) -> bool:
    content = block.content.strip()
    return block.kind == "html_block" and not (content.startswith("<!--") and content.endswith("-->"))
