from __future__ import annotations

import os
import pty

import pytest

from clawgit.agents.first_rearrangement import allow_first
from clawgit.cli.main import run
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.memory.corrections.correction_log import LEDGER, Correction, Status, add_correction


def test_a_dry_run_says_what_would_go_and_changes_nothing(clawgit, room) -> None:
    clawgit("memory", "add", "Tea.", "--to", "MEMORY.md")
    commit, tree = room.head(), room.git("rev-parse", "HEAD^{tree}")

    said = clawgit("undo", commit[:10], "--dry-run", "--json")

    assert said.data["commits"] == [commit]
    assert said.data["files"] == ["MEMORY.md"]
    assert "To take back" in said.err
    assert room.git("rev-parse", "HEAD^{tree}") == tree


def test_undo_takes_an_entry_back_and_can_be_undone(clawgit, room) -> None:
    entry = clawgit("memory", "add", "Tea.", "--to", "MEMORY.md", "--json").data["entry"]
    tree = room.git("rev-parse", "HEAD^{tree}")

    clawgit("undo", f"m:{entry}", "--reason", "Coffee after all.")
    assert "Tea." not in room.read("MEMORY.md")
    assert "> Coffee after all." in room.git("log", "-1", "--format=%B")

    clawgit("undo", room.head())
    assert room.git("rev-parse", "HEAD^{tree}") == tree


def test_an_undo_is_not_asked_why_the_text_may_go(clawgit, room) -> None:
    """Mutant: the guard against lost text remarks on what was named to go."""
    entry = clawgit("memory", "add", "Tea at four.", "--json").data["entry"]

    said = clawgit("undo", f"m:{entry}").err

    assert "loses" not in said
    assert "lost" not in said


def test_what_was_taken_back_ends_with_one_full_stop(clawgit, room) -> None:
    room.write("SOUL.md", "# Soul\n\n- Be kind.\n")
    clawgit("keep", "--as", "operator")
    room.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n")
    clawgit("keep", "--as", "operator")

    said = clawgit("soul", "revert", "HEAD", "--reason", "Nobody asked for that.")

    assert 'Taken back: SOUL.md +1: "Be brief."\n' in said.err


@pytest.mark.rest
def test_an_undo_that_is_repeated_with_its_op_is_known(clawgit, room) -> None:
    """Mutants: the op is looked for after what shall be undone; after the look for conflicts."""
    entry = clawgit("memory", "add", "Tea.", "--to", "MEMORY.md", "--json").data["entry"]
    made = room.append("SOUL.md", "- Be harsh.").commit_id
    repeated = (
        ["undo", f"m:{entry}", "--op", "mine-1"],
        ["soul", "revert", made, "--reason", "x", "--op", "mine-2"],
    )
    first = [clawgit(*words, "--json").data for words in repeated]
    room.change({"SOUL.md": None})
    room.change({"SOUL.md": "- Be harsh, please.\n"})

    again = [clawgit(*words, "--json").data for words in repeated]

    assert [done["outcome"] for done in (*first, *again)] == ["applied", "applied", "repeated", "repeated"]
    assert [done["commit"] for done in again] == [done["commit"] for done in first]


def test_a_commit_can_be_named_as_git_names_it(clawgit, room) -> None:
    clawgit("memory", "add", "Tea.", "--to", "MEMORY.md")
    commit = room.head()
    clawgit("memory", "add", "Coffee.", "--to", "MEMORY.md")

    assert clawgit("undo", "HEAD~1", "--dry-run", "--json").data["commits"] == [commit]


def test_soul_revert_keeps_what_came_after(clawgit, room) -> None:
    made = room.append("SOUL.md", "- Be harsh.").commit_id
    room.append("SOUL.md", "- Ask first.")

    said = clawgit("soul", "revert", made[:10], "--reason", "Nobody asked for that.")

    assert said.code == 0
    assert "- Be harsh." not in room.read("SOUL.md")
    assert "- Ask first." in room.read("SOUL.md")


def test_a_conflict_is_shown_and_nothing_is_written(clawgit, room) -> None:
    room.change({"SOUL.md": "Be kind.\n"})
    made = room.change({"SOUL.md": "Be blunt.\n"}).commit_id
    room.change({"SOUL.md": "Be very blunt.\n"})
    before = room.head()

    said = clawgit("soul", "revert", made, "--reason", "x")

    assert said.code == clawgit("soul", "revert", made, "--dry-run").code == 1
    assert "now    | Be very blunt." in said.err
    assert "before | Be kind." in said.err
    assert "`clawgit soul log --file SOUL.md` lists them" in said.err
    assert room.head() == before


def test_what_to_undo_must_be_named_once(clawgit) -> None:
    for words in (
        [],
        ["abc", "--source", "x"],
        ["--source", ""],
        [""],
        ["abc", "--source", ""],
        ["", "--source", "x"],
    ):
        assert clawgit("undo", *words).code == 2
    assert clawgit("undo", "m:nosuch").code == 1


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("recall-validator", "`clawgit runs`"),
        ("x:zzzz", "`clawgit corrections`"),
        ("chat:abcd", "--source chat:abcd"),
    ],
)
def test_what_is_nothing_to_undo_says_where_to_look(clawgit, word: str, hint: str) -> None:
    said = clawgit("undo", word)

    assert (said.code, hint in said.err) == (1, True)


def test_only_the_operator_undoes(clawgit, room) -> None:
    assert clawgit("undo", room.head(), actor="host").code == 1
    assert clawgit("soul", "revert", "HEAD", "--reason", "x", actor="memory-miner").code == 1


def test_a_dry_run_shows_which_lines_go_and_come(clawgit, room) -> None:
    """Mutant: with file names only, nobody sees what would happen."""
    room.change({"SOUL.md": "# SOUL\n\n## Manner\n\n- Be kind.\n- Ask first.\n"})
    room.change({"SOUL.md": "# SOUL\n\n## Manner\n\n- Be blunt.\n- Ask first.\n", "notes.md": "new\n"})

    said = clawgit("undo", "HEAD", "--dry-run")

    assert said.out.splitlines() == [
        "SOUL.md",
        "  @ SOUL / Manner",
        "  - - Be blunt.",
        "  + - Be kind.",
        "notes.md (file removed)",
        "  - new",
    ]
    changes = clawgit("undo", "HEAD", "--dry-run", "--json").data["diff"][0]["sections"][0]["changes"]
    assert [(change["old"], change["new"]) for change in changes] == [("- Be blunt.", "- Be kind.")]


def test_a_long_picture_is_cut_for_a_person_and_whole_as_json(clawgit, room) -> None:
    room.change(
        {f"notes-{number:02}.md": f"- {number}\n" * (30 if number == 0 else 1) for number in range(25)}
    )

    said = clawgit("undo", "HEAD", "--dry-run")

    assert "  ... and 11 more lines; --json shows all of them" in said.out
    assert said.out.endswith("... and 5 more files; --json shows all of them\n")
    whole = clawgit("undo", "HEAD", "--dry-run", "--json").data["diff"]
    assert len(whole) == 25
    assert sum(len(part["changes"]) for part in whole[0]["sections"]) == 30


@pytest.mark.sampled(1)
@pytest.mark.parametrize("terminal", [True, False])
def test_the_picture_is_coloured_on_a_terminal_only(room, terminal: bool, monkeypatch) -> None:
    """Mutant: coloured whatever takes it, a pipe gets escapes."""
    room.append("SOUL.md", "- Be blunt.")
    environment = {
        "CLAWGIT_WORKSPACE": str(room.root),
        "CLAWGIT_NOW": "2026-03-19T10:22:00+00:00",
        "CLAWGIT_REHEARSE": "1",
    }
    reader, writer = pty.openpty() if terminal else os.pipe()
    with os.fdopen(writer, "w") as out:
        monkeypatch.setattr("sys.stdout", out)
        assert run(["undo", "HEAD", "--dry-run"], environment) == 0
        out.flush()
        shown = ""
        while "- Be blunt." not in shown:  # a terminal gives what was written line by line
            shown += os.read(reader, 10_000).decode()
    os.close(reader)

    assert ("\x1b[31m" in shown) == terminal


def test_what_a_file_says_cannot_command_the_terminal(clawgit, room) -> None:
    room.write("notes.md", "evil \x1b]0;owned\x07\n")
    room.git("add", "notes.md")
    room.git("commit", "-qm", "by hand")

    assert "\x1b" not in clawgit("undo", "HEAD", "--dry-run").out


def test_a_withdrawal_is_previewed_and_told(clawgit, room) -> None:
    ledger = add_correction(
        room.read(LEDGER).encode(),
        Correction("4f1c", "2026-03-19 10:22", correct="Tea at five.", status=Status.APPLIED),
    )
    made = room.change({LEDGER: ledger.decode()}, actor="operator").commit_id

    preview = clawgit("undo", "x:4f1c", "--dry-run", "--json")
    assert preview.data["withdrawn"] == ["4f1c"]
    assert (
        "withdraws the correction x:4f1c (Tea at five.), which stays in Archive/Corrections/2026-03.md"
        in preview.err
    )
    assert "status: withdrawn" not in room.git("grep", "-h", "status", "HEAD", check=False)

    assert clawgit("undo", made, "--reason", "I was wrong.").code == 0
    assert "- status: withdrawn" in room.read("Archive/Corrections/2026-03.md")
    assert "x:4f1c withdrawn by the operator" in room.read("COMPACTION_LOG.md")

    again = clawgit("undo", "HEAD", "--json")
    assert again.data["restored"] == ["4f1c"]
    assert "puts the correction x:4f1c (Tea at five.) in force again" in again.err
    assert "4f1c" in room.read(LEDGER)


def test_what_cannot_be_taken_back_is_said_in_the_preview(clawgit, room) -> None:
    (room.root / "link.md").symlink_to("MEMORY.md")
    room.git("add", "link.md")
    room.git("commit", "-qm", "a link")

    said = clawgit("undo", "HEAD", "--dry-run")
    assert said.code == 1
    assert "CANNOT:" in said.err
    refused = clawgit("undo", "HEAD", "--json")
    assert refused.code == 1
    assert "changed link.md, a symbolic link; clawgit writes plain files only." in refused.data["error"]


def test_a_conflict_is_shown_in_the_preview(clawgit, room) -> None:
    room.change({"SOUL.md": "Be kind.\n"})
    made = room.change({"SOUL.md": "Be blunt.\n"}).commit_id
    room.change({"SOUL.md": "Be very blunt.\n"})

    said = clawgit("undo", made, "--dry-run", "--json")

    assert said.data["conflicts"] == ["SOUL.md"]
    assert "now    | Be very blunt." in said.err


def test_what_was_taken_back_before_is_said_with_a_way_back(clawgit, room) -> None:
    made = room.append("notes.md", "- one").commit_id
    clawgit("undo", made)
    back = room.head()

    said = clawgit("undo", made)

    assert said.code == 0
    assert f"{back[:12]} (undo: test: - one) took it back already" in said.err
    assert said.err.startswith("Nothing to take back: test: - one\n")
    assert room.head() == back


def test_an_undo_of_an_answer_says_that_it_changed_no_file_and_what_takes_the_answer_back(
    clawgit, room
) -> None:
    """Mutant: "It already says that.", as if something had been taken back."""
    answer = allow_first(room.history, "organizer", Intent(new_op(), "operator", room.now)).commit_id

    for words in (("undo", answer), ("undo", answer, "--dry-run")):
        said = clawgit(*words)
        assert said.code == 0
        assert "`clawgit reject ID` takes back a yes that changed no file." in said.err
    assert clawgit("reject", "t-organizer").code == 0
    assert room.git("log", "-1", "--format=%s").strip().startswith("reject: the organizer may move no more")


def test_an_undo_of_an_undo_is_said_once(clawgit, room) -> None:
    clawgit("memory", "add", "Staging runs on port 5433.", "--to", "MEMORY.md")
    clawgit("correct", "Staging runs on port 5433.", "Staging runs on port 5434.")
    made = room.git("log", "-1", "--format=%s")
    (name,) = (each["id"] for each in clawgit("corrections", "--json").data)
    for _ in range(3):
        assert clawgit("undo", "HEAD").code == 0

    subjects = room.git("log", "-3", "--format=%s").splitlines()

    assert subjects == [f"undo: {made}", f"redo: {made}", f"undo: {name} withdrawn: {made}"]


def test_what_was_taken_back_before_is_no_conflict_with_what_came_since(clawgit, room) -> None:
    """Mutant: the conflict is told, and the user hunts for a later change."""
    room.append("notes.md", "- zero")
    made = room.change({"notes.md": "- one\n"}).commit_id
    clawgit("undo", made)
    back = room.head()
    room.change({"notes.md": "- two\n"})

    said = clawgit("undo", made)

    assert said.code == 0
    assert f"{back[:12]} (undo: test: a change) took it back already;" in said.err
    assert "CONFLICTS" not in said.err


@pytest.mark.rest
def test_an_undo_that_was_undone_took_nothing_back(clawgit, room) -> None:
    """Mutant: the newest change that names it, whatever became of that."""
    room.append("notes.md", "- zero")
    made = room.change({"notes.md": "- one\n"}).commit_id
    clawgit("undo", made)
    clawgit("undo", room.head())
    room.change({"notes.md": "- two\n"})

    said = clawgit("undo", made)

    assert (said.code, "CONFLICTS" in said.err, "took it back already" in said.err) == (1, True, False)


def test_an_uncommitted_edit_is_kept_first_and_survives(clawgit, room) -> None:
    made = room.append("notes.md", "- one").commit_id
    room.write("notes.md", "- one\n- mine, not committed\n")

    assert clawgit("undo", made).code == 0

    assert room.read("notes.md") == "- mine, not committed\n"
    assert room.actors()[:2] == ["operator", "unknown"]


def test_soul_revert_is_for_the_soul(clawgit, room) -> None:
    """Mutant: it takes any commit back, the settings that the operator guards included."""
    clawgit("config", "set", "soul_policy", "review")
    head = room.head()

    refused = clawgit("soul", "revert", head, "--reason", "x")

    assert refused.code == 1
    assert "changed neither SOUL.md nor IDENTITY.md, so nothing was taken back." in refused.err
    assert f"clawgit undo {head[:12]}" in refused.err
    assert room.head() == head


@pytest.mark.parametrize("path", ["SOUL.md", "IDENTITY.md"])
def test_a_preview_of_a_revert_shows_the_lines_and_needs_no_reason(clawgit, room, path: str) -> None:
    made = room.append(path, "- Be harsh.").commit_id

    said = clawgit("soul", "revert", made, "--dry-run")

    assert said.code == 0
    assert f"changes {path}" in said.err
    assert "- - Be harsh." in said.out
    assert room.head() == made
    assert clawgit("soul", "revert", made).code == 2


@pytest.mark.rest
def test_a_revert_leaves_what_the_change_did_to_other_files_and_names_the_way(clawgit, room) -> None:
    config = room.read("CONFIG.md").replace("soul_policy: evolve", "soul_policy: locked")
    before = room.read("SOUL.md")
    room.write("SOUL.md", before + "\nBe brief.\n")
    room.write("CONFIG.md", config)
    room.git("commit", "-qam", "be brief, and lock it")
    made = room.head()

    shown = clawgit("soul", "revert", made, "--dry-run")
    done = clawgit("soul", "revert", made, "--reason", "Too brief.")

    assert done.code == 0, done.err
    assert (room.read("SOUL.md"), room.read("CONFIG.md")) == (before, config)
    assert "CONFIG.md" not in shown.out
    for said in (shown.err, done.err):
        assert f"What it did to CONFIG.md stays; `clawgit undo {made[:12]}` takes that back, too." in said
    assert clawgit("undo", made[:12], "--reason", "All of it.").code == 0
    assert "soul_policy: evolve" in room.read("CONFIG.md")
    assert room.read("SOUL.md") == before
