"""`clawgit status`: the workspace, pending items, and commits made without clawgit."""

from __future__ import annotations

import os
from collections import Counter
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from clawgit.cli.agents.runner_output import next_job_lines, runner_data, trouble_lines, unread_line
from clawgit.cli.app import App, command, finding_data, picked
from clawgit.cli.memory.entry_output import conflict_data, correction_data
from clawgit.cli.pending import pending_data, pending_lines
from clawgit.cli.workspace.backup import backup_data, backup_lines
from clawgit.history.authorship.actors import HOST, OPERATOR, UNKNOWN
from clawgit.memory.entries.tiers import is_derived, is_identity, is_standing
from clawgit.operations.changes import held_lines
from clawgit.operations.status import Loss, OutsideFindings, StatusReport, get_status, lines_beside
from clawgit.operations.wiring.open_settings import wrong_setting_lines, wrong_settings
from clawgit.pending.queue import PendingKind
from clawgit.text.safety.control_characters import counted, few, first_few, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.history.provenance.statement_changes import StatementChange
    from clawgit.history.review.arrivals import Arrival

SHOWN = 20
NEWS = 3  # rows of a kind: a phone's screen


@command("status")
def status_command(app: App) -> None:
    """Show the workspace's state and what needs you.

    \b
    Example:
      clawgit status
    """
    app.take_only_one()
    report = get_status(app)
    app.report(status_data(report), lambda: status_lines(report))


def status_data(report: StatusReport) -> dict[str, Any]:
    status = report.status
    outside = report.outside
    error = report.messages_problem
    changed: list[dict[str, Any]] = []
    if report.changes:
        from clawgit.cli.soul.log import row_data

        changed = list(map(row_data, report.changes))
    arrived = []
    for arrival in outside.arrivals.open:
        about = picked(arrival, "commit=commit_id actor rule path line sentence way_out")
        arrived.append(about | {"new": not arrival.told})
    runner = None
    if report.jobs is not None:
        runner = runner_data(report.jobs) | {"clock_jump": report.clock_jump}
    left_out = []
    for each in report.ledger.demoted:
        left_out.append({"path": each.path, "since": each.entry.at, "is_out": each.is_out})
    return {
        "workspace": report.root,
        "branch": status.branch.removeprefix("refs/heads/"),
        **picked(status, "commit=commit_id blocked uncommitted=edits staged"),
        "held": [finding_data(finding) for finding in status.held],
        "lost": list(map(Loss._asdict, report.losses)),
        "proposals": [picked(item, "id=parked_id actor paths commit=commit_id") for item in status.proposals],
        **picked(status, "unreviewed"),
        "unclaimed": [*status.unclaimed, *outside.unvouched],
        "settings_waiting": sorted(report.in_force.waiting if report.in_force else ()),
        **picked(status, "interrupted rescued paused ritual_open=ritual quarantined"),
        "locks": [picked(lock, "path seconds ours=is_ours") for lock in status.locks],
        **backup_data(report.records),
        "arrived": arrived,
        "unread": outside.arrivals.unread,
        "hooks": picked(outside.hooks, "installed problems"),
        "host": outside.host or None,
        "strange": outside.strange,
        "messages_to_read": report.unread,
        "messages_problem": error.message if error else "",
        "open_corrections": [correction_data(each) for each in report.corrections],
        "open_conflicts": [conflict_data(each) for each in report.conflicts],
        "changed": changed,
        "moved": [picked(each, "sentence command is_loss lines") for each in report.moves],
        "settings_wrong": wrong_settings(report.in_force),
        "pending": pending_data(report.pending),
        "runner": runner,
        "service": _service_data(report),
        "left_out": left_out,
    }


def _service_data(report: StatusReport) -> dict[str, Any] | None:
    if not report.had_service:
        return None
    standing = report.service
    if standing is None:
        return {"runs": False}
    return {
        "runs": True,
        **picked(standing, "process since version"),
        "http": standing.http or None,
        "stale": standing.is_stale,
        "aside": standing.aside.get(str(report.root)),
        "problem": standing.problem or None,
        "worker": standing.worker or None,
    }


def status_lines(report: StatusReport) -> list[str]:
    status = report.status
    error = report.messages_problem
    branch = status.branch.removeprefix("refs/heads/") or "no branch"
    removed, moved = _moves_lines(report)
    waiting = [*_loss_lines(report.losses), *removed, *_waiting_lines(report)]
    if report.records.problem:
        waiting.append(f"! {report.records.problem}")
    waiting += _outside_lines(report.outside)
    questions = list(filter(lambda item: item.kind is not PendingKind.LOSS, report.pending))
    news = [*_changed_lines(report), *pending_lines(questions), *moved]
    if not waiting and not report.pending:
        news.append(_all_well(report, has_news=bool(news)))
    if report.are_held_new and len(report.held) < len(status.held):  # the others were named before
        count = counted(len(set(map(attrgetter("path"), status.held))), "file")
        news.append(f"  {count} left out of commits (`clawgit doctor`)")
    jobs = []
    if report.unread:
        jobs.append(f"  {unread_line(report.unread, report.settings, is_driven=report.is_driven)}")
    if report.jobs is not None and not report.clock_jump:  # the jump is pending
        jobs += trouble_lines(report.jobs)
    hooks = _hooks_lines(report.outside)
    if error:
        hooks.append(f"! {error.message} {error.hint}".rstrip())
    ledger = report.ledger
    sign = " " if ledger.is_replaced else "!"
    left_out = [f"{sign} {sentence} {ledger.way_out}" for sentence in ledger.sentences]
    if ledger.problem:
        left_out.append(f"! {ledger.problem}")
    return [
        f"{report.root}" if status.blocked else f"{report.root} on {branch}",
        *waiting,
        *news,
        *backup_lines(report.records),
        *hooks,
        *jobs,
        *_service_lines(report),
        *left_out,
        *map("  {}".format, adopted_lines(report.adopted)),
    ]


def _moves_lines(report: StatusReport) -> tuple[list[str], list[str]]:
    """Return what somebody else removed of memory, and the other moves."""
    removed, moved = [], []
    listed = " ".join(map(attrgetter("commit_id"), filter(attrgetter("was_his"), report.changes)))
    for each in report.moves:
        says = shown(each.sentence, keep_newlines=False)
        if each.is_grave:
            removed.append(f"! dropped: {says}, by {shown(each.whose)} (`{each.command}`)")
        elif each.is_loss and each.command.rpartition(" ")[2] in listed:
            continue  # line by line
        elif each.is_dropped:
            moved.append(f"  dropped: {says} (`{each.command}`)")
        else:
            moved.append(f"  moved: {says} (`{each.command}`)")
    return removed, moved


def _all_well(report: StatusReport, *, has_news: bool) -> str:
    sentence = "Nothing is pending."
    if report.links:
        sentence = "Nothing else is pending."
    if not report.status.held:
        sentence = f"Everything is committed, and {sentence.lower()}"
    if has_news:
        return sentence
    return f"Nothing new. {sentence}"


def _loss_lines(losses: Sequence[Loss]) -> list[str]:
    if not losses:
        return []
    from clawgit.history.review.working_tree_edits import AFTER_LOSS

    lines = []
    for each in losses:
        rest = AFTER_LOSS.get(each.command, "")
        if each.item:
            rest = f"takes the whole edit back; `clawgit reject {each.item}` keeps it and brings only what is lost back, `clawgit approve {each.item}` says that it is right so."
        lines.append(f"! {each.sentence} `{each.command}` {rest}")
    return lines


def _changed_lines(report: StatusReport) -> list[str]:
    """Return at most three changes of a kind and counts of the rest."""
    lines: list[str] = []
    more: list[str] = []
    unknown = dict.fromkeys(report.outside.unvouched)
    for name, rows in _by_kind(report).items():
        from clawgit.cli.soul.log import next_step, row_line
        from clawgit.history.provenance import statement_changes as changes

        most = {changes.AGAINST: len(rows), changes.FORGOTTEN: 1, changes.UNDONE: 1}.get(name, NEWS)
        for row in _first_rows(rows, most):
            says = row_line(row, report.records.at.date().isoformat())
            if name == changes.FORGOTTEN:  # an agent reads this, too
                says = f"a line of {row.path}"
                if row.committed_by:
                    says += f" ({row.committed_by})"
            if row.words in report.against and row.actor != OPERATOR:
                says += f", but you {report.against[row.words].done}: `clawgit undo {row.commit_id[:12]}`"
            step = next_step(row)
            if not step and row.actor in (HOST, UNKNOWN) and (is_identity(row.path) or is_standing(row.path)):
                step = f"→ `clawgit undo {row.commit_id[:12]} {row.path}`"  # it has no id, and names no file
            lines.append(f"  {name}: {says} {step}".rstrip())
            if row.actor == UNKNOWN and row.commit_id not in report.adopted:
                unknown[row.commit_id] = None
        if len(rows) > most:
            more.append(f"{len(rows) - most:,} {name}")
    if more:
        lines.append(f"  more: {', '.join(more)} (`clawgit log --since yesterday`)")
    if unknown:
        named = " ".join(name[:12] for name in unknown)
        lines.append(f"  If you wrote what has an unknown author: `clawgit keep --as operator {named}`")
    if report.links:
        from clawgit.understanding.corrections.ready_commands import line_proposed

        ready = ", a new line is ready" if any(map(line_proposed, report.links)) else ""
        lines.append(f"  later words beside {lines_beside(report.links)}{ready} (`clawgit pending`)")
    return lines


def _first_rows(rows: Sequence[StatementChange], most: int) -> list[StatementChange]:
    """Return the rows to show: others' before the operator's own, and of many the important ones first."""
    if len(rows) > most:
        from clawgit.context.longterm_slot import important_first

        rows = important_first(rows, lambda row: row.words or row.before)
    return sorted(rows, key=lambda row: row.actor == OPERATOR)[:most]


def adopted_lines(adopted: Mapping[str, Sequence[str]]) -> list[str]:
    lines = []
    for commit_id, paths in adopted.items():
        named = shown(few(paths, 1), keep_newlines=False)
        lines.append(f"adopted: {named}. Are they yours? `clawgit keep --as operator {commit_id[:12]}`")
    return lines


def _by_kind(report: StatusReport) -> dict[str, list[StatementChange]]:
    """Return the changes by kind, each of the newest first; a line is listed under one kind."""
    if not report.changes:
        return {}
    from clawgit.history.provenance import statement_changes as changes

    kinds: dict[str, list[StatementChange]] = {kind: [] for kind in changes.KINDS}
    lost = set(map(attrgetter("path"), report.losses))
    left_out = {row.entry_id for row in report.changes if row.verb == changes.LEFT_OUT}
    past: set[str] = set()  # words that later rows took away or changed
    rows = list(filter(lambda row: row.kind or row.verb == changes.WITHDRAWN, report.changes))
    earlier = Counter(map(attrgetter("words"), rows))
    listed: set[str] = set()
    for row in rows:
        if row.before:
            past.add(row.before)
        earlier[row.words] -= 1
        is_listed = row.words in listed  # by a later row
        is_again = is_listed or (earlier[row.words] > 0 and row.words not in report.against)
        passed = {
            changes.CORRECTED: is_listed,  # undone, and made again
            changes.REMOVED: not row.correction_id,  # by an own edit
            changes.UNDONE: not row.correction_id,  # one row of an undo has its way back
            changes.BACK: row.path in lost,
            changes.EDITED: row.path in lost and not row.is_in_words,
            changes.LEFT_OUT: bool(row.committed_by) or not row.correction_id,
            changes.REMEMBERED: is_again or row.entry_id in left_out,
        }
        if row.words in past or passed.get(row.verb):
            continue
        is_shown = row.verb != changes.EDITED or row.is_in_words or row.whose == UNKNOWN
        if is_shown and row.kind in kinds:
            kinds[row.kind].append(row)
            listed.add(row.words)
    return kinds


def _service_lines(report: StatusReport) -> list[str]:
    parts = []
    if report.had_service and report.service is not None:
        parts.append(f"The service runs (process {report.service.process}, since {report.service.since})")
    if report.jobs is not None:
        parts += next_job_lines(report.jobs, report.records.at.tzinfo, is_driven=report.is_driven)
    lines = [f"  {'; '.join(parts)}"] if parts else []
    if not report.had_service:
        return lines
    standing = report.service
    if standing is None:
        return [*lines, "! The service does not run (`clawgit up`)."]
    if standing.is_stale:
        lines.append("! Its code is older than what is installed: `clawgit down`, then `clawgit up`.")
    if str(report.root) in standing.aside:
        lines.append(f"! It leaves this workspace alone for now: {standing.aside[str(report.root)]}")
    elif not report.is_driven:
        lines.append("! This workspace is not registered: `clawgit up .` has the service look after it.")
    return lines + [f"! {problem}" for problem in (standing.problem, standing.worker) if problem]


def _waiting_lines(report: StatusReport) -> list[str]:
    status = report.status
    lines = []
    if status.blocked:
        lines.append(f"! {status.blocked}")
    if status.paused:
        lines.append(f"! The jobs are paused since {status.paused} (`clawgit resume`).")
    if status.interrupted:
        lines.append("! A change was interrupted; `clawgit keep` finishes it.")
    for lock in status.locks:
        if lock.is_ours:
            lines.append(
                f"! {lock.path} was left by an interrupted change and blocks git. `clawgit keep` removes it."
            )
        else:
            lines.append(
                f"! {lock.path} has been there for {lock.seconds} seconds and blocks git and clawgit."
                " If no git command is running, `clawgit doctor --fix` removes it."
            )
    if status.ritual:
        lines.append(
            "  First-run setup is not finished: your agent deletes BOOTSTRAP.md after its first conversation."
            " Without an agent: `rm BOOTSTRAP.md`, then `clawgit keep`."
        )
    held_paths = {finding.path for finding in (*status.held, *status.losses)}
    lines += map("! {}".format, held_lines(report.held))
    edits = filterfalse(held_paths.__contains__, status.edits)
    open_edits = []
    for path in edits:
        what = "not committed"
        if not os.path.lexists(report.root / path):
            what = "deleted, and that is not committed"
        open_edits.append(f"  {what}: {path} (`clawgit keep`)")
    lines += first_few(open_edits, SHOWN, "  ... and {} more files that are not committed")
    lines += [f"  staged, for your `git commit`: {path}" for path in status.staged[:SHOWN]]
    if status.rescued:
        lines.append(f"  {status.rescued} dropped change(s) are kept under refs/clawgit/rescue/.")
    return lines + wrong_setting_lines(report.in_force)


def _outside_lines(outside: OutsideFindings) -> list[str]:
    arrivals = outside.arrivals
    shown_whole = []
    for each in arrivals.open:
        if not each.is_loss and not each.told:
            sign = " "  # it is said once
            if each.lasts:  # `doctor` lists it, too
                sign = "!"
            shown_whole.append(f"{sign} {arrival_line(each)}")
    lines = first_few(shown_whole, SHOWN, "! ... and {} more; `clawgit doctor` lists them all.")
    earlier = sum(each.told and not each.is_loss for each in arrivals.lasting)
    if earlier:
        lines.append(f"! {earlier} finding(s) in commits made without clawgit are open (`clawgit doctor`).")
    lines += [f"! {problem} `clawgit hooks install` mends it." for problem in outside.hooks.problems]
    if outside.strange:
        lines.append(
            f"! {len(outside.strange)} setting(s) or hook(s) of this repository can run programs, and you have not"
            " trusted them (`clawgit doctor`)."
        )
    return lines


def _hooks_lines(outside: OutsideFindings) -> list[str]:
    if outside.hooks.installed or not (outside.connected or outside.host):
        return []
    who = f"{outside.host} works here"
    counts = "its own `git commit` counts as yours"
    if outside.connected:
        who = f"{', '.join(outside.connected)} is connected"
        counts = "every `git commit` counts as unknown"
    return [f"! {who}, and git's hooks are not installed, so {counts}: `clawgit hooks install` ends that."]


def arrival_line(arrival: Arrival) -> str:
    commit = arrival.commit_id[:12]
    sentence = f"In {commit} ({arrival.subject!r}): {arrival.sentence} {arrival.way_out}"
    undo = f"`clawgit undo {commit}`"
    # it leaves rendered files alone, and takes back no merge; of a pinned commit, the way out is it
    is_without = is_derived(arrival.path) or arrival.is_merge or arrival.is_off_branch
    ways = []
    if arrival.path and not is_without and undo not in arrival.way_out:
        ways.append(f"{undo} takes the commit back")
    if arrival.lasts:
        ways.append(f"`clawgit doctor --accept {commit} --reason ...` if it is meant so")
    if ways:
        sentence += f" {'; '.join(ways)}."
    return sentence.rstrip()
