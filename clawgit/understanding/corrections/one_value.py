"""What rules alone may set right: one value of one entry, where a sentence of the operator's says which. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.memory.provenance.grounds import changes_one_value
from clawgit.memory.trust import OPERATOR
from clawgit.text.comparing.value_kinds import values_in
from clawgit.understanding.evidence.check_edit import Proposal, Spoken, ground_of
from clawgit.understanding.evidence.own_sentences import own_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clawgit.memory.corrections.write_correction import Held


class Exchanged(NamedTuple):
    """An entry, and what it says with the one value that a message names."""

    held: Held
    statement: str


def one_value_changed(spoken: Spoken, entries: Sequence[Held]) -> list[Exchanged]:
    """Return the entries that a message corrects in one value by the operator's own word; none where one may say two things."""
    told = " ".join(own_sentences(spoken.text))
    found: list[Exchanged] = []
    for held in entries:
        old = held.parts.statement
        lines = {line for line in with_other_value(old, told) if _is_his_word(old, line, spoken)}
        if len(lines) == 1:
            found.append(Exchanged(held, lines.pop()))
    return found


def with_other_value(statement: str, told: str) -> Iterator[str]:
    """Yield a statement with one of its values replaced by one of its kind that somebody told."""
    for gone in values_in(statement):
        for came in values_in(told):
            if came.kind is gone.kind and came.text != gone.text:
                line = statement[: gone.start] + came.text + statement[gone.end :]
                if changes_one_value(statement, line, told):
                    yield line


def _is_his_word(old: str, line: str, spoken: Spoken) -> bool:
    return ground_of(Proposal(old, line), spoken).level == OPERATOR
