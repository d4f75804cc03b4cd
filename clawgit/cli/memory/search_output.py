"""What a search found, and messages that are cited as chat:ID, as data and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.app import picked
from clawgit.plan import MESSAGE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.operations.search import SearchAnswer
    from clawgit.recall.search_results import Message, Result

SHOWN = 200  # characters of a message that is below what rests on it


def search_data(answer: SearchAnswer) -> dict[str, Any]:
    """Return an answer as other programs read it."""
    found = answer.found
    data: dict[str, Any] = {
        "results": [_result_data(result) for result in found.results],
        "confidence": found.confidence,
        **picked(found.by, "mode provider model reason"),
        "notes": found.notes,
    }
    if answer.as_of is not None:
        by = "records" if answer.as_of.by_records else "commit dates"
        data["asOf"] = picked(answer.as_of, "at commit=commit_id") | {"by": by}
    return data


def _result_data(result: Result) -> dict[str, Any]:
    data = picked(result, "path startLine=first endLine=last score snippet source tier trust citation")
    data["heading"] = result.titles[-1] if result.titles else ""
    data |= picked(result, "headings=titles entries")
    if result.entry:
        data["id"] = result.entry
    if result.entry_confidence is not None:
        data["entry_confidence"] = result.entry_confidence / 100
    if result.agent:
        data["agent"] = result.agent
    if result.note:
        data["note"] = result.note
    if result.instead_of:
        data["corrects"] = [
            picked(old, "path startLine=first endLine=last text") for old in result.instead_of
        ]
    if result.retirement is not None:
        gone = result.retirement
        data["retired"] = picked(gone, "since on") | {"by": gone.by or None, "commit": gone.commit_id or None}
    if result.message is not None:
        data["message"] = saying_data(result.message)
    if result.parts:
        data["explain"] = [picked(part, "part=name value why=words") for part in result.parts]
    return data


def search_lines(answer: SearchAnswer) -> list[str]:
    """Return an answer in words."""
    from clawgit.text.safety.control_characters import shown

    lines = []
    for result in answer.found.results:
        headings = f"  ({' › '.join(result.titles)})" if result.titles else ""
        place = shown(result.citation, keep_newlines=False)
        agent = f"{result.agent}: " if result.agent else ""
        known = f"  {' '.join(result.entries)}" if result.entries else ""
        about = f"{result.tier}  {result.trust}{known}{headings}{_gone(result)}{_said(result, answer.zone)}"
        lines.append(f"{agent}{place}  {result.score:.2f}  {about}")
        lines += [f"    {line}" for line in result.snippet.split("\n")]
        lines += [f"    ({result.note})"] if result.note else []
        lines += [
            f"    instead of, in {shown(old.path, keep_newlines=False)}:{old.first}: {old.text}"
            for old in result.instead_of
        ]
        lines += [f"    {part.value:+6.2f}  {part.words}" for part in result.parts]
    return lines or ["No matches."]


def _said(result: Result, zone: tzinfo | None) -> str:
    return f"  ({saying_line(result.message, zone)})" if result.message else ""


def _gone(result: Result) -> str:
    gone = result.retirement
    if gone is None:
        return ""
    if gone.on is None:
        return "  retired: gone from the folder, or left behind with its branch"
    return f"  retired on {gone.on:%Y-%m-%d} by {gone.by} ({gone.commit_id[:12]})"


def saying_data(message: Message) -> dict[str, Any]:
    """Return who said something when and where, as other programs read it."""
    return {
        "id": f"{MESSAGE}{message.chat_id}",
        **picked(message, "channel conversation session role sender trust"),
        "sentAt": message.sent_at.isoformat(timespec="milliseconds"),
    }


def saying_line(message: Message, zone: tzinfo | None) -> str:
    """Return who said something when and where, in words, on one line."""
    from clawgit.text.safety.control_characters import shown

    at = message.sent_at.astimezone(zone)
    where = shown(f"{message.sender or message.role} in {message.channel}", keep_newlines=False)
    return f"{where}, {at:%Y-%m-%d %H:%M}, based on: {message.trust}"


def evidence_lines(item: str, messages: Mapping[str, ChatMessage], zone: tzinfo | None) -> list[str]:
    """Return an item of evidence in words, with the message behind it, if it is one that is kept."""
    from clawgit.operations.cited_messages import citation

    message = messages.get(citation(item))
    if message is None:
        return [f"      evidence: {item}"]
    text = " ".join(message.text.split())
    said = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return [f"      evidence: {citation(item)} ({saying_line(message, zone)})", f"          {said}"]
