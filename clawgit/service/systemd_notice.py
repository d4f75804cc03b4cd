"""Telling systemd that the service is ready, that it is alive and that it ends; elsewhere nobody is told."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableMapping

READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"


class SystemdNotice:
    """Who is told, taken out of the environment: what the service starts speaks for itself alone."""

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        self._address = environment.pop("NOTIFY_SOCKET", "")
        self._watches = bool(environment.pop("WATCHDOG_USEC", ""))
        environment.pop("WATCHDOG_PID", None)

    def tell(self, said: str) -> None:
        """Send one message; where it does not arrive, the service goes on."""
        if not self._address or (said == ALIVE and not self._watches):
            return
        abstract = self._address.startswith("@")
        address = b"\0" + os.fsencode(self._address[1:]) if abstract else os.fsencode(self._address)
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.sendto(said.encode(), address)
