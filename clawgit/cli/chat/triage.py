"""`clawgit triage` with click: for help, another workspace's settings, or a new CONFIG.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.capture.messages.incoming_message import patterns_in_force
from clawgit.cli.app import App, command
from clawgit.cli.chat.triage_start import Triage, answer
from clawgit.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from clawgit.understanding.triage.custom_patterns import CustomPattern


@command("triage")
@click.argument("message", required=False)
@click.option("--jsonl", is_flag=True, help='Read lines {"id": "1", "text": "…"}, answer each with one.')
@click.option("--literal", is_flag=True, help="Only the twenty source patterns, on the text as it is.")
def triage_command(app: App, message: str | None, jsonl: bool, literal: bool) -> None:
    """Say which agent a message is for.

    The answer names the miner, the validator, or a route of your own.

    Patterns only, no model: your own are in `heartbeat_custom_patterns`. What is quoted, forwarded or code does not
    count, and a message that asks not to be remembered is left alone. `-` reads the message from stdin.

    \b
    Examples:
      clawgit triage "Don't forget: rent is due on the 1st."
      clawgit triage --json "No, it's Thursday."
      clawgit triage --jsonl < messages.jsonl
    """
    if (message is None) is not jsonl:
        raise UsageError("Give one message, or --jsonl and lines on stdin.")
    patterns: list[CustomPattern] = []
    if not literal:
        patterns = patterns_in_force(app.history_for_talk())
    if answer(message, Triage(patterns, literal=literal), as_json=app.as_json):
        app.exit_code = ExitCode.REFUSED
