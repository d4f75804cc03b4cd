"""`clawgit run memory-miner` and the `why` behind what it made."""

from __future__ import annotations


def said(clawgit, *lines: str) -> None:
    for number, line in enumerate(lines):
        clawgit("chat", "add", line, "--at", f"2026-03-19T09:{number:02}", "--id", str(number))


def test_why_shows_the_message_first_that_fits_the_entry(clawgit) -> None:
    """Mutant: evidence in the order of the change."""
    said(
        clawgit,
        "I prefer tea over coffee.",
        "My sister is called Maria.",
        "Lesson: run the migrations before the deploy.",
    )
    clawgit("run", "memory-miner")

    for words, quote in {
        "sister is called Maria": "My sister is called Maria.",
        "run the migrations": "Lesson: run the migrations before the deploy.",
    }.items():
        (wording,) = clawgit("why", words, "--json").data["wordings"]
        assert wording["evidence"][0].endswith(f'"{quote}"')


def test_a_dry_run_shows_entries_with_their_evidence_and_writes_nothing(clawgit, room) -> None:
    said(clawgit, "I prefer tea over coffee.")
    head = room.head()

    told = clawgit("run", "memory-miner", "--dry-run")
    (planned,) = clawgit("run", "memory-miner", "--dry-run", "--json").data

    assert "- 2026-03-19: User prefers tea over coffee. #knowledge\n" in told.out
    assert '"I prefer tea over coffee."' in told.out
    assert planned["lines"] == ["- 2026-03-19: User prefers tea over coffee. #knowledge"]
    assert planned["evidence"][0]["quote"] == "I prefer tea over coffee."
    assert room.head() == head
    assert clawgit("runs").out == "No runs.\n"


def test_what_waits_for_the_validator_is_told_with_the_way_out(clawgit) -> None:
    """Mutant: the messages wait in silence."""
    said(clawgit, "Actually, I moved to Bristol last month.", "I prefer tea over coffee.")

    told = [clawgit("run", "memory-miner", *words).err for words in (["--dry-run"], [], [])]

    assert all(each.startswith("1 message waits for the recall-validator") for each in told)
    clawgit("run", "recall-validator")
    assert clawgit("run", "memory-miner").err == ""


def test_a_model_that_waits_for_the_operator_is_told_with_the_way_out(clawgit) -> None:
    """Mutant: rules do the work in silence."""
    said(clawgit, "I prefer tea over coffee.")
    clawgit("config", "set", "model", "openai:some-model", actor="host")

    assert "`clawgit trust model`" in clawgit("run", "memory-miner").err

    clawgit("config", "set", "model", "")
    assert clawgit("run", "memory-miner").err == ""
