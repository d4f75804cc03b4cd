"""A model on this machine that answers as the cases say: it finds its entry and its message in what it is sent."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextmanager
def scripted_model(answers: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Serve; yield the address, below which each case has its own: `ADDRESS/CASE/v1`.

    An answer has the text of the entry that is ``wrong``, what it should say, and the words of the message.
    """
    with served(lambda path, messages: _answer(messages, answers.get(path.split("/")[1], {}))) as address:
        yield address


@contextmanager
def served(answer: Callable[[str, list[dict[str, str]]], dict[str, Any]]) -> Iterator[str]:
    """Serve what ``answer`` makes of a path and the messages that are sent there; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = json.dumps(answer(self.path, body["messages"]), ensure_ascii=False)
            choice = {"message": {"role": "assistant", "content": text}}
            data = json.dumps({"choices": [choice], "usage": {"total_tokens": 500}}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


def _answer(messages: list[dict[str, str]], case: Mapping[str, Any]) -> dict[str, Any]:
    lines = [json.loads(line) for line in messages[-1]["content"].splitlines() if line.startswith("{")]
    kind = "corrections" if '"corrections"' in messages[0]["content"] else "memories"
    entry = next((each["id"] for each in lines if case and each["text"] == case["wrong"]), "")
    message = next((each["id"] for each in reversed(lines) if case and case["quote"] in each["text"]), "")
    if not entry or not message:
        return {kind: []}
    said = {"entry": entry, "statement": case["statement"], "quote": case["quote"]}
    if kind == "corrections":
        return {kind: [said]}
    return {kind: [{**said, "do": "SUPERSEDES", "tag": "knowledge", "id": message}]}
