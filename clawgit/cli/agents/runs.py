"""`clawgit run` and `runs`: letting an agent work once, and what became of it."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.models.model import cost_of, spent_words
from clawgit.cli.agents.agent_rounds import ROUNDS, rehearsed, worked
from clawgit.cli.app import App, Command
from clawgit.cli.terminal import progress
from clawgit.errors import ExitCode, UsageError
from clawgit.memory.entries.entry_marks import without_marks
from clawgit.operations.changes import say_kept
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.records.records import RunOutcome

if TYPE_CHECKING:
    from datetime import tzinfo

    from clawgit.agents.run_agent import Rehearsed, RunReport
    from clawgit.history.git.repository import History
    from clawgit.history.reading.rearranged import Move
    from clawgit.workspace.records.records import RunNote

VALIDATOR, MINER = "recall-validator", "memory-miner"


@click.command("run", cls=Command)
@click.argument("agent", type=click.Choice(tuple(ROUNDS)), metavar="AGENT")
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
      clawgit run recall-validator --json
    """
    from clawgit.history.git.repository import refuse_odd_state

    history = app.history()
    due = _slot_time(app, history, slot)
    if agent == MINER:
        _tell_what_waits(app, history)
    if dry_run:
        planned = rehearsed(app, history, agent)
        app.report(
            [_planned_data(each, history) for each in planned], lambda: _planned_lines(planned, history)
        )
        return
    refuse_odd_state(history)  # before a model is asked, whose answer could not be written
    with progress(agent, is_even=agent == VALIDATOR) as tell:
        reports = worked(app, history, agent, due, tell)
    _report(app, history, agent, reports)


def _slot_time(app: App, history: History, told: str) -> str:
    """Return the time of a slot as runs and changes name it, empty where none is told."""
    if not told:
        return ""
    slot = app.moment(told, history)
    if slot > app.now(history):
        raise UsageError(
            f"{told} is still to come, so no run was due then.", hint="Name the time that has passed."
        )
    return slot.isoformat(timespec="minutes")


def _tell_what_waits(app: App, history: History) -> None:
    from clawgit.agents.memory_miner import held_back

    count = held_back(history, app.now(history))
    if count:
        messages = "1 message is" if count == 1 else f"{count:,} messages are"
        app.say(
            f"{messages} held back for the recall-validator, for at most a day. Run `clawgit run {VALIDATOR}` first."
        )
    if app.in_force is not None and "model" in app.in_force.waiting:
        app.say(
            "The new `model` needs `clawgit approve model`. Until then the earlier model is used, or rules do the work."
        )


def _help() -> str:
    """Return the command's help with what each agent does before the examples."""
    parts = [f"{name} ({found.when}): {' '.join(found.says.split())}" for name, found in ROUNDS.items()]
    before, mark, examples = cleandoc(run_command.help or "").partition("\b\nExamples:")
    return "\n\n".join([before.strip(), *parts, mark + examples])


run_command.help = _help()


@click.command("runs", cls=Command)
@click.option(
    "--agent", type=click.Choice(tuple(ROUNDS)), metavar="AGENT", help="Only the runs of this agent."
)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most so many."
)
@click.pass_obj
def runs_command(app: App, agent: str | None, limit: int) -> None:
    """List what the agents' runs changed.

    Newest first. A run that changed nothing says why.

    \b
    Examples:
      clawgit runs
      clawgit runs --agent recall-validator -n 5 --json
    """
    from clawgit.workspace.records.records import RECORDS, open_records

    history = app.history()
    now = app.now(history)
    with open_records(history.state / RECORDS, now) as records:
        found = records.runs(limit=limit, agent=agent or "")
    price = history.settings.model_price
    app.report(
        [run_data(note, price) for note in found],
        lambda: [run_line(note, now.tzinfo, price) for note in found] or ["No runs."],
    )


def _report(app: App, history: History, agent: str, reports: list[RunReport]) -> None:
    for report in reports:
        say_kept(app, report.kept)
    if any(report.note.outcome is RunOutcome.REFUSED for report in reports):
        app.exit_code = ExitCode.REFUSED
    zone = app.now(history).tzinfo
    price = history.settings.model_price
    rows = []
    for report in reports:
        row = run_data(report.note, price)
        row["moved"] = [each.sentence for each in _moves(history, report.note)]
        if agent == MINER:
            row["kept"] = _kept(report)
        rows.append(row)

    def lines() -> list[str]:
        shown_lines = []
        for report in reports:
            shown_lines.append(run_line(report.note, zone, price))
            shown_lines += _move_lines(history, report.note)
            shown_lines += _kept_lines(report)
        return shown_lines or [f"Nothing is pending for the {agent}."]

    app.report(rows, lines)


def _moves(history: History, note: RunNote) -> tuple[Move, ...]:
    """Return what a run moved, merged and removed."""
    if not note.commit_id:
        return ()
    from clawgit.history.reading.rearranged import read_moves

    parents = history.objects.commit(note.commit_id).parent_ids
    return read_moves(history, parents[0] if parents else None, note.commit_id).moves


def _move_lines(history: History, note: RunNote) -> list[str]:
    moves = _moves(history, note)
    lines = [f"    {shown(each.sentence, keep_newlines=False)}" for each in moves]
    return [*lines, f"    undo: {moves[0].command}"] if moves else []


def _kept(report: RunReport) -> list[dict[str, str]]:
    """Return the entries that a run kept, or heard again; none where it changed nothing."""
    items = report.planned.items if report.note.commit_id else ()
    return [{"entry": each.entry, "line": each.new} for each in items if not each.correction]


def _kept_lines(report: RunReport) -> list[str]:
    return [shown(f"    kept: {each['entry']} {each['line']}", keep_newlines=False) for each in _kept(report)]


def run_data(note: RunNote, price: float) -> dict[str, Any]:
    """Return a run as other programs read it; the cost is None where no price is set."""
    return {
        "run": note.run_id,
        "agent": note.agent,
        "slot": note.slot,
        "at": note.at.isoformat(timespec="seconds"),
        "outcome": note.outcome.value,
        "commit": note.commit_id or None,
        "edits": note.edits,
        "tokens": note.tokens,
        "cost": cost_of(note.tokens, price) if price else None,
        "reason": note.reason,
        "op": note.op,
    }


def run_line(note: RunNote, zone: tzinfo | None, price: float) -> str:
    """Return a run on one line."""
    spent = f"  {spent_words(note.tokens, price)}" if note.tokens else ""
    commit = f"  {note.commit_id[:12]}" if note.commit_id else ""
    reason = f"  {note.reason}" if note.reason else ""
    return f"{note.at.astimezone(zone):%Y-%m-%d %H:%M}  {note.run_id}  {note.outcome.value}{commit}{spent}{reason}"


def _planned_data(each: Rehearsed, history: History) -> dict[str, Any]:
    plan = each.planned.plan or Plan("")
    return {
        "input": each.input_id,
        "summary": plan.summary,
        "paths": list(plan.paths),
        "lines": [line for path in plan.paths for line in _new_lines(plan, path, history)],
        "evidence": [{"id": item.evidence_id, "quote": item.quote} for item in plan.evidence],
        "left_out": list(each.planned.left_out),
    }


def _new_lines(plan: Plan, path: str, history: History) -> list[str]:
    """Return the lines that a plan would bring into a file, without ids."""
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
        for path in plan.paths:
            lines.append(f"    would write {path}")
            lines += [f"        {line}" for line in _new_lines(plan, path, history)]
        for item in plan.evidence:
            lines.append(f'    on {item.evidence_id} "{shown(item.quote, keep_newlines=False)}"')
        lines += [f"    {reason}" for reason in each.planned.left_out]
    return lines or ["Nothing waits."]
