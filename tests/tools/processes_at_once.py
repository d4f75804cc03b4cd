"""Processes that do the same at once."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FORK = multiprocessing.get_context("fork")


def run_at_once(work: Callable[..., None], arguments: Iterable[tuple[Any, ...]]) -> list[int | None]:
    """Do ``work`` in a process for each of the ``arguments``, and return how they ended."""
    processes = [FORK.Process(target=work, args=each) for each in arguments]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]
