"""A life as it is lived through the command line: a day's messages, a night's jobs, three answers a week."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.life.tables import holds_any
from benchmarks.year.program_in_process import called

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.life.tables import Fact, Message, Script
    from benchmarks.year.program_in_process import Answer

OPERATOR = "op-1"
BEGIN = datetime(2026, 3, 2, tzinfo=UTC)  # a Monday
DAYS = 90
ANSWERS_ON = (1, 3, 5)  # Tuesday, Thursday, Saturday: one question each
NIGHTLY = (
    ("02:30", "soul-keeper"),
    ("05:30", "organizer"),
    ("05:45", "lessons-extractor"),
    ("06:00", "memory-miner"),
    ("07:00", "conflict-detector"),
)
SUNDAY, FRIDAY = 6, 4
CONFIG = """\
# CONFIG

```yaml
timezone: UTC
fsync: no
operator_ids: [{}]
{}```
"""


class Question(NamedTuple):
    """A question as it is shown, cut into what stands and what shall stand."""

    item_id: str
    old: str
    new: str
    text: str


class Life:
    """A workspace; ``ids`` are the program's ids of messages, ``shown`` every question that was ever open."""

    def __init__(self, script: Script, folder: Path, model: str = "") -> None:
        self.script = script
        self.root, self.home = folder / "workspace", folder / "home"
        self.ids: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.tally = Counter[str]()
        self.failed: list[str] = []
        for path in (self.root, self.home):
            path.mkdir(parents=True)
        lines = "".join(f"- {each}\n" for each in script.before)
        (self.root / "MEMORY.md").write_text(f"# MEMORY\n\n{lines}", "utf-8")
        asked = f"model: openai:scripted\nmodel_url: {model}/v1\nmodel_daily_tokens: 1000000000\n"
        (self.root / "CONFIG.md").write_text(CONFIG.format(OPERATOR, asked if model else ""), "utf-8")
        (self.home / ".gitconfig").write_text("[user]\n\tname = Op\n\temail = op@example.org\n", "utf-8")
        self.command("init", str(self.root), "--trust", "operator", now=BEGIN)

    def command(self, *words: str, now: datetime, told: str = "") -> Answer:
        """Run a command as the operator, by the clock that it is given."""
        environment = {
            "HOME": str(self.home),
            "PATH": os.environ.get("PATH", os.defpath),
            "CLAWGIT_WORKSPACE": str(self.root),
            "CLAWGIT_NOW": now.isoformat(),
            "CLAWGIT_REHEARSE": "1",
            "CLAWGIT_ACTOR": "operator",
        }
        answer = called(words, environment, told)
        if answer.code:
            self.tally[f"exit {answer.code}: {' '.join(words[:2])}"] += 1
            self.failed.append(f"{now:%m-%d %H:%M} {' '.join(words)}: {answer.err.strip()[:300]}")
        return answer

    def live(self, days: int = DAYS) -> datetime:
        """Live the days; return the moment at which the life is judged."""
        for day in range(1, days + 1):
            date = BEGIN + timedelta(days=day - 1)
            self._answer(day, date.replace(hour=8))
            if date.weekday() == FRIDAY:
                self.command("run", "promotion-review", now=date.replace(hour=18))
            self._hear([each for each in self.script.talk if each.day == day], date)
            self._night(date + timedelta(days=1))
        return BEGIN + timedelta(days=days, hours=12)

    def _hear(self, messages: list[Message], date: datetime) -> None:
        """Capture a day's messages and let the validator read them."""
        if not messages:
            return
        told = "".join(json.dumps(_line(each, date), ensure_ascii=False) + "\n" for each in messages)
        now = date.replace(hour=23, minute=50)
        answers = self.command("chat", "add", "--jsonl", now=now, told=told).out.splitlines()
        for message, line in zip(messages, answers, strict=True):
            answer = json.loads(line)
            self.ids[message.message_id] = answer.get("id") or ""
            self.tally[f"message {answer['outcome']}"] += 1
        self._run("recall-validator", now.replace(minute=55))

    def _night(self, date: datetime) -> None:
        """Do the jobs of a night at their times, and make the digest."""
        jobs = list(NIGHTLY)
        if date.weekday() == SUNDAY:
            jobs += [("03:00", "memory-compactor"), ("04:00", "decay-engine")]
        for time, agent in sorted(jobs):
            hour, minute = map(int, time.split(":"))
            self._run(agent, date.replace(hour=hour, minute=minute))
        self.command("session", "end", "--due", now=date.replace(hour=7, minute=10))
        self.command("digest", "--send", f"{date:%Y-%m-%d}", now=date.replace(hour=7, minute=30))
        self._look(date.replace(hour=7, minute=40))

    def _look(self, now: datetime) -> None:
        """Note which questions are open in the morning, and what the truth says to each when it is first shown."""
        number = self.script.last_of((now - BEGIN).days)
        for question in self.questions(now):
            if question.item_id not in self.shown:
                self.shown[question.item_id] = question.text
                self.tally[f"shown: {judged(self.script, question, number)}"] += 1

    def _run(self, agent: str, now: datetime) -> None:
        answer = self.command("run", agent, "--json", now=now)
        for note in answer.data if answer.out.startswith("[") else ():
            self.tally[f"{agent}: {note['outcome']}"] += 1

    def pending(self, now: datetime) -> list[dict[str, Any]]:
        """Return what needs a decision."""
        answer = self.command("pending", "--json", now=now)
        found: list[dict[str, Any]] = answer.data if answer.code == 0 else []
        return found

    def questions(self, now: datetime) -> list[Question]:
        """Return the open questions about memory, oldest first."""
        items = [each for each in self.pending(now) if each["kind"] == "question"]
        return [_cut(each["id"], each["text"]) for each in sorted(items, key=_since)]

    def _answer(self, day: int, now: datetime) -> None:
        """Answer the oldest question that the truth decides as it is shown."""
        if now.weekday() not in ANSWERS_ON:
            return
        number = self.script.last_of(day - 1)
        for question in self.questions(now):
            verdict = judged(self.script, question, number)
            if verdict != "undecided":
                self.command("approve" if verdict == "right" else "reject", question.item_id, now=now)
                self.tally[f"answered: {'yes' if verdict == 'right' else 'no'}"] += 1
                return


def judged(script: Script, question: Question, number: int) -> str:
    """Return "right", "wrong" or "undecided": what the truth after message ``number`` says to a question as it is shown."""
    if holds_any(question.new, (each.sign for each in script.nevers)):
        return "wrong"
    if not question.old:
        return _judged_addition(script, question.new, number)
    for fact in script.facts:
        now = fact.at(number)
        if now is None:
            continue
        is_of_it = fact.is_meant_by(question.old) or fact.is_meant_by(question.new)
        old_value = holds_any(question.old, fact.others(now))
        if holds_any(question.new, now.values) and question.old and is_of_it | old_value:
            return "right" if old_value or not _says_another(script, fact, question.old) else "wrong"
        if is_of_it and holds_any(question.old, now.values) and not holds_any(question.new, now.values):
            return "wrong"
        if is_of_it and holds_any(question.new, fact.others(now)):
            return "wrong"
    return "undecided"


def _judged_addition(script: Script, text: str, number: int) -> str:
    """Return what the truth says to a question whether a line shall be added."""
    for fact in script.facts:
        now = fact.at(number)
        if now is not None and fact.is_meant_by(text) and holds_any(text, fact.others(now) + now.values):
            return "right" if holds_any(text, now.values) else "wrong"
    for keep in script.keeps:
        if all(holds_any(text, (value,)) for value in keep.values):
            return "right"
    return "undecided"


def _says_another(script: Script, fact: Fact, text: str) -> bool:
    """Say whether a line states some other fact, which a change would lose."""
    others = (each for each in script.facts if each is not fact and each.is_meant_by(text))
    return any(holds_any(text, wording.values) for each in others for wording in each.wordings)


def _cut(item_id: str, text: str) -> Question:
    shown = re.split(r" You wrote[:,]| \(`clawgit", text, maxsplit=1)[0]
    parts = re.split(r" become |→", shown, maxsplit=1)
    if len(parts) == 1:
        return Question(item_id, "", shown, text)
    return Question(item_id, parts[0], parts[1], text)


def _since(item: dict[str, Any]) -> str:
    return str(item.get("since") or "")


def _line(message: Message, date: datetime) -> dict[str, str]:
    is_operator = message.role == "operator"
    hour, minute = map(int, message.time.split(":"))
    return {
        "id": message.message_id,
        "channel": "telegram",
        "conversation": message.conversation,
        "role": "user" if is_operator else "assistant",
        "sender": OPERATOR if is_operator else "agent",
        "sent_at": date.replace(hour=hour, minute=minute).isoformat(),
        "text": message.text,
    }
