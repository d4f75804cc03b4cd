"""`undo --source`: all that rests on what a sender, a channel, a conversation or an imported file said."""

from __future__ import annotations

import json

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Edit, Evidence, Plan

SAID = {
    "rent": ("telegram", "family", "mallory", "The rent goes to account 4711."),
    "dinner": ("telegram", "family", "ada", "Dinner is at seven."),
    "office": ("telegram", "work", "mallory", "The office is in Riga."),
    "car": ("mail", "family", "eve", "The car is red."),
}


def remembered(room, text: str, *cited: str) -> None:
    """Let the miner remember something of these messages."""

    def plan(tree):
        data = (tree.read("memory/learned.md") or b"") + f"- {text}\n".encode()
        return Plan(
            f"learned: {text}", (Edit("memory/learned.md", data),), evidence=tuple(map(Evidence, cited))
        )

    apply_plan(room.history, plan, Intent(new_op(), "memory-miner", room.now, trust="external"))


@pytest.fixture
def told(clawgit, room, lived_once) -> None:
    """Keep some messages, and remember each in a change of its own."""

    def life() -> None:
        for channel, conversation, sender, text in SAID.values():
            place = ("--channel", channel, "--conversation", conversation, "--sender", sender)
            remembered(room, text, clawgit("chat", "add", *place, text, "--json").data["id"])

    lived_once("told", life)


def left(room) -> set[str]:
    text = room.read("memory/learned.md") if (room.root / "memory/learned.md").exists() else ""
    return {name for name, (*_, said) in SAID.items() if said in text}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("source", "stays"),
    [
        pytest.param("mallory", {"dinner", "car"}, id="a sender"),
        pytest.param("sender:mallory", {"dinner", "car"}, id="a sender as one"),
        pytest.param("sender:telegram/mallory", {"dinner", "car"}, id="a sender with the channel"),
        pytest.param("telegram:mallory", {"dinner", "car"}, id="a sender as operator_ids has it"),
        pytest.param("Mallory", {"dinner", "car"}, id="a sender in other letters"),
        pytest.param("telegram", {"car"}, id="a channel"),
        pytest.param("channel:mail", {"rent", "dinner", "office"}, id="a channel as one"),
        pytest.param("work", {"rent", "dinner", "car"}, id="a conversation"),
        pytest.param("telegram/family", {"office", "car"}, id="a conversation with its channel"),
        pytest.param("conversation:mail/family", {"rent", "dinner", "office"}, id="and as one"),
        pytest.param("memory-miner", set(), id="an actor"),
    ],
)
@pytest.mark.usefixtures("told")
def test_all_that_rests_on_a_source_goes(clawgit, room, source: str, stays: set[str]) -> None:
    """Mutant: without a look at the messages, no change is found for anything but an actor."""
    done = clawgit("undo", "--source", source)

    assert done.code == 0, done.err
    assert left(room) == stays


@pytest.mark.rest
@pytest.mark.usefixtures("told")
def test_an_entry_that_was_corrected_since_stays_and_is_named_while_the_others_go(clawgit, room) -> None:
    correction = clawgit("correct", "The office is in Riga.", "The office is in Bern.", "--json").data
    (entry,) = [each for each in clawgit("memory", "list", "--json").data if "Bern" in each["text"]]

    shown = clawgit("undo", "--source", "mallory", "--dry-run")
    done = clawgit("undo", "--source", "mallory")

    assert done.code == 0, done.err
    assert left(room) == {"office", "dinner", "car"}, "the old words stand below what is right"
    assert "- The office is in Bern." in room.read("memory/learned.md")
    assert correction["id"] in room.read("CORRECTIONS.md")
    for said in (shown.err, done.err):
        assert f"m:{entry['id'].removeprefix('m:')} stays" in said
        assert f"`clawgit undo {correction['id']}`" in said


@pytest.mark.rest
@pytest.mark.usefixtures("told")
def test_what_stayed_goes_once_its_correction_is_taken_back(clawgit, room) -> None:
    correction = clawgit("correct", "The office is in Riga.", "The office is in Bern.", "--json").data["id"]
    clawgit("undo", "--source", "mallory")
    assert clawgit("undo", correction).code == 0

    done = clawgit("undo", "--source", "mallory")

    assert done.code == 0, done.err
    assert left(room) == {"dinner", "car"}
    assert "The office" not in room.read("memory/learned.md")


@pytest.mark.usefixtures("told")
def test_an_entry_that_somebody_reworded_since_stays_and_is_named(clawgit, room) -> None:
    text = room.read("memory/learned.md")
    room.write("memory/learned.md", text.replace("The office is in Riga.", "The office is in Riga, floor 3."))
    room.keep()

    done = clawgit("undo", "--source", "mallory")

    assert done.code == 0, done.err
    assert left(room) == {"dinner", "car"}
    assert "floor 3" in room.read("memory/learned.md")
    assert "stays, since it was changed again" in done.err


@pytest.mark.usefixtures("told")
def test_a_preview_shows_the_lines_and_changes_nothing(clawgit, room) -> None:
    head = room.head()

    said = clawgit("undo", "--source", "mallory", "--dry-run")

    assert "all from sender:telegram/mallory" in said.err
    assert "- The rent goes to account 4711." in said.out
    assert "- The office is in Riga." in said.out
    assert "Dinner" not in said.out
    assert room.head() == head


@pytest.mark.parametrize(
    ("source", "candidates"),
    [
        pytest.param("family", "conversation:mail/family or conversation:telegram/family", id="two channels"),
        pytest.param("eve", "session:mail/eve or sender:mail/eve", id="two kinds"),
        pytest.param("host", "actor:host or sender:mail/host", id="an actor and a sender"),
    ],
)
@pytest.mark.usefixtures("told")
def test_what_could_be_several_is_a_usage_error_that_names_them(
    clawgit, room, source: str, candidates: str
) -> None:
    clawgit("chat", "add", "--channel", "mail", "--session", "eve", "--sender", "bob", "A car.")
    clawgit("chat", "add", "--channel", "mail", "--sender", "host", "A boat.")
    room.append("memory/topic.md", "- Tea.", actor="host")
    head = room.head()

    done = clawgit("undo", "--source", source)

    assert done.code == 2
    assert f"{source} could be {candidates}." in done.err
    assert room.head() == head


@pytest.mark.usefixtures("told")
def test_an_actor_is_meant_where_that_is_said(clawgit, room) -> None:
    clawgit("chat", "add", "--channel", "mail", "--sender", "host", "A boat.")
    room.append("memory/topic.md", "- Tea.", actor="host")

    done = clawgit("undo", "--source", "actor:host")

    assert done.code == 0, done.err
    assert not (room.root / "memory/topic.md").exists()
    assert left(room) == set(SAID)


@pytest.mark.usefixtures("told")
def test_a_source_on_which_nothing_rests_is_told_apart_from_one_that_nobody_knows(clawgit) -> None:
    clawgit("chat", "add", "--channel", "mail", "--sender", "bob", "A boat.")

    assert "No change on this branch rests on the 1 message of sender:mail/bob." in (
        clawgit("undo", "--source", "bob").err
    )
    assert "Nothing on this branch comes from nobody." in clawgit("undo", "--source", "nobody").err


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "way", ["name", "path", "as a file", "renamed", "from a folder", "from a folder as one"]
)
def test_an_imported_file_is_a_source(clawgit, room, tmp_path, monkeypatch, way: str) -> None:
    """Mutants: only what a file brought first is noted as its; a file that was imported again is not."""
    export = tmp_path / "export.jsonl"
    lines = [{"role": "user", "sender": sender, "text": text} for *_, sender, text in SAID.values()]
    export.write_text("".join(f"{json.dumps(line)}\n" for line in lines[:2]))
    clawgit("chat", "import", str(export), "--conversation", "talk", "--channel", "old")
    other = tmp_path / "other.jsonl"
    other.write_text("".join(f"{json.dumps(line)}\n" for line in lines[2:]))
    clawgit("chat", "import", str(other), "--conversation", "talk", "--channel", "old")
    if way == "renamed":
        export = export.rename(tmp_path / "again.jsonl")
        clawgit("chat", "import", str(export), "--conversation", "talk", "--channel", "old")
    for message in clawgit("chat", "log", "--json").data:
        remembered(room, message["text"], message["id"])

    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path / "beside")
    words = {
        "path": str(export),
        "as a file": f"file:{export.name}",
        "from a folder": f"../{export.name}",
        "from a folder as one": f"file:../{export.name}",
    }
    word = words.get(way, export.name)
    done = clawgit("undo", "--source", word)

    assert done.code == 0, done.err
    assert left(room) == {"office", "car"}


def test_messages_that_are_forgotten_are_of_no_file_any_more(clawgit, room, tmp_path) -> None:
    export = tmp_path / "export.jsonl"
    export.write_text(
        json.dumps({"role": "user", "text": "Dinner is at seven.", "timestamp": "2026-01-01T00:00:00Z"})
    )
    clawgit("chat", "import", str(export))
    room.write("CONFIG.md", "```yaml\nmessage_retention_days: 3\n```\n")
    room.git("commit", "-qam", "forget")
    clawgit("chat", "import", "--again", str(export))

    assert clawgit("chat", "stats", "--json").data["messages"] == 0
    assert "is not known" in clawgit("undo", "--source", "export.jsonl").err


KEY = "spare key is under the blue pot"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("undone", "brought_back"),
    [
        pytest.param("--source MESSAGE", False, id="by its source"),
        pytest.param("ENTRY", False, id="by its entry"),
        pytest.param("--source MESSAGE", True, id="and brought back"),
    ],
)
def test_what_is_undone_comes_back_by_no_talk_and_by_no_session_s_note(
    clawgit, room, undone: str, brought_back: bool
) -> None:
    """Mutant: a session's note, or the context of the same session, has messages of which everything was taken back."""
    message = clawgit("chat", "add", f"Remember: the {KEY}.", "--session", "s", "--json").data["id"]
    clawgit("chat", "add", f"Noted: the {KEY}.", "--role", "assistant", "--session", "s")
    clawgit("chat", "add", "The azaleas of Kyoto were blooming.", "--session", "s")
    entry = clawgit("memory", "list", "--json").data[0]["id"]
    words = undone.replace("MESSAGE", message).replace("ENTRY", entry).split()
    assert clawgit("undo", *words).code == 0
    if brought_back:
        clawgit("undo", "HEAD")

    context = clawgit("context", "--session", "s", "--query", "where is the spare key?").out
    clawgit("session", "end")

    (note,) = (room.root / "memory").glob("2026-03-19-*.md")
    assert "azaleas" in note.read_text()
    assert [KEY in text for text in (note.read_text(), context)] == [brought_back, brought_back]


def test_of_a_change_that_two_messages_gave_the_one_that_stays_is_in_the_note(
    clawgit, room, tmp_path
) -> None:
    """Mutant: each message of a change counts as taken back, of which only a part was."""
    export = tmp_path / "talk.jsonl"
    lines = [
        {"role": "user", "text": f"Remember: the {KEY}."},
        {"role": "user", "text": "Remember that Rex bites."},
    ]
    export.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    clawgit("chat", "import", "--as", "operator", str(export))
    clawgit("run", "memory-miner")
    mined = room.git("log", "-1", "--format=%(trailers:key=Clawgit-Evidence,valueonly)")
    assert mined.count("chat:") == 2
    first = clawgit("chat", "log", "--json").data[0]["id"]

    assert clawgit("undo", "--source", first).code == 0
    clawgit("session", "end")

    (note,) = (room.root / "memory").glob("2026-03-19-*.md")
    assert "Rex bites" in note.read_text()
    assert KEY not in note.read_text()
