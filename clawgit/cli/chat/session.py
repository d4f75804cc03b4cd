"""`clawgit session`: when a session is over, what stays of it, and a transcript as a shorter one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, FormatChoice, change_data, commit_lines, picked
from clawgit.cli.new_file import new_file
from clawgit.errors import ClawgitError, UsageError
from clawgit.operations.paths import user_path
from clawgit.operations.sessions import (
    EndRequest,
    FlushPlan,
    FlushRequest,
    TranscriptRequest,
    Which,
    due_since,
    end_due_sessions,
    end_session_of,
    end_transcript,
    keep_flushed,
    keep_topic,
    open_sessions,
    plan_flush,
)
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clawgit.capture.sessions.compact_transcript import Compacted, Pruned
    from clawgit.capture.sessions.session_end import Ended
    from clawgit.capture.sessions.sessions import Session
    from clawgit.history.git.repository import History


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


@click.command("compact", cls=Command)
@_transcript
@click.option(
    "--keep-turns", type=click.IntRange(min=0), default=10, show_default=True, help="The last ones, whole."
)
@click.option(
    "--summary-tokens",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="At most so much for the rest.",
)
@click.option(
    "--summary", default="", help="A summary of your own, as from a model; `-` reads it from stdin."
)
@click.pass_obj
def compact_command(
    app: App, /, transcript: Path, kind: str | None, output: Path | None, summary: str, **shape: int
) -> None:
    """Shorten TRANSCRIPT: summarise its early turns.

    The late turns stay whole. The result has the same format.

    Without a summary of yours it is made of the turns' own sentences: what is lasting first, nothing reworded. Without -o, only
    what would become of it is told. TRANSCRIPT stays as it is. Flush memory first: what the summary leaves out is not in the
    prompt any more.

    \b
    Examples:
      clawgit session compact session.jsonl
      clawgit session compact session.jsonl --keep-turns 10 -o smaller.jsonl --json
    """
    from clawgit.capture.sessions.compact_transcript import compact_transcript

    _check_output(app, output)
    lines, found = _read(transcript, kind)
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if summary == "-" else summary
    done = compact_transcript(lines, found, **shape, summary=text.strip())
    _write(output, done.lines)
    app.say(_compacted_sentence(transcript, done) + _written(output, done.why_not))
    _report(app, output, _compacted_data(done, output), done.summary)


def _compacted_sentence(transcript: Path, done: Compacted) -> str:
    if done.why_not:
        return f"{transcript} stays as it is: {done.why_not}."
    return (
        f"{done.summarised:,} of {done.summarised + done.kept:,} turns summarised, {done.kept:,} whole: about {done.before:,} tokens become "
        f"{done.after:,}."
    )


def _compacted_data(done: Compacted, output: Path | None) -> dict[str, Any]:
    return {
        "compacted": not done.why_not,
        "why_not": done.why_not or None,
        **picked(done, "summarised kept tokens_before=before tokens_after=after summary"),
        "output": output,
    }


@click.command("prune", cls=Command)
@_transcript
@click.option(
    "--window", type=click.IntRange(min=1), default=200_000, show_default=True, help="The model's window."
)
@click.option(
    "--last-call", metavar="TIME", help="When the model answered last; the default is what TRANSCRIPT says."
)
@click.pass_obj
def prune_command(
    app: App,
    /,
    transcript: Path,
    kind: str | None,
    output: Path | None,
    window: int,
    last_call: str | None,
) -> None:
    """Cut old tool results in TRANSCRIPT.

    Keeps head and tail of each. Empties the oldest if that is not enough.

    Only once the prompt cache has lapsed (prune_mode, prune_ttl), so that it costs nothing. The results since the third-last answer
    (prune_keep_last_assistants) and what is before the first message of the user stay whole. Without -o, only what would
    become of it is told. TRANSCRIPT stays as it is.

    \b
    Examples:
      clawgit session prune session.jsonl --window 200000
      clawgit session prune session.jsonl --last-call 2026-03-19T10:00 -o pruned.jsonl --json
    """
    from clawgit.capture.sessions.compact_transcript import Pruned, policy_of, prune_transcript

    _check_output(app, output)
    history = app.history()
    lines, found = _read(transcript, kind)
    why_not = _why_no_pruning(app, history, (lines, found), last_call)
    if why_not:
        done = Pruned(tuple(lines), 0, 0, 0, 0)
    else:
        done = prune_transcript(lines, found, window, policy_of(history.settings))
        why_not = "" if done.trimmed or done.cleared else "no old result is long, or the prompt has room"
    _write(output, done.lines)
    app.say(_pruned_sentence(transcript, done, why_not) + _written(output, why_not))
    _report(app, output, _pruned_data(done, why_not, output), "")


def _why_no_pruning(
    app: App, history: History, read: tuple[Sequence[bytes], str], last_call: str | None
) -> str:
    """Return why nothing is pruned now, by the settings alone; empty if something may be."""
    from clawgit.capture.sessions.compact_transcript import cache_lapsed
    from clawgit.capture.sessions.compact_transcript import last_call as told_by

    settings = history.settings
    if settings.prune_mode == "off":
        return "prune_mode is off"
    called = told_by(*read) if last_call is None else app.moment(last_call, history)
    if called is not None and not cache_lapsed(called, app.now(history), settings.prune_ttl):
        return (
            f"the prompt cache is still good: the model answered less than {settings.prune_ttl} seconds ago"
        )
    return ""


def _pruned_sentence(transcript: Path, done: Pruned, why_not: str) -> str:
    if why_not:
        return f"{transcript} stays as it is: {why_not}."
    return (
        f"{done.trimmed:,} results are cut, {done.cleared:,} cleared: {done.before:,} characters become "
        f"{done.after:,}."
    )


def _pruned_data(done: Pruned, why_not: str, output: Path | None) -> dict[str, Any]:
    return {
        "pruned": not why_not,
        "why_not": why_not or None,
        **picked(done, "trimmed cleared chars_before=before chars_after=after"),
        "output": output,
    }


def _check_output(app: App, output: Path | None) -> None:
    if output == STDOUT and app.as_json:
        raise UsageError("With --json stdout is taken.", hint="Give -o a file.")


def _read(transcript: Path, kind: str | None) -> tuple[list[bytes], str]:
    from clawgit.capture.transcripts.importing import format_of, refuse_unwritable

    try:
        with open_regular(user_path(str(transcript))) as file:
            lines = list(file)
    except OSError as error:
        raise ClawgitError(f"{transcript} cannot be read ({error.strerror}).") from error
    found = kind or format_of(lines)
    refuse_unwritable(found, transcript)
    return lines, found


def _write(output: Path | None, lines: Sequence[bytes]) -> None:
    if output == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(lines)
    elif output is not None:
        with new_file(user_path(str(output))) as file:
            file.buffer.writelines(lines)


def _written(output: Path | None, why_not: str) -> str:
    return "" if output is not None or why_not else " Nothing was written: -o FILE does that."


def _report(app: App, output: Path | None, data: dict[str, Any], text: str) -> None:
    if output != STDOUT:
        app.report(data, lambda: [text] if text else [])


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
    """Return the file that stays of a session."""
    return [done.path] if done is not None and done.path else []


def flush_data(plan: FlushPlan) -> dict[str, Any]:
    from clawgit.capture.sessions.flush import NO_REPLY

    due = {"due": not plan.why_not, "why_not": plan.why_not or None}
    return due | picked(plan, "threshold path system turn") | {"silent": NO_REPLY}


def flush_lines(plan: FlushPlan) -> list[str]:
    return [f"Not now: {plan.why_not}."] if plan.why_not else [plan.system, "", plan.turn]


COUNT = click.IntRange(min=0)
_NO_TOPIC: dict[str, Any] = dict.fromkeys(("op", "commit", "path")) | {
    "outcome": "nothing",
    "decisions": [],
    "status": "",
}


@click.group("session")
def session_group() -> None:
    """End a session; keep what matters of it."""


def which_session(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which session is meant."""
    for name in ("session", "conversation", "channel"):
        command = click.option(f"--{name}", default="", help=f"Only of this {name}.")(command)
    return command


@session_group.command("due", cls=Command)
@which_session
@click.option("--all", "every", is_flag=True, help="List open sessions, too.")
@click.option(
    "--reset", metavar="RULE", help="Ask by this rule instead of session_reset, as in 'daily 04:00 idle 90'."
)
@click.option("--last", metavar="TIME", help="Ask about a session in which somebody spoke last at TIME.")
@click.pass_obj
def due_command(app: App, /, every: bool, reset: str | None, last: str | None, **which: str) -> None:
    """List sessions that are over but not ended.

    A session is over after a time of day or a silence (`session_reset`).

    \b
    Examples:
      clawgit session due --json
      clawgit session due --reset "idle 90" --last 2026-03-19T09:00
    """
    if last is not None:
        if every or any(which.values()):
            raise UsageError("--last asks about a session that is not kept, so nothing else chooses one.")
        why, rule = due_since(app, last, reset=reset)
        app.report({"due": why, "reset": str(rule)}, lambda: [why or "not over"])
        return
    rows = []
    lines = []
    for each in open_sessions(app, Which(**which), reset=reset, every=every):
        last_at = each.session.messages[-1].sent_at
        about = {"last": last_at.isoformat(timespec="milliseconds"), "due": each.due}
        rows.append(session_data(each.session) | about)
        at = last_at.astimezone(app.now(app.opened).tzinfo)
        lines.append(f"{each.due or 'open':<6} {at:%Y-%m-%d %H:%M}  {each.session.source}")
    app.report(rows, lambda: lines or [f"No session is {'open' if every else 'over'}."])


@session_group.command("end", cls=Command)
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@which_session
@click.option("--due", is_flag=True, help="End every session that is over by session_reset.")
@click.option("-n", "--messages", type=int, default=0, help="At most so many [default: session_messages].")
@click.option(
    "--slug",
    default="",
    help="Part of the file's name; the default is the model's choice, or words of the talk.",
)
@click.option("--format", type=FormatChoice(), help="What TRANSCRIPT is.")
@click.option("--sender", default="", help="Who the user of TRANSCRIPT is.")
@click.option("--as", "who", type=click.Choice(["operator"]), help="The user of TRANSCRIPT is you.")
@click.pass_obj
def end_command(
    app: App, /, transcript: Path | None, due: bool, messages: int, slug: str, **told: Any
) -> None:
    """Save a session's last messages as a note.

    The note is memory/DATE-SLUG.md. Searches find it.

    The session is the one in which somebody spoke last, of the messages that were kept, or that of TRANSCRIPT. What the user
    and the assistant said counts, without commands, since the session ended last. Nothing said, nothing written; no file is
    overwritten; the same session ends once. It is trusted as far as its least trusted message. Without --slug the `model` of
    CONFIG.md names the file, if there is one and it answers in time, or the words to which the talk came back do.

    \b
    Examples:
      clawgit session end
      clawgit session end --channel telegram --conversation 4242 --slug "vendor pitch"
      clawgit session end --as operator ~/.claude/projects/-home-ada-shop/5f2c.jsonl
      clawgit session end --due --json
    """
    if due and (transcript is not None or slug or app.op):
        raise UsageError("--due ends several sessions; a transcript, --slug and --op are about one.")
    if transcript is not None and told["session"]:
        raise UsageError("A transcript is one session; --session chooses among kept messages.")
    if transcript is None and any(told[name] for name in ("who", "sender", "format")):
        raise UsageError("--as, --sender and --format are about a TRANSCRIPT.", hint="Name its file.")
    names = {name: told[name] for name in Which._fields}
    if due:
        sessions = end_due_sessions(app, Which(**names), messages)
        app.report(
            [ended_data(each) for each in sessions], lambda: [each.path for each in sessions if each.path]
        )
        return
    ended: Ended | None
    if transcript is None:
        ended = end_session_of(app, EndRequest(**names, messages=messages, slug=slug))
    else:
        about = {name: told[name] for name in ("format", "channel", "conversation", "sender")}
        by_operator = told["who"] is not None
        path = user_path(str(transcript))
        request = TranscriptRequest(path, **about, by_operator=by_operator, messages=messages, slug=slug)
        ended = end_transcript(app, request)
    app.report(ended_data(ended), lambda: ended_lines(ended))


@session_group.command("flush", cls=Command)
@click.option("--tokens", type=COUNT, help="How many tokens the conversation has; leave it away if unknown.")
@click.option("--window", type=COUNT, default=200_000, show_default=True, help="The model's window.")
@click.option("--compactions", type=COUNT, default=0, show_default=True, help="How often it was compacted.")
@click.option("--flushed-at", type=COUNT, help="The value of --compactions at the last flush.")
@click.option("--session", default="", help="Which session; that it was answered is remembered.")
@click.option("--prompt", default="", help="Your own wording of the turn; YYYY-MM-DD in it becomes the day.")
@click.option(
    "--reply", metavar="TEXT", help="Your agent's answer, to be written down; `-` reads it from stdin."
)
@click.option("--to", "path", metavar="PATH", help="The note for the reply; today's, if not given.")
@click.pass_obj
def flush_command(app: App, /, reply: str | None, path: str | None, **use: Any) -> None:
    """Say whether to save memories before compaction.

    Gives the prompts for it, or saves your agent's reply.

    It is time when the window is full but for flush_reserve_tokens and flush_soft_tokens, once for each compaction;
    never with flush_enabled: false. The reply goes below what is in the day's note, once; NO_REPLY alone, or nothing, changes nothing.

    \b
    Examples:
      clawgit session flush --tokens 180000 --window 200000 --compactions 1 --flushed-at 0 --json
      clawgit session flush --session agent:main:main --compactions 1 --reply - < answer.md
    """
    request = FlushRequest(**use)
    if reply is None:
        if path is not None:
            raise UsageError("--to names the note for a --reply.", hint="Give both, or neither.")
        plan = plan_flush(app, request)
        app.report(flush_data(plan), lambda: flush_lines(plan))
        return
    done = keep_flushed(app, _text(reply), path, request)
    recorded = done.recorded
    if recorded is None:
        app.report({"outcome": "nothing", "op": None, "commit": None, "path": done.path}, list)
    else:
        app.report(change_data(recorded) | {"path": done.path}, lambda: commit_lines(recorded))


def _text(argument: str) -> str:
    return sys.stdin.buffer.read().decode("utf-8", "replace") if argument == "-" else argument


@session_group.command("topic", cls=Command)
@click.argument("name")
@click.option(
    "--summary", required=True, metavar="TEXT", help="What a compaction made; `-` reads it from stdin."
)
@click.option(
    "--session", default="", help="The session's key; a system's own (cron, heartbeat) is passed over."
)
@click.pass_obj
def topic_command(app: App, name: str, summary: str, session: str) -> None:
    """Keep a summary's decisions on topic NAME.

    Writes them, and the state of things, to memory/topic-NAME.md.

    Items below a heading about decisions become entries, what is below one about the status or what is to be done is quoted
    in place of what was quoted before; the last 50 decisions and 30 lines of history stay. All of it rests on your agent's
    word. Text of yours in that file stays, and what you take out of it does not come back. The same summary counts once.

    \b
    Examples:
      clawgit session topic "vendor pitch" --session agent:main:telegram:42 --summary - < summary.md
      clawgit session topic 数据库 --summary - --json < summary.md
    """
    noted = keep_topic(app, name, _text(summary), session)
    if noted is None:
        app.report(_NO_TOPIC, list)
        return
    data = {"path": noted.path, "decisions": list(noted.summary.decisions), "status": noted.summary.status}
    app.report(change_data(noted.recorded) | data, lambda: commit_lines(noted.recorded))


for command in (compact_command, prune_command):
    session_group.add_command(command)
