"""A server that answers as the hosts' model providers do, with words of the test's own; what it is asked goes to a file.

`python fake_models.py FILE [PORT]` prints its port. A prompt with `USE:tool:{json}` is answered by a call of that tool, and its
result by a text; any other prompt by "Understood." `TOKENS:61000` makes it say that it read so many; `answers.json` beside the
file has answers to questions that come without tools. Nothing leaves the machine.
"""

from __future__ import annotations

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

WANTED = re.compile(r"USE:(\w+):(\{.*?\})END")
WANTED_LAST = re.compile(WANTED.pattern + r"\s*$")
ANSWER = "Understood."
INTERNAL = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
NUMBERS = count(1)


class Models(BaseHTTPRequestHandler):
    """Answers `/v1/messages` as Anthropic does, `/v1/responses` and `/v1/chat/completions` as OpenAI does."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._send(200, b"", "text/plain")

    def do_GET(self) -> None:
        self._send(200, b'{"data": [], "models": []}', "application/json")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            asked = json.loads(body)
        except ValueError:
            asked = {}
        with Path(sys.argv[1]).open("a") as file:
            file.write(json.dumps({"path": self.path, "asked": asked}) + "\n")
        if self.path.startswith("/v1/messages") and "count_tokens" not in self.path:
            self._send(
                200, _events(_anthropic(asked)) if asked.get("stream") else _whole(asked), _kind(asked)
            )
        elif self.path.startswith("/v1/chat/completions"):
            said = _completion(asked)
            self._send(200, _chunks(said) if asked.get("stream") else json.dumps(said).encode(), _kind(asked))
        elif self.path.startswith("/v1/responses"):
            self._send(200, _events(_openai(asked)), "text/event-stream")
        else:
            self._send(200, b'{"input_tokens": 10}', "application/json")

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


def _kind(asked: dict[str, Any]) -> str:
    return "text/event-stream" if asked.get("stream") else "application/json"


def _events(events: list[tuple[str, dict[str, Any]]]) -> bytes:
    return b"".join(
        f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode() for name, data in events
    )


def _call(asked: Any, tools: list[str]) -> tuple[str, str] | None:
    """Return the tool to call next and its arguments; None where the words want none, or it was called."""
    said = json.dumps(asked).replace('\\"', '"')
    found = WANTED.search(said)
    if found is None:
        return None
    name = next((tool for tool in tools if tool.endswith(found[1])), "")
    if name and not re.search(rf'"name": "{name}"', said):
        return name, found[2]
    if not name and "ToolSearch" in tools and '"name": "ToolSearch"' not in said:
        return "ToolSearch", json.dumps({"query": f"select:mcp__clawgit__{found[1]}", "max_results": 3})
    return None


def _anthropic(asked: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    call = _call(asked.get("messages", []), [tool["name"] for tool in asked.get("tools", [])])
    message = {
        "id": "msg_1",
        "role": "assistant",
        "type": "message",
        "model": asked.get("model"),
        "content": [],
    }
    usage = {"input_tokens": 10, "output_tokens": 1}
    start = ("message_start", {"message": {**message, "stop_reason": None, "usage": usage}})
    if call is None:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": ANSWER}
    else:
        block = {"type": "tool_use", "id": f"toolu_{next(NUMBERS)}", "name": call[0], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": call[1]}
    reason = "end_turn" if call is None else "tool_use"
    return [
        start,
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}),
        ("message_stop", {}),
    ]


def _whole(asked: dict[str, Any]) -> bytes:
    said = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.get("model")}
    more = {"content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn", "stop_sequence": None}
    return json.dumps({**said, **more, "usage": {"input_tokens": 10, "output_tokens": 1}}).encode()


def _tokens_said(said: str, usual: int) -> int:
    """Return how many tokens a prompt wants to have been read."""
    size = re.search(r"TOKENS:(\d+)", said)
    return int(size[1]) if size else usual


def _openai(asked: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    names = [str(tool.get("name")) for tool in asked.get("tools", [])]
    spaces = {each["name"]: tool["name"] for tool in asked.get("tools", []) for each in tool.get("tools", [])}
    names += spaces
    call = _call(asked.get("input", []), names)
    if call is None:
        content = [{"type": "output_text", "text": ANSWER, "annotations": []}]
        item = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content}
    else:
        item = {
            "type": "function_call",
            "id": f"f{next(NUMBERS)}",
            "call_id": f"c{next(NUMBERS)}",
            "name": call[0],
            "arguments": call[1],
        }
        item |= {"namespace": spaces[call[0]]} if call[0] in spaces else {}
    size = _tokens_said(json.dumps(asked.get("input", [])), 10)
    usage = {"input_tokens": size, "output_tokens": 1, "total_tokens": size + 1}
    done = {"id": "r1", "status": "completed", "output": [item], "usage": usage}
    return [
        ("response.created", {"response": {"id": "r1", "status": "in_progress", "output": []}}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": done}),
    ]


def _completion(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to the last message of a person's; OpenClaw puts one of its own behind it."""
    told = next((each for words, each in _answers() if words in json.dumps(asked)), None)
    messages = [each for each in asked.get("messages", []) if INTERNAL not in json.dumps(each)]
    last = max((at for at, each in enumerate(messages) if each.get("role") == "user"), default=0)
    said = _last_words(messages[last].get("content")) if messages else ""
    found = WANTED_LAST.search(said)
    is_bare = told is not None and not asked.get("tools")  # no turn: somebody asks the model alone
    message: dict[str, Any] = {"role": "assistant", "content": told if is_bare else ANSWER}
    is_called = any(each.get("role") == "tool" for each in messages[last:])
    if found is not None and asked.get("tools") and not is_called:
        names = [tool["function"]["name"] for tool in asked.get("tools", [])]
        name, words = found[1], found[2]
        if name not in names:
            name, words = "tool_call", json.dumps({"id": name, "args": json.loads(words)})
        call = {
            "id": f"call_{next(NUMBERS)}",
            "type": "function",
            "function": {"name": name, "arguments": words},
        }
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reason = "tool_calls" if "tool_calls" in message else "stop"
    choice = {"index": 0, "message": message, "finish_reason": reason}
    tokens = _tokens_said(said, 100)
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    return {"id": "c1", "object": "chat.completion", "model": "echo", "choices": [choice], "usage": usage}


def _last_words(content: Any) -> str:
    """Return the last line of a message's own; OpenClaw puts earlier talk before it, and we and it something behind it."""
    parts = content if isinstance(content, list) else [{"text": content}]
    text = "\n".join(str(each.get("text") or "") for each in parts)
    lines = re.sub(r"(?s)<clawgit_context>.*?</clawgit_context>", "", text).split("\n")
    own = [each for each in lines if each.strip() and not each.startswith("Runtime:")]
    return own[-1] if own else ""


def _answers() -> list[list[str]]:
    """Return what the test wants said to whom: words of the question, and the answer."""
    file = Path(sys.argv[1]).with_name("answers.json")
    return json.loads(file.read_text()) if file.exists() else []


def _chunks(said: dict[str, Any]) -> bytes:
    message, reason = said["choices"][0]["message"], said["choices"][0]["finish_reason"]
    calls = [{"index": at, **each} for at, each in enumerate(message.get("tool_calls", []))]
    delta = {"role": "assistant", "content": message["content"], **({"tool_calls": calls} if calls else {})}
    common = {"id": "c1", "object": "chat.completion.chunk", "model": "echo"}
    every = [
        {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**common, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
        {**common, "choices": [], "usage": said["usage"]},
    ]
    return b"".join(f"data: {json.dumps(each)}\n\n".encode() for each in every) + b"data: [DONE]\n\n"


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Models)
    sys.stdout.write(f"{server.server_address[1]}\n")
    sys.stdout.flush()
    server.serve_forever()
