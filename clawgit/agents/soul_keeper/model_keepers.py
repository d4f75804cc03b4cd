"""The soul keeper with a model: what it would change since its last run, as one agent for each edit."""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.agents.authorised_edits import Authority
from clawgit.agents.models.model import ModelError
from clawgit.agents.soul_keeper.keeping_material import gather_material
from clawgit.agents.soul_keeper.model_edits import ask_for_edits
from clawgit.agents.soul_keeper.soul_keeper import NAME, RefusedEdits, SoulKeeper
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.reading.agent_prompts import prompt_in_force
from clawgit.workspace.records.sqlite_files import utc_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clawgit.agents.models.ask_model import Asker
    from clawgit.agents.soul_keeper.keeping_material import KeepingMaterial
    from clawgit.agents.soul_keeper.model_edits import Answer
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History
    from clawgit.understanding.evidence.check_edit import Proposal
    from clawgit.workspace.records.records import Records

    Askers = Callable[[str], Asker | None]

FIRST_LOOK = timedelta(days=7)


def model_keepers(
    history: History, records: Records, now: datetime, askers: Askers, decided: Iterable[str]
) -> list[SoulKeeper | RefusedEdits]:
    """Return the agents for what a model would change, or the one whose run says why nothing of it may be made."""
    since = _last_look(records, now)
    material = gather_material(history, records, since, now, decided)
    if not material.said:
        return []
    asked = sha256(
        repr((since, sorted(material.grounds), material.principles)).encode("utf-8", "replace")
    ).hexdigest()
    asker = askers(f"{NAME}-{asked[:10]}")
    if asker is None:
        return []
    try:
        answer = _answer(asker, history, material, now)
    except ModelError as error:
        return [RefusedEdits(asked, (error.message,), error.spent, unread=True)]
    return _agents(answer, asked, asker.spent)


def note_look(records: Records, now: datetime) -> None:
    """Note that a model read what was there until now."""
    records.agent_cursors.note(NAME, utc_text(now), now)


def _last_look(records: Records, now: datetime) -> datetime:
    cursor = records.agent_cursors.of(NAME)
    return datetime.fromisoformat(cursor) if cursor else now - FIRST_LOOK


def _answer(asker: Asker, history: History, material: KeepingMaterial, now: datetime) -> Answer:
    with open_messages(history, now) as store:
        authority = Authority(history, store, now)

        def carries(proposal: Proposal, message: ChatMessage) -> bool:
            return authority.objection(proposal, message) is None

        return ask_for_edits(asker, prompt_in_force(history, NAME), material, carries)


def _agents(answer: Answer, asked: str, tokens: int) -> list[SoulKeeper | RefusedEdits]:
    notes = (*answer.drift, *answer.refused)
    if not answer.edits:
        if answer.refused:
            return [RefusedEdits(asked, notes, tokens)]
        return [SoulKeeper((), notes=notes, tokens=tokens, asked=asked)]
    found: list[SoulKeeper | RefusedEdits] = [
        SoulKeeper((each.suggested,), each.basis, each.trust) for each in answer.edits
    ]
    first = answer.edits[0]
    found[0] = SoulKeeper((first.suggested,), first.basis, first.trust, notes, tokens)
    return found
