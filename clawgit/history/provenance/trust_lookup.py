"""Whose words a text is, and which corrections are in force: what the fold says of files as they are now or were."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

from clawgit.history.authorship.actors import UNKNOWN
from clawgit.history.provenance.correction_files import is_held, ledgers
from clawgit.history.provenance.fold_store import forget_fold
from clawgit.history.provenance.fold_update import present_fold
from clawgit.memory.conflict_log import Outcome, conflict_ids, conflict_pieces
from clawgit.memory.corrections.corrected_entries import MARK, as_held, correction_pieces
from clawgit.memory.entries.tiers import CONFLICTS, MAY_HOLD
from clawgit.memory.provenance.pieces import CORRECTION, ENTRY, FORMS, Text, storable
from clawgit.memory.trust import TRUSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.conflict_log import Contradiction
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.provenance.fold import Origin

Answer = TypeVar("Answer")

REWRITTEN = "somebody else rewrote it in CONFLICTS.md"
_LOWEST_FIRST = (UNKNOWN, *TRUSTS)


@contextmanager
def open_trusts(history: History) -> Iterator[TrustLookup]:
    """Open the fold for questions; it is read when the first one is asked."""
    with ExitStack() as stack:
        yield TrustLookup(history, stack)


class TrustLookup:
    """The fold, asked about texts. What nobody committed, or nobody that is known, is `unknown`."""

    def __init__(self, history: History, stack: ExitStack) -> None:
        self._history, self._stack = history, stack
        self._store: FoldStore | None = None
        self._texts: dict[str, Text] = {}
        self._held: dict[tuple[str, str], bool] = {}
        self._trusts: dict[str, str] = {}

    def of_lines(self, name: str, data: bytes, first: int, last: int) -> str:
        """Return the lowest trust of the lines ``first`` to ``last`` (from 1) of a text known by ``name``."""
        text = self._texts.get(name)
        if text is None:
            text = self._texts[name] = Text(data)
        return self._lowest({piece.key for piece in text.between(first, last)})

    def of_line(self, words: str, entry_id: str) -> str:
        """Return the trust of a line that is in no file any more; with an id, it may be one of an entry's lines."""
        said = storable(words)
        known = self.ask(lambda store: [form + said for form in FORMS if store.origin(form + said)])
        if not known and entry_id:
            rows = self.ask(lambda store: store.seen(entry_id.removeprefix("m:")))
            known = [ENTRY + row.words for row in rows if row.kind == "words" and said in row.words]
        return self._lowest(known)

    def of_correction(self, words: str) -> str:
        """Return the trust of a correction that reads so."""
        return self._lowest([CORRECTION + words])

    def holds(self, name: str, words: str) -> bool:
        """Say whether a correction (`x:…`) that reads so rests on the operator's word; of a conflict (`k:…`), that no host wrote it."""
        found = self._held.get((name, words))
        if found is None:
            found = self._held[name, words] = self.ask(lambda store: is_held(store, name, words))
        return found

    def would_hold(self, name: str, words: str) -> bool:
        """Say the same of one that an agent of clawgit's is about to write."""
        return self.ask(lambda store: is_held(store, name, words, planned=True))

    def corrections(self, tree: Tree) -> dict[str, Correction]:
        """Return by id the corrections of a state that the fold holds, each as it counts, whatever else its ledgers say."""
        found: dict[str, Correction] = {}
        for path in ledgers(tree):
            for piece, each in correction_pieces(tree.read(path) or b"", path).items():
                if each.correction_id not in found and self.holds(MARK + each.correction_id, piece.words):
                    found[each.correction_id] = as_held(each, self.of_correction(piece.words))
        return found

    def conflicts(self, data: bytes) -> list[Contradiction]:
        """Return the conflicts of a CONFLICTS.md that the detector or the operator made read so."""
        found: dict[str, Contradiction] = {}
        for piece, each in conflict_pieces(data).items():
            if each.conflict_id not in found and self.holds(piece.entry_id or "", piece.words):
                found[each.conflict_id] = each
        return list(found.values())

    def known_conflicts(self, data: bytes) -> list[Contradiction]:
        """Return the same, and as they were logged, those that somebody else rewrote since: each of these is open again."""
        held = self.conflicts(data)
        others = [name for name in conflict_ids(data) if name not in {each.conflict_id for each in held}]
        logged = filter(None, map(self._as_logged, others))
        return [*held, *(each._replace(rule=REWRITTEN, outcome=Outcome.OPEN, reason="") for each in logged)]

    def _as_logged(self, conflict_id: str) -> Contradiction | None:
        """Return a conflict as the detector or the operator last made it read, None where neither did."""
        name = f"k:{conflict_id}"
        for row in reversed(self.ask(lambda store: store.seen(name))):
            if self.holds(name, row.words):
                data = self._history.tree_of(row.commit_id).read(CONFLICTS) or b""
                return next(
                    (each for piece, each in conflict_pieces(data).items() if piece.words == row.words), None
                )
        return None

    def _lowest(self, keys: Collection[str]) -> str:
        new = [key for key in keys if key not in self._trusts]
        origins = self.ask(lambda store: [store.origin(key) for key in new]) if new else []
        self._trusts |= {key: _trust(origin) for key, origin in zip(new, origins, strict=True)}
        return min((self._trusts[key] for key in keys), key=_LOWEST_FIRST.index, default=UNKNOWN)

    def ask(self, question: Callable[[FoldStore], Answer]) -> Answer:
        """Return an answer of the fold; one that is damaged is made again."""
        try:
            return question(self._opened())
        except sqlite3.DatabaseError:
            self._stack.close()
            self._store = None
            with suppress(OSError):
                forget_fold(self._history.state)
            return question(self._opened())

    def _opened(self) -> FoldStore:
        if self._store is None:
            self._store = self._stack.enter_context(present_fold(self._history))
        return self._store


def corrections_held(history: History, tree: Tree) -> dict[str, Correction]:
    """Return by id the corrections of a state that the fold holds: what agents go by."""
    with open_trusts(history) as trusts:
        return trusts.corrections(tree)


def conflicts_held(history: History, tree: Tree) -> list[Contradiction]:
    """Return the conflicts of a state that the detector or the operator made read so, in the order of their lines."""
    data = tree.read(CONFLICTS) or b""
    if MAY_HOLD not in data:
        return []
    with open_trusts(history) as trusts:
        return trusts.conflicts(data)


def conflicts_known(history: History, tree: Tree) -> list[Contradiction]:
    """Return the conflicts that hold in a state, and below them those that wait again, since somebody else rewrote them."""
    data = tree.read(CONFLICTS) or b""
    if MAY_HOLD not in data:
        return []
    with open_trusts(history) as trusts:
        return trusts.known_conflicts(data)


def _trust(origin: Origin | None) -> str:
    if origin is None or origin.actor == UNKNOWN:
        return UNKNOWN
    return origin.trust if origin.trust in TRUSTS else UNKNOWN
