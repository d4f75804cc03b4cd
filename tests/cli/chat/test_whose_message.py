"""In a team: a message that one of them said is told in a colleague's clone with his name."""

from __future__ import annotations

import re

import pytest

CLAIRE = (("user.name", "Claire"), ("user.email", "claire@example.org"))
BOB = (("user.name", "Bob"), ("user.email", "bob@example.org"))


@pytest.fixture
def said(clawgit, room):
    """Let Bob correct a line in chat, say what is to be kept, and remember; from then on the folder is Claire's."""
    for key, value in BOB:
        room.git("config", key, value)
    clawgit("remember", "The staging port is 9090.")
    clawgit("chat", "add", "No, the staging port is 9191, not 9090.")
    clawgit("chat", "add", "Remember: the team meeting is on Tuesdays.")
    for key, value in CLAIRE:
        room.git("config", key, value)
    return room


@pytest.mark.rest
def test_a_colleagues_words_in_chat_are_told_with_his_name(clawgit, said) -> None:
    """Seen: `(you: "No, the staging port is 9191 …")`, and Claire had never said so.

    Mutants: no trailer; the one who reads is named; the author changes, so that the words rest on less.
    """
    log = clawgit("log").out
    why = clawgit("why", "The staging port is 9191.").out
    status = clawgit("status").out

    assert said.actors()[:2] == ["memory-miner", "recall-validator"]
    assert "The team meeting is on Tuesdays.  (Bob, m:" in log
    assert "{+9191+}.  (Bob, m:" in log
    assert "recall-validator, committed by Bob  correct: " in why
    assert '(Bob: "No, the staging port is 9191, not 9090."' in status
    assert clawgit("search", "staging port", "--json").data["results"][0]["trust"] == "operator"


@pytest.mark.rest
def test_bob_himself_is_you_and_without_a_name_in_git_nothing_is_added(clawgit, said) -> None:
    """Mutants: he is named to himself; the name that stands for nobody is written down."""
    messages = said.git("log", "--format=%B")
    for key, value in BOB:
        said.git("config", key, value)

    assert messages.count("Clawgit-Committer: Bob <bob@example.org>\n") == 2
    assert "Bob" not in clawgit("log").out
    said.git("config", "--unset", "user.name")
    clawgit("chat", "add", "Remember: the bins go out on Mondays.")
    assert "Clawgit-Committer" not in said.git("log", "-1", "--format=%B")


@pytest.mark.rest
def test_a_colleagues_agent_is_told_with_his_name(clawgit, room) -> None:
    """Seen: "your agent" in the clone of one who has none. Mutants: no trailer; one's own agent has a name; an undo makes it another's."""
    as_agent = {"environment": {"CLAWGIT_ACTOR": "host"}}
    cdn, port = "The CDN is Fastly.", "The staging port is {}."
    clawgit("remember", port.format(9090))
    for key, value in BOB:
        room.git("config", key, value)
    clawgit("remember", cdn, **as_agent)
    mark = re.search(r"m:\w+", room.read("memory/learned.md"))[0]
    clawgit("correct", port.format(9090), port.format(9191), "--yes", **as_agent)
    screens = ("status", "log", "pending", "memory list", f"why {mark}", "search CDN")
    told = {screen: clawgit(*screen.split()).out for screen in screens}
    for key, value in CLAIRE:
        room.git("config", key, value)

    for screen, own in told.items():
        theirs = clawgit(*screen.split()).out
        assert "our agent" in own, screen
        assert "Bob" not in own
        assert "Bob's agent" in theirs
        assert "our agent" not in theirs.replace("your agent deletes", "")
    clawgit("forget", mark, "--yes")
    clawgit("undo", room.head())
    for key, value in BOB:
        room.git("config", key, value)
    brought = next(line for line in clawgit("log").out.splitlines() if "brought back" in line)
    assert f"{cdn}  (your agent, {mark})" in brought


def test_status_and_digest_say_whose_agent_typed_a_line(clawgit, room) -> None:
    """Mutants: in the digest it is the reader's own agent's; the person's name alone, without his agent."""
    for key, value in BOB:
        room.git("config", key, value)
    room.write("MEMORY.md", "# M\n\n- The vault is open.\n")
    clawgit("keep", environment={"CLAWGIT_ACTOR": "host"})
    assert "- The vault is open. (your agent) → undo " in clawgit("digest").out
    for key, value in CLAIRE:
        room.git("config", key, value)

    assert "- The vault is open. (Bob's agent) → undo " in clawgit("digest").out
    assert "learned: The vault is open.  (Bob's agent)" in clawgit("status").out


@pytest.mark.rest
def test_the_name_in_a_trailer_gives_nobody_trust(clawgit, room) -> None:
    """Mutant: whoever writes the trailer is believed like the person it names."""
    room.write("MEMORY.md", "# M\n\n- The vault is open.\n")
    room.git("add", "-A")
    author = ("-c", "user.name=memory-miner", "-c", "user.email=memory-miner@clawgit.invalid")
    room.git(*author, "commit", "-qm", "x\n\nClawgit-Committer: Bob <bob@example.org>\n")

    (wording,) = clawgit("why", "The vault is open.", "--json").data["wordings"]

    assert wording["actor"] == "unknown"


@pytest.mark.rest
def test_the_digest_and_a_conflict_name_the_colleague(clawgit, said) -> None:
    """Mutants: the digest says `you`; both sides of a question are `you`."""
    clawgit("remember", "The team meeting is on Thursdays.")

    digest = clawgit("digest", "--since", "2026-03-01").out
    clawgit("run", "conflict-detector")
    asked = clawgit("pending").out

    assert "The team meeting is on Tuesdays. (Bob)" in digest
    assert '(Bob: "No, the staging port is 9191, not 9090.")' in digest
    assert ", Bob'" in asked
    assert ", you'" in asked
