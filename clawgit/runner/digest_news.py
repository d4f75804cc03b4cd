"""What is new between two states of a workspace, read from the difference of their files: so a rebase tells nothing twice.

Each piece of news has the command that takes it back.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, in_words
from clawgit.history.authorship.op_lookup import KEEP_OP
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.provenance.statement_changes import WHOSE, quote_of, whose_words
from clawgit.history.reading.git_log import WITH_FILES, read_changes
from clawgit.history.reading.line_steps import file_changes
from clawgit.history.reading.rearranged import read_moves
from clawgit.memory.conflict_log import read_conflicts
from clawgit.memory.corrections.correction_log import BY_HAND, LEDGER, Status
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import (
    CONFLICTS,
    LEARNED,
    LEARNED_BEFORE,
    RETIRED_ENTRIES,
    holds_entries,
    is_identity,
    is_standing,
)
from clawgit.memory.provenance.pieces import piece_of
from clawgit.memory.trust import UNDERSTOOD
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.history.reading.line_steps import FileChange
    from clawgit.memory.entries.entries import Entry
    from clawgit.workspace.records.records import Records

SHORT = 12
_NAMED = 5  # files and commits in which somebody typed
_KEEPINGS = 20  # of the last runs
_DRIFT = "Drift: "
_LINKED = "linked with your words, the line stays"
REVIEWED = timedelta(days=7)  # that a review is news


class News(NamedTuple):
    """One piece of news in words, and the command that takes it back or answers it; whose words, and the sentence behind them."""

    text: str
    command: str
    whose: str = ""
    quote: str = ""

    @property
    def line(self) -> str:
        """Return the words, whose they are and the sentence that they rest on, where it says more than they do."""
        told = self.whose
        if self.quote and self.quote.casefold() not in self.text.casefold():
            told = f'{self.whose}: "{self.quote}"'
        return f"{self.text} ({told})" if told else self.text


class Changed(NamedTuple):
    """What is new, by the sections of a digest."""

    learned: tuple[News, ...] = ()
    corrected: tuple[News, ...] = ()
    identity: tuple[News, ...] = ()
    dropped: tuple[News, ...] = ()
    typed: tuple[News, ...] = ()
    moved: tuple[News, ...] = ()
    is_rearranged: bool = False  # so much moved that it is told first

    def __bool__(self) -> bool:
        return any(self)

    @property
    def linked(self) -> int:
        """Return how many of the corrected lines stay as they are, with the operator's words beside them."""
        count = 0
        for each in self.corrected:
            count += each.whose == _LINKED
        return count


class _At(NamedTuple):
    path: str
    entry: Entry


def read_changed(history: History, base_id: str | None, tip_id: str) -> Changed:
    """Return what the files of ``tip_id`` have that those of ``base_id`` have not, and what they lost."""
    base = history.tree_of(base_id)
    tip = history.tree_of(tip_id)
    moved = read_moves(history, base_id, tip_id)
    paths = [path for path in tip.changed(base) if _is_told(path)]
    changed = Changed()
    if paths:
        with present_fold(history) as store:
            changed = _News(base, tip, _Commits(history, base_id, tip_id), paths, store).changed()
    # what left memory is told one by one under "Dropped"; of much, the count first
    news = tuple(
        News(each.sentence, each.command) for each in moved.moves if moved.is_large or not each.is_loss
    )
    return changed._replace(moved=news, is_rearranged=moved.is_large)


def _is_told(path: str) -> bool:
    return holds_entries(path) or path in (LEDGER, CONFLICTS) or is_identity(path) or is_standing(path)


class _Commits:
    """The changes between the two states, the newest first, read when they are first asked for."""

    def __init__(self, history: History, base_id: str | None, tip_id: str) -> None:
        self._history = history
        self._range = [tip_id] if base_id is None else [tip_id, f"^{base_id}"]

    @cached_property
    def changes(self) -> list[tuple[LoggedChange, FileChange]]:
        return [
            (each, change)
            for each in read_changes(self._history, *WITH_FILES, *self._range)
            for change in file_changes(self._history, each)
            if _is_told(change.path)
        ]

    def with_line(self, path: str, words: str, *, came: bool) -> LoggedChange | None:
        """Return the newest commit that brought a line with these words into a file, or took one out; else the newest there."""
        of_path = [(commit, change) for commit, change in self.changes if change.path == path]
        data = words.encode()
        for commit, change in of_path:
            if any(data in line for line in (change.came if came else change.left)):
                return commit
        return of_path[0][0] if of_path else None


class _News:
    def __init__(self, base: Tree, tip: Tree, commits: _Commits, paths: list[str], store: FoldStore) -> None:
        self.store = store
        self.base = base
        self.tip = tip
        self.commits = commits
        self.paths = paths
        before = standing_corrections(base)
        self.corrections = {key: each for key, each in standing_corrections(tip).items() if key not in before}

    def changed(self) -> Changed:
        # an entry without an id is known by its words; news of what was corrected is under "Corrected"
        applied = [each for each in self.corrections.values() if each.status is Status.APPLIED]
        words = {words for each in applied for words in (each.said, each.correct) if words}
        ids = {entry_id for each in self.corrections.values() for entry_id in each.corrects}

        def is_corrected(at: _At) -> bool:
            return at.entry.entry_id in ids or parted(at.entry.text).statement in words

        before = self._entries(self.base)
        after = self._entries(self.tip)
        learned: list[News] = []
        typed: list[tuple[_At, LoggedChange]] = []
        for at, commit, news in self._came(before, after):
            if is_corrected(at):
                continue
            if commit is not None and _is_typed(commit):
                typed.append((at, commit))
            else:
                learned.append(news)
        left = {key: at for key, at in before.items() if at.entry.entry_id or not is_corrected(at)}
        return Changed(
            tuple(learned),
            (*self._corrected(), *self._decided()),
            tuple(self._identity()),
            tuple(self._dropped(left, after)),
            tuple(self._typed(typed)),
        )

    def _entries(self, tree: Tree) -> dict[str, _At]:
        entries = {}
        for path in filter(holds_entries, self.paths):
            for entry in read_entries(tree.read(path) or b""):
                entries[f"m:{entry.entry_id}" if entry.entry_id else entry.text] = _At(path, entry)
        return entries

    def _came(
        self, before: Mapping[str, _At], after: Mapping[str, _At]
    ) -> list[tuple[_At, LoggedChange | None, News]]:
        """Return the new entries, then those that say something else by now, each with the commit that brought it."""
        known = {at.entry.text for at in before.values()}
        new = []
        reworded = []
        for key, at in after.items():
            was = before.get(key)
            is_old = at.entry.text in known if was is None else at.entry.text == was.entry.text
            if is_old:
                continue
            commit = self.commits.with_line(at.path, at.entry.text, came=True)
            undo = _short(commit)
            if was is not None:
                text = f"{_said(at)} (before: {parted(was.entry.text).statement})"
                reworded.append((at, commit, self._with_source(at, News(text, f"clawgit undo {undo}"))))
                continue
            if at.entry.entry_id:
                undo = key
            new.append((at, commit, self._with_source(at, News(_said(at), f"clawgit undo {undo}"))))
        return new + reworded

    def _with_source(self, at: _At, news: News) -> News:
        """Return news with whose words an entry is and the sentence behind it."""
        words = piece_of(at.entry).words
        quote = ""
        for _, row in self.store.wordings(at.entry.entry_id or "", words):
            quote = quote or quote_of(row.said.split("\n"))
        if at.path.startswith((LEARNED, LEARNED_BEFORE)):
            return news._replace(whose="not your words", quote=quote)
        whose = whose_words(self.store, words, UNKNOWN)
        return news._replace(whose=WHOSE.get(whose, whose), quote=quote)

    def _typed(self, typed: Iterable[tuple[_At, LoggedChange]]) -> Iterable[News]:
        paths: dict[str, Counter[str]] = {}
        commits: dict[str, set[str]] = {}
        for at, commit in typed:
            paths.setdefault(commit.actor, Counter())[at.path] += 1
            commits.setdefault(commit.actor, set()).add(commit.commit_id)
        for actor, counts in paths.items():
            lines = "1 line" if counts.total() == 1 else f"{counts.total():,} lines"
            files = [path for path, _ in counts.most_common(_NAMED)]
            more = f" and {len(counts) - _NAMED} more files" if len(counts) > _NAMED else ""
            whose = in_words(actor)
            names = " ".join(sorted(commit[:SHORT] for commit in commits[actor])[:_NAMED])
            yield News(f"{lines} in {', '.join(files)}{more}, by {whose}", f"git show {names}")

    def _dropped(self, before: Mapping[str, _At], after: Mapping[str, _At]) -> Iterable[News]:
        standing = {at.entry.text for at in after.values()}
        for key, at in before.items():
            text = at.entry.text
            if key in after or text in standing or self._is_elsewhere(text):
                continue
            if at.entry.entry_id is not None and self._is_elsewhere(text, retired=True):
                yield News(parted(text).statement, f"clawgit memory revive {key}")
            else:
                commit = self.commits.with_line(at.path, text, came=False)
                yield News(parted(text).statement, f"clawgit undo {_short(commit)}")

    def _is_elsewhere(self, words: str, *, retired: bool = False) -> bool:
        """Say whether words moved to a file of another kind, such as an archive; or to that of entries that left memory."""
        data = words.encode()
        for path in self.tip.changed(self.base):
            is_other = path.endswith(".md") and path not in self.paths
            if (
                is_other
                and path.startswith(RETIRED_ENTRIES) is retired
                and data in (self.tip.read(path) or b"")
            ):
                return True
        return False

    def _corrected(self) -> Iterable[News]:
        for key, each in self.corrections.items():
            quote = "" if each.trigger == BY_HAND else each.trigger
            if each.status is Status.LINKED:
                yield News(each.said, f"clawgit reject x:{key}", _LINKED, quote)
            elif each.status in (Status.APPLIED, Status.UNDERSTOOD):
                instead = f" (instead of: {each.said})" if each.said else ""
                commit = self.commits.with_line(LEDGER, f"x:{key}", came=True)
                whose = UNDERSTOOD if each.status is Status.UNDERSTOOD else OPERATOR
                text = f"{each.correct or each.trigger}{instead}"
                yield News(text, f"clawgit undo {_short(commit)}", WHOSE[whose], quote)

    def _decided(self) -> Iterable[News]:
        """Yield the conflicts in which one of two entries holds by now."""
        known = {each.conflict_id: each.outcome for each in read_conflicts(self.base.read(CONFLICTS) or b"")}
        for each in read_conflicts(self.tip.read(CONFLICTS) or b""):
            if each.winner is None or each.loser is None or known.get(each.conflict_id) is each.outcome:
                continue
            text = f"{each.winner.statement} (instead of: {each.loser.statement}; {each.rule})"
            yield News(text, f"clawgit approve k:{each.conflict_id} A|B|both")

    def _identity(self) -> Iterable[News]:
        for commit, change in reversed(self.commits.changes):
            path = change.path
            if path not in self.paths or not (is_identity(path) or is_standing(path)):
                continue
            before = self.base.read(path)
            after = self.tip.read(path)
            lines = [f"+ {line}" for line in _net(change.came, after, before)]
            lines += [f"- {line}" for line in _net(change.left, before, after)]
            if lines:
                by = WHOSE.get(commit.actor, commit.actor)
                yield News(f"{path}: {' '.join(lines)}", f"clawgit undo {_short(commit)}", by)


def _short(commit: LoggedChange | None) -> str:
    return "" if commit is None else commit.commit_id[:SHORT]


def _is_typed(commit: LoggedChange) -> bool:
    """Say whether somebody wrote it into the files, and clawgit committed it at most."""
    return commit.op is None or commit.op.startswith(KEEP_OP)


def _said(at: _At) -> str:
    return parted(at.entry.text).statement


def _net(lines: Iterable[bytes], there: bytes | None, not_there: bytes | None) -> list[str]:
    """Return the lines that one state has and the other has not, as words."""
    here = set(split_lines(there or b""))
    elsewhere = set(split_lines(not_there or b""))
    return [
        words
        for line in lines
        if line in here and line not in elsewhere and (words := line.decode("utf-8", "replace").strip())
    ]


def reviewed(records: Records, now: datetime) -> dict[str, News]:
    """Return what the last week's promotion review found, under the name by which it is known again."""
    for note in records.runs(limit=1, agent="promotion-review"):
        if now - note.at <= REVIEWED and note.op and ": " in note.reason:
            said = f"Worth keeping for good: {note.reason.partition('; ')[0]}"
            return {f"review:{note.run_id}": News(said, "clawgit memory promote")}
    return {}


def flagged(records: Records, now: datetime) -> dict[str, News]:
    """Return where the soul keeper saw the agent act otherwise than its soul says, in the last week."""
    found = {}
    for note in records.runs(limit=_KEEPINGS, agent="soul-keeper"):
        if now - note.at <= REVIEWED and _DRIFT in note.reason:
            said = note.reason[note.reason.index(_DRIFT) :].partition("; ")[0]
            found[f"drift:{note.run_id}"] = News(said, "clawgit runs")
    return found
