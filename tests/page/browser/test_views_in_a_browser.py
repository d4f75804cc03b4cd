"""Each view in a real browser: nothing on the console, nothing wider than the window, nothing asked of anybody else."""

from __future__ import annotations

import http.server
import threading

import pytest

VIEWS = ("/", "/pending", "/memory", "/e/m:cccccc", "/soul", "/talk", "/prompt", "/machine")
MORE = (
    "/memory?q=rent",
    "/memory?as-of=2026-03-19",
    "/undo/HEAD",
    "/soul/diff?a=HEAD~1&b=HEAD",
    "/machine/organizer",
)
HOSTILE = "<img src=http://evil.example/x onerror=alert(1)><script>alert(2)</script> ![x](http://evil.example/y) {{7*7}}"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_every_view_fits_and_is_quiet(lively, look, width: int, scheme: str, script: bool) -> None:
    looker = look(viewport={"width": width, "height": 860}, color_scheme=scheme, java_script_enabled=script)
    wide = {}
    for path in (*VIEWS, *MORE):
        assert looker.see(path).status == 200, path
        if looker.width() > width:
            wide[path] = looker.width()
    assert wide == {}


def test_what_memory_holds_asks_nobody_and_runs_nothing(room, lively, look, clawgit) -> None:
    room.append("MEMORY.md", f"- {HOSTILE} <!-- m:dddddd -->", actor="operator")
    room.append("MEMORY.md", f"- {'w' * 5000} <!-- m:eeeeee -->", actor="operator")
    room.append("SOUL.md", f"- {HOSTILE}", actor="operator")
    clawgit("chat", "add", HOSTILE)
    looker = look(viewport={"width": 360, "height": 860})
    for path in (*VIEWS, "/e/m:dddddd", "/e/m:eeeeee"):
        looker.see(path)
        assert looker.width() <= 360, path


def test_the_first_stop_is_the_content_and_every_field_has_a_name(lively, look) -> None:
    looker = look()
    for path in VIEWS:
        looker.see(path)
        looker.window.keyboard.press("Tab")
        assert looker.window.evaluate("document.activeElement.textContent") == "Skip to content"
        nameless = """[...document.querySelectorAll("input:not([type=hidden]), select, textarea, button")].filter(
            (each) => !each.labels?.length && !each.getAttribute("aria-label") && !each.textContent.trim()
        ).map((each) => each.outerHTML)"""
        assert looker.window.evaluate(nameless) == []
        assert looker.window.locator("h1").count() == 1


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_conflict_is_decided_and_the_answer_taken_back(room, lively, look, script: bool) -> None:
    looker = look(java_script_enabled=script)
    looker.see("/pending")
    item = looker.window.locator("article", has_text="Which one holds?")
    item.get_by_label("9443").check()
    item.get_by_role("button", name="Keep this one").click()
    assert "b holds" in room.read("CONFLICTS.md")
    looker.window.get_by_role("status").get_by_role("button", name="Undo").click()
    assert "b holds" not in room.read("CONFLICTS.md")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_an_entry_is_corrected_and_undone(room, lively, look, script: bool) -> None:
    looker = look(java_script_enabled=script)
    looker.see("/e/m:cccccc")
    looker.window.get_by_label("What is right").fill("Ada drinks cocoa.")
    looker.window.get_by_role("button", name="Correct").click()
    assert "Ada drinks cocoa." in room.read("MEMORY.md")
    looker.window.get_by_role("status").get_by_role("button", name="Undo").click()
    assert "- 2026-03-18: Ada drinks tea." in room.read("MEMORY.md")


def test_keys_alone_find_why_and_answer_a_question(room, lively, look, clawgit) -> None:
    looker = look()
    keyboard = looker.window.keyboard
    keyboard.press("j")
    keyboard.press("w")
    looker.window.wait_for_url("**/e/**")
    keyboard.press("/")
    keyboard.type("rent")
    keyboard.press("Enter")
    looker.window.wait_for_url("**/memory?q=rent")
    looker.see("/pending?kind=question")
    keyboard.press("?")
    looker.window.locator("dialog").wait_for()
    keyboard.press("Escape")
    looker.window.locator("dialog").wait_for(state="hidden")
    # The closed list of keys holds the focus until the browser draws again.
    looker.window.locator("dialog").dispatch_event("keydown", {"key": "j", "bubbles": True})
    assert looker.window.locator(".at-row").count() == 1
    keyboard.press("a")
    looker.window.get_by_role("status").wait_for()
    assert "Ada drinks coffee." in room.read("MEMORY.md")
    looker.see("/")
    for key in "jjjk":  # the queue's item comes first
        keyboard.press(key)
    second = looker.window.locator("[data-row]").nth(1)
    looker.window.wait_for_function("row => row.classList.contains('at-row')", arg=second.element_handle())
    keyboard.press("u")
    looker.window.wait_for_url("**/undo/**")
    keyboard.press("u")
    looker.window.get_by_role("status").wait_for()
    assert "Ada drinks coffee." not in room.read("MEMORY.md")
    looker.see("/pending?kind=question")
    keyboard.press("j")
    keyboard.press("r")
    looker.window.get_by_role("status").wait_for()
    assert clawgit("pending", "--kind", "question", "--json").data == []


def test_a_change_made_elsewhere_appears_by_itself(lively, look, clawgit) -> None:
    looker = look()
    looker.see("/memory")
    clawgit("memory", "add", "The parcels go to Porto.", "--tag", "knowledge", "--to", "MEMORY.md")
    looker.window.get_by_text("The parcels go to Porto.").wait_for()


def test_the_slider_leads_to_memory_of_that_day(lively, look) -> None:
    looker = look()
    looker.see("/memory")
    looker.window.get_by_label("As of a day").last.press("ArrowLeft")
    looker.window.wait_for_url("**as-of=20**")


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "zz.localhost"])
def test_a_page_of_another_program_changes_nothing(room, lively, page, look, name: str) -> None:
    looker = look()
    target = f"http://{page.address.host}/do/remember"
    body = f'<form id=f method=post action="{target}"><input name=words value=Mallory></form><script>f.submit()</script>'

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_words) -> None:
            pass

    before = room.head()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil) as evil:
        threading.Thread(target=evil.serve_forever, daemon=True).start()
        looker.window.goto(f"http://{name}:{evil.server_port}/")
        looker.window.wait_for_url(target)
        evil.shutdown()
    assert "not sent from the page" in looker.window.content()
    assert room.head() == before
    looker.wrong.clear()
