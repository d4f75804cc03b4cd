"""`log`: each change of a statement, newest first; routine changes are one row a day."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.actors import (
    HOST,
    OPERATOR,
    PROPOSED,
    RUNNER,
    UNKNOWN,
    actors_called,
    author_of,
    authorship,
    named_by_git,
    other_person,
)
from clawgit.history.authorship.commit_messages import FILES_ALONE
from clawgit.history.authorship.intent import began_at
from clawgit.history.provenance import statement_changes
from clawgit.history.provenance.correction_files import Present, kept_instead, standing_corrections
from clawgit.history.provenance.fold_store import FoldStore, LogQuery
from clawgit.history.provenance.statement_changes import ChangeReader, CommitRows, StatementChange
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.reading import rearranged
from clawgit.history.reading.git_log import moment_of, tips
from clawgit.history.review.arrivals import read_arrivals
from clawgit.memory.corrections.corrected_entries import changed_against
from clawgit.memory.entries.statements import parted
from clawgit.memory.notes import is_agents_turn
from clawgit.memory.trust import UNDERSTOOD
from clawgit.operations.paths import workspace_path
from clawgit.text.safety.control_characters import few
from clawgit.text.trailers import LOSS_MARK, REVERTS
from clawgit.workspace.layout import AGENT_NAMES, BOOTSTRAP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.provenance.pieces import Seen
    from clawgit.operations.caller import Caller, Listed

PAGE = 50
FOLDED, SHOWN = 10, 3  # rows of one commit: of more than these, so many are shown
_REPLACING = (statement_changes.REMOVED, statement_changes.REMEMBERED)
_HIS = (OPERATOR, UNDERSTOOD)  # the trust of the operator's words
_DAY = timedelta(days=1)
_JOBS = (*AGENT_NAMES, RUNNER)
_FIRST, _LAST = "0000", "9999-12-31"  # of dates, as git writes them


class ChangeLog(NamedTuple):
    """Rows, newest first; ``after`` names the next page, empty on the last; ``gap`` is why rows may be missing."""

    rows: tuple[StatementChange, ...]
    after: str = ""
    gap: str = ""


class LogRequest(NamedTuple):
    """Filters: time, entry (an id or words), file and who made it (``by``); ``after`` names a page.

    ``folded`` counts what a commit from outside clawgit changed beyond its first rows. ``whole`` lists each line
    that a commit cut off or brought back.
    """

    since: str | None = None
    until: str | None = None
    entry: str | None = None
    file: str | None = None
    by: str | None = None
    limit: Listed | None = None
    after: str | None = None
    folded: bool = False
    whole: bool = False


def show_log(caller: Caller, request: LogRequest) -> ChangeLog:
    history = caller.history()
    since = caller.first_of(request.since, history)
    until = None
    if request.until is not None:
        until = caller.time_asked(request.until, history).last
    if request.file is not None:
        request = request._replace(file=workspace_path(history.root, request.file))
    log = read_log(history, request, since, until)
    if request.file and not log.rows and not (history.root / request.file).exists():
        of_any_time = read_log(history, LogRequest(file=request.file, limit=1), None)
        if not of_any_time.rows and not of_any_time.gap:
            hint = "`clawgit log --entry WORDS` lists the changes of a statement."
            raise ClawgitError(f"No file or folder {request.file} is known.", hint=hint)
    return log


def read_log(
    history: History, request: LogRequest, since: datetime | None, until: datetime | None = None
) -> ChangeLog:
    """Return a page of rows, reading no more history than it needs. A page may end within a commit."""
    query = LogQuery(
        _FIRST if since is None else (since - _DAY).date().isoformat(),
        _LAST if until is None else (until + 2 * _DAY).date().isoformat(),
        file=request.file or "",
    )
    entry = request.entry or ""
    name, words = entry.removeprefix("m:"), ""
    if entry and not entry.startswith(("m:", "x:", "k:")):
        from clawgit.operations.why import why_named

        why = why_named(history, entry, datetime.now(UTC))
        name, words = "", why.words
        if why.state is not None:
            name = why.state.entry.entry_id or ""
    with present_fold(history) as store:
        if name or words:
            query = _of_entry(store, query, words, name)
        page = _Page(history, store, request)
        return page.read(page.rows(query), since, until)


def _of_entry(store: FoldStore, query: LogQuery, words: str, name: str) -> LogQuery:
    from clawgit.history.provenance.fold_store import followed

    words = words or store.last_words(name) or ""
    if not words:
        raise UsageError(f"Nothing is called {name}.", hint="`clawgit memory list` shows the ids.")
    wordings = {words: None}
    for row in followed(store, words, name or store.id_of(words)):
        wordings |= {row.words: None, row.before: None}
    wordings.pop("", None)
    return query._replace(names=(name,) if name else (), words=tuple(wordings))


class _Page:
    def __init__(self, history: History, store: FoldStore, request: LogRequest) -> None:
        self._history, self._store = history, store
        self._limit = request.limit or PAGE
        self._is_folded = request.folded
        self._actors: frozenset[str] = frozenset()
        if request.by:
            self._actors = frozenset(actors_called(request.by))
        self._is_whole = request.whole or bool(request.entry or request.file)
        # a page begins at this number in the fold, behind some rows of its commit
        self._first: int | None = None
        self._skipped = 0
        if request.after:
            number, _, skipped = request.after.partition(".")
            if not number.isdecimal() or not skipped.isdecimal():
                sentence = f"{request.after!r} is no place in the log."
                raise UsageError(sentence, hint="Use `after` of the page before.")
            self._first = int(number)
            self._skipped = int(skipped)
        self._reader = ChangeReader(history, store)
        self._present = Present(history)
        self._authors = authorship(history)
        self._own = author_of(history, OPERATOR)
        self._zone: tzinfo | None = history.settings.time_zone
        self._day: date | None = None  # of the first commit of this page, which an earlier one may have begun
        self._found: list[StatementChange] = []
        self._routine: Counter[str] = Counter()
        self._latest: datetime | None = None  # of what is routine

    @cached_property
    def _left_out_commits(self) -> frozenset[str]:
        branch, _ = tips(self._history)
        others = set(self._authors.tips).difference(branch)
        without = map("^{}".format, branch)
        return frozenset(named_by_git(self._history, "rev-list", *others, *without) if others else ())

    @cached_property
    def _began(self) -> float:
        return began_at(self._history)

    def rows(self, query: LogQuery) -> Iterator[tuple[int, Seen]]:
        begins = None if self._first is None else self._store.numbered(self._first)
        if begins is not None:
            self._day = self._moment(begins.at).date()
            query = query._replace(before=self._first, day=self._day.isoformat())
        return self._store.logged(query)

    def read(
        self, seen: Iterable[tuple[int, Seen]], since: datetime | None, until: datetime | None
    ) -> ChangeLog:
        for commit_id, pairs in self._by_commit(seen):
            when = self._moment(pairs[0][1].at)
            if (since is not None and when < since) or (until is not None and when > until):
                continue
            commit = self._history.objects.commit(commit_id)
            actor = self._authors.actor(commit)
            if self._actors and not self._actors & {actor, OPERATOR}:
                continue
            number = pairs[0][0]
            is_above = self._first is not None and number > self._first
            if is_above and when.date() != self._day:
                continue
            self._end_day(when.date())
            if len(self._found) >= self._limit:
                return ChangeLog(tuple(self._found), f"{number}.0")
            is_before = commit.trailers.first("Clawgit-Op") is None and commit.made_at < self._began
            is_claimed = commit_id in self._reader.claims
            made = CommitRows(commit, actor, when, pairs[::-1], is_before, is_claimed)
            changes, routine = self._changes_of(made)
            self._routine.update(routine)
            if routine and self._latest is None:
                self._latest = when
            if is_above:
                continue
            skipped = self._skipped if number == self._first else 0
            room = self._limit - len(self._found)
            self._found += changes[skipped : skipped + room]
            if len(changes) > skipped + room:
                return ChangeLog(tuple(self._found), f"{number}.{skipped + room}")
        self._end_day(None)
        return ChangeLog(tuple(self._found), gap=self._history.objects.unread)

    def _changes_of(self, made: CommitRows) -> tuple[list[StatementChange], Counter[str]]:
        """Return a commit's rows, as far as they are asked for, and the counts of what is routine in it."""
        commit = made.commit
        changes, routine = self._reader.read(made)
        if not self._is_whole:
            changes = self._reader.without_merged(made, changes, routine)
        changes = list(map(self._set_back, self._gathered(made, self._replaced(made, changes))))
        if not changes and made.actor == OPERATOR:
            changes += _taken_back(made)
        more = f"changes of {commit.commit_id[:12]} not listed (`clawgit log --all` lists them)"
        if made.is_edit and (self._is_folded or self._actors):
            from clawgit.context.longterm_slot import important_first

            changes = sorted(important_first(changes, lambda row: row.words or row.before), key=_rank)
        if self._is_folded and len(changes) > FOLDED and made.is_edit:
            routine[more] = len(changes) - SHOWN
            del changes[SHOWN:]
        changes += self._file_rows(made, changes)
        changes = self._settled(commit, changes)
        routine[statement_changes.FILES_MOVED] += self._moved_by_job(made)
        if self._actors:
            his = _HIS * (OPERATOR in self._actors)  # what rests on his messages is his, too
            changes = list(filter(lambda row: row.actor in self._actors or row.whose in his, changes))
            if made.actor not in self._actors:
                routine.clear()
        return changes, +routine

    def _by_commit(self, seen: Iterable[tuple[int, Seen]]) -> Iterator[tuple[str, list[tuple[int, Seen]]]]:
        """Yield the rows of each commit, but not of one that a rewrite left out or another branch has, or whose op had the same rows later, as in a rebase's copy."""
        later = set()
        for commit_id, group in groupby(seen, key=lambda pair: pair[1].commit_id):
            pairs = list(group)
            if commit_id in self._left_out_commits or not self._history.objects.has_commit(commit_id):
                continue
            commit = self._history.objects.commit(commit_id)
            op = commit.trailers.first("Clawgit-Op")
            act = op or (commit.author, commit.message, pairs[0][1].at)
            rows = act, frozenset(row._replace(commit_id="", at="") for _, row in pairs)
            if op is None or rows not in later:
                yield commit_id, pairs
            later.add(rows)

    def _replaced(self, made: CommitRows, changes: list[StatementChange]) -> list[StatementChange]:
        """Return the rows; a line that an edit put in the place of another is one row with both, unless both are there now."""
        verbs = set(map(attrgetter("verb"), changes))
        if not made.is_edit or not verbs.issuperset(_REPLACING):
            return changes
        from clawgit.history.reading.changed_words import read_replaced

        around = self._history.around(made.commit)
        left = {(row.path, row.before): row for row in changes if row.verb == statement_changes.REMOVED}
        for at, row in enumerate(changes):
            if row.verb == statement_changes.REMEMBERED:
                before = read_replaced(*around, row.path).get(row.words, "")
                gone = None
                if not self._present.statements.issuperset((before, row.words)):
                    gone = left.pop((row.path, before), None)
                if gone is not None:
                    reworded = row._replace(verb=statement_changes.REWORDED, before=before)
                    changes[at] = reworded._replace(was_his=gone.was_his)
        return [row for row in changes if row.verb != statement_changes.REMOVED or row in left.values()]

    def _gathered(self, made: CommitRows, changes: list[StatementChange]) -> list[StatementChange]:
        """Return a commit's rows; what it cut off a file is one row, and all that it brought back another."""
        if self._is_whole:
            return changes
        commit = made.commit
        row = _row(made)
        gathered = []
        left: list[StatementChange] = []
        back = []
        again = self._again(made)
        for each in changes:
            is_back = each.verb == statement_changes.UNDONE or each.words in again
            if is_back and each.words and not each.before:
                back.append(each)
            else:
                left.append(each)
        reverted = commit.trailers.first(REVERTS) or ""
        if (reverted or again) and len(back) > FOLDED:
            count = len(back)
            if reverted:
                count = rearranged.count_new(*self._history.around(commit))
            words = rearranged.lines_back(count, reverted)
            if commit.commit_id in self._undone:
                words += ", but went again since"
            if not reverted:
                words += f': "{back[0].words}", …'
            gathered.append(row._replace(verb=statement_changes.BACK, words=words, path=back[0].path))
        else:
            left = changes
        is_cut = any(row.kind == "lines" and statement_changes.lines_of(row)[1] for _, row in made.rows)
        if is_cut or statement_changes.REMOVED in map(attrgetter("verb"), left):
            left = self._cut_off(commit, row, left)
        return gathered + left

    def _again(self, made: CommitRows) -> set[str]:
        """Return the statements that somebody's edit wrote again, without those that go against the operator."""
        again = set()
        for _, row in made.rows:
            if row.kind == "words" and not row.before and self._reader.is_again(made, row.words):
                again.add(parted(row.words).statement)
        if len(again) > FOLDED:
            from clawgit.history.provenance.set_back import said_against

            again.difference_update(said_against(self._history, again))
        return again

    def _cut_off(
        self, commit: Commit, row: StatementChange, changes: Sequence[StatementChange]
    ) -> list[StatementChange]:
        """Return the rows of a commit that removed lines: those of a file cut short, and of BOOTSTRAP, as one row."""
        from clawgit.history.guards.check import cut_short  # not where nothing was removed

        tree = self._history.tree_of(commit.commit_id)
        gathered = []
        lost = set()
        for finding in cut_short(self._history, commit):
            path = finding.where
            if tree.entry(path) is not None:  # that a file is gone has a row of its own
                if not self._actors:  # who asks what an actor did sees each line, too
                    lost.add(path)
                loss = row._replace(
                    verb=statement_changes.LOST, words=finding.sentence.rstrip("."), path=path
                )
                gathered.append(loss._replace(correction_id=f"l-{commit.commit_id[:12]}"))
        if BOOTSTRAP in map(attrgetter("path"), changes) and tree.entry(BOOTSTRAP) is None:
            lost.add(BOOTSTRAP)
            gathered.append(row._replace(verb=statement_changes.REMOVED, before=BOOTSTRAP, path=BOOTSTRAP))
        for each in changes:
            if each.path not in lost or each.verb != statement_changes.REMOVED:
                gathered.append(each)
        return gathered

    @cached_property
    def _undone(self) -> set[str]:
        """Return the commits taken back by a commit that was not itself taken back."""
        undone: set[str] = set()
        for name in self._store.verdicts():
            commit = self._history.objects.commit(name)
            if name not in undone and not commit.subject.startswith(FILES_ALONE):
                reverted = commit.trailers.first(REVERTS) or ""
                undone.update(reverted.replace(LOSS_MARK, "").split())
        return undone

    def _file_rows(self, made: CommitRows, changes: Sequence[StatementChange]) -> Iterator[StatementChange]:
        """Yield changes of files without statements: taken over at adoption (not those that clawgit added), else moved, edited (unless statements were corrected), or gone with text that is in no other file."""
        commit = made.commit
        row = _row(made)
        base, tip = self._history.around(commit)
        if made.is_adoption:
            paths = dict.fromkeys(each.path for _, each in made.rows)
            present = list(filter(tip.entry, paths))
            if made.actor == UNKNOWN and present:
                yield row._replace(verb=statement_changes.TAKEN_OVER, words=few(present, SHOWN))
            if len(present) < len(paths):
                yield from _gone_files(row._replace(verb=statement_changes.REMOVED), base, tip)
            return
        files = {row.path: row for _, row in made.rows if row.kind == "lines"}
        if not files:
            return
        is_corrected = statement_changes.CORRECTED in map(attrgetter("verb"), changes)
        places: Mapping[str, str] = {}  # new by old; moves by jobs are routine
        if made.actor not in _JOBS and any(0 in statement_changes.lines_of(each) for each in files.values()):
            places = rearranged.read_new_places(base, tip)
        word = commit.subject.partition(": ")[0]
        is_taking = word in _TAKING
        moved, last = rearranged.moved_in_words(places, files, base, tip, is_taking=is_taking)
        if moved:
            yield row._replace(verb=statement_changes.MOVED, words=moved, path=last)
        if not is_taking and not is_corrected:
            edited = dict(files)
            for path in places.values():
                edited.pop(path, None)
            for _, each in made.rows:
                if each.kind == "words" and base.entry(each.path) is None:
                    edited.pop(each.path, None)  # its entries tell it
            yield from self._edited(made, edited, base, tip)
        if any(each.said.startswith("+0 ") for each in files.values()):
            verb = _TAKING.get(word, statement_changes.REMOVED)
            yield from _gone_files(row._replace(verb=verb), base, tip)

    def _edited(
        self, made: CommitRows, edited: Mapping[str, Seen], base: Tree, tip: Tree
    ) -> Iterator[StatementChange]:
        """Yield rows of edited files: a few small edits in their words; the others, and those of a merge, by count."""
        from clawgit.history.reading.changed_words import MOST, read_word_changes

        counts = []
        number = 0
        last = ""
        is_merge = len(made.commit.parent_ids) > 1
        for path, each in edited.items():
            if not statement_changes.is_told_file(made, each) or tip.entry(path) is None:
                continue
            came, left = statement_changes.lines_of(each)
            changes = None
            if not is_merge and number < SHOWN and max(came, left) <= MOST:
                changes = read_word_changes(base, tip, path)
            if changes == [] and base.entry(path) is not None:
                continue  # only white space or comments
            if changes and number + len(changes) <= SHOWN:
                number += len(changes)
                for change in changes:
                    row = self._row_of(made, change.new)
                    yield self._edit(row._replace(words=change.words, before=change.before, path=path))
            else:
                counts.append(f"{path} {f'+{came} ' * bool(came)}{f'-{left}' * bool(left)}".rstrip())
                last = path
        if counts:
            yield self._row_of(made, "")._replace(words=few(counts, SHOWN), path=last)

    @cached_property
    def _against(self) -> Iterable[StatementChange]:
        from clawgit.history.provenance.set_back import corrections_set_back

        return corrections_set_back(self._history).values()

    def _edit(self, row: StatementChange) -> StatementChange:
        """Return the row of an edit; of one against a correction, the row that says so."""
        if not row.committed_by and row.actor not in (HOST, UNKNOWN):
            return row
        for each in self._against:
            says_so = row.words.rstrip('"').endswith((each.words or each.before).strip("| "))
            if says_so and (each.commit_id, each.path) == (row.commit_id, row.path):
                return each
        return row

    def _row_of(self, made: CommitRows, line: str) -> StatementChange:
        """Return the base row of an edit that brought ``line``; a claim does not cover lines labelled as the agent's."""
        agent = self._reader.claims.get(made.commit.commit_id)
        if agent is not None and is_agents_turn(line, agent):
            made = made._replace(is_claimed=False)
        return _row(made)._replace(verb=statement_changes.EDITED)

    def _moved_by_job(self, made: CommitRows) -> int:
        """Count the files that a job moved; a row has the old or the new path, of a file or folder that is asked for one of them."""
        names = set()
        if made.actor in _JOBS:
            for _, row in made.rows:
                if row.kind == "lines" and not any(statement_changes.lines_of(row)):
                    names.add(row.path.rpartition("/")[2])
        return len(names)

    def _settled(self, commit: Commit, changes: list[StatementChange]) -> list[StatementChange]:
        """Return rows with their committer and the id that settles each: of an undo or a forgetting, the commit in the last row; of what goes against the operator, in each."""
        word = commit.subject.partition(": ")[0]
        is_forgotten = word == "forget" and commit.trailers.first("Clawgit-Op") is not None
        way_back = ""
        is_taking = word in _TAKING or "\nThis reverts commit " in commit.message
        is_open = commit.commit_id not in self._undone and len(commit.parent_ids) < 2
        if is_taking and is_open:
            way_back = commit.commit_id[:12]
        name = other_person(self._own, commit)
        for at in range(len(changes) - 1, -1, -1):
            row = self._left_out(changes[at])._replace(committed_by=name, is_forgotten=is_forgotten)
            settling = self._in_force(row)
            if is_open and (_is_against_him(row) or row.whose == PROPOSED):
                settling = commit.commit_id[:12]
            if way_back and row.verb in statement_changes.TAKING:
                settling = way_back
                way_back = ""
            changes[at] = row._replace(correction_id=settling)
        return changes

    def _left_out(self, row: StatementChange) -> StatementChange:
        """Return a row; of what a merge decided against, as left out, with the command that makes it again."""
        lost = None
        if not self._present.has_merges:
            return row
        entry_id = row.entry_id.removeprefix("m:")
        if row.verb == statement_changes.CORRECTED and row.correction_id:
            lost = kept_instead(self._present, self._store, row.correction_id)
        elif row.verb == statement_changes.REMOVED and row.actor == OPERATOR:
            lost = self._present.stayed(self._store, row.commit_id, entry_id, row.before)
        elif row.verb == statement_changes.REMEMBERED and row.whose in _HIS:
            lost = self._present.dropped(self._store, row.commit_id, entry_id, row.words)
        if lost is None:
            return row
        verb = statement_changes.LEFT_OUT
        return row._replace(verb=verb, before=row.words, words=lost[0], correction_id=lost[1])

    def _set_back(self, row: StatementChange) -> StatementChange:
        """Return a row with its verb; that of an edit against a correction in force says so."""
        if row.verb != statement_changes.REWORDED or row.actor not in (HOST, UNKNOWN):
            return row
        corrections = standing_corrections(self._history.tip().tree).values()
        name = row.entry_id.removeprefix("m:")
        if changed_against(name, row.before, row.words, corrections) is None:
            return row
        return row._replace(verb=statement_changes.SET_BACK)

    def _in_force(self, row: StatementChange) -> str:
        """Return the id of the correction while it holds, or of the link while it is beside the line; else an empty text."""
        if not row.correction_id or row.verb == statement_changes.LEFT_OUT:
            return row.correction_id
        if row.verb == statement_changes.LOST:
            for each in read_arrivals(self._history).open:
                if each.is_loss and each.commit_id == row.commit_id:
                    return row.correction_id
            return ""
        tree = self._history.tip().tree
        corrections = standing_corrections(tree)
        correction = corrections.get(row.correction_id.removeprefix("x:"))
        if correction is None:
            return ""
        is_in_force = correction.holds
        if row.verb == statement_changes.LINKED:
            from clawgit.agents.door.linkable import links_in

            present = map(attrgetter("correction_id"), links_in(self._history))
            is_in_force = correction.correction_id in present
        return row.correction_id if is_in_force else ""

    def _end_day(self, day: date | None) -> None:
        if self._latest is None or self._latest.date() == day:
            return
        counts = tuple(sorted(self._routine.items()))
        self._found.append(StatementChange(self._latest, statement_changes.ROUTINE, counts=counts))
        self._routine.clear()
        self._latest = None

    def _moment(self, at: str) -> datetime:
        return moment_of(at).astimezone(self._zone)


def _rank(row: StatementChange) -> int:
    """Return the place of a row within its commit: the operator's words that went or changed, other losses, the rest, what came back."""
    if row.verb == statement_changes.LOST or row.was_his:
        return 0
    if row.verb == statement_changes.REMOVED:
        return 1
    return 2 + (row.verb == statement_changes.BACK)


def _is_against_him(row: StatementChange) -> bool:
    """Say whether the agent or nobody known set back a correction, or removed or reworded a line of the operator's words, or another person removed one."""
    if row.verb == statement_changes.REMOVED and row.actor == OPERATOR:
        return row.was_his and bool(row.committed_by) and not row.is_forgotten
    is_taken = row.verb in (statement_changes.REMOVED, statement_changes.REWORDED)
    is_of_his = row.was_his and row.actor in (HOST, UNKNOWN)
    return row.verb == statement_changes.SET_BACK or (is_taken and is_of_his)


def _row(made: CommitRows) -> StatementChange:
    actor = made.actor
    if made.is_claimed:
        actor = OPERATOR
    return StatementChange(made.when, "", whose=actor, actor=actor, commit_id=made.commit.commit_id)


def _gone_files(row: StatementChange, base: Tree, tip: Tree) -> Iterator[StatementChange]:
    for gone in rearranged.read_rearranged(base, tip):
        if gone.is_gone_file:
            words = gone.sentence.removesuffix(rearranged.GONE)
            yield row._replace(before=words, path=gone.source)


_TAKING = {"forget": statement_changes.REMOVED} | dict.fromkeys(("undo", "redo"), statement_changes.UNDONE)


def _taken_back(made: CommitRows) -> Iterator[StatementChange]:
    """Yield the row of a forgetting or undo of a line beside memory, which is not a statement."""
    command, _, name = made.commit.subject.partition(": ")
    if command in _TAKING:
        yield _row(made)._replace(verb=_TAKING[command], before=name, path=made.rows[0][1].path)
