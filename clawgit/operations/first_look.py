"""A first look at an adopted folder: what is searched, what looks like a key, what agents would move."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.first_rearrangement import MOVERS, ORGANIZER, needs_yes, note_first
from clawgit.errors import ClawgitError
from clawgit.recall import recall_status
from clawgit.text.markdown.lines import as_utf8, is_text
from clawgit.text.safety.control_characters import few, shown
from clawgit.text.safety.secrets import find_secrets, redact_path
from clawgit.workspace.safe_files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from clawgit.history.git.repository import History

MOST_READ = 3000  # files that are looked through for keys; of a folder with more, what would move is worked out at night
NAMED = 5


class FirstLook(NamedTuple):
    """Searched and other files, places (`notes/keys.md:3`) of what looks like a key, and moves by agent."""

    coverage: recall_status.Coverage
    keys: tuple[str, ...]
    moves: dict[str, tuple[str, ...]]

    def lines(self, uncommitted: AbstractSet[str] = frozenset()) -> list[str]:
        """Return the screen; what to do with keys at these places is said elsewhere."""
        lines = [recall_status.searched_words(self.coverage.paths)]
        for words in (recall_status.unsearched_words, recall_status.prompt_files_words):
            if words(self.coverage.unsearched):
                lines.append(f"  {words(self.coverage.unsearched)}")
        if self.keys:
            lines.append(_key_line(self.keys, is_alone=not uncommitted >= set(self.keys)))
        if self.moves:
            lines.append("Nothing you have moves tonight. These wait for your yes (`clawgit pending`):")
        for agent, sentences in self.moves.items():
            lines.append(f"  {'; '.join(sentences)} ({agent})")
        if ORGANIZER not in self.moves:
            lines.append("Each night the organizer lists memory in memory/INDEX.md and memory/structured/.")
        return lines


def look_at_folder(history: History, now: datetime) -> FirstLook:
    """Look through a folder that was just adopted, and note the questions about it."""
    coverage = recall_status.read_coverage(history)
    moves: dict[str, tuple[str, ...]] = {}
    if len(coverage.paths) <= MOST_READ:
        for agent in MOVERS:
            if not needs_yes(history, agent):
                continue
            sentences = note_first(history, agent, now)
            if sentences:
                moves[agent] = sentences
    return FirstLook(coverage, tuple(_keys(history, coverage)), moves)


def key_lines(history: History) -> list[str]:
    keys = tuple(_keys(history, recall_status.read_coverage(history)))
    if keys:
        return [_key_line(keys)]
    return []


def _keys(history: History, coverage: recall_status.Coverage) -> Iterator[str]:
    """Yield the places of keys in what is searched, and in the other files in git and the prompt's: a key file is one."""
    kinds = (recall_status.KIND, recall_status.PROMPT)
    paths = list(coverage.paths)
    for each in coverage.unsearched:
        if each.reason in kinds:
            paths.append(each.path)
    for path in paths[:MOST_READ]:
        text = ""
        with suppress(ClawgitError, OSError):
            text = _text(history, path) or recall_status.read_text(history, path)
        for secret in find_secrets(text):
            yield f"{redact_path(path)}:{secret.line}"


def _text(history: History, path: str) -> str:
    content = read_file(history.root, path, at_most=history.settings.max_file_bytes)
    if content is None or not is_text(content.data):
        return ""
    return as_utf8(content.data).decode("utf-8", "replace")


def _key_line(keys: tuple[str, ...], *, is_alone: bool = True) -> str:
    named = shown(few(keys, NAMED), keep_newlines=False)
    words = f"{len(keys):,} lines look like keys: {named}. Answers mask them"
    if len(keys) == 1:
        words = f"1 line looks like a key: {named}. Answers mask it"
    if is_alone:
        words += "; use a password manager"
    return f"{words}."
