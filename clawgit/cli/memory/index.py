"""`clawgit memory index` and `memory status`: the search index, and the files in it."""

from __future__ import annotations

from typing import Any

import click

from clawgit.cli.app import App, command, picked
from clawgit.cli.terminal import progress
from clawgit.errors import ClawgitError, ExitCode
from clawgit.operations.wiring import vector_wiring
from clawgit.recall import recall_status
from clawgit.recall.index.searched_files import is_closed
from clawgit.text.safety.control_characters import shown
from clawgit.text.safety.secrets import redact_path
from clawgit.workspace.records.sqlite_files import RecordsError

MOST_LISTED = 20


@command("index")
@click.option("--force", is_flag=True, help="Rebuild it from nothing.")
@click.option("--drop-vectors", "drop", is_flag=True, help="Forget all vectors, on a Chroma server too.")
def index_command(app: App, force: bool, drop: bool) -> None:
    """Update the search index, or rebuild it.

    Each search updates it by itself, so this is seldom needed. Includes vectors.

    \b
    Examples:
      clawgit memory index
      clawgit memory index --force
      clawgit memory index --drop-vectors
    """
    history = app.history()
    with progress("Reading") as tell:
        recall_status.write_index(history, from_nothing=force, tell=tell)
    if drop:
        vector_wiring.vectors_of(app, history).drop()
    else:
        vectors = vector_wiring.enhanced_vectors(app, history)
        if vectors is not None:
            try:
                with progress("Vectors") as tell:
                    vector_wiring.complete(app, vectors, tell, force=force)
            except ClawgitError as error:
                app.say(f"There are not all vectors yet: {error}")
                app.exit_code = ExitCode.REFUSED
    status = recall_status.read_recall_status(history)
    about = vector_wiring.about_vectors(app, history, is_asked=not drop)
    app.report(
        _data(status, about),
        lambda: [
            f"Indexed: {status.units:,} lines in {status.files:,} files.",
            *vector_wiring.vector_lines(about),
        ],
    )


@command("status")
def status_command(app: App) -> None:
    """Show what is searched, and the index's state.

    Shows each tier, and the notes that several sessions needed.

    \b
    Example:
      clawgit memory status
    """
    history = app.history()
    status = recall_status.read_recall_status(history)
    about = vector_wiring.about_vectors(app, history)
    try:
        often = recall_status.often_found(history, app.now(history))
    except RecordsError as error:
        app.say(f"What was searched before is not known: {error}")
        often = []
    lines = _lines(status, about)
    if often:
        lines.append("Found by several sessions lately, and to be promoted:")
    for each in often:
        place = shown(each.path, keep_newlines=False)
        lines.append(f"  {place}: {each.hits} hits, {each.sessions} sessions")
    app.report(_data(status, about) | {"often": often}, lambda: lines)


def _data(status: recall_status.RecallStatus, about: dict[str, Any]) -> dict[str, Any]:
    return {
        "mode": "enhanced" if about else "core",
        **picked(status, "files units tiers"),
        "vectors": about,
        **picked(status, "cursor left_out on_disk"),
        "unsearched": [
            {"path": redact_path(each.path), "reason": each.reason} for each in status.coverage.unsearched
        ],
    }


def _lines(status: recall_status.RecallStatus, about: dict[str, Any]) -> list[str]:
    lines = [
        "Mode: enhanced." if about else "Mode: core (no model, no vectors).",
        f"Index: {status.units:,} lines in {status.files:,} files, as of commit {status.cursor[:12] or 'none'}.",
        *vector_wiring.vector_lines(about),
        *recall_status.tier_lines(status.tiers),
        recall_status.searched_words(status.coverage.paths),
    ]
    if not status.on_disk:
        lines.append("The index cannot be kept in .git/clawgit, so every search rebuilds it.")
    for path in filter(is_closed, status.left_out):
        lines.append(f"Not searched (a folder that cannot be opened): {shown(path, keep_newlines=False)}")
    groups: dict[str, list[str]] = {}
    for each in status.coverage.unsearched:
        groups.setdefault(each.reason, []).append(shown(redact_path(each.path), keep_newlines=False))
    for reason, paths in groups.items():
        more = len(paths) - MOST_LISTED
        rest = f" and {more:,} more; `--json` lists them all" * (more > 0)
        lines.append(f"Not searched ({reason}): {', '.join(paths[:MOST_LISTED])}{rest}")
    return lines
