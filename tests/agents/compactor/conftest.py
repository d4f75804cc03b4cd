"""A workspace with daily notes of some months ago."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.agents.compactor import MemoryCompactor
from clawgit.agents.run_agent import ALONE

OLD = {
    "memory/2026-01-05.md": "# 2026-01-05\n\n- Standup at 9.\n- Chose REST over GraphQL, decided by Ada. #decision\n",
    "memory/2026-01-06-api-design.md": "# API\r\n\r\n- 决定使用REST而非GraphQL。\r\n\r\nSee [the day](2026-01-05.md).\r\n",
    "memory/2026-02-02.md": "# 2026-02-02\n\nThe trip to Oslo was confirmed for 8 March.\n",
}


@pytest.fixture
def aged(room):
    """Return a workspace with three old notes, one of yesterday and one of today."""
    recent = {
        "memory/2026-03-18.md": "# 2026-03-18\n\n- Decided to wait.\n",
        "memory/2026-03-19.md": "# 2026-03-19\n\n- Decided to go on.\n",
    }
    room.change(OLD | recent, actor="host")
    room.now += timedelta(hours=1)
    room.compact = lambda means=ALONE: MemoryCompactor.run_round(room.history, room.now, means)
    return room
