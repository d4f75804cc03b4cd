"""Which of OpenClaw's settings make this its memory: of a given configuration, as something to put in. Pure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.agents.models.answering_models import MODEL_DOOR
from clawgit.clients.host_files import ITEM, KEY, FilePlan, HostFileError, Put
from clawgit.workspace.find_workspace import with_home

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PLUGIN: Final = "clawgit-memory"
CORE: Final = "memory-core"
JOB: Final = "memory-core:memory-dreaming-promotion"
DREAMING: Final = ("plugins", "entries", CORE, "config", "dreaming", "enabled")
OLDEST: Final = (2026, 5, 27)
NAMES_NO_ACTOR: Final = (2026, 7)  # before it, a plugin cannot say who runs a command
_MAIN: Final = "main"


class PluginPlaces(NamedTuple):
    """Where the plugin is, and the files by which it reaches the service."""

    folder: str
    socket: str
    model: str


class AgentMemory(NamedTuple):
    """One workspace with its agents, the token by which the plugin speaks for it, and where that leaves what nobody takes."""

    workspace: Path
    agents: Sequence[str]
    token: str
    spool: str

    @property
    def as_setting(self) -> dict[str, Any]:
        """Return it as the plugin's settings have it."""
        own = {"workspace": str(self.workspace), "agents": list(self.agents)}
        return own | {"tokenFile": self.token, "spool": self.spool}


def settings_plan(
    file: str,
    config: Mapping[str, Any],
    memories: Sequence[AgentMemory],
    places: PluginPlaces,
    version: tuple[int, ...],
) -> FilePlan:
    """Return what is put into openclaw.json; dreaming comes first, for memory-core takes its job away itself."""
    entry = ("plugins", "entries", PLUGIN)
    first, *others = [each.as_setting for each in memories]
    own = {"socket": places.socket, MODEL_DOOR: places.model, **first}
    own |= {"others": others} if others else {}
    puts = [
        Put(KEY, DREAMING, False),
        Put(KEY, ("plugins", "entries", CORE, "enabled"), False),
        Put(ITEM, ("plugins", "load", "paths"), places.folder),
        Put(KEY, (*entry, "enabled"), True),
        Put(KEY, (*entry, "hooks", "allowConversationAccess"), True),
        Put(KEY, (*entry, "hooks", "timeouts", "before_prompt_build"), 2000),
        Put(KEY, (*entry, "config"), own),
        Put(KEY, ("plugins", "slots", "memory"), PLUGIN),
    ]
    if _part(config, "plugins").get("allow"):
        puts.append(Put(ITEM, ("plugins", "allow"), PLUGIN))
    if version and version < NAMES_NO_ACTOR:
        puts.append(Put(KEY, ("env", "vars", "CLAWGIT_ACTOR"), "host"))
    return FilePlan(file, "json", tuple(puts))


def workspaces_of(config: Mapping[str, Any], state: Path) -> dict[str, Path]:
    """Return each agent's workspace, the default agent's first; one that names none has one beside or in the default one."""
    agents = _part(config, "agents")
    keyed = _part(agents, "entries")
    listed = {str(each.get("id")): each for each in agents.get("list") or () if isinstance(each, dict)}
    entries: dict[str, Any] = keyed or listed or {_MAIN: {}}
    alone = next(iter(entries)) if len(entries) == 1 or not keyed else ""
    default = next((name for name, each in entries.items() if _is_default(each)), alone)
    usual = _part(agents, "defaults").get("workspace")
    folders = {}
    for name in sorted(entries, key=lambda name: name != default):
        own = entries[name].get("workspace") if isinstance(entries[name], dict) else None
        bare = str(usual or state / "workspace")
        other = f"{usual}/{name}" if usual else str(state / f"workspace-{name}")
        folders[name] = str(own or (bare if name == default else other))
    return {name: Path(with_home(folder)).resolve() for name, folder in folders.items()}


def owners_of(config: Mapping[str, Any]) -> list[str]:
    """Return whom OpenClaw takes for its owner, as `channel:sender`."""
    listed = _part(config, "commands").get("ownerAllowFrom")
    return [str(each) for each in listed if str(each) != "*"] if isinstance(listed, list) else []


def read_config(text: str | None, file: str) -> dict[str, Any]:
    """Return OpenClaw's settings."""
    try:
        settings = json.loads(text) if text is not None else None
    except (ValueError, RecursionError) as error:
        raise HostFileError(
            f"{file} is no plain JSON ({error}). Nothing was changed.",
            hint="`openclaw config set gateway.mode local` has OpenClaw write it so; comments go.",
        ) from error
    if not isinstance(settings, dict):
        raise HostFileError(
            f"OpenClaw is not set up here: there is no {file}.", hint="Run `openclaw onboard`."
        )
    return settings


def merge_patch(old: Any, new: Any) -> dict[str, Any]:
    """Return what makes ``new`` of ``old``, as `openclaw config patch` takes it: null takes a key away."""
    patch: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        if name not in old:
            patch[name] = value
        elif isinstance(value, dict) and isinstance(old[name], dict):
            below = merge_patch(old[name], value)
            patch |= {name: below} if below else {}
        elif value != old[name]:
            patch[name] = value
    return patch


def without_plugin(text: str) -> str:
    """Return settings without what somebody added to our plugin's entry: without the plugin it says nothing."""
    settings = json.loads(text)
    entries = part_at(settings, ("plugins", "entries"))
    if not isinstance(entries, dict) or entries.pop(PLUGIN, None) is None:
        return text
    return json.dumps(settings, ensure_ascii=False, indent=2) + "\n"


def holds(settings: Any, patch: Mapping[str, Any]) -> bool:
    """Say whether settings are as a patch makes them; what else is there may be anything."""
    if not isinstance(settings, dict):
        return False
    for name, value in patch.items():
        if value is None:
            is_so = name not in settings
        elif isinstance(value, dict):
            is_so = holds(settings.get(name), value)
        else:
            is_so = settings.get(name) == value
        if not is_so:
            return False
    return True


def version_of(words: str) -> tuple[int, ...]:
    """Return a version as numbers, empty if it is none."""
    parts = words.partition("-")[0].split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()


def part_at(config: Mapping[str, Any], place: Sequence[str]) -> Any:
    """Return the value at a place of the settings, None where there is none."""
    value: Any = config
    for name in place:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _part(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    part = config.get(name)
    return part if isinstance(part, dict) else {}


def _is_default(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("default") is True
