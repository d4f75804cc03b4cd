"""`--help`, `help` and `--version`."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawgit.cli.main import COMMANDS, OTHERS, SECTIONS
from demo.generated_docs import all_commands


def test_every_command_stands_in_one_section() -> None:
    sections = (*SECTIONS.values(), *OTHERS.values())
    assert sorted(COMMANDS) == sorted(name for section in sections for name in section)


def test_help_shows_sixteen_commands_and_how_to_see_the_others(clawgit) -> None:
    shown = clawgit("--help").out

    assert sum(len(section) for section in SECTIONS.values()) == 16
    assert "  doctor " not in shown
    assert "`clawgit help all`" in shown


def test_help_all_shows_every_summary_whole_in_80_columns(clawgit) -> None:
    shown = clawgit("help", "all").out

    assert _titles() == [line for line in shown.splitlines() if line in _titles()]
    assert all(f"  {summary}\n" in shown for _, summary in COMMANDS.values())
    assert max(map(len, shown.splitlines())) <= 80


def _titles() -> list[str]:
    return [f"{title}:" for title in (*SECTIONS, *OTHERS)]


def test_summaries_are_short_sentences_that_the_commands_begin_with() -> None:
    for words, command in all_commands():
        summary = (command.help or "").partition("\n")[0]
        assert len(summary) <= 50, words
        assert summary.endswith("."), words
    for name, (_, summary) in COMMANDS.items():
        context = dict(all_commands()).get(f"clawgit {name}")
        assert context is None or (context.help or "").partition("\n")[0] == summary


def test_help_of_a_command_is_the_commands_own(clawgit) -> None:
    assert clawgit("help", "memory", "search").out == clawgit("memory", "search", "--help").out


def test_help_without_a_command_is_the_whole_help(clawgit) -> None:
    assert clawgit("help").out == clawgit("--help").out


@pytest.mark.parametrize(
    ("words", "command", "page"),
    [
        pytest.param("merge", "clawgit hooks install", "team.md: For a team", id="merge"),
        pytest.param("team", "clawgit hooks install", "team.md: For a team", id="not a word of any help"),
        pytest.param("take back", "clawgit undo", "concepts.md: Taking back", id="two words"),
        pytest.param("exit", "clawgit doctor", "programs.md: The rules", id="exit codes"),
        pytest.param("overwritten", "clawgit keep", "recovery.md: A file was overwritten", id="overwritten"),
        pytest.param(
            "overwrite",
            "clawgit keep",
            "concepts.md: Who writes and overwrites memory: memory_policy",
            id="memory_policy",
        ),
    ],
)
def test_help_of_a_topic_names_commands_and_pages(clawgit, words: str, command: str, page: str) -> None:
    """Seen: "No such command"; which pages say something of it had to be searched by hand."""
    done = clawgit("help", *words.split())

    assert (done.code, f"No such command '{words}'. These have to do with it:\n") == (0, done.err)
    assert f"{command} " in done.out
    assert page in done.out
    *_, last = clawgit("help", *words.split(), "--json").data
    assert Path(last.partition(":")[0]).is_file()


@pytest.mark.parametrize("words", [("sesions",), ("status", "x"), ("memory", "x")])
def test_help_of_an_unknown_command_is_refused(clawgit, words) -> None:
    refused = clawgit("help", *words)

    assert refused.code == 2
    assert " ".join(words) in refused.err
    assert "Did you mean `clawgit session`?" in refused.err or "`clawgit help all` lists" in refused.err


@pytest.mark.parametrize(
    ("typed", "meant"), [("find", "search"), ("recall", "search"), ("schedule", "runner status")]
)
def test_help_about_a_word_leads_to_the_command_that_is_meant(clawgit, typed: str, meant: str) -> None:
    assert f"Did you mean `clawgit {meant}`?" in clawgit("help", typed).err


def test_version_as_json(clawgit) -> None:
    assert clawgit("--version", "--json").data["version"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("stauts", "`clawgit status`?"),
        ("revert", "`clawgit soul revert`?"),
        ("rollback", "`clawgit undo`?"),
        ("add", "`clawgit remember` or"),
        ("import", "`clawgit chat import`?"),
        ("delete", "`clawgit forget`?"),
        ("purge", "`clawgit forget`?"),
        ("erase", "`clawgit forget`?"),
        ("blame", "`clawgit why FILE:LINE` or `clawgit soul blame`?"),
        ("rm", "`clawgit forget`?"),
        ("remove", "`clawgit forget` or `clawgit workspaces remove`?"),
    ],
)
def test_a_command_that_is_below_a_group_is_named(clawgit, typed: str, meant: str) -> None:
    done = clawgit(typed, "x")

    assert done.code == 2
    assert meant in done.err


def test_a_command_that_stands_outside_a_group_is_named(clawgit) -> None:
    assert "Did you mean `clawgit conflicts`?" in clawgit("memory", "conflicts").err


def test_several_words_without_quotes_are_one_text(clawgit, room) -> None:
    assert clawgit("memory", "add", "Ada", "drinks", "tea.", "--tag", "knowledge").code == 0
    assert "Ada drinks tea. #knowledge" in room.read("MEMORY.md")
    assert "Ada drinks tea." in clawgit("why", "drinks", "tea").out
    assert "stored" in clawgit("chat", "add", "Good", "evening").out


def test_remember_and_search_are_short_for_those_of_memory(clawgit, room) -> None:
    assert clawgit("remember", "Ada", "drinks", "tea.", "--tag", "knowledge").code == 0
    assert "Ada drinks tea." in room.read("MEMORY.md")
    assert "Ada drinks tea." in clawgit("search", "what does Ada drink").out


@pytest.mark.parametrize(
    ("group", "word", "meant"),
    [
        ("memory", "remove", "forget"),
        ("memory", "delete", "forget"),
        ("memory", "forget", "forget"),
        ("memory", "find", "search"),
        ("memory", "import", "chat import"),
        ("chat", "forget", "forget"),
        ("config", "chekc", "config check"),
        ("config", "get", "config show"),
    ],
)
def test_a_word_that_a_group_does_not_have_names_the_command_that_is_meant(
    clawgit, group: str, word: str, meant: str
) -> None:
    assert f"Did you mean `clawgit {meant}`" in clawgit(group, word, "x").err


def test_words_that_are_no_command_lead_to_the_command_that_takes_them(clawgit) -> None:
    """Seen: `clawgit context "rent"` only said that there is no such command."""
    assert (
        "Did you mean `clawgit context --query 'what is the rent'`?"
        in clawgit("context", "what is", "the rent").err
    )
    assert "Did you mean `clawgit chat add 'It is the 4th'`?" in clawgit("chat", "It is the 4th").err
    assert clawgit("config", "It is the 4th").err.endswith("No such command 'It is the 4th'.\n")


def test_only_an_option_that_is_near_is_named(clawgit) -> None:
    assert "Did you mean '--dry-run'?" in clawgit("undo", "m:1", "--dryrun").err
    for form in ((), ("--json",)):
        said = clawgit("soul", "diff", "--word", *form)
        assert said.code == 2
        assert "No such option '--word'" in said.err + said.out
        assert "--op'" not in said.err + said.out
    assert "begins with a dash" not in clawgit("status", "--verbose").err
