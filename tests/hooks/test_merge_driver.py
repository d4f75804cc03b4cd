"""Two clones of one workspace that both remember or correct: git merges by entries, and what is really contradictory stays git's conflict.

Mutants seen to fail here: they are named at each test.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.history.adopt import adopt
from clawgit.history.git.repository import open_history
from clawgit.history.hooks import merge_driver
from clawgit.history.hooks.install import (
    ATTRIBUTES,
    DRIVER,
    has_driver,
    install_hooks,
    read_hooks_state,
    uninstall_hooks,
)
from clawgit.memory.corrections.correction_log import read_corrections
from clawgit.memory.entries.entries import marks_in, read_entries

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from clawgit_command import Said

HEAD = "# MEMORY\n\n"
PORT = "- 2026-01-02: The port is 4000. <!-- m:aaaaaa -->\n"
NEW_PORT = (
    "- 2026-01-02: The port is 5000. <!-- m:aaaaaa -->\n  <!-- was, until 2026-03-01: The port is 4000. -->\n"
)
AGED_PORT = NEW_PORT.partition("\n")[0] + "\n"
OTHER_PORT = "- 2026-01-02: The port is 6000. <!-- m:aaaaaa -->\n"
LUNCH = "- 2026-01-02: Lunch is at noon. <!-- m:bbbbbb -->\n"
TEA = "- 2026-01-03: Ada drinks tea. <!-- m:cccccc -->\n"
MILK = "- 2026-01-03: Bo drinks milk. <!-- m:dddddd -->\n"


def merged(base: bytes, ours: bytes, theirs: bytes, path: str) -> bytes | None:
    """Return the merged text, None for a conflict."""
    sides = merge_driver.merged(base, ours, theirs, path)
    return sides[0] if sides is not None and sides[0] == sides[1] else None


def block(correction_id: str, correct: str, status: str = "applied") -> str:
    return (
        f"\n## 2026-03-01 10:00 <!-- x:{correction_id} re-embedded:true -->\n\n- trigger: by hand\n"
        f"- trigger confidence:\n- said: Before.\n- correct: {correct}\n- corrects: m:aaaaaa\n- status: {status}\n"
    )


LEDGER = "# CORRECTIONS\n\n<!-- For good. -->\n" + block("111111", "One.")


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "text"),
    [
        pytest.param(PORT, PORT + TEA, PORT + MILK, PORT + TEA + MILK, id="both add at one place"),
        pytest.param("", TEA, MILK, TEA + MILK, id="both add the first"),
        pytest.param(PORT, NEW_PORT, PORT + TEA, NEW_PORT + TEA, id="one corrects, the other adds below"),
        pytest.param(
            PORT + LUNCH,
            NEW_PORT + LUNCH.replace("noon", "one"),
            PORT + TEA + LUNCH,
            NEW_PORT + TEA + LUNCH.replace("noon", "one"),
            id="one corrects both, the other adds between",
        ),
        pytest.param(PORT + LUNCH, LUNCH, PORT + LUNCH + TEA, LUNCH + TEA, id="one forgets, the other adds"),
        pytest.param(PORT + LUNCH, LUNCH, PORT + TEA + LUNCH, TEA + LUNCH, id="one forgets what is above"),
        pytest.param(
            PORT + LUNCH + TEA,
            LUNCH.replace("noon", "one") + MILK,
            PORT + LUNCH + TEA,
            LUNCH.replace("noon", "one") + MILK,
            id="one side alone",
        ),
        pytest.param(PORT + LUNCH + TEA, MILK, PORT + LUNCH, MILK, id="both forget, one adds there"),
        pytest.param(
            PORT + LUNCH, LUNCH + PORT, NEW_PORT + LUNCH, LUNCH + NEW_PORT, id="one moves, one corrects"
        ),
        pytest.param(PORT, PORT + TEA, PORT + MILK + TEA, PORT + MILK + TEA, id="one of theirs is ours, too"),
        pytest.param(PORT, NEW_PORT, NEW_PORT + TEA, NEW_PORT + TEA, id="both corrected it alike"),
        pytest.param(
            NEW_PORT, AGED_PORT, OTHER_PORT, OTHER_PORT, id="old wording aged here, corrected there"
        ),
        pytest.param(
            NEW_PORT, OTHER_PORT, AGED_PORT, OTHER_PORT, id="corrected here, old wording aged there"
        ),
        pytest.param(NEW_PORT + TEA, TEA, AGED_PORT + TEA, TEA, id="forgotten here, old wording aged there"),
        pytest.param(NEW_PORT, AGED_PORT, NEW_PORT, AGED_PORT, id="old wording aged here"),
        pytest.param(
            PORT + "\n## People\n\n" + LUNCH,
            PORT + TEA + "\n## People\n\n" + LUNCH,
            PORT + "\n## People\n\n" + LUNCH + MILK,
            PORT + TEA + "\n## People\n\n" + LUNCH + MILK,
            id="each in its section",
        ),
        pytest.param(
            PORT,
            PORT + "\n## People\n\n" + TEA,
            PORT + "\n## Tools\n\n" + MILK,
            PORT + "\n## People\n\n" + TEA + "\n## Tools\n\n" + MILK,
            id="each a section of its own",
        ),
        pytest.param(
            PORT,
            PORT + "\n## People\n\n" + TEA,
            PORT + "\n## People\n\n" + MILK,
            PORT + "\n## People\n\n" + TEA + MILK,
            id="both the same new section",
        ),
        pytest.param("- a\n", "- a\n- b\n", "- a\n- c\n", "- a\n- b\n- c\n", id="items without ids"),
        pytest.param(PORT, PORT + TEA[:-1], PORT + MILK, PORT + TEA + MILK, id="no final line end"),
        pytest.param(
            PORT, PORT + TEA + "  - black\n", PORT + MILK, PORT + TEA + "  - black\n" + MILK, id="nested"
        ),
    ],
)
def test_what_one_side_changed_is_taken_and_what_both_added_is_kept(base, ours, theirs, text) -> None:
    """Mutants: theirs first; a part is found by its place; the gap of a heading is lost; nested items on their own."""
    woven = merged(*((HEAD + each).encode() for each in (base, ours, theirs)), "MEMORY.md")

    assert woven is not None
    assert woven.decode() == HEAD + text


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        pytest.param(PORT, NEW_PORT, OTHER_PORT, id="both correct one entry"),
        pytest.param(PORT + LUNCH, LUNCH, NEW_PORT + LUNCH, id="forgotten and corrected"),
        pytest.param(PORT + LUNCH, NEW_PORT + LUNCH, LUNCH, id="corrected and forgotten"),
        pytest.param("Some.\n", "Some words.\n\n" + TEA, "Some text.\n\n" + MILK, id="text of both"),
        pytest.param("", TEA, TEA.replace("tea", "coffee"), id="one id, two texts"),
        pytest.param(PORT, PORT + "\nWords.\n", PORT + "\nText.\n", id="text that both added"),
        pytest.param(LUNCH + PORT, LUNCH, LUNCH + PORT + "  - black\n", id="forgotten, and more within it"),
        pytest.param(PORT, PORT + MILK + TEA, PORT + TEA + LUNCH, id="one id at two places"),
        pytest.param("- a\n", "- b\n", "- c\n", id="an item without an id"),
    ],
)
def test_what_contradicts_itself_is_left_to_git(base, ours, theirs) -> None:
    """Mutants: ours wins; the deletion wins; the text of both sides is joined; the result is not read again."""
    assert merged(*((HEAD + each).encode() for each in (base, ours, theirs)), "MEMORY.md") is None


def test_notes_of_two_talks_with_one_name_are_one_behind_the_other() -> None:
    """Seen: a conflict (add/add), and no writing until it was resolved."""
    ours, theirs = (b"# Session: tea\n\n- messages: 1\n\nuser: %s\n" % each for each in (b"Tea?", b"No tea."))

    assert merged(b"", ours, theirs, "memory/2026-01-02-tea.md") == ours + b"\n" + theirs


def test_corrections_stay_whole_and_keep_their_status() -> None:
    """Seen: a merge of lines mixed two corrections. Mutant: a correction is cut into its lines."""
    ours = LEDGER + block("222222", "Two.")
    theirs = LEDGER.replace("status: applied", "status: withdrawn") + block("333333", "Three.", "open")

    woven = merged(LEDGER.encode(), ours.encode(), theirs.encode(), "CORRECTIONS.md")

    assert woven is not None
    assert woven.decode() == theirs[: len(theirs) - len(block("333333", "Three.", "open"))] + block(
        "222222", "Two."
    ) + block("333333", "Three.", "open")
    assert [each.status.value for each in read_corrections(woven)] == ["withdrawn", "applied", "open"]


def test_a_correction_that_both_changed_is_left_to_git() -> None:
    sides = [LEDGER.replace("applied", status).encode() for status in ("applied", "open", "withdrawn")]

    assert merged(*sides, "CORRECTIONS.md") is None


Entries = dict[str, tuple[str, int]]
KEYS = "abcdefghjk"
SECTIONS = 2


@st.composite
def texts(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    """Return a list of entries in two sections, and what two sides made of it, each with new ones of its own."""
    base = {key: ("first", draw(st.integers(0, 1))) for key in draw(st.sets(st.sampled_from(KEYS)))}
    sides = []
    for side, new in (("ours", "mnpq"), ("theirs", "rstv")):
        entries: Entries = {}
        for key, (words, section) in base.items():
            act = draw(st.sampled_from(["keep", "keep", "keep", "correct", "forget"]))
            if act != "forget":
                entries[key] = (words if act == "keep" else side, section)
        added = [(key, (side, draw(st.integers(0, 1)))) for key in draw(st.sets(st.sampled_from(new)))]
        order = [*entries.items()]
        for item in added:
            order.insert(draw(st.integers(0, len(order))), item)
        sides.append(rendered(dict(order)))
    return rendered(base), sides[0], sides[1]


def rendered(entries: Entries) -> bytes:
    lines = [HEAD]
    for number in range(SECTIONS):
        lines.append(f"## Section {number}\n\n")
        for key, (words, section) in entries.items():
            if section == number:
                lines.append(f"- Of {key} {words}. <!-- m:{key * 6} -->\n")
                if words != "first":
                    lines.append(f"  <!-- was: Of {key} first. -->\n")
        lines.append("\n")
    return "".join(lines).encode()


@given(texts())
def test_no_line_is_lost_no_id_comes_twice_and_the_sides_may_be_swapped(sides) -> None:
    """Mutants: what both added is taken once; a side's deletion wins; an id may come twice; a side decides whether it conflicts."""
    base, ours, theirs = sides

    woven = merged(base, ours, theirs, "MEMORY.md")
    other = merged(base, theirs, ours, "MEMORY.md")

    if woven is None or other is None:
        assert woven is other
        assert are_contrary(*map(contents, sides))
        left = merge_driver.merged(base, ours, theirs, "MEMORY.md")
        for side, text in zip((ours, theirs), left or (ours, theirs), strict=False):
            assert {*side.splitlines()} - {*base.splitlines()} <= {*text.splitlines()}
        return
    assert not are_contrary(*map(contents, sides))
    assert sorted(filter(None, woven.splitlines())) == sorted(filter(None, other.splitlines()))
    marks = re.findall(rb"m:\w+", woven)
    assert len(marks) == len(set(marks))
    before = base.splitlines()
    for line in {*ours.splitlines(), *theirs.splitlines()}:
        if line not in before or (line in ours.splitlines() and line in theirs.splitlines()):
            assert line in woven.splitlines()
    sections = {entry.entry_id: line_section(woven, entry.first) for entry in read_entries(woven)}
    for side in (ours, theirs):
        for entry in read_entries(side):
            assert sections.get(entry.entry_id, line_section(side, entry.first)) == line_section(
                side, entry.first
            )
    assert merged(base, woven, theirs, "MEMORY.md") in (woven, None)


def are_contrary(base: dict[str, str], ours: dict[str, str], theirs: dict[str, str]) -> bool:
    """Say whether both sides did something to one entry, and not the same."""
    return any(words != ours.get(key) != theirs.get(key) != words for key, words in base.items())


def contents(data: bytes) -> dict[str, str]:
    return {entry.mark: entry.text for entry in read_entries(data)}


def line_section(data: bytes, number: int) -> int:
    return sum(line.startswith(b"## ") for line in data.splitlines()[:number])


@dataclass(frozen=True)
class Clone:
    """One of two clones: what a person does there with git and clawgit."""

    root: Path
    clawgit: Callable[..., Said]

    def git(self, *words: str, **options: str) -> subprocess.CompletedProcess[str]:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        return subprocess.run(
            ["git", *who, *words], cwd=self.root, capture_output=True, check=False, text=True, **options
        )

    def says(self, *words: str) -> str:
        said = self.clawgit(*words, environment={"CLAWGIT_WORKSPACE": str(self.root)})
        assert said.code == 0, said.out + said.err
        return said.out

    def pull(self, other: Clone, *how: str) -> subprocess.CompletedProcess[str]:
        return self.git("pull", *(how or ("--no-rebase",)), str(other.root), "main")

    def read(self, path: str = "MEMORY.md") -> str:
        return (self.root / path).read_text()


@pytest.fixture
def clones(room, clawgit, tmp_path) -> tuple[Clone, Clone]:
    """Return two clones with hooks of a workspace that remembers two things."""
    one = Clone(room.root, clawgit)
    one.says("remember", "The port of staging is 4000.")
    one.says("remember", "Lunch is at noon.")
    two = Clone(tmp_path / "other", clawgit)
    assert one.git("clone", "--quiet", str(one.root), str(two.root)).returncode == 0
    adopt(two.root, room.now)
    for clone in (one, two):
        install_hooks(open_history(clone.root), sys.executable)
    return one, two


def in_conflict(clone: Clone) -> list[str]:
    return clone.git("diff", "--name-only", "--diff-filter=U").stdout.split()


@pytest.mark.rest
def test_two_clones_that_both_remember_and_correct_pull_without_a_conflict(clones) -> None:
    """Seen: each next pull ended in a conflict. Mutants: no attributes; the driver is another program; CORRECTIONS.md is left out."""
    one, two = clones
    one.says("remember", "Carla owns the invoices.")
    one.says("correct", "The port of staging is 4000.", "The port of staging is 5000.")
    two.says("remember", "The budget is 300 euros.")
    two.says("correct", "Lunch is at noon.", "Lunch is at one.")

    done = two.pull(one)
    again = one.pull(two)

    assert (done.returncode, again.returncode) == (0, 0), done.stdout + done.stderr + again.stderr
    for clone in clones:
        memory = clone.read()
        assert [entry.text.partition(": ")[2] for entry in read_entries(memory.encode())] == [
            "The port of staging is 5000.",
            "Lunch is at one.",
            "The budget is 300 euros.",
            "Carla owns the invoices.",
        ]
        assert memory.count("<!-- was") == 2
        assert [each.status.value for each in read_corrections(clone.read("CORRECTIONS.md").encode())] == [
            "applied",
            "applied",
        ]
        assert "Everything is in order." in clone.says("doctor")
        assert not json.loads(clone.says("--json", "status"))["blocked"]
        for words in ("Carla owns the invoices.", "The budget is 300 euros.", "Lunch is at one."):
            assert "based on: you" in clone.says("why", words)
        first = json.loads(clone.says("--json", "search", "port of staging"))["results"][0]
        assert "5000" in str(first)
        assert clone.git("status", "--porcelain").stdout == ""


def test_listings_that_both_sides_drew_up_are_no_conflict(clones) -> None:
    """Seen: after one night on two machines each pull ended in a conflict in memory/structured/."""
    one, two = clones
    for clone, words in ((one, "Carla owns the invoices."), (two, "The budget is 300 euros.")):
        clone.says("remember", words)
        clone.says("run", "organizer")
        assert words in clone.read("memory/structured/other.md")

    done = two.pull(one)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Carla" not in two.read("memory/structured/other.md")
    two.says("run", "organizer")
    assert "Carla" in two.read("memory/structured/other.md")


@pytest.mark.rest
def test_whose_word_a_line_is_does_not_change_by_the_merge(clones) -> None:
    """Mutant: what the driver wrote counts as typed by whoever merged."""
    one, two = clones
    (one.root / "MEMORY.md").write_text(one.read() + "- Typed by nobody known. <!-- m:zzzzzz -->\n")
    one.says("keep", "--as", "unknown")
    two.says("remember", "The budget is 300 euros.")

    assert two.pull(one).returncode == 0

    assert "based on: you" in two.says("why", "The budget is 300 euros.")
    assert "based on: you" not in two.says("why", "Typed by nobody known.")


@pytest.mark.rest
@pytest.mark.parametrize("act", ["rebase", "cherry-pick", "stash"])
def test_a_rebase_a_pick_and_a_stash_are_merged_alike(clones, act) -> None:
    one, two = clones
    one.says("remember", "Carla owns the invoices.")
    if act == "stash":
        (two.root / "MEMORY.md").write_text(two.read() + "- 2026-03-19: The budget is 300 euros.\n")
        assert two.git("stash").returncode == 0
        assert two.pull(one, "--ff-only").returncode == 0
        done = two.git("stash", "pop")
    else:
        two.says("remember", "The budget is 300 euros.")
        if act == "rebase":
            done = two.pull(one, "--rebase")
        else:
            two.git("fetch", str(one.root), "main")
            done = two.git("cherry-pick", "FETCH_HEAD")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Carla" in two.read()
    assert "budget" in two.read()
    assert "<<<" not in two.read()
    assert "Everything is in order." in two.says("doctor")


@pytest.mark.rest
@pytest.mark.parametrize("is_ours_aged", [False, True])
def test_an_old_wording_that_a_job_dropped_in_one_clone_does_not_hold_up_a_correction_in_the_other(
    clones, is_ours_aged
) -> None:
    """Seen: a conflict on an entry that one side had never touched, and what both had learned in a second one."""
    one, two = clones
    one.says("correct", "The port of staging is 4000.", "The port of staging is 5000.")
    assert two.pull(one).returncode == 0
    correcting, aging = (one, two) if is_ours_aged else (two, one)
    (aging.root / "MEMORY.md").write_text(re.sub(r"  <!-- was.*\n", "", aging.read()))
    aging.says("keep", "--as", "operator")
    aging.says("remember", "Carla owns the invoices.")
    correcting.says("correct", "The port of staging is 5000.", "The port of staging is 6000.")
    correcting.says("remember", "The budget is 300 euros.")

    done = two.pull(one)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"staging is \d+", two.read()) == ["staging is 6000", "staging is 5000"]
    for words in ("Carla", "budget"):
        assert words in two.read()


@pytest.mark.rest
@pytest.mark.parametrize("typed", [False, True])
def test_one_entry_that_both_corrected_is_the_only_conflict_and_the_losing_correction_can_end(
    clones, typed
) -> None:
    """Seen: what both added was a second conflict; `undo` of the losing correction conflicted with the old wording below the other."""
    one, two = clones
    if typed:  # each clone gives it an id of its own
        (one.root / "MEMORY.md").write_text(one.read() + "- The port of live is 4000.\n")
        one.says("keep", "--as", "operator")
        assert two.pull(one).returncode == 0
    port = "The port of live is" if typed else "The port of staging is"
    for clone, words, number in ((one, "Carla owns the invoices.", 5000), (two, "The budget is 300.", 6000)):
        clone.says("correct", f"{port} 4000.", f"{port} {number}.")
        clone.says("remember", words)

    assert two.pull(one).returncode == 1

    before, ours, rest = re.split(r"<<<<<<< ours\n|=======\n", two.read())
    theirs, after = rest.split(">>>>>>> theirs\n")
    assert "6000" in ours
    assert "5000" in theirs
    for words in ("Carla", "budget"):
        assert words in before + after
    assert marks_in(after.encode()).isdisjoint(marks_in((ours + theirs).encode()))
    (two.root / "MEMORY.md").write_text(before + ours + after)
    two.git("add", "MEMORY.md")
    assert two.git("commit", "--no-edit").returncode == 0
    (losing,) = [
        each for each in read_corrections(two.read("CORRECTIONS.md").encode()) if "5000" in each.correct
    ]
    kept = two.read()

    two.says("undo", f"x:{losing.correction_id}")

    assert two.read() == kept
    assert losing.correction_id not in two.read("CORRECTIONS.md")
    first = json.loads(two.says("--json", "search", port))["results"][0]
    assert "6000" in str(first)
    assert "Everything is in order." in two.says("doctor")


@pytest.mark.rest
@pytest.mark.parametrize("act", ["both correct", "one types", "one forgets"])
def test_what_contradicts_itself_stays_gits_conflict(clones, act) -> None:
    """Mutants: ours wins; the correction wins over what was typed; the one that forgets wins."""
    one, two = clones
    one.says("correct", "The port of staging is 4000.", "The port of staging is 5000.")
    if act == "both correct":
        two.says("correct", "The port of staging is 4000.", "The port of staging is 6000.")
    elif act == "one types":
        (two.root / "MEMORY.md").write_text(two.read().replace("4000", "6000"))
        two.says("keep", "--as", "operator")
    else:
        two.says("forget", "The port of staging is 4000.", "--yes")
    sides = [two.git("show", f"{each}:MEMORY.md").stdout for each in ("HEAD", "HEAD~1")]
    two.git("fetch", str(one.root), "main")
    sides.append(two.git("show", "FETCH_HEAD:MEMORY.md").stdout)

    done = two.git("merge", "FETCH_HEAD")

    assert done.returncode == 1
    assert in_conflict(two) == ["MEMORY.md"]
    assert two.read() == by_lines(two.root.parent, sides)
    assert "<<<<<<< ours" in two.read()


def by_lines(folder: Path, sides: list[str]) -> str:
    """Return what `git merge-file` makes of ours, the base and theirs."""
    for name, text in zip(("ours", "base", "theirs"), sides, strict=True):
        (folder / name).write_text(text)
    command = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True).stdout


@pytest.mark.rest
@pytest.mark.parametrize(
    "script",
    [
        pytest.param("kill -9 $$", id="killed"),
        pytest.param("exit 1", id="without clawgit"),
        pytest.param(None, id="gone"),
    ],
)
def test_a_driver_that_cannot_run_leaves_gits_own_conflict(clones, tmp_path, script) -> None:
    """Mutants: the command line ends with the driver (git 2.39: no markers at all); its status is the driver's, above 128."""
    one, two = clones
    one.says("remember", "Carla owns the invoices.")
    two.says("remember", "The budget is 300 euros.")
    program = tmp_path / "a python"
    if script is not None:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    (two.root / ".git/clawgit/interpreter").write_text(str(program))

    assert two.pull(one).returncode == 1

    assert in_conflict(two) == ["MEMORY.md"]
    assert two.read().count("<<<<<<< ours\n") == two.read().count(">>>>>>> theirs\n") == 1
    assert "Carla" in two.read()
    assert "budget" in two.read()
    assert not [path.name for path in two.root.iterdir() if path.name.startswith((".merge", ".clawgit"))]


@pytest.mark.rest
def test_killed_before_it_is_done_it_leaves_the_old_file(tmp_path) -> None:
    """Mutant: the result is written into the file that git reads."""
    for name, text in (("base", PORT), ("ours", PORT + TEA), ("theirs", PORT + MILK)):
        (tmp_path / name).write_text(HEAD + text)
    killed = (
        "import os, signal, sys\n"
        "from clawgit.history.hooks import merge_driver\n"
        "os.replace = os.rename = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.exit(merge_driver.main(['base', 'ours', 'theirs', 'MEMORY.md']))\n"
    )

    done = subprocess.run([sys.executable, "-c", killed], cwd=tmp_path, check=False)

    assert done.returncode == -9
    assert (tmp_path / "ours").read_text() == HEAD + PORT + TEA


@pytest.mark.rest
def test_after_a_conflict_status_says_what_would_have_merged_it(clones) -> None:
    """Mutants: said where the driver is there; said of a file that it does not merge."""
    one, two = clones
    one.says("remember", "Carla owns the invoices.")
    two.says("remember", "The budget is 300 euros.")
    uninstall_hooks(open_history(two.root))
    assert two.pull(one).returncode == 1

    told = json.loads(two.says("--json", "status"))["blocked"]
    assert "`clawgit hooks install`" in told
    install_hooks(open_history(two.root), sys.executable)
    assert "hooks install" not in json.loads(two.says("--json", "status"))["blocked"]
    two.git("checkout", "--merge", "MEMORY.md")

    assert "<<<" not in two.read()
    assert marks_in(two.read().encode()) >= marks_in(one.read().encode())


@pytest.mark.rest
def test_what_two_clones_each_took_back_is_in_the_archive_of_both(clones) -> None:
    """Seen: a conflict in Archive/Corrections/, twice in ten minutes. Mutant: no attribute."""
    one, two = clones
    for clone, old, new in ((one, "4000", "5000"), (two, "noon", "one")):
        clone.says("correct", old, new)
        (made,) = read_corrections(clone.read("CORRECTIONS.md").encode())
        clone.says("undo", f"x:{made.correction_id}")

    assert two.pull(one).returncode == 0
    assert one.pull(two).returncode == 0

    (archive,) = (one.root / "Archive/Corrections").iterdir()
    for clone in clones:
        assert read_corrections(clone.read("CORRECTIONS.md").encode()) == []
        archived = read_corrections(clone.read(f"Archive/Corrections/{archive.name}").encode())
        assert [each.correct.rpartition(" ")[2] for each in archived] == ["one.", "5000."]
        assert [each.status.value for each in archived] == ["withdrawn", "withdrawn"]
        assert "Everything is in order." in clone.says("doctor")


def test_it_comes_with_the_hooks_and_goes_with_them(room) -> None:
    """Mutants: lines of others in the attributes are lost; a second install adds them again; an empty file stays."""
    attributes = room.root / ".git/info/attributes"
    attributes.write_text("*.png binary")

    install_hooks(room.history, sys.executable)
    install_hooks(room.history, sys.executable)

    assert attributes.read_bytes() == b"*.png binary\n" + ATTRIBUTES
    assert has_driver(room.history)
    uninstall_hooks(room.history)
    assert attributes.read_bytes() == b"*.png binary\n"
    assert "clawgit" not in (room.root / ".git/config").read_text()
    attributes.unlink()
    install_hooks(room.history, sys.executable)
    uninstall_hooks(room.history)
    assert not attributes.exists()


def test_one_that_is_missing_is_said_and_mended(room) -> None:
    """Mutants: only its attributes are looked at; only the config."""
    install_hooks(room.history, sys.executable)
    assert read_hooks_state(room.history).problems == ()
    (room.root / ".git/info/attributes").unlink()
    assert len(read_hooks_state(room.history).problems) == 1
    install_hooks(room.history, sys.executable)
    earlier = ATTRIBUTES.replace(b"/Archive/Corrections/*.md merge=clawgit\n", b"")
    (room.root / ".git/info/attributes").write_bytes(earlier)
    assert len(read_hooks_state(room.history).problems) == 1
    install_hooks(room.history, sys.executable)
    assert (room.root / ".git/info/attributes").read_bytes() == ATTRIBUTES
    room.git("config", DRIVER, "true")
    assert len(read_hooks_state(room.history).problems) == 1
    install_hooks(room.history, sys.executable)

    assert read_hooks_state(room.history).problems == ()
