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
