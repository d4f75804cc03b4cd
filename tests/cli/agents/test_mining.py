"""`clawgit run memory-miner` and the `why` behind what it made."""

from __future__ import annotations

import pytest


def said(clawgit, *lines: str) -> None:
    for number, line in enumerate(lines):
        clawgit("chat", "add", line, "--at", f"2026-03-19T09:{number:02}", "--id", str(number))


FACTS = (
    "I prefer tea over coffee.",
    "My sister is called Maria.",
    "Lesson: run the migrations before the deploy.",
)


def test_why_shows_the_message_of_the_entry_and_of_no_other(clawgit) -> None:
    """Mutant: all the evidence of the night."""
    said(clawgit, *FACTS)
    clawgit("run", "memory-miner")

    for words, quote in {"sister is called maria": FACTS[1], "run the migrations": FACTS[2]}.items():
        (wording,) = clawgit("why", words, "--json").data["wordings"]
        (item,) = wording["evidence"]
        assert item.endswith(f'"{quote}"')
        (listed,) = [
            each for each in clawgit("memory", "list", "--json").data if words in each["text"].lower()
        ]
        assert listed["evidence"] == [item]


@pytest.mark.rest
def test_a_run_tells_what_it_kept_with_the_ids_of_the_entries(clawgit) -> None:
    """Mutant: only the first line, in the subject of a commit."""
    said(clawgit, *FACTS[:2])

    (run,) = clawgit("run", "memory-miner", "--json").data

    entries = {each["id"]: each["text"] for each in clawgit("memory", "list", "--json").data}
    assert {each["entry"]: each["line"] for each in run["kept"]}.items() <= entries.items()
    assert len(run["kept"]) == 2
    said(clawgit, *FACTS)
    lines = clawgit("run", "memory-miner").out.splitlines()
    assert [line for line in lines if line.startswith("    kept: m:") and "migrations" in line] != []
    assert clawgit("run", "memory-miner").out.count("kept:") == 0


@pytest.mark.rest
def test_what_rests_on_one_message_is_taken_back_and_the_rest_of_the_night_stays(clawgit, room) -> None:
    """Mutant: the whole change goes; its other entry was set right since, so nothing could be undone."""
    said(clawgit, *FACTS)
    clawgit("run", "memory-miner")
    clawgit("correct", "I prefer tea over coffee.", "I prefer coffee over tea.")
    (item,) = clawgit("why", "sister is called Maria", "--json").data["wordings"][0]["evidence"]
    before = room.read("MEMORY.md")

    done = clawgit("undo", "--source", item.partition(" ")[0])

    assert done.code == 0, done.err
    gone = set(before.splitlines()) - set(room.read("MEMORY.md").splitlines())
    assert [line for line in gone if "Maria" not in line] == []
    assert len(gone) == 1
    assert "entries that the same changes brought stay: they have another source." in done.err + done.out


def test_a_dry_run_shows_entries_with_their_evidence_and_writes_nothing(clawgit, room) -> None:
    said(clawgit, "I prefer tea over coffee.")
    head = room.head()

    told = clawgit("run", "memory-miner", "--dry-run")
    (planned,) = clawgit("run", "memory-miner", "--dry-run", "--json").data

    assert '- 2026-03-19: User: "I prefer tea over coffee." #knowledge' in told.out
    assert '"I prefer tea over coffee."' in told.out
    assert planned["lines"] == ['- 2026-03-19: User: "I prefer tea over coffee." #knowledge']
    assert planned["evidence"][0]["quote"] == "I prefer tea over coffee."
    assert room.head() == head
    assert clawgit("runs").out == "No runs.\n"


@pytest.mark.rest
def test_what_waits_for_the_validator_is_told_with_the_way_out(clawgit) -> None:
    """Mutant: the messages wait in silence."""
    said(clawgit, "Actually, I moved to Bristol last month.", "I prefer tea over coffee.")

    told = [clawgit("run", "memory-miner", *words).err for words in (["--dry-run"], [], [])]

    assert all(
        each.startswith("Held back for the recall-validator, for at most a day: 1 message.") for each in told
    )
    clawgit("run", "recall-validator")
    assert clawgit("run", "memory-miner").err == ""


@pytest.mark.rest
def test_a_model_that_waits_for_the_operator_is_told_with_the_way_out(clawgit) -> None:
    """Mutant: rules do the work in silence."""
    said(clawgit, "I prefer tea over coffee.")
    clawgit("config", "set", "model", "openai:some-model", actor="host")

    assert "`clawgit approve model`" in clawgit("run", "memory-miner").err

    clawgit("config", "set", "model", "")
    assert clawgit("run", "memory-miner").err == ""
