"""`clawgit run` and `runs`: letting an agent work once, and what became of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.models.token_cost import cost_of, spent_words
from clawgit.cli.app import App, Command
from clawgit.cli.change_output import say_kept
from clawgit.cli.vector_wiring import enhanced_vectors
from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.memory.entries.entry_marks import without_marks
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.records.record_notes import RunOutcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.run_agent import Rehearsed, RunReport
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import RunNote

VALIDATOR, MINER = "recall-validator", "memory-miner"
THERE = (VALIDATOR, MINER)


@click.command("run", cls=Command)
@click.argument("agent", type=click.Choice(AGENT_NAMES), metavar="AGENT")
@click.option("--dry-run", is_flag=True, help="Say what it would do; change nothing.")
@click.option("--slot", default="", metavar="TIME", help="The time at which this run was due.")
@click.pass_obj
def run_command(app: App, agent: str, dry_run: bool, slot: str) -> None:
    """Let AGENT do what waits for it: each piece of work is one change, or a record of why there is none.

    The recall-validator reads the messages in which triage heard you correct the agent. Of each it says what came of
    it: set right (the entry says it, CORRECTIONS.md why, and a search brings it first), asks (`clawgit status` shows
    the entry and a line), noted, or nothing. The `model` of CONFIG.md reads first, where there is one; rules take what
    it leaves. The same message is never dealt with twice; `clawgit undo RUN` takes a run back.

    The memory-miner reads messages that nobody mined, flagged ones first, and the notes of the last week. Decisions,
    lessons, facts and events become entries, each on a message and a quote: your own words in MEMORY.md, in one change, all
    else in memory/learned.md, in one for each trust. What is remembered already is a mention; a correction wins. Rules do it, or the
    `model` of CONFIG.md, whose answer counts only where all of it was said. A message that may correct the agent is the
    recall-validator's first: the miner waits a day for that.

    \b
    Examples:
      clawgit run memory-miner --dry-run
      clawgit run recall-validator
      clawgit run recall-validator --dry-run
      clawgit run recall-validator --json
    """
    if agent not in THERE:
        raise ClawgitError(f"The {agent} cannot be run yet.", hint=f"These can: {', '.join(THERE)}.")
    from clawgit.history.git.repository import refuse_odd_state

    history = app.history()
    due = _slot_time(app, history, slot)
    if agent == MINER:
        _tell_what_waits(app, history)
    if dry_run:
        planned = _rehearsed(app, history, agent)
        app.report(
            [_planned_data(each, history) for each in planned], lambda: _planned_lines(planned, history)
        )
        return
    refuse_odd_state(history)  # before a model is asked, whose answer could not be written
    _report(app, history, agent, _worked(app, history, agent, due))


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
    from clawgit.agents.miner.mining_round import held_back

    count = held_back(history, app.now(history))
    if count:
        waiting = "1 message waits" if count == 1 else f"{count:,} messages wait"
        app.say(
            f"{waiting} for the recall-validator, for a day at most: `clawgit run {VALIDATOR}` comes first."
        )
    if app.in_force is not None and "model" in app.in_force.waiting:
        app.say("model waits for `clawgit trust model`; the model set before is asked, or rules do the work.")


def _rehearsed(app: App, history: History, agent: str) -> list[Rehearsed]:
    from clawgit.agents.miner.mining_round import rehearse_mining
    from clawgit.agents.validator.validation_round import rehearse_validation

    if agent == MINER:
        return rehearse_mining(history, app.now(history), askers=_askers(app, history, agent))
    return rehearse_validation(history, app.now(history), askers=_askers(app, history, agent))


def _askers(app: App, history: History, agent: str) -> Callable[[str], Asker | None] | None:
    """Return who asks the model for a run; None where there is no model, and rules do the work."""
    from clawgit.cli.model_wiring import asker_for

    return None if asker_for(app, history, agent) is None else partial(asker_for, app, history)


def _worked(app: App, history: History, agent: str, slot: str) -> list[RunReport]:
    from clawgit.agents.miner.mining_round import mine
    from clawgit.agents.validator.validation_round import validate

    if agent == MINER:
        return mine(history, app.now(history), slot=slot, askers=_askers(app, history, agent))
    askers, vectors = _askers(app, history, agent), enhanced_vectors(app, history)
    return validate(history, app.now(history), slot=slot, vectors=vectors, askers=askers)


@click.command("runs", cls=Command)
@click.option("--agent", type=click.Choice(AGENT_NAMES), metavar="AGENT", help="Only the runs of this agent.")
@click.option(
    "-n", "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most so many."
)
@click.pass_obj
def runs_command(app: App, agent: str | None, limit: int) -> None:
    """List the runs of the agents, the newest first: what each changed, or why it changed nothing.

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
    zone, price = app.now(history).tzinfo, history.settings.model_price
    app.report(
        [run_data(report.note, price) for report in reports],
        lambda: (
            [run_line(report.note, zone, price) for report in reports] or [f"Nothing waits for the {agent}."]
        ),
    )


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
    plan = each.planned.plan
    return {
        "input": each.input_id,
        "summary": plan.summary if plan else "",
        "paths": list(plan.paths) if plan else [],
        "lines": [line for path in (plan.paths if plan else ()) for line in _new_lines(each, path, history)],
        "evidence": [
            {"id": item.evidence_id, "quote": item.quote} for item in (plan.evidence if plan else ())
        ],
        "left_out": list(each.planned.left_out),
    }


def _new_lines(each: Rehearsed, path: str, history: History) -> list[str]:
    """Return the lines that a plan would bring into a file, without ids."""
    data = (
        next((edit.data for edit in each.planned.plan.edits if edit.path == path), None)
        if each.planned.plan
        else None
    )
    there = {without_marks(line) for line in split_lines(history.tip().tree.read(path) or b"")}
    new = (without_marks(line) for line in split_lines(data or b""))
    return [
        shown(line.decode("utf-8", "replace").rstrip()) for line in new if line not in there and line.strip()
    ]


def _planned_lines(planned: list[Rehearsed], history: History) -> list[str]:
    lines = []
    for each in planned:
        plan = each.planned.plan
        lines.append(f"{each.input_id}: {plan.summary if plan else 'nothing to do'}")
        for path in plan.paths if plan else ():
            lines.append(f"    would write {path}")
            lines += [f"        {line}" for line in _new_lines(each, path, history)]
        for item in plan.evidence if plan else ():
            lines.append(f'    on {item.evidence_id} "{shown(item.quote, keep_newlines=False)}"')
        lines += [f"    {reason}" for reason in each.planned.left_out]
    return lines or ["Nothing waits."]
