"""The input of a guard (one step of the workspace), its findings, and the table of answers by rule and actor."""

from __future__ import annotations

from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import HOST, OPERATOR, RUNNER, UNKNOWN
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.trees import Tree
    from clawgit.history.transaction.working_tree import Draft
    from clawgit.plan import Plan
    from clawgit.workspace.settings.settings import Settings

CUT_SHORT = "cut-short"  # a loss that the operator is asked about
UNDO_OF_THIS = "`clawgit undo` of this change"  # in a way back, until the commit has an id
THIS_COMMIT = "COMMIT"
_SAFE = 6  # fields: the place can hold a secret


class Severity(Enum):
    """The answer to a finding. All but PASS and REMARK stop a plan and a `git commit` whole."""

    REFUSE = "refuse"  # nothing of the change is written
    PROPOSE = "propose"  # it waits for the operator as a proposal
    HOLD = "hold"  # of kept edits, this file stays uncommitted, the others go on
    MEND = "mend"  # a kept edit is repaired by a second change
    REMARK = "remark"  # it is done, and reported
    PASS = "pass"

    @property
    def stops(self) -> bool:
        """Say whether a change that cannot be made in part ends here."""
        return self not in (Severity.REMARK, Severity.PASS)


_R, _P, _H, _M, _S, _OK = Severity


class GuardRule(NamedTuple):
    """One line of the table: what the rule finds, its answer to each actor, and whether the operator may override it."""

    says: str
    agent: Severity
    host: Severity
    unknown: Severity
    operator: Severity
    can_override: bool = False


# A finding's rule, what it is about             agent host unknown operator, may the operator override it?
RULES = {
    "secret": GuardRule(
        "a key, token or password in text, name or message", _R, _H, _H, _R, can_override=True
    ),
    "conflict-marker": GuardRule("the markers of an unfinished merge", _R, _H, _H, _R, can_override=True),
    "file-size": GuardRule("a file over max_file_bytes", _R, _H, _H, _R),
    "unsafe-path": GuardRule("a link, a nested repository, git's own names", _R, _H, _H, _R),
    "control-character": GuardRule(
        "a character that commands a terminal, is not seen or turns text around", _R, _S, _S, _S
    ),
    "derived-file": GuardRule("a file that is rendered from history", _R, _S, _S, _S),
    "soul-policy": GuardRule("more than soul_policy lets through", _P, _P, _H, _OK),
    "memory-policy": GuardRule("more than memory_policy lets through", _P, _P, _P, _OK),
    "soul-rewrite": GuardRule(
        "a large part of the soul, or a correction's principle, by an agent", _R, _P, _H, _OK
    ),
    "soul-locked": GuardRule("any edit of a locked soul", _R, _R, _H, _R, can_override=True),
    "soul-budget": GuardRule("a soul that grows over soul_max_tokens", _R, _P, _H, _S),
    "agent-prompt": GuardRule("the prompt of one of clawgit's agents", _R, _H, _H, _OK),
    "correction": GuardRule("a correction that would be lost or altered", _R, _M, _M, _M, can_override=True),
    "corrected-entry": GuardRule("a corrected entry, lost or with its old words", _R, _M, _M, _S),
    "forged-correction": GuardRule("a correction that is not the operator's", _R, _M, _H, _OK),
    "loss": GuardRule("text that would be lost without a word", _R, _S, _S, _S),
    CUT_SHORT: GuardRule("such a loss, of which the operator is asked", _R, _S, _S, _S),
    "authority": GuardRule("an approval, or trust, that is not one's to give", _R, _R, _R, _OK),
    "settings": GuardRule("a value in CONFIG.md that cannot be read", _R, _S, _S, _S),
    "settings-waiting": GuardRule("a value that needs the operator's trust", _S, _S, _S, _S),
}


def severity_of(rule: str, actor: str) -> Severity:
    """Return the table's answer; any actor other than operator, host, unknown and runner is an agent."""
    row = RULES[rule]
    answers = {OPERATOR: row.operator, HOST: row.host, UNKNOWN: row.unknown, RUNNER: row.unknown}
    return answers.get(actor, row.agent)


class Finding(NamedTuple):
    """One objection, safe to show: the rule, the place, a sentence that is true of a change before and after it is made, and the way out.

    ``way_back`` is the way out of a change that was made all the same; ``place`` is the real path if that has a secret.
    """

    rule: str
    path: str
    sentence: str
    way_out: str
    line: int | None = None
    severity: Severity = Severity.REFUSE
    place: str = ""
    way_back: str = ""

    @property
    def where(self) -> str:
        """Return the real path, for programs; must not be shown."""
        return self.place or self.path

    def __repr__(self) -> str:
        return f"Finding{self[:_SAFE]}"

    def happened(self, commit_id: str = "", *, is_merge: bool = False) -> Finding:
        """Return the finding in a change that was made, with its commit if known; `undo` takes back no merge."""
        way_out = self.way_back or self.way_out
        if is_merge and UNDO_OF_THIS in way_out:
            way_out = f"{way_out.partition(UNDO_OF_THIS)[0].rstrip(' ;:')}."
        elif commit_id:
            way_out = way_out.replace(UNDO_OF_THIS, f"`clawgit undo {commit_id[:12]}`")
            way_out = way_out.replace(THIS_COMMIT, commit_id[:12])
        return self._replace(way_out=way_out)


def told(path: str) -> str:
    """Return a path for a sentence: without hidden or control characters and secrets."""
    return shown(redact_path(path))


MOST_KEPT_BYTES = 32 << 20


class State:
    """A state of which each path is read once for all guards; of a very large change, bytes are read each time."""

    def __init__(self, state: Tree | Draft) -> None:
        self._state = state
        self._data: dict[str, bytes | None] = {}
        self._room = MOST_KEPT_BYTES

    def entry(self, path: str) -> TreeEntry | None:
        """Return the entry of a file; None for a folder in its place."""
        entry = self._state.entry(path)
        if entry is not None and entry.is_folder:
            return None
        return entry

    def read(self, path: str) -> bytes | None:
        if path in self._data:
            return self._data[path]
        data = self._state.read(path)
        size = len(data or b"")
        if size <= self._room:
            self._room -= size
            self._data[path] = data
        return data


class GuardStep:
    """The step from ``base`` to ``new`` by ``intent``, with ``plan`` if known; ``tree`` lists the files of ``base``.

    With ``only``, as if only these paths had changed.
    """

    def __init__(
        self,
        base: Tree,
        new: Tree | Draft,
        intent: Intent,
        settings: Settings,
        plan: Plan | None = None,
        only: Collection[str] | None = None,
    ) -> None:
        self.tree = base
        self.base = State(base)
        self.new = State(new)
        self.intent, self.settings, self.plan = intent, settings, plan
        self._new, self._only = new, only

    @cached_property
    def changed(self) -> tuple[str, ...]:
        changed = self._new.changed(self.tree)
        return tuple(path for path in changed if self._only is None or path in self._only)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Return the changed paths that guards read: one that is too large is refused anyway."""
        return tuple(path for path in self.changed if not self.is_oversize(path))

    def is_oversize(self, path: str) -> bool:
        """Say whether a file is over the limit; one that shrinks is allowed at any size."""
        data = self.new.read(path)
        size = 0 if data is None else len(data)
        return size > self.settings.max_file_bytes and size >= len(self.base.read(path) or b"")

    @cached_property
    def added(self) -> tuple[str, ...]:
        return tuple(path for path in self.paths if self.base.entry(path) is None)

    @cached_property
    def shortened(self) -> tuple[str, ...]:
        """Return the notes that may lose something: neither a new file, nor one that only grew at its end."""
        paths = []
        for path in self.paths:
            if not path.endswith(".md"):
                continue
            old = self.base.read(path) or b""
            only_grows = old.endswith(b"\n") and (self.new.read(path) or b"").startswith(old)
            if self.base.entry(path) is not None and not only_grows:
                paths.append(path)
        return tuple(paths)

    def others(self) -> Iterator[str]:
        """Yield the unchanged Markdown files."""
        changed = set(self.changed)
        return (path for path, _ in self.tree.files() if path.endswith(".md") and path not in changed)

    def texts(self) -> Iterator[tuple[str, str, str]]:
        for path in self.paths:
            data = self.new.read(path) if path.endswith(".md") else None
            if data is not None:
                yield path, decoded(self.base.read(path) or b""), decoded(data)


def decoded(data: bytes) -> str:
    """Return a file's text; bytes that are not UTF-8 become U+FFFD."""
    return data.decode("utf-8", "replace")
