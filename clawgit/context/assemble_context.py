"""The context of a conversation: eight slots within their budgets, the stable part first.

`assemble_context(history, WantedContext(query=…, session=…, host=…), now)` is all that a caller needs. It writes
nothing, and returns Markdown for the system prompt (``stable``) and for the newest message (``recalled``); whoever
injects it puts each into `<clawgit_context>` … `</clawgit_context>`, which capture takes out of what comes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.context.assembly import Assembly
from clawgit.context.audience import GROUP
from clawgit.context.conversation import talk_about
from clawgit.context.external_sources import Outside
from clawgit.context.fill_slots import Filling, fill_slots
from clawgit.context.recall_slot import Finder
from clawgit.context.soul_news import soul_news
from clawgit.context.token_counter import token_counter
from clawgit.context.untrue_statements import UntrueStatements
from clawgit.context.wanted_context import RECALLED, STABLE, Context, WantedContext
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.entries.tiers import CONFLICTS, USER_FILE
from clawgit.understanding.forms.user_words import operator_names

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clawgit.context.external_sources import RunProgram
    from clawgit.context.token_counter import TokenCounter
    from clawgit.context.wanted_context import FilledSlot
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.recall.vector_search import Vectors


class _Asked(NamedTuple):
    """Of which state of a workspace, at which time, and what may be asked for it."""

    history: History
    now: datetime
    commit_id: str
    tree: Tree
    vectors: Vectors | None
    run: RunProgram | None = None
    is_past: bool = False


def assemble_context(
    history: History,
    wanted: WantedContext,
    now: datetime,
    *,
    vectors: Vectors | None = None,
    run: RunProgram | None = None,
) -> Context:
    """Return the context of a conversation as it is now.

    ``run`` runs a trusted program of the settings (`crm_context_source`) with a text on its input, within a time. The
    same tree, query and day give the same bytes. What cannot be read is left out and said in the notes.

    Raises:
        ClawgitError: The repository itself cannot be read.
    """
    tip = history.tip()
    return _assembled(_Asked(history, now, tip.commit_id or "", tip.tree, vectors, run), wanted)


def assemble_earlier(
    history: History,
    wanted: WantedContext,
    moment: datetime,
    commit_id: str,
    *,
    vectors: Vectors | None = None,
) -> Context:
    """Return the context as it would have been at ``moment``, when the workspace was at a commit.

    Raises:
        ClawgitError: The repository itself cannot be read.
    """
    tree = history.tree_of(commit_id)
    return _assembled(_Asked(history, moment, commit_id, tree, vectors, is_past=True), wanted)


def _assembled(asked: _Asked, wanted: WantedContext) -> Context:
    history, now, commit_id, tree, vectors, run, is_past = asked
    counter = token_counter(history.settings)
    talk = talk_about(history, wanted, now)
    with open_trusts(history) as trusts:
        corrections = trusts.corrections(tree)
        names = operator_names(tree.read(USER_FILE) or b"")
        untrue = UntrueStatements(corrections, trusts.known_conflicts(tree.read(CONFLICTS) or b""), names)
        assembly = Assembly(history, tree, now.date(), counter, trusts, corrections, untrue)
        finder = Finder(assembly, now, is_past=is_past, vectors=vectors)
        opening = _opening(asked, counter, talk.scope)
        outside = Outside(history, run, is_past=is_past)
        slots = fill_slots(Filling(assembly, wanted, talk, finder, outside, opening))
    notes = (*((counter.note,) if counter.note else ()), *talk.notes)
    parts = _parts(slots, opening, wanted.part)
    tokens = counter.count("".join(parts))
    made_from = talk.query, tree.tree_id or "", commit_id, counter.name
    return Context(*parts, tokens, tuple(slots), now.date(), *made_from, notes, opening=opening)


def _opening(asked: _Asked, counter: TokenCounter, scope: str) -> str:
    """Return the day, and what changed about the agent lately, as far as the budget holds that."""
    room = counter.usable(asked.history.settings.context_budget_tokens)
    day = f"Today is {asked.now:%A}, {asked.now:%Y-%m-%d}.\n\n"
    has_news = not asked.is_past and scope != GROUP
    news = soul_news(asked.history, asked.commit_id, asked.now) if has_news else ""
    lines = (f"{day}{news}\n\n" if news else day, day, "")
    return next(each for each in lines if counter.count(each) <= max(0, room))


def _parts(slots: Iterable[FilledSlot], opening: str, part: str) -> tuple[str, str]:
    """Return the stable part and the conversation's, as far as they are wanted."""
    texts = {True: "", False: opening}
    for each in slots:
        texts[each.filled.slot.is_stable] += each.filled.text
    return "" if part == RECALLED else texts[True], "" if part == STABLE else texts[False]
