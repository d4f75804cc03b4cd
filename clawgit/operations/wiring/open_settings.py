"""The settings of a workspace, by its history and by what its operator trusts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.settings_in_force import read_settings_at
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.refs import remembered_tips
from clawgit.history.git.repository import History, RepositoryStateError, open_history, refuse_unfinished
from clawgit.text.safety.control_characters import few
from clawgit.workspace.user.trusted_settings import is_trusted, read_trust, trust_file
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clawgit.history.hooks.hook_call import HookCall
    from clawgit.workspace.settings.setting_types import Value
    from clawgit.workspace.settings.settings import InForce, Problem


MOST_NAMED = 5


def bring_into_force(history: History, trust: Path) -> tuple[InForce, tuple[Problem, ...]]:
    """Give ``history`` its settings; return them with their origins, and problems of the trust store."""
    return bring_into_force_at(history, history.tip().commit_id, trust)


def open_for_hook(call: HookCall, environment: Mapping[str, str], holder: str) -> History | None:
    """Open the workspace for which git calls a hook, with its settings in force; None for another repository."""
    history = open_history(Path(call.root), holder=holder, git_folder=call.named_git_folder)
    if not (history.state / "format").exists():
        return None
    bring_into_force(history, trust_file(user_config_dir(environment, Path.home())))
    return history


def off_any_branch(history: History) -> tuple[str, ...]:
    """Return which commit is read where HEAD is on no branch, and why nothing can be changed; empty on a branch."""
    if history.is_ordinary:  # it was on a branch when it was opened
        return ()
    tip = history.tip()
    if tip.branch or tip.commit_id is None:
        return ()
    why = "HEAD is on no branch, so nothing can be changed: `git switch BRANCH` ends that."
    try:
        refuse_unfinished(history)
    except RepositoryStateError:
        why = "git is in the middle of something, so nothing can be changed: `git status` says how to end it."
    return (f"This is read at commit {tip.commit_id[:12]}. {why}",)


def bring_any_into_force(history: History, trust: Path) -> tuple[InForce, tuple[Problem, ...]]:
    """Do as `bring_into_force` off any branch, too: by the commit of HEAD, else by the last one that clawgit saw."""
    for commit_id in _candidates(history):
        with suppress(ClawgitError):
            return bring_into_force_at(history, commit_id, trust)
    return bring_into_force_at(history, None, trust)


def _candidates(history: History) -> Iterator[str | None]:
    with suppress(ClawgitError):
        yield history.tip().commit_id
    with suppress(pygit2.GitError):
        yield str(history.repo.head.target)
    yield from remembered_tips(history).values()


def bring_into_force_at(
    history: History, commit_id: str | None, trust: Path
) -> tuple[InForce, tuple[Problem, ...]]:
    """Do the same by the history up to ``commit_id``, for a look at a commit off any branch."""
    store = read_trust(trust)

    def trusted(key: str, value: Value) -> bool:
        return is_trusted(store, history.root, key, value)

    in_force = read_settings_at(history, commit_id, trusted)
    history.settings = in_force.settings
    return in_force, store.problems


def wrong_settings(in_force: InForce | None) -> list[str]:
    if in_force is not None:
        return sorted(in_force.unread)
    return []


def wrong_setting_lines(in_force: InForce | None) -> list[str]:
    wrong = wrong_settings(in_force)
    if not wrong:
        return []
    named = f"! CONFIG.md: what it says of {few(wrong, MOST_NAMED)} cannot be used"
    return [f"{named}, and the last good values stay in force (`clawgit config check`)."]
