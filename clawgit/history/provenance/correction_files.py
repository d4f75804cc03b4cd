"""The ledger of corrections and its archives: which are in force, and what a change would remove from them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import chain, takewhile
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN
from clawgit.history.git.trees import Tree, correction_files, entry_files
from clawgit.memory.corrections.corrected_entries import KnownCorrection, as_held, correction_pieces, is_heard
from clawgit.memory.corrections.correction_log import (
    LEDGER,
    Status,
    archive_of,
    keep_corrections,
    restored,
    standing,
)
from clawgit.memory.entries.entries import read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import holds_entries, is_correction_file
from clawgit.memory.provenance.pieces import CORRECTION, ENTRY, Origin, Piece, Seen, piece_of, plain_words
from clawgit.memory.trust import LOWEST, UNDERSTOOD
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.history.transaction.working_tree import WorkFiles
    from clawgit.memory.corrections.correction_log import Correction

_SAID, _BEFORE, _CORRECT, _CORRECTS = "- said: ", "- before: ", " - correct: ", " - corrects: "
CORRECTING = "recall-validator"  # repairs corrections, and proves each change itself
_ASKED = f"- status: {Status.OPEN.value}"  # a question's author is not the author of its answer
# Words that no commit brought, since the file is too large to be read, for example.
NOWHERE = Origin("", "1970-01-01T00:00:00+00:00", UNKNOWN, LOWEST)


def keep_in_ledgers(
    files: WorkFiles, brought: Collection[str]
) -> tuple[tuple[Correction, ...], tuple[Correction, ...]]:
    """Put each missing correction into the ledger or the archive; return those withdrawn, and those in force again."""
    if not brought and not any(map(is_correction_file, files.contents)):
        return (), ()
    paths = list(filter(is_correction_file, {*correction_files(files.tree), *files.contents}))
    old = {path: files.tree.read(path) or b"" for path in paths}
    texts, withdrawn = keep_corrections(old, {path: files.data(path) for path in paths}, brought)
    for path, text in texts.items():
        here = files.content(path)
        if text != files.data(path):
            empty = path != LEDGER and not text.strip()
            files.put(path, None if empty else FileContent(text, here is not None and here.executable))
    return withdrawn, restored(old, texts)


def standing_corrections(tree: Tree) -> dict[str, Correction]:
    return standing({path: tree.read(path) or b"" for path in correction_files(tree)})


def refuse_withdrawal(withdrawn: Sequence[Correction], intent: Intent) -> None:
    if withdrawn and intent.actor != OPERATOR:
        raise ClawgitError(
            f"This would withdraw the correction x:{withdrawn[0].correction_id}; only the operator may.",
            hint="Run it yourself, in a terminal of your own.",
        )


def withdrawal_trailers(withdrawn: Sequence[Correction]) -> list[tuple[str, str]]:
    trailers = []
    for each in withdrawn:
        reason = f"withdrawn by the operator; it is kept in {archive_of(each)}"
        trailers.append(("Clawgit-Loss", f"{LEDGER}: x:{each.correction_id} {reason}"))
    return trailers


def read_known_corrections(
    history: History, store: FoldStore, only: Collection[str] | None = None
) -> list[KnownCorrection]:
    """Return the corrections (of the entries ``only``), the ledger's first; of several with one id, the first."""
    tree = history.tip().tree
    present = Present(history)
    pieces: dict[str, tuple[Piece, Correction]] = {}
    for path in correction_files(tree):
        for piece, correction in correction_pieces(tree.read(path) or b"", path).items():
            pieces.setdefault(correction.correction_id, (piece, correction))
    corrections = []
    for piece, correction in pieces.values():
        if only is None or not set(only).isdisjoint(correction.corrects):
            corrections.append(_known(present, correction, piece, store))
    return corrections


class Present:
    """The present words of entries by id, and the order of commits; read once for all questions."""

    def __init__(self, history: History) -> None:
        self.history = history

    @cached_property
    def corrections(self) -> list[tuple[Piece, Correction]]:
        """Return the corrections of the archive and of the ledger, in the order in which they came."""
        tree = self.history.tip().tree
        pieces: list[tuple[Piece, Correction]] = []
        for path in reversed(correction_files(tree)):
            pieces += correction_pieces(tree.read(path) or b"", path).items()
        return pieces

    def statements_set_right(self, commit_id: str) -> list[str]:
        """Return the present statements of files that a correction changed, without ledgers and memory."""
        if not self.history.objects.has_commit(commit_id):
            return []
        from clawgit.memory.undo.text_units import line_statements  # noqa: PLC0415 - a list of memory does not need it

        tree = self.history.tip().tree
        before, after = self.history.around(self.history.objects.commit(commit_id))
        statements: list[str] = []
        for path in after.changed(before):
            if not is_correction_file(path) and not holds_entries(path):
                statements += map(attrgetter("words"), line_statements(tree.read(path) or b"", path))
        return statements

    @cached_property
    def words(self) -> dict[str, str]:
        tree = self.history.tip().tree
        words: dict[str, str] = {}
        for path in entry_files(tree):
            words |= _words_in(tree.read(path) or b"")
        return words

    def heirs(self, entry_id: str) -> set[str]:
        """Return the entry; if it is gone, those with a correction of the same words, since each clone gives an id of its own."""
        if entry_id in self.words:
            return {entry_id}
        olds: set[str] = set()
        heirs: set[str] = set()
        for _, each in self.corrections:
            if entry_id in each.corrects:
                olds.add(each.said)
        for _, each in self.corrections:
            if each.said in olds:
                heirs.update(each.corrects)
        return heirs & self.words.keys()

    def descends(self, later: str, commit_id: str) -> bool:
        return self.history.objects.descends(later, commit_id)


def is_held(present: Present, store: FoldStore, name: str, words: str, *, planned_by: str = "") -> bool:
    """Say whether a correction (`x:…`) with these words rests on the operator's word or a reading of it, not outdone since.

    ``planned_by``: that actor is about to give it these words.
    """
    wordings = _told(store, store.seen(name))
    if planned_by:
        return is_heard(words, [*wordings, (words, planned_by)])
    return is_heard(words, wordings) and not _is_outdone(present, store, name, words)


def _is_outdone(present: Present, store: FoldStore, name: str, words: str) -> bool:
    """Say whether each corrected entry has later words of the operator's, other than those that it found wrong."""
    head, separator, rest = words.rpartition(_CORRECTS)
    old_field, _, correct = head.rpartition(_CORRECT)
    ids = list(takewhile(lambda part: part.startswith("m:"), rest.split()))
    old = plain_words(old_field.rpartition(_SAID)[2].rpartition(_BEFORE)[2])
    if not (separator and correct):
        return False
    came = store.seen(name)
    if not ids:
        return _is_outdone_beside(present, store, came, (old, correct))
    for each in ids:
        entry_id = each.removeprefix("m:")
        now = present.words.get(entry_id, "")
        is_back = now and plain_words(parted(now).statement) in old
        if is_back or plain_words(correct) in plain_words(now):
            return False
        is_lost = any(_has_lost(present, store, came, (entry_id, heir)) for heir in present.heirs(entry_id))
        if not is_lost and not _is_typed_over(present, store, came, (entry_id, now)):
            return False
    return True


def _is_typed_over(present: Present, store: FoldStore, came: Sequence[Seen], entry: tuple[str, str]) -> bool:
    """Say whether the operator wrote an entry's present words, after a correction and not by another one."""
    from clawgit.history.reading.git_log import read_named  # noqa: PLC0415 - a list of memory does not need it

    typed = [row.commit_id for _, row in store.wordings(*entry) if row.before != row.words]
    if not came or not typed or present.descends(came[0].commit_id, typed[-1]):
        return False
    if any(row.kind == "correction" for row in store.of_commit(typed[-1])):
        return False
    return typed[-1] in store.claims() or read_named(present.history, typed)[typed[-1]].actor == OPERATOR


def _has_lost(present: Present, store: FoldStore, came: Iterable[Seen], ids: tuple[str, str]) -> bool:
    """Say whether a merge kept other words of the operator's: the text comes from what a correction changed, but not through it.

    ``ids``: of the entry that it changed, and of the present one.
    """
    commits = set(map(attrgetter("commit_id"), came))
    line = [present.words[ids[1]]]
    earlier: dict[str, str] = {}
    made = ""
    for row in chain(*map(store.seen, ids)):
        if row.kind == "words" and row.words != row.before:
            if row.words == line[0]:
                earlier[row.words] = row.before
            earlier.setdefault(row.words, row.before)  # of other words that came twice, the first time counts
            if row.commit_id in commits:
                made = row.words
    while earlier.get(line[-1], "") not in ("", *line):
        line.append(earlier[line[-1]])
    common = made
    while common and common not in line:
        common = earlier.pop(common, "")
    if common in ("", made, line[0]):
        return False
    origin = store.origin(ENTRY + line[line.index(common) - 1])
    return origin is not None and origin.trust in (OPERATOR, UNDERSTOOD)


def _is_outdone_beside(
    present: Present, store: FoldStore, came: Sequence[Seen], change: tuple[str, str]
) -> bool:
    """Say the same for a line in a file beside memory: corrected again or otherwise, or with newer words of the operator's."""
    if not came:
        return False
    from clawgit.text.comparing.subjects import subject  # noqa: PLC0415 - a list of memory does not need it

    old, correct = change
    right = plain_words(correct)
    is_later = False
    rivals = []
    for piece, other in present.corrections:
        if piece.entry_id == came[0].entry_id:
            is_later = True
        elif other.holds and plain_words(other.said) in (right, old):
            is_again = is_later and plain_words(other.said) == right
            if is_heard(piece.words, _told(store, store.seen(piece.entry_id or ""))):
                if is_again:
                    return True
                rivals.append(plain_words(other.correct))
    commit_id = came[-1].commit_id
    about = subject(correct)
    is_said = False
    is_other = False
    for words in present.statements_set_right(commit_id):
        is_said = is_said or right in plain_words(words)
        is_other = is_other or any(map(plain_words(words).__contains__, rivals))
        if 2 * len(about & subject(words)) > len(about):
            origin = store.origin(ENTRY + words) or store.origin(words)
            is_his = origin is not None and origin.trust == OPERATOR
            if origin is not None and is_his and origin.commit_id != commit_id:
                is_other = is_other or present.descends(origin.commit_id, commit_id)
    return is_other and not is_said


@lru_cache(maxsize=32)
def _words_in(data: bytes) -> dict[str, str]:
    pieces = map(piece_of, read_entries(data))
    return {piece.entry_id: piece.words for piece in pieces if piece.entry_id is not None}


def _told(store: FoldStore, rows: Iterable[Seen]) -> list[tuple[str, str]]:
    """Return each wording of a correction and its actor; a host that cites the operator's message counts as an agent."""
    speakers = []
    for row in rows:
        origin = store.origin(CORRECTION + row.words) or NOWHERE
        speaker = origin.actor
        if speaker == HOST and origin.trust in (OPERATOR, UNDERSTOOD):
            speaker = CORRECTING
        speakers.append((row.words, speaker))
    return speakers


def _known(present: Present, correction: Correction, piece: Piece, store: FoldStore) -> KnownCorrection:
    rows = store.seen(piece.entry_id or "")
    actors = _told(store, rows)
    answered = [row for row in rows if _ASKED not in row.words] or rows
    commit_id = ""
    actor = UNKNOWN
    cited = ""
    for row in answered[:1]:
        commit_id = row.commit_id
        actor = (store.origin(CORRECTION + row.words) or NOWHERE).actor
        cited = f"{rows[0].said}\n{row.said}"  # an answer also rests on the message of its question
    return KnownCorrection(
        as_held(correction, (store.origin(piece.key) or NOWHERE).trust),
        commit_id,
        actor,
        tuple(dict.fromkeys(filter(None, cited.split("\n")))),
        is_heard(piece.words, actors) and not _is_outdone(present, store, piece.entry_id or "", piece.words),
    )
