"""The page as an application: its addresses, its views as HTML and as JSON, and its buttons."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from clawgit.errors import ClawgitError
from clawgit.page.page_actions import act
from clawgit.page.page_gate import PageGate
from clawgit.page.page_views import PAGES
from clawgit.page.shown_text import render
from clawgit.page.visit import NotShownError, SignedInVisit, read_form

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from clawgit.page.page_answers import Served
    from clawgit.page.page_views import Page
    from clawgit.page.sign_in import SignIn

WORKSPACE = "clawgit.workspace"
_FOLDER = Path(__file__).parent
_FILES = {"page.css": "text/css", "page.js": "text/javascript", "favicon.svg": "image/svg+xml"}
_LOOK_SECONDS = 2.0
_ALIVE_SECONDS = 30.0


def page_app(served: Served, sign_in: SignIn, host: str) -> ASGIApp:
    """Return the page of an account, behind its gate; ``host`` is its exact name and port."""
    door = _Door(served)
    routes = []
    for page in PAGES:
        routes.append(Route(page.json_path, partial(door.as_json, page)))
        routes.append(Route(page.path, partial(door.shown, page)))
    for name in _FILES:
        routes.append(Route(f"/{name}", partial(_file, name)))
    routes += [
        Route("/favicon.ico", partial(_file, "favicon.svg")),
        Route("/live", door.live),
        Route("/do/{verb}", door.act, methods=["POST"]),
        Route("/end", partial(_end, sign_in), methods=["POST"]),
    ]
    return PageGate(_by_workspace(Starlette(routes=routes)), sign_in, host)


def _by_workspace(app: ASGIApp) -> ASGIApp:
    """Return an application that finds the workspace at the beginning of an address: `/@NAME/pending`."""

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        name = ""
        if path.startswith("/@"):
            name, _, rest = path[2:].partition("/")
            scope = {**scope, "path": f"/{rest}"}
        await app({**scope, WORKSPACE: name}, receive, send)

    return named


class _Door:
    """Finds the workspace of a request, and answers it; what a view asks is done in a thread."""

    def __init__(self, served: Served) -> None:
        self._served = served

    async def shown(self, page: Page, request: Request) -> Response:
        """Show a view as HTML."""
        return await self._answered(request, partial(self._html, page))

    async def as_json(self, page: Page, request: Request) -> Response:
        """Show the JSON of what a view asks, as its command prints it."""
        return await self._answered(request, partial(self._json, page))

    async def act(self, request: Request) -> Response:
        """Do what a button says, and lead on."""
        fields = await read_form(request)

        def acted(visit: SignedInVisit) -> Response:
            leads_to = act(visit, request.path_params["verb"], fields)
            return RedirectResponse(leads_to, 303)

        return await self._answered(request, acted)

    async def live(self, request: Request) -> Response:
        """Tell a browser of each change of the history, for as long as it listens."""
        try:
            visit = self._visit(request)
        except NotShownError as error:
            return PlainTextResponse(error.message, error.status)
        seen = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return StreamingResponse(_changes(visit.root, seen), media_type="text/event-stream")

    async def _answered(self, request: Request, answer: Callable[[SignedInVisit], Response]) -> Response:
        def answered() -> Response:
            try:
                return answer(self._visit(request))
            except NotShownError as error:
                return self._refused(request, error.message, error.status)
            except (ClawgitError, OSError) as error:
                return self._refused(request, str(error), 503)
            except Exception as error:  # noqa: BLE001 - the one boundary of a request: the next one is answered
                return self._refused(request, self._served.report_bug(error), 500)

        return await run_in_threadpool(answered)

    def _visit(self, request: Request) -> SignedInVisit:
        workspaces = self._served.workspaces()
        named = unquote(request.scope[WORKSPACE])
        name = named or next(iter(workspaces), "")
        if name not in workspaces:
            raise NotShownError(404, "There is no such workspace. `clawgit workspaces list` names yours.")
        base = _base_of(request)
        visit = SignedInVisit(request, self._served, name, workspaces[name], base)
        if visit.look.settings.page == "off":
            hint = "The setting `page` is off here: `clawgit config set page on` shows it again."
            raise NotShownError(403, hint)
        return visit

    def _html(self, page: Page, visit: SignedInVisit) -> Response:
        since = _stamp(visit.root)
        context = {"at": page.name, "since": since, **page.view(visit)}
        return HTMLResponse(render(page.template, self._frame(visit) | context))

    def _json(self, page: Page, visit: SignedInVisit) -> Response:
        answer = visit.answer(page.asks(visit))
        if answer.problem:
            return PlainTextResponse(f"{answer.problem}\n", 404)
        return Response(answer.text, media_type="application/json")

    def _frame(self, visit: SignedInVisit) -> dict[str, Any]:
        """Return what every view has around it."""
        return {
            "visit": visit,
            "waiting": visit.data("pending", otherwise=[]),
            "told": visit.session.take_told(),
            "here": visit.here,
        }

    def _refused(self, request: Request, message: str, status: int) -> Response:
        home = f"{_base_of(request)}/"
        return HTMLResponse(render("refused.html", {"message": message, "home": home}), status)


def _base_of(request: Request) -> str:
    """Return how the addresses of the workspace begin that the request names."""
    named = unquote(request.scope[WORKSPACE])
    if not named:
        return ""
    return f"/@{quote(named)}"


async def _changes(root: Path, seen: str) -> AsyncIterator[str]:
    """Yield an event for each new commit since the page was made, and now and then a sign of life."""
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
    """Return what differs when something was committed since."""
    try:
        state = (root / ".git" / "logs" / "HEAD").stat()
    except OSError:
        return "none"
    return f"{state.st_mtime_ns}-{state.st_size}"


async def _file(name: str, _request: Request) -> Response:
    return Response((_FOLDER / name).read_bytes(), media_type=_FILES[name])


async def _end(sign_in: SignIn, request: Request) -> Response:
    """Sign this browser out."""
    for name, value in request.cookies.items():
        if name.startswith("clawgit-"):
            sign_in.end(value)
    return PlainTextResponse("This browser is signed out. `clawgit page` prints a new link.\n")
