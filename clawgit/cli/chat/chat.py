"""`clawgit chat`: keeping, listing, importing and exporting messages."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, get_args

import click

from clawgit.capture.messages.incoming_message import masked, rules_in_force
from clawgit.capture.messages.message import ChatMessage, MessageQuery
from clawgit.capture.messages.open_messages import forget_old, open_messages
from clawgit.capture.sessions.taken_back import without_quotes
from clawgit.cli.app import App, FormatChoice, command, limit_option, picked, text_argument, text_given
from clawgit.cli.chat.message_output import message_data, message_line, stats_lines, taken_data, taken_lines
from clawgit.cli.lazy_group import TEXT, NamingGroup
from clawgit.cli.terminal import progress
from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.operations.messages import MessageRequest, Role, take_lines, take_message
from clawgit.operations.paths import new_file, user_path
from clawgit.plan import MESSAGE
from clawgit.text.safety.control_characters import shown
from clawgit.workspace.foreign_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.capture.transcripts.importing import Imported
    from clawgit.history.git.repository import History
    from clawgit.operations.changed_news import News


@command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", type=FormatChoice(), help="The format of FILE; the default is to detect it.")
@click.option("--channel", default="", help="The channel, where the lines name none.")
@click.option("--conversation", default="", help="The conversation, where the lines name none.")
@click.option(
    "--sender",
    default="",
    help="Who the user of the transcript is, where the lines do not say; with --as operator, who of them is you.",
)
@click.option("--as", "who", type=click.Choice(["operator"]), help="The user of the transcript is you.")
@click.option("--again", is_flag=True, help="Read from the beginning; what is there is not stored twice.")
def import_command(app: App, /, files: tuple[str, ...], who: str | None, **wish: Any) -> None:
    """Import transcripts.

    Reads transcripts of the hosts that --format lists, and JSON lines with role and text.

    What was brought in before is not stored again; a file that has grown is read on. Tools' output and what programs put
    around messages are left out; damaged lines are named. Whose words they are is told from operator_ids, from OpenClaw's
    word on its owner, or from --as operator, which claims nothing that a program, a group's member or a stranger said; where
    several senders are named, --sender says which of them is you.

    \b
    Examples:
      clawgit chat import --as operator ~/.claude/projects/-home-ada-shop/*.jsonl
      clawgit chat import --sender 4242 --channel telegram session.jsonl
      clawgit chat import ~/.openclaw/agents/main/sessions/*.jsonl*
      clawgit chat import history.json     # openclaw gateway call chat.history --json --params …
    """
    from clawgit.capture.transcripts.importing import Importer, refuse_several
    from clawgit.capture.transcripts.transcript_source import Wish

    if who is not None:
        app.only_operator("say that the user of a transcript is you")
    history = app.history_for_talk()
    now = app.now(history)
    paths = [user_path(name) for name in files]
    for path in paths:
        try:
            with open_regular(path) as file:
                file.read(1)
        except OSError as error:
            sentence = f"{path} cannot be read ({error.strerror}), so nothing was imported."
            hint = "Of a pipe, write what it gives to a file first, or give lines of JSON to `clawgit chat add --jsonl`."
            raise ClawgitError(sentence, hint=hint) from error
    whole = Wish(**wish, by_operator=who is not None, owner_counts=app.actor == "operator")
    refuse_several(paths, whole, history.settings.operator_ids)
    with open_messages(history, now) as store, progress("Importing") as tell:
        so_far, total = 0, sum(path.stat().st_size for path in paths)

        def count(size: int) -> None:
            nonlocal so_far
            so_far += size
            tell(so_far, total)

        importer = Importer(store, rules_in_force(history, now, app.actor), now, count)
        done = [importer.read(path, whole) for path in paths]
        forget_old(store, history, now)
    lines = []
    for each in done:
        if each.damaged and not (each.outcomes or each.left_out or each.resumed_at):
            app.exit_code = ExitCode.REFUSED
            line, problem = each.problems[0]
            app.say(f"{each.path} is not a transcript that clawgit can read (line {line}: {problem}).")
        else:
            _say_problems(app, each)
            lines += _imported_lines(each)
    app.report([_imported_data(each) for each in done], lambda: lines)


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
        counted = _messages(done.unknown_senders.total(), f" by {names}")
        sentence = f"{counted} as external: operator_ids does not have them (or say --as operator, where there are several with --sender)."
        app.say(sentence)


def _messages(count: int, by: str = "") -> str:
    if count > 1:
        return f"{count:,} messages{by} count"
    return f"1 message{by} counts"


def _imported_data(done: Imported) -> dict[str, Any]:
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


def _imported_lines(done: Imported) -> list[str]:
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


# the fields of the message itself, without results of reading or use
EXPORTED = ("channel", "conversation", "message_id", "session", "role", "sender", "trust", "text", "sent_at")
PAGE = 1000


@click.group("chat", cls=NamingGroup, meant={TEXT: "chat add"})
def chat_group() -> None:
    """Keep and read messages; import transcripts."""


@command("add", chat_group)
@text_argument("text", required=False)
@click.option("--jsonl", is_flag=True, help="Read JSON lines from stdin, answer each with a line.")
@click.option(
    "--role", type=click.Choice(get_args(Role)), default="user", show_default=True, help="Who speaks."
)
@click.option("--channel", default="cli", show_default=True, help="Where it was said.")
@click.option("--conversation", default="main", show_default=True, help="In which conversation.")
@click.option("--id", default="", help="The channel's id of the message: the same one is kept once.")
@click.option("--session", default="", help="In which session.")
@click.option("--sender", default="", help="The sender's id; operator_ids says whether that is you.")
@click.option("--at", metavar="TIME", help="When it was sent; now, if not given.")
@click.option("--group", is_flag=True, help="Said in a group chat: kept only if group_chats names that.")
@click.option("--external", is_flag=True, help="Not the sender's own words: a page, a forwarded mail.")
@click.option("--proved", type=click.Choice(["operator", "other"]), hidden=True)
def add_command(app: App, /, text: str | None, jsonl: bool, **options: Any) -> None:
    """Keep a message and say what came of it.

    With `-`, TEXT is read from stdin.

    It is on disk when this returns. What looks like a secret is masked first. A message with the id of one that is there is
    not stored again. Where you seem to correct something, the answer names the entries that may be meant.

    \b
    Examples:
      clawgit chat add "Don't forget: rent is due on the 1st."
      clawgit chat add --channel telegram --conversation 4242 --sender 4242 --id 1001 "Tabs, not spaces."
      clawgit chat add --jsonl < messages.jsonl
    """
    if (text is None) is not jsonl:
        raise UsageError("Give one message, or --jsonl and lines on stdin.")
    if text is None:
        for taken in take_lines(app, sys.stdin.buffer):
            sys.stdout.write(json.dumps(taken_data(taken)) + "\n")
            sys.stdout.flush()
        return
    taken = take_message(app, MessageRequest(text_given(text), **options), is_typed=True)
    app.report(taken_data(taken), lambda: taken_lines(taken))


@command("log", chat_group)
@click.option("--channel", help="Only this channel.")
@click.option("--conversation", help="Only this conversation.")
@click.option("--session", help="Only this session.")
@click.option("--role", type=click.Choice(get_args(Role)), help="Only what this role said.")
@click.option("--since", metavar="TIME", help="Only what was sent then or later.")
@click.option("--until", metavar="TIME", help="Only what was sent until then (a day means its end).")
@click.option("--flagged", is_flag=True, help="Only what may be worth remembering.")
@click.option("--not-kept", is_flag=True, help="Only yours of the last 14 days that say what memory has not.")
@limit_option
def log_command(app: App, /, limit: int, not_kept: bool, **options: Any) -> None:
    """Show the latest messages, oldest first.

    \b
    Examples:
      clawgit chat log -n 20
      clawgit chat log --channel telegram --since yesterday --json
      clawgit chat log --not-kept
    """
    history = app.history_for_talk()
    now = app.now(history)
    given = [name for name, value in options.items() if value]
    if not_kept and given:
        raise UsageError(f"--not-kept looks at all messages, and does not go with --{given[0]}.")
    heard: dict[str, list[News]] = {}
    unread = 0
    if options["since"] is not None:
        options["since"] = app.time_asked(options["since"], history).first
    if options["until"] is not None:
        options["until"] = app.time_asked(options["until"], history).after
    with open_messages(history, now) as store:
        forget_old(store, history, now)
        if not_kept:
            from clawgit.operations.not_kept import heard_not_kept

            heard = heard_not_kept(history, now)
            ids = (name.removeprefix(MESSAGE) for name in reversed(heard))
            messages = list(filter(None, map(store.get, ids)))[-limit:]
            unread = store.count_unread()
        else:
            for name, value in options.items():
                if isinstance(value, str):
                    options[name] = masked(value)
            messages = store.log(MessageQuery(**options, limit=limit))

    data = list(map(message_data, messages))
    for row in data:
        if row["id"] in heard:
            row["not_kept"] = [news.text for news in heard[row["id"]]]
    if unread:
        from clawgit.cli.agents.runner_output import unread_line
        from clawgit.operations.status import is_driven

        app.say(unread_line(unread, history.settings, is_driven=is_driven(app, history.root)))
    app.report(data, lambda: _log_lines(history, messages, heard, now.tzinfo))


def _log_lines(
    history: History, messages: list[ChatMessage], heard: dict[str, list[News]], zone: tzinfo | None
) -> list[str]:
    undone = set()
    with suppress(ClawgitError), open_trusts(history) as trusts:  # talk is shown in every state of git
        for each in messages:
            if not without_quotes(each.text, trusts.quotes_taken_back(MESSAGE + each.chat_id)):
                undone.add(each.chat_id)
    lines = []
    for each in messages:
        line = message_line(each, zone)
        if each.chat_id in undone:
            line += "  (undone)"
        lines.append(line)
        for news in heard.get(f"{MESSAGE}{each.chat_id}", ()):
            lines.append(f"    {news.text} → `{news.command}`")
    return lines or ["No messages."]


@command("export", chat_group)
@click.argument("file", required=False)
def export_command(app: App, file: str | None) -> None:
    """Write all messages as JSON lines.

    Writes to FILE, which must not exist, or to stdout.

    `clawgit chat import` reads it, here or in another workspace; no message gains trust by that.

    \b
    Examples:
      clawgit chat export messages.jsonl
      clawgit chat export | gzip > messages.jsonl.gz
    """
    with _stored(app) as store:
        if file is None:
            count = _export(store, sys.stdout)
        else:
            with new_file(user_path(file)) as target:
                count = _export(store, target)
    app.say(f"{count:,} messages.")


@contextmanager
def _stored(app: App) -> Iterator[MessageStore]:
    history = app.history_for_talk()
    now = app.now(history)
    with open_messages(history, now) as store:
        forget_old(store, history, now)
        yield store


def _export(store: MessageStore, target: TextIO) -> int:
    cursor = count = 0
    ascii_only = target.encoding.lower() != "utf-8"  # another one may not have every letter
    while True:
        messages, cursor = store.since(cursor, PAGE)
        for message in messages:
            data = message_data(message)
            made_of = {name: data[name] for name in EXPORTED}
            target.write(json.dumps(made_of, ensure_ascii=ascii_only) + "\n")
        count += len(messages)
        if not messages:
            return count


@command("stats", chat_group)
def stats_command(app: App) -> None:
    """Count messages: kept, and still to be read.

    Counts what the miner and the validator have not read yet.

    \b
    Example:
      clawgit chat stats --json
    """
    with _stored(app) as store:
        stats = store.stats()
    data = stats._asdict()
    for name in ("first", "last"):
        data[name] = data[name] and data[name].isoformat(timespec="milliseconds")
    app.report(data, lambda: stats_lines(stats, app.now(app.opened).tzinfo))


chat_group.add_command(import_command)
