"""The talk of a life and its truth, as they are written in `talk_*.jsonl` and `truth_*.jsonl`, and what a text holds of them."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FOLDER = Path(__file__).parent
SUMS = FOLDER / "frozen.sha256"
BEFORE = "seed"  # the "message" of a wording that memory holds from the start


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the talk."""

    message_id: str
    day: int
    time: str
    conversation: str
    role: str
    language: str
    text: str
    number: int  # its place in the talk, from 1


@dataclass(frozen=True, slots=True)
class Wording:
    """What a fact says from a message on; any of ``values`` shows that a text says it."""

    message_id: str
    number: int  # 0: before the first message
    text: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact, its question, and its wordings in the order in which they were said."""

    name: str
    question: str
    about: tuple[str, ...]
    wordings: tuple[Wording, ...]
    corrected: bool

    def at(self, number: int) -> Wording | None:
        """Return the wording that holds after message ``number``."""
        return next((each for each in reversed(self.wordings) if each.number <= number), None)

    def others(self, wording: Wording) -> tuple[str, ...]:
        """Return the values that are not this wording's."""
        return tuple(
            value
            for each in self.wordings
            for value in each.values
            if not any(value.casefold() == mine.casefold() for mine in wording.values)
        )

    def is_meant_by(self, text: str) -> bool:
        """Say whether a text names what the fact is about."""
        return any(word.casefold() in text.casefold() for word in self.about)


@dataclass(frozen=True, slots=True)
class Never:
    """Words of a sentence that must not become the operator's, and of what kind the sentence is."""

    kind: str
    sign: str
    message_id: str


@dataclass(frozen=True, slots=True)
class Keep:
    """A sentence worth keeping that no question asks for."""

    message_id: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """One life."""

    name: str
    talk: tuple[Message, ...]
    before: tuple[str, ...]  # lines of MEMORY.md
    facts: tuple[Fact, ...]
    keeps: tuple[Keep, ...]
    nevers: tuple[Never, ...]

    def last_of(self, day: int) -> int:
        """Return the number of the last message up to a day's end."""
        return max((each.number for each in self.talk if each.day <= day), default=0)


def lives() -> tuple[str, ...]:
    """Return the names of the lives."""
    return tuple(sorted(path.stem.removeprefix("talk_") for path in FOLDER.glob("talk_*.jsonl")))


def script(name: str) -> Script:
    """Read a life."""
    talk = tuple(
        Message(
            row["id"],
            row["day"],
            row["time"],
            row["conversation"],
            row["role"],
            row["language"],
            row["text"],
            number,
        )
        for number, row in enumerate(_rows(f"talk_{name}.jsonl"), start=1)
    )
    numbers = {each.message_id: each.number for each in talk} | {BEFORE: 0}
    rows = _rows(f"truth_{name}.jsonl")
    return Script(
        name,
        talk,
        tuple(row["text"] for row in rows if row["kind"] == "before"),
        tuple(_fact(row, numbers) for row in rows if row["kind"] == "fact"),
        tuple(Keep(row["message"], tuple(row["values"])) for row in rows if row["kind"] == "keep"),
        tuple(Never(row["of"], row["sign"], row["message"]) for row in rows if row["kind"] == "never"),
    )


def _fact(row: dict[str, Any], numbers: dict[str, int]) -> Fact:
    wordings = tuple(
        Wording(each["message"], numbers[each["message"]], each["text"], tuple(each["values"]))
        for each in row["wordings"]
    )
    return Fact(row["id"], row["question"], tuple(row["about"]), wordings, row["corrected"])


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def changed_files() -> list[str]:
    """Return the talk and truth files that do not read as when they were frozen."""
    lines = (line.split() for line in SUMS.read_text("utf-8").splitlines())
    sums = {name: digest for digest, name in lines}
    there = {path.name for path in FOLDER.glob("*.jsonl")}
    read = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in there}
    return sorted(name for name in there | set(sums) if read.get(name) != sums.get(name))


def unheld(script: Script) -> list[str]:
    """Return what the truth wants and its own message does not hold: a stem, or values of which only one is said."""
    texts = {each.message_id: each.text for each in script.talk}
    missed = []
    for fact in script.facts:
        for each in fact.wordings:
            if not holds_any(each.text, each.values) and not holds_any(
                texts.get(each.message_id, ""), each.values
            ):
                missed.append(f"{script.name} {fact.name}: {', '.join(each.values)}")
    for keep in script.keeps:
        if not all(holds(texts[keep.message_id], value) for value in keep.values):
            missed.append(f"{script.name} {keep.message_id}: {', '.join(keep.values)}")
    return missed


def holds(text: str, value: str) -> bool:
    """Say whether a text holds a value, as words and numbers of its own."""
    begins, ends = "", ""
    if value[0].isascii() and value[0].isalnum():
        begins = r"(?<![A-Za-z0-9])"
    if value[0].isdigit():
        begins = r"(?<![A-Za-z0-9])(?<!\d[.,:-])(?<![#/])"
    if value[-1].isascii() and value[-1].isalpha():
        ends = r"(?:e?s)?(?![A-Za-z0-9])"
    if value[-1].isdigit():
        ends = r"(?:st|nd|rd|th)?(?![A-Za-z0-9])(?![.,:-]\d)"
    return re.search(begins + re.escape(value) + ends, text, re.IGNORECASE) is not None


def holds_any(text: str, values: Iterable[str]) -> bool:
    """Say whether a text holds one of the values."""
    return any(holds(text, value) for value in values)


def sentence_with(text: str, values: Sequence[str]) -> str:
    """Return the whole sentences of a message from the first to the last that hold a value; all of it if none does."""
    sentences = re.findall(r"[^\n]*?(?:[.!?。！？]+(?=\s|$)|[。！？]+|(?=\n)|$)", text)
    parts = [each.strip() for each in sentences if each.strip()]
    with_value = [number for number, each in enumerate(parts) if holds_any(each, values)]
    if not with_value:
        return text
    first, last = text.index(parts[with_value[0]]), with_value[-1]
    end = text.index(parts[last], first) + len(parts[last])
    return text[first:end]
