"""The command group, loaded lazily, and the boundary around it."""

from __future__ import annotations

import errno
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit import __version__
from clawgit.cli.app import App
from clawgit.cli.crash_report import bug_report
from clawgit.cli.lazy_group import LazyGroup
from clawgit.errors import ClawgitError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS = {  # with the first sentence of its help: showing all of them imports none
    "init": (
        "workspace.init:init_command",
        "Make PATH (or this folder) a workspace, or adopt the one that is there.",
    ),
    "status": (
        "workspace.status:status_command",
        "Say how the workspace stands and what waits for you.",
    ),
    "keep": (
        "workspace.keep:keep_command",
        "Commit the edits in the working tree; what you have staged stays staged.",
    ),
    "doctor": (
        "workspace.doctor:doctor_command",
        "Look for what is wrong with the workspace and say how to mend it; exit 1 if something is.",
    ),
    "config": ("workspace.config:config_group", "Show, check and change the settings in CONFIG.md."),
    "trust": (
        "workspace.trust:trust_command",
        "Trust the values that CONFIG.md has for KEYs; without KEY, list what waits.",
    ),
    "workspaces": (
        "workspace.workspaces:workspaces_group",
        "Name your workspaces, so that one search can reach all of them.",
    ),
    "hooks": (
        "workspace.hooks:hooks_group",
        "Put clawgit's checks into git's own hooks, and take them out again.",
    ),
    "quarantine": (
        "workspace.quarantine:quarantine_group",
        "Look at what a guard refused; apply it after all, or drop it.",
    ),
    "backup": ("workspace.backup:backup_command", "Put the records into FILE, or bring them back from it."),
    "pause": (
        "workspace.pause:pause_command",
        "Stop the agents from writing until `clawgit resume`; you and the host go on.",
    ),
    "resume": ("workspace.pause:resume_command", "Let the agents write again."),
    "soul": ("soul.soul:soul_group", "Read the history of who the agent is, and bring an earlier soul back."),
    "changelog": (
        "soul.changelog:changelog_command",
        "Print every change of SOUL.md and IDENTITY.md, newest first, and draw up the derived files anew.",
    ),
    "undo": (
        "soul.undo:undo_command",
        "Take back one entry, commit or run, all from one source, or all by one actor since a date; later changes stay.",
    ),
    "why": (
        "soul.why:why_command",
        "Say where a statement comes from: its changes, who made them, on what evidence, and how sure it is.",
    ),
    "memory": (
        "memory.memory:memory_group",
        "Add to what is remembered, find it again, and see on what it rests.",
    ),
    "chat": (
        "chat.chat:chat_group",
        "Keep what was said, read it, bring transcripts in and hand messages on.",
    ),
    "triage": (
        "chat.triage:triage_command",
        "Say what MESSAGE asks of the agents: for the miner, for the validator, or for a route of your own.",
    ),
    "session": (
        "chat.session:session_group",
        "Say when a session is over, keep what matters of it, and make long conversations shorter.",
    ),
    "correct": (
        "memory.corrections:correct_command",
        "Set right what memory says: NEW instead of OLD, for good.",
    ),
    "corrections": (
        "memory.corrections:corrections_group",
        "List what was set right, the newest first; `corrections archive` moves what is old.",
    ),
    "conflicts": (
        "memory.conflicts:conflicts_group",
        "List entries that contradict each other, and say which one holds.",
    ),
    "run": (
        "agents.runs:run_command",
        "Let AGENT do what waits for it: each piece of work is one change, or a record of why there is none.",
    ),
    "runs": (
        "agents.runs:runs_command",
        "List the runs of the agents, the newest first: what each changed, or why it changed nothing.",
    ),
    "runner": ("agents.runner:runner_group", "Do the agents' jobs at their times, and say how they went."),
    "digest": (
        "agents.digest:digest_command",
        "Show what the operator was told in the morning: what was learned, corrected and changed, and what waits.",
    ),
    "up": (
        "service.up:up_command",
        "Look after all your workspaces until ^C: keep edits, do the jobs at their times, answer at once.",
    ),
    "down": ("service.up:down_command", "End the service: it finishes what it is doing first."),
    "logs": (
        "service.logs:logs_command",
        "Show what the service logged, the oldest first; with --json a line of JSON each.",
    ),
}
_DASH = "A text that begins with a dash goes behind `--`."


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
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
    code = _run(app, arguments, environment)
    return ExitCode.BUG if app.met_bug else code


def _run(app: App, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
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
        app.settle()
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
    app.say(bug_report(error))
    return ExitCode.BUG
