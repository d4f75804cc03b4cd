"""`clawgit digest`: what the operator is told in the morning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, command, picked
from clawgit.errors import UsageError
from clawgit.operations.digest import digest_since, has_news_since, send_digest, show_digest

if TYPE_CHECKING:
    from clawgit.workspace.records.record_tables import DigestNote


@command("digest")
@click.option("--date", "day", metavar="DAY", help="The one that was made on that day.")
@click.option("--since", metavar="DAY", help="All changes since then, reported or not.")
@click.option("--send", metavar="DAY", help="Make that day's digest and deliver it, as the runner does.")
def digest_command(app: App, day: str | None, since: str | None, send: str | None) -> None:
    """Show the morning report.

    Says what was learned, corrected and changed, and what needs you.

    Without an option, the newest one. The runner makes one a day, at `cron_digest`, from what differs in the files since
    the last one; where nothing does, there is none. It goes where `digest_channel` says: `file` is
    .git/clawgit/digests/DAY.md; a trusted `command PROGRAM` gets it as JSON on its input, a `webhook URL` in a request, with
    the keys digest, day and text. Each line has the command that takes it back or answers it.

    \b
    Examples:
      clawgit digest
      clawgit digest --date 2026-03-20
      clawgit digest --since "last week"
    """
    if sum(each is not None for each in (day, since, send)) > 1:
        raise UsageError("--date, --since and --send exclude each other.")
    if since is not None:
        news = digest_since(app, since)
        data = {"since": since, "commit": news.tip, "text": news.text}
        app.report(data, lambda: _lines(news.text, "Nothing new since then, and nothing needs you."))
    elif send is not None:
        _report(app, send_digest(app, send), "Nothing new, so nothing was sent.")
    else:
        note = show_digest(app, day)
        above = ""
        if day is None:
            above = _since(app, note)
        _report(app, note, f"Nothing new on {note.day}.", above)


def _since(app: App, note: DigestNote) -> str:
    """Return what goes above a digest that is not of today: whether anything is new since."""
    today = app.now(app.history()).date()
    if note.day == today or not note.text:
        return ""
    day = f"{note.day.day} {note.day:%B}"
    if has_news_since(app, note):
        return f"Since {day} there is more: `clawgit digest --since {note.day}`. The digest of that day:"
    return f"Nothing new since {day}. The digest of that day:"


def _report(app: App, note: DigestNote, silent: str, above: str = "") -> None:
    data = {"day": note.day, "at": note.at.isoformat(timespec="seconds")}
    data |= picked(note, "commit=tip channel state text")
    lines = _lines(note.text, silent)
    if above:
        lines = [above, "", *lines]
    app.report(data, lambda: lines)


def _lines(text: str, silent: str) -> list[str]:
    if text:
        return text.rstrip("\n").split("\n")
    return [silent]
