"""`clawgit digest`: what the operator is told in the morning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from clawgit.cli.app import App, Command, picked
from clawgit.errors import ClawgitError, ConfigurationError, UsageError
from clawgit.runner.digest import read_since
from clawgit.runner.digest_delivery import Sender, deliver_digest
from clawgit.workspace.records.record_tables import DigestNote, DigestState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from datetime import date

    from clawgit.history.git.repository import History

KEY_VARIABLE, KEY_FILE = "CLAWGIT_DIGEST_KEY", "digest-key"


@click.command("digest", cls=Command)
@click.option("--date", "day", metavar="DAY", help="The one that was made on that day.")
@click.option("--since", metavar="DAY", help="All changes since then, reported or not.")
@click.option("--send", metavar="DAY", help="Make that day's digest and deliver it, as the runner does.")
@click.pass_obj
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
    history = app.history()
    if since is not None:
        _report_since(app, history, since)
    elif send is not None:
        _report(app, _sent(app, history, _day(app, history, send)), "Nothing new, so nothing was sent.")
    else:
        note = _told(app, history, None if day is None else _day(app, history, day))
        _report(app, note, f"Nothing new on {note.day}.")


def _day(app: App, history: History, words: str) -> date:
    return app.time_asked(words, history).first.date()


def _waiting_settings(app: App) -> dict[str, Any]:
    return dict(app.in_force.waiting) if app.in_force else {}


def _report_since(app: App, history: History, since: str) -> None:
    found = read_since(
        history, app.time_asked(since, history).first, app.now(history), _waiting_settings(app)
    )
    data = {"since": since, "commit": found.tip, "text": found.text}
    app.report(data, lambda: _lines(found.text, "Nothing new since then, and nothing needs you."))


def _sent(app: App, history: History, day: date) -> DigestNote:
    now = app.now(history)
    if day > now.date():
        raise UsageError(f"{day} is still to come.", hint="Name a day that has begun.")
    note = deliver_digest(history, day, now, Sender(_waiting_settings(app), _key(app)))
    if note.state is DigestState.SENDING:
        app.say(f"The digest of {day} was cut off on its way and may have arrived: it is not sent again.")
    return note


def _key(app: App) -> str:
    """Return the key that webhooks are signed with: of the environment, else of a file that only the user can read."""
    told = app.environment.get(KEY_VARIABLE, "")
    path = app.registry_file.with_name(KEY_FILE)
    if told or not path.exists():
        return told
    if path.stat().st_mode & 0o077:
        raise ConfigurationError(f"Others can read {path}.", hint=f"`chmod 600 {path}`, and take a new key.")
    return path.read_text("utf-8").strip()


def _told(app: App, history: History, day: date | None) -> DigestNote:
    with open_records(history.state / RECORDS, app.now(history)) as records:
        found = records.digests.of(day) if day else records.digests.last_message()
    if found is None:
        when = f"on {day}" if day else "yet"
        raise ClawgitError(
            f"No digest was made {when}.", hint="`clawgit digest --since DAY` says what changed since then."
        )
    return found


def _report(app: App, note: DigestNote, silent: str) -> None:
    data = {"day": note.day, "at": note.at.isoformat(timespec="seconds")}
    data |= picked(note, "commit=tip channel state text")
    app.report(data, lambda: _lines(note.text, silent))


def _lines(text: str, silent: str) -> list[str]:
    return text.rstrip("\n").split("\n") if text else [silent]
