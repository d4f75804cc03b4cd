"""Brings the fold up to the present: new commits one by one, or all if history was rewritten."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import filterfalse
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, TypeAlias

from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, is_as_written, rests_on_message, trust_of
from clawgit.history.authorship.intent import FIRST_MOVES_OP
from clawgit.history.git.git_program import git_output
from clawgit.history.provenance.correction_files import CORRECTING
from clawgit.history.reading.git_log import WITH_FILES, ChangeMaker, FileStep, LoggedChange, read_told
from clawgit.memory.conflict_log import conflict_pieces
from clawgit.memory.corrections.corrected_entries import MARK, correction_pieces, is_read
from clawgit.memory.entries.entries import Tag, is_earlier_wording, line_name
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CONFLICTS, holds_entries, is_correction_file, is_export
from clawgit.memory.notes import USER, is_mail
from clawgit.memory.provenance.fold import CLAIMED_WORDS, FoldStep, earlier_wordings, fold_step
from clawgit.memory.provenance.pieces import ENTRY, PLAIN, Piece, Text, changed_pieces, readable
from clawgit.memory.trust import HOST, LOWEST, TRUSTS, UNDERSTOOD, lowest
from clawgit.plan import MESSAGE
from clawgit.text.markdown.lines import ENDINGS, split_lines
from clawgit.text.trailers import OP, REVERTS
from clawgit.workspace.layout import AGENT_NAMES, IDENTITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.history.authorship.actors import Authorship
    from clawgit.history.git.repository import History
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.corrections.correction_log import Correction

    Came: TypeAlias = "tuple[int, LoggedChange | None]"


NOTHING_CHANGED = "+0 -0"
SAID_BY_HIM = f"{USER}: "  # prefix of the operator's line in a message
TEXTS = 64


class StepReader:
    """Turns commits into steps; caches the last texts, since the next commit changes them."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._text = lru_cache(maxsize=TEXTS)(self._read_text)

    def step(self, change: LoggedChange) -> FoldStep:
        added: list[tuple[str, Piece]] = []
        removed: list[Piece] = []
        left: list[tuple[str, Piece]] = []
        texts: dict[str, bytes] = {}
        files = _read_files(change.files)
        for file in files:
            new = self._text(file.new, file.path)
            if is_export(file.path, new.data):
                continue  # the entries have the authors of what it lists
            come, gone = changed_pieces([self._text(blob_id, file.path) for blob_id in file.olds], new)
            if is_correction_file(file.path) or file.path == CONFLICTS:
                come = [*come, *self._whole_blocks(file)]
            added += [(file.path, piece) for piece in come]
            removed += gone
            if gone:
                lines = filterfalse(is_earlier_wording, split_lines(new.data))
                staying = b"".join(lines)
                left += [(file.path, piece) for piece in gone if piece.words.encode() not in staying]
            texts[file.path] = new.data
        trailers = change.trailers
        claims = trailers.all("Clawgit-Claims")
        actor = change.actor
        trust = _trust_in(change, actor)
        if self._history.objects.begins_at(change.commit_id):
            actor, trust = UNKNOWN, trust_of(UNKNOWN)
        read = set(map(attrgetter("path"), files))
        beside = []
        for file in change.files:
            if file.path.endswith(ENDINGS) and file.path not in read:  # only moved
                beside.append((file.path, NOTHING_CHANGED))
        step = FoldStep(
            change.commit_id,
            change.at,
            actor,
            trust,
            change.evidence,
            trailers.all("Clawgit-Mention"),
            trailers.all("Clawgit-Class"),
            trailers.all("Clawgit-Line"),
            tuple(added),
            tuple(removed),
            is_woven=len(change.parent_ids) > 1 or change.takes_back,
            claims_words=CLAIMED_WORDS in claims,
            confirms=tuple(name for name in claims if name.startswith(("m:", MARK))),
            left=tuple(left),
            is_his=actor == OPERATOR or (actor in (HOST, CORRECTING) and trust in (OPERATOR, UNDERSTOOD)),
            beside=tuple(beside),
            spoken=_spoken(change, added),
        )
        if actor != OPERATOR:
            step = step._replace(spoken={**step.spoken, **_of_others(added)})
        elif trailers.first(OP) is None:  # git's own commit
            of_mails = _of_mails(texts, added)
            step = step._replace(of_mails=of_mails, spoken={**step.spoken, **dict.fromkeys(of_mails, HOST)})
        if trust == OPERATOR and actor != OPERATOR:
            readings = frozenset(self._readings(change, step))
            return step._replace(readings=readings, verbatim=frozenset(_verbatim(change, step)))
        return step

    def _whole_blocks(self, file: FileStep) -> list[Piece]:
        old: set[Piece] = set()
        for blob_id in file.olds:
            old.update(self._blocks(blob_id, file.path))
        return list(filterfalse(old.__contains__, self._blocks(file.new, file.path)))

    def _blocks(self, blob_id: str | None, path: str) -> Iterable[Piece]:
        data = self._text(blob_id, path).data
        if path == CONFLICTS:
            return conflict_pieces(data)
        return correction_pieces(data, path)

    def _readings(self, change: LoggedChange, step: FoldStep) -> Iterator[str]:
        """Yield the keys of pieces that reword what the operator said in the messages that a change cites."""
        if not any(item.startswith(MESSAGE) for item in change.evidence):
            return
        from clawgit.memory.provenance.readings import quotes_of, readings_among

        corrections: dict[Piece, Correction] = {}
        for file in change.files:
            if is_correction_file(file.path):
                corrections |= correction_pieces(self._text(file.new, file.path).data, file.path)
        quotes = list(quotes_of(change.evidence))
        blocks, others = {}, []
        for path, piece in step.added:
            if piece in corrections:
                blocks[piece] = corrections[piece]
                # a trailer has only the beginning of what the ledger has whole
                quotes.append(corrections[piece].trigger)
            if not is_correction_file(path):
                others.append(piece)
        for piece in readings_among([*others, *blocks], step.removed, quotes):
            yield piece.key
        for piece, each in blocks.items():
            if each.correct and is_read(each):
                yield piece.key

    def _read_text(self, blob_id: str | None, path: str) -> Text:
        if blob_id is None:
            return Text(b"")
        return Text(readable(path, self._history.objects.blob(blob_id)))


def _of_mails(texts: Mapping[str, bytes], added: Iterable[tuple[str, Piece]]) -> frozenset[str]:
    """Return the keys of lines that came in mails alone: who commits a mail has not written it."""
    mails = {path for path, data in texts.items() if is_mail(data, path)}
    in_mails: set[str] = set()
    elsewhere: set[str] = set()
    for path, piece in added:
        if path in mails:
            in_mails.add(piece.key)
        else:
            elsewhere.add(piece.key)
    return frozenset(in_mails - elsewhere)


def _read_files(files: Sequence[FileStep]) -> list[FileStep]:
    """Return the texts, without moved files that hold no entries, such as daily notes."""
    texts = [file for file in files if file.path.endswith(ENDINGS)]
    gone = {file.olds[0]: file for file in texts if file.new is None}
    come = {file.new: file for file in texts if file.olds == (None,)} if gone else {}
    only_moved = set()
    for blob_id in gone.keys() & come.keys():
        pair = {gone[blob_id].path, come[blob_id].path}
        if not any(map(holds_entries, pair)):
            only_moved |= pair
    return [file for file in texts if file.path not in only_moved]


def _trust_in(change: LoggedChange, actor: str) -> str:
    # An agent's words have the operator's trust if it cites the operator; a host's if clawgit made the commit for it, citing
    # a message. Whoever can forge such a commit can also commit under the operator's name.
    by_agent = actor in AGENT_NAMES and change.evidence
    trust = OPERATOR if by_agent or change.by_message else trust_of(actor)
    claimed = change.trailers.first("Clawgit-Trust")
    if claimed is not None:
        trust = lowest([trust, claimed if claimed in TRUSTS else LOWEST])
    return trust


_TAGS = frozenset(map(attrgetter("value"), Tag))


def _verbatim(change: LoggedChange, step: FoldStep) -> Iterator[str]:
    """Yield the keys of entries that are whole sentences of the messages that a change cites, without tags of other origin."""
    cited = list(filter(lambda item: item.startswith(MESSAGE), change.evidence))
    if not cited:
        return
    from clawgit.memory.provenance.readings import is_verbatim, quotes_of

    quotes = quotes_of(cited)
    added = list(map(itemgetter(1), step.added))
    earlier = earlier_wordings(added, step.removed)
    for piece in added:
        old = earlier.get(piece, Piece("")).words
        is_his = map(partial(is_verbatim, piece.words, old=old), quotes)
        tags = set(parted(piece.words).after.replace("#", "").split())
        if piece.form == ENTRY and tags <= _TAGS and any(is_his):
            yield piece.key


def _spoken(change: LoggedChange, added: Sequence[tuple[str, Piece]]) -> dict[str, str]:
    """Return key → trust of the message for lines of a session's note that repeat one.

    Only in a file that clawgit made in this change, and only lines that the change names with a cited message.
    """
    trusts = dict(item.partition(" ")[::2] for item in change.trailers.all("Clawgit-Spoken"))
    if not trusts or change.unvouched or not is_as_written(change) or not rests_on_message(change.trailers):
        return {}
    were_there = {file.path for file in change.files if file.olds != (None,)}
    spoken: dict[str, str] = {}
    for path, piece in added:
        if path in were_there or holds_entries(path) or piece.form != PLAIN:
            continue
        for item in change.evidence:
            trust = trusts.get(line_name(piece.words, item.partition(" ")[0]), LOWEST)
            if trust == HOST or (trust == OPERATOR and piece.words.startswith(SAID_BY_HIM)):
                spoken[piece.key] = trust
    return spoken


_OF_OTHERS = ("said: ", "before: ", "proposed: ")


def _of_others(added: Sequence[tuple[str, Piece]]) -> dict[str, str]:
    """Return fields of corrections that quote an agent or an entry, as lines by key: a message does not make them the operator's."""
    fields = {}
    for path, piece in added:
        if is_correction_file(path) and piece.words.startswith(_OF_OTHERS):
            fields[piece.key] = HOST
    return fields


OLDEST_FIRST = ("--reverse", "--date-order")


def _claims(history: History, change: LoggedChange) -> list[tuple[str, str, str]]:
    if not change.trailers.all("Clawgit-Claims"):
        return []
    from clawgit.history.authorship.rewritten import claimed_in
    from clawgit.identity.soul_policy import name_in

    agent = name_in(history.tree_of(change.commit_id).read(IDENTITY) or b"")
    return [(commit_id, agent, change.commit_id) for commit_id in claimed_in(history, change)]


_TEXTS = tuple(map(str.encode, ENDINGS))


def fold_what_came(history: History, store: FoldStore, present: Authorship) -> None:
    """Read what the tips reach and the store does not know, or all of it if that is not enough."""
    tips = frozenset(present.tips)
    known_tips = store.tips()
    is_same = known_tips and store.era() == present.era
    changes = _newer(history, store, tips, known_tips) if is_same else None
    if changes is None:
        store.clear()
        changes = _changes(history, tips, frozenset())
    reader = StepReader(history)
    newest = store.newest()
    for committed_at, change in changes:
        newest = max(newest, committed_at)
        if change is None:
            continue
        step = reader.step(change)
        origins, seen = fold_step(step, store)
        store.add(origins, seen, _claims(history, change) if step.actor == OPERATOR else ())
        # in clawgit's form: an answer to what an agent may move, or a taking back
        is_verdict = (change.trailers.first(OP) or "").startswith(FIRST_MOVES_OP)
        is_verdict = is_verdict or change.trailers.first(REVERTS) is not None
        if is_verdict and is_as_written(change):
            store.add_verdict(change.commit_id)
    store.finish(tips, newest, present.era)


def _newer(
    history: History, store: FoldStore, tips: frozenset[str], known_tips: frozenset[str]
) -> Iterable[Came] | None:
    """Return what came since the store was renewed; None if all has to be read again.

    The order of commits decides who was first, so a late arrival with an older date starts it over.
    """
    if not all(map(history.objects.has_commit, known_tips)):  # as after `git gc` of what a rewrite left
        return None
    if not _all_reached(history, known_tips, tips):
        return None
    changes = list(_changes(history, tips, known_tips))
    if not changes or min(map(itemgetter(0), changes)) < store.newest():
        return None
    return changes


def _all_reached(history: History, known_tips: frozenset[str], tips: frozenset[str]) -> bool:
    before, after = known_tips - tips, tips - known_tips
    if not before:
        return True
    if len(before) == len(after) == 1 and history.objects.line_from(*after, *before) is not None:
        return True
    arguments = ("rev-list", "--max-count=1", *sorted(known_tips), *(f"^{name}" for name in sorted(tips)))
    return not git_output(history, *arguments).strip()


def _changes(history: History, tips: frozenset[str], known_tips: frozenset[str]) -> Iterator[Came]:
    """Yield new commits with their time, oldest first; None for one without statements.

    Pinned earlier tips come before the present branch, regardless of dates: a clock set back makes no author the first.
    """
    head = frozenset({history.tip().commit_id or ""}) & tips
    earlier = tips - head
    maker = ChangeMaker(history)
    for names, read in ((earlier, known_tips), (head, known_tips | earlier)):
        arguments = (*sorted(names), *(f"^{name}" for name in sorted(read)))
        for commit in read_told(history, *OLDEST_FIRST, *WITH_FILES, *arguments):
            has_text = any(path.endswith(_TEXTS) for _, path in commit.files)
            if has_text or b"Clawgit-" in commit.message:
                change = maker.change(commit)
                yield change.committed_at, change
            else:  # like most commits of a repository of code
                yield commit.git_date, None
