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
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.agents.models.model import ModelError, Reply
from clawgit.text.safety.control_characters import one_line
from clawgit.text.safety.secrets import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clawgit.agents.models.model import Asked


_SLICE = 64 * 1024
_KEPT_COMPLAINT = 2000
_MOMENT = 0.2


class Ended(NamedTuple):
    """What a program wrote, and its exit status; None where it had to be stopped."""

    status: int | None
    output: bytes
    complaint: bytes


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its arguments, the folder and the environment it runs in, and what it may take."""

    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    seconds: float
    most_bytes: int

    def answer(self, question: bytes) -> bytes:
        """Return what the program writes when it reads ``question``."""
        name = self.argv[0]
        try:
            ended = self.run(question)
        except OSError as error:
            told = f"{name} cannot be run ({error.strerror or error})."
            raise ModelError(told, hint="`model` in CONFIG.md names it.") from error
        if len(ended.output) > self.most_bytes:
            raise ModelError(f"{name} answers at too great length.", reached=True)
        if ended.status is None:
            raise ModelError(f"{name} did not answer within {self.seconds:g} seconds.", reached=True)
        if ended.status:
            said = one_line(redact(ended.complaint.decode("utf-8", "replace")))[-160:]
            why = f": {said}" if said else ""
            raise ModelError(f"{name} failed (status {ended.status}){why}.", reached=True)
        return ended.output

    def run(self, question: bytes) -> Ended:
        """Run it without a shell, ``question`` on its stdin; its whole process group ends with this call."""
        with tempfile.TemporaryFile() as given:
            given.write(question)
            given.seek(0)
            running = subprocess.Popen(
                self.argv,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=dict(self.environment),
                start_new_session=True,
            )
        with running:
            try:
                return self._heard(running)
            finally:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(running.pid, signal.SIGKILL)

    def _heard(self, running: subprocess.Popen[bytes]) -> Ended:
        deadline = time.monotonic() + self.seconds
        output = bytearray()
        complaint = bytearray()
        assert running.stdout is not None
        assert running.stderr is not None
        with selectors.DefaultSelector() as open_ends:
            open_ends.register(running.stdout, selectors.EVENT_READ, output)
            open_ends.register(running.stderr, selectors.EVENT_READ, complaint)
            while open_ends.get_map() and len(output) <= self.most_bytes:
                has_ended = running.poll() is not None
                left = deadline - time.monotonic()
                ready = open_ends.select(max(0.0, min(left, _MOMENT)))
                if left < 0 or (has_ended and not ready):
                    break  # a child of its own may hold its output, and is not waited for
                for key, _ in ready:
                    piece = os.read(key.fd, _SLICE)
                    key.data.extend(piece)
                    if not piece:
                        open_ends.unregister(key.fileobj)
                del complaint[:-_KEPT_COMPLAINT]
        status = None
        if len(output) <= self.most_bytes:
            with suppress(subprocess.TimeoutExpired):
                status = running.wait(max(0.05, deadline - time.monotonic()))
        return Ended(status, bytes(output), bytes(complaint))


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
            "messages": asked.spoken(),
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
