"""What a hook says of a commit: each rule of the table has a change that it finds, and a change that none minds is let through."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rounds import some

from clawgit.cli.workspace import hook_output
from clawgit.cli.workspace.hook_run import run_hook
from clawgit.errors import ExitCode
from clawgit.history.guards.finding import RULES, severity_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.hooks.conftest import Hooked

KEY = f"ghp_{'a1B2' * 9}"
UNFINISHED = "<<<<<<< ours\n- tea\n=======\n- coffee\n>>>>>>> theirs\n"
CORRECTION = (
    "# CORRECTIONS\n\n## 2026-03-01 10:22 <!-- x:aaa111 re-embedded:false -->\n\n"
    "- said: tea\n- correct: coffee\n- corrects: m:e1\n- status: applied\n"
)
ENTRIES = "# Memory\n\n- Ada likes coffee. <!-- m:e1 -->\n- More about her work. <!-- m:e2 -->\n"


@pytest.fixture(scope="module")
def made() -> dict[str, Hooked]:
    """Return where the first test leaves the workspace that all others copy."""
    return {}


@pytest.fixture
def hooked_up(made, new_hooked, tmp_path) -> Hooked:
    """Return a workspace with hooks and a commit, with a correction of an entry."""
    if not made:
        hooked = new_hooked("looked-at")
        hooked.unchecked("CORRECTIONS.md", CORRECTION)
        hooked.unchecked("MEMORY.md", ENTRIES)
        hooked.unchecked("memory/long.md", "- one line\n- two lines here\n- three lines are there\n")
        hooked.stage("first.md", hooked.GOOD)
        hooked.must("commit", "-m", "first")
        made["first"] = hooked
    first = made["first"]
    copy = replace(first, root=Path(shutil.copytree(first.root, tmp_path / "hooked_up", symlinks=True)))
    copy.must("update-index", "-q", "--refresh")
    return copy


def stage(path: str, text: str) -> Callable[[Hooked], None]:
    return lambda hooked: hooked.stage(path, text)


def config(old: str, new: str, path: str = "CONFIG.md") -> Callable[[Hooked], None]:
    def change(hooked: Hooked) -> None:
        text = (hooked.root / path).read_text()
        assert old in text
        hooked.stage(path, text.replace(old, new, 1))

    return change


def under(old: str, new: str, then: Callable[[Hooked], None]) -> Callable[[Hooked], None]:
    """Return a change under another setting, which the whole check has hooked_up by then."""

    def change(hooked: Hooked) -> None:
        config(old, new)(hooked)
        hooked.must("commit", "-m", "another setting")
        hooked.stage("first.md", hooked.GOOD * 2)
        hooked.must("commit", "-m", "once more")
        then(hooked)

    return change


def link(hooked: Hooked) -> None:
    (hooked.root / "link.md").symlink_to("MEMORY.md")
    hooked.must("add", "link.md")


def derived(hooked: Hooked) -> None:
    hooked.write("CHANGELOG.md", "x\n")
    hooked.must("add", "-f", "CHANGELOG.md")


def another_soul(hooked: Hooked) -> None:
    """Reword the soul once the first conversation is over."""
    hooked.must("rm", "-q", "BOOTSTRAP.md")
    hooked.must("commit", "-m", "after the ritual")
    hooked.stage("SOUL.md", "# Soul\n")


# What each rule says of a change, whose that is, and how it is made.
CHANGES: dict[str, tuple[str, str, Callable[[Hooked], None]]] = {
    "secret": ("list.txt: a secret", "", stage("list.txt", f"the key is {KEY}\n")),
    "unsafe-path": ("link.md is a symbolic link", "", link),
    "conflict-marker": ("an unfinished merge", "", stage("list.txt", UNFINISHED)),
    "file-size": (
        "big.txt: 66,000 bytes",
        "",
        under("soul_policy: evolve", "max_file_bytes: 65536", stage("big.txt", "many words \n" * 5500)),
    ),
    "soul-locked": (
        "SOUL.md is locked",
        "",
        under("soul_policy: evolve", "soul_policy: locked", stage("SOUL.md", "- Be brief.\n")),
    ),
    "soul-budget": ("SOUL.md: about", "", stage("SOUL.md", "- Be kind to all you meet.\n" * 400)),
    "soul-policy": ("more than soul_policy", "host", another_soul),
    "soul-rewrite": ("rewrites a large part", "soul-keeper", another_soul),
    "memory-policy": (
        "lets nobody but the operator",
        "host",
        under(
            "memory_policy: free",
            "memory_policy: review",
            stage("MEMORY.md", ENTRIES + "- The dog is called Rex.\n"),
        ),
    ),
    "agent-prompt": ("instructs one of", "host", stage("agents/memory-miner/SOUL.md", "Find everything.\n")),
    "correction": (
        "x:aaa111 of CORRECTIONS.md is removed",
        "",
        stage("CORRECTIONS.md", "# CORRECTIONS\n"),
    ),
    "forged-correction": (
        "does not rest on the operator's words",
        "host",
        stage("CORRECTIONS.md", CORRECTION + CORRECTION.replace("aaa111", "bbb222").partition("\n\n")[2]),
    ),
    "corrected-entry": (
        "MEMORY.md lacks 1 corrected line",
        "",
        stage("MEMORY.md", ENTRIES.replace(" <!-- m:e1 -->", "")),
    ),
    "loss": ("memory/long.md loses 77 %", "", stage("memory/long.md", "- one line\n")),
    "control-character": ("U+0007", "", stage("ring.md", "- a \x07 bell\n")),
    "derived-file": ("CHANGELOG.md is rendered from history", "", derived),
    "settings": ("soul_policy is 'never'", "", config("soul_policy: evolve", "soul_policy: never")),
    "settings-waiting": ("has no effect", "host", config("soul_policy: evolve", "soul_policy: review")),
}
ASKED = {"cut-short"}  # a `loss` of which the operator is asked: no guard of its own
NOT_OF_A_COMMIT = {"authority"}  # no `git commit` carries a plan, or claims trust that its actor has not


def test_every_rule_has_its_change() -> None:
    assert RULES.keys() - ASKED == CHANGES.keys() | NOT_OF_A_COMMIT


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", some(CHANGES, each=6))
def test_what_one_guard_finds_is_said_by_the_hook(hooked_up, rule) -> None:
    says, actor, change = CHANGES[rule]
    change(hooked_up)
    stops = severity_of(rule, actor or "operator").stops

    done = hooked_up.git("commit", "-m", "x", **({"CLAWGIT_ACTOR": actor} if actor else {}))

    assert says in done.stderr
    assert done.returncode == int(stops)


def grown(hooked: Hooked) -> None:
    hooked.append("MEMORY.md", "- One more.\n")
    hooked.must("add", "MEMORY.md")


def gone(hooked: Hooked) -> None:
    hooked.must("rm", "-q", "first.md")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda _: None, id="nothing"),
        pytest.param(stage("notes/list.txt", "one\n"), id="a file of no memory"),
        pytest.param(stage("memory/2026-03-19.md", "- 日記: tea\n"), id="a note in another script"),
        pytest.param(stage("SOUL.md", "# Soul\n\n- Be kind.\n"), id="the soul"),
        pytest.param(grown, id="an entry more"),
        pytest.param(gone, id="a file goes"),
    ],
)
def test_what_no_guard_minds_is_let_through_without_a_word(hooked_up, change) -> None:
    hooked_up.unchecked("SOUL.md", "# Soul\n")
    change(hooked_up)

    assert hooked_up.git("commit", "--allow-empty", "-m", "x").stderr == ""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "way", [("gc", "-q"), ("checkout", "-q", "--detach"), ("pack-refs", "--all")], ids="-".join
)
def test_wherever_head_is_kept_it_is_found(hooked_up, way) -> None:
    hooked_up.must(*way)
    hooked_up.stage("memory/long.md", "- one line\n")

    assert "memory/long.md loses 77 %" in hooked_up.git("commit", "-m", "x").stderr


@pytest.mark.rest
def test_an_ordinary_commit_loads_neither_libgit2_nor_yaml(hooked_up) -> None:
    """By names, for times change: all hooks of a commit together have 200 ms of processor time."""
    hooked_up.append("memory/long.md", "- four lines\n")
    hooked_up.must("add", "memory/long.md")
    hooked_up.must("write-tree")  # as git does before it runs a hook
    (hooked_up.root / ".git/COMMIT_EDITMSG").write_text("memory: one more\n")
    for words in (["pre-commit"], ["commit-msg", ".git/COMMIT_EDITMSG"]):
        command = [sys.executable, "-P", "-X", "importtime", "-m", "clawgit", "hooks", "run", *words]
        done = subprocess.run(command, cwd=hooked_up.root, capture_output=True, check=True, text=True)
        loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}

        assert "clawgit.history.guards.check" in loaded
        assert loaded.isdisjoint(("pygit2", "yaml", "click", "subprocess"))
        assert loaded.isdisjoint(
            (
                "rapidfuzz",
                "clawgit.memory.corrections.corrected_entries",
                "clawgit.history.transaction.staging",
                "clawgit.identity.soul_policy",
            )
        )
    assert "clawgit.history.hooks.commit_checks" not in loaded  # the message is checked alone


def test_a_bug_stops_git_and_is_told(hooked_up, monkeypatch, capfd, own_home) -> None:
    """Mutant: the hook goes on without a word, and nobody ever learns of it."""
    monkeypatch.delattr(hook_output, "open_for_hook")
    monkeypatch.chdir(hooked_up.root)

    assert run_hook(["pre-commit"]) == ExitCode.BUG

    (crash,) = own_home.rglob("crash-*.txt")
    assert "open_for_hook" in crash.read_text()
    said = capfd.readouterr().err
    assert f"This is a bug in clawgit (NameError); what happened is in {crash}." in said
    assert "`git commit --no-verify` skips the check." in said


def test_a_check_of_which_a_part_is_missing_stops_git(hooked_up, monkeypatch, capfd) -> None:
    """Mutant: where a part cannot be loaded, nothing is looked at, and a secret goes through."""
    monkeypatch.setitem(sys.modules, "clawgit.history.hooks.commit_checks", None)
    monkeypatch.chdir(hooked_up.root)

    assert run_hook(["pre-commit"]) == ExitCode.BUG

    assert "`git commit --no-verify` skips the check." in capfd.readouterr().err
