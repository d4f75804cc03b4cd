"""OpenClaw as its operator has it: a home, a workspace of clawgit's, a service, and a Gateway that can be talked to."""

from __future__ import annotations

import json
import os
import select
import shlex
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from clawgit_command import Said
from installed_clients import CLIENTS, HERE
from running_service import HANGS, Client, until

from clawgit.service.daemon import REQUESTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NEWEST = "2026.9.6"
OLDER = ("2026.7.35", "2026.5.28")
NODE = CLIENTS / "node" / "node_modules" / "node" / "bin" / "node"
ALONE = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
OWNER, STRANGER, GROUP = 4242, 777, -1001
GATEWAY_SECONDS = 700  # OpenClaw takes so long to start where others work
# a turn's edits wait for its end, as they do elsewhere
SERVICE = "from running_service import QUICK, serve; serve(QUICK._replace(quiet=60.0), {!r}, None)"
MODELS = {
    "baseUrl": "http://127.0.0.1:18999/v1",
    "apiKey": "sk-fake",
    "api": "openai-completions",
    "models": [
        {
            "id": "echo",
            "name": "echo",
            "reasoning": False,
            "input": ["text"],
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
            "contextWindow": 64000,
            "maxTokens": 2048,
        }
    ],
}
TELEGRAM = {
    "enabled": True,
    "botToken": f"123456:{'F' * 35}",
    "apiRoot": "http://127.0.0.1:18998",
    "dmPolicy": "open",
    "allowFrom": ["*"],
    "groupPolicy": "open",
    "groups": {"*": {"requireMention": False}},
    # an answer names its message, and nothing is shown before it: sub-agents and jobs send something, too
    "replyToMode": "all",
    "streaming": {"mode": "off"},
}


def folder_of(version: str) -> Path:
    """Return where npm installed a version."""
    name = "openclaw" if version == NEWEST else f"openclaw-{version}"
    return CLIENTS / name / "node_modules" / "openclaw"


def installed_versions() -> list[str]:
    """Return the newest version, and the older ones that `make clients` has installed."""
    return [NEWEST, *(each for each in OLDER if folder_of(each).exists())]


def is_listening(path: Path) -> bool:
    """Say whether a service answers there; one that was killed leaves its socket."""
    try:
        Client(path).close()
    except OSError:
        return False
    return True


@dataclass
class OpenClawHost:
    """One installation and all that is beside it, below ``place``."""

    version: str
    place: Path
    service: subprocess.Popen[bytes] | None = None
    gateway: subprocess.Popen[str] | None = None

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def workspace(self) -> Path:
        return self.place / "workspace"

    @property
    def config(self) -> Path:
        return self.home / ".openclaw" / "openclaw.json"

    @property
    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.config.read_text())
        return found

    @property
    def spool(self) -> Path:
        return self.home / ".openclaw" / "clawgit" / "spool.jsonl"

    @property
    def waiting(self) -> str:
        """What waits for the service; empty, too, while the plugin hands it over."""
        try:
            return self.spool.read_text()
        except FileNotFoundError:
            return ""

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.place / "bin"), os.environ["PATH"]])
        own = {"HOME": str(self.home), "PATH": path, "OPENCLAW_DISABLE_BONJOUR": "1"}
        own["CLAWGIT_HOOK_SECONDS"] = "12"  # the machine may be busy
        return own | {name: os.environ[name] for name in ("PYTHONPATH", "LANG") if name in os.environ}

    def set_up(self) -> None:
        """Make the home, OpenClaw's settings, and its program."""
        (self.home / ".openclaw").mkdir(parents=True)
        agents = {
            "workspace": str(self.workspace),
            "model": {"primary": "fake/echo"},
            "heartbeat": {"every": "24h"},
        }
        gateway = {
            "mode": "local",
            "port": 18790,
            "bind": "loopback",
            "auth": {"mode": "token", "token": "t0k"},
        }
        settings = {
            "gateway": gateway,
            "models": {"mode": "merge", "providers": {"fake": MODELS}},
            "agents": {"defaults": agents},
            "channels": {"telegram": TELEGRAM},
            "commands": {"ownerAllowFrom": [f"telegram:{OWNER}"]},
            "messages": {
                "queue": {"mode": "followup"}
            },  # each message has a turn, also where the one before still runs
        }
        self.config.write_text(json.dumps(settings))
        folder = self.place / "bin"
        folder.mkdir()
        (folder / "package.json").write_text(json.dumps({"name": "openclaw", "version": self.version}))
        words = [*ALONE, str(NODE), str(folder_of(self.version) / "openclaw.mjs")]
        (folder / "openclaw").write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        (folder / "openclaw").chmod(0o755)

    def make_workspace(self) -> None:
        """Have OpenClaw make its agent's workspace, with the form of the first conversation."""
        words = ["setup"] if self.version == OLDER[-1] else ["setup", "--baseline"]
        subprocess.run(
            [str(self.place / "bin" / "openclaw"), *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GATEWAY_SECONDS,
            check=True,
        )

    def wait_longer(self) -> None:
        """Let a turn wait longer for memory than it would: the machine may be busy."""
        settings = self.settings
        settings["plugins"]["entries"]["clawgit-memory"]["config"]["timeoutMs"] = 12_000
        settings["plugins"]["entries"]["clawgit-memory"]["hooks"]["timeouts"]["before_prompt_build"] = 14_000
        self.config.write_text(json.dumps(settings))

    def clawgit(self, *words: str) -> Said:
        """Run a command in the workspace, as the operator at his terminal; `connect` starts no service."""
        if words[:2] == ("connect", "openclaw") and "--no-plugin" not in words:
            words = (*words, "--no-start")
        done = subprocess.run(
            [sys.executable, "-m", "clawgit", "-w", str(self.workspace), *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=GATEWAY_SECONDS,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def start_service(self) -> None:
        """Start clawgit's service for this home."""
        where = str(self.place / "service.out")
        tools = os.pathsep.join([str(HERE.parent / "tools"), os.environ.get("PYTHONPATH", "")])
        words = [sys.executable, "-c", SERVICE.format(where)]
        self.service = service = subprocess.Popen(words, env=self.environment | {"PYTHONPATH": tools})
        state = self.home / ".local" / "state" / "clawgit"
        until(lambda: service.poll() is not None or is_listening(state / REQUESTS))
        assert service.poll() is None

    def kill_service(self) -> None:
        assert self.service is not None
        self.service.kill()
        self.service.wait(HANGS)
        self.service = None

    def start_gateway(self) -> None:
        told = {
            "node": str(NODE),
            "program": str(folder_of(self.version) / "openclaw.mjs"),
            "asked": str(self.place / "asked.jsonl"),
            "log": str(self.place / "gateway.log"),
        }
        (self.place / "asked.jsonl").touch()
        self.gateway = subprocess.Popen(
            [*ALONE, sys.executable, str(HERE / "openclaw_alone.py"), json.dumps(told)],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._line() == "ready"

    def end_gateway(self) -> None:
        """End it as its supervisor does; what was said last is on its way then."""
        if self.gateway is not None:
            with suppress(BrokenPipeError), self.gateway as ending:  # one that did not start has ended
                try:
                    self._ask({"end": True})
                    ending.wait(60)
                finally:
                    ending.kill()
                    self.gateway = None

    def say(
        self, text: str, *, who: int = OWNER, chat: int = 0, more: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """Say something in Telegram, wait for its answer, and return that."""
        sent: list[dict[str, Any]] = self._step({"say": text, "who": who, "chat": chat, "more": more or {}})
        assert sent, f"Nobody answered {text!r}."
        return sent

    def say_only(self, text: str) -> None:
        """Say something in Telegram that may not be answered there."""
        self._step({"say": text, "who": OWNER, "unanswered": True})

    def run(self, *words: str) -> str:
        """Run OpenClaw's own program beside the Gateway, and return what it printed."""
        printed: str = self._step({"run": words})
        return printed

    def _step(self, step: dict[str, Any]) -> Any:
        self._ask(step)
        return self._line()

    def _ask(self, step: dict[str, Any]) -> None:
        assert self.gateway is not None
        assert self.gateway.stdin is not None
        self.gateway.stdin.write(json.dumps(step) + "\n")
        self.gateway.stdin.flush()

    def _line(self) -> Any:
        assert self.gateway is not None
        out: IO[str] | None = self.gateway.stdout
        assert out is not None
        is_there = select.select([out], [], [], GATEWAY_SECONDS)[0]
        line = out.readline() if is_there else ""
        assert line, (self.place / "gateway.log").read_text(errors="replace")[-3000:]
        return json.loads(line)

    def asked(self) -> list[dict[str, Any]]:
        """Return what the model was asked."""
        lines = (self.place / "asked.jsonl").read_text().splitlines()
        return [each for each in (json.loads(line)["asked"] for line in lines) if "messages" in each]

    def model_says(self, words: str, answer: str) -> None:
        """Have the model answer so where somebody asks it alone, with these words."""
        (self.place / "answers.json").write_text(json.dumps([[words, answer]]))

    def kept(self, words: str = "") -> list[tuple[str, str, str]]:
        """Return the captured messages that hold the words: whose, how far trusted, and the text."""
        every = self.clawgit("chat", "log", "-n", "200", "--json").data
        return [(each["role"], each["trust"], each["text"]) for each in every if words in each["text"]]

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.workspace), *words], capture_output=True, check=True, text=True
        )
        return done.stdout.strip()


@contextmanager
def openclaw_host(version: str, place: Path, *, is_fresh: bool = False) -> Iterator[OpenClawHost]:
    """Set a host up, in a workspace of clawgit's or of its own making, and end all that it started."""
    host = OpenClawHost(version, place)
    try:
        host.set_up()
        if is_fresh:
            host.make_workspace()
        else:
            assert host.clawgit("init", str(host.workspace)).code == 0
        yield host
    finally:
        if host.gateway is not None:
            host.end_gateway()
        if host.service is not None:
            host.kill_service()
