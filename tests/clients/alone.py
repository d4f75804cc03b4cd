"""Run a host in a network of its own: nothing but loopback, and a fake model provider there.

`python alone.py JSON` with `words`, `asked` (the file of what the provider was asked), `folder`, `typed` (prompts for a
program at a terminal; each is waited for).
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

LOOPBACK_UP, GET_FLAGS, SET_FLAGS = 0x1 | 0x40, 0x8913, 0x8914
MOST_SECONDS = 60


def loopback() -> None:
    """Bring up the loopback of a network that has just been made."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, GET_FLAGS, request))[1]
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", flags | LOOPBACK_UP))


def environment(port: str) -> dict[str, str]:
    quiet = ("DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER")
    return {
        **os.environ,
        **dict.fromkeys((*quiet, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"), "1"),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "sk-fake",
        "TERM": "xterm-256color",
    }


# What a program asks a terminal before it shows anything, and what a terminal answers.
QUESTIONS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?1;2c"}


def typed(words: list[str], prompts: list[str], folder: str, own: dict[str, str], asked: Path) -> str:
    """Run a program at a terminal, type the prompts, each after the answer to the one before, and end it."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve(words[0], words, own)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    shown = read_until(terminal, lambda said: b"?" in said and len(said) > 2000, MOST_SECONDS)
    for prompt in prompts:
        before = len(lines_of(asked))
        os.write(terminal, prompt.encode())
        shown += read_until(
            terminal, lambda _: False, 2
        )  # an Enter at once would be taken for one in a pasted text
        os.write(terminal, b"\r")
        most = 2 if prompt.startswith("/") else MOST_SECONDS
        # the host asks its model other things, too
        is_asked = lambda _, words=prompt, since=before: words in "".join(lines_of(asked)[since:])  # noqa: E731
        shown += read_until(terminal, is_asked, most)
        shown += read_until(terminal, lambda _: False, 3)
    os.write(terminal, b"/exit\r")
    shown += read_until(terminal, lambda _: False, MOST_SECONDS)  # to its end: its last hooks run until then
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return shown.decode("utf-8", "replace")


def lines_of(asked: Path) -> list[str]:
    return asked.read_text().splitlines() if asked.exists() else []


def read_until(terminal: int, is_enough: Any, seconds: float) -> bytes:
    said, until = b"", time.monotonic() + seconds
    while time.monotonic() < until and not is_enough(said):
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            for question, answer in QUESTIONS.items():
                os.write(terminal, answer * part.count(question))
            said += part
    return said


def main() -> None:
    told = json.loads(sys.argv[1])
    loopback()
    fake = str(Path(__file__).with_name("fake_models.py"))
    with subprocess.Popen([sys.executable, fake, told["asked"]], stdout=subprocess.PIPE, text=True) as models:
        assert models.stdout is not None
        port = models.stdout.readline().strip()
        words = [word.replace("PORT", port) for word in told["words"]]
        own = environment(port)
        if told["typed"]:
            sys.stdout.write(typed(words, told["typed"], told["folder"], own, Path(told["asked"])))
        else:
            done = subprocess.run(
                words,
                cwd=told["folder"],
                env=own,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            sys.stdout.write(done.stdout + done.stderr)
        models.terminate()


if __name__ == "__main__":
    main()
