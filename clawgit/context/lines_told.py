"""Lines of a file for a model that reads on by place: without ids and comments, each with its notes.

Notes as in a prompt: author, correction, conflict, the operator's words. Unlike there, untrue lines are
shown, with their correction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from clawgit.capture.sessions.taken_back import lines_not_meant, lines_taken_back
from clawgit.context.assembly import Assembly, look_beside, note_beside, open_assembly
from clawgit.context.slots import HEADING, ITEM, PROSE, Passage, tag_behind
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.corrections.corrected_entries import MARK, correction_pieces
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.tiers import date_of, is_correction_file
from clawgit.memory.notes import USER
from clawgit.memory.trust import EXTERNAL, OPERATOR
from clawgit.recall.model_lines import line_with_notes, said_at, unfenced, whose
from clawgit.recall.search_results import NOT_IN_FORCE, FoundMessage
from clawgit.text.markdown.lines import split_lines, without_end
from clawgit.text.safety.secrets import one_safe_line, redact_lines
from clawgit.understanding.evidence.own_sentences import is_mostly_pasted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.recall.get_lines import Got

MOST_CHARACTERS: Final = 7800  # at once; the model may read on
TAKEN_BACK: Final = "the operator took this back"
_COMMENT: Final = re.compile(r"[ \t]*<!--.*?(?:-->|\Z)", re.DOTALL)
_BUT_ENDS: Final = re.compile(r"[^\r\n]+")
_IDS: Final = re.compile(r"- (?:corrects|may correct): .*")  # of entries


def lines_told(history: History, got: Got, tree: Tree | None, now: datetime) -> Got:
    """Return lines of a file for a model, as many as fit at once, and where the rest is."""
    lines = _plain_lines(got)[got.first - 1 :][: got.lines]
    fitting = told_in_part(got, lines, len(lines)).lines
    with open_assembly(history, tree or history.tip().tree, now) as assembly:
        numbered = dict(enumerate(lines[:fitting], got.first))
        if is_correction_file(got.path):
            notes = _notes_of_ledger(assembly, got)
        else:
            notes = _notes_of(assembly, got, numbered)
    shown_lines = [line_with_notes(line, notes.get(number, ())) for number, line in numbered.items()]
    return told_in_part(got, shown_lines, len(lines))


def message_told(history: History, got: Got, message: FoundMessage, now: datetime) -> Got:
    """Return lines of a message for a model, with its time, its author unless the operator, and whether he took it back."""
    lines = got.text.splitlines()
    trust = message.trust
    if trust == OPERATOR and is_mostly_pasted(message.text):
        trust = EXTERNAL
    notes = [said_at(message), whose(trust, message.text)]
    line = f"{USER}: {one_safe_line(message.text)}"
    with open_trusts(history) as trusts:
        if lines_taken_back(history, trusts, [line], now):
            notes.append(TAKEN_BACK)
    shown_lines = list(map(unfenced, lines))
    if lines:
        shown_lines[-1] = line_with_notes(lines[-1], notes)
    return told_in_part(got, shown_lines, len(lines))


def told_in_part(got: Got, shown_lines: Sequence[str], lines: int) -> Got:
    shown: list[str] = []
    room = MOST_CHARACTERS
    for line in shown_lines:
        room -= len(line) + 1
        if room < 0 and shown:
            break
        shown.append(line[:MOST_CHARACTERS])
    text = "\n".join(shown)
    if len(shown) < lines:
        text += f"\nMore: memory_get {got.path} with from {got.first + len(shown)}."
    return got._replace(lines=len(shown), text=text)


def _plain_lines(got: Got) -> list[str]:
    """Return the lines of a file without comments, ids and tags, keys masked; each keeps its number."""
    text = redact_lines(got.data.decode("utf-8", "replace"))
    bare = _COMMENT.sub(lambda match: _BUT_ENDS.sub("", match[0]), text)
    lines = []
    for line in split_lines(bare.encode("utf-8", "replace")):
        plain = without_end(line).decode("utf-8", "replace").rstrip()
        plain = plain.removesuffix(tag_behind(plain))
        if is_correction_file(got.path):
            plain = _IDS.sub("", plain)
        lines.append(plain)
    return lines


def _notes_of(assembly: Assembly, got: Got, lines: Mapping[int, str]) -> dict[int, list[str]]:
    """Return the notes by line; a passage's notes are at its last line."""
    ends: dict[Passage, int] = {}
    entries = {}
    for entry in read_entries(got.data):
        whole = Passage(entry.text, ITEM, got.path, entry.first + 1, entry.last, entry=entry.mark)
        entries.update(dict.fromkeys(whole.lines, whole))
    for number, line in lines.items():
        if line.strip():
            kind = HEADING if line.startswith("#") else PROSE
            own = Passage(line.strip(), kind, got.path, number, number)
            ends[entries.get(number, own)] = number
    if got.is_followed:
        look_beside(assembly, ends)
    gone = frozenset[int]()
    forgotten: dict[str, str] = {}
    if date_of(got.path):
        gone = lines_not_meant(got.data)
        forgotten = lines_taken_back(assembly.history, assembly.trusts, lines.values(), assembly.now)
    notes: dict[int, list[str]] = {}
    for passage, number in ends.items():
        trust = UNKNOWN
        if got.is_followed:
            trust = assembly.trusts.of_lines(got.data, passage.first, passage.last)
        said_by = whose(trust, passage.text)
        if passage.kind == HEADING and trust != EXTERNAL:
            said_by = ""
        instead = assembly.untrue.instead(passage)
        behind = f"no longer so, but: {instead}"
        if not instead:
            behind = note_beside(assembly, passage, trust)
        notes[number] = [said_by, behind]
        if not gone.isdisjoint(passage.lines) or lines[number] in forgotten:
            notes[number].append(TAKEN_BACK)
    return notes


def _notes_of_ledger(assembly: Assembly, got: Got) -> dict[int, list[str]]:
    """Return which corrections are not in force, and the notes of those in force."""
    notes: dict[int, list[str]] = {}
    for piece, correction in correction_pieces(got.data, got.path).items():
        note = NOT_IN_FORCE
        if assembly.trusts.holds(MARK + correction.correction_id, piece.words):
            note = assembly.evidence.of_correction(correction)
        notes[correction.first + 1] = [note]
    return notes
