"""What a guard returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from clawgit.history.guards.severity import Severity
from clawgit.text.control import shown
from clawgit.text.secrets import redact_path


@dataclass(frozen=True, slots=True)
class Finding:
    """One objection: which rule, where, in a sentence, and the way out. It can be shown to everybody.

    ``place`` is the path as it really is, where a secret in it keeps ``path`` from saying so.
    """

    rule: str
    path: str
    sentence: str
    way_out: str
    line: int | None = None
    severity: Severity = Severity.REFUSE
    place: str = field(default="", repr=False, compare=False)

    @property
    def where(self) -> str:
        """Return the path of the file, for programs; never to be shown."""
        return self.place or self.path


def told(path: str) -> str:
    """Return a path as a sentence may have it: nothing in it hides, commands or is a secret."""
    return shown(redact_path(path))
