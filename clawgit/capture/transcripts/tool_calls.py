"""The commands that an agent ran, as a transcript tells them: each with how it ended, and what a person said before it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clawgit.capture.transcripts.importing import FORMATS, open_transcript, read_line, source_of
from clawgit.capture.transcripts.transcript_source import (
    Wish,
    first_of,
    in_use,
    lines_of,
    moment_of,
    object_of,
    part_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from clawgit.capture.transcripts.transcript_source import Format, Source

MOST_OUTPUT = 2000  # characters of what a command printed: its end says how it went
_NAMES = ("command", "cmd", "script")
_SHELL = ("bash", "sh", "zsh", "/bin/bash", "/bin/sh")
_NOT_RUN = ("doesn't want to proceed", "interrupted by user", "was rejected", "Permission to use")


class Ran(NamedTuple):
    """One command: its id in the transcript, when, whether it failed (None: nobody knows), and the end of what it printed."""

    call_id: str
    command: str
    at: datetime | None
    failed: bool | None = None
    output: str = ""
    heard: tuple[str, ...] = ()


def commands_of(path: Path) -> tuple[str, list[Ran]]:
    """Return the session of a transcript and its commands."""
    with open_transcript(path) as file:
        source = source_of(file, path, Wish())
        file.seek(0)
        commands = commands_in((line for line, _ in lines_of(file) if line is not None), source)
    return "".join((source.session or in_use(path).stem).split()), commands


def commands_in(lines: Iterable[bytes], source: Source) -> list[Ran]:
    """Return the commands of a transcript in their order; other tools, and what nobody let run, are passed over."""
    kind = FORMATS[source.format]
    commands: dict[str, Ran] = {}
    sentences: list[str] = []
    for line in lines:
        record = object_of(line)
        if record is None:
            continue
        spoken = read_line(line, source).heard
        if spoken is not None and spoken.role == "user" and not (spoken.external or spoken.group):
            sentences.append(spoken.text)
        for call_id, command in _calls(record, kind):
            inner = part_of(record, "message").get("timestamp")
            at = moment_of(record.get("timestamp")) or moment_of(inner)
            commands[call_id] = Ran(call_id, command, at, heard=tuple(sentences))
            sentences = []
        for call_id, failed, output in kind.results(record):
            if call_id in commands:
                commands[call_id] = commands[call_id]._replace(failed=failed, output=output[-MOST_OUTPUT:])
    return [ran for ran in commands.values() if not any(words in ran.output for words in _NOT_RUN)]


def _calls(record: dict[str, Any], kind: Format) -> Iterator[tuple[str, str]]:
    for block in kind.blocks(record):
        arguments = next((block[name] for name in ("input", "arguments") if name in block), None)
        command = _command(arguments)
        name = first_of(block, "id", "call_id", "toolCallId")
        if block.get("type") in ("tool_use", "toolCall", "function_call", "function") and name and command:
            yield name, command


def _command(arguments: object) -> str:
    if isinstance(arguments, str):
        arguments = object_of(arguments.encode("utf-8", "replace"))
    if not isinstance(arguments, dict):
        return ""
    command = next((arguments[name] for name in _NAMES if name in arguments), None)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        words = command[2:] if len(command) > 2 and command[0] in _SHELL else command
        return " ".join(words).strip()
    return command.strip() if isinstance(command, str) else ""
