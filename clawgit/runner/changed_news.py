"""The news between two states of the files, by statement, with the command that takes each back; for the digest."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache, cached_property, partial
from itertools import filterfalse, product, starmap
from operator import attrgetter, itemgetter, methodcaller
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.linkable import linked_statements
from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN, WHOSE, in_words
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.guards.check import lost_files
from clawgit.history.provenance.correction_files import Present, kept_instead, standing_corrections
from clawgit.history.provenance.fold_store import LogQuery
from clawgit.history.provenance.set_back import corrections_set_back, said_against
from clawgit.history.provenance.statement_changes import corrected_by, quote_of, whose_in_words
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.reading.changed_words import read_replaced
from clawgit.history.reading.git_log import WITH_FILES, FileLines, LoggedChange, file_changes, read_changes
from clawgit.history.reading.rearranged import lines_back, read_moves, read_taken_back
from clawgit.history.views import FORGOTTEN
from clawgit.memory.conflict_log import read_conflicts
from clawgit.memory.corrections.correction_log import BY_HAND, LEDGER, Correction, Status
from clawgit.memory.corrections.write_correction import EntryInFile, change_in_short, standing_links
from clawgit.memory.entries import tiers
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.notes import is_agents_turn
from clawgit.memory.provenance.pieces import ENTRY, piece_of, storable
from clawgit.memory.trust import UNDERSTOOD
from clawgit.runner import typed_lines
from clawgit.runner.typed_lines import SHORT, News, TypedLine
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.secrets import redact
from clawgit.text.trailers import REVERTS
from clawgit.understanding.corrections.ready_commands import line_proposed, newest_plain, offered_line
from clawgit.understanding.evidence.said_words import ANY_DAY, read
from clawgit.understanding.evidence.says_beyond import has_one, repeats_value, replaces_value, says_again
from clawgit.understanding.forms.user_words import as_said

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.provenance.set_back import Against
    from clawgit.history.provenance.statement_changes import StatementChange
    from clawgit.workspace.records.records import Records

_LINKED, _LEFT_OUT = "you said", "left out by a merge"
_MADE = (Status.APPLIED, Status.UNDERSTOOD)
_KEEPINGS = 20  # of the last runs
_MANY = 10  # lines of one commit that were there before: more are counted
_MOST_COMPARED = 1000  # new lines with what the operator took out or corrected
_DRIFT = "Drift: "
REVIEWED = timedelta(days=7)  # that a review is news


class Changed(NamedTuple):
    """The news by the sections of a digest."""

    learned: tuple[News, ...] = ()
    corrected: tuple[News, ...] = ()
    linked: tuple[News, ...] = ()  # his words that plainly correct an entry: those that a yes makes first
    beside: int = 0  # more messages that stand beside entries
    against: tuple[News, ...] = ()  # corrections against which he said, or somebody wrote, something later
    identity: tuple[News, ...] = ()
    dropped: tuple[News, ...] = ()
    typed: tuple[News, ...] = ()
    typed_lines: int = 0
    files: tuple[News, ...] = ()  # edits of files beside memory
    moved: tuple[News, ...] = ()
    taken_back: tuple[News, ...] = ()
    back: tuple[News, ...] = ()  # what an undo brought, by count
    is_rearranged: bool = False  # so many moves that they come first

    def __bool__(self) -> bool:
        return any(self)


def read_changed(history: History, base_id: str | None, tip_id: str) -> Changed:
    """Return what the files gained and lost from ``base_id`` to ``tip_id``."""
    base = history.tree_of(base_id)
    tip = history.tree_of(tip_id)
    moved = read_moves(history, base_id, tip_id, lost_files)
    changed_paths = tip.changed(base)
    paths = list(filter(_is_told, changed_paths))
    changed = Changed()
    against = corrections_set_back(history)
    if changed_paths:
        with present_fold(history) as store:
            if paths:
                changed = _News(history, base_id, tip_id, paths, store).changed(against)
            files = typed_lines.read_file_news(history, base_id, tip_id, store.claims())
            changed = changed._replace(files=files)
    # each removed entry is listed under "Dropped"; of retired ones, if they are many, the count comes first
    news = []
    dropped = list(changed.dropped)
    for move in moved.moves:
        if move.verb == "removed" and move.unit != "line":
            dropped.append(News(move.sentence, move.command))
        elif move.verb != "removed" and (moved.is_large or not move.is_loss):
            news.append(News(move.sentence, move.command))
    back = tuple(starmap(News, read_taken_back(history, base_id, tip_id)))
    against_him = (*map(_set_back, against.values()), *changed.against)
    changed = changed._replace(moved=tuple(news), dropped=tuple(dropped), against=against_him)
    return changed._replace(taken_back=back, is_rearranged=moved.is_large)


def _is_of_soul(path: str) -> bool:
    return tiers.is_identity(path) or tiers.is_standing(path)


def _is_told(path: str) -> bool:
    return _is_of_soul(path) or tiers.holds_entries(path) or path in (LEDGER, tiers.CONFLICTS)


def _set_back(row: StatementChange) -> News:
    text = change_in_short(as_said(row.before), as_said(row.words))
    return News(text, f"clawgit undo {row.correction_id}", f"{in_words(row.actor)}, against your correction")


def _changed_his(line: TypedLine) -> News:
    text = change_in_short(as_said(redact(line.before)), as_said(redact(line.at.parts.statement)))
    return News(text, line.commit.way_back, f"{line.by}, in the place of your words")


def _brought_back(commit: LoggedChange, statements: Sequence[str]) -> News:
    text = lines_back(len(statements), commit.trailers.first(REVERTS) or "")
    text += f': "{statements[0]}"' + ", …" * (len(statements) > 1)
    return News(text, f"git show {commit.commit_id[:SHORT]}")


def _later_against(links: Iterable[Correction], made: Iterable[Correction]) -> dict[Correction, Correction]:
    """Return the corrections against which he said something later, each with the link of his last such words."""
    against = {}
    for correction, link in product(made, sorted(links, key=attrgetter("at"))):
        if _is_against(link, correction):
            against[correction] = link
    return against


def _is_against(link: Correction, correction: Correction) -> bool:
    """Say whether linked words came after a correction, and repeat the value that it replaced, or have a third one beside its line."""
    new = read(correction.correct)
    is_later = link.at >= correction.at and not set(link.evidence) & set(correction.evidence)
    if not is_later or not correction.said or says_again(link.trigger, correction.correct, ANY_DAY):
        return False
    values = read(link.trigger).values
    gone = filterfalse(partial(has_one, stated=new), zip(read(correction.said).values, strict=True))
    if any(map(partial(has_one, stated=read(link.trigger)), gone)):
        about = telling(correction.correct)
        shared = len(shared_with(about, telling(link.trigger)))
        if shared > 1 or 2 * shared > len(about):  # `Beto is off on Tuesday` is not about Ada's days off
            return True
    is_beside = link.said == correction.correct
    return is_beside and bool(values) and replaces_value(link.trigger, correction.correct, ANY_DAY)


class _News:
    def __init__(
        self, history: History, base_id: str | None, tip_id: str, paths: list[str], store: FoldStore
    ) -> None:
        self.store = store
        self.base = history.tree_of(base_id)
        self.tip = history.tree_of(tip_id)
        self.paths = paths
        self._history = history
        self._claims = store.claims()
        self._lost_files = cache(partial(lost_files, history))
        self._decisions: Mapping[
            str, Against
        ] = {}  # of the operator's, by the new statement that they are against
        reach = [tip_id] if base_id is None else [tip_id, f"^{base_id}"]
        changes = read_changes(history, *WITH_FILES, *reach)
        self.commits = {each.commit_id: each for each in changes}  # between the two states, newest first
        before = {(key, each.status) for key, each in standing_corrections(self.base).items()}
        self._standing = standing_corrections(self.tip)
        now = self._standing.items()
        self.corrections = {key: each for key, each in now if (key, each.status) not in before}

    @cached_property
    def _removals(self) -> dict[str, LoggedChange]:
        """Return by its words the newest commit that took a line out, or gave it other words."""
        removals: dict[str, LoggedChange] = {}
        first_day = min((commit.at[:10] for commit in self.commits.values()), default="")
        for _, row in self.store.logged(LogQuery(first_day, "9999-12-31")):
            commit = self.commits.get(row.commit_id)
            if commit is None or row.before in ("", row.words):
                continue
            is_merge = len(commit.parent_ids) > 1
            if not (is_merge and self.store.is_gone_elsewhere(row.before, row.commit_id)):
                removals.setdefault(row.before, commit)
        return removals

    def _source_of(self, at: EntryInFile) -> tuple[LoggedChange | None, str]:
        """Return the commit that brought an entry's words, not one that only moved them or brought them back, and what they replaced."""
        source, before = None, ""
        for name in dict.fromkeys(["", at.entry.entry_id or ""]):
            for _, row in self.store.wordings(name, piece_of(at.entry).words):
                commit = self.commits.get(row.commit_id)
                if commit is None:
                    continue
                is_new = row.before != row.words and commit.trailers.first(REVERTS) is None
                if source is None or is_new:
                    source, before = commit, row.before
        return source, before

    def changed(self, set_back: Mapping[str, StatementChange]) -> Changed:
        """Return the news without the corrections ``set_back``, by id, and their entries, which are listed as such."""
        # an entry without an id is identified by its words; corrected entries are listed under "Corrected"
        before = self._entries(self.base)
        after = self._entries(self.tip)
        overridden = self._overridden(after.values())
        overridden.update(filter(None, map(self.corrections.get, set_back)))
        entries_back = set(map(attrgetter("entry_id"), set_back.values()))
        made = [each for each in self.corrections.values() if each.status in _MADE]
        words = {words for each in made for words in (each.said, each.correct) if words}
        holding = filterfalse(overridden.__contains__, made)
        ids = {entry_id for each in holding for entry_id in each.corrects}

        def is_corrected(at: EntryInFile) -> bool:
            return at.entry.entry_id in ids or at.parts.statement in words

        learned: list[News] = []
        typed: list[TypedLine] = []
        back: dict[LoggedChange, list[str]] = {}
        left = dict(before)
        for key, at in self._came(before, after):
            if key in entries_back:
                continue
            commit, words_before = self._source_of(at)
            if commit is not None and (commit.op is None or commit.op.startswith(KEEP_OP)):
                old = self._words_before(at, words_before, commit)
                typed.append(TypedLine(at, old, commit, self._typed_by(at, commit)))
            elif is_corrected(at) or (key in before and before[key].entry.text == at.entry.text):
                continue
            elif commit is not None and commit.trailers.first(REVERTS):
                back.setdefault(commit, []).append(at.parts.statement)
            else:
                learned.append(self._learned(at, before.get(key), commit))
        undone = set(back)
        typed = self._without_again(typed, back)
        his = list(filter(self._replaces_his, typed))[: typed_lines.MOST_TYPED]
        words.update(map(attrgetter("before"), typed))
        for key, at in before.items():
            # a correction may name one sentence of a line without an id
            is_reworded = any(each.said and each.said in at.entry.text for each in made)
            if not at.entry.entry_id and (is_reworded or is_corrected(at)):
                left.pop(key, None)
        statements = linked_statements(self.tip, self.corrections.values())
        links = standing_links(self.corrections.values(), statements)
        against = _later_against(links, made)
        links = list(filterfalse(list(against.values()).__contains__, links))
        own = filter(lambda news: news.whose == _LEFT_OUT, (*self._left_out.values(), *self._stayed()))
        newest = newest_plain(links)
        return Changed(
            learned=tuple(learned),
            corrected=(*self._corrected(overridden.union(against)), *self._decided()),
            linked=tuple(self._linked(newest.values())),
            beside=len(links) - len(newest),
            against=(*map(_changed_his, his), *own, *starmap(self._against, against.items())),
            identity=tuple(self._identity()),
            dropped=tuple(self._dropped(left, after, undone)),
            typed=tuple(typed_lines.typed_news(filterfalse(his.__contains__, typed))),
            typed_lines=len(typed) - len(his),
            back=tuple(starmap(_brought_back, back.items())),
        )

    def _without_again(self, typed: list[TypedLine], back: dict[LoggedChange, list[str]]) -> list[TypedLine]:
        """Return typed lines; of a commit that wrote many lines as they were before, these go to ``back``."""
        again: dict[LoggedChange, list[TypedLine]] = {}
        for each in typed:
            origin = self.store.origin(piece_of(each.at.entry).key)
            is_before = origin is not None and origin.commit_id != each.commit.commit_id
            if is_before and each.at.parts.statement not in self._decisions:
                again.setdefault(each.commit, []).append(each)
        for commit, lines in again.items():
            if len(lines) > _MANY:
                back[commit] = list(map(attrgetter("at.parts.statement"), lines))
                typed = list(filterfalse(lines.__contains__, typed))
        return typed

    def _overridden(self, entries: Iterable[EntryInFile]) -> set[Correction]:
        """Return the corrections whose entry says something else by now, readings included."""
        overridden = set()
        for at, each in product(entries, self.corrections.values()):
            is_of_entry = each.status in _MADE and at.entry.entry_id in each.corrects
            if is_of_entry and each.correct not in at.entry.text:
                overridden.add(each)
        return overridden

    @cached_property
    def _left_out(self) -> dict[str, News]:
        """Return, by id, the new corrections that a merge left out, each with what it kept instead."""
        present = Present(self._history)
        news = {}
        for key, each in self.corrections.items():
            lost = kept_instead(present, self.store, f"x:{key}")
            if lost is not None and lost[1]:
                text = as_said(each.correct)
                if lost[0]:
                    text = change_in_short(text, as_said(lost[0]))
                by = corrected_by(self._history, self.store, f"x:{key}", _LEFT_OUT)
                news[key] = News(text, lost[1], by)
        return news

    def _stayed(self) -> Iterable[News]:
        """Yield the removals of the operator's that a merge left out."""
        present = Present(self._history)
        if not present.has_merges:
            return
        for commit in self.commits.values():
            if commit.actor != OPERATOR or commit.committed_by:
                continue
            for row in self.store.of_commit(commit.commit_id):
                statement = parted(row.before).statement
                lost = present.stayed(self.store, commit.commit_id, row.entry_id, statement)
                if lost is not None and lost[1] and not row.words:
                    yield News(*lost, _LEFT_OUT)

    def _words_before(self, at: EntryInFile, before: str, commit: LoggedChange) -> str:
        """Return what an entry said, or the line whose place somebody else gave it."""
        if before:
            return parted(before).statement
        replaced = read_replaced(*self._history.around(commit), at.path)
        return replaced.get(at.parts.statement, "")

    def _replaces_his(self, line: TypedLine) -> bool:
        """Say whether the agent, or nobody known, typed a line in the place of the operator's words."""
        words = line.before
        entry = line.at.entry
        for _, row in self.store.wordings(entry.entry_id or "", piece_of(entry).words)[-1:]:
            words = row.before or words
        origin = self.store.origin(ENTRY + words) or self.store.origin(words)
        is_his = bool(words) and origin is not None and origin.trust in (OPERATOR, UNDERSTOOD)
        return is_his and line.by != WHOSE[OPERATOR] and line.commit.actor in (HOST, UNKNOWN)

    def _typed_by(self, at: EntryInFile, commit: LoggedChange) -> str:
        """Return who typed a line, in words; a claim does not cover lines labelled as the agent's."""
        agent = self._claims.get(commit.commit_id)
        is_agents = agent is not None and is_agents_turn(at.parts.statement, agent)
        by = typed_lines.author_in_words(commit, () if is_agents else self._claims)
        if at.parts.statement in self._decisions and commit.actor in (HOST, UNKNOWN):
            by += f"; you {self._decisions[at.parts.statement].done}"
        return by

    def _entries(self, tree: Tree) -> dict[str, EntryInFile]:
        entries = {}
        for path in filter(tiers.holds_entries, self.paths):
            for entry in read_entries(tree.read(path) or b""):
                entries[entry.mark or entry.text] = EntryInFile(path, entry)
        return entries

    def _came(
        self, before: Mapping[str, EntryInFile], after: Mapping[str, EntryInFile]
    ) -> list[tuple[str, EntryInFile]]:
        """Return new entries, then reworded ones, each with its key; and note what the operator decided against them."""
        texts = set(map(attrgetter("entry.text"), before.values()))
        forgotten = set()
        for words, commit in self._removals.items():
            if commit.subject.startswith(FORGOTTEN):
                forgotten.add(words)
        new: list[tuple[str, EntryInFile]] = []
        reworded: list[tuple[str, EntryInFile]] = []
        for key, at in after.items():
            was = before.get(key)
            if was is not None and at.entry.text != was.entry.text:
                reworded.append((key, at))
            elif (was is None and at.entry.text not in texts) or storable(at.entry.text) in forgotten:
                new.append((key, at))
        came = new + reworded
        statements = map(attrgetter("parts.statement"), map(itemgetter(1), came[:_MOST_COMPARED]))
        self._decisions = said_against(self._history, list(statements))
        return came

    def _learned(self, at: EntryInFile, was: EntryInFile | None, commit: LoggedChange | None) -> News:
        text = as_said(at.parts.statement)
        command = _undo(commit, at.path)
        if was is not None:
            text += f" (before: {was.parts.statement})"
        elif at.entry.entry_id:
            command = f"clawgit undo {at.entry.mark}"
        return self._with_source(at, News(text, command))

    def _with_source(self, at: EntryInFile, news: News) -> News:
        words = piece_of(at.entry).words
        quote = ""
        for _, row in self.store.wordings(at.entry.entry_id or "", words):
            quote = quote or quote_of(row.said.split("\n"), words)
        if at.path.startswith((tiers.LEARNED, tiers.LEARNED_BEFORE)):
            whose = "not your words"
            if at.parts.statement in self._decisions:
                whose += f": you {self._decisions[at.parts.statement].done}"
            if quote:
                whose += "; it cites"
            return news._replace(whose=whose, quote=quote)
        return news._replace(whose=whose_in_words(self._history, self.store, words), quote=quote)

    def _dropped(
        self,
        before: Mapping[str, EntryInFile],
        after: Mapping[str, EntryInFile],
        back: Collection[LoggedChange],
    ) -> Iterable[News]:
        standing = set(map(attrgetter("entry.text"), after.values()))
        for key, at in before.items():
            text = at.entry.text
            if key in after or text in standing or self._is_elsewhere(text):
                continue
            if at.entry.entry_id is not None and self._is_elsewhere(text, retired=True):
                yield News(at.parts.statement, f"clawgit memory revive {key}")
            else:
                commit = self._removals.get(storable(text))
                if commit is not None and (commit in back or at.path in self._lost_files(commit)):
                    continue
                by = ""
                if commit is not None and commit.committed_by:
                    by = f"in a commit by {commit.committed_by}"
                elif commit is not None and commit.actor in (UNKNOWN, HOST):
                    by = f"by {in_words(commit.actor)}"
                statement = at.parts.statement
                if commit is not None and commit.op and commit.subject.startswith(FORGOTTEN):
                    statement = f"A line of {at.path}, forgotten" + " as you said" * (not by)
                yield News(statement, _undo(commit, at.path), by)

    def _is_elsewhere(self, words: str, *, retired: bool = False) -> bool:
        """Say whether words moved to a file of another kind, such as an archive; with ``retired``, to that of retired entries."""
        for path in self.tip.changed(self.base):
            is_there = path.endswith(".md") and path.startswith(tiers.RETIRED_ENTRIES) is retired
            if is_there and path not in self.paths and words.encode() in (self.tip.read(path) or b""):
                return True
        return False

    def _against(self, correction: Correction, link: Correction) -> News:
        """Return a correction with the later words: of another value with the way to it, else with the way back."""
        change = change_in_short(as_said(correction.said), as_said(correction.correct))
        command = f"clawgit undo x:{correction.correction_id}"
        if link.said == correction.correct and not repeats_value(link.trigger, correction.said, ANY_DAY):
            command = f"clawgit pending show x:{link.correction_id}"
        return News(change, command, "but you said then", link.trigger)

    def _linked(self, links: Iterable[Correction]) -> Iterable[News]:
        """Return the lines with his words beside them, those that a yes makes first."""
        news = []
        for each in sorted(links, key=attrgetter("at"), reverse=True):
            link = f"x:{each.correction_id}"
            whose = corrected_by(self._history, self.store, link, _LINKED)
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

    def _corrected(self, overridden: Collection[Correction]) -> Iterable[News]:
        for key, each in self.corrections.items():
            if each in overridden or key in self._left_out:
                continue
            quote = "" if each.trigger == BY_HAND else each.trigger
            if each.status in _MADE:
                whose = UNDERSTOOD if each.status is Status.UNDERSTOOD else OPERATOR
                text = each.correct or each.trigger
                if each.said:
                    text = change_in_short(as_said(each.said), as_said(text))
                by = corrected_by(self._history, self.store, f"x:{key}", WHOSE[whose])
                yield News(text, f"clawgit undo x:{key}", by, quote)

    def _decided(self) -> Iterable[News]:
        before = read_conflicts(self.base.read(tiers.CONFLICTS) or b"")
        outcomes = {each.conflict_id: each.outcome for each in before}
        for each in read_conflicts(self.tip.read(tiers.CONFLICTS) or b""):
            if each.winner is None or each.loser is None or outcomes.get(each.conflict_id) is each.outcome:
                continue
            text = f"{each.winner.statement} (instead of: {each.loser.statement}; {each.rule})"
            yield News(text, f"clawgit approve k:{each.conflict_id} A|B|both")

    def _changes_of(self, paths: Collection[str]) -> Iterable[tuple[LoggedChange, FileLines]]:
        """Yield the changes of these files with their commits, oldest first."""
        for commit in reversed(self.commits.values()):
            if any(step.path in paths for step in commit.files):
                for change in file_changes(self._history, commit):
                    if change.path in paths:
                        yield commit, change

    def _identity(self) -> Iterable[News]:
        paths = set(filter(_is_of_soul, self.paths))
        for commit, change in self._changes_of(paths):
            path = change.path
            before = self.base.read(path)
            after = self.tip.read(path)
            lines = [f"+ {line}" for line in _net(change.came, after, before)]
            lines += [f"- {line}" for line in _net(change.left, before, after)]
            if after is None and path == tiers.RITUAL:
                lines = ["gone, the first conversation is over"]
            if lines:
                yield News(f"{path}: {' '.join(lines)}", _undo(commit, path), commit.signed_by(WHOSE))


def _undo(commit: LoggedChange | None, path: str) -> str:
    if commit is None:
        return "clawgit log"
    return typed_lines.undo_of(commit, path)


def _net(lines: Iterable[bytes], there: bytes | None, not_there: bytes | None) -> list[str]:
    here = set(split_lines(there or b"")).difference(split_lines(not_there or b""))
    words = (line.decode("utf-8", "replace").strip() for line in lines if line in here)
    return list(filter(None, words))


def found_by_runs(history: History, records: Records, now: datetime) -> dict[str, News]:
    """Return, by name, what of last week's promotion review is still to be promoted, and where the soul keeper saw the agent act against its soul."""
    news = {}
    for note in records.runs(limit=1, agent="promotion-review"):
        if now - note.at <= REVIEWED and note.op and ": " in note.reason:
            from clawgit.agents.promotion import find_candidates, usual_criteria  # noqa: PLC0415 - once a week

            candidates = find_candidates(history, now, usual_criteria(history))
            for each in list(filterfalse(methodcaller("stays", OPERATOR), candidates))[:1]:
                sentence = f"Worth keeping for good: {each.line}"
                news[f"review:{note.run_id}"] = News(sentence, "clawgit memory promote")
    for note in records.runs(limit=_KEEPINGS, agent="soul-keeper"):
        if now - note.at <= REVIEWED and _DRIFT in note.reason:
            text = note.reason[note.reason.index(_DRIFT) :].partition("; ")[0]
            news[f"drift:{note.run_id}"] = News(text, "clawgit runs")
    return news
