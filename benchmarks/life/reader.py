"""A model on this machine that reads as the truth table has it, always or nine times in ten.

It answers the validator's, the miner's, the second reader's, the soul-keeper's, the organizer's and the session's questions; one of another kind gets an empty
answer and is counted in ``unknown``, so that nobody takes silence for reading.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.life.tables import holds, holds_any, sentence_with
from clawgit.agents.door.second_reader import NONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.life.tables import Fact, Never, Script, Wording

PERFECT = 1.0
_PARTS = 3  # kinds of mistakes


class Line(NamedTuple):
    """One line of what the model is given."""

    line_id: str
    whose: str
    text: str


class Reader:
    """The model; ``right`` is the share of messages that it reads as they are meant."""

    def __init__(self, script: Script, right: float) -> None:
        self.script, self.right = script, right
        self.asked, self.unknown = Counter[str](), Counter[str]()
        self._said: dict[str, list[tuple[Fact, Wording]]] = {}
        texts = {each.message_id: each.text for each in script.talk}
        for fact in script.facts:
            for wording in fact.wordings:
                if wording.number:
                    self._said.setdefault(_plain(texts[wording.message_id]), []).append((fact, wording))
        self._keeps = {_plain(texts[each.message_id]): each.values for each in script.keeps}
        self._nevers: dict[str, list[Never]] = {}
        for never in script.nevers:
            self._nevers.setdefault(_plain(texts[never.message_id]), []).append(never)

    def __call__(self, _: str, messages: list[dict[str, str]]) -> dict[str, Any]:
        """Answer a question."""
        kinds = _wanted(messages[0]["content"])
        material = next(each["content"] for each in messages if each["role"] == "user")
        lines = [Line(*_line(line)) for line in material.splitlines() if line.startswith("{")]
        self.asked[" ".join(kinds)] += 1
        match kinds:
            case ["corrections"]:
                return {"corrections": self._corrections(lines)}
            case ["memories"]:
                return {"memories": self._memories(lines)}
            case ["choices"]:
                return {"choices": list(self._choices(lines))}
            case ["edits"]:
                return {"edits": []}
            case ["conflicts"]:
                return {"conflicts": []}
            case ["classes", "same"]:
                return {"classes": [], "same": []}
            case ["name"]:
                return {"name": "talk"}
        self.unknown[" ".join(kinds)] += 1
        return {}

    def _corrections(self, lines: list[Line]) -> list[dict[str, str]]:
        judged = next((each for each in reversed(lines) if "to judge" in each.whose), None)
        if judged is None:
            return []
        mistake, found = self._mistake(judged), list[dict[str, str]]()
        entries = [each for each in lines if each.whose.startswith("memory")]
        for fact, wording in self._said.get(_plain(judged.text), ()):
            entry = _entry(fact, wording, entries)
            if entry is None or mistake == "misses":
                continue
            said = {"statement": wording.text, "quote": sentence_with(judged.text, wording.values)}
            if mistake == "old for new":
                said["statement"] = f"{fact.wordings[0].text[:-1]}, as before."
            if mistake == "another entry":
                entry = next((each for each in entries if each is not entry), entry)
            found.append({"entry": entry.line_id, **said})
        return found

    def _choices(self, lines: list[Line]) -> Iterator[dict[str, str]]:
        """Yield which sentence a message says; where it reads badly the second time, another one."""
        for line in lines:
            if not line.line_id.isdigit():
                continue
            own = [each for each in lines if each.line_id[:-1] == line.line_id]
            text = _plain(line.text)
            right = {_plain(wording.text) for _, wording in self._said.get(text, ())}
            if text in self._keeps:
                right.add(_plain(sentence_with(line.text, self._keeps[text])))
            said = [each for each in own if _plain(each.text) in right]
            if not said:
                said = [each for each in own if each.text == NONE]
            if not self._is_read(f"again {text}"):
                said = [each for each in own if each not in said]
            yield {"number": line.line_id, "sentence": said[0].line_id}

    def _memories(self, lines: list[Line]) -> list[dict[str, str]]:
        entries = [each for each in lines if each.whose.startswith("memory")]
        found = list[dict[str, str]]()
        for number, line in enumerate(lines):
            if line.whose.startswith("User") and "for context" not in line.whose:
                found += self._of_message(line, entries)
                found += self._made_up(line, lines[number - 1] if number else None)
        return found[:40]

    def _of_message(self, line: Line, entries: list[Line]) -> list[dict[str, str]]:
        mistake, found = self._mistake(line), list[dict[str, str]]()
        if mistake == "misses":
            return []
        for fact, wording in self._said.get(_plain(line.text), ()):
            if any(_says(fact, wording, each.text) for each in entries):
                continue
            entry = _entry(fact, wording, entries)
            statement = wording.text
            if mistake == "old for new":
                statement = f"{fact.wordings[0].text[:-1]}, as before."
            said = {
                "do": "ADD",
                "statement": statement,
                "tag": "knowledge",
                "id": line.line_id,
                "quote": sentence_with(line.text, wording.values),
            }
            if entry is not None and mistake == "another entry":
                entry = next((each for each in entries if each is not entry), entry)
            found.append(said if entry is None else said | {"do": "SUPERSEDES", "entry": entry.line_id})
        values = self._keeps.get(_plain(line.text))
        if values is not None:
            sentence = sentence_with(line.text, values)
            found.append(_added(line, sentence, sentence))
        return found

    def _made_up(self, line: Line, before: Line | None) -> list[dict[str, str]]:
        """Return what a careless reader takes for the operator's word."""
        if not self._mistake(line):
            return []
        of_line = [_added(line, _with(line.text, each), line.text) for each in self._never(line)]
        if before is None or before.whose.startswith("User"):
            return of_line
        return of_line + [_added(line, _with(before.text, each), line.text) for each in self._never(before)]

    def _never(self, line: Line) -> list[Never]:
        return self._nevers.get(_plain(line.text), [])

    def _mistake(self, line: Line) -> str:
        """Return what the model does wrong with a message; empty where it reads it well."""
        if self._is_read(_plain(line.text)):
            return ""
        return ("misses", "old for new", "another entry")[self._digest(_plain(line.text))[1] % _PARTS]

    def _is_read(self, text: str) -> bool:
        return self._digest(text)[0] / 256 < self.right

    def _digest(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.script.name} {text}".encode()).digest()


def _added(line: Line, statement: str, quote: str) -> dict[str, str]:
    return {
        "do": "ADD",
        "statement": statement,
        "tag": "knowledge",
        "id": line.line_id,
        "quote": quote,
    }


def _with(text: str, never: Never) -> str:
    return sentence_with(text, [never.sign])


def _entry(fact: Fact, wording: Wording, entries: list[Line]) -> Line | None:
    """Return the entry that says what a fact was before."""
    old = fact.others(wording)
    of_it = [each for each in entries if holds_any(each.text, old)]
    named = [each for each in of_it if fact.is_meant_by(each.text)]
    return next(iter(named or of_it), None)


def _says(fact: Fact, wording: Wording, text: str) -> bool:
    return any(holds(text, value) for value in wording.values) and fact.is_meant_by(text)


def _wanted(system: str) -> list[str]:
    """Return which keys an answer must have."""
    schemas = [line for line in system.splitlines() if line.startswith('{"type": "object"')]
    required: list[str] = json.loads(schemas[-1])["required"] if schemas else []
    return required


def _line(line: str) -> tuple[str, str, str]:
    read = json.loads(line)
    return str(read.get("id", "")), str(read.get("from", "")), str(read.get("text", ""))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()
