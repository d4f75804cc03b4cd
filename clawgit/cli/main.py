"""The command group, loaded lazily, and the boundary around it."""

from __future__ import annotations

import errno
import json
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from clawgit import __version__
from clawgit.cli.app import App
from clawgit.cli.crash_report import write_crash
from clawgit.errors import ClawgitError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS = {
    "init": "workspace.init_status_up:init_command",
    "status": "workspace.init_status_up:status_command",
    "keep": "workspace.keep:keep_command",
    "doctor": "workspace.doctor:doctor_command",
    "config": "workspace.config:config_group",
    "trust": "workspace.trust:trust_command",
    "workspaces": "workspace.workspaces:workspaces_group",
    "hooks": "workspace.hooks:hooks_group",
    "quarantine": "workspace.quarantine:quarantine_group",
    "backup": "workspace.backup:backup_command",
    "pause": "workspace.pause:pause_command",
    "resume": "workspace.pause:resume_command",
    "soul": "soul.soul:soul_group",
    "changelog": "soul.changelog:changelog_command",
    "undo": "soul.undo:undo_command",
    "why": "soul.why:why_command",
    "memory": "memory.memory:memory_group",
    "chat": "chat.chat:chat_group",
    "triage": "chat.triage:triage_command",
    "session": "chat.session:session_group",
    "correct": "memory.corrections:correct_command",
    "corrections": "memory.corrections:corrections_group",
    "run": "agents.runs:run_command",
    "runs": "agents.runs:runs_command",
    "up": "workspace.init_status_up:up_command",
}
_DASH = "A text that begins with a dash goes behind `--`."


class LazyGroup(click.Group):
    """Imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which the help shows them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        found = getattr(import_module(f"clawgit.cli.{module}"), name)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a word that is close to one, name that one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], COMMANDS, n=1)
            if not near:
                raise
            raise click.UsageError(f"{error.message} Did you mean {near[0]!r}?", ctx) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-w", "--workspace", metavar="PATH", help="The workspace; else CLAWGIT_WORKSPACE, else upwards from here."
)
@click.option("--now", metavar="ISO", help="Pretend that it is this time; it dates the commits.")
@click.option(
    "--rehearse", is_flag=True, help="Let --now be ahead of the clock; use a copy of the workspace."
)
@click.option("--op", metavar="ID", help="The change's id: the same id is applied at most once.")
@click.option("--json", "as_json", is_flag=True, help="Report as JSON on stdout.")
@click.version_option(__version__, prog_name="clawgit")
@click.pass_context
def cli(ctx: click.Context, /, **shared: Any) -> None:
    """Memory and identity of an AI agent, kept in git: every change has a reason and an undo."""
    app = ctx.obj
    assert isinstance(app, App)
    app.take(**shared)


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run one command; expected refusals are sentences, bugs leave a crash file."""
    app = App(environment, words=tuple(arguments))
    try:
        cli.main(
            args=list(arguments),
            prog_name="clawgit",
            obj=app,
            standalone_mode=False,
            color=False if environment.get("NO_COLOR") else None,
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except (ClawgitError, click.ClickException, click.exceptions.Exit) as error:
        return _refused(app, error)
    except (click.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except SystemExit as error:  # click ends so after shell completion, and with 1 on a closed pipe
        return ExitCode.CLOSED_PIPE if error.code == 1 else ExitCode.DONE
    except OSError as error:
        return _failed_outside(app, error)
    except Exception as error:  # noqa: BLE001 - the one boundary: a bug ends with a file to send, not a page of text
        return _crashed(app, error)
    return app.exit_code


def _failed_outside(app: App, error: OSError) -> int:
    """Say what the system refused; an output that nobody takes is no failure of the command's own."""
    if error.filename is None and error.errno in (errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.CLOSED_PIPE
    where = f"{error.filename}: " if error.filename is not None else ""
    app.refuse(
        ClawgitError(f"{where}{error.strerror or error}.", hint="Check the place and its permissions.")
    )
    return ExitCode.REFUSED


def _refused(app: App, error: ClawgitError | click.ClickException | click.exceptions.Exit) -> int:
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.ClickException):
        hint = _DASH if isinstance(error, click.NoSuchOption) and not error.possibilities else ""
        if app.as_json or "--json" in app.words:
            said = {"error": error.format_message(), "hint": hint, "exit": int(ExitCode.USAGE)}
            click.echo(json.dumps(said, ensure_ascii=True))
        error.show()
        if hint:
            app.say(hint)
        return ExitCode.USAGE
    app.refuse(error)
    return error.exit_code


def _crashed(app: App, error: Exception) -> int:
    path = write_crash(error)
    app.say(f"This is a bug in clawgit ({type(error).__name__}). What happened is in {path}.")
    return ExitCode.BUG
