"""The session hooks of Claude Code and Codex: their payloads as the hosts send them, and the hook as the hosts run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.clients import session_hook
from clawgit.workspace.user.connections import Connection, connections_folder, read_token, write_connection
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from pathlib import Path

SESSION, TURN = "d75c8211-320b-455a-ad02-af5fbba81faa", "636bfb4f-76cd-4f6a-8ae1-97d938648d3c"
ATTENDED = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDECODE": "1"}
BY_A_PROGRAM = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDECODE": "1"}


def payload(event: str, **more: object) -> dict[str, object]:
    said = {"session_id": SESSION, "transcript_path": f"/x/{SESSION}.jsonl", "cwd": "/home/ada/shop"}
    return {**said, "hook_event_name": event, "permission_mode": "default", **more}


def prompt(text: str, turn: str = TURN, **more: object) -> dict[str, object]:
    return payload("UserPromptSubmit", prompt=text, prompt_id=turn, **more)


def answer(text: str, turn: str = TURN) -> dict[str, object]:
    return payload("Stop", last_assistant_message=text, stop_hook_active=False, prompt_id=turn)


def connect_hosts(room, own_home: Path) -> Path:
    """Connect both hosts to the workspace, and return the folder of the connections."""
    folder = connections_folder(user_config_dir(os.environ, own_home))
    for host in ("claude-code", "codex"):
        write_connection(folder, Connection(host, host, room.root))
    return folder


def hook(said: dict[str, object], host: str = "claude-code", **signs: str) -> str:
    """Run the hook as the host does, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", session_hook.__file__, host, str(said["hook_event_name"])],
        capture_output=True,
        check=True,
        env={"HOME": os.environ["HOME"], "CLAWGIT_HOOK_SECONDS": "60", **signs},
        input=json.dumps(said, indent=1),
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


def told(running, folder: Path, said: dict[str, object], host: str = "claude-code", **signs: str):
    """Return what the service answers to an event, without a process for it."""
    return _asked(running, folder, "host.event", said, host, signs)


def began(
    running, folder: Path, said: dict[str, object], host: str = "claude-code", until: float | None = None
):
    """Return what the service answers to a session's start, without a process for it."""
    return _asked(running, folder, "host.begin", said, host, {}, until)


def _asked(
    running,
    folder: Path,
    method: str,
    said: dict[str, object],
    host: str,
    signs: dict[str, str],
    until: float | None = None,
):
    at, token = datetime.now(UTC).timestamp(), read_token(folder, host)
    params = {"token": token, "said": said, "signs": signs, "at": at, "until": until}
    return running.client().ask(method, **params)["result"]
