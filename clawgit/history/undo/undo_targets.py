"""The changes that a request for an undo names, by commit, op, run or source, and what rests on them; and one of them as a step of texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, filterfalse, takewhile
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.commit_messages import FILES_ALONE
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP
from clawgit.history.git.objects import RESTS_ON
from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import standing_corrections
from clawgit.history.provenance.trust_lookup import present_fold, renewed_fold
from clawgit.history.reading.git_log import LoggedChange, read_changes
from clawgit.history.transaction.working_tree import is_file
from clawgit.memory.corrections.correction_log import Correction, read_corrections
from clawgit.memory.corrections.write_correction import shortened
from clawgit.memory.entries.entries import is_made_from, line_name, marks_in
from clawgit.memory.entries.tiers import holds_entries, is_correction_file
from clawgit.memory.provenance.pieces import ENTRY, Seen
from clawgit.memory.undo.text_units import reworded
from clawgit.memory.undo.unit_steps import StepPart, TextStep, carrying, keeping_ids, limited_to
from clawgit.plan import MESSAGE
from clawgit.text.trailers import REVERTS
from clawgit.workspace.layout import AGENT_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.git.objects import Commit, TreeEntry
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Pair, Tree
    from clawgit.history.provenance.fold_store import FoldStore

_CARRY = ("words", "correction")
SESSION_NOTE = "session: "  # begins the subject of the change that keeps a session
SHORT = 7


def changes_of(history: History, marks: Iterable[str], among: Sequence[Commit]) -> dict[str, list[Commit]]:
    """Return mark (`m:7k2x9d`, `x:4f1c`) → those of these changes that brought or reworded it, oldest first."""
    names = [mark for mark in marks if mark.startswith(("m:", "x:"))]
    if not names:
        return {}
    branch = {commit.commit_id: commit for commit in among}
    changes = {}
    with renewed_fold(history) as store:
        for mark in names:
            carrying: dict[str, Commit] = {}
            for row in store.seen(mark.removeprefix("m:")):
                if row.kind in _CARRY and row.commit_id in branch:
                    carrying[row.commit_id] = branch[row.commit_id]
            changes[mark] = list(carrying.values())
    return changes


def stands_in(tree: Tree, mark: str) -> bool:
    """Say whether a state has an entry or a correction (`m:7k2x9d`, `x:4f1c`); a mere reference to it does not count."""
    if mark.startswith("x:"):
        return mark.removeprefix("x:") in standing_corrections(tree)
    return any(mark.removeprefix("m:") in marks_in(tree.read(path) or b"") for path in entry_files(tree))


def taken_out_by(history: History, mark: str) -> Commit | None:
    """Return the newest change after which no file had the entry, None if there is none."""
    with present_fold(history) as store:
        rows = store.course_of(mark.removeprefix("m:"))
    if rows and rows[-1].kind == "left":
        commit: Commit = history.objects.commit(rows[-1].commit_id)
        return commit
    return None


class UndoError(ClawgitError):
    """There is nothing of that name to undo."""


ACTOR, EVIDENCE = "actor:", "evidence:"


class ChangeSource(NamedTuple):
    """A source of changes: an actor or evidence by name (`host`, `web:example.org`, maybe `actor:…`), or the messages ``cited``."""

    name: str
    cited: frozenset[str] = frozenset()

    def is_of(self, commit: LoggedChange) -> bool:
        """Say whether the source made a change, or the change rests on it; a merge is not a change."""
        return len(commit.parent_ids) < 2 and (self.made(commit) or self.is_behind(commit.evidence))

    def made(self, commit: LoggedChange) -> bool:
        return not self.cited and not self.name.startswith(EVIDENCE) and commit.actor == self._bare

    def is_behind(self, evidence: Iterable[str]) -> bool:
        named = (item.partition(" ")[0] for item in evidence)
        if self.cited or self.name.startswith(ACTOR):
            return any(item in self.cited for item in named)
        below = (self._bare + ":", self._bare + "/")
        return any(item == self._bare or item.startswith(below) for item in named)

    @property
    def _bare(self) -> str:
        return self.name.strip().removeprefix(ACTOR).removeprefix(EVIDENCE).rstrip(":/")


class Changes:
    """Every commit of the branch, children before parents, read once."""

    def __init__(self, history: History) -> None:
        self._history = history
        tip = history.tip().commit_id
        self.all = [] if tip is None else list(read_changes(history, "--topo-order", tip))

    def called(self, word: str) -> list[LoggedChange]:
        """Return the changes with that op or run, else the one commit that git resolves the word to."""
        named = [commit for commit in self.all if word in commit.message and word in names_of(commit)]
        if named:
            return named
        commit = self._history.commit_named(word) if word else None
        if commit is None:
            return []
        named = self._of_id(commit.commit_id)
        if not named:
            from clawgit.history.authorship.rewritten import commit_here

            named = self._of_id(commit_here(self._history, commit).commit_id)
        if not named:
            sentence = f"{word} ({commit.subject}) is not part of this branch, and no commit here has its author, date and message."
            raise UndoError(sentence, hint="`git log` lists what is here.")
        return named

    def _of_id(self, commit_id: str) -> list[LoggedChange]:
        return [each for each in self.all if each.commit_id == commit_id]

    def of_source(self, source: ChangeSource) -> list[LoggedChange]:
        return list(filter(source.is_of, self.all))

    def of_actors(self, actors: Collection[str], since: datetime) -> list[LoggedChange]:
        """Return the changes of some actors since then that were not taken back, without merges and the adoption."""
        made = []
        for each in self.all:
            if (each.trailers.first("Clawgit-Op") or "").startswith((INIT_OP, ADOPTION_OP)):
                break
            is_recent = each.committed_at >= since.timestamp() and len(each.parent_ids) < 2
            if is_recent and each.actor in actors and self.taking_back(each) is None:
                made.append(each)
        return made

    def resting_on(
        self, names: Collection[str], chosen: Collection[str] = (), spared: Collection[str] = ()
    ) -> list[LoggedChange]:
        """Return other changes, newest first, that rest on these or on what they brought (but ``spared`` entries), directly or not."""
        names_known = set(names)
        along: list[LoggedChange] = []
        evidence = {}
        for commit in reversed(self.all):
            if commit.commit_id not in chosen and RESTS_ON in commit.message:
                evidence[commit] = [item.partition(" ")[0] for item in commit.trailers.all(RESTS_ON)]
        brought = changes_of(self._history, chain.from_iterable(evidence.values()), self.all)
        for commit, words in evidence.items():
            named = list(words)
            for word in words:
                if word.removeprefix("m:") not in spared:
                    named += map(attrgetter("commit_id"), brought.get(word, ())[:1])
            if any(_is_named(word, names_known) for word in named):
                along.append(commit)
                names_known |= names_of(commit)
        return along[::-1]

    def names_alone(self, commit: Commit) -> set[str]:
        """Return the names of this change alone: its run counts if that made only this change."""
        names = names_of(commit)
        run = commit.trailers.first("Clawgit-Run")
        if run and len(self.called(run)) > 1:
            names.remove(run)
        return names

    def taking_back(self, commit: Commit) -> Commit | None:
        """Return the newest change that took a commit back, and that was not taken back itself.

        What took back only what it did to the soul, or to one file, besides other files, does not count.
        """
        for each in self.all:
            if REVERTS not in each.message or commit.commit_id not in each.message:
                continue
            is_named = commit.commit_id in (each.trailers.first(REVERTS) or "").split()
            is_part = False
            if is_named and each.subject.startswith(FILES_ALONE):
                is_part = not steps_of(self._history, commit).keys() <= steps_of(self._history, each).keys()
            if is_named and not is_part and self.taking_back(each) is None:
                return each
        return None


def find_source(changes: Changes, name: str, messages: Mapping[str, frozenset[str]]) -> ChangeSource:
    """Return the source of that name: by the names in changes, or a source of ``messages``."""
    sources: dict[frozenset[str], str] = {}
    for word, cited in messages.items():
        sources.setdefault(cited, word)  # names with the same messages are one source
    unread = sources.pop(frozenset(), "")
    meant = [ChangeSource(word, cited) for cited, word in sources.items()]
    own = ChangeSource(name)
    if not messages or name.startswith((ACTOR, EVIDENCE, MESSAGE)):
        return own
    own_changes = changes.of_source(own)
    if unread and not own_changes and not meant:
        raise UndoError(
            f"Which messages {unread} holds is not known: they are kept no longer, or were imported before that was noted.",
            hint="`clawgit chat import --again FILE` notes it.",
        )
    if own_changes:
        kind = ACTOR if any(map(own.made, own_changes)) else EVIDENCE
        meant.insert(0, ChangeSource(f"{kind}{name}"))
    if len(meant) > 1:
        words = list(map(attrgetter("name"), meant))
        sentence = f"{name} could be {', '.join(words[:-1])} or {words[-1]}."
        raise UsageError(sentence, hint=f"Write one of them, such as `--source {words[0]}`.")
    if meant:
        return meant[0]
    return own


def names_of(commit: Commit) -> set[str]:
    op = commit.trailers.first("Clawgit-Op")
    run = commit.trailers.first("Clawgit-Run")
    return {commit.commit_id, *(name for name in (op, run) if name)}


def _is_named(word: str, names: Collection[str]) -> bool:
    return word in names or (len(word) >= SHORT and any(name.startswith(word) for name in names))


class Shares(NamedTuple):
    """The part of some changes that rests on a source: ``parts`` of changes that also rest on others, ``entries`` of the rest.

    ``others`` are the entries that rest on another source, ``again`` those that another message repeats, ``untouched`` those
    of both that the source did not touch otherwise.
    """

    parts: Mapping[str, StepPart] = {}
    entries: Mapping[str, StepPart] = {}
    others: frozenset[str] = frozenset()
    again: frozenset[str] = frozenset()
    untouched: frozenset[str] = frozenset()


WHOLE_CHANGES = Shares()


def shares_of(history: History, commits: Iterable[LoggedChange], source: ChangeSource) -> Shares:
    """Return the part of these changes that rests on a source; its own acts do as a whole."""
    resting = {each.commit_id: each for each in commits if not source.made(each)}
    parts: dict[str, StepPart] = {}
    whole: dict[str, StepPart] = {}
    others: set[str] = set()
    again: set[str] = set()
    own: set[str] = set()
    brought: dict[str, list[Seen]] = {}
    with renewed_fold(history) as store:
        for row in store.brought_by(list(resting)):
            brought.setdefault(row.commit_id, []).append(row)
        for name, commit in resting.items():
            lines = frozenset(commit.trailers.all("Clawgit-Line"))
            ids: set[str] = set()
            on_it: set[str] = set()
            repeated: set[str] = set()
            has_moved = False
            for row in brought.get(name, ()):
                if _only_went(history, store, commit, row):
                    has_moved = True
                    continue
                ids.add(row.entry_id)
                if source.is_behind(row.said.split("\n")):
                    on_it.add(row.entry_id)
                    if _is_said_by_others(source, row, store.seen(row.entry_id), lines):
                        repeated.add(row.entry_id)
            cited = [item.partition(" ")[0] for item in commit.evidence if source.is_behind([item])]
            names = frozenset(each.removeprefix("x:") for each in on_it - repeated)
            part = StepPart(names, frozenset(cited), lines)
            # an agent also moves entries without naming them
            has_moved = has_moved and commit.trailers.first("Clawgit-Actor") in AGENT_NAMES
            if ids - on_it or repeated or has_moved or (lines and len(cited) < len(commit.evidence)):
                parts[name] = part
            elif names:
                whole[name] = part
            others |= ids - on_it
            again |= repeated
            own |= on_it - repeated
    untouched = frozenset((others | again) - own)
    return Shares(parts, whole, frozenset(others), frozenset(again), untouched)


def _only_went(history: History, store: FoldStore, commit: Commit, row: Seen) -> bool:
    """Say whether a change only moved an entry: its words were there before."""
    if row.before == row.words:
        return True
    origin = store.origin(ENTRY + row.words)
    if row.kind != "words" or origin is None or origin.commit_id == row.commit_id:
        return False
    tree = history.tree_of(commit.parent_ids[0]) if commit.parent_ids else None
    texts = () if tree is None else (tree.read(path) or b"" for path in entry_files(tree))
    return any(row.words.encode() in text for text in texts)


def _is_said_by_others(source: ChangeSource, row: Seen, life: Sequence[Seen], lines: frozenset[str]) -> bool:
    """Say whether another message also made the entry, or mentioned it before it was reworded."""
    for item in row.said.split("\n"):
        cited = item.partition(" ")[0]
        gives = is_made_from(row.entry_id, row.words, cited) or line_name(row.words, cited) in lines
        if gives and not source.is_behind([item]):
            return True
    since = life[life.index(row) + 1 :]
    same = takewhile(lambda each: each.kind != "words" or each.words == row.words, since)
    return any(each.kind == "mention" and not source.is_behind([each.said]) for each in same)


def steps_of(history: History, commit: Commit) -> dict[str, Pair]:
    """Return path → entries before and after a commit; empty for a merge and a first commit."""
    if len(commit.parent_ids) != 1:
        return {}
    before, made = history.around(commit)
    return made.changed(before)


@dataclass(frozen=True)
class OneChange:
    """A commit as a step from its parent's state, or only one correction or ``part`` of it.

    Without changes of ``spared`` entries, and without ids that it gave to ``held`` ones.
    """

    commit: Commit
    before: Tree
    made: Tree
    all_steps: dict[str, Pair]
    only: Correction | None = None
    part: StepPart | None = None
    spared: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    _texts: dict[str, TextStep] = field(default_factory=dict, compare=False)

    @cached_property
    def steps(self) -> dict[str, Pair]:
        """Return path → entries before and after.

        For a part, only files in which it changed text, as if none had moved or changed mode. For a change that answered an open
        correction, only files of entries, and the one with the line that it set right.
        """
        if self.only is None and self.part is None:
            return self.all_steps
        moved = {path for pair in moves_among(self.all_steps).items() for path in pair}
        steps = {}
        for path, (old, new) in self.all_steps.items():
            may_hold = path.endswith(".md")
            # the answer goes with the change that brought the question
            if self.only is not None and is_correction_file(path):
                may_hold = self.only.correction_id not in self._corrections_in(self.before)
            elif self.only is not None:
                may_hold = holds_entries(path) or self.only_corrects_line(path, self.only)
            if path in moved or not may_hold:
                continue
            step = self.text_step(path)
            if step.before != step.made:
                in_one_mode = old if old is None or new is None else old._replace(mode=new.mode)
                steps[path] = (in_one_mode, new)
        return steps

    def _corrections_in(self, tree: Tree) -> dict[str, Correction]:
        here: dict[str, Correction] = {}
        for path in filter(is_correction_file, self.all_steps):
            here |= {each.correction_id: each for each in read_corrections(tree.read(path) or b"", path)}
        return here

    @cached_property
    def corrections(self) -> dict[str, Correction]:
        new = self._corrections_in(self.made)
        for key in self._corrections_in(self.before):
            new.pop(key, None)
        if self.part is not None:
            for key in new.keys() - self.part.ids:
                new.pop(key)
        return {key: each for key, each in new.items() if self.only is None or key == self.only.correction_id}

    @cached_property
    def corrected_entries(self) -> frozenset[str]:
        made = [*self.corrections.values(), *([] if self.only is None else [self.only])]
        return frozenset(entry_id for each in made for entry_id in each.corrects)

    def text_step(self, path: str) -> TextStep:
        if path in self._texts:
            return self._texts[path]
        yielding = self.corrected_entries
        before, made = map(self._text, self.all_steps.get(path, (None, None)))
        step = keeping_ids(TextStep(before, made, path, yielding=yielding), self.held & yielding)
        if self.only is not None and self.only_corrects_line(path, self.only):
            pass  # the line has no id, and the change did nothing else
        elif self.only is not None:
            ids = {self.only.correction_id} if is_correction_file(path) else self.only.corrects
            step = limited_to(step, StepPart(frozenset(ids)))
        else:
            if self.part is not None:
                step = limited_to(step, self.part)
            if self.spared:
                step = limited_to(step, StepPart(self.spared, is_rest=True))
        self._texts[path] = step
        return step

    def carry(self, present: Mapping[str, bytes]) -> int:
        """Have the lines that it moved between these files keep their present words; return how many are gone since, and stay so."""
        steps = list(map(self.text_step, present))
        if len(steps) < 2 or all(step.made == present[step.path] for step in steps):
            return 0
        steps, gone = carrying(steps, list(present.values()))
        self._texts.update({step.path: step for step in steps})
        return gone

    def only_corrects_line(self, path: str, correction: Correction) -> bool:
        """Say whether, beside the ledgers, it changed one line of ``path``, that this corrects and that is no entry with an id."""
        if correction.corrects or self._beside_ledgers != [path]:
            return False
        before, made = map(self._text, self.all_steps[path])
        changed = reworded(before, made, path)
        if len(changed) != 1:
            return False
        return tuple(map(shortened, changed[0])) == (correction.said, correction.correct)

    @cached_property
    def _beside_ledgers(self) -> list[str]:
        return list(filterfalse(is_correction_file, self.all_steps))

    def _text(self, entry: TreeEntry | None) -> bytes:
        if entry is None or not is_file(entry):
            return b""
        return self.made.objects.blob(entry.object_id)


def moves_among(all_steps: dict[str, Pair]) -> dict[str, str]:
    left, came = {}, {}
    times: Counter[str] = Counter()
    for path, (old, new) in all_steps.items():
        times.update(entry.object_id for entry in (old, new) if entry is not None)
        if new is None and old is not None and is_file(old):
            left[old.object_id] = path
        elif old is None and new is not None and is_file(new):
            came[new.object_id] = path
    return {path: came[blob] for blob, path in left.items() if blob in came and times[blob] == 2}
