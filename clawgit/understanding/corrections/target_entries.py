"""Which entries say what is wrong, how they read once it is right, and which say it already. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.corrections.verdicts import Verdict
from clawgit.text.comparing.similarity import likeness
from clawgit.understanding.corrections.result_checks import both_deny, holds_of_two, reads_on
from clawgit.understanding.corrections.same_subject import ALIKE, is_about
from clawgit.understanding.values.denials import as_memory_says, denies_all
from clawgit.understanding.values.value_positions import exchanged_all, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.memory.corrections.verdicts import Held, Righting

APART = 10  # so much more alike must the likeliest of several entries be
_SEVERAL = re.compile(r"(?i)\b(?:and|both|we|they|our|their)\b")


def in_memory(said: str, righted: Righting, entries: Iterable[Held]) -> Verdict:
    """Return what is to be done where ``said`` is wrong: in the entries that say the same, and beside them."""
    named = [held for held in entries if _names_either(held, righted)]
    about = [held for held in named if is_about(held.parts.statement, said, righted)]
    changed = [(held, now) for held in about if (now := _put_into(held, said, righted)) is not None]
    chosen, note = _likeliest(said, changed)
    right = tuple(held for held in about if _says(held, righted) and held not in [each for each, _ in chosen])
    verdict = Verdict(Status.APPLIED if chosen or right else Status.LOGGED, said, righted.correct, note=note)
    return replace(verdict, wrong=tuple(chosen), right=() if note else right)


def _names_either(held: Held, righted: Righting) -> bool:
    """Say whether an entry holds what gave way or what came in its place; a look that costs nothing."""
    if not righted.exchanges:
        return True
    text = held.entry.text.casefold()
    return any(value.casefold() in text for pair in righted.exchanges for value in pair)


def _put_into(held: Held, said: str, righted: Righting) -> str | None:
    """Return the entry's statement with what is right in it, None where it does not say what is wrong."""
    statement = held.parts.statement
    if not both_deny(said, statement) or (holds_of_two(statement) and not _SEVERAL.search(said)):
        return None
    if righted.exchanges:
        exchanges = as_memory_says(said, statement, righted.exchanges)
        now = exchanged_all(statement, exchanges) if denies_all(said, statement, exchanges) else None
        return now if now is not None and reads_on(statement, now, exchanges) else None
    if likeness(statement, said) < ALIKE or likeness(statement, righted.correct) < ALIKE:
        return None
    is_new = righted.correct != statement and reads_on(statement, righted.correct, ())
    return righted.correct if is_new else None


def _says(held: Held, righted: Righting) -> bool:
    """Say whether an entry says what is right."""
    statement = held.parts.statement.casefold()
    right = [new.casefold() for _, new in righted.exchanges] or [righted.correct.casefold()]
    wrong = [old.casefold() for old, new in righted.exchanges if old.casefold() not in new.casefold()]
    return all(each.rstrip(".。") in statement for each in right) and not any(
        place_of(statement, each) for each in wrong
    )


def _likeliest(said: str, changed: list[tuple[Held, str]]) -> tuple[list[tuple[Held, str]], str]:
    """Return the entry that is meant, with those that say the same elsewhere; none and why if it could be several."""
    if len({held.parts.statement for held, _ in changed}) <= 1:
        return changed, ""
    order = sorted(changed, key=lambda each: -likeness(said, each[0].parts.statement))
    best = order[0][0].parts.statement
    rest = [each for each in order if each[0].parts.statement != best]
    if likeness(said, best) - likeness(said, rest[0][0].parts.statement) >= APART:
        return [each for each in order if each[0].parts.statement == best], ""
    names = ", ".join(f"m:{held.entry.entry_id}" if held.entry.entry_id else held.path for held, _ in order)
    return [], f"{names} could all be meant; `clawgit correct … --entry` says which"
