"""The message store's server is frozen, gone, starting again or lets nobody in: nothing waits long, and nothing is lost.

Mutants that these tests caught: a statement that is waited for without end; a connection that is tried once only; an outage
that counts as an attempt of a job; a search that asks a silent server again and again; doctor that does not ask.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from clawgit.capture.messages.incoming_message import Rules, take_down
from clawgit.capture.messages.message import ChatMessage, IncomingMessage, StoreUnreachableError
from clawgit.capture.messages.message_store import MessageStore
from clawgit.capture.messages.postgres_messages import PostgresMessages

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = "2026-03-19T12:00"


@pytest.fixture
def said() -> Callable[[str], ChatMessage]:
    """Return what makes a message of the operator's."""

    def make(text: str) -> ChatMessage:
        kept = take_down(
            IncomingMessage("user", text, message_id=text, by_operator=True),
            Rules(),
            datetime.fromisoformat(f"{NOW}Z"),
        )
        assert isinstance(kept, ChatMessage), kept
        return kept

    return make


@pytest.fixture
def run(room, forked) -> Callable[..., Any]:
    """Return what runs a command in the workspace."""

    def call(*words: str, code: int = 0, **extra: str) -> Any:
        done = forked(room.root, *words, CLAWGIT_NOW=NOW, CLAWGIT_REHEARSE="1", **extra)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return call


def listed(run: Callable[..., Any], *words: str, code: int = 0, **extra: str) -> Any:
    return json.loads(run(*words, "--json", code=code, **extra).stdout)


def test_beside_a_frozen_server_memory_answers_and_asks_it_once(own_postgres, run, room) -> None:
    run("config", "set", "messages_url", own_postgres.url)
    run("memory", "add", "The zebra is called Zoe.", "--to", "MEMORY.md")
    run("chat", "add", "The parrot is called Polly.")
    own_postgres.freeze()

    first = run("memory", "search", "what is the zebra called")
    second = run("memory", "search", "what is the zebra called")
    status = listed(run, "status")
    run("memory", "add", "The otter is called Olga.", "--to", "MEMORY.md")
    refused = run("chat", "add", "The heron is called Hugo.", code=5)
    own_postgres.thaw()
    run("chat", "add", "The lynx is called Leo.")
    after = run("memory", "search", "what is the lynx called")

    assert "Zoe" in first.stdout
    assert "Zoe" in second.stdout
    assert "does not answer" in first.stderr
    assert "asked again within a minute" in second.stderr
    assert "does not answer" in status["messages_problem"]
    assert "does not answer" in refused.stderr
    assert "Leo" in after.stdout
    assert "not searched" not in after.stderr
    assert listed(run, "status")["messages_problem"] == ""


@pytest.mark.long
def test_a_statement_that_a_frozen_server_has_taken_is_given_up(own_postgres, said, now) -> None:
    store = MessageStore(PostgresMessages(own_postgres.url, now), "ws")
    store.add([said("The zebra is called Zoe.")])
    own_postgres.freeze()

    with pytest.raises(StoreUnreachableError, match="does not answer"):
        store.add([said("The parrot is called Polly.")])

    own_postgres.thaw()
    assert store.add([said("The parrot is called Polly.")])[0].outcome in ("stored", "repeated")
    store.close()


@pytest.mark.long
def test_a_server_that_starts_again_refuses_no_message(own_postgres, said, now) -> None:
    store = MessageStore(PostgresMessages(own_postgres.url, now), "ws")
    for number in range(5):
        own_postgres.stop()
        own_postgres.start()
        assert store.add([said(f"The zebra number {number}.")])[0].outcome == "stored"
    store.close()


def test_an_outage_is_no_attempt_of_a_job(own_postgres, run) -> None:
    run("config", "set", "messages_url", own_postgres.url)
    run("memory", "add", "The review is on Wednesday.", "--to", "MEMORY.md")
    run("chat", "add", "No, the review is on Thursday.")
    own_postgres.stop()

    for _ in range(4):
        run("runner", "once")
    slots = {each["job"]: each for each in listed(run, "runner", "status")[0]["jobs"]}
    own_postgres.start()
    run("chat", "log")
    run("runner", "once")

    assert slots["recall-validator"]["last"] is None
    assert "Thursday" in run("memory", "list").stdout


def password_role(url: str, folder: Any) -> str:
    """Return the address of a role that the server asks for a password."""
    with psycopg.connect(url, autocommit=True) as owner:
        owner.execute("CREATE ROLE locked LOGIN PASSWORD 'right'")
        access = folder / "pg_hba.conf"
        access.write_text("local all locked scram-sha-256\n" + access.read_text())
        owner.execute("SELECT pg_reload_conf()")
    return url.replace("postgres@", "locked@")


@pytest.mark.long
def test_what_keeps_us_out_is_named_by_doctor_and_status_in_our_words(own_postgres, run) -> None:
    locked = password_role(own_postgres.url, own_postgres.folder)
    absent = own_postgres.url.replace("/postgres?", "/absent?")
    cases = {
        (locked, "wrong"): "does not take this user and password",
        (locked, ""): "asks for a password, and none is given",
        (absent, ""): "does not take this user, or has no such database",
        ("postgresql://ada@localhost:9/absent", ""): "is not there: no server answers",
    }
    told = {}
    for (url, password), words in cases.items():
        run("config", "set", "messages_url", url)
        extra = {"PGPASSWORD": password} if password else {}
        doctor = listed(run, "doctor", code=1, **extra)
        told[url, password] = [each["what"] for each in doctor if each["check"] == "messages"]
        said = listed(run, "status", **extra)["messages_problem"]
        assert words in said or "asked again within a minute" in said
    run("config", "set", "messages_url", own_postgres.url)

    assert {
        case: what[0].partition(" this machine ")[2] or what[0].partition(" localhost ")[2]
        for case, what in told.items()
    } == {case: f"{words}." for case, words in cases.items()}
    assert not [each for each in listed(run, "doctor") if each["check"] == "messages"]
