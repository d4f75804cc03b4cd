"""The service's method `context`: an answer in time, or an empty one that says why. No prompt waits for memory."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError
from clawgit.service.requests import InTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.service.requests import Request

SECONDS = 0.25  # of the 0.3 that a host waits, from the arrival of its request
AT_ONCE = 4


def in_time(answer: Callable[[Request], object], seconds: float = SECONDS) -> Callable[[Request], object]:
    """Return what answers as ``answer`` does, but empty after so many seconds, and where that is refused.

    What takes longer goes on, and the next answer finds the index made; what had to wait for others is not begun.
    """
    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="context")

    def answered(request: Request) -> object:
        left = seconds - (time.monotonic() - request.arrived if request.arrived else 0)
        ready = threads.submit(answer, request)
        try:
            return ready.result(max(0, left))
        except TimeoutError:
            ready.cancel()
            return LATE
        except ClawgitError as error:
            return _empty(f"There is no context: {error}")

    return answered


def _empty(why: str) -> dict[str, Any]:
    """Return a context of nothing, with the reason."""
    part = {"text": "", "hash": ""}
    return {
        "text": "",
        "tokens": 0,
        "slots": [],
        "receipt": None,
        "stable": part,
        "recall": part,
        "notes": [why],
    }


LATE = _empty("The context was not ready in time, so this prompt goes without it.")
IN_TIME = InTime(SECONDS, LATE)
