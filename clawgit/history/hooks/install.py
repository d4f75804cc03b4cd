"""Putting clawgit's hooks beside those that are there, and taking them away again as if they had never been."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.hooks.hooks_folder import (
    ALTERED,
    HOOK_NAMES,
    HooksPathError,
    HooksPlace,
    fingerprint,
    hooks_place,
    is_shared,
    keep_aside,
    kept_place,
    kind_of,
    put_shim,
)
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

INTERPRETER = "interpreter"
INSTALLED = "hooks.json"
BY_CONNECT = "hooks-by-connect"


class HooksChanged(NamedTuple):
    """What became of the hooks: those that were put in place or taken away, and what the operator should know."""

    done: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def read_installation(history: History) -> dict[str, dict[str, str]]:
    """Return folder → hook → the fingerprint of what it had in its place, empty for nothing; {} where nothing can be read."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        noted = json.loads((history.state / INSTALLED).read_text("utf-8"))
        return {
            str(folder): {str(name): str(was) for name, was in hooks.items()}
            for folder, hooks in noted.items()
        }
    return {}


def interpreter_of(history: History) -> str:
    """Return the path of the Python that the hooks run, empty where none was noted."""
    try:
        return os.fsdecode((history.state / INTERPRETER).read_bytes())
    except OSError:
        return ""


def were_brought_by_connect(history: History) -> bool:
    """Say whether the hooks came with the connection of a host, and nobody asked for them since."""
    return (history.state / BY_CONNECT).exists()


def install_hooks(
    history: History, interpreter: str, *, shared: bool = False, by_connect: bool = False
) -> HooksChanged:
    """Put every hook in place, each beside the one that is there; running it again changes nothing.

    Those that came ``by_connect`` go with the connection, unless they are asked for later.

    Raises:
        HooksPathError: Other repositories look there too, and ``shared`` does not say that this is meant.
        OSError: The folder cannot be written to.
    """
    place = hooks_place(history)
    if place.is_shared and not shared:
        raise HooksPathError(
            f"core.hooksPath is {place.configured}, so hooks put there run in other repositories too.",
            hint="`clawgit hooks install --shared` does it all the same (they do nothing where no workspace is);"
            f" `git config core.hooksPath {history.folder / 'hooks'}` keeps this repository to its own hooks.",
        )
    with history.locked():
        place.folder.mkdir(parents=True, exist_ok=True)
        known = read_installation(history)
        was = dict(known.get(str(place.folder), {}))
        notes = _notes(place)
        done = []
        for name in HOOK_NAMES:
            path = place.folder / name
            changed = _put(path, notes)
            was[name] = fingerprint(kept_place(path)) if changed or name not in was else was[name]
            done += [path] if changed else []
        if not by_connect:
            (history.state / BY_CONNECT).unlink(missing_ok=True)
        elif not known:
            _write(history, BY_CONNECT, b"")
        _write(history, INTERPRETER, os.fsencode(interpreter))
        _remember(history, known | {str(place.folder): was})
    return HooksChanged(tuple(done), tuple(notes))


def _notes(place: HooksPlace) -> list[str]:
    if not place.in_files:
        return []
    return [
        f"core.hooksPath is {place.configured}, inside the workspace: git and `clawgit keep` see the hooks there"
        " as files. Ignore or commit them, and remember: a program that can write there can run commands as you."
    ]


def _put(path: Path, notes: list[str]) -> bool:
    """Put clawgit's hook at ``path``; False where it is there already."""
    kind = kind_of(path)
    if kind == "ours":
        return False
    if kind == "altered":
        aside = keep_aside(path, ALTERED)
        notes.append(f"clawgit's {path.name} had been changed; that text is kept as {aside.name}.")
    elif kind == "foreign":
        _keep_foreign(path, notes)
    put_shim(path)
    return True


def _keep_foreign(path: Path, notes: list[str]) -> None:
    kept = kept_place(path)
    earlier = fingerprint(kept)
    if earlier and earlier != fingerprint(path):
        notes.append(
            f"There are two other {path.name} hooks now: the one in clawgit's place runs from now on;"
            f" the one before it is kept as {kept.name}.NUMBER and does not run."
        )
    keep_aside(path, kept.name.removeprefix(path.name))


def uninstall_hooks(history: History, *, shared: bool = False) -> HooksChanged:
    """Take every hook of clawgit's away and put back the hooks that it replaced, as they read now.

    In a folder that other repositories use, the hooks stay and only stop to work here, unless ``shared``.
    """
    with history.locked():
        known = read_installation(history)
        notes: list[str] = []
        done: list[Path] = []
        for folder in sorted({*map(Path, known), history.folder / "hooks", *_present(history)}):
            if is_shared(history, folder) and not shared:
                notes.append(
                    f"The hooks in {folder} stay for other workspaces and do nothing in this one any more;"
                    " `clawgit hooks uninstall --shared` takes them away."
                )
                continue
            was = known.get(str(folder), {})
            done += [
                folder / name for name in HOOK_NAMES if _take_away(folder / name, was.get(name, ""), notes)
            ]
        for name in (INTERPRETER, INSTALLED, BY_CONNECT):
            (history.state / name).unlink(missing_ok=True)
    return HooksChanged(tuple(done), tuple(notes))


def _present(history: History) -> list[Path]:
    with suppress(HooksPathError):
        return [hooks_place(history).folder]
    return []


def _take_away(path: Path, was: str, notes: list[str]) -> bool:
    """Put back at ``path`` what was there before; False where there is nothing of clawgit's."""
    kind = kind_of(path)
    kept = kept_place(path)
    now = fingerprint(kept)
    if kind == "foreign":
        if now:
            notes.append(f"{path} now belongs to another program, so the earlier hook stays as {kept.name}.")
        return False
    if kind == "altered":
        notes.append(f"clawgit's {path.name} had been changed; that text is kept as {path.name}{ALTERED}.")
        keep_aside(path, ALTERED)
    if now:
        if was not in ("", now):
            notes.append(
                f"{kept.name} changed after clawgit's hooks were installed; it is back as it reads now."
            )
        kept.replace(path)
    else:
        path.unlink(missing_ok=True)
        if was:
            notes.append(f"{kept.name} is gone, so there is no {path.name} hook any more.")
    return bool(now) or kind != "missing"


def _remember(history: History, folders: dict[str, dict[str, str]]) -> None:
    _write(history, INSTALLED, json.dumps(folders, indent=1).encode())


def _write(history: History, name: str, data: bytes) -> None:
    write_file(history.state, name, FileContent(data))
