"""`clawgit runner install` and `uninstall`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, Command
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clawgit.runner.installation import Places

SYSTEMD, LAUNCHD, CRON = "systemd", "launchd", "cron"
_IS_SYSTEMD = Path("/run/systemd/system")
_NEXT = {
    SYSTEMD: (
        "`systemctl --user daemon-reload && systemctl --user enable --now clawgit-runner.timer` starts it.",
        "`loginctl enable-linger` lets it run while you are not logged in.",
    ),
    LAUNCHD: ("`launchctl load -w ~/Library/LaunchAgents/org.clawgit.runner.plist` starts it.",),
}
_KIND = click.Choice((SYSTEMD, LAUNCHD, CRON))


@click.command("install", cls=Command)
@click.option("--with", "kind", type=_KIND, help="Which timer; the default is the one that this machine has.")
@click.option("--dry-run", is_flag=True, help="Show what would be written; change nothing.")
@click.pass_obj
def install_command(app: App, kind: str | None, dry_run: bool) -> None:
    """Start the runner with the machine's own timer.

    The machine calls `clawgit runner once --all` every five minutes.

    It is a systemd timer of yours, a launchd agent, or a line of your crontab. Nothing is started: what is said at the
    end starts it. The workspaces are those that `clawgit workspaces add` named.

    \b
    Examples:
      clawgit runner install --dry-run
      clawgit runner install --with cron
    """
    from clawgit.runner.installation import install_units, units

    app.only_operator("install the runner")
    chosen = kind or _kind_here()
    command = [sys.executable, "-P", "-m", "clawgit", "runner", "once", "--all"]
    if chosen == CRON:
        _install_line(app, command, dry_run=dry_run)
        return
    wanted = units(chosen, command, _places(app))
    if dry_run:
        shown = [line for unit in wanted for line in (f"{unit.path}:", *unit.text.splitlines(), "")]
        app.report({"files": {str(unit.path): unit.text for unit in wanted}}, lambda: shown)
        return
    written = install_units(wanted, _note(app))
    app.report(
        {"files": [str(path) for path in written]},
        lambda: [f"Wrote {path}" for path in written] or ["It is installed already."],
    )
    for line in _NEXT[chosen]:
        app.say(line)


@click.command("uninstall", cls=Command)
@click.option("--dry-run", is_flag=True, help="Say what would be removed; change nothing.")
@click.pass_obj
def uninstall_command(app: App, dry_run: bool) -> None:
    """Remove what `runner install` wrote.

    It refuses a file that was edited since.

    \b
    Examples:
      clawgit runner uninstall --dry-run
      clawgit runner uninstall
    """
    from clawgit.runner.installation import installed_units, uninstall_units

    app.only_operator("uninstall the runner")
    gone = installed_units(_note(app)) if dry_run else uninstall_units(_note(app))
    removed = [str(path) for path in gone]
    removed += ["the line in the crontab"] if _removed_line(dry_run=dry_run) else []
    verb = "Would remove" if dry_run else "Removed"
    app.report(
        {"removed": removed, "dry_run": dry_run},
        lambda: [f"{verb} {each}" for each in removed] or ["The runner was not installed."],
    )
    if any(path.suffix == ".timer" for path in gone) and not dry_run:
        app.say("`systemctl --user daemon-reload && systemctl --user stop clawgit-runner.timer` ends it now.")


def _places(app: App) -> Places:
    from clawgit.runner.installation import Places
    from clawgit.workspace.user.user_file import user_config_dir

    return Places(user_config_dir(app.environment, Path.home()).parent, Path.home())


def _note(app: App) -> Path:
    from clawgit.runner.installation import NOTE

    return app.registry_file.with_name(NOTE)


def _kind_here() -> str:
    if sys.platform == "darwin":
        return LAUNCHD
    if _IS_SYSTEMD.is_dir():
        return SYSTEMD
    if shutil.which("crontab"):
        return CRON
    raise ClawgitError(
        "This machine has neither systemd nor crontab, so nothing can be installed.",
        hint="Have something call `clawgit runner once --all` every few minutes.",
    )


def _install_line(app: App, command: Sequence[str], *, dry_run: bool) -> None:
    from clawgit.runner.installation import crontab_line, read_crontab, with_crontab_line, write_crontab

    line = crontab_line(command)
    before = read_crontab()
    after = with_crontab_line(before, line)
    if not dry_run and after != before:
        write_crontab(after)
    verb = "Would add" if dry_run else "The crontab has"
    app.report({"crontab": line, "dry_run": dry_run}, lambda: [f"{verb}: {line.rstrip()}"])


def _removed_line(*, dry_run: bool) -> bool:
    """Remove the crontab's line; say whether there was one."""
    from clawgit.runner.installation import read_crontab, without_crontab_line, write_crontab

    if not shutil.which("crontab"):
        return False
    before = read_crontab()
    after = without_crontab_line(before)
    if after != before and not dry_run:
        write_crontab(after)
    return after != before
