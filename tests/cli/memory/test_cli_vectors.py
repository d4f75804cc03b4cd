"""Subcommands and effects that the given vectors fix; what `memory promote` and `memory compact` owe waits for them."""

from __future__ import annotations

import json

import pytest
from tests_folder import TESTS

VECTORS = {case["id"]: case for case in json.loads((TESTS / "vectors/cli.json").read_text("utf-8"))["cases"]}
NOT_BUILT = ("memory promote", "memory compact")


@pytest.fixture
def asked(clawgit, room):
    room.write("memory/2026-03-18.md", "- The flagged zebra.\n- hello world\n")
    room.write("memory/2026-03-17.md", "- A positional quagga.\n")
    room.keep("operator")
    return lambda case: clawgit(*VECTORS[case]["cmd"].split())


def test_every_command_that_is_built_is_asked() -> None:
    built = {case for case in VECTORS if not VECTORS[case]["cmd"].startswith(NOT_BUILT)}

    assert built == {"CL14", "CL16", "CL17", "CL18", "CL19", "CL22"}


def test_query_wins_over_the_positional(asked) -> None:
    said = asked("CL14")

    assert "zebra" in said.out
    assert "quagga" not in said.out


def test_nothing_found_is_said_and_no_error(asked) -> None:
    said = asked("CL16")

    assert said.code == 0
    assert VECTORS["CL16"]["expect_stdout_contains"][0] in said.out


def test_results_have_their_keys(asked) -> None:
    (found, *_) = asked("CL17").data["results"]

    assert {"path", "startLine", "endLine", "score", "snippet"} <= set(found)


def test_a_full_rebuild_is_done(asked) -> None:
    assert asked("CL18").code == 0


def test_status_is_one_document(asked) -> None:
    assert asked("CL19").data["files"] > 0


def test_outside_of_a_workspace_it_is_said(clawgit, tmp_path) -> None:
    (tmp_path / "nothing").mkdir()

    said = clawgit("-w", str(tmp_path / "nothing"), "memory", "status")

    assert said.code != 0
    assert "workspace" in said.err
