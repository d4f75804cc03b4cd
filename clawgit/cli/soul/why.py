"""`clawgit why`: from a statement to the message behind it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, tzinfo
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from clawgit.cli.app import App, command, logged_data, picked, text_argument
from clawgit.cli.memory import entry_output
from clawgit.history.authorship.actors import AS_THEY_ARE, OPERATOR, based_on, with_person
from clawgit.memory.corrections.corrected_entries import set_right
from clawgit.memory.entries.statements import parted
from clawgit.operations.why import RestingOn, WhyAnswer, find_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.provenance.why import SimilarStatement, Why, Wording
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.memory.corrections.corrected_entries import KnownCorrection


@command("why")
@text_argument("what", metavar="TEXT|ENTRY|PATH:LINE|COMMIT|MESSAGE")
def why_command(app: App, what: str) -> None:
    """Show where a statement comes from.

    Shows its changes with author and evidence, its confidence, the corrections of it, the messages behind it, and
    similar statements.

    Ask by an id (entry, correction), a line of a file, or some of its words. Statements that were removed long ago are
    found too. Asked for a message, it lists the changes that rest on that message.

    \b
    Examples:
      clawgit why m:7k2x9d
      clawgit why MEMORY.md:12
      clawgit why x:4f1c
      clawgit why chat:7k2x9d3m4qv8w1ec
    """
    answer = find_origin(app, what)
    app.report(why_data(answer), lambda: why_lines(answer, app.names))


def why_data(answer: WhyAnswer | RestingOn) -> dict[str, Any]:
    if isinstance(answer, RestingOn):
        return {
            "message": None if answer.message is None else _message_data(answer.message),
            "changes": [logged_data(change) for change in answer.changes],
        }
    messages = {cited: _message_data(message) for cited, message in answer.messages.items()}
    why = answer.why
    wordings = []
    for each in why.wordings:
        row = picked(each, "text=words path claimed") | logged_data(each.change)
        wordings.append(row | picked(each, "evidence"))
    also = []
    for other in why.others:
        also.append(
            picked(other, "text=words place") | {"id": f"m:{other.entry_id}" if other.entry_id else None}
        )
    steps = []
    for step in why.state.steps if why.state else ():
        sure = {"on": step.on.isoformat(), "what": step.what, "confidence": step.confidence / 100}
        steps.append(sure)
    return {
        "text": why.words,
        "place": why.place,
        "sure": why.sure / 100,
        **picked(why, "by note"),
        "also": also,
        "trust": why.trust,
        "wordings": wordings,
        "entry": None if why.state is None else entry_output.entry_data(why.state),
        "corrections": list(map(entry_output.known_data, why.corrections)),
        "corrected": list(map(entry_output.entry_data, why.corrected)),
        "confidence": steps,
        "messages": messages,
        "beside": answer.beside,
    }


def why_lines(answer: WhyAnswer | RestingOn, names: Mapping[str, str] = AS_THEY_ARE) -> list[str]:
    if isinstance(answer, WhyAnswer):
        evidence = partial(
            entry_output.evidence_lines, messages=answer.messages, zone=answer.zone, names=names
        )
        why = answer.why
        standing = "no longer in any file"
        if why.place:
            standing = f"now in {why.place}"
        if why.removed is not None:
            change = why.removed
            name = change.commit_id[:12]
            what = f"{change.at[:10]}, {change.signed_by(names)}, {change.subject} ({name})"
            standing = f"no longer in any file: {what}; {why.way_back}"
        elif why.place and why.state and why.state.entry.entry_id:
            standing += f" (m:{why.state.entry.entry_id})"
        lines = [_readable(why.words), f"  {standing}"]
        if answer.beside:
            lines.append(f"  ({answer.beside})")
        if why.sure < 100:
            lines.append(f"  matched by {why.by}")
            lines += [f"  also like this: {_other(other)}" for other in why.others]
        lines.append(f"  based on: {_whose(why, names)}")
        for in_force in why.corrections:
            who = with_person(names.get(in_force.actor, in_force.actor), in_force.person)
            lines += _correction_lines(in_force, evidence, who)
        lines += [f"  corrects: {entry_output.entry_line(state, names=names)}" for state in why.corrected]
        if why.state is not None:
            steps = [f"{step.confidence} % on {step.on} ({step.what})" for step in why.state.steps]
            lines.append(f"  confidence: {', '.join(steps)}")
        for each in why.wordings:
            whose = names
            if each.claimed:
                whose = {each.change.actor: names.get(OPERATOR, OPERATOR)}
            lines.append(_change_line(each.change, whose, answer.zone))
            lines += _wording_lines(each, why, evidence, names)
        return lines
    lines = []
    if answer.message is not None:
        lines += entry_output.evidence_lines(answer.cited, {answer.cited: answer.message}, answer.zone, names)
    lines += [_change_line(change, names, answer.zone) for change in answer.changes]
    return lines or ["Nothing rests on it."]


def _whose(why: Why, names: Mapping[str, str]) -> str:
    actor = why.author
    if why.wordings and not actor:
        actor = why.wordings[-1].change.actor
    trust = based_on(why.trust, actor)
    whose = with_person(names.get(trust, trust), why.person)
    right = set_right(why.words, why.corrections, ())
    if right is not None and trust != OPERATOR:
        you = with_person(names.get(OPERATOR, OPERATOR), right.person)
        whose = f"{you} (x:{right.correction.correction_id}); the rest: {whose}"
    is_his = right is None and why.author == trust == OPERATOR
    if is_his and not any(map(attrgetter("evidence"), why.wordings)):
        whose = f"{whose}, who committed it"
    return whose


def _change_line(change: LoggedChange, names: Mapping[str, str], zone: tzinfo | None) -> str:
    at = change.at[:16]
    with suppress(ValueError, OverflowError):  # git keeps dates that no calendar has
        at = f"{datetime.fromisoformat(change.at).astimezone(zone):%Y-%m-%d %H:%M}"
    return f"  {at}  {change.signed_by(names)}  {change.subject}  ({change.commit_id[:12]})"


def _message_data(message: ChatMessage) -> dict[str, Any]:
    return {**entry_output.saying_data(message), "text": message.text}


def _readable(words: str) -> str:
    """Return a statement without its tag, and without comments, since its wordings list those; a mere comment stays whole."""
    parts = parted(words)
    return parts.before + parts.statement or words


def _other(other: SimilarStatement) -> str:
    if not other.place:
        return _readable(other.words)
    return f"{other.place}  {_readable(other.words)}"


def _correction_lines(in_force: KnownCorrection, evidence: Callable[[str], list[str]], who: str) -> list[str]:
    correction = in_force.correction
    force = ", does not count"
    if in_force.counts:
        force = ""
    status = correction.status.value
    lines = [f"  correction x:{correction.correction_id} of {correction.at} by {who}: {status}{force}"]
    for name, text in correction.said_fields.items():
        if text:
            lines.append(f"      {name}: {text}")
    if correction.correct:
        lines.append(f"      correct: {correction.correct}")
    lines += [line for item in in_force.evidence for line in evidence(item)]
    place = f"{correction.path}:{correction.first + 1}"
    return [*lines, f"      in {place}, since {in_force.commit_id[:12] or 'no commit'}"]


def _wording_lines(
    wording: Wording, why: Why, evidence: Callable[[str], list[str]], names: Mapping[str, str]
) -> list[str]:
    lines = []
    if _readable(wording.words) != _readable(why.words):
        lines.append(f"      was: {_readable(wording.words)}")
    if wording.path and wording.path != why.place.rpartition(":")[0]:
        lines.append(f"      in: {wording.path}")
    if wording.claimed:
        lines.append("      claimed as yours since" if names else "      claimed as the operator's since")
    if wording.change.reason:
        lines.append(f"      why: {wording.change.reason}")
    return lines + [line for item in wording.evidence for line in evidence(item)]
