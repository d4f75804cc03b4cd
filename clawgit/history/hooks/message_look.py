"""The first look at a commit's message: the guards over its text, in a repository of which nothing is read.

While a host is connected, the message of a commit with nothing against it is given the word that vouches for that commit.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR
from clawgit.history.authorship.intent import Intent
from clawgit.history.authorship.vouched_word import CONNECTED_NOTE, VOUCHED, vouched_word
from clawgit.history.git.objects import TreeEntry
from clawgit.history.git.trees import FILE
from clawgit.history.guards.check import check
from clawgit.history.hooks.noted_settings import STRICTEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clawgit.history.hooks.hook_call import HookCall

_PATH = "the commit message"
_OURS = "clawgit-"  # what each of clawgit's trailers begins with
_COMMENT = "#"


def may_say(call: HookCall, folder: str, arguments: Sequence[str], _environment: Mapping[str, str]) -> bool:
    """Say whether nothing speaks against the message; whether a trailer of clawgit's may be there only git's log tells."""
    with open(call.in_root(arguments[0]), encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    if _OURS in text.lower():
        return False
    readings = _readings(text) if call.edited else [text]
    if readings is None or not all(map(_is_fine, readings)):
        return False
    if not os.path.exists(os.path.join(folder, "clawgit", CONNECTED_NOTE)) or not text.strip():
        return True
    return len(readings) == 1 and _vouch(call, folder, call.in_root(arguments[0]), text)


def _vouch(call: HookCall, folder: str, path: str, text: str) -> bool:
    """Give the message its word; False where the commit is not as usual."""
    from clawgit.history.hooks.staged_look import staged_commit
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
