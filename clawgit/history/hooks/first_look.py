"""A first look at a commit, without libgit2: the guards over HEAD's files and the staged ones, and over the message.

What only a finding needs is not loaded: whatever a guard finds, and whatever is not as usual, is left to the whole
check, which decides and speaks.

While a host is connected, a message with nothing against it is given the word that vouches for its commit.

The settings that the guards ask for are noted by the whole check, so that most commits need not read CONFIG.md. The
note names what it rests on: the commit, the user's home and the trust store. It counts as long as no commit since
touched CONFIG.md or claimed another, and the store is as it was; else the whole check looks, and notes again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from clawgit import __version__
from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import CONNECTED_NOTE, OPERATOR, VOUCHED, vouched_word
from clawgit.history.authorship.host_signs import ACTOR_VARIABLE, host_sign
from clawgit.history.authorship.intent import Intent
from clawgit.history.git import libgit2
from clawgit.history.git.index_entries import UnreadableIndexError, read_index
from clawgit.history.git.objects import Objects, TreeEntry
from clawgit.history.git.trees import FILE, Compared, Tree, folder_trees
from clawgit.history.guards.check import check
from clawgit.history.hooks.hook_call import read_call, text_of
from clawgit.workspace.foreign_files import open_regular
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from clawgit.history.git.index_entries import StagedFile
    from clawgit.history.git.repository import History
    from clawgit.history.hooks.hook_call import HookCall

_BRANCH = "ref: refs/heads/"
_HEXADECIMAL = frozenset("0123456789abcdef")
_PATH = "the commit message"
_OURS = "clawgit-"  # what each of clawgit's trailers begins with
_COMMENT = "#"
NOTE = "hook-settings"
MOST_COMMITS = 64  # between the note and the tip
_HOMES = ("XDG_CONFIG_HOME", "HOME")
_CLAIMS = "clawgit-claims"


KNOWN_FORMAT = 2


def has_nothing_to_say(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], root: str
) -> bool:
    """Say whether the checks of the hook ``name`` would let git go on without a word.

    False where that is not sure: something is damaged, cannot be read or is not as usual.
    """
    try:
        return _has_nothing_to_say(name, arguments, environment, root)
    except (ClawgitError, OSError):
        return False


def _has_nothing_to_say(
    name: str, arguments: Sequence[str], environment: Mapping[str, str], root: str
) -> bool:
    if environment.get(ACTOR_VARIABLE, "operator") != "operator" or host_sign(environment):
        return False
    if environment.get("CLAWGIT_OVERRIDE"):
        return False
    call = read_call(environment, root)
    if call is None or name not in ("pre-commit", "pre-merge-commit", "commit-msg"):
        return False
    shared = (text_of(os.path.join(call.git_folder, "commondir")) or "").strip()
    folder = os.path.join(call.git_folder, shared)
    version = text_of(os.path.join(folder, "clawgit/format"))
    if version is None:
        return True  # no workspace: nothing here is clawgit's
    if version.strip() != str(KNOWN_FORMAT):
        return False
    if name == "commit-msg":
        return may_say(call, folder, call.in_root(arguments[0]))
    return may_commit(call, folder, environment)


class UnusualHeadError(Exception):
    """HEAD names no commit, or in a way that only libgit2 follows."""


class _Objects(Objects):
    """The repository's objects, and the folders of a tree that is in none of them yet."""

    def __init__(self, git_folder: str, folder: str) -> None:
        super().__init__(lambda: libgit2.Repository(git_folder), os.path.join(folder, "objects"))
        self._made: dict[str, dict[bytes, TreeEntry]] = {}

    def tree(self, tree_id: str) -> dict[bytes, TreeEntry]:
        found = self._made.get(tree_id)
        return super().tree(tree_id) if found is None else found

    def make_tree(self, staged: Mapping[bytes, StagedFile]) -> str:
        """Make the tree of these files in memory and return its id."""
        files = {os.fsdecode(name): file.entry for name, file in staged.items()}
        for tree_id, entries in folder_trees(files):
            self._made[tree_id] = entries
        return tree_id


def may_commit(call: HookCall, folder: str, environment: Mapping[str, str]) -> bool:
    """Say whether nothing speaks against committing what is staged on top of HEAD; False where that is not usual.

    Raises:
        OSError: One of git's files cannot be read.
        DamagedObjectError: One of the objects cannot be.
    """
    try:
        return not call.amends and _may_commit(call, folder, environment)
    except (UnusualHeadError, UnreadableIndexError):
        return False
    except RecursionError:  # folders deeper than Python calls
        return False


def staged_commit(call: HookCall, folder: str) -> tuple[str, str] | None:
    """Return the parent and the files of the commit that git is about to make; None where it is not as usual.

    Raises:
        OSError: One of git's files cannot be read.
    """
    if call.amends:
        return None
    try:
        head = _head(call.git_folder, folder)
        with open(call.index_file, "rb") as file:
            staged, tree_id = read_index(file.read())
        if tree_id is None:
            tree_id = _Objects(call.git_folder, folder).make_tree(staged)
    except (UnusualHeadError, UnreadableIndexError, RecursionError):
        return None
    return head, tree_id


def _may_commit(call: HookCall, folder: str, environment: Mapping[str, str]) -> bool:
    objects = _Objects(call.git_folder, folder)
    head = _head(call.git_folder, folder)
    base = Tree(objects, objects.commit(head).tree_id)
    with open(call.index_file, "rb") as file:
        staged, tree_id = read_index(file.read())
    if tree_id == base.tree_id:
        return True
    if tree_id is None:
        tree_id = objects.make_tree(staged)
    new = Compared(base, Tree(objects, tree_id))
    if any(_may_be_overtaken(call, new, path) for path in new.changed_paths()):
        return False
    settings = noted_settings(os.path.join(folder, "clawgit"), objects, head, environment)
    intent = Intent("hook", OPERATOR, datetime.now(UTC))
    return settings is not None and not check(base, new, intent, settings)


def _may_be_overtaken(call: HookCall, new: Compared, path: str) -> bool:
    """Say whether the file in the folder is as HEAD has it, though another is staged (see `mend_overtaken`)."""
    if new.entry(path) is None:
        return False
    try:
        with open_regular(call.in_root(path)) as file:
            present = file.read()
    except OSError:
        return new.base.read(path) is None
    return present == new.base.read(path)


def _head(git_folder: str, folder: str) -> str:
    """Return the commit that HEAD names."""
    said = text_of(os.path.join(git_folder, "HEAD")) or ""
    if said.startswith(_BRANCH):
        branch = said.removeprefix("ref: ").rstrip("\n")
        said = text_of(os.path.join(folder, branch)) or _packed(folder, branch)
    said = said.strip()
    if len(said) != 40 or not _HEXADECIMAL.issuperset(said):
        raise UnusualHeadError
    return said


def _packed(folder: str, branch: str) -> str:
    lines = (text_of(os.path.join(folder, "packed-refs")) or "").splitlines()
    return next((line[:40] for line in lines if line[40:] == f" {branch}"), "")


def may_say(call: HookCall, folder: str, path: str) -> bool:
    """Say whether nothing speaks against the message; whether a trailer of clawgit's may be there only git's log tells."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    if _OURS in text.lower():
        return False
    readings = _readings(text) if call.edited else [text]
    if readings is None or not all(map(_is_fine, readings)):
        return False
    if not os.path.exists(os.path.join(folder, "clawgit", CONNECTED_NOTE)) or not text.strip():
        return True
    return len(readings) == 1 and _vouch(call, folder, path, text)


def _vouch(call: HookCall, folder: str, path: str, text: str) -> bool:
    """Give the message its word; False where the commit is not as usual."""
    from clawgit.text.trailers import with_trailers

    staged = staged_commit(call, folder)
    if staged is None:
        return False
    try:
        message = with_trailers(text, ((VOUCHED, vouched_word(*staged)),))
    except ValueError:
        return False
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(message)
    return True


def _readings(text: str) -> list[str] | None:
    """Return what git may keep of a text from an editor; None where that depends on which lines are comments to git.

    A line may be one that begins with neither a letter, a digit nor a blank.
    """
    marks = {line[0] for line in text.split("\n") if line and not (line[0].isalnum() or line[0].isspace())}
    if marks - {_COMMENT}:
        return None
    if not marks:
        return [text]
    from clawgit.text.trailers import without_comments

    return [text, without_comments(text, _COMMENT)]


def _is_fine(text: str) -> bool:
    intent = Intent("hook", OPERATOR, datetime.now(UTC))
    return not text.strip() or not check(_Nothing(), _Message(text), intent, STRICTEST)


class _Nothing:
    """No file at all."""

    def entry(self, _path: str) -> TreeEntry | None:
        return None

    def read(self, _path: str) -> bytes | None:
        return None

    def files(self, _below: str = "") -> Iterator[tuple[str, TreeEntry]]:
        return iter(())

    def names(self, _folder: str) -> list[str]:
        return []


class _Message:
    """The message as a file that is added, as `check_message_text` shows it to the guards."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogateescape")

    def entry(self, path: str) -> TreeEntry | None:
        return TreeEntry("", FILE) if path == _PATH else None

    def read(self, path: str) -> bytes | None:
        return self._data if path == _PATH else None

    def changed_paths(self) -> tuple[str, ...]:
        return (_PATH,)


class NotedSettings(NamedTuple):
    """The settings that guards ask for; no secret is allowed, for whatever is found is looked at once more."""

    max_file_bytes: int
    max_commit_bytes: int
    soul_policy: str
    soul_max_tokens: int
    secrets_allowed: tuple[str, ...] = ()


STRICTEST = NotedSettings(65_536, 1024, "locked", 0)  # the least that CONFIG.md can say


def note_settings(
    history: History, commit_id: str | None, trust: Path, environment: Mapping[str, str]
) -> None:
    """Note the settings in force at ``commit_id``; where there is no room, nothing is noted."""
    if commit_id is None:
        return
    had = history.settings
    values = (had.max_file_bytes, had.max_commit_bytes, had.soul_policy, had.soul_max_tokens)
    lines = (*_basis(str(trust), environment), commit_id, *map(str, values))
    if _read(history.state) != list(lines):
        with suppress(OSError):
            text = "\n".join(lines).encode("utf-8", "surrogateescape")
            write_file(history.state, NOTE, FileContent(text), fsync=False)


def noted_settings(
    state: str, objects: Objects, head: str, environment: Mapping[str, str]
) -> NotedSettings | None:
    """Return the settings in force at ``head``, None where the note does not tell."""
    noted = _read(state)
    if len(noted) != 10 or noted[:5] != list(_basis(noted[3], environment)):
        return None
    commit_id, file_bytes, commit_bytes, policy, tokens = noted[5:]
    if not _says_the_same(objects, head, commit_id):
        return None
    try:
        return NotedSettings(int(file_bytes), int(commit_bytes), policy, int(tokens))
    except ValueError:
        return None


def _says_the_same(objects: Objects, head: str, noted: str) -> bool:
    """Say whether nothing from ``noted`` up to ``head`` could have changed which settings are in force."""
    config = Tree(objects, objects.commit(head).tree_id).entry(CONFIG)
    for commit in islice(objects.first_parents(head), MOST_COMMITS):
        if Tree(objects, commit.tree_id).entry(CONFIG) != config:
            return False
        if commit.commit_id == noted:
            return True
        if _CLAIMS in commit.message.lower():
            return False
    return False


def _basis(trust: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines that name what the settings in force depend on, beside the history."""
    return (__version__, *(environment.get(name, "") for name in _HOMES), trust, _stamp(trust))


def _stamp(path: str) -> str:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "-"
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_mode} {found.st_uid}"


def _read(state: Path | str) -> list[str]:
    try:
        with open(os.path.join(state, NOTE), encoding="utf-8", errors="surrogateescape") as file:
            return file.read().split("\n")
    except OSError:
        return []
