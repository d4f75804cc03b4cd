"""Running commands in this process, as the program does."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from clawgit.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Said:
    """What a command printed, said and ended with."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def clawgit(capfd: pytest.CaptureFixture[str], room) -> Callable[..., Said]:
    """Return a function that runs a command in the workspace."""

    def call(*words: str, actor: str = "", environment: dict[str, str] | None = None) -> Said:
        values = {
            "CLAWGIT_WORKSPACE": str(room.root),
            "CLAWGIT_NOW": "2026-03-19T10:22:00+00:00",
            "CLAWGIT_REHEARSE": "1",
        }
        capfd.readouterr()
        code = run(words, values | ({"CLAWGIT_ACTOR": actor} if actor else {}) | (environment or {}))
        out, err = capfd.readouterr()
        return Said(code, out, err)

    return call
