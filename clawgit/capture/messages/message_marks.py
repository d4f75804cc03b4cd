"""Which messages a clone has mined, read and validated: two clones of a workspace on one store each read all of them.

A clone that is new in a store takes over the marks of those runs that its own records know: what the clone whose backup
it was restored from had done by then, and what a store of before had marked.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from clawgit.workspace.records.sqlite_files import RecordsError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from clawgit.capture.messages.message_database import Database

COLUMNS = ("mined_in", "read_in", "validated_in")
_RUNS_AT_ONCE = 500
_OTHERS = "marks.clone <> :clone AND messages.workspace = :workspace"


class Clone(NamedTuple):
    """A clone of a workspace by its id, and what tells the runs that it knows to have come to an end."""

    clone_id: str = ""
    runs: Callable[[], Collection[str]] = tuple


NO_CLONE: Final = Clone()


class MessageMarks:
    """The marks of one clone; nothing is written before it has something to mark or to take over."""

    def __init__(self, database: Database, workspace: str, clone: Clone) -> None:
        self._db, self._clone, self._is_settled = database, clone, not clone.clone_id
        self._here = {"workspace": workspace, "clone": clone.clone_id}

    def clone_id(self) -> str:
        """Return whose marks count, once they are complete."""
        if not self._is_settled:
            self._is_settled = True
            with suppress(RecordsError):  # who may only read sees no marks
                self._settle()
        return self._clone.clone_id

    def note(self, column: str, chat_ids: Iterable[str], run_id: str) -> int:
        """Mark messages with a run; the first run stays. Return how many were new."""
        self.clone_id()
        sql = f"""
            INSERT INTO marks (number, clone, {column})
            SELECT number, :clone, :run FROM messages WHERE workspace = :workspace AND id = :id
                ON CONFLICT (number, clone) DO UPDATE SET {column} = excluded.{column}
             WHERE marks.{column} IS NULL RETURNING number
            """
        every = [{**self._here, "id": chat_id, "run": run_id} for chat_id in chat_ids]

        def work() -> int:
            self._enter()
            return sum(len(self._db.rows(sql, values)) for values in every)

        return self._db.transact(work)

    def _settle(self) -> None:
        is_known = "SELECT 1 FROM clones WHERE workspace = :workspace AND clone = :clone"
        of_others = (
            f"SELECT 1 FROM messages JOIN marks ON marks.number = messages.number WHERE {_OTHERS} LIMIT 1"
        )
        if not self._db.rows(is_known, self._here) and self._db.rows(of_others, self._here):
            runs = frozenset(self._clone.runs())
            self._db.transact(lambda: self._take_over(runs))

    def _enter(self) -> None:
        self._db.rows("INSERT INTO clones VALUES (:workspace, :clone) ON CONFLICT DO NOTHING", self._here)

    def _take_over(self, settled: Collection[str]) -> None:
        for column in COLUMNS:
            rows = self._db.rows(
                f"""
                SELECT DISTINCT {column} FROM messages JOIN marks ON marks.number = messages.number
                 WHERE {_OTHERS} AND {column} IS NOT NULL
                """,
                self._here,
            )
            runs = [run for (run,) in rows if run in settled]
            for start in range(0, len(runs), _RUNS_AT_ONCE):
                self._take_runs(column, runs[start : start + _RUNS_AT_ONCE])
        self._enter()

    def _take_runs(self, column: str, runs: Collection[str]) -> None:
        names = {f"run{at}": run for at, run in enumerate(runs)}
        sql = f"""
            INSERT INTO marks (number, clone, {column})
            SELECT marks.number, :clone, MIN({column}) FROM messages JOIN marks ON marks.number = messages.number
             WHERE {_OTHERS} AND {column} IN ({", ".join(f":{name}" for name in names)}) GROUP BY marks.number
                ON CONFLICT (number, clone) DO UPDATE SET {column} = excluded.{column}
            """
        self._db.rows(sql, {**self._here, **names})
