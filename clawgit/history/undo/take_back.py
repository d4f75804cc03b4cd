"""What the files would read without certain changes, or without one entry; nothing is written here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from clawgit.history.git.trees import Tree, entry_files
from clawgit.history.provenance.correction_files import keep_in_ledgers, standing_corrections
from clawgit.history.provenance.fold_update import present_fold
from clawgit.history.reading.commit_batches import Renames, read_steps
from clawgit.history.states.revisions import compare_texts
from clawgit.history.transaction.drafts import WorkFiles
from clawgit.history.transaction.working_tree import content_of
from clawgit.history.undo.undo_one_change import OneChange, TakingOut
from clawgit.history.undo.undo_targets import WHOLE_CHANGES, Shares
from clawgit.identity.drift import drift_between
from clawgit.memory.corrections.correction_log import Status
from clawgit.memory.entries.entry_marks import line_name, marks_in
from clawgit.memory.entries.overflow import LEAD
from clawgit.memory.entries.tiers import holds_entries, is_correction_file, is_derived, is_export, is_identity
from clawgit.memory.provenance.pieces import PLAIN
from clawgit.memory.undo.statement_lines import without_statement
from clawgit.memory.undo.text_step import homeless_lines, lines_saying, lost_lines
from clawgit.memory.undo.text_units import HEADING
from clawgit.memory.undo.unit_steps import TextUnits, without_entry, words_of
from clawgit.text.markdown.lines import split_lines
from clawgit.workspace.layout import AGENT_NAMES
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from clawgit.history.git.objects import Commit
    from clawgit.history.git.repository import History
    from clawgit.history.states.revisions import FileDiff
    from clawgit.identity.drift import PrincipleDrift
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.memory.undo.statement_lines import Statement
    from clawgit.text.markdown.merge_lines import Conflict

MOST_NAMED = 5
_SHOWN = 60
_SAID = {"Clawgit-Claims": "the claims", "Clawgit-Mention": "the mentions"}


def find_undo_losses(
    files: WorkFiles, earlier: Mapping[str, FileContent | None], change: OneChange, *, alone: bool
) -> Iterator[str]:
    """Yield in sentences what was lost by taking one change out of ``files``, which read as ``earlier`` before.

    What a listing says stands elsewhere. ``alone``: it is not taken back with others, which may have brought what it moved.
    """
    paths = [path for path in files.contents if path.endswith(".md") and not is_correction_file(path)]
    before = {path: earlier[path] if path in earlier else content_of(files.tree, path) for path in paths}
    touched = [path for path in paths if files.content(path) != before[path]]
    touched = [path for path in touched if not _is_listing(path, before[path], files.content(path))]
    present = [b"" if (content := before[path]) is None else content.data for path in touched]
    texts = (step for step in change.whole_steps() if step.path.endswith(".md"))
    steps = [step for step in texts if not is_export(step.path, step.made or step.before)]
    result = [files.data(path) for path in touched]
    lost = lost_lines(steps, present, result)
    lost += [line for line in homeless_lines(steps, present, result) if line not in lost] if alone else []
    for words in _nowhere(files, lost, [step.before for step in steps]) if lost else ():
        yield (
            f"Without {change.commit.commit_id[:12]}, no file would say any more "
            f"“{words.decode('utf-8', 'replace')[:_SHOWN]}”."
        )


def _is_listing(path: str, *contents: FileContent | None) -> bool:
    return any(content is not None and is_export(path, content.data) for content in contents)


def paths_losing_words(tree: Tree, contents: Mapping[str, FileContent | None]) -> list[str]:
    """Return the Markdown files of which words go that none of these files will have; the ledgers have a guard of their own."""
    paths = [path for path in contents if path.endswith(".md") and not is_correction_file(path)]
    then = lines_saying(b"" if (content := contents[path]) is None else content.data for path in paths)
    return [path for path in paths if lines_saying([tree.read(path) or b""]) - then]


def _nowhere(files: WorkFiles, lost: list[bytes], olds: list[bytes]) -> list[bytes]:
    """Return those of the lines that no file holds, neither in these words nor by their id."""
    paths = dict.fromkeys([*(path for path, _ in files.tree.files()), *files.contents])
    there = lines_saying(files.data(path) for path in paths if path.endswith(".md"))
    left = [words for words in lost if words not in there]
    marked = {
        words: marks_in(line) for text in olds for line in split_lines(text) for words in lines_saying([line])
    }
    return [words for words in left if not files.holders(marked.get(words, frozenset()))]


def drop_emptied_headings(history: History, files: WorkFiles, commits: Collection[str]) -> None:
    """Take headings out that these commits or an agent wrote and that the undo emptied; a file with nothing else goes."""
    for path, content in list(files.contents.items()):
        before = files.tree.read(path)
        if content is None or before is None or not path.endswith(".md"):
            continue
        text = _without_emptied(history, before, content.data, path, commits)
        if text != content.data:
            files.put(path, content._replace(data=text) if text.strip() else None)


def _without_emptied(
    history: History, before: bytes, data: bytes, path: str, commits: Collection[str]
) -> bytes:
    was = TextUnits.of(before, path)
    now = TextUnits.of(data, path)
    filled = {unit.words for at, unit in enumerate(was.units) if unit.kind == HEADING and was.holding(at)}
    for at in reversed(range(len(now.units))):
        unit = now.units[at]
        if unit.kind != HEADING or unit.words not in filled or now.holding(at):
            continue
        if _is_own(history, unit.words, commits):
            now.instead[at] = []
    return now.text() if now.instead else data


def _is_own(history: History, heading: bytes, commits: Collection[str]) -> bool:
    words = heading.lstrip(b"#").strip().decode("utf-8", "replace")
    with present_fold(history) as store:
        origin = store.origin(PLAIN + words)
    return origin is not None and (origin.actor in AGENT_NAMES or origin.commit_id in commits)


@dataclass(frozen=True, slots=True)
class Taking:
    """What is to be taken back: whole changes, newest first; an entry, wherever it is; a line of a file; or a correction.

    Of the changes behind a correction (and behind those before it), newest first, only that correction and the entries that
    it corrects are taken back.
    ``shares``: which changes are taken back in part; ``reworded`` are entries to which none is, since they were
    changed again. ``of_soul``: only what they did to SOUL.md and IDENTITY.md is taken back. ``verb`` and ``name`` make the first line of the commit that does it.
    """

    commits: tuple[Commit, ...]
    name: str
    verb: str = "undo"
    entry_id: str = ""
    line: tuple[str, Statement] | None = None
    correction: Correction | None = None
    corrected_by: tuple[tuple[Commit, Correction], ...] = ()
    shares: Shares = WHOLE_CHANGES
    reworded: frozenset[str] = frozenset()
    of_soul: bool = False

    @property
    def marks(self) -> list[str]:
        """Return the entry or the correction as its file marks it."""
        entry = [f"m:{self.entry_id}"] if self.entry_id else []
        return entry if self.correction is None else [*entry, f"x:{self.correction.correction_id}"]


@dataclass(frozen=True, slots=True)
class Taken:
    """The files that would read otherwise (None: go), and what is in the way.

    ``tree_id`` is the state that this was made from. ``refusals`` say what clawgit cannot write, ``notes`` what is
    left as it is; ``withdrawn`` are corrections that would go to the archive, ``restored`` withdrawn ones that would be
    in force again.
    """

    tree_id: str | None
    contents: dict[str, FileContent | None]
    conflicts: dict[str, tuple[Conflict, ...]]
    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    withdrawn: tuple[Correction, ...] = ()
    restored: tuple[Correction, ...] = ()


def take_back(history: History, tree: Tree, taking: Taking) -> Taken:
    """Return what the files of ``tree`` would read without it."""
    files = WorkFiles(tree)
    if taking.entry_id:
        _take_out_entry(files, taking.entry_id)
    if taking.line is not None:
        _take_out_line(files, *taking.line)
    brought, correcting = _take_out_changes(history, files, taking)
    if taking.shares is not WHOLE_CHANGES:
        drop_emptied_headings(history, files, {commit.commit_id for commit in taking.commits})
    withdrawn, again = keep_in_ledgers(files, brought)
    said = (
        _changed_again(files, correcting),
        _answered_since(brought, withdrawn),
        _left_behind(files, withdrawn),
    )
    for note in chain.from_iterable(said):
        files.notes[note] = None
    for path, count in files.holders_of_missed().items():
        files.notes[
            f"Of what it wrote, {path} holds {count} line{'s' * (count > 1)} too; nothing is taken out there."
        ] = None
    contents = files.changed()
    notes = (*files.notes, *_mode_notes(tree, contents), *_staying(taking.commits), *_spared(files, taking))
    notes += tuple(_reworded(tree, taking.reworded))
    return Taken(tree.tree_id, contents, files.conflicts, tuple(files.refusals), notes, withdrawn, again)


def _take_out_changes(
    history: History, files: WorkFiles, taking: Taking
) -> tuple[dict[str, Correction], list[OneChange]]:
    """Take the changes out of the files; return the corrections that they brought, and those that brought any."""
    changes: list[tuple[Commit, Correction | None]] = [(commit, None) for commit in taking.commits]
    changes += taking.corrected_by
    commits = [commit for commit, _ in changes]
    steps = read_steps(history, commits)
    renames = Renames(history, commits)
    brought = {} if taking.correction is None else {taking.correction.correction_id: taking.correction}
    known = standing_corrections(files.tree)
    correcting = []
    for commit, only in changes:  # one at a time: a change holds the texts that it touched
        done = steps[commit.commit_id]
        left = [path for path in done if taking.of_soul and not is_identity(path)]
        files.notes |= dict.fromkeys(_left_to_undo(commit, left))
        done = {path: step for path, step in done.items() if path not in left}
        change = OneChange.of(history, commit, done, only, taking.shares.parts.get(commit.commit_id))
        brought = change.corrections | brought  # as it is now, where one was named
        change = replace(change, held=_held(known, brought), spared=taking.reworded)
        earlier = dict(files.contents)
        TakingOut(files, change, renames).run()
        if not files.conflicts:
            files.refusals |= dict.fromkeys(find_undo_losses(files, earlier, change, alone=len(changes) == 1))
        files.notes |= dict.fromkeys(_unnamed_notes(change))
        if change.corrected_entries:
            correcting.append(change)
    return brought, correcting


def _left_to_undo(commit: Commit, paths: list[str]) -> Iterator[str]:
    if paths:
        named = ", ".join(paths[:MOST_NAMED]) + (", ..." if len(paths) > MOST_NAMED else "")
        whole = f"`clawgit undo {commit.commit_id[:12]}` takes the whole change back"
        yield f"What it did to {named} stays; {whole}."


def _unnamed_notes(change: OneChange) -> Iterator[str]:
    """Say what of a change that is taken back in part has no id to say what it rests on."""
    if change.part is None:
        return
    evidence = [item.partition(" ")[0] for item in change.commit.trailers.all("Clawgit-Evidence")]
    wrote = Counter[bytes]()
    had = Counter[bytes]()
    for path in change.all_steps:
        step = change.whole_step(path)
        if step.path.endswith(".md") and not is_derived(step.path):
            wrote.update(lines_saying([line for line in split_lines(step.made) if not marks_in(line)]))
            had.update(lines_saying([step.before]))
    for words in wrote - had:
        if words.startswith(LEAD.encode()):
            continue  # where entries went that stay there
        line = words.decode("utf-8", "replace")
        if not any(line_name(line, each) in change.part.lines for each in evidence):
            yield f"Without an id, it stays: “{line[:_SHOWN]}” ({change.commit.commit_id[:12]})."


def _held(known: Mapping[str, Correction], going: Collection[str]) -> frozenset[str]:
    staying = (each for key, each in known.items() if key not in going)
    named = (each.corrects for each in staying if each.status is not Status.WITHDRAWN)
    return frozenset(chain.from_iterable(named))


def taken_diffs(history: History, taken: Taken) -> Iterator[FileDiff]:
    """Yield which lines would go and come, file by file."""
    tree = Tree(history.objects, taken.tree_id)
    for path, content in taken.contents.items():
        yield compare_texts(path, tree.read(path), None if content is None else content.data)


def touched_principles(history: History, taken: Taken) -> Iterator[tuple[str, PrincipleDrift]]:
    """Yield each principle of the soul that goes, comes back or reads otherwise, with its file."""
    tree = Tree(history.objects, taken.tree_id)
    for path, content in taken.contents.items():
        if is_identity(path):
            after = b"" if content is None else content.data
            yield from ((path, each) for each in drift_between(tree.read(path) or b"", after).principles)


def _mode_notes(tree: Tree, contents: dict[str, FileContent | None]) -> Iterator[str]:
    for path, content in contents.items():
        here = content_of(tree, path)
        if content is not None and here is not None and content.executable != here.executable:
            yield (
                f"{path} can be run as a program again."
                if content.executable
                else f"{path} can no longer be run."
            )


def _staying(commits: Iterable[Commit]) -> Iterator[str]:
    """Say what commits tell of others and not by their files: nothing takes that back."""
    for commit in commits:
        said = [what for key, what in _SAID.items() if commit.trailers.all(key)]
        if said:
            yield f"{' and '.join(said).capitalize()} of {commit.commit_id[:12]} stay: only files are taken back."


def _spared(files: WorkFiles, taking: Taking) -> Iterator[str]:
    """Say how many entries of the changes stay, and which of them were said again."""
    again = sorted(files.holders(taking.shares.again))
    for entry_id in again:
        yield f"m:{entry_id} stays: another message says the same; `clawgit undo m:{entry_id}` takes it out."
    count = len(files.holders(taking.shares.others))
    if count:
        yield (
            f"{count} entries that the same changes brought stay: they have another source."
            if count > 1
            else "An entry that the same changes brought stays: it has another source."
        )


def _reworded(tree: Tree, entry_ids: Iterable[str]) -> Iterator[str]:
    known = [each for each in standing_corrections(tree).values() if each.holds]
    for entry_id in sorted(entry_ids):
        latest = max(
            (each for each in known if entry_id in each.corrects), key=lambda each: each.at, default=None
        )
        if latest is None:
            yield f"m:{entry_id} stays, since it was changed again; `clawgit undo m:{entry_id}` takes it out."
        else:
            undo = f"`clawgit undo x:{latest.correction_id}`"
            yield f"m:{entry_id} stays, since x:{latest.correction_id} set it right; {undo} comes before taking it back."


def _take_out_entry(files: WorkFiles, entry_id: str) -> None:
    for path in entry_files(files.tree):
        here = files.content(path)
        if here is not None and entry_id in files.ids(path):
            data, inner = without_entry(here.data, entry_id, path)
            _put_without(files, path, FileContent(data, here.executable), inner)


def _take_out_line(files: WorkFiles, path: str, line: Statement) -> None:
    here = files.content(path)
    if here is not None:
        data, inner = without_statement(here.data, path, line)
        _put_without(files, path, FileContent(data, here.executable), inner)


def _put_without(files: WorkFiles, path: str, content: FileContent, inner: Iterable[str]) -> None:
    files.put(path, content)
    for words in inner:
        files.notes[f"Also removed, since it is part of it: {words}"] = None


def _answered_since(brought: Mapping[str, Correction], withdrawn: Iterable[Correction]) -> Iterator[str]:
    """Name the entries that answers to open corrections changed: these are changes of their own, and stay."""
    for each in withdrawn:
        entries = [
            entry for entry in each.corrects if entry not in brought.get(each.correction_id, each).corrects
        ]
        if entries:
            named = ", ".join(f"m:{entry}" for entry in entries)
            yield (
                f"{named} stays as the answer to x:{each.correction_id} made it; "
                f"`clawgit undo x:{each.correction_id}` takes both back."
            )


def _left_behind(files: WorkFiles, withdrawn: Iterable[Correction]) -> Iterator[str]:
    """Say which entries read again as another correction made them that was withdrawn before."""
    ids = frozenset(entry_id for each in withdrawn for entry_id in each.corrects)
    if not ids:
        return
    before = [each for each in standing_corrections(files.tree).values() if ids.intersection(each.corrects)]
    for entry_id, holder in files.holders(ids).items():
        now = words_of(files.data(holder), entry_id) or ""
        for each in before:
            if (
                each.status is Status.WITHDRAWN
                and each.correct
                and each.correct in now
                and entry_id in each.corrects
            ):
                yield (
                    f"m:{entry_id} reads as x:{each.correction_id} made it, which is withdrawn; "
                    "`clawgit correct` says what is right."
                )


def _changed_again(files: WorkFiles, changes: list[OneChange]) -> Iterator[str]:
    """Say which entries a correction rewrote that were rewritten again since: they stay as they are."""
    for change in changes:
        ids = change.corrected_entries
        for path in [path for path in change.steps if ids and holds_entries(path)]:
            step = change.text_step(path)
            for entry_id, holder in files.holders(ids).items():
                before, made = (words_of(text, entry_id) for text in (step.before, step.made))
                if before not in (made, words_of(files.data(holder), entry_id)):
                    yield f"m:{entry_id} was changed again since, so it stays as it is now."
