"""A model behind a program: real processes that answer, fail, hang, write without end, or leave others behind.

Mutants that these tests caught: only the program itself ended, no limit on its answer, no time limit while it writes.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import time

import pytest

from clawgit.agents.models.answering_models import CommandModel, Program
from clawgit.agents.models.model import ModelError, ModelMessage, ModelQuestion

ASKED = ModelQuestion((ModelMessage("user", "Which words? 차"),), {"type": "object"}, 100)


@pytest.fixture
def program(tmp_path):
    """Return a function that makes a model of a shell script."""

    def make(script: str, *, seconds: float = 60, most_bytes: int = 100_000) -> CommandModel:
        path = tmp_path / "ask"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(stat.S_IRWXU)
        environment = {"PATH": os.environ["PATH"], "CLAWGIT_ACTOR": "host"}
        return CommandModel(Program((str(path), "one word"), tmp_path, environment, seconds, most_bytes))

    return make


def test_a_program_reads_the_question_and_writes_the_answer(program, tmp_path) -> None:
    model = program(
        """cat > question; echo "$1 $PWD $CLAWGIT_ACTOR" > seen; echo '{"text": "{}", "tokens": 7}'"""
    )

    reply = model.reply(ASKED)

    assert (reply.text, reply.tokens(ASKED)) == ("{}", 7)
    assert json.loads((tmp_path / "question").read_text()) == {
        "messages": [{"role": "user", "content": "Which words? 차"}],
        "schema": {"type": "object"},
        "max_tokens": 100,
    }
    assert (tmp_path / "seen").read_text().split() == ["one", "word", str(tmp_path), "host"]


@pytest.mark.parametrize("said", ["tea", "[]", '"tea"', "{}", '{"text": 5}', "", "[" * 50_000])
def test_what_it_writes_beside_the_form_is_no_answer(program, said, tmp_path) -> None:
    (tmp_path / "said").write_text(said)

    with pytest.raises(ModelError, match="did not write"):
        program("cat said").reply(ASKED)


TROUBLE = {
    "fails": ("echo no such model >&2; exit 3", r"failed \(status 3\): no such model"),
    "tells a key": (
        "echo key sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z refused >&2; exit 1",
        r"key \[redacted",
    ),
    "is killed": ("kill -9 $$", "status -9"),
    "hangs": ("sleep 3600", "did not answer within"),
    "hangs with its output closed": ("exec >&- 2>&-; sleep 3600", r"did not (answer|end) within"),
    "hangs and goes on writing": ("while :; do echo x; sleep 0.01; done", "did not answer within"),
    "never stops": ("yes", "too great length"),
    "complains without end": ("yes >&2", "did not answer within"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("script", "told"), TROUBLE.values(), ids=TROUBLE)
def test_a_program_that_does_not_answer_is_ended(program, script, told) -> None:

    with pytest.raises(ModelError, match=told):
        program(script, seconds=0.5 if "did not" in told else 3600).reply(ASKED)


def test_what_a_program_started_ends_with_it(program, tmp_path) -> None:
    with pytest.raises(ModelError):
        program("sleep 3600 & echo $! > child; exec yes").reply(ASKED)

    child = (tmp_path / "child").read_text().strip()
    while _state(child) not in ("", "Z"):
        time.sleep(0.02)


def _state(process: str) -> str:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", process], capture_output=True, text=True, check=False)
    return shown.stdout.strip()[:1]


@pytest.mark.parametrize("mode", [0o600, None], ids=["not executable", "gone"])
def test_a_program_that_cannot_be_run_is_a_sentence(program, mode) -> None:
    model = program("true")
    path = model.program.argv[0]
    os.chmod(path, mode) if mode else os.unlink(path)  # noqa: PTH101, PTH108

    with pytest.raises(ModelError, match="cannot be run"):
        model.reply(ASKED)


def test_a_long_question_goes_through_whole(program) -> None:
    asked = ModelQuestion((ModelMessage("user", "x" * 3_000_000),), {}, 100)

    assert json.loads(program("""printf '{"text": "%s"}' $(wc -c)""").reply(asked).text) > 3_000_000
