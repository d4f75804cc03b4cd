"""A model on this machine that answers as the cases say: it finds its entry and its message in what it is sent."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

from benchmarks.understanding.cases import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.understanding.cases import Reading

CHOOSES = "chooses"


@contextmanager
def scripted_model(readings: Mapping[str, Sequence[Reading]]) -> Iterator[str]:
    """Serve; yield the address, below which each case has its own: `ADDRESS/CASE/v1`, or `ADDRESS/CASE/chooses/v1`.

    Asked to choose between sentences, it takes the one that is right; who only chooses reads nothing else.
    """

    def answer(path: str, messages: list[dict[str, str]]) -> dict[str, Any]:
        own = readings.get(path.split("/")[1], ())
        lines = [json.loads(line) for line in messages[-1]["content"].splitlines() if line.startswith("{")]
        if '"choices"' in messages[0]["content"]:
            right = frozenset[str]().union(*(each.right for each in own))
            return {"choices": list(_choices(lines, right))}
        if path.split("/")[2] == CHOOSES:
            own = ()
        if '"corrections"' in messages[0]["content"]:
            return {"corrections": [row for each in own if (row := _correction(each, lines))]}
        return {"memories": [row for each in own if (row := _memory(each, lines))]}

    with served(answer) as address:
        yield address


def _choices(lines: list[dict[str, str]], right: frozenset[str]) -> Iterator[dict[str, str]]:
    for number in (each["id"] for each in lines if each["id"].isdigit()):
        own = [each for each in lines if each["id"][:-1] == number]
        none = next(each["id"] for each in own if each["text"] == "None of these.")
        chosen = next((each["id"] for each in own if plain(each["text"]) in right), none)
        yield {"number": number, "sentence": chosen}


def _correction(reading: Reading, lines: list[dict[str, str]]) -> dict[str, str]:
    entry = next((each["id"] for each in lines if each["text"] == reading.old), "")
    if not reading.old or not entry:
        return {}
    return {"entry": entry, "statement": reading.new, "quote": reading.quote}


def _memory(reading: Reading, lines: list[dict[str, str]]) -> dict[str, str]:
    message = next((each["id"] for each in reversed(lines) if reading.quote in each["text"]), "")
    if not message:
        return {}
    said = {"statement": reading.new, "quote": reading.quote, "tag": "knowledge", "id": message}
    if not reading.old:
        return {"do": "ADD", **said}
    found = _correction(reading, lines)
    return {"do": "SUPERSEDES", **said, **found} if found else {}


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
