"""`clawgit why`: from a statement to the message behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.entries import correction_data, entry_data, entry_line
from clawgit.cli.places import line_named, workspace_path
from clawgit.cli.said import logged_data

if TYPE_CHECKING:
    from clawgit.history.answers import Alike, Why
    from clawgit.history.repository import History
    from clawgit.history.wordings import Wording
    from clawgit.memory.corrected import KnownCorrection


@click.command("why", cls=Command)
@click.argument("what", metavar="TEXT|ENTRY|PATH:LINE")
@click.pass_obj
def why_command(app: App, what: str) -> None:
    """Say where a statement comes from: its changes, who made them, on what evidence, and how sure it is.

    Ask by an entry's or a correction's id, by a line of a file, or by some of the words, also of what was taken
    out long ago. Names what corrects it, and what else could be meant.

    \b
    Examples:
      clawgit why m:7k2x9d
      clawgit why MEMORY.md:12
      clawgit why "REST over GraphQL" --json
      clawgit why x:4f1c
    """
    history = app.history()
    found = _found(app, history, what)
    if found.note:
        app.say(found.note)
    app.report(_why_data(found), lambda: _why_lines(found))


def _found(app: App, history: History, what: str) -> Why:
    from clawgit.history.why import find_why, find_why_line

    on = app.now(history).date()
    named = line_named(what)
    if named is None:
        return find_why(history, what, on)
    return find_why_line(history, workspace_path(history.root, named[0]), named[1], on)


def _why_data(found: Why) -> dict[str, Any]:
    return {
        "text": found.words,
        "place": found.place,
        "sure": found.sure / 100,
        "by": found.by,
        "note": found.note,
        "also": [_alike_data(other) for other in found.others],
        "trust": found.trust,
        "wordings": [
            {"text": each.words, "path": each.path, "claimed": each.claimed, **logged_data(each.change)}
            for each in found.wordings
        ],
        "entry": None if found.state is None else entry_data(found.state),
        "corrections": [correction_data(known) for known in found.corrections],
        "corrected": [entry_data(state) for state in found.corrected],
        "confidence": [
            {"on": step.on.isoformat(), "what": step.what, "confidence": step.confidence / 100}
            for step in (found.state.steps if found.state else ())
        ],
    }


def _alike_data(other: Alike) -> dict[str, Any]:
    return {
        "text": other.words,
        "place": other.place,
        "id": f"m:{other.entry_id}" if other.entry_id else None,
    }


def _why_lines(found: Why) -> list[str]:
    lines = [found.words, f"  {_standing(found)}"]
    if found.sure < 100:
        lines.append(f"  found by {found.by}, {found.sure} % sure")
        lines += [f"  also like this: {_other(other)}" for other in found.others]
    lines.append(f"  rests on: {found.trust}")
    for known in found.corrections:
        lines += _correction_lines(known)
    lines += [f"  corrects: {entry_line(state)}" for state in found.corrected]
    if found.state is not None:
        lines += [f"  {step.on}  {step.what}: {step.confidence} %" for step in found.state.steps]
    for each in found.wordings:
        lines += _wording_lines(each, found)
    return lines


def _standing(found: Why) -> str:
    mark = f" as m:{found.state.entry.entry_id}" if found.state and found.state.entry.entry_id else ""
    return f"stands in {found.place}{mark}" if found.place else "stands nowhere now"


def _other(other: Alike) -> str:
    place = f"{other.place}  " if other.place else ""
    return f"{place}{other.words}"


def _correction_lines(known: KnownCorrection) -> list[str]:
    correction = known.correction
    force = "" if known.holds else ", does not count"
    status = correction.status.value
    lines = [
        f"  correction x:{correction.correction_id} of {correction.at} by {known.actor}: {status}{force}"
    ]
    lines += [f"      said: {correction.said}"] if correction.said else []
    lines += [f"      correct: {correction.correct}"] if correction.correct else []
    lines += [f"      evidence: {item}" for item in known.evidence]
    place = f"{correction.path}:{correction.first + 1}"
    return [*lines, f"      stands in {place}, since {known.commit_id[:12] or 'no known commit'}"]


def _wording_lines(wording: Wording, found: Why) -> list[str]:
    change = wording.change
    lines = [f"  {change.at[:16]}  {change.actor}  {change.summary}  ({change.commit_id[:12]})"]
    if wording.words != found.words:
        lines.append(f"      it read: {wording.words}")
    if wording.path and wording.path != found.place.rpartition(":")[0]:
        lines.append(f"      in: {wording.path}")
    if wording.claimed:
        lines.append("      claimed as the operator's since")
    if change.reason:
        lines.append(f"      why: {change.reason}")
    return lines + [f"      evidence: {item}" for item in change.evidence]
