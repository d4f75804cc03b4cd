"""A connection over HTTP that takes no place from others while it says nothing.

Every account of the machine can open one. So one without a request at work is closed after a few seconds, and at once
where there are many: the longest idle first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

MOST_CONNECTIONS = 128
IDLE_SECONDS = 5.0


class HttpConnection(H11Protocol):  # type: ignore[misc]
    """Uvicorn's own, with an end to silence; half a head of a request is silence, too."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._be_idle()
        if len(self.connections) > MOST_CONNECTIONS:
            idle = [each for each in self.connections if isinstance(each, HttpConnection) and each._is_idle]
            if idle:
                min(idle, key=lambda each: each._since)._end()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._timer.cancel()
        self._be_idle()

    @property
    def _is_idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _be_idle(self) -> None:
        self._since = self.loop.time()
        self._timer = self.loop.call_later(IDLE_SECONDS, self._end)

    def _end(self) -> None:
        if self._is_idle:
            self.transport.close()
