"""What waits for the miner, in shares: one for each trust, since a change rests on the least of its sources."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clawgit.agents.miner.mined_material import (
    Share,
    candidate_of,
    is_readable,
    kept_of,
    note_candidates,
    said_in,
    trust_of_line,
    trust_of_message,
)
from clawgit.agents.miner.model_miner import within_budget
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.trust import OPERATOR, TRUSTS
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from datetime import tzinfo

    from clawgit.agents.miner.model_miner import Said
    from clawgit.agents.operator_names import Names
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.provenance.evidence_cited import NoteLine
    from clawgit.understanding.facts.select_facts import Candidate


@dataclass(frozen=True, slots=True)
class Waiting:
    """What nobody mined yet, and what has to be known of it.

    ``cited`` and ``denied`` are only marked as read; ``his`` are the operator's names. Without a ``model`` everything goes by rules.
    """

    messages: list[ChatMessage]
    notes: list[NoteLine]
    cited: Collection[str]
    his: Names
    zone: tzinfo | None
    denied: Collection[str] = ()
    model: bool = False

    def shares(self) -> list[Share]:
        """Return the shares in which something is, the operator's first."""
        return [share for trust in reversed(TRUSTS) if (share := self._of(trust)).read]

    def _of(self, most: str) -> Share:
        messages = [each for each in self.messages if trust_of_message(each) == most]
        fresh = [
            each
            for each in messages
            if f"{MESSAGE}{each.chat_id}" not in self.cited and each.chat_id not in self.denied
        ]
        places = {each.chat_id: at for at, each in enumerate(sorted(fresh, key=lambda each: each.sent_at))}
        said: list[Said] = []
        is_asked = self.model and most == OPERATOR  # what others said is read by rules alone
        if is_asked:
            said = within_budget(self._said(fresh, places))
            messages, fresh = _up_to(messages, said), _up_to(fresh, said)
        left_out: dict[str, str] = {}
        notes = note_candidates(line for line in self.notes if trust_of_line(line) == most)
        candidates = (*self._candidates(fresh, places, left_out), *notes)
        from_notes = {each.evidence_id for each in candidates if not each.evidence_id.startswith(MESSAGE)}
        read = (*(f"{MESSAGE}{each.chat_id}" for each in messages), *sorted(from_notes))
        return Share(
            lowest([most, *(each.trust for each in candidates)]),
            read,
            candidates,
            tuple(said),
            by_rules=not is_asked,
            left_out=left_out,
            readable=frozenset(f"{MESSAGE}{each.chat_id}" for each in fresh if is_readable(each)),
            again=frozenset(f"{MESSAGE}{each.chat_id}" for each in fresh if each.read_in),
        )

    def _said(self, messages: list[ChatMessage], places: Mapping[str, int]) -> Iterator[Said]:
        """Yield what a model may read of messages, in their order, with their places in the talk."""
        for message in messages:
            said = said_in(message, self.zone, self.his)
            if said is not None:
                yield said._replace(place=places[message.chat_id])

    def _candidates(
        self, messages: list[ChatMessage], places: Mapping[str, int], left_out: dict[str, str]
    ) -> Iterator[Candidate]:
        """Yield what of messages is worth keeping, in the order in which they were said, and note which orders no entry can hold."""
        for message in sorted(messages, key=lambda each: places[each.chat_id]):
            evidence = f"{MESSAGE}{message.chat_id}"
            for kept in kept_of(message, self.his):
                if kept.why_not:
                    left_out[evidence] = f"An order to remember was not kept ({evidence}): {kept.why_not}."
                else:
                    found = candidate_of(message, self.zone, self.his, kept)
                    yield replace(found, place=places[message.chat_id])


def _up_to(messages: list[ChatMessage], said: list[Said]) -> list[ChatMessage]:
    """Return messages up to the last one that is among ``said``; all, where none is."""
    asked = {each.evidence_id for each in said}
    last = max((at for at, each in enumerate(messages) if f"{MESSAGE}{each.chat_id}" in asked), default=None)
    return messages if last is None else messages[: last + 1]
