"""`clawgit triage`: what it prints, and that it starts without what it does not need.

Mutants that these tests caught: click imported for one message, a damaged line that ends the run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from forked_program import TELLS_MODULES, told_modules

if TYPE_CHECKING:
    from collections.abc import Callable

LINES = b"""\
{"id": "1", "text": "Don't forget the key."}
{"id": 2, "text": "Hello"}

{"id": "3", "words": "Hello"}
not json
{"text": "No, I said blue."}
"""


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str
    modules: set[str]

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


FOR_THE_MINER = "For the miner:\n  Something to remember, a decision, or a rule that lasts. (M2, en:order)\n"


@pytest.fixture
def program(room) -> Callable[..., Ran]:
    """Return a function that runs the program in the workspace and says what it imported."""

    def call(*words: str, data: bytes = b"", root: object = None) -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", TELLS_MODULES, *words],
            capture_output=True,
            check=False,
            input=data,
            cwd=root or room.root,
        )
        return Ran(done.returncode, done.stdout.decode(), *told_modules(done.stderr.decode()))

    return call


@pytest.mark.rest
def test_a_message_is_answered_in_words_or_as_json(program) -> None:
    said = program("triage", "I already told you: don't forget the key.")
    data = json.loads(program("triage", "--json", "I already told you: don't forget the key.").out)

    assert said.out == (
        "For the miner, the validator (high confidence):\n"
        "  Something to remember, a decision, or a rule that lasts. (M2, en:order)\n"
        "  You should know this already. (E1, en:told)\n"
    )
    assert data == {
        "id": None,
        "miner": True,
        "validator": "high",
        "custom": [],
        "matched": ["M2", "E1", "en:order", "en:told"],
    }
    assert program("triage", "Hello").out == "Nothing.\n"
    assert program("triage", "Don't remember this.").out == "Nothing: vetoed (opt-out).\n"


@pytest.mark.rest
def test_lines_are_answered_one_by_one_and_damaged_ones_named(program) -> None:
    ran = program("triage", "--jsonl", data=LINES)

    assert [(line["id"], line["miner"], line["validator"]) for line in ran.lines] == [
        ("1", True, None),
        (2, False, None),
        (None, False, "high"),
    ]
    assert [line.split(" is ")[0] for line in ran.err.splitlines()] == ["Line 4", "Line 5"]
    assert ran.code == 1


@pytest.mark.rest
def test_a_line_is_answered_before_the_next_one_comes(room) -> None:
    command = [sys.executable, "-m", "clawgit", "triage", "--jsonl"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=room.root, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "text": "hi"}).encode() + b"\n")
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.rest
def test_from_the_second_time_on_it_starts_with_nothing_heavy(program) -> None:
    heavy = {"click", "pygit2", "yaml", "markdown_it", "sqlite3", "re2", "re", "json"}
    assert "pygit2" in program("triage", "Don't forget the key.").modules

    again = program("triage", "Don't forget the key.")

    assert again.out == FOR_THE_MINER
    assert not heavy & again.modules


@pytest.mark.parametrize("words", [["triage", "-w", "{root}", "hi"], ["-w", "{root}", "triage", "hi"]])
def test_the_workspace_may_be_named_before_or_after(program, room, tmp_path, words) -> None:
    room.write("CONFIG.md", "```yaml\nheartbeat_custom_patterns: [/hi/ -> greeting]\n```\n")
    room.git("commit", "-qam", "patterns")
    for _ in range(2):
        ran = program(*(word.format(root=room.root) for word in words), root=tmp_path)
        assert ran.out == "For greeting:\n  Your own pattern. (custom:1)\n"
    assert "click" not in ran.modules


def test_outside_of_a_workspace_the_built_in_patterns_are_used(program, tmp_path) -> None:
    ran = program("triage", "Don't forget the key.", root=tmp_path)
    assert (ran.code, ran.out) == (0, FOR_THE_MINER)


@pytest.mark.rest
def test_a_pattern_that_cannot_be_run_is_named_every_time(program, room) -> None:
    room.write("CONFIG.md", "```yaml\nheartbeat_custom_patterns: [/(a/, /key/ -> keys]\n```\n")
    room.git("commit", "-qam", "patterns")
    for _ in range(2):
        ran = program("triage", "key")
        assert ran.out == "For keys:\n  Your own pattern. (custom:2)\n"
        assert "custom:1 is skipped: /(a/" in ran.err


def test_literally_means_the_source_patterns_alone(program) -> None:
    assert program("triage", "--literal", "the volcano, it's hot").out == (
        "For the validator (high confidence):\n"
        "  You should know this already. (E6)\n"
        "  Something is different from what was said or known. (S2)\n"
    )


@pytest.mark.rest
def test_a_message_may_come_from_stdin(program) -> None:
    assert program("triage", "-", data="Don’t forget the key.".encode()).out == FOR_THE_MINER


@pytest.mark.parametrize(
    "words", [["triage"], ["triage", "a", "--jsonl"], ["triage", "a", "b"], ["triage", "--x"]]
)
def test_words_that_do_not_fit_are_explained(program, words) -> None:
    ran = program(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err


def test_through_click_it_says_the_same(clawgit, room) -> None:
    assert clawgit("triage", "Don't forget the key.").out == FOR_THE_MINER
    assert clawgit("triage", "--json", "Don't forget the key.").data["miner"] is True


def test_config_check_names_patterns_that_cannot_be_run(clawgit, room) -> None:
    room.write(
        "CONFIG.md", "```yaml\nheartbeat_custom_patterns: [/(a/, {pattern: b, flags: i, route: x}]\n```\n"
    )

    said = clawgit("config", "check")

    assert said.code == 0
    assert "/(a/ is not run: missing )" in said.out
    assert said.out.count("is not run") == 1


@pytest.mark.parametrize(
    "item",
    [
        "/deploy now/i",
        "{pattern: /deploy now/i}",
        "{pattern: deploy now, flags: i}",
        "{pattern: /deploy now/, flags: i}",
    ],
)
def test_a_pattern_is_found_however_it_is_written(clawgit, room, item: str) -> None:
    room.write("CONFIG.md", f"```yaml\nheartbeat_custom_patterns: [{item}]\n```\n")
    room.keep("operator")
    assert clawgit("triage", "--json", "please DEPLOY NOW").data["miner"]
