"""`clawgit soul drift`: how much the soul changed, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, command, picked
from clawgit.history.authorship.actors import WHOSE, in_words
from clawgit.operations.soul import measure_drift

if TYPE_CHECKING:
    from clawgit.history.states import SoulDrift

_ROWS = 30
_NO_CHANGE = dict.fromkeys(("commit", "at", "actor"))


@command("drift")
@click.option("--since", metavar="REV|DATE|SNAPSHOT", help="Measure from SOUL.md as it was then.")
def drift_command(app: App, since: str | None) -> None:
    """Show how far SOUL.md moved from a baseline.

    Shows the distance day by day, and the principles that differ.

    The baseline is the newest snapshot, else the first SOUL.md. `clawgit soul snapshot` sets a new one. Small steps
    add up: each day is compared with the baseline, not with the day before.

    \b
    Examples:
      clawgit soul drift
      clawgit soul drift --since "last month"
      clawgit soul drift --since "before the holidays" --json
    """
    most_days = 0 if app.as_json else _ROWS
    drift = measure_drift(app, since, most_days)
    app.report(drift_data(drift), lambda: _lines(drift))


def drift_data(drift: SoulDrift) -> dict[str, Any]:
    days = []
    for day in drift.days:
        days.append(picked(day, "day distance changes actors") | {"distance": round(day.distance, 4)})
    principles = []
    for each, by in zip(drift.now.principles, drift.by, strict=True):
        row: dict[str, Any] = {"kind": each.kind, "distance": round(each.distance, 4), "by_meaning": None}
        row["old"] = each.old and picked(each.old, "section text line")
        row["new"] = each.new and picked(each.new, "section text line")
        principles.append(row | (picked(by, "commit=commit_id at actor") if by else _NO_CHANGE))
    return {
        "baseline": {"commit": drift.baseline.commit_id, "summary": drift.baseline.subject},
        "distance": round(drift.now.distance, 4),
        "by_meaning": None,  # it was measured once; programs may read the key
        "days": days,
        "principles": principles,
    }


def _lines(drift: SoulDrift) -> list[str]:
    start = f"{drift.baseline.commit_id[:12]} ({drift.baseline.subject})"
    if not drift.days:
        return [f"SOUL.md has not changed since {start}."]
    lines = [f"{_percent(drift.now.distance)} of SOUL.md differs from {start}.", ""]
    for day in drift.days:
        changes = ""
        if day.changes > 1:
            changes = f" ({day.changes} changes)"
        lines.append(
            f"{day.day}  {_percent(day.distance):>4}  {', '.join(map(in_words, day.actors))}{changes}"
        )
    for each, by in zip(drift.now.principles, drift.by, strict=True):
        here = each.new or each.old
        where = ""
        if here:
            where = " > ".join(here.section)
        lines += ["", f"{each.kind.value}{f', under {where}' if where else ''}"]
        if each.old:
            lines.append(f"  - {each.old.text}")
        if each.new:
            lines.append(f"  + {each.new.text}")
        if by:
            way_back = f"`clawgit undo {by.commit_id[:12]}`"
            lines.append(f"    {by.at[:10]} by {by.signed_by(WHOSE)}: {by.subject} ({way_back})")
    return lines


def _percent(share: float) -> str:
    if 0 < share < 0.01:
        return "<1%"
    return f"{100 * share:.0f}%"
