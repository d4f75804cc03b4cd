"""`clawgit run` and `runs`: letting an agent work once, and what became of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clawgit.agents.first_rearrangement import allow_first, needs_yes, note_first, sentences_of
from clawgit.agents.memory_miner import held_back
from clawgit.agents.models.model import cost_of, spent_words
from clawgit.agents.run_agent import Agent, Means, Rehearsed, RunReport
from clawgit.cli.app import App, Command, limit_option, picked
from clawgit.cli.terminal import progress
from clawgit.errors import ExitCode, UsageError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.pause import pause, paused_since, resume
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.memory.entries.entry_marks import without_marks
from clawgit.operations.changes import say_kept
from clawgit.operations.vector_wiring import enhanced_vectors
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.clock_looks import believe_clock, noted_jump
from clawgit.workspace.records.records import RECORDS, RunNote, RunOutcome, open_records
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from clawgit.agents.models.ask_model import Askers
    from clawgit.history.reading.rearranged import Move


class KnownAgent(NamedTuple):
    """What an agent does, in words; the module and class that do it; the setting of its times."""

    says: str
    kind: str
    setting: str = ""  # empty: whenever there is work

    @property
    def when(self) -> str:
        """Return when it runs unless CONFIG.md says otherwise."""
        slot = str(getattr(Settings(), self.setting, ""))
        daily = "daily " if slot[:1].isdigit() else ""
        return f"{daily}{slot}" if slot else "whenever there is work"

    def load(self) -> type[Agent]:
        """Import the class: each run loads its own agent alone."""
        module, _, name = self.kind.partition(":")
        kind: type[Agent] = getattr(import_module(f"clawgit.agents.{module}"), name)
        return kind


ROUNDS = {
    "recall-validator": KnownAgent(
        """Reads your messages that may correct the agent. Each one is applied, turned into a question (`clawgit
        status`), noted, or left. An applied correction is in the entry and in CORRECTIONS.md, and comes first
        in a search.""",
        "recall_validator:RecallValidator",
    ),
    "memory-miner": KnownAgent(
        """Reads new messages and the week's notes. Decisions, lessons, facts and events become entries, each with
        its message and quote: your words in MEMORY.md, all others in memory/learned.md. A message that may be a
        correction is left to the recall-validator for a day.""",
        "memory_miner:MemoryMiner",
        "cron_memory_miner",
    ),
    "conflict-detector": KnownAgent(
        """Compares changed entries with similar ones. Two that contradict each other are listed in CONFLICTS.md. A
        correction wins, and so does your own word that is 30 days newer; you decide the rest (`clawgit
        conflicts list`). The entry that lost is marked, not deleted.""",
        "conflict_detector:ConflictDetector",
        "cron_conflict_detector",
    ),
    "organizer": KnownAgent(
        """Gives entries a class, merges near-duplicates, and writes the listings in memory/structured/ and
        memory/INDEX.md. Keeps MEMORY.md under 200 lines by moving entries to topic files.""",
        "organizer:Organizer",
        "cron_organizer",
    ),
    "lessons-extractor": KnownAgent(
        """Reads transcripts. A command that failed, and the one that then worked, become a lesson in
        memory/lessons.md.""",
        "lessons_extractor:LessonsExtractor",
        "cron_lessons_extractor",
    ),
    "decay-engine": KnownAgent(
        """Moves expired entries to Archive/Entries/. `memory search --deep` still finds them.""",
        "decay_engine:DecayEngine",
        "cron_decay_engine",
    ),
    "memory-compactor": KnownAgent(
        """Writes a chronicle of each old month, and then moves its daily notes (older than `compaction_age_days`)
        to Archive/Daily/. Removes weak entries, repetitions and old wordings from MEMORY.md. Archives proven
        corrections.""",
        "compactor:MemoryCompactor",
        "cron_compactor_weekly",
    ),
    "vector-hygiene": KnownAgent(
        """Flags vectors of corrected or short-lived statements, and deletes them after a grace period. The
        statements stay.""",
        "hygiene:VectorHygiene",
        "cron_vector_hygiene",
    ),
    "promotion-review": KnownAgent(
        """Lists what of the week's notes is worth keeping for good. `clawgit memory promote --apply` moves it.""",
        "promotion:Review",
        "cron_promotion_review",
    ),
    "soul-keeper": KnownAgent(
        """Turns your standing orders ("always", "never", "from now on", "stop") into principles in SOUL.md, in
        your words, with their dates. Needs two messages, or one that is a correction. At most three a run,
        within `soul_max_tokens`. What you took back or rejected does not come again from the same messages.""",
        "soul_keeper:SoulKeeper",
        "cron_soul_keeper",
    ),
}


def rehearsed(app: App, history: History, agent: str) -> list[Rehearsed]:
    """Return what an agent would do now."""
    return ROUNDS[agent].load().rehearse_round(history, app.now(history), _means(app, history, agent))


def worked(
    app: App, history: History, agent: str, slot: str, tell: Callable[[int, int], None]
) -> list[RunReport]:
    """Let an agent do what is there for it; ``tell`` takes how much is done, where the agent counts."""
    means = _means(app, history, agent, slot, tell)
    is_his = app.actor == OPERATOR and not slot
    if not is_his and needs_yes(history, agent) and note_first(history, agent, app.now(history)):
        means = replace(means, may_move=False)
    return ROUNDS[agent].load().run_round(history, app.now(history), means)


def _means(
    app: App,
    history: History,
    agent: str,
    slot: str = "",
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Means:
    @cache
    def askers() -> Askers | None:
        from clawgit.operations.model_wiring import asker_for

        return None if asker_for(app, history, agent) is None else partial(asker_for, app, history)

    return Means(slot, askers, lambda: enhanced_vectors(app, history), tell)


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
    if app.actor == OPERATOR and not due:
        _note_yes(app, history, agent, reports)
    _report(app, history, agent, reports)


def _note_yes(app: App, history: History, agent: str, reports: list[RunReport]) -> None:
    """Take a run that the operator typed and that moved something as his yes to the runs of the schedule."""
    if not any(_moves(history, report.note) for report in reports) or not needs_yes(history, agent):
        return
    allow_first(history, agent, app.intent(history))
    app.say(
        f"You ran it yourself, so from now on the {agent} does this at its time, without a question."
        f" `clawgit config set {ROUNDS[agent].setting} off` stops it."
    )


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
    parts = [f"{name} ({found.when}): {' '.join(found.says.split())}" for name, found in ROUNDS.items()]
    before, mark, examples = cleandoc(run_command.help or "").partition("\b\nExamples:")
    return "\n\n".join([before.strip(), *parts, mark + examples])


run_command.help = _help()


@click.command("runs", cls=Command)
@click.option(
    "--agent", type=click.Choice(tuple(ROUNDS)), metavar="AGENT", help="Only the runs of this agent."
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
            shown_lines += [
                shown(f"    kept: {each['entry']} {each['line']}", keep_newlines=False)
                for each in _kept(report)
            ]
        return shown_lines or [f"Nothing is pending for the {agent}."]

    app.report(rows, lines)


def _moves(history: History, note: RunNote) -> tuple[Move, ...]:
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


def run_data(note: RunNote, price: float) -> dict[str, Any]:
    return {
        **picked(note, "run=run_id agent slot"),
        "at": note.at.isoformat(timespec="seconds"),
        "outcome": note.outcome,
        "commit": note.commit_id or None,
        **picked(note, "edits tokens"),
        "cost": cost_of(note.tokens, price) if price else None,
        **picked(note, "reason op"),
    }


def run_line(note: RunNote, zone: tzinfo | None, price: float) -> str:
    """Return a run on one line."""
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
            lines.append(f"    {len(plan.paths):,} files would be written")
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
    app.only_operator("pause the agents")
    history = app.history()
    pause(history, reason, app.now(history))
    app.say("The agents are paused. `clawgit resume` lets them write again.")
    app.report({"paused": paused_since(history)}, list)


@click.command("resume", cls=Command)
@click.pass_obj
def resume_command(app: App) -> None:
    """Let the agents write again.

    It also says that the clock is right where jobs wait because it jumped ahead.
    """
    app.only_operator("let the agents write again")
    history = app.history()
    now = app.now(history)
    was_paused = resume(history)
    has_jumped = bool(noted_jump(history.state, now))
    if has_jumped:
        believe_clock(history.state, now, app.steady())
        app.say("The clock is right: jobs that move, merge or archive notes run again.")
    if was_paused or not has_jumped:
        app.say("The agents may write again." if was_paused else "The agents were not paused.")
    app.report({"paused": None}, list)
