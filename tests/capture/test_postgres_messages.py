"""What only a server can refuse.

A mutant that these tests caught: the schema made anew, or tried to, whenever the store is opened.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

import psycopg
import pytest

from clawgit.capture.message_store import Asked, MessageStore
from clawgit.capture.postgres_messages import SCHEMA, PostgresMessages

NOW = datetime(2026, 3, 19, 10, 22, tzinfo=UTC)


@pytest.fixture
def workspace(postgres_url, said) -> str:
    """Return a workspace with one message, put there by who owns the database."""
    name = f"ws-{secrets.token_hex(6)}"
    store = MessageStore(PostgresMessages(postgres_url, NOW), name)
    store.add([said("Tea is at four.")])
    store.close()
    return name


def texts(url: str, workspace: str) -> list[str]:
    store = MessageStore(PostgresMessages(url, NOW), workspace)
    try:
        return [each.text for each in store.log(Asked())]
    finally:
        store.close()


def test_a_server_that_only_reads_is_read(postgres_url, workspace) -> None:
    assert texts(f"{postgres_url}&options=-cdefault_transaction_read_only%3Don", workspace) == [
        "Tea is at four."
    ]


def test_a_role_that_may_not_make_tables_reads_and_writes(postgres_url, workspace, said) -> None:
    role = f"role_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(f"CREATE ROLE {role} LOGIN")
        owner.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {role}")
        owner.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {SCHEMA} TO {role}")
    url = postgres_url.replace("postgres@", f"{role}@")

    store = MessageStore(PostgresMessages(url, NOW), workspace)
    store.add([said("Coffee is at five.")])
    store.close()

    assert texts(url, workspace) == ["Tea is at four.", "Coffee is at five."]
