"""Models over HTTP (OpenAI's `/chat/completions` dialect, Anthropic), a program of the operator's, a connected host; rerankers."""

from __future__ import annotations

import json
import math
import os
import selectors
import signal
import subprocess
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clawgit.agents.models.model import ModelError, ModelQuestion, Reply
from clawgit.client import connected
from clawgit.http_client import RefusedError, Service, ServiceError
from clawgit.text.safety.control_characters import one_line
from clawgit.text.safety.secrets import redact
from clawgit.text.strict_json import part_of
from clawgit.workspace.user.connections import (
    connections_folder,
    connections_to,
    read_connections,
    read_token,
)
from clawgit.workspace.user.user_file import user_config_dir

if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clawgit.workspace.user.connections import Connection

NOT_UNDERSTOOD = frozenset({400, 422})
_NO_SUCH_PLACE = 404
_NOT_THERE = "Is the model's name right, and does `model_url` end before /chat/completions (mostly with /v1)?"
_ANSWER = "answer"
SHORTEST_KEY = 16  # a shorter one (`none`, `lm-studio`) is a placeholder, and may be a word of the answer
PATHS = ("/rerank", "/reranking")
_SLICE = 64 * 1024
_KEPT_COMPLAINT = 2000
_MOMENT = 0.2
HOST: Final = "host"
MODEL_DOOR: Final = "modelSocket"  # its name in the plugin's settings
MOST_BYTES: Final = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Dialect:
    """The protocol of one kind of service: path, request, the answer's schema, response."""

    path: str
    body: Callable[[str, ModelQuestion], dict[str, Any]]
    shape: Callable[[ModelQuestion], dict[str, Any]]
    reply: Callable[[Any], Reply]


def _chat(model: str, question: ModelQuestion, *, limit: str = "max_tokens") -> dict[str, Any]:
    return {"model": model, "messages": question.spoken(), limit: question.most_tokens, "stream": False}


def _chat_shape(question: ModelQuestion) -> dict[str, Any]:
    shape = {"name": _ANSWER, "schema": question.schema, "strict": False}
    return {"response_format": {"type": "json_schema", "json_schema": shape}}


def _chat_reply(answer: Any) -> Reply:
    choice = answer["choices"][0]
    text = _in_parts(choice["message"]["content"] or "")
    used = _used(answer, "total_tokens") or _used(answer, "prompt_tokens", "completion_tokens")
    return Reply(_text(text), used, cut=choice.get("finish_reason") == "length")


def _anthropic(model: str, question: ModelQuestion) -> dict[str, Any]:
    system = "\n\n".join(message.text for message in question.messages if message.role == "system")
    messages = [each for each in question.spoken() if each["role"] != "system"]
    limit = {"max_tokens": question.most_tokens, "stream": False}
    return {"model": model, "system": system, "messages": messages, **limit}


def _anthropic_shape(question: ModelQuestion) -> dict[str, Any]:
    tool = {"name": _ANSWER, "description": "Give the answer.", "input_schema": question.schema}
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": _ANSWER}}


def _anthropic_reply(answer: Any) -> Reply:
    given = [block["input"] for block in answer["content"] if block.get("type") == "tool_use"]
    text = json.dumps(given[0]) if given else _text(_in_parts(answer["content"]))
    used = _used(answer, "input_tokens", "output_tokens")
    return Reply(text, used, cut=answer.get("stop_reason") == "max_tokens")


def _in_parts(content: Any) -> Any:
    """Return the text parts of an answer without thoughts; other content unchanged."""
    if not isinstance(content, list):
        return content
    return "".join(part["text"] for part in content if part.get("type") == "text")


def _used(answer: Any, *names: str) -> int | None:
    usage = part_of(answer, "usage")
    counts: list[Any] = [usage.get(name) for name in names]
    if all(type(each) is int for each in counts):
        return int(sum(counts))
    return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("what it says is no text")
    return value


_openai_chat = partial(_chat, limit="max_completion_tokens")  # newer models refuse the older name
OPENAI = Dialect("/chat/completions", _openai_chat, _chat_shape, _chat_reply)
COMPATIBLE = Dialect("/chat/completions", _chat, _chat_shape, _chat_reply)
ANTHROPIC = Dialect("/messages", _anthropic, _anthropic_shape, _anthropic_reply)


@dataclass(slots=True)
class RemoteModel:
    """A model behind a service; without schema support, the prompt alone describes the shape."""

    dialect: Dialect
    model: str
    service: Service
    _shapes: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        return f"{self.model} at {self.service.place}"

    def reply(self, question: ModelQuestion) -> Reply:
        try:
            answer = self._post(question)
        except ServiceError as error:
            hint = error.hint
            if isinstance(error, RefusedError) and error.status == _NO_SUCH_PLACE:
                hint = _NOT_THERE
            raise ModelError(error.message, hint=hint, reached=error.reached) from error
        try:
            reply = self.dialect.reply(answer)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            complaint = self.service.complaint_in(answer)
            if complaint:
                says, hint = f"did not answer: {complaint}.", ""
            else:
                says = "did not answer as a model does."
                hint = f"Does `model_url` with {self.dialect.path} behind it serve one?"
            raise ModelError(f"{self.service.place} {says}", hint=hint, reached=True) from error
        if len(self.service.key) >= SHORTEST_KEY:
            return reply._replace(text=self.service.without_key(reply.text))
        return reply

    def _post(self, question: ModelQuestion) -> Any:
        body = self.dialect.body(self.model, question)
        began = time.monotonic()
        if self._shapes:
            try:
                return self.service.post(self.dialect.path, body | self.dialect.shape(question), began=began)
            except RefusedError as error:
                if error.status not in NOT_UNDERSTOOD:
                    raise
        answer = self.service.post(self.dialect.path, body, began=began)
        self._shapes = False
        return answer


@dataclass(frozen=True, slots=True)
class Reranker:
    """One service at its full address, and the model to use there, if it has several."""

    service: Service
    model: str = ""

    @property
    def name(self) -> str:
        return f"{self.model or 'the reranker'} at {self.service.place}"

    def scores(self, question: str, texts: Sequence[str], began: float) -> list[float]:
        """Return a score for each text; the timeout counts from ``began`` over all requests."""
        try:
            answer = self._post(question, list(texts), began)
        except ServiceError as error:
            raise ModelError(error.message, hint=error.hint) from error
        try:
            return _scores(answer, len(texts))
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            says, hint = "did not answer with scores.", "Does `reranker_url` serve a reranker?"
            raise ModelError(f"{self.service.place} {says}", hint=hint) from error

    def _post(self, question: str, texts: list[str], began: float) -> Any:
        body: dict[str, Any] = {"query": question, "documents": texts, "top_n": len(texts)}
        if self.model:
            body["model"] = self.model
        try:
            return self.service.post("", body, began=began)
        except RefusedError as first:
            if first.status not in NOT_UNDERSTOOD:
                raise
            try:  # in TEI's form; if that fails too, the first error is raised
                other = {"query": question, "texts": texts, "truncate": True}
                return self.service.post("", other, began=began)
            except RefusedError as error:
                raise first from error


def _scores(answer: Any, count: int) -> list[float]:
    items = answer["results"] if isinstance(answer, dict) else answer
    scores: dict[int, float] = {}
    for item in items:
        place, score = item["index"], item["score"] if "score" in item else item["relevance_score"]
        if type(place) is not int or not 0 <= place < count or place in scores or not math.isfinite(score):
            raise ValueError("no score of one of these texts")
        scores[place] = float(score)
    if not scores:
        raise ValueError("no scores")
    return [scores.get(place, -math.inf) for place in range(count)]


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its arguments, folder, environment and limits."""

    argv: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    seconds: float
    most_bytes: int

    def answer(self, question: bytes) -> bytes:
        name = self.argv[0]
        try:
            status, output, complaint = self.run(question)
        except OSError as error:
            sentence = f"{name} cannot be run ({error.strerror or error})."
            raise ModelError(sentence, hint="`model` in CONFIG.md names it.") from error
        if len(output) > self.most_bytes:
            raise ModelError(f"{name} answers at too great length.", reached=True)
        if status is None:
            raise ModelError(f"{name} did not answer within {self.seconds:g} seconds.", reached=True)
        if status:
            says = one_line(redact(complaint.decode("utf-8", "replace")))[-160:]
            why = f": {says}" if says else ""
            raise ModelError(f"{name} failed (status {status}){why}.", reached=True)
        return output

    def run(self, question: bytes) -> tuple[int | None, bytes, bytes]:
        """Run it without a shell, ``question`` on its stdin; its whole process group ends with this call.

        Return its exit status (None where it had to be stopped), its output, and stderr.
        """
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

    def _heard(self, running: subprocess.Popen[bytes]) -> tuple[int | None, bytes, bytes]:
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
                    break  # a child may keep the output open; it is not waited for
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
        return status, bytes(output), bytes(complaint)


@dataclass(frozen=True, slots=True)
class CommandModel:
    """A program that reads `{"messages", "schema", "max_tokens"}` and writes `{"text"}`, maybe with `"tokens"`."""

    program: Program

    @property
    def name(self) -> str:
        return f"command {' '.join(self.program.argv)}"

    def reply(self, model_question: ModelQuestion) -> Reply:
        question = {
            "messages": model_question.spoken(),
            "schema": model_question.schema,
            "max_tokens": model_question.most_tokens,
        }
        written = self.program.answer(json.dumps(question).encode())
        try:
            answer = json.loads(written)
            return Reply(_text(answer["text"]), answer.get("tokens"))
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            says = f'{self.program.argv[0]} did not write {{"text": …}}.'
            hint = "docs/models.md says what it is asked and what it answers."
            raise ModelError(says, hint=hint, reached=True) from error


@dataclass(frozen=True, slots=True)
class HostModel:
    """A model behind the socket at ``place``; empty if no connected host lends one."""

    place: str
    token: str
    seconds: float

    @property
    def name(self) -> str:
        return HOST

    def reply(self, model_question: ModelQuestion) -> Reply:
        if not self.place or not self.token:
            says = "No host that is connected to this workspace lends a model."
            raise ModelError(says, hint="`clawgit connect openclaw`.")
        question = {
            "token": self.token,
            "messages": model_question.spoken(),
            "max_tokens": model_question.most_tokens,
        }
        try:
            connection = connected(self.place)
        except OSError as error:
            says = "The host's model cannot be asked: its Gateway does not answer."
            raise ModelError(says, hint="`openclaw gateway status`.") from error
        line = json.dumps(question).encode() + b"\n"
        with closing(connection):
            try:
                written = _exchanged(connection, line, time.monotonic() + self.seconds)
            except OSError as error:
                raise ModelError(f"The host's model gave no answer ({error}).", reached=True) from error
        try:
            answer: Any = json.loads(written)
            text = answer.get("text")
        except (ValueError, AttributeError, RecursionError) as error:
            raise ModelError("The host's model did not answer in JSON.", reached=True) from error
        if not isinstance(text, str):
            why = str(answer.get("error") or "it said nothing")
            raise ModelError(f"The host's model failed: {why[:500]}", reached=answer.get("reached") is True)
        return Reply(text, answer.get("tokens"), answer.get("cut") is True)


def host_model(environment: Mapping[str, str], root: Path, seconds: float) -> HostModel:
    """Return the model of the host connected to the workspace."""
    folder = connections_folder(user_config_dir(environment, Path.home()))
    for connection in read_connections(folder):
        if connection.workspace == root and (place := _door(connections_to(folder, connection.host))):
            return HostModel(place, read_token(folder, connection.name) or "", seconds)
    return HostModel("", "", seconds)


def _door(connections: Iterable[Connection]) -> str:
    records = chain.from_iterable(connection.changed for connection in connections)
    for put in chain.from_iterable(record.get("puts", ()) for record in records):
        value = put.get("value")
        if isinstance(value, dict) and MODEL_DOOR in value:
            return str(value[MODEL_DOOR])
    return ""


def _exchanged(connection: socket, line: bytes, until: float) -> bytes:
    connection.settimeout(max(until - time.monotonic(), 0.001))
    connection.sendall(line)
    answer = b""
    while not answer.endswith(b"\n"):
        connection.settimeout(max(until - time.monotonic(), 0.001))
        part = connection.recv(65536)
        if not part or len(answer) > MOST_BYTES:
            raise OSError("it ended too soon" if not part else "it has no end")
        answer += part
    return answer
