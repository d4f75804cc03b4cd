from __future__ import annotations

from datetime import date

import pytest

from clawgit.memory.entry_states import expiry_of


@pytest.mark.parametrize(
    ("entry_class", "expires"),
    [
        pytest.param("tasks", date(2026, 3, 8), id="a task holds for a week"),
        pytest.param("agents", date(2026, 3, 31), id="what concerns agents for thirty days"),
        pytest.param("personal", None, id="what is personal for ever"),
        pytest.param("system", None, id="the system's state too"),
        pytest.param("unheard of", None, id="a class that nobody knows for ever"),
        pytest.param(None, None, id="so does what has none"),
    ],
)
def test_expiry(entry_class: str | None, expires: date | None) -> None:
    assert expiry_of(entry_class, date(2026, 3, 1)) == expires
