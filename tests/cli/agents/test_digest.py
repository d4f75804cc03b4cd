"""What the operator is told in the morning, made from what differs in the files."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from clawgit.operations.changed_news import Changed, News
from clawgit.operations.digest import Digest, cut_to
from clawgit.workspace.clock_looks import note_clock

EVENING, MORNING, NEXT = "2026-03-19T20:00:00+00:00", "2026-03-20T07:30:00+00:00", "2026-03-21T07:30:00+00:00"


@pytest.fixture
def at(clawgit):
    """Return a function that runs a command at a time."""

    def call(now: str, *words: str, **more):
        return clawgit("--rehearse", "--now", now, *words, **more)

    return call


@pytest.fixture
def send(at):
    """Return a function that delivers a day's digest; there was one before."""
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0

    def call(now: str) -> str:
        done = at(now, "digest", "--send", now[:10])
        assert done.code == 0, done.err
        return done.out

    return call


def commands_in(text: str) -> list[str]:
    """Return the command of each row: whole, or by its word and id, as the last lines say."""
    commands = []
    for word, name, whole in re.findall(r"^- .* → (?:(undo|answer) (\S+)|`(.+)`)$", text, re.MULTILINE):
        ways = {
            "undo": f"clawgit undo {name}",
            "answer": f"clawgit approve {name}` or `clawgit reject {name}",
        }
        commands.append(ways.get(word, whole))
    return commands


@pytest.mark.rest
def test_what_was_learned_corrected_changed_and_dropped_is_told_and_each_line_can_be_taken_back(
    clawgit, at, room
) -> None:
    """Every command that is named is run, the last one first, and then the files read as before."""
    clawgit("memory", "add", "We deploy on Mondays.", "--to", "MEMORY.md")
    clawgit("memory", "add", "The printer is on floor two.", "--to", "MEMORY.md")
    room.change({"SOUL.md": "Be kind.\n"}, actor="operator")
    at(EVENING, "digest", "--send", "2026-03-19")
    before = {path: room.read(path) for path in ("MEMORY.md", "SOUL.md")}
    late = "2026-03-19T22:00:00+00:00"
    at(late, "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    at(late, "correct", "We deploy on Mondays.", "We deploy on Thursdays.")
    room.change({"SOUL.md": "Be kind.\nBe blunt.\n"}, actor="soul-keeper")
    text = room.read("MEMORY.md")
    gone = next(line for line in text.splitlines(keepends=True) if "printer" in line)
    room.change({"MEMORY.md": text.replace(gone, "")}, actor="memory-compactor")

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert "1 about myself" in told.splitlines()[0]
    for heading, words in {
        "Learned": "I prefer tea over coffee.",
        "Corrected": "We deploy: Mondays → Thursdays (you)",
        "Changed about myself": "SOUL.md: + Be blunt. (soul-keeper)",
        "Dropped": "The printer is on floor two.",
    }.items():
        (section,) = re.findall(rf"## {heading}\n(.+)\n", told)
        assert words in section
    for command in reversed(commands_in(told)):
        done = at("2026-03-20T08:00:00+00:00", *command.split()[1:])
        assert done.code == 0, (command, done.err)
    assert {path: sorted(room.read(path).splitlines()) for path in before} == {
        path: sorted(text.splitlines()) for path, text in before.items()
    }


@pytest.mark.rest
def test_what_had_its_time_is_told_with_the_way_back(clawgit, at, send, room) -> None:
    """Mutants: what left memory for the archive is no news; what moved to a file of its topic is."""
    rows = "".join(f"- 2026-03-19: Fact {number} holds. #knowledge\n" for number in range(210))
    room.change({"MEMORY.md": f"# M\n\n{rows}- 2026-03-19: TODO: renew the certificate. #knowledge\n"})
    assert at("2026-03-20T05:30:00+00:00", "run", "organizer").code == 0
    send("2026-03-20T07:30:00+00:00")

    assert at("2026-03-29T04:00:00+00:00", "run", "decay-engine").code == 0
    told = send("2026-03-29T07:30:00+00:00")

    (command,) = commands_in(told)
    assert "TODO: renew the certificate." in told
    assert command.startswith("clawgit memory revive m:")
    assert at("2026-03-29T08:00:00+00:00", *command.split()[1:]).code == 0
    assert "TODO: renew the certificate." in room.read("memory/knowledge.md") + room.read("MEMORY.md")


def test_what_was_told_is_not_told_again_and_where_nothing_is_new_there_is_none(at, send, room) -> None:
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")

    assert "tea" in send(MORNING)
    assert send(NEXT) == "Nothing new, so nothing was sent.\n"
    folder = room.history.state / "digests"
    assert [path.name for path in folder.iterdir()] == ["2026-03-20.md"]
    assert (folder / "2026-03-20.md").stat().st_mode & 0o777 == 0o600


def test_what_came_and_went_in_between_is_no_news(at, send) -> None:
    """Mutant: the digest lists commits."""
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    entry = at("2026-03-20T01:01:00+00:00", "memory", "list", "--json").data[0]["id"]
    assert at("2026-03-20T02:00:00+00:00", "undo", entry).code == 0

    assert send(MORNING) == "Nothing new, so nothing was sent.\n"


def test_a_rebase_tells_nothing_twice(at, send, room) -> None:
    start = room.head()
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    assert "tea" in send(MORNING)
    room.rebase(start)

    assert "tea" not in send(NEXT)


def test_a_digest_without_news_says_that_an_agents_question_waits(clawgit, room) -> None:
    """Seen: "Nothing new since then, and nothing needs you." before five questions."""
    room.change({"MEMORY.md": "- The bin is green.\n"}, actor="operator")
    clawgit("correct", "The bin is green.", "The bin is red.", actor="host")

    said = clawgit("digest", "--since", "2026-03-20T00:00", "--now", "2026-03-21", "--rehearse").out

    assert said == "Nothing new since then. 1 still waits for your answer: `clawgit pending`.\n"
    clawgit("remember", "Ada drinks tea.")
    assert "## Asked\n- 1 open question: `clawgit pending`\n" in clawgit("digest").out


def test_what_waits_is_told_once_and_again_with_what_is_new(at, send, room) -> None:
    at("2026-03-20T01:00:00+00:00", "config", "set", "soul_max_tokens", "5000", actor="host")

    assert commands_in(send(MORNING)) == [
        "clawgit approve soul_max_tokens` or `clawgit reject soul_max_tokens"
    ]
    assert send(NEXT) == "Nothing new, so nothing was sent.\n"
    assert at(NEXT, "digest").out.endswith(" 1 still waits for your answer: `clawgit pending`.\n")
    at("2026-03-21T08:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    assert "## Asked" in send("2026-03-22T07:30:00+00:00")


def test_the_first_digest_tells_of_the_days_before_a_night_that_was_missed(at) -> None:
    at(EVENING, "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")

    assert "tea" in at(NEXT, "digest", "--send", "2026-03-21").out


def test_a_day_has_one_digest(at, send) -> None:
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    first = send(MORNING)
    at("2026-03-20T08:00:00+00:00", "memory", "add", "My sister is called Maria.", "--to", "MEMORY.md")

    assert send("2026-03-20T09:00:00+00:00") == first
    assert "Maria" in send(NEXT)


def test_earlier_digests_and_any_span_can_be_read(at, send) -> None:
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    text = send(MORNING)

    assert at(MORNING, "digest").out == at(NEXT, "digest", "--date", "2026-03-20").out == text
    assert at(NEXT, "digest").out == "Nothing new since 20 March: `clawgit digest --date 2026-03-20`.\n"
    assert at(NEXT, "digest", "--date", "2026-03-19").out == "Nothing new on 2026-03-19.\n"
    assert at(NEXT, "digest", "--date", "2026-03-18").code == 1
    assert "tea" in at(NEXT, "digest", "--since", "2026-03-20").out
    assert "tea" not in at(NEXT, "digest", "--since", "2026-03-20T06:00").out
    assert at(NEXT, "digest", "--date", "yesterday").out == text
    assert "No digest was made on 2026-03-18." in at(NEXT, "digest", "--date", "3 days ago").err
    assert "tea" in at(NEXT, "digest", "--since", "yesterday").out
    assert "tea" not in at(NEXT, "digest", "--since", "1 hour ago").out


def test_a_trusted_command_gets_it_and_a_failed_delivery_is_tried_again_with_the_same_words(
    clawgit, at, send, room, tmp_path
) -> None:
    """Mutant: what did not arrive counts as told."""
    got, program = tmp_path / "got", tmp_path / "tell"
    program.write_text(f"#!/bin/sh\ncat >> {got}\ntest -e {tmp_path}/works\n")
    program.chmod(0o755)
    clawgit("config", "set", "digest_channel", f"command {program}")
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    clawgit("approve", "digest_channel")

    failed = at(MORNING, "digest", "--send", "2026-03-20")
    (tmp_path / "works").touch()
    text = send("2026-03-20T07:31:00+00:00")
    send("2026-03-20T07:40:00+00:00")

    assert failed.code == 1
    assert "did not arrive" in failed.err
    first, second = (json.loads(part) for part in got.read_text().replace("}{", "}\n{").splitlines())
    assert first == second
    assert first["text"] == text
    assert first["day"] == "2026-03-20"


@pytest.mark.rest
def test_what_never_arrived_is_told_by_the_next_digest(clawgit, at, send, tmp_path) -> None:
    """Mutant: a digest that failed counts as told."""
    program = tmp_path / "tell"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    clawgit("config", "set", "digest_channel", f"command {program}")
    clawgit("approve", "digest_channel")
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    failed = at(MORNING, "digest", "--send", "2026-03-20")
    clawgit("config", "set", "digest_channel", "file")

    assert failed.code == 1
    assert "tea over coffee" in send(NEXT)


def test_a_channel_that_the_operator_did_not_set_is_not_used(clawgit, at, send, room, tmp_path) -> None:
    got = tmp_path / "got"
    program = room.root / "memory/tell"
    program.write_text(f"#!/bin/sh\ncat > {got}\n")
    program.chmod(0o755)
    clawgit("config", "set", "digest_channel", "command memory/tell", actor="host")
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")

    assert "digest_channel" in send(MORNING)
    assert not got.exists()


def test_what_others_said_is_marked(send, room) -> None:
    room.change({"memory/learned.md": "- 2026-03-20: The server is named Heron.\n"})

    told = send(MORNING)

    assert "The server is named Heron." in told
    assert "(not your words)" in told


def test_what_an_agent_remembered_is_told_once_with_a_yes_that_works(at, send, room) -> None:
    """Seen: `approve` of what cited a message said "Nothing pending is called so"; without one a line stood twice."""
    host = {"environment": {"OPENCLAW_SHELL": "exec"}}
    heard = at("2026-03-20T01:00:00+00:00", "chat", "add", "Yara can do it twice a month", "--json").data[
        "id"
    ]
    now = "2026-03-20T01:01:00+00:00"
    at(now, "memory", "add", "Yara Bos comes on Fridays.", "--evidence", heard, **host)
    at(now, "memory", "add", "The boiler is from 1998.", **host)

    told = send(MORNING)

    (cited,) = (line for line in told.splitlines() if "Yara Bos" in line)
    (alone,) = (line for line in told.splitlines() if "boiler" in line)
    assert '(not your words; it cites: "Yara can do it twice a month")' in cited
    assert "(not your words)" in alone
    for line in (cited, alone):
        (commands,) = commands_in(line)
        yes, no = (words.split()[1:] for words in commands.split("` or `"))
        assert no == ["reject", yes[1]]
        assert at("2026-03-20T09:00:00+00:00", *yes).code == 0
    assert "answer: `clawgit approve ID` or `clawgit reject ID`" in told
    assert "Yara Bos comes on Fridays." in room.read("MEMORY.md")
    assert "asked" not in told.splitlines()[0]


def test_a_sentence_that_a_line_above_quotes_is_not_told_as_unkept_as_well(now) -> None:
    """Seen: a decision told four times."""
    said = "we do French for Duruflé and Italian for the rest. decided"
    link = News("We sing Duruflé.", "clawgit reject x:a", "you said", said)
    heard = [
        News("we do French for Duruflé and Italian for the rest.", "clawgit remember x"),
        News("It is hot.", "clawgit remember 'It is hot.'"),
    ]

    told = Digest("tip", now, Changed(linked=(link,)), {}, heard={"chat:a": heard}).text

    assert told.count("Italian") == 1
    assert "- It is hot.\n" in told


def an_old_memory(room) -> None:
    """Leave more lines in MEMORY.md than it may have, two that are equal, and notes of last year."""
    rows = [f"- Shelf {number} holds box {number * 7}.\n" for number in range(300)]
    sections = "".join(f"## Room {at}\n\n{''.join(rows[at * 60 : at * 60 + 60])}\n" for at in range(5))
    notes = {f"memory/2025-11-{day:02}.md": f"# Day {day}\n\n- Box {day} came.\n" for day in range(1, 31)}
    room.change({"MEMORY.md": f"# Memory\n\n{sections}- The van is sold.\n\n- The van is sold.\n", **notes})


@pytest.mark.rest
def test_a_night_that_moved_much_is_told_first_by_digest_status_and_run(at, room) -> None:
    an_old_memory(room)
    at(EVENING, "digest", "--send", "2026-03-19")
    before = room.git("ls-files", "-s")

    (notes_moved,) = (
        line
        for line in at("2026-03-20T03:00:00+00:00", "run", "memory-compactor").out.splitlines()
        if "notes moved" in line
    )
    lines_moved = at("2026-03-20T05:30:00+00:00", "run", "organizer").out
    told = at(MORNING, "digest", "--send", "2026-03-20").out
    status = at("2026-03-20T11:00:00+00:00", "status").out

    assert notes_moved.strip() == "30 daily notes moved from memory/ to Archive/Daily/"
    (count,) = re.findall(r"(\d+) lines moved from MEMORY.md to \d files in memory/", lines_moved)
    assert int(count) > 50
    assert told.split("\n## ")[1].startswith("Moved\n")
    for sentence in (
        f"{count} lines moved from MEMORY.md to",
        notes_moved.strip(),
        "1 line of MEMORY.md merged with equal lines",
    ):
        assert sentence in told
        assert sentence in status
    for command in dict.fromkeys(commands_in(told)):
        assert at("2026-03-20T08:00:00+00:00", *command.split()[1:]).code == 0
    kept = {line for line in before.splitlines() if "MEMORY.md" in line or "2025-11" in line}
    assert kept <= set(room.git("ls-files", "-s").splitlines())
    assert "notes moved" not in at("2026-03-22T08:00:00+00:00", "status").out


@pytest.mark.parametrize(
    ("actor", "whose", "shown", "rest"),
    [
        pytest.param("unknown", "an unknown author", 3, "22 more lines", id="nobody known"),
        pytest.param("host", "your agent", 3, "22 more lines", id="the agent"),
        pytest.param("operator", "you", 0, "25 lines", id="you"),
    ],
)
def test_what_somebody_typed_is_told_behind_what_was_learned_three_lines_of_others_and_the_rest_by_count(
    send, room, actor, whose, shown, rest
) -> None:
    room.change({"memory/house.md": "# House\n", "MEMORY.md": "# Memory\n"}, actor="operator")
    for number in range(25):
        path = "memory/house.md" if number % 5 else "MEMORY.md"
        room.write(path, room.read(path) + f"- Typed line {number} is here.\n")
        room.keep(actor)
    learned = "".join(f"- 2026-03-20: Learned thing {n} holds.\n" for n in "abcde")
    room.change({"memory/learned.md": learned})

    told = send(MORNING)

    first, second = told.split("\n## ")[1:3]
    assert first.startswith("Learned\n")
    assert all(f"Learned thing {letter}" in first for letter in "abcde")
    assert second.startswith("Typed into the files\n")
    assert len(re.findall(rf"^- Typed line \d+ is here. \({whose}\) → undo ", second, re.M)) == shown
    assert re.search(rf"^- {rest} in memory/house.md, MEMORY.md, by {whose} → `clawgit log`", second, re.M)
    assert told.count("Typed line") == shown
    assert told.splitlines()[0].endswith(": 5 learned, 25 typed")


def test_lines_of_git_commit_are_typed_too(send, room) -> None:
    room.write("MEMORY.md", "# Memory\n\n- The vet is in Bath.\n")
    room.git("add", "MEMORY.md")
    room.git("commit", "-qm", "vet")

    assert "- The vet is in Bath. (Ada) → undo " in send(MORNING)


def test_what_a_teammate_committed_is_told_with_his_name(send, room) -> None:
    """Mutant: what others committed and the operator pulled is told as his own alone."""
    room.write("MEMORY.md", "# Memory\n\n- The vet is in Bath.\n")
    room.write("SOUL.md", room.read("SOUL.md") + "- Be kind.\n")
    room.git("add", "MEMORY.md", "SOUL.md")
    room.git("-c", "user.name=Emil Kask", "-c", "user.email=emil@example.org", "commit", "-qm", "vet")
    room.git("config", "user.name", "Nora")
    room.git("config", "user.email", "nora@example.org")

    told = send(MORNING)
    assert "- The vet is in Bath. (Emil Kask) → undo " in told
    assert "(Emil Kask)" in told.split("## Changed about myself")[1]


def test_what_a_teammate_took_out_is_dropped_with_his_name_and_what_he_changed_told_as_typed(
    at, room
) -> None:
    """Seen: the old value as dropped, and the new one nowhere. Mutants: a changed line is dropped, too; the line that he took out is dropped by nobody; a secret is printed."""
    others = "".join(f"- Jar {each} is on shelf {each}.\n" for each in range(9))
    text = f"# Memory\n\n- Invoice 5590 is due on 2 May.\n{others}"
    room.change({"MEMORY.md": text}, actor="operator")
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0
    token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    text = f"{text}- The van has {token}.\n"
    room.write("MEMORY.md", text.replace("2 May", "5 May").replace("- Jar 7 is on shelf 7.\n", ""))
    room.git("-c", "user.name=Emil Kask", "-c", "user.email=e@example.org", "commit", "-qam", "moved")

    told = at(MORNING, "digest", "--send", "2026-03-20").out
    assert told.splitlines()[0].endswith(": 1 dropped, 2 typed")
    assert "- The van has [redacted" in told
    assert token not in told
    assert "- Jar 7 is on shelf 7. (Emil Kask) → undo " in told
    changed = "- Invoice 5590 is due on 5 May. (before: Invoice 5590 is due on 2 May.) (Emil Kask) → undo "
    assert changed in told


SHELVES = "# Memory\n\n" + "".join(f"- Item {each} is on shelf {each + 1}.\n" for each in range(1, 9))


def test_of_an_edit_by_an_unknown_author_the_changed_and_the_added_lines_are_shown(at, room) -> None:
    """Seen: "1 line, by an unknown author", and the new value not on the phone."""
    room.change({"MEMORY.md": SHELVES}, actor="operator")
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0
    came = "- The night guard is Jan.\n- The gate is red.\n- The yard is wet.\n"
    room.write("MEMORY.md", f"{SHELVES}{came}".replace("Item 2 is on shelf 3", "Item 2 is on shelf 8"))
    room.keep("unknown")

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert [line.rpartition(" → ")[0] for line in told.splitlines() if line.startswith("- ")] == [
        "- Item 2 is on shelf: 3 → 8 (an unknown author, in the place of your words)",
        "- The night guard is Jan. (an unknown author)",
        "- The gate is red. (an unknown author)",
        "- The yard is wet. (an unknown author)",
    ]
    (undo, *_) = commands_in(told)
    assert at("2026-03-20T08:00:00+00:00", *undo.split()[1:]).code == 0
    assert "Item 2 is on shelf 3." in room.read("MEMORY.md")
    assert "gate" not in room.read("MEMORY.md")


FEES = "| Pupil | per month |\n|---|---|\n| Oskar Lind | 136 |\n| Emil | 90 |\n"


def edits_in(told: str) -> list[str]:
    return re.findall(r"## Changed in your files\n((?:- .+\n)+)", told)[0].splitlines()


def test_edits_of_files_beside_memory_are_told_in_their_words(send, room) -> None:
    """Seen: the agent changed a price, and the digest said nothing. What came and went in between is no news."""
    texts = {"fees.md": FEES, "plan.md": "one\ntwo\n", "app.py": "1\n", "own.md": "a\n", "same.md": "a\n"}
    for path, text in texts.items():
        room.write(path, text)
    room.keep("operator")
    send(MORNING)
    room.write("own.md", "b\nc\nd\ne\nf\n")
    room.write("plan.md", "one\n2\n")
    room.write("same.md", "b\n")
    room.keep("operator")
    own = room.head()[:12]
    room.write("fees.md", FEES.replace("136", "130"))
    room.write("app.py", "2\n")
    room.write("same.md", "a\n")
    room.write("new.md", "new\n")
    room.keep("host")
    agents = room.head()[:12]
    room.write("fees.md", FEES.replace("136", "130").replace("90", "95"))
    room.keep("unknown")
    theirs = room.head()[:12]

    told = send(NEXT)

    assert "3 in your files" in told.splitlines()[0]
    assert edits_in(told) == [
        f'- fees.md: "Emil | 90" → "Emil | 95" (an unknown author) → undo {theirs}',
        f'- fees.md: "Oskar Lind | 136" → "Oskar Lind | 130" (your agent) → undo {agents} fees.md',
        f'- plan.md: "two" → "2" (you) → undo {own} plan.md',
    ]


def test_what_he_corrected_is_no_edit_of_who_edited_the_file(send, at, room) -> None:
    """Seen: "Emil 90 → 95 (an unknown author) → undo", for his own correction, and the undo took Oskar's line back."""
    room.write("fees.md", FEES)
    room.keep("operator")
    send(MORNING)
    room.write("fees.md", FEES.replace("136", "130"))
    room.keep("unknown")
    theirs = room.head()[:12]
    corrected = at("2026-03-20T10:00:00+00:00", "correct", "fees.md:4", "| Emil | 95 |")
    assert corrected.code == 0, corrected.err

    assert edits_in(send(NEXT)) == [
        f'- fees.md: "Oskar Lind | 136" → "Oskar Lind | 130" (an unknown author) → undo {theirs}'
    ]


def test_a_merge_tells_no_edit_of_either_side_again(send, room) -> None:
    """Seen: what an earlier digest had told came again, by "you and Ben", beside Ben's edit."""
    room.write("fees.md", FEES)
    room.keep("operator")
    room.branch_off("HEAD")
    send(MORNING)
    room.write("fees.md", FEES.replace("136", "130"))
    room.keep("operator")
    assert '"Oskar Lind | 136" → "Oskar Lind | 130" (you)' in send(NEXT)
    room.git("checkout", "-q", "other")
    room.write("fees.md", f"{FEES}\nPaid on the first.\n".replace("90", "95"))
    ben = ("-c", "user.name=Ben", "-c", "user.email=ben@example.org")
    room.git(*ben, "commit", "-qam", "theirs")
    theirs = room.head()[:12]
    room.git("checkout", "-q", "main")
    room.git("merge", "-q", "--no-commit", "other", check=False)
    room.write("fees.md", f"{FEES}\nPaid on the first.\n".replace("90", "95").replace("136", "130"))
    room.git("commit", "-qam", "merged")

    assert edits_in(send("2026-03-22T07:30:00+00:00")) == [
        f'- fees.md: "Emil | 90" → "Emil | 95" (Ben) → undo {theirs}',
        f'- fees.md +1: "Paid on the first." (Ben) → undo {theirs}',
    ]


def test_a_large_edit_beside_a_new_file_of_the_same_commit_is_told(send, room) -> None:
    """Seen: a plan rewritten by the agent was told nowhere, since the last file of the commit was new."""
    room.write("plan.md", "".join(f"plan {number}\n" for number in range(20)))
    room.keep("operator")
    send(MORNING)
    room.write("plan.md", "".join(f"other {number}\n" for number in range(20)))
    room.write("zz.md", "new\n")
    room.write("zzz.py", "1\n")
    room.keep("host")

    (told,) = edits_in(send(NEXT))

    assert told.startswith("- plan.md +20 -20")
    assert told.endswith(f"(your agent) → undo {room.head()[:12]}")


def test_more_changes_than_a_page_of_the_log_has_are_all_counted(send, room) -> None:
    """Mutant: the first page alone, so that an older loss is told nowhere."""
    text = f"# M\n\n{''.join(f'- Jar {each} is on shelf {each}.' + chr(10) for each in range(20))}"
    room.change({"MEMORY.md": f"{text}- The van is sold.\n"}, actor="operator")
    send(MORNING)
    room.write("MEMORY.md", text)
    room.keep("host")
    room.change({"memory/learned.md": "".join(f"- Server {n} is up.\n" for n in range(1100))})

    told = send(NEXT)

    assert "1100 learned" in told.splitlines()[0]
    assert "- The van is sold. (your agent) → undo " in told


def test_a_large_edit_that_was_undone_is_no_news(send, at, room) -> None:
    """Seen: "MEMORY.md -49 (your agent) → undo", a day after that undo."""
    room.write("plan.md", "1\n2\n3\n4\n5\n")
    room.keep("operator")
    send(MORNING)
    room.write("plan.md", "a\nb\nc\nd\ne\n")
    room.keep("host")
    agents = room.head()[:12]
    assert "plan.md +5 -5 (your agent)" in at("2026-03-20T09:00:00+00:00", "digest", "--since", "today").out
    assert at("2026-03-20T10:00:00+00:00", "undo", agents).code == 0

    assert "plan.md" not in send(NEXT)


def test_what_he_forgot_and_the_agent_typed_again_is_told(clawgit, at, room) -> None:
    """Seen: between two digests, a line that was there before and is there again was no news."""
    room.change({"MEMORY.md": "# M\n\n- The vet is in Bath.\n- Tea is at four.\n"}, actor="operator")
    at(EVENING, "digest", "--send", "2026-03-19")
    before = room.read("MEMORY.md")
    assert clawgit("forget", "The vet is in Bath.", "--yes").code == 0
    room.write("MEMORY.md", before)
    room.keep("host")

    told = at(MORNING, "digest", "--send", MORNING[:10]).out

    assert "- The vet is in Bath. (your agent; you took this out) → undo " in told


def test_many_large_edits_of_one_commit_are_told_by_count_in_one_line(send, room) -> None:
    paths = [f"notes/{number}.md" for number in range(8)]
    for path in paths:
        room.write(path, "one\n")
    room.keep("operator")
    send(MORNING)
    for path in paths:
        room.write(path, "1\n2\n3\n4\n")
    room.keep("host")

    told = send(NEXT)

    counts = ", ".join(f"{path} +4 -1" for path in paths[:3])
    assert edits_in(told) == [f"- {counts} and 5 more (your agent) → undo {room.head()[:12]}"]


@pytest.mark.rest
def test_what_he_typed_over_a_correction_is_told_and_the_correction_is_not(at, room) -> None:
    """Seen: "Corrected: … on shelf 9", though shelf 12 was committed since. Mutants: what was corrected once is told as what holds; the old value is that before the correction, or dropped."""
    room.change({"MEMORY.md": SHELVES}, actor="operator")
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0
    late = "2026-03-19T22:00:00+00:00"
    assert at(late, "correct", "Item 4 is on shelf 5.", "Item 4 is on shelf 9.").code == 0
    assert at(late, "correct", "Item 6 is on shelf 7.", "Item 6 is on shelf 1.").code == 0
    room.write("MEMORY.md", room.read("MEMORY.md").replace("Item 4 is on shelf 9.", "Item 4 is on shelf 12."))
    room.keep("operator")

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert told.splitlines()[0].endswith(": 1 corrected, 1 typed")
    assert "- Item 6 is on shelf: 7 → 1 (you)" in told
    assert "- Item 4 is on shelf 12. (before: Item 4 is on shelf 9.) (you) → undo " in told
    assert ["Item 4" in line for line in told.splitlines()].count(True) == 1


@pytest.mark.rest
def test_of_two_corrections_of_a_line_the_one_that_holds_is_told(at, room) -> None:
    """Mutant: both are told, the older one with an undo that meets the newer one."""
    room.change({"MEMORY.md": SHELVES}, actor="operator")
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0
    at("2026-03-19T22:00:00+00:00", "correct", "Item 4 is on shelf 5.", "Item 4 is on shelf 9.")
    at("2026-03-19T22:01:00+00:00", "correct", "Item 4 is on shelf 9.", "Item 4 is on shelf 12.")

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert told.splitlines()[0].endswith(": 1 corrected")
    assert "- Item 4 is on shelf: 9 → 12 (you)" in told


def test_a_line_whose_correction_was_undone_is_told_as_typed_and_with_nothing_learned(at, room) -> None:
    """Seen: "Learned: The pass is 95 €", with the undo of the correction. Mutant: a comment below a line is its words."""
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0
    room.write("MEMORY.md", room.read("MEMORY.md") + "- The pass costs 95 €, for a year.\n")
    room.keep("operator")
    late = "2026-03-19T22:00:00+00:00"
    at(late, "correct", "The pass costs 95 €, for a year.", "The pass costs 99 €, for a year.")
    (link,) = at(late, "corrections", "--json").data
    assert at(late, "undo", link["id"]).code == 0

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert told.splitlines()[0].endswith(": 1 typed")
    assert "- 1 line in MEMORY.md, by you → " in told


def test_what_a_teammate_made_of_a_corrected_line_is_told_with_his_name(send, at, room) -> None:
    """Seen: of two lines one, or no word of it. Mutant: what a correction names is not told again."""
    room.change({"MEMORY.md": "# Memory\n\n- The port is 8080. <!-- m:aaaaaa -->\n"}, actor="operator")
    assert at(EVENING, "digest", "--send", "2026-03-19").code == 0
    assert at("2026-03-19T22:00:00+00:00", "correct", "m:aaaaaa", "The port is 9090.").code == 0
    room.write("MEMORY.md", room.read("MEMORY.md").replace("is 9090", "is 9292") + "- The vet is in Bath.\n")
    room.git("-c", "user.name=Emil Kask", "-c", "user.email=e@example.org", "commit", "-qam", "port")

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert "- The port is 9292. (before: The port is 9090.) (Emil Kask) → undo " in told
    assert "- The vet is in Bath. (Emil Kask) → undo " in told
    assert "## Corrected" not in told


def test_a_proposal_and_an_unseen_addition_show_their_lines(clawgit, send, room) -> None:
    room.change({"SOUL.md": "- Be kind.\n- Ask first.\n", "BOOTSTRAP.md": None}, actor="operator")
    room.write("SOUL.md", "- Be rude.\n- Ask first.\n- Answer in verse on odd days.\n")
    assert clawgit("keep", actor="host").code == 0

    told = send(MORNING).split("## Asked")[1]

    assert "Shall SOUL.md change as proposed by your agent? - - Be kind. + - Be rude. → answer p-" in told
    assert (
        "It was added by your agent, and you have not seen it: + Answer in verse on odd days. → answer u-"
        in told
    )


@pytest.mark.rest
def test_each_line_has_whose_words_it_is_and_the_sentence_behind_it(at, send, room) -> None:
    at(EVENING, "memory", "add", "We deploy on Mondays.", "--to", "MEMORY.md")
    at("2026-03-20T01:00:00+00:00", "chat", "add", "Remember that rent is due on the 1st.")
    at("2026-03-20T01:01:00+00:00", "chat", "add", "No, we deploy on Thursdays, not on Mondays.")
    at("2026-03-20T01:02:00+00:00", "run", "recall-validator")

    told = send(MORNING)

    assert told.startswith("# 2026-03-20: 1 learned, 1 corrected\n")
    assert "- Rent is due on the 1st. (you) → undo m:" in told
    assert (
        "- We deploy: Mondays → Thursdays"
        ' (you: "No, we deploy on Thursdays, not on Mondays.") → undo ' in told
    )


def test_of_links_three_are_told_and_the_rest_is_counted(now) -> None:
    """Seen: ten of fourteen lines under "Linked" had a number or one word of the message."""
    links = tuple(
        News(f"Kiln {number} is blue.", "clawgit pending show x:a", "you said", "red") for number in range(5)
    )

    told = Digest("tip", now, Changed(linked=links, beside=4), {}).text

    assert told.splitlines()[0].endswith(": 9 with later words beside")
    assert (
        '## Later words beside a line: answer if you like\n- Kiln 0 is blue. (you said: "red") → show x:a\n'
        in told
    )
    assert told.count("Kiln") == 3
    assert "Beside a line: 6 other messages (`clawgit pending`)." in told
    assert "show: `clawgit pending show ID`" in told


def test_of_two_sentences_beside_a_line_the_newest_is_told_and_two_keys_are_one_row(clawgit, room) -> None:
    room.change({"MEMORY.md": "# M\n\n- Day care is on Tuesday and Thursday.\n"}, actor="operator")
    room.write("a.md", "token: ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n")
    room.write("b.md", "token: ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8\n")
    later = {"CLAWGIT_NOW": (room.now + timedelta(minutes=5)).isoformat()}
    clawgit("chat", "add", "wrong, day care is on Monday and Friday")
    clawgit("chat", "add", "No, day care moved to Monday and Wednesday", environment=later)

    told = clawgit("digest", environment=later).out

    (row,) = [each for each in told.splitlines() if "→ answer x:" in each]
    assert "→ Day care moved to Monday and Wednesday (" in row
    assert "Beside a line: 1 other message (" in told
    assert told.count("looks like a key") == 1
    assert "The same for b.md:1." in told


def test_no_yes_is_offered_to_what_is_not_shown_whole(now) -> None:
    """Seen: the row ended before the number that a yes would have written."""
    words = "the boiler " * 40
    learned = (
        News(f"The code is {words} + 912 440 381", "clawgit undo m:1"),
        News("It is 12.", "clawgit undo m:2", "not your words; it cites", words),
    )

    told = Digest("tip", now, Changed(learned=learned), dict.fromkeys(("m:1", "m:2"), "")).text

    assert "… → show m:1\n" in told
    assert "- It is 12. (not your words; it cites:" in told
    assert "…) → answer m:2\n" in told


@pytest.mark.parametrize(
    ("words", "way"), [("tower " * 10, "→ `clawgit approve k:"), ("tower " * 40, "… → show k:")]
)
def test_a_choice_is_shown_whole_or_without_its_yes(send, at, words, way) -> None:
    """Seen: a conflict was cut before B, with `A|B|both` behind it."""
    for port in ("8443", "9443"):
        text = f"The staging server beside the {words}listens on port {port}."
        at(EVENING, "memory", "add", text, "--tag", "knowledge", "--to", "MEMORY.md")
    assert at("2026-03-20T01:00:00+00:00", "run", "conflict-detector").code == 0

    (row,) = (line for line in send(MORNING).splitlines() if "Which one holds" in line)

    assert way in row
    assert ("A|B|both" in row) is ("8443" in row and "9443" in row)


def test_what_has_no_no_is_not_said_to_have_one(send, room, now) -> None:
    """Seen: "answer clock", though `clawgit reject clock` is refused."""
    note_clock(room.history.state, now - timedelta(days=400), None)
    room.change({"SOUL.md": "Be kind.\n"}, actor="operator")
    note_clock(room.history.state, now, None)

    told = send(MORNING)

    assert "clawgit approve clock" in commands_in(told)
    assert "reject" not in told


def test_what_jobs_wait_for_does_not_rest(send, at, room, now) -> None:
    """Seen: for six mornings only "6 more questions", while nothing was moved or archived."""
    at("2026-03-20T01:00:00+00:00", "config", "set", "soul_max_tokens", "5000", actor="host")
    note_clock(room.history.state, now - timedelta(days=400), None)
    note_clock(room.history.state, now, None)
    for day in (20, 21):
        at(f"2026-03-{day}T06:00:00+00:00", "memory", "add", f"Box {day} is in room {day}.")

    told = [send(MORNING), send(NEXT)]

    assert ["Is the clock right?" in each for each in told] == [True, True]
    assert ["soul_max_tokens" in each for each in told] == [True, False]


def test_what_is_asked_rests_for_a_week_also_where_it_is_no_question_about_memory(at, send) -> None:
    """Seen: the same three items on six mornings. Mutant: what rests is asked by none, and not counted."""
    at("2026-03-20T01:00:00+00:00", "config", "set", "soul_max_tokens", "5000", actor="host")
    assert "soul_max_tokens" in send(MORNING)
    for day in range(20, 28):
        at(f"2026-03-{day}T09:00:00+00:00", "memory", "add", f"Box {day} is in room {day}.")

    told = [send(f"2026-03-{day}T07:30:00+00:00") for day in range(21, 29)]

    assert ["soul_max_tokens" in each for each in told] == [False] * 6 + [True, False]
    assert "## Asked\n- 1 open question: `clawgit pending`\n" in told[0]


@pytest.mark.rest
def test_a_link_is_told_with_the_words_that_are_beside_the_line_and_can_be_taken_back(at, send, room) -> None:
    at(EVENING, "memory", "add", "The staging port is 8080.", "--to", "MEMORY.md")
    send("2026-03-20T00:10:00+00:00")
    at("2026-03-20T01:00:00+00:00", "chat", "add", "--role", "assistant", "Staging answers on port 8080.")
    at("2026-03-20T01:01:00+00:00", "chat", "add", "9090 since the move, btw")
    at("2026-03-20T01:02:00+00:00", "run", "recall-validator")

    told = send(NEXT)

    section = "## Later words beside a line: answer if you like\n"
    change = "The staging port: 8080 → 9090"
    assert f'{section}- {change} (you said: "9090 since the move, btw") → answer x:' in told
    assert "## Corrected" not in told
    right, rejected = commands_in(told)[0].split("` or `")
    link = right.split()[2]
    status = at("2026-03-20T09:00:00+00:00", "status").out
    assert "  later words beside 1 line, a new line is ready (`clawgit pending`)\n" in status
    assert "all answers" not in status, "no question is shown"
    assert f"(`{right}`)\n" in at("2026-03-20T09:00:00+00:00", "pending").out
    shown = at("2026-03-20T09:00:00+00:00", "pending", "show", link).out
    assert f"`{right}`" in shown
    assert f"`{rejected}`" in shown
    assert "Later words beside 1 line" in at("2026-03-29T09:00:00+00:00", "pending").out
    shown = at("2026-03-29T09:00:00+00:00", "pending", "show", link).out
    assert shown.startswith(f"{link}  later words beside a line, since ")
    assert "lapses" not in shown
    assert at("2026-03-21T08:00:00+00:00", "correct", link, "9090").code == 0
    told = at("2026-03-22T07:30:00+00:00", "digest", "--send", "2026-03-22").out
    assert "## Learned" not in told
    corrected = "- The staging port: 8080 → 9090"
    assert f'## Corrected\n{corrected} (you: "9090 since the move, btw") → ' in told
    assert "- The staging port is 9090." in room.read("MEMORY.md").replace("2026-03-19: ", "")
    shown = [at("2026-03-21T08:01:00+00:00", *words).out for words in (["status"], ["log"], ["corrections"])]
    assert [link in each and "linked  " not in each for each in shown[::2]] == [True, True]
    assert f"`{right}`" not in shown[1]


@pytest.mark.rest
def test_a_link_is_not_told_beside_a_line_that_was_corrected_since(at, send, room) -> None:
    """Mutant: the digest says that the line stays, though it is gone."""
    at(EVENING, "memory", "add", "The staging port is 8080.", "--to", "MEMORY.md")
    send("2026-03-20T00:10:00+00:00")
    at("2026-03-20T01:00:00+00:00", "chat", "add", "--role", "assistant", "Staging answers on port 8080.")
    at("2026-03-20T01:01:00+00:00", "chat", "add", "9090 since the move, btw")
    at("2026-03-20T01:02:00+00:00", "run", "recall-validator")
    at("2026-03-20T01:03:00+00:00", "correct", "The staging port is 8080.", "The staging port is 9090.")

    told = send(NEXT)

    assert "## Linked" not in told
    assert "The staging port: 8080 → 9090" in told


@pytest.mark.rest
def test_at_most_three_items_are_asked_and_the_rest_is_counted(at, send) -> None:
    values = {"soul_max_tokens": "5000", "soul_policy": "locked", "cron_digest": "08:00"}
    values |= {"max_file_bytes": "900000", "identity_tokens": "700", "secret_patterns": "[]"}
    waiting = 0
    for key, value in values.items():
        waiting += at("2026-03-20T01:00:00+00:00", "config", "set", key, value, actor="host").code == 0

    asked = send(MORNING).split("## Asked")[1]

    assert waiting > 3
    assert asked.count("→ answer ") == 3
    assert f"- {waiting - 3} more questions: `clawgit pending`" in asked


def test_before_todays_digest_is_made_it_says_what_that_would_say(at, send) -> None:
    """Seen: yesterday's once more, and nothing but an error on the first day."""
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    assert "tea" in at("2026-03-20T01:10:00+00:00", "digest").out
    send(MORNING)
    at("2026-03-20T08:00:00+00:00", "memory", "add", "My sister is called Maria.", "--to", "MEMORY.md")

    told = at(NEXT, "digest").out

    assert "Maria" in told
    assert "tea" not in told
    assert send(NEXT) == told


def test_todays_digest_says_of_when_it_is_where_something_changed_since(at, send) -> None:
    """Seen: in the evening a line that he had taken back at noon, without a word."""
    at("2026-03-20T07:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    send(MORNING)
    before = at("2026-03-20T12:00:00+00:00", "digest")
    at("2026-03-20T12:00:00+00:00", "forget", "I prefer tea over coffee.", "--yes")

    evening = at("2026-03-20T20:00:00+00:00", "digest")

    assert (before.out, before.err) == (evening.out, "")
    assert "As it was at 07:30; `clawgit digest --since today`" in evening.err


def test_a_past_day_is_told_without_what_came_later(at) -> None:
    """Seen: the corrections and the talk of the days after."""
    at("2026-03-20T08:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    at("2026-03-22T08:00:00+00:00", "memory", "add", "My sister is called Maria.", "--to", "MEMORY.md")
    at("2026-03-22T08:00:00+00:00", "chat", "add", "The rent is 600 euro.")

    for words in (("digest",), ("digest", "--since", "2026-03-20")):
        told = at("2026-03-20T20:00:00+00:00", *words).out

        assert "tea" in told
        assert "Maria" not in told
        assert "600 euro" not in told


def test_a_line_of_which_one_sentence_was_corrected_was_not_dropped(at, room) -> None:
    """Seen: what must not go into the cold store was told as dropped."""
    room.change({"MEMORY.md": "# M\n\n- It is set to 3 degrees. No squash in the store.\n"}, actor="operator")
    at("2026-03-20T08:00:00+00:00", "correct", "It is set to 3 degrees.", "It is set to 4 degrees.")

    told = at("2026-03-20T08:10:00+00:00", "digest").out

    assert "It is set: 3 degrees → 4 degrees" in told
    assert "Dropped" not in told


def test_a_line_that_a_host_corrected_by_your_message_was_not_dropped(at, room) -> None:
    """Seen: two of three such corrections were told a second time as a loss, with an undo of the correction."""
    (room.root / "MEMORY.md").write_text("# M\n\n- The shop is closed on Mondays.\n")
    assert at(EVENING, "keep", "--as", "operator").code == 0
    at(EVENING, "digest", "--send", "2026-03-19")
    message = "we changed that in March: on Mondays we are open from 14h to 18h"
    said = json.loads(at("2026-03-20T08:00:00+00:00", "--json", "chat", "add", message).out)["id"]
    new = "The shop is open on Mondays from 14h to 18h."
    old = "The shop is closed on Mondays."
    at("2026-03-20T08:01:00+00:00", "correct", old, new, "--evidence", said, actor="host")

    told = at("2026-03-20T08:10:00+00:00", "digest").out

    assert f" → {new.rstrip('.')} (you, as understood: " in told
    assert "Dropped" not in told


def test_a_morning_without_news_is_told_as_such(at) -> None:
    at(EVENING, "digest", "--send", "2026-03-19")

    assert at(EVENING, "digest").out == "Nothing new on 2026-03-19.\n"


@pytest.mark.rest
def test_a_flood_of_news_is_cut_with_the_way_to_the_rest(at, send, room) -> None:
    room.change({"memory/learned.md": "".join(f"- 2026-03-20: Server {n} is up.\n" for n in range(500))})

    told = send(MORNING)

    assert told.count("\n- ") == 6
    assert "… and 495 more" in told


class Receiver(BaseHTTPRequestHandler):
    """Keeps what it is sent, and answers with the status that it is told to."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        status = self.server.statuses.pop(0)
        if not status:
            return  # hangs up without an answer
        self.send_response(status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver():
    """Serve on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.got, server.statuses = [], []
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def hooked(clawgit, at, send, receiver):
    """Have something to tell, to the receiver."""
    clawgit("config", "set", "digest_channel", f"webhook http://127.0.0.1:{receiver.server_port}/in")
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")
    return receiver


def test_a_webhook_gets_it_signed_and_is_tried_again_after_a_refusal(at, hooked) -> None:
    hooked.statuses += [503, 302, 204]
    key = {"CLAWGIT_DIGEST_KEY": "k3y"}

    codes = [
        at(f"2026-03-20T07:3{each}:00+00:00", "digest", "--send", "2026-03-20", environment=key).code
        for each in range(4)
    ]

    assert codes == [1, 1, 0, 0]
    assert len(hooked.got) == 3
    assert len({(headers["Idempotency-Key"], body) for headers, body in hooked.got}) == 1
    headers, body = hooked.got[-1]
    signed = hmac.new(b"k3y", body, hashlib.sha256).hexdigest()
    assert headers["Clawgit-Signature"] == f"sha256={signed}"
    assert "tea" in json.loads(body)["text"]
    assert headers["Idempotency-Key"] == json.loads(body)["digest"]


def test_a_digest_that_may_have_arrived_is_not_sent_again_and_that_is_said(at, hooked) -> None:
    """Mutant: no answer counts as a refusal."""
    hooked.statuses += [0]
    first = at(MORNING, "digest", "--send", "2026-03-20")
    second = at("2026-03-20T07:31:00+00:00", "digest", "--send", "2026-03-20")

    assert (first.code, second.code) == (1, 0)
    assert "may have arrived" in first.err
    assert "not sent again" in second.err
    assert len(hooked.got) == 1


def test_where_nobody_listens_it_is_tried_again(clawgit, at, send) -> None:
    clawgit("config", "set", "digest_channel", "webhook http://127.0.0.1:1/in")
    at("2026-03-20T01:00:00+00:00", "memory", "add", "I prefer tea over coffee.", "--to", "MEMORY.md")

    for minute in ("30", "31"):
        done = at(f"2026-03-20T07:{minute}:00+00:00", "digest", "--send", "2026-03-20")
        assert done.code == 1
        assert "127.0.0.1:1 cannot be reached" in done.err


def test_a_key_that_others_can_read_is_refused(at, hooked, own_home) -> None:
    path = own_home / ".config/clawgit/digest-key"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("k3y\n")
    path.chmod(0o644)

    done = at(MORNING, "digest", "--send", "2026-03-20")

    assert done.code == 4
    assert hooked.got == []


@pytest.mark.rest
def test_a_correction_is_told_once_also_of_an_entry_without_an_id_and_of_one_of_the_same_day(
    clawgit, at, room
) -> None:
    """Mutant: the corrected line is learned, and the wrong one dropped, too."""
    room.change({"MEMORY.md": "# Memory\n\n- The staging port is 8080.\n"}, actor="operator")
    at(EVENING, "digest", "--send", "2026-03-19")
    late = "2026-03-19T22:00:00+00:00"
    at(late, "memory", "add", "Ada lives in Lisbon.", "--to", "MEMORY.md")
    at(late, "correct", "Ada lives in Lisbon.", "Ada lives in Porto.")
    at(late, "correct", "The staging port is 8080.", "The staging port is 9090.")

    told = at(MORNING, "digest", "--send", "2026-03-20").out

    assert [
        told.count(f"- {words}") for words in ("Ada lives: Lisbon → Porto", "The staging port: 8080 → 9090")
    ] == [
        1,
        1,
    ]
    assert "## Learned" not in told
    assert "## Dropped" not in told


def test_a_correction_of_a_line_in_a_standing_file_is_told_once(clawgit, at, room) -> None:
    """Seen: "learned: … 95 euros." in `status`, and "USER.md: - … 85 euros." in the digest, too."""
    room.change({"USER.md": "# User\n\n- Likes tea. The hourly rate is 85 euros.\n"}, actor="operator")
    at(EVENING, "digest", "--send", "2026-03-19")
    clawgit("chat", "add", "My hourly rate is 95 euros, not 85 euros.")
    (link,) = re.findall("clawgit approve (x:[a-z0-9]+)", clawgit("pending").out)
    clawgit("approve", link)

    told = clawgit("status").out + at(MORNING, "digest", "--send", "2026-03-20").out

    assert told.count("85 euros → 95 euros") == 2
    assert "learned:" not in told
    assert "## Changed about myself" not in told


def test_a_correction_that_fits_nothing_in_memory_is_named(clawgit) -> None:
    """Mutant: what the validator read and left is silent."""
    clawgit("chat", "add", "Actually, it's on Wednesday.")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    told = clawgit("digest", "--since", "2026-03-18").out
    heard = told.partition("## Heard, not kept")[2]
    assert heard.startswith("\n- Actually, it's on Wednesday.\n")
    assert "heard: `clawgit pending`" in heard
    assert "Actually, it's on Wednesday. → `clawgit correct" in clawgit("chat", "log", "--not-kept").out


SAID_OF_HERSELF = (
    "I live in Utrecht.",
    "I'm allergic to shellfish.",
    "My sister's name is Joanna.",
    "I work as a structural engineer.",
    "I prefer tea over coffee in the morning.",
    "I usually run on Tuesday evenings.",
    "My car is a grey Skoda Octavia.",
    "I've been vegetarian since 2019.",
    "I don't answer calls before ten.",
    "I was born in Gdansk.",
    "My landlord is called Pieter.",
    "I pay the rent on the first of each month.",
    "I have two cats, Miso and Tofu.",
    "I'm learning Portuguese.",
    "My dentist is at Oudegracht 14.",
    "I hate being called by my full name.",
)


@pytest.mark.rest
def test_a_plain_sentence_about_oneself_is_kept_or_named_as_not_kept(clawgit) -> None:
    for number, sentence in enumerate(SAID_OF_HERSELF):
        clawgit("chat", "add", sentence, "--at", f"2026-03-19T08:{number:02}")
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    learned, _, heard = clawgit("digest", "--since", "2026-03-18").out.partition("## Heard, not kept")
    kept = [each for each in SAID_OF_HERSELF if each in learned]
    named = [each for each in SAID_OF_HERSELF if f"- {each}\n" in heard]
    assert sorted([*kept, *named]) == sorted(SAID_OF_HERSELF)
    assert len(kept) > len(named)


def test_a_text_that_is_too_long_for_a_channel_keeps_its_commands() -> None:
    """Seen: rows arrived without the command that takes them back. Mutant: the end is cut."""
    rows = "\n".join(f"- Line {number} → undo m:{number}" for number in range(100))
    text = f"# 2026-03-02: 100 learned\n{rows}\n\nundo: `clawgit undo ID`\n"

    cut = cut_to(text, 500)

    assert cut.startswith("# 2026-03-02: 100 learned\n- Line 0")
    assert cut.endswith("… `clawgit digest` shows all of it.\nundo: `clawgit undo ID`\n")
    assert len(cut) < 600
    assert cut_to(rows, 500).endswith("shows all of it.\n")
    assert cut_to("short", 500) == "short"


def test_a_key_that_keeps_a_whole_file_out_of_git_is_told_once(clawgit, at, room) -> None:
    """Seen: nothing could be remembered for a day, and the digest said "Nothing new". Mutant: it is told every day."""
    at(EVENING, "digest", "--send", "2026-03-19")
    room.write("MEMORY.md", "# M\n\n- router password: hunter2secret9\n")

    told = at(MORNING, "digest", "--send", MORNING[:10]).out
    later = at(NEXT, "digest", "--send", NEXT[:10]).out

    assert (
        "MEMORY.md:3 looks like a key. Until it is out, nothing new in its file is committed or remembered."
        in told
    )
    assert "hunter2" not in told
    assert "looks like a key" not in later


def test_each_of_two_keys_that_a_file_gained_is_named(clawgit, room) -> None:
    """Seen: the last line of the file alone, and of a commit the first."""
    key = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    room.write("keys.md", f"first: {key}\n\nsecond: {key[::-1]}_{key}\n")

    held = clawgit("digest").out
    room.git("add", "keys.md")
    room.git("commit", "-qm", "keys")
    committed = clawgit("digest").out

    assert "keys.md:1 looks like a key." in held
    assert "The same for keys.md:3." in held
    assert "1 kept out for a key" in held.splitlines()[0]
    assert re.findall("keys.md: a secret .* in line ([0-9])", committed) == ["1", "3"]


def test_what_was_forgotten_is_printed_by_no_later_digest_or_log(clawgit, at, room) -> None:
    """Seen: the code of the alarm in both. Mutants: any subject hides what left; the log has the subject."""
    code, tea = "The back door opens with the bell key.", "Tea is at four."
    room.change({"MEMORY.md": f"# M\n\n- {code}\n- {tea}\n"}, actor="operator")
    at(EVENING, "digest", "--send", "2026-03-19")
    clawgit("forget", code, "--yes")
    room.write("MEMORY.md", "# M\n")
    room.git("commit", "-qam", f"forget: {tea}")

    told = at(MORNING, "digest", "--send", MORNING[:10]).out

    assert "- A line of MEMORY.md, forgotten as you said → undo " in told
    assert tea in told
    for text in (told, room.read("COMPACTION_LOG.md")):
        assert code not in text


@pytest.mark.parametrize(("name", "by"), [("", "forgotten as you said →"), ("Emil", "forgotten (Emil) →")])
def test_a_new_name_in_git_makes_nobody_a_stranger_and_shows_nothing_forgotten(
    clawgit, at, room, name, by
) -> None:
    """Seen: after `git config user.name` the digest printed the forgotten line, and one's own lines were a colleague's."""
    code, tea = "The back door opens with the bell key.", "Tea is at four."
    clawgit("remember", tea)
    room.change({"MEMORY.md": room.read("MEMORY.md") + f"- {code}\n"}, actor="operator")
    at(EVENING, "digest", "--send", "2026-03-19")
    if name:
        room.git("config", "user.name", name)
        room.git("config", "user.email", "emil@example.org")
    clawgit("forget", code, "--yes")
    room.git("config", "user.name", "Ada Lovelace")
    room.git("config", "user.email", "ada@example.org")

    told = at(MORNING, "digest", "--send", MORNING[:10]).out

    assert code not in told
    assert by in told
    assert "committed by" not in clawgit("search", tea).out + clawgit("log", "--entry", tea).out


def test_what_he_said_twice_and_was_not_kept_is_one_line(clawgit) -> None:
    for number in range(2):
        clawgit("chat", "add", "Actually, it's on Wednesday.", "--id", str(number))
    clawgit("run", "recall-validator")
    clawgit("run", "memory-miner")

    assert clawgit("digest", "--since", "2026-03-18").out.count("Actually, it's on Wednesday.") == 1


def test_what_needs_him_is_told_before_what_does_not_and_never_by_count(now) -> None:
    """Mutant: the order is the sixth sentence, and one of "and 4 more"."""
    heard = [News(f"Kiln {number} is blue.", f"clawgit remember {number}") for number in range(5)]
    heard += [News(f"forget kiln {number}", f"clawgit forget {number}") for number in range(4)]

    told = Digest("tip", now, Changed(), {}, heard={"chat:a": heard}).text.splitlines()

    rows = told[told.index("## Heard, not kept") + 1 :]
    assert rows[:5] == [
        *(f"- forget kiln {number} → `clawgit forget {number}`" for number in range(4)),
        "- … and 5 more",
    ]


def test_a_look_at_the_digest_takes_nothing_from_the_next_one(at) -> None:
    """Seen: "The kiln broke yesterday" was a count at noon, and no digest named it any more. Mutant: what was shown is noted as told."""
    at(EVENING, "digest", "--send", "2026-03-19")
    noon = "2026-03-20T12:00:00+00:00"
    for number in range(8):
        at(noon, "memory", "add", f"Printer {number} is on floor {number + 20}.", "--to", "MEMORY.md")
    at(noon, "chat", "add", "The kiln broke yesterday", "--sender", "user")
    looked = at(noon, "digest").out

    sent = at(NEXT, "digest", "--send", NEXT[:10], "--json").data

    assert "8 learned" in looked
    assert sent["state"] == "sent"
    assert sent["text"].splitlines()[1:] == looked.splitlines()[1:]


def test_the_day_of_a_digest_that_was_read_has_its_own_message(at) -> None:
    """Mutant: what was read at six keeps the message of the morning from being made."""
    at(EVENING, "digest", "--send", "2026-03-19")
    at(EVENING, "memory", "add", "The printer is on floor two.", "--to", "MEMORY.md")
    at("2026-03-20T06:00:00+00:00", "digest")

    sent = at(MORNING, "digest", "--send", MORNING[:10], "--json").data

    assert sent["state"] == "sent"
    assert "printer" in sent["text"]


@pytest.mark.rest
def test_what_he_typed_in_the_place_of_a_line_is_told_with_an_undo_of_that_file_alone(send, room) -> None:
    """Seen: only that the old line was dropped; the undo took the note of the day along."""
    room.write("MEMORY.md", "# Memory\n\n- Nora is allergic to hazelnuts.\n")
    room.keep("operator")
    send(MORNING)
    room.write("MEMORY.md", "# Memory\n\n- Nora is *not* allergic to hazelnuts.\n")
    room.write("memory/2026-03-19.md", "# Day\n\n- We fired the kiln.\n")
    room.keep("operator")

    told = send(NEXT)

    line = "Nora is *not* allergic to hazelnuts. (before: Nora is allergic to hazelnuts.) (you)"
    assert f"- {line} → undo {room.head()[:12]} MEMORY.md" in told
    assert "## Dropped" not in told


def test_what_was_remembered_and_is_as_it_was_before_its_correction_is_learned(at, send, room) -> None:
    """Seen: of a line whose correction was taken back no digest said that it was learned."""
    later = "2026-03-20T20:00:00+00:00"
    send(MORNING)
    at(later, "remember", "Lucía comes on Monday.")
    at(later, "correct", "Monday", "Tuesday")
    (correction,) = at(later, "corrections", "--json").data
    at(later, "undo", correction["id"])

    told = send(NEXT)

    assert "## Learned\n- Lucía comes on Monday. (you)" in told


@pytest.mark.parametrize("has_id", [True, False])
def test_a_line_that_he_forgot_and_the_agent_typed_again_between_two_digests_is_told(
    at, send, room, has_id: bool
) -> None:
    """Seen: nothing, as the line was there before and after. Mutant: only one with an id."""
    mark = " <!-- m:aaaaaa -->" * has_id
    room.change({"MEMORY.md": f"- Lena has coeliac disease.{mark}\n- Emil has the key.\n"}, actor="operator")
    send(MORNING)
    at("2026-03-20T08:00:00+00:00", "forget", "Lena has coeliac disease.", "--yes")
    room.write("MEMORY.md", f"{room.read('MEMORY.md')}- Lena has coeliac disease.\n")
    at("2026-03-20T09:00:00+00:00", "keep", actor="host")

    told = send(NEXT)

    undo = room.head()[:12]
    assert f"- Lena has coeliac disease. (your agent; you took this out) → undo {undo}\n" in told
    assert "Emil" not in told


def test_a_line_that_he_forgot_and_brought_back_between_two_digests_is_no_news(at, send, room) -> None:
    """Mutant: what is as it was is told as brought back."""
    room.change({"MEMORY.md": "- Lena has coeliac disease.\n- Emil has the key.\n"}, actor="operator")
    send(MORNING)
    at("2026-03-20T08:00:00+00:00", "forget", "Lena has coeliac disease.", "--yes")
    at("2026-03-20T08:10:00+00:00", "undo", room.head())

    at("2026-03-20T08:20:00+00:00", "remember", "The van is red.")
    told = send(NEXT)

    assert "The van is red." in told
    assert "Lena" not in told


def test_an_old_copy_that_comes_back_with_a_new_line_is_told_by_that_line(at, send, room) -> None:
    """Seen: three old lines in words, and the new one among 135 more. Mutants: what he took out is only counted; new lines, too."""
    lines = [f"- The box {number} stands on shelf {number + 40}.\n" for number in range(30)]
    old = f"# Memory\n\n{''.join(lines)}"
    room.change({"MEMORY.md": old}, actor="operator")
    at("2026-03-20T06:00:00+00:00", "forget", "The box 7 stands on shelf 47.", "--yes")
    moved = {
        "MEMORY.md": "".join(lines[:3]),
        "memory/boxes.md": "".join(lines[3:]),
        "memory/shed.md": "- A.\n- The shed is green.\n",
    }
    room.change(moved, actor="organizer")
    send(MORNING)
    room.write("memory/shed.md", "- A.\n")
    room.write("MEMORY.md", f"{old}- Bea moves to Lyon.\n")
    at("2026-03-20T09:00:00+00:00", "keep", actor="host")
    later = "2026-03-20T10:00:00+00:00"

    status = at(later, "status").out
    assert "  learned: Bea moves to Lyon.  (your agent)\n" in status
    assert '  back: 26 lines are back as before: "The box 3 stands on shelf 43.", …  (your agent)\n' in status
    rows = [row for row in at(later, "log").out.splitlines() if "(your agent)" in row]
    assert [row.split()[1] for row in rows[:3]] == ["remembered", "remembered", "back"]
    told = send(NEXT)
    assert "- Bea moves to Lyon. (your agent) → undo " in told
    assert "- The box 7 stands on shelf 47. (your agent; you took this out) → undo " in told
    assert '- 26 lines are back as before: "The box 3 stands on shelf 43.", … → ' in told
    assert told.index("Bea") < told.index("26 lines")
    assert "- The shed is green. (your agent) → " in told


@pytest.mark.parametrize("back", [False, True])
def test_status_and_digest_list_what_a_job_reworded_under_one_name(clawgit, room, back: bool) -> None:
    """Seen: "corrected" in one and "Learned" in the other; of an undo, "undone" and "Brought back"."""
    name, section, change = "corrected", "Corrected", "The rent is due: 1st → 3rd"
    room.change({"MEMORY.md": "- The rent is due on the 1st. <!-- m:aaaaaa -->\n"}, actor="operator")
    if not back:
        clawgit("digest", "--send", "2026-03-18")
    made = room.change({"MEMORY.md": room.read("MEMORY.md").replace("1st", "3rd")}, actor="memory-miner")
    if back:
        name, section, change = "undone", "Taken back", "The rent is due: 3rd → 1st"
        clawgit("digest", "--send", "2026-03-18")
        clawgit("undo", made.commit_id[:12])

    status, digest = clawgit("status").out, clawgit("digest").out

    assert f"  {name}: {change}" in status
    (commit,) = re.findall(rf"## {section}\n- {change} .*→ undo ([0-9a-f]{{12}})\n", digest)
    assert clawgit("undo", commit).code == 0
