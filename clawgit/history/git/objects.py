"""Reading git objects: every loose one is checked before libgit2 sees it.

libgit2 up to 1.9.7 loops for ever, uninterruptibly, on a loose object that was cut short
(libgit2#7342); Python's zlib just says so. Packed objects carry their own checks.
"""

from __future__ import annotations

import zlib
from collections import deque
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.text.lazy_pattern import lazy_bytes_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from clawgit.history.git.ordinary_repository import PackFiles
    from clawgit.text.trailers import Trailers

CACHED_OBJECTS = 4096
CACHED_BLOBS, SMALL = 256, 1 << 15
FIRST_PARTS = 4096  # of packs, read without libgit2
FOLLOWED = 64  # commits read here: starting git takes as long as reading many more
TRUE_TIME = "Clawgit-At: "
# as in text/trailers.py, which most commands do without
REVERTS, RESTS_ON = "Clawgit-Reverts", "Clawgit-Derived-From"
_FOLDER = 0o40000  # git's mode of a folder
_FILES_OR_FOLDER = lazy_bytes_pattern(rb"(?s:1[0-7]{5} [^\0]+\0.{20})++|40000 [^\0]+\0((?s:.{20}))")
_UNKNOWN, _COMMIT, _TREE, _BLOB, _TAG = range(5)  # libgit2's numbers, as in a pack
Cached = TypeVar("Cached")


class DamagedObjectError(ClawgitError):
    """An object of the repository is damaged or of another kind than expected."""

    def __init__(self, object_id: str) -> None:
        sentence = f"The git object {object_id} is damaged or missing, so nothing was changed."
        super().__init__(sentence, hint="`clawgit doctor` names every damaged object and how to get it back.")
        self.object_id = object_id


class TreeEntry(NamedTuple):
    """One line of a tree: a file's blob or a folder's tree, with its git mode."""

    object_id: str
    mode: int

    @property
    def is_folder(self) -> bool:
        return self.mode == _FOLDER


class _CommitFields(NamedTuple):
    commit_id: str
    tree_id: str
    parent_ids: tuple[str, ...]
    author: str
    git_date: int
    message: str
    one_hand: bool = False
    author_date: int = 0


_LATEST = 253_370_764_800  # the year 9999: no calendar has a later one


def git_seconds(when: str) -> int:
    """Return seconds since 1970: 0 for an earlier time, the latest for one beyond the calendar."""
    if when.lstrip("-").isdigit():
        return min(max(0, int(when)), _LATEST)
    return 0


class Commit(_CommitFields):
    """One commit of the repository; ``one_hand``: author and committer are equal, dates too."""

    @cached_property
    def committed_at(self) -> int:
        """Return git's date, or the earlier one that clawgit wrote after a clock had been ahead."""
        if TRUE_TIME not in self.message or not self.one_hand:
            return self.git_date
        from clawgit.text.trailers import true_time

        moment = true_time(self.trailers, self.git_date)
        if moment is None:
            return self.git_date
        return int(moment.timestamp())

    @property
    def made_at(self) -> int:
        """Return the same, but of a commit that a rebase or an amend gave a new date its author's date."""
        if self.author_date != self.git_date:
            return self.author_date
        return self.committed_at

    @cached_property
    def trailers(self) -> Trailers:
        from clawgit.text.trailers import parse_trailers

        return parse_trailers(self.message)

    @property
    def evidence(self) -> tuple[str, ...]:
        return self.trailers.all("Clawgit-Evidence")

    @property
    def first_parent(self) -> str | None:
        return next(iter(self.parent_ids), None)

    @property
    def subject(self) -> str:
        return self.message.split("\n", 1)[0]

    @property
    def body(self) -> list[str]:
        return [line[2:] for line in self.message.split("\n") if line.startswith("> ")]


class Objects:
    """The repository's objects by id; small ones are cached."""

    def __init__(self, repo: Callable[[], pygit2.Repository], folder: Path | str) -> None:
        self._repo = repo
        self._folder = folder
        self._shallow = _shallow(f"{folder}/../shallow")
        self._blobs: dict[str, bytes] = {}
        self._commits: dict[str, Commit] = {}
        self._trees: dict[str, dict[bytes, TreeEntry]] = {}
        self.unread = ""  # why the past was not read to its beginning, if a reader went on without it

    @cached_property
    def _packs(self) -> PackFiles:
        from clawgit.history.git.ordinary_repository import PackFiles

        return PackFiles(str(self._folder))

    def let_go_of_packs(self) -> None:
        self.__dict__.pop("_packs", None)

    def blob(self, object_id: str) -> bytes:
        data = self._blobs.get(object_id)
        if data is None:
            data = self._read(object_id, _BLOB)
            if len(data) <= SMALL:
                _remember(self._blobs, object_id, data, CACHED_BLOBS)
        return data

    def tree(self, tree_id: str | None) -> dict[bytes, TreeEntry]:
        """Return a folder's entries by name, empty without a folder; callers must not change the dictionary."""
        if tree_id is None:
            return {}
        entries = self._trees.get(tree_id)
        if entries is None:
            raw = self._read(tree_id, _TREE)
            try:
                entries = _tree_entries(raw)
            except ValueError as error:
                raise DamagedObjectError(tree_id) from error
            _remember(self._trees, tree_id, entries)
        return entries

    def folders(self, tree_id: str) -> list[str]:
        """Return the trees of the folders directly in a tree, 20 times faster than `tree`."""
        raw = self._read(tree_id, _TREE)
        folders = []
        at = 0
        while (part := _FILES_OR_FOLDER.match(raw, at)) is not None:
            at = part.end()
            if part[1] is not None:
                folders.append(part[1].hex())
        if at < len(raw):  # a line in another form than git's present one, or no line
            return [entry.object_id for entry in self.tree(tree_id).values() if entry.is_folder]
        return folders

    def commit(self, commit_id: str) -> Commit:
        commit = self._commits.get(commit_id)
        if commit is None:
            commit = self._parsed(commit_id, self._read(commit_id, _COMMIT))
            _remember(self._commits, commit_id, commit)
        return commit

    def begins_at(self, commit_id: str) -> bool:
        """Say whether the history was cut off before this commit, so that others' changes look like its own."""
        return commit_id in self._shallow

    @property
    def is_cut_off(self) -> bool:
        return bool(self._shallow)

    def has_commit(self, name: str) -> bool:
        """Say whether ``name`` is the id of a commit that is here and can be read."""
        try:
            self.commit(name)
        except (DamagedObjectError, ValueError):
            return False
        return True

    def _parsed(self, commit_id: str, raw: bytes) -> Commit:
        try:
            head, _, message = raw.partition(b"\n\n")
            fields: dict[bytes, list[bytes]] = {}
            for line in head.split(b"\n"):
                name, _, value = line.partition(b" ")
                fields.setdefault(name, []).append(value)
            author, _, made = fields[b"author"][0].rpartition(b"> ")
            when = fields[b"committer"][0].rpartition(b"> ")[2].split(b" ")[0]
            commit = Commit(
                commit_id=commit_id,
                tree_id=fields[b"tree"][0].decode(),
                parent_ids=tuple(parent.decode() for parent in fields.get(b"parent", [])),
                author=author.decode("utf-8", "replace") + ">",
                git_date=git_seconds(when.decode("ascii", "replace")),
                message=message.decode("utf-8", "replace"),
                one_hand=fields[b"author"] == fields[b"committer"],
                author_date=git_seconds(made.split(b" ")[0].decode("ascii", "replace")),
            )
        except (KeyError, ValueError) as error:
            raise DamagedObjectError(commit_id) from error
        # A shallow clone's history begins here.
        if commit_id in self._shallow:
            return commit._replace(parent_ids=())
        return commit

    def walk(self, tips: Iterable[str], hide: Iterable[str] = ()) -> Iterator[Commit]:
        """Yield each commit reachable from ``tips`` once, roughly newest first, without those reachable from ``hide``."""
        seen = set(hide)
        waiting = deque(tips)
        while waiting:
            name = waiting.popleft()
            if name not in seen:
                seen.add(name)
                commit = self.commit(name)
                yield commit
                waiting.extend(commit.parent_ids)

    def first_parents(self, tip: str | None) -> Iterator[Commit]:
        """Yield ``tip`` and its first parents, newest first; a lost commit ends the history."""
        commit = None if tip is None else self.commit(tip)
        while commit is not None:
            yield commit
            try:
                commit = self.commit(commit.parent_ids[0]) if commit.parent_ids else None
            except DamagedObjectError as error:
                self.unread = error.message
                return

    def line_from(self, tip: str | None, end: str | None) -> list[Commit] | None:
        """Return first parents from ``tip`` to before ``end`` (None: all), newest first; None at a merge, or if git is faster."""
        line: list[Commit] = []
        name = tip
        while name != end:
            if name is None or len(line) == FOLLOWED:
                return None
            commit = self.commit(name)
            if len(commit.parent_ids) > 1:
                return None
            line.append(commit)
            name = commit.first_parent
        return line

    def contains(self, tip: str | None, commit_id: str) -> bool:
        if tip is None:
            return False
        return any(commit.commit_id == commit_id for commit in self.walk([tip]))

    def _read(self, object_id: str, kind: int) -> bytes:
        present, data = self.loose(object_id) or self._packed(object_id)
        if present != kind:
            raise DamagedObjectError(object_id)
        return data

    def _packed(self, object_id: str) -> tuple[int, bytes]:
        is_first = self._packs.parts_read < FIRST_PARTS
        packed = self._packs.read(object_id) if is_first else None
        if packed is not None:
            return packed
        try:
            return self._repo().read(object_id)
        except (KeyError, pygit2.GitError) as error:
            packed = None if is_first else self._packs.read(object_id)
            if packed is None:
                raise DamagedObjectError(object_id) from error
            return packed

    def loose(self, object_id: str) -> tuple[int, bytes] | None:
        """Return a loose object; a damaged one is refused before libgit2 reads it."""
        name = f"{self._folder}/{object_id[:2]}/{object_id[2:]}"
        try:
            with open(name, "rb") as file:  # noqa: PTH123 - a Path takes twice as long
                packed = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DamagedObjectError(object_id) from error
        from hashlib import sha1

        unpacker = zlib.decompressobj()
        try:
            raw = unpacker.decompress(packed)
        except zlib.error as error:
            raise DamagedObjectError(object_id) from error
        if not unpacker.eof or sha1(raw, usedforsecurity=False).hexdigest() != object_id:
            raise DamagedObjectError(object_id)
        header, _, data = raw.partition(b"\0")
        return _KINDS.get(header.split(b" ")[0], _UNKNOWN), data


def id_of(kind: bytes, data: bytes) -> str:
    from hashlib import sha1

    return sha1(b"%s %d\0" % (kind, len(data)) + data, usedforsecurity=False).hexdigest()


_KINDS = {b"commit": _COMMIT, b"tree": _TREE, b"blob": _BLOB, b"tag": _TAG}


def _shallow(path: str) -> frozenset[str]:
    try:
        with open(path, encoding="ascii", errors="replace") as file:  # noqa: PTH123 - git's hooks load no pathlib
            return frozenset(file.read().split())
    except FileNotFoundError:
        return frozenset()


def _remember(cache: dict[str, Cached], key: str, value: Cached, most: int = CACHED_OBJECTS) -> None:
    if len(cache) >= most:
        cache.clear()
    cache[key] = value


@lru_cache(maxsize=128)  # each request opens the repository; a folder of five years takes a millisecond
def _tree_entries(raw: bytes) -> dict[bytes, TreeEntry]:
    entries = {}
    at = 0
    while at < len(raw):
        space = raw.index(b" ", at)
        zero = raw.index(b"\0", space)
        object_id = raw[zero + 1 : zero + 21].hex()
        entries[raw[space + 1 : zero]] = TreeEntry(object_id, int(raw[at:space], 8))
        at = zero + 21
    return entries
