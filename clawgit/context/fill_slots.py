"""The eight slots of one context: what each could hold, how much room each gets, and what that is enough for.

Two slots hang on the conversation. They are asked for no more than their own budgets, and what they leave goes to each
other and to the latest notes: so the stable part is the same whatever is talked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.audience import GROUP, MAIN
from clawgit.context.budget import flow_on, share_out
from clawgit.context.external_sources import crm_slot, external_slot
from clawgit.context.file_slots import identity_slot, longterm_slot, operator_slot
from clawgit.context.note_slots import corrections_slot, recent_slot
from clawgit.context.recall_slot import recall_slot
from clawgit.context.slot_text import SlotText, fit
from clawgit.context.slots import (
    CORRECTIONS,
    CRM,
    EXTERNAL,
    IDENTITY,
    LONGTERM,
    OPERATOR,
    RECALL,
    RECENT,
    SLOTS,
    budgets_of,
)
from clawgit.context.wanted_context import HOSTS, FilledSlot, Host
from clawgit.memory.entries.tiers import MEMORY_FILES

if TYPE_CHECKING:
    from clawgit.context.assembly import Assembly
    from clawgit.context.conversation import Talk
    from clawgit.context.external_sources import Outside
    from clawgit.context.recall_slot import Finder
    from clawgit.context.slots import Slot
    from clawgit.context.wanted_context import WantedContext

_SHARING = (RECENT, RECALL, CRM)


class Filling(NamedTuple):
    """What the slots of one context are filled from; ``opening`` is above the conversation's part."""

    assembly: Assembly
    wanted: WantedContext
    talk: Talk
    finder: Finder
    outside: Outside
    opening: str


def fill_slots(filling: Filling) -> list[FilledSlot]:
    """Return every slot by priority, all of them and the opening within the budget."""
    assembly, talk = filling.assembly, filling.talk
    counter, settings = assembly.counter, assembly.history.settings
    host = HOSTS.get(filling.wanted.host, Host())
    budgets = dict(zip(SLOTS, map(counter.usable, budgets_of(settings)), strict=True))
    total = counter.usable(settings.context_budget_tokens) - counter.count(filling.opening)
    whole = _of_the_tree(filling, host, budgets)
    needs = [budgets[slot] if slot.is_bounded else counter.count(whole[slot].text) for slot in SLOTS]
    room = dict(zip(SLOTS, share_out(needs, total), strict=True))
    fitting = {slot: fit(whole[slot], counter.count, room[slot]) for slot in SLOTS}
    if talk.scope != GROUP:
        found = filling.finder.found(talk.query)
        told = [passage for slot in fitting.values() for passage in slot.passages]
        whole[RECALL] = recall_slot(filling.finder, found, told, talk.scope)
        whole[CRM] = crm_slot(filling.outside, talk.query)
    wants = [counter.count(whole[slot].text) for slot in _SHARING]
    for slot, more in zip(_SHARING, flow_on(wants, [room[slot] for slot in _SHARING]), strict=True):
        fitting[slot] = fit(whole[slot], counter.count, more)
    if host.most_characters:
        _fit_characters(fitting, host.most_characters - len(filling.opening))
    return [
        FilledSlot(fitting[slot], budget, counter.count(whole[slot].text), counter.count(fitting[slot].text))
        for slot, budget in zip(SLOTS, budgets_of(settings), strict=True)
    ]


def _of_the_tree(filling: Filling, host: Host, budgets: dict[Slot, int]) -> dict[Slot, SlotText]:
    """Return what each slot could hold that does not hang on the conversation."""
    assembly, talk = filling.assembly, filling.talk
    identity = identity_slot(assembly, host.injects)
    if talk.scope == GROUP:
        own = recent_slot(assembly, group=filling.wanted.session)
        return {slot: SlotText(slot) for slot in SLOTS} | {IDENTITY: identity, RECENT: own}
    counter = assembly.counter
    corrections = corrections_slot(assembly)
    is_whole = counter.count(corrections.text) <= budgets[CORRECTIONS]
    said = [assembly.corrections[each.entry.removeprefix("x:")].correct for each in corrections.passages]
    is_told = talk.scope == MAIN and not host.injects.intersection(MEMORY_FILES)
    return {
        IDENTITY: identity,
        OPERATOR: operator_slot(assembly, host.injects),
        CORRECTIONS: corrections,
        RECENT: recent_slot(assembly),
        RECALL: SlotText(RECALL),
        CRM: SlotText(CRM),
        LONGTERM: longterm_slot(assembly, said if is_whole else ()) if is_told else SlotText(LONGTERM),
        EXTERNAL: external_slot(filling.outside, talk.query),
    }


def _fit_characters(fitting: dict[Slot, SlotText], most: int) -> None:
    """Leave out of each part what a host would not take of it, from the lowest slot on."""
    for is_stable in (True, False):
        left = most
        for slot in (slot for slot in SLOTS if slot.is_stable is is_stable):
            fitting[slot] = fit(fitting[slot], len, max(0, left))
            left -= len(fitting[slot].text)
