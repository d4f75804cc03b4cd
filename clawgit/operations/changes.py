"""Reports on a change beside its result; and the door for a host's change, which is made or put to the operator."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, ConfigurationError
from clawgit.memory.entries.tiers import holds_entries
from clawgit.text.safety.control_characters import counted, few, shown
from clawgit.workspace.safe_files import write_private

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from clawgit.agents.door.message_door import Door, Passed
    from clawgit.agents.models.model import Asker
    from clawgit.history.apply_plan import Recorded
    from clawgit.history.git.repository import History
    from clawgit.history.guards.finding import Finding
    from clawgit.history.review.keep import KeepOutcome
    from clawgit.history.review.working_tree_edits import OpenEdits
    from clawgit.operations.caller import Caller

NAMED = 5  # paths in a sentence
STAYING = {
    "secret": "looks like a key",
    "file-size": "too large",
    "unsafe-path": "no plain file, or in a folder that you may not open",
}


def say_kept(caller: Caller, outcome: KeepOutcome) -> None:
    caller.say_each(outcome.recovered)
    if outcome.paths:
        caller.say(f"Committed first: {few(outcome.paths, NAMED)}.")
        from clawgit.history.review.working_tree_edits import staged_entries

        history = caller.history()
        tree = history.tip().tree
        older = []
        for path, staged in staged_entries(history, outcome.paths).items():
            if staged is not None and staged != tree.entry(path):
                older.append(path)
        if older:
            sentence = f"{few(older, NAMED)}: an older text is staged. `git add` it again, or your next `git commit` takes out what came since."
            caller.say(sentence)
    caller.say_each(finding_lines((*outcome.held, *outcome.remarks)))


def finding_lines(findings: Iterable[Finding], most: int = NAMED) -> list[str]:
    """Return findings with their ways out; equal findings of several files share a line, which names ``most`` of them."""
    lines: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    for each in findings:
        shape = f"{each.sentence} {each.way_out}"
        if each.path and each.line is None:
            shape = shape.replace(each.path, "")
        elif each.path:
            shape = f"{each.path} {each.way_out}"  # several lines of one file: the way out is said once
        if shape not in lines:
            lines[shape] = f"{each.sentence} {each.way_out}"
        elif each.line is not None:
            lines[shape] = f"{lines[shape].removesuffix(each.way_out)}{each.sentence} {each.way_out}"
        elif each.path:
            others.setdefault(shape, []).append(each.path)
    for shape, paths in others.items():
        lines[shape] += f" The same is true of {few(paths, most)}."
    return list(lines.values())


def held_news(caller: Caller, findings: Sequence[Finding]) -> list[Finding]:
    """Return what is left out of commits, without what stays so until somebody moves it if that list was shown before; notes it as shown.

    A file of memory is always named, since nothing new in it is remembered.
    """
    staying = list(filter(lambda each: each.rule in STAYING and not holds_entries(each.path), findings))
    listing = "\n".join(sorted(f"{each.rule} {each.path}:{each.line}" for each in staying))
    path = _listing(caller)
    with suppress(OSError):  # then it is shown again
        if path.exists() and path.read_bytes() == listing.encode("utf-8", "backslashreplace"):
            return list(filterfalse(staying.__contains__, findings))
        write_private(path, listing)
    return list(findings)


def held_since(caller: Caller) -> float:
    """Return when the present list of what is left out was first shown, in seconds."""
    with suppress(OSError):
        return _listing(caller).stat().st_mtime
    return 0.0


def _listing(caller: Caller) -> Path:
    return caller.history().state / f"left-out-{caller.actor}"


def held_lines(findings: Collection[Finding]) -> list[str]:
    """Return what is left out of commits: one line for what stays so until somebody moves it, the rest in full."""
    staying = list(filter(lambda each: each.rule in STAYING, findings))
    lines = finding_lines(filterfalse(staying.__contains__, findings))
    if not staying:
        return lines
    groups = []
    for why, names in places_by_reason(staying).items():
        groups.append(f"{why}: {names_of(tuple(names))}")
    says = f"Not committed, {'; '.join(groups)} (`clawgit doctor` says what to do)."
    if any(each.rule == "secret" and holds_entries(each.path) for each in findings):
        from clawgit.history.guards.contents import HELD_WHOLE

        says += f" {HELD_WHOLE}"
    return [*lines, says]


def places_by_reason(findings: Iterable[Finding]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for each in findings:
        place = f"{shown(each.path, keep_newlines=False)}:{each.line or ''}".removesuffix(":")
        places.setdefault(STAYING.get(each.rule, "held back by a guard"), []).append(place)
    return dict(sorted(places.items()))


def uncommitted_lines(edits: OpenEdits) -> list[str]:
    """Return each path of the folder that the history lacks, by the step that saves it; ignored files are left out."""
    stopped = set(map(attrgetter("path"), edits.held))
    free = tuple(filterfalse(stopped.__contains__, edits.edits))
    lines = []
    if free:
        lines.append(f"  {names_of(free)}: `clawgit keep`")
    if edits.staged:
        lines.append(f"  {names_of(edits.staged)}: `git commit`")
    for why, places in places_by_reason(edits.held).items():
        lines.append(f"  {', '.join(places)} ({why}): copy it yourself")
    if lines:
        count = counted(len(stopped.union(free, edits.staged)), "file")
        lines.insert(0, f"Not committed, so neither the history nor this backup has {count}:")
    return lines


def names_of(paths: tuple[str, ...]) -> str:
    """Name a few files, those in the folder itself first, and count the others."""
    named = sorted(paths, key=lambda path: (path.count("/"), path))[:NAMED]
    if len(paths) > NAMED:
        return f"{', '.join(named)} and {len(paths) - NAMED} more"
    if len(named) > 1:
        return " and ".join((", ".join(named[:-1]), named[-1]))
    return named[0]


def say_change(caller: Caller, done: Recorded, sentence: str) -> None:
    """Print what became of a change; ``sentence`` if it was made."""
    say_kept(caller, done.kept)
    other = {
        "nothing": "It already says that.",
        "repeated": f"The op {done.op} was applied before; nothing was written now.",
        "proposed": done.waiting,
    }
    caller.say(other.get(done.outcome, sentence))


@contextmanager
def open_door(caller: Caller) -> Iterator[Door]:
    """Open messages and history for a change that rests on a message of the operator's."""
    from clawgit.agents.door.authorised_edits import Authority
    from clawgit.agents.door.message_door import Door
    from clawgit.capture.messages.open_messages import open_messages

    if caller.actor not in ("host", "operator"):
        raise ClawgitError(f"This runs for the {caller.actor}, who has no way to memory but its own plans.")
    history = caller.history()
    now = caller.now(history)
    with open_messages(history, now) as store:
        yield Door(Authority(history, store, now), caller.intent(history), _second_reader(caller, history))


def _second_reader(caller: Caller, history: History) -> Asker | None:
    from clawgit.agents.door.second_reader import AUTO, NAME

    settings = history.settings
    if caller.actor != "host" or not settings.model or settings.second_reader != AUTO:
        return None
    from clawgit.operations.wiring.model_wiring import BRIEFLY, asker_for

    try:
        return asker_for(caller, history, NAME, patience=BRIEFLY)
    except ConfigurationError as error:
        caller.say(f"Nobody reads it again: {error}")
        return None


def say_passed(caller: Caller, passed: Passed) -> None:
    """Print what became of the change; a question to the operator is not a failure."""
    correction, why = passed.correction, passed.objection.says if passed.objection else ""
    if passed.recorded.proposal:
        say_change(caller, passed.recorded, "")
    elif passed.outcome == "asks" and correction is not None:
        say_kept(caller, passed.recorded.kept)
        caller.say(f"The operator is asked (x:{correction.correction_id}): {why}")
        caller.say(f"- {correction.said}\n+ {correction.proposed}")
        line = f"`clawgit approve x:{correction.correction_id}` is the operator's; leave the line as it is."
        caller.say(line)
    elif passed.outcome == "linked" and correction is not None:
        say_kept(caller, passed.recorded.kept)
        line = f"Not corrected: {why} The operator's words stand beside it (x:{correction.correction_id})."
        caller.say(line)
    elif passed.added is not None:
        sentence = f"Remembered in {passed.added.path}: {passed.added.line}"
        say_change(caller, passed.recorded, sentence)
        if why:
            caller.say(f"It is not the operator's word, since the message does not carry it: {why}")
    elif correction is not None and passed.recorded.commit_id:
        sentence = f"x:{correction.correction_id}: the entry says now: {correction.correct}"
        say_change(caller, passed.recorded, sentence)
        if correction.said:
            from clawgit.agents.door.exchanged_lines import same_told, still_said

            history = caller.history()
            caller.say_each(same_told(still_said(history, correction.said, correction.correct)))
    elif correction is not None and passed.outcome == "applied":
        line = f"x:{correction.correction_id}: done before, by the same message. It reads now: {correction.correct}"
        caller.say(line)
    else:
        say_kept(caller, passed.recorded.kept)
        caller.say(why or "Nothing was changed.")
    caller.say_each(passed.notes)
