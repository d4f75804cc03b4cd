"""Run OpenClaw's Gateway in a network of its own, a fake model provider and a fake Telegram beside it, and talk to it.

`python openclaw_alone.py JSON` with `node`, `program`, `asked` (the file of what the provider was asked), `log`. Says `ready` once the
Gateway is; then each line of its input is a step as JSON, answered by a line of JSON: `{"say": TEXT, "who": ID, "chat": ID}`
waits for the answer and says what it was, `{"run": WORDS}` runs the program and says what it printed, `{"end": true}` ends the Gateway.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

sys.path.insert(0, str(Path(__file__).parent))
from alone import loopback
from fake_models import ANSWER

BOT = {"id": 1, "is_bot": True, "first_name": "Claw", "username": "claw_bot"}
MODELS, TELEGRAM = 18999, 18998  # nobody else is in this network
PORT = "18790"
READY = "[gateway] ready"
MOST_SECONDS, STARTS_SECONDS = 180, 600  # a busy machine took 176 to start it, or several tries
SETTLED = 1.0


class Telegram(BaseHTTPRequestHandler):
    """Answers the Bot API: an update is given until the next offset confirms it, what is sent goes into a list."""

    protocol_version = "HTTP/1.1"
    updates: list[dict[str, Any]] = []  # noqa: RUF012 - one server a process
    sent: list[dict[str, Any]] = []  # noqa: RUF012
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
            result = self._updates(int(given.get("offset") or 0), float(given.get("timeout") or 0))
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
        with suppress(OSError):  # a Gateway that reads its settings anew asks again, elsewhere
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def _updates(self, offset: int, seconds: float) -> list[dict[str, Any]]:
        with self.news:
            self.updates[:] = [each for each in self.updates if each["update_id"] >= offset]
            self.news.wait_for(lambda: self.updates, min(seconds, 20))
            return list(self.updates)

    def log_message(self, *_: Any) -> None:
        pass


class Talk:
    """Says things as people in Telegram do, and waits for the answers."""

    def __init__(self) -> None:
        self.number = int(time.time())  # OpenClaw remembers which it has seen, over its restarts

    def say(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what was sent in answer to it, nothing where nobody answers; what else is sent meanwhile is none."""
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
            Telegram.updates.append({"update_id": self.number, "message": message})
            Telegram.news.notify_all()
            if not step.get("unanswered"):
                Telegram.news.wait_for(lambda: self._answers(message, before), MOST_SECONDS)
        time.sleep(SETTLED)  # else the next words are taken for a part of this turn
        return self._answers(message, before)

    @staticmethod
    def _answers(message: dict[str, Any], before: int) -> list[dict[str, Any]]:
        """Return what was sent in answer: it names the message, but for a command's, which is not the model's."""
        answers = []
        for each in Telegram.sent[before:]:
            names = each.get("reply_parameters", {}).get("message_id")
            is_of_command = message["text"].startswith("/") and each.get("text") != ANSWER
            if names == message["message_id"] or (names is None and is_of_command):
                answers.append(each)
        return answers


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
        gateway = started(program, log, file)
        try:
            say("ready")
            talk = Talk()
            while not (step := json.loads(sys.stdin.readline() or '{"end": true}')).get("end"):
                say(step_done(step, talk, program))
        finally:
            end(gateway)


def started(program: list[str], log: Path, file: IO[str]) -> subprocess.Popen[bytes]:
    """Return a Gateway that is ready; one that ends before is started again, as its supervisor does: on a busy machine it gives up."""
    words = [*program, "gateway", "run", "--port", PORT]
    limit = time.monotonic() + STARTS_SECONDS
    while True:
        gateway = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        while gateway.poll() is None and time.monotonic() < limit:
            if READY in log.read_text(errors="replace"):
                return gateway
            time.sleep(0.1)
        if time.monotonic() > limit:
            end(gateway)
            raise TimeoutError(log.read_text(errors="replace")[-2000:])


def end(gateway: subprocess.Popen[bytes]) -> None:
    gateway.send_signal(signal.SIGTERM)
    try:
        gateway.wait(20)
    except subprocess.TimeoutExpired:
        gateway.kill()


def say(said: Any) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("OPENCLAW_DISABLE_BONJOUR", "1")
    main()
