"""OpenClaw on this machine: its program, its version, and its settings, which are changed through OpenClaw itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.agents.models.answering_models import MODEL_DOOR
from clawgit.clients.connect import HostFileChange, read_host_file
from clawgit.clients.host_files import ITEM, KEY, FilePlan, HostFileError, Put, put_in
from clawgit.text.strict_json import dict_of, list_of, part_of
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.user.openclaw_ledger import openclaw_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLUGIN: Final = "clawgit-memory"
CORE: Final = "memory-core"
JOB: Final = "memory-core:memory-dreaming-promotion"
CORE_ENABLED: Final = ("plugins", "entries", CORE, "enabled")
DREAMING: Final = ("plugins", "entries", CORE, "config", "dreaming", "enabled")
OLDEST: Final = (2026, 5, 27)
NAMES_NO_ACTOR: Final = (2026, 7)  # before it, a plugin cannot say who runs a command
_MAIN: Final = "main"
SECONDS: Final = 120
JOB_SECONDS: Final = 15.0


def settings_plan(
    host: OpenClaw,
    config: Mapping[str, Any],
    memories: Sequence[Mapping[str, Any]],
    plugin: Path,
    socket: str,
) -> FilePlan:
    """Return the plan for openclaw.json.

    ``plugin`` is its folder; each of ``memories`` has the plugin's settings for one workspace.
    """
    entry = ("plugins", "entries", PLUGIN)
    first, *others = memories
    own = {"socket": socket, MODEL_DOOR: str(host.state / "clawgit" / "model.sock"), **first}
    if others:
        own["others"] = others
    puts = [
        Put(KEY, CORE_ENABLED, False),
        Put(ITEM, ("plugins", "load", "paths"), str(plugin)),
        Put(KEY, (*entry, "enabled"), True),
        Put(KEY, (*entry, "hooks", "allowConversationAccess"), True),
        Put(KEY, (*entry, "hooks", "timeouts", "before_prompt_build"), 2000),
        Put(KEY, (*entry, "config"), own),
        Put(KEY, ("plugins", "slots", "memory"), PLUGIN),
    ]
    if part_of(config, "plugins").get("allow"):
        puts.append(Put(ITEM, ("plugins", "allow"), PLUGIN))
    version = version_of(host.version)
    if version and version < NAMES_NO_ACTOR:
        puts.append(Put(KEY, ("env", "vars", "CLAWGIT_ACTOR"), "host"))
    return FilePlan(host.config, "json", tuple(puts))


def workspaces_of(config: Mapping[str, Any], state: Path) -> dict[str, Path]:
    """Return each agent's workspace, the default agent's first; an agent without one has one beside or in the default's."""
    agents = part_of(config, "agents")
    keyed = part_of(agents, "entries")
    listed = {str(each.get("id")): each for each in agents.get("list") or () if isinstance(each, dict)}
    entries: dict[str, Any] = keyed or listed or {_MAIN: {}}
    alone = next(iter(entries)) if len(entries) == 1 or not keyed else ""
    default = next((name for name, each in entries.items() if part_at(each, ("default",)) is True), alone)
    usual = part_of(agents, "defaults").get("workspace")
    folders = {}
    for name in sorted(entries, key=lambda name: name != default):
        folder = part_at(entries[name], ("workspace",))
        if not folder and name == default:
            folder = usual or state / "workspace"
        elif not folder:
            folder = f"{usual}/{name}" if usual else state / f"workspace-{name}"
        folders[name] = Path(with_home(str(folder))).resolve()
    return folders


def owners_of(config: Mapping[str, Any]) -> list[str]:
    listed = list_of(part_of(config, "commands").get("ownerAllowFrom"))
    return [str(each) for each in listed if str(each) != "*"]


def merge_patch(old: Any, new: Any) -> dict[str, Any]:
    """Return the patch from ``old`` to ``new`` for `openclaw config patch`: null removes a key."""
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        if name not in old:
            patch[name] = value
        elif isinstance(value, dict) and isinstance(old[name], dict):
            below = merge_patch(old[name], value)
            if below:
                patch[name] = below
        elif value != old[name]:
            patch[name] = value
    return patch


def without_plugin(text: str) -> str:
    """Return settings without our plugin's entry, also if somebody added to it: it has no effect without the plugin."""
    settings = json.loads(text)
    entries = part_at(settings, ("plugins", "entries"))
    if not isinstance(entries, dict) or entries.pop(PLUGIN, None) is None:
        return text
    return json.dumps(settings, ensure_ascii=False, indent=2) + "\n"


def holds(settings: Any, patch: Mapping[str, Any]) -> bool:
    """Say whether the settings have the values of a patch; other settings do not matter."""
    if not isinstance(settings, dict):
        return False
    for name, value in patch.items():
        there = settings.get(name)
        is_so = holds(there, value) if isinstance(value, dict) else there == value
        if not is_so or (value is None and name in settings):
            return False
    return True


def version_of(words: str) -> tuple[int, ...]:
    parts = words.partition("-")[0].split(".")
    if all(map(str.isdecimal, parts)):
        return tuple(map(int, parts))
    return ()


def part_at(config: Mapping[str, Any], place: Sequence[str]) -> Any:
    value: Any = config
    for name in place:
        value = dict_of(value).get(name)
    return value


class OpenClaw(NamedTuple):
    """The program and its folder of state; ``version`` is empty if unknown."""

    program: str
    version: str
    state: Path
    config: str
    environment: Mapping[str, str]

    def run(self, *words: str, given: str = "", seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
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
        text = read_host_file(self.config)
        try:
            settings = json.loads(text) if text is not None else None
        except (ValueError, RecursionError) as error:
            raise HostFileError(
                f"{self.config} is no plain JSON ({error}). Nothing was changed.",
                hint="`openclaw config set gateway.mode local` has OpenClaw write it so; comments go.",
            ) from error
        if not isinstance(settings, dict):
            hint = "Run `openclaw onboard`."
            raise HostFileError(f"OpenClaw is not set up here: there is no {self.config}.", hint=hint)
        return settings

    def write(self, change: HostFileChange) -> None:
        """Change its settings through itself, in one validated write; its nightly job ends before its own memory does."""
        old = json.loads(change.old or "{}")
        new = json.loads(change.new or "{}")
        if part_at(new, CORE_ENABLED) is False and part_at(old, CORE_ENABLED) is not False:
            old = self._end_dreaming(old)
        patch = merge_patch(old, new)
        try:
            self._patch(patch)
        except HostFileError:
            with suppress(HostFileError):
                self._patch(merge_patch(old, json.loads(change.old or "{}")))
            raise
        if not holds(self.settings(), patch):
            raise HostFileError("OpenClaw did not take all of the settings.", hint=f"Look at {self.config}.")

    def _end_dreaming(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Have memory-core remove its own job, if a Gateway runs; return the settings after that.

        The setting is for that moment only: OpenClaw warns at each command of a disabled plugin's settings.
        """
        put = FilePlan(self.config, "json", (Put(KEY, DREAMING, False),))
        without = dict_of(json.loads(put_in(json.dumps(settings), put)[0]))
        self._patch(merge_patch(settings, without))
        until = time.monotonic() + JOB_SECONDS
        while self.has_dreaming_job() and time.monotonic() < until:
            time.sleep(1)
        return without

    def has_dreaming_job(self) -> bool | None:
        """Say whether its memory's nightly job still exists; None if no Gateway answers."""
        done = self.run("cron", "list", "--all", "--json", seconds=30)
        if done.returncode == 0:
            return JOB in done.stdout
        return None

    def _patch(self, patch: dict[str, Any]) -> None:
        if not patch:
            return
        done = self.run("config", "patch", "--stdin", given=json.dumps(patch))
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip())[-600:]
            hint = "`clawgit disconnect openclaw` puts back what was changed."
            raise HostFileError(f"OpenClaw refused the settings: {words}", hint=hint)


def find_openclaw(environment: Mapping[str, str], home: Path) -> OpenClaw:
    program = shutil.which("openclaw", path=environment.get("PATH"))
    if program is None:
        raise HostFileError(
            "OpenClaw is not installed: there is no program `openclaw` in your PATH. Nothing was changed.",
            hint="Where it is, `connect openclaw` puts a plugin in the place of its own memory (`openclaw config`), ends its"
            " nightly rewriting, makes the workspace of its first agent clawgit's, with git hooks, starts the service and"
            " restarts the Gateway. `clawgit disconnect openclaw` puts back what was there.",
        )
    version = ""  # in its package.json, which is faster than starting the program
    for folder in Path(os.path.realpath(program)).parents[:2]:
        with suppress(OSError, ValueError), open_regular(folder / "package.json") as file:
            package = dict_of(json.load(file))
            if not version and package.get("name") == "openclaw":
                version = str(package.get("version", ""))
    numbers = version_of(version)
    if numbers and numbers < OLDEST:
        hint = "Its plugins can do what is needed since 2026.5.27."
        raise HostFileError(f"OpenClaw {version} is too old.", hint=hint)
    state = openclaw_state(environment, home)
    config = environment.get("OPENCLAW_CONFIG_PATH") or str(state / "openclaw.json")
    return OpenClaw(program, version, state, config, environment)


def job_left(environment: Mapping[str, str], home: Path) -> list[tuple[str, str]]:
    """Return a problem with OpenClaw's jobs and the way out; empty if no Gateway answers."""
    with suppress(HostFileError):
        if find_openclaw(environment, home).has_dreaming_job():
            way_out = "`openclaw cron list --all` shows its id, `openclaw cron rm ID` removes it."
            return [(f"OpenClaw's nightly rewriting of memory ({JOB}) is still among its jobs.", way_out)]
    return []
