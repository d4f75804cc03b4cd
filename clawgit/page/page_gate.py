"""The checks before a request reaches a view: its host, its cookie, and the origin of a change.

Every page in a browser and every program of the machine can reach a port of 127.0.0.1. A request has to name the page's
own host exactly, and to have the cookie that a one-time code was exchanged for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse

from clawgit.page.page_answers import SESSION

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from clawgit.page.sign_in import SignIn

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


class PageGate:
    """Lets requests of a signed-in browser through to ``app``; ``host`` is the exact name and port."""

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
