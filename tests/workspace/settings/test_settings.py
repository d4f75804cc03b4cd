from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from tests_folder import TESTS

import clawgit
from clawgit.workspace.settings.config_file import read_config
from clawgit.workspace.settings.setting_types import argv_of, hundredths
from clawgit.workspace.settings.settings import (
    ALIASES,
    CONTEXT_SLOTS,
    DEFAULTS,
    SETTINGS,
    Settings,
    setting_named,
    settings_from,
    values_of,
)
from clawgit.workspace.settings.strict_yaml import WrongValueError, value_given

DOCUMENTED_DEFAULTS = {
    "context_budget_tokens": 6000,
    "identity_tokens": 800,
    "user_profile_tokens": 600,
    "corrections_tokens": 400,
    "recent_memory_tokens": 1200,
    "semantic_recall_tokens": 1500,
    "crm_tokens": 1000,
    "longterm_memory_tokens": 500,
    "memory_retention_hours": 48,
    "compaction_age_days": 30,
    "correction_archive_days": 14,
    "correction_overflow_strategy": "prioritize_unverified",
    "corrected_embedding_grace_days": 7,
    "confidence_decay_interval_days": 30,
    "confidence_decay_amount": 0.05,
    "confidence_floor": 0.2,
    "confidence_boost_per_mention": 0.05,
    "correction_relevance_boost": 1.5,
    "soul_max_tokens": 800,
    "soul_history_retention_days": 90,
    "cron_soul_keeper": "02:30",
    "cron_memory_miner": "06:00",
    "cron_conflict_detector": "07:00",
    "cron_compactor_weekly": "Sunday 03:00",
    "external_context_budget": 0,
    "external_context_source": "",
    "recall_external_handler": "",
    "heartbeat_custom_patterns": (),
    "mode": "core",
    "embedder": "default",
    "soul_policy": "evolve",
    "search_max_results": 20,
    "search_max_tokens": 1250,
    "search_min_score": 0.2,
    "temporal_decay_enabled": False,
    "temporal_decay_half_life_days": 30,
    "chunk_tokens": 400,
    "chunk_overlap": 80,
    "vector_stale_days": 180,
    "vector_flag_grace_days": 30,
    "message_retention_days": 0,
    "session_reset": "daily 04:00",
    "flush_enabled": True,
    "flush_reserve_tokens": 20000,
    "flush_soft_tokens": 4000,
    "prune_mode": "cache-ttl",
    "prune_ttl": 600,
    "prune_keep_last_assistants": 3,
    "prune_soft_max_chars": 4000,
    "prune_soft_head_chars": 1500,
    "prune_soft_tail_chars": 1500,
    "prune_hard_clear": True,
    "digest_channel": "file",
    "cron_vector_hygiene": "Sunday 03:30",
    "cron_promotion_review": "Friday 18:00",
    "cron_digest": "07:30",
    "cron_organizer": "05:30",
    "cron_decay_engine": "Sunday 04:00",
    "cron_lessons_extractor": "05:45",
    "max_lateness_hours": 36,
    "jobs_at_once": 2,
    "fsync": True,
    "max_file_bytes": 1048576,
    "lock_wait_seconds": 10,
    "crm_context_source": "",
    "chroma_url": "",
    "messages_url": "",
    "reranker_url": "",
    "model": "",
    "model_url": "",
    "timezone": "",
    "operator_ids": (),
    "group_chats": (),
}


@pytest.mark.parametrize(("key", "value"), DOCUMENTED_DEFAULTS.items(), ids=list(DOCUMENTED_DEFAULTS))
def test_a_setting_has_its_documented_default_and_type(key: str, value: object) -> None:
    assert getattr(Settings(), key) == value
    assert type(getattr(Settings(), key)) is type(value)


@pytest.mark.parametrize("key", SETTINGS)
def test_every_setting_says_what_it_is_and_takes_its_own_default(key: str) -> None:
    setting = SETTINGS[key]
    assert setting.name == key
    assert setting.section
    assert setting.accepts
    assert setting.says.endswith((".", "?"))
    assert len(setting.says) <= 65
    if not isinstance(setting.default, tuple):
        written = str(setting.default).lower() if isinstance(setting.default, bool) else str(setting.default)
        assert setting.read(written) == setting.default


@pytest.mark.parametrize(
    "key",
    [
        *CONTEXT_SLOTS,
        *(key for key in SETTINGS if key.endswith(("_url", "_source", "_paths"))),
        "context_budget_tokens",
        "soul_max_tokens",
        "model_daily_tokens",
        "max_file_bytes",
        "lock_wait_seconds",
        "fsync",
        "soul_policy",
        "operator_ids",
        "recall_external_handler",
        "digest_channel",
        "model",
        "embedder",
        "message_retention_days",
    ],
)
def test_what_executes_reaches_out_or_guards_is_guarded(key: str) -> None:
    assert SETTINGS[key].guarded


def test_only_what_can_neither_blind_nor_spend_is_not_guarded() -> None:
    """Limits, budgets, weights, lifetimes and times are guarded, each of them."""
    free = {name for name, setting in SETTINGS.items() if not setting.guarded}
    assert free == {
        "mode",
        "timezone",
        "correction_overflow_strategy",
        "heartbeat_custom_patterns",
        "prune_mode",
        "prune_placeholder",
    }


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("context_budget_tokens", "-1"),
        ("context_budget_tokens", "6.5"),
        ("context_budget_tokens", "6_000"),
        ("context_budget_tokens", "٣"),
        ("confidence_floor", "0.055"),
        ("confidence_floor", "1.01"),
        ("confidence_floor", "nan"),
        ("confidence_floor", "1e-1"),
        ("correction_relevance_boost", "0.5"),
        ("fsync", "maybe"),
        ("soul_policy", "open"),
        ("timezone", "Europe/Atlantis"),
        ("timezone", "../../etc/passwd"),
        ("timezone", "Europe"),
        ("chroma_url", "ftp://host"),
        ("chroma_url", "http://"),
        ("model", '""'),
        ("model", "openai:"),
        ("model", "comand ./bin/ask"),
        ("model_url", "https://me:hunter2@host/"),
        ("model_url", "https://host/?api_key=abc"),
        ("messages_url", "postgresql://ada:pw@host/db"),
        ("messages_url", "sqlite:messages.db"),
        ("messages_url", "sqlite://messages.db"),
        ("messages_url", "sqlite://"),
        ("recall_external_handler", "handler.sh"),
        ("recall_external_handler", "/bin/h 'open quote"),
        ("digest_channel", "webhook file:///etc/passwd"),
        ("digest_channel", "command"),
        ("digest_channel", "pigeon"),
        ("operator_ids", "two words"),
        ("embedder", "local:/a\x1b[31m"),
        ("embedder", "default:x"),
        ("embedder", "openai"),
        ("embedder", "word2vec"),
        ("embedder", "local:models/mine"),
        ("prune_placeholder", "two\nlines"),
    ],
)
def test_a_value_out_of_range_is_refused(key: str, text: str) -> None:
    with pytest.raises(WrongValueError, match=f"{key}.* takes ") as refusal:
        value_given(SETTINGS[key], text)
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("fsync", "No", False),
        ("fsync", "on", True),
        ("confidence_floor", ".3", 0.3),
        ("timezone", "UTC", "UTC"),
        ("cron_promotion_review", "0 18 * * 5", "Friday 18:00"),
        ("cron_soul_keeper", "2:30", "02:30"),
        ("session_reset", "idle 90", "idle 90"),
        ("chroma_url", "http://localhost:8000", "http://localhost:8000"),
        ("messages_url", "postgresql://ada@host/db", "postgresql://ada@host/db"),
        ("messages_url", "sqlite:///var/messages.db", "sqlite:///var/messages.db"),
        ("digest_channel", "webhook https://example.org/in", "webhook https://example.org/in"),
        ("model", "command ./bin/ask --short", "command ./bin/ask --short"),
        ("model", "none", ""),
        ("model", "ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("model", "openai:vendor/some-model:free", "openai:vendor/some-model:free"),
    ],
)
def test_a_value_is_typed_from_its_text(key: str, text: str, value: object) -> None:
    assert SETTINGS[key].read(text) == value


def test_the_context_slots_fill_the_budget_exactly() -> None:
    assert sum(getattr(Settings(), slot) for slot in CONTEXT_SLOTS) == Settings().context_budget_tokens


def test_decimals_are_offered_in_hundredths() -> None:
    settings = Settings()
    assert hundredths(settings.confidence_decay_amount) == 5
    assert hundredths(settings.confidence_floor) == 20
    assert hundredths(0.29) == 29


def test_another_name_leads_to_the_same_setting() -> None:
    assert setting_named("crm_context_budget") is SETTINGS["crm_tokens"]
    assert settings_from({"crm_context_budget": 7}).crm_tokens == 7
    assert set(ALIASES.values()) <= set(SETTINGS)


def test_settings_and_values_are_two_forms_of_one_thing() -> None:
    changed = Settings()._replace(mode="enhanced", chunk_tokens=300)
    assert settings_from(values_of(changed)) == changed
    assert values_of(Settings()) == dict(DEFAULTS)


def test_settings_ignores_what_is_no_setting() -> None:
    assert settings_from({"someone_elses": 3}) == Settings()


@pytest.mark.parametrize(
    ("key", "value", "argv"),
    [
        ("recall_external_handler", "./bin/h --deep 'a b'", ("./bin/h", "--deep", "a b")),
        ("recall_external_handler", "", ()),
        ("digest_channel", "command /bin/send now", ("/bin/send", "now")),
        ("digest_channel", "webhook https://example.org", ()),
        ("digest_channel", "file", ()),
        ("model", "some-model", ()),
        ("crm_context_source", "command /bin/x", ("/bin/x",)),
        ("crm_context_source", "crm.json", ()),
    ],
)
def test_a_command_is_recognised_where_one_can_stand(key: str, value: str, argv: tuple[str, ...]) -> None:
    assert argv_of(SETTINGS[key], value) == argv


@pytest.mark.rest
def test_what_is_said_to_be_unused_is_what_nothing_reads() -> None:
    """Mutants: a setting that is read stays in the list; one that nothing reads is missing, and shown as in force."""
    modules = Path(clawgit.__file__).parent.rglob("*.py")
    nodes = (node for module in modules for node in ast.walk(ast.parse(module.read_text("utf-8"))))
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}

    assert {key for key in SETTINGS if key not in read} == set()


VECTORS = json.loads((TESTS / "vectors/config_schedule.json").read_text("utf-8"))


@pytest.mark.parametrize("case", VECTORS["defaults"], ids=lambda case: case["key"])
def test_the_defaults_of_the_vectors(case: dict[str, Any]) -> None:
    setting = setting_named(case["key"])

    assert setting is not None
    value = setting.default
    assert (list(value) if isinstance(value, tuple) else value) == case["value"]


WRITTEN = {
    "CP1": "# Words\n\n```yaml\nsoul_max_tokens: 700\n```\nMore words.\n",
    "CP2": "soul_max_tokens: 700\n",
    "CP3": "",
    "CP5": "```yaml\nconfidence_floor: abc\nsoul_max_tokens: 700\n```\n",
    "CP7": "```yaml\nidentity_tokens: 9000\nsoul_max_tokens: 700\n```\n",
    "CP10": "```yaml\n# ── Soul ─────\nsoul_max_tokens: 700\n```\n",
}


@pytest.mark.parametrize("case", VECTORS["parse_cases"], ids=lambda case: case["id"])
def test_what_a_reader_copes_with_by_the_vectors(case: dict[str, Any]) -> None:
    reading = read_config(WRITTEN[case["id"]])

    settings = settings_from(reading.values)
    assert settings.soul_max_tokens == (800 if case["id"] == "CP3" else 700)
    told = [str(problem) for problem in reading.problems]
    assert bool(told) is (case["id"] in ("CP5", "CP7")), told
    if case["id"] == "CP5":
        assert "confidence_floor" in told[0]
        assert settings.confidence_floor == Settings().confidence_floor
