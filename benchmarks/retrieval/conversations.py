"""LoCoMo conversations as workspaces: a file a day, a section a session, a line a turn; questions with their lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")  # also 'D:11:26', 'D9:1 D4:4' and 'D8:6; D9:17'
_WITHOUT_ANSWER = 5  # the category of questions that nothing answers


@dataclass(frozen=True)
class Asked:
    """A question, and where the lines stand that answer it."""

    text: str
    conversation: str
    category: int
    gold: frozenset[tuple[str, int]]  # path, line


@dataclass(frozen=True)
class Conversation:
    """A conversation, written as a workspace's files, and what is asked about it."""

    name: str
    files: dict[str, list[str]]
    questions: list[Asked]
    ended: datetime

    def below(self, folder: str) -> Conversation:
        """Return the same with its files in a folder of their own."""

        def moved(path: str) -> str:
            return path.replace("memory/", f"memory/{folder}/", 1)

        files = {moved(path): lines for path, lines in self.files.items()}
        questions = [
            replace(asked, gold=frozenset((moved(path), line) for path, line in asked.gold))
            for asked in self.questions
        ]
        return replace(self, files=files, questions=questions)

    def write(self, root: Path) -> None:
        """Write the files."""
        for path, lines in self.files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text("\n".join(lines) + "\n", "utf-8")


def read_conversations(path: Path) -> list[Conversation]:
    """Read the file that LoCoMo publishes, or a part of it."""
    return [_conversation(each) for each in json.loads(path.read_text("utf-8"))]


def _conversation(data: dict[str, Any]) -> Conversation:
    talk = data["conversation"]
    numbers = sorted(int(found[1]) for key in talk if (found := re.fullmatch(r"session_(\d+)", key)))
    files: dict[str, list[str]] = {}
    turns: dict[str, tuple[str, int]] = {}
    when = datetime.min
    for number in numbers:
        when = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        path = f"memory/{when:%Y-%m-%d}.md"
        lines = files.setdefault(path, [f"# {when:%Y-%m-%d}"])
        lines += ["", f"## Session {number} - {when:%H:%M}", ""]
        for turn in talk[f"session_{number}"]:
            lines.append(_line(turn))
            turns[turn["dia_id"]] = (path, len(lines))
    name = data["sample_id"]
    questions = [_asked(name, each, turns) for each in data["qa"] if each["category"] != _WITHOUT_ANSWER]
    ended = when.replace(tzinfo=UTC) + timedelta(days=1)
    return Conversation(name, files, [asked for asked in questions if asked.gold], ended)


def _line(turn: dict[str, str]) -> str:
    text = " ".join(turn["text"].split())
    caption = " ".join((turn.get("blip_caption") or "").split())
    return f"{turn['speaker']}: {text}" + (f" [{caption}]" if caption else "")


def _asked(name: str, data: dict[str, Any], turns: dict[str, tuple[str, int]]) -> Asked:
    named = (f"D{int(a)}:{int(b)}" for each in data.get("evidence") or [] for a, b in _EVIDENCE.findall(each))
    gold = frozenset(turns[turn] for turn in named if turn in turns)
    return Asked(data["question"], name, data["category"], gold)
