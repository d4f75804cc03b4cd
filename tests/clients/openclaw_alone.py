"""Run OpenClaw's Gateway in a network of its own, a fake model provider and a fake Telegram beside it, and talk to it.

`python openclaw_alone.py JSON` with `node`, `program`, `asked` (the file of what the provider was asked), `log`. Says `ready` once the
Gateway is; then each line of its input is a step as JSON, answered by a line of JSON: `{"say": TEXT, "who": ID, "chat": ID}`
waits for the answer and says what was sent, `{"run": WORDS}` runs the program and says what it printed, `{"end": true}` ends the Gateway.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from alone import loopback

BOT = {"id": 1, "is_bot": True, "first_name": "Claw", "username": "claw_bot"}
MODELS, TELEGRAM = 18999, 18998  # nobody else is in this network
PORT = "18790"
READY = "[gateway] ready"
MOST_SECONDS, STARTS_SECONDS = 90, 180
SETTLED = 1.0


class Telegram(BaseHTTPRequestHandler):
    """Answers the Bot API: updates come from a queue, what is sent goes into a list."""

    protocol_version = "HTTP/1.1"
    updates: Queue[dict[str, Any]] = Queue()
    sent: list[dict[str, Any]] = []  # noqa: RUF012 - one server a process
    news = threading.Condition()

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            given = json.loads(body or b"{}")
        except ValueError:
            given = {"form": body.decode("utf-8", "replace")}
        self._answer(given)

    def _answer(self, given: dict[str, Any]) -> None:
        method = self.path.partition("?")[0].rpartition("/")[2]
        result: Any = True
        if method == "getMe":
            result = BOT
        elif method == "getUpdates":
            result = self._updates(float(given.get("timeout") or 0))
        elif method in ("sendMessage", "editMessageText"):
            chat = {"id": int(given.get("chat_id") or 0), "type": "private"}
            result = {"message_id": 5000 + len(self.sent), "date": int(time.time()), "chat": chat}
            result["text"] = given.get("text", "")
            with self.news:
                self.sent.append({"method": method, **given})
                self.news.notify_all()
        elif method == "getWebhookInfo":
            result = {"url": ""}
        elif method == "getMyCommands":
            result = []
        data = json.dumps({"ok": True, "result": result}).encode()
        try:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # a Gateway that reads its settings anew asks again, elsewhere
            for update in result if method == "getUpdates" else ():
                self.updates.put(update)

    def _updates(self, seconds: float) -> list[dict[str, Any]]:
        try:
            return [self.updates.get(timeout=min(seconds, 20))]
        except Empty:
            return []

    def log_message(self, *_: Any) -> None:
        pass


class Talk:
    """Says things as people in Telegram do, and waits for the answers."""

    def __init__(self) -> None:
        self.number = int(time.time())  # OpenClaw remembers which it has seen, over its restarts

    def say(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what was sent since."""
        self.number += 1
        who = int(step["who"])
        chat = int(step.get("chat") or who)
        place: dict[str, Any] = {"id": chat, "type": "private", "first_name": f"P{who}"}
        if chat < 0:
            place = {"id": chat, "type": "supergroup", "title": "The team"}
        person = {"id": who, "is_bot": False, "first_name": f"P{who}", "username": f"p{who}"}
        message = {"message_id": self.number, "date": int(time.time()), "chat": place, "from": person}
        message |= {"text": step["say"], **step.get("more", {})}
        with Telegram.news:
            before = len(Telegram.sent)
            Telegram.updates.put({"update_id": self.number, "message": message})
            if not step.get("unanswered"):
                Telegram.news.wait_for(lambda: self._is_answered(before), MOST_SECONDS)
        time.sleep(SETTLED)  # else the next words are taken for a part of this turn
        return Telegram.sent[before:]

    @staticmethod
    def _is_answered(before: int) -> bool:
        return any("Working" not in str(each.get("text")) for each in Telegram.sent[before:])


def step_done(step: dict[str, Any], talk: Talk, program: list[str]) -> Any:
    if "say" in step:
        return talk.say(step)
    done = subprocess.run(
        [*program, *step["run"]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
    )
    return done.stdout + done.stderr


def main() -> None:
    told = json.loads(sys.argv[1])
    loopback()
    telegram = ThreadingHTTPServer(("127.0.0.1", TELEGRAM), Telegram)
    threading.Thread(target=telegram.serve_forever, daemon=True).start()
    fake = str(Path(__file__).with_name("fake_models.py"))
    with subprocess.Popen(
        [sys.executable, fake, told["asked"], str(MODELS)], stdout=subprocess.PIPE, text=True
    ) as models:
        assert models.stdout is not None
        models.stdout.readline()
        try:
            talked([told["node"], told["program"]], Path(told["log"]))
        finally:
            models.terminate()


def talked(program: list[str], log: Path) -> None:
    """Start the Gateway, do the steps, and end it."""
    with log.open("w") as file:
        words = [*program, "gateway", "run", "--port", PORT]
        gateway = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        try:
            wait_for(log, READY, gateway)
            say("ready")
            talk = Talk()
            while not (step := json.loads(sys.stdin.readline() or '{"end": true}')).get("end"):
                say(step_done(step, talk, program))
        finally:
            gateway.send_signal(signal.SIGTERM)
            try:
                gateway.wait(20)
            except subprocess.TimeoutExpired:
                gateway.kill()


def say(said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def wait_for(log: Path, words: str, gateway: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + STARTS_SECONDS
    while words not in log.read_text(errors="replace"):
        if gateway.poll() is not None or time.monotonic() > until:
            raise TimeoutError(log.read_text(errors="replace")[-2000:])
        time.sleep(0.1)


if __name__ == "__main__":
    os.environ.setdefault("OPENCLAW_DISABLE_BONJOUR", "1")
    main()
