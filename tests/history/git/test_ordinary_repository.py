"""Without libgit2: an ordinary repository is read as libgit2 reads it, and any other is left to it."""

from __future__ import annotations

import subprocess
import sys

import pygit2
import pytest

from clawgit.history.git.ordinary_repository import git_setting, ordinary_folder, plain_config
from clawgit.history.git.repository import RepositoryStateError, open_history


def test_a_new_workspace_is_ordinary_and_its_folders_are_those_that_libgit2_names(room) -> None:
    history = open_history(room.root)

    assert history.is_ordinary
    assert f"{history.git_folder}/" == history.repo.path


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["config", "extensions.worktreeConfig", "true"], id="an extension"),
        pytest.param(["config", "include.path", "more"], id="an included file"),
        pytest.param(["config", "core.worktree", ".."], id="files elsewhere"),
        pytest.param(["config", "user.name", "Ada # Byron"], id="a quoted value"),
        pytest.param(["checkout", "--quiet", "--detach"], id="no branch"),
        pytest.param(["checkout", "--quiet", "-b", "Größe"], id="a branch with other letters"),
    ],
)
def test_what_is_not_ordinary_is_left_to_libgit2(room, words) -> None:
    room.git(*words)
    history = open_history(room.root)

    assert not history.is_ordinary
    assert f"{history.git_folder}/" == history.repo.path


def test_a_linked_working_tree_is_left_to_libgit2(room, tmp_path) -> None:
    room.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "linked"))

    history = open_history(tmp_path / "linked")

    assert not history.is_ordinary
    assert history.git_folder == history.folder / "worktrees/linked"


HOOKS_IN_HOME = "[user]\n\tname = Ada\n[core]\n\thooksPath = ~/hooks\n"


@pytest.mark.parametrize(
    ("xdg", "home", "own", "is_read"),
    [
        pytest.param("", "", "", True, id="nowhere"),
        pytest.param("", "[user]\n\tname = Ada\n", "", True, id="a name alone"),
        pytest.param("", HOOKS_IN_HOME, "", True, id="the user's"),
        pytest.param("[core]\n\thookspath = /x\n", HOOKS_IN_HOME, "", True, id="the user's two"),
        pytest.param("[core]\n\thookspath = /x\n", "", "", True, id="the other one"),
        pytest.param("", HOOKS_IN_HOME, ".own", True, id="the repository's"),
        pytest.param("", '[core]\n\thooksPath = "/a b"\n', "", False, id="quoted"),
        pytest.param("", "[include]\n\tpath = more\n", "", False, id="from another file"),
    ],
)
def test_a_setting_is_the_one_that_counts_for_git(room, own_home, xdg, home, own, is_read) -> None:
    """Mutants: the user's files are left to libgit2; the first of two values counts; what another file may say is passed over."""
    (own_home / ".config/git").mkdir(parents=True)
    (own_home / ".config/git/config").write_text(xdg)
    (own_home / ".gitconfig").write_text(home)
    if own:
        room.git("config", "core.hooksPath", own)

    value = git_setting(room.root / ".git", "core.hooksPath")

    gits = room.git("config", "core.hooksPath", check=False)
    expected = None
    if is_read:
        expected = (gits,) if gits else ()
    assert value == expected


def test_a_folder_that_is_marked_as_bare_is_refused(room) -> None:
    room.git("config", "core.bare", "true")

    with pytest.raises(RepositoryStateError, match="marked as bare"):
        open_history(room.root)


@pytest.mark.parametrize("missing", ["objects", "refs", "HEAD", "config"])
def test_half_a_repository_is_not_ordinary(room, missing) -> None:
    (room.root / ".git" / missing).rename(room.root / "elsewhere")

    assert ordinary_folder(room.root) is None


@pytest.mark.parametrize("name", ["refs/heads/main", "refs/heads/none", "refs/tags/v1", "refs/heads/a/b"])
@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
def test_references_are_what_libgit2_says(room, name, is_packed) -> None:
    room.git("tag", "-a", "v1", "-m", "one")
    room.git("branch", "a/b")
    if is_packed:
        room.git("pack-refs", "--all")
    history = open_history(room.root)
    found = history.repo.references.get(name)

    assert history.target(name) == (None if found is None else str(found.target))


@pytest.mark.parametrize("is_packed", [False, True], ids=["loose", "packed"])
def test_references_below_a_folder_are_listed_with_those_that_changed_since_they_were_packed(
    room, is_packed
) -> None:
    room.git("update-ref", "refs/clawgit/past/one", "HEAD")
    if is_packed:
        room.git("pack-refs", "--all")
    room.write("MEMORY.md", "Tea.\n")
    room.git("commit", "--quiet", "--no-verify", "-am", "tea")
    room.git("update-ref", "refs/clawgit/past/two", "HEAD")
    history = open_history(room.root)

    assert history.refs("refs/clawgit/past/") == {
        "refs/clawgit/past/one": room.git("rev-parse", "HEAD~"),
        "refs/clawgit/past/two": room.git("rev-parse", "HEAD"),
    }
    assert history.refs("refs/heads/") == {"refs/heads/main": room.git("rev-parse", "HEAD")}


@pytest.mark.parametrize("text", ["", "0" * 40, "ref: refs/heads/main\n", "no id\n"])
def test_a_reference_that_is_not_an_id_is_read_by_libgit2(room, text) -> None:
    """Mutant: an empty file is taken for a branch without a commit."""
    room.git("branch", "other")
    (room.root / ".git/refs/heads/other").write_text(text)
    history = open_history(room.root)
    assert history.is_ordinary

    try:
        expected = str(history.repo.references.get("refs/heads/other").resolve().target)
    except (pygit2.GitError, ValueError):
        with pytest.raises(RepositoryStateError, match="cannot be read"):
            history.target("refs/heads/other")
    else:
        assert history.target("refs/heads/other") == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("[core]\n\tbare = false\n", [("core.bare", "false")], id="as git writes it"),
        pytest.param("[Core]\nBARE=no\n", [("core.bare", "no")], id="letters of any size"),
        pytest.param('[branch "A.b"]\nmerge = x\n', [("branch.A.b.merge", "x")], id="a name inside"),
        pytest.param("# one\n\n; two\n", [], id="comments"),
        pytest.param("[core]\nbare\n", None, id="a key alone"),
        pytest.param('[core]\nbare = "false"\n', None, id="quoted"),
        pytest.param("[core]\nbare = fal\\\nse\n", None, id="joined lines"),
        pytest.param("[core] bare = false\n", None, id="behind its section"),
        pytest.param("bare = false\n", None, id="without a section"),
        pytest.param("[core]\nbare = false # so\n", None, id="a comment behind it"),
    ],
)
def test_only_plain_settings_are_read(text, found) -> None:
    assert plain_config(text) == found


def test_a_tip_is_read_without_libgit2(room) -> None:
    """Mutant: the repository is opened at once."""
    code = (
        "import sys; from pathlib import Path; from clawgit.history.git.repository import open_history;"
        "print(open_history(Path(sys.argv[1])).tip().commit_id, 'pygit2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(room.root)],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.split()[1] == "False"
