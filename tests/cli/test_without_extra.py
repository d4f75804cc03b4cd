"""Enhanced mode where the extra is not installed: collected only there.

Mutants that these tests caught: an owner that goes on without the extra, and answers for an installation that has it.
"""

from __future__ import annotations

import time

from clawgit.errors import ExitCode

DAY = "memory/2026-03-18.md"


def test_the_keywords_answer_and_say_what_to_install(clawgit, room, service, users_owner):
    room.write(DAY, "- The quince harvest was good.\n- Ate soup with Ada.\n")
    room.keep("operator")
    plain = clawgit("memory", "search", "soup", "--json").data["results"]
    for key, value in (("embedder", "openai:m"), ("embedder_url", service.url), ("mode", "enhanced")):
        clawgit("config", "set", key, value)

    said = clawgit("memory", "search", "soup", "--json")

    assert (said.code, said.data["mode"], said.data["results"]) == (0, "core", plain)
    assert 'pip install "clawgit[enhanced]"' in said.data["reason"]
    (found,) = [item for item in clawgit("doctor", "--json").data if item["check"] == "vectors"]
    assert 'pip install "clawgit[enhanced]"' in found["way_out"]
    status = clawgit("memory", "status", "--json")
    assert (status.code, status.data["mode"]) == (0, "enhanced")
    assert "is not installed" in status.data["vectors"]["reason"]
    index = clawgit("memory", "index")
    assert index.code == ExitCode.REFUSED
    assert "There are not all vectors yet" in index.err


def test_no_process_stays_that_could_only_say_what_is_missing(clawgit, room, service, users_owner):
    for key, value in (("embedder", "openai:m"), ("embedder_url", service.url), ("mode", "enhanced")):
        clawgit("config", "set", key, value)
    clawgit("memory", "search", "soup")

    while users_owner.path.exists():
        time.sleep(0.01)
