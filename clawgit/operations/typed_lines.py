"""The type of a piece of news; lines of memory that somebody typed, and edits of other lines and files."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, WHOSE, in_words
from clawgit.history.authorship.commit_messages import KEEP_OP
from clawgit.history.authorship.intent import began_at
from clawgit.history.provenance.statement_changes import is_told_by_lines
from clawgit.history.reading.changed_words import other_lines, read_word_changes
from clawgit.history.reading.git_log import WITH_FILES, LoggedChange, read_changes
from clawgit.history.reading.rearranged import is_text_beside
from clawgit.memory.entries.statements import without_order
from clawgit.memory.notes import is_agents_turn
from clawgit.text.safety.control_characters import counted, few
from clawgit.text.safety.secrets import redact
from clawgit.understanding.forms.user_words import as_said

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.memory.corrections.write_correction import EntryInFile

SHORT = 12
MOST_TYPED = 3  # lines of one author that are shown
_NAMED = 5  # files and commits named in a sentence


class News(NamedTuple):
    """A piece of news, and the command that takes it back or answers it; its author, and the sentence behind it."""

    text: str
    command: str
    whose: str = ""
    quote: str = ""

    @property
    def source(self) -> str:
        if self.quote and without_order(self.quote).casefold() not in self.text.casefold():
            return f'{self.whose}: "{self.quote}"'
        return self.whose


class TypedLine(NamedTuple):
    """An entry that somebody typed, its earlier words (empty if new), the commit, and the author in words."""

    at: EntryInFile
    before: str
    commit: LoggedChange
    by: str

    @property
    def shown(self) -> str:
        words = as_said(redact(self.at.parts.statement))
        before = as_said(redact(self.before))
        if not before or before == words:
            return words
        return f"{words} (before: {before})"


def author_in_words(commit: LoggedChange, claimed: Container[str]) -> str:
    """Return the author of a commit; the operator, if the commit was claimed."""
    actor = OPERATOR if commit.commit_id in claimed else commit.actor
    return commit.signed_by({commit.actor: in_words(actor)})


def undo_of(commit: LoggedChange, path: str) -> str:
    """Return the command that takes back what a commit did to a file: of an edit of several files, this one alone."""
    is_edit = commit.op is None or commit.op.startswith(KEEP_OP)
    if is_edit and len(commit.files) > 1 and len(commit.parent_ids) < 2:
        return f"{commit.way_back} {quote(path)}"
    return commit.way_back


def typed_news(typed: Iterable[TypedLine]) -> Iterator[News]:
    """Yield each author's lines: a few in words (of the operator only changed ones), the rest as counts by place."""
    by_author: dict[str, list[TypedLine]] = {}
    for each in typed:
        by_author.setdefault(each.by, []).append(each)
    for by, lines in by_author.items():
        lines.sort(key=lambda line: not line.before)
        shown = lines[:MOST_TYPED]
        if by == WHOSE[OPERATOR]:
            shown = list(filter(attrgetter("before"), shown))
        for each in shown:
            yield News(each.shown, undo_of(each.commit, each.at.path), by)
        rest = lines[len(shown) :]
        if rest:
            files = dict(Counter(map(attrgetter("at.path"), rest)).most_common())
            commits = sorted(set(map(attrgetter("commit.commit_id"), rest)))[:_NAMED]
            amount = counted(len(rest), f"{'more ' * bool(shown)}line")
            names = " ".join(name[:SHORT] for name in commits)
            yield News(f"{amount} in {few(list(files), _NAMED)}, by {by}", f"git show {names}")


def read_file_news(
    history: History, base_id: str | None, tip_id: str, claimed: Mapping[str, str]
) -> tuple[News, ...]:
    """Return the edits of files between two commits, without merges; the operator's come last.

    ``claimed`` commits are the operator's, except for lines labelled as the agent's. Edits of the operator are listed
    only if that takes few words.
    """
    began = began_at(history)
    edits: dict[str, list[LoggedChange]] = {}
    reach = [tip_id] if base_id is None else [tip_id, f"^{base_id}"]
    for commit in read_changes(history, "--no-merges", *WITH_FILES, *reach):
        is_edit = commit.made_at >= began if commit.op is None else commit.op.startswith(KEEP_OP)
        for step in commit.files if is_edit else ():
            if is_told_by_lines(step.path) and is_text_beside(step.path):
                edits.setdefault(step.path, []).append(commit)
    news: list[News] = []
    for path, commits in edits.items():
        first, _ = history.around(commits[-1])
        if base_id is not None:
            first = history.tree_of(base_id)
        news += _of_file(history, path, commits, (first, history.tree_of(tip_id)), claimed)
    return tuple(sorted(news, key=lambda each: each.whose == WHOSE[OPERATOR]))


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
    counts: dict[str, tuple[int, int, str]] = {}  # by author: lines that came and left, and the command
    for commit in commits:
        base, made = history.around(commit)
        whose = author_in_words(commit, claimed)
        command = undo_of(commit, path)
        changes = read_word_changes(base, made, path, since)
        if changes is None and whose != WHOSE[OPERATOR]:
            own = (_lines(made, path) - _lines(base, path)) & came
            taken = (_lines(base, path) - _lines(made, path)) & left
            came -= own
            left -= taken
            if own or taken:
                more, fewer, _ = counts.get(whose, (0, 0, ""))
                if whose in counts:
                    command = f"clawgit log --file {quote(path)}"
                counts[whose] = (more + own.total(), fewer + taken.total(), command)
        for change in changes or ():
            if change.words not in lines:
                lines.add(change.words)
                agent = claimed.get(commit.commit_id)
                is_agents = agent is not None and is_agents_turn(change.new, agent)
                yield News(change.line, command, author_in_words(commit, ()) if is_agents else whose)
    for whose, (more, fewer, command) in counts.items():
        yield News(f"{path} +{more} -{fewer}".replace(" +0", "").removesuffix(" -0"), command, whose)


def _lines(tree: Tree, path: str) -> Counter[str]:
    return Counter(filter(None, other_lines(tree, path)))
