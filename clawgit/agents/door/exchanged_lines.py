"""Corrects a line of USER.md or of a file beside memory in place, and finds lines that still have the old words."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.door.linkable import remembered
from clawgit.agents.door.meant_entries import is_line_of_file
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.undo.forgetting import StatementLine, find_same, from_the_end, lines_that_say
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.write_correction import Verdict, shortened
from clawgit.memory.entries.statements import cells_of, own_words_of, parted, row_saying, row_statements
from clawgit.memory.entries.tiers import MEMORY_FILES, USER_FILE, day_of_note, holds_entries
from clawgit.memory.notes import is_mail
from clawgit.memory.provenance.contrasts import exchanged, place_of
from clawgit.memory.provenance.pieces import readable
from clawgit.memory.undo.text_units import Statement, line_statements
from clawgit.recall.index.searched_files import is_of_the_past
from clawgit.text.comparing.similarity import common_ends, exchanged_words
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.lazy_pattern import lazy_bytes_pattern
from clawgit.text.markdown.lines import joined, split_lines
from clawgit.text.safety.control_characters import few, first_few, folded
from clawgit.text.safety.secrets import redact
from clawgit.understanding.corrections.correct_by_hand import MOST_LISTED, CorrectError, is_line, named
from clawgit.understanding.corrections.ready_commands import BLANK, in_shell
from clawgit.understanding.evidence.said_words import lacking, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.corrections.write_correction import MemoryFiles

_MARKED = ("|", ">")
_PROSE = lazy_bytes_pattern(rb"[a-z\d](?!\w*[.)] )")
MOST_NOTES = 3  # that are named
_SENTENCE_ENDS = tuple(map(str.encode, ".!?:。！？"))


class LinePlace(NamedTuple):
    """The file of a line, and its number (from 0) if known."""

    path: str
    number: int | None = None


class SameLine(NamedTuple):
    """A line that still has the corrected words, and the command for it; empty if only an editor can change it."""

    line: StatementLine
    command: str


def still_said(history: History, before: str, after: str, at: str = "") -> list[SameLine]:
    """Return the lines that still have, or may have, the replaced words or value, those of memory first.

    Daily notes, and files that call themselves old, are skipped, except the named file ``at``.
    """
    old, new = exchanged_words(before, after)
    if not old:
        return []
    about = telling(exchanged(before, old, "") or before)
    tree = history.tip().tree
    lines: dict[str, tuple[StatementLine, str]] = {}
    for line in find_same(history, StatementLine("", Statement(0, 0, before)), max(old.split(), key=len)):
        text = exchanged(line.text, old, new)
        is_other = line.mark.startswith("x:") or (line.path != at and is_of_the_past(line.path))
        is_about_it = 2 * len(shared_with(about, telling(line.text))) > len(about)
        if text is not None and not is_other and not place_of(line.text, new) and is_about_it:
            lines[line.place] = line, text
    from clawgit.agents.door.lines_with_value import is_of_another, lines_with_value  # noqa: PLC0415 - seldom: a correction was made

    for line, text in lines_with_value(tree, before, after):
        lines[line.place] = line, text
    same = []
    for line in from_the_end(sorted(map(itemgetter(0), lines.values()), key=_closeness)):
        text = lines[line.place][1]
        if is_of_another(before, line.text):
            continue
        command = ""
        if text and _may_become(tree, line, text):
            command = f"clawgit correct {line.named} {in_shell(text)}"
        same.append(SameLine(line, command))
    return same


def said_again(tree: Tree, correction: Correction) -> Iterator[str]:
    """Yield for each other entry that quotes the message of a correction, and all of which the corrected ones say, how it goes."""
    stated = []
    quoting = []
    for each in remembered(tree).entries():
        statement = own_words_of(each.parts.statement)
        if each.entry.entry_id in correction.corrects:
            stated.append(statement)
        elif statement and statement in correction.trigger:
            quoting.append(each)
    now = read(" ".join(stated))
    for each in quoting:
        words = own_words_of(each.parts.statement)
        if not lacking(read(words), now):
            place = f"{each.path}:{each.entry.first + 1}"
            yield f'{place} "{words}" says that, too: `clawgit forget m:{each.entry.entry_id}` takes it out.'


def _closeness(line: StatementLine) -> tuple[bool, bool]:
    """Return the rank of a line's file: MEMORY.md, other memory, other files."""
    return not holds_entries(line.path), line.path not in MEMORY_FILES


def _may_become(tree: Tree, line: StatementLine, text: str) -> bool:
    if redact(text) != text:  # a text masked on screen would be written masked
        return False
    if cells_of(line.text)[0] != cells_of(text)[0]:
        return False  # the other cells of a row are about the name in the first
    place = LinePlace(line.path, line.statement.first)
    return holds_entries(line.path) or line_exchanged(tree, line.text, text, place) is not None


def said_by_now(tree: Tree, statement: str) -> str:
    """Return what the corrections in force have made of a statement, in the ledger's form."""
    corrected = {}
    for each in standing_corrections(tree).values():
        if each.holds:
            corrected[each.said] = each.correct
    present = shortened(statement)
    while present in corrected:
        present = corrected.pop(present)
    return present


def refuse_earlier(tree: Tree, old: str, new: str) -> None:
    """Refuse to correct what a line said before a correction: as a new line, ``new`` would contradict what it says now.

    Raises:
        CorrectError: A line says neither of both now, but what is right instead of ``old``.
    """
    present = said_by_now(tree, old)
    if present in (shortened(old), shortened(new)):
        return
    for line in lines_that_say(tree, present):
        is_in_reach = holds_entries(line.path) or is_line_of_file(line.path, line.statement)
        if shortened(line.text) == present and (is_in_reach or line.path == USER_FILE):
            text = exchanged(line.text, *exchanged_words(old, new))
            way = BLANK
            if text and redact(text) == text:
                way = in_shell(text)
            sentence = f"You corrected that: {line.place} says {line.text!r} now. Nothing was changed."
            raise CorrectError(sentence, hint=f"`clawgit correct {line.named} {way}`.")


def note_corrected(tree: Tree, memory: MemoryFiles, old: str, new: str) -> Verdict:
    """Return the correction of a line in a note, which names its day: notes of other days may have the same words."""
    present = said_by_now(tree, old)
    if present == new:
        return Verdict(Status.LOGGED, old, new)
    for target in memory.entries():
        if target.parts.statement == present != old:  # of an earlier correction of this line
            return Verdict(Status.APPLIED, present, new, ((target, new),))
    return named(old, new, (), None)


def reach(tree: Tree, old: str, path: str, at: LinePlace | None) -> str:
    """Return what a new line of memory holds for: the note that is corrected, or every note that says ``old``."""
    if at is not None and at.number is not None and day_of_note(at.path) is not None:
        return f"{at.path}:{at.number + 1} stays as it is: {path} has a new line, which holds for that day alone."
    places = []
    for line in lines_that_say(tree, old):
        if day_of_note(line.path) is not None:
            places.append(line.place)
    if not places:
        return f"No entry said it before: {path} has a new line."
    return f"No entry said it before: {path} has a new line, which also holds for {few(places, MOST_NOTES)}."


def same_told(same: Sequence[SameLine]) -> list[str]:
    """Return the lines that still have the old words, formatted for a screen."""
    if not same:
        return []
    lines = []
    for each in same:
        way = "edit it there"
        if each.command:
            way = f"`{each.command}`"
        lines.append(f"  {each.line.place}  {each.line.statement.words}   ({way})")
    lines = first_few(lines, MOST_LISTED, "  and {} more; --json shows all of them")
    heading = "These lines say the same as before, or may, and stay; searches show your correction first:"
    return [heading, *lines]


def file_beside_memory(tree: Tree, statement: str) -> list[LinePlace]:
    """Return the only file that has the statement in a line and not an entry, of memory before others; empty if several have it."""
    paths = set()
    for line in lines_that_say(tree, statement):
        is_same = shortened(line.text) == shortened(folded(statement))
        if is_same and is_line_of_file(line.path, line.statement):
            paths.add(line.path)
    paths = set(filter(holds_entries, paths)) or paths
    if len(paths) > 1:
        return []
    return list(map(LinePlace, paths))


def correction_placed(tree: Tree, name: str) -> Correction | None:
    """Return the correction `x:…` beside the file that has its line now, if one alone has it word for word."""
    correction = standing_corrections(tree).get(name.removeprefix("x:"))
    if correction is not None and correction.beside:
        for place in file_beside_memory(tree, correction.said):
            return correction._replace(beside=place.path)
    return correction


def is_only_read(tree: Tree, path: str) -> bool:
    """Say whether a file is of another encoding than UTF-8: its lines are not written."""
    data = tree.read(path) or b""
    return readable(path, data) != data


def line_exchanged(tree: Tree, old: str, new: str, at: LinePlace) -> bytes | None:
    """Return the file with the line ``old`` changed to ``new``; None if no line or several match, or it spans lines.

    For USER.md, files beside memory, and prose and table rows of memory. A table row and a quotation keep their form.
    """
    label, colon, _ = folded(old).partition(":")
    if not is_line(folded(new), folded(old)) and not (colon and folded(new).startswith(label)):
        return None  # the line would be a bare value
    if old.startswith(_MARKED) and not new.startswith(old[0]):
        return None
    data = tree.read(at.path) or b""
    if is_only_read(tree, at.path):
        return None
    if at.number is None and is_mail(data, at.path):
        return None  # what another wrote stays as it is, but where its place is named
    lines = split_lines(data)
    saying = []
    for statement in line_statements(data, at.path):
        is_changeable = at.path == USER_FILE or is_line_of_file(at.path, statement)
        is_meant = is_changeable and at.number in (None, statement.first)
        words = parted(statement.words).statement
        if is_meant and shortened(words) == shortened(folded(old)):
            saying.append((statement.first, words))
    if len(saying) != 1:
        return None
    number, words = saying[0]
    line = _exchanged(lines[number], words, folded(new))
    is_of_several = _goes_on(lines, number) or (number > 0 and _goes_on(lines, number - 1))
    if not line or (is_of_several and not _is_word_for_word(words, folded(new))):
        return None
    return joined([*lines[:number], line, *lines[number + 1 :]])


def _exchanged(line: bytes, old: str, new: str) -> bytes:
    """Return a line with ``old`` replaced once, in a row each differing cell; empty if it is not there exactly once."""
    places = list(re.finditer(rb"[ \t]+".join(map(re.escape, old.encode().split())), line))
    if len(places) == 1 and not line.lstrip().startswith(b"|"):  # a row keeps its columns
        return line[: places[0].start()] + new.encode() + line[places[0].end() :]
    row = line.decode("utf-8", "surrogateescape")
    was = row_statements(old)
    now = row_statements(new)
    if len(was) != len(now):
        return b""
    for wrong, right in zip(was, now, strict=True):
        if wrong != right:
            row = row_saying(row, wrong, right)
    return row.encode("utf-8", "surrogateescape")


def _is_word_for_word(before: str, after: str) -> bool:
    """Say whether as many words take the place of others in the rest of a line; what the lines around it say still fits."""
    was = before.split()
    now = after.split()
    first, behind = common_ends(was, now)
    return len(was) == len(now) and 2 * (first + behind) > len(was)


def _goes_on(lines: Sequence[bytes], number: int) -> bool:
    """Say whether the sentence of a line may continue on the next."""
    line, behind = map(bytes.strip, (*lines, b"")[number : number + 2])
    is_sign = line.startswith((b"#", b"|", b"<!--", b"```", b"---"))
    is_ended = not line or is_sign or line.endswith(_SENTENCE_ENDS)
    is_listed = line[:1].isdigit() and behind[:1].isdigit()  # `31 free` above `40 Marta`
    return not is_listed and not is_ended and _PROSE.match(behind) is not None
