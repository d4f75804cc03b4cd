"""The context of a conversation: eight slots within their budgets, the stable part first.

Callers use only `assemble_context(history, WantedContext(query=…, session=…, host=…), now)`. It writes
nothing, and returns Markdown for the system prompt (``stable``) and for the newest message (``recalled``).
The caller wraps each in `<clawgit_context>` … `</clawgit_context>`, which capture removes from what comes
back.

Two slots depend on the conversation. They get no more than their own budgets, and leftovers go to each other
and to the latest notes: so the stable part is the same for every conversation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.capture.messages.message import MessageQuery
from clawgit.capture.messages.open_messages import ask_briefly, has_messages
from clawgit.context.assembly import VERSION, Assembly, open_assembly
from clawgit.context.external_sources import crm_slot, external_slot
from clawgit.context.file_slots import corrections_slot, identity_slot, operator_slot, recent_slot
from clawgit.context.longterm_slot import longterm_slot
from clawgit.context.recall_slot import is_unknown, lines_found, recall_slot, told_once
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
    SlotText,
    fit,
    shares_of,
)
from clawgit.context.wanted_context import (
    DIGEST,
    GROUP,
    HOSTS,
    MAIN,
    RECALLED,
    STABLE,
    Context,
    FilledSlot,
    Host,
    Talk,
    WantedContext,
    scope_of,
)
from clawgit.errors import ClawgitError
from clawgit.memory.entries.statements import without_order
from clawgit.memory.entries.tiers import MEMORY_FILES
from clawgit.recall.search_results import Hits
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.evidence.orders_to_forget import is_unwanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.context.assembly import TokenCounter
    from clawgit.context.external_sources import RunProgram
    from clawgit.context.slots import Slot
    from clawgit.history.git.repository import History
    from clawgit.recall.vector_search import Vectors
    from clawgit.workspace.settings.settings import Settings

LAST_MESSAGES = 6
MOST_CHARACTERS = 2000  # of the search query
_EACH = 600
DIGEST_TOKENS = 300
MOST_TOKENS = 1_000_000  # of a slot: a setting's maximum
HIT_TOKENS = {STABLE: 0, DIGEST: DIGEST_TOKENS}  # maximum in each part
_SHARING = (RECALL, RECENT, CRM)  # answers to the query before the notes of the last days
ASK = (
    "Questions of memory for your operator: show him these lines word for word, with no other list or question. "
    'His next message answers them, such as "1 yes 2 no"; nothing else does.'
)
UNKNOWN = (
    "Memory holds nothing about this message beyond what this prompt already has, as far as a search "
    "by its words finds: try others before you say so.\n\n"
)


def assemble_context(
    history: History,
    request: WantedContext,
    now: datetime,
    *,
    commit_id: str = "",
    vectors: Vectors | None = None,
    run: RunProgram | None = None,
) -> Context:
    """Return the context of a conversation as it is ``now``, or as it was then, with the workspace at a commit.

    ``run`` runs a trusted program of the settings (`crm_context_source`) with a text as its input, within a
    time limit. The same tree, query and day give the same bytes. Unreadable sources are left out and named in
    the notes.

    Raises:
        ClawgitError: The repository itself cannot be read.
    """
    tip = history.tip()
    tree = tip.tree
    if commit_id:
        tree = history.tree_of(commit_id)
    with open_assembly(history, tree, now) as opened:
        assembly = opened._replace(vectors=vectors, run=run, is_past=bool(commit_id))
        return _assembled(assembly, request, commit_id or tip.commit_id or "")


def _assembled(assembly: Assembly, request: WantedContext, commit_id: str) -> Context:
    counter = assembly.counter
    talk = talk_about(assembly.history, request, assembly.now)
    if assembly.is_past:
        talk = talk._replace(session="")  # it has no messages yet
    opening = _opening(assembly)
    slots, asking = _fill_slots(assembly, request, talk, opening, _questions_text(assembly, request, talk))
    opening += asking
    questions = tuple(question for question, _ in request.questions if asking.startswith(ASK))
    stable, recalled = "", opening
    for each in slots:
        if each.filled.slot.is_stable:
            stable += each.filled.text
        else:
            recalled += each.filled.text
    if request.part == RECALLED:
        stable = ""
    if request.part == DIGEST:
        recalled = recalled.removeprefix(opening)
        opening = ""
    if request.part == STABLE:
        opening = recalled = ""
    return Context(
        stable,
        recalled,
        counter.count(stable + recalled),
        tuple(slots),
        assembly.on,
        talk.query,
        assembly.tree.tree_id or "",
        commit_id,
        VERSION,
        talk.notes,
        opening=opening,
        opening_tokens=counter.count(opening),
        asked=questions,
    )


def _opening(assembly: Assembly) -> str:
    counter, now = assembly.counter, assembly.now
    day = f"Today is {now:%A}, {now:%Y-%m-%d}.\n\n"
    if counter.count(day) > counter.usable(assembly.history.settings.context_budget_tokens):
        return ""
    return day


def talk_about(history: History, request: WantedContext, now: datetime) -> Talk:
    scope = request.scope or scope_of(request.session)
    if is_unwanted(request.query):
        return Talk("", scope)
    if request.query.strip():
        return Talk(_end_of(without_order(request.query)), scope, request.session)
    if not request.session:
        return Talk("", scope)
    words, why = _last_words(history, request.session, now)
    notes = (f"The conversation is not known: {why}.",) if why else ()
    return Talk(words, scope, request.session, notes, is_asked=False)


def _last_words(history: History, session: str, now: datetime) -> tuple[str, str]:
    if not has_messages(history):
        return "", "no messages are kept"
    latest = MessageQuery(session=session, limit=LAST_MESSAGES)
    try:
        messages = ask_briefly(history, now, lambda store: store.log(latest))
    except ClawgitError as error:
        return "", error.message
    texts = [folded(each.text)[:_EACH] for each in messages if each.role in ("user", "assistant")]
    return _end_of("\n".join(texts)), "" if texts else "nothing is kept of this session"


def _end_of(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[-MOST_CHARACTERS:].partition(" ")[2] or text[-MOST_CHARACTERS:]


def _questions_text(assembly: Assembly, request: WantedContext, talk: Talk) -> str:
    is_for_him = talk.scope == MAIN and not assembly.is_past
    if not request.questions or request.part in (STABLE, DIGEST) or not is_for_him:
        return ""
    lines = "\n".join(line for _, line in request.questions)
    return f"{ASK}\n\n{lines}\n\n"


def _fill_slots(
    assembly: Assembly, request: WantedContext, talk: Talk, opening: str, asking: str
) -> tuple[list[FilledSlot], str]:
    """Return the slots, and the questions if the conversation's slots leave room for them."""
    settings = assembly.history.settings
    host = HOSTS.get(request.host, Host())
    counter = assembly.counter.within(host.most_characters, settings.context_budget_tokens)
    budgets = {slot: budget for slot, budget, _ in shares_of(settings)}
    usable = {slot: counter.usable(budget) for slot, budget in budgets.items()}
    whole, hits = _could_hold(assembly, request, talk, host)
    _leave_out(whole, budgets)
    needs = [usable[slot] if slot.is_bounded else counter.count(whole[slot].text) for slot in SLOTS]
    if not settings.crm_context_source:
        needs[SLOTS.index(CRM)] = 0
    total = counter.usable(settings.context_budget_tokens) - counter.count(opening)
    room = dict(zip(SLOTS, share_out(needs, total, [*_floors(total, settings).values()]), strict=True))
    if request.part == DIGEST:
        digest = counter.usable(DIGEST_TOKENS)  # the leftover of one goes to the other
        room |= {RECENT: digest - digest // 2, RECALL: digest // 2, CRM: 0, EXTERNAL: 0}
    fitting = {slot: fit(whole[slot], counter.count, room[slot]) for slot in SLOTS}
    whole[LONGTERM] = told_once(whole[LONGTERM], fitting[CORRECTIONS].passages)
    fitting[LONGTERM] = fit(whole[LONGTERM], counter.count, room[LONGTERM])
    if talk.scope != GROUP:
        passages = [passage for slot in SLOTS if slot is not RECENT for passage in fitting[slot].passages]
        whole[RECENT] = told_once(whole[RECENT], passages)
        fitting[RECENT] = fit(whole[RECENT], counter.count, room[RECENT])
        passages += fitting[RECENT].passages
        whole[RECALL] = recall_slot(assembly, talk, hits, passages)
        if request.part != DIGEST:
            whole[CRM] = crm_slot(assembly, talk.query)
        _leave_out(whole, budgets)
        if request.part not in (STABLE, DIGEST) and is_unknown(assembly, talk, whole[RECALL]):
            asking += UNKNOWN
    wants = [counter.count(whole[slot].text) for slot in _SHARING]
    rooms = list(map(room.__getitem__, _SHARING))
    left = sum(rooms)
    if request.part != DIGEST:
        left = total - _used_by_others(fitting, counter)  # what they leave over is included
    if counter.count(asking) > left:
        asking = ""
    left -= counter.count(asking)
    rooms = _by_priority(rooms, left)
    for slot, more in zip(_SHARING, share_out(wants, left, rooms), strict=True):
        fitting[slot] = fit(whole[slot], counter.count, more)
        left -= counter.count(fitting[slot].text)
    if host.most_characters:  # nothing stays free of what is so little
        fitting[LONGTERM] = fit(whole[LONGTERM], counter.count, left + counter.count(fitting[LONGTERM].text))
    slots = []
    for slot in SLOTS:
        texts = (whole[slot].text, fitting[slot].text)
        slots.append(FilledSlot(fitting[slot], budgets[slot], *map(assembly.counter.count, texts)))
    return slots, asking


def _used_by_others(fitting: Mapping[Slot, SlotText], counter: TokenCounter) -> int:
    return sum(counter.count(text.text) for slot, text in fitting.items() if slot not in _SHARING)


def _could_hold(
    assembly: Assembly, request: WantedContext, talk: Talk, host: Host
) -> tuple[dict[Slot, SlotText], Hits]:
    """Return what each slot could hold before the conversation's slots are filled, and the hits of a search for it."""
    hits = Hits()
    whole = {slot: SlotText(slot) for slot in SLOTS}
    if talk.scope == GROUP:
        whole[IDENTITY] = identity_slot(assembly, host.injects)
        whole[RECENT] = recent_slot(assembly, group=request.session)
    else:
        hits = lines_found(assembly, talk.query, HIT_TOKENS.get(request.part, MOST_TOKENS))
        whole[IDENTITY] = identity_slot(assembly, host.injects)
        whole[OPERATOR] = operator_slot(assembly, host.injects)
        about = () if request.part else hits.results  # a part requested alone stays the same
        whole[CORRECTIONS] = corrections_slot(assembly, about)
        whole[RECENT] = recent_slot(assembly)
        if talk.scope == MAIN and not host.injects.intersection(MEMORY_FILES):
            whole[LONGTERM] = longterm_slot(assembly, about)
        if request.part != DIGEST:
            whole[EXTERNAL] = external_slot(assembly, talk.query)
    return whole, hits


def _leave_out(whole: dict[Slot, SlotText], budgets: Mapping[Slot, int]) -> None:
    """Empty the slots without tokens in the settings."""
    for slot in SLOTS:
        if not budgets[slot]:
            whole[slot] = SlotText(slot)


def _floors(total: int, settings: Settings) -> dict[Slot, int]:
    floors = {}
    for slot, budget, percent in shares_of(settings):
        floors[slot] = max(0, total) * percent // 100 if budget > 0 else 0
    return floors


def share_out(needs: Sequence[int], total: int, floors: Sequence[int]) -> list[int]:
    """Return the share of each slot in ``total``: its floor, then by priority up to its need.

    A budget limits the slot's own request only; a floor is kept free from higher slots.
    """
    positive = [max(0, need) for need in needs]
    granted = _by_priority(map(min, positive, floors), total)
    missing = (need - share for need, share in zip(positive, granted, strict=True))
    more = _by_priority(missing, total - sum(granted))
    return [share + another for share, another in zip(granted, more, strict=True)]


def _by_priority(needs: Iterable[int], total: int) -> list[int]:
    left = max(0, total)
    granted: list[int] = []
    for need in needs:
        granted.append(min(need, left))
        left -= granted[-1]
    return granted
