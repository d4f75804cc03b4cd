"""`clawgit pending`, `approve` and `reject`: all decisions in one list; `quarantine`: changes that a guard refused."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import chain
from operator import attrgetter, itemgetter, methodcaller
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, change_data, command, commit_lines, listing, picked, same_data
from clawgit.cli.lazy_group import NamingGroup
from clawgit.errors import ClawgitError, UsageError
from clawgit.history.authorship.actors import in_words, with_person
from clawgit.operations import decisions
from clawgit.operations.status import KINDS, lines_beside, links_now, list_pending
from clawgit.pending.queue import SHOWN, ApproveRequest, Pending, PendingKind
from clawgit.text.safety.control_characters import first_few, folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.history.apply_plan import Recorded
    from clawgit.history.guards.quarantine import Parked
    from clawgit.memory.corrections.correction_log import Correction
    from clawgit.operations.changed_news import News
    from clawgit.pending.answers import AnswerOutcome

MOST_HEARD = 20
_ID = re.compile(r"[xk]:[0-9a-z]+|[lpqur]-[0-9a-f]+|t-[a-z-]+")
sign_option = click.option(
    "--sign", "key", metavar="KEY", help="Sign with this SSH key; a security key shows your presence."
)


@listing("pending")
@click.option("--kind", type=click.Choice(KINDS), help="Only items of this kind.")
def pending_group(app: App, kind: str | None) -> None:
    """List everything that is open.

    First what needs your decision: an id, the question, why it is asked, and what a yes and a no do. Proposals and
    questions that nobody decides lapse after 60 days, as a no that changes nothing; everything else stays. Then the lines with
    later words of yours beside them, and what you said that memory has not; these need no answer.

    \b
    Examples:
      clawgit pending
      clawgit pending --kind question
      clawgit pending show x:4f1c2a
    """
    items = list_pending(app, kind)
    if kind:
        app.report(pending_data(items), lambda: pending_texts(items))
        return
    app.report(pending_data(items), lambda: _open_lines(app, items))


@command("show", pending_group)
@click.argument("item_id", metavar="ID")
def show_command(app: App, item_id: str) -> None:
    """Show one item with all that can be answered.

    Of a change that a guard refused, show the files as they would be.

    \b
    Example:
      clawgit pending show p-1a2b3c4d5e
    """
    _show_item(app, item_id)


def _show_item(app: App, item_id: str) -> None:
    from clawgit.operations.why import cited_messages

    item = decisions.pending_item(app, item_id)
    cited = cited_messages(app, app.history(), map(attrgetter("evidence_id"), item.evidence))
    zone = app.now(app.history()).tzinfo
    sentences = []
    for name, message in cited.items():
        sentences.append(
            f"  all of {name}, {message.sent_at.astimezone(zone):%Y-%m-%d}: {folded(message.text)!r}"
        )
    app.report(item_data(item), lambda: [*_item_lines(item), *_more_answers(item), *sentences])
    if item.kind is PendingKind.QUARANTINE and not app.as_json:
        from clawgit.cli.diff_output import diff_lines
        from clawgit.history.states import Revision, compare

        history = app.history()
        commit = history.objects.commit(item.commit_id)
        base = history.objects.commit(commit.parent_ids[0]) if commit.parent_ids else commit
        for diff in compare(history, Revision(base), Revision(commit), item.files):
            for line in diff_lines(diff):
                click.echo(line)


@command("approve")
@click.argument("words", metavar="ID... [OTHER WORDS]", nargs=-1)
@click.option("--all-like", "like", default="", metavar="ID", help="Also every item of ID's kind and author.")
@click.option(
    "--only", type=click.IntRange(1), multiple=True, metavar="N", help="Only piece N; repeat for more."
)
@click.option("--entry", metavar="ID", help="The entry that shall say the OTHER WORDS.")
@click.option("--override", multiple=True, metavar="RULE", help="Override this guard.")
@click.option("--reason", default="", metavar="TEXT", help="Why, in a sentence; needed to override.")
@sign_option
def approve_command(app: App, /, words: tuple[str, ...], **given: Any) -> None:
    """Say yes to items that need your decision.

    What a yes does is in the list: `clawgit pending`. Of a proposal, --only takes pieces. OTHER WORDS
    are taken instead of the proposed or added line; a question without one needs them. `both` keeps the entry and adds the
    line. For a conflict, say which entry holds: A, B or both.

    A proposal that was rejected or lapsed can be approved, too. `clawgit reject ID --reason TEXT` says no.

    \b
    Examples:
      clawgit approve x:4f1c2a p-1a2b3c4d5e
      clawgit approve x:4f1c2a "The review is on Thursday." --entry m:7k2x9d
      clawgit approve p-1a2b3c4d5e "Answer in two sentences."
      clawgit approve --all-like x:4f1c2a
      clawgit approve k:m7z042 B --reason "Switched off with release 12."
      clawgit approve p-1a2b3c4d5e --only 1 --sign ~/.ssh/id_ed25519_sk
      clawgit approve q-1a2b3c4d5e --override conflict-marker --reason "It quotes one."
      clawgit approve soul_policy
    """
    names, text = _named(words, like=given["like"])
    if text and text.lower() != "both" and names[0].startswith("x:"):
        from clawgit.operations.corrections import CorrectRequest, refuse_loss

        refuse_loss(app, CorrectRequest(names[0], text, given["entry"]))
    done = decisions.approve_pending(app, ApproveRequest(names, text, **given))
    data = decisions_data(done)
    app.report(data, lambda: commits_of(data) if isinstance(done, list) else [])


@command("reject")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", default="", metavar="TEXT", help="One sentence; shown if it is proposed again.")
@click.option("--yes", is_flag=True, help="Do not ask before a refused change is deleted.")
@sign_option
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
    done = decisions.reject_pending(
        app, names, reason, key, may_delete=lambda question: yes or app.asks(question)
    )
    data = decisions_data(done)
    app.report(data, lambda: commits_of(data))


def pending_data(items: Sequence[Pending]) -> list[dict[str, Any]]:
    return list(map(item_data, items))


def pending_texts(items: Sequence[Pending]) -> list[str]:
    lines = [line for each in items for line in [*_item_lines(each), ""]]
    return lines[:-1] or ["Nothing is pending."]


def _open_lines(app: App, items: Sequence[Pending]) -> list[str]:
    from clawgit.capture.messages.open_messages import has_messages

    history = app.history()
    sections = [_link_lines(links_now(history))]
    if has_messages(history):
        from clawgit.operations.not_kept import heard_not_kept

        with suppress(ClawgitError):  # of a store that cannot be read: `status` says so
            sections.append(_heard_lines(heard_not_kept(history, app.now(history))))
    sections = list(filter(None, sections))
    if items or not sections:
        sections.insert(0, pending_texts(items))
    lines: list[str] = []
    for section in sections:
        lines += [*section, ""]
    return lines[:-1]


def _link_lines(links: Sequence[Correction]) -> list[str]:
    """Return the lines with later words beside them, those first for which a yes is ready."""
    if not links:
        return []
    from clawgit.understanding.corrections.ready_commands import SHOW, link_way

    rows = []
    for link in links:
        name = f"x:{link.correction_id}"
        row = [f"{name}  {link.said}", f'  {link.at[:10]}: "{redact(link.trigger)}"']
        way = link_way(name, link.said, link.trigger, link.turn)
        if SHOW not in way:
            row.append(f"  → {way}")
        rows.append(row)
    rows.sort(key=len, reverse=True)
    return [
        f"Later words beside {lines_beside(links)}; search and prompts show both until you answer:",
        *chain.from_iterable(rows),
        'Your words hold: `clawgit correct x:ID "NEW LINE"`. The line is right: `clawgit reject x:ID`.',
    ]


def _heard_lines(heard: Mapping[str, Sequence[News]]) -> list[str]:
    rows = []
    for news in chain.from_iterable(heard.values()):
        rows.append(f"  {news.text} → `{news.command}`")
    if not rows:
        return []
    return [
        "Said, and not in memory:",
        *first_few(rows, MOST_HEARD, "  ... and {} more (`clawgit chat log --not-kept`)"),
    ]


def pending_lines(items: Sequence[Pending]) -> list[str]:
    """Return a line per item with one command, a yes or what shows all answers; what agents may tidy shares a line."""
    lines = []
    tidying = []
    for each in items:
        if each.kind is PendingKind.REARRANGEMENT:
            tidying.append(each.item_id)
        else:
            way = f"clawgit pending show {each.item_id}"
            if (each.takes_a_yes and len(each.diff) <= SHOWN) or len(each.commands) == 1:
                way = each.commands[0]
            lines.append(f"? {each.item_id}: {each.line} (`{way}`)")
    lines = first_few(lines, SHOWN, "? ... and {} more (`clawgit pending`)")
    if lines:
        lines.append("  all answers: `clawgit pending show ID`")
    if tidying:
        agents = " and the ".join(map(methodcaller("removeprefix", "t-"), tidying))
        way = f"`clawgit approve {' '.join(tidying)}`; more: `clawgit pending`"
        lines.append(f"? May the {agents} tidy this folder? ({way})")
    return lines


def item_data(item: Pending) -> dict[str, Any]:
    return {
        **picked(item, "id=item_id kind text change diff why"),
        "diff": list(map(redact, item.diff)),
        "evidence": [picked(each, "id=evidence_id quote") for each in item.evidence],
        "actor": item.actor or None,
        **picked(item, "since lapses yes no commands problem also entries files"),
        "commit": item.commit_id or None,
        "pieces": [
            picked(each, "number path")
            | {"line": each.piece.at + 1, "old": _text(each.piece.gone), "new": _text(each.piece.come)}
            for each in item.pieces
        ],
    }


def _text(lines: tuple[bytes, ...]) -> str:
    return redact(b"".join(lines).decode("utf-8", "replace"))


def _item_lines(item: Pending) -> list[str]:
    about = [item.kind.value]
    if item.is_link:
        about = ["later words beside a line"]
    if item.actor:
        about.append(f"by {with_person(in_words(item.actor), item.person)}")
    if item.since:
        about.append(f"since {item.since:%Y-%m-%d}")
    if item.lapses:
        about.append(f"lapses {item.lapses}")
    lines = [f"{item.item_id}  {', '.join(about)}", f"  {item.text}"]
    if item.pieces:
        lines += [line for each in item.pieces for line in each.numbered_lines]
    else:
        lines += [f"     {line}" for line in item.diff]
    if item.why:
        lines.append(f"  why: {item.why}")
    for each in item.evidence:
        lines.append(f"  evidence: {each.evidence_id} {each.quote!r}".removesuffix(" ''"))
    if item.also:
        lines.append(f"  the same: {', '.join(item.also)}")
    if item.problem:
        lines.append(f"  {item.problem}")
    lines += [f"  yes: {item.yes}", f"  no: {item.no}"]
    return [*lines, *(f"    `{command}`" for command in item.commands)]


def _more_answers(item: Pending) -> list[str]:
    name = item.item_id
    if item.kind is PendingKind.QUESTION and item.takes_a_yes and not item.is_link:
        return [
            f"    `clawgit approve {name} both`",
            f'    `clawgit approve {name} "OTHER WORDS" [--entry ID]`',
        ]
    if item.kind is PendingKind.PROPOSAL and not item.problem:
        return [f"    `clawgit approve {name} --only N`", f'    `clawgit approve {name} "OTHER WORDS"`']
    if item.kind in (PendingKind.ADDITION, PendingKind.READING):
        return [f'    `clawgit approve {name} "OTHER WORDS"`']
    if item.kind is PendingKind.CONFLICT:
        return [f"    `clawgit why {entry}`" for entry in item.entries]
    return []


def _named(words: tuple[str, ...], *, like: str) -> tuple[list[str], str]:
    names = []
    for at, word in enumerate(words):
        if (at == 0 and not like) or _ID.fullmatch(word) or word in (*SETTINGS, "clock", "drift"):
            names.append(word)
    others = [word for word in words if word not in names]
    if len(others) > 1 or (others and words[-1] != others[0]):
        raise UsageError(f"{others[0]!r} is no id.", hint="OTHER WORDS are one text in quotes behind the ID.")
    if not names and not like:
        raise UsageError("Name what you approve.", hint="`clawgit pending` lists the ids.")
    return list(dict.fromkeys(names)), others[0] if others else ""


def decisions_data(done: list[AnswerOutcome] | Recorded) -> list[dict[str, Any]]:
    """Return the outcome of each item; for an op that was applied before, only its change."""
    if not isinstance(done, list):
        return [change_data(done)]
    rows = []
    for each in done:
        row = {**picked(each.item, "id=item_id kind"), "answer": each.word}
        if each.recorded is None:
            row |= {"outcome": "applied", "op": None, "commit": None}
        else:
            row |= change_data(each.recorded)
        if each.is_refused:
            row["outcome"] = "refused"
        rows.append(row | {"says": each.says} | same_data(each.same))
    return rows


def commits_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return commit_lines(*map(itemgetter("commit"), rows))


@click.group("quarantine", cls=NamingGroup)
def quarantine_group() -> None:
    """Review changes that a guard refused."""


@command("list", quarantine_group)
def list_quarantine_command(app: App) -> None:
    """List the refused changes, oldest first.

    \b
    Example:
      clawgit quarantine list
    """
    from clawgit.history.guards.quarantine import list_quarantine

    refusals = list_quarantine(app.history())
    app.report(
        list(map(_refused_data, refusals)),
        lambda: pending_texts(list_pending(app, PendingKind.QUARANTINE.value)),
    )


@command("show", quarantine_group)
@click.argument("quarantine_id", metavar="ID")
def show_quarantined_command(app: App, quarantine_id: str) -> None:
    """Show what was refused, and why.

    Shows the files as they would have been.

    \b
    Example:
      clawgit quarantine show q-1a2b3c4d5e
    """
    from clawgit.history.guards.quarantine import find_quarantined

    if app.as_json:
        app.report(_refused_data(find_quarantined(app.history(), quarantine_id)), list)
    else:
        _show_item(app, quarantine_id)


def _refused_data(item: Parked) -> dict[str, Any]:
    return picked(item, "id=parked_id commit=commit_id actor at summary findings paths")
