"""`clawgit chat add`: one message, or a stream of them, kept."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.chat.chat_output import heard_lines, outcome_data
from clawgit.cli.chat.maybe_corrects import maybe_corrects, maybe_corrects_lines
from clawgit.cli.text_argument import text_argument
from clawgit.errors import ExitCode, UsageError
from clawgit.memory.trust import EXTERNAL, HOST, OPERATOR

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.capture.messages.incoming_message import Rules
    from clawgit.capture.messages.message import ChatMessage, Heard
    from clawgit.capture.messages.message_store import MessageStore
    from clawgit.history.git.repository import History

ROLES = ("user", "assistant", "tool", "system")


@click.command("add", cls=Command)
@text_argument("text", required=False)
@click.option(
    "--jsonl", is_flag=True, help="Read messages as JSON lines from stdin, answer each with a line."
)
@click.option("--role", type=click.Choice(ROLES), default="user", show_default=True, help="Who speaks.")
@click.option("--channel", default="cli", show_default=True, help="Where it was said.")
@click.option("--conversation", default="main", show_default=True, help="In which conversation.")
@click.option(
    "--id", "message_id", default="", help="The channel's id of the message: the same one is kept once."
)
@click.option("--session", default="", help="In which session.")
@click.option("--sender", default="", help="The sender's id; operator_ids says whether that is you.")
@click.option("--at", "sent_at", metavar="TIME", help="When it was sent; now, if not given.")
@click.option(
    "--group", is_flag=True, help="It was said in a group chat: kept only if group_chats names that."
)
@click.option("--external", is_flag=True, help="Not the sender's own words: a page, a forwarded mail.")
@click.option("--proved", type=click.Choice(["operator", "other"]), hidden=True)
@click.pass_obj
def add_command(
    app: App, /, text: str | None, jsonl: bool, sent_at: str | None, proved: str | None, **told: Any
) -> None:
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
    from clawgit.capture.messages.message import Heard
    from clawgit.capture.messages.open_messages import forget_old, open_messages
    from clawgit.capture.messages.rules_in_force import rules_in_force

    if (text is None) is not jsonl:
        raise UsageError("Give one message, or --jsonl and lines on stdin.")
    if proved and not app.connection:
        raise UsageError("Who said it can be proved by a connection of a host alone.")
    history = app.history_for_talk()
    now = app.now(history)
    rules = rules_in_force(history, now, "operator" if app.connection else app.actor)
    with open_messages(history, now) as store:
        if text is None:
            _add_lines(app, store, rules, history)
        else:
            said = sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else text
            by_hand = app.actor == "operator" and not told["sender"] and told["channel"] == "cli"
            at = None if sent_at is None else app.moment(sent_at, history)
            most = EXTERNAL if proved == "other" and told["role"] == "user" else OPERATOR
            by_operator = by_hand or proved == "operator"
            heard = Heard(text=said, sent_at=at, by_operator=by_operator, most_trust=most, **told)
            kept = _kept(store, rules, heard, now)
            _report_one(app, kept[0], _answer(app, history, store, heard, kept))
        forget_old(store, history, now)


def _report_one(app: App, message: ChatMessage | None, data: dict[str, Any]) -> None:
    if message is None:
        app.say(f"Left out: {data['reason']}.")
        app.report(data, list)
    else:
        said = [f"{data['id']} {data['outcome']}", *heard_lines(message.signal), *maybe_corrects_lines(data)]
        app.report(data, lambda: said)


def _answer(
    app: App, history: History, store: MessageStore, heard: Heard, kept: tuple[ChatMessage | None, str]
) -> dict[str, Any]:
    """Return what became of a message, and what it may correct; a group is not told what memory says."""
    from clawgit.context.wanted_context import GROUP, scope_of

    message, outcome = kept
    data = outcome_data(message, outcome)
    if message is None or heard.group or scope_of(heard.session) == GROUP:
        return data
    return data | maybe_corrects(app, history, store, message, app.now(history))


def _kept(store: MessageStore, rules: Rules, heard: Heard, now: datetime) -> tuple[ChatMessage | None, str]:
    """Keep a message; return it and what became of it, or None and why it was left out."""
    from clawgit.capture.messages.incoming_message import take_down

    message = take_down(heard, rules, now)
    if isinstance(message, str):
        return None, message
    added = store.add([message])[0]
    is_apart = added.chat_id != message.chat_id
    return message.set_apart() if is_apart else message, added.outcome


def _add_lines(app: App, store: MessageStore, rules: Rules, history: History) -> None:
    """Keep the messages of stdin, and answer each with a line once it is on disk."""
    from clawgit.capture.transcripts.transcript_formats import read_line
    from clawgit.capture.transcripts.transcript_source import Source

    source = Source("jsonl", "cli", "main")
    is_told = False
    for number, line in enumerate(sys.stdin.buffer, 1):
        read = read_line(line, source)
        if read.problem:
            app.exit_code = ExitCode.REFUSED
            app.say(f"Line {number} is left out: {read.problem}.")
            data = outcome_data(None, read.problem)
        elif read.heard is not None:
            kept = _kept(store, rules, read.heard, app.now(history))
            data = _answer(app, history, store, read.heard, kept)
            is_told = is_told or _tell_of_senders(app, rules, kept[0])
        else:
            continue  # an empty line
        sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.flush()


def _tell_of_senders(app: App, rules: Rules, message: ChatMessage | None) -> bool:
    """Say what makes a user's message the operator's, where nothing can; return whether that was said."""
    if message is None or message.role != "user" or message.is_operator:
        return False
    if message.trust == HOST:
        app.say(
            f"A message of yours counts as the host's, because this runs for the {app.actor}; so does every other."
            " Messages are yours where a program of your own brings them, outside the host's shell."
        )
        return True
    if message.sender and rules.operator_ids:
        return False
    why = "operator_ids is empty" if message.sender else "it names no sender"
    app.say(
        f"A user's message counts as external, because {why}; so does every other like it. Give each its sender's id "
        "(`sender`), and list yours in operator_ids of CONFIG.md as channel:sender."
    )
    return True
