"""The page as an application: its gate, its addresses, its views as HTML and JSON, and its buttons."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from clawgit.errors import ClawgitError
from clawgit.page.page_actions import act
from clawgit.page.page_answers import SESSION, NotShownError, ServedPage, SignedInVisit, base_of, read_form
from clawgit.page.page_views import PAGES, Page, shown
from clawgit.page.shown_text import render

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from clawgit.page.sign_in import SignIn

_FOLDER = Path(__file__).parent
_FILES = {"page.css": "text/css", "page.js": "text/javascript", "favicon.svg": "image/svg+xml"}
_LOOK_SECONDS = 2.0
_ALIVE_SECONDS = 30.0
ENTRANCE = "/in/"
OPEN = ("/page.css", "/favicon.svg", "/favicon.ico")  # nothing of anybody is in them
FORM = "application/x-www-form-urlencoded"
MOST_BYTES = 1024 * 1024
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
SIGNED_OUT = (
    "This browser is not signed in.\n\nRun `clawgit page` in a terminal of your own and open the link that it prints.\n"
    "A link is good once, for two minutes; after that you are signed in for twelve hours.\n"
)


def page_app(served: ServedPage, sign_in: SignIn, host: str) -> ASGIApp:
    """Return the page of an account behind its gate; ``host`` is its exact name and port."""
    door = _Door(served)
    views: list[BaseRoute] = []
    for page in PAGES:
        views.append(Route(page.json_path, partial(door.answered, partial(_json, page))))
        views.append(Route(page.path, partial(door.answered, partial(_html, page))))
    views += [Route("/live", door.live), Route("/do/{verb}", door.act, methods=["POST"])]
    routes = [Mount("/@{workspace}", routes=views), *views]
    for name in _FILES:
        routes.append(Route(f"/{name}", partial(_file, name)))
    routes.append(Route("/favicon.ico", partial(_file, "favicon.svg")))
    routes.append(Route("/end", partial(_end, sign_in), methods=["POST"]))
    return PageGate(Starlette(routes=routes), sign_in, host)


def _html(page: Page, visit: SignedInVisit) -> Response:
    outcomes = [] if visit.is_refresh else visit.session.take_told()
    frame = {"at": page.name, "since": _stamp(visit.root), "told": outcomes}
    return HTMLResponse(shown(page, visit, frame))


def _json(page: Page, visit: SignedInVisit) -> Response:
    answer = visit.answer(page.asks(visit))
    if answer.problem:
        return PlainTextResponse(f"{answer.problem}\n", 404)
    return Response(answer.text, media_type="application/json")


class _Door:
    """Finds the workspace of a request, and answers in a thread."""

    def __init__(self, served: ServedPage) -> None:
        self._served = served

    async def act(self, request: Request) -> Response:
        fields = await read_form(request)

        def acted(visit: SignedInVisit) -> Response:
            leads_to = act(visit, request.path_params["verb"], fields)
            return RedirectResponse(leads_to, 303)

        return await self.answered(acted, request)

    async def live(self, request: Request) -> Response:
        try:
            visit = self._visit(request)
        except NotShownError as error:
            return PlainTextResponse(error.message, error.status)
        seen = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return StreamingResponse(_changes(visit.root, seen), media_type="text/event-stream")

    async def answered(self, answer: Callable[[SignedInVisit], Response], request: Request) -> Response:
        def answered() -> Response:
            try:
                return answer(self._visit(request))
            except NotShownError as error:
                return _refused(request, error.message, error.status)
            except (ClawgitError, OSError) as error:
                return _refused(request, str(error), 503)
            except Exception as error:  # noqa: BLE001 - the one boundary of a request: the next one is answered
                return _refused(request, self._served.report_bug(error), 500)

        return await run_in_threadpool(answered)

    def _visit(self, request: Request) -> SignedInVisit:
        workspaces = self._served.workspaces()
        name = request.path_params.get("workspace") or next(iter(workspaces), "")
        if name not in workspaces:
            raise NotShownError(404, "There is no such workspace. `clawgit workspaces list` names yours.")
        visit = SignedInVisit(request, self._served, name, workspaces[name])
        if visit.look.settings.page == "off":
            hint = "The setting `page` is off here: `clawgit config set page on` shows it again."
            raise NotShownError(403, hint)
        return visit


def _refused(request: Request, message: str, status: int) -> Response:
    home = f"{base_of(request)}/"
    return HTMLResponse(render("refused.html", {"message": message, "home": home}), status)


async def _changes(root: Path, seen: str) -> AsyncIterator[str]:
    """Yield an event for each new commit after ``seen``, and a sign of life at times."""
    seen, quiet = seen or _stamp(root), 0.0
    yield "retry: 10000\n\n"
    while True:
        stamp = _stamp(root)
        if stamp != seen:
            seen, quiet = stamp, 0.0
            yield f"id: {stamp}\nevent: change\ndata: .\n\n"
        elif quiet >= _ALIVE_SECONDS:
            quiet = 0.0
            yield ": here\n\n"
        await asyncio.sleep(_LOOK_SECONDS)
        quiet += _LOOK_SECONDS


def _stamp(root: Path) -> str:
    try:
        state = (root / ".git" / "logs" / "HEAD").stat()
    except OSError:
        return "none"
    return f"{state.st_mtime_ns}-{state.st_size}"


async def _file(name: str, _request: Request) -> Response:
    return Response((_FOLDER / name).read_bytes(), media_type=_FILES[name])


async def _end(sign_in: SignIn, request: Request) -> Response:
    for name, value in request.cookies.items():
        if name.startswith("clawgit-"):
            sign_in.end(value)
    return PlainTextResponse("This browser is signed out. `clawgit page` prints a new link.\n")


class PageGate:
    """Lets requests of a signed-in browser through to ``app``; ``host`` is the exact name and port.

    Every page in a browser and every program of the machine can reach a port of 127.0.0.1. A request has to name the
    page's own host exactly, and to have the cookie that a one-time code was exchanged for.
    """

    def __init__(self, app: ASGIApp, sign_in: SignIn, host: str) -> None:
        self._app = app
        self._sign_in = sign_in
        self._host = host
        self.cookie = f"clawgit-{host.rpartition(':')[2]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        request = Request(scope, receive)
        answer: Any = self._refusal(request)
        if answer is None and scope["path"].startswith(ENTRANCE):
            answer = self._entered(request)
        if answer is None and scope["path"] not in OPEN:
            cookie = request.cookies.get(self.cookie, "")
            session = self._sign_in.session(cookie)
            if session is None:
                answer = PlainTextResponse(SIGNED_OUT, 401)
            scope[SESSION] = session
        await (answer or self._app)(scope, receive, sent)

    def _refusal(self, request: Request) -> PlainTextResponse | None:
        """Return the refusal of a request that is wrong for every browser, signed in or not."""
        headers = request.headers
        if headers.getlist("host") != [self._host]:
            return PlainTextResponse("This is not the name of this page.\n", 421)
        if "authorization" in headers:
            return PlainTextResponse("A token opens nothing here.\n", 403)
        if request.method in ("GET", "HEAD"):
            return None
        if request.method != "POST":
            return PlainTextResponse("Only GET and POST.\n", 405)
        is_of_host = headers.getlist("origin") == [f"http://{self._host}"]
        if not is_of_host or headers.getlist("sec-fetch-site") != ["same-origin"]:
            return PlainTextResponse("This form was not sent from the page.\n", 403)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
            return PlainTextResponse("A form is sent as a form.\n", 415)
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return PlainTextResponse("That is too much for one form.\n", 413)
        return None

    def _entered(self, request: Request) -> PlainTextResponse | RedirectResponse:
        if request.method != "GET":
            return PlainTextResponse("A link is opened, nothing else.\n", 405)
        opened = self._sign_in.redeem(request.url.path.removeprefix(ENTRANCE))
        if opened is None:
            return PlainTextResponse(f"This link was used, or is too old.\n\n{SIGNED_OUT}", 403)
        value, leads_to = opened
        answer = RedirectResponse(leads_to, 303)
        answer.set_cookie(self.cookie, value, httponly=True, samesite="strict", path="/", max_age=12 * 3600)
        return answer
