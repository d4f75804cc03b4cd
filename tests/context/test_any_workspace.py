"""For any memory and any budgets: the total holds, priorities hold, no entry is cut, the same input gives the same bytes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawgit.context.assemble_context import assemble_context
from clawgit.context.slots import ITEM, shares_of
from clawgit.context.wanted_context import WantedContext
from clawgit.memory.entries.entries import without_notes
from clawgit.text.words.tokens import count_pieces

FILES = ("SOUL.md", "IDENTITY.md", "AGENTS.md", "USER.md", "MEMORY.md", "memory/2026-03-19.md", "memory/2026-03-18.md", "memory/old.md")  # fmt: skip
NAMES = (
    "identity_tokens", "user_profile_tokens", "corrections_tokens", "recent_memory_tokens",
    "semantic_recall_tokens", "crm_tokens", "longterm_memory_tokens", "external_context_budget",
)  # fmt: skip
LINES = st.sampled_from(
    [
        "# Title",
        "## Work",
        "- We deploy on Fridays at noon.",
        "- 我们每周五部署。 <!-- m:aaaaaa -->",
        "A sentence. And another!",
        "```",
        "| a | b |",
        "",
        "  - nested",
        "> quoted",
        "배포는 금요일입니다.",
        "<!-- was: x -->",
    ]
)
TEXTS = st.lists(LINES, max_size=40).map("\n".join)
MEMORY = st.fixed_dictionaries(dict.fromkeys(FILES, TEXTS))
BUDGETS = st.fixed_dictionaries(dict.fromkeys(NAMES, st.integers(0, 400)))


@pytest.mark.rest
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MEMORY, BUDGETS, st.integers(0, 1500), st.sampled_from(["", "deploy on Fridays", "部署"]))
def test_a_context_of_any_memory_holds_what_is_promised(room, memory, budgets, total, query: str) -> None:
    """Mutants: leave the titles out of what is counted; cut an item; let recall take from long-term memory."""
    room.change(dict(memory), actor="operator")
    history = room.history
    history.settings = history.settings._replace(context_budget_tokens=total, **budgets)
    wanted = WantedContext(query)

    made = assemble_context(history, wanted, room.now)

    assert count_pieces(made.text) == made.tokens <= total
    assert assemble_context(history, wanted, room.now).text == made.text
    assert assemble_context(history, WantedContext("other words"), room.now).stable == made.stable
    for slot in made.slots:
        lines = (line for text in memory.values() for line in text.encode().splitlines())
        whole = {without_notes(line).decode().strip() for line in lines}
        items = [each.shown for each in slot.filled.passages if each.kind == ITEM and not each.note]
        assert all(line.strip() in whole for each in items for line in each.split("\n"))
    own = {slot: budget for slot, budget, _ in shares_of(history.settings)}
    assert not any(each.used for each in made.slots if not own[each.filled.slot])
    cut = [each for each in made.slots if each.used < each.wanted and not each.filled.slot.is_bounded]
    for high in cut[:1]:  # nothing below has more than its own, and what others left over
        below = made.slots[made.slots.index(high) + 1 :]
        spare = sum(max(0, own[each.filled.slot] - each.used) for each in made.slots)
        assert all(each.used <= own[each.filled.slot] + spare for each in below)
