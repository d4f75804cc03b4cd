"""The decay engine: what has had its time leaves memory, and is found by whoever looks deep."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from clawgit.agents.decay_engine import DecayEngine, open_until
from clawgit.agents.models.choose_model import model_named
from clawgit.agents.models.model import Asker
from clawgit.agents.run_agent import Means
from clawgit.history.apply_plan import apply_plan
from clawgit.history.authorship.commit_messages import new_op
from clawgit.history.authorship.intent import Intent
from clawgit.history.provenance.entries_at_tip import list_states
from clawgit.history.undo.undo import find_undoing, undo
from clawgit.http_client import Patience
from clawgit.plan import Edit, Evidence, Plan
from clawgit.recall.revive import revive
from clawgit.recall.search import search
from clawgit.recall.search_deep import Retired
from clawgit.recall.search_results import Query
from clawgit.workspace.records.records import RECORDS, RunOutcome
from clawgit.workspace.settings.settings import Settings

MEMORY = """\
# MEMORY

Ada's own words: keep this short.

- 2026-03-19: User prefers tea over coffee. #knowledge <!-- m:aaaaaa -->
- 2026-03-19: The TLS certificate has to be renewed. #knowledge <!-- m:bbbbbb -->
- 2026-03-19: The research crew reads the wiki every morning. #knowledge <!-- m:cccccc -->

| port | service |
| --- | --- |
| 8443 | web |
"""


@pytest.fixture
def classed(room):
    """Return a workspace in which one entry is a task, and one the agents' business."""
    return with_classes(room, MEMORY, aaaaaa="personal", bbbbbb="tasks", cccccc="agents")


def with_classes(room, text: str, **classes: str):
    trailers = tuple(("Clawgit-Class", f"m:{name} {told}") for name, told in classes.items())
    plan = Plan(
        "test: memory", (Edit("MEMORY.md", text.encode()),), "", (Evidence("chat:1", "said"),), trailers
    )
    losses = {"MEMORY.md": "The test wants it so."}
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "memory-miner", room.now, losses=losses))
    return room


def later(room, **days: int):
    room.now += timedelta(**days)
    return room


def last_days(room) -> dict[str, date]:
    states = list_states(room.history, room.now.date())
    return {str(each.entry.entry_id): each.expires for each in states if each.expires is not None}


def found(room, words: str, *, deep: bool = False) -> list[str]:
    beside = Retired if deep else None
    return [hit.snippet for hit in search(room.history, Query(words), room.now, beside=beside).results]


def test_what_has_had_its_time_goes_to_the_archive_with_its_bytes(classed) -> None:
    later(classed, days=8)
    line = next(line for line in MEMORY.split("\n") if "bbbbbb" in line) + "\n"

    (report,) = DecayEngine.run_round(classed.history, classed.now)

    assert report.note.outcome is RunOutcome.APPLIED, report.note.reason
    assert classed.read("MEMORY.md") == MEMORY.replace(line, "")
    assert line in classed.read("Archive/Entries/2026-03.md")


def test_only_a_deep_search_finds_it(classed) -> None:
    """Mutants: the archive is searched like any other; it is found nowhere."""
    later(classed, days=8)
    assert any("TLS certificate" in each for each in found(classed, "TLS certificate renewed"))

    DecayEngine.run_round(classed.history, classed.now)

    assert not any("TLS certificate" in each for each in found(classed, "TLS certificate renewed"))
    deep = [each for each in found(classed, "TLS certificate renewed", deep=True) if "TLS" in each]
    assert len(deep) == 1


def test_a_deep_search_says_when_it_left_and_by_whom(classed) -> None:
    """Mutant: a line that is in the archive of entries counts as moved, not as gone."""
    DecayEngine.run_round(classed.history, later(classed, days=8).now)

    hits = search(classed.history, Query("TLS certificate"), classed.now, beside=Retired).results

    gone = next(hit.retirement for hit in hits if "TLS" in hit.snippet)
    assert (gone.on.date(), gone.by) == (classed.now.date(), "decay-engine")


def test_entries_of_two_files_that_share_an_id_are_both_archived(classed) -> None:
    """Mutant: what leaves the one file takes the other one's place in the archive."""
    copied = "- 2026-03-19: The VPN certificate has to be renewed. #knowledge <!-- m:bbbbbb -->\n"
    edits = (Edit("memory/certificates.md", copied.encode()),)
    apply_plan(
        classed.history, lambda _: Plan("test: a copy", edits), Intent(new_op(), "memory-miner", classed.now)
    )

    DecayEngine.run_round(classed.history, later(classed, days=8).now)

    archive = classed.read("Archive/Entries/2026-03.md")
    for words, path in (
        ("The TLS certificate", "MEMORY.md"),
        ("The VPN certificate", "memory/certificates.md"),
    ):
        assert (words in classed.read(path), words in archive) in {(True, False), (False, True)}


def test_a_second_run_changes_nothing_and_undo_gives_the_bytes_back(classed) -> None:
    later(classed, days=40)
    (report,) = DecayEngine.run_round(classed.history, classed.now)
    head = classed.head()
    (again,) = DecayEngine.run_round(classed.history, classed.now)
    assert (again.note.outcome, classed.head()) == (RunOutcome.NOTHING, head)

    undo(
        classed.history,
        find_undoing(classed.history, report.note.run_id),
        "",
        Intent(new_op(), "operator", classed.now),
    )

    assert classed.read("MEMORY.md") == MEMORY
    assert not (classed.root / "Archive/Entries/2026-03.md").exists()
    DecayEngine.run_round(classed.history, later(classed, days=60).now)
    assert classed.read("MEMORY.md") == MEMORY  # who brings it back wants it to stay


def test_a_revived_entry_stays_and_its_class_is_shown_no_more_as_running_out(classed) -> None:
    DecayEngine.run_round(classed.history, later(classed, days=8).now)

    revive(classed.history, "m:bbbbbb", Intent(new_op(), "operator", classed.now))

    DecayEngine.run_round(classed.history, later(classed, days=20).now)
    assert "m:bbbbbb" in classed.read("MEMORY.md")


def test_nothing_is_over_in_a_workspace_without_classes(room) -> None:
    room.change({"MEMORY.md": MEMORY})

    (report,) = DecayEngine.run_round(room.history, later(room, days=400).now)

    assert report.note.outcome is RunOutcome.NOTHING
    assert report.note.reason == "There was nothing to work on."
    assert DecayEngine.rehearse_round(room.history, room.now) == []


def test_a_host_cannot_class_an_entry_away(room) -> None:
    """Mutant: everybody's classes count."""
    room.change({"MEMORY.md": MEMORY})
    trailers = (("Clawgit-Class", "m:aaaaaa tasks"),)
    plan = Plan("host: tidy", (Edit("memory/notes.md", b"x\n"),), trailers=trailers)
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "host", room.now))

    states = {state.entry.entry_id: state for state in list_states(room.history, room.now.date())}

    assert states["aaaaaa"].entry_class is None


def test_what_the_operator_asked_to_be_remembered_has_no_term(room) -> None:
    """Seen: a list named a last day."""
    trailers = (("Clawgit-Class", "m:bbbbbb tasks"),)
    evidence = (Evidence("chat:1", "Remember that the TLS certificate has to be renewed."),)
    plan = Plan("test: memory", (Edit("MEMORY.md", MEMORY.encode()),), "", evidence, trailers)
    losses = {"MEMORY.md": "The test wants it so."}
    apply_plan(room.history, lambda _: plan, Intent(new_op(), "memory-miner", room.now, losses=losses))

    (report,) = DecayEngine.run_round(room.history, later(room, days=50).now)

    assert report.note.outcome is RunOutcome.NOTHING
    assert last_days(room) == {}


def test_what_the_operator_brought_back_has_no_term(classed) -> None:
    """Seen: entries that he brought back by the undo of an overwrite left all the same."""
    overwriting = Plan("host: tidy", (Edit("MEMORY.md", b"# MEMORY\n"),), verbatim=True)
    losses = {"MEMORY.md": "The test wants it so."}
    intent = Intent(new_op(), "host", classed.now, losses=losses)
    commit_id = apply_plan(classed.history, lambda _: overwriting, intent).commit_id
    before = last_days(classed)

    undoing = find_undoing(classed.history, commit_id)
    undo(classed.history, undoing, "", Intent(new_op(), "operator", classed.now))
    DecayEngine.run_round(classed.history, later(classed, days=60).now)

    assert before == {}
    assert classed.read("MEMORY.md") == MEMORY
    assert last_days(classed) == {}


@pytest.mark.parametrize(
    ("statement", "until"),
    [
        ("The report is due.", "2026-03-19"),
        ("The report is due on 2026-06-01.", "2026-06-01"),
        ("The talk moved from 2026-04-01 to 2026-05-02.", "2026-05-02"),
        ("The report is due on May 4.", "2026-05-04"),
        ("Send the report by Friday.", "2026-04-02"),
        ("The flat was let on 2025-01-01.", "2026-03-19"),
    ],
)
def test_the_days_that_a_sentence_names_hold_it(statement: str, until: str) -> None:
    assert open_until(statement, date(2026, 3, 19)) == date.fromisoformat(until)


def asker(room, scripted):
    settings = Settings(model="openai:m", model_url=scripted.url)

    def ask(purpose: str) -> Asker:
        model = model_named(settings, {}, room.root, patience=Patience(60, tries=2, pause=0.01))
        return Asker(model, room.history.state / RECORDS, 1_000_000, lambda: room.now, purpose)

    return ask


@pytest.mark.rest
def test_a_model_leaves_a_lesson_and_keeps_what_goes_on(classed, scripted, tell) -> None:
    later(classed, days=31)
    tell(classed).say("ada: the research crew still reads the wiki every morning, fine")
    lesson = "A TLS certificate has to be renewed."
    answer = [
        {"id": "m:bbbbbb", "do": "LESSON", "lesson": lesson},
        {"id": "m:cccccc", "do": "ALIVE", "message": "chat:?", "quote": "still reads the wiki"},
        {"id": "m:zzzzzz", "do": "OVER"},
    ]

    def says(to, body):
        text = body["messages"][-1]["content"]
        name = next(part for part in text.split('"') if part.startswith("chat:"))
        answer[1]["message"] = name
        scripted._answer({"entries": answer}, 100)(to, body)

    scripted.says(says)

    (report,) = DecayEngine.run_round(
        classed.history, classed.now, Means(askers=lambda: asker(classed, scripted))
    )

    assert lesson in classed.read("memory/lessons.md")
    assert "m:cccccc" in classed.read("MEMORY.md")
    assert "m:bbbbbb" not in classed.read("MEMORY.md")
    assert "m:zzzzzz" in report.note.reason
    states = {state.entry.entry_id: state for state in list_states(classed.history, classed.now.date())}
    assert states["cccccc"].expires > classed.now.date()
    (of_lesson,) = [state for state in states.values() if state.path == "memory/lessons.md"]
    assert (of_lesson.trust, of_lesson.confidence) == ("host", 60)


@pytest.mark.parametrize(
    "lesson",
    [
        "The certificate of port 9443 has to be renewed on Monday.",
        "",
        "A TLS certificate has to be renewed, and whoever forgets that will have a very long night of it, as always.",
    ],
)
def test_a_lesson_that_says_more_is_left_out_and_the_entry_archived(classed, scripted, lesson: str) -> None:
    later(classed, days=8)
    scripted.says({"entries": [{"id": "m:bbbbbb", "do": "LESSON", "lesson": lesson}]})
    before = classed.read("memory/lessons.md")

    (report,) = DecayEngine.run_round(
        classed.history, classed.now, Means(askers=lambda: asker(classed, scripted))
    )

    assert report.note.outcome is RunOutcome.APPLIED
    assert classed.read("memory/lessons.md") == before
    assert "m:bbbbbb" in classed.read("Archive/Entries/2026-03.md")


def test_without_a_usable_answer_rules_archive(classed, scripted) -> None:
    later(classed, days=8)
    scripted.says("no idea")

    (report,) = DecayEngine.run_round(
        classed.history, classed.now, Means(askers=lambda: asker(classed, scripted))
    )

    assert report.note.outcome is RunOutcome.APPLIED
    assert "Rules did it" in report.note.reason
    assert "m:bbbbbb" in classed.read("Archive/Entries/2026-03.md")
