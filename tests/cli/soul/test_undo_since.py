"""`undo --since DATE --actor A`: a night of one worker's is taken back in one command."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.plan import Edit, Evidence, Plan

NIGHT = "2026-03-19T06:00"


@pytest.fixture
def link_at_night(clawgit):
    """Return a function that has a job of the night put messages beside lines; it returns their ids."""

    def call(*messages: str) -> list[str]:
        clawgit("pause")
        ids = [clawgit("chat", "add", each, "--json").data["id"] for each in messages]
        clawgit("resume")
        clawgit("run", "recall-validator", "--slot", NIGHT)
        return ids

    return call


@pytest.fixture
def grow(room):
    """Return a function that adds a line to the soul a day later, on the operator's words."""

    def call(line: str, actor: str = "soul-keeper") -> None:
        room.now += timedelta(days=1)

        def plan(tree):
            data = (tree.read("SOUL.md") or b"") + f"- {line}\n".encode()
            return Plan(f"soul: {line}", (Edit("SOUL.md", data),), evidence=(Evidence("chat:1", line),))

        apply_plan(room.history, plan, Intent(new_op(), actor, room.now, trust="operator"))

    return call


@pytest.mark.rest
def test_last_nights_changes_go_and_those_of_others_stay(clawgit, room, grow) -> None:
    """Mutants: everybody's changes go; the nights before go, too."""
    before = room.read("SOUL.md")
    grow("Earlier.")
    grow("His own.", "operator")
    grow("First of the night.")
    grow("Second of the night.")

    shown = clawgit("undo", "--since", "2026-03-22", "--actor", "soul-keeper", "--dry-run", "--json")
    done = clawgit("undo", "--since", "2026-03-22", "--actor", "soul-keeper")

    assert len(shown.data["commits"]) == 2
    assert "changes SOUL.md" in done.err
    assert room.read("SOUL.md") == before + "- Earlier.\n- His own.\n"


def test_without_an_actor_all_that_the_jobs_did_goes(clawgit, room, grow) -> None:
    """Seen: no one command took back a night, though README says so. Mutant: the operator's own changes go, too."""
    before = room.read("SOUL.md")
    grow("His own.", "operator")
    grow("Of a job.")
    grow("Of another.", "memory-compactor")

    done = clawgit("undo", "--since", "2026-03-20")

    assert done.err.startswith("To take back: all by jobs since 2026-03-20")
    assert room.read("SOUL.md") == before + "- His own.\n"


def test_what_he_said_in_chat_is_no_night_of_a_job(clawgit, room, grow) -> None:
    """Seen: his correction of the morning went with the night, as one of the jobs' changes.

    Mutants: what was kept at once of his messages goes; the preview does not name it, nor whose each change is;
    `--actor operator` leaves it.
    """
    clawgit("remember", "Release branch: train-7.")
    clawgit("chat", "add", "No, the release branch is train-8, not train-7.")
    clawgit("chat", "add", "Remember: the key is under the pot.")
    only_his = clawgit("undo", "--since", "2026-03-19", "--dry-run")
    grow("Of a job.")

    shown = clawgit("undo", "--since", "2026-03-19", "--dry-run").err
    clawgit("undo", "--since", "2026-03-19")

    assert only_his.code == 1
    assert "--actor operator" in only_his.err
    assert "soul: Of a job.  (the soul-keeper)" in shown
    assert shown.count("  stays, since you said it: 2 changes") == 1
    assert "train-8" in room.read("MEMORY.md")
    assert "pot" in room.read("MEMORY.md")
    assert "Of a job." not in room.read("SOUL.md")
    his = clawgit("undo", "--since", "2026-03-19", "--actor", "operator").err
    assert "correct: Release branch: train-8.  (you, by a message)" in his
    assert "pot" not in room.read("MEMORY.md")


def test_words_put_beside_a_line_at_once_are_his(clawgit, room, grow) -> None:
    """Seen: the words that a message of the day had put beside a line went with the night. Mutant: only corrections stay."""
    clawgit("remember", "Nora: invoice 6843 due on 11 June")
    clawgit("chat", "add", "wrong: invoice 6843 is due 12 june")
    grow("Of a job.")
    linked = clawgit("corrections", "--json").data

    told = clawgit("undo", "--since", "2026-03-19").err

    assert [each["status"] for each in linked] == ["linked"]
    assert "stays, since you said it: 1 change" in told
    assert clawgit("corrections", "--json").data == linked


def test_words_that_a_job_put_beside_a_line_are_its_change(clawgit, room, link_at_night) -> None:
    """Mutant: a link of the night is spared as what he said."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    link_at_night("The wifi at the studio is Albatros now.")
    assert clawgit("corrections", "--json").data

    shown = clawgit("undo", "--since", "2026-03-19", "--dry-run")

    assert "stays, since you said it" not in shown.err
    assert "linked: The wifi at the studio is Albatros now." in shown.err
    assert clawgit("undo", "--since", "2026-03-19").code == 0
    assert clawgit("corrections", "--json").data == []


def test_where_all_that_is_left_stays_that_is_said_and_nothing_else(clawgit, room, link_at_night) -> None:
    """Seen: "To take back" with two rows, the two that stay, and "no file has anything of it any more"."""
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    link_at_night("The wifi at the studio is Albatros now.")
    (link,) = [each["id"] for each in clawgit("corrections", "--json").data]
    clawgit("correct", link, "The studio wifi is called Albatros.")
    before = room.head()

    shown = clawgit("undo", "--since", "2026-03-19", "--dry-run")
    done = clawgit("undo", "--since", "2026-03-19")

    assert shown.err.splitlines() == [
        "Nothing to take back: all by jobs since 2026-03-19 00:00",
        f"  {link} stays, since you said it: The studio wifi is called Albatros.",
    ]
    assert (done.code, done.err) == (0, shown.err)
    assert room.head() == before


def test_a_link_that_he_made_a_correction_stays_one(clawgit, room, grow, link_at_night) -> None:
    """Seen: the correction that he had typed was withdrawn with the link that a job had made, and the line stayed changed.

    Mutants: nobody says that it stays; it goes with all that rests on the message; `undo x:…` leaves it.
    """
    clawgit("memory", "add", "The studio wifi is called Zugvogel.", "--to", "MEMORY.md")
    (message,) = link_at_night("The wifi at the studio is Albatros now.")
    (link,) = [each["id"] for each in clawgit("corrections", "--json").data]
    clawgit("correct", link, "The studio wifi is called Albatros.")
    before = room.read("CORRECTIONS.md")
    grow("Of a job.")

    told = clawgit("undo", "--since", "2026-03-19").err

    assert f"{link} stays, since you said it: The studio wifi is called Albatros." in told
    assert "Of a job." not in room.read("SOUL.md")
    assert room.read("CORRECTIONS.md") == before
    assert [each["status"] for each in clawgit("corrections", "--json").data] == ["applied"]
    assert "you said it" in clawgit("undo", "--source", message, "--dry-run").err
    assert clawgit("undo", link).code == 0
    assert "is called Zugvogel." in room.read("MEMORY.md")


@pytest.mark.rest
def test_what_was_taken_back_before_is_left_alone(clawgit, room, grow) -> None:
    """Mutant: a change that was undone, and undone again, is taken back a second time."""
    before = room.read("SOUL.md")
    grow("One.")
    grow("Two.")
    clawgit("undo", "HEAD")

    assert clawgit("undo", "--since", "2026-03-01", "--actor", "soul-keeper").code == 0

    assert room.read("SOUL.md") == before
    again = clawgit("undo", "--since", "2026-03-01", "--actor", "soul-keeper")
    assert (again.code, "changed nothing since" in again.err) == (1, True)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("--actor", "host"), id="no time is named"),
        pytest.param(("--actor", "host"), id="no day"),
        pytest.param(("HEAD", "--since", "2026-03-01", "--actor", "host"), id="two things"),
        pytest.param(("--since", "lately", "--actor", "host"), id="no date"),
    ],
)
def test_what_names_no_one_thing_is_a_mistake(clawgit, room, words: tuple[str, ...]) -> None:
    assert clawgit("undo", *words).code == 2


def test_what_the_folder_had_before_stays(clawgit, tmp_path) -> None:
    """Mutant: on the day of adoption the adopted notes go, too."""
    folder = tmp_path / "adopted"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n\n- The bin is green.\n")
    clawgit("init", "--trust", "operator", str(folder))
    here = ("-w", str(folder))
    all_of_his = ("undo", "--since", "2026-03-19", "--actor", "operator")
    refusal = clawgit(*here, *all_of_his).err
    clawgit(*here, "remember", "Ada likes tea.")

    assert clawgit(*here, *all_of_his).code == 0

    assert (folder / "MEMORY.md").read_text() == "# Memory\n\n- The bin is green.\n"
    assert (folder / "SOUL.md").exists()
    assert "what the folder had before clawgit stays" in refusal


@pytest.mark.rest
def test_the_note_of_a_talk_that_the_runner_kept_is_a_jobs_change(clawgit, room) -> None:
    """Seen: "Jobs changed nothing since 2026-11-28 00:00 that holds" on a morning whose digest offered to undo that note.

    Mutant: the runner, which ends sessions, is no job.
    """

    def plan(tree):
        return Plan("session: 2 turns", (Edit("memory/2026-03-19-talk.md", b"# Talk\n\n- He said so.\n"),))

    apply_plan(room.history, plan, Intent(new_op(), "runner", room.now))

    done = clawgit("undo", "--since", "2026-03-19")

    assert done.code == 0, done.err
    assert "session: 2 turns  (the runner)" in done.err
    assert not (room.root / "memory/2026-03-19-talk.md").exists()


@pytest.mark.rest
def test_a_night_of_links_goes_but_for_those_that_were_answered(clawgit, room, link_at_night) -> None:
    """Seen: refused, "Later changes touch the same lines", after two noes and two yeses; the blocks of the ledger have lines alike.

    Mutant: a line counts as left that only the answers have.
    """
    names = {"wifi": "Zugvogel", "dog": "Rex", "van": "Otto", "boat": "Mia", "cat": "Tom"}
    for name, was in names.items():
        clawgit("memory", "add", f"The studio {name} is called {was}.", "--to", "MEMORY.md")
    link_at_night(*(f"The {name} at the studio is Albatros now." for name in names))
    linked = {each["said"].split()[2]: each["id"] for each in clawgit("corrections", "--json").data}
    first, second, rest, third, fourth = map(linked.get, names)
    for link in (third, fourth):
        clawgit("reject", link)
    clawgit("correct", first, "The studio wifi is called Albatros.")
    clawgit("correct", second, "The studio dog is called Albatros.")
    clawgit("remember", "The rent is 600 euro.")
    clawgit("chat", "add", "The rent is 650 euro now, not 600.")

    told = clawgit("undo", "--since", "2026-03-19")

    assert (told.code, told.err.count("stays, since you said it:")) == (0, 3)
    left = {each["id"]: each["status"] for each in clawgit("corrections", "--json").data}
    assert rest not in left
    assert list(left.values()) == ["applied"] * 3
    assert f"withdraws the correction {rest}" in told.err
    assert room.read("MEMORY.md").count("Albatros") == 2
