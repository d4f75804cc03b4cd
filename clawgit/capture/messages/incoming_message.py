"""From a received message to one to keep, by the rules in force. The sender is known from ids, never from the text."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.capture.messages.message import (
    ROLES,
    ChatMessage,
    IncomingMessage,
    SignalNote,
    id_of,
    written_time,
)
from clawgit.capture.messages.open_messages import oldest_kept
from clawgit.capture.triage_cache import CACHE, cache_bytes, cached_patterns
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import trust_of
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR, TRUSTS
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.secrets import redact
from clawgit.text.words.word_lists import words_in
from clawgit.understanding.evidence.orders_to_forget import (
    forgets_itself,
    is_unwanted,
    only_asks_to_forget,
)
from clawgit.understanding.patterns.own_words import own_words
from clawgit.understanding.patterns.pattern_rule import OPT_OUT
from clawgit.understanding.triage.custom_patterns import CustomPattern, CustomPatterns, read_patterns
from clawgit.understanding.triage.triage_message import triage
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, data_of, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from clawgit.history.git.repository import History

MAX_TEXT = 256 * 1024
MAX_NAME = 300
_UNSTORABLE = lazy_pattern("[\x00\ud800-\udfff]")
# What hosts wrap around a message for the model: injected memory, reminders, command output.
_TAGS = words_in("""
clawgit_context system-reminder local-command-stdout local-command-stderr local-command-caveat command-name
command-message command-args bash-input bash-stdout bash-stderr task-notification subagent_notification
teammate-message user-prompt-submit-hook ide_opened_file ide_selection environment_context user_instructions
turn_aborted
""")
_INJECTED = lazy_pattern(
    rf"<({'|'.join(sorted(_TAGS))})\b[^>]{{0,1000}}>.*?(?:</\1>|\Z)"
    r"|<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|\Z)",
    re.DOTALL,
)
_MEDIA = lazy_pattern(r"^\[media attached(?: \d+/\d+)?: [^\]\n]*\][ \t]*$", re.MULTILINE)


class Rules(NamedTuple):
    """The rules for a message; ``most_trust``: the highest trust it can get, whatever its sender."""

    operator_ids: tuple[str, ...] = ()
    group_chats: tuple[str, ...] = ()
    patterns: CustomPatterns | None = None
    since: datetime | None = None
    most_trust: str = OPERATOR


def take_down(heard: IncomingMessage, rules: Rules, now: datetime) -> ChatMessage | str:
    """Return the message to keep, secrets masked, or why it is left out; its content never raises its trust."""
    against = refusal(heard, rules, now)
    if against:
        return against
    sent_at = min(heard.sent_at or now, now)  # a date in the future would sort after all later messages
    text = masked(without_injected(heard.text)).strip()
    trust = min(_trust(heard, text, rules.operator_ids), rules.most_trust, key=TRUSTS.index)
    is_operator = trust == OPERATOR
    signal = SignalNote()
    if is_operator and (only_asks_to_forget(text) or forgets_itself(text)):
        signal = SignalNote(veto=OPT_OUT)
    elif is_operator:
        signal = signal_in(text, rules)
    elif is_vetoed(heard._replace(text=text)):
        signal = SignalNote(veto=OPT_OUT)
    if len(text) > MAX_TEXT:
        text = f"{text[:MAX_TEXT]}\n[{len(text) - MAX_TEXT:,} characters left out]"
    message_id = heard.message_id or content_id(heard, written_time(sent_at))
    key = (heard.channel, heard.conversation, message_id)
    masked_key = tuple(map(_masked_name, key))
    if masked_key != key:  # masking would make ids collide: use a hash of the id
        message_id = id_of(*key)
    return ChatMessage(
        message_id=message_id,
        channel=_masked_name(heard.channel),
        conversation=_masked_name(heard.conversation),
        session=_masked_name(heard.session),
        role=heard.role,
        sender=_masked_name(heard.sender),
        is_operator=is_operator,
        trust=trust,
        text=text,
        sent_at=sent_at,
        received_at=now,
        signal=signal,
    )


def signal_in(text: str, rules: Rules) -> SignalNote:
    triaged = triage(text, rules.patterns)
    return SignalNote(triaged.miner, triaged.validator, triaged.custom, triaged.matched, triaged.veto)


def refusal(heard: IncomingMessage, rules: Rules, now: datetime) -> str:
    """Return why a message is left out; empty if it is kept."""
    if heard.role not in ROLES:
        return f"its role is none of {', '.join(ROLES)}"
    if heard.group and _identity(heard.channel, heard.conversation) not in rules.group_chats:
        return "its group chat is not named in group_chats"
    if rules.since is not None and (heard.sent_at or now) < rules.since:
        return "it is older than message_retention_days"
    if without_injected(heard.text).strip():
        return ""
    return "nothing in it was said by anybody"


def without_injected(text: str) -> str:
    """Return ``text`` without what a host put around it, above all `<clawgit_context>`: memory must not feed on itself."""
    if "<" in text:
        text = _INJECTED.sub("", text)
    if "[media attached" in text:
        return _MEDIA.sub("", text)
    return text


def masked(text: str) -> str:
    """Return ``text`` for the store: secrets masked, characters that databases refuse replaced."""
    return redact(_UNSTORABLE.sub("\ufffd", text))


def is_operator(channel: str, sender: str, operator_ids: tuple[str, ...]) -> bool:
    """Say whether ``operator_ids`` has a sender: as `channel:sender`, or by an id for every channel."""
    return _identity(channel, sender) in operator_ids or (":" not in sender and sender in operator_ids)


def _identity(channel: str, name: str) -> str:
    if name.startswith(f"{channel}:"):
        return name
    return f"{channel}:{name}"


def _trust(heard: IncomingMessage, text: str, operator_ids: tuple[str, ...]) -> str:
    is_his = heard.by_operator or is_operator(heard.channel, heard.sender, operator_ids)
    trust = EXTERNAL
    is_own = not heard.external and own_words(text).strip() != ""  # else forwarded as a whole
    if is_own and heard.role == "assistant":
        trust = HOST
    elif is_own and heard.role == "user" and is_his:
        trust = OPERATOR
    return min(trust, heard.most_trust, key=TRUSTS.index)


def is_vetoed(heard: IncomingMessage) -> bool:
    return heard.role == "user" and not heard.external and is_unwanted(heard.text)


@lru_cache(maxsize=4096)
def _masked_name(name: str) -> str:
    return masked(name)[:MAX_NAME]


def content_id(heard: IncomingMessage, before: str) -> str:
    """Return an id for a message without one: a hash of its text and time, or without a time, of ``before``."""
    when = before if heard.sent_at is None else written_time(heard.sent_at)
    return id_of(heard.role, when, heard.text)


def with_ids(every: Iterable[IncomingMessage]) -> Iterator[IncomingMessage]:
    """Yield messages in order; one without an id gets `content_id`, as in an import."""
    chain = ""
    for heard in every:
        if heard.message_id:
            yield heard
        else:
            chain = content_id(heard, chain)
            yield heard._replace(message_id=chain)


def rules_in_force(history: History, now: datetime, actor: str) -> Rules:
    settings = history.settings
    good = [pattern for pattern in patterns_in_force(history) if not pattern.problem]
    return Rules(
        operator_ids=settings.operator_ids,
        group_chats=settings.group_chats,
        patterns=CustomPatterns(good) if good else None,
        since=oldest_kept(history, now),
        most_trust=trust_of(actor),
    )


def patterns_in_force(history: History) -> list[CustomPattern]:
    """Return the patterns of the settings in force, also those that cannot run; cached where possible."""
    patterns = read_patterns(history.settings.heartbeat_custom_patterns)
    # On a full disk, or without a branch, nothing is cached.
    with suppress(OSError, ClawgitError):
        content = read_file(history.root, CONFIG)
        here = data_of(content) or b""
        committed = history.tip().tree.read(CONFIG) or b""
        cached = cached_patterns(str(history.root), str(history.state))
        is_cached = cached is not None and list(map(attrgetter("row"), cached)) == list(
            map(attrgetter("row"), patterns)
        )
        if here == committed and not is_cached:
            write_file(history.state, CACHE, FileContent(cache_bytes(here, patterns)), fsync=False)
    return patterns
