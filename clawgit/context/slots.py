"""The eight slots of a context, in the order of their priority, and what each of them may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clawgit.workspace.settings.settings import Settings


class Slot(NamedTuple):
    """One part of a context.

    ``title`` is above it (without one, each of its files has its own title). A stable one is the same whatever the
    conversation is about. A bounded one is asked about the conversation, and so for no more than its own budget.
    """

    name: str
    title: str = ""
    is_stable: bool = False
    is_bounded: bool = False
    names_files: bool = True


IDENTITY = Slot("identity", is_stable=True)
OPERATOR = Slot("operator", is_stable=True)
CORRECTIONS = Slot("corrections", "Corrections by your operator", is_stable=True, names_files=False)
RECENT = Slot("recent", "Notes of the last days")
RECALL = Slot("recall", "Memory about this conversation", is_bounded=True)
CRM = Slot("crm", "People and places in this conversation", is_bounded=True)
LONGTERM = Slot("longterm", is_stable=True)
EXTERNAL = Slot("external", "From another system")

SLOTS = (IDENTITY, OPERATOR, CORRECTIONS, RECENT, RECALL, CRM, LONGTERM, EXTERNAL)


def budgets_of(settings: Settings) -> tuple[int, ...]:
    """Return what each slot may cost by the settings, by priority."""
    return (
        settings.identity_tokens,
        settings.user_profile_tokens,
        settings.corrections_tokens,
        settings.recent_memory_tokens,
        settings.semantic_recall_tokens,
        settings.crm_tokens,
        settings.longterm_memory_tokens,
        settings.external_context_budget,
    )
