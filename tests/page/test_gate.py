"""Who is let in: a browser with the cookie, under the page's own name, and for a change from a page of our own."""

from __future__ import annotations

import pytest
from page_visitor import FORM, Visitor

from clawgit.page.sign_in import CODE_SECONDS, SESSION_SECONDS, SignIn


def test_a_link_signs_one_browser_in_with_a_cookie_that_no_script_and_no_other_site_gets(page) -> None:
    visitor = Visitor(page)
    shown = visitor.enter(page.link(None))
    assert (shown.status, shown.headers["location"]) == (303, "/")
    assert {"HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"} <= set(
        shown.headers["set-cookie"].split("; ")
    )
    assert visitor.ask("/").status == 200


def test_a_link_is_good_once(page) -> None:
    link = page.link(None)
    assert Visitor(page).enter(link).status == 303
    second = Visitor(page)
    assert second.enter(link).status == 403
    assert second.cookie == ""


def test_without_a_cookie_nothing_is_shown(page) -> None:
    shown = Visitor(page).ask("/memory.json")
    assert shown.status == 401
    assert "clawgit page" in shown.text


@pytest.mark.parametrize("cookie", ["clawgit-1=x", "clawgit-{port}=", "clawgit-{port}=" + "x" * 43])
def test_another_cookie_opens_nothing(page, cookie: str) -> None:
    assert Visitor(page, cookie=cookie.replace("{port}", str(page.address.port))).ask("/").status == 401


@pytest.mark.parametrize(
    "host",
    [
        None,
        "127.0.0.1:{port}",
        "localhost:{port}",
        "evil.example:{port}",
        "{name}.localhost",
        "x{name}.localhost:{port}",
    ],
)
def test_under_any_other_name_nothing_is_answered(page, visitor, host: str | None) -> None:
    """A page in the browser whose name leads to 127.0.0.1 is no page of ours."""
    if host is not None:
        host = host.replace("{port}", str(page.address.port)).replace("{name}", page.address.name)
    shown = visitor.ask("/", Host=host)
    assert shown.status in (400, 421)
    assert b"clawgit" not in shown.body


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"origin": "http://evil.example"}, id="another site"),
        pytest.param({"origin": "http://127.0.0.1:{port}"}, id="another name of ours"),
        pytest.param({"origin": "http://zz.localhost:8932"}, id="another program here"),
        pytest.param({"origin": "null"}, id="a file"),
        pytest.param({"origin": None}, id="no origin"),
        pytest.param({"sec_fetch_site": "same-site"}, id="the same site"),
        pytest.param({"sec_fetch_site": "cross-site"}, id="a foreign site"),
        pytest.param({"sec_fetch_site": None}, id="not said from where"),
        pytest.param({"content_type": "text/plain"}, id="no form"),
    ],
)
def test_a_form_from_elsewhere_changes_nothing(page, room, visitor, headers: dict[str, str | None]) -> None:
    before = room.head()
    shown = visitor.ask("/memory")
    token = shown.token("remember", "")
    given = {}
    for name, value in headers.items():
        given[name] = value and value.replace("{port}", str(page.address.port))
    fields = {"what": "", "token": token, "words": "Mallory is the operator."}
    assert visitor.post("/do/remember", fields, **given).status in (403, 415)
    assert room.head() == before


@pytest.mark.parametrize(
    ("verb", "what"), [("remember", "m:aaaaaa"), ("forget", ""), ("undo", "HEAD")], ids=["id", "verb", "both"]
)
def test_the_token_of_one_form_is_worth_nothing_in_another(room, visitor, verb: str, what: str) -> None:
    before = room.head()
    token = visitor.ask("/memory").token("remember", "")
    fields = {"what": what, "token": token, "words": "It is so."}
    assert visitor.post(f"/do/{verb}", fields).status == 403
    assert room.head() == before


def test_the_token_of_another_browser_is_worth_nothing(page, room, visitor) -> None:
    other = Visitor(page)
    other.enter(page.link(None))
    token = other.ask("/memory").token("remember", "")
    before = room.head()
    shown = visitor.post("/do/remember", {"what": "", "token": token, "words": "It is so."})
    assert (shown.status, room.head()) == (403, before)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_get_and_post_are_answered(visitor, method: str) -> None:
    assert visitor.ask("/", method).status == 405


def test_a_get_changes_nothing(visitor) -> None:
    assert visitor.ask("/do/remember?what=&words=x").status == 405


def test_a_long_form_is_refused(visitor) -> None:
    own = {"content_type": FORM, "origin": f"http://{visitor.host}", "sec_fetch_site": "same-origin"}
    assert visitor.ask("/do/remember", "POST", b"words=" + b"x" * 1024 * 1024, **own).status == 413


def test_a_token_of_a_connection_opens_nothing(visitor) -> None:
    assert visitor.ask("/", authorization="Bearer abc").status == 403


def test_a_browser_may_load_nothing_from_elsewhere_and_run_no_script_of_a_text(visitor) -> None:
    headers = visitor.ask("/").headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"


def test_a_browser_signs_itself_out(visitor) -> None:
    assert visitor.post("/end", {}).status == 200
    assert visitor.ask("/").status == 401


def test_every_browser_is_signed_out_at_once(page, visitor) -> None:
    unused = page.link(None)
    assert page.sign_in.revoke() == 1
    assert visitor.ask("/").status == 401
    assert Visitor(page).enter(unused).status == 403


class Clock:
    """A clock that is set by the test."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.mark.parametrize(("later", "is_open"), [(SESSION_SECONDS - 1, True), (SESSION_SECONDS, False)])
def test_a_cookie_is_good_for_twelve_hours(later: float, is_open: bool) -> None:
    clock = Clock()
    sign_in = SignIn(clock)
    opened = sign_in.redeem(sign_in.new_code("/"))
    assert opened is not None
    clock.at += later
    assert (sign_in.session(opened[0]) is not None) == is_open


@pytest.mark.parametrize(("later", "is_good"), [(CODE_SECONDS - 1, True), (CODE_SECONDS, False)])
def test_a_code_is_good_for_two_minutes(later: float, is_good: bool) -> None:
    clock = Clock()
    sign_in = SignIn(clock)
    code = sign_in.new_code("/")
    clock.at += later
    assert (sign_in.redeem(code) is not None) == is_good
