"""Where each principle of the soul came from: its first change, and on how much that rests."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.reading.blame import read_file_changes
from clawgit.history.reading.git_log import read_named
from clawgit.identity.principle_edits import spoken, withdraws
from clawgit.identity.principles import read_principles
from clawgit.identity.soul_policy import is_addition
from clawgit.memory.entries.tiers import is_identity
from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.identity.principles import Principle
    from clawgit.plan import Plan

BASIS = "Clawgit-Basis"  # on what a principle of the soul keeper's rests: correction, order or pattern
CORRECTION_MARK = "x:"


class Origin(Enum):
    """What brought the words of a principle."""

    ORIGINAL = "original"
    OPERATOR = "operator"
    CORRECTION = "correction"
    ORDER = "order"
    INFERENCE = "inference"


class OriginOf(NamedTuple):
    """One principle, what brought its words, the change that did, and how much evidence that has."""

    principle: Principle
    origin: Origin
    change: LoggedChange
    support: int


def principle_origins(history: History, path: str, commit_id: str) -> list[OriginOf]:
    """Return the principles of a file of the soul as of a commit, each by the first change that brought its words.

    Whoever commits the same words again, after an undo or a squash, is not where they came from.
    """
    text = history.tree_of(commit_id).read(path) or b""
    lines = [line.decode("utf-8", "replace") for line in split_lines(text)]
    keys = {each.line: tuple(words(lines[each.line - 1])) for each in read_principles(text)}
    wanted = set(keys.values())
    first = dict[tuple[str, ...], str]()
    begun = commit_id
    for change in read_file_changes(history, path, commit_id):
        begun = change.commit_id if change.hunks else begun
        for line in (line for hunk in change.hunks for line in hunk.added):
            said = tuple(words(line.decode("utf-8", "replace")))
            if said in wanted:
                first[said] = change.commit_id
    changes = read_named(history, first.values())
    origins = []
    for each in read_principles(text):
        if keys[each.line] in first:
            brought = changes[first[keys[each.line]]]
            origin = _origin(brought, is_first=brought.commit_id == begun)
            origins.append(OriginOf(each, origin, brought, len(brought.evidence)))
    return origins


def corrected_at_risk(history: History, commit_id: str | None, plan: Plan) -> frozenset[tuple[str, ...]]:
    """Return the words of principles that came from a correction, of the files of the soul that a plan does more to than add.

    Left out is what the operator takes back in the words that the plan cites.
    """
    found: set[tuple[str, ...]] = set()
    if commit_id is None:
        return frozenset()
    tree = history.tree_of(commit_id)
    for edit in plan.edits:
        if is_identity(edit.path) and not is_addition(tree.read(edit.path) or b"", edit.data or b""):
            for principle, origin, *_ in principle_origins(history, edit.path, commit_id):
                text = spoken(principle.text)
                is_taken_back = any(withdraws(each.quote, text) for each in plan.evidence)
                if origin is Origin.CORRECTION and not is_taken_back:
                    found.add(principle.words)
    return frozenset(found)


def _origin(change: LoggedChange, *, is_first: bool) -> Origin:
    basis = change.trailers.first(BASIS)
    if basis == Origin.CORRECTION.value or any(each.startswith(CORRECTION_MARK) for each in change.evidence):
        return Origin.CORRECTION
    if basis == Origin.ORDER.value:
        return Origin.ORDER
    if is_first:
        return Origin.ORIGINAL
    return Origin.OPERATOR if basis is None and change.actor == OPERATOR else Origin.INFERENCE
