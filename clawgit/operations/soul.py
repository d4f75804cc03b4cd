"""The agent's identity: its log, its states, and proposed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.reading.git_log import SOUL_FILES, LoggedChange, read_log
from clawgit.history.review.unreviewed import unreviewed_commits
from clawgit.operations.changes import say_change
from clawgit.operations.paths import workspace_path
from clawgit.plan import Edit, Plan
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.trailers import PROPOSAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History
    from clawgit.history.reading.blame import BlamedLine
    from clawgit.history.states import FileDiff, SoulDrift
    from clawgit.history.views import ViewEntry
    from clawgit.operations.caller import Caller, Listed, Sentence
    from clawgit.workspace.settings.settings import Settings

SOUL = "SOUL.md"
LONGEST = 500  # characters of a principle


class SoulLog(NamedTuple):
    """Changes, newest first; those not seen yet, the level of each approval, and the sentence for an empty log."""

    changes: list[LoggedChange]
    unseen: frozenset[str]
    levels: Mapping[str, str]
    none: str


def read_soul_log(
    caller: Caller, limit: Listed | None = None, since: str | None = None, *, paths: tuple[str, ...] = ()
) -> SoulLog:
    history = caller.history()
    start = caller.first_of(since, history)
    files = files_named(history, paths or SOUL_FILES)
    changes = read_log(history, files, limit=limit, since=start)
    then = ""
    if start is not None:
        then = " since then"
    none = f"No change of {' or '.join(files)}{then}."
    unseen = frozenset(unreviewed_commits(history))
    named = [change.commit_id for change in changes if change.trailers.first(PROPOSAL) is not None]
    levels = {}
    if named:
        from clawgit.history.authorship.approval_level import approval_level

        for name in named:
            level = approval_level(history, name, caller.trust_file.parent)
            if level is not None:
                levels[name] = str(level.value)
    return SoulLog(changes, unseen, levels, none)


def diff_soul(caller: Caller, old: str, new: str | None, *, paths: tuple[str, ...] = ()) -> list[FileDiff]:
    """Compare files of two states; without ``new``, with the files in the folder."""
    from clawgit.history.states import compare

    history = caller.history()
    begin, dots, after = old.partition("..")
    if new is None and dots:
        old, new = begin or "HEAD", after or "HEAD"
    end = None if new is None else caller.revision(history, new)
    files = files_named(history, paths or SOUL_FILES)
    return list(compare(history, caller.revision(history, old), end, files))


def show_soul(caller: Caller, file: str = SOUL, *, revision: str = "HEAD") -> tuple[str, str, bytes]:
    """Return the commit, the file's path in the workspace, and its content there."""
    from clawgit.history.states import text_at

    history = caller.history()
    path = workspace_path(history.root, file)
    state = caller.revision(history, revision)
    data = text_at(history, state, path)
    when = "" if state.until is None else f" (the last one until {state.until:%Y-%m-%d %H:%M})"
    caller.say(f"{path} as of {state.commit.commit_id[:12]}{when}: {state.commit.subject}")
    return state.commit.commit_id, path, data


def files_named(history: History, paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(workspace_path(history.root, path) for path in paths)


def blame_soul(caller: Caller, revision: str = "HEAD", file: str = SOUL) -> list[BlamedLine]:
    from clawgit.history.reading.blame import blame
    from clawgit.history.states import text_at

    history = caller.history()
    path = workspace_path(history.root, file)
    state = caller.revision(history, revision)
    text_at(history, state, path)
    return blame(history, path, state.commit.commit_id)


def measure_drift(caller: Caller, since: str | None = None, most_days: int = 0) -> SoulDrift:
    """Measure since a time or a snapshot; at most ``most_days`` days are listed, 0 for all."""
    from clawgit.history.states import read_drift

    history = caller.history()
    start = None
    if since is not None:
        start = caller.revision(history, since).commit
    return read_drift(history, start, most_days=most_days)


def snapshot_soul(caller: Caller, message: str) -> Recorded:
    """Name the soul's present state; its edits are committed first."""
    from clawgit.history.states import take_snapshot

    caller.only_operator("take a snapshot")
    history = caller.history()
    done = take_snapshot(history, message, caller.intent(history))
    edited = []
    if done.commit_id is not None:
        commit = history.objects.commit(done.commit_id)
        now = history.tree_of(done.commit_id)
        before = history.tree_of(commit.first_parent)
        for path in SOUL_FILES:
            if now.entry(path) != before.entry(path):
                edited.append(path)
    says = f"Snapshot: {message}."
    if edited:
        says += f" What was edited in {' and '.join(edited)} counts as your words now; `git show` has it."
    say_change(caller, done, says)
    return done


def restore_files(
    caller: Caller, revision: str, reason: Sentence, files: tuple[str, ...] = (SOUL,)
) -> Recorded:
    from clawgit.history.states import restore_soul

    caller.only_operator("restore the soul")
    history = caller.history()
    state = caller.revision(history, revision)
    files = files_named(history, files)
    done = restore_soul(history, state.commit, files, reason, caller.intent(history))
    say_change(caller, done, f"{', '.join(files)} reads as in {state.commit.commit_id[:12]} again.")
    return done


def read_identity_changes(caller: Caller, since: str | None = None) -> tuple[list[ViewEntry], Settings]:
    """Return the changes of the agent's identity, newest first, and the settings that render them; also renews the derived files."""
    from clawgit.history.views import read_changelog, renew_views

    history = caller.history()
    start = caller.first_of(since, history)
    for finding in renew_views(history, caller.now(history)):
        caller.say(f"{finding.sentence} {finding.way_out}")
    entries = [entry for entry in read_changelog(history) if start is None or entry.at >= start]
    return entries, history.settings


def propose_line(caller: Caller, text: str, reason: Sentence) -> str:
    """Propose a line for SOUL.md and return the proposal's id; nothing changes before the operator approves."""
    from clawgit.agents.door.message_door import refuse_vetoed
    from clawgit.history.review.proposals import propose_principle, why_rejected
    from clawgit.identity.principle_edits import with_principle

    line = folded(text).lstrip("-*# ").strip()
    if not line or len(line) > LONGEST or redact(line + reason) != line + reason:
        raise ClawgitError(
            f"A principle is one sentence of at most {LONGEST} characters, without secrets.",
            hint="Write it as SOUL.md shall say it.",
        )
    history = caller.history()
    soul = history.tip().tree.read(SOUL) or b""
    if line.encode() in soul:
        raise ClawgitError("SOUL.md says so already.", hint="Leave it as it is.")
    plan = Plan(f"soul: {line}", (Edit(SOUL, with_principle(soul, line)),), folded(reason))
    intent = caller.intent(history)
    for sentence in (line, reason):
        refuse_vetoed(history, sentence, intent)
    proposal_id = propose_principle(history, line, plan, intent)
    rejected = why_rejected(history, proposal_id)
    if rejected is not None:
        raise ClawgitError(f"The operator rejected this before: {rejected}", hint="Leave SOUL.md as it is.")
    caller.say(f"It needs the operator's approval, proposal {proposal_id}: `clawgit approve {proposal_id}`.")
    return proposal_id
