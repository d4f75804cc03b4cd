"""`clawgit run` and `runs`: letting an agent work once, and what became of it."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.first_rearrangement import sentences_of
from clawgit.agents.models.model import cost_of, spent_words
from clawgit.cli.agents.runner_output import reason_below
from clawgit.cli.app import App, Command, limit_option, picked
from clawgit.cli.terminal import progress
from clawgit.memory.entries.entries import without_marks
from clawgit.operations import runs as run_operations
from clawgit.operations.changes import names_of
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from datetime import tzinfo

    from clawgit.agents.run_agent import Rehearsed, RunReport
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import RunNote


MOST_LINES = 20  # of a file that are named where they were removed


@click.command("run", cls=Command)
@click.argument("agent", type=click.Choice(tuple(run_operations.ROUNDS)), metavar="AGENT")
@click.option("--dry-run", is_flag=True, help="Say what it would do; change nothing.")
@click.option("--slot", default="", metavar="TIME", help="The time at which this run was due.")
@click.pass_obj
def run_command(app: App, agent: str, dry_run: bool, slot: str) -> None:
    """Run AGENT on its pending work.

    Each item becomes one commit, or a logged reason why not.

    The `model` of CONFIG.md reads first, where there is one, and rules check what it says; without one they do what is
    plain. The same input is never dealt with twice; `clawgit undo RUN` takes a run back.

    \b
    Examples:
      clawgit run memory-miner --dry-run
      clawgit run recall-validator
    """
    history = app.history()
    if dry_run:
        planned = run_operations.rehearse_run(app, agent, slot)
        app.report(
            [_planned_data(each, history) for each in planned], lambda: _planned_lines(planned, history)
        )
        return
    with progress(agent) as tell:
        reports = run_operations.run_agent(app, agent, slot, tell=tell)
    _report(app, history, agent, reports)


def _help() -> str:
    parts = [
        f"{name} ({found.when}): {' '.join(found.says.split())}"
        for name, found in run_operations.ROUNDS.items()
    ]
    before, mark, examples = cleandoc(run_command.help or "").partition("\b\nExamples:")
    return "\n\n".join([before.strip(), *parts, mark + examples])


run_command.help = _help()


@click.command("runs", cls=Command)
@click.option(
    "--agent",
    type=click.Choice(tuple(run_operations.ROUNDS)),
    metavar="AGENT",
    help="Only the runs of this agent.",
)
@limit_option
@click.pass_obj
def runs_command(app: App, agent: str | None, limit: int) -> None:
    """List what the agents' runs changed.

    Newest first. A run that changed nothing says why.

    \b
    Examples:
      clawgit runs
      clawgit runs --agent recall-validator -n 5 --json
    """
    history = app.history()
    runs = run_operations.list_runs(app, agent or "", limit)
    zone = app.now(history).tzinfo
    price = history.settings.model_price
    app.report(
        [_run_data(note, price) for note in runs],
        lambda: [_run_line(note, zone, price) for note in runs] or ["No runs."],
    )


def _report(app: App, history: History, agent: str, reports: list[RunReport]) -> None:
    zone = app.now(history).tzinfo
    price = history.settings.model_price
    rows = []
    lines = []
    idle = 0
    for report in reports:
        moves = run_operations.moves_of(history, report.note)
        items = report.planned.items if report.note.commit_id else ()
        entries = [{"entry": each.entry, "line": each.new} for each in items if not each.correction]
        row = _run_data(report.note, price) | {"moved": [each.sentence for each in moves]}
        if agent == run_operations.MINER:
            row["kept"] = entries
        rows.append(row)
        if report.note.outcome is RunOutcome.NOTHING and len(reports) > 1:
            idle += 1
            continue
        lines.append(_run_line(report.note, zone, price))
        for move in moves:
            lines.append(f"    {shown(move.sentence, keep_newlines=False)}")
            for line in move.lines[:MOST_LINES]:
                lines.append(f"        {shown(line, keep_newlines=False)}")
        if moves:
            lines.append(f"    undo: {moves[0].command}")
        for each in entries:
            lines.append(shown(f"    kept: {each['entry']} {each['line']}", keep_newlines=False))
    if idle:
        lines.append(
            f"{idle} of {len(reports)} runs changed nothing (`clawgit runs -n {len(reports)}` says why)."
        )
    app.report(rows, lambda: lines or [f"Nothing is pending for the {agent}."])


def _run_data(note: RunNote, price: float) -> dict[str, Any]:
    return {
        **picked(note, "run=run_id agent slot"),
        "at": note.at.isoformat(timespec="seconds"),
        "outcome": note.outcome,
        "commit": note.commit_id or None,
        **picked(note, "edits tokens"),
        "cost": cost_of(note.tokens, price) if price else None,
        **picked(note, "reason op"),
    }


def _run_line(note: RunNote, zone: tzinfo | None, price: float) -> str:
    parts = [f"{note.at.astimezone(zone):%Y-%m-%d %H:%M}", note.run_id, note.outcome.value]
    if note.commit_id:
        parts.append(note.commit_id[:12])
    if note.tokens:
        parts.append(spent_words(note.tokens, price))
    below = reason_below(note.reason)
    if note.reason and not below:
        parts.append(note.reason)
    return "  ".join(parts) + below


def _planned_data(each: Rehearsed, history: History) -> dict[str, Any]:
    plan = each.planned.plan or Plan("")
    return {
        "input": each.input_id,
        "summary": plan.summary,
        "paths": list(plan.paths),
        "moved": sentences_of(history, [each]),
        "lines": [line for path in plan.paths for line in _new_lines(plan, path, history)],
        "evidence": [{"id": item.evidence_id, "quote": item.quote} for item in plan.evidence],
        "left_out": list(each.planned.left_out),
    }


def _new_lines(plan: Plan, path: str, history: History) -> list[str]:
    data = next((edit.data for edit in plan.edits if edit.path == path), None)
    there = {without_marks(line) for line in split_lines(history.tip().tree.read(path) or b"")}
    new = (without_marks(line) for line in split_lines(data or b""))
    return [
        shown(line.decode("utf-8", "replace").rstrip()) for line in new if line not in there and line.strip()
    ]


def _planned_lines(planned: list[Rehearsed], history: History) -> list[str]:
    lines = []
    for each in planned:
        plan = each.planned.plan or Plan("nothing to do")
        lines.append(f"{each.input_id}: {plan.summary}")
        moves = sentences_of(history, [each])
        for sentence in moves:
            lines.append(f"    {shown(sentence, keep_newlines=False)}")
        if moves:
            lines.append(f"    {len(plan.paths):,} files would be written: {names_of(plan.paths)}")
        for path in () if moves else plan.paths:
            lines.append(f"    would write {path}")
            lines += [f"        {line}" for line in _new_lines(plan, path, history)]
        for item in plan.evidence:
            lines.append(f'    on {item.evidence_id} "{shown(item.quote, keep_newlines=False)}"')
        lines += [f"    {reason}" for reason in each.planned.left_out]
    return lines or ["Nothing waits."]


@click.command("pause", cls=Command)
@click.argument("reason", required=False, default="")
@click.pass_obj
def pause_command(app: App, reason: str) -> None:
    """Stop the agents from writing.

    You and your agent can still write. `clawgit resume` ends the pause.

    \b
    Example:
      clawgit pause "Reviewing what the miner did."
    """
    app.report({"paused": run_operations.pause_agents(app, reason)}, list)


@click.command("resume", cls=Command)
@click.pass_obj
def resume_command(app: App) -> None:
    """Let the agents write again.

    It also says that the clock is right where jobs wait because it jumped ahead.
    """
    run_operations.resume_agents(app)
    app.report({"paused": None}, list)
