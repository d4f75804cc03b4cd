"""`forget`: which line somebody means, what else says the same, and the line taken out as `undo` takes out an entry."""

from __future__ import annotations

import shlex
from collections import Counter
from datetime import datetime
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.provenance.why import committed_line, find_removed
from clawgit.history.reading.blame import blame
from clawgit.history.transaction.working_tree import WorkFiles
from clawgit.history.undo.one_change import steps_of
from clawgit.history.undo.take_back import Taking, take_back
from clawgit.history.undo.undo import Undoing, find_undoing, quoted
from clawgit.history.undo.undo_targets import stands_in
from clawgit.identity.soul_policy import BLANK_FIELD
from clawgit.memory.entries.statements import MOST_OTHERS, UNSURE, parted, which_is_meant
from clawgit.memory.entries.tiers import (
    CONFLICTS,
    Tier,
    holds_entries,
    is_correction_file,
    is_derived,
    is_export,
    is_identity,
    is_listing,
    is_of_session,
    is_standing,
    name_in_words,
    tier_of,
)
from clawgit.memory.notes import TITLE, USER, speaker_of, words_of
from clawgit.memory.undo.text_units import Statement, line_statements, statements
from clawgit.text.comparing.similarity import CLOSE, deciding_words, facts_differ, is_close, likeness, words
from clawgit.text.comparing.subjects import is_alike, shared_with, subject, telling, told_by_both
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import ENDINGS, split_lines
from clawgit.text.markdown.merge_lines import hunks
from clawgit.understanding.evidence.orders_to_forget import to_forget
from clawgit.workspace.layout import BOOTSTRAP, CONFIG, PROMPTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.memory.provenance.fold import Seen

FORGET = "forget"
# Who or what it is about: with a capital letter, or whose something is.
_NAMED = lazy_pattern(r"[^\W\d_a-zß-ÿ][\w.]+|\w+(?=['’]s\b)")
_NUMBER = lazy_pattern(r"\d+")
_DAY_OR_MONTH = lazy_pattern("(?:day|month) ")
_SEARCHED = (
    "`clawgit memory search WORDS` forgives typing errors, and finds what files say that are no UTF-8: take it out of these"
    " yourself. `clawgit keep` commits what you typed just now."
)


class Line(NamedTuple):
    """A statement and the file that says it; ``mark`` is how a command names it, empty without an id."""

    path: str
    statement: Statement
    mark: str = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.statement.first + 1}"

    @property
    def command(self) -> str:
        if self.mark.startswith("x:"):
            return f"clawgit undo {self.mark}"
        return f"clawgit forget {self.mark or self.place}"


class Meant(NamedTuple):
    """The lines that may be meant, the best first; ``is_sure`` where their words say so, not their likeness alone."""

    lines: tuple[Line, ...]
    is_sure: bool = True
    note: str = ""


def find_entry(history: History, mark: str) -> Meant:
    tree = history.tip().tree
    for path in entry_files(tree):
        for statement in statements(tree.read(path) or b"", path):
            if mark == f"m:{statement.entry_id}":
                return Meant((_line(path, statement),))
    find_undoing(history, mark)  # says which change took it out, or what is called nearly so
    raise ClawgitError(f"{mark} is no line of a file.", hint=_SEARCHED)


def find_place(history: History, path: str, number: int) -> Meant:
    """Return the statement of a line (from 1) of the folder's file."""
    committed = committed_line(history, path, number)
    data = history.tip().tree.read(path) or b""
    for line in committed_at(data, path, committed.number) if _has_lines(path, data) else ():
        return Meant((line,), note=committed.note)
    raise ClawgitError(
        f"Line {number} of {path} is no statement: a heading, front matter, a blank line, or in a file that clawgit writes or that is no UTF-8.",
        hint="Name a line with words. `clawgit undo x:…` withdraws a correction.",
    )


def committed_at(data: bytes, path: str, number: int) -> list[Line]:
    """Return the statement of a line (from 1) of a committed file, none where it is no statement."""
    lines = []
    for each in line_statements(data, path):
        if each.first < number <= each.last:
            lines.append(_line(path, each))
    return lines


def find_lines(history: History, asked: str) -> Meant:
    """Return the lines that say ``asked``: in these words, as a part of theirs, else in words like them."""
    said = parted(asked).statement
    tree = history.tip().tree
    lines = list(_lines(tree, said))
    meant = which_is_meant(said, list(map(_said, lines)), most=len(lines))
    if meant is None:
        likely = find_alike(tree, said)
    else:
        likely = list(map(lines.__getitem__, (meant.number, *meant.others)))
    likely = _without_orders(likely, said)
    if likely and meant is not None and meant.by not in UNSURE:
        return Meant(tuple(likely))
    fitting = []
    if likely or not _taken_out(history, said):
        fitting = _without_orders(_with_rarest_word(tree, said, likely), said)
    if not fitting:
        raise _no_line(history, asked, said)
    return Meant(tuple(fitting), is_sure=False)


def _without_orders(lines: Iterable[Line], asked: str) -> list[Line]:
    """Return lines without his orders to forget in notes of talks: they say nothing of what is to go."""
    left = []
    for line in lines:
        said = line.statement.words
        is_order = speaker_of(said) == USER and to_forget(words_of(said))
        if not is_order or to_forget(asked):
            left.append(line)
    return left


def _with_rarest_word(tree: Tree, said: str, likely: list[Line]) -> list[Line]:
    """Return those of the likely lines that have the rarest word asked for; else all lines that have it, most of the others first.

    It may be in a heading above the line or in the file's name. Names come before other words: `the landlord's number` is no
    number of anybody else.
    """
    asked = telling(said)
    holding = sorted(_holding(tree, asked), key=lambda each: -len(each[1]))
    files: dict[str, set[str]] = {}
    for line, shared in holding:
        for word in shared:
            files.setdefault(word, set()).add(line.path)
    if not files:
        return likely
    named = telling(" ".join(_NAMED.findall(said))) & files.keys()
    rarest = min(sorted(named or files), key=lambda word: len(files[word]))
    fewest = len(asked) + bool(named)
    by_place: dict[str, Line] = {}
    for line, shared in holding:
        if rarest not in shared:
            continue
        # in small letters it is no name: `the van` is nothing of `Van den Berghe`
        small = telling(" ".join(filter(str.islower, _said(line).split())))
        if (named and rarest not in small) or 2 * len(shared) >= fewest:
            by_place[line.place] = line
    return [each for each in likely if each.place in by_place] or list(by_place.values())


def _holding(tree: Tree, asked: frozenset[str]) -> Iterator[tuple[Line, frozenset[str]]]:
    """Yield the lines of core memory that have some of the asked words, and which."""
    titles: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for line in _lines(tree):
        if line.path not in titles:
            titles[line.path] = _titles(tree, line.path)
        above: frozenset[str] = frozenset()
        for at, title in titles[line.path]:
            if at <= line.statement.first:
                above = title
        shared = shared_with(asked, telling(_said(line)) | above)
        if shared:
            yield line, shared


def _titles(tree: Tree, path: str) -> list[tuple[int, frozenset[str]]]:
    """Return the words of a file's name, and of each heading with them, by where it is; a talk's note is named after any of its words."""
    if (tree.read(path) or b"").startswith(TITLE.encode()):
        return []
    name = telling(name_in_words(path))
    found = [(0, name)]
    for at, line in enumerate((tree.read(path) or b"").decode("utf-8", "replace").splitlines()):
        if line.startswith("#"):
            found.append((at, name | telling(line)))
    return found


def says_no_more(line: Line, unwanted: str) -> bool:
    said = _said(line)
    return subject(said) <= subject(unwanted) and not facts_differ(said, unwanted)


def forget_command(history: History, unwanted: str, since: datetime | None = None) -> str:
    """Return the command that takes out what somebody asks to forget: the only line that says so, else its words.

    Empty where a line with most of them was taken out ``since``; or ever, where no line says so.
    """
    if was_taken_out(history, unwanted, since):
        return ""
    try:
        lines = find_lines(history, unwanted).lines
    except (ClawgitError, ValueError):
        lines = ()
    if not lines and _taken_out(history, unwanted):
        return ""
    if len(lines) == 1 and _is_said_by(unwanted, lines[0]):
        return lines[0].command
    return f"clawgit forget {shlex.quote(unwanted)}"


def was_taken_out(history: History, unwanted: str, since: datetime | None) -> bool:
    """Say whether one of the last statements that left memory ``since`` has most of these words, and no line says it any more but in the note of a talk."""
    about = subject(unwanted)
    tree = history.tip().tree
    with present_fold(history) as store:
        rows = store.all_taken_out("")
    for row in rows:
        is_since = since is None or datetime.fromisoformat(row.at) >= since.replace(microsecond=0)
        if not is_since or 2 * len(about & subject(row.before)) <= len(about):
            continue
        saying = lines_that_say(tree, parted(row.before).statement)
        if all(map(is_of_session, map(attrgetter("path"), saying))):
            return True
    return False


def _taken_out(history: History, said: str) -> list[Seen]:
    """Return when statements with these words left a file: `rent` is not in `parents`."""
    with present_fold(history) as store:
        rows = store.all_taken_out(said)
    wanted = " ".join(words(said))
    whole = []
    for row in rows:
        if f" {wanted} " in f" {' '.join(words(row.before))} ":
            whole.append(row)
    return whole


def _is_said_by(unwanted: str, line: Line) -> bool:
    """Say whether a line has all telling words of what somebody asks to forget, and turns it round only where he does."""
    said = _said(line)
    about = subject(unwanted)
    return about <= subject(said) and (len(about) == 1 or _turning(unwanted) == _turning(said))


def _turning(text: str) -> set[str]:
    deciding = set(deciding_words(text.lower(), words(text)))
    return set(filterfalse(_DAY_OR_MONTH.match, deciding))


def _no_line(history: History, asked: str, said: str) -> ClawgitError:
    gone = next(iter(_taken_out(history, said)), None)
    if gone is not None:
        words = gone.before
        commit: Commit = history.objects.commit(gone.commit_id)
    else:
        beside = find_removed(history, asked)
        if beside is None or beside.removed is None:
            return ClawgitError(f"No line says anything like {asked!r}.", hint=_SEARCHED)
        words = beside.words
        commit = beside.removed
    name = commit.commit_id[:12]
    return ClawgitError(
        f"No line says {parted(words).statement!r} any more; {name} ({commit.subject}) took it out.",
        hint=f"`clawgit undo {name}` brings it back.",
    )


def find_brought(history: History, commit_id: str) -> Meant:
    """Return the statements that a commit brought and that still say so."""
    with present_fold(history) as store:
        rows = store.of_commit(commit_id)
    ids: set[str] = set()
    said: set[str] = set()
    for row in rows:
        if row.kind in ("words", "line") and row.words != row.before:
            ids.add(row.entry_id)
            said.add(parted(row.words).statement)
    tree = history.tip().tree
    brought = []
    for path in dict.fromkeys(row.path for row in rows):
        for statement in statements(tree.read(path) or b"", path):
            if (statement.entry_id or "-") in ids or parted(statement.words).statement in said:
                brought.append(_line(path, statement))
    if not brought:
        raise ClawgitError(
            f"{commit_id[:12]} brought no statement that still stands.",
            hint=f"`clawgit undo {commit_id[:12]} --dry-run` shows what it changed.",
        )
    return Meant(tuple(brought))


def find_same(history: History, line: Line) -> list[Line]:
    """Return the lines, and the corrections of no present line, that say what ``line`` said; then lines that may say so."""
    tree = history.tip().tree
    said = _said(line)
    lines = lines_that_say(tree, said)
    places = {each.place for each in lines}
    for correction in standing_corrections(tree).values():
        text = correction.correct or correction.said
        if not correction.holds or not _says(text, said):
            continue
        # the undo of a correction brings the old words back into a line that is there
        if not any(stands_in(tree, f"m:{each}") for each in correction.corrects):
            statement = Statement(correction.first, correction.last, text)
            lines.append(Line(correction.path, statement, f"x:{correction.correction_id}"))
    numbers = Counter(_NUMBER.findall(said))
    alike = []
    for each in find_alike(tree, said):
        others = Counter(_NUMBER.findall(_said(each)))
        if numbers <= others or others <= numbers:  # else it is another tool, room or day
            alike.append(each)
    for each in alike[:MOST_OTHERS]:
        if each.place not in places:
            lines.append(each)
    return from_the_end(lines)


def from_the_end(lines: Sequence[Line]) -> list[Line]:
    """Return lines, those of one file from its end: whoever takes out one after the other by place takes out no other one."""
    by_path: dict[str, list[Line]] = {}
    for each in sorted(lines, key=lambda line: line.statement.first):
        by_path.setdefault(each.path, []).append(each)
    ordered = []
    for each in lines:
        ordered.append(by_path[each.path].pop())
    return ordered


def find_alike(tree: Tree, said: str) -> list[Line]:
    """Return the lines that share words and numbers with a statement, the likest first: they may say so in other words."""
    alike = [line for line in _lines(tree) if is_alike(said, _said(line))]
    alike.sort(key=lambda line: -told_by_both(said, _said(line)))
    return alike


def lines_that_say(tree: Tree, said: str) -> list[Line]:
    return [line for line in _lines(tree, said) if _says(_said(line), said)]


def find_forgetting(history: History, line: Line) -> Undoing:
    """Return what `forget` would take out: an entry as `undo` does, with what rests on it, or one line; and what is derived of it."""
    tree = history.tip().tree
    if line.mark:
        undoing = find_undoing(history, line.mark)
        undoing = undoing._replace(taking=undoing.taking._replace(verb=FORGET))
    else:
        taking = Taking((), quoted(line.statement.words), verb=FORGET, line=(line.path, line.statement))
        undoing = Undoing(taking, (), take_back(history, tree, taking))
    return _with_derived(tree, line, undoing)


def _with_derived(tree: Tree, line: Line, undoing: Undoing) -> Undoing:
    """Return it with the files made from entries (memory/INDEX.md and memory/structured/), without the lines that repeat one."""
    taken = undoing.taken
    if not taken.contents:
        return undoing
    files = WorkFiles(tree)
    said = _said(line).encode()
    for path, _ in tree.files():
        here = files.content(path) if is_listing(path) else None
        if here is None or said not in here.data:
            continue
        staying = []
        for each in here.data.splitlines(keepends=True):
            if said not in each:
                staying.append(each)
        files.put(path, here._replace(data=b"".join(staying)))
    return undoing._replace(taken=taken._replace(contents=taken.contents | files.changed()))


def find_undoing_line(history: History, line: Line) -> Undoing:
    """Return what `undo` takes back of a line: where its words came in the place of others, those come back; else it goes."""
    tree = history.tip().tree
    corrected: set[str] = set()
    for each in standing_corrections(tree).values():
        corrected.update(each.corrects)
    earlier = None
    if line.mark.removeprefix("m:") not in corrected:
        earlier = _replaced(history, line)
    if earlier is None:
        return find_forgetting(history, line)
    taking = Taking((), quoted(line.statement.words), line=(line.path, line.statement), instead=earlier)
    return _with_derived(tree, line, Undoing(taking, (), take_back(history, tree, taking)))


def _replaced(history: History, line: Line) -> bytes | None:
    """Return the lines in the place of which the words of a line came, None where they came beside others, or only moved."""
    words = line.statement.words
    change = blame(history, line.path, history.tip().commit_id or "")[line.statement.first].change
    base, made = history.around(change)
    steps = steps_of(history, change)
    were = _said_in(base, steps)
    are = _said_in(made, steps)
    for path in steps:
        before = base.read(path) or b""
        after = made.read(path) or b""
        lines = split_lines(before)
        shift = 0
        for hunk in hunks(lines, split_lines(after)):
            first = hunk.start + shift
            shift += len(hunk.lines) - (hunk.end - hunk.start)
            going = _between(line_statements(before, path), hunk.start, hunk.end, are)
            coming = _between(line_statements(after, path), first, first + len(hunk.lines), were)
            came = list(map(attrgetter("words"), coming))
            if words not in came or not going:
                continue
            earlier = max(going, key=lambda each: likeness(each.words, words))
            if len(going) == len(coming):  # in their order
                earlier = going[came.index(words)]
            elif likeness(earlier.words, words) < CLOSE:
                continue
            return b"".join(lines[earlier.first : earlier.last])
    return None


def _said_in(tree: Tree, paths: Iterable[str]) -> set[str]:
    said: set[str] = set()
    for path in paths:
        said.update(each.words for each in line_statements(tree.read(path) or b"", path))
    return said


def _between(every: Iterable[Statement], first: int, last: int, others: set[str]) -> list[Statement]:
    return [each for each in every if first <= each.first < last and each.words not in others]


def _lines(tree: Tree, asked: str = "") -> Iterator[Line]:
    """Yield the lines of core memory, and those of every file with a line that has half of the asked words."""
    asked_words = set(words(asked))
    for path, _ in tree.files():
        if not path.endswith(ENDINGS) or path in (BOOTSTRAP, CONFIG) or path.startswith(PROMPTS):
            continue
        data = tree.read(path) or b""
        if not _has_lines(path, data):
            continue
        lines = data.decode("utf-8", "replace").splitlines()
        has_half = (2 * len(asked_words.intersection(words(line))) >= len(asked_words) for line in lines)
        if tier_of(path) is not Tier.T1 and not any(has_half):
            continue
        is_form = is_identity(path) or is_standing(path)
        for statement in line_statements(data, path):
            is_blank = is_form and BLANK_FIELD.fullmatch(statement.words)
            if not is_blank and not statement.words.startswith("<!--"):
                yield _line(path, statement)


def _has_lines(path: str, data: bytes) -> bool:
    is_written = is_derived(path) or is_correction_file(path) or path == CONFLICTS
    return not is_written and not is_export(path, data) and b"\0" not in data  # as UTF-16 has


def _line(path: str, statement: Statement) -> Line:
    is_entry = statement.entry_id is not None and holds_entries(path)
    return Line(path, statement, f"m:{statement.entry_id}" if is_entry else "")


def _said(line: Line) -> str:
    return parted(line.statement.words).statement


def _says(text: str, said: str) -> bool:
    wanted = " ".join(words(said))
    there = " ".join(words(text))
    if f" {wanted} " in f" {there} ":
        return True
    return is_close(text, said)
