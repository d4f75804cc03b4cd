"""Taking vectors away whose texts are stale or corrected: searches find these texts by their words alone from then on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.recall.index.index_tables import text_hash
from clawgit.recall.index.line_units import read_units
from clawgit.recall.index.search_index import INDEX
from clawgit.recall.vector_search import VECTORS
from clawgit.recall.vectors.embed_texts import LiveTexts
from clawgit.recall.vectors.embedding_cache import EMBEDDINGS, EmbeddingCache

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


class RowsError(ClawgitError):
    """The vectors' cache cannot be written."""


def has_rows(history: History) -> bool:
    """Say whether anything was ever turned into vectors here."""
    return (history.state / VECTORS / EMBEDDINGS).exists()


def entry_hashes(tree: Tree, paths: Iterable[str]) -> dict[str, bytes]:
    """Return entry id (without `m:`) → the hash by which its vector is known."""
    units = (unit for path in paths for unit in read_units(tree.read(path) or b"", path).units)
    return {
        unit.entry.removeprefix("m:"): text_hash(unit.text) for unit in units if unit.entry.startswith("m:")
    }


def live_hashes(history: History) -> frozenset[bytes]:
    """Return the hashes of all that is searched now; nothing where there is no index."""
    live = LiveTexts(history.state / INDEX)
    try:
        live.renew()
    except OSError:
        return frozenset()
    return live.hashes


def change_rows(
    history: History, *, rest: Collection[bytes], wake: Collection[bytes], forget: Collection[bytes]
) -> int:
    """Take rows away, for now (``rest``) or because their texts are no more (``forget``), and let others be made again.

    Return how many rows went.
    """
    try:
        with closing(EmbeddingCache(history.state / VECTORS / EMBEDDINGS)) as cache:
            if wake:
                cache.wake(wake)
            gone = cache.rest(rest) if rest else 0
            return gone + (cache.forget(forget) if forget else 0)
    except (OSError, sqlite3.Error) as error:
        raise RowsError(
            f"The vectors could not be tidied ({error}).", hint="The next run tries again."
        ) from error
