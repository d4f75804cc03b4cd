"""What the names of OpenClaw's sessions say."""

from __future__ import annotations

import json

import pytest

from clawgit.capture.transcripts.openclaw_lines import (
    Chat,
    Listed,
    chat_of,
    is_automatic,
    is_group,
    listed_session,
)

TEAM = Chat("telegram", "-1001", direct=False)


@pytest.mark.parametrize(
    ("key", "chat", "group", "automatic"),
    [
        ("agent:main:main", None, False, False),
        ("agent:main:telegram:group:-1001", TEAM, True, False),
        ("agent:main:telegram:group:-1001:topic:7", TEAM, True, False),
        ("agent:main:telegram:work:group:-1001", TEAM, True, False),
        ("agent:main:slack:channel:C1", Chat("slack", "C1", direct=False), True, False),
        ("agent:main:telegram:direct:4242", Chat("telegram", "4242", direct=True), False, False),
        ("agent:main:telegram:work:dm:4242", Chat("telegram", "4242", direct=True), False, False),
        ("agent:main:direct:4242", None, False, False),
        ("agent:main:matrix:channel:!team:host", Chat("matrix", "!team:host", direct=False), True, False),
        ("agent:main:irc:group:cron", Chat("irc", "cron", direct=False), True, False),
        ("agent:group:main", None, False, False),
        ("agent:main:subagent:7c1d", None, False, True),
        ("agent:main:cron:9f1:run:2", None, False, True),
        ("agent:main:main:heartbeat", None, False, True),
        ("agent:main:internal-session-effects:memory", None, False, True),
        ("", None, False, False),
    ],
)
def test_a_key(key, chat, group, automatic) -> None:
    assert (chat_of([key]), is_group([key]), is_automatic([key])) == (chat, group, automatic)


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        pytest.param(None, Listed(), id="no file"),
        pytest.param("{", Listed(missing=True), id="damaged"),
        pytest.param("[]", Listed(missing=True), id="no list of sessions"),
        pytest.param(json.dumps({"k": {"sessionId": "other"}}), Listed(missing=True), id="of others"),
        pytest.param(json.dumps({"k": {"sessionId": "s1"}}), Listed(("k",)), id="there"),
        pytest.param(
            json.dumps({"k": {"sessionId": "s2", "usageFamilySessionIds": ["s1"], "chatType": "group"}}),
            Listed(("k",), group=True),
            id="went on as another",
        ),
    ],
)
def test_what_is_beside_the_transcripts(tmp_path, text, listed) -> None:
    if text is not None:
        (tmp_path / "sessions.json").write_text(text)
    assert listed_session(tmp_path, "s1") == listed
