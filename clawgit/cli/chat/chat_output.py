"""How `clawgit chat` tells about messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.plan import MESSAGE
from clawgit.understanding.patterns.pattern_rule import OPT_OUT

if TYPE_CHECKING:
    from datetime import tzinfo

    from clawgit.agents.door.candidate_entries import Candidate
    from clawgit.capture.messages.message import ChatMessage, SignalNote
    from clawgit.capture.messages.message_store import Stats
    from clawgit.capture.transcripts.importing import Imported
    from clawgit.operations.messages import TakenDown

NAMED = 3  # entries that a message may correct, for people
LONGEST = 80  # characters of each


def message_data(message: ChatMessage) -> dict[str, Any]:
    """Return a message as other programs read it."""
    return {
        "id": f"{MESSAGE}{message.chat_id}",
        **picked(message, "channel conversation message_id session role sender is_operator trust text"),
        "sent_at": message.sent_at.isoformat(timespec="milliseconds"),
        "received_at": message.received_at.isoformat(timespec="milliseconds"),
        "signal": signal_data(message.signal),
        **picked(message, "priority mined_in validated_in"),
    }


def export_data(message: ChatMessage) -> dict[str, Any]:
    """Return what an export has of a message: what makes it, not what was found in it or done with it."""
    names = ("channel", "conversation", "message_id", "session", "role", "sender", "trust", "text", "sent_at")
    data = message_data(message)
    return {name: data[name] for name in names}


def signal_data(signal: SignalNote) -> dict[str, Any]:
    """Return a signal as other programs read it."""
    data = signal._asdict()
    return data if signal.veto else {name: value for name, value in data.items() if name != "veto"}


def outcome_data(message: ChatMessage | None, outcome: str) -> dict[str, Any]:
    """Return what became of a message that was to be kept."""
    if message is None:
        return {"outcome": "left out", "reason": outcome}
    return {
        "outcome": outcome,
        "id": f"{MESSAGE}{message.chat_id}",
        "message_id": message.message_id,
        "trust": message.trust,
        "signal": signal_data(message.signal),
    }


def taken_data(taken: TakenDown) -> dict[str, Any]:
    """Return what became of a message, and what it may correct, as other programs read it."""
    data = outcome_data(taken.message, taken.outcome)
    if taken.may_correct is None:
        return data
    entries = [
        {"entry": _name(each) or None, "text": each.statement, "path": each.path, "line": each.line}
        for each in taken.may_correct
    ]
    return data | {"maybe_corrects": entries}


def taken_lines(taken: TakenDown) -> list[str]:
    """Return what became of a message as people read it; why it was left out is said elsewhere."""
    message = taken.message
    if message is None:
        return []
    first = f"{MESSAGE}{message.chat_id} {taken.outcome}"
    return [first, *heard_lines(message.signal), *_may_correct_lines(taken, f"{MESSAGE}{message.chat_id}")]


def _may_correct_lines(taken: TakenDown, cited: str) -> list[str]:
    """Return the entries that a message may correct, with the command that corrects one of them."""
    entries = taken.may_correct
    if not entries:
        return []
    named = [
        f'{_name(each) or "an entry"} "{_short(each.statement)}" ({each.path}:{each.line})'
        for each in entries[:NAMED]
    ]
    if len(named) > 1:
        command = f'clawgit correct ENTRY "NEW" --evidence {cited}'
        return ["It may correct one of these:", *(f"  {each}" for each in named), f"If it does: {command}"]
    old = _name(entries[0]) or '"OLD"'
    return [f'It may correct {named[0]}. If it does: clawgit correct {old} "NEW" --evidence {cited}']


def _name(entry: Candidate) -> str:
    return f"m:{entry.entry_id}" if entry.entry_id else ""


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def heard_lines(signal: SignalNote) -> list[str]:
    """Return in a line for people what triage found in a message, nothing where it found nothing."""
    if signal.veto == OPT_OUT:
        return [
            "This message is in no note, search or prompt, and is deleted after a day.",
            "It covers no other message. Take out what is kept of one with `clawgit undo --source chat:ID`.",
        ]
    if signal.veto:
        return [f"Triage leaves it alone ({signal.veto})."]
    found = {}
    if signal.miner:
        found["something to remember"] = "`clawgit run memory-miner`"
    if signal.validator:
        found[f"perhaps a correction ({signal.validator})"] = "`clawgit run recall-validator`"
    next_step = f" Next: {' and '.join(found.values())}." if found else ""
    said = [*found, *(f"your pattern for {route}" for route in signal.custom)]
    return [f"Triage found: {'; '.join(said)}.{next_step}"] if said else []


def message_line(message: ChatMessage, zone: tzinfo | None) -> str:
    """Return a message on one line."""
    from clawgit.text.safety.control_characters import shown

    at = message.sent_at.astimezone(zone)
    who = shown(f"{message.channel}  {message.sender or message.role}", keep_newlines=False)
    trust = (
        ""
        if message.trust == ("host" if message.role == "assistant" else "operator")
        else f" ({message.trust})"
    )
    wanted = ["miner"] * message.signal.miner + (
        [f"validator:{message.signal.validator}"] if message.signal.validator else []
    )
    flags = f"  [{', '.join([*wanted, *message.signal.custom])}]" if wanted or message.signal.custom else ""
    return (
        f"{at:%Y-%m-%d %H:%M}  {who}{trust}: {' '.join(message.text.split())}{flags}  chat:{message.chat_id}"
    )


def stats_data(stats: Stats) -> dict[str, Any]:
    """Return counts as other programs read them."""
    first = stats.first and stats.first.isoformat(timespec="milliseconds")
    last = stats.last and stats.last.isoformat(timespec="milliseconds")
    return stats._asdict() | {"first": first, "last": last}


def stats_lines(stats: Stats, zone: tzinfo | None) -> list[str]:
    """Return counts as people read them."""
    if stats.first is None or stats.last is None:
        return ["No messages yet."]
    groups = {"roles": stats.by_role, "channels": stats.by_channel, "trust": stats.by_trust}
    return [
        f"{stats.messages:,} messages, {stats.first.astimezone(zone):%Y-%m-%d %H:%M} to {stats.last.astimezone(zone):%Y-%m-%d %H:%M}",
        *(
            f"  {name}: " + ", ".join(f"{key} {count:,}" for key, count in group.items())
            for name, group in groups.items()
        ),
        f"  for the miner: {stats.to_mine:,}, {stats.flagged:,} of them flagged",
        f"  for the validator: {stats.to_validate:,}",
    ]


def imported_data(done: Imported) -> dict[str, Any]:
    """Return what became of a transcript as other programs read it."""
    return {
        **picked(done, "path format"),
        "known_as": done.known_as or None,
        "resumed_at": done.resumed_at,
        **{outcome: done.outcomes[outcome] for outcome in ("stored", "repeated", "claimed")},
        **picked(done, "left_out damaged"),
        "problems": [{"line": line, "problem": problem} for line, problem in done.problems],
        **picked(done, "senders_not_the_operator=unknown_senders not_the_operators=barred"),
        "passed_over": done.passed_over or None,
        "has_more": done.has_more,
    }


def imported_lines(done: Imported) -> list[str]:
    """Return what became of a transcript as people read it."""
    from clawgit.text.safety.control_characters import shown

    if done.passed_over:
        return []
    known = (
        f", known as the conversation {shown(done.known_as, keep_newlines=False)}" if done.known_as else ""
    )
    resumed = f", read on from byte {done.resumed_at:,}" if done.resumed_at else ""
    claimed = f", {done.outcomes['claimed']:,} claimed" if done.outcomes["claimed"] else ""
    lines = [
        f"{done.path} ({done.format}{known}{resumed}): {done.outcomes['stored']:,} stored, {done.outcomes['repeated']:,} there before{claimed}"
    ]
    return lines + [f"  {count:,} left out: {reason}" for reason, count in done.left_out.items()]
