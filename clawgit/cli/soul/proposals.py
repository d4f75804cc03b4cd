"""`clawgit soul pending`, `approve` and `reject`: edits of the soul that need the operator's yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, in_words
from clawgit.cli.approval import approving, sign_option
from clawgit.cli.change_output import report_change
from clawgit.cli.soul.other_decisions import (
    approve_other,
    is_other,
    reject_other,
    setting_line,
    unreviewed_data,
    unreviewed_lines,
    waiting_settings,
)
from clawgit.errors import ClawgitError, UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.decide_proposal import PendingEdit, ProposedPiece
    from clawgit.history.git.repository import History


@click.command("pending", cls=Command)
@click.argument("proposal_id", metavar="[ID]", required=False)
@click.pass_obj
def pending_command(app: App, proposal_id: str | None) -> None:
    """List the proposals that need your approval.

    These are proposed edits, additions to the soul that you have not seen, and guarded settings.

    \b
    Examples:
      clawgit soul pending
      clawgit soul pending p-1a2b3c4d5e
      clawgit soul pending --json
    """
    from clawgit.history.decide_proposal import find_pending, pending_edits
    from clawgit.history.unreviewed_additions import list_unreviewed

    history = app.history()
    found = [find_pending(history, proposal_id)] if proposal_id else pending_edits(history)
    settings = [] if proposal_id else waiting_settings(app)
    others = [] if proposal_id else list_unreviewed(history)
    now = app.now(history)
    app.report(
        {
            "proposals": [_data(each) for each in found],
            "unreviewed": [unreviewed_data(each) for each in others],
            "settings": settings,
        },
        lambda: (
            [line for each in found for line in _lines(each, now)]
            + [line for each in others for line in unreviewed_lines(each)]
            + [setting_line(key) for key in settings]
            or ["Nothing is pending."]
        ),
    )


@click.command("approve", cls=Command)
@click.argument("proposal_id", metavar="ID")
@click.option(
    "--only", type=click.IntRange(1), multiple=True, metavar="N", help="Only piece N; repeat for more."
)
@click.option("--edit", "in_editor", is_flag=True, help="Change the file in your editor first.")
@sign_option
@click.pass_obj
def approve_command(
    app: App, proposal_id: str, only: tuple[int, ...], *, in_editor: bool, key: str | None
) -> None:
    """Accept a proposal, or some pieces of it.

    It becomes a commit of your own, on top of later changes. The pieces that you leave stay pending. With --edit the file opens as it would read; what you save is committed.
    An addition that you have not seen (u-...) stays for good then, and the name of a setting trusts its value.

    \b
    Examples:
      clawgit soul approve p-1a2b3c4d5e
      clawgit soul approve p-1a2b3c4d5e --only 1 --only 3
      clawgit soul approve p-1a2b3c4d5e --edit
      clawgit soul approve u-1a2b3c4d5e6f
      clawgit soul approve p-1a2b3c4d5e --sign ~/.ssh/id_ed25519_sk
    """
    from clawgit.history.apply_plan import repeated
    from clawgit.history.decide_proposal import approve_proposal, find_pending

    app.only_operator("approve a proposal")
    if only and in_editor:
        raise UsageError(
            "--only and --edit do not go together.", hint="In the editor you can leave lines out."
        )
    history = app.history()
    intent = approving(app, history, app.intent(history), key)
    before = repeated(history, intent)
    if before is not None:
        report_change(app, before, "")
        return
    if in_editor:
        _approve_edited(app, history, proposal_id, intent)
        return
    if is_other(app, proposal_id):
        approve_other(app, history, proposal_id, intent)
        return
    found = find_pending(history, proposal_id)
    done = approve_proposal(history, proposal_id, intent, only or None)
    left = " The other pieces stay pending." if only else ""
    report_change(app, done, f"Approved: {proposal_id}.{left}", proposal=proposal_id)
    for line in _approved_lines(found, only):
        app.say(line)


def _approved_lines(found: PendingEdit, only: tuple[int, ...]) -> list[str]:
    """Return which lines went and came, and why."""
    taken = [each for each in found.pieces if not only or each.number in only]
    lines = [line for each in taken for line in _piece_lines(each)]
    return [*lines, f"  why: {found.reason}"] if found.reason else lines


def _approve_edited(app: App, history: History, proposal_id: str, intent: Intent) -> None:
    from clawgit.history.decide_proposal import Edited, approve_edited, approved_text, find_pending

    found = find_pending(history, proposal_id)
    if found.is_stale or len(found.proposal.paths) != 1:
        raise ClawgitError(f"{proposal_id} cannot be edited.", hint="`clawgit soul pending` shows its state.")
    (path,) = found.proposal.paths
    before = history.tip().tree.read(path)
    text = approved_text(history, found, path) or b""
    saved = click.edit(text.decode("utf-8", "surrogateescape"), extension=".md", require_save=True)
    if saved is None:
        raise ClawgitError("You saved nothing, so nothing was changed.")
    edited = Edited(path, before, saved.encode("utf-8", "surrogateescape"))
    done = approve_edited(history, found, edited, intent)
    report_change(app, done, f"Approved in your words: {proposal_id}.", proposal=proposal_id)


@click.command("reject", cls=Command)
@click.argument("proposal_id", metavar="ID")
@click.option(
    "--reason", required=True, callback=in_words, help="One sentence; shown if it is proposed again."
)
@click.pass_obj
def reject_command(app: App, proposal_id: str, reason: str) -> None:
    """Reject a proposal for good.

    The same edit is not proposed again.

    An addition that you have not seen (u-...) is taken back; of a setting, CONFIG.md gets the value in force again.

    \b
    Example:
      clawgit soul reject p-1a2b3c4d5e --reason "I like long answers."
    """
    from clawgit.history.review.proposals import reject_proposal

    app.only_operator("reject a proposal")
    history = app.history()
    if is_other(app, proposal_id):
        reject_other(app, history, proposal_id, reason)
        return
    reject_proposal(history, proposal_id, reason, app.intent(history))
    app.say(f"Rejected: {proposal_id}. The same edit is not proposed again.")
    app.report({"proposal": proposal_id, "rejected": True}, list)


def _data(found: PendingEdit) -> dict[str, Any]:
    proposal = found.proposal
    return {
        "id": proposal.proposal_id,
        "actor": proposal.actor,
        "at": found.made_at.isoformat(),
        "summary": proposal.summary,
        "reason": found.reason,
        "evidence": [{"id": each.evidence_id, "quote": each.quote} for each in found.evidence],
        "paths": list(proposal.paths),
        "tokens": found.tokens,
        "stale": found.is_stale,
        "open": found.is_open,
        "commit": proposal.commit_id,
        "pieces": [
            {
                "number": each.number,
                "path": each.path,
                "line": each.piece.at + 1,
                "old": _text(each.piece.gone),
                "new": _text(each.piece.come),
            }
            for each in found.pieces
        ],
    }


def _lines(found: PendingEdit, now: datetime) -> list[str]:
    proposal = found.proposal
    days = max(0, (now - found.made_at).days)
    age = "today" if not days else f"{days} day{'s' * (days != 1)} ago"
    lines = [
        f"{proposal.proposal_id}  {', '.join(proposal.paths)}, by the {proposal.actor}, {age}, {found.tokens:+} tokens"
    ]
    lines += [f"  why: {found.reason}"] if found.reason else []
    lines += [f"  evidence: {each.evidence_id} {each.quote!r}" for each in found.evidence]
    if found.is_stale:
        lines.append(
            f"  Later changes touch the same lines: `git show {found.commit.commit_id[:12]}` has its text."
        )
    for each in found.pieces:
        lines += _piece_lines(each)
    return [*lines, *_ways_out(found), ""]


def _ways_out(found: PendingEdit) -> list[str]:
    name, paths = found.proposal.proposal_id, " ".join(found.proposal.paths)
    if found.is_open:
        return [
            f"  Not committed: `clawgit keep --as operator` if it is yours, `git restore {paths}` drops it."
        ]
    drops = f"  `clawgit soul reject {name} --reason …` drops it."
    if found.is_stale:
        return [drops]
    return [f"  `clawgit soul approve {name}` makes it; --only N takes a piece.", drops]


def _piece_lines(each: ProposedPiece) -> list[str]:
    lines = [f"  {each.number}. {each.path}:{each.piece.at + 1}"]
    lines += [f"     - {line}" for line in _text(each.piece.gone).splitlines() if line.strip()]
    return lines + [f"     + {line}" for line in _text(each.piece.come).splitlines() if line.strip()]


def _text(lines: tuple[bytes, ...]) -> str:
    return b"".join(lines).decode("utf-8", "replace")
