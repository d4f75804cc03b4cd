"""Opens the workspace's repository, refuses states in which a write would lose something, and turns disk errors into sentences."""

from __future__ import annotations

import errno
import os
import time
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git import ordinary_repository as ordinary
from clawgit.history.git.giving_way import Courtesy
from clawgit.history.git.lock import left_autostash, outlast_pruning, workspace_lock
from clawgit.history.git.objects import Commit, Objects
from clawgit.history.git.trees import Tree
from clawgit.workspace.layout import FORMAT_VERSION
from clawgit.workspace.safe_files import NEARLY_FULL, FileContent, free_bytes
from clawgit.workspace.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from clawgit.history.git.index_entries import StagingIndex


@contextmanager
def _told_truly(made: Sequence[str]) -> Iterator[None]:
    """Keep an error from claiming that nothing changed once ``made`` names a commit."""
    try:
        yield
    except ClawgitError as error:
        if made:
            names = ", ".join(commit_id[:12] for commit_id in made)
            stands = f"; what was committed before that stays ({names})"
            error.message = error.message.replace(", so nothing was changed", stands)
            error.hint = error.hint.replace("; nothing was changed", "")
        raise


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Translate errors of the disk below ``folder`` and of libgit2."""
    try:
        yield
    except (OSError, pygit2.GitError) as error:
        raise _storage_error(folder, error) from error


def _storage_error(folder: Path, error: OSError | pygit2.GitError) -> ClawgitError:
    number = getattr(error, "errno", None)
    what, hint = f"Writing failed ({str(error).rstrip('.')})", "Try again."
    if number in (errno.ENOSPC, errno.EDQUOT) or free_bytes(folder) < NEARLY_FULL:
        what, hint = "The disk is full", "Free some space and try again."
    elif isinstance(error, OSError) and number in (errno.EROFS, errno.EACCES, errno.EPERM):
        what = f"The workspace cannot be written to ({error.strerror})"
        hint = "Check who owns the folder and its permissions."
    return ClawgitError(f"{what}, so nothing was changed.", hint=hint)


def unusable_repository(text: str) -> tuple[str, str]:
    """Return why libgit2 does not open a repository, from its message, and the way out."""
    if "object format" in text or "objectformat" in text:
        return "it names its objects with SHA-256", "clawgit needs a SHA-1 repository."
    if "refstorage" in text:
        return "it keeps its references in a reftable", "`git refs migrate --ref-format=files` changes that."
    if "owned by" in text:
        why = "it belongs to another user of this machine"
        allows = "`git config --global --add safe.directory FOLDER`"
        return why, f"Take it over with `chown`, or allow it with {allows}."
    return text.rstrip("."), "`git status` in that folder may say more."


class RepositoryStateError(ClawgitError):
    """The repository is in the middle of an operation, or of a kind that clawgit does not write to."""


class Tip(NamedTuple):
    """The checked-out branch and the commit it names, read once."""

    branch: str
    commit_id: str | None
    tree: Tree


class History:
    """One workspace and its repository, opened by one process; an ordinary one's references are read without libgit2."""

    def __init__(
        self, root: Path, folder: Path, git_folder: Path, *, is_ordinary: bool, holder: str = "clawgit"
    ) -> None:
        self._open = cache(partial(_opened, root, git_folder))
        self._configured: dict[str, str] = {}
        self.root = root
        self.folder = folder
        self.state = folder / "clawgit"  # lock, records and derived stores, beside the history
        self.git_folder = git_folder  # of this working tree: a linked one has its own
        self.is_ordinary = is_ordinary
        self.holder = holder
        self.settings = Settings()
        # Of a change of these paths; whoever opens it for a command knows the hosts.
        self.why_to_wait: Callable[[Collection[str]], str] = lambda _paths: ""
        # Whether an edit of unnamed origin is the operator's; whoever opens it for a command knows the actor.
        self.is_his_edit: Callable[[History, str, FileContent | None], bool] = lambda *_: False
        self.made: list[str] = []  # commits since the workspace was last locked
        self.index: StagingIndex | None = None  # git's staging as last checked or written
        self.was_locked = False
        self.courtesy = Courtesy(git_folder / "index", self.state)
        self.objects = Objects(self._open, self.folder / "objects")

    @property
    def repo(self) -> pygit2.Repository:
        return self._open()

    def own_record(self, name: str) -> Path:
        """Return the path of a record of this working tree: a linked one has its own branch and files."""
        if self.git_folder != self.folder and self.git_folder.resolve() != self.folder.resolve():
            name = f"{name}-{self.git_folder.name}"
        return self.state / f"{name}.json"

    @contextmanager
    def locked(self, *, wait_seconds: float | None = None) -> Iterator[None]:
        """Hold the workspace lock, which every write needs; waits as the settings say."""
        pygit2.option(pygit2.enums.Option.ENABLE_FSYNC_GITDIR, self.settings.fsync)
        self.repo.set_refdb(pygit2.Refdb.open(self.repo))  # references ask for it only when they are opened
        self.made.clear()
        self._configured.clear()
        self.was_locked = True
        with _told_truly(self.made), storage_errors(self.folder):
            self.state.mkdir(mode=0o700, exist_ok=True)
            wait = self.settings.lock_wait_seconds if wait_seconds is None else wait_seconds
            deadline = time.monotonic() + wait
            with workspace_lock(self.state, wait_seconds=wait, holder=self.holder) as stood_in_line:
                self.courtesy.renew(deadline - time.monotonic(), stood_in_line=stood_in_line)
                outlast_pruning(self.folder, wait_seconds=deadline - time.monotonic())
                yield

    def branch(self) -> str:
        """Return the full name of the checked-out branch, born or not."""
        if self.is_ordinary:
            branch = ordinary.head_branch(self.git_folder)
            if branch is not None:
                return branch
        try:
            head = self.repo.references.get("HEAD")
        except pygit2.GitError as error:
            raise _unreadable("HEAD", error) from error
        target = None if head is None else head.raw_target
        if not isinstance(target, bytes):
            refuse_unfinished(self)
            sentence = "HEAD is not on a branch (it is detached), so a change could get lost."
            raise RepositoryStateError(sentence, hint="`git switch BRANCH` first.")
        return target.decode("utf-8", "surrogateescape")

    def setting(self, key: str) -> str | None:
        if self.is_ordinary:
            values = ordinary.git_setting(self.folder, key)
            if values is not None:
                return next(iter(values), None)
        try:
            return str(self.repo.config[key])
        except (KeyError, pygit2.GitError):
            return None

    def configured(self, key: str) -> str:
        """Return a setting of git's, read once between two changes."""
        if key not in self._configured:
            self._configured[key] = self.setting(key) or ""
        return self._configured[key]

    def own_settings(self) -> list[tuple[str, str]]:
        """Return the repository's own settings, without the user's."""
        if self.is_ordinary:
            settings = ordinary.own_settings(self.folder)
            if settings is not None:
                return settings
        own = (pygit2.enums.ConfigLevel.LOCAL, pygit2.enums.ConfigLevel.WORKTREE)
        return [(str(entry.name), str(entry.value)) for entry in self.repo.config if entry.level in own]

    def target(self, ref: str) -> str | None:
        if self.is_ordinary:
            commit_id = ordinary.ref_target(self.folder, ref)
            if commit_id is not None:
                return commit_id or None
        try:
            reference = self.repo.references.get(ref)
        except (pygit2.GitError, ValueError) as error:
            raise _unreadable(ref, error) from error
        if reference is None:
            return None
        return str(reference.resolve().target)

    def checked_out_tip(self) -> tuple[str, str] | None:
        """Return the checked-out branch and its commit, None with a detached HEAD or without a commit."""
        if ordinary.detached_commit(self.git_folder):
            return None
        branch = self.branch()
        commit_id = self.target(branch)
        if commit_id is None:
            return None
        return (branch, commit_id)

    def tip(self) -> Tip:
        """Read the tip of the checked-out branch; of a detached HEAD its commit, with an empty name."""
        detached = None if self.is_ordinary else ordinary.detached_commit(self.git_folder)
        branch = "" if detached else self.branch()
        commit_id = detached or self.target(branch)
        return Tip(branch, commit_id, self.tree_of(commit_id))

    def tree_of(self, commit_id: str | None) -> Tree:
        if commit_id is None:
            return Tree(self.objects, None)
        return Tree(self.objects, self.objects.commit(commit_id).tree_id)

    def around(self, commit: Commit) -> tuple[Tree, Tree]:
        """Return the files before a commit (on its first parent) and after it."""
        return self.tree_of(commit.first_parent), Tree(self.objects, commit.tree_id)

    def commit_named(self, word: str) -> Commit | None:
        """Return the commit that git resolves ``word`` to, None if there is none."""
        try:
            peeled = self.repo.revparse_single(word).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        return self.objects.commit(str(peeled.id))

    def refs(self, prefix: str) -> dict[str, str]:
        if self.is_ordinary:
            commits = ordinary.refs_below(self.folder, prefix)
            if commits is not None:
                return commits
        references = {}
        try:
            listed = self.repo.raw_listall_references()
        except pygit2.GitError as error:
            raise _unreadable("list", error) from error
        for raw in listed:
            name = raw.decode("utf-8", "surrogateescape")
            if not name.startswith(prefix):
                continue
            commit_id = self.target(name)
            if commit_id is not None:
                references[name] = commit_id
        return references


def _unreadable(ref: str, error: Exception) -> RepositoryStateError:
    hint = "`clawgit doctor` says what is damaged."
    return RepositoryStateError(f"The reference {ref} cannot be read: {error}.", hint=hint)


def open_history(root: Path, *, holder: str = "clawgit", git_folder: Path | None = None) -> History:
    """Open the workspace at ``root`` with default settings; ``git_folder`` is GIT_DIR."""
    own = ordinary.ordinary_folder(root) if git_folder is None else None
    if own is not None:
        history = History(root, own, own, is_ordinary=True, holder=holder)
    else:
        if git_folder is None and not (root / ".git").exists():
            refuse_bare(root)
            raise ClawgitError(f"{root} is not a clawgit workspace.", hint="`clawgit init` makes it one.")
        own = Path(_opened(root, git_folder or root).path)
        common = own / "commondir"
        folder = (own / common.read_text().strip()).resolve() if common.exists() else own
        history = History(root, folder, own, is_ordinary=False, holder=holder)
    _refuse_pipes(history.state)
    _check_format(history)
    return history


def _opened(root: Path, place: Path) -> pygit2.Repository:
    try:
        repo = pygit2.Repository(str(place), pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
    except pygit2.GitError as error:
        why, hint = unusable_repository(str(error))
        raise RepositoryStateError(f"The repository of {root} cannot be used: {why}.", hint=hint) from error
    if repo.is_bare:
        sentence = f"The repository of {root} is marked as bare."
        raise RepositoryStateError(sentence, hint="`git config core.bare false` if it is not.")
    return pygit2.without_cycles(repo)


def refuse_bare(root: Path) -> None:
    if (root / "HEAD").is_file() and (root / "objects").is_dir():
        sentence = f"{root} is a bare repository, without a folder of files."
        raise RepositoryStateError(sentence, hint="Clone it and use the clone as the workspace.")


def refuse_unfinished(history: History) -> None:
    if history.is_ordinary and not ordinary.is_unfinished(history.git_folder):
        return
    state = pygit2.enums.RepositoryState(history.repo.state())
    if state is pygit2.enums.RepositoryState.NONE:
        return
    left = left_autostash(history.git_folder)
    if left:
        raise RepositoryStateError(
            f"A `git rebase --autostash` ended early and left edits aside ({left[:12]}), so nothing was changed.",
            hint="`git rebase --quit` ends it and puts them into `git stash`; `git stash pop` brings them back.",
        )
    what = ordinary.UNFINISHED.get(state.name.removesuffix("_SEQUENCE"), "rebase")
    sentence = f"A {what} is not finished, so nothing was changed."
    raise RepositoryStateError(sentence, hint="Finish it or abort it with git, then try again.")


def refuse_odd_state(history: History) -> None:
    """Refuse to write during another operation, off any branch, or in a sparse checkout."""
    refuse_unfinished(history)
    if not history.is_ordinary and history.configured("core.sparseCheckout").lower() == "true":
        raise RepositoryStateError(
            "Only a part of the files is checked out (sparse checkout), so the rest would look deleted.",
            hint="`git sparse-checkout disable` brings all of them back.",
        )
    if not history.branch().startswith("refs/heads/"):
        raise RepositoryStateError("HEAD is not on a branch.", hint="`git switch BRANCH` first.")


def _refuse_pipes(state: Path) -> None:
    """Refuse a pipe or device among clawgit's own files: reading one blocks, maybe with the workspace lock held."""
    try:
        with os.scandir(state) as entries:
            odd = next((each.path for each in entries if not each.is_file() and not each.is_dir()), "")
    except FileNotFoundError:
        return
    if odd and Path(odd).exists():
        hint = "Remove it: what clawgit keeps there is made again, or comes back with `clawgit backup --restore`."
        raise RepositoryStateError(f"{odd} is a pipe, a socket or a device, and no file.", hint=hint)


def _check_format(history: History) -> None:
    try:
        version = int((history.state / "format").read_text().strip())
    except (FileNotFoundError, ValueError):
        return
    if version > FORMAT_VERSION:
        raise RepositoryStateError(
            f"{history.root} has workspace format {version}; this clawgit knows up to {FORMAT_VERSION}.",
            hint="Install a newer clawgit.",
        )
