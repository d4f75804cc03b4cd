"""Run OpenClaw's Gateway in a network of its own, a fake model provider and a fake Telegram beside it, and talk to it.

`python openclaw_alone.py JSON` with `node`, `program`, `asked` (the file of what the provider was asked), `log`, and `steps`: `{"say": TEXT, "who": ID, "chat": ID}` waits for
the answer, `{"run": WORDS}` runs a program, `{"touch": FILE}` and `{"wait": FILE}` speak with the test. Prints what was sent and
what the programs printed, as JSON.
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
MOST_SECONDS = 90
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
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

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
        self.number = 1000

    def say(self, step: dict[str, Any]) -> None:
        self.number += 1
        who, chat = int(step.get("who", 4242)), int(step.get("chat", step.get("who", 4242)))
        place: dict[str, Any] = {"id": chat, "type": "private", "first_name": f"P{who}"}
        if chat < 0:
            place = {"id": chat, "type": "supergroup", "title": "The team"}
        person = {"id": who, "is_bot": False, "first_name": f"P{who}", "username": f"p{who}"}
        message = {"message_id": self.number, "date": int(time.time()), "chat": place, "from": person}
        message |= {"text": step["say"], **step.get("more", {})}
        with Telegram.news:
            before = len(Telegram.sent)
            Telegram.updates.put({"update_id": self.number, "message": message})
            Telegram.news.wait_for(lambda: self._is_answered(before), MOST_SECONDS)
        time.sleep(SETTLED)  # else the next words are taken for a part of this turn

    @staticmethod
    def _is_answered(before: int) -> bool:
        return any("Working" not in str(each.get("text")) for each in Telegram.sent[before:])


def step_done(step: dict[str, Any], talk: Talk, environment: dict[str, str]) -> str:
    if "say" in step:
        talk.say(step)
    elif "run" in step:
        done = subprocess.run(
            step["run"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
        return done.stdout + done.stderr
    elif "touch" in step:
        Path(step["touch"]).touch()
    elif "wait" in step:
        until = time.monotonic() + MOST_SECONDS
        while not Path(step["wait"]).exists() and time.monotonic() < until:
            time.sleep(0.05)
    return ""


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
        printed = talked(told)
        models.terminate()
    sys.stdout.write(json.dumps({"sent": Telegram.sent, "printed": printed}))


def talked(told: dict[str, Any]) -> list[str]:
    """Start the Gateway, do the steps, and end it."""
    environment, printed = dict(os.environ), []
    program = [told["node"], told["program"]]
    with Path(told["log"]).open("w") as log:
        for words in told.get("before", ()):
            subprocess.run([*program, *words], env=environment, stdout=log, stderr=log, check=False)
        gateway = subprocess.Popen(
            [*program, "gateway", "run", "--port", "18790"], env=environment, stdout=log, stderr=log
        )
        try:
            wait_for(Path(told["log"]), told["ready"])
            talk = Talk()
            for step in told["steps"]:
                if "run" in step:
                    step["run"] = [*program, *step["run"]]
                printed.append(step_done(step, talk, environment))
            time.sleep(told.get("settle", 2))  # what is captured after the last answer is on its way
        finally:
            gateway.send_signal(signal.SIGTERM)
            try:
                gateway.wait(20)
            except subprocess.TimeoutExpired:
                gateway.kill()
    return printed


def wait_for(log: Path, words: str) -> None:
    until = time.monotonic() + MOST_SECONDS
    while words not in log.read_text(errors="replace") and time.monotonic() < until:
        time.sleep(0.1)


if __name__ == "__main__":
    main()
