"""Drawings made on the server: growth by trust as an SVG, nights of jobs as squares, slots of a prompt as bars."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NIGHTS = 14
_WIDTH, _HEIGHT, _LABELS = 430, 56, 92
_WEIGHT = ("nothing", "linked", "noted", "asks", "applied", "proposed", "refused", "failed")
_STRATA = (
    ("operator", ("operator", "understood"), "yours"),
    ("host", ("host",), "agent’s"),
    ("external", ("external", "unknown"), "outside"),
)


class Night(NamedTuple):
    """A job's night: the most that any of its runs did; empty if it did not run."""

    day: str
    outcome: str


def nights(runs: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Night]]]:
    """Return each job's outcome in fourteen nights, up to the latest run."""
    if not runs:
        return []
    outcomes: dict[str, dict[str, list[str]]] = {}
    last = date.fromisoformat(runs[0]["at"][:10])  # the newest comes first
    days = []
    for back in reversed(range(NIGHTS)):
        days.append((last - timedelta(back)).isoformat())
    for run in runs:
        if run["at"][:10] >= days[0]:
            outcomes.setdefault(run["agent"], {}).setdefault(run["at"][:10], []).append(run["outcome"])
    rows = []
    for agent in sorted(outcomes):
        row = []
        for day in days:
            ran = outcomes[agent].get(day, [])
            row.append(Night(day, max(ran, key=_weight, default="")))
        rows.append((agent, row))
    return rows


def _weight(outcome: str) -> int:
    if outcome in _WEIGHT:
        return _WEIGHT.index(outcome)
    return len(_WEIGHT)


def growth(entries: Sequence[Mapping[str, Any]]) -> Markup:
    """Return a drawing of the present entries by the day since which they hold, and by trust."""
    days = sorted({each["since"] for each in entries})
    if len(days) < 2:
        return Markup("")
    first = date.fromisoformat(days[0])
    last = date.fromisoformat(days[-1])
    base = [0] * len(days)
    parts = []
    sums = []
    for number, (name, trusts, words) in enumerate(_STRATA):
        top = list(map(add, base, _counted(entries, trusts, days)))
        count = top[-1] - base[-1]
        outline = [*_points(days, top, len(entries)), *reversed(_points(days, base, len(entries)))]
        drawn = Markup('<polygon class="{} fill" points="{}"/><text x="{}" y="{}">{} {}</text>')
        parts.append(
            drawn.format(name, " ".join(outline), _WIDTH - _LABELS + 6, 14 + 14 * number, count, words)
        )
        sums.append(f"{count} {words}")
        base = top
    label = f"Entries that hold, {first} to {last}: {', '.join(sums)}"
    ends = Markup('<text x="4" y="{}">{}</text><text x="{}" y="{}" text-anchor="end">{}</text>').format(
        _HEIGHT - 1, f"{first:%-d %b}", _WIDTH - _LABELS, _HEIGHT - 1, f"{last:%-d %b}"
    )
    picture = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>')
    return picture.format(_WIDTH, _HEIGHT, label, Markup("").join(parts), ends)


def _points(days: Sequence[str], counts: Sequence[int], total: int) -> list[str]:
    first = date.fromisoformat(days[0])
    span = (date.fromisoformat(days[-1]) - first).days
    points = []
    for day, count in zip(days, counts, strict=True):
        across = 4 + (date.fromisoformat(day) - first).days * (_WIDTH - _LABELS - 8) / span
        down = _HEIGHT - 13 - count * (_HEIGHT - 18) / max(1, total)
        points.append(f"{across:.1f},{down:.1f}")
    return points


def _counted(entries: Sequence[Mapping[str, Any]], trusts: Sequence[str], days: Sequence[str]) -> list[int]:
    came = Counter(entry["since"] for entry in entries if entry["trust"] in trusts)
    return list(accumulate(map(came.__getitem__, days)))


def slot_bars(slots: Sequence[Mapping[str, Any]]) -> Markup:
    """Return the slots of a prompt as one bar, each as wide as its use."""
    used = sum(slot["used"] for slot in slots)
    parts = []
    at = 0.0
    for number, slot in enumerate(slots):
        width = slot["used"] * 1000 / max(1, used)
        title = f"{slot['name']}: {slot['used']} of {slot['budget']} tokens"
        if width:
            drawn = Markup(
                '<rect class="slot s{}" x="{:.1f}" width="{:.1f}" height="20"><title>{}</title></rect>'
            )
            parts.append(drawn.format(number % 8, at, max(width - 2, 1), title))
        at += width
    label = f"{used} tokens in {len(parts)} slots"
    drawn = Markup(
        '<svg class="slots" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>'
    )
    return drawn.format(label, Markup("").join(parts))
