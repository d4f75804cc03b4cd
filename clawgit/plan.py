"""What any worker proposes: edits with their evidence. A plan writes nothing."""

from __future__ import annotations

from typing import NamedTuple

MESSAGE = "chat:"  # what evidence says before the id of a message


class Edit(NamedTuple):
    """One file as it should read; ``data`` is None where the file should go.

    ``executable`` None leaves that as it is.
    """

    path: str
    data: bytes | None
    executable: bool | None = None


class Evidence(NamedTuple):
    """What a change rests on: an id of a message, commit or file line, and a short quote."""

    evidence_id: str
    quote: str = ""


class Plan(NamedTuple):
    """Edits that belong together: they become one change or none.

    ``verbatim`` texts were there before, so their new lines are not stamped with ids. ``trust`` is what it rests on, where
    that is less than its maker's.
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
        """Return the paths that the plan touches, in its order."""
        return tuple(edit.path for edit in self.edits)

    @property
    def cites_message(self) -> bool:
        return any(item.evidence_id.startswith(MESSAGE) for item in self.evidence)
