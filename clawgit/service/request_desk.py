"""Answers the requests of all sockets: a few at once, one writer a workspace."""

from __future__ import annotations

import asyncio
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from clawgit.errors import ClawgitError, outside_error
from clawgit.service import requests

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from clawgit.workspace.user.connections import Connection

AT_ONCE = 4
MOST_WAITING = 512
SWITCH_SECONDS = 0.0005  # a thread that computes lets the one that answers have its turn


class RequestDesk:
    """Answers requests in a few threads; ``find`` returns the folder of a workspace, ``report_bug`` stores a bug and returns its place."""

    def __init__(
        self,
        methods: Mapping[str, requests.Method],
        find: Callable[[str], Path],
        report_bug: Callable[[Exception], str],
    ) -> None:
        self.written: Callable[[Path], None] = lambda _root: None  # gets what a request has written to
        self.connection: Callable[[str], Connection | None] = lambda _token: None  # of a token
        self._methods = methods
        self._find = find
        self._report_bug = report_bug
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="request")
        self._at_work: set[Future[Any]] = set()
        self._writers: dict[Path, asyncio.Lock] = {}
        self._talkers: dict[Path, asyncio.Lock] = {}
        self._waiting = 0
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        sys.setswitchinterval(SWITCH_SECONDS)

    async def answer(self, request: requests.Request) -> bytes:
        if self._waiting >= MOST_WAITING:
            text, hint = "Too many requests are pending.", "Try again in a moment."
            busy = requests.RequestError(requests.TOO_MANY, text, hint=hint, exit_code=5)
            return requests.refused(request.number, busy)
        self._waiting += 1
        self._is_idle.clear()
        request = request._replace(arrived=time.monotonic())
        try:
            return requests.answered(request, await self._result(request))
        except requests.RequestError as error:
            return requests.refused(request.number, error)
        except ClawgitError as error:
            return requests.refused(request.number, requests.as_request_error(error))
        except OSError as error:
            return requests.refused(request.number, requests.as_request_error(outside_error(error)))
        except Exception as error:  # noqa: BLE001 - the one boundary of a request: the next one is answered
            text = self._report_bug(error)
            return requests.refused(request.number, requests.RequestError(requests.A_BUG, text, exit_code=3))
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._is_idle.set()

    async def _result(self, request: requests.Request) -> Any:
        method = self._methods.get(request.method)
        if method is None:
            hint = f"There are {', '.join(self._methods)}."
            text = f"There is no method {request.method!r}."
            raise requests.RequestError(requests.NO_METHOD, text, hint=hint)
        if request.token:
            request = requests.connected(request, self.connection(request.token))
        if not method.of_workspace:
            return await self.in_thread(method.answer, request)
        requests.check_named(request)
        root = self._find(request.workspace)
        request = request._replace(workspace=str(root))
        if method.in_time is not None:
            left = request.arrived + method.in_time.seconds - time.monotonic()
            try:
                return await asyncio.wait_for(self.in_thread(method.answer, request), left)
            except TimeoutError:
                return method.in_time.otherwise
        if not (method.writes or method.talks):
            return await self.in_thread(method.answer, request)
        locks = self._writers if method.writes else self._talkers
        async with locks.setdefault(root, asyncio.Lock()):
            result = await self.in_thread(method.answer, request)
        self.written(root)
        return result

    async def in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        task = self._threads.submit(work, *arguments)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.wrap_future(task)

    async def finish(self, seconds: float) -> bool:
        """Wait at most ``seconds`` until running work is done; say whether it is."""
        until = time.monotonic() + seconds
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_idle.wait(), seconds)
        self._threads.shutdown(wait=False, cancel_futures=True)
        left = list(map(asyncio.wrap_future, list(self._at_work)))
        if left:
            await asyncio.wait(left, timeout=max(0.0, until - time.monotonic()))
        return all(map(Future.done, list(self._at_work)))
