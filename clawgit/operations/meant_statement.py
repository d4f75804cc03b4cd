"""The statement that words, an id, a place or a commit mean: for `undo`, `forget`, `correct` and `why`."""

from __future__ import annotations

from contextlib import suppress
from itertools import filterfalse
from operator import itemgetter
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, UsageError
from clawgit.history.states import RevisionError, find_revision
from clawgit.history.undo import forgetting
from clawgit.operations.paths import line_named, looks_like_commit, workspace_path
from clawgit.plan import MESSAGE
from clawgit.text.comparing.subjects import shared_with, telling
from clawgit.text.words.everyday_words import meanings_of
from clawgit.understanding.evidence.orders_to_forget import NUMBERS, is_unwanted, to_forget
from clawgit.understanding.evidence.taking_back import is_of_another

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clawgit.capture.messages.message import ChatMessage
    from clawgit.history.git.repository import History

MOST_SEARCHED = 3
_BY_SEARCH = "No line has these words; a search finds what may say so."


def find_statement(history: History, what: str, now: datetime) -> forgetting.LinesMeant:
    """Return the lines that words, an id (`m:…`), a place (`PATH:LINE`) or a commit may mean."""
    if what.startswith("x:"):
        raise UsageError(f"{what} names a correction.", hint=f"`clawgit undo {what}` withdraws it.")
    if what.startswith(MESSAGE):
        raise UsageError(
            f"{what} is a message, and messages stay.",
            hint=f"`clawgit undo --source {what}` takes back what rests on it, also a whole note of its talk (`--dry-run` shows which)."
            ' Said in that talk, "forget what I said about X" takes your messages about X out of notes, search and prompts.',
        )
    if what.startswith("m:"):
        return forgetting.find_entry(history, what)
    place = line_named(history.root, what)
    if place is not None:
        return forgetting.find_place(history, workspace_path(history.root, place[0]), place[1])
    commit_id = commit_named(history, what, now)
    if commit_id is not None:
        return forgetting.find_brought(history, commit_id)
    try:
        return lines_like(history, what, now)
    except forgetting.NothingLikeItError as error:
        message = _unread_saying(history, what, now)
        if message is None:
            raise
        sentence = f"No line says anything like {what!r} yet: the next job reads your message {MESSAGE}{message.chat_id}."
        hint = "`clawgit run memory-miner` reads it now; what it keeps can be forgotten."
        raise ClawgitError(sentence, hint=hint) from error


def _missing(what: str, line: str) -> frozenset[str]:
    """Return the telling words of a request that a line has in no language."""
    there = forgetting.told_in(line)
    words = forgetting.told_in(what)
    missing = words - shared_with(words, there)
    return frozenset(filter(lambda word: there.isdisjoint(map(itemgetter(1), meanings_of(word))), missing))


def has_all(what: str, line: forgetting.StatementLine) -> bool:
    """Say whether a line has all that a request names, in some language; any number is the one that it names."""
    missing = _missing(what, line.text)
    return not missing or (all(map(NUMBERS.fullmatch, missing)) and any(map(str.isdigit, line.text)))


def _has_only_a_name(what: str, line: str) -> bool:
    """Say whether a line shares one word with a longer request, and as a name: Mei's shelf is not Mei's bicycle, nor `WD Red` red."""
    first, *others = line.split()
    small = _small(others).union(filter(meanings_of, telling(first)))
    words = frozenset(filterfalse(NUMBERS.fullmatch, forgetting.told_in(what)))
    return len(words - _missing(what, line)) == 1 < len(words) and not shared_with(words, small)


def _may_say(what: str, line: str, *, is_best: bool) -> bool:
    """Say whether a line has all words of a request in some language; the best also half, or none as written but its names and numbers."""
    missing = _missing(what, line)
    words = telling(what)
    if not (missing and is_best):
        return not missing
    if shared_with(words, telling(line)):
        is_half = 2 * len(missing) <= len(words)
        return is_half and not (_has_only_a_name(what, line) or is_of_another(line, what))
    return len(words) == 1 or not any(filterfalse(meanings_of, missing - _small(what.split())))


def _small(words: Iterable[str]) -> frozenset[str]:
    return telling(" ".join(filter(str.islower, words)))


def lines_like(history: History, what: str, now: datetime) -> forgetting.LinesMeant:
    """Return the lines with these words, of guesses none with a name alone; else those that a search finds first in other words."""
    try:
        meant = forgetting.find_lines(history, what)
        if meant.is_sure:
            return meant
        lines = tuple(filterfalse(lambda line: _has_only_a_name(what, line.statement.words), meant.lines))
        if lines:
            return meant._replace(lines=lines)
        raise forgetting.no_line(history, what, what)
    except forgetting.NothingLikeItError as error:
        lines = _lines_searched(history, what, now)
        if lines:
            return forgetting.LinesMeant(lines, is_sure=False, note=_BY_SEARCH)
        from clawgit.recall.recall_status import held_in_prompt

        # of a file of the agent's prompt: git may not have it, or its words in another form
        places = held_in_prompt(history, what, now)
        if not places:
            raise
        sentence = f"No line of memory says anything like {what!r}. {places}"
        raise forgetting.NothingLikeItError(sentence, hint="Edit it there.") from error


def _lines_searched(history: History, what: str, now: datetime) -> tuple[forgetting.StatementLine, ...]:
    """Return the lines that answer in the first hits of a search: they say it in other words, also translated."""
    from clawgit.recall.search import search
    from clawgit.recall.search_results import Query

    if not telling(what):
        return ()
    lines: list[forgetting.StatementLine] = []
    answer = search(history, Query(what, MOST_SEARCHED), now)
    for result in answer.results:
        is_best = result.score == answer.results[0].score
        with suppress(ClawgitError):
            (line,) = forgetting.find_place(history, result.path, result.best).lines
            if result.best not in result.silent and _may_say(what, line.statement.words, is_best=is_best):
                lines.append(line)
    return tuple(forgetting.of_its_number(forgetting.without_orders(lines, what), what))


def _unread_saying(history: History, what: str, now: datetime) -> ChatMessage | None:
    """Return a message of the operator's that no job has read, and that has all telling words of ``what``."""
    from clawgit.capture.messages.open_messages import has_messages, open_messages

    if not has_messages(history):
        return None
    with open_messages(history, now) as store:
        for message in store.to_mine():
            is_order = to_forget(message.text) or is_unwanted(message.text)
            if message.is_operator and not is_order and telling(what) <= telling(message.text):
                return message
    return None


def commit_named(history: History, what: str, now: datetime) -> str | None:
    """Return the commit with ``what`` as its id or the beginning of it, or its copy on this branch; None for anything else."""
    if looks_like_commit(what):
        from clawgit.history.authorship.rewritten import commit_here

        with suppress(RevisionError):
            commit = find_revision(history, what, now).commit
            if commit.commit_id.startswith(what):  # `20260302` may be a day
                return commit_here(history, commit).commit_id
    return None


def is_place(history: History, what: str, now: datetime) -> bool:
    return line_named(history.root, what) is not None or commit_named(history, what, now) is not None


def one_statement(history: History, what: str, now: datetime) -> forgetting.StatementLine:
    """Return the only statement that is surely meant; raise with the candidates if there is none."""
    meant = find_statement(history, what, now)
    if len(meant.lines) == 1 and meant.is_sure:
        return meant.lines[0]
    named = []
    for line in meant.lines[:5]:
        named.append(f'{line.mark or line.place} "{line.statement.words}"')
    raise ClawgitError(f"{what} may mean: {', '.join(named)}.", hint="Name it by its id or place.")
