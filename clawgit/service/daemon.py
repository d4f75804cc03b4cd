"""The resident service: one process an account, for all its workspaces; its lock file holds its state."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple
from zlib import crc32

from clawgit import __version__
from clawgit.client import LOCK
from clawgit.errors import ClawgitError, ExitCode
from clawgit.history.git.lock import taken
from clawgit.operations.caller import bug_report
from clawgit.operations.status import ServiceState, read_standing
from clawgit.recall.vectors.owner_client import Owner
from clawgit.runner.resident_runner import ResidentRunner, Times
from clawgit.service.command_server import END_SECONDS, Command, CommandWorker
from clawgit.service.request_desk import RequestDesk
from clawgit.service.requests import REFUSED, Method, Request, RequestError
from clawgit.service.service_log import Event, ServiceLog
from clawgit.service.socket_server import SocketServer
from clawgit.service.sockets import is_there, place_of, private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping, Sequence

    from clawgit.page.page_answers import ServedPage
    from clawgit.service.http_server import HttpServer
    from clawgit.service.page_server import PageServer
    from clawgit.workspace.user.connections import Connection
REQUESTS = "requests.sock"
LAST_SECONDS = 0.5  # for requests, where jobs took all the time that there was
READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"  # states for systemd
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_PACKAGE = Path(__file__).parents[1]


class ServiceRunsError(ClawgitError):
    """Another service runs for this account."""

    exit_code: ClassVar[ExitCode] = ExitCode.BUSY


class OnlyService:
    """The lock of the only service in ``folder``, held from `take` on."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        self._handle = -1
        self._place: tuple[int, int] | None = None

    def take(self, standing: ServiceState) -> None:
        private_folder(self._path.parent)
        handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not taken(handle):
            os.close(handle)
            raise runs_already(read_standing(self._path.parent))
        if self._handle >= 0:
            os.close(self._handle)
        self._handle, self._place = handle, place_of(self._path)
        self.write(standing)

    def is_in_place(self) -> bool:
        return is_there(self._path, self._place)

    def write(self, standing: ServiceState) -> None:
        """Write the service's state into the lock; on a full disk, the earlier state stays."""
        data = json.dumps(standing._asdict()).encode()
        with suppress(OSError):
            os.pwrite(self._handle, data, 0)
            os.ftruncate(self._handle, len(data))


def runs_already(standing: ServiceState | None) -> ServiceRunsError:
    who = ""
    if standing is not None:
        who = f": process {standing.process}, since {standing.since}, version {standing.version}"
    text = f"A service looks after your workspaces already{who}."
    return ServiceRunsError(text, hint="`clawgit down` ends it.")


class SystemdNotice:
    """Notices to systemd; its address leaves the environment, so that child processes do not use it."""

    def __init__(self, environment: MutableMapping[str, str]) -> None:
        self._address = environment.pop("NOTIFY_SOCKET", "")
        self._watches = bool(environment.pop("WATCHDOG_USEC", ""))
        environment.pop("WATCHDOG_PID", None)

    def tell(self, state: str) -> None:
        if not self._address or (state == ALIVE and not self._watches):
            return
        abstract = self._address.startswith("@")
        address = b"\0" + os.fsencode(self._address[1:]) if abstract else os.fsencode(self._address)
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.sendto(state.encode(), address)


def code_stamp() -> int:
    """Return a number that changes when a module of clawgit is replaced, added or removed."""
    total = 0
    for path in sorted(_PACKAGE.rglob("*.py")):
        try:
            state = path.stat()
        except OSError:
            continue
        total = crc32(f"{path}:{state.st_mtime_ns}:{state.st_size}".encode(), total)
    return total


class Workings(NamedTuple):
    """The parts of the service from higher layers: commands, methods, and work in a workspace."""

    run: Command
    methods: Mapping[str, Method]
    workspace: Callable[[str], Path]
    warm_up: Callable[[Path], None]
    runner: Callable[[Callable[[Event], None], Times], ResidentRunner]
    connection: Callable[[str], Connection | None]
    http_port: int | None  # None: not over HTTP
    page: ServedPage | None  # None: without the web page
    worker: Sequence[str]  # what starts the process that does commands


class ResidentService:
    """One service in ``folder``; ``show`` gets every event, for a person who watches."""

    def __init__(
        self, folder: Path, workings: Workings, show: Callable[[Event], None], times: Times | None = None
    ) -> None:
        self._folder = folder
        self._workings = workings
        self._show = show
        self._times = times or Times()
        self._lock = OnlyService(folder)
        self._log = ServiceLog(folder)
        self._since = datetime.now().astimezone().isoformat(timespec="seconds")
        self._is_stale = False
        self._runner = workings.runner(self.tell, self._times)
        self._stop = asyncio.Event()
        self._asked = 0  # how often it was asked to end
        self._systemd = SystemdNotice(os.environ)
        methods = {
            **workings.methods,
            "health": Method(self._health, of_workspace=False),
            "page.link": Method(self._page_link, of_workspace=False),
            "page.revoke": Method(self._page_revoke, of_workspace=False),
        }
        self._desk = RequestDesk(methods, workings.workspace, self._bug)
        self._desk.written = self._runner.look_soon
        self._desk.connection = workings.connection
        self._http: HttpServer | None = None
        self._page: PageServer | None = None
        self._no_page = "This service has no page."
        self._worker = CommandWorker(folder, workings.run, workings.worker)

    def run(self) -> None:
        there = read_standing(self._folder)
        if there is not None:
            raise runs_already(there)
        stamp = code_stamp()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._workings.warm_up(self._folder)
        self._worker.fork()
        try:
            # after the fork: a command that outlives the service holds neither the port nor the lock
            if self._workings.http_port is not None:
                from clawgit.service.http_server import HttpServer

                self._http = HttpServer(self._folder, self._desk, self._workings.http_port)
            if self._workings.page is not None:
                from clawgit.service.page_server import PageServer

                try:
                    self._page = PageServer(self._folder, self._workings.page, self.tell)
                except (ClawgitError, OSError) as error:
                    self._no_page = str(error)
                else:
                    self._page.start()
            self._lock.take(self._standing())
            self._worker.go()
            asyncio.run(self._serve(stamp))
        finally:
            self._worker.close()

    def page_link(self, root: Path | None) -> str:
        """Return a link that signs one browser in; only for the operator's terminal, never for a log."""
        if self._page is None:
            raise ClawgitError(self._no_page)
        return self._page.link(root)

    def tell(self, event: Event) -> None:
        event = event.stamped()
        self._log.write(event)
        self._show(event)

    async def _serve(self, stamp: int) -> None:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._asked_to_stop)
        server = SocketServer(self._folder / REQUESTS, self._desk)
        await server.open()
        works = [server.stay(), self._stay_current(stamp), self._stay_alone()]
        tasks = list(map(asyncio.ensure_future, works))
        http = [asyncio.ensure_future(self._http.stay())] if self._http else []
        runs = asyncio.ensure_future(self._runner.run())
        self.tell(Event("started", f"The service runs: process {os.getpid()}, version {__version__}."))
        if self._http is not None:
            text = f"It answers over HTTP at http://{self._http.address}/rpc, to who has the token in http.token."
            self.tell(Event("http", text))
        self._systemd.tell(READY)
        for task in (*tasks, *http, runs):
            task.add_done_callback(self._task_ended)
        await self._stop.wait()
        self._systemd.tell(STOPPING)
        await server.close()
        if self._http is not None:
            self._http.close()
        if self._page is not None:
            await self._desk.in_thread(self._page.close)
        self._worker.close()
        for task in tasks:
            task.cancel()
        is_done = await self._finish(runs)
        vectors = asyncio.to_thread(Owner(self._folder).stop)
        closing = asyncio.gather(vectors, *http, return_exceptions=True)
        with suppress(TimeoutError):
            await asyncio.wait_for(closing, END_SECONDS)
        left = "" if is_done else "; something that it did had no end, and was left"
        self.tell(Event("stopped", f"The service has ended{left}."))
        if not is_done:
            os._exit(0)  # Python waits for its threads: the process would live on, with its locks

    def _asked_to_stop(self) -> None:
        """End in good order; the second time, stop the jobs; the third time, exit at once."""
        self._asked += 1
        if self._asked == 1:
            self.tell(Event("stopping", "The service ends what it is doing. ^C once more leaves it."))
            self._stop.set()
        elif self._asked == 2:
            self._runner.stop()
        else:
            os._exit(1)

    def _task_ended(self, task: asyncio.Future[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            text = str(error) if isinstance(error, ClawgitError) else self._bug(Exception(repr(error)))
            self.tell(Event("failed", text))
            if isinstance(error, ServiceRunsError):
                self._stop.set()

    async def _finish(self, runs: asyncio.Future[None]) -> bool:
        self._runner.stop()
        until = time.monotonic() + self._times.finish
        await asyncio.wait([runs], timeout=self._times.finish)
        is_idle = await self._desk.finish(max(LAST_SECONDS, until - time.monotonic()))
        return is_idle and runs.done()

    async def _stay_current(self, stamp: int) -> None:
        """Say once that the installed code is not the running one; commands are then done by their own processes."""
        now = stamp
        while now == stamp:
            await asyncio.sleep(self._times.stale)
            now = await self._desk.in_thread(code_stamp)
        self._is_stale = True
        self._worker.close()
        text = "clawgit was changed since the service began: `clawgit down`, then `clawgit up`."
        self.tell(Event("stale", text))

    async def _stay_alone(self) -> None:
        written = None
        while True:
            self._systemd.tell(ALIVE)
            for text in self._worker.look():
                self.tell(Event("worker", text))
            standing = self._standing()
            with suppress(OSError):  # no room, or something else in its place: the next look tries again
                if not self._lock.is_in_place():
                    self._lock.take(standing)
                    text = f"The service's folder {self._folder} was gone; it is there again."
                    self.tell(Event("healed", text))
                elif standing != written:
                    self._lock.write(standing)
                written = standing
            await asyncio.sleep(self._times.look)

    def _standing(self) -> ServiceState:
        http = "" if self._http is None else f"http://{self._http.address}"
        return ServiceState(
            process=os.getpid(),
            since=self._since,
            version=__version__,
            is_stale=self._is_stale,
            aside=self._runner.aside,
            workspaces=self._runner.count,
            http=http,
            problem=self._runner.problem,
            worker=self._worker.problem,
            jobs_seen=self._runner.seen.isoformat(timespec="minutes"),
        )

    def _health(self, _request: Request) -> object:
        standing = self._standing()
        is_ok = not (standing.aside or standing.is_stale or standing.problem or standing.worker)
        return {"ok": is_ok, **standing._asdict(), "python": sys.version.split()[0]}

    def _page_link(self, request: Request) -> object:
        _refuse_others(request)
        root = Path(request.workspace) if request.workspace else None
        return {"link": self.page_link(root)}

    def _page_revoke(self, request: Request) -> object:
        _refuse_others(request)
        return {"signed_out": 0 if self._page is None else self._page.sign_in.revoke()}

    def _bug(self, error: Exception) -> str:
        text = bug_report(error)
        self._log.write(Event("bug", text))
        return text


def _refuse_others(request: Request) -> None:
    """Refuse all but the operator; the socket has checked the asking process and its parents."""
    if request.actor != "operator":
        hint = "Run `clawgit page` in a terminal of your own."
        raise RequestError(REFUSED, "The page is the operator's; a link is given to nobody else.", hint=hint)
