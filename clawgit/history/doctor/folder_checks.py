"""Checks of the folder and of clawgit's files in it: permissions, settings, hooks and records."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from operator import methodcaller
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.authorship.actors import connected_hosts
from clawgit.history.authorship.commit_messages import own_commits
from clawgit.history.doctor.risky_git_config import strange_things
from clawgit.history.git.git_program import git_program
from clawgit.history.hooks import install
from clawgit.history.missing_files import missing_files
from clawgit.history.review.working_tree_edits import ignored_memories
from clawgit.memory.corrections.correction_log import LEDGER, mixed_up
from clawgit.plan import MESSAGE
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.records.sqlite_files import RECORD_STORES, connect, refuse_empty, store_errors
from clawgit.workspace.safe_files import data_of, is_shared, read_file
from clawgit.workspace.settings.config_file import read_config

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clawgit.history.git.repository import History

SHOWN = 5
OTHERS = 0o022
ANYBODY = 0o002  # used where each user has a group of their own, which may write every file
_CLOSES = "`clawgit doctor --fix` closes it."
_WRITTEN = "can be written by other users of this machine"
_TRUSTS = "`clawgit trust --repository` if it is yours."
_SAID = {
    "setting": ("The setting {} in .git/config", "`git config --local --unset-all {}` takes it out;"),
    "hook": ("The hook {}", "Look at it, and remove it if you do not know it;"),
    "program": ("The {} that clawgit's hooks run", "`clawgit hooks install` names the one that you use now;"),
}
MOST_READ = 2000  # the latest commits
_DAY = 86_400
_PRIVATE = (*(f"{name}*" for name in RECORD_STORES), "*.json")


def check_program(_: History) -> Iterator[Complaint]:
    if git_program() is None:
        yield Complaint("git", "The git program is not on PATH.", "Install git.")


def check_space(history: History) -> Iterator[Complaint]:
    try:
        with TemporaryFile(dir=history.state) as file:
            file.write(bytes(1 << 13))
    except OSError as error:
        sentence = f"Nothing can be written in {history.state} ({error.strerror}), so no command can change anything."
        yield Complaint("disk", sentence, "Free some space, or see who may write there.")


def check_permissions(history: History) -> Iterator[Complaint]:
    mode = history.state.stat().st_mode & 0o777
    if mode & 0o077:
        sentence = f"{history.state} can be read by other users of this machine (mode {mode:o})."
        yield Complaint("permissions", sentence, _CLOSES, mend=lambda: history.state.chmod(0o700))
    who = ANYBODY if is_shared(history.root.stat()) else OTHERS
    paths = [history.root] if _others_write(history.root, who) else []
    paths += filter(partial(_others_write, who=ANYBODY), _inside(history))
    if paths:
        named = ", ".join(map(str, paths[:SHOWN])) + (", ..." if len(paths) > SHOWN else "")
        sentence = f"{named} {_WRITTEN}."
        closes = _CLOSES if len(paths) == 1 else f"`clawgit doctor --fix` closes all {len(paths)}."
        yield Complaint("permissions", sentence, closes, mend=partial(_close, paths))


def _inside(history: History) -> Iterator[Path]:
    for folder, names, files in os.walk(history.root):
        if ".git" in names:
            names.remove(".git")
        yield from map(Path(folder).joinpath, (*names, *files))
    yield from (history.folder, *history.folder.iterdir())


def _others_write(path: Path, who: int = OTHERS) -> bool:
    """Say whether other accounts may write there, by the file's own mode; a link has none."""
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        return not stat.S_ISLNK(mode) and bool(mode & who)
    return False


def _close(paths: Iterable[Path]) -> None:
    for path in paths:
        path.chmod(path.stat().st_mode & ~OTHERS)


def check_settings(history: History) -> Iterator[Complaint]:
    try:
        content = read_file(history.root, CONFIG, at_most=history.settings.max_file_bytes)
    except ClawgitError as error:
        yield Complaint("config", str(error), "")
        return
    for problem in read_config((data_of(content) or b"").decode("utf-8", "replace")).errors:
        yield Complaint("config", str(problem), "The last good value stays in force.")


def check_ignored(history: History) -> Iterator[Complaint]:
    names = ignored_memories(history)
    if names:
        named = f"{', '.join(names[:5])}{' and more' if len(names) > 5 else ''}"
        sentence = f"git ignores {named}, so they have no history."
        yield Complaint("ignored", sentence, "`git check-ignore -v FILE` names the rule; take it out.")


def check_files(history: History) -> Iterator[Complaint]:
    tree = history.tip().tree
    named = ", ".join(path for path in missing_files(history.root) if tree.entry(path) is not None)
    if named:
        yield Complaint("files", f"The folder lacks {named}.", "`clawgit init` brings them back.")


def check_corrections(history: History) -> Iterator[Complaint]:
    content = None
    with suppress(ClawgitError):
        content = read_file(history.root, LEDGER, at_most=history.settings.max_file_bytes)
    lines = mixed_up(data_of(content) or b"")
    if lines:
        places = ", ".join(f"{LEDGER}:{line}" for line in lines)
        sentence = f"{places}: a correction without lines of its own, or with those of two, as after a merge. None of them counts."
        gives = f"Give each its own lines, as `git log -p {LEDGER}` has them"
        yield Complaint("corrections", sentence, f"{gives}, then `clawgit keep --as operator`.")


def check_hooks(history: History) -> Iterator[Complaint]:
    state = install.read_hooks_state(history)
    mend = None
    if state.can_be_put_back:
        by_connect = install.were_brought_by_connect(history)
        mend = partial(install.install_hooks, history, install.interpreter_of(history), by_connect=by_connect)
    for problem in state.problems:
        way_out = "`clawgit hooks install` mends it, `clawgit hooks uninstall` ends it."
        yield Complaint("hooks", problem, way_out, mend=mend)
    if state.installed and state.folder is not None:
        for path in (state.folder, *sorted(state.folder.glob("*"))):
            if _others_write(path):
                sentence = f"{path} {_WRITTEN}, and git runs what is there."
                yield Complaint("permissions", sentence, _CLOSES, mend=partial(_close, [path]))


def check_connected(history: History) -> Iterator[Complaint]:
    hosts = connected_hosts(history)
    if hosts and not install.read_hooks_state(history).installed:
        sentence = (
            f"{', '.join(hosts)} is connected, and git's hooks are not installed:"
            " nothing tells its commits from yours, so all of them count as unknown."
        )
        yield Complaint("hooks", sentence, "`clawgit hooks install` mends it.")


def check_strange(history: History, trusted: Collection[str]) -> Iterator[Complaint]:
    for thing in strange_things(history, trusted):
        what, way_out = (text.format(thing.name) for text in _SAID[thing.kind])
        sentence = f"{what} can run programs or send data elsewhere, and you have not trusted it."
        yield Complaint("repository", sentence, f"{way_out} {_TRUSTS}")


def check_private(history: History) -> Iterator[Complaint]:
    for path in sorted(path for pattern in _PRIVATE for path in history.state.glob(pattern)):
        if path.stat().st_mode & 0o077:
            sentence = f"{path} can be read by other users of this machine."
            yield Complaint("permissions", sentence, _CLOSES, mend=partial(path.chmod, 0o600))


def check_records(history: History) -> Iterator[Complaint]:
    for name in RECORD_STORES:
        path = history.state / name
        if not path.exists():
            continue
        try:
            refuse_empty(path)
            with store_errors(path):
                problem = _fault(path)
        except ClawgitError as error:
            yield Complaint("records", error.message, error.hint)
            continue
        if problem:
            sentence = f"{name} in .git/clawgit is damaged ({problem})."
            way_out = "`clawgit backup --restore FILE` brings back what a backup has."
            yield Complaint("records", sentence, way_out)


def _fault(path: Path) -> str:
    with closing(connect(path)) as db:
        ((fault, *_), *_) = db.execute("PRAGMA quick_check(1)").fetchall()
    if fault == "ok":
        return ""
    return " ".join(str(fault).split())


_TAKEN_BACK = "undo: all from "
_IS_MESSAGE = methodcaller("startswith", MESSAGE)


def check_lost_records(history: History) -> Iterator[Complaint]:
    """Check that the stores hold what changes made here cite: a deleted store is made again, empty."""
    runs, messages = _cited(history)
    if history.settings.messages_url:
        messages = []
    for name, table, column, cited in (
        ("records.db", "runs", "run_id", runs),
        ("messages.db", "messages", "id", messages),
    ):
        present = _present(history.state / name, table, column, set(cited))
        lost = [one for one in cited if one not in present]
        # a killed run is in no record, and forgotten messages leave gaps between the others
        if lost and (lost[-1] == cited[-1] or (table == "messages" and lost[0] == cited[0])):
            yield Complaint(
                "records",
                f"{len(lost)} of {len(cited)} {table} that changes of this workspace cite are not in {name}: it, or its"
                " -wal beside it, was deleted or replaced.",
                "Put the file back, or `clawgit backup --restore FILE`. Without either they stay lost; MEMORY.md is"
                " whole, but what they said cannot be shown as evidence.",
            )


def _cited(history: History) -> tuple[list[str], list[str]]:
    """Return the runs and messages that the latest changes made here cite, newest first, within their retention."""
    own, days = own_commits(history), history.settings.message_retention_days
    runs: dict[str, None] = {}
    messages: dict[str, None] = {}
    forgotten: set[str] = set()  # a taking back and its target: an order to forget deletes both
    latest = 0
    for commit in islice(history.objects.first_parents(history.tip().commit_id), MOST_READ):
        latest = latest or commit.committed_at
        if commit.commit_id not in own:
            continue
        run = commit.trailers.first("Clawgit-Run")
        if run:
            runs[run] = None
        if not days or latest - commit.committed_at < days * _DAY:
            evidence = [line.split(" ")[0] for line in commit.evidence]
            if commit.subject.startswith(_TAKEN_BACK):
                forgotten.update(evidence, [commit.subject.removeprefix(_TAKEN_BACK)])
            messages |= dict.fromkeys(filter(_IS_MESSAGE, evidence))
    return list(runs), [each.removeprefix(MESSAGE) for each in messages if each not in forgotten]


def _present(path: Path, table: str, column: str, ids: set[str]) -> set[str]:
    """Return the ``ids`` that are in the store; all of them if it is unreadable, which `check_records` reports."""
    if not path.exists() or not ids:
        return set()
    try:
        with closing(connect(path)) as db:
            rows = db.execute(f"SELECT {column} FROM {table}").fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return set()
        return ids
    except sqlite3.DatabaseError:
        return ids
    return {str(row[0]) for row in rows} & ids
