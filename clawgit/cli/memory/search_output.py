"""What a search found, as data and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clawgit.cli.memory.cited_messages import saying_data, saying_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, tzinfo

    from clawgit.history.git.repository import History
    from clawgit.memory.conflict_log import Contradiction
    from clawgit.recall.search_results import Found, Result


def found_data(found: Found) -> dict[str, Any]:
    """Return an answer as other programs read it."""
    return {
        "results": [_result_data(result) for result in found.results],
        "confidence": found.confidence,
        "mode": found.by.mode,
        "provider": found.by.provider,
        "model": found.by.model,
        "reason": found.by.reason,
        "notes": list(found.notes),
    }


def _result_data(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = {
        "path": result.path,
        "startLine": result.first,
        "endLine": result.last,
        "score": result.score,
        "snippet": result.snippet,
        "source": result.source,
        "tier": result.tier,
        "trust": result.trust,
        "citation": result.citation,
        "heading": result.titles[-1] if result.titles else "",
        "headings": list(result.titles),
        "entries": list(result.entries),
    }
    data |= _entry_data(result)
    if result.agent:
        data["agent"] = result.agent
    if result.note:
        data["note"] = result.note
    if result.instead_of:
        data["corrects"] = [
            {"path": old.path, "startLine": old.first, "endLine": old.last, "text": old.text}
            for old in result.instead_of
        ]
    if result.retirement is not None:
        gone = result.retirement
        data["retired"] = {
            "since": gone.since.isoformat(),
            "on": gone.on.isoformat() if gone.on else None,
            "by": gone.by or None,
            "commit": gone.commit_id or None,
        }
    if result.message is not None:
        data["message"] = saying_data(result.message)
    if result.parts:
        data["explain"] = [
            {"part": part.name, "value": part.value, "why": part.words} for part in result.parts
        ]
    return data


def _entry_data(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = {"id": result.entry} if result.entry else {}
    if result.entry_confidence is not None:
        data["entry_confidence"] = result.entry_confidence / 100
    return data


def weak_told(found: Found) -> str:
    """Return the sentence that nothing answers well, empty where something does or nothing was found."""
    if not found.results or found.confidence == "high":
        return ""
    meaning = (
        " `mode: enhanced` also looks for meaning (docs/enhanced.md)." if found.by.mode == "core" else ""
    )
    return f"No line answers this for sure.{meaning}"


def found_lines(found: Found, zone: tzinfo | None) -> list[str]:
    """Return an answer in words; times of messages are told in ``zone``."""
    from clawgit.text.safety.control_characters import shown

    lines = []
    for result in found.results:
        headings = f"  ({' › '.join(result.titles)})" if result.titles else ""
        place = shown(result.citation, keep_newlines=False)
        agent = f"{result.agent}: " if result.agent else ""
        known = f"  {' '.join(result.entries)}" if result.entries else ""
        about = f"{result.tier}  {result.trust}{known}{headings}{_gone(result)}{_said(result, zone)}"
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


def with_entry_confidence(history: History, found: Found, on: date) -> Found:
    """Return what was found, each entry with its confidence of that day."""
    paths = sorted({result.path for result in found.results if result.entry.startswith("m:")})
    if not paths:
        return found
    from clawgit.history.provenance.entries_at_tip import states_below

    sure = {
        f"m:{state.entry.entry_id}": state.confidence
        for state in states_below(history, paths, on)
        if state.entry.entry_id
    }
    return found._replace(
        results=tuple(result._replace(entry_confidence=sure.get(result.entry)) for result in found.results)
    )


def with_doubts(history: History, found: Found) -> Found:
    """Return what was found, with a note on each hit that shows a side of an open conflict."""
    if not any(result.entry.startswith("m:") for result in found.results):
        return found
    from clawgit.history.provenance.trust_lookup import conflicts_known
    from clawgit.memory.conflict_log import Outcome

    disputed = [each for each in conflicts_known(history, history.tip().tree) if each.outcome is Outcome.OPEN]
    if not disputed:
        return found
    return found._replace(
        results=tuple(
            result._replace(note=result.note or _doubt(result, disputed)) for result in found.results
        )
    )


def _doubt(result: Result, disputed: Sequence[Contradiction]) -> str:
    """Return which open conflicts a hit shows a side of, empty where none: an entry that was reworded since is no side."""
    from clawgit.memory.conflict_log import as_logged

    if result.retirement is not None:
        return ""
    shown = as_logged(result.snippet)
    named = [
        f"k:{each.conflict_id}"
        for each in disputed
        if any(
            f"m:{side.entry_id}" in result.entries and side.statement in shown for side in (each.a, each.b)
        )
    ]
    return f"disputed: {', '.join(named)}; `clawgit conflicts show {named[0]}`" if named else ""
