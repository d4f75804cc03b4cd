"""Whether the hooks are as they were installed, and whether what they run is still there and starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.history.git.git_program import bare_environment
from clawgit.history.hooks.hooks_folder import HOOK_NAMES, HookKind, HooksPathError, hooks_place, kind_of
from clawgit.history.hooks.install import interpreter_of, read_installation

if TYPE_CHECKING:
    from clawgit.history.git.repository import History

_PROBLEMS: dict[HookKind, str] = {
    "missing": "is missing",
    "altered": "was changed",
    "not executable": "is not executable, so git does not run it",
    "foreign": "was replaced by another program's",
}
_PUT_BACK: frozenset[HookKind] = frozenset({"ours", "missing", "not executable"})
IMPORT_SECONDS = 20


class HooksState(NamedTuple):
    """Whether hooks were installed here, how each one stands, and what is wrong with them, in sentences."""

    installed: bool
    folder: Path | None
    hooks: dict[str, HookKind]
    problems: tuple[str, ...]
    has_python: bool = False

    @property
    def can_be_put_back(self) -> bool:
        """Say whether nothing of anybody else's is in a hook's place, and what they run is known."""
        return self.folder is not None and self.has_python and _PUT_BACK.issuperset(self.hooks.values())


def read_hooks_state(history: History) -> HooksState:
    """Read how the hooks stand, without running anything."""
    installed = bool(read_installation(history)) or bool(interpreter_of(history))
    try:
        folder = hooks_place(history).folder
    except HooksPathError as error:
        return HooksState(installed, None, {}, (error.message,) if installed else ())
    hooks = {name: kind_of(folder / name) for name in HOOK_NAMES}
    lacking = _no_interpreter(history)
    problems = (*_wrong(folder, hooks), *lacking) if installed else ()
    return HooksState(installed, folder, hooks, problems, has_python=not lacking)


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
    import subprocess

    command = [interpreter_of(history), "-E", "-P", "-c", "import clawgit.cli.workspace.hook_run"]
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
