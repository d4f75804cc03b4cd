"""The command group, loaded lazily, and the boundary around it."""

from __future__ import annotations

import errno
import json
import os
import sys
from typing import TYPE_CHECKING

import click

from clawgit import __version__
from clawgit.cli.app import App, command, global_options
from clawgit.cli.lazy_group import MEANT, REMEMBER, SEARCH, LazyGroup, NamingGroup
from clawgit.errors import ClawgitError, ExitCode, UsageError, outside_error
from clawgit.operations.caller import bug_report
from clawgit.workspace.user.pattern_cache import keep_patterns, revive_patterns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SECTIONS = {  # with the first sentence of each command's help: showing all of them imports none
    "Start": {
        "init": ("workspace.init:init_command", "Make a workspace of PATH, or adopt its folder."),
        "up": ("service.up:up_command", "Run the service for all your workspaces."),
        "connect": ("service.connect:connect_command", "Let your agent use this workspace."),
        "status": ("workspace.status:status_command", "Show the workspace's state and what needs you."),
    },
    "Every day": {
        "log": ("soul.log:log_command", "List what changed, statement by statement."),
        "pending": ("pending:pending_group", "List everything that is open."),
        "approve": ("pending:approve_command", "Say yes to items that need your decision."),
        "keep": ("workspace.keep:keep_command", "Commit edits under their author's name."),
        "remember": REMEMBER,
        "search": SEARCH,
        "chat": ("chat.chat:chat_group", "Keep and read messages; import transcripts."),
    },
    "Put right": {
        "correct": ("memory.corrections:correct_command", "Correct a statement in memory."),
        "forget": ("soul.undo:forget_command", "Remove a line of memory, after a question."),
        "why": ("soul.why:why_command", "Show where a statement comes from."),
        "undo": ("soul.undo:undo_command", "Take back an entry, a commit, a run or a source."),
        "soul": ("soul.soul:soul_group", "Review and restore the agent's identity."),
    },
}
OTHERS = {  # what `help all` lists besides
    "More for every day": {
        "reject": ("pending:reject_command", "Say no to items that need your decision."),
        "memory": ("memory.memory:memory_group", "Add, search and tidy what is remembered."),
        "corrections": ("memory.corrections:corrections_group", "List corrections, or archive old ones."),
        "conflicts": ("memory.corrections:conflicts_group", "List entries that contradict each other."),
        "session": ("chat.session:session_group", "End a session; keep what matters of it."),
        "digest": ("agents.digest:digest_command", "Show the morning report."),
        "changelog": ("soul.soul:changelog_command", "Print each change of the agent's identity."),
        "help": ("main:help_command", "Explain a command, or list all."),
    },
    "Look after": {
        "doctor": ("workspace.doctor:doctor_command", "Find problems and say how to fix them."),
        "config": ("workspace.config:config_group", "Show, check and change settings."),
        "workspaces": ("workspace.workspaces:workspaces_group", "Name workspaces, to search across them."),
        "hooks": ("workspace.hooks:hooks_group", "Install or remove clawgit's git hooks."),
        "trust": ("workspace.config:trust_command", "Trust the values of settings in CONFIG.md."),
        "quarantine": ("pending:quarantine_group", "Review changes that a guard refused."),
        "backup": ("workspace.backup:backup_command", "Back up records to FILE, or restore them."),
        "uninstall": ("workspace.uninstall:uninstall_command", "Remove clawgit from this workspace."),
    },
    "Jobs and service": {
        "page": ("service.page:page_command", "Open the web page, or print Today as a file."),
        "down": ("service.up:down_command", "Stop the service."),
        "logs": ("service.up:logs_command", "Show the service's log, oldest first."),
        "run": ("agents.runs:run_command", "Run AGENT on its pending work."),
        "runs": ("agents.runs:runs_command", "List what the agents' runs changed."),
        "runner": ("agents.runner:runner_group", "Run the agents' jobs at their times."),
        "pause": ("agents.runs:pause_command", "Stop the jobs from writing."),
        "resume": ("agents.runs:resume_command", "Let the jobs write again."),
    },
    "For programs": {
        "context": ("context.context:context_group", "Print what a conversation begins with."),
        "receipts": (
            "context.context:receipts_group",
            "List and verify the contexts and hits that were given.",
        ),
        "disconnect": (
            "service.connect:disconnect_command",
            "Undo `connect` in your agent and the workspace.",
        ),
        "mcp": ("service.mcp:mcp_command", "Serve memory to a client that speaks MCP."),
        "triage": ("chat.triage:triage_command", "Say which agent a message is for."),
    },
}
COMMANDS: dict[str, tuple[str, str]] = {}
for _table in (*SECTIONS.values(), *OTHERS.values()):
    COMMANDS |= _table
# Verbs of decision before there was one queue; they answer with the new words for one version.
_MOVED = (
    ["soul", "pending"],
    ["soul", "approve"],
    ["soul", "reject"],
    ["conflicts", "resolve"],
    ["quarantine", "apply"],
    ["quarantine", "drop"],
)
_DASH = "A text that begins with a dash goes behind `--`."


def _tell_version(ctx: click.Context, _: click.Parameter, is_given: bool) -> None:
    if not is_given:
        return
    app = ctx.obj
    assert isinstance(app, App)
    as_json = "--json" in app.words
    click.echo(json.dumps({"version": __version__}) if as_json else f"clawgit, version {__version__}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    sections=SECTIONS,
    others=OTHERS,
    epilog="`clawgit help all` lists the other commands.",
    meant=MEANT,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=global_options(),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Memory and identity of an AI agent, kept in git: every change has a reason and an undo."""


@command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND|TOPIC]")
def help_command(app: App, words: tuple[str, ...]) -> None:
    """Explain a command, or list all.

    `all` lists all commands. Other words are looked for in the documentation.

    \b
    Examples:
      clawgit help all
      clawgit help memory search
      clawgit help take back
    """
    root = click.get_current_context().find_root()
    if words == ("all",) and isinstance(root.command, LazyGroup):
        formatter = root.make_formatter()
        root.command.write_sections(formatter, {**root.command.sections, **root.command.others})
        app.report(list(root.command.table), lambda: formatter.getvalue().strip("\n").split("\n"))
        return
    context = root
    for at, word in enumerate(words):
        named = None
        near = ""
        if isinstance(context.command, NamingGroup):
            named = context.command.get_command(context, word)
            if named is None:
                near = context.command.near(context, list(words[at:]))
        if named is None and context is root and word not in MEANT:
            from clawgit.cli.help_topics import find_topic  # rarely asked

            lines = find_topic(words)
            if lines:
                app.say(f"No such command {' '.join(words)!r}. These have to do with it:")
                app.report(lines, lines.copy)
                return
        if named is None:
            near = near or "`clawgit help all` lists the commands, README.md what to read."
            raise click.UsageError(f"No such command {' '.join(words)!r}. {near}", root)
        context = click.Context(named, info_name=word, parent=context)
    app.print(context.get_help())


def run(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run one command; refusals are printed as sentences, bugs leave a crash file."""
    if sys.stdout is None:  # the parent process closed it
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    revive_patterns()
    app = App(environment, words=tuple(arguments))
    code = _run(app, arguments, environment)
    keep_patterns()
    if app.met_bug:
        return ExitCode.BUG
    return code


def _run(app: App, arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    try:
        cli.main(
            args=list(arguments),
            prog_name="clawgit",
            obj=app,
            standalone_mode=False,
            color=False if environment.get("NO_COLOR") else None,
        )
        sys.stdout.flush()
        app.settle()
    except (ClawgitError, click.ClickException, click.exceptions.Exit) as error:
        return _refused(app, error)
    except (click.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except SystemExit as error:  # click ends so after shell completion, and with 1 on a closed pipe
        if error.code == 1:
            return ExitCode.CLOSED_PIPE
        return ExitCode.DONE
    except OSError as error:
        return _failed_outside(app, error)
    except Exception as error:  # noqa: BLE001 - the one boundary: a bug ends with a file to send, not a page of text
        click.echo(bug_report(error), err=True)  # not by `app.say`, which looks up the actor
        return ExitCode.BUG
    return app.exit_code


def _failed_outside(app: App, error: OSError) -> int:
    """Print an error of the system; a closed output is not an error of the command."""
    if error.filename is None and error.errno in (errno.EPIPE, errno.ENOSPC, errno.EBADF, errno.EIO):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if error.errno != errno.ENOSPC:
            return ExitCode.CLOSED_PIPE
        app.say("The output could not be written: the disk is full. What the command changed stays changed.")
        return ExitCode.REFUSED
    app.refuse(outside_error(error))
    return ExitCode.REFUSED


def _refused(app: App, error: ClawgitError | click.ClickException | click.exceptions.Exit) -> int:
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, click.ClickException):
        moved = _old_words(app.words)
        if moved:
            error = UsageError(moved)
            app.refuse(error)
            return error.exit_code
        hint = ""
        if isinstance(error, click.NoSuchOption):
            error = _with_near(error)
            takes_text = error.ctx is not None and click.Argument in map(type, error.ctx.command.params)
            if takes_text and not error.possibilities:
                hint = _DASH
        if app.as_json or "--json" in app.words:
            report = {"error": error.format_message(), "hint": hint, "exit": int(ExitCode.USAGE)}
            click.echo(json.dumps(report, ensure_ascii=True))
        error.show()
        if hint:
            app.say(hint)
        return ExitCode.USAGE
    app.refuse(error)
    return error.exit_code


def _with_near(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return the error with similar options only, compared without dashes, which all options share."""
    from difflib import get_close_matches

    near: list[str] = []
    for each in error.possibilities or ():
        if get_close_matches(each.strip("-"), [error.option_name.strip("-")]):
            near.append(each)
    return click.NoSuchOption(error.option_name, error.message, near, error.ctx)


def _old_words(arguments: Sequence[str]) -> str:
    from clawgit.client import command_words

    words = command_words(arguments) or []
    is_answer = words[:1] == ["correct"] and any(word.startswith("x:") for word in words)
    if list(words[:2]) not in _MOVED and not is_answer:
        return ""
    return (
        "Everything that needs your decision is one queue now: `clawgit pending` lists it,"
        " `clawgit approve ID` says yes (of a conflict with A, B or both), and `clawgit reject ID` no."
    )
