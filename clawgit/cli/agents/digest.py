"""`clawgit digest`: the morning report of a day, since a day, or now."""

from __future__ import annotations

from shlex import quote

import click

from clawgit.cli.app import App, command, picked
from clawgit.errors import ClawgitError, ConfigurationError, UsageError
from clawgit.operations.digest import deliver_digest, known_commit, read_digest, read_since
from clawgit.pending.queue import read_pending
from clawgit.workspace.records.record_tables import DigestNote, DigestState
from clawgit.workspace.records.records import RECORDS, open_records

KEY_VARIABLE, KEY_FILE = "CLAWGIT_DIGEST_KEY", "digest-key"


@command("digest")
@click.option("--date", "day", metavar="DAY", help="The one that was made on that day.")
@click.option("--since", metavar="DAY", help="All changes since then, reported or not.")
@click.option("--send", metavar="DAY", help="Make that day's digest and deliver it, as the runner does.")
def digest_command(app: App, day: str | None, since: str | None, send: str | None) -> None:
    """Show the morning report.

    Says what was learned, corrected and changed, and what needs you.

    Without an option, today's; before that is made, what it would say now. The runner makes one a day, at `cron_digest`,
    where something differs since the last one; `digest_channel` says where it goes.

    \b
    Examples:
      clawgit digest
      clawgit digest --date 2026-03-20
      clawgit digest --since "last week"
    """
    if sum(each is not None for each in (day, since, send)) > 1:
        raise UsageError("--date, --since and --send exclude each other.")
    if since is not None:
        _since(app, since)
    elif send is not None:
        _send(app, send)
    elif day is not None:
        _of_day(app, day)
    else:
        _newest(app)


def _since(app: App, since: str) -> None:
    history = app.history()
    beginning = app.time_asked(since, history).first
    digest = read_since(history, beginning, app.now(history), app.held_settings)
    data = {"since": since, "commit": digest.tip, "text": digest.text}
    silent = f"Nothing new since then.{_waiting(app, digest.text)}"
    app.report(data, lambda: _lines(digest.text, silent))


def _send(app: App, day: str) -> None:
    history = app.history()
    now = app.now(history)
    on = app.time_asked(day, history).first.date()
    if on > now.date():
        raise UsageError(f"{on} is still to come.", hint="Name a day that has begun.")
    note = deliver_digest(history, on, now, app.held_settings, _key(app))
    if note.state is DigestState.SENDING:
        app.say(f"The digest of {on} was cut off on its way and may have arrived: it is not sent again.")
    _report(app, note, "Nothing new, so nothing was sent.")


def _of_day(app: App, day: str) -> None:
    history = app.history()
    on = app.time_asked(day, history).first.date()
    with open_records(history.state / RECORDS, app.now(history)) as records:
        note = records.digests.of(on)
    if note is None:
        sentence = f"No digest was made on {on}."
        raise ClawgitError(sentence, hint="`clawgit digest --since DAY` says what changed since then.")
    _report(app, note, f"Nothing new on {note.day}.")


def _newest(app: App) -> None:
    """Print today's digest; before it is made, a preview, which takes nothing from the next one."""
    history = app.history()
    now = app.now(history)
    today = now.date()
    silent = f"Nothing new on {today}."
    with open_records(history.state / RECORDS, now) as records:
        note = records.digests.of(today)
        last = known_commit(history, records.digests.last_told(before=today))
    if note is not None and note.text:
        if note.tip != history.tip().commit_id:
            at = note.at.astimezone(now.tzinfo)
            app.say(f"As it was at {at:%H:%M}; `clawgit digest --since today` has all of today.")
    else:
        if last is not None and last.text:
            silent = f"Nothing new since {last.day.day} {last.day:%B}: `clawgit digest --date {last.day}`."
        digest = read_digest(history, now, last, app.held_settings)
        note = DigestNote(today, now, digest.tip, (), "", DigestState.SILENT, digest.text)
    _report(app, note, silent + _waiting(app, note.text))


def _waiting(app: App, shown_text: str) -> str:
    if shown_text:
        return ""
    history = app.history()
    waiting = len(read_pending(history, app.now(history), app.held_settings))
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


def _key(app: App) -> str:
    """Return the key that signs webhooks: from the environment, else from a file that only the user can read."""
    given = app.environment.get(KEY_VARIABLE, "")
    path = app.registry_file.with_name(KEY_FILE)
    if given or not path.exists():
        return given
    if path.stat().st_mode & 0o077:
        sentence = f"Others can read {path}."
        raise ConfigurationError(sentence, hint=f"`chmod 600 {quote(str(path))}`, and take a new key.")
    return path.read_text("utf-8").strip()
