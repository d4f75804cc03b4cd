"""The user's workspaces by name, and the memory that they share and only its orchestrator writes."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError, ConfigurationError
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.workspace.user.user_file import (
    UserFileError,
    changing_user_file,
    read_user_file,
    write_user_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION = 1
_NAME = lazy_pattern(r"[a-z0-9][a-z0-9._-]{0,63}")


class RegistryError(ClawgitError):
    """A name or a folder does not fit the registry."""


class NotTheOrchestratorError(ClawgitError):
    """Only the orchestrator writes to the shared memory."""


class Registered(NamedTuple):
    """A workspace by name; ``orchestrator`` is set for the shared one: the name of its only writer."""

    name: str
    root: Path
    orchestrator: str = ""

    @property
    def is_shared(self) -> bool:
        return bool(self.orchestrator)


class Registry(NamedTuple):
    """All workspaces by name; ``problem`` is the reason why an existing file is not used."""

    workspaces: Mapping[str, Registered] = {}
    problem: str = ""

    def at(self, root: Path) -> Registered | None:
        place = Path(os.path.realpath(root))
        return next((each for each in self.workspaces.values() if each.root == place), None)

    @property
    def shared(self) -> Registered | None:
        return next((each for each in self.workspaces.values() if each.is_shared), None)

    @property
    def gone(self) -> list[Registered]:
        return [each for each in self.workspaces.values() if not each.root.exists()]

    def named(self, name: str) -> Registered:
        if self.problem:
            raise RegistryError(self.problem)
        if name not in self.workspaces:
            names = ", ".join(sorted(self.workspaces)) or "none"
            raise RegistryError(f"No workspace is registered as {name!r} (known: {names}).", hint=_ADD)
        return self.workspaces[name]


_MEND = "Mend it, or remove it and register each again: `clawgit workspaces add NAME PATH`."
_ADD = "`clawgit workspaces add NAME PATH` registers one."


def registry_file(config_dir: Path) -> Path:
    return config_dir / "workspaces.json"


def read_registry(path: Path) -> Registry:
    """Read the registry; a missing one is empty, and bad content never raises."""
    workspaces = {}
    problem = ""
    try:
        data = read_user_file(path)
        if data is None:
            data = {"version": VERSION, "workspaces": {}}
        for name, about in data["workspaces"].items():
            orchestrator = str(about.get("orchestrator", ""))
            workspaces[str(name)] = Registered(str(name), Path(about["path"]), orchestrator)
        if data["version"] != VERSION:
            problem = "is damaged"
    except UserFileError as error:
        problem = str(error)
    except (ValueError, TypeError, KeyError, AttributeError):
        problem = "is damaged"
    if problem:
        return Registry(problem=f"{path} {problem}, so no other workspace is known. {_MEND}")
    return Registry(workspaces)


def refuse_all_but_orchestrator(path: Path, root: Path) -> None:
    """Refuse a host's or agent's write while it works in the shared memory itself."""
    here = read_registry(path).at(root)
    if here is not None and here.is_shared:
        raise only_the_orchestrator(here, f"In {here.orchestrator}: `clawgit memory add --shared TEXT`.")


def only_the_orchestrator(shared: Registered, way_out: str) -> NotTheOrchestratorError:
    text = f"Only {shared.orchestrator} writes to the shared memory {shared.name}."
    return NotTheOrchestratorError(text, hint=way_out)


def register(path: Path, name: str, root: Path, *, orchestrator: str = "") -> Registered:
    """Register the workspace at ``root``; with ``orchestrator`` as the memory that all share."""
    if not _NAME.fullmatch(name):
        hint = "Take lower-case letters, digits, '.', '_' and '-'."
        raise RegistryError(f"{name!r} is no name for a workspace.", hint=hint)
    new = Registered(name, Path(os.path.realpath(root)), orchestrator)
    with _changing(path) as registry:
        at = registry.at(new.root)
        if at is not None and at.name != new.name:
            raise RegistryError(f"{new.root} is registered as {at.name}.", hint="Remove that name first.")
        older = registry.workspaces.get(new.name)
        if older is not None and older != new:
            raise RegistryError(f"{new.name} is {older.root} already.", hint="Remove that name first.")
        shared = registry.shared
        if new.is_shared and shared is not None and shared != older:
            raise RegistryError(f"{shared.name} is shared already.", hint="There is one shared memory.")
        if new.is_shared and (new.orchestrator == new.name or new.orchestrator not in registry.workspaces):
            text = f"{new.orchestrator!r} is no workspace that could be its orchestrator."
            raise RegistryError(text, hint=_ADD)
        write_user_file(path, _plain({**registry.workspaces, name: new}))
    return new


def unregister(path: Path, name: str) -> Registered:
    """Unregister a workspace; its folder stays as it is."""
    with _changing(path) as registry:
        gone = registry.named(name)
        shared = registry.shared
        if shared is not None and shared.orchestrator == name:
            hint = f"`clawgit workspaces remove {shared.name}` first."
            raise RegistryError(f"{name} is the orchestrator of the shared memory {shared.name}.", hint=hint)
        left = {each: about for each, about in registry.workspaces.items() if each != name}
        write_user_file(path, _plain(left))
    return gone


@contextmanager
def _changing(path: Path) -> Iterator[Registry]:
    with changing_user_file(path):
        registry = read_registry(path)
        if registry.problem:
            raise ConfigurationError(registry.problem, hint=f"Remove {path} first.")
        yield registry


def _plain(workspaces: Mapping[str, Registered]) -> dict[str, object]:
    plain = {}
    for name, each in workspaces.items():
        plain[name] = {"path": str(each.root)}
        if each.is_shared:
            plain[name]["orchestrator"] = each.orchestrator
    return {"version": VERSION, "workspaces": plain}
