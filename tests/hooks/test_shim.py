"""The script that stands in for a hook: what it hands on, what it never runs, and what it does when something is gone.

Mutants seen to fail here: the script is written with the interpreter's path in it; Python looks for modules in the
working tree; another program's exit status or standard input is lost; it calls itself through another hook manager;
a Python that cannot start stops the commit; the script needs `cat`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rounds import some

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history
from clawgit.history.hooks.install import HOOK_NAMES, install_hooks, shim_text

ODD_NAMES = [
    'it\'s "odd" $(touch canary) `touch canary`\n日記 \\ $HOME * ~\n',
    ";touch canary;",
    "-n",
]
NOTE = """#!/bin/sh
{ echo "${0##*/} $*"; cat; } >>"$NOTED"
exit "${STATUS:-0}"
"""


def foreign(hooked, name: str, text: str = NOTE) -> Path:
    """Put another program's hook behind clawgit's."""
    path = hooked.root / f".git/hooks/{name}.before-clawgit"
    path.write_text(text)
    path.chmod(0o755)
    return path


def call(hooked, shell: str, name: str, *arguments: str, stdin: str = "", **environment: str):
    """Run one hook as git would, by ``shell``."""
    return subprocess.run(
        [shell, f".git/hooks/{name}", *arguments],
        cwd=hooked.root,
        env={**os.environ, **environment},
        input=stdin,
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.mark.parametrize("name", HOOK_NAMES)
def test_another_programs_hook_gets_what_git_gives_and_decides(hooked, tmp_path, name) -> None:
    noted = tmp_path / "noted"
    foreign(hooked, name)
    stdin = "old new\n\n no end" if name in ("pre-push", "post-rewrite") else ""
    for shell in filter(shutil.which, ("sh", "bash")):
        noted.unlink(missing_ok=True)
        done = call(hooked, shell, name, "a b", "", "$(c)", stdin=stdin, NOTED=str(noted), STATUS="3")

        assert noted.read_text() == f"{name}.before-clawgit a b  $(c)\n{stdin}"
        assert done.returncode == 3


def test_another_programs_refusal_comes_first(hooked) -> None:
    foreign(hooked, "pre-commit", "#!/bin/sh\necho no, says the other\nexit 1\n")
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "bad")

    assert done.returncode == 1
    assert done.stderr == "no, says the other\n"


@pytest.mark.rest
def test_a_hook_that_git_would_not_run_is_not_run(hooked) -> None:
    foreign(hooked, "pre-commit", "#!/bin/sh\nexit 1\n").chmod(0o644)
    hooked.stage("notes.md", hooked.GOOD)

    assert hooked.git("commit", "-m", "good").returncode == 0


@pytest.mark.parametrize("arranged", ["over clawgit", "below clawgit again"])
def test_a_manager_that_calls_clawgits_hook_by_another_name_calls_it_once(hooked, arranged) -> None:
    """Some managers rename what they find to NAME.legacy and run it; a second install then stands over them."""
    hooks = hooked.root / ".git/hooks"
    (hooks / "pre-commit").rename(hooks / "pre-commit.legacy")
    (hooks / "pre-commit").write_text('#!/bin/sh\necho managed >&2\n"${0%/*}/pre-commit.legacy" "$@"\n')
    (hooks / "pre-commit").chmod(0o755)
    if arranged == "below clawgit again":
        install_hooks(open_history(hooked.root), sys.executable)
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "bad")

    assert done.returncode == 1
    assert done.stderr.count("managed") == 1
    assert done.stderr.count("was stopped") == 1


# --- what is gone ---


def _no_interpreter(hooked, odd: Path) -> None:
    (hooked.root / ".git/clawgit/interpreter").write_text(str(odd / "python"))


def _no_package(hooked, odd: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(odd)], check=True)
    (hooked.root / ".git/clawgit/interpreter").write_text(str(odd / "bin/python"))


def _broken_python(hooked, odd: Path) -> None:
    odd.mkdir()
    (odd / "python").write_text("#!/bin/sh\nexit 1\n")
    (odd / "python").chmod(0o755)
    (hooked.root / ".git/clawgit/interpreter").write_text(str(odd / "python"))


def _no_library(hooked, odd: Path) -> None:
    _broken_python(hooked, odd)
    (odd / "python").write_text("#!/nowhere/python\n")


@pytest.mark.parametrize("lose", [_no_interpreter, _no_package, _broken_python, _no_library])
def test_what_is_missing_stops_nobody_and_is_said_once(hooked, tmp_path, lose) -> None:
    lose(hooked, tmp_path / "odd")
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "unchecked")

    assert done.returncode == 0
    assert done.stderr.count("its pre-commit hook cannot run, so nothing was checked") == 1
    assert done.stderr.count("its commit-msg hook cannot run") == 1
    assert "`clawgit hooks install` mends it" in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("path", ["", "/nowhere"])
def test_without_a_path_everything_is_checked_all_the_same(hooked, tmp_path, path) -> None:
    """As where git runs below a program with windows."""
    other = tmp_path / "other.git"
    hooked.must("init", "-q", "--bare", str(other))
    hooked.unchecked("key.md", f"- ghp_{'a1B2' * 9}\n")
    hooked.stage("notes.md", hooked.BAD)

    committed = hooked.git("commit", "-m", "unchecked", PATH=path)
    pushed = hooked.git("push", str(other), "main", PATH=path)

    assert (committed.returncode, pushed.returncode) == (1, 1)
    assert "this commit was stopped" in committed.stderr
    assert "this push was stopped" in pushed.stderr
    assert "not found" not in committed.stderr + pushed.stderr


def test_where_no_workspace_is_the_hooks_are_silent(hooked) -> None:
    shutil.rmtree(hooked.root / ".git/clawgit")
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "somebody else's")

    assert (done.returncode, done.stderr) == (0, "")


# --- what is never run ---


@pytest.mark.rest
def test_modules_in_the_working_tree_are_never_imported(hooked) -> None:
    """A host can write there; `python -m` would look there first."""
    names = ("clawgit", "re", "os", "pygit2", "click", "subprocess", "sitecustomize", "typing")
    for name in names:
        hooked.write(f"{name}.py", "open('canary', 'w')\nraise SystemExit(0)\n")
    hooked.stage("notes.md", hooked.BAD)

    for path in ("", "."):
        assert hooked.git("commit", "-m", "bad", PYTHONPATH=path).returncode == 1
    assert not (hooked.root / "canary").exists()


@pytest.mark.parametrize("variable", ["PYTHONHOME", "PYTHONINSPECT"])
def test_the_python_of_another_program_is_not_this_one(hooked, variable) -> None:
    """A program that brings a Python of its own along leaves such variables to what it runs. Mutant: without -E."""
    hooked.stage("notes.md", hooked.BAD)

    done = hooked.git("commit", "-m", "bad", **{variable: "/nowhere"})

    assert (done.returncode, "was stopped" in done.stderr) == (1, True)


@pytest.mark.rest
@pytest.mark.parametrize("odd", some(ODD_NAMES, each=3))
def test_no_name_of_a_folder_branch_or_file_is_run(tmp_path, now, odd) -> None:
    """T7: the workspace, its Python, a branch, a file and a linked working tree have such a name."""
    root = tmp_path / odd / "workspace"
    root.parent.mkdir()
    adopt(root, now)
    python = tmp_path / odd / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    install_hooks(open_history(root), str(python))

    def git(*arguments: str, at: Path = root) -> subprocess.CompletedProcess[str]:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        return subprocess.run(["git", *who, *arguments], cwd=at, capture_output=True, check=False, text=True)

    branch = odd if git("check-ref-format", f"refs/heads/{odd}").returncode == 0 else "plain"
    linked = root.parent / f"linked {odd}"
    assert git("worktree", "add", "-q", "-b", f"side-{branch}", "--", str(linked)).returncode == 0
    for at in (root, linked):
        (at / odd).write_text("<<<<<<< a\n=======\n>>>>>>> b\n")
        assert git("add", "--", f"./{odd}", at=at).returncode == 0
        refused = git("commit", "-m", odd, at=at)
        assert (refused.returncode, "was stopped" in refused.stderr) == (1, True), refused.stderr
        (at / odd).write_text("fine\n")
        passed = git("commit", "-a", "-m", odd, at=at)
        assert (passed.returncode, "was stopped" in passed.stderr) == (0, False), passed.stderr
    assert not list(tmp_path.rglob("canary"))
    assert shim_text() == (root / ".git/hooks/pre-commit").read_bytes()


# --- after the fact: a signal ---


def test_everything_that_moves_a_branch_leaves_a_signal(hooked, tmp_path) -> None:
    """Without Python: it must cost next to nothing."""
    (hooked.root / ".git/clawgit/interpreter").write_text("/nowhere")
    signal = hooked.root / ".git/clawgit/signal"
    linked = tmp_path / "linked"
    hooked.must("worktree", "add", "-q", "-b", "side", str(linked))
    acts = {
        "commit": lambda: hooked.unchecked("a.md", "a\n"),
        "amend": lambda: hooked.must("commit", "-q", "--amend", "--no-verify", "-m", "amended"),
        "revert": lambda: hooked.must("revert", "--no-edit", "HEAD"),
        "switch": lambda: hooked.must("switch", "-q", "-c", "other"),
        "commit in a linked tree": lambda: hooked.must("commit", "--allow-empty", "-m", "x", at=linked),
        "merge": lambda: hooked.must("merge", "-q", "--no-edit", "side"),
        "fast-forward": lambda: hooked.must("merge", "-q", "--ff-only", "other", at=linked),
    }
    for name, act in acts.items():
        signal.unlink(missing_ok=True)
        act()
        assert signal.exists(), name


def test_the_program_leaves_the_same_signal(hooked) -> None:
    """For hook managers that call `clawgit hooks run` themselves."""
    command = [sys.executable, "-m", "clawgit", "hooks", "run", "post-commit"]
    done = subprocess.run(command, cwd=hooked.root, check=False)

    assert done.returncode == 0
    assert (hooked.root / ".git/clawgit/signal").exists()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["pre-comit", "post-comit", "update"])
@pytest.mark.parametrize("option", [(), ("-w", ".")], ids=["fast", "through click"])
def test_a_hook_that_nobody_knows_is_a_wrong_word(hooked, name: str, option: tuple[str, ...]) -> None:
    """Mutant: exit 0, so a misspelt hook of a hook manager checks nothing for ever."""
    command = [sys.executable, "-m", "clawgit", *option, "hooks", "run", name]
    done = subprocess.run(command, cwd=hooked.root, check=False, capture_output=True, text=True)

    assert done.returncode == 2
    assert f"There is no hook {name}; these are known: pre-commit, " in done.stderr


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", HOOK_NAMES)
def test_every_hook_that_is_installed_is_known(hooked, name: str) -> None:
    message = hooked.root / ".git/message"
    message.write_text("x\n")
    command = [sys.executable, "-m", "clawgit", "hooks", "run", name, str(message)]

    assert subprocess.run(command, cwd=hooked.root, check=False, stdin=subprocess.DEVNULL).returncode == 0


def test_without_a_place_for_the_signal_git_goes_on(hooked) -> None:
    shutil.rmtree(hooked.root / ".git/clawgit")

    hooked.must("commit", "--allow-empty", "-m", "x")


# --- workspaces that have been there for a while ---


@pytest.mark.rest
def test_hooks_that_were_installed_earlier_go_on_working(hooked, tmp_path) -> None:
    """The script as it stands in workspaces, letter for letter: it names modules and words of the command line."""
    earlier = (Path(__file__).parents[1] / "data/hooks/git-hook-1").read_bytes()
    for name in HOOK_NAMES:
        path = hooked.root / ".git/hooks" / name
        path.write_bytes(earlier)
        path.chmod(0o755)
    other = tmp_path / "other.git"
    hooked.must("init", "-q", "--bare", str(other))
    hooked.unchecked("key.md", f"- ghp_{'a1B2' * 9}\n")
    hooked.stage("notes.md", hooked.BAD)

    tree = hooked.git("commit", "-m", "bad")
    hooked.stage("notes.md", hooked.GOOD)
    message = hooked.git("commit", "-m", "x\n\nClawgit-Op: op-1")
    (hooked.root / ".git/clawgit/signal").unlink(missing_ok=True)
    good = [hooked.git("commit", "--allow-empty", "-m", "good") for _ in range(2)]
    push = hooked.git("push", str(other), "main")

    assert [done.returncode for done in (tree, message, *good, push)] == [1, 1, 0, 0, 1]
    assert "notes.md:1: " in tree.stderr
    assert "only clawgit writes" in message.stderr
    assert [done.stderr for done in good] == ["", ""]
    assert "this push was stopped" in push.stderr
    assert (hooked.root / ".git/clawgit/signal").exists()


def test_the_script_of_today_is_the_one_that_was_tried() -> None:
    """Where it changes, it becomes another file here, and the hooks of before are still clawgit's own, only older."""
    assert shim_text() == (Path(__file__).parents[1] / "data/hooks/git-hook-4").read_bytes()
