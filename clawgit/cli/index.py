"""`clawgit memory index` and `memory status`: the index behind the search, and what it covers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clawgit.recall.status import RecallStatus


@click.command("index", cls=Command)
@click.option("--force", is_flag=True, help="Make it anew, whatever is there.")
@click.pass_obj
def index_command(app: App, force: bool) -> None:
    """Bring the search index up to date, which every search does by itself, or make it anew.

    \b
    Examples:
      clawgit memory index
      clawgit memory index --force
    """
    from clawgit.recall.status import read_recall_status, write_index

    history = app.history()
    with _progress() as tell:
        write_index(history, from_nothing=force, tell=tell)
    status = read_recall_status(history)
    app.report(_data(status), lambda: [f"Indexed: {status.units:,} lines in {status.files:,} files."])


@click.command("status", cls=Command)
@click.pass_obj
def status_command(app: App) -> None:
    """Say what is searched, by tier, and how the index stands.

    \b
    Examples:
      clawgit memory status
      clawgit memory status --json
    """
    from clawgit.recall.status import read_recall_status

    status = read_recall_status(app.history())
    app.report(_data(status), lambda: _lines(status))


def _data(status: RecallStatus) -> dict[str, Any]:
    return {
        "mode": "core",
        "files": status.files,
        "units": status.units,
        "tiers": status.tiers,
        "vectors": {},
        "cursor": status.cursor,
        "left_out": list(status.left_out),
        "on_disk": status.on_disk,
    }


def _lines(status: RecallStatus) -> list[str]:
    from clawgit.recall.status import tier_lines

    lines = [
        "Mode: core (no model, no vectors).",
        f"Index: {status.units:,} lines in {status.files:,} files, as of commit {status.cursor[:12] or 'none'}.",
        *tier_lines(status.tiers),
    ]
    if not status.on_disk:
        lines.append("The index cannot be kept in .git/clawgit, so every search makes it anew.")
    return lines + [f"Left out, too large or not to be read: {path}" for path in status.left_out]


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Yield what shows, on a terminal, how many files are done; somewhere else nothing is shown."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with click.progressbar(length=1000, label="Reading", file=sys.stderr) as bar:

        def tell(done: int, total: int) -> None:
            bar.update(1000 * done // total - bar.pos)

        yield tell
