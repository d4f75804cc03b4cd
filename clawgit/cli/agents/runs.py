"""`clawgit run`, `runs`, `pause` and `resume`: an agent's run, past runs, and agents that may not write."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from clawgit.agents.first_rearrangement import allow_first, listings_in, needs_yes, note_first, would_move
from clawgit.agents.memory_miner import held_back
from clawgit.agents.models.model import Askers, cost_of, spent_words
from clawgit.agents.run_agent import Agent, Means, Rehearsed, RunReport
from clawgit.cli.app import App, command, limit_option, picked
from clawgit.cli.terminal import progress
from clawgit.errors import ExitCode, UsageError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.intent import pause, paused_since, resume
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.history.reading.rearranged import Rearranged, read_rearranged
from clawgit.memory.entries.entries import without_marks
from clawgit.memory.entries.tiers import is_export
from clawgit.operations.changes import names_of, say_kept
from clawgit.operations.wiring.vector_wiring import enhanced_vectors
from clawgit.plan import Plan
from clawgit.text.markdown.lines import split_lines
from clawgit.text.safety.control_characters import counted, first_few, shown
from clawgit.workspace.records.records import RECORDS, RunNote, RunOutcome, open_records
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from clawgit.history.git.trees import Tree

    Reader: TypeAlias = Callable[[str], bytes | None]  # a file's text, None where there is none

VALIDATOR, MINER = "recall-validator", "memory-miner"
MOST_LINES = 20  # lines of a file that are shown with a move
MOST_FILES, MOST_NEW = 5, 10  # files of a run whose new lines are shown, and lines of each
SHORT = 12  # letters of a commit


class KnownAgent(NamedTuple):
    """What an agent does, in words; the module and class that do it; the setting of its times."""

    says: str
    kind: str
    setting: str = ""  # empty: whenever there is work

    @property
    def when(self) -> str:
        slot = str(getattr(Settings(), self.setting, ""))
        daily = "daily " if slot[:1].isdigit() else ""
        if slot:
            return f"{daily}{slot}"
        return "whenever there is work"

    def load(self) -> type[Agent]:
        module, _, name = self.kind.partition(":")
        kind: type[Agent] = getattr(import_module(f"clawgit.agents.{module}"), name)
        return kind


ROUNDS = {
    VALIDATOR: KnownAgent(
        """Reads your messages that may correct the agent: each is applied, asked (`clawgit status`), or left.""",
        "recall_validator:RecallValidator",
    ),
    MINER: KnownAgent(
        """Makes entries of your new messages, each with its message and quote.""",
        "memory_miner:MemoryMiner",
        "cron_memory_miner",
    ),
    "conflict-detector": KnownAgent(
        """Lists entries that contradict each other in CONFLICTS.md (`clawgit conflicts list`).""",
        "conflict_detector:ConflictDetector",
        "cron_conflict_detector",
    ),
    "organizer": KnownAgent(
        """Gives entries a class, merges near-duplicates, lists memory, keeps MEMORY.md under 200 lines.""",
        "organizer:Organizer",
        "cron_organizer",
    ),
    "lessons-extractor": KnownAgent(
        """Makes lessons of commands that failed and then worked, in transcripts.""",
        "lessons_extractor:LessonsExtractor",
        "cron_lessons_extractor",
    ),
    "decay-engine": KnownAgent(
        """Moves expired entries to Archive/Entries/. `memory search --deep` still finds them.""",
        "decay_engine:DecayEngine",
        "cron_decay_engine",
    ),
    "memory-compactor": KnownAgent(
        """Sums up old months in a chronicle, archives their notes and proven corrections, removes weak entries
        and repetitions.""",
        "compactor:MemoryCompactor",
        "cron_compactor_weekly",
    ),
    "vector-hygiene": KnownAgent(
        """Deletes vectors of corrected or short-lived statements. The statements stay.""",
        "hygiene:VectorHygiene",
        "cron_vector_hygiene",
    ),
    "promotion-review": KnownAgent(
        """Lists what of the week's notes is worth keeping for good. `clawgit memory promote --apply` moves it.""",
        "promotion:Review",
        "cron_promotion_review",
    ),
    "soul-keeper": KnownAgent(
        """Turns standing orders that you gave twice, or as a correction, into principles in SOUL.md.""",
        "soul_keeper:SoulKeeper",
        "cron_soul_keeper",
    ),
}

_AGENT = click.Choice(tuple(ROUNDS))


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
    if slot:
        due = app.moment(slot, history)
        if due > app.now(history):
            sentence = f"{slot} is still to come, so no run was due then."
            raise UsageError(sentence, hint="Name the time that has passed.")
        slot = due.isoformat(timespec="minutes")
    _tell_what_waits(app, history, agent)
    if dry_run:
        means = _means(app, history, agent)
        planned = ROUNDS[agent].load().rehearse_round(history, app.now(history), means)
        _report_planned(app, history, agent, planned)
        return
    refuse_odd_state(history)  # before a model is asked for an answer that could not be written
    with progress(agent) as tell:
        reports = _run(app, history, agent, replace(_means(app, history, agent), slot=slot, tell=tell))
    _report(app, history, agent, reports)


def _help() -> str:
    before, mark, examples = cleandoc(run_command.help or "").partition("\b\nExamples:")
    parts = [before.strip()]
    for name, agent in ROUNDS.items():
        parts.append(f"{name} ({agent.when}): {' '.join(agent.says.split())}")
    return "\n\n".join([*parts, mark + examples])


run_command.help = _help()


def _run(app: App, history: History, agent: str, means: Means) -> list[RunReport]:
    is_typed = app.actor == OPERATOR and not means.slot
    if not is_typed and needs_yes(history, agent) and note_first(history, agent, app.now(history)):
        means = replace(means, may_move=False)
    reports = ROUNDS[agent].load().run_round(history, app.now(history), means)
    for report in reports:
        say_kept(app, report.kept)
        if report.note.outcome is RunOutcome.REFUSED:
            app.exit_code = ExitCode.REFUSED
    if not is_typed or not needs_yes(history, agent):
        return reports
    if any(_moves_of(history, report.note) for report in reports):  # that is the yes to scheduled runs
        allow_first(history, agent, app.intent(history))
        app.say(
            f"You ran it yourself, so from now on the {agent} does this at its time, without a question."
            f" `clawgit config set {ROUNDS[agent].setting} off` stops it."
        )
    return reports


def _means(app: App, history: History, agent: str) -> Means:
    @cache
    def askers() -> Askers | None:
        from clawgit.operations.wiring.model_wiring import asker_for

        if asker_for(app, history, agent) is None:
            return None
        return partial(asker_for, app, history)

    return Means("", askers, lambda: enhanced_vectors(app, history))


def _tell_what_waits(app: App, history: History, agent: str) -> None:
    if agent != MINER:
        return
    count = held_back(history, app.now(history))
    if count:
        app.say(
            f"Held back for the recall-validator, for at most a day: {counted(count, 'message')}."
            f" Run `clawgit run {VALIDATOR}` first."
        )
    if "model" in app.held_settings:
        sentence = "The new `model` needs `clawgit approve model`. Until then the earlier model is used, or rules do the work."
        app.say(sentence)


@command("runs")
@click.option("--agent", type=_AGENT, metavar="AGENT", help="Only the runs of this agent.")
@click.option("--all", "whole", is_flag=True, help="Also the runs that changed nothing, and why.")
@limit_option
def runs_command(app: App, agent: str | None, whole: bool, limit: int) -> None:
    """List what the agents' runs changed.

    Newest first. --json has all runs.

    \b
    Examples:
      clawgit runs
      clawgit runs --agent recall-validator -n 5 --json
    """
    history = app.history()
    now = app.now(history)
    with open_records(history.state / RECORDS, now) as records:
        without = RunOutcome.NOTHING.value
        if whole or app.as_json:
            without = ""
        runs = records.runs(limit=limit, agent=agent or "", without=without)
        none = "No runs."
        if not runs and records.runs(limit=1, agent=agent or ""):
            none = "No run changed anything (`--all` lists them)."
    price = history.settings.model_price
    app.report(
        [_run_data(note, price) for note in runs],
        lambda: [_run_line(note, now.tzinfo, price) for note in runs] or [none],
    )


def _states_of(history: History, commit_id: str) -> tuple[Tree, Tree]:
    parents = history.objects.commit(commit_id).parent_ids
    return history.tree_of(parents[0] if parents else None), history.tree_of(commit_id)


def _moves_of(history: History, note: RunNote) -> list[Rearranged]:
    return read_rearranged(*_states_of(history, note.commit_id)) if note.commit_id else []


def _report(app: App, history: History, agent: str, reports: list[RunReport]) -> None:
    zone = app.now(history).tzinfo
    price = history.settings.model_price
    rows = []
    lines = []
    idle = 0
    for report in reports:
        note = report.note
        moves = _moves_of(history, note)
        items = report.planned.items if note.commit_id else ()
        entries = [{"entry": each.entry, "line": each.new} for each in items if not each.correction]
        rows.append(_run_data(note, price) | {"moved": [each.sentence for each in moves]})
        if agent == MINER:
            rows[-1]["kept"] = entries
        if note.outcome is RunOutcome.NOTHING and len(reports) > 1:
            idle += 1
            continue
        lines.append(_run_line(note, zone, price))
        if note.commit_id and not items:
            before, after = _states_of(history, note.commit_id)
            summary = history.objects.commit(note.commit_id).subject
            paths = tuple(after.changed(before))
            lines += _change_lines(summary, moves, paths, before.read, after.read)
        for each in entries:
            lines.append(shown(f"    kept: {each['entry']} {each['line']}", keep_newlines=False))
        if note.commit_id:
            lines.append(f"    undo: clawgit undo {note.commit_id[:SHORT]}")
    if idle:
        many = len(reports)
        lines.append(f"{idle} of {many} runs changed nothing (`clawgit runs --all -n {many}` says why).")
    app.report(rows, lambda: lines or [f"The {agent} has nothing to do."])


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
    named = []
    for path in sorted(paths):
        new = after(path)
        if new is None:
            continue
        if len(paths) > MOST_FILES or is_export(path, new):  # a listing says what other files say
            named.append(path)
            continue
        words = _new_lines(before(path), new)
        lines.append(f"    written: {shown(path, keep_newlines=False)}")
        lines += map("        {}".format, first_few(words, MOST_NEW, "… and {} more lines"))
    if named:
        lines.append(f"    written: {shown(names_of(tuple(named)), keep_newlines=False)}")
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


def _new_lines(before: bytes | None, after: bytes | None) -> list[str]:
    there = set(map(without_marks, split_lines(before or b"")))
    lines = []
    for line in map(without_marks, split_lines(after or b"")):
        if line.strip() and line not in there:
            lines.append(shown(line.decode("utf-8", "replace").rstrip()))
    return lines


def _report_planned(app: App, history: History, agent: str, planned: list[Rehearsed]) -> None:
    before = history.tip().tree.read
    rows = []
    lines = []
    for each in planned:
        plan = each.planned.plan or Plan("")
        texts = {edit.path: edit.data for edit in plan.edits}
        moves = would_move(history, [each])
        new = [line for path in plan.paths for line in _new_lines(before(path), texts.get(path))]
        row: dict[str, Any] = {"input": each.input_id, "summary": plan.summary, "paths": plan.paths}
        row |= {"moved": [move.sentence for move in moves], "lines": new}
        row["evidence"] = [{"id": item.evidence_id, "quote": item.quote} for item in plan.evidence]
        rows.append(row | {"left_out": each.planned.left_out})
        name = each.input_id if ":" in each.input_id else agent  # of a message
        if each.planned.plan is None:
            lines.append(f"{name}: nothing to do")
        else:
            files = "no file"
            if plan.paths:
                files = names_of(plan.paths)
            lines.append(f"{name}: would write {files}")
            lines += _change_lines(plan.summary, moves, plan.paths, before, texts.get)
            for item in plan.evidence:
                lines.append(f'    on {item.evidence_id} "{shown(item.quote, keep_newlines=False)}"')
        lines += [f"    {reason}" for reason in each.planned.left_out]
    app.report(rows, lambda: lines or ["Nothing waits."])


@command("pause")
@click.argument("reason", required=False, default="")
def pause_command(app: App, reason: str) -> None:
    """Stop the jobs from writing.

    You and your agent can still write. `clawgit config set memory_policy review` has it ask before it changes MEMORY.md.

    \b
    Example:
      clawgit pause "Reviewing what the miner did."
    """
    app.only_operator("pause the jobs")
    history = app.history()
    pause(history, reason, app.now(history))
    app.say("The jobs are paused. `clawgit resume` lets them write again.")
    app.say("Your agent can still write: `clawgit config set memory_policy review` has it ask first.")
    app.report({"paused": paused_since(history)})


@command("resume")
def resume_command(app: App) -> None:
    """Let the jobs write again."""
    app.only_operator("let the jobs write again")
    resume(app.history())
    app.say("The jobs may write again.")
    app.report({"paused": None})
