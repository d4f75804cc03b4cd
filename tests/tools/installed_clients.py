"""The real clients, where `make clients` has installed them."""

from __future__ import annotations

import os
from pathlib import Path

CLIENTS = Path(os.environ.get("CLIENTS_FOLDER", ""))
ARE_WANTED = bool(os.environ.get("CLIENTS_FOLDER"))
HERE = Path(__file__).parents[1] / "clients"


def client(name: str) -> str:
    """Return the path of a program that npm installed."""
    found = CLIENTS / "node_modules" / ".bin" / name
    assert found.exists(), f"{found} is not there: run `make clients`"
    return str(found)
