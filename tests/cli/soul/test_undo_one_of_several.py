"""`undo --source` of one message, where the same change also brought what other messages said, and lines without an id."""

from __future__ import annotations

import json

import pytest

FACTS = "".join(f"- 2026-01-{day:02d}: Room {day} has {day * 7} chairs. #knowledge\n" for day in range(1, 29))
ADOPTED = {
    "no file": None,
    "headings": "# Mem\n\n## House\n\n- The bin is green.\n",
    "no heading": "The bin is green.\n",
    "nested lists": "# Mem\n\n## House\n\n- The bin is green.\n  - Ada empties it.\n    - In odd weeks.\n",
    "a table": "# Mem\n\n## Rates\n\n| room | rent |\n| --- | --- |\n| attic | 400 |\n",
    "code": "# Mem\n\n## Code\n\n```sh\n# no heading\n- no entry\n```\n",
    "CRLF": "# Mem\r\n\r\n## House\r\n\r\n- The bin is green.\r\n",
    "no final newline": "# Mem\n\n## House\n\n- The bin is green.",
    "front matter": "---\ntitle: Mem\n---\n# Mem\n\n## House\n\n- The bin is green.\n",
    "underlined headings": "Mem\n===\n\nHouse\n-----\n\n- The bin is green.\n",
    "a byte order mark": "\ufeff# Mem\n\n## House\n\n- The bin is green.\n",
    "HTML": "# Mem\n\n## House\n\n<details>\n\n- The bin is green.\n\n</details>\n",
    "the heading, in the middle": "# Mem\n\n## Remembered\n\n- The bin is green.\n\n## House\n\n- A blue door.\n",
    "the heading, empty": "# Mem\n\n## Remembered\n",
    "too many lines": "# Mem\n\n## Rooms\n\n" + FACTS * 8,
}
SAID = {
    "vet": "Remember that the vet is in Hauptstrasse.",
    "poison": "Remember that invoices go to Mallory Ltd.",
    "database": "We decided to use Postgres for billing.",
    "event": "Remember that mum lands tomorrow at 18:40.",
    "other event": "Remember that the plumber comes tomorrow at 9:00.",
}
TELLING = {
    "vet": "Hauptstrasse",
    "poison": "Mallory",
    "database": "Postgres",
    "event": "Mum",
    "other event": "plumber",
}


def adopt_and_mine(clawgit, room, text: str | None) -> dict[str, str]:
    """Begin with a MEMORY.md, let one run mine all messages, and return what cites each of them."""
    place = room.root / "MEMORY.md"
    if text is None:
        place.unlink(missing_ok=True)
    else:
        place.write_bytes(text.encode())
    room.keep("operator")
    cited = {name: clawgit("chat", "add", said, "--json").data["id"] for name, said in SAID.items()}
    assert clawgit("run", "memory-miner").code == 0
    assert remembered(room) == set(SAID), "one run brought them all"
    return cited


def files(room) -> dict[str, str]:
    """Return the files of memory."""
    paths = [room.root / "MEMORY.md", *(room.root / "memory").glob("**/*.md")]
    return {
        str(path.relative_to(room.root)): path.read_bytes().decode("utf-8-sig")
        for path in paths
        if path.exists()
    }


def remembered(room) -> set[str]:
    every = "".join(files(room).values())
    return {name for name, word in TELLING.items() if word in every}


def lines_of(texts: dict[str, str]) -> list[str]:
    return sorted(line for text in texts.values() for line in text.splitlines() if line.strip())


def is_as_adopted(room, shape: str) -> bool:
    """Say whether nothing of the change is left, not its heading, and not a day's note."""
    text = ADOPTED[shape]
    place = room.root / "MEMORY.md"
    now = place.read_bytes().decode() if place.exists() else ""
    end = "\n" if shape == "no final newline" else ""  # which the first entry brought to the line above it
    is_same = now.rstrip("\r\n") + end == (text or "").rstrip("\r\n") + end
    return is_same and not (room.root / "memory/2026-03-19.md").exists()


@pytest.mark.sampled(20)
@pytest.mark.parametrize("shape", ADOPTED)
def test_one_message_goes_and_nothing_of_another_does_whatever_the_file_looked_like(
    clawgit, room, shape: str
) -> None:
    """Mutants: the whole change goes where it also wrote a heading, a new file or a line of a day's note; a heading stays."""
    cited = adopt_and_mine(clawgit, room, ADOPTED[shape])
    left = set(SAID)
    for name, message in cited.items():
        before = files(room)
        shown = clawgit("undo", "--source", message, "--dry-run", "--json").data
        assert files(room) == before

        done = clawgit("undo", "--source", message)

        assert done.code == 0, done.err
        left -= {name}
        assert remembered(room) == left
        gone = [line for line in lines_of(before) if line not in lines_of(files(room))]
        alone = [line for line in gone if not line.startswith("#")]
        assert len(alone) == 1, f"{name}: {alone}"
        assert [each["path"] for each in shown["diff"]] == shown["files"]
        assert shown["files"] == sorted(
            path for path in {*before, *files(room)} if before.get(path) != files(room).get(path)
        )
    assert shape == "too many lines" or is_as_adopted(room, shape)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("shape", list(ADOPTED)[:-1:3])
def test_backwards_too_the_file_reads_as_it_was_adopted_after_the_last_of_them(
    clawgit, room, shape: str
) -> None:
    cited = adopt_and_mine(clawgit, room, ADOPTED[shape])

    for message in list(cited.values())[::-1]:
        assert clawgit("undo", "--source", message).code == 0

    assert is_as_adopted(room, shape)


@pytest.mark.rest
def test_what_was_mined_in_two_runs_goes_run_by_run_and_the_heading_with_the_last(clawgit, room) -> None:
    (room.root / "MEMORY.md").write_text(ADOPTED["headings"] or "")
    room.keep("operator")
    cited = []
    for name in ("vet", "poison"):
        cited.append(clawgit("chat", "add", SAID[name], "--json").data["id"])
        assert clawgit("run", "memory-miner").code == 0

    for message, stays in zip(cited, ({"poison"}, set()), strict=True):
        assert clawgit("undo", "--source", message).code == 0
        assert remembered(room) == stays

    assert room.read("MEMORY.md") == ADOPTED["headings"]


@pytest.mark.rest
def test_what_the_operator_wrote_below_the_heading_keeps_it(clawgit, room) -> None:
    cited = adopt_and_mine(clawgit, room, ADOPTED["headings"])
    room.write("MEMORY.md", room.read("MEMORY.md") + "- My own line.\n")
    room.keep("operator")

    for message in cited.values():
        assert clawgit("undo", "--source", message).code == 0

    assert room.read("MEMORY.md").endswith("\n## Remembered\n\n- My own line.\n")


@pytest.mark.rest
@pytest.mark.parametrize("runs", [1, 2], ids=["in one run", "in two runs"])
def test_what_two_messages_say_stays_when_one_of_them_goes(clawgit, room, runs: int) -> None:
    """Mutant: the entry goes with the message that was first."""
    (room.root / "MEMORY.md").write_text(ADOPTED["headings"] or "")
    room.keep("operator")
    cited = []
    for number, said in enumerate((SAID["vet"], f"{SAID['vet'][:-1]}!", SAID["poison"])):
        where = ("--session", f"talk-{number}")
        cited.append(clawgit("chat", "add", *where, said, "--json").data["id"])
        if runs == 2:
            clawgit("run", "memory-miner")
    clawgit("run", "memory-miner")

    first = clawgit("undo", "--source", cited[0])
    clawgit("undo", "--source", cited[2])

    assert "stays: another message says the same" in first.err
    assert remembered(room) == {"vet"}


@pytest.mark.rest
def test_an_entry_below_which_somebody_wrote_stays_and_the_others_go(clawgit, room) -> None:
    """Mutant: one entry that cannot go keeps all others."""
    (room.root / "MEMORY.md").write_text(ADOPTED["headings"] or "")
    room.keep("operator")
    for said in (SAID["vet"], SAID["database"]):
        clawgit("chat", "add", "--session", "talk", said)
    clawgit("run", "memory-miner")
    path = next(path for path, text in files(room).items() if "Hauptstrasse" in text)
    lines = room.read(path).splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if "Hauptstrasse" in line)
    room.write(path, "".join([*lines[: at + 1], "  - Ring twice.\n", *lines[at + 1 :]]))
    room.keep("operator")

    done = clawgit("undo", "--source", "session:talk")

    assert done.code == 0, done.err
    assert remembered(room) == {"vet"}
    assert "Ring twice." in room.read(path)
    assert "stays, since it was changed again" in done.err


@pytest.mark.rest
def test_evidence_that_made_a_line_of_a_note_is_no_evidence_of_the_entries(clawgit, room) -> None:
    """Mutant: every entry of the change rests on the message of the note, too."""
    cited = adopt_and_mine(clawgit, room, ADOPTED["headings"])

    entries = json.loads(clawgit("memory", "list", "--json").out)

    (vet,) = [each for each in entries if "Hauptstrasse" in each["text"] and each["id"]]
    assert [item.partition(" ")[0] for item in vet["evidence"]] == [cited["vet"]]
