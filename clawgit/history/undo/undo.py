"""`undo`: finds the meaning of a word (an entry, a correction, a commit, a run, a source), what rests on it, and reverts it."""

from __future__ import annotations

from itertools import chain, filterfalse
from operator import attrgetter
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clawgit.history.apply_plan import Recorded, apply_plan, repeated
from clawgit.history.authorship.actors import OPERATOR, RUNNER
from clawgit.history.guards.check import check, opened
from clawgit.history.provenance.correction_files import (
    refuse_withdrawal,
    standing_corrections,
    withdrawal_trailers,
)
from clawgit.history.provenance.trust_lookup import present_fold
from clawgit.history.transaction.working_tree import Draft, changed_files
from clawgit.history.undo.take_back import UNDO, Taken, Taking, take_back
from clawgit.history.undo.undo_targets import (
    SESSION_NOTE,
    WHOLE_CHANGES,
    Changes,
    ChangeSource,
    OneChange,
    Shares,
    UndoError,
    changes_of,
    find_source,
    names_of,
    shares_of,
    stands_in,
    steps_of,
    taken_out_by,
)
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.memory.entries.entries import lines_saying, marks_in
from clawgit.memory.entries.statements import parted
from clawgit.memory.entries.tiers import is_correction_file, is_identity, is_standing
from clawgit.memory.entry_states import NO_CLASS
from clawgit.memory.undo.unit_steps import StepPart, limited_to
from clawgit.plan import FORGET, MESSAGE, Evidence, Plan
from clawgit.text.lazy_pattern import lazy_pattern
from clawgit.text.safety.control_characters import few
from clawgit.text.safety.secrets import redact_talk
from clawgit.text.trailers import REVERTS, SUBJECT_LIMIT
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.safe_files import FileContent, data_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.git.trees import Tree
    from clawgit.history.guards.finding import Finding
    from clawgit.history.reading.git_log import LoggedChange
    from clawgit.text.markdown.merge_lines import Conflict

    MessagesCalled: TypeAlias = Callable[[str], Mapping[str, frozenset[str]]]

MOST_NAMED = 5
CLASS = "Clawgit-Class"


class RevertConflictError(UndoError):
    """Later changes (``later``: `x:…` or commits) rewrote what the change brought; nothing was written."""

    def __init__(self, conflicts: dict[str, tuple[Conflict, ...]], later: Sequence[str]) -> None:
        named = [f"{path} near line {path_conflicts[0].line}" for path, path_conflicts in conflicts.items()]
        lists = f"`clawgit soul log --file {quote(next(iter(conflicts)))}` lists them"
        first = " and ".join(f"`clawgit undo {each}`" for each in later[:MOST_NAMED]) or lists
        super().__init__(
            f"Later changes touch the same lines: {few(named, MOST_NAMED)}. Nothing was written.",
            hint=f"Take the later change back first ({first}), or edit the file and commit that yourself.",
        )
        self.conflicts = conflicts


def find_remarks(history: History, undoing: Undoing, intent: Intent) -> tuple[Finding, ...]:
    tree = history.tip().tree
    plan = undoing_plan(undoing.taking, undoing.taken, "")
    intent = _declared(intent, tree, undoing)
    return check(tree, Draft(tree, undoing.taken.contents), intent, history.settings, plan=plan)


def _check_commits(commits: Sequence[Commit]) -> None:
    """Refuse a commit that is not a single change."""
    for commit in commits:
        if len(commit.parent_ids) > 1:
            name = commit.commit_id[:12]
            lists = f"`git log {name}^..{name}` lists what it brought: take those back one by one."
            raise UndoError(f"{name} is a merge, so it is not one change.", hint=lists)
        if not commit.parent_ids:
            sentence = f"{commit.commit_id[:12]} ({commit.subject}) is where this history begins, so nothing was before it."
            hint = "Take back what came later, or remove files yourself and `clawgit keep`."
            raise UndoError(sentence, hint=hint)


def _declared(intent: Intent, tree: Tree, undoing: Undoing) -> Intent:
    losing = paths_losing_words(tree, undoing.taken.contents)
    return intent._replace(losses=dict.fromkeys(losing, f"taken back: {undoing.taking.name}") or None)


def paths_losing_words(tree: Tree, contents: Mapping[str, FileContent | None]) -> list[str]:
    """Return the Markdown files that lose words which none of these files will have; the ledgers have their own guard."""
    texts = {}
    for path, content in contents.items():
        if path.endswith(".md") and not is_correction_file(path):
            texts[path] = data_of(content) or b""
    then = lines_saying(texts.values())
    return [path for path in texts if lines_saying([tree.read(path) or b""]) - then]


REDO = "redo"
_TAKINGS = (f"{UNDO}: ", f"{FORGET}: ")  # begin the subjects of changes that take something back
_TAKEN_BACK = lazy_pattern(rf"(?P<verb>{UNDO}|{REDO}): (?:x:[^:]* withdrawn: )?")


def undoing_plan(taking: Taking, taken: Taken, reason: str) -> Plan:
    edits = changed_files(taken.contents)
    names = [*map(attrgetter("commit_id"), taking.commits), *taking.marks]
    classes: dict[str, tuple[str, str]] = {}
    if not taking.paths:
        for marked in chain.from_iterable(commit.trailers.all(CLASS) for commit in taking.commits):
            name = marked.partition(" ")[0]
            classes[name] = (CLASS, f"{name} {NO_CLASS}")
    trailers = []
    if (edits or classes) and names:
        trailers.append((REVERTS, " ".join(names)))
    trailers += [*withdrawal_trailers(taken.withdrawn), *classes.values()]
    ids = ", ".join(f"x:{correction.correction_id}" for correction in taken.withdrawn)
    verb, name = taking.verb, taking.name
    before = _TAKEN_BACK.match(name)  # an undo of an undo has one prefix, however often it is repeated
    if before is not None and verb == UNDO:
        verb, name = REDO if before["verb"] == UNDO else UNDO, name[before.end() :]
    summary = f"{verb}: {name}"
    if ids and taking.correction is None:  # first, since a long line is cut
        summary = f"{verb}: {ids} withdrawn: {name}"
    elif ids:
        summary += ", withdrawn"
    return Plan(summary, edits, reason, trailers=tuple(trailers), verbatim=True)


def quoted(words: str, beside: str = "") -> str:
    """Return a statement in quotation marks, cut to leave room for ``beside`` in a subject."""
    statement = redact_talk(" ".join(parted(words).statement.split()))
    room = SUBJECT_LIMIT - len(f'forget: "" ({beside})')
    if len(statement) > room:
        statement = f"{statement[: room - 1].rstrip()}…"
    return f'"{statement}"'


_LISTED = (
    "`clawgit runs`, `clawgit corrections`, `clawgit memory list` and `git log` list what can be undone."
)


_ID = lazy_pattern("[0-9a-f]{7,40}")  # of a commit


class Undoing(NamedTuple):
    """What would be taken back, which of it only rests on the rest, and the resulting files.

    ``earlier`` is a change that took it back already, if nothing is left to do. ``spared`` are jobs' changes that stay, since they keep
    the operator's own words.
    """

    taking: Taking
    along: tuple[Commit, ...]
    taken: Taken
    earlier: Commit | None = None
    spared: tuple[LoggedChange, ...] = ()


def find_undoing(
    history: History, word: str = "", *, source: str = "", messages: MessagesCalled = lambda _: {}
) -> Undoing:
    """Return what `undo` would take back; ``messages`` returns the messages of a source."""
    changes = Changes(history)
    if source:
        meant = find_source(changes, source.strip(), messages(source.strip()))
        return _of_source(history, changes, meant, changes.of_source(meant))
    word = word.strip()
    if word.startswith("x:"):
        return _of_correction(history, changes, word.removeprefix("x:"))
    entry_id = word.removeprefix("m:")
    if stands_in(history.tip().tree, f"m:{entry_id}"):
        mark = f"m:{entry_id}"
        names = {entry_id, mark}
        for origin in changes_of(history, [mark], changes.all)[mark][:1]:
            if _did_only(history, origin, frozenset({entry_id})):
                names |= changes.names_alone(origin)
        along = changes.resting_on(names)
        with present_fold(history) as store:
            name = f"{quoted(store.last_words(entry_id) or '', mark)} ({mark})"
        return _undoing(history, changes, Taking(tuple(along), name, entry_id=entry_id), along)
    named = [] if word.startswith("m:") else changes.called(word)
    if not named:
        raise _nothing(history, word)
    return _of_changes(history, changes, named, named[-1].subject)


def find_taking_back(history: History, message: str) -> Undoing:
    """Return what rests on a message (`chat:…`) that the operator took back; what it took back itself stays, and the note of its session, as a record of the talk."""
    changes = Changes(history)
    source = ChangeSource(message)
    staying = (SESSION_NOTE, *_TAKINGS)
    named = [each for each in changes.of_source(source) if not each.subject.startswith(staying)]
    return _of_source(history, changes, source, named)


def find_redoing(history: History, message: str) -> Undoing:
    """Return what brings back all that a message (`chat:…`) took back or had removed, and that is still gone."""
    changes = Changes(history)
    named = []
    for each in changes.of_source(ChangeSource(message)):
        if each.subject.startswith(_TAKINGS) and changes.taking_back(each) is None:
            named.append(each)
    return _of_changes(history, changes, named, f"{UNDO}: all from {message}")


def find_undoing_since(history: History, actor: str, since: datetime) -> Undoing:
    """Return what `undo --since` would take back: present changes since then by an actor, or without one by any job.

    What jobs kept at once of the operator's messages is the operator's: without an actor it stays.
    """
    changes = Changes(history)
    who, spared = "jobs", []
    if not actor:
        jobs = changes.of_actors([*AGENT_NAMES, RUNNER], since)
        spared = list(filter(attrgetter("is_his_word"), jobs))
        named = list(filterfalse(attrgetter("is_his_word"), jobs))
    elif actor == OPERATOR:
        who = "the operator"
        named = []
        for each in changes.of_actors([*AGENT_NAMES, actor], since):
            if each.actor == actor or each.is_his_word:
                named.append(each)
    else:
        who = f"the {actor}"
        named = changes.of_actors([actor], since)
    name = f"all by {who} since {since:%Y-%m-%d %H:%M}"
    if not named and spared:
        sentence = f"Since {since:%Y-%m-%d %H:%M} the jobs changed nothing but what they kept at once of your messages, and that stays."
        raise UndoError(sentence, hint="`--actor operator` takes back what is yours.")
    if not named:
        sentence = f"{who[:1].upper()}{who[1:]} changed nothing since {since:%Y-%m-%d %H:%M} that holds; what the folder had before clawgit stays."
        raise UndoError(sentence, hint=_LISTED)
    whole = _of_changes(history, changes, named, name)
    stay = tuple(filterfalse(whole.along.__contains__, spared))
    return _without_reworded(history, changes, whole)._replace(spared=stay)


def undo(
    history: History, undoing: Undoing, reason: str, intent: Intent, evidence: tuple[Evidence, ...] = ()
) -> Recorded:
    """Take it back in one change; the files are computed again if the history moved since.

    Raises:
        RevertConflictError: Something was changed again since; nothing was written.
        UndoError: A merge, the first commit, or a place that is not a plain file.
    """
    taking = undoing.taking
    before = repeated(history, intent)
    if before is not None:
        return before
    _check_commits(taking.commits)

    def taken_from(tree: Tree) -> Taken:
        taken = undoing.taken
        if taken.tree_id != tree.tree_id:
            taken = take_back(history, tree, taking)
        if taken.refusals:
            hint = "Bring back a file that is gone first (`clawgit memory revive PATH`), or try `git revert COMMIT`."
            raise UndoError(f"{taken.refusals[0]} Nothing was changed.", hint=hint)
        if taken.conflicts:
            raise _conflicted(tree, taken)
        refuse_withdrawal(taken.withdrawn, intent)
        return taken

    tree = history.tip().tree
    taken = taken_from(tree)
    if any(is_identity(path) or is_standing(path) for path in taken.contents):
        intent = opened(history, intent, reason)
    intent = _declared(intent, tree, undoing._replace(taken=taken))

    def planned(tree: Tree) -> Plan:
        return undoing_plan(taking, taken_from(tree), reason)._replace(evidence=evidence)

    return apply_plan(history, planned, intent)


def _conflicted(tree: Tree, taken: Taken) -> RevertConflictError:
    conflicts = chain.from_iterable(taken.conflicts.values())
    ours = b"".join(line for conflict in conflicts for line in conflict.ours)
    entries = marks_in(ours)
    later = []
    for each in sorted(standing_corrections(tree).values(), key=lambda each: each.at, reverse=True):
        is_beside = not each.corrects and each.correct and each.correct.encode() in ours
        if each.holds and (is_beside or entries.intersection(each.corrects)):
            later.append(f"x:{each.correction_id}")
    return RevertConflictError(taken.conflicts, later)


def find_reverting(history: History, named: Commit) -> Undoing:
    """Return what `soul revert` would take back: what a change did to SOUL.md and IDENTITY.md."""
    (commit,) = Changes(history).called(named.commit_id)
    _check_commits((commit,))
    paths = frozenset(filter(is_identity, steps_of(history, commit)))
    if not paths:
        name = commit.commit_id[:12]
        raise UndoError(
            f"{name} ({commit.subject}) changed neither SOUL.md nor IDENTITY.md, so nothing was taken back.",
            hint=f"`clawgit undo {name}` takes back any change; --dry-run shows the lines.",
        )
    taking = Taking((commit,), commit.subject, verb="revert", paths=paths)
    return Undoing(taking, (), take_back(history, history.tip().tree, taking))


def find_undoing_file(history: History, word: str, path: str) -> Undoing:
    """Return what `undo COMMIT PATH` would take back: what a commit or a run did to that file, and what rests on it and changed only that file."""
    changes = Changes(history)
    named = changes.called(word)
    if not named:
        raise UndoError(f"{word} is no commit and no run of this history.", hint=_LISTED)
    _check_commits(named)
    subject = named[-1].subject
    paths: dict[str, None] = {}
    for commit in named:
        steps = steps_of(history, commit)
        paths |= dict.fromkeys(steps)
        for key, each in OneChange(commit, *history.around(commit), steps).corrections.items():
            if each.holds and each.correct:
                raise UndoError(
                    f"{word} ({subject}) is a correction, which is taken back whole. Nothing was changed.",
                    hint=f"`clawgit undo x:{key}` takes it back.",
                )
    if path not in paths:
        sentence = f"{word} ({subject}) changed nothing in {path}, so nothing was taken back."
        raise UndoError(sentence, hint=f"It changed {few(list(paths), MOST_NAMED)}.")
    names = set[str]().union(*map(names_of, named))
    along = []
    for commit in changes.resting_on(names, set(map(attrgetter("commit_id"), named))):
        if steps_of(history, commit).keys() == {path}:
            along.append(commit)
    commits = tuple(filter({*named, *along}.__contains__, changes.all))
    taking = Taking(commits, f"{path} of {subject}", verb="revert", paths=frozenset({path}))
    return _undoing(history, changes, taking, along)


def _of_source(
    history: History, changes: Changes, source: ChangeSource, named: list[LoggedChange]
) -> Undoing:
    if not named and source.cited:
        count = len(source.cited)
        messages = "the 1 message" if count == 1 else f"any of the {count:,} messages"
        raise UndoError(f"No change on this branch rests on {messages} of {source.name}.", hint=_LISTED)
    shares = shares_of(history, named, source)
    whole = _of_changes(history, changes, named, f"all from {source.name}", shares)
    undoing = _without_reworded(history, changes, whole)
    if not undoing.taken.conflicts or not shares.entries:
        return undoing
    shares = shares._replace(parts={**shares.parts, **shares.entries}, entries={})
    taking = whole.taking._replace(shares=shares)
    return _without_reworded(history, changes, _undoing(history, changes, taking, list(whole.along)))


def _of_changes(
    history: History, changes: Changes, named: list[LoggedChange], name: str, shares: Shares = WHOLE_CHANGES
) -> Undoing:
    if not named:
        raise UndoError(f"Nothing on this branch comes from {name.removeprefix('all from ')}.", hint=_LISTED)
    chosen = set(map(attrgetter("commit_id"), named))
    names = set[str]().union(*map(names_of, named))
    along = changes.resting_on(names, chosen, shares.untouched)
    chosen.update(map(attrgetter("commit_id"), along))
    commits = tuple(commit for commit in changes.all if commit.commit_id in chosen)
    return _undoing(history, changes, Taking(commits, name, shares=shares), along)


def _without_reworded(history: History, changes: Changes, whole: Undoing) -> Undoing:
    """Leave entries as they are that were changed again since; if other lines conflict too, return it unchanged."""
    undoing = whole
    while undoing.taken.conflicts:
        conflicts = chain.from_iterable(undoing.taken.conflicts.values())
        stuck = (line for each in conflicts for line in (*each.base, *each.ours))
        more = marks_in(b"".join(stuck)) - undoing.taking.reworded
        if not more:
            return whole
        taking = undoing.taking._replace(reworded=undoing.taking.reworded | more)
        undoing = _undoing(history, changes, taking, list(whole.along))
    return undoing


def _did_only(history: History, commit: Commit, ids: frozenset[str]) -> bool:
    if len(commit.parent_ids) != 1:
        return False
    change = OneChange(commit, *history.around(commit), steps_of(history, commit))
    steps = list(map(change.text_step, change.steps))
    return all(limited_to(step, StepPart(ids)).before == step.before for step in steps)


def _of_correction(history: History, changes: Changes, correction_id: str) -> Undoing:
    correction = standing_corrections(history.tip().tree).get(correction_id)
    if correction is None:
        raise _nothing(history, f"x:{correction_id}")
    if correction.status is Status.WITHDRAWN:
        sentence = f"x:{correction_id} is already withdrawn; it is in {correction.path}."
        raise UndoError(sentence, hint="`clawgit undo` of the change that withdrew it brings it back.")
    mark = f"x:{correction_id}"
    made = _making(history, changes, correction_id)
    linked = None
    if made and correction.status is not Status.LINKED:
        tree = history.tree_of(made[0].parent_ids[0])
        before = standing_corrections(tree).get(correction_id)
        if before is not None and before.status is Status.LINKED:
            made, linked = made[:1], (tree.read(before.path) or b"", before)
    earlier = _withdrawn_since(history, correction, made)
    behind = [(commit, correction) for commit in made]
    for each in earlier:
        behind += [(commit, each) for commit in _making(history, changes, each.correction_id)[:1]]
    ids = frozenset({correction_id, *correction.corrects})
    names = {mark}.union(*(changes.names_alone(each) for each in made if _did_only(history, each, ids)))
    along = changes.resting_on(names)
    summary = quoted(correction.correct or correction.said, f"the correction {mark} , withdrawn")
    name = f"the correction {mark} {summary}"
    taking = Taking(tuple(along), name, correction=correction, corrected_by=tuple(behind), linked=linked)
    return _undoing(history, changes, taking, along)


def _withdrawn_since(history: History, correction: Correction, made: tuple[Commit, ...]) -> list[Correction]:
    """Return corrections of the same entries that held before this one and hold no more, latest first.

    Taking them back could not set the entries back, since this one had changed them.
    """
    if not made:
        return []
    now = standing_corrections(history.tip().tree)
    same = []
    for key, each in standing_corrections(history.tree_of(made[-1].parent_ids[0])).items():
        is_withdrawn = each.holds and key in now and not now[key].holds
        if is_withdrawn and set(each.corrects).intersection(correction.corrects):
            same.append(each)
    return sorted(same, key=lambda each: each.at, reverse=True)


def _making(history: History, changes: Changes, correction_id: str) -> tuple[Commit, ...]:
    """Return the change that brought a correction, preceded by the one that answered it if it was open."""
    mark = f"x:{correction_id}"
    carried = changes_of(history, [mark], changes.all)[mark]
    made = carried[:1]
    for commit in carried:
        then = standing_corrections(history.tree_of(commit.commit_id)).get(correction_id)
        if then is not None and then.correct:
            made = [commit, *made]
            break
    # A merge, or the commit where a cut-off history begins, is not one change.
    return tuple(commit for commit in dict.fromkeys(made) if len(commit.parent_ids) == 1)


def _undoing(history: History, changes: Changes, taking: Taking, along: Sequence[Commit]) -> Undoing:
    """Return what would be taken back: of commits, those that are not out already."""
    _check_commits(taking.commits)
    takers = {commit: changes.taking_back(commit) for commit in taking.commits}
    left = []
    for commit, taker in takers.items():
        if taker is None or (commit.evidence and _may_be_in_part(taker)):
            left.append(commit)
    taking = taking._replace(commits=tuple(left))
    taken = take_back(history, history.tip().tree, taking)
    earlier = None
    if takers and all(takers.values()) and not (taken.conflicts or taken.contents):
        earlier = next(iter(takers.values()))
    return Undoing(taking, tuple(filter(left.__contains__, along)), taken, earlier)


def _may_be_in_part(taker: Commit) -> bool:
    """Say whether it took back all of a source or an actor: of a change with other evidence, only its share."""
    match = _TAKEN_BACK.match(taker.subject)
    return match is not None and taker.subject.startswith(("all from ", "all by "), match.end())


def _nothing(history: History, word: str) -> UndoError:
    marked = word if word.startswith(("m:", "x:")) else f"m:{word}"
    last = taken_out_by(history, marked)
    if last is not None:
        sentence = f"{marked} is in no file now; {last.commit_id[:12]} ({last.subject}) took it out."
        return UndoError(sentence, hint=f"`clawgit undo {last.commit_id[:12]}` brings it back.")
    if word.startswith(MESSAGE):
        sentence = f"{word} is a message, and no change."
        return UndoError(sentence, hint=f"`clawgit undo --source {word}` takes back what rests on it.")
    hint = f"Of a line, give two words or more. {_LISTED}"
    if _ID.fullmatch(word):
        hint = f"In a rebase or an amend on another machine, git gives a commit another id. {_LISTED}"
    return UndoError(f"No entry, correction, commit or run is called {word}.", hint=hint)
