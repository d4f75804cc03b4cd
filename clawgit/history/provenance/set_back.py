"""What goes against the operator's word: corrections whose line an edit set back, and lines that he corrected or took out."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from itertools import filterfalse
from operator import itemgetter
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, actor_in, by_person
from clawgit.history.authorship.commit_messages import is_edit
from clawgit.history.provenance.correction_files import Present, corrected_by, is_held
from clawgit.history.provenance.statement_changes import SET_BACK, StatementChange
from clawgit.history.provenance.trust_lookup import day_told, open_trusts, present_fold
from clawgit.history.reading.changed_words import exchanged_lines
from clawgit.history.reading.git_log import read_changes
from clawgit.memory.corrections.corrected_entries import MARK, holds_words, says
from clawgit.memory.corrections.correction_log import BY_HAND, Status
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import holds_entries, is_correction_file
from clawgit.memory.provenance.pieces import ENTRY, TAKEN_OUT
from clawgit.memory.undo.text_units import line_statements
from clawgit.text.comparing.similarity import words as words_of
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from datetime import date

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.provenance.pieces import Seen


def corrections_set_back(history: History) -> dict[str, StatementChange]:
    """Return the edit of each correction's line by id, to be undone; an edit of who made it, or of a job, sets nothing back."""
    present = Present(history)
    latest: dict[str, str] = {}  # by entry
    in_force = []
    for piece, each in sorted(present.corrections, key=lambda pair: pair[1].at):
        if each.holds and each.status in (Status.APPLIED, Status.UNDERSTOOD):
            in_force.append((piece, each))
            latest.update(dict.fromkeys(each.corrects, each.correction_id))
    rows = {}
    with present_fold(history) as store:
        for piece, each in in_force:
            courses = list(_courses_beside(history, store, each))
            for name in each.corrects:
                if latest[name] == each.correction_id:
                    courses.append(store.course_of(name))
            for row in filter(None, map(partial(_set_back, present, store, each), courses)):
                if is_held(present, store, MARK + each.correction_id, piece.words):
                    rows[each.correction_id] = row
    return rows


def _courses_beside(history: History, store: FoldStore, correction: Correction) -> Iterator[list[Seen]]:
    """Yield the wordings of each line that is no entry, and that had a correction's words and lost them; the last is empty if it went."""
    tip = history.tip()
    for made in store.seen(MARK + correction.correction_id):
        before, after = history.around(history.objects.commit(made.commit_id))
        words = correction.correct.encode()
        for path in after.changed(before):
            if is_correction_file(path) or (correction.corrects and holds_entries(path)):
                continue
            text = tip.tree.read(path) or b""
            if text.count(words) < (after.read(path) or b"").count(words):
                course = list(_course_of_line(history, made._replace(path=path), correction.correct))
                if course and course[-1].words.encode() in (tip.tree.read(course[-1].path) or b""):
                    yield course


def _course_of_line(history: History, row: Seen, correct: str, line: str = "") -> Iterator[Seen]:
    """Yield the wordings since ``row`` of the line that had a correction's words, also in the file that it was moved to."""
    reach = ("--first-parent", history.tip().commit_id or "", f"^{row.commit_id}")
    for commit in reversed(list(read_changes(history, *reach, paths=[row.path]))):
        before, after = history.around(commit)
        for old, new in exchanged_lines(before, after, row.path):
            if not (line and old == line) and not holds_words(old, correct):
                continue
            line, place = new, row.path
            for path in after.changed(before) if not new else ():
                if old in map(itemgetter(0), exchanged_lines(after, before, path)):
                    line, place = old, path
            now = row._replace(words=line.removeprefix("- "), commit_id=commit.commit_id, path=place)
            yield now
            if place != row.path:
                yield from _course_of_line(history, now, correct, line)
                return


def _set_back(
    present: Present, store: FoldStore, correction: Correction, course: Iterable[Seen]
) -> StatementChange | None:
    """Return the change that left a line wrong, or took it out; None if it is right, elsewhere, or as the operator or a job left it.

    Who undoes an undo words nothing: what comes back is its author's.
    """
    edits: dict[str, Seen] = {}  # of others, by the words that they left
    words: str | None = None
    place = ""
    maker = corrected_by(present.history, store, MARK + correction.correction_id)
    for each in course:
        place = each.path
        if each.words != words:
            words = each.words
            if not present.is_his(store, each.commit_id) or _is_anothers(present.history, each, maker):
                edits[words] = each
            elif not present.takes_back(each.commit_id):
                edits.pop(words, None)
    against = edits.get(words or "")
    if against is None or holds_words(against.words, correction.correct):
        return None
    commit = present.history.objects.commit(against.commit_id)
    if not words and (correction.corrects or _is_elsewhere(present.history, commit, correction.correct)):
        return None  # that an entry went has a row of its own
    actor = actor_in(present.history, commit)
    statement = parted(against.words).statement
    undo = ""
    is_moved = place != against.path and not correction.corrects  # an undo finds an entry by its id
    if is_moved or _lines_changed(present.history, commit) > 1:
        undo = _place_of(present.history, place, statement)
    return StatementChange(
        datetime.fromtimestamp(commit.made_at, present.history.settings.time_zone),
        SET_BACK,
        statement,
        correction.correct,
        whose=actor,
        entry_id="".join(map("m:{}".format, correction.corrects[:1])),
        path=against.path,
        commit_id=against.commit_id,
        actor=actor,
        correction_id=undo or against.commit_id[:12],
        committed_by=by_person(present.history, against.commit_id),
    )


def _lines_changed(history: History, commit: Commit) -> int:
    before, after = history.around(commit)
    lines = 0
    for path in after.changed(before):
        came = len(list(exchanged_lines(after, before, path)))
        lines += max(came, len(list(exchanged_lines(before, after, path))))
    return lines


def _place_of(history: History, path: str, statement: str) -> str:
    """Return the path and number of the one line of a file with these words, as an argument; empty if none or several have them."""
    statements = line_statements(history.tip().tree.read(path) or b"", path)
    lines = [each for each in statements if parted(each.words).statement == statement]
    if len(lines) != 1:
        return ""
    return quote(f"{path}:{lines[0].first + 1}")


def _is_anothers(history: History, row: Seen, maker: str) -> bool:
    """Say whether another person than ``maker`` typed it, in an edit that is no merge."""
    commit = history.objects.commit(row.commit_id)
    return (
        is_edit(commit.trailers.first("Clawgit-Op"))
        and len(commit.parent_ids) < 2
        and by_person(history, row.commit_id) != maker
    )


def _is_elsewhere(history: History, commit: Commit, correct: str) -> bool:
    """Say whether words that a commit took out are in a file that it or a later one changed."""
    tree = history.tip().tree

    def is_in(path: str) -> bool:
        return says((tree.read(path) or b"").decode("utf-8", "replace"), correct)

    return any(map(is_in, filterfalse(is_correction_file, tree.changed(history.around(commit)[0]))))


class Against(NamedTuple):
    """A decision of the operator's: what he did, when and in which words, and the line that holds since, with its correction."""

    done: str
    at: str = ""
    quote: str = ""
    holds: str = ""
    name: str = ""

    def told(self, who: str, on: date) -> str:
        sentence = f"{who} {self.done}"
        if self.at:
            sentence += f" on {day_told(self.at, on)}"
        if self.quote and self.quote != BY_HAND:
            sentence += f': "{redact(folded(self.quote)).rstrip(".")}"'
        if self.name:
            sentence += f'; "{self.holds}" is in force ({self.name})'
        return f"{sentence}."


def said_against(history: History, statements: Collection[str]) -> dict[str, Against]:
    """Return, by statement, the operator's last decision against it, if it has one."""
    against: dict[str, Against] = {}
    if not statements:
        return against
    with open_trusts(history) as trusts:
        decided = []  # the last first
        for each in reversed(trusts.corrections(history.tip().tree).values()):
            decided.append((each, set(words_of(f"{each.said} {each.correct}"))))
        decided.sort(key=lambda pair: (pair[0].at, pair[0].holds), reverse=True)
        for statement in statements:
            decision = _corrected(statement, decided)
            if decision is None:
                decision = trusts.ask(partial(_taken_out, trusts.present, statement))
            if decision is not None:
                against[statement] = decision
    return against


def _corrected(statement: str, decided: Iterable[tuple[Correction, set[str]]]) -> Against | None:
    own = set(words_of(statement))
    for each, about in decided:
        if 2 * len(own & about) < len(own):
            continue
        from clawgit.understanding.corrections.outdated import is_outdated  # noqa: PLC0415 - only where a line is near

        is_same = bool(each.said) and _is_same(statement, each.said)
        if each.holds and _is_same(statement, each.correct):
            return None
        if each.holds and (is_same or is_outdated(statement, each.said, each.correct)):
            return Against("corrected this", each.at, each.trigger, each.correct, MARK + each.correction_id)
        if each.status is Status.LINKED and is_same:
            return Against("said against it", each.at, each.trigger)
        if each.status is Status.WITHDRAWN and each.correct and _is_same(statement, each.correct):
            return Against("took this back")
    return None


def _taken_out(present: Present, statement: str, store: FoldStore) -> Against | None:
    """Return the last removal of a statement, if the operator removed it and did not bring it back."""
    objects = present.history.objects
    for row in store.all_taken_out(statement.rstrip(".。")):
        if row.entry_id in present.words or not _is_same(statement, parted(row.before).statement):
            continue
        his = store.origin(TAKEN_OUT + ENTRY + row.before)  # if they were his words
        is_his = his is None and actor_in(present.history, objects.commit(row.commit_id)) == OPERATOR
        if is_his or (his is not None and his.commit_id):
            return Against("took this out", row.at)
    return None


def _is_same(one: str, other: str) -> bool:
    from clawgit.understanding.facts import same_statement  # noqa: PLC0415 - only where a line is near

    return same_statement.relation(one, other) is same_statement.Relation.SAME
