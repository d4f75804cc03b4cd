"""The page of one workspace, listening, and somebody who is signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from page_visitor import Visitor, rehearsed

from clawgit.service.page_server import PageServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def page(room, tmp_path) -> Iterator[PageServer]:
    """Return the page of the workspace, on a port of its own."""
    failed: list[str] = []
    server = PageServer(tmp_path / "service", rehearsed(tmp_path / "none.json", room.root), failed.append)
    server.start()
    yield server
    server.close()
    assert failed == []


@pytest.fixture
def visitor(page) -> Visitor:
    """Return a browser that is signed in."""
    found = Visitor(page)
    assert found.enter(page.link(None)).status == 303
    return found
