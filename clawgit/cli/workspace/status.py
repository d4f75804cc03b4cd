"""`clawgit status`: the workspace, what is pending, and commits that came without clawgit."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import finding_data
from clawgit.cli.open_settings import wrong_setting_lines, wrong_settings
from clawgit.cli.pending import all_pending, item_data, pending_lines
from clawgit.cli.workspace.backup import backup_data, backup_lines
from clawgit.client import LOCK, service_folder
from clawgit.errors import ClawgitError
from clawgit.history.review.unchecked_arrivals import read_arrivals
from clawgit.pending.queue import Kind, open_questions
from clawgit.text.safety.control_characters import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from clawgit.cli.app import App
    from clawgit.history.backup.records_status import RecordsStatus
    from clawgit.history.git.leftovers import PresentLock
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hooks_status import HooksState
    from clawgit.history.review.unchecked_arrivals import Arrival, Arrivals
    from clawgit.history.workspace_status import Status
    from clawgit.pending.queue import Pending


@click.command("status", cls=Command)
@click.pass_obj
def status_command(app: App) -> None:
    """Show the workspace's state and what needs you.

    \b
    Examples:
      clawgit status
      clawgit status --json
    """
    history = app.history()
    report_status(app, history, list)


def report_status(app: App, history: History, more: Callable[[], list[str]]) -> None:
    """Print how the workspace stands, then what ``more`` says."""
    from clawgit.history.backup.records_status import read_records_status
    from clawgit.history.workspace_status import read_status

    now = app.now(history)
    status, records = read_status(history, now), read_records_status(history, now)
    outside = read_outside(app, history)
    jobs, job_lines = _jobs(history, records)
    data = _status_data(app, history, status) | backup_data(records) | outside_data(outside)
    pending = [] if status.blocked else all_pending(app, history)
    service, service_lines = _service(app, history)
    moved, moved_lines = _moved(history, status, now)
    messages, message_lines = _messages(history, now)
    data |= messages | _open_data(history, pending) | moved
    data |= {"settings_wrong": wrong_settings(app.in_force), "pending": [item_data(each) for each in pending]}
    app.report(
        data | jobs | service,
        lambda: [
            *_status_lines(app, history, status, records, (outside, pending_lines(pending))),
            *moved_lines,
            *message_lines,
            *job_lines,
            *service_lines,
            *more(),
        ],
    )


def _messages(history: History, now: datetime) -> tuple[dict[str, Any], list[str]]:
    """Return why the store that `messages_url` names cannot be used; a file of the workspace's own is doctor's."""
    if not history.settings.messages_url:
        return {"messages_problem": ""}, []
    from clawgit.capture.messages.open_messages import ask_briefly

    try:
        ask_briefly(history, now, lambda store: store.imported_files())
    except ClawgitError as error:
        return {"messages_problem": error.message}, [f"! {error.message} {error.hint}".rstrip()]
    return {"messages_problem": ""}, []


def _open_data(history: History, pending: list[Pending]) -> dict[str, Any]:
    """Return the questions and conflicts of the queue as each was reported before there was one."""
    kinds = {each.kind for each in pending}
    data: dict[str, Any] = {"open_corrections": [], "open_conflicts": []}
    if Kind.QUESTION in kinds:
        from clawgit.cli.memory.entry_output import correction_data

        data["open_corrections"] = [correction_data(each) for each in open_questions(history)]
    if Kind.CONFLICT in kinds:
        from clawgit.cli.memory.conflicts import conflict_data, open_conflicts

        data["open_conflicts"] = [conflict_data(each) for each in open_conflicts(history)]
    return data


def _moved(history: History, status: Status, now: datetime) -> tuple[dict[str, Any], list[str]]:
    """Return what moved, was merged and went within the last day, as data and in lines."""
    since = now - timedelta(days=1)
    tip = status.commit_id
    if not tip or status.blocked or history.objects.commit(tip).committed_at <= since.timestamp():
        return {"moved": []}, []
    from clawgit.history.reading.rearranged import moves_since

    moves = moves_since(history, tip, since).moves
    lines = [
        f"  in the last day: {shown(each.sentence, keep_newlines=False)} (`{each.command}`)" for each in moves
    ]
    return {"moved": [each._asdict() for each in moves]}, lines


def _service(app: App, history: History) -> tuple[dict[str, Any], list[str]]:
    """Return whether the service runs, as data and in lines; where none ever ran, there is nothing to read."""
    folder = service_folder(app.environment)
    if not folder or not Path(folder, LOCK).exists():
        return {"service": None}, []
    from clawgit.cli.service.standing_output import standing_data, standing_lines
    from clawgit.service.standing import read_standing

    standing = read_standing(Path(folder))
    return {"service": standing_data(standing, history.root)}, standing_lines(standing, history.root)


def _jobs(history: History, records: RecordsStatus) -> tuple[dict[str, Any], list[str]]:
    """Return how the jobs stand, as data and in lines; where no runner was ever here there is nothing to read."""
    if not records.has_jobs:
        return {"runner": None}, []
    from clawgit.cli.agents.runner_output import next_job_lines, runner_data, trouble_lines
    from clawgit.runner.runner_status import read_runner_status
    from clawgit.workspace.clock_looks import noted_jump

    found = read_runner_status(history, records.at)
    jump = noted_jump(history.state, records.at)
    data = runner_data(found) | {"clock_jump": jump}
    return {"runner": data}, [
        *([] if jump else trouble_lines(found)),
        *next_job_lines(found, records.at.tzinfo),
    ]


def _status_data(app: App, history: History, status: Status) -> dict[str, Any]:
    waiting = app.in_force.waiting if app.in_force else {}
    return {
        "workspace": str(history.root),
        "branch": status.branch.removeprefix("refs/heads/"),
        "commit": status.commit_id,
        "blocked": status.blocked,
        "uncommitted": list(status.edits),
        "staged": list(status.staged),
        "held": [finding_data(finding) for finding in status.held],
        "proposals": [
            {"id": item.proposal_id, "actor": item.actor, "paths": list(item.paths), "commit": item.commit_id}
            for item in status.proposals
        ],
        "unreviewed": list(status.unreviewed),
        "unclaimed": list(status.unclaimed),
        "settings_waiting": sorted(waiting),
        "interrupted": status.interrupted,
        "rescued": status.rescued,
        "paused": status.paused,
        "ritual_open": status.ritual,
        "quarantined": status.quarantined,
        "locks": [
            {"path": str(lock.path), "seconds": lock.seconds, "ours": lock.is_ours} for lock in status.locks
        ],
    }


def _status_lines(
    app: App, history: History, status: Status, records: RecordsStatus, more: tuple[Outside, list[str]]
) -> list[str]:
    outside, decisions = more
    commit = status.commit_id[:12] if status.commit_id else "no commit yet"
    branch = status.branch.removeprefix("refs/heads/") or "no branch"
    waiting = _waiting_lines(app, status) + ([f"! {records.problem}"] if records.problem else [])
    waiting += [*outside_lines(outside), *decisions]
    return [
        f"{history.root}" if status.blocked else f"{history.root} on {branch} at {commit}",
        *(waiting or ["Everything is committed, and nothing is pending."]),
        *backup_lines(records),
        *hooks_lines(outside),
    ]


def _lock_line(lock: PresentLock) -> str:
    if lock.is_ours:
        return f"! {lock.path} was left by an interrupted change and blocks git. `clawgit keep` removes it."
    there = f"! {lock.path} has been there for {lock.seconds} seconds and blocks git and clawgit."
    return f"{there} If no git command is running, `clawgit doctor --fix` removes it."


def _waiting_lines(app: App, status: Status) -> list[str]:
    lines = []
    if status.blocked:
        lines.append(f"! {status.blocked}")
    if status.paused:
        lines.append(
            f"! The agents are paused since {status.paused}. `clawgit resume` lets them write again."
        )
    if status.interrupted:
        lines.append(
            "! A change was interrupted; the next command that writes finishes it, or `clawgit keep`."
        )
    lines += [_lock_line(lock) for lock in status.locks]
    if status.ritual:
        lines.append("  First-run setup is not finished (BOOTSTRAP.md still exists).")
    held = {finding.path for finding in status.held}
    lines += [f"! {finding.sentence} {finding.way_out}" for finding in status.held]
    open_edits = [path for path in status.edits if path not in held]
    lines += [f"  not committed: {path} (`clawgit keep`)" for path in open_edits[:SHOWN]]
    if (more := len(open_edits) - SHOWN) > 0:
        lines.append(f"  ... and {more} more files that are not committed")
    lines += [f"  staged, for your `git commit`: {path}" for path in status.staged[:SHOWN]]
    lines += [
        "? The author of the files that you adopted is unknown. If you wrote or checked them:"
        f" `clawgit keep --as operator {commit_id[:12]}`."
        for commit_id in status.unclaimed
    ]
    if status.rescued:
        lines.append(f"  {status.rescued} dropped change(s) are kept under refs/clawgit/rescue/.")
    return lines + wrong_setting_lines(app.in_force)


SHOWN = 20
LATEST = 20  # commits that are looked at for one that nobody vouched for


class Outside(NamedTuple):
    """What was found in commits that came otherwise, and how git's hooks stand."""

    arrivals: Arrivals
    hooks: HooksState
    strange: tuple[str, ...]
    host: str = ""
    connected: tuple[str, ...] = ()
    unvouched: tuple[str, ...] = ()


def read_outside(app: App, history: History) -> Outside:
    """Return what there is to say, and note that it is being said."""
    from clawgit.history.authorship.host_signs import host_seen
    from clawgit.history.authorship.vouching import connected_hosts
    from clawgit.history.doctor.risky_git_config import strange_things
    from clawgit.history.hooks.hooks_status import read_hooks_state
    from clawgit.workspace.user.trusted_programs import read_known

    arrivals = read_arrivals(history)
    if arrivals.new:
        from clawgit.history.reconcile import mark_told

        mark_told(history, arrivals)
    trusted = read_known(app.trust_file.parent, history.folder)
    strange = tuple(f"{thing.kind} {thing.name}" for thing in strange_things(history, trusted))
    host = host_seen(history.root, history.state)
    hooks, connected = read_hooks_state(history), connected_hosts(history)
    return Outside(arrivals, hooks, strange, host, connected, _unvouched(history) if connected else ())


def _unvouched(history: History) -> tuple[str, ...]:
    """Return the commits among the latest that nobody vouched for, and nobody claimed."""
    from clawgit.history.authorship.settings_in_force import claimed_commits
    from clawgit.history.authorship.vouching import authorship

    latest = islice(history.objects.first_parents(history.tip().commit_id), LATEST)
    names = [commit.commit_id for commit in latest]
    open_ones = authorship(history).unvouched - claimed_commits(history)
    return tuple(name for name in names if name in open_ones)


def outside_data(outside: Outside) -> dict[str, Any]:
    """Return what `status --json` says: every open finding, how many commits are unread, and the hooks."""
    return {
        "arrived": [_data(arrival) for arrival in outside.arrivals.open],
        "unread": outside.arrivals.unread,
        "hooks": {"installed": outside.hooks.installed, "problems": list(outside.hooks.problems)},
        "host": outside.host or None,
        "strange": list(outside.strange),
    }


def _data(arrival: Arrival) -> dict[str, Any]:
    return {
        "commit": arrival.commit_id,
        "actor": arrival.actor,
        "rule": arrival.rule,
        "path": arrival.path,
        "line": arrival.line,
        "sentence": arrival.sentence,
        "way_out": arrival.way_out,
        "new": not arrival.told,
    }


def outside_lines(outside: Outside) -> list[str]:
    """Return what `status` says: what is new in full, what was shown before as a number."""
    arrivals = outside.arrivals
    shown_whole = [each for each in arrivals.open if not each.is_offer and not each.told]
    lines = [f"! {arrival_line(arrival)}" for arrival in shown_whole[:SHOWN]]
    if len(shown_whole) > SHOWN:
        lines.append(f"! ... and {len(shown_whole) - SHOWN} more; `clawgit doctor` lists them all.")
    earlier = sum(each.told and not each.is_offer for each in arrivals.lasting)
    if earlier:
        lines.append(f"! {earlier} finding(s) in commits made without clawgit are open (`clawgit doctor`).")
    if arrivals.unread:
        lines.append(f"  {arrivals.unread:,} new commits are still to be read; each command reads some.")
    lines += [f"! {problem} `clawgit hooks install` mends it." for problem in outside.hooks.problems]
    if outside.unvouched:
        named = " ".join(name[:12] for name in outside.unvouched)
        lines.append(
            f"  {len(outside.unvouched)} commit(s) made with git that no hook looked at count as unknown."
            f" If they are yours: clawgit keep --as operator {named}"
        )
    if outside.strange:
        lines.append(
            f"! {len(outside.strange)} setting(s) or hook(s) of this repository can run programs, and you have not"
            " trusted them (`clawgit doctor`)."
        )
    return lines


def hooks_lines(outside: Outside) -> list[str]:
    """Return a hint where no hooks are installed, louder where a host works."""
    if outside.hooks.installed:
        return []
    if outside.connected:
        return [
            f"! {', '.join(outside.connected)} is connected, and git's hooks are not installed, so every `git commit` counts"
            " as unknown: `clawgit hooks install` ends that."
        ]
    if outside.host:
        return [
            f"! {outside.host} works here, and git's hooks are not installed, so its own `git commit` counts as yours:"
            " `clawgit hooks install` ends that."
        ]
    return ["  clawgit's git hooks are not installed (`clawgit hooks install`)"]


def arrival_line(arrival: Arrival) -> str:
    """Return one finding with its commit and the ways out; what is only remarked on needs nobody to accept it."""
    from clawgit.memory.entries.tiers import is_derived

    commit = arrival.commit_id[:12]
    said = f"In {commit} ({arrival.actor}, {arrival.subject!r}): {arrival.sentence} {arrival.way_out}"
    if not arrival.path:
        return said
    ways = []
    if not is_derived(arrival.path) and not arrival.is_offer:  # undo leaves rendered files alone
        ways.append(f"`clawgit undo {commit}` takes the commit back")
    if arrival.lasts:
        ways.append(f"`clawgit doctor --accept {commit} --reason ...` if it is meant so")
    return " ".join([said, "; ".join(ways) + "." if ways else ""]).rstrip()
