"""Delivering a digest: noted before it goes out and again when it has arrived, at most once a day."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clawgit.agents.external_handler import call_handler
from clawgit.agents.models.model import spent_words
from clawgit.capture.messages.open_messages import workspace_id
from clawgit.errors import ClawgitError
from clawgit.history.git.repository import History, storage_errors
from clawgit.http_client import opener_for
from clawgit.pending.day_questions import note_shown
from clawgit.runner.digest import FIRST, known_commit, read_digest
from clawgit.workspace.records.record_tables import DigestNote, DigestState
from clawgit.workspace.records.records import RECORDS, Records, open_records
from clawgit.workspace.safe_files import FileContent, write_file
from clawgit.workspace.settings.setting_types import Value, argv_of
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime


FOLDER = "digests"
CHANNEL = "digest_channel"
PROGRAM_SECONDS, WEBHOOK_SECONDS = 60.0, 30
SIGNATURE, IDENTITY = "Clawgit-Signature", "Idempotency-Key"
MOST = 7_500  # characters for a program or a webhook


class DeliveryError(ClawgitError):
    """A digest did not arrive; ``is_certain`` says whether that is known, or it may have arrived all the same."""

    def __init__(self, message: str, *, hint: str = "", is_certain: bool = True) -> None:
        super().__init__(message, hint=hint)
        self.is_certain = is_certain


def deliver_digest(
    history: History, day: date, now: datetime, settings_waiting: Mapping[str, Value], key: str
) -> DigestNote:
    """Deliver the digest of a day by `digest_channel`; one that went out, or may have, is not sent again.

    Where a delivery failed for certain, the same text is tried again. ``key`` signs what a webhook gets.
    """
    with open_records(history.state / RECORDS, now) as records:
        before = records.digests.of(day)
        if before is not None:
            was_cut_off = before.state is DigestState.SENDING and before.channel == "file"  # no harm twice
            if before.state is not DigestState.FAILED and not was_cut_off:
                return before
        note = before or _made(history, day, now, settings_waiting, records)
        channel = history.settings.digest_channel
        if note.text and channel != "off":
            note = note._replace(channel=channel, state=DigestState.SENDING)
        if not records.digests.begin(note, before=before):
            return records.digests.of(day) or note
        if note.state is not DigestState.SENDING:
            return note
        try:
            _send(history, note, key)
        except ClawgitError as error:
            if not isinstance(error, DeliveryError) or error.is_certain:
                records.digests.note(note._replace(state=DigestState.FAILED))
            raise
        records.digests.note(note._replace(state=DigestState.SENT))
        return note._replace(state=DigestState.SENT)


def _made(
    history: History, day: date, now: datetime, settings_waiting: Mapping[str, Value], records: Records
) -> DigestNote:
    last = known_commit(history, records.digests.last_told(before=day))
    digest = read_digest(history, now, last, settings_waiting)
    tokens = records.model_calls.tokens_since(now - FIRST if last is None else last.at)
    if tokens:
        digest = digest._replace(spent=spent_words(tokens, history.settings.model_price))
    channel = history.settings.digest_channel
    if digest.text and channel != "off":
        note_shown(history, digest.questions, now, in_talk=False)
    return DigestNote(day, now, digest.tip, digest.names, channel, DigestState.SILENT, digest.text)


def _send(history: History, note: DigestNote, key: str) -> None:
    word, _, where = note.channel.partition(" ")
    if word == "file":
        with storage_errors(history.state):
            (history.state / FOLDER).mkdir(
                mode=0o700, exist_ok=True
            )  # what is in it is for this account alone
            write_file(history.state, f"{FOLDER}/{note.day}.md", FileContent(note.text.encode()))
        return
    name = f"{workspace_id(history)}-{note.day}"
    text = note.text
    if len(text) > MOST:
        text = text[: text.rindex("\n", 0, MOST)] + "\n\n… `clawgit digest` shows all of it.\n"
    told = {"digest": name, "day": note.day.isoformat(), "text": text}
    if word == "webhook":
        _post(where, key, told)
        return
    argv = argv_of(SETTINGS[CHANNEL], note.channel)
    done = call_handler((str(history.root / argv[0]), *argv[1:]), told, history.root, PROGRAM_SECONDS)
    if done.code != 0:
        raise DeliveryError(f"The digest did not arrive. {done.told()}")


def _post(url: str, key: str, message: Mapping[str, str]) -> None:
    """Post a message as JSON, once, signed where there is a key; no redirect is followed."""
    data = json.dumps(message, ensure_ascii=True).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "clawgit", IDENTITY: message["digest"]}
    if key:
        signature = hmac.new(key.encode(), data, hashlib.sha256).hexdigest()
        headers[SIGNATURE] = f"sha256={signature}"
    request = urllib.request.Request(url, data, headers, method="POST")
    place = urlsplit(url).netloc.rpartition("@")[2]
    try:
        with opener_for(url).open(request, timeout=WEBHOOK_SECONDS) as answer:
            answer.read(1024)
    except urllib.error.HTTPError as error:
        with error:
            raise DeliveryError(f"{place} refused the digest (status {error.code}).") from error
    except urllib.error.URLError as error:  # no connection: nothing was sent
        certain = not isinstance(error.reason, TimeoutError)
        raise DeliveryError(f"{place} cannot be reached ({error.reason}).", is_certain=certain) from error
    except (OSError, http.client.HTTPException) as error:
        text = f"{place} did not answer; the digest may have arrived."
        raise DeliveryError(text, is_certain=False) from error
