"""`clawgit receipts`: what was injected, and whether that can still be told byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, picked
from clawgit.context.receipts import Rebuilt, find_receipt, rebuild_context
from clawgit.context.slots import reasons_of
from clawgit.errors import ExitCode
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from datetime import tzinfo

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import ReceiptNote


@click.group("receipts")
def receipts_group() -> None:
    """List and verify the contexts that were given."""


@receipts_group.command("list", cls=Command)
@click.option("--session", default="", metavar="KEY", help="Only those of this session.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="At most so many."
)
@click.pass_obj
def list_command(app: App, session: str, limit: int) -> None:
    """List the latest receipts, newest first.

    \b
    Examples:
      clawgit receipts list
      clawgit receipts list --session agent:main:main --json
    """
    history = app.history()
    with open_records(history.state / RECORDS, app.now(history)) as records:
        found = records.receipts.newest(limit=limit, session=session)
    zone = app.now(history).tzinfo
    app.report(
        [receipt_data(each) for each in found],
        lambda: [_line(each, zone) for each in found] or ["No context was injected so far."],
    )


@receipts_group.command("show", cls=Command)
@click.argument("receipt", metavar="ID")
@click.pass_obj
def show_command(app: App, receipt: str) -> None:
    """Show what was injected then.

    As far as the repository still holds it.

    \b
    Examples:
      clawgit receipts show r:4f1c2a9b3d
      clawgit receipts show r:4f1c2a9b3d --json
    """
    history = app.history()
    note, rebuilt = _rebuilt(app, history, receipt)
    _say_gone(app, rebuilt)
    text = rebuilt.stable + rebuilt.recalled
    app.report(
        receipt_data(note) | {"text": text} | _state(rebuilt) | {"slots": _slots(note, rebuilt)},
        lambda: [_line(note, app.now(history).tzinfo), "", *text.rstrip("\n").split("\n")],
    )


@receipts_group.command("verify", cls=Command)
@click.argument("receipts", metavar="[ID]...", nargs=-1)
@click.pass_obj
def verify_command(app: App, receipts: tuple[str, ...]) -> None:
    """Rebuild contexts from their receipts.

    Says of each whether every byte is the same. Without an ID, the latest 20.

    Nothing is searched for again. What is no longer in the repository is named. Exit status 1: one is not the same.

    \b
    Examples:
      clawgit receipts verify
      clawgit receipts verify r:4f1c2a9b3d --json
    """
    history = app.history()
    if not receipts:
        with open_records(history.state / RECORDS, app.now(history)) as records:
            receipts = tuple(each.receipt_id for each in records.receipts.newest(limit=20))
    found = [_rebuilt(app, history, each) for each in receipts]
    for _, rebuilt in found:
        _say_gone(app, rebuilt)
    app.report(
        [{"receipt": note.receipt_id} | _state(rebuilt) for note, rebuilt in found],
        lambda: [
            f"{note.receipt_id}  {'the same' if rebuilt.is_same else 'differs'}" for note, rebuilt in found
        ],
    )
    if not all(rebuilt.is_same for _, rebuilt in found):
        app.exit_code = ExitCode.REFUSED


def receipt_data(note: ReceiptNote) -> dict[str, Any]:
    hashes = {"stable": note.stable.get("hash"), "recall": note.recall.get("hash")}
    return (
        picked(note, "receipt=receipt_id at=made_at session query tokens") | {"hashes": hashes} | note.facts
    )


def _rebuilt(app: App, history: History, receipt: str) -> tuple[ReceiptNote, Rebuilt]:
    note = find_receipt(history, receipt, app.now(history))
    return note, rebuild_context(history, note)


def _state(rebuilt: Rebuilt) -> dict[str, Any]:
    return picked(rebuilt, "same=is_same gone")


def _slots(note: ReceiptNote, rebuilt: Rebuilt) -> list[dict[str, Any]]:
    """Return what each slot cost, why each line is in it, and what was cut and why."""
    reasons = {}
    for each in rebuilt.slots:
        reasons[each.slot.name] = [{"place": place, "why": why} for place, why in reasons_of(each)]
    slots = []
    for part in (note.stable, note.recall):
        for each in part.get("slots", ()):
            slot = {name: each[name] for name in ("name", "budget", "wanted", "used")}
            slot["lines"] = reasons.get(each["name"], [])
            slot["cut"] = [{"place": place, "why": why} for place, why in each["cut"]]
            slots.append(slot)
    return slots


def _say_gone(app: App, rebuilt: Rebuilt) -> None:
    if rebuilt.gone:
        app.say(f"No longer in the repository: {', '.join(rebuilt.gone)}.")


def _line(note: ReceiptNote, zone: tzinfo | None) -> str:
    at = note.made_at.astimezone(zone)
    about = f"  {note.session}" if note.session else ""
    asked = f"  {note.query}" if note.query else ""
    return f"{note.receipt_id}  {at:%Y-%m-%d %H:%M}  {note.tokens} tokens{about}{asked}"
