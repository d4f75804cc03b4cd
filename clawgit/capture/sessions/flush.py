"""Before a conversation is compacted: when and how the host is asked to write down what should last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clawgit.capture.messages.incoming_message import masked
from clawgit.capture.messages.message import short_hash
from clawgit.errors import ClawgitError
from clawgit.history.apply_plan import Recorded, apply_plan
from clawgit.history.authorship.commit_messages import find_op, new_op
from clawgit.memory.entries.own_section import grown_note
from clawgit.memory.entries.tiers import date_of
from clawgit.memory.trust import HOST
from clawgit.plan import Edit, Plan
from clawgit.text.markdown.block_structure import ends_open
from clawgit.text.safety.control_characters import folded
from clawgit.understanding.facts.routing import day_path
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from datetime import date, datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree

NO_REPLY = "NO_REPLY"
_DAY = "YYYY-MM-DD"
_HINT = f"If there is nothing to write down, answer {NO_REPLY} and nothing else."
MOST_FENCES = 3  # attempts to close open blocks
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


def why_not_yet(
    tokens: int | None, window: int, compactions: int, flushed_at: int | None, *, kept_free: int
) -> str:
    """Return why memory is not flushed now, or ""; ``flushed_at`` is the count of compactions at the last flush."""
    threshold = window - kept_free
    if threshold <= 0:
        return f"a window of {window:,} tokens has no room besides the reserve"
    if tokens is None:
        return "it is not known how full the conversation is"
    if tokens < threshold:
        return f"{tokens:,} tokens are fewer than {threshold:,}"
    if flushed_at is not None and flushed_at >= compactions:
        return "it was flushed since the last compaction"
    return ""


def flush_prompts(on: date, *, turn_text: str = "", system: str = "") -> tuple[str, str]:
    """Return that day's system line and turn, which the user never sees; ``system``, ``turn_text`` replace ours, YYYY-MM-DD filled in."""
    path = f"memory/{_DAY}.md"
    turn = turn_text.strip() or (
        f"The conversation is about to be compacted. Write what should last into {path}. "
        "If that file exists, APPEND to it: do not overwrite or shorten what stands there, and do not make "
        f"variants of it with a time in their names. {_HINT}"
    )
    if NO_REPLY not in turn:
        turn = f"{turn} {_HINT}"
    system = system.strip() or f"This turn is for memory only; the user does not see it. {_HINT}"
    day = on.isoformat()
    return system.replace(_DAY, day), turn.replace(_DAY, day)


def is_silent(reply: str) -> bool:
    """Say whether the host had nothing to write: only the marker word, apart from invisible characters."""
    return folded(reply) == NO_REPLY


def flush_op(session: str, compactions: int) -> str:
    return f"flush-{short_hash(session, 16)}-{compactions}"


def was_answered(history: History, flush: str, now: datetime) -> bool:
    """Say whether a flush was answered: a change has its op, or, without a change, the records do."""
    if find_op(history, flush) is not None:
        return True
    path = history.state / RECORDS
    if not path.exists():
        return False
    with open_records(path, now) as records:
        return records.answered_flush(flush)


def note_answered(history: History, flush: str, now: datetime) -> None:
    with open_records(history.state / RECORDS, now) as records:
        records.note_answered_flush(flush, now)


def keep_reply(history: History, reply: str, path: str, intent: Intent) -> Recorded:
    """Append the host's reply to a note, once; secrets are masked and open blocks closed, since a refusal would lose the text."""
    on = date_of(path)
    if on is None or path != day_path(on):
        raise ClawgitError(f"{path} is no note of a day.", hint="Name one such as memory/2026-03-19.md.")
    text = _closed("\n".join(line for line in masked(reply).splitlines() if not is_silent(line)))
    if intent.given and find_op(history, intent.op) is not None:
        intent = intent._replace(op=new_op("flush"), given=False)  # a second answer is kept under a new op

    def plan(tree: Tree) -> Plan:
        return Plan(f"session: flush into {path}", (Edit(path, grown_note(tree.read(path) or b"", text)),))

    return apply_plan(history, plan, intent._replace(trust=HOST))


def _closed(text: str) -> str:
    """Return a reply with open blocks closed, so that later text below it is not part of them."""
    fences = list(dict.fromkeys(reversed(_FENCE.findall(text))))
    ways = [text, *(f"{text}\n{fence}" for fence in fences[:MOST_FENCES]), text.replace("<!--", "&lt;!--")]
    return next((each for each in ways if not ends_open(each.encode("utf-8", "replace"))), text)
