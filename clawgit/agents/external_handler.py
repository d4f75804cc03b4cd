"""The operator's program for recall failures that memory has nothing about: no shell, empty environment, time and output capped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clawgit.agents.models.answering_models import Program
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
MOST_BYTES = 64 * 1024
MOST_TEXT = 8_000  # characters of a message: stdin fits into a pipe, so the write never blocks
MOST_TOLD = 200


@dataclass(frozen=True, slots=True)
class Handled:
    """The program's exit code (None: stopped) and its output, up to the cap."""

    code: int | None
    output: str
    was_run: bool = True

    def told(self) -> str:
        output = folded(redact(self.output))[:MOST_TOLD]
        end = "was stopped" if self.code is None else f"ended with {self.code}"
        end = end if self.was_run else "cannot be run"
        return f"The external handler {end}" + (f": {output}" if output else ".")


def tell_handler(history: History, message: dict[str, str]) -> str:
    """Run the operator's trusted program and return a sentence about the result; empty if CONFIG.md names none."""
    argv = argv_of(SETTINGS[SETTING], history.settings.recall_external_handler)
    if argv:
        program = (str(history.root / argv[0]), *argv[1:])
        return call_handler(program, message, history.root).told()
    text = (history.tip().tree.read(CONFIG) or b"").decode("utf-8", "replace")
    if not read_config(text).values.get(SETTING):
        return ""
    return f"The external handler was not run: it is not trusted, or was changed since (`clawgit approve {SETTING}`)."


def call_handler(
    argv: tuple[str, ...], fields: dict[str, str], folder: Path, seconds: float = SECONDS
) -> Handled:
    """Run the program in ``folder`` with ``fields`` as JSON on stdin; it and its children are ended before this returns."""
    data = json.dumps({key: value[:MOST_TEXT] for key, value in fields.items()}, ensure_ascii=False)
    try:
        status, output, _ = Program(argv, folder, {}, seconds, MOST_BYTES).run(
            data.encode("utf-8", "replace")
        )
    except OSError as error:
        return Handled(None, str(error.strerror), was_run=False)
    return Handled(status, output[:MOST_BYTES].decode("utf-8", "replace"))
