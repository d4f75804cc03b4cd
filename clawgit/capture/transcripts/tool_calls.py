"""The commands that an agent ran, as a transcript tells them: each with how it ended, and what a person said before it. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.capture.transcripts.importing import Wish, in_use, open_transcript, source_of
from clawgit.capture.transcripts.transcript_formats import read_line
from clawgit.capture.transcripts.transcript_lines import (
    first_of,
    lines_of,
    moment_of,
    object_of,
    part_of,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.transcripts.transcript_source import Format, Source

MOST_OUTPUT = 2000  # characters of what a command printed: its end says how it went
_NAMES = ("command", "cmd", "script")
_SHELL = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh")
_EXIT = re.compile(
    r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)|exit_code\W{1,4}|returned)[: ]{0,3}(\d{1,3})\b"
)
_NOT_RUN = ("doesn't want to proceed", "interrupted by user", "was rejected", "Permission to use")


class Ran(NamedTuple):
    """One command: its id in the transcript, when, whether it failed (None: nobody knows), and the end of what it printed.

    ``heard`` is what a person said since the command before.
    """

    call_id: str
    command: str
    at: datetime | None
    failed: bool | None = None
    output: str = ""
    heard: tuple[str, ...] = ()


def commands_of(path: Path) -> tuple[str, list[Ran]]:
    """Return the session of a transcript and its commands.

    Raises:
        OSError: It cannot be read.
    """
    with open_transcript(path) as file:
        source = source_of(file, path, Wish())
        file.seek(0)
        commands = commands_in((line for line, _ in lines_of(file) if line is not None), source)
    return "".join((source.session or in_use(path).stem).split()), commands


def commands_in(lines: Iterable[bytes], source: Source) -> list[Ran]:
    """Return the commands of a transcript in their order; other tools, and what nobody let run, are passed over."""
    found: dict[str, Ran] = {}
    heard: list[str] = []
    for line in lines:
        said = object_of(line)
        if said is None:
            continue
        spoken = read_line(line, source).heard
        if spoken is not None and spoken.role == "user" and not (spoken.external or spoken.group):
            heard.append(spoken.text)
        for call_id, command in _calls(said, source.format):
            found[call_id] = Ran(call_id, command, _moment(said), heard=tuple(heard))
            heard = []
        for call_id, failed, output in _results(said, source.format):
            if call_id in found:
                found[call_id] = found[call_id]._replace(failed=failed, output=output[-MOST_OUTPUT:])
    return [ran for ran in found.values() if not any(words in ran.output for words in _NOT_RUN)]


def _calls(said: dict[str, Any], kind: Format) -> Iterator[tuple[str, str]]:
    """Yield the ids and commands of the calls in a line."""
    for block in _blocks(said, kind):
        given = next((block[name] for name in ("input", "arguments") if name in block), None)
        command = _command(given)
        name = first_of(block, "id", "call_id", "toolCallId")
        if block.get("type") in ("tool_use", "toolCall", "function_call", "function") and name and command:
            yield name, command


def _blocks(said: dict[str, Any], kind: Format) -> list[dict[str, Any]]:
    if kind == "codex":
        payload = part_of(said, "payload")
        return [{**payload, "id": first_of(payload, "call_id")}] if payload else []
    message = _message(said)
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    asked = message.get("tool_calls")
    for call in asked if isinstance(asked, list) else []:
        if isinstance(call, dict):
            blocks.append({**part_of(call, "function"), "id": first_of(call, "id"), "type": "function"})
    return blocks


def _results(said: dict[str, Any], kind: Format) -> Iterator[tuple[str, bool | None, str]]:
    """Yield the ids of calls whose results a line has, whether they failed, and what they printed."""
    if kind == "codex":
        payload = part_of(said, "payload")
        if payload.get("type") == "function_call_output":
            yield first_of(payload, "call_id"), *_codex_output(payload.get("output"))
        return
    message = _message(said)
    if message.get("role") in ("toolResult", "tool"):
        output = text_of(message.get("content")) or str(message.get("text") or "")
        code = part_of(message, "details").get("exitCode")
        failed = bool(code) if isinstance(code, int) else _failed(message.get("isError"), output)
        yield first_of(message, "toolCallId", "tool_call_id"), failed, output
    for block in _blocks(said, kind):
        if block.get("type") == "tool_result":
            output = text_of(block.get("content"))
            yield first_of(block, "tool_use_id"), _failed(block.get("is_error", False), output), output


def _codex_output(said: object) -> tuple[bool | None, str]:
    told = object_of(said.encode("utf-8", "replace")) if isinstance(said, str) else None
    told = said if isinstance(said, dict) else told
    if told is None:
        return _failed(None, str(said or "")), str(said or "")
    code = part_of(told, "metadata").get("exit_code")
    output = str(told.get("output") or "")
    return (code != 0 if isinstance(code, int) else _failed(None, output)), output


def _failed(told: object, output: str) -> bool | None:
    """Return whether a call failed: by what its host says, else by the exit status in its output."""
    found = _EXIT.search(output[:200])
    if found is not None:
        return int(found[1]) != 0
    return told if isinstance(told, bool) else None


def _message(said: dict[str, Any]) -> dict[str, Any]:
    return part_of(said, "message") or said


def _command(given: object) -> str:
    """Return the command of a call's arguments, empty where it runs none."""
    told = object_of(given.encode("utf-8", "replace")) if isinstance(given, str) else given
    if not isinstance(told, dict):
        return ""
    command = next((told[name] for name in _NAMES if name in told), None)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        words = command[2:] if len(command) > 2 and command[0] in _SHELL else command
        return " ".join(words).strip()
    return command.strip() if isinstance(command, str) else ""


def _moment(said: dict[str, Any]) -> datetime | None:
    message = part_of(said, "message")
    return next(filter(None, (moment_of(each.get("timestamp")) for each in (said, message))), None)
