"""What can be read of an ordinary repository without libgit2: its kind, its references, whether something goes on.

Ordinary: `.git` is a folder of the user's own, and its config says nothing of where or how things are kept. Whatever
is not exactly as expected is left to libgit2, and so is every refusal.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.text.lazy_pattern import lazy_bytes_pattern, lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = lazy_pattern(r'\[([A-Za-z0-9-]+)(?: "([^"\\]*)")?\]')
_ENTRY = lazy_pattern(r'([A-Za-z][A-Za-z0-9-]*)\s*=\s*([^"\\#;]*)')
_ID = lazy_bytes_pattern(rb"[0-9a-f]{40}\n")
_NAME = lazy_pattern(r"refs(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)+")
_EXPECTED = {"core.bare": "false", "core.repositoryformatversion": "0"}
_TRACES = (
    "MERGE_HEAD",
    "REVERT_HEAD",
    "CHERRY_PICK_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
)

# libgit2's names of what leaves them, in git's words; everything else is a rebase
UNFINISHED = {
    "MERGE": "merge",
    "REVERT": "revert",
    "CHERRYPICK": "cherry-pick",
    "BISECT": "bisect",
    "APPLY_MAILBOX": "`git am`",
}


def ordinary_folder(root: Path) -> Path | None:
    """Return the `.git` of an ordinary repository, None where libgit2 has to look."""
    folder = os.path.join(os.path.realpath(root), ".git")
    try:
        owners = {os.stat(root).st_uid, os.lstat(folder).st_uid}
        is_whole = all(os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs"))
        with open(os.path.join(folder, "config"), encoding="utf-8") as file:
            said = plain_config(file.read())
    except (OSError, ValueError):
        return None
    unexpected = ("commondir", "config.worktree", "info/sparse-checkout")
    is_ordinary = (
        is_whole
        and owners == {os.geteuid()}
        and not os.path.islink(folder)
        and said is not None
        and _is_ordinary(said)
        and not any(os.path.lexists(os.path.join(folder, name)) for name in unexpected)
        and head_branch(folder) is not None
    )
    return Path(folder) if is_ordinary else None


def _is_ordinary(said: list[tuple[str, str]]) -> bool:
    values = dict(said)
    kept_elsewhere = any(
        name in ("core.worktree", "core.sparsecheckout") or name.startswith(("extensions.", "include"))
        for name in values
    )
    return not kept_elsewhere and all(values.get(name) == value for name, value in _EXPECTED.items())


def own_settings(folder: Path) -> list[tuple[str, str]] | None:
    """Return what the repository's own config says; None where libgit2 has to read it."""
    try:
        return plain_config((folder / "config").read_text("utf-8"))
    except (OSError, ValueError):
        return None


def git_setting(folder: Path, key: str) -> tuple[str, ...] | None:
    """Return the value that counts for git, none where nothing sets it; None where libgit2 has to look.

    The user's and the machine's files are read only so far that they cannot say anything of it.
    """
    own = own_settings(folder)
    name = key.lower()
    if own is None:
        return None
    values = [value for each, value in own if each == name]
    if values:
        return (values[-1],)
    word = name.rpartition(".")[2]
    try:
        others = [path.read_text("utf-8").lower() for path in _other_configs() if path.exists()]
    except (OSError, ValueError):
        return None
    return None if any(word in text or "include" in text for text in others) else ()


def _other_configs() -> list[Path]:
    """Return where the user's and the machine's git settings are."""
    home = Path.home()
    more = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return [Path("/etc/gitconfig"), home / ".gitconfig", more / "git/config"]


def plain_config(text: str) -> list[tuple[str, str]] | None:
    """Return the settings of a git config in which nothing is quoted, joined or left out; None for any other."""
    found = []
    prefix = ""
    for line in map(str.strip, text.split("\n")):
        if not line or line[0] in "#;":
            continue
        section = _SECTION.fullmatch(line)
        entry = _ENTRY.fullmatch(line)
        if section is not None:
            inner = "" if section[2] is None else f"{section[2]}."
            prefix = f"{section[1].lower()}.{inner}"
        elif entry is not None and prefix:
            found.append((prefix + entry[1].lower(), entry[2].strip()))
        else:
            return None
    return found


def head_branch(folder: str | Path) -> str | None:
    """Return the full name of the checked-out branch, None where HEAD says anything else."""
    name = (_read(os.path.join(folder, "HEAD")) or b"").removesuffix(b"\n").decode("utf-8", "surrogateescape")
    kind, _, branch = name.partition("ref: ")
    return branch if not kind and _NAME.fullmatch(branch) else None


def detached_commit(folder: Path) -> str | None:
    """Return the commit that is checked out off any branch, None where HEAD says anything else."""
    with suppress(OSError):
        head = _read(os.path.join(folder, "HEAD")) or b""
        return head[:40].decode() if _ID.fullmatch(head) else None
    return None


def ref_target(folder: Path, name: str) -> str | None:
    """Return the commit that a reference names, "" where there is none, None where that cannot be told."""
    if not _NAME.fullmatch(name) or ".." in name or name.endswith(".lock"):
        return None
    try:
        loose = _read(os.path.join(folder, name))
        if loose is not None:
            return loose[:40].decode() if _ID.fullmatch(loose) else None
        return dict(_packed(folder)).get(name, "")
    except (OSError, ValueError):
        return None


def refs_below(folder: Path, prefix: str) -> dict[str, str] | None:
    """Return name → commit of the references in a folder of them, None where that cannot be told."""
    try:
        names = {name for name, _ in _packed(folder) if name.startswith(prefix)}
    except (OSError, ValueError):
        return None
    for above, _, files in os.walk(os.path.join(folder, prefix)):
        names |= {os.path.relpath(os.path.join(above, file), folder) for file in files}
    found = {name: ref_target(folder, name) for name in sorted(names)}
    if None in found.values():
        return None
    return {name: commit_id for name, commit_id in found.items() if commit_id}


def is_unfinished(folder: Path) -> bool:
    """Say whether there are traces of a merge, a rebase and the like."""
    return any(os.path.lexists(os.path.join(folder, name)) for name in _TRACES)


def _packed(folder: Path) -> Iterator[tuple[str, str]]:
    packed = _read(os.path.join(folder, "packed-refs")) or b""
    for line in packed.decode("utf-8", "surrogateescape").splitlines():
        if line[:1] not in ("#", "^"):
            commit_id, _, name = line.partition(" ")
            yield name, commit_id


def _read(path: str) -> bytes | None:
    """Return what a file holds, None where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
