"""The lessons extractor: a failed and then overcome command in a transcript becomes a lesson; repeats are counted."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from clawgit.agents.door.correction_plans import Lessons
from clawgit.agents.models.model import (
    TEXT,
    Material,
    added_value,
    as_read,
    one_line_values,
    one_list,
    one_of,
    refused,
)
from clawgit.agents.run_agent import DONE, Agent, Agents, Means, Planned, RunReport, answer_to, digest_of
from clawgit.capture.messages.open_messages import has_messages, open_messages
from clawgit.capture.transcripts.importing import FORMATS, open_transcript, source_of
from clawgit.capture.transcripts.transcript_source import (
    Wish,
    first_of,
    in_use,
    lines_of,
    moment_of,
    object_of,
)
from clawgit.history.provenance.entries_at_tip import read_cited
from clawgit.memory.entries.entries import Entry, EntryError, read_entries
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import LESSONS
from clawgit.memory.trust import EXTERNAL, HOST
from clawgit.plan import Evidence, Plan
from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.text.strict_json import part_of
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.facts.keepable_sentences import is_forbidden
from clawgit.understanding.facts.same_statement import overlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clawgit.agents.models.model import Asker
    from clawgit.capture.transcripts.transcript_source import TranscriptSource
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.workspace.records.records import Records

MOST_OUTPUT = 2000  # characters of a command's output, from its end
_CALLS = ("tool_use", "toolCall", "function_call", "function")
_NAMES = ("command", "cmd", "script")
_SHELL = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh")
_NOT_RUN = ("doesn't want to proceed", "interrupted by user", "was rejected", "Permission to use")
WITHIN = timedelta(minutes=30)
MOST_BETWEEN = 12  # commands from the failure to the success
LONGEST = 300  # letters of a command; a longer one is a script
ALIKE = 0.5  # share of common words
SHORTEST = 3  # letters of an argument that may have been cut off
# A failure of these is an answer, and another file is another question.
_LOOKING = words_in(
    "ls cat grep rg egrep fgrep find head tail test diff which cd echo sed awk stat wc pwd type tree file jq true false"
)
_BEFORE = re.compile(r"^(?:(?:cd [^&;|]+(?:&&|;)|sudo|time|timeout \S+|env|\w+=\S+)\s+)+")
_HOME = re.compile(r"/(?:home|Users)/[^/\s'\"]+")
_ERROR = re.compile(r"\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b")
_BY_SYSTEMS = ("command not found", "No such file or directory", "Permission denied", "Connection refused")
NAME = "lessons-extractor"
SAME = 0.7  # strictly more
LARGEST = 256 * 1024 * 1024  # bytes of a transcript
AT_ONCE, MOST_KNOWN = 30, 60
MOST_TOLD, MOST_PRINTED = 200, 600  # characters of a situation or a cause, and of an output
_MOST_NAMED = 3
_COMMANDS = re.compile("`([^`]*)`")
NEW, DUPLICATE, NONE = "NEW", "DUPLICATE", "NONE"
_SCHEMA = one_list(
    "lessons",
    AT_ONCE,
    {"id": TEXT, "do": one_of(NEW, DUPLICATE, NONE), "entry": TEXT, "situation": TEXT, "why": TEXT},
    *("entry", "situation", "why"),
)
_TASK = """\
The material is commands that failed, each with what it printed and with the one that then worked (from "a session"), and the lessons that are
known (from "memory"). For each one: "do" is NEW; DUPLICATE where a known lesson says it, with its id as "entry"; NONE where there is nothing to
learn, since the two commands do different things, or something else changed in between. Of what is new, "situation" says in some words what was to be
done and with what, and "why" the cause as it shows there; leave out what does not show. The commands are taken over by themselves. Every number and name
that you write stands in the material."""


class CommandRun(NamedTuple):
    """One command: its id in the transcript, time, whether it failed (None: unknown), and the end of its output."""

    call_id: str
    command: str
    at: datetime | None
    failed: bool | None = None
    output: str = ""


def commands_in(lines: Iterable[bytes], source: TranscriptSource) -> list[CommandRun]:
    """Return the commands of a transcript in order, without other tools and commands that were not allowed to run."""
    kind = FORMATS[source.format]
    commands: dict[str, CommandRun] = {}
    for line in lines:
        record = object_of(line)
        if record is None:
            continue
        at = moment_of(record.get("timestamp")) or moment_of(part_of(record, "message").get("timestamp"))
        for block in kind.blocks(record):
            call_id = first_of(block, "id", "call_id", "toolCallId")
            command = _command(block.get("input", block.get("arguments")))
            if block.get("type") in _CALLS and call_id and command:
                commands[call_id] = CommandRun(call_id, command, at)
        for call_id, failed, output in kind.results(record):
            if call_id in commands:
                commands[call_id] = commands[call_id]._replace(failed=failed, output=output[-MOST_OUTPUT:])
    return [ran for ran in commands.values() if not any(words in ran.output for words in _NOT_RUN)]


def _command(arguments: object) -> str:
    if isinstance(arguments, str):
        arguments = object_of(arguments.encode("utf-8", "replace"))
    if not isinstance(arguments, dict):
        return ""
    command = next((arguments[name] for name in _NAMES if name in arguments), None)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        words = command[2:] if len(command) > 2 and command[0] in _SHELL else command
        command = " ".join(words)
    if isinstance(command, str):
        return command.strip()
    return ""


class Overcome(NamedTuple):
    """One way out: the failed command, the failure, the command that worked, and its call."""

    wrong: str
    error: str
    right: str
    worked_id: str
    at: datetime | None
    output: str = ""
    session: str = ""  # where it was found
    on: date = date.min  # and when

    @property
    def evidence_id(self) -> str:
        return f"tool:{self.session}/{self.worked_id}"

    @property
    def told(self) -> str:
        return f"Failed: {self.wrong} | It printed: {as_read(self.output[-MOST_PRINTED:])} | Worked: {self.right}"

    def statement(self, situation: str = "", cause: str = "") -> str:
        failed = f" ({self.error})" if self.error else ""
        why = cause.rstrip(".") or "unclear"
        where = situation.rstrip(".") or program_of(self.right)
        return f"Situation: {where}. Wrong: `{self.wrong}` failed{failed}. Right: `{self.right}` worked. Why: {why}."


def overcome_failures(commands: Sequence[CommandRun]) -> Iterator[Overcome]:
    """Yield failures overcome by a similar command within half an hour; each success once."""
    for at, worked in enumerate(commands):
        if worked.failed is not False or not is_telling(worked.command):
            continue
        before = [ran for ran in commands[max(0, at - MOST_BETWEEN) : at] if _is_near(ran, worked)]
        if any(ran.command == worked.command and ran.failed is False for ran in before):
            continue  # it had worked before
        failed = [ran for ran in before if ran.failed and _is_other_try(ran.command, worked.command)]
        if failed:
            yield _overcome(max(failed, key=lambda ran: _share(ran.command, worked.command)), worked)


def program_of(command: str) -> str:
    """Return the program of a command, without what precedes it on the line."""
    return next(iter(_words(command)), "").rpartition("/")[2]


def replaced_words(wrong: str, right: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the program that worked, the replaced words and the new ones."""
    first = _words(wrong)
    second = _words(right)
    gone = tuple(word for word in first if word not in second)
    return program_of(right), gone, tuple(word for word in second if word not in first)


def is_telling(command: str) -> bool:
    """Say whether a command is one effective line, short enough to keep verbatim."""
    is_line = "\n" not in command and "`" not in command and len(command) <= LONGEST
    return is_line and program_of(command) not in _LOOKING | {""}


def _overcome(wrong: CommandRun, right: CommandRun) -> Overcome:
    """Return a way out; the failure is described by names only, never by sentences from the output."""
    named = _ERROR.findall(wrong.output)[-1:]
    by_systems = [words for words in _BY_SYSTEMS if words.lower() in wrong.output.lower()][:1]
    error = ", ".join(dict.fromkeys((*named, *by_systems)))
    worked = (right.call_id, right.at)
    return Overcome(_shown(wrong.command), error, _shown(right.command), *worked, wrong.output)


def _is_near(one: CommandRun, other: CommandRun) -> bool:
    return one.at is None or other.at is None or timedelta(0) <= other.at - one.at <= WITHIN


def _is_other_try(wrong: str, right: str) -> bool:
    """Say whether two commands try the same: they share most words; a single other argument must extend or cut the old one."""
    if wrong == right or not is_telling(wrong):
        return False
    _, gone, come = replaced_words(wrong, right)
    is_one_argument = len(gone) == len(come) == 1 and gone[0] != _words(wrong)[0] and come[0][:1] != "-"
    if not is_one_argument:
        return _share(wrong, right) >= ALIKE
    # A file in the failed folder is another question.
    is_part = come[0].startswith(f"{gone[0].rstrip('/')}/")
    short, long = sorted((gone[0], come[0]), key=len)
    return not is_part and len(short) >= SHORTEST and (long.startswith(short) or long.endswith(short))


def _share(one: str, other: str) -> float:
    first = set(_words(one))
    second = set(_words(other))
    return len(first & second) / max(1, len(first | second))


def _words(command: str) -> list[str]:
    return _BEFORE.sub("", command.strip()).split()


def _shown(command: str) -> str:
    return _HOME.sub("~", folded(redact(command)))


class LessonVerdict(NamedTuple):
    """A model's verdict on one failure: NEW, DUPLICATE of ``entry``, or NONE; all empty if no model was asked."""

    do: str = ""
    entry: str = ""
    situation: str = ""
    why: str = ""


@dataclass(frozen=True)
class LessonsExtractor(Agent):
    """The agent for the failures in changed transcripts; ``verdicts`` are a model's, by evidence."""

    history: History
    now: datetime
    found: tuple[Overcome, ...]
    stamps: Mapping[str, list[int]]  # of every transcript: size and time
    cited: frozenset[str] = frozenset()  # evidence of existing mentions and lessons
    verdicts: Mapping[str, LessonVerdict] = field(default_factory=dict)
    name = NAME
    asks = True

    @classmethod
    def read(cls, history: History, records: Records, now: datetime, means: Means) -> Agents:
        stamps = _stamps(history, now)
        lessons = [each for path in _changed(records, stamps) for each in _found(Path(path), now)]
        if not lessons:
            yield cls(history, now, (), stamps)
            return
        cited = read_cited(history)
        new = {each.evidence_id: each for each in lessons if each.evidence_id not in cited.every}
        resting = (f"{name} {item}" for name, items in cited.by_entry.items() for item in items)
        yield cls(history, now, tuple(new.values()), stamps, frozenset(resting))

    @property
    def trust(self) -> str:
        if any(each.situation or each.why for each in self.verdicts.values()):
            return EXTERNAL
        return HOST

    @property
    def input_id(self) -> str:
        return digest_of(*sorted(each.evidence_id for each in self.found))

    def ask(self, asker: Asker) -> Self:
        texts = {each.evidence_id: each.told for each in self.found[:AT_ONCE]}
        entries = read_entries(self.history.tip().tree.read(LESSONS) or b"")[-MOST_KNOWN:]
        lessons = {f"m:{each.entry_id}": each.text for each in entries if each.entry_id}
        materials = [Material(name, "memory", text) for name, text in lessons.items()]
        materials += [Material(name, "a session", text) for name, text in texts.items()]
        verdicts, notes = {}, []
        for row in answer_to(asker, self.history, NAME, _TASK, materials, _SCHEMA)["lessons"]:
            values = one_line_values(row, "entry", "situation", "why")
            name = values.pop("id")
            verdict = LessonVerdict(**values)
            why_not = _unfit(verdict, texts.get(name), lessons)
            if why_not:
                notes.append(refused(f"{name[:60]!r} {why_not}"))
            else:
                verdicts[name] = verdict
        return replace(self, verdicts=verdicts, notes=tuple(notes), tokens=asker.spent)

    def plan(self, tree: Tree) -> Planned:
        file = Lessons(tree)
        evidence: list[Evidence] = []
        mentions: dict[tuple[str, str], str] = {}  # by lesson and session: once a session
        left_out, alike = list(self.notes), []
        for each in self.found:
            right, verdict = each.right, self.verdicts.get(each.evidence_id, LessonVerdict())
            if verdict.do == NONE:
                left_out.append(f"No lesson, says the model: `{right}`")
                continue
            lesson, is_sure = _like(each, verdict, read_entries(file.data))
            if lesson is not None and is_sure:
                # Once a session: a repeat within it does not count.
                own = f"tool:{each.session}/"
                is_told = any(cited.startswith(f"{lesson.entry_id} {own}") for cited in self.cited)
                if lesson.entry_id and not is_told and not file.added.get(lesson.text, "").startswith(own):
                    trailer = f'm:{lesson.entry_id} {each.evidence_id} "{redact(right)[:200]}"'
                    mentions.setdefault((lesson.entry_id, each.session), trailer)
                continue
            if lesson is not None:
                alike.append(f"`{right}` may repeat `{_pair(lesson)[1]}`: both are kept.")
            try:
                file.add(each.statement(verdict.situation, verdict.why), each.on, each.evidence_id)
                evidence.append(Evidence(each.evidence_id, redact(right)))
            except EntryError as error:
                left_out.append(f"{error.message} It was: {right}")
        if len(alike) > _MOST_NAMED:
            alike[_MOST_NAMED:] = [f"So may {len(alike) - _MOST_NAMED:,} more."]
        if not file.added and not mentions:
            return Planned(None, (*left_out, *alike))
        summary = f"lessons: {len(file.added)} new"
        if len(file.added) == 1:
            summary = f"lessons: {next(iter(file.added))}"
        elif not file.added:
            summary = f"lessons: {len(mentions)} met again"
        trailers = tuple(("Clawgit-Mention", each) for each in mentions.values())
        plan = Plan(summary, file.edits(), "", tuple(evidence), trailers)
        return Planned(plan, (*left_out, *alike))

    def settle(self, records: Records, report: RunReport, now: datetime) -> None:
        if report.note.outcome in DONE:
            records.agent_cursors.note(NAME, json.dumps(self.stamps, sort_keys=True), now)


def waits_for_lessons(history: History, records: Records, now: datetime) -> bool:
    """Say whether a transcript changed since the last run."""
    return bool(_changed(records, _stamps(history, now)))


def _stamps(history: History, now: datetime) -> dict[str, list[int]]:
    if not has_messages(history):
        return {}
    with open_messages(history, now) as store:
        paths = store.imported_files()
    stamps = {}
    for path in paths:
        with suppress(OSError):  # moved or deleted; its messages are stored
            state = Path(path).stat()
            stamps[path] = [state.st_size, state.st_mtime_ns]
    return stamps


def _changed(records: Records, stamps: Mapping[str, list[int]]) -> list[str]:
    before = json.loads(records.agent_cursors.of(NAME) or "{}")
    return [path for path, stamp in stamps.items() if before.get(path) != stamp and stamp[0] <= LARGEST]


def _found(path: Path, now: datetime) -> Iterator[Overcome]:
    try:
        with open_transcript(path) as file:
            source = source_of(file, path, Wish())
            file.seek(0)
            commands = commands_in((line for line, _ in lines_of(file) if line is not None), source)
    except OSError:
        return
    session = "".join((source.session or in_use(path).stem).split())
    for each in overcome_failures(commands):
        on = now.date() if each.at is None else each.at.astimezone(now.tzinfo).date()
        yield each._replace(session=session, on=min(on, now.date()))


def _like(overcome: Overcome, verdict: LessonVerdict, entries: list[Entry]) -> tuple[Entry | None, bool]:
    if verdict.do == DUPLICATE:
        named = next((each for each in entries if f"m:{each.entry_id}" == verdict.entry), None)
        return named, named is not None
    if verdict.do:
        return None, False
    own = overcome.wrong, overcome.right
    step = replaced_words(*own)
    most, nearest = SAME, None
    for entry in entries:
        pair = _pair(entry)
        if not pair[1]:
            continue
        if replaced_words(*pair) == step:
            return entry, True
        share = overlap(" ".join(own), " ".join(pair))
        if share > most:
            most, nearest = share, entry
    return nearest, False


def _pair(entry: Entry) -> tuple[str, str]:
    """Return the failed and the working command of a lesson in this form; empty for any other entry."""
    commands = _COMMANDS.findall(parted(entry.text).statement)
    if len(commands) < 2:
        return ("", "")
    return (commands[0], commands[1])


def _unfit(verdict: LessonVerdict, text: str | None, known_lessons: Mapping[str, str]) -> str:
    words = f"{verdict.situation} {verdict.why}"
    if text is None:
        return "was not given to it."
    if verdict.do == DUPLICATE and verdict.entry not in known_lessons:
        return f"is said to repeat {verdict.entry[:40]!r}, which is no known lesson."
    if max(len(verdict.situation), len(verdict.why)) > MOST_TOLD or re.search("[`<#]", words):
        return "says too much, or has marks in it."
    if is_forbidden(words):
        return "speaks of instructions, of the agent's own files or of secrets."
    added = added_value(words, text)
    if added:
        return f"names {added!r}, which is not there."
    return ""
