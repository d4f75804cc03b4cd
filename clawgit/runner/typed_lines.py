"""The type of a piece of news; and lines of memory that somebody typed, with their earlier words."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.authorship.actors import OPERATOR, WHOSE, in_words
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.entries.statements import without_order
from clawgit.text.safety.control_characters import counted, few
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from clawgit.history.reading.git_log import LoggedChange
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
        words = redact(self.at.parts.statement)
        before = redact(self.before)
        if not before or before == words:
            return words
        return f"{words} (before: {before})"


def author_in_words(commit: LoggedChange, claimed: Container[str]) -> str:
    """Return the author of a commit; the operator, if the commit was claimed."""
    actor = commit.actor
    if commit.commit_id in claimed:
        actor = OPERATOR
    return commit.signed_by({commit.actor: in_words(actor)})


def corrections_of(at: EntryInFile, corrections: Iterable[Correction]) -> list[Correction]:
    """Return the corrections in force that name an entry, readings included, the first one first."""
    named = []
    for each in corrections:
        is_made = each.status in (Status.APPLIED, Status.UNDERSTOOD)
        if is_made and at.entry.entry_id in each.corrects:
            named.append(each)
    return named


def last_words(was: EntryInFile | None, corrections: Iterable[Correction]) -> str:
    """Return an entry's words before it was typed, with the corrections made since."""
    words = ""
    if was is not None:
        words = was.parts.statement
    for each in corrections:
        if not each.said or each.said not in words:
            words = each.said
        words = words.replace(each.said, each.correct) or each.correct
    return words


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
            yield News(each.shown, f"clawgit undo {each.commit.commit_id[:SHORT]}", by)
        rest = lines[len(shown) :]
        if rest:
            files = dict(Counter(map(attrgetter("at.path"), rest)).most_common())
            commits = sorted(set(map(attrgetter("commit.commit_id"), rest)))[:_NAMED]
            amount = counted(len(rest), f"{'more ' * bool(shown)}line")
            names = " ".join(name[:SHORT] for name in commits)
            yield News(f"{amount} in {few(list(files), _NAMED)}, by {by}", f"git show {names}")
