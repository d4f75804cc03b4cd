"""Edits in files beside memory, for the digest: a small one in its words, others by counts of lines."""

from __future__ import annotations

from collections import Counter
from shlex import quote
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, WHOSE
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.authorship.intent import began_at
from clawgit.history.provenance.statement_changes import is_beside
from clawgit.history.reading.changed_words import read_word_changes
from clawgit.history.reading.git_log import WITH_FILES, read_changes
from clawgit.history.reading.rearranged import is_text_beside
from clawgit.memory.notes import is_agents_turn
from clawgit.runner.typed_lines import SHORT, News, author_in_words
from clawgit.text.markdown.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.reading.git_log import LoggedChange


def read_file_news(
    history: History, base_id: str | None, tip_id: str, claimed: Mapping[str, str]
) -> tuple[News, ...]:
    """Return the edits of files between two commits, without merges; the operator's come last.

    ``claimed`` commits are the operator's, except for lines labelled as the agent's. Edits of the operator are listed
    only if that takes few words.
    """
    began = began_at(history)
    edits: dict[str, list[LoggedChange]] = {}
    reach = [tip_id]
    if base_id is not None:
        reach.append(f"^{base_id}")
    for commit in read_changes(history, "--no-merges", *WITH_FILES, *reach):
        is_before = commit.op is None and commit.committed_at < began
        is_edit = commit.op is None or commit.op.startswith(KEEP_OP)
        if not is_edit or is_before:
            continue
        for step in commit.files:
            if is_beside(step.path) and is_text_beside(step.path):
                edits.setdefault(step.path, []).append(commit)
    of_others = []
    own = []
    for path, commits in edits.items():
        first, _ = history.around(commits[-1])
        if base_id is not None:
            first = history.tree_of(base_id)
        for news in _of_file(history, path, commits, (first, history.tree_of(tip_id)), claimed):
            if news.whose == WHOSE[OPERATOR]:
                own.append(news)
            else:
                of_others.append(news)
    return (*of_others, *own)


def _of_file(
    history: History,
    path: str,
    commits: Sequence[LoggedChange],
    since: tuple[Tree, Tree],
    claimed: Mapping[str, str],
) -> Iterator[News]:
    """Yield the effect of each commit, newest first, on a file present in both states: only what is new and still there."""
    first, last = since
    if first.entry(path) is None or last.entry(path) is None:
        return
    came = _lines(last, path) - _lines(first, path)
    left = _lines(first, path) - _lines(last, path)
    lines = set()
    counted: dict[str, tuple[int, int, str]] = {}  # by author: lines that came and left, and the command
    for commit in commits:
        base, made = history.around(commit)
        whose = author_in_words(commit, claimed)
        command = f"clawgit undo {commit.commit_id[:SHORT]}"
        changes = read_word_changes(base, made, path, since)
        if changes is None and whose != WHOSE[OPERATOR]:
            own = (_lines(made, path) - _lines(base, path)) & came
            taken = (_lines(base, path) - _lines(made, path)) & left
            came -= own
            left -= taken
            if own or taken:
                more, fewer, _ = counted.get(whose, (0, 0, ""))
                if whose in counted:
                    command = f"clawgit log --file {quote(path)}"
                counted[whose] = (more + own.total(), fewer + taken.total(), command)
        for change in changes or ():
            if change.words not in lines:
                lines.add(change.words)
                agent = claimed.get(commit.commit_id)
                if agent is not None and is_agents_turn(change.new, agent):
                    yield News(change.line, command, author_in_words(commit, ()))
                else:
                    yield News(change.line, command, whose)
    for whose, (more, fewer, command) in counted.items():
        yield News(f"{path} +{more} -{fewer}".replace(" +0", "").removesuffix(" -0"), command, whose)


def _lines(tree: Tree, path: str) -> Counter[bytes]:
    return Counter(split_lines(tree.read(path) or b""))
