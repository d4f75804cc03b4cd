"""`clawgit correct`, `corrections` and `conflicts`: making corrections, and listing corrections and contradictions."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from clawgit.agents.contradictions import find_conflict
from clawgit.cli.app import App, change_data, command, listing, picked
from clawgit.cli.diff_output import diffs_data, diffs_lines
from clawgit.cli.memory.entry_output import changed_lines, conflict_data, corrected_data, correction_data
from clawgit.cli.pending import commits_of, decisions_data
from clawgit.cli.terminal import edited, is_terminal
from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.actors import HOST
from clawgit.history.provenance.set_back import corrections_set_back
from clawgit.history.provenance.statement_changes import who_made, whose_entry
from clawgit.history.provenance.trust_lookup import open_trusts
from clawgit.memory.corrections.correction_log import Correction, Status
from clawgit.operations import corrections
from clawgit.operations.changes import say_change
from clawgit.operations.decisions import approve_pending
from clawgit.pending.queue import ApproveRequest, open_questions
from clawgit.understanding.corrections.ready_commands import link_way

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History
    from clawgit.history.provenance.statement_changes import StatementChange
    from clawgit.memory.conflict_log import Contradiction


@command("correct")
@click.argument("old")
@click.argument("new", required=False)
@click.option("--entry", metavar="ID", help="The entry that is meant, where several say so or none does.")
@click.option("--until", default="", metavar="DATE", help="Its last day, with or without NEW.")
@click.option("--evidence", metavar="chat:ID", help="The operator's message that says so.")
@click.option("--quote", default="", metavar="TEXT", help="The words of that message that do.")
@click.option("--yes", is_flag=True, help="Do not ask, whatever the line loses.")
@click.option("--dry-run", is_flag=True, help="Show which lines would go and come; change nothing.")
def correct_command(app: App, /, old: str, new: str | None, yes: bool, dry_run: bool, **options: Any) -> None:
    """Correct a statement in memory.

    NEW replaces OLD for good.

    OLD is a statement, or the part of it that is wrong; the rest of the entry stays as it is, and what it said before
    stays below it as a comment. A whole sentence that no entry says is kept by itself. For a whole entry, OLD is its id,
    its place (MEMORY.md:12) or the commit that brought it.
    For a line that your words were linked with, OLD is the link (x:...). A line of a day's note is corrected for that
    day alone: the note stays, and MEMORY.md has the new line with its day.

    Without NEW a terminal opens the line for you to change; Enter keeps what you made of it. Where NEW leaves out much
    of the line, a terminal asks, and elsewhere --yes is needed.

    With --until the entry says its last day: `... (until 2026-12-31).` Also tomorrow, Friday, "31 December". After it no
    context holds the entry; searches do.

    A host corrects with --evidence alone: the message has to be the operator's own, and to say what NEW does. Where it
    does not, the operator is asked.

    \b
    Examples:
      clawgit correct "The review is on Wednesday." "The review is on Thursday."
      clawgit correct Wednesday Thursday --entry m:7k2x9d
      clawgit correct m:7k2x9d
      clawgit correct m:7k2x9d "The review is on Thursday."
      clawgit correct m:7k2x9d --until 2026-12-31
      clawgit correct MEMORY.md:12 "The review is on Thursday." --dry-run
      clawgit correct m:7k2x9d "The review is on Thursday." --evidence chat:5m0q7r2k1x9d3f8a
    """
    if options["until"] and old.startswith("x:"):
        raise UsageError("--until is for an entry.", hint="Name it by its id (m:...) or its words.")
    is_at_terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout) and not app.as_json
    if dry_run:
        request = corrections.CorrectRequest(old, new or "", **options)
        diffs = corrections.show_correction(app, request, is_sure=yes or is_at_terminal)
        app.report({"diff": diffs_data(diffs)}, lambda: diffs_lines(diffs) or ["Nothing would change."])
        return
    if new in (None, corrections.NEW_LINE) and is_at_terminal and not options["until"]:
        line = corrections.line_to_correct(app, old, options["entry"])
        old, new = line.name, _line_edited(app, line)
    elif new is not None and not yes and not options["evidence"] and app.actor != HOST:  # a host asks
        _ask_whether_it_goes(app, corrections.CorrectRequest(old, new, **options), is_at_terminal)
    if new is None and not options["until"]:
        raise UsageError("NEW is missing: what is right instead?", hint="`clawgit correct OLD NEW`.")
    if new is not None and old.startswith("x:"):
        answers = decisions_data(approve_pending(app, ApproveRequest([old], new, entry=options["entry"])))
        app.report(answers, lambda: commits_of(answers))
        return
    request = corrections.CorrectRequest(old, new or "", **options)
    answer = corrections.correct_memory(app, request)
    app.report(corrected_data(answer), lambda: changed_lines(answer))


def _line_edited(app: App, line: corrections.LineToCorrect) -> str:
    if line.beside:
        app.say(f'You said: "{line.beside}"')
    changed = edited("The line: ", line.words).strip()
    if changed in ("", line.words):
        raise ClawgitError("The line is as it was. Nothing was changed.")
    return changed


def _ask_whether_it_goes(app: App, request: corrections.CorrectRequest, is_at_terminal: bool) -> None:
    if not is_at_terminal:
        corrections.refuse_loss(app, request)
        return
    loss = corrections.loss_by(app, request)
    if loss is None:
        return
    app.say(f'{request.old} says: "{loss.line}"\nNEW says: "{request.new}"')
    if not app.asks(f"{loss}. Is that to go?"):
        way = f"`clawgit correct {shlex.quote(request.old)}` opens the line."
        raise ClawgitError("Nothing was changed.", hint=f"Write the whole line as it is right, or {way}")


@listing("corrections")
@click.option("--open", "only_open", is_flag=True, help="Only those of which nobody said what is right.")
@click.option("--all", "archived", is_flag=True, help="Those in the archive, too.")
def corrections_group(app: App, only_open: bool, archived: bool) -> None:
    """List corrections, or archive old ones.

    Newest first.

    \b
    Examples:
      clawgit corrections
      clawgit corrections --open
      clawgit corrections --all --json
    """
    history = app.history()
    listed = corrections.list_corrections(history, archived=archived)
    nothing = "No corrections (`--all` looks into the archive, too)."
    if only_open:
        listed = open_questions(history)
        nothing = "No correction is open."
    lines = []
    if listed and not app.as_json:
        against = corrections_set_back(history)
        with open_trusts(history) as trusts:
            in_force = trusts.corrections(history.tip().tree)
            for each in listed:
                name = f"x:{each.correction_id}"
                why = ""
                if each.correction_id not in in_force:
                    why = trusts.why_not_held(name)
                lines += _lines(each, against.get(each.correction_id), who_made(history, name), why)
    app.report(list(map(correction_data, listed)), lambda: lines or [nothing])


@command("archive", corrections_group)
@click.option("--dry-run", is_flag=True, help="Say which would move; change nothing.")
def archive_command(app: App, dry_run: bool) -> None:
    """Move old corrections to Archive/Corrections/.

    Old means older than `correction_archive_days`. They still count.

    Those that are open, or not known to come first in a search, stay.

    \b
    Examples:
      clawgit corrections archive --dry-run
      clawgit corrections archive
    """
    from clawgit.agents.door.correction_plans import archive_old, old_corrections

    history = app.history()
    moved = old_corrections(
        history, history.tip().tree, app.now(history).date(), history.settings.correction_archive_days
    )
    data: dict[str, Any] = {"moved": [correction_data(each) for each in moved], "dry_run": dry_run}
    if moved and not dry_run:
        done = archive_old(history, app.intent(history))
        say_change(app, done, f"{len(moved)} moved to Archive/Corrections/.")
        data |= change_data(done)
    app.report(
        data,
        lambda: [f"x:{each.correction_id}  {each.at}  {each.correct}" for each in moved] or ["None is old."],
    )


def _lines(correction: Correction, against: StatementChange | None, who: str, why: str) -> list[str]:
    state = correction.status.value
    proof = ""
    if correction.correct and not correction.re_embedded:
        proof = ", not proven yet"
    if why:
        proof = f", not in force: {why}"
    if against is not None:
        state = f"set back by {against.doer} (`clawgit undo {against.correction_id}`)"
    entries = "".join(f" m:{entry_id}" for entry_id in (*correction.corrects, *correction.may_correct))
    if correction.beside:
        entries += f" in {correction.beside}"
    lines = [f"x:{correction.correction_id}  {correction.at}  {state}{proof}{entries}"]
    if correction.correct:
        lines.append(f"    correct: {correction.correct}")
    for name, text in correction.said_fields.items():
        if text:
            lines.append(f"    {name}: {text}")
    if correction.proposed:
        lines.append(f"    proposed: {correction.proposed}")
    if correction.trigger:
        lines.append(f"    {who}: {correction.trigger}")
    if correction.status is Status.LINKED:
        link = f"x:{correction.correction_id}"
        lines.append(f"    → {link_way(link, correction.said, correction.trigger, correction.turn)}")
    return lines


@listing("conflicts")
def conflicts_group(app: App) -> None:
    """List entries that contradict each other."""
    _report_conflicts(app, decided_too=False)


@command("list", conflicts_group)
@click.option("--all", "all_of_them", is_flag=True, help="Those that are decided, too.")
def list_command(app: App, all_of_them: bool) -> None:
    """List the conflicts that need your decision.

    With --all, list all conflicts, newest first. `clawgit approve k:ID A|B|both` decides.

    \b
    Examples:
      clawgit conflicts list
      clawgit conflicts list --all --json
    """
    _report_conflicts(app, decided_too=all_of_them)


def _report_conflicts(app: App, *, decided_too: bool) -> None:
    conflicts = corrections.list_conflicts(app, decided_too)
    app.report(
        list(map(conflict_data, conflicts)),
        lambda: _conflict_lines(app.history(), conflicts) or ["No conflict needs your decision."],
    )


@command("show", conflicts_group)
@click.argument("conflict", metavar="ID")
def show_command(app: App, conflict: str) -> None:
    """Show both entries of a conflict.

    Shows what each is based on, and what was decided.

    \b
    Example:
      clawgit conflicts show k:4f1c2a
    """
    history = app.history()
    conflict_shown = find_conflict(history, conflict)
    lines = _conflict_lines(history, [conflict_shown])
    for name, text in picked(conflict_shown, "differs rule reason").items():
        if text:
            lines.append(f"    {name}: {text}")
    lines += [f"    `clawgit why m:{party.entry_id}`" for party in (conflict_shown.a, conflict_shown.b)]
    app.report(conflict_data(conflict_shown), lambda: lines)


def _conflict_lines(history: History, conflicts: Iterable[Contradiction]) -> list[str]:
    lines = []
    for conflict in conflicts:
        lines.append(f"k:{conflict.conflict_id}  {conflict.at}  {conflict.outcome.value}")
        for name, party in (("A", conflict.a), ("B", conflict.b)):
            whose = whose_entry(history, party.entry_id)
            lines.append(f"    {name}: {party.statement}  (m:{party.entry_id}, {party.on}, {whose})")
    return lines
