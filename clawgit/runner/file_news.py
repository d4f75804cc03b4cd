"""What somebody edited in files beside memory, for the digest: a small edit in its words, another by its count of lines."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from clawgit.history.authorship.actors import OPERATOR, WHOSE
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.authorship.intent import began_at
from clawgit.history.provenance.statement_changes import is_beside
from clawgit.history.reading.changed_words import read_word_changes
from clawgit.history.reading.git_log import WITH_FILES, read_changes
from clawgit.history.reading.rearranged import is_text_beside
from clawgit.runner.typed_lines import SHORT, News, author_in_words
from clawgit.text.markdown.lines import line_changes

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.reading.git_log import LoggedChange


def read_file_news(
    history: History, base_id: str | None, tip_id: str, claimed: Container[str]
) -> tuple[News, ...]:
    """Return what differs in the files that somebody edited between two commits, what the operator edited last.

    ``claimed`` commits are his. Files of his are told where that takes few words.
    """
    began = began_at(history)
    edits: dict[str, list[LoggedChange]] = {}
    reach = [tip_id]
    if base_id is not None:
        reach.append(f"^{base_id}")
    for commit in read_changes(history, *WITH_FILES, *reach):
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
        for news in _of_file(history, path, commits, tip_id, claimed):
            if news.whose == WHOSE[OPERATOR]:
                own.append(news)
            else:
                of_others.append(news)
    return (*of_others, *own)


def _of_file(
    history: History, path: str, commits: Sequence[LoggedChange], tip_id: str, claimed: Container[str]
) -> Iterator[News]:
    """Yield what some commits, the newest first, made of a file that there was, up to now."""
    base, _ = history.around(commits[-1])
    tip = history.tree_of(tip_id)
    old = base.read(path)
    new = tip.read(path)
    if old is None or new is None:
        return
    names: dict[str, None] = {}
    for commit in commits:
        names[author_in_words(commit, claimed)] = None
    whose = " and ".join(names)
    command = f"clawgit log --file {quote(path)}"
    if len(commits) == 1:
        command = f"clawgit undo {commits[0].commit_id[:SHORT]}"
    changes = read_word_changes(base, tip, path)
    for change in changes:
        yield News(change.line, command, whose)
    came, left = line_changes(old, new)
    if not changes and (came or left) and whose != WHOSE[OPERATOR]:
        yield News(f"{path} +{came} -{left}", command, whose)
