"""One renewal of the fold: what it adds is held until its end, and counts as known meanwhile."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clawgit.history.provenance.fold_store import MOST_ALIKE
from clawgit.memory.provenance.external_words import traces
from clawgit.memory.provenance.fold import fold_step
from clawgit.memory.trust import LOWEST, OPERATOR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.provenance.fold_store import FoldStore
    from clawgit.memory.provenance.fold import Origin, Seen, Step


class Folding:
    """What the store has, and what this renewal has added so far; an empty store is not asked."""

    def __init__(self, store: FoldStore) -> None:
        self._store = store
        self._is_first = not store.tips()
        self._origins: dict[str, Origin] = {}
        self._seen: list[Seen] = []
        self._last: dict[str, str] = {}
        self._outside: dict[tuple[str, ...], list[str]] = {}
        self._claims = set(store.claims())
        self._newest = store.newest()

    def take(self, step: Step, claims: Iterable[str], committed_at: int) -> None:
        """Add one commit."""
        self._newest = max(self._newest, committed_at)
        folded = fold_step(step, self)
        for key, origin in folded.origins.items():
            self._origins[key] = origin
            if origin.trust == LOWEST:
                for trace in traces(key):
                    self._outside.setdefault(trace, []).append(key)
        self._seen += folded.seen
        self._last |= {seen.entry_id: seen.words for seen in folded.seen if seen.kind == "words"}
        self._claims.update(claims)

    def finish(self, tips: frozenset[str]) -> None:
        """Write what was added into the store: the history has been read up to ``tips``."""
        outside = ((" ".join(trace), key) for trace, keys in self._outside.items() for key in keys)
        self._store.add(self._origins.items(), self._seen, outside, self._claims)
        self._store.finish(tips, self._newest)

    def origin(self, key: str, /) -> Origin | None:
        """Return who brought a piece first; a commit that the operator claimed is the operator's."""
        found = self._origins.get(key)
        if found is None:
            return None if self._is_first else self._store.origin(key)
        return found._replace(actor=OPERATOR, trust=OPERATOR) if found.commit_id in self._claims else found

    def last_words(self, entry_id: str, /) -> str | None:
        """Return the words that an entry id carried last."""
        found = self._last.get(entry_id)
        return found if found is not None or self._is_first else self._store.last_words(entry_id)

    def outside_like(self, words: str, /) -> list[str]:
        """Return keys of pieces from outside that share three words in a row with these, the closest first."""
        if self._is_first and not self._outside:
            return []
        wanted = traces(words)
        here = Counter(key for trace in wanted & self._outside.keys() for key in self._outside[trace])
        found = [key for key, _ in sorted(here.items(), key=lambda item: (-item[1], item[0]))[:MOST_ALIKE]]
        return found if self._is_first else [*found, *self._store.with_traces(list(map(" ".join, wanted)))]
