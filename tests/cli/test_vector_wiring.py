"""Enhanced mode when something is wrong with it: keywords answer, exit 0, and the answer says why.

Mutants that these tests caught: an error of the service ends the search, an answer of core says "enhanced", a guarded
address of a host is asked.
"""

from __future__ import annotations

import pytest

from clawgit.errors import ExitCode

pytestmark = pytest.mark.rest

DAY = "memory/2026-03-18.md"
NOTES = "# 2026-03-18\n\n- The automobile needs new tyres.\n- Ate soup with Ada.\n- The quince harvest was good.\n"


@pytest.fixture
def ask(clawgit, room, service, users_owner):
    """Turn enhanced mode on, with the test's own service; return a search that tells core's answer beside."""
    room.write(DAY, NOTES)
    room.keep("operator")

    def search(query: str = "soup", *words: str, **environment: str):
        return clawgit("memory", "search", query, "--json", *words, environment=environment)

    plain = search().data["results"]
    for key, value in (("embedder", "openai:m"), ("embedder_url", service.url), ("mode", "enhanced")):
        assert clawgit("config", "set", key, value).code == 0
    search.core = plain
    return search


def answered_by_core(said, plain) -> str:
    """Return the reason, after a look at all the rest."""
    assert said.code == ExitCode.DONE
    assert said.data["results"] == plain
    assert (said.data["mode"], said.data["provider"], said.data["model"]) == ("core", "none", "")
    assert f"Answered by keywords alone: {said.data['reason']}" in said.err
    return said.data["reason"]


TROUBLES = {
    "down": (lambda s: s.drop, "no usable answer"),
    "busy": (lambda s: s.status(503), "status 503"),
    "too many requests": (lambda s: s.status(429, Retry_After="60"), "status 429"),
    "no such model": (lambda s: s.status(404, {"error": "model m not found"}), "model m not found"),
    "a refused key": (lambda s: s.status(401), "CLAWGIT_EMBEDDER_KEY"),
    "no JSON": (lambda s: s.raw(b"<html>"), "no usable answer"),
    "no vectors": (lambda s: s.raw(b"{}"), "did not answer with vectors"),
    "too few": (lambda s: s.raw(b'{"data": []}'), "with 0 vectors"),
    "redirected": (lambda s: s.status(302, Location="http://127.0.0.1:1/"), "status 302"),
    "slow": (lambda s: s.slow(), "too slow"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_whatever_the_service_does_the_keywords_answer(ask, service, trouble):
    make, said = TROUBLES[trouble]
    service.always = make(service)
    assert said in answered_by_core(ask(), ask.core)


def test_an_address_that_only_a_host_has_committed_is_not_asked(clawgit, room, service):
    room.write(DAY, NOTES)
    room.write("CONFIG.md", f"mode: enhanced\nembedder: openai:m\nembedder_url: {service.url}\n")
    room.keep("host")

    said = clawgit("memory", "search", "soup", "--json", actor="host")

    assert said.code == ExitCode.DONE
    assert said.data["results"][0]["path"] == DAY
    assert service.requests == []


def test_a_host_cannot_have_the_model_fetched(clawgit, room, users_owner):
    room.write(DAY, NOTES)
    clawgit("config", "set", "mode", "enhanced")

    said = clawgit("memory", "search", "soup", "--json", actor="host")

    assert (said.code, said.data["mode"]) == (0, "core")
    assert "memory index" in said.data["reason"] or "not installed" in said.data["reason"]


def test_as_of_and_deep_answer_by_keywords_too(ask, service):
    service.always = service.status(500)
    for words in (("--as-of", "2026-03-19"), ("--deep",)):
        said = ask("soup", *words)
        assert (said.code, said.data["mode"]) == (0, "core")
        assert said.data["results"][0]["path"] == DAY


def test_turned_off_again_it_answers_as_before_and_asks_nobody(ask, clawgit, room, service):
    ask()
    clawgit("config", "set", "mode", "core")
    service.requests.clear()

    said = ask()

    assert (said.data["results"], said.data["reason"]) == (ask.core, "")
    assert service.requests == []
    assert room.git("status", "--porcelain") == ""
    assert clawgit("memory", "status", "--json").data["vectors"] == {}
    clawgit("memory", "index", "--drop-vectors")
    assert not (room.history.state / "vectors").exists()


MEMORIES = {
    "de": ("- Ada und ich.\n- Suppe und Brot.\n- Der Termin ist am Freitag.\n- Tee und Milch.\n", True),
    "it": ("- Ha detto che piove.\n- Il tè che piace.\n- Domani.\n- So che viene Ada.\n", True),
    "en": ("- Ate soup in Los Angeles.\n- Los Gatos is near.\n- The date is on Friday.\n- Milk.\n", False),
}


@pytest.mark.parametrize("language", MEMORIES)
def test_memory_that_is_not_english_is_told_of_a_model_that_reads_it(clawgit, room, users_owner, language):
    lines, is_told = MEMORIES[language]
    room.write(DAY, lines)
    room.keep("operator")
    assert "reads English only" not in clawgit("memory", "status").out
    clawgit("config", "set", "mode", "enhanced")

    for command in ("status", "index"):
        told = clawgit("memory", command).out
        assert ("not in English" in told, "config set embedder" in told) == (is_told, is_told)
    clawgit("config", "set", "embedder", "ollama:bge-m3")

    assert "reads English only" not in clawgit("memory", "status").out
