"""The agents that `run` can run: what each does, and which class does it."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.run_agent import Means, Rehearsed, Round, RunReport
from clawgit.operations.vector_wiring import enhanced_vectors
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.ask_model import Askers
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History


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

    def load(self) -> type[Round]:
        """Import the class: each run loads its own agent alone."""
        module, _, name = self.kind.partition(":")
        kind: type[Round] = getattr(import_module(f"clawgit.agents.{module}"), name)
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
        "vector_hygiene:VectorHygiene",
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
