"""`forget`: finds the line that the operator names and lines that say the same, and takes a line out as `undo` takes out an entry."""

from __future__ import annotations

import re
import shlex
from datetime import datetime
from itertools import filterfalse
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_store import followed
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.provenance.why import committed_line, find_removed
from clawgit.history.reading.blame import blame
from clawgit.history.reading.git_log import read_changes
from clawgit.history.transaction.working_tree import WorkFiles
from clawgit.history.undo.take_back import Taking, take_back
from clawgit.history.undo.undo import Undoing, find_undoing, quoted
from clawgit.history.undo.undo_targets import stands_in, steps_of
from clawgit.identity.soul_policy import BLANK_FIELD
from clawgit.memory.corrections.corrected_entries import holds_words, says
from clawgit.memory.corrections.correction_log import LEDGER, Status, read_corrections, without_corrections
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries import tiers
from clawgit.memory.entries.statements import MOST_OTHERS, UNSURE, parted, which_is_meant
from clawgit.memory.notes import TITLE, USER, speaker_of, words_of
from clawgit.memory.provenance.pieces import readable
from clawgit.memory.undo.text_units import Statement, line_statements, statements
from clawgit.plan import FORGET
from clawgit.text.comparing.similarity import CLOSE, deciding_words, facts_differ, likeness, words
from clawgit.text.comparing.subjects import is_alike, shared_with, subject, telling, told_by_both
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import ENDINGS, split_lines
from clawgit.text.markdown.merge_lines import hunks
from clawgit.text.trailers import REVERTS
from clawgit.text.words.word_lists import UNIT
from clawgit.understanding.evidence.numbered_things import numbers_another
from clawgit.understanding.evidence.orders_to_forget import NUMBERS, is_unwanted, to_forget
from clawgit.understanding.evidence.taking_back import is_of_another
from clawgit.workspace.layout import BOOTSTRAP, CONFIG, PROMPTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History

# Subjects: words with a capital letter, or with a possessive.
_NAMED = lazy_pattern(r"[^\W\d_a-zß-ÿ][\w.]+|\w+(?=['’]s\b)")
_NUMBER = lazy_pattern(r"\d+")
_LONG_NUMBER = lazy_pattern(r"\b(?!(?:19|20)\d\d\b)\d(?: ?\d){3}")  # a telephone number or a PIN, not a year
_FEWEST = 2  # with two of several telling words a line is not a guess
_DAY_OR_MONTH = lazy_pattern("(?:day|month) ")
_INITIALS = lazy_pattern(r"\b[A-Z]{2}\b")  # `the PO`
_SEARCHED = (
    "`clawgit memory search WORDS` forgives typing errors, and finds what files say that are no UTF-8: take it out of these"
    " yourself. `clawgit keep` commits what you typed just now."
)


class StatementLine(NamedTuple):
    """A statement and its file; ``mark`` is its id in commands, empty without one."""

    path: str
    statement: Statement
    mark: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.statement.first + 1}"

    @property
    def text(self) -> str:
        return parted(self.statement.words).statement

    @property
    def command(self) -> str:
        if self.mark.startswith("x:"):
            return f"clawgit undo {self.mark}"
        return f"clawgit forget {self.named}"

    @property
    def named(self) -> str:
        """Return its id, else its place quoted for a shell."""
        return self.mark or shlex.quote(self.place)


class LinesMeant(NamedTuple):
    """The lines that may be meant, the best first; ``is_sure`` if their words match, not only their likeness."""

    lines: tuple[StatementLine, ...]
    is_sure: bool = True
    note: str = ""


def find_entry(history: History, mark: str) -> LinesMeant:
    tree = history.tip().tree
    for path in entry_files(tree):
        for statement in statements(tree.read(path) or b"", path):
            if mark == f"m:{statement.entry_id}":
                return LinesMeant((line_at(path, statement),))
    find_undoing(history, mark)  # its error names the change that took it out, or a similar id
    raise ClawgitError(f"{mark} is no line of a file.", hint=_SEARCHED)


def find_place(history: History, path: str, number: int) -> LinesMeant:
    """Return the statement of a line (from 1) of the folder's file."""
    then, note = committed_line(history, path, number)
    data = history.tip().tree.read(path) or b""
    for line in committed_at(data, path, then) if has_lines(path, data) else ():
        return LinesMeant((line,), note=note)
    sentence = f"Line {number} of {path} is no statement: a heading, front matter, a blank line, or in a file that clawgit writes."
    if b"\0" in data:
        sentence = f"{path} is not UTF-8: clawgit reads it and does not write it. Edit it there."
    raise ClawgitError(sentence, hint="Name a line with words. `clawgit undo x:…` withdraws a correction.")


def committed_at(data: bytes, path: str, number: int) -> list[StatementLine]:
    """Return the statement of a line (from 1) of a committed file, empty if it is something else."""
    every = line_statements(data, path)
    return [line_at(path, each) for each in every if each.first < number <= each.last]


def find_lines(history: History, target: str) -> LinesMeant:
    """Return the lines that say ``target``: in these words, with these among theirs, else in similar words."""
    statement = parted(target).statement
    tree = history.tip().tree
    lines = list(lines_in(tree, statement))
    meant = which_is_meant(statement, list(map(attrgetter("text"), lines)), most=len(lines))
    if meant is None:
        likely = find_alike(tree, statement)
    else:
        likely = list(map(lines.__getitem__, (meant.number, *meant.others)))
    likely = of_its_number(without_orders(likely, statement), statement)
    if likely and meant is not None and meant.by not in UNSURE:
        return LinesMeant(tuple(likely))
    fitting = []
    if likely or find_removed(history, statement) is None:
        fitting = of_its_number(_with_rarest_word(tree, statement, likely), statement)
    if not fitting:
        raise no_line(history, target, statement)
    return LinesMeant(tuple(fitting), is_sure=False)


def has_words(line: StatementLine, target: str) -> bool:
    """Say whether a line has all telling words of the request; without them it is a guess."""
    return telling(target) <= telling(line.text)


def without_orders(lines: Iterable[StatementLine], target: str) -> list[StatementLine]:
    """Return lines without the operator's orders to forget in notes of talks: an order is not what it asks to forget."""
    left = []
    for line in lines:
        statement = line.statement.words
        words = words_of(statement)
        is_order = speaker_of(statement) == USER and (to_forget(words) or is_unwanted(words))
        if not is_order or to_forget(target):
            left.append(line)
    return left


def of_its_number(lines: Sequence[StatementLine], target: str) -> list[StatementLine]:
    """Return the lines without those about another numbered thing than the request: `item 1` is not item 157."""
    beside = set(map(attrgetter("text"), lines))
    return list(filterfalse(lambda line: numbers_another(target, line.text, beside), lines))


def _with_rarest_word(tree: Tree, statement: str, likely: list[StatementLine]) -> list[StatementLine]:
    """Return the likely lines with the rarest word of the request; else all lines with it, those with most other words first.

    If some have a second word too, those with the rarest alone are dropped. The word may be in a heading above the line or
    in the file's name. Names come before other words: `the landlord's number` is not another person's. One word of
    several is not enough, since it is in too many lines.
    """
    telling_words = told_in(statement)
    number_words = frozenset(filter(NUMBERS.fullmatch, telling_words))
    holding = sorted(_holding(tree, statement), key=lambda each: -len(each[1]))
    files: dict[str, set[str]] = {}
    for line, shared in holding:
        for word in shared:
            files.setdefault(word, set()).add(line.path)
    if not files:
        return likely
    named = told_in(" ".join(_NAMED.findall(statement))) & files.keys()
    rarest = min(sorted(named or files), key=lambda word: len(files[word]))
    fewest = max(len(telling_words) + bool(named), 2 * min(len(telling_words), _FEWEST))
    by_place: dict[str, StatementLine] = {}
    most = 0
    for line, shared in holding:
        if rarest not in shared or len(shared) == 1 < most:
            continue
        # a name has a capital: `the van` does not match `Van den Berghe`
        small = telling(" ".join(filter(str.islower, line.text.split())))
        there = shared
        if not named and any(map(str.isdigit, line.text)):
            there |= number_words
        if (named and rarest not in small) or 2 * len(there) >= fewest:
            by_place[line.place] = line
            most = len(shared)
    fitting = list(by_place.values())
    if named and number_words:
        fitting = _with_number(fitting, number_words)
    return [each for each in likely if each.place in by_place] or fitting


def _with_number(lines: list[StatementLine], number_words: frozenset[str]) -> list[StatementLine]:
    """Return a person's lines with a long number, if no line has the requested word for it."""
    numbered = []
    for line in lines:
        if number_words & telling(line.text):
            return lines
        if _LONG_NUMBER.search(line.text):
            numbered.append(line)
    return numbered or lines


def _holding(tree: Tree, statement: str) -> Iterator[tuple[StatementLine, frozenset[str]]]:
    """Yield the lines with some of the requested words, and these."""
    telling_words = told_in(statement)
    titles: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for line in filterfalse(lambda each: tiers.is_of_prompt(each.path), lines_in(tree)):
        if line.path not in titles:
            titles[line.path] = titles_in(tree, line.path)
        above: frozenset[str] = frozenset()
        for at, title in titles[line.path]:
            if at <= line.statement.first:
                above = title
        shared = shared_with(telling_words, told_in(line.text) | above)
        if shared and without_orders([line], statement):
            yield line, shared


def told_in(text: str) -> frozenset[str]:
    """Return the telling words of a text, and two capitals: only they may tell one line of a name from another."""
    return telling(text).union(map(str.lower, _INITIALS.findall(text)))


def titles_in(tree: Tree, path: str) -> list[tuple[int, frozenset[str]]]:
    """Return (line, words) of a file's name and of each heading with it; a talk's note has any of its words as its name: none."""
    if (tree.read(path) or b"").startswith(TITLE.encode()):
        return []
    name = telling(re.sub(r"[-_]+", " ", path.rpartition("/")[2].partition(".")[0]))
    titles = [(0, name)]
    for at, line in enumerate((tree.read(path) or b"").decode("utf-8", "replace").splitlines()):
        if line.startswith("#"):
            titles.append((at, name | telling(line)))
    return titles


def says_no_more(line: StatementLine, unwanted: str) -> bool:
    return subject(line.text) <= subject(unwanted) and not facts_differ(line.text, unwanted)


def forget_command(history: History, unwanted: str, since: datetime | None = None) -> str:
    """Return the command for a request to forget: of the only line that says it, else with its words.

    Empty if a line with most of them was taken out ``since``; or at any time, if no line says it.
    """
    if was_taken_out(history, unwanted, since):
        return ""
    try:
        lines = find_lines(history, unwanted).lines
    except (ClawgitError, ValueError):
        lines = ()
    if not lines and find_removed(history, unwanted):
        return ""
    if len(lines) == 1 and _is_said_by(unwanted, lines[0]):
        return lines[0].command
    if not lines:
        return f"clawgit memory search {shlex.quote(unwanted)}"
    return f"clawgit forget {shlex.quote(unwanted)}"


def was_taken_out(history: History, unwanted: str, since: datetime | None) -> bool:
    """Say whether a statement with most of these words left memory ``since``, and no line says it but in notes of talks."""
    tree = history.tip().tree
    with present_fold(history) as store:
        rows = store.all_taken_out("")
    for row in rows:
        is_since = since is None or datetime.fromisoformat(row.at) >= since.replace(microsecond=0)
        if not is_since or not _has_most_of(row.before, unwanted):
            continue
        saying = lines_that_say(tree, parted(row.before).statement)
        if all(map(tiers.is_of_session, map(attrgetter("path"), saying))):
            return True
    for statement in _gone_from_notes(history, since):
        if _has_most_of(statement, unwanted) and not lines_that_say(tree, statement):
            return True
    return False


def _has_most_of(statement: str, unwanted: str) -> bool:
    """Say whether a statement has most words of a request; a long number counts twice, for it is the same in every language."""
    about = subject(unwanted)
    shared = about & subject(statement)
    return 2 * (len(shared) + len(list(filter(_LONG_NUMBER.fullmatch, shared)))) > len(about)


def _gone_from_notes(history: History, since: datetime | None) -> Iterator[str]:
    """Yield what was taken out of notes of talks ``since``: for these files the fold only counts lines."""
    tip = history.tip().commit_id
    if since is None or tip is None:
        return
    for commit in read_changes(history, f"--since={since.replace(microsecond=0).isoformat()}", tip):
        if not commit.subject.startswith(f"{FORGET}: "):
            continue
        before, after = history.around(commit)
        for path in filter(tiers.is_of_session, steps_of(history, commit)):
            yield from map(words_of, _said_in(before, [path]) - _said_in(after, [path]))


def _is_said_by(unwanted: str, line: StatementLine) -> bool:
    """Say whether a line has all telling words of the request, and is negated only if the request is."""
    statement = line.text
    about = subject(unwanted)
    return about <= subject(statement) and (len(about) == 1 or _turning(unwanted) == _turning(statement))


def _turning(text: str) -> set[str]:
    return set(filterfalse(_DAY_OR_MONTH.match, deciding_words(text.lower(), words(text))))


class NothingLikeItError(ClawgitError):
    """No line has the words, and none had."""


def no_line(history: History, target: str, statement: str) -> ClawgitError:
    gone = find_removed(history, target)
    if gone is None or gone.removed is None:
        hint = _SEARCHED.replace("WORDS", shlex.quote(statement))
        return NothingLikeItError(f"No line says anything like {target!r}.", hint=hint)
    name = gone.removed.commit_id[:12]
    sentence = f"No line says {parted(gone.words).statement!r} any more; {name} ({gone.removed.subject}) took it out."
    return ClawgitError(sentence, hint=f"`clawgit undo {name}` brings it back.")


def find_brought(history: History, commit_id: str) -> LinesMeant:
    """Return the statements that a commit brought and that are still there."""
    with present_fold(history) as store:
        rows = store.of_commit(commit_id)
    commit = history.objects.commit(commit_id)
    base, made = history.around(commit)
    beside = []  # the fold does not count lines of these files
    for path in steps_of(history, commit):
        if path.endswith(ENDINGS) and tiers.tier_of(path) is None:
            beside.append(path)
    ids: set[str] = set()
    words_brought = {parted(line).statement for line in _said_in(made, beside) - _said_in(base, beside)}
    for row in rows:
        if row.kind in ("words", "line") and row.words != row.before:
            ids.add(row.entry_id)
            words_brought.add(parted(row.words).statement)
    tree = history.tip().tree
    brought = []
    for path in dict.fromkeys([*map(attrgetter("path"), rows), *beside]):
        for statement in statements(tree.read(path) or b"", path):
            if (statement.entry_id or "-") in ids or parted(statement.words).statement in words_brought:
                brought.append(line_at(path, statement))
    if not brought:
        sentence = f"{commit_id[:12]} brought no statement that still stands."
        raise ClawgitError(sentence, hint=f"`clawgit undo {commit_id[:12]} --dry-run` shows what it changed.")
    return LinesMeant(tuple(brought))


def find_same(history: History, line: StatementLine, having: str = "") -> list[StatementLine]:
    """Return lines, and corrections without a present line, that say what ``line`` said, last or earlier; then lines that may, of files ``having`` a word."""
    tree = history.tip().tree
    line_text = line.text
    texts = [line_text]
    if line.mark:
        with present_fold(history) as store:
            rows = followed(store, line_text, line.mark.removeprefix("m:"))
        texts += filter(None, map(attrgetter("before"), rows))
    by_place: dict[str, StatementLine] = {}
    for text in texts:
        for each in lines_that_say(tree, parted(text).statement):
            by_place[each.place] = each
    lines = list(by_place.values())
    for correction in standing_corrections(tree).values():
        text = correction.correct or correction.said
        if not correction.holds or not says(text, line_text):
            continue
        # the undo of a correction restores a present line's old words
        entries = map("m:{}".format, correction.corrects)
        if not (lines_that_say(tree, text) or any(stands_in(tree, each) for each in entries)):
            statement = Statement(correction.first, correction.last, text)
            lines.append(StatementLine(correction.path, statement, f"x:{correction.correction_id}"))
    alike = []
    for each in find_alike(tree, line_text, having):
        own = telling(_without_amounts(line_text))
        others_words = telling(_without_amounts(each.text))
        # both may have `25` and `EUR`, or one word of many
        if 2 * len(shared_with(own, others_words)) < max(1, min(len(own), len(others_words))):
            continue
        # each with its own: another tool, room, day or person
        if not (is_of_another(each.text, line_text) and is_of_another(line_text, each.text)):
            alike.append(each)
    for each in alike[:MOST_OTHERS]:
        if each.place not in by_place:
            lines.append(each)
    return from_the_end(lines)


def _without_amounts(text: str) -> str:
    return UNIT.sub(" ", _NUMBER.sub(" ", text))


def from_the_end(lines: Iterable[StatementLine]) -> list[StatementLine]:
    """Return lines, those of one file from its end, so that removing one by place does not move the next."""
    by_path: dict[str, list[StatementLine]] = {}
    for each in sorted(lines, key=lambda line: line.statement.first):
        by_path.setdefault(each.path, []).append(each)
    return [by_path[each.path].pop() for each in lines]


def find_alike(tree: Tree, statement: str, having: str = "") -> list[StatementLine]:
    """Return the lines that share words and numbers with a statement, the most similar first."""
    alike = [line for line in lines_in(tree, having=having) if is_alike(statement, line.text)]
    alike.sort(key=lambda line: -told_by_both(statement, line.text))
    return alike


def lines_that_say(tree: Tree, statement: str) -> list[StatementLine]:
    return [line for line in lines_in(tree, statement) if says(line.text, statement)]


def find_forgetting(history: History, line: StatementLine, *, links_too: bool = True) -> Undoing:
    """Return what `forget` would take out: an entry with what rests on it, as `undo` does, or one line; and derived files.

    ``links_too``: the links beside the line go, with the words that it has or had, and those that say the same.
    """
    tree = history.tip().tree
    if line.mark:
        undoing = find_undoing(history, line.mark)
        undoing = undoing._replace(taking=undoing.taking._replace(verb=FORGET))
    else:
        taking = Taking((), quoted(line.statement.words), verb=FORGET, line=(line.path, line.statement))
        undoing = Undoing(taking, (), take_back(history, tree, taking))
    undoing = _with_derived(tree, line, undoing)
    if links_too:
        return _with_links(history, line, undoing)
    return undoing


def _with_derived(tree: Tree, line: StatementLine, undoing: Undoing) -> Undoing:
    """Return it with the files made from entries (memory/INDEX.md and memory/structured/), without the lines that repeat one."""
    taken = undoing.taken
    if not taken.contents:
        return undoing
    files = WorkFiles(tree)
    line_bytes = line.text.encode()
    for path, _ in tree.files():
        here = files.content(path) if tiers.is_listing(path) else None
        if here is None or line_bytes not in here.data:
            continue
        lines = here.data.splitlines(keepends=True)
        staying = (each for each in lines if line_bytes not in each)
        files.put(path, here._replace(data=b"".join(staying)))
    return undoing._replace(taken=taken._replace(contents=taken.contents | files.changed()))


def _with_links(history: History, line: StatementLine, undoing: Undoing) -> Undoing:
    taken = undoing.taken
    ledger = taken.contents.get(LEDGER) or WorkFiles(history.tip().tree).content(LEDGER)
    if not taken.contents or ledger is None:
        return undoing
    line_text = line.text
    ids = set()
    for each in read_corrections(ledger.data):
        is_beside = each.said == shortened(line_text) or line.mark.removeprefix("m:") in each.may_correct
        if each.status in (Status.LINKED, Status.OPEN) and (is_beside or says(each.trigger, line_text)):
            ids.add(each.correction_id)
    if not ids:
        return undoing
    names = ", ".join(sorted(map("x:{}".format, ids)))
    notes = (*taken.notes, f"What was said or asked beside it goes, too: {names}")
    contents = taken.contents | {LEDGER: ledger._replace(data=without_corrections(ledger.data, ids))}
    return undoing._replace(taken=taken._replace(contents=contents, notes=notes))


def find_undoing_line(history: History, line: StatementLine) -> Undoing:
    """Return what `undo` takes back of a line: the lines that its words replaced come back; without such it is removed.

    Of a line that was set back against a correction, what the correction made of it comes back.
    """
    from clawgit.history.provenance.set_back import corrections_set_back  # noqa: PLC0415 - a search needs no undo

    tree = history.tip().tree
    correct = commit_id = ""
    for row in corrections_set_back(history).values():
        if row.words == line.text and (row.entry_id or row.path) == (line.mark or line.path):
            correct, commit_id = row.before, row.commit_id
    for name, correction in reversed(standing_corrections(tree).items()):
        if not correct and correction.holds and line.mark.removeprefix("m:") in correction.corrects:
            return find_undoing(history, f"x:{name}")
    earlier = _replaced(history, line, history.tip().commit_id or "", correct)
    if earlier is None and commit_id:
        return find_undoing(history, commit_id)
    if earlier is None:
        return find_forgetting(history, line)
    taking = Taking((), quoted(line.statement.words), line=(line.path, line.statement), instead=earlier)
    return _with_derived(tree, line, Undoing(taking, (), take_back(history, tree, taking)))


def _replaced(history: History, line: StatementLine, commit_id: str, correct: str) -> bytes | None:
    """Return the last lines with ``correct`` words that a line of a commit replaced, also before it moved; None if it was added beside others.

    Of a line that an undo brought back: what it replaced before, else what the undo replaced.
    """
    changes = blame(history, line.path, commit_id)[line.statement.first].changes
    made = next(filterfalse(lambda change: REVERTS in change.message, changes), changes[0])
    for change in dict.fromkeys((made, changes[0])):
        earlier = _replaced_by(history, change, line.statement.words)
        if earlier is None:
            continue
        is_moved = earlier.statement.words == line.statement.words
        if is_moved or not holds_words(earlier.statement.words, correct):
            return _replaced(history, earlier, change.parent_ids[0], correct)
        lines = split_lines(history.around(change)[0].read(earlier.path) or b"")
        return b"".join(lines[earlier.statement.first : earlier.statement.last])
    return None


def _replaced_by(history: History, change: Commit, words: str) -> StatementLine | None:
    """Return the line that a change reworded into ``words``, or the same line where it took it from."""
    base, made = history.around(change)
    steps = steps_of(history, change)
    were = _said_in(base, steps)
    are = _said_in(made, steps)
    for path in steps:
        before = base.read(path) or b""
        after = made.read(path) or b""
        shift = 0
        for hunk in hunks(split_lines(before), split_lines(after)):
            first = hunk.start + shift
            shift += len(hunk.lines) - (hunk.end - hunk.start)
            going = _between(line_statements(before, path), hunk.start, hunk.end, are)
            coming = _between(line_statements(after, path), first, first + len(hunk.lines), were)
            came = list(map(attrgetter("words"), coming))
            if words in came and len(going) == len(coming):  # in their order
                return line_at(path, going[came.index(words)])
            earlier = max(going, key=lambda each: likeness(each.words, words), default=None)
            if words in came and earlier is not None and likeness(earlier.words, words) >= CLOSE:
                return line_at(path, earlier)
    for path in filter(lambda path: words not in _said_in(made, [path]), steps):
        for each in line_statements(base.read(path) or b"", path):
            if each.words == words:
                return line_at(path, each)
    return None


def _said_in(tree: Tree, paths: Iterable[str]) -> set[str]:
    statements: set[str] = set()
    for path in paths:
        statements.update(map(attrgetter("words"), line_statements(tree.read(path) or b"", path)))
    return statements


def _between(every: Iterable[Statement], first: int, last: int, others: set[str]) -> list[Statement]:
    return [each for each in every if first <= each.first < last and each.words not in others]


def lines_in(
    tree: Tree, target: str = "", having: str = "", paths: Iterable[str] | None = None
) -> Iterator[StatementLine]:
    """Yield the lines of core memory, and of each file with a line of half the requested words; of files ``having`` a word, or of ``paths``."""
    asked_words = set(words(target))
    if paths is None:
        paths = map(itemgetter(0), tree.files())
    for path in paths:
        if not path.endswith(ENDINGS) or path in (BOOTSTRAP, CONFIG) or path.startswith(PROMPTS):
            continue
        data = tree.read(path) or b""
        if not has_lines(path, data):
            continue
        text = readable(path, data).decode("utf-8", "replace")
        if having and having.casefold() not in text.casefold():
            continue
        lines = text.splitlines()
        has_half = (2 * len(asked_words.intersection(words(line))) >= len(asked_words) for line in lines)
        if tiers.tier_of(path) is not tiers.Tier.T1 and not any(has_half):
            continue
        for statement in line_statements(data, path):
            is_blank = tiers.is_of_prompt(path) and BLANK_FIELD.fullmatch(statement.words)
            if not is_blank and not statement.words.startswith("<!--"):
                yield line_at(path, statement)


def has_lines(path: str, data: bytes) -> bool:
    is_written = tiers.is_derived(path) or tiers.is_correction_file(path) or path == tiers.CONFLICTS
    return not is_written and not tiers.is_export(path, data) and b"\0" not in data  # as UTF-16 has


def line_at(path: str, statement: Statement) -> StatementLine:
    is_entry = statement.entry_id is not None and tiers.holds_entries(path)
    return StatementLine(path, statement, f"m:{statement.entry_id}" if is_entry else "")
