"""A bug where somebody's commits are looked at: the command does its work, and ends as one that met a bug."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from clawgit.cli.main import run
from clawgit.errors import ExitCode


class Broken(dict[str, str]):
    """An environment in which the time cannot be read: `soul log` needs it only to look at new commits."""

    def get(self, name: str, *otherwise: Any) -> Any:
        if name == "CLAWGIT_NOW":
            raise RuntimeError("no clock")
        return super().get(name, *otherwise)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "words", [("soul", "log"), ("memory", "get", "nowhere.md")], ids=["works", "is refused"]
)
def test_a_bug_beside_the_command_is_told_and_ends_it_with_3(room, capfd, own_home, words) -> None:
    """Mutants: the command ends with 0, or with the status of its own refusal."""
    room.git("commit", "-q", "--allow-empty", "-m", "somebody's")

    code = run(["-w", str(room.root), *words], Broken())

    assert code == ExitCode.BUG
    (crash,) = own_home.rglob("crash-*.txt")
    assert "no clock" in crash.read_text()
    assert f"This is a bug in clawgit (RuntimeError); what happened is in {crash}." in capfd.readouterr().err


def test_beside_a_bug_the_command_does_its_work(room, capfd, own_home) -> None:
    run(["-w", str(room.root), "soul", "log", "--json"], {})
    before = capfd.readouterr().out
    room.git("commit", "-q", "--allow-empty", "-m", "somebody's")

    run(["-w", str(room.root), "soul", "log", "--json"], Broken())

    assert json.loads(capfd.readouterr().out) == json.loads(before)


def test_an_old_python_is_named_at_once() -> None:
    """Mutant: the first module that this Python lacks is what the user sees."""
    old = "import runpy, sys; sys.version_info, sys.version = (3, 10, 1), '3.10.1 (main)'; runpy.run_module('clawgit')"

    done = subprocess.run([sys.executable, "-c", old], capture_output=True, check=False, text=True)

    assert (done.returncode, done.stderr) == (
        1,
        "clawgit needs Python 3.11 or newer; this is Python 3.10.1.\n",
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("words", ["soul show", "memory search kind", "chat export", "remember 'Tea at 5.'"])
def test_a_closed_output_is_no_bug(room, words) -> None:
    """Mutant: `soul show >&-` meets an output that is none."""
    command = f'"$0" -P -m clawgit -w "$1" {words} >&-'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(room.root)], capture_output=True, check=False, text=True
    )

    assert "bug" not in done.stderr
    assert done.returncode == ExitCode.DONE
