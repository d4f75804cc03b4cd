"""`memory add`: one statement becomes one entry, in one change."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.entries import own_section
from clawgit.memory.entries.entries import Tag, entry_line, tag_of
from clawgit.memory.entries.statements import parted, sentences_of
from clawgit.memory.entries.tiers import (
    CORE,
    MEMORY_FILES,
    TOOLS,
    WAYS,
    WRITTEN_BY_OTHERS,
    Tier,
    is_derived,
    tier_of,
)
from clawgit.memory.trust import UNDERSTOOD
from clawgit.memory.undo.text_units import statements
from clawgit.plan import Edit, Evidence, Plan
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import folded, is_unseen
from clawgit.understanding.forms.user_words import is_beside

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.undo.text_units import Statement

_LEDGERS = ("CORRECTIONS.md", "CONFLICTS.md")
_OPERATORS = (*MEMORY_FILES, WAYS, TOOLS)
_ONLY_TAGS = lazy_pattern(r"(?:\s+#\S+)*")


class Filed(NamedTuple):
    """A statement's file and tag, the messages it rests on, and the day on which it was said (None: today)."""

    path: str = CORE
    tag: str | None = None
    evidence: tuple[Evidence, ...] = ()
    on: date | None = None


_IN_CORE = Filed()
_HIS = (OPERATOR, UNDERSTOOD)


class RememberOutcome(NamedTuple):
    """The result: the statement's file, line, id, and place (`MEMORY.md:3`)."""

    recorded: Recorded
    path: str
    line: str
    entry_id: str | None
    place: str = ""


def remember(history: History, statement: str, intent: Intent, filed: Filed = _IN_CORE) -> RememberOutcome:
    """Add ``statement`` to a file, unless an entry or a line of prose there says it already."""
    path = filed.path
    line = entry_line(statement, on=filed.on or intent.now.date(), tag=Tag(filed.tag) if filed.tag else None)

    def plan(tree: Tree) -> Plan:
        target = _place_in(tree, path, intent)
        old = tree.read(target) or b""
        if _statement_saying(history, old, target, line, intent.actor) is not None:
            return Plan("")
        if target in (WAYS, TOOLS):
            title = own_section.TOOLS_TITLE if target == WAYS and path == TOOLS else own_section.TITLE
            data = own_section.add_below(old, title, line)
        elif tier_of(target) is Tier.T2:
            data = own_section.append_remembered(old, line)
        else:
            data = own_section.add_remembered(old, line)
        return Plan(f"remember: {statement}", (Edit(target, data),), evidence=filed.evidence)

    recorded = apply_plan(history, plan, intent)
    # not the tip: the operator may have switched or begun a rebase since
    tree = history.tree_of(recorded.commit_id) if recorded.commit_id else history.tip().tree
    target = _place_in(tree, path, intent)
    there = _statement_saying(history, tree.read(target) or b"", target, line, intent.actor)
    if there is None:
        return RememberOutcome(recorded, target, line, None)
    return RememberOutcome(recorded, target, there.words, there.entry_id, f"{target}:{there.first + 1}")


def _place_in(tree: Tree, place: str, intent: Intent) -> str:
    """Return the file to write; refuses one that is not memory, or that this actor may not fill."""
    if place == CORE:
        place = own_section.core_file(tree.entry)
    if place == TOOLS and tree.entry(TOOLS) is None:
        place = WAYS  # hosts without TOOLS.md read about their tools there
    is_memory = tier_of(place) in (Tier.T1, Tier.T2) and not is_derived(place) and place not in _LEDGERS
    is_memory = is_memory and not place.startswith(WRITTEN_BY_OTHERS)
    if (not is_memory and place not in (WAYS, TOOLS)) or any(map(is_unseen, place)):
        raise ClawgitError(
            f"{place if place and place.isprintable() else repr(place)} is no file of memories.",
            hint=f"Name MEMORY.md, a .md file below memory/, or {WAYS} or {TOOLS} for a lesson.",
        )
    his = _HIS if place in MEMORY_FILES else (OPERATOR,)
    rests_on_his = intent.actor == OPERATOR or (intent.trust in his and intent.by_message)
    if place in _OPERATORS and not rests_on_his:
        sentence = f"{place} rests on the operator's words, so the {intent.actor} cannot write there."
        raise ClawgitError(sentence, hint="Leave out --to: clawgit then chooses a file that may hold it.")
    return place


def _statement_saying(history: History, data: bytes, path: str, line: str, actor: str) -> Statement | None:
    """Return the entry, or a line of prose (for the operator only of his own), with the same statement; for a dated event or statement only the identical line."""
    statement = _bare(line)
    if statement not in folded(data.decode("utf-8", "replace")).casefold():
        return None
    is_of_a_day = tag_of(line) is Tag.EVENT or is_beside(statement)
    with open_trusts(history) as trusts:
        for each in statements(data, path):
            sentences: Sequence[str] = (each.words,)
            if not each.is_item:
                sentences = sentences_of(each.words)
            for sentence in sentences:
                behind = _bare(sentence).removeprefix(statement)
                is_same = sentence == line or (not is_of_a_day and _ONLY_TAGS.fullmatch(behind))
                is_enough = each.is_item or actor != OPERATOR
                if is_same and (is_enough or trusts.of_lines(data, each.first + 1, each.last) in _HIS):
                    return each
    return None


def _bare(line: str) -> str:
    return parted(line).statement.rstrip(".").casefold()
