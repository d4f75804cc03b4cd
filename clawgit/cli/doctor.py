"""`clawgit doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, Command
from clawgit.errors import ClawgitError, ExitCode

if TYPE_CHECKING:
    from clawgit.history.doctor import Complaint


@click.command("doctor", cls=Command)
@click.option("--fix", is_flag=True, help="Repair what can be repaired without losing anything.")
@click.pass_obj
def doctor_command(app: App, fix: bool) -> None:
    """Look for what is wrong with the workspace and say how to mend it; exit 1 if something is."""
    from clawgit.history.doctor import examine

    history = app.unconfigured()
    found = [*examine(history, fix=fix), *_about_vectors(app)]
    app.exit_code = ExitCode.REFUSED if any(not item.mended for item in found) else ExitCode.DONE
    app.report(
        [
            {"what": item.what, "way_out": item.way_out, "mended": item.mended, "check": item.check}
            for item in found
        ],
        lambda: (
            [f"{'mended' if item.mended else 'wrong '}  {item.what} {item.way_out}" for item in found]
            or ["Everything is in order."]
        ),
    )


def _about_vectors(app: App) -> list[Complaint]:
    """Return what enhanced mode lacks; whether it is wanted is told by the settings, if they can be read."""
    from clawgit.cli.enhanced import enhanced_vectors
    from clawgit.recall.diagnosis import missing_for_vectors

    try:
        vectors = enhanced_vectors(app, app.history())
    except ClawgitError:
        return []
    return [] if vectors is None else list(missing_for_vectors(vectors))
