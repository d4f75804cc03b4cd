"""The year as it is lived: each day's talk and the host's work, each night's jobs at their slots, all in one process.

Every tenth night is a process of its own that is killed in the middle of its work; the jobs are tried again after it.
"""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from typing import TYPE_CHECKING, Any

import click

from benchmarks.year.planted_year import GROUP
from benchmarks.year.program_in_process import Answer, called, killed
from benchmarks.year.talk_as_kept import OPERATOR, message_line, transcript_lines
from clawgit.agents.conflict_detector import ConflictDetector
from clawgit.agents.models.choose_model import model_named
from clawgit.agents.models.model import Asker
from clawgit.agents.run_agent import Means
from clawgit.cli.app import App
from clawgit.cli.main import cli
from clawgit.history.git.trees import entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.http_client import Patience
from clawgit.memory.entries.entries import read_entries
from clawgit.runner.job_process import JobEnd
from clawgit.runner.jobs import CONFLICTS, JOBS
from clawgit.runner.run_due_jobs import Runner, run_due_jobs
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.records.records import RECORDS
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date
    from pathlib import Path

    from benchmarks.year.planted_year import Act, Day, Fact, Said, Year
    from clawgit.history.git.repository import History
    from clawgit.runner.job_process import JobCommand

CONFIG = f"""\
# CONFIG

```yaml
timezone: UTC
fsync: no
operator_ids: [{OPERATOR}]
group_chats: ["cli:{GROUP}"]
{{}}```
"""
CRASH_EACH = 10
MOST_WRITES = 24  # files that are made, renamed or deleted before a night is killed; a quiet one makes 25
LIST = "memory/lists.md"


class Life:
    """A workspace whose year is lived; ``tally`` counts what happened, ``spent`` what took the time, in seconds."""

    def __init__(self, folder: Path, seed: int, settings: str = "", model: str = "") -> None:
        self.model = model  # the address of one that reads the conflict-detector's pairs
        self.root, self.home = folder / "workspace", folder / "home"
        self.sessions = self.home / "sessions"
        self.sessions.mkdir(parents=True)
        self.root.mkdir(exist_ok=True)
        (self.root / "CONFIG.md").write_text(CONFIG.format(settings), "utf-8")
        (self.home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n", "utf-8")
        self.chance = random.Random(f"crashes of {seed}")
        self.ids: dict[str, str] = {}  # of messages, by the year's keys
        self.tally, self.spent = Counter[str](), Counter[str]()
        self.refused: list[str] = []
        self._waiting: list[Act] = []

    def environment(self, now: datetime, actor: str = "operator") -> dict[str, str]:
        """Return what a command of an actor's runs in."""
        return {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", os.defpath),
            "CLAWGIT_WORKSPACE": str(self.root),
            "CLAWGIT_NOW": now.isoformat(),
            "CLAWGIT_REHEARSE": "1",
            "CLAWGIT_ACTOR": actor,
        }

    def command(self, *words: str, now: datetime, actor: str = "operator", told: str = "") -> Answer:
        """Run a command in this process."""
        began = time.process_time()
        answer = called(words, self.environment(now, actor), told)
        self.spent[" ".join(words[:2])] += time.process_time() - began
        if answer.code:
            self.tally[f"exit {answer.code}: {words[0]}"] += 1
            self.refused.append(f"{now} {' '.join(words)}: {answer.err.strip()}")
        return answer

    def history(self, now: datetime) -> History:
        """Return the history with its settings."""
        with click.Context(cli, info_name="clawgit year").scope():
            return App(self.environment(now)).history()

    def live(self, year: Year, told: Callable[[str], None] = lambda _: None) -> None:
        """Live all days of a year."""
        self.command("init", str(self.root), "--trust", "operator", now=_at(year.days[0].on, 7))
        for number, day in enumerate(year.days):
            self._hear(day)
            self._act(day)
            crashes = number % CRASH_EACH == CRASH_EACH - 1
            self._night(day.on + timedelta(days=1), crashes=crashes)
            if day.on.day == 1:
                told(f"{day.on:%B}")

    def _hear(self, day: Day) -> None:
        """Keep what was said on a day."""
        lines = [message_line(each, _at(day.on, 9, number)) for number, each in enumerate(day.said)]
        told = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines if line)
        said = self.command("chat", "add", "--jsonl", now=_at(day.on, 20), told=told).out.splitlines()
        heard = [each for each, line in zip(day.said, lines, strict=True) if line]
        for each, answer in zip(heard, said, strict=True):
            self.ids[each.key] = json.loads(answer).get("id") or ""
        for number, each in enumerate(day.said):
            if lines[number] is None:
                self._overhear(each, _at(day.on, 20, number % 60))

    def _overhear(self, said: Said, now: datetime) -> None:
        """Keep what a stranger said in the group, or a page that was read."""
        words = (
            ("--group", "--conversation", GROUP, "--sender", "mallory") if said.stranger else ("--external",)
        )
        answer = self.command("chat", "add", said.text, *words, "--json", now=now)
        self.ids[said.key] = "" if answer.code else answer.data.get("id") or ""

    def _act(self, day: Day) -> None:
        """Do in the evening what the host does, then what the operator does."""
        now = _at(day.on, 21)
        notes = [act.text for act in day.acts if act.does == "note"]
        self._write(f"memory/{day.on}.md", f"# {day.on}\n", notes)
        self._write(LIST, "# Lists\n", [act.text for act in day.acts if act.does == "list"])
        self._write("memory/pages.md", "# Pages\n", [act.text for act in day.acts if act.does == "host note"])
        self.command("keep", "--as", "host", now=now)
        for number, act in enumerate(day.acts):
            self._do(act, now + timedelta(minutes=1 + number))
        self._waiting += [act for act in day.acts if act.does == "wait for the validator"]

    def _write(self, name: str, head: str, lines: Sequence[str]) -> None:
        """Append to a file as a host does, without asking anybody."""
        if not lines:
            return
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_text("utf-8") if path.exists() else f"{head}\n"
        path.write_text(old.rstrip("\n") + "\n" + "".join(f"- {line}\n" for line in lines), "utf-8")

    def _do(self, act: Act, now: datetime) -> None:
        chat = self.ids.get(act.key, "")
        if act.does in ("remember", "host cites"):
            cited = ("--evidence", chat) if chat else ()
            answer = self.command("memory", "add", act.text, *cited, "--json", now=now, actor="host")
            outcome = "refused" if answer.code else answer.data["outcome"]
            self.tally[f"{act.does}: {outcome}"] += 1
            if act.fact is not None and outcome == "asks":
                self._answer_told(act.fact, answer.data, now)
        elif act.does == "host add":
            self.command("memory", "add", act.text, "--to", "MEMORY.md", now=now, actor="host")
        elif act.does == "task":
            self.command("memory", "add", act.text, "--to", "memory/tasks.md", now=now, actor="host")
        elif act.does == "correct":
            self._correct(act, chat, now)
        elif act.does == "session":
            self._session(act, now)

    def _answer_told(self, fact: Fact, asked: dict[str, Any], now: datetime) -> None:
        """Answer whether what he told takes an entry's place: not that of an entry about something else."""
        other = () if _tells(fact, asked["said"]) else ("both",)
        self.command("approve", f"x:{asked['id'].removeprefix('x:')}", *other, now=now)

    def _correct(self, act: Act, chat: str, now: datetime) -> None:
        """Correct by the door, as a host; where the operator is asked about that fact, he says yes."""
        assert act.fact is not None
        entry = self.entry_of(act, now)
        words = (f"m:{entry}", act.text) if entry else (act.fact.says(act.number - 1), act.text)
        answer = self.command("correct", *words, "--evidence", chat, "--json", now=now, actor="host")
        if not entry and answer.code == 0:
            self.tally[f"door, of what no entry says: {answer.data['outcome']}"] += 1
        if answer.code == 0 and answer.data["outcome"] == "asks":
            self._say(act, answer.data, now, "door asks")
        elif answer.code:
            self.tally["door fails, by hand"] += 1
            self.command("correct", act.fact.says(act.number - 1), act.text, now=now)
        else:
            self.tally[f"door: {answer.data['outcome']}"] += 1

    def entry_of(self, act: Act, now: datetime) -> str:
        """Return the id of the entry that says what is wrong, as a host finds it that reads memory; empty where there is none."""
        assert act.fact is not None
        tree = self.history(now).tip().tree
        old = act.fact.says(act.number - 1).rstrip(".。").casefold()
        for path in entry_files(tree):
            for entry in read_entries(tree.read(path) or b""):
                if old in entry.text.casefold():
                    return entry.entry_id or ""
        return ""

    def _session(self, act: Act, now: datetime) -> None:
        """Import a transcript in which a command failed and another one then worked."""
        fails, works = act.text.splitlines()
        path = self.sessions / f"{act.key}.jsonl"
        path.write_text(
            "".join(f"{json.dumps(line)}\n" for line in transcript_lines(act.key, fails, works, now)), "utf-8"
        )
        self.command("chat", "import", str(path), now=now, actor="host")

    def _night(self, day: date, *, crashes: bool) -> None:
        """Do the jobs of a night at their slots; one that crashes does them in a process that is killed, and then again."""
        if crashes:
            self.tally["crashes"] += self._killed(day)
        for number, moment in enumerate(self._looks(day)):
            self._look(moment, every=crashes or number % 2 == 0)
        self._settle(_at(day, 8))

    def _looks(self, day: date) -> list[datetime]:
        """Return when jobs begin on a day, and half an hour after the last one, for what a crash left."""
        settings = self.history(_at(day, 0)).settings
        tables = [table for job in JOBS if (table := job.timetable(settings)) is not None]
        slots = {table.begins(day) for table in tables if table.last(_at(day, 23, 59)) == day}
        return [*sorted(slots), _at(day, 20)]

    def _look(self, now: datetime, *, every: bool = True) -> None:
        """Do what is due, as the runner does, each job in this process; all jobs are looked at, or those of this slot alone."""
        history, began = self.history(now), time.process_time()
        tables = {job: job.timetable(history.settings) for job in JOBS}
        due = tuple(
            job for job, table in tables.items() if every or (table and table.begins(now.date()) == now)
        )
        for note in run_due_jobs(history, self._runner(now)._replace(jobs=due)).notes:
            self.tally[f"{note.job}: {note.outcome or note.state.value}"] += 1
            if note.state.value == "failed":
                self.refused.append(f"{now} {note.job}: {note.reason}")
        self.spent["looks"] += time.process_time() - began

    def _runner(self, now: datetime) -> Runner:
        def start(job: str, words: Sequence[str], _: int) -> tuple[Sequence[str], dict[str, str]]:
            return words, self.environment(now, job if job in AGENT_NAMES else "unknown")

        def process(command: JobCommand, *_: Any) -> JobEnd:
            began = time.process_time()
            if self.model and command.argv[:2] == ("run", CONFLICTS):
                return self._detected(command.argv[-1], now)
            done = called(command.argv, command.environment)
            self.spent[" ".join(command.argv[:2])] += time.process_time() - began
            return JobEnd(done.code, done.err[-300:])

        return Runner(lambda: now, start, process=process)

    def _detected(self, slot: str, now: datetime) -> JobEnd:
        """Compare what changed, with a model that is asked over HTTP; it is nobody else's."""
        history = self.history(now)
        settings = Settings(model="openai:careful", model_url=self.model)

        def asker(run: str) -> Asker:
            model = model_named(settings, {}, self.root, patience=Patience(60, tries=2, pause=0.01))
            return Asker(model, history.state / RECORDS, 10**9, lambda: now, run)

        ConflictDetector.run_round(history, now, Means(slot, lambda: asker))
        return JobEnd(0, "")

    def _killed(self, day: date) -> bool:
        """Do a night's jobs in a process that is killed as it writes; say whether that came to pass."""
        return killed(
            lambda: [self._look(moment) for moment in self._looks(day)], self.chance.randrange(1, MOST_WRITES)
        )

    def _settle(self, now: datetime) -> None:
        """See what the validator made of corrections that nobody brought through the door, and answer what is asked."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        asked = self.command("corrections", "--open", "--json", now=now).data
        for number, act in enumerate(waiting):
            self._answer(act, asked, now + timedelta(minutes=number))

    def _answer(self, act: Act, asked: list[dict[str, Any]], now: datetime) -> None:
        assert act.fact is not None
        fact, value = act.fact, act.fact.values[act.number]
        lines = ((each, each.get("proposed") or "") for each in asked)
        about = (each for each, line in lines if fact.name in line and _holds(line, value))
        found = next(about, None)
        made = standing_corrections(self.history(now).tip().tree).values()
        if any(each.holds and fact.name in each.correct and _holds(each.correct, value) for each in made):
            self.tally["heard by rules: set right"] += 1
        elif found is not None:
            self._say(act, found, now, "heard by rules: asked")
        else:
            self.tally["heard by rules: no"] += 1
            entry = self.entry_of(act, now)
            old = f"m:{entry}" if entry else act.fact.says(act.number - 1)
            self.command("correct", old, act.text, now=now)

    def _say(self, act: Act, asked: dict[str, Any], now: datetime, name: str) -> None:
        """Answer a question about a correction; where it is about something else, no, and correct by hand."""
        assert act.fact is not None
        is_of_it = _tells(act.fact, asked["said"])
        self.tally[f"{name}, {'yes' if is_of_it else 'no'}"] += 1
        name = f"x:{asked['id'].removeprefix('x:')}"
        self.command("approve" if is_of_it else "reject", name, now=now)
        if not is_of_it:
            self.command("correct", act.fact.says(act.number - 1), act.text, now=now)


def _tells(fact: Fact, text: str) -> bool:
    """Say whether a text tells a fact, with any of its values."""
    said = (fact.says(number).rstrip(".。").casefold() for number in range(len(fact.values)))
    return any(each in text.casefold() for each in said)


def _at(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day, time_of_day(hour, minute), UTC)


def _holds(text: str, value: str) -> bool:
    return re.search(rf"(?<!\d){re.escape(value)}(?!\d)", text) is not None
