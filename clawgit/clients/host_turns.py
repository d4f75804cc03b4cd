"""The request for memory in a host's session event, and the lines for the host's model. Pure."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clawgit.clients.connect import CLAUDE_CODE, CODEX
from clawgit.context.kept_lines import CLOSE, OPEN
from clawgit.memory.trust import OPERATOR
from clawgit.text.strict_json import part_of

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CHARACTERS: Final = 9900  # of which the context takes 9,500 at most
MOST_HITS, MOST_TOKENS = 5, 400
FIRST_DAY: Final = datetime(2020, 1, 1, tzinfo=UTC)  # before that there were no such hosts


Place = tuple[str, str]  # a host and its session
_WRITTEN: Final = {
    "corrected": "The user corrected memory, and it says so now",
    "remembered": "The user asked to remember this, and memory has it",
}


class HostEvent(NamedTuple):
    """One event: its host, its fields, signs in its environment, its time, and until when its hook waits."""

    host: str
    said: Mapping[str, Any]
    signs: Mapping[str, str]
    at: datetime
    until: float = inf

    @property
    def name(self) -> str:
        return self.text("hook_event_name")

    @property
    def session(self) -> str:
        return self.text("session_id")

    @property
    def place(self) -> Place:
        return self.host, self.session

    def text(self, name: str) -> str:
        value = self.said.get(name)
        if isinstance(value, str):
            return value.replace("\0", "")
        return ""

    @property
    def turn(self) -> str:
        """Return the host's id of the turn, which the prompt and its answer share."""
        return self.text("prompt_id") or self.text("turn_id")


def event_of(host: str, params: Mapping[str, Any]) -> HostEvent:
    signs = {name: str(value) for name, value in part_of(params, "signs").items()}
    until = params.get("until")
    if not isinstance(until, float):
        until = inf
    at = now = datetime.now(UTC)
    with suppress(KeyError, TypeError, ValueError, OverflowError, OSError):
        moment = datetime.fromtimestamp(params["at"], UTC)
        if FIRST_DAY <= moment <= now + timedelta(days=1):
            at = moment
    return HostEvent(host, part_of(params, "said"), signs, at, until)


def is_attended(event: HostEvent) -> bool:
    """Say whether a person sits before Claude Code, by its environment; not if a program started it with a prompt."""
    is_typed = event.signs.get("CLAUDE_CODE_ENTRYPOINT") == "cli"
    is_attended = event.signs.get("CLAUDE_CODE_SESSION_ATTENDED") == "1"
    return event.host == CLAUDE_CODE and is_typed and is_attended


def rollout_of(event: HostEvent) -> str:
    """Return the file in which Codex notes who started the session; empty for other hosts."""
    path = event.text("transcript_path")
    if event.host == CODEX and path.endswith(".jsonl"):
        return path
    return ""


def message_of_event(event: HostEvent, *, by_person: bool) -> dict[str, Any] | None:
    """Return the message in an event, for `message.in`; None if there is none."""
    role, kind, field = "assistant", "answer", "last_assistant_message"
    if event.name == "UserPromptSubmit":
        role, kind, field = "user", "prompt", "prompt"
    text = event.text(field)
    if not text.strip() or event.name not in ("UserPromptSubmit", "Stop"):
        return None
    words = f"{event.at.timestamp():.3f}{text}".encode("utf-8", "replace")
    message = {
        "text": text,
        "role": role,
        **place_of(event),
        "id": f"{kind}-{event.turn or sha256(words).hexdigest()[:16]}",
        "at": event.at.isoformat(timespec="milliseconds"),
    }
    if role == "user":
        message["proved"] = "operator" if by_person else "other"
    return message


def place_of(event: HostEvent) -> dict[str, str]:
    conversation = event.text("cwd") or event.session
    return {"channel": event.host, "conversation": conversation, "session": event.session}


def cited(message: Mapping[str, Any]) -> list[str]:
    """Return the line that tells the model the id of a message of the operator's."""
    if message.get("trust") == OPERATOR:
        return [f"This message is {message['id']}."]
    return []


def told_of(message: Mapping[str, Any]) -> list[str]:
    """Return lines for the model on a stored message: what came of it, or what to do."""
    lines = []
    answers = message.get("answered")
    if answers:
        text = " ".join(f"{each['question']} {each['word']}: {each['says']}" for each in answers)
        lines.append(f"The user answered questions about memory; tell them what was done. {text}")
    entries = message.get("maybe_corrects")
    if entries:
        named = "; ".join(f'{each["path"]} "{each["text"]}"' for each in entries[:3])
        row = ""
        if any(each["text"].startswith("|") for each in entries[:3]):
            row = " (a sentence of a row, too; no row)"
        text = f"The user may be correcting memory: {named}. If so, call memory_correct with that line, the whole right"
        lines.append(f"{text} sentence in their words{row}, and evidence {message['id']}.")
    for name, says in _WRITTEN.items():
        if message.get(name):
            written = "; ".join(f'{each["path"]} "{each["text"]}"' for each in message[name])
            lines.append(f"{says}: {written}. Do not write it down again.")
    lines += _told_back(message)
    forgotten = message.get("forgotten")
    commands = ", ".join(f"`{each['command']}`" for each in message.get("to_forget", ()))
    if forgotten:
        text = f"{forgotten['place']} is gone (`clawgit undo {forgotten['undo']}`)"
        lines.append(f"The user asked to forget something: {text}. Do not write it down again.")
    elif "kept_out" in message:
        lines.append("The user asked to forget what they said. Do not write it down again.")
    elif "to_forget" in message:
        lines.append("The user asked to forget something; nothing was removed.")
    if commands:
        text = "If it is plain which line they mean, call memory_forget with its id or place and evidence"
        text += f" {message['id']}; else tell them the commands that remove what says so, or may: {commands}."
        lines.append(text)
    why_not = message.get("not_kept")
    if why_not:
        why_not = why_not.rstrip(".")
        lines.append(f"The user asked to remember this, and it is not in memory: {why_not}. Say so.")
    return lines


def _told_back(message: Mapping[str, Any]) -> list[str]:
    """Return lines for the model on a message that takes back an earlier one."""
    stays = message.get("not_taken_back")
    if stays:
        return [f"The user took back what they said before, and nothing was undone. {stays}"]
    back = message.get("took_back")
    if not back:
        return []
    written = "; ".join(f'{each["path"]} "{each["text"]}"' for each in back["lines"])
    says = ""
    if back["undo"]:
        says = f"What rested on that is undone (`clawgit undo {back['undo']}`)."
    says = " ".join(filter(None, [says, written, *back["notes"]]))
    return [f"The user took back what they said before. {says}"]


def injected(event: HostEvent, lines: list[str]) -> dict[str, Any]:
    """Return the answer that puts lines before the host's model; empty if there are none."""
    text_lines = "\n".join(lines)
    if len(text_lines) > MOST_CHARACTERS:
        text_lines = text_lines[:MOST_CHARACTERS].rpartition("\n")[0] or text_lines[:MOST_CHARACTERS]
    if not text_lines:
        return {}
    text = f"{OPEN}\n{text_lines}\n{CLOSE}"
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": text}}
