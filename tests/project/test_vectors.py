"""Every given vector is read by a test, or it is said here why not."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from tests_folder import TESTS

VECTORS = TESTS / "vectors"
ABOUT = {"vector_set", "sources", "how_to_read"}
SOURCES = {
    path: path.read_text("utf-8") for path in TESTS.rglob("test_*.py") if path.name != "test_vectors.py"
}

# Given sets of which nothing is built yet: they are copied here with the capability that they are about.
NOT_BUILT = {
    "git_merge": "merging two machines' histories",
}

# Groups of copied sets that no test reads, and why.
UNREAD = {
    "assembler_budget/invariants": "prose: test_budget and test_slot_text check each as a property",
    "chunking/defaults": "chunk_tokens and chunk_overlap are held by the list of documented defaults",
    "chunking/invariants": "prose: test_passages checks each as a property",
    "chunking/seed_disagreement": "prose about the sources",
    "config_schedule/weekly_review": "how another program says it; test_promote holds what is said here",
    "compactor/invariants": "prose: test_daily_archive and test_memory_hygiene hold each",
    "compactor/undefined_in_seed": "prose about the sources",
    "confidence/boost_cases": "scores of a formula; test_search and test_correction_proof ask the order of real hits",
    "conflicts/always": "prose: test_conflict_detector and test_conflict_rules check each",
    "decay/fraction_case": "what another program does; whole days are as good",
    "dedupe_overlap/similarity_threshold_cases": "likeness alone merges nothing here: numbers, names and negations decide",
    "dedupe_overlap/threshold_facts": "one of the thresholds of the cases",
    "hybrid_mmr/bm25_cases": "how another program turns a rank into a score",
    "hybrid_mmr/defaults": "numbers of the sources; search_max_results and its like are settings of their own",
    "hybrid_mmr/fts_query_cases": "the query language of another program",
    "hybrid_mmr/min_score_cases": "scores of a formula; test_fusion and the tests without vectors ask real hits",
    "hybrid_mmr/similarity_cases": "the likeness of another program",
    "hybrid_mmr/token_cases": "the words of another program",
    "memory_flush/silent_reply_cases": "which reply the host does not deliver: replies are the host's",
    "ttl_classes/lifecycle_cases": "prose: test_decay_engine and test_organizer hold each",
    "triage/perf_cases": "seconds: the benchmark of triage measures them, hostile lines are in test_triage_message",
    "workspace_init/injection": "what a host injects itself, which `context --host` leaves out",
}


def sets() -> dict[str, dict[str, object]]:
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(VECTORS.glob("*.json"))}


@cache
def readers(name: str) -> list[str]:
    return [
        text for text in SOURCES.values() if f"{name}.json" in text or re.search(rf"vectors\(\W?{name}", text)
    ]


GROUPS = {
    f"{name}/{group}": (name, group)
    for name, content in sets().items()
    for group, cases in content.items()
    if group not in ABOUT and cases not in ([], {})
}


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_is_read_or_it_is_said_why_not(group: str) -> None:
    name, key = GROUPS[group]
    is_read = any(f'["{key}"]' in text or f'"{key}"' in text for text in readers(name))

    assert is_read is (group not in UNREAD)


def test_nothing_is_excused_that_is_not_there() -> None:
    assert [group for group in UNREAD if group not in GROUPS] == []
    assert [name for name in NOT_BUILT if name in sets()] == []
