"""`python -m benchmarks.understanding [rules|model|paraphrase|careless|host]`: what becomes of each exchange of `unseen/`, counted.

`--second perfect` lets the scripted model choose rightly when it is asked a second time; else nobody reads again.
Nobody may mend rules by these sentences: they only count.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.understanding.scripted_model import scripted_model
from benchmarks.understanding.workspace_of_talk import TalkWorkspace, import_everything

if TYPE_CHECKING:
    from collections.abc import Callable

UNSEEN = Path(__file__).with_name("unseen")
AGENTS = ("recall-validator", "memory-miner")


def read(name: str) -> list[dict[str, Any]]:
    """Return the cases of one file."""
    lines = (UNSEEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def by_rules(case: dict[str, Any], folder: Path) -> tuple[str, str]:
    """Return what became of an exchange by rules alone, and what to show of it."""
    room = TalkWorkspace(folder, case["memory"], _time(case))
    heard = room.say(case["talk"])
    for agent in AGENTS:
        room.run("run", agent, "--json")
    return outcome(case, room), shown(case, room, heard)


def by_model(case: dict[str, Any], folder: Path, address: str, second: bool) -> tuple[str, str]:
    """Return what became of an exchange that a model reads."""
    settings = f"model: openai:scripted\nmodel_url: {address}/{case['id']}/v1\n"
    settings += "" if second else "second_reader: off\n"
    room = TalkWorkspace(folder, case["memory"], _time(case), settings)
    heard = room.say(case["talk"])
    said = [room.run("run", agent, "--json") for agent in AGENTS]
    return outcome(case, room), f"{shown(case, room, heard)}\n{said}"


def by_host(case: dict[str, Any], folder: Path) -> tuple[str, str]:
    """Return what became of an exchange that a host settles by its door, as AGENTS.md tells it."""
    room = TalkWorkspace(folder, case["memory"], _time(case))
    heard = room.say(case["talk"])
    answer: Any = ""
    if case.get("right"):
        asked = ("correct", case["memory"][case["wrong"]], case["right"], "--evidence", heard[-1]["id"])
        answer = room.run(*asked, "--quote", case["quote"], "--json", host=True)
    return outcome(case, room), f"{answer}\n{shown(case, room, heard)}"


def answered(way: str, cases: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return what the model answers to each case: what is right, the same in its own words, or something careless."""
    own = {"model": cases, "paraphrase": read("paraphrases"), "careless": read("careless")}[way]
    said = {each["id"]: (each.get("statement") or each.get("right"), each.get("quote")) for each in own}
    return {
        case["id"]: {
            "wrong": case["memory"][case["wrong"]],
            "statement": said[case["id"]][0],
            "quote": said[case["id"]][1],
        }
        for case in cases
        if case.get("right") and case["id"] in said
    }


def _time(case: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(case["at"])


def outcome(case: dict[str, Any], room: TalkWorkspace) -> str:
    """Return in a word what became of memory, at which level, and whether the operator is asked of the right entry."""
    before, now = case["memory"], room.entries()
    at = case.get("wrong")
    changed = [was for was, here in zip(before, now, strict=False) if was != here]
    said = {plain(each) for each in [case.get("right") or "", *case.get("also_right", [])]}
    level = "understood" if "- status: understood" in room.ledger() else "operator"
    if at is not None and changed == [before[at]] and plain(now[at]) in said:
        return f"right ({level})" + ("" if len(now) == len(before) else ", and more added")
    if changed or len(now) < len(before):
        is_half = at is not None and plain(now[at]) in said
        return f"right, and another changed ({level})" if is_half else f"WRONG ({level})"
    blocks = room.ledger().split("\n## ")
    opened = [each for each in blocks if "- status: open" in each]
    linked = [each for each in blocks if "- status: linked" in each]
    if opened:
        meant = at is not None and any(_names(each, before[at], room) for each in opened)
        return "asked" if meant else "asked in vain" if at is None else "asked of another entry"
    if "- status: applied" in room.ledger() or "- status: understood" in room.ledger():
        return "CLAIMED"
    if linked:
        meant = at is not None and any(_names(each, before[at], room) for each in linked)
        return "linked" if meant else "linked in vain" if at is None else "linked to another entry"
    return "nothing" + (", added" if len(now) > len(before) else "")


def _names(block: str, statement: str, room: TalkWorkspace) -> bool:
    entry = room.id_of(statement)
    return statement in block or bool(entry and f"m:{entry}" in block)


def kept(case: dict[str, Any], folder: Path) -> tuple[str, str]:
    """Return what the rules kept of a message with a fact, an order, or neither."""
    room = TalkWorkspace(folder, case["memory"], _time(case))
    heard = room.say(case["talk"])
    for agent in AGENTS:
        room.run("run", agent, "--json")
    new = [each for each in room.entries() if each not in case["memory"]]
    gone = [each for each in case["memory"] if each not in room.entries()]
    word = "CHANGED" if gone else "kept" if new else "left"
    opened = "- status: open" in room.ledger()
    wanted = "order" if case.get("order") else "fact" if case.get("keep") else "neither"
    return f"{wanted}: {word}{', asked' if opened else ''}", "\n".join(
        [*new, f"wanted: {case.get('keep')}", shown(case, room, heard)]
    )


def shown(case: dict[str, Any], room: TalkWorkspace, heard: list[dict[str, Any]]) -> str:
    """Return a case as a person reads it."""
    talk = "\n".join(f"  {each['role']}: {each['text']}" for each in case["talk"])
    blocks = "\n".join(room.ledger().split("\n## ")[1:])
    signal = heard[-1].get("signal") if heard else None
    return (
        f"{talk}\n  wanted: {case.get('right')}\n  signal: {signal}\n  memory: {room.entries()}\n  {blocks}"
    )


def plain(text: str) -> str:
    """Return a statement without what does not matter."""
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def main() -> None:
    """Count, and show each case with --show."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.understanding")
    ways = ("rules", "model", "paraphrase", "careless", "host")
    parser.add_argument("way", choices=ways, nargs="?", default="rules")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--second", choices=("perfect", "off"), default="off")
    chosen = parser.parse_args()
    import_everything()
    cases = read("exchanges")
    if chosen.way in ("rules", "host"):
        count("exchanges", cases, by_rules if chosen.way == "rules" else by_host, show=chosen.show)
    else:
        if chosen.way == "paraphrase":  # what a model says in its own words is right as it says it
            for each in read("paraphrases"):
                next(case for case in cases if case["id"] == each["id"])["also_right"].append(
                    each["statement"]
                )
        right = {
            case["id"]: [plain(each) for each in (case.get("right") or "", *case.get("also_right", ()))]
            for case in cases
        }
        with scripted_model(answered(chosen.way, cases), right) as address:
            look = partial(by_model, address=address, second=chosen.second == "perfect")
            count("exchanges", cases, look, show=chosen.show)
    if chosen.way == "rules":
        count("facts", read("facts"), kept, show=chosen.show)
        count("neither", read("neither"), kept, show=chosen.show)


def count(
    name: str,
    cases: list[dict[str, Any]],
    look: Callable[[dict[str, Any], Path], tuple[str, str]],
    *,
    show: bool,
) -> None:
    """Look at each case of a set; print what became of how many."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda case: look(case, Path(folder) / case["id"]), cases)
        for case, (word, text) in zip(cases, found, strict=True):
            group = "to correct" if case.get("right") else "to leave"
            counts[group if name == "exchanges" else name][word] += 1
            if show:
                print(f"--- {case['id']} {word}\n{text}")
    for group, counted in counts.items():
        print(f"{name}, {group}: {sum(counted.values())}: {dict(counted.most_common())}", flush=True)


if __name__ == "__main__":
    main()
