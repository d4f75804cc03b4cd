"""`clawgit run` and `runs`: an agent's run, and past runs."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from clawgit.agents.first_rearrangement import listings_in, would_move
from clawgit.agents.models.model import cost_of, spent_words
from clawgit.cli.app import App, command, limit_option, picked
from clawgit.cli.terminal import progress
from clawgit.memory.entries.entries import without_marks
from clawgit.memory.entries.tiers import is_export
from clawgit.operations import runs as run_operations
from clawgit.operations.changes import names_of
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import first_few, shown
from clawgit.workspace.records.records import RunNote, RunOutcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from clawgit.agents.run_agent import Rehearsed, RunReport
    from clawgit.history.git.repository import History
    from clawgit.history.reading.rearranged import Rearranged

    Reader: TypeAlias = Callable[[str], bytes | None]  # a file's text, None where there is none

MOST_LINES = 20  # lines of a file that are shown with a move
MOST_FILES, MOST_NEW = 5, 10  # files of a run whose new lines are shown, and lines of each
SHORT = 12  # letters of a commit


_AGENT = click.Choice(tuple(run_operations.ROUNDS))


@command("run")
@click.argument("agent", type=_AGENT, metavar="AGENT")
@click.option("--dry-run", is_flag=True, help="Say what it would do; change nothing.")
@click.option("--slot", default="", metavar="TIME", help="The time at which this run was due.")
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
            [_planned_data(each, history) for each in planned],
            lambda: _planned_lines(agent, planned, history),
        )
        return
    with progress(agent) as tell:
        reports = run_operations.run_agent(app, agent, slot, tell=tell)
    _report(app, history, agent, reports)


def _help() -> str:
    before, mark, examples = cleandoc(run_command.help or "").partition("\b\nExamples:")
    parts = [before.strip()]
    for name, agent in run_operations.ROUNDS.items():
        parts.append(f"{name} ({agent.when}): {' '.join(agent.says.split())}")
    return "\n\n".join([*parts, mark + examples])


run_command.help = _help()


@command("runs")
@click.option("--agent", type=_AGENT, metavar="AGENT", help="Only the runs of this agent.")
@limit_option
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
        note = report.note
        moves = run_operations.moves_of(history, note)
        items = report.planned.items if note.commit_id else ()
        entries = [{"entry": each.entry, "line": each.new} for each in items if not each.correction]
        rows.append(_run_data(note, price) | {"moved": [each.sentence for each in moves]})
        if agent == run_operations.MINER:
            rows[-1]["kept"] = entries
        if note.outcome is RunOutcome.NOTHING and len(reports) > 1:
            idle += 1
            continue
        lines.append(_run_line(note, zone, price))
        if note.commit_id and not items:
            before, after = run_operations.states_of(history, note.commit_id)
            summary = history.objects.commit(note.commit_id).subject
            paths = tuple(after.changed(before))
            lines += _change_lines(summary, moves, paths, before.read, after.read)
        for each in entries:
            lines.append(shown(f"    kept: {each['entry']} {each['line']}", keep_newlines=False))
        if note.commit_id:
            lines.append(f"    undo: clawgit undo {note.commit_id[:SHORT]}")
    if idle:
        many = len(reports)
        lines.append(f"{idle} of {many} runs changed nothing (`clawgit runs -n {many}` says why).")
    app.report(rows, lambda: lines or [f"Nothing is pending for the {agent}."])


def _change_lines(
    summary: str, moves: list[Rearranged], paths: tuple[str, ...], before: Reader, after: Reader
) -> list[str]:
    """Return the changes of a run in files: moves with examples, or else the new lines of each file."""
    lines = [] if moves else [f"    {shown(summary, keep_newlines=False)}"]
    for move in moves:
        lines.append(f"    {shown(move.sentence, keep_newlines=False)}")
        lines += [f"        {shown(line, keep_newlines=False)}" for line in move.lines[:MOST_LINES]]
    if moves:
        listed = listings_in(paths, after)
        if listed:
            lines.append(f"    {shown(listed, keep_newlines=False)}")
        return lines
    named: dict[str, list[str]] = {"new": [], "written": []}
    for path in sorted(paths):
        old = before(path)
        new = after(path)
        if new is None:
            continue
        what = "written"
        if old is None:
            what = "new"
        if len(paths) > MOST_FILES or is_export(path, new):  # a listing says what other files say
            named[what].append(path)
            continue
        words = _new_lines(old, new)
        lines.append(f"    {what}: {shown(path, keep_newlines=False)}")
        lines += map("        {}".format, first_few(words, MOST_NEW, "… and {} more lines"))
    for what, files in named.items():
        if files:
            lines.append(f"    {what}: {shown(names_of(tuple(files)), keep_newlines=False)}")
    return lines


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
    if note.reason:
        parts.append(note.reason)
    return "  ".join(parts)


def _planned_data(each: Rehearsed, history: History) -> dict[str, Any]:
    plan = each.planned.plan or Plan("")
    before = history.tip().tree.read
    after = _reader_of(plan)
    return {
        "input": each.input_id,
        "summary": plan.summary,
        "paths": list(plan.paths),
        "moved": [move.sentence for move in would_move(history, [each])],
        "lines": [line for path in plan.paths for line in _new_lines(before(path), after(path))],
        "evidence": [{"id": item.evidence_id, "quote": item.quote} for item in plan.evidence],
        "left_out": list(each.planned.left_out),
    }


def _reader_of(plan: Plan) -> Reader:
    texts = {edit.path: edit.data for edit in plan.edits}
    return texts.get


def _new_lines(before: bytes | None, after: bytes | None) -> list[str]:
    there = set(map(without_marks, split_lines(before or b"")))
    lines = []
    for line in map(without_marks, split_lines(after or b"")):
        if line.strip() and line not in there:
            lines.append(shown(line.decode("utf-8", "replace").rstrip()))
    return lines


def _planned_lines(agent: str, planned: list[Rehearsed], history: History) -> list[str]:
    lines = []
    for each in planned:
        name = each.input_id if ":" in each.input_id else agent  # of a message
        plan = each.planned.plan
        if plan is None:
            lines.append(f"{name}: nothing to do")
        else:
            files = "no file"
            if plan.paths:
                files = names_of(plan.paths)
            lines.append(f"{name}: would write {files}")
            before = history.tip().tree.read
            moves = would_move(history, [each])
            lines += _change_lines(plan.summary, moves, plan.paths, before, _reader_of(plan))
            for item in plan.evidence:
                lines.append(f'    on {item.evidence_id} "{shown(item.quote, keep_newlines=False)}"')
        lines += [f"    {reason}" for reason in each.planned.left_out]
    return lines or ["Nothing waits."]


@command("pause")
@click.argument("reason", required=False, default="")
def pause_command(app: App, reason: str) -> None:
    """Stop the agents from writing.

    You and your agent can still write. `clawgit resume` ends the pause.

    \b
    Example:
      clawgit pause "Reviewing what the miner did."
    """
    app.report({"paused": run_operations.pause_agents(app, reason)})


@command("resume")
def resume_command(app: App) -> None:
    """Let the agents write again.

    It also says that the clock is right where jobs wait because it jumped ahead.
    """
    run_operations.resume_agents(app)
    app.report({"paused": None})
