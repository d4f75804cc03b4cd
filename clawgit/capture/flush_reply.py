"""What a host answers to a flush: written below the day's note, in one change; silence writes nothing."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from clawgit.capture.flush import NO_REPLY
from clawgit.capture.hearing import masked
from clawgit.capture.messages import HOST, base32
from clawgit.history.commit import Recorded, apply_plan
from clawgit.history.ops import new_op
from clawgit.history.remember import PlaceError
from clawgit.memory.daynotes import grown_note
from clawgit.memory.tiers import Tier, tier_of
from clawgit.plan import Edit, Plan

if TYPE_CHECKING:
    from clawgit.history.intent import Intent
    from clawgit.history.repository import History
    from clawgit.history.trees import Tree


def flush_op(session: str, compactions: int) -> str:
    """Return the op of the flush of a session after so many compactions."""
    return f"flush-{base32(sha256(session.encode('utf-8', 'surrogatepass')).digest(), 16)}-{compactions}"


def keep_reply(history: History, reply: str, path: str, intent: Intent) -> Recorded:
    """Write the reply below the note at ``path``; what stands there is not written again.

    It rests on the host's word, whoever hands it over. Secrets in it are masked: a refusal would lose the rest with
    the conversation.

    Raises:
        PlaceError: ``path`` is no note of a day.
        EntryError: The note or the reply ends inside open code.
    """
    if tier_of(path) is not Tier.T2 or not path.startswith("memory/"):
        raise PlaceError(f"{path} is no note of a day.", hint="Name one such as memory/2026-03-19.md.")
    text = "\n".join(line for line in masked(reply).splitlines() if line.strip() != NO_REPLY)
    if intent.given and history.ops.find(intent.op) is not None:
        intent = replace(intent, op=new_op("flush"), given=False)  # a second answer is not lost with its op

    def plan(tree: Tree) -> Plan:
        return Plan(f"session: flush into {path}", (Edit(path, grown_note(tree.read(path) or b"", text)),))

    return apply_plan(history, plan, replace(intent, trust=HOST))
