"""`clawgit context` and `receipts`: the context of a conversation, and its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import click

from clawgit.cli.app import App, command, listing, picked, text_given
from clawgit.cli.lazy_group import NamingGroup
from clawgit.context.receipts import Rebuilt, find_receipt, rebuild_context
from clawgit.context.slots import reasons_of
from clawgit.context.wanted_context import FOR_MESSAGE, FOR_SEARCH, Context, hash_of
from clawgit.errors import ExitCode
from clawgit.operations import context
from clawgit.operations.caller import Scope
from clawgit.text.safety.control_characters import few
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import tzinfo

    from clawgit.history.git.repository import History
    from clawgit.workspace.records.record_tables import ReceiptNote

MOST_QUERY = 60  # characters of what was asked, in a list
MOST_REASONS, MOST_PLACES = 5, 3  # shown for each slot, and for each reason
_HITS = {FOR_MESSAGE: ", hits for a message", FOR_SEARCH: ", hits of a search"}


def context_data(made: Context) -> dict[str, Any]:
    slots = []
    for each in made.slots:
        slot = picked(each, "name budget wanted used")
        slot["sources"] = list(dict.fromkeys(passage.place for passage in each.filled.passages))
        slot["cut"] = [picked(cut, "place why") for cut in each.filled.cuts]
        slot["notes"] = each.filled.notes
        if made.is_explained:
            slot["lines"] = _reasons_data(reasons_of(each.filled))
        slots.append(slot)
    return {
        **picked(made, "text tokens"),
        "slots": slots,
        "opening": {"used": made.opening_tokens, "sources": list(made.asked)},
        "receipt": made.receipt or None,
        "stable": {"text": made.stable, "hash": hash_of(made.stable)},
        "recall": {"text": made.recalled, "hash": hash_of(made.recalled)},
        **picked(made, "query day=on"),
        "commit": made.commit_id or None,
        "tree": made.tree_id or None,
        "counter": made.counter,
    }


def _reasons_data(reasons: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"place": place, "why": why} for place, why in reasons]


def context_lines(made: Context) -> list[str]:
    if made.is_explained:
        lines = [f"    asks: {question}" for question in made.asked]
        lines += slot_lines(context_data(made)["slots"])
        commit = made.commit_id[:12] or "none"
        return [*lines, f"{made.tokens} tokens ({made.counter}), {made.on:%Y-%m-%d}, commit {commit}"]
    if made.text:
        return made.text.rstrip("\n").split("\n")
    return []


def slot_lines(slots: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = []
    for each in slots:
        need, used = each["wanted"], each["used"]
        more = f", {need} wanted" if need > used else ""
        lines.append(f"{each['name']:<12}{used:>5} of {each['budget']} tokens{more}")
        lines += _grouped("in", each["lines"])
        lines += _grouped("cut", each["cut"])
        lines += [f"    {note}" for note in each.get("notes", ())]
    return lines


def _grouped(sign: str, reasons: Iterable[Mapping[str, str]]) -> list[str]:
    places: dict[str, dict[str, None]] = {}
    for each in reasons:
        places.setdefault(each["why"], {})[each["place"]] = None
    lines = []
    for why, named in list(places.items())[:MOST_REASONS]:
        lines.append(f"    {sign}: {few(list(named), MOST_PLACES)} ({why})")
    if len(places) > MOST_REASONS:
        lines.append(f"    {sign}: more, for {len(places) - MOST_REASONS} other reasons (--json lists all)")
    return lines


@listing("context", text="context --query")
@click.option("--query", default="", metavar="TEXT", help="What the conversation is about; `-` reads stdin.")
@click.option("--session", default="", metavar="KEY", help="Or the session whose last messages say so.")
@click.option(
    "--part",
    type=click.Choice(get_args(context.Part)),
    help="Only what stays; only what is of now; or what stays, and little of the rest.",
)
@click.option(
    "--host",
    type=click.Choice(get_args(context.HostName)),
    help="Leave out what this program puts into your agent's prompt itself, and fit its limits.",
)
@click.option(
    "--scope",
    type=click.Choice(get_args(Scope)),
    help="group: others listen, so only who the agent is, and notes of that session; else its key decides.",
)
@click.option("--as-of", "as_of", metavar="DAY", help="As memory was then (a day means its end).")
@click.option("--explain", is_flag=True, help="Show why each line is in a slot, or was cut.")
def context_group(app: App, /, **options: Any) -> None:
    """Print what a conversation begins with.

    That is who the agent is, whom it serves, what holds, and what matters now.

    Eight slots within `context_budget_tokens`, by priority. The first part stays the same until memory changes; the
    second has the day, the latest notes and what a search finds. What does
    not rest on your own words is fenced as data. Nothing that was corrected, retired or lost a conflict is in it.

    \b
    Examples:
      clawgit context --query "when do we deploy?"
      clawgit context --session agent:main:main --part recall --json
      clawgit context --host openclaw --explain
      clawgit context --as-of "last month" --query "office address"
    """
    options["query"] = text_given(options["query"])
    answer = context.get_context(app, context.ContextRequest(**options))
    app.report(context_data(answer), lambda: context_lines(answer))


@command("diff", context_group)
@click.argument("old", metavar="[A]", default="")
@click.argument("new", metavar="[B]", default="")
@click.option("--session", default="", metavar="KEY", help="Or the last two turns of this session.")
def diff_command(app: App, old: str, new: str, session: str) -> None:
    """Show what differs between two contexts.

    Without A and B: what the last turn was given that the turn before was not, and the other way round. Else A and B are
    receipts (r:…). Sorted by slot, each line with the reason why it came or went.

    \b
    Examples:
      clawgit context diff
      clawgit context diff --session agent:main:main --json
      clawgit context diff r:4f1c2a9b3d r:77a0c1d2e3
    """
    if old and not new:
        raise click.UsageError("Name two receipts, or none for the last two turns.")
    old, new, diffs = context.diff_contexts_of(app, old, new, session)
    slots = []
    lines = [f"From {old} to {new}:"]
    if not diffs:
        lines.append("They say the same.")
    for each in diffs:
        slot: dict[str, Any] = {"name": each.name, "gone": [], "new": []}
        lines.append(f"{each.name}:")
        for key, sign, side in (("gone", "-", each.gone), ("new", "+", each.new)):
            for place, text, why in side:
                slot[key].append({"place": place, "text": text, "why": why})
                reason = f" ({why})" if why else ""
                lines.append(f"  {sign} {place}{reason}")
                lines += [f"      {line}" for line in text.split("\n")]
        slots.append(slot)
    app.report({"from": old, "to": new, "slots": slots}, lambda: lines)


@click.group("receipts", cls=NamingGroup)
def receipts_group() -> None:
    """List and verify the contexts and hits that were given."""


@command("list", receipts_group)
@click.option("--session", default="", metavar="KEY", help="Only those of this session.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many.")
def list_command(app: App, session: str, limit: int) -> None:
    """List the latest receipts, newest first.

    \b
    Examples:
      clawgit receipts list
      clawgit receipts list --session agent:main:main --json
    """
    history = app.history()
    with open_records(history.state / RECORDS, app.now(history)) as records:
        notes = records.receipts.newest(limit=limit, session=session)
    lines = [_line(each, app.now(history).tzinfo) for each in notes]
    app.report([receipt_data(each) for each in notes], lambda: lines or ["No context was injected so far."])


@command("show", receipts_group)
@click.argument("receipt", metavar="ID")
def show_command(app: App, receipt: str) -> None:
    """Show what was injected, why, and what was cut.

    As far as the repository still holds it.

    \b
    Example:
      clawgit receipts show r:4f1c2a9b3d
    """
    history = app.history()
    note, rebuilt = _rebuilt(app, history, receipt)
    text = rebuilt.stable + rebuilt.recalled
    reasons = {each.slot.name: reasons_of(each) for each in rebuilt.slots}
    slots = []
    for part in (note.stable, note.recall):
        for each in part.get("slots", ()):
            slot = {name: each[name] for name in ("name", "budget", "wanted", "used")}
            slot["lines"] = _reasons_data(reasons.get(each["name"], []))
            slot["cut"] = _reasons_data(each["cut"])
            slots.append(slot)
    lines = [_line(note, app.now(history).tzinfo), "", *text.rstrip("\n").split("\n"), ""]
    lines += [*slot_lines(slots), *note.facts.get("notes", ())]
    state = picked(rebuilt, "same=is_same gone") | {"slots": slots}
    app.report(receipt_data(note) | {"text": text} | state, lambda: lines)


@command("verify", receipts_group)
@click.argument("receipts", metavar="[ID]...", nargs=-1)
def verify_command(app: App, receipts: tuple[str, ...]) -> None:
    """Rebuild contexts and hits from their receipts.

    Says of each whether every byte is the same. Without an ID, the latest 20.

    Nothing is searched for again. What is no longer in the repository is named. Exit status 1: one is not the same.

    \b
    Example:
      clawgit receipts verify
    """
    history = app.history()
    if not receipts:
        with open_records(history.state / RECORDS, app.now(history)) as records:
            receipts = tuple(each.receipt_id for each in records.receipts.newest(limit=20))
    rows = []
    lines = []
    for each in receipts:
        note, rebuilt = _rebuilt(app, history, each)
        rows.append({"receipt": note.receipt_id} | picked(rebuilt, "same=is_same gone"))
        lines.append(f"{note.receipt_id}  {'the same' if rebuilt.is_same else 'differs'}")
        if not rebuilt.is_same:
            app.exit_code = ExitCode.REFUSED
    app.report(rows, lambda: lines)


def receipt_data(note: ReceiptNote) -> dict[str, Any]:
    data = picked(note, "receipt=receipt_id at=made_at session query tokens")
    data["hashes"] = {"stable": note.stable.get("hash"), "recall": note.recall.get("hash")}
    return data | note.facts


def _rebuilt(app: App, history: History, receipt: str) -> tuple[ReceiptNote, Rebuilt]:
    note = find_receipt(history, receipt, app.now(history))
    rebuilt = rebuild_context(history, note)
    if rebuilt.gone:
        app.say(f"No longer in the repository: {', '.join(rebuilt.gone)}.")
    return note, rebuilt


def _line(note: ReceiptNote, zone: tzinfo | None) -> str:
    at = note.made_at.astimezone(zone)
    about = f"  {note.session}" if note.session else ""
    query = note.query
    if len(query) > MOST_QUERY:
        query = f"{query[:MOST_QUERY].rstrip()} …"
    query_text = f"  {query}" if query else ""
    what = _HITS.get(note.facts.get("part", ""), "")
    return f"{note.receipt_id}  {at:%Y-%m-%d %H:%M}  {note.tokens} tokens{what}{about}{query_text}"
