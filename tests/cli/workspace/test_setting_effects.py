"""Every setting changes something: what the program says with its default, and with another value.

What reaches out (models, servers, programs) and what only acts over time has its test elsewhere: SHOWN names it.
A setting that stands in neither table fails here.
"""

from __future__ import annotations

import ast
import json
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from tests_folder import TESTS

from clawgit.agents.hygiene import KeptVector, next_step
from clawgit.context.assemble_context import assemble_context
from clawgit.context.receipts import keep_receipt
from clawgit.context.wanted_context import WantedContext
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Plan
from clawgit.recall.index.line_units import passages
from clawgit.recall.vector_search import chunk_of
from clawgit.runner.jobs import JOBS
from clawgit.workspace.records.record_tables import EVERY_RECEIPTS
from clawgit.workspace.settings.settings import CONTEXT_SLOTS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

QUERY = "How do we brew tea in the office in Basel?"
TEA = "- Tea {} is brewed in the office in Basel, in pot {}.\n"
LEDGER = """# CORRECTIONS

## 2026-03-02 10:00 <!-- x:aaa111 re-embedded:false -->

- trigger: No, the kettle is blue.
- said: The kettle is red.
- correct: The kettle of the kitchen on the second floor is blue.
- status: applied

## 2026-03-18 10:00 <!-- x:bbb222 re-embedded:true -->

- trigger: No, the pot is green.
- said: The pot is white.
- correct: The pot for tea on the second floor is green.
- status: applied
"""
SOURCES = {
    "crm_context_source": "crm.md",
    "external_context_source": "other.md",
    "external_context_budget": "900",
}
MEMORY = "# Memory\n\n- 2026-03-01: Send Ada the report. <!-- m:aaaaaa -->\n- 2026-03-01: The helper reads mail. <!-- m:bbbbbb -->\n"


def teas(word: str) -> str:
    return "".join(TEA.format(word, number) for number in range(20))


def fill(room, clawgit) -> None:
    """Give everything something to say."""
    room.write("SOUL.md", f"# SOUL\n\n{teas('soul')}")
    room.write("USER.md", f"# USER\n\n{teas('user')}")
    room.write("CORRECTIONS.md", LEDGER)
    room.write("MEMORY.md", MEMORY + teas("core"))
    room.write("memory/2026-03-16.md", f"# 2026-03-16\n\n- We decided to brew tea.\n{teas('noon')}")
    room.write("memory/2026-03-19.md", f"# 2026-03-19\n\n{teas('today')}")
    room.write("memory/2026-01-02.md", f"# 2026-01-02\n\n- We decided to brew tea.\n{teas('winter')}")
    room.write("memory/teas.md", f"# Teas\n\n{teas('list')}")
    room.write("crm.md", "# Ada\n\nRole: buyer, likes tea.\n")
    room.write("other.md", teas("other"))
    room.keep("operator")
    room.write(
        "memory/plans.md", "- Send Bea the plan. <!-- m:cccccc -->\n- Bea answers mails. <!-- m:dddddd -->\n"
    )
    room.keep("host")  # the operator's own words have no end
    trailers = (
        ("Clawgit-Class", "m:cccccc tasks"),
        ("Clawgit-Class", "m:dddddd agents"),
        ("Clawgit-Mention", 'm:aaaaaa chat:m1 "Send Ada the report."'),
    )
    plan = Plan("classes", trailers=trailers)
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "organizer", room.now))
    for name, value in SOURCES.items():
        clawgit("config", "set", name, value)


class Life:
    """A workspace in which everything has something to say, and what the program says about it."""

    def __init__(self, room, clawgit, folder: Path) -> None:
        self.room, self.clawgit, self.folder = room, clawgit, folder
        self.talks = 0

    def set(self, **values: object) -> None:
        for name, value in values.items():
            assert self.clawgit("config", "set", name, str(value)).code == 0, name

    def data(self, *words: str, at: str = "") -> Any:
        done = self.clawgit(*words, "--json", environment={"CLAWGIT_NOW": at} if at else {})
        assert done.code == 0, done.err
        return done.data


def context(life: Life) -> object:
    slots = life.data("context", "--query", QUERY)["slots"]
    return [(slot["name"], slot["used"]) for slot in slots]


def profiles(life: Life) -> object:
    slots = life.data("context", "--query", "What does Ada drink?")["slots"]
    return [slot["used"] for slot in slots if slot["name"] == "crm"]


def narrow_context(life: Life) -> object:
    life.set(context_budget_tokens=900)
    return context(life)


def narrow_corrections(life: Life) -> object:
    life.set(corrections_tokens=40)
    return life.data("context", "--query", QUERY)["text"]


def entries(life: Life) -> object:
    listed = life.data("memory", "list", at="2026-12-24T12:00")
    return [(each["confidence"], each["expires"]) for each in listed]


def searched(life: Life) -> object:
    found = life.data("memory", "search", QUERY)["results"]
    return [(each["path"], each["score"]) for each in found]


def loosely_searched(life: Life) -> object:
    return len(life.data("memory", "search", "Who decided to brew tea?")["results"])


def corrected_search(life: Life) -> object:
    found = life.data("memory", "search", "Which pot for tea is on the second floor?")["results"]
    return [(each["path"], each["score"]) for each in found]


def decaying_search(life: Life) -> object:
    life.set(temporal_decay_enabled="true")
    return searched(life)


def promotable(life: Life) -> object:
    return life.data("memory", "promote")


def night(agent: str) -> Callable[[Life], object]:
    def rehearsed(life: Life) -> object:
        return life.clawgit("run", agent, "--dry-run").out

    return rehearsed


def ended_session(life: Life) -> object:
    life.talks += 1
    for number in range(4):
        words = ("--conversation", f"c{life.talks}", "--at", f"2026-03-19T0{number + 1}:00")
        life.clawgit("chat", "add", f"Tea number {number} is good.", *words)
    return life.data("session", "end", "--conversation", f"c{life.talks}")["messages"]


def due_sessions(life: Life) -> object:
    life.clawgit("chat", "add", "Good night.", "--at", "2026-03-18T22:00", "--conversation", "late")
    return [each["conversation"] for each in life.data("session", "due")]


def flushing(life: Life) -> object:
    return life.data("session", "flush", "--tokens", "180000")


def pruned(life: Life, window: str = "20000") -> object:
    path, target = life.folder / "s.jsonl", life.folder / "out.jsonl"
    lines = [{"role": "user", "text": "Look."}, {"role": "tool", "text": "ab" * 4500}]
    for number in range(30):
        lines += [
            {"role": "user", "text": f"Question {number}? " + "words " * 100},
            {"role": "assistant", "text": "Seen.", "sent_at": "2026-03-19T10:00:00Z"},
        ]
        if number > 26:
            lines.append({"role": "tool", "text": f"{number} " * 2000})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    target.unlink(missing_ok=True)
    said = life.clawgit("session", "prune", "--window", window, str(path), "-o", str(target))
    return said.err, target.read_text() if target.exists() else ""


def cleared(life: Life) -> object:
    return pruned(life, "8000")


def receipts(life: Life) -> object:
    history, now = life.room.history, life.room.now
    history.settings = in_force(life)
    made = assemble_context(history, WantedContext("tea"), now)
    keep_receipt(history, made, WantedContext("tea"), now)
    for number in range(EVERY_RECEIPTS):  # the old ones are forgotten now and then
        keep_receipt(history, made, WantedContext(f"tea {number}"), now + timedelta(days=42, minutes=number))
    return min(each["at"] for each in life.data("receipts", "list", "--limit", "1000"))


def timetables(life: Life) -> object:
    life.data("config", "show", "mode")
    life.room.history.settings = in_force(life)
    return [(job.name, job.timetable(life.room.history.settings)) for job in JOBS]


def in_force(life: Life) -> Any:
    rows = life.data("config", "show")
    values = {
        row["key"]: tuple(row["value"]) if isinstance(row["value"], list) else row["value"] for row in rows
    }
    return life.room.history.settings._replace(**values)


def graces(life: Life) -> object:
    day, earlier = date(2026, 6, 8), date(2026, 6, 3)
    corrected = KeptVector(day, corrected=earlier)
    stale = KeptVector(earlier)
    flagged = KeptVector(date(2025, 1, 1), flagged=earlier)
    return [next_step(each, day, in_force(life)) for each in (corrected, stale, flagged)]


def chunks(life: Life) -> object:
    return passages(5 * life.room.read("memory/teas.md").encode(), *chunk_of(in_force(life)))


CRONS = {name: ("Monday 04:44", timetables) for name in SETTINGS if name.startswith("cron_")}
PRUNED = {
    "prune_ttl": (9000, pruned),
    "prune_keep_last_assistants": (0, pruned),
    "prune_soft_max_chars": (9500, pruned),
    "prune_soft_head_chars": (10, pruned),
    "prune_soft_tail_chars": (10, pruned),
    "prune_hard_clear": ("false", cleared),
    "prune_placeholder": ("gone", cleared),
    "prune_mode": ("off", pruned),
}
FLOORS = {}
for floor in (name for name in SETTINGS if name.endswith("_floor") and name != "confidence_floor"):
    FLOORS[floor] = (0 if SETTINGS[floor].default else 100, narrow_context)
# Another value, and where it is seen.
EFFECTS: dict[str, tuple[object, Callable[[Life], object]]] = {
    **CRONS,
    **PRUNED,
    **FLOORS,
    "context_budget_tokens": (500, context),
    **dict.fromkeys(CONTEXT_SLOTS, (0, context)),
    "crm_tokens": (0, profiles),
    "token_factor": (2, context),
    "memory_retention_hours": (200, context),
    "correction_overflow_strategy": ("newest_first", narrow_corrections),
    "confidence_decay_interval_days": (300, entries),
    "confidence_decay_amount": (0.01, entries),
    "confidence_floor": (0.9, entries),
    "confidence_boost_per_mention": (0, entries),
    "lifetime_tasks_days": (90, entries),
    "lifetime_agents_days": (0, entries),
    "promotion_min_score": (1, promotable),
    "promotion_days": (90, promotable),
    "memory_max_lines": (20, night("organizer")),
    "compaction_age_days": (2, night("memory-compactor")),
    "correction_relevance_boost": (1, corrected_search),
    "search_max_results": (1, searched),
    "search_max_tokens": (30, searched),
    "search_min_score": (0, loosely_searched),
    "temporal_decay_enabled": ("true", searched),
    "temporal_decay_half_life_days": (1, decaying_search),
    "chunk_tokens": (60, chunks),
    "chunk_overlap": (0, chunks),
    "vector_stale_days": (2, graces),
    "vector_flag_grace_days": (2, graces),
    "corrected_embedding_grace_days": (2, graces),
    "session_messages": (2, ended_session),
    "session_reset": ("never", due_sessions),
    "flush_enabled": ("false", flushing),
    "flush_reserve_tokens": (30_000, flushing),
    "flush_soft_tokens": (30_000, flushing),
    "flush_system_prompt": ("For memory.", flushing),
    "flush_prompt": ("Write memory/YYYY-MM-DD.md.", flushing),
    "receipt_retention_days": (10, receipts),
    "max_lateness_hours": (1, timetables),
    "timezone": ("Asia/Seoul", timetables),
}
SHOWN = {
    "mode": "cli/enhanced/test_search.py::test_one_line_makes_a_word_that_nobody_wrote_findable",
    "operator_ids": "cli/chat/test_chat.py::test_what_is_added_is_the_operators_only_by_his_id",
    "group_chats": "cli/chat/test_chat.py::test_group_chats_are_left_out_until_they_are_named",
    "soul_policy": "cli/agents/test_soul_keeping.py::test_under_review_it_is_proposed_and_a_rejected_one_is_not_proposed_again",
    "edits_here": "cli/workspace/test_edits_here.py::test_without_it_an_edit_has_an_unknown_author_and_keep_names_the_setting",
    "memory_policy": "history/guards/test_memory_policy.py::test_who_may_write_memory",
    "approvals": "cli/test_approvals_present.py::test_the_setting_itself_is_left_by_a_touch_alone",
    "fsync": "faults/stores/test_recall.py::test_a_store_is_on_disk_before_it_is_sealed_and_sealed_before_it_has_its_name",
    "lock_wait_seconds": "cli/workspace/test_backup.py::test_a_store_that_stays_busy_is_not_replaced",
    "max_file_bytes": "journeys/test_run_outcomes.py::test_refused_by_a_guard",
    "secrets_allowed": "history/guards/test_secrets.py::test_a_setting_lets_in_what_it_names",
    "mirror_urls": "hooks/test_pushes.py::test_to_a_mirror_of_the_operators_own_references_of_clawgits_may_go",
    "crm_context_source": "context/test_external_sources.py::test_of_a_crm_those_are_told_whom_the_conversation_names",
    "external_context_source": "context/test_external_sources.py::test_another_systems_context_is_told_whole_and_without_secrets",
    "correction_archive_days": "agents/compactor/test_memory_hygiene.py::test_corrections_of_the_vectors",
    "soul_max_tokens": "cli/agents/test_soul_keeping.py::test_a_soul_that_is_full_stays_as_it_is_and_the_order_waits",
    "soul_history_retention_days": "history/views/test_render_views.py::test_a_setting_or_a_lost_branch_changes_them_without_a_change_of_the_soul",
    "drift_alarm": "cli/soul/test_drift.py::test_the_alarm_is_shown_until_the_state_is_a_snapshot",
    "search_extra_paths": "recall/test_search.py::test_an_extra_folder_is_searched_and_followed_where_a_setting_names_it",
    "search_fusion": "cli/enhanced/test_search.py::test_the_formula_of_the_source_can_be_had_exactly",
    "embedder": "cli/enhanced/test_search.py::test_another_model_never_meets_the_rows_of_the_one_before",
    "embedder_url": "cli/test_vector_wiring.py::test_an_address_that_only_a_host_has_committed_is_not_asked",
    "chroma_url": "cli/enhanced/test_search.py::test_what_a_server_cannot_be_asked_to_forget_is_not_said_to_be_gone",
    "reranker_url": "cli/memory/test_smart_search.py::test_a_reranker_decides_the_order",
    "reranker_model": "cli/memory/test_smart_search.py::test_a_reranker_decides_the_order",
    "reranker_budget_ms": "cli/memory/test_smart_search.py::test_a_reranker_that_never_answers_is_not_waited_for",
    "page": "page/test_actions.py::test_a_workspace_whose_page_is_off_is_not_shown",
    "search_exclude": "recall/test_prose.py::test_an_answer_without_a_hit_says_where_was_looked_and_where_not",
    "search_reranked": "cli/memory/test_smart_search.py::test_three_lines_of_settings_have_every_search_reranked",
    "messages_url": "cli/chat/test_chat.py::test_the_store_may_be_another_file",
    "message_retention_days": "cli/chat/test_chat.py::test_old_messages_go_after_the_days_of_retention",
    "heartbeat_custom_patterns": "cli/chat/test_triage.py::test_the_workspace_may_be_named_before_or_after",
    "model": "agents/models/test_choose_model.py::test_a_model_has_its_place_and_the_key_for_that_place",
    "model_url": "cli/memory/test_smart_search.py::test_the_model_brings_other_words_and_the_order",
    "model_daily_tokens": "agents/models/test_ask_model.py::test_the_limit_of_a_day_holds_before_a_question_is_sent",
    "model_price": "cli/agents/test_mining_with_a_model.py::test_what_a_run_cost_is_said_where_a_price_is_set_and_the_digest_says_it_too",
    "second_reader": "agents/validator/test_model_corrections.py::test_the_second_reader_can_be_turned_off",
    "jobs_at_once": "runner/test_resident_runner.py::test_how_many_work_at_once_the_setting_says",
    "recall_external_handler": "cli/agents/test_runs.py::test_the_external_handler_runs_once_by_the_operators_trust_alone",
    "digest_channel": "cli/agents/test_digest.py::test_a_trusted_command_gets_it_and_a_failed_delivery_is_tried_again_with_the_same_words",
}


def test_every_setting_is_shown_to_change_something() -> None:
    assert sorted([*EFFECTS, *SHOWN]) == sorted(SETTINGS)


@pytest.mark.parametrize("name", SHOWN)
def test_the_test_that_shows_it_names_the_setting(name: str) -> None:
    path, _, test = SHOWN[name].partition("::")

    assert name in defined_in(path)[test]


@cache
def defined_in(path: str) -> dict[str, str]:
    """Return the tests of a file with their decorators, by name."""
    source = (TESTS / path).read_text("utf-8")
    lines = source.splitlines()
    return {
        each.name: "\n".join(
            lines[min(part.lineno for part in (each, *each.decorator_list)) - 1 : each.end_lineno]
        )
        for each in ast.parse(source).body
        if isinstance(each, ast.FunctionDef)
    }


@pytest.mark.sampled(24)
@pytest.mark.parametrize("name", EFFECTS)
def test_another_value_changes_what_the_program_says(lived_once, room, clawgit, tmp_path, name) -> None:
    value, probe = EFFECTS[name]
    life = Life(lived_once("life", lambda: fill(room, clawgit)), clawgit, tmp_path)
    before = probe(life)
    life.set(**{name: value})

    assert probe(life) != before
