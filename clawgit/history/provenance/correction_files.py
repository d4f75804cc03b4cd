"""The ledger of corrections and its archives, where a change would take something out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.authorship.actors import OPERATOR
from clawgit.memory.corrections.correction_log import ARCHIVE, LEDGER, is_correction_file
from clawgit.memory.corrections.withdrawal import archive_of, keep_corrections, restored, standing
from clawgit.workspace.safe_files import FileContent

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.git.trees import Tree
    from clawgit.history.transaction.files_in_memory import WorkFiles
    from clawgit.memory.corrections.correction_log import Correction


class WithdrawalError(ClawgitError):
    """A correction would be withdrawn by somebody who may not."""


def keep_in_ledgers(
    files: WorkFiles, brought: Collection[str]
) -> tuple[tuple[Correction, ...], tuple[Correction, ...]]:
    """Let every correction stay in the ledger or the archive; return which are withdrawn, and which in force again."""
    if not brought and not any(map(is_correction_file, files.contents)):
        return (), ()
    paths = [path for path in {*ledgers(files.tree), *files.contents} if is_correction_file(path)]
    old = {path: files.tree.read(path) or b"" for path in paths}
    texts, withdrawn = keep_corrections(old, {path: files.data(path) for path in paths}, brought)
    for path, text in texts.items():
        here = files.content(path)
        if text != files.data(path):
            empty = path != LEDGER and not text.strip()
            files.put(path, None if empty else FileContent(text, here is not None and here.executable))
    return withdrawn, restored(old, texts)


def standing_corrections(tree: Tree) -> dict[str, Correction]:
    """Return the corrections of a state by id, those of the archives too."""
    return standing({path: tree.read(path) or b"" for path in ledgers(tree)})


def refuse_withdrawal(withdrawn: Sequence[Correction], intent: Intent) -> None:
    """Refuse that anybody but the operator withdraws.

    Raises:
        WithdrawalError: Somebody else would.
    """
    if withdrawn and intent.actor != OPERATOR:
        raise WithdrawalError(
            f"This would withdraw the correction x:{withdrawn[0].correction_id}; only the operator may.",
            hint="Run it yourself, in a terminal of your own.",
        )


def withdrawal_trailers(withdrawn: Sequence[Correction]) -> list[tuple[str, str]]:
    """Return what the commit says about what leaves the ledger, and where it is kept."""
    return [
        (
            "Clawgit-Loss",
            f"{LEDGER}: x:{each.correction_id} withdrawn by the operator; it is kept in {archive_of(each)}",
        )
        for each in withdrawn
    ]


def ledgers(tree: Tree) -> list[str]:
    """Return the files of a state that hold corrections, the ledger first."""
    archives = [path for path, _ in tree.files(below=ARCHIVE.rstrip("/"))]
    return [LEDGER, *(path for path in archives if is_correction_file(path))]
