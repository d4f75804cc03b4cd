"""The morning report: of a day, since a day, or now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError, ConfigurationError, UsageError
from clawgit.pending.queue import read_pending
from clawgit.runner.digest import Digest, deliver_digest, known_commit, read_digest, read_since
from clawgit.workspace.records.record_tables import DigestNote, DigestState
from clawgit.workspace.records.records import RECORDS, open_records

if TYPE_CHECKING:
    from datetime import date

    from clawgit.operations.caller import Caller

KEY_VARIABLE, KEY_FILE = "CLAWGIT_DIGEST_KEY", "digest-key"


def digest_since(caller: Caller, since: str) -> Digest:
    history = caller.history()
    beginning = caller.time_asked(since, history).first
    digest = read_since(history, beginning, caller.now(history), caller.held_settings)
    _say_beside(caller, digest)
    return digest


def _say_beside(caller: Caller, digest: Digest) -> None:
    """Say what is no news by itself."""
    if digest.is_news:
        return
    for sentence in filter(None, (digest.noted, digest.only_stored)):
        caller.say(sentence)


def send_digest(caller: Caller, day: str) -> DigestNote:
    history = caller.history()
    now = caller.now(history)
    on = caller.time_asked(day, history).first.date()
    if on > now.date():
        raise UsageError(f"{on} is still to come.", hint="Name a day that has begun.")
    note = deliver_digest(history, on, now, caller.held_settings, _key(caller))
    if note.state is DigestState.SENDING:
        caller.say(f"The digest of {on} was cut off on its way and may have arrived: it is not sent again.")
    return note


def show_digest(caller: Caller, day: str) -> DigestNote:
    history = caller.history()
    on = caller.time_asked(day, history).first.date()
    with open_records(history.state / RECORDS, caller.now(history)) as records:
        note = records.digests.of(on)
    if note is None:
        raise ClawgitError(
            f"No digest was made on {on}.", hint="`clawgit digest --since DAY` says what changed since then."
        )
    return note


def newest_digest(caller: Caller) -> tuple[DigestNote, date | None]:
    """Return today's digest; before it is made, a preview and the day of the previous one."""
    history = caller.history()
    now = caller.now(history)
    with open_records(history.state / RECORDS, now) as records:
        last = records.digests.last_message()
    if last is not None and last.day == now.date():
        if last.tip != history.tip().commit_id:
            at = last.at.astimezone(now.tzinfo)
            caller.say(f"As it was at {at:%H:%M}; `clawgit digest --since today` has all of today.")
        return last, None
    digest = read_digest(history, now, known_commit(history, last), caller.held_settings)
    _say_beside(caller, digest)
    note = DigestNote(now.date(), now, digest.tip, (), "", DigestState.SILENT, digest.text)
    return note, last.day if last is not None else None


def still_waiting(caller: Caller) -> int:
    history = caller.history()
    return len(read_pending(history, caller.now(history), caller.held_settings))


def _key(caller: Caller) -> str:
    """Return the key that signs webhooks: from the environment, else from a file that only the user can read."""
    given = caller.environment.get(KEY_VARIABLE, "")
    path = caller.registry_file.with_name(KEY_FILE)
    if given or not path.exists():
        return given
    if path.stat().st_mode & 0o077:
        raise ConfigurationError(f"Others can read {path}.", hint=f"`chmod 600 {path}`, and take a new key.")
    return path.read_text("utf-8").strip()
