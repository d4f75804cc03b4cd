"""Messages and transcripts as the program reads them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from benchmarks.year.planted_year import MAIN, Said

if TYPE_CHECKING:
    from datetime import datetime

OPERATOR = "op-1"


def message_line(said: Said, at: datetime) -> dict[str, str] | None:
    """Return a message as a line; None where only a command of its own can bring it."""
    if said.stranger or said.external:
        return None
    line = {"id": said.key, "role": said.role, "text": said.text, "at": at.isoformat(), "conversation": MAIN}
    return line | {"sender": OPERATOR if said.role == "user" else "agent"}


def transcript_lines(name: str, fails: str, works: str, now: datetime) -> list[dict[str, Any]]:
    """Return a session in which a command failed and another one then worked."""
    lines = [_turn(name, 0, now, "user", "please go on with it")]
    for number, (command, failed) in enumerate(((fails, True), (works, False)), start=1):
        call = f"{name}-{number}"
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
        said = "ModuleNotFoundError" if failed else "ok"
        result = {"type": "tool_result", "tool_use_id": call, "is_error": failed, "content": said}
        lines += [_turn(name, number, now, "assistant", [use]), _turn(name, number, now, "user", [result])]
    return lines


def _turn(name: str, minute: int, now: datetime, role: str, content: object) -> dict[str, Any]:
    return {
        "type": role,
        "uuid": f"{name}{role}{minute}",
        "sessionId": name,
        "timestamp": (now + timedelta(minutes=minute)).isoformat().replace("+00:00", "Z"),
        "message": {"role": role, "content": content},
    }
