"""The change that first brought the words of a line, ignoring ids and white space; and the origin of each principle of the soul."""

from __future__ import annotations

from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.reading.git_log import LoggedChange, read_lines, read_named, renamed_since
from clawgit.identity.principle_edits import spoken, withdraws
from clawgit.identity.principles import Principle, read_principles
from clawgit.identity.soul_policy import is_addition
from clawgit.memory.entries.entries import without_marks
from clawgit.memory.entries.tiers import is_identity
from clawgit.text.comparing.similarity import words
from clawgit.text.markdown.lines import split_lines
from clawgit.workspace.safe_files import check_path

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from clawgit.history.git.repository import History
    from clawgit.plan import Plan

_ORDER = ("--topo-order", "--diff-merges=first-parent")
Said = TypeVar("Said", bound="Hashable")


def _brought(
    history: History, path: str, commit_id: str, keys: set[Said], key_of: Callable[[bytes], Said]
) -> tuple[dict[Said, list[str]], str]:
    """Return the commits that brought each of the ``keys`` to a file, newest first, and the one that began the file."""
    brought: dict[Said, list[str]] = {}
    begun = commit_id
    name: str | None = path
    while name is not None:
        for begun, lines in read_lines(history, *_ORDER, commit_id, "--", name):
            added = {key_of(line.raw) for line in lines if line.is_added}
            for key in keys & added:
                brought.setdefault(key, []).append(begun)
        parents = history.objects.commit(begun).parent_ids
        renames = renamed_since(history, parents[0], begun) if len(parents) == 1 else {}
        name = next((old for old, new in renames.items() if new == name), None)
        commit_id = f"{begun}^"
    return brought, begun


class BlamedLine(NamedTuple):
    """One line of a file without its end, and the changes that brought its words or brought them back, newest first."""

    number: int
    text: str
    changes: tuple[LoggedChange, ...]

    @property
    def change(self) -> LoggedChange:
        return self.changes[-1]


def blame(history: History, path: str, commit_id: str) -> list[BlamedLine]:
    lines = (history.tree_of(commit_id).read(check_path(path)) or b"").split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    brought, begun = _brought(history, path, commit_id, set(map(_words, lines)), _words)
    changes = read_named(history, {begun, *chain.from_iterable(brought.values())})
    blamed = []
    for number, line in enumerate(lines, start=1):
        text = line.removesuffix(b"\r").decode("utf-8", "replace")
        names = brought.get(_words(line), [begun])
        blamed.append(BlamedLine(number, text, tuple(map(changes.__getitem__, names))))
    return blamed


def _words(line: bytes) -> bytes:
    return b" ".join(without_marks(line).split())


def _said(line: bytes) -> tuple[str, ...]:
    return tuple(words(line.decode("utf-8", "replace")))


BASIS = "Clawgit-Basis"  # evidence of a principle by the soul keeper: correction, order or pattern
CORRECTION_MARK = "x:"


class PrincipleOrigin(Enum):
    """What brought the words of a principle."""

    ORIGINAL = "original"
    OPERATOR = "operator"
    CORRECTION = "correction"
    ORDER = "order"
    INFERENCE = "inference"


def principle_origins(
    history: History, path: str, commit_id: str
) -> Iterator[tuple[Principle, PrincipleOrigin]]:
    text = history.tree_of(commit_id).read(path) or b""
    lines = split_lines(text)
    keys = {each.line: _said(lines[each.line - 1]) for each in read_principles(text)}
    brought, begun = _brought(history, path, commit_id, set(keys.values()), _said)
    changes = read_named(history, chain.from_iterable(brought.values()))
    for each in read_principles(text):
        if keys[each.line] in brought:
            change = changes[brought[keys[each.line]][-1]]
            yield each, _origin(change, is_first=change.commit_id == begun)


def corrected_at_risk(history: History, commit_id: str | None, plan: Plan) -> frozenset[tuple[str, ...]]:
    """Return the words of principles from a correction that a plan may change or remove."""
    at_risk: set[tuple[str, ...]] = set()
    if commit_id is None:
        return frozenset()
    tree = history.tree_of(commit_id)
    for edit in plan.edits:
        if is_identity(edit.path) and not is_addition(tree.read(edit.path) or b"", edit.data or b""):
            for principle, origin in principle_origins(history, edit.path, commit_id):
                text = spoken(principle.text)
                is_taken_back = any(withdraws(each.quote, text) for each in plan.evidence)
                if origin is PrincipleOrigin.CORRECTION and not is_taken_back:
                    at_risk.add(principle.words)
    return frozenset(at_risk)


def _origin(change: LoggedChange, *, is_first: bool) -> PrincipleOrigin:
    basis = change.trailers.first(BASIS)
    cites_correction = any(each.startswith(CORRECTION_MARK) for each in change.evidence)
    if basis == PrincipleOrigin.CORRECTION.value or cites_correction:
        return PrincipleOrigin.CORRECTION
    if basis == PrincipleOrigin.ORDER.value:
        return PrincipleOrigin.ORDER
    if is_first:
        return PrincipleOrigin.ORIGINAL
    if basis is None and change.actor == OPERATOR:
        return PrincipleOrigin.OPERATOR
    return PrincipleOrigin.INFERENCE
