"""The slots that are files: agent, operator, memory rules; corrections, and the latest notes."""

from __future__ import annotations

from datetime import timedelta
from itertools import filterfalse, product
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.context.assembly import (
    Assembly,
    fence_of,
    latest_of_entries,
    note_beside,
    read_passages,
    told_apart,
)
from clawgit.context.note_lines import told_of_note
from clawgit.context.session_talk import still_meant
from clawgit.context.slots import (
    CORRECTIONS,
    HEADING,
    IDENTITY,
    OPERATOR,
    PROSE,
    RECENT,
    Cut,
    Passage,
    SlotText,
    below_headings,
    correction_passage,
    fit,
    passages_in,
)
from clawgit.context.wanted_context import GROUP, scope_of
from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.review.unreviewed import SOUL_FILES, unseen_lines
from clawgit.memory.corrections.corrected_entries import MARK
from clawgit.memory.corrections.correction_log import LEDGER, Correction
from clawgit.memory.entries.own_section import TITLE
from clawgit.memory.entries.statements import last_day, parted
from clawgit.memory.entries.tiers import MEMORY_FILES, WAYS, date_of, is_correction_file
from clawgit.memory.notes import DRESS, day_of_line, session_of_note, time_of
from clawgit.memory.provenance.pieces import bare_words
from clawgit.recall.model_lines import names_file
from clawgit.recall.questions.question_dates import with_day
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.markdown.lines import ENDINGS, lines_above
from clawgit.text.safety.control_characters import begin_of, folded
from clawgit.text.safety.secrets import one_safe_line
from clawgit.text.words.terms import index_terms
from clawgit.text.words.tokens import count_pieces
from clawgit.workspace.layout import read_template

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import date

    from clawgit.context.slots import Slot
    from clawgit.history.git.trees import Tree
    from clawgit.recall.search_results import Result

NOTES = "memory"
MOST_ABOVE = 40  # characters of a list item above another one
SHORT = 4  # terms of a line of MEMORY.md that may be without its subject
SOUL, IDENTITY_FILE, USER = "SOUL.md", "IDENTITY.md", "USER.md"
_FORMS = (IDENTITY_FILE, USER)  # forms with fields to fill in
# An empty field of a form.
_BLANK = lazy_pattern(
    r"[-*+] (?:\*\*[^*]+:\*\*|\*\*[^*]+\*\*:|[\w ]{1,40}:)(?:\s*(?:_\(.*\)_|\*\(.*\)\*))?\s*"
)
# A whole paragraph in italics is a form's instruction.
_HINT = lazy_pattern(r"(?:\*[^*\n]+\*|_[^_\n]+_)")
# How an instruction of ours begins to read files that are in the prompt already.
_READ = "Read `"


def corrections_slot(assembly: Assembly, hits: Iterable[Result] = ()) -> SlotText:
    """Return the corrections of CORRECTIONS.md in force: unproven first, then the newest; ``hits`` are the search results for the question."""
    later = dict(map(attrgetter("entry", "later"), hits))
    in_force = [each for each in assembly.corrections.values() if each.path == LEDGER and each.holds]
    of_entries = latest_of_entries(in_force)
    latest = []
    cuts = []
    for each in in_force:
        ends = last_day(each.correct)
        if each.corrects and each not in map(of_entries.__getitem__, each.corrects):
            cuts.append(Cut(f"x:{each.correction_id}", "corrected again since"))
        elif ends is not None and ends < assembly.on:
            cuts.append(Cut(f"x:{each.correction_id}", f"ran out on {ends}"))
        else:
            latest.append(each)
    passages = []
    for place, each in enumerate(in_order(latest, assembly.history.settings.correction_overflow_strategy)):
        why = "" if each.re_embedded else f"{CORRECTIONS.why}, and no search has shown it yet"
        passage = noted_correction(assembly, each)
        note = "; ".join(filter(None, (passage.note, *later.get(f"x:{each.correction_id}", ()))))
        passages.append(passage._replace(rank=(place,), why=why, note=note))
    return SlotText(CORRECTIONS, tuple(passages), tuple(cuts))


def noted_correction(assembly: Assembly, correction: Correction) -> Passage:
    """Return the right words of a correction: of a line that alone has no subject with its place, of `tomorrow` behind the line's own day."""
    subject, day = _subject_of(assembly, correction)
    notes = [subject, assembly.evidence.of_correction(correction)]
    passage = correction_passage(correction)
    dated = f"- {folded(with_day(correction.correct, day, correction.said))}"
    if passage.text.endswith(dated.removeprefix("- ")):
        entry = assembly.tree.entry(correction.path)
        passage = passage._replace(blob=entry.object_id if entry else "")
    else:
        passage = passage._replace(text=dated)
        notes.append(f"corrected on {correction.at[:10]}")
    return passage._replace(note="; ".join(filter(None, notes)))


def _subject_of(assembly: Assembly, correction: Correction) -> tuple[str, str]:
    """Return the place of a corrected line and the day before its words; of one that says something else by now, those when it was corrected."""
    paths, corrected = _files_changed_for(assembly, correction.correction_id)
    for tree, path in product((assembly.tree, corrected), filter(assembly.tree.entry, paths)):
        place = place_told(path, tree.read(path) or b"", correction.correct)
        if place is not None:
            return place
    return "", ""


def place_told(path: str, data: bytes, words: str) -> tuple[str, str] | None:
    """Return the file of a line beside memory, and the list item above it, or else its heading; and the day before its words. None without the line.

    Of a part of a line, what is before it. In MEMORY.md the heading of a short line alone.
    """
    terms = f" {index_terms(words)} "
    above = place = ""
    for each in passages_in(data):
        if each.kind == HEADING:
            above = each.text.strip("\ufeff# ")
        elif terms in f" {index_terms(each.text)} ":
            items = lines_above(data, each.first)[1:]
            if items:
                above = begin_of(one_safe_line(bare_words(items[0])), MOST_ABOVE)
            is_telling = bool(items) or not (above == "" or names_file(above, path))
            head, part, _ = parted(each.text.lstrip(DRESS)).statement.partition(words.rstrip("."))
            if part and head.strip():
                place = f'behind "{begin_of(head.strip(" ,;:–-"), MOST_ABOVE)}"'
            elif path not in MEMORY_FILES:
                place = f"in {path}" + f", {above}" * is_telling
            elif items or (is_telling and len(terms.split()) <= SHORT):
                place = f"under {above}"
            return place, parted(each.text.lstrip(DRESS)).before
    return None


def _files_changed_for(assembly: Assembly, name: str) -> tuple[list[str], Tree]:
    """Return the other texts that a correction's commit changed, and the files as it left them."""
    rows = assembly.trusts.ask(lambda store: store.course_of(MARK + name))
    history = assembly.history
    if not rows or history.objects.begins_at(rows[0].commit_id):
        return [], assembly.tree
    before, after = history.around(history.objects.commit(rows[0].commit_id))
    texts = filter(lambda path: path.endswith(ENDINGS), after.changed(before))
    return list(filterfalse(is_correction_file, texts)), after


def in_order(corrections: Iterable[Correction], strategy: str) -> list[Correction]:
    """Return the newest corrections first; by one strategy, unproven ones precede them."""
    newest_first = sorted(corrections, key=lambda each: (each.at, each.correction_id), reverse=True)
    if strategy == "newest_first":
        return newest_first
    return sorted(newest_first, key=lambda each: each.re_embedded)


def recent_slot(assembly: Assembly, *, group: str | None = None) -> SlotText:
    """Return the dated notes of the last `memory_retention_hours`, whole days, filtered by `told_of_note`; a small slot gets the latest.

    For a ``group``, a session's key, only the notes of that session.
    """
    whole = SlotText(RECENT)
    for number, (_, _, path) in enumerate(_recent_files(assembly)):
        data = assembly.tree.read(path) or b""
        if group is not None and not is_note_of(data, group):
            continue
        read, left_out = told_of_note(read_passages(assembly, path, keep_end=True), data)
        holding, cuts = told_apart(assembly, read, to_strangers=group is not None)
        ranked = []
        for passage in still_meant(assembly, holding):
            why = f"said on {day_of_line(path, data, passage.first)}"
            ranked.append(passage._replace(rank=(-number, -passage.first), why=why))
        whole = whole._replace(
            passages=(*whole.passages, *ranked),
            cuts=(*whole.cuts, *left_out, *cuts),
            notes=(*whole.notes, *read.notes),
        )
    return whole


def _recent_files(assembly: Assembly) -> list[tuple[date, str, str]]:
    """Return the notes with days and times, the latest at the end; on each day, the note without a time comes first."""
    days = -(-assembly.history.settings.memory_retention_hours // 24)
    first = assembly.on - timedelta(days=days)
    files = []
    for name in assembly.tree.names(NOTES):
        day = date_of(name)
        if day is not None and first <= day <= assembly.on:
            path = f"{NOTES}/{name}"
            files.append((day, time_of(assembly.tree.read(path) or b""), path))
    return sorted(files)


def is_note_of(data: bytes, session: str) -> bool:
    """Say whether a file is the note of this group; a private session's key may be another talk's, too."""
    return scope_of(session) == GROUP and session_of_note(data) == one_safe_line(session)


def identity_slot(assembly: Assembly, left_out: Collection[str]) -> SlotText:
    """Return SOUL.md (at most `soul_max_tokens`), IDENTITY.md and AGENTS.md; AGENTS.md is cut first, and within it the lessons last."""
    whole = SlotText(IDENTITY)
    for rank, path in enumerate((SOUL, IDENTITY_FILE, WAYS)):
        if path not in left_out:
            own = _file_slot(assembly, IDENTITY, path, rank)
            whole = whole._replace(
                passages=whole.passages + own.passages,
                cuts=whole.cuts + own.cuts,
                longer=whole.longer + own.longer,
                notes=whole.notes + own.notes,
            )
    return whole


def operator_slot(assembly: Assembly, left_out: Collection[str]) -> SlotText:
    return SlotText(OPERATOR) if USER in left_out else _file_slot(assembly, OPERATOR, USER, 0)


def _file_slot(assembly: Assembly, slot: Slot, path: str, rank: int) -> SlotText:
    read = read_passages(assembly, path)
    passages_left = _without_blanks(read.passages, path)
    unseen: Collection[str] = ()
    if path in SOUL_FILES:
        unseen = unseen_lines(assembly.history, path)
    passages: tuple[Passage, ...] = ()
    lessons = _below_lessons(passages_left)
    for each in passages_left:
        trust = each.trust
        if any(line.strip() in unseen for line in each.text.splitlines()):
            trust = fence_of(UNKNOWN)  # its instructions need the operator's approval
        note = ""
        if slot is OPERATOR:  # his words beside a line
            note = note_beside(assembly, each, each.trust)
        passages += (each._replace(rank=(rank, each.first not in lessons), trust=trust, note=note),)
    whole = SlotText(slot, passages, longer=(path,) if read.part.is_cut else (), notes=read.notes)
    if path != SOUL:
        return whole
    bare = SlotText(slot._replace(names_files=False), passages)
    fitting = fit(bare, count_pieces, assembly.history.settings.soul_max_tokens)
    cuts = tuple(Cut(each.place, "over soul_max_tokens") for each in fitting.cuts)
    longer = (path,) if cuts else whole.longer
    return whole._replace(passages=fitting.passages, cuts=cuts, longer=longer)


def _below_lessons(passages: Iterable[Passage]) -> set[int]:
    """Return the first lines of passages below the heading to which `remember` adds."""
    lines = set()
    level = 0
    for each in passages:
        if each.kind != HEADING:
            if level:
                lines.add(each.first)
        elif each.text.strip("# :").lower() == TITLE.lower():
            level = each.level
        elif each.level <= level:
            level = 0
    return lines


def _without_blanks(passages: Sequence[Passage], path: str) -> tuple[Passage, ...]:
    """Return a file's passages without a second title, empty fields, instructions for filling them in, and the template's order to read files of the prompt."""
    form: set[str] = set()
    if path in (*_FORMS, WAYS):
        for each in passages_in(read_template(path)):
            if each.kind != HEADING and (path != WAYS or each.text.startswith(_READ)):
                form.add(each.text)
    named = list(passages)
    if named and named[0].kind == HEADING and f"{named[0].text} ".startswith(titles_of(path)):
        del named[0]
    saying = {}
    for at, each in enumerate(named):
        below = ""
        if at + 1 < len(named):
            below = named[at + 1].text
        is_hint = path in _FORMS and each.kind == PROSE and _HINT.fullmatch(each.text)
        is_blank = _BLANK.fullmatch(each.text) and not below.startswith((" ", "\t"))
        if not (each.text in form or is_hint or is_blank):
            saying[at] = each
    return below_headings(named, saying)


def titles_of(path: str) -> tuple[str, ...]:
    """Return the titles that only repeat the file's name, each with a space behind."""
    name = path.removesuffix(".md")
    return f"# {name} ", f"# {name}.md "
