"""The first hour and the first week of somebody who adopts a folder that lives: nothing moves that was not announced."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from lived_folder import AWS, OPENAI, QUESTIONS, count_files, make_folder

from clawgit.cli.main import run
from clawgit.history.git.repository import open_history
from clawgit.history.reading.rearranged import read_rearranged

if TYPE_CHECKING:
    from pathlib import Path

MORNING = "2026-11-23T08:00:00+00:00"
SUNDAY = "2026-11-29T08:00:00+00:00"
MONDAY = "2026-11-30T08:00:00+00:00"
NEXT_SUNDAY = "2026-12-06T08:00:00+00:00"


class Folder(NamedTuple):
    """The folder, and whoever types in it at a time that is told."""

    root: Path

    def types(self, *words: str, now: str = MORNING) -> str:
        environment = {"CLAWGIT_WORKSPACE": str(self.root), "CLAWGIT_NOW": now, "CLAWGIT_REHEARSE": "1"}
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(words, environment)
        assert code == 0, err.getvalue()
        if words[0] == "undo":
            return err.getvalue()  # what it would do is said, and the lines are printed
        return out.getvalue()

    def asks(self, *words: str, now: str = MORNING) -> Any:
        return json.loads(self.types(*words, "--json", now=now))

    def tip(self) -> str:
        return open_history(self.root).tip().commit_id or ""

    def moved_since(self, commit_id: str) -> int:
        history = open_history(self.root)
        rearranged = read_rearranged(history.tree_of(commit_id), history.tip().tree)
        return sum(each.number for each in rearranged)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder as it was before anybody heard of clawgit."""
    root = tmp_path_factory.mktemp("lived") / "agent"
    make_folder(root)
    return root


@pytest.fixture
def told() -> list[str]:
    """Return what `init` printed."""
    return []


@pytest.fixture
def folder(written: Path, tmp_path: Path, own_home: Path, told: list[str]) -> Folder:
    """Return a workspace that the folder was made."""
    (own_home / ".gitconfig").write_text("[user]\n\tname = Nora\n\temail = nora@example.org\n")
    root = tmp_path / "agent"
    subprocess.run(["cp", "-a", str(written), str(root)], check=True)
    adopted = Folder(root)
    _git(root, "commit", "-q", "-m", "what was staged")
    told.append(adopted.types("init", "--trust", "operator", str(root)))
    return adopted


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


def test_the_folder_is_the_one_that_was_lived_with(written: Path) -> None:
    assert count_files(written) == 332
    assert len((written / "MEMORY.md").read_text().splitlines()) > 600


def test_init_leaves_a_folder_alone_in_which_something_is_staged(written: Path, capfd) -> None:
    """Mutant: half of the renaming is committed, and the other half is left for the operator."""
    before = _git(written, "status", "--porcelain")
    for words in (("init", str(written)), ("init", "--dry-run", str(written))):
        assert run(words, {}) == 1  # a preview comes too
        said = "".join(capfd.readouterr())
        assert "TOOLS.md, roadmap.md" in said.replace("plan.md, ", "")
        assert "commit -m staged`), or unstage it" in said
    assert _git(written, "status", "--porcelain") == before
    assert not (written / "SOUL.md").exists()


@pytest.mark.rest
def test_init_says_what_is_searched_what_looks_like_a_key_and_what_waits(
    folder: Folder, told: list[str]
) -> None:
    """Mutants: a file that git ignores is counted; the places of keys are not named; nothing is asked before a night; listings are not named."""
    lines = told[0].splitlines()
    assert "Searched: 276 files of memory and 47 beside it (projects/ 30, notes/ 15, this folder 2)." in lines
    (unsearched,) = [line for line in lines if "not searched" in line]
    assert "10 files are not searched: none of .md, .markdown, .txt: 4; a link: 3;" in unsearched
    assert "in another repository: 1" in unsearched
    status = folder.asks("memory", "status")
    texts = 0
    for below, _, names in os.walk(folder.root):
        if "/." not in below.removeprefix(str(folder.root)):
            texts += sum(name.endswith((".md", ".markdown", ".txt")) for name in names)
    assert status["files"] + len(status["unsearched"]) == texts + 4
    assert folder.types("memory", "search", "zzyzx").startswith(
        f"Nothing in {status['files']} files. 10 files are not"
    )
    (left_out,) = [line for line in lines if line.startswith("Not committed, ")]
    assert "looks like a key: notes/keys.md:3 and notes/keys.md:4;" in left_out
    at = lines.index("Nothing you have moves tonight. These wait for your yes (`clawgit pending`):")
    assert "lines moved from MEMORY.md to" in lines[at + 1]
    assert re.search(r"; a new index of memory \(\d+ lines\): memory/INDEX.md, memory/", lines[at + 1])
    assert lines[at + 2] == "  242 daily notes moved from memory/ to Archive/Daily/ (memory-compactor)"
    assert sum(max(1, -(-len(line) // 80)) for line in lines) <= 40  # a screen
    items = folder.asks("pending", "--kind", "rearrangement")
    assert [each["id"] for each in items] == ["t-organizer", "t-memory-compactor"]


@pytest.mark.rest
def test_nine_questions_about_ones_own_folder_are_answered_first(folder: Folder) -> None:
    """Mutant: MEMORY.md and memory/ alone are searched."""
    missed = []
    for question, path, words in QUESTIONS:
        best = folder.asks("memory", "search", question)["results"][0]
        if best["path"] != path or words not in best["snippet"]:
            missed.append((question, best["path"]))
    assert missed == []


@pytest.mark.rest
def test_a_key_in_a_note_is_never_shown(folder: Folder) -> None:
    shown = folder.types("memory", "search", "openai key aws")
    shown += folder.types("memory", "get", "notes/keys.md")
    shown += folder.types("context", "--query", "what is the openai key")
    assert "notes/keys.md" in shown
    assert OPENAI not in shown
    assert AWS not in shown


@pytest.mark.rest
def test_one_correction_does_not_come_first_for_each_question_with_the_same_name(folder: Folder) -> None:
    """Mutant: a correction is raised for a name that many other lines hold."""
    folder.types("memory", "add", "Nora's brother Emil lives in Graz.", "--to", "MEMORY.md")
    folder.types("correct", "Nora's brother Emil lives in Graz.", "Nora's brother Emil lives in Linz.")
    first = {}
    for question in ("what does Nora drink", "how old is Nora", "Nora's doctor", "where does Emil live"):
        first[question] = "Linz" in folder.asks("memory", "search", question)["results"][0]["snippet"]
    assert [question for question, is_first in first.items() if is_first] == ["where does Emil live"]


@pytest.mark.rest
def test_nothing_moves_in_the_first_week_without_a_yes_and_all_that_moves_is_told(folder: Folder) -> None:
    """Seen: 245 notes approved, 248 moved three days later, and nothing said why.

    Mutants: the gate of either agent is gone; the organizer forgets after a yes what it did not move.
    """
    first = folder.tip()
    folder.types("runner", "once")
    for now in ("2026-11-24T08:00:00+00:00", SUNDAY):
        folder.types("runner", "once", now=now)
    assert folder.moved_since(first) == 0
    items = folder.asks("pending", "--kind", "rearrangement", now=SUNDAY)
    assert {each["id"] for each in items} == {"t-organizer", "t-memory-compactor"}
    assert "daily notes moved from memory/ to Archive/Daily/" in str(items)
    assert "lines moved from MEMORY.md" in str(items)
    assert all("with what there is to move by then" in str(each) for each in items)

    folder.types("approve", "t-organizer", now=SUNDAY)
    folder.types("reject", "t-memory-compactor", now=SUNDAY)
    before = folder.tip()
    folder.types("runner", "once", now=MONDAY)
    assert folder.moved_since(before) > 400
    assert "lines moved from MEMORY.md" in folder.types("digest", now=MONDAY).split("\n## ")[1]
    assert folder.asks("pending", "--kind", "rearrangement", now=MONDAY) == []

    before = folder.tip()
    folder.types("runner", "once", now=NEXT_SUNDAY)
    assert folder.moved_since(before) == 0


@pytest.mark.rest
def test_a_move_that_was_taken_back_waits_for_a_new_yes_which_can_be_withdrawn_too(folder: Folder) -> None:
    """Mutants: the yes outlives an undo of what was moved on it; a no is for what was never allowed; a redo does not bring it back."""
    folder.types("approve", "t-organizer")
    folder.types("runner", "once", now="2026-11-24T08:00:00+00:00")
    moved = _git(folder.root, "log", "-1", "--author=organizer", "--format=%h").strip()
    folder.types("undo", moved)
    folder.types("undo", folder.tip())
    folder.types("undo", folder.tip())
    folder.types("remember", "Our CI runner is called otter.")

    before = folder.tip()
    folder.types("runner", "once", now="2026-11-25T08:00:00+00:00")
    assert folder.moved_since(before) == 0
    (item,) = folder.asks("pending", "--kind", "rearrangement")[:1]
    assert item["text"].startswith("You took back what the organizer moved. May it tidy this folder again?")
    assert "lines moved from MEMORY.md" in item["why"]

    folder.types("approve", "t-organizer")
    folder.types("reject", "t-organizer")
    folder.types("runner", "once", now="2026-11-27T08:00:00+00:00")
    assert folder.moved_since(before) == 0
    assert "t-organizer" not in folder.types("pending")

    folder.types("approve", "t-organizer")
    folder.types("runner", "once", now="2026-11-28T08:00:00+00:00")
    assert folder.moved_since(before) > 400


@pytest.mark.rest
def test_both_rearrangements_are_approved_at_once(folder: Folder) -> None:
    """Seen: the second id was taken for other words."""
    folder.types("approve", "t-organizer", "t-memory-compactor")

    assert folder.asks("pending", "--kind", "rearrangement") == []


@pytest.mark.rest
def test_a_run_that_the_operator_types_is_his_yes_and_shows_what_its_rehearsal_did(folder: Folder) -> None:
    """Mutant: a rehearsal of the archive waits for a chronicle that it does not write."""
    rehearsed = folder.asks("run", "memory-compactor", "--dry-run")
    done = folder.asks("run", "memory-compactor")
    would = [each for row in rehearsed for each in row["moved"]]
    assert would == [each for row in done for each in row["moved"]]
    assert would
    folder.types("runner", "once")
    before = folder.tip()
    folder.types("runner", "once", now=NEXT_SUNDAY)
    assert folder.moved_since(before) > 0
    summary = folder.types("undo", "--since", MORNING, "--actor", "memory-compactor", "--dry-run")
    told = [line for line in summary.splitlines() if " back to memory/" in line]
    assert len(told) == 1
    assert re.fullmatch(
        r" +\d+ notes back to memory/, \d+ chronicles removed from Archive/Chronicles/", told[0]
    )
    assert "changes memory/" not in summary
    assert "t-memory-compactor" not in folder.types("pending", now=NEXT_SUNDAY)
    said = folder.types("undo", "--since", MORNING, "--actor", "memory-compactor")
    assert said.rstrip().endswith("Notes that came back stay, also after a yes.")
