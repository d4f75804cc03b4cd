"""Runs the git program without the workspace's own configuration.

It reads a workspace's objects through a view: an empty repository in the user's cache folder that uses the
workspace's object folder. No hook, filter, pager or monitor of the workspace runs.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError
from clawgit.history.git import libgit2 as pygit2
from clawgit.workspace.user.user_file import cache_folder

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator, Mapping

    from clawgit.history.git.repository import History

READ_SECONDS = 600
_AT_ONCE = 1 << 16
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")


class GitProgramError(ClawgitError):
    """The git program is missing, failed or took too long."""


@lru_cache(maxsize=1)
def git_program() -> str | None:
    """Return git's path on PATH; `shutil.which` would load three compressors."""
    for folder in os.get_exec_path():
        program = Path(folder, "git")
        if program.is_file() and os.access(program, os.X_OK):
            return str(program)
    return None


def bare_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which git reads no configuration files."""
    inherited = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return inherited | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_LITERAL_PATHSPECS": "1",
        **(extra or {}),
    }


def view_folder() -> Path:
    """Return the view's folder in the user's cache, made if it is missing.

    It is made beside its place and renamed: libgit2 leaves its lock in a half-made one, which every later process
    would then refuse.
    """
    view = cache_folder() / "view.git"
    if (view / "HEAD").is_file():
        return view
    import shutil
    from tempfile import mkdtemp

    view.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix="view-", dir=view.parent))
    pygit2.init_repository(str(made), bare=True)
    with suppress(OSError):  # another process was first, and its git already uses the folder
        made.rename(view)
    if not (view / "HEAD").is_file():
        shutil.rmtree(view, ignore_errors=True)
        with suppress(OSError):
            made.rename(view)
    shutil.rmtree(made, ignore_errors=True)
    return view


def run_git(
    history: History,
    *arguments: str,
    stdin: bytes = b"",
    seconds: float = 60,
    objects: Path | None = None,
    index: Path | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run git over the workspace's objects (or ``objects``) and return the process, whatever its exit status."""
    import subprocess

    environment = _environment(history, objects)
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    command = [*_program(), *arguments]
    try:
        return subprocess.run(
            command, input=stdin, capture_output=True, check=False, env=environment, cwd="/", timeout=seconds
        )
    except subprocess.TimeoutExpired as error:
        raise GitProgramError(f"git {arguments[0]} did not end within {seconds:.0f} seconds.") from error


def descends(history: History, later: str, commit_id: str) -> bool:
    """Say whether a commit is ``later`` or an ancestor of it. libgit2 would read every loose commit between them unchecked."""
    if later == commit_id:
        return True
    done = run_git(history, "merge-base", "--is-ancestor", commit_id, later)
    if done.returncode > 1:
        return history.objects.contains(later, commit_id)  # names what is damaged
    return done.returncode == 0


def git_output(history: History, *arguments: str, stdin: bytes = b"") -> bytes:
    done = run_git(history, *arguments, stdin=stdin, seconds=READ_SECONDS)
    if done.returncode:
        raise _unreadable(done.stderr)
    return done.stdout


def range_lines(tips: Iterable[str], without: Iterable[str]) -> bytes:
    """Return the input of a git that reads its range with `--stdin`: what ``tips`` reach and ``without`` do not."""
    lines = [*tips, *map("^{}".format, without), ""]
    return "\n".join(lines).encode()


def git_tokens(history: History, *arguments: str) -> Iterator[bytes]:
    """Yield git's output split at zero bytes while it arrives; closing the iterator ends git."""
    import subprocess
    from select import POLLIN, poll

    with subprocess.Popen(
        [*_program(), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(history, None),
        cwd=os.sep,
    ) as process:
        if process.stdout is None or process.stderr is None:
            return
        output = process.stdout.fileno()
        ready = poll()
        ready.register(output, POLLIN)
        rest = b""
        try:
            while ready.poll(READ_SECONDS * 1000):
                part = os.read(output, _AT_ONCE)
                if not part:
                    break
                *tokens, rest = (rest + part).split(b"\0")
                yield from tokens
            else:
                raise GitProgramError(f"git {arguments[0]} said nothing for {READ_SECONDS:.0f} seconds.")
            error_output = process.stderr.read()
            if process.wait():
                raise _unreadable(error_output)
        finally:
            process.kill()
    yield rest


def _program() -> list[str]:
    program = git_program()
    if program is None:
        raise GitProgramError("The git program is not on PATH.", hint="Install git.")
    return [program, f"--git-dir={view_folder()}"]


def _environment(history: History, objects: Path | None) -> dict[str, str]:
    environment = bare_environment({"GIT_OBJECT_DIRECTORY": str(objects or history.folder / "objects")})
    if objects is None and (history.folder / "shallow").exists():
        environment["GIT_SHALLOW_FILE"] = str(history.folder / "shallow")
    return environment


def _unreadable(error_output: bytes) -> ClawgitError:
    words = error_output.decode("utf-8", "replace").strip()
    return ClawgitError(f"git could not read the history: {words}", hint="`clawgit doctor` looks for damage.")
