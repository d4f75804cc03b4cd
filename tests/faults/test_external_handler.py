"""T8: a program for recall failures runs only by the operator's trust, without a shell, and cannot hold anything up.

Mutants seen to fail here: a shell, the caller's environment, no time limit, no cap.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from clawgit.agents.external_handler import MOST_BYTES, call_handler

if TYPE_CHECKING:
    from pathlib import Path

ASKED = "I already told you how to call the deploy script; touch {0}; $(touch {0}) `touch {0}`"


def script(folder: Path, name: str, text: str) -> tuple[str, ...]:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return (str(path),)


def watch(process_id: int) -> None:
    while True:
        os.kill(process_id, 0)
        time.sleep(0.01)


def test_the_message_comes_as_json_and_nothing_of_it_is_run(tmp_path) -> None:
    told = {"id": "chat:1", "text": ASKED.format(tmp_path / "X")}

    done = call_handler(script(tmp_path, "echo", "cat"), told, tmp_path)

    assert json.loads(done.output) == told
    assert (done.code, (tmp_path / "X").exists()) == (0, False)


@pytest.mark.smoke
def test_the_environment_is_empty(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("API_TOKEN", "of the caller")

    done = call_handler(script(tmp_path, "env", "/usr/bin/env"), {}, tmp_path)

    assert {line.partition("=")[0] for line in done.output.split()} <= {"PWD", "SHLVL", "_"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("echo one; sleep 3600", id="it hangs"),
        pytest.param("sleep 3600 & echo one; wait", id="its child hangs"),
        pytest.param("echo one; exec 1>&-; sleep 3600", id="it closes its output and hangs"),
    ],
)
def test_what_hangs_is_killed_with_its_children(tmp_path, text: str) -> None:
    done = call_handler(script(tmp_path, "hang", text), {"text": "x" * 100_000}, tmp_path, seconds=2)

    assert done.code is None
    assert "one\n".startswith(done.output)


def test_a_child_that_holds_the_output_holds_nobody_up(tmp_path) -> None:
    """Mutant: it is waited for until the time is up, and the program counts as stopped."""
    done = call_handler(
        script(tmp_path, "leave", "sleep 3600 & echo one; exit 3"), {}, tmp_path, seconds=3000
    )

    assert (done.code, done.output) == (3, "one\n")


def test_no_child_is_left_behind(tmp_path) -> None:
    """Mutant: only the program itself is killed."""
    done = call_handler(script(tmp_path, "fork", "sleep 3600 & echo $!; exec yes"), {}, tmp_path)

    with pytest.raises(ProcessLookupError):
        watch(int(done.output.split("\n")[0]))


def test_endless_output_is_capped(tmp_path) -> None:
    done = call_handler(script(tmp_path, "yes", "exec /usr/bin/yes"), {}, tmp_path)

    assert (len(done.output), done.code) == (MOST_BYTES, None)


def test_a_program_that_is_not_there_is_told(tmp_path) -> None:
    told = call_handler((str(tmp_path / "none"),), {}, tmp_path).told()

    assert told == "The external handler cannot be run: No such file or directory"
