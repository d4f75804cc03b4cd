from __future__ import annotations

import pytest

LOGS = ("CHANGELOG.md", "COMPACTION_LOG.md")


pytestmark = pytest.mark.usefixtures("gits_clock")


@pytest.fixture
def blunt(clawgit, room, lived_once):
    """Return the workspace after a snapshot of an edited soul, and a commit by hand two days before."""

    def life() -> None:
        room.write("SOUL.md", "Be kind.\n")
        room.git("commit", "-qam", "Be kind by hand", "--date=2026-03-17T08:00:00+00:00")
        room.write("SOUL.md", "Be kind.\nBe blunt.\n")
        assert clawgit("soul", "snapshot", "-m", "Sharper").code == 0

    return lived_once("blunt", life)


@pytest.mark.rest
def test_changelog_prints_the_file(clawgit, blunt):
    said = clawgit("changelog")
    assert said.code == 0
    assert said.out == blunt.read("CHANGELOG.md")
    assert "**operator**: soul: Sharper" in said.out


def test_changelog_since_a_day_prints_only_that_part(clawgit, blunt):
    said = clawgit("changelog", "--since", "2026-03-18")
    assert "soul: Sharper" in said.out
    assert "by hand" not in said.out
    assert "by hand" in blunt.read("CHANGELOG.md")


def test_changelog_as_json(clawgit, blunt):
    newest, *_, oldest = clawgit("changelog", "--json").data
    assert newest["summary"] == "soul: Sharper"
    assert newest["op"].startswith("keep-")
    assert (newest["actor"], newest["outside"], newest["left_out"]) == ("operator", False, False)
    assert oldest["at"] == "2026-03-17T08:00:00+00:00"
    assert oldest["op"] is None
    assert oldest["outside"]
    (change,) = oldest["changes"]
    assert (change["path"], change["added"]) == ("SOUL.md", 1)


def test_changelog_brings_deleted_views_back(clawgit, blunt):
    before = {name: blunt.read(name) for name in LOGS}
    for name in LOGS:
        (blunt.root / name).unlink()
    assert clawgit("changelog").err == ""
    assert {name: blunt.read(name) for name in LOGS} == before


def test_changelog_says_where_an_edit_went(clawgit, blunt):
    blunt.write("CHANGELOG.md", "mine\n")
    said = clawgit("changelog")
    assert "CHANGELOG.md had been edited" in said.err
    command = said.err.split("`")[1].split()
    assert blunt.git(*command[1:]) == "mine"


def test_a_command_that_changes_says_it_too(clawgit, blunt):
    blunt.write("CHANGELOG.md", "mine\n")
    said = clawgit("soul", "snapshot", "-m", "Again", "--json")
    assert "CHANGELOG.md had been edited" in said.err
    assert said.data["outcome"] == "applied"


def test_changelog_works_for_a_host_and_in_the_midst_of_a_merge(clawgit, blunt):
    blunt.git("switch", "-qc", "side", "HEAD~1")
    blunt.write("SOUL.md", "Be loud.\n")
    blunt.git("commit", "-qam", "loud")
    blunt.git("merge", "main", check=False)
    said = clawgit("changelog", actor="host")
    assert said.code == 0
    assert "loud" in said.out


def test_a_day_that_is_none_is_a_usage_error(clawgit, blunt):
    assert clawgit("changelog", "--since", "yesterday-ish").code == 2


def test_export_writes_every_change_and_snapshot(clawgit, blunt, tmp_path):
    said = clawgit("soul", "export", str(tmp_path / "souls"))
    names = [
        "2026-03-17T0800-be-kind-by-hand.md",
        "2026-03-19-sharper.md",
        "2026-03-19T1022-init-a-new-workspace.md",
    ]
    assert [name for name in said.out.split("\n") if name and "soul-sharper" not in name] == names
    assert (tmp_path / "souls" / names[0]).read_text() == "Be kind.\n"
    assert (tmp_path / "souls" / names[1]).read_text() == "Be kind.\nBe blunt.\n"


def test_export_overwrites_nothing_and_can_be_repeated(clawgit, blunt, tmp_path):
    folder = tmp_path / "souls"
    assert clawgit("soul", "export", str(folder)).code == 0
    before = sorted(folder.iterdir())
    assert clawgit("soul", "export", str(folder)).code == 0
    (folder / "2026-03-19-sharper.md").write_text("mine\n")
    before[0].unlink()
    said = clawgit("soul", "export", str(folder))
    assert said.code == 1
    assert "2026-03-19-sharper.md exists and reads otherwise" in said.err
    assert sorted(folder.iterdir()) == before[1:]
    assert (folder / "2026-03-19-sharper.md").read_text() == "mine\n"


def test_export_into_the_workspace_is_fine_and_into_git_is_not(clawgit, blunt):
    assert clawgit("soul", "export", str(blunt.root / "souls")).code == 0
    assert (blunt.root / "souls/2026-03-19-sharper.md").exists()
    assert clawgit("soul", "export", str(blunt.root / ".git/souls")).code == 1
    assert not (blunt.root / ".git/souls").exists()
