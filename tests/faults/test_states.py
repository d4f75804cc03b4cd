"""P7: repositories in which a change would lose something, or of a kind that is not written to.

Each is refused with exit code 1 and one sentence, and not a byte of the folder changes.

Mutants seen to fail here: states are not looked at; conflicts in the staging are found only when it is
written; objects are read by libgit2 alone (hangs); a repository inside a folder is entered.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from rounds import some

from clawgit.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = "memory/2026-03-18.md"
OWN = re.compile(r"\.git/clawgit/(lock|queue|[^/]*\.json)")
NOBODY = 65534


def git(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run git as Ada, whatever it answers."""
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.run(
        ["git", *who, *arguments],
        cwd=root,
        capture_output=True,
        check=False,
        text=True,
        env={**os.environ, "GIT_EDITOR": "true", **environment},
    )


def commit(root: Path, path: str, text: str, message: str) -> None:
    (root / path).write_text(text)
    git(root, "add", "-A")
    assert git(root, "commit", "--quiet", "-m", message).returncode == 0


class States:
    """How each state comes about; the two branches change the same line."""

    @staticmethod
    def merge_with_conflicts(root: Path) -> None:
        git(root, "merge", "other")

    @staticmethod
    def merge_that_only_lacks_its_commit(root: Path) -> None:
        git(root, "merge", "--no-commit", "--no-ff", "harmless")

    @staticmethod
    def rebase_with_conflicts(root: Path) -> None:
        git(root, "rebase", "other")

    @staticmethod
    def rebase_that_stops_to_edit(root: Path) -> None:
        git(root, "rebase", "-i", "HEAD~1", GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/")

    @staticmethod
    def cherry_pick(root: Path) -> None:
        git(root, "cherry-pick", "other")

    @staticmethod
    def revert(root: Path) -> None:
        git(root, "revert", "--no-edit", "HEAD~1")

    @staticmethod
    def am(root: Path) -> None:
        git(root, "format-patch", "-1", "other", "-o", ".git/patches")
        git(root, "am", *map(str, (root / ".git/patches").iterdir()))

    @staticmethod
    def bisect_that_has_begun(root: Path) -> None:
        git(root, "bisect", "start")

    @staticmethod
    def bisect_on_its_way(root: Path) -> None:
        git(root, "bisect", "start", "HEAD", "HEAD~2")

    @staticmethod
    def detached(root: Path) -> None:
        git(root, "checkout", "--quiet", "--detach")

    @staticmethod
    def detached_at_a_tag(root: Path) -> None:
        git(root, "tag", "v1")
        git(root, "checkout", "--quiet", "v1")

    @staticmethod
    def conflicts_of_a_stash(root: Path) -> None:
        (root / DAY).write_text("stashed\n")
        git(root, "stash")
        commit(root, DAY, "committed meanwhile\n", "meanwhile")
        git(root, "stash", "pop")

    @staticmethod
    def marked_as_bare(root: Path) -> None:
        git(root, "config", "core.bare", "true")

    @staticmethod
    def reftable(root: Path) -> None:
        with (root / ".git/config").open("a") as config:
            config.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n")

    @staticmethod
    def an_unknown_extension(root: Path) -> None:
        with (root / ".git/config").open("a") as config:
            config.write("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tfromthefuture = true\n")

    @staticmethod
    def a_newer_format(root: Path) -> None:
        (root / ".git/clawgit/format").write_text("99\n")

    @staticmethod
    def a_head_that_says_nothing(root: Path) -> None:
        (root / ".git/HEAD").write_text("")

    @staticmethod
    def a_branch_that_says_nothing(root: Path) -> None:
        (root / ".git/refs/heads/main").write_text("")


STATES = {name: act.__func__ for name, act in vars(States).items() if isinstance(act, staticmethod)}


@pytest.fixture
def grown(room, lived_once) -> Path:
    """Return a workspace with branches that contradict each other, and an edit that waits to be kept."""

    def life() -> None:
        commit(room.root, DAY, "as it was\n", "first")
        git(room.root, "branch", "other")
        git(room.root, "branch", "harmless")
        git(room.root, "switch", "--quiet", "other")
        commit(room.root, DAY, "other\n", "other")
        git(room.root, "switch", "--quiet", "harmless")
        commit(room.root, "harmless.md", "harmless\n", "harmless")
        git(room.root, "switch", "--quiet", "main")
        commit(room.root, DAY, "main\n", "main")
        commit(room.root, DAY, "main again\n", "main again")

    return lived_once("grown", life).root


def digest(root: Path) -> dict[str, str]:
    """Return what every file of the folder holds, git's included; clawgit's own lock and caches aside."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file() and not OWN.fullmatch(name):
            found[name] = f"{path.stat().st_mode:o} {sha256(path.read_bytes()).hexdigest()}"
    return found


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before | after if before.get(name) != after.get(name)}


@pytest.fixture
def refused(forked) -> Callable[..., None]:
    """Return a check that both commands are refused in one line, and leave every byte as it was."""

    def check(root: Path, *commands: tuple[str, ...]) -> None:
        before = digest(root)
        for arguments in commands or (
            ("memory", "add", "Remember the milk.", "--to", "MEMORY.md"),
            ("keep",),
        ):
            done = forked(root, *arguments)
            assert done.returncode == 1, (arguments, done.stdout, done.stderr)
            assert done.stderr.startswith("clawgit: "), arguments
            assert done.stderr.count("\n") == 1, done.stderr
            assert digest(root) == before, arguments

    return check


@pytest.mark.smoke
@pytest.mark.parametrize("state", some(STATES, each=2))
def test_an_odd_state_is_refused_and_nothing_changes(grown, refused, state):
    STATES[state](grown)
    (grown / "MEMORY.md").write_text("# Memory\n\n- Ada edited this.\n")
    refused(grown)


@pytest.mark.parametrize("state", some(STATES, each=5))
def test_looking_at_an_odd_state_changes_nothing_and_ends_with_a_sentence(grown, state, capfd):
    run(
        ["-w", str(grown), "status"], dict(os.environ)
    )  # the commits so far are looked at, and their tip noted
    STATES[state](grown)
    (grown / "MEMORY.md").write_text("# Memory\n\n- Ada edited this.\n")
    before = digest(grown)
    for words in (("status",), ("hooks", "status"), ("doctor",)):
        capfd.readouterr()
        code = run(["-w", str(grown), *words], dict(os.environ))
        out, err = capfd.readouterr()
        assert code in (0, 1), (words, err)
        assert "bug" not in out + err
        assert (out + err).strip()
        assert changed(before, digest(grown)) <= {".git/clawgit/records.db"}, words  # the tip may be noted


NO_REPOSITORY = {
    "marked_as_bare",
    "reftable",
    "an_unknown_extension",
    "a_newer_format",
    "a_head_that_says_nothing",
}


@pytest.mark.parametrize("state", some(sorted(STATES.keys() - NO_REPOSITORY), each=5))
def test_what_is_said_is_kept_and_judged_in_every_state(grown, state, forked):
    assert forked(grown, "config", "set", "operator_ids", "[ada]").returncode == 0
    STATES[state](grown)

    kept = forked(
        grown, "chat", "add", "Remember that the rent is due on the 1st.", "--sender", "ada", "--id", "1"
    )
    judged = forked(grown, "triage", "Remember that the rent is due on the 1st.", "--json")
    logged = forked(grown, "chat", "log", "--json")
    printed = forked(grown, "chat", "log")

    codes = [done.returncode for done in (kept, judged, logged, printed)]
    assert codes == [0, 0, 0, 0], kept.stderr + judged.stderr
    assert [message["message_id"] for message in json.loads(logged.stdout)] == ["1"]
    assert json.loads(judged.stdout)["miner"]


READING = [
    pytest.param(words, id=" ".join(words[:2]))
    for words in (
        ("status",),
        ("memory", "search", "meanwhile"),
        ("memory", "search", "meanwhile", "--deep"),
        ("memory", "search", "meanwhile", "--as-of", "2026-11-20"),
        ("memory", "list"),
        ("memory", "get", "MEMORY.md"),
        ("memory", "status"),
        ("memory", "index"),
        ("soul", "log"),
        ("soul", "show"),
        ("soul", "diff"),
        ("corrections",),
        ("runs",),
        ("run", "memory-miner", "--dry-run"),
        ("config", "show"),
        ("config", "check"),
        ("trust",),
        ("quarantine", "list"),
        ("session", "due"),
    )
]


@pytest.mark.parametrize("words", some(READING, each=7))
@pytest.mark.parametrize("state", ["detached", "rebase_with_conflicts"])
def test_off_any_branch_what_only_reads_works_and_says_so(grown, state, words, forked):
    STATES[state](grown)
    head = git(grown, "rev-parse", "HEAD").stdout[:12]

    done = forked(grown, *words)

    assert done.returncode == 0, done.stderr
    assert done.stderr.count(f"This is read at commit {head}.") == 1
    assert "nothing can be changed" in done.stderr


def test_off_any_branch_what_is_checked_out_is_what_is_read(grown, forked):
    commit(grown, "memory/places.md", "- The office is in Bern.\n", "a place")
    git(grown, "checkout", "--quiet", "--detach", "HEAD~1")
    before = forked(grown, "memory", "search", "where is the office", "--json")
    git(grown, "checkout", "--quiet", "--detach", "-")
    git(grown, "checkout", "--quiet", "--detach", "main")

    after = forked(grown, "memory", "search", "where is the office", "--json")
    listed = forked(grown, "memory", "list", "--json")

    assert not json.loads(before.stdout)["results"]
    assert json.loads(after.stdout)["results"][0]["trust"] == "operator"
    assert "Bern" in listed.stdout
    assert "no branch" not in forked(grown, "chat", "log").stderr


def test_an_agent_asks_no_model_where_nothing_can_be_changed(grown, forked):
    git(grown, "checkout", "--quiet", "--detach")

    done = forked(grown, "run", "recall-validator")

    assert done.returncode == 1
    assert "HEAD is not on a branch" in done.stderr


@pytest.mark.parametrize("state", some(sorted(STATES.keys() - NO_REPOSITORY), each=5))
def test_doctor_names_what_makes_every_change_be_refused(grown, state, forked):
    STATES[state](grown)

    refused = forked(grown, "keep")
    found = forked(grown, "doctor")

    assert found.returncode == 1
    reason = refused.stderr.removeprefix("clawgit: ").partition(".")[0]
    assert reason in found.stdout + found.stderr


def test_edits_that_a_rebase_put_aside_and_left_are_named_pinned_and_brought_back(grown, forked):
    """Git could not put the files back as committed: what it had put aside is named by a file of its own alone."""
    (grown / DAY).write_text("main again\nAda edited this.\n")
    aside = git(grown, "stash", "create").stdout.strip()
    (grown / ".git/rebase-merge").mkdir()
    (grown / ".git/rebase-merge/autostash").write_text(aside + "\n")
    git(grown, "reset", "--hard")
    named = forked(grown, "doctor")
    assert aside[:12] in named.stdout
    assert "git rebase --quit" in named.stdout

    refused = forked(grown, "memory", "add", "x", "--to", "MEMORY.md")

    assert refused.returncode == 1
    assert aside[:12] in refused.stderr
    assert "git rebase --quit" in refused.stderr
    assert aside[:12] in forked(grown, "status").stdout
    pinned = git(grown, "for-each-ref", "--format=%(objectname) %(refname)", "refs/clawgit/rescue").stdout
    assert pinned.startswith(f"{aside} ")
    assert pinned.split()[1] in forked(grown, "doctor").stdout
    assert git(grown, "rebase", "--quit").returncode == 0
    assert git(grown, "stash", "pop").returncode == 0
    assert (grown / DAY).read_text() == "main again\nAda edited this.\n"
    assert forked(grown, "keep").returncode == 0
    assert git(grown, "show", f"HEAD:{DAY}").stdout == "main again\nAda edited this.\n"


def test_doctor_pins_them_too(grown, forked):
    (grown / DAY).write_text("main again\nAda edited this.\n")
    aside = git(grown, "stash", "create").stdout.strip()
    (grown / ".git/rebase-merge").mkdir()
    (grown / ".git/rebase-merge/autostash").write_text(aside + "\n")

    forked(grown, "doctor", "--fix")

    assert aside in git(grown, "for-each-ref", "refs/clawgit/rescue").stdout


def test_a_bare_repository_and_one_with_other_object_names_are_refused(grown, refused, tmp_path):
    git(tmp_path, "clone", "--quiet", "--bare", str(grown), "bare.git")
    refused(tmp_path / "bare.git")
    git(tmp_path, "init", "--quiet", "--object-format=sha256", "sha256")
    refused(tmp_path / "sha256", ("init",), ("memory", "add", "x", "--to", "MEMORY.md"), ("keep",))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_another_user_is_refused(grown, refused):
    for path in (grown, *grown.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    refused(grown)


def test_a_folder_inside_a_repository_is_no_workspace(grown, refused):
    (grown / "memory/deep").mkdir()
    refused(grown / "memory/deep")


def test_a_repository_inside_the_workspace_is_left_alone(grown, forked):
    """A path in it is refused; `keep` names it and keeps everything else."""
    inner = grown / "memory/inner"
    git(grown, "init", "--quiet", str(inner))
    commit(inner, "own.md", "its own\n", "inner")
    (inner / "own.md").write_text("its own, edited\n")
    (grown / "beside.md").write_text("beside\n")
    before = digest(inner)

    added = forked(grown, "memory", "add", "--to", "memory/inner/own.md", "Not here.")
    assert added.returncode == 1
    assert "memory/inner" in added.stderr
    kept = forked(grown, "keep")
    assert kept.returncode == 0, kept.stderr
    assert "memory/inner" in kept.stderr
    assert git(grown, "show", "HEAD:beside.md").stdout == "beside\n"
    assert git(grown, "ls-tree", "-r", "HEAD", "memory/inner").stdout == ""
    assert digest(inner) == before


@pytest.mark.parametrize(
    ("name", "commands"),
    [
        pytest.param(
            "HEAD", (("memory", "add", "Milk.", "--to", "MEMORY.md"), ("keep",), ("status",)), id="the tip"
        ),
        pytest.param(
            "HEAD^{tree}",
            (("memory", "add", "Milk.", "--to", "MEMORY.md"), ("keep",), ("status",)),
            id="its tree",
        ),
        pytest.param("HEAD:memory", (("memory", "add", "--to", DAY, "Milk."), ("keep",)), id="a folder"),
        pytest.param(f"HEAD:{DAY}", (("memory", "add", "--to", DAY, "Milk."),), id="the file"),
    ],
)
def test_a_damaged_object_is_named_and_nothing_hangs(grown, refused, name, commands, full_length):
    """libgit2 1.9 reads a truncated loose object for ever: it must never come to see one."""
    (grown / "MEMORY.md").write_text("# Memory\n\n- Ada edited this.\n")
    object_id = git(grown, "rev-parse", name).stdout.strip()
    path = grown / ".git/objects" / object_id[:2] / object_id[2:]
    data = path.read_bytes()
    path.chmod(0o644)
    cut = (data[: len(data) // 2], b"", data[:-1], b"?" * len(data))
    for damaged in cut if full_length else cut[:1]:
        path.write_bytes(damaged)
        refused(grown, *commands)


def test_the_first_change_of_an_unborn_branch_works(grown, forked, tmp_path):
    """Both kinds: a workspace that is all new, and a branch without a commit in an old one."""
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    git(fresh, "init", "--quiet", "-b", "trunk")
    assert forked(fresh, "init").returncode == 0
    git(grown, "switch", "--quiet", "--orphan", "empty")
    for root, arguments in (
        (fresh, ("memory", "add", "One.", "--to", "MEMORY.md")),
        (grown, ("memory", "add", "One.", "--to", "MEMORY.md")),
    ):
        done = forked(root, *arguments)
        assert done.returncode == 0, done.stderr
        assert "One." in git(root, "show", "HEAD:MEMORY.md").stdout
        assert git(root, "fsck", "--strict").returncode == 0
        assert git(root, "status", "--porcelain").stdout == ""
    assert git(grown, "rev-list", "--count", "HEAD").stdout == "1\n"
    shutil.rmtree(fresh)
