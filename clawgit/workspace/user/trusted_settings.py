"""Settings and programs that the operator trusts, kept outside every workspace: a host can write CONFIG.md, but not this.

One file for all workspaces: workspace root → setting → hash of the value and, for a command, of each file that its
words name. The command becomes untrusted when such a file is changed, added or deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ConfigurationError
from clawgit.workspace.settings.setting_types import Value, argv_of
from clawgit.workspace.settings.settings import SETTINGS, Problem
from clawgit.workspace.user.user_file import (
    UserFileError,
    changing_user_file,
    read_user_file,
    write_user_file,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


VERSION = 1
KNOWN = "repositories.json"


class TrustedValue(NamedTuple):
    """A value's hash, and those of the files that its command names."""

    value: str
    files: Mapping[str, str] = {}


class TrustStore(NamedTuple):
    """Trusted values by workspace root and setting; a damaged store trusts nothing and has ``problems``."""

    workspaces: Mapping[str, Mapping[str, TrustedValue]] = {}
    problems: tuple[Problem, ...] = ()


def trust_file(config_dir: Path) -> Path:
    return config_dir / "trust.json"


def read_trust(path: Path) -> TrustStore:
    """Read the store at ``path``; a missing one is empty, and bad content never raises."""
    workspaces: dict[str, dict[str, TrustedValue]] = {}
    problem = ""
    try:
        data = read_user_file(path)
        if data is None:
            data = {"version": VERSION, "workspaces": {}}
        for root, entries in data["workspaces"].items():
            trusted = workspaces.setdefault(str(root), {})
            for key, entry in entries.items():
                files = {str(place): str(digest) for place, digest in entry["files"].items()}
                trusted[str(key)] = TrustedValue(str(entry["value"]), files)
        if data["version"] != VERSION:
            problem = "is damaged"
    except UserFileError as error:
        problem = str(error)
    except (ValueError, TypeError, KeyError, AttributeError):
        problem = "is damaged"
    if problem:
        problem = f"The trust store {problem}: nothing is trusted until it is removed and `clawgit trust` is given again."
        return TrustStore(problems=(Problem(str(path), 0, "", problem, "error"),))
    return TrustStore(workspaces)


def trust_value(path: Path, root: Path, key: str, value: Value) -> TrustedValue:
    """Trust ``value`` for ``key`` in the workspace at ``root``, replacing the earlier one."""
    from clawgit.workspace.settings.config_file import known_setting  # noqa: PLC0415 - loads YAML

    argv = argv_of(known_setting(key), value)
    if argv and not Path(_place(root, argv[0])).is_file():
        raise ConfigurationError(f"There is no program at {argv[0]}.", hint="Name it by its path.")
    trusted = TrustedValue(_hash_value(value), _files(root, argv))
    with _changing(path) as workspaces:
        workspaces.setdefault(_key(root), {})[key] = trusted
    return trusted


def revoke(path: Path, root: Path, key: str) -> bool:
    with _changing(path) as workspaces:
        gone = workspaces.get(_key(root), {}).pop(key, None)
        if not workspaces.get(_key(root), True):
            del workspaces[_key(root)]
    return gone is not None


def is_trusted(store: TrustStore, root: Path, key: str, value: Value) -> bool:
    """Say whether exactly ``value`` is trusted at ``root``, and the files that it names are unchanged."""
    trusted = store.workspaces.get(_key(root), {}).get(key)
    if trusted is None or trusted.value != _hash_value(value) or key not in SETTINGS:
        return False
    argv = argv_of(SETTINGS[key], value)
    return not argv or (_place(root, argv[0]) in trusted.files and trusted.files == _files(root, argv))


def _files(root: Path, argv: tuple[str, ...]) -> dict[str, str]:
    hashes = {}
    for place in {_place(root, word) for word in argv}:
        with suppress(OSError, ValueError):
            if Path(place).is_file():
                with Path(place).open("rb") as file:
                    hashes[place] = hashlib.file_digest(file, "sha256").hexdigest()
    return hashes


def _place(root: Path, word: str) -> str:
    return os.path.normpath(Path(_key(root), word))


def _hash_value(value: Value) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True).encode()).hexdigest()


def _key(root: Path) -> str:
    return os.path.realpath(root)


@contextmanager
def _changing(path: Path) -> Iterator[dict[str, dict[str, TrustedValue]]]:
    with changing_user_file(path):
        store = read_trust(path)
        if store.problems:
            raise ConfigurationError(str(store.problems[0]), hint=f"Remove {path} first.")
        workspaces = {root: dict(entries) for root, entries in store.workspaces.items()}
        yield workspaces
        plain = {}
        for root, entries in workspaces.items():
            plain[root] = {key: entry._asdict() for key, entry in entries.items()}
        write_user_file(path, {"version": VERSION, "workspaces": plain})


def read_known(folder: Path, repository: Path) -> frozenset[str]:
    """Return a repository's trusted digests; none from a store that others can write."""
    with suppress(UserFileError, TypeError):
        fields = read_user_file(folder / KNOWN) or {}
        return frozenset(map(str, fields.get(_key(repository), ())))
    return frozenset()


def trust_known(folder: Path, repository: Path, digests: Iterable[str]) -> None:
    """Trust exactly ``digests`` for a repository, and no earlier ones."""
    path, fields = folder / KNOWN, {}
    with changing_user_file(path):
        with suppress(UserFileError):
            fields = read_user_file(path) or {}
        write_user_file(path, {**fields, _key(repository): sorted(digests)})
