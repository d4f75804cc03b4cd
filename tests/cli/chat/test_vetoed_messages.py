"""What the operator asks not to be remembered: in no note, history, search, context or model's prompt, and gone after a day."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest

from clawgit.agents.door.message_door import says_the_same

WORDS = ("4711", "locker", "Spindcode", "casier", "taquilla", "储物柜", "사물함", "ロッカー")
VETOES = [
    pytest.param("Please don't remember this: my locker code is 4711.", id="en"),
    pytest.param("Merk dir das bitte nicht: mein Spindcode ist 4711.", id="de"),
    pytest.param("Ne retiens pas ça : mon code de casier est 4711.", id="fr"),
    pytest.param("No guardes esto: mi código de taquilla es 4711.", id="es"),
    pytest.param("不用记住这个：我的储物柜密码是4711。", id="zh"),
    pytest.param("제 사물함 비밀번호는 4711이에요. 기억하지 마세요.", id="ko"),
    pytest.param("ロッカーの暗証番号は4711です。これは覚えなくていいです。", id="ja"),
]
ENGLISH = VETOES[0].values[0]
ANSWER = "Understood: 4711 opens your locker, and I keep that to myself."
BEFORE, AFTER = "Don't forget: rent is due on the 1st.", "Remember that the dog is called Rex."
HOST = {"OPENCLAW_SHELL": "exec"}
NEXT_DAY = {"CLAWGIT_NOW": "2026-03-20T10:30:00+00:00", "CLAWGIT_REHEARSE": "1"}


@pytest.fixture
def asked(room, clawgit, tmp_path):
    """Lend a model that writes down all that it is asked, and return the file."""
    heard, program = tmp_path / "heard", tmp_path / "model"
    heard.touch()
    program.write_text(f"#!/bin/sh\ncat >> {heard}\necho nothing\n")
    program.chmod(0o755)
    clawgit("config", "set", "model", f"command {program}")
    clawgit("approve", "model")
    return heard


@pytest.fixture
def say(clawgit):
    """Return what keeps the messages of one conversation, a minute each, and gives the id of each."""
    minute = 0

    def call(text: str, *options: str, role: str = "user") -> str:
        nonlocal minute
        minute += 1
        at = f"2026-03-19T10:{minute:02}:00+00:00"
        return clawgit(
            "chat", "add", text, "--role", role, "--session", "s", "--at", at, *options, "--json"
        ).data["id"]

    return call  # fmt: skip


UNKNOWN = "No file has '4711'."  # as it was typed


def talk(say, text: str, *options: str) -> tuple[str, str]:
    """Say something that is not to be remembered, answered by the agent, among other things; return the ids of both."""
    say(BEFORE)
    vetoed, answer = say(text, *options), say(ANSWER, role="assistant")
    say(AFTER)
    say("The dog is Rex.", role="assistant")
    return vetoed, answer


def holds_it(text: str) -> list[str]:
    return [
        word for word in WORDS if re.search(rf"(?<![0-9a-z]){word}(?![0-9a-z])", text)
    ]  # ids are of letters and digits


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", VETOES)
def test_it_is_nowhere(room, clawgit, say, asked, text) -> None:
    """Mutants: only the miner leaves it out; the agent's answer to it is kept; other languages' are not heard."""
    ids = talk(say, text)
    told = {
        "note": clawgit("session", "end", "--session", "s").out,
        "log": clawgit("chat", "log", "--json").out,
        "export": clawgit("chat", "export").out,
        "search": clawgit("memory", "search", "locker code 4711", "--json").out.replace(UNKNOWN, ""),
        "messages": clawgit("memory", "search", text, "--source", "chat", "--json").out,
        "context": clawgit("context", "--session", "s").out,
        "query": clawgit("context", "--query", text).out,
        "get": "".join(clawgit("memory", "get", each).out for each in ids),
        "why": "".join(clawgit("why", each).out for each in ids),
    }
    clawgit("memory", "search", text, "--json")
    for agent in ("recall-validator", "memory-miner", "soul-keeper", "conflict-detector"):
        clawgit("run", agent)
    told["files"] = "".join(path.read_text() for path in room.root.rglob("*.md"))
    told["history"] = room.git("log", "-p", "--all", "--format=%B")
    told["digest"] = clawgit("digest").out
    told["model"] = asked.read_text()

    assert {name: holds_it(said) for name, said in told.items() if holds_it(said)} == {}
    assert "Rex" in told["note"] + told["files"]
    assert "rent" in asked.read_text() or "Rex" in asked.read_text()
    assert text.encode() not in (room.root / ".git/clawgit/records.db").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        pytest.param((), id="the operator's"),
        pytest.param(("--channel", "telegram", "--conversation", "7", "--sender", "7"), id="somebody else's"),
    ],
)
@pytest.mark.parametrize("days", ["0", "365"])
def test_it_is_deleted_after_a_day(room, clawgit, say, options, days) -> None:
    """Mutants: only the retention counts; the operator's alone; the day begins when it was sent."""
    clawgit("config", "set", "message_retention_days", days)
    vetoed = say(ENGLISH, *options, "--at", "2026-03-01T10:00:00+00:00")
    store = room.root / ".git/clawgit/messages.db"

    assert clawgit("chat", "stats", "--json").data["messages"] == 1
    clawgit("chat", "add", BEFORE, environment=NEXT_DAY)

    assert clawgit("chat", "stats", "--json", environment=NEXT_DAY).data["messages"] == 1
    for path in store.parent.glob("messages.db*"):
        assert b"locker" not in path.read_bytes()
    assert vetoed


def test_a_transcript_that_is_ended_or_imported_leaves_it_out(room, clawgit, tmp_path) -> None:
    path = tmp_path / "talk.jsonl"
    said = [("user", BEFORE), ("user", ENGLISH), ("assistant", ANSWER), ("user", AFTER)]
    path.write_text("".join(json.dumps({"role": role, "text": text}) + "\n" for role, text in said))
    note = room.root / clawgit("session", "end", "--as", "operator", str(path)).out.strip()
    clawgit("chat", "import", "--as", "operator", str(path))

    texts = [each["text"] for each in clawgit("chat", "log", "--json").data]

    assert texts == [BEFORE, AFTER]
    assert holds_it(note.read_text()) == []
    assert "Rex" in note.read_text()


def test_a_compacted_transcript_tells_nothing_of_it(clawgit, tmp_path) -> None:
    path, target = tmp_path / "talk.jsonl", tmp_path / "out.jsonl"
    said = [("user", BEFORE), ("user", ENGLISH), ("assistant", ANSWER), *[("user", AFTER + " x" * 400)] * 60]
    path.write_text("".join(json.dumps({"role": role, "text": text}) + "\n" for role, text in said))

    clawgit("session", "compact", str(path), "-o", str(target))

    assert "rent is due" in target.read_text()
    assert holds_it(target.read_text()) == []


SAME = [
    pytest.param(("memory", "add", "The user's locker opens with 4711."), id="memory add"),
    pytest.param(("memory", "add", "Der Spindcode ist 4711."), id="in another language"),
    pytest.param(("memory", "add", "Locker: 4711", "--to", "memory/2026-03-19.md"), id="into a note"),
    pytest.param(("memory", "add", "My locker opens with 4711.", "--evidence", "VETOED"), id="with the message itself"),
    pytest.param(("correct", "m:aaaaaa", "The rent code is 4711."), id="as a correction"),
    pytest.param(("soul", "propose", "My user's locker code is 4711.", "--reason", "He said it."), id="as a principle"),
    pytest.param(("soul", "propose", "I open lockers.", "--reason", "His locker code is 4711."), id="as a reason"),
]  # fmt: skip


@pytest.mark.parametrize("words", SAME)
def test_a_host_may_not_bring_it_back(room, clawgit, say, words) -> None:
    """Mutants: the door ignores the veto; only what cites the message is refused."""
    room.change({"MEMORY.md": "- The rent is 1200 euros. <!-- m:aaaaaa -->\n"}, actor="operator")
    vetoed, _ = talk(say, ENGLISH)
    before = room.head()

    refused = clawgit(*(vetoed if each == "VETOED" else each for each in words), environment=HOST)

    assert (refused.code, room.head()) == (1, before)
    assert "asked that this not be remembered" in refused.err


LEDGER = "we decided on Postgres for the ledger, and Emil owns it"


@pytest.mark.parametrize(
    ("said", "stated", "is_refused"),
    [
        (LEDGER, "Emil has a red van.", False),
        (LEDGER, "Emil prefers tea.", False),
        (LEDGER, "The ledger is blue.", False),
        (LEDGER, "Emil owns the ledger.", True),
        (LEDGER, "The team uses Postgres for the ledger.", True),
        ("Mein Bruder Ole zieht nach Oslo um", "Ole mag Bier.", False),
        ("Mein Bruder Ole zieht nach Oslo um", "Ole zieht nach Oslo.", True),
        ("I have diabetes", "User was diagnosed with diabetes.", True),
        ("I have diabetes", "The user's diabetes is of type 2.", True),
        ("ich habe Diabetes", "Nutzer ist an Diabetes erkrankt.", True),
    ],
)
def test_a_host_may_say_something_else_of_a_name_in_what_is_taken_back(
    said: str, stated: str, is_refused: bool
) -> None:
    """Seen: `Emil has a red van` was refused as asked not to be remembered. Mutants: one shared name is it; all of it must be said."""
    assert says_the_same(stated, said, date(2026, 3, 19)) is is_refused


@pytest.mark.rest
def test_what_says_something_else_is_remembered_and_the_operator_may_say_it(room, clawgit, say) -> None:
    talk(say, ENGLISH)

    assert clawgit("memory", "add", "The build takes 11 minutes.", environment=HOST).code == 0
    assert clawgit("memory", "add", "The locker opens with 4711.").code == 0


@pytest.mark.rest
def test_the_door_takes_no_vetoed_message_as_evidence_for_other_words(room, clawgit, say) -> None:
    """Mutant: `signal.veto` is not looked at where the message is cited."""
    vetoed, _ = talk(say, "Don't remember this: we moved house and Rex barks.")
    before = room.head()

    refused = clawgit("memory", "add", "Somebody relocated lately.", "--evidence", vetoed, environment=HOST)

    assert (refused.code, room.head()) == (1, before)
    assert "asks that this message not be remembered" in refused.err


def test_a_veto_takes_back_what_was_said_right_before(clawgit, room) -> None:
    clawgit("chat", "add", BEFORE)
    assert "Rent is due" in room.read("MEMORY.md")

    done = clawgit("chat", "add", "Actually, don't remember that.")

    assert "Taken back: what rested on " in done.out
    assert "Rent is due" not in room.read("MEMORY.md")


@pytest.mark.parametrize(
    ("order", "line", "is_refused"),
    [
        ("don't keep that iban anywhere. I'll ring Paula tomorrow", "The wood comes on Friday.", False),
        (
            "Don't remember this. The iban of Paula is GB33BUKB20201555555555.",
            "Paula has GB33BUKB20201555555555.",
            True,
        ),
        ("Don't remember this: the doctor comes tomorrow.", "Wood is delivered each Friday.", False),
        ("Don't remember this: the doctor comes tomorrow.", "The doctor comes on Friday.", True),
        ("Forget that two bowls broke.", "The kiln failed twice.", False),
        ("Forget that Kim has 30 dogs.", "We need 30 tickets.", False),
        ("Forget that two bowls broke.", "Two bowls broke in the kiln.", True),
    ],
)
def test_what_is_said_beside_an_order_is_no_subject_of_it(
    clawgit, order: str, line: str, is_refused: bool
) -> None:
    """Seen: every line about Friday was refused, for tomorrow was one. So was each with "two" or "twice". Mutants: each sentence counts; a weekday or a number alone tells it."""
    clawgit("chat", "add", order)

    done = clawgit("memory", "add", line, actor="host")

    assert (done.code != 0) is is_refused, done.err
