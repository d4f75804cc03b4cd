from __future__ import annotations


def test_a_dry_run_says_what_would_go_and_changes_nothing(clawgit, room) -> None:
    clawgit("memory", "add", "Tea.")
    commit, tree = room.head(), room.git("rev-parse", "HEAD^{tree}")

    said = clawgit("undo", commit[:10], "--dry-run", "--json")

    assert said.data["commits"] == [commit]
    assert said.data["files"] == ["MEMORY.md"]
    assert "To take back" in said.err
    assert room.git("rev-parse", "HEAD^{tree}") == tree


def test_undo_takes_an_entry_back_and_can_be_undone(clawgit, room) -> None:
    entry = clawgit("memory", "add", "Tea.", "--json").data["entry"]
    tree = room.git("rev-parse", "HEAD^{tree}")

    clawgit("undo", f"m:{entry}", "--reason", "Coffee after all.")
    assert "Tea." not in room.read("MEMORY.md")
    assert "> Coffee after all." in room.git("log", "-1", "--format=%B")

    clawgit("undo", room.head())
    assert room.git("rev-parse", "HEAD^{tree}") == tree


def test_a_commit_can_be_named_as_git_names_it(clawgit, room) -> None:
    clawgit("memory", "add", "Tea.")
    commit = room.head()
    clawgit("memory", "add", "Coffee.")

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

    assert said.code == 1
    assert "now    | Be very blunt." in said.err
    assert "before | Be kind." in said.err
    assert room.head() == before


def test_what_to_undo_must_be_named_once(clawgit) -> None:
    assert clawgit("undo").code == 2
    assert clawgit("undo", "abc", "--source", "x").code == 2
    assert clawgit("undo", "m:nosuch").code == 1


def test_only_the_operator_undoes(clawgit, room) -> None:
    assert clawgit("undo", room.head(), actor="host").code == 1
    assert clawgit("soul", "revert", "HEAD", "--reason", "x", actor="memory-miner").code == 1
