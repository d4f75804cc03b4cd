"""Running the operator's own test in a throw-away copy of an earlier state."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.trees import EXECUTABLE, FILE
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clawgit.history.git.repository import History

_CANNOT_SAY = 125  # what `git bisect run` takes for "skip", and shells from 126 on for "not run"


class TrialError(ClawgitError):
    """The test gave no answer."""


class Trial(NamedTuple):
    """A program with its arguments, the environment it has, and the seconds it may take."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    seconds: float = 60


def passes(history: History, commit_id: str, trial: Trial) -> bool:
    """Run the program in a copy of the files as ``commit_id`` has them; it passes where it ends with 0.

    Raises:
        TrialError: It could not be run, took too long, or ended with 125 or more.
    """
    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        _copy(history, commit_id, Path(folder))
        code = _exit_code(trial, Path(folder))
    if not 0 <= code < _CANNOT_SAY:
        raise TrialError(f"In {commit_id[:12]} the test ended with {code}: neither 0 nor 1 to 124.")
    return code == 0


def _copy(history: History, commit_id: str, folder: Path) -> None:
    tree = history.tree_of(commit_id)
    for path, entry in tree.files():
        if entry.mode in (FILE, EXECUTABLE):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            content = FileContent(history.objects.blob(entry.object_id), entry.mode == EXECUTABLE)
            write_file(folder, path, content, fsync=False)


def _exit_code(trial: Trial, folder: Path) -> int:
    try:
        done = subprocess.run(
            trial.argv,
            cwd=folder,
            env=dict(trial.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            timeout=trial.seconds,
            check=False,
        )
    except OSError as error:
        raise TrialError(f"{trial.argv[0]} cannot be run ({error.strerror or error}).") from error
    except subprocess.TimeoutExpired as error:
        raise TrialError(f"The test did not end within {trial.seconds:g} seconds.") from error
    return done.returncode
