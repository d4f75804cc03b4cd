"""The operator's program for recall failures that are no memory: no shell, an empty environment, time and output capped."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from clawgit.text.safety.control_characters import folded
from clawgit.text.safety.secrets import redact
from clawgit.workspace.layout import CONFIG
from clawgit.workspace.settings.config_file import read_config
from clawgit.workspace.settings.setting_types import argv_of
from clawgit.workspace.settings.settings import SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

    from clawgit.history.git.repository import History

SETTING = "recall_external_handler"
SECONDS = 10.0
MOMENT = 0.2
MOST_BYTES = 64 * 1024
MOST_TEXT = 8_000  # characters of a message: what is on stdin fits into a pipe, so nobody waits for a reader
MOST_TOLD = 200


@dataclass(frozen=True, slots=True)
class Handled:
    """What the program did: its exit code (None where it was stopped), and what it wrote, up to the cap."""

    code: int | None
    output: str
    was_run: bool = True

    def told(self) -> str:
        """Return it in a sentence."""
        said = folded(redact(self.output))[:MOST_TOLD]
        end = "was stopped" if self.code is None else f"ended with {self.code}"
        end = end if self.was_run else "cannot be run"
        return f"The external handler {end}" + (f": {said}" if said else ".")


def handler_of(history: History) -> tuple[str, ...]:
    """Return the program that the operator trusts for this, by its place in the workspace or its path; () without one."""
    argv = argv_of(SETTINGS[SETTING], history.settings.recall_external_handler)
    return (str(history.root / argv[0]), *argv[1:]) if argv else ()


def why_not_run(history: History) -> str:
    """Return why a program that CONFIG.md names does not count; empty where it names none."""
    text = (history.tip().tree.read(CONFIG) or b"").decode("utf-8", "replace")
    if not read_config(text).values.get(SETTING):
        return ""
    return (
        "The external handler was not run: it is not trusted, or was changed since "
        f"(`clawgit approve {SETTING}`)."
    )


def call_handler(
    argv: tuple[str, ...], told: dict[str, str], folder: Path, seconds: float = SECONDS
) -> Handled:
    """Run the program in ``folder`` with ``told`` as JSON on its stdin; it and its children end with this call."""
    data = json.dumps({key: value[:MOST_TEXT] for key, value in told.items()}, ensure_ascii=False)
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            cwd=folder,
            start_new_session=True,
        )
    except OSError as error:
        return Handled(None, str(error.strerror), was_run=False)
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdout as out:
        with suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(data.encode("utf-8", "replace"))
        output, is_whole = _read(out, process, time.monotonic() + seconds)
        code = _end(process, is_whole)
    return Handled(code, output[:MOST_BYTES].decode("utf-8", "replace"))


def _read(out: IO[bytes], process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bool]:
    found = b""
    with selectors.DefaultSelector() as selector:
        selector.register(out, selectors.EVENT_READ)
        while len(found) <= MOST_BYTES and (left := deadline - time.monotonic()) > 0:
            if not selector.select(min(left, MOMENT)):
                if process.poll() is not None:
                    return found, True
            else:
                part = os.read(out.fileno(), MOST_BYTES)
                if not part:
                    return found, True
                found += part
    return found, False


def _end(process: subprocess.Popen[bytes], is_whole: bool) -> int | None:
    code = None
    if is_whole:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(1)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return code
