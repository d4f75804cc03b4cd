"""The first look of a hook: it lets through what every guard is silent about, and nothing else.

Mutants seen to fail here: a guard is left out of it; the settings are the defaults; a note counts although CONFIG.md,
the trust store or a claim came after it; what is staged is not compared with the file; comments count as the message.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rounds import some

from clawgit.cli.workspace.hook_run import run_hook
from clawgit.errors import ExitCode
from clawgit.history.guards.check import GUARDS
from clawgit.history.guards.finding import severity_of
from clawgit.history.hooks import first_look
from clawgit.history.hooks.first_look import (
    KNOWN_FORMAT,
    MOST_COMMITS,
    NOTE,
    STRICTEST,
    NotedSettings,
    has_nothing_to_say,
)
from clawgit.workspace.layout import FORMAT_VERSION
from clawgit.workspace.settings.settings import SETTINGS

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
def noted(made, new_hooked, own_home, tmp_path) -> Hooked:
    """Return a workspace with hooks in which one commit was looked at as a whole, with a correction of an entry."""
    if not made:
        hooked = new_hooked("looked-at")
        hooked.unchecked("CORRECTIONS.md", CORRECTION)
        hooked.unchecked("MEMORY.md", ENTRIES)
        hooked.unchecked("memory/long.md", "- one line\n- two lines here\n- three lines are there\n")
        hooked.stage("first.md", hooked.GOOD)
        hooked.must("commit", "-m", "first")
        made[str(own_home)] = hooked
    ((home, first),) = made.items()
    copy = replace(first, root=Path(shutil.copytree(first.root, tmp_path / "noted", symlinks=True)))
    copy.must("update-index", "-q", "--refresh")
    note = copy.root / ".git/clawgit" / NOTE
    note.write_text(note.read_text().replace(home, str(own_home)))  # each test has a home of its own
    return copy


def is_silent(hooked, name: str = "pre-commit", *arguments: str, **environment: str) -> bool:
    """Ask the first look as the hook does, with nothing in the environment but a home."""
    told = {name: value for name in ("HOME", "XDG_CONFIG_HOME") if (value := os.environ.get(name))}
    return has_nothing_to_say(name, arguments, {**told, **environment}, str(hooked.root))


def stage(path: str, text: str) -> Callable[[Hooked], None]:
    return lambda hooked: hooked.stage(path, text)


def config(old: str, new: str, path: str = "CONFIG.md") -> Callable[[Hooked], None]:
    def change(hooked: Hooked) -> None:
        text = (hooked.root / path).read_text()
        assert old in text
        hooked.stage(path, text.replace(old, new, 1))

    return change


def under(old: str, new: str, then: Callable[[Hooked], None]) -> Callable[[Hooked], None]:
    """Return a change under another setting, which the whole check has noted by then."""

    def change(hooked: Hooked) -> None:
        config(old, new)(hooked)
        hooked.must("commit", "-m", "another setting")
        hooked.stage("first.md", hooked.GOOD * 2)
        hooked.must("commit", "-m", "noted once more")
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
    "secret": ("list.txt would hold a secret", "", stage("list.txt", f"the key is {KEY}\n")),
    "secret-allowed": (
        "It is let in: a test.",
        "",
        stage("key.md", f"- {KEY} <!-- clawgit: allow a test -->\n"),
    ),
    "unsafe-path": ("link.md is a symbolic link", "", link),
    "conflict-marker": ("an unfinished merge", "", stage("list.txt", UNFINISHED)),
    "file-size": (
        "big.txt would have 66,000 bytes",
        "",
        under("max_file_bytes: 1048576", "max_file_bytes: 65536", stage("big.txt", "many words \n" * 5500)),
    ),
    "commit-size": (
        "The change holds 2,400 bytes",
        "",
        under(
            "max_commit_bytes: 10485760", "max_commit_bytes: 2048", stage("big.txt", "many words \n" * 200)
        ),
    ),
    "soul-locked": (
        "SOUL.md is locked",
        "",
        under("soul_policy: evolve", "soul_policy: locked", stage("SOUL.md", "- Be brief.\n")),
    ),
    "soul-budget": ("SOUL.md would have about", "", stage("SOUL.md", "- Be kind to all you meet.\n" * 400)),
    "soul-policy": ("more than soul_policy", "host", another_soul),
    "soul-rewrite": ("rewrites a large part", "soul-keeper", another_soul),
    "agent-prompt": ("instructs one of", "host", stage("agents/memory-miner/SOUL.md", "Find everything.\n")),
    "correction": (
        "x:aaa111 of CORRECTIONS.md would be removed",
        "",
        stage("CORRECTIONS.md", "# CORRECTIONS\n"),
    ),
    "forged-correction": (
        "does not rest on the operator's words",
        "host",
        stage("CORRECTIONS.md", CORRECTION + CORRECTION.replace("aaa111", "bbb222").partition("\n\n")[2]),
    ),
    "corrected-entry": ("The entry m:e1", "", stage("MEMORY.md", ENTRIES.replace(" <!-- m:e1 -->", ""))),
    "set-back": ("would not say any more", "host", stage("MEMORY.md", ENTRIES.replace("coffee", "tea"))),
    "loss": ("memory/long.md would lose 77 %", "", stage("memory/long.md", "- one line\n")),
    "control-character": ("U+0007", "", stage("ring.md", "- a \x07 bell\n")),
    "hidden-character": ("U+202E", "", stage("turn.md", "- a \u202e turn\n")),
    "derived-file": ("CHANGELOG.md is rendered from history", "", derived),
    "awkward-path": ("The name aux.txt", "", stage("aux.txt", "words\n")),
    "settings": ("soul_policy is 'never'", "", config("soul_policy: evolve", "soul_policy: never")),
    "settings-waiting": ("has no effect", "host", config("soul_policy: evolve", "soul_policy: review")),
}
NOT_OF_A_COMMIT = {"authority"}  # no `git commit` carries a plan, or claims trust that its actor has not


def test_every_rule_has_its_change() -> None:
    assert {rule for guard in GUARDS for rule in guard.rules} == CHANGES.keys() | NOT_OF_A_COMMIT


@pytest.mark.parametrize("rule", CHANGES)
def test_it_is_not_silent_where_a_guard_would_not_be(noted, rule) -> None:
    _, actor, change = CHANGES[rule]
    change(noted)

    assert not is_silent(noted, **({"CLAWGIT_ACTOR": actor} if actor else {}))


@pytest.mark.parametrize("rule", some(CHANGES, each=6))
def test_what_one_guard_finds_is_said_by_the_hook(noted, rule) -> None:
    says, actor, change = CHANGES[rule]
    change(noted)
    stops = severity_of(rule, actor or "operator").stops

    done = noted.git("commit", "-m", "x", **({"CLAWGIT_ACTOR": actor} if actor else {}))

    assert says in done.stderr
    assert done.returncode == int(stops)


def grown(hooked: Hooked) -> None:
    hooked.append("MEMORY.md", "- One more.\n")
    hooked.must("add", "MEMORY.md")


def gone(hooked: Hooked) -> None:
    hooked.must("rm", "-q", "first.md")


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
@pytest.mark.parametrize("noted_by_git", [True, False], ids=["git noted the tree", "git did not"])
def test_what_no_guard_minds_is_let_through_at_once(noted, change, noted_by_git) -> None:
    noted.unchecked("SOUL.md", "# Soul\n")
    change(noted)
    if noted_by_git:
        noted.must("write-tree")

    assert is_silent(noted)
    assert noted.git("commit", "--allow-empty", "-m", "x").stderr == ""


def test_most_commits_load_neither_libgit2_nor_what_finds_the_settings(noted) -> None:
    """By names, for times change: the same process would load 150 modules of clawgit for the whole check."""
    noted.append("memory/long.md", "- four lines\n")
    noted.must("add", "memory/long.md")
    (noted.root / ".git/COMMIT_EDITMSG").write_text("memory: one more\n")
    for words in (["pre-commit"], ["commit-msg", ".git/COMMIT_EDITMSG"]):
        command = [sys.executable, "-P", "-X", "importtime", "-m", "clawgit", "hooks", "run", *words]
        done = subprocess.run(command, cwd=noted.root, capture_output=True, check=True, text=True)
        loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}

        assert "clawgit.history.guards.check" in loaded
        assert loaded.isdisjoint(
            ("pygit2", "dataclasses", "pathlib", "yaml", "clawgit.workspace.settings.settings")
        )
        assert loaded.isdisjoint(
            f"clawgit.history.guards.{name}" for name in ("soul", "corrections", "conservation")
        )
        assert len([name for name in loaded if name.startswith("clawgit")]) <= 50


# --- what the note of the settings rests on ---


def lower_limit(hooked: Hooked) -> None:
    config("max_commit_bytes: 10485760", "max_commit_bytes: 2048")(hooked)
    hooked.must("commit", "--no-verify", "-m", "lower")


def lower_limit_and_back(hooked: Hooked) -> None:
    lower_limit(hooked)
    hooked.must("revert", "--no-edit", "HEAD")


def claim(hooked: Hooked) -> None:
    hooked.must("commit", "--no-verify", "--allow-empty", "-m", f"x\n\nClawgit-Claims: {'0' * 40}")


def many_commits(hooked: Hooked) -> None:
    start = "from refs/heads/main^0\n"
    commands = [
        f"commit refs/heads/main\ncommitter A <a@b.c> {number} +0000\ndata 1\nx\n{'' if number else start}\n"
        for number in range(MOST_COMMITS)
    ]
    hooked.must("fast-import", "--quiet", stdin="".join(commands))


def trust(hooked: Hooked) -> None:
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "clawgit"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "trust.json").write_text('{"version": 1, "workspaces": {}}')


def garble(hooked: Hooked) -> None:
    (hooked.root / ".git/clawgit" / NOTE).write_bytes(b"\xff\nnonsense")


def forget(hooked: Hooked) -> None:
    (hooked.root / ".git/clawgit" / NOTE).unlink()


@pytest.mark.parametrize(
    "happens",
    [lower_limit, lower_limit_and_back, claim, many_commits, trust, garble, forget],
    ids=lambda each: each.__name__,
)
def test_a_note_of_what_is_no_more_so_does_not_count(noted, happens) -> None:
    happens(noted)
    noted.stage("second.md", noted.GOOD)

    assert not is_silent(noted)
    noted.must("commit", "-m", "second")
    noted.stage("third.md", noted.GOOD)
    assert is_silent(noted)


def test_a_later_commit_that_leaves_the_settings_alone_leaves_the_note(noted) -> None:
    before = (noted.root / ".git/clawgit" / NOTE).read_bytes()
    for number in range(3):
        noted.stage(f"{number}.md", noted.GOOD)
        noted.must("commit", "-m", "x")

    assert (noted.root / ".git/clawgit" / NOTE).read_bytes() == before


def test_the_strictest_settings_are_the_least_that_can_be_set() -> None:
    for name in ("max_file_bytes", "max_commit_bytes"):
        least = getattr(STRICTEST, name)
        assert SETTINGS[name].read(str(least)) == least
        with pytest.raises(ValueError, match=str(least - 1)):
            SETTINGS[name].read(str(least - 1))
    assert SETTINGS["soul_policy"].read(STRICTEST.soul_policy) == "locked"
    assert set(NotedSettings._fields) <= SETTINGS.keys()
    assert KNOWN_FORMAT == FORMAT_VERSION


# --- what is left to the whole check ---


@pytest.mark.parametrize(
    "environment",
    [
        {"CLAWGIT_ACTOR": "host"},
        {"CLAWGIT_ACTOR": "somebody"},
        {"CLAWGIT_ACTOR": ""},
        {"CLAWGIT_OVERRIDE": "I may"},
    ],
    ids=lambda each: next(iter(each)) + str(next(iter(each.values()))),
)
@pytest.mark.parametrize("name", ["pre-commit", "commit-msg"])
def test_who_says_something_of_themselves_is_looked_at_as_a_whole(noted, name, environment) -> None:
    (noted.root / "message").write_text("fine\n")

    assert is_silent(noted, name, "message")
    assert not is_silent(noted, name, "message", **environment)


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        pytest.param("memory: one more\n", True, id="a line"),
        pytest.param(
            "memory: one more\n\nBecause of tea.\n# On branch main\n", True, id="an editor's comments"
        ),
        pytest.param("x\n\nClawgit-Op: op-1\n", False, id="a trailer of clawgit's"),
        pytest.param(f"x\n\nThe key is {KEY}.\n", False, id="a secret"),
        pytest.param(f"x\n# {KEY}\n", False, id="a secret among what may be kept"),
        pytest.param(
            f"x\n\nghp_{'a1B2' * 4}\n# between\n{'a1B2' * 5}\n", False, id="a secret around a comment"
        ),
        pytest.param("x\n\n; On branch main\n", False, id="other comments"),
        pytest.param("x\n\n" + "many words " * 100, False, id="more than the least limit"),
    ],
)
def test_a_message_from_an_editor_is_read_in_each_way_that_git_may_keep_it(noted, text, silent) -> None:
    (noted.root / "message").write_text(text)

    assert is_silent(noted, "commit-msg", "message") is silent


def test_outside_of_a_workspace_nothing_is_loaded_and_nothing_said(tmp_path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    assert has_nothing_to_say("pre-commit", [], {}, str(tmp_path))


def test_a_workspace_of_a_later_format_is_left_to_the_whole_check(noted) -> None:
    (noted.root / ".git/clawgit/format").write_text(f"{KNOWN_FORMAT + 1}\n")

    assert not is_silent(noted)


@pytest.mark.parametrize("way", ["packed", "detached", "a branch in packed-refs"])
def test_wherever_head_is_kept_it_is_found(noted, way) -> None:
    noted.must(
        *{"packed": ("gc", "-q"), "detached": ("checkout", "-q", "--detach")}.get(way, ("pack-refs", "--all"))
    )
    noted.stage("second.md", noted.GOOD)
    assert is_silent(noted)

    noted.stage("memory/long.md", "- one line\n")
    assert not is_silent(noted)


@pytest.mark.parametrize("noted_by_git", [True, False], ids=["git noted the tree", "git did not"])
def test_a_name_beside_a_folder_of_that_name_is_looked_at(noted, noted_by_git) -> None:
    noted.stage("Memory", "words\n")
    if noted_by_git:
        noted.must("write-tree")

    assert not is_silent(noted)
    assert "differs from memory in nothing" in noted.git("commit", "-m", "x").stderr


def test_what_is_staged_otherwise_than_the_file_and_head_agree_is_looked_at(noted) -> None:
    """It may be an earlier state, which a `git commit` that was late read before a change of clawgit's."""
    text = (noted.root / "memory/long.md").read_text()
    noted.stage("memory/long.md", text + "- four\n")
    assert is_silent(noted)

    noted.write("memory/long.md", text)

    assert not is_silent(noted)


def cut_index(version: int, hooked: Hooked) -> None:
    """Cut the index short, with zeros for its checksum as `index.skipHash` writes them."""
    hooked.must("update-index", f"--index-version={version}")
    index = hooked.root / ".git/index"
    data = index.read_bytes()
    index.write_bytes(data[: len(data) // 2] + bytes(20))


def odd_tree(hooked: Hooked) -> None:
    tree = hooked.must("hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin="no tree")
    head = hooked.must("cat-file", "commit", "HEAD").replace(hooked.must("rev-parse", "HEAD^{tree}"), tree)
    commit = hooked.must("hash-object", "-t", "commit", "--literally", "-w", "--stdin", stdin=head)
    (hooked.root / ".git/refs/heads/main").write_text(f"{commit}\n")


def odd_commit(hooked: Hooked) -> None:
    commit = hooked.must("hash-object", "-t", "commit", "--literally", "-w", "--stdin", stdin="no commit")
    (hooked.root / ".git/refs/heads/main").write_text(f"{commit}\n")


def cut_object(hooked: Hooked) -> None:
    tip = hooked.must("rev-parse", "HEAD")
    path = hooked.root / ".git/objects" / tip[:2] / tip[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:20])


def odd_note(hooked: Hooked) -> None:
    lines = (hooked.root / ".git/clawgit" / NOTE).read_text().split("\n")
    (hooked.root / ".git/clawgit" / NOTE).write_text("\n".join([*lines[:-1], "many"]))


def deep_path(hooked: Hooked) -> None:
    blob = hooked.must("rev-parse", "HEAD:first.md")
    hooked.must("update-index", "--add", "--cacheinfo", f"100644,{blob},{'a/' * 1500}a")


DAMAGES: dict[str, Callable[[Hooked], object]] = {
    "an index that was cut": lambda hooked: cut_index(2, hooked),
    "an index of version 4 that was cut": lambda hooked: cut_index(4, hooked),
    "no index": lambda hooked: (hooked.root / ".git/index").unlink(),
    "HEAD of nothing": lambda hooked: (hooked.root / ".git/HEAD").write_text("nothing\n"),
    "HEAD of a name that no file can have": lambda hooked: (hooked.root / ".git/HEAD").write_text(
        "ref: refs/heads/a\0b\n"
    ),
    "a format that is no number": lambda hooked: (hooked.root / ".git/clawgit/format").write_text("new\n"),
    "a note with a word for a number": odd_note,
    "a commit that was cut": cut_object,
    "a tree that is none": odd_tree,
    "a commit that is none": odd_commit,
    "folders deeper than Python calls": deep_path,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_is_damaged_is_left_to_the_whole_check(noted, damage) -> None:
    """Mutant: any error at all counts as damage."""
    noted.stage("first.md", noted.GOOD * 2)
    assert is_silent(noted)
    damage(noted)

    assert not is_silent(noted)


def test_a_bug_in_the_first_look_stops_git_and_is_told(noted, monkeypatch, capfd, own_home) -> None:
    """Mutant: the whole check looks without a word, and nobody ever learns of it."""
    monkeypatch.delattr(first_look, "may_commit")
    monkeypatch.chdir(noted.root)

    assert run_hook(["pre-commit"]) == ExitCode.BUG

    (crash,) = own_home.rglob("crash-*.txt")
    assert "may_commit" in crash.read_text()
    said = capfd.readouterr().err
    assert f"This is a bug in clawgit (NameError); what happened is in {crash}." in said
    assert "`git commit --no-verify` skips the check." in said
