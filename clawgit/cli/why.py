"""`clawgit why`: from a statement to the message behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.memory import entry_data
from clawgit.cli.soul import logged_data

if TYPE_CHECKING:
    from clawgit.history.why import Why, Wording


@click.command("why", cls=Command)
@click.argument("what", metavar="TEXT|ENTRY|PATH:LINE")
@click.pass_obj
def why_command(app: App, what: str) -> None:
    """Say where a statement comes from: its changes, who made them, on what evidence, and how sure it is.

    \b
    Examples:
      clawgit why m:7k2x9d
      clawgit why MEMORY.md:12
      clawgit why "REST over GraphQL" --json
    """
    from clawgit.history.why import find_why

    history = app.history()
    found = find_why(history, what, app.now(history).date())
    app.report(_why_data(found), lambda: _why_lines(found))


def _why_data(found: Why) -> dict[str, Any]:
    return {
        "text": found.words,
        "place": found.place,
        "sure": found.sure / 100,
        "trust": found.trust,
        "wordings": [{"text": each.words, **logged_data(each.change)} for each in found.wordings],
        "entry": None if found.state is None else entry_data(found.state),
        "confidence": [
            {"on": step.on.isoformat(), "what": step.what, "confidence": step.confidence / 100}
            for step in (found.state.steps if found.state else ())
        ],
    }


def _why_lines(found: Why) -> list[str]:
    lines = [found.words]
    mark = f" as m:{found.state.entry.entry_id}" if found.state and found.state.entry.entry_id else ""
    sure = "" if found.sure == 100 else f" (found by text, {found.sure} % sure)"
    lines.append(
        f"  stands in {found.place}{mark}{sure}"
        if found.place
        else f"  stands in no file of entries now{sure}"
    )
    lines.append(f"  rests on: {found.trust}")
    if found.state is not None:
        lines += [f"  {step.on}  {step.what}: {step.confidence} %" for step in found.state.steps]
    for each in found.wordings:
        lines += _wording_lines(each, found.words)
    return lines


def _wording_lines(wording: Wording, present: str) -> list[str]:
    change = wording.change
    lines = [f"  {change.at[:16]}  {change.actor}  {change.summary}  ({change.commit_id[:12]})"]
    if wording.words != present:
        lines.append(f"      it read: {wording.words}")
    if change.reason:
        lines.append(f"      why: {change.reason}")
    return lines + [f"      evidence: {item}" for item in change.evidence]
