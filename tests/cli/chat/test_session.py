"""`clawgit session due` and `end`, over the kept messages and over transcripts."""

from __future__ import annotations

import json

import pytest


def say(clawgit, text: str, at: str, role: str = "user", **where: str) -> None:
    names = [word for name, value in where.items() for word in (f"--{name}", value)]
    assert clawgit("chat", "add", text, "--role", role, "--at", at, *names).code == 0


@pytest.fixture
def talked(clawgit, room):
    """Return a workspace with a talk of yesterday and one of this morning."""
    say(clawgit, "Plan the vendor pitch.", "2026-03-18T22:00Z", conversation="old")
    say(clawgit, "The vendor pitch is planned.", "2026-03-18T22:01Z", "assistant", conversation="old")
    say(clawgit, "Which database?", "2026-03-19T10:00Z", conversation="new")
    say(clawgit, "rows", "2026-03-19T10:01Z", "tool", conversation="new")
    say(clawgit, "/new", "2026-03-19T10:02Z", conversation="new")
    return room


def listed(clawgit, *words: str) -> list[tuple[str, str | None]]:
    return [(each["conversation"], each["due"]) for each in clawgit("session", "due", "--json", *words).data]


@pytest.mark.rest
def test_due_lists_what_is_over(clawgit, talked) -> None:
    assert listed(clawgit) == [("old", "daily")]
    assert listed(clawgit, "--all") == [("new", None), ("old", "daily")]
    assert listed(clawgit, "--reset", "idle 20") == [("new", "idle"), ("old", "idle")]
    assert listed(clawgit, "--reset", "never") == []
    assert listed(clawgit, "--conversation", "new", "--all") == [("new", None)]
    assert "daily  2026-03-18 22:01  cli, conversation old\n" in clawgit("session", "due").out


def test_due_answers_for_a_moment_without_messages(clawgit) -> None:
    asked = ("session", "due", "--last", "2026-03-19T03:00", "--json")

    assert clawgit(*asked).data == {"due": "daily", "reset": "daily 04:00"}
    assert clawgit(*asked, "--reset", "idle 600").data == {"due": None, "reset": "idle 600"}
    assert clawgit("session", "due", "--last", "2026-03-19T03:00").out == "daily\n"
    assert clawgit(*asked, "--conversation", "old").code == 2


@pytest.mark.parametrize("rule", ["", "daily", "idle 0", "daily 25:00"])
def test_a_rule_that_is_none_is_a_usage_error(clawgit, rule: str) -> None:
    said = clawgit("session", "due", "--reset", rule)

    assert said.code == 2
    assert "idle 90" in said.err


def test_end_takes_the_session_that_spoke_last(clawgit, talked) -> None:
    said = clawgit("session", "end", "--json")

    assert said.data | {"op": "", "commit": ""} == {
        "outcome": "applied",
        "op": "",
        "commit": "",
        "path": "memory/2026-03-19-1000.md",
        "messages": 1,
        "from": "2026-03-19T10:00:00.000+00:00",
        "to": "2026-03-19T10:00:00.000+00:00",
        "channel": "cli",
        "conversation": "new",
        "session": "",
    }
    assert said.data["commit"] == talked.head()
    assert "user: Which database?\n" in talked.read(said.data["path"])


def test_what_others_said_is_not_written_as_the_users(clawgit, room) -> None:
    clawgit("chat", "add", "Plan the pitch.")
    clawgit("chat", "add", "Ignore the pitch.", "--external")
    clawgit("chat", "add", "Is the pitch at nine?", "--sender", "Bob")

    text = room.read(clawgit("session", "end").out.strip())

    assert [line for line in text.splitlines() if "pitch" in line][-3:] == [
        "user: Plan the pitch.",
        "page: Ignore the pitch.",
        "Bob: Is the pitch at nine?",
    ]


def test_end_takes_the_session_that_is_named_and_ends_it_once(clawgit, talked) -> None:
    first = clawgit("session", "end", "--conversation", "old")
    head = talked.head()
    again = clawgit("session", "end", "--conversation", "old", "--json")

    assert first.out == "memory/2026-03-18-plan-vendor-pitch.md\n"
    assert (again.code, again.data["outcome"], talked.head()) == (0, "nothing", head)
    assert listed(clawgit, "--all") == [("new", None)]


def test_end_due_ends_all_that_are_over(clawgit, talked) -> None:
    said = clawgit("session", "end", "--due", "--json")

    assert [each["path"] for each in said.data] == ["memory/2026-03-18-plan-vendor-pitch.md"]
    assert clawgit("session", "end", "--due", "--json").data == []
    assert "No session is over." in clawgit("session", "end", "--due").err


@pytest.mark.sampled(3)
@pytest.mark.parametrize("due", [True, False], ids=["by the runner", "by hand"])
@pytest.mark.parametrize(
    ("said", "notes"),
    [
        pytest.param(("ok",), 0, id="ok"),
        pytest.param(("Okay!",), 0, id="a mark behind it"),
        pytest.param(("\U0001f44d",), 0, id="a sign"),
        pytest.param(("はい",), 0, id="Japanese"),
        pytest.param(("好的。",), 0, id="Chinese"),
        pytest.param(("/new", "ok"), 0, id="behind a command"),
        pytest.param(("我住在柏林",), 1, id="a Chinese sentence"),
        pytest.param(("Buy milk.",), 1, id="two words"),
        pytest.param(("ok", "The vet is in Bath."), 1, id="more was said"),
    ],
)
def test_a_session_of_one_word_is_no_note(clawgit, room, said, notes, due) -> None:
    for number, text in enumerate(said):
        say(clawgit, text, f"2026-03-18T22:0{number}Z", conversation="old")
    before = set(room.history.tip().tree.names("memory"))

    assert clawgit("session", "end", *(["--due"] if due else [])).code == 0

    assert len(set(room.history.tip().tree.names("memory")) - before) == notes


def test_a_session_of_one_word_that_is_named_is_a_note(clawgit, room) -> None:
    say(clawgit, "ok", "2026-03-18T22:00Z", conversation="old")

    assert (
        clawgit("session", "end", "--slug", "agreed", "--json").data["path"] == "memory/2026-03-18-agreed.md"
    )


def test_where_nothing_is_open_that_is_said(clawgit, talked) -> None:
    """Mutant: that none is over, which was not asked."""
    for name in ("old", "new"):
        clawgit("session", "end", "--conversation", name)

    assert clawgit("session", "due", "--all").out == "No session is open.\n"
    assert clawgit("session", "due").out == "No session is over.\n"


def test_a_conversation_that_goes_on_gets_another_file(clawgit, talked) -> None:
    clawgit("session", "end", "--conversation", "old")
    say(clawgit, "Send the slides.", "2026-03-18T23:00Z", conversation="old")

    said = clawgit("session", "end", "--conversation", "old", "--json")

    assert said.data["messages"] == 1
    assert "pitch" not in talked.read(said.data["path"])


def test_sessions_of_one_conversation_are_told_apart(clawgit, room) -> None:
    say(clawgit, "Alpha first.", "2026-03-19T09:00Z", session="a")
    say(clawgit, "Bravo second.", "2026-03-19T09:01Z", session="b")
    say(clawgit, "No session at all.", "2026-03-19T09:02Z")

    said = [clawgit("session", "end", "--json") for _ in range(3)]

    assert [each.data["session"] for each in said] == ["", "b", "a"]
    assert [each.data["messages"] for each in said] == [1, 1, 1]


def test_no_message_at_all_is_no_file(clawgit, room) -> None:
    head = room.head()

    said = clawgit("session", "end")

    assert (said.code, said.out, room.head()) == (0, "", head)
    assert "nothing was written" in said.err
    assert clawgit("session", "end", "--json").data.keys() == {
        *("outcome", "op", "commit", "path", "messages", "from", "to", "channel", "conversation", "session")
    }


@pytest.mark.rest
def test_end_reads_a_transcript_of_a_huge_session_without_keeping_it(clawgit, room, tmp_path) -> None:
    path = tmp_path / "huge.jsonl"
    line = {"type": "message", "message": {"role": "user", "content": ""}}
    with path.open("w") as file:
        for number in range(3000):
            line["message"]["content"] = f"Step {number} of the migration " + "x" * 2000
            file.write(json.dumps(line) + "\n")

    said = clawgit("session", "end", str(path), "-n", "2", "--as", "operator", "--json")

    text = room.read(said.data["path"])
    assert [line[:14] for line in text.splitlines() if line.startswith("user: ")] == ["user: Step 299"] * 2
    assert "Clawgit-Trust: operator" in room.git("log", "-1", "--format=%B")
    assert clawgit("chat", "log", "--json").data == []


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        pytest.param(["gone.jsonl"], 1, "There is no transcript", id="no such file"),
        pytest.param(["."], 1, "cannot be read", id="a folder"),
        pytest.param(["--due", "--slug", "x"], 2, "about one", id="one name for several"),
        pytest.param(["--as", "operator"], 2, "about a TRANSCRIPT", id="whose words without a file"),
    ],
)
def test_what_cannot_end_is_refused_with_a_sentence(clawgit, room, monkeypatch, words, code, why) -> None:
    monkeypatch.chdir(room.root)
    head = room.head()

    said = clawgit("session", "end", *words)

    assert (said.code, said.out, room.head()) == (code, "", head)
    assert why in said.err


def test_only_the_operator_says_that_a_user_is_the_operator(clawgit, room) -> None:
    assert clawgit("session", "end", "s.jsonl", "--as", "operator", actor="host").code == 1


def test_the_day_is_the_workspaces_whatever_zone_now_is_told_in(clawgit, room) -> None:
    """Mutant: a time with an offset stays in that offset's zone."""
    clawgit("config", "set", "timezone", "Asia/Seoul")
    clawgit("chat", "add", "늦은 밤의 이야기", "--now", "2026-03-19T15:30:00Z")

    said = clawgit("session", "end", "--json", "--now", "2026-03-19T16:00:00Z")

    assert said.data["path"] == "memory/2026-03-20-0030.md"


def test_what_is_too_old_to_be_kept_comes_into_no_file(clawgit, room) -> None:
    """Mutant: messages past their retention are written into git."""
    say(clawgit, "An old secret plan.", "2026-03-01T10:00Z")
    say(clawgit, "A new one.", "2026-03-19T10:00Z")
    clawgit("config", "set", "message_retention_days", "7")

    said = clawgit("session", "end", "--json")

    assert said.data["messages"] == 1
    assert "secret plan" not in room.read(said.data["path"])


def test_a_session_that_is_refused_keeps_no_other_open(clawgit, talked) -> None:
    """Mutant: the first refusal ends the command."""
    say(clawgit, "Newer, in a file that git ignores.", "2026-03-18T23:00Z", conversation="bad")
    talked.write(".git/info/exclude", "memory/*newer*\n")

    said = clawgit("session", "end", "--due", "--json")

    assert said.code == 1
    assert [each["conversation"] for each in said.data] == ["old"]
    assert "conversation bad" in said.err


def test_a_host_ends_a_session_with_the_hosts_trust(clawgit, talked) -> None:
    assert clawgit("session", "end", actor="host").code == 0

    assert "Clawgit-Actor: host\nClawgit-Trust: host\n" in talked.git("log", "-1", "--format=%B")


def test_an_ended_session_is_found_by_a_search(clawgit, talked) -> None:
    clawgit("session", "end", "--conversation", "old")

    found = clawgit("memory", "search", "vendor pitch", "--json").data["results"]

    assert found[0]["path"] == "memory/2026-03-18-plan-vendor-pitch.md"


def test_an_undone_session_does_not_come_back(clawgit, talked) -> None:
    done = clawgit("session", "end", "--conversation", "old", "--json").data
    assert clawgit("undo", done["commit"]).code == 0

    assert clawgit("session", "end", "--conversation", "old", "--json").data["outcome"] == "nothing"
    assert not (talked.root / done["path"]).exists()


def test_damaged_lines_are_told(clawgit, room, tmp_path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"role": "user", "text": "Hello again."}\n{half\n')

    said = clawgit("session", "end", str(path))
    assert "user: Hello again.\n" in room.read(said.out.strip())
    assert "s.jsonl: 1 damaged line passed over." in said.err


def test_a_session_that_there_is_not_is_told(clawgit, talked) -> None:
    """Mutant: it is told as one in which nothing was said."""
    said = clawgit("session", "end", "--conversation", "nwe", "--json")

    assert (said.code, said.data["outcome"]) == (0, "nothing")
    assert "No open session has conversation nwe" in said.err


def test_lines_without_a_time_were_said_at_no_time_that_is_known(clawgit, tmp_path) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text('{"role": "user", "text": "Plan the vendor pitch."}\n')

    ended = clawgit("session", "end", str(path), "--json").data

    assert (ended["messages"], ended["from"], ended["to"]) == (1, None, None)


def test_a_copy_of_a_transcript_that_was_imported_ends_once(clawgit, tmp_path, room) -> None:
    """Mutant: the conversation is the file's name, so the copy is another session."""
    path = tmp_path / "talk.jsonl"
    path.write_text('{"role": "user", "text": "Plan the vendor pitch.", "at": "2026-03-19T09:00:00Z"}\n')
    clawgit("chat", "import", str(path))
    clawgit("session", "end", str(path))
    head = room.head()

    again = clawgit("session", "end", str(path.rename(tmp_path / "copy.jsonl")), "--json")

    assert (again.data["outcome"], again.data["conversation"], room.head()) == ("nothing", "talk", head)


def test_what_was_put_aside_keeps_its_session_beside_an_empty_transcript(clawgit, tmp_path) -> None:
    """Mutant: the empty one's name is taken for the conversation."""
    clawgit("chat", "add", "Hello.")
    (tmp_path / "s.jsonl").write_text("")
    lines = [
        {"type": "session", "id": "s-1", "cwd": "/x"},
        {"type": "message", "id": "m1", "message": {"role": "user", "content": "Plan the vendor pitch."}},
    ]
    aside = tmp_path / "s.jsonl.reset.2026-03-19T10-00-00.000Z"
    aside.write_text("".join(json.dumps(line) + "\n" for line in lines))

    ended = clawgit("session", "end", str(tmp_path / "s.jsonl"), "--json").data

    assert (ended["messages"], ended["conversation"]) == (1, "s-1")


def test_a_correction_that_was_undone_is_not_in_the_note(clawgit, room) -> None:
    """Seen: its entry stands again, and so the sentence counted as one that is still in force."""
    clawgit("--now", "2026-03-18T10:00:00+00:00", "remember", "The calendar has 12 pages.")
    say(clawgit, "Actually the calendar has 14 pages.", "2026-03-19T10:00Z")
    assert clawgit("run", "recall-validator").code == 0
    assert "14 pages" in room.read("MEMORY.md")
    assert clawgit("undo", room.head()).code == 0
    say(clawgit, "The bus leaves at 9:50 now.", "2026-03-19T10:05Z")

    note = room.read(clawgit("session", "end", "--json").data["path"])

    assert "The bus leaves" in note
    assert "14 pages" not in note


def test_what_a_message_asks_to_forget_is_in_no_note_and_not_told_in_the_same_talk(clawgit, room) -> None:
    """Seen: the order to forget was kept out itself, and so nothing said that the sentence before it no longer counts."""
    say(clawgit, "Jonas's sister Ute is vegan.", "2026-03-19T10:00Z", session="s")
    say(clawgit, "The bus leaves at 9:50 now.", "2026-03-19T10:02Z", session="s")
    say(clawgit, "Forget what I said about Ute being vegan.", "2026-03-19T10:05Z", session="s")

    context = clawgit("context", "--session", "s", "--query", "what does Ute eat, is she vegan?").out
    note = room.read(clawgit("session", "end", "--json").data["path"])

    assert "The bus leaves" in note
    assert "Ute" not in note
    assert "sister" not in context


def test_a_line_of_a_sessions_note_that_was_taken_back_says_so_in_a_search(clawgit) -> None:
    """Seen: at the first place, in the operator's name, without a mark. Mutant: the turn that takes it back is marked, too."""
    clawgit("chat", "add", "We go back to Stripe in January.")
    clawgit("chat", "add", "scratch that, we stay with Datatrans")
    clawgit("session", "end")

    hits = clawgit("search", "Stripe January", "--source", "memory", "--json").data["results"]

    notes = {each["snippet"]: each.get("note") for each in hits}
    assert notes["user: We go back to Stripe in January."] == "you took this back"
    assert notes.get("user: scratch that, we stay with Datatrans") is None


def test_the_note_of_a_session_stays_where_one_turn_of_it_was_taken_back(clawgit, room) -> None:
    """Seen: the next job removed the whole note, and all else that was said in the session with it."""
    say(clawgit, "My sister Ida moved to Graz.", "2026-03-19T10:00Z", session="s")
    say(clawgit, "The plumber comes on Monday at 8.", "2026-03-19T10:02Z", session="s")
    say(clawgit, "scratch that", "2026-03-19T10:03Z", session="s")
    path = clawgit("session", "end", "--json").data["path"]

    clawgit("run", "recall-validator")

    assert "Ida moved to Graz" in room.read(path)
    hits = clawgit("search", "plumber Monday", "--source", "memory", "--json").data["results"]
    assert [each["note"] for each in hits if "plumber" in each["snippet"]] == ["you took this back"]


def test_what_was_dictated_is_no_word_of_the_agents(clawgit) -> None:
    """Seen: "Write to Bea that …" was shown as the agent's own word, though the operator said so."""
    clawgit("chat", "add", "Write to Bea that the mugs will be late, please")
    clawgit("chat", "add", "--role", "assistant", "The draft is done.")
    clawgit("session", "end")

    shown = clawgit("search", "mugs late", "--source", "memory").out
    agents = clawgit("search", "draft done", "--source", "memory").out

    assert "  you  " in shown.splitlines()[0]
    assert "  your agent  " in agents.splitlines()[0]


def test_what_is_taken_back_leaves_the_note_of_the_session(clawgit, room) -> None:
    """Seen: a taking back of one sentence removed the whole note, eight messages of a day, when a job ran after the note was written."""
    clawgit("chat", "add", "Remember that Nordkap pays 0.20 per word.")
    clawgit("chat", "add", "forget that, Erik was only asking")
    clawgit("chat", "add", "Remember that Zelvarix queries go to Anja.")
    clawgit("session", "end")
    (note,) = room.root.glob("memory/2026-03-19-*.md")
    before = note.read_text()

    clawgit("run", "recall-validator")

    assert note.read_text() == before
    assert "Nordkap" not in room.read("MEMORY.md")


def test_what_takes_back_a_message_that_is_in_no_note_takes_back_no_other_line(clawgit, room) -> None:
    """Seen: "(you took this back)" at the green cupboard, and in no prompt. Mutant: a gap where nothing was taken back by the turn behind it."""
    clawgit("chat", "add", "The sheet music is in the green cupboard, by the way.")
    clawgit("chat", "add", "Remember that Sofia is the soloist.")
    clawgit("chat", "add", "no, scrap that, it's Marta")
    clawgit("chat", "add", "Remember that Zelvarix queries go to Anja.")
    clawgit("session", "end")
    (note,) = room.root.glob("memory/2026-03-19-*.md")

    hits = clawgit("search", "green cupboard", "--source", "memory", "--json").data["results"]

    assert "Sofia" not in note.read_text()
    assert note.read_text().count("user: [taken back]") == 1
    cupboard = next(each for each in hits if "green cupboard" in each["snippet"])
    assert cupboard.get("note") is None
