"""Running an agent once, the runs so far, and pausing the agents."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.first_rearrangement import allow_first, needs_yes, note_first
from clawgit.agents.memory_miner import held_back
from clawgit.agents.run_agent import Agent, Means, Rehearsed, RunReport
from clawgit.errors import ExitCode, UsageError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.intent import pause, paused_since, resume
from clawgit.history.git.repository import History, refuse_odd_state
from clawgit.history.reading.rearranged import Rearranged, read_rearranged
from clawgit.operations.changes import say_kept
from clawgit.operations.wiring.vector_wiring import enhanced_vectors
from clawgit.text.safety.control_characters import counted
from clawgit.workspace.clock_looks import believe_clock, noted_jump
from clawgit.workspace.records.records import RECORDS, RunNote, RunOutcome, open_records
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.model import Askers
    from clawgit.history.git.trees import Tree
    from clawgit.operations.caller import Caller

VALIDATOR, MINER = "recall-validator", "memory-miner"


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
        """Reads your messages that may correct the agent. Each one is applied, turned into a question (`clawgit
        status`), noted, or left. An applied correction is in the entry and in CORRECTIONS.md, and comes first
        in a search.""",
        "recall_validator:RecallValidator",
    ),
    MINER: KnownAgent(
        """Reads your new messages. Decisions, lessons, facts and events become entries, each with its message and
        quote: your words in MEMORY.md, a model's own in memory/learned.md. A message that may be a correction is
        left to the recall-validator for a day.""",
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


def rehearse_run(caller: Caller, agent: str, slot: str = "") -> list[Rehearsed]:
    history = caller.history()
    _slot_time(caller, history, slot)
    _tell_what_waits(caller, history, agent)
    means = _means(caller, history, agent)
    return ROUNDS[agent].load().rehearse_round(history, caller.now(history), means)


def run_agent(
    caller: Caller,
    agent: str,
    slot: str = "",
    *,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[RunReport]:
    """Run an agent for the ``slot`` at which it was due; ``tell`` gets done and total, if the agent counts."""
    history = caller.history()
    slot = _slot_time(caller, history, slot)
    _tell_what_waits(caller, history, agent)
    refuse_odd_state(history)  # before a model is asked for an answer that could not be written
    means = replace(_means(caller, history, agent), slot=slot, tell=tell)
    is_typed = caller.actor == OPERATOR and not slot
    if not is_typed and needs_yes(history, agent) and note_first(history, agent, caller.now(history)):
        means = replace(means, may_move=False)
    reports = ROUNDS[agent].load().run_round(history, caller.now(history), means)
    for report in reports:
        say_kept(caller, report.kept)
        if report.note.outcome is RunOutcome.REFUSED:
            caller.exit_code = ExitCode.REFUSED
    if is_typed:
        _note_yes(caller, history, agent, reports)
    return reports


def _means(caller: Caller, history: History, agent: str) -> Means:
    @cache
    def askers() -> Askers | None:
        from clawgit.operations.wiring.model_wiring import asker_for

        if asker_for(caller, history, agent) is None:
            return None
        return partial(asker_for, caller, history)

    return Means("", askers, lambda: enhanced_vectors(caller, history))


def _note_yes(caller: Caller, history: History, agent: str, reports: list[RunReport]) -> None:
    """Count a run that the operator typed, and that moved something, as the yes to scheduled runs."""
    if not any(moves_of(history, report.note) for report in reports) or not needs_yes(history, agent):
        return
    allow_first(history, agent, caller.intent(history))
    caller.say(
        f"You ran it yourself, so from now on the {agent} does this at its time, without a question."
        f" `clawgit config set {ROUNDS[agent].setting} off` stops it."
    )


def states_of(history: History, commit_id: str) -> tuple[Tree, Tree]:
    parents = history.objects.commit(commit_id).parent_ids
    return history.tree_of(parents[0] if parents else None), history.tree_of(commit_id)


def moves_of(history: History, note: RunNote) -> list[Rearranged]:
    return read_rearranged(*states_of(history, note.commit_id)) if note.commit_id else []


def _slot_time(caller: Caller, history: History, time: str) -> str:
    if not time:
        return ""
    slot = caller.moment(time, history)
    if slot > caller.now(history):
        raise UsageError(
            f"{time} is still to come, so no run was due then.", hint="Name the time that has passed."
        )
    return slot.isoformat(timespec="minutes")


def _tell_what_waits(caller: Caller, history: History, agent: str) -> None:
    if agent != MINER:
        return
    count = held_back(history, caller.now(history))
    if count:
        caller.say(
            f"Held back for the recall-validator, for at most a day: {counted(count, 'message')}."
            f" Run `clawgit run {VALIDATOR}` first."
        )
    if "model" in caller.held_settings:
        caller.say(
            "The new `model` needs `clawgit approve model`. Until then the earlier model is used, or rules do the work."
        )


def list_runs(caller: Caller, agent: str, limit: int) -> list[RunNote]:
    history = caller.history()
    with open_records(history.state / RECORDS, caller.now(history)) as records:
        return records.runs(limit=limit, agent=agent)


def pause_agents(caller: Caller, reason: str) -> str | None:
    caller.only_operator("pause the agents")
    history = caller.history()
    pause(history, reason, caller.now(history))
    caller.say("The agents are paused. `clawgit resume` lets them write again.")
    return paused_since(history)


def resume_agents(caller: Caller) -> None:
    """Let the agents write again, and accept a clock that jumped ahead."""
    caller.only_operator("let the agents write again")
    history = caller.history()
    now = caller.now(history)
    was_paused = resume(history)
    has_jumped = bool(noted_jump(history.state, now))
    if has_jumped:
        believe_clock(history.state, now, caller.steady())
        caller.say("The clock is right: jobs that move, merge or archive notes run again.")
    if was_paused or not has_jumped:
        caller.say("The agents may write again." if was_paused else "The agents were not paused.")
