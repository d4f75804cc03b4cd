"""Who waits for whom where requests are answered."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import TYPE_CHECKING

from clawgit.service.request_desk import AT_ONCE, RequestDesk
from clawgit.service.requests import InTime, Method, Request

if TYPE_CHECKING:
    from pathlib import Path


def test_what_has_to_be_in_time_is_answered_while_nobody_is_free(tmp_path: Path) -> None:
    """Mutants: the time counts from the request's turn, which does not come; what nobody waits for is begun all the same."""
    ends, begun = threading.Event(), threading.Semaphore(0)
    asked: list[Request] = []

    def hang(_: Request) -> None:
        begun.release()
        ends.wait()

    methods = {"hang": Method(hang), "context": Method(asked.append, in_time=InTime(0.01, "without"))}

    async def talk() -> tuple[bytes, bool]:
        desk = RequestDesk(methods, lambda _: tmp_path, repr)
        requests = [Request(number, "hang", "main", "host", {}) for number in range(AT_ONCE)]
        hanging = [asyncio.ensure_future(desk.answer(each)) for each in requests]
        for _ in requests:
            await asyncio.to_thread(begun.acquire)
        said = await desk.answer(Request(9, "context", "main", "host", {}))
        are_at_work = not any(each.done() for each in hanging)
        ends.set()
        await asyncio.gather(*hanging)
        await desk.finish(60)
        return said, are_at_work

    said, are_at_work = asyncio.run(talk())

    assert json.loads(said)["result"] == "without"
    assert are_at_work
    assert asked == []


def test_no_writer_waits_for_a_message_that_its_store_does_not_take(tmp_path: Path) -> None:
    """Mutants: a message holds the workspace's turn; a message overtakes the one before."""
    ends, begun = threading.Event(), threading.Semaphore(0)
    order: list[object] = []

    def keep(request: Request) -> None:
        begun.release()
        ends.wait()
        order.append(request.number)

    methods = {
        "message": Method(keep, talks=True),
        "write": Method(lambda request: order.append(request.number), writes=True),
    }

    async def talk() -> None:
        desk = RequestDesk(methods, lambda _: tmp_path, repr)
        messages = [
            asyncio.ensure_future(desk.answer(Request(number, "message", "main", "host", {})))
            for number in (1, 2)
        ]
        await asyncio.to_thread(begun.acquire)
        await desk.answer(Request("written", "write", "main", "host", {}))
        ends.set()
        await asyncio.gather(*messages)
        await desk.finish(60)

    asyncio.run(talk())

    assert order == ["written", 1, 2]


def test_of_two_that_write_to_one_workspace_the_second_begins_when_the_first_has_ended(
    tmp_path: Path,
) -> None:
    """Mutant: without the desk's lock, both write at once; with one lock for all, another workspace waits, too."""
    ends, begun = threading.Event(), threading.Semaphore(0)
    log: list[str] = []

    def write(request: Request) -> None:
        log.append(f"begins {request.number}")
        begun.release()
        if request.number != "second":
            ends.wait()
        log.append(f"ends {request.number}")

    methods = {"write": Method(write, writes=True), "look": Method(lambda _: None)}

    async def talk() -> None:
        desk = RequestDesk(methods, lambda name: tmp_path / name, repr)
        asked = [("first", "main"), ("second", "main"), ("elsewhere", "other")]
        requests = [Request(number, "write", place, "host", {}) for number, place in asked]
        writing = [asyncio.ensure_future(desk.answer(each)) for each in requests]
        for _ in ("first", "elsewhere"):
            await asyncio.to_thread(begun.acquire)
        for number in range(50):  # each is done after whatever was begun before it
            await desk.answer(Request(number, "look", "main", "host", {}))
        ends.set()
        await asyncio.gather(*writing)
        await desk.finish(60)

    asyncio.run(talk())

    assert sorted(log[:2]) == ["begins elsewhere", "begins first"]
    assert log.index("ends first") < log.index("begins second")


def test_it_is_not_done_while_a_thread_is_at_work(tmp_path: Path) -> None:
    """Mutant: only requests count, and the process waits for the thread of what nobody asked for."""
    ends, begun = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        ends.wait()

    async def talk() -> tuple[bool, bool]:
        desk = RequestDesk({}, lambda _: tmp_path, repr)
        work = asyncio.ensure_future(desk.in_thread(hang))
        await asyncio.to_thread(begun.wait)
        work.cancel()
        is_done = await desk.finish(0)
        ends.set()
        return is_done, await desk.finish(60)

    assert asyncio.run(talk()) == (False, True)
