"""What a commit did to statements: one row each, with its verb; routine changes are counted."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import filterfalse
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship import actors
from clawgit.history.authorship.actors import HOST, OPERATOR, PROPOSED, RUNNER, UNKNOWN, WHOSE
from clawgit.history.authorship.commit_messages import is_edit
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP
from clawgit.history.git.refs import PAST
from clawgit.history.git.trees import entry_files
from clawgit.history.provenance.correction_files import corrected_by
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.reading.git_log import moment_of
from clawgit.memory.corrections.correction_log import BY_HAND, Status
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import RETIRED_ENTRIES, holds_entries, is_identity, is_standing, tier_of
from clawgit.memory.notes import is_about, is_agents_turn
from clawgit.memory.provenance.pieces import CORRECTION, ENTRY, Origin, Seen
from clawgit.memory.trust import LOWEST, UNDERSTOOD
from clawgit.memory.trust import OPERATOR as HIS_WORD
from clawgit.text.comparing.subjects import subject
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.trailers import PROPOSAL, REVERTS
from clawgit.workspace.layout import AGENT_NAMES, CONFIG, PROMPTS
from clawgit.workspace.safe_files import data_of, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.corrections.correction_log import Correction

REMEMBERED, ADDED, REWORDED, REMOVED = "remembered", "added", "reworded", "removed"
SET_BACK = "set back"  # reworded against a correction in force, and not by the operator
TAKEN_OVER = "adopted"
CORRECTED, LINKED, UNLINKED, ASKED, NOTED = "corrected", "linked", "unlinked", "asked", "noted"
# by a merge, a correction (`words` hold), an entry or the removal of one: `correction_id` is the command that makes it again
LEFT_OUT = "left out"
REWRITTEN = "left out by a rewrite"  # the same of an entry that a reset, a rebase or a force push left
WITHDRAWN = "withdrawn"
EXPIRED, REVIVED, APPROVED, DECIDED, UNDONE = "expired", "revived", "approved", "decided", "undone"
ROUTINE, EDITED = "routine", "edited"
LOST, BACK = "lost", "back"  # one row for all that a commit cut off or brought back
TAKING = (UNDONE, REMOVED, BACK)
# kinds of news, as `status` names them
AGAINST, OUTDONE, FORGOTTEN = "against a correction", "left out by a merge", "forgotten"
CHANGED, LEARNED, TYPED = "your words changed", "learned", "typed"
_FIRST = (AGAINST, OUTDONE, REWRITTEN, CHANGED, REMOVED)
KINDS = (*_FIRST, LEARNED, CORRECTED, FORGOTTEN, UNDONE, TYPED, BACK, EDITED)
_KIND_OF = {
    **dict.fromkeys((REMEMBERED, TAKEN_OVER, ADDED, NOTED, REVIVED), LEARNED),
    **dict.fromkeys((CORRECTED, REWORDED, APPROVED, DECIDED), CORRECTED),
    **{each: each for each in (REMOVED, UNDONE, BACK, EDITED, EXPIRED, REWRITTEN)},
    SET_BACK: AGAINST,
    LEFT_OUT: OUTDONE,
}
MENTIONED, MOVED, TIDIED = "mentions", "moved", "tidied"
MOST_MERGED = 10  # rows of one commit
OTHER_LINES, FILES_MOVED = "lines without statements", "files moved"
_REVIVING = "memory: revive "
_FORGOTTEN = "forget: "
_UNDOING = ("undo: ", "redo: ", "corrections: put right ")
SESSION = "session: "
_FIELD = lazy_pattern(
    r" - (trigger confidence|trigger|said|before|corrects|correct|status|may correct|proposed|evidence"
    r"|differs|rule|outcome|reason|a|b):(?= |\Z)"
)
_PARTY = lazy_pattern(r"m:[0-9a-z]+, [\d-]*, \w+: ")
NAMED = lazy_pattern(r"m:([0-9a-z]+)")
_COUNTS = lazy_pattern(r"\+(\d+) -(\d+)")


class StatementChange(NamedTuple):
    """One change of a statement; an added one has no words ``before``, a removed one no ``words``, routine only ``counts``.

    ``whose`` is the author of the words, or of a removal or setting back; ``quote`` its evidence; ``correction_id`` the link or correction in
    force behind it, for cut text its id in the queue, for an undo, a forgetting, and what was set back or removed against the operator, its commit (in `status` its line, if
    the commit has more) while that is in force.
    """

    when: datetime
    verb: str
    words: str = ""
    before: str = ""
    whose: str = ""
    quote: str = ""
    entry_id: str = ""  # m:…, x:… for a correction, k:… for a conflict; empty without one
    path: str = ""
    commit_id: str = ""
    actor: str = ""
    evidence: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    correction_id: str = ""
    committed_by: str = ""  # as `LoggedChange` has it
    turn: str = ""  # of the agent, before the linked message
    was_his: bool = False  # the words before were the operator's
    is_forgotten: bool = False  # by a command, and no edit
    said_by: str = ""  # by `said_by`, of his words in a commit that names no person, or of an agent's
    day: str = ""  # before the words in the file: `2026-12-01: `

    @property
    def author(self) -> str:
        """Return whose it is, in words."""
        person = self.said_by
        if not person and (self.whose != HOST or self.actor == HOST):
            person = self.committed_by
        return actors.with_person(WHOSE.get(self.whose, self.whose), person)

    @property
    def doer(self) -> str:
        """Return who made the change, in words."""
        return actors.with_person(actors.in_words(self.actor), self.committed_by)

    @property
    def kind(self) -> str:
        """Return the kind of news that it is; empty for none."""
        kind = _KIND_OF.get(self.verb, "")
        if self.verb == REWORDED and self.correction_id:
            kind = CHANGED
        elif self.whose == UNKNOWN and self.words and kind in (LEARNED, CORRECTED):
            kind = TYPED
        elif self.verb == APPROVED and not self.before:
            kind = LEARNED
        elif self.verb == APPROVED and not self.words:
            kind = REMOVED
        elif self.verb == UNDONE and not self.before:
            kind = BACK
        elif self.verb == REMOVED and self.is_forgotten and self.actor not in (HOST, UNKNOWN):
            kind = FORGOTTEN
        return kind

    @property
    def is_in_words(self) -> bool:
        """Say whether an edit has the words that it changed, and no count."""
        return bool(self.before) or self.words.endswith('"')


def _turn_in(fields: dict[str, str]) -> str:
    """Return the agent's turn before a message; without one the ledger's `said` is the old text."""
    if "before" not in fields:
        return ""
    return fields.get("said", "")


class CommitRows(NamedTuple):
    """A commit, its author and date, and its numbered rows from the fold, in the order of its files."""

    commit: Commit
    actor: str
    when: datetime
    rows: Sequence[tuple[int, Seen]]
    is_before: bool = False  # made before clawgit came
    is_claimed: bool = False  # the operator claimed it later

    @property
    def is_adoption(self) -> bool:
        """Say whether it adopted existing files or made a workspace's files."""
        return (self.commit.trailers.first("Clawgit-Op") or "").startswith((INIT_OP, ADOPTION_OP))

    @property
    def is_edit(self) -> bool:
        """Say whether somebody edited files, and no command of clawgit's."""
        return is_edit(self.commit.trailers.first("Clawgit-Op"))


class ChangeReader:
    """Turns what the fold says of commits into rows."""

    def __init__(self, history: History, store: FoldStore) -> None:
        self._history, self._store = history, store
        self._origins: dict[tuple[str, int, str], Origin | None] = {}
        self.claims = store.claims()

    def read(self, made: CommitRows) -> tuple[list[StatementChange], Counter[str]]:
        routine: Counter[str] = Counter()
        is_adopted = made.is_adoption
        rows: list[StatementChange] = []
        named: set[str] = set()
        corrected: set[str] = set()  # both wordings of lines without an id, too
        for number, row in made.rows:
            if row.kind == "correction" and not is_adopted:
                change = self._of_ledger(made, number, row)
                # The row of the entry shows what was withdrawn in the same commit.
                if change is None or (change.verb == WITHDRAWN and change.path != row.path):
                    routine[TIDIED] += change is None
                    continue
                rows.append(change)
                if change.verb in (CORRECTED, APPROVED, DECIDED):
                    named.update(NAMED.findall(row.words))
                    corrected |= {change.words, change.before}
        for number, row in self._own_rows(made):
            beside = _lines_beside(made, row)
            if beside:
                routine[OTHER_LINES] += beside
            elif is_adopted and (row.words or not row.before):
                continue  # its files show it
            elif row.kind == "mention":
                routine[MENTIONED] += 1
            elif row.kind == "words" and row.entry_id not in named:
                verb = self._verb_of_words(made, number, row)
                if verb in (MOVED, TIDIED):
                    routine[verb] += 1
                    continue
                before = "" if row.before == row.words else row.before
                rows.append(self._change(made, row, verb, (row.words, before, self._whose(made, row), "")))
            elif row.kind in ("left", "line", "yes") and row.entry_id not in named:
                rows.append(self._of_row(made, row))
        rows = [row for row in rows if row.entry_id or (row.words or row.before) not in corrected]
        return rows, +routine

    def without_merged(
        self, made: CommitRows, rows: list[StatementChange], routine: Counter[str]
    ) -> list[StatementChange]:
        """Return rows without the many lines that a job took out where equal ones stay; these are counted."""
        if made.actor not in AGENT_NAMES or len(rows) <= MOST_MERGED:
            return rows
        from clawgit.history.reading.rearranged import texts_in  # noqa: PLC0415 - most commands read no merge

        staying = texts_in(self._history.around(made.commit)[1])
        merged = list(filter(lambda row: not row.words and row.before in staying, rows))
        routine[TIDIED] += len(merged)
        return list(filterfalse(merged.__contains__, rows))

    def _own_rows(self, made: CommitRows) -> Iterator[tuple[int, Seen]]:
        """Yield the rows of a commit; of a merge without what one side removed."""
        is_merge = len(made.commit.parent_ids) > 1
        for number, row in made.rows:
            is_gone = is_merge and row.before and not row.words
            if not is_gone or not self._store.is_gone_elsewhere(row.before, row.commit_id):
                yield number, row

    def _of_row(self, made: CommitRows, row: Seen) -> StatementChange:
        if row.kind == "yes":
            words = self._store.last_words(row.entry_id) or ""
            return self._change(made, row, APPROVED, (words, "", HIS_WORD, ""))
        verb = NOTED
        if not row.words:
            verb = REMOVED
        elif row.before:
            verb = REWORDED
        elif is_identity(row.path) or is_standing(row.path):
            verb = ADDED
        verb, quote, trailers = self._verb(made, verb), "", made.commit.trailers
        whose = _doer(made.actor)
        if row.words or verb == APPROVED:
            whose = self._whose(made, row)
        is_by_job = made.actor in AGENT_NAMES and not row.words
        if is_by_job and verb == UNDONE and trailers.first("Clawgit-Trust") == HIS_WORD:  # asked by message
            whose, quote = HIS_WORD, quote_of(trailers.all("Clawgit-Evidence"), row.before)
        return self._change(made, row, verb, (row.words, row.before, whose, quote))

    def _whose(self, made: CommitRows, row: Seen) -> str:
        """Return the author of a row's words then; of earlier words that an edit wrote again, who made the edit; of approved ones `proposed`."""
        if self._verb(made, NOTED) == APPROVED:
            return PROPOSED
        origin = self._origin(made, row.words)
        if origin is not None and origin.trust != LOWEST and self.is_again(made, row.words):
            return _doer(made.actor)
        return _named(origin, made.actor)

    def is_again(self, made: CommitRows, words: str) -> bool:
        """Say whether somebody's edit wrote words that were there before; what the operator took out is new."""
        origin = self._origin(made, words)
        is_before = origin is not None and origin.commit_id != made.commit.commit_id
        return is_before and made.actor in (HOST, UNKNOWN) and len(made.commit.parent_ids) == 1

    def _verb_of_words(self, made: CommitRows, number: int, row: Seen) -> str:
        if not row.before:
            return self._verb(made, REMEMBERED)
        if parted(row.before).statement != parted(row.words).statement:
            return self._verb(made, REWORDED)
        was = ""
        earlier = self._store.row_before(number) if row.entry_id else None
        if earlier is not None:
            was = earlier.path
        is_retired = row.path.startswith(RETIRED_ENTRIES)
        if is_retired and not was.startswith(RETIRED_ENTRIES):
            return EXPIRED
        if was.startswith(RETIRED_ENTRIES) and not is_retired:
            return REVIVED
        if was == row.path:
            return TIDIED
        return MOVED

    def _verb(self, made: CommitRows, verb: str) -> str:
        trailers = made.commit.trailers
        if made.commit.subject.startswith(_FORGOTTEN):
            return REMOVED
        if verb == REMEMBERED and made.is_before:
            return TAKEN_OVER
        is_undo = made.commit.subject.startswith(_UNDOING) or trailers.first(REVERTS) is not None
        if is_undo or "\nThis reverts commit " in made.commit.message:
            return UNDONE
        if trailers.first(PROPOSAL) is not None:
            return APPROVED
        if verb == REMEMBERED and made.commit.subject.startswith(_REVIVING):
            return REVIVED
        return verb

    def _of_ledger(self, made: CommitRows, number: int, row: Seen) -> StatementChange | None:
        fields = _fields(row.words)
        row_before = self._store.row_before(number)
        earlier = {} if row_before is None else _fields(row_before.words)
        if row.entry_id.startswith("k:"):
            return self._conflict(made, row, fields, earlier)
        status = fields.get("status", "")
        was = earlier.get("status", "")
        if status == was and fields.get("correct") == earlier.get("correct"):
            return None
        words = fields.get("correct", "")
        old = fields.get("before") or fields.get("said", "")
        before = old
        verb = NOTED
        if status in (Status.APPLIED.value, Status.UNDERSTOOD.value):
            verb = APPROVED if was == Status.UNDERSTOOD.value and status != was else CORRECTED
        elif status == Status.LINKED.value:
            verb, words, before = LINKED, before, ""
        elif status == Status.OPEN.value:
            verb, words = ASKED, fields.get("proposed", "")
        elif status == Status.WITHDRAWN.value:
            gone = words or fields.get("proposed", "")
            verb, words, before = WITHDRAWN, "" if gone else before, gone
            if was == Status.LINKED.value or not gone:  # only words beside a line, which stays
                verb, words, before = UNLINKED, old, ""
        words = words or ("" if before else fields.get("trigger", ""))
        whose = _named(self._store.origin(CORRECTION + row.words), made.actor)
        named = NAMED.search(f"{fields.get('corrects', '')} {fields.get('may correct', '')}")
        quote = "" if fields.get("trigger") == BY_HAND else fields.get("trigger", "")
        change = self._change(made, row, verb, (words, before, whose, quote))
        change = change._replace(
            correction_id=row.entry_id, turn=_turn_in(fields), path=_file_of(made, row, verb)
        )
        if named is None or verb == ASKED:
            return change
        path = row.path
        for _, each in made.rows:
            if each.kind in ("words", "left") and each.entry_id == named[1]:
                path = each.path
                # The ledger's field came back in the same commit; and a line may say more than the operator did.
                is_of_ledger = _FIELD.match(f" - {each.before}") is not None
                is_changed = each.before not in ("", each.words)
                if verb == CORRECTED and is_changed and not is_of_ledger:
                    change = change._replace(words=parted(each.words).statement)
                    change = change._replace(before=parted(each.before).statement)
                    change = change._replace(day=parted(each.words).before)
        return change._replace(entry_id=named[0], path=path)

    def _conflict(
        self, made: CommitRows, row: Seen, fields: dict[str, str], earlier: dict[str, str]
    ) -> StatementChange | None:
        outcome = fields.get("outcome", "")
        if outcome == earlier.get("outcome"):
            return None
        first = _PARTY.sub("", fields.get("a", ""), count=1)
        second = _PARTY.sub("", fields.get("b", ""), count=1)
        if outcome.startswith("b"):
            first, second = second, first
        verb = ASKED if outcome.startswith("open") else DECIDED
        wording = (first, second, _doer(made.actor), fields.get("reason", ""))
        return self._change(made, row, verb, wording)

    def _change(
        self, made: CommitRows, row: Seen, verb: str, wording: tuple[str, str, str, str]
    ) -> StatementChange:
        words, before, whose, quote = wording
        if _FIELD.match(f" - {before}"):
            before = ""  # a line of the ledger left in the same commit
        cited = list(filter(None, row.said.split("\n")))
        name = row.entry_id
        if name and ":" not in name:
            name = f"m:{name}"
        agent = self.claims.get(made.commit.commit_id)
        actor = made.actor
        if agent is not None and whose != LOWEST and not is_agents_turn(words, agent):
            whose = HIS_WORD
            actor = OPERATOR
        return StatementChange(
            made.when,
            verb,
            parted(words).statement,
            parted(before).statement,
            whose,
            quote or quote_of(cited, words),
            name,
            row.path,
            made.commit.commit_id,
            actor,
            tuple(item.partition(" ")[0] for item in cited),
            was_his=bool(row.before) and self._was_his(made, row.before),
            said_by=self._said_by(made, row.words, whose),
            day=parted(words).before,
        )

    def _said_by(self, made: CommitRows, words: str, whose: str) -> str:
        origin = self._origin(made, words)
        if whose == HOST and not self.is_again(made, words):
            return actors.said_by(self._history, origin)
        if made.actor == OPERATOR or whose not in (HIS_WORD, UNDERSTOOD):
            return ""
        if made.commit.trailers.first(actors.COMMITTER) is not None and not (origin and origin.said_in):
            return ""  # it names who asked for it
        return actors.said_by(self._history, origin)

    def _was_his(self, made: CommitRows, words: str) -> bool:
        origin = self._origin(made, words)
        return origin is not None and origin.trust in (HIS_WORD, UNDERSTOOD)

    def _origin(self, made: CommitRows, words: str) -> Origin | None:
        number = made.rows[-1][0]
        name = made.commit.commit_id
        key = name, number, words
        if key not in self._origins:
            entry = self._store.origin_then(ENTRY + words, number)
            self._origins[key] = entry or self._store.origin_then(words, number)
        origin = self._origins[key]
        is_yes_later = origin is not None and origin.commit_id == name and origin.said_in not in ("", name)
        if origin is not None and is_yes_later and made.actor == HOST and name not in self.claims:
            return origin._replace(actor=HOST, trust=HOST, said_in="")
        return origin


def _file_of(made: CommitRows, row: Seen, verb: str) -> str:
    """Return the one file of which a correction changed a line, else the ledger."""
    paths = set()
    for _, each in made.rows:
        if each.kind == "lines":
            paths.add(each.path)
    if verb == CORRECTED and len(paths) == 1:
        return paths.pop()
    return row.path


def _lines_beside(made: CommitRows, row: Seen) -> int:
    if row.kind == "lines":
        if made.is_adoption or is_told_file(made, row):
            return 0
        return sum(lines_of(row))
    may_be_session = made.actor != OPERATOR or made.commit.subject.startswith(SESSION)
    return int(row.kind == "line" and may_be_session and is_about(row.words))


def is_told_file(made: CommitRows, row: Seen) -> bool:
    """Say whether a row of its commit names the file: beside memory or edited, and changed neither by a job nor by one side of a merge alone."""
    is_of_side = len(made.commit.parent_ids) > 1 and row.said.startswith("+0 ")
    is_beside = tier_of(row.path) is None and row.path != CONFIG and not row.path.startswith(PROMPTS)
    may_be_told = is_beside or (made.is_edit and holds_entries(row.path))
    return may_be_told and not is_of_side and made.actor not in (*AGENT_NAMES, RUNNER)


def lines_of(row: Seen) -> tuple[int, int]:
    came, left = _COUNTS.findall(row.said)[0]
    return int(came), int(left)


def amount_of(what: str, count: int) -> str:
    """Return an amount of routine changes in words: `2 mentions`."""
    noun, _, rest = what.partition(" ")
    if count == 1:
        noun = noun.removesuffix("s")
    return f"{count:,} {noun} {rest}".rstrip()


def left_by_rewrites(history: History, since: datetime) -> list[StatementChange]:
    """Return the operator's entries that only tips pinned since then have, with the command that makes each again."""
    tips = []
    for name, tip in history.refs(PAST).items():
        with suppress(OSError):  # packed by git: long ago
            if (history.folder / name).stat().st_mtime >= since.timestamp():
                tips.append(tip)
    changes: list[StatementChange] = []
    if not tips:
        return changes
    tree = history.tip().tree
    lines = []
    for path in entry_files(tree):  # what is in the folder is not left out: a reset may leave it there
        here = read_file(history.root, path, at_most=history.settings.max_file_bytes)
        lines += [tree.read(path) or b"", data_of(here) or b""]
    texts = b"\n".join(lines).decode("utf-8", "replace")
    left = actors.named_by_git(history, "rev-list", *tips, f"^{history.tip().commit_id}")
    with present_fold(history) as store:
        for row in filter(lambda row: row.kind == "words", store.brought_by(left)):
            origin = store.origin(ENTRY + row.words)
            is_his = origin is not None and origin.trust in (HIS_WORD, UNDERSTOOD)
            statement = parted(row.words).statement
            command = f"clawgit remember {quote(statement)}"
            is_known = statement in texts or store.is_gone_elsewhere(row.words, row.commit_id)
            before = parted(row.before).statement
            if before and before in texts:
                command = f"clawgit correct {quote(before)} {quote(statement)}"
            elif f"m:{row.entry_id}" in texts:
                is_known = True
            if is_his and not is_known and not actors.said_by(history, origin):
                about = ("", HIS_WORD, "", f"m:{row.entry_id}", row.path, row.commit_id, OPERATOR)
                row_at = moment_of(row.at).astimezone(history.settings.time_zone)
                changes.append(StatementChange(row_at, REWRITTEN, statement, *about, correction_id=command))
    return changes


def whose_entry(history: History, entry_id: str) -> str:
    """Return whose an entry's words are for a screen; of a colleague's his name."""
    with present_fold(history) as store:
        words = store.last_words(entry_id) or ""
        origin = store.origin(ENTRY + words)
        named = _named(origin or store.origin(words), UNKNOWN)
        return actors.said_by(history, origin, WHOSE.get(named, named))


def who_made(history: History, name: str, whose: str = WHOSE[OPERATOR]) -> str:
    """Return who made a correction (`x:…`), in words; by default of one that counts as the operator's."""
    with present_fold(history) as store:
        return corrected_by(history, store, name, whose)


def are_of_two(history: History, one: Correction, other: Correction) -> bool:
    """Say whether two people made two corrections or links."""
    return who_made(history, f"x:{one.correction_id}") != who_made(history, f"x:{other.correction_id}")


def quoted_correction(history: History, correction: Correction) -> str:
    name = f"x:{correction.correction_id}"
    return f'"{correction.correct}" ({who_made(history, name)}, {name})'


def _named(origin: Origin | None, actor: str) -> str:
    if origin is None:
        return _doer(actor)
    if origin.trust in (HIS_WORD, UNDERSTOOD, LOWEST):
        return origin.trust
    return _doer(origin.actor)


def quote_of(evidence: Iterable[str], words: str) -> str:
    """Return the quoted sentence that shares most with a statement, the first of equals; empty without quotes."""
    best, most = "", -1
    about = subject(words)
    for item in evidence:
        quote = item.partition(" ")[2].strip('"')
        shared = len(about & subject(quote))
        if quote and shared > most:
            best, most = quote, shared
    return best


def _doer(actor: str) -> str:
    if actor in (OPERATOR, HOST) or actor in AGENT_NAMES:
        return actor
    return "unknown"


def _fields(words: str) -> dict[str, str]:
    parts = _FIELD.split(words)
    fields: dict[str, str] = {}
    for at in range(1, len(parts) - 1, 2):
        fields.setdefault(parts[at], parts[at + 1].strip())
    return fields
