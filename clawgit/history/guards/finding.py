"""What a guard returns."""

from __future__ import annotations

from typing import NamedTuple

from clawgit.history.guards.severity import Severity
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact_path

_COMPARED = 6  # what is said once: not the real place, nor the words for a change that was made


class Finding(NamedTuple):
    """One objection: which rule, where, in a sentence, and the way out. It can be shown to everybody.

    ``done`` and ``way_back`` say the same of a change that was made all the same, where that reads otherwise.
    ``place`` is the path as it really is, where a secret in it keeps ``path`` from saying so.
    """

    rule: str
    path: str
    sentence: str
    way_out: str
    line: int | None = None
    severity: Severity = Severity.REFUSE
    place: str = ""
    done: str = ""
    way_back: str = ""

    @property
    def where(self) -> str:
        """Return the path of the file, for programs; never to be shown."""
        return self.place or self.path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self[:_COMPARED] == other[:_COMPARED]

    def __hash__(self) -> int:
        return hash(self[:_COMPARED])

    def __repr__(self) -> str:
        return f"Finding{self[:_COMPARED]}"  # the place can hold a secret

    def happened(self) -> Finding:
        """Return it as it is told of a change that was made."""
        return self._replace(sentence=self.done or self.sentence, way_out=self.way_back or self.way_out)


def told(path: str) -> str:
    """Return a path as a sentence may have it: nothing in it hides, commands or is a secret."""
    return shown(redact_path(path))
