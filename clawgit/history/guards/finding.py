"""What a guard returns, and what becomes of it: one table, by rule and by who makes the change."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from clawgit.history.authorship.actors import HOST, OPERATOR, RUNNER, UNKNOWN
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact_path

_COMPARED = 6  # what is said once: not the real place, nor the words for a change that was made


class Severity(Enum):
    """How a finding is answered. Whatever is not PASS or REMARK stops a plan and a `git commit` whole."""

    REFUSE = "refuse"  # nothing of the change is written
    PROPOSE = "propose"  # it waits for the operator as a proposal
    HOLD = "hold"  # when edits are kept, this file stays uncommitted and the others go on
    MEND = "mend"  # when edits are kept, it is kept, and repaired by a second change
    REMARK = "remark"  # it is done, and said
    PASS = "pass"  # it is fine

    @property
    def stops(self) -> bool:
        """Say whether a change that cannot be made in part ends here."""
        return self not in (Severity.REMARK, Severity.PASS)


_R, _P, _H, _M, _S, _OK = Severity


class Rule(NamedTuple):
    """One line of the table: what the rule finds, its answer to each, and whether the operator may override it."""

    says: str
    agent: Severity
    host: Severity
    unknown: Severity
    operator: Severity
    can_override: bool = False


# A finding's rule, what it is about             agent host unknown operator, may the operator override it?
RULES = {
    "secret": Rule("a key, token or password in text, name or message", _R, _H, _H, _R, can_override=True),
    "secret-allowed": Rule("one that a `clawgit: allow` or a setting lets in", _OK, _OK, _OK, _S),
    "conflict-marker": Rule("the markers of an unfinished merge", _R, _H, _H, _R, can_override=True),
    "file-size": Rule("a file over max_file_bytes", _R, _H, _H, _R),
    "commit-size": Rule("a change over max_commit_bytes", _R, _S, _S, _R),
    "unsafe-path": Rule("a link, a nested repository, git's own names", _R, _H, _H, _R),
    "awkward-path": Rule("a name that another system cannot have, or has twice", _R, _S, _S, _S),
    "control-character": Rule("a character that commands a terminal", _R, _S, _S, _S),
    "hidden-character": Rule("one that is not seen, or turns text around", _R, _S, _S, _S),
    "derived-file": Rule("a file that is rendered from history", _R, _S, _S, _S),
    "soul-policy": Rule("more than soul_policy lets through", _P, _P, _H, _OK),
    "memory-policy": Rule("more than memory_policy lets through", _P, _P, _P, _OK),
    "soul-rewrite": Rule(
        "a large part of the soul, or a correction's principle, by an agent", _R, _P, _H, _OK
    ),
    "soul-locked": Rule("any edit of a locked soul", _R, _R, _H, _R, can_override=True),
    "soul-budget": Rule("a soul that grows over soul_max_tokens", _R, _P, _H, _S),
    "agent-prompt": Rule("the prompt of one of clawgit's agents", _R, _H, _H, _OK),
    "correction": Rule("a correction that would be lost or altered", _R, _M, _M, _M, can_override=True),
    "corrected-entry": Rule("an entry that a correction is about, lost", _R, _M, _M, _S),
    "forged-correction": Rule("a correction that is not the operator's", _R, _M, _H, _OK),
    "set-back": Rule("an entry that no longer says what its correction says", _OK, _S, _S, _OK),
    "loss": Rule("text that would be lost without a word", _R, _S, _S, _S),
    "authority": Rule("an approval, or trust, that is not one's to give", _R, _R, _R, _OK),
    "settings": Rule("a value in CONFIG.md that cannot be read", _R, _S, _S, _S),
    "settings-waiting": Rule("a value that needs the operator's trust", _S, _S, _S, _S),
}


def severity_of(rule: str, actor: str) -> Severity:
    """Return the table's answer to ``actor``; every actor that is not one of four is an agent."""
    row = RULES[rule]
    return {OPERATOR: row.operator, HOST: row.host, UNKNOWN: row.unknown, RUNNER: row.unknown}.get(
        actor, row.agent
    )


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
