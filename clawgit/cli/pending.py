"""`clawgit pending`, `approve` and `reject`: everything that needs your decision, in one list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, ListingGroup, change_data, picked
from clawgit.errors import ClawgitError, ExitCode, UsageError
from clawgit.history.authorship.actors import in_words
from clawgit.operations.changes import say_change
from clawgit.operations.paths import user_path
from clawgit.operations.status import PendingRequest, list_pending
from clawgit.pending.queue import SHOWN, Kind, Pending, View, find_pending, kind_of, numbered_lines
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clawgit.history.authorship.intent import Intent
    from clawgit.history.decisions import Edited, PendingEdit
    from clawgit.history.git.repository import History
    from clawgit.pending.answers import Answered, Desk

_ID = re.compile(r"[xk]:[0-9a-z]+|[pqur]-[0-9a-f]+")
sign_option = click.option(
    "--sign", "key", metavar="KEY", help="Sign with this SSH key; a security key shows your presence."
)


@click.group("pending", cls=ListingGroup, invoke_without_command=True)
@click.option("--kind", type=click.Choice([each.value for each in Kind]), help="Only items of this kind.")
@click.pass_context
def pending_group(ctx: click.Context, kind: str | None) -> None:
    """List everything that needs your decision.

    Each item has an id, the question, why it is asked, and what a yes and a no do. Proposals and questions that nobody
    decides lapse after 60 days, as a no that changes nothing; everything else stays.

    \b
    Examples:
      clawgit pending
      clawgit pending --kind question
      clawgit pending show x:4f1c2a
      clawgit pending --json
    """
    app = ctx.find_object(App)
    assert app is not None
    if ctx.invoked_subcommand is not None:
        return
    items = list_pending(app, PendingRequest(kind))
    app.report(pending_data(items), lambda: pending_texts(items))


@pending_group.command("show", cls=Command)
@click.argument("item_id", metavar="ID")
@click.pass_obj
def show_command(app: App, item_id: str) -> None:
    """Show one item with all that can be answered.

    Of a change that a guard refused, show the files as they would be.

    \b
    Examples:
      clawgit pending show p-1a2b3c4d5e
      clawgit pending show q-1a2b3c4d5e --json
    """
    history = app.history()
    item = find_pending(_view(app, history), item_id)
    app.report(item_data(item), lambda: [*_item_lines(item), *_more_answers(item)])
    if item.kind is Kind.QUARANTINE and not app.as_json:
        print_refused(history, item.commit_id, item.files)


@click.command("approve", cls=Command)
@click.argument("words", metavar="ID... [OTHER WORDS]", nargs=-1)
@click.option("--all-like", "like", metavar="ID", help="Also every item of ID's kind and author.")
@click.option(
    "--only", type=click.IntRange(1), multiple=True, metavar="N", help="Only piece N; repeat for more."
)
@click.option("--edit", "in_editor", is_flag=True, help="Change the file in your editor first.")
@click.option("--entry", metavar="ID", help="The entry that shall say the OTHER WORDS.")
@click.option(
    "--override", "rules", multiple=True, metavar="RULE", help="Let through what this guard refuses."
)
@click.option("--reason", default="", metavar="TEXT", help="Why, in a sentence; needed to override.")
@sign_option
@click.pass_obj
def approve_command(app: App, /, words: tuple[str, ...], **given: Any) -> None:
    """Say yes to items that need your decision.

    What a yes does is in the list: `clawgit pending`. A proposal becomes a commit of your own, on top of later changes;
    --only takes pieces of it, and the rest stays pending. With OTHER WORDS (or --edit) your words are taken instead. A
    question without a proposed line needs them; `both` keeps the entry and adds the line. For a conflict, say which entry
    holds: A, B or both.

    A proposal that was rejected or lapsed can be approved, too. `clawgit reject ID --reason TEXT` says no.

    \b
    Examples:
      clawgit approve x:4f1c2a p-1a2b3c4d5e
      clawgit approve x:4f1c2a "The review is on Thursday." --entry m:7k2x9d
      clawgit approve --all-like x:4f1c2a
      clawgit approve k:m7z042 B --reason "Switched off with release 12."
      clawgit approve p-1a2b3c4d5e --only 1 --sign ~/.ssh/id_ed25519_sk
      clawgit approve q-1a2b3c4d5e --override conflict-marker --reason "It quotes one."
      clawgit approve soul_policy
    """
    from clawgit.history.apply_plan import repeated
    from clawgit.history.review.commit_check import overriding
    from clawgit.pending.answers import Yes, alike, approve

    app.only_operator("approve what is pending", hint="`clawgit pending` shows what a yes would do.")
    names, text = _named(app, words, like=given["like"])
    if (text or given["only"] or given["in_editor"]) and len(names) != 1:
        raise UsageError("Other words and pieces are for one item.", hint="Name one ID.")
    if bool(text) + bool(given["only"]) + bool(given["in_editor"]) > 1:
        raise UsageError("OTHER WORDS, --only and --edit exclude each other.", hint="Take one of them.")
    history = app.history()
    intent = overriding(app.intent(history), given["rules"], given["reason"])
    intent = approving(app, history, intent, given["key"])
    before = repeated(history, intent)
    if before is not None:
        say_change(app, before, "")
        app.report([change_data(before)], list)
        return
    view = _view(app, history)
    items = [find_pending(view, name) for name in names]
    if given["like"]:
        first = find_pending(view, given["like"])
        items = [
            *items,
            *(each for each in alike(first, list_pending(app, PendingRequest())) if each not in items),
        ]
    edit = _edited if given["in_editor"] else None
    yes = Yes(text, given["only"], given["entry"], given["reason"], edit, is_for_many=bool(given["like"]))
    _answer_each(app, intent, items, "yes", lambda desk, item: approve(desk, item, yes))


@click.command("reject", cls=Command)
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", default="", metavar="TEXT", help="One sentence; shown if it is proposed again.")
@click.option("--yes", is_flag=True, help="Do not ask before a refused change is deleted.")
@sign_option
@click.pass_obj
def reject_command(app: App, names: tuple[str, ...], reason: str, yes: bool, key: str | None) -> None:
    """Say no to items that need your decision.

    A proposal is not made, and not proposed again. An addition to the soul is taken back. A question is dropped, and memory
    stays as it is. CONFIG.md gets the value in force again. Two entries that conflict both hold. A change that a guard
    refused is deleted, after a question.

    \b
    Examples:
      clawgit reject p-1a2b3c4d5e --reason "I like long answers."
      clawgit reject x:4f1c2a x:9d3f8a
      clawgit reject q-1a2b3c4d5e --yes
    """
    from clawgit.pending.answers import reject

    app.only_operator("reject what is pending", hint="`clawgit pending` shows what a no would do.")
    history = app.history()
    intent = app.intent(history)
    if any(kind_of(name) is Kind.CONFLICT for name in names):  # a no says that both hold
        intent = approving(app, history, intent, key)
    view = _view(app, history)
    items = [find_pending(view, name) for name in names]
    for item in items:
        if item.kind is Kind.QUARANTINE and not yes and not app.asks(f"Delete {item.item_id} ({item.text})?"):
            raise ClawgitError(f"{item.item_id} stays.", hint="Say --yes to delete it.")
    _answer_each(app, intent, items, "no", lambda desk, item: reject(desk, item, reason))


def approving(app: App, history: History, intent: Intent, key: str | None) -> Intent:
    """Return the intent of an approval: a touched key is behind it, where the setting `approvals` says so."""
    from clawgit.history.authorship.approval_level import ALLOWED, signer_with, touched

    if history.settings.approvals != "present":
        return intent if key is None else intent._replace(sign=signer_with(user_path(key)))
    if intent.unattended:
        raise ClawgitError(
            f"approvals is present, and this runs in a host's process ({intent.unattended} is set).",
            hint="Approve in a terminal of your own.",
        )
    if key is None:
        raise ClawgitError(
            "approvals is present: an approval counts only with a touched key.",
            hint="`--sign KEY` with a security key of allowed_signers.",
        )
    signer = touched(signer_with(user_path(key)), app.trust_file.parent / ALLOWED)
    return intent._replace(sign=signer)


def pending_data(items: Sequence[Pending]) -> list[dict[str, Any]]:
    return [item_data(each) for each in items]


def pending_texts(items: Sequence[Pending]) -> list[str]:
    """Return the queue with all that there is to say of each item."""
    lines = [line for each in items for line in [*_item_lines(each), ""]]
    return lines[:-1] or ["Nothing is pending."]


def pending_lines(items: Sequence[Pending]) -> list[str]:
    """Return what `status` says of the queue: at most three items, each with its answers."""
    lines = [f"? {each.item_id}: {each.line} ({each.answers})" for each in items[:SHOWN]]
    more = len(items) - SHOWN
    return [*lines, f"? ... and {more} more (`clawgit pending`)"] if more > 0 else lines


def item_data(item: Pending) -> dict[str, Any]:
    return {
        **picked(item, "id=item_id kind text change diff why"),
        "evidence": [picked(each, "id=evidence_id quote") for each in item.evidence],
        "actor": item.actor or None,
        "since": item.since or None,
        "lapses": item.lapses or None,
        **picked(item, "yes no commands problem also entries files"),
        "commit": item.commit_id or None,
        "pieces": [
            picked(each, "number path")
            | {"line": each.piece.at + 1, "old": _text(each.piece.gone), "new": _text(each.piece.come)}
            for each in item.pieces
        ],
    }


def print_refused(history: History, commit_id: str, paths: tuple[str, ...]) -> None:
    """Print the files as a refused change would have them."""
    from clawgit.cli.diff_output import diff_lines
    from clawgit.history.states.revisions import Revision, compare

    commit = history.objects.commit(commit_id)
    base = history.objects.commit(commit.parent_ids[0]) if commit.parent_ids else commit
    if not paths:
        return
    for diff in compare(history, Revision(base), Revision(commit), paths):
        for line in diff_lines(diff, words=False):
            click.echo(line)


def _text(lines: tuple[bytes, ...]) -> str:
    return b"".join(lines).decode("utf-8", "replace")


def _view(app: App, history: History) -> View:
    return View(history, app.now(history), app.held_settings)


def _about(item: Pending) -> Iterator[str]:
    yield item.kind.value
    if item.actor:
        yield f"by {in_words(item.actor)}"
    if item.since:
        yield f"since {item.since:%Y-%m-%d}"
    if item.lapses:
        yield f"lapses {item.lapses}"


def _item_lines(item: Pending) -> list[str]:
    lines = [f"{item.item_id}  {', '.join(_about(item))}", f"  {item.text}"]
    if item.pieces:
        lines += [line for each in item.pieces for line in numbered_lines(each)]
    else:
        lines += [f"     {line}" for line in item.diff]
    if item.why:
        lines.append(f"  why: {item.why}")
    lines += [f"  evidence: {each.evidence_id} {each.quote!r}" for each in item.evidence]
    if item.also:
        lines.append(f"  the same: {', '.join(item.also)}")
    if item.problem:
        lines.append(f"  {item.problem}")
    lines += [f"  yes: {item.yes}", f"  no: {item.no}"]
    return [*lines, *(f"    `{command}`" for command in item.commands)]


def _more_answers(item: Pending) -> list[str]:
    name = item.item_id
    if item.kind is Kind.QUESTION and item.takes_a_yes:
        return [
            f"    `clawgit approve {name} both`",
            f'    `clawgit approve {name} "OTHER WORDS" [--entry ID]`',
        ]
    if item.kind is Kind.PROPOSAL and not item.problem:
        return [f"    `clawgit approve {name} --only N`", f'    `clawgit approve {name} "OTHER WORDS"`']
    if item.kind is Kind.CONFLICT:
        return [f"    `clawgit why {entry}`" for entry in item.entries]
    return []


def _named(app: App, words: tuple[str, ...], *, like: str | None) -> tuple[list[str], str]:
    names = [
        word
        for at, word in enumerate(words)
        if (at == 0 and not like) or _ID.fullmatch(word) or word in (*SETTINGS, "clock", "drift")
    ]
    others = [word for word in words if word not in names]
    if len(others) > 1 or (others and words[-1] != others[0]):
        raise UsageError(f"{others[0]!r} is no id.", hint="OTHER WORDS are one text in quotes behind the ID.")
    if not names and not like:
        raise UsageError("Name what you approve.", hint="`clawgit pending` lists the ids.")
    return list(dict.fromkeys(names)), others[0] if others else ""


def _answer_each(
    app: App,
    intent: Intent,
    items: Sequence[Pending],
    word: str,
    answer: Callable[[Desk, Pending], Answered],
) -> None:
    """Answer items one after the other; of several, one that is refused does not hold up the others."""
    from clawgit.pending.answers import Desk, later_intent

    history = app.opened
    assert history is not None
    data = []
    for number, item in enumerate(items):
        own = intent if number == 0 else later_intent(intent)
        desk = Desk(history, own, app.trust_file, app.held_settings, app.steady())
        try:
            answered = answer(desk, item)
        except ClawgitError as error:
            if len(items) == 1:
                raise
            app.say(f"{item.item_id}: {error}")
            app.exit_code = ExitCode.REFUSED
            data.append(_answer_data(item, word, None) | {"outcome": "refused", "says": error.message})
            continue
        if answered.recorded is None:
            app.say(answered.says)
        else:
            say_change(app, answered.recorded, answered.says)
        for note in answered.notes:
            app.say(note)
        data.append(_answer_data(item, word, answered))
    if any(item.kind is Kind.QUARANTINE for item in items):
        app.note_tip(history)
    app.report(data, lambda: [each["commit"] for each in data if each["commit"]])


def _answer_data(item: Pending, word: str, answered: Answered | None) -> dict[str, Any]:
    data = {**picked(item, "id=item_id kind"), "answer": word}
    if answered is None or answered.recorded is None:
        made: dict[str, Any] = {"outcome": "applied", "op": None, "commit": None}
    else:
        made = change_data(answered.recorded)
    return {**data, **made, "says": answered.says if answered else ""}


def _edited(history: History, pending: PendingEdit) -> Edited:
    from clawgit.history.decisions import Edited, approved_text

    name = pending.proposal.proposal_id
    if pending.is_stale or len(pending.proposal.paths) != 1:
        raise ClawgitError(
            f"{name} cannot be edited.", hint=f"`clawgit pending show {name}` shows its state."
        )
    (path,) = pending.proposal.paths
    before = history.tip().tree.read(path)
    text = approved_text(history, pending, path) or b""
    saved = click.edit(text.decode("utf-8", "surrogateescape"), extension=".md", require_save=True)
    if saved is None:
        raise ClawgitError("You saved nothing, so nothing was changed.")
    return Edited(path, before, saved.encode("utf-8", "surrogateescape"))
