"""`soul export`: the soul after every change of a range, each as a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.git.storage_errors import storage_errors
from clawgit.history.views.change_logs import local, read_marked, read_soul_reached, replaced_ways
from clawgit.history.views.soul_history import named, read_snapshots, read_soul_changes, text_of
from clawgit.workspace.safe_files import FileContent, read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date
    from pathlib import Path

    from clawgit.history.git.repository import History
    from clawgit.history.views.soul_history import SoulCopy


class ExportError(ClawgitError):
    """The copies cannot be written there."""


def export_soul(history: History, folder: Path, since: date | None, until: date | None) -> list[str]:
    """Write every change (`2026-03-19T1022-what.md`) and snapshot (`2026-03-19-name.md`) of those days.

    Returns the names. A file that says so already stays; nothing is thinned.

    Raises:
        ExportError: ``folder`` is no place for them, or holds another file of such a name; nothing was written.
    """
    told = read_soul_reached(history)
    changes = read_soul_changes(history, told, replaced_ways(history, told))
    snapshots = read_snapshots(history, read_marked(history))

    def chosen(copies: Iterable[SoulCopy]) -> list[SoulCopy]:
        days = ((local(copy.at, history.settings).date(), copy) for copy in copies)
        return [copy for day, copy in days if (since or day) <= day <= (until or day)]

    copies = named(history, chosen(changes), "%Y-%m-%dT%H%M") | named(history, chosen(snapshots))
    texts = {name: text_of(history, copy) for name, copy in sorted(copies.items())}
    _write(history, folder, texts)
    return list(texts)


def _write(history: History, folder: Path, texts: dict[str, bytes]) -> None:
    if folder.resolve().is_relative_to(history.folder.resolve()) or (folder.exists() and not folder.is_dir()):
        raise ExportError(f"{folder} is no folder for copies of the soul.", hint="Give another folder.")
    with storage_errors(folder if folder.exists() else history.root):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        present = {name: read_file(folder, name) for name in texts}
        for name, found in present.items():
            if found is not None and found.data != texts[name]:
                raise ExportError(
                    f"{folder / name} exists and reads otherwise, so nothing was written.",
                    hint="Move it away, or give another folder.",
                )
        for name, text in texts.items():
            if present[name] is None:
                write_file(folder, name, FileContent(text))
