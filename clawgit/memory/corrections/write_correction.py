"""Writes corrections into the ledger and their entries, whose ids and tags stay and whose old text becomes a comment; and links."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import dropwhile, filterfalse, takewhile
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Correction,
    Status,
    add_correction,
    read_corrections,
    replace_correction,
    without_corrections,
)
from clawgit.memory.entries.entries import (
    Entry,
    is_earlier_wording,
    marks_in,
    new_entry_id,
    notes_on,
    own_lines,
    read_entries,
    with_mark,
)
from clawgit.memory.entries.statements import Parted, clauses_of, parted
from clawgit.memory.entries.tiers import MEMORY_FILES
from clawgit.memory.provenance.stamps import stamp
from clawgit.text.comparing.similarity import facts_differ, words
from clawgit.text.comparing.subjects import subject
from clawgit.text.comparing.value_kinds import Value, ValueKind, values_in
from clawgit.text.comparing.word_diff import tokens
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import heading_level, line_end, put_below, split_lines, without_end
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.words.stopwords import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


HIGH, MEDIUM = "high", "medium"
MOST_SAID = 600  # characters of a message in the ledger
CUT = " …"  # ends what was longer
MOST_LINKS = 2  # of an entry; older ones end
LOW = "low"  # of a link that only touches its entry: plain ones replace it


class EntryInFile(NamedTuple):
    """An entry and its file, or a line in the form of one; ``about`` is its context: headings, of a line the path and table head, too."""

    path: str
    entry: Entry
    about: str = ""
    is_line: bool = False

    @property
    def parts(self) -> Parted:
        return parted(self.entry.text)


class Verdict(NamedTuple):
    """The outcome for a correction: ``wrong`` entries with their new texts, and those that are ``right`` already."""

    status: Status
    said: str = ""
    correct: str = ""
    wrong: tuple[tuple[EntryInFile, str], ...] = ()
    right: tuple[EntryInFile, ...] = ()
    note: str = ""


class UnfitError(ClawgitError):
    """An entry cannot be corrected in its place."""


def _headings(data: bytes) -> list[str]:
    """Return for each line of a file the headings above it, below the title."""
    above: dict[int, bytes] = {}
    titles = []
    for line in split_lines(data):
        level = heading_level(line)
        if level:
            put_below(above, level, line.lstrip(b"#").strip())
        below_title = b" ".join(map(above.__getitem__, filter((1).__lt__, above)))
        titles.append(below_title.decode("utf-8", "replace"))
    return titles


def set_entry_right(data: bytes, entry: Entry, statement: str) -> bytes:
    """Return ``data`` with ``entry`` saying ``statement``, the old text in a comment; `UnfitError` if it would not read so."""
    lines = split_lines(data)
    first = without_end(lines[entry.first])
    end = lines[entry.first][len(first) :] or line_end(data)
    _, *words = first.split(maxsplit=1)
    lead = first[: len(first) - len(b"".join(words))]
    # The text of its first paragraph, without marker and id.
    opening = read_entries(b"".join(lines[entry.first : entry.text_last]).lstrip(b" \t"))
    parts = parted(opening[0].text if opening else entry.text)
    change = _line_changed(entry.lines, parts.saying(statement))
    begin, over = entry.first, entry.text_last
    if change is None:
        change = EntryLineChange(0, parts.statement, parts.saying(statement))
    else:
        begin, over = own_lines(lines, begin, over)[change.number]
    text = b" ".join((change.words.encode("utf-8", "surrogateescape"), *notes_on(lines[begin:over])))
    block = (lead if begin == entry.first else b"") + text + end
    above = lines[entry.first : begin]
    paragraph = [*above, block, *(without_end(line) + end for line in lines[over : entry.text_last])]
    if entry.entry_id is not None:
        paragraph = with_mark(paragraph, len(paragraph) - 1, entry.entry_id)
    before = change.gone.replace("--", "-&#45;").encode("utf-8", "surrogateescape")
    was = b" " * len(lead.expandtabs(4)) + b"<!-- was: %s -->" % before + end
    below = dropwhile(is_earlier_wording, lines[entry.text_last :])  # history has the older wordings
    new = b"".join([*lines[: entry.first], *paragraph, was, *below])
    there = read_entries(data)
    here = read_entries(new)
    at = next(number for number, each in enumerate(there) if each.first == entry.first)
    says = [(each.entry_id, parted(each.text).statement) for each in here[at : at + 1]]
    del there[at], here[at : at + 1]
    id_and_text = attrgetter("entry_id", "text")
    same = list(map(id_and_text, there)) == list(map(id_and_text, here))
    if "<!--" in statement or not same or says != [(entry.entry_id, parted(statement).statement)]:
        sentence = "The entry cannot say that in its place."
        raise UnfitError(sentence, hint="Edit the line, and commit it with git.")
    return new


class EntryLineChange(NamedTuple):
    """The number of a changed line in an entry, its old statement, and its new words with date and tags."""

    number: int
    gone: str
    words: str


def _line_changed(lines: Sequence[str], text: str) -> EntryLineChange | None:
    """Return the only line of an entry that ``text`` changes; None if several change."""
    for number, line in enumerate(lines):
        above = "".join(f"{each} " for each in lines[:number])
        below = "".join(f" {each}" for each in lines[number + 1 :])
        words = text[len(above) : len(text) - len(below)]
        if words and text == above + words + below:
            return EntryLineChange(number, parted(line).statement, words)
    return None


class Exchange(NamedTuple):
    """An entry's new text, the replaced words, and their replacement."""

    statement: str
    gone: str
    came: str


def exchange_in(remembered: EntryInFile, statement: str) -> Exchange:
    """Return the words of an entry that ``statement`` replaces; `UnfitError` if its line is ambiguous."""
    parts, lines = remembered.parts, remembered.entry.lines
    if not lines:
        return Exchange(statement, parts.statement, statement)
    change = _line_changed(lines, parts.saying(statement))
    if change is None:
        about = subject(statement).difference(*LANGUAGES)
        shared = [len(about & subject(line)) for line in lines]
        most = max(shared)
        if not most or shared.count(most) > 1:
            place = f"{remembered.path}:{remembered.entry.first + 1}"
            raise UnfitError(
                f"The entry at {place} has {len(lines)} lines of its own, and this would replace all of them.",
                hint='`clawgit correct PATH:LINE "NEW"` replaces what one line says.',
            )
        number = shared.index(most)
        line = parted(lines[number])
        change = EntryLineChange(number, line.statement, line.saying(statement))
    text = " ".join((*lines[: change.number], change.words, *lines[change.number + 1 :]))
    return Exchange(parted(text).statement, change.gone, parted(change.words).statement)


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """The files that corrections read; ``now``: as earlier corrections of the same change left them."""

    files: Mapping[str, bytes]
    ledger: bytes = b""
    taken: frozenset[str] = frozenset()
    now: Mapping[str, bytes] = field(default_factory=dict)

    def entries(self) -> list[EntryInFile]:
        paths = sorted(self.files, key=lambda path: (path not in MEMORY_FILES, path))
        return [EntryInFile(path, entry) for path in paths for entry in read_entries(self.files[path])]

    def entries_below_headings(self) -> list[EntryInFile]:
        above = dict(zip(self.files, map(_headings, self.files.values()), strict=True))
        return [each._replace(about=above[each.path][each.entry.first]) for each in self.entries()]

    def having(self, written: WrittenDown) -> MemoryFiles:
        """Return the files after a correction; the entries keep their former texts."""
        taken = self.taken | {written.correction.correction_id}
        return replace(self, ledger=written.texts.get(LEDGER, self.ledger), taken=taken, now=written.texts)


@dataclass(frozen=True, slots=True)
class WrittenDown:
    """The new files, the correction, and the old texts of its entries."""

    correction: Correction
    texts: Mapping[str, bytes]
    before: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def proven(self) -> WrittenDown:
        """Return the same, noting that the correction comes first in a search."""
        now = self.correction._replace(re_embedded=True)
        mark = f"x:{now.correction_id} re-embedded:"
        ledger = self.texts[now.path].replace(f"{mark}false".encode(), f"{mark}true".encode())
        return replace(self, correction=now, texts={**self.texts, now.path: ledger})


def write_down(verdict: Verdict, note: Correction, memory: MemoryFiles, evidence: str) -> WrittenDown:
    """Return the files with ``note`` in the ledger and its entries corrected; one that cannot be corrected in place is linked."""
    texts = dict(memory.now)
    linked = [remembered.entry.entry_id for remembered in verdict.right]
    notes = [verdict.note] if verdict.note else []
    is_set_right, in_core = False, ""
    old_value, correct = verdict.said, verdict.correct
    before = []
    for remembered, statement in verdict.wrong:
        before.append(remembered.parts.statement)
        try:
            exchange = exchange_in(remembered, statement)
            data = texts.get(remembered.path, memory.files[remembered.path])
            place = memory.files[remembered.path]
            number = next(at for at, each in enumerate(read_entries(place)) if each == remembered.entry)
            changed = set_entry_right(data, read_entries(data)[number], exchange.statement)
            others = {**memory.files, **texts, remembered.path: b""}
            taken = frozenset[str]().union(*map(marks_in, others.values()))
            stamped = stamp(data, changed, evidence, taken=taken)
            texts[remembered.path], entry_id = stamped, read_entries(stamped)[number].entry_id
        except UnfitError as error:
            notes.append(error.message)
            entry_id = remembered.entry.entry_id
        else:
            is_set_right = True
            if remembered.entry.lines:
                old_value, correct = exchange.gone, exchange.came
                before[-1] = old_value
            if remembered.path in MEMORY_FILES and not in_core:
                in_core = changed_words(exchange.gone, exchange.came)
                if in_core != exchange.came:
                    old_value = changed_words(exchange.came, exchange.gone)
        linked.append(entry_id)
    what = f"{note.trigger}\0{verdict.said}\0{verdict.correct}"
    filled = note._replace(
        correction_id=note.correction_id or new_entry_id(what, evidence, memory.taken),
        said=shortened(old_value or note.said),
        correct=shortened(in_core or correct),
        corrects=tuple(dict.fromkeys(filter(None, linked))),
        status=Status.LOGGED if verdict.wrong and not is_set_right else verdict.status,
    )  # fmt: skip
    if note.path != LEDGER:
        texts[note.path] = replace_correction(memory.ledger, filled)
    else:
        ids = {note.correction_id} if note.correction_id else ()
        texts[LEDGER] = added_to_ledger(without_corrections(memory.ledger, ids), filled)
    return WrittenDown(filled, texts, tuple(before), tuple(notes))


def open_item(
    note: Correction, remembered: EntryInFile, statement: str, memory: MemoryFiles, evidence: str
) -> WrittenDown:
    """Return the ledger with an open question: should an entry say ``statement``, which no one has said so far?"""
    entry_id, old = remembered.entry.entry_id, remembered.parts.statement
    what = f"{note.trigger}\0{old}\0{statement}"
    item = note._replace(
        correction_id=new_entry_id(what, evidence, memory.taken),
        said=shortened(old),
        status=Status.OPEN,
        may_correct=(entry_id,) if entry_id else (),
        proposed=shortened(statement),
    )
    return WrittenDown(item, dict(memory.now) | {LEDGER: added_to_ledger(memory.ledger, item)})


# Begins with a verb: the subject is in the clause before.
_HAS_NO_SUBJECT = lazy_pattern(
    r"(?:(?:and|but|und|aber|et|mais|y|pero) )?(?:is|are|was|were|has|have|had|will|can|ist|sind|war|hat|wird|est|sont|es|son|está"
    r"|[a-z]+s(?= (?:at|on|in|from|to|for|by|until|till|about|every|only|\d))|[a-zäöüß]+t(?= (?:am|an|um|im|in|bei|ab|bis|von|nur|\d)))\b"
)
# Begins with a number or a label (`25 min -> Dana`, `Contact: …`): only the clauses before say what it is about.
_LEANS_ON_LINE = lazy_pattern(r"\d|[^\W\d_][\w'’ -]*: ")
_LABEL = lazy_pattern(r"(?!\d{4}-|User:)[^.;:!?，。；]{1,60}(?:: |：)")


def shortened(text: str) -> str:
    return text if len(text) <= MOST_SAID else text[:MOST_SAID].rstrip() + CUT


def changed_words(old: str, new: str) -> str:
    """Return the only new clause, else all of ``new``: the operator did not say the entry's other clauses.

    A clause without its subject (`comes on Tuesday`), or behind the label that says whose it is, makes no sense alone;
    and a number alone is no clause of its own (`Sprechz. 8-12`).
    """
    clauses = clauses_of(new)
    fresh = list(filterfalse(clauses_of(old).__contains__, clauses))
    if len(fresh) != 1 or not all(any(map(str.isalpha, clause)) for clause in clauses):
        return new
    is_led = _HAS_NO_SUBJECT.match(fresh[0]) or _LEANS_ON_LINE.match(fresh[0]) or _LABEL.match(new)
    if is_led and not new.startswith(fresh[0]):
        return new
    return fresh[0]


def added_to_ledger(ledger: bytes, correction: Correction) -> bytes:
    """Return the ledger with the correction at its end; raises if text before it would swallow it."""
    new = add_correction(ledger, correction)
    last = read_corrections(new)[-1:]
    if [(each.correction_id, each.correct) for each in last] != [
        (correction.correction_id, folded(correction.correct))
    ]:
        sentence = "CORRECTIONS.md ends inside something open, so no correction can be added."
        raise ClawgitError(sentence, hint="Close the code block or comment at its end.")
    return new


def standing_links(corrections: Iterable[Correction], statements: Collection[str]) -> list[Correction]:
    """Return the links to present statements, up to ``MOST_LINKS`` each: plain ones first, then newest.

    Links in an archive have ended.
    """
    in_force = (each for each in corrections if each.status is Status.LINKED and each.path == LEDGER)
    links = [each for each in in_force if each.said in statements]
    links.sort(key=lambda link: (link.trigger_confidence != LOW, link.at))
    standing = []
    beside = Counter[str]()
    for each in reversed(links):
        beside[each.said] += 1
        if beside[each.said] <= MOST_LINKS:
            standing.append(each)
    return standing


LONGEST: Final = 240  # characters of a line to ask a person about
SHORT: Final = 4  # changed words at the end of a line that are shown without the rest
LEAST_KEPT: Final = 3  # one in so many of the entry's telling words
_NO_STATEMENT = lazy_pattern(r"[?？:：,，;；…]$|^\W*$|\n")
_TEXTS = (ValueKind.NAME, ValueKind.LINK, ValueKind.MAIL, ValueKind.CODE)  # the other kinds are numbers


def is_askable(old: str, new: str, his_words: str) -> bool:
    """Say whether a person can be asked: ``new`` is whole, differs, keeps values or their kinds, and adds only the operator's words.

    Each new value is in the message or the old line, and the message has a new telling word (none: half of the line's).
    """
    if max(len(old), len(new)) > LONGEST or _NO_STATEMENT.search(folded(new)):
        return False
    going = _missing(old, new)
    is_equal = words(old) == words(new) and not facts_differ(old, new)
    is_fragment = 2 * len(words(new)) < len(words(old))
    if is_equal or is_fragment or _kinds(going) - _kinds(_missing(new, old)):
        return False
    about = subject(old).difference(*(subject(value.text) for value in going))
    if LEAST_KEPT * len(about & subject(new)) < len(about):
        return False
    his = subject(his_words) | frozenset(words(his_words))
    own_words = his | subject(old) | frozenset(words(old))
    if not all(own_words.issuperset(words(value.text)) for value in _missing(new, old)):
        return False
    fresh = subject(new) - subject(old)
    if fresh:
        return bool(fresh & his)
    return 2 * len(subject(new) & his) >= len(subject(new))


def _missing(here: str, there: str) -> list[Value]:
    others = Counter(value.text.casefold() for value in values_in(there))
    missing = []
    for value in values_in(here):
        if others[value.text.casefold()]:
            others[value.text.casefold()] -= 1
        else:
            missing.append(value)
    return missing


def _kinds(values: Iterable[Value]) -> Counter[ValueKind | None]:
    """Count values by kind; None is any kind of number."""
    return Counter(value.kind if value.kind in _TEXTS else None for value in values)


_ENDS = ",;."


def change_in_short(old: str, new: str) -> str:
    """Return the change, such as `Board meetings: Zurich → Basel`; for more than one value, both lines in full."""
    before = _bare(old)
    after = _bare(new)
    exchange = _exchange(before, after)
    if exchange is not None:
        first, going, coming, last = exchange
        about = (_subject_in(first) or _subject_in(last)).strip(" :,;|")
        if about:
            return f"{about}: {going.rstrip(_ENDS)} → {coming.rstrip(_ENDS)}"
    return f"{before} → {after or 'removed'}"


def _exchange(before: str, after: str) -> tuple[str, str, str, str] | None:
    gone = _missing(before, after)
    came = _missing(after, before)
    if len(gone) == len(came) == 1:
        first, last = before[: gone[0].start], before[gone[0].end :]
        if f"{first}{came[0].text}{last}" == after:
            return first, gone[0].text, came[0].text, last
    if max(len(gone), len(came)) > 1:
        return None
    same = takewhile(lambda pair: pair[0] == pair[1], zip(tokens(before), tokens(after), strict=False))
    head = "".join(token for token, _ in same)
    going = before[len(head) :].strip()
    coming = after[len(head) :].strip()
    if 0 < len(words(going)) <= SHORT and 0 < len(words(coming)) <= SHORT:
        return head, going, coming, ""
    return None


def _subject_in(text: str) -> str:
    """Return a text without trailing light words; empty if it has only these."""
    parts = text.split()
    while parts and not subject(parts[-1]):
        parts.pop()
    return " ".join(parts)


def _bare(text: str) -> str:
    return redact(folded(text)).rstrip(" .。!！")
