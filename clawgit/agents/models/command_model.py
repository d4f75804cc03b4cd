"""A model behind a program of the operator's: JSON in, JSON out, within a time and a length, and nothing left running."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clawgit.agents.models.model import ModelError, Reply
from clawgit.text.safety.control_characters import one_line
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clawgit.agents.models.model import Asked


_SLICE = 64 * 1024
_KEPT_COMPLAINT = 2000


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its arguments, the folder and the environment it runs in, and what it may take."""

    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    seconds: float
    most_bytes: int

    def answer(self, question: bytes) -> bytes:
        """Return what the program writes when it reads ``question``; its whole process group ends with it."""
        try:
            running = self._started(question)
        except OSError as error:
            told = f"{self.argv[0]} cannot be run ({error.strerror or error})."
            raise ModelError(told, hint="`model` in CONFIG.md names it.") from error
        with running:
            try:
                return self._heard(running)
            finally:
                _end(running)

    def _started(self, question: bytes) -> subprocess.Popen[bytes]:
        with tempfile.TemporaryFile() as given:
            given.write(question)
            given.seek(0)
            return subprocess.Popen(
                self.argv,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=dict(self.environment),
                start_new_session=True,
            )

    def _heard(self, running: subprocess.Popen[bytes]) -> bytes:
        deadline = time.monotonic() + self.seconds
        said, complaint = bytearray(), bytearray()
        assert running.stdout is not None
        assert running.stderr is not None
        with selectors.DefaultSelector() as open_ends:
            open_ends.register(running.stdout, selectors.EVENT_READ, said)
            open_ends.register(running.stderr, selectors.EVENT_READ, complaint)
            while open_ends.get_map():
                for key, _ in open_ends.select(max(0.0, deadline - time.monotonic())):
                    piece = os.read(key.fd, _SLICE)
                    key.data.extend(piece)
                    if not piece:
                        open_ends.unregister(key.fileobj)
                del complaint[:-_KEPT_COMPLAINT]
                self._check(len(said), deadline)
        self._check_end(running, deadline, complaint)
        return bytes(said)

    def _check(self, length: int, deadline: float) -> None:
        if length > self.most_bytes:
            raise ModelError(f"{self.argv[0]} answers at too great length.", reached=True)
        if time.monotonic() > deadline:
            raise ModelError(f"{self.argv[0]} did not answer within {self.seconds:g} seconds.", reached=True)

    def _check_end(self, running: subprocess.Popen[bytes], deadline: float, complaint: bytearray) -> None:
        try:
            status = running.wait(max(0.05, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            told = f"{self.argv[0]} did not end within {self.seconds:g} seconds."
            raise ModelError(told, reached=True) from error
        if status:
            said = one_line(redact(complaint.decode("utf-8", "replace")))[-160:]
            raise ModelError(
                f"{self.argv[0]} failed (status {status}){f': {said}' if said else ''}.", reached=True
            )


def _end(running: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(running.pid, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class CommandModel:
    """A program that reads `{"messages", "schema", "max_tokens"}` and writes `{"text"}`, maybe with `"tokens"`."""

    program: Program

    @property
    def name(self) -> str:
        """Return the program with its arguments."""
        return f"command {' '.join(self.program.argv)}"

    def reply(self, asked: Asked) -> Reply:
        """Return what the program says; see `Model`."""
        question = {
            "messages": [{"role": message.role, "content": message.text} for message in asked.messages],
            "schema": asked.schema,
            "max_tokens": asked.most_tokens,
        }
        said = self.program.answer(json.dumps(question).encode())
        try:
            answer = json.loads(said)
            return Reply(_text(answer), answer.get("tokens"))
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ModelError(
                f'{self.program.argv[0]} did not write {{"text": …}}.',
                hint="docs/models.md says what it is asked and what it answers.",
                reached=True,
            ) from error


def _text(answer: Any) -> str:
    text = answer["text"]
    if not isinstance(text, str):
        raise TypeError("text is no text")
    return text
