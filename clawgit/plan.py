"""A plan: edits with their evidence, proposed by an agent or a command. It writes nothing."""

from __future__ import annotations

from typing import NamedTuple

MESSAGE = "chat:"  # what evidence says before the id of a message
FORGET = "forget"  # begins the summary of a plan that takes out what the operator wants forgotten
MAX_QUOTE = 200  # characters that a commit keeps of a quote


class Edit(NamedTuple):
    """One file with its new content; ``data`` None removes it.

    ``executable`` None leaves that as it is.
    """

    path: str
    data: bytes | None
    executable: bool | None = None


class Evidence(NamedTuple):
    """The base of a change: the id of a message, a commit or a file line, and a short quote."""

    evidence_id: str
    quote: str = ""


class Plan(NamedTuple):
    """Edits that belong together: they become one change or none.

    ``verbatim`` texts were there before, so their new lines get no ids. ``trust`` is that of the evidence, if it is
    lower than the maker's.
    """

    summary: str
    edits: tuple[Edit, ...] = ()
    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()
    verbatim: bool = False
    trust: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths of the edits, in their order."""
        return tuple(edit.path for edit in self.edits)

    @property
    def cites_message(self) -> bool:
        return any(item.evidence_id.startswith(MESSAGE) for item in self.evidence)
