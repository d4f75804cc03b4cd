"""Proof that a correction comes first: what a search would show once it is made."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.recall.answers import Wanted, answer
from clawgit.recall.rehearsal import rehearsed
from clawgit.recall.search import asked, weights_of
from clawgit.text.terms import index_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from clawgit.history.repository import History
    from clawgit.recall.answers import Result
    from clawgit.recall.gathering import Sources


CORE = "core"


@dataclass(frozen=True, slots=True)
class Claim:
    """That a correction (`x:…`) comes first for these questions, and that nothing shows ``old`` unmarked."""

    correction: str
    queries: tuple[str, ...]
    old: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether it holds, and else why not, in a sentence."""

    why_not: str = ""

    @property
    def holds(self) -> bool:
        """Say whether all was as it should be."""
        return not self.why_not


def prove(history: History, texts: Mapping[str, bytes], claims: Iterable[Claim], now: datetime) -> Proof:
    """Search as if the files read as ``texts``, and say whether every claim holds; nothing is changed."""
    every = tuple(claims)
    if history.settings.mode != CORE:
        return Proof("With vectors it is proven once they are made anew; that is tried again later.")
    try:
        with rehearsed(history, texts) as sources:
            failed = (
                _against(history, sources, claim, query, now) for claim in every for query in claim.queries
            )
            return Proof(next(filter(None, failed), ""))
    except (OSError, sqlite3.Error) as error:
        return Proof(f"The index could not be asked ({error}).")


def _against(history: History, sources: Sources, claim: Claim, query: str, now: datetime) -> str:
    """Return what a question shows that it should not, empty where all is right."""
    settings = history.settings
    wanted = Wanted(query, settings.search_max_results, settings.search_min_score)
    found = answer(sources, asked(wanted, now), wanted, weights_of(history, now)).results
    shown = query if len(query) <= 60 else query[:60] + "…"
    if not found or claim.correction not in found[0].entries:
        first = f"{found[0].citation} comes first" if found else "nothing is found"
        return f"For {shown!r}, {first}, not {claim.correction}."
    still = next((each for each in found if _says_old(each, claim.old)), None)
    return "" if still is None else f"For {shown!r}, {still.citation} still says what was wrong."


def _says_old(result: Result, old: tuple[str, ...]) -> bool:
    """Say whether a line shows what was wrong, and not as what a correction stands for."""
    if any(entry.startswith("x:") for entry in result.entries):
        return False
    here = f" {index_terms(result.snippet)} "
    return any(f" {index_terms(text)} " in here for text in old if text)
