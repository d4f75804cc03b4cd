"""Sending a digest to a web address: one signed request, with an id by which the receiver knows it again."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from clawgit.errors import ClawgitError
from clawgit.http_client import opener_for

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 30
SIGNATURE, IDENTITY = "Clawgit-Signature", "Idempotency-Key"


class DeliveryError(ClawgitError):
    """A digest did not arrive; ``is_certain`` says whether that is known, or it may have arrived all the same."""

    def __init__(self, message: str, *, hint: str = "", is_certain: bool = True) -> None:
        super().__init__(message, hint=hint)
        self.is_certain = is_certain


class Webhook(NamedTuple):
    """A web address, and the key that requests to it are signed with; without one they are not."""

    url: str
    key: str = ""

    def send(self, told: Mapping[str, str]) -> None:
        """Post what is told as JSON, once; no redirect is followed.

        Raises:
            DeliveryError: It did not arrive, or nobody knows.
        """
        try:
            with opener_for(self.url).open(self._request(told), timeout=SECONDS) as answer:
                answer.read(1024)
        except urllib.error.HTTPError as error:
            with error:
                raise DeliveryError(f"{self._place} refused the digest (status {error.code}).") from error
        except urllib.error.URLError as error:  # no connection: nothing was sent
            certain = not isinstance(error.reason, TimeoutError)
            told_as = f"{self._place} cannot be reached ({error.reason})."
            raise DeliveryError(told_as, is_certain=certain) from error
        except (OSError, http.client.HTTPException) as error:
            told_as = f"{self._place} did not answer; the digest may have arrived."
            raise DeliveryError(told_as, is_certain=False) from error

    @property
    def _place(self) -> str:
        return urlsplit(self.url).netloc.rpartition("@")[2]

    def _request(self, told: Mapping[str, str]) -> urllib.request.Request:
        data = json.dumps(told, ensure_ascii=True).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "clawgit", IDENTITY: told["digest"]}
        if self.key:
            signed = hmac.new(self.key.encode(), data, hashlib.sha256).hexdigest()
            headers[SIGNATURE] = f"sha256={signed}"
        return urllib.request.Request(self.url, data, headers, method="POST")
