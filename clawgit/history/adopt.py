"""A folder becomes a workspace in its first commit, or stops being one: clawgit's files in git's folder are deleted."""

from __future__ import annotations

import os
import shlex
import shutil
from contextlib import suppress
from itertools import filterfalse
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR, UNKNOWN, author_of, note_silent_past, other_people
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import ADOPTION_OP, INIT_OP, NOTES_OP, Intent
from clawgit.history.authorship.settings_in_force import read_settings
from clawgit.history.git import libgit2 as pygit2
from clawgit.history.git.refs import OURS, delete_ref
from clawgit.history.git.repository import History, Tip, open_history, refuse_bare, refuse_odd_state
from clawgit.history.git.trees import Tree
from clawgit.history.guards.finding import told
from clawgit.history.guards.quarantine import can_be_stored
from clawgit.history.hooks.install import read_hooks_state, uninstall_hooks
from clawgit.history.missing_files import (
    MEMORY_FOLDER,
    first_talk_is_open,
    is_fresh_form,
    is_new_workspace,
    missing_files,
)
from clawgit.history.review.keep import KeepOutcome, after_changes, keep_edits
from clawgit.history.review.working_tree_edits import (
    WorkEdit,
    WorkEdits,
    all_edits,
    edits_of,
    hold_back,
    ignored_memories,
    staged_paths,
)
from clawgit.history.transaction.pack_writing import write_graph
from clawgit.history.transaction.transaction import Change, record_change, recover, until_settled
from clawgit.history.transaction.working_tree import Draft, SettledFiles, moves, put_files
from clawgit.memory.entries.tiers import is_derived
from clawgit.memory.notes import is_mail
from clawgit.plan import Plan
from clawgit.text.safety.control_characters import few
from clawgit.workspace import safe_files
from clawgit.workspace.find_workspace import OWN_FILES, lost_workspace
from clawgit.workspace.layout import CONFIG, DIRECTORIES, FORMAT_VERSION, GITIGNORE, MANIFEST, read_template
from clawgit.workspace.settings.config_file import render_config

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime


ADOPTED = "Archive/Adopted/"
NOTES = ("memory/", "Archive/")
STEERING = (*(entry.path for entry in MANIFEST if not entry.path.startswith(NOTES)), "memory.md")
_NAMED = 3
OF_HOSTS = _STATE, _MEDIA, _STATE_FILE = ("/.openclaw/", "/media/", "/openclaw-workspace-state.json")
_RENDERED = ("/CHANGELOG.md", "/COMPACTION_LOG.md", "/SOUL_HISTORY/", OWN_FILES)
LINE_ENDS = "autocrlf"  # the repository's earlier `core.autocrlf`, for leaving
_CONVERSION = "core.autocrlf"
_CONVERSION_WORDS = f"{_CONVERSION} to false in this repository: line ends stay as they are."


def _check_adoption_place(root: Path) -> None:
    """Refuse a place that cannot be a workspace: a file, a home, a folder inside another workspace, a bare repository."""
    if os.path.lexists(root) and not root.is_dir():
        raise ClawgitError(f"{root} is not a folder.", hint="Give a folder, or a name for a new one.")
    place = root.resolve()
    whole = {Path.home().resolve(): "your home folder", Path(place.anchor): "the whole disk"}
    if place in whole:
        sentence = f"{root} is {whole[place]}. A workspace needs a folder of its own."
        raise ClawgitError(sentence, hint="Name one: `clawgit init ~/agent`.")
    if place.name == "memory" and any((place.parent / name).is_file() for name in ("SOUL.md", "MEMORY.md")):
        hint = f"`clawgit init {shlex.quote(str(place.parent))}`."
        raise ClawgitError(f"{root} belongs to the agent's folder {place.parent}.", hint=hint)
    if not (root / ".git").exists():
        refuse_bare(root)
    for above in place.parents:
        if (above / ".git" / "clawgit" / "format").is_file():
            raise ClawgitError(f"{root} is inside the workspace {above}.", hint="Choose another place.")
    folders = set(map(Path, DIRECTORIES)) | {Path(entry.path).parent for entry in MANIFEST}
    for folder in sorted({part for each in folders for part in (each, *each.parents)} - {Path()}):
        inner = root / folder
        if inner.is_symlink() or (inner.exists() and not inner.is_dir()):
            sentence = f"{inner} is not a folder of its own, and a workspace needs one there."
            raise ClawgitError(sentence, hint="Move it away, or put a plain folder in its place.")


class Preview(NamedTuple):
    """What `init` would do: the state that it finds, and the files that it would add."""

    is_new: bool
    has_repository: bool
    created: tuple[str, ...]
    moved: tuple[str, ...]
    asked: tuple[str, ...] = ()  # the files of unknown authorship, which the operator is asked about
    folders: tuple[str, ...] = ()
    refusal: ClawgitError | None = None  # why `init` would refuse now
    is_workspace: bool = False  # it is a workspace already
    was_workspace: bool = False  # its state is gone, and files with derived files' names are clawgit's


class FolderContents(NamedTuple):
    """The files that were there: ``own`` has the author that the adoption named, all others an unknown one."""

    own: KeepOutcome = KeepOutcome()
    notes: KeepOutcome = KeepOutcome()
    others: KeepOutcome = KeepOutcome()  # mails, and files beside memory that the operator did not check
    aside: KeepOutcome = KeepOutcome()
    had_commits: bool = False
    people: Mapping[str, int] = MappingProxyType({})  # other authors that git names, with their commits
    deleted: tuple[str, ...] = ()  # in git, and deleted from the folder before
    settled: tuple[str, ...] = ()  # changes of git's own files in the repository, in words

    @property
    def kept(self) -> KeepOutcome:
        return self.own | self.notes | self.others | self.aside

    @property
    def moved(self) -> tuple[str, ...]:
        return tuple(path for path in self.aside.paths if path.startswith(ADOPTED))


class Adopted(NamedTuple):
    """What `init` did; ``trust`` is empty if the workspace was there already, so that no author was needed."""

    preview: Preview
    commits: tuple[str, ...]
    kept: KeepOutcome
    notes: tuple[str, ...]
    found: FolderContents
    trust: str


def preview_adoption(root: Path, *, actor: str = OPERATOR) -> Preview:
    _check_adoption_place(root)
    is_new = is_new_workspace(root)
    fresh = not (root / ".git" / "clawgit" / "format").exists()
    created = missing_files(root, is_hosted=actor != OPERATOR)
    has_repository = (root / ".git").exists()
    if not fresh:
        return Preview(is_new, has_repository, created, (), is_workspace=True)
    refusal = None
    if has_repository:
        history = open_history(root)
        try:
            refuse_odd_state(history)
            _refuse_staged(history)
        except ClawgitError as error:
            refusal = error
    folders = tuple(path for path in DIRECTORIES if not (root / path).exists())
    was_workspace = _was_workspace(root)
    moved: tuple[str, ...] = ()
    if not was_workspace:
        moved = tuple(_derived_files(root))
    steering = _asked_about(root)
    return Preview(
        is_new, has_repository, created, moved, steering, folders, refusal, was_workspace=was_workspace
    )


def _was_workspace(root: Path) -> bool:
    return lost_workspace(str(root.resolve())) == str(root.resolve())


def preview_found(root: Path, now: datetime, trust: str) -> FolderContents:
    """Return which present files `init` would commit, hold back and move aside; reads only, no commit is named."""
    if not root.exists() or (root / ".git" / "clawgit" / "format").exists():
        return FolderContents()
    with TemporaryDirectory() as place:
        git_folder = None
        if not (root / ".git").exists():  # as with an empty repository
            repo = pygit2.init_repository(place, initial_head="main")
            repo.config["core.worktree"] = str(root.resolve())
            git_folder = Path(place) / ".git"
        history = open_history(root, git_folder=git_folder)
        tip = history.tip()
        intent = Intent(new_op(ADOPTION_OP.rstrip("-")), UNKNOWN, now)
        whose = intent._replace(actor=OPERATOR) if trust == OPERATOR else intent
        settled = []
        if git_folder is None and history.configured(_CONVERSION).lower() != "false":
            settled.append(f"would set {_CONVERSION_WORDS}")
        settled.append(_excluded_words("would leave", _missing_patterns(history)))
        aside = KeepOutcome()
        if not _was_workspace(root):
            aside = KeepOutcome(paths=tuple(_contents_aside(history, tip)))
        return _kept_in_parts(history, (whose, intent, intent), _would_keep)._replace(
            aside=aside,
            settled=tuple(filter(None, settled)),
        )


def _kept_in_parts(
    history: History,
    intents: tuple[Intent, Intent, Intent],
    keep: Callable[[History, Tip, WorkEdits, Intent], KeepOutcome],
    *,
    standing_only: bool = False,
) -> FolderContents:
    """Return what ``keep`` does with the folder's own files, its notes, and others', each by its intent."""
    tip = history.tip()
    parts = _parted(history, tip, standing_only=standing_only)
    gone = {edit.path for part in parts for edit in part.edits if edit.content is None}
    outcomes = []
    deleted: list[str] = []
    for part, intent in zip(parts, intents, strict=True):
        outcome = keep(history, history.tip(), part, intent)
        deleted += filter(gone.__contains__, outcome.paths)
        outcomes.append(outcome._replace(paths=tuple(filterfalse(gone.__contains__, outcome.paths))))
    own, notes, others = outcomes
    return FolderContents(
        own,
        notes,
        others,
        had_commits=tip.commit_id is not None,
        people=other_people(history, tip.commit_id),
        deleted=tuple(deleted),
    )


def _would_keep(history: History, tip: Tip, work_edits: WorkEdits, intent: Intent) -> KeepOutcome:
    edits = []
    out = tuple(_patterns_of_hosts(history))
    for edit in work_edits.edits:
        # what `_prepare_repository` keeps out of git is in git already, or none of it
        is_out = is_derived(edit.path) or f"/{edit.path}".startswith(out)
        if not is_out or tip.tree.entry(edit.path) is not None:
            edits.append(edit)
    checked = hold_back(history, tip, edits, intent._replace(soul_is_open=True, memory_is_open=True))
    return KeepOutcome(
        paths=tuple(edit.path for edit in checked.edits),
        held=(*work_edits.problems, *checked.held),
        remarks=checked.remarks,
    )


def _refuse_staged(history: History) -> None:
    """Refuse a folder with something staged: what the operator has begun to commit, such as a renaming, would be torn apart.

    The hint leaves `git stash` out: a plain one also takes unstaged edits away, `--staged` fails if such a file was edited since.
    """
    staged = staged_paths(history)
    if staged:
        named = few(list(map(told, staged)), _NAMED)
        here = ["git", "-C", str(history.root)]
        way = [*here, "commit", "-m", "staged"]
        if not (history.configured("user.name") and history.configured("user.email")):
            author = author_of(history, OPERATOR)  # git needs an author's name
            way[3:3] = ["-c", f"user.name={author.name}", "-c", f"user.email={author.email}"]
        raise ClawgitError(
            f"Staged in git and not committed: {named}. clawgit would commit a part of that.",
            hint=f"Nothing was changed. Commit it first (`{shlex.join(way)}`), or unstage it (`{shlex.join([*here, 'reset'])}`: the files stay as"
            " they are in the folder), then run it again. Edits that are not staged may stay.",
        )


def adopt(
    root: Path, now: datetime, *, trust: str = UNKNOWN, actor: str = OPERATOR, standing_only: bool = False
) -> Adopted:
    """Make ``root`` a workspace for ``actor``, or add what is missing; files are not overwritten, an existing repository is kept.

    Files that are not in git count as ``trust``'s (with ``standing_only``, those alone that steer the agent), notes always as
    an unknown author's: a session may have written them from another person's words. So do mails.
    """
    preview = preview_adoption(root, actor=actor)
    if preview.refusal is not None:
        raise preview.refusal
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not preview.has_repository:
            pygit2.init_repository(str(root), initial_head="main")
        history = open_history(root, holder="init")
        refuse_odd_state(history)
        history.state.mkdir(mode=0o700, exist_ok=True)
    except (OSError, pygit2.GitError) as error:
        sentence = f"{root} cannot be made a workspace: {str(error).rstrip('.')}."
        raise ClawgitError(sentence, hint="Check who owns the folder and its permissions.") from error
    if preview.is_new:
        (history.state / "brand-new").touch()
    notes = _prepare_repository(history, is_made=not preview.has_repository)
    with history.locked():
        recover(history)
        is_first = not (history.state / "format").exists()
        if is_first:
            with suppress(ClawgitError):  # without them it takes longer
                write_graph(history)
                note_silent_past(history)
        intent = Intent(new_op(INIT_OP.rstrip("-") if is_first else "fill"), actor, now)
        taken_over = until_settled(
            history, lambda: _take_over(history, preview, intent, trust, standing_only=standing_only)
        )
        made = until_settled(history, lambda: _add_missing(history, preview, intent))
        is_open = first_talk_is_open(history.root)
        mode = 0o777 if safe_files.is_shared(history.root.stat()) else 0o700  # minus the umask
        for folder in DIRECTORIES:
            if is_open and f"{folder}/".startswith(f"{MEMORY_FOLDER}/"):
                continue
            (history.root / folder).mkdir(mode=mode, parents=True, exist_ok=True)
        safe_files.write_private(history.state / "format", f"{FORMAT_VERSION}\n")
        (history.state / "brand-new").unlink(missing_ok=True)
        with suppress(ClawgitError):  # without them, by the defaults, which need no trust
            history.settings = read_settings(history, lambda _key, _value: False).settings
        kept_edits = taken_over.kept | after_changes(history, now)
    kept_edits, ignored_words = _apart_if_ignored(history, kept_edits)
    notes += ignored_words
    commits = kept_edits.commits
    if made:
        commits += (made,)
    if not is_first:
        trust = ""
    return Adopted(preview, commits, kept_edits, tuple(notes), taken_over, trust)


def _apart_if_ignored(history: History, outcome: KeepOutcome) -> tuple[KeepOutcome, list[str]]:
    """Return the outcome without secrets in files that git ignores since .gitignore was added, and in words what it ignores."""
    notes = []
    memories = ignored_memories(history)
    if memories:
        named = ", ".join(memories)
        notes.append(f"git ignores {named}, so they have no history: `clawgit doctor` says more.")
    tree = history.tip().tree
    findings = []
    secret: dict[str, None] = {}
    for each in outcome.held:
        is_new = each.rule == "secret" and tree.entry(each.path) is None
        if is_new and history.repo.path_is_ignored(each.path):
            secret[told(each.path)] = None
        else:
            findings.append(each)
    if secret:
        notes.append(f"Left out of git by .gitignore, looks like a key: {few(list(secret), _NAMED)}")
    return outcome._replace(held=tuple(findings)), notes


def _derived_files(root: Path) -> list[str]:
    names = [name for name in ("CHANGELOG.md", "COMPACTION_LOG.md") if (root / name).is_file()]
    history = root / "SOUL_HISTORY"
    if history.is_dir() and not history.is_symlink():
        names += sorted(path.relative_to(root).as_posix() for path in history.rglob("*") if path.is_file())
    return names


def _asked_about(root: Path) -> tuple[str, ...]:
    """Return the files to adopt that steer the agent: only the operator knows whether they are the operator's words."""
    if is_fresh_form(root):
        return ()
    files = [path for path in STEERING if (root / path).is_file() and not is_derived(path)]
    if not (root / ".git").exists():
        return tuple(files)
    tip = open_history(root).tip()
    return tuple(path for path in files if tip.tree.read(path) != _read(root / path))


def _read(path: Path) -> bytes | None:
    with suppress(OSError):
        return path.read_bytes()
    return None


def _prepare_repository(history: History, *, is_made: bool) -> list[str]:
    """Make git keep bytes as they are and leave derived files out; return what the operator should know.

    ``is_made``: the repository is new, so there is nothing to report about its earlier settings.
    """
    notes = []
    outer = next((above for above in history.root.resolve().parents if (above / ".git").exists()), None)
    if outer is not None:
        notes.append(f"{history.root} is inside the repository {outer}: list it in that one's .gitignore.")
    converts = history.configured(_CONVERSION).lower()
    if converts != "false":
        if converts or not is_made:
            notes.append(f"Set {_CONVERSION_WORDS}")
        own = pygit2.Config(str(history.folder / "config"))
        before = str(own[_CONVERSION]) if _CONVERSION in own else ""
        safe_files.write_private(history.state / LINE_ENDS, before)
        history.repo.config[_CONVERSION] = "false"
    missing = _missing_patterns(history)
    if missing:
        text = _excluded_text(history)
        gap = "" if not text or text.endswith("\n") else "\n"
        _write_excluded(history, text + gap + "".join(f"{line}\n" for line in missing))
        notes.append(_excluded_words("Left", missing))
    return notes


def _excluded_words(verb: str, patterns: tuple[str, ...]) -> str:
    return f"{verb} out of git by .git/info/exclude: {' '.join(patterns)}" * bool(patterns)


def _patterns_of_hosts(history: History) -> list[str]:
    """Return patterns for the host's own files: none that git has, and no `media` that was there without OpenClaw."""
    root, tree = history.root, history.tip().tree
    names = [pattern for pattern in OF_HOSTS if tree.entry(pattern.strip("/")) is None]
    is_hosts = is_fresh_form(root) or any((root / name.strip("/")).exists() for name in (_STATE, _STATE_FILE))
    if _MEDIA in names and (root / _MEDIA.strip("/")).exists() and not is_hosts:
        names.remove(_MEDIA)
    return names


def _missing_patterns(history: History) -> tuple[str, ...]:
    there = _excluded_text(history).split("\n")
    return tuple(each for each in (*_RENDERED, *_patterns_of_hosts(history)) if each not in there)


def _excluded_text(history: History) -> str:
    exclude = history.folder / "info" / "exclude"
    if exclude.exists():
        return exclude.read_text("utf-8", "surrogateescape")
    return ""


def _write_excluded(history: History, text: str) -> None:
    exclude = history.folder / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text(text, "utf-8", "surrogateescape")


def _take_over(
    history: History, preview: Preview, intent: Intent, trust: str, *, standing_only: bool
) -> FolderContents:
    """Commit the folder's files, notes and others' apart so that each can be claimed, and move files aside that have derived files' names."""
    if (history.state / "format").exists():
        return FolderContents()
    unknown = intent._replace(op=new_op(ADOPTION_OP.rstrip("-")), actor=UNKNOWN)
    notes, others = (unknown._replace(op=new_op(NOTES_OP.rstrip("-"))) for _ in range(2))
    intents = unknown._replace(actor=trust), notes, others
    contents = _kept_in_parts(history, intents, keep_edits, standing_only=standing_only)
    if preview.was_workspace:
        return contents
    return contents._replace(aside=_move_aside(history, unknown._replace(op=new_op("adopt"))))


def _parted(
    history: History, tip: Tip, *, standing_only: bool = False
) -> tuple[WorkEdits, WorkEdits, WorkEdits]:
    """Return the edits that are not in git: own, notes, and others'; by content, since dates mean nothing after a conversion.

    Others' are mails; with ``standing_only``, all that is not one of the files that steer the agent.
    """
    settled = SettledFiles(history)
    untracked = all_edits(history, tip, settled)
    tracked = edits_of(history, tip, [path for path, _ in tip.tree.files()], settled)
    tracked_paths = {edit.path for edit in tracked.edits} | {problem.path for problem in tracked.problems}
    edits = (*tracked.edits, *(edit for edit in untracked.edits if edit.path not in tracked_paths))
    problems = (*tracked.problems, *(item for item in untracked.problems if item.path not in tracked_paths))
    own: list[WorkEdit] = []
    notes: list[WorkEdit] = []
    others: list[WorkEdit] = []
    for edit in edits:
        is_others = standing_only and edit.path not in STEERING
        if edit.path.startswith(NOTES):
            notes.append(edit)
        elif is_others or (edit.content is not None and is_mail(edit.content.data, edit.path)):
            others.append(edit)
        else:
            own.append(edit)
    return WorkEdits(tuple(own), problems), WorkEdits(tuple(notes), ()), WorkEdits(tuple(others), ())


def _contents_aside(history: History, tip: Tip) -> dict[str, safe_files.FileContent | None]:
    """Return the files with names of derived files, each under its new path; None for the old path of one that git has."""
    contents: dict[str, safe_files.FileContent | None] = {}
    for path in sorted({*_derived_files(history.root), *filter(is_derived, dict(tip.tree.files()))}):
        content = safe_files.read_file(history.root, path)
        is_tracked = tip.tree.entry(path) is not None
        if not is_tracked and not can_be_stored(Draft(tip.tree, {path: content})):
            continue  # it stays, and the views' rendering reports it
        if content is not None:
            contents[ADOPTED + path] = content
        if is_tracked:
            contents[path] = None
    return contents


def _move_aside(history: History, intent: Intent) -> KeepOutcome:
    tip = history.tip()
    contents = _contents_aside(history, tip)
    if not contents:
        return KeepOutcome()
    plan = Plan("adopt: move aside files that have the names of clawgit's own")
    commit_id = record_change(history, tip, Change(Draft(tip.tree, contents), plan, intent))
    for path in contents:
        safe_files.remove_file(history.root, path.removeprefix(ADOPTED))
    return KeepOutcome((commit_id,), tuple(contents))


def _add_missing(history: History, preview: Preview, intent: Intent) -> str | None:
    tip = history.tip()
    gone = [path for path in preview.created if tip.tree.entry(path) is not None]
    put_files(history, moves(gone, known_trees=[Tree(history.objects, None)], target=tip.tree), merge=False)
    missing = [entry for entry in MANIFEST if entry.path in preview.created and entry.path not in gone]
    contents = {}
    for entry in missing:
        if entry.path == CONFIG:
            text = render_config().encode()
        else:
            name = entry.path.lstrip(".")
            text = read_template(name)
        if entry.path == GITIGNORE:
            not_out = {*OF_HOSTS} - {*_patterns_of_hosts(history)}
            lines = text.splitlines(keepends=True)
            text = b"".join(line for line in lines if line.decode().strip() not in not_out)
        contents[entry.path] = safe_files.FileContent(text)
    draft = Draft(tip.tree, contents)
    if not draft.changed_paths():
        return None
    summary = "init: a new workspace" if preview.is_new else "init: add the missing files"
    return record_change(history, tip, Change(draft, Plan(summary), intent))


class Belongings(NamedTuple):
    """What clawgit keeps in a repository: its hooks, its references, and its state's folder and size."""

    has_hooks: bool
    references: tuple[str, ...]
    state: Path
    size: int


def find_belongings(history: History) -> Belongings:
    files = [path for path in history.state.rglob("*") if path.is_file() and not path.is_symlink()]
    return Belongings(
        read_hooks_state(history).installed,
        tuple(sorted(history.refs(OURS))),
        history.state,
        sum(path.stat().st_size for path in files),
    )


def leave_workspace(history: History) -> tuple[str, ...]:
    """Delete the hooks, the references and the state; return what the operator should know of the hooks."""
    notes = uninstall_hooks(history).notes
    with history.locked():
        for name in history.refs(OURS):
            delete_ref(history, name)
        # what `_prepare_repository` wrote into git's own files
        ours = {*_RENDERED, *OF_HOSTS}
        lines = _excluded_text(history).splitlines(keepends=True)
        _write_excluded(history, "".join(line for line in lines if line.strip("\n") not in ours))
        before = history.state / LINE_ENDS
        if before.exists():
            history.repo.config[_CONVERSION] = before.read_text()
            if not before.read_text():
                del history.repo.config[_CONVERSION]
        shutil.rmtree(history.state)
    return notes
