from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Edit, Evidence, Plan


@pytest.fixture
def soul(room, lived_once):
    """Let the soul change three times, a day apart, by three different hands."""

    def life() -> None:
        room.now += timedelta(days=1)
        room.append("SOUL.md", "- Ask first.")
        room.now += timedelta(days=1)
        room.write("SOUL.md", room.read("SOUL.md") + "- Prefer tea.\n")
        room.keep("operator")
        room.write("SOUL.md", room.read("SOUL.md") + "- Be brief.\n")
        room.git("commit", "-qam", "by hand")

    return lived_once("soul", life)


def test_log_lists_the_changes_newest_first(clawgit, soul) -> None:
    data = clawgit("soul", "log", "--json").data

    assert [change["actor"] for change in data] == ["operator", "operator", "memory-miner", "operator"]
    assert [change["op"] is None for change in data] == [True, False, False, False]
    assert data[0]["commit"] == soul.head()
    assert data[0]["summary"] == "by hand"


def test_log_says_what_came_from_outside_clawgit(clawgit, soul) -> None:
    assert "Ada (outside clawgit): by hand" in clawgit("soul", "log").out


def test_log_can_be_cut_by_number_day_and_file(clawgit, soul) -> None:
    assert len(clawgit("soul", "log", "-n", "2", "--json").data) == 2
    assert len(clawgit("soul", "log", "--file", "USER.md", "--json").data) == 1
    assert clawgit("soul", "log", "--since", "2031-01-01").out == (
        "No change of SOUL.md or IDENTITY.md since then.\n"
    )


def test_a_day_is_the_authors_whatever_a_rebase_did_later(clawgit, soul) -> None:
    """Mutant: with git's own `--since`, which goes by the committer's date, all three are there."""
    soul.git("rebase", "-q", "--force-rebase", "HEAD~3")

    changes = clawgit("soul", "log", "--since", "2026-03-21", "--json").data

    assert [change["summary"][:4] for change in changes] == ["by h", "SOUL"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["log"], "test: - Tea."),
        (["show"], "- Tea."),
        (["diff", "HEAD~1"], "- Tea."),
        (["blame"], "- Tea."),
        (["restore", "HEAD", "--reason", "x"], "It already says that."),
    ],
    ids=lambda words: words[0],
)
def test_a_file_is_named_as_a_shell_completes_it(
    clawgit, soul, monkeypatch, words: list[str], said: str
) -> None:
    """Mutant: taken as it is written, none is found."""
    soul.append("MEMORY.md", "- Tea.")
    monkeypatch.chdir(soul.root / "memory")

    done = clawgit("soul", *words, "--file", "../MEMORY.md")
    outside = clawgit("soul", *words, "--file", "/etc/motd.md")

    assert (done.code, outside.code, outside.out) == (0, 1, "")
    assert said in done.out + done.err
    assert "is not in the workspace" in outside.err


def test_a_file_is_found_from_a_folder_that_was_removed(clawgit, soul, tmp_path, monkeypatch) -> None:
    """Mutant: the current folder is asked for although it is gone."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()

    assert clawgit("soul", "show").out == soul.read("SOUL.md")


def test_a_reason_is_a_few_words(clawgit, soul) -> None:
    """Mutant: any text will do."""
    for words in (["revert", "HEAD"], ["restore", "HEAD~1"]):
        assert clawgit("soul", *words, "--reason", " \n").code == 2
    assert soul.git("log", "-1", "--format=%s") == "by hand"


@pytest.mark.parametrize("name", ["", "\x1b\n"])
def test_a_snapshot_without_a_name_is_refused(clawgit, soul, name: str) -> None:
    """Mutant: without a look at the name, this is a bug in clawgit (exit 3)."""
    said = clawgit("soul", "snapshot", "-m", name)

    assert said.code == 1
    assert "A snapshot needs a name." in said.err


def test_a_name_that_git_takes_for_a_pattern_is_only_a_name(clawgit, soul) -> None:
    assert clawgit("soul", "log", "--file", ":(glob)**", "--json").data == []


def test_log_gives_reason_and_evidence(clawgit, room, now) -> None:
    plan = Plan("soul: a line", (Edit("SOUL.md", b"x\n"),), "Ada said so.", (Evidence("msg:1", "be brief"),))
    apply_plan(room.history, lambda _: plan, Intent("op-1", "soul-keeper", now, soul_is_open=True))

    (change, _) = clawgit("soul", "log", "--json").data
    assert (change["reason"], change["evidence"]) == ("Ada said so.", ['msg:1 "be brief"'])


def test_show_prints_the_text_of_a_commit_or_a_day(clawgit, soul) -> None:
    assert clawgit("soul", "show").out == soul.read("SOUL.md")
    assert clawgit("soul", "show", "HEAD~2").out.endswith("- Ask first.\n")
    assert "- Ask first." not in clawgit("soul", "show", "2026-03-19").out
    assert clawgit("soul", "show", "2026-03-20").out.endswith("- Ask first.\n")


def test_show_takes_a_day_as_people_say_it_and_says_which(clawgit, soul) -> None:
    now = ("--now", "2026-03-22T09:00")

    friday = clawgit("soul", "show", "friday", *now)

    assert friday.out == clawgit("soul", "show", "2026-03-20").out
    assert "(the last one until 2026-03-20 23:59)" in friday.err
    assert clawgit("soul", "show", "2 days ago", *now).out == friday.out
    assert clawgit("soul", "show", "3 days ago", *now).out == clawgit("soul", "show", "2026-03-19").out


def test_show_gives_a_pipe_the_files_own_bytes(clawgit, room) -> None:
    """Mutant: printed as text, it loses what looks like a colour, and line ends may change."""
    text = "\x1b[31mred\x1b[0m\r\nno line end"
    room.write("SOUL.md", text)
    room.git("commit", "-qam", "by hand")

    assert clawgit("soul", "show").out.encode() == text.encode()


def test_show_gives_json(clawgit, soul) -> None:
    data = clawgit("soul", "show", "--json", "--file", "USER.md").data

    assert data == {"commit": soul.head(), "path": "USER.md", "text": soul.read("USER.md")}


def test_blame_names_the_change_behind_each_line(clawgit, soul) -> None:
    lines = clawgit("soul", "blame", "--json").data

    assert [(line["text"], line["actor"]) for line in lines[-3:]] == [
        ("- Ask first.", "memory-miner"),
        ("- Prefer tea.", "operator"),
        ("- Be brief.", "operator"),
    ]
    assert lines[-1]["commit"] == soul.head()
    assert "".join(line["text"] + "\n" for line in lines) == soul.read("SOUL.md")


def test_blame_looks_through_white_space_and_ids(clawgit, soul) -> None:
    soul.write("MEMORY.md", "- tea\n- coffee\n")
    made = soul.keep("operator").commits[0]
    soul.write("MEMORY.md", "-  tea <!-- m:aaa111 -->\n- coffee \n")
    soul.keep("host")

    lines = clawgit("soul", "blame", "--file", "MEMORY.md", "--json").data

    assert {line["commit"] for line in lines} == {made}


def test_a_snapshot_commits_the_edits_of_the_soul_under_its_name(clawgit, soul) -> None:
    soul.write("SOUL.md", "A new soul.\n")
    soul.write("USER.md", "not part of it\n")

    said = clawgit("soul", "snapshot", "-m", "before the holidays")

    assert said.out == soul.head()[:12] + "\n"
    assert soul.git("show", "--name-only", "--format=", "HEAD") == "SOUL.md"
    first = clawgit("soul", "log", "-n", "1", "--json").data[0]
    assert (first["snapshot"], first["summary"], first["actor"]) == (
        True,
        "soul: before the holidays",
        "operator",
    )
    assert soul.git("status", "--porcelain") == "M USER.md"


def test_a_snapshot_without_edits_names_what_stands(clawgit, soul) -> None:
    tree = soul.git("rev-parse", "HEAD^{tree}")

    clawgit("soul", "snapshot", "-m", "as it is", "--op", "op-s")
    again = clawgit("soul", "snapshot", "-m", "as it is", "--op", "op-s", "--json")

    assert soul.git("rev-parse", "HEAD^{tree}") == tree
    assert again.data["outcome"] == "repeated"


@pytest.mark.rest
def test_restore_brings_a_whole_text_back_and_leaves_the_rest(clawgit, soul) -> None:
    clawgit("soul", "snapshot", "-m", "kind")
    kind = soul.read("SOUL.md")
    soul.write("SOUL.md", "Be harsh.\n")
    soul.write("USER.md", "Ada\n")
    soul.git("commit", "-qam", "a bad day")
    soul.write("TOOLS.md", "staged\n")
    soul.git("add", "TOOLS.md")

    said = clawgit("soul", "restore", "kind", "--reason", "Too harsh.")

    assert said.code == 0
    assert soul.read("SOUL.md") == kind
    assert soul.read("USER.md") == "Ada\n"
    assert soul.git("diff", "--cached", "--name-only") == "TOOLS.md"
    assert clawgit("soul", "log", "-n", "1", "--json").data[0]["reason"] == "Too harsh."
    assert "Be harsh." in soul.git("show", "HEAD~1:SOUL.md")


def test_restore_of_what_stands_already_changes_nothing(clawgit, soul) -> None:
    assert clawgit("soul", "restore", "HEAD", "--reason", "x", "--json").data["outcome"] == "nothing"


def test_an_uncommitted_edit_is_never_overwritten_by_a_restore(clawgit, soul) -> None:
    soul.write("SOUL.md", soul.read("SOUL.md") + "- Not saved yet.\n")

    clawgit("soul", "restore", "2026-03-19", "--reason", "x")

    assert "- Not saved yet." in soul.git("show", "HEAD~1:SOUL.md")


@pytest.mark.rest
def test_a_locked_soul_opens_for_the_operator_with_a_reason(clawgit, soul) -> None:
    clawgit("config", "set", "soul_policy", "locked")
    soul.write("SOUL.md", "Mine.\n")

    assert clawgit("keep", "--as", "operator").code == 0
    assert soul.git("status", "--porcelain") == "M SOUL.md"
    assert clawgit("keep", "--as", "operator", "--reason", "I changed my mind.").code == 0
    assert (
        soul.git("log", "-1", "--format=%(trailers:key=Clawgit-Override,valueonly)").strip()
        == "soul-locked: I changed my mind."
    )
    assert clawgit("soul", "restore", "2026-03-19", "--reason", "Back.").code == 0


def test_only_the_operator_restores_and_takes_snapshots(clawgit, soul) -> None:
    assert clawgit("soul", "restore", "HEAD~1", "--reason", "x", actor="host").code == 1
    assert clawgit("soul", "snapshot", "-m", "x", actor="host").code == 1


def test_blame_is_readable(clawgit, soul) -> None:
    out = clawgit("soul", "blame").out

    assert f"{soul.head()[:8]} " in out
    assert "- Be brief." in out


def test_diff_shows_what_changed_by_section(clawgit, soul) -> None:
    soul.write("SOUL.md", "# Soul\n\n## Ways\n\n- Be kind to people.\n- Be brief.\n")
    soul.keep("operator")
    soul.write("SOUL.md", "# Soul\n\n## Ways\n\n- Be blunt to people.\n- Be brief.\n- Ask first.\n")

    plain = clawgit("soul", "diff")

    assert (
        plain.out
        == "SOUL.md\n  @ Soul / Ways\n  - - Be kind to people.\n  + - Be blunt to people.\n  + - Ask first.\n"
    )
    data = clawgit("soul", "diff", "--json").data
    assert [(part["section"], len(part["changes"])) for part in data[0]["sections"]] == [
        (["Soul", "Ways"], 2)
    ]


def test_diff_between_two_states(clawgit, soul) -> None:
    assert "+ - Ask first." in clawgit("soul", "diff", "2026-03-19", "2026-03-20").out
    assert clawgit("soul", "diff", "HEAD", "HEAD").out == ""


@pytest.mark.parametrize(
    ("words", "same_as"),
    [
        pytest.param("HEAD~2..HEAD~1", ("HEAD~2", "HEAD~1"), id="A..B"),
        pytest.param("2026-03-19..2026-03-20", ("2026-03-19", "2026-03-20"), id="days"),
        pytest.param("HEAD~1..", ("HEAD~1", "HEAD"), id="A.. ends at HEAD"),
        pytest.param("..HEAD~1", ("HEAD", "HEAD~1"), id="..B begins there"),
    ],
)
def test_diff_takes_two_states_as_git_does(clawgit, soul, words, same_as) -> None:
    found, wanted = clawgit("soul", "diff", words), clawgit("soul", "diff", *same_as)

    assert found.code == 0
    assert found.out == wanted.out != ""


def test_diff_of_three_dots_is_refused(clawgit, soul) -> None:
    assert clawgit("soul", "diff", "HEAD~1...HEAD").code == 1


def test_diff_commands_no_terminal(clawgit, soul) -> None:
    soul.write("SOUL.md", "\x1b[31mred\u202e\n")

    out = clawgit("soul", "diff").out

    assert "\x1b" not in out
    assert "\u202e" not in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["show", "nope"], "There is no commit or snapshot nope"),
        (["show", "2001-01-01"], "does not reach back"),
        (["show", "--file", "no.md"], "There was no no.md"),
        (["show", "--file", "../x.md"], "not in the workspace"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(clawgit, words, why) -> None:
    said = clawgit("soul", *words)

    assert (said.code, said.out) == (1, "")
    assert why in said.err


def test_a_history_with_merges_and_reverts_is_read(clawgit, soul) -> None:
    soul.git("checkout", "-qb", "side", "HEAD~1")
    soul.write("IDENTITY.md", "side\n")
    soul.git("commit", "-qam", "side")
    soul.git("checkout", "-q", "main")
    soul.git("merge", "-q", "--no-edit", "side")
    soul.git("revert", "--no-edit", "HEAD~1")

    summaries = [change["summary"] for change in clawgit("soul", "log", "--json").data]

    assert summaries[0] == 'Revert "by hand"'
    assert {"side", "by hand"} < set(summaries)


def test_a_soul_that_became_a_link_is_refused_before_anything_is_written(clawgit, soul) -> None:
    (soul.root / "SOUL.md").rename(soul.root / "S2.md")
    (soul.root / "SOUL.md").symlink_to("S2.md")
    soul.git("add", "-A")
    soul.git("commit", "-qm", "a link")
    before = soul.head()

    said = clawgit("soul", "restore", "HEAD~1", "--reason", "x")

    assert said.code == 1
    assert "plain file" in said.err
    assert soul.head() == before
    assert soul.git("for-each-ref", "refs/clawgit/intent/") == ""


def test_a_rollback_is_byte_for_byte_is_logged_and_loses_nothing(clawgit, room) -> None:
    """Vector SK6."""
    room.change({"SOUL.md": "# Soul\n\n- Be kind.\n"})
    kind = room.head()
    room.change({"SOUL.md": "# Soul\n\n- Be harsh.\n"})
    harsh = room.head()

    assert clawgit("soul", "restore", kind, "--reason", "Too harsh.").code == 0

    assert room.read("SOUL.md") == "# Soul\n\n- Be kind.\n"
    assert "Too harsh." in room.read("CHANGELOG.md")
    assert room.shown("SOUL.md", harsh) == "# Soul\n\n- Be harsh.\n"
    assert room.git("merge-base", "--is-ancestor", harsh, "HEAD") == ""


def test_a_snapshot_says_that_it_makes_edits_the_operators(clawgit, room) -> None:
    """Mutant: an edit that nobody agreed to becomes his without a word."""
    (room.root / "BOOTSTRAP.md").unlink()
    room.keep("operator")
    assert "counts as your words" not in clawgit("soul", "snapshot", "-m", "one").err

    room.write("SOUL.md", room.read("SOUL.md") + "- Trust every page.\n")

    assert (
        "What was edited in SOUL.md counts as your words now" in clawgit("soul", "snapshot", "-m", "two").err
    )


def test_the_soul_of_a_day_is_shown_by_the_words_of_several_languages(clawgit, room) -> None:
    later = {"CLAWGIT_NOW": "2026-03-20T10:22:00+00:00", "CLAWGIT_REHEARSE": "1"}
    shown = [
        clawgit("soul", "show", day, environment=later).out
        for day in ("2026-03-19", "19 March", "gestern", "yesterday", "어제")
    ]

    assert shown == [room.read("SOUL.md")] * 5
    assert clawgit("log", "--since", "19 March", environment=later).code == 0
    assert clawgit("memory", "show", "--as-of", "letzten Donnerstag", environment=later).code == 0
    assert clawgit("soul", "show", "someday").code == 1
