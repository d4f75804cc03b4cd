"""The agents that `run` can run: what each does, and where its work is."""

from __future__ import annotations

from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.operations.vector_wiring import enhanced_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.run_agent import Rehearsed, RunReport
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History

    Work = tuple[Callable[..., list[Rehearsed]], Callable[..., list[RunReport]]]


class Round(NamedTuple):
    """What an agent does, in words; what imports the functions that rehearse and do it; the setting of its times."""

    says: str
    load: Callable[[], Work]
    setting: str = ""  # empty: whenever there is work

    @property
    def when(self) -> str:
        """Return when it runs unless CONFIG.md says otherwise."""
        from clawgit.workspace.settings.settings import Settings

        slot = str(getattr(Settings(), self.setting, ""))
        daily = "daily " if slot[:1].isdigit() else ""
        return f"{daily}{slot}" if slot else "whenever there is work"


def _validator() -> Work:
    from clawgit.agents.validator.validation_round import rehearse_validation, validate

    return rehearse_validation, validate


def _miner() -> Work:
    from clawgit.agents.miner.mining_round import mine, rehearse_mining

    return rehearse_mining, mine


def _conflict_detector() -> Work:
    from clawgit.agents.conflict_detector.detection_round import detect, rehearse_detection

    return rehearse_detection, detect


def _compactor() -> Work:
    from clawgit.agents.compactor.compaction_round import compact_memory, rehearse_compaction

    return rehearse_compaction, compact_memory


def _vector_hygiene() -> Work:
    from clawgit.agents.compactor.vector_hygiene import rehearse_tidying, tidy_vectors

    return rehearse_tidying, tidy_vectors


def _promotion_review() -> Work:
    from clawgit.agents.promotion_review import rehearse_review, review

    return rehearse_review, review


def _lessons_extractor() -> Work:
    from clawgit.agents.lessons_extractor import extract_lessons, rehearse_lessons

    return rehearse_lessons, extract_lessons


def _organizer() -> Work:
    from clawgit.agents.organizer import organize, rehearse_organizing

    return rehearse_organizing, organize


def _decay_engine() -> Work:
    from clawgit.agents.decay_engine import decay, rehearse_decay

    return rehearse_decay, decay


def _soul_keeper() -> Work:
    from clawgit.agents.soul_keeper.keeping_round import keep_soul, rehearse_keeping

    return rehearse_keeping, keep_soul


ROUNDS = {
    "recall-validator": Round(
        """Reads your messages that may correct the agent. Each one is applied, turned into a question (`clawgit
        status`), noted, or left. An applied correction is in the entry and in CORRECTIONS.md, and comes first
        in a search.""",
        _validator,
    ),
    "memory-miner": Round(
        """Reads new messages and the week's notes. Decisions, lessons, facts and events become entries, each with
        its message and quote: your words in MEMORY.md, all others in memory/learned.md. A message that may be a
        correction is left to the recall-validator for a day.""",
        _miner,
        "cron_memory_miner",
    ),
    "conflict-detector": Round(
        """Compares changed entries with similar ones. Two that contradict each other are listed in CONFLICTS.md. A
        correction wins, and so does your own word that is 30 days newer; you decide the rest (`clawgit
        conflicts list`). The entry that lost is marked, not deleted.""",
        _conflict_detector,
        "cron_conflict_detector",
    ),
    "organizer": Round(
        """Gives entries a class, merges near-duplicates, and writes the listings in memory/structured/ and
        memory/INDEX.md. Keeps MEMORY.md under 200 lines by moving entries to topic files.""",
        _organizer,
        "cron_organizer",
    ),
    "lessons-extractor": Round(
        """Reads transcripts. A command that failed, and the one that then worked, become a lesson in
        memory/lessons.md.""",
        _lessons_extractor,
        "cron_lessons_extractor",
    ),
    "decay-engine": Round(
        """Moves expired entries to Archive/Entries/. `memory search --deep` still finds them.""",
        _decay_engine,
        "cron_decay_engine",
    ),
    "memory-compactor": Round(
        """Writes a chronicle of each old month, and then moves its daily notes (older than `compaction_age_days`)
        to Archive/Daily/. Removes weak entries, repetitions and old wordings from MEMORY.md. Archives proven
        corrections.""",
        _compactor,
        "cron_compactor_weekly",
    ),
    "vector-hygiene": Round(
        """Flags vectors of corrected or short-lived statements, and deletes them after a grace period. The
        statements stay.""",
        _vector_hygiene,
        "cron_vector_hygiene",
    ),
    "promotion-review": Round(
        """Lists what of the week's notes is worth keeping for good. `clawgit memory promote --apply` moves it.""",
        _promotion_review,
        "cron_promotion_review",
    ),
    "soul-keeper": Round(
        """Turns your standing orders ("always", "never", "from now on", "stop") into principles in SOUL.md, in
        your words, with their dates. Needs two messages, or one that is a correction. At most three a run,
        within `soul_max_tokens`. What you took back or rejected does not come again from the same messages.""",
        _soul_keeper,
        "cron_soul_keeper",
    ),
}


def rehearsed(app: App, history: History, agent: str) -> list[Rehearsed]:
    """Return what an agent would do now."""
    rehearse, _ = ROUNDS[agent].load()
    return rehearse(history, app.now(history), **_means(app, history, agent, rehearse))


def worked(
    app: App, history: History, agent: str, slot: str, tell: Callable[[int, int], None]
) -> list[RunReport]:
    """Let an agent do what is there for it; ``tell`` takes how much is done, where the agent counts."""
    _, work = ROUNDS[agent].load()
    means = _means(app, history, agent, work, tell=lambda: tell)
    return work(history, app.now(history), slot=slot, **means)


def _means(
    app: App, history: History, agent: str, function: Callable[..., Any], **more: Callable[[], Any]
) -> dict[str, Any]:
    """Return what the function takes besides: who asks the model, the vectors, and ``more``, each where it wants them."""
    there = more | {
        "askers": lambda: _askers(app, history, agent),
        "vectors": lambda: enhanced_vectors(app, history),
    }
    wanted = signature(function).parameters
    return {name: make() for name, make in there.items() if name in wanted}


def _askers(app: App, history: History, agent: str) -> Callable[[str], Asker | None] | None:
    """Return who asks the model for a run; None where there is no model, and rules do the work."""
    from clawgit.operations.model_wiring import asker_for

    return None if asker_for(app, history, agent) is None else partial(asker_for, app, history)
