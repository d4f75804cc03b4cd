"""Whether a message that names a value of an entry speaks of what the entry is about, now, and sets a value of the same kind. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.text.comparing.value_kinds import ValueKind, values_in
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.words.stopwords import named_languages
from clawgit.understanding.evidence import sense_words as sense
from clawgit.understanding.evidence.edit_checks import spoken_of
from clawgit.understanding.evidence.said_values import same_value
from clawgit.understanding.evidence.said_words import is_light, lacking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.understanding.evidence.edit_case import Case
    from clawgit.understanding.evidence.said_words import Read

_POINTED_AT = lazy_pattern(r"\b(?:it|him|them|he|she|they)\b")

_NO_NAMES = frozenset(
    {
        ValueKind.WEEKDAY,
        ValueKind.DATE,
        ValueKind.TIME,
        ValueKind.AMOUNT,
        ValueKind.SHARE,
        ValueKind.DURATION,
        ValueKind.MEASURE,
        ValueKind.FREQUENCY,
    }
)


def names_another_subject(case: Case) -> str:
    """Name what the operator speaks of, where nothing that stays in the entry was named by him or by the agent before."""
    if not case.old:
        return ""
    stays = [word for word in case.read(case.old).words if word not in case.gone and not is_light(word)]
    if not stays or case.has_any(" . ".join((case.mine, *case.before)), stays):
        return ""
    other = next((word for part in case.carrying for word in _subject_words(case, part)), "")
    return f"The operator speaks of {other!r} there, and the entry is about {stays[0]!r}." if other else ""


def _subject_words(case: Case, clause: str) -> Iterator[str]:
    """Yield what a clause is about that neither entry nor statement has; nothing after `it`, or in another language.

    The first word before the new value may be the verb (`bumped to Friday`); one after another word is not.
    """
    told, old = case.read(clause), case.read(case.old)
    lead = clause[: _start(case, clause)]
    if _POINTED_AT.search(lead.lower()) or _are_of_two_languages(told, old):
        return
    here, said = case.read(f"{case.old} . {case.new}"), case.read(lead)
    for word in (*spoken_of(clause), *said.latin[1:], *said.hangul[1:]):
        own = case.read(word)
        is_script_shared = (own.latin and old.latin) or (own.hangul and old.hangul) or (own.runs and old.runs)
        if is_script_shared and not is_light(word) and word not in sense.ANY_THING and lacking(own, here):
            yield word


def _start(case: Case, clause: str) -> int | None:
    """Return where the first new thing of a clause stands, None where that cannot be told."""
    told, small = case.read(clause), clause.lower()
    new = [value.shown for value in told.values if any(same_value(value, one) for one in case.stated.values)]
    found = [at for item in (*new, *case.brought) if (at := small.find(item)) >= 0]
    return min(found, default=None)


def _are_of_two_languages(one: Read, other: Read) -> bool:
    """Say whether the small words of two texts are those of different languages."""
    first, second = (
        set(named_languages([word.strip('.,:;!?"()').replace("'", "") for word in text.plain.split()]))
        for text in (one, other)
    )
    return bool(first and second) and not first & second


def changes_kind(case: Case) -> str:
    """Say that a day, a time or an amount would replace a name, though the operator names that one beside it."""
    was = [value for value in values_in(case.old) if value.text.lower() in case.gone]
    now = [value for value in values_in(case.new) if value.text.lower() in case.brought]
    is_replaced = {value.kind for value in was} == {ValueKind.NAME} and len(now) == len(case.brought)
    if not now or not is_replaced or not {value.kind for value in now} <= _NO_NAMES:
        return ""
    name = next((value.text for value in was if case.has_any(" . ".join(case.carrying), [value.text])), "")
    return f"{now[0].text!r} is of another kind than {name!r}, which it would replace." if name else ""


def tells_of_the_past(case: Case) -> str:
    """Say that all of what is new is told of the past, and the statement is not: `the port used to be 7010`."""
    if sense.PAST.search(case.new.lower()) or not all(map(sense.PAST.search, case.carrying)):
        return ""
    return "The operator says there what was so before."


SUBJECT_CHECKS = (tells_of_the_past, names_another_subject, changes_kind)
