"""`python -m benchmarks.understanding`: what becomes of each reading of the two frozen sets, in one table.

`--only corrections|facts|nothing|takebacks`, `--answers`, `--readers` and `--set` take a part; `--show` tells each case.
Nobody may mend rules by these sentences: they only count.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.understanding import cases as sets
from benchmarks.understanding.cases import Case, Reading, plain
from benchmarks.understanding.scripted_model import CHOOSES, scripted_model
from benchmarks.understanding.workspace_of_talk import TalkWorkspace, import_everything
from clawgit.memory.entries.statements import parted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RULES, MODEL, SECOND, HOST, HOST_SECOND = "rules", "model", "model + second", "host", "host + second"
READERS = (MODEL, SECOND, HOST, HOST_SECOND)
AGENTS = ("recall-validator", "memory-miner")
AS_OPERATOR, UNDERSTOOD, LACKS_QUOTE, AS_HOST = "as operator", "understood", "no quote with it", "as host"
ASKED, QUOTED, LOST = "asked", "quote kept", "nothing"
COLUMNS = (AS_OPERATOR, UNDERSTOOD, LACKS_QUOTE, AS_HOST, ASKED, QUOTED, LOST)
CHANGED, ADDED, LINKED = "changed", "added", "linked"


def settings_of(reader: str, address: str, case: Case) -> str:
    """Return the settings of a workspace in which a reader reads."""
    if reader in (RULES, HOST):
        return ""
    second = "" if reader in (SECOND, HOST_SECOND) else "second_reader: off\n"
    who = f"{case.id}/{CHOOSES}" if reader == HOST_SECOND else case.id
    return f"model: openai:scripted\nmodel_url: {address}/{who}/v1\n{second}"


def read(room: TalkWorkspace, reader: str, case: Case, chat: str) -> list[Any]:
    """Let a reader read what was said, and the jobs run after it; return what they answered."""
    if reader not in (HOST, HOST_SECOND):
        return [room.run("run", agent, "--json") for agent in AGENTS]
    answers = []
    for each in case.readings:
        words = ("correct", each.old, each.new) if each.old else ("memory", "add", each.new)
        answers.append(room.run(*words, "--evidence", chat, "--quote", each.quote, "--json", host=True))
    return [*answers, room.run("run", AGENTS[0], "--json")]


def corrected(case: Case, reader: str, room: TalkWorkspace) -> tuple[list[str], Any]:
    """Return what becomes of each reading of a case, and what was answered."""
    answered = read(room, reader, case, room.say(case.talk)[-1]["id"])
    rows, blocks = room.rows(), room.ledger().split("\n## ")
    return [became(each, case, rows, blocks) for each in case.readings], answered


def became(reading: Reading, case: Case, rows: list[dict[str, Any]], blocks: list[str]) -> str:
    """Return what became of one reading: in force at a level, asked, left as a quote, or nothing."""
    new = [row for row in rows if row["text"] not in case.memory]
    row = next((row for row in new if says(row, reading)), None)
    if row is not None and row["trust"] == UNDERSTOOD:
        quote = plain(row["beside"])
        return UNDERSTOOD if plain(reading.quote) in quote else LACKS_QUOTE
    if row is not None:
        return f"as {row['trust']}"
    if any("- status: open" in each and reading.new.rstrip(" .。") in each for each in blocks):
        return ASKED
    quoted = [*(row["text"] for row in new), *blocks]
    return QUOTED if any(plain(reading.quote) in plain(each) for each in quoted) else LOST


def says(row: dict[str, Any], reading: Reading) -> bool:
    """Say whether an entry makes a reading's statement, whatever day and tag it has."""
    return plain(parted(row["text"]).statement) == plain(reading.new)


def left_alone(case: Case, reader: str, room: TalkWorkspace) -> tuple[list[str], Any]:
    """Return what was made of a talk that says nothing to keep."""
    heard = room.say(case.talk)
    read(room, reader, case, heard[-1]["id"])
    texts, ledger = [row["text"] for row in room.rows()], room.ledger()
    if set(case.memory) - set(texts):
        return [CHANGED], ledger
    if len(texts) > len(case.memory):
        return [ADDED], [text for text in texts if text not in case.memory]
    if "- status: open" in ledger:
        return [ASKED], ledger
    return [LINKED if "- status: linked" in ledger else LOST], ledger


def taken_back(case: Case, reader: str, room: TalkWorkspace) -> tuple[list[str], Any]:
    """Return whether a reading that was made ends when the operator takes it back."""
    said = case.row["said"]
    heard = room.say(case.talk[: said + 1])
    answered = read(room, reader, case, heard[-1]["id"])
    reading = case.readings[0]

    def holds() -> bool:
        return any(says(row, reading) for row in room.rows())

    if not holds():
        return ["never made"], answered
    room.say(case.talk[said + 1 :], since=said + 1)
    room.run("run", AGENTS[0], "--json")
    is_back = not reading.old or reading.old in [row["text"] for row in room.rows()]
    return ["still there" if holds() or not is_back else "undone"], room.rows()


def measure(
    look: Callable[[Case, str, TalkWorkspace], tuple[list[str], Any]],
    cases: Sequence[Case],
    reader: str,
    *,
    show: bool,
) -> Counter[str]:
    """Return what became of how many readings."""
    counted: Counter[str] = Counter()
    with (
        scripted_model({case.id: case.readings for case in cases}) as address,
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(4) as pool,
    ):

        def one(case: Case) -> tuple[list[str], Any]:
            settings = settings_of(reader, address, case)
            room = TalkWorkspace(Path(folder) / case.id, case.memory, case.at, settings)
            return look(case, reader, room)

        for case, (words, answered) in zip(cases, pool.map(one, cases), strict=True):
            counted.update(words)
            if show:
                talk = "\n".join(f"  {each['role']}: {each['text']}" for each in case.talk)
                print(f"--- {case.id} {reader}: {words}\n{talk}\n  {case.readings}\n  {answered}", flush=True)
    return counted


def print_row(name: str, counted: Counter[str], columns: Sequence[str]) -> None:
    """Print one line of the table: how many, and the share of each column."""
    total = sum(counted.values())
    cells = [f"{counted[column]} ({counted[column] / total:.0%})" for column in columns]
    print(f"| {name} | {total} | {' | '.join(cells)} |", flush=True)


def print_head(columns: Sequence[str]) -> None:
    """Print the head of a table."""
    print(f"\n| | of | {' | '.join(columns)} |\n|---|--:|{'--:|' * len(columns)}")


def main() -> None:
    """Measure what was chosen, all where nothing was."""
    parts = {"corrections", "facts", "nothing", "takebacks"}
    kinds = {"perfect": sets.perfect, "careless": sets.careless, "malicious": sets.malicious}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.understanding")
    parser.add_argument("--only", choices=sorted(parts), nargs="+", default=sorted(parts))
    parser.add_argument("--answers", choices=kinds, nargs="+", default=[*kinds])
    parser.add_argument("--readers", choices=READERS, nargs="+", default=[*READERS])
    parser.add_argument("--set", choices=("both", sets.FIRST, sets.SECOND), default="both")
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args()
    import_everything()

    def of_set(cases: list[Case]) -> list[Case]:
        is_second = {sets.FIRST: "cfn", sets.SECOND: "kgzt"}.get(chosen.set, "cfnkgzt")
        return [case for case in cases if case.id[0] in is_second]

    if {"corrections", "facts"} & set(chosen.only):
        print_head(COLUMNS)
    rows = []
    if "corrections" in chosen.only:
        rows = [(answer, kinds[answer]()) for answer in chosen.answers]
    if "facts" in chosen.only:
        rows.append(("facts", sets.facts()))
    for name, cases in rows:
        for reader in chosen.readers:
            counted = measure(corrected, of_set(cases), reader, show=chosen.show)
            print_row(f"{name}, {reader}", counted, COLUMNS)
    if "nothing" in chosen.only:
        columns = (CHANGED, ADDED, ASKED, LINKED, LOST)
        print_head(columns)
        for reader in (RULES, MODEL):
            counted = measure(left_alone, of_set(sets.nothing()), reader, show=chosen.show)
            print_row(f"nothing, {reader}", counted, columns)
    if "takebacks" in chosen.only:
        columns = ("undone", "still there", "never made")
        print_head(columns)
        for reader in (MODEL, HOST):
            counted = measure(taken_back, sets.takebacks(), reader, show=chosen.show)
            print_row(f"taken back, {reader}", counted, columns)


if __name__ == "__main__":
    main()
