"""Whether the hooks stand as they were installed, and whether what they run is still there."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.history.git_program import bare_environment
from clawgit.history.hooks.install import interpreter_of, read_installation
from clawgit.history.hooks.place import HOOK_NAMES, HooksPathError, hooks_place
from clawgit.history.hooks.shim import HookKind, kind_of

if TYPE_CHECKING:
    from clawgit.history.repository import History

IMPORT_SECONDS = 20
_PROBLEMS: dict[HookKind, str] = {
    "missing": "is missing",
    "altered": "was changed",
    "not executable": "is not executable, so git does not run it",
    "foreign": "was replaced by another program's",
}


@dataclass(frozen=True, slots=True)
class HooksState:
    """Whether hooks were installed here, how each one stands, and what is wrong with them, in sentences."""

    installed: bool
    folder: Path | None
    hooks: dict[str, HookKind]
    problems: tuple[str, ...]


def read_hooks_state(history: History) -> HooksState:
    """Read how the hooks stand, without running anything."""
    installed = bool(read_installation(history).folders) or bool(interpreter_of(history))
    try:
        folder = hooks_place(history).folder
    except HooksPathError as error:
        return HooksState(installed, None, {}, (error.message,) if installed else ())
    hooks = {name: kind_of(folder / name) for name in HOOK_NAMES}
    problems = (*_wrong(folder, hooks), *_no_interpreter(history)) if installed else ()
    return HooksState(installed, folder, hooks, problems)


def _wrong(folder: Path, hooks: dict[str, HookKind]) -> list[str]:
    by_kind: dict[HookKind, list[str]] = {}
    for name, kind in hooks.items():
        by_kind.setdefault(kind, []).append(name)
    return [
        f"clawgit's hook {', '.join(by_kind[kind])} in {folder} {said}."
        for kind, said in _PROBLEMS.items()
        if kind in by_kind
    ]


def _no_interpreter(history: History) -> list[str]:
    path = interpreter_of(history)
    if "\0" not in path and os.access(path, os.X_OK) and Path(path).is_file():
        return []
    return [
        f"The Python that clawgit's hooks run is gone ({path or 'none was noted'}), so they check nothing."
    ]


def is_runnable(history: History) -> bool:
    """Say whether the hooks' Python starts and finds clawgit; takes as long as a start of Python."""
    command = [interpreter_of(history), "-P", "-c", "import clawgit.cli.hook_run"]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            env=bare_environment(),
            cwd=os.sep,
            timeout=IMPORT_SECONDS,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
