"""The origin of each statement: a fold over the commits, oldest first.

Source and trust belong to words, not to ids or files: whoever brought the words first is their origin. Committing
them again, moving or reformatting them, or another id does not change that. An entry's words are all of its lines.
A rewording takes the lower of its author's trust and the old words', unless the operator made it or said all of it in
one sentence; text from outside stays from outside. Words that the operator took out have whoever types them next as
their author. Another's text on an operator's message, in other words, is a reading of it: *understood* at most. The note of an ended session names the lines that repeat a message: each has that
message's trust.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clawgit.memory.entries.entries import is_made_from, line_name
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import (
    holds_entries,
    is_identity,
    is_standing,
    may_hold_corrections,
    tier_of,
)
from clawgit.memory.provenance.pieces import (
    CORRECTION,
    ENTRY,
    FORMS,
    TAKEN_OUT,
    Origin,
    Piece,
    Seen,
    plain_words,
    storable,
)
from clawgit.memory.trust import LOWEST, OPERATOR, TRUSTS, UNDERSTOOD, UNHEARD, lowest, rank_of
from clawgit.text.comparing import fuzzy
from clawgit.text.comparing.similarity import facts_differ, is_close, likeness, words
from clawgit.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

MOST_PAIRS = 250_000
CLAIMED_WORDS = "words"  # value for claiming the change's own additions, not a commit
_NOTHING = Piece("")
_SAYS_WHAT_IS_RIGHT = lazy_pattern(r"- correct: (?!- )")  # an open question lowers no answer
_EXCHANGE = lazy_pattern(
    r"\b(?:said|before): (?P<was>(?:(?!- before: ).)+?) - correct: (?P<now>.+?) - corrects: "
)
_could_have_id = lru_cache(maxsize=4096)(holds_entries)


def too_many(new: Collection[object], old: Collection[object]) -> bool:
    """Say whether comparing all pairs would take more than a second or two."""
    return len(new) * len(old) > MOST_PAIRS


def earlier_wordings(added: Sequence[Piece], removed: Sequence[Piece]) -> dict[Piece, Piece]:
    """Return added entry → the removed one it replaced: by words, id, or close words.

    Close words count where one has no id and no fact differs, or where an added correction says so.
    """
    if not added or not removed:
        return {}
    new = [piece for piece in added if piece.form == ENTRY]
    corrections = [piece.words for piece in added if piece.form == CORRECTION]
    staying = set(map(attrgetter("words"), new))
    gone = []
    by_words: dict[str, list[Piece]] = {}
    by_id: dict[str | None, list[Piece]] = {}
    for each in removed:
        if each.form == ENTRY:
            by_words.setdefault(each.words, []).append(each)
            if each.words not in staying:
                gone.append(each)
                by_id.setdefault(each.entry_id, []).append(each)
    close = not too_many(new, gone)
    wordings = {}
    for piece in new:
        same = by_words.get(piece.words) or (by_id.get(piece.entry_id) if piece.entry_id else None)
        candidates = same or []
        for each in gone if close and not same else ():
            one_is_free = each.entry_id is None or piece.entry_id is None
            if one_is_free and is_close(each.words, piece.words):
                candidates.append(each)
        if not candidates:
            candidates = [each for each in gone if _is_corrected(each, piece, corrections)]
        if candidates:
            wordings[piece] = max(
                candidates,
                key=lambda each: (each.entry_id == piece.entry_id, likeness(each.words, piece.words)),
            )
    return wordings


def _is_corrected(old: Piece, new: Piece, corrections: Iterable[str]) -> bool:
    """Say whether a correction changes the old words, or a part of them, into the new ones."""
    if old.entry_id is not None:
        return False
    was, now = parted(old.words).statement, parted(new.words).statement
    exchanges = filter(None, map(_EXCHANGE.search, corrections))
    return any(now == was.replace(each["was"], each["now"], 1) for each in exchanges)


class FoldStep(NamedTuple):
    """One commit as the fold sees it."""

    commit_id: str
    at: str
    actor: str
    trust: str
    evidence: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()  # names of lines without an id with known evidence
    added: tuple[tuple[str, Piece], ...] = ()  # with their paths
    removed: tuple[Piece, ...] = ()  # removed pieces
    is_woven: bool = False  # texts combined by a program: a merge, or a revert
    # the operator claims the added words, whoever brought them first
    claims_words: bool = False
    confirms: tuple[str, ...] = ()  # entries and corrections that the operator claims
    readings: frozenset[str] = frozenset()  # keys of pieces that reword an operator's message
    verbatim: frozenset[str] = frozenset()  # keys of entries that are sentences of one
    spoken: Mapping[str, str] = MappingProxyType({})  # keys of lines that repeat a message → its trust
    # keys of lines of a mail that the operator committed: an unknown author's
    of_mails: frozenset[str] = frozenset()
    # removed entries and lines that the file has nowhere else, with paths
    left: tuple[tuple[str, Piece], ...] = ()
    is_his: bool = False  # the operator's own change, or one made for a message of his
    # files without listed statements, with their line counts, as `+2 -1`
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def may_raise(self) -> bool:
        """Say whether its words count as its author's although they reword others'; combined texts reword by themselves."""
        return self.actor == OPERATOR and not self.is_woven


class FoldSoFar(Protocol):
    """The results of all earlier steps."""

    def origin(self, key: str, /) -> Origin | None:
        """Return the origin of a piece by its key, None if no earlier step brought it."""

    def origins(self, keys: Sequence[str], /) -> Mapping[str, Origin]:
        """Return the origins of several pieces, without unknown ones."""

    def last_words(self, entry_id: str, /) -> str | None:
        """Return the last words of an entry id."""

    def outside_like(self, words: str, /) -> Iterable[str]:
        """Return keys of pieces from outside that share some words with these."""


def fold_step(step: FoldStep, fold: FoldSoFar) -> tuple[dict[str, Origin], list[Seen]]:
    """Return what ``step`` adds: origins of new pieces, and events of entries."""
    keys = set(map(attrgetter("key"), step.removed))
    for _, piece in step.added:
        keys.add(piece.key)
        keys.update(form + piece.words for form in FORMS)
    before = fold.origins(list(keys))  # one query, since there is a step for each commit
    fresh, origins = _new(step, fold, before)
    lowering = _Lowering(step, fold, before, too_many(fresh, step.removed))
    dressed = _dressed_otherwise(step, before) if fresh and step.may_raise else {}
    for key, piece in fresh.items():
        actor = "unknown" if key in step.of_mails else step.actor
        mine = Origin(step.commit_id, step.at, actor, lowering.trust(piece))
        earlier = dressed.get(plain_words(piece.words)) if dressed else None
        if earlier is None:
            others = (before.get(form + piece.words) for form in FORMS if form != piece.form)
            earlier = min(filter(None, others), key=lambda origin: rank_of(origin.trust), default=None)
        # reformatted words keep their origin, unless that would raise their trust
        if earlier is not None and rank_of(earlier.trust) <= rank_of(mine.trust):
            mine = earlier
        origins[key] = mine
    if (step.claims_words or step.confirms) and step.may_raise and step.trust == OPERATOR:
        origins |= _claimed(step, fold, origins)
    return origins, list(_seen(step))


def _new(
    step: FoldStep, fold: FoldSoFar, before: Mapping[str, Origin]
) -> tuple[dict[str, Piece], dict[str, Origin]]:
    """Return the pieces whose author the step is, with their earlier origins, and those of the operator's words that he takes out."""
    added = {piece.key: piece for _, piece in step.added}
    removed = set(map(attrgetter("key"), step.removed))
    out = fold.origins(list(map(TAKEN_OUT.__add__, added.keys() & before.keys() - removed)))
    fresh, notes = {}, {}
    for key, piece in added.items():
        taken_out = out.get(TAKEN_OUT + key)
        if key not in before or (taken_out is not None and _is_new_again(step, before[key], taken_out)):
            fresh[key] = piece
            if key in before:
                notes[TAKEN_OUT + step.commit_id + key] = before[key]
        if taken_out is not None and step.is_his:  # typed or brought back by him
            notes[TAKEN_OUT + key] = Origin("", "", "", "")
    staying = set(map(attrgetter("words"), added.values()))
    for old in step.removed:
        is_gone = step.is_his and old.words not in staying and old.key in before
        if is_gone and before[old.key].trust in (OPERATOR, UNDERSTOOD):
            notes[TAKEN_OUT + old.key] = before[old.key]
    return fresh, notes


def _is_new_again(step: FoldStep, present: Origin, taken_out: Origin) -> bool:
    """Say whether words that the operator took out are typed again, not moved by a job or brought back by him."""
    is_out = present.commit_id == taken_out.commit_id
    is_said = bool(step.evidence and not step.is_woven)
    if step.may_raise or (step.is_his and is_said):
        return is_out or present.trust not in (OPERATOR, UNDERSTOOD)
    return is_out and (step.actor in UNHEARD or is_said)


def _claimed(step: FoldStep, fold: FoldSoFar, fresh: dict[str, Origin]) -> dict[str, Origin]:
    """Return the words that the operator claims, with trust raised; first commit and date stay."""
    keys = [piece.key for _, piece in step.added] if step.claims_words else []
    for name in step.confirms:
        words = fold.last_words(name.removeprefix("m:"))
        if words is not None:
            keys.append({"m:": ENTRY, "x:": CORRECTION}[name[:2]] + words)
    origins = {}
    for key in keys:
        origin = fresh.get(key) or fold.origin(key)
        if origin is not None and origin.trust != OPERATOR:
            origins[key] = origin._replace(actor=OPERATOR, trust=OPERATOR, said_in=step.commit_id)
    return origins


def _dressed_otherwise(step: FoldStep, before: Mapping[str, Origin]) -> dict[str, Origin]:
    """Return the plain words of removed pieces with lower trust than the step: reformatting does not raise it."""
    origins: dict[str, Origin] = {}
    for old in step.removed:
        origin = before.get(old.key)
        if origin is not None and rank_of(origin.trust) < rank_of(step.trust):
            words = plain_words(old.words)
            origins[words] = min(origins.get(words, origin), origin, key=lambda each: rank_of(each.trust))
    origins.pop("", None)
    return origins


class _Lowering:
    def __init__(self, step: FoldStep, fold: FoldSoFar, before: Mapping[str, Origin], many: bool) -> None:
        self._step, self._known, self._many = step, fold, many
        self._own = step.trust if step.trust in TRUSTS else LOWEST
        self._spoken = step.spoken
        removed = () if step.may_raise else step.removed
        self._removed = {old: before[old.key].trust for old in removed if old.key in before}

    def trust(self, piece: Piece) -> str:
        """Return the step's own trust, or that of the words ``piece`` rewords, if lower."""
        own = self._spoken.get(piece.key, self._own)
        is_his_act = self._step.may_raise and piece.key not in self._spoken
        if is_his_act or own == LOWEST:
            return own
        least = lowest([own, *self._reworded(piece), *self._earlier(piece)])
        if piece.key in self._step.readings:
            least = lowest([least, UNDERSTOOD])
        elif own == OPERATOR and least != LOWEST and piece.key in self._step.verbatim:
            least = own
        return LOWEST if least != LOWEST and self._is_from_outside(piece, own) else least

    def _reworded(self, piece: Piece) -> list[str]:
        """Return the trusts of removed pieces like ``piece`` or with its id; in large changes, of all."""
        if self._many or not set(self._removed.values()) - {self._own}:
            return list(self._removed.values())
        same, alike = [], []
        for old, trust in self._removed.items():
            if piece.entry_id is not None and old.entry_id == piece.entry_id:
                same.append(trust)
            elif not same and likeness(old.words, piece.words) >= REWORDED:
                alike.append(trust)
        return same or alike

    def _earlier(self, piece: Piece) -> list[str]:
        words = None if piece.entry_id is None else self._known.last_words(piece.entry_id)
        if words is None:
            return []
        key = ENTRY + words
        if piece.form == CORRECTION:
            key = CORRECTION + words
            if not _SAYS_WHAT_IS_RIGHT.search(words):
                return []
        origin = self._known.origin(key)
        return [] if origin is None else [origin.trust]

    def _is_from_outside(self, piece: Piece, own: str) -> bool:
        """Say whether ``piece`` derives from outside words, even removed ones; an operator's message with other facts disproves it."""
        for key in self._known.outside_like(piece.words):
            origin = self._known.origin(key)
            if origin is None or origin.trust != LOWEST or not made_of(piece.words, key):
                continue
            if own not in (OPERATOR, UNDERSTOOD) or not facts_differ(piece.words, key):
                return True
        return False


def _seen(step: FoldStep) -> Iterable[Seen]:
    entry_pieces = [
        (path, piece) for path, piece in step.added if piece.form == ENTRY and _is_followed(path, piece)
    ]
    corrections = [piece for _, piece in step.added if piece.form == CORRECTION]
    earlier = earlier_wordings([*(piece for _, piece in entry_pieces), *corrections], step.removed)
    others = [piece.words for _, piece in step.added if step.lines and piece.entry_id is None]
    on_lines = set()  # the evidence of the named lines
    for item in step.evidence:
        cites = item.partition(" ")[0]
        if any(line_name(statement, cites) in step.lines for statement in others):
            on_lines.add(item)
    resting = Resting((piece for _, piece in entry_pieces), step.evidence, frozenset(on_lines))
    for path, piece in step.added:
        if piece.form == CORRECTION and piece.entry_id is not None:
            cited = step.evidence
            if _NAMES_EVIDENCE in piece.words:
                cited = tuple(item for item in cited if item.partition(" ")[0] in piece.words)
            citations = "\n".join(cited)
            here = storable(path)
            yield Seen(piece.entry_id, "correction", step.commit_id, step.at, citations, here, piece.words)
    for path, piece in entry_pieces:
        old = earlier.get(piece, _NOTHING)
        place = (storable(path), piece.words, old.words, old.entry_id or "")
        citations = "\n".join(resting.of(piece))
        yield Seen(piece.entry_id or "", "words", step.commit_id, step.at, citations, *place)
    is_heard = step.actor not in UNHEARD  # a host cannot make entries expire
    for kind, trailers in (("mention", step.mentions), ("class", step.classes)) if is_heard else ():
        for trailer in trailers:
            entry_id, _, rest = trailer.partition(" ")
            yield Seen(entry_id.removeprefix("m:"), kind, step.commit_id, step.at, rest)
    for name in step.confirms:
        if not name.startswith("x:"):  # a correction's is in its ledger
            yield Seen(name.removeprefix("m:"), "yes", step.commit_id, step.at)
    yield from _logged(step, set(earlier.values()))


def _logged(step: FoldStep, replaced: Collection[Piece]) -> Iterator[Seen]:
    counted: dict[str, list[int]] = {}
    lines: dict[str, tuple[list[Piece], list[Piece]]] = {}
    standing = {piece.words for _, piece in step.added}
    noted = _noted(step)
    for side, pieces in enumerate((step.added, step.left)):
        for path, piece in pieces:
            if piece.form == CORRECTION or may_hold_corrections(path):
                continue
            if is_identity(path) or is_standing(path):
                lines.setdefault(path, ([], []))[side].append(piece._replace(form=ENTRY))
            elif noted[path] and piece.form == ENTRY and not _is_followed(path, piece):
                noted[path] -= 1
                lines.setdefault(path, ([], []))[side].append(piece)
            elif piece.form != ENTRY or not _is_followed(path, piece):
                counted.setdefault(path, [0, 0])[side] += 1
            elif side and piece not in replaced and piece.words not in standing:
                place = (storable(path), "", piece.words, piece.entry_id or "")
                yield Seen(piece.entry_id or "", "left", step.commit_id, step.at, "", *place)
    for path, (came, went) in lines.items():
        yield from _lines_of(step, storable(path), came, went)
    for path, (came_lines, left_lines) in counted.items():
        if came_lines or left_lines:
            detail = f"+{came_lines} -{left_lines}"
            yield Seen("", "lines", step.commit_id, step.at, detail, storable(path))
    for path, detail in step.beside:
        yield Seen("", "lines", step.commit_id, step.at, detail, storable(path))


def _noted(step: FoldStep) -> Counter[str]:
    """Return how many of a step's items per file to list singly: the first of many; empty for a job's own and combined texts."""
    items: Counter[str] = Counter()
    if (step.trust in (OPERATOR, UNDERSTOOD) or step.actor in UNHEARD) and not step.is_woven:
        for path, piece in (*step.added, *step.left):
            items[path] += piece.form == ENTRY and tier_of(path) is not None
    for path, count in items.items():
        if count > MOST_NOTED:
            items[path] = FIRST_NOTED
    return items


def _lines_of(step: FoldStep, path: str, came: Sequence[Piece], went: Sequence[Piece]) -> Iterator[Seen]:
    earlier = earlier_wordings(came, went)
    citations = "\n".join(step.evidence)
    for piece in came:
        before = earlier.get(piece, _NOTHING).words
        if before != piece.words:
            yield Seen("", "line", step.commit_id, step.at, citations, path, piece.words, before)
    replaced = set(earlier.values())
    for piece in went:
        if piece not in replaced:
            yield Seen("", "line", step.commit_id, step.at, citations, path, "", piece.words)


def _is_followed(path: str, piece: Piece) -> bool:
    """Say whether a statement's wordings are recorded: if it has an id, or could get one."""
    return piece.entry_id is not None or _could_have_id(path)


class Resting:
    """The evidence of one change by entry: an id derived from an item owns it; an item without an owner belongs to all."""

    def __init__(
        self, entries: Iterable[Piece], evidence: Sequence[str], elsewhere: frozenset[str] = frozenset()
    ) -> None:
        self._evidence = tuple(evidence)
        self._own: dict[Piece, frozenset[str]] = {}
        for entry in entries if len(evidence) > 1 else ():
            cited = ((item, item.partition(" ")[0]) for item in evidence if entry.entry_id)
            name = entry.entry_id or ""
            self._own[entry] = frozenset(
                item for item, cites in cited if is_made_from(name, entry.words, cites)
            )
        self._taken = elsewhere.union(*self._own.values())

    def of(self, entry: Piece) -> tuple[str, ...]:
        own = self._own.get(entry)
        if not own:
            return self._evidence
        stated = set(words(entry.words))
        by_name: dict[str, list[tuple[int, str]]] = {}
        for item in own:
            name, _, quote = item.partition(" ")
            by_name.setdefault(name, []).append((len(stated.intersection(words(quote))), item))
        # of several quotes of a message, the one with most words of the statement
        nearest = {item for shares in by_name.values() for share, item in shares if share == max(shares)[0]}
        return tuple(item for item in self._evidence if item in nearest or item not in self._taken)


_NAMES_EVIDENCE = "- evidence: chat:"  # in a ledger, where a change may have several corrections
MOST_NOTED, FIRST_NOTED = 10, 3  # items of a day's note that are listed singly; of more, so many
REWORDED = 60
CONTAINED = 80
# Fewer words or letters prove nothing: "at the end of".
FEWEST_WORDS = 3
FEWEST_LETTERS = 12
SINGLE = 6  # of scripts in which each character is a word


def made_of(new: str, old: str) -> bool:
    """Say whether ``new`` rewords ``old``, is a part of it or has a part that is most of it."""
    if likeness(new, old) >= REWORDED:
        return True
    first = tuple(words(new))
    second = tuple(words(old))
    shorter = min(first, second, key=len)
    is_telling = len("".join(shorter)) >= FEWEST_LETTERS or len(shorter) >= SINGLE
    if len(shorter) < FEWEST_WORDS or not is_telling:
        return False
    return fuzzy.fuzz.partial_ratio(first, second) >= CONTAINED
