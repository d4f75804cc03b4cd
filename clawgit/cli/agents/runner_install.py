"""`clawgit runner install` and `uninstall`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, Command
from clawgit.errors import ClawgitError
from clawgit.runner.installation import (
    NOTE,
    Places,
    crontab_line,
    install_units,
    installed_units,
    read_crontab,
    service_units,
    timer_units,
    uninstall_units,
    with_crontab_line,
    without_crontab_line,
    write_crontab,
)
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from collections.abc import Sequence


SYSTEMD, LAUNCHD, CRON = "systemd", "launchd", "cron"
_IS_SYSTEMD = Path("/run/systemd/system")
_LINGER = "`loginctl enable-linger` lets it run while you are not logged in."
_NEXT = {  # kind, and whether it is a timer
    (SYSTEMD, False): (
        "`systemctl --user daemon-reload && systemctl --user enable --now clawgit.service` starts it.",
        _LINGER,
    ),
    (SYSTEMD, True): (
        "`systemctl --user daemon-reload && systemctl --user enable --now clawgit-runner.timer` starts it.",
        _LINGER,
    ),
    (LAUNCHD, False): ("`launchctl load -w ~/Library/LaunchAgents/org.clawgit.service.plist` starts it.",),
    (LAUNCHD, True): ("`launchctl load -w ~/Library/LaunchAgents/org.clawgit.runner.plist` starts it.",),
}
_END = {
    "clawgit.service": "`systemctl --user daemon-reload && systemctl --user stop clawgit.service` ends it now.",
    "clawgit-runner.timer": "`systemctl --user daemon-reload && systemctl --user stop clawgit-runner.timer` ends it now.",
    "org.clawgit.service.plist": "`launchctl remove org.clawgit.service` ends it now.",
    "org.clawgit.runner.plist": "`launchctl remove org.clawgit.runner` ends it now.",
}
_PROGRAM = (sys.executable, "-P", "-m", "clawgit")
_KIND = click.Choice((SYSTEMD, LAUNCHD, CRON))


@click.command("install", cls=Command)
@click.option("--with", "kind", type=_KIND, help="What starts it; the default is what this machine has.")
@click.option(
    "--timer",
    is_flag=True,
    help="No service: a timer that calls `clawgit runner once --all` every five minutes.",
)
@click.option(
    "--http", "port", type=click.IntRange(1, 65535), metavar="PORT", help="The service answers there, too."
)
@click.option("--dry-run", is_flag=True, help="Show what would be written; change nothing.")
@click.pass_obj
def install_command(app: App, kind: str | None, timer: bool, port: int | None, dry_run: bool) -> None:
    """Let the machine start the service.

    It is a unit of systemd of yours, or an agent of launchd; with cron, a line of your crontab that does the jobs every
    five minutes. Nothing is started: what is said at the end starts it. The workspaces are those that
    `clawgit workspaces add` named.

    \b
    Examples:
      clawgit runner install --dry-run
      clawgit runner install --timer
      clawgit runner install --with cron
    """
    app.only_operator("install the runner")
    chosen = kind or _kind_here()
    once = [*_PROGRAM, "runner", "once", "--all"]
    if chosen == CRON:
        _install_line(app, once, dry_run=dry_run)
        return
    places = _places(app)
    up = [*_PROGRAM, "up", *(["--http", str(port)] if port else [])]
    wanted = timer_units(chosen, once, places) if timer else service_units(chosen, up, places)
    if dry_run:
        shown = [line for unit in wanted for line in (f"{unit.path}:", *unit.text.splitlines(), "")]
        app.report({"files": {str(unit.path): unit.text for unit in wanted}}, lambda: shown)
        return
    written = install_units(wanted, _note(app))
    app.report(
        {"files": [str(path) for path in written]},
        lambda: [f"Wrote {path}" for path in written] or ["It is installed already."],
    )
    for line in _NEXT[chosen, timer]:
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
    app.only_operator("uninstall the runner")
    gone = installed_units(_note(app)) if dry_run else uninstall_units(_note(app))
    removed = [str(path) for path in gone]
    removed += ["the line in the crontab"] if _removed_line(dry_run=dry_run) else []
    verb = "Would remove" if dry_run else "Removed"
    app.report(
        {"removed": removed, "dry_run": dry_run},
        lambda: [f"{verb} {each}" for each in removed] or ["The runner was not installed."],
    )
    for line in [] if dry_run else [_END[path.name] for path in gone if path.name in _END]:
        app.say(line)


def _places(app: App) -> Places:
    return Places(user_config_dir(app.environment, Path.home()).parent, Path.home())


def _note(app: App) -> Path:
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
    line = crontab_line(command)
    before = read_crontab()
    after = with_crontab_line(before, line)
    if not dry_run and after != before:
        write_crontab(after)
    verb = "Would add" if dry_run else "The crontab has"
    app.report({"crontab": line, "dry_run": dry_run}, lambda: [f"{verb}: {line.rstrip()}"])


def _removed_line(*, dry_run: bool) -> bool:
    """Remove the crontab's line; say whether there was one."""
    if not shutil.which("crontab"):
        return False
    before = read_crontab()
    after = without_crontab_line(before)
    if after != before and not dry_run:
        write_crontab(after)
    return after != before
