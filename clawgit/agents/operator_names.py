"""Under which names the operator writes and signs, and how the agent is called: a letter that bears none is another's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.identity.identity_names import names_told
from clawgit.text.comparing.similarity import words
from clawgit.understanding.facts.first_person import USER

if TYPE_CHECKING:
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History

_WHO_IS_WHO = ("USER.md", "IDENTITY.md")


@dataclass(frozen=True, slots=True)
class Names:
    """The operator's names as a sender, and as USER.md tells them; ``agents`` are in his letters, too. In small letters."""

    senders: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    agents: frozenset[str] = frozenset()

    @property
    def his(self) -> frozenset[str]:
        """Return the names by which memory may call him."""
        return self.senders | self.told

    def in_letters_of(self, who: str) -> frozenset[str]:
        """Return the names of which one tells that a letter is its sender's own."""
        return self.his | self.agents if who == USER else frozenset(words(who))


def names_of(history: History, store: MessageStore) -> Names:
    """Return the names under which the operator writes, and those that the workspace tells of him and the agent."""
    named = (each.rpartition(":")[2].casefold() for each in history.settings.operator_ids)
    tree = history.tip().tree
    texts = ((tree.read(path) or b"").decode("utf-8", "replace") for path in _WHO_IS_WHO)
    told, agents = map(names_told, texts)
    return Names(store.operators().union(named), told, agents)
