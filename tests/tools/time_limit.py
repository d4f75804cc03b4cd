"""A test that hangs fails by itself: `faulthandler_timeout` ends the whole process, and what the others of it found."""

from __future__ import annotations

import multiprocessing
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PART = 0.8  # of the time after which the process would end


def _hangs(_number: int, _frame: object) -> None:
    for child in multiprocessing.active_children():
        child.kill()  # Python waits for them before it ends
    pytest.fail("It hangs: it waits for something that does not come.")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fail what takes too long where it waits, so that its fixtures end the processes that it started."""
    signal.signal(signal.SIGALRM, _hangs)
    signal.setitimer(signal.ITIMER_REAL, PART * float(item.config.getini("faulthandler_timeout") or 0))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
