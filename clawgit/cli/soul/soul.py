"""`clawgit soul`: the agent's identity, and its history."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, change_data, command, commit_lines, in_words, logged_data, picked
from clawgit.cli.lazy_group import LazyGroup
from clawgit.history.authorship import actors
from clawgit.operations import soul as soul_operations
from clawgit.operations.paths import user_path
from clawgit.text.safety.control_characters import counted, shown
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.states import SoulDrift
    from clawgit.history.views import ViewEntry
    from clawgit.workspace.settings.settings import Settings


_UNATTENDED = "unattended"
_DAYS_SHOWN = 30
_NO_CHANGE = dict.fromkeys(("commit", "at", "actor"))


def log_data(log: soul_operations.SoulLog) -> list[dict[str, Any]]:
    rows = []
    for change in log.changes:
        name = change.commit_id
        rows.append(
            logged_data(change) | {"unreviewed": name in log.unseen, "approval": log.levels.get(name)}
        )
    return rows


def log_lines(log: soul_operations.SoulLog, names: Mapping[str, str] = actors.AS_THEY_ARE) -> list[str]:
    lines = []
    for change in log.changes:
        outside = "" if change.op else " (outside clawgit)"
        marked = f" [snapshot {change.snapshot}]" if change.snapshot is not None else ""
        if change.commit_id in log.unseen:
            marked += " [unreviewed]"
        level = log.levels.get(change.commit_id, "")
        if level == _UNATTENDED:
            marked += " [approved, unattended]"
        elif level:
            marked += f" [approved by {names.get(actors.OPERATOR, 'the operator')}: {level}]"
        who = f"{change.signed_by(names)}{outside}"
        lines.append(f"{change.commit_id[:12]}  {change.at[:16]}  {who}: {change.subject}{marked}")
        if change.reason:
            lines.append(f"{'':14}why: {change.reason}")
        lines += [f"{'':14}evidence: {item}" for item in change.evidence]
    return lines or [log.none]


def state_data(state: tuple[str, str, bytes]) -> dict[str, Any]:
    commit_id, path, data = state
    return {"commit": commit_id, "path": path, "text": data.decode("utf-8", "replace")}


def proposal_data(proposal_id: str) -> dict[str, Any]:
    return {"outcome": "proposed", "proposal": proposal_id}


def changelog_data(changelog: tuple[list[ViewEntry], Settings]) -> list[dict[str, Any]]:
    rows = []
    for entry in changelog[0]:
        row = picked(entry, "op at actor summary reason evidence") | {"summary": redact(entry.summary)}
        changes = []
        for change in entry.changes:
            counts = {"added": len(change.came), "removed": len(change.left)}
            changes.append({"path": change.path, **counts})
        rows.append(row | {"outside": entry.op is None, "left_out": entry.left_out, "changes": changes})
    return rows


def changelog_lines(changelog: tuple[list[ViewEntry], Settings]) -> list[str]:
    from clawgit.history.views import CHANGELOG, render_log

    return render_log(CHANGELOG, *changelog).decode().rstrip("\n").split("\n")


COMMANDS = {  # with the first sentence of its help
    "log": ("soul.soul:log_command", "List the changes of the soul, newest first."),
    "show": ("soul.soul:show_command", "Print the soul at a commit or on a day."),
    "diff": ("soul.soul:diff_command", "Show how the soul changed from A to B."),
    "blame": ("soul.soul:blame_command", "Show which change each line comes from."),
    "drift": ("soul.soul:drift_command", "Show how far SOUL.md moved from a baseline."),
    "propose": ("soul.soul:propose_command", "Propose a line for SOUL.md."),
    "snapshot": ("soul.soul:snapshot_command", "Name the soul's present state."),
    "restore": ("soul.soul:restore_command", "Restore the soul to an earlier state."),
    "revert": ("soul.undo:revert_command", "Take back one change of the soul."),
    "export": ("soul.soul:export_command", "Write each version of SOUL.md into DIR."),
}
_reason = click.option(
    "--reason", required=True, callback=in_words, help="One sentence; it goes into the history."
)


_one_file = click.option("--file", "path", metavar="PATH", default=soul_operations.SOUL, show_default=True)


@click.group("soul", cls=LazyGroup, table=COMMANDS)
def soul_group() -> None:
    """Review and restore the agent's identity."""


@command("log")
@click.option("--file", "paths", multiple=True, metavar="PATH", help="The files; SOUL.md and IDENTITY.md.")
@click.option("-n", "--limit", type=click.IntRange(1, 100_000), help="At most so many changes.")
@click.option("--since", metavar="DAY", help="Only changes from that day on.")
def log_command(app: App, paths: tuple[str, ...], limit: int | None, since: str | None) -> None:
    """List the changes of the soul, newest first.

    Says of each when it was made, by whom, and on what evidence.

    \b
    Examples:
      clawgit soul log -n 5
      clawgit soul log --since "last week" --json
      clawgit soul log --file MEMORY.md
    """
    log = soul_operations.read_soul_log(app, limit, since, paths=paths)
    app.report(log_data(log), lambda: log_lines(log, app.names))


@command("show")
@click.argument("revision", metavar="REV|DATE", default="HEAD")
@_one_file
def show_command(app: App, revision: str, path: str) -> None:
    """Print the soul at a commit or on a day.

    \b
    Examples:
      clawgit soul show 2026-02-28
      clawgit soul show "1 hour ago"
      clawgit soul show HEAD~3 --file IDENTITY.md
    """
    state = soul_operations.show_soul(app, path, revision=revision)
    if app.as_json:
        app.report(state_data(state))
    elif sys.stdout.isatty():
        click.echo(shown(state[-1].decode("utf-8", "replace")), nl=False)
    else:
        click.echo(state[-1], nl=False)


@command("diff")
@click.argument("old", metavar="[A]", default="HEAD")
@click.argument("new", metavar="[B]", required=False)
@click.option("--file", "paths", multiple=True, metavar="PATH", help="The files; SOUL.md and IDENTITY.md.")
def diff_command(app: App, old: str, new: str | None, paths: tuple[str, ...]) -> None:
    """Show how the soul changed from A to B.

    Sorted by section. Without B, compare A with the files in the folder.

    A and B are commits, days or snapshots. A..B is the same as A B, and A.. ends at HEAD.

    \b
    Examples:
      clawgit soul diff
      clawgit soul diff Tuesday
      clawgit soul diff HEAD~5 HEAD
    """
    from clawgit.cli.diff_output import diff_lines, diffs_data

    diffs = soul_operations.diff_soul(app, old, new, paths=paths)
    if app.as_json:
        app.report(diffs_data(diffs))
        return
    for diff in diffs:
        for line in diff_lines(diff):
            click.echo(line)
    if not diffs:
        app.say("Nothing changed.")


@command("snapshot")
@click.option("-m", "--message", required=True, help="The snapshot's name, and the summary of your edits.")
def snapshot_command(app: App, message: str) -> None:
    """Name the soul's present state.

    Commits your edits of SOUL.md and IDENTITY.md first, if there are any.

    \b
    Example:
      clawgit soul snapshot -m "before the holidays"
    """
    _report_change(app, soul_operations.snapshot_soul(app, message))


@command("restore")
@click.argument("revision", metavar="REV|DATE|SNAPSHOT")
@_reason
@click.option("--file", "paths", multiple=True, metavar="PATH", help="The files; SOUL.md.")
def restore_command(app: App, revision: str, reason: str, paths: tuple[str, ...]) -> None:
    """Restore the soul to an earlier state.

    The restored state is a new commit. Later commits stay in the history.

    \b
    Examples:
      clawgit soul restore 2026-02-28 --reason "It became too harsh."
      clawgit soul restore "before the holidays" --reason "A fresh start." --file SOUL.md --file IDENTITY.md
    """
    paths = paths or (soul_operations.SOUL,)
    _report_change(app, soul_operations.restore_files(app, revision, reason, paths))


def _report_change(app: App, done: Recorded) -> None:
    app.report(change_data(done), lambda: commit_lines(done.commit_id))


@command("blame")
@click.argument("revision", metavar="REV|DATE", default="HEAD")
@_one_file
def blame_command(app: App, revision: str, path: str) -> None:
    """Show which change each line comes from.

    Says of each change who made it, when, and on what evidence.

    Changes that only touched white space or entry ids are looked through.

    \b
    Examples:
      clawgit soul blame
      clawgit soul blame 2026-02-28 --file MEMORY.md --json
    """
    lines = soul_operations.blame_soul(app, revision, path)
    rows = []
    texts = []
    for line in lines:
        rows.append({"line": line.number, "text": line.text, **logged_data(line.change)})
        change = f"{line.change.commit_id[:8]} {line.change.at[:10]} {line.change.actor:<17}"
        texts.append(f"{change} {line.number:>4}  {line.text}")
    app.report(rows, lambda: texts)


@command("export")
@click.argument("folder", metavar="DIR")
def export_command(app: App, folder: str) -> None:
    """Write each version of SOUL.md into DIR.

    Writes one file for each change and each snapshot.

    SOUL_HISTORY/ holds one copy a day and thins old ones; this leaves nothing out. Other files in DIR stay.

    \b
    Example:
      clawgit soul export ~/souls
    """
    from clawgit.history.states import export_soul

    names = export_soul(app.history(), user_path(folder))
    app.say(f"{counted(len(names), 'copy')} of SOUL.md in {folder}.")
    app.report({"folder": folder, "files": names}, lambda: names)


@command("propose")
@click.argument("text")
@click.option("--reason", required=True, callback=in_words, help="One sentence; the operator reads it.")
def propose_command(app: App, text: str, reason: str) -> None:
    """Propose a line for SOUL.md.

    It changes nothing until the operator approves it, whoever proposes it.

    \b
    Example:
      clawgit soul propose "I answer in short sentences." --reason "Three long answers were cut short by the user."
    """
    proposal_id = soul_operations.propose_line(app, text, reason)
    app.report(proposal_data(proposal_id), lambda: [proposal_id])


@command("changelog")
@click.option("--since", metavar="DAY", help="Only changes from that day on.")
def changelog_command(app: App, since: str | None) -> None:
    """Print each change of the agent's identity.

    Newest first, for SOUL.md and IDENTITY.md. Renews CHANGELOG.md and the other derived files.

    CHANGELOG.md, COMPACTION_LOG.md and SOUL_HISTORY/ come back as the history has them. An edit that somebody
    made in one of them is kept in quarantine first.

    \b
    Examples:
      clawgit changelog
      clawgit changelog --since "2 weeks ago"
    """
    changelog = soul_operations.read_identity_changes(app, since)
    app.report(changelog_data(changelog), lambda: changelog_lines(changelog))


@command("drift")
@click.option("--since", metavar="REV|DATE|SNAPSHOT", help="Measure from SOUL.md as it was then.")
def drift_command(app: App, since: str | None) -> None:
    """Show how far SOUL.md moved from a baseline.

    Shows the distance day by day, and the principles that differ.

    The baseline is the newest snapshot, else the first SOUL.md. `clawgit soul snapshot` sets a new one. Small steps
    add up: each day is compared with the baseline, not with the day before.

    \b
    Examples:
      clawgit soul drift
      clawgit soul drift --since "last month"
      clawgit soul drift --since "before the holidays" --json
    """
    most_days = 0 if app.as_json else _DAYS_SHOWN
    drift = soul_operations.measure_drift(app, since, most_days)
    app.report(drift_data(drift), lambda: _drift_lines(drift))


def drift_data(drift: SoulDrift) -> dict[str, Any]:
    days = []
    for day in drift.days:
        days.append(picked(day, "day distance changes actors") | {"distance": round(day.distance, 4)})
    principles = []
    for each, by in zip(drift.now.principles, drift.by, strict=True):
        row: dict[str, Any] = {"kind": each.kind, "distance": round(each.distance, 4), "by_meaning": None}
        row["old"] = each.old and picked(each.old, "section text line")
        row["new"] = each.new and picked(each.new, "section text line")
        principles.append(row | (picked(by, "commit=commit_id at actor") if by else _NO_CHANGE))
    return {
        "baseline": {"commit": drift.baseline.commit_id, "summary": drift.baseline.subject},
        "distance": round(drift.now.distance, 4),
        "by_meaning": None,  # it was measured once; programs may read the key
        "days": days,
        "principles": principles,
    }


def _drift_lines(drift: SoulDrift) -> list[str]:
    start = f"{drift.baseline.commit_id[:12]} ({drift.baseline.subject})"
    if not drift.days:
        return [f"SOUL.md has not changed since {start}."]
    lines = [f"{_percent(drift.now.distance)} of SOUL.md differs from {start}.", ""]
    for day in drift.days:
        changes = ""
        if day.changes > 1:
            changes = f" ({day.changes} changes)"
        lines.append(
            f"{day.day}  {_percent(day.distance):>4}  {', '.join(map(actors.in_words, day.actors))}{changes}"
        )
    for each, by in zip(drift.now.principles, drift.by, strict=True):
        here = each.new or each.old
        where = ""
        if here:
            where = " > ".join(here.section)
        lines += ["", f"{each.kind.value}{f', under {where}' if where else ''}"]
        if each.old:
            lines.append(f"  - {each.old.text}")
        if each.new:
            lines.append(f"  + {each.new.text}")
        if by:
            way_back = f"`clawgit undo {by.commit_id[:12]}`"
            lines.append(f"    {by.at[:10]} by {by.signed_by(actors.WHOSE)}: {by.subject} ({way_back})")
    return lines


def _percent(share: float) -> str:
    if 0 < share < 0.01:
        return "<1%"
    return f"{100 * share:.0f}%"
