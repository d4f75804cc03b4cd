"""OpenClaw as it is installed here: its program, its version, and how its settings are changed through it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.clients.connect import FileChange, read_host_file
from clawgit.clients.host_files import HostFileError
from clawgit.clients.openclaw_settings import (
    DREAMING,
    JOB,
    OLDEST,
    holds,
    merge_patch,
    part_at,
    read_config,
    version_of,
)
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.user.openclaw_ledger import openclaw_state

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS: Final = 120
JOB_SECONDS: Final = 15.0


class OpenClaw(NamedTuple):
    """The program and its folder of state; ``version`` is empty where it cannot be told."""

    program: str
    version: str
    state: Path
    config: str
    environment: Mapping[str, str]

    def run(self, *words: str, given: str = "", seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
        """Run it; what it prints is returned."""
        try:
            return subprocess.run(
                [self.program, *words],
                input=given,
                env=dict(self.environment),
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HostFileError(f"{self.program} could not be run ({error}).") from error

    def settings(self) -> dict[str, Any]:
        """Return its settings as they are in its file now."""
        return read_config(read_host_file(self.config), self.config)

    def write(self, change: FileChange) -> None:
        """Change its settings through itself, in one validated write; dreaming first, and its job with it."""
        old = json.loads(change.old or "{}")
        new = json.loads(change.new or "{}")
        if part_at(new, DREAMING) is False and part_at(old, DREAMING) is not False:
            no_dreaming: Any = False
            for name in reversed(DREAMING):
                no_dreaming = {name: no_dreaming}
            self._patch(no_dreaming)
            self._wait_for_job()
        patch = merge_patch(old, new)
        self._patch(patch)
        if not holds(self.settings(), patch):
            raise HostFileError("OpenClaw did not take all of the settings.", hint=f"Look at {self.config}.")

    def has_dreaming_job(self) -> bool | None:
        """Say whether the job of its own memory is still among its jobs; None where no Gateway answers."""
        done = self.run("cron", "list", "--all", "--json", seconds=30)
        return JOB in done.stdout if done.returncode == 0 else None

    def _patch(self, patch: dict[str, Any]) -> None:
        if not patch:
            return
        done = self.run("config", "patch", "--stdin", given=json.dumps(patch))
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip())[-600:]
            raise HostFileError(
                f"OpenClaw refused the settings: {words}",
                hint="`clawgit disconnect openclaw` puts back what was changed.",
            )

    def _wait_for_job(self) -> None:
        """Wait until memory-core has taken its job away, as it does while it is there; without a Gateway nobody does."""
        until = time.monotonic() + JOB_SECONDS
        while self.has_dreaming_job() and time.monotonic() < until:
            time.sleep(1)


def find_openclaw(environment: Mapping[str, str], home: Path) -> OpenClaw:
    """Return OpenClaw as it is installed."""
    program = shutil.which("openclaw", path=environment.get("PATH"))
    if program is None:
        raise HostFileError(
            "There is no program `openclaw` in your PATH.",
            hint="Settings are changed through it: install it.",
        )
    version = _version(program)
    numbers = version_of(version)
    if numbers and numbers < OLDEST:
        raise HostFileError(
            f"OpenClaw {version} is too old.", hint="Its plugins can do what is needed since 2026.5.27."
        )
    state = openclaw_state(environment, home)
    config = environment.get("OPENCLAW_CONFIG_PATH") or str(state / "openclaw.json")
    return OpenClaw(program, version, state, config, environment)


def job_left(environment: Mapping[str, str], home: Path) -> list[tuple[str, str]]:
    """Return what is wrong with OpenClaw's jobs, with a way out; nothing where no Gateway answers."""
    with suppress(HostFileError):
        if find_openclaw(environment, home).has_dreaming_job():
            return [
                (
                    f"OpenClaw's nightly rewriting of memory ({JOB}) is still among its jobs.",
                    "`openclaw cron list --all` shows its id, `openclaw cron rm ID` removes it.",
                )
            ]
    return []


def _version(program: str) -> str:
    """Return the version that stands in its package, which takes no start of the program."""
    for folder in Path(os.path.realpath(program)).parents[:2]:
        try:
            with open_regular(folder / "package.json") as file:
                package = json.load(file)
        except (OSError, ValueError):
            continue
        if isinstance(package, dict) and package.get("name") == "openclaw":
            return str(package.get("version", ""))
    return ""
