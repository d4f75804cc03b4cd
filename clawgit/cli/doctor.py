"""`clawgit doctor`."""

from __future__ import annotations

import click

from clawgit.cli.app import App, Command
from clawgit.errors import ExitCode


@click.command("doctor", cls=Command)
@click.option("--fix", is_flag=True, help="Repair what can be repaired without losing anything.")
@click.pass_obj
def doctor_command(app: App, fix: bool) -> None:
    """Look for what is wrong with the workspace and say how to mend it; exit 1 if something is."""
    from clawgit.history.doctor import examine

    history = app.unconfigured()
    found = examine(history, fix=fix)
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
