"""`soul log`: the changes of who the agent is, read by the git program over the clean view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.actors import actor_of
from clawgit.history.git_program import run_git
from clawgit.text.trailers import parse_trailers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from subprocess import CompletedProcess

    from clawgit.history.repository import History

SOUL_FILES = ("SOUL.md", "IDENTITY.md")
LOG_SECONDS = 120
FORMAT = "--format=%H%x00%P%x00%aI%x00%ae%x00%B"


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """One commit of a log; ``op`` is None for a commit that clawgit did not make."""

    commit_id: str
    at: str
    actor: str
    summary: str
    op: str | None
    evidence: tuple[str, ...]
    reason: str
    snapshot: bool


def read_log(
    history: History,
    paths: Sequence[str] = SOUL_FILES,
    *,
    at: str | None = None,
    limit: int | None = None,
    since: datetime | None = None,
) -> list[LoggedChange]:
    """Return the commits up to ``at`` (the tip) that changed ``paths``, newest first.

    What a merge left out is listed too: it happened.

    Raises:
        ClawgitError: git could not read the history.
    """
    tip = at or history.tip().commit_id
    if tip is None:
        return []
    options = [*(["-n", str(limit)] if limit else []), *([f"--since={since.isoformat()}"] if since else [])]
    done = run_git(
        history, "log", "-z", FORMAT, "--full-history", *options, tip, "--", *paths, seconds=LOG_SECONDS
    )
    if done.returncode != 0:
        raise git_failed(done)
    fields = done.stdout.decode("utf-8", "replace").split("\0")
    commits = [fields[start : start + 5] for start in range(0, len(fields) - 4, 5)]
    return [
        _logged(commit_id.strip(), when, author, message)
        for commit_id, parents, when, author, message in commits
        if " " not in parents or not paths or _is_own(history, commit_id.strip(), paths)
    ]


def _is_own(history: History, commit_id: str, paths: Sequence[str]) -> bool:
    """Say whether a merge made the files read as in none of its parents."""
    commit = history.objects.commit(commit_id)
    here, *theirs = (history.tree_of(name) for name in (commit_id, *commit.parent_ids))
    return all(any(here.entry(path) != tree.entry(path) for path in paths) for tree in theirs)


def read_change(history: History, commit_id: str) -> LoggedChange:
    """Return one commit as a log shows it."""
    (change,) = read_log(history, (), at=commit_id, limit=1)
    return change


def git_failed(done: CompletedProcess[bytes]) -> ClawgitError:
    """Return the refusal for a git that could not read the history."""
    said = done.stderr.decode("utf-8", "replace").strip()
    return ClawgitError(f"git could not read the history: {said}", hint="`clawgit doctor` looks for damage.")


def _logged(commit_id: str, at: str, author: str, message: str) -> LoggedChange:
    trailers = parse_trailers(message)
    lines = message.rstrip("\n").split("\n")
    return LoggedChange(
        commit_id,
        at,
        actor_of(trailers, author),
        lines[0],
        trailers.first("Clawgit-Op"),
        trailers.all("Clawgit-Evidence"),
        " ".join(line[2:] for line in lines[1:] if line.startswith("> ")),
        trailers.first("Clawgit-Snapshot") is not None,
    )
