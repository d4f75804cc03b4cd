"""What happened since the soul keeper's last run, as a model gets to read it: what may carry an edit, and what may not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.authorised_edits import is_his
from clawgit.agents.models.model_prompts import Material, as_read
from clawgit.agents.soul_keeper.soul_keeper import NAME, SOUL
from clawgit.capture.messages.message_store import Asked
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.provenance.principle_origins import principle_origins
from clawgit.memory.conflict_log import read_conflicts
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import CONFLICTS, LESSONS
from clawgit.memory.trust import EXTERNAL
from clawgit.plan import MESSAGE
from clawgit.understanding.evidence.own_sentences import own_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.workspace.records.records import Records

MOST_MESSAGES, MOST_OTHERS = 200, 40
LONGEST = 1000  # characters of a message


class Ground(NamedTuple):
    """Something that was read; ``carries`` is the text that an edit may rest on, empty where none may."""

    material: Material
    carries: str = ""
    message: ChatMessage | None = None


class KeepingMaterial(NamedTuple):
    """The grounds by id, and the principles by the names that the model knows them by."""

    grounds: dict[str, Ground]
    principles: dict[str, str]
    said: bool

    @property
    def materials(self) -> list[Material]:
        """Return all of it for the prompt."""
        soul = [Material(name, SOUL, text) for name, text in self.principles.items()]
        return [*soul, *(each.material for each in self.grounds.values())]


def gather_material(
    history: History, records: Records, since: datetime, now: datetime, decided: Iterable[str]
) -> KeepingMaterial:
    """Return the messages, corrections, lessons, conflicts and runs since then, and the soul as it is.

    A message that an edit was rested on before carries none.
    """
    used = frozenset(decided)
    messages = list(_messages(history, since, now, used))
    grounds = [*messages, *_corrections(history, used), *_lessons(history, now), *_conflicts(history)]
    grounds += _runs(records, since)
    tip = history.tip().commit_id
    origins = [] if tip is None else principle_origins(history, SOUL, tip)
    principles = {f"s:{number}": each.principle.text for number, each in enumerate(origins, start=1)}
    return KeepingMaterial({each.material.material_id: each for each in grounds}, principles, bool(messages))


def _messages(history: History, since: datetime, now: datetime, used: frozenset[str]) -> Iterator[Ground]:
    if not has_messages(history):
        return
    with open_messages(history, now) as store:
        found = store.log(Asked(since=since, limit=MOST_MESSAGES))
    for message in found:
        name = f"{MESSAGE}{message.chat_id}"
        text = message.text[:LONGEST]
        at = message.sent_at.astimezone(now.tzinfo).date().isoformat()
        if is_his(message):
            own = "" if message.signal.veto or name in used else " ".join(own_sentences(text))
            yield Ground(Material(name, "User, the operator", text, at), as_read(own), message)
        elif message.role == "assistant":
            yield Ground(Material(name, "Agent, the agent itself: carries nothing", text, at))
        else:
            yield Ground(Material(name, "somebody else, not the operator: carries nothing", text, at))


def _corrections(history: History, used: frozenset[str]) -> Iterator[Ground]:
    held = [each for each in standing_corrections(history.tip().tree).values() if each.holds]
    for each in held[-MOST_OTHERS:]:
        name, text = f"x:{each.correction_id}", as_read(f"{each.trigger} | {each.said} | {each.correct}")
        yield Ground(
            Material(name, "a correction of the operator's", text, each.at), "" if name in used else text
        )


def _lessons(history: History, now: datetime) -> Iterator[Ground]:
    """Yield the lessons; one whose words came from outside carries nothing."""
    for state in [each for each in list_states(history, now.date()) if each.path == LESSONS][-MOST_OTHERS:]:
        if state.entry.entry_id:
            text = as_read(parted(state.entry.text).statement)
            told = Material(f"m:{state.entry.entry_id}", "a lesson", text, state.since.isoformat())
            yield Ground(told, "" if state.trust == EXTERNAL else text)


def _conflicts(history: History) -> Iterator[Ground]:
    for each in read_conflicts(history.tip().tree.read(CONFLICTS) or b"")[-MOST_OTHERS:]:
        yield Ground(Material(f"k:{each.conflict_id}", "a conflict of memory: carries nothing", each.rule))


def _runs(records: Records, since: datetime) -> Iterator[Ground]:
    for note in records.runs(limit=MOST_OTHERS):
        if note.at >= since and note.agent != NAME:
            text = f"{note.agent} ended {note.outcome.value}"
            yield Ground(Material(f"run:{note.run_id}", "a run: carries nothing", text, note.at.isoformat()))
