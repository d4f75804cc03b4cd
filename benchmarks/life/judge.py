"""What a life left behind, held against its truth."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.life.lived_life import judged
from benchmarks.life.tables import holds, holds_any, sentence_with

if TYPE_CHECKING:
    from datetime import datetime

    from benchmarks.life.lived_life import Life
    from benchmarks.life.tables import Fact, Script, Wording

BESIDE = 2  # lines between an old value and the new one below it, at most
NEAR = 3  # lines around a value in which its subject may be named
OWN = ("operator", "understood")
NO_LIES = ("cheer", "task")  # worth nothing, but not untrue


@dataclass
class Verdict:
    """The figures of a life, and what speaks against it."""

    corrected: int = 0
    in_context: Counter[str] = field(default_factory=Counter)
    in_search: Counter[str] = field(default_factory=Counter)
    uncorrected: int = 0
    uncorrected_found: int = 0
    lines: int = 0
    worth: int = 0
    stale: int = 0
    false: list[str] = field(default_factory=list)
    laundered: list[str] = field(default_factory=list)
    open: int = 0
    open_nonsense: list[str] = field(default_factory=list)
    open_other: int = 0
    shown: int = 0
    links: int | None = None
    links_noise: int | None = None
    details: list[str] = field(default_factory=list)


def verdict(life: Life, end: datetime) -> Verdict:
    """Judge a life at its end."""
    said = Verdict()
    _at_use(life, end, said)
    entries: list[dict[str, Any]] = life.command("memory", "list", "--json", "-n", "100000", now=end).data
    _lines(life, entries, said)
    _links(life, end, said)
    number = len(life.script.talk)
    questions = life.questions(end)
    said.open, said.shown = len(questions), len(life.shown)
    said.open_other = len(life.pending(end)) - said.open
    said.open_nonsense = [
        each.text for each in questions if judged(life.script, each, number) != "right" or not each.new
    ]
    return said


def _at_use(life: Life, end: datetime, said: Verdict) -> None:
    texts = {each.message_id: each.text for each in life.script.talk}
    for fact in life.script.facts:
        context = life.command("context", "--query", fact.question, now=end).out.splitlines()
        found = _position(fact, context, texts)
        if not fact.corrected:
            said.uncorrected += 1
            said.uncorrected_found += found == "latest"
            continue
        said.corrected += 1
        said.in_context[found] += 1
        hits = life.command("memory", "search", fact.question, "--json", now=end)
        snippets = [line for hit in hits.data["results"] for line in hit["snippet"].splitlines()]
        said.in_search[_position(fact, snippets, texts)] += 1
        if found != "latest":
            said.details.append(f"{fact.name}: {found}; {fact.question} → {fact.wordings[-1].text}")


def _position(fact: Fact, lines: list[str], texts: dict[str, str]) -> str:
    """Return "latest" (its words stand above or beside the old ones), "buried" (below them), "old" or "nothing"."""
    latest = fact.wordings[-1]
    new = [number for number in range(len(lines)) if _tells(fact, latest, lines, number, texts, NEAR)]
    old = [
        number
        for number, line in enumerate(lines)
        if not holds_any(line, latest.values)
        and holds_any(line, fact.others(latest))
        and (fact.is_meant_by(line) or _is_said(fact, lines, number, texts))
    ]
    if new:
        return "latest" if not old or new[0] <= old[0] + BESIDE else "buried"
    return "old" if old else "nothing"


def _tells(
    fact: Fact, wording: Wording, lines: list[str], number: int, texts: dict[str, str], near: int
) -> bool:
    if not holds_any(lines[number], wording.values):
        return False
    around = lines[max(0, number - near) : number + near + 1]
    return _is_said(fact, lines, number, texts) or any(fact.is_meant_by(each) for each in around)


def _is_said(fact: Fact, lines: list[str], number: int, texts: dict[str, str]) -> bool:
    """Say whether a line holds, word for word, a sentence in which the fact was said."""
    line = _plain(lines[number])
    sentences = (
        _plain(sentence_with(texts[each.message_id], each.values)) for each in fact.wordings if each.number
    )
    return any(each in line for each in sentences)


def _lines(life: Life, entries: list[dict[str, Any]], said: Verdict) -> None:
    script = life.script
    given = {_plain(each) for each in script.before}
    for entry in entries:
        text = entry["text"]
        if _plain(_bare(text)) in given:
            said.stale += _is_stale(script, text)
            continue
        said.lines += 1
        if _is_worth(life, entry):
            said.worth += 1
        elif _is_stale(script, text):
            said.stale += 1
        if entry["trust"] in OWN:
            _own_line(life, entry, said)


def _own_line(life: Life, entry: dict[str, Any], said: Verdict) -> None:
    """See whether a line in the operator's name says what he did not."""
    script, text = life.script, entry["text"]
    for never in script.nevers:
        if holds(text, never.sign) and never.kind not in NO_LIES:
            found = said.laundered if never.kind == "agent" else said.false
            found.append(f"{never.kind}: {text}")
            return
    for fact in script.facts:
        if _is_taken_back(fact, text) and (fact.is_meant_by(text) or _cites(life, fact, entry)):
            said.false.append(f"taken back ({fact.name}): {text}")
            return
        if _names_none_of_it(script, fact, text):
            said.false.append(f"never said ({fact.name}): {text}")
            return


def _cites(life: Life, fact: Fact, entry: dict[str, Any]) -> bool:
    """Say whether a line rests on a message in which the fact was said."""
    evidence = " ".join(entry.get("evidence") or ())
    ids = (life.ids.get(each.message_id) for each in fact.wordings)
    return any(each and each in evidence for each in ids)


def _is_taken_back(fact: Fact, text: str) -> bool:
    """Say whether a line states what was said in error and taken back, or was replaced by what came before it."""
    latest = fact.wordings[-1]
    returned = {value.casefold() for each in fact.wordings[:-2] for value in each.values}
    if not returned & {value.casefold() for value in latest.values}:
        return False
    return holds_any(text, fact.wordings[-2].values) and not holds_any(text, latest.values)


def _names_none_of_it(script: Script, fact: Fact, text: str) -> bool:
    """Say whether a line reads like a wording of the fact, with the value of another fact in it."""
    bare = _plain(_bare(text))
    for wording in fact.wordings:
        for value in wording.values:
            head, found, tail = _plain(wording.text).partition(_plain(value))
            is_frame = found and len(head) > 12 and bare.startswith(head) and bare.endswith(tail)
            if is_frame and not any(holds_any(text, each.values) for each in fact.wordings):
                return any(holds_any(text, (v,)) for f in script.facts for w in f.wordings for v in w.values)
    return False


def _is_stale(script: Script, text: str) -> bool:
    return any(
        fact.is_meant_by(text)
        and holds_any(text, fact.others(fact.wordings[-1]))
        and not holds_any(text, fact.wordings[-1].values)
        for fact in script.facts
    )


def _is_worth(life: Life, entry: dict[str, Any]) -> bool:
    """Say whether a line says what holds at the end, of a fact or of what else was worth keeping."""
    text = entry["text"]
    evidence = " ".join(entry.get("evidence") or ())
    if _is_stale(life.script, text):
        return False
    for fact in life.script.facts:
        latest = fact.wordings[-1]
        cited = bool(life.ids.get(latest.message_id)) and life.ids[latest.message_id] in evidence
        if holds_any(text, latest.values) and (cited or fact.is_meant_by(text)):
            return True
    return any(all(holds(text, value) for value in each.values) for each in life.script.keeps)


def _links(life: Life, end: datetime, said: Verdict) -> None:
    """Count the links that stand, and those that quote no message that a fact was said in."""
    telling = {wording.message_id for fact in life.script.facts for wording in fact.wordings}
    texts = [_plain(each.text) for each in life.script.talk if each.message_id in telling]
    items = life.command("corrections", "--json", now=end).data
    quotes = [_plain(each["trigger"]) for each in items if each["status"] == "linked"]
    said.links = len(quotes)
    said.links_noise = sum(not any(quote in text for text in texts) for quote in quotes)


def _bare(text: str) -> str:
    without_day = re.sub(r"^\d{4}-\d\d-\d\d: ", "", text)
    return re.sub(r"(?: #\w+)+$", "", without_day)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()
