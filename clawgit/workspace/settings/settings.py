"""All settings with their defaults, which CONFIG.md and its documentation are rendered from; and the values in force.

A setting that guards or uses the network is in force only by the operator's word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from clawgit.workspace.settings.setting_types import (
    Setting,
    Value,
    argv_of,
    channel,
    choice,
    command,
    decimal,
    embedder_name,
    fusion,
    listing,
    model_name,
    patterns,
    reset,
    slot,
    source,
    url,
    whole,
    words,
    yes_no,
    zone,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from zoneinfo import ZoneInfo


EXPLICIT, REVIEW = "explicit", "review"  # of memory_policy
_MOST = 1_000_000
_YEARS = 36_500
_WEB = ("http", "https")
_MIB = 1024 * 1024

ALIASES = {"crm_context_budget": "crm_tokens"}

# The tokens of each slot, by priority; a slot's floor has its name.
CONTEXT_SLOTS = (
    "identity_tokens",
    "user_profile_tokens",
    "corrections_tokens",
    "recent_memory_tokens",
    "semantic_recall_tokens",
    "crm_tokens",
    "longterm_memory_tokens",
    "external_context_budget",
)


class Settings(NamedTuple):
    """All settings as values; without arguments, the defaults."""

    mode: str = choice(("core", "enhanced"), "core: no model needed; enhanced: with vectors.")
    timezone: str = zone("Zone in which days begin and jobs are due.")
    operator_ids: tuple[str, ...] = listing("Senders whose messages are yours.", spaced=False)
    group_chats: tuple[str, ...] = listing(
        "Group chats that are kept, as channel:conversation.", spaced=False
    )
    soul_policy: str = choice(
        ("evolve", "review", "locked"),
        "evolve, review or locked: may the soul change by itself?",
        guarded=True,
    )
    memory_policy: str = choice(
        ("free", EXPLICIT, REVIEW),
        "explicit: your orders and corrections alone; review: on your yes.",
        guarded=True,
    )
    edits_here: str = choice(
        ("unknown", "mine"), "mine: edits in the folder are yours while no agent is connected.", guarded=True
    )
    approvals: str = choice(
        ("unattended", "present"), "present: an approval counts only with a touched key.", guarded=True
    )

    page: str = choice(
        ("on", "off"), "on: the web page of `clawgit page` may show this workspace.", guarded=True
    )

    fsync: bool = yes_no(True, "Wait until a change is on disk before saying so.")
    lock_wait_seconds: int = whole(10, 0, 3600, "How long a writer waits for another one.")
    max_file_bytes: int = whole(_MIB, 65_536, 1024 * _MIB, "Largest file that is committed.")

    secrets_allowed: tuple[str, ...] = listing(
        "What looks like a secret and is none: RULE or RULE:PATH.", spaced=False
    )
    mirror_urls: tuple[str, ...] = listing("Repositories of yours that `git push --mirror` may fill.")

    context_budget_tokens: int = whole(6000, 0, _MOST, "Most tokens one context may hold.")
    identity_tokens: int = whole(800, 0, _MOST, "Slot 1: SOUL.md, IDENTITY.md, AGENTS.md.")
    user_profile_tokens: int = whole(600, 0, _MOST, "Slot 2: USER.md.")
    corrections_tokens: int = whole(400, 0, _MOST, "Slot 3: CORRECTIONS.md.")
    recent_memory_tokens: int = whole(1200, 0, _MOST, "Slot 4: the latest daily notes.")
    semantic_recall_tokens: int = whole(1500, 0, _MOST, "Slot 5: what a search brings up.")
    crm_tokens: int = whole(1000, 0, _MOST, "Slot 6: people and places, from outside.")
    longterm_memory_tokens: int = whole(500, 0, _MOST, "Slot 7: MEMORY.md.")
    identity_floor: int = whole(0, 0, 100, "Percent of the budget that no other slot takes from slot 1.")
    user_profile_floor: int = whole(0, 0, 100, "The same of slot 2.")
    corrections_floor: int = whole(0, 0, 100, "The same of slot 3.")
    recent_memory_floor: int = whole(0, 0, 100, "The same of slot 4.")
    semantic_recall_floor: int = whole(16, 0, 100, "The same of slot 5.")
    crm_floor: int = whole(0, 0, 100, "The same of slot 6.")
    longterm_memory_floor: int = whole(33, 0, 100, "The same of slot 7.")
    external_context_floor: int = whole(0, 0, 100, "The same of slot 8.")
    crm_context_source: str = source("File or program from which slot 6 is filled.")
    external_context_budget: int = whole(0, 0, _MOST, "Slot 8: another system's context.")
    external_context_source: str = source("File or program from which slot 8 is filled.")

    token_factor: float = decimal(1.0, 0.1, 10, "Tokens for one that is counted, where they differ.")
    receipt_retention_days: int = whole(400, 0, _YEARS, "Days receipts are kept; 0 is for ever.")

    memory_retention_hours: int = whole(48, 1, 8760, "How far back slot 4 reaches.")
    memory_max_lines: int = whole(200, 20, 100_000, "Lines of MEMORY.md, above which entries move out.")
    lifetime_tasks_days: int = whole(7, 0, _YEARS, "Days an entry about a task lasts; 0 is for ever.")
    lifetime_agents_days: int = whole(30, 0, _YEARS, "Days one about an agent lasts; 0 is for ever.")
    promotion_min_score: float = decimal(0.4, 0, 1, "How sure a part of a note must be to be promoted.")
    promotion_days: int = whole(7, 1, _YEARS, "How far back notes are looked through for that.")
    compaction_age_days: int = whole(30, 1, _YEARS, "Age at which a daily note moves to the archive.")
    correction_archive_days: int = whole(14, 1, _YEARS, "Age at which a correction moves to the archive.")
    correction_overflow_strategy: str = choice(
        ("prioritize_unverified", "newest_first"), "What slot 3 keeps when it is too small."
    )
    corrected_embedding_grace_days: int = whole(
        7, 0, _YEARS, "How long the old words stay below a corrected entry."
    )
    confidence_decay_interval_days: int = whole(30, 1, _YEARS, "Days without mention that cost one step.")
    confidence_decay_amount: float = decimal(0.05, 0, 1, "What one such step costs.")
    confidence_floor: float = decimal(0.2, 0, 1, "Confidence never sinks below this.")
    confidence_boost_per_mention: float = decimal(0.05, 0, 1, "What one mention adds.")
    correction_relevance_boost: float = decimal(1.5, 1, 10, "Factor on the score of a correction.")

    soul_max_tokens: int = whole(800, 50, 100_000, "Largest SOUL.md.")
    soul_history_retention_days: int = whole(90, 1, _YEARS, "Daily copies kept; later, one a month.")

    drift_alarm: int = whole(0, 0, 100, "Percent by which SOUL.md may leave its baseline; 0: no alarm.")

    search_max_results: int = whole(20, 1, 100, "Most hits in one answer.")
    search_max_tokens: int = whole(
        1250, 0, _MOST, "Most tokens of one answer, four characters each; 0 is no limit."
    )
    search_min_score: float = decimal(0.2, 0, 1, "Hits below this score are left out.")
    search_extra_paths: tuple[str, ...] = listing("Folders searched besides the workspace.")
    search_exclude: tuple[str, ...] = listing("Files, folders and patterns of the workspace not searched.")
    temporal_decay_enabled: bool = yes_no(False, "Rank older dated notes lower.")
    temporal_decay_half_life_days: int = whole(30, 1, _YEARS, "Age at which a dated note counts half.")
    chunk_tokens: int = whole(400, 50, 8000, "Length of one piece of text in the index.")
    chunk_overlap: int = whole(80, 0, 4000, "Tokens that neighbouring pieces share.")
    search_fusion: str = fusion("How vectors and keywords weigh against each other.")
    embedder: str = embedder_name("What turns text into vectors.")
    embedder_url: str = url(_WEB, "Address of the embedder's service; empty is its usual one.")
    chroma_url: str = url(_WEB, "Chroma server; empty keeps vectors beside the repository.")
    reranker_url: str = url(_WEB, "Service that puts hits into a better order.")
    reranker_model: str = words("", "Model that this service is asked for.", guarded=True)
    reranker_budget_ms: int = whole(
        400, 50, 60_000, "Longest wait for it; hits that are late keep their place."
    )
    search_reranked: bool = yes_no(False, "Ask that service in every search, without --smart.")
    vector_stale_days: int = whole(180, 1, _YEARS, "Age at which an unused vector is flagged.")
    vector_flag_grace_days: int = whole(30, 0, _YEARS, "How long a flagged vector stays.")

    messages_url: str = url(("postgresql", "postgres", "sqlite"), "Message store; empty means a local file.")
    message_retention_days: int = whole(0, 0, _YEARS, "Days messages are kept; 0 is for ever.")
    session_messages: int = whole(15, 1, 1000, "Last messages of a session that its note keeps.")
    session_reset: str = reset("daily 04:00", "When a session counts as over.")
    heartbeat_custom_patterns: tuple[str, ...] = patterns("Your own triage patterns, run by RE2.")
    flush_enabled: bool = yes_no(True, "Ask your agent for memories before a compaction.")
    flush_reserve_tokens: int = whole(
        20000, 0, 10 * _MOST, "Tokens kept free before a conversation is compacted."
    )
    flush_soft_tokens: int = whole(4000, 0, 10 * _MOST, "How long before that memory is written down.")
    flush_system_prompt: str = words("", "The system line for that; empty is ours.", guarded=True)
    flush_prompt: str = words("", "The turn that asks for it; empty is ours.", guarded=True)

    prune_mode: str = choice(("cache-ttl", "off"), "cache-ttl or off: trim old tool results in the prompt.")
    prune_ttl: int = whole(600, 0, 604_800, "Seconds after which the prompt cache has lapsed.")
    prune_keep_last_assistants: int = whole(3, 0, 100, "Latest answers whose tool results stay whole.")
    prune_soft_max_chars: int = whole(4000, 100, _MOST, "Longer results are cut to head and tail.")
    prune_soft_head_chars: int = whole(1500, 0, _MOST, "Characters kept at the head.")
    prune_soft_tail_chars: int = whole(1500, 0, _MOST, "Characters kept at the tail.")
    prune_hard_clear: bool = yes_no(True, "Replace the oldest results altogether.")
    prune_placeholder: str = words("[Old tool result removed]", "The text in place of a cleared result.")

    model: str = model_name("Model that helps the agents; empty works by rules alone.")
    model_url: str = url(_WEB, "Address of the model's service.")
    model_daily_tokens: int = whole(200_000, 0, 1000 * _MOST, "Most model tokens a day, all agents.")
    model_price: float = decimal(
        0, 0, 100_000, "Price of a million of its tokens, in your money; 0: not said."
    )

    second_reader: str = choice(
        ("auto", "off"), "auto: a model is asked again about each reading of a message.", guarded=True
    )

    cron_soul_keeper: str = slot("02:30", "Identity, from recent corrections.")
    cron_organizer: str = slot("05:30", "Facts, classes and structured notes.")
    cron_lessons_extractor: str = slot("05:45", "Lessons from failures that were overcome.")
    cron_memory_miner: str = slot("06:00", "Memories from conversations.")
    cron_conflict_detector: str = slot("07:00", "Entries that contradict each other.")
    cron_compactor_weekly: str = slot("Sunday 03:00", "Chronicles, archive, hygiene.")
    cron_vector_hygiene: str = slot("Sunday 03:30", "Stale vectors.")
    cron_decay_engine: str = slot("Sunday 04:00", "Entries whose time has passed.")
    cron_promotion_review: str = slot("Friday 18:00", "What deserves a place in MEMORY.md.")
    cron_digest: str = slot("07:30", "The digest: what was learned and changed, what needs you.")
    max_lateness_hours: int = whole(36, 1, 8760, "A missed job is made up for within this time.")
    jobs_at_once: int = whole(2, 1, 64, "Workspaces at work at once, at most, when a job begins here.")

    recall_external_handler: str = command("Program for recall failures that are not about memory.")
    digest_channel: str = channel("Growth digest to: file, off, webhook URL, command PROGRAM.")

    @property
    def time_zone(self) -> ZoneInfo | None:
        """Return the zone in which days begin; None is the machine's own."""
        if not self.timezone:
            return None
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.timezone)


# Each section begins with the setting named here and ends before the next one's.
_SECTIONS = {
    "mode": "Workspace",
    "fsync": "Write path",
    "context_budget_tokens": "Context assembler",
    "memory_retention_hours": "Memory",
    "soul_max_tokens": "Soul",
    "search_max_results": "Search",
    "messages_url": "Messages and sessions",
    "prune_mode": "Tool results",
    "model": "Model",
    "cron_soul_keeper": "Schedule",
    "recall_external_handler": "Programs and channels",
}


SETTINGS: dict[str, Setting] = {}
_section = ""
for _name, _declared in Settings._field_defaults.items():
    _section = _SECTIONS.get(_name, _section)
    SETTINGS[_name] = _declared._replace(name=_name, section=_section)
DEFAULTS: Mapping[str, Value] = {name: setting.default for name, setting in SETTINGS.items()}
# Fields declared in the class are settings; a value of the class has their defaults.
Settings.__new__.__defaults__ = tuple(DEFAULTS.values())


def setting_named(key: str) -> Setting | None:
    return SETTINGS.get(ALIASES.get(key, key))


def settings_from(values: Mapping[str, Value]) -> Settings:
    """Return settings with ``values`` as read by ``read_config``, others at their defaults."""
    named: dict[str, Any] = {
        ALIASES.get(key, key): value for key, value in values.items() if setting_named(key)
    }
    return Settings(**named)


def values_of(settings: Settings) -> dict[str, Value]:
    return {name: getattr(settings, name) for name in SETTINGS}


class Problem(NamedTuple):
    """A problem and its place; ``line`` is 0 without a single line, ``key`` "" without a setting."""

    path: str
    line: int
    key: str
    message: str
    severity: Literal["error", "warning"]

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.message}"


PRESENT = "present"
State = Literal["default", "in force", "waiting"]


class ConfigVersion(NamedTuple):
    """One state of CONFIG.md on the first-parent line, and its author.

    ``values`` and ``unread`` are as in ``read_config``: an absent key has its default, an unread one its earlier value.
    """

    commit_id: str
    by_operator: bool
    values: Mapping[str, Value] = {}
    unread: frozenset[str] = frozenset()


class SettingOrigin(NamedTuple):
    """The source of a value in force: ``commit_id`` introduced it (None: the default)."""

    state: State
    commit_id: str | None = None


class InForce(NamedTuple):
    """The settings in force, their sources, the values that wait for the operator, and unusable ones."""

    settings: Settings
    origins: Mapping[str, SettingOrigin]
    waiting: Mapping[str, Value]
    unread: frozenset[str] = frozenset()


def settings_in_force(
    versions: Sequence[ConfigVersion], trusted: Callable[[str, Value], bool] = lambda _key, _value: False
) -> InForce:
    """Return the settings in force from all states of CONFIG.md, newest first; before the last, all are defaults.

    A guarded value is in force if trusted or committed by the operator, one that names a program only if trusted;
    otherwise the value before it is tried, except one that the operator replaced.
    """
    values: dict[str, Value] = {}
    origins = dict.fromkeys(SETTINGS, SettingOrigin("default"))
    waiting: dict[str, Value] = {}
    named: set[str] = set()
    for version in versions:
        named.update(version.values)
    for key, setting in SETTINGS.items():
        if key not in named:  # nearly all of them
            continue
        claims: list[_Claim] = [(setting.default, None)]  # newest first
        for version in reversed(versions):
            value = version.values.get(key, setting.default)
            if key not in version.unread and value != claims[0][0]:
                claims.insert(0, (value, version))
        if len(claims) == 1:  # always the default
            continue
        newest, _ = claims[0]
        values[key], origin = _held(setting, claims, trusted)
        commit_id = origin.commit_id if origin else None
        if values[key] != newest:
            waiting[key] = newest
            origins[key] = SettingOrigin("waiting", commit_id)
        else:
            origins[key] = SettingOrigin("in force" if commit_id else "default", commit_id)
    unread = versions[0].unread if versions else frozenset()
    return InForce(settings_from(values), origins, waiting, frozenset(unread))


# A value in CONFIG.md and the version that brought it; None for the default at the start.
_Claim = tuple[Value, ConfigVersion | None]


def _held(setting: Setting, claims: list[_Claim], trusted: Callable[[str, Value], bool]) -> _Claim:
    for at, (value, version) in enumerate(claims):
        if version is None or not setting.guarded or trusted(setting.name, value):
            return value, version
        if not version.by_operator:
            continue
        if argv_of(setting, value):
            break
        # that approvals need no key any more needs a touched key itself
        asks_less = setting.name == "approvals" and value != PRESENT
        if not asks_less or not any(
            each == PRESENT and origin is not None and origin.by_operator for each, origin in claims[at + 1 :]
        ):
            return value, version
    return claims[-1]
