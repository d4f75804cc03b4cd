"""Entries and their corrections as JSON and in lines."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.cli.app import change_data, commit_lines, picked, same_data
from clawgit.history.authorship.actors import AS_THEY_ARE, HOST, based_on, with_person
from clawgit.memory.notes import USER, speaker_of
from clawgit.memory.trust import OPERATOR
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import begin_of, few, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo

    from clawgit.agents.door.correction_plans import Made
    from clawgit.agents.door.message_door import Passed
    from clawgit.capture.messages.message import ChatMessage
    from clawgit.memory.conflict_log import Contradiction, Party
    from clawgit.memory.corrections.corrected_entries import KnownCorrection
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.entries.entries import Entry
    from clawgit.memory.entry_states import EntryState
    from clawgit.operations.memory import AddOutcome, Entries, ReadLines
    from clawgit.operations.search import SearchAnswer
    from clawgit.recall.search_results import FoundMessage, Result


SHOWN = 200  # characters of a message that is below what rests on it

FEW = 2  # places that say the same
BRIEF, NEIGHBOURS = 5, 2  # hits for a person, and lines before and after the one that answers
FALLEN = 0.6  # of the first hit's score: what has less is not shown there


def search_data(answer: SearchAnswer) -> dict[str, Any]:
    hits = answer.found
    data: dict[str, Any] = {
        "results": list(map(_result_data, hits.results)),
        "confidence": hits.confidence,
        "probability": round(hits.likelihood, 2),
        **picked(hits.by, "mode provider model reason"),
        "notes": [*hits.notes, *filter(None, [answer.nothing])],
    }
    if answer.as_of is not None:
        at, commit_id, by_records = answer.as_of
        by = "records" if by_records else "commit dates"
        data["asOf"] = {"at": at, "commit": commit_id, "by": by}
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
    notes = [*result.notes, *filter(None, [result.committers])]
    if notes:
        data["note"] = "; ".join(notes)
    if result.told:
        data["beside"] = result.told
    if result.instead_of:
        keys = "path startLine=first endLine=last text"
        data["corrects"] = [picked(old, keys) for old in result.instead_of]
    if result.retirement is not None:
        gone = result.retirement
        data["retired"] = picked(gone, "since on") | {"by": gone.by or None, "commit": gone.commit_id or None}
    if result.message is not None:
        data["message"] = saying_data(result.message)
    return data


class _Shown(NamedTuple):
    """A hit with its lines, and other places that say the same; in the short form ``best`` is the line (from 0) that answers."""

    result: Result
    lines: list[str]
    also: tuple[Result, ...] = ()
    best: int | None = None

    @property
    def best_line(self) -> str:
        best = self.result.best_at if self.best is None else self.best
        return self.result.snippet.split("\n")[best]

    @property
    def is_cut(self) -> bool:
        lines = self.result.snippet.split("\n")
        return self.best is not None and len(self.lines) < len(lines) - len(_headings(lines))


def _each_once(results: Iterable[Result]) -> Iterator[Result]:
    """Yield hits without the line that a correction above has made, of its trust: both are one hit for a person."""
    shown_before: set[tuple[str, str]] = set()
    for each in results:
        if each.standing is not None:
            shown_before.add((each.standing.citation, each.trust))
        if (each.citation, each.trust) not in shown_before:
            yield each


def _first_of(hits: Sequence[_Shown]) -> list[_Shown]:
    """Return the hits until the score falls, equal ones as one."""
    firsts: dict[tuple[str, ...], _Shown] = {}
    for hit in hits:
        lines = tuple(hit.lines)
        is_far = hit.result.score < FALLEN * hits[0].result.score
        if lines in firsts:
            firsts[lines] = firsts[lines]._replace(also=(*firsts[lines].also, hit.result))
        elif not is_far and len(firsts) < BRIEF:
            firsts[lines] = hit
    return list(firsts.values())


def search_lines(answer: SearchAnswer, query: str = "", names: Mapping[str, str] = AS_THEY_ARE) -> list[str]:
    """Return all hits; with ``query``, for a person, only the first ones, until the score falls."""
    lines = [answer.nothing] if answer.nothing else []
    is_guess = False
    results = list(_each_once(answer.found.results))
    hits = list(map(partial(_around, query=query), results))
    if query:
        hits = _first_of(hits)
    for hit in hits:
        if hit.result.score < answer.least and not is_guess:
            is_guess = True
            lines.append("Guesses:")
        lines += _hit_lines(hit, answer, names)
    more = len(results)
    for hit in hits:
        more -= 1 + len(hit.also)
    if more:
        lines.append(f"{more} more: `--all` shows them.")
    elif any(map(attrgetter("is_cut"), hits)):
        lines.append("… is cut: `--all` shows it whole.")
    return lines or ["No matches."]


def _hit_lines(hit: _Shown, answer: SearchAnswer, names: Mapping[str, str]) -> Iterator[str]:
    """Yield a hit; a correction that a file's line says by now is shown at that line, the line that answers is marked."""
    from clawgit.memory.entries.statements import parted  # not for `memory get`

    result = hit.result
    at = result
    place = result.citation
    if hit.best is not None and not result.message:  # of the line that answers, as `why` and `forget` take it
        place = f"{result.path}:{result.number_of(hit.best)}"
    corrected = ""
    if result.standing is not None:
        at = result.standing
        place = at.citation
        corrected = f"  corrected {''.join(result.titles[-1:])}, {result.entry}"
    headings = f"  ({' › '.join(at.titles)})" if at.titles else ""
    agent = f"{result.agent}: " if result.agent else ""
    entry = ""
    if at.best_entry and hit.best in (None, result.best_at):  # else it names another line
        entry = f"  {at.best_entry}"
    about = f"{_whose(result, names)}{entry}{headings}{corrected}{_gone(result, names)}"
    if result.message:
        about += f"  ({saying_line(result.message, answer.zone)})"
    yield f"{agent}{shown(place, keep_newlines=False)}  {about}{'  …' * hit.is_cut}"
    below, beside_hit = _notes_of(hit)
    for line in hit.lines:
        lead = "    "
        if hit.best is not None and len(hit.lines) > 1 and line == hit.best_line:
            lead = "  > "
        yield f"{lead}{line.removesuffix(parted(line).after)}"
        yield from map("    ({})".format, below.get(line, ()))
    if hit.also:
        places = few(list(map(attrgetter("citation"), hit.also)), FEW)
        yield f"    (the same in {shown(places, keep_newlines=False)})"
    yield from map("    ({})".format, (*result.notes, *beside_hit))
    for old in result.instead_of:
        if old.text not in result.snippet:
            place = f"{shown(old.path, keep_newlines=False)}:{old.first}"
            if old.person:
                place += f" ({old.person})"
            yield f"    instead of, in {place}: {old.text}"


def _notes_of(hit: _Shown) -> tuple[dict[str, dict[str, None]], tuple[str, ...]]:
    """Return the notes below each line, which may not be shown, and those of the whole hit."""
    result = hit.result
    snippet = result.snippet.split("\n")
    beside_hit = result.told
    below: dict[str, dict[str, None]] = {}
    if not result.is_correction and len(snippet) > 1:
        beside_hit = ()
        for each in result.beside:
            below.setdefault(snippet[min(each.at, len(snippet) - 1)], {})[each.words] = None
        if snippet[result.best_at] in hit.lines:
            below.setdefault(snippet[result.best_at], {}).update(dict.fromkeys(result.later))
        else:
            beside_hit = result.later
    return below, beside_hit


def _whose(result: Result, names: Mapping[str, str]) -> str:
    """Return the author of a hit; a note may wrongly give a turn to the operator, so that is unproven."""
    if result.trust == HOST and speaker_of(result.snippet) == USER:
        return f"noted as said by {names.get(OPERATOR, OPERATOR)}, unproven"
    whose = names.get(result.trust, result.trust)
    if result.committers.startswith("in part"):
        return f"{whose}, {result.committers}"
    return with_person(whose, result.person or result.committers.removeprefix("committed by "))


def _around(result: Result, query: str) -> _Shown:
    """Return a hit with the line that has most words of ``query``, and its neighbours that are no headings; without one whole."""
    lines = result.snippet.split("\n")
    if not query:
        return _Shown(result, lines)
    headings = _headings(lines)
    is_one_line = len(lines) == 1 or len(lines) == len(headings)
    if is_one_line or result.is_correction:  # whose right line is the first
        return _Shown(result, lines, best=0)
    from clawgit.text.comparing.subjects import shared_with, subject

    query_words = subject(query)
    best, most = result.best_at, 0
    for at, line in enumerate(lines):
        telling = 2 * len(shared_with(query_words, subject(line))) + (at == result.best_at)
        if at not in headings and telling > most:
            best, most = at, telling
    numbers = sorted(set(range(len(lines))).difference(headings).union([best]))
    at = numbers.index(best)
    near = numbers[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
    return _Shown(result, list(map(lines.__getitem__, near)), best=best)


def _headings(lines: Sequence[str]) -> set[int]:
    """Return the lines (from 0) that the first line of a hit names, and the blank ones."""
    headings = set()
    for at, line in enumerate(lines):
        if not line.strip() or line.startswith("#"):
            headings.add(at)
    return headings


def _gone(result: Result, names: Mapping[str, str]) -> str:
    gone = result.retirement
    if gone is None:
        return ""
    if gone.on is None:
        return "  retired: gone from the folder, or left behind with its branch"
    return f"  retired on {gone.on:%Y-%m-%d} by {names.get(gone.by, gone.by)} ({gone.commit_id[:12]})"


def saying_data(message: FoundMessage) -> dict[str, Any]:
    return {
        "id": f"{MESSAGE}{message.chat_id}",
        **picked(message, "channel conversation session role sender trust"),
        "sentAt": message.sent_at.isoformat(timespec="milliseconds"),
    }


def saying_line(message: FoundMessage, zone: tzinfo | None) -> str:
    at = message.sent_at.astimezone(zone)
    where = shown(f"{message.sender or message.role} in {message.channel}", keep_newlines=False)
    return f"{where}, {at:%Y-%m-%d %H:%M}"


def evidence_lines(
    item: str,
    messages: Mapping[str, ChatMessage],
    zone: tzinfo | None,
    names: Mapping[str, str] = AS_THEY_ARE,
) -> list[str]:
    """Return an item of evidence, with its message if that is stored."""
    from clawgit.operations.why import citation

    message = messages.get(citation(item))
    if message is None:
        return [f"      evidence: {item}"]
    text = begin_of(" ".join(message.text.split()), SHOWN)
    about = f"{saying_line(message, zone)}, based on: {names.get(message.trust, message.trust)}"
    return [f"      evidence: {citation(item)} ({about})", f"          {text}"]


def entry_data(state: EntryState, beside: str = "") -> dict[str, Any]:
    entry = state.entry
    return {
        "id": entry.mark or None,
        **picked(entry, "entry=entry_id text tag"),
        "path": state.path,
        "line": entry.first + 1,
        **picked(state, "tier source trust"),
        "confidence": state.confidence / 100,
        **picked(state, "since words_since last_mention mentions class=entry_class expires"),
        **picked(state, "commit=commit_id evidence"),
        "corrections": [known_data(correction) for correction in state.corrections],
        "beside": beside,
    }


def entries_data(listed: Entries) -> list[dict[str, Any]]:
    return [entry_data(state, beside) for state, beside in listed.entries]


def correction_data(correction: Correction) -> dict[str, Any]:
    return {
        "id": f"x:{correction.correction_id}",
        **picked(correction, "at trigger trigger_confidence said turn correct"),
        "corrects": [f"m:{entry_id}" for entry_id in correction.corrects],
        "beside": correction.beside,
        "may_correct": [f"m:{entry_id}" for entry_id in correction.may_correct],
        **picked(correction, "proposed status re_embedded"),
        "place": f"{correction.path}:{correction.first + 1}",
    }


def conflict_data(conflict: Contradiction) -> dict[str, Any]:
    loser = conflict.loser
    return {
        "id": f"k:{conflict.conflict_id}",
        "at": conflict.at,
        "a": _party_data(conflict.a),
        "b": _party_data(conflict.b),
        **picked(conflict, "differs rule outcome"),
        "superseded": f"m:{loser.entry_id}" if loser else None,
        "reason": conflict.reason,
    }


def _party_data(party: Party) -> dict[str, str]:
    return {"entry": f"m:{party.entry_id}", **picked(party, "text=statement on trust")}


def known_data(in_force: KnownCorrection) -> dict[str, Any]:
    """Return a correction with its history; ``holds`` says whether it counts."""
    beside = picked(in_force, "holds=counts actor commit=commit_id evidence")
    return correction_data(in_force.correction) | beside


def passed_data(passed: Passed) -> dict[str, Any]:
    data: dict[str, Any] = change_data(passed.recorded) | {"outcome": passed.outcome}
    if passed.correction is not None and not passed.recorded.proposal:
        data |= correction_data(passed.correction)
    if passed.added is not None:
        data |= {"path": passed.added.path, "entry": passed.added.entry_id}
    if passed.objection is not None:
        data["why"] = passed.objection.says
    return data


def added_data(answer: AddOutcome | Passed) -> dict[str, Any]:
    from clawgit.operations.memory import AddOutcome

    if not isinstance(answer, AddOutcome):
        return passed_data(answer)
    done = answer.done
    about = {"path": done.path, "entry": done.entry_id, "kind": answer.kind, "why": answer.why}
    return change_data(done.recorded) | about


def changed_lines(answer: AddOutcome | Made | Passed) -> list[str]:
    return commit_lines(answer.recorded.commit_id)


def corrected_data(answer: Made | Passed) -> dict[str, Any]:
    from clawgit.agents.door.correction_plans import Made

    if not isinstance(answer, Made):
        return passed_data(answer)
    data = change_data(answer.recorded)
    if answer.correction is None:
        return data
    return data | correction_data(answer.correction) | same_data(answer.same)


def lines_data(read: ReadLines) -> dict[str, Any]:
    data = picked(read.got, "path from=first lines text")
    if read.message is None:
        return data
    return data | {"source": "chat", "message": saying_data(read.message)}


def lines_read(read: ReadLines) -> list[str]:
    if read.got.lines:
        return [read.got.text.removesuffix("\n").removesuffix("\r")]
    return []


def held_data(entries: Iterable[tuple[str, Entry]]) -> list[dict[str, Any]]:
    rows = []
    for path, entry in entries:
        about = {"id": entry.mark or None, **picked(entry, "text tag")}
        rows.append(about | {"path": path, "line": entry.first + 1})
    return rows


def held_lines(entries: Iterable[tuple[str, Entry]]) -> list[str]:
    lines = []
    for path, entry in entries:
        lines.append(f"{path}:{entry.first + 1}  {entry.text}")
    return lines or ["No entries."]


def entry_line(state: EntryState, beside: str = "", names: Mapping[str, str] = AS_THEY_ARE) -> str:
    from clawgit.memory.entries.statements import without_comments

    mark = state.entry.mark or "-"
    holding = ", ".join(
        f"x:{correction.correction.correction_id}" for correction in state.corrections if correction.counts
    )
    place, statement = f"{state.path}:{state.entry.first + 1}", without_comments(state.entry.text)
    if beside:
        statement += f"  ({beside})"
    if holding:
        statement += f"  [corrected: {holding}]"
    trust = based_on(state.trust, state.source)
    whose = with_person(names.get(trust, trust), state.person)
    return f"{mark:<9} {state.confidence:>3}%  {whose:<10} {state.since}  {place}  {statement}"
