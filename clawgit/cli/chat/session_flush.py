"""`clawgit session flush`: write down what should last before a conversation is compacted."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command
from clawgit.cli.change_output import change_data
from clawgit.errors import UsageError
from clawgit.operations.changes import say_change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clawgit.capture.sessions.flush import ContextUse
    from clawgit.history.git.repository import History

COUNT = click.IntRange(min=0)


@click.command("flush", cls=Command)
@click.option("--tokens", type=COUNT, help="How many tokens the conversation has; leave it away if unknown.")
@click.option("--window", type=COUNT, default=200_000, show_default=True, help="The model's window.")
@click.option("--compactions", type=COUNT, default=0, show_default=True, help="How often it was compacted.")
@click.option("--flushed-at", type=COUNT, help="The value of --compactions at the last flush.")
@click.option("--session", default="", help="Which session; that it was answered is remembered.")
@click.option("--prompt", default="", help="Your own wording of the turn; YYYY-MM-DD in it becomes the day.")
@click.option(
    "--reply", metavar="TEXT", help="The host's answer, to be written down; `-` reads it from stdin."
)
@click.option("--to", "path", metavar="PATH", help="The note for the reply; today's, if not given.")
@click.pass_obj
def flush_command(app: App, /, reply: str | None, path: str | None, prompt: str, **use: Any) -> None:
    """Say whether to save memories before compaction.

    Gives the prompts for it, or saves the host's reply.

    It is time when the window is full but for flush_reserve_tokens and flush_soft_tokens, once for each compaction;
    never with flush_enabled: false. The reply goes below what is in the day's note, once; NO_REPLY alone, or nothing, changes nothing.

    \b
    Examples:
      clawgit session flush --tokens 180000 --window 200000 --compactions 1 --flushed-at 0 --json
      clawgit session flush --session agent:main:main --compactions 1 --reply - < answer.md
    """
    history = app.history()
    if reply is not None:
        _keep(app, history, reply, path, use)
        return
    if path is not None:
        raise UsageError("--to names the note for a --reply.", hint="Give both, or neither.")
    _ask(app, history, prompt, use)


def _ask(app: App, history: History, prompt: str, told: dict[str, Any]) -> None:
    from clawgit.capture.sessions.flush import NO_REPLY, flush_prompts, why_not_yet
    from clawgit.understanding.facts.routing import day_path

    settings, on = history.settings, app.now(history).date()
    reserve, soft = settings.flush_reserve_tokens, settings.flush_soft_tokens
    why_not = "flush_enabled is false"
    if settings.flush_enabled:
        why_not = why_not_yet(_use(app, history, told), reserve=reserve, soft=soft)
    prompts = flush_prompts(on, asked=prompt)
    app.report(
        {
            "due": not why_not,
            "why_not": why_not or None,
            "threshold": max(0, told["window"] - reserve - soft),
            "path": day_path(on),
            "system": prompts.system,
            "turn": prompts.turn,
            "silent": NO_REPLY,
        },
        lambda: [f"Not now: {why_not}."] if why_not else [prompts.system, "", prompts.turn],
    )


def _use(app: App, history: History, told: dict[str, Any]) -> ContextUse:
    """Return how full the conversation is; that it was flushed already may be known from its session."""
    from clawgit.capture.sessions.flush import ContextUse, flush_op, was_answered

    compactions, flushed_at = told["compactions"], told["flushed_at"]
    if told["session"]:
        flush = flush_op(told["session"], compactions)
        with _said_only(app):
            flushed_at = compactions if was_answered(history, flush, app.now(history)) else flushed_at
    return ContextUse(told["tokens"], told["window"], compactions, flushed_at)


def _keep(app: App, history: History, reply: str, path: str | None, told: dict[str, Any]) -> None:
    from clawgit.capture.sessions.flush import flush_op, is_silent, note_answered
    from clawgit.understanding.facts.routing import day_path

    text = sys.stdin.buffer.read().decode("utf-8", "replace") if reply == "-" else reply
    now = app.now(history)
    target = path or day_path(now.date())
    flush = flush_op(told["session"], told["compactions"]) if told["session"] else ""
    if is_silent(text) or not text.strip():
        app.say("There was nothing to write down.")
        app.report({"outcome": "nothing", "op": None, "commit": None, "path": target}, list)
    else:
        _write_down(app, history, text, target, flush)
    if flush:
        with _said_only(app):
            note_answered(history, flush, now)


@contextmanager
def _said_only(app: App) -> Iterator[None]:
    """Say what is wrong with the records; memories are written down all the same, before they are gone."""
    from clawgit.workspace.records.sqlite_files import RecordsError

    try:
        yield
    except RecordsError as error:
        app.say(str(error))


def _write_down(app: App, history: History, text: str, target: str, flush: str) -> None:

    from clawgit.capture.sessions.flush import keep_reply

    intent = app.intent(history, kind="flush")
    if flush and not intent.given:
        intent = intent._replace(op=flush, given=True)
    done = keep_reply(history, text, target, intent)
    say_change(app, done, f"Written down in {target}.")
    app.report(
        change_data(done) | {"path": target}, lambda: [done.commit_id] if done.commit_id is not None else []
    )
