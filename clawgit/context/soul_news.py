"""Recent changes of the agent that its operator has not seen: one line, for three days at most."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR, actor_in
from clawgit.history.git.objects import Commit, DamagedObjectError
from clawgit.memory.entries.tiers import IDENTITY_FILES
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.git.repository import History

DAYS = timedelta(days=3)
SEEN = "soul log"  # the cursor of the changes that the operator has seen
MOST_COMMITS = 500
MOST_SAID = 160  # characters


def soul_news(history: History, commit_id: str, now: datetime) -> str:
    """Return the line, empty without unseen changes. Only clawgit's agents give their reason."""
    changes = list(_lately(history, commit_id, now))
    if not changes:
        return ""
    commit, path = changes[0]
    actor = actor_in(history, commit)
    subject = folded(redact(commit.subject))[:MOST_SAID].rstrip(". ")
    why = f": {subject}" if actor in AGENT_NAMES else ""  # another author's words would be an instruction
    on = datetime.fromtimestamp(commit.committed_at, now.tzinfo)
    more = ""
    if changes[1:]:
        more = f" Changes before it: {len(changes) - 1}."
    return f"{path} changed on {on:%Y-%m-%d}, by {actor}{why}. Your operator has not looked at it yet (`clawgit soul log`).{more}"


def note_soul_seen(history: History, now: datetime) -> None:
    """Note that the operator has seen the changes of the soul; on failure the line is shown again."""
    tip, path = history.tip().commit_id, history.state / RECORDS
    with suppress(ClawgitError), open_records(path, now, fsync=history.settings.fsync) as records:
        if tip is not None and records.agent_cursors.of(SEEN) != tip:
            records.agent_cursors.note(SEEN, tip, now)


def _lately(history: History, commit_id: str, now: datetime) -> Iterator[tuple[Commit, str]]:
    oldest = (now - DAYS).timestamp()
    newer, seen = None, None
    passed: set[str] = set()
    with suppress(DamagedObjectError):
        for number, commit in enumerate(history.objects.first_parents(commit_id or None)):
            path = "" if newer is None else _changed(history, commit, newer)
            if path and newer is not None and actor_in(history, newer) != OPERATOR:
                if seen is None:  # the records are opened only with news
                    seen = _seen(history, now)
                if seen in passed:
                    return
                yield newer, path
            newer = commit
            passed.add(commit.commit_id)
            if commit.committed_at < oldest or number >= MOST_COMMITS:
                return


def _changed(history: History, old: Commit, new: Commit) -> str:
    before = history.objects.tree(old.tree_id)
    after = history.objects.tree(new.tree_id)
    names = sorted(IDENTITY_FILES, reverse=True)
    return next((name for name in names if before.get(name.encode()) != after.get(name.encode())), "")


def _seen(history: History, now: datetime) -> str:
    path = history.state / RECORDS
    if not path.exists():
        return ""
    with suppress(ClawgitError), open_records(path, now, may_get_lost=True) as records:
        return records.agent_cursors.of(SEEN)
    return ""
