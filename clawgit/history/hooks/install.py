"""clawgit's git hooks: installed beside other hooks, checked, and removed so that the earlier ones are back."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from hashlib import sha256
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from clawgit.errors import ClawgitError
from clawgit.history.git.git_program import bare_environment, git_output
from clawgit.text.markdown.lines import joined
from clawgit.workspace.find_workspace import with_home
from clawgit.workspace.layout import data_folder
from clawgit.workspace.safe_files import FileContent, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clawgit.history.git.repository import History

HOOKS_PATH = "core.hooksPath"
OF_COMMITS = ("pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit")
HOOK_NAMES = (*OF_COMMITS, "post-merge", "post-checkout", "post-rewrite", "pre-push")
KEPT = ".before-clawgit"
ALTERED = ".altered-clawgit"
MODE = 0o755
_MARK = b"# A git hook of clawgit's"

HookKind = Literal["missing", "ours", "altered", "not executable", "foreign"]
INTERPRETER = "interpreter"

BY_CONNECT = "hooks-by-connect"
_PROBLEMS: dict[HookKind, str] = {
    "missing": "is missing",
    "altered": "was changed",
    "not executable": "is not executable, so git does not run it",
    "foreign": "was replaced by another program's",
}
_PUT_BACK: frozenset[HookKind] = frozenset({"ours", "missing", "not executable"})
IMPORT_SECONDS = 20
DRIVER = "merge.clawgit.driver"
# No quotes: git's config could not be read without libgit2. If any part fails, git's own merge ends it.
DRIVER_COMMAND = (
    "set -f && IFS= && p=`cat $(git rev-parse --git-common-dir)/clawgit/interpreter 2>/dev/null`"
    " && $p -E -P -m clawgit.history.hooks.merge_driver %O %A %B %P 2>/dev/null"
    " || git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B || exit 1"
)
_MERGED = b"/MEMORY.md /CORRECTIONS.md /memory/*.md /Archive/Corrections/*.md /memory/structured/*.md".split()
ATTRIBUTES = b"".join(map(b"%s merge=clawgit\n".__mod__, _MERGED))


class HooksPathError(ClawgitError):
    """git's folder of hooks cannot be used, or also serves other repositories."""


class HooksPlace(NamedTuple):
    """The folder, the value of `core.hooksPath`, and whether it is in the working tree or outside of the repository."""

    folder: Path
    configured: str = ""
    in_files: bool = False
    is_shared: bool = False


def hooks_place(history: History) -> HooksPlace:
    own = history.folder / "hooks"
    configured = history.setting(HOOKS_PATH)
    if configured is None:
        return HooksPlace(own)
    folder = Path(os.path.normpath(history.root / with_home(configured)))
    is_file = folder.exists() and not folder.is_dir()
    if is_file or not configured or configured.startswith("%"):
        hint = f"`git config core.hooksPath {own}` switches them on for this repository."
        raise HooksPathError(f"core.hooksPath is {configured!r}, where no hooks can be put.", hint=hint)
    if _is_below(folder, history.folder):
        return HooksPlace(folder, configured)
    in_files = _is_below(folder, history.root)
    return HooksPlace(folder, configured, in_files, not in_files)


def _is_below(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


@lru_cache(maxsize=1)
def shim_text() -> bytes:
    return (data_folder("hooks") / "git-hook").read_bytes()


def kind_of(path: Path) -> HookKind:
    """Return the origin of the hook at ``path``; a link always belongs to another program."""
    try:
        mode = path.lstat().st_mode
        text = path.read_bytes() if stat.S_ISREG(mode) else b""
    except FileNotFoundError:
        return "missing"
    if _MARK not in text:
        return "foreign"
    if text != shim_text():
        return "altered"
    if mode & stat.S_IXUSR:
        return "ours"
    return "not executable"


def _kept_place(path: Path) -> Path:
    return path.with_name(path.name + KEPT)


def fingerprint(path: Path) -> str:
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return f"link to {path.readlink()}"
        return f"{stat.S_IMODE(status.st_mode):o} {sha256(path.read_bytes()).hexdigest()}"
    except OSError:
        return ""


def _keep_aside(path: Path, suffix: str) -> Path:
    """Give the file at ``path`` a second name and return it, with a number if the name is taken."""
    aside = path.with_name(path.name + suffix)
    if fingerprint(aside) not in ("", fingerprint(path)):
        number = 1
        while os.path.lexists(f"{aside}.{number}"):
            number += 1
        aside.rename(aside.with_name(f"{aside.name}.{number}"))
    with suppress(FileNotFoundError):
        aside.unlink()
    try:
        os.link(path, aside, follow_symlinks=False)
    except OSError:  # a file system without hard links: the hook is missing for a moment
        path.rename(aside)
    return aside


class HooksChanged(NamedTuple):
    """The hooks that were installed or removed, and what the operator should know."""

    done: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def interpreter_of(history: History) -> str:
    """Return the Python of the installed hooks; empty without an installation."""
    try:
        return os.fsdecode((history.state / INTERPRETER).read_bytes())
    except OSError:
        return ""


def were_brought_by_connect(history: History) -> bool:
    """Say whether a host's connection brought the hooks, and the operator did not ask for them since."""
    return (history.state / BY_CONNECT).exists()


def install_hooks(history: History, interpreter: str, *, by_connect: bool = False) -> HooksChanged:
    """Install each hook beside the present one; those that came ``by_connect`` go with the connection.

    Raises HooksPathError if other repositories use the folder too.
    """
    place = hooks_place(history)
    if place.is_shared:
        hint = (
            f"`git config core.hooksPath {history.folder / 'hooks'}` keeps this repository to its own hooks."
        )
        sentence = f"core.hooksPath is {place.configured}, so hooks put there run in other repositories too."
        raise HooksPathError(sentence, hint=hint)
    with history.locked():
        place.folder.mkdir(parents=True, exist_ok=True)
        notes = []
        if place.in_files:
            notes.append(
                f"core.hooksPath is {place.configured}, inside the workspace: git and `clawgit keep` see the hooks there"
                " as files. Ignore or commit them, and remember: a program that can write there can run commands as you."
            )
        done = []
        theirs = []
        for name in HOOK_NAMES:
            path = place.folder / name
            is_new = kind_of(path) == "foreign" and fingerprint(path) != fingerprint(_kept_place(path))
            if _put(path, notes):
                done.append(path)
            if is_new:
                theirs.append(name)
        if not by_connect:
            (history.state / BY_CONNECT).unlink(missing_ok=True)
        elif not interpreter_of(history):
            write_file(history.state, BY_CONNECT, FileContent(b""))
        if not has_driver(history):
            history.repo.config[DRIVER] = DRIVER_COMMAND
            _write_attributes(history, ATTRIBUTES)
        write_file(history.state, INTERPRETER, FileContent(os.fsencode(interpreter)))

    return HooksChanged(tuple(done), (*notes, *not_run(theirs)))


def not_run(names: Iterable[str]) -> list[str]:
    """Return a note about hooks of other programs that clawgit does not run, since it commits without the git program."""
    of_commits = sorted(set(OF_COMMITS).intersection(names))
    if not of_commits:
        return []
    return [f"Commits that clawgit makes never run your {', '.join(of_commits)}; your own `git commit` does."]


def _put(path: Path, notes: list[str]) -> bool:
    """Install clawgit's hook at ``path``; False if it is there already."""
    kind = kind_of(path)
    if kind == "ours":
        return False
    if kind == "altered":
        aside = _keep_aside(path, ALTERED)
        notes.append(f"clawgit's {path.name} had been changed; that text is kept as {aside.name}.")
    elif kind == "foreign":
        if fingerprint(_kept_place(path)) not in ("", fingerprint(path)):
            notes.append(
                f"There are two other {path.name} hooks now: the one in clawgit's place runs from now on;"
                f" the one before it is kept as {path.name}{KEPT}.NUMBER and does not run."
            )
        _keep_aside(path, KEPT)
    write_file(path.parent, path.name, FileContent(shim_text(), executable=True))
    path.chmod(MODE)
    return True


def uninstall_hooks(history: History) -> HooksChanged:
    """Remove clawgit's hooks and restore those that they replaced."""
    with history.locked():
        notes: list[str] = []
        done: list[Path] = []
        folders = {history.folder / "hooks"}
        with suppress(HooksPathError):
            folders.add(hooks_place(history).folder)
        for folder in sorted(folders):
            for name in HOOK_NAMES:
                if _take_away(folder / name, notes):
                    done.append(folder / name)
        if DRIVER in dict(history.own_settings()):
            config = str(history.folder / "config")
            git_output(
                history, "config", "--file", config, "--unset-all", DRIVER
            )  # libgit2 leaves the section
        _write_attributes(history, b"")
        for name in (INTERPRETER, BY_CONNECT):
            (history.state / name).unlink(missing_ok=True)
    return HooksChanged(tuple(done), tuple(notes))


def _take_away(path: Path, notes: list[str]) -> bool:
    """Restore what was at ``path`` before; False if the hook is not clawgit's."""
    kind = kind_of(path)
    aside = _kept_place(path)
    now = fingerprint(aside)
    if kind == "foreign":
        if now:
            notes.append(f"{path} now belongs to another program, so the earlier hook stays as {aside.name}.")
        return False
    if kind == "altered":
        notes.append(f"clawgit's {path.name} had been changed; that text is kept as {path.name}{ALTERED}.")
        _keep_aside(path, ALTERED)
    if now:
        aside.replace(path)
    else:
        path.unlink(missing_ok=True)
    return bool(now) or kind != "missing"


def _attributes(history: History) -> bytes:
    try:
        return (history.folder / "info/attributes").read_bytes()
    except OSError:
        return b""


def has_driver(history: History) -> bool:
    return ATTRIBUTES in _attributes(history) and (DRIVER, DRIVER_COMMAND) in history.own_settings()


def is_merged(path: str) -> bool:
    return any(map(partial(fnmatchcase, b"/" + os.fsencode(path)), _MERGED))


def _write_attributes(history: History, added: bytes) -> None:
    """Write clawgit's lines below other lines; an empty file is deleted."""
    before = _attributes(history)
    ours = ATTRIBUTES.splitlines(keepends=True)
    theirs = filterfalse(ours.__contains__, before.splitlines(keepends=True))
    text = joined([*theirs, added])
    if text:
        (history.folder / "info").mkdir(exist_ok=True)
        write_file(history.folder / "info", "attributes", FileContent(text))
    elif before:
        (history.folder / "info/attributes").unlink()


class HooksState(NamedTuple):
    """Whether hooks were installed here, the state of each, and what is wrong with them, in sentences."""

    installed: bool
    folder: Path | None
    hooks: dict[str, HookKind]
    problems: tuple[str, ...]
    has_python: bool = False

    @property
    def can_be_put_back(self) -> bool:
        """Say whether no other program's file is in a hook's place, and the hooks' Python is known."""
        return self.folder is not None and self.has_python and _PUT_BACK.issuperset(self.hooks.values())


def read_hooks_state(history: History) -> HooksState:
    path = interpreter_of(history)
    try:
        folder = hooks_place(history).folder
    except HooksPathError as error:
        return HooksState(bool(path), None, {}, (error.message,) if path else ())
    hooks = {name: kind_of(folder / name) for name in HOOK_NAMES}
    installed = bool(path) or "ours" in hooks.values()
    has_python = "\0" not in path and os.access(path, os.X_OK) and Path(path).is_file()
    problems = []
    for kind, problem in _PROBLEMS.items() if installed else ():
        names = [name for name in HOOK_NAMES if hooks[name] == kind]
        if names:
            problems.append(f"clawgit's hook {', '.join(names)} in {folder} {problem}.")
    if installed and not has_driver(history):
        sentence = "Two clones that both remember conflict here: clawgit's merge driver is not in git's config and attributes."
        problems.append(sentence)
    if installed and not has_python:
        program = path or "none was noted"
        problems.append(f"The Python that clawgit's hooks run is gone ({program}), so they check nothing.")
    return HooksState(installed, folder, hooks, tuple(problems), has_python)


def is_runnable(history: History) -> bool:
    """Say whether the hooks' Python starts and finds clawgit; takes as long as a start of Python."""
    import subprocess

    command = [interpreter_of(history), "-E", "-P", "-c", "import clawgit.cli.workspace.hook_run"]
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, env=bare_environment(), cwd="/", timeout=IMPORT_SECONDS
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
