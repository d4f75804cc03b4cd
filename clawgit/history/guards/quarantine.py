"""Changes kept for the operator, each a commit with a reference, in no branch; quarantine: the refused ones.

A plan or edit with a secret or over the size limit is not kept: the record of its run says what was found, and the next run tries again.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import UNKNOWN, author_of
from clawgit.history.authorship.commit_messages import message_of, new_op
from clawgit.history.git.refs import QUARANTINE, delete_ref, set_ref
from clawgit.memory.entries.tiers import holds_entries
from clawgit.plan import MESSAGE
from clawgit.text.safety.secrets import find_secrets
from clawgit.workspace.safe_files import data_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History, Tip
    from clawgit.history.guards.finding import Finding
    from clawgit.history.transaction.working_tree import Draft
    from clawgit.plan import Plan

REFUSED, PROPOSED = "quarantine: ", "proposal: "
_FOUND = "! "
_NEVER_STORED = frozenset({"secret", "file-size", "unsafe-path"})


class Parked(NamedTuple):
    """A proposal or a refused change."""

    parked_id: str
    commit: Commit
    actor: str
    at: datetime
    summary: str
    findings: tuple[str, ...]
    paths: tuple[str, ...]

    @property
    def commit_id(self) -> str:
        return self.commit.commit_id

    @property
    def rules(self) -> list[str]:
        return list(map(itemgetter(0), map(str.split, self.findings)))

    @property
    def is_of_memory(self) -> bool:
        """Say whether it waits because of `memory_policy`."""
        return any(map(holds_entries, self.paths))


def can_be_stored(draft: Draft) -> bool:
    """Say whether ``draft`` adds no secret, so that it may become an object of the repository."""
    texts = ((data_of(content) or b"").decode("utf-8", "replace") for content in draft.contents.values())
    return not any(map(find_secrets, texts))


def put_into_quarantine(
    history: History, tip: Tip, draft: Draft, findings: Sequence[Finding], intent: Intent, plan: Plan
) -> str:
    """Keep a refused change and its findings once, and return its id, empty if it cannot be kept. Callers hold the lock."""
    paths = draft.changed_paths()
    if _NEVER_STORED.intersection(map(attrgetter("rule"), findings)) or not can_be_stored(draft):
        return ""
    parts = [f"{path}\0{draft.entry(path)}" for path in paths] or [plan.summary]
    quarantine_id = "q-" + sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:10]
    name = QUARANTINE + quarantine_id
    if history.target(name) is not None:
        return quarantine_id
    reason = plan.reason + "\n"
    for finding in findings:
        line = f":{finding.line}" if finding.line else ""
        reason += f"\n{_FOUND}{finding.rule} {finding.path}{line}: {finding.sentence} {finding.way_out}"
    what = f"{', '.join(paths)} as the {intent.actor} would have it"
    plan = plan._replace(summary=REFUSED + (plan.summary or what), reason=reason.strip(), edits=())
    intent = intent._replace(op=new_op("quarantine"), override="")
    keep_commit(history, name, plan, intent, draft.store(history.repo), tip.commit_id)
    return quarantine_id


def keep_commit(
    history: History, name: str, plan: Plan, intent: Intent, tree_id: str, parent_id: str | None
) -> None:
    message, _ = message_of(plan, intent)
    who = author_of(history, intent.actor).signature(intent.now)
    parents: list[str] = [] if parent_id is None else [parent_id]
    set_ref(history, name, str(history.repo.create_commit(None, who, who, message, tree_id, parents)))


def list_quarantine(history: History) -> list[Parked]:
    quarantined = [read_parked(history, *named) for named in history.refs(QUARANTINE).items()]
    return sorted(quarantined, key=lambda item: (item.at, item.parked_id))


def find_quarantined(history: History, quarantine_id: str) -> Parked:
    commit_id = history.refs(QUARANTINE).get(QUARANTINE + quarantine_id)
    if commit_id is None:
        sentence = f"Nothing in quarantine is called {quarantine_id}."
        raise ClawgitError(sentence, hint="`clawgit pending --kind quarantine` names what is.")
    return read_parked(history, QUARANTINE + quarantine_id, commit_id)


def drop_quarantined(history: History, quarantine_id: str) -> None:
    with history.locked():
        find_quarantined(history, quarantine_id)
        delete_ref(history, QUARANTINE + quarantine_id)


def drop_taken_back(history: History, chat_ids: Iterable[str]) -> None:
    """Delete the refused changes that rest on these messages alone: the operator took them back."""
    messages = set(map(MESSAGE.__add__, chat_ids))
    for refused in list_quarantine(history):
        cited = set(map(itemgetter(0), map(str.split, refused.commit.evidence)))
        if cited and cited <= messages:
            drop_quarantined(history, refused.parked_id)


def read_parked(history: History, name: str, commit_id: str) -> Parked:
    commit = history.objects.commit(commit_id)
    base, tree = history.around(commit)
    return Parked(
        name.rpartition("/")[2],
        commit,
        commit.trailers.first("Clawgit-Actor") or UNKNOWN,
        datetime.fromtimestamp(commit.committed_at, UTC),
        commit.subject.partition(": ")[2],  # after REFUSED or PROPOSED
        tuple(line.removeprefix(_FOUND) for line in commit.body if line.startswith(_FOUND)),
        tuple(tree.changed(base)),
    )


def reason_of(commit: Commit) -> str:
    """Return why the change was wanted, without why it was refused."""
    return "\n".join(line for line in commit.body if not line.startswith(_FOUND)).strip()
