"""`clawgit session`: the end of sessions, their notes, and shorter transcripts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.capture.sessions import compact_transcript
from clawgit.capture.sessions.flush import NO_REPLY
from clawgit.capture.sessions.sessions import Session, SessionQuery
from clawgit.capture.transcripts.importing import format_of, refuse_unwritable
from clawgit.capture.transcripts.transcript_source import Wish
from clawgit.cli.app import App, FormatChoice, change_data, command, commit_lines, picked, text_given
from clawgit.cli.lazy_group import NamingGroup
from clawgit.errors import ClawgitError, UsageError
from clawgit.operations import sessions as session_operations
from clawgit.operations.paths import new_file, user_path
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.capture.sessions.session_end import Ended

STDOUT = Path("-")


def _transcript(command: Callable[..., Any]) -> Callable[..., Any]:
    command = click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        help="A new file for the result, or `-` for stdout.",
    )(command)
    formats = FormatChoice(written=True)
    command = click.option(
        "--format", "kind", type=formats, help="The format of TRANSCRIPT; the default is to detect it."
    )(command)
    return click.argument("transcript", type=click.Path(path_type=Path))(command)


@command("compact")
@_transcript
@click.option(
    "--keep-turns", type=click.IntRange(0), default=10, show_default=True, help="The last ones, whole."
)
@click.option(
    "--summary-tokens",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="At most so much for the rest.",
)
@click.option("--summary", default="", help="Your own summary; `-` reads it from stdin.")
def compact_command(
    app: App, /, transcript: Path, kind: str | None, output: Path | None, summary: str, **shape: int
) -> None:
    """Shorten TRANSCRIPT: summarise its early turns.

    The late turns stay whole. The result has the same format.

    Without a summary of yours it is made of the turns' own sentences. Without -o, only what would become of it is told.
    TRANSCRIPT stays as it is. Flush memory first.

    \b
    Examples:
      clawgit session compact session.jsonl
      clawgit session compact session.jsonl --keep-turns 10 -o smaller.jsonl --json
    """
    lines, transcript_format = _read(app, transcript, kind, output)
    done = compact_transcript.compact_transcript(
        lines, transcript_format, **shape, summary=text_given(summary).strip()
    )
    says = (
        f"{done.summarised:,} of {done.summarised + done.kept:,} turns summarised, {done.kept:,} whole: about"
        f" {done.before:,} tokens become {done.after:,}."
    )
    data = {"compacted": not done.why_not, "why_not": done.why_not or None}
    data |= picked(done, "summarised kept tokens_before=before tokens_after=after summary")
    _finish(app, (transcript, output), done.lines, says, data)


@command("prune")
@_transcript
@click.option(
    "--window", type=click.IntRange(min=1), default=200_000, show_default=True, help="The model's window."
)
@click.option("--last-call", metavar="TIME", help="When the model answered last [default: as in TRANSCRIPT].")
def prune_command(
    app: App, /, transcript: Path, kind: str | None, output: Path | None, window: int, last_call: str | None
) -> None:
    """Cut old tool results in TRANSCRIPT.

    Keeps head and tail of each. Empties the oldest if that is not enough.

    Only once the prompt cache has lapsed, so that it costs nothing (settings prune_*). Without -o, only what would become of
    it is told. TRANSCRIPT stays as it is.

    \b
    Examples:
      clawgit session prune session.jsonl --window 200000
      clawgit session prune session.jsonl --last-call 2026-03-19T10:00 -o pruned.jsonl --json
    """
    history = app.history()
    lines, transcript_format = _read(app, transcript, kind, output)
    settings = history.settings
    why_not = ""
    if settings.prune_mode == "off":
        why_not = "prune_mode is off"
    else:
        if last_call is None:
            called = compact_transcript.last_call(lines, transcript_format)
        else:
            called = app.moment(last_call, history)
        now = app.now(history)
        if called is not None and not compact_transcript.cache_lapsed(called, now, settings.prune_ttl):
            why_not = f"the prompt cache is still good: the model answered less than {settings.prune_ttl} seconds ago"
    if why_not:
        done = compact_transcript.Pruned(tuple(lines), 0, 0, 0, 0)
    else:
        done = compact_transcript.prune_transcript(lines, transcript_format, window, settings)
        if not done.trimmed and not done.cleared:
            why_not = "no old result is long, or the prompt has room"
    says = (
        f"{done.trimmed:,} results are cut, {done.cleared:,} cleared: {done.before:,} characters become"
        f" {done.after:,}."
    )
    data = {"pruned": not why_not, "why_not": why_not or None}
    data |= picked(done, "trimmed cleared chars_before=before chars_after=after")
    _finish(app, (transcript, output), done.lines, says, data)


def _read(app: App, transcript: Path, kind: str | None, output: Path | None) -> tuple[list[bytes], str]:
    if output == STDOUT and app.as_json:
        raise UsageError("With --json stdout is taken.", hint="Give -o a file.")
    try:
        with open_regular(user_path(str(transcript))) as file:
            lines = list(file)
    except OSError as error:
        raise ClawgitError(f"{transcript} cannot be read ({error.strerror}).") from error
    transcript_format = kind or format_of(lines)
    refuse_unwritable(transcript_format, transcript)
    return lines, transcript_format


def _finish(
    app: App, paths: tuple[Path, Path | None], lines: Sequence[bytes], says: str, data: dict[str, Any]
) -> None:
    transcript, output = paths
    if output == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
    elif output is not None:
        with new_file(user_path(str(output))) as file:
            file.buffer.writelines(lines)
    if data["why_not"]:
        says = f"{transcript} stays as it is: {data['why_not']}."
    elif output is None:
        says += " Nothing was written: -o FILE does that."
    app.say(says)
    if output != STDOUT:
        summary = data.get("summary")
        app.report(data | {"output": output}, lambda: [summary] if summary else [])


_NOTHING = dict.fromkeys(("op", "commit", "path", "from", "to", "channel", "conversation", "session")) | {
    "outcome": "nothing",
    "messages": 0,
}


def session_data(session: Session) -> dict[str, Any]:
    return picked(session, "channel conversation session")


def ended_data(done: Ended | None) -> dict[str, Any]:
    if done is None:
        return _NOTHING
    messages = done.session.messages
    first = last = None
    if messages and done.session.timed:
        first = messages[0].sent_at.isoformat(timespec="milliseconds")
        last = messages[-1].sent_at.isoformat(timespec="milliseconds")
    about = {"path": done.path, "messages": len(messages), "from": first, "to": last}
    return change_data(done.recorded) | about | session_data(done.session)


def ended_lines(done: Ended | None) -> list[str]:
    if done is not None and done.path:
        return [done.path]
    return []


def flush_data(plan: session_operations.FlushPlan) -> dict[str, Any]:
    due = {"due": not plan.why_not, "why_not": plan.why_not or None}
    return due | picked(plan, "threshold path system turn") | {"silent": NO_REPLY}


def flush_lines(plan: session_operations.FlushPlan) -> list[str]:
    if plan.why_not:
        return [f"Not now: {plan.why_not}."]
    return [plan.system, "", plan.turn]


COUNT = click.IntRange(min=0)


@click.group("session", cls=NamingGroup)
def session_group() -> None:
    """End a session; keep what matters of it."""


def which_session(command: Callable[..., Any]) -> Callable[..., Any]:
    for name in ("session", "conversation", "channel"):
        command = click.option(f"--{name}", default="", help=f"Only of this {name}.")(command)
    return command


@command("due", session_group)
@which_session
@click.option("--all", "every", is_flag=True, help="List open sessions, too.")
@click.option("--reset", metavar="RULE", help="This rule instead of session_reset: 'daily 04:00 idle 90'.")
@click.option("--last", metavar="TIME", help="Ask about a session in which somebody spoke last at TIME.")
def due_command(app: App, /, every: bool, reset: str | None, last: str | None, **which: str) -> None:
    """List sessions that are over but not ended.

    A session is over after a time of day or a silence (`session_reset`).

    \b
    Example:
      clawgit session due --reset "idle 90" --last 2026-03-19T09:00
    """
    if last is not None:
        if every or any(which.values()):
            raise UsageError("--last asks about a session that is not kept, so nothing else chooses one.")
        why, rule = session_operations.due_since(app, last, reset=reset)
        app.report({"due": why, "reset": str(rule)}, lambda: [why or "not over"])
        return
    rows = []
    lines = []
    for session, rule_met in session_operations.open_sessions(
        app, SessionQuery(**which), reset=reset, every=every
    ):
        at = session.messages[-1].sent_at
        about = {"last": at.isoformat(timespec="milliseconds"), "due": rule_met}
        rows.append(session_data(session) | about)
        at = at.astimezone(app.now(app.opened).tzinfo)
        lines.append(f"{rule_met or 'open':<6} {at:%Y-%m-%d %H:%M}  {session.source}")
    app.report(rows, lambda: lines or [f"No session is {'open' if every else 'over'}."])


@command("end", session_group)
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@which_session
@click.option("--due", is_flag=True, help="End every session that is over by session_reset.")
@click.option("-n", "--messages", type=int, default=0, help="At most so many [default: session_messages].")
@click.option("--slug", default="", help="Part of the file's name [default: by the model, or from the talk].")
@click.option("--format", type=FormatChoice(), help="What TRANSCRIPT is.")
@click.option("--sender", default="", help="Who the user of TRANSCRIPT is.")
@click.option("--as", "who", type=click.Choice(["operator"]), help="The user of TRANSCRIPT is you.")
def end_command(
    app: App, /, transcript: Path | None, due: bool, messages: int, slug: str, **options: Any
) -> None:
    """Save a session's last messages as a note.

    The note is memory/DATE-SLUG.md. Searches find it.

    The session is the one in which somebody spoke last, or that of TRANSCRIPT. What the user and the assistant said since it
    ended last counts, without commands. No file is overwritten; the same session ends once. Without --slug the `model` names
    the file, or the talk's commonest words do.

    \b
    Examples:
      clawgit session end
      clawgit session end --channel telegram --conversation 4242 --slug "vendor pitch"
      clawgit session end --as operator ~/.claude/projects/-home-ada-shop/5f2c.jsonl
      clawgit session end --due --json
    """
    if due and (transcript is not None or slug or app.op):
        raise UsageError("--due ends several sessions; a transcript, --slug and --op are about one.")
    if transcript is not None and options["session"]:
        raise UsageError("A transcript is one session; --session chooses among kept messages.")
    if transcript is None and any(options[name] for name in ("who", "sender", "format")):
        raise UsageError("--as, --sender and --format are about a TRANSCRIPT.", hint="Name its file.")
    names = {name: options[name] for name in ("channel", "conversation", "session")}
    if due:
        sessions = session_operations.end_due_sessions(app, SessionQuery(**names), messages)
        app.report(
            [ended_data(each) for each in sessions], lambda: [each.path for each in sessions if each.path]
        )
        return
    ended: Ended | None
    if transcript is None:
        request = session_operations.EndRequest(**names, messages=messages, slug=slug)
        ended = session_operations.end_session_of(app, request)
    else:
        by_operator = options.pop("who") is not None
        del options["session"]
        wish = Wish(**options, by_operator=by_operator)
        path = user_path(str(transcript))
        ended = session_operations.end_transcript(app, path, wish, messages=messages, slug=slug)
    app.report(ended_data(ended), lambda: ended_lines(ended))


@command("flush", session_group)
@click.option("--tokens", type=COUNT, help="How many tokens the conversation has; leave it away if unknown.")
@click.option("--window", type=COUNT, default=200_000, show_default=True, help="The model's window.")
@click.option("--compactions", type=COUNT, default=0, show_default=True, help="How often it was compacted.")
@click.option("--flushed-at", type=COUNT, help="The value of --compactions at the last flush.")
@click.option("--session", default="", help="Which session; that it was answered is remembered.")
@click.option("--prompt", default="", help="Your own wording of the turn; YYYY-MM-DD in it becomes the day.")
@click.option("--reply", metavar="TEXT", help="Your agent's answer, to be kept; `-` reads stdin.")
@click.option("--to", "path", metavar="PATH", help="The note for the reply; today's, if not given.")
def flush_command(app: App, /, reply: str | None, path: str | None, **use: Any) -> None:
    """Say whether to save memories before compaction.

    Gives the prompts for it, or saves your agent's reply.

    It is time when the window is full but for flush_reserve_tokens and flush_soft_tokens, once for each compaction;
    never with flush_enabled: false. The reply goes below what is in the day's note, once; NO_REPLY changes nothing.

    \b
    Examples:
      clawgit session flush --tokens 180000 --window 200000 --compactions 1 --flushed-at 0 --json
      clawgit session flush --session agent:main:main --compactions 1 --reply - < answer.md
    """
    request = session_operations.FlushRequest(**use)
    if reply is None:
        if path is not None:
            raise UsageError("--to names the note for a --reply.", hint="Give both, or neither.")
        plan = session_operations.plan_flush(app, request)
        app.report(flush_data(plan), lambda: flush_lines(plan))
        return
    done, note = session_operations.keep_flushed(app, text_given(reply), path, request)
    data = {"outcome": "nothing", "op": None, "commit": None}
    if done is not None:
        data = change_data(done)
    app.report(data | {"path": note}, lambda: [] if done is None else commit_lines(done.commit_id))


session_group.add_command(compact_command)
session_group.add_command(prune_command)
