"""^C behind each step of a change: it is made or not, and nobody's edit. So ends a client that the service works for."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from clawgit.__main__ import main
from tests.tools.forked_program import FORK
from tests.tools.rounds import some

if TYPE_CHECKING:
    from pathlib import Path

STEPS = frozenset({"rename", "replace", "link", "unlink", "rmdir", "mkdir", "write"})  # of the system
MOST = 75  # of a `remember`, and some more


def _interrupted(root: Path, text: str, step: int) -> None:
    """Remember a text in a process of its own, and interrupt it right behind a step."""
    left = [step]

    def look(_frame: object, event: str, called: object) -> None:
        if event == "c_return" and getattr(called, "__name__", "") in STEPS:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.setprofile(look)
    sys.argv = ["clawgit", "-w", str(root), "remember", text]
    sys.exit(main())


@pytest.mark.parametrize("step", some(range(1, MOST), each=9))
def test_an_interrupted_change_is_made_or_not(room, forked, sound, step: int) -> None:
    """Seen: the branch had moved, and the file was put back; the next command committed that as an unknown author's removal."""
    room.change({"MEMORY.md": "# Memory\n\n- One holds.\n"}, actor="operator")
    process = FORK.Process(target=_interrupted, args=(room.root, "Two holds.", step))
    process.start()
    process.join(60)

    assert forked(room.root, "keep").returncode == 0

    is_made = "remember: Two holds." in room.git("log", "--format=%s")
    assert ("Two holds." in room.read("MEMORY.md")) is is_made
    assert "Clawgit-Actor: unknown" not in room.git("log", "--format=%B")
    assert room.git("status", "--porcelain") == ""
    sound.age_leftovers(room.root)
    room.append("MEMORY.md", "- last")
    sound.check(room.root)
