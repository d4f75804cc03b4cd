"""`clawgit receipts` and `clawgit context diff`."""

from __future__ import annotations


def test_what_was_injected_is_listed_shown_checked_and_compared(clawgit) -> None:
    clawgit("memory", "add", "We deploy on Fridays at noon.", "--to", "MEMORY.md")
    first = clawgit("context", "--query", "deploy", "--session", "agent:main:main", "--json").data
    clawgit("memory", "add", "The office moved to Main Street.", "--to", "MEMORY.md")
    second = clawgit("context", "--query", "office", "--json").data

    assert [each["receipt"] for each in clawgit("receipts", "list", "--json").data] == [
        second["receipt"],
        first["receipt"],
    ]
    (listed,) = clawgit("receipts", "list", "--session", "agent:main:main", "--json").data
    assert (listed["receipt"], listed["query"]) == (first["receipt"], "deploy")
    assert clawgit("receipts", "show", first["receipt"], "--json").data["text"] == first["text"]
    assert clawgit("receipts", "verify").out.count("the same") == 2
    assert "+ MEMORY.md" in clawgit("context", "diff", first["receipt"], second["receipt"]).out
    assert clawgit("context", "diff", first["receipt"], first["receipt"]).out == "They say the same.\n"


def test_a_receipt_that_is_not_there_is_refused(clawgit) -> None:
    told = clawgit("receipts", "show", "r:none")

    assert told.code == 1
    assert "There is no receipt r:none." in told.err


def test_nothing_is_kept_of_what_is_only_looked_at(clawgit) -> None:
    clawgit("context", "--explain")
    clawgit("context", "--as-of", "2026-03-19")

    assert clawgit("receipts", "list").out == "No context was injected so far.\n"
