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
    assert "They say the same." in clawgit("context", "diff", first["receipt"], first["receipt"]).out
    shown = clawgit("receipts", "show", first["receipt"], "--json").data
    assert shown["given"] == {"stable": len(first["stable"]["text"]), "recall": len(first["recall"]["text"])}
    assert all(line["why"] for slot in shown["slots"] for line in slot["lines"])


def test_a_person_is_shown_why_each_line_was_in_and_what_was_cut(clawgit, room) -> None:
    """Mutant: only JSON says so."""
    clawgit("memory", "add", "We deploy on Fridays at noon.", "--to", "MEMORY.md")
    room.append("memory/2026-03-18.md", 'user: deploy day moved\ntool: {"pod": 1}\n', actor="operator")
    made = clawgit("context", "--query", "when do we deploy?", "--json").data

    lines = clawgit("receipts", "show", made["receipt"]).out.splitlines()

    assert any(
        line.startswith("longterm") and "of 500 tokens" in line and " 0 of " not in line for line in lines
    )
    assert any(line.startswith("    in: MEMORY.md:5 (about this message (") for line in lines)
    assert "    cut: memory/2026-03-18.md:2 (a tool's output)" in lines


def test_of_a_long_message_the_list_shows_the_beginning(clawgit) -> None:
    clawgit("context", "--query", "what about the rent " * 9)

    (line,) = clawgit("receipts", "list").out.splitlines()

    assert line.endswith("what about the rent what about the rent what about the rent …")


def test_what_changed_since_the_last_turn(clawgit, room) -> None:
    """Mutant: the two newest receipts, whatever session they are of."""
    room.append("memory/deploys.md", "- We deploy on Fridays at noon.", actor="operator")
    room.append("memory/offices.md", "- The office is on Main Street.", actor="operator")
    asked = ["context", "--session", "agent:main:main", "--part", "recall", "--json", "--query"]
    first = clawgit(*asked, "when do we deploy?").data
    clawgit("context", "--session", "agent:main:main", "--part", "stable", "--json")
    clawgit("context", "--session", "agent:main:other", "--query", "when do we deploy?", "--json")
    second = clawgit(*asked, "where is the office?").data

    diff = clawgit("context", "diff", "--json").data
    told = clawgit("context", "diff", "--session", "agent:main:main").out

    assert (diff["from"], diff["to"]) == (first["receipt"], second["receipt"])
    (slot,) = diff["slots"]
    assert slot["name"] == "recall"
    assert [each["text"] for each in slot["new"]] == ["- The office is on Main Street."]
    assert [each["why"] for each in slot["gone"]] == ["not about this message"]
    assert "(found for this message (" in told


def test_without_receipts_a_turn_that_has_none_before_it_is_passed_over(clawgit) -> None:
    """Seen: "no two turns" with a dozen receipts, since the newest was the first of another session. Mutant: turns of two sessions."""
    asked = ("context", "--json", "--session")
    clawgit(*asked, "agent:main:first")
    old, new = (clawgit(*asked, "agent:main:main", "--query", query).data for query in ("tea", "rent"))
    clawgit(*asked, "agent:main:other")

    diff = clawgit("context", "diff", "--json").data

    assert (diff["from"], diff["to"]) == (old["receipt"], new["receipt"])


def test_one_turn_has_nothing_before_it(clawgit) -> None:
    clawgit("context", "--session", "agent:main:main", "--json")

    told = clawgit("context", "diff", "--session", "agent:main:main")

    assert told.code == 1
    assert "There are no two turns to compare yet." in told.err
    assert clawgit("context", "diff", "r:4f1c2a9b3d").code == 2


def test_a_receipt_that_is_not_there_is_refused(clawgit) -> None:
    told = clawgit("receipts", "show", "r:none")

    assert told.code == 1
    assert "There is no receipt r:none." in told.err


def test_nothing_is_kept_of_what_is_only_looked_at(clawgit) -> None:
    clawgit("context", "--explain")
    clawgit("context", "--as-of", "2026-03-19")

    assert clawgit("receipts", "list").out == "No context was injected so far.\n"
