"""The intent of a change: who wants it and why, given to the guards and written as trailers.

Also the first conversation, in which the host may write the soul freely, and the pause, in which no agent writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import HOST, trust_of
from clawgit.history.git.objects import DamagedObjectError
from clawgit.workspace.layout import AGENT_NAMES, BOOTSTRAP, IDENTITY
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree


INIT_OP = "init-"  # prefix of the ops that make or adopt a workspace
ADOPTION_OP = "keep-init-"
NOTES_OP = "keep-notes-"  # of notes and mails that were there before
FIRST_MOVES_OP = "first-rearrangement-"  # of the operator's yes to an agent's first moves
FORM_DAYS = 7
RITUAL_DAYS = 14  # after them a first conversation that nobody holds blocks memory no longer
_EVOLVE = "evolve"  # not from `SoulPolicy`: its module loads the comparison of texts


class Intent(NamedTuple):
    """One change's actor, reason and limits, chosen before the change is made."""

    op: str
    actor: str
    now: datetime
    run: str = ""
    slot: str = ""
    trust: str = ""
    losses: Mapping[str, str] | None = None  # path → why its text may go
    override: str = ""  # the rules that the operator overrides, and why: `secret, loss: reason`
    soul_is_open: bool = False  # the soul's edits were judged before, or the first conversation is open
    memory_is_open: bool = False  # memory's edits were judged before
    form_is_open: bool = False  # it ended without a name: the host may fill blank fields of IDENTITY.md
    given: bool = False  # the caller chose the op, so it may have been applied before
    corrected: frozenset[tuple[str, ...]] = frozenset()  # words of principles that came from a correction
    sign: Callable[[bytes], bytes] | None = None  # signs the commit, where the operator wants it signed
    unattended: str = ""  # the sign of the host in whose process the operator acts
    # A message of the operator's was looked at, and the host's change rests on it or asks about it.
    by_message: bool = False
    sides: tuple[Tree, ...] = ()  # of a merge, the parents other than the first

    @property
    def overridden(self) -> frozenset[str]:
        rules, _, why = self.override.partition(":")
        if why.strip():
            return frozenset(rule.strip() for rule in rules.split(","))
        return frozenset()

    def trailers(self) -> tuple[tuple[str, str], ...]:
        pairs = (
            ("Clawgit-Op", self.op),
            ("Clawgit-Actor", self.actor),
            ("Clawgit-Run", self.run),
            ("Clawgit-Slot", self.slot),
            ("Clawgit-Trust", self.trust or trust_of(self.actor)),
            ("Clawgit-Override", self.override),
            ("Clawgit-Unattended", self.unattended),
        )
        losses = tuple(("Clawgit-Loss", f"{path}: {why}") for path, why in (self.losses or {}).items())
        return (*(pair for pair in pairs if pair[1]), *losses)


def in_ritual(history: History, commit_id: str | None, intent: Intent) -> Intent:
    """Return the intent, open where the host writes during the first conversation or has to complete its form."""
    if intent.actor != HOST or history.settings.soul_policy != _EVOLVE:
        return intent
    if ritual_is_open(history, commit_id):
        return intent._replace(soul_is_open=True)
    return intent._replace(form_is_open=form_is_open(history, commit_id, intent.now.timestamp()))


def form_is_open(history: History, commit_id: str | None, now: float) -> bool:
    """Say whether the first conversation ended less than `FORM_DAYS` ago without a name in IDENTITY.md."""
    from clawgit.identity.soul_policy import name_in

    if commit_id is None or name_in(history.tree_of(commit_id).read(IDENTITY) or b""):
        return False
    since = now - FORM_DAYS * 86_400
    for commit in history.objects.first_parents(commit_id):
        if history.tree_of(commit.commit_id).entry(BOOTSTRAP) is not None:
            return ritual_is_open(history, commit.commit_id)
        if commit.committed_at < since:
            return False
    return False


def ritual_is_open(history: History, commit_id: str | None) -> bool:
    """Say whether BOOTSTRAP.md is in every commit since the workspace was made; adding it later does not count."""
    return ritual_began(history, commit_id) is not None


def ritual_began(history: History, commit_id: str | None) -> float | None:
    """Return when the workspace was made if the first conversation is open, else None."""
    for commit in history.objects.first_parents(commit_id):
        try:
            has_bootstrap = history.tree_of(commit.commit_id).entry(BOOTSTRAP) is not None
        except DamagedObjectError:
            return None
        if not has_bootstrap:
            return None
        if (commit.trailers.first("Clawgit-Op") or "").startswith((INIT_OP, ADOPTION_OP)):
            return commit.committed_at
    return None


def began_at(history: History) -> float:
    """Return when the workspace was made, 0 if no commit says it."""
    for commit in history.objects.first_parents(history.tip().commit_id):
        if (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP):
            return commit.made_at
    return 0


def pause(history: History, reason: str, now: datetime) -> None:
    with history.locked():
        write_private(history.state / "paused", f"{now.isoformat(timespec='seconds')} {reason}\n")


def resume(history: History) -> None:
    """Let the jobs write again."""
    with history.locked():
        (history.state / "paused").unlink(missing_ok=True)


def paused_since(history: History) -> str | None:
    try:
        return (history.state / "paused").read_text("utf-8", "replace").strip()
    except FileNotFoundError:
        return None


def refuse_paused(history: History, actor: str) -> None:
    since = paused_since(history) if actor in AGENT_NAMES else None
    if since is not None:
        hint = "`clawgit resume` lets them write again."
        raise ClawgitError(f"The jobs are paused ({since}).", hint=hint)
