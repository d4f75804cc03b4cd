"""`clawgit chat`: what was said, kept, read and handed on."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, get_args

import click

from clawgit.capture.messages.incoming_message import masked
from clawgit.capture.messages.message_store import Asked, MessageStore
from clawgit.capture.messages.open_messages import forget_old, open_messages
from clawgit.cli.app import App, Command, text_argument
from clawgit.cli.chat.chat_import import import_command
from clawgit.cli.chat.chat_output import (
    export_data,
    message_data,
    message_line,
    stats_data,
    stats_lines,
    taken_data,
    taken_lines,
)
from clawgit.cli.new_file import new_file
from clawgit.errors import UsageError
from clawgit.operations.messages import MessageRequest, Role, take_lines, take_message
from clawgit.operations.paths import user_path
from clawgit.text.words.terms import terms_of

if TYPE_CHECKING:
    from typing import TextIO


PAGE = 1000


@click.group("chat")
def chat_group() -> None:
    """Keep and read messages; import transcripts."""


@chat_group.command("add", cls=Command)
@text_argument("text", required=False)
@click.option(
    "--jsonl", is_flag=True, help="Read messages as JSON lines from stdin, answer each with a line."
)
@click.option(
    "--role", type=click.Choice(get_args(Role)), default="user", show_default=True, help="Who speaks."
)
@click.option("--channel", default="cli", show_default=True, help="Where it was said.")
@click.option("--conversation", default="main", show_default=True, help="In which conversation.")
@click.option("--id", default="", help="The channel's id of the message: the same one is kept once.")
@click.option("--session", default="", help="In which session.")
@click.option("--sender", default="", help="The sender's id; operator_ids says whether that is you.")
@click.option("--at", metavar="TIME", help="When it was sent; now, if not given.")
@click.option(
    "--group", is_flag=True, help="It was said in a group chat: kept only if group_chats names that."
)
@click.option("--external", is_flag=True, help="Not the sender's own words: a page, a forwarded mail.")
@click.option("--proved", type=click.Choice(["operator", "other"]), hidden=True)
@click.pass_obj
def add_command(app: App, /, text: str | None, jsonl: bool, **told: Any) -> None:
    """Keep one message, and say what triage found.

    With `-`, TEXT is read from stdin.

    Secrets are masked before it is stored, and it is on disk when this returns. A message with the id of one that is
    there is not stored again. Where you seem to correct something, the answer names the entries that may be meant.

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
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    taken = take_message(app, MessageRequest(text, **told))
    app.report(taken_data(taken), lambda: taken_lines(taken))


@chat_group.command("log", cls=Command)
@click.option("--channel", help="Only this channel.")
@click.option("--conversation", help="Only this conversation.")
@click.option("--session", help="Only this session.")
@click.option("--role", type=click.Choice(get_args(Role)), help="Only what this role said.")
@click.option("--since", metavar="TIME", help="Only what was sent then or later.")
@click.option("--until", metavar="TIME", help="Only what was sent before.")
@click.option("--flagged", is_flag=True, help="Only what triage flagged for the miner.")
@click.option("--find", "words", metavar="WORDS", help="Messages that hold one of the words, the best first.")
@click.option(
    "--queue",
    type=click.Choice(["miner", "validator"]),
    help="Only messages that an agent has still to read, in its order.",
)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="At most so many."
)
@click.pass_obj
def log_command(app: App, /, words: str | None, queue: str | None, limit: int, **wanted: Any) -> None:
    """Show the latest messages, oldest first.

    \b
    Examples:
      clawgit chat log -n 20
      clawgit chat log --channel telegram --since 2026-03-01 --json
      clawgit chat log --find "port 8443"
      clawgit chat log --queue validator
    """
    history = app.history_for_talk()
    now = app.now(history)
    _refuse_two_wishes(words, queue, wanted)
    for name in ("since", "until"):
        wanted[name] = None if wanted[name] is None else app.moment(wanted[name], history)
    with open_messages(history, now) as store:
        forget_old(store, history, now)
        if words is not None:
            found = list(store.candidates(terms_of(words), limit=limit).matches)
        elif queue is not None:
            found = store.to_mine(limit) if queue == "miner" else store.to_validate(limit)
        else:
            as_kept: dict[str, Any] = {
                name: masked(each) if isinstance(each, str) else each for name, each in wanted.items()
            }
            found = store.log(Asked(**as_kept, limit=limit))
    zone = now.tzinfo
    app.report(
        [message_data(each) for each in found],
        lambda: [message_line(each, zone) for each in found] or ["No messages."],
    )


def _refuse_two_wishes(words: str | None, queue: str | None, wanted: dict[str, Any]) -> None:
    """Refuse options that would be passed over: words and queues are asked of all messages."""
    given = [f"--{name}" for name, value in {"find": words, "queue": queue, **wanted}.items() if value]
    if len(given) > 1 and (words is not None or queue is not None):
        raise UsageError(f"{given[0]} looks at all messages, and does not go with {given[1]}.")


@chat_group.command("export", cls=Command)
@click.argument("file", required=False)
@click.pass_obj
def export_command(app: App, file: str | None) -> None:
    """Write all messages as JSON lines.

    Writes to FILE, which must not exist, or to stdout.

    `clawgit chat import` reads it, here or in another workspace; no message gains trust by that.

    \b
    Examples:
      clawgit chat export messages.jsonl
      clawgit chat export | gzip > messages.jsonl.gz
    """
    history = app.history_for_talk()
    now = app.now(history)
    with open_messages(history, now) as store:
        forget_old(store, history, now)
        if file is None:
            count = _export(store, sys.stdout)
        else:
            with new_file(user_path(file)) as target:
                count = _export(store, target)
    app.say(f"{count:,} messages.")


def _export(store: MessageStore, target: TextIO) -> int:
    cursor = count = 0
    ascii_only = target.encoding.lower() != "utf-8"  # another one may not have every letter
    while True:
        messages, cursor = store.since(cursor, PAGE)
        for message in messages:
            target.write(json.dumps(export_data(message), ensure_ascii=ascii_only) + "\n")
        count += len(messages)
        if not messages:
            return count


@chat_group.command("stats", cls=Command)
@click.pass_obj
def stats_command(app: App) -> None:
    """Count messages: kept, and still to be read.

    Counts what the miner and the validator have not read yet.

    \b
    Example:
      clawgit chat stats --json
    """
    history = app.history_for_talk()
    now = app.now(history)
    with open_messages(history, now) as store:
        forget_old(store, history, now)
        stats = store.stats()
    app.report(stats_data(stats), lambda: stats_lines(stats, now.tzinfo))


chat_group.add_command(import_command)
