"""Texts of memory for the page: words without their marks, times as a person says them, never as HTML.

And a drawing: the nights of jobs as squares.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime, timedelta
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from clawgit.history.authorship.actors import OPERATOR, WHOSE
from clawgit.memory.entries.statements import parted
from clawgit.text.comparing.word_diff import word_diff
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEMPLATES = Path(__file__).parent / "templates"
LONGEST = 600  # characters of a text in a list; its own page has four times as many
_SPOKEN = re.compile(r'^(?:User|Agent|A web page): "(.*)"$', re.DOTALL)
_MARK = re.compile(r"\s*<!-- [a-z]:[0-9a-z]+ -->")
_WAS = re.compile(r"<!-- was: (.*?) -->")
_QUOTE = re.compile(r'"(.*)"\s*$', re.DOTALL)
_CHANGE = re.compile(r'Shall (?:[mx]:[0-9a-z]+ )*"(.*)" become "(.*)"\?', re.DOTALL)
_NAME = re.compile(r'\b[mxk]:[0-9a-z]+:? (?=["“])')  # before the words that it names
_COMMANDS = re.compile(r" \(`clawgit .*\)$")
_SPEAKER = re.compile(r'"(?:User|Agent|A web page): "|""(?=[,.]|$)')
NIGHTS = 14
_WEIGHT = ("", "nothing", "linked", "noted", "asks", "applied", "proposed", "refused", "failed")
_WHOSE_WORDS = (
    (("operator", "understood"), "yours"),
    (("host",), "your agent’s"),
    (("external", "unknown"), "from outside"),
)


@cache
def environment() -> Environment:
    """Return the templates' environment, which escapes every text and spells control characters out."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: shown(value) if type(value) is str else value,
    )
    made.filters.update(
        statement=statement,
        brief=brief,
        quote=quote,
        plainly=plainly,
        unnamed=unnamed,
        question=question,
        who=who,
        whose=whose,
        day=day,
        clock=clock,
        reworded=reworded,
    )
    return made


def render(template: str, context: Mapping[str, Any]) -> str:
    return str(environment().get_template(template).render(context))


def brief(text: str, most: int = LONGEST) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text):,} characters)"


def statement(text: str, most: int = LONGEST) -> str:
    """Return an entry's statement without date, tags, comments, and a speaker before a quote."""
    words = parted(brief(text.removeprefix("- "), most)).statement
    return _SPOKEN.sub(r"\1", words)


def unnamed(text: str) -> str:
    """Return a sentence without ids, the speaker before a quote, and the commands after it."""
    return _SPEAKER.sub('"', _COMMANDS.sub("", _NAME.sub("", text)))


def question(text: str) -> Markup:
    """Return the text of a question; of two wordings, the change."""
    change = _CHANGE.fullmatch(text)
    if change is None:
        return Markup("<b>{}</b>").format(shown(brief(unnamed(text))))
    return Markup("<b>Shall this change?</b> {}").format(reworded(change[1], change[2]))


def plainly(line: str) -> str:
    without_ids = _MARK.sub("", line).strip()
    return _WAS.sub(r"(was: \1)", without_ids).removeprefix("- ")


def quote(evidence: str) -> str:
    """Return the words that a piece of evidence quotes; empty if it only names the message."""
    quoted = _QUOTE.search(evidence)
    if quoted is None:
        return ""
    return brief(quoted.group(1), 240)


def who(actor: str | None) -> str:
    return WHOSE.get(actor or OPERATOR, actor or "")


def whose(actor: str | None) -> str:
    """Return an author's CSS class for its coloured dot."""
    if actor in AGENT_NAMES or actor in ("runner", "agent"):
        return "agent"
    if actor in ("host", "external", "unknown"):
        return str(actor)
    return "operator"


def day(at: str | None, form: str = "%a %-d %b") -> str:
    """Return the day of a time, as `Tue 24 Mar`; another ``form`` can show the year."""
    if not at:
        return ""
    try:
        moment = date.fromisoformat(at[:10])
    except ValueError:
        return at
    return moment.strftime(form)


def clock(at: str | None) -> str:
    try:
        return datetime.fromisoformat(at or "").strftime("%H:%M")
    except ValueError:
        return ""


def reworded(old: str, new: str) -> Markup:
    """Return two wordings as one line: removed words struck out, new words marked."""
    parts = []
    for piece in word_diff(statement(old), statement(new)):
        text = escape(shown(piece.text))
        if piece.kind == "removed":
            parts.append(Markup("<del>{}</del>").format(text))
        elif piece.kind == "added":
            parts.append(Markup("<ins>{}</ins>").format(text))
        else:
            parts.append(text)
    return Markup("").join(parts)


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
    days = [(last - timedelta(back)).isoformat() for back in reversed(range(NIGHTS))]
    for run in runs:
        if run["at"][:10] >= days[0]:
            outcomes.setdefault(run["agent"], {}).setdefault(run["at"][:10], []).append(run["outcome"])
    rows = []
    for agent in sorted(outcomes):
        row = []
        for day in days:
            ran = outcomes[agent].get(day, [])
            unknown = [outcome for outcome in ran if outcome not in _WEIGHT]
            row.append(Night(day, next(iter(unknown), max(["", *ran], key=_WEIGHT.index))))
        rows.append((agent, row))
    return rows


def by_trust(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return how many entries rest on whose words."""
    counts = Counter(map(itemgetter("trust"), entries))
    parts = []
    for trusts, words in _WHOSE_WORDS:
        count = sum(map(counts.__getitem__, trusts))
        if count:
            parts.append(f"{count} {words}")
    return ", ".join(parts)
