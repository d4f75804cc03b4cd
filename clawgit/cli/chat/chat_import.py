"""`clawgit chat import`: transcripts of other programs into the message store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.capture.messages.incoming_message import rules_in_force
from clawgit.capture.messages.open_messages import forget_old, open_messages
from clawgit.capture.transcripts.importing import Imported, Importer, refuse_several
from clawgit.capture.transcripts.transcript_source import Wish
from clawgit.cli.app import App, Command, FormatChoice, picked
from clawgit.cli.terminal import progress
from clawgit.errors import ClawgitError, ExitCode
from clawgit.operations.paths import user_path
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@click.command("import", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    type=FormatChoice(),
    help="The format of FILE; the default is to detect it.",
)
@click.option("--channel", default="", help="The channel, where the lines name none.")
@click.option("--conversation", default="", help="The conversation, where the lines name none.")
@click.option(
    "--sender",
    default="",
    help="Who the user of the transcript is, where the lines do not say; with --as operator, who of them is you.",
)
@click.option("--as", "who", type=click.Choice(["operator"]), help="The user of the transcript is you.")
@click.option("--again", is_flag=True, help="Read from the beginning; what is there is not stored twice.")
@click.pass_obj
def import_command(app: App, /, files: tuple[str, ...], who: str | None, **wish: Any) -> None:
    """Import transcripts.

    Reads OpenClaw, Claude Code and Codex transcripts, and JSON lines with role and text.

    What was brought in before is not stored again, and a file that has grown is read on where it ended; one that names no
    conversation is known by what it holds, whatever its name. Tools' output and what hosts put around messages are left out;
    damaged lines are named and passed over. Whose words they are is told from operator_ids, from OpenClaw's word on its owner,
    or from your --as operator; where several senders are named, also in the text, --sender says which of them is you. What you bring that is yours makes the same message yours that a host brought before. --as operator
    claims nothing that a program, a group's member or somebody else than OpenClaw's owner said.

    \b
    Examples:
      clawgit chat import --as operator ~/.claude/projects/-home-ada-shop/*.jsonl
      clawgit chat import --sender 4242 --channel telegram session.jsonl
      clawgit chat import ~/.openclaw/agents/main/sessions/*.jsonl*
      clawgit chat import history.json     # openclaw gateway call chat.history --json --params …
      clawgit chat import messages.jsonl
    """
    if who is not None:
        app.only_operator("say that the user of a transcript is the operator")
    history = app.history_for_talk()
    now = app.now(history)
    paths = [_readable(user_path(name)) for name in files]
    whole = Wish(**wish, by_operator=who is not None, owner_counts=app.actor == "operator")
    refuse_several(paths, whole, history.settings.operator_ids)
    with open_messages(history, now) as store, progress("Importing") as tell:
        importer = Importer(store, rules_in_force(history, now, app.actor), now, _counter(tell, paths))
        done = [importer.read(path, whole) for path in paths]
        forget_old(store, history, now)
    read = [each for each in done if _is_readable(app, each)]
    for each in read:
        _say_problems(app, each)
    app.report(
        [imported_data(each) for each in done],
        lambda: [line for each in read for line in imported_lines(each)],
    )


def _readable(path: Path) -> Path:
    try:
        with open_regular(path) as file:
            file.read(1)
    except OSError as error:
        raise ClawgitError(
            f"{path} cannot be read ({error.strerror}), so nothing was imported.",
            hint="Of a pipe, write what it gives to a file first, or give lines of JSON to `clawgit chat add --jsonl`.",
        ) from error
    return path


def _counter(tell: Callable[[int, int], None], paths: list[Path]) -> Callable[[int], None]:
    so_far, total = 0, sum(path.stat().st_size for path in paths)

    def count(size: int) -> None:
        nonlocal so_far
        so_far += size
        tell(so_far, total)

    return count


def _is_readable(app: App, done: Imported) -> bool:
    """Say in one line that a file is no transcript, where none of its lines could be read."""
    if not done.damaged or done.outcomes or done.left_out or done.resumed_at:
        return True
    app.exit_code = ExitCode.REFUSED
    line, problem = done.problems[0]
    app.say(f"{done.path} is not a transcript that clawgit can read (line {line}: {problem}).")
    return False


def _say_problems(app: App, done: Imported) -> None:
    if done.passed_over:
        app.say(done.passed_over)
    for line, problem in done.problems:
        app.say(f"{done.path}:{line} is left out: {problem}.")
    if done.damaged > len(done.problems):
        app.say(f"{done.path}: {done.damaged - len(done.problems):,} more damaged lines.")
    if done.has_more:
        app.say(
            f"{done.path} is not all of its session: OpenClaw has older messages. Ask for more (`limit`), or import"
            " events.jsonl of `openclaw sessions export-trajectory`, which has them all."
        )
    for reason, count in done.barred.items():
        app.say(f"{_messages(count)} as external: {reason}.")
    if done.unknown_senders:
        names = ", ".join(name or "nobody named" for name in list(done.unknown_senders)[:5])
        said = _messages(done.unknown_senders.total(), f" by {names}")
        app.say(
            f"{said} as external: operator_ids does not have them (or say --as operator, where there are several with --sender)."
        )


def _messages(count: int, by: str = "") -> str:
    return f"{count:,} messages{by} count" if count > 1 else f"1 message{by} counts"


def imported_data(done: Imported) -> dict[str, Any]:
    return {
        **picked(done, "path format"),
        "known_as": done.known_as or None,
        "resumed_at": done.resumed_at,
        **{outcome: done.outcomes[outcome] for outcome in ("stored", "repeated", "claimed")},
        **picked(done, "left_out damaged"),
        "problems": [{"line": line, "problem": problem} for line, problem in done.problems],
        **picked(done, "senders_not_the_operator=unknown_senders not_the_operators=barred"),
        "passed_over": done.passed_over or None,
        "has_more": done.has_more,
    }


def imported_lines(done: Imported) -> list[str]:
    """Return what became of a transcript as people read it."""
    if done.passed_over:
        return []
    about = done.format
    if done.known_as:
        about += f", known as the conversation {shown(done.known_as, keep_newlines=False)}"
    if done.resumed_at:
        about += f", read on from byte {done.resumed_at:,}"
    counts = f"{done.outcomes['stored']:,} stored, {done.outcomes['repeated']:,} there before"
    if done.outcomes["claimed"]:
        counts += f", {done.outcomes['claimed']:,} claimed"
    lines = [f"{done.path} ({about}): {counts}"]
    return lines + [f"  {count:,} left out: {reason}" for reason, count in done.left_out.items()]
