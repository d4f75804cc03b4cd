"""The state of a workspace, and what needs the operator."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.client import LOCK, service_folder
from clawgit.errors import ClawgitError, ConfigurationError
from clawgit.history.authorship.actors import HOST, UNKNOWN, authorship, connected_hosts
from clawgit.history.authorship.host_signs import host_seen
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP, NOTES_OP
from clawgit.history.authorship.settings_in_force import claimed_commits
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.history.git.lock import is_locked
from clawgit.history.git.refs import PAST
from clawgit.history.hooks.install import HooksState, read_hooks_state
from clawgit.history.review.arrivals import Arrivals, read_arrivals
from clawgit.history.workspace_status import RecordsStatus, WorkspaceStatus, read_records_status, read_status
from clawgit.memory.corrections.correction_log import LEDGER, MAY_LINK, Correction
from clawgit.operations.changes import held_news, held_since
from clawgit.operations.host_ledger import HostLedger, read_host_ledger
from clawgit.pending.queue import Pending, PendingKind, open_questions, read_pending
from clawgit.text.safety.control_characters import counted
from clawgit.workspace.clock_looks import noted_jump
from clawgit.workspace.user.trusted_settings import read_known
from clawgit.workspace.user.workspace_registry import read_registry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding
    from clawgit.history.provenance.correction_files import Present
    from clawgit.history.provenance.set_back import Against
    from clawgit.history.provenance.statement_changes import StatementChange
    from clawgit.history.reading.rearranged import Rearranged
    from clawgit.memory.conflict_log import Contradiction
    from clawgit.operations.caller import Caller
    from clawgit.runner.run_due_jobs import RunnerStatus
    from clawgit.workspace.settings.settings import InForce, Settings


KINDS = tuple(map(attrgetter("value"), PendingKind))
LATELY = timedelta(days=1)  # what is news
WEEK = timedelta(
    days=7
)  # that adopted files and those left out of commits are named; then `doctor` names them
MOST_CHANGES = 500  # rows of the log
_OF_INIT = (INIT_OP, ADOPTION_OP, NOTES_OP)
LATEST = 20  # newest commits that are checked for unvouched ones


class OutsideFindings(NamedTuple):
    """Findings in commits made without clawgit, and the state of git's hooks."""

    arrivals: Arrivals
    hooks: HooksState
    strange: tuple[str, ...]
    host: str = ""
    connected: tuple[str, ...] = ()
    unvouched: tuple[str, ...] = ()


class ServiceState(NamedTuple):
    """A service's own report: its process, start and version, and problems with workspaces."""

    process: int
    since: str
    version: str
    is_stale: bool = False  # its code is older than what is installed
    aside: Mapping[str, str] = {}  # workspace: why it is left alone for now
    workspaces: int = 0
    http: str = ""  # where it answers over HTTP, too
    problem: str = ""  # with the list of workspaces
    worker: str = ""  # what is wrong with the process that makes commands quick
    jobs_seen: str = ""  # when its runner of jobs gave its last sign of life


def folder_of(environment: Mapping[str, str]) -> Path:
    folder = service_folder(environment)
    if not folder:
        raise ConfigurationError("HOME is not set, so the service has no folder.", hint="Set HOME.")
    return Path(folder)


def read_standing(folder: Path) -> ServiceState | None:
    """Return the report of the running service; None if none runs."""
    path = folder / LOCK
    if not is_locked(path):
        return None
    try:
        state = json.loads(path.read_bytes())
        return ServiceState(**{name: state[name] for name in ServiceState._fields if name in state})
    except (OSError, ValueError, TypeError):
        return ServiceState(0, "a moment ago", "unknown")  # it is just about to say so


class Loss(NamedTuple):
    """A file that an edit cut short, and the command that restores it; ``item`` is its pending id, once it is committed."""

    path: str
    sentence: str
    command: str
    commit: str = ""
    item: str = ""


class StatusReport(NamedTuple):
    """All that `status` shows; ``jobs`` is None if there never were any, ``service`` if none runs."""

    root: Path
    status: WorkspaceStatus
    records: RecordsStatus
    outside: OutsideFindings
    held: Sequence[Finding]  # without what was shown before
    are_held_new: bool  # their present list was first shown in the last week
    losses: Sequence[Loss]
    in_force: InForce | None
    settings: Settings
    pending: Sequence[Pending]
    corrections: Sequence[Correction]
    conflicts: Sequence[Contradiction]
    changes: Sequence[StatementChange]
    against: Mapping[str, Against]  # the operator's decisions, by the words of changes that go against them
    links: Sequence[Correction]  # the operator's words beside lines
    moves: Sequence[Rearranged]
    adopted: Mapping[str, Sequence[str]]  # commit of the adoption that is not claimed: its files
    unread: int  # messages that the jobs have still to read
    messages_problem: ClawgitError | None
    jobs: RunnerStatus | None
    clock_jump: str
    had_service: bool
    service: ServiceState | None
    is_driven: bool
    ledger: HostLedger


def get_status(caller: Caller) -> StatusReport:
    """Return the state of the workspace; commits that it reports are not new the next time."""
    history = caller.history()
    now = caller.now(history)
    status = read_status(history, now)
    records = read_records_status(history, now)
    outside = _outside(caller, history)
    pending = [] if status.blocked else read_pending(history, now, caller.held_settings)
    kinds = set(map(attrgetter("kind"), pending))
    changes, moves = _news(history, status, now)
    unread, problem = read_messages_state(history, now)
    had_service, standing = read_service(caller)
    conflicts: Sequence[Contradiction] = ()
    if PendingKind.CONFLICT in kinds:
        from clawgit.history.provenance.trust_lookup import waiting

        conflicts = waiting(history, history.tip().tree)
    jobs = None
    if records.has_jobs:
        from clawgit.runner.run_due_jobs import read_runner_status

        jobs = read_runner_status(history, records.at)
    if not status.blocked and b"x:" in (history.tip().tree.read(LEDGER) or b""):
        changes = _with_set_back(history, changes)
    if not status.blocked and history.refs(PAST):
        from clawgit.history.provenance.statement_changes import left_by_rewrites

        changes = [*left_by_rewrites(history, now - LATELY), *changes]
    return StatusReport(
        root=history.root,
        status=status,
        records=records,
        outside=outside,
        held=held_news(caller, status.held),
        are_held_new=held_since(caller) > (now - WEEK).timestamp(),
        losses=_losses(status, outside.arrivals),
        in_force=caller.in_force,
        settings=history.settings,
        pending=pending,
        corrections=open_questions(history) if PendingKind.QUESTION in kinds else (),
        conflicts=conflicts,
        changes=changes,
        against=_against_him(history, changes),
        links=() if status.blocked else links_now(history),
        moves=moves,
        adopted=adopted_files(history, status.unclaimed, now - WEEK),
        unread=unread,
        messages_problem=problem,
        jobs=jobs,
        clock_jump=noted_jump(history.state, records.at),
        had_service=had_service,
        service=standing,
        is_driven=is_driven(caller, history.root),
        ledger=read_host_ledger(caller, history),
    )


def read_service(caller: Caller) -> tuple[bool, ServiceState | None]:
    """Say whether there ever was a service, and return its report if it runs."""
    folder = Path(service_folder(caller.environment) or os.devnull)
    if not (folder / LOCK).exists():
        return False, None
    return True, read_standing(folder)


def is_driven(caller: Caller, root: Path) -> bool:
    """Say whether the service does the jobs of the workspace at ``root``; a timer cannot be seen."""
    _, standing = read_service(caller)
    if standing is None or str(root) in standing.aside:
        return False
    return read_registry(caller.registry_file).at(root) is not None


def _outside(caller: Caller, history: History) -> OutsideFindings:
    arrivals = read_arrivals(history)
    if arrivals.new:
        from clawgit.history.reconcile import mark_told

        mark_told(history, arrivals)
    trusted = read_known(caller.trust_file.parent, history.folder)
    strange = tuple(f"{thing.kind} {thing.name}" for thing in strange_things(history, trusted))
    host = host_seen(history.root, history.state)
    hooks = read_hooks_state(history)
    connected = connected_hosts(history)
    unvouched = []
    tip = history.tip().commit_id
    if connected and tip:
        open_ones = authorship(history).unvouched - claimed_commits(history)
        for commit in islice(history.objects.walk([tip]), LATEST):
            if commit.commit_id in open_ones:
                unvouched.append(commit.commit_id)
    return OutsideFindings(arrivals, hooks, strange, host, connected, tuple(unvouched))


def _losses(status: WorkspaceStatus, arrivals: Arrivals) -> list[Loss]:
    """Return what was cut off: uncommitted first, then by commit, newest first."""
    losses = []
    for finding in status.losses:
        losses.append(Loss(finding.path, finding.sentence, finding.way_out))
    for each in reversed(arrivals.open):
        if each.is_loss:
            name = each.commit_id[:12]
            losses.append(Loss(each.path, each.sentence, f"clawgit undo {name}", each.commit_id, f"l-{name}"))
    return losses


def _news(
    history: History, status: WorkspaceStatus, now: datetime
) -> tuple[Sequence[StatementChange], Sequence[Rearranged]]:
    since = now - LATELY
    tip = status.commit_id
    if not tip or status.blocked or history.objects.commit(tip).committed_at <= since.timestamp():
        return (), ()
    from clawgit.history.provenance.correction_files import Present
    from clawgit.history.reading.rearranged import moves_since, undone_among
    from clawgit.operations.change_log import LogRequest, read_log

    moves = moves_since(history, tip, since, _lost_files).moves
    # what the folder had before is not news, not even what has the second of init's
    adopted: set[str] = set()
    commits = []
    for commit in history.objects.first_parents(tip):
        if commit.committed_at < since.timestamp():
            break
        commits.append(commit)
        is_init = (commit.trailers.first("Clawgit-Op") or "").startswith(INIT_OP)
        if is_init:
            since = datetime.fromtimestamp(commit.made_at, UTC)
        if is_init or commit.made_at == since.timestamp():
            adopted.add(commit.commit_id)
    passed = adopted | undone_among(commits)
    news = []
    present = Present(history)
    for row in read_log(history, LogRequest(limit=MOST_CHANGES), since).rows:
        if row.commit_id not in passed and _is_so_now(present, row):
            news.append(row)
    return news, moves


def adopted_files(
    history: History, commit_ids: Sequence[str], since: datetime | None = None
) -> Mapping[str, Sequence[str]]:
    """Return the files of commits; without what `init` committed before ``since``."""
    files = {}
    for commit_id in commit_ids:
        with suppress(ClawgitError):  # `doctor` names what is damaged
            commit = history.objects.commit(commit_id)
            is_of_init = (commit.trailers.first("Clawgit-Op") or "").startswith(_OF_INIT)
            if since is None or not is_of_init or commit.committed_at >= since.timestamp():
                base, made = history.around(commit)
                files[commit_id] = tuple(made.changed(base))
    return files


def _with_set_back(history: History, changes: Sequence[StatementChange]) -> list[StatementChange]:
    from clawgit.history.provenance.set_back import corrections_set_back
    from clawgit.history.provenance.statement_changes import SET_BACK

    against = corrections_set_back(history)
    edits = set(map(attrgetter("commit_id", "words"), against.values()))
    lately = list(against.values())
    for row in changes:
        is_same = row.verb == SET_BACK or (row.commit_id, row.words) in edits
        if not is_same and row.correction_id.removeprefix("x:") not in against:
            lately.append(row)
    return lately


def _against_him(history: History, changes: Sequence[StatementChange]) -> Mapping[str, Against]:
    new = filter(lambda row: row.before == "" and row.actor in (HOST, UNKNOWN), changes)
    statements = list(filter(None, map(attrgetter("words"), new)))
    if not statements:
        return {}
    from clawgit.history.provenance.set_back import said_against

    return said_against(history, statements)


def _is_so_now(present: Present, row: StatementChange) -> bool:
    """Say whether a file has now something of what an edit brought, and no entry what was taken out."""
    from clawgit.history.provenance.statement_changes import EDITED, TAKING

    if row.verb in TAKING and row.before and not row.words:
        return row.before not in present.statements
    if row.verb != EDITED:
        return True
    from clawgit.history.reading.changed_words import holds_still, read_word_changes

    history = present.history
    base, made = history.around(history.objects.commit(row.commit_id))
    if not row.is_in_words:
        return any(map(partial(holds_still, base, made, history.tip().tree), made.changed(base)))
    changes = read_word_changes(base, made, row.path, (base, history.tip().tree)) or ()
    return row.words in map(attrgetter("words"), changes)


def _lost_files(history: History, commit: Commit) -> set[str]:
    from clawgit.history.guards.check import lost_files  # the guards are loaded where something moved

    return lost_files(history, commit)


def links_now(history: History) -> Sequence[Correction]:
    tree = history.tip().tree
    if MAY_LINK not in (tree.read(LEDGER) or b""):
        return ()
    from clawgit.agents.door.linkable import links_in

    return links_in(history, tree)


def lines_beside(links: Sequence[Correction]) -> str:
    """Return how many lines have the operator's words beside them: several sentences may be beside one."""
    return counted(len(set(map(attrgetter("said"), links))), "line")


def read_messages_state(history: History, now: datetime) -> tuple[int, ClawgitError | None]:
    """Return how many messages are unread, and why the store cannot be used."""
    if not history.settings.messages_url and not (history.state / "messages.db").exists():
        return 0, None
    from clawgit.capture.messages.open_messages import ask_briefly

    try:
        return ask_briefly(history, now, lambda store: store.count_unread()), None
    except ClawgitError as error:
        return 0, error


def list_pending(caller: Caller, kind: str | None = None) -> list[Pending]:
    history = caller.history()
    items = read_pending(history, caller.now(history), caller.held_settings)
    return [item for item in items if kind in (None, item.kind.value)]
