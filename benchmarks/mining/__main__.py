"""`python -m benchmarks.mining LOCOMO.json`: the miner by rules alone over conversations between people.

Right is an entry whose message somebody noted a fact of (the conversations' own observations, by turn). Junk is told by
rules of its own: greetings, questions, fragments (up to three words that are no sentence: `User prefers tea` is one),
sentences that begin with a word that points elsewhere.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.mining.talk import again, read_talks
from clawgit.agents.memory_miner import MemoryMiner
from clawgit.agents.mined_material import VALIDATED_WITHIN
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.open_messages import open_messages
from clawgit.capture.messages.sqlite_messages import MESSAGES
from clawgit.history.adopt import adopt
from clawgit.history.git.repository import History, open_history
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.reading.git_log import read_changes
from clawgit.memory.entries.statements import parted

if TYPE_CHECKING:
    from benchmarks.mining.talk import Talk
    from clawgit.capture.messages.message import IncomingMessage

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)
LATER = NOW + VALIDATED_WITHIN  # by rules alone: nothing waits for another agent any more
MANY = 10_000
_JUNK = {
    "greeting": re.compile(r"(?i)^\W*(?:user: )?\W*(?:hi|hey|hello|thanks|thank you|bye|good (?:morning|night)|congrat\w*|wow)\b"),
    "question": re.compile(r"\?\W*$"),
    "fragment": re.compile(r"^\W*(?!User [a-z]+s \w+\W*$)(?:User: )?\W*(?:\S+\s*){1,3}$"),
    "pointing": re.compile(r"(?i)^\W*(?:user: )?\W*(?:it|that|this|these|those|they|he|she|there|here)\b"),
}  # fmt: skip


def main() -> None:
    """Print what was kept, how much of it is right, and how long it took."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mining")
    parser.add_argument("talk", help="conversations of LoCoMo, as JSON")
    talks = read_talks(parser.parse_args().talk)
    found: Counter[str] = Counter()
    for talk in talks:
        with tempfile.TemporaryDirectory() as folder:
            found.update(_quality(talk, Path(folder)))
    turns = sum(len(talk.turns) for talk in talks)
    noted = sum(turn.message_id in talk.noted for talk in talks for turn in talk.turns)
    print(f"{turns} turns, {noted / turns:.2f} of them noted")
    print(f"  kept {found['kept']}, {found['right'] / found['kept']:.3f} of them right")
    print(
        f"  of flagged turns ({found['flagged turns']}): {found['flagged']} kept, {found['flagged right']} right"
    )
    junk = {name: found[name] for name in _JUNK}
    print(f"  junk {sum(junk.values()) / found['kept']:.3f} {junk}")
    print(f"  second run: {found['duplicates']} duplicates, {found['changed']} bytes changed")
    for varied in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            _speed(
                again(talks, MANY, varied=varied), Path(folder), "all different" if varied else "repeating"
            )


def _workspace(folder: Path, heard: list[IncomingMessage]) -> History:
    adopt(folder / "workspace", NOW)
    history = open_history(folder / "workspace")
    _hear(history, heard)
    return history


def _hear(history: History, heard: list[IncomingMessage]) -> None:
    rules = rules_in_force(history, NOW, "operator")
    with open_messages(history, NOW) as store:
        store.add(kept for each in heard if not isinstance(kept := take_down(each, rules, NOW), str))


def _quality(talk: Talk, folder: Path) -> Counter[str]:
    history = _workspace(folder, list(talk.turns))
    with open_messages(history, NOW) as store:
        messages = {f"chat:{each.chat_id}": each for each in store.to_mine(len(talk.turns))}
    MemoryMiner.run_round(history, LATER)
    cited = [
        item.partition(" ")[0]
        for change in read_changes(history, history.tip().commit_id or "")
        for item in change.evidence
    ]
    found = Counter({"kept": len(cited)})
    found["flagged turns"] = sum(each.signal.miner for each in messages.values())
    for message in (messages[item] for item in cited):
        right = message.message_id in talk.noted
        found["right"] += right
        found["flagged"] += message.signal.miner
        found["flagged right"] += message.signal.miner and right
    statements = [parted(state.entry.text).statement for state in list_states(history, NOW.date())]
    found.update(name for said in statements for name, rule in _JUNK.items() if rule.search(said))
    found["duplicates"] = len(statements) - len({said.lower().strip(".! ") for said in statements})
    found["changed"] = _changed_by_a_second_run(history, list(talk.turns))
    return found


def _changed_by_a_second_run(history: History, heard: list[IncomingMessage]) -> int:
    """Return how many bytes differ after the messages were heard once more in a new store, and mined again."""
    before = {path: path.read_bytes() for path in history.root.rglob("*.md")}
    (history.state / MESSAGES).unlink()
    _hear(history, heard)
    MemoryMiner.run_round(history, LATER)
    after = {path: path.read_bytes() for path in history.root.rglob("*.md")}
    return sum(
        len(after.get(path, b""))
        for path in before.keys() | after.keys()
        if before.get(path) != after.get(path)
    )


def _speed(heard: list[IncomingMessage], folder: Path, what: str) -> None:
    history = _workspace(folder, heard)
    start = time.perf_counter()
    (report, *_) = MemoryMiner.run_round(history, LATER)
    taken = time.perf_counter() - start
    entries = len(list_states(history, NOW.date()))
    print(f"{len(heard):,} messages, {what}: {taken:.1f} s, {entries} entries, {report.note.outcome.value}")


if __name__ == "__main__":
    main()
