"""One step of the workspace: the state before, the state after, who wants it and why. What every guard is given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import TreeEntry
    from clawgit.history.git.trees import Tree
    from clawgit.plan import Plan
    from clawgit.workspace.settings.settings import Settings

MOST_KEPT_BYTES = 32 << 20


class After(Protocol):
    """The state that would be: a draft, or what git is about to commit."""

    def entry(self, path: str) -> TreeEntry | None:
        """Return what will be at ``path``."""

    def read(self, path: str) -> bytes | None:
        """Return the bytes that the file at ``path`` will have."""

    def changed_paths(self) -> tuple[str, ...]:
        """Return the paths in which the two states differ."""


class State:
    """A state that is read once for each path, however many guards ask.

    Of the bytes so many are kept that any ordinary change fits; what goes beyond them is read each time.
    """

    def __init__(self, state: Tree | After) -> None:
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


class Step:
    """From ``base`` to ``new``, as ``intent`` says, and ``plan`` where it is known; ``tree`` lists the files of ``base``."""

    def __init__(
        self, base: Tree, new: After, intent: Intent, settings: Settings, plan: Plan | None = None
    ) -> None:
        self.tree = base
        self.base = State(base)
        self.new = State(new)
        self.intent, self.settings, self.plan = intent, settings, plan
        self._new = new

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Return the paths in which the two states differ."""
        return self._new.changed_paths()

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
    def shortened(self) -> tuple[str, ...]:
        """Return the paths that may lose something: not a new file's, nor where whole lines come at the end."""
        return tuple(
            path for path in self.paths if self.base.entry(path) is not None and not self._only_grows(path)
        )

    def _only_grows(self, path: str) -> bool:
        old = self.base.read(path)
        return old is not None and old.endswith(b"\n") and (self.new.read(path) or b"").startswith(old)

    def others(self) -> Iterator[str]:
        """Yield the paths of the Markdown files that stay as they are."""
        changed = set(self.changed)
        return (path for path, _ in self.tree.files() if path.endswith(".md") and path not in changed)

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """Yield each changed Markdown file's path, with its text before and after."""
        for path in self.paths:
            data = self.new.read(path) if path.endswith(".md") else None
            if data is not None:
                yield path, decoded(self.base.read(path) or b""), decoded(data)


def decoded(data: bytes) -> str:
    """Return the text of a file; what is no UTF-8 in it becomes U+FFFD."""
    return data.decode("utf-8", "replace")
