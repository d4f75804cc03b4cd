"""Who works at once, and what becomes of the place of one that hangs."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from clawgit.runner.job_process import Places

LONG, HANGS = 600.0, 120.0


def test_no_more_work_at_once_than_there_are_places() -> None:
    """Mutant: who comes does not wait."""
    places, counted = Places(LONG), threading.Lock()
    now, most = [0], [0]

    def work(_: int) -> None:
        with places.one(2):
            with counted:
                now[0] += 1
                most[0] = max(most[0], now[0])
            threading.Event().wait(0.01)
            with counted:
                now[0] -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(20)))

    assert most[0] == 2


def test_one_that_hangs_gives_its_place_to_the_next() -> None:
    """Mutant: only the end of the work frees a place."""
    places, ends = Places(patience=0.05), threading.Event()
    begun = []

    def work(number: int) -> None:
        with places.one(1):
            begun.append(number)
            if len(begun) < 4:
                assert ends.wait(HANGS)
            ends.set()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))

    assert sorted(begun) == [0, 1, 2, 3]
