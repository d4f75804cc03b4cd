"""The ledger of corrections and its archives: which are in force, and what a change would remove from them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import takewhile
from operator import attrgetter
from shlex import quote
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import (
    HOST,
    OPERATOR,
    UNKNOWN,
    actor_in,
    by_person,
    named_by_git,
    silent_past,
)
from clawgit.history.git.objects import RESTS_ON, REVERTS
from clawgit.history.git.trees import Tree, correction_files, entry_files
from clawgit.history.provenance.fold_store import followed
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
from clawgit.memory.entries.tiers import is_correction_file
from clawgit.memory.provenance.pieces import CORRECTION, ENTRY, Origin, Piece, Seen, piece_of, plain_words
from clawgit.memory.trust import LOWEST, UNDERSTOOD
from clawgit.plan import Edit, Evidence, Plan
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
_MERGES = ("rev-list", "--merges")
_MERGES_AFTER = (*_MERGES, "--reverse", "--topo-order", "--ancestry-path")
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


def withdrawal(
    tree: Tree, corrections: Sequence[Correction], reason: str, evidence: tuple[Evidence, ...] = ()
) -> Plan:
    """Return the plan that withdraws corrections; the lines that they are about stay."""
    texts = {path: tree.read(path) or b"" for path in (LEDGER, *map(archive_of, corrections))}
    new, _ = keep_corrections(texts, texts, list(map(attrgetter("correction_id"), corrections)))
    edits = tuple(Edit(path, data) for path, data in new.items() if data != texts[path])
    last = corrections[-1]
    words = last.correct or last.proposed or last.trigger or last.said
    return Plan(f"correction dropped: {words}", edits, reason, evidence)


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
    """Return the corrections (of the entries ``only``); of several with one id, the ledger's."""
    present = Present(history)
    pieces: dict[str, tuple[Piece, Correction]] = {}
    for piece, correction in present.corrections:
        pieces[correction.correction_id] = (piece, correction)
    corrections = []
    for piece, correction in pieces.values():
        if only is None or not set(only).isdisjoint(correction.corrects):
            corrections.append(_known(present, correction, piece, store))
    return corrections


class Present:
    """The present words of entries by id, and the order of commits; read once for all questions."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._lines: dict[str, list[Seen]] = {}

    @cached_property
    def corrections(self) -> list[tuple[Piece, Correction]]:
        """Return the corrections of the archive and of the ledger, in the order in which they came."""
        tree = self.history.tip().tree
        pieces: list[tuple[Piece, Correction]] = []
        for path in reversed(correction_files(tree)):
            pieces += correction_pieces(tree.read(path) or b"", path).items()
        return pieces

    def statements_set_right(self, commit_id: str) -> list[str]:
        """Return the present statements of files that a correction of no entry changed, without ledgers."""
        if not self.history.objects.has_commit(commit_id):
            return []
        from clawgit.memory.undo.text_units import line_statements  # noqa: PLC0415 - a list of memory does not need it

        tree = self.history.tip().tree
        before, after = self.history.around(self.history.objects.commit(commit_id))
        statements: list[str] = []
        for path in after.changed(before):
            if not is_correction_file(path):
                statements += map(attrgetter("words"), line_statements(tree.read(path) or b"", path))
        return statements

    @cached_property
    def words(self) -> dict[str, str]:
        tree = self.history.tip().tree
        words: dict[str, str] = {}
        for path in entry_files(tree):
            words |= _words_in(tree.read(path) or b"")
        return words

    @cached_property
    def statements(self) -> set[str]:
        return set(map(attrgetter("statement"), map(parted, self.words.values())))

    @cached_property
    def _named(self) -> dict[str, set[str]]:
        named: dict[str, set[str]] = {}
        for _, each in self.corrections:
            named.setdefault(each.said, set()).update(each.corrects)
        return named

    def heirs(self, entry_id: str) -> set[str]:
        """Return the entry; if it is gone, those with a correction of the same words, since each clone gives an id of its own."""
        heirs = {entry_id}
        if entry_id not in self.words:
            heirs.update(*filter(lambda names: entry_id in names, self._named.values()))
        return heirs & self.words.keys()

    def line_of(self, store: FoldStore, heir: str) -> list[Seen]:
        if heir not in self._lines:
            self._lines[heir] = followed(store, self.decided(store, heir), heir)
        return self._lines[heir]

    def decided(self, store: FoldStore, entry_id: str) -> str:
        """Return an entry's words, or what they were before a host or an unknown author changed them; empty if it is gone."""
        words = self.words.get(entry_id, "")
        for _, row in store.wordings(entry_id, words)[-1:]:
            is_edit = row.before_id == entry_id and not self.is_his(store, row.commit_id)
            if is_edit and "correction" not in map(attrgetter("kind"), store.of_commit(row.commit_id)):
                return row.before
        return words

    def is_his(self, store: FoldStore, commit_id: str) -> bool:
        actor = actor_in(self.history, self.history.objects.commit(commit_id))
        return actor not in (HOST, UNKNOWN) or commit_id in store.claims()

    def takes_back(self, commit_id: str) -> bool:
        """Say whether a commit only brings words back: an undo, or what a job put back behind an edit."""
        trailers = self.history.objects.commit(commit_id).trailers
        return trailers.first(REVERTS) is not None or bool(trailers.all(RESTS_ON))

    @cached_property
    def has_merges(self) -> bool:
        tip = self.history.tip().commit_id or ""
        return bool(named_by_git(self.history, *_MERGES, "--max-count=1", tip, *silent_past(self.history)))

    def left_out(self, correction: Correction, entry_id: str, store: FoldStore) -> str:
        return self.merge_without(store, f"x:{correction.correction_id}", entry_id, correction.correct)

    def merge_without(self, store: FoldStore, name: str, entry_id: str, words: str) -> str:
        """Return the merge that left out what a correction (`x:…`) made of an entry, though each side with it said so; empty if none did."""
        made = made_by(store, name)
        if made is None:
            return ""
        return self.merge_against(made.commit_id, entry_id, words)

    def merge_against(self, commit_id: str, entry_id: str, words: str, *, is_gone: bool = False) -> str:
        """Return the first merge without these words in an entry, though each side with a commit has them; if ``is_gone``, with them, though none has."""
        objects = self.history.objects
        span = (self.history.tip().commit_id or "", f"^{commit_id}")
        for merge in named_by_git(self.history, *_MERGES_AFTER, *span):
            sides = [merge]
            for side in objects.commit(merge).parent_ids:
                if _descends(self.history, side, commit_id):
                    sides.insert(0, side)
            if list(filter(lambda side: self._had(side, entry_id, words) is is_gone, sides)) == [merge]:
                return merge
        return ""

    def stayed(self, store: FoldStore, commit: str, entry_id: str, words: str) -> tuple[str, str] | None:
        """Return, of an entry that a commit took out and a merge kept, what was left out and the command that does it again."""
        for heir in {entry_id or words, *self._named.get(words, ())} & self.words.keys():
            merge = self.merge_against(commit, heir, "", is_gone=True)
            if merge:
                target = quote(words) if heir == words else f"m:{heir}"
                command = self.unless_said_since(store, heir, merge, f"clawgit forget {target}")
                return f'removing "{parted(self.words[heir]).statement}"', command
        return None

    def unless_said_since(self, store: FoldStore, entry_id: str, merge: str, command: str) -> str:
        """Return a command; empty if it is the operator here who gave the entry its words after the merge."""
        for _, row in store.wordings(entry_id, self.words[entry_id])[-1:]:
            is_later = row.commit_id != merge and _descends(self.history, row.commit_id, merge)
            if is_later and not by_person(self.history, row.commit_id):
                return ""
        return command

    def dropped(self, store: FoldStore, commit: str, entry_id: str, words: str) -> tuple[str, str] | None:
        """Return the same of an entry that a commit brought and a merge dropped: nothing is in its place."""
        is_taken = (
            not entry_id
            or entry_id in self.words
            or words in self.statements
            or "left" in map(attrgetter("kind"), store.course_of(entry_id))
        )
        if is_taken or not self.merge_against(commit, entry_id, ""):
            return None
        return "", f"clawgit remember {quote(words)}"

    def _had(self, commit_id: str, entry_id: str, words: str) -> bool:
        tree = self.history.tree_of(commit_id)
        for path in entry_files(tree):
            text = _words_in(tree.read(path) or b"").get(entry_id)
            if text is not None:
                return words in text
        return False


def is_held(present: Present, store: FoldStore, name: str, words: str, *, planned_by: str = "") -> bool:
    """Say whether a correction (`x:…`) with these words rests on the operator's word or a reading of it, not outdone since.

    ``planned_by``: that actor is about to give it these words.
    """
    wordings = _told(store, store.seen(name))
    if planned_by:
        return is_heard(words, [*wordings, (words, planned_by)])
    return is_heard(words, wordings) and not _is_outdone(present, store, name, words)


def why_not_held(present: Present, store: FoldStore, name: str) -> str:
    """Return why a correction (`x:…`) is not in force."""
    for piece, each in present.corrections:
        if piece.entry_id == name and is_heard(piece.words, _told(store, store.seen(name))):
            for entry_id in each.corrects:
                if present.merge_without(store, name, entry_id, each.correct):
                    return "a merge left it out"
            return "memory says what was said later"
    return "it does not rest on the operator's word"


def kept_instead(present: Present, store: FoldStore, name: str) -> tuple[str, str] | None:
    """Return the statement that a merge kept instead of a correction's (`x:…`), empty if none, and the command that makes it again, empty if it was withdrawn or he spoke since; None while it is in force."""
    if not present.has_merges:
        return None
    for piece, each in present.corrections:
        is_meant = piece.entry_id == name and bool(each.correct)
        if not is_meant or (each.holds and is_held(present, store, name, piece.words)):
            continue
        for entry_id in each.corrects:
            merge = present.merge_without(store, name, entry_id, each.correct)
            if merge:
                statement = ""
                command = f"clawgit remember {quote(each.correct)}"
                for heir in present.heirs(entry_id):
                    statement = parted(present.words[heir]).statement
                    command = f"clawgit correct m:{heir} {quote(each.correct)}"
                    command = present.unless_said_since(store, heir, merge, command)
                if statement == each.correct:
                    return None  # both sides said the same
                if not each.holds:
                    command = ""
                return statement, command
    return None


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
        now = present.decided(store, entry_id)
        is_back = now and plain_words(parted(now).statement) in old
        if is_back or plain_words(correct) in plain_words(now):
            return False
        is_lost = _has_lost(present, store, came, (entry_id, correct))
        if not is_lost and not _is_typed_over(present, store, came, (entry_id, now)):
            return False
    return True


def _is_typed_over(present: Present, store: FoldStore, came: Sequence[Seen], entry: tuple[str, str]) -> bool:
    """Say whether the operator wrote an entry's present words, after a correction and not by another one."""
    typed = []
    for _, row in store.wordings(*entry):
        if row.before != row.words and not present.takes_back(row.commit_id):
            typed.append(row.commit_id)
    if not came or not typed or _descends(present.history, came[0].commit_id, typed[-1]):
        return False
    actor = actor_in(present.history, present.history.objects.commit(typed[-1]))
    if actor != OPERATOR and typed[-1] not in store.claims():
        return False
    return all(row.kind != "correction" for row in store.of_commit(typed[-1]))


def _has_lost(present: Present, store: FoldStore, came: Sequence[Seen], corrected: tuple[str, str]) -> bool:
    """Say whether the operator's merge left out what a correction made of an entry, or another's, and the operator spoke since."""
    entry_id, correct = corrected
    made = ""
    for row in store.seen(entry_id):
        if row.kind == "words" and row.commit_id in map(attrgetter("commit_id"), came):
            made = row.words
    lines = []
    heirs = present.heirs(entry_id)
    for heir in heirs:
        lines.append(present.line_of(store, heir))
        if (made, entry_id) in map(attrgetter("before", "before_id"), lines[-1]):
            return False  # corrected again
    merge = ""
    if came:
        words = correct if lines else ""
        merge = present.merge_without(store, came[0].entry_id, entry_id, words)
    if merge and not present.is_his(store, merge):
        latest = store.wordings(entry_id, present.decided(store, entry_id))[-1:]
        return bool(latest) and _descends(present.history, latest[0][1].commit_id, merge)
    earlier = set(map(attrgetter("before"), followed(store, made, entry_id))) - {""}
    for line in lines:
        rivals = [ENTRY + row.words for row in line if row.before in earlier and row.words not in earlier]
        trusts = set(map(attrgetter("trust"), store.origins(rivals).values()))
        if trusts and trusts <= {OPERATOR, UNDERSTOOD}:
            return True
    return bool(merge) or _is_in_its_place(present, store, heirs - {entry_id})


def _is_in_its_place(present: Present, store: FoldStore, heirs: set[str]) -> bool:
    """Say whether an heir of a gone entry says what its own correction made of it; a clone without the first form of a rebased commit asks this."""
    for piece, each in present.corrections:
        if not (each.holds and each.correct):
            continue
        for heir in heirs & {*each.corrects}:
            says_so = plain_words(each.correct) in plain_words(present.decided(store, heir))
            if says_so and is_heard(piece.words, _told(store, store.seen(piece.entry_id or ""))):
                return True
    return False


def _is_outdone_beside(
    present: Present, store: FoldStore, came: Sequence[Seen], change: tuple[str, str]
) -> bool:
    """Say the same for a line in a file beside memory: corrected again or otherwise, or with newer words of the operator's."""
    if not came:
        return False
    from clawgit.text.comparing.subjects import subject  # noqa: PLC0415 - a list of memory does not need it

    old, correct = change
    right = plain_words(correct)
    commit_id = came[-1].commit_id
    statements = present.statements_set_right(commit_id)
    says = "\n".join(map(plain_words, statements))
    is_later = False
    for piece, other in present.corrections:
        was = plain_words(other.said)
        is_rival = was == old and right not in says and plain_words(other.correct) in says
        is_other = other.holds and (is_rival or (is_later and was == right))
        if is_other and is_heard(piece.words, _told(store, store.seen(piece.entry_id or ""))):
            return True
        is_later = is_later or piece.entry_id == came[0].entry_id
    about = subject(correct)
    is_other = False
    for words in statements:
        if 2 * len(about & subject(words)) > len(about):
            origin = store.origin(ENTRY + words) or store.origin(words)
            is_his = origin is not None and origin.trust == OPERATOR
            if origin is not None and is_his and origin.commit_id != commit_id:
                is_other = is_other or _descends(present.history, origin.commit_id, commit_id)
    return is_other and right not in says


@lru_cache(maxsize=32)
def _words_in(data: bytes) -> dict[str, str]:
    """Return the words of entries by id, or of one without an id by themselves."""
    return {piece.entry_id or piece.words: piece.words for piece in map(piece_of, read_entries(data))}


def made_by(store: FoldStore, name: str) -> Seen | None:
    """Return how a correction (`x:…`) came; of one that was asked about, its answer, if there is one."""
    rows = store.seen(name)
    for row in rows:
        if _ASKED not in row.words:
            return row
    return next(iter(rows), None)


def corrected_by(history: History, store: FoldStore, name: str, whose: str = "") -> str:
    """Return `by_person` for the commit that made a correction (`x:…`); of a line without a name ``whose``."""
    made = made_by(store, name)
    if not name or made is None:
        return whose
    return by_person(history, made.commit_id, whose)


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
    commit_id = ""
    actor = UNKNOWN
    cited = ""
    made = made_by(store, piece.entry_id or "")
    if made is not None:
        commit_id = made.commit_id
        actor = (store.origin(CORRECTION + made.words) or NOWHERE).actor
        cited = f"{rows[0].said}\n{made.said}"  # an answer also rests on the message of its question
    return KnownCorrection(
        as_held(correction, (store.origin(piece.key) or NOWHERE).trust),
        commit_id,
        actor,
        tuple(dict.fromkeys(filter(None, cited.split("\n")))),
        is_heard(piece.words, actors) and not _is_outdone(present, store, piece.entry_id or "", piece.words),
        person=by_person(present.history, commit_id) if commit_id else "",
    )


def _descends(history: History, later: str, commit_id: str) -> bool:
    from clawgit.history.git.git_program import descends  # noqa: PLC0415 - seldom: a merge, or a later commit

    return descends(history, later, commit_id)
