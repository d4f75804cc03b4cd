"""The agents that `run` can run: what each does, and where its work is."""

from __future__ import annotations

from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.cli.vector_wiring import enhanced_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.run_agent import Rehearsed, RunReport
    from clawgit.cli.app import App
    from clawgit.history.git.repository import History

    Work = tuple[Callable[..., list[Rehearsed]], Callable[..., list[RunReport]]]


class Round(NamedTuple):
    """What an agent does, in words, and what imports the functions that rehearse and do it."""

    says: str
    load: Callable[[], Work]


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
    from clawgit.agents.lessons.lessons_round import extract_lessons, rehearse_lessons

    return rehearse_lessons, extract_lessons


def _organizer() -> Work:
    from clawgit.agents.organizer.organizer_round import organize, rehearse_organizing

    return rehearse_organizing, organize


def _decay_engine() -> Work:
    from clawgit.agents.decay.decay_round import decay, rehearse_decay

    return rehearse_decay, decay


def _soul_keeper() -> Work:
    from clawgit.agents.soul_keeper.keeping_round import keep_soul, rehearse_keeping

    return rehearse_keeping, keep_soul


ROUNDS = {
    "recall-validator": Round(
        """Reads the messages in which triage heard you correct the agent. Of each it says what came of it: set right (the
        entry says it, CORRECTIONS.md why, and a search brings it first), asks (`clawgit status` shows the entry and a
        line), noted, or nothing.""",
        _validator,
    ),
    "memory-miner": Round(
        """Reads messages that nobody mined, and the notes of the last week. Decisions, lessons, facts and events become
        entries, each on a message and a quote: your own words in MEMORY.md, all else in memory/learned.md. What is
        remembered already is a mention; a correction wins. What may correct the agent is the recall-validator's first:
        the miner waits a day for that.""",
        _miner,
    ),
    "conflict-detector": Round(
        """Compares entries that changed since its last run with those like them. Two that contradict each other go to
        CONFLICTS.md: a correction holds, or your own word of 30 days later; all else needs your decision (`clawgit conflicts
        list`). The entry that does not hold is marked and stays.""",
        _conflict_detector,
    ),
    "organizer": Round(
        """Gives entries a class, merges near-duplicates, writes the listings in memory/structured/ and memory/INDEX.md, and
        keeps MEMORY.md at 200 lines at most: what leaves goes to a topic file.""",
        _organizer,
    ),
    "lessons-extractor": Round(
        """Reads transcripts: what failed, and what then worked, becomes a lesson in memory/lessons.md.""",
        _lessons_extractor,
    ),
    "decay-engine": Round(
        """Moves entries whose time is over to Archive/Entries/, where `memory search --deep` finds them.""",
        _decay_engine,
    ),
    "memory-compactor": Round(
        """Moves daily notes older than `compaction_age_days` to Archive/Daily/ once their month's chronicle tells of them, takes
        weak entries, repetitions and old wordings out of MEMORY.md, and moves proven corrections to the archive.""",
        _compactor,
    ),
    "vector-hygiene": Round(
        """Flags vectors of what was set right, or said once and not for long, and takes them away after a time of grace.
        The statements stay.""",
        _vector_hygiene,
    ),
    "promotion-review": Round(
        """Lists what of the week's notes is worth keeping for good; `clawgit memory promote --apply` moves it.""",
        _promotion_review,
    ),
    "soul-keeper": Round(
        """Makes principles of what you ordered for good ("always", "never", "from now on", "stop") in two messages, or once as
        a correction: your words and their days, in SOUL.md, at most three in a run and within `soul_max_tokens`. What
        was taken back or rejected does not come again on the same messages.""",
        _soul_keeper,
    ),
}


def rehearsed(app: App, history: History, agent: str) -> list[Rehearsed]:
    """Return what an agent would do now."""
    rehearse, _ = ROUNDS[agent].load()
    return rehearse(history, app.now(history), **_means(app, history, agent, rehearse))


def worked(app: App, history: History, agent: str, slot: str) -> list[RunReport]:
    """Let an agent do what is there for it."""
    _, work = ROUNDS[agent].load()
    return work(history, app.now(history), slot=slot, **_means(app, history, agent, work))


def _means(app: App, history: History, agent: str, function: Callable[..., Any]) -> dict[str, Any]:
    """Return what the function takes besides: who asks the model, and the vectors, each where it wants them."""
    there: dict[str, Callable[[], Any]] = {
        "askers": lambda: _askers(app, history, agent),
        "vectors": lambda: enhanced_vectors(app, history),
    }
    wanted = signature(function).parameters
    return {name: make() for name, make in there.items() if name in wanted}


def _askers(app: App, history: History, agent: str) -> Callable[[str], Asker | None] | None:
    """Return who asks the model for a run; None where there is no model, and rules do the work."""
    from clawgit.cli.model_wiring import asker_for

    return None if asker_for(app, history, agent) is None else partial(asker_for, app, history)
