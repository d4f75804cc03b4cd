"""The web page over 36,000 lines and 10,000 commits: until the first byte of each view, and how large it is."""

from __future__ import annotations

import gzip
import http.client
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.long_history import stream
from benchmarks.search_speed import five_years
from clawgit.cli.service.page_operations import served_by
from clawgit.history.reconcile import reconcile
from clawgit.history.review.arrivals import nothing_arrived
from clawgit.history.transaction.pack_writing import pack
from clawgit.service.page_server import PageServer

LINES, VISITS = 36_000, 40
VIEWS = ("/", "/pending", "/memory", "/memory?q=note", "/e/m:e00500", "/soul", "/talk", "/prompt", "/machine")


def page_speed() -> None:
    """Print for each view the time until its first byte, the slowest of twenty visits left out, and its size."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        history, _ = five_years(root, LINES)
        subprocess.run(["git", "fast-import", "--quiet"], cwd=root, check=True, input=b"".join(stream()))
        subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)
        pack(history)
        while not nothing_arrived(history):
            reconcile(history, datetime.now(UTC), seconds=600)
        server = PageServer(Path(folder) / "state", served_by({}, Path(folder) / "none", [root]), print)
        server.start()
        print(f"the page: {LINES:,} lines, 10,000 commits (to reach: p95 60 ms, 60 KB, 15 KB gzip)")
        cookie = _signed_in(server)
        for view in VIEWS:
            first, *_ = _visit(server, view, cookie)
            taken = []
            for _ in range(VISITS):
                taken.append(_visit(server, view, cookie))
            times = sorted(each[0] for each in taken)
            body = taken[0][1]
            print(
                f"  {view:<16} first {first:5.0f} ms, then median {times[VISITS // 2]:5.1f} ms,"
                f" p95 {times[VISITS * 19 // 20]:5.1f} ms, {len(body) / 1024:4.1f} KB,"
                f" {len(gzip.compress(body)) / 1024:4.1f} KB gzip"
            )
        server.close()


def _signed_in(server: PageServer) -> str:
    path = server.link(None).removeprefix(f"http://{server.address.host}")
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port)
    connection.request("GET", path, headers={"Host": server.address.host})
    return str(connection.getresponse().headers["set-cookie"]).partition(";")[0]


def _visit(server: PageServer, path: str, cookie: str) -> tuple[float, bytes]:
    """Return the milliseconds until the first byte of an answer, and its body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.address.port)
    start = time.perf_counter()
    connection.request("GET", path, headers={"Host": server.address.host, "Cookie": cookie})
    answer = connection.getresponse()
    first = (time.perf_counter() - start) * 1000
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise SystemExit(f"{path}: {answer.status} {body[:300]!r}")
    return first, body
