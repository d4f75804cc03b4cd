"""`clawgit digest`: the morning report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clawgit.cli.app import App, command, picked
from clawgit.errors import UsageError
from clawgit.operations.digest import digest_since, newest_digest, send_digest, show_digest, still_waiting

if TYPE_CHECKING:
    from clawgit.workspace.records.record_tables import DigestNote


@command("digest")
@click.option("--date", "day", metavar="DAY", help="The one that was made on that day.")
@click.option("--since", metavar="DAY", help="All changes since then, reported or not.")
@click.option("--send", metavar="DAY", help="Make that day's digest and deliver it, as the runner does.")
def digest_command(app: App, day: str | None, since: str | None, send: str | None) -> None:
    """Show the morning report.

    Says what was learned, corrected and changed, and what needs you.

    Without an option, today's; before that is made, what it would say now. The runner makes one a day, at `cron_digest`, from what differs in the files since
    the last one; where nothing does, there is none. It goes where `digest_channel` says: `file` is
    .git/clawgit/digests/DAY.md; a trusted `command PROGRAM` gets it as JSON on its input, a `webhook URL` in a request, with
    the keys digest, day and text. Behind each line is the id
    that takes it back or answers it, by the commands at the end.

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
        silent = "Nothing new since then, and nothing needs you."
        waiting = _waiting(app, news.text)
        if waiting:
            silent = f"Nothing new since then.{waiting}"
        app.report(data, lambda: _lines(news.text, silent))
    elif send is not None:
        _report(app, send_digest(app, send), "Nothing new, so nothing was sent.")
    elif day is not None:
        note = show_digest(app, day)
        _report(app, note, f"Nothing new on {note.day}.")
    else:
        note, before = newest_digest(app)
        silent = f"Nothing new on {note.day}."
        if before is not None:
            silent = f"Nothing new since {before.day} {before:%B}: `clawgit digest --date {before}`."
        _report(app, note, silent + _waiting(app, note.text))


def _waiting(app: App, shown_text: str) -> str:
    waiting = 0 if shown_text else still_waiting(app)
    if not waiting:
        return ""
    return f" {waiting} still wait{'s' * (waiting == 1)} for your answer: `clawgit pending`."


def _report(app: App, note: DigestNote, silent: str) -> None:
    data = {"day": note.day, "at": note.at.isoformat(timespec="seconds")}
    data |= picked(note, "commit=tip channel state text")
    app.report(data, lambda: _lines(note.text, silent))


def _lines(text: str, silent: str) -> list[str]:
    if text:
        return text.rstrip("\n").split("\n")
    return [silent]
