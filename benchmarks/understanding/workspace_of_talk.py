"""A workspace with a memory, and a talk brought into it: everything through the command line, as its users do."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import sys
import tempfile
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import clawgit
from clawgit.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

SIGNS = ("OPENCLAW_SHELL", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")
OPERATOR, AGENT = "op-1", "agent"


def import_everything() -> None:
    """Import the program once, so that no command has to."""
    for module in pkgutil.walk_packages(clawgit.__path__, "clawgit."):
        if module.name != "clawgit.__main__":
            with suppress(ImportError):  # of an extra that is not installed
                importlib.import_module(module.name)


def forked(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], told: str
) -> tuple[int, str, str]:
    """Run the command line in a process of its own that need not import it; return its status and what it wrote."""
    with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        read.write(told.encode())
        read.seek(0)
        pid = os.fork()
        if pid == 0:
            status = 3
            try:
                for number, file in enumerate((read, out, err)):
                    os.dup2(file.fileno(), number)
                sys.stdin, sys.stdout, sys.stderr = (open(at, mode) for at, mode in enumerate("rww"))  # noqa: SIM115, PTH123
                os.chdir(folder)
                os.environ.clear()
                os.environ.update(environment)
                sys.argv = ["clawgit", *words]
                status = main()
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)
        _, ended = os.waitpid(pid, 0)
        out.seek(0)
        err.seek(0)
        return os.waitstatus_to_exitcode(ended), out.read().decode(), err.read().decode()


class TalkWorkspace:
    """One workspace in a folder of its own, with the home that its settings live in."""

    def __init__(self, folder: Path, memory: Sequence[str], at: datetime, settings: str = "") -> None:
        self.root, self._home = folder / "workspace", folder / "home"
        self._now = at - timedelta(days=3)
        self._home.mkdir(parents=True)
        self.root.mkdir()
        lines = "".join(f"- {each}\n" for each in memory)
        (self.root / "MEMORY.md").write_text(f"# MEMORY\n\n{lines}", encoding="utf-8")
        config = f"operator_ids: [{OPERATOR}]\n{settings}"
        (self.root / "CONFIG.md").write_text(f"# CONFIG\n\n```yaml\n{config}```\n", encoding="utf-8")
        self.run("init", "--trust", "operator")
        self._now = at

    def run(self, *arguments: str, told: str = "", host: bool = False) -> Any:
        """Run one command as the operator, or as the host; return its answer, read as JSON where it is."""
        code, out, err = forked(arguments, self.root, self._environment(host), told)
        if code:
            return {"failed": code, "stderr": err.strip()}
        try:
            return json.loads(out)
        except ValueError:
            return out

    def say(self, talk: Sequence[Mapping[str, str]], since: int = 0) -> list[dict[str, Any]]:
        """Capture a talk, a minute a turn, the first of them turn ``since``; return what was answered to each message."""
        start = self._now
        lines = [
            {
                "id": str(since + number),
                "at": (start + timedelta(minutes=number)).isoformat(),
                "role": each["role"],
                "text": each["text"],
                "sender": OPERATOR if each["role"] == "user" else AGENT,
            }
            for number, each in enumerate(talk)
        ]
        told = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        self._now += timedelta(minutes=len(talk))
        answer = self.run("chat", "add", "--jsonl", told=told)
        return [json.loads(line) for line in answer.splitlines()] if isinstance(answer, str) else [answer]

    def rows(self) -> list[dict[str, Any]]:
        """Return what `memory list` says of each entry."""
        return list(self.run("memory", "list", "--limit", "1000", "--json"))

    def ledger(self) -> str:
        """Return what CORRECTIONS.md says."""
        path = self.root / "CORRECTIONS.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def _environment(self, host: bool) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k not in SIGNS and not k.startswith("CLAWGIT_")}
        sign = {"OPENCLAW_SHELL": "1"} if host else {}
        return {
            **kept,
            **sign,
            "HOME": str(self._home),
            "XDG_CONFIG_HOME": str(self._home / ".config"),
            "CLAWGIT_NOW": self._now.isoformat(),
        }
