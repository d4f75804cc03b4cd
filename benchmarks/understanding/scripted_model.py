"""A model on this machine that answers as the cases say: it finds its entry and its message in what it is sent."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextmanager
def scripted_model(
    answers: Mapping[str, Mapping[str, Any]], right: Mapping[str, list[str]] | None = None
) -> Iterator[str]:
    """Serve; yield the address, below which each case has its own: `ADDRESS/CASE/v1`.

    An answer has the text of the entry that is ``wrong``, what it should say, and the words of the message. Asked to choose
    between sentences, it takes the one that is ``right``.
    """

    def answer(path: str, messages: list[dict[str, str]]) -> dict[str, Any]:
        case = path.split("/")[1]
        if '"choices"' in messages[0]["content"]:
            return {"choices": list(_choices(messages, (right or {}).get(case, [])))}
        return _answer(messages, answers.get(case, {}))

    with served(answer) as address:
        yield address


def _choices(messages: list[dict[str, str]], right: list[str]) -> Iterator[dict[str, str]]:
    lines = [json.loads(line) for line in messages[-1]["content"].splitlines() if line.startswith("{")]
    for number in (each["id"] for each in lines if each["id"].isdigit()):
        own = [each for each in lines if each["id"][:-1] == number]
        none = next(each["id"] for each in own if each["text"] == "None of these.")
        chosen = next((each["id"] for each in own if _plain(each["text"]) in right), none)
        yield {"number": number, "sentence": chosen}


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


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
