"""One step of the workspace: the state before, the state after, who wants it and why. What every guard is given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import TreeEntry
    from clawgit.plan import Plan

MOST_KEPT_BYTES = 32 << 20


class Limits(Protocol):
    """What the guards ask of the settings."""

    @property
    def max_file_bytes(self) -> int:
        """Return the size of the largest file that is committed."""

    @property
    def max_commit_bytes(self) -> int:
        """Return how many bytes one change may write."""

    @property
    def soul_policy(self) -> str:
        """Return how the soul may change by itself."""

    @property
    def soul_max_tokens(self) -> int:
        """Return the size of the largest soul."""

    @property
    def secrets_allowed(self) -> tuple[str, ...]:
        """Return what looks like a secret and is none."""


class Before(Protocol):
    """The state that is left."""

    def entry(self, path: str) -> TreeEntry | None:
        """Return what is at ``path``."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes of the file at ``path``."""

    def files(self, below: str = "") -> Iterator[tuple[str, TreeEntry]]:
        """Yield every file (in the folder ``below``) with its path."""

    def names(self, folder: str) -> Iterable[str]:
        """Return the names of what is directly in ``folder``; "" is the workspace itself."""


class After(Protocol):
    """The state that would be."""

    def entry(self, path: str) -> TreeEntry | None:
        """Return what will be at ``path``."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes that the file at ``path`` will have."""

    def changed_paths(self) -> tuple[str, ...]:
        """Return the paths in which the two states differ."""


class _Once:
    """A state that is asked once for each path, however many guards want to know.

    Of the bytes so many are kept that any ordinary change fits; what goes beyond them is read each time.
    """

    def __init__(self, state: Before | After) -> None:
        self._state = state
        self._entries: dict[str, TreeEntry | None] = {}
        self._data: dict[str, bytes | None] = {}
        self._room = MOST_KEPT_BYTES

    def entry(self, path: str) -> TreeEntry | None:
        """Return what is at ``path``."""
        if path not in self._entries:
            self._entries[path] = self._state.entry(path)
        return self._entries[path]

    def read(self, path: str) -> bytes | None:
        """Return the bytes of the file at ``path``."""
        if path in self._data:
            return self._data[path]
        data = self._state.read(path)
        size = len(data or b"")
        if size <= self._room:
            self._room -= size
            self._data[path] = data
        return data


class BeforeOnce(_Once):
    """The state that is left, each file looked at once."""

    def __init__(self, state: Before) -> None:
        super().__init__(state)
        self.files, self.names = state.files, state.names


class AfterOnce(_Once):
    """The state that would be, each file looked at once."""

    def __init__(self, state: After) -> None:
        super().__init__(state)
        self.changed_paths = state.changed_paths


class Step:
    """From ``base`` to ``new``, as ``intent`` says, and ``plan`` where it is known."""

    def __init__(
        self, base: Before, new: After, intent: Intent, settings: Limits, plan: Plan | None = None
    ) -> None:
        self.base, self.new = base, new
        self.intent, self.settings, self.plan = intent, settings, plan

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Return the paths in which the two states differ."""
        return self.new.changed_paths()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Return those of them that are worth reading: one that is too large is refused for that."""
        return tuple(path for path in self.changed if not self.is_oversize(path))

    def is_oversize(self, path: str) -> bool:
        """Say whether a file is over the limit; one that shrinks is welcome at any size."""
        data = self.new.read(path)
        size = 0 if data is None else len(data)
        return size > self.settings.max_file_bytes and size >= len(self.base.read(path) or b"")

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Return the paths at which there was nothing."""
        return tuple(path for path in self.paths if self.base.entry(path) is None)

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Return the paths at which there was something: a file that is new loses nothing."""
        return tuple(path for path in self.paths if self.base.entry(path) is not None)

    @cached_property
    def shortened(self) -> tuple[str, ...]:
        """Return those of the known paths that may lose something: whole lines added at the end take nothing away."""
        return tuple(path for path in self.known if not self._only_grows(path))

    def _only_grows(self, path: str) -> bool:
        old = self.base.read(path)
        return old is not None and old.endswith(b"\n") and (self.new.read(path) or b"").startswith(old)

    def others(self) -> Iterator[str]:
        """Yield the paths of the Markdown files that stay as they are."""
        changed = set(self.changed)
        return (path for path, _ in self.base.files() if path.endswith(".md") and path not in changed)

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Yield each changed Markdown file's path, with its text before and after."""
        for path in self.paths:
            data = self.new.read(path) if path.endswith(".md") else None
            if data is not None:
                yield path, decoded(self.base.read(path) or b""), decoded(data)


def decoded(data: bytes) -> str:
    """Return the text of a file; what is no UTF-8 in it becomes U+FFFD."""
    return data.decode("utf-8", "replace")
