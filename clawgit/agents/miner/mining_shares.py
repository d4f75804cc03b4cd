"""What waits for the miner, in shares: one for each trust, since a change rests on the least of its sources."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from clawgit.agents.miner.mined_material import (
    Share,
    candidate_of,
    kept_of,
    note_candidates,
    said_in,
    trust_of_line,
    trust_of_message,
)
from clawgit.agents.miner.model_miner import within_budget
from clawgit.memory.provenance.fold import lowest
from clawgit.memory.trust import TRUSTS
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from datetime import datetime, tzinfo

    from clawgit.agents.miner.model_miner import Said
    from clawgit.agents.operator_names import Names
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.provenance.evidence_cited import NoteLine
    from clawgit.understanding.facts.select_facts import Candidate

_A_MOMENT = timedelta(seconds=1)  # the records know times to the second


@dataclass(frozen=True, slots=True)
class Waiting:
    """What nobody mined yet, and what has to be known of it.

    ``cited`` and ``denied`` are only marked as read; ``his`` are the operator's names; ``refused_at`` is when a model's answer was of no
    use last. Without a ``model`` everything goes by rules.
    """

    messages: list[ChatMessage]
    notes: list[NoteLine]
    cited: Collection[str]
    his: Names
    zone: tzinfo | None
    denied: Collection[str] = ()
    model: bool = False
    refused_at: datetime | None = None

    def shares(self) -> list[Share]:
        """Return the shares in which something is, the operator's first."""
        return [share for trust in reversed(TRUSTS) for share in self._of(trust) if share.read]

    def _of(self, trust: str) -> Iterator[Share]:
        """Yield the shares of one trust: what waited already when an answer was refused goes by rules, by itself."""
        messages = [each for each in self.messages if trust_of_message(each) == trust]
        notes = [line for line in self.notes if trust_of_line(line) == trust]
        held_up = [each for each in messages if self._was_held_up(each)] if self.model else []
        if held_up:
            yield self._share(trust, held_up, notes, model=False)
            messages, notes = [each for each in messages if not self._was_held_up(each)], []
        yield self._share(trust, messages, notes, model=self.model)

    def _was_held_up(self, message: ChatMessage) -> bool:
        return self.refused_at is not None and message.received_at < self.refused_at + _A_MOMENT

    def _share(self, most: str, messages: list[ChatMessage], notes: list[NoteLine], *, model: bool) -> Share:
        fresh = [
            each
            for each in messages
            if f"{MESSAGE}{each.chat_id}" not in self.cited and each.chat_id not in self.denied
        ]
        places = {each.chat_id: at for at, each in enumerate(sorted(fresh, key=lambda each: each.sent_at))}
        said: list[Said] = []
        if model:
            said = within_budget(self._said(fresh, places))
            messages, fresh = _up_to(messages, said), _up_to(fresh, said)
        left_out: list[str] = []
        candidates = (*self._candidates(fresh, places, left_out), *note_candidates(notes))
        from_notes = {each.evidence_id for each in candidates if not each.evidence_id.startswith(MESSAGE)}
        read = (*(f"{MESSAGE}{each.chat_id}" for each in messages), *sorted(from_notes))
        trust = lowest([most, *(each.trust for each in candidates), *(each.trust for each in said)])
        return Share(trust, read, candidates, tuple(said), by_rules=not model, left_out=tuple(left_out))

    def _said(self, messages: list[ChatMessage], places: Mapping[str, int]) -> Iterator[Said]:
        """Yield what a model may read of messages, in their order, with their places in the talk."""
        for message in messages:
            said = said_in(message, self.zone, self.his)
            if said is not None:
                yield replace(said, place=places[message.chat_id])

    def _candidates(
        self, messages: list[ChatMessage], places: Mapping[str, int], left_out: list[str]
    ) -> Iterator[Candidate]:
        """Yield what of messages is worth keeping, in the order in which they were said, and say which orders no entry can hold."""
        for message in sorted(messages, key=lambda each: places[each.chat_id]):
            for kept in kept_of(message, self.his):
                if kept.why_not:
                    left_out.append(
                        f"An order to remember was not kept ({MESSAGE}{message.chat_id}): {kept.why_not}."
                    )
                else:
                    found = candidate_of(message, self.zone, self.his, kept)
                    yield replace(found, place=places[message.chat_id])


def _up_to(messages: list[ChatMessage], said: list[Said]) -> list[ChatMessage]:
    """Return messages up to the last one that is among ``said``; all, where none is."""
    asked = {each.evidence_id for each in said}
    last = max((at for at, each in enumerate(messages) if f"{MESSAGE}{each.chat_id}" in asked), default=None)
    return messages if last is None else messages[: last + 1]
