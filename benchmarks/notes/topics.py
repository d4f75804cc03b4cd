"""Notes with questions: a file a topic, a section a paragraph, a line a sentence, below it what asks for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from benchmarks.retrieval.conversations import Asked, Conversation

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class _Topic:
    path: str
    lines: list[str]


def read_notes(path: Path) -> Conversation:
    """Read the notes of a language: `# topic`, `## section`, `- sentence`, `? question` about the sentence above."""
    topic = _Topic("", [])
    files: dict[str, list[str]] = {}
    asked: list[Asked] = []
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# "):
            name = re.sub(r"\W+", "-", line[2:].lower())
            topic = _Topic(f"memory/{name}.md", [line])
            files[topic.path] = topic.lines
        elif line.startswith("? "):
            asked.append(Asked(line[2:], path.stem, 0, frozenset({(topic.path, len(topic.lines))})))
        elif line.startswith("## "):
            topic.lines += ["", line, ""]
        elif line or topic.lines[-1:] not in ([], [""]):
            topic.lines.append(line)
    return Conversation(path.stem, files, asked, WRITTEN)
