"""A real browser, where `make pages` has installed what drives it; nowhere else is anything of this folder collected."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from clawgit.service.page_server import PageServer

if not os.environ.get("PAGE_BROWSER"):
    collect_ignore_glob = ["test_*.py"]

VIEWS = ("/", "/pending", "/memory", "/e/m:cccccc", "/soul", "/talk", "/prompt", "/machine")


@pytest.fixture(scope="session")
def chromium() -> Iterator:
    """Return the system's Chromium, without a head."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("There is no Chromium here: the page was NOT looked at with a browser.")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Looker:
    """One browser window that is signed in; what it should not have done is in ``wrong``."""

    def __init__(self, chromium, server: PageServer, **options) -> None:
        self.base = f"http://{server.address.host}"
        self.context = chromium.new_context(**options)
        self.window = self.context.new_page()
        self.wrong: list[str] = []
        self.window.on("console", lambda message: self.wrong.append(f"console: {message.text}"))
        self.window.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.window.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        self.window.on("request", self._asked)
        self.window.goto(server.link(None))

    def _asked(self, request) -> None:
        if not request.url.startswith(self.base):
            self.wrong.append(f"request: {request.url}")

    def see(self, path: str):
        """Open a path of the page."""
        return self.window.goto(self.base + path)

    def width(self) -> float:
        """Return how wide the content is."""
        metrics = self.context.new_cdp_session(self.window).send("Page.getLayoutMetrics")
        return metrics["cssContentSize"]["width"]


@pytest.fixture
def look(chromium, page) -> Iterator:
    """Return a function that opens a window; in the end nothing was wrong in any."""
    lookers: list[Looker] = []

    def open_window(**options) -> Looker:
        lookers.append(Looker(chromium, page, **options))
        return lookers[-1]

    yield open_window
    for each in lookers:
        each.context.close()
    assert [each.wrong for each in lookers if each.wrong] == []


@pytest.fixture
def lively(room, clawgit) -> Path:
    """Let something be remembered, asked, contradicted and read."""
    room.change(
        {"MEMORY.md": "# Memory\n\n- 2026-03-18: Ada drinks tea. <!-- m:cccccc -->\n"}, actor="operator"
    )
    clawgit("chat", "add", "Remember that the rent is due on the 1st.")
    for port in ("8443", "9443"):
        text = f"The staging server listens on port {port}."
        clawgit("memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md")
    clawgit("run", "conflict-detector")
    clawgit("correct", "m:cccccc", "Ada drinks coffee.", actor="host")
    for question in ("rent", "tea"):
        clawgit("context", "--query", question)
    return room.root
