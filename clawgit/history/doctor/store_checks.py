"""What clawgit keeps beside the history: records, which nothing brings back, and caches, which can go at any time."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, Complaint
from clawgit.history.authorship.op_lookup import own_commits
from clawgit.history.views.render_views import change_of, read_state
from clawgit.plan import MESSAGE
from clawgit.workspace.records.sqlite_files import RECORD_STORES, connect, refuse_empty, store_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clawgit.history.git.repository import History

MOST_READ = 2000  # commits, the latest
CACHES = ("fold.db", "index.db")
_DAY = 86_400
_SQLITE = ("-journal", "-wal", "-shm")
_PRIVATE = (*(f"{name}*" for name in RECORD_STORES), "*.json")


def check_private(history: History) -> Iterator[Complaint]:
    """Look whether only their owner reads the stores."""
    for path in sorted(path for pattern in _PRIVATE for path in history.state.glob(pattern)):
        if path.stat().st_mode & 0o077:
            yield Complaint(
                "permissions",
                f"{path} can be read by other users of this machine.",
                "`clawgit doctor --fix` closes it.",
                mend=partial(path.chmod, 0o600),
            )


def check_records(history: History) -> Iterator[Complaint]:
    """Look whether the records are whole; a backup is what brings them back."""
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
        else:
            if problem:
                yield Complaint(
                    "records",
                    f"{name} in .git/clawgit is damaged ({problem}).",
                    "`clawgit backup --restore FILE` brings back what a backup has.",
                )


def _fault(path: Path) -> str:
    """Return what SQLite's own check finds, empty where all is well."""
    with closing(connect(path)) as db:
        ((found, *_), *_) = db.execute("PRAGMA quick_check(1)").fetchall()
    return "" if found == "ok" else " ".join(str(found).split())


def check_lost_records(history: History) -> Iterator[Complaint]:
    """Look whether the stores hold what changes made here cite: a store that is deleted is made anew, empty."""
    runs, messages = _cited(history)
    if history.settings.messages_url:
        messages = []
    for name, table, column, cited in (
        ("records.db", "runs", "run_id", runs),
        ("messages.db", "messages", "id", messages),
    ):
        present = _present(history.state / name, table, column, set(cited))
        lost = [one for one in cited if one not in present]
        if lost and (table == "messages" or lost[-1] == cited[-1]):  # a run that was killed is in no record
            yield Complaint(
                "records",
                f"{len(lost)} of {len(cited)} {table} that changes of this workspace cite are not in {name}: it, or its"
                " -wal beside it, was deleted or replaced.",
                "Put the file back, or `clawgit backup --restore FILE`. Without either they stay lost; MEMORY.md is"
                " whole, but what they said cannot be shown as evidence.",
            )


def _cited(history: History) -> tuple[list[str], list[str]]:
    """Return the runs and the messages that the latest changes made here cite, as far as these are kept; the newest first."""
    own, days = own_commits(history), history.settings.message_retention_days
    runs: dict[str, None] = {}
    messages: dict[str, None] = {}
    latest = 0
    for commit in islice(history.objects.first_parents(history.tip().commit_id), MOST_READ):
        latest = latest or commit.committed_at
        if commit.commit_id not in own:
            continue
        run = commit.trailers.first("Clawgit-Run")
        if run:
            runs[run] = None
        if not days or latest - commit.committed_at < days * _DAY:
            evidence = [said.split(" ")[0] for said in commit.trailers.all("Clawgit-Evidence")]
            messages |= dict.fromkeys(
                said.removeprefix(MESSAGE) for said in evidence if said.startswith(MESSAGE)
            )
    return list(runs), list(messages)


def _present(path: Path, table: str, column: str, wanted: set[str]) -> set[str]:
    """Return those of ``wanted`` that are in the store; all of them where that cannot be read, which `check_records` says."""
    if not path.exists() or not wanted:
        return set()
    try:
        with closing(connect(path)) as db:
            rows = db.execute(f"SELECT {column} FROM {table}").fetchall()
    except sqlite3.OperationalError as error:
        return set() if "no such table" in str(error) else wanted
    except sqlite3.DatabaseError:
        return wanted
    return {str(row[0]) for row in rows} & wanted


def check_caches(history: History) -> Iterator[Complaint]:
    """Look for caches that are damaged: thrown away, they come back the same."""
    for name in CACHES:
        path = history.state / name
        if path.exists() and _is_faulty(path):
            yield _throw_away(path, [path, *(path.with_name(name + suffix) for suffix in _SQLITE)])
    for path in sorted(history.state.glob("*.json")):
        try:
            json.loads(path.read_bytes())
        except ValueError:
            yield _throw_away(path, [path])


def _is_faulty(path: Path) -> bool:
    try:
        return bool(_fault(path))
    except sqlite3.OperationalError:
        return False  # busy, or no place for a journal
    except sqlite3.DatabaseError:
        return True


def _throw_away(path: Path, files: list[Path]) -> Complaint:
    return Complaint(
        "caches",
        f"{path.name} in .git/clawgit is damaged.",
        "It is rebuilt from the history; `clawgit doctor --fix` deletes it.",
        mend=partial(_remove, files),
    )


def _remove(files: list[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def check_views(history: History) -> Iterator[Complaint]:
    """Look whether the rendered files read as clawgit wrote them."""
    for path, written in sorted(read_state(history).written.items()):
        try:
            what = change_of(history, path, written)
        except ClawgitError as error:
            yield Complaint("views", error.message, "Move it away, then `clawgit changelog`.")
            continue
        if what:
            yield Complaint(
                "views", f"{path} {what}; it is rendered from the history.", "`clawgit changelog` renews it."
            )
