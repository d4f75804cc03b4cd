"""The news between two states of the files, by the sections of a digest: rows of the log that hold, and what moved."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from itertools import filterfalse
from operator import attrgetter, methodcaller
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.door.linkable import links_in
from clawgit.context.file_slots import place_told
from clawgit.context.longterm_slot import important_first
from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN, WHOSE, with_person
from clawgit.history.authorship.commit_messages import is_edit
from clawgit.history.guards.check import lost_files
from clawgit.history.provenance import statement_changes as changes
from clawgit.history.provenance.correction_files import corrected_by, standing_corrections
from clawgit.history.provenance.set_back import Against, corrections_set_back, said_against
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.reading.changed_words import holds_still, read_word_changes
from clawgit.history.reading.git_log import WITH_FILES, LoggedChange, read_changes
from clawgit.history.reading.rearranged import is_text_beside, read_moves, undone_among
from clawgit.memory.corrections.write_correction import change_in_short
from clawgit.memory.entries import tiers
from clawgit.memory.entries.entries import lines_saying
from clawgit.memory.entries.statements import parted, without_order
from clawgit.memory.undo.text_units import line_statements
from clawgit.operations.change_log import LogRequest, read_log
from clawgit.recall.questions.question_dates import with_day
from clawgit.text.safety.control_characters import counted, few
from clawgit.understanding.corrections.ready_commands import line_proposed, newest_plain, offered_line
from clawgit.understanding.forms.user_words import as_said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.statement_changes import StatementChange
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.workspace.records.records import Records

SHORT = 12
AT_ONCE = 1000  # rows of the log
MOST_TYPED = 3  # lines of one author that are shown
_MOST_COMPARED = 100  # new lines with what the operator took out or corrected
_NAMED = 5  # files and commits named in a sentence
_KEEPINGS = 20  # of the last runs
_DRIFT = "Drift: "
REVIEWED = timedelta(days=7)  # that a review is news


_SECTION_OF = {
    **{each: each for each in (changes.LEARNED, changes.CORRECTED, changes.BACK, changes.TYPED)},
    **dict.fromkeys((changes.AGAINST, changes.OUTDONE, changes.REWRITTEN, changes.CHANGED), "against"),
    **dict.fromkeys((changes.REMOVED, changes.FORGOTTEN, changes.EXPIRED), "dropped"),
    changes.UNDONE: "taken_back",
    changes.EDITED: "files",
}


class News(NamedTuple):
    """A piece of news, and the command that takes it back or answers it; its author, and the sentence behind it."""

    text: str
    command: str
    whose: str = ""
    quote: str = ""

    @property
    def source(self) -> str:
        if self.quote and without_order(self.quote).casefold() not in self.text.casefold():
            return f'{self.whose}: "{self.quote}"'
        return self.whose


class Changed(NamedTuple):
    """The news by the sections of a digest."""

    learned: tuple[News, ...] = ()
    corrected: tuple[News, ...] = ()
    linked: tuple[News, ...] = ()  # his words that plainly correct an entry: those that a yes makes first
    beside: int = 0  # more messages that stand beside entries
    against: tuple[News, ...] = ()  # corrections against which somebody wrote something later
    identity: tuple[News, ...] = ()
    dropped: tuple[News, ...] = ()
    typed: tuple[News, ...] = ()
    typed_lines: int = 0
    files: tuple[News, ...] = ()  # edits of files beside memory
    moved: tuple[News, ...] = ()
    taken_back: tuple[News, ...] = ()
    back: tuple[News, ...] = ()  # what an undo brought
    is_rearranged: bool = False  # so many moves that they come first

    def __bool__(self) -> bool:
        return any(self)


def read_changed(
    history: History, base_id: str | None, tip_id: str, left: Sequence[StatementChange] = ()
) -> Changed:
    """Return what the files gained and lost from ``base_id`` to ``tip_id``, and rows of what rewrites ``left``."""
    changed = _News(history, base_id, tip_id).changed(left)
    moved = read_moves(history, base_id, tip_id, lost_files)
    # each removed entry is listed under "Dropped"; of retired ones, if they are many, the count comes first
    news = []
    dropped = list(changed.dropped)
    for move in moved.moves:
        if move.verb == "removed" and move.unit != "line":
            dropped.append(News(move.sentence, move.command, move.whose))
        elif move.verb != "removed" and (moved.is_large or not move.is_loss):
            news.append(News(move.sentence, move.command))
    return changed._replace(moved=tuple(news), dropped=tuple(dropped), is_rearranged=moved.is_large)


class _News:
    def __init__(self, history: History, base_id: str | None, tip_id: str) -> None:
        self._history = history
        self._base = history.tree_of(base_id)
        self._tip = history.tree_of(tip_id)
        reach = [tip_id] if base_id is None else [tip_id, f"^{base_id}"]
        between = read_changes(history, *WITH_FILES, *reach)
        self._commits = {each.commit_id: each for each in between}  # newest first
        before = {(key, each.status) for key, each in standing_corrections(self._base).items()}
        now = standing_corrections(self._tip).items()
        self._corrections = {key: each for key, each in now if (key, each.status) not in before}
        self._paths = {step.path for each in self._commits.values() for step in each.files}
        self._had = self._statements(self._base)
        self._has = self._statements(self._tip)
        self._undone = undone_among(self._commits.values())
        self._past: set[str] = set()  # words that later rows changed
        self._told_words: set[str] = set()
        self._came: dict[str, StatementChange] = {}  # by their words, what was remembered between the states
        self._decisions: Mapping[str, Against] = {}  # of the operator's, by the statement against them

    def changed(self, left: Sequence[StatementChange]) -> Changed:
        links = links_in(self._history, self._tip)
        links = [each for each in links if each.correction_id in self._corrections]
        newest = newest_plain(links)
        sections: dict[str, list[News]] = defaultdict(list)
        typed: list[StatementChange] = []
        for row in filter(self._is_news, (*left, *self._rows())):
            came = row
            is_undone = row.verb == changes.UNDONE and not _is_by_message(row)
            if is_undone:  # a correction of what came between the states
                came = self._came.get(row.words, row)
            section = self._section(came)
            if section == "typed":
                typed.append(came)
            else:
                news = self._told(came, section)
                news = news._replace(text=with_day(news.text, came.day, came.before))
                sections[section].append(news)
        changed = Changed(
            linked=tuple(self._linked(newest.values())),
            beside=len(links) - len(newest),
            typed=tuple(self._typed(typed)),
            typed_lines=len(typed),
        )
        lists: dict[str, Any] = {name: tuple(news) for name, news in sections.items()}
        return changed._replace(**lists)

    def _rows(self) -> list[StatementChange]:
        """Return the corrections that were set back, and the rows of the log between the states, newest first."""
        against = corrections_set_back(self._history)
        rows = list(against.values())
        if not self._commits:
            return rows
        since = min(map(attrgetter("moment"), self._commits.values()))
        entries = set(map(attrgetter("entry_id"), rows)) - {""}
        new: dict[str, None] = {}
        again = {}  # what the operator took out before
        for row in self._logged(since):
            is_told = row.entry_id in entries or row.correction_id.removeprefix("x:") in against
            is_kind = row.kind in _SECTION_OF and row.verb != changes.NOTED  # the log has these
            if row.commit_id not in self._commits or not is_kind or is_told:
                continue
            if row.verb != changes.SET_BACK:  # those that hold are above
                rows.append(row)
            if row.verb in (changes.REMEMBERED, changes.CORRECTED) and row.words not in self._had:
                self._came[row.words] = row
            if row.verb == changes.REMEMBERED and row.actor in (HOST, UNKNOWN):
                new[row.words] = None
            if not row.words and row.actor == OPERATOR and row.before in new:
                again[row.before] = Against("took this out")
        self._decisions = again | said_against(self._history, list(new)[:_MOST_COMPARED])
        return rows

    def _logged(self, since: datetime) -> Iterator[StatementChange]:
        log = read_log(self._history, LogRequest(limit=AT_ONCE), since)
        yield from log.rows
        while log.after:
            log = read_log(self._history, LogRequest(limit=AT_ONCE, after=log.after), since)
            yield from log.rows

    def _statements(self, tree: Tree) -> frozenset[str]:
        """Return what a state says in the files that differ, or differed in between."""
        statements = set()
        for path in {*self._tip.changed(self._base), *self._paths}:
            if tiers.holds_entries(path) or tiers.is_identity(path) or tiers.is_standing(path):
                for each in line_statements(tree.read(path) or b"", path):
                    statements.add(parted(each.words).statement)
        return frozenset(statements)

    def _is_news(self, row: StatementChange) -> bool:
        """Say whether what a row says holds in the second state and did not in the first; rows are asked about from the newest."""
        if row.verb in (changes.SET_BACK, changes.REWRITTEN):
            return True
        if row.verb == changes.BACK:
            before, after = self._history.around(self._commits[row.commit_id])
            texts = (
                after.read(row.path) or b"",
                before.read(row.path) or b"",
                self._tip.read(row.path) or b"",
            )
            came = lines_saying(texts[:1]) - lines_saying(texts[1:2])
            return bool(came & lines_saying(texts[2:]))
        if row.verb == changes.EDITED:
            return self._is_edited(row)
        if row.verb == changes.LEFT_OUT:
            return bool(row.correction_id) and not row.committed_by
        words = row.words or row.before
        is_past = words in self._past and words not in self._has
        is_news = words not in self._told_words and not (row.words and is_past)
        if row.path == row.before == tiers.RITUAL:
            return is_news
        if not row.words:
            is_by_other = bool(row.committed_by) or row.actor in (HOST, UNKNOWN)
            is_open = row.commit_id not in self._undone
            is_lost = row.was_his and is_open and (is_by_other or _is_by_message(row))
            is_news = is_news and (is_lost or words in self._had) and words not in self._has
        elif not row.before and row.verb != changes.EXPIRED:
            is_new = words not in self._had or words in self._decisions
            is_news = is_news and is_new and words in self._has
        if row.verb == changes.CORRECTED:
            is_news = is_news and bool(row.correction_id)
        self._past.add(row.before)
        if is_news:
            self._told_words.add(words)
        return is_news

    def _section(self, row: StatementChange) -> str:
        section = _SECTION_OF[row.kind]
        if row.verb in (changes.SET_BACK, changes.EDITED, changes.LEFT_OUT, changes.REWRITTEN, changes.BACK):
            return section
        if tiers.is_identity(row.path) or tiers.is_standing(row.path):
            return "identity"
        if row.words and section != "against" and is_edit(self._commits[row.commit_id].op):
            return "typed"
        return section

    def _told(self, row: StatementChange, section: str) -> News:
        commit = self._commits.get(row.commit_id)
        command = "clawgit log"
        if commit is not None:
            command = undo_of(commit, row.path)
        if section == "against":
            return _against_him(row)
        if section == "corrected":
            return _corrected(row, self._tip, command)
        if section == "learned":
            return self._learned(row, command)
        if section == "files":
            return _edited(row, commit)
        if section == "identity":
            return _of_soul(row, command)
        if section == "taken_back" and _is_by_message(row):
            return News(_in_short(row), command, row.author, row.quote)
        if row.words and row.verb != changes.EXPIRED:
            return News(_in_short(row), command)
        return _dropped(row, command)

    def _learned(self, row: StatementChange, command: str) -> News:
        whose = row.author
        if row.entry_id:
            command = f"clawgit undo {row.entry_id}"
        if row.path.startswith((tiers.LEARNED, tiers.LEARNED_BEFORE)):
            whose = "not your words"
            if row.words in self._decisions:
                whose += f": you {self._decisions[row.words].done}"
            if row.quote:
                whose += "; it cites"
        return News(as_said(row.words), command, whose, row.quote)

    def _is_told(self, path: str) -> bool:
        return is_text_beside(path) and self._base.entry(path) is not None

    def _is_edited(self, row: StatementChange) -> bool:
        """Say whether an edit of a file beside memory is still as it was made."""
        commit = self._commits[row.commit_id]
        if not row.is_in_words:  # of one or several files, by count
            has_unnamed = row.words.endswith(" more")
            lost = lost_files(self._history, commit)  # these are asked about
            for step in commit.files:
                is_of_row = step.path not in lost and (has_unnamed or f"{step.path} " in row.words)
                trees = *self._history.around(commit), self._tip
                if is_of_row and self._is_told(step.path) and holds_still(*trees, step.path):
                    return row.actor != OPERATOR and row.commit_id not in self._undone
            return False
        if not self._is_told(row.path):
            return False
        states = self._base, self._tip
        around = self._history.around(commit)
        edits = read_word_changes(*around, row.path, states) or ()
        return row.words in map(attrgetter("words"), edits)

    def _typed(self, rows: Iterable[StatementChange]) -> Iterator[News]:
        """Yield each author's lines: a few in words (of the operator only changed ones), the rest as counts by place."""
        by_author: dict[str, list[StatementChange]] = {}
        for row in rows:
            by = row.doer
            if row.words in self._decisions:
                by += f"; you {self._decisions[row.words].done}"
            by_author.setdefault(by, []).append(row)
        for by, own in by_author.items():
            lines = sorted(own, key=lambda line: not line.before)
            if by != WHOSE[OPERATOR]:
                lines = important_first(lines, attrgetter("words"))
            shown = lines[:MOST_TYPED]
            if by == WHOSE[OPERATOR]:
                shown = list(filter(attrgetter("before"), shown))
            for row in shown:
                text = as_said(row.words)
                if row.before:
                    text += f" (before: {as_said(row.before)})"
                yield News(text, undo_of(self._commits[row.commit_id], row.path), by)
            rest = lines[len(shown) :]
            if rest:
                files = list(dict.fromkeys(map(attrgetter("path"), rest)))
                amount = counted(len(rest), f"{'more ' * bool(shown)}line")
                yield News(f"{amount} in {few(files, _NAMED)}, by {by}", "clawgit log")

    def _linked(self, links: Iterable[Correction]) -> Iterable[News]:
        """Return the lines with his words beside them, those that a yes makes first."""
        news = []
        with present_fold(self._history) as store:
            for each in sorted(links, key=attrgetter("at"), reverse=True):
                link = f"x:{each.correction_id}"
                whose = corrected_by(self._history, store, link, "you said")
                change = as_said(each.said)
                command = f"clawgit pending show {link}"
                line = line_proposed(each)
                if line:
                    command = f"clawgit approve {link}"
                line = line or offered_line(each.said, each.trigger)
                if line:
                    change = change_in_short(change, as_said(line))
                news.append(News(change, command, whose, each.trigger))
        return sorted(news, key=lambda each: " show " in each.command)


def _is_by_message(row: StatementChange) -> bool:
    return row.verb == changes.UNDONE and row.whose == OPERATOR != row.actor


def _in_short(row: StatementChange) -> str:
    if row.before and row.words:
        return change_in_short(as_said(row.before), as_said(row.words))
    return as_said(row.words or row.before)


def _against_him(row: StatementChange) -> News:
    """Return a row that sets back a correction, takes the place of his words, or was left out by a merge or a rewrite."""
    text = _in_short(row)
    by = row.doer
    if row.verb in (changes.LEFT_OUT, changes.REWRITTEN):
        return News(text, row.correction_id, with_person(row.kind, row.committed_by))
    if row.verb == changes.SET_BACK:
        return News(text, f"clawgit undo {row.correction_id}", f"{by}, against a correction")
    return News(text, f"clawgit undo {row.correction_id}", f"{by}, in the place of your words")


def _corrected(row: StatementChange, tip: Tree, command: str) -> News:
    if row.verb == changes.DECIDED:
        text = f"{row.words} (instead of: {row.before})"
        return News(text, f"clawgit approve {row.entry_id} A|B|both", row.author, row.quote)
    text = _in_short(row)
    if not tiers.is_correction_file(row.path):
        place, _ = place_told(row.path, tip.read(row.path) or b"", row.words) or ("", "")
        text += f" ({place})" * bool(place)
    if row.verb != changes.REWORDED:
        command = f"clawgit undo {row.correction_id or row.entry_id}"
    return News(text, command, row.author, row.quote)


def _dropped(row: StatementChange, command: str) -> News:
    if row.verb == changes.EXPIRED:
        return News(row.words, f"clawgit memory revive {row.entry_id}")
    by = row.committed_by
    if row.actor in (HOST, UNKNOWN) or row.verb == changes.APPROVED:
        by = row.author
    if not row.is_forgotten:
        return News(as_said(row.before), command, by)
    return News(f"A line of {row.path}, forgotten{' as you said' * (not by)}", command, by)


def _of_soul(row: StatementChange, command: str) -> News:
    lines = []
    if row.path == row.before == tiers.RITUAL:
        return News(f"{row.path}: gone, the first conversation is over", command, row.author)
    if row.words:
        lines.append(f"+ {row.words}")
    if row.before:
        lines.append(f"- {row.before}")
    return News(f"{row.path}: {' '.join(lines)}", command, row.author)


def _edited(row: StatementChange, commit: LoggedChange | None) -> News:
    command = "clawgit log"
    if commit is not None and row.is_in_words:
        command = undo_of(commit, row.path)
    elif commit is not None:
        command = commit.way_back  # of several files
    if not row.before:
        return News(row.words, command, row.author)
    old = row.before.removeprefix(f"{row.path}: ")
    new = row.words.removeprefix(f"{row.path}: ")
    return News(f'{row.path}: "{old}" → "{new}"', command, row.author)


def undo_of(commit: LoggedChange, path: str) -> str:
    """Return the command that takes back what a commit did to a file: of an edit of several files, this one alone."""
    if is_edit(commit.op) and len(commit.files) > 1 and len(commit.parent_ids) < 2:
        return f"{commit.way_back} {quote(path)}"
    return commit.way_back


def found_by_runs(history: History, records: Records, now: datetime) -> dict[str, News]:
    """Return, by name, what of last week's promotion review is still to be promoted, and where the soul keeper saw the agent act against its soul."""
    news = {}
    for note in records.runs(limit=1, agent="promotion-review"):
        if now - note.at <= REVIEWED and note.op and ": " in note.reason:
            from clawgit.agents.promotion import find_candidates, usual_criteria

            candidates = find_candidates(history, now, usual_criteria(history))
            for each in list(filterfalse(methodcaller("stays", OPERATOR), candidates))[:1]:
                sentence = f"Worth keeping for good: {each.line}"
                news[f"review:{note.run_id}"] = News(sentence, "clawgit memory promote")
    for note in records.runs(limit=_KEEPINGS, agent="soul-keeper"):
        if now - note.at <= REVIEWED and _DRIFT in note.reason:
            text = note.reason[note.reason.index(_DRIFT) :].partition("; ")[0]
            news[f"drift:{note.run_id}"] = News(text, "clawgit runs --all")
    return news
