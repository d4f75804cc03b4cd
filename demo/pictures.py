"""`make pictures`: the views of the page over the demo's fortnight, as pictures in docs. Needs Chromium and Playwright."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.cli.service.page_operations import served_by
from clawgit.service.page_server import PageServer
from demo.__main__ import home_of_ada
from demo.fortnight import Fortnight
from demo.week import SECOND, TALK, days_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DOCS = Path(__file__).parents[1] / "docs"
MORNING = "2026-03-30T08:00:00+00:00"
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
ENTRY = "The backups run"


def main() -> None:
    """Replay the fortnight, and look at it the morning after."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("There is no Chromium here: no picture was made.")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        home = home_of_ada(Path(folder))
        fortnight = Fortnight(home / "workspace", home)
        for _ in fortnight.days(days_of(TALK, SECOND)):
            pass
        for question in ("when do the backups run", "which port is staging on"):
            fortnight.run("context", "--query", question, now=MORNING)
        environment = {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath)}
        environment |= {"CLAWGIT_NOW": MORNING, "CLAWGIT_REHEARSE": "1"}
        server = PageServer(home / "state", served_by(environment, home / "none", [fortnight.root]), sys.exit)
        server.start()
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        _pictures(browser, server, _entry(fortnight))
        browser.close()
        server.close()


def _entry(fortnight: Fortnight) -> str:
    return str(json.loads(fortnight.run("why", ENTRY, "--json", now=MORNING))["entry"]["id"])


def _pictures(browser: Browser, server: PageServer, entry: str) -> None:
    """Save the eight views as they are on a wide screen, and Today in the dark on a phone."""
    base = f"http://{server.address.host}"
    views = {
        "today": "/",
        "pending": "/pending",
        "memory": "/memory",
        "entry": f"/e/{entry}",
        "soul": "/soul",
        "talk": "/talk",
        "prompt": "/prompt",
        "machine": "/machine",
    }
    wide = browser.new_page(viewport=WIDE, color_scheme="light")
    wide.goto(server.link(None))
    for name, path in views.items():
        wide.goto(base + path)
        wide.screenshot(path=DOCS / f"page-{name}.png")
    phone = browser.new_page(viewport=PHONE, color_scheme="dark")
    phone.goto(server.link(None))
    phone.goto(base + "/")
    phone.screenshot(path=DOCS / "page-phone.png")


if __name__ == "__main__":
    main()
