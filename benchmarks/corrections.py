"""The recall validator over five years of notes: 36,000 lines, 200 remembered things, one message after another."""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.search_speed import NOW, five_years
from clawgit.agents.door.correction_plans import Prover
from clawgit.agents.recall_validator import RecallValidator
from clawgit.agents.run_agent import run_agent
from clawgit.capture.messages.incoming_message import rules_in_force, take_down
from clawgit.capture.messages.message import IncomingMessage
from clawgit.capture.messages.open_messages import open_messages
from clawgit.history.authorship.intent import Intent
from clawgit.history.review.keep import keep
from clawgit.recall.recall_status import note_found
from clawgit.recall.search import search
from clawgit.recall.search_results import Query
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

LINES = 36_000
NAMES = [
    f"{first}{last}"
    for first, last in itertools.product(("Apo", "Bore", "Coba", "Dahl"), ("lo", "alis", "lt", "ia", "nor"))
]
KINDS = ("review", "launch", "audit", "demo", "call", "sync", "retro", "workshop", "offsite", "release")
SIGNALS = 25


def corrections() -> None:
    """Print how long one signal takes, and of what."""
    with tempfile.TemporaryDirectory() as folder:
        history, _ = five_years(Path(folder) / "workspace", LINES)
        facts = [f"The {name} {kind} is on Wednesday." for kind in KINDS for name in NAMES]
        (history.root / "MEMORY.md").write_text("# MEMORY\n\n" + "".join(f"- {fact}\n" for fact in facts))
        keep(history, Intent("keep", "operator", NOW - timedelta(days=1)))
        _asked_before(history, facts[:SIGNALS])
        whole, busy, proof = _signals(history, facts[:SIGNALS])
        print(f"validator, {LINES:,} lines, {len(facts)} entries, {SIGNALS} signals one by one")
        print(f"  one signal: {_spread(whole)} ms (to reach: 200)")
        print(f"  processor time of it: {_spread(busy)} ms")
        print(f"  of that, the proof in the live index: {_spread(proof)} ms")


def _asked_before(history: History, facts: list[str]) -> None:
    """Search for each fact, as a host does, so that earlier searches are there to be proven with."""
    for fact in facts:
        query = f"when is {fact.removeprefix('The ').partition(' is ')[0]}"
        note_found(history, query, "s", search(history, Query(query), NOW), NOW)


def _signals(history: History, facts: list[str]) -> tuple[list[float], list[float], list[float]]:
    whole, busy, proofs = [], [], []
    with open_messages(history, NOW) as store, open_records(history.state / RECORDS, NOW) as records:
        for number, fact in enumerate(facts):
            at = datetime(2026, 3, 19, 8, tzinfo=UTC) + timedelta(minutes=number)
            new = fact.replace("Wednesday.", "Thursday, not on Wednesday.")
            said = (IncomingMessage("assistant", fact, message_id=f"a{number}", sent_at=at), IncomingMessage("user", f"No, {new}", message_id=f"u{number}", sent_at=at + timedelta(seconds=9), by_operator=True))  # fmt: skip
            rules = rules_in_force(history, NOW, "operator")
            store.add([kept for each in said if not isinstance(kept := take_down(each, rules, NOW), str)])
            start, used = time.perf_counter(), time.process_time()
            (message,) = store.to_validate(2)
            agent = RecallValidator(message, Prover(history, NOW), store)
            report = run_agent(history, records, agent, NOW)
            store.mark_validated([message.chat_id], report.note.run_id)
            whole.append((time.perf_counter() - start) * 1000)
            busy.append((time.process_time() - used) * 1000)
            (written,) = agent.plans[-1]
            assert written.correction.re_embedded, report.note
            start = time.perf_counter()
            agent.prover.proven(written)
            proofs.append((time.perf_counter() - start) * 1000)
    return whole, busy, proofs


def _spread(taken: list[float]) -> str:
    return f"median {statistics.median(taken):.0f}, slowest {max(taken):.0f}"
